/** The passes of each target. */
import type { TargetDialect } from "../../dialects/ids.js";
import type { Pass, TextPass } from "../pass.js";
import { glsl } from "./glsl.js";
import { hlsl } from "./hlsl.js";
import { msl } from "./msl.js";
import { opencl } from "./opencl.js";
import { ts } from "./ts.js";

export const pipelines: Readonly<Record<TargetDialect, readonly TextPass[]>> & { readonly ts: readonly Pass[] } = {
  msl,
  glsl,
  opencl,
  hlsl,
  ts,
};
