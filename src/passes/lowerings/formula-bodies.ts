/**
 * Functions by formulas that need names for what they use twice: bodies of helper functions. Errors are those measured
 * against exact results with functions that are correctly rounded (test/passes/formulas.test.ts); a target adds its own.
 */
import {
  add,
  and,
  bitsOf,
  compare,
  div,
  infinity,
  k,
  mul,
  nan,
  negate,
  or,
  select,
  sub,
  test,
  to,
  withScalar,
  math as f,
} from "../../ops/trees.js";
import { bitcast, opCall, unary } from "../../ast/builders.js";
import type { Expr } from "../../ast/nodes.js";
import type { Hold } from "../../ops/edge-formulas.js";
import { scalarOf, type Type } from "../../types/types.js";

const largestBelowOne = (type: Type): number =>
  ({ f16: 1 - 2 ** -11, f64: 1 - 2 ** -53 })[scalarOf(type) as "f16" | "f64"] ?? 1 - 2 ** -24;
const half = (type: Type): boolean => scalarOf(type) === "f16";
/** From there on the 1 beside the square of a number, or beside its half, does not count. */
const endOfOne = (type: Type): number => ({ f16: 128, f64: 2 ** 28 })[scalarOf(type) as "f16" | "f64"] ?? 2 ** 20;

/** x less the nearest even integer, exactly: in -1..1. */
const ofTurn = (hold: Hold, x: Expr): Expr =>
  hold("r", sub(x, mul(f("round_even", mul(x, k(x.type, 0.5))), k(x.type, 2))));

/** sin(pi r) for r in -1..1: nothing is lost near integers, where pi is not an f32. Vulkan grants no exact sine of 0. */
function sinOfTurn(hold: Hold, r: Expr): Expr {
  const m = hold("m", select(compare("gt", f("abs", r), 0.5), sub(f("copysign", k(r.type, 1), r), r), r));
  return select(compare("eq", m, 0), k(r.type, 0), f("sin_open", mul(m, k(r.type, Math.PI))));
}
/** cos(pi r) as the sine of what is left to a quarter turn. */
function cosOfTurn(hold: Hold, r: Expr): Expr {
  const q = hold("q", sub(k(r.type, 0.5), f("abs", r)));
  return select(compare("eq", q, 0), k(r.type, 0), f("sin_open", mul(q, k(r.type, Math.PI))));
}

/** c[0] + x * (c[1] + x * ...) */
export const polynomial = (x: Expr, coefficients: readonly number[]): Expr =>
  coefficients.slice(0, -1).reduceRight((sum, c) => add(k(x.type, c), mul(x, sum)), k(x.type, coefficients.at(-1)!));
/** The first 12 bits of an f32: products of two such, and of one with the rest of another, are exact. */
export const topBits = (x: Expr): Expr => {
  const u = withScalar("u32", x.type);
  return bitcast(
    { kind: "binary", operator: "and", left: bitcast(x, u), right: k(u, 0xfffff000), type: u, span: x.span },
    x.type,
  );
};

/** erf(x) for |x| < 1: Chebyshev's fit of erf(x)/x in x^2. */
const erfNear = (hold: Hold, x: Expr): Expr =>
  mul(
    x,
    polynomial(
      hold("z", mul(x, x)),
      [1.1283792, -0.37612638, 0.11283783, -0.026865438, 0.0052210535, -0.00084843964, 0.00011268254, -9.67359e-6],
    ),
  );
/** erfc(a) for a >= 1: Chebyshev's fit of erfc(a) e^(a^2) in 3 / (2 + a); the square in two parts, the first exact. */
function erfcFar(hold: Hold, x: Expr): Expr {
  // What a NaN gives is left out by the caller, and must not be open.
  const a = hold("a", f("fmin", f("abs", x), k(x.type, 11)));
  const top = hold("top", topBits(a));
  const t = hold("t", div(k(x.type, 3), add(k(x.type, 2), a)));
  const fit = polynomial(
    t,
    [
      1.1559301e-6, 0.18803851, 0.12560596, 0.071900785, 0.039000887, 0.0018624451, 0.012386176, -0.013298051,
      -0.00013812663, 0.0029965583, -0.0007727223,
    ],
  );
  return hold("far", mul(mul(f("exp", negate(mul(top, top))), f("exp", mul(sub(top, a), add(top, a)))), fit));
}
const inF32 = (name: string, x: Expr): Expr => to("f16", f(name, to("f32", x)));

export const formulaBodies: Readonly<Record<string, (hold: Hold, ...args: Expr[]) => Expr>> = {
  // Not by min, which may give its other operand for a NaN; and fused with a product that x is, it could be negative.
  "math.fract": (hold, x) => {
    const fraction = hold("fraction", sub(x, f("floor", x)), { precise: true });
    return select(compare("ge", fraction, 1), k(x.type, largestBelowOne(x.type)), fraction);
  },
  // Exact: from 2^52 on all doubles are whole, and below a whole number has one beside it. Bits are compared: a subnormal
  // number may be taken for a zero.
  "math.floor": (hold, x) => {
    const whole = hold("whole", f("trunc", x));
    const below = and(test("math.signbit", x), compare("ne", bitsOf(whole), bitsOf(x)));
    return select(below, sub(whole, k(x.type, 1)), whole);
  },
  "math.ceil": (hold, x) => {
    const whole = hold("whole", f("trunc", x));
    const above = and(unary("not", test("math.signbit", x)), compare("ne", bitsOf(whole), bitsOf(x)));
    return select(above, add(whole, k(x.type, 1)), whole);
  },
  "math.round_even": (hold, x) => {
    const whole = hold("whole", f("trunc", x));
    const rest = hold("rest", f("abs", sub(x, whole)));
    const half = hold("halved", mul(whole, k(x.type, 0.5)));
    const odd = compare("ne", f("trunc", half), half);
    const up = or(compare("gt", rest, 0.5), and(compare("eq", rest, 0.5), odd));
    return select(up, add(whole, select(compare("lt", x, 0), k(x.type, -1), k(x.type, 1))), whole);
  },
  // At most 2 ulp. C99 asks for zeros with the sign of x.
  "math.sinpi": (hold, x) => {
    const r = ofTurn(hold, x);
    const s = hold("s", sinOfTurn(hold, r));
    return select(compare("eq", s, 0), f("copysign", k(x.type, 0), x), s);
  },
  "math.cospi": (hold, x) => cosOfTurn(hold, ofTurn(hold, x)),
  // OpenCL C 3.0 7.5.1: a zero has the sign of x at even integers, and the other at odd ones.
  "math.tanpi": (hold, x) => {
    const r = ofTurn(hold, x);
    const [s, c] = [hold("s", sinOfTurn(hold, r)), hold("c", cosOfTurn(hold, r))];
    const zero = hold("zero", f("copysign", k(x.type, 0), x));
    return select(compare("eq", s, 0), select(compare("lt", c, 0), negate(zero), zero), div(s, c));
  },
  // At most 2 ulp: 12 bits of x times 12 bits of log2 10 are exact, the rest of the product is small.
  "math.exp10": (hold, x) => {
    const t = x.type;
    const whole = Math.log2(10);
    if (half(t)) return to("f16", f("exp2", mul(to("f32", x), k(withScalar("f32", t), whole))));
    const high = 3401 / 1024;
    const top = hold("top", topBits(x));
    const rest = add(mul(top, k(t, whole - high)), mul(sub(x, top), k(t, whole)));
    const split = mul(f("exp2", mul(top, k(t, high))), f("exp2", rest));
    return select(compare("lt", f("abs", x), 64), split, f("exp2", mul(x, k(t, whole))));
  },
  // At most 2 ulp: exp(x) - 1 cancels near 0; tanh(x/2)*(exp(x) + 1) is the same without, and below 2^-12 the series is.
  "math.expm1": (_, x) => {
    const h = mul(x, k(x.type, 0.5));
    const small = add(x, mul(h, x));
    const far = mul(f("tanh", h), add(f("exp", x), k(x.type, 1)));
    return select(
      compare("eq", x, 0),
      x,
      select(compare("lt", f("abs", x), half(x.type) ? 2 ** -6 : 2 ** -12), small, far),
    );
  },
  // Kahan: the rounding error of 1 + x is divided out again. At most 2 ulp.
  "math.log1p": (hold, x) => {
    const u = hold("u", add(k(x.type, 1), x));
    // Where 1 is below half a unit nothing was lost, and Vulkan's division does not reach as far.
    const large = compare("gt", x, half(x.type) ? 2 ** 11 : 2 ** 24);
    // A vector has all of its choices computed, and GLSL leaves the logarithm open where there is none.
    const positive = x.type.kind === "vector" ? hold("positive", select(compare("le", u, 0), k(x.type, 1), u)) : u;
    const logarithm = f("log_open", positive);
    const corrected = select(large, logarithm, mul(logarithm, div(x, sub(u, k(x.type, 1)))));
    const atEnds = select(compare("eq", u, 0), negate(infinity(u.type)), select(test("math.isinf", u), u, corrected));
    return select(compare("eq", u, 1), x, select(compare("lt", x, -1), nan(u.type), atEnds));
  },
  // At most 4 ulp: by log(1 + s), since x + sqrt(x*x + 1) has lost a small x; where x*x overflows the 1 does not count.
  "math.asinh": (hold, x) => {
    const a = hold("a", f("abs", x));
    const one = k(x.type, 1);
    const square = hold("square", mul(a, a));
    const near = f("log1p", add(a, div(square, add(one, f("sqrt", add(square, one))))));
    const far = add(f("log_open", a), k(x.type, Math.LN2));
    return f("copysign", select(compare("gt", a, endOfOne(x.type)), far, near), x);
  },
  "math.acosh": (hold, x) => {
    const t = hold("t", sub(x, k(x.type, 1)));
    const near = f("log1p", add(t, mul(f("sqrt", t), f("sqrt", add(t, k(x.type, 2))))));
    return select(compare("gt", x, endOfOne(x.type)), add(f("log_open", x), k(x.type, Math.LN2)), near);
  },
  "math.atanh": (hold, x) => {
    const a = hold("a", f("abs", x));
    const s = div(mul(a, k(x.type, 2)), sub(k(x.type, 1), a));
    return f("copysign", mul(f("log1p", s), k(x.type, 0.5)), x);
  },
  // At most 6 and 8 ulp, the latter where 1 - erf(x) is taken near 1.
  "math.erf": (hold, x) => {
    if (half(x.type)) return inF32("erf", x);
    const far = f("copysign", sub(k(x.type, 1), erfcFar(hold, x)), x);
    return select(test("math.isnan", x), x, select(compare("lt", f("abs", x), 1), erfNear(hold, x), far));
  },
  "math.erfc": (hold, x) => {
    if (half(x.type)) return inF32("erfc", x);
    const far = erfcFar(hold, x);
    const ofNegative = select(compare("lt", x, 0), sub(k(x.type, 2), far), far);
    return select(
      test("math.isnan", x),
      x,
      select(compare("lt", f("abs", x), 1), sub(k(x.type, 1), erfNear(hold, x)), ofNegative),
    );
  },
  // 1 / n is rounded, which a large x feels: a step of Newton's takes most of that back.
  "math.rootn": (hold, x, n) => {
    const t = x.type;
    if (half(t)) return to("f16", opCall("math.rootn", [to("f32", x), n], withScalar("f32", t)));
    const count = hold("count", to("f32", n));
    const size = hold("size", f("abs", x));
    const root = hold("root", f("pow", size, div(k(t, 1), count)));
    // One power less does not overflow where x itself does not.
    const inverse = compare("lt", n, 0);
    const fewer = sub(count, select(inverse, k(t, -1), k(t, 1)));
    const part = hold("part", div(size, f("pow", root, fewer)));
    const ratio = hold("ratio", select(inverse, mul(part, root), div(part, root)));
    // Powers that are subnormal have too few digits.
    const close = and(compare("gt", size, 2 ** -90), and(compare("gt", ratio, 0.5), compare("lt", ratio, 2)));
    const better = select(close, add(root, mul(root, div(sub(ratio, k(t, 1)), count))), root);
    const ofOne = select(compare("eq", n, -1), div(k(t, 1), size), better);
    const near = hold("near", select(compare("eq", n, 1), size, ofOne));
    const odd = hold("odd", compare("eq", and(n, k(n.type, 1)), 1));
    const none = or(compare("eq", n, 0), and(compare("lt", x, 0), unary("not", odd)));
    return select(none, nan(t), select(odd, f("copysign", near, x), near));
  },
  // At most 1 ulp: a power of 2 is off by as many digits as its exponent has, which one step of Newton's takes back.
  "math.cbrt": (hold, x) => {
    const a = hold("a", f("abs", x));
    // GLSL leaves the logarithm of 0 open, though its value is not used.
    const positive = select(compare("eq", a, 0), k(x.type, 1), a);
    const y = hold("y", f("exp2", div(f("log2_open", positive), k(x.type, 3))));
    const better = add(y, div(sub(div(a, mul(y, y)), y), k(x.type, 3)));
    return select(or(compare("eq", a, 0), test("math.isinf", a)), x, f("copysign", better, x));
  },
};
