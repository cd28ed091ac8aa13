/**
 * HLSL's buffers as values, in arrays and in structs, blocks of values, and memory of the workgroup as an argument: results by
 * hand at several widths, through every dialect and its compiler.
 */
import { expect, test } from "vitest";
import { simulate, translate } from "../src/index.js";
import { floats, lanes, main, shapesCompute, type Shape } from "./support/hlsl-shapes.js";
import { hlslJudge } from "./support/judges/hlsl.js";
import { judgeTest } from "./support/tool-test.js";

/** a[i] = i, c[i] = 10 i. */
const two = "StructuredBuffer<float> a; StructuredBuffer<float> c; RWStructuredBuffer<float> o;\n";
const ac = { a: floats((i) => i), c: floats((i) => 10 * i), o: floats(() => -1) };

const shapes: readonly Shape[] = [
  {
    name: "parameters, locals and results",
    text: `${two}float twice(StructuredBuffer<float> b, uint i) { return b[i] * 2; }
void put(RWStructuredBuffer<float> b, uint i, float v) { b[i] = v; b[i] += 1; }
StructuredBuffer<float> pick() { return c; }
${main} { StructuredBuffer<float> b = a; RWStructuredBuffer<float> w; w = o; put(w, i, twice(b, i) + pick()[7 - i] + twice(c, i)); }`,
    args: ac,
    o: (i) => 2 * i + 10 * (7 - i) + 20 * i + 1,
  },
  {
    name: "chosen by a constant",
    text: `${two}static const bool second = true;
${main} { StructuredBuffer<float> b = second ? c : a; o[i] = b[i]; }`,
    args: ac,
    o: (i) => 10 * i,
  },
  {
    name: "members of structs, with methods, lists and functions that return them",
    text: `${two}struct View { StructuredBuffer<float> b; uint first; float at(uint i) { return b[first + i]; } };
struct Pair { View x; RWStructuredBuffer<float> y; };
View made(uint n) { View v = { c, n }; return v; }
void run(Pair p, uint i) { p.y[i] = p.x.at(i); }
${main} { Pair p; p.x.b = a; p.x.first = 0; p.y = o; run(p, i); View v = made(i); View u = v; o[i] += u.at(0); }`,
    args: ac,
    o: (i) => 11 * i,
  },
  {
    name: "arrays, by constant and by computed index, and how long they are",
    text: `StructuredBuffer<float> a[3] : register(t2); RWStructuredBuffer<float> o;
float last(StructuredBuffer<float> b) { uint n, stride; b.GetDimensions(n, stride); return b[n - 1] + stride; }
${main} { StructuredBuffer<float> b = a[1]; StructuredBuffer<float> d = a[i % 3]; o[i] = b[i] + a[NonUniformResourceIndex(i % 3)][0] + d[1] + last(a[2]); }`,
    // a[k][i] = 100 k + i; the last has 4 elements.
    args: {
      "a[0]": floats((i) => i),
      "a[1]": floats((i) => 100 + i),
      "a[2]": Float32Array.from([200, 201, 202, 203]),
      o: floats(() => -1),
    },
    o: (i) => 100 + i + 100 * (i % 3) + (100 * (i % 3) + 1) + 203 + 4,
  },
  {
    name: "local arrays",
    text: `${two}${main} { StructuredBuffer<float> b[2]; b[0] = c; b[1] = a; o[i] = b[1][i] + b[0][1]; }`,
    args: ac,
    o: (i) => i + 10,
  },
  {
    name: "byte addresses",
    text: `ByteAddressBuffer r; RWByteAddressBuffer w[2]; RWStructuredBuffer<float> o;
uint get(ByteAddressBuffer b, uint i) { return b.Load(4 * i); }
void add(RWByteAddressBuffer b, uint at, uint v) { b.InterlockedAdd(at, v); }
${main} { add(w[1], 4 * i, get(r, i)); RWByteAddressBuffer q = w[1]; o[i] = q.Load(4 * i) + w[0].Load(0); }`,
    args: {
      r: Uint32Array.from(lanes, (i) => i * i),
      "w[0]": Uint32Array.of(5),
      "w[1]": Uint32Array.from(lanes, (i) => 1000 * i),
      o: floats(() => -1),
    },
    o: (i) => 1000 * i + i * i + 5,
  },
  {
    name: "typed buffers, templates, other names of a buffer and of its type",
    text: `Buffer<float4> t; StructuredBuffer<float> a; RWStructuredBuffer<float> o;
typedef StructuredBuffer<float> Floats; static Floats also = a;
template <typename B> float first(B b, uint i) { return b[i]; }
float y(Buffer<float4> b, int i) { return b[i].y + b.Load(i).z; }
float kind(StructuredBuffer<float> b) { return 1; } float kind(RWStructuredBuffer<float> b) { return 2; }
${main} { o[i] = 0; o[i] = first(also, i) + first(o, i) + y(t, i) + kind(o) * 10 + kind(a); }`.replace(
      "static Floats also",
      "static StructuredBuffer<float> also",
    ),
    args: {
      t: Float32Array.from({ length: 32 }, (_, k) => (k % 4) * 100 + (k >> 2)),
      a: ac.a,
      o: ac.o,
    },
    o: (i) => i + 0 + (100 + i) + (200 + i) + 21,
  },
  {
    name: "constant buffers as values and in arrays",
    text: `struct C { float4 v; uint n; float w[2]; }; ConstantBuffer<C> one; ConstantBuffer<C> many[2]; RWStructuredBuffer<float> o;
float sum(C c) { return c.v.y + c.n + c.w[1]; }
${main} { C c = one; o[i] = c.v.x + sum(one) + many[1].v.z + many[i & 1].n + sum(many[0]); }`,
    args: {
      "one.v": [1, 2, 3, 4],
      "one.n": 5,
      "one.w": [6, 7],
      "many[0].v": [10, 20, 30, 40],
      "many[0].n": 50,
      "many[0].w": [60, 70],
      "many[1].v": [100, 200, 300, 400],
      "many[1].n": 500,
      "many[1].w": [600, 700],
      o: ac.o,
    },
    o: (i) => 1 + (2 + 5 + 7) + 300 + (i & 1 ? 500 : 50) + (20 + 50 + 70),
  },
  {
    name: "rows and elements of matrices that a function writes, and sizes",
    text: `struct S { float3x3 m; uint k; }; RWStructuredBuffer<S> s; RWStructuredBuffer<float> o;
void turn(inout float3 r) { r = r.zyx + 1; }
row_major float2x2 twice(column_major float2x2 m) { return m * 2; }
void both(inout float2 d, out float3 r) { d *= 10; r = float3(d, 7); }
${main} {
  turn(s[i].m[1]); turn(s[i].m[i % 3]); float3x3 q = s[i].m; float3 r; both(q._m00_m22, r); q[1] = r;
  float2x2 t = twice(float2x2(q[1].xy, q._m00, 1)); o[i] = q._m00 + q._m22 + q._m11 + q._m12 + t._m01 + sizeof(S) * 1000 + sizeof q;
}`,
    // Every matrix begins as zeros: row 1 is turned once or twice, rows 0 and 2 once or not at all.
    args: { s: new Float32Array(80), o: ac.o },
    o: (i) => {
      const [first, last] = [i % 3 === 0 ? 10 : 0, i % 3 === 2 ? 10 : 0];
      return first + last + last + 7 + 2 * last + 40000 + 36;
    },
  },
  {
    name: "memory of the workgroup as an argument",
    text: `groupshared float g[8]; struct S { int n; float2 v; }; groupshared S s; RWStructuredBuffer<float> o;
void fill(groupshared float x[8], uint i) { x[i] = i * i; }
float turned(groupshared float x[8], uint i) { return x[7 - i]; }
void bump(groupshared S x) { x.n += 3; x.v.y = 4; }
${main} { if (l == 0) { s.n = 1; s.v = 0; bump(s); } fill(g, l); GroupMemoryBarrierWithGroupSync(); o[i] = turned(g, l) + s.n + s.v.y; }`,
    args: { o: ac.o },
    o: (i) => (7 - i) * (7 - i) + 4 + 4,
    hlslVersion: "202x",
  },
];

shapesCompute(shapes);

// There is no buffer of such a number, however what is chosen is used.
test.each(["StructuredBuffer<float> d = f[n]; o[i] = d[i];", "o[i] = get(f[n], i);", "o[i] = f[n][i];"])(
  "%s is a finding where n is 3 or -1, and nowhere else",
  async (body) => {
    const source = `StructuredBuffer<float> f[3]; RWStructuredBuffer<float> o; cbuffer C { int n; };
float get(StructuredBuffer<float> b, uint k) { return b[k]; }
[numthreads(1, 1, 1)] void k(uint i : SV_DispatchThreadID) { ${body} }`;
    for (const n of [0, 1, 2, 3, -1]) {
      const one = (x: number): Float32Array => new Float32Array([x]);
      const args = { "f[0]": one(5), "f[1]": one(6), "f[2]": one(7), o: one(0), n };
      const { buffers, findings } = await simulate(source, { from: "hlsl", workgroups: [1], args });
      if (n >= 0 && n < 3) expect([findings, [...(buffers.o as Float32Array)]]).toEqual([[], [5 + n]]);
      else expect(findings.map((f) => f.message)).toContain(`block ${String(n)} of an array of 3 blocks`);
    }
  },
);

/** A buffer is copied, handed over, indexed and has methods, and that is all. */
const wrong: readonly (readonly [string, string])[] = [
  ["if (a) o[i] = 1;", "XL2003"],
  ["o[i] = a == c;", "XL2004"],
  ["o[i] = (a + 1)[i];", "XL2004"],
  ["StructuredBuffer<float> b = a; b++;", "XL2004"],
  ["StructuredBuffer<int> b = a;", "XL2003"],
  ["RWStructuredBuffer<float> b = a;", "XL2003"],
  ["StructuredBuffer<float> b = 0;", "XL2003"],
  ["StructuredBuffer<float> b = a; b[i] = 1;", "XL2006"],
];
const kernelOf = (body: string): string => `${two}${main} { ${body} }`;

test.each(wrong)("%s is refused", async (body, code) => {
  const { diagnostics } = await translate(kernelOf(body), { from: "hlsl", to: "hlsl" });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toContain(code);
});

judgeTest(hlslJudge, "DXC refuses them too", async () => {
  const said = await hlslJudge.accept(wrong.map(([body]) => ({ name: body, text: kernelOf(body) })));
  expect(said.filter(({ ok }) => ok)).toEqual([]);
});
