/** Casts and constructors: making a value of a named type. */
import {
  bitcast,
  boolLiteral,
  constantOf,
  construct,
  convert,
  elementValue,
  i32Literal,
  literal,
  nullPointer,
  splat,
  swizzleValue,
} from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import type { Span } from "../support/span.js";
import {
  bitWidth,
  componentCount,
  enumerationOf,
  isEvent,
  isInteger,
  isSameName,
  sameType,
  scalar,
  scalarOf,
  shapedLike,
  type MatrixType,
  type ScalarType,
  type Type,
  type VectorType,
} from "../types/types.js";
import { functionPointersOf, holdsFunctionPointers, noteNull } from "./function-pointers.js";
import { implicitConversion } from "../dialects/conversions.js";
import { holdsBitFields } from "./bit-fields.js";
import { pointerOf } from "./number-pointers.js";
import { evaluate } from "./constants.js";
import { explicitConversion, makeObject, uncopied } from "./constructors.js";
import { error, exprValue, notYet, type Sema, type Value, shown } from "./context.js";
import { after, held } from "./held-values.js";
import { convertTo, isBufferValue, isNullConstant, read } from "./convert.js";
import { conversion, pointerAs } from "./conversion.js";
import { filledFrom, fillsExactly, leafCount } from "./flat-lists.js";
import { memberForm, transposed } from "./matrix-rows.js";
import { diagonalMatrix, matrixKind } from "./subgroup-matrices.js";
import { givenPrecision, isMinimum, asNamed } from "./minimum-precision.js";
import { showGiven } from "./open-literals.js";
import { isStoredOnly } from "./stored-only.js";

/** All bits zero, as missing initialisers and HLSL's `(T)0` give. */
export function zeroOf(s: Sema, type: Type, span: Span): Expr | undefined {
  switch (type.kind) {
    case "scalar":
      noteNull(s, type);
      return type.scalar === "bool" ? boolLiteral(false, span) : literal(type.scalar, 0, span);
    case "vector":
      return type.scalar === "bool" ? splat(boolLiteral(false, span), type, span) : constantOf(type, 0, span);
    case "matrix": {
      const column = zeroOf(s, shapedLike(type, type.rows), span)!;
      return construct(
        type,
        Array.from({ length: type.columns }, () => column),
        span,
      );
    }
    case "array": {
      if (type.length === undefined) return undefined;
      const one = zeroOf(s, type.element, span);
      return (
        one &&
        construct(
          type,
          Array.from({ length: type.length }, () => one),
          span,
          true,
        )
      );
    }
    case "struct": {
      const declared = s.structs.get(type.name);
      if (declared?.subgroupMatrix) return s.reader.zeroMatrix?.(s, type, span);
      const given = type.union ? declared?.members.slice(0, 1) : declared?.members;
      const members = given?.map((m) => zeroOf(s, m.type, span));
      return members && members.every((m) => m !== undefined) ? construct(type, members, span, true) : undefined;
    }
    case "pointer":
      return nullPointer(type, span);
    default:
      return undefined;
  }
}

// ------------------------------------------------------------------ casts

/** `(T)x`, `T(x)`, `static_cast<T>(x)`: one operand, conversion asked for. */
export function castTo(s: Sema, v: Value, type: Type, span: Span, functional: boolean): Value | undefined {
  const pointers = functionPointersOf(s, type) ?? functionPointersOf(s, v.type);
  if (pointers) {
    const bool = type.kind === "scalar" && type.scalar === "bool";
    const e = convertTo(s, v, bool ? type : pointers.type, "assignment", span, "what is cast");
    if (e && !bool && !functionPointersOf(s, type))
      return notYet(s, "a pointer to a function as something else is", span);
    return e && exprValue(e);
  }
  const isMade = type.kind === "struct" && (s.methods.has(type.name) || sameType(v.type, type));
  const own = isMade ? "none" : explicitConversion(s, v, type, span);
  if (own !== "none") return own && (type.kind === "struct" ? own : castTo(s, own, type, span, functional));
  const flat = s.language.flatLists && !functional;
  if (type.kind === "struct" && s.methods.has(type.name) && !flat) return makeObject(s, type, [v], span);
  const e = read(s, type.kind === "void" ? uncopied(s, v, span) : v, span);
  if (!e) return undefined;
  if (type.kind === "void") return { type, expr: e, ...(v.statements ? { statements: v.statements } : {}) };
  if (type.kind === "pointer" || e.type.kind === "pointer") return castPointer(s, e, type, span);
  if (isEvent(type) !== isEvent(e.type)) {
    const event = isEvent(type) && isNullConstant(e) ? convertTo(s, v, type, "operand", span) : undefined;
    return event
      ? exprValue(event)
      : error(s, "XL2003", `${showGiven(s, e)} cannot be cast to ${shown(s, type)}`, span);
  }
  const [was, made] = [enumerationOf(e.type), enumerationOf(type)];
  // A constructor asks for less than a cast: DXC takes `(uint)C::a` and refuses `uint(C::a)`.
  if (
    functional &&
    s.language.enumerations === "kept" &&
    (was?.scoped || made?.scoped) &&
    was?.enumeration !== made?.enumeration
  )
    return error(s, "XL2003", `${shown(s, type)}(...) does not take ${showGiven(s, e)}`, span, {
      help: `write (${shown(s, type)}) before it`,
    });
  if (sameType(e.type, type)) {
    const unchanged =
      e.kind === "literal" && !e.open && isMinimum(e.type) === isMinimum(type) && isSameName(e.type, type);
    return { type, expr: unchanged ? asNamed(e, type) : conversion(s, e, type, true, span) };
  }
  if (s.language.flatLists && [type, e.type].some((t) => t.kind === "struct" || t.kind === "array"))
    return castFlat(s, e, type, span);
  const from = scalarOf(e.type);
  const to = scalarOf(type);
  // Scalars become enumerators and back where that is asked for.
  const scalars = e.type.kind === "scalar" && type.kind === "scalar";
  if (!scalars && (enumerationOf(e.type)?.scoped || enumerationOf(type)))
    return error(s, "XL2003", `${showGiven(s, e)} cannot be cast to ${shown(s, type)}`, span);
  const alien = isStoredOnly(s, type) ? from : isStoredOnly(s, e.type) ? to : undefined;
  if (from === undefined || to === undefined || alien === "bool")
    return error(s, "XL2003", `${showGiven(s, e)} cannot be cast to ${shown(s, type)}`, span);
  if (e.type.kind === "matrix" || type.kind === "matrix") {
    if (
      e.type.kind === "matrix" &&
      type.kind === "matrix" &&
      e.type.columns === type.columns &&
      e.type.rows === type.rows
    ) {
      return exprValue(givenPrecision(convert(e, type, true, span)));
    }
    if (functional) return constructMatrix(s, type as MatrixType, [v], span);
    if (s.language.conversions.shapes === "convert") return converted(s, e, type, span);
    return notYet(s, `a cast of ${showGiven(s, e)} to ${shown(s, type)} is`, span);
  }
  const fromSize = componentCount(e.type)!;
  const toSize = componentCount(type)!;
  if (fromSize > 1 && fromSize !== toSize) {
    if (fromSize < toSize || !shortensVectors(s)) {
      return error(s, "XL2003", `${showGiven(s, e)} cannot be cast to ${shown(s, type)}`, span);
    }
  } else if (!s.reading.expressions.vectorCasts && fromSize > 1 && from !== to) {
    return error(s, "XL2003", `${showGiven(s, e)} cannot be cast to ${shown(s, type)}`, span, {
      help: "use convert_...() or as_...()",
    });
  }
  return { type, expr: conversion(s, e, type, true, span) };
}

/** Casts and constructors drop components of longer vectors. */
const shortensVectors = (s: Sema): boolean =>
  s.reading.expressions.constructorsTakeParts || s.language.conversions.shapes === "convert";

/** Between shapes, as HLSL converts by itself. */
function converted(s: Sema, e: Expr, type: Type, span: Span): Value | undefined {
  return implicitConversion(s.form, e.type, type, "operand") === undefined
    ? error(s, "XL2003", `${showGiven(s, e)} cannot be cast to ${shown(s, type)}`, span)
    : exprValue(conversion(s, e, type, true, span));
}

/** HLSL: structs and arrays by their numbers. One number fills all parts; else there are enough. */
function castFlat(s: Sema, e: Expr, type: Type, span: Span): Value | undefined {
  const zero = evaluate(s, e) === 0n ? zeroOf(s, type, span) : undefined;
  if (zero) return exprValue(zero);
  if (holdsBitFields(s, type) || holdsBitFields(s, e.type))
    return notYet(
      s,
      "a cast of or to a struct with bit-fields, for which DXC sets and reads others than it should, is",
      span,
      "assign to its members",
    );
  const [given, wanted] = [leafCount(s, e.type), leafCount(s, type)];
  return given === undefined || wanted === undefined || (given < wanted && e.type.kind !== "scalar")
    ? error(s, "XL2003", `${showGiven(s, e)} cannot be cast to ${shown(s, type)}`, span)
    : exprValue(filledFrom(s, type, [e], true, span));
}

function castPointer(s: Sema, e: Expr, type: Type, span: Span): Value | undefined {
  if (isBufferValue(e.type) || isBufferValue(type)) return castReference(s, e, type, span);
  const functions = [e.type, type].some((t) => holdsFunctionPointers(s, t));
  if (functions && !sameType(e.type, type))
    return notYet(s, "memory with pointers to functions as another type is", span);
  if (type.kind === "pointer" && isNullConstant(e)) return exprValue(nullPointer(type, span));
  if (e.type.kind === "pointer" && type.kind === "scalar" && type.scalar === "bool") {
    const test = convertTo(s, exprValue(e), type, "condition", span);
    return test && exprValue(test);
  }
  if (e.type.kind === "pointer" && type.kind === "scalar" && isInteger(type.scalar)) return addressAs(s, e, type, span);
  const made = type.kind === "pointer" && !type.block ? pointerOf(s, e) : undefined;
  if (made) return castPointer(s, made, type, span);
  // Of which pointer it is the address is found out when all of the program is known: address-numbers.ts.
  if (type.kind === "pointer" && e.type.kind === "scalar" && isInteger(e.type.scalar) && bitWidth(e.type.scalar) === 64)
    return exprValue(bitcast(e, type, span));
  if (e.type.kind !== "pointer" || type.kind !== "pointer") {
    return notYet(s, `a cast of ${showGiven(s, e)} to ${shown(s, type)} is`, span);
  }
  if (e.type.space !== type.space) {
    return error(
      s,
      "XL2009",
      `a pointer into ${e.type.space} memory cannot be cast to one into ${type.space} memory`,
      span,
    );
  }
  if (type.pointee.kind === "array" && type.pointee.length === undefined)
    return error(s, "XL2020", "a pointer to an array without size", span);
  return { type, expr: pointerAs(e, type, span) };
}

/** GL_EXT_buffer_reference, GL_EXT_buffer_reference_uvec2: what references are made of. */
const isAddressNumber = (type: Type): boolean =>
  type.kind === "vector" ? type.scalar === "u32" && type.size === 2 : type.kind === "scalar" && type.scalar === "u64";

/** Between references to blocks; what an address is as a number, and which buffer a number leads to, nobody knows here. */
function castReference(s: Sema, e: Expr, type: Type, span: Span): Value | undefined {
  // The address of a buffer that the host writes as a number: addressed-buffers.ts says which.
  if (type.kind === "pointer" && isAddressNumber(e.type)) return exprValue(bitcast(e, type, span));
  // Whether it is null may be asked (null-addresses.ts).
  if (e.type.kind === "pointer" && isAddressNumber(type)) return exprValue(bitcast(e, type, span));
  if (e.type.kind !== "pointer" || type.kind !== "pointer")
    return notYet(s, `a cast of ${showGiven(s, e)} to ${shown(s, type)} is`, span);
  if (e.type.block?.name === type.block?.name) return exprValue(e);
  return s.reader.castReference!(s, e, e.type, type, span);
}

/** `(ulong)p`: the address, which has 64 bits; a narrower integer has the lower ones. */
function addressAs(s: Sema, e: Expr, type: ScalarType, span: Span): Value {
  const whole = bitWidth(type.scalar) === 64;
  const address = bitcast(e, whole ? type : scalar("u64"), span);
  return { type, expr: whole ? address : conversion(s, address, type, true, span) };
}

// ------------------------------------------------------------------ constructors

/** `T(a, b, ...)` with any number of arguments. */
export function constructorCall(s: Sema, type: Type, args: readonly Value[], span: Span): Value | undefined {
  if (s.language.flatLists && (type.kind === "scalar" || type.kind === "vector" || type.kind === "matrix"))
    return numericConstructor(s, type, args, span);
  if (s.language.flatLists && (type.kind === "array" || type.kind === "struct")) {
    const what = type.kind === "array" ? "an array" : "a struct";
    return error(s, "XL2013", `${what} is made by a list in braces, not by a constructor`, span);
  }
  switch (type.kind) {
    case "void":
      return error(s, "XL2013", "a value of type void cannot be made", span);
    case "scalar":
      if (args.length === 0) return exprValue(zeroOf(s, type, span)!);
      if (args.length > 1)
        return error(s, "XL2005", `${shown(s, type)} is made of one value, not ${args.length}`, span);
      return scalarConstructor(s, type, args[0]!, span);
    case "vector":
      // What an object becomes by a conversion of its own.
      if (args.length === 1 && args[0]!.type.kind === "struct") return castTo(s, args[0]!, type, span, true);
      return constructVector(s, type, args, span);
    case "matrix":
      return constructMatrix(s, type, args, span);
    case "array":
      return constructArray(s, type, args, span);
    case "struct":
      return constructStruct(s, type, args, span);
    case "pointer":
      return args.length === 1
        ? castTo(s, args[0]!, type, span, true)
        : error(s, "XL2005", "a pointer is made of one value", span);
  }
}

/** Whether a vector cannot be made of so many values by a call or in parentheses, which is said. */
export function refusesSeveral(s: Sema, type: Type, count: number, span: Span): boolean {
  if (s.reading.expressions.constructors !== "of one value" || type.kind !== "vector" || count < 2) return false;
  const name = shown(s, type);
  error(s, "XL2005", `${name} is made of one value, not ${count}`, span, {
    help: `write (${name})(...), or a list in braces`,
  });
  return true;
}

/** HLSL: of as many numbers as the type has. */
function numericConstructor(
  s: Sema,
  type: ScalarType | VectorType | MatrixType,
  args: readonly Value[],
  span: Span,
): Value | undefined {
  const parts = readAll(s, args, span);
  if (!parts) return undefined;
  if (parts.length === 0) return error(s, "XL2014", `${shown(s, type)} cannot be made of nothing`, span);
  const types = parts.map((e) => e.type);
  if (!fillsExactly(s, type, types, span)) return undefined;
  const scoped = parts.find((e) => parts.length > 1 && enumerationOf(e.type)?.scoped);
  if (scoped) return error(s, "XL2003", "an enumerator with a scope becomes no number by itself", scoped.span);
  const plain = types.every((t) => t.kind === "scalar" || (t.kind === "vector" && type.kind !== "scalar"));
  if (!plain && (types.length > 1 || types[0]!.kind !== "matrix"))
    return exprValue(filledFrom(s, type, parts, true, span));
  if (type.kind === "scalar") return castTo(s, args[0]!, type, span, true);
  return type.kind === "vector" ? constructVector(s, type, args, span) : constructMatrix(s, type, args, span);
}

/** `float(v)` may take the first component of a vector. */
function scalarConstructor(s: Sema, type: Type, arg: Value, span: Span): Value | undefined {
  if (s.reading.expressions.constructorsTakeParts) {
    const e = read(s, arg, span);
    if (e?.type.kind === "vector") return exprValue(conversion(s, swizzleValue(e, [0], span), type, true, span));
    if (e?.type.kind === "matrix") return notYet(s, "a scalar made of a matrix is", span);
  }
  return castTo(s, arg, type, span, true);
}

function constructVector(s: Sema, type: VectorType, args: readonly Value[], span: Span): Value | undefined {
  if (args.length === 0) return exprValue(zeroOf(s, type, span)!);
  const parts = readAll(s, args, span);
  if (!parts) return undefined;
  if (parts.length === 1) {
    const only = parts[0]!;
    if (isBufferValue(only.type)) return castPointer(s, only, type, span);
    const size = componentCount(only.type);
    if (only.type.kind === "matrix" && s.language.flatLists) return exprValue(conversion(s, only, type, true, span));
    if (only.type.kind === "matrix") return notYet(s, "a vector made of a matrix is", span);
    if (size === undefined) return error(s, "XL2003", `${shown(s, type)} is not made of ${showGiven(s, only)}`, span);
    if (size === 1 || size === type.size || (size > type.size && shortensVectors(s))) {
      return castTo(
        s,
        { ...args[0]!, type: only.type, expr: only, place: undefined, row: undefined },
        type,
        span,
        true,
      );
    }
    return error(s, "XL2005", `${shown(s, type)} is not made of ${showGiven(s, only)}`, span);
  }
  const element = shapedLike(type, 1);
  const made: Expr[] = [];
  let count = 0;
  for (const [i, e] of parts.entries()) {
    const size = componentCount(e.type);
    if (size === undefined) return error(s, "XL2003", `a component cannot be ${showGiven(s, e)}`, e.span);
    if (count >= type.size)
      return error(s, "XL2005", `${shown(s, type)} is made of ${type.size} components, these are more`, span);
    let piece = size === 1 ? conversionOfPart(s, e, element) : conversionOfPart(s, e, shapedLike(type, size));
    count += size;
    if (count > type.size) {
      // The last argument may have more components than are needed.
      if (!s.reading.expressions.constructorsTakeParts || i !== parts.length - 1) {
        return error(s, "XL2005", `${shown(s, type)} is made of ${type.size} components, these are ${count}`, span);
      }
      const used = size - (count - type.size);
      piece = swizzleValue(
        piece,
        Array.from({ length: used }, (_, k) => k),
        piece.span,
      );
    }
    made.push(piece);
  }
  if (count < type.size)
    return error(s, "XL2005", `${shown(s, type)} is made of ${type.size} components, these are ${count}`, span);
  return exprValue(construct(type, made, span));
}

/** Components convert as in a functional cast, which is the constructor itself: nothing needs to be written. */
function conversionOfPart(s: Sema, e: Expr, type: Type): Expr {
  return conversion(s, e, type, false, e.span);
}

export function readAll(s: Sema, args: readonly Value[], span: Span): Expr[] | undefined {
  const parts = args.map((a) => read(s, a, a.expr?.span ?? a.place?.span ?? span));
  return parts.every((p) => p !== undefined) ? parts : undefined;
}

export function constructMatrix(s: Sema, type: MatrixType, args: readonly Value[], span: Span): Value | undefined {
  const given = readAll(s, args, span);
  if (!given) return undefined;
  const byColumns = !s.language.matricesByRows;
  const inColumns =
    byColumns && given.length === type.columns && given.every((p) => componentCount(p.type) === type.rows);
  // Where arguments are taken apart or moved, what they do happens once, and in their order.
  const inPlace = inColumns || (byColumns && given.length > 1 && given.every((p) => p.type.kind === "scalar"));
  const { first, values } = inPlace ? { first: [], values: given } : held(s, given, span);
  const made = inColumns
    ? construct(
        type,
        values.map((p) => conversionOfPart(s, p, shapedLike(type, type.rows))),
        span,
      )
    : matrixFrom(s, type, values, span);
  return made && exprValue(after(first, made, span));
}

function matrixFrom(s: Sema, type: MatrixType, parts: readonly Expr[], span: Span): Expr | undefined {
  const one = shapedLike(type, 1);
  const [only] = parts;
  if (parts.length === 1 && only!.type.kind === "scalar") {
    if (s.language.conversions.shapes === "convert") return conversion(s, only!, type, true, span);
    return diagonal(s, type, conversionOfPart(s, only!, one), span);
  }
  if (parts.length === 1 && only!.type.kind === "matrix") return resized(s, type, only!, span);
  const scalars: Expr[] = [];
  for (const p of parts) {
    const size = componentCount(p.type);
    if (size === undefined) return error(s, "XL2005", `${shown(s, type)} is not made of ${shown(s, p.type)}`, p.span);
    for (let i = 0; i < size; i++) {
      const part = size === 1 ? p : swizzleValue(p, [i], p.span);
      scalars.push(conversionOfPart(s, part, one));
    }
  }
  const total = type.columns * type.rows;
  if (scalars.length !== total)
    return error(s, "XL2005", `${shown(s, type)} is made of ${total} values, these are ${scalars.length}`, span);
  if (!s.language.matricesByRows) return construct(type, scalars, span);
  const byColumn: Expr[] = [];
  for (let c = 0; c < type.columns; c++)
    for (let r = 0; r < type.rows; r++) byColumn.push(scalars[r * type.columns + c]!);
  return construct(type, byColumn, span);
}

function diagonal(s: Sema, type: MatrixType, value: Expr, span: Span): Expr {
  const zero = zeroOf(s, shapedLike(type, 1), span)!;
  const parts: Expr[] = [];
  for (let c = 0; c < type.columns; c++) for (let r = 0; r < type.rows; r++) parts.push(c === r ? value : zero);
  return construct(type, parts, span);
}

/** A matrix of a matrix: elements both have; the others are those of the identity. */
function resized(s: Sema, type: MatrixType, m: Expr, span: Span): Expr | undefined {
  const from = m.type as MatrixType;
  if (from.columns === type.columns && from.rows === type.rows) return convert(m, type, true, span);
  if (!s.reading.expressions.constructorsTakeParts)
    return error(s, "XL2005", `${shown(s, type)} is not made of ${shown(s, from)}`, span);
  const parts: Expr[] = [];
  for (let c = 0; c < type.columns; c++) {
    for (let r = 0; r < type.rows; r++) {
      if (c < from.columns && r < from.rows) {
        const value = elementValue(elementValue(m, i32Literal(c, span), span), i32Literal(r, span), span);
        parts.push(conversion(s, value, shapedLike(type, 1), true, span));
      } else parts.push(literal(type.scalar, c === r ? 1 : 0, span));
    }
  }
  return construct(type, parts, span);
}

function constructArray(
  s: Sema,
  type: Type & { kind: "array" },
  args: readonly Value[],
  span: Span,
): Value | undefined {
  const length = type.length ?? args.length;
  if (args.length !== length)
    return error(s, "XL2005", `${shown(s, type)} is made of ${length} elements, these are ${args.length}`, span);
  const open = type.element.kind === "array" && !isComplete(type.element);
  const element = open && args[0] ? args[0].type : type.element;
  if (open && !fitsOpen(element, type.element))
    return error(s, "XL2003", `an element of ${shown(s, type)} cannot be ${shown(s, element)}`, span);
  const parts = args.map((a) =>
    convertTo(s, a, element, "initializer", a.expr?.span ?? a.place?.span ?? span, "the element"),
  );
  if (!parts.every((p) => p !== undefined)) return undefined;
  return exprValue(construct({ ...type, element, length }, parts, span));
}

/** Every dimension has a length. */
export const isComplete = (type: Type): boolean =>
  type.kind !== "array" || (type.length !== undefined && isComplete(type.element));

/** `type` has the dimensions and element type of `open`, with lengths where that leaves them out. */
export function fitsOpen(type: Type, open: Type): boolean {
  if (open.kind !== "array") return sameType(type, open);
  return (
    type.kind === "array" &&
    (open.length === undefined || open.length === type.length) &&
    fitsOpen(type.element, open.element)
  );
}

function constructStruct(
  s: Sema,
  type: Type & { kind: "struct" },
  args: readonly Value[],
  span: Span,
): Value | undefined {
  if (matrixKind(s, type) !== undefined) return diagonalMatrix(s, type, args, span);
  const members = s.structs.get(type.name)!.members;
  if (args.length === 1 && sameType(args[0]!.type, type)) {
    const e = read(s, args[0]!, span);
    return e && exprValue(e);
  }
  if (!s.reading.expressions.structConstructors) return makeObject(s, type, args, span);
  if (args.length !== members.length)
    return error(s, "XL2005", `${shown(s, type)} has ${members.length} members, these are ${args.length}`, span);
  const parts = members.map((m, i) => {
    const form = memberForm(s, type.name, m);
    const at = args[i]!.expr?.span ?? args[i]!.place?.span ?? span;
    const e = convertTo(s, args[i]!, form.type, "initializer", at, `member '${m.name}'`);
    return e && form.byRows ? transposed(s, e, m.type, at) : e;
  });
  if (!parts.every((p) => p !== undefined)) return undefined;
  return exprValue(construct(type, parts, span));
}
