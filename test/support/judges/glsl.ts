import { glslJudgeBy } from "../../../src/judges/glsl.js";
import type { GlslJudgeOptions } from "../../../src/judges/judge.js";
import { glslService, glslServiceDependsOn } from "./glsl-service.js";
import { makeJudge } from "./judge.js";

export type GlslOptions = GlslJudgeOptions;

export const glslJudge = makeJudge(glslJudgeBy(glslService), glslServiceDependsOn);
