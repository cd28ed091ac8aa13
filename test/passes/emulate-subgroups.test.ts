/**
 * Subgroups through workgroup memory: random divergent programs, translated for targets without subgroups, must leave what
 * the definition of maximal reconvergence says, worked out by a plain interpreter of lane masks.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { compileForSimulator } from "../../src/api/runners.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { profileNamed } from "../../src/caps/profiles.js";
import type { FindingKind } from "../../src/sim/findings.js";
import { run } from "../../src/sim/index.js";
import { operandTypes } from "../../src/ops/operands.js";
import { allRows } from "../../src/ops/table.js";
import { constantOperands, supportOf } from "../../src/passes/support.js";
import { showType } from "../../src/types/types.js";
import { expectedOf, flowProgram, lanesOf, shapes, type FlowProgram, type Shape } from "../sim/flow-language.js";
import { textOf } from "../sim/flow-text.js";
import { outcome } from "./text.js";

/** Runs the text with subgroups of one lane, so that nothing but the emulation can make lanes meet. */
async function simulated(
  text: string,
  dialect: TwoWayDialect,
  shape: Shape,
  kinds: readonly FindingKind[],
): Promise<number[]> {
  const compilation = await compile(text, { from: dialect });
  expect(
    compilation.diagnostics.filter((d) => d.severity === "error"),
    text,
  ).toEqual([]);
  const made = compileForSimulator(compilation, compilation.module!.entries[0]!, kinds);
  if (!("kernel" in made)) throw new Error(JSON.stringify(made.diagnostics));
  const [result] = [compilation.module!.resources[0]!.path];
  const done = run(made.kernel, {
    workgroups: [1],
    workgroupSize: shape.size,
    subgroupSize: 1,
    args: new Map([[result, new Uint8Array(4 * lanesOf(shape))]]),
    maxSteps: 10000000,
  });
  expect(done.stats.complete).toBe(true);
  expect(done.findings.map((f) => f.message)).toEqual([]);
  return [...new Uint32Array(done.buffers.get(result)!.slice().buffer)];
}

async function emulated(
  program: FlowProgram,
  shape: Shape,
  from: TwoWayDialect,
  to: TwoWayDialect,
  profile: string,
): Promise<number[]> {
  const { text, problems } = await outcome(textOf(program, shape, from), from, to, {
    emulateSubgroups: shape.width,
    workgroupSize: shape.size,
    profile: profileNamed(profile)!,
  });
  expect(problems.map((p) => `${p.code} ${p.message}`)).toEqual([]);
  // A program may have a barrier of its own where lanes part: it keeps that fault. The emulation must not add one.
  const own = JSON.stringify(program).includes('"barrier"');
  return simulated(text, to, shape, own ? ["out-of-bounds"] : ["out-of-bounds", "barrier-divergence"]);
}

const pairs = [
  ["glsl", "opencl", "opencl1.2"],
  ["msl", "hlsl", "sm5.0"],
  ["hlsl", "glsl", "vulkan1.1"],
  ["opencl", "msl", "msl2.0-ios"],
] as const;

describe.each(pairs)("random divergent programs from %s in %s without subgroups", (from, to, profile) => {
  test("leave what masks of lanes leave", { timeout: 300_000 }, async () => {
    const runs = Number(process.env["FLOW_RUNS"] ?? 40);
    const seed = Number(process.env["FLOW_SEED"] ?? 7) * 10 + pairs.findIndex((p) => p[0] === from);
    await fc.assert(
      fc.asyncProperty(flowProgram, fc.constantFrom(...shapes), async (p, shape) => {
        // Long programs take long; what they could show, several short ones show.
        fc.pre(textOf(p, shape, from).length < 6000);
        const expected = expectedOf(p, shape);
        if (expected) expect(await emulated(p, shape, from, to, profile), textOf(p, shape, from)).toEqual(expected);
      }),
      { numRuns: runs, seed, interruptAfterTimeLimit: 20_000 },
    );
  });
});

describe("every op that crosses lanes", () => {
  // Only what the target's types forbid may be refused.
  const type = /^the type needs |small integers|has no \d+-bit |has no (double|half)/;
  test.each([
    ["opencl", "opencl1.2"],
    ["hlsl", "sm5.0"],
    ["msl", "msl2.0-ios"],
    ["glsl", "vulkan1.1"],
  ] as const)("has a form in %s under %s", (target, profile) => {
    const refused: string[] = [];
    for (const row of allRows.filter((r) => r.effect === "crosslane" && r.family !== "workgroup")) {
      for (const t of operandTypes(row)) {
        for (const flow of ["uniform", "divergent"] as const) {
          const query = { op: row.id, flow, ...(t ? { type: t } : {}), constants: constantOperands(row) };
          const found = supportOf(query, target, profileNamed(profile)!, { emulateSubgroups: 32 });
          if (found.verdict === "refused" && !type.test(found.reason!))
            refused.push(`${row.id} ${t ? showType(t) : ""} ${flow}: ${found.reason}`);
        }
      }
    }
    expect(refused).toEqual([]);
  });
});

const reduce = `kernel void sum(device const int *x [[buffer(0)]], device int *y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = simd_sum(x[i]);
}
`;

const profiles = [
  ["opencl", "opencl1.2"],
  ["hlsl", "sm5.0"],
  ["msl", "msl2.0-ios"],
  ["glsl", "vulkan1.1"],
] as const;

/** What the only buffer holds after a workgroup of eight in emulated subgroups of four. */
async function inFours(text: string, from: TwoWayDialect, to: TwoWayDialect, profile: string): Promise<number[]> {
  const made = await outcome(text, from, to, {
    emulateSubgroups: 4,
    workgroupSize: [8, 1, 1],
    profile: profileNamed(profile)!,
  });
  expect(made.problems.map((p) => `${p.code} ${p.message}`)).toEqual([]);
  return simulated(made.text, to, { size: [8, 1, 1], width: 4 }, [
    "out-of-bounds",
    "barrier-divergence",
    "uninitialized-read",
  ]);
}

describe("what a function writes back", () => {
  // Odd lanes add up one each, two in a subgroup of four; even lanes call nothing and keep what they had.
  const source = (direction: string, value: string) => `#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer B { uint data[]; };
void f(${direction} uint r) { r = ${value}; }
void main() {
  uint l = gl_LocalInvocationIndex;
  uint r = l + 7u;
  if ((l & 1u) == 1u) f(r);
  data[l] = r;
}
`;
  const out = [7, 2, 9, 2, 11, 2, 13, 2];
  const inout = [7, 10, 9, 12, 11, 14, 13, 16];
  test.each(profiles)("is not written for lanes that do not call it, in %s", async (to, profile) => {
    const texts = [source("out", "subgroupAdd(1u)"), source("inout", "r + subgroupAdd(1u)")];
    expect(await Promise.all(texts.map((text) => inFours(text, "glsl", to, profile)))).toEqual([out, inout]);
  });

  // a[0], chosen by what lies in memory, for odd lanes.
  const chosen = [0, 3, 2, 5, 4, 7, 6, 9];
  test.each(profiles)("goes to a place that is worked out, in %s", async (to, profile) => {
    const text = source("inout", "r + subgroupAdd(1u)")
      .replace("uint r = l + 7u;", "uint a[2] = uint[](l, 50u);")
      .replace("f(r)", "f(a[data[l] & 1u])")
      .replace("= r;\n}\n", "= a[0];\n}\n");
    expect(await inFours(text, "glsl", to, profile)).toEqual(chosen);
  });
  test.each(profiles)("goes through a pointer that is worked out, in %s", async (to, profile) => {
    const text = `void f(uint *x) { *x += sub_group_non_uniform_reduce_add(1u); }
__kernel void k(__global uint *data) {
  uint l = get_local_id(0);
  uint a[2] = { l, 50 };
  if (l & 1) f(&a[data[l] & 1]);
  data[l] = a[0];
}
`;
    expect(await inFours(text, "opencl", to, profile)).toEqual(chosen);
  });
});

describe("the step of a loop", () => {
  // Lanes of a subgroup of four leave in different rounds; those that go on add up how many they are.
  const source = (step: string) => `#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer B { uint data[]; };
void f(inout uint k) { k += subgroupAdd(1u); }
void main() {
  uint l = gl_LocalInvocationIndex;
  uint n = 0u;
  for (uint k = l; k < 6u; ${step}) n++;
  data[l] = n;
}
`;
  test.each(profiles)("is reached by all lanes of the workgroup, in %s", async (to, profile) => {
    const rounds = [2, 2, 1, 1, 1, 1, 0, 0];
    expect(await inFours(source("f(k)"), "glsl", to, profile)).toEqual(rounds);
    expect(await inFours(source("k += subgroupAdd(1u)"), "glsl", to, profile)).toEqual(rounds);
    expect(await inFours(source("f(k), n += 10u"), "glsl", to, profile)).toEqual(rounds.map((n) => 11 * n));
  });
});

describe("refused", () => {
  const header = "#include <metal_stdlib>\nusing namespace metal;\n";

  test("where the size of the workgroup is not known", async () => {
    const { problems } = await outcome(header + reduce, "msl", "opencl", {
      emulateSubgroups: 32,
      workgroupSize: undefined,
    });
    expect(problems.map((p) => p.code)).toEqual(["XL4003"]);
  });

  test("a width other than the one the kernel asks for", async () => {
    const source = `RWStructuredBuffer<int> y : register(u0);
[WaveSize(32)] [numthreads(64, 1, 1)]
void main(uint i : SV_DispatchThreadID) { y[i] = WaveActiveSum(y[i]); }
`;
    const { problems } = await outcome(source, "hlsl", "opencl", { emulateSubgroups: 16 });
    expect(problems.map((p) => p.code)).toEqual(["XL4010"]);
  });
});

describe("text", () => {
  test("a last subgroup that is not whole ends with the workgroup, in the source's own dialect too", async () => {
    const source =
      "__kernel void k(__global uint *x) { x[get_global_id(0)] = sub_group_reduce_add(x[get_global_id(0)]); }\n";
    const profile = profileNamed("opencl1.2")!;
    const { text } = await outcome(source, "opencl", "opencl", {
      emulateSubgroups: 32,
      workgroupSize: [50, 1, 1],
      profile,
    });
    expect(text).toContain("uint end = min(base + 32u, 50u);");
    expect((await compile(text, { from: "opencl" })).diagnostics).toEqual([]);
  });

  test("flow of the whole workgroup stays, and an op is one call", async () => {
    const source = `#include <metal_stdlib>
using namespace metal;
${reduce}`;
    const { text } = await outcome(source, "msl", "opencl", {
      emulateSubgroups: 8,
      profile: profileNamed("opencl1.2")!,
    });
    expect(text.slice(text.indexOf("__attribute__"))).toBe(`__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void sum(__global const int *x, __global int *y) {
  __local int lanes_int[64];
  uint i = get_global_id(0);
  y[i] = subgroup_add(x[i], lanes_int);
}
`);
  });

  test("lanes that left early take no part and wait", async () => {
    const source = `#include <metal_stdlib>
using namespace metal;
kernel void sum(device int *y [[buffer(0)]], constant uint &n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  y[i] = simd_sum(y[i]);
}
`;
    const { text } = await outcome(source, "msl", "opencl", {
      emulateSubgroups: 8,
      profile: profileNamed("opencl1.2")!,
    });
    const kernel = text.slice(text.indexOf("__kernel"));
    expect(kernel).toContain("bool active = i < n;");
    expect(kernel).toMatch(/subgroup_add_of_active\(\w+, active, /);
    expect(kernel).not.toContain("return");
  });
});
