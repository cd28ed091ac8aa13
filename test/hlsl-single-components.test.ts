/** HLSL's vectors of one component (`float1`): numbers, but for what functions of the library make of vectors beside them. */
import { expect, test } from "vitest";
import { simulate, translate } from "../src/index.js";
import { floats, main, shapesCompute, type Shape } from "./support/hlsl-shapes.js";
import { foldWithDxc, missingForFold } from "./support/oracles/dxc-fold.js";

const o = floats(() => -1);
const out = "RWStructuredBuffer<float> o;\n";

const shapes: readonly Shape[] = [
  {
    name: "in buffers, structs, constants and memory of the workgroup",
    text: `struct S { float1 a; float2 b; uint1 n; }; cbuffer C { float1 scale; float2 pair; float1 list[2]; };
StructuredBuffer<float1> in1; RWStructuredBuffer<S> t; ByteAddressBuffer raw; groupshared uint1 sum; static const float1 W[3] = { 1, 2, 3 };
${out}${main} {
  if (l == 0) sum = 0; GroupMemoryBarrierWithGroupSync(); InterlockedAdd(sum.x, l); GroupMemoryBarrierWithGroupSync();
  float1 x = in1[i]; S s = t[i]; s.a.x += 1; t[i].a = s.a; t[i].n.x = 5;
  o[i] = x * scale + pair.y + list[1].x * 10 + t[i].a + t[i].n.r * 100 + sum + W[i % 3] * 1000 + raw.Load<float1>(4) + s.b.y;
}`,
    args: {
      "C.scale": 2,
      "C.pair": [3, 4],
      "C.list": [5, 6],
      in1: floats((i) => i + 1),
      t: Uint32Array.from({ length: 32 }, (_, k) => (k % 4 === 3 ? 0 : new Uint32Array(Float32Array.of(k).buffer)[0]!)),
      raw: Uint32Array.from([0, 0x41000000]),
      o,
    },
    o: (i) => 2 * (i + 1) + 4 + 60 + (4 * i + 1) + 500 + 28 + 1000 * ((i % 3) + 1) + 8 + (4 * i + 2),
  },
  {
    name: "beside vectors and numbers",
    text: `template <typename T, int N> T total(vector<T, N> v) { T s = 0; for (int k = 0; k < N; k++) s += v[k]; return s; }
template <int N> vector<float, N> twice(vector<float, N> v) { return v * (vector<float, N>)2; }
template <typename T> float4 cut(T a, float4 b) { return max(a, b); } void bump(inout float1 x) { x += 10; }
${out}${main} {
  float1 n = i; float4 v = float4(4, 5, 6, 7); float f = 3; float4 a = max(n, v); float4 b = n + v; float4 c = clamp(v, n, f);
  float4 d = n.xxxx * v.wzyx; vector<float, 1> two = twice<1>(n); bump(f); bump(n); uint1 k = 3; float4 e = cut(n, v) + cut(f, v);
  float3 three = float3(n, v.xy); if (n > 12) v = 0; v.y += n;
  o[i] = a.w + b.w * 10 + c.z * 100 + d.x * 1000 + two + f + e.w * 7 + total<float, 3>(three) + v.y + (float)(k << 2) + any(n.xxx > 12) + dot(n, v);
}`,
    args: { o },
    o: (i) => {
      const n = i + 10;
      const [vx, vy] = n > 12 ? [0, n] : [4, 5 + n];
      const e = Math.max(n, 4) + Math.max(13, 7);
      return (
        Math.max(i, 4) +
        10 * (i + 7) +
        100 * Math.min(Math.max(4, i), 3) +
        7000 * i +
        2 * i +
        13 +
        7 * e +
        (n + 9) +
        vy +
        12 +
        (n > 12 ? 1 : 0) +
        n * vx
      );
    },
  },
  {
    name: "rows of matrices of one column",
    text: `${out}${main} { float3x1 c = float3x1(i, 2, 9); float4 v = float4(4, 5, 6, 7); float4 a = max(c[0], v); c[1].x = 8; o[i] = a.w + min(v, c[1]).x * 10 + (c[2] * v).w * 100; }`,
    args: { o },
    o: (i) => Math.max(i, 4) + 40 + 6300,
  },
];

shapesCompute(shapes);

const given = `float1 n = 3; float4 v = float4(4, 5, 6, 7); float2 w = float2(8, 9); int1 i = 5; uint1 u = 7; bool1 b = true;
  float f = 2; float1x1 m = (float1x1)3; int k = 0;`;
const declarations = `uint fours(float4 a) { return (uint)(a.x + a.y * 10 + a.z * 100 + a.w * 1000); }
template <typename T, int N> T tot(vector<T, N> v) { T s = 0; for (int k = 0; k < N; k++) s += v[k]; return s; }`;

/** Four components as digits: which of them were cut shows. */
const values =
  `max(n, v); mul(v, n); mul(n, f); select(b, v, v + 1); select(b, n, v); clamp(n, f, v); clamp(v, 0, n); lerp(v, v, n); pow(v, n); dot(v, n);
max(length(n), v); max(normalize(f), v); max(faceforward(f, f, f), v); max(reflect(f, f), v) * 0 + max(f, v); max(n[k], v); tot(n); tot(w); max(normalize(n) + 2, v); select(n < f, v, v + 1); max(-n, v); max(n * f, v); max(f * n, v); max(2 * n, v); max((float1)f, v); max(float1(f), v);
max(n.x, v); max(n[0], v); max((f, n), v); max(max(n, n), v); max(max(f, n), v); max(n = f, v); max(f = n, v); max(n++, v); max(f ? n : n, v); max(k == 0 ? n : f, v);
max(asfloat(i), v); max(countbits(u), v); max(sign(n), v); max(any(n), v); max(u >> 1, v); max(f < n, v); max(!n, v); max(b, v); max((vector<float, 1>)f, v); max(m[0], v);
max(modf(n, f), v); max(modf(f, n), v); max(frexp(n, f), v); max(frexp(f, n), v); max(asfloat(n), v); max(asfloat(asuint(n)), v); max(asfloat(asuint(f)), v);
max(asdouble(u, u), v); max(asdouble(u, 3u), v); max(asdouble(3u, u), v); max(asdouble(3u, 4u), v); max(and(b, true), v); max(and(true, b), v); step(n, v); fmod(v, n); mad(v, f, n); atan2(n, v); distance(n, v); n + v; v * n; n == v; (v = n); (v += n); n.rrrr; float4(w, n, f);
max(mul(m, n), v); max(mul(n, m), v); mul(n, float2x3(1, 2, 3, 4, 5, 6)).xyzx; mul(float3x2(1, 2, 3, 4, 5, 6), n).xyzx; mul(n, float2x1(2, 3)).xxxx; mul(float1x3(1, 2, 3), n).xxxx`
    .split(";")
    .map((x) => x.trim());

test.runIf(missingForFold().length === 0)("components are cut where DXC cuts them", { timeout: 120_000 }, async () => {
  const said = await foldWithDxc(values.map((x) => ({ declarations, statements: given, values: [`fours(${x})`] })));
  for (const [at, x] of values.entries()) {
    const text = `${declarations}\nRWStructuredBuffer<uint> dst;\n[numthreads(1, 1, 1)] void main() { ${given} dst[0] = fours(${x}); }`;
    const { buffers } = await simulate(text, { from: "hlsl", workgroups: [1], args: { dst: new Uint32Array(1) } });
    expect(said[at], x).toEqual({ kind: "folded", values: [BigInt((buffers.dst as Uint32Array)[0]!)] });
  }
});

/** Which specialisation a type takes: a number of 1 for a vector of one component, 0 for a number. */
const kinds = `template <typename T> uint single(T a) { return 9; }
${["float", "uint", "int", "bool"].map((t) => `template <> uint single<${t}>(${t} a) { return 0; } template <> uint single<${t}1>(${t}1 a) { return 1; }`).join("\n")}`;
const typed =
  `f16tof32(u); f32tof16(n); select(b, f, f); select(b, n, n); select(true, n, n); select(true, n, f); select(b, n, f); select(b, f, n); select(b, 1.0f, f);
select(b, n, 1); select(b, 1, 2); select(b, true, true); step(n, f); lerp(f, f, n); countbits(u); sign(n); isnan(n); WaveActiveSum(n); WaveReadLaneAt(n, 0); QuadReadAcrossX(n)`
    .split(";")
    .map((x) => x.trim());

test.runIf(missingForFold().length === 0)("functions give DXC's types", { timeout: 120_000 }, async () => {
  const said = await foldWithDxc(
    typed.map((x) => ({ declarations: kinds, statements: given, values: [`single(${x})`] })),
  );
  for (const [at, x] of typed.entries()) {
    const text = `${kinds}\nRWStructuredBuffer<uint> dst;\n[numthreads(1, 1, 1)] void main() { ${given} dst[0] = single(${x}); }`;
    const { buffers } = await simulate(text, { from: "hlsl", workgroups: [1], args: { dst: new Uint32Array(1) } });
    expect(said[at], x).toEqual({ kind: "folded", values: [BigInt((buffers.dst as Uint32Array)[0]!)] });
  }
});

/** Where DXC takes numbers alone. */
const numbersAlone = [
  "switch (u) { default: f = 1; }",
  "float a[N]; a[0] = 1; f = a[0];",
  "float a[8]; a[0] = 1; f = a[u];",
  "float a[8]; a[0] = 1; f = a[n];",
  "f = len<N>();",
  "f = WaveActiveAllTrue(b);",
  "f = WaveReadLaneAt(f, u);",
  "f = raw.Load(u);",
  "f = list.Load(u);",
  "InterlockedAdd(g, u);",
  "InterlockedAdd(g, 1u, u);",
  "enum E { A = N }; f = A;",
  "f = refract(v.xyz, v.xyz, n).x;",
  "f = lit(n, f, f).y;",
  "[unroll(N)] for (int k = 0; k < 4; k++) f += k;",
  '_Static_assert(N, "none"); f = N;',
  "struct B { uint1 a : 3; }; B c; c.a = 1; f = c.a;",
  // Of a constant no part is one.
  "float a[N.x]; a[0] = 1; f = a[0];",
  "float a[list2.y]; a[0] = 1; f = a[0];",
  "float a[row[1]]; a[0] = 1; f = a[0];",
  '_Static_assert(list2.x == 3, "none"); f = list2.x;',
];

test.runIf(missingForFold().length === 0)("is a number where DXC wants one", { timeout: 120_000 }, async () => {
  const beside = `static const uint1 N = 4; static const uint2 list2 = { 3, 4 }; static const uint row[2] = { 3, 4 }; groupshared uint g; ByteAddressBuffer raw; StructuredBuffer<float> list; template <int K> float len() { return K; }`;
  const asked = (x: string) => ({
    declarations: `${beside} float go(uint1 u, float1 n, bool1 b, float4 v) { float f = 0; ${x} return f; }`,
    values: [{ expression: "go(1, 1, true, 1)", type: "float" as const }],
  });
  const said = await foldWithDxc(numbersAlone.map((x) => asked(x)));
  expect(said.map((f) => f.kind)).toEqual(numbersAlone.map(() => "refused"));
  for (const x of numbersAlone) {
    const text = `${asked(x).declarations}\n${out}${main} { o[i] = go(i, i, i > 2, i); }`;
    const { diagnostics } = await translate(text, { from: "hlsl", to: "glsl" });
    expect(diagnostics.filter((d) => d.severity === "error").length, x).toBeGreaterThan(0);
    const asNumber = x.replaceAll("(u)", "(u.x)").replaceAll("[u]", "[u.x]").replaceAll("[n]", "[n.x]");
    if (asNumber === x) continue;
    const again = await translate(text.replace(x, asNumber), { from: "hlsl", to: "glsl" });
    expect(again.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  }
});

/** Statements that DXC refuses. */
const refused =
  `n && true; b ? 1 : 2; n ? v : v; n.y; n.xy; float1(w); float1(f, f); (n.xx = w); max(m, n); same(n, f); atomic(n)`.split(
    ";",
  );

test.runIf(missingForFold().length === 0)("what DXC refuses is refused", { timeout: 120_000 }, async () => {
  const beside = `template <typename T> T same(T a, T b) { return b; } groupshared uint1 g;
float atomic(float f) { InterlockedAdd(g, 1u); return f; }`;
  const said = await foldWithDxc(
    refused.map((x) => ({
      declarations: beside,
      statements: given,
      values: [{ expression: `(${x}).x`, type: "float" as const }],
    })),
  );
  expect(said.map((f) => f.kind)).toEqual(refused.map(() => "refused"));
  for (const x of refused) {
    const text = `${beside}\n${out}${main} { ${given.replace("int1 i = 5; ", "")} o[i] = (${x}).x; }`;
    const { diagnostics } = await translate(text, { from: "hlsl", to: "glsl" });
    expect(diagnostics.filter((d) => d.severity === "error").length, x).toBeGreaterThan(0);
  }
});
