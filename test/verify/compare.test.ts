import { describe, expect, test } from "vitest";
import { compareBuffers } from "../../src/verify/compare.js";
import type { Tolerance } from "../../src/launch/launch-file.js";

const floats = (...values: number[]): Uint8Array => new Uint8Array(new Float32Array(values).buffer);
const words = (...values: number[]): Uint8Array => new Uint8Array(new Uint32Array(values).buffer);
const f32 = { type: { text: "f32", scalar: "f32", width: 1 }, compare: "ordered" } as const;
const u32 = { type: { text: "u32", scalar: "u32", width: 1 }, compare: "ordered" } as const;

describe("comparison", () => {
  test("equal bits are equal", () =>
    expect(compareBuffers(floats(1, -0, NaN), floats(1, -0, NaN), f32)).toBeUndefined());

  test("the first difference, its place, both values and their bits", () => {
    expect(compareBuffers(floats(1, 2, 3), floats(1, 2.5, 4), f32)).toEqual({
      index: 1,
      byteOffset: 4,
      expected: { value: "2", hex: "0x40000000" },
      actual: { value: "2.5", hex: "0x40200000" },
      type: "f32",
      count: 2,
    });
  });

  test("any two NaN are the same value, and zeros of different sign are not", () => {
    expect(compareBuffers(words(0x7fc00000), words(0xffc00001), f32)).toBeUndefined();
    expect(compareBuffers(words(0x7fc00000), words(0xffc00001), u32)?.index).toBe(0);
    expect(compareBuffers(floats(0), floats(-0), f32)?.actual.value).toBe("-0");
  });

  const one = 0x3f800000;
  test.each<[string, Tolerance, Uint8Array, Uint8Array, boolean]>([
    ["2 ulp apart within 2", { ulp: 2 }, words(one), words(one + 2), true],
    ["3 ulp apart within 2", { ulp: 2 }, words(one), words(one + 3), false],
    ["across zero", { ulp: 2 }, words(1), words(0x80000001), true],
    ["abs", { abs: 0.5 }, floats(1), floats(1.5), true],
    ["abs, too far", { abs: 0.5 }, floats(1), floats(1.51), false],
    ["rel", { rel: 0.1 }, floats(100), floats(91), true],
    ["rel, too far", { rel: 0.1 }, floats(100), floats(89), false],
    ["NaN is close to no number", { rel: 1 }, floats(NaN), floats(1), false],
    ["infinity is close to no number", { ulp: 5 }, words(0x7f7fffff), words(0x7f800000), false],
    ["either: by the first", { rel: 0.1, abs: 0.5 }, floats(100), floats(91), true],
    ["either: by the second", { rel: 0.1, abs: 0.5 }, floats(0.25), floats(-0.25), true],
    ["either: by none", { rel: 0.1, abs: 0.5 }, floats(1), floats(2), false],
    ["zeros", { ulp: 0 }, floats(0), floats(-0), true],
  ])("%s", (_, tolerance, a, b, same) => {
    expect(compareBuffers(a, b, { ...f32, tolerance }) === undefined).toBe(same);
  });

  test("multisets do not see the order, and see each element as often as it stands", () => {
    const multiset = { ...u32, compare: "multiset" } as const;
    expect(compareBuffers(words(1, 2, 2, 3), words(2, 3, 1, 2), multiset)).toBeUndefined();
    expect(compareBuffers(words(1, 2, 2, 3), words(1, 2, 3, 3), multiset)).toMatchObject({
      expected: { value: "2" },
      actual: { value: "3" },
      count: 1,
    });
    const pairs = { type: { text: "u32x2", scalar: "u32", width: 2 }, compare: "multiset" } as const;
    expect(compareBuffers(words(1, 2, 3, 4), words(3, 4, 1, 2), pairs)).toBeUndefined();
    expect(compareBuffers(words(1, 2, 3, 4), words(3, 2, 1, 4), pairs)).toBeDefined();
  });
});
