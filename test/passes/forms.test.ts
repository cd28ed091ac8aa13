/** Forms the targets have or lack: atomics, bools, aggregates, arrays, references, builtin values, names. */
import { describe, expect, it } from "vitest";
import { body, bodyOf, kernel, outcome } from "./text.js";

describe("atomics", () => {
  it("make the whole object atomic in MSL, and its plain accesses relaxed ones", async () => {
    const { text, notes } = await outcome(
      kernel("u[1] = 0u; atomicAdd(u[i], 2u); x[i] = int(u[0]);", "glsl"),
      "glsl",
      "msl",
    );
    expect(text).toContain("device atomic_uint *u [[buffer(1)]]");
    expect(bodyOf(text)).toEqual([
      "atomic_store_explicit(&u[1], 0u, memory_order_relaxed);",
      "atomic_fetch_add_explicit(&u[i], 2u, memory_order_relaxed);",
      "x[i] = int(atomic_load_explicit(&u[0], memory_order_relaxed));",
    ]);
    expect(notes.map((n) => n.op)).toEqual(["atomic.load", "bounds"]);
  });

  it("hand atomic memory to helpers as such", async () => {
    const { text } = await outcome(
      kernel("u[i] = count();", "glsl", "shared uint c;\nuint count() { return atomicAdd(c, 1u); }"),
      "glsl",
      "msl",
    );
    expect(text).toContain("uint count(threadgroup atomic_uint &c) {");
    expect(text).toContain("threadgroup atomic_uint c;");
  });

  it("write HLSL's result where it goes", async () => {
    expect((await body("uint old = atomicAdd(u[0], 2u); u[i] = old;", "glsl", "hlsl")).slice(1)).toEqual([
      "uint old;",
      "InterlockedAdd(u[0], 2u, old);",
      "u[i] = old;",
    ]);
    expect((await body("atomicMax(u[0], i);", "glsl", "hlsl")).at(-1)).toBe("InterlockedMax(u[0], i);");
  });

  it("keep lazy operands and loop conditions lazy in HLSL", async () => {
    const lines = await body("if (i < 4u && atomicAdd(u[0], 1u) == 0u) u[1] = i;", "glsl", "hlsl");
    expect(lines.slice(1)).toEqual([
      "bool both = i < 4u;",
      "if (both) {",
      "  uint old;",
      "  InterlockedAdd(u[0], 1u, old);",
      "  both = old == 0u;",
      "}",
      "if (both) u[1] = i;",
    ]);
    const loop = await body("while (atomicAdd(u[0], 1u) < 9u) u[1] = i;", "glsl", "hlsl");
    expect(loop.slice(1)).toEqual([
      "while (true) {",
      "  uint old;",
      "  InterlockedAdd(u[0], 1u, old);",
      "  if (!(old < 9u)) break;",
      "  u[1] = i;",
      "}",
    ]);
  });
});

describe("bools", () => {
  it("are no numbers in GLSL", async () => {
    const lines = await body("bool a = x[0] > 1; bool b = (x[1] > 2) & a; b ^= a; x[i] = b ? 1 : 0;", "hlsl", "glsl");
    expect(lines.slice(1)).toEqual([
      "bool a = x[0] > 1;",
      "bool b = x[1] > 2 && a;",
      "b = b != a;",
      "x[i] = b ? 1 : 0;",
    ]);
  });

  it("of vectors are masks in OpenCL C", async () => {
    const lines = await body(
      "bvec2 b = lessThan(vec2(f[0], f[1]), vec2(2.0)); f[i] = b.x ? 1.0 : 0.0; x[i] = int(b.y);",
      "glsl",
      "opencl",
    );
    expect(lines.slice(1)).toEqual([
      "int2 b = (float2)(f[0], f[1]) < (float2)(2.0f);",
      "f[i] = b.x ? 1.0f : 0.0f;",
      "x[i] = (int)(b.y != 0);",
    ]);
  });
});

describe("bool vectors of OpenCL C", () => {
  it("hold 0 and -1, whatever they are made of", async () => {
    const lines = await body(
      "bool c = x[0] > 1; bvec2 b = bvec2(c, false); b.y = c; f[i] = mix(vec2(1.0), vec2(2.0), b).x + mix(vec2(3.0), vec2(4.0), bvec2(c)).y;",
      "glsl",
      "opencl",
    );
    expect(lines.slice(1)).toEqual([
      "bool c = x[0] > 1;",
      "int2 b = (int2)(-c, -false);",
      "b.y = -c;",
      "f[i] = select((float2)(1.0f), (float2)(2.0f), b).x + select((float2)(3.0f), (float2)(4.0f), (int2)(-c)).y;",
    ]);
  });
});

describe("aggregates", () => {
  const pair = "struct Pair { int a; int b; };\nPair make(int v) { return Pair(v, v + 1); }";

  it("get a variable in HLSL where they stand in an expression", async () => {
    const { text } = await outcome(kernel("x[i] = make(3).b;", "glsl", pair), "glsl", "hlsl");
    // Unsigned, since DXC folds signed sums as if they did not overflow.
    expect(text).toContain("  Pair made = {v, int(uint(v) + 1u)};\n  return made;");
  });

  it("are compound literals in OpenCL C and braces in MSL", async () => {
    expect((await outcome(kernel("x[i] = make(3).b;", "glsl", pair), "glsl", "opencl")).text).toContain(
      "return (struct Pair){v, (int)((uint)v + 1u)};",
    );
    expect((await outcome(kernel("x[i] = make(3).b;", "glsl", pair), "glsl", "msl")).text).toContain(
      "return Pair{v, int(uint(v) + 1u)};",
    );
  });

  it("copy arrays by loops in C", async () => {
    const lines = await body("int a[3] = int[3](1, 2, 3); int b[3] = a; x[i] = b[1];", "glsl", "msl");
    expect(lines).toEqual([
      "int a[3] = {1, 2, 3};",
      "int b[3];",
      "for (int k = 0; k < 3; k++) b[k] = a[k];",
      "x[i] = b[1];",
    ]);
  });
});

describe("builtin values", () => {
  it("are scalars in MSL where one component is enough, all in one form otherwise", async () => {
    const one = await outcome(kernel("u[i] = gl_WorkGroupID.x;", "glsl"), "glsl", "msl");
    expect(one.text).toContain("uint i [[thread_position_in_grid]],\n    uint wid [[threadgroup_position_in_grid]]");
    const two = await outcome(kernel("u[i] = gl_WorkGroupID.y;", "glsl"), "glsl", "msl");
    expect(two.text).toContain(
      "uint2 gid [[thread_position_in_grid]],\n    uint2 wid [[threadgroup_position_in_grid]]",
    );
  });

  it("keep the source's names as locals where they are used more than once", async () => {
    expect(await body("u[i] = i;", "msl", "glsl")).toEqual(["uint i = gl_GlobalInvocationID.x;", "u[i] = i;"]);
    expect(await body("u[i] = 1u;", "msl", "glsl")).toEqual(["u[gl_GlobalInvocationID.x] = 1u;"]);
  });

  it("are handed on to helpers", async () => {
    const helper = "uint place() { return gl_GlobalInvocationID.x * 2u; }";
    const { text } = await outcome(kernel("u[place()] = 1u;", "glsl", helper), "glsl", "msl");
    expect(text).toContain("uint place(uint gid) {\n  return gid * 2u;\n}");
  });

  it("that are missing are computed, with what that assumes", async () => {
    const { text, notes } = await outcome(
      kernel("u[i] = gl_SubgroupID;", "glsl").replace(
        "layout(local",
        "#extension GL_KHR_shader_subgroup_basic : require\nlayout(local",
      ),
      "glsl",
      "hlsl",
    );
    expect(bodyOf(text).at(-1)).toBe("u[i] = li / WaveGetLaneCount();");
    expect(notes.map((n) => [n.kind, n.op])).toEqual([["assumed", "id.subgroup_id"]]);
  });
});

describe("size_t in OpenCL C", () => {
  it("is cut where the value matters, and not where it does not", async () => {
    const source = `#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer U { uint u[]; };
void main() { u[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x < 8u ? 1u : 2u; }`;
    expect(bodyOf((await outcome(source, "glsl", "opencl")).text)).toEqual([
      "uint gid = get_global_id(0);",
      "u[gid] = gid < 8u ? 1u : 2u;",
    ]);
  });
});

describe("contraction", () => {
  const off = kernel("f[i] = f[i] * 2.0f + f[0];", "opencl", "#pragma OPENCL FP_CONTRACT OFF");

  it("stays off", async () => {
    expect((await outcome(off, "opencl", "msl")).text).toContain("#pragma METAL fp contract(off)");
    expect(bodyOf((await outcome(off, "opencl", "glsl")).text).slice(-2)).toEqual([
      "precise float sum = f[i] * 2.0 + f[0];",
      "f[i] = sum;",
    ]);
  });

  it("is never invented", async () => {
    expect((await body("f[i] = f[i] * 2.0f + f[0];", "opencl", "glsl")).at(-1)).toBe("f[i] = f[i] * 2.0 + f[0];");
  });
});

describe("names", () => {
  it("change only where the target reserves or calls them", async () => {
    const source = kernel("uint input = u[0], sample = 2u, dst = 3u; u[i] = input + sample + dst;", "msl");
    expect((await outcome(source, "msl", "glsl")).text).toContain("uint input_ = u[0], sample_ = 2u, dst = 3u;");
    expect((await outcome(source, "msl", "opencl")).text).toContain("uint input = u[0], sample = 2u, dst = 3u;");
  });
});

describe("types", () => {
  it("the target lacks are refused at their place", async () => {
    const double = "__kernel void k(__global double *u) { u[get_global_id(0)] = 1.0; }";
    const { problems } = await outcome(double, "opencl", "msl");
    expect(problems.map((p) => p.code)).toEqual(["XL3003"]);
    expect(problems[0]!.span).toBeDefined();
  });

  it("of 8 bits are 32-bit ones that hold their values where only the kernel sees them", async () => {
    const { problems, text } = await outcome(
      kernel("uchar c = (uchar)u[0]; c += 200; u[i] = c;", "opencl"),
      "opencl",
      "hlsl",
    );
    expect(problems).toEqual([]);
    expect(text).toContain("uint c = u[0] & 255u;");
    expect(text).toContain("& 255u;");
  });
});

describe("masks of lanes in HLSL", () => {
  const before = "#extension GL_KHR_shader_subgroup_ballot : require\n";
  const last = async (statements: string): Promise<string> =>
    bodyOf(
      (await outcome(kernel(statements, "glsl").replace("#version 450\n", `#version 450\n${before}`), "glsl", "hlsl"))
        .text,
    ).at(-1)!;

  it("of ballots have no bits beyond the subgroup", async () => {
    expect(await last("uvec4 m = subgroupBallot(x[i] > 0); u[i] = subgroupBallotBitCount(m);")).toBe(
      "u[i] = mask_bit_count(m);",
    );
    expect(await last("uvec4 m = subgroupBallot(x[i] > 0); u[i] = subgroupBallotFindMSB(m & uvec4(u[0]));")).toBe(
      "u[i] = mask_find_msb(m & (uint4)u[0]);",
    );
  });

  it("from anywhere else may have", async () => {
    const beyond = "mask & lanes_below(WaveGetLaneCount())";
    for (const m of [
      "uvec4 m = uvec4(u[0]);",
      "uvec4 m = subgroupBallot(true); m.y = u[1];",
      "uvec4 m = subgroupBallot(true) | uvec4(u[0]);",
      "uvec4 m = ~subgroupBallot(true);",
    ]) {
      expect(await last(`${m} u[i] = subgroupBallotBitCount(m);`)).toBe(
        `u[i] = mask_bit_count(${beyond.replace("mask", "m")});`,
      );
    }
  });
});

describe("halves between lanes in GLSL", () => {
  // docs/devices.md: a driver turns a shuffle of halves to such a lane into wrong code.
  it("rotate as floats, which hold every half", async () => {
    const { text } = await outcome(
      `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void k(__global half *x) { uint i = get_global_id(0); x[i] = sub_group_rotate(x[i], 3); }
`,
      "opencl",
      "glsl",
    );
    expect(bodyOf(text).at(-1)).toBe(
      "x[i] = float16_t(subgroupShuffle(float(x[i]), (gl_SubgroupInvocationID + 3u) & (gl_SubgroupSize - 1u)));",
    );
  });
});
