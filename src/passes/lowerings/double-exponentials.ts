/**
 * Exponentials and logarithms of double, for languages that have them of float only: the arithmetic of fdlibm (Sun Microsystems
 * 1993, e_exp.c and e_log.c), which is double's own, written anew. OpenCL C grants 3 ulp (7.4); these are found to be within 2.
 */
import { logical, unary } from "../../ast/builders.js";
import type { Expr, OpId } from "../../ast/nodes.js";
import { add, compare, div, infinity, mul, nan, negate, same, select, sub, test } from "../../ops/trees.js";
import { exponentialOf, f64, number, ofDoubles, scaled, significandOf, type DoubleBody } from "./double-body.js";
import { polynomial } from "./formula-bodies.js";
import { definedOp, type Lowering } from "./lowering.js";

/** ln 2 in two parts, of which multiples of the first by less than 2^11 are exact. */
const ln2 = [6.9314718036912381649e-1, 1.90821492927058770002e-10] as const;

interface Exponential {
  /** Beyond it the result is infinite, and below its negative zero. */
  readonly bound: number;
  /** log2 of the base. */
  readonly scale: number;
  /** What of x is left beside n powers of two, as a difference of two numbers. */
  readonly rest: (x: Expr, n: Expr) => readonly [Expr, Expr];
}

const exponentials: Partial<Record<OpId, Exponential>> = {
  "math.exp": {
    bound: 800,
    scale: Math.LOG2E,
    rest: (x, n) => [sub(x, mul(n, number(ln2[0]))), mul(n, number(ln2[1]))],
  },
  "math.exp2": { bound: 1100, scale: 1, rest: (x, n) => [mul(sub(x, n), number(Math.LN2)), number(0)] },
  "math.exp10": {
    bound: 400,
    scale: 3.321928094887362,
    // log10 2 in two parts likewise, and what ln 10 has beyond a double.
    rest: (x, n) => {
      const r = sub(sub(x, mul(n, number(0.3010299950838089))), mul(n, number(5.801722962879576e-10)));
      return [mul(r, number(Math.LN10)), mul(r, number(2.1707562233822494e-16))];
    },
  },
};

export const doubleExponential: Lowering = (call, context) => {
  const { bound, scale, rest } = exponentials[definedOp(call.op)]!;
  return ofDoubles(["x"], (body, given) => {
    const x = given;
    body.returnWhere(test("math.isnan", x), x);
    body.returnWhere(compare("gt", x, bound), infinity(f64));
    body.returnWhere(compare("lt", x, -bound), number(0));
    const n = body.hold("n", same("math.round_even", scale === 1 ? x : mul(x, number(scale))));
    const [left, taken] = rest(x, n);
    const high = body.hold("high", left);
    const value = exponentialOf(body, high, body.hold("low", taken));
    return scaled(body.hold("value", value), n);
  })(call, context);
};

/** 2^k (e^r - 1 / 2^k), r what is left beside k powers of two. */
export const doubleExponentialLessOne: Lowering = ofDoubles(["x"], (body, x) => {
  const negligible = compare("lt", same("math.abs", x), 2 ** -54);
  body.returnWhere(logical("or", test("math.isnan", x), negligible), x);
  body.returnWhere(compare("gt", x, 800), infinity(f64));
  body.returnWhere(compare("lt", x, -60), number(-1));
  const n = body.hold("n", same("math.round_even", mul(x, number(Math.LOG2E))));
  const high = body.hold("high", sub(x, mul(n, number(ln2[0]))));
  const low = body.hold("low", mul(n, number(ln2[1])));
  const one = body.hold("one", sub(number(1), scaled(number(1), negate(n))));
  return scaled(body.hold("value", exponentialOf(body, high, low, one)), n);
});

/** log(1 + f) is f - (f * f / 2 - s * (f * f / 2 + R)), s = f / (2 + f), R a polynomial of s * s (e_log.c). */
const ofQuotient = [
  6.66666666666673513e-1, 3.999999999940941908e-1, 2.857142874366239149e-1, 2.222219843214978396e-1,
  1.818357216161805012e-1, 1.531383769920937332e-1, 1.479819860511658591e-1,
];

/** Of `f`, `half` and `term` of the significand, and the exponent `n`. */
const logarithms: Partial<Record<OpId, (n: Expr, f: Expr, half: Expr, term: Expr) => Expr>> = {
  "math.log": (n, f, half, term) => sub(mul(n, number(ln2[0])), sub(sub(half, add(term, mul(n, number(ln2[1])))), f)),
  "math.log2": (n, f, half, term) => add(n, inTwo(sub(f, sub(half, term)), 1.4426950408889634, 2.0355273740931033e-17)),
  "math.log10": (n, f, half, term) =>
    add(
      add(
        inTwo(sub(f, sub(half, term)), 0.4342944819032518, 1.098319650216765e-17),
        mul(n, number(5.801722962879576e-10)),
      ),
      mul(n, number(0.3010299950838089)),
    ),
};
const inTwo = (x: Expr, high: number, low: number): Expr => add(mul(x, number(high)), mul(x, number(low)));

/** What logarithms are made of, for 1 + f times 2^n. */
interface Near {
  readonly n: Expr;
  readonly f: Expr;
  readonly half: Expr;
  readonly term: Expr;
}
function nearOne(body: DoubleBody, x: Expr): Near {
  const { m, n } = significandOf(body, x);
  const f = body.hold("f", sub(m, number(1)));
  const s = body.hold("s", div(f, add(number(2), f)));
  const z = body.hold("z", mul(s, s));
  const half = body.hold("half", mul(mul(number(0.5), f), f));
  return { n, f, half, term: body.hold("term", mul(s, add(half, mul(z, polynomial(z, ofQuotient))))) };
}

export const doubleLogarithm: Lowering = (call, context) =>
  ofDoubles(["x"], (body, x) => {
    const none = select(compare("eq", x, 0), unary("negate", infinity(f64)), nan(f64));
    body.returnWhere(test("math.isnan", x), x);
    body.returnWhere(compare("le", x, 0), none);
    body.returnWhere(test("math.isinf", x), x);
    const { n, f, half, term } = nearOne(body, x);
    return logarithms[definedOp(call.op)]!(n, f, half, term);
  })(call, context);

/** Of 1 + x; what the sum lost is added again. */
export const doubleLogarithmBesideOne: Lowering = ofDoubles(["x"], (body, x) => {
  const negligible = compare("lt", same("math.abs", x), 2 ** -54);
  const none = select(compare("eq", x, -1), unary("negate", infinity(f64)), nan(f64));
  body.returnWhere(logical("or", test("math.isnan", x), negligible), x);
  body.returnWhere(compare("le", x, -1), none);
  body.returnWhere(test("math.isinf", x), x);
  const sum = body.hold("sum", add(number(1), x));
  const left = select(compare("ge", x, 1), sub(number(1), sub(sum, x)), sub(x, sub(sum, number(1))));
  const lost = body.hold("lost", div(left, sum));
  const { n, f, half, term } = nearOne(body, sum);
  return logarithms["math.log"]!(n, f, half, add(term, lost));
});
