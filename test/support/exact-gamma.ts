/**
 * The gamma function and its logarithm of doubles in fixed point of 400 binary places: Stirling's series far out, its Bernoulli
 * numbers by their recurrence, led back by x (x + 1) ..., and by reflection for negative operands. Good to 2^-200 of what is added.
 */
import { expOf, fixed, LN2, logOf, ONE, PI, PLACES, productOf, quotientOf, sinOf } from "./exact-reals.js";

/** B2, B4 ... as fractions. */
const bernoulli = (() => {
  const b: (readonly [bigint, bigint])[] = [[1n, 1n]];
  const add = ([a, p]: readonly [bigint, bigint], [c, q]: readonly [bigint, bigint]): readonly [bigint, bigint] => [
    a * q + c * p,
    p * q,
  ];
  for (let m = 1n; m <= 80n; m++) {
    let sum: readonly [bigint, bigint] = [0n, 1n];
    let choose = 1n;
    for (let j = 0n; j < m; j++) {
      const [n, d] = b[Number(j)]!;
      if (n !== 0n) sum = add(sum, [choose * n, d]);
      choose = (choose * (m + 1n - j)) / (j + 1n);
    }
    b.push([-sum[0], sum[1] * (m + 1n)]);
    const [n, d] = b.at(-1)!;
    const common = (p: bigint, q: bigint): bigint => (q === 0n ? (p < 0n ? -p : p) : common(q, p % q));
    const by = common(n, d);
    b[b.length - 1] = [n / by, d / by];
  }
  return b.filter((_, i) => i > 0 && i % 2 === 0);
})();

const far = 100n * ONE;
const halfLogOfTurn = logOf(2n * PI) / 2n;

/** ln gamma(x) of x > 0. */
function logOfPositive(x: bigint): bigint {
  let [at, factors] = [x, ONE];
  for (; at < far; at += ONE) factors = productOf(factors, at);
  let sum = productOf(at - ONE / 2n, logOf(at)) - at + halfLogOfTurn;
  let power = at;
  const square = productOf(at, at);
  bernoulli.forEach(([n, d], i) => {
    const k = 2n * BigInt(i + 1);
    sum += quotientOf((n << PLACES) / (d * k * (k - 1n)), power);
    power = productOf(power, square);
  });
  return sum - logOf(factors);
}

/** ln |gamma(x)| of an x that is no pole. */
export function logGammaOf(x: number): bigint {
  if (x > 0) return logOfPositive(fixed(x));
  const sine = sinOf(productOf(fixed(x % 2), PI));
  return logOf(PI) - logOf(sine < 0n ? -sine : sine) - logOfPositive(ONE - fixed(x));
}

/** gamma(x) as m * 2^e, m in fixed point. */
export function gammaOf(x: number): { readonly m: bigint; readonly e: number } {
  const log = logGammaOf(x);
  const n = log / LN2;
  const m = expOf(log - n * LN2);
  return { m: x < 0 && Math.abs(Math.floor(x)) % 2 === 1 ? -m : m, e: Number(n) };
}
