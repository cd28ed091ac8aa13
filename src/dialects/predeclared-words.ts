/**
 * Names a language declares without the source doing so: constants, and words that builtins take (barrier flags, memory
 * orders and scopes). Words carry the number by which the rows of src/ops know them.
 */
import { roundFloat } from "../types/numeric.js";
import type { ScalarKind } from "../types/types.js";

export interface Word {
  readonly kind: ScalarKind;
  /** A bigint where the kind has 64 bits. */
  readonly value: number | bigint;
  /** False for plain constants, which are no words for builtins. */
  readonly word: boolean;
}

export const word = (value: number): Word => ({ kind: "i32", value, word: true });
export const constant = (kind: ScalarKind, value: number | bigint): Word => ({ kind, value, word: false });
const f32 = (value: number): Word => constant("f32", Math.fround(value));
const f16 = (value: number): Word => constant("f16", roundFloat("f16", value));
const i32 = (value: number): Word => constant("i32", value);
const u32 = (value: number): Word => constant("u32", value);
const orders = { relaxed: 0, consume: 1, acquire: 2, release: 3, acq_rel: 4, seq_cst: 5 };
export const orderWords: readonly (readonly [string, Word])[] = Object.entries(orders).map(([k, v]) => [
  `memory_order_${k}`,
  word(v),
]);

/** Of every format of floats. */
export const numbers: readonly (readonly [string, number])[] = [
  ["M_E", Math.E],
  ["M_LOG2E", Math.LOG2E],
  ["M_LOG10E", Math.LOG10E],
  ["M_LN2", Math.LN2],
  ["M_LN10", Math.LN10],
  ["M_PI", Math.PI],
  ["M_PI_2", Math.PI / 2],
  ["M_PI_4", Math.PI / 4],
  ["M_1_PI", 1 / Math.PI],
  ["M_2_PI", 2 / Math.PI],
  ["M_2_SQRTPI", 2 / Math.sqrt(Math.PI)],
  ["M_SQRT2", Math.SQRT2],
  ["M_SQRT1_2", Math.SQRT1_2],
];

/** What OpenCL C and MSL both have. */
export const limits: readonly (readonly [string, Word])[] = [
  ["INT_MAX", i32(2147483647)],
  ["INT_MIN", i32(-2147483648)],
  ["UINT_MAX", u32(4294967295)],
  ["SHRT_MAX", i32(32767)],
  ["SHRT_MIN", i32(-32768)],
  ["USHRT_MAX", i32(65535)],
  ["CHAR_BIT", i32(8)],
  ["CHAR_MAX", i32(127)],
  ["CHAR_MIN", i32(-128)],
  ["SCHAR_MAX", i32(127)],
  ["SCHAR_MIN", i32(-128)],
  ["UCHAR_MAX", i32(255)],
  ["LONG_MAX", constant("i64", (1n << 63n) - 1n)],
  ["LONG_MIN", constant("i64", -(1n << 63n))],
  ["ULONG_MAX", constant("u64", (1n << 64n) - 1n)],
  ["FLT_MAX", f32(3.4028234663852886e38)],
  ["FLT_MIN", f32(1.1754943508222875e-38)],
  ["FLT_EPSILON", f32(1.1920928955078125e-7)],
  ["MAXFLOAT", f32(3.4028234663852886e38)],
  ["HUGE_VALF", f32(Infinity)],
  ["INFINITY", f32(Infinity)],
  ["NAN", f32(NaN)],
  ["HALF_MAX", f16(65504)],
  ["HALF_MIN", f16(2 ** -14)],
  ["HALF_EPSILON", f16(2 ** -10)],
  ...numbers.flatMap(([name, value]) => [[`${name}_F`, f32(value)] as const, [`${name}_H`, f16(value)] as const]),
  ...["FLT 6 24 2 128 -125 38 -37", "HALF 3 11 2 16 -13 4 -4"].flatMap(formatConstants),
];

/** The constants of a float format: its name, and digits, radix and exponents. */
export function formatConstants(line: string): (readonly [string, Word])[] {
  const [type, ...values] = line.split(" ");
  const names = "DIG MANT_DIG RADIX MAX_EXP MIN_EXP MAX_10_EXP MIN_10_EXP".split(" ");
  return names.map((name, i) => [`${type!}_${name}`, i32(Number(values[i]))] as const);
}

/** Functions that those of the library's headers are written with. */
export interface LibraryInternals {
  /** A name of one; its group is the name of the function that is meant. */
  readonly form: RegExp;
  /** Words that may come last, and what the function's name then begins with. */
  readonly modes: ReadonlyMap<string, string>;
  /** Those that give results through pointers, where the library has references. */
  readonly pointers: ReadonlySet<string>;
}

export interface PredeclaredWords {
  readonly words: ReadonlyMap<string, Word>;
  /** Scopes they may be written in: `mem_flags::mem_device`. */
  readonly scopes?: ReadonlySet<string>;
}
