/**
 * The gamma function and its logarithm of double, for languages that have neither: of x = n + r, n the nearest whole number,
 * 1 / gamma(1 + r) is a polynomial in r, and x less whole numbers is exact (NIST Digital Library of Mathematical Functions, 5.5, 5.7
 * and 5.11). Special values are those of C99 F.9.5.3 and F.9.5.4. OpenCL C grants 16 ulp of `tgamma`, which is found to be within 2,
 * and states none for `lgamma` (7.4).
 */
import { block, convert, ifStatement, logical, put, read, whileStatement } from "../../ast/builders.js";
import type { Expr, Variable } from "../../ast/nodes.js";
import { add, compare, div, infinity, k, mul, nan, negate, same, select, sub, test } from "../../ops/trees.js";
import { i32 } from "../../types/types.js";
import { type DoubleBody, f64, number, ofDoubles, scaled, topDigits } from "./double-body.js";
import { polynomial } from "./formula-bodies.js";
import type { Lowering } from "./lowering.js";

/** Chebyshev's fit of (1 / gamma(1 + r) - 1) / r for |r| <= 1/2, to 2e-20. */
const slopeOfReciprocal = [
  0.5772156649015329, -0.6558780715202539, -0.04200263503409524, 0.16653861138229156, -0.04219773455554433,
  -0.009621971527881249, 0.007218943246662746, -0.001165167591751475, -0.00021524167410606922, 0.0001280502809517133,
  -2.0134854898957988e-5, -1.250482594775016e-6, 1.133028122657376e-6, -2.0568091364409526e-7, 6.11228182534047e-9,
  5.110410405681156e-9, -1.172668943707139e-9,
];
const slopeAt = (body: DoubleBody, r: Expr): Expr => body.hold("slope", polynomial(r, slopeOfReciprocal));
/** And of sin(pi r) / (pi r) in r^2, to 2e-19. */
const sineOfTurn = [
  1, -1.6449340668482264, 0.8117424252833393, -0.19075182412149616, 0.02614784780555096, -0.0023460808954639607,
  0.0001484278414189103, -6.972099660851199e-6, 2.4502943624559793e-7,
];
/** Of Stirling's series in 1 / x. */
const stirling = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400];

/** Beyond are infinities, and below numbers less than the least. */
const bounds = { above: 172, below: -186 };
/** 2^-6: factors scaled by it have products in range. */
const scale = { factor: 2 ** -6, digits: 6 };

/** (x - 1) (x - 2) ... (1 + r), or x (x + 1) ... r, scaled: the product, and beside it what its multiplications lost. */
function productOfFactors(body: DoubleBody, x: Expr, positive: Expr, count: Expr): Expr {
  const step = body.hold("by", select(positive, number(-1), number(1)));
  const at = body.variable("at", select(positive, sub(x, number(1)), x));
  const left = body.variable("left", count);
  const [high, low] = [body.variable("high", number(1)), body.variable("low", number(0))];
  const factors = body.apart((inner) => {
    const factor = inner.hold("factor", mul(read(at), number(scale.factor)));
    const [top, factorTop] = [inner.hold("top", topDigits(read(high))), inner.hold("factor_top", topDigits(factor))];
    const [rest, factorRest] = [sub(read(high), top), sub(factor, factorTop)];
    const product = inner.hold("product", mul(read(high), factor));
    const tops = sub(mul(top, factorTop), product);
    const lost = add(add(add(tops, mul(top, factorRest)), mul(rest, factorTop)), mul(rest, factorRest));
    inner.then(put(low, add(mul(read(low), factor), lost)));
    inner.then(put(high, product));
    inner.then(put(at, add(read(at), step)));
    inner.then(put(left, sub(read(left), k(i32, 1))));
  });
  body.then(whileStatement(compare("gt", read(left), 0), [...factors]));
  return body.hold("factors", add(read(high), read(low)));
}

/** The nearest whole number, and what is left beside it. */
function wholeAndRest(body: DoubleBody, x: Expr): readonly [n: Expr, r: Expr] {
  const n = body.hold("n", same("math.round_even", x));
  return [n, body.hold("r", sub(x, n))];
}

export const doubleGamma: Lowering = ofDoubles(["x"], (body, x) => {
  body.returnWhere(test("math.isnan", x), x);
  body.returnWhere(compare("gt", x, bounds.above), infinity(f64));
  body.returnWhere(compare("eq", x, 0), same("math.copysign", infinity(f64), x));
  // There it is 1 / x, of which no factor need be scaled.
  body.returnWhere(compare("lt", same("math.abs", x), 2 ** -60), div(number(1), x));
  // What has no digits behind the point is a pole, as an infinity is taken for one.
  body.returnWhere(compare("lt", x, -(2 ** 52)), nan(f64));
  const [n, r] = wholeAndRest(body, x);
  body.returnWhere(logical("and", compare("lt", n, 0), compare("eq", r, 0)), nan(f64));
  const halved = body.hold("halved", mul(same("math.floor", x), number(0.5)));
  const even = compare("eq", same("math.floor", halved), halved);
  body.returnWhere(compare("lt", x, bounds.below), select(even, number(0), number(-0)));
  const positive = body.hold("positive", compare("gt", n, 0));
  const whole = convert(n, i32, true);
  const count = body.hold("count", select(positive, sub(whole, k(i32, 1)), sub(k(i32, 1), whole)));
  const factors = productOfFactors(body, x, positive, count);
  const reciprocal = body.hold("reciprocal", add(number(1), mul(r, slopeAt(body, r))));
  const quotient = div(select(positive, factors, number(1)), mul(reciprocal, select(positive, number(1), factors)));
  const power = mul(select(positive, number(scale.digits), number(-scale.digits)), convert(count, f64, true));
  return scaled(body.hold("quotient", quotient), body.hold("power", power));
});

/** (x - 1/2) (ln(x) - 1) + (ln(2 pi) - 1) / 2 + 1 / (12 x) - ...; good from 16 on. */
function byStirling(inner: DoubleBody, a: Expr): Expr {
  const z = inner.hold("z", div(number(1), a));
  const square = inner.hold("square", mul(z, z));
  const rest = inner.hold("rest", mul(z, polynomial(square, stirling)));
  const main = mul(sub(a, number(0.5)), sub(same("math.log", a), number(1)));
  return add(main, add(number(0.4189385332046727), rest));
}

/** gamma(2 + r) is (1 + r) / (1 + r slope): its logarithm has its zero at r = 0; what lies between is a product. */
function byProduct(inner: DoubleBody, value: Variable, a: Expr, n: Expr, r: Expr, slope: Expr): void {
  const nearTwo = div(mul(r, sub(number(1), slope)), add(number(1), mul(r, slope)));
  inner.then(put(value, same("math.log1p", inner.hold("near_two", nearTwo))));
  const [product, at] = [inner.variable("product", number(1)), inner.variable("at", number(2))];
  const factors = inner.apart((loop) => {
    loop.then(put(product, mul(read(product), add(r, read(at)))));
    loop.then(put(at, add(read(at), number(1))));
  });
  inner.then(whileStatement(compare("lt", read(at), n), [...factors]));
  inner.then(ifStatement(compare("gt", n, 2), put(value, add(read(value), same("math.log", read(product))))));
}

export const doubleLogGamma: Lowering = ofDoubles(["x"], (body, x) => {
  const a = body.hold("a", same("math.abs", x));
  body.returnWhere(test("math.isnan", x), x);
  body.returnWhere(test("math.isinf", x), a);
  const [n, r] = wholeAndRest(body, a);
  body.returnWhere(logical("and", compare("le", x, 0), compare("eq", r, 0)), infinity(f64));
  // Of the two zeros, which F.9.5.3 has positive, that of a logarithm would be negative.
  body.returnWhere(compare("eq", x, 1), number(0));
  const from = body.hold("from", select(compare("eq", n, 0), x, r));
  const slope = slopeAt(body, from);
  const nearOne = body.hold("near_one", mul(from, slope));
  // gamma(x) is gamma(1 + x) / x.
  body.returnWhere(compare("eq", n, 0), sub(negate(same("math.log1p", nearOne)), same("math.log", a)));
  const value = body.variable("value", number(0));
  const farther = ifStatement(
    compare("lt", n, 16),
    block([...body.apart((inner) => byProduct(inner, value, a, n, r, slope))]),
    block([...body.apart((inner) => inner.then(put(value, byStirling(inner, a))))]),
  );
  body.then(ifStatement(compare("eq", n, 1), put(value, negate(same("math.log1p", nearOne))), farther));
  body.returnWhere(compare("gt", x, 0), read(value));
  // gamma(x) gamma(-x) is -pi / (x sin(pi x)).
  const square = body.hold("square", mul(r, r));
  const sine = body.hold("sine", mul(mul(a, same("math.abs", r)), polynomial(square, sineOfTurn)));
  return sub(negate(same("math.log", sine)), read(value));
});
