/** Kernels that a target refuses: many with one reason are said once. */
import { expect, test } from "vitest";
import { translate } from "../../src/index.js";

const kernels = (names: string): string => `#include <metal_stdlib>
using namespace metal;
template <typename T> void body(device T *o, uint i) { if (i < 3) { simdgroup_barrier(mem_flags::mem_none); o[i] = T(1); } }
#define K(n, T) kernel void n(device T *o [[buffer(0)]], uint i [[thread_position_in_grid]]) { body<T>(o, i); }
${names}
kernel void fine(device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) { o[i] = 1; }
`;
const refusals = async (names: string): Promise<{ readonly said: readonly string[]; readonly refused: number }> => {
  const { code, diagnostics, refused } = await translate(kernels(names), {
    from: "msl",
    to: "hlsl",
    workgroupSize: [64],
  });
  expect(code).toContain("void fine(");
  for (const d of diagnostics.filter(({ code }) => code === "XL4011"))
    expect(d.notes[0]?.message).toMatch(/^XL3004 HLSL has no wave barrier/);
  return { said: diagnostics.map((d) => `${d.code} ${d.message}`), refused: refused.length };
};
const reason = "XL3004 HLSL has no wave barrier, and here a workgroup barrier is not reached by all lanes";

test("five with one reason", async () => {
  const { said, refused } = await refusals("K(a, float) K(b, int) K(c, uint) K(d, half) K(e, short)");
  expect(said).toEqual([
    reason,
    "XL4011 kernels 'a', 'b', 'c' and 2 others cannot be translated to hlsl, and are left out",
  ]);
  expect(refused).toBe(5);
});

test("three are named one by one", async () => {
  const { said, refused } = await refusals("K(a, float) K(b, int) K(c, uint)");
  expect(said.filter((s) => s.startsWith("XL4011"))).toEqual(
    ["a", "b", "c"].map((name) => `XL4011 kernel '${name}' cannot be translated to hlsl, and is left out`),
  );
  expect(refused).toBe(3);
});
