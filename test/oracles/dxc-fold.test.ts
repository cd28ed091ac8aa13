import { describe, expect } from "vitest";
import { foldConditions, foldWithDxc, foldWords, missingForFold } from "../support/oracles/dxc-fold.js";
import { toolTest } from "../support/tool-test.js";

/** What DXC means, as the statements of its specification and the language's documents have it, asked of DXC itself. */
function foldTest(name: string, body: () => Promise<void>): void {
  toolTest(missingForFold(), name, body);
}

describe("the folding oracle", () => {
  foldTest("reads literals as 64-bit integers and doubles until a type is forced", async () => {
    const expressions = ["(uint)(0.29 * 100)", "100000 * 100000 / 100000", "-2147483648 < 0 ? 1 : 0"];
    expect(await foldWords({}, expressions)).toEqual([28, 100000, 1]);
    // From 202x on literals are int and float: 0.29f * 100 rounds up to 29, and the product wraps.
    const product = (100000 * 100000) | 0;
    expect(await foldWords({ hlslVersion: "202x" }, expressions.slice(0, 2))).toEqual([
      29,
      Math.trunc(product / 100000),
    ]);
  });

  foldTest("tells what is known from what is not, and from what does not compile", async () => {
    expect(
      await foldConditions([
        { condition: "1 < 2" },
        { condition: "oracle_unknown < 2" },
        { condition: "oracle_unknown < 0" },
        { condition: "no_such_name < 2" },
      ]),
    ).toEqual([true, "undecided", false, { refused: expect.stringContaining("no_such_name") as string }]);
    expect(await foldWords({ statements: "uint never_set;" }, ["never_set"])).toEqual(["undefined"]);
  });

  foldTest("a refused case spoils none beside it", async () => {
    const expressions = Array.from({ length: 100 }, (_, i) => (i % 37 === 5 ? "oops" : `${i} + 1u`));
    const words = await foldWords({}, expressions);
    words.forEach((word, i) => {
      if (i % 37 === 5) expect(word).toHaveProperty("refused");
      else expect(word).toBe(i + 1);
    });
  });

  foldTest("shows the order of evaluation, each case with variables of its own", async () => {
    const declarations = `uint next(inout uint s) { s = s * 10u + 1u; return s; }
uint pair(uint a, uint b) { return a * 1000u + b; }`;
    const statements = "uint s = 0;";
    // Right to left: the second argument takes 1, the first 11.
    expect(
      await foldWithDxc([
        { declarations, statements, values: ["pair(next(s), next(s))", "s"] },
        { declarations, statements, values: ["s", "next(s)", "s"] },
        { declarations: `${declarations} static uint g = 5;`, values: ["next(g)"] },
        { declarations: `${declarations} static uint g = 5;`, values: ["next(g)"] },
        { statements: "uint a[4] = {0, 0, 0, 0}; uint j = 0; a[j++] = j + 5;", values: ["a[0]", "a[1]"] },
      ]),
    ).toEqual([
      { kind: "folded", values: [11001n, 11n] },
      { kind: "folded", values: [0n, 1n, 1n] },
      { kind: "folded", values: [51n] },
      { kind: "folded", values: [51n] },
      { kind: "folded", values: [5n, 0n] },
    ]);
  });

  foldTest("shows the overload that is chosen", async () => {
    const declarations = "uint which(float2 v) { return 2; } uint which(float3 v) { return 3; }";
    const [two, three] = await foldWords({ declarations }, ["which(float2(1, 2))", "which(float3(1, 2, 3))"]);
    expect([two, three]).toEqual([2, 3]);
  });

  foldTest("gives values of every type, and below a profile's newer stores", async () => {
    const values = [
      { expression: "0.5f + 1", type: "float" },
      { expression: "-1", type: "int" },
      { expression: "(uint64_t)1 << 40", type: "uint64_t" },
      { expression: "-2", type: "int64_t" },
      { expression: "0.1", type: "double" },
      { expression: "3.0 > 2", type: "bool" },
    ] as const;
    const tenth = new BigUint64Array(Float64Array.of(0.1).buffer)[0]!;
    const folded = {
      kind: "folded",
      values: [0x3fc00000n, 0xffffffffn, 1n << 40n, 2n ** 64n - 2n, tenth, 1n],
    };
    expect(await foldWithDxc([{ values }, { values, profile: "cs_6_0" }])).toEqual([folded, folded]);
  });
});
