/** `{a, b, ...}`: the values of a list go to the parts of an aggregate. */
import { constructUnion, construct, element, i32Literal, literal, load, member } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { isPure } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import {
  isSingle,
  type Type,
  shapedLike,
  type StructType,
  type MatrixType,
  componentCount,
  sameType,
} from "../types/types.js";
import { hasMember } from "./access.js";
import { fieldOf, holdsBitFields, listedMembers, membersFrom, wordFrom } from "./bit-fields.js";
import { evaluate } from "./constants.js";
import { zeroOf, readAll, constructMatrix } from "./construct.js";
import {
  becomesBase,
  constructorsOf,
  needsMaking,
  makeObject,
  hasConstructors,
  defaultObject,
  mostMade,
} from "./constructors.js";
import { type Sema, notYet, error, shown, structMember, type Value, exprValue } from "./context.js";
import { inScopeOf } from "./scopes.js";
import { read, convertTo } from "./convert.js";
import { conversion } from "./conversion.js";
import { readInitializer } from "./declarations.js";
import { fillsExactly, filledFrom, leafCount } from "./flat-lists.js";
import { startOf, type Cursor, designatorsOf, enter, valueAt, advance } from "./list-cursor.js";
import { memberForm, transposed } from "./matrix-rows.js";
import { argumentValues } from "./list-arguments.js";
import { showGiven } from "./open-literals.js";
import { diagonalMatrix, matrixKind } from "./subgroup-matrices.js";
import { expandedList } from "./templates/packs.js";

/** How expressions are read; handed in, since expressions need constructors too. */
export interface ExpressionReader {
  /** `type`: what is wanted, where that tells which of several functions a name means. */
  readonly expression: (e: syntax.Expression, type?: Type) => Value | undefined;
}

/** Elements of an array that a list starts. */
const mostListed = 65_536;

/** `{...}` for a value of `type`; for an array of unknown length the list decides it. */

export function initializerList(
  s: Sema,
  r: ExpressionReader,
  type: Type,
  given: syntax.InitializerList,
  direct = false,
): Expr | undefined {
  if (matrixKind(s, type) !== undefined) return notYet(s, "a list for a simdgroup matrix is", given.span);
  const list = expandedList(s, given);
  if (!list) return undefined;
  if (s.language.flatLists) return flatList(s, r, type, list);
  return structuredList(s, r, type, list, direct);
}

function emptyList(s: Sema, type: Type, span: Span, direct: boolean): Expr | undefined {
  if (type.kind === "struct" && needsMaking(s, type)) return makeObject(s, type, [], span, !direct)?.expr;
  const zero = type.kind === "array" && type.length === undefined ? undefined : valueObject(s, type, span);
  return zero ?? error(s, "XL2014", `${shown(s, type)} cannot be initialised by an empty list`, span);
}

/**
 * An object made of nothing, `T()` and `T{}`: where no constructor of the source makes it, what no default value or constructor
 * says is zero (C++14 8.5 (8), 8.5.1 (7)).
 */
export function valueObject(s: Sema, type: Type, span: Span): Expr | undefined {
  if (!needsMaking(s, type)) return zeroOf(s, type, span);
  if (type.kind === "array" && type.length !== undefined && type.length <= mostMade) {
    const all = Array.from({ length: type.length }, () => valueObject(s, type.element, span));
    return all.every((e) => e !== undefined) ? construct(type, all, span, true) : undefined;
  }
  const methods = type.kind === "struct" ? s.methods.get(type.name) : undefined;
  const made = type.kind !== "struct" || (methods && methods.constructors.length > 0 && !methods.plainDefault);
  if (made) return defaultObject(s, type, span);
  const types = listedMembers(s, type).map((m) => m.type);
  return complete(s, type, types, [], span);
}

/** HLSL: the list as it is written where that fills the parts of the type one by one, else number by number. */
function flatList(s: Sema, r: ExpressionReader, type: Type, list: syntax.InitializerList): Expr | undefined {
  const known = new Map<syntax.Expression, Value | undefined>();
  const values: Value[] = [];
  const gather = (l: syntax.InitializerList): boolean =>
    l.elements.every((element) => {
      if (element.designators.length > 0) return notYet(s, "such a designator is", element.span) ?? false;
      if (element.value.kind === "initializer-list") return gather(element.value);
      const v = r.expression(element.value);
      known.set(element.value, v);
      if (v) values.push(v);
      return v !== undefined;
    });
  if (!gather(list)) return undefined;
  const given = values.map((v) => v.type);
  const whole = type.kind === "array" && type.length === undefined ? sizedBy(s, type, given) : type;
  if (isOneByOne(s, whole, list, known)) {
    const made = structuredList(s, { expression: (e) => known.get(e) }, whole, list);
    if (made) return made;
  }
  if (!fillsExactly(s, whole, given, list.span)) return undefined;
  const before = s.problems.list.length;
  const asWritten = structuredList(s, { expression: (e) => known.get(e) }, whole, list);
  if (asWritten) return asWritten;
  s.problems.truncate(before);
  const parts = readAll(s, values, list.span);
  return parts && filledFrom(s, whole, parts, false, list.span);
}

/**
 * Of a type with bit-fields, whether the list gives each field and element a value of its own, structs in braces or as such: elsewhere
 * DXC takes a word of bit-fields for one number.
 */
function isOneByOne(
  s: Sema,
  type: Type,
  { elements }: syntax.InitializerList,
  known: ReadonlyMap<syntax.Expression, Value | undefined>,
): boolean {
  if (!holdsBitFields(s, type)) return false;
  const plain = type.kind === "struct" && (s.methods.get(type.name)?.bases ?? []).length === 0;
  const parts = plain
    ? listedMembers(s, type).map((m) => m.type)
    : type.kind === "array"
      ? Array.from({ length: type.length ?? 0 }, () => type.element)
      : [];
  return (
    elements.length === parts.length &&
    elements.every(({ value }, i) => {
      const part = parts[i]!;
      if (value.kind === "initializer-list") return isOneByOne(s, part, value, known);
      const given = known.get(value)?.type;
      // A vector of one component is no number.
      if (given === undefined || isSingle(given) !== isSingle(part)) return false;
      return part.kind === "scalar" ? given.kind === "scalar" : sameType(given, part);
    })
  );
}

/** An array without a length has that of its list. */
function sizedBy(s: Sema, type: Type & { kind: "array" }, given: readonly Type[]): Type {
  const one = leafCount(s, type.element);
  const total = given.reduce((sum, t) => sum + (leafCount(s, t) ?? 0), 0);
  return one !== undefined && total % one === 0 ? { ...type, length: total / one } : type;
}

function structuredList(
  s: Sema,
  r: ExpressionReader,
  type: Type,
  list: syntax.InitializerList,
  direct = false,
): Expr | undefined {
  if (list.elements.length === 0) return emptyList(s, type, list.span, direct);
  const cursor = startOf(list);
  if (type.kind === "struct" && hasConstructors(s, type)) return objectFromList(s, r, type, cursor, direct);
  const whole = objectInList(s, r, type, cursor);
  const value = whole === "none" ? fill(s, r, type, cursor, true) : whole;
  if (!value) return undefined;
  if (cursor.at < list.elements.length) {
    return error(
      s,
      "XL2014",
      `there are more initialisers than ${shown(s, type)} has parts`,
      list.elements[cursor.at]!.span,
    );
  }
  return value;
}

/** `P q{p}`: the list of an object of the struct, or of what inherits from it, is that object (C++17 11.6.4 (3.1)). */
function objectInList(s: Sema, r: ExpressionReader, type: Type, cursor: Cursor): Expr | undefined | "none" {
  const { elements } = cursor.list;
  const [only] = elements;
  if (type.kind !== "struct" || elements.length !== 1 || s.reading.declarations.classes !== "with constructors")
    return "none";
  if (hasConstructors(s, type) || only!.designators.length > 0 || only!.value.kind === "initializer-list")
    return "none";
  const v = valueAt(r, cursor, listedMembers(s, type)[0]?.type);
  if (!v) return undefined;
  if (!sameType(v.type, type) && !becomesBase(s, v.type, type)) return "none";
  advance(cursor);
  return convertTo(s, v, type, "initializer", only!.span, "the initialiser");
}

/** One aggregate from the cursor. `whole`: the cursor's list is this aggregate's own. */
function fill(
  s: Sema,
  r: ExpressionReader,
  type: Type,
  cursor: Cursor,
  whole: boolean,
  before?: Expr,
): Expr | undefined {
  const span = cursor.list.span;
  switch (type.kind) {
    case "array":
      return fillArray(s, r, type, cursor, whole, before);
    case "struct":
      return fillStruct(s, r, type, cursor, whole, before);
    case "vector":
      return fillParts(s, r, type, shapedLike(type, 1), type.size, cursor, span);
    case "matrix": {
      if (s.language.matricesByRows) return matrixFromList(s, r, type, cursor, whole);
      return fillParts(s, r, type, shapedLike(type, type.rows), type.columns, cursor, span);
    }
    default: {
      return one(s, r, type, cursor);
    }
  }
}

function fillStruct(
  s: Sema,
  r: ExpressionReader,
  type: StructType,
  cursor: Cursor,
  whole: boolean,
  before: Expr | undefined,
): Expr | undefined {
  const { span } = cursor.list;
  if (hasConstructors(s, type)) return objectFromList(s, r, type, cursor, false);
  if (type.union) return fillUnion(s, r, type, cursor, whole, before);
  const members = listedMembers(s, type);
  const parts = before && s.bitFields.has(type.name) ? undefined : partsBefore(s, before, members.length);
  if (!parts) return notYet(s, "such a designator is", span);
  let next = 0;
  while (cursor.at < cursor.list.elements.length && (whole || cursor.entered || next < members.length)) {
    const element = cursor.list.elements[cursor.at]!;
    const designators = designatorsOf(cursor, whole);
    if (!designators) break;
    const [designator] = designators;
    if (designator) {
      if (!("member" in designator)) return notYet(s, "such a designator is", element.span);
      next = members.findIndex((m) => m.name === designator.member);
      const within = next < 0;
      if (within) next = members.findIndex((m) => m.anonymous && hasMember(s, m.type, designator.member));
      if (next < 0) return error(s, "XL2012", `${shown(s, type)} has no member '${designator.member}'`, element.span);
      enter(cursor, within ? 0 : 1);
      if (within || designators.length > 1) {
        const part = fill(s, r, members[next]!.type, cursor, false, parts[next]);
        if (!part) return undefined;
        parts[next++] = part;
        continue;
      }
    }
    if (next >= members.length) break;
    const form = memberForm(s, type.name, members[next]!);
    const part = one(s, r, form.type, cursor, form.byRows ? undefined : parts[next]);
    if (!part) return undefined;
    parts[next] = form.byRows ? transposed(s, part, members[next]!.type, span) : part;
    next++;
  }
  return complete(
    s,
    type,
    members.map((m) => m.type),
    parts,
    span,
  );
}

/** Whether a value may be one of several for an aggregate, the braces around them being left out. */
const goesInto = (value: syntax.Expression, type: Type): boolean =>
  value.kind !== "initializer-list" && (type.kind === "array" || type.kind === "struct");

/** A list gives a union its first member, or the one it names (C99 6.7.8 (17), C++20 9.4.2). */
function fillUnion(
  s: Sema,
  r: ExpressionReader,
  type: StructType,
  cursor: Cursor,
  whole: boolean,
  before: Expr | undefined,
): Expr | undefined {
  const members = listedMembers(s, type);
  const element = cursor.list.elements[cursor.at]!;
  const designators = designatorsOf(cursor, whole) ?? [];
  const [designator] = designators;
  if (designator && !("member" in designator)) return notYet(s, "such a designator is", element.span);
  const name = designator ? designator.member : members[0]!.name;
  const named = members.find((m) => m.name === name);
  const given = named ?? members.find((m) => m.anonymous && hasMember(s, m.type, name));
  if (!given) return error(s, "XL2012", `${shown(s, type)} has no member '${name}'`, element.span);
  // What the other members of a struct in it were given lies in the same bytes; a member without a name cannot be designated.
  const goesOn = designators.length > 1 || (!designator && goesInto(element.value, given.type));
  const same = before && heldBefore(before, given.name, given === members[0]);
  if (before && !same ? goesOn || !named : !named && given !== members[0])
    return notYet(s, "such a designator is", element.span);
  if (designator) enter(cursor, named ? 1 : 0);
  const deeper = designators.length > 1 || !named;
  const value = deeper ? fill(s, r, given.type, cursor, false, same) : one(s, r, given.type, cursor, same);
  if (!value) return undefined;
  const { span } = cursor.list;
  const field = fieldOf(s, type, given.name);
  const held = field
    ? { name: field.word, value: wordFrom(s, structMember(s, type, field.word)!, [[field, value]], span) }
    : { name: given.name, value };
  return constructUnion(type, { ...held, first: given === members[0] }, span);
}

/** What elements of the list before gave the member of a union that is spoken of again: `{ .x = 1, .y = 2 }` of `union { struct { int x, y; }; };`. */
const heldBefore = (before: Expr, name: string, isFirst: boolean): Expr | undefined =>
  before.kind === "construct" &&
  before.arguments.length === 1 &&
  (before.member === undefined ? isFirst : before.member === name)
    ? before.arguments[0]
    : undefined;

/** `S v = {a, b}`, or `direct`, `S v{a, b}`: a constructor's arguments. */
function objectFromList(
  s: Sema,
  r: ExpressionReader,
  type: StructType,
  cursor: Cursor,
  direct: boolean,
): Expr | undefined {
  const { elements, span } = cursor.list;
  const other = elements.find(({ designators }) => designators.length > 0);
  if (other) return notYet(s, "such an argument in the list of a constructor is", other.span);
  const given = elements.map((x) => x.value);
  const args = given.some((x) => x.kind === "initializer-list")
    ? argumentValues(s, given, () => constructorsOf(s, type, "made"))
    : given.map((x) => r.expression(x));
  cursor.at = elements.length;
  return args?.every((a) => a !== undefined) ? makeObject(s, type, args, span, !direct)?.expr : undefined;
}

/** HLSL flattens nested lists; the values go along rows, as a constructor takes them. */
function matrixFromList(
  s: Sema,
  r: ExpressionReader,
  type: MatrixType,
  cursor: Cursor,
  whole: boolean,
): Expr | undefined {
  const { span } = cursor.list;
  if (!whole) return notYet(s, "a matrix in a list without braces of its own is", span);
  const values: Value[] = [];
  const gather = (list: syntax.InitializerList): boolean =>
    list.elements.every((element) => {
      if (element.designators.length > 0) return notYet(s, "such a designator is", element.span) ?? false;
      if (element.value.kind === "initializer-list") return gather(element.value);
      const v = r.expression(element.value);
      if (v) values.push(v);
      return v !== undefined;
    });
  if (!gather(cursor.list)) return undefined;
  cursor.at = cursor.list.elements.length;
  return constructMatrix(s, type, values, span)?.expr;
}

function designated(s: Sema, r: ExpressionReader, e: syntax.Expression): number | undefined {
  const value = r.expression(e);
  const at = value?.expr && evaluate(s, value.expr);
  if (typeof at === "bigint") return Number(at);
  return value && error(s, "XL2007", "a designator must be a constant integer", e.span);
}

function fillArray(
  s: Sema,
  r: ExpressionReader,
  type: Type & { kind: "array" },
  cursor: Cursor,
  whole: boolean,
  before: Expr | undefined,
): Expr | undefined {
  const parts = partsBefore(s, before, type.length ?? 0);
  if (!parts) return notYet(s, "such a designator is", cursor.list.span);
  const tooLong = (): undefined =>
    notYet(s, `an initialiser list for more than ${mostListed} elements is`, cursor.list.span);
  let next = 0;
  while (cursor.at < cursor.list.elements.length && (whole || cursor.entered || next < (type.length ?? Infinity))) {
    const element = cursor.list.elements[cursor.at]!;
    let last = next;
    const designators = designatorsOf(cursor, whole);
    if (!designators) break;
    const [designator] = designators;
    if (designator) {
      if (!("index" in designator)) return notYet(s, "such a designator is", element.span);
      const first = designated(s, r, designator.index);
      const end = designator.last ? designated(s, r, designator.last) : first;
      if (first === undefined || end === undefined) return undefined;
      if (end < first) return error(s, "XL2014", "the range of elements is empty", element.span);
      next = first;
      last = end;
      enter(cursor, 1);
    }
    if (next < 0 || next >= (type.length ?? Infinity)) break;
    if (Math.max(next, last) >= mostListed) return tooLong();
    const part =
      designators.length > 1
        ? fill(s, r, type.element, cursor, false, parts[next])
        : one(s, r, type.element, cursor, parts[next]);
    if (!part) return undefined;
    // GNU C evaluates it once.
    const merged =
      (designators.length > 1 || goesInto(element.value, type.element)) && parts.slice(next, last + 1).some((p) => p);
    if (last > next && (merged || !isPure(part)))
      return notYet(s, "such a value for a range of elements is", element.span);
    if (type.length !== undefined && last >= type.length)
      return error(s, "XL2014", `the range goes beyond the ${type.length} elements of the array`, element.span);
    do parts[next++] = part;
    while (next <= last);
  }
  const length = type.length ?? parts.length;
  if (length > mostListed) return tooLong();
  const types = Array.from({ length }, () => type.element);
  return complete(s, { ...type, length }, types, parts, cursor.list.span);
}

function fillParts(
  s: Sema,
  r: ExpressionReader,
  type: Type,
  part: Type,
  count: number,
  cursor: Cursor,
  span: Span,
): Expr | undefined {
  const parts: Expr[] = [];
  let components = 0;
  const perPart = componentCount(part)!;
  while (components < count * perPart && cursor.at < cursor.list.elements.length) {
    const element = cursor.list.elements[cursor.at]!;
    if (designatorsOf(cursor, true)!.length > 0) return notYet(s, "such a designator is", element.span);
    if (element.value.kind === "initializer-list") {
      const nested = one(s, r, part, cursor);
      if (!nested) return undefined;
      parts.push(nested);
      components += perPart;
      continue;
    }
    const v = valueAt(r, cursor);
    const e = v && read(s, v, element.span);
    if (!v || !e) return undefined;
    advance(cursor);
    const size = componentCount(e.type) ?? 0;
    if (sameType(e.type, type) && parts.length === 0) return e;
    if (size > 1 && type.kind === "vector") {
      parts.push(conversion(s, e, shapedLike(type, size), false, e.span));
      components += size;
    } else {
      const converted = convertTo(
        s,
        { ...v, type: e.type, expr: e, place: undefined, row: undefined },
        part,
        "initializer",
        e.span,
        "the component",
      );
      if (!converted) return undefined;
      parts.push(converted);
      components += perPart;
    }
  }
  if (components > count * perPart)
    return error(s, "XL2014", `${shown(s, type)} has fewer components than are given`, span);
  while (components < count * perPart) {
    if (!s.language.shortLists) return error(s, "XL2014", `${shown(s, type)} has more components than are given`, span);
    parts.push(zeroOf(s, part, span)!);
    components += perPart;
  }
  return construct(type, parts, span, true);
}

/**
 * The next element of the cursor as a value of `type`: a list of its own, a whole value, or (braces elided) several, which are
 * given to parts of `before` one by one.
 */
function one(s: Sema, r: ExpressionReader, type: Type, cursor: Cursor, before?: Expr): Expr | undefined {
  const element = cursor.list.elements[cursor.at]!;
  const value = element.value;
  if (value.kind === "initializer-list") {
    advance(cursor);
    return structuredList(s, r, type, value);
  }
  const aggregate = type.kind === "array" || type.kind === "struct" || type.kind === "vector" || type.kind === "matrix";
  if (!aggregate) {
    const v = valueAt(r, cursor, type);
    advance(cursor);
    return v && convertTo(s, v, type, "initializer", element.span, "the initialiser");
  }
  const v = valueAt(r, cursor);
  if (!v) return undefined;
  const single =
    type.kind === "struct" || type.kind === "array"
      ? sameType(v.type, type)
      : v.type.kind === "vector" || v.type.kind === "matrix";
  if (single && (componentCount(v.type) === componentCount(type) || sameType(v.type, type))) {
    advance(cursor);
    return convertTo(s, v, type, "initializer", element.span, "the initialiser");
  }
  // Braces around what a constructor takes are not left out.
  if (hasConstructors(s, type)) {
    advance(cursor);
    return convertTo(s, v, type, "initializer", element.span, "the initialiser");
  }
  if (
    !s.reading.expressions.elidedBraces &&
    (type.kind === "vector" || type.kind === "array" || type.kind === "struct" || type.kind === "matrix")
  ) {
    return error(s, "XL2014", `${shown(s, type)} is initialised by ${showGiven(s, v)}`, element.span);
  }
  // No braces are left out around the components of a vector: a number stands for all of them (clang-19, in C and C++).
  if (type.kind === "vector" && !s.language.flatLists) {
    advance(cursor);
    return convertTo(s, v, type, "initializer", element.span, "the initialiser");
  }
  return fill(s, r, type, cursor, false, before);
}

/** What a part is that a list leaves out: its default value, what its constructor makes, or zero (C++14 8.5.1). */
function leftOut(s: Sema, type: Type, before: readonly Expr[], part: Type, span: Span): Expr | undefined {
  const kind = matrixKind(s, part);
  if (kind) return diagonalMatrix(s, part as StructType, [exprValue(literal(kind, 0, span))], span)?.expr;
  const methods = type.kind === "struct" ? s.methods.get(type.name) : undefined;
  const members = methods && type.kind === "struct" ? listedMembers(s, type) : [];
  const value = methods?.defaults.get(members[before.length]!.name);
  if (!value) return valueObject(s, part, span);
  // It may speak of the members before it.
  return inScopeOf(s, { parent: methods!.scope, symbols: new Map() }, () => {
    before.forEach((e, i) => {
      if (isPure(e)) s.scope.symbols.set(members[i]!.name, { kind: "value", make: () => exprValue(e), span });
    });
    return readInitializer(s, part, value, span)?.value;
  });
}

function complete(
  s: Sema,
  type: Type,
  types: readonly Type[],
  parts: readonly (Expr | undefined)[],
  span: Span,
): Expr | undefined {
  const all: Expr[] = [];
  for (const [i, t] of types.entries()) {
    const given = parts[i];
    if (given) {
      all.push(given);
      continue;
    }
    if (!s.language.shortLists) return error(s, "XL2014", `${shown(s, type)} has more parts than are given`, span);
    const zero = leftOut(s, type, all, t, span);
    if (!zero) return error(s, "XL2014", `${shown(s, t)} cannot be left out`, span);
    all.push(zero);
  }
  return construct(type, type.kind === "struct" ? membersFrom(s, type, all, span) : all, span, true);
}

/** Parts that were given before, where a later designator goes on with them; undefined where they cannot be told apart. */
function partsBefore(s: Sema, before: Expr | undefined, count: number): (Expr | undefined)[] | undefined {
  if (!before) return [];
  if (before.kind === "construct" && before.arguments.length === count) return [...before.arguments];
  // An object that was given whole (C11 6.7.9 (19)), of which the other parts stay: `{ r.p, .p.b[0] = 9 }`.
  if (before.kind !== "load" || !isPure(before) || count > mostMade) return undefined;
  const { place, type, span } = before;
  if (type.kind === "array" && type.length === count)
    return Array.from({ length: count }, (_, k) => load(element(place, i32Literal(k, span), span), span));
  const members = type.kind === "struct" && !type.union ? s.structs.get(type.name)!.members : [];
  return members.length === count ? members.map((m) => load(member(place, m.name, m.type, span), span)) : undefined;
}
