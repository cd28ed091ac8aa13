import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { askDxc, dxcDependsOn, missingForDxc } from "./dxc.js";
import type { DxcRequest } from "./dxc.js";
import { makeJudge } from "./judge.js";
import { withScratch } from "./run.js";

export interface HlslOptions {
  /** Entry point; without it every function that has `[numthreads]` is compiled. */
  readonly entry?: string;
  /** The default is that of the default profile. */
  readonly profile?: `cs_6_${number}`;
  /** 16-bit types of their true width (`-enable-16bit-types`); needs `cs_6_2`. */
  readonly native16Bit?: boolean;
}

export const hlslJudge = makeJudge<HlslOptions>({
  id: "hlsl",
  tool: "DXC under wine",
  missing: missingForDxc,
  dependsOn: () => [...dxcDependsOn(), fileURLToPath(import.meta.url)],
  judge: (texts) =>
    withScratch(async (folder) => {
      const requests: (DxcRequest & { readonly text: number })[] = [];
      texts.forEach(({ text, options }, index) => {
        const path = join(folder, `${index}.hlsl`);
        writeFileSync(path, text);
        const entries = options?.entry === undefined ? hlslEntries(text) : [options.entry];
        for (const entry of entries) {
          requests.push({
            text: index,
            entry,
            path,
            profile: options?.profile ?? "cs_6_6",
            args: options?.native16Bit === true ? ["-enable-16bit-types"] : [],
          });
        }
      });
      const answers = await askDxc(requests);
      return texts.map((_, index) => {
        const mine = requests.flatMap((request, i) =>
          request.text === index ? [{ ...request, answer: answers[i]! }] : [],
        );
        if (mine.length === 0) return { ok: false, log: "no function has [numthreads]" };
        const bad = mine.filter(({ answer }) => answer !== "ok");
        return {
          ok: bad.length === 0,
          log: bad.map(({ entry, answer }) => `${entry}: ${answer}`).join("\n"),
        };
      });
    }),
});

/** Names of the functions that carry `[numthreads(...)]`, in any case, whatever other attributes stand around it. */
export function hlslEntries(text: string): string[] {
  const plain = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ");
  const attribute =
    /\[\s*numthreads\s*\([^)]*\)\s*\]\s*(?:\[[^\]]*\]\s*)*[A-Za-z_]\w*\s+([A-Za-z_]\w*)\s*\(/gi;
  return [...plain.matchAll(attribute)].map((match) => match[1]!);
}
