import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { clangComplaints, findProgram, type Judge } from "./judge.js";
import { inScratchFolder, runProgram } from "./run-program.js";

/** Metal's own compiler, which Apple's systems have with Xcode. */
export const mslJudge: Judge<"msl"> = {
  dialect: "msl",
  tool: "xcrun metal",
  missing: () => (findProgram("xcrun") === undefined ? ["xcrun metal"] : []),
  judge: (text, { version = "3.0" }) =>
    inScratchFolder(async (folder) => {
      writeFileSync(join(folder, "kernel.metal"), text);
      const standard = Number(version) >= 3 ? `metal${version}` : `macos-metal${version}`;
      const compiled = await runProgram(
        "xcrun",
        ["-sdk", "macosx", "metal", `-std=${standard}`, "-fsyntax-only", "kernel.metal"],
        folder,
      );
      const log = (compiled.stdout + compiled.stderr).trim();
      return { ok: compiled.status === 0, log, complaints: clangComplaints(log) };
    }),
};
