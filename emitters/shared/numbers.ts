/** Literals: bare where the target converts them, written as one of another type, or with a type of their own. */
import { precedence } from "../../src/ast/operators.js";
import { adapts } from "../../src/dialects/conversions.js";
import { bitWidth, i32, isFloat, isInteger, type ScalarKind, type Type } from "../../src/types/types.js";
import type { ExpressionPrinter } from "./expressions.js";
import { openNumber } from "./open-numbers.js";
import { literalFits } from "./rules.js";
import type { Context, Text } from "./syntax.js";
import { wrap } from "./text.js";
import type { Expr, Literal } from "./tree.js";

/** `ushort mask = 1`: a small integer's number needs no cast where the target converts it. */
export function bareNumber(printer: ExpressionPrinter, e: Expr, context: Context): Text | undefined {
  if (context !== "initializer" && context !== "assignment" && context !== "return" && context !== "construct")
    return undefined;
  const number = e.kind === "convert" && !e.explicit ? e.operand : e;
  if (
    number.kind !== "literal" ||
    number.macro ||
    e.type.kind !== "scalar" ||
    !isInteger(e.type.scalar) ||
    bitWidth(e.type.scalar) > 16
  )
    return undefined;
  if (typeof number.value === "boolean" || isFloat(number.type.scalar) || !literalFits(number.value, e.type.scalar))
    return undefined;
  const plain = literalText(printer, { ...number, type: { kind: "scalar", scalar: "i32" } });
  return printer.syntax.rules.implicit(plain.type, e.type, context, true) ? { ...plain, type: e.type } : undefined;
}

/** C has no underlying types: an enumerator that fits is an int (C99 6.7.2.2). */
export function enumeratorType(printer: ExpressionPrinter, index: number, name: string, type: Type): Type {
  if (printer.own || printer.language.enumerators === "typed") return type;
  const value = printer.module.enums[index]!.enumerators.find((x) => x.name === name)?.value;
  return value !== undefined && literalFits(value, "i32") ? i32 : type;
}

export function literalText(printer: ExpressionPrinter, e: Literal): Text {
  const { value, type } = e;
  if (typeof value === "number" && isFloat(type.scalar)) {
    if (Number.isNaN(value)) return printer.syntax.nan(type);
    if (!Number.isFinite(value)) return printer.syntax.infinity(type, value > 0 ? 1 : -1);
  }
  const text = printer.syntax.literal(e);
  if (!adapts(printer.syntax.dialect, text.text, isFloat(type.scalar))) return text;
  const open =
    printer.language.openLiterals && type.scalar === "i32" && typeof value !== "boolean"
      ? openNumber(value)
      : undefined;
  return { ...text, literal: true, ...(open ? { open } : {}) };
}

/** HLSL: a number of the type it has in the tree, in every version of the language. */
export function asInt(printer: ExpressionPrinter, t: Text): Text {
  const { open: _open, literal: _literal, ...typed } = t;
  return printer.syntax.cast(typed, i32, printer.typeText(i32));
}

/** A number (perhaps negated) written as one of `type`, where that is what converting it gives. */
export function retyped(printer: ExpressionPrinter, e: Expr, type: Type): Text | undefined {
  if (type.kind !== "scalar") return undefined;
  if (e.kind === "unary" && e.operator === "negate" && type.scalar[0] !== "u") {
    const inner = retyped(printer, e.operand, type);
    return (
      inner && {
        ...inner,
        text: `-${inner.text.startsWith("-") ? " " : ""}${wrap(inner, precedence.unary)}`,
        precedence: precedence.unary,
      }
    );
  }
  if (e.kind !== "literal" || e.macro || typeof e.value === "boolean") return undefined;
  if (isFloat(e.type.scalar) && isFloat(type.scalar)) {
    const value = type.scalar === "f32" ? Math.fround(Number(e.value)) : Number(e.value);
    if (bitWidth(type.scalar) === 16 && !literalFits(value, type.scalar)) return undefined;
    const { text, ...rest } = e;
    return literalText(printer, {
      ...rest,
      type,
      value,
      ...(text !== undefined && Math.fround(Number(text)) === value ? { text } : {}),
    });
  }
  if (isFloat(e.type.scalar)) return undefined;
  if (!literalFits(e.value, type.scalar)) return undefined;
  const { text, ...rest } = e;
  const keep = text !== undefined && !(isFloat(type.scalar) && /^0[xXbB0-7]/.test(text) && text.length > 1);
  return literalText(printer, { ...rest, type, ...(keep ? { text } : {}) });
}

/** Whether every value of `from` is one of `to`. */
export function widens(from: ScalarKind, to: ScalarKind): boolean {
  if (from === to || from === "bool") return true;
  if (isFloat(from) || isFloat(to)) return isFloat(from) && isFloat(to) && bitWidth(from) < bitWidth(to);
  const signed = (k: ScalarKind): boolean => k.startsWith("i");
  return bitWidth(from) < bitWidth(to) && (signed(to) || !signed(from));
}

/** Numbers of int and what is computed from nothing else, which HLSL gives the type of what they meet. */
export function untyped(e: Expr): boolean {
  if (e.kind === "literal") return e.type.scalar === "i32";
  if (e.kind === "unary") return untyped(e.operand);
  if (e.kind === "conditional") return untyped(e.whenTrue) && untyped(e.whenFalse);
  return e.kind === "binary" && untyped(e.left) && untyped(e.right);
}
