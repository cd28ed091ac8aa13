/**
 * Sine, cosine and tangent of double, for languages that have them of float only: the polynomials of fdlibm (Sun Microsystems 1993,
 * k_sin.c and k_cos.c) for an eighth of a turn either way, after quarters of a turn are taken off: up to 2^20 as multiples of pi / 2
 * in four parts (Cody and Waite, 1980), beyond by the digits of 2 / pi that count (Payne and Hanek, 1983). OpenCL C grants 4 ulp, of
 * the tangent 5 (7.4); these are found to be within 1 and 2.
 */
import {
  bitcast,
  block,
  construct,
  convert,
  element,
  ifStatement,
  load,
  put,
  read,
  swizzleValue,
  unary,
  variablePlace,
} from "../../ast/builders.js";
import type { Expr, OpId } from "../../ast/nodes.js";
import {
  add,
  and,
  bin,
  compare,
  complement,
  div,
  k,
  mul,
  nan,
  negate,
  or,
  same,
  select,
  sub,
  test,
} from "../../ops/trees.js";
import { noSpan } from "../../support/span.js";
import { array, i32, shaped } from "../../types/types.js";
import { DoubleBody, f64, number, ofDoubles, topDigits, u64 } from "./double-body.js";
import { polynomial } from "./formula-bodies.js";
import { definedOp, helperOf, type Lowering, type LoweringContext } from "./lowering.js";

const whole = (x: number | bigint): Expr => k(u64, x);

/** An angle of at most an eighth of a turn in two parts, and the quarters of a turn beside it. */
const reduced = shaped("f64", 3);

/** 2 / pi in binary after a word of zeros: enough for the greatest double. */
const inverse = [
  0x0000000000000000n,
  0xa2f9836e4e441529n,
  0xfc2757d1f534ddc0n,
  0xdb6295993c439041n,
  0xfe5163abdebbc561n,
  0xb7246e3a424dd2e0n,
  0x06492eea09d1921cn,
  0xfe1deb1cb129a73en,
  0xe88235f52ebb4484n,
  0xe99c7026b45f7e41n,
  0x3991d639835339f4n,
  0x9c845f8bbdf9283bn,
  0x1ff897ffde05980fn,
  0xef2f118b5a0a6d1fn,
  0x6d367ecf27cb09b7n,
  0x4f463f669e5fea2dn,
  0x7527bac7ebe5f17bn,
  0x3d0739f78a5292ean,
  0x6bfb5fb11f8d5d08n,
  0x56033046fc7b6babn,
];
/** pi / 2 in two parts. */
const quarter = [1.5707963267948966, 6.123233995736766e-17] as const;
/** And in four, of which multiples of the first three by less than 2^20 are exact. */
const quarters = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32] as const;

/** Of an angle up to 2^20: what each part leaves, and what is lost of it. */
function nearby(body: DoubleBody, x: Expr): readonly [high: Expr, low: Expr, count: Expr] {
  const n = body.hold("n", same("math.round_even", mul(x, number(2 / Math.PI))));
  const [first, second, third, last] = quarters.map((q) => mul(n, number(q))) as [Expr, Expr, Expr, Expr];
  const rest = body.hold("rest", sub(x, first));
  const once = body.hold("once", second);
  const rest2 = body.hold("rest2", sub(rest, once));
  const lost = body.hold("lost", sub(sub(rest, rest2), once));
  const twice = body.hold("twice", sub(third, lost));
  const rest3 = body.hold("rest3", sub(rest2, twice));
  const lost3 = body.hold("lost3", sub(sub(rest2, rest3), twice));
  const thrice = body.hold("thrice", sub(last, lost3));
  const high = body.hold("high", sub(rest3, thrice));
  return [high, body.hold("low", sub(sub(rest3, high), thrice)), n];
}

/** Of any larger angle: the turns are its digits times those of 2 / pi of which the product is no multiple of 4. */
function farAway(body: DoubleBody, x: Expr): readonly [high: Expr, low: Expr, count: Expr] {
  const words = body.variable("inverse", construct(array(u64, inverse.length), inverse.map(whole)));
  const bits = body.hold("bits", and(bitcast(x, u64), whole((1n << 63n) - 1n)));
  const place = body.hold("place", sub(bin("shr", bits, whole(52)), whole(1013)));
  const first = body.hold("first", convert(bin("shr", place, whole(6)), i32, true));
  const shift = body.hold("shift", and(place, whole(63)));
  const digits = body.hold("digits", or(and(bits, whole((1n << 52n) - 1n)), whole(1n << 52n)));
  const at = (n: number): Expr => load(element(variablePlace(words), n === 0 ? first : add(first, k(i32, n))));
  // 64 is no count of a shift.
  const window = (n: number): Expr =>
    or(bin("shl", at(n), shift), bin("shr", bin("shr", at(n + 1), whole(1)), sub(whole(63), shift)));
  const upper = (w: Expr): Expr => same("bits.mulhi", digits, w);
  const middle = body.hold("middle", window(1));
  const product = body.hold("product", mul(digits, middle));
  const rest = body.hold("below", add(product, upper(window(2))));
  const carry = select(compare("lt", rest, product), whole(1), whole(0));
  const top = body.hold("above", add(add(mul(digits, window(0)), upper(middle)), carry));
  // Two digits are the quarters, to the nearest of which the rest is taken.
  const count = body.hold("count", convert(bin("shr", add(top, whole(1n << 61n)), whole(62)), f64, true));
  const [high, low] = [
    body.variable("part", or(bin("shl", top, whole(2)), bin("shr", rest, whole(62)))),
    body.variable("part_low", bin("shl", rest, whole(2))),
  ];
  const below = body.hold("is_below", compare("ge", read(high), whole(1n << 63n)));
  body.then(ifStatement(below, block([put(high, complement(read(high))), put(low, complement(read(low)))])));
  // Of 32 digits, of 32 and of 64.
  const ofWord = (w: Expr, scale: number): Expr => mul(convert(w, f64, true), number(scale));
  const upperWord = body.hold("upper", ofWord(bin("shr", read(high), whole(32)), 2 ** -64 * 2 ** 32));
  const lowerWord = body.hold("lower", ofWord(and(read(high), whole(0xffffffff)), 2 ** -64));
  const sum = body.hold("sum", add(upperWord, lowerWord));
  const left = add(sub(lowerWord, sub(sum, upperWord)), ofWord(read(low), 2 ** -128));
  const [angle, lost] = timesQuarter(body, sum, body.hold("left", left));
  const negative = bin("ne", below, compare("lt", x, 0));
  const sign = body.hold("sign", select(negative, number(-1), number(1)));
  return [mul(sign, angle), mul(sign, lost), select(compare("lt", x, 0), negate(count), count)];
}

/** (high + low) pi / 2 in two parts. */
function timesQuarter(body: DoubleBody, high: Expr, low: Expr): readonly [Expr, Expr] {
  const f = body.hold("f", add(high, low));
  const fLow = sub(low, sub(f, high));
  const ofQuarter = 1.5707963109016418;
  const top = body.hold("top", topDigits(f));
  const product = body.hold("angle", mul(f, number(quarter[0])));
  const rest = body.hold("angle_rest", sub(f, top));
  const restOfQuarter = quarter[0] - ofQuarter;
  const lost = add(
    add(add(sub(mul(top, number(ofQuarter)), product), mul(top, number(restOfQuarter))), mul(rest, number(ofQuarter))),
    mul(rest, number(restOfQuarter)),
  );
  const more = add(mul(f, number(quarter[1])), mul(fLow, number(quarter[0])));
  return [product, body.hold("angle_low", add(lost, more))];
}

/** Both for an angle of at most an eighth of a turn in two parts. */
const ofSine = [
  -0.16666666666666632, 0.00833333333332249, -0.0001984126982985795, 2.7557313707070068e-6, -2.5050760253406863e-8,
  1.58969099521155e-10,
] as const;
const ofCosine = [
  0.0416666666666666, -0.001388888888887411, 2.480158728947673e-5, -2.7557314351390663e-7, 2.087572321298175e-9,
  -1.1359647557788195e-11,
] as const;

function sineOf(body: DoubleBody, x: Expr, low: Expr, z: Expr): Expr {
  const v = body.hold("cube", mul(z, x));
  const series = polynomial(z, ofSine.slice(1));
  return sub(x, sub(sub(mul(z, sub(mul(number(0.5), low), mul(v, series))), low), mul(v, number(ofSine[0]))));
}

function cosineOf(body: DoubleBody, x: Expr, low: Expr, z: Expr): Expr {
  const half = body.hold("half", mul(number(0.5), z));
  const w = body.hold("w", sub(number(1), half));
  const rest = sub(mul(z, mul(z, polynomial(z, ofCosine))), mul(x, low));
  return add(w, add(sub(sub(number(1), w), half), rest));
}

/** The helper all of them call. */
function quarterTurns(body: DoubleBody, x: Expr): Expr {
  return helperOf(
    { arguments: [x], type: reduced, span: noSpan },
    body.context,
    (maker, parameters) => {
      const inner = new DoubleBody(maker, body.context);
      const given = read(parameters[0]!);
      const size = inner.hold("size", same("math.abs", given));
      const small = compare("le", size, Math.PI / 4);
      inner.returnWhere(small, construct(reduced, [given, number(0), number(0)]));
      const far = compare("gt", size, 2 ** 20);
      inner.returnWhere(far, farTurns(body.context, given));
      return inner.end(construct(reduced, nearby(inner, given)));
    },
    {
      name: "quarter_turns",
      names: ["x"],
      says: "the angle within an eighth of a turn that x is beside some quarters of a turn, in two parts, and their number",
    },
  );
}

const farTurns = (context: LoweringContext, x: Expr): Expr =>
  helperOf(
    { arguments: [x], type: reduced, span: noSpan },
    context,
    (maker, parameters) => {
      const inner = new DoubleBody(maker, context);
      return inner.end(construct(reduced, farAway(inner, read(parameters[0]!))));
    },
    {
      name: "many_quarter_turns",
      names: ["x"],
      says: "quarter_turns of an angle beyond 2^20, by the digits of 2 / pi",
    },
  );

/** Sine and cosine of what is left, which change places from quarter to quarter. */
const ofQuarters: Partial<Record<OpId, (count: Expr, sine: Expr, cosine: Expr) => Expr>> = {
  "math.sin": (n, sine, cosine) => negatedWhere(n, select(isOdd(n), cosine, sine)),
  "math.cos": (n, sine, cosine) => negatedWhere(add(n, k(i32, 1)), select(isOdd(n), sine, cosine)),
  "math.tan": (n, sine, cosine) => select(isOdd(n), div(negate(cosine), sine), div(sine, cosine)),
};
const isOdd = (n: Expr): Expr => compare("ne", and(n, k(i32, 1)), 0);
const negatedWhere = (n: Expr, value: Expr): Expr => select(compare("ne", and(n, k(i32, 2)), 0), negate(value), value);

export const doubleAngle: Lowering = (call, context) => {
  const of = ofQuarters[definedOp(call.op)]!;
  return ofDoubles(["x"], (body, x) => {
    body.returnWhere(unary("not", test("math.isfinite", x)), nan(f64));
    const turns = body.hold("turns", quarterTurns(body, x));
    const [high, low] = [body.hold("angle", swizzleValue(turns, [0])), body.hold("low", swizzleValue(turns, [1]))];
    const count = body.hold("count", convert(swizzleValue(turns, [2]), i32, true));
    const z = body.hold("z", mul(high, high));
    const sine = body.hold("sine", sineOf(body, high, low, z));
    const cosine = body.hold("cosine", cosineOf(body, high, low, z));
    return of(count, sine, cosine);
  })(call, context);
};
