/**
 * Machine ops on doubles, `f64_<name>` as `ops/machine-ops.ts` defines them. What IEEE 754 rounds once is rounded once here;
 * functions such as sine are as good as the formulas in `transcendental.ts`, a few units in the last place. Those are made
 * for the range of f32: arguments and results beyond it are brought there by powers of two.
 */
import { once } from "../support/once.js";
import { exponentOf as normalExponentOf, f64Bits, neighbourOf, powerOfTwo } from "../types/numeric.js";
import * as of from "./transcendental.js";

const { abs, ceil, floor, sqrt, trunc } = Math;
const number = (x: number): number => (x === x ? x : NaN);

export const f64_asin = of.asin;
export const f64_acos = of.acos;
export const f64_atan = of.atan;
export const f64_tanh = of.tanh;
export const f64_atanh = of.atanh;
export const f64_rsqrt = of.rsqrt;
export const f64_atan2 = of.atan2;

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
  const sum = ((a * b) << BigInt(i + j - least)) + (z === 0 ? 0n : c << BigInt(k - least));
  // An exact zero of opposite terms is +0.
  return sum === 0n ? 0 : rounded(sum, least);
};
/** In up to three steps, the last of which rounds: downward, what one before it loses is below half of the least number. */
export const f64_ldexp = (x: number, n: number): number => {
  if (!(abs(x) < Infinity) || x === 0) return number(x);
  let y = x;
  let k = n;
  for (let i = 0; i < 2 && k > 1023; i++) {
    y *= 2 ** 1023;
    k -= 1023;
  }
  for (let i = 0; i < 2 && k < -1022; i++) {
    y *= 2 ** -969;
    k += 969;
  }
  return y * powerOfTwo(Math.max(-1022, Math.min(1023, k)));
};

/** x = m * 2^e with m in [0.5, 1). */
const exponentOf = (x: number): number =>
  abs(x) < 2 ** -1022 ? normalExponentOf(x * 2 ** 54) - 53 : normalExponentOf(x) + 1;
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
  return neighbourOf(x, x > 0 === toward > x);
};
export const f64_isnan = (x: number): boolean => x !== x;
export const f64_isinf = (x: number): boolean => abs(x) === Infinity;
export const f64_isfinite = (x: number): boolean => abs(x) < Infinity;
export const f64_isnormal = (x: number): boolean => abs(x) >= 2 ** -1022 && abs(x) < Infinity;

// ------------------------------------------------------------------ functions beyond the range of f32

const LN2 = Math.LN2;
/** Multiples of the first part by an exponent are exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const LOG10_2 = 0.3010299956639812;
const LOG10_2_HIGH = 0.3010299955494702;
const LOG10_2_LOW = 1.1451100898021838e-10;
const LOG2_E = Math.LOG2E;
/** What `LOG2_E` lacks. */
const LOG2_E_REST = 2.0355273740931033e-17;

/** Log base b of a positive finite x, from those of its fraction and of its exponent. */
const byParts = (x: number, near: (m: number) => number, ofExponent: (e: number, rest: number) => number): number => {
  if (!(x > 0 && x < Infinity) || (x > 2 ** -120 && x < 2 ** 120)) return near(x);
  return ofExponent(f64_frexp_exponent(x), near(f64_frexp_fraction(x)));
};
export const f64_log = (x: number): number => byParts(x, of.log, (e, rest) => e * LN2_HIGH + (rest + e * LN2_LOW));
export const f64_log2 = (x: number): number => byParts(x, of.log2, (e, rest) => e + rest);
export const f64_log10 = (x: number): number =>
  byParts(x, of.log10, (e, rest) => e * LOG10_2_HIGH + (rest + e * LOG10_2_LOW));

/** Kahan: the rounding error of 1 + x is divided out again. */
export const f64_log1p = (x: number): number => {
  const u = 1 + x;
  if (u === 1) return x;
  return u === Infinity ? u : u - 1 === 0 || !(x > -1) ? of.log1p(x) : f64_log(u) * (x / (u - 1));
};

export const f64_exp = (x: number): number => {
  if (!(abs(x) > 190)) return of.exp(x);
  if (abs(x) > 800) return x > 0 ? Infinity : 0;
  const n = f64_round_even(x / LN2);
  return f64_ldexp(of.exp(x - n * LN2_HIGH - n * LN2_LOW), n);
};
export const f64_exp2 = (x: number): number => {
  if (!(abs(x) > 240)) return of.exp2(x);
  if (abs(x) > 1200) return x > 0 ? Infinity : 0;
  const n = f64_round_even(x);
  return f64_ldexp(of.exp2(x - n), n);
};
export const f64_exp10 = (x: number): number => {
  if (!(abs(x) > 70)) return of.exp10(x);
  if (abs(x) > 400) return x > 0 ? Infinity : 0;
  const n = f64_round_even(x / LOG10_2);
  return f64_ldexp(of.exp10(x - n * LOG10_2_HIGH - n * LOG10_2_LOW), n);
};
export const f64_expm1 = (x: number): number =>
  abs(x) < 1e-6 ? x + x * x * (0.5 + x / 6) : abs(x) > 190 ? f64_exp(x) - 1 : of.expm1(x);

/** e^(a/2): its square is e^a where that is just out of range. */
const halfPower = (a: number): number => f64_exp(0.5 * a);
export const f64_sinh = (x: number): number => {
  const a = abs(x);
  if (!(a > 140)) return of.sinh(x);
  const h = halfPower(a);
  return (x < 0 ? -0.5 : 0.5) * h * h;
};
export const f64_cosh = (x: number): number => {
  if (!(abs(x) > 140)) return of.cosh(x);
  const h = halfPower(abs(x));
  return 0.5 * h * h;
};
export const f64_asinh = (x: number): number =>
  abs(x) > 2 ** 60 ? (x < 0 ? -1 : 1) * (f64_log(abs(x)) + LN2) : of.asinh(x);
export const f64_acosh = (x: number): number => (x > 2 ** 60 ? f64_log(x) + LN2 : of.acosh(x));

export const f64_cbrt = (x: number): number => {
  if (!finiteNonzero(x) || (abs(x) > 2 ** -120 && abs(x) < 2 ** 120)) return of.cbrt(x);
  const k = Math.trunc(exponentOf(x) / 3);
  return f64_ldexp(of.cbrt(f64_ldexp(x, -3 * k)), k);
};
export const f64_hypot = (x: number, y: number): number => {
  const high = Math.max(abs(x), abs(y));
  if (!finiteNonzero(high) || (high > 2 ** -400 && high < 2 ** 400)) return of.hypot(x, y);
  const e = exponentOf(high);
  return f64_ldexp(of.hypot(f64_ldexp(x, -e), f64_ldexp(y, -e)), e);
};

/** a * b and what the product lost. */
export function product(a: number, b: number): readonly [number, number] {
  const p = a * b;
  const split = (v: number): readonly [number, number] => {
    const c = 134217729 * v;
    const high = c - (c - v);
    return [high, v - high];
  };
  const [ah, al] = split(a);
  const [bh, bl] = split(b);
  return [p, ah * bh - p + ah * bl + al * bh + al * bl];
}

/** x^y for 0 < x < infinity, x not 1, finite y: the exponent of two in two parts, since its error becomes the result's. */
function power(x: number, y: number): number {
  let m = f64_frexp_fraction(x);
  let k = f64_frexp_exponent(x);
  if (m < Math.SQRT1_2) [m, k] = [m * 2, k - 1];
  const f = m - 1;
  const d = m + 1;
  const dLow = 1 - d + m;
  const s = f / d;
  const [sd, sdLow] = product(s, d);
  const sLow = (f - sd - sdLow - s * dLow) / d;
  // 2 atanh(s) = 2 s + 2 s^3/3 + 2 s^5/5 + ..., |s| < 0.172
  const z = s * s;
  let series = 0;
  for (let n = 23; n >= 3; n -= 2) series = series * z + 2 / n;
  const [p, pLow] = product(2 * s, LOG2_E);
  const low = pLow + 2 * s * LOG2_E_REST + (2 * sLow + s * z * series) * LOG2_E;
  const high = k + p;
  const lost = k - (high - (high - k)) + (p - (high - k));
  if (abs(y) > 2 ** 65) return high > 0 === y > 0 ? Infinity : 0;
  const [q, qLow] = product(y, high);
  if (abs(q) > 1200) return q > 0 ? Infinity : 0;
  const n = f64_round_even(q);
  return f64_ldexp(of.exp((q - n + (qLow + y * (low + lost))) * LN2), n);
}

/** By the rules of C99 F.9.4.4. */
export const f64_pow = (x: number, y: number): number => {
  if (y === 0 || x === 1) return 1;
  if (x !== x || y !== y) return NaN;
  const a = abs(x);
  if (abs(y) === Infinity) return a === 1 ? 1 : a > 1 === y > 0 ? Infinity : 0;
  const whole = trunc(y) === y;
  const odd = whole && abs(y) < 2 ** 53 && abs(y) % 2 === 1;
  if (x < 0 && a < Infinity && !whole) return NaN;
  const r = a === 0 || a === Infinity ? ((a === 0) === y > 0 ? 0 : Infinity) : a === 1 ? 1 : power(a, y);
  return odd && f64_signbit(x) ? -r : r;
};

// ------------------------------------------------------------------ large angles

/** Below this the reduction for f32 is good for doubles, too. */
const FAR = 2 ** 20;
const piBits = 1200n;

/** 2^1200 / pi by Machin's formula, worked out when a large angle is met first. */
const inversePi = once((): bigint => {
  const unit = 1n << (piBits + 40n);
  const arctan = (n: bigint): bigint => {
    let power = unit / n;
    let sum = power;
    for (let k = 1n; power !== 0n; k++) {
      power /= n * n;
      sum += (k & 1n ? -power : power) / (2n * k + 1n);
    }
    return sum;
  };
  const pi = 4n * (4n * arctan(5n) - arctan(239n));
  return (unit << piBits) / pi;
});

/** Quadrants of an angle from 2^20: their number modulo 4, and what is left of the angle. */
function quadrants(x: number): readonly [number, number] {
  const [m, e] = parts(x);
  // 2 / pi * x in units of 2^-1200
  const turned = e >= 0 ? (2n * m * inversePi()) << BigInt(e) : (2n * m * inversePi()) >> BigInt(-e);
  const n = (turned + (1n << (piBits - 1n))) >> piBits;
  const rest = Number((turned - (n << piBits)) >> (piBits - 120n)) / 2 ** 120;
  return [Number(BigInt.asUintN(2, n)), rest * (Math.PI / 2)];
}
const far = (x: number): boolean => abs(x) >= FAR && abs(x) < Infinity;
const sineOf = (n: number, r: number): number => (n & 2 ? -1 : 1) * (n & 1 ? of.cos(r) : of.sin(r));

export const f64_sin = (x: number): number => (far(x) ? sineOf(...quadrants(x)) : of.sin(x));
export const f64_cos = (x: number): number => {
  if (!far(x)) return of.cos(x);
  const [n, r] = quadrants(x);
  return sineOf(n + 1, r);
};
export const f64_tan = (x: number): number => {
  if (!far(x)) return of.tan(x);
  const [n, r] = quadrants(x);
  return n & 1 ? -of.cos(r) / of.sin(r) : of.tan(r);
};

/** x less a multiple of 2, exactly. */
const ofTurn = (x: number): number => x - 2 * f64_round_even(x / 2);
export const f64_sinpi = (x: number): number => {
  const s = of.sinpi(ofTurn(x));
  return s === 0 ? f64_copysign(0, x) : s;
};
export const f64_cospi = (x: number): number => of.cospi(ofTurn(x));
export const f64_tanpi = (x: number): number => {
  const t = of.tanpi(ofTurn(x));
  return t === 0 && ofTurn(x) === 0 ? f64_copysign(0, x) : t;
};

export const f64_erf = of.erf;
export const f64_erfc = (x: number): number => {
  if (!(x >= 1)) return of.erfc(x);
  if (x > 28) return 0;
  const [square, low] = product(x, x);
  return f64_exp(-square) * (1 - low) * of.erfcTail(x);
};
