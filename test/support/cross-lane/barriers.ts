/**
 * Kernels that pass values between the lanes of a subgroup through memory: each stretch writes, has a barrier, and reads
 * what another lane wrote, twice; with what must come out, and which storage each barrier orders (cross-lane.md 1.12,
 * memory.md 3). The dialects' calls by their own specifications, nothing of src/ops.
 */
import type { TwoWayDialect } from "../../../src/dialects/ids.js";
import { lanesInAll } from "./data.js";

/** Workgroup memory, buffers, or both. */
export type Storage = "W" | "D" | "WD";
export type BarrierSource = Exclude<TwoWayDialect, "hlsl">;

/** `uniform`: all lanes; `loop`: three turns; `subgroups`: every second subgroup, as many turns as its number; `lanes`: every second pair. */
export type BarrierFlow = "uniform" | "loop" | "subgroups" | "lanes";

export interface BarrierForm {
  readonly name: string;
  /** What it orders; undefined: nothing. */
  readonly orders: Storage | undefined;
  readonly statements: string;
}

const form = (name: string, orders: Storage | undefined, statements: string): BarrierForm => ({
  name,
  orders,
  statements,
});

/** A fence on either side of a barrier that orders nothing itself. */
const around = (fence: string, barrier: string): string => `${fence} ${barrier} ${fence}`;

const glslExec = "controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);";
const glslControl = (storage: string, scope = "Subgroup"): string =>
  `controlBarrier(gl_ScopeSubgroup, gl_Scope${scope}, ${storage}, gl_SemanticsAcquireRelease);`;
const mslFence = (flags: string): string =>
  `atomic_thread_fence(${flags}, memory_order_acq_rel, thread_scope_simdgroup);`;
const mslExec = "simdgroup_barrier(mem_flags::mem_none);";
const clFence = (flags: string): string =>
  `atomic_work_item_fence(${flags}, memory_order_acq_rel, memory_scope_sub_group);`;

export const barrierForms: Readonly<Record<BarrierSource, readonly BarrierForm[]>> = {
  msl: [
    form("barrier", "W", "simdgroup_barrier(mem_flags::mem_threadgroup);"),
    form("barrier", "D", "simdgroup_barrier(mem_flags::mem_device);"),
    form("barrier", "WD", "simdgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);"),
    form("barrier", undefined, mslExec),
    form("fences", "W", around(mslFence("mem_flags::mem_threadgroup"), mslExec)),
    form("fences", "D", around(mslFence("mem_flags::mem_device"), mslExec)),
    form("fences", "WD", around(mslFence("mem_flags::mem_device | mem_flags::mem_threadgroup"), mslExec)),
  ],
  glsl: [
    form("barrier", "WD", "subgroupBarrier();"),
    form("control", "W", glslControl("gl_StorageSemanticsShared")),
    form("control", "D", glslControl("gl_StorageSemanticsBuffer")),
    form("control", "WD", glslControl("gl_StorageSemanticsShared | gl_StorageSemanticsBuffer")),
    form("control", undefined, glslExec),
    form("fences", "W", around("subgroupMemoryBarrierShared();", glslExec)),
    form("fences", "D", around("subgroupMemoryBarrierBuffer();", glslExec)),
    form("fences", "WD", around("subgroupMemoryBarrier();", glslExec)),
    form("image fences", undefined, around("subgroupMemoryBarrierImage();", glslExec)),
  ],
  opencl: [
    form("barrier", "W", "sub_group_barrier(CLK_LOCAL_MEM_FENCE);"),
    form("barrier", "D", "sub_group_barrier(CLK_GLOBAL_MEM_FENCE);"),
    form("barrier", "WD", "sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"),
    form("scoped", "D", "sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_sub_group);"),
    form("barrier", undefined, "sub_group_barrier(0);"),
    form("fences", "W", around(clFence("CLK_LOCAL_MEM_FENCE"), "sub_group_barrier(0);")),
    form("fences", "D", around(clFence("CLK_GLOBAL_MEM_FENCE"), "sub_group_barrier(0);")),
    form("fences", "WD", around(clFence("CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"), "sub_group_barrier(0);")),
  ],
};

/** Fences alone: the statement, and what it orders. */
export const fenceForms: Readonly<Record<BarrierSource, readonly BarrierForm[]>> = {
  msl: [
    form("fence", "W", mslFence("mem_flags::mem_threadgroup")),
    form("fence", "D", mslFence("mem_flags::mem_device")),
    form("fence", "WD", mslFence("mem_flags::mem_device | mem_flags::mem_threadgroup")),
  ],
  glsl: [
    form("fence", "W", "subgroupMemoryBarrierShared();"),
    form("fence", "D", "subgroupMemoryBarrierBuffer();"),
    form("fence", "WD", "subgroupMemoryBarrier();"),
  ],
  opencl: [
    form("fence", "W", clFence("CLK_LOCAL_MEM_FENCE")),
    form("fence", "D", clFence("CLK_GLOBAL_MEM_FENCE")),
    form("fence", "WD", clFence("CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE")),
  ],
};

export const flowsOfBarriers: Readonly<Record<BarrierSource, readonly BarrierFlow[]>> = {
  // Every lane of a subgroup must come to the barrier, but in GLSL, where the active ones wait for each other.
  msl: ["uniform", "loop", "subgroups"],
  glsl: ["uniform", "loop", "subgroups", "lanes"],
  opencl: ["uniform", "loop", "subgroups"],
};

/** A barrier in a kernel: the values go through `through`. */
export interface Stretch {
  readonly form: BarrierForm;
  readonly through: Storage;
}

/** Whether the barrier orders all that the values go through. */
export const isOrdered = ({ form: f, through }: Stretch): boolean =>
  [...through].every((s) => f.orders?.includes(s) ?? false);

export const stretchesOf = (dialect: BarrierSource): Stretch[] =>
  barrierForms[dialect].flatMap((f) => (["W", "D", "WD"] as const).map((through) => ({ form: f, through })));

export interface BarrierKernel {
  readonly text: string;
  readonly flow: BarrierFlow;
  readonly stretches: readonly Stretch[];
  /** 1-based lines on which each stretch reads what other lanes wrote. */
  readonly reads: readonly (readonly number[])[];
}

const n = lanesInAll;

/** The comment before a barrier, by which it is found in a translation. */
export const mark = (stretch: number): string => `stretch ${stretch}:`;

/** The kernel up to its body, with so many arrays of workgroup memory. */
const heads: Readonly<Record<BarrierSource, (cells: number) => string>> = {
  msl: (cells) => `#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *xs [[buffer(0)]], device uint *mem [[buffer(1)]], device uint *outs [[buffer(2)]],
              uint i [[thread_position_in_threadgroup]], uint lane [[thread_index_in_simdgroup]], uint lanes [[threads_per_simdgroup]]) {
${Array.from({ length: cells }, (_, c) => `  threadgroup uint cells${c}[${n}];\n`).join("")}`,
  glsl: (cells) => `#version 460
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = ${n}) in;
layout(std430, set = 0, binding = 0) readonly buffer Xs { uint xs[]; };
layout(std430, set = 0, binding = 1) coherent buffer Mem { uint mem[]; };
layout(std430, set = 0, binding = 2) buffer Outs { uint outs[]; };
${Array.from({ length: cells }, (_, c) => `shared uint cells${c}[${n}];\n`).join("")}void main() {
  uint i = gl_LocalInvocationIndex;
  uint lane = gl_SubgroupInvocationID;
  uint lanes = gl_SubgroupSize;
`,
  opencl: (cells) => `__kernel __attribute__((reqd_work_group_size(${n}, 1, 1)))
void k(__global const uint *xs, __global uint *mem, __global uint *outs) {
${Array.from({ length: cells }, (_, c) => `  __local uint cells${c}[${n}];\n`).join("")}  uint i = (uint)get_local_id(0);
  uint lane = get_sub_group_local_id();
  uint lanes = get_max_sub_group_size();
`,
};

/**
 * Each stretch: `r` goes to the memory, past the barrier the partner's is read, and again with the next lane's. Between
 * reading and writing again there is a barrier too; `barrier` gives the statements of a stretch's barriers.
 */
export function barrierKernel(
  dialect: BarrierSource,
  flow: BarrierFlow,
  stretches: readonly Stretch[],
  barrier: (s: Stretch) => string = (s) => s.form.statements,
): BarrierKernel {
  let text = heads[dialect](stretches.length);
  const next = flow === "lanes" ? "partner" : `lane + 1u < lanes && i + 1u < ${n}u ? i + 1u : base`;
  text += `  uint base = i - lane;\n  uint partner = (i - base ^ 1u) + base < ${n}u ? (i - base ^ 1u) + base : i;\n  uint next = ${next};\n`;
  text += flow === "loop" ? "  uint turns = 3u;\n" : flow === "subgroups" ? "  uint turns = i / lanes % 4u;\n" : "";
  const reads: number[][] = [];
  const put = (line: string): number => {
    text += `${line}\n`;
    return text.split("\n").length - 1;
  };
  stretches.forEach((s, k) => {
    const cells = `cells${k}`;
    const mem = (index: string): string => `mem[${k * n}u + ${index}]`;
    const write = [...s.through].map((t) => (t === "W" ? `${cells}[i] = r;` : `${mem("i")} = r;`)).join(" ");
    const read = (index: string): string =>
      [...s.through].map((t) => (t === "W" ? `${cells}[${index}]` : mem(index))).join(" + ");
    put(`  uint r${k} = xs[i] + ${k}u;`);
    const open =
      flow === "uniform"
        ? "  {"
        : flow === "lanes"
          ? "  if ((lane & 2u) == 0u) {"
          : `  for (uint t = 0u; t < turns; t++) {`;
    put(open);
    put(`    uint r = r${k};`);
    put(`    ${write}`);
    put(`    // ${mark(k)}`);
    put(`    ${barrier(s)}`);
    const first = put(`    r = r * 3u + ${read("partner")};`);
    put(`    ${barrier(s)}`);
    put(`    ${write}`);
    put(`    ${barrier(s)}`);
    const second = put(`    r${k} = r + ${read("next")};`);
    put(`    ${barrier(s)}`);
    put("  }");
    put(`  outs[${k * n}u + i] = r${k};`);
    reads.push([first, second]);
  });
  return { text: `${text}}\n`, flow, stretches, reads };
}

export const inputs = (): Uint32Array => Uint32Array.from({ length: n }, (_, i) => (i * 2654435761) >>> 8);

/** What must be in `outs`, by hand: every lane does each step before any does the next. */
export function expectedOuts({ stretches, flow }: BarrierKernel, width: number): Uint32Array {
  const outs = new Uint32Array(stretches.length * n);
  const xs = inputs();
  stretches.forEach((s, k) => {
    let r = xs.map((x) => x + k);
    const lane = (i: number): number => i % width;
    const base = (i: number): number => i - lane(i);
    const partner = (i: number): number => (base(i) + (lane(i) ^ 1) < n ? base(i) + (lane(i) ^ 1) : i);
    const next = (i: number): number =>
      flow === "lanes" ? partner(i) : lane(i) + 1 < width && i + 1 < n ? i + 1 : base(i);
    const turns = (i: number): number =>
      flow === "uniform"
        ? 1
        : flow === "loop"
          ? 3
          : flow === "subgroups"
            ? Math.floor(i / width) % 4
            : (lane(i) & 2) === 0
              ? 1
              : 0;
    // Both memories hold the same.
    const times = s.through.length;
    for (let t = 0; t < 3; t++) {
      const met = r.map((x, i) => Math.imul(x, 3) + times * r[partner(i)]!);
      const after = met.map((x, i) => x + times * met[next(i)]!);
      r = r.map((x, i) => (t < turns(i) ? after[i]! : x));
    }
    outs.set(r, k * n);
  });
  return outs;
}

/** The fences of a dialect, one after the other between accesses of the lane's own. */
export function fenceKernel(dialect: BarrierSource): {
  readonly text: string;
  readonly fences: readonly BarrierForm[];
} {
  const fences = fenceForms[dialect];
  let text = heads[dialect](1);
  fences.forEach((f, k) => {
    text += `  cells0[i] = xs[i] + ${k}u; mem[${k * n}u + i] = cells0[i];\n  // ${mark(k)}\n  ${f.statements}\n  outs[${k * n}u + i] = cells0[i] + mem[${k * n}u + i];\n`;
  });
  return { text: `${text}}\n`, fences };
}

/** Statements after the comment of a stretch, up to the first that is no barrier. */
export function barriersAt(text: string, stretch: number): string {
  const lines = text.split("\n");
  const at = lines.findIndex((l) => l.includes(mark(stretch)));
  const found: string[] = [];
  for (let i = at + 1; at >= 0 && i < lines.length; i++) {
    const line = lines[i]!.trim();
    if (!/^\w*(barrier|fence)\w*\(/i.test(line)) break;
    found.push(line.replace(/;$/, ""));
  }
  return found.join("; ");
}
