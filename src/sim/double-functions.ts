/**
 * Machine ops on doubles, `f64_<name>` as `ops/machine-ops.ts` defines them. What IEEE 754 rounds once is rounded once here;
 * functions such as sine are as good as the formulas in `transcendental.ts`, a few units in the last place.
 */
import { f64Bits, f64FromBits } from "../types/numeric.js";
import * as of from "./transcendental.js";

const { abs, ceil, floor, sqrt, trunc } = Math;
const plain = (x: number): number => x;
const number = (x: number): number => (x === x ? x : NaN);

export const f64_sin = of.sin;
export const f64_cos = of.cos;
export const f64_tan = of.tan;
export const f64_asin = of.asin;
export const f64_acos = of.acos;
export const f64_atan = of.atan;
export const f64_sinh = of.sinh;
export const f64_cosh = of.cosh;
export const f64_tanh = of.tanh;
export const f64_asinh = of.asinh;
export const f64_acosh = of.acosh;
export const f64_atanh = of.atanh;
export const f64_sinpi = of.sinpi;
export const f64_cospi = of.cospi;
export const f64_tanpi = of.tanpi;
export const f64_exp = of.exp;
export const f64_exp2 = of.exp2;
export const f64_exp10 = of.exp10;
export const f64_expm1 = of.expm1;
export const f64_log = of.log;
export const f64_log2 = of.log2;
export const f64_log10 = of.log10;
export const f64_log1p = of.log1p;
export const f64_rsqrt = of.rsqrt;
export const f64_cbrt = of.cbrt;
export const f64_atan2 = of.atan2;
export const f64_hypot = of.hypot;
export const f64_pow = (x: number, y: number): number => of.pow(x, y, plain);

export const f64_sqrt = (x: number): number => (x >= 0 ? sqrt(x) : NaN);
export const f64_abs = (x: number): number => number(abs(x));
export const f64_floor = (x: number): number => number(floor(x));
export const f64_ceil = (x: number): number => number(ceil(x));
export const f64_trunc = (x: number): number => number(trunc(x));

/** From here on a double has no bits below one. */
const WHOLE = 2 ** 52;
export const f64_round_even = (x: number): number => {
  const a = abs(x);
  if (!(a < WHOLE) || a === 0) return number(x);
  const r = a + WHOLE - WHOLE;
  return x < 0 ? -r : r;
};
export const f64_round_away = (x: number): number => {
  const a = abs(x);
  if (!(a < WHOLE) || a === 0) return number(x);
  const whole = floor(a);
  const r = a - whole >= 0.5 ? whole + 1 : whole;
  return x < 0 ? -r : r;
};
export const f64_fract = (x: number): number => {
  if (abs(x) === Infinity) return 0;
  const r = x - floor(x);
  return r < 1 ? r : r === 1 ? 1 - 2 ** -53 : NaN;
};
export const f64_modf_fraction = (x: number): number => {
  if (x === 0) return x;
  if (abs(x) === Infinity) return x > 0 ? 0 : -0;
  const r = x - trunc(x);
  return r === 0 ? (x < 0 ? -0 : 0) : number(r);
};

export const f64_fmod = (x: number, y: number): number => number(x % y);
export const f64_remainder = (x: number, y: number): number => {
  const b = abs(y);
  let r = abs(x);
  if (!(b > 0) || !(r < Infinity)) return NaN;
  // Taken modulo twice the divisor, so that what is left tells whether the quotient is odd.
  if (b <= 2 ** 1022) r %= b + b;
  const above = b >= 2 ** -1021 ? r > b / 2 : r + r > b;
  if (above) {
    r -= b;
    if (b >= 2 ** -1021 ? r >= b / 2 : r + r >= b) r -= b;
  }
  if (r === 0) return x < 0 || Object.is(x, -0) ? -0 : 0;
  return x < 0 ? -r : r;
};

/** A finite double as `mantissa * 2^exponent` in whole numbers. */
function parts(x: number): readonly [bigint, number] {
  const bits = f64Bits(x);
  const field = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = field === 0 ? fraction : fraction | (1n << 52n);
  return [bits >> 63n ? -magnitude : magnitude, (field === 0 ? 1 : field) - 1075];
}

/** `value * 2^exponent` rounded once, to nearest even. */
function rounded(value: bigint, exponent: number): number {
  const negative = value < 0n;
  let m = negative ? -value : value;
  if (m === 0n) return 0;
  // Whole units of the last place of the result: 53 bits, fewer below the least normal number.
  const drop = Math.max(m.toString(2).length - 53, -1074 - exponent);
  let e = exponent;
  if (drop > 0) {
    const cut = BigInt(drop);
    const rest = m & ((1n << cut) - 1n);
    const half = 1n << (cut - 1n);
    m >>= cut;
    if (rest > half || (rest === half && m & 1n)) m++;
    e += drop;
  }
  if (m === 0n) return negative ? -0 : 0;
  const length = m.toString(2).length;
  if (e + length > 1024) return negative ? -Infinity : Infinity;
  // Two exact steps: the first power alone may be out of range.
  const step = Math.max(-1000, Math.min(900, e));
  const r = Number(m) * 2 ** step * 2 ** (e - step);
  return negative ? -r : r;
}

export const f64_fma = (x: number, y: number, z: number): number => {
  if (!(abs(x) < Infinity && abs(y) < Infinity && abs(z) < Infinity) || x === 0 || y === 0) return number(x * y + z);
  const [a, i] = parts(x);
  const [b, j] = parts(y);
  const [c, k] = parts(z);
  const least = Math.min(i + j, z === 0 ? i + j : k);
  const sum = (a * b << BigInt(i + j - least)) + (z === 0 ? 0n : c << BigInt(k - least));
  // An exact zero of opposite terms is +0.
  return sum === 0n ? 0 : rounded(sum, least);
};
export const f64_ldexp = (x: number, n: number): number => {
  if (!(abs(x) < Infinity) || x === 0) return number(x);
  const [m, e] = parts(x);
  return rounded(m, e + Math.max(-5000, Math.min(5000, n)));
};

const exponentOf = (x: number): number => {
  const [m, e] = parts(x);
  return (m < 0n ? -m : m).toString(2).length + e;
};
const finiteNonzero = (x: number): boolean => x !== 0 && abs(x) < Infinity;
export const f64_frexp_exponent = (x: number): number => (finiteNonzero(x) ? exponentOf(x) : 0);
export const f64_frexp_fraction = (x: number): number => (finiteNonzero(x) ? f64_ldexp(x, -exponentOf(x)) : number(x));

export const f64_min = (x: number, y: number): number => (y < x ? y : number(x));
export const f64_max = (x: number, y: number): number => (x < y ? y : number(x));
export const f64_fmin = (x: number, y: number): number => (x !== x ? number(y) : y < x ? y : x);
export const f64_fmax = (x: number, y: number): number => (x !== x ? number(y) : x < y ? y : x);
export const f64_sign = (x: number): number => (x > 0 ? 1 : x < 0 ? -1 : x === 0 ? x : 0);
export const f64_signbit = (x: number): boolean => x < 0 || Object.is(x, -0);
export const f64_copysign = (x: number, y: number): number => (x !== x ? NaN : f64_signbit(y) ? -abs(x) : abs(x));
export const f64_nextafter = (x: number, toward: number): number => {
  if (x !== x || toward !== toward) return NaN;
  if (x === toward) return toward;
  if (x === 0) return toward > 0 ? 2 ** -1074 : -(2 ** -1074);
  const bits = f64Bits(x);
  return f64FromBits(x > 0 === toward > x ? bits + 1n : bits - 1n);
};
export const f64_isnan = (x: number): boolean => x !== x;
export const f64_isinf = (x: number): boolean => abs(x) === Infinity;
export const f64_isfinite = (x: number): boolean => abs(x) < Infinity;
export const f64_isnormal = (x: number): boolean => abs(x) >= 2 ** -1022 && abs(x) < Infinity;
