import type { OpenclJudgeOptions } from "../../../src/judges/judge.js";
import { clang, openclJudge as judge } from "../../../src/judges/opencl.js";
import { findProgram, makeJudge } from "./judge.js";

export type OpenclOptions = OpenclJudgeOptions;

export const openclJudge = makeJudge(judge, () => [findProgram(clang()!)!]);
