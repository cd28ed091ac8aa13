/**
 * Functions of double, as GLSL and HLSL get them written out: operands, exact values in fixed point of 400 binary places, and
 * what the specification says at the edges (C99 F.9, OpenCL C 3.0 7.5.1). Calls are those of OpenCL C on `x`, `y` and `n`, which is y.
 */
import {
  acoshOf,
  asinhOf,
  atan2Of,
  atanhOf,
  cosOf,
  coshOf,
  expOf,
  fixed,
  integerRoot,
  LN2,
  logOf,
  ONE,
  PI,
  PLACES,
  productOf,
  sinhOf,
  sinOf,
  tanhOf,
  tanOf,
} from "./exact-reals.js";

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

const plain = (m: bigint): Scaled => ({ m, e: 0 });
/** Small numbers are their own sine; they are below the places of fixed point. */
const tiny = (x: number): boolean => Math.abs(x) < 2 ** -300;
const one = (xs: readonly number[]): Pair[] => xs.map((x): Pair => [x, 1]);
/** Angles whose sine or cosine lies nearest to 0 (Kahan and McDonald; Muller, Elementary Functions, 11.1), and of all sizes. */
const angles = [
  ...spread(120, -4, 4),
  ...spread(60, -1, 1).map((v, i) => v * 2 ** -(i * 4)),
  ...spread(100, -1, 1, otherStep).map((v, i) => v * 2 ** (i / 4)),
  ...spread(150, -1, 1).map((v, i) => v * 2 ** (20 + i * 6.7)),
  ...Array.from({ length: 60 }, (_, i) => (i - 30) * (Math.PI / 4)),
  6381956970095103 * 2 ** 797,
  6411027962775774 * 2 ** -48,
  5319372648326541 * 2 ** 255,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  2 ** 20,
  2 ** 20 + 2 ** -32,
  1e22,
  3.141592653589793,
  1.5707963267948966,
];
/** The circular functions have period 2 pi, to as many more places as an angle of 2^1024 needs. */
const places = 1424n;
const widePi = (() => {
  const unit = 1n << (places + 20n);
  const arctan = (n: bigint): bigint => {
    let term = unit / n;
    let sum = term;
    for (let i = 1n; term !== 0n; i++) {
      term = -term / (n * n);
      sum += term / (2n * i + 1n);
    }
    return sum;
  };
  return (4n * (4n * arctan(5n) - arctan(239n))) >> 20n;
})();
/** An angle less as many turns as it has. */
function withinTurn(x: number): bigint {
  if (Math.abs(x) < 4) return fixed(x);
  const e = Math.max(0, Math.floor(Math.log2(Math.abs(x))) - 52);
  const wide = (fixed(times(x, -e)) << BigInt(e)) << (places - PLACES);
  const turn = 2n * widePi;
  return (((wide % turn) + turn) % turn) >> (places - PLACES);
}
/** Of half turns: exact numbers of two. */
const withinTwo = (x: number): bigint => productOf(fixed(x % 2), PI);

const circular = (name: "sin" | "cos" | "tan", of: (angle: bigint) => bigint, ulp: number): RealFunction => ({
  call: `${name}(x)`,
  ulp,
  exact: (x) => (tiny(x) ? plain(name === "cos" ? ONE : 0n) : plain(of(withinTurn(x)))),
  operands: one(angles),
  edges: [
    [0, 1, name === "cos" ? 1 : 0],
    [-0, 1, name === "cos" ? 1 : -0],
    [5e-324, 1, name === "cos" ? 1 : 5e-324],
    [-(2 ** -600), 1, name === "cos" ? 1 : -(2 ** -600)],
    [inf, 1, NaN],
    [-inf, 1, NaN],
    [NaN, 1, NaN],
  ],
});

const turns = [
  ...spread(120, -4, 4),
  ...spread(60, -1, 1).map((v, i) => v * 2 ** -(i * 4)),
  ...spread(40, -1, 1, otherStep).map((v, i) => v * 2 ** i),
];
const half = 0.5;
const circularOfTurns = (
  name: "sin" | "cos" | "tan",
  of: (angle: bigint) => bigint,
  ulp: number,
  edges: RealFunction["edges"],
): RealFunction => ({
  call: `${name}pi(x)`,
  ulp,
  exact: (x) => plain(of(withinTwo(x))),
  operands: one(turns.filter((x) => x % half !== 0)),
  edges: [...edges, [inf, 1, NaN], [NaN, 1, NaN]],
});

export const angleFunctions: readonly RealFunction[] = [
  circular("sin", sinOf, 1),
  circular("cos", cosOf, 1),
  circular("tan", tanOf, 2),
  circularOfTurns("sin", sinOf, 2, [
    [0, 1, 0],
    [-0, 1, -0],
    [1, 1, 0],
    [-3, 1, -0],
    [0.5, 1, 1],
    [1.5, 1, -1],
    [2 ** 60, 1, 0],
  ]),
  circularOfTurns("cos", cosOf, 2, [
    [0, 1, 1],
    [0.5, 1, 0],
    [-1.5, 1, 0],
    [1, 1, -1],
    [2 ** 53 + 2, 1, 1],
  ]),
  circularOfTurns("tan", tanOf, 3, [
    [0, 1, 0],
    [-0, 1, -0],
    [1, 1, -0],
    [-1, 1, 0],
    [2, 1, 0],
    [0.5, 1, inf],
    [-0.5, 1, -inf],
    [1.5, 1, -inf],
  ]),
];

const signs = (xs: readonly number[]): Pair[] => one([...xs, ...xs.map((x) => -x)]);
/** Of all sizes down to 2^-60, where the series has one digit that counts, and up to `top`. */
const sizes = (top: number): number[] => [
  ...spread(80, 0, Math.min(top, 2)),
  ...spread(60, 0.5, 1).map((v, i) => v * 2 ** -i),
  ...spread(80, 0, top, otherStep),
];
/** Odd functions that are x itself near 0. */
const oddEdges = (more: RealFunction["edges"]): RealFunction["edges"] => [
  [0, 1, 0],
  [-0, 1, -0],
  [5e-324, 1, 5e-324],
  [-(2 ** -500), 1, -(2 ** -500)],
  [NaN, 1, NaN],
  ...more,
];
const ends: RealFunction["edges"] = [
  [inf, 1, inf],
  [-inf, 1, -inf],
];
const halved = ({ m, e }: Scaled, n: number): Scaled => ({ m, e: e - n });
const ofExponential = (x: number): Scaled => exponentialOf(fixed(Math.abs(x)));

/** 1 - erf(x) in so many places that what cancels leaves enough: the series has terms up to e^(x^2). */
function erfcOf(x: number): Scaled {
  const wide = 400n + BigInt(Math.ceil(4 * x * x));
  const unit = 1n << wide;
  const at = fixed(x) << (wide - PLACES);
  const square = (at * at) >> wide;
  let term = at;
  let sum = at;
  for (let n = 1n; term !== 0n && term !== -1n; n++) {
    term = -((term * square) >> wide) / n;
    sum += term / (2n * n + 1n);
  }
  const root = integerRoot((widePi >> (places - 1024n)) << (2n * wide - 1024n), 2n);
  const left = unit - (2n * sum * unit) / root;
  const drop = length(left) - 390;
  return { m: drop > 0 ? left >> BigInt(drop) : left << BigInt(-drop), e: drop + 400 - Number(wide) };
}

export const otherFunctions: readonly RealFunction[] = [
  {
    call: "atan2(y, x)",
    ulp: 2,
    exact: (x, y) => plain(atan2Of(fixed(y), fixed(x))),
    operands: [
      ...spread(200, -3, 3).map((x, i): Pair => [x, Math.tan(i)]),
      ...spread(50, -1, 1, otherStep).map((x, i): Pair => [x * 2 ** -i, x * 3 ** -i]),
      [1e10, 1e-3],
      [-1e10, 1e-3],
      [0, 3],
      [-0, -3],
    ],
    edges: [
      [0, 0, 0],
      [0, -0, -0],
      [-0, 0, Math.PI],
      [-0, -0, -Math.PI],
      [-1, 0, Math.PI],
      [-1, -0, -Math.PI],
      [1, -0, -0],
      [0, 5, Math.PI / 2],
      [-0, -5, -Math.PI / 2],
      [-inf, 5, Math.PI],
      [-inf, -5, -Math.PI],
      [inf, -5, -0],
      [5, inf, Math.PI / 2],
      [-5, -inf, -Math.PI / 2],
      [inf, inf, Math.PI / 4],
      [-inf, inf, 2.356194490192345],
      [-inf, -inf, -2.356194490192345],
      [NaN, 1, NaN],
      [1, NaN, NaN],
    ],
  },
  {
    call: "cbrt(x)",
    ulp: 1,
    exact: (x) => signed(exponentialOf(naturalOf(Math.abs(x)) / 3n), x < 0),
    operands: signs([...positive, ...sizes(1000).filter((x) => x > 0)]),
    edges: oddEdges([...ends, [27, 1, 3], [-8, 1, -2], [1e300, 1, 1e100]]).filter(
      ([x]) => Math.abs(x) > 2 ** -400 || x === 0,
    ),
  },
  {
    call: "expm1(x)",
    ulp: 2,
    exact: (x) => (x > 100 ? exponentialOf(fixed(x)) : plain(expOf(fixed(x)) - ONE)),
    operands: [...signs(sizes(40)), ...one(spread(40, 101, 709.7))],
    edges: oddEdges([
      [inf, 1, inf],
      [-inf, 1, -1],
      [710, 1, inf],
      [-1e9, 1, -1],
    ]),
  },
  {
    call: "log1p(x)",
    ulp: 1,
    exact: (x) => plain(logOf(fixed(x) + ONE)),
    operands: [
      ...one([...sizes(100), ...spread(60, 60, 900, otherStep).map((e) => 2 ** e)]),
      ...one(
        sizes(1)
          .map((x) => -x)
          .filter((x) => x > -1),
      ),
    ],
    edges: oddEdges([
      [-1, 1, -inf],
      [-1.5, 1, NaN],
      [-inf, 1, NaN],
      [inf, 1, inf],
    ]),
  },
  {
    call: "sinh(x)",
    ulp: 2,
    exact: (x) => (Math.abs(x) > 100 ? signed(halved(ofExponential(x), 1), x < 0) : plain(sinhOf(fixed(x)))),
    operands: signs([...sizes(40), ...spread(30, 101, 710.4)]),
    edges: oddEdges([...ends, [711, 1, inf], [-711, 1, -inf]]),
  },
  {
    call: "cosh(x)",
    ulp: 2,
    exact: (x) => (Math.abs(x) > 100 ? halved(ofExponential(x), 1) : plain(coshOf(fixed(x)))),
    operands: signs([...sizes(40), ...spread(30, 101, 710.4)]),
    edges: [
      [0, 1, 1],
      [-0, 1, 1],
      [inf, 1, inf],
      [-inf, 1, inf],
      [711, 1, inf],
      [NaN, 1, NaN],
    ],
  },
  {
    call: "tanh(x)",
    ulp: 2,
    exact: (x) => plain(tanhOf(fixed(x))),
    operands: signs(sizes(24)),
    edges: oddEdges([
      [inf, 1, 1],
      [-inf, 1, -1],
      [50, 1, 1],
    ]),
  },
  {
    call: "asinh(x)",
    ulp: 2,
    exact: (x) => plain(asinhOf(fixed(x))),
    operands: signs([...sizes(100), ...spread(40, 7, 190, otherStep).map((e) => 2 ** e)]),
    edges: oddEdges(ends),
  },
  {
    call: "acosh(x)",
    ulp: 2,
    exact: (x) => plain(acoshOf(fixed(x))),
    operands: one([
      ...sizes(100)
        .map((x) => 1 + x)
        .filter((x) => x > 1),
      ...spread(40, 7, 190, otherStep).map((e) => 2 ** e),
    ]),
    edges: [
      [1, 1, 0],
      [inf, 1, inf],
      [0.5, 1, NaN],
      [-3, 1, NaN],
      [-inf, 1, NaN],
      [NaN, 1, NaN],
    ],
  },
  {
    call: "atanh(x)",
    ulp: 2,
    exact: (x) => plain(atanhOf(fixed(x))),
    operands: signs([...sizes(1), ...spread(50, 0.5, 1).map((v, i) => 1 - v * 2 ** -i)].filter((x) => x < 1)),
    edges: oddEdges([
      [1, 1, inf],
      [-1, 1, -inf],
      [1.5, 1, NaN],
      [-inf, 1, NaN],
    ]),
  },
  {
    call: "erf(x)",
    ulp: 2,
    exact: (x) => {
      const { m, e } = erfcOf(Math.abs(x));
      const far = e >= 0 ? m << BigInt(e) : m >> BigInt(-e);
      return plain(x < 0 ? far - ONE : ONE - far);
    },
    operands: signs(sizes(6)),
    edges: oddEdges([
      [inf, 1, 1],
      [-inf, 1, -1],
      [7, 1, 1],
    ]).filter(([x]) => x === 0 || Math.abs(x) > 1 || x !== x),
  },
  {
    call: "erfc(x)",
    ulp: 3,
    exact: erfcOf,
    operands: one([...sizes(6), ...sizes(6).map((x) => -x), ...spread(15, 6, 26.5)]),
    edges: [
      [0, 1, 1],
      [-0, 1, 1],
      [inf, 1, 0],
      [-inf, 1, 2],
      [30, 1, 0],
      [-30, 1, 2],
      [NaN, 1, NaN],
    ],
  },
];
