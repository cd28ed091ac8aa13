/** The passes of each target that is a text for other compilers. */
import type { TargetDialect } from "../../dialects/ids.js";
import type { TextPass } from "../pass.js";
import { glsl } from "./glsl.js";
import { hlsl } from "./hlsl.js";
import { msl } from "./msl.js";
import { opencl } from "./opencl.js";

const pipelines: Readonly<Record<TargetDialect, () => readonly TextPass[]>> = { msl, glsl, opencl, hlsl };

export const textPasses = (target: TargetDialect): readonly TextPass[] => pipelines[target]();
