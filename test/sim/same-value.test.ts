/**
 * Writes of the same value that nothing orders: a note, and a finding where it is asked for by name. What is expected is what the
 * kernels' lines say: which of their accesses conflict, and what they store.
 */
import { expect, test } from "vitest";
import { simulate, type SimulateOptions } from "../../src/api/simulate.js";

const lanes = 16;

/** Findings as kind and the two lines, and the lines of notes. */
async function told(body: string, more: Partial<SimulateOptions> = {}) {
  const text = `__kernel void k(__global int *flag, __global long *wide, __global float *real) {
  int i = get_local_id(0);
  int g = get_group_id(0);
${body}
}`;
  const { findings, diagnostics } = await simulate(text, {
    from: "opencl",
    workgroups: [1],
    workgroupSize: [lanes],
    subgroupSize: 4,
    args: { flag: new Int32Array(64), wide: new BigInt64Array(8), real: new Float32Array(8) },
    ...more,
  });
  const notes = diagnostics.filter((d) => d.code === "XL5016");
  expect(notes.every((d) => d.severity === "note")).toBe(true);
  return {
    findings: findings.map((f) => `${f.kind} ${f.location!.line} ${f.against!.line}`),
    notes: notes.map((d) => d.location!.line),
    counts: findings.map((f) => f.count),
  };
}

test("a flag that all lanes set is a note, of several workgroups too", async () => {
  expect(await told("  flag[0] = 1;")).toMatchObject({ findings: [], notes: [4] });
  expect(await told("  if (i == 0) flag[0] = 7;", { workgroups: [3] })).toMatchObject({ findings: [], notes: [4] });
});

test("different values, one of them only, are a race", async () => {
  expect((await told("  flag[0] = i;")).findings).toEqual(["data-race 4 4"]);
  expect((await told("  flag[0] = i == 9 ? 2 : 1;")).findings).toEqual(["data-race 4 4"]);
  expect((await told("  if (i == 0) flag[0] = 1 + g;", { workgroups: [2] })).findings).toEqual(["data-race 4 4"]);
});

test("a lane that writes something else after all have written the same races with the others", async () => {
  expect(
    await told("  if (i == 0) flag[0] = 1;\n  if (i == 1) flag[0] = 1;\n  if (i == 1) flag[0] = 2;"),
  ).toMatchObject({
    findings: ["data-race 6 4"],
    notes: [5],
  });
  // And where it is the last of another workgroup, whose own writes are behind a barrier.
  const group = "  if (i == 0) flag[0] = 1;\n  barrier(CLK_GLOBAL_MEM_FENCE);\n  if (g == 1 && i == 3) flag[0] = 2;";
  expect(await told(group, { workgroups: [2] })).toMatchObject({ findings: ["data-race 6 4"], notes: [4] });
});

test("reads race with writes of any value", async () => {
  expect(await told("  flag[0] = 1;\n  flag[1 + i] = flag[0];")).toMatchObject({
    findings: ["data-race 4 5", "data-race 5 4"],
    notes: [],
  });
  expect(await told("  flag[0] = 1;\n  barrier(CLK_GLOBAL_MEM_FENCE);\n  flag[1 + i] = flag[0];")).toMatchObject({
    findings: [],
    notes: [4],
  });
  expect((await told("  flag[0] |= 1;")).findings).toContain("data-race 4 4");
});

test("atomics of others race with a write of any value", async () => {
  expect((await told("  if (i < 8) flag[0] = 0;\n  else atomic_or(flag, 0);")).findings).toEqual(["data-race 5 4"]);
  expect((await told("  atomic_or(flag, 0);\n  if (i == 3) flag[0] = 0;")).findings).toContain("data-race 5 4");
});

test("values are compared by their bits, all of them", async () => {
  expect((await told("  wide[0] = 5;")).notes).toEqual([4]);
  expect((await told("  wide[0] = 5L + ((long)(i & 1) << 40);")).findings).toEqual(["data-race 4 4"]);
  expect((await told("  real[0] = i == 3 ? -0.0f : 0.0f;")).findings).toEqual(["data-race 4 4"]);
  // Of a cell that held the value before the first of both wrote it.
  expect((await told("  flag[0] = 0;")).notes).toEqual([4]);
});

test("the same where lanes are ordered by more than barriers", async () => {
  const fence = "\n  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);";
  expect(await told(`  flag[0] = 1;${fence}`)).toMatchObject({ findings: [], notes: [4] });
  expect((await told(`  flag[0] = i;${fence}`)).findings).toEqual(["data-race 4 4"]);
  const later = `  if (i == 0) flag[0] = 1;\n  if (i == 1) flag[0] = 1;\n  if (i == 1) flag[0] = 2;${fence}`;
  expect((await told(later)).findings).toEqual(["data-race 6 4"]);
});

test("--findings: by its name a finding, once with a count", async () => {
  const text = "  flag[0] = 1;\n  flag[1] = i;";
  const only = await told(text, { findings: ["same-value-race"] });
  expect(only).toEqual({ findings: ["same-value-race 4 4"], notes: [], counts: [lanes - 1] });
  expect((await told(text, { findings: ["data-race"] })).notes).toEqual([4]);
  const both = await told(text, { findings: ["data-race", "same-value-race"] });
  expect(both.findings.toSorted()).toEqual(["data-race 5 5", "same-value-race 4 4"]);
  expect(await told(text, { findings: ["out-of-bounds"] })).toMatchObject({ findings: [], notes: [] });
});

test("of readers in one subgroup those before its barrier are behind", async () => {
  const glsl = (barrier: string): string => `#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Data { int data[]; };
shared int cells[2];
void main() {
  uint s = gl_SubgroupID;
  if (gl_SubgroupInvocationID == 0u) cells[s] = 3;
  subgroupBarrier();
  int x = cells[s];
  ${barrier}
  if (gl_SubgroupInvocationID == 0u) { int y = cells[s]; cells[s] = y + x; }
  data[gl_LocalInvocationIndex] = x;
}`;
  const lines = async (barrier: string): Promise<readonly (readonly [number, number])[]> => {
    const { findings } = await simulate(glsl(barrier), {
      from: "glsl",
      workgroups: [1],
      subgroupSize: 4,
      args: { data: new Int32Array(8) },
    });
    return findings.map((f) => [f.location!.line, f.against!.line] as const);
  };
  expect(await lines("subgroupBarrier();")).toEqual([]);
  expect(await lines("")).toEqual([[10, 12]]);
});
