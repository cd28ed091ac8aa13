/** Math functions by formula, where a target lacks the name. Accuracy is that of the functions used (data.md 10, 11). */
import { bitcast, declare, load, opCall, returnStatement, unary, variablePlace } from "../../ast/builders.js";
import type { Expr, OpId, Statement } from "../../ast/nodes.js";
import {
  add,
  and,
  boolShape,
  complement,
  div,
  k,
  mul,
  negate,
  or,
  same,
  select,
  sub,
  test,
  to,
  withScalar,
} from "../../ops/trees.js";
import { bitWidth, scalarOf, type ScalarKind, type Type } from "../../types/types.js";
import { formulaBodies } from "./formula-bodies.js";
import { expression, helperCall, inlineOrHelper, refuse, type Recipe } from "./recipe.js";

const compare = (operator: "lt" | "gt" | "ge" | "le" | "eq" | "ne", a: Expr, b: Expr | number): Expr => {
  const right = typeof b === "number" ? k(a.type, b) : b;
  return { kind: "binary", operator, left: a, right, type: boolShape(a.type), span: a.span };
};
const f = (name: string, ...args: Expr[]): Expr => same(`math.${name}` as OpId, ...args);
const largestBelowOne = (type: Type): number =>
  ({ f16: 1 - 2 ** -11, f64: 1 - 2 ** -53 })[scalarOf(type) as "f16" | "f64"] ?? 1 - 2 ** -24;

/** A NaN of the type, by its bits. */
const nan = (type: Type): Expr => {
  if (scalarOf(type) !== "f32") return k(type, NaN);
  return bitcast(k(withScalar("u32", type), 0x7fc00000), type);
};
const infinity = (type: Type): Expr => {
  if (scalarOf(type) !== "f32") return k(type, Infinity);
  return bitcast(k(withScalar("u32", type), 0x7f800000), type);
};
/** A remainder: x itself where only the divisor is infinite. */
const wholeIfInfinite = (x: Expr, y: Expr, rest: Expr): Expr =>
  select(and(test("math.isinf", y), test("math.isfinite", x)), x, rest);

const formulas: Readonly<Record<string, (...args: Expr[]) => Expr>> = {
  "math.log10": (x) => mul(f("log2", x!), k(x!.type, Math.log10(2))),
  // x - trunc(x) is exact, so that a tie is seen as one; adding one half and truncating would round 0.49999997 up.
  "math.round_away": (x) => {
    const t = f("trunc", x!);
    return select(compare("ge", f("abs", sub(x!, t)), 0.5), add(t, f("sign", x!)), t);
  },
  // Not by min, which may give its other operand for a NaN.
  "math.fract": (x) => {
    const d = sub(x!, f("floor", x!));
    return select(compare("ge", d, 1), k(x!.type, largestBelowOne(x!.type)), d);
  },
  "math.sign": (x) => {
    const kind = scalarOf(x!.type)!;
    // HLSL's sign of a float is an integer.
    if (kind[0] === "f") {
      const sign = to(kind, opCall("math.sign_integer", [x!], withScalar("i32", x!.type)));
      // -0 keeps its sign.
      return select(compare("eq", x!, 0), x!, sign);
    }
    return sub(to(kind, compare("gt", x!, 0)), to(kind, compare("lt", x!, 0)));
  },
  // The quotient is one too large where dividing rounds it up to an integer.
  "math.fmod": (x, y) => {
    const [a, b] = [f("abs", x!), f("abs", y!)];
    const r = f("fma", negate(f("trunc", div(a, b))), b, a);
    const rest = select(compare("lt", r, 0), add(r, b), r);
    return wholeIfInfinite(x!, y!, f("copysign", rest, x!));
  },
  // The quotient is one off where dividing rounds it to a half.
  "math.remainder": (x, y) => {
    const r = f("fma", negate(f("round_even", div(x!, y!))), y!, x!);
    const b = f("abs", y!);
    const rest = select(compare("gt", f("abs", r), mul(b, k(x!.type, 0.5))), sub(r, f("copysign", b, r)), r);
    return wholeIfInfinite(x!, y!, select(compare("eq", rest, 0), f("copysign", rest, x!), rest));
  },
  // C rules over a power that is only defined for x > 0.
  "math.pow": (x, y) => {
    const t = x!.type;
    const one = k(t, 1);
    const power = opCall("math.powr", [f("abs", x!), y!], t);
    const integral = compare("eq", f("trunc", y!), y!);
    const half = mul(y!, k(t, 0.5));
    const odd = and(integral, compare("ne", f("trunc", half), half));
    const signed = select(and(compare("lt", x!, 0), odd), negate(power), power);
    const defined = select(and(and(compare("lt", x!, 0), unary("not", integral)), test("math.isfinite", x!)), nan(t), signed);
    // What the power of 1 to an infinity is, is not said of powr.
    const toInfinity = and(compare("eq", x!, -1), test("math.isinf", y!));
    // An odd power keeps the sign of a zero; 0 to the NaN is NaN.
    const toEven = select(compare("gt", y!, 0), k(t, 0), select(compare("lt", y!, 0), infinity(t), y!));
    const ofZero = select(odd, select(compare("gt", y!, 0), x!, div(one, x!)), toEven);
    return select(
      or(or(compare("eq", y!, 0), compare("eq", x!, 1)), toInfinity),
      one,
      select(compare("eq", x!, 0), ofZero, defined),
    );
  },
  // On the bits: away from 0 is one more, toward it one less.
  "math.nextafter": (x, y) => {
    const [a, b] = [bitsOf(x!), bitsOf(y!)];
    const one = k(a.bits.type, 1);
    const away = or(and(compare("gt", x!, 0), compare("gt", y!, x!)), and(compare("lt", x!, 0), compare("lt", y!, x!)));
    const fromZero = or(and(b.bits, k(a.bits.type, a.high)), one);
    const moved = select(compare("eq", x!, 0), fromZero, select(away, add(a.bits, one), sub(a.bits, one)));
    const unordered = or(test("math.isnan", x!), test("math.isnan", y!));
    return select(unordered, add(x!, y!), select(compare("eq", x!, y!), y!, bitcast(moved, x!.type)));
  },
  // Three factors, since 2^n itself may be out of range where the product is not.
  "math.ldexp": (x, n) => {
    const kind = scalarOf(x!.type)!;
    const held = opCall("math.clamp", [n!, k(n!.type, -300), k(n!.type, 300)], n!.type);
    const third = div(held, k(n!.type, 3));
    const rest = sub(held, mul(third, k(n!.type, 2)));
    const factor = f("exp2", to(kind, third));
    return mul(mul(mul(x!, factor), factor), f("exp2", to(kind, rest)));
  },
};

const needsHelper = new Set([
  "math.nextafter",
  "math.pow",
  "math.ldexp",
  "math.round_away",
  "math.fmod",
  "math.remainder",
  "math.fract",
]);

/** Made of exponentials and of fits that hold for 32 bits. */
const ofExponentials: ReadonlySet<OpId> = new Set<OpId>(["math.exp10", "math.erf", "math.erfc"]);

export const formula: Recipe = (call, context) => {
  const body = formulaBodies[call.op];
  if (ofExponentials.has(call.op) && scalarOf(call.type) === "f64") return refuse(`${context.target} has exponentials of float and half only, not of double`);
  if (body)
    return expression(
      helperCall(call, context, (maker, parameters) => {
        const held: Statement[] = [];
        const hold = (name: string, value: Expr): Expr => {
          const v = maker.local(name, value.type);
          held.push(declare(v.id, value));
          return load(variablePlace(v));
        };
        const result = body(hold, ...parameters.map((p) => load(variablePlace(p))));
        return [...held, returnStatement(result)];
      }),
    );
  const build = formulas[call.op];
  if (!build) throw new Error(`no formula for ${call.op}`);
  return inlineOrHelper(call, context, build, { helper: needsHelper.has(call.op) });
};

/** fmin and fmax over a min and max that leave NaN open. */
export const numberMinMax: Recipe = (call, context) => {
  const open: OpId = call.op === "math.fmin" ? "math.min" : "math.max";
  return inlineOrHelper(
    call,
    context,
    (x, y) => select(test("math.isnan", y!), x!, select(test("math.isnan", x!), y!, same(open, x!, y!))),
    { helper: true },
  );
};

/** The bits of a float, its sign bit and the bits of its exponent. */
const bitsOf = (x: Expr): { bits: Expr; high: bigint; exponent: bigint } => {
  const width = bitWidth(scalarOf(x.type)!);
  const bits = bitcast(x, withScalar(`u${width}` as ScalarKind, x.type));
  const exponent = { 16: 0x7c00n, 32: 0x7f800000n, 64: 0x7ff0000000000000n }[width as 16 | 32 | 64];
  return { bits, high: 1n << BigInt(width - 1), exponent };
};

export const copysign: Recipe = (call, context) =>
  inlineOrHelper(call, context, (x, y) => {
    const [a, b] = [bitsOf(x!), bitsOf(y!)];
    const mask = k(a.bits.type, a.high);
    return bitcast(or(and(a.bits, complement(mask)), and(b.bits, mask)), x!.type);
  });

export const floatClass: Recipe = (call, context) =>
  inlineOrHelper(call, context, (x) => {
    const { bits, high, exponent: field } = bitsOf(x!);
    const exponent = k(bits.type, field);
    const part = and(bits, exponent);
    if (call.op === "math.signbit") return compare("ne", and(bits, k(bits.type, high)), 0);
    if (call.op === "math.isfinite") return compare("ne", part, exponent);
    return and(compare("ne", part, 0), compare("ne", part, exponent));
  });

/** HLSL's fma is for doubles; `mad` is written, whose single rounding is assumed. */
export const fusedMultiplyAdd: Recipe = (call) =>
  expression(opCall("math.mad", call.arguments, call.type, call.span));

export const scalarLength: Recipe = (call) =>
  expression(opCall("math.abs", call.arguments, call.type, call.span));
export const scalarNormalize: Recipe = (call, context) =>
  inlineOrHelper(call, context, (x) => div(x!, f("abs", x!)));

/** select on operands that OpenCL's select does not take: bool. */
export const selectByConditional: Recipe = (call, context) =>
  inlineOrHelper(call, context, (c, a, b) =>
    c!.type.kind === "scalar" ? select(c!, a!, b!) : or(and(c!, a!), and(unary("not", c!), b!)),
  );
