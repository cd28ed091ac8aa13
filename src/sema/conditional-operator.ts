/** `c ? a : b`: the condition and both branches in a common type, by each dialect's rule. */
import { addressOf, binary, conditional, constantOf, convert, deref, opCall, rootVariable } from "../ast/builders.js";
import type { Expr, Place } from "../ast/nodes.js";
import { isPure } from "../ast/walk.js";
import { chosenKind, commonType, usualConversions } from "../dialects/conversions.js";
import type { Span } from "../support/span.js";
import {
  enumerationOf,
  bool,
  sameType,
  scalarOf,
  isInteger,
  bitWidth,
  shaped,
  componentCount,
  type Type,
  isSameName,
  type ScalarKind,
  isNumeric,
  isFloat,
  distinctOf,
  isSingle,
  scalar,
  withoutSingle,
} from "../types/types.js";
import { placeOf } from "./assignments.js";
import { promotedField } from "./bit-fields.js";
import { type Sema, type Value, error, exprValue, isLvalue, placeSpace } from "./context.js";
import { read, convertTo, conditionOf, warnTruncation } from "./convert.js";
import { typeAsPointer } from "./function-pointers.js";
import { relationMask, relationType, conversion } from "./conversion.js";
import { asPointersToBase, holdsCopied, uncopied, userConversion } from "./constructors.js";
import { choiceOf } from "./eager-operands.js";
import { byColumns } from "./matrix-operators.js";
import { ofKind, combinedShape } from "./matrix-shapes.js";
import { inOtherSpace, intoTwoSpaces } from "./generic-pointers.js";
import { isMinimum } from "./minimum-precision.js";
import { showGiven, isOpen, openAs, settledAlone } from "./open-literals.js";
import { mismatch, asExpr } from "./operands.js";
import { takesVectors, maskOf } from "./operators.js";
import { asPointer } from "./pointer-operators.js";

export function conditionalOperator(s: Sema, c: Value, one: Value, other: Value, span: Span): Value | undefined {
  const functions = functionsChosen(s, one, other, span);
  if (!functions) return undefined;
  const [a, b] = functions;
  // Which of two objects is meant is not copied until something takes its value.
  const asPlaces = sameType(a.type, b.type) && holdsCopied(s, a.type) && isLvalue(a) && isLvalue(b);
  const whole = (v: Value): Value => (asPlaces ? uncopied(s, v, span) : v);
  // An object is asked for what it converts to, where it lies.
  const ce = c.type.kind === "struct" ? conditionOf(s, c, span) : read(s, c, span);
  const [readA, readB] = [whole(a), whole(b)].map((v) => componentRead(s, v, span));
  if (!ce || !readA || !readB) return undefined;
  // Two places of one type stay a place of it (C++14 5.16 (4)).
  const computed = !(a.field && b.field);
  const ae = computed ? promotedField(s, a, readA) : readA;
  const be = computed ? promotedField(s, b, readB) : readB;
  const asCpp = s.conditionalAsCpp && isOfCpp(ae, be);
  const vectorCondition = (ce.type.kind === "vector" || ce.type.kind === "matrix") && !asCpp;
  if ((vectorCondition || isSingle(ce.type)) && !asCpp && !takesVectors(s))
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
    const readOnly = chosen?.type.kind === "struct" ? (a.readOnly ?? b.readOnly) : undefined;
    return (
      chosen && { ...exprValue(chosen), ...(readOnly ? { readOnly } : {}), ...placeChosen(s, condition, a, b, span) }
    );
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
  else if (s.language.relations !== "bool") {
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

/** Functions, of which `?:` chooses one, as pointers to such. */
function functionsChosen(s: Sema, a: Value, b: Value, span: Span): readonly [Value, Value] | undefined {
  const named = a.captured ? a : b.captured ? b : undefined;
  const pointers = named && typeAsPointer(s, named);
  if (!pointers) return [a, b];
  const [x, y] = [a, b].map((v) => convertTo(s, v, pointers.type, "assignment", span, "what ?: chooses"));
  return x && y && [exprValue(x), exprValue(y)];
}

/** Of vectors of one component the number is chosen (DXC). */
function componentRead(s: Sema, v: Value, span: Span): Expr | undefined {
  const e = read(s, v, span);
  return e && isSingle(e.type) ? ({ ...e, type: withoutSingle(e.type) } as Expr) : e;
}

/** Of two places of one type one is a place (C++14 5.16 (4)). */
function placeChosen(s: Sema, condition: Expr, a: Value, b: Value, span: Span): Pick<Value, "lvalue"> {
  const [x, y] = [placeOf(s, a), placeOf(s, b)];
  if (!x || !y || x.space !== y.space || !sameType(a.type, b.type)) return {};
  // A copy of what nobody writes is as good.
  if (isConstant(s, a) && isConstant(s, b) && !holdsCopied(s, a.type)) return {};
  const readOnly = a.readOnly ?? b.readOnly;
  const at = ({ space, place }: NonNullable<Value["lvalue"]>): Expr =>
    addressOf(place(), space, span, readOnly !== undefined);
  const place = (): Place => deref(conditional(condition, at(x), at(y), span), span);
  return { ...(readOnly ? { readOnly } : {}), lvalue: { space: x.space, place } };
}

/** It is no reference to const, of which the object may be written by another name. */
function isConstant(s: Sema, { place }: Value): boolean {
  if (!place) return false;
  const root = rootVariable(place);
  const v = root === undefined ? undefined : s.variables.get(root)!;
  return placeSpace(s, place) === "constant" || (v?.space === "private" && v.constant && v.mode === undefined);
}

/** Pointers to one type that differ in where they lead, which neither names. */
function isOtherSpace(a: Type, b: Type): boolean {
  return a.kind === "pointer" && b.kind === "pointer" && a.space === "private" && sameType(a.pointee, b.pointee);
}

/** Of an object and another type the one that becomes the other, where only one does (C++14 5.16 (3)). */
function oneConverted(s: Sema, a: Value, b: Value, span: Span): readonly [Value, Value] | undefined | "none" {
  const hasObject = a.type.kind === "struct" || b.type.kind === "struct";
  if (!hasObject || sameType(a.type, b.type) || s.reading.declarations.classes !== "with constructors") return "none";
  const [first, second] = [userConversion(s, a, b.type), userConversion(s, b, a.type)];
  if ((first === undefined) === (second === undefined)) return "none";
  const v = (first ?? second)!(span);
  const e = v && convertTo(s, v, first ? b.type : a.type, "assignment", span, "what ?: chooses");
  return e && (first ? [exprValue(e), b] : [a, exprValue(e)]);
}

function branches(
  s: Sema,
  a: Value,
  b: Value,
  span: Span,
  condition: Type | undefined,
): readonly [Expr, Expr] | undefined {
  const size = condition && componentCount(condition);
  const made = oneConverted(s, a, b, span);
  if (made !== "none") return made && branches(s, made[0], made[1], span, condition);
  if (a.type.kind === "pointer" || b.type.kind === "pointer") {
    const [x, y] = [asPointer(a, b.type), asPointer(b, a.type)];
    // To const, where either is.
    if (sameType(x.type, y.type))
      return x.type.kind === "pointer" && x.type.readOnly
        ? [x.expr!, y.expr!]
        : [{ ...x.expr!, type: y.type } as Expr, y.expr!];
    // Null, as it was cast, leads nowhere.
    if (x.expr!.kind === "null-pointer" && isOtherSpace(x.type, y.type)) return [{ ...x.expr, type: y.type }, y.expr!];
    if (y.expr!.kind === "null-pointer" && isOtherSpace(y.type, x.type)) return [x.expr!, { ...y.expr, type: x.type }];
    const met = inOtherSpace(s, y.expr!, x.type, span);
    if (met !== "other") return met && [x.expr!, met];
    const based = asPointersToBase(s, x, y, span);
    if (based !== "none") return based && branches(s, based[0], based[1], span, condition);
    return intoTwoSpaces(s, x.type, y.type, span) ? undefined : mismatch(s, "?:", x, y, span);
  }
  const [openA, openB] = [isOpen(a.expr!), isOpen(b.expr!)];
  if (openA && openB && condition === undefined) {
    const common = commonType(s.form, a, b);
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
    const kind = a.type.kind === "scalar" && !enumerationOf(a.type) ? chosenKind(s.form, a.type.scalar) : undefined;
    if (kind === undefined || kind === (a.type as { scalar: ScalarKind }).scalar) return [a.expr!, b.expr!];
  }
  if (
    [a.type, b.type, condition].some((type) => type?.kind === "matrix") &&
    s.language.matrixOperators === "componentwise"
  )
    return matrixBranches(s, a, b, condition, span);
  const common = commonType(s.form, a, b);
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
  const common = commonType(s.form, { ...a, type: one(a) }, { ...b, type: one(b) });
  if ("error" in common) return mismatch(s, "?:", a, b, span);
  const bools = scalarOf(a.type) === "bool" && scalarOf(b.type) === "bool";
  const whole = condition && shape.kind === "scalar" ? condition : shape;
  const type = ofKind(whole, bools ? "bool" : scalarOf(common.type)!, common.type);
  return [conversion(s, a.expr!, type, false, a.expr!.span), conversion(s, b.expr!, type, false, b.expr!.span)];
}
