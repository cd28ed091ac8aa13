/**
 * Calls of every operation on quads and clusters, with the reference semantics of cross-lane.md section 3, and launches
 * where all lanes are active, odd ones, some, or those of a loop with a trip count per lane, the last subgroup not full.
 */
import type { TwoWayDialect } from "../../src/dialects/ids.js";

/** The values of a subgroup, and which of its lanes are active; absent lanes are not. */
export interface Lanes {
  readonly x: readonly number[];
  readonly active: readonly boolean[];
}
/** The result of a lane; undefined where it is open. */
export type Oracle = (lane: number, l: Lanes) => number | undefined;

export interface Case {
  readonly dialect: TwoWayDialect;
  /** Over v (uint), lane (uint). Gives a uint. */
  readonly expression: string;
  readonly oracle: Oracle;
  /** Lanes a subgroup has at least. */
  readonly width?: number;
}

const u32 = (x: number): number => x >>> 0;
const odd = (x: number): boolean => x % 2 === 1;
const yes = (b: boolean): number => (b ? 1 : 0);
const value = (l: Lanes, i: number): number | undefined => (l.active[i] ? l.x[i] : undefined);
/** Values of the active lanes among `size` consecutive ones, ascending, up to lane `last`. */
const cluster = (l: Lanes, lane: number, size: number, last = Infinity): number[] => {
  const base = lane - (lane % size);
  return l.x.filter((_, i) => i >= base && i < base + size && i <= last && l.active[i]);
};
const mapped =
  (f: (x: number) => number, from: (lane: number) => number): Oracle =>
  (lane, l) => {
    const x = value(l, from(lane));
    return x === undefined ? undefined : f(x);
  };
const at = (from: (lane: number) => number): Oracle => mapped((x) => x, from);
const quad = (lane: number): number => lane - (lane % 4);

const folds = {
  add: (a: number, b: number) => u32(a + b),
  mul: (a: number, b: number) => u32(Math.imul(a, b)),
  min: (a: number, b: number) => Math.min(a, b),
  max: (a: number, b: number) => Math.max(a, b),
  and: (a: number, b: number) => u32(a & b),
  or: (a: number, b: number) => u32(a | b),
  xor: (a: number, b: number) => u32(a ^ b),
};
type Fold = keyof typeof folds;
const names = Object.keys(folds) as Fold[];
const mslNames: Record<Fold, string> = {
  add: "sum",
  mul: "product",
  min: "min",
  max: "max",
  and: "and",
  or: "or",
  xor: "xor",
};
const capital = (s: string): string => s[0]!.toUpperCase() + s.slice(1);
const clustered =
  (r: Fold, size: number, f = (x: number): number => x): Oracle =>
  (lane, l) =>
    cluster(l, lane, size).map(f).reduce(folds[r]);
const rotated =
  (d: number, size: number): Oracle =>
  (lane, l) =>
    value(l, lane - (lane % size) + ((lane + d + size) % size));
const scan =
  (r: "add" | "mul", inclusive: boolean): Oracle =>
  (lane, l) =>
    cluster(l, lane, 4, inclusive ? lane : lane - 1).reduce(folds[r], r === "add" ? 0 : 1);
const bits =
  (p: (x: number) => boolean): Oracle =>
  (lane, l) =>
    [0, 1, 2, 3].reduce((m, k) => m | (yes(!!l.active[quad(lane) + k] && p(l.x[quad(lane) + k]!)) << k), 0);

const glsl = (expression: string, oracle: Oracle, width = 4): Case => ({ dialect: "glsl", expression, oracle, width });
const msl = (expression: string, oracle: Oracle): Case => ({ dialect: "msl", expression, oracle });
const hlsl = (expression: string, oracle: Oracle): Case => ({ dialect: "hlsl", expression, oracle });
const opencl = (expression: string, oracle: Oracle, width = 4): Case => ({
  dialect: "opencl",
  expression,
  oracle,
  width,
});

export const cases: readonly Case[] = [
  ...names.flatMap((r) =>
    [1, 2, 4, 8, 16].map((c) => glsl(`subgroupClustered${capital(r)}(v, ${c}u)`, clustered(r, c), c)),
  ),
  ...names.flatMap((r) => [2, 4, 8].map((c) => opencl(`sub_group_clustered_reduce_${r}(v, ${c})`, clustered(r, c), c))),
  ...(["and", "or", "xor"] as const).flatMap((r) =>
    [2, 4, 8].flatMap((c) => [
      glsl(
        `uint(subgroupClustered${capital(r)}((v & 1u) != 0u, ${c}u))`,
        clustered(r, c, (x) => yes(odd(x))),
        c,
      ),
      opencl(
        `(uint)(sub_group_clustered_reduce_logical_${r}((int)(v & 1u), ${c}) != 0)`,
        clustered(r, c, (x) => yes(odd(x))),
        c,
      ),
    ]),
  ),
  // Signed, narrow, half, float and vector operands.
  glsl(
    "uint(subgroupClusteredMin(int(v) - 500, 8u))",
    (lane, l) => u32(Math.min(...cluster(l, lane, 8).map((x) => x - 500))),
    8,
  ),
  glsl("uint(subgroupClusteredMax(-float(v), 4u) + 5000.0)", (lane, l) => 5000 - Math.min(...cluster(l, lane, 4))),
  glsl("subgroupClusteredAdd(uvec3(v, lane, 1u), 4u).z", (lane, l) => cluster(l, lane, 4).length),
  glsl("uint(subgroupClusteredXor(bvec2((v & 1u) != 0u, true), 4u).y)", (lane, l) => cluster(l, lane, 4).length % 2),
  opencl(
    "(uint)sub_group_clustered_reduce_min((char)(v & 63u), 4)",
    clustered("min", 4, (x) => x & 63),
  ),
  opencl(
    "(uint)sub_group_clustered_reduce_add(convert_half(v & 63u), 4)",
    clustered("add", 4, (x) => x & 63),
  ),
  msl(
    "uint(quad_max(half2(v & 63u, 1)).x)",
    clustered("max", 4, (x) => x & 63),
  ),
  msl("uint(quad_and(short(v)))", clustered("and", 4)),
  // The size as a constant expression.
  glsl("subgroupClusteredAdd(v, 1u << 2u)", clustered("add", 4)),

  // cross-lane.md 1.9: values move down; lane L receives from L + d in the cluster.
  opencl("sub_group_clustered_rotate(v, 1, 4)", rotated(1, 4)),
  opencl("sub_group_clustered_rotate(v, 3, 8)", rotated(3, 8), 8),
  opencl("sub_group_clustered_rotate(v, -1, 8)", rotated(-1, 8), 8),
  opencl("sub_group_clustered_rotate(v, 5, 4)", rotated(1, 4)),
  opencl(
    "sub_group_clustered_rotate(v, 1, 1)",
    at((lane) => lane),
  ),
  glsl("subgroupClusteredRotate(v, 1u, 4u)", rotated(1, 4)),
  glsl("uint(subgroupClusteredRotate(vec2(v, lane), 2u, 8u).x)", rotated(2, 8), 8),
  msl("quad_shuffle_rotate_down(v, 1)", rotated(1, 4)),
  msl("quad_shuffle_rotate_up(v, 1)", rotated(-1, 4)),
  msl("quad_shuffle_rotate_down(v, 3)", rotated(3, 4)),

  // Quads.
  ...names.map((r) => msl(`quad_${mslNames[r]}(v)`, clustered(r, 4))),
  msl("quad_prefix_inclusive_sum(v)", scan("add", true)),
  msl("quad_prefix_exclusive_sum(v)", scan("add", false)),
  msl("quad_prefix_inclusive_product(v)", scan("mul", true)),
  msl("quad_prefix_exclusive_product(v)", scan("mul", false)),
  msl("uint(quad_prefix_exclusive_sum(float2(v, 1)).y)", (lane, l) => cluster(l, lane, 4, lane - 1).length),
  msl(
    "quad_broadcast(v, 2)",
    at((lane) => quad(lane) + 2),
  ),
  msl(
    "quad_shuffle(v, ushort((lane * 3u + 1u) & 3u))",
    at((lane) => quad(lane) + ((lane * 3 + 1) & 3)),
  ),
  ...[1, 2, 3].map((k) =>
    msl(
      `quad_shuffle_xor(v, ${k})`,
      at((lane) => lane ^ k),
    ),
  ),
  // MSL 6.9.3: the lowest (highest) delta lanes keep their own values.
  ...[1, 2].map((d) =>
    msl(
      `quad_shuffle_up(v, ${d})`,
      at((lane) => (lane % 4 < d ? lane : lane - d)),
    ),
  ),
  ...[1, 3].map((d) =>
    msl(
      `quad_shuffle_down(v, ${d})`,
      at((lane) => ((lane % 4) + d >= 4 ? lane : lane + d)),
    ),
  ),
  // R-FILL in the quad: the fill comes from the lane that would wrap around.
  msl("quad_shuffle_and_fill_up(v, v + 7u, 1)", (lane, l) =>
    lane % 4 >= 1
      ? value(l, lane - 1)
      : mapped(
          (x) => x + 7,
          () => quad(lane) + 3,
        )(lane, l),
  ),
  msl("quad_shuffle_and_fill_down(v, v + 7u, 3)", (lane, l) =>
    (lane % 4) + 3 < 4
      ? value(l, lane + 3)
      : mapped(
          (x) => x + 7,
          () => quad(lane) + ((lane + 3) % 4),
        )(lane, l),
  ),
  msl("quad_shuffle_and_fill_down(v, v + 7u, 1, 2)", (lane, l) =>
    lane % 2 === 0
      ? value(l, lane + 1)
      : mapped(
          (x) => x + 7,
          () => lane - 1,
        )(lane, l),
  ),
  msl("quad_broadcast_first(v)", (lane, l) => cluster(l, lane, 4)[0]),
  msl("uint(quad_is_first())", (lane, l) => yes(cluster(l, lane, 4, lane).length === 1)),
  msl("uint(static_cast<quad_vote::vote_t>(quad_ballot((v & 1u) != 0u)))", bits(odd)),
  msl(
    "uint((quad_vote::vote_t)quad_active_threads_mask())",
    bits(() => true),
  ),
  msl("uint(quad_all((v & 1u) != 0u))", (lane, l) => yes(cluster(l, lane, 4).every(odd))),
  msl("uint(quad_any((v & 1u) != 0u))", (lane, l) => yes(cluster(l, lane, 4).some(odd))),
  glsl(
    "subgroupQuadBroadcast(v, 3u)",
    at((lane) => quad(lane) + 3),
  ),
  glsl(
    "subgroupQuadBroadcast(v, pm[0] & 3u)",
    at((lane) => quad(lane) + 1),
  ),
  glsl(
    "subgroupQuadSwapHorizontal(v)",
    at((lane) => lane ^ 1),
  ),
  glsl(
    "subgroupQuadSwapVertical(v)",
    at((lane) => lane ^ 2),
  ),
  glsl(
    "subgroupQuadSwapDiagonal(v)",
    at((lane) => lane ^ 3),
  ),
  glsl(
    "uint(subgroupQuadSwapDiagonal(bvec2((v & 1u) != 0u, true)).x)",
    mapped(
      (x) => yes(odd(x)),
      (lane) => lane ^ 3,
    ),
  ),
  glsl(
    "uint(subgroupQuadSwapHorizontal(vec3(0.0, float(v), 1.0)).y)",
    at((lane) => lane ^ 1),
  ),
  glsl(
    "uint(subgroupQuadAll((v & 1u) != 0u)) + 2u * uint(subgroupQuadAny((v & 1u) != 0u))",
    (lane, l) => yes(cluster(l, lane, 4).every(odd)) + 2 * yes(cluster(l, lane, 4).some(odd)),
  ),
  hlsl(
    "QuadReadLaneAt(v, 2u)",
    at((lane) => quad(lane) + 2),
  ),
  hlsl(
    "QuadReadLaneAt(v, (lane + 1u) & 3u)",
    at((lane) => quad(lane) + ((lane + 1) & 3)),
  ),
  hlsl(
    "QuadReadAcrossX(v)",
    at((lane) => lane ^ 1),
  ),
  hlsl(
    "QuadReadAcrossY(v)",
    at((lane) => lane ^ 2),
  ),
  hlsl(
    "QuadReadAcrossDiagonal(v)",
    at((lane) => lane ^ 3),
  ),
  hlsl(
    "uint(QuadReadAcrossX(int2(v, 3)).x)",
    at((lane) => lane ^ 1),
  ),
  hlsl(
    "uint(QuadAny((v & 1u) != 0u)) + 2u * uint(QuadAll((v & 1u) != 0u))",
    (lane, l) => yes(cluster(l, lane, 4).some(odd)) + 2 * yes(cluster(l, lane, 4).every(odd)),
  ),
];

export const size = 52;
export const data = Uint32Array.from({ length: size }, (_, i) => (Math.imul(i + 3, 2654435761) >>> 22) + 1);
/** Subgroup width and rounds of each lane. Of widths above 4 the last subgroup is not full. pm[0] is 1 mod 4. */
export const launches: readonly (readonly [number, string, (i: number) => number])[] = [
  [4, "all lanes", () => 1],
  [8, "all lanes", () => 1],
  [16, "all lanes", () => 1],
  [8, "odd lanes", (i) => (i === 0 ? 1 : i % 2)],
  [32, "some lanes", (i) => (i % 3 !== 1 && i % 7 !== 3 ? 1 : 0)],
  [8, "a loop with its own number of rounds per lane", (i) => (i === 0 ? 1 : (i * 5) % 4)],
  [64, "a loop with its own number of rounds per lane", (i) => (i === 0 ? 1 : (i * 7) % 5)],
];

/** What lane i of the launch has to get for a case; undefined where that is open, 999 where it has no round. */
export function expected(c: Case, S: number, rounds: (i: number) => number, i: number): number | undefined {
  if (rounds(i) === 0) return 999;
  const base = i - (i % S);
  const lanes = Array.from({ length: S }, (_, k) => base + k);
  return c.oracle(i % S, {
    x: lanes.map((k) => data[k] ?? 0),
    // In the lane's last round those are active that have as many rounds or more.
    active: lanes.map((k) => k < size && rounds(k) >= rounds(i)),
  });
}

const glslNames = ["basic", "vote", "ballot", "shuffle", "clustered", "quad", "rotate"];
const extensions = [...glslNames.map((c) => `GL_KHR_shader_subgroup_${c}`), "GL_EXT_shader_quad_control"];
/** Once for each round a lane has; the last round's result stays. Results of a case stand together. */

const body = (expressions: readonly string[]): string =>
  expressions
    .map(
      (e, c) =>
        `  { uint result = 999u; for (uint n = 0u; n < pm[i]; n++) { result = ${e}; } r[${c * size}u + i] = result; }`,
    )
    .join("\n");

const frames: Record<TwoWayDialect, (body: string) => string> = {
  msl: (b) =>
    `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device const uint *pv [[buffer(0)]], device const uint *pm [[buffer(1)]], device uint *r [[buffer(2)]], uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {\n  uint v = pv[i];\n${b}\n}\n`,
  glsl: (b) =>
    `#version 450\n${extensions
      .filter((e) => /rotate/i.test(b) || !e.endsWith("rotate"))
      .filter((e) => /Quad(All|Any)/.test(b) || !e.includes("quad_control"))
      .map((e) => `#extension ${e} : require`)
      .join(
        "\n",
      )}\nlayout(local_size_x = ${size}) in;\nlayout(std430, set = 0, binding = 0) readonly buffer V { uint pv[]; };\nlayout(std430, set = 0, binding = 1) readonly buffer M { uint pm[]; };\nlayout(std430, set = 0, binding = 2) buffer R { uint r[]; };\nvoid main() {\n  uint i = gl_GlobalInvocationID.x; uint lane = gl_SubgroupInvocationID; uint v = pv[i];\n${b}\n}\n`,
  opencl: (b) =>
    `__kernel __attribute__((reqd_work_group_size(${size}, 1, 1))) void k(__global const uint *pv, __global const uint *pm, __global uint *r) {\n  uint i = get_global_id(0); uint lane = get_sub_group_local_id(); uint v = pv[i];\n${b}\n}\n`,
  hlsl: (b) =>
    `StructuredBuffer<uint> pv : register(t0);\nStructuredBuffer<uint> pm : register(t1);\nRWStructuredBuffer<uint> r : register(u2);\n[numthreads(${size}, 1, 1)]\nvoid k(uint3 id : SV_DispatchThreadID) {\n  uint i = id.x; uint lane = WaveGetLaneIndex(); uint v = pv[i];\n${b}\n}\n`,
};

/** A kernel that computes cases of one dialect, `size` results each, from the values pv and the rounds pm into r. */
export const kernelOf = (list: readonly Case[]): string =>
  frames[list[0]!.dialect](body(list.map((c) => c.expression)));
