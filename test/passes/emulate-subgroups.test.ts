/**
 * Subgroups through workgroup memory: random divergent programs, translated for targets without subgroups, must leave what
 * the definition of maximal reconvergence says, worked out by a plain interpreter of lane masks.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { compileForSimulator } from "../../src/api/runners.js";
import type { Dialect } from "../../src/dialects/ids.js";
import { profileNamed } from "../../src/caps/profiles.js";
import type { FindingKind } from "../../src/sim/findings.js";
import { run } from "../../src/sim/index.js";
import { operandTypes } from "../../src/ops/operands.js";
import { allRows } from "../../src/ops/table.js";
import { constantOperands, supportOf } from "../../src/passes/support.js";
import { showType } from "../../src/types/types.js";
import {
  expectedOf,
  flowProgram,
  lanesOf,
  shapes,
  type FlowProgram,
  type Shape,
} from "../sim/flow-language.js";
import { textOf } from "../sim/flow-text.js";
import { outcome } from "./text.js";

/** Runs the text with subgroups of one lane, so that nothing but the emulation can make lanes meet. */
async function simulated(
  text: string,
  dialect: Dialect,
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
    workgroups: [1], workgroupSize: shape.size, subgroupSize: 1, args: new Map([[result, new Uint8Array(4 * lanesOf(shape))]]), maxSteps: 10000000,
  }); // prettier-ignore
  expect(done.stats.complete).toBe(true);
  expect(done.findings.map((f) => f.message)).toEqual([]);
  return [...new Uint32Array(done.buffers.get(result)!.slice().buffer)];
}

async function emulated(
  program: FlowProgram,
  shape: Shape,
  from: Dialect,
  to: Dialect,
  profile: string,
): Promise<number[]> {
  const { text, problems } = await outcome(textOf(program, shape, from), from, to, {
    emulateSubgroups: shape.width, workgroupSize: shape.size, profile: profileNamed(profile)!,
  }); // prettier-ignore
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
        if (expected)
          expect(await emulated(p, shape, from, to, profile), textOf(p, shape, from)).toEqual(expected);
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
          if (found.verdict === "refused" && !type.test(found.reason!)) refused.push(`${row.id} ${t ? showType(t) : ""} ${flow}: ${found.reason}`);
        }
      }
    }
    expect(refused).toEqual([]);
  });
}); // prettier-ignore

const reduce = `kernel void sum(device const int *x [[buffer(0)]], device int *y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = simd_sum(x[i]);
}
`;

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
  test.each([
    ["opencl", "opencl1.2"],
    ["hlsl", "sm5.0"],
    ["msl", "msl2.0-ios"],
    ["glsl", "vulkan1.1"],
  ] as const)("is not written for lanes that do not call it, in %s", async (to, profile) => {
    const options = { emulateSubgroups: 4, workgroupSize: [8, 1, 1] as [number, number, number], profile: profileNamed(profile)! };
    const shape: Shape = { size: [8, 1, 1], width: 4 };
    const results = await Promise.all(
      [source("out", "subgroupAdd(1u)"), source("inout", "r + subgroupAdd(1u)")].map(async (text) => {
        const made = await outcome(text, "glsl", to, options);
        expect(made.problems.map((p) => `${p.code} ${p.message}`)).toEqual([]);
        return simulated(made.text, to, shape, ["out-of-bounds", "barrier-divergence", "uninitialized-read"]);
      }),
    );
    expect(results).toEqual([out, inout]);
  });
}); // prettier-ignore

describe("refused", () => {
  const header = "#include <metal_stdlib>\nusing namespace metal;\n";

  test("where the size of the workgroup is not known", async () => {
    const { problems } = await outcome(header + reduce, "msl", "opencl", { emulateSubgroups: 32, workgroupSize: undefined });
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
}); // prettier-ignore

describe("text", () => {
  test("a last subgroup that is not whole ends with the workgroup, in the source's own dialect too", async () => {
    const source = "__kernel void k(__global uint *x) { x[get_global_id(0)] = sub_group_reduce_add(x[get_global_id(0)]); }\n";
    const profile = profileNamed("opencl1.2")!;
    const { text } = await outcome(source, "opencl", "opencl", { emulateSubgroups: 32, workgroupSize: [50, 1, 1], profile });
    expect(text).toContain("uint end = min(base + 32u, 50u);");
    expect((await compile(text, { from: "opencl" })).diagnostics).toEqual([]);
  });

  test("flow of the whole workgroup stays, and an op is one call", async () => {
    const source = `#include <metal_stdlib>
using namespace metal;
${reduce}`;
    const { text } = await outcome(source, "msl", "opencl", { emulateSubgroups: 8, profile: profileNamed("opencl1.2")! });
    expect(text.slice(text.indexOf("__attribute__"))).toBe(`__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void sum(__global const int *x, __global int *y) {
  __local int lanes_i32[64];
  uint i = get_global_id(0);
  y[i] = subgroup_add(x[i], lanes_i32);
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
    const { text } = await outcome(source, "msl", "opencl", { emulateSubgroups: 8, profile: profileNamed("opencl1.2")! });
    const kernel = text.slice(text.indexOf("__kernel"));
    expect(kernel).toContain("bool active = i < n;");
    expect(kernel).toMatch(/subgroup_add_of_active\(\w+, active, /);
    expect(kernel).not.toContain("return");
  });
}); // prettier-ignore
