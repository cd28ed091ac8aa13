/**
 * Elementary functions in fixed point of 400 binary places by BigInt, from their series: an oracle that shares nothing with
 * the implementation. And roundings of such values to binary formats.
 */
export const PLACES = 400n;
export const ONE = 1n << PLACES;

const view = new DataView(new ArrayBuffer(8));

/** A finite double, exactly; its lowest bit must not be below the places, as no f32's product of two is. */
export function fixed(x: number): bigint {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const field = (bits >> 52n) & 0x7ffn;
  let m = (bits & ((1n << 52n) - 1n)) | (field === 0n ? 0n : 1n << 52n);
  const shift = (field === 0n ? 1n : field) - 1075n + PLACES;
  m = shift >= 0n ? m << shift : m >> -shift;
  return bits >> 63n ? -m : m;
}

const abs = (x: bigint): bigint => (x < 0n ? -x : x);
const mul = (a: bigint, b: bigint): bigint => (a * b) >> PLACES;
const div = (a: bigint, b: bigint): bigint => (a << PLACES) / b;
const nearest = (a: bigint, b: bigint): bigint => {
  const n = 2n * a + b;
  const d = 2n * b;
  const q = n / d;
  return n < 0n && q * d !== n ? q - 1n : q;
};

export function integerRoot(x: bigint, degree: bigint): bigint {
  if (x === 0n) return 0n;
  let r = 1n << (BigInt(x.toString(2).length) / degree + 1n);
  for (;;) {
    const next = ((degree - 1n) * r + x / r ** (degree - 1n)) / degree;
    if (next >= r) return r;
    r = next;
  }
}

export const sqrtOf = (x: bigint): bigint => integerRoot(x << PLACES, 2n);
export const cbrtOf = (x: bigint): bigint => (x < 0n ? -cbrtOf(-x) : integerRoot(x << (2n * PLACES), 3n));

/** Sum of x^k / k over odd k, signs alternating where `alternate`. */
function oddSeries(x: bigint, alternate: boolean): bigint {
  const z = mul(x, x);
  let term = x;
  let sum = 0n;
  for (let k = 1n; term !== 0n && term !== -1n; k += 2n) {
    sum += term / k;
    term = alternate ? -mul(term, z) : mul(term, z);
  }
  return sum;
}

const arctanOfInverse = (n: bigint): bigint => oddSeries(ONE / n, true);
export const PI = 4n * (4n * arctanOfInverse(5n) - arctanOfInverse(239n));
/** log 2 = 2 atanh(1/3). */
export const LN2 = 2n * oddSeries(ONE / 3n, false);

export function expOf(x: bigint): bigint {
  const k = nearest(x, LN2);
  const r = x - k * LN2;
  let term = ONE;
  let sum = 0n;
  for (let i = 1n; term !== 0n && term !== -1n; i++) {
    sum += term;
    term = mul(term, r) / i;
  }
  return k >= 0n ? sum << k : sum >> -k;
}

export function logOf(x: bigint): bigint {
  let k = BigInt(x.toString(2).length) - PLACES;
  let m = k >= 0n ? x >> k : x << -k;
  if (m < (ONE * 7n) / 10n) {
    k--;
    // Taken from x again, no place is lost.
    m = k >= 0n ? x >> k : x << -k;
  }
  return 2n * oddSeries(div(m - ONE, m + ONE), false) + k * LN2;
}

/** Sine (0) or cosine (1) by the quadrant. */
function circular(x: bigint, which: bigint): bigint {
  const half = PI / 2n;
  const n = nearest(x, half);
  const r = x - n * half;
  const quadrant = (((n + which) % 4n) + 4n) % 4n;
  const z = mul(r, r);
  let term = quadrant % 2n === 0n ? r : ONE;
  let sum = 0n;
  for (let i = quadrant % 2n === 0n ? 2n : 1n; term !== 0n && term !== -1n; i += 2n) {
    sum += term;
    term = -mul(term, z) / (i * (i + 1n));
  }
  return quadrant >= 2n ? -sum : sum;
}
export const sinOf = (x: bigint): bigint => circular(x, 0n);
export const cosOf = (x: bigint): bigint => circular(x, 1n);
export const tanOf = (x: bigint): bigint => div(sinOf(x), cosOf(x));

export function atanOf(x: bigint): bigint {
  if (x < 0n) return -atanOf(-x);
  if (x > ONE) return PI / 2n - atanOf(div(ONE, x));
  let t = x;
  for (let i = 0; i < 3; i++) t = div(t, ONE + sqrtOf(ONE + mul(t, t)));
  return 8n * oddSeries(t, true);
}

export function atan2Of(y: bigint, x: bigint): bigint {
  if (x > 0n) return atanOf(div(y, x));
  const turn = y < 0n ? -1n : 1n;
  return x === 0n ? (turn * PI) / 2n : turn * PI + atanOf(div(y, x));
}

export const asinOf = (x: bigint): bigint =>
  abs(x) === ONE ? ((x > 0n ? 1n : -1n) * PI) / 2n : atanOf(div(x, sqrtOf(ONE - mul(x, x))));
export const acosOf = (x: bigint): bigint => atan2Of(sqrtOf(ONE - mul(x, x)), x);
export const sinhOf = (x: bigint): bigint => (expOf(x) - expOf(-x)) / 2n;
export const coshOf = (x: bigint): bigint => (expOf(x) + expOf(-x)) / 2n;
export const tanhOf = (x: bigint): bigint => div(sinhOf(x), coshOf(x));
export const asinhOf = (x: bigint): bigint => (x < 0n ? -asinhOf(-x) : logOf(x + sqrtOf(mul(x, x) + ONE)));
export const acoshOf = (x: bigint): bigint => logOf(x + sqrtOf(mul(x, x) - ONE));
export const atanhOf = (x: bigint): bigint => logOf(div(ONE + x, ONE - x)) / 2n;
export const productOf = mul;
export const quotientOf = div;

// ------------------------------------------------------------------ roundings

export interface Format {
  /** Bits of the significand, with the leading one. */
  readonly precision: bigint;
  /** Exponent of the least positive value: 2^lowest. */
  readonly lowest: bigint;
  /** The least power of two that is too large. */
  readonly limit: bigint;
}
export const F32: Format = { precision: 24n, lowest: -149n, limit: 128n };
export const F16: Format = { precision: 11n, lowest: -24n, limit: 16n };

export type Direction = "even" | "zero" | "up" | "down";

/** numerator / 2^places to a format; zero keeps the sign of `numerator` only if that is not zero. */
export function roundTo(format: Format, numerator: bigint, places: bigint, direction: Direction = "even"): number {
  const negative = numerator < 0n;
  const a = abs(numerator);
  const length = BigInt(a === 0n ? 0 : a.toString(2).length);
  const lowest = format.lowest + places;
  const drop = length - format.precision > lowest ? length - format.precision : lowest;
  let kept = drop > 0n ? a >> drop : a << -drop;
  const lost = drop > 0n ? a - (kept << drop) : 0n;
  const half = drop > 0n ? 1n << (drop - 1n) : 1n;
  const away = negative ? "down" : "up";
  if (direction === "even") {
    if (lost > half || (lost === half && drop > 0n && kept & 1n)) kept++;
  } else if (direction === away && lost > 0n) kept++;
  let value = Number(kept) * 2 ** Number(drop - places);
  if (value >= 2 ** Number(format.limit)) {
    const greatest = 2 ** Number(format.limit) * (1 - 2 ** -Number(format.precision));
    value = direction === "even" || direction === away ? Infinity : greatest;
  }
  return negative ? -value : value;
}

/**
 * A value that may be exactly a number of few digits, known to 2^-150 of itself: taken as that number when so near. Not for
 * functions whose values are near such numbers without being equal to them.
 */
export function settle(x: bigint): bigint {
  const a = abs(x);
  const length = BigInt(a.toString(2).length);
  if (length < 160n) return x;
  const unit = length - 60n;
  const r = ((a + (1n << (unit - 1n))) >> unit) << unit;
  return abs(r - a) < 1n << (length - 150n) ? (x < 0n ? -r : r) : x;
}
