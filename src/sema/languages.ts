/** How each source language is read, where that is code of its own. */
import type { SourceDialect } from "../dialects/ids.js";
import { glslReader } from "./readers/glsl.js";
import { hlslReader } from "./readers/hlsl.js";
import { mslReader } from "./readers/msl.js";
import { openclReader } from "./readers/opencl.js";
import type { SourceReader } from "./readers/reader.js";

export const sourceReaders: Readonly<Record<SourceDialect, SourceReader>> = {
  msl: mslReader,
  glsl: glslReader,
  opencl: openclReader,
  hlsl: hlslReader,
};
