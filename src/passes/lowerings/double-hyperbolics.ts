/**
 * Hyperbolic functions and the error functions of double, for languages that have them of float only, by exponentials that lose
 * nothing near 0 (`expm1`). OpenCL C grants 4 ulp, of the tangent 5 and of the error functions 16 (7.4); these are found to be within 2
 * and 3.
 */
import { logical } from "../../ast/builders.js";
import type { Expr, OpId } from "../../ast/nodes.js";
import { add, compare, div, mul, negate, same, select, sub, test } from "../../ops/trees.js";
import { type DoubleBody, number, ofDoubles, topDigits } from "./double-body.js";
import { polynomial } from "./formula-bodies.js";
import { definedOp, type Lowering } from "./lowering.js";

const half = (x: Expr): Expr => mul(number(0.5), x);
/** e^-x is below half a unit of e^x from there on. */
const large = 22;
/** e^|x| / 2, which is in range where e^|x| is not. */
function halfExponential(body: DoubleBody, a: Expr): Expr {
  const root = body.hold("root", same("math.exp", half(a)));
  return mul(half(root), root);
}

const sinh: Lowering = ofDoubles(["x"], (body, x) => {
  const a = body.hold("a", same("math.abs", x));
  body.returnWhere(compare("gt", a, large), same("math.copysign", body.hold("far", halfExponential(body, a)), x));
  const t = body.hold("t", same("math.expm1", a));
  return same("math.copysign", body.hold("near", half(add(t, div(t, add(t, number(1)))))), x);
});

const cosh: Lowering = ofDoubles(["x"], (body, x) => {
  const a = body.hold("a", same("math.abs", x));
  body.returnWhere(compare("gt", a, large), halfExponential(body, a));
  const t = body.hold("t", same("math.exp", a));
  return add(half(t), div(number(0.5), t));
});

/** t / (t + 2) for t = e^(2 |x|) - 1; near 0 of e^(-2 |x|), of which nothing cancels. */
const tanh: Lowering = ofDoubles(["x"], (body, x) => {
  const a = body.hold("a", same("math.abs", x));
  body.returnWhere(compare("gt", a, large), same("math.copysign", number(1), x));
  const far = compare("ge", a, 1);
  const t = body.hold("t", same("math.expm1", mul(select(far, number(2), number(-2)), a)));
  const below = div(select(far, number(2), negate(t)), add(t, number(2)));
  const part = body.hold("part", below);
  return same("math.copysign", body.hold("value", select(far, sub(number(1), part), part)), x);
});

/** Chebyshev's fit of erf(x) / x in x^2 up to 1/2. */
const nearZero = [
  1.1283791670955126, -0.3761263890318375, 0.1128379167095487, -0.02686617064499972, 0.0052239776220169365,
  -0.0008548326510724796, 0.00012055286202005714, -1.4923003368152099e-5, 1.637123442577e-6, -1.462091340945175e-7,
];
/** And of erfc(a) e^(a^2) (1 + 2 a) in (a - 3.75) / (a + 3.75) from there to 28, where erfc is below all doubles. */
const beyond = [
  1.2375126308378275, -0.14024059858554702, 0.0035854154854658496, 0.08227673849015059, -0.1088039301418558,
  0.09230432116022246, -0.05869339858656682, 0.028362277420937457, -0.009746579602513314, 0.0017556258398018613,
  0.0002937140375272005, -0.0002901540353336165, 5.164717365417525e-5, 2.2384180644872092e-5, -1.1437767278950732e-5,
  -9.7368428239226e-7, 1.7380461262457937e-6, -5.658053403353585e-8, -2.405381553661818e-7, 2.2156361551057863e-8,
  2.4650884795239513e-8, -2.819125663086401e-9,
];
const edge = 0.5;

/** erfc(a); the square is taken in two parts, the first exact. */
function complement(body: DoubleBody, a: Expr): Expr {
  const top = body.hold("top", topDigits(a));
  const t = body.hold("t", div(sub(a, number(3.75)), add(a, number(3.75))));
  const fit = body.hold("fit", div(polynomial(t, beyond), add(number(1), mul(number(2), a))));
  const square = body.hold("square", mul(top, top));
  const rest = body.hold("rest", mul(sub(top, a), add(top, a)));
  return body.hold("far", mul(mul(same("math.exp", negate(square)), fit), same("math.exp", rest)));
}

const erfNearZero = (body: DoubleBody, x: Expr): Expr => mul(x, polynomial(body.hold("z", mul(x, x)), nearZero));

const erf: Lowering = ofDoubles(["x"], (body, x) => {
  const a = body.hold("a", same("math.abs", x));
  body.returnWhere(logical("or", test("math.isnan", x), compare("eq", x, 0)), x);
  body.returnWhere(compare("lt", a, edge), erfNearZero(body, x));
  body.returnWhere(compare("gt", a, 6), same("math.copysign", number(1), x));
  const far = complement(body, a);
  return same("math.copysign", body.hold("value", sub(number(1), far)), x);
});

const erfc: Lowering = ofDoubles(["x"], (body, x) => {
  const a = body.hold("a", same("math.abs", x));
  const negative = compare("lt", x, 0);
  body.returnWhere(test("math.isnan", x), x);
  body.returnWhere(compare("lt", a, edge), sub(number(1), erfNearZero(body, x)));
  body.returnWhere(compare("gt", a, 28), select(negative, number(2), number(0)));
  const far = complement(body, a);
  return select(negative, sub(number(2), far), far);
});

const bodies: Partial<Record<OpId, Lowering>> = {
  "math.sinh": sinh,
  "math.cosh": cosh,
  "math.tanh": tanh,
  "math.erf": erf,
  "math.erfc": erfc,
};

export const doubleHyperbolic: Lowering = (call, context) => bodies[definedOp(call.op)]!(call, context);
