/** Operators: the dialects' typing rules, every conversion made visible. */
import { functionPointersOf, typeAsPointer } from "./function-pointers.js";
import { binaryConstant } from "../ast/constant-values.js";
import { binary, comma, constantOf, convert, isComparison, logical, opCall, splat, unary } from "../ast/builders.js";
import type { BinaryOperator, Expr } from "../ast/nodes.js";
import { operatorOfToken } from "../ast/operators.js";
import type * as syntax from "../ast/syntax.js";
import { isPure } from "../ast/walk.js";
import { commonType, promote } from "../dialects/conversions.js";
import type { Span } from "../support/span.js";
import {
  asSingle,
  bitWidth,
  bool,
  componentCount,
  isFloat,
  enumerationOf,
  isInteger,
  isSingle,
  sameType,
  scalar,
  scalarOf,
  shaped,
  type Type,
  isAtLeast,
  withoutSingle,
} from "../types/types.js";
import { error, exprValue, notYet, type Sema, type Value } from "./context.js";
import { promotedField } from "./bit-fields.js";
import { uncopied } from "./constructors.js";
import { leftOfLogical } from "./eager-operands.js";
import { wholeComparison } from "./equality.js";
import {
  behindCommas,
  isNumber,
  isOpen,
  lastOfCommas,
  openAs,
  openComparison,
  openFrom,
  settledAlone,
  showGiven,
} from "./open-literals.js";
import { byColumns, inOneShape, matrixOperator, unaryOfMatrix } from "./matrix-operators.js";
import { ofKind } from "./matrix-shapes.js";
import { asExpr, mismatch } from "./operands.js";
import { pointerOperator } from "./pointer-operators.js";
import { computedPrecision, givenPrecision, isMinimum, shiftCountPrecision } from "./minimum-precision.js";
import { convertTo, conditionOf, read, warnTruncation } from "./convert.js";
import { asBool, conversion, narrowComparison, relationMask, relationType, relationValue } from "./conversion.js";
import { isStoredOnly, refusesStored } from "./stored-only.js";

export function binaryOperator(
  s: Sema,
  spelled: syntax.BinaryOperator,
  l: Value,
  r: Value,
  span: Span,
): Value | undefined {
  if (spelled === "&&" || spelled === "||" || spelled === "^^") return logicalOperator(s, spelled, l, r, span);
  const operator = operatorOfToken[spelled]!;
  const pointers = functionPointersOf(s, l.type) ?? functionPointersOf(s, r.type);
  const operand = (v: Value): Expr | undefined =>
    pointers ? convertTo(s, v, pointers.type, "assignment", span, "what is compared") : readOperand(s, v, span);
  const le = operand(l);
  const re = operand(r);
  if (!le || !re) return undefined;
  if (le.type.kind === "pointer" || re.type.kind === "pointer")
    return pointerOperator(s, spelled, operator, asExpr(l, le), asExpr(r, re), span);
  const stored = [le, re].find((e) => isStoredOnly(s, e.type));
  if (stored) return refusesStored(s, spelled, stored.type, span);
  const isEquality = operator === "eq" || operator === "ne";
  if (s.language.vectorComparisons === "functions" && isEquality && sameType(le.type, re.type)) {
    const whole = wholeComparison(s, operator, le, re, span);
    if (whole !== "no whole") return whole && exprValue(whole);
  }
  const shapes = inOneShape(s, spelled, asExpr(l, le), asExpr(r, re), span);
  if (!shapes) return undefined;
  const [given, right] = shapes;
  if (lacksRemainder(s, operator, given, right) || !meets(s, operator, given, right))
    return mismatch(s, spelled, given, right, span);
  const left = operator === "shl" || operator === "shr" ? shiftedBy(s, given, right) : given;
  if (left.type.kind === "matrix" || right.type.kind === "matrix")
    return precision(matrixOperator(s, spelled, operator, left, right, span));
  const computed = arithmetic(s, spelled, operator, left, right, span);
  if (!computed) return undefined;
  const made = shapedAs(computed, le.type);
  if (!isComparison(operator))
    return { ...exprValue(made), ...(!s.language.openLiterals && l.literal && r.literal ? { literal: true } : {}) };
  return exprValue(comparisonResult(s, operator, le.type, made, span));
}

/** What is made of numbers has the shape of the left one (DXC). */
const shapedAs = (made: Expr, left: Type): Expr =>
  isSingle(made.type) === isSingle(left) || made.type.kind !== "scalar"
    ? made
    : { ...made, type: isSingle(left) ? asSingle(made.type) : withoutSingle(made.type) };

function readOperand(s: Sema, v: Value, span: Span): Expr | undefined {
  const e = read(s, v, span);
  return e && promotedField(s, v, e);
}

/** Enumerations with a scope are compared with their own kind only; in DXC, of those without, two different ones do not meet. */
export function meets(s: Sema, operator: BinaryOperator, l: Value, r: Value): boolean {
  const [a, b] = [enumerationOf(l.type), enumerationOf(r.type)];
  if (s.language.enumerations === "promoted")
    return !(a?.scoped || b?.scoped) || (a?.enumeration === b?.enumeration && isComparison(operator));
  if (a && b && a.enumeration !== b.enumeration) return false;
  if (a?.scoped || b?.scoped) return a?.enumeration === b?.enumeration && (operator === "eq" || operator === "ne");
  return (operator !== "shl" && operator !== "shr") || !a || b !== undefined || r.type.kind !== "scalar";
}

/** What is shifted by a vector or matrix in HLSL is an int, whatever an enumeration's type. */
function shiftedBy(s: Sema, l: Value, r: Value): Value {
  if (s.language.enumerations === "promoted" || !enumerationOf(l.type) || r.type.kind === "scalar") return l;
  return exprValue(conversion(s, l.expr!, scalar("i32"), false, l.expr!.span));
}

/** HLSL divides no integers of minimum precision, and has no remainder of doubles. */
export function lacksRemainder(s: Sema, operator: BinaryOperator, l: Value, r: Value): boolean {
  const kinds = [scalarOf(l.type), scalarOf(r.type)];
  if ((operator !== "div" && operator !== "rem") || s.language.conversions.common !== "the wider") return false;
  if (operator === "rem" && [l, r].some((v) => scalarOf(v.type) === "f64" && !isOpen(v.expr!))) return true;
  if (kinds.some((k) => k === undefined || isFloat(k))) return false;
  const counting = [l, r].filter((v) => !isOpen(v.expr!) && scalarOf(v.type) !== "bool" && !enumerationOf(v.type));
  return counting.length > 0 && counting.every((v) => isAtLeast(v.type) && scalarOf(v.type)![0] === "i");
}

/** Of a result with matrices. */
const precision = (made: Value | undefined): Value | undefined =>
  made?.expr && isMinimum(made.expr.type) ? exprValue(givenPrecision(made.expr)) : made;

/** Whether what is true or false of values of this shape is an int. */
const givesInts = (s: Sema, { kind }: Type): boolean =>
  s.language.relations === "int" || (s.language.relations === "bool of scalars" && kind === "vector");

/** What the dialect makes of a comparison: OpenCL integers, GLSL one bool for whole vectors. */
function comparisonResult(s: Sema, operator: BinaryOperator, operandType: Type, made: Expr, span: Span): Expr {
  const size = componentCount(made.type)!;
  if (givesInts(s, made.type)) {
    const operand = made.kind === "binary" ? made.left.type : operandType;
    return relationValue(made, size === 1 ? scalar("i32") : relationType(operand), span);
  }
  if (s.language.vectorComparisons === "functions" && size > 1) {
    return operator === "eq" ? opCall("logic.all", [made], bool, span) : opCall("logic.any", [made], bool, span);
  }
  return made;
}

/** Arithmetic, bitwise and comparison on scalars and vectors, operands converted. */
export function arithmetic(
  s: Sema,
  spelled: string,
  operator: BinaryOperator,
  l: Value,
  r: Value,
  span: Span,
): Expr | undefined {
  const lk = scalarOf(l.type);
  const rk = scalarOf(r.type);
  if (lk === undefined || rk === undefined) {
    return mismatch(s, spelled, l, r, span);
  }
  if (l.expr && r.expr && isOpen(l.expr) && isOpen(r.expr) && [l.expr, r.expr].some((e) => e.kind === "comma")) {
    // What the right one does first would come before a left one that reads what it changes.
    if (r.expr.kind === "comma" && !isNumber(lastOfCommas(l.expr)))
      return notYet(
        s,
        "a number without a type behind a comma, beside one that is chosen, is",
        span,
        "give them a type: int(1)",
      );
    return behindCommas([l.expr, r.expr], ([left, right]) =>
      arithmetic(s, spelled, operator, asExpr(l, left!), asExpr(r, right!), span),
    );
  }
  if (operator === "shl" || operator === "shr") return shift(s, spelled, operator, l, r, span);
  const common = commonType(s.form, l, r);
  if ("error" in common) return mismatch(s, spelled, l, r, span, common.error);
  const kind = scalarOf(common.type)!;
  const relational = operator === "lt" || operator === "le" || operator === "gt" || operator === "ge";
  const { bitsOfBools, floatRemainder } = s.reading.expressions;
  if (s.language.vectorComparisons === "functions" && relational && componentCount(common.type) !== 1)
    return mismatch(s, spelled, l, r, span, "vectors are compared with lessThan() and its like");
  const bitwise = operator === "and" || operator === "or" || operator === "xor";
  // What promotes no bool does not order them either.
  const takesBools =
    operator === "eq" ||
    operator === "ne" ||
    (relational && s.language.conversions.promotes !== "nothing") ||
    (bitwise && bitsOfBools);
  if (kind === "bool" && !takesBools) return mismatch(s, spelled, l, r, span);
  if (isFloat(kind) && bitwise) return mismatch(s, spelled, l, r, span);
  if (common.truncates)
    warnTruncation(s, componentCount(l.type)! > componentCount(r.type)! ? l.type : r.type, common.type, span);
  const open = isOpen(l.expr!) && isOpen(r.expr!);
  const [left, right] = open
    ? [openAs(s, l.expr!, common.type), openAs(s, r.expr!, common.type)]
    : [
        conversion(s, l.expr!, common.type, false, l.expr!.span),
        conversion(s, r.expr!, common.type, false, r.expr!.span),
      ];
  if (open && isComparison(operator)) return openComparison(s, operator, left, right, span);
  if (isFloat(kind) && operator === "rem") {
    if (!floatRemainder) return mismatch(s, spelled, l, r, span);
    return openFrom(opCall("math.fmod_open", [left, right], common.type, span), left, right);
  }
  if (operator === "eq" || operator === "ne") {
    const bools = boolComparison(left, right);
    if (bools) return binary(operator, bools[0], bools[1], span);
  }
  if (kind === "f64" && isComparison(operator)) {
    const narrow = narrowComparison(s, left, right);
    if (narrow) return binary(operator, narrow[0], narrow[1], span);
  }
  if (kind === "f64" && !open && left.kind === "literal" && right.kind === "literal" && !isComparison(operator)) {
    const folded = binaryConstant(operator, left.value, right.value, "f64");
    if (typeof folded === "number" && Number.isFinite(folded))
      return { kind: "literal", type: scalar("f64"), value: folded, span };
  }
  return computedPrecision(openFrom(binary(operator, left, right, span), left, right));
}

/** `(a < b) == (c < d)` in C compares the integers the comparisons give; the bools compare the same. */
function boolComparison(left: Expr, right: Expr): readonly [Expr, Expr] | undefined {
  if (left.kind !== "convert" || right.kind !== "convert") return undefined;
  if (left.type.kind !== "scalar") return undefined;
  const a = asBool(left);
  const b = asBool(right);
  return a && b ? [a, b] : undefined;
}

function shift(s: Sema, spelled: string, operator: "shl" | "shr", l: Value, r: Value, span: Span): Expr | undefined {
  const operands = shiftOperands(s, spelled, l, r, span);
  return operands && computedPrecision(openFrom(binary(operator, operands[0], operands[1], span), ...operands));
}

export function shiftOperands(
  s: Sema,
  spelled: string,
  l: Value,
  r: Value,
  span: Span,
): readonly [Expr, Expr] | undefined {
  if (s.reading.expressions.shifts === "of the left") return shiftOperandsAsLeft(s, spelled, l, r, span);
  const lk = promote(s.form, scalarOf(l.type)!);
  const rk = promote(s.form, scalarOf(r.type)!);
  if (!isInteger(lk) || !isInteger(rk)) return mismatch(s, spelled, l, r, span);
  const ls = componentCount(l.type)!;
  const rs = componentCount(r.type)!;
  if (rs > 1 && ls !== rs) return mismatch(s, spelled, l, r, span);
  // Vectors are not promoted.
  const leftKind = ls > 1 ? scalarOf(l.type)! : lk;
  const size = Math.max(ls, rs);
  const leftType = size === 1 && leftKind === scalarOf(l.type) ? l.type : shaped(leftKind, size);
  const left = conversion(s, l.expr!, leftType, false, l.expr!.span);
  let right =
    rs > 1 ? r.expr! : conversion(s, r.expr!, rk === scalarOf(r.type) ? r.type : scalar(rk), false, r.expr!.span);
  if (right.kind === "literal" && isInteger(right.type.scalar) && bitWidth(right.type.scalar) === 64) {
    right = conversion(s, right, scalar("i32"), false, right.span);
  }
  if (size > 1 && rs === 1) right = splat(right, shaped(scalarOf(right.type)!, size), right.span);
  return [left, right];
}

/** Both sides have the kind of the left one; a number without a type on the left is an int, or a uint where the right is one. */
function shiftOperandsAsLeft(
  s: Sema,
  spelled: string,
  l: Value,
  r: Value,
  span: Span,
): readonly [Expr, Expr] | undefined {
  const [lk, rk] = [promote(s.form, scalarOf(l.type)!), promote(s.form, scalarOf(r.type)!)];
  const [ls, rs] = [componentCount(l.type)!, componentCount(r.type)!];
  if (!isInteger(lk) || !isInteger(rk)) return mismatch(s, spelled, l, r, span);
  const [openLeft, openRight] = [isOpen(l.expr!), isOpen(r.expr!)];
  if (openLeft && openRight) {
    const wide = shaped("i64", Math.max(ls, rs));
    return [openAs(s, l.expr!, wide), openAs(s, r.expr!, wide)];
  }
  const kind = openLeft ? (rk === "u32" && !isMinimum(r.type) ? "u32" : "i32") : lk;
  const size = ls === 1 || rs === 1 ? Math.max(ls, rs) : Math.min(ls, rs);
  if (ls > 1 && rs > 1 && ls !== rs) warnTruncation(s, ls > rs ? l.type : r.type, shaped(kind, size), span);
  // Only the low bits of the count matter, whatever kind it is brought to.
  const count = openRight ? "i32" : rk;
  const type = ofKind(shaped("f32", size), kind, kind === scalarOf(l.type) ? l.type : undefined);
  return [
    conversion(s, l.expr!, type, false, l.expr!.span),
    shiftCountPrecision(type, conversion(s, r.expr!, shaped(count, size), false, r.expr!.span)),
  ];
}

// ------------------------------------------------------------------ logic

/** The bool vector behind an operand of a componentwise logical operator. */
export function maskOf(s: Sema, e: Expr): Expr {
  if (scalarOf(e.type) === "bool") return e;
  return relationMask(e) ?? binary("ne", e, constantOf(e.type, 0, e.span), e.span);
}

function logicalOperator(s: Sema, spelled: "&&" | "||" | "^^", l: Value, r: Value, span: Span): Value | undefined {
  if ([l, r].some((v) => enumerationOf(v.type)?.scoped && !functionPointersOf(s, v.type)))
    return mismatch(s, spelled, l, r, span);
  const vectors = [l, r].some((v) => v.type.kind === "vector" || v.type.kind === "matrix");
  if (vectors || ([l, r].some((v) => isSingle(v.type)) && !takesVectors(s))) {
    if (!takesVectors(s) || spelled === "^^") {
      const help = s.language.vectorConditions === "where eager" ? { help: "and(), or() take vectors" } : {};
      return error(
        s,
        "XL2004",
        `'${spelled}' takes scalars, these are ${showGiven(s, l)} and ${showGiven(s, r)}`,
        span,
        help,
      );
    }
    const le = read(s, l, span);
    const re = read(s, r, span);
    if (!le || !re) return undefined;
    if (s.eager) return eagerVectors(s, spelled, asExpr(l, le), asExpr(r, re), span);
    if (componentCount(le.type) !== componentCount(re.type)) return mismatch(s, spelled, le, re, span);
    const made = binary(spelled === "&&" ? "and" : "or", maskOf(s, le), maskOf(s, re), span);
    return exprValue(givesInts(s, made.type) ? relationValue(made, relationType(le.type), span) : made);
  }
  const given = conditionOf(s, l, span);
  const right = conditionOf(s, r, span);
  const left = given && leftOfLogical(s, given);
  if (!left || !right) return undefined;
  const both = spelled === "^^" || (s.eager && !isPure(right));
  const operator = spelled === "^^" ? "xor" : spelled === "&&" ? "and" : "or";
  const joined =
    both || operator === "xor" ? binary(operator, left, right, span) : logical(operator, left, right, span);
  const made = shapedAs(joined, l.type);
  return exprValue(givesInts(s, made.type) ? convert(made, scalar("i32"), false, span) : made);
}

/** Whether `&&`, `||` and `?:` go component by component where they are given vectors. */
export const takesVectors = (s: Sema): boolean =>
  s.language.vectorConditions === "componentwise" || (s.language.vectorConditions === "where eager" && s.eager);

/** HLSL before 2021: a mask of both, of as many components as the smaller has. */
function eagerVectors(s: Sema, spelled: "&&" | "||", l: Value, r: Value, span: Span): Value | undefined {
  const shapes = inOneShape(s, spelled, l, r, span);
  if (!shapes) return undefined;
  const given = shapes.map((v) => (isOpen(v.expr!) ? settledAlone(s, v.expr!) : v.expr!));
  if (!given.every((e) => scalarOf(e.type) !== undefined)) return mismatch(s, spelled, l, r, span);
  const matrices = given.flatMap((e) => (e.type.kind === "matrix" ? [e.type.rows] : []));
  const sizes = given.map((e) => componentCount(e.type) ?? 1).filter((n) => n > 1);
  const size = matrices[0] ?? Math.min(...(sizes.length > 0 ? sizes : [1]));
  // What is done for columns of a matrix is done once for a scalar beside it.
  const wide = given.map((e) =>
    e.type.kind === "matrix" || (matrices.length > 0 && e.type.kind === "scalar")
      ? e
      : conversion(s, e, shaped(scalarOf(e.type)!, size), false, e.span),
  );
  const spread = (e: Expr): Expr => (componentCount(e.type) === size ? e : splat(e, shaped("bool", size), e.span));
  const operator = spelled === "&&" ? "and" : "or";
  return exprValue(
    byColumns(s, wide, "bool", span, (parts) => {
      const [x, y] = parts.map((e) => spread(maskOf(s, e)));
      return binary(operator, x!, y!, span);
    }),
  );
}

// ------------------------------------------------------------------ unary

export function unaryOperator(s: Sema, spelled: "+" | "-" | "!" | "~", v: Value, span: Span): Value | undefined {
  // `+[](int x) { .. }` is a pointer to a function (C++14 5.3.1 (7)).
  const asPointer = spelled === "+" && v.captured ? typeAsPointer(s, v) : undefined;
  if (asPointer) {
    const led = convertTo(s, v, asPointer.type, "assignment", span, "the operand");
    return led && exprValue(led);
  }
  const e = readOperand(s, v, span);
  if (!e) return undefined;
  const kind = scalarOf(e.type);
  if (spelled === "!") {
    if (e.type.kind === "vector") {
      if (s.language.vectorConditions === "none")
        return error(
          s,
          "XL2004",
          `'!' takes a bool, this is ${showGiven(s, e)}; not() is the componentwise form`,
          span,
        );
      if (givesInts(s, e.type)) {
        return exprValue(relationValue(binary("eq", e, constantOf(e.type, 0, span), span), relationType(e.type), span));
      }
      return exprValue(unary("not", maskOf(s, e), span));
    }
    if (e.type.kind === "matrix" && s.language.matrixOperators === "componentwise")
      return exprValue(byColumns(s, [e], "bool", span, ([column]) => unary("not", maskOf(s, column!), span)));
    const condition = conditionOf(s, { ...asExpr(v, e) }, span);
    if (!condition) return undefined;
    const made = shapedAs(unary("not", condition, span), e.type);
    return exprValue(givesInts(s, made.type) ? convert(made, scalar("i32"), false, span) : made);
  }
  if (kind === undefined || enumerationOf(e.type)?.scoped)
    return error(s, "XL2004", `'${spelled}' does not take ${showGiven(s, e)}`, span);
  if (isStoredOnly(s, e.type) && spelled !== "+") return refusesStored(s, spelled, e.type, span);
  // HLSL's bools become ints in vectors, too.
  const inVectors = s.language.conversions.promotes === "bool";
  const promoted = e.type.kind === "scalar" || inVectors ? promote(s.form, kind) : kind;
  if (promoted === "bool" || (spelled === "~" && !isInteger(promoted))) {
    return error(s, "XL2004", `'${spelled}' does not take ${showGiven(s, e)}`, span);
  }
  if (e.type.kind === "matrix" && inVectors)
    return exprValue(
      computedPrecision(
        unaryOfMatrix(s, spelled === "~" ? "complement" : spelled === "-" ? "negate" : "plus", e, span),
      ),
    );
  const operand = promoted === kind ? e : conversion(s, e, ofKind(e.type, promoted), false, e.span);
  const made = computedPrecision(
    behindCommas([operand], ([x]) =>
      openFrom(unary(spelled === "~" ? "complement" : spelled === "-" ? "negate" : "plus", x!, span), x!),
    ),
  );
  if (
    spelled === "-" &&
    operand.kind === "literal" &&
    !operand.open &&
    operand.type.scalar === "f64" &&
    typeof operand.value === "number"
  ) {
    return {
      type: operand.type,
      expr: { kind: "literal", type: operand.type, value: -operand.value, span },
      literal: true,
    };
  }
  return { ...exprValue(made), ...(!s.language.openLiterals && v.literal && spelled !== "~" ? { literal: true } : {}) };
}

const isCall = (e: Expr): boolean => e.kind === "call" || (e.kind === "comma" && isCall(e.right));

/** The call, with what is computed before it, that is left of a reference it returns where nothing is made of that. */
export const callOfReference = (v: Value): Expr | undefined =>
  v.place?.kind === "deref" && isCall(v.place.pointer) ? v.place.pointer : undefined;

export function commaOperator(s: Sema, l: Value, r: Value, span: Span): Value | undefined {
  // It stays a bit-field, which is computed as an int, and is none by its type.
  if (r.field && s.reading.declarations.bitFields === "C++")
    return notYet(s, "a bit-field behind a comma is", span, "write it alone");
  const left = callOfReference(l) ?? withoutValue(l) ?? read(s, uncopied(s, l, span), span);
  const nothing = withoutValue(r);
  const right = nothing ?? read(s, uncopied(s, r, span), span);
  if (!left || !right) return undefined;
  const whole = openFrom(comma(left, right, span), right);
  return nothing ? { type: r.type, expr: whole } : exprValue(whole);
}

/** A call that is made for what it does. */
const withoutValue = (v: Value): Expr | undefined => (v.type.kind === "void" ? v.expr : undefined);
