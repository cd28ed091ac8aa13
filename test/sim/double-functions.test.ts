/** Functions of doubles over the whole range of doubles, against the host's, which are within one unit in the last place. */
import { expect, test } from "vitest";
import * as f64 from "../../src/sim/double-functions.js";

/** From mpmath 1.3, 20 digits. */
const known: Record<"erf" | "erfc", Record<number, number>> = {
  erf: { 0.5: 0.5204998778130465, 1: 0.8427007929497149, 2.5: 0.999593047982555, 5: 0.9999999999984625 },
  erfc: {
    0.5: 0.4795001221869535,
    1: 0.15729920705028513,
    2.5: 4.06952017444959e-4,
    10: 2.088487583762545e-45,
    26: 5.663192408856143e-296,
  },
};

const cases: Readonly<Record<string, readonly [(x: number) => number, (x: number) => number, readonly number[]]>> = {
  sin: [f64.f64_sin, Math.sin, [1e10 + 0.3, -123456789.1234567, 1e22, 1e300, 0.5]],
  cos: [f64.f64_cos, Math.cos, [1e10 + 0.3, -123456789.1234567, 1e22, 1e300, 0.5]],
  tan: [f64.f64_tan, Math.tan, [1e10 + 0.3, -123456789.1234567, 1e22, 1e300, 0.5]],
  sinpi: [
    f64.f64_sinpi,
    (x) => (x === 0.25 ? Math.SQRT1_2 : x % 2 === 0.5 ? 1 : -1),
    [2 ** 25 + 0.5, 2 ** 40 + 1.5, 0.25],
  ],
  cospi: [f64.f64_cospi, (x) => (x % 2 === 0 ? 1 : -1), [2 ** 25 + 1, 2 ** 40, 3]],
  erf: [f64.f64_erf, (x) => known.erf[x]!, [0.5, 1, 2.5, 5]],
  erfc: [f64.f64_erfc, (x) => known.erfc[x]!, [0.5, 1, 2.5, 10, 26]],
  exp: [f64.f64_exp, Math.exp, [300, -300, 709.7, -744, 0.1, -1e-9, 710, -746]],
  exp2: [f64.f64_exp2, (x) => 2 ** x, [1000, -1000, -1070, 1023.5, 1024, 0.3]],
  exp10: [f64.f64_exp10, (x) => 10 ** x, [200, -200, 308.2, 0.5, 309]],
  expm1: [f64.f64_expm1, Math.expm1, [1e-9, -1e-9, 1e-7, 1e-5, 0.3, 500, -500]],
  log: [f64.f64_log, Math.log, [1e100, 1e-300, 5e-324, 1.5, 1 + 1e-15, 1.7e308]],
  log2: [f64.f64_log2, Math.log2, [1e-300, 1e300, 8, 3]],
  log10: [f64.f64_log10, Math.log10, [1e-300, 1e300, 1000, 3]],
  log1p: [f64.f64_log1p, Math.log1p, [1e-9, -1e-9, 1e-20, 0.5, -0.999999999, 1e300]],
  sinh: [f64.f64_sinh, Math.sinh, [300, -300, 710, 1e-9, 1]],
  cosh: [f64.f64_cosh, Math.cosh, [300, -300, 710, 1e-9, 1]],
  asinh: [f64.f64_asinh, Math.asinh, [1e100, -1e300, 1e-9, 2]],
  acosh: [f64.f64_acosh, Math.acosh, [1e100, 1e300, 1.5]],
  cbrt: [f64.f64_cbrt, Math.cbrt, [1e90, -1e-300, 5e-324, 27, 1.7e308]],
};

test.each(Object.entries(cases))("%s", (_, [own, host, inputs]) => {
  for (const x of inputs) {
    const [got, want] = [own(x), host(x)];
    if (!Number.isFinite(want) || want === 0) expect(got, String(x)).toBe(want);
    else
      expect(Math.abs(got / want - 1), `${x}: ${got}, not ${want}`).toBeLessThan(
        Math.abs(want) < 1e-307 ? 1e-2 : 2e-15,
      );
  }
});

test("powers, also where the exponent takes all its digits", () => {
  const known: readonly [number, number, number][] = [
    [10, 200, 1e200],
    [10, -200, 1e-200],
    [1e-200, 1.5, 1e-300],
    [2, -1074, 5e-324],
    [3, 600, 3 ** 300 * 3 ** 300],
    [1.0000001, 5e9, Math.exp(5e9 * Math.log1p(1.0000001 - 1))],
    [-1, 2 ** 40 + 1, -1],
    [-2, 3, -8],
    [0, -3, Infinity],
    [-0, -3, -Infinity],
    [0.5, 1e300, 0],
    [2, 1e300, Infinity],
    [-8, 1 / 3, NaN],
    [-Infinity, 1.5, Infinity],
  ];
  for (const [x, y, want] of known) {
    const got = f64.f64_pow(x, y);
    if (!Number.isFinite(want) || want === 0 || Math.abs(want) < 1e-307) expect(got, `${x}^${y}`).toBe(want);
    // Large exponents magnify what the expected value itself lacks.
    else expect(Math.abs(got / want - 1), `${x}^${y}`).toBeLessThan(y === 5e9 ? 1e-12 : 4e-15);
  }
});

test("hypot neither overflows nor vanishes in between", () => {
  expect(f64.f64_hypot(3e200, 4e200)).toBeCloseTo(5e200, -190);
  expect(f64.f64_hypot(3e-200, 4e-200) / 5e-200).toBeCloseTo(1, 14);
});
