import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultHlslVersion } from "../dialects/language.js";
import { namesNarrowTypes } from "../dialects/words.js";
import { clangComplaints, findProgram, type Judge } from "./judge.js";
import { inScratchFolder, runProgram } from "./run-program.js";

/** Names of the functions that carry `[numthreads(...)]` and return nothing, in any case, whatever other attributes stand around it. */
export function hlslEntries(text: string): string[] {
  const plain = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ");
  const attribute = /\[\s*numthreads\s*\([^)]*\)\s*\]\s*(?:\[[^\]]*\]\s*)*void\s+([A-Za-z_]\w*)\s*\(/gi;
  return [...plain.matchAll(attribute)].map((match) => match[1]!);
}

export interface DxcRun {
  readonly profile: string;
  readonly entry: string;
  readonly args: readonly string[];
}

/** DXC by some way: what it says of the file `kernel.hlsl` in a folder, run by run. */
export interface Dxc {
  readonly tool: string;
  readonly missing: () => readonly string[];
  readonly compile: (
    folder: string,
    runs: readonly DxcRun[],
  ) => Promise<readonly { readonly ok: boolean; readonly log: string }[]>;
}

export const hlslJudgeBy = ({ tool, missing, compile }: Dxc): Judge<"hlsl"> => ({
  dialect: "hlsl",
  tool,
  missing,
  judge: (
    text,
    { entry, profile = "cs_6_6", native16Bit = namesNarrowTypes(text), hlslVersion = defaultHlslVersion },
  ) =>
    inScratchFolder(async (folder) => {
      writeFileSync(join(folder, "kernel.hlsl"), text);
      const entries = entry === undefined ? hlslEntries(text) : [entry];
      if (entries.length === 0) return { ok: false, log: "no function has [numthreads]", complaints: [] };
      const args = ["-HV", hlslVersion, ...(native16Bit ? ["-enable-16bit-types"] : [])];
      const said = await compile(
        folder,
        entries.map((name) => ({ profile, entry: name, args })),
      );
      return {
        ok: said.every(({ ok }) => ok),
        log: said
          .map(({ log }) => log)
          .filter((log) => log !== "")
          .join("\n"),
        complaints: said.flatMap(({ log }) => clangComplaints(log)),
      };
    }),
});

/** The program `dxc`. */
export const hlslJudge = hlslJudgeBy({
  tool: "dxc",
  missing: () => (findProgram("dxc") === undefined ? ["dxc"] : []),
  async compile(folder, runs) {
    const said: { ok: boolean; log: string }[] = [];
    for (const { profile, entry, args } of runs) {
      const all = ["-T", profile, "-E", entry, ...args, "-Fo", "kernel.dxil", "kernel.hlsl"];
      const { status, stdout, stderr } = await runProgram("dxc", all, folder);
      said.push({ ok: status === 0, log: (stdout + stderr).trim() });
    }
    return said;
  },
});
