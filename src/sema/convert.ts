/**
 * Conversions of values as tree nodes. Literals take their target type at once where their value survives; a bool that
 * was made an integer and is made a bool again is the bool; double arithmetic that provably rounds as float does becomes
 * float.
 */
import { countedBuffer } from "./counted-buffers.js";
import { isAtomicType } from "./atomic-objects.js";
import {
  addressOf,
  binary,
  bitcast,
  conditional,
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
  splat,
  swizzle,
  swizzleValue,
  unary,
} from "../ast/builders.js";
import type { Expr, Literal, Place } from "../ast/nodes.js";
import { implicitConversion, type ConversionContext } from "../dialects/conversions.js";
import type { Span } from "../support/span.js";
import {
  bitWidth,
  bool,
  componentCount,
  isEvent,
  isFloat,
  isInteger,
  sameType,
  scalar,
  scalarOf,
  shaped,
  vector,
  type PointerType,
  type ScalarKind,
  type Type,
  type VectorType,
  withoutRoom,
  isCounter,
} from "../types/types.js";
import { extracted } from "./bit-fields.js";
import { convertConstant, literalForm } from "./constants.js";
import {
  after,
  error,
  held,
  notYet,
  objectPointer,
  addressedSpace,
  placeSpace,
  type Sema,
  type Value,
  shown,
  refusesAddress,
} from "./context.js";
import { inOtherSpace } from "./generic-pointers.js";
import { copyOf, explicitConversion, holdsCopied, refusesCopy, upcast, userConversion } from "./constructors.js";
import { valueOfDigits } from "./literals.js";
import { isOpen, settled, showGiven } from "./open-literals.js";
import { transposed } from "./matrix-rows.js";
import { ofKind, reshaped } from "./matrix-shapes.js";
import { asNamed, convertedPrecision, givenPrecision, isMinimum } from "./minimum-precision.js";

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
    return word && extracted(word, v.field.field, span);
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

/** `e` as `type`, by whatever conversion stands between the two; the caller has checked that there is one. */
export function conversion(s: Sema, e: Expr, type: Type, explicit: boolean, span: Span): Expr {
  const made = conversionOfValue(s, e, type, explicit, span);
  const precise = isMinimum(type) || isMinimum(made.type) ? convertedPrecision(e, made, type, span) : made;
  return asNamed(precise, type);
}

function conversionOfValue(s: Sema, e: Expr, type: Type, explicit: boolean, span: Span): Expr {
  if (
    s.openLiterals &&
    isOpen(e) &&
    (type.kind === "scalar" || type.kind === "vector") &&
    componentCount(e.type)! <= componentCount(type)!
  )
    return settled(s, e, type, explicit);
  if (e.type.kind === "pointer" && type.kind === "pointer") return pointerAs(e, type, span);
  if (e.type.kind === "pointer") return e;
  if (sameType(e.type, type)) return sized(e, type, explicit);
  const shapeChanges =
    e.type.kind === "matrix" ? !sameType(ofKind(type, "f32"), ofKind(e.type, "f32")) : type.kind === "matrix";
  if (shapeChanges && e.type.kind !== "scalar") return conversion(s, reshaped(s, e, type, span), type, explicit, span);
  if (e.type.kind === "vector" && componentCount(type) !== undefined && e.type.size > componentCount(type)!) {
    const components = Array.from({ length: componentCount(type)! }, (_, i) => i);
    return conversion(s, swizzleValue(e, components, span), type, explicit, span);
  }
  if (type.kind === "vector" && e.type.kind === "scalar") {
    const one = conversion(s, e, scalar(type.scalar), explicit && e.kind !== "literal" ? true : false, span);
    return splat(one, type, span, explicit);
  }
  if (e.type.kind === "scalar" && type.kind === "matrix") {
    // HLSL: all elements.
    const { first, values } = held(s, [e], span);
    const column = conversion(s, values[0]!, shaped(type.scalar, type.rows), explicit, span);
    return after(
      first,
      construct(
        type,
        Array.from({ length: type.columns }, () => column),
        span,
      ),
      span,
    );
  }
  if (e.type.kind === "scalar" && type.kind === "scalar") return scalarValue(s, e, type.scalar, type, explicit, span);
  if (e.kind === "splat" && type.kind === "vector" && !explicit && !e.explicit) {
    return splat(conversion(s, e.operand, scalar(type.scalar), false, span), type, span);
  }
  return convert(e, type, explicit, span);
}

/** The same address as a pointer of another type; of a cast of a cast the last one counts. */
export function pointerAs(e: Expr, type: PointerType, span: Span): Expr {
  // That it is no longer one to const is said where it is cast.
  const sheds = (x: Expr): boolean =>
    x.type.kind === "pointer" && x.type.readOnly === true && !type.readOnly && type.space !== "constant";
  const renamed = (x: Expr): Expr =>
    sheds(x) ? { kind: "bitcast", operand: x, type, span } : ({ ...x, type } as Expr);
  if (sameType(e.type, type)) return renamed(e);
  if (sheds(e)) return bitcast(e, type, span);
  const from = e.kind === "bitcast" ? e.operand : e;
  // To void and back.
  if (from !== e && sameType(from.type, type)) return renamed(from);
  return bitcast(from, type, span);
}

/** `size_t` and a true 64-bit integer are one type in the tree; the flag follows the declared type. */
function sized(e: Expr, type: Type, explicit: boolean): Expr {
  if (type.kind !== "scalar" || e.type.kind !== "scalar" || e.type.size === type.size) return e;
  return e.kind === "literal" ? { ...e, type } : { kind: "convert", operand: e, type, explicit, span: e.span };
}

function scalarValue(s: Sema, e: Expr, kind: ScalarKind, type: Type, explicit: boolean, span: Span): Expr {
  if (e.kind === "literal") {
    const folded = retypedLiteral(e, kind, type);
    if (folded) return folded;
  }
  const from = (e.type as { scalar: ScalarKind }).scalar;
  if (e.kind === "unary" && e.operator === "negate" && e.operand.kind === "literal" && !explicit) {
    const negated = negatedLiteral(e, kind, type);
    if (negated) return negated;
  }
  if (from === "f64" && kind !== "f64" && kind !== "bool" && isFloat(kind)) {
    const narrow = narrowDouble(s, e);
    if (narrow) return kind === "f32" ? narrow : convert(narrow, type, explicit, span);
  }
  if (kind === "bool") {
    const b = asBool(e);
    if (b) return b;
  }
  // A widening integer conversion followed by a narrowing one is the narrowing one.
  if (e.kind === "convert" && !e.explicit && isInteger(kind) && e.operand.type.kind === "scalar" && isInteger(from)) {
    const inner = e.operand.type.scalar;
    if (isInteger(inner) && bitWidth(from) >= bitWidth(inner) && bitWidth(from) > bitWidth(kind)) {
      return scalarValue(s, e.operand, kind, type, explicit, span);
    }
  }
  if (e.type.kind === "scalar" && sameType(e.type, type) && !explicit) return e;
  if (sameType(e.type, type)) return e;
  return convert(e, type, explicit, span);
}

/** `-1` as a float is the negated float literal; `-2147483648`, a long in C, is an int where one is needed. */
function negatedLiteral(e: Expr & { kind: "unary" }, kind: ScalarKind, type: Type): Expr | undefined {
  const digits = e.operand as Literal;
  const from = digits.type.scalar;
  if (!isInteger(from) || from[0] === "u") return undefined;
  if (isFloat(kind)) {
    if (Number(digits.value) === 0) return undefined;
    const made = retypedLiteral(digits, kind, type);
    return made && withMacro(e, unary("negate", made, e.span));
  }
  if (bitWidth(from) !== 64) return undefined;
  const value = -BigInt(digits.value);
  if (convertConstant(value, kind) !== value) return undefined;
  return withMacro(e, {
    kind: "literal",
    type: type as Literal["type"],
    value: literalForm(value),
    span: e.span,
  });
}

/** A literal in its target type where its value survives, also where the source casts it: `ushort(0)`, `(float)1`. */
function retypedLiteral(e: Literal, kind: ScalarKind, type: Type): Expr | undefined {
  const from = e.type.scalar;
  if (from === "bool" || kind === "bool") return undefined;
  const value = isFloat(from) ? (e.value as number) : BigInt(e.value);
  if (isFloat(from) && isFloat(kind)) {
    const digits =
      e.text !== undefined && (from === "f64" || bitWidth(kind) > bitWidth(from))
        ? valueOfDigits(e.text, kind)
        : undefined;
    if (from === "f64") {
      const direct = convertConstant(value, kind) as number;
      if (!Number.isFinite(direct)) return undefined;
      const keep = digits === direct;
      return withMacro(e, {
        kind: "literal",
        type: type as Literal["type"],
        value: direct,
        span: e.span,
        ...(keep ? { text: e.text } : {}),
      });
    }
    const converted = convertConstant(value, kind);
    if (converted !== value) return undefined;
    return withMacro(e, {
      kind: "literal",
      type: type as Literal["type"],
      value: converted as number,
      span: e.span,
      ...(digits === converted ? { text: e.text } : {}),
    });
  }
  if (isFloat(from)) return undefined;
  const converted = convertConstant(value, kind);
  if (converted === undefined) return undefined;
  if (isFloat(kind)) {
    if (typeof value !== "bigint" || !Number.isFinite(converted) || BigInt(converted) !== value) return undefined;
    // Digits of another base are no float digits in any dialect.
    const plain = e.text !== undefined && /^(0|[1-9][0-9]*)$/.test(e.text);
    return withMacro(e, {
      kind: "literal",
      type: type as Literal["type"],
      value: converted as number,
      span: e.span,
      ...(plain ? { text: e.text } : {}),
    });
  }
  if (converted !== value) return undefined;
  return withMacro(e, { ...e, type: type as Literal["type"], value: literalForm(converted) });
}

function withMacro(from: Expr, to: Expr): Expr {
  return from.macro ? { ...to, macro: from.macro } : to;
}

/** The bool an integer was made from, or a simpler test. */
export function asBool(e: Expr): Expr | undefined {
  if (e.type.kind === "scalar" && e.type.scalar === "bool") return e;
  if (e.kind === "convert" && !e.explicit) return asBool(e.operand);
  if (e.kind === "binary" && (e.operator === "and" || e.operator === "or" || e.operator === "xor")) {
    const l = boolOperand(e.left);
    const r = boolOperand(e.right);
    if (l && r) return binary(e.operator, l, r, e.span);
  }
  return undefined;
}

/** An integer operand that is 0 or 1 because it was made from a bool. */
const boolOperand = (e: Expr): Expr | undefined => {
  const b = asBool(e);
  return b?.type.kind === "scalar" ? b : undefined;
};

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

/** What an integer was before it was made wider, which is zero where that is. */
function widened(e: Expr): Expr {
  if (e.kind !== "convert" || e.explicit || e.type.kind !== "scalar" || e.operand.type.kind !== "scalar") return e;
  const [from, to] = [e.operand.type.scalar, e.type.scalar];
  return isInteger(from) && isInteger(to) && bitWidth(from) <= bitWidth(to) ? widened(e.operand) : e;
}

/** True where `e` is double only by conversion from a float (or is a literal a float holds). */
function exactFloat(s: Sema, e: Expr): Expr | undefined {
  if (e.kind === "convert" && e.operand.type.kind === "scalar" && e.type.kind === "scalar" && e.type.scalar === "f64") {
    if (e.operand.type.scalar === "f32") return e.operand;
    if (e.operand.type.scalar === "f16") return convert(e.operand, scalar("f32"), e.explicit, e.span);
    const k = e.operand.type.scalar;
    if (isInteger(k) && bitWidth(k) <= 16) return convert(e.operand, scalar("f32"), e.explicit, e.span);
    return undefined;
  }
  if (e.kind === "literal" && e.type.scalar === "f64") {
    const value = e.value as number;
    if (Math.fround(value) !== value) return undefined;
    return retypedLiteral(e, "f32", scalar("f32"));
  }
  if (e.kind === "unary" && (e.operator === "negate" || e.operator === "plus")) {
    const inner = exactFloat(s, e.operand);
    return inner && unary(e.operator, inner, e.span);
  }
  if (e.kind === "conditional") {
    const a = exactFloat(s, e.whenTrue);
    const b = exactFloat(s, e.whenFalse);
    return a && b && conditional(e.condition, a, b, e.span);
  }
  return undefined;
}

/**
 * The float expression that equals rounding the double expression `e` to float, or undefined where rounding twice could
 * differ from rounding once. For + - * / of two floats double has enough digits (53 >= 2 * 24 + 2) that it cannot.
 */
function narrowDouble(s: Sema, e: Expr): Expr | undefined {
  if (e.kind === "literal") return retypedLiteral(e, "f32", scalar("f32"));
  const exact = exactFloat(s, e);
  if (exact) return exact;
  switch (e.kind) {
    case "unary": {
      if (e.operator !== "negate" && e.operator !== "plus") return undefined;
      const inner = narrowDouble(s, e.operand);
      return inner && unary(e.operator, inner, e.span);
    }
    case "conditional": {
      const a = narrowDouble(s, e.whenTrue);
      const b = narrowDouble(s, e.whenFalse);
      return a && b && conditional(e.condition, a, b, e.span);
    }
    case "binary": {
      if (e.operator !== "add" && e.operator !== "sub" && e.operator !== "mul" && e.operator !== "div")
        return undefined;
      const a = exactFloat(s, e.left);
      const b = exactFloat(s, e.right);
      return a && b && binary(e.operator, a, b, e.span);
    }
    default:
      return undefined;
  }
}

/** A comparison of doubles that are floats is the comparison of the floats. */
export function narrowComparison(s: Sema, left: Expr, right: Expr): readonly [Expr, Expr] | undefined {
  const a = exactFloat(s, left);
  const b = exactFloat(s, right);
  return a && b ? [a, b] : undefined;
}

/** The integer type OpenCL gives comparisons of vectors: same width, signed. */
export function relationType(type: Type): Type {
  const kind = scalarOf(type)!;
  return shaped(`i${Math.max(8, bitWidth(kind))}` as ScalarKind, componentCount(type)!);
}

/** OpenCL: a bool vector as 0 / -1 integers; a scalar as int 0 / 1. */
export function relationValue(condition: Expr, result: Type, span: Span): Expr {
  if (result.kind === "scalar") return convert(condition, result, false, span);
  return unary("negate", convert(condition, result, false, span), span);
}

/** The bool vector a 0 / -1 integer vector was made from. */
export function relationMask(e: Expr): Expr | undefined {
  if (e.kind === "unary" && e.operator === "negate" && e.operand.kind === "convert" && !e.operand.explicit) {
    const inner = e.operand.operand;
    if (inner.type.kind === "vector" && inner.type.scalar === "bool") return inner;
  }
  return undefined;
}
