/** HLSL's matrices of one row or column: results by hand, through every dialect and its compiler; what DXC takes and refuses. */
import { expect, test } from "vitest";
import { reflect, translate } from "../src/index.js";
import { floats, main, shapesCompute, type Shape } from "./support/hlsl-shapes.js";
import { hlslJudge } from "./support/judges/hlsl.js";
import { judgeTest } from "./support/tool-test.js";

const o = floats(() => -1);
const floatBits = (n: number): number => new Uint32Array(Float32Array.of(n).buffer)[0]!;
const out = "RWStructuredBuffer<float> o;\n";
/** A row (i, i + 1, i + 2), a column (3, 4, 5), a vector (7, 8, 9), and a matrix of 1 to 9. */
const given = `float1x3 r = float1x3(i, i + 1, i + 2); float3x1 c = { 3, 4, 5 }; float3 v = float3(7, 8, 9);
float3x3 m = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };`;

const shapes: readonly Shape[] = [
  {
    name: "elements, rows, swizzles and writes",
    text: `${out}void bump(inout float1x3 x) { x._m01 += 100; } float last(matrix<float, 3, 1> x) { return x[2].x + x._31; }
${main} { ${given} bump(r); c[1] = 40; c._m00_m20 = float2(30, 50); r[0].z = 7; float1x1 e = 2;
  o[i] = r[0][0] + r._m01 + r._13 + last(c) + c[1][0] + c._m00 + e[0] + e._m00 + r[0].yx.y; }`,
    args: { o },
    o: (i) => i + (i + 1 + 100) + 7 + 100 + 40 + 30 + 2 + 2 + i,
  },
  {
    name: "values of assignments to rows and elements of matrices",
    text: `${out}${main} { ${given} m[1] += 2; float a = m[1].y; float2 b = (m._11_22 = v.xy); float3 w = m[2] = v;
  float3 zero = (m[0] = 0); float d = m[1].y; float z = (m[i % 2] *= 2).x;
  o[i] = a + b.x * 10 + b.y * 100 + w.z * 1000 + d + m[2].x * 3 + z + zero.x; }`,
    args: { o },
    o: (i) => 7 + 70 + 800 + 9000 + 8 + 21 + (i % 2 ? 12 : 0),
  },
  {
    name: "products, conversions and functions",
    text: `${out}${main} { ${given}
  float1x1 s = mul(r, c); float3x3 t = mul(c, r); float1x3 rm = mul(r, m); float3x1 mc = mul(m, c); float3 cv = mul(v, float3x3(t)) * 0;
  float1x3 a = r + v; float3 b = c; float3x1 tr = transpose(r); float1x2 cut = (float1x2)m; float2 two = (float2)r; bool1x3 big = r > 4;
  a = -a; a *= 2; a++;
  o[i] = s + t._m12 * 10 + rm._m02 * 100 + mc[0] * 1000 + mul(v, c) + mul(r, v) + a._m01 + b.z + tr[2] + cut._m01 + two.y + abs(a)[0].x + any(big) + cv.x;
}`,
    args: { o },
    o: (i) =>
      // Rows of m: 1 2 3, 4 5 6, 7 8 9.
      3 * i +
      4 * (i + 1) +
      5 * (i + 2) +
      10 * 4 * (i + 2) +
      100 * (3 * i + 6 * (i + 1) + 9 * (i + 2)) +
      1000 * (3 + 8 + 15) +
      (21 + 32 + 45) +
      (7 * i + 8 * (i + 1) + 9 * (i + 2)) +
      (-2 * (i + 1 + 8) + 1) +
      5 +
      (i + 2) +
      2 +
      (i + 1) +
      Math.abs(-2 * (i + 7) + 1) +
      (i + 2 > 4 ? 1 : 0),
  },
  {
    name: "integers by a number, from either side",
    text: `${out}${main} { int s = int(i) - 3; int1x4 r = int1x4(i, 2, 3, 4); int3x1 c = { 5, 6, 7 };
  int1x4 p = mul(s, r) + mul(r, s) * 10; int3x1 q = s * c + mul(c, s); uint1x2 u = 3u * uint1x2(i, 8); o[i] = p._m00 + p._m03 * 100 + q[2] * 10000 + int(u._m01); }`,
    args: { o },
    o: (i) => 11 * (i - 3) * i + 4400 * (i - 3) + 140000 * (i - 3) + 24,
  },
  {
    name: "in raw buffers",
    text: `RWByteAddressBuffer b;\n${out}${main} { uint s; float1x4 r = b.Load<float1x4>(0); float3x1 c = b.Load<float3x1>(4, s); float1x1 e = b.Load<float1x1>(8);
  bool1x2 q = b.Load<bool1x2>(0); if (i == 8) { b.Store<float1x4>(16, r); b.Store<float1x1>(0, e); } o[i] = i * r._m00 + r._m03 * 10 + c[2] * 100 + e * 1000 + (q[0][1] ? 10000 : 0); }`,
    args: { b: Uint32Array.from([1, 2, 3, 4], (n) => floatBits(n)), o },
    o: (i) => i + 40 + 400 + 3000 + 10000,
  },
  {
    name: "in buffers, structs, constants and memory of the workgroup",
    // In a constant buffer each column of one row begins a register of 16 bytes, as DXC lists it.
    text: `cbuffer C { float1x3 r; float b; float3x1 c : packoffset(c4); row_major float1x2 q : packoffset(c5); };
struct S { float1x3 r; float k; row_major float2x1 c; float1x1 e; float1x2 get() { return float1x2(k, e); } }; RWStructuredBuffer<S> t;
static const float1x4 W = { 1, 2, 3, 4 }; groupshared float2x1 g[8]; ${out}${main} {
  S s = t[i]; s.r[0].y += 1; t[i].c[1] = 6; g[l] = float2x1(l, 1); GroupMemoryBarrierWithGroupSync(); S z = (S)0;
  o[i] = r._m02 + b + c[1] + q._m01 + s.r._m01 + t[i].c._m10 + s.get()._m00 + W[0][i & 3] + g[7 - l]._m00 + z.k;
}`,
    args: {
      "C.r": [1, 2, 3],
      "C.b": 4,
      "C.c": [5, 6, 7],
      "C.q": [8, 9],
      t: Float32Array.from({ length: 56 }, (_, k) => k % 7),
      o,
    },
    o: (i) => 3 + 4 + 6 + 9 + 2 + 6 + 3 + ((i & 3) + 1) + (7 - i),
  },
  {
    name: "in arrays and structs of constant buffers, where they begin a register",
    // Offsets by DXC's listing and by what it loads: c 16 to 60, b 60, s 64 (z 72, q 80, u 92, e 96, last 136), end 140.
    text: `struct S { float2x1 m; float2 z; row_major float1x3 q; float u; float2x1 e[3]; float last; };
cbuffer C { float a; float3x1 c[3]; float b; S s; float end; }
float of(S x, uint k) { return x.e[k]._m10; }
${out}${main} { o[i] = a + c[2]._m20 + c[i % 3]._m10 + b + s.m._m10 + s.z.y + s.q._m02 + s.u + of(s, i % 3) + s.last + end; }`,
    args: {
      "C.a": 1,
      "C.c": [1, 2, 3, 4, 5, 6, 7, 8, 9],
      "C.b": 10,
      "C.s.m": [20, 30],
      "C.s.z": [40, 50],
      "C.s.q": [60, 70, 80],
      "C.s.u": 90,
      "C.s.e": [100, 200, 300, 400, 500, 600],
      "C.s.last": 1000,
      "C.end": 2000,
      o,
    },
    o: (i) => 1 + 9 + (3 * (i % 3) + 2) + 10 + 30 + 50 + 80 + 90 + 200 * (1 + (i % 3)) + 1000 + 2000,
  },
  {
    // By DXC's listing and what it loads: m 16 (an element each 64), x 196, n 208 (48), z 388.
    name: "of one row in arrays of constant buffers, a register for each column",
    text: `cbuffer C { float y; float1x4 m[3]; float x; row_major float3x1 n[2][2]; int z; };
float of(float1x4 v) { return v[0][3] + v._m00; }
${out}${main} {
  float1x4 a[3] = m; float1x4 q = m[i % 3];
  o[i] = m[i % 3][0][1] + of(m[1]) * 10 + n[1][i % 2]._m20 * 100 + x + y + z + a[2]._m02 * 10000 + mul(q, float4x1(1, 2, 3, 4))[0][0];
}`,
    args: {
      "C.y": 1000,
      "C.m": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
      "C.x": 2000,
      "C.n": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
      "C.z": 3000,
      o,
    },
    o: (i) => {
      const r = 4 * (i % 3);
      return r + 2 + 130 + (i % 2 ? 1200 : 900) + 6000 + 110000 + (r + 1 + 2 * (r + 2) + 3 * (r + 3) + 4 * (r + 4));
    },
  },
];

test("the one element of a matrix becomes a number without losing anything", async () => {
  const said = async (type: string): Promise<string[]> => {
    const text = `${out}${main} { ${given} ${type} e = mul(r, c); float2 two = float2(e, 1); o[i] = (float)e + two.x; float cut = mul(r, m); o[i] += cut; }`;
    const { diagnostics } = await translate(text, { from: "hlsl", to: "glsl" });
    return diagnostics.filter((d) => d.code === "XL2016").map((d) => d.message);
  };
  expect(await said("float")).toEqual(["float1x3 becomes float here, the other components are dropped"]);
});

test("arrays of matrices of one row lie where DXC lists them", async () => {
  const text = `cbuffer C { float y; float1x4 m[3]; float x; row_major float3x1 n[2][2]; int z; };
${out}${main} { o[i] = m[i % 3]._m01 + n[1][1]._m10 + x + y + z; }`;
  const { entries } = await reflect(text, { from: "hlsl" });
  const offsets = entries[0]!.arguments
    .map((a) => a.slots.hlsl)
    .map((at) => (at && "offset" in at ? at.offset : "none"));
  expect(offsets).toEqual([0, 16, 196, 208, 388, "none"]);
});

shapesCompute(shapes);

const body = (statement: string): string => `${out}${main} { ${given} ${statement} }`;

/** DXC converts neither into the other, and has no swizzles of letters. */
const wrong = [
  "float3x1 y = r; o[i] = y._m00;",
  "float3x1 y = (float3x1)r; o[i] = y._m00;",
  "float1x3 y = r * c; o[i] = y._m00;",
  "o[i] = r.x;",
  "o[i] = dot(r, r);",
];
test.each(wrong)("%s is refused", async (statement) => {
  const { diagnostics } = await translate(body(statement), { from: "hlsl", to: "glsl" });
  expect(diagnostics.map((d) => d.severity)).toContain("error");
});

judgeTest(hlslJudge, "DXC refuses them too", async () => {
  const said = await hlslJudge.accept(wrong.map((name) => ({ name, text: body(name) })));
  expect(said.filter(({ ok }) => ok)).toEqual([]);
});

// DXC reads such a member from where its listing does not have it.
test.each([
  [`cbuffer C { float a; float3x1 c; };\n${body("o[i] = a;")}`, "in the middle of a register"],
  [
    `struct S { float a; float2x1 c; }; cbuffer C { S s[2]; };\n${body("o[i] = s[0].a;")}`,
    "in the middle of a register",
  ],
  [
    `struct S { float1x2 w; }; cbuffer C { S s; };\n${body("o[i] = s.w._m00;")}`,
    "in an array of structs or a struct of a constant buffer",
  ],
])("%s is not supported yet", async (text, says) => {
  const { diagnostics } = await translate(text, { from: "hlsl", to: "glsl" });
  expect(diagnostics.map((d) => [d.code, d.message])).toEqual([["XL1900", expect.stringContaining(says)]]);
});
