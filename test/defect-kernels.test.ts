/**
 * The kernels that an adversarial search found translated wrongly, one test each: what is right is worked out here, from
 * the specification or the compiler that is named, and held for the source, for every translation, and for every
 * translation of a translation; the compilers take all the texts.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../src/index.js";
import { twoWayDialects } from "../src/dialects/ids.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

type Data = Int32Array | Uint32Array | Float32Array;

interface Defect {
  readonly name: string;
  readonly from: TwoWayDialect;
  readonly text: string;
  readonly workgroups?: number;
  /** As the text has it, or as the launch is to have it. */
  readonly workgroupSize: readonly [number, number, number];
  readonly args: Readonly<Record<string, Data>>;
  /** Of the buffer that is written, by its name. */
  readonly expected?: { readonly buffer: string; readonly values: readonly number[]; readonly ulp?: number };
  /** What every run finds instead, by dialect that leaves it open. */
  readonly findings?: Partial<Record<TwoWayDialect, RegExp>>;
  /** The compilers that are not asked, and why. */
  readonly unjudged?: Partial<Record<TwoWayDialect, string>>;
  /** Targets that cannot say it, with what the refusal says. */
  readonly refused?: Partial<Record<TwoWayDialect, RegExp>>;
}

const count = (n: number, f: (i: number) => number): number[] => Array.from({ length: n }, (_, i) => f(i));
const f32 = Math.fround;
const bits = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0]!;
const uints = (n: number): Uint32Array => new Uint32Array(n).fill(7777);
const ints = (n: number): Int32Array => new Int32Array(n).fill(-7777);
const floats = (n: number): Float32Array => new Float32Array(n).fill(0.125);

const edges = Float32Array.of(
  0,
  0,
  0,
  0,
  -0,
  -0,
  -0,
  -0,
  3e38,
  0,
  0,
  0,
  2e38,
  2e38,
  2e38,
  2e38,
  1e-38,
  1e-38,
  -1e-38,
  1e-38,
  3,
  0,
  -4,
  0,
);
const signs: readonly (readonly [number, number])[] = [
  [0, 0],
  [-0, 0],
  [0, -0],
  [-0, -0],
  [1, 1],
  [-1, -1],
  [1, -1],
  [0, -3],
  [-0, -3],
  [2, 0],
];

const defects: readonly Defect[] = [
  {
    name: "a macro that every target has a constant for",
    from: "hlsl",
    text: `#define FLT_MAX 1e6f
RWStructuredBuffer<float> o : register(u0);
[numthreads(1,1,1)] void main(uint3 id : SV_DispatchThreadID) { o[id.x] = min(FLT_MAX, 2e6f + id.x); }`,
    workgroups: 3,
    workgroupSize: [1, 1, 1],
    args: { o: floats(3) },
    expected: { buffer: "o", values: [1e6, 1e6, 1e6] },
  },
  {
    // GLSL 4.60 6.1.1: arguments are evaluated from left to right.
    name: "arguments whose effects meet",
    from: "glsl",
    text: `#version 450
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer B { uint dst[]; };
uint next(inout uint s) { s = s * 5u + 1u; return s; }
uint pair(uint a, uint b) { return a * 1000u + b; }
void main() { uint s = 1u; dst[gl_GlobalInvocationID.x] = pair(next(s), next(s)); }`,
    workgroupSize: [16, 1, 1],
    args: { dst: uints(16) },
    expected: { buffer: "dst", values: count(16, () => 6031) },
  },
  {
    name: "a function named like an intrinsic of HLSL and an operator of C++",
    from: "opencl",
    text: `uint and(uint a, uint b) { return a * 10 + b; }
__kernel void k(__global uint *dst) { uint i = get_global_id(0); dst[i] = and(i, 3); }`,
    workgroupSize: [8, 1, 1],
    args: { dst: uints(8) },
    expected: { buffer: "dst", values: count(8, (i) => i * 10 + 3) },
  },
  {
    // DXC takes the intrinsic, whose parameter fits.
    name: "a function of the source beside an intrinsic that fits better",
    from: "hlsl",
    text: `StructuredBuffer<uint> src : register(t0); RWStructuredBuffer<uint> dst : register(u1);
float length(float2 v) { return 7; }
[numthreads(16,1,1)] void main(uint3 id : SV_DispatchThreadID) { float f = id.x; dst[id.x] = asuint(length(float3(f, 2, 2))); }`,
    workgroupSize: [16, 1, 1],
    args: { src: uints(1), dst: uints(16) },
    expected: { buffer: "dst", values: count(16, (i) => bits(Math.sqrt(i * i + 8))), ulp: 1 },
  },
  {
    // DXC 1.9: numbers without a suffix are doubles and 64-bit integers until they meet a type.
    name: "numbers of HLSL without a suffix",
    from: "hlsl",
    text: `RWStructuredBuffer<uint> dst : register(u0);
[numthreads(1,1,1)] void main(uint3 id : SV_DispatchThreadID) { dst[0] = (uint)(0.29 * 100); dst[1] = 100000 * 100000 / 100000; double d = 0.1; dst[2] = d == 0.1l; dst[3] = firstbithigh((uint64_t)1 << 40); }`,
    workgroupSize: [1, 1, 1],
    args: { dst: uints(4) },
    expected: { buffer: "dst", values: [28, 100000, 1, 40] },
    refused: { msl: /double/ },
  },
  {
    name: "numbers of HLSL without a suffix, and no double",
    from: "hlsl",
    text: `RWStructuredBuffer<uint> dst : register(u0);
[numthreads(1,1,1)] void main(uint3 id : SV_DispatchThreadID) { dst[0] = (uint)(0.29 * 100); dst[1] = 100000 * 100000 / 100000; dst[2] = -2147483648 < 0; dst[3] = firstbithigh((uint64_t)1 << 40); }`,
    workgroupSize: [1, 1, 1],
    args: { dst: uints(4) },
    expected: { buffer: "dst", values: [28, 100000, 1, 40] },
  },
  {
    name: "a shift of numbers that HLSL would take for 64 bits",
    from: "opencl",
    text: `__kernel void k(__global int *dst) { dst[get_global_id(0)] = (1 << 31) >> 31; }`,
    workgroupSize: [2, 1, 1],
    args: { dst: ints(2) },
    expected: { buffer: "dst", values: [-1, -1] },
  },
  {
    // OpenCL C 7.5.1: the zero vector for a zero vector, and no overflow on the way.
    name: "vectors without length, and too long to be squared",
    from: "opencl",
    text: `__kernel void k(__global const float4 *src, __global float4 *dst) { uint i = get_global_id(0); dst[i] = normalize(src[i]); }`,
    workgroupSize: [6, 1, 1],
    args: { src: edges, dst: floats(24) },
    expected: {
      buffer: "dst",
      values: [
        0,
        0,
        0,
        0,
        -0,
        -0,
        -0,
        -0,
        1,
        0,
        0,
        0,
        0.5,
        0.5,
        0.5,
        0.5,
        0.5,
        0.5,
        -0.5,
        0.5,
        f32(0.6),
        0,
        f32(-0.8),
        0,
      ],
      ulp: 4,
    },
  },
  {
    name: "lengths and distances of long vectors",
    from: "opencl",
    text: `__kernel void k(__global const float4 *src, __global float *dst) { uint i = get_global_id(0); dst[2 * i] = length(src[i] / 2.0f); dst[2 * i + 1] = distance(src[i], -src[i] / 4.0f); }`,
    workgroupSize: [6, 1, 1],
    args: { src: edges, dst: floats(12) },
    expected: {
      buffer: "dst",
      values: count(6, (i) => Math.hypot(...edges.subarray(4 * i, 4 * i + 4))).flatMap((x) => [
        f32(x / 2),
        f32(x * 1.25),
      ]),
      ulp: 8,
    },
  },
  {
    // OpenCL C 7.5.1 and C99 F.9.1.4: the zeros are told apart.
    name: "the angle of the origin",
    from: "opencl",
    text: `__kernel void k(__global const float *y, __global const float *x, __global float *dst) { uint i = get_global_id(0); dst[i] = atan2(y[i], x[i]); }`,
    workgroupSize: [signs.length, 1, 1],
    args: {
      y: Float32Array.from(signs, (s) => s[0]),
      x: Float32Array.from(signs, (s) => s[1]),
      dst: floats(signs.length),
    },
    expected: { buffer: "dst", values: signs.map(([y, x]) => f32(Math.atan2(y, x))), ulp: 6 },
  },
  {
    name: "a power of two that no float holds, by which one is multiplied",
    from: "opencl",
    text: `__kernel void k(__global const float *x, __global const int *n, __global float *dst) { uint i = get_global_id(0); dst[i] = ldexp(x[i], n[i]); }`,
    workgroupSize: [4, 1, 1],
    args: { x: Float32Array.of(2 ** -100, 2 ** 100, -3, 1), n: Int32Array.of(150, -150, 3, 200), dst: floats(4) },
    expected: { buffer: "dst", values: [2 ** 50, 2 ** -50, -24, Infinity] },
  },
  {
    name: "a variable of one case, used in another",
    from: "glsl",
    text: `#version 450
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer B { uint dst[]; };
void main() { uint i = gl_GlobalInvocationID.x, r = 0u; switch (i & 3u) { case 0u: uint t = 5u; r = t; break; case 1u: t = 7u; r = t; } dst[i] = r; }`,
    workgroupSize: [16, 1, 1],
    args: { dst: uints(16) },
    expected: { buffer: "dst", values: count(16, (i) => [5, 7, 0, 0][i % 4]!) },
  },
  {
    name: "a declaration after a case",
    from: "glsl",
    text: `#version 450
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer B { uint dst[]; };
void main() { uint i = gl_GlobalInvocationID.x, r = 0u; switch (i & 3u) { case 0u: uint t = i * 5u; r = t; break; default: r = 1u; } dst[i] = r; }`,
    workgroupSize: [16, 1, 1],
    args: { dst: uints(16) },
    expected: { buffer: "dst", values: count(16, (i) => (i % 4 === 0 ? i * 5 : 1)) },
  },
  {
    // C99 6.5.6 (8): a pointer past the end may be made, not read.
    name: "a pointer past the end that nobody reads",
    from: "opencl",
    text: `int sum(const int *b, const int *e) { int r = 0; for (int i = 0; i < 8; i++) r = r * 3 + b[i]; return r; }
__kernel void k(__global const uint *src, __global uint *dst) {
  uint i = get_global_id(0);
  int a[8]; for (int j = 0; j < 8; ++j) a[j] = j + i;
  dst[i] = sum(a, a + 8);
}`,
    workgroupSize: [8, 1, 1],
    args: { src: uints(1), dst: uints(8) },
    expected: {
      buffer: "dst",
      values: count(8, (i) => count(8, (j) => i + j).reduce((r, x) => r * 3 + x, 0)),
    },
  },
  {
    name: "pointers past the end, and writes under a condition",
    from: "opencl",
    text: `void put(int *b, int *e, int n) { for (int *p = b; p != e; p++) if (n > 4) *p = n; if (n > 100) *e = 5; }
__kernel void k(__global const uint *src, __global uint *dst) {
  uint i = get_global_id(0);
  int a[4]; for (int j = 0; j < 4; ++j) a[j] = j;
  put(a + 1, a + 4, i);
  dst[i] = a[0] * 1000 + a[1] * 100 + a[2] * 10 + a[3];
}`,
    workgroupSize: [8, 1, 1],
    args: { src: uints(1), dst: uints(8) },
    expected: { buffer: "dst", values: count(8, (i) => (i > 4 ? i * 111 : 123)) },
  },
  {
    name: "a constant index outside its array, never reached",
    from: "opencl",
    text: `__kernel void k(__global const uint *src, __global uint *dst) {
  uint a[4];
  uint i = get_global_id(0);
  for (uint j = 0; j < 4; j++) a[j] = j;
  uint *p = a;
  if (i > 1000) p[5] = 1;
  dst[i] = a[i & 3];
}`,
    workgroupSize: [8, 1, 1],
    args: { src: uints(1), dst: uints(8) },
    expected: { buffer: "dst", values: count(8, (i) => i % 4) },
  },
  {
    // D3D11.3 22.13.14 (udiv): all ones.
    name: "unsigned division by zero in HLSL",
    from: "hlsl",
    text: `StructuredBuffer<uint> src : register(t0); RWStructuredBuffer<uint> dst : register(u1);
[numthreads(16,1,1)] void main(uint3 id : SV_DispatchThreadID) {
  uint i = id.x; uint b = i & 3;
  dst[i * 2] = (i + 5) / b;
  dst[i * 2 + 1] = (i + 5) % b;
}`,
    workgroupSize: [16, 1, 1],
    args: { src: uints(1), dst: uints(32) },
    expected: {
      buffer: "dst",
      values: count(16, (i) => i).flatMap((i) =>
        i % 4 === 0 ? [0xffffffff, 0xffffffff] : [Math.floor((i + 5) / (i % 4)), (i + 5) % (i % 4)],
      ),
    },
  },
  {
    name: "an enumeration of uchar",
    from: "msl",
    text: `#include <metal_stdlib>
using namespace metal;
enum class F : uchar { X = 250, Y };
kernel void k(device uint *dst [[buffer(0)]], uint i [[thread_position_in_grid]]) { F f = F(i + 250); dst[i] = f == F::Y ? 1 : 2; }`,
    workgroupSize: [8, 1, 1],
    args: { dst: uints(8) },
    expected: { buffer: "dst", values: count(8, (i) => (i === 1 ? 1 : 2)) },
  },
  {
    name: "a member called length",
    from: "opencl",
    text: `typedef struct { uint offset; uint length; } span;
__kernel void k(__global const uint *src, __global uint *dst) { uint j = get_global_id(0); span s; s.offset = 1; s.length = src[j]; dst[j] = s.length + s.offset; }`,
    workgroupSize: [4, 1, 1],
    args: { src: Uint32Array.of(4, 3, 0xffffffff, 9), dst: uints(4) },
    expected: { buffer: "dst", values: [5, 4, 0, 10] },
  },
  {
    // C++14 2.13.3 (2): a char, of 8 bits.
    name: "a character of C++",
    from: "msl",
    text: `#include <metal_stdlib>
using namespace metal;
static int f(char x) { return 1; } static int f(int x) { return 2; }
kernel void k(device int *dst [[buffer(0)]], uint i [[thread_position_in_grid]]) { auto c = 'a'; c += 100; dst[i] = c * 10 + f('a'); }`,
    workgroupSize: [2, 1, 1],
    args: { dst: ints(2) },
    expected: { buffer: "dst", values: [-589, -589] },
  },
  {
    // OpenCL C 7.5.1 and C99 F.9.4.4.
    name: "powers at their edges",
    from: "opencl",
    text: `__kernel void k(__global const uint *src, __global uint *dst) { int i = get_global_id(0); float x = i - 8; __global uint *d = dst + i * 16; d[0] = isnan(powr(x, 2.0f)); d[1] = isnan(powr(0.0f, 0.0f)); d[2] = isnan(powr(INFINITY, 0.0f)); d[3] = isnan(powr(1.0f, INFINITY)); d[4] = isnan(powr(-0.0f, 3.0f)); d[5] = as_uint(powr(fabs(x), 2.0f)); d[6] = isnan(powr(NAN, 0.0f)); d[7] = as_uint(pow(x, 3.0f)); d[8] = as_uint(pown(x, -3)); d[9] = isnan(pow(x, 0.5f)); d[10] = as_uint(pow(NAN, 0.0f)); d[11] = as_uint(pow(1.0f, NAN)); d[12] = as_uint(rootn(x, 3)) ; d[13] = isnan(rootn(x, 2)); d[14] = as_uint(pow(-0.0f, -3.0f)); d[15] = as_uint(pow(-1.0f, INFINITY)); }`,
    workgroupSize: [16, 1, 1],
    args: { src: uints(1), dst: uints(256) },
    expected: {
      buffer: "dst",
      values: count(16, (i) => i - 8).flatMap((x) => {
        const negative = x < 0 ? 1 : 0;
        return [
          negative,
          1,
          1,
          1,
          0,
          bits(x * x),
          1,
          bits(x ** 3),
          bits(1 / x ** 3),
          negative,
          bits(1),
          bits(1),
          bits(Math.cbrt(x)),
          negative,
          bits(-Infinity),
          bits(1),
        ];
      }),
      ulp: 16,
    },
  },
  {
    name: "a buffer called __proto__",
    from: "opencl",
    text: `__kernel void k(__global uint *__proto__) { __proto__[get_global_id(0)] = 1; }`,
    workgroupSize: [4, 1, 1],
    args: Object.fromEntries([["__proto__", uints(4)]]),
    expected: { buffer: "__proto__", values: [1, 1, 1, 1] },
  },
  {
    name: "functions that call the one before twice",
    from: "opencl",
    unjudged: { hlsl: "DXC puts every call in place, 2 to the 40th of them" },
    text: `${chainOfCalls(40)}
__kernel void k(__global uint *dst) { dst[get_global_id(0)] = f40(1); }`,
    workgroupSize: [1, 1, 1],
    args: { dst: uints(1) },
    findings: {
      msl: /gave up|given up|steps/,
      glsl: /gave up|given up|steps/,
      opencl: /gave up|given up|steps/,
      hlsl: /gave up|given up|steps/,
    },
  },
  {
    // Of which twelve go round twice.
    name: "thirty nested loops",
    from: "opencl",
    text: `__kernel void k(__global uint *dst) { uint s = 0; ${nestedLoops(30, 12)} s++; dst[get_global_id(0)] = s; }`,
    workgroupSize: [1, 1, 1],
    args: { dst: uints(1) },
    expected: { buffer: "dst", values: [4096] },
  },
  {
    name: "thirty nested loops, 2 to the 30th turns",
    from: "opencl",
    text: `__kernel void k(__global uint *dst) { uint s = 0; ${nestedLoops(30, 30)} s++; dst[get_global_id(0)] = s; }`,
    workgroupSize: [1, 1, 1],
    args: { dst: uints(1) },
    findings: {
      msl: /gave up|given up|steps/,
      glsl: /gave up|given up|steps/,
      opencl: /gave up|given up|steps/,
      hlsl: /gave up|given up|steps/,
    },
  },
  {
    // Computed in floats, as the source has it, and not in doubles.
    name: "constants that a compiler would fold in doubles",
    from: "opencl",
    text: `__kernel void k(__global const uint *src, __global uint *dst) { uint i = get_global_id(0); dst[i * 4] = (uint)(0.29f * 100.0f); dst[i * 4 + 1] = 16777217.0f == 16777216.0f; dst[i * 4 + 2] = 0.1f + 0.2f == 0.3f; dst[i * 4 + 3] = as_uint(1e30f * 1e30f / 1e30f); }`,
    workgroupSize: [2, 1, 1],
    args: { src: uints(1), dst: uints(8) },
    expected: {
      buffer: "dst",
      values: count(2, () => 0).flatMap(() => [
        Math.trunc(f32(f32(0.29) * 100)),
        1,
        f32(f32(0.1) + f32(0.2)) === f32(0.3) ? 1 : 0,
        bits(Infinity),
      ]),
    },
  },
  {
    name: "a workgroup of three dimensions",
    from: "hlsl",
    text: `RWStructuredBuffer<uint> dst : register(u0);
[numthreads(4,2,2)] void main(uint gi : SV_GroupIndex, uint3 g : SV_GroupID) {
  dst[gi + g.x * 16] = gi;
}`,
    workgroups: 2,
    workgroupSize: [4, 2, 2],
    args: { dst: uints(32) },
    expected: { buffer: "dst", values: count(32, (i) => i % 16) },
  },
  {
    // GLSL 4.60 8.8 and MSL 3.1 6.4: undefined beyond the number.
    name: "bit fields that end beyond the number",
    from: "glsl",
    text: `#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer A { uint src[]; }; layout(std430, binding = 1) buffer B { uint dst[]; };
void main() { uint i = gl_GlobalInvocationID.x; dst[i] = bitfieldExtract(src[i], int(i & 31u), 8); }`,
    workgroupSize: [32, 1, 1],
    args: { src: uints(32), dst: uints(32) },
    findings: { glsl: /8 bits from bit (2[5-9]|3[01]) of a number of 32/, msl: /8 bits from bit (2[5-9]|3[01])/ },
  },
];

function chainOfCalls(n: number): string {
  return ["uint f0(uint x) { return x + 1; }"]
    .concat(count(n, (i) => i + 1).map((i) => `uint f${i}(uint x) { return f${i - 1}(x) + f${i - 1}(x); }`))
    .join("\n");
}
function nestedLoops(n: number, twice: number): string {
  return count(n, (i) => i)
    .map((i) => `for (uint i${i} = 0; i${i} < ${i < twice ? 2 : 1}; i${i}++)`)
    .join(" ");
}

/** Floats by their distance in units of the last place; zeros by their sign, NaNs as one. */
function near(a: number, b: number, ulp: number): boolean {
  if (Object.is(a, b)) return true;
  const [x, y] = [f32(a), f32(b)];
  if (!Number.isFinite(x) || !Number.isFinite(y) || x === 0 || y === 0) return Object.is(x, y);
  return Math.sign(x) === Math.sign(y) && Math.abs((bits(x) & 0x7fffffff) - (bits(y) & 0x7fffffff)) <= ulp;
}

function agrees(got: Data, { values, ulp }: NonNullable<Defect["expected"]>): boolean {
  return values.every((want, i) => {
    const value = got[i]!;
    if (got instanceof Float32Array) return near(value, want, ulp ?? 0);
    // Words of floats, where there is a tolerance; truth values and counts are none.
    return value === want || (ulp !== undefined && want > 0xffff && Math.abs(value - want) <= ulp);
  });
}

/** The names of arguments that are reserved in every other dialect. */
const renamed = new Map([["__proto__", "_proto_"]]);

/** `path`: the dialects it went through. What one of them defines is defined from there on. */
async function check(d: Defect, path: readonly TwoWayDialect[], text: string): Promise<void> {
  const dialect = path.at(-1)!;
  const nameOf = (name: string): string => (path.length > 1 ? (renamed.get(name) ?? name) : name);
  const open = path.every((p) => d.findings?.[p]) ? d.findings?.[dialect] : undefined;
  const { buffers, findings, diagnostics } = await simulate(text, {
    from: dialect,
    workgroups: [d.workgroups ?? 1],
    workgroupSize: d.workgroupSize,
    seed: 3,
    maxSteps: 2 ** 20,
    args: Object.fromEntries(Object.entries(d.args).map(([n, x]) => [nameOf(n), x])),
  });
  const said = [...findings, ...diagnostics.filter((x) => x.severity === "error")].map((x) => x.message);
  if (open) {
    expect(said.join("; "), text).toMatch(open);
    return;
  }
  expect(said, text).toEqual([]);
  if (!d.expected) return;
  const got = buffers[nameOf(d.expected.buffer)] as Data;
  if (!agrees(got, d.expected)) expect([...got], text).toEqual(d.expected.values);
}

const texts: Judgeable[] = [];

async function translated(
  d: Defect,
  from: TwoWayDialect,
  text: string,
  to: TwoWayDialect,
): Promise<string | undefined> {
  const { code, diagnostics } = await translate(`${text}\n`, { from, to, workgroupSize: d.workgroupSize });
  const errors = diagnostics.filter((x) => x.severity === "error").map((x) => x.message);
  const refusal = d.refused?.[to];
  if (refusal) {
    expect(errors.join("; "), text).toMatch(refusal);
    return undefined;
  }
  expect(errors, text).toEqual([]);
  return code;
}

describe("kernels that were translated wrongly", () => {
  describe.each(defects)("$name", (d) => {
    test("means what it should", async () => {
      if (!d.unjudged?.[d.from]) texts.push(judgeable(d.from, `${d.name} in ${d.from}`, `${d.text}\n`));
      await check(d, [d.from], d.text);
    });
    test.each(twoWayDialects.filter((t) => t !== d.from))("to %s, and on from there", async (to) => {
      const code = await translated(d, d.from, d.text, to);
      if (code === undefined) return;
      if (!d.unjudged?.[to]) texts.push(judgeable(to, `${d.name}, ${d.from} to ${to}`, code));
      await check(d, [d.from, to], code);
      for (const next of twoWayDialects.filter((t) => t !== to)) {
        const again = await translated(d, to, code, next);
        if (again !== undefined) await check(d, [d.from, to, next], again);
      }
    });
  });

  for (const dialect of twoWayDialects) {
    judgeTest(judges[dialect], `the ${dialect} compiler takes them all`, async () => {
      const mine = texts.filter((t) => t.dialect === dialect);
      expect(mine.length).toBeGreaterThan(defects.length / 2);
      expect(refusals(await judgeOutputs(mine))).toBe("");
    });
  }
});
