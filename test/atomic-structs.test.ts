/** Structs with members that are used atomically, copied as a whole: MSL copies none that holds atomics. */
import { expect, test } from "vitest";
import { translate } from "../src/index.js";
import { floats, main, shapesCompute, type Shape } from "./support/hlsl-shapes.js";

const o = floats(() => -1);

const shapes: readonly Shape[] = [
  {
    name: "in memory of the workgroup and buffers",
    text: `struct Bin { uint n; int low; float2 w; }; RWStructuredBuffer<Bin> t; groupshared Bin g[8]; RWStructuredBuffer<float> o;
Bin make(uint k) { Bin b; b.n = 0; b.low = 100; b.w = float2(k, k * k); return b; }
void swap(inout Bin a, inout Bin b) { Bin x = a; a = b; b = x; }
${main} {
  g[l] = make(i); GroupMemoryBarrierWithGroupSync();
  InterlockedAdd(g[l & 3].n, l + 1); InterlockedMin(g[l ^ 1].low, (int)l); GroupMemoryBarrierWithGroupSync();
  Bin a = g[7 - l], b = g[l]; swap(a, b); Bin c = a; if (l & 1) c = b; uint before; InterlockedExchange(t[i].n, c.n, before);
  c.n += before; t[i] = c; t[i].w.x += g[l].w.y; o[i] = c.n + c.low * 100 + t[i].w.x * 1000 + make(3).w.y;
}`,
    args: { t: Uint32Array.from({ length: 40 }, () => 7), o },
    o: (i) => {
      // Lane k and k + 4 add to bin k; the least index that meets bin k is k ^ 1. Odd lanes take the bin from the other end.
      const from = i & 1 ? 7 - i : i;
      const n = from < 4 ? from + 1 + (from + 5) : 0;
      return n + 7 + 100 * (from ^ 1) + 1000 * (from + i * i) + 9;
    },
  },
  {
    name: "with arrays and structs in them",
    text: `struct Cell { int n; int v[3]; }; struct Row { Cell c[2]; float w; }; RWStructuredBuffer<Row> rows; groupshared Row g[8]; RWStructuredBuffer<float> o;
Cell twice(Cell c) { c.n *= 2; c.v[1] = c.n; return c; }
${main} {
  Row r = rows[i]; r.c[1] = twice(r.c[0]); g[l] = r; GroupMemoryBarrierWithGroupSync();
  InterlockedAdd(g[l].c[1].n, 5); GroupMemoryBarrierWithGroupSync();
  Cell mine = g[l].c[1]; rows[i].c[0] = mine; g[l] = rows[i]; o[i] = mine.n + mine.v[1] * 10 + mine.v[2] * 100 + g[l].c[0].n * 1000 + g[l].w;
}`,
    args: { rows: Uint32Array.from({ length: 72 }, (_, k) => (k % 9 === 8 ? 0x40000000 : k % 9)), o },
    // Of each row c[0] is { 0, { 1, 2, 3 } }.
    o: () => 5 + 0 + 300 + 5000 + 2,
  },
];

shapesCompute(shapes);

test("locals and functions keep the struct of the source", async () => {
  const { code } = await translate(shapes[0]!.text, { from: "hlsl", to: "msl" });
  expect(code).toContain("Bin make(uint k)");
  expect(code).toContain("threadgroup Bin_atomic g[8]");
});

test("without a copy there is one struct", async () => {
  const text = `struct Bin { uint n; }; RWStructuredBuffer<Bin> t; RWStructuredBuffer<float> o; ${main} { InterlockedAdd(t[i].n, 1); o[i] = t[i].n; }`;
  const { code } = await translate(text, { from: "hlsl", to: "msl" });
  expect(code).not.toContain("_atomic {");
});
