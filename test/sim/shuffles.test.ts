/** Cross-lane routines by cross-lane.md section 3, on values chosen so that every lane's result is known by hand. */
import { describe, expect, test } from "vitest";
import type { Expr, OpId } from "../../src/ast/nodes.js";
import { compile, run } from "../../src/sim/index.js";
import type { Finding } from "../../src/sim/index.js";
import { f32, i32, vector, type Type } from "../../src/types/types.js";
import {
  KernelBuilder,
  at,
  bool,
  call,
  convert,
  f32Literal,
  id,
  literal,
  op,
  set,
  swizzleValue,
  u32,
  u32Literal,
  when,
} from "./kernel-builder.js";
import { bitcast, unary } from "./ast.js";

const lane = id("lane_id");
/** 10, 11, 12, ... by local index. */
const data = (): Expr => op("add", id("local_index"), u32Literal(10));

interface Given {
  readonly lanes?: number;
  readonly width?: number;
  readonly only?: Expr;
}

function each(value: Expr, given: Given = {}): { values: number[]; findings: readonly Finding[]; fill: number } {
  const { lanes = 8, width = 8 } = given;
  const k = new KernelBuilder();
  const out = k.buffer("out", u32);
  const store = set(at(out, id("local_index")), value);
  const { module } = k.kernel(given.only ? [when(given.only, [store])] : [store], [lanes, 1, 1]);
  const { kernel, problems } = compile(module, "kernel");
  expect(problems).toEqual([]);
  const result = run(kernel!, {
    workgroups: [1],
    subgroupSize: width,
    args: new Map([["out", new Uint8Array(4 * lanes)]]),
    seed: 7,
  });
  const values = [...new Uint32Array(result.buffers.get("out")!.slice().buffer)];
  return { values, findings: result.findings, fill: values.at(-1)! };
}

const sub = (name: string, args: readonly Expr[], type: Type = u32): Expr =>
  call(`subgroup.${name}` as OpId, args, type);
const values = (e: Expr, given?: Given): number[] => each(e, given).values;

describe("moves", () => {
  test("shuffle takes the lane each lane names", () => {
    expect(values(sub("shuffle", [data(), op("sub", u32Literal(7), lane)]))).toEqual([17, 16, 15, 14, 13, 12, 11, 10]);
  });
  test("shuffle_xor", () => {
    expect(values(sub("shuffle_xor", [data(), u32Literal(3)]))).toEqual([13, 12, 11, 10, 17, 16, 15, 14]);
  });
  test("shuffle_down past the end is unspecified, never zero, and found where the result shows it", () => {
    const { values: got, findings } = each(sub("shuffle_down", [data(), u32Literal(2)]));
    expect(got.slice(0, 6)).toEqual([12, 13, 14, 15, 16, 17]);
    expect(got[6]).not.toBe(0);
    expect(findings).toMatchObject([{ kind: "inactive-lane", lane: [6, 0, 0], count: 2 }]);
    expect(findings[0]!.message).toContain("lane 8 is outside the subgroup");
  });
  test("reading past the end is no finding where nothing depends on it", () => {
    const safe = sub("shuffle_up", [data(), u32Literal(1)]);
    const k = {
      kind: "conditional",
      condition: op("gt", lane, u32Literal(0)),
      whenTrue: u32Literal(1),
      whenFalse: u32Literal(2),
      type: u32,
      span: { start: 0, end: 0 },
    } as Expr;
    const { values: got, findings } = each(op("add", op("mul", safe, u32Literal(0)), k));
    expect(got).toEqual([2, 1, 1, 1, 1, 1, 1, 1]);
    expect(findings).toEqual([]);
  });
  test("MSL's up and down keep the caller's own at the edge", () => {
    expect(values(sub("shuffle_up_keep", [data(), u32Literal(2)]))).toEqual([10, 11, 10, 11, 12, 13, 14, 15]);
    expect(values(sub("shuffle_down_keep", [data(), u32Literal(2)]))).toEqual([12, 13, 14, 15, 16, 17, 16, 17]);
  });
  test("fill comes from another lane's fill operand", () => {
    const fill = op("add", id("local_index"), u32Literal(100));
    // R-FILL up, d = 3: lanes 0..2 take fill of lanes 5..7.
    expect(values(sub("shuffle_up_fill_all", [data(), fill, u32Literal(3)]))).toEqual([
      105, 106, 107, 10, 11, 12, 13, 14,
    ]);
    expect(values(sub("shuffle_down_fill_all", [data(), fill, u32Literal(3)]))).toEqual([
      13, 14, 15, 16, 17, 100, 101, 102,
    ]);
    // Modulo 4: the same in halves.
    expect(values(sub("shuffle_up_fill", [data(), fill, u32Literal(1), u32Literal(4)]))).toEqual([
      103, 10, 11, 12, 107, 14, 15, 16,
    ]);
  });
  test("rotate reads from lane L + d", () => {
    expect(values(sub("rotate", [data(), u32Literal(3)]))).toEqual([13, 14, 15, 16, 17, 10, 11, 12]);
    expect(values(sub("rotate_up", [data(), u32Literal(3)]))).toEqual([15, 16, 17, 10, 11, 12, 13, 14]);
  });
  test("vectors move by component", () => {
    const pair: Expr = {
      kind: "construct",
      type: vector("u32", 2),
      arguments: [data(), op("mul", data(), u32Literal(2))],
      span: { start: 0, end: 0 },
    };
    const moved = swizzleValue(sub("shuffle_xor", [pair, u32Literal(1)], vector("u32", 2)), [1]);
    expect(values(moved)).toEqual([22, 20, 26, 24, 30, 28, 34, 32]);
  });
  test("a copy keeps the bits of a NaN", () => {
    const nan = bitcast(op("or", u32Literal(0x7fa12300), id("local_index")), f32);
    const moved = bitcast(sub("shuffle_xor", [nan, u32Literal(1)], f32), u32);
    expect(values(moved)).toEqual([1, 0, 3, 2, 5, 4, 7, 6].map((i) => 0x7fa12300 + i));
  });
  test("an inactive lane", () => {
    const { values: got, findings } = each(sub("shuffle_xor", [data(), u32Literal(1)]), {
      only: op("ne", lane, u32Literal(5)),
    });
    expect(got.filter((_, i) => i !== 4)).toEqual([11, 10, 13, 12, 0, 17, 16]);
    expect(findings).toMatchObject([{ kind: "inactive-lane", lane: [4, 0, 0] }]);
    expect(findings[0]!.message).toContain("lane 5 is inactive");
  });
  test("a lane that does not exist in a partial subgroup", () => {
    const { findings } = each(sub("shuffle", [data(), u32Literal(3)]), { lanes: 6, width: 4 });
    expect(findings).toMatchObject([{ kind: "inactive-lane", lane: [4, 0, 0], count: 2 }]);
    expect(findings[0]!.message).toContain("lane 3 does not exist in this partial subgroup");
  });
});

describe("broadcast", () => {
  test("the value of one lane, the first active one", () => {
    expect(values(sub("broadcast", [data(), u32Literal(5)]))).toEqual(Array(8).fill(15));
    expect(values(sub("broadcast_first", [data()]), { only: op("gt", lane, u32Literal(2)) })).toEqual([
      0, 0, 0, 13, 13, 13, 13, 13,
    ]);
  });
  test("a lane number that is not the same in all lanes is found", () => {
    const { findings } = each(sub("broadcast", [data(), lane]));
    expect(findings).toMatchObject([{ kind: "non-uniform-argument" }]);
  });
});

describe("reductions and scans", () => {
  test("over the active lanes only", () => {
    const odd = op("eq", op("and", lane, u32Literal(1)), u32Literal(1));
    expect(values(sub("add", [data()]), { only: odd })).toEqual([0, 56, 0, 56, 0, 56, 0, 56]);
    expect(values(sub("exclusive_add", [data()]), { only: odd })).toEqual([0, 0, 0, 11, 0, 24, 0, 39]);
    expect(values(sub("inclusive_max", [data()]), { only: odd })).toEqual([0, 11, 0, 13, 0, 15, 0, 17]);
  });
  test("integers wrap", () => {
    expect(values(sub("add", [u32Literal(0x40000001)]))).toEqual(Array(8).fill(8));
    expect(values(sub("mul", [u32Literal(0x10001)]))).toEqual(Array(8).fill(0x80001));
  });
  test("identities of exclusive scans in the lowest lane", () => {
    const first = (name: string, x: Expr, type: Type): number =>
      values(type === u32 ? sub(name, [x], type) : bitcast(sub(name, [x], type), u32))[0]!;
    expect(first("exclusive_add", data(), u32)).toBe(0);
    expect(first("exclusive_mul", data(), u32)).toBe(1);
    expect(first("exclusive_min", data(), u32)).toBe(0xffffffff);
    expect(first("exclusive_max", data(), u32)).toBe(0);
    expect(first("exclusive_and", data(), u32)).toBe(0xffffffff);
    expect(first("exclusive_min", bitcast(data(), i32), i32)).toBe(0x7fffffff);
    expect(first("exclusive_max", bitcast(data(), i32), i32)).toBe(0x80000000);
    expect(first("exclusive_min", f32Literal(1), f32)).toBe(0x7f800000);
    expect(first("exclusive_max", f32Literal(1), f32)).toBe(0xff800000);
  });
  test("floats round after each lane, ascending", () => {
    // 2^24 in lane 0, then ones: each sum rounds to even, so that nothing is added.
    const x: Expr = {
      kind: "conditional",
      condition: op("eq", lane, u32Literal(0)),
      whenTrue: f32Literal(2 ** 24),
      whenFalse: f32Literal(1),
      type: f32,
      span: { start: 0, end: 0 },
    };
    expect(values(convert(sub("add", [x], f32), u32, true))).toEqual(Array(8).fill(2 ** 24));
  });
});

describe("votes and ballots", () => {
  const p = op("gt", lane, u32Literal(5));
  const as = (e: Expr): Expr => convert(e, u32, true);
  test("all, any, elect", () => {
    expect(values(as(sub("all", [p], bool)))).toEqual(Array(8).fill(0));
    expect(values(as(sub("any", [p], bool)))).toEqual(Array(8).fill(1));
    expect(values(as(sub("all", [p], bool)), { only: op("ge", lane, u32Literal(6)) })).toEqual([
      0, 0, 0, 0, 0, 0, 1, 1,
    ]);
    expect(values(as(sub("elect", [], bool)), { only: op("ge", lane, u32Literal(3)) })).toEqual([
      0, 0, 0, 1, 0, 0, 0, 0,
    ]);
  });
  test("all_equal compares values: a NaN is unequal to itself, zeros are equal", () => {
    expect(values(as(sub("all_equal", [f32Literal(NaN)], bool)))).toEqual(Array(8).fill(0));
    const zeros: Expr = {
      kind: "conditional",
      condition: p,
      whenTrue: f32Literal(0),
      whenFalse: unary("negate", f32Literal(0)),
      type: f32,
      span: { start: 0, end: 0 },
    };
    expect(values(as(sub("all_equal", [zeros], bool)))).toEqual(Array(8).fill(1));
  });
  test("counts and masks", () => {
    const ballot = sub("ballot", [p], vector("u32", 4));
    expect(values(swizzleValue(ballot, [0]))).toEqual(Array(8).fill(0b11000000));
    expect(values(sub("ballot_bit_count", [ballot]))).toEqual(Array(8).fill(2));
    expect(values(sub("ballot_exclusive_bit_count", [ballot]))).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    expect(values(sub("ballot_inclusive_bit_count", [ballot]))).toEqual([0, 0, 0, 0, 0, 0, 1, 2]);
    expect(values(sub("ballot_find_lsb", [ballot]))).toEqual(Array(8).fill(6));
    expect(values(sub("ballot_find_msb", [ballot]))).toEqual(Array(8).fill(7));
    expect(values(as(sub("inverse_ballot", [ballot], bool)))).toEqual([0, 0, 0, 0, 0, 0, 1, 1]);
    expect(values(sub("count_true", [p]))).toEqual(Array(8).fill(2));
    expect(values(sub("prefix_count_true", [p]))).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
  });
  test("bits above the subgroup do not count", () => {
    const ones: Expr = {
      kind: "construct",
      type: vector("u32", 4),
      arguments: [0, 1, 2, 3].map(() => u32Literal(0xffffffff)),
      span: { start: 0, end: 0 },
    };
    expect(values(sub("ballot_bit_count", [ones]))).toEqual(Array(8).fill(8));
    expect(values(swizzleValue(sub("ge_mask", [], vector("u32", 4)), [0]))).toEqual([
      0xff, 0xfe, 0xfc, 0xf8, 0xf0, 0xe0, 0xc0, 0x80,
    ]);
    expect(values(swizzleValue(sub("gt_mask", [], vector("u32", 4)), [0]))).toEqual([
      0xfe, 0xfc, 0xf8, 0xf0, 0xe0, 0xc0, 0x80, 0,
    ]);
  });
  test("the lowest bit of nothing is undefined", () => {
    const { findings } = each(sub("ballot_find_lsb", [sub("ballot", [literal("bool", false)], vector("u32", 4))]));
    expect(findings).toMatchObject([{ kind: "undefined-arithmetic", message: "the lowest bit of an empty ballot" }]);
  });
});
