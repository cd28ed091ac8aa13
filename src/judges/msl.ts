import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { clangComplaints, findProgram, type Judge } from "./judge.js";
import { inScratchFolder, runProgram } from "./run-program.js";

/** A compiler of MSL: what it says of the file `kernel.metal` in a folder. */
export interface MslCompiler {
  readonly tool: string;
  readonly missing: () => readonly string[];
  readonly compile: (
    folder: string,
    version: string,
    text: string,
  ) => Promise<{ readonly ok: boolean; readonly log: string }>;
}

export const mslJudgeBy = ({ tool, missing, compile }: MslCompiler): Judge<"msl"> => ({
  dialect: "msl",
  tool,
  missing,
  judge: (text, { version = "3.0" }) =>
    inScratchFolder(async (folder) => {
      writeFileSync(join(folder, "kernel.metal"), text);
      const { ok, log } = await compile(folder, version, text);
      return { ok, log, complaints: clangComplaints(log) };
    }),
});

/** Metal's own compiler, which Apple's systems have with Xcode. */
export const mslJudge = mslJudgeBy({
  tool: "xcrun metal",
  missing: () => (findProgram("xcrun") === undefined ? ["xcrun metal"] : []),
  async compile(folder, version) {
    const standard = Number(version) >= 3 ? `metal${version}` : `macos-metal${version}`;
    const args = ["-sdk", "macosx", "metal", `-std=${standard}`, "-fsyntax-only", "kernel.metal"];
    const { status, stdout, stderr } = await runProgram("xcrun", args, folder);
    return { ok: status === 0, log: (stdout + stderr).trim() };
  },
});
