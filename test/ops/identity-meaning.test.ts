/** Ids, masks, older spellings, methods of votes, logical forms and scans against cross-lane.md, in all dialects and translations. */
import { describe, expect, test } from "vitest";
import { translate } from "../../src/api/translate.js";
import { activeLanes, complaints, u32, type Case, type Oracle, type Round } from "./cross-lane-frame.js";

const glsl = (expression: string, oracle: Oracle): Case => ({ dialect: "glsl", expression, oracle });
const msl = (expression: string, oracle: Oracle): Case => ({ dialect: "msl", expression, oracle });
const hlsl = (expression: string, oracle: Oracle): Case => ({ dialect: "hlsl", expression, oracle });
const opencl = (expression: string, oracle: Oracle, uniformOnly = false): Case => ({
  dialect: "opencl",
  expression,
  oracle,
  uniformOnly,
});
const yes = (b: boolean): number => (b ? 1 : 0);
const odd = (x: number): boolean => x % 2 === 1;
const word = (lanes: readonly number[], w: number): number =>
  u32(lanes.filter((i) => i >> 5 === w).reduce((m, i) => m | (1 << (i & 31)), 0));
const those = (r: Round, p: (x: number) => boolean): number[] => activeLanes(r).filter((i) => p(r.x[i]!));

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
const scan = (op: keyof typeof fold, r: Round, below: (i: number) => boolean): number =>
  activeLanes(r)
    .filter(below)
    .map((i) => r.x[i]!)
    .reduce(fold[op], identity[op]);

/** Truth values as and, or, xor fold them. */
const logical = {
  and: (xs: readonly boolean[]) => xs.every(Boolean),
  or: (xs: readonly boolean[]) => xs.some(Boolean),
  xor: (xs: readonly boolean[]) => xs.filter(Boolean).length % 2 === 1,
};

const cases: readonly Case[] = [
  // GL_ARB_shader_ballot and GL_ARB_shader_group_vote: masks are 64 bits.
  glsl("unpackUint2x32(ballotARB((v & 1u) != 0u)).x", (_, r) => word(those(r, odd), 0)),
  glsl("unpackUint2x32(ballotARB((v & 1u) != 0u)).y", (_, r) => word(those(r, odd), 1)),
  glsl("unpackUint2x32(gl_SubGroupLeMaskARB).x + 3u * unpackUint2x32(gl_SubGroupGtMaskARB).x", (lane, r) =>
    u32(
      word(
        Array.from({ length: lane + 1 }, (_, i) => i),
        0,
      ) +
        Math.imul(
          3,
          word(
            Array.from({ length: r.width }, (_, i) => i).filter((i) => i > lane),
            0,
          ),
        ),
    ),
  ),
  glsl(
    "uint(anyInvocationARB(v > 900u)) + 2u * uint(allInvocationsARB(v > 100u))",
    (_, r) => yes(those(r, (x) => x > 900).length > 0) + 2 * yes(those(r, (x) => x <= 100).length === 0),
  ),
  glsl("uint(allInvocationsEqualARB(v > 500u))", (_, r) =>
    yes(new Set(activeLanes(r).map((i) => r.x[i]! > 500)).size === 1),
  ),
  glsl("readFirstInvocationARB(v)", (_, r) => r.x[activeLanes(r)[0]!]),
  glsl("readInvocationARB(v, 1u)", (_, r) => (r.active[1] ? r.x[1] : undefined)),
  glsl("gl_SubGroupSizeARB * 1000u + gl_SubGroupInvocationARB", (lane, r) => r.width * 1000 + lane),
  // A vote has bits of active lanes; all() asks all lanes there are.
  msl(
    "uint(simd_ballot(v > 900u).any()) + 2u * uint(simd_ballot(v > 10u).all())",
    (_, r) => yes(those(r, (x) => x > 900).length > 0) + 2 * yes(those(r, (x) => x > 10).length === r.x.length),
  ),
  msl("uint(simd_active_threads_mask().all())", (_, r) => yes(activeLanes(r).length === r.x.length)),
  msl("uint(simd_vote((simd_vote::vote_t)simd_ballot(v > 900u)).any())", (_, r) =>
    yes(those(r, (x) => x > 900).length > 0),
  ),
  msl("uint(simd_is_helper_thread())", () => 0),
  hlsl("uint(IsHelperLane())", () => 0),
  // The size a sub-group has, and the one it may have.
  opencl("get_sub_group_size() * 1000u + get_max_sub_group_size()", (_, r) => r.x.length * 1000 + r.width),
  // Counting with a predicate.
  hlsl(
    "WaveActiveCountBits(true) * 100u + WavePrefixCountBits(v > 300u)",
    (lane, r) => activeLanes(r).length * 100 + those(r, (x) => x > 300).filter((i) => i < lane).length,
  ),
  ...(Object.keys(logical) as (keyof typeof logical)[]).flatMap((op) => [
    opencl(`(uint)(sub_group_non_uniform_reduce_logical_${op}((v & 1u) != 0u) != 0)`, (_, r) =>
      yes(logical[op](activeLanes(r).map((i) => odd(r.x[i]!)))),
    ),
    opencl(`(uint)(sub_group_non_uniform_scan_inclusive_logical_${op}((v & 1u) != 0u) != 0)`, (lane, r) =>
      yes(
        logical[op](
          activeLanes(r)
            .filter((i) => i <= lane)
            .map((i) => odd(r.x[i]!)),
        ),
      ),
    ),
    opencl(`(uint)(sub_group_non_uniform_scan_exclusive_logical_${op}(v & 1u) != 0)`, (lane, r) =>
      yes(
        logical[op](
          activeLanes(r)
            .filter((i) => i < lane)
            .map((i) => odd(r.x[i]!)),
        ),
      ),
    ),
    // Not only 1 is true.
    opencl(`(uint)(sub_group_non_uniform_reduce_logical_${op}((int)(v & 6u)) != 0)`, (_, r) =>
      yes(logical[op](activeLanes(r).map((i) => (r.x[i]! & 6) !== 0))),
    ),
  ]),
  ...(Object.keys(fold) as (keyof typeof fold)[]).map((op) =>
    opencl(
      `sub_group_non_uniform_scan_inclusive_${op}(v) + 3u * sub_group_non_uniform_scan_exclusive_${op}(v)`,
      (lane, r) =>
        u32(
          scan(op, r, (i) => i <= lane) +
            Math.imul(
              3,
              scan(op, r, (i) => i < lane),
            ),
        ),
    ),
  ),
];

describe("against the reference", () => {
  test.each(cases.map((c) => [`${c.dialect} ${c.expression}`, c] as const))("%s", async (_, c) => {
    expect(await complaints(c)).toEqual([]);
  });
});

describe("ids of waves", () => {
  const source = `#version 450\n#extension GL_KHR_shader_subgroup_basic : require\nlayout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer X { uint x[]; };\nvoid main() { x[gl_GlobalInvocationID.x] = gl_SubgroupID * 100u + gl_NumSubgroups; }\n`;
  test("shader model 6.10 has them", async () => {
    const { code, assumptions } = await translate(source, { from: "glsl", to: "hlsl", profile: "sm6.10" });
    expect(code).toContain("GetGroupWaveIndex() * 100u + GetGroupWaveCount()");
    expect(assumptions).toEqual([]);
    const back = await translate(code!, { from: "hlsl", to: "glsl" });
    expect(back.code).toContain("gl_SubgroupID * 100u + gl_NumSubgroups");
  });
  test("before, waves are taken to be formed of consecutive lanes, and that is said", async () => {
    const { assumptions } = await translate(source, { from: "glsl", to: "hlsl", profile: "sm6.6" });
    expect(assumptions.map((a) => a.op)).toEqual(["id.subgroup_id", "id.num_subgroups"]);
  });
});
