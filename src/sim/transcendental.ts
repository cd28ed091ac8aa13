/**
 * Elementary functions of arguments that are f32 (or f16), as doubles with a relative error of a few units of 2^-52, to be
 * rounded once more by the caller. Only operations that IEEE 754 defines to the bit are used, so that every machine gives
 * the same results; the functions of `Math` are left to the engine and are not.
 *
 * Polynomials are Chebyshev fits on the reduced interval, lowest coefficient first. Special values are those of C99
 * annex F, and of C23 for the functions of pi x.
 */
import { powerOf } from "./powers.js";

const { abs, floor, fround, sqrt, trunc } = Math;

const LN2 = 0.6931471805599453;
const LN10 = 2.302585092994046;
const LOG2_E = 1.4426950408889634;
const LOG2_10 = 3.321928094887362;
const LOG10_E = 0.4342944819032518;
const LOG10_2 = 0.3010299956639812;
const PI = 3.141592653589793;
const HALF_PI = 1.5707963267948966;

/** Adding and taking away rounds a double below 2^51 to an integer, ties to even. */
const ROUNDER = 1.5 * 2 ** 52;

/** Below this (2^-27) x and x + O(x^3) are the same f32 and f16. */
const TINY = 7.450580596923828e-9;

// ------------------------------------------------------------------ exponentials

// ln 2 and log10 2 in two parts; a multiple of the first part by an exponent is exact.
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const LOG10_2_HIGH = 0.3010299955494702;
const LOG10_2_LOW = 1.1451100898021838e-10;

/** e^r - 1 for |r| <= ln 2 / 2. */
function expm1Near(r: number): number {
  const z = r * r;
  const z2 = z * z;
  const q =
    0.5000000000000001 +
    0.16666666666666669 * r +
    (0.04166666666662413 + 0.008333333333330062 * r) * z +
    (0.0013888888917213717 + 0.00019841269863053618 * r + (2.4801521295954376e-5 + 2.7557268459997064e-6 * r) * z) *
      z2 +
    (2.7620088445409746e-7 + 2.510038549551032e-8 * r) * (z2 * z2);
  return r + z * q;
}

export function exp(x: number): number {
  if (!(abs(x) < 200)) return x !== x ? NaN : x > 0 ? Infinity : 0;
  const n = x * LOG2_E + ROUNDER - ROUNDER;
  const p = powerOf(n);
  return p + p * expm1Near(x - n * LN2_HIGH - n * LN2_LOW);
}

export function expm1(x: number): number {
  if (!(abs(x) < 200)) return x !== x ? NaN : x > 0 ? Infinity : -1;
  if (abs(x) < TINY) return x;
  const n = x * LOG2_E + ROUNDER - ROUNDER;
  const p = powerOf(n);
  return p - 1 + p * expm1Near(x - n * LN2_HIGH - n * LN2_LOW);
}

export function exp2(x: number): number {
  if (!(abs(x) < 250)) return x !== x ? NaN : x > 0 ? Infinity : 0;
  const n = x + ROUNDER - ROUNDER;
  const p = powerOf(n);
  return p + p * expm1Near((x - n) * LN2);
}

export function exp10(x: number): number {
  if (!(abs(x) < 80)) return x !== x ? NaN : x > 0 ? Infinity : 0;
  const n = x * LOG2_10 + ROUNDER - ROUNDER;
  const p = powerOf(n);
  return p + p * expm1Near((x - n * LOG10_2_HIGH - n * LOG10_2_LOW) * LN10);
}

// ------------------------------------------------------------------ logarithms

// One 32-bit element seen as two types needs no byte order.
const single = new Float32Array(1);
const singleBits = new Int32Array(single.buffer);

/** k such that x * 2^-k lies in [sqrt 1/2, sqrt 2), give or take a rounding to f32; of a positive double in the range of f32. */
function binade(x: number): number {
  single[0] = x;
  const bits = singleBits[0]!;
  if (bits >= 0x00800000) return (bits - 0x3f3504f3) >> 23;
  single[0] = x * 18446744073709551616;
  return ((singleBits[0]! - 0x3f3504f3) >> 23) - 64;
}

/** (2 atanh(s) - 2 s) / s^3 for z = s^2 <= 0.0295. */
function atanhSeries(z: number): number {
  const z2 = z * z;
  return (
    0.6666666666666666 +
    0.40000000000000885 * z +
    (0.28571428570799784 + 0.22222222392581045 * z) * z2 +
    (0.18181795547521137 + 0.15386244737621665 * z + (0.13268638369266825 + 0.13088034850927555 * z) * z2) * (z2 * z2)
  );
}

/** log m for m in [sqrt 1/2, sqrt 2], as 2 atanh of (m - 1) / (m + 1). */
function logNear(m: number): number {
  const f = m - 1;
  const s = f / (2 + f);
  const z = s * s;
  return 2 * s + s * z * atanhSeries(z);
}

/** atanh for |s| <= 0.1716, relatively exact. */
function atanhNear(s: number): number {
  const z = s * s;
  return s + 0.5 * s * z * atanhSeries(z);
}

/** Logarithm of a positive double in the range of f32. */
function logOf(x: number): number {
  const k = binade(x);
  return k * LN2_HIGH + (logNear(x * powerOf(-k)) + k * LN2_LOW);
}

const inLogRange = (x: number): boolean => x > 0 && x < Infinity;
const logOutside = (x: number): number => (x === 0 ? -Infinity : x > 0 ? Infinity : NaN);

export const log = (x: number): number => (inLogRange(x) ? logOf(x) : logOutside(x));

export function log2(x: number): number {
  if (!inLogRange(x)) return logOutside(x);
  const k = binade(x);
  return k + logNear(x * powerOf(-k)) * LOG2_E;
}

export function log10(x: number): number {
  if (!inLogRange(x)) return logOutside(x);
  const k = binade(x);
  return k * LOG10_2 + logNear(x * powerOf(-k)) * LOG10_E;
}

export function log1p(x: number): number {
  // The sum with one is exact for f32 from 2^-29.
  if (abs(x) < TINY) return x;
  return log(1 + x);
}

// ------------------------------------------------------------------ hyperbolic functions

export function sinh(x: number): number {
  const a = abs(x);
  if (!(a < 150)) return x !== x ? NaN : x < 0 ? -Infinity : Infinity;
  if (a < TINY) return x;
  const e = expm1(a);
  const r = 0.5 * (e + e / (e + 1));
  return x < 0 ? -r : r;
}

export function cosh(x: number): number {
  const a = abs(x);
  if (!(a < 150)) return x !== x ? NaN : Infinity;
  const e = exp(a);
  return 0.5 * (e + 1 / e);
}

export function tanh(x: number): number {
  const a = abs(x);
  if (!(a < 22)) return x !== x ? NaN : x < 0 ? -1 : 1;
  if (a < TINY) return x;
  const e = expm1(2 * a);
  const r = e / (e + 2);
  return x < 0 ? -r : r;
}

export function asinh(x: number): number {
  const a = abs(x);
  if (!(a > TINY)) return x === x ? x : NaN;
  let r: number;
  if (a > 0x10000000) r = log(a) + LN2;
  else {
    const t = sqrt(a * a + 1);
    const s = a / t;
    r = s < 0.17 ? atanhNear(s) : logOf(a + t);
  }
  return x < 0 ? -r : r;
}

export function acosh(x: number): number {
  if (!(x >= 1)) return NaN;
  if (x > 0x10000000) return log(x) + LN2;
  const t = sqrt((x - 1) * (x + 1));
  const s = t / x;
  return s < 0.17 ? atanhNear(s) : logOf(x + t);
}

export function atanh(x: number): number {
  const a = abs(x);
  if (!(a < 1)) return a === 1 ? x * Infinity : NaN;
  if (a < 0.17) return atanhNear(x);
  const r = 0.5 * logOf((1 + a) / (1 - a));
  return x < 0 ? -r : r;
}

// ------------------------------------------------------------------ error function

const TWO_OVER_SQRT_PI = 1.1283791670955126;

/** erf x for 0 <= x <= 3: all terms of e^(-x^2) times this series are positive. */
function erfSeries(x: number): number {
  const z = 2 * x * x;
  let term = x;
  let sum = x;
  for (let n = 3; term > sum * 1e-17; n += 2) {
    term *= z / n;
    sum += term;
  }
  return TWO_OVER_SQRT_PI * exp(-x * x) * sum;
}

/** erfc x / e^(-x^2) for x >= 1, by its continued fraction. */
export function erfcTail(x: number): number {
  let t = x;
  for (let k = trunc(30 + 250 / (x * x)); k >= 1; k--) t = x + (0.5 * k) / t;
  return (0.5 * TWO_OVER_SQRT_PI) / t;
}

export function erf(x: number): number {
  if (x !== x) return NaN;
  const a = abs(x);
  if (a <= TINY) return TWO_OVER_SQRT_PI * x;
  const r = a < 1.5 ? erfSeries(a) : a > 6 ? 1 : 1 - exp(-a * a) * erfcTail(a);
  return x < 0 ? -r : r;
}

export function erfc(x: number): number {
  if (!(x >= 1)) return x < -6 ? 2 : 1 - erf(x);
  return x > 14 ? 0 : exp(-x * x) * erfcTail(x);
}

// ------------------------------------------------------------------ sine and cosine

/** sin r for |r| <= pi / 4. */
function sinNear(r: number): number {
  const z = r * r;
  const z2 = z * z;
  const q =
    -0.16666666666666666 +
    0.008333333333330948 * z +
    (-0.00019841269836756774 + 2.7557316101617874e-6 * z) * z2 +
    (-2.505113165023518e-8 + 1.5918115263265974e-10 * z) * (z2 * z2);
  return r + r * (z * q);
}

/** cos r for |r| <= pi / 4. */
function cosNear(r: number): number {
  const z = r * r;
  const z2 = z * z;
  const q =
    0.041666666666666664 -
    0.0013888888888887398 * z +
    (2.480158729876456e-5 - 2.7557317271145144e-7 * z) * z2 +
    (2.087614614655861e-9 - 1.1382623647474604e-11 * z) * (z2 * z2);
  return 1 - 0.5 * z + z2 * q;
}

const TWO_OVER_PI = 0.6366197723675814;
// pi / 2 in parts of 33, 33 and 53 bits: multiples of the first two by a quadrant number below 2^20 are exact.
const HALF_PI_1 = 1.5707963267341256;
const HALF_PI_2 = 6.077100506303966e-11;
const HALF_PI_3 = 2.0222662487959506e-21;

/** Arguments from here on are reduced by `farQuadrant` and `farRest`. */
const FAR = 0x100000;

const quadrant = (x: number): number => x * TWO_OVER_PI + ROUNDER - ROUNDER;
const rest = (x: number, n: number): number => x - n * HALF_PI_1 - n * HALF_PI_2 - n * HALF_PI_3;

/** 2 / pi, 24 bits each. */
const twoOverPi = [
  10680707, 7228996, 1387004, 2578385, 16069853, 12639074, 9804092, 4427841, 16666979, 11263675,
] as const;

/**
 * x * 2 / pi modulo 4, less n, of an f32 from 2^20. Every partial product is exact, and adding them downward keeps what
 * is left relatively exact when n is the nearest integer and most cancels.
 */
function farTurns(x: number, n: number): number {
  single[0] = x;
  const e = (singleBits[0]! >>> 23) - 150;
  const mantissa = x * powerOf(-e);
  // Of parts before this one the product is a multiple of 4, whole turns.
  const first = e < 2 ? 0 : trunc((e - 2) / 24);
  const scale = e - 24 * (first + 1);
  const a = mantissa * twoOverPi[first]! * powerOf(scale);
  const b = mantissa * twoOverPi[first + 1]! * powerOf(scale - 24);
  let t = a - 4 * floor(a / 4) - n + (b - 4 * floor(b / 4));
  for (let i = 2; i < 6; i++) t += mantissa * twoOverPi[first + i]! * powerOf(scale - 24 * i);
  return t;
}

const farQuadrant = (x: number): number => farTurns(x, 0) + ROUNDER - ROUNDER;
const farRest = (x: number, n: number): number => farTurns(x, n) * HALF_PI;

function sinOfQuadrant(n: number, r: number): number {
  const s = n & 1 ? cosNear(r) : sinNear(r);
  return n & 2 ? -s : s;
}

export function sin(x: number): number {
  const a = abs(x);
  if (a < FAR) {
    if (a < TINY) return x;
    const n = quadrant(x);
    return sinOfQuadrant(n, rest(x, n));
  }
  if (!(a < Infinity)) return NaN;
  const n = farQuadrant(a);
  const s = sinOfQuadrant(n, farRest(a, n));
  return x < 0 ? -s : s;
}

export function cos(x: number): number {
  const a = abs(x);
  if (a < FAR) {
    const n = quadrant(a);
    return sinOfQuadrant(n + 1, rest(a, n));
  }
  if (!(a < Infinity)) return NaN;
  const n = farQuadrant(a);
  return sinOfQuadrant(n + 1, farRest(a, n));
}

function tanOfQuadrant(n: number, r: number): number {
  const s = sinNear(r);
  const c = cosNear(r);
  return n & 1 ? -c / s : s / c;
}

export function tan(x: number): number {
  const a = abs(x);
  if (a < FAR) {
    if (a < TINY) return x;
    const n = quadrant(x);
    return tanOfQuadrant(n, rest(x, n));
  }
  if (!(a < Infinity)) return NaN;
  const n = farQuadrant(a);
  const t = tanOfQuadrant(n, farRest(a, n));
  return x < 0 ? -t : t;
}

/** From here on every f32 is an even integer. */
const EVEN = 0x1000000;

const zeroLike = (x: number): number => (x < 0 || Object.is(x, -0) ? -0 : 0);

export function sinpi(x: number): number {
  const a = abs(x);
  if (!(a < EVEN)) return a < Infinity ? zeroLike(x) : NaN;
  const n = 2 * x + ROUNDER - ROUNDER;
  const r = x - 0.5 * n;
  // Of integers zero with the sign of x.
  if (r === 0 && (n & 1) === 0) return zeroLike(x);
  return sinOfQuadrant(n, r * PI);
}

export function cospi(x: number): number {
  const a = abs(x);
  if (!(a < EVEN)) return a < Infinity ? 1 : NaN;
  const n = 2 * a + ROUNDER - ROUNDER;
  const r = a - 0.5 * n;
  if (r === 0 && (n & 1) === 1) return 0;
  return sinOfQuadrant(n + 1, r * PI);
}

export function tanpi(x: number): number {
  const a = abs(x);
  if (!(a < EVEN)) return a < Infinity ? zeroLike(x) : NaN;
  const n = 2 * x + ROUNDER - ROUNDER;
  const r = x - 0.5 * n;
  if (r === 0) {
    switch (n & 3) {
      case 0:
        return zeroLike(x);
      case 1:
        return Infinity;
      case 2:
        return -zeroLike(x);
      default:
        return -Infinity;
    }
  }
  return tanOfQuadrant(n, r * PI);
}

// ------------------------------------------------------------------ inverse circular functions

/** atan(i / 8). */
const atanTable = Float64Array.of(
  0,
  0.12435499454676144,
  0.24497866312686414,
  0.35877067027057225,
  0.4636476090008061,
  0.5585993153435624,
  0.6435011087932844,
  0.7188299996216245,
  0.7853981633974483,
);

/** atan(y / x) for 0 <= y <= x, x > 0: from the nearest multiple of 1/8 the rest has a tangent of at most 1/16. */
function atanRatio(y: number, x: number): number {
  const q = y / x;
  const i = (q * 8 + 0.5) | 0;
  if (i === 0) {
    // One step down: where the quotient lies halfway between two subnormal results, the arc is less.
    if (q < TINY) return q * (1 - 2 ** -53);
    const z = q * q;
    return q + q * (z * atanSeries(z));
  }
  const c = i * 0.125;
  const t = (y - c * x) / (x + c * y);
  const z = t * t;
  return atanTable[i]! + (t + t * (z * atanSeries(z)));
}

/** (atan(t) / t - 1) / z for z = t^2 <= 1/256. */
function atanSeries(z: number): number {
  const z2 = z * z;
  return (
    -0.3333333333333332 +
    0.19999999999826537 * z +
    (-0.14285713930345303 + 0.11110856190197282 * z) * z2 -
    0.09016197980693441 * (z2 * z2)
  );
}

/** Angle of the point (x, y) in the first quadrant, not both zero, not both infinite. */
const angle = (y: number, x: number): number => (y <= x ? atanRatio(y, x) : HALF_PI - atanRatio(x, y));

export function atan(x: number): number {
  const a = abs(x);
  if (!(a >= TINY)) return x === x ? x : NaN;
  const r = angle(a, 1);
  return x < 0 ? -r : r;
}

export function atan2(y: number, x: number): number {
  if (x !== x || y !== y) return NaN;
  const ay = abs(y);
  const ax = abs(x);
  const left = x < 0 || Object.is(x, -0);
  let r: number;
  if (ay === 0) r = left ? PI : 0;
  else {
    r = ax === Infinity && ay === Infinity ? HALF_PI / 2 : angle(ay, ax);
    if (left) r = PI - r;
  }
  return y < 0 || Object.is(y, -0) ? -r : r;
}

export function asin(x: number): number {
  const a = abs(x);
  if (!(a <= 1)) return NaN;
  if (a < TINY) return x;
  const r = angle(a, sqrt((1 - a) * (1 + a)));
  return x < 0 ? -r : r;
}

export function acos(x: number): number {
  const a = abs(x);
  if (!(a <= 1)) return NaN;
  const r = angle(sqrt((1 - a) * (1 + a)), a);
  return x < 0 ? PI - r : r;
}

// ------------------------------------------------------------------ roots

export const rsqrt = (x: number): number => (x >= 0 ? 1 / sqrt(x) : NaN);

export function cbrt(x: number): number {
  const a = abs(x);
  if (!(a > 0 && a < Infinity)) return x === x ? x : NaN;
  const k = trunc(binade(a) / 3);
  const m = a * powerOf(-3 * k);
  // m lies between 1/6 and 6: a line on each side of one is within 8 %, and each step cubes the error.
  let t = m < 1 ? 0.45 + 0.57 * m : 0.83 + 0.18 * m;
  for (let i = 0; i < 3; i++) {
    const c = t * t * t;
    t *= (c + m + m) / (c + c + m);
  }
  const r = t * powerOf(k);
  return x < 0 ? -r : r;
}

/** Squares of f32 are exact, and their sum as well where its root lies between two f32 exactly. */
export function hypot(x: number, y: number): number {
  if (abs(x) === Infinity || abs(y) === Infinity) return Infinity;
  const r = sqrt(x * x + y * y);
  return r === r ? r : NaN;
}

// ------------------------------------------------------------------ powers

// log2 e in two parts, the first of 25 bits.
const LOG2_E_HIGH = 1.4426950216293335;
const LOG2_E_LOW = 1.9259629911266175e-8;

/**
 * x^y for 0 < x < infinity and finite y. The exponent may be 2^7 and its error becomes the result's, so the logarithm is
 * taken in two parts: `high` of 24 bits, whose product by y is exact, and `low`.
 */
function powerNear(x: number, y: number): number {
  const k = binade(x);
  const f = x * powerOf(-k) - 1;
  const d = 2 + f;
  const s = f / d;
  const sHigh = fround(s);
  const sLow = (f - 2 * sHigh - sHigh * f) / d;
  const z = s * s;
  const exact = 2 * sHigh * LOG2_E_HIGH;
  const small = 2 * (sHigh * LOG2_E_LOW + sLow * LOG2_E) + s * z * atanhSeries(z) * LOG2_E;
  const sum = k + exact;
  const high = fround(sum);
  const low = sum - high + (exact - (sum - k) + small);
  const t = y * high;
  if (!(abs(t) < 250)) return t > 0 ? Infinity : 0;
  const n = t + ROUNDER - ROUNDER;
  const p = powerOf(n);
  return p + p * expm1Near((t - n + y * low) * LN2);
}

/** x^y by the rules of C99 F.9.4.4, for f32 or f16 operands, rounded once by `round`. */
export function pow(x: number, y: number, round: (x: number) => number): number {
  if (x > 0 && x < Infinity && abs(y) < Infinity) return roundedPower(x, y, round);
  if (y === 0 || x === 1) return 1;
  if (x !== x || y !== y) return NaN;
  const a = abs(x);
  if (abs(y) === Infinity) return a === 1 ? 1 : a > 1 === y > 0 ? Infinity : 0;
  const odd = abs(y) < EVEN && trunc(y) === y && (y & 1) === 1;
  let r: number;
  if (a === 0) r = y > 0 ? 0 : Infinity;
  else if (a === Infinity) r = y > 0 ? Infinity : 0;
  else if (trunc(y) !== y) return NaN;
  else r = roundedPower(a, y, round);
  return odd && (x < 0 || Object.is(x, -0)) ? -r : r;
}

function roundedPower(x: number, y: number, round: (x: number) => number): number {
  const r = powerNear(x, y);
  const below = round(r * (1 - 2 ** -46));
  const above = round(r * (1 + 2 ** -46));
  if (below === above || above === Infinity) return round(r);
  // Too near the point between two results: powers with few digits lie on it exactly.
  const middle = 0.5 * (below + above);
  return round(isPower(middle, x, y) ? middle : r);
}

/** Whether t = x^y exactly. An odd number of 24 bits has no root beyond the eighth, so y can only be a multiple of 1/8. */
function isPower(t: number, x: number, y: number): boolean {
  const n = 8 * y;
  if (trunc(n) !== n || n <= 0) return false;
  const [mt, et] = oddPart(t);
  const [mx, ex] = oddPart(x);
  if (ex * n !== et * 8) return false;
  if (mx === 1) return mt === 1;
  // In lowest terms y is count / root, so that mx is a power by the root where mx^count = mt^root.
  let count = n;
  let base = mx;
  for (let root = 8; root > 1; root /= 2) {
    if (count % 2 === 0) count /= 2;
    else {
      base = sqrt(base);
      if (trunc(base) !== base) return false;
    }
  }
  // The base is at least 3, and t has 25 bits.
  let power = 1;
  for (let i = 0; i < count; i++) {
    power *= base;
    if (power > mt) return false;
  }
  return power === mt;
}

/** x as m * 2^e, m odd. */
function oddPart(x: number): readonly [number, number] {
  let m = x;
  let e = 0;
  while (trunc(m) !== m) {
    m *= 2;
    e--;
  }
  while (trunc(m / 2) * 2 === m) {
    m /= 2;
    e++;
  }
  return [m, e];
}
