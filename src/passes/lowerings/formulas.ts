/** Math functions by formula, where a target lacks the name. Accuracy is that of the functions used (data.md 10, 11). */
import {
  bitcast,
  declare,
  literalValue,
  load,
  opCall,
  returnStatement,
  unary,
  variablePlace,
} from "../../ast/builders.js";
import type { Expr, OpId, Statement } from "../../ast/nodes.js";
import { edgeFormulas, type Hold } from "../../ops/edge-formulas.js";
import { row } from "../../ops/table.js";
import {
  add,
  and,
  boolShape,
  complement,
  div,
  k,
  mul,
  infinity,
  nan,
  negate,
  or,
  same,
  select,
  sub,
  test,
  to,
  withScalar,
  math as f,
} from "../../ops/trees.js";
import { bitWidth, isInteger, scalarOf, type ScalarKind } from "../../types/types.js";
import { floatBound } from "../analysis/float-bounds.js";
import { formulaBodies } from "./formula-bodies.js";
import {
  definedOp,
  expression,
  helperCall,
  inlineOrHelper,
  rounds,
  type Lowering,
  type LoweringContext,
  isNative,
} from "./lowering.js";

const compare = (operator: "lt" | "gt" | "ge" | "le" | "eq" | "ne", a: Expr, b: Expr | number): Expr => {
  const right = typeof b === "number" ? k(a.type, b) : b;
  return { kind: "binary", operator, left: a, right, type: boolShape(a.type), span: a.span };
};

const formulas: Readonly<Record<string, (...args: Expr[]) => Expr>> = {
  "math.log10": (x) => mul(f("log2", x), k(x.type, Math.log10(2))),
  "math.round": (x) => f("round_even", x),
  "math.rsqrt": (x) => div(k(x.type, 1), f("sqrt", x)),
  // x - trunc(x) is exact, so that a tie is seen as one; adding one half and truncating would round 0.49999997 up.
  "math.round_away": (x) => {
    const t = f("trunc", x);
    return select(compare("ge", f("abs", sub(x, t)), 0.5), add(t, f("sign_open", x)), t);
  },
  "math.sign": (x) => {
    const kind = scalarOf(x.type)!;
    return sub(to(kind, compare("gt", x, 0)), to(kind, compare("lt", x, 0)));
  },
  // C rules over a power that is only defined for x > 0.
  "math.pow": (x, y) => {
    const t = x.type;
    const one = k(t, 1);
    // Of vectors the power of every component is taken, also where it is not asked for.
    const magnitude = f("abs", x);
    const base = t.kind === "vector" ? select(compare("eq", x, 0), one, magnitude) : magnitude;
    const power = opCall("math.pow_open", [base, y], t);
    const integral = compare("eq", f("trunc", y), y);
    const half = mul(y, k(t, 0.5));
    const odd = and(integral, compare("ne", f("trunc", half), half));
    const signed = select(and(compare("lt", x, 0), odd), negate(power), power);
    const finite = select(
      and(and(compare("lt", x, 0), unary("not", integral)), test("math.isfinite", x)),
      nan(t),
      signed,
    );
    // Neither GLSL's power nor Vulkan's has to give a NaN for one.
    const unordered = or(test("math.isnan", x), test("math.isnan", y));
    const defined = select(unordered, nan(t), finite);
    // What the power of 1 to an infinity is, is not said of the open power.
    const toInfinity = and(compare("eq", x, -1), test("math.isinf", y));
    // An odd power keeps the sign of a zero; 0 to the NaN is NaN.
    const toEven = select(compare("gt", y, 0), k(t, 0), select(compare("lt", y, 0), infinity(t), y));
    const ofZero = select(odd, select(compare("gt", y, 0), x, div(one, x)), toEven);
    return select(
      or(or(compare("eq", y, 0), compare("eq", x, 1)), toInfinity),
      one,
      select(compare("eq", x, 0), ofZero, defined),
    );
  },
  // On the bits: away from 0 is one more, toward it one less.
  "math.nextafter": (x, y) => {
    const [a, b] = [bitsOf(x), bitsOf(y)];
    const one = k(a.bits.type, 1);
    const away = or(and(compare("gt", x, 0), compare("gt", y, x)), and(compare("lt", x, 0), compare("lt", y, x)));
    const fromZero = or(and(b.bits, k(a.bits.type, a.high)), one);
    const moved = select(compare("eq", x, 0), fromZero, select(away, add(a.bits, one), sub(a.bits, one)));
    const unordered = or(test("math.isnan", x), test("math.isnan", y));
    return select(unordered, add(x, y), select(compare("eq", x, y), y, bitcast(moved, x.type)));
  },
};

const needsHelper = new Set(["math.nextafter", "math.pow", "math.round_away"]);

export const formula: Lowering = (call, context) => {
  const ldexp = opCall("math.ldexp_open", call.arguments, call.type, call.span);
  if (call.op === "math.ldexp" && scalarOf(call.type) === "f64" && !isNative(ldexp, context)) return expression(ldexp);
  const body = isInteger(scalarOf(call.type)!)
    ? undefined
    : (formulaBodies[definedOp(call.op)] ?? edgeFormulas[call.op]);
  if (body)
    return expression(
      helperCall(call, context, (maker, parameters) => {
        const held: Statement[] = [];
        const hold: Hold = (name, value, options) => {
          const v = maker.local(name, value.type, options);
          held.push(declare(v.id, value));
          return load(variablePlace(v));
        };
        const value = body(hold, ...parameters.map((p) => load(variablePlace(p))));
        if (!rounds(value)) return [...held, returnStatement(value)];
        // What is lost in one operation is taken back in another: none may be fused or reordered.
        const result = maker.local("result", value.type, { precise: true });
        return [...held, declare(result.id, value), returnStatement(load(variablePlace(result)))];
      }),
    );
  const build = formulas[definedOp(call.op)];
  if (!build) throw new Error(`no formula for ${call.op}`);
  return inlineOrHelper(call, context, build, { helper: needsHelper.has(call.op) });
};

/** The target's own, which may be 1 just below an integer, where that cannot be: of numbers from 0 on the difference is exact. */
export const fractionBelowOne: Lowering = (call, context) => {
  const x = call.arguments[0]!;
  return context.source === context.target || floatBound(x, (local) => context.valueOf(local)) !== undefined
    ? expression(opCall("math.fract_open", [x], call.type, call.span))
    : formula(call, context);
};

/** A number whatever the operands are, as far as the expression shows: not a NaN. */
function isNumber(e: Expr, context: LoweringContext): boolean {
  const value = literalValue(e);
  if (value !== undefined) return typeof value === "bigint" || (typeof value === "number" && !Number.isNaN(value));
  if (e.kind === "splat") return isNumber(e.operand, context);
  if (e.kind === "construct") return e.arguments.every((x) => isNumber(x, context));
  if (e.kind === "unary" && e.operator === "negate") return isNumber(e.operand, context);
  if (e.kind === "convert") return isInteger(scalarOf(e.operand.type) ?? "f32");
  if (e.kind !== "load" || e.place.kind !== "variable") return false;
  const held = context.valueOf(e.place.variable);
  return held !== undefined && held.kind !== "load" && isNumber(held, context);
}

/** Of a number as `isNumber` knows it. */
function mayBeZero(e: Expr, context: LoweringContext): boolean {
  const value = literalValue(e);
  if (value !== undefined) return Number(value) === 0;
  if (e.kind === "splat" || (e.kind === "unary" && e.operator === "negate")) return mayBeZero(e.operand, context);
  if (e.kind === "construct") return e.arguments.some((x) => mayBeZero(x, context));
  const held = e.kind === "load" && e.place.kind === "variable" ? context.valueOf(e.place.variable) : undefined;
  return held === undefined || mayBeZero(held, context);
}

/** fmin and fmax over a min and max that leave NaN open. Of one number a comparison tells: with a NaN it is false. */
export const numberMinMax: Lowering = (call, context) => {
  const least = call.op === "math.fmin";
  const open: OpId = least ? "math.min" : "math.max";
  const [first, second] = call.arguments.map((e) => isNumber(e, context));
  if (first && second) return expression(opCall(open, call.arguments, call.type, call.span));
  if (first || second) {
    // Which of the two comes first makes no difference but to zeros of two signs, of which the first is the result.
    const [x, y] = call.arguments as [Expr, Expr];
    const kept = second === true && mayBeZero(y, context);
    const ordered = { ...call, arguments: second ? [x, y] : [y, x] };
    const relation = least ? (kept ? "le" : "lt") : kept ? "ge" : "gt";
    return inlineOrHelper(ordered, context, (v, n) => select(compare(relation, v, n), v, n), {
      name: `${least ? "at_most" : "at_least"}${kept ? "_or_same" : ""}`,
      names: ["x", least ? "high" : "low"],
    });
  }
  return inlineOrHelper(
    call,
    context,
    // The target's own would meet the NaN where both sides of a choice are evaluated.
    (x, y) =>
      x.type.kind === "vector"
        ? select(test("math.isnan", x), y, select(compare(least ? "lt" : "gt", y, x), y, x))
        : select(or(test("math.isnan", x), compare(least ? "lt" : "gt", y, x)), y, x),
    { helper: true },
  );
};

/** HLSL's sign of a float is an integer, 0 for a NaN. -0 keeps its sign. */
export const signByInteger: Lowering = (call, context) =>
  inlineOrHelper(call, context, (x) => {
    const sign = to(scalarOf(x.type)!, opCall("math.sign_integer", [x], withScalar("i32", x.type)));
    return select(compare("eq", x, 0), x, sign);
  });

/** A clamp over one that leaves NaN open. Bounds that are numbers in the text need no test. */
export const numberClamp: Lowering = (call, context) => {
  const [x, low, high] = call.arguments;
  if (x && isNumber(low!, context) && isNumber(high!, context))
    return inlineOrHelper(
      call,
      context,
      (v, a, b) =>
        v.type.kind === "vector"
          ? same("math.min", select(compare("ge", v, a), v, a), b)
          : select(test("math.isnan", v), a, same("math.clamp", v, a, b)),
      { name: "clamp_between", names: ["x", "low", "high"] },
    );
  return inlineOrHelper(call, context, (v, a, b) => same("math.fmin", same("math.fmax", v, a), b));
};

/** The bits of a float, its sign bit and the bits of its exponent. */
const bitsOf = (x: Expr): { bits: Expr; high: bigint; exponent: bigint } => {
  const width = bitWidth(scalarOf(x.type)!);
  const bits = bitcast(x, withScalar(`u${width}` as ScalarKind, x.type));
  const exponent = { 16: 0x7c00n, 32: 0x7f800000n, 64: 0x7ff0000000000000n }[width as 16 | 32 | 64];
  return { bits, high: 1n << BigInt(width - 1), exponent };
};

export const copysign: Lowering = (call, context) =>
  inlineOrHelper(call, context, (x, y) => {
    const [a, b] = [bitsOf(x), bitsOf(y)];
    const mask = k(a.bits.type, a.high);
    return bitcast(or(and(a.bits, complement(mask)), and(b.bits, mask)), x.type);
  });

export const floatClass: Lowering = (call, context) =>
  inlineOrHelper(call, context, (x) => {
    const { bits, high, exponent: field } = bitsOf(x);
    const exponent = k(bits.type, field);
    const part = and(bits, exponent);
    if (call.op === "math.signbit") return compare("ne", and(bits, k(bits.type, high)), 0);
    if (call.op === "math.isfinite") return compare("ne", part, exponent);
    const magnitude = and(bits, k(bits.type, high - 1n));
    if (call.op === "math.isnan") return compare("gt", magnitude, exponent);
    if (call.op === "math.isinf") return compare("eq", magnitude, exponent);
    return and(compare("ne", part, 0), compare("ne", part, exponent));
  });

/** HLSL's fma is for doubles, so `mad` is written; GLSL's `fma` is left open. That either rounds once is assumed. */
export const fusedMultiplyAdd: Lowering = (call, context) => {
  const mad = opCall("math.mad", call.arguments, call.type, call.span);
  return expression(isNative(mad, context) ? mad : opCall("math.fma_open", call.arguments, call.type, call.span));
};

/** Two numbers in the text, the first below the second. */
function inOrder(low: Expr, high: Expr): boolean {
  const value = (e: Expr): ReturnType<typeof literalValue> => {
    if (e.kind === "splat") return value(e.operand);
    if (e.kind !== "unary" || e.operator !== "negate") return literalValue(e);
    const operand = value(e.operand);
    return typeof operand === "boolean" || operand === undefined ? undefined : -operand;
  };
  const [a, b] = [value(low), value(high)];
  if (a === undefined || b === undefined) return false;
  return a < b;
}

/** A number from 0 to 1, as the text shows. */
function isWeight(e: Expr, context: LoweringContext): boolean {
  if (e.kind === "splat") return isWeight(e.operand, context);
  const value = literalValue(e);
  if (typeof value === "number") return value >= 0 && value <= 1;
  if (e.kind === "load" && e.place.kind === "variable") {
    const given = context.valueOf(e.place.variable);
    return given !== undefined && isWeight(given, context);
  }
  if (e.kind !== "op") return false;
  const { result } = row(e.op);
  return result?.notNegative === true && result.magnitude !== undefined && result.magnitude <= 1;
}

/** Over a mix that leaves weights beyond 0..1 open. */
export const weightBeyondOne: Lowering = (call, context) => {
  if (isWeight(call.arguments[2]!, context))
    return expression(opCall("geometry.mix_open", call.arguments, call.type, call.span));
  const { expand } = row(call.op);
  if (expand.kind !== "tree") throw new Error(`${call.op} has no tree to expand`);
  return inlineOrHelper(call, context, (...args) => expand.build(args, call.type));
};

/** Over a smoothstep that leaves edges open that are not in order. */
export const orderedSmoothstep: Lowering = (call, context) => {
  const [low, high] = call.arguments;
  if (inOrder(low!, high!)) return expression(opCall("geometry.smoothstep", call.arguments, call.type, call.span));
  const { expand } = row(call.op);
  if (expand.kind !== "tree") throw new Error(`${call.op} has no tree to expand`);
  return inlineOrHelper(call, context, (...args) => expand.build(args, call.type), { helper: true });
};

export const scalarLength: Lowering = (call) => expression(opCall("math.abs", call.arguments, call.type, call.span));
export const scalarNormalize: Lowering = (call, context) => inlineOrHelper(call, context, (x) => div(x, f("abs", x)));

/** select on operands that OpenCL's select does not take: bool. */
export const selectByConditional: Lowering = (call, context) =>
  inlineOrHelper(call, context, (c, a, b) =>
    c.type.kind === "scalar" ? select(c, a, b) : or(and(c, a), and(unary("not", c), b)),
  );
