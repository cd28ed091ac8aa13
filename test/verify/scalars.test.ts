import { describe, expect, test } from "vitest";
import { halfBits, halfValue } from "../../src/launch/scalars.js";

describe("f16", () => {
  // Bit patterns of IEEE 754 binary16.
  test.each([
    [0, 0x0000],
    [-0, 0x8000],
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff],
    [Infinity, 0x7c00],
    [-Infinity, 0xfc00],
    [2 ** -14, 0x0400],
    [2 ** -24, 0x0001],
    [2 ** -25, 0x0000],
    [1.5 * 2 ** -24, 0x0002],
    [2 ** -14 - 2 ** -24, 0x03ff],
    [1 / 3, 0x3555],
    [65519.99, 0x7bff],
    [65520, 0x7c00],
    [2049, 0x6800],
    [2051, 0x6802],
    [NaN, 0x7e00],
    [0.1, 0x2e66],
  ])("%d is %d", (value, bits) => expect(halfBits(value)).toBe(bits));

  test("every value has its bits", () => {
    for (let bits = 0; bits < 0x10000; bits++) {
      const value = halfValue(bits);
      if (!Number.isNaN(value)) expect(halfBits(value)).toBe(bits);
    }
  });

  test("what lies halfway between neighbours goes to the even one, what lies beside it to the nearer", () => {
    for (let bits = 0; bits < 0x7bff; bits += 7) {
      const [low, high] = [halfValue(bits), halfValue(bits + 1)];
      const middle = (low + high) / 2;
      expect(halfBits(middle)).toBe(bits % 2 === 0 ? bits : bits + 1);
      expect(halfBits(middle * (1 + 2 ** -40))).toBe(bits + 1);
      expect(halfBits(middle * (1 - 2 ** -40))).toBe(bits);
    }
  });
});
