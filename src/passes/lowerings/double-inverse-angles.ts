/**
 * asin, acos and atan of double, for languages that have them of float only: the arithmetic of fdlibm (Sun Microsystems 1993,
 * e_asin.c, e_acos.c, s_atan.c), written anew. OpenCL C grants 4, 4 and 5 ulp (7.4); these are found to be within 2.
 */
import { block, ifStatement, put, read, unary } from "../../ast/builders.js";
import type { Expr, OpId, Statement } from "../../ast/nodes.js";
import { add, compare, div, mul, nan, same, select, sub } from "../../ops/trees.js";
import { type DoubleBody, f64, number, ofDoubles } from "./double-body.js";
import { polynomial } from "./formula-bodies.js";
import { definedOp, type Lowering } from "./lowering.js";

type Body = (body: DoubleBody, x: Expr) => Expr;

/** pi / 2 in two parts. */
const quarter = [Math.PI / 2, 6.12323399573676603587e-17] as const;

/** asin(x) is x + x * z * p(z) / q(z), z = x * x, up to 1/2. */
const above = [
  1.66666666666666657415e-1, -3.25565818622400915405e-1, 2.01212532134862925881e-1, -4.00555345006794114027e-2,
  7.91534994289814532176e-4, 3.4793310759602116757e-5,
];
const below = [
  1, -2.40339491173441421878, 2.02094576023350569471, -6.8828397160545329303e-1, 7.70381505559019352791e-2,
];

/**
 * Up to 1/2 `near`; beyond it by half of the angle, whose sine is `root`: asin(|x|) is pi / 2 - 2 * asin(root).
 * Of numbers beyond 1 there is none.
 */
const arc =
  (near: (x: Expr, part: Expr) => Expr, far: (x: Expr, angle: Expr) => Expr): Body =>
  (body, x) => {
    const a = body.hold("a", same("math.abs", x));
    const small = compare("lt", a, 0.5);
    // Of a NaN, too.
    body.returnWhere(unary("not", compare("le", a, 1)), nan(f64));
    const z = body.hold("z", select(small, mul(x, x), mul(sub(number(1), a), number(0.5))));
    const part = body.hold("part", div(mul(z, polynomial(z, above)), polynomial(z, below)));
    body.returnWhere(small, near(x, part));
    const root = body.hold("root", same("math.sqrt", z));
    return far(x, body.hold("angle", add(root, mul(root, part))));
  };
const twice = (e: Expr): Expr => mul(number(2), e);

/** atan of t around 0, with what comes before it: the angle of 1/2, 1, 3/2 and infinity, in two parts. */
const steps = [
  [0.4375, 0, 0],
  [0.6875, 4.63647609000806093515e-1, 2.26987774529616870924e-17],
  [1.1875, Math.PI / 4, 3.06161699786838301793e-17],
  [2.4375, 9.82793723247329054082e-1, 1.39033110312309984516e-17],
  [Infinity, ...quarter],
] as const;
const ofTangent = [
  3.33333333333329318027e-1, -1.99999999998764832476e-1, 1.42857142725034663711e-1, -1.1111110405462355788e-1,
  9.09088713343650656196e-2, -7.69187620504482999495e-2, 6.66107313738753120669e-2, -5.83357013379057348645e-2,
  4.97687799461593236017e-2, -3.6531572744216915527e-2, 1.62858201153657823623e-2,
];

const arctangent: Body = (body, x) => {
  // Of a NaN, too; and what is lost of an angle this near to a right one is below half a unit.
  const a = body.hold("a", same("math.abs", x));
  const [rest, high, low] = [body.variable("t", a), body.variable("high", number(0)), body.variable("low", number(0))];
  const rests: readonly Expr[] = [
    a,
    div(sub(twice(a), number(1)), add(number(2), a)),
    div(sub(a, number(1)), add(a, number(1))),
    div(sub(a, number(1.5)), add(number(1), mul(number(1.5), a))),
    div(number(-1), a),
  ];
  const chosen = (i: number): Statement => {
    const [, ...angle] = steps[i]!;
    return block([put(rest, rests[i]!), put(high, number(angle[0])), put(low, number(angle[1]))]);
  };
  const from = (i: number): Statement =>
    i === steps.length - 1 ? chosen(i) : ifStatement(compare("lt", a, steps[i]![0]), chosen(i), from(i + 1));
  body.then(ifStatement(compare("ge", a, steps[0][0]), from(1)));
  const t = read(rest);
  const z = body.hold("z", mul(t, t));
  const value = sub(read(high), sub(sub(mul(t, mul(z, polynomial(z, ofTangent))), read(low)), t));
  return same("math.copysign", body.hold("value", value), x);
};

const bodies: Partial<Record<OpId, Body>> = {
  "math.asin": arc(
    (x, part) => add(x, mul(x, part)),
    (x, angle) => same("math.copysign", sub(number(quarter[0]), sub(twice(angle), number(quarter[1]))), x),
  ),
  "math.acos": arc(
    (x, part) => sub(number(quarter[0]), sub(x, sub(number(quarter[1]), mul(x, part)))),
    (x, angle) =>
      select(compare("gt", x, 0), twice(angle), twice(sub(number(quarter[0]), sub(angle, number(quarter[1]))))),
  ),
  "math.atan": arctangent,
};

export const doubleInverseAngle: Lowering = (call, context) =>
  ofDoubles(["x"], (body, x) => bodies[definedOp(call.op)]!(body, x))(call, context);

/** The angle of (x, y) inside of the quadrants and on the line x = 0. */
export const doubleAngleOfPoint: Lowering = ofDoubles(["y", "x"], (body, y, x) => {
  const slope = body.hold("slope", same("math.abs", div(y, x)));
  const near = body.hold("near", select(compare("eq", x, 0), number(quarter[0]), same("math.atan", slope)));
  const half = sub(number(2 * quarter[0]), sub(near, number(2 * quarter[1])));
  return same("math.copysign", body.hold("angle", select(compare("lt", x, 0), half, near)), y);
});
