/**
 * Kernels with one planted mistake of memory order each, in all dialects, beside their corrected twins: the mistake is found at its
 * lines, at every width of subgroups, and the twin has no finding.
 *
 * `{{good||bad}}` is the mistake; lines with `//!` are those whose accesses race then.
 */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";

interface Words {
  /** Barriers that order workgroup memory, and buffers. */
  readonly BAR_W: string;
  readonly BAR_D: string;
  /** A fence of the device. */
  readonly FENCE: string;
  /** Adds 1 to an object in a buffer, or in workgroup memory; `old` gets what it held. */
  readonly add: (place: string, workgroup: boolean, old: string) => string;
  readonly kernel: (body: string) => string;
}

const dialects: Readonly<Record<TwoWayDialect, Words>> = {
  opencl: {
    BAR_W: "barrier(CLK_LOCAL_MEM_FENCE);",
    BAR_D: "barrier(CLK_GLOBAL_MEM_FENCE);",
    FENCE: "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);",
    add: (place, _, old) => `int ${old} = atomic_add(&${place}, 1);`,
    kernel: (body) => `__kernel void k(__global int *data, __global int *flag) {
  __local int tile[32];
  __local int count;
  int i = get_local_id(0);
  int g = get_group_id(0);
${body}
}`,
  },
  msl: {
    BAR_W: "threadgroup_barrier(mem_flags::mem_threadgroup);",
    BAR_D: "threadgroup_barrier(mem_flags::mem_device);",
    FENCE: "atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);",
    add: (place, workgroup, old) =>
      `int ${old} = atomic_fetch_add_explicit((${workgroup ? "threadgroup" : "device"} atomic_int *)&${place}, 1, memory_order_relaxed);`,
    kernel: (body) => `#include <metal_stdlib>
using namespace metal;
kernel void k(coherent(device) device int *data [[buffer(0)]], device int *flag [[buffer(1)]],
              ushort lane [[thread_index_in_threadgroup]], ushort group [[threadgroup_position_in_grid]]) {
  threadgroup int tile[32];
  threadgroup int count;
  int i = lane;
  int g = group;
${body}
}`,
  },
  glsl: {
    BAR_W: "barrier();",
    BAR_D: "memoryBarrierBuffer(); barrier();",
    FENCE: "memoryBarrierBuffer();",
    add: (place, _, old) => `int ${old} = atomicAdd(${place}, 1);`,
    kernel: (body) => `#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) coherent buffer Data { int data[]; };
layout(std430, binding = 1) coherent buffer Flag { int flag[]; };
shared int tile[32];
shared int count;
void main() {
  int i = int(gl_LocalInvocationIndex);
  int g = int(gl_WorkGroupID.x);
${body}
}`,
  },
  hlsl: {
    BAR_W: "GroupMemoryBarrierWithGroupSync();",
    BAR_D: "DeviceMemoryBarrierWithGroupSync();",
    FENCE: "DeviceMemoryBarrier();",
    add: (place, _, old) => `int ${old}; InterlockedAdd(${place}, 1, ${old});`,
    kernel: (body) => `globallycoherent RWStructuredBuffer<int> data : register(u0);
globallycoherent RWStructuredBuffer<int> flag : register(u1);
groupshared int tile[32];
groupshared int count;
[numthreads(32, 1, 1)]
void k(uint lane : SV_GroupIndex, uint3 group : SV_GroupID) {
  int i = int(lane);
  int g = int(group.x);
${body}
}`,
  },
};

const own = "data[32 * g + i]";
const mistakes: Readonly<Record<string, string>> = {
  "a neighbour's cell without a barrier": `tile[i] = i; //!
{{BAR_W||}}
${own} = tile[(i + 1) % 32]; //!`,
  "cells written again before all have read": `tile[i] = i;
BAR_W
int x = tile[31 - i]; //!
{{BAR_W||}}
tile[i] = x; //!
BAR_W
${own} = tile[i];`,
  "a barrier for workgroup memory, where a buffer is meant": `${own} = i; //!
{{BAR_D||BAR_W}}
tile[i] = data[32 * g + (i ^ 1)]; //!
BAR_W
BAR_D
${own} = tile[i];`,
  "no barrier at the end of a pass": `tile[i] = i;
BAR_W
for (int s = 16; s > 0; s /= 2) {
  if (i < s) tile[i] += tile[i + s]; //!
  {{BAR_W||}}
}
if (i == 0) data[32 * g] = tile[0];`,
  "no barrier before the loop": `tile[i] = 1; //!
{{BAR_W||}}
for (int s = 16; s > 0; s /= 2) {
  if (i < s) tile[i] += tile[i + s]; //!
  BAR_W
}
if (i == 0) data[32 * g] = tile[0];`,
  "two lanes with one cell": `tile[{{i||i / 2}}] = i; //!
BAR_W
${own} = tile[i / 2];`,
  "workgroups with one row": `data[{{32 * g + i||i}}] = g; //!`,
  "one lane's value read at once": `if (i == 0) tile[0] = 7; //!
{{BAR_W||}}
${own} = tile[0]; //!`,
  "a counter without an atomic": `if (i == 0) count = 0;
BAR_W
{{ADD_W(count)||count += 1;}} //!
BAR_W
${own} = count;`,
  "a histogram in a buffer without an atomic": `{{ADD_D(flag[i % 4])||flag[i % 4] += 1;}} //!`,
  "a counter that is set while others add": `if (i == 0) count = 0; //!
{{BAR_W||}}
ADD_W(count) //!
BAR_W
${own} = count;`,
  "a counter that is read while others add": `if (i == 0) count = 0;
BAR_W
ADD_W(count) //!
{{BAR_W||}}
${own} = count; //!`,
  "a counter that is reset while others read": `if (i == 0) count = 5;
BAR_W
int n = count; //!
{{BAR_W||}}
if (i == 0) count = 0; //!
${own} = n;`,
  "the last workgroup: no fence before the ticket": `if (i == 0) {
  data[32 * g] = 3; //!
  {{FENCE||}}
  ADD_D(flag[0])
  if (old == 1) {
    FENCE
    flag[1] = data[0] + data[32]; //!
  }
}`,
  "the last workgroup: no fence after the ticket": `if (i == 0) {
  data[32 * g] = 3; //!
  FENCE
  ADD_D(flag[0])
  if (old == 1) {
    {{FENCE||}}
    flag[1] = data[0] + data[32]; //!
  }
}`,
  "the last workgroup: written after the fence": `if (i == 0) {
  {{data[32 * g] = 3;||}} //!
  FENCE
  {{||data[32 * g] = 3;}} //!
  ADD_D(flag[0])
  if (old == 1) {
    FENCE
    flag[1] = data[0] + data[32]; //!
  }
}`,
  "the last workgroup: all lanes write, one has the fence": `${own} = 3; //!
{{BAR_D||}}
if (i == 31) {
  FENCE
  ADD_D(flag[0])
  if (old == 1) {
    FENCE
    flag[1] = data[0] + data[32]; //!
  }
}`,
  "a ticket handed to the others at once": `if (i == 0) {
  ADD_D(flag[0])
  tile[0] = old; //!
}
{{BAR_W||}}
${own} = tile[0]; //!`,
  "a scan in place": `tile[i] = i;
BAR_W
int before = 0;
if (i > 0) before = tile[i - 1]; //!
{{BAR_W||}}
tile[i] += before; //!
BAR_W
${own} = tile[i];`,
  "a flag that is set plainly": `if (i == 0 && g == 0) {
  {{ADD_D(flag[0])||flag[0] = 1;}} //!
}
if (i == 0 && g == 1) {
  ADD_D(flag[0]) //!
}`,
};

/** Both twins, with the line that an addition's old value has in it. */
function written(w: Words, body: string, which: "good" | "bad"): string {
  const chosen = body.replace(/\{\{(.*?)\|\|(.*?)\}\}/g, (_, good: string, bad: string) =>
    which === "good" ? good : bad,
  );
  const text = chosen
    .replace(/\b(BAR_W|BAR_D|FENCE)\b/g, (_, word: "BAR_W" | "BAR_D" | "FENCE") => w[word])
    .replace(/\bADD_([WD])\(([^()]*)\)/g, (_, where: string, place: string) => w.add(place, where === "W", "old"));
  return w.kernel(text.replace(/^/gm, "  "));
}

async function findings(from: TwoWayDialect, text: string, subgroupSize: number): Promise<readonly string[]> {
  const result = await simulate(text, {
    from,
    workgroups: [2],
    subgroupSize,
    args: { data: new Int32Array(64), flag: new Int32Array(4) },
    ...(from === "glsl" || from === "hlsl" ? {} : { workgroupSize: [32] }),
  });
  expect(result.diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  const lines = text.split("\n");
  return result.findings.map((f) => `${f.kind}: ${lines[f.location!.line - 1]!.trim()}`);
}

describe.each(Object.entries(dialects))("%s", (dialect, words) => {
  test.each(Object.entries(mistakes))("%s", async (_, body) => {
    const [good, bad] = [written(words, body, "good"), written(words, body, "bad")];
    expect(good).not.toBe(bad);
    for (const width of [4, 8, 32]) {
      expect(await findings(dialect as TwoWayDialect, good, width)).toEqual([]);
      const found = await findings(dialect as TwoWayDialect, bad, width);
      expect(found.length).toBeGreaterThan(0);
      for (const f of found) expect(f).toMatch(/^data-race: .*\/\/!$/);
    }
  });
});
