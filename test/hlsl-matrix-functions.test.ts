/** HLSL's functions of matrices, column by column: results by hand, through every dialect and its compiler. */
import { expect, test } from "vitest";
import { simulate, verify } from "../src/index.js";
import { floats, main, shapesCompute, type Shape } from "./support/hlsl-shapes.js";

const o = floats(() => -1);
const out = "RWStructuredBuffer<float> o : register(u0);\n";
/** Each element counts by another factor: which one is where shows. */
const weigh =
  "float weigh(float2x3 m) { return dot(m[0], float3(1, 10, 100)) + dot(m[1], float3(1000, 10000, 100000)); }\n";
const weighed = (m: readonly number[]): number => m.reduce((s, v, k) => s + v * 10 ** k, 0);

const shapes: readonly Shape[] = [
  {
    name: "functions that write",
    text: `${out}${weigh}${main} { float2x3 m = { 1.5, -2.25, 3, i + 0.5, 0, -0.5 }; float2x3 whole, power; float2x3 part = modf(m, whole);
  float2x3 fraction = frexp(float2x3(8, 1, 0.5, 2, 4, 3), power); o[i] = weigh(part) * 16 + weigh(whole) + weigh(fraction) + weigh(power); }`,
    args: { o },
    o: (i) =>
      weighed([0.5, -0.25, 0, 0.5, 0, -0.5]) * 16 +
      weighed([1, -2, 3, i, 0, 0]) +
      // 8 is 0.5 * 2^4, 3 is 0.75 * 2^2.
      weighed([0.5, 0.5, 0.5, 0.5, 0.5, 0.75]) +
      weighed([4, 1, 0, 2, 3, 2]),
  },
  {
    name: "tests and choices",
    text: `${out}${weigh}${main} { float2x3 m = { 1, 0, i, 4, 0, 6 }; float2x3 q = m / m; bool2x3 bad = isnan(q);
  float2x3 s = select(bad, m + 1, -m); bool2x3 fine = isfinite(1 / m); o[i] = weigh(s) + 2 * weigh((float2x3)fine); }`,
    args: { o },
    o: (i) => weighed([-1, 1, i === 0 ? 1 : -i, -4, 1, -6]) + 2 * weighed([1, 0, i === 0 ? 0 : 1, 1, 0, 1]),
  },
  {
    name: "and and or",
    text: `${out}${weigh}${main} { bool2x3 m = { true, i > 2, false, true, false, i > 4 };
  bool2x3 both = and(float2x3(1, 0, 2, i, 3, 4), m), any = or(m, i == 1), all = and(i > 3, m); o[i] = weigh((float2x3)both) + 2 * weigh((float2x3)any) + 4 * weigh((float2x3)all); }`,
    args: { o },
    o: (i) => {
      const m = [true, i > 2, false, true, false, i > 4];
      const both = [1, 0, 2, i, 3, 4].map((v, k) => Number(v !== 0 && m[k]!));
      return (
        weighed(both) + 2 * weighed(m.map((v) => Number(v || i === 1))) + 4 * weighed(m.map((v) => Number(v && i > 3)))
      );
    },
  },
  {
    name: "bits of halves",
    // 1 is 0x3c00, 2 is 0x4000.
    text: `${out}${main} { uint2x2 h = f32tof16(float2x2(1, 2, i, 4)); float2x2 f = f16tof32(h); o[i] = h._m00 + h._m01 + f._m10 * 8 + f._m11; }`,
    args: { o },
    o: (i) => 0x3c00 + 0x4000 + 8 * i + 4,
  },
  {
    name: "lanes",
    text: `${out}${weigh}${main} { float2x3 m = { i, 1, 0, i & 1, 2, l }; uint lane = WaveGetLaneIndex();
  float2x3 first = WaveReadLaneFirst(m), at = WaveReadLaneAt(m, 1); uint4 same = WaveMatch(float2x2(i & 1, 0, i & 2, 1));
  float2x3 turned = QuadReadAcrossX(m); float2x2 sum = WaveActiveSum(float2x2(1, 2, 3, 4)); uint n = WaveActiveCountBits(true);
  float2x3 before = WaveMultiPrefixSum(float2x3(1, 2, 3, 4, 5, 6), WaveActiveBallot(true));
  float firsts = i - lane;
  o[i] = weigh(turned) + (first._m00 == firsts) + (at._m00 == firsts + 1) + countbits(same.x) * 4.0 / n + sum._m11 / n
    + (weigh(before) == lane * 654321); }`,
    args: { o },
    o: (i) => {
      const j = i ^ 1;
      // Each fourth lane has the same two bits, and each has as many lanes before it as its number says.
      return weighed([j, 1, 0, j & 1, 2, j]) + 1 + 1 + 1 + 4 + 1;
    },
  },
];

shapesCompute(shapes);

/** DXC's disassembly: RawBufferLoad of 6 halves in the order of rows, RawBufferStore in that of columns. */
test("a matrix of halves is loaded by rows and stored by columns", async () => {
  const text = `RWByteAddressBuffer b;
[numthreads(1, 1, 1)] void main() { b.Store<float16_t2x3>(2, b.Load<float16_t2x3>(14)); }`;
  const b = new Uint16Array(14);
  b.set([1, 2, 3, 4, 5, 6], 7);
  const run = await simulate(text, { from: "hlsl", workgroups: [1], subgroupSize: 4, args: { b } });
  expect(run.diagnostics).toEqual([]);
  expect([...(run.buffers.b as Uint16Array)]).toEqual([0, 1, 4, 2, 5, 3, 6, 1, 2, 3, 4, 5, 6, 0]);
});

test("words of vectors and matrices of doubles", async () => {
  const text = `RWStructuredBuffer<uint> o;
[numthreads(1, 1, 1)] void main() { double2 d = asdouble(uint2(1, 2), uint2(3, 4)); uint2 low, high; asuint(d, low, high);
  double2x2 m = asdouble(uint2x2(5, 6, 7, 8), uint2x2(9, 10, 11, 12)); uint2x2 l, h; asuint(m, l, h);
  uint all[12] = { low.x, low.y, high.x, high.y, l._m00, l._m01, l._m10, l._m11, h._m00, h._m01, h._m10, h._m11 };
  for (uint k = 0; k < 12; k++) o[k] = all[k]; }`;
  const o = (): Uint32Array => new Uint32Array(12);
  const run = await simulate(text, { from: "hlsl", workgroups: [1], subgroupSize: 4, args: { o: o() } });
  expect(run.diagnostics).toEqual([]);
  expect([...(run.buffers.o as Uint32Array)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  for (const to of ["glsl", "opencl", "ts"] as const) {
    const { result } = await verify(text, { from: "hlsl", to, subgroupSizes: [4] });
    expect(result).toMatch(/^equivalent/);
  }
});
