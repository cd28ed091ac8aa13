/**
 * Forms that public kernels use. Each case is a small kernel with the result worked out by hand; the source and every
 * translation of it are run, and every text goes before its real compiler. Where a form must not be taken, the reason is
 * expected instead.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../src/index.js";
import { twoWayDialects } from "../src/dialects/ids.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

interface Case {
  readonly name: string;
  readonly from: TwoWayDialect;
  readonly source: string;
  readonly args: Readonly<Record<string, Float32Array | Int32Array | Uint32Array | number | readonly number[]>>;
  readonly workgroupSize: readonly number[];
  readonly expected: Readonly<Record<string, readonly number[]>>;
  /** Why the source's own judge does not take it, although its language does. */
  readonly unjudged?: string;
}

const f32 = (...n: number[]): Float32Array => Float32Array.from(n);
const i32 = (...n: number[]): Int32Array => Int32Array.from(n);
const metal = "#include <metal_stdlib>\nusing namespace metal;\n";

const cases: readonly Case[] = [
  {
    name: "std140 buffers whose members lie as in std430",
    from: "glsl",
    source: `#version 450
struct P { vec4 pos; vec2 a; vec2 b; };
layout(std140, binding = 0) buffer Ps { P ps[]; };
layout(std140, binding = 1) readonly buffer Qs { vec4 qs[]; };
layout(local_size_x = 2) in;
void main() { uint i = gl_GlobalInvocationID.x; ps[i].pos += qs[i]; ps[i].b = ps[i].a * 2.0; }`,
    args: {
      ps: f32(1, 2, 3, 4, 5, 6, 0, 0, 10, 20, 30, 40, 7, 8, 0, 0),
      qs: f32(1, 1, 1, 1, 2, 2, 2, 2),
    },
    workgroupSize: [2, 1, 1],
    expected: { ps: [2, 3, 4, 5, 5, 6, 10, 12, 12, 22, 32, 42, 7, 8, 14, 16] },
  },
  {
    name: "explicit offsets that are the natural ones, row_major without matrices, scalar layout of scalars",
    from: "glsl",
    source: `#version 450
#extension GL_EXT_scalar_block_layout : require
layout(scalar, row_major, binding = 0) buffer B { float x[]; };
layout(push_constant) uniform PC { layout(offset = 0) float s; layout(offset = 4) uint n; layout(offset = 8) vec2 v; } pc;
layout(local_size_x = 2) in;
void main() { uint i = gl_GlobalInvocationID.x; if (i < pc.n) x[i] = x[i] * pc.s + pc.v.y; }`,
    args: { x: f32(1, 2), s: 3, n: 1, v: [5, 7] },
    workgroupSize: [2, 1, 1],
    expected: { x: [10, 2] },
  },
  {
    name: "an array sized by a specialisation constant, which keeps its default",
    from: "glsl",
    source: `#version 450
layout(local_size_x = 5) in;
layout(constant_id = 0) const int N = 4;
const int M = N + 1;
layout(binding = 0) buffer B { int x[]; };
shared int t[M];
void main() {
  uint i = gl_LocalInvocationIndex;
  t[i] = int(i) * 10;
  barrier();
  x[i] = t[M - 1 - int(i)] + N;
}`,
    args: { x: new Int32Array(5) },
    workgroupSize: [5, 1, 1],
    expected: { x: [44, 34, 24, 14, 4] },
  },
  {
    name: "constants made of specialisation constants, arrays sized by gl_WorkGroupSize",
    from: "glsl",
    source: `#version 450
layout(constant_id = 3) const uint N = 4;
const uint M = N * 2u + 1u;
layout(local_size_x = 4) in;
const uint W = gl_WorkGroupSize.x * 2u;
layout(binding = 0) buffer B { uint x[]; };
shared uint t[W];
void main() {
  uint i = gl_LocalInvocationID.x;
  t[i] = M; t[i + 4u] = W;
  barrier();
  x[i] = t[(i + 2u) % W] * 100u + i;
}`,
    args: { x: new Uint32Array(4), N: 5 },
    workgroupSize: [4, 1, 1],
    expected: { x: [1100, 1101, 802 + 0, 803] },
  },
  {
    name: "arrays sized by local constants that specialisation constants make",
    from: "glsl",
    source: `#version 450
layout(local_size_x = 4) in;
layout(constant_id = 0) const uint A = 24;
layout(constant_id = 1) const uint B = 2;
layout(constant_id = 2) const uint C = 7;
layout(std430, binding = 0) buffer X { uint x[]; };
void main() {
  const uint N = A / (B * 4), HALF = N * B / 2, OTHER = C + A;
  uint sums[HALF], more[N + 1];
  for (uint k = 0; k < HALF; k++) { sums[k] = k * 10; more[k + 1] = OTHER; }
  uint i = gl_GlobalInvocationID.x;
  x[i] += sums[i % N] + more[1 + i % N];
}`,
    args: { x: Uint32Array.from([1, 2, 3, 4]), C: 9 },
    workgroupSize: [4, 1, 1],
    expected: { x: [34, 45, 56, 37] },
  },
  {
    name: "matrices chosen from memories of two kinds",
    from: "glsl",
    source: `#version 450
layout(local_size_x = 2) in;
layout(std430, binding = 0) readonly buffer M { mat2 m[]; };
layout(std430, binding = 1) buffer X { float x[]; };
layout(push_constant) uniform P { mat2 c; };
shared mat2 t[2];
void main() {
  uint i = gl_GlobalInvocationID.x;
  mat2 own = mat2(9.0), a = i < 1 ? m[i] : mat2(5.0), b = i < 1 ? m[i] : i < 3 ? c : own, d = i < 1 ? a : own;
  t[i] = a;
  mat2 e = i < 1 ? m[1] : t[i];
  x[i] = a[0].x + b[1].y * 10.0 + d[0].x * 100.0 + e[1].y * 1000.0;
}`,
    args: { m: f32(1, 2, 3, 4, 5, 6, 7, 8), x: f32(0, 0), c: [0.5, 0, 0, 6] },
    workgroupSize: [2, 1, 1],
    expected: { x: [8141, 5965] },
  },
  {
    name: "maxima and minima with zeros of two signs",
    from: "msl",
    // -0, and 1 / -0 tells it; which of two equal operands is the result is open, and one in all texts.
    source: `${metal}kernel void k(device float* x [[buffer(0)]], device const float* z [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float a = z[i], n = max(a * 2.0f, 0.0f); float3 v = clamp(float3(a, 1, a), 0.0f, 1.0f);
  x[i] = (1 / max(a, 0.0f) < 0 ? 1 : 2) + (1 / max(0.0f, a) < 0 ? 10 : 20) + (1 / min(a, 0.0f) < 0 ? 100 : 200) + (1 / n < 0 ? 1000 : 2000) + (1 / v.z < 0 ? 10000 : 20000);
}`,
    args: { x: f32(0, 0), z: f32(-0, 0) },
    workgroupSize: [2, 1, 1],
    expected: { x: [11121, 22222] },
  },
  {
    name: "uniforms outside blocks",
    from: "glsl",
    unjudged: "OpenGL has them, Vulkan does not",
    source: `#version 430
uniform float scale = 3.0 * 0.5;
layout(location = 2) uniform ivec2 by;
layout(std430, binding = 0) buffer B { float x[]; };
layout(local_size_x = 2) in;
void main() { uint i = gl_GlobalInvocationID.x; x[i] = x[i] * scale + float(by.y - by.x); }`,
    args: { x: f32(1, 2), scale: 10, by: [3, 5] },
    workgroupSize: [2, 1, 1],
    expected: { x: [12, 22] },
  },
  {
    name: "push constants, specialisation constants and other entry functions of HLSL",
    from: "hlsl",
    source: `struct VSOut { float4 pos : SV_Position; float2 uv : TEXCOORD0; };
struct PC { float dt; uint n; };
[[vk::push_constant]] PC pc;
[[vk::constant_id(2)]] const uint TAPS = 3;
RWStructuredBuffer<float> o : register(u0);
groupshared row_major float2x2 g;
float4 vs(uint id : SV_VertexID) : SV_Position { VSOut v = (VSOut)0; v.pos.x = id; return v.pos; }
[shader("compute")]
[NumThreads(4, 1, 1)]
void CS(uint3 t : SV_DispatchThreadID) {
  if (t.x == 0) g[1][0] = 0.5;
  GroupMemoryBarrierWithGroupSync();
  [Unroll] for (int k = 0; k < 2; k++) o[t.x] += k;
  for (uint i = 0; i < TAPS; i++) if (t.x < pc.n) o[t.x] += pc.dt + g[1][0];
}`,
    args: { o: f32(1, 2, 3, 4), dt: 1.5, n: 3, TAPS: 2 },
    workgroupSize: [4, 1, 1],
    expected: { o: [6, 7, 8, 5] },
  },
  {
    // What Metal's headers say lies in such a buffer, in order.
    name: "structs of indirect commands, which Metal's headers declare",
    from: "msl",
    source: `${metal}struct All { MTLDrawPrimitivesIndirectArguments draw; MTLDispatchThreadgroupsIndirectArguments groups; };
void fill(device MTLDispatchThreadgroupsIndirectArguments& a, uint n) {
  a.threadgroupsPerGrid[0] = (n + 31) / 32;
  a.threadgroupsPerGrid[1] = 2;
  a.threadgroupsPerGrid[2] = 1;
}
kernel void k(device All* all [[buffer(0)]], device MTLDrawIndexedPrimitivesIndirectArguments& d [[buffer(1)]],
              device MTLDispatchThreadsIndirectArguments* t [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  fill(all[i].groups, 100);
  all[i].draw.vertexCount = 3;
  all[i].draw.instanceCount = all[i].groups.threadgroupsPerGrid[0];
  all[i].draw.vertexStart = sizeof(MTLStageInRegionIndirectArguments);
  all[i].draw.baseInstance = 7;
  MTLDrawIndexedPrimitivesIndirectArguments made = {1, 2, 3, -4, 5};
  d = made;
  t[i].threadsPerGrid[2] = uint(d.baseVertex + 10);
  t[i].threadsPerThreadgroup[0] = 64;
}`,
    args: { all: new Uint32Array(7), d: new Int32Array(5), t: new Uint32Array(6) },
    workgroupSize: [1, 1, 1],
    expected: { all: [3, 4, 24, 7, 4, 2, 1], d: [1, 2, 3, -4, 5], t: [0, 0, 6, 64, 0, 0] },
  },
  {
    name: "matrices made of lists, along rows",
    from: "hlsl",
    source: `RWStructuredBuffer<float> o : register(u0);
[numthreads(1, 1, 1)]
void CS() {
  static const float3x3 m = { 1, 2, 3, {4, 5, 6}, float3(7, 8, 9) };
  float2x3 k = { {10, 20, 30}, {40, 50, 60} };
  o[0] = m[0][1]; o[1] = m[2][0]; o[2] = k[1][2]; o[3] = k[0][1];
  float3 v = mul(m, float3(1, 0, 2));
  o[4] = v.x; o[5] = v.y; o[6] = v.z;
}`,
    args: { o: new Float32Array(7) },
    workgroupSize: [1, 1, 1],
    expected: { o: [2, 7, 60, 20, 7, 16, 25] },
  },
  {
    name: "constants made of components of constants",
    from: "hlsl",
    source: `RWStructuredBuffer<uint> o : register(u0);
static const uint3 size = uint3(2u, 3u, 5u);
static const uint wide = size.y;
static const uint area = wide * size.z + 1u;
[numthreads(1, 1, 1)] void CS() { o[0] = wide; o[1] = area; }`,
    args: { o: new Uint32Array(2) },
    workgroupSize: [1, 1, 1],
    expected: { o: [3, 16] },
  },
  {
    name: "names with two underscores in front",
    from: "hlsl",
    source: `RWStructuredBuffer<int> o : register(u0);
int __twice(int __x) { return __x * 2; }
[numthreads(2, 1, 1)]
void CS(uint3 __id : SV_GroupThreadID) { int __y = __twice(int(__id.x)); o[__id.x] = __y + 1; }`,
    args: { o: new Int32Array(2) },
    workgroupSize: [2, 1, 1],
    expected: { o: [1, 3] },
  },
  {
    name: "extension atomics, cross of four components, mul24 of sizes, attributes with underscores",
    from: "opencl",
    unjudged: "mul24 of two sizes is ambiguous where size_t is wider than int, as clang has it",
    source: `#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable
__attribute__((__noinline__)) static int next(int x) { return x + 1; }
__kernel __attribute__((__vec_type_hint__(float4))) void k(__global float *a, volatile __global int *c, __global int *o) {
  __private const float4 u = (float4)(1, 2, 3, 4);
  const float4 v = (float4)(5, 6, 7, 8);
  float4 w = cross(u, v);
  a[0] = w.x; a[1] = w.y; a[2] = w.z; a[3] = w.w;
  if (get_local_id(0) == 1) { atom_add(c, 5); atom_inc(c); atom_max(c, 4); atom_xor(&c[1], 3); }
  o[get_local_id(0)] = mul24(get_local_id(0), get_local_size(0)) + next(1);
}`,
    args: { a: new Float32Array(4), c: i32(10, 1), o: new Int32Array(2) },
    workgroupSize: [2, 1, 1],
    expected: { a: [2 * 7 - 3 * 6, 3 * 5 - 1 * 7, 1 * 6 - 2 * 5, 0], c: [16, 2], o: [2, 4] },
  },
  {
    name: "ranges of elements in lists, as GNU C has them",
    from: "opencl",
    source: `#define N 6
__kernel void k(__global int *y) {
  int i = (int)get_global_id(0);
  int a[N] = {[0 ... N / 2 - 1] = 4, [4] = i, 9};
  float b[] = {[1 ... 3] = 0.5f};
  y[i] = a[0] * 100000 + a[2] * 10000 + a[3] * 1000 + a[4] * 100 + a[5] * 10 + (int)(b[0] + b[1] + b[3] + sizeof(b));
}`,
    args: { y: i32(0, 0) },
    workgroupSize: [2, 1, 1],
    // 4 4 4 0 i 9; three halves (b[0] is 0) and 16 bytes.
    expected: { y: [440000 + 90 + 17, 440000 + 100 + 90 + 17] },
  },
  {
    name: "pointers compared, also where they step below the first element",
    from: "opencl",
    source: `__kernel void k(__global int *a, __global int *o, int n) {
  __global int *p = a + get_local_id(0);
  __global int *end = a + n;
  int sum = 0, back = 0;
  for (; p < end; p += 2) sum += *p;
  for (p = a + get_local_id(0); p >= a; p--) back = back * 10 + *p;
  o[get_local_id(0)] = sum; o[2 + get_local_id(0)] = back; o[4 + get_local_id(0)] = a == end;
}`,
    args: { a: i32(1, 2, 3, 4), o: new Int32Array(6), n: 4 },
    workgroupSize: [2, 1, 1],
    expected: { o: [4, 6, 1, 21, 0, 0] },
  },
  {
    name: "kernels beside vertex and fragment functions",
    from: "msl",
    unjudged: "the shim checks kernels only",
    source: `${metal}struct V { float4 p [[position]]; float2 uv [[user(locn0)]]; };
vertex V vmain(uint i [[vertex_id]], constant float4 *x [[buffer(0)]]) { V v; v.p = x[i]; return v; }
fragment float4 fmain(V v [[stage_in]], texture2d<float> t [[texture(0)]]) { return v.p; }
constant uint3 gl_WorkGroupSize [[maybe_unused]] = uint3(2u, 1u, 1u);
static inline __attribute__((always_inline)) float twice(float x) { return x * 2.0; }
kernel void k(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = twice(a[i]) + gl_WorkGroupSize.x; }`,
    args: { a: f32(1, 2) },
    workgroupSize: [2, 1, 1],
    expected: { a: [4, 6] },
  },
  {
    name: "atomics whose value a comma or a step drops",
    from: "glsl",
    source: `#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int x[]; };
void main() {
  int n = 0;
  n++, atomicAdd(x[0], 1);
  for (int i = 0; i < 3; i++, atomicAdd(x[1], 2)) n += i;
  int k = (atomicOr(x[2], 4), n);
  x[3] = k;
}`,
    args: { x: i32(10, 20, 1, 0) },
    workgroupSize: [1, 1, 1],
    expected: { x: [11, 26, 5, 4] },
  },
  {
    name: "bits of bools beside a vector of them",
    from: "hlsl",
    source: `RWStructuredBuffer<int> x;
static int n;
bool f() { n++; return x[1] > n; }
[numthreads(1, 1, 1)] void main() {
  bool2 v = bool2(x[0], x[1]);
  bool b = x[2];
  bool2 r = v | (b & f());
  x[3] = int(r.x) + 2 * int(r.y) + 4 * n;
}`,
    args: { x: i32(1, 0, 1, 9) },
    workgroupSize: [1, 1, 1],
    expected: { x: [1, 0, 1, 5] },
  },
];

const targetsOf = (c: Case): TwoWayDialect[] => twoWayDialects.filter((d) => d !== c.from);

async function translated(c: Case, to: TwoWayDialect): Promise<string> {
  const made = await translate(c.source, {
    from: c.from,
    to,
    fileName: "plain",
    workgroupSize: c.workgroupSize,
  });
  expect(made.diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  return made.code!;
}

async function run(c: Case, from: TwoWayDialect, source: string): Promise<Record<string, number[]>> {
  const { buffers, diagnostics } = await simulate(source, {
    from,
    fileName: "plain",
    workgroups: [1, 1, 1],
    args: c.args as Parameters<typeof simulate>[1]["args"],
    workgroupSize: c.workgroupSize,
  });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  return Object.fromEntries(Object.keys(c.expected).map((name) => [name, [...(buffers[name] as Float32Array)]]));
}

describe.each(cases)("$name", (c) => {
  test("computes what it says", async () => {
    expect(await run(c, c.from, c.source)).toEqual(c.expected);
  });
  test.each(targetsOf(c))("%s too", async (to) => {
    expect(await run(c, to, await translated(c, to))).toEqual(c.expected);
  });
});

describe("judges", () => {
  for (const target of twoWayDialects) {
    judgeTest(judges[target], `the ${target} compiler accepts the translations`, async () => {
      const texts: Judgeable[] = [];
      for (const c of cases)
        if (targetsOf(c).includes(target))
          texts.push(judgeable(target, `${c.name} from ${c.from}`, await translated(c, target)));
      expect(texts.length).toBeGreaterThan(3);
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
    if (target === "msl" || target === "opencl") continue;
    judgeTest(judges[target], `the ${target} compiler accepts the sources`, async () => {
      const texts = cases
        .filter((c) => c.from === target && !c.unjudged)
        .map((c) => judgeable(target, c.name, c.source));
      expect(texts.length).toBeGreaterThan(0);
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
  }
});

describe("what must not be taken", () => {
  const head = "#version 450\nlayout(local_size_x = 1) in;\n";
  const refused: readonly (readonly [string, TwoWayDialect, string, string])[] = [
    [
      "what is left of an effect",
      "hlsl",
      `RWStructuredBuffer<float> o;\n[numthreads(1, 1, 1)] void main() { o[0] = 1; }\ntechnique11 T { pass P { SetComputeShader(CompileShader(cs_5_0, main())); } }`,
      "a technique of an effect is not supported yet",
    ],
    [
      "a suffix of the user's",
      "msl",
      `kernel void k(device int *o [[buffer(0)]]) { o[0] = 3_km + 0x1F_bytes; }`,
      "a user-defined literal such as '3_km' is not supported yet",
    ],
    [
      "what gives a suffix its meaning",
      "msl",
      `constexpr int operator ""_km(unsigned long v) { return int(v) * 1000; }
kernel void k(device int *o [[buffer(0)]]) { o[0] = operator""_km(3); }`,
      "a user-defined literal is not supported yet",
    ],
    [
      "an atomic of HLSL without a place for its result as a value",
      "hlsl",
      `RWStructuredBuffer<int> o;\n[numthreads(1, 1, 1)] void main() { o[1] = int(InterlockedAdd(o[0], 1)); }`,
      "a call without value is used as one",
    ],
    [
      "an offset in what is before it",
      "glsl",
      `${head}layout(binding = 0) buffer B { vec4 y; layout(offset = 12) float x; };\nvoid main() { x = 1.0; }`,
      "'x' overlaps what is before it, which ends at byte 16",
    ],
    [
      "a call of a vertex function",
      "msl",
      `${metal}vertex float4 v(uint i [[vertex_id]]) { return float4(0.0); }\nkernel void k(device float4 *a [[buffer(0)]]) { a[0] = v(1); }`,
      "function 'v' is not declared",
    ],
    [
      "memory that the host sees while the kernel runs",
      "msl",
      `${metal}kernel void k(coherent(system) device uint *a [[buffer(0)]]) { a[0] = 1; }`,
      "memory that is coherent with the host is not supported yet",
    ],
    [
      "a vector of one component, of which Metal has none",
      "msl",
      `${metal}kernel void k(device float1 *a [[buffer(0)]]) { a[0] = 1; }`,
      "type 'float1' is not known",
    ],
    [
      "too few values for a matrix",
      "hlsl",
      `RWStructuredBuffer<float> o;\n[numthreads(1, 1, 1)] void main() { float2x2 m = {1, 2, 3}; o[0] = m[0][1]; }`,
      "float2x2 is made of 4 values, these are 3",
    ],
    [
      "a struct of HLSL made like a vector",
      "hlsl",
      `struct S { uint a; uint b; };\nRWStructuredBuffer<uint> o;\n[numthreads(1, 1, 1)] void main() { S s = S(1u, 2u); o[0] = s.a; }`,
      "a struct is made by a list in braces, not by a constructor",
    ],
    [
      "how far two buffers are apart where there are no pointers",
      "opencl",
      `__kernel void k(__global int *a, __global int *b, __global int *o) { o[0] = a - b; }`,
      "the pointer may point into b or a",
    ],
    [
      "an atomic on private memory",
      "glsl",
      `${head}uint z;\nvoid main() { atomicAdd(z, 1u); }`,
      "'atomicAdd' needs a place in a buffer or in workgroup memory",
    ],
    [
      "atom_add on floats",
      "opencl",
      `__kernel void k(__global float *a) { atom_add(a, 1.0f); }`,
      "no overload of atom_add takes (__global float *, float)",
    ],
  ];
  test.each(refused)("%s", async (_, from, source, message) => {
    const to = from === "msl" || from === "opencl" ? "glsl" : "msl";
    const made = await translate(source, {
      from,
      to,
      workgroupSize: from === "opencl" ? [1, 1, 1] : undefined,
    });
    expect(made.code).toBeUndefined();
    expect(made.diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toContain(message);
  });
});
