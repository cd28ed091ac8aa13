/**
 * Functions of double that whole numbers decide: sign, significand and exponent taken apart, and results rounded once, by BigInt
 * (IEEE 754 5.3, 5.9; C99 7.12, F.9; OpenCL C 3.0 6.15.2, 7.5.1). Calls are those of OpenCL C on `a`, `b`, `n`.
 */
import { integerRoot } from "./exact-reals.js";

const view = new DataView(new ArrayBuffer(8));
export function bitsOfDouble(x: number): bigint {
  view.setFloat64(0, x);
  return view.getBigUint64(0);
}
export function doubleOfBits(bits: bigint): number {
  view.setBigUint64(0, BigInt.asUintN(64, bits));
  return view.getFloat64(0);
}

/** A finite double: m * 2^e, of which m has no sign. */
interface Parts {
  readonly negative: boolean;
  readonly m: bigint;
  readonly e: number;
}
function partsOf(x: number): Parts {
  const bits = bitsOfDouble(x);
  const field = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & ((1n << 52n) - 1n);
  return {
    negative: bits >> 63n === 1n,
    m: field === 0 ? fraction : fraction | (1n << 52n),
    e: Math.max(field, 1) - 1075,
  };
}
const lengthOf = (m: bigint): number => (m === 0n ? 0 : m.toString(2).length);

/** The double nearest to m * 2^e, ties to even. A value between two doubles may be given by any other in between. */
function rounded(negative: boolean, m: bigint, e: number): number {
  const cut = Math.max(lengthOf(m) - 53, -1074 - e);
  let [whole, exponent] = [m, e];
  if (cut > 0) {
    const rest = m & ((1n << BigInt(cut)) - 1n);
    whole = m >> BigInt(cut);
    exponent = e + cut;
    const half = 1n << BigInt(cut - 1);
    if (rest > half || (rest === half && whole & 1n)) whole++;
  }
  // Subnormal numbers are multiples of 2^-1074; a number of fewer digits is moved up as far as they go.
  const up = Math.min(53 - lengthOf(whole), exponent + 1074);
  if (whole !== 0n && up > 0) [whole, exponent] = [whole << BigInt(up), exponent - up];
  const bits =
    whole === 0n
      ? 0n
      : lengthOf(whole) + exponent > 1024
        ? 0x7ffn << 52n
        : whole < 1n << 52n
          ? whole
          : (BigInt(lengthOf(whole) + exponent + 1022) << 52n) |
            ((lengthOf(whole) === 54 ? whole >> 1n : whole) & ((1n << 52n) - 1n));
  return doubleOfBits(bits | (negative ? 1n << 63n : 0n));
}

type Direction = "down" | "up" | "zero" | "even" | "away";
function whole(x: number, to: Direction): number {
  const { negative, m, e } = partsOf(x);
  if (!Number.isFinite(x) || e >= 0) return x;
  const places = BigInt(-e);
  const [q, rest] = [m >> places, m & ((1n << places) - 1n)];
  const half = 1n << (places - 1n);
  const more = {
    down: negative && rest > 0n,
    up: !negative && rest > 0n,
    zero: false,
    even: rest > half || (rest === half && (q & 1n) === 1n),
    away: rest >= half,
  }[to];
  return rounded(negative, more ? q + 1n : q, 0);
}

/** x less the multiple of y that `to` says, and the multiple's lower seven bits with its sign. */
function divided(x: number, y: number, to: "zero" | "even"): readonly [rest: number, quotient: number] {
  if (!Number.isFinite(x) || y !== y || y === 0) return [NaN, 0];
  if (!Number.isFinite(y) || x === 0) return [x, 0];
  const [a, b] = [partsOf(x), partsOf(y)];
  const e = Math.min(a.e, b.e);
  const [p, q] = [a.m << BigInt(a.e - e), b.m << BigInt(b.e - e)];
  let [times, rest] = [p / q, p % q];
  if (to === "even" && (2n * rest > q || (2n * rest === q && times & 1n))) {
    times++;
    rest -= q;
  }
  const low = Number(times & 127n);
  return [
    rounded(a.negative !== rest < 0n, rest < 0n ? -rest : rest, e),
    a.negative !== b.negative && low !== 0 ? -low : low,
  ];
}

function root(x: number): number {
  if (x === 0 || x !== x || x === Infinity) return x;
  if (x < 0) return NaN;
  const { m, e } = partsOf(x);
  const more = 160 + (e & 1);
  const found = integerRoot(m << BigInt(more), 2n);
  // A digit more where the root goes on.
  const goesOn = found * found !== m << BigInt(more) ? 1n : 0n;
  return rounded(false, 2n * found + goesOn, (e - more) / 2 - 1);
}

function scaled(x: number, n: number): number {
  if (!Number.isFinite(x) || x === 0) return x;
  const { negative, m, e } = partsOf(x);
  // Beyond that nothing changes any more.
  return rounded(negative, m, e + Math.max(-4000, Math.min(n, 4000)));
}

/** The fraction in [0.5, 1) and the exponent. */
function split(x: number): readonly [number, number] {
  if (!Number.isFinite(x) || x === 0) return [x, 0];
  const { negative, m, e } = partsOf(x);
  return [rounded(negative, m, -lengthOf(m)), lengthOf(m) + e];
}

const signed = (x: number, y: number): number =>
  doubleOfBits((bitsOfDouble(x) & ~(1n << 63n)) | (bitsOfDouble(y) & (1n << 63n)));

/** x - floor(x), rounded once, below 1; of a zero and an infinity a zero with the sign of x. */
function fraction(x: number): number {
  if (x !== x) return NaN;
  if (x === 0 || !Number.isFinite(x)) return signed(0, x);
  const { negative, m, e } = partsOf(x);
  if (e >= 0) return 0;
  const one = 1n << BigInt(-e);
  const rest = m % one;
  return Math.min(rounded(false, negative && rest > 0n ? one - rest : rest, e), 1 - 2 ** -53);
}

function next(x: number, y: number): number {
  if (x !== x || y !== y) return NaN;
  if (x === y) return y;
  if (x === 0) return signed(doubleOfBits(1n), y);
  return doubleOfBits(bitsOfDouble(x) + (y > x === x > 0 ? 1n : -1n));
}

function exponent(x: number): number {
  const { m, e } = partsOf(x);
  return lengthOf(m) + e - 1;
}
const truth = (b: boolean): number => (b ? 1 : 0);

export interface DoubleFunction {
  readonly name: string;
  /** Statements before the call. */
  readonly before?: string;
  readonly call: string;
  readonly value: (a: number, b: number, n: number) => number;
  /** Neighbouring doubles that are granted, too. */
  readonly ulp?: number;
}
const unary = (name: string, value: (a: number) => number): DoubleFunction => ({ name, call: `${name}(a)`, value });
const tested = (name: string, value: (a: number) => boolean): DoubleFunction => ({
  name,
  call: `${name}(a) ? 1.0 : 0.0`,
  value: (a) => truth(value(a)),
});

export const doubleFunctions: readonly DoubleFunction[] = [
  unary("floor", (a) => whole(a, "down")),
  unary("ceil", (a) => whole(a, "up")),
  unary("trunc", (a) => whole(a, "zero")),
  unary("rint", (a) => whole(a, "even")),
  unary("round", (a) => whole(a, "away")),
  unary("sqrt", root),
  // Half a unit for the root, and half of the quotient.
  {
    name: "rsqrt",
    call: "rsqrt(a)",
    ulp: 2,
    value: (a) => (a === 0 ? signed(Infinity, a) : 1 / root(a)),
  },
  unary("sign", (a) => (a !== a ? 0 : a === 0 ? a : Math.sign(a))),
  unary("logb", (a) => (a === 0 ? -Infinity : Number.isFinite(a) ? exponent(a) : Math.abs(a))),
  {
    name: "ilogb",
    call: "(double)ilogb(a)",
    value: (a) => (a === 0 ? -2147483648 : Number.isFinite(a) ? exponent(a) : 2147483647),
  },
  tested("isnan", (a) => a !== a),
  tested("isinf", (a) => Math.abs(a) === Infinity),
  tested("isfinite", Number.isFinite),
  tested("isnormal", (a) => Number.isFinite(a) && Math.abs(a) >= 2 ** -1022),
  { name: "copysign", call: "copysign(a, b)", value: signed },
  { name: "fmod", call: "fmod(a, b)", value: (a, b) => divided(a, b, "zero")[0] },
  { name: "remainder", call: "remainder(a, b)", value: (a, b) => divided(a, b, "even")[0] },
  { name: "nextafter", call: "nextafter(a, b)", value: next },
  { name: "fdim", call: "fdim(a, b)", value: (a, b) => (a !== a || b !== b ? NaN : a > b ? a - b : 0) },
  { name: "ldexp", call: "ldexp(a, n)", value: (a, _b, n) => scaled(a, n) },
  { name: "frexp", before: "int q;", call: "frexp(a, &q)", value: (a) => split(a)[0] },
  {
    name: "the exponent of frexp",
    before: "int q; double w = frexp(a, &q);",
    call: "isfinite(w) ? (double)q : 0.0",
    value: (a) => split(a)[1],
  },
  {
    name: "modf",
    before: "double w;",
    call: "modf(a, &w)",
    value: (a) => signed(Number.isFinite(a) ? divided(a, 1, "zero")[0] : a !== a ? a : 0, a),
  },
  { name: "the whole of modf", before: "double w; modf(a, &w);", call: "w", value: (a) => whole(a, "zero") },
  { name: "fract", before: "double w;", call: "fract(a, &w)", value: fraction },
  { name: "remquo", before: "int q;", call: "remquo(a, b, &q)", value: (a, b) => divided(a, b, "even")[0] },
  {
    name: "the quotient of remquo",
    before: "int q; remquo(a, b, &q);",
    // Unspecified where there is none.
    call: "isfinite(a) && isfinite(b) && b != 0.0 ? (double)q : 0.0",
    value: (a, b) => (Number.isFinite(a) && Number.isFinite(b) && b !== 0 ? divided(a, b, "even")[1] : 0),
  },
];

const edges = [
  ...[0, 1, 0.5, 1.5, 2.5, 0.49999999999999994, 0.5000000000000001, 0.9999999999999999, 2, 3, 4, 1 / 3, 100.25],
  ...[2 ** 51 + 0.5, 2 ** 52 - 0.5, 2 ** 52, 2 ** 52 + 1, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 2 ** 64],
  ...[
    5e-324,
    1.5e-323,
    2 ** -1023,
    2 ** -1022,
    2 ** -1022 - 2 ** -1074,
    1e-300,
    1e300,
    Number.MAX_VALUE,
    Infinity,
    NaN,
  ],
].flatMap((x) => [x, -x]);
const counts = [0, 1, -1, 52, -52, 1023, -1022, 1074, -1074, 2098, -2098, 2147483647, -2147483648];

/** So many operands: every edge with edges, then numbers of all exponents and of near ones. Seeded. */
export function doubleOperands(count: number): { a: Float64Array; b: Float64Array; n: Int32Array } {
  let state = 99n;
  const word = (): bigint => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return state >> 11n;
  };
  const any = (): number => doubleOfBits((word() << 32n) ^ word());
  const near = (): number =>
    doubleOfBits((word() & ((1n << 52n) - 1n)) | ((1013n + (word() % 64n)) << 52n) | ((word() & 1n) << 63n));
  const of = (i: number, step: number): number =>
    i < 3 * edges.length ? edges[(i * step) % edges.length]! : i % 2 === 0 ? any() : near();
  return {
    a: Float64Array.from({ length: count }, (_, i) => of(i, 1)),
    b: Float64Array.from({ length: count }, (_, i) => of(i, i < edges.length ? 1 : i < 2 * edges.length ? 7 : 11)),
    n: Int32Array.from({ length: count }, (_, i) => counts[i % counts.length]!),
  };
}

/** Doubles lie in words, since vkd3d-shader makes no valid SPIR-V of buffers of doubles. */
export const doubleKernel = ({ before, call }: DoubleFunction): string => `#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void k(global const uint2 *x, global const uint2 *y, global const int *z, global uint2 *r) {
  uint i = get_global_id(0);
  double a = as_double(x[i]), b = as_double(y[i]);
  int n = z[i];
  ${before ?? ""}
  r[i] = as_uint2(${call});
}
`;

const wordsOf = (x: Float64Array): Uint32Array => new Uint32Array(x.buffer);
export const doubleArguments = ({
  a,
  b,
  n,
}: ReturnType<typeof doubleOperands>): Record<string, Uint32Array | Int32Array> => ({
  x: wordsOf(a),
  y: wordsOf(b),
  z: n,
  r: new Uint32Array(2 * a.length),
});

const isSubnormal = (x: number): boolean => x !== 0 && Math.abs(x) < 2 ** -1022;

/** What is not as it has to be, NaN being any. `flushed`: subnormal numbers may be taken for zeros, and are not asked for. */
export function wrongDoubles(
  f: DoubleFunction,
  words: Uint32Array,
  of: ReturnType<typeof doubleOperands>,
  { flushed = false } = {},
): string[] {
  return [...of.a].flatMap((_, i) => {
    const g = doubleOfBits((BigInt(words[2 * i + 1]!) << 32n) | BigInt(words[2 * i]!));
    const [a, b, n] = [of.a[i]!, of.b[i]!, of.n[i]!];
    const w = f.value(a, b, n);
    if (flushed && [a, b, w].some(isSubnormal)) return [];
    if (g !== g || w !== w ? g !== g && w !== w : Object.is(g, w)) return [];
    const apart = bitsOfDouble(g) - bitsOfDouble(w);
    if (f.ulp && apart <= f.ulp && apart >= -f.ulp) return [];
    return [`${f.name} of ${a}, ${b}, ${n}: ${Object.is(g, -0) ? "-0" : g}, not ${Object.is(w, -0) ? "-0" : w}`];
  });
}
