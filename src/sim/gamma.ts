/**
 * The gamma function and the logarithm of its magnitude in doubles, a few units in the last place, for f64 and, rounded once
 * more, for f32 and f16. Special values are those of C99 F.9.5.3 and F.9.5.4. Only operations that IEEE 754 defines are used.
 *
 * Of x = n + r, n the nearest integer, gamma(1 + r) is one over a series in r (1/gamma has no poles), and what lies between is
 * a product of x less integers, each of them exact.
 */
import { f64_floor, f64_ldexp, f64_log, f64_log1p, f64_round_even, product } from "./double-functions.js";

const { abs } = Math;

/** (1/gamma(1 + r) - 1) / r by powers of r (NIST Digital Library of Mathematical Functions, 5.7.1). */
const series = [
  0.5772156649015329, -0.6558780715202539, -0.04200263503409524, 0.16653861138229148, -0.04219773455554433,
  -0.009621971527876973, 0.0072189432466631, -0.0011651675918590652, -0.00021524167411495098, 0.0001280502823881162,
  -2.013485478078824e-5, -1.2504934821426706e-6, 1.133027231981696e-6, -2.056338416977607e-7, 6.116095104481416e-9,
  5.002007644469223e-9, -1.18127457048702e-9, 1.0434267116911005e-10, 7.782263439905071e-12, -3.696805618642206e-12,
  5.100370287454476e-13, -2.0583260535665066e-14, -5.348122539423018e-15,
];
const slope = (r: number): number => {
  let sum = 0;
  for (let i = series.length - 1; i >= 0; i--) sum = sum * r + series[i]!;
  return sum;
};
/** 1/gamma(1 + r), |r| <= 0.5. */
const reciprocal = (r: number): number => 1 + r * slope(r);

export function f64_tgamma(x: number): number {
  if (x === 0) return 1 / x;
  if (x !== x || x === -Infinity) return NaN;
  if (x > 172) return Infinity;
  const n = f64_round_even(x);
  const r = x - n;
  if (n <= 0 && r === 0) return NaN;
  if (x < -186) return f64_floor(x) % 2 === 0 ? 0 : -0;
  // gamma(1 + r) times x - 1 ... x - (n - 1), or over x, x + 1 ... r. The factors are scaled so that none overflows.
  const positive = n > 0;
  const count = positive ? n - 1 : 1 - n;
  const scale = positive ? 2 ** -6 : n === 0 ? 1 : 2 ** -6;
  let [high, low] = [1, 0];
  for (let i = 0; i < count; i++) {
    const factor = (positive ? x - 1 - i : x + i) * scale;
    const [p, lost] = product(high, factor);
    low = low * factor + lost;
    high = p;
  }
  const p = reciprocal(r);
  const scaled = positive ? (high + low) / p : 1 / (p * (high + low));
  return f64_ldexp(scaled, scale === 1 ? 0 : positive ? 6 * count : -6 * count);
}

const stirlingTerms = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400];
const LN_2_PI = 1.8378770664093453;
/** ln(gamma(x)) for x from 16 on, by Stirling's series. */
function stirling(x: number): number {
  const z = 1 / x;
  let sum = 0;
  for (let i = stirlingTerms.length - 1; i >= 0; i--) sum = sum * z * z + stirlingTerms[i]!;
  return (x - 0.5) * (f64_log(x) - 1) + (0.5 * (LN_2_PI - 1) + sum * z);
}

/** ln|gamma(x)|. Near the zeros between negative integers the error is that of what is subtracted there. */
export function f64_lgamma(x: number): number {
  if (x !== x) return NaN;
  const a = abs(x);
  if (a === Infinity || a === 0) return Infinity;
  if (a >= 16 && x > 0) return stirling(x);
  if (x === 1) return 0;
  const n = f64_round_even(a);
  const r = a - n;
  if (x < 0 && r === 0) return Infinity;
  if (n === 0) return -f64_log1p(x * slope(x)) - f64_log(a);
  let value: number;
  if (a >= 16) value = stirling(a);
  else if (n === 1) value = -f64_log1p(r * slope(r));
  else {
    // gamma(2 + r) is (1 + r) / (1 + r s): its logarithm has its zero at r = 0.
    const s = slope(r);
    value = f64_log1p((r * (1 - s)) / (1 + r * s));
    let between = 1;
    for (let i = 1; i <= n - 2; i++) between *= a - i;
    if (n > 2) value += f64_log(between);
  }
  // gamma(x) gamma(-x) is -pi / (x sin(pi x)), and sin(pi r) / (pi r) is 1 / (gamma(1 + r) gamma(1 - r)).
  return x > 0 ? value : -f64_log(a * abs(r) * (reciprocal(r) * reciprocal(-r))) - value;
}

/** -1 where gamma(x) is negative, also of -0, else 1. At a pole, where C99 names none, it is that of the numbers just above. */
export const f64_gamma_sign = (x: number): number =>
  Object.is(x, -0) || (x < 0 && abs(f64_floor(x)) % 2 === 1) ? -1 : 1;
