/**
 * fmod and remainder, exact for every quotient. Division is good to 2.5 ulp in Vulkan, and the quotient of two floats may
 * have more digits than a float: nothing is divided but whole numbers here, as by hand, some binary digits at a time.
 */
import {
  bitcast,
  block,
  boolLiteral,
  conditional,
  convert,
  declare,
  ifStatement,
  logical,
  opCall,
  read,
  put,
  returnStatement,
  unary,
  whileStatement,
} from "../../ast/builders.js";
import type { Expr, Statement, Variable } from "../../ast/nodes.js";
import { add, and, bin, div, k, mul, negate, or, select, sub, test } from "../../ops/trees.js";
import { noSpan } from "../../support/span.js";
import { bool, f32, i32, scalarOf, u32 } from "../../types/types.js";
import { expression, helperCall, type HelperMaker, type Lowering, byComponents } from "../lowerings/lowering.js";

const is = (operator: "lt" | "le" | "gt" | "ge" | "eq" | "ne", a: Expr, b: Expr): Expr => ({
  kind: "binary",
  operator,
  left: a,
  right: b,
  type: bool,
  span: noSpan,
});
const either = (...parts: readonly Expr[]): Expr => parts.reduce((a, b) => logical("or", a, b));

export const exactRemainder: Lowering = (call, context) => {
  const kind = scalarOf(call.type)!;
  if (call.type.kind === "vector")
    return byComponents(call, context, ["x", "y"], (x, y) => opCall(call.op, [x, y], x.type, call.span));
  // Of two halves it is a half.
  if (kind === "f16")
    return expression(
      convert(
        opCall(
          call.op,
          call.arguments.map((a) => convert(a, f32)),
          f32,
          call.span,
        ),
        call.type,
      ),
    );
  const nearest = call.op === "math.remainder";
  return expression(
    helperCall(call, context, (maker, [x, y]) => (kind === "f64" ? bySubtraction : byDigits)(maker, x!, y!, nearest)),
  );
};

/** On the digits of two f32 as whole numbers: eight more of the dividend's at a time leave the rest below 2^32. */
function byDigits(maker: HelperMaker, x: Variable, y: Variable, nearest: boolean): Statement[] {
  const sign = maker.local("sign", u32);
  const [a, b] = [maker.local("a", u32), maker.local("b", u32)];
  const [digits, divisor, rest, odd] = [
    maker.local("digits", u32),
    maker.local("divisor", u32),
    maker.local("rest", u32),
    maker.local("odd", u32),
  ];
  const [exponent, left] = [maker.local("exponent", i32), maker.local("left", i32)];
  const count = maker.local("count", u32);
  const bits = (v: Variable): Expr => bitcast(read(v), u32);
  const field = (v: Variable): Expr => bin("shr", read(v), k(u32, 23));
  // A subnormal number has the exponent of the least normal one, and no leading one.
  const exponentOf = (v: Variable): Expr => opCall("math.max", [convert(field(v), i32), k(i32, 1)], i32);
  const significand = (v: Variable): Expr => {
    const fraction = and(read(v), k(u32, 0x7fffff));
    return conditional(is("eq", field(v), k(u32, 0)), fraction, or(fraction, k(u32, 0x800000)));
  };
  const signed = (value: Expr): Expr => bitcast(bin("xor", bitcast(value, u32), read(sign)), f32);
  const scale = bitcast(bin("shl", convert(read(exponent), u32), k(u32, 23)), f32);
  const scaled = mul(scale, mul(convert(read(rest), f32), k(f32, 2 ** -23)));
  const undefinedHere = either(
    is("ge", read(a), k(u32, 0x7f800000)),
    is("gt", read(b), k(u32, 0x7f800000)),
    is("eq", read(b), k(u32, 0)),
  );
  const magnitude = (v: Variable): Expr => bitcast(read(v), f32);
  const lessThanHalf = is("le", add(magnitude(a), magnitude(a)), magnitude(b));
  const small: Statement[] = nearest
    ? [
        ifStatement(
          is("lt", read(a), read(b)),
          returnStatement(conditional(lessThanHalf, read(x), signed(sub(magnitude(a), magnitude(b))))),
        ),
      ]
    : [ifStatement(is("lt", read(a), read(b)), returnStatement(read(x)))];
  const twice = bin("shl", read(rest), k(u32, 1));
  const step: Statement[] = [
    declare(count.id, convert(opCall("math.min", [read(left), k(i32, 8)], i32), u32)),
    put(digits, bin("shl", read(rest), read(count))),
    ...(nearest ? [put(odd, and(div(read(digits), read(divisor)), k(u32, 1)))] : []),
    put(rest, bin("rem", read(digits), read(divisor))),
    put(left, sub(read(left), k(i32, 8))),
  ];
  const past = either(
    is("gt", twice, read(divisor)),
    logical("and", is("eq", twice, read(divisor)), is("eq", read(odd), k(u32, 1))),
  );
  return [
    declare(a.id, and(bits(x), k(u32, 0x7fffffff))),
    declare(b.id, and(bits(y), k(u32, 0x7fffffff))),
    declare(sign.id, and(bits(x), k(u32, 0x80000000))),
    ifStatement(undefinedHere, returnStatement(bitcast(k(u32, 0x7fc00000), f32))),
    ...small,
    declare(digits.id, significand(a)),
    declare(divisor.id, significand(b)),
    declare(exponent.id, exponentOf(b)),
    declare(left.id, sub(exponentOf(a), read(exponent))),
    ...(nearest ? [declare(odd.id, and(div(read(digits), read(divisor)), k(u32, 1)))] : []),
    declare(rest.id, bin("rem", read(digits), read(divisor))),
    whileStatement(is("gt", read(left), k(i32, 0)), step),
    ...(nearest
      ? [
          ifStatement(
            past,
            block([put(rest, sub(read(divisor), read(rest))), put(sign, bin("xor", read(sign), k(u32, 0x80000000)))]),
          ),
        ]
      : []),
    returnStatement(signed(scaled)),
  ];
}

/** Of doubles, for which there may be no integers: the divisor by powers of two is subtracted, each time exactly. */
function bySubtraction(maker: HelperMaker, x: Variable, y: Variable, nearest: boolean): Statement[] {
  const type = x.type;
  const [rest, divisor, part] = [maker.local("rest", type), maker.local("divisor", type), maker.local("part", type)];
  const [digits, odd] = [maker.local("digits", i32), maker.local("odd", bool)];
  const notFinite = unary("not", test("math.isfinite", read(x)));
  const undefinedHere = either(notFinite, test("math.isnan", read(y)), is("eq", read(y), k(type, 0)));
  const twice = add(read(rest), read(rest));
  const past = either(is("gt", twice, read(divisor)), logical("and", is("eq", twice, read(divisor)), read(odd)));
  const signed = select(is("lt", read(x), k(type, 0)), negate(read(rest)), read(rest));
  return [
    ifStatement(undefinedHere, returnStatement(k(type, NaN))),
    ifStatement(test("math.isinf", read(y)), returnStatement(read(x))),
    declare(rest.id, opCall("math.abs", [read(x)], type)),
    declare(divisor.id, opCall("math.abs", [read(y)], type)),
    declare(part.id, read(divisor)),
    declare(digits.id, k(i32, 0)),
    // There are no more powers of two than that, should the divisor be taken for a zero.
    whileStatement(
      logical("and", is("le", read(part), mul(read(rest), k(type, 0.5))), is("lt", read(digits), k(i32, 2100))),
      [put(part, add(read(part), read(part))), put(digits, add(read(digits), k(i32, 1)))],
    ),
    ...(nearest ? [declare(odd.id, boolLiteral(false))] : []),
    whileStatement(is("ge", read(digits), k(i32, 0)), [
      ...(nearest ? [put(odd, is("ge", read(rest), read(part)))] : []),
      ifStatement(is("ge", read(rest), read(part)), put(rest, sub(read(rest), read(part)))),
      put(part, mul(read(part), k(type, 0.5))),
      put(digits, sub(read(digits), k(i32, 1))),
    ]),
    ...(nearest ? [ifStatement(past, put(rest, sub(read(rest), read(divisor))))] : []),
    returnStatement(select(is("eq", read(x), k(type, 0)), read(x), signed)),
  ];
}
