/**
 * The gamma function: of doubles against values worked out to 60 digits with an arithmetic of arbitrary precision, by formula in
 * targets that lack it against Lanczos's approximation (g = 7, nine terms; 1e-14), with exact functions and with the least
 * accurate that the targets' specifications grant.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../../src/index.js";
import { gammaOf, logGamma } from "../support/gamma.js";
import { f64_gamma_sign, f64_lgamma, f64_tgamma } from "../../src/sim/gamma.js";

const values: Record<"tgamma" | "lgamma", readonly (readonly [number, number])[]> = {
  tgamma: [
    [0.1, 9.51350769866873],
    [0.5, 1.772453850905516],
    [1, 1.0],
    [1.5, 0.886226925452758],
    [2.5, 1.329340388179137],
    [3.5, 3.3233509704478426],
    [5, 24.0],
    [10.1, 454760.7514415856],
    [30.7, 9.528117499079478e31],
    [100.3, 3.711481867182677e156],
    [170.5, 5.56209241456e305],
    [171.6, 1.5858969096672565e308],
    [-0.5, -3.544907701811032],
    [-1.5, 2.363271801207355],
    [-10.3, -5.26236323953561e-7],
    [-100.7, -1.6467012169218231e-159],
    [-170.2, -2.634834053819688e-307],
    [-177.5, 5e-324],
    [1e-300, 9.999999999999999e299],
    [-1e-10, -10000000000.577215],
    [0.9999999, 1.0000000577215764],
    [1.0000001, 0.9999999422784434],
  ],
  lgamma: [
    [1e-300, 690.7755278982137],
    [1e-10, 23.025850929882736],
    [0.1, 2.252712651734206],
    [0.5, 0.5723649429247001],
    [0.75, 0.20328095143129538],
    [1.000000001, -5.772157118381039e-10],
    [1.25, -0.09827183642181316],
    [1.5, -0.12078223763524522],
    [1.999999999, -4.227843697573328e-10],
    [2.00001, 4.22787559764836e-6],
    [2.5, 0.2846828704729192],
    [3, 0.6931471805599453],
    [7.3, 7.147892523022248],
    [15.9, 27.625493215168692],
    [16.1, 28.173694494813546],
    [50.5, 146.51925549072064],
    [10000000000.0, 220258509288.81058],
    [1e300, 6.897755278982137e302],
    [-0.1, 2.3689613327287886],
    [-1e-20, 46.051701859880914],
    [-1.5, 0.860047015376481],
    [-10.3, -14.457515440024208],
    [-20.7, -43.105133189536225],
    [-1000.25, -5912.363970042725],
    [-1099511627775.75, -29385423763662.777],
  ],
};

const ulp64 = (x: number): number => Math.max(2 ** (Math.floor(Math.log2(Math.abs(x))) - 52), 5e-324);

test.each([
  ["tgamma", f64_tgamma],
  ["lgamma", f64_lgamma],
] as const)("%s of doubles is within 5 ulp", (name, f) => {
  for (const [x, want] of values[name])
    expect(Math.abs(f(x) - want) / ulp64(want), `${name}(${x}) ${f(x)} ${want}`).toBeLessThanOrEqual(5);
});

/** C99 F.9.5.3 and F.9.5.4; the sign at a pole is not said there. */
const special: readonly (readonly [x: number, tgamma: number, lgamma: number, sign: number | undefined])[] = [
  [0, Infinity, Infinity, 1],
  [-0, -Infinity, Infinity, -1],
  [-1, NaN, Infinity, undefined],
  [-20, NaN, Infinity, undefined],
  [-(2 ** 30), NaN, Infinity, undefined],
  [-Infinity, NaN, Infinity, undefined],
  [Infinity, Infinity, Infinity, 1],
  [NaN, NaN, NaN, undefined],
  [1, 1, 0, 1],
  [2, 1, 0, 1],
  // Below zero it is negative, positive, negative ... from one whole number to the next.
  [-50.5, -0, -149.2965, -1],
  [-51.5, 0, -153.23808, 1],
];

test("special values of doubles", () => {
  for (const [x, tgamma, , sign] of special) {
    if (x > -50) expect(f64_tgamma(x)).toBe(tgamma);
    if (sign !== undefined) expect(f64_gamma_sign(x)).toBe(sign);
  }
  expect(f64_tgamma(-190.5)).toBe(-0);
  expect(f64_tgamma(-191.5)).toBe(0);
  expect(f64_tgamma(171.7)).toBe(Infinity);
});

const count = 4096;
const source = `kernel void k(global const float *x, global float *g, global float *l, global float *r, global int *s) {
  size_t i = get_global_id(0);
  g[i] = tgamma(x[i]);
  l[i] = lgamma(x[i]);
  r[i] = lgamma_r(x[i], s + i);
}`;
const targets: readonly TwoWayDialect[] = ["glsl", "hlsl", "msl"];

interface Results {
  readonly g: Float32Array;
  readonly l: Float32Array;
  readonly r: Float32Array;
  readonly s: Int32Array;
}

async function inTarget(to: TwoWayDialect, x: Float32Array, granted?: number): Promise<Results> {
  const { code, diagnostics } = await translate(source, { from: "opencl", to, workgroupSize: [64, 1, 1] });
  expect(diagnostics).toEqual([]);
  const { buffers, findings } = await simulate(code!, {
    from: to,
    workgroups: [x.length / 64],
    workgroupSize: [64, 1, 1],
    ...(granted === undefined ? {} : { granted, findings: "none" }),
    args: {
      x,
      g: new Float32Array(x.length),
      l: new Float32Array(x.length),
      r: new Float32Array(x.length),
      s: new Int32Array(x.length),
    },
  });
  expect(findings).toEqual([]);
  return buffers as unknown as Results;
}

const ulp32 = (x: number): number => 2 ** (Math.max(Math.floor(Math.log2(Math.abs(x))), -126) - 23);
let state = 2026;
const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
/** A third of all magnitudes, a third of -43..36, a third around whole numbers. */
const operands = Float32Array.from({ length: count }, (_, i) => {
  const whole = Math.round(random() * 75 - 41);
  const x =
    i % 3 === 0
      ? (random() < 0.5 ? -1 : 1) * 2 ** (random() * 250 - 125)
      : i % 3 === 1
        ? random() * 79 - 43
        : whole + (random() < 0.5 ? -1 : 1) * 2 ** (-random() * 22);
  return Math.abs(Math.fround(x)) >= 2 ** -126 ? x : 1.5;
});

/** The greatest error in ulp of `got`; what is below the least normal number, or beyond the largest, is a driver's. */
function worst(
  got: Float32Array,
  exact: (x: number) => number,
  inUlp: (x: number, want: number) => number,
): { off: number; x: number } {
  let found = { off: 0, x: 0 };
  operands.forEach((x, i) => {
    if (x <= 0 && Number.isInteger(x)) return;
    const want = exact(x);
    if (Math.abs(want) < 2 ** -120 || Math.abs(want) > 2 ** 127) return;
    const off = Math.abs(got[i]! - want) / inUlp(x, want);
    if (!(off <= found.off)) found = { off, x };
  });
  return found;
}
const logExact = (x: number): number =>
  Math.abs(x) < 1e-5 ? -Math.log(Math.abs(x)) - 0.5772156649015329 * x : x > 1e15 ? x * (Math.log(x) - 1) : logGamma(x);
const gammaExact = (x: number): number =>
  Math.abs(x) < 1e-9 ? 1 / x - 0.5772156649015329 : x < -44 ? 0 : x > 36 ? Infinity : gammaOf(x);
/** Between negative whole numbers, where lgamma has zeros, the error is absolute. */
const logUlp = (x: number, want: number): number => (x < 0 ? Math.max(ulp32(want), 2 ** -21) : ulp32(want));

describe.each(targets)("in %s", (to) => {
  test("with exact functions tgamma is within 6 ulp, lgamma within 8", async () => {
    const { g, l, r } = await inTarget(to, operands);
    expect(r).toEqual(l);
    const [ofGamma, ofLog] = [worst(g, gammaExact, (_, want) => ulp32(want)), worst(l, logExact, logUlp)];
    expect(ofGamma.off, JSON.stringify(ofGamma)).toBeLessThanOrEqual(6);
    expect(ofLog.off, JSON.stringify(ofLog)).toBeLessThanOrEqual(8);
  });

  test.each([1, 2, 3, 4])(
    "on the least accurate device tgamma is within the 16 ulp of OpenCL C, seed %i",
    async (seed) => {
      const { g } = await inTarget(to, operands, seed);
      const ofGamma = worst(g, gammaExact, (_, want) => ulp32(want));
      expect(ofGamma.off, JSON.stringify(ofGamma)).toBeLessThanOrEqual(16);
    },
  );

  test("special values, and the sign of lgamma_r", async () => {
    const x = Float32Array.from({ length: 64 }, (_, i) => special[i % special.length]![0]);
    const { g, l, s } = await inTarget(to, x);
    special.forEach(([at, tgamma, lgamma, sign], i) => {
      expect(g[i], `tgamma(${at})`).toBe(tgamma);
      expect(Math.abs(l[i]! - lgamma) <= 1e-4 || Object.is(l[i], lgamma), `lgamma(${at}) is ${l[i]}`).toBe(true);
      if (sign !== undefined) expect(s[i], `sign of ${at}`).toBe(sign);
    });
    const signs = await inTarget(to, operands);
    operands.forEach((v, i) => {
      if (v > 0 || !Number.isInteger(v)) expect(signs.s[i], String(v)).toBe(v > 0 || Math.floor(v) % 2 === 0 ? 1 : -1);
    });
  });
});
