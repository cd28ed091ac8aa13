/** Operators on what is used atomically elsewhere, at places that are found by something that happens: it happens once. */
import { expect, test } from "vitest";
import { simulate, translate, type SourceDialect } from "../src/index.js";

const all: readonly SourceDialect[] = ["msl", "glsl", "opencl", "hlsl"];

const sources: readonly { readonly from: SourceDialect; readonly text: string }[] = [
  {
    from: "opencl",
    text: `void down(volatile global uint *p, int *at) { p[(*at)++] -= 3; }
kernel void k(volatile global uint *a, global uint *o) {
  local uint c[4]; for (int j = 0; j < 4; c[j++] += 2) c[j] = j;
  int n = 0; a[n++] += 5; a[n++]++; down(a, &n); n = (n == 3) ? 7 : 0; while (n > 5) c[n-- & 3] |= 8;
  atomic_inc(a + 3); atomic_inc(c);
  o[0] = n; for (int j = 0; j < 4; j++) { o[1 + j] = a[j]; o[5 + j] = c[j]; }
}`,
  },
  {
    from: "hlsl",
    text: `RWStructuredBuffer<uint> a : register(u0); RWStructuredBuffer<uint> o : register(u1); groupshared uint c[4];
[numthreads(1, 1, 1)] void k() {
  for (uint j = 0; j < 4; j++) { c[j] = j; c[j] += 2; }
  uint n = 0; a[n++] += 5; a[n++]++; a[n++] -= 3; n = n == 3 ? 7 : 0; while (n > 5) c[n-- & 3] |= 8;
  InterlockedAdd(a[3], 1); InterlockedAdd(c[0], 1);
  o[0] = n; for (uint i = 0; i < 4; i++) { o[1 + i] = a[i]; o[5 + i] = c[i]; }
}`,
  },
];

test.each(sources)("what finds the place is done once, from $from", async ({ from, text }) => {
  const run = async (code: string, dialect: SourceDialect): Promise<number[]> => {
    const { buffers, findings } = await simulate(code, {
      from: dialect,
      workgroups: [1],
      workgroupSize: [1],
      args: { a: Uint32Array.of(10, 20, 30, 40), o: new Uint32Array(9) },
    });
    expect(findings, code).toEqual([]);
    return [...(buffers["o"] as Uint32Array)];
  };
  // c is 2, 3, 4 | 8 and 5 | 8, for n of 7 and 6; then one more in c[0].
  const wanted = [5, 15, 21, 27, 41, 3, 3, 12, 13];
  expect(await run(text, from)).toEqual(wanted);
  for (const to of all) {
    const { code } = await translate(text, { from, to, workgroupSize: [1, 1, 1] });
    expect(await run(code!, to), code!).toEqual(wanted);
  }
});
