import { glslJudge as judge } from "../../../src/judges/glsl.js";
import type { GlslJudgeOptions } from "../../../src/judges/judge.js";
import { findProgram, makeJudge } from "./judge.js";

export type GlslOptions = GlslJudgeOptions;

export const glslJudge = makeJudge(judge, () => [findProgram("glslangValidator")!, findProgram("spirv-val")!]);
