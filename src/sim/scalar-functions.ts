/**
 * Float machine ops of generated code, `<scalar>_<name>` as `ops/machine-ops.ts` defines them; the integer ones come
 * along from `integer-functions.ts`, those that need more than arithmetic from `transcendental.ts`. Values are numbers
 * that are exactly representable in their type. NaN results are written as the constant `NaN`: the sign an operation of
 * the processor gives its NaN differs between machines.
 */
import { f64_gamma_sign, f64_lgamma, f64_tgamma } from "./gamma.js";
import { exponentOf, fmaF16, fmaF32, nextAfterF16, nextF32, roundF16 } from "../types/numeric.js";
import { powerOf } from "./powers.js";
import * as of from "./transcendental.js";

export * from "./double-functions.js";
export * from "./gamma.js";
export * from "./integer-functions.js";

const { abs, ceil, floor, fround, sqrt, trunc } = Math;

// ------------------------------------------------------------------ transcendental functions

export const f32_sin = (x: number): number => fround(of.sin(x));
export const f16_sin = (x: number): number => roundF16(of.sin(x));
export const f32_cos = (x: number): number => fround(of.cos(x));
export const f16_cos = (x: number): number => roundF16(of.cos(x));
export const f32_tan = (x: number): number => fround(of.tan(x));
export const f16_tan = (x: number): number => roundF16(of.tan(x));
export const f32_asin = (x: number): number => fround(of.asin(x));
export const f16_asin = (x: number): number => roundF16(of.asin(x));
export const f32_acos = (x: number): number => fround(of.acos(x));
export const f16_acos = (x: number): number => roundF16(of.acos(x));
export const f32_atan = (x: number): number => fround(of.atan(x));
export const f16_atan = (x: number): number => roundF16(of.atan(x));
export const f32_sinh = (x: number): number => fround(of.sinh(x));
export const f16_sinh = (x: number): number => roundF16(of.sinh(x));
export const f32_cosh = (x: number): number => fround(of.cosh(x));
export const f16_cosh = (x: number): number => roundF16(of.cosh(x));
export const f32_tanh = (x: number): number => fround(of.tanh(x));
export const f16_tanh = (x: number): number => roundF16(of.tanh(x));
export const f32_asinh = (x: number): number => fround(of.asinh(x));
export const f16_asinh = (x: number): number => roundF16(of.asinh(x));
export const f32_acosh = (x: number): number => fround(of.acosh(x));
export const f16_acosh = (x: number): number => roundF16(of.acosh(x));
export const f32_atanh = (x: number): number => fround(of.atanh(x));
export const f16_atanh = (x: number): number => roundF16(of.atanh(x));
export const f32_sinpi = (x: number): number => fround(of.sinpi(x));
export const f16_sinpi = (x: number): number => roundF16(of.sinpi(x));
export const f32_cospi = (x: number): number => fround(of.cospi(x));
export const f16_cospi = (x: number): number => roundF16(of.cospi(x));
export const f32_tanpi = (x: number): number => fround(of.tanpi(x));
export const f16_tanpi = (x: number): number => roundF16(of.tanpi(x));
export const f32_exp = (x: number): number => fround(of.exp(x));
export const f16_exp = (x: number): number => roundF16(of.exp(x));
export const f32_exp2 = (x: number): number => fround(of.exp2(x));
export const f16_exp2 = (x: number): number => roundF16(of.exp2(x));
export const f32_exp10 = (x: number): number => fround(of.exp10(x));
export const f16_exp10 = (x: number): number => roundF16(of.exp10(x));
export const f32_expm1 = (x: number): number => fround(of.expm1(x));
export const f16_expm1 = (x: number): number => roundF16(of.expm1(x));
export const f32_erf = (x: number): number => fround(of.erf(x));
export const f16_erf = (x: number): number => roundF16(of.erf(x));
export const f32_erfc = (x: number): number => fround(of.erfc(x));
export const f16_erfc = (x: number): number => roundF16(of.erfc(x));
export const f32_tgamma = (x: number): number => fround(f64_tgamma(x));
export const f16_tgamma = (x: number): number => roundF16(f64_tgamma(x));
export const f32_lgamma = (x: number): number => fround(f64_lgamma(x));
export const f16_lgamma = (x: number): number => roundF16(f64_lgamma(x));
export const f32_gamma_sign = f64_gamma_sign;
export const f16_gamma_sign = f64_gamma_sign;
export const f32_log = (x: number): number => fround(of.log(x));
export const f16_log = (x: number): number => roundF16(of.log(x));
export const f32_log2 = (x: number): number => fround(of.log2(x));
export const f16_log2 = (x: number): number => roundF16(of.log2(x));
export const f32_log10 = (x: number): number => fround(of.log10(x));
export const f16_log10 = (x: number): number => roundF16(of.log10(x));
export const f32_log1p = (x: number): number => fround(of.log1p(x));
export const f16_log1p = (x: number): number => roundF16(of.log1p(x));
export const f32_rsqrt = (x: number): number => fround(of.rsqrt(x));
export const f16_rsqrt = (x: number): number => roundF16(of.rsqrt(x));
export const f32_cbrt = (x: number): number => fround(of.cbrt(x));
export const f16_cbrt = (x: number): number => roundF16(of.cbrt(x));
export const f32_atan2 = (y: number, x: number): number => fround(of.atan2(y, x));
export const f16_atan2 = (y: number, x: number): number => roundF16(of.atan2(y, x));
export const f32_hypot = (x: number, y: number): number => fround(of.hypot(x, y));
export const f16_hypot = (x: number, y: number): number => roundF16(of.hypot(x, y));
export const f32_pow = (x: number, y: number): number => of.pow(x, y, fround);
export const f16_pow = (x: number, y: number): number => of.pow(x, y, roundF16);

// ------------------------------------------------------------------ root, magnitude, rounding to integers

export const f32_sqrt = (x: number): number => (x >= 0 ? fround(sqrt(x)) : NaN);
export const f16_sqrt = (x: number): number => (x >= 0 ? roundF16(sqrt(x)) : NaN);

const magnitude = (x: number): number => (x === x ? abs(x) : NaN);
export const f32_abs = magnitude;
export const f16_abs = magnitude;

const roundDown = (x: number): number => (x === x ? floor(x) : NaN);
export const f32_floor = roundDown;
export const f16_floor = roundDown;
const roundUp = (x: number): number => (x === x ? ceil(x) : NaN);
export const f32_ceil = roundUp;
export const f16_ceil = roundUp;
const truncated = (x: number): number => (x === x ? trunc(x) : NaN);
export const f32_trunc = truncated;
export const f16_trunc = truncated;

/** From here on a double has no bits below one. */
const WHOLE = 2 ** 52;

const roundEven = (x: number): number => {
  const a = abs(x);
  if (!(a < WHOLE)) return x === x ? x : NaN;
  if (a === 0) return x;
  const r = a + WHOLE - WHOLE;
  return x < 0 ? -r : r;
};
export const f32_round_even = roundEven;
export const f16_round_even = roundEven;

// The sum with one half is exact for f32 below 2^23, above which all f32 are integers.
const roundAway = (x: number): number => {
  const a = abs(x);
  if (!(a < 0x800000)) return x === x ? x : NaN;
  if (a === 0) return x;
  const r = floor(a + 0.5);
  return x < 0 ? -r : r;
};
export const f32_round_away = roundAway;
export const f16_round_away = roundAway;

export const f32_fract = (x: number): number => {
  const r = fround(x - floor(x));
  return r < 1 ? r : r === 1 ? 1 - 2 ** -24 : NaN;
};
export const f16_fract = (x: number): number => {
  const r = roundF16(x - floor(x));
  return r < 1 ? r : r === 1 ? 1 - 2 ** -11 : NaN;
};

/** Result of `modf`: what is left of the integral part, with the sign of x. */
const fractionOf = (x: number): number => {
  if (x === 0) return x;
  if (abs(x) === Infinity) return x > 0 ? 0 : -0;
  const r = x - trunc(x);
  return r === 0 ? (x < 0 ? -0 : 0) : r === r ? r : NaN;
};
export const f32_modf_fraction = fractionOf;
export const f16_modf_fraction = fractionOf;

// ------------------------------------------------------------------ quotients

// The remainder of two f32 (f16) is an f32 (f16), and that of doubles is exact.
const fmod = (x: number, y: number): number => {
  const r = x % y;
  return r === r ? r : NaN;
};
export const f32_fmod = fmod;
export const f16_fmod = fmod;

const remainder = (x: number, y: number): number => {
  const b = abs(y);
  // Taken modulo twice the divisor, so that what is left tells whether the quotient is odd.
  let r = abs(x) % (b + b);
  if (!(b > 0) || r !== r) return NaN;
  if (r + r > b) {
    r -= b;
    if (r + r >= b) r -= b;
  }
  if (r === 0) return x < 0 || Object.is(x, -0) ? -0 : 0;
  return x < 0 ? -r : r;
};
export const f32_remainder = remainder;
export const f16_remainder = remainder;

// ------------------------------------------------------------------ scaling, fused multiply-add

export const f32_fma = (x: number, y: number, z: number): number => {
  const r = fmaF32(x, y, z);
  return r === r ? r : NaN;
};
export const f16_fma = (x: number, y: number, z: number): number => {
  const r = fmaF16(x, y, z);
  return r === r ? r : NaN;
};

export const f32_ldexp = (x: number, n: number): number => (x === x ? fround(x * powerOf(n)) : NaN);
export const f16_ldexp = (x: number, n: number): number => (x === x ? roundF16(x * powerOf(n)) : NaN);

/** Of a nonzero finite double: x = m * 2^e with m in [0.5, 1). No f32 or f16 is a subnormal double. */
const frexpExponentOf = (x: number): number => exponentOf(x) + 1;

const finiteNonzero = (x: number): boolean => x !== 0 && abs(x) < Infinity;

/** The lower seven bits of the quotient nearest x / y, with its sign; 0 where the remainder is none (OpenCL C 3.0 7.5.1). */
const remquoBits = (x: number, y: number): number => {
  const [a, b] = [abs(x), abs(y)];
  if (!(a < Infinity) || !(b > 0) || b === Infinity) return 0;
  // Exact, and where 128 b is beyond the range a is below it.
  const few = a % (128 * b);
  const floored = floor((few - (few % b)) / b + 0.5);
  const rest = few % b;
  const up = rest > b - rest || (rest === b - rest && floored % 2 === 1);
  const bits = (floored + (up ? 1 : 0)) & 127;
  return bits === 0 ? 0 : x < 0 !== y < 0 ? -bits : bits;
};
export const f64_remquo_bits = remquoBits;
export const f32_remquo_bits = remquoBits;
export const f16_remquo_bits = remquoBits;

/** Fraction of `frexp`, in [0.5, 1) or 0; of infinity and NaN itself. */
const frexpFraction = (x: number): number => {
  if (!finiteNonzero(x)) return x === x ? x : NaN;
  return x * powerOf(-frexpExponentOf(x));
};
export const f32_frexp_fraction = frexpFraction;
export const f16_frexp_fraction = frexpFraction;

/** Exponent of `frexp`; 0 for 0, infinity and NaN. */
const frexpExponent = (x: number): number => (finiteNonzero(x) ? frexpExponentOf(x) : 0);
export const f32_frexp_exponent = frexpExponent;
export const f16_frexp_exponent = frexpExponent;

// ------------------------------------------------------------------ order and signs

const least = (x: number, y: number): number => (y < x ? y : x === x ? x : NaN);
export const f32_min = least;
export const f16_min = least;
const greatest = (x: number, y: number): number => (x < y ? y : x === x ? x : NaN);
export const f32_max = greatest;
export const f16_max = greatest;

const fmin = (x: number, y: number): number => {
  if (x !== x) return y === y ? y : NaN;
  return y < x ? y : x;
};
export const f32_fmin = fmin;
export const f16_fmin = fmin;
const fmax = (x: number, y: number): number => {
  if (x !== x) return y === y ? y : NaN;
  return x < y ? y : x;
};
export const f32_fmax = fmax;
export const f16_fmax = fmax;

const sign = (x: number): number => (x > 0 ? 1 : x < 0 ? -1 : x === 0 ? x : 0);
export const f32_sign = sign;
export const f16_sign = sign;

const signbit = (x: number): boolean => x < 0 || Object.is(x, -0);
export const f32_signbit = signbit;
export const f16_signbit = signbit;

const copysign = (x: number, y: number): number => {
  if (x !== x) return NaN;
  return signbit(y) ? -abs(x) : abs(x);
};
export const f32_copysign = copysign;
export const f16_copysign = copysign;

export const f32_nextafter = nextF32;
export const f16_nextafter = nextAfterF16;

const isnan = (x: number): boolean => x !== x;
export const f32_isnan = isnan;
export const f16_isnan = isnan;
const isinf = (x: number): boolean => abs(x) === Infinity;
export const f32_isinf = isinf;
export const f16_isinf = isinf;
const isfinite = (x: number): boolean => abs(x) < Infinity;
export const f32_isfinite = isfinite;
export const f16_isfinite = isfinite;
export const f32_isnormal = (x: number): boolean => abs(x) >= 2 ** -126 && abs(x) < Infinity;
export const f16_isnormal = (x: number): boolean => abs(x) >= 2 ** -14 && abs(x) < Infinity;
