/**
 * Cross-lane ops against the reference semantics of cross-lane.md section 3, at several subgroup widths, with all lanes
 * active and with some: in the dialect that has the op and in every translation. Results the semantics leave open (values
 * of inactive or absent lanes) are not compared.
 */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import { translate } from "../../src/api/translate.js";
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";

interface Lanes {
  readonly x: readonly number[];
  readonly active: readonly boolean[];
  /** Subgroup width. */
  readonly S: number;
}
type Open = undefined;
/** The result of a lane; undefined where it is open. */
type Oracle = (lane: number, l: Lanes) => number | Open;

interface Case {
  readonly dialect: TwoWayDialect;
  /** Over v (uint), lane (uint), lanes (uint). Gives a uint. */
  readonly expression: string;
  readonly oracle: Oracle;
  /** All lanes must reach it (OpenCL's base operations). */
  readonly uniformOnly?: boolean;
}

const u32 = (x: number): number => x >>> 0;
const activeLanes = (l: Lanes, upTo = l.S): number[] => l.active.flatMap((a, i) => (a && i < upTo ? [i] : []));
const value = (l: Lanes, i: number): number | Open => (i >= 0 && i < l.S && l.active[i] ? l.x[i] : undefined);

const fold = {
  add: (a: number, b: number) => u32(a + b),
  mul: (a: number, b: number) => u32(Math.imul(a, b)),
  min: (a: number, b: number) => Math.min(a, b),
  max: (a: number, b: number) => Math.max(a, b),
  and: (a: number, b: number) => u32(a & b),
  or: (a: number, b: number) => u32(a | b),
  xor: (a: number, b: number) => u32(a ^ b),
};
const identity = { add: 0, mul: 1, min: 0xffffffff, max: 0, and: 0xffffffff, or: 0, xor: 0 };
type Fold = keyof typeof fold;
const reduce =
  (op: Fold): Oracle =>
  (_, l) =>
    activeLanes(l)
      .map((i) => l.x[i]!)
      .reduce(fold[op], identity[op]);
const scan =
  (op: Fold, inclusive: boolean): Oracle =>
  (lane, l) =>
    activeLanes(l, inclusive ? lane + 1 : lane)
      .map((i) => l.x[i]!)
      .reduce(fold[op], identity[op]);
const count =
  (p: (x: number) => boolean, below = false): Oracle =>
  (lane, l) =>
    activeLanes(l, below ? lane : l.S).filter((i) => p(l.x[i]!)).length;
const odd = (x: number): boolean => x % 2 === 1;
const yes = (b: boolean): number => (b ? 1 : 0);

const keepUp =
  (d: number): Oracle =>
  (lane, l) =>
    lane < d ? l.x[lane] : value(l, lane - d);
const keepDown =
  (d: number): Oracle =>
  (lane, l) =>
    lane + d >= l.S ? l.x[lane] : value(l, lane + d);
const at =
  (from: (lane: number, S: number) => number): Oracle =>
  (lane, l) =>
    value(l, from(lane, l.S));

const glsl = (expression: string, oracle: Oracle): Case => ({ dialect: "glsl", expression, oracle });
const msl = (expression: string, oracle: Oracle): Case => ({ dialect: "msl", expression, oracle });
const hlsl = (expression: string, oracle: Oracle): Case => ({ dialect: "hlsl", expression, oracle });
const opencl = (expression: string, oracle: Oracle, uniformOnly = false): Case => ({
  dialect: "opencl",
  expression,
  oracle,
  uniformOnly,
});

const capital = (s: string): string => s[0]!.toUpperCase() + s.slice(1);
const folds = Object.keys(fold) as Fold[];
const mslNames: Record<Fold, string> = {
  add: "sum",
  mul: "product",
  min: "min",
  max: "max",
  and: "and",
  or: "or",
  xor: "xor",
};
const hlslNames: Record<Fold, string> = {
  add: "Sum",
  mul: "Product",
  min: "Min",
  max: "Max",
  and: "BitAnd",
  or: "BitOr",
  xor: "BitXor",
};

const cases: readonly Case[] = [
  ...folds.map((r) => glsl(`subgroup${capital(r)}(v)`, reduce(r))),
  ...folds.flatMap((r) => [
    glsl(`subgroupInclusive${capital(r)}(v)`, scan(r, true)),
    glsl(`subgroupExclusive${capital(r)}(v)`, scan(r, false)),
  ]),
  ...folds.map((r) => msl(`simd_${mslNames[r]}(v)`, reduce(r))),
  msl("simd_prefix_inclusive_sum(v)", scan("add", true)),
  msl("simd_prefix_exclusive_sum(v)", scan("add", false)),
  msl("simd_prefix_inclusive_product(v)", scan("mul", true)),
  msl("simd_prefix_exclusive_product(v)", scan("mul", false)),
  ...folds.map((r) => hlsl(`WaveActive${hlslNames[r]}(v)`, reduce(r))),
  hlsl("WavePrefixSum(v)", scan("add", false)),
  hlsl("WavePrefixProduct(v)", scan("mul", false)),
  ...folds.map((r) => opencl(`sub_group_non_uniform_reduce_${r}(v)`, reduce(r))),
  ...folds.map((r) => opencl(`sub_group_non_uniform_scan_exclusive_${r}(v)`, scan(r, false))),
  ...(["add", "min", "max"] as const).flatMap((r) => [
    opencl(`sub_group_reduce_${r}(v)`, reduce(r), true),
    opencl(`sub_group_scan_inclusive_${r}(v)`, scan(r, true), true),
  ]),
  // int operands: the sign matters to min and max.
  glsl("uint(subgroupMin(int(v) - 500))", (_, l) => u32(Math.min(...activeLanes(l).map((i) => l.x[i]! - 500)))),
  hlsl("uint(WaveActiveMax(int(v) - 5000))", (_, l) => u32(Math.max(...activeLanes(l).map((i) => l.x[i]! - 5000)))),
  glsl("uint(subgroupOr(int(v)))", reduce("or")),
  glsl("uint(subgroupExclusiveMin(float(v)) == uintBitsToFloat(0x7f800000u))", (lane, l) =>
    yes(activeLanes(l, lane).length === 0),
  ),
  // bool operands of bitwise reductions.
  glsl("uint(subgroupAnd((v & 1u) != 0u))", (_, l) => yes(activeLanes(l).every((i) => odd(l.x[i]!)))),
  glsl("uint(subgroupXor((v & 1u) != 0u))", (_, l) => activeLanes(l).filter((i) => odd(l.x[i]!)).length % 2),
  glsl("uint(subgroupExclusiveOr((v & 1u) != 0u))", (lane, l) => yes(activeLanes(l, lane).some((i) => odd(l.x[i]!)))),
  // Vectors, one component at a time where the dialect has scalars only.
  glsl(
    "subgroupAdd(uvec3(v, 1u, lane)).y + subgroupAdd(uvec3(v, 1u, lane)).z",
    (_, l) => activeLanes(l).length + activeLanes(l).reduce((a, b) => a + b, 0),
  ),
  glsl(
    "subgroupShuffleXor(uvec2(v, lane), 1u).y",
    at((lane) => lane ^ 1) && ((lane, l) => (value(l, lane ^ 1) === undefined ? undefined : lane ^ 1)),
  ),

  // Votes.
  glsl("uint(subgroupElect())", (lane, l) => yes(lane === activeLanes(l)[0])),
  msl("uint(simd_is_first())", (lane, l) => yes(lane === activeLanes(l)[0])),
  hlsl("uint(WaveIsFirstLane())", (lane, l) => yes(lane === activeLanes(l)[0])),
  opencl("(uint)(sub_group_elect() != 0)", (lane, l) => yes(lane === activeLanes(l)[0])),
  ...(
    [
      ["glsl", "uint(subgroupAll(v > 100u))"],
      ["msl", "uint(simd_all(v > 100u))"],
      ["hlsl", "uint(WaveActiveAllTrue(v > 100u))"],
      ["opencl", "(uint)(sub_group_non_uniform_all(v > 100u) != 0)"],
    ] as const
  ).map(([dialect, expression]): Case => ({
    dialect,
    expression,
    oracle: (_, l) => yes(activeLanes(l).every((i) => l.x[i]! > 100)),
  })),
  ...(
    [
      ["glsl", "uint(subgroupAny(v > 900u))"],
      ["msl", "uint(simd_any(v > 900u))"],
      ["hlsl", "uint(WaveActiveAnyTrue(v > 900u))"],
      ["opencl", "(uint)(sub_group_non_uniform_any(v > 900u) != 0)"],
    ] as const
  ).map(([dialect, expression]): Case => ({
    dialect,
    expression,
    oracle: (_, l) => yes(activeLanes(l).some((i) => l.x[i]! > 900)),
  })),
  opencl("(uint)(sub_group_all(v > 100u) != 0)", (_, l) => yes(activeLanes(l).every((i) => l.x[i]! > 100)), true),
  glsl("uint(subgroupAllEqual(v))", (_, l) => yes(new Set(activeLanes(l).map((i) => l.x[i])).size === 1)),
  glsl(
    "uint(subgroupAllEqual(lanes)) + 2u * uint(subgroupAllEqual(uvec2(lanes, v)))",
    (_, l) => 1 + 2 * yes(new Set(activeLanes(l).map((i) => l.x[i])).size === 1),
  ),
  hlsl(
    "uint(WaveActiveAllEqual(v)) + 2u * uint(WaveActiveAllEqual(uint2(lanes, v)).x)",
    (_, l) => 2 + yes(new Set(activeLanes(l).map((i) => l.x[i])).size === 1),
  ),
  opencl("(uint)(sub_group_non_uniform_all_equal(lanes) != 0)", () => 1),

  // Ballots.
  glsl("subgroupBallot((v & 1u) != 0u).x", (_, l) =>
    u32(
      activeLanes(l, Math.min(32, l.S))
        .filter((i) => odd(l.x[i]!))
        .reduce((m, i) => m | (1 << i), 0),
    ),
  ),
  hlsl("WaveActiveBallot((v & 1u) != 0u).y", (_, l) =>
    u32(
      activeLanes(l)
        .filter((i) => i >= 32 && odd(l.x[i]!))
        .reduce((m, i) => m | (1 << (i - 32)), 0),
    ),
  ),
  opencl("sub_group_ballot((v & 1u) != 0u).x", (_, l) =>
    u32(
      activeLanes(l, Math.min(32, l.S))
        .filter((i) => odd(l.x[i]!))
        .reduce((m, i) => m | (1 << i), 0),
    ),
  ),
  glsl("subgroupBallotBitCount(subgroupBallot((v & 1u) != 0u))", count(odd)),
  glsl("subgroupBallotExclusiveBitCount(subgroupBallot((v & 1u) != 0u))", count(odd, true)),
  glsl(
    "subgroupBallotInclusiveBitCount(subgroupBallot((v & 1u) != 0u))",
    (lane, l) => activeLanes(l, lane + 1).filter((i) => odd(l.x[i]!)).length,
  ),
  // Bits beyond the subgroup do not count.
  glsl("subgroupBallotBitCount(uvec4(0xffffffffu))", (_, l) => l.S),
  glsl("uint(subgroupInverseBallot(subgroupBallot((v & 1u) != 0u)))", (lane, l) => yes(odd(l.x[lane]!))),
  glsl("uint(subgroupBallotBitExtract(subgroupBallot((v & 1u) != 0u), (lane + 1u) % lanes))", (lane, l) => {
    const i = (lane + 1) % l.S;
    return yes(l.active[i]! && odd(l.x[i]!));
  }),
  glsl("subgroupBallotFindLSB(subgroupBallot(true))", (_, l) => activeLanes(l)[0]),
  glsl("subgroupBallotFindMSB(subgroupBallot(true))", (_, l) => activeLanes(l).at(-1)),
  glsl("gl_SubgroupLtMask.x + subgroupBallotBitCount(gl_SubgroupGeMask)", (lane, l) =>
    u32((lane >= 32 ? 0xffffffff : 2 ** lane - 1) + (l.S - lane)),
  ),
  glsl(
    "subgroupBallotBitCount(gl_SubgroupEqMask) + 2u * subgroupBallotBitCount(gl_SubgroupLeMask) + 256u * subgroupBallotBitCount(gl_SubgroupGtMask)",
    (lane, l) => 1 + 2 * (lane + 1) + 256 * (l.S - lane - 1),
  ),
  hlsl("WaveActiveCountBits((v & 1u) != 0u)", count(odd)),
  hlsl("WavePrefixCountBits((v & 1u) != 0u)", count(odd, true)),
  msl("uint(popcount(static_cast<simd_vote::vote_t>(simd_ballot((v & 1u) != 0u))))", count(odd)),
  msl("uint(ctz(static_cast<simd_vote::vote_t>(simd_active_threads_mask())))", (_, l) => activeLanes(l)[0]),
  msl(
    "uint((static_cast<simd_vote::vote_t>(simd_ballot((v & 1u) != 0u)) & static_cast<simd_vote::vote_t>(simd_ballot(v > 300u))) != 0)",
    (_, l) => yes(activeLanes(l).some((i) => odd(l.x[i]!) && l.x[i]! > 300)),
  ),
  msl("uint(popcount(static_cast<simd_vote::vote_t>(simd_active_threads_mask())))", (_, l) => activeLanes(l).length),

  // Broadcasts and shuffles.
  glsl(
    "subgroupBroadcast(v, 2u)",
    at(() => 2),
  ),
  hlsl(
    "WaveReadLaneAt(v, 2u)",
    at(() => 2),
  ),
  msl(
    "simd_broadcast(v, 2)",
    at(() => 2),
  ),
  opencl(
    "sub_group_broadcast(v, 2u)",
    at(() => 2),
    true,
  ),
  opencl(
    "sub_group_non_uniform_broadcast(v, 1u)",
    at(() => 1),
  ),
  glsl("subgroupBroadcastFirst(v)", (_, l) => value(l, activeLanes(l)[0]!)),
  msl("simd_broadcast_first(v)", (_, l) => value(l, activeLanes(l)[0]!)),
  glsl("uint(subgroupBroadcastFirst((v & 1u) != 0u))", (_, l) => yes(odd(l.x[activeLanes(l)[0]!]!))),
  glsl(
    "subgroupShuffle(v, (lane * 3u + 1u) % lanes)",
    at((lane, S) => (lane * 3 + 1) % S),
  ),
  msl(
    "simd_shuffle(v, ushort((lane * 3u + 1u) % lanes))",
    at((lane, S) => (lane * 3 + 1) % S),
  ),
  hlsl(
    "WaveReadLaneAt(v, (lane * 3u + 1u) % lanes)",
    at((lane, S) => (lane * 3 + 1) % S),
  ),
  opencl(
    "sub_group_shuffle(v, (lane * 3u + 1u) % lanes)",
    at((lane, S) => (lane * 3 + 1) % S),
  ),
  glsl("uint(subgroupShuffle((v & 1u) != 0u, lane ^ 1u))", (lane, l) =>
    value(l, lane ^ 1) === undefined ? undefined : yes(odd(l.x[lane ^ 1]!)),
  ),
  glsl(
    "subgroupShuffleXor(v, 3u)",
    at((lane) => lane ^ 3),
  ),
  msl(
    "simd_shuffle_xor(v, 3)",
    at((lane) => lane ^ 3),
  ),
  opencl(
    "sub_group_shuffle_xor(v, 3u)",
    at((lane) => lane ^ 3),
  ),
  glsl(
    "subgroupShuffleXor(v, lane & 1u)",
    at((lane) => lane ^ (lane & 1)),
  ),
  glsl(
    "subgroupShuffleUp(v, 2u)",
    at((lane) => lane - 2),
  ),
  glsl(
    "subgroupShuffleDown(v, 2u)",
    at((lane) => lane + 2),
  ),
  glsl(
    "subgroupShuffleDown(v, lane & 1u)",
    at((lane) => lane + (lane & 1)),
  ),
  // MSL 6.9.2: the lowest delta lanes keep their own values.
  msl("simd_shuffle_up(v, 2)", keepUp(2)),
  msl("simd_shuffle_down(v, 1)", keepDown(1)),
  msl("simd_shuffle_up(float2(v, lane), 1).x", keepUp(1)),
  msl(
    "simd_shuffle_rotate_down(v, 3)",
    at((lane, S) => (lane + 3) % S),
  ),
  msl(
    "simd_shuffle_rotate_up(v, 1)",
    at((lane, S) => (lane - 1 + S) % S),
  ),
  opencl(
    "sub_group_rotate(v, 3)",
    at((lane, S) => (lane + 3) % S),
  ),
  // cross-lane.md R-FILL: the fill comes from another lane's operand.
  msl("simd_shuffle_and_fill_up(v, v + 7u, 1)", (lane, l) =>
    lane >= 1 ? value(l, lane - 1) : value(l, l.S - 1) === undefined ? undefined : l.x[l.S - 1]! + 7,
  ),
  msl("simd_shuffle_and_fill_down(v, v + 7u, 1, 4)", (lane, l) => {
    const [base, p] = [lane & ~3, lane & 3];
    const from = base + ((p + 1) & 3);
    return value(l, from) === undefined ? undefined : p + 1 < 4 ? l.x[from]! : l.x[from]! + 7;
  }),
];

const frame: Record<TwoWayDialect, (e: string, size: number) => string> = {
  msl: (e) =>
    `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device const uint *pv [[buffer(0)]], device const uint *pm [[buffer(1)]], device uint *r [[buffer(2)]], uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]], uint lanes [[threads_per_simdgroup]]) { uint v = pv[i]; uint result = 999u; if (pm[i] != 0u) { result = ${e}; } r[i] = result; }\n`,
  glsl: (e, size) =>
    `#version 450\n${["basic", "vote", "ballot", "arithmetic", "shuffle", "shuffle_relative"].map((c) => `#extension GL_KHR_shader_subgroup_${c} : require`).join("\n")}\nlayout(local_size_x = ${size}) in;\nlayout(std430, set = 0, binding = 0) readonly buffer V { uint pv[]; };\nlayout(std430, set = 0, binding = 1) readonly buffer M { uint pm[]; };\nlayout(std430, set = 0, binding = 2) buffer R { uint r[]; };\nvoid main() { uint i = gl_GlobalInvocationID.x; uint lane = gl_SubgroupInvocationID; uint lanes = gl_SubgroupSize; uint v = pv[i]; uint result = 999u; if (pm[i] != 0u) { result = ${e}; } r[i] = result; }\n`,
  opencl: (e, size) =>
    `__kernel __attribute__((reqd_work_group_size(${size}, 1, 1))) void k(__global const uint *pv, __global const uint *pm, __global uint *r) { uint i = get_global_id(0); uint lane = get_sub_group_local_id(); uint lanes = get_max_sub_group_size(); uint v = pv[i]; uint result = 999u; if (pm[i] != 0u) { result = ${e}; } r[i] = result; }\n`,
  hlsl: (e, size) =>
    `StructuredBuffer<uint> pv : register(t0);\nStructuredBuffer<uint> pm : register(t1);\nRWStructuredBuffer<uint> r : register(u2);\n[numthreads(${size}, 1, 1)]\nvoid k(uint3 id : SV_DispatchThreadID) { uint i = id.x; uint lane = WaveGetLaneIndex(); uint lanes = WaveGetLaneCount(); uint v = pv[i]; uint result = 999u; if (pm[i] != 0u) { result = ${e}; } r[i] = result; }\n`,
};

const size = 64;
const widths = [4, 8, 32, 64];
const data = Uint32Array.from({ length: size }, (_, i) => (Math.imul(i + 3, 2654435761) >>> 22) + 1);
const masks: readonly (readonly [string, (i: number) => boolean])[] = [
  ["all lanes", () => true],
  ["some lanes", (i) => i % 3 !== 1 && i % 7 !== 0],
];

async function outcome(text: string, dialect: TwoWayDialect, c: Case): Promise<string[]> {
  const wrong: string[] = [];
  for (const S of widths) {
    for (const [name, mask] of masks) {
      if (c.uniformOnly && name !== "all lanes") continue;
      const args = {
        pv: data,
        pm: Uint32Array.from({ length: size }, (_, i) => (mask(i) ? 1 : 0)),
        r: new Uint32Array(size),
      };
      const result = await simulate(text, {
        from: dialect,
        workgroups: [1],
        workgroupSize: [size],
        subgroupSize: S,
        args,
        findings: "none",
      });
      const got = result.buffers["r"] as Uint32Array | undefined;
      if (!got) return [`${dialect}: ${result.diagnostics.map((d) => d.message).join("; ")}`];
      for (let i = 0; i < size; i++) {
        const base = i - (i % S);
        const lanes: Lanes = {
          S,
          x: [...data.slice(base, base + S)],
          active: Array.from({ length: S }, (_, k) => mask(base + k)),
        };
        const wanted = mask(i) ? c.oracle(i % S, lanes) : 999;
        if (wanted === undefined || got[i] === wanted) continue;
        wrong.push(`${dialect}: ${c.expression}, width ${S}, ${name}, lane ${i % S} is ${got[i]}, not ${wanted}`);
        break;
      }
    }
  }
  return wrong;
}

describe.each(twoWayDialects)("%s", (dialect) => {
  test.each(cases.filter((c) => c.dialect === dialect).map((c) => [c.expression, c] as const))("%s", async (_, c) => {
    const source = frame[dialect](c.expression, size);
    const wrong = await outcome(source, dialect, c);
    for (const to of twoWayDialects) {
      if (to === dialect) continue;
      const translated = await translate(source, { from: dialect, to, workgroupSize: [size, 1, 1] });
      if (translated.code === undefined)
        wrong.push(`to ${to}: ${translated.diagnostics.map((d) => d.message).join("; ")}`);
      else {
        const off = await outcome(translated.code, to, c);
        if (off.length > 0) wrong.push(...off, translated.code);
      }
    }
    expect(wrong).toEqual([]);
  });
});
