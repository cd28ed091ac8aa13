/**
 * HLSL's types of minimum precision (`min16int`, `min16float`): at least 16 bits, and a device may compute in more. DXC
 * takes them for 16 bits where it folds, and masks shift counts for 16 bits. Here they are read with 32 bits, which is one
 * of the meanings allowed; what may come out otherwise in 16 bits is marked (`relies: "minimum"`), so that a run has a
 * finding there and a translation lists the assumption (src/passes/values/minimum-precision.ts).
 */
import { binary, constantOf, convert } from "../ast/builders.js";
import type { BinaryOperator, Expr, Literal } from "../ast/nodes.js";
import type { Span } from "../support/span.js";
import { roundFloat } from "../types/numeric.js";
import {
  asSingle,
  bool,
  isFloat,
  isNumeric,
  isSameDistinct,
  isSigned,
  isSingle,
  sameType,
  scalarOf,
  type Type,
  withoutSingle,
} from "../types/types.js";

export const isMinimum = (type: Type): boolean =>
  (type.kind === "scalar" || type.kind === "vector" || type.kind === "matrix") && type.minimum === true;

export function withMinimum(type: Type, minimum: boolean): Type {
  if (isMinimum(type) === minimum) return type;
  if (type.kind !== "scalar" && type.kind !== "vector" && type.kind !== "matrix") return type;
  if (minimum) return scalarOf(type) === scalarOf(bool) ? type : { ...type, minimum };
  const { minimum: _minimum, distinct: _distinct, ...plain } = type;
  return plain;
}

/** `made` as a value of `type`, whose kind it has. */
export function asNamed(made: Expr, type: Type): Expr {
  if (!isNumeric(type) || !isNumeric(made.type)) return made;
  const sized = isSingle(type) ? asSingle(made.type) : withoutSingle(made.type);
  const alike = isSameDistinct(sized.distinct, type.distinct);
  if (alike && sized === made.type) return made;
  const { distinct: _distinct, ...plain } = sized;
  return { ...made, type: alike ? sized : type.distinct ? { ...plain, distinct: type.distinct } : plain } as Expr;
}

/** `made`, which is `e` converted to `type`, where one of the two has a type of minimum precision. */
export function convertedPrecision(e: Expr, made: Expr, type: Type, span: Span): Expr {
  if (isMinimum(type)) {
    if (isMinimum(e.type) && sameType(e.type, type)) return made;
    if (made.kind === "literal" && holds(made)) return { ...made, type: type as Literal["type"] };
    return made.kind === "convert" && !sameType(made.operand.type, type)
      ? { ...made, type, relies: "minimum" }
      : { kind: "convert", operand: made, type, explicit: false, span, relies: "minimum" };
  }
  if (!isMinimum(made.type)) return made;
  // A load has the type of its place.
  return made.kind === "load"
    ? { kind: "convert", operand: made, type: withMinimum(made.type, false), explicit: false, span }
    : ({ ...made, type: withMinimum(made.type, false) } as Expr);
}

/** Whether 16 bits hold the number. */
function holds(e: Literal): boolean {
  if (typeof e.value === "boolean") return false;
  const value = Number(e.value);
  if (isFloat(e.type.scalar)) return roundFloat("f16", value) === value;
  return isSigned(e.type.scalar) ? value >= -0x8000 && value <= 0x7fff : value >= 0 && value <= 0xffff;
}

/** Of numbers of 16 bits each gives one of 16 bits. */
const stayNarrow: ReadonlySet<BinaryOperator> = new Set(["and", "or", "xor", "rem", "shr"]);

/** An operation as it comes out: in 16 bits it could give something else. */
export function computedPrecision(e: Expr): Expr {
  if (!isMinimum(e.type)) return e;
  if (e.kind === "binary" && !isFloat(scalarOf(e.type)!))
    return stayNarrow.has(e.operator) ? e : { ...e, relies: "minimum" };
  return e.kind === "unary" && (e.operator === "plus" || (e.operator === "negate" && isFloat(scalarOf(e.type)!)))
    ? e
    : { ...e, relies: "minimum" };
}

/** What a function gives, or memory from outside. */
export const givenPrecision = (e: Expr): Expr =>
  e.type.kind !== "void" && isMinimum(e.type)
    ? { kind: "convert", operand: e, type: e.type, explicit: false, span: e.span, relies: "minimum" }
    : e;

/** DXC takes counts of shifts modulo 16. */
export function shiftCountPrecision(left: Type, count: Expr): Expr {
  if (!isMinimum(left)) return count;
  if (count.kind === "literal" && Number(count.value) >= 0 && Number(count.value) < 16) return count;
  const plain = convert(count, withMinimum(count.type, false));
  return binary("and", plain, constantOf(plain.type, 15, count.span), count.span);
}
