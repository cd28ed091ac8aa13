/**
 * Bit-fields, in words: where they lie is what clang lists for C++ (Itanium C++ ABI 2.4), and DXC for HLSL 2021. The first has the lowest
 * bits of its word; one that would cross a boundary of its own type begins at it. In HLSL a word is never shared: fields of another size,
 * and other members, begin behind it.
 */
import { isPlainNumber } from "./one-component.js";
import { binary, bitcast, construct, convert, literal, memberValue, swizzleValue } from "../ast/builders.js";
import { noTrivia, type Expr, type StructMember, type Trivia } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { noSpan, type Span } from "../support/span.js";
import { NumberedNames } from "../support/numbered-names.js";
import { layoutOf, memberOffsets } from "../types/layout.js";
import {
  bitWidth,
  enumerationOf,
  i32,
  scalar,
  u32,
  vector,
  type ScalarKind,
  type ScalarType,
  type StructType,
  type Type,
  type VectorType,
} from "../types/types.js";
import { evaluate } from "./constants.js";
import { asNamed, isMinimum } from "./minimum-precision.js";
import { error, notYet, type Sema, type Value } from "./context.js";
import { after, held, kept } from "./held-values.js";

export interface BitField {
  /** The member that holds it: an unsigned integer of 8 to 64 bits, or a packed vector of some, where another member has the rest of one, or a struct of two of these. */
  readonly word: string;
  /** What its word is computed in. */
  readonly computed: "u32" | "u64";
  readonly offset: number;
  readonly width: number;
  readonly type: ScalarType;
  readonly signed: boolean;
  readonly span: Span;
}

/** One of a run of bit-fields with no other member between them; without a name it only keeps room. */
interface Declared {
  readonly name: string | undefined;
  readonly type: ScalarType;
  /** 0: what follows begins at a boundary of the type. */
  readonly width: number;
  readonly span: Span;
  readonly trivia: Trivia;
}

/** The bit-fields of the members of a struct as they are gathered; `run`: those whose words are not made yet. */
export interface BitFields {
  readonly fields: Map<string, BitField>;
  /** Words that only keep room: nothing is named in them, and lists give them nothing. */
  readonly room: Set<string>;
  readonly run: Declared[];
  /** What the struct inherits, which lies in front of its members. */
  readonly inherited: readonly StructMember[];
  /** Of a union: each begins at its first bit. */
  readonly union: boolean;
  /** Of a packed struct: each begins where the one before it ends. */
  readonly packing: Packing | undefined;
  /** What the types of fields align the struct to, where its words do not. */
  readonly least: { align: number };
}

/** What packs a struct: the attribute, `#pragma pack` with the bytes that a type aligns the struct to at most, or both. */
export interface Packing {
  readonly attribute: boolean;
  readonly most: number | undefined;
}

export const noBitFields = (
  inherited: readonly StructMember[],
  union = false,
  packing: Packing | undefined = undefined,
): BitFields => ({
  fields: new Map(),
  room: new Set(),
  run: [],
  inherited,
  union,
  packing,
  least: { align: 1 },
});

/** Whether a struct ends with a byte of which its bit-fields have no bit: C++ lets it be taken by who inherits the struct. */
export function endsWithRoom(s: Sema, { name }: StructType): boolean {
  const last = s.structs.get(name)!.members.at(-1)!;
  if (s.roomOfBits.get(name)?.has(last.name)) return true;
  const own = [...(s.bitFields.get(name)?.values() ?? [])].filter((f) => f.word === last.name);
  if (own.length === 0 || last.type.kind !== "scalar") return false;
  return Math.max(...own.map((f) => f.offset + f.width)) <= bitWidth(last.type.scalar) - 8;
}

export function fieldOf(s: Sema, type: Type, name: string): BitField | undefined {
  return type.kind === "struct" ? s.bitFields.get(type.name)?.get(name) : undefined;
}

/** A struct, or what holds one, whose members are not all what its declaration says. */
export const holdsBitFields = (s: Sema, type: Type): boolean =>
  type.kind === "array"
    ? holdsBitFields(s, type.element)
    : type.kind === "struct" &&
      (s.bitFields.has(type.name) ||
        (s.structs.get(type.name)?.members.some((m) => holdsBitFields(s, m.type)) ?? false));

/** Whether two bit-fields of one, or of what it holds, lie in one word. */
export const sharesWords = (s: Sema, type: Type): boolean => {
  if (type.kind === "array") return sharesWords(s, type.element);
  if (type.kind !== "struct") return false;
  const words = [...(s.bitFields.get(type.name)?.values() ?? [])].map((f) => f.word);
  const { members } = s.structs.get(type.name) ?? { members: [] };
  return new Set(words).size < words.length || members.some((m) => sharesWords(s, m.type));
};

/** One more of the run, of `given` bits; false where it is wrong, which has been reported. */
export function declareBitField(
  s: Sema,
  { run }: BitFields,
  x: syntax.Declarator,
  type: Type,
  given: bigint | undefined,
  trivia: Trivia,
): boolean {
  const bits = x.bitWidth!;
  const ofCpp = s.reading.declarations.bitFields === "C++";
  const kinds: readonly ScalarKind[] = ofCpp
    ? ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "bool"]
    : ["i16", "u16", "i32", "u32", "i64", "u64", "bool"];
  if (!isPlainNumber(s, type, "a bit-field", bits.span, "declare it as one")) return false;
  if (!ofCpp && !x.name) return notYet(s, "bit-fields without a name are", x.span) ?? false;
  if (
    type.kind !== "scalar" ||
    !kinds.includes(type.scalar) ||
    isMinimum(type) ||
    (type.distinct && !enumerationOf(type))
  )
    return notYet(s, "bit-fields of other types than integers are", bits.span, "keep the bits in an integer") ?? false;
  if (x.initializer) return notYet(s, "a default value of a bit-field is", x.span, "set it in a constructor") ?? false;
  if (given === undefined) return false;
  const width = Number(given);
  // HLSL's bools are words; of more bits than one the others are never set.
  const most = type.scalar !== "bool" ? bitWidth(type.scalar) : ofCpp ? 1 : 32;
  if (width < (x.name ? 1 : 0) || width > most) {
    const range = most === 1 ? "1 bit" : `1 to ${most} bits`;
    return error(s, "XL2013", `a bit-field of this type has ${range}, not ${width}`, bits.span) ?? false;
  }
  run.push({ name: x.name?.name, type, width, span: x.name ? bits.span : x.span, trivia });
  return true;
}

/** Whether such a field begins behind the words of the run, since they have another size. */
export const beginsWord = (s: Sema, { run }: BitFields, type: Type): boolean =>
  s.reading.declarations.bitFields !== "C++" &&
  type.kind === "scalar" &&
  run.length > 0 &&
  unitOf(s, run[0]!.type) !== unitOf(s, type);

/** The bits of the type's own word: HLSL's bools are of 32. */
const unitOf = (s: Sema, { scalar: kind }: ScalarType): number =>
  kind !== "bool" ? bitWidth(kind) : s.reading.declarations.bitFields === "C++" ? 8 : 32;
const upTo = (n: number, unit: number): number => Math.ceil(n / unit) * unit;

/**
 * The words of the run, behind the members before it; `next`: the type of the member that follows. Undefined where a word would be
 * shared with those, which has been reported.
 */
export function wordsOfRun(
  s: Sema,
  bits: BitFields,
  own: readonly StructMember[],
  next: Type | undefined,
): StructMember[] | undefined {
  const { fields, room, run, inherited, union } = bits;
  const all = run.splice(0);
  if (all.length === 0) return [];
  const { span } = all[0]!;
  const refused = (): undefined =>
    notYet(s, "a bit-field that shares a word with another member is", span, "keep the bits in an integer");
  const named = all.filter((f) => f.name !== undefined);
  const unit = Math.max(0, ...named.map((f) => unitOf(s, f.type)));
  // Whether one without a name aligns the struct differs between platforms.
  if (all.some((f) => unitOf(s, f.type) > unit))
    return notYet(s, "a bit-field without a name that is wider than those with one is", span);
  const before = union ? [] : [...inherited, ...own];
  const last = before.at(-1);
  const start =
    last === undefined
      ? 0
      : 8 *
        (memberOffsets({ members: before }, "natural", s.structs).at(-1)! +
          layoutOf(last.type, "natural", s.structs).size);
  const ofCpp = s.reading.declarations.bitFields === "C++";
  if (bits.packing) return packedWords(s, bits, all) ?? refused();
  const shared = (): StructMember[] | undefined => sharedWords(s, bits, all, start) ?? refused();
  if (ofCpp && start % unit !== 0) return shared();
  const words: StructMember[] = [];
  const keepRoom = (name: string): void => {
    words.push({ name, type: wordType(unit), trivia: noTrivia, span });
    room.add(name);
  };
  if (ofCpp && next && !union) {
    const end = endOf(s, all, 0);
    const align = 8 * layoutOf(next, "natural", s.structs).align;
    if (upTo(end, Math.max(8, align)) !== upTo(upTo(end, unit), align)) return shared();
  }
  let at = 0;
  for (const { name, type, width, span, trivia } of all) {
    const own = unitOf(s, type);
    if (width === 0 || (at % own) + width > own) at = upTo(at, own);
    const [index, offset] = [Math.floor(at / unit), at % unit];
    at += width;
    if (name === undefined) continue;
    if (index >= words.length) {
      const word = `${name}_bits`;
      // A word that only keeps room has no name of its own.
      while (words.length < index) keepRoom(`${word}_before${words.length}`);
      words.push({ name: word, type: wordType(unit), trivia, span });
    }
    const computed = unit === 64 ? "u64" : "u32";
    fields.set(name, { word: words[index]!.name, computed, offset, width, type, signed: isSigned(s, type), span });
  }
  while (words.length * unit < at) keepRoom(`${words.at(-1)!.name}_more`);
  return words;
}

/** The bit at which one of so many begins, behind `at`: one that would cross a boundary of its type begins at it. */
const beginsAt = (s: Sema, { type, width }: Declared, at: number): number => {
  const own = unitOf(s, type);
  return width === 0 || (at % own) + width > own ? upTo(at, own) : at;
};
const endOf = (s: Sema, all: readonly Declared[], start: number): number =>
  all.reduce((at, f) => beginsAt(s, f, at) + f.width, start);

/**
 * Words of no more bytes than the bits of their fields are in: what lies beside them is another member's. Undefined where no type has
 * so many.
 */
function sharedWords(
  s: Sema,
  { fields, room, least, packing }: BitFields,
  all: readonly Declared[],
  start: number,
): StructMember[] | undefined {
  /** Fields with bits in the same bytes. */
  const words: { first: number; end: number; readonly fields: { readonly field: Declared; readonly at: number }[] }[] =
    [];
  let at = start;
  for (const field of all) {
    const from = packing ? at : beginsAt(s, field, at);
    at = from + field.width;
    if (field.name === undefined) continue;
    const [first, end] = [Math.floor(from / 8), Math.ceil(at / 8)];
    const last = words.at(-1);
    if (last && first < last.end) last.end = Math.max(last.end, end);
    else words.push({ first, end, fields: [] });
    words.at(-1)!.fields.push({ field, at: from });
    least.align = Math.max(least.align, alignmentOf(s, field, packing));
  }
  const members: StructMember[] = [];
  let byte = start / 8;
  const keepRoom = (to: number, beside: string, span: Span): void => {
    for (; byte < to; byte++) {
      const name = `${beside}_room${byte}`;
      members.push({ name, type: scalar("u8"), trivia: noTrivia, span });
      room.add(name);
    }
  };
  for (const word of words) {
    const bytes = word.end - word.first;
    const type = bytesType(packing ? 0 : word.first, bytes) ?? partedType(s, bytes);
    if (!type) return undefined;
    const { name, span, trivia } = word.fields[0]!.field;
    keepRoom(word.first, name!, span);
    byte = word.end;
    members.push({ name: `${name!}_bits`, type, trivia, span });
    const computed = word.end - word.first > 4 ? "u64" : "u32";
    for (const { field, at } of word.fields) {
      const { width, type, span } = field;
      const offset = at - 8 * word.first;
      fields.set(field.name!, {
        ...{ word: `${name!}_bits`, computed, offset, width, type },
        ...{ signed: isSigned(s, type), span },
      });
    }
  }
  keepRoom(Math.ceil(at / 8), all[0]!.name ?? "bits", all[0]!.span);
  return members;
}

/** What a field aligns its struct to (clang's `LayoutBitField`). */
function alignmentOf(s: Sema, { type }: Declared, packing: Packing | undefined): number {
  const own = unitOf(s, type) / 8;
  return packing ? (packing.most === undefined ? 1 : Math.min(own, packing.most)) : own;
}

/** The members of a packed struct, of which the words of bit-fields are at any byte. */
export function exactWords(
  { fields, room, packing }: BitFields,
  members: readonly StructMember[],
): readonly StructMember[] {
  if (!packing) return members;
  const words = new Set([...room, ...[...fields.values()].map((f) => f.word)]);
  return members.map((m) => (words.has(m.name) ? { ...m, align: 1 } : m));
}

/** Where each begins is counted from the first of the run; its words are at any byte. */
function packedWords(s: Sema, bits: BitFields, all: readonly Declared[]): StructMember[] | undefined {
  const zero = all.find((f) => f.width === 0);
  if (zero) return notYet(s, "a bit-field of no bits in a packed struct is", zero.span);
  if (bits.inherited.length > 0) return notYet(s, "bit-fields of a packed struct with a base are", all[0]!.span);
  return sharedWords(s, bits, all, 0);
}

/** Five to eight bytes, where no type of so many may lie: four and the rest. */
function partedType(s: Sema, bytes: number): StructType | undefined {
  if (bytes > 8) return undefined;
  const plain = `Bytes${bytes}`;
  // A struct of the source has a span.
  const isFree = (n: string): boolean => (s.structs.get(n)?.span ?? noSpan) === noSpan;
  const name = isFree(plain) ? plain : new NumberedNames().free(plain, (n) => !isFree(n));
  if (!s.structs.has(name)) {
    const member = (name: string, size: number): StructMember => {
      const type = size === 1 ? scalar("u8") : vector("u8", size as VectorType["size"], true);
      return { name, type, trivia: noTrivia, span: noSpan };
    };
    const members = [member("low", 4), member("high", bytes - 4)];
    s.structs.set(name, { name, members, span: noSpan, trivia: noTrivia, innerComments: [] });
    s.order.push({ kind: "struct", name });
  }
  return { kind: "struct", name };
}

/** The parts of such a word, and how many bits lie below each. */
const partsOf = (s: Sema, type: StructType): readonly (readonly [part: StructMember, below: number])[] =>
  s.structs.get(type.name)!.members.map((m, i) => [m, 32 * i]);

/** An integer of so many bytes where it may lie at that byte, or a packed vector of the greatest that may. */
function bytesType(first: number, bytes: number): ScalarType | VectorType | undefined {
  if (bytes > 8) return undefined;
  for (const size of [8, 4, 2, 1]) {
    if (bytes % size !== 0 || first % size !== 0) continue;
    const count = bytes / size;
    if (count === 1) return wordType(8 * size);
    if (count <= 4) return vector(`u${8 * size}` as ScalarKind, count as VectorType["size"], true);
  }
  return undefined;
}

/** A word as the number that it is. */
export function wordValue(s: Sema, word: Expr, computed: Computed, span: Span): Expr {
  const { type } = word;
  if (type.kind === "struct") {
    const { first, values } = held(s, [word], span);
    const parts = partsOf(s, type).map(([m, below]) => {
      const part = wordValue(s, memberValue(values[0]!, m.name, m.type, span), computed, span);
      return below === 0 ? part : binary("shl", part, count(below, span), span);
    });
    return after(first, binary("or", parts[0]!, parts[1]!, span), span);
  }
  if (type.kind !== "vector") return convert(word, scalar(computed), false, span);
  const size = type.size === 3 ? 4 : type.size;
  const plain = convert(word, vector(type.scalar, type.size), false, span);
  const four = vector(type.scalar, size);
  const whole = type.size === size ? plain : construct(four, [plain, literal(type.scalar, 0, span)], span);
  return convert(bitcast(whole, wordType(size * bitWidth(type.scalar)), span), scalar(computed), false, span);
}

/** Such a number as a word of the type. */
export function asWord(s: Sema, value: Expr, type: Type, span: Span): Expr {
  if (type.kind === "struct") {
    const first: Expr[] = [];
    const known = evaluate(s, value) !== undefined || !s.fn;
    const number = known ? value : kept(s, value, first, span);
    const parts = partsOf(s, type).map(([m, below]) =>
      asWord(s, below === 0 ? number : binary("shr", number, count(below, span), span), m.type, span),
    );
    return after(first, construct(type, parts, span), span);
  }
  if (type.kind !== "vector") return convert(value, type, false, span);
  const known = evaluate(s, value);
  if (known !== undefined) {
    const { scalar: kind } = type;
    const part = (_: unknown, i: number): Expr =>
      literal(kind, Number((BigInt(known) >> BigInt(i * bitWidth(kind))) & maskOf(bitWidth(kind))), span);
    const plain = construct(vector(kind, type.size), Array.from({ length: type.size }, part), span);
    return convert(plain, type, false, span);
  }
  const size = type.size === 3 ? 4 : type.size;
  const number = convert(value, wordType(size * bitWidth(type.scalar)), false, span);
  const whole = bitcast(number, vector(type.scalar, size), span);
  return convert(type.size === size ? whole : swizzleValue(whole, [0, 1, 2], span), type, false, span);
}

/** Of an enumeration that does not say its type, whether one of its values is negative (clang). */
function isSigned(s: Sema, type: ScalarType): boolean {
  const of = enumerationOf(type);
  if (!of || of.fixed) return type.scalar[0] === "i";
  return s.enums[of.enumeration]!.enumerators.some((e) => e.value < 0);
}

const wordType = (bits: number): ScalarType => scalar(`u${bits}` as ScalarKind);

type Computed = BitField["computed"];

/** Of 64 bits, or of the lowest 32 of them. */
const wordOf = (kind: Computed, n: bigint, span: Span): Expr =>
  kind === "u64" ? literal(kind, BigInt.asUintN(64, n), span) : literal(kind, Number(BigInt.asUintN(32, n)), span);
const count = (n: number, span: Span): Expr => literal("u32", n, span);
const maskOf = (width: number): bigint => 2n ** BigInt(width) - 1n;

/** The number 1 where the field lies. */
export const oneOf = ({ computed, offset }: BitField, span: Span): Expr => wordOf(computed, 1n << BigInt(offset), span);

/** A word without the bits of a field. */
export const othersIn = (word: Expr, { computed, offset, width }: BitField, span: Span): Expr =>
  binary("and", word, wordOf(computed, ~(maskOf(width) << BigInt(offset)), span), span);

/** The value of a field in its word. */
export function extracted(s: Sema, word: Expr, { computed, offset, width, type, signed }: BitField, span: Span): Expr {
  const whole = wordValue(s, word, computed, span);
  const bits = bitWidth(computed);
  const ofType = (e: Expr): Expr => asNamed(convert(e, type, false, span), type);
  const above = bits - offset - width;
  if (signed) {
    const top = above === 0 ? whole : binary("shl", whole, count(above, span), span);
    const all = convert(top, computed === "u64" ? scalar("i64") : i32, true, span);
    return ofType(width === bits ? all : binary("shr", all, count(bits - width, span), span));
  }
  const low = offset === 0 ? whole : binary("shr", whole, count(offset, span), span);
  // Of a bool DXC reads the first bit.
  const kept = type.kind === "scalar" && type.scalar === "bool" ? 1 : width;
  const own = above === 0 && kept === width ? low : binary("and", low, wordOf(computed, maskOf(kept), span), span);
  return ofType(own);
}

/** The bits of a value where the field lies, the others being zero, in what its word is computed in. */
export function placedBits(s: Sema, value: Expr, { computed, offset, width }: BitField, span: Span): Expr {
  const known = evaluate(s, value);
  if (known !== undefined) return wordOf(computed, (BigInt(known) & maskOf(width)) << BigInt(offset), span);
  const low = binary("and", convert(value, scalar(computed), false, span), wordOf(computed, maskOf(width), span), span);
  return offset === 0 ? low : binary("shl", low, count(offset, span), span);
}

/** A word of which each field is given. */
export function wordFrom(s: Sema, type: Type, given: readonly (readonly [BitField, Expr])[], span: Span): Expr {
  const bits = given.map(([field, value]) => placedBits(s, value, field, span));
  const constants = bits.filter((b) => b.kind === "literal");
  const sum = constants.reduce((all, b) => all + BigInt(b.value), 0n);
  const known = wordOf(given[0]?.[0].computed ?? "u32", sum, span);
  const others = bits.filter((b) => b.kind !== "literal");
  const parts = sum === 0n && others.length > 0 ? others : [...others, known];
  return asWord(
    s,
    parts.reduce((all, one) => binary("or", all, one, span)),
    type,
    span,
  );
}

/** What is computed with: of a field that has no more bits than an int, an int that holds its values (C++14 4.5 (5)). */
export function promotedField(s: Sema, v: Value, e: Expr): Expr {
  const { field } = v.field ?? {};
  if (s.reading.declarations.bitFields !== "C++" || !field || enumerationOf(field.type)) return e;
  const { scalar: kind } = field.type;
  if ((kind === "u32" || kind === "u64") && field.width < 32) return convert(e, i32, false, e.span);
  if (bitWidth(kind) === 64 && field.width <= 32) return convert(e, kind === "i64" ? i32 : u32, false, e.span);
  return e;
}

/** What a list gives values to: the members of a struct, with its bit-fields in place of their words. */
export function listedMembers(s: Sema, { name }: StructType): readonly StructMember[] {
  const { members } = s.structs.get(name)!;
  const fields = s.bitFields.get(name);
  if (!fields) return members;
  const room = s.roomOfBits.get(name);
  return members.flatMap((m) => {
    if (room?.has(m.name)) return [];
    const own = [...fields].filter(([, f]) => f.word === m.name);
    return own.length === 0 ? [m] : own.map(([name, f]) => ({ ...m, name, type: f.type }));
  });
}

/** The values of the members of a struct, of those that a list gives. */
export function membersFrom(s: Sema, { name }: StructType, listed: readonly Expr[], span: Span): readonly Expr[] {
  const { members } = s.structs.get(name)!;
  const fields = s.bitFields.get(name);
  if (!fields) return listed;
  const room = s.roomOfBits.get(name);
  let next = 0;
  return members.map((m) => {
    if (room?.has(m.name)) return convert(wordOf("u32", 0n, span), m.type, false, span);
    const own = [...fields.values()].filter((f) => f.word === m.name);
    if (own.length === 0) return listed[next++]!;
    return wordFrom(
      s,
      m.type,
      own.map((f) => [f, listed[next++]!]),
      span,
    );
  });
}

/** A struct whose dialect has no bit-fields, or none that are read yet. */
export function noSuchBitFields(s: Sema, span: Span): undefined {
  const { bitFieldsBy } = s.reading.declarations;
  const help = "keep the bits in an integer: shifts and masks take them out";
  return bitFieldsBy !== undefined
    ? error(s, "XL2013", `${s.language.name} has no bit-fields`, span, {
        help: `${help}; clang takes them behind #pragma OPENCL EXTENSION ${bitFieldsBy} : enable`,
      })
    : notYet(s, "bit-fields are", span, help);
}

/** Whether the dialect has them here: of those that have them by an extension, where a pragma before has enabled it. */
export function hasBitFields(s: Sema, { start }: Span): boolean {
  const { bitFields, bitFieldsBy } = s.reading.declarations;
  if (bitFields === undefined || bitFieldsBy === undefined) return bitFields !== undefined;
  const says = s.source.directives.flatMap(({ kind, text, span }) => {
    const said =
      kind === "pragma" && span.start < start ? /\bOPENCL\s+EXTENSION\s+(\w+)\s*:\s*(\w+)/.exec(text) : undefined;
    return said?.[1] === bitFieldsBy ? [said[2] === "enable"] : [];
  });
  return says.at(-1) === true;
}
