/** Operators: the dialects' typing rules, every conversion made visible. */
import { binaryConstant } from "../ast/constant-values.js";
import {
  assign,
  binary,
  comma,
  constantOf,
  convert,
  declare,
  element,
  expressionStatement,
  increment,
  isComparison,
  literal,
  load,
  logical,
  opCall,
  pointerOffset,
  splat,
  swizzle,
  unary,
  variablePlace,
} from "../ast/builders.js";
import type { BinaryOperator, Expr, Place, Statement } from "../ast/nodes.js";
import { operatorOfToken } from "../ast/operators.js";
import type * as syntax from "../ast/syntax.js";
import { isPure } from "../ast/walk.js";
import { commonType, implicitConversion, promote, usualConversions } from "../dialects/conversions.js";
import type { Span } from "../support/span.js";
import {
  bitWidth,
  bool,
  componentCount,
  isFloat,
  enumerationOf,
  isInteger,
  isSameName,
  sameType,
  scalar,
  scalarOf,
  shaped,
  type ScalarKind,
  type Type,
  distinctOf,
  isAtLeast,
  isNumeric,
} from "../types/types.js";
import {
  after,
  error,
  exprValue,
  held,
  heldPlace,
  newVariable,
  notYet,
  type Sema,
  type Value,
  shown,
} from "./context.js";
import { choiceOf, leftOfLogical } from "./eager-operands.js";
import { wholeComparison } from "./equality.js";
import { isOpen, openAs, openComparison, openFrom, settledAlone, showGiven } from "./open-literals.js";
import { assignedValue, valueBeforeOld } from "./order-matters.js";
import { byColumns, inOneShape, matrixOperator, unaryOfMatrix } from "./matrix-operators.js";
import { transposed } from "./matrix-rows.js";
import { combinedShape, ofKind } from "./matrix-shapes.js";
import { asExpr, mismatch } from "./operands.js";
import { asPointer, offsetOf, pointerOperator } from "./pointer-operators.js";
import { computedPrecision, givenPrecision, isMinimum, shiftCountPrecision } from "./minimum-precision.js";
import {
  asBool,
  conditionOf,
  conversion,
  convertTo,
  isBufferValue,
  narrowComparison,
  read,
  relationMask,
  relationType,
  relationValue,
  warnTruncation,
} from "./convert.js";

export function binaryOperator(
  s: Sema,
  spelled: syntax.BinaryOperator,
  l: Value,
  r: Value,
  span: Span,
): Value | undefined {
  if (spelled === "&&" || spelled === "||" || spelled === "^^") return logicalOperator(s, spelled, l, r, span);
  const operator = operatorOfToken[spelled]!;
  const le = read(s, l, span);
  const re = read(s, r, span);
  if (!le || !re) return undefined;
  if (le.type.kind === "pointer" || re.type.kind === "pointer")
    return pointerOperator(s, spelled, operator, asExpr(l, le), asExpr(r, re), span);
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
  const made = arithmetic(s, spelled, operator, left, right, span);
  if (!made) return undefined;
  if (!isComparison(operator))
    return { ...exprValue(made), ...(!s.language.openLiterals && l.literal && r.literal ? { literal: true } : {}) };
  return exprValue(comparisonResult(s, operator, le.type, made, span));
}

/** Enumerations with a scope are compared with their own kind only; in DXC, of those without, two different ones do not meet. */
function meets(s: Sema, operator: BinaryOperator, l: Value, r: Value): boolean {
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
function lacksRemainder(s: Sema, operator: BinaryOperator, l: Value, r: Value): boolean {
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

/** What the dialect makes of a comparison: OpenCL integers, GLSL one bool for whole vectors. */
function comparisonResult(s: Sema, operator: BinaryOperator, operandType: Type, made: Expr, span: Span): Expr {
  const size = componentCount(made.type)!;
  if (s.language.relations === "int") {
    const operand = made.kind === "binary" ? made.left.type : operandType;
    return relationValue(made, size === 1 ? scalar("i32") : relationType(operand), span);
  }
  if (s.language.vectorComparisons === "functions" && size > 1) {
    return operator === "eq" ? opCall("logic.all", [made], bool, span) : opCall("logic.any", [made], bool, span);
  }
  return made;
}

/** Arithmetic, bitwise and comparison on scalars and vectors, operands converted. */
function arithmetic(
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
  if (operator === "shl" || operator === "shr") return shift(s, spelled, operator, l, r, span);
  const common = commonType(s.dialect, l, r);
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

function shiftOperands(s: Sema, spelled: string, l: Value, r: Value, span: Span): readonly [Expr, Expr] | undefined {
  if (s.reading.expressions.shifts === "of the left") return shiftOperandsAsLeft(s, spelled, l, r, span);
  const lk = promote(s.dialect, scalarOf(l.type)!);
  const rk = promote(s.dialect, scalarOf(r.type)!);
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
  const [lk, rk] = [promote(s.dialect, scalarOf(l.type)!), promote(s.dialect, scalarOf(r.type)!)];
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
  if ([l, r].some((v) => enumerationOf(v.type)?.scoped)) return mismatch(s, spelled, l, r, span);
  if ([l, r].some((v) => v.type.kind === "vector" || v.type.kind === "matrix")) {
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
    return exprValue(s.language.relations === "int" ? relationValue(made, relationType(le.type), span) : made);
  }
  const given = conditionOf(s, l, span);
  const right = conditionOf(s, r, span);
  const left = given && leftOfLogical(s, given);
  if (!left || !right) return undefined;
  const both = spelled === "^^" || (s.eager && !isPure(right));
  const operator = spelled === "^^" ? "xor" : spelled === "&&" ? "and" : "or";
  const made = both || operator === "xor" ? binary(operator, left, right, span) : logical(operator, left, right, span);
  return exprValue(s.language.relations === "int" ? convert(made, scalar("i32"), false, span) : made);
}

/** Whether `&&`, `||` and `?:` go component by component where they are given vectors. */
const takesVectors = (s: Sema): boolean =>
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
  const e = read(s, v, span);
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
      if (s.language.relations === "int") {
        return exprValue(relationValue(binary("eq", e, constantOf(e.type, 0, span), span), relationType(e.type), span));
      }
      return exprValue(unary("not", maskOf(s, e), span));
    }
    if (e.type.kind === "matrix" && s.language.matrixOperators === "componentwise")
      return exprValue(byColumns(s, [e], "bool", span, ([column]) => unary("not", maskOf(s, column!), span)));
    const condition = conditionOf(s, { ...asExpr(v, e) }, span);
    if (!condition) return undefined;
    const made = unary("not", condition, span);
    return exprValue(s.language.relations === "int" ? convert(made, scalar("i32"), false, span) : made);
  }
  if (kind === undefined || enumerationOf(e.type)?.scoped)
    return error(s, "XL2004", `'${spelled}' does not take ${showGiven(s, e)}`, span);
  // HLSL's bools become ints in vectors, too.
  const inVectors = s.language.conversions.promotes === "bool";
  const promoted = e.type.kind === "scalar" || inVectors ? promote(s.dialect, kind) : kind;
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
    openFrom(unary(spelled === "~" ? "complement" : spelled === "-" ? "negate" : "plus", operand, span), operand),
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

// ------------------------------------------------------------------ ?:

export function conditionalOperator(s: Sema, c: Value, a: Value, b: Value, span: Span): Value | undefined {
  const ce = read(s, c, span);
  const ae = read(s, a, span);
  const be = read(s, b, span);
  if (!ce || !ae || !be) return undefined;
  const asCpp = s.conditionalAsCpp && isOfCpp(ae, be);
  const vectorCondition = (ce.type.kind === "vector" || ce.type.kind === "matrix") && !asCpp;
  if (vectorCondition && !takesVectors(s))
    return error(s, "XL2003", `the condition of ?: must be a scalar bool, this is ${showGiven(s, ce)}`, span, {
      ...(s.language.vectorConditions === "where eager" ? { help: "select() takes vectors" } : {}),
    });
  const [enumA, enumB] = [enumerationOf(ae.type), enumerationOf(be.type)];
  if ((enumA?.scoped || enumB?.scoped) && enumA?.enumeration !== enumB?.enumeration)
    return mismatch(s, "?:", ae, be, span);
  const both = asCpp
    ? branchesAsCpp(s, ae, be)
    : branches(s, asExpr(a, ae), asExpr(b, be), span, vectorCondition ? ce.type : undefined);
  if (!both) return undefined;
  const [x, y] = both.map((e) => (e.type.kind === "scalar" ? e : withoutHalf(s, e))) as [Expr, Expr];
  if (!vectorCondition) {
    const condition = asCpp
      ? convertTo(s, asExpr(c, ce), bool, "condition", span, "the condition")
      : conditionOf(s, asExpr(c, ce), span);
    if (!condition) return undefined;
    if (x.kind === "null-pointer" && y.kind === "null-pointer" && isPure(condition)) return exprValue(x);
    const chosen = choiceOf(s, condition, x, y, span);
    return chosen && exprValue(chosen);
  }
  if (!sameType(ofKind(x.type, "bool"), ofKind(ce.type, "bool"))) {
    return error(s, "XL2004", `the condition of ?: is ${showGiven(s, ce)}, the branches are ${showGiven(s, x)}`, span);
  }
  if (ce.type.kind === "matrix")
    return exprValue(
      byColumns(s, [ce, x, y], undefined, span, ([m, p, q]) =>
        opCall("select.componentwise", [maskOf(s, m!), p!, q!], p!.type, span),
      ),
    );
  let mask: Expr;
  const kind = scalarOf(ce.type)!;
  if (kind === "bool") mask = ce;
  else if (s.language.relations === "int") {
    if (!isInteger(kind)) return error(s, "XL2003", "the condition of ?: on vectors must be integers", span);
    if (bitWidth(kind) !== bitWidth(scalarOf(x.type)!)) {
      return error(
        s,
        "XL2004",
        `the condition of ?: has components of ${bitWidth(kind)} bits, the branches are ${showGiven(s, x)}`,
        span,
      );
    }
    // OpenCL C 6.3.i: the most significant bit of each component decides.
    const known = relationMask(ce);
    const signed = kind[0] === "i" ? ce : ({ kind: "bitcast", operand: ce, type: relationType(ce.type), span } as Expr);
    mask = known ?? binary("lt", signed, constantOf(signed.type, 0, span), span);
  } else if (s.language.conversions.scalars === "any" && s.eager)
    mask = convert(ce, shaped("bool", componentCount(ce.type)!), false, span);
  else return error(s, "XL2003", `the condition of ?: must be bool, this is ${showGiven(s, ce)}`, span);
  return exprValue(opCall("select.componentwise", [mask, x, y], x.type, span));
}

function branches(
  s: Sema,
  a: Value,
  b: Value,
  span: Span,
  condition: Type | undefined,
): readonly [Expr, Expr] | undefined {
  const size = condition && componentCount(condition);
  if (a.type.kind === "pointer" || b.type.kind === "pointer") {
    const [x, y] = [asPointer(a, b.type), asPointer(b, a.type)];
    // To const, where either is.
    if (sameType(x.type, y.type))
      return x.type.kind === "pointer" && x.type.readOnly
        ? [x.expr!, y.expr!]
        : [{ ...x.expr!, type: y.type } as Expr, y.expr!];
    return mismatch(s, "?:", x, y, span);
  }
  const [openA, openB] = [isOpen(a.expr!), isOpen(b.expr!)];
  if (openA && openB && condition === undefined) {
    const common = commonType(s.dialect, a, b);
    return "error" in common ? undefined : [openAs(s, a.expr!, common.type), openAs(s, b.expr!, common.type)];
  }
  if (openA && openB) {
    const one = (e: Expr): Value => exprValue(settledAlone(s, e));
    return branches(s, one(a.expr!), one(b.expr!), span, condition);
  }
  if (
    !openA &&
    !openB &&
    sameType(a.type, b.type) &&
    isSameName(a.type, b.type) &&
    (condition === undefined || componentCount(a.type) !== 1)
  ) {
    // Small integers are promoted in C, too.
    const kind = a.type.kind === "scalar" && !enumerationOf(a.type) ? promote(s.dialect, a.type.scalar) : undefined;
    const boolean = kind !== undefined && a.type.kind === "scalar" && a.type.scalar === "bool";
    if (kind === undefined || boolean || kind === (a.type as { scalar: ScalarKind }).scalar) return [a.expr!, b.expr!];
  }
  if (
    [a.type, b.type, condition].some((type) => type?.kind === "matrix") &&
    s.language.matrixOperators === "componentwise"
  )
    return matrixBranches(s, a, b, condition, span);
  const common = commonType(s.dialect, a, b);
  if ("error" in common)
    return error(
      s,
      "XL2004",
      `the branches of ?: are ${showGiven(s, a)} and ${showGiven(s, b)}: ${common.error}`,
      span,
    );
  let type = common.type;
  // Two bools stay bools here.
  if (s.language.conversions.promotes === "bool" && [a, b].every((v) => scalarOf(v.type) === "bool"))
    type = ofKind(type, "bool");
  if (size !== undefined && componentCount(type) === 1) type = ofKind(shaped("f32", size), scalarOf(type)!, type);
  if (common.truncates) warnTruncation(s, a.type, type, span);
  return [conversion(s, a.expr!, type, false, a.expr!.span), conversion(s, b.expr!, type, false, b.expr!.span)];
}

/** HLSL's choices and functions of vectors and matrices of `half` are of float. */
export function withoutHalf(s: Sema, e: Expr): Expr {
  if (!isNumeric(e.type) || e.type.distinct !== "half") return e;
  return conversion(s, e, ofKind(e.type, e.type.scalar), false, e.span);
}

/** HLSL 202x: of two scalars, not both of minimum precision, `?:` is that of C++, and takes the first component of a condition. */
const isOfCpp = (a: Expr, b: Expr): boolean =>
  [a, b].every((e) => e.type.kind === "scalar" && !enumerationOf(e.type)) && !(isMinimum(a.type) && isMinimum(b.type));

function branchesAsCpp(s: Sema, a: Expr, b: Expr): readonly [Expr, Expr] {
  if (sameType(a.type, b.type) && isSameName(a.type, b.type)) return [a, b];
  const kind = usualConversions(scalarOf(a.type)!, scalarOf(b.type)!)!;
  // A half beside an integer is a half.
  const ofFloat = [a, b].filter((e) => isFloat(scalarOf(e.type)!));
  // And so it is beside a float of minimum precision.
  const half = ofFloat.every((e) => isMinimum(e.type) || distinctOf(e.type) === "half")
    ? ofFloat.find((e) => distinctOf(e.type) === "half")
    : undefined;
  const type = ofKind(scalar(kind), kind, (half ?? (ofFloat.length === 1 ? ofFloat[0] : undefined))?.type);
  return [conversion(s, a, type, false, a.span), conversion(s, b, type, false, b.span)];
}

/** In the shape of both, or of the condition where both are scalars. */
function matrixBranches(
  s: Sema,
  a: Value,
  b: Value,
  condition: Type | undefined,
  span: Span,
): readonly [Expr, Expr] | undefined {
  const shape = scalarOf(a.type) && scalarOf(b.type) ? combinedShape(s, a.type, b.type) : undefined;
  if (!shape) return mismatch(s, "?:", a, b, span, "their shapes do not meet");
  const one = (v: Value): Type => ofKind(scalar("f32"), scalarOf(v.type)!, v.type);
  const common = commonType(s.dialect, { ...a, type: one(a) }, { ...b, type: one(b) });
  if ("error" in common) return mismatch(s, "?:", a, b, span);
  const bools = scalarOf(a.type) === "bool" && scalarOf(b.type) === "bool";
  const whole = condition && shape.kind === "scalar" ? condition : shape;
  const type = ofKind(whole, bools ? "bool" : scalarOf(common.type)!, common.type);
  return [conversion(s, a.expr!, type, false, a.expr!.span), conversion(s, b.expr!, type, false, b.expr!.span)];
}

// ------------------------------------------------------------------ writing

/** The place of a value that is about to be written; a problem where it must not be. */
export function writablePlace(s: Sema, v: Value, span: Span, what = "written"): Place | undefined {
  if (v.readOnly && v.onWrite) return error(s, "XL2006", `this cannot be ${what}: ${v.readOnly}`, span);
  if (v.onWrite) {
    // A name that stands for a value becomes a local variable when the function is read again.
    v.onWrite();
    return v.place ?? { kind: "deref", pointer: v.expr!, type: v.type, span };
  }
  if (v.row)
    return notYet(
      s,
      `a ${s.language.matricesByRows ? "row" : "column"} of a matrix as an operand that is written is`,
      span,
      "assign to it instead",
    );
  if (v.byRows) return notYet(s, "a matrix stored by rows as an argument that is written is", span, "pass a copy");
  if (!v.place) return error(s, "XL2006", `this is a value, it cannot be ${what}`, span);
  if (v.readOnly) return error(s, "XL2006", `this cannot be ${what}: ${v.readOnly}`, span);
  if (hasRepeatedComponent(v.place))
    return error(s, "XL2006", `a swizzle that names a component twice cannot be ${what}`, span);
  return v.place;
}

function hasRepeatedComponent(p: Place): boolean {
  return p.kind === "swizzle" && new Set(p.components).size !== p.components.length;
}

export function assignment(
  s: Sema,
  spelled: syntax.AssignmentOperator,
  target: Value,
  value: Value,
  span: Span,
): Value | undefined {
  if (target.row) return rowAssignment(s, spelled, target, value, span);
  if (target.byRows) return assignmentByRows(s, spelled, target, value, span);
  const place = writablePlace(s, target, span);
  if (!place) return undefined;
  if (place.type.kind === "array" && s.language.arrays !== "values") {
    return error(s, "XL2006", "an array cannot be assigned", span);
  }
  const early = assignedValue(s, place, value, span);
  const made =
    spelled === "=" ? plainAssignment(s, place, early.value, span) : compound(s, spelled, place, early.value, span);
  return made && { type: made.type, expr: after(early.first, made, span) };
}

/** To what is stored by rows. */
function assignmentByRows(
  s: Sema,
  spelled: syntax.AssignmentOperator,
  target: Value,
  value: Value,
  span: Span,
): Value | undefined {
  const { byRows: _byRows, ...stored } = target;
  const place = writablePlace(s, { ...stored, type: target.place?.type ?? target.type }, span);
  if (!place) return undefined;
  const at = spelled === "=" ? { first: [], place } : heldPlace(s, place, span);
  const early = spelled === "=" ? { first: [], value } : valueBeforeOld(s, at.place, value, span);
  const whole =
    spelled === "="
      ? value
      : binaryOperator(
          s,
          spelled.slice(0, -1) as syntax.BinaryOperator,
          { ...target, place: at.place },
          early.value,
          span,
        );
  const e = whole && convertTo(s, whole, target.type, "assignment", valueSpan(value, span), "the value");
  return (
    e && {
      type: target.type,
      expr: after([...at.first, ...early.first], assign(at.place, transposed(s, e, place.type, span), span), span),
      byRows: true,
    }
  );
}

/** HLSL's `m[r] = v` and `m[r] += v`: the row is computed, then its elements are written. */
function rowAssignment(
  s: Sema,
  spelled: syntax.AssignmentOperator,
  target: Value,
  value: Value,
  span: Span,
): Value | undefined {
  const { matrix, index, columns, rows } = target.row!;
  if (columns && new Set(columns.map((c, i) => `${rows?.[i]},${c}`)).size !== columns.length)
    return error(s, "XL2006", "a swizzle that names a component twice cannot be written", span);
  const place = writablePlace(s, matrix, span);
  if (!place) return undefined;
  if (!isPure(index)) return notYet(s, "writing a row chosen by an expression with side effects is", span);
  if (!isPure(load(place, span)))
    return notYet(s, "writing a row of a matrix found by an expression with side effects is", span);
  const operator = spelled.slice(0, -1) as syntax.BinaryOperator;
  const early = spelled === "=" ? { first: [], value } : valueBeforeOld(s, element(place, index, span), value, span);
  const whole = spelled === "=" ? value : binaryOperator(s, operator, target, early.value, span);
  const e = whole && convertTo(s, whole, target.type, "assignment", span, "the value");
  if (!e || target.type.kind !== "vector") return undefined;
  const row = newVariable(s, {
    name: "row",
    type: target.type,
    space: "private",
    role: "local",
    constant: true,
    span,
  });
  const statements: Statement[] = [...early.first.map((x) => expressionStatement(x, span)), declare(row.id, e, span)];
  for (let c = 0; c < target.type.size; c++) {
    const at = element(
      element(place, literal("i32", columns?.[c] ?? c, span), span),
      rows ? literal("i32", rows[c]!, span) : index,
      span,
    );
    const part = load(swizzle(variablePlace(row, span), [c], span), span);
    statements.push(expressionStatement(assign(at, part, span), span));
  }
  return { type: { kind: "void" }, statements };
}

function plainAssignment(s: Sema, place: Place, value: Value, span: Span): Expr | undefined {
  const e = convertTo(s, value, place.type, "assignment", valueSpan(value, span), "the value");
  return e && assign(place, e, span);
}

export const valueSpan = (v: Value, otherwise: Span): Span => v.expr?.span ?? v.place?.span ?? otherwise;

function compound(
  s: Sema,
  spelled: syntax.AssignmentOperator,
  place: Place,
  value: Value,
  span: Span,
): Expr | undefined {
  const made = compoundValue(s, spelled, place, value, span);
  return made?.kind === "assign" && made.operator ? computedPrecision(made) : made;
}

/** HLSL computes `a += b` in the shape of `a`, whatever the shape of `b`. */
function inShapeOfPlace(s: Sema, e: Expr, type: Type, span: Span): Expr | undefined {
  if (s.language.conversions.shapes !== "convert" || e.type.kind === "scalar" || type.kind === "pointer") return e;
  if (scalarOf(e.type) === undefined || scalarOf(type) === undefined) return e;
  const to = ofKind(type, scalarOf(e.type)!, e.type);
  if (sameType(to, e.type)) return e;
  const rank = implicitConversion(s.dialect, e.type, to, "assignment");
  if (rank === undefined) return undefined;
  if (rank === 3) warnTruncation(s, e.type, to, span);
  return conversion(s, e, to, false, span);
}

function compoundValue(
  s: Sema,
  spelled: syntax.AssignmentOperator,
  place: Place,
  value: Value,
  span: Span,
): Expr | undefined {
  const operatorText = spelled.slice(0, -1) as syntax.BinaryOperator;
  const operator = operatorOfToken[operatorText]!;
  const given = read(s, value, span);
  if (!given) return undefined;
  const ve = inShapeOfPlace(s, given, place.type, span);
  if (!ve) return mismatch(s, spelled, { type: place.type }, given, span);
  const right = asExpr(value, ve);
  const current = exprValue(load(place, place.span));
  const bits = operator === "and" || operator === "or" || operator === "xor";
  if (s.language.conversions.promotes === "bool" && scalarOf(place.type) === "bool" && !bits)
    return error(s, "XL2004", `'${spelled}' does not change a bool`, span);
  if (
    lacksRemainder(s, operator, current, right) ||
    (enumerationOf(place.type) && (s.language.enumerations === "promoted" || !enumerationOf(right.type)))
  )
    return mismatch(s, spelled, current, right, span);
  if (!meets(s, operator, current, right)) return mismatch(s, spelled, current, right, span);
  const type = place.type;
  if (type.kind === "pointer") {
    if (isBufferValue(type)) return mismatch(s, spelled, { type }, right, span);
    if (operator !== "add" && operator !== "sub") return mismatch(s, spelled, { type }, right, span);
    const offset = offsetOf(s, right, operator === "sub", span);
    return offset && assign(place, pointerOffset(load(place, place.span), offset, span), span);
  }
  if (type.kind === "matrix" || ve.type.kind === "matrix") {
    const whole = matrixOperator(s, operatorText, operator, current, right, span);
    if (!whole) return undefined;
    const fits = sameType(whole.type, type);
    const computed = (made: Expr): Expr => (fits ? made : conversion(s, made, type, false, span));
    if (implicitConversion(s.dialect, whole.type, type, "assignment") === undefined)
      return mismatch(s, spelled, { type }, right, span);
    if (whole.expr?.kind === "binary" && fits)
      return assign(place, ve.type.kind === "scalar" ? whole.expr.right : ve, span, operator);
    // Componentwise, column by column: there is no operator to assign with. The old value is read last.
    const at = heldPlace(s, place, span);
    // A number without a type takes that of the matrix; a float beside integers is a float.
    const meets = scalarOf(type)!;
    const settled =
      isOpen(ve) && ve.type.kind === "scalar"
        ? conversion(s, ve, scalar(isFloat(ve.type.scalar) && !isFloat(meets) ? "f32" : meets), false, span)
        : ve;
    const { first, values } = held(s, [settled], span);
    const made = matrixOperator(
      s,
      operatorText,
      operator,
      exprValue(load(at.place, place.span)),
      asExpr(right, values[0]!),
      span,
    );
    return made && after([...at.first, ...first], assign(at.place, computed(made.expr!), span), span);
  }
  if (scalarOf(type) === undefined || scalarOf(ve.type) === undefined)
    return mismatch(s, spelled, { type }, right, span);
  if (operator === "shl" || operator === "shr") {
    const operands = shiftOperands(s, spelled, current, right, span);
    if (!operands) return undefined;
    if (componentCount(operands[0].type) !== componentCount(type)) return mismatch(s, spelled, { type }, right, span);
    return assign(place, operands[1], span, operator, operands[0].type);
  }
  const whole = arithmetic(s, spelled, operator, current, right, span);
  if (!whole) return undefined;
  if (implicitConversion(s.dialect, whole.type, type, "assignment") === undefined) {
    return error(
      s,
      "XL2003",
      `the result of '${spelled}' is ${shown(s, whole.type)} and does not convert to ${shown(s, type)}`,
      span,
    );
  }
  if (whole.kind !== "binary" || componentCount(whole.type) !== componentCount(type))
    return notYet(s, `'${spelled}' with these operands is`, span);
  if (scalarOf(whole.type) === "f64") return narrowCompound(s, operator, place, whole, span);
  // `flags &= a < b` in C: both are bools, computed as int.
  if (scalarOf(type) === "bool" && (operator === "and" || operator === "or" || operator === "xor")) {
    const b = asBool(whole.right);
    if (b && b.type.kind === "scalar") return assign(place, b, span, operator);
  }
  return assign(place, whole.right, span, operator, whole.type);
}

/** `x *= 0.5` in OpenCL computes in double and rounds to float: one rounding where both are floats. */
function narrowCompound(
  s: Sema,
  operator: BinaryOperator,
  place: Place,
  whole: Expr & { kind: "binary" },
  span: Span,
): Expr | undefined {
  const whole32 = conversion(s, whole, scalar("f32"), false, span);
  if (sameType(place.type, scalar("f32")) && whole32.kind === "binary" && sameType(whole32.type, place.type)) {
    return assign(place, whole32.right, span, operator);
  }
  return assign(place, whole.right, span, operator, whole.type);
}

export function incrementOperator(s: Sema, v: Value, delta: 1 | -1, prefix: boolean, span: Span): Value | undefined {
  const { byRows, ...stored } = v;
  const place = writablePlace(s, byRows && v.place ? { ...stored, type: v.place.type } : v, span);
  if (!place) return undefined;
  const kind = scalarOf(place.type);
  // A matrix is stepped where a scalar meets its components.
  const steps = place.type.kind !== "matrix" || s.language.matrixOperators !== "linear";
  const moves = place.type.kind === "pointer" && !isBufferValue(place.type);
  if (!moves && (kind === undefined || kind === "bool" || !steps || enumerationOf(place.type))) {
    return error(s, "XL2004", `'${delta === 1 ? "++" : "--"}' does not take ${shown(s, place.type)}`, span);
  }
  // Float vectors and matrices step by an assignment in some targets, which names the place twice.
  const at =
    place.type.kind === "matrix" || (place.type.kind === "vector" && isFloat(place.type.scalar))
      ? heldPlace(s, place, span)
      : { first: [], place };
  const made = after(at.first, computedPrecision(increment(at.place, delta, prefix, span)), span);
  return byRows ? { type: v.type, expr: made, byRows } : exprValue(made);
}

const isCall = (e: Expr): boolean => e.kind === "call" || (e.kind === "comma" && isCall(e.right));

/** The call, with what is computed before it, that is left of a reference it returns where nothing is made of that. */
export const callOfReference = (v: Value): Expr | undefined =>
  v.place?.kind === "deref" && isCall(v.place.pointer) ? v.place.pointer : undefined;

export function commaOperator(s: Sema, l: Value, r: Value, span: Span): Value | undefined {
  const left = callOfReference(l) ?? withoutValue(l) ?? read(s, l, span);
  const nothing = withoutValue(r);
  const right = nothing ?? read(s, r, span);
  if (!left || !right) return undefined;
  const whole = comma(left, right, span);
  return nothing ? { type: r.type, expr: whole } : exprValue(whole);
}

/** A call that is made for what it does. */
const withoutValue = (v: Value): Expr | undefined => (v.type.kind === "void" ? v.expr : undefined);
