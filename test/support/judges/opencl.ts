import { fileURLToPath } from "node:url";
import type { OpenclJudgeOptions } from "../../../src/judges/judge.js";
import { clang, openclJudge as installed } from "../../../src/judges/opencl.js";
import { findProgram, makeJudge } from "./judge.js";
import { mapInPairs } from "./run.js";

export type OpenclOptions = OpenclJudgeOptions;

export const openclJudge = makeJudge<OpenclOptions>({
  id: "opencl",
  tool: installed.tool,
  missing: () => installed.missing(),
  dependsOn: () => [findProgram(clang()!)!, fileURLToPath(new URL("../../../src/judges/opencl.ts", import.meta.url))],
  judge: (texts) => mapInPairs(texts, ({ text, options }) => installed.judge(text, options ?? {})),
});
