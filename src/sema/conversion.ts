/** What values become as other types: literals where they survive, else conversions of the tree. */
import { binary, bitcast, conditional, construct, convert, splat, swizzleValue, unary } from "../ast/builders.js";
import type { Expr, Literal } from "../ast/nodes.js";
import type { Span } from "../support/span.js";
import {
  bitWidth,
  componentCount,
  isFloat,
  isInteger,
  sameType,
  scalar,
  scalarOf,
  shaped,
  type PointerType,
  type ScalarKind,
  type Type,
} from "../types/types.js";
import { convertConstant, literalForm } from "./constants.js";
import { type Sema } from "./context.js";
import { after, held } from "./held-values.js";
import { valueOfDigits } from "./literals.js";
import { isOpen, settled } from "./open-literals.js";
import { ofKind, reshaped } from "./matrix-shapes.js";
import { asNamed, convertedPrecision, isMinimum } from "./minimum-precision.js";

/** `e` as `type`, by whatever conversion stands between the two; the caller has checked that there is one. */
export function conversion(s: Sema, e: Expr, type: Type, explicit: boolean, span: Span): Expr {
  const made = conversionOfValue(s, e, type, explicit, span);
  const precise = isMinimum(type) || isMinimum(made.type) ? convertedPrecision(e, made, type, span) : made;
  return asNamed(precise, type);
}

function conversionOfValue(s: Sema, e: Expr, type: Type, explicit: boolean, span: Span): Expr {
  if (
    s.openLiterals &&
    isOpen(e) &&
    (type.kind === "scalar" || type.kind === "vector") &&
    componentCount(e.type)! <= componentCount(type)!
  )
    return settled(s, e, type, explicit);
  if (e.type.kind === "pointer" && type.kind === "pointer") return pointerAs(e, type, span);
  if (e.type.kind === "pointer") return e;
  if (sameType(e.type, type)) return sized(e, type, explicit);
  const shapeChanges =
    e.type.kind === "matrix" ? !sameType(ofKind(type, "f32"), ofKind(e.type, "f32")) : type.kind === "matrix";
  if (shapeChanges && e.type.kind !== "scalar") return conversion(s, reshaped(s, e, type, span), type, explicit, span);
  if (e.type.kind === "vector" && componentCount(type) !== undefined && e.type.size > componentCount(type)!) {
    const components = Array.from({ length: componentCount(type)! }, (_, i) => i);
    return conversion(s, swizzleValue(e, components, span), type, explicit, span);
  }
  if (type.kind === "vector" && e.type.kind === "scalar") {
    const one = conversion(s, e, scalar(type.scalar), explicit && e.kind !== "literal" ? true : false, span);
    return splat(one, type, span, explicit);
  }
  if (e.type.kind === "scalar" && type.kind === "matrix") {
    // HLSL: all elements.
    const { first, values } = held(s, [e], span);
    const column = conversion(s, values[0]!, shaped(type.scalar, type.rows), explicit, span);
    return after(
      first,
      construct(
        type,
        Array.from({ length: type.columns }, () => column),
        span,
      ),
      span,
    );
  }
  if (e.type.kind === "scalar" && type.kind === "scalar") return scalarValue(s, e, type.scalar, type, explicit, span);
  if (e.kind === "splat" && type.kind === "vector" && !explicit && !e.explicit) {
    return splat(conversion(s, e.operand, scalar(type.scalar), false, span), type, span);
  }
  return convert(e, type, explicit, span);
}

/** The same address as a pointer of another type; of a cast of a cast the last one counts. */
export function pointerAs(e: Expr, type: PointerType, span: Span): Expr {
  // That it is no longer one to const is said where it is cast.
  const sheds = (x: Expr): boolean =>
    x.type.kind === "pointer" && x.type.readOnly === true && !type.readOnly && type.space !== "constant";
  const renamed = (x: Expr): Expr =>
    sheds(x) ? { kind: "bitcast", operand: x, type, span } : ({ ...x, type } as Expr);
  if (sameType(e.type, type)) return renamed(e);
  if (sheds(e)) return bitcast(e, type, span);
  const from = e.kind === "bitcast" ? e.operand : e;
  // To void and back.
  if (from !== e && sameType(from.type, type)) return renamed(from);
  return bitcast(from, type, span);
}

/** `size_t` and a true 64-bit integer are one type in the tree; the flag follows the declared type. */
function sized(e: Expr, type: Type, explicit: boolean): Expr {
  if (type.kind !== "scalar" || e.type.kind !== "scalar" || e.type.size === type.size) return e;
  return e.kind === "literal" ? { ...e, type } : { kind: "convert", operand: e, type, explicit, span: e.span };
}

function scalarValue(s: Sema, e: Expr, kind: ScalarKind, type: Type, explicit: boolean, span: Span): Expr {
  if (e.kind === "literal") {
    const folded = retypedLiteral(e, kind, type);
    if (folded) return folded;
  }
  const from = (e.type as { scalar: ScalarKind }).scalar;
  if (e.kind === "unary" && e.operator === "negate" && e.operand.kind === "literal" && !explicit) {
    const negated = negatedLiteral(e, kind, type);
    if (negated) return negated;
  }
  if (from === "f64" && kind !== "f64" && kind !== "bool" && isFloat(kind)) {
    const narrow = narrowDouble(s, e);
    if (narrow) return kind === "f32" ? narrow : convert(narrow, type, explicit, span);
  }
  if (kind === "bool") {
    const b = asBool(e);
    if (b) return b;
  }
  // A widening integer conversion followed by a narrowing one is the narrowing one.
  if (e.kind === "convert" && !e.explicit && isInteger(kind) && e.operand.type.kind === "scalar" && isInteger(from)) {
    const inner = e.operand.type.scalar;
    if (isInteger(inner) && bitWidth(from) >= bitWidth(inner) && bitWidth(from) > bitWidth(kind)) {
      return scalarValue(s, e.operand, kind, type, explicit, span);
    }
  }
  if (e.type.kind === "scalar" && sameType(e.type, type) && !explicit) return e;
  if (sameType(e.type, type)) return e;
  return convert(e, type, explicit, span);
}

/** `-1` as a float is the negated float literal; `-2147483648`, a long in C, is an int where one is needed. */
function negatedLiteral(e: Expr & { kind: "unary" }, kind: ScalarKind, type: Type): Expr | undefined {
  const digits = e.operand as Literal;
  const from = digits.type.scalar;
  if (!isInteger(from) || from[0] === "u") return undefined;
  if (isFloat(kind)) {
    if (Number(digits.value) === 0) return undefined;
    const made = retypedLiteral(digits, kind, type);
    return made && withMacro(e, unary("negate", made, e.span));
  }
  if (bitWidth(from) !== 64) return undefined;
  const value = -BigInt(digits.value);
  if (convertConstant(value, kind) !== value) return undefined;
  return withMacro(e, {
    kind: "literal",
    type: type as Literal["type"],
    value: literalForm(value),
    span: e.span,
  });
}

/** A literal in its target type where its value survives, also where the source casts it: `ushort(0)`, `(float)1`. */
function retypedLiteral(e: Literal, kind: ScalarKind, type: Type): Expr | undefined {
  const from = e.type.scalar;
  if (from === "bool" || kind === "bool") return undefined;
  const value = isFloat(from) ? (e.value as number) : BigInt(e.value);
  if (isFloat(from) && isFloat(kind)) {
    const digits =
      e.text !== undefined && (from === "f64" || bitWidth(kind) > bitWidth(from))
        ? valueOfDigits(e.text, kind)
        : undefined;
    if (from === "f64") {
      const direct = convertConstant(value, kind) as number;
      if (!Number.isFinite(direct)) return undefined;
      const keep = digits === direct;
      return withMacro(e, {
        kind: "literal",
        type: type as Literal["type"],
        value: direct,
        span: e.span,
        ...(keep ? { text: e.text } : {}),
      });
    }
    const converted = convertConstant(value, kind);
    if (converted !== value) return undefined;
    return withMacro(e, {
      kind: "literal",
      type: type as Literal["type"],
      value: converted as number,
      span: e.span,
      ...(digits === converted ? { text: e.text } : {}),
    });
  }
  if (isFloat(from)) return undefined;
  const converted = convertConstant(value, kind);
  if (converted === undefined) return undefined;
  if (isFloat(kind)) {
    if (typeof value !== "bigint" || !Number.isFinite(converted) || BigInt(converted) !== value) return undefined;
    // Digits of another base are no float digits in any dialect.
    const plain = e.text !== undefined && /^(0|[1-9][0-9]*)$/.test(e.text);
    return withMacro(e, {
      kind: "literal",
      type: type as Literal["type"],
      value: converted as number,
      span: e.span,
      ...(plain ? { text: e.text } : {}),
    });
  }
  if (converted !== value) return undefined;
  return withMacro(e, { ...e, type: type as Literal["type"], value: literalForm(converted) });
}

function withMacro(from: Expr, to: Expr): Expr {
  return from.macro ? { ...to, macro: from.macro } : to;
}

/** The bool an integer was made from, or a simpler test. */
export function asBool(e: Expr): Expr | undefined {
  if (e.type.kind === "scalar" && e.type.scalar === "bool") return e;
  if (e.kind === "convert" && !e.explicit) return asBool(e.operand);
  if (e.kind === "binary" && (e.operator === "and" || e.operator === "or" || e.operator === "xor")) {
    const l = boolOperand(e.left);
    const r = boolOperand(e.right);
    if (l && r) return binary(e.operator, l, r, e.span);
  }
  return undefined;
}

/** An integer operand that is 0 or 1 because it was made from a bool. */
const boolOperand = (e: Expr): Expr | undefined => {
  const b = asBool(e);
  return b?.type.kind === "scalar" ? b : undefined;
};

/** What an integer was before it was made wider, which is zero where that is. */
export function widened(e: Expr): Expr {
  if (e.kind !== "convert" || e.explicit || e.type.kind !== "scalar" || e.operand.type.kind !== "scalar") return e;
  const [from, to] = [e.operand.type.scalar, e.type.scalar];
  return isInteger(from) && isInteger(to) && bitWidth(from) <= bitWidth(to) ? widened(e.operand) : e;
}

/** True where `e` is double only by conversion from a float (or is a literal a float holds). */
function exactFloat(s: Sema, e: Expr): Expr | undefined {
  if (e.kind === "convert" && e.operand.type.kind === "scalar" && e.type.kind === "scalar" && e.type.scalar === "f64") {
    if (e.operand.type.scalar === "f32") return e.operand;
    if (e.operand.type.scalar === "f16") return convert(e.operand, scalar("f32"), e.explicit, e.span);
    const k = e.operand.type.scalar;
    if (isInteger(k) && bitWidth(k) <= 16) return convert(e.operand, scalar("f32"), e.explicit, e.span);
    return undefined;
  }
  if (e.kind === "literal" && e.type.scalar === "f64") {
    const value = e.value as number;
    if (Math.fround(value) !== value) return undefined;
    return retypedLiteral(e, "f32", scalar("f32"));
  }
  if (e.kind === "unary" && (e.operator === "negate" || e.operator === "plus")) {
    const inner = exactFloat(s, e.operand);
    return inner && unary(e.operator, inner, e.span);
  }
  if (e.kind === "conditional") {
    const a = exactFloat(s, e.whenTrue);
    const b = exactFloat(s, e.whenFalse);
    return a && b && conditional(e.condition, a, b, e.span);
  }
  return undefined;
}

/**
 * The float expression that equals rounding the double expression `e` to float, or undefined where rounding twice could
 * differ from rounding once. For + - * / of two floats double has enough digits (53 >= 2 * 24 + 2) that it cannot.
 */
function narrowDouble(s: Sema, e: Expr): Expr | undefined {
  if (e.kind === "literal") return retypedLiteral(e, "f32", scalar("f32"));
  const exact = exactFloat(s, e);
  if (exact) return exact;
  switch (e.kind) {
    case "unary": {
      if (e.operator !== "negate" && e.operator !== "plus") return undefined;
      const inner = narrowDouble(s, e.operand);
      return inner && unary(e.operator, inner, e.span);
    }
    case "conditional": {
      const a = narrowDouble(s, e.whenTrue);
      const b = narrowDouble(s, e.whenFalse);
      return a && b && conditional(e.condition, a, b, e.span);
    }
    case "binary": {
      if (e.operator !== "add" && e.operator !== "sub" && e.operator !== "mul" && e.operator !== "div")
        return undefined;
      const a = exactFloat(s, e.left);
      const b = exactFloat(s, e.right);
      return a && b && binary(e.operator, a, b, e.span);
    }
    default:
      return undefined;
  }
}

/** A comparison of doubles that are floats is the comparison of the floats. */
export function narrowComparison(s: Sema, left: Expr, right: Expr): readonly [Expr, Expr] | undefined {
  const a = exactFloat(s, left);
  const b = exactFloat(s, right);
  return a && b ? [a, b] : undefined;
}

/** The integer type OpenCL gives comparisons of vectors: same width, signed. */
export function relationType(type: Type): Type {
  const kind = scalarOf(type)!;
  return shaped(`i${Math.max(8, bitWidth(kind))}` as ScalarKind, componentCount(type)!);
}

/** OpenCL: a bool vector as 0 / -1 integers; a scalar as int 0 / 1. */
export function relationValue(condition: Expr, result: Type, span: Span): Expr {
  if (result.kind === "scalar") return convert(condition, result, false, span);
  return unary("negate", convert(condition, result, false, span), span);
}

/** The bool vector a 0 / -1 integer vector was made from. */
export function relationMask(e: Expr): Expr | undefined {
  if (e.kind === "unary" && e.operator === "negate" && e.operand.kind === "convert" && !e.operand.explicit) {
    const inner = e.operand.operand;
    if (inner.type.kind === "vector" && inner.type.scalar === "bool") return inner;
  }
  return undefined;
}
