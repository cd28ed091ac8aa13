/**
 * How far results of functions may lie from the exact ones; a function that is not listed is exact or correctly rounded.
 * Sources: OpenCL C 3.0 unified specification, table of relative errors of the full profile (7.4); MSL 3.1 8 without fast
 * math; Vulkan 1.3, Precision and Operation of SPIR-V Instructions; Direct3D 11.3 functional specification 22.10 for
 * division, roots, exponentials, logarithms, sine and cosine. Of its other functions it states no figures: they are taken
 * to be as Vulkan's.
 */
import type { OpId } from "../ast/nodes.js";
import type { Dialect } from "../dialects/ids.js";
import type { ScalarKind } from "../types/types.js";
import { row } from "./table.js";

/** Arithmetic of any kind of value: of intervals (sim/granted.ts) and of trees (passes/values/open-arithmetic.ts). */
export interface Algebra<T> {
  number(x: number): T;
  add(x: T, y: T): T;
  sub(x: T, y: T): T;
  mul(x: T, y: T): T;
  /** One of the functions of the table. */
  f(name: string, ...args: T[]): T;
}

/** As good as the formula that stands for the function, with the accuracy of its parts. */
export type Formula = <T>(a: Algebra<T>, ...args: T[]) => T;

export type Accuracy =
  /** Units in the last place of the result, and as many more for each unit of the operand's magnitude. */
  | { readonly kind: "ulp"; readonly ulp: number; readonly growing: number }
  | { readonly kind: "absolute"; readonly error: number }
  | { readonly kind: "anything" }
  | { readonly kind: "inherited"; readonly formula: Formula }
  /** By where an operand's magnitude lies; a zero and an infinity are inside. */
  | {
      readonly kind: "within";
      readonly operand: number;
      readonly low: number;
      readonly high: number;
      readonly inside: Accuracy;
      readonly outside: Accuracy;
    };

const ulp = (n: number, growing = 0): Accuracy => ({ kind: "ulp", ulp: n, growing });
const absolute = (error: number): Accuracy => ({ kind: "absolute", error });
const anything: Accuracy = { kind: "anything" };
const inherited = (formula: Formula): Accuracy => ({ kind: "inherited", formula });
const within = (operand: number, low: number, high: number, inside: Accuracy, outside: Accuracy): Accuracy => ({
  kind: "within",
  operand,
  low,
  high,
  inside,
  outside,
});
type Table = Readonly<Record<string, Accuracy>>;
const inUlps = (table: Readonly<Record<string, number>>): Table =>
  Object.fromEntries(Object.entries(table).map(([name, n]) => [name, ulp(n)]));

/** Undefined there. Taken to be as good as they are found to be, near the zeros too, but for those of negative operands. */
const logGamma = within(0, 0, 10, absolute(2 ** -17), ulp(16));

const opencl: Table = {
  lgamma: logGamma,
  lgamma_r: logGamma,
  ...inUlps({
    acos: 4,
    acosh: 4,
    acospi: 5,
    asin: 4,
    asinh: 4,
    asinpi: 5,
    atan: 5,
    atan2: 6,
    atanh: 5,
    atanpi: 5,
    atan2pi: 6,
    cbrt: 2,
    cos: 4,
    cosh: 4,
    cospi: 4,
    erf: 16,
    erfc: 16,
    exp: 3,
    exp2: 3,
    exp10: 3,
    expm1: 3,
    hypot: 4,
    // 2.75 + 0.5 n, 2.5 + 2 n and 2 + n of n components.
    length: 4.75,
    distance: 10.5,
    normalize: 6,
    log: 3,
    log2: 3,
    log10: 3,
    log1p: 2,
    pow: 16,
    pown: 16,
    powr: 16,
    rootn: 16,
    rsqrt: 2,
    sin: 4,
    sinh: 4,
    sinpi: 4,
    sqrt: 3,
    tan: 5,
    tanh: 5,
    tanpi: 6,
    tgamma: 16,
    degrees: 2,
    radians: 2,
    divide: 2.5,
    reciprocal: 2.5,
  }),
};

const msl: Table = inUlps({
  acos: 4,
  acosh: 4,
  asin: 4,
  asinh: 4,
  atan: 5,
  atan2: 6,
  atanh: 5,
  cos: 4,
  cosh: 4,
  cospi: 4,
  exp: 4,
  exp2: 4,
  exp10: 4,
  length: 4,
  distance: 4,
  normalize: 4,
  log: 4,
  log2: 4,
  log10: 4,
  pow: 16,
  powr: 16,
  rsqrt: 2,
  sin: 4,
  sinh: 4,
  sinpi: 4,
  sqrt: 1,
  tan: 6,
  tanh: 5,
  tanpi: 6,
  divide: 2.5,
  reciprocal: 2.5,
});

const squareLess: Formula = (a, x) => a.f("sqrt", a.sub(a.number(1), a.mul(x, x)));
/** What is made of other functions, in Vulkan and in DXC's library. */
const power = inherited((a, x, y) => a.f("exp2", a.mul(y, a.f("log2", x))));

const ofFormulas: Table = {
  pow: power,
  powr: power,
  tan: inherited((a, x) => a.f("divide", a.f("sin", x), a.f("cos", x))),
  asin: inherited((a, x) => a.f("atan2", x, squareLess(a, x))),
  acos: inherited((a, x) => a.f("atan2", squareLess(a, x), x)),
  sinh: inherited((a, x) => a.mul(a.sub(a.f("exp", x), a.f("exp", a.sub(a.number(0), x))), a.number(0.5))),
  cosh: inherited((a, x) => a.mul(a.add(a.f("exp", x), a.f("exp", a.sub(a.number(0), x))), a.number(0.5))),
  tanh: inherited((a, x) => a.f("divide", a.f("sinh", x), a.f("cosh", x))),
  asinh: inherited((a, x) => a.f("log", a.add(x, a.f("sqrt", a.add(a.mul(x, x), a.number(1)))))),
  acosh: inherited((a, x) => a.f("log", a.add(x, a.f("sqrt", a.sub(a.mul(x, x), a.number(1)))))),
  atanh: inherited((a, x) =>
    a.mul(a.f("log", a.f("divide", a.add(a.number(1), x), a.sub(a.number(1), x))), a.number(0.5)),
  ),
  reciprocal: inherited((a, x) => a.f("divide", a.number(1), x)),
  degrees: ulp(2),
  radians: ulp(2),
};

/** Of 16 bits where they differ: `half`. */
const vulkan = (half: boolean): Table => {
  const exponential = half ? ulp(1, 2) : ulp(3, 2);
  const logarithm = within(0, 0.5, 2, absolute(half ? 2 ** -7 : 2 ** -21), ulp(3));
  const angle = within(0, 0, Math.PI, absolute(half ? 2 ** -7 : 2 ** -11), anything);
  const arc = ulp(half ? 5 : 4096);
  return {
    ...ofFormulas,
    divide: within(1, half ? 2 ** -14 : 2 ** -126, half ? 2 ** 14 : 2 ** 126, ulp(2.5), anything),
    exp: exponential,
    exp2: exponential,
    log: logarithm,
    log2: logarithm,
    rsqrt: ulp(2),
    sqrt: inherited((a, x) => a.f("divide", a.number(1), a.f("rsqrt", x))),
    sin: angle,
    cos: angle,
    atan: arc,
    atan2: arc,
    length: ulp(8),
    distance: ulp(8),
    normalize: ulp(8),
  };
};

const direct3d = (half: boolean): Table => ({
  ...ofFormulas,
  divide: ulp(1),
  reciprocal: ulp(1),
  sqrt: ulp(1),
  rsqrt: ulp(1),
  // 2^-21 relative.
  exp2: ulp(4),
  exp: inherited((a, x) => a.f("exp2", a.mul(x, a.number(Math.LOG2E)))),
  log2: within(0, 0.5, 2, absolute(2 ** -21), ulp(4)),
  log: inherited((a, x) => a.mul(a.f("log2", x), a.number(Math.LN2))),
  log10: inherited((a, x) => a.mul(a.f("log2", x), a.number(Math.log10(2)))),
  sin: within(0, 0, 100 * Math.PI, absolute(0.0008), anything),
  cos: within(0, 0, 100 * Math.PI, absolute(0.0008), anything),
  atan: ulp(half ? 5 : 4096),
  atan2: ulp(half ? 5 : 4096),
  length: ulp(8),
  distance: ulp(8),
  normalize: ulp(8),
});

interface Grant {
  readonly f32: Table;
  /** Where half differs. */
  readonly f16?: Table;
  /** Nothing is said of results that are no numbers (Vulkan); else they are IEEE 754's. */
  readonly specialsOpen?: true;
  /** The one function for a product and a sum rounds once or twice (SPIR-V's Fma, HLSL's mad), and fract reaches 1 or not. */
  readonly fusionOpen?: true;
}

const grants: { readonly [D in Dialect]: Grant } = {
  opencl: { f32: opencl },
  msl: { f32: msl },
  glsl: { f32: vulkan(false), f16: vulkan(true), specialsOpen: true, fusionOpen: true },
  hlsl: { f32: direct3d(false), f16: direct3d(true), fusionOpen: true },
};

export const leavesOpen = (dialect: Dialect, what: "specialsOpen" | "fusionOpen"): boolean =>
  grants[dialect][what] ?? false;

/** Of a function by its short name: `exp2`, `divide`. */
export function accuracyOfFunction(name: string, dialect: Dialect, kind: ScalarKind): Accuracy | undefined {
  const { f32, f16 } = grants[dialect];
  const table = kind === "f16" ? (f16 ?? f32) : f32;
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

export function accuracyOf(op: OpId, dialect: Dialect, kind: ScalarKind): Accuracy | undefined {
  const { family, variant } = row(op);
  return family === "math" || family === "geometry"
    ? accuracyOfFunction((variant?.of ?? op).slice(family.length + 1), dialect, kind)
    : undefined;
}
