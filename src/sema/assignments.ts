/** Assignments, compound assignments and increments: what may be written, and the conversions of what is. */
import {
  addressOf,
  assign,
  binary,
  declare,
  deref,
  element,
  expressionStatement,
  increment,
  literal,
  load,
  pointerOffset,
  swizzle,
  variablePlace,
} from "../ast/builders.js";
import type { Place, Statement, Expr, BinaryOperator } from "../ast/nodes.js";
import { holdsCopied } from "./constructors.js";
import { holdsAssignment } from "./operator-functions.js";
import { operatorOfToken } from "../ast/operators.js";
import type * as syntax from "../ast/syntax.js";
import { isPure } from "../ast/walk.js";
import { implicitConversion } from "../dialects/conversions.js";
import { noSpan, type Span } from "../support/span.js";
import {
  bitWidth,
  type Type,
  scalarOf,
  sameType,
  enumerationOf,
  scalar,
  isFloat,
  componentCount,
  isCounter,
} from "../types/types.js";
import { error, exprValue, newVariable, notYet, placeSpace, shown, type Sema, type Value } from "./context.js";
import { after, emptyLocal, held, heldPlace, kept } from "./held-values.js";
import { convertTo, warnTruncation, firstElements, isAligned, read, onlyCounted, isBufferValue } from "./convert.js";
import { conversion, asBool } from "./conversion.js";
import { matrixOperator } from "./matrix-operators.js";
import { transposed } from "./matrix-rows.js";
import { ofKind } from "./matrix-shapes.js";
import { computedPrecision } from "./minimum-precision.js";
import { isOpen } from "./open-literals.js";
import { mismatch, asExpr } from "./operands.js";
import { asWord, oneOf, othersIn, placedBits, wordValue } from "./bit-fields.js";
import { nameStaticBuffer, staticBufferOf } from "./static-buffers.js";
import { binaryOperator, lacksRemainder, meets, shiftOperands, arithmetic } from "./operators.js";
import { partOf } from "./access.js";
import { assignedValue, findsElsewhere, valueBeforeOld } from "./order-matters.js";
import { offsetOf } from "./pointer-operators.js";
import { isStoredOnly, refusesStored } from "./stored-only.js";

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
  if (v.field) return notYet(s, "a bit-field as an argument that is written is", span, "pass a copy");
  if (v.byRows) return notYet(s, "a matrix stored by rows as an argument that is written is", span, "pass a copy");
  if (v.components)
    return notYet(
      s,
      "several components of a vector that begins at any of its own, as an argument that is written, are",
      span,
      "assign to them",
    );
  if (v.firstOf) return notYet(s, "what a lane has of a matrix as an argument that is written is", span, "pass a copy");
  if (v.lvalue && !v.readOnly) return v.lvalue.place();
  if (isCounter(v.type)) return onlyCounted(s, span);
  if (!v.place && !v.readOnly) return error(s, "XL2006", `this is a value, it cannot be ${what}`, span);
  if (v.readOnly || !v.place) return error(s, "XL2006", `this cannot be ${what}: ${v.readOnly}`, span);
  if (!hasRepeatedComponent(v.place)) return v.place;
  const missing = s.reading.expressions.numberedComponents && isHalfOfThree(v.place);
  if (missing)
    return error(s, "XL2006", `half of a vector of 3, with a component that it has not, cannot be ${what}`, span, {
      help: `'.${missing}' is the component that there is`,
    });
  return error(s, "XL2006", `a swizzle that names a component twice cannot be ${what}`, span);
}

function hasRepeatedComponent(p: Place): boolean {
  return p.kind === "swizzle" && new Set(p.components).size !== p.components.length;
}

/** `.hi` and `.odd`, as which `.zz` and `.yy` are read. */
function isHalfOfThree(p: Place): string | undefined {
  if (p.kind !== "swizzle" || componentCount(p.base.type) !== 3 || p.components.length !== 2) return undefined;
  return p.components[0] === 2 ? "z" : p.components[0] === 1 ? "y" : undefined;
}

export function assignment(
  s: Sema,
  spelled: syntax.AssignmentOperator,
  target: Value,
  value: Value,
  span: Span,
): Value | undefined {
  const buffer = spelled === "=" ? staticBufferOf(s, target) : undefined;
  if (buffer !== undefined) return nameStaticBuffer(s, buffer, value, span);
  if (target.row) return rowAssignment(s, spelled, target, value, span);
  if (target.field) return fieldAssignment(s, spelled, target, value, span);
  if (target.firstOf) return elementsAssignment(s, spelled, target, value, span);
  if (target.byRows) return assignmentByRows(s, spelled, target, value, span);
  const place = writablePlace(s, target, span);
  if (!place) return undefined;
  if (place.type.kind === "array" && s.language.arrays !== "values") {
    return error(s, "XL2006", "an array cannot be assigned", span);
  }
  if (spelled === "=" && s.methods.size > 0 && holdsAssignment(s, place.type))
    return notYet(
      s,
      "assigning a struct with an object in it that has an operator= of its own is",
      span,
      "assign its members one by one",
    );
  // The assignment that nobody writes is one of each member, whatever the constructors do (C++14 12.8 (28)).
  const plain = value.place && holdsCopied(s, place.type);
  if (plain && !sameType(value.type, place.type))
    return notYet(s, "assigning a part of an object whose constructor does more than copy is", span);
  const early = assignedValue(s, place, plain ? exprValue(load(value.place, span)) : value, span);
  const written = (at: Place): Expr | undefined =>
    spelled === "=" ? plainAssignment(s, at, early.value, span) : compound(s, spelled, at, early.value, span);
  const made = written(place);
  const whole = made && after(early.first, made, span);
  return whole && { type: made.type, expr: whole, ...placeAfter(s, early.first, made, written, place, span) };
}

/** The place that an expression of C++ is which has written it, as `written` does; `first` comes before it is found. */
function placeAfter(
  s: Sema,
  first: readonly Expr[],
  done: Expr,
  written: (place: Place) => Expr | undefined,
  place: Place,
  span: Span,
): Pick<Value, "lvalue"> {
  if (!mayBeAddressed(s, place)) return {};
  const space = placeSpace(s, place);
  const address = addressOf(place, space, span);
  const again = (): Place => {
    if (isPure(address) && !findsElsewhere(s, place, done)) return deref(after([...first, done], address, span), span);
    // To find it again would do something again, or find another: `a[i++] = 5`, `a[a[0]] = 5`.
    const before = [...first];
    const found = kept(s, address, before, span);
    return deref(after([...before, written(deref(found, span)) ?? done], found, span), span);
  };
  return { lvalue: { space, place: again } };
}

/** The place that a value is or stands for in C++, where a pointer may lead to it. */
export function placeOf(s: Sema, v: Value): Value["lvalue"] {
  const { place } = v;
  if (v.onWrite || v.byRows || v.object || v.type.kind === "pointer") return undefined;
  if (!place) return v.lvalue;
  return mayBeAddressed(s, place) ? { space: placeSpace(s, place), place: () => place } : undefined;
}

/** Whether expressions are places beside those that name one, and a pointer may lead to this one. */
const mayBeAddressed = (s: Sema, place: Place): boolean =>
  s.reading.declarations.references &&
  s.language.pointers &&
  partOf(place) !== "component" &&
  place.type.kind !== "pointer";

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

/** `s.a = 3`, `s.a += 3`: its bits of the word are written, and its value is those. */
export function fieldAssignment(
  s: Sema,
  spelled: syntax.AssignmentOperator,
  target: Value,
  value: Value,
  span: Span,
): Value | undefined {
  const { word, field } = target.field!;
  const place = writablePlace(s, word, span);
  if (!place) return undefined;
  const first = assignedValue(s, place, value, span);
  const at = heldPlace(s, place, span);
  // What the value writes into the word stays: `s.a = s.b = 3`.
  const taken = first.value.field?.effect ? read(s, first.value, span) : undefined;
  const late = valueBeforeOld(s, at.place, taken ? exprValue(taken) : first.value, span);
  const early = { first: [...first.first, ...at.first, ...late.first], value: late.value };
  const operator = spelled.slice(0, -1) as syntax.BinaryOperator;
  const stored: Value = { ...target, field: { field, word: { ...word, place: at.place } } };
  const result = spelled === "=" ? early.value : binaryOperator(s, operator, stored, early.value, span);
  const given = result && convertTo(s, result, field.type, "assignment", span, "the value");
  if (!given) return undefined;
  const placed = placedBits(s, given, field, span);
  const others = othersIn(wordValue(s, load(at.place, span), field.computed, span), field, span);
  const { type } = at.place;
  const bits = type.kind === "scalar" || type.kind === "vector" ? bitWidth(type.scalar) * componentCount(type)! : 0;
  const whole = field.width === bits;
  const all = asWord(s, whole ? placed : binary("or", others, placed, span), type, span);
  const effect = after(early.first, assign(at.place, all, span), span);
  return { type: target.type, field: { field, word: { type: effect.type, expr: effect }, effect } };
}

/** `s.a++`, whose value is that of before: what was added at its place in the word is taken away, all but its bits are dropped. */
function fieldStep(s: Sema, target: Value, delta: 1 | -1, prefix: boolean, span: Span): Value | undefined {
  const stepped = fieldAssignment(s, delta === 1 ? "+=" : "-=", target, exprValue(literal("i32", 1, span)), span);
  if (prefix || !stepped) return stepped;
  const { field, effect } = stepped.field!;
  const whole = wordValue(s, effect!, field.computed, span);
  const before = binary(delta === 1 ? "sub" : "add", whole, oneOf(field, span), span);
  return { ...stepped, field: { field, word: exprValue(before), effect: effect! } };
}

/** A row whose matrix and index, where they do something besides giving their value, are in locals: it can be named twice. */
function heldRow(
  s: Sema,
  target: Value,
  span: Span,
): { readonly first: readonly Expr[]; readonly found: Place; readonly target: Value } | undefined {
  const { matrix, index } = target.row!;
  const place = writablePlace(s, matrix, span);
  if (!place) return undefined;
  const found = element(place, index, span);
  const { first, place: row } = heldPlace(s, found, span);
  if (row.kind !== "element") throw new Error("an element is held as something else");
  return {
    first,
    found,
    target: { ...target, row: { ...target.row!, matrix: { ...matrix, place: row.base }, index: row.index } },
  };
}

/** HLSL's `m[r] = v` and `m[r] += v`: the row is computed, then its elements are written. */
function rowAssignment(
  s: Sema,
  spelled: syntax.AssignmentOperator,
  target: Value,
  value: Value,
  span: Span,
): Value | undefined {
  const { columns, rows } = target.row!;
  if (columns && new Set(columns.map((c, i) => `${rows?.[i]},${c}`)).size !== columns.length)
    return error(s, "XL2006", "a swizzle that names a component twice cannot be written", span);
  const at = heldRow(s, target, span);
  if (!at) return undefined;
  const assigned = assignedValue(s, at.found, value, span);
  const { matrix, index } = at.target.row!;
  const row = element(matrix.place!, index, span);
  const operator = spelled.slice(0, -1) as syntax.BinaryOperator;
  const early = spelled === "=" ? { first: [], value: assigned.value } : valueBeforeOld(s, row, assigned.value, span);
  const whole = spelled === "=" ? assigned.value : binaryOperator(s, operator, at.target, early.value, span);
  const e = whole && convertTo(s, whole, target.type, "assignment", span, "the value");
  if (!e || target.type.kind !== "vector") return undefined;
  const parts = Array.from({ length: target.type.size }, (_, c) =>
    element(
      element(matrix.place!, literal("i32", columns?.[c] ?? c, span), span),
      rows ? literal("i32", rows[c]!, span) : index,
      span,
    ),
  );
  return writtenByParts(s, "row", [...assigned.first, ...at.first, ...early.first], e, parts, span);
}

/** `++m[r]`, and `m[r]++`, whose value is the row of before. */
function rowStep(s: Sema, given: Value, delta: 1 | -1, prefix: boolean, span: Span): Value | undefined {
  const { type } = given;
  const kind = scalarOf(type)!;
  if (kind === "bool")
    return error(s, "XL2004", `'${delta === 1 ? "++" : "--"}' does not take ${shown(s, type)}`, span);
  const at = heldRow(s, given, span);
  if (!at) return undefined;
  const { target } = at;
  const stepped = rowAssignment(s, delta === 1 ? "+=" : "-=", target, exprValue(literal(kind, 1, span)), span);
  if (!stepped) return undefined;
  const statements = [...at.first.map((x) => expressionStatement(x, span)), ...stepped.statements!];
  let asked: Expr | undefined;
  const whole = (where: Span): Expr | undefined => {
    if (asked) return asked;
    if (prefix) return (asked = after(at.first, stepped.whole!(where)!, span));
    const old = read(s, target, span);
    if (!old) return undefined;
    const before = emptyLocal(s, type, span);
    return (asked = after([...at.first, assign(before, old, span), stepped.whole!(where)!], load(before, span), span));
  };
  return { ...stepped, statements, whole };
}

/** What is computed first, and then written part by part: statements, or, where its value is asked for, an expression. */
function writtenByParts(
  s: Sema,
  name: string,
  first: readonly Expr[],
  value: Expr,
  parts: readonly Place[],
  span: Span,
): Value {
  const { type } = value;
  const made = newVariable(s, { name, type, space: "private", role: "local", constant: true, span: noSpan });
  const writes = (from: Place): Expr[] => parts.map((at, c) => assign(at, load(swizzle(from, [c], span), span), span));
  const statements: Statement[] = [
    ...first.map((x) => expressionStatement(x, span)),
    declare(made.id, value, span),
    ...writes(variablePlace(made, span)).map((x) => expressionStatement(x, span)),
  ];
  let asked: Expr | undefined;
  const whole = (): Expr => {
    if (asked) return asked;
    const place = emptyLocal(s, type, span);
    return (asked = after([...first, assign(place, value, span), ...writes(place)], load(place, span), span));
  };
  return { type, statements, whole };
}

/** To a vector that is the first elements of an array: it is computed, then they are written. */
function elementsAssignment(
  s: Sema,
  spelled: syntax.AssignmentOperator,
  target: Value,
  value: Value,
  span: Span,
): Value | undefined {
  if (target.readOnly) return error(s, "XL2006", `this cannot be written: ${target.readOnly}`, span);
  if (!isPure(load(target.firstOf!, span)))
    return notYet(s, "writing elements found by an expression with side effects is", span);
  const operator = spelled.slice(0, -1) as syntax.BinaryOperator;
  const early = spelled === "=" ? { first: [], value } : valueBeforeOld(s, target.firstOf!, value, span);
  const whole = spelled === "=" ? value : binaryOperator(s, operator, target, early.value, span);
  const e = whole && convertTo(s, whole, target.type, "assignment", span, "the value");
  if (!e) return undefined;
  return writtenByParts(s, "elements", early.first, e, firstElements(target, span), span);
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
  if (isAligned(s, place.type)) {
    const at = heldPlace(s, place, span);
    const operator = spelled.slice(0, -1) as syntax.BinaryOperator;
    const result = binaryOperator(s, operator, { type: at.place.type, place: at.place }, value, span);
    const e = result && convertTo(s, result, place.type, "assignment", span, "the value");
    return e && after(at.first, assign(at.place, e, span), span);
  }
  const made = compoundValue(s, spelled, place, value, span);
  return made?.kind === "assign" && made.operator ? computedPrecision(made) : made;
}

/** HLSL computes `a += b` in the shape of `a`, whatever the shape of `b`. */
function inShapeOfPlace(s: Sema, e: Expr, type: Type, span: Span): Expr | undefined {
  if (s.language.conversions.shapes !== "convert" || e.type.kind === "scalar" || type.kind === "pointer") return e;
  if (scalarOf(e.type) === undefined || scalarOf(type) === undefined) return e;
  const to = ofKind(type, scalarOf(e.type)!, e.type);
  if (sameType(to, e.type)) return e;
  const rank = implicitConversion(s.form, e.type, to, "assignment");
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
  if (isStoredOnly(s, place.type)) return refusesStored(s, spelled, place.type, span);
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
    if (type.block ? !s.reader.referenceSteps!(s, type, span) : isBufferValue(type))
      return type.block ? undefined : mismatch(s, spelled, { type }, right, span);
    if (operator !== "add" && operator !== "sub") return mismatch(s, spelled, { type }, right, span);
    const offset = offsetOf(s, right, operator === "sub", span);
    if (!offset) return undefined;
    const at = heldPlace(s, place, span);
    return after(at.first, assign(at.place, pointerOffset(load(at.place, place.span), offset, span), span), span);
  }
  if (type.kind === "matrix" || ve.type.kind === "matrix") {
    const whole = matrixOperator(s, operatorText, operator, current, right, span);
    if (!whole) return undefined;
    const fits = sameType(whole.type, type);
    const computed = (made: Expr): Expr => (fits ? made : conversion(s, made, type, false, span));
    if (implicitConversion(s.form, whole.type, type, "assignment") === undefined)
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
  if (implicitConversion(s.form, whole.type, type, "assignment") === undefined) {
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
  if (v.field) return fieldStep(s, v, delta, prefix, span);
  if (v.row) return rowStep(s, v, delta, prefix, span);
  const { byRows, ...stored } = v;
  const place = writablePlace(s, byRows && v.place ? { ...stored, type: v.place.type } : v, span);
  if (!place) return undefined;
  const kind = scalarOf(place.type);
  // A matrix is stepped where a scalar meets its components.
  const steps = place.type.kind !== "matrix" || s.language.matrixOperators !== "linear";
  const { type } = place;
  if (type.kind === "pointer" && type.block && !s.reader.referenceSteps!(s, type, span)) return undefined;
  const moves = type.kind === "pointer" && (type.block !== undefined || !isBufferValue(type));
  if (!moves && (kind === undefined || kind === "bool" || !steps || enumerationOf(place.type))) {
    return error(s, "XL2004", `'${delta === 1 ? "++" : "--"}' does not take ${shown(s, place.type)}`, span);
  }
  if (isStoredOnly(s, type)) return refusesStored(s, delta === 1 ? "++" : "--", type, span);
  if (isAligned(s, type) && (prefix || !isFloat(kind!))) {
    const one = exprValue(literal(type.scalar, 1, span));
    const set = compound(s, delta === 1 ? "+=" : "-=", place, one, span);
    if (!set || prefix) return set && exprValue(set);
    const before = binaryOperator(s, delta === 1 ? "-" : "+", exprValue(set), one, span);
    const old = before && convertTo(s, before, type, "assignment", span, "the value");
    return old && exprValue(old);
  }
  // Float vectors and matrices step by an assignment in some targets, which names the place twice.
  const at =
    place.type.kind === "matrix" || (place.type.kind === "vector" && isFloat(place.type.scalar))
      ? heldPlace(s, place, span)
      : { first: [], place };
  const stepped = (p: Place): Expr => computedPrecision(increment(p, delta, prefix, span));
  const done = stepped(at.place);
  const made = after(at.first, done, span);
  if (byRows) return { type: v.type, expr: made, byRows };
  return { ...exprValue(made), ...(prefix ? placeAfter(s, at.first, done, stepped, at.place, span) : {}) };
}
