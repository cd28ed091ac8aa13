/**
 * Conversions between a dialect's types at a builtin and the canonical ones, taking back a conversion that was only made
 * for the dialect's sake (a bool made an int to be an OpenCL predicate is the bool again).
 */
import { binary, bitcast, constantOf, convert, literal, splat, unary } from "../ast/builders.js";
import type { Convert, Expr, Stage } from "../ast/nodes.js";
import {
  bitWidth,
  isFloat,
  isInteger,
  isSigned,
  sameType,
  scalar,
  scalarOf,
  shaped,
  type ScalarKind,
  type Type,
} from "../types/types.js";

/** True where every value of `from` is kept by `to`, so that converting there and back gives the value again. */
function keeps(from: ScalarKind, to: ScalarKind): boolean {
  if (from === to || from === "bool") return true;
  if (to === "bool") return false;
  if (isFloat(from)) return isFloat(to) && bitWidth(to) >= bitWidth(from);
  if (isFloat(to)) return bitWidth(from) < bitWidth(to) / 2;
  return bitWidth(to) >= bitWidth(from);
}

/** `e` as `type`: splat, conversion, or the operand of an implicit conversion that is taken back. */
export function coerce(e: Expr, type: Type): Expr {
  if (sameType(e.type, type)) return e;
  if (type.kind === "vector" && e.type.kind === "scalar") return splat(coerce(e, scalar(type.scalar)), type, e.span);
  if (e.kind === "literal" && type.kind === "scalar") return convertLiteral(e, type.scalar) ?? convert(e, type);
  if (e.kind === "convert" && takesBack(e, type)) return e.operand;
  return convert(e, type);
}

/** Whether the conversion was made for the dialect's sake only, and going on to `type` gives its operand again. */
export function takesBack(e: Convert<Stage>, type: Type): boolean {
  if (e.explicit || !sameType(e.operand.type, type)) return false;
  const [from, via] = [scalarOf(type), scalarOf(e.type)];
  return from !== undefined && via !== undefined && keeps(from, via);
}

function convertLiteral(e: Extract<Expr, { kind: "literal" }>, kind: ScalarKind): Expr | undefined {
  if (typeof e.value === "boolean" || !isInteger(e.type.scalar) || !isInteger(kind)) return undefined;
  const value = BigInt(e.value);
  const bits = BigInt(bitWidth(kind));
  const [low, high] = isSigned(kind) ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n];
  return value >= low && value <= high ? { ...e, ...literal(kind, value, e.span) } : undefined;
}

/** A vector of truth values as OpenCL's integer vectors of 0 and -1; a scalar as 0 or 1. */
export function maskOf(e: Expr, type: Type): Expr {
  if (type.kind !== "vector") return coerce(e, type);
  return unary("negate", convert(e, type), e.span);
}

/** The truth values of an OpenCL integer: of vectors the top bits, of scalars whether they are nonzero. */
export function truthOf(e: Expr): Expr {
  const kind = scalarOf(e.type)!;
  if (e.type.kind !== "vector") return coerce(e, scalar("bool"));
  if (
    e.kind === "unary" &&
    e.operator === "negate" &&
    e.operand.kind === "convert" &&
    scalarOf(e.operand.operand.type) === "bool"
  ) {
    return e.operand.operand;
  }
  const signed = isSigned(kind) ? e : bitcast(e, shaped(`i${bitWidth(kind)}` as ScalarKind, e.type.size));
  return binary("lt", signed, constantOf(signed.type, 0), e.span);
}
