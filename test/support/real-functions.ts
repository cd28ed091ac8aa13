/** All functions of double that GLSL and HLSL get written out, the gamma functions among them. */
import {
  angleFunctions,
  otherFunctions,
  powerFunctions,
  spread,
  type Pair,
  type RealFunction,
} from "./double-reals.js";
import { gammaOf, logGammaOf } from "./exact-gamma.js";
import { ONE } from "./exact-reals.js";

const isPole = (x: number): boolean => x <= 0 && Number.isInteger(x);
const pairs = (xs: readonly number[]): Pair[] => xs.filter((x) => !isPole(x)).map((x): Pair => [x, 1]);
/** Around whole numbers, where products begin and end, down to 2^-50 from them. */
const nearWholes = spread(120, -1, 1).map((v, i) => Math.round(v * 20) + v * 2 ** -(i % 50));
const small = spread(60, -1, 1).map((v, i) => v * 2 ** -(4 * i));
const within = [...nearWholes, ...small, ...spread(120, -20, 20), ...spread(60, 0, 3)];
const inf = Infinity;

/** C99 F.9.5.3 and F.9.5.4; the sign at a pole is not said there. */
export const gammaFunctions: readonly RealFunction[] = [
  {
    call: "tgamma(x)",
    ulp: 2,
    exact: gammaOf,
    operands: pairs([...within, ...spread(60, 20, 171.6), ...spread(80, -177, -20), 171.6243769563]),
    edges: [
      [0, 1, inf],
      [-0, 1, -inf],
      [1, 1, 1],
      [2, 1, 1],
      [6, 1, 120],
      [23, 1, 1124000727777607680000],
      [171.7, 1, inf],
      [5e-324, 1, inf],
      [-5e-324, 1, -inf],
      [-1, 1, NaN],
      [-171, 1, NaN],
      [-(2 ** 60), 1, NaN],
      [-190.5, 1, -0],
      [-191.5, 1, 0],
      [-(2 ** 51) - 0.5, 1, -0],
      [inf, 1, inf],
      [-inf, 1, NaN],
      [NaN, 1, NaN],
    ],
  },
  {
    call: "lgamma(x)",
    ulp: 4,
    exact: (x) => ({ m: logGammaOf(x), e: 0 }),
    // Between negative whole numbers it has zeros, near which the error is absolute.
    operands: pairs([
      ...within,
      ...spread(60, -200, 200),
      ...spread(60, 4, 900).map((e) => 2 ** e),
      ...spread(30, 4, 50).map((e) => -(2 ** e)),
    ]).filter(([x]) => {
      const log = logGammaOf(x);
      return x > -0.5 || log > 5n * ONE || log < -5n * ONE;
    }),
    edges: [
      [0, 1, inf],
      [-0, 1, inf],
      [1, 1, 0],
      [2, 1, 0],
      [-1, 1, inf],
      [-20, 1, inf],
      [-(2 ** 60), 1, inf],
      [2.6e305, 1, inf],
      [inf, 1, inf],
      [-inf, 1, inf],
      [NaN, 1, NaN],
    ],
  },
  {
    call: "(lgamma_r(x, &n), (double)n)",
    ulp: 0,
    exact: (x) => ({ m: x < 0 && Math.abs(Math.floor(x)) % 2 === 1 ? -ONE : ONE, e: 0 }),
    operands: pairs([...within, ...spread(30, 4, 50).map((e) => -(2 ** e)), 2 ** 60, 1e300]),
    edges: [
      [0, 1, 1],
      [-0, 1, -1],
      [inf, 1, 1],
    ],
  },
];

export const realFunctions: readonly RealFunction[] = [
  ...powerFunctions,
  ...angleFunctions,
  ...otherFunctions,
  ...gammaFunctions,
];
