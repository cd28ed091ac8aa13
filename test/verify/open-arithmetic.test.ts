/** Derived launches state no tolerance: what the dialects leave open is no difference, and is said; anything else is one. */
import { expect, test } from "vitest";
import { withinSpread } from "../../src/verify/compare.js";
import { verify } from "../../src/index.js";

const kernel = (body: string): string =>
  `kernel void k(global const float *a, global float *o) { size_t i = get_global_id(0); float x = a[i]; ${body} }`;

test("functions by formula keep the bounds of the source's dialect", async () => {
  for (const call of ["exp10(x)", "cbrt(x) + log1p(fabs(x))", "hypot(x, 2.0f)", "pow(x, 1.5f)"]) {
    const { result, diagnostics } = await verify(kernel(`o[i] = ${call};`), {
      from: "opencl",
      to: "glsl",
      subgroupSizes: [8],
    });
    expect(result, call).toBe("equivalent");
    for (const d of diagnostics) expect(d.code).toBe("XL6017");
  }
});

test("a sine that comes with its cosine is as good as one by itself, and so is the cosine", async () => {
  const text = `kernel void k(global float2 *o, int n) {
    int i = get_global_id(0);
    float c, s = sincos(6.283185307f * i / n, &c);
    o[i] = (float2)(c, s);
  }`;
  const { result, diagnostics } = await verify(text, { from: "opencl", to: "glsl", workgroupSize: [64] });
  // GLSL has the two functions: OpenCL C 3.0 7.4 has 4 ulp for each.
  expect(diagnostics.map((d) => d.message)).toEqual([
    expect.stringMatching(/^numbers differ, 'o' by up to [1-4] ulp, .*: math\.sincos$/),
  ]);
  expect(result).toBe("equivalent");
});

test("lgamma_r is as open as lgamma", async () => {
  const text =
    "kernel void k(global const float *a, global float *o, global int *s) { size_t i = get_global_id(0); o[i] = lgamma_r(a[i], s + i); }";
  const { result, diagnostics } = await verify(text, {
    from: "opencl",
    to: "glsl",
    workgroupSize: [64],
    subgroupSizes: [8],
  });
  expect(diagnostics.map((d) => d.message)).toEqual([expect.stringMatching(/math\.lgamma_r$/)]);
  expect(result).toBe("equivalent");
});

test("determinants and inverses may be expanded along either axis", async () => {
  const text = (body: string): string => `#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer M { mat3 m[]; };
layout(binding = 1) buffer O { float o[]; };
void main() { uint i = gl_GlobalInvocationID.x; o[i] = ${body}; }`;
  const how = { from: "glsl", to: "hlsl", subgroupSizes: [8] } as const;
  for (const body of ["determinant(m[i])", "inverse(m[i])[2][1]"])
    expect((await verify(text(body), how)).result, body).toBe("equivalent");
  const { diagnostics } = await verify(text("determinant(m[i])"), how);
  expect(diagnostics.map((d) => d.message)).toEqual([expect.stringContaining("geometry.determinant")]);
});

// GLSL 4.60 8.3: only where its result is precise, fma is one operation. HLSL has none of floats.
test("a product and a sum of GLSL's fma may be rounded twice", async () => {
  const text = `#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
void main() {
  uint i = gl_GlobalInvocationID.x; float sum = 0.5;
  for (uint k = 0; k < 4; k++) sum = fma(a[i], b[(i + k) % b.length()], sum);
  a[i] = sum;
}`;
  const { result, diagnostics } = await verify(text, { from: "glsl", to: "hlsl", subgroupSizes: [8] });
  expect(result).toBe("equivalent");
  expect(diagnostics.map((d) => d.message)).toEqual([expect.stringMatching(/^numbers differ, .*: math\.fma$/)]);
});

test("the note names what is open, and how far numbers lie apart", async () => {
  const { diagnostics } = await verify(kernel("o[i] = exp10(x);"), { from: "opencl", to: "hlsl", subgroupSizes: [8] });
  expect(diagnostics.map((d) => d.message)).toEqual([
    expect.stringMatching(/^numbers differ, 'o' by up to [12] ulp, within what the dialects leave open: math\.exp10$/),
  ]);
});

test("a number beyond twice the spread is a difference", () => {
  const bytes = (x: number): Uint8Array => new Uint8Array(Float32Array.of(x).buffer);
  const how = { type: { text: "f32", scalar: "f32", width: 1 }, compare: "ordered" } as const;
  const variants = [bytes(1 + 2 ** -22), bytes(1 - 2 ** -22)];
  expect(withinSpread(bytes(1), bytes(1 + 2 ** -21), variants, how)).toBe(4);
  expect(withinSpread(bytes(1), bytes(1 + 2 ** -20), variants, how)).toBeUndefined();
  expect(withinSpread(bytes(1), bytes(NaN), variants, how)).toBeUndefined();
  expect(withinSpread(bytes(1), bytes(2), [bytes(1)], how)).toBeUndefined();
});

test("integers: the bits of a float that lies near enough, or what a variant has", () => {
  const bits = (x: number): Uint8Array => new Uint8Array(Float32Array.of(x).buffer);
  const number = (n: number): Uint8Array => new Uint8Array(Uint32Array.of(n).buffer);
  const how = { type: { text: "u32", scalar: "u32", width: 1 }, compare: "ordered" } as const;
  const variants = [bits(1 + 2 ** -22), bits(1 - 2 ** -22)];
  expect(withinSpread(bits(1), bits(1 + 2 ** -21), variants, how)).toBe(4);
  expect(withinSpread(bits(1), bits(1 + 2 ** -20), variants, how)).toBeUndefined();
  expect(withinSpread(number(100), number(101), [number(100), number(101)], how)).toBe(1);
  expect(withinSpread(number(100), number(102), [number(100), number(101)], how)).toBeUndefined();
  // A hash of something open goes anywhere: only what a variant has is one of the source's own.
  const hashes = [0x12345678, 0x7f000001, 0x9abcdef0].map(number);
  expect(withinSpread(number(0x3f800000), number(0x40800000), hashes, how)).toBeUndefined();
  expect(withinSpread(number(0x3f800000), number(0x9abcdef0), hashes, how)).toBeGreaterThan(0);
});

test("bits of what a function leaves open, kept in a buffer of integers", async () => {
  const from = "opencl";
  const text = (body: string): string =>
    `kernel void k(global const float *a, global uint *o) { size_t i = get_global_id(0); float x = a[i]; ${body} }`;
  for (const body of ["o[i] = as_uint(rootn(x, 3));", "o[i] = as_uint(exp10(x)) ^ 0x80000000u;"])
    expect((await verify(text(body), { from, to: "glsl", subgroupSizes: [8] })).result, body).toBe("equivalent");
});

// OpenCL C 3.0 7.5.1: its length does not overflow in between, and normalize gives a vector of zeros back. HLSL says of the latter that
// it is indefinite, and of length no more than that it is one.
test("functions of a target that are exact where the source's formula is not", async () => {
  const source = `RWStructuredBuffer<float2> v;
[numthreads(64, 1, 1)]
void k(uint3 id : SV_DispatchThreadID) {
  float2 x = v[id.x];
  float n = length(x);
  v[id.x] = n > 2 ? x / n : normalize(x);
}`;
  const { result, firstDifference } = await verify(source, { from: "hlsl", to: "opencl", subgroupSizes: [4] });
  expect({ result, firstDifference }).toEqual({ result: "equivalent", firstDifference: undefined });
});
