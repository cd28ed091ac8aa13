/**
 * Kernels that evaluate one cross-lane expression in a loop each lane leaves after its own number of rounds, and what
 * they must give, worked out from the lanes that are active in each round. Nothing here knows the rows.
 */
import { simulate } from "../../src/api/simulate.js";
import { translate } from "../../src/api/translate.js";
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";

/** One round: the values of the lanes of a subgroup (or workgroup) and which of them take part. */
export interface Round {
  readonly x: readonly number[];
  readonly active: readonly boolean[];
  /** Subgroup width. */
  readonly width: number;
}
/** The result of a lane; undefined where it is open. */
export type Oracle = (lane: number, round: Round) => number | undefined;

export interface Case {
  readonly dialect: TwoWayDialect;
  /** Over v (uint), lane (uint), lanes (uint). Gives a uint. */
  readonly expression: string;
  readonly oracle: Oracle;
  /** All lanes must reach it. */
  readonly uniformOnly?: boolean;
  /** The lanes of the whole workgroup take part. */
  readonly workgroup?: boolean;
}

export const u32 = (x: number): number => x >>> 0;
export const activeLanes = (r: Round): number[] => r.active.flatMap((a, i) => (a ? [i] : []));

const categories = ["basic", "vote", "ballot", "arithmetic", "shuffle", "shuffle_relative"];
const glslExtensions = [
  ...categories.map((c) => `KHR_shader_subgroup_${c}`),
  "NV_shader_subgroup_partitioned",
  "ARB_shader_ballot",
  "ARB_shader_group_vote",
  "ARB_gpu_shader_int64",
];
const loop = (e: string): string =>
  `uint v = pv[i]; uint rounds = pm[i]; uint result = 999u; for (uint t = 0u; t < rounds; t++) { result = result * 33u + ${e}; } r[i] = result;`;

const frame: Record<TwoWayDialect, (e: string, size: number) => string> = {
  msl: (e) =>
    `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device const uint *pv [[buffer(0)]], device const uint *pm [[buffer(1)]], device uint *r [[buffer(2)]], uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]], uint lanes [[threads_per_simdgroup]]) { ${loop(e)} }\n`,
  glsl: (e, size) =>
    `#version 450\n${glslExtensions.map((c) => `#extension GL_${c} : require`).join("\n")}\nlayout(local_size_x = ${size}) in;\nlayout(std430, set = 0, binding = 0) readonly buffer V { uint pv[]; };\nlayout(std430, set = 0, binding = 1) readonly buffer M { uint pm[]; };\nlayout(std430, set = 0, binding = 2) buffer R { uint r[]; };\nvoid main() { uint i = gl_GlobalInvocationID.x; uint lane = gl_SubgroupInvocationID; uint lanes = gl_SubgroupSize; ${loop(e)} }\n`,
  opencl: (e, size) =>
    `__kernel __attribute__((reqd_work_group_size(${size}, 1, 1))) void k(__global const uint *pv, __global const uint *pm, __global uint *r) { uint i = get_global_id(0); uint lane = get_sub_group_local_id(); uint lanes = get_max_sub_group_size(); ${loop(e)} }\n`,
  hlsl: (e, size) =>
    `StructuredBuffer<uint> pv : register(t0);\nStructuredBuffer<uint> pm : register(t1);\nRWStructuredBuffer<uint> r : register(u2);\n[numthreads(${size}, 1, 1)]\nvoid k(uint3 id : SV_DispatchThreadID) { uint i = id.x; uint lane = WaveGetLaneIndex(); uint lanes = WaveGetLaneCount(); ${loop(e)} }\n`,
};

export const sourceOf = (c: Case, size: number): string => frame[c.dialect](c.expression, size);

/** Workgroup size, subgroup widths, and rounds of each lane: uniform, odd lanes only, some lanes, a loop that lanes leave one by one. */
interface Shape {
  readonly name: string;
  readonly size: number;
  readonly widths: readonly number[];
  readonly rounds: (i: number) => number;
  readonly uniform?: boolean;
}
export const shapes: readonly Shape[] = [
  { name: "all lanes", size: 64, widths: [4, 8, 32, 64, 128], rounds: () => 1, uniform: true },
  { name: "odd lanes", size: 64, widths: [4, 32, 128], rounds: (i) => i % 2 },
  { name: "lanes that leave one by one", size: 64, widths: [8, 64], rounds: (i) => (i * 7) % 5 },
  { name: "a partial subgroup", size: 44, widths: [8, 32, 64], rounds: () => 2, uniform: true },
  { name: "some lanes of a partial subgroup", size: 44, widths: [32], rounds: (i) => (i % 3 === 1 ? 0 : 1) },
];

/** Few different values, so that classes have several lanes. */
const data = (size: number): Uint32Array =>
  Uint32Array.from({ length: size }, (_, i) => (Math.imul(i + 3, 2654435761) >>> 22) + 1);

async function wrongIn(text: string, dialect: TwoWayDialect, c: Case, s: Shape): Promise<string[]> {
  const wrong: string[] = [];
  const x = data(s.size);
  const rounds = Array.from({ length: s.size }, (_, i) => s.rounds(i));
  for (const width of s.widths) {
    const args = { pv: x, pm: Uint32Array.from(rounds), r: new Uint32Array(s.size) };
    const run = await simulate(text, {
      from: dialect,
      workgroups: [1],
      workgroupSize: [s.size],
      subgroupSize: width,
      args,
      findings: "none",
    });
    const got = run.buffers["r"] as Uint32Array | undefined;
    if (!got) return [`${dialect}: ${run.diagnostics.map((d) => d.message).join("; ")}\n${text}`];
    for (let i = 0; i < s.size; i++) {
      const span = c.workgroup ? s.size : width;
      const base = i - (i % span);
      const places = Array.from({ length: Math.min(span, s.size - base) }, (_, k) => base + k);
      let wanted: number | undefined = 999;
      for (let t = 0; t < rounds[i]! && wanted !== undefined; t++) {
        const round = { x: places.map((k) => x[k]!), active: places.map((k) => rounds[k]! > t), width };
        const value = c.oracle(i - base, round);
        wanted = value === undefined ? undefined : u32(Math.imul(wanted, 33) + value);
      }
      if (wanted === undefined || got[i] === wanted) continue;
      wrong.push(
        `${dialect}: ${c.expression}, width ${width}, ${s.name}, lane ${i - base} is ${got[i]}, not ${wanted}`,
      );
      break;
    }
  }
  return wrong;
}

/** What is wrong with a case in its own dialect and in every translation of it, by the profiles given. */
export async function complaints(
  c: Case,
  profiles: Partial<Record<TwoWayDialect, readonly string[]>> = {},
): Promise<string[]> {
  const wrong: string[] = [];
  for (const s of shapes) {
    if (c.uniformOnly && !s.uniform) continue;
    const source = sourceOf(c, s.size);
    wrong.push(...(await wrongIn(source, c.dialect, c, s)));
    for (const to of twoWayDialects) {
      for (const targetProfile of profiles[to] ?? [undefined]) {
        if (to === c.dialect && targetProfile === undefined) continue;
        const done = await translate(source, {
          from: c.dialect,
          to,
          workgroupSize: [s.size, 1, 1],
          ...(targetProfile === undefined ? {} : { profile: targetProfile }),
        });
        if (done.code === undefined) {
          wrong.push(`to ${to}: ${done.diagnostics.map((d) => d.message).join("; ")}`);
          continue;
        }
        const off = await wrongIn(done.code, to, c, s);
        if (off.length > 0) wrong.push(...off, done.code);
      }
    }
  }
  return wrong;
}
