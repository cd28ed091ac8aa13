/**
 * DXC shifts by a count modulo the width where it computes, and not where it folds a scalar constant: clang's folding stops at the last
 * bit, and takes a negative count for a shift the other way.
 */
import { expect, test } from "vitest";
import { translate } from "../../src/index.js";
import { foldWithDxc, missingForFold } from "../support/oracles/dxc-fold.js";
import { toolTest } from "../support/tool-test.js";

toolTest(
  missingForFold(),
  "DXC folds counts beyond the width in constants otherwise than it computes them",
  async () => {
    const [folded] = await foldWithDxc([
      {
        statements: `const int n = 36; const int m = 1 << n; int y = 1 << n; const int k = 8 << -1; int l = 8 << -1;
        int q = (1 << n) == 16 ? 7 : 8;`,
        values: ["m", "y", "k", "q"].map((expression) => ({ expression, type: "uint" as const })),
      },
    ]);
    expect(folded).toEqual({ kind: "folded", values: [1n << 31n, 16n, 4n, 8n] });
  },
);

const opencl = `constant int wide = 36;
kernel void k(global int *o) {
  const int n = 36;
  const int m = 1 << n;
  const uint u = 1u << (n + 1);
  const int z = 3 << wide;
  const int s = -32 >> n;
  o[0] = m; o[1] = u; o[2] = z; o[3] = s;
}
`;

// OpenCL C 6.3: counts are taken modulo the width, so by 4, 5, 4 and 4.
const values = [16n, 32n, 48n, BigInt.asUintN(32, -2n)];

toolTest(missingForFold(), "to HLSL such constants are the numbers that they are in the source", async () => {
  const { code } = await translate(opencl, { from: "opencl", to: "hlsl", workgroupSize: [1] });
  const declarations = /static const int wide.*\n/.exec(code!)![0];
  const statements = code!
    .split("\n")
    .filter((l) => /^ {2}const/.test(l))
    .join("\n");
  const asked = ["m", "u", "z", "s"].map((expression) => ({ expression, type: "uint" as const }));
  expect(await foldWithDxc([{ declarations, statements, values: asked }])).toEqual([{ kind: "folded", values }]);
});

const hlsl = (statements: string): string => `RWStructuredBuffer<int> o : register(u0);
static const uint bits = 32;
template <uint B> uint low() { return B == 32 ? 0xffffffffu : (1u << B) - 1; }
[numthreads(1, 1, 1)] void main() { const int n = 36; ${statements} }
`;

const codes = async (text: string): Promise<string[]> =>
  (await translate(text, { from: "hlsl", to: "opencl" })).diagnostics
    .filter((d) => d.severity === "error")
    .map((d) => d.code);

test.each([
  "const int m = 1 << n; o[0] = m;",
  "static const int m = -1 >> n; o[0] = m;",
  "o[0] = (1 << n) == 16 ? 7 : 8;",
  "if ((1 << n) == 16) o[0] = 1;",
])("from HLSL %s is refused", async (statements) => {
  expect(await codes(hlsl(statements))).toEqual(["XL1900"]);
});

test.each([
  "switch (o[1]) { case 1 << n: o[0] = 1; break; default: o[0] = 2; }",
  "enum { A = 1 << n }; o[0] = A;",
  "int a[1 << (n - 4)]; a[0] = 1; o[0] = a[0];",
  "o[0] = low<(1 << n)>();",
])("from HLSL %s is refused, too, as no constant", async (statements) => {
  expect(await codes(hlsl(statements))).not.toEqual([]);
});

test.each([
  "int y = 1 << n; o[0] = y;",
  "const int m = o[1] << n; o[0] = m;",
  "const uint m = bits == 32 ? ~0u : (1u << bits) - 1u; o[0] = m;",
  "o[0] = low<32>();",
  "const int m = 1 << (n - 5); o[0] = m;",
])("from HLSL %s is taken", async (statements) => {
  expect(await codes(hlsl(statements))).toEqual([]);
});
