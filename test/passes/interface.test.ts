/** DESIGN, "Kernel interface": one list, deterministic slots, derived arguments, sizes the launch would choose. */
import { describe, expect, it } from "vitest";
import { bodyOf, outcome } from "./text.js";

const msl = `#include <metal_stdlib>
using namespace metal;
struct P { float a; uint2 b; };
kernel void k(device const float *x [[buffer(3)]], constant P &p [[buffer(1)]], device float *y [[buffer(0)]], constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]], uint g [[threadgroups_per_grid]]) {
  if (i < n) y[i] = x[i] * p.a + float(p.b.y + g);
}`;

describe("slots", () => {
  it("are push constants and bindings in GLSL", async () => {
    const { slots, text } = await outcome(msl, "msl", "glsl");
    expect(slots.map((s) => [s.path, s.kind, s.number, s.offset, s.size])).toEqual([
      ["x", "buffer", 0, 0, 0],
      ["p.a", "block", undefined, 0, 4],
      ["p.b", "block", undefined, 8, 8],
      ["y", "buffer", 1, 0, 0],
      ["n", "block", undefined, 16, 4],
    ]);
    expect(text).toContain("layout(push_constant) uniform Params {\n  P p;\n  uint n;\n};");
  });

  it("are one row of t and u and a cbuffer in HLSL, with what cannot be queried passed", async () => {
    const { slots, text, notes } = await outcome(msl, "msl", "hlsl");
    expect(slots.map((s) => [s.path, s.register, s.number, s.offset, s.derived])).toEqual([
      ["x", "t", 0, 0, undefined],
      ["p.a", "b", 0, 0, undefined],
      ["p.b", "b", 0, 4, undefined],
      ["y", "u", 1, 0, undefined],
      ["n", "b", 0, 12, undefined],
      ["num_workgroups", "b", 0, 16, "num_workgroups"],
    ]);
    expect(text).toContain("uint3 num_workgroups;");
    expect(notes.map((n) => n.op)).toContain("id.num_workgroups");
  });

  it("are argument indices in OpenCL C, in list order", async () => {
    const { slots } = await outcome(msl, "msl", "opencl");
    expect(slots.map((s) => [s.path, s.kind, s.number, s.offset])).toEqual([
      ["x", "buffer", 0, 0],
      ["p.a", "value", 1, 0],
      ["p.b", "value", 1, 8],
      ["y", "buffer", 2, 0],
      ["n", "value", 3, 0],
    ]);
  });

  it("keep bindings and sets between GLSL and HLSL", async () => {
    const glsl = `#version 450
layout(local_size_x = 8) in;
layout(std430, set = 2, binding = 5) buffer B { uint b[]; };
layout(std430, set = 0, binding = 3) readonly buffer A { uint a[]; };
void main() { b[gl_LocalInvocationID.x] = a[0]; }`;
    const { text } = await outcome(glsl, "glsl", "hlsl");
    expect(text).toContain("RWStructuredBuffer<uint> b : register(u5, space2);");
    expect(text).toContain("StructuredBuffer<uint> a : register(t3);");
  });

  it("take a uniform block above 128 bytes of values", async () => {
    const hlsl = `cbuffer C : register(b0) { float4 v[9]; };
RWStructuredBuffer<float4> o : register(u0);
[numthreads(1, 1, 1)]
void k(uint3 g : SV_DispatchThreadID) { o[0] = v[g.x]; }`;
    const { text, slots } = await outcome(hlsl, "hlsl", "glsl");
    expect(text).toContain("layout(std140, set = 0, binding = 1) uniform C {\n  vec4 v[9];\n};");
    expect(slots.find((s) => s.path.endsWith("v"))).toMatchObject({ kind: "block", number: 1, size: 144 });
  });
});

describe("objects without a number, in their own dialect", () => {
  it("GLSL: blocks and buffers share the bindings of a set", async () => {
    const source = `#version 450
layout(local_size_x = 64) in;
layout(std140, binding = 0) uniform P { uint n; };
layout(std140) uniform Q { uint m; };
layout(std430) buffer X { uint x[]; };
layout(std430, binding = 2) buffer Y { uint y[]; };
void main() { x[gl_GlobalInvocationID.x] = y[gl_GlobalInvocationID.x] + n + m; }
`;
    const { text } = await outcome(source, "glsl", "glsl");
    const bindings = [...text.matchAll(/binding = (\d+)\) .*?(?:uniform|buffer) (\w+)/g)].map((m) => `${m[2]} ${m[1]}`);
    expect(bindings.sort()).toEqual(["P 0", "Q 3", "X 1", "Y 2"]);
  });
  it("HLSL: each constant buffer has its own register", async () => {
    const source = `cbuffer A { uint a; };
cbuffer B : register(b0) { uint b; };
RWStructuredBuffer<uint> x : register(u0);
[numthreads(64, 1, 1)]
void k(uint3 id : SV_DispatchThreadID) { x[id.x] = a + b; }
`;
    const { text } = await outcome(source, "hlsl", "hlsl");
    expect([...text.matchAll(/cbuffer (\w+) : register\((b\d+)\)/g)].map((m) => `${m[1]} ${m[2]}`)).toEqual([
      "A b1",
      "B b0",
    ]);
  });
});

describe("what the launch chooses", () => {
  const local = `__kernel void k(__global int *x, __local int *s) {
  s[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = s[0];
}`;

  it("is asked for by name", async () => {
    const { problems } = await outcome(local, "opencl", "glsl", { workgroupSize: undefined });
    expect(problems.map((p) => [p.code, p.help])).toEqual([
      ["XL4003", "give it with --workgroup-size x,y,z; a build's config has workgroupSize"],
      ["XL4004", "give its bytes with --local s=bytes; a build's config has local"],
    ]);
  });

  it("makes a static array of the given bytes", async () => {
    const { text } = await outcome(local, "opencl", "hlsl", { local: { s: 256 } });
    expect(text).toContain("groupshared int s[64];");
  });

  it("is what constant indices reach, where there are no others", async () => {
    const constant = local.replaceAll("s[get_local_id(0)]", "s[2]").replace("= s[0]", "= s[1]");
    expect((await outcome(constant, "opencl", "glsl")).text).toContain("shared int s[3];");
    const { problems } = await outcome(constant.replace("s[2]", "s[-1 + (int)get_local_id(0)]"), "opencl", "glsl");
    expect(problems.map((p) => p.code)).toEqual(["XL4004"]);
  });

  it("takes more bytes where the target has no packed vectors, which a note and the slot say", async () => {
    const packed = `#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], threadgroup packed_float3 *s [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]]) {
  s[i] = packed_float3(x[i], 2, 3);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = s[7 - i].x;
}`;
    const { notes, slots } = await outcome(packed, "msl", "opencl");
    // A packed_float3 has 12 bytes (MSL 2.3), a float3 of OpenCL C 16 (6.3.5).
    expect(slots.find((s) => s.path === "s")?.strides).toEqual({ here: 16, source: 12 });
    expect(notes.map((n) => n.message)).toContain(
      "s is given 16 bytes for each 12 that a launch of the source gives it",
    );
  });

  it("stays an argument in MSL", async () => {
    const { text } = await outcome(local, "opencl", "msl");
    expect(text).toContain("threadgroup int *s [[threadgroup(0)]]");
  });
});

describe("layouts", () => {
  const hlsl = `struct S { float3 p; uint id; };
StructuredBuffer<S> s : register(t0);
RWStructuredBuffer<uint> o : register(u0);
[numthreads(1, 1, 1)]
void k(uint3 g : SV_DispatchThreadID) { o[0] = s[g.x].id; }`;

  // A structured buffer packs S into 16 bytes, `id` at byte 12; MSL and OpenCL C give it 32 and put `id` at byte 16.
  it.each(["msl", "opencl"] as const)("that differ are words in %s", async (to) => {
    const { text, notes, problems } = await outcome(hlsl, "hlsl", to);
    expect(problems).toEqual([]);
    expect(bodyOf(text).at(-1)).toMatch(/^o\[0\] = s\[(get_global_id\(0\)|g) \* 4u \+ 3u\];$/);
    expect(notes.find((n) => n.op === "layout")?.message).toContain("32");
  });

  it("that are the same stay", async () => {
    expect((await outcome(hlsl, "hlsl", "glsl")).text).toContain("buffer SBuffer { S s[]; };");
  });

  it("are words where an atomic op works on a component", async () => {
    const source = `RWStructuredBuffer<uint4> u : register(u0);
[numthreads(1, 1, 1)]
void k(uint3 g : SV_DispatchThreadID) { InterlockedAdd(u[g.x].z, 1u); }`;
    expect(bodyOf((await outcome(source, "hlsl", "opencl")).text).at(-1)).toBe("atomic_add(&u[g * 4u + 2u], 1u);");
    expect((await outcome(source, "hlsl", "glsl")).text).toContain("atomicAdd(u[gl_GlobalInvocationID.x].z, 1u);");
  });
});

describe("entries", () => {
  const two = `__kernel void a(__global int *x) { x[0] = 1; }
__kernel void b(__global int *y) { y[0] = 2; }`;

  it("are one a file in GLSL", async () => {
    expect((await outcome(two, "opencl", "glsl")).problems.map((p) => p.code)).toEqual(["XL4002"]);
    const { text } = await outcome(two, "opencl", "glsl", { entry: "b" });
    expect(text).toContain("y[0] = 2;");
    expect(text).not.toContain("x[0]");
  });

  it("may not be called main in MSL and OpenCL C", async () => {
    const glsl = `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer B { uint b[]; };
void main() { b[0] = 1u; }`;
    expect((await outcome(glsl, "glsl", "opencl", { fileStem: "fill" })).text).toContain("__kernel void fill(");
    expect((await outcome(glsl, "glsl", "msl", { fileStem: "8 ball" })).text).toContain("kernel void compute_main(");
    expect((await outcome(glsl, "glsl", "hlsl")).text).toContain("void main(");
  });
});

describe("static variables of HLSL", () => {
  const source = `RWStructuredBuffer<uint> u : register(u0);
static uint count;
static uint seed;
static float3 sum[2];
void add(uint n) { count += n; }
[numthreads(64, 1, 1)]
void k(uint3 gid : SV_DispatchThreadID) {
  seed = gid.x;
  add(seed);
  sum[0].x += 1.0f;
  u[gid.x] = count + uint(sum[1].x);
}
`;

  it("are zero at first, unless they get a value before anything reads them", async () => {
    const { text } = await outcome(source, "hlsl", "glsl");
    expect(text).toContain("uint count = 0u;\nuint seed;\nvec3 sum[2] = vec3[2](vec3(0.0), vec3(0.0));\n");
    expect(bodyOf((await outcome(source, "hlsl", "msl")).text).slice(0, 3)).toEqual([
      "uint count = 0u;",
      "uint seed;",
      "float3 sum[2] = {float3(0.0f), float3(0.0f)};",
    ]);
  });

  it("stay as they are in HLSL", async () => {
    expect((await outcome(source, "hlsl", "hlsl")).text).toContain("static uint count;\n");
  });
});

describe("an array of unknown length after other members", () => {
  const list = (body: string): string => `#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer List { uint n; float scale; vec4 x[]; };
layout(std430, binding = 1) buffer Counts { int total; float y[]; } c;
void main() {
  uint i = gl_GlobalInvocationID.x;
${body}
}
`;

  it("ends a struct in MSL and OpenCL C, declared with one element", async () => {
    const source = list("if (i < n) x[i] *= scale;");
    const metal = await outcome(source, "glsl", "msl");
    expect(metal.text).toContain("struct List {\n  uint n;\n  float scale;\n  float4 x[1];\n};");
    expect(metal.text).toMatch(/device const List &\w+ \[\[buffer\(0\)\]\]|device List &\w+ \[\[buffer\(0\)\]\]/);
    const opencl = await outcome(source, "glsl", "opencl");
    expect(bodyOf(opencl.text).at(-1)).toMatch(/^if \(i < (\w+)->n\) \1->x\[i\] \*= \1->scale;$/);
  });

  // std430: n at 0, scale at 4, x at 16 (alignment of vec4), 16 bytes each; total at 0, y at 4, 4 bytes each.
  it("is addressed in bytes in HLSL", async () => {
    const { text } = await outcome(
      list("if (i < n) x[i] = x[i] * scale;\nc.y[i] = x[i + 1u].z;\natomicAdd(c.total, -1);\nx[2].w = 1.0;"),
      "glsl",
      "hlsl",
    );
    expect(text).toContain("// x[]: byte 16 and every 16 from there");
    expect(bodyOf(text).slice(1)).toEqual([
      "if (i < List.Load(0u)) {",
      "  List.Store4(i * 16u + 16u, asuint(asfloat(List.Load4(i * 16u + 16u)) * asfloat(List.Load(4u))));",
      "}",
      "c.Store(i * 4u + 4u, List.Load((i + 1u) * 16u + 24u));",
      "c.InterlockedAdd(0u, asuint(-1));",
      "List.Store(60u, asuint(1.0f));",
    ]);
  });

  it("keeps the order of effects, and reads before it writes", async () => {
    const { text } = await outcome(
      list("uint k = i;\nx[k].xy = vec2(float(k++), 1.0);\nfloat f = c.y[k]++;\nc.y[0] = f;"),
      "glsl",
      "hlsl",
    );
    expect(bodyOf(text).slice(1)).toEqual([
      "uint k = i;",
      "uint at = k;",
      "uint t = k;",
      "k++;",
      "List.Store2(at * 16u + 16u, asuint(float2(float(t), 1.0f)));",
      "float f = asfloat(c.Load(k * 4u + 4u));",
      "c.Store(k * 4u + 4u, asuint(f + 1.0f));",
      "c.Store(4u, asuint(f));",
    ]);
  });

  it("is what T x[1] means in a buffer's struct that is indexed freely, and only there", async () => {
    const metal = (use: string): string => `#include <metal_stdlib>
using namespace metal;
struct S { uint n; float x[1]; };
kernel void k(device S &s [[buffer(0)]], uint i [[thread_position_in_grid]]) { ${use} }
`;
    const open = await outcome(metal("s.x[i] = 1.0f;"), "msl", "glsl");
    expect(open.text).toContain("buffer SBuffer {\n  uint n;\n  float x[];\n} s;");
    const closed = await outcome(metal("s.x[0] = 1.0f;"), "msl", "glsl");
    expect(closed.text).toContain("float x[1];");
    const copied = await outcome(metal("S t = s; s.x[i] = t.x[0];"), "msl", "glsl");
    expect(copied.text).toContain("float x[1];");
  });
});
