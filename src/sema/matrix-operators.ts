/** Operators on matrices: products of linear algebra, or componentwise, on their columns. */
import { binary, construct, elementValue, i32Literal, splat, unary } from "../ast/builders.js";
import { isComparison } from "../ast/builders.js";
import type { BinaryOperator, Expr } from "../ast/nodes.js";
import { commonType, implicitConversion, promote } from "../dialects/conversions.js";
import { isPure } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import {
  isFloat,
  isInteger,
  matrix,
  sameType,
  scalar,
  scalarOf,
  shapedLike,
  type MatrixType,
  type ScalarKind,
  type Type,
} from "../types/types.js";
import { exprValue, notYet, type Sema, type Value, shown } from "./context.js";
import { after, held } from "./held-values.js";
import { conversion } from "./conversion.js";
import { combinedShape, ofKind, reshaped } from "./matrix-shapes.js";
import { product } from "./matrix-rows.js";
import { isMinimum } from "./minimum-precision.js";
import { isOpen } from "./open-literals.js";
import { asExpr, mismatch } from "./operands.js";

/** HLSL: operands of which one is a matrix in the shape both have; scalars, which meet each component, stay. */
export function inOneShape(
  s: Sema,
  spelled: string,
  l: Value,
  r: Value,
  span: Span,
): readonly [Value, Value] | undefined {
  if (s.language.conversions.shapes !== "convert" || (l.type.kind !== "matrix" && r.type.kind !== "matrix"))
    return [l, r];
  if (scalarOf(l.type) === undefined || scalarOf(r.type) === undefined) return mismatch(s, spelled, l, r, span);
  const shape = combinedShape(s, l.type, r.type);
  if (!shape) return mismatch(s, spelled, l, r, span, "their shapes do not meet");
  const to = (v: Value): Value =>
    v.type.kind === "scalar" || sameType(ofKind(shape, "f32"), ofKind(v.type, "f32"))
      ? v
      : asExpr(v, reshaped(s, v.expr!, shape, span));
  return [to(l), to(r)];
}

export function matrixOperator(
  s: Sema,
  spelled: string,
  operator: BinaryOperator,
  l: Value,
  r: Value,
  span: Span,
): Value | undefined {
  const [lt, rt] = [l.type, r.type];
  const lk = scalarOf(lt);
  const rk = scalarOf(rt);
  if (lk === undefined || rk === undefined) return mismatch(s, spelled, l, r, span);
  if (s.language.matrixOperators === "componentwise") return componentwise(s, spelled, operator, l, r, span);
  const kind = lt.kind === "matrix" ? lk : rk;
  if (operator === "mul" && (lt.kind === "scalar" || rt.kind === "scalar")) {
    const left = lt.kind === "scalar" ? scaleFactor(s, l, kind, spelled, rt, span) : l.expr;
    const right = rt.kind === "scalar" ? scaleFactor(s, r, kind, spelled, lt, span) : r.expr;
    return left && right && exprValue(binary("mul", left, right, span));
  }
  if (operator === "mul") {
    if (lk !== rk) return mismatch(s, spelled, l, r, span);
    const fits =
      lt.kind === "matrix" && rt.kind === "vector"
        ? lt.columns === rt.size
        : lt.kind === "vector" && rt.kind === "matrix"
          ? lt.size === rt.rows
          : lt.kind === "matrix" && rt.kind === "matrix" && lt.columns === rt.rows;
    return fits ? exprValue(product(l.expr!, r.expr!, span)) : mismatch(s, spelled, l, r, span, "the sizes do not fit");
  }
  if ((operator === "add" || operator === "sub") && sameType(lt, rt))
    return exprValue(binary(operator, l.expr!, r.expr!, span));
  // GLSL 4.60 section 5.9: operators are componentwise, and a scalar meets each component.
  const scaled = operator === "add" || operator === "sub" || operator === "div";
  if (!scaled || s.language.matrixOperators !== "linear, scalars meet components")
    return notYet(s, `'${spelled}' of ${shown(s, lt)} and ${shown(s, rt)} is`, span);
  const type = (lt.kind === "matrix" ? lt : rt) as MatrixType;
  const other = lt.kind === "matrix" ? rt : lt;
  if (!sameType(type, other) && other.kind !== "scalar") return mismatch(s, spelled, l, r, span);
  const [le, re] = [l, r].map((v) =>
    v.type.kind === "scalar" ? scaleFactor(s, v, kind, spelled, type, span) : v.expr,
  );
  return le && re && columnwise(s, operator, type, le, re, span);
}

/** The kind of scalar both sides are computed in: of a shift the left one's. */
function computedKind(s: Sema, operator: BinaryOperator, l: Value, r: Value): Type | undefined {
  const one = (v: Value): Type => ofKind(scalar("f32"), scalarOf(v.type)!, v.type);
  if (operator !== "shl" && operator !== "shr") {
    const common = commonType(s.form, { ...l, type: one(l) }, { ...r, type: one(r) });
    return "error" in common ? undefined : common.type;
  }
  const kind = isOpen(l.expr!)
    ? scalarOf(r.type) === "u32" && !isMinimum(r.type)
      ? "u32"
      : "i32"
    : promote(s.form, scalarOf(l.type)!);
  return isInteger(kind) && isInteger(promote(s.form, scalarOf(r.type)!))
    ? ofKind(scalar("f32"), kind, l.type)
    : undefined;
}

/** HLSL: all operators, also `*`, meet component by component, in the type that meets in scalars. */
function componentwise(
  s: Sema,
  spelled: string,
  operator: BinaryOperator,
  l: Value,
  r: Value,
  span: Span,
): Value | undefined {
  const one = computedKind(s, operator, l, r);
  const kind = one && scalarOf(one)!;
  const bitwise = operator === "and" || operator === "or" || operator === "xor";
  if (!one || !kind || (bitwise && [l, r].some((v) => isFloat(scalarOf(v.type)!))))
    return mismatch(s, spelled, l, r, span);
  if (operator === "rem" && isFloat(kind)) return notYet(s, "'%' of matrices of floats is", span, "use fmod()");
  const shape = (l.type.kind === "matrix" ? l.type : r.type) as MatrixType;
  const type = ofKind(shape, kind, one) as MatrixType;
  const [le, re] = [l, r].map((v) =>
    conversion(s, v.expr!, v.type.kind === "scalar" ? one : type, false, v.expr!.span),
  ) as [Expr, Expr];
  if (operator === "mul" && (le.type.kind === "scalar" || re.type.kind === "scalar"))
    return exprValue(binary(operator, le, re, span));
  if ((operator === "add" || operator === "sub") && le.type.kind === re.type.kind)
    return exprValue(binary(operator, le, re, span));
  return columnwise(s, operator, type, le, re, span);
}

/** An operator on the components of matrices: on their columns, which have it in every dialect. */
function columnwise(
  s: Sema,
  operator: BinaryOperator,
  type: MatrixType,
  le: Expr,
  re: Expr,
  span: Span,
): Value | undefined {
  const { first, values } = held(s, [le, re], span);
  const column = shapedLike(type, type.rows);
  const part = (e: Expr, c: number): Expr => (e.type.kind === "scalar" ? splat(e, column) : columnOf(e, c, span));
  const columns = Array.from({ length: type.columns }, (_, c) =>
    binary(operator, part(values[0]!, c), part(values[1]!, c), span),
  );
  const made = isComparison(operator) ? matrix("bool", type.columns, type.rows) : type;
  return exprValue(after(first, construct(made, columns, span), span));
}

/** Of what is made of columns the one that is meant: matrices of bools, which few languages have, are then not in between. */
function columnOf(e: Expr, c: number, span: Span): Expr {
  const columns = e.kind === "construct" && e.type.kind === "matrix" ? e.arguments : [];
  const given = columns.every((a) => a.type.kind === "vector") && isPure(e) ? columns[c] : undefined;
  return given ?? elementValue(e, i32Literal(c, span), span);
}

/** `of` each column of matrices, or of the operand itself, which may be a vector or scalar. */
export function byColumns(
  s: Sema,
  operands: readonly Expr[],
  kind: ScalarKind | undefined,
  span: Span,
  of: (parts: readonly Expr[]) => Expr,
): Expr {
  const shape = operands.find((e) => e.type.kind === "matrix")?.type as MatrixType | undefined;
  if (!shape) return of(operands);
  const { first, values } = held(s, operands, span);
  const columns = Array.from({ length: shape.columns }, (_, c) =>
    of(values.map((v) => (v.type.kind === "matrix" ? columnOf(v, c, span) : v))),
  );
  const [column] = columns;
  const made = kind === undefined ? ofKind(shape, scalarOf(column!.type)!, column!.type) : ofKind(shape, kind);
  return after(first, construct(made, columns, span), span);
}

/** `-m`, `~m`: of bools an int comes out. */
export function unaryOfMatrix(s: Sema, operator: "negate" | "plus" | "complement", e: Expr, span: Span): Expr {
  const kind = promote(s.form, scalarOf(e.type)!);
  const operand = conversion(s, e, ofKind(e.type, kind, e.type), false, e.span);
  if (operator !== "complement") return unary(operator, operand, span);
  return byColumns(s, [operand], undefined, span, ([column]) => unary(operator, column!, span));
}

function scaleFactor(s: Sema, v: Value, kind: ScalarKind, spelled: string, other: Type, span: Span): Expr | undefined {
  if (implicitConversion(s.form, v.type, scalar(kind), "operand") === undefined)
    return mismatch(s, spelled, v, { type: other }, span);
  return conversion(s, v.expr!, scalar(kind), false, v.expr!.span);
}
