/**
 * What passes and lowerings leave behind is made plain: conversions that take each other back, arithmetic on numbers that a
 * lowering put together, small integers that were never large. What the author wrote stays as it is written.
 */
import { isOwnText } from "../../ast/lookup.js";
import { assign, boolLiteral, convert, element, isComparison, literal, ModuleEditor } from "../../ast/builders.js";
import { binaryConstant, literalForm } from "../../ast/constant-values.js";
import type { Assign, BinaryOperator, Expr, Literal, Place } from "../../ast/nodes.js";
import { isPure, rewriteExpr, rewriteFunction, rewritePlace, type Rewriter } from "../../ast/walk.js";
import { bitWidth, componentCount, isInteger, sameType, scalarOf } from "../../types/types.js";
import type { TextPass } from "../pass.js";
import { intervalOfKind, within } from "../../ast/interval.js";
import { Ranges } from "../analysis/ranges.js";

export const tidy: TextPass = {
  name: "tidy",
  run(module, context) {
    if (isOwnText(module, context.target)) return module;
    const functions = module.functions.map((f) => {
      const ranges = new Ranges(module, f);
      const rewriter: Rewriter = {
        // A pointer before the first element may be moved back to it: an address keeps the sign.
        enterExpr(e) {
          if (e.kind !== "address-of" || e.place.kind !== "element" || plainIndex(e.place) === e.place)
            return undefined;
          const { base, index } = e.place;
          return { ...e, place: element(rewritePlace(base, rewriter), rewriteExpr(index, rewriter), e.place.span) };
        },
        expr: (e) => plain(e, ranges),
        place: plainIndex,
      };
      return rewriteFunction(f, rewriter);
    });
    return new ModuleEditor(module).finish({ functions });
  },
};

/** Made by a pass: it has no place in the source. */
const made = (e: Expr): boolean => e.span.end <= e.span.start;

function plain(e: Expr, ranges: Ranges): Expr {
  switch (e.kind) {
    case "convert":
      return conversion(e, ranges);
    case "binary":
      return folded(e) ?? takenBack(e) ?? e;
    case "assign":
      return compound(e) ?? e;
    case "conditional": {
      const { condition } = e;
      if (condition.kind !== "literal" || !made(condition)) return e;
      return condition.value ? e.whenTrue : e.whenFalse;
    }
    default:
      return e;
  }
}

/** `x = x + y` that a pass or lowering put together. */
function compound(e: Assign): Expr | undefined {
  const { target, value } = e;
  if (
    e.operator ||
    target.kind !== "variable" ||
    value.kind !== "binary" ||
    value.grouped !== undefined ||
    isComparison(value.operator)
  )
    return undefined;
  const { left, right } = value;
  if (left.kind !== "load" || left.place.kind !== "variable" || left.place.variable !== target.variable)
    return undefined;
  if (
    !sameType(value.type, target.type) ||
    !sameType(right.type, target.type) ||
    scalarOf(target.type) === "bool" ||
    !isPure(right)
  )
    return undefined;
  return assign(target, right, e.span, value.operator);
}

/** Integers through a type that has all their values, or only another sign. */
function conversion(e: Expr & { kind: "convert" }, ranges: Ranges): Expr {
  const inner = e.operand;
  if (inner.kind !== "convert") return e;
  const [last, middle, first] = [scalarOf(e.type)!, scalarOf(inner.type)!, scalarOf(inner.operand.type)!];
  if (!isInteger(last) || !isInteger(middle) || !isInteger(first)) return e;
  const sameBits = bitWidth(middle) === bitWidth(first) && bitWidth(last) <= bitWidth(middle);
  const small = componentCount(inner.operand.type) === 1 && within(ranges.of(inner.operand), intervalOfKind(middle));
  if (!sameBits && !small) return e;
  return convert(inner.operand, e.type, e.explicit && !sameType(inner.operand.type, e.type), e.span);
}

const foldedOperators: ReadonlySet<BinaryOperator> = new Set(["add", "sub", "mul", "and", "or", "xor"]);

const number = (e: Expr): Literal | undefined =>
  e.kind === "literal" && !e.macro && isInteger(e.type.scalar) ? e : undefined;

/** A lowering's arithmetic on numbers. */
function folded(e: Expr & { kind: "binary" }): Expr | undefined {
  const [left, right] = [number(e.left), number(e.right)];
  if (!made(e) || !left || !right || typeof left.value === "boolean" || typeof right.value === "boolean")
    return undefined;
  const kind = left.type.scalar;
  if (!isComparison(e.operator) && (!foldedOperators.has(e.operator) || bitWidth(kind) > 32)) return undefined;
  const value = binaryConstant(e.operator, BigInt(left.value), BigInt(right.value), kind);
  if (value === undefined) return undefined;
  return typeof value === "boolean" ? boolLiteral(value) : literal(kind, literalForm(value));
}

/** `a - (a - x)`, the inner difference by a lowering. */
function takenBack(e: Expr & { kind: "binary" }): Expr | undefined {
  if (e.operator !== "sub" || e.right.kind !== "binary" || e.right.operator !== "sub") return undefined;
  const [outer, inner] = [number(e.left), number(e.right.left)];
  if (!outer || !inner || !made(inner) || BigInt(outer.value) !== BigInt(inner.value)) return undefined;
  return sameType(e.type, e.right.right.type) ? e.right.right : undefined;
}

/**
 * An index that arithmetic on unsigned integers gave is an element's number as it is: where it would be negative, or
 * beyond the largest int, the element is out of bounds in either form.
 */
function plainIndex(p: Place): Place {
  if (p.kind !== "element" || p.base.type.kind !== "array") return p;
  const { index } = p;
  if (
    index.kind !== "convert" ||
    !index.explicit ||
    scalarOf(index.type) !== "i32" ||
    scalarOf(index.operand.type) !== "u32"
  )
    return p;
  return index.operand.kind === "binary" && isPure(index.operand) ? element(p.base, index.operand, p.span) : p;
}
