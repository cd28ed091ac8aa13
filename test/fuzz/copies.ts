import { foldWithDxc, missingForFold } from "../support/oracles/dxc-fold.js";
import { copyProgram } from "./copy-programs.js";
import { heldThroughTranslations, type TranslatedSource } from "./through-translations.js";
import type { FuzzFailure, FuzzSuite } from "./suite.js";

export const copiesSuite: FuzzSuite = {
  name: "copies",
  about:
    "in, out and inout arguments that are structs and arrays the function also names: HLSL as DXC folds it, and its translations, are copied in and out",
  sample: { seed: 1, cases: 12 },
  missing: missingForFold,
  async run(seed, cases) {
    const programs = Array.from({ length: cases }, (_, n) => ({ seed: seed + n, ...copyProgram(seed + n) }));
    const folded = await foldWithDxc(
      programs.map((p) => ({
        declarations: p.declarations,
        statements: p.statements,
        values: p.values.map((expression) => ({ expression, type: "int" }) as const),
      })),
    );
    const failures: FuzzFailure[] = [];
    const sources = programs.map((p, n): TranslatedSource => {
      const stores = p.values.map((v, i) => `o[${i}] = ${v};`).join("\n");
      const text = `RWStructuredBuffer<int> o : register(u0);\n${p.declarations}\n[numthreads(1, 1, 1)]\nvoid k() {\n${p.statements}\n${stores}\n}\n`;
      const fold = folded[n]!;
      const got =
        fold.kind === "folded" ? fold.values.map((v) => (typeof v === "bigint" ? BigInt.asIntN(32, v) : v)) : fold.log;
      if (!p.whole && String(got) !== String(p.expected))
        failures.push({ seed: p.seed, what: `DXC gives ${String(got)}, copies ${String(p.expected)}`, text });
      return { seed: p.seed, dialect: "hlsl", text, expected: p.expected };
    });
    const outcome = await heldThroughTranslations(sources);
    return { cases: outcome.cases, failures: [...failures, ...outcome.failures] };
  },
};
