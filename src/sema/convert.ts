/**
 * Conversions of values as tree nodes. Literals take their target type at once where their value survives; a bool that
 * was made an integer and is made a bool again is the bool; double arithmetic that provably rounds as float does becomes
 * float.
 */
import { asFunctionPointer, functionPointersOf, leadsToFunction } from "./function-pointers.js";
import { refuseFoldedShift } from "./constants.js";
import { countedBuffer } from "./counted-buffers.js";
import { isAtomicType } from "./atomic-objects.js";
import {
  addressOf,
  binary,
  constantOf,
  construct,
  convert,
  element,
  elementValue,
  i32Literal,
  literal,
  load,
  nullPointer,
  rootVariable,
  swizzle,
  swizzleValue,
} from "../ast/builders.js";
import type { Expr, Place } from "../ast/nodes.js";
import { implicitConversion, type ConversionContext } from "../dialects/conversions.js";
import type { Span } from "../support/span.js";
import {
  bool,
  componentCount,
  isEvent,
  isInteger,
  sameType,
  scalar,
  scalarOf,
  vector,
  type PointerType,
  type Type,
  type VectorType,
  withoutRoom,
  isCounter,
} from "../types/types.js";
import { extracted } from "./bit-fields.js";
import {
  error,
  notYet,
  objectPointer,
  addressedSpace,
  placeSpace,
  type Sema,
  type Value,
  shown,
  refusesAddress,
} from "./context.js";
import { after, held } from "./held-values.js";
import { inOtherSpace } from "./generic-pointers.js";
import { copyOf, explicitConversion, holdsCopied, refusesCopy, upcast, userConversion } from "./constructors.js";
import { showGiven } from "./open-literals.js";
import { transposed } from "./matrix-rows.js";
import { givenPrecision, isMinimum } from "./minimum-precision.js";
import { conversion, pointerAs, widened } from "./conversion.js";

/** The value as an expression; arrays of dialects with pointers decay to a pointer to their first element. */
export function read(s: Sema, v: Value, span: Span): Expr | undefined {
  const e = readAsItLies(s, v, span);
  if (!e || !isAligned(s, e.type)) return e;
  const whole = convert(e, vector(e.type.scalar, e.type.size), true, span);
  return e.type.first ? swizzleValue(whole, firstThree, span) : whole;
}

const firstThree = [0, 1, 2];

/** A place with such a vector is its first three components. */
export function withoutFourth(v: Value): Value {
  const { place, ...rest } = v;
  if (place?.type.kind !== "vector" || !place.type.first) return v;
  return { ...rest, type: withoutRoom(place.type), firstOf: place, components: firstThree };
}

/** Such a vector, as a whole. */
export const isWithoutFourth = (v: Value): boolean => v.components === firstThree;

/** A vector that begins at any of its components, which is a plain one once it is read. */
export const isAligned = (s: Sema, type: Type): type is VectorType =>
  type.kind === "vector" && type.packed === true && s.reading.expressions.alignedVectors === true;

/** GLSL 4.60 4.1.7.3: counters are no values. */
export const onlyCounted = (s: Sema, span: Span): undefined =>
  error(s, "XL2017", "an atomic counter is no value: functions such as atomicCounter take it", span);

function readAsItLies(s: Sema, v: Value, span: Span): Expr | undefined {
  if (v.row) return readRow(s, v, span);
  if (v.field) {
    const word = read(s, v.field.word, span);
    return word && extracted(s, word, v.field.field, span);
  }
  if (v.components) {
    const e = read(s, { type: v.firstOf!.type, place: v.firstOf! }, span);
    return e && swizzleValue(e, v.components, span);
  }
  if (v.firstOf)
    return construct(
      v.type,
      firstElements(v, span).map((p) => load(p, span)),
      span,
    );
  if (v.byRows) {
    const { byRows: _byRows, ...stored } = v;
    const e = read(s, { ...stored, type: v.expr?.type ?? v.place!.type }, span);
    return e && transposed(s, e, v.type, span);
  }
  if (v.expr) {
    // What is void to its caller may be an op that has a value: `InterlockedAdd(x[0], 1)`, `(void)f()`.
    if (v.type.kind === "void" && v.expr.type.kind !== "void")
      return error(s, "XL2017", "a call without value is used as one", span);
    if (v.lvalue && holdsCopied(s, v.type) && !refusesCopy(s, v.type, span))
      return notYet(s, "copying an object by what an expression refers to is, here,", span, "name the object");
    return v.expr;
  }
  const place = v.place;
  if (v.captured) return notYet(s, "a lambda or function that is kept, returned or converted is", span);
  if (v.whole) return v.whole(span);
  if (!place) {
    return error(
      s,
      "XL2017",
      v.block ? "a block is no value, only its members are" : "a call without value is used as one",
      span,
    );
  }
  if (v.object && countedBuffer(s, v.type)) return s.reader.countedValue!(s, v, span);
  if (v.object) {
    if (place.kind === "deref") return place.pointer;
    return { kind: "address-of", place, type: objectPointer(v.object), span };
  }
  if (v.buffers?.open) return notYet(s, "an array of buffers without a length as a value is", span);
  if (v.buffers) return buffersOf(v.type, place, span);
  if (place.type.kind === "array" && s.language.arrays === "decay") {
    return decayed(s, v, place, span);
  }
  if (place.type.kind === "array" && place.type.length === undefined) {
    return error(s, "XL2017", "an array without a fixed size cannot be used as a value", span);
  }
  if (holdsCopied(s, place.type)) return copyOf(s, v, span);
  const root = isMinimum(place.type) ? rootVariable(place) : undefined;
  if (isCounter(place.type)) return onlyCounted(s, span);
  // What is read is a plain value.
  if (isAtomicType(place.type)) return { ...load(place, span), type: scalar(scalarOf(place.type)!) };
  const fromOutside = root !== undefined && s.variables.get(root)?.role === "resource";
  return fromOutside ? givenPrecision(load(place, span)) : load(place, span);
}

/** The places of the components of a vector that is the first elements of an array. */
export const firstElements = (v: Value, span: Span): Place[] =>
  v.components?.map((c) => swizzle(v.firstOf!, [c], span)) ??
  Array.from({ length: componentCount(v.type)! }, (_, i) => element(v.firstOf!, i32Literal(i, span), span));

function decayed(s: Sema, v: Value, place: Place, span: Span): Expr | undefined {
  if (refusesAddress(s, place, span)) return undefined;
  v.onWrite?.();
  const space = addressedSpace(s, v, place);
  return addressOf(element(place, i32Literal(0, span), span), space, span, v.readOnly !== undefined);
}

/** Row `r` of a matrix: the r-th component of every column. */
function readRow(s: Sema, v: Value, span: Span): Expr | undefined {
  const { matrix, index } = v.row!;
  const whole = read(s, matrix, span);
  if (!whole || whole.type.kind !== "matrix") return undefined;
  const { first, values } = held(s, [whole, index], span);
  const [m, chosen] = values as [Expr, Expr];
  const components: Expr[] = [];
  for (const [i, c] of (v.row!.columns ?? Array.from({ length: whole.type.columns }, (_, i) => i)).entries()) {
    const r = v.row!.rows ? i32Literal(v.row!.rows[i]!, span) : chosen;
    components.push(elementValue(elementValue(m, i32Literal(c, span), span), r, span));
  }
  return after(first, construct(v.type, components, span), span);
}

/** A buffer as a value: it is copied, handed over, indexed and has methods, and that is all. */
export const isBufferValue = (type: Type): boolean =>
  type.kind === "pointer" && (type.object !== undefined || type.block !== undefined);

const isSameBlock = (a: Type, b: Type): boolean =>
  a.kind === "pointer" && b.kind === "pointer" && a.block?.name === b.block?.name;

/** What becomes a null pointer of any type: `NULL`, `nullptr`, a literal 0 (C99 6.3.2.3, C++14 4.10). */
export const isNullConstant = (e: Expr): boolean =>
  e.kind === "null-pointer"
    ? e.type.kind === "pointer" && e.type.pointee.kind === "void"
    : e.kind === "literal" && isInteger(e.type.scalar) && Number(e.value) === 0;

/**
 * A pointer where one to another type is wanted, of one address space, or one that is no longer to const: what C compilers let
 * pass with a warning (clang-19: -Wincompatible-pointer-types, -Wincompatible-pointer-types-discards-qualifiers, -Wpointer-sign).
 */
export const isLooselyPointer = (s: Pick<Sema, "language">, from: Type, to: Type): to is PointerType =>
  s.language.conversions.voidPointers === "to and from" &&
  from.kind === "pointer" &&
  to.kind === "pointer" &&
  from.space === to.space;

/** Converts by the dialect's implicit rules; a problem where they do not allow it. */
/** The buffers of an array of the file, as an array of values. */
function buffersOf(type: Type, place: Place, span: Span): Expr {
  if (type.kind !== "array") return { kind: "address-of", place, type, span };
  const elements = Array.from({ length: type.length! }, (_, k) =>
    buffersOf(type.element, element(place, i32Literal(k, span), span), span),
  );
  return construct(type, elements, span);
}

/** The address of the object that a reference stands for. */
export function referenceTo(s: Sema, v: Value, type: PointerType, span: Span, what: string): Expr | undefined {
  if (v.onWrite) v.onWrite();
  const { place } = v;
  if (!place || place.kind === "swizzle" || (place.kind === "element" && place.base.type.kind !== "array"))
    return error(s, "XL2006", `${what} is no object that a reference can be to`, span);
  if (!sameType(v.type, type.pointee))
    return error(s, "XL2003", `${what} is ${showGiven(s, v)}, the reference is to ${shown(s, type.pointee)}`, span);
  if (placeSpace(s, place) !== type.space)
    return error(
      s,
      "XL2009",
      `${what} lies in ${placeSpace(s, place)} memory, the reference is to ${type.space} memory`,
      span,
    );
  if (v.readOnly && !type.readOnly)
    return error(s, "XL2003", `${what} cannot be written through a reference: ${v.readOnly}`, span);
  return addressOf(place, type.space, span, type.readOnly === true);
}

export function convertTo(
  s: Sema,
  v: Value,
  type: Type,
  context: ConversionContext,
  span: Span,
  what = "this",
): Expr | undefined {
  const pointers = functionPointersOf(s, type);
  const asPointer = pointers ? asFunctionPointer(s, v, pointers, span, what) : "other";
  if (asPointer !== "other") return asPointer;
  if (type.kind === "pointer" && type.reference && v.type.kind !== "pointer")
    return referenceTo(s, v, type, span, what);
  // What an expression refers to is copied where an object is made of it.
  if (v.lvalue && !v.place && sameType(v.type, type) && holdsCopied(s, v.type)) return copyOf(s, v, span);
  const base = v.place && holdsCopied(s, v.type) && !sameType(v.type, type) ? upcast(s, v, type, span) : undefined;
  if (base) return convertTo(s, base, type, context, span, what);
  const seen = withoutRoom(type);
  if (seen !== type) {
    const three = convertTo(s, v, seen, context, span, what);
    const kind = scalarOf(type)!;
    return (
      three && convert(construct(vector(kind, 4), [three, constantOf(scalar(kind), 0, span)], span), type, true, span)
    );
  }
  const e = read(s, v, span);
  if (!e) return undefined;
  if (isBufferValue(type) || isBufferValue(e.type))
    return sameType(e.type, type) && isSameBlock(e.type, type)
      ? e
      : error(s, "XL2003", `${what} is ${showGiven(s, e)} and does not convert to ${shown(s, type)}`, span);
  if (type.kind === "pointer" && isNullConstant(e)) return nullPointer(type, e.span);
  // As 0 is no pointer, it is no event (OpenCL C 3.0 6.15.11).
  if (isEvent(type) && !isEvent(e.type) && isNullConstant(e)) return { ...literal("u32", 0, e.span), type } as Expr;
  if (e.type.kind === "pointer" && type.kind === "scalar" && type.scalar === "bool")
    return e.kind === "null-pointer"
      ? literal("bool", false, e.span)
      : binary("ne", e, nullPointer(e.type, e.span), span);
  const isBool = type.kind === "scalar" && type.scalar === "bool";
  if (isBool && functionPointersOf(s, e.type)) return leadsToFunction(e, span);
  const met = inOtherSpace(s, e, type, span);
  if (met !== "other") return met;
  const rank = implicitConversion(s.form, e.type, type, context);
  if (rank === undefined && isLooselyPointer(s, e.type, type)) {
    s.problems.warning("XL2003", `${what} is ${showGiven(s, e)} and is taken for ${shown(s, type)}`, span, {
      help: "write a cast",
    });
    return pointerAs(e, type, span);
  }
  if (rank === undefined) {
    const user = userConversion(s, v, type);
    const made = user?.(span);
    if (user) return made && convertTo(s, made, type, context, span, what);
    const table = e.kind === "address-of" ? rootVariable(e.place) : undefined;
    if (table !== undefined && s.addressTables.has(table))
      return notYet(
        s,
        `a pointer into '${s.variables.get(table)!.name}', which holds addresses, is`,
        span,
        "name its elements, or copy one",
      );
    const help = conversionHelp(s, e.type, type);
    return error(
      s,
      "XL2003",
      `${what} is ${showGiven(s, e)} and does not convert to ${shown(s, type)}`,
      span,
      help ? { help } : {},
    );
  }
  if (rank === 3) warnTruncation(s, e.type, type, span);
  return conversion(s, e, type, false, span);
}

function conversionHelp(s: Sema, from: Type, to: Type): string | undefined {
  if (from.kind === "pointer" && to.kind === "pointer") {
    if (from.space !== to.space)
      return `pointers into ${from.space} memory do not become pointers into ${to.space} memory`;
    if (from.readOnly && !to.readOnly) return "the pointer points to const";
    return undefined;
  }
  if (componentCount(from) === undefined || componentCount(to) === undefined) return undefined;
  if (!s.reading.expressions.vectorCasts && from.kind === "vector") return "write the conversion with convert_...()";
  return "write the conversion";
}

export function warnTruncation(s: Sema, from: Type, to: Type, span: Span): void {
  // What `float1x1` has is all there.
  if (from.kind === "matrix" && from.columns * from.rows === componentCount(to)) return;
  s.problems.warning(
    "XL2016",
    `${shown(s, from)} becomes ${shown(s, to)} here, the other components are dropped`,
    span,
  );
}

/** A scalar condition as the dialect allows it. */
export function conditionOf(s: Sema, v: Value, span: Span): Expr | undefined {
  // A condition may use what is called explicit (C++14 4).
  const asked = explicitConversion(s, v, bool, span);
  const e = asked === "none" ? read(s, v, span) : asked && read(s, asked, span);
  if (!e) return undefined;
  if ((e.type.kind === "vector" || e.type.kind === "matrix") && s.language.conversions.shapes === "convert") {
    return error(s, "XL2003", `a condition must be a scalar, this is ${showGiven(s, e)}`, span, {
      help: "reduce it with any() or all()",
    });
  }
  refuseFoldedShift(s, e);
  const asked_ = widened(e);
  return convertTo(
    s,
    { ...v, type: asked_.type, expr: asked_, place: undefined, row: undefined },
    bool,
    "condition",
    span,
    "the condition",
  );
}
