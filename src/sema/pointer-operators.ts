/** Operators of pointers: comparisons, differences, and moving by elements. */
import { binary, convert, isComparison, nullPointer, pointerOffset, unary } from "../ast/builders.js";
import type { BinaryOperator, Expr } from "../ast/nodes.js";
import { differenceType } from "../dialects/type-names.js";
import type { Span } from "../support/span.js";
import { bitWidth, bool, isInteger, sameType, scalar, type PointerType, type Type } from "../types/types.js";
import { error, exprValue, notYet, type Sema, type Value } from "./context.js";
import { inOtherSpace } from "./generic-pointers.js";
import { asNumber, asPointersToBase } from "./constructors.js";
import { isBufferValue, isNullConstant, read } from "./convert.js";
import { pointerAs } from "./conversion.js";
import { showGiven } from "./open-literals.js";
import { mismatch } from "./operands.js";

/** A null constant beside a pointer is one of its type. */
export const asPointer = (v: Value, other: Type): Value =>
  other.kind === "pointer" && isNullConstant(v.expr!) ? exprValue(nullPointer(other, v.expr!.span)) : v;

export function pointerOperator(
  s: Sema,
  spelled: string,
  operator: BinaryOperator,
  l: Value,
  r: Value,
  span: Span,
): Value | undefined {
  if (operator === "eq" || operator === "ne") [l, r] = [asPointer(l, r.type), asPointer(r, l.type)];
  const [lt, rt] = [l.type, r.type];
  const reference = [lt, rt].find((t) => t.kind === "pointer" && t.block) as PointerType | undefined;
  const isStep = reference && lt.kind !== rt.kind && (operator === "add" || operator === "sub");
  if (isStep && !s.reader.referenceSteps!(s, reference, span)) return undefined;
  if (!isStep && (isBufferValue(lt) || isBufferValue(rt))) return mismatch(s, spelled, l, r, span);
  if (lt.kind === "pointer" && rt.kind === "pointer") {
    if (isComparison(operator) || operator === "sub") {
      const met = inOtherSpace(s, r.expr!, lt, span);
      if (met !== "other") return met && pointerOperator(s, spelled, operator, l, exprValue(met), span);
    }
    if (isComparison(operator)) {
      const based = asPointersToBase(s, l, r, span);
      if (based !== "none") return based && pointerOperator(s, spelled, operator, based[0], based[1], span);
      const common = sameType(lt, rt) ? lt : [lt, rt].find((t) => t.pointee.kind === "void" && t.space === lt.space);
      if (!common || lt.space !== rt.space) return mismatch(s, spelled, l, r, span);
      const [x, y] = [l.expr!, r.expr!].map((e) => pointerAs(e, common, e.span)) as [Expr, Expr];
      const made = binary(operator, x, y, span);
      return exprValue(s.language.relations === "int" ? convert(made, scalar("i32"), false, span) : made);
    }
    if (operator === "sub" && sameType(lt, rt)) {
      // No resource has 2^31 elements: the difference fits, whatever the width of ptrdiff_t.
      const difference: Expr = { kind: "binary", operator, left: l.expr!, right: r.expr!, type: scalar("i32"), span };
      return exprValue(convert(difference, differenceType, false, span));
    }
    return mismatch(s, spelled, l, r, span);
  }
  const [p, n] = lt.kind === "pointer" ? [l, r] : [r, l];
  if (p.type.kind === "pointer" && p.type.pointee.kind === "void" && !isComparison(operator))
    return error(s, "XL2004", "a pointer to void does not move: what it points to has no size", span, {
      help: "cast it to a pointer to uchar",
    });
  if (operator === "add" || (operator === "sub" && lt.kind === "pointer")) {
    const offset = offsetOf(s, n, operator === "sub", span);
    return offset && exprValue(pointerOffset(p.expr!, offset, span));
  }
  if (isComparison(operator)) return notYet(s, "comparing a pointer with a number is", span);
  return mismatch(s, spelled, l, r, span);
}

/** A number of elements to move by. */
export function offsetOf(s: Sema, v: Value, negative: boolean, span: Span): Expr | undefined {
  const given = read(s, v.type.kind === "struct" ? asNumber(s, v, span) : v, span);
  if (!given) return undefined;
  // As every operand that is smaller than an int.
  const e = sameType(given.type, bool) ? convert(given, scalar("i32"), false, given.span) : given;
  if (e.type.kind !== "scalar" || !isInteger(e.type.scalar)) {
    return error(s, "XL2004", `a pointer moves by an integer, this is ${showGiven(s, e)}`, span);
  }
  if (!negative) return e;
  // Signed: what is negative is so in the width of pointers.
  const { scalar: kind } = e.type;
  const signed: Expr =
    kind === "u32" && !(e.kind === "literal" && Number(e.value) < 2 ** 31)
      ? { kind: "convert", operand: e, type: scalar("i32"), explicit: false, span: e.span, relies: "offset" }
      : bitWidth(kind) < 32 || kind === "u32"
        ? convert(e, scalar("i32"), false, e.span)
        : e;
  const made = unary("negate", signed, e.span);
  return signed.relies ? { ...made, relies: "offset" } : made;
}
