/**
 * The gamma function and its logarithm of f32, by what every target has: of x = n + r, n the nearest whole number, 1 / gamma(1 + r)
 * is a polynomial in r, and x less whole numbers is exact (NIST Digital Library of Mathematical Functions, 5.5 and 5.7).
 * Special values are those of C99 F.9.5.3 and F.9.5.4. Polynomials are Chebyshev fits for |r| <= 0.5.
 */
import {
  assign,
  bitcast,
  block,
  conditional,
  convert,
  declare,
  expressionStatement,
  ifStatement,
  load,
  logical,
  opCall,
  read,
  put,
  returnStatement,
  variablePlace,
  whileStatement,
} from "../../ast/builders.js";
import type { Expr, OpCall, Statement, Variable } from "../../ast/nodes.js";
import {
  add,
  and,
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
  withScalar,
  math as f,
} from "../../ops/trees.js";
import { f32, i32, scalarOf, u32 } from "../../types/types.js";
import { polynomial, topBits } from "./formula-bodies.js";
import {
  held,
  helperCall,
  statements,
  type HelperMaker,
  type Lowering,
  type LoweringContext,
  type LoweringResult,
  byComponents,
} from "./lowering.js";

const number = (value: number): Expr => k(f32, value);

/** 1 / gamma(1 + r), to 1e-11. */
const reciprocal = [
  1, 0.577215665, -0.655878072, -0.0420026188, 0.166538613, -0.0421980993, -0.0096219975, 0.00722229111, -0.00116493243,
  -0.000228742977, 0.000127129258,
];
/** ln(gamma(1 + r)) / r, to 2e-9, and ln(gamma(2 + r)) / r, to 1e-9. */
const aroundOne = [
  -0.577215666, 0.822467035, -0.400685179, 0.270580379, -0.207414359, 0.169584351, -0.143374466, 0.124872636,
  -0.118744583, 0.107086707, -0.0505540164, 0.0452779781, -0.177682882, 0.166292782,
];
const aroundTwo = [
  0.422784335, 0.322467018, -0.0673522941, 0.0205816254, -0.00738592088, 0.00287886868, -0.00118748481, 0.00057025125,
  -0.000250562021,
];
/** sin(pi r) / (pi r) in r^2, to 2e-11. */
const sineOfTurn = [1, -1.64493406, 0.811742195, -0.190747895, 0.0261174376, -0.0022371786];

/** Of each component, of halves as floats: what `of` makes of an f32. */
const ofFloats = (call: OpCall, context: LoweringContext, of: (x: Expr) => Expr): LoweringResult =>
  byComponents(call, context, ["x"], (x) =>
    scalarOf(x.type) === "f16" ? convert(of(convert(x, f32)), x.type) : of(x),
  );

/** The call of a helper for one f32, whatever the types of the call it serves. */
const byHelper =
  (call: OpCall, context: LoweringContext, body: (maker: HelperMaker, x: Variable) => Statement[]) =>
  (x: Expr): Expr =>
    helperCall({ ...call, arguments: [x], type: f32 }, context, (maker, [parameter]) => body(maker, parameter!));

export const gamma: Lowering = (call, context) => ofFloats(call, context, byHelper(call, context, gammaBody));
export const logGamma: Lowering = (call, context) => ofFloats(call, context, byHelper(call, context, logGammaBody));

function gammaBody(maker: HelperMaker, parameter: Variable): Statement[] {
  const x = read(parameter);
  const exact = (name: string): Variable => maker.local(name, f32, { precise: true });
  const [nearest, rest, scaled] = [maker.local("nearest", f32), exact("rest"), maker.local("scaled", f32)];
  const [high, low, factor, product, lost] = [
    exact("high"),
    exact("low"),
    exact("factor"),
    exact("product"),
    exact("lost"),
  ];
  const [step, scale, at, power] = [
    maker.local("by", f32),
    maker.local("scale", f32),
    maker.local("offset", f32),
    maker.local("power", f32),
  ];
  const count = maker.local("count", i32);
  const [highTop, factorTop] = [exact("high_top"), exact("factor_top")];
  const inverse = maker.local("inverse", f32);
  const isPositive = compare("gt", read(nearest), 0);
  const whole = convert(read(nearest), i32);
  const [highRest, factorRest] = [sub(read(high), read(highTop)), sub(read(factor), read(factorTop))];
  const even = compare("eq", and(convert(f("floor", x), i32), k(i32, 1)), k(i32, 0));
  return [
    ifStatement(test("math.isnan", x), returnStatement(x)),
    ifStatement(compare("gt", x, 36), returnStatement(infinity(f32))),
    declare(nearest.id, f("round_even", x)),
    declare(rest.id, sub(x, read(nearest))),
    // Poles, and what has no digits behind the point.
    ifStatement(
      logical(
        "or",
        compare("lt", x, -(2 ** 23)),
        logical("and", compare("lt", read(nearest), 0), compare("eq", read(rest), 0)),
      ),
      returnStatement(nan(f32)),
    ),
    ifStatement(compare("lt", x, -43), returnStatement(conditional(even, number(0), number(-0)))),
    // 1 / x, which division grants of a scaled operand.
    ifStatement(
      compare("lt", f("abs", x), 2 ** -32),
      block([
        declare(scaled.id, mul(x, number(2 ** 64))),
        returnStatement(
          conditional(
            compare("eq", read(scaled), 0),
            bitcast(or(k(u32, 0x7f800000), and(bitcast(x, u32), k(u32, 0x80000000))), f32),
            mul(div(number(1), read(scaled)), number(2 ** 64)),
          ),
        ),
      ]),
    ),
    declare(inverse.id, polynomial(read(rest), reciprocal)),
    // (x - 1) (x - 2) ... (1 + r), or x (x + 1) ... r, in two parts; scaled, so that none overflows.
    declare(count.id, conditional(isPositive, sub(whole, k(i32, 1)), sub(k(i32, 1), whole))),
    declare(step.id, conditional(isPositive, number(-1), number(1))),
    declare(scale.id, conditional(isPositive, number(0.5), number(0.125))),
    declare(at.id, conditional(isPositive, number(-1), number(0))),
    declare(power.id, number(1)),
    declare(high.id, number(1)),
    declare(low.id, number(0)),
    whileStatement(compare("gt", read(count), 0), [
      declare(factor.id, mul(add(x, read(at)), read(scale))),
      declare(highTop.id, topBits(read(high))),
      declare(factorTop.id, topBits(read(factor))),
      declare(product.id, mul(read(high), read(factor))),
      declare(
        lost.id,
        add(
          add(
            add(sub(mul(read(highTop), read(factorTop)), read(product)), mul(read(highTop), factorRest)),
            mul(highRest, read(factorTop)),
          ),
          mul(highRest, factorRest),
        ),
      ),
      put(low, add(mul(read(low), read(factor)), read(lost))),
      put(high, read(product)),
      put(power, mul(read(power), conditional(isPositive, number(2), number(0.125)))),
      put(at, add(read(at), read(step))),
      put(count, sub(read(count), k(i32, 1))),
    ]),
    put(high, add(read(high), read(low))),
    ifStatement(isPositive, returnStatement(mul(div(read(high), read(inverse)), read(power)))),
    returnStatement(mul(div(number(1), mul(read(inverse), read(high))), read(power))),
  ];
}

function logGammaBody(maker: HelperMaker, parameter: Variable): Statement[] {
  const x = read(parameter);
  const [size, nearest, rest] = [
    maker.local("size", f32),
    maker.local("nearest", f32),
    maker.local("rest", f32, { precise: true }),
  ];
  const [value, product, at] = [maker.local("value", f32), maker.local("product", f32), maker.local("offset", f32)];
  const [inverse, from, square] = [maker.local("inverse", f32), maker.local("from", f32), maker.local("square", f32)];
  const [a, n, r] = [read(size), read(nearest), read(rest)];
  return [
    ifStatement(test("math.isnan", x), returnStatement(x)),
    declare(size.id, f("abs", x)),
    ifStatement(test("math.isinf", x), returnStatement(a)),
    declare(nearest.id, f("round_even", a)),
    declare(rest.id, sub(a, n)),
    ifStatement(logical("and", compare("le", x, 0), compare("eq", r, 0)), returnStatement(infinity(f32))),
    // Of the two zeros, which F.9.5.3 has positive, that of the polynomial would be negative.
    ifStatement(compare("eq", x, 1), returnStatement(number(0))),
    declare(value.id),
    ifStatement(
      compare("lt", n, 2),
      block([
        declare(from.id, conditional(compare("eq", n, 0), x, r)),
        put(value, mul(read(from), polynomial(read(from), aroundOne))),
        // gamma(x) is gamma(1 + x) / x.
        ifStatement(compare("eq", n, 0), returnStatement(sub(read(value), f("log", a)))),
      ]),
      ifStatement(
        compare("le", n, 8),
        block([
          put(value, mul(r, polynomial(r, aroundTwo))),
          declare(product.id, number(1)),
          declare(at.id, number(2)),
          whileStatement(compare("lt", read(at), n), [
            put(product, mul(read(product), add(r, read(at)))),
            put(at, add(read(at), number(1))),
          ]),
          ifStatement(compare("gt", n, 2), put(value, add(read(value), f("log_open", read(product))))),
        ]),
        // Stirling: (a - 1/2) (ln(a) - 1) + (ln(2 pi) - 1) / 2 + 1 / (12 a) - 1 / (360 a^3), with the last two where they count.
        block([
          declare(
            inverse.id,
            conditional(compare("lt", a, 2 ** 24), div(number(1), f("min", a, number(2 ** 24))), number(0)),
          ),
          put(
            value,
            add(
              mul(sub(a, number(0.5)), sub(f("log_open", a), number(1))),
              add(
                number(0.418938533),
                mul(read(inverse), sub(number(1 / 12), mul(mul(read(inverse), read(inverse)), number(1 / 360)))),
              ),
            ),
          ),
        ]),
      ),
    ),
    ifStatement(compare("gt", x, 0), returnStatement(read(value))),
    // gamma(x) gamma(-x) is -pi / (x sin(pi x)).
    declare(square.id, mul(r, r)),
    returnStatement(
      sub(negate(f("log_open", mul(mul(a, f("abs", r)), polynomial(read(square), sineOfTurn)))), read(value)),
    ),
  ];
}

/** lgamma_r: the sign is negative from an odd whole number below zero to the next, and of -0; at a pole C99 names none. */
export const gammaAndSign: Lowering = (call, context) => {
  const before: Statement[] = [];
  const x = held(context, before, "x", call.arguments[0]!);
  const result = context.local("logarithm", x.type);
  const below = f("floor", x);
  const halved = mul(below, k(x.type, 0.5));
  const odd = compare("ne", f("floor", halved), halved);
  const between = and(compare("lt", x, 0), odd);
  const negative = or(between, and(compare("eq", x, 0), test("math.signbit", x)));
  const i = withScalar("i32", x.type);
  before.push(
    declare(result.id, opCall("math.lgamma", [x], x.type, call.span)),
    expressionStatement(assign(call.places[0]!, select(negative, k(i, -1), k(i, 1)))),
  );
  return statements(before, load(variablePlace(result)));
};
