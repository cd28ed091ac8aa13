import { foldWithDxc, missingForFold } from "../support/oracles/dxc-fold.js";
import { orderProgram, type OrderProgram } from "./order-programs.js";
import { heldThroughTranslations, type TranslatedSource } from "./through-translations.js";
import type { FuzzSuite } from "./suite.js";

function kernel(p: OrderProgram, dialect: "hlsl" | "glsl"): string {
  const stores = p.values.map((v, n) => `o[${n}] = ${v};`).join("\n");
  const [declarations, statements] = [p.declarations[dialect], p.statements[dialect]];
  return dialect === "hlsl"
    ? `RWStructuredBuffer<int> o : register(u0);\n${declarations}[numthreads(1, 1, 1)]\nvoid k() {\n${statements}\n${stores}\n}\n`
    : `#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B { int o[]; };\n${declarations}void main() {\n${statements}\n${stores}\n}\n`;
}

/** What crosslane refuses by name: arguments whose copies another argument of the call changes. */
const refusal = /argument (?:whose place has side effects|that is copied in or out)/;

/** HLSL's programs with what DXC computes for them. */
async function inHlsl(seeds: readonly number[]): Promise<TranslatedSource[]> {
  const programs = seeds.map((seed) => orderProgram(seed));
  const folded = await foldWithDxc(
    programs.map((p) => ({
      declarations: p.declarations.hlsl,
      statements: p.statements.hlsl,
      values: p.values.map((expression) => ({ expression, type: "int" }) as const),
    })),
  );
  return folded.flatMap((f, n): TranslatedSource[] => {
    if (f.kind === "refused" || f.values.some((v) => typeof v !== "bigint")) return [];
    return [
      {
        seed: seeds[n]!,
        dialect: "hlsl",
        text: kernel(programs[n]!, "hlsl"),
        expected: f.values.map((v) => Number(BigInt.asIntN(32, v as bigint))),
      },
    ];
  });
}

export const orderSuite: FuzzSuite = {
  name: "order",
  about:
    "operands whose effects meet: HLSL as DXC computes it, GLSL from left to right, translations and DXC of those to HLSL",
  sample: { seed: 1, cases: 24 },
  missing: missingForFold,
  async run(seed, cases) {
    const seeds = Array.from({ length: cases }, (_, n) => seed + n);
    const glsl = seeds.map((n): TranslatedSource => ({
      seed: n,
      dialect: "glsl",
      text: kernel(orderProgram(n), "glsl"),
      expected: orderProgram(n).inGlsl(),
    }));
    return heldThroughTranslations([...(await inHlsl(seeds)), ...glsl], { source: refusal });
  },
};
