/** Structs and enums of the source. */
import { convert, integerAs, literal } from "../ast/builders.js";
import { noTrivia, type Expr, type StructMember, type Trivia } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { append, prepend } from "../support/append.js";
import type { Comment } from "../support/expanded-source.js";
import { NumberedNames } from "../support/numbered-names.js";
import { noSpan, type Span } from "../support/span.js";
import { openAs } from "./generic-pointers.js";
import {
  array,
  isArrayOfPointers,
  isInteger,
  scalar,
  type ScalarKind,
  type ScalarType,
  type StructType,
  type Type,
} from "../types/types.js";
import {
  absentHere,
  carryTrivia,
  error,
  exprValue,
  leaveOut,
  notYet,
  takeTrivia,
  type NamedTypeInfo,
  type SaidOffset,
  type Scope,
  type Sema,
  type Symbol,
  type Value,
} from "./context.js";
import { declareName, inScopeOf, uniqueStructName } from "./scopes.js";
import { givenLength } from "./open-arrays.js";
import { alignedMembers, greatestAlignment, isPacking, mostAlignment, placesMembers } from "./alignments.js";
import { isAllowed, notCarried } from "./attributes.js";
import { closureOf } from "./closures.js";
import {
  derive,
  isOpenArray,
  resolveSpecifier,
  resolveTypeName,
  sortQualifiers,
  type DeclaredType,
} from "./declared-types.js";
import { inElement, packLength } from "./templates/packs.js";
import { convertConstant } from "./constants.js";
import { constantInteger } from "./expressions.js";
import { namespaceAround } from "./enclosing-namespace.js";
import { emptyMember } from "./empty-structs.js";
import { asking, declareMethods, forgetFriends, memberScope } from "./methods.js";
import { type Base } from "./struct-members.js";
import { constantsOfItself, typesAndConstants } from "./struct-members.js";
import {
  amongMembers,
  endsWithPadding,
  implementsAll,
  isIncomplete,
  isPlainData,
  namesParameter,
  partsOf,
} from "./struct-members.js";
import { showInstance } from "./templates/names.js";
import { traitBase } from "./templates/traits.js";
import { holdsPointers, layoutOf } from "../types/layout.js";
import {
  beginsWord,
  declareBitField,
  endsWithRoom,
  exactWords,
  hasBitFields,
  noBitFields,
  type Packing,
  noSuchBitFields,
  wordsOfRun,
  type BitFields,
} from "./bit-fields.js";
import { exchanged, holdsMatrix, isOfMatrices, orientation } from "./matrix-rows.js";

/** Members of a struct with all structs in it opened: structs of structs double them with each line. */
const mostMembers = 65_536;

function membersOpened(s: Sema, type: Type): number {
  if (type.kind === "array") return membersOpened(s, type.element);
  return type.kind === "struct" ? (s.structMembers.get(type.name) ?? 1) : 1;
}

const tooManyMembers = (s: Sema, span: Span): undefined =>
  error(s, "XL2020", `the struct has more than ${mostMembers} members, with those of the structs in it`, span);

/** Of a template: its name, who is told what it is called, and of the type while its bases are read. */
interface Instance {
  readonly name: string;
  /** It has been read before, as another struct of this name that nothing looked at. */
  readonly isAgain: boolean;
  readonly opened: (struct: string) => void;
  readonly known: (info: NamedTypeInfo | undefined) => void;
}

export const behindItsStruct = "a struct that is defined behind the one it lies in is";

export function declareStruct(
  s: Sema,
  t: syntax.StructSpecifier,
  owner: object = t,
  typedefName?: string,
  instance?: Instance,
): NamedTypeInfo | undefined {
  if (t.name && t.name.path.length > 0) return notYet(s, behindItsStruct, t.name.span, "define it inside");
  const union = t.keyword === "union";
  if (union && !s.reading.declarations.unions) return notYet(s, "unions are", t.span);
  const alignments = new Map<string, syntax.Attribute[]>();
  const typeAlignments = new Map<string, number>();
  for (const a of t.attributes)
    if (!placesMembers(a) && !isAllowed(s, a)) notYet(s, `attribute '${a.name}' of a struct is`, a.span, leaveOut);
  const own = takeTrivia(s, owner);
  const semantics = new Map<string, string>();
  const byRows = { names: new Set<string>(), offsets: new Map<string, SaidOffset>() };
  const label = t.name?.name;
  const { data, others } = partsOf(t.members);
  if (!mayHave(s, t, data, others)) return undefined;
  const promised = s.promisedStructs.get(t);
  promised?.kept();
  const wanted = instance?.name ?? label ?? typedefName ?? (union ? "Union" : "Struct");
  const name = promised?.name ?? (instance?.isAgain ? wanted : uniqueStructName(s, wanted));
  s.openStructs.set(name, undefined);
  instance?.opened(name);
  const inherited = beforeComplete(s, t, name, instance, () => basesOf(s, t, data));
  const bits = noBitFields(inherited?.members ?? [], union, packingOf(s, t));
  const isScope = hasScope(s, t, data, others);
  const classes = s.reading.declarations.classes === "with constructors";
  const scope =
    inherited && isScope
      ? memberScope(s, inherited)
      : classes
        ? { parent: s.scope, symbols: new Map<string, Symbol>() }
        : s.scope;
  if (inherited && isScope) s.openStructs.set(name, { scope, bases: inherited.bases });
  // Types and constants of the struct come first: its data is made of them. They may ask what static functions would return.
  const bases = inherited?.bases ?? [];
  const among = <T>(read: () => T): T =>
    inScopeOf(s, scope, () => (classes ? amongMembers(s, data, bases, read) : read()));
  // The name of a template stands for the template.
  const awaited = t.name && !instance ? awaitItself(s, t, name) : undefined;
  const { early, late } = constantsOfItself(others, label);
  const declareOthers = (some: readonly syntax.Declaration[]): void =>
    asking(s, classes ? { struct: name, others, bases, scope } : undefined, () =>
      among(() => namedInItself(s, name, label, instance, () => typesAndConstants(s, name, label, some))),
    );
  declareOthers(early);
  const defaults = classes ? new Map<string, syntax.Initializer>() : undefined;
  const members = among(() =>
    namedInItself(s, name, label, instance, () =>
      structMembers(s, data, "struct", byRows, false, semantics, undefined, defaults, alignments, bits, typeAlignments),
    ),
  );
  awaited?.();
  s.openStructs.delete(name);
  const inner = s.trivia.inner(t);
  if (!members || !inherited) {
    if (label) s.scope.symbols.set(label, { kind: "error", span: t.span });
    return undefined;
  }
  prepend(members, inherited.members);
  if (members.length === 0 && (others.length > 0 || t.bases || classes))
    members.push({ name: emptyMember, type: scalar("i32"), trivia: noTrivia, span: t.span });
  if (members.length === 0) {
    leaveOutEmpty(s, t, owner, own, inner);
    return undefined;
  }
  const opened = members.reduce((n, m) => n + membersOpened(s, m.type), 0);
  if (opened > mostMembers) {
    tooManyMembers(s, t.name?.span ?? t.span);
    if (label) s.scope.symbols.set(label, { kind: "error", span: t.span });
    return undefined;
  }
  if (union && members.some((m) => holdsPointers(m.type, s.structs))) notYet(s, "pointers in unions are", t.span);
  s.structMembers.set(name, opened);
  const shared = union ? { union: true as const } : {};
  const laid = alignedMembers(s, t, members, {
    own: t.attributes.filter(placesMembers),
    members: alignments,
    ofTypes: typeAlignments,
    valueOf: (a) => alignmentAsked(s, a),
  });
  const placed = { ...shared, ...laid, members: exactWords(bits, laid.members), ...asAligned(bits, laid.align) };
  s.structs.set(name, { name, ...placed, span: t.span, trivia: own, innerComments: inner });
  noteNamespace(s, name);
  s.order.push({ kind: "struct", name });
  keepSaid(s, name, byRows);
  if (isPlainData(s, t, members)) s.plainData.add(name);
  bitFieldsOf(s, name, bits, alignments.size > 0, t);
  if (semantics.size > 0) s.semantics.set(name, semantics);
  const info: NamedTypeInfo = { type: { kind: "struct", name, ...shared } };
  if (late.length > 0) withName(scope, label!, info, () => declareOthers(late));
  if (isScope || others.length > 0 || t.bases || (defaults?.size ?? 0) > 0)
    declareMethods(s, name, others, t.name, bases, defaults ?? new Map(), scope);
  if (t.keyword === "interface") s.interfaces.add(name);
  else implementsAll(s, name, bases, t.name?.span ?? t.span);
  return t.name && !declareTag(s, t, t.name.span, info) ? undefined : info;
}

/** Takes back what is known of a struct, but for its name. */
export function forgetStruct(s: Sema, name: string): void {
  for (const known of [s.structs, s.methods, s.bitFields, s.roomOfBits, s.semantics, s.byRows, s.saidOffsets])
    known.delete(name);
  s.copiedByFunctions.delete(name);
  s.plainData.delete(name);
  forgetFriends(s, name);
  const at = s.order.findIndex((x) => x.kind === "struct" && x.name === name);
  if (at >= 0) s.order.splice(at, 1);
}

/** Bit-fields may ask for more than the struct does. */
const asAligned = ({ least: { align } }: BitFields, given = 1): { readonly align?: number } =>
  align > 1 ? { align: Math.max(align, given) } : {};

/** The struct's name is declared, and those that a typedef gave it before it was there. */
function declareTag(s: Sema, t: syntax.StructSpecifier, span: Span, info: NamedTypeInfo): boolean {
  const tag = tagOf(s, t);
  if (!declareName(s, tag, { kind: "type", info, defined: true, span })) return false;
  for (const alias of aliasesOf(s, t))
    if (alias.name !== tag) declareName(s, alias.name, { kind: "type", info, span: alias.span });
  s.awaitedStructs.delete(awaitedTag(t));
  return true;
}

/** In C a struct is no scope (C99 6.2.1). */
const hasScope = (
  s: Sema,
  t: syntax.StructSpecifier,
  data: readonly syntax.Declaration[],
  others: readonly syntax.Declaration[],
): boolean =>
  !s.reading.declarations.tags &&
  (others.length > 0 || t.bases !== undefined || (t.keyword !== "union" && data.some(declaresType)));

/** `enum Kind { a, b } kind;`: a type of the struct, and a member of that. */
const declaresType = (d: syntax.Declaration): boolean =>
  d.kind === "variable" &&
  d.declarators.length > 0 &&
  (d.specifier?.kind === "enum-specifier" ||
    (d.specifier?.kind === "struct-specifier" && d.specifier.name !== undefined));

/** The name of a struct is its own within it before it is one around it. */
function withName({ symbols }: Scope, name: string, info: NamedTypeInfo, read: () => void): void {
  const known = symbols.get(name);
  symbols.set(name, known ?? { kind: "type", info, span: noSpan });
  read();
  if (!known) symbols.delete(name);
}

/** A struct without members, where nothing is declared by it: nothing is refused where nothing uses it. */
function leaveOutEmpty(
  s: Sema,
  t: syntax.StructSpecifier,
  owner: object,
  own: Trivia,
  inner: readonly Comment[],
): void {
  const alone = "declarators" in owner && (owner.declarators as readonly unknown[]).length === 0;
  if (!t.name || !alone) return void notYet(s, "empty structs are", t.span);
  append(s.pendingComments, own.leading);
  append(s.pendingComments, inner);
  append(s.pendingComments, own.trailing);
  const unparsed = s.options.unparsed?.some((p) => p.span && p.span.start >= t.span.start && p.span.end <= t.span.end);
  const refusal = unparsed ? {} : { refusal: "empty structs are" };
  s.scope.symbols.set(t.name.name, { kind: "error", span: t.span, ...refusal });
}

/** Whether the language has structs, unions and interfaces of such parts; if not, a problem says so. */
function mayHave(
  s: Sema,
  t: syntax.StructSpecifier,
  data: readonly syntax.Declaration[],
  others: readonly syntax.Declaration[],
): boolean {
  const more = s.reading.declarations.classes === "nothing" ? beyondData(t, others) : undefined;
  if (more) {
    if (t.name) s.scope.symbols.set(tagOf(s, t), { kind: "error", span: t.span });
    absentHere(s, ...more);
    return false;
  }
  if (t.keyword === "union" && (others.length > 0 || t.bases)) {
    notYet(s, "a union with more than data is", t.span);
    return false;
  }
  if (t.keyword !== "interface" || (data.length === 0 && !t.bases)) return true;
  error(s, "XL2013", "an interface has functions alone, and no base", t.name?.span ?? t.span);
  return false;
}

/** What a struct of C has not, and where it stands: types alone may be declared in it. */
function beyondData(t: syntax.StructSpecifier, others: readonly syntax.Declaration[]): [string, Span] | undefined {
  if (t.bases?.[0]) return ["structs with bases", t.bases[0].span];
  const member = others.find((d) => (d.kind === "variable" ? d.declarators.length > 0 : d.kind !== "static-assert"));
  return member && [member.kind === "function" ? "methods" : "structs with more than data", member.span];
}

function noteNamespace(s: Sema, declared: string | number): void {
  const around = namespaceAround(s);
  if (around) s.declaredIn.set(declared, around);
}

/** How a struct of C++ is packed. */
function packingOf(s: Sema, t: syntax.StructSpecifier): Packing | undefined {
  const [attribute, most] = [t.attributes.some(isPacking), mostAlignment(s, t)];
  const isPacked = attribute || most !== undefined;
  return s.reading.declarations.bitFields === "C++" && isPacked ? { attribute, most } : undefined;
}

/** `moved`: its members do not lie where those of a plain struct do. */
function bitFieldsOf(s: Sema, name: string, bits: BitFields, moved: boolean, t: syntax.StructSpecifier): void {
  if (bits.fields.size === 0) return;
  s.bitFields.set(name, bits.fields);
  if (bits.room.size > 0) s.roomOfBits.set(name, bits.room);
  const behind = bits.inherited.length > 0 && s.reading.declarations.bitFields !== "C++";
  const placed = !bits.packing && t.attributes.some(placesMembers);
  if (moved || behind || placed)
    notYet(s, "bit-fields beside a base or an alignment are", t.span, "keep the bits in an integer");
}

/** `alignas(16)`, `alignas(float4)`; undefined with a problem. */
function alignmentAsked(s: Sema, a: syntax.Attribute): number | undefined {
  const [argument] = a.arguments ?? [];
  if (!argument) return greatestAlignment;
  if (argument.kind === "type-expression") {
    const type = resolveTypeName(s, argument.type)?.type;
    return type && layoutOf(type, "natural", s.structs).align;
  }
  const n = constantInteger(s, argument, "the alignment");
  if (n === undefined) return undefined;
  if (n <= 0n || (n & (n - 1n)) !== 0n) return error(s, "XL2010", "an alignment is a power of two", argument.span);
  return Number(n);
}

/** What a struct or union goes by where names of types are looked up. */
const tagOf = (s: Sema, t: syntax.StructSpecifier): string =>
  s.reading.declarations.tags ? awaitedTag(t) : t.name!.name;

/** What comes before it may have pointers to it: it is a type that is not complete until it is read. */
export function promiseStruct(s: Sema, t: syntax.StructSpecifier): void {
  if (s.promisedStructs.has(t)) return;
  const name = uniqueStructName(s, t.name!.name);
  s.openStructs.set(name, undefined);
  const kept = awaitItself(s, t, name);
  s.promisedStructs.set(t, { name, kept });
}

/** While its members are read a struct is a type that is not complete, which pointers may lead to; what is returned ends that. */
function awaitItself(s: Sema, t: syntax.StructSpecifier, name: string): () => void {
  const { symbols } = s.scope;
  const { span } = t.name!;
  const known = [tagOf(s, t), ...aliasesOf(s, t).map((alias) => alias.name)].filter((x) => !symbols.has(x));
  const type: StructType = { kind: "struct", name, ...(t.keyword === "union" ? { union: true } : {}) };
  for (const x of known) symbols.set(x, { kind: "type", info: { type }, span });
  return () => known.forEach((x) => symbols.delete(x));
}

const awaitedTag = ({ keyword, name }: syntax.StructSpecifier): string =>
  `${keyword === "union" ? "union" : "struct"} ${name!.name}`;

/** The names that a typedef gave the struct before it was there. */
const aliasesOf = (s: Sema, t: syntax.StructSpecifier): readonly syntax.Identifier[] =>
  s.awaitedStructs.get(awaitedTag(t)) ?? [];

/** The bases may be made for the struct (`struct X : Base<X>`): it is a type there, of which nothing is known yet. */
function beforeComplete<T>(
  s: Sema,
  t: syntax.StructSpecifier,
  name: string,
  instance: Instance | undefined,
  read: () => T,
): T {
  const info: NamedTypeInfo = { type: { kind: "struct", name } };
  const tag = t.bases && t.name && !instance ? tagOf(s, t) : undefined;
  const { symbols } = s.scope;
  if (tag !== undefined && !symbols.has(tag)) {
    symbols.set(tag, { kind: "type", info, span: t.name!.span });
    const made = read();
    symbols.delete(tag);
    return made;
  }
  if (!t.bases || !instance) return read();
  instance.known(info);
  const made = read();
  instance.known(undefined);
  return made;
}

/** `using type = Box;` in a template means the instance (C++14 14.6.1), of which nothing is known yet. */
function namedInItself<T>(
  { scope }: Sema,
  name: string,
  label: string | undefined,
  instance: Instance | undefined,
  read: () => T,
): T {
  if (label === undefined || !instance || scope.symbols.has(label)) return read();
  const info: NamedTypeInfo = { type: { kind: "struct", name } };
  scope.symbols.set(label, { kind: "type", info, span: noSpan });
  instance.known(info);
  const made = read();
  instance.known(undefined);
  scope.symbols.delete(label);
  return made;
}

/** What a struct inherits from, as members before its own; `constants`: of bases of the library, `true_type` and its kind. */
function basesOf(
  s: Sema,
  t: syntax.StructSpecifier,
  data: readonly syntax.Declaration[],
): { bases: Base[]; members: StructMember[]; constants: ReadonlyMap<string, Symbol> } | undefined {
  const bases: Base[] = [];
  const members: StructMember[] = [];
  const constants = new Map<string, Symbol>();
  const numbers = new NumberedNames();
  const names = new Set(data.flatMap((d) => (d.kind === "variable" ? d.declarators.map((x) => x.name?.name) : [])));
  const addBase = (specifier: syntax.TypeSpecifier, dependent: boolean): true | undefined => {
    const known = specifier.kind === "named-type" ? traitBase(s, specifier) : "none";
    if (!known) return undefined;
    if (known !== "none") {
      known.forEach((symbol, name) => constants.set(name, symbol));
      return true;
    }
    const type = resolveSpecifier(s, specifier)?.type;
    if (!type) return undefined;
    if (type.kind !== "struct") return error(s, "XL2013", "only structs are inherited from", specifier.span);
    if (closureOf(s, type))
      return notYet(s, "inheriting from a lambda is", specifier.span, "write a struct with an operator() for it");
    if (isIncomplete(s, type)) return error(s, "XL2013", "this struct is not complete here", specifier.span);
    const data = s.structs.get(type.name)!.members;
    if (data.length === 1 && data[0]!.name === emptyMember) {
      bases.push({ type, member: undefined, dependent });
      return true;
    }
    // C++ may put members of the derived struct there, by rules of the platform, where the base is more than plain data.
    // An object with pointers is in no memory that others see, so that it may lie there in any way.
    const room = endsWithPadding(s, type) || endsWithRoom(s, type);
    if (!holdsPointers(type, s.structs) && room && !s.plainData.has(type.name)) {
      const what = "inheriting from a struct that ends with padding, and is more than data and functions, is";
      return notYet(s, what, specifier.span, "fill the padding with a member");
    }
    const name = numbers.free("base", (n) => names.has(n));
    names.add(name);
    bases.push({ type, member: name, dependent });
    members.push({ name, type, trivia: noTrivia, span: specifier.span });
    return true;
  };
  for (const { type, pack, span } of t.bases ?? []) {
    const pattern: syntax.TypeName = { kind: "type-name", qualifiers: [], specifier: type, derivations: [], span };
    const length = pack ? packLength(s, pattern, span) : 1;
    if (length === undefined) return undefined;
    for (let i = 0; i < length; i++) {
      const added = pack ? inElement(s, pattern, i, () => addBase(type, true)) : addBase(type, namesParameter(s, type));
      if (!added) return undefined;
    }
  }
  return { bases, members, constants };
}

function keepSaid(s: Sema, struct: string, { names, offsets }: StoredByRows): void {
  if (names.size > 0) s.byRows.set(struct, names);
  if (offsets && offsets.size > 0) s.saidOffsets.set(struct, offsets);
}

/** The members whose matrices are stored by rows; `otherwise`: how those are stored that do not say it. */
export interface StoredByRows {
  readonly names: Set<string>;
  readonly otherwise?: "rows" | "columns" | undefined;
  /** Takes the bytes at which members say that they lie, where it is asked for. */
  readonly offsets?: Map<string, SaidOffset>;
}

/**
 * Members of structs and blocks; undefined where one is wrong. `open`: the last may be a runtime-sized array. `placed`
 * takes the layout words of members, by the number of the first member they stand before; `byRows` the names of members
 * whose matrices are stored by rows: those have the type they are stored as.
 */
export function structMembers(
  s: Sema,
  declarations: readonly syntax.Declaration[],
  kind: "struct" | "block",
  byRows: StoredByRows,
  open = false,
  semantics = new Map<string, string>(),
  placed?: Map<number, readonly syntax.LayoutEntry[]>,
  defaults?: Map<string, syntax.Initializer>,
  alignments?: Map<string, syntax.Attribute[]>,
  bits?: BitFields,
  typeAlignments?: Map<string, number>,
): StructMember[] | undefined {
  const list: MemberList = {
    kind,
    byRows,
    semantics,
    placed,
    defaults,
    alignments,
    typeAlignments,
    bits,
    members: [],
    names: new Set(),
  };
  let fine = true;
  for (const [i, d] of declarations.entries()) {
    if (d.kind === "empty-declaration") carryTrivia(s, d);
    else if (!declaredMembers(s, d, list, open && i === declarations.length - 1)) fine = false;
  }
  if (!fine || !closedRun(s, list, undefined)) return undefined;
  nameAnonymous(list);
  return list.members;
}

/** The words of bit-fields before a member of the type, or at the end; false where they cannot be made. */
function closedRun(s: Sema, { bits, members }: MemberList, next: Type | undefined): boolean {
  const words = bits ? wordsOfRun(s, bits, members, next) : [];
  append(members, words ?? []);
  return words !== undefined;
}

/** Members without a name get one that no other has. */
function nameAnonymous({ members, names }: MemberList): void {
  const numbers = new NumberedNames();
  members.forEach((m, i) => {
    if (!m.anonymous) return;
    const plain = m.type.kind === "struct" && m.type.union ? "u" : "s";
    const name = numbers.free(plain, (n) => names.has(n), plain);
    names.add(name);
    members[i] = { ...m, name };
  });
}

/** What the members of one struct or block are gathered in. */
interface MemberList {
  readonly kind: "struct" | "block";
  readonly byRows: StoredByRows;
  readonly semantics: Map<string, string>;
  readonly placed: Map<number, readonly syntax.LayoutEntry[]> | undefined;
  /** Takes the values of members that are given none, where the language has those. */
  readonly defaults: Map<string, syntax.Initializer> | undefined;
  /** Takes the alignments that members ask for, where they may. */
  readonly alignments: Map<string, syntax.Attribute[]> | undefined;
  /** Takes the alignments that their typedefs say. */
  readonly typeAlignments: Map<string, number> | undefined;
  /** Takes the members of so many bits, where a struct has them. */
  readonly bits: BitFields | undefined;
  readonly members: StructMember[];
  readonly names: Set<string>;
}

/** The members of one declaration; false where one is wrong, which has been reported. `open`: the last may have no length. */
function declaredMembers(s: Sema, d: syntax.Declaration, list: MemberList, open: boolean): boolean {
  if (d.kind === "function") return reported(notYet(s, "methods are", d.name.span));
  if (d.kind !== "variable" || !d.specifier) return reported(notYet(s, "such a member is", d.span));
  const { specifier, declarators } = d;
  if (
    specifier.kind === "named-type" &&
    specifier.elaborated &&
    declarators.length === 0 &&
    !s.reading.declarations.tags
  )
    return reported(notYet(s, "a struct that another one announces is", d.span, "define it there"));
  const trivia = takeTrivia(s, d);
  const q = sortQualifiers(s, d.qualifiers);
  const base = resolveSpecifier(s, d.specifier);
  if (!base) return false;
  const resource = s.reader.noMember?.(d.specifier);
  if (resource !== undefined) return reported(notYet(s, `${resource} as a member is`, d.span));
  if (d.declarators.some((x) => x.derivations.every((y) => y.kind === "array")) && isIncomplete(s, base.type))
    return reported(incompleteMember(s, base.type, d.span));
  const { placed, kind, byRows } = list;
  let fine = true;
  // Only matrices have rows; the other words are checked against the layout by who knows it.
  const others = q.layout.filter((l) => l.name !== "column_major" && l.name !== "row_major");
  const reaches = s.reading.declarations.storageReachesIn ? holdsMatrix(s, base.type) : isOfMatrices(base.type);
  const rows = (orientation(s, q, base, d.span) ?? byRows.otherwise) === "rows" && reaches;
  if (kind === "struct" && q.layout.length > others.length)
    fine = reported(error(s, "XL2010", "a layout belongs to the members of blocks, not of structs", d.span));
  if (others.length > 0 && (!placed || d.declarators.length > 1))
    fine = reported(notYet(s, "an explicit layout of a member is", d.span));
  if (others.length > 0) placed?.set(list.members.length, others);
  const takes = (a: syntax.Attribute): boolean => list.alignments !== undefined && placesMembers(a);
  if (
    !memberAttributes(
      s,
      d.attributes.filter((a) => !takes(a)),
    )
  )
    fine = false;
  if (d.declarators.length === 0) {
    if (isAnonymous(s, d.specifier) && base.type.kind === "struct") {
      if (!closedRun(s, list, base.type)) fine = false;
      anonymousMember(s, base.type, d, trivia, list);
    } else fine = reported(notYet(s, "a member without a name is", d.span));
  }
  for (const [k, x] of d.declarators.entries()) {
    const t = derive(s, base, q, x.derivations, x.span, "member");
    const bits = x.bitWidth && list.kind === "struct" && hasBitFields(s, x.span) ? list.bits : undefined;
    if (t && bits && !x.name) {
      if (bits.union) fine = reported(notYet(s, "a bit-field without a name in a union is", x.span, leaveOut));
      if (!declareBitField(s, bits, x, t.type, widthOf(s, x), noTrivia)) fine = false;
      continue;
    }
    if (!t || !x.name) {
      fine = false;
      continue;
    }
    const { name } = x.name;
    if (q.words.has("mutable")) s.mutableAt.add(x.span.start);
    if (!mayBeMember(s, x, name, t, list, open && k === d.declarators.length - 1)) fine = false;
    if (bits) {
      if (beginsWord(s, bits, t.type) && !closedRun(s, list, t.type)) fine = false;
      if (!declareBitField(s, bits, x, t.type, widthOf(s, x), k === 0 ? trivia : noTrivia)) fine = false;
      if (bits.union && !closedRun(s, list, undefined)) fine = false;
      continue;
    }
    if (!closedRun(s, list, t.reference ? referenceMember(t) : t.type)) fine = false;
    if (rows) byRows.names.add(name);
    offsetSaid(s, byRows, name, d.attributes);
    const asked = [...d.attributes, ...x.attributes].filter(takes);
    if (asked.length > 0) list.alignments?.set(name, asked);
    const isOfType = base.aligned !== undefined && x.derivations.every((v) => v.kind === "array");
    if (isOfType) list.typeAlignments?.set(name, base.aligned);
    const own = openAs(s, withGivenLength(s, name, t.type), `member ${x.name.span.start}`);
    const type = t.reference ? referenceMember(t) : rows ? exchanged(s, own) : own;
    const constant = s.reading.declarations.references && t.constant && !t.reference;
    const said = constant ? { constant: true as const } : {};
    list.members.push({ name, type, ...said, trivia: k === 0 ? trivia : noTrivia, span: x.span });
  }
  return fine;
}

/** References to buffers without a length: as many as the host says. */
function withGivenLength(s: Sema, name: string, type: Type): Type {
  const isOpen = type.kind === "array" && type.length === undefined && isArrayOfPointers(type);
  const length = isOpen && s.language.addressesInBuffers ? givenLength(s, name) : undefined;
  return isOpen && length !== undefined ? array(type.element, length) : type;
}

function incompleteMember(s: Sema, type: Type, span: Span): undefined {
  const instance = type.kind === "struct" ? s.templates.structs.get(type.name) : undefined;
  if (!instance) return error(s, "XL2013", "the type of this member is not complete here", span);
  const name = showInstance(s, instance.template.name, instance.arguments);
  return error(s, "XL2013", `'${name}' is not complete where it is made of itself`, span);
}

const widthOf = (s: Sema, x: syntax.Declarator): bigint | undefined =>
  constantInteger(s, x.bitWidth!, "the width of a bit-field");

/** `union { ... };` among the members (C11 6.7.2.1 (13), C++14 9.5 (5); of structs as clang has it). */
const isAnonymous = (s: Sema, t: syntax.TypeSpecifier): boolean =>
  s.reading.declarations.unions && t.kind === "struct-specifier" && t.name === undefined;

function anonymousMember(
  s: Sema,
  type: StructType,
  { span }: syntax.Declaration,
  trivia: Trivia,
  { members, names }: MemberList,
): void {
  const declared = s.structs.get(type.name)!;
  s.structs.set(type.name, { ...declared, anonymous: true });
  const named = (list: readonly StructMember[]): void => {
    for (const m of list) {
      if (m.anonymous && m.type.kind === "struct") named(s.structs.get(m.type.name)!.members);
      else if (names.has(m.name)) error(s, "XL2002", `member '${m.name}' is declared twice`, m.span);
      names.add(m.name);
    }
  };
  named(declared.members);
  members.push({ name: "", type, anonymous: true, trivia, span });
}

const reported = (_: undefined): false => false;

/** `[[vk::offset(16)]] int a;`, which says something to hosts that bind the block as Vulkan does. */
function offsetSaid(s: Sema, { offsets }: StoredByRows, name: string, attributes: readonly syntax.Attribute[]): void {
  for (const a of attributes) {
    if (a.name !== s.reading.declarations.offsetAttribute) continue;
    const [at] = a.arguments ?? [];
    const n = at && constantInteger(s, at, "the offset");
    if (n === undefined) continue;
    if (offsets) offsets.set(name, { offset: Number(n), span: a.span });
    else notCarried(s, a);
  }
}

/** Attributes that mean something here are taken out before. */
function memberAttributes(s: Sema, attributes: readonly syntax.Attribute[]): boolean {
  const { stageAttributes, interfaceAttributes, offsetAttribute } = s.reading.declarations;
  const ofHosts = (a: syntax.Attribute): boolean => interfaceAttributes?.test(a.name) === true;
  for (const a of attributes) if (ofHosts(a) && a.name !== offsetAttribute) notCarried(s, a);
  const refused = attributes.filter((a) => !stageAttributes?.has(a.name) && !ofHosts(a) && !isAllowed(s, a));
  for (const a of refused) notYet(s, `attribute '${a.name}' of a member is`, a.span, leaveOut);
  return refused.length === 0;
}

/** `device T& at;`: a pointer that is always dereferenced, as a local reference is. */
const referenceMember = ({ type, constant, space }: DeclaredType): Type => ({
  kind: "pointer",
  pointee: type,
  space: space ?? "private",
  reference: true,
  ...(constant || space === "constant" ? { readOnly: true } : {}),
});

/** All that is wrong with a member is reported. */
function mayBeMember(
  s: Sema,
  x: syntax.Declarator,
  name: string,
  t: DeclaredType,
  { kind, semantics, names, defaults, alignments }: MemberList,
  open: boolean,
): boolean {
  // Semantics matter where the struct is a parameter of an entry.
  const taken = (a: syntax.Attribute): boolean => (kind === "block" ? a.name === "packoffset" : a.form === "semantic");
  if (kind === "struct") for (const a of x.attributes) if (a.form === "semantic") semantics.set(name, a.name);
  let fine = memberAttributes(
    s,
    x.attributes.filter((a) => !taken(a) && !(alignments && placesMembers(a))),
  );
  if (x.bitWidth && !(kind === "struct" && hasBitFields(s, x.span))) fine = reported(noSuchBitFields(s, x.span));
  if (x.initializer && defaults) defaults.set(name, x.initializer);
  else if (x.initializer && kind === "block" && s.reader.ignoredInitializer)
    s.reader.ignoredInitializer(s, name, x.span);
  else if (x.initializer) fine = reported(notYet(s, "default values of members are", x.span));
  if (t.reference && kind !== "struct") fine = reported(notYet(s, "references in blocks are", x.span));
  if (t.type.kind === "pointer" && !t.type.block && kind !== "struct")
    fine = reported(notYet(s, "pointers in blocks are", x.span));
  if (isOpenArray(open && t.type.kind === "array" ? t.type.element : t.type))
    fine = reported(error(s, "XL2020", `member '${name}' needs a size`, x.span));
  if (t.type.kind === "void") fine = reported(error(s, "XL2013", "a member cannot be void", x.span));
  if (names.has(name)) fine = reported(error(s, "XL2002", `member '${name}' is declared twice`, x.span));
  names.add(name);
  return fine;
}

export function declareEnum(
  s: Sema,
  t: syntax.EnumSpecifier,
  owner: object = t,
  typedefName?: string,
): NamedTypeInfo | undefined {
  if (t.scoped && s.reading.declarations.classes === "nothing")
    return absentHere(
      s,
      "enumerations with a scope",
      t.span,
      "leave 'class' or 'struct' out, and name enumerators alone",
    );
  let type: ScalarType = scalar("i32");
  if (t.underlying) {
    const given = resolveTypeName(s, t.underlying);
    if (!given) return undefined;
    if (given.type.kind !== "scalar" || !isInteger(given.type.scalar))
      return error(s, "XL2013", "the type of an enum must be an integer", t.underlying.span);
    type = given.type;
  }
  const index = s.enums.length;
  const trivia = takeTrivia(s, owner);
  const enumerators: {
    name: string;
    value: number | bigint;
    explicit: boolean;
    trivia: ReturnType<typeof takeTrivia>;
  }[] = [];
  s.enums.push({ name: t.name?.name ?? typedefName, type, enumerators, span: t.span, trivia });
  s.enumerationForms.set(index, { scoped: t.scoped, fixed: t.scoped || t.underlying !== undefined });
  noteNamespace(s, index);
  const inside: Scope = { parent: s.scope, symbols: new Map() };
  let next = 0n;
  for (const e of t.enumerators) {
    if (e.value) {
      const { value } = e;
      const given = inScopeOf(s, inside, () => constantInteger(s, value, "the value of an enumerator"));
      if (given === undefined) return undefined;
      next = given;
    }
    const kind = s.enums[index]!.type.scalar;
    if (t.underlying || t.scoped ? convertConstant(next, kind) !== next : kindFor([next]) === undefined) {
      // It has been said what is wrong with these.
      for (const { name } of t.enumerators.slice(t.enumerators.indexOf(e)))
        if (!t.scoped) declareName(s, name.name, { kind: "error", span: name.span });
      return error(s, "XL2007", `the enumeration cannot hold ${next}`, e.span);
    }
    // Until its end an enumeration's own names are integers (C++14 7.2).
    const own = t.underlying || t.scoped ? kind : (kindFor([next]) ?? kind);
    const value = integerAs(own, next);
    const integer = (at: Span): Value => exprValue(literal(own, value, at));
    if (t.scoped) inside.symbols.set(e.name.name, { kind: "value", make: integer, span: e.name.span });
    enumerators.push({ name: e.name.name, value, explicit: e.value !== undefined, trivia: takeTrivia(s, e) });
    if (!t.scoped)
      declareName(s, e.name.name, {
        kind: "enumerator",
        enum: index,
        name: e.name.name,
        value,
        span: e.name.span,
      });
    next++;
  }
  if (!t.underlying && !t.scoped) {
    const kind = kindOfAll(s, enumerators);
    for (const e of enumerators) e.value = integerAs(kind, e.value);
    s.enums[index] = { ...s.enums[index]!, type: scalar(kind) };
  }
  s.order.push({ kind: "enum", index });
  if (t.name) {
    const tag = s.reading.declarations.tags ? `enum ${t.name.name}` : t.name.name;
    declareName(s, tag, { kind: "enum", index, scoped: t.scoped, span: t.name.span });
  }
  return { type: enumerationType(s, index) };
}

const enumerationKinds = ["i32", "u32", "i64", "u64"] as const;

const kindFor = (values: readonly bigint[]): ScalarKind | undefined =>
  enumerationKinds.find((kind) => values.every((v) => convertConstant(v, kind) === v));

type Valued = readonly { readonly value: number | bigint }[];

/** Of the enumerators of an enumeration that does not say it: the first that holds all; for C see `enumerationType`. */
function kindOfAll(s: Sema, enumerators: Valued): ScalarKind {
  const kind = kindFor(enumerators.map((e) => BigInt(e.value))) ?? "i64";
  return kind === "i64" && s.language.enumerations === "integers" && !hasNegative(enumerators) ? "u64" : kind;
}

const hasNegative = (enumerators: Valued): boolean => enumerators.some((e) => e.value < 0);

/**
 * The type of an enumeration: of its kind, in some languages one of its own. C leaves it to the compiler (C11 6.7.2.2): clang takes one without
 * a sign where no enumerator is negative, though enumerators that an int holds are ints.
 */
export function enumerationType(s: Sema, index: number): ScalarType {
  const { type, enumerators } = s.enums[index]!;
  const { scoped = false, fixed = false } = s.enumerationForms.get(index) ?? {};
  if (s.language.enumerations !== "integers") return { ...type, distinct: { enumeration: index, scoped, fixed } };
  return type.scalar === "i32" && !fixed && !hasNegative(enumerators) ? scalar("u32") : type;
}

/** An enumerator as an expression. In C it is an int where that holds it, whatever its enumeration is. */
export function enumeratorValue(s: Sema, symbol: Symbol & { readonly kind: "enumerator" }, span: Span): Value {
  const { enum: index, name, value } = symbol;
  const { type } = s.enums[index]!;
  const isInteger = s.language.enumerations === "integers";
  const node: Expr = {
    kind: "enumerator",
    enum: index,
    name,
    value: integerAs(type.scalar, value),
    type: isInteger ? type : enumerationType(s, index),
    span,
  };
  const { fixed = false } = s.enumerationForms.get(index) ?? {};
  const isInt = isInteger && !fixed && type.scalar !== "i32" && kindFor([BigInt(value)]) === "i32";
  return exprValue(isInt ? convert(node, scalar("i32")) : node);
}
