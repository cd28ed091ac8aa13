/**
 * Functions of double, as GLSL and HLSL get them written out: operands, exact values in fixed point of 400 binary places, and
 * what the specification says at the edges (C99 F.9, OpenCL C 3.0 7.5.1). Calls are those of OpenCL C on `x`, `y` and `n`, which is y.
 */
import { expOf, fixed, LN2, logOf, PLACES, productOf } from "./exact-reals.js";

/** m * 2^e, m in fixed point. */
export interface Scaled {
  readonly m: bigint;
  readonly e: number;
}

export interface RealFunction {
  readonly call: string;
  readonly exact: (x: number, y: number) => Scaled;
  /** The most units in the last place that were found; OpenCL C 3.0 7.4 grants more. */
  readonly ulp: number;
  readonly operands: readonly Pair[];
  readonly edges: readonly (readonly [x: number, y: number, want: number])[];
}
export type Pair = readonly [x: number, y: number];

const length = (m: bigint): number => (m < 0n ? -m : m).toString(2).length;

/** x * 2^e, in steps that do not round where the result is a normal number. */
export function times(x: number, e: number): number {
  const half = Math.trunc(e / 2);
  return x * 2 ** half * 2 ** (e - half);
}

/** Units in the last place that a result, a normal number, lies from the exact value. */
export function ulps(result: number, { m, e }: Scaled): number {
  if (m === 0n || !Number.isFinite(result)) return result === 0 && m === 0n ? 0 : Infinity;
  const exponent = length(m) - 1 - Number(PLACES);
  return Number(((fixed(times(result, -e)) - m) << 20n) >> (PLACES + BigInt(exponent - 52))) / 2 ** 20;
}

/** The exact value is a normal number. */
const isNormal = ({ m, e }: Scaled): boolean => {
  const exponent = length(m) - 1 - Number(PLACES) + e;
  return m !== 0n && exponent >= -1022 && exponent <= 1023;
};

/** What a result of `f` is off, where that is told in units. */
export function isOff(f: RealFunction, [x, y]: Pair, result: number): number {
  const exact = f.exact(x, y);
  return isNormal(exact) ? Math.abs(ulps(result, exact)) : 0;
}

/** Spread by multiplicative steps, the same in every run. */
export const spread = (count: number, low: number, high: number, step = 0.6180339887498949): number[] =>
  Array.from({ length: count }, (_, i) => low + (high - low) * ((i * step) % 1));
const otherStep = 0.7548776662466927;

/** The logarithm of a positive double. */
export function naturalOf(x: number): bigint {
  const n = Math.floor(Math.log2(x));
  return logOf(fixed(times(x, -n))) + BigInt(n) * LN2;
}
/** e^p for a p beyond the range of fixed point. */
export function exponentialOf(p: bigint): Scaled {
  const n = Math.round(Number((p << 20n) / LN2) / 2 ** 20);
  return { m: expOf(p - BigInt(n) * LN2), e: n };
}

const signed = ({ m, e }: Scaled, negative: boolean): Scaled => ({ m: negative ? -m : m, e });
const odd = (y: number): boolean => Math.abs(y % 2) === 1;
const power = (x: number, y: number): Scaled =>
  signed(exponentialOf(productOf(fixed(y), naturalOf(Math.abs(x)))), x < 0 && odd(y));

const positive = spread(150, -1074, 1023.9).map((e) => 2 ** e);
const near = spread(100, -1, 1).map((v, i) => 1 + v * 2 ** -(1 + (i % 50)));
/** Powers whose results fill the range of doubles. */
const intoRange = (xs: readonly number[]): Pair[] => {
  const results = spread(xs.length, -1021, 1022, otherStep);
  return xs.map((x, i): Pair => [x, results[i]! / (Math.log2(x) || 1)]).filter(([, y]) => Number.isFinite(y));
};
const integers = spread(80, -30, 30, otherStep).map(Math.round);
const bases = spread(80, -9, 9);
const powers: readonly Pair[] = [
  ...intoRange(positive),
  ...intoRange(near),
  ...bases.map((x, i): Pair => [Math.abs(x), integers[i]! / 4]),
  [10, 300],
  [1 + 2 ** -52, 2 ** 61],
  [5e-324, -0.9],
  [2, 0.5],
  [3, 1],
];

const inf = Infinity;
const always = (x: number): readonly [number, number, number][] => [
  [x, 0, 1],
  [x, -0, 1],
];

export const powerFunctions: readonly RealFunction[] = [
  {
    call: "pow(x, y)",
    ulp: 1,
    exact: power,
    operands: [...powers, ...bases.map((x, i): Pair => [x, integers[i]!])],
    edges: [
      ...[0, -0, 1, -1, NaN, inf, -inf].flatMap(always),
      [1, NaN, 1],
      [1, inf, 1],
      [-1, inf, 1],
      [-1, -inf, 1],
      [NaN, 1, NaN],
      [2, NaN, NaN],
      [-8, 1 / 3, NaN],
      [0, -3, inf],
      [-0, -3, -inf],
      [-0, -2, inf],
      [-0, -0.5, inf],
      [-0, 3, -0],
      [-0, 2, 0],
      [-0, 0.5, 0],
      [0, inf, 0],
      [0, -inf, inf],
      [0.5, -inf, inf],
      [0.5, inf, 0],
      [-2, -inf, 0],
      [-2, inf, inf],
      [-inf, -3, -0],
      [-inf, -2, 0],
      [-inf, 3, -inf],
      [-inf, 2.5, inf],
      [inf, -0.1, 0],
      [inf, 0.1, inf],
      [2, 1024, inf],
      [-2, 1025, -inf],
      [2, -1074, 5e-324],
      [-2, -1075, -0],
      [1e300, 1e300, inf],
      [1e300, -1e300, 0],
      [1 - 2 ** -53, 1.7e308, 0],
      [2, 1023, 2 ** 1023],
      [4, 0.5, 2],
      [-3, 3, -27],
    ],
  },
  {
    call: "powr(x, y)",
    ulp: 1,
    exact: power,
    operands: powers,
    edges: [
      [0, 0, NaN],
      [inf, 0, NaN],
      [1, inf, NaN],
      [1, -inf, NaN],
      [-2, 2, NaN],
      [-inf, 2, NaN],
      [NaN, 0, NaN],
      [1, NaN, NaN],
      [2, 0, 1],
      [1, 7.5, 1],
      [0, 2.5, 0],
      [-0, 3, 0],
      [-0, -3, inf],
      [0, -inf, inf],
      [0, inf, 0],
      [inf, -2, 0],
      [inf, 2, inf],
      [2, inf, inf],
      [2, -inf, 0],
    ],
  },
  {
    call: "pown(x, n)",
    ulp: 1,
    exact: power,
    operands: [
      ...bases.map((x, i): Pair => [x, integers[i]!]),
      [1.0000000001, 2147483647],
      [-1.000000001, -2147483647],
    ],
    edges: [
      ...[0, -0, NaN, inf].flatMap(always),
      [0, -3, inf],
      [-0, -3, -inf],
      [-0, -2, inf],
      [-0, 3, -0],
      [-0, 2, 0],
      [-inf, 3, -inf],
      [-inf, -3, -0],
      [-1, -2147483648, 1],
      [-1, 2147483647, -1],
      [2, -1074, 5e-324],
    ],
  },
  {
    call: "rootn(x, n)",
    ulp: 1,
    exact: (x, n) => {
      const root = exponentialOf(naturalOf(Math.abs(x)) / BigInt(n));
      return signed(root, x < 0);
    },
    operands: [
      ...positive.map((x, i): Pair => [x, integers[i % 80]! || 3]),
      ...bases.map((x, i): Pair => [x, (integers[i]! % 8) * 2 + 1]),
      [8, 3],
      [1e300, 1],
      [1e300, -1],
      [3, 2147483647],
    ],
    edges: [
      [0, -3, inf],
      [-0, -3, -inf],
      [-0, -2, inf],
      [-0, 2, 0],
      [-0, 3, -0],
      [-8, 2, NaN],
      [8, 0, NaN],
      [NaN, 3, NaN],
      [inf, 3, inf],
      [-inf, 3, -inf],
      [inf, -3, 0],
      [5e-324, -1, inf],
      [16, 4, 2],
    ],
  },
];

export const realFunctions: readonly RealFunction[] = [...powerFunctions];
export const nameOf = ({ call }: RealFunction): string => call.slice(0, call.indexOf("("));
