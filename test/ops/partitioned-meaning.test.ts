/** Match, partitioned ops and work-group collectives against cross-lane.md section 3, in all dialects and translations. */
import { describe, expect, test } from "vitest";
import { activeLanes, complaints, u32, type Case, type Oracle, type Round } from "./cross-lane-frame.js";

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
const folds = Object.keys(fold) as Fold[];
const capital = (s: string): string => s[0]!.toUpperCase() + s.slice(1);

/** Lanes that are active and have the lane's value in its low two bits. */
const key = (x: number): number => x % 4;
const classOf = (lane: number, r: Round): number[] => activeLanes(r).filter((i) => key(r.x[i]!) === key(r.x[lane]!));
const word = (lanes: readonly number[], w: number): number =>
  u32(lanes.filter((i) => i >> 5 === w).reduce((m, i) => m | (1 << (i & 31)), 0));
const words = (lanes: readonly number[]): number =>
  [1, 3, 5, 7].reduce((sum, factor, w) => u32(sum + Math.imul(word(lanes, w), factor)), 0);
const over = (op: Fold, lanes: readonly number[], r: Round): number =>
  lanes.map((i) => r.x[i]!).reduce(fold[op], identity[op]);
const whole =
  (op: Fold): Oracle =>
  (lane, r) =>
    over(op, classOf(lane, r), r);
const inclusive =
  (op: Fold): Oracle =>
  (lane, r) =>
    over(
      op,
      classOf(lane, r).filter((i) => i <= lane),
      r,
    );
const exclusive =
  (op: Fold): Oracle =>
  (lane, r) =>
    over(
      op,
      classOf(lane, r).filter((i) => i < lane),
      r,
    );
const yes = (b: boolean): number => (b ? 1 : 0);

const glsl = (expression: string, oracle: Oracle): Case => ({ dialect: "glsl", expression, oracle });
const hlsl = (expression: string, oracle: Oracle): Case => ({ dialect: "hlsl", expression, oracle });
const hlslNames = { add: "Sum", mul: "Product", and: "BitAnd", or: "BitOr", xor: "BitXor" } as const;

const partitioned: readonly Case[] = [
  hlsl("dot(WaveMatch(v & 3u), uint4(1, 3, 5, 7))", (lane, r) => words(classOf(lane, r))),
  glsl("subgroupPartitionNV(v & 3u).x", (lane, r) => word(classOf(lane, r), 0)),
  glsl("subgroupPartitionNV(v & 3u).y", (lane, r) => word(classOf(lane, r), 1)),
  // Bits are compared: a NaN matches itself, zeros of different signs do not match.
  hlsl("WaveMatch(asfloat((v & 3u) + 0x7fc00000u)).x", (lane, r) => word(classOf(lane, r), 0)),
  hlsl("WaveMatch(asfloat(v << 31)).x", (lane, r) =>
    word(
      activeLanes(r).filter((i) => r.x[i]! % 2 === r.x[lane]! % 2),
      0,
    ),
  ),
  glsl("subgroupPartitionNV(uintBitsToFloat(v << 31)).x", (lane, r) =>
    word(
      activeLanes(r).filter((i) => r.x[i]! % 2 === r.x[lane]! % 2),
      0,
    ),
  ),
  glsl("subgroupPartitionNV((v & 1u) != 0u).x", (lane, r) =>
    word(
      activeLanes(r).filter((i) => r.x[i]! % 2 === r.x[lane]! % 2),
      0,
    ),
  ),
  glsl("subgroupPartitionNV(uvec2(v & 1u, v & 2u)).x", (lane, r) => word(classOf(lane, r), 0)),
  hlsl("WaveMatch(int2(v & 1u, v & 2u)).x", (lane, r) => word(classOf(lane, r), 0)),
  hlsl("WaveMatch(7u).x", (_, r) => word(activeLanes(r), 0)),
  ...folds.map((op) => {
    const call = (form: string): string => `subgroupPartitioned${form}${capital(op)}NV(v, subgroupPartitionNV(v & 3u))`;
    return glsl(`${call("")} + 3u * ${call("Inclusive")} + 5u * ${call("Exclusive")}`, (lane, r) =>
      u32(whole(op)(lane, r)! + Math.imul(3, inclusive(op)(lane, r)!) + Math.imul(5, exclusive(op)(lane, r)!)),
    );
  }),
  ...(["add", "mul", "and", "or", "xor"] as const).map((op) =>
    hlsl(`WaveMultiPrefix${hlslNames[op]}(v, WaveMatch(v & 3u))`, exclusive(op)),
  ),
  hlsl(
    "WaveMultiPrefixCountBits(v > 300u, WaveMatch(v & 3u))",
    (lane, r) => classOf(lane, r).filter((i) => i < lane && r.x[i]! > 300).length,
  ),
  hlsl("uint(WaveMultiPrefixSum(int(v) - 500, WaveMatch(v & 3u)))", (lane, r) =>
    u32(
      classOf(lane, r)
        .filter((i) => i < lane)
        .reduce((a, i) => a + r.x[i]! - 500, 0),
    ),
  ),
  // Sums of small integers are exact in any order.
  hlsl("uint(WaveMultiPrefixSum(float(v), WaveMatch(v & 3u)))", exclusive("add")),
  glsl("uint(subgroupPartitionedMaxNV(float(v), subgroupPartitionNV(v & 3u)))", whole("max")),
  glsl("uint(subgroupPartitionedMinNV(int(v) - 500, subgroupPartitionNV(v & 3u)))", (lane, r) =>
    u32(Math.min(...classOf(lane, r).map((i) => r.x[i]! - 500))),
  ),
  glsl(
    "uint(subgroupPartitionedExclusiveMinNV(float(v), subgroupPartitionNV(v & 3u)) == uintBitsToFloat(0x7f800000u))",
    (lane, r) => yes(!classOf(lane, r).some((i) => i < lane)),
  ),
  glsl("uint(subgroupPartitionedAndNV(v > 300u, subgroupPartitionNV(v & 3u)))", (lane, r) =>
    yes(classOf(lane, r).every((i) => r.x[i]! > 300)),
  ),
  glsl("uint(subgroupPartitionedExclusiveAndNV(v > 300u, subgroupPartitionNV(v & 3u)))", (lane, r) =>
    yes(classOf(lane, r).every((i) => i >= lane || r.x[i]! > 300)),
  ),
  glsl(
    "uint(subgroupPartitionedXorNV(v > 300u, subgroupPartitionNV(v & 3u)))",
    (lane, r) => classOf(lane, r).filter((i) => r.x[i]! > 300).length % 2,
  ),
  glsl("subgroupPartitionedAddNV(uvec2(v, 1u), subgroupPartitionNV(v & 3u)).y", (lane, r) => classOf(lane, r).length),
  // Any partition may be given, not only one that match made.
  hlsl("WaveMultiPrefixSum(v, WaveActiveBallot(true))", (lane, r) =>
    over(
      "add",
      activeLanes(r).filter((i) => i < lane),
      r,
    ),
  ),
];

const group = (expression: string, oracle: Oracle): Case => ({
  dialect: "opencl",
  expression,
  oracle,
  uniformOnly: true,
  workgroup: true,
});
const everyone = (r: Round): number[] => r.x.map((_, i) => i);

const workgroup: readonly Case[] = [
  group("(uint)(work_group_all(v > 100u) != 0)", (_, r) => yes(r.x.every((x) => x > 100))),
  group("(uint)(work_group_all(v > 0u) != 0) + 2u * (uint)(work_group_any(v > 5000u) != 0)", () => 1),
  group("(uint)(work_group_any((int)(v == 1u) << 20) != 0)", (_, r) => yes(r.x.includes(1))),
  group("work_group_broadcast(v, 5)", (_, r) => r.x[5]),
  group("work_group_broadcast(v, get_local_size(0) - 1)", (_, r) => r.x.at(-1)),
  group("work_group_broadcast(v, 3, 0)", (_, r) => r.x[3]),
  group("work_group_broadcast(v, 4, 0, 0)", (_, r) => r.x[4]),
  ...(["add", "min", "max"] as const).flatMap((op) => [
    group(`work_group_reduce_${op}(v)`, (_, r) => over(op, everyone(r), r)),
    group(`work_group_scan_inclusive_${op}(v)`, (lane, r) =>
      over(
        op,
        everyone(r).filter((i) => i <= lane),
        r,
      ),
    ),
    group(`work_group_scan_exclusive_${op}(v)`, (lane, r) =>
      over(
        op,
        everyone(r).filter((i) => i < lane),
        r,
      ),
    ),
  ]),
  group("(uint)work_group_reduce_add((float)v)", (_, r) => over("add", everyone(r), r)),
  group("(uint)(work_group_scan_exclusive_max((int)v - 2000) == INT_MIN)", (lane) => yes(lane === 0)),
  group("(uint)(work_group_scan_exclusive_min((float)v) == INFINITY)", (lane) => yes(lane === 0)),
  // Two calls after each other use the same memory.
  group("work_group_reduce_add(v) + work_group_scan_inclusive_add(v) * work_group_reduce_max(v)", (lane, r) =>
    u32(
      over("add", everyone(r), r) +
        Math.imul(over("add", everyone(r).slice(0, lane + 1), r), over("max", everyone(r), r)),
    ),
  ),
];

const profiles = {
  glsl: ["vulkan1.1", "vulkan1.3-nv"],
  hlsl: ["sm6.0", "sm6.5"],
  opencl: ["opencl3.0"],
  msl: ["msl2.3"],
} as const;

describe("partitioned", () => {
  test.each(partitioned.map((c) => [`${c.dialect} ${c.expression}`, c] as const))("%s", async (_, c) => {
    expect(await complaints(c, profiles)).toEqual([]);
  });
});

describe("work-groups", () => {
  const older = { glsl: ["vulkan1.1"], hlsl: ["sm6.0"], opencl: ["opencl3.0"], msl: ["msl2.3"] } as const;
  test.each(workgroup.map((c) => [c.expression, c] as const))("%s", async (_, c) => {
    expect(await complaints(c, older)).toEqual([]);
  });
});
