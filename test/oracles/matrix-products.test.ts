/** `mul` of vectors and matrices whose inner sizes differ: DXC takes of the larger one as much as meets the other. */
import { expect } from "vitest";
import { simulate } from "../../src/index.js";
import { foldWithDxc, missingForFold, type FoldCase } from "../support/oracles/dxc-fold.js";
import { toolTest } from "../support/tool-test.js";

const sizes = [2, 3, 4];
const list = (n: number, f: (i: number) => number): string => Array.from({ length: n }, (_, i) => f(i)).join(", ");
const vector = (n: number): string => `int${n} v = { ${list(n, (i) => 10 ** i)} };`;
const matrix = (name: string, rows: number, columns: number): string =>
  `int${rows}x${columns} ${name} = { ${list(rows * columns, (i) => Math.floor(i / columns) * 4 + (i % columns) + 1)} };`;

const cases: FoldCase[] = sizes.flatMap((rows) =>
  sizes.flatMap((columns) =>
    sizes.flatMap((n): FoldCase[] => [
      { statements: `${vector(n)} ${matrix("a", rows, columns)}`, values: ["(uint)dot(mul(v, a), 1)"] },
      { statements: `${vector(n)} ${matrix("a", rows, columns)}`, values: ["(uint)dot(mul(a, v), 1)"] },
      {
        statements: `${matrix("a", rows, columns)} ${matrix("b", n, 2)}`,
        values: ["(uint)mul(a, b)[0][0]", "(uint)mul(a, b)[1][1]"],
      },
    ]),
  ),
);

toolTest(missingForFold(), "mul takes the sizes that DXC takes, and gives what it gives", async () => {
  const folded = await foldWithDxc(cases);
  for (const [i, { statements, values }] of cases.entries()) {
    const fold = folded[i]!;
    const stores = values.map((v, at) => `o[${at}] = ${v};`).join(" ");
    const text = `RWStructuredBuffer<uint> o : register(u0);\n[numthreads(1, 1, 1)] void k() { ${statements!} ${stores} }\n`;
    const o = new Uint32Array(values.length);
    const { buffers, diagnostics } = await simulate(text, { from: "hlsl", workgroups: [1], args: { o } });
    expect(
      diagnostics.filter((d) => d.severity === "error").map((d) => d.message),
      text,
    ).toEqual([]);
    expect(fold, text).toEqual({ kind: "folded", values: [...(buffers["o"] as Uint32Array)].map(BigInt) });
  }
});
