/** Parts of values: indexing, members, swizzles of every spelling, dereferencing and addresses. */
import { isPlainNumber } from "./one-component.js";
import { memberOf as declaredMemberOf } from "../ast/lookup.js";
import {
  addressOf,
  bitcast,
  construct,
  deref,
  element,
  elementValue,
  i32Literal,
  literal,
  member,
  memberValue,
  pointerElement,
  splat,
  swizzle,
  swizzleValue,
} from "../ast/builders.js";
import type { Expr, Place } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { isPure } from "../ast/walk.js";
import { isBuiltin } from "../dialects/builtins.js";
import { promote } from "../dialects/conversions.js";
import { didYouMean } from "../support/did-you-mean.js";
import { noSpan, type Span } from "../support/span.js";
import {
  isArrayOfPointers,
  isInteger,
  isVectorSize,
  sameType,
  scalar,
  scalarOf,
  shaped,
  enumerationOf,
  shapedLike,
  type PointerType,
  type StructType,
  type Type,
  withoutRoom,
  asSingle,
  isSingle,
  withoutSingle,
} from "../types/types.js";
import { fieldOf } from "./bit-fields.js";
import { classArrayMember, insideClassArray } from "./class-arrays.js";
import { countedBuffer, countedValue, objectValueType } from "./counted-buffers.js";
import { evaluate, type Constant } from "./constants.js";
import {
  asPlace,
  error,
  exprValue,
  notYet,
  placeSpace,
  structMember,
  type Sema,
  type Symbol,
  type Value,
  shown,
  refusesAddress,
} from "./context.js";
import { lookup } from "./scopes.js";
import { after, held, intoLocal } from "./held-values.js";
import { asNumber, baseObject, onTheWayTo, upcast } from "./constructors.js";
import { resolveSpecifier } from "./declared-types.js";
import { memberNamed } from "./struct-members.js";
import { attempt } from "./templates/state.js";
import { firstElements, isAligned, isWithoutFourth, read } from "./convert.js";
import { conversion } from "./conversion.js";
import { isOpen, openFrom, settledAlone, showGiven } from "./open-literals.js";
import { indexFirst, orderMatters } from "./order-matters.js";
import { exchanged, holdsMatrix } from "./matrix-rows.js";
import { withFirst } from "./value-after.js";
import { objectUnevaluated, variableValue } from "./variable-value.js";

export const throughPointer = (t: PointerType): string | undefined =>
  t.readOnly ? "the pointer points to const" : t.space === "constant" ? "it is in constant memory" : undefined;

/** What a part inherits from the whole. */
const part = (whole: Value): Partial<Value> => ({
  ...(whole.readOnly ? { readOnly: whole.readOnly } : {}),
  ...(whole.onWrite ? { onWrite: whole.onWrite } : {}),
});

/** An integer scalar to index with. */
function indexExpr(s: Sema, v: Value, span: Span): Expr | undefined {
  const e = read(s, v.type.kind === "struct" ? asNumber(s, v, span) : v, span);
  if (!e) return undefined;
  const kind = e.type.kind === "scalar" && !enumerationOf(e.type)?.scoped ? e.type.scalar : undefined;
  if (kind !== undefined && isInteger(kind)) return isOpen(e) ? settledAlone(s, e) : e;
  if (kind === "bool" && s.language.conversions.promotes !== "nothing")
    return conversion(s, e, scalar(promote(s.form, kind)), false, span);
  if (s.language.conversions.shapes === "convert" && kind !== undefined)
    return conversion(s, e, scalar("i32"), false, span);
  return error(s, "XL2003", `an index must be an integer scalar, this is ${showGiven(s, e)}`, span);
}

/** The last member of a struct in a buffer: in C and C++ such an array may go on to the end of the buffer. */
function endsBuffer(s: Sema, p: Place | undefined): boolean {
  if (!s.language.openEnds || p?.kind !== "member" || p.base.type.kind !== "struct") return false;
  const space = placeSpace(s, p);
  return (
    s.structs.get(p.base.type.name)?.members.at(-1)?.name === p.member && space !== "private" && space !== "workgroup"
  );
}

export function indexed(s: Sema, whole: Value, index: Value, span: Span): Value | undefined {
  // `2[p]` is `p[2]` (C99 6.5.2.1, C++14 5.2.1).
  const turned = s.language.pointers && (index.type.kind === "pointer" || index.type.kind === "array");
  if (turned && whole.type.kind === "scalar") return indexed(s, index, whole, span);
  const given = indexExpr(s, index, index.expr?.span ?? span);
  if (!given) return undefined;
  const { base: indexedValue, index: i } = indexFirst(s, whole, given, span);
  const base = bufferObject(s, indexedValue, span);
  if (!base) return undefined;
  if (base.object) return indexObject(s, base, i, span);
  const type = base.type;
  if (type.kind === "array" && !isPlainNumber(s, index.type, "the index of an array", i.span, "write .x behind it"))
    return undefined;
  if (insideClassArray(s, type)) {
    const inner = structMemberOf(s, base, classArrayMember, span, span);
    return inner && indexed(s, inner, index, span);
  }
  if (type.kind === "pointer" && type.block) return s.reader.neighbour!(s, base, i, span);
  if (type.kind === "pointer") {
    const p = read(s, base, span);
    if (!p) return undefined;
    if (type.pointee.kind === "void") return error(s, "XL2017", "a pointer to void cannot be indexed", span);
    const place = pointerElement(p, i, span);
    const reason = throughPointer(type);
    return { type: place.type, place, ...(reason ? { readOnly: reason } : {}) };
  }
  if (isSingle(type)) {
    const at = evaluate(s, i);
    if (at === undefined)
      return isPure(i) ? component(base) : notYet(s, "such an index of one component is", span, "write .x");
    return Number(at) === 0 ? component(base) : error(s, "XL2012", `index ${at} is outside ${shown(s, type)}`, span);
  }
  if (type.kind !== "array" && type.kind !== "vector" && type.kind !== "matrix") {
    return error(s, "XL2017", `${shown(s, type)} cannot be indexed`, span);
  }
  const length =
    type.kind === "array"
      ? type.length
      : type.kind === "vector"
        ? type.size
        : s.language.matricesByRows
          ? type.rows
          : type.columns;
  const known = evaluate(s, i);
  // In C and C++ only what is executed has to be inside.
  const mayGoOn = (length === 1 && endsBuffer(s, base.place)) || (type.kind === "array" && s.language.pointers);
  if (length !== undefined && known !== undefined && !mayGoOn && (Number(known) >= length || Number(known) < 0)) {
    return error(s, "XL2012", `index ${known} is outside ${shown(s, type)}`, span);
  }
  if (base.byRows) return indexedByRows(s, base, i, span);
  // The components of a vector of three with the room of four are its first ones.
  if (base.firstOf && (!base.components || isWithoutFourth(base))) {
    const place = element(base.firstOf, i, span);
    return { type: place.type, place, ...part(base) };
  }
  if (base.row?.columns || base.components) {
    const e = read(s, base, span);
    return e && exprValue(elementValue(e, i, span));
  }
  if (base.row) {
    const m = base.row.matrix;
    // The tree has the column's number first.
    const kept = orderMatters(s, base.row.index, i) ? intoLocal(s, base.row.index, span) : undefined;
    const [column, row] = kept ? [after([kept.first], i, span), kept.value] : [i, base.row.index];
    if (m.place) {
      const place = element(element(m.place, column, span), row, span);
      return { type: place.type, place, ...part(m) };
    }
    const e = read(s, m, span);
    return e && exprValue(elementValue(elementValue(e, column, span), row, span));
  }
  if (type.kind === "matrix" && s.language.matricesByRows && type.columns === 1) {
    const column = i32Literal(0, span);
    if (base.place) {
      const place = element(element(base.place, column, span), i, span);
      return single({ type: place.type, place, ...part(base) });
    }
    return single(exprValue(elementValue(elementValue(base.expr!, column, span), i, span)));
  }
  if (type.kind === "matrix" && s.language.matricesByRows) {
    return { type: shapedLike(type, type.columns), row: { matrix: base, index: i } };
  }
  if (base.place) {
    const place = element(base.place, i, span);
    // Of an array of buffers of the file.
    if (type.kind === "array" && type.element.kind === "pointer" && place.type.kind === "array") {
      const object = s.reader.objectNamed?.(type.element.object!, place.type);
      if (!object) return { type: type.element, place, ...part(base) };
      return { type: objectValueType(s, object), place, object, ...part(base) };
    }
    if (type.kind === "array" && type.element.kind === "array" && isArrayOfPointers(type.element))
      return { type: type.element, place, ...part(base), ...rowOf(s, base, known) };
    return { type: place.type, place, ...part(base) };
  }
  const made = elementValue(base.expr!, i, span);
  return { ...exprValue(made), ...part(base), ...lvalueOf(base, (p) => element(p, i, span)) };
}

/** The value with another type, of which it has the components. */
const typed = (v: Value, type: Type): Value => ({
  ...v,
  type,
  ...(v.place ? { place: { ...v.place, type } } : {}),
  ...(v.expr ? { expr: { ...v.expr, type } as Expr } : {}),
});

/** A row of a matrix of one column: to HLSL it is a vector of one component. */
const single = (v: Value): Value => typed(v, asSingle(v.type));

/** What a vector of one component has. */
const component = (v: Value): Value => (isSingle(v.type) ? typed(v, withoutSingle(v.type)) : v);

/** One array of an array of arrays of buffers. */
function rowOf(s: Sema, { buffers }: Value, index: Constant | undefined): Pick<Value, "buffers"> {
  if (!buffers || index === undefined) return {};
  const { symbol, name, key } = buffers;
  const at = String(index);
  const make = (span: Span): Value => indexed(s, symbol.make(span), exprValue(i32Literal(Number(index), span)), span)!;
  return {
    buffers: { symbol: { kind: "value", make, span: symbol.span }, name: `${name}_${at}`, key: `${key} ${at}` },
  };
}

/** What is stored by rows: its rows are columns of the tree, its columns are none. */
function indexedByRows(s: Sema, base: Value, index: Expr, span: Span): Value | undefined {
  const { type } = base;
  if (!base.place) {
    const e = read(s, base, span);
    return e && indexed(s, exprValue(e), exprValue(index), span);
  }
  if (type.kind === "matrix" && !s.language.matricesByRows)
    return { type: shapedLike(type, type.rows), row: { matrix: asStored(base), index } };
  const place = element(base.place, index, span);
  if (type.kind === "array") return { type: type.element, place, ...part(base), byRows: true };
  return single({ type: place.type, place, ...part(base) });
}

/** The same place as the tree has it. */
const asStored = (v: Value): Value => ({ type: v.place!.type, place: v.place!, ...part(v) });

/** The buffer that a value of its type stands for, as what can be indexed and has methods. */
export function bufferObject(s: Sema, v: Value, span: Span): Value | undefined {
  const { type } = v;
  const counted = v.object ? undefined : countedBuffer(s, type);
  const e = counted && read(s, v, span);
  if (counted) return e && countedValue(counted, e, span);
  if (v.object || type.kind !== "pointer" || type.object === undefined) return v;
  const pointee = read(s, v, span);
  const object = s.reader.objectNamed?.(type.object, type.pointee);
  return pointee && object && { type, place: deref(pointee, span), object };
}

function indexObject(s: Sema, base: Value, index: Expr, span: Span): Value | undefined {
  const object = base.object!;
  if (object.view === "raw")
    return error(s, "XL2017", `${object.typeName} is read with Load() and written with Store()`, span);
  if (object.counted) return error(s, "XL2017", `${object.typeName} cannot be indexed`, span);
  const place = element(base.place!, index, span);
  return {
    type: place.type,
    place,
    ...(object.writable ? {} : { readOnly: `${object.typeName} is read-only` }),
  };
}

// ------------------------------------------------------------------ members

export function memberOf(
  s: Sema,
  base: Value,
  name: string,
  arrow: boolean,
  span: Span,
  nameSpan: Span,
  resolve: (symbol: Symbol, span: Span) => Value | undefined,
): Value | undefined {
  if (base.block) {
    const symbol = base.block.get(name);
    if (symbol) return resolve(symbol, span);
    const shared = base.type.kind === "struct" ? staticMember(s, base.type, name) : undefined;
    if (shared) return resolve(shared, span);
    const help = didYouMean(name, base.block.keys());
    return error(s, "XL2012", `the block has no member '${name}'`, nameSpan, help ? { help } : {});
  }
  const object = base.object ?? countedBuffer(s, base.type);
  if (object) return error(s, "XL2012", `${object.typeName} has no member '${name}'`, nameSpan);
  if (base.type.kind === "pointer" && base.type.block) return s.reader.referencedMember!(s, base, name, span, nameSpan);
  let whole = base;
  if (arrow) {
    // An array decays to a pointer to its first element.
    const decays = base.type.kind === "array" && s.language.arrays === "decay";
    if (base.type.kind !== "pointer" && !decays)
      return error(s, "XL2004", `'->' takes a pointer, this is ${showGiven(s, base)}`, span);
    const d = dereferenced(s, base, span);
    if (!d) return undefined;
    whole = d;
  }
  const type = whole.type;
  switch (type.kind) {
    case "struct": {
      if (s.structs.get(type.name)?.subgroupMatrix) break;
      // A static member, by way of an object.
      const symbol = staticMember(s, type, name);
      if (!symbol) return structMemberOf(s, whole, name, span, nameSpan);
      const [first, made] = [onTheWayTo(s, whole, nameSpan), resolve(symbol, span)];
      return first && made && withFirst(made, first, span);
    }
    case "vector":
      return swizzled(s, whole, name, span, nameSpan);
    case "scalar":
      if (s.reading.expressions.scalarComponents && !enumerationOf(type))
        return scalarSwizzle(s, whole, name, span, nameSpan);
      break;
    case "matrix":
      if (s.reading.expressions.matrixElements) return matrixElements(s, whole, name, span, nameSpan);
      break;
    case "pointer":
      return error(s, "XL2012", `'.${name}' of a pointer`, nameSpan, { help: `write '->${name}'` });
    default:
      break;
  }
  return error(s, "XL2012", `${shown(s, type)} has no member '${name}'`, nameSpan);
}

function staticMember(s: Sema, type: StructType, name: string): Symbol | undefined {
  const symbol = memberNamed(s, type.name, name);
  return symbol?.kind === "variable" || symbol?.kind === "value" || symbol?.kind === "enumerator" ? symbol : undefined;
}

const anonymousMembers = (s: Sema, type: Type): readonly { readonly name: string; readonly type: Type }[] =>
  type.kind === "struct" ? s.structs.get(type.name)!.members.filter((m) => m.anonymous) : [];

/** Whether the struct, or what it inherits from, has data of this name. */
export function hasMember(s: Sema, type: Type, name: string): boolean {
  if (type.kind !== "struct") return false;
  return (
    fieldOf(s, type, name) !== undefined ||
    structMember(s, type, name) !== undefined ||
    anonymousMembers(s, type).some((m) => hasMember(s, m.type, name)) ||
    (s.methods.get(type.name)?.bases ?? []).some((b) => hasMember(s, b.type, name))
  );
}

/** Constructors fill them all the same: they write members as the tree has them. */
const isConstMember = (s: Sema, type: Type, name: string): boolean =>
  type.kind === "struct" && declaredMemberOf(s.structs.get(type.name)?.members ?? [], name)?.constant === true;

function structMemberOf(s: Sema, whole: Value, name: string, span: Span, nameSpan: Span): Value | undefined {
  const v = declaredMember(s, whole, name, span, nameSpan);
  if (v?.type.kind === "pointer" && v.type.reference) return dereferenced(s, v, span);
  if (v?.readOnly && isMutable(s, whole.type, name))
    return { ...v, readOnly: `'${name}' is mutable, and its object const: leave that const out` };
  return v && !v.readOnly && isConstMember(s, whole.type, name) ? { ...v, readOnly: `'${name}' is const` } : v;
}

const isMutable = (s: Sema, type: Type, name: string): boolean =>
  s.mutableAt.size > 0 &&
  type.kind === "struct" &&
  s.structs.get(type.name)?.members.some((m) => m.name === name && s.mutableAt.has(m.span.start)) === true;

function declaredMember(s: Sema, whole: Value, name: string, span: Span, nameSpan: Span): Value | undefined {
  const field = fieldOf(s, whole.type, name);
  if (field) {
    const word = structMemberOf(s, whole, field.word, span, nameSpan);
    return word && { type: field.type, field: { word, field }, ...part(whole) };
  }
  const found = structMember(s, whole.type, name);
  if (!found) {
    for (const m of anonymousMembers(s, whole.type)) {
      if (!hasMember(s, m.type, name)) continue;
      const inner = structMemberOf(s, whole, m.name, span, nameSpan);
      return inner && structMemberOf(s, inner, name, span, nameSpan);
    }
    for (const b of (whole.type.kind === "struct" && s.methods.get(whole.type.name)?.bases) || []) {
      if (!hasMember(s, b.type, name)) continue;
      const base = baseObject(s, whole, b, span);
      return base && structMemberOf(s, base, name, span, nameSpan);
    }
    const declaration = whole.type.kind === "struct" ? s.structs.get(whole.type.name) : undefined;
    const help = didYouMean(name, declaration?.members.map((m) => m.name) ?? []);
    return error(s, "XL2012", `${shown(s, whole.type)} has no member '${name}'`, nameSpan, help ? { help } : {});
  }
  const own = whole.type.kind === "struct" && (s.byRows.get(whole.type.name)?.has(name) ?? false);
  const byRows = own || ((whole.byRows ?? false) && holdsMatrix(s, found));
  const type = own ? exchanged(s, found) : found;
  const rows = byRows ? { byRows } : {};
  if (whole.place)
    return {
      type,
      place: member(whole.place, name, own || !byRows ? found : exchanged(s, found), span),
      ...rows,
      ...part(whole),
    };
  // A member of what an expression refers to: nothing copies the object.
  const e = whole.lvalue && whole.expr ? whole.expr : read(s, whole, span);
  if (!e) return undefined;
  // A struct made of ids: its member is the id. Of what has no name in the source no value can be written alone.
  if (e.kind === "construct" && e.type.kind === "struct" && !e.type.union && e.arguments.every(isPure)) {
    const { members } = s.structs.get(e.type.name)!;
    const at = members.findIndex((m) => m.name === name);
    if (!members[at]!.anonymous) return { ...exprValue(e.arguments[at]!), ...part(whole) };
  }
  const made = memberValue(e, name, found, span);
  if (own) return { type, expr: made, byRows: true, ...part(whole) };
  return { ...exprValue(made), ...part(whole), ...lvalueOf(whole, (p) => member(p, name, found, span)) };
}

/** The part of a place that is found once the expression has been evaluated. */
const lvalueOf = ({ lvalue }: Value, of: (whole: Place) => Place): Pick<Value, "lvalue"> =>
  lvalue ? { lvalue: { ...lvalue, place: () => of(lvalue.place()) } } : {};

/** Component numbers a swizzle names, or undefined where it names none. */
function swizzleComponents(s: Sema, name: string, size: number): readonly number[] | undefined {
  const fits = (components: readonly number[]): boolean =>
    components.length <= s.language.widestVector &&
    isVectorSize(components.length) &&
    components.every((c) => c < size);
  for (const letters of s.reading.expressions.components) {
    const components = [...name].map((c) => letters.indexOf(c));
    if (components.every((c) => c >= 0)) return fits(components) ? components : undefined;
  }
  if (!s.reading.expressions.numberedComponents) return undefined;
  const digits = /^[sS]([0-9a-fA-F]+)$/.exec(name);
  if (digits) {
    const components = [...digits[1]!].map((c) => parseInt(c, 16));
    return fits(components) ? components : undefined;
  }
  const half = size === 3 ? 2 : size / 2;
  const all = Array.from({ length: half }, (_, i) => i);
  const named =
    name === "lo"
      ? all
      : name === "hi"
        ? all.map((i) => i + half)
        : name === "even"
          ? all.map((i) => 2 * i)
          : name === "odd"
            ? all.map((i) => 2 * i + 1)
            : undefined;
  return named?.every((c) => c < size) ? named : undefined;
}

/**
 * `hi` and `odd` of a vector of 3 have a component that does not exist, whose value is undefined (OpenCL C 3.0 6.4.2, clang): it
 * is the one beside it. As a whole they cannot be written.
 */
function halfBeyond(s: Sema, name: string, size: number): readonly number[] | undefined {
  if (size !== 3 || !s.reading.expressions.numberedComponents) return undefined;
  return name === "hi" ? [2, 2] : name === "odd" ? [1, 1] : undefined;
}

function swizzled(s: Sema, whole: Value, name: string, span: Span, nameSpan: Span): Value | undefined {
  const type = whole.type as Type & { kind: "vector" };
  const components = swizzleComponents(s, name, type.size) ?? halfBeyond(s, name, type.size);
  if (!components) return error(s, "XL2012", `'${name}' names no components of ${shown(s, type)}`, nameSpan);
  const parts = components.length > 1 && isAligned(s, type);
  if (parts && whole.place) {
    const repeated = new Set(components).size !== components.length;
    const readOnly = repeated ? { readOnly: "it names a component twice" } : {};
    return { type: shapedLike(type, components.length), firstOf: whole.place, components, ...readOnly, ...part(whole) };
  }
  if (whole.place) {
    const place = swizzle(whole.place, components, span);
    return { type: place.type, place, ...part(whole) };
  }
  if (components.length > 1 && whole.firstOf && whole.components) {
    const those = components.map((c) => whole.components![c]!);
    const readOnly = new Set(those).size !== those.length ? { readOnly: "it names a component twice" } : {};
    return {
      type: shapedLike(type, those.length),
      firstOf: whole.firstOf,
      components: those,
      ...readOnly,
      ...part(whole),
    };
  }
  if (whole.firstOf && components.length === 1) {
    const place = firstElements(whole, span)[components[0]!]!;
    return { type: place.type, place, ...part(whole) };
  }
  if (whole.row?.matrix.place) {
    const { matrix, index } = whole.row;
    const columns = components.map((c) => whole.row!.columns?.[c] ?? c);
    const rows = whole.row.rows && components.map((c) => whole.row!.rows![c]!);
    if (columns.length > 1)
      return { type: shapedLike(type, columns.length), row: { matrix, index, columns, ...(rows ? { rows } : {}) } };
    const row = rows ? i32Literal(rows[0]!, span) : index;
    const place = element(element(whole.row.matrix.place, i32Literal(columns[0]!, span), span), row, span);
    return { type: place.type, place, ...part(matrix) };
  }
  const e = read(s, whole, span);
  if (!e) return undefined;
  const once = !parts && new Set(components).size === components.length;
  const lvalue = once ? lvalueOf(whole, (p) => swizzle(p, components, span)) : {};
  return { ...exprValue(openFrom(swizzleValue(e, components, span), e)), ...part(whole), ...lvalue };
}

/** `x.xxx` of a scalar. */
function scalarSwizzle(s: Sema, whole: Value, name: string, span: Span, nameSpan: Span): Value | undefined {
  const first = s.reading.expressions.components.find((letters) => [...name].every((c) => c === letters[0]));
  if (first === undefined || name.length > 4)
    return error(s, "XL2012", `'${name}' names no components of ${shown(s, whole.type)}`, nameSpan);
  if (name.length === 1) return component(whole);
  const e = read(s, whole, span);
  return e && exprValue(openFrom(splat(e, shaped(scalarOf(e.type)!, name.length), span, true), e));
}

/** HLSL: `m._m01` (row 0, column 1), `m._12` (the same counted from 1), several of them a vector. */
function matrixElements(s: Sema, whole: Value, name: string, span: Span, nameSpan: Span): Value | undefined {
  const type = whole.type as Type & { kind: "matrix" };
  const bad = (): undefined => error(s, "XL2012", `'${name}' names no elements of ${shown(s, type)}`, nameSpan);
  const zeroBased = /^(?:_m[0-3][0-3]){1,4}$/.test(name);
  if (!zeroBased && !/^(?:_[1-4][1-4]){1,4}$/.test(name)) return bad();
  const pairs = [...name.matchAll(/_m?([0-4])([0-4])/g)].map(
    (m) => [Number(m[1]) - (zeroBased ? 0 : 1), Number(m[2]) - (zeroBased ? 0 : 1)] as const,
  );
  if (pairs.some(([r, c]) => r >= type.rows || c >= type.columns)) return bad();
  if (whole.byRows && !whole.place) {
    const e = read(s, whole, span);
    return e && matrixElements(s, exprValue(e), name, span, nameSpan);
  }
  if (whole.byRows) {
    const [rows, columns] = [pairs.map(([r]) => r), pairs.map(([, c]) => c)];
    const stored = asStored(whole);
    if (pairs.length > 1)
      return {
        type: shapedLike(type, pairs.length),
        row: { matrix: stored, index: i32Literal(0, span), columns: rows, rows: columns },
      };
    const place = element(element(whole.place!, i32Literal(rows[0]!, span), span), i32Literal(columns[0]!, span), span);
    return { type: place.type, place, ...part(whole) };
  }
  if (pairs.length === 1 && whole.place) {
    const [r, c] = pairs[0]!;
    const place = element(element(whole.place, i32Literal(c, span), span), i32Literal(r, span), span);
    return { type: place.type, place, ...part(whole) };
  }
  if (whole.place) {
    const [rows, columns] = [pairs.map(([r]) => r), pairs.map(([, c]) => c)];
    return {
      type: shapedLike(type, pairs.length),
      row: { matrix: whole, index: i32Literal(0, span), columns, rows },
    };
  }
  const e = read(s, whole, span);
  if (!e) return undefined;
  const { first, values } = pairs.length === 1 ? { first: [], values: [e] } : held(s, [e], span);
  const parts = pairs.map(([r, c]) =>
    elementValue(elementValue(values[0]!, i32Literal(c, span), span), i32Literal(r, span), span),
  );
  const made = parts.length === 1 ? parts[0]! : construct(shapedLike(type, parts.length), parts, span);
  return exprValue(after(first, made, span));
}

// ------------------------------------------------------------------ pointers

export function dereferenced(s: Sema, v: Value, span: Span): Value | undefined {
  // `*this` in a base.
  const whole = v.type.kind === "pointer" && v.derived && upcast(s, v.derived, v.type.pointee, span);
  if (whole) return whole;
  const e = read(s, v, span);
  if (!e) return undefined;
  if (e.type.kind !== "pointer") return error(s, "XL2004", `'*' takes a pointer, this is ${showGiven(s, e)}`, span);
  if (e.type.pointee.kind === "void")
    return error(s, "XL2004", "what a pointer to void points to has no type", span, { help: "cast the pointer first" });
  const place = deref(e, span);
  const reason = throughPointer(e.type);
  return { type: place.type, place, ...(reason ? { readOnly: reason } : {}) };
}

export function addressOfValue(s: Sema, given: Value, span: Span): Value | undefined {
  // Of a vector of three with the room of four that is its address.
  const whole = given.firstOf && withoutRoom(given.firstOf.type) !== given.firstOf.type ? given.firstOf : undefined;
  const v =
    whole && sameType(given.type, withoutRoom(whole.type))
      ? { ...part(given), type: whole.type, place: whole }
      : asPlace(given);
  if (!s.language.pointers) return error(s, "XL2004", `${s.language.name} has no addresses`, span);
  if (v.place && refusesAddress(s, v.place, span)) return undefined;
  if (v.onWrite) {
    v.onWrite();
    const type: Type = { kind: "pointer", pointee: v.type, space: "private" };
    return {
      type,
      expr: {
        kind: "address-of",
        place: v.place ?? { kind: "deref", pointer: v.expr!, type: v.type, span },
        type,
        span,
      },
    };
  }
  if (!v.place) return error(s, "XL2006", "the address of a value that is no variable", span);
  if (v.place.type.kind === "pointer") {
    if (placeSpace(s, v.place) !== "private") return notYet(s, "such pointers to pointers are", span);
    s.pointersAddressed = true;
  }
  if (partOf(v.place) === "component")
    return error(s, "XL2006", "the address of a vector component cannot be taken", span);
  const address = addressOf(v.place, placeSpace(s, v.place), span, v.readOnly !== undefined);
  return exprValue(address.kind === "address-of" && isInRow(v.place) ? { ...address, inRow: true } : address);
}

/** `m[i][j]` of an array of arrays. */
const isInRow = (p: Place): boolean =>
  p.kind === "element" &&
  p.base.kind === "element" &&
  p.base.type.kind === "array" &&
  p.base.base.type.kind === "array";

/** A vector of three takes the room of four (OpenCL C 6.1.5, MSL 2.2), if it is not packed. */
const inRoom = (type: Type): Type =>
  type.kind === "vector" && type.size === 3 && !type.packed ? { ...type, size: 4 } : type;

/**
 * `as_type<T>(x)` and its like: the same bits as another type of its size. Vectors of three become others of four components, and others become
 * them (OpenCL C 6.4.4.2); what the fourth then is, is left open, and zero here.
 */
export function reinterpreted(
  s: Sema,
  v: Value,
  type: Type,
  bits: (t: Type) => number | undefined,
  span: Span,
): Value | undefined {
  const e = read(s, v, span);
  if (!e) return undefined;
  const from = bits(e.type);
  const to = bits(type);
  if (from === undefined || to === undefined)
    return error(s, "XL2003", `${showGiven(s, e)} and ${shown(s, type)} are not bit patterns of each other`, span);
  if (from === to) return exprValue(bitcast(e, type, span));
  const [wide, wanted] = [inRoom(e.type), inRoom(type)];
  if (bits(wide) !== bits(wanted))
    return error(s, "XL2003", `${showGiven(s, e)} has ${from} bits, ${shown(s, type)} has ${to}`, span);
  if (wide !== e.type)
    s.problems.warning(
      "XL2003",
      `the fourth component of ${showGiven(s, e)} as another type is left open, and zero here`,
      span,
    );
  const four =
    wide.kind === "vector" && wide !== e.type ? construct(wide, [e, literal(wide.scalar, 0, span)], span) : e;
  const cast = sameType(four.type, wanted) ? four : bitcast(four, wanted, span);
  return exprValue(wanted === type ? cast : swizzleValue(cast, [0, 1, 2], span));
}

/** What part of a vector or matrix a place is: no pointer or reference is to a component. */
export function partOf(place: Place): "component" | "column" | undefined {
  if (place.kind === "swizzle") return "component";
  if (place.kind !== "element" || place.base.type.kind === "array") return undefined;
  return place.base.type.kind === "matrix" ? "column" : "component";
}

// ------------------------------------------------------------------ members by the name of a base

/** The struct that the path of a name leads to, if it is one. `of`: the type of the object, where the names of its bases are looked for first. */
export function structOfPath(
  s: Sema,
  { path, pathArguments, span }: syntax.Identifier,
  of?: Type,
): StructType | undefined {
  const last = path.length - 1;
  const given = pathArguments?.[last];
  const own = last === 0 && !given && of?.kind === "struct" ? memberNamed(s, of.name, path[0]!) : undefined;
  if (own?.kind === "type" && own.info.type.kind === "struct") return own.info.type;
  const type = resolveSpecifier(s, {
    kind: "named-type",
    name: path[last]!,
    path: path.slice(0, last),
    ...(pathArguments && last > 0 ? { pathArguments: pathArguments.slice(0, last) } : {}),
    ...(given ? { templateArguments: given } : {}),
    span,
  })?.type;
  return type?.kind === "struct" ? type : undefined;
}

/** `x.Base::m` (C++14 3.4.5): the part of an object that the path before a member's name says: the object itself, or a base. */
export function basePart(s: Sema, whole: Value, { arrow, name, span }: syntax.Member): Value | undefined {
  if (s.reading.declarations.classes === "nothing")
    return error(s, "XL2011", `${s.language.name} has no bases of structs that a member could be of`, name.span);
  const object = arrow && whole.type.kind === "pointer" ? dereferenced(s, whole, span) : whole;
  const type = object && structOfPath(s, name, object.type);
  if (!type) return undefined;
  const part = upcast(s, object, type, span);
  return part ?? error(s, "XL2012", `${shown(s, type)} is no base of ${shown(s, object.type)}`, name.span);
}

/** The same where the path may be of something else: `mem_flags::mem_none` names what the language brings, and no member of an object's. */
function structThatPathMayName(s: Sema, e: syntax.Identifier): StructType | undefined {
  const first = e.path.find((name) => name !== s.reading.namespace);
  if (first === undefined || (isBuiltin(s.form, first) && lookup(s, first) === undefined)) return undefined;
  return attempt(s, () => structOfPath(s, e));
}

/** Whether a part of a method names a member by a path that leads to its object, or to a base of that. */
export function namesBaseOf(s: Sema, part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  const { kind, path } = part as { readonly kind?: unknown; readonly path?: unknown };
  if (kind === "identifier" && Array.isArray(path) && path.length > 0) {
    const type = structThatPathMayName(s, part as syntax.Identifier);
    if (type && objectPart(s, type, noSpan)) return true;
  }
  return Object.values(part).some((x) => namesBaseOf(s, x));
}

/** The part of a method's object that has the type. */
function objectPart(s: Sema, type: StructType, span: Span): Value | undefined {
  const self = lookup(s, "this");
  const pointer = self?.kind === "value" ? self.make(span) : undefined;
  const whole = pointer?.type.kind === "pointer" ? dereferenced(s, pointer, span) : pointer;
  return whole && upcast(s, whole, type, span);
}

/** `Base::m` in a method: a member of the object's; "none" outside of methods, and where the path is of another struct. */
export function memberOfBase(
  s: Sema,
  e: syntax.Identifier,
  resolve: (symbol: Symbol) => Value | undefined,
): Value | undefined | "none" {
  if (!s.scratch && lookup(s, "this")?.kind !== "value") return "none";
  const type = structThatPathMayName(s, e);
  const own = type && objectPart(s, type, e.span);
  // Nothing is evaluated of `decltype(S::m)`, so that no object has to be there (C++14 5.1.1 (13)).
  const part = own ?? (type && s.scratch && variableValue(s, objectUnevaluated(s, type).id, e.span));
  return part ? memberOf(s, part, e.name, false, e.span, e.span, resolve) : "none";
}
