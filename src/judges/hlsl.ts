import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultHlslVersion } from "../dialects/language.js";
import { namesNarrowTypes } from "../dialects/words.js";
import { clangComplaints, findProgram, type Complaint, type Judge } from "./judge.js";
import { inScratchFolder, runProgram } from "./run-program.js";

/** Names of the functions that carry `[numthreads(...)]`, in any case, whatever other attributes stand around it. */
export function hlslEntries(text: string): string[] {
  const plain = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ");
  const attribute = /\[\s*numthreads\s*\([^)]*\)\s*\]\s*(?:\[[^\]]*\]\s*)*[A-Za-z_]\w*\s+([A-Za-z_]\w*)\s*\(/gi;
  return [...plain.matchAll(attribute)].map((match) => match[1]!);
}

export const hlslJudge: Judge<"hlsl"> = {
  dialect: "hlsl",
  tool: "dxc",
  missing: () => (findProgram("dxc") === undefined ? ["dxc"] : []),
  judge: (
    text,
    { entry, profile = "cs_6_6", native16Bit = namesNarrowTypes(text), hlslVersion = defaultHlslVersion },
  ) =>
    inScratchFolder(async (folder) => {
      writeFileSync(join(folder, "kernel.hlsl"), text);
      const entries = entry === undefined ? hlslEntries(text) : [entry];
      if (entries.length === 0) return { ok: false, log: "no function has [numthreads]", complaints: [] };
      const logs: string[] = [];
      const complaints: Complaint[] = [];
      let ok = true;
      for (const name of entries) {
        const args = [
          "-T",
          profile,
          "-E",
          name,
          "-HV",
          hlslVersion,
          ...(native16Bit ? ["-enable-16bit-types"] : []),
          "-Fo",
          "kernel.dxil",
          "kernel.hlsl",
        ];
        const compiled = await runProgram("dxc", args, folder);
        const log = (compiled.stdout + compiled.stderr).trim();
        ok &&= compiled.status === 0;
        if (log !== "") logs.push(log);
        complaints.push(...clangComplaints(log));
      }
      return { ok, log: logs.join("\n"), complaints };
    }),
};
