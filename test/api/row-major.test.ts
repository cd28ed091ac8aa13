/** HLSL's row_major: what memory holds is what DXC 1.8 stores (its DXIL was read), and translations keep the bytes. */
import { expect, test } from "vitest";
import { simulate, translate, verify } from "../../src/index.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";

const kernel = `
cbuffer C { row_major float3x2 byRows; float3x2 byColumns; };
struct S { row_major float3x2 m; };
struct T { float3x2 m; };
RWStructuredBuffer<S> s : register(u0);
RWStructuredBuffer<T> t : register(u1);
RWStructuredBuffer<float3x2> e : register(u2);
RWStructuredBuffer<float> o : register(u3);
[numthreads(1, 1, 1)] void main() {
  float3x2 m = float3x2(1, 2, 3, 4, 5, 6);
  s[0].m = m; t[0].m = m; e[0] = m;
  s[1].m[2] = float2(7, 8); s[1].m[0][1] = 9; s[1].m._m10 = 10; s[1].m._m11 = 0; s[1].m._m00 = 0;
  S whole = s[0]; whole.m *= 2; whole.m[1] = whole.m[1].yx; s[2] = whole;
  S listed = {m}; s[3] = listed;
  o[0] = mul(m, float2(1, 10))[1]; o[1] = mul(s[0].m, float2(1, 10))[1]; o[2] = mul(float3(1, 10, 100), s[0].m).x;
  o[3] = byRows[2][0] + byRows._m01; o[4] = byColumns[2][0] + byColumns._m01; o[5] = s[0].m._m20_m01.x;
}`;

test("matrices in memory are where DXC puts them", async () => {
  const f32 = (n: number): Float32Array => new Float32Array(n);
  const matrices = { byRows: [1, 2, 3, 4, 5, 6], byColumns: [1, 3, 5, 2, 4, 6] };
  const { buffers, findings, diagnostics } = await simulate(kernel, {
    from: "hlsl",
    workgroups: [1, 1, 1],
    args: { s: f32(24), t: f32(6), e: f32(6), o: f32(6), ...matrices },
  });
  expect([...diagnostics, ...findings]).toEqual([]);
  expect(Array.from(buffers.s as Float32Array)).toEqual([
    1, 2, 3, 4, 5, 6, 0, 9, 10, 0, 7, 8, 2, 4, 8, 6, 10, 12, 1, 2, 3, 4, 5, 6,
  ]);
  expect(Array.from(buffers.t as Float32Array)).toEqual([1, 3, 5, 2, 4, 6]);
  expect(Array.from(buffers.e as Float32Array)).toEqual([1, 3, 5, 2, 4, 6]);
  expect(Array.from(buffers.o as Float32Array)).toEqual([43, 43, 531, 7, 7, 5]);
});

test.each(["msl", "glsl", "ts"] as const)("and in %s", async (to) => {
  const packed = kernel
    .replace("RWStructuredBuffer<T> t", "RWStructuredBuffer<float4> t")
    .replace("t[0].m = m;", "")
    .replace("RWStructuredBuffer<float3x2> e", "RWStructuredBuffer<float2> e")
    .replace("e[0] = m;", "e[0] = m[2];");
  const { result, diagnostics } = await verify(packed, { from: "hlsl", to });
  expect(diagnostics.map((d) => d.message)).toEqual([]);
  expect(result).toBe("equivalent");
});

const others: readonly (readonly [TwoWayDialect, string])[] = [
  [
    "glsl",
    "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer A { mat3x2 a[]; };\nlayout(push_constant) uniform P { mat3x2 p; mat2 q[2]; };\nvoid main() { a[0] = p; a[1][2] = q[1][0]; a[2][1].y = p[2][0]; }",
  ],
  [
    "msl",
    "kernel void k(device float3x2 *a [[buffer(0)]], constant float3x2 &p [[buffer(1)]]) { a[0] = p * 2.0f; a[1][2] = p[1]; a[2][1].y = p[2][0]; }",
  ],
];

test.each(others)(
  "HLSL's buffers hold matrices of %s in structs, since elements are stored by columns",
  async (from, source) => {
    const options = { from, to: "hlsl", workgroupSize: [1, 1, 1] } as const;
    expect((await translate(source, options)).code).toMatch(/\{\n {2}row_major float3x2 m;\n\};/);
    const { result, diagnostics } = await verify(source, options);
    expect(diagnostics.map((d) => d.message)).toEqual([]);
    expect(result).toBe("equivalent");
  },
);

// Typedefs and the pragma: test/sema/rows.test.ts; elements that say `row_major`: test/hlsl-buffers.test.ts.
test("the pragma makes members rows", async () => {
  const source =
    "#pragma pack_matrix(row_major)\nstruct S { float3x2 m; column_major float3x2 n; };\nRWStructuredBuffer<S> s;\n[numthreads(1, 1, 1)] void main() { s[0].m = float3x2(1, 2, 3, 4, 5, 6); s[0].n = s[0].m; }";
  const { buffers } = await simulate(source, {
    from: "hlsl",
    workgroups: [1, 1, 1],
    args: { s: new Float32Array(12) },
  });
  expect(Array.from(buffers.s as Float32Array)).toEqual([1, 2, 3, 4, 5, 6, 1, 3, 5, 2, 4, 6]);
});
