import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultHlslVersion } from "../../../src/dialects/language.js";
import { hlslEntries } from "../../../src/judges/hlsl.js";
import type { HlslJudgeOptions } from "../../../src/judges/judge.js";
import { askDxc, dxcDependsOn, missingForDxc } from "./dxc.js";
import type { DxcRequest } from "./dxc.js";
import { makeJudge } from "./judge.js";
import { withScratch } from "./run.js";

export type HlslOptions = HlslJudgeOptions;

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
            args: [
              "-HV",
              options?.hlslVersion ?? defaultHlslVersion,
              ...(options?.native16Bit === true ? ["-enable-16bit-types"] : []),
            ],
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
