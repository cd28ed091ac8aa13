import { fileURLToPath } from "node:url";
import { glslJudge as installed } from "../../../src/judges/glsl.js";
import type { GlslJudgeOptions } from "../../../src/judges/judge.js";
import { findProgram, makeJudge } from "./judge.js";
import { mapInPairs } from "./run.js";

export type GlslOptions = GlslJudgeOptions;

export const glslJudge = makeJudge<GlslOptions>({
  id: "glsl",
  tool: installed.tool,
  missing: () => installed.missing(),
  dependsOn: () => [
    findProgram("glslangValidator")!,
    findProgram("spirv-val")!,
    fileURLToPath(new URL("../../../src/judges/glsl.ts", import.meta.url)),
  ],
  judge: (texts) => mapInPairs(texts, ({ text, options }) => installed.judge(text, options ?? {})),
});
