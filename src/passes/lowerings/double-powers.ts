/**
 * Powers and roots of double, for languages that have them of float only: the arithmetic of fdlibm (Sun Microsystems 1993,
 * e_pow.c), which is double's own, written anew: the logarithm is kept in two parts, since its error is multiplied. OpenCL C
 * grants 16 ulp (7.4); these are found to be within 1.
 */
import { bitcast, convert, logical, put, read, unary } from "../../ast/builders.js";
import type { Expr } from "../../ast/nodes.js";
import { add, and, bin, compare, div, infinity, k, mul, nan, same, select, sub, test } from "../../ops/trees.js";
import {
  type DoubleBody,
  exponentialOf,
  f64,
  number,
  ofDoubles,
  scaled,
  significandOf,
  topDigits,
  u64,
} from "./double-body.js";
import { polynomial } from "./formula-bodies.js";
import type { Lowering } from "./lowering.js";

/** A number in two parts, the first of few enough digits for exact products. */
interface Parts {
  readonly high: Expr;
  readonly low: Expr;
}

/** Of log((1 + s) / (1 - s)) = 2/3 s (3 + s^2 + 3/5 s^4 + 3/7 s^6 + ...), from the third on. */
const ofQuotient = Array.from({ length: 11 }, (_, i) => 3 / (2 * i + 5));
/** 2 / (3 ln 2), whole and in two parts, and ln 2 likewise. */
const perThird = { whole: 0.9617966939259756, high: 0.9617967009544373, low: -7.028461650952758e-9 };
const ln2 = { whole: Math.LN2, high: 0.6931471824645996, low: -1.904654299957768e-9 };

/** log2 of a positive number. */
function logarithm(body: DoubleBody, x: Expr): Parts {
  const { m, n } = significandOf(body, x);
  const f = body.hold("f", sub(m, number(1)));
  const g = body.hold("g", add(m, number(1)));
  const s = body.hold("s", div(f, g));
  const sHigh = body.hold("s_high", topDigits(s));
  const gHigh = body.hold("g_high", topDigits(g));
  const gLow = sub(m, sub(gHigh, number(1)));
  const sLow = body.hold("s_low", div(sub(sub(f, mul(sHigh, gHigh)), mul(sHigh, gLow)), g));
  const z = body.hold("z", mul(s, s));
  const series = add(mul(mul(z, z), polynomial(z, ofQuotient)), mul(sLow, add(sHigh, s)));
  const rest = body.hold("rest", series);
  const square = body.hold("square", mul(sHigh, sHigh));
  const sumHigh = body.hold("sum_high", topDigits(add(add(number(3), square), rest)));
  const sumLow = sub(rest, sub(sub(sumHigh, number(3)), square));
  const product = body.hold("product", mul(sHigh, sumHigh));
  const lost = body.hold("lost", add(mul(sLow, sumHigh), mul(sumLow, s)));
  const thirdHigh = body.hold("third_high", topDigits(add(product, lost)));
  const thirdLow = sub(lost, sub(thirdHigh, product));
  const ofHigh = body.hold("log_high", mul(number(perThird.high), thirdHigh));
  const ofLow = body.hold("log_low", add(mul(number(perThird.low), thirdHigh), mul(thirdLow, number(perThird.whole))));
  const high = body.hold("high", topDigits(add(add(ofHigh, ofLow), n)));
  return { high, low: body.hold("low", sub(ofLow, sub(sub(high, n), ofHigh))) };
}

/** sign * 2^(high + low). */
function signedPower(body: DoubleBody, sign: Expr | undefined, { high, low }: Parts): Expr {
  const signed = (x: Expr): Expr => (sign ? mul(sign, x) : x);
  const exponent = body.hold("exponent", add(low, high));
  body.returnWhere(compare("gt", exponent, 1100), signed(infinity(f64)));
  body.returnWhere(compare("lt", exponent, -1100), signed(number(0)));
  const whole = body.hold("whole", same("math.round_even", exponent));
  const rest = body.hold("rest", sub(high, whole));
  const top = body.hold("top", topDigits(add(low, rest)));
  const left = body.hold("left", mul(top, number(ln2.high)));
  const right = sub(mul(sub(sub(top, rest), low), number(ln2.whole)), mul(top, number(ln2.low)));
  const value = body.hold("value", exponentialOf(body, left, body.hold("right", right)));
  return signed(scaled(value, whole));
}

/** From 2^66 on every power but that of 1 is beyond the range, as that of an infinity is. */
const largest = 2 ** 66;

/** x^y by the logarithm of x. */
function powerOf(body: DoubleBody, sign: Expr | undefined, x: Expr, given: Expr): Expr {
  const within = select(compare("lt", given, -largest), number(-largest), given);
  const y = body.hold("power", select(compare("gt", given, largest), number(largest), within));
  const log = logarithm(body, x);
  const yHigh = body.hold("power_high", topDigits(y));
  const low = body.hold("exponent_low", add(mul(sub(y, yHigh), log.high), mul(y, log.low)));
  return signedPower(body, sign, { high: body.hold("exponent_high", mul(yHigh, log.high)), low });
}

/** 0 or an infinity, as the power of either is. */
const endOf = (x: Expr, positive: Expr): Expr =>
  select(bin("ne", compare("eq", x, 0), positive), infinity(f64), number(0));
const isEnd = (x: Expr): Expr => logical("or", compare("eq", x, 0), test("math.isinf", x));
const unordered = (x: Expr, y: Expr): Expr => logical("or", test("math.isnan", x), test("math.isnan", y));

/** C99 F.9.4.4. */
export const doublePower: Lowering = ofDoubles(["x", "y"], (body, x, y) => {
  const isOne = logical("or", compare("eq", x, 1), compare("eq", y, 0));
  body.returnWhere(isOne, number(1));
  body.returnWhere(unordered(x, y), nan(f64));
  const integral = body.hold("integral", compare("eq", same("math.trunc", y), y));
  const half = body.hold("halved", mul(y, number(0.5)));
  const odd = and(integral, compare("ne", same("math.trunc", half), half));
  const none = logical("and", compare("lt", x, 0), unary("not", integral));
  body.returnWhere(logical("and", none, test("math.isfinite", x)), nan(f64));
  const sign = body.hold("sign", select(and(odd, test("math.signbit", x)), number(-1), number(1)));
  const size = body.hold("size", same("math.abs", x));
  body.returnWhere(isEnd(size), mul(sign, endOf(size, compare("gt", y, 0))));
  return powerOf(body, sign, size, y);
});

/** OpenCL C 3.0 7.5.1: no number of a negative number, nor of 0^0, infinity^0 and 1^infinity. */
export const doublePositivePower: Lowering = ofDoubles(["x", "y"], (body, x, y) => {
  body.returnWhere(logical("or", compare("lt", x, 0), unordered(x, y)), nan(f64));
  const end = body.hold("end", isEnd(x));
  const none = logical("and", end, compare("eq", y, 0));
  body.returnWhere(logical("or", none, logical("and", compare("eq", x, 1), test("math.isinf", y))), nan(f64));
  body.returnWhere(end, endOf(x, compare("gt", y, 0)));
  return powerOf(body, undefined, x, y);
});

/** OpenCL C 3.0 7.5.1. */
export const doubleRoot: Lowering = ofDoubles(["x", "n"], (body, x, n) => {
  const odd = body.hold("odd", compare("ne", and(n, k(n.type, 1)), 0));
  const none = logical("or", test("math.isnan", x), compare("eq", n, 0));
  body.returnWhere(logical("or", none, logical("and", compare("lt", x, 0), unary("not", odd))), nan(f64));
  const sign = body.hold("sign", select(and(odd, test("math.signbit", x)), number(-1), number(1)));
  const size = body.hold("size", same("math.abs", x));
  body.returnWhere(isEnd(size), mul(sign, endOf(size, compare("gt", n, 0))));
  const log = logarithm(body, size);
  const count = body.hold("count", convert(n, f64, true));
  const high = body.hold("exponent_high", topDigits(div(log.high, count)));
  const low = div(add(sub(log.high, mul(high, count)), log.low), count);
  return signedPower(body, sign, { high, low: body.hold("exponent_low", low) });
});

/**
 * The bits of a third of the exponent begin the root, to 1 in 30; Halley's steps treble its digits. The last one is of a root of
 * few digits, whose square is exact.
 */
export const doubleCubeRoot: Lowering = ofDoubles(["x"], (body, x) => {
  const size = body.hold("size", same("math.abs", x));
  body.returnWhere(logical("or", unary("not", test("math.isfinite", x)), compare("eq", size, 0)), x);
  const small = body.hold("small", compare("lt", size, 2 ** -1022));
  const normal = body.hold("normal", select(small, mul(size, number(2 ** 54)), size));
  const third = add(bin("div", bitcast(normal, u64), k(u64, 3)), k(u64, BigInt(Math.round(681.9669 * 2 ** 20)) << 32n));
  const root = body.variable("root", bitcast(third, f64));
  const step = (t: Expr): Expr => {
    const part = body.hold("part", div(normal, mul(t, t)));
    return add(t, div(mul(t, sub(part, t)), add(add(t, t), part)));
  };
  body.then(put(root, step(read(root))));
  body.then(put(root, step(read(root))));
  body.then(put(root, topDigits(read(root))));
  body.then(put(root, step(read(root))));
  return same("math.copysign", body.hold("value", select(small, mul(read(root), number(2 ** -18)), read(root))), x);
});
