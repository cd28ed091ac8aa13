/**
 * DXC folds as if signed integers did not overflow, which GLSL says they do by wrapping: what is true of all numbers but the last ones
 * is true to DXC. In a translation it may not be.
 */
import { expect } from "vitest";
import { translate } from "../../src/index.js";
import { foldWithDxc, missingForFold } from "../support/oracles/dxc-fold.js";
import { toolTest } from "../support/tool-test.js";

// None is the same for all x in 32 bits: see x = 2^31 - 1, -2^31 and 2^30.
const predicates = [
  "x + 1 > x",
  "x - 1 < x",
  "x + 7 < x",
  "x * 2 / 2 == x",
  "(x & 1) + 2147483647 > 0",
  "x * 6 / 3 == x * 2",
];

toolTest(missingForFold(), "DXC decides what hangs on overflow, and none of it in translations", async () => {
  const plain = predicates.map((p) => ({
    statements: "int x = (int)oracle_unknown;",
    values: [{ expression: p, type: "bool" as const }],
  }));
  const translated = await Promise.all(
    predicates.map(async (p, at) => {
      const { code } = await translate(
        `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer B { uint o[]; };
bool asked${at}(int x) { return ${p}; }
void main() { o[0] = asked${at}(int(o[1])) ? 1u : 0u; }
`,
        { from: "glsl", to: "hlsl" },
      );
      const declarations = /bool asked[\s\S]*?\n}\n/.exec(code!)![0];
      return { declarations, values: [{ expression: `asked${at}((int)oracle_unknown)`, type: "bool" as const }] };
    }),
  );
  const decided = (await foldWithDxc(plain)).map((r) => (r.kind === "folded" ? r.values[0] : r.log));
  expect(decided.filter((v) => v === 0n || v === 1n).length, String(decided)).toBeGreaterThan(4);
  for (const [at, result] of (await foldWithDxc(translated)).entries())
    expect(result, `${predicates[at]!}\n${translated[at]!.declarations}`).toEqual({
      kind: "folded",
      values: ["undecided"],
    });
});
