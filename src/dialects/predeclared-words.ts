/**
 * Names a language declares without the source doing so: constants, and words that builtins take (barrier flags, memory
 * orders and scopes). Words carry the number by which the rows of src/ops know them.
 */
import type { ScalarKind } from "../types/types.js";

export interface Word {
  readonly kind: ScalarKind;
  readonly value: number | bigint;
  /** False for plain constants, which are no words for builtins. */
  readonly word: boolean;
}

export const word = (value: number): Word => ({ kind: "i32", value, word: true });
const f32 = (value: number): Word => ({ kind: "f32", value: Math.fround(value), word: false });
const i32 = (value: number): Word => ({ kind: "i32", value, word: false });
const u32 = (value: number): Word => ({ kind: "u32", value, word: false });
const orders = { relaxed: 0, consume: 1, acquire: 2, release: 3, acq_rel: 4, seq_cst: 5 };
export const orderWords: readonly (readonly [string, Word])[] = Object.entries(orders).map(([k, v]) => [
  `memory_order_${k}`,
  word(v),
]);

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
  ["FLT_MAX", f32(3.4028234663852886e38)],
  ["FLT_MIN", f32(1.1754943508222875e-38)],
  ["FLT_EPSILON", f32(1.1920928955078125e-7)],
  ["MAXFLOAT", f32(3.4028234663852886e38)],
  ["HUGE_VALF", f32(Infinity)],
  ["INFINITY", f32(Infinity)],
  ["NAN", f32(NaN)],
  ["M_E_F", f32(Math.E)],
  ["M_LOG2E_F", f32(Math.LOG2E)],
  ["M_LOG10E_F", f32(Math.LOG10E)],
  ["M_LN2_F", f32(Math.LN2)],
  ["M_LN10_F", f32(Math.LN10)],
  ["M_PI_F", f32(Math.PI)],
  ["M_PI_2_F", f32(Math.PI / 2)],
  ["M_PI_4_F", f32(Math.PI / 4)],
  ["M_1_PI_F", f32(1 / Math.PI)],
  ["M_2_PI_F", f32(2 / Math.PI)],
  ["M_2_SQRTPI_F", f32(2 / Math.sqrt(Math.PI))],
  ["M_SQRT2_F", f32(Math.SQRT2)],
  ["M_SQRT1_2_F", f32(Math.SQRT1_2)],
];

export interface PredeclaredWords {
  readonly words: ReadonlyMap<string, Word>;
  /** Scopes they may be written in: `mem_flags::mem_device`. */
  readonly scopes?: ReadonlySet<string>;
}
