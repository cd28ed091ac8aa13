/** The kernel interface: one list for all dialects, as DESIGN.md "Kernel interface" orders it. */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import type { Module } from "../../src/ast/nodes.js";
import { showType } from "../../src/types/types.js";
import { moduleOf, problemsOf } from "./support.js";

const listed = (m: Module): unknown[] =>
  m.resources.map((r) => [r.path, r.kind, r.access, showType(m.variables.get(r.variable)!.type), r.slot ?? null]);

describe("Metal", () => {
  const text = `#include <metal_stdlib>
using namespace metal;
struct P { uint n; float s; };
constant uint N [[function_constant(3)]];
kernel void a(device float *x [[buffer(0)]], constant P &p [[buffer(2)]], const device uint &count [[buffer(1)]],
              threadgroup float *t [[threadgroup(0)]], uint3 g [[thread_position_in_grid]], uint l [[thread_index_in_simdgroup]]) {
  x[g.x] = p.s * N + t[l] + count;
}
[[max_total_threads_per_threadgroup(256)]] kernel void b(device int *y [[buffer(0)]], constant float *z [[buffer(1)]]) { y[0] = z[0]; }`;

  // Launches without stage-in data begin at 0: no target's text asks for it but OpenCL's.
  test("the origin of the grid is nothing, and is not written", async () => {
    const kernel =
      "#include <metal_stdlib>\nkernel void k(device int *y [[buffer(0)]], uint3 o [[grid_origin]], uint t [[thread_position_in_grid]]) { y[t] = o.x * 100 + o.z + t; }";
    const run = await simulate(kernel, {
      from: "msl",
      workgroups: [1],
      workgroupSize: [4],
      subgroupSize: 4,
      args: { y: new Int32Array(4) },
    });
    expect([...(run.buffers.y as Int32Array)]).toEqual([0, 1, 2, 3]);
    const texts = await Promise.all(
      (["glsl", "hlsl", "opencl"] as const).map((to) => translate(kernel, { from: "msl", to, workgroupSize: [4] })),
    );
    expect(texts.map(({ code }) => code!.includes("get_global_offset"))).toEqual([false, false, true]);
    expect(texts.map(({ code }) => code!.includes("0u * 100u"))).toEqual([true, true, false]);
  });

  // MSL 5.1.3: the most threads of a threadgroup; 1 x 1 x 1 has one.
  test("a kernel of one thread at most has its size", async () => {
    const of = (most: number): string =>
      `#include <metal_stdlib>\n[[max_total_threads_per_threadgroup(${most})]] kernel void k(device int *y [[buffer(0)]]) { y[0] = 1; }`;
    expect((await moduleOf("msl", of(1))).entries.map((e) => e.workgroupSize)).toEqual([[1, 1, 1]]);
    expect((await moduleOf("msl", of(2))).entries.map((e) => e.workgroupSize)).toEqual([undefined]);
  });

  test("each kernel has its own list", async () => {
    const m = await moduleOf("msl", text);
    expect(listed(m)).toEqual([
      ["N", "specialization", "read", "u32", { number: 3 }],
      ["x", "buffer", "readwrite", "f32[]", { number: 0 }],
      ["p", "value", "read", "struct P", { number: 2 }],
      ["count", "buffer", "read", "u32", { number: 1 }],
      ["t", "workgroup-sized-at-launch", "readwrite", "f32[]", { number: 0 }],
      ["y", "buffer", "readwrite", "i32[]", { number: 0 }],
      ["z", "buffer", "read", "f32[]", { number: 1 }],
    ]);
    const names = m.entries.map((e) => [
      e.name,
      e.resources.map((id) => m.variables.get(id)!.name),
      [...e.builtinNames],
      e.maxTotalThreads,
    ]);
    expect(names).toEqual([
      [
        "a",
        ["N", "x", "p", "count", "t"],
        [
          ["global_id", "g"],
          ["lane_id", "l"],
        ],
        undefined,
      ],
      ["b", ["y", "z"], [], 256],
    ]);
  });

  test("a function constant with a default is one constant", async () => {
    const m = await moduleOf(
      "msl",
      `#include <metal_stdlib>
using namespace metal;
constant uint given [[function_constant(2)]];
constant uint N = is_function_constant_defined(given) ? given : 8u;
kernel void a(device uint *x [[buffer(0)]]) { x[0] = N; }`,
    );
    expect(m.resources[0]).toMatchObject({
      path: "N",
      kind: "specialization",
      slot: { number: 2 },
      defaultValue: { value: 8 },
    });
  });

  // MSL 5.8.1: a parameter that is not there where its constant is false has no value then.
  test("ids and threadgroup memory that a function constant gives", async () => {
    const source = `#include <metal_stdlib>
using namespace metal;
constant bool c [[function_constant(1)]];
constant bool d = !c;
kernel void a(device uint *x [[buffer(0)]], uint l [[thread_index_in_threadgroup, function_constant(c)]],
              uint g [[thread_position_in_grid, function_constant(d)]], threadgroup uint *t [[threadgroup(0), function_constant(c)]]) {
  if (c) { t[l] = l + 5; x[l] = t[l]; }
  else x[g] = 7 + g;
}`;
    const m = await moduleOf("msl", source);
    expect(
      m.resources.map((r) => [r.path, r.kind, r.givenIf === undefined ? "" : m.variables.get(r.givenIf)!.name]),
    ).toEqual([
      ["c", "specialization", ""],
      ["x", "buffer", ""],
      ["t", "workgroup-sized-at-launch", "c"],
    ]);
    for (const given of [true, false]) {
      const args = { x: new Uint32Array(4), t: { byteLength: 16 }, c: given };
      const { buffers, diagnostics } = await simulate(source, {
        from: "msl",
        workgroups: [1],
        workgroupSize: [4],
        args,
      });
      expect(diagnostics.filter((x) => x.severity === "error")).toEqual([]);
      expect([...(buffers["x"] as Uint32Array)]).toEqual([0, 1, 2, 3].map((i) => i + (given ? 5 : 7)));
    }
    const { code } = await translate(source, { from: "msl", to: "opencl" });
    // What is computed for an id alone stands nowhere.
    expect(code).not.toContain("!c");
    const twice = source.replaceAll("(c)", "(N)").replace("kernel", "constant int N [[function_constant(2)]];\nkernel");
    expect(await problemsOf("msl", twice)).toContain("XL2010 the function constant of a parameter must be a bool");
  });

  // MSL 5.8.1: the test is false where the application gives the constant no value, and && and || look no further.
  test.each([
    ["is_function_constant_defined(given) ? given : true", true],
    ["is_function_constant_defined(given) && given", false],
    ["!is_function_constant_defined(given) || given", true],
  ])("a function constant that is a bool has a default: %s", async (test, value) => {
    const m = await moduleOf(
      "msl",
      `#include <metal_stdlib>
using namespace metal;
constant bool given [[function_constant(3)]];
constant bool FAST = ${test};
kernel void a(device uint *x [[buffer(0)]]) { x[0] = FAST ? 1 : 2; }`,
    );
    expect(m.resources[0]).toMatchObject({
      path: "FAST",
      kind: "specialization",
      slot: { number: 3 },
      defaultValue: { value },
    });
  });

  test("what a parameter must say", async () => {
    const kernel = (p: string): Promise<string[]> =>
      problemsOf("msl", `#include <metal_stdlib>\nusing namespace metal;\nkernel void a(${p}) {}`);
    expect(await kernel("float *x [[buffer(0)]]")).toEqual(["XL2009 a pointer needs an address space"]);
    expect(await kernel("uint n")).toEqual(["XL2010 parameter 'n' needs an attribute that says what it is"]);
    expect(await kernel("float g [[thread_position_in_grid]]")).toEqual([
      "XL2010 'g' cannot be float: this value has 1 or 2 or 3 components of type uint or ushort",
    ]);
    expect(await kernel("uint2 g [[thread_index_in_threadgroup]]")).toEqual([
      "XL2010 'g' cannot be uint2: this value has 1 components of type uint or ushort",
    ]);
    expect(await kernel("texture2d<float> t [[texture(0)]]")).toEqual(["XL1900 type 'texture2d' is not supported yet"]);
  });
});

describe("GLSL", () => {
  test("blocks", async () => {
    const m = await moduleOf(
      "glsl",
      `#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(constant_id = 7) const uint K = 3u;
layout(push_constant) uniform Push { uint n; float s[2]; } pc;
layout(set = 1, binding = 2) readonly buffer X { float x[]; };
layout(binding = 3) coherent buffer Y { uint count; vec4 rows[]; } y;
layout(binding = 4) writeonly buffer Z { float only[]; } named;
layout(binding = 5) uniform U { vec4 u; };
void main() { named.only[0] = x[0] + pc.s[1] + y.rows[0].x + u.x + float(K + y.count); }`,
    );
    expect(listed(m)).toEqual([
      ["K", "specialization", "read", "u32", { number: 7 }],
      ["pc.n", "value", "read", "u32", null],
      ["pc.s", "value", "read", "f32[2]", null],
      ["x", "buffer", "read", "f32[]", { number: 2, set: 1 }],
      ["y", "buffer", "readwrite", "struct Y", { number: 3 }],
      ["only", "buffer", "write", "f32[]", { number: 4 }],
      ["U.u", "value", "read", "f32x4", { number: 5 }],
    ]);
    expect(m.resources[4]).toMatchObject({
      coherent: true,
      block: { name: "Y", instance: "y", kind: "storage" },
    });
    expect(m.entries[0]).toMatchObject({ workgroupSize: [8, 4, 1] });
  });

  test("sizes from specialisation constants", async () => {
    const m = await moduleOf("glsl", "#version 450\nlayout(local_size_x_id = 2, local_size_y = 4) in;\nvoid main() {}");
    expect(m.entries[0]).toMatchObject({
      workgroupSizeIds: [2, undefined, undefined],
      workgroupSizeStated: [undefined, 4, 1],
    });
    expect(m.entries[0]!.workgroupSize).toBeUndefined();
  });

  test("refusals", async () => {
    const head = "#version 450\nlayout(local_size_x = 1) in;\n";
    expect(
      await problemsOf("glsl", `${head}layout(binding = 0) buffer B { float x[]; } b[2][2];\nvoid main() {}`),
    ).toEqual([]);
    expect(
      await problemsOf("glsl", `${head}layout(binding = 0) buffer B { float x[]; float y; };\nvoid main() {}`),
    ).toEqual(["XL2020 member 'x' needs a size"]);
    expect(await problemsOf("glsl", "#version 450\nfloat x = 1.0;")).toEqual(["XL2010 the source has no entry point"]);
  });
});

describe("OpenCL", () => {
  test("arguments in order", async () => {
    const m = await moduleOf(
      "opencl",
      `typedef struct { float a; int b; } S;
__attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16)))
__kernel void k(__global const float * restrict x, __constant int *c, __local float *t, const S s, float4 v) { t[0] = x[0] + s.a + v.x + c[0]; }`,
    );
    expect(listed(m)).toEqual([
      ["x", "buffer", "read", "f32[]", { number: 0 }],
      ["c", "buffer", "read", "i32[]", { number: 1 }],
      ["t", "workgroup-sized-at-launch", "readwrite", "f32[]", { number: 2 }],
      ["s", "value", "read", "struct S", { number: 3 }],
      ["v", "value", "read", "f32x4", { number: 4 }],
    ]);
    expect(m.entries[0]).toMatchObject({ workgroupSize: [64, 1, 1], subgroupSizes: { min: 16, max: 16 } });
    expect(m.variables.get(m.resources[0]!.variable)).toMatchObject({ restrict: true, space: "global" });
    expect(m.variables.get(m.resources[1]!.variable)).toMatchObject({ space: "constant" });
  });

  test("what a kernel's argument cannot be", async () => {
    const kernel = (p: string): Promise<string[]> => problemsOf("opencl", `__kernel void k(${p}) {}`);
    expect(await kernel("float *x")).toEqual(["XL2009 a pointer of a kernel needs __global, __constant or __local"]);
    expect(await kernel("bool b")).toEqual(["XL2010 a kernel parameter cannot be bool"]);
    expect(await kernel("size_t n")).toEqual(["XL2010 a kernel parameter cannot be size_t"]);
    expect(await kernel("sampler_t s")).toEqual(["XL1900 type 'sampler_t' is not supported yet"]);
    expect(await kernel("__global float **x")).toEqual([
      "XL2009 a pointer of a kernel needs __global, __constant or __local",
    ]);
  });

  test("dimensions of ids are chosen when the kernel runs", async () => {
    const source = `__kernel void k(__global uint *o) {
  uint at = 0, s = 0;
  for (int d = 1; d >= 0; d--) at = at * 6 + get_global_id(d);
  for (int d = 0; d < 5; d++) s = 7 * s + get_local_id(d) + 2 * get_local_size(d) + get_group_id(d);
  o[at] = s;
}`;
    const lanes = { workgroups: [2, 2, 1], workgroupSize: [3, 2, 1] };
    // By hand: 3, 2 and 1 lanes in a workgroup, 1 beyond the third dimension.
    const wanted = Array.from({ length: 24 }, (_, at) => {
      const [x, y] = [at % 6, Math.floor(at / 6)];
      const sums = [(x % 3) + 6 + Math.floor(x / 3), (y % 2) + 4 + Math.floor(y / 2), 2, 2, 2];
      return sums.reduce((s, n) => 7 * s + n, 0);
    });
    for (const to of ["opencl", "msl", "glsl", "hlsl"] as const) {
      const { code } = await translate(source, { from: "opencl", to, workgroupSize: [3, 2, 1] });
      const { buffers, findings } = await simulate(code!, { from: to, ...lanes, args: { o: new Uint32Array(24) } });
      expect([findings, [...(buffers["o"] as Uint32Array)]], code).toEqual([[], wanted]);
    }
  });

  test("ids beyond the dimensions there are", async () => {
    const m = await moduleOf(
      "opencl",
      "__kernel void k(__global uint *x) { x[0] = get_local_id(3) + get_local_size(4); }",
    );
    // OpenCL C 6.15.1: 0 and 1 beyond the dimensions there are.
    expect(JSON.stringify(m.functions[0]!.body)).toContain('"value":1');
  });
});

describe("HLSL", () => {
  test("views, constant buffers, registers", async () => {
    const m = await moduleOf(
      "hlsl",
      `struct S { float3 a; uint b; };
cbuffer Params : register(b1, space2) { uint n; float scale; };
ConstantBuffer<S> cb : register(b0);
StructuredBuffer<S> src : register(t0);
globallycoherent RWStructuredBuffer<float> dst : register(u3, space1);
ByteAddressBuffer raw : register(t1);
RWBuffer<float2> typed : register(u1);
uint loose;
[numthreads(8, 4, 2)] [WaveSize(32)]
void first(uint3 id : SV_DispatchThreadID, uint i : SV_GroupIndex) { dst[id.x] = src[i].a.x * scale + asfloat(raw.Load(4 * n)) + typed[0].x + cb.a.y + loose; }
[numthreads(1, 1, 1)]
void second() { dst[0] = n; }`,
    );
    expect(listed(m)).toEqual([
      ["Params.n", "value", "read", "u32", { register: "b", number: 1, set: 2 }],
      ["Params.scale", "value", "read", "f32", { register: "b", number: 1, set: 2 }],
      ["cb.a", "value", "read", "f32x3", { register: "b", number: 0 }],
      ["cb.b", "value", "read", "u32", { register: "b", number: 0 }],
      ["src", "buffer", "read", "struct S[]", { register: "t", number: 0 }],
      ["dst", "buffer", "readwrite", "f32[]", { register: "u", number: 3, set: 1 }],
      ["raw", "buffer", "read", "u32[]", { register: "t", number: 1 }],
      ["typed", "buffer", "readwrite", "f32x2[]", { register: "u", number: 1 }],
      ["loose", "value", "read", "u32", null],
    ]);
    expect(m.resources.map((r) => r.view)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      "raw",
      "typed",
      undefined,
    ]);
    expect(m.resources[5]!.coherent).toBe(true);
    expect(m.entries[0]).toMatchObject({
      name: "first",
      workgroupSize: [8, 4, 2],
      subgroupSizes: { min: 32, max: 32 },
    });
    expect(m.entries[0]!.resources).toHaveLength(8);
    expect(m.entries[1]!.resources.map((id) => m.variables.get(id)!.name)).toEqual(["n", "dst"]);
  });

  test("a struct of ids is made of them", async () => {
    const m = await moduleOf(
      "hlsl",
      `struct In { uint3 g : SV_GroupID; uint i : SV_GroupIndex; };
RWStructuredBuffer<uint> o;
[numthreads(64,1,1)] void main(In a) { o[a.i] = a.g.y; }`,
    );
    const { printTree } = await import("../../src/ast/text/print-tree.js");
    expect(printTree(m)).toContain("o[@local_index] = @workgroup_id.y;");
    expect([...m.entries[0]!.builtinNames]).toEqual([
      ["workgroup_id", "g"],
      ["local_index", "i"],
    ]);
  });

  test("raw buffers are words", async () => {
    const m = await moduleOf(
      "hlsl",
      "RWByteAddressBuffer b;\n[numthreads(1,1,1)] void main(uint i : SV_GroupIndex) { b.Store(8, b.Load(4) + b.Load(4 * i)); }",
    );
    const { printTree } = await import("../../src/ast/text/print-tree.js");
    expect(printTree(m)).toContain("b[2u32] = b[1u32] + b[((4u32 * @local_index) >> 2u32)'made];");
  });

  test("a device fence reaches beyond the workgroup only with a coherent view", async () => {
    const scope = async (word: string): Promise<string | undefined> => {
      const m = await moduleOf(
        "hlsl",
        `${word} RWStructuredBuffer<float> b;\n[numthreads(1,1,1)] void main() { b[0] = 1; DeviceMemoryBarrier(); b[1] = 2; }`,
      );
      const fence = m.functions[0]!.body.statements.find((s) => s.kind === "barrier");
      return fence?.kind === "barrier" ? fence.barrier.scope : undefined;
    };
    expect(await scope("")).toBe("workgroup");
    expect(await scope("globallycoherent")).toBe("device");
  });

  test("refusals", async () => {
    const head = "RWStructuredBuffer<float> b;\n";
    const main = (body: string, p = ""): string => `${head}[numthreads(1,1,1)] void main(${p}) { ${body} }`;
    expect(await problemsOf("hlsl", main("uint n; b.GetDimensions(n);"))).toEqual([
      "XL2005 GetDimensions of a RWStructuredBuffer has 2 results, not 1",
    ]);
    expect(await problemsOf("hlsl", main("", "uint i"))).toEqual(["XL2010 parameter 'i' needs a semantic"]);
    expect(await problemsOf("hlsl", main("", "uint i : SV_Position"))).toEqual([
      "XL2010 semantic 'SV_Position' is not one of a compute shader",
    ]);
    expect(await problemsOf("hlsl", `RWByteAddressBuffer r;\n${main("r.Store(0, 1.5);")}`)).toEqual([
      "XL2022 Store keeps the bits of float here, as DXC does",
    ]);
    expect(
      await problemsOf(
        "hlsl",
        `cbuffer C { float4 a : packoffset(c1); float3 v : packoffset(c1.y); float2 w : packoffset(c0.w); };\n${main("b[0] = v.x;")}`,
      ),
    ).toEqual([
      "XL2010 'w' does not fit at byte 12 of a constant buffer",
      "XL2010 'w' and 'a' overlap",
      "XL2010 'a' and 'v' overlap",
    ]);
    // DXC: "register or offset bind not valid".
    expect(await problemsOf("hlsl", `cbuffer C { double3 d : packoffset(c0.z); };\n${main("b[0] = d.x;")}`)).toEqual([
      "XL2010 'd' does not fit at byte 8 of a constant buffer",
    ]);
  });
});
