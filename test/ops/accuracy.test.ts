/** The table of accuracy against figures worked out from the specifications' own words, by hand. */
import { expect, test } from "vitest";
import { grantedRange } from "../../src/sim/granted.js";

const ulp = 2 ** -23;
/** How far off at most, in relative terms or as it is. */
const off = (name: string, dialect: "glsl" | "hlsl" | "opencl" | "msl", args: number[], want: number): number => {
  const { low, high, open } = grantedRange(name, dialect, "f32", args);
  return open ? Infinity : Math.max(want - low, high - want);
};

test("Vulkan: 3 + 2 |x| ulp of exponentials", () => {
  expect(off("exp2", "glsl", [0], 1)).toBeCloseTo(3 * ulp, 12);
  expect(off("exp2", "glsl", [10], 1024) / 1024).toBeCloseTo(23 * ulp, 12);
  expect(off("exp2", "glsl", [-20], 2 ** -20) / 2 ** -20).toBeCloseTo(43 * ulp, 12);
});

test("Vulkan: logarithms within 2^-21 from 0.5 to 2, else 3 ulp", () => {
  expect(off("log2", "glsl", [1], 0)).toBeCloseTo(2 ** -21, 12);
  expect(off("log2", "glsl", [2 ** 16], 16) / 16).toBeCloseTo(3 * ulp, 12);
  expect(off("log", "glsl", [-1], NaN)).toBe(Infinity);
});

test("Vulkan: pow(x, y) as exp2(y * log2(x))", () => {
  // log2(8) is off by 3 ulp of 3 (2^-22 each), times 4 (12: 2^-20 each, as 3 of them), exp2 of 12 + 3 * 2^-20 by 27 ulp.
  const most = 4096 * (2 ** (3 * 2 ** -20) - 1) + 27.01 * 4096 * ulp;
  expect(off("pow", "glsl", [8, 4], 4096)).toBeLessThanOrEqual(most + 4096 * ulp);
  expect(off("pow", "glsl", [8, 4], 4096)).toBeGreaterThan(most * 0.9);
  expect(off("pow", "glsl", [-8, 3], -512)).toBe(Infinity);
});

test("Vulkan: sine and cosine within 2^-11 from -pi to pi only, Direct3D within 0.0008 to 100 pi", () => {
  expect(off("sin", "glsl", [3], Math.sin(3))).toBeCloseTo(2 ** -11, 6);
  expect(off("sin", "glsl", [3.2], Math.sin(3.2))).toBe(Infinity);
  expect(off("sin", "hlsl", [314], Math.sin(314))).toBeCloseTo(0.0008, 6);
  expect(off("cos", "hlsl", [315], Math.cos(315))).toBe(Infinity);
  expect(off("sin", "opencl", [1e30], Math.sin(1e30))).toBeLessThan(5 * ulp);
});

test("Vulkan: division within 2.5 ulp for divisors of 2^-126 to 2^126", () => {
  const third = Math.fround(1 / 3);
  expect(off("divide", "glsl", [1, 3], 1 / 3) / (ulp / 4)).toBeCloseTo(2.5, 0);
  expect(off("divide", "glsl", [1, 2 ** 127], 2 ** -127)).toBe(Infinity);
  expect(off("divide", "hlsl", [1, 3], third)).toBeLessThan(0.5 * ulp);
});

test("Vulkan: a root as 1 / inversesqrt(x)", () => {
  // 2 ulp of 0.5 (2^-24 each) and 2.5 of 2.
  expect(off("sqrt", "glsl", [4], 2) / (2 * ulp)).toBeGreaterThan(3);
  expect(off("sqrt", "glsl", [4], 2) / (2 * ulp)).toBeLessThanOrEqual(5.1);
  expect(off("sqrt", "glsl", [0], 0)).toBe(0);
});

test("Vulkan: asinh as log(x + sqrt(x * x + 1)), nothing of which is left for large negative numbers", () => {
  expect(off("asinh", "glsl", [100], Math.asinh(100))).toBeLessThan(20 * ulp);
  expect(off("asinh", "glsl", [-1e5], Math.asinh(-1e5))).toBe(Infinity);
});

test("OpenCL C and MSL: units in the last place, and what IEEE 754 says of infinities", () => {
  expect(off("pow", "opencl", [2, 0.5], Math.SQRT2) / ulp).toBeCloseTo(16, 0);
  expect(grantedRange("exp", "opencl", "f32", [-Infinity])).toEqual({ low: 0, high: 0, open: false });
});
