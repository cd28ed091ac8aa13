/** Operators and assignments: what the target computes in, and which parentheses and conversions that takes. */
import { isComparison, ledBackBy } from "../../src/ast/builders.js";
import { binaryPrecedence, operatorToken, precedence } from "../../src/ast/operators.js";
import { placeIsPure } from "../../src/ast/walk.js";
import { chosenKind } from "../../src/dialects/conversions.js";
import { writingFacts } from "../../src/dialects/languages.js";
import { isFloat, sameType, scalarOf, type Type } from "../../src/types/types.js";
import type { ExpressionPrinter } from "./expressions.js";
import { asInt } from "./numbers.js";
import { openBinary, openChoice, openUnary } from "./open-numbers.js";
import type { Text } from "./syntax.js";
import { postfix, wrap } from "./text.js";
import type { Assign, BinaryOperator, Conditional, Expr, Logical, Unary } from "./tree.js";

export function unaryText(printer: ExpressionPrinter, e: Unary): Text {
  const given = printer.value(
    e.operand,
    e.operator === "not" && e.operand.type.kind === "scalar" ? "condition" : "exact",
  );
  const open = given.open && openUnary(e.operator, given.open);
  const operand = given.open && !open && e.operator !== "not" ? asInt(printer, given) : given;
  const call = printer.syntax.unaryCall(e.operator, e.operand.type);
  if (call) return postfix(`${call}(${operand.text})`, e.type);
  const token = { negate: "-", not: "!", complement: "~", plus: "+" }[e.operator];
  const inner = wrap(operand, precedence.unary);
  const gap = (token === "-" || token === "+") && inner.startsWith(token) ? " " : "";
  const t: Text = {
    text: `${token}${gap}${inner}`,
    precedence: precedence.unary,
    type: printer.syntax.rules.unary(e.operator, operand.type),
  };
  return {
    ...t,
    ...(operand.literal && e.operator !== "not" ? { literal: true } : {}),
    ...(open ? { open } : {}),
    ...(operand.mask && !(e.operator === "not" && e.type.kind === "scalar") ? { mask: true } : {}),
  };
}

export function logicalText(printer: ExpressionPrinter, e: Logical): Text {
  const token = e.operator === "and" ? "&&" : "||";
  const level = binaryPrecedence[token]!;
  const left = printer.value(e.left, "condition");
  const right = printer.value(e.right, "condition");
  // `a || b && c` reads better, and compiles without a warning, with parentheses.
  const least = e.operator === "or" ? precedence.logicalAnd : level;
  const side = (t: Text, min: number): string =>
    t.precedence === precedence.logicalAnd && e.operator === "or" && (e.grouped === undefined || t.grouped !== false)
      ? `(${t.text})`
      : wrap(t, min);
  const text = `${side(left, e.operator === "or" ? level : least)} ${token} ${side(right, level + 1)}`;
  return grouped({ text, precedence: level, type: e.type }, e.grouped);
}

export function conditionalText(printer: ExpressionPrinter, e: Conditional): Text {
  const arm = (x: Expr): Text => printer.value(x, printer.isOwn(x) ? "initializer" : "exact");
  const whenTrue = arm(e.whenTrue);
  const whenFalse = arm(e.whenFalse);
  const { choosesBy } = writingFacts(printer.syntax.dialect);
  const byFloat = e.condition.kind === "convert" && isFloat(scalarOf(e.condition.operand.type) ?? "bool");
  const condition = printer.text(
    e.condition,
    byFloat && choosesBy === "no float" ? "exact" : "condition",
    precedence.logicalOr,
  );
  const text = `${condition} ? ${wrap(whenTrue, precedence.logicalOr)} : ${wrap(whenFalse, precedence.conditional)}`;
  const adapting = whenTrue.literal && whenFalse.literal && printer.language.openLiterals;
  const open = whenTrue.open && whenFalse.open && openChoice(whenTrue.open, whenFalse.open);
  return {
    text,
    precedence: precedence.conditional,
    type: e.type.kind === "scalar" ? { ...e.type, scalar: chosenKind(printer.syntax.dialect, e.type.scalar) } : e.type,
    ...(adapting ? { literal: true } : {}),
    ...(open ? { open } : {}),
  };
}

const isBitwise = (operator: BinaryOperator): boolean => operator === "and" || operator === "or" || operator === "xor";

/** An operand whose implicit conversion the operator may do. */
function looseOperand(printer: ExpressionPrinter, e: Expr): Text {
  if (e.macro && printer.macros.has(e.macro.name)) return printer.free(e, "exact");
  if ((e.kind === "convert" || e.kind === "splat") && !e.explicit) {
    const inner = printer.peeled(e);
    // The bits of two bools are an int in C, which is no component of a vector of bools.
    if (
      e.kind === "splat" &&
      scalarOf(e.type) === "bool" &&
      e.operand.kind === "binary" &&
      isBitwise(e.operand.operator)
    )
      return printer.value(e, "exact");
    return printer.changesMask(inner, e.type) ? printer.value(e, "exact") : inner;
  }
  if (!printer.syntax.sizes) return printer.value(e, "exact");
  const t = printer.raw(e);
  return t.size ? t : printer.fit(t, e.type, "exact");
}

const isOrder = (operator: BinaryOperator): boolean => isComparison(operator) && operator !== "eq" && operator !== "ne";
/** Null as a pointer to something, as what is asked for its order (C++20 7.6.9) and what is accessed has to be. */
export const typedNull = (e: Expr): Expr =>
  e.kind === "null-pointer" ? { kind: "bitcast", operand: e, type: e.type, span: e.span } : e;

/** `written`: the operation is one of the source. */
export function binaryText(
  printer: ExpressionPrinter,
  operator: BinaryOperator,
  givenLeft: Expr,
  givenRight: Expr,
  type: Type,
  written: boolean,
): Text {
  const [left, right] = isOrder(operator) ? [typedNull(givenLeft), typedNull(givenRight)] : [givenLeft, givenRight];
  if (operator === "sub" && left.type.kind === "pointer") {
    const [l, r] = [left, right].map((e) => wrap(printer.value(e, "exact"), precedence.additive + 1));
    const difference: Text = {
      text: `${l} - ${r}`,
      precedence: precedence.additive,
      type: { kind: "scalar", scalar: "i64", size: true },
    };
    return printer.own
      ? { ...difference, size: "fits" }
      : printer.syntax.cast(difference, type, printer.typeText(type));
  }
  const call = printer.syntax.operatorCall(operator, left.type, right.type);
  if (call) {
    const args = [
      printer.text(left, "exact", precedence.assignment),
      printer.text(right, "exact", precedence.assignment),
    ];
    return postfix(`${call.name}(${(call.swapped ? args.reverse() : args).join(", ")})`, type);
  }
  const { rules } = printer.syntax;
  const shift = operator === "shl" || operator === "shr";
  const wanted = left.type;
  const operation = (l: Text, r: Text, result: Type): Text => operationText(printer, operator, l, r, result, written);
  const fits = (l: Text, r: Text): Text | undefined => {
    if (l.size || r.size) return sizedArithmetic(printer, operator, l, r, written);
    const found = rules.arithmetic(operator, l, r);
    if (!found) return undefined;
    if (sameType(found.operand, wanted) || (shift && sameType(l.type, wanted))) return operation(l, r, found.result);
    if (left.type.kind === "matrix" || right.type.kind === "matrix") return operation(l, r, found.result);
    // Small integers are promoted by C and brought back by whoever takes the result.
    if (sameType(l.type, wanted) && sameType(r.type, wanted)) return operation(l, r, found.result);
    return undefined;
  };
  const exact = (e: Expr): Text => printer.value(e, "exact");
  if (printer.own) {
    // The source's own rules led to this tree: without its implicit conversions it means the same again.
    const l = looseOperand(printer, left);
    const r = looseOperand(printer, right);
    const found = rules.arithmetic(operator, l, r);
    const meant = found === undefined || sameType(found.operand, wanted) || scalarOf(wanted) === undefined;
    const result = operation(l, r, found?.result ?? type);
    // What passes made may need its conversions, as anywhere else.
    if (l.size || r.size) return isComparison(operator) ? result : { ...result, size: "wide" };
    if (meant && (found !== undefined || scalarOf(l.type) === undefined || scalarOf(r.type) === undefined))
      return result;
  }
  const l = looseOperand(printer, left);
  const r = looseOperand(printer, right);
  return (
    fits(l, r) ??
    fits(exact(left), r) ??
    fits(l, exact(right)) ??
    operation(exact(left), exact(right), rules.arithmetic(operator, exact(left), exact(right))?.result ?? type)
  );
}

/** Arithmetic on `size_t` values that stand for 32-bit ones. */
function sizedArithmetic(
  printer: ExpressionPrinter,
  operator: BinaryOperator,
  l: Text,
  r: Text,
  written: boolean,
): Text | undefined {
  const u32Or = (t: Text): boolean =>
    t.size !== undefined || (t.type.kind === "scalar" && (t.type.scalar === "u32" || t.literal === true));
  if (!u32Or(l) || !u32Or(r)) return undefined;
  const found = printer.syntax.rules.arithmetic(operator, l, r);
  if (!found) return undefined;
  if (operator === "add" || operator === "sub" || operator === "mul")
    return { ...operationText(printer, operator, l, r, found.result, written), size: "wide" };
  if (operator === "shl")
    return r.size ? undefined : { ...operationText(printer, operator, l, r, found.result, written), size: "wide" };
  if (l.size === "wide" || r.size === "wide") return undefined;
  const result = operationText(printer, operator, l, r, found.result, written);
  return found.result.kind === "scalar" && found.result.scalar === "bool" ? result : { ...result, size: "fits" };
}

/** Where the author did without parentheses, only the grammar's stand. */
function operationText(
  printer: ExpressionPrinter,
  operator: BinaryOperator,
  given: Text,
  right: Text,
  type: Type,
  written: boolean,
): Text {
  const shift = operator === "shl" || operator === "shr";
  const open =
    given.open && right.open && !isComparison(operator) ? openBinary(operator, given.open, right.open) : undefined;
  // In 64 bits it would be another number; `1 << n` is of the type of n, and DXC warns of it.
  const closes = given.open && !isComparison(operator) && (right.open ? !open : shift);
  const left = closes && given.type.kind === "scalar" && given.type.scalar === "i32" ? asInt(printer, given) : given;
  const token = operatorToken[operator];
  const level = binaryPrecedence[token]!;
  const side = (t: Text, last: boolean): string =>
    written && t.grouped === false ? wrap(t, last ? level + 1 : level) : sideOf(printer, t, level, operator, last);
  const text = `${side(left, false)} ${token} ${side(right, true)}`;
  const comparison = level === precedence.equality || level === precedence.relational;
  const mask = (comparison && type.kind === "vector" && scalarOf(type) !== "bool") || left.mask || right.mask;
  const adapting = left.literal && right.literal && !comparison && printer.language.openLiterals;
  return {
    text,
    precedence: level,
    type,
    ...(mask ? { mask: true } : {}),
    ...(adapting ? { literal: true } : {}),
    ...(open ? { open } : {}),
  };
}

/** Parentheses where the grammar needs them, and where mixing operators misleads (shift in sum, sum in shift, bits, truth of truths). */
function sideOf(printer: ExpressionPrinter, t: Text, level: number, operator: BinaryOperator, right: boolean): string {
  const least = right ? level + 1 : level;
  if (t.precedence < least) return `(${t.text})`;
  if (t.precedence >= precedence.unary) return t.text;
  // `a * b % c` and `a == b > c` take a second look.
  const product = operator === "rem" && t.precedence === level && !/^[^()]* % [^()]*$/.test(t.text);
  const truth =
    isComparison(operator) && (t.precedence === precedence.equality || t.precedence === precedence.relational);
  const shifts = (operator === "shl" || operator === "shr") && t.precedence === level;
  if (t.precedence === level && !product && !truth && !shifts) return t.text;
  const confusing =
    product ||
    truth ||
    operator === "shl" ||
    operator === "shr" ||
    ((operator === "and" || operator === "or" || operator === "xor") && t.precedence < precedence.multiplicative);
  return confusing ? `(${t.text})` : t.text;
}

export function assignmentText(printer: ExpressionPrinter, e: Assign): Text {
  const target = printer.place(e.target);
  const left = wrap(target, precedence.unary);
  const assigned = (right: Text, token: string): Text => ({
    text: `${left} ${token} ${wrap(right, precedence.assignment)}`,
    precedence: precedence.assignment,
    type: e.type,
  });
  if (!e.operator) {
    const { value } = e;
    // `p += n` for pointers.
    if (
      value.kind === "pointer-offset" &&
      value.pointer.kind === "load" &&
      e.target.kind === "variable" &&
      value.pointer.place.kind === "variable" &&
      value.pointer.place.variable === e.target.variable
    ) {
      const back = ledBackBy(value.offset);
      return assigned(printer.value(back ?? value.offset, "offset"), back ? "-=" : "+=");
    }
    return assigned(target.mask ? printer.maskComponent(value) : printer.value(value, "assignment"), "=");
  }
  const token = `${operatorToken[e.operator]}=`;
  if (printer.own) return assigned(looseOperand(printer, e.value), token);
  const compute = e.compute ?? e.target.type;
  const shift = e.operator === "shl" || e.operator === "shr";
  const { rules } = printer.syntax;
  for (const right of [looseOperand(printer, e.value), printer.value(e.value, "exact")]) {
    const found = rules.arithmetic(e.operator, target, right);
    if (!found) continue;
    const computes = sameType(found.operand, compute) || (shift && sameType(target.type, compute));
    if (
      computes &&
      printer.syntax.compoundAssign(e.operator, target.type, right.type) &&
      rules.implicit(found.result, e.target.type, "assignment", false)
    )
      return assigned(right, token);
  }
  if (!placeIsPure(e.target)) throw new Error("compound assignment to a place with side effects was not lowered");
  // Written out: the target's rules would compute in another type.
  const current: Expr = { kind: "load", place: e.target, type: e.target.type, span: e.span };
  const operand: Expr = sameType(compute, e.target.type)
    ? current
    : { kind: "convert", operand: current, type: compute, explicit: false, span: e.span };
  const result: Expr = {
    kind: "binary",
    operator: e.operator,
    left: operand,
    right: e.value,
    type: compute,
    span: e.span,
  };
  const back: Expr = sameType(compute, e.target.type)
    ? result
    : { kind: "convert", operand: result, type: e.target.type, explicit: true, span: e.span };
  return assigned(printer.value(back, "assignment"), "=");
}

export const grouped = (t: Text, parentheses: boolean | undefined): Text =>
  parentheses === undefined ? t : { ...t, grouped: parentheses };
