/**
 * Bit-fields, in words: where they lie is what clang lists for C++ (Itanium C++ ABI 2.4), and DXC for ints of HLSL 2021, which is the
 * same. The first has the lowest bits of its word; one that would cross a boundary of its own type begins at it.
 */
import { binary, convert, literal } from "../ast/builders.js";
import { noTrivia, type Expr, type StructMember, type Trivia } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import type { Span } from "../support/span.js";
import { layoutOf, memberOffsets } from "../types/layout.js";
import {
  bitWidth,
  enumerationOf,
  i32,
  scalar,
  type ScalarKind,
  type ScalarType,
  type StructType,
  type Type,
} from "../types/types.js";
import { evaluate } from "./constants.js";
import { error, notYet, type Sema, type Value } from "./context.js";

export interface BitField {
  /** The member that holds it, an unsigned integer of 8 to 32 bits. */
  readonly word: string;
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
}

export const noBitFields = (): BitFields => ({ fields: new Map(), room: new Set(), run: [] });

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
  const kinds: readonly ScalarKind[] = ofCpp ? ["i8", "u8", "i16", "u16", "i32", "u32", "bool"] : ["i32", "u32"];
  if (!ofCpp && !x.name) return notYet(s, "bit-fields without a name are", x.span) ?? false;
  if (type.kind !== "scalar" || !kinds.includes(type.scalar) || (type.distinct && !(ofCpp && enumerationOf(type)))) {
    const what = ofCpp ? "integers of up to 32 bits" : "int and uint";
    return notYet(s, `bit-fields of other types than ${what} are`, bits.span, "keep the bits in an integer") ?? false;
  }
  if (x.initializer) return notYet(s, "a default value of a bit-field is", x.span, "set it in a constructor") ?? false;
  if (given === undefined) return false;
  const width = Number(given);
  const most = type.scalar === "bool" ? 8 : bitWidth(type.scalar);
  if (width < (x.name ? 1 : 0) || width > (type.scalar === "bool" ? 1 : most)) {
    const range = type.scalar === "bool" ? "1 bit" : `1 to ${most} bits`;
    return error(s, "XL2013", `a bit-field of this type has ${range}, not ${width}`, bits.span) ?? false;
  }
  run.push({ name: x.name?.name, type, width, span: x.name ? bits.span : x.span, trivia });
  return true;
}

const unitOf = ({ scalar: kind }: ScalarType): number => (kind === "bool" ? 8 : bitWidth(kind));
const upTo = (n: number, unit: number): number => Math.ceil(n / unit) * unit;

/**
 * The words of the run, behind the members before it; `next`: the type of the member that follows. Undefined where a word would be
 * shared with those, which has been reported.
 */
export function wordsOfRun(
  s: Sema,
  { fields, room, run }: BitFields,
  before: readonly StructMember[],
  next: Type | undefined,
): StructMember[] | undefined {
  const all = run.splice(0);
  if (all.length === 0) return [];
  const { span } = all[0]!;
  const refused = (): undefined =>
    notYet(s, "a bit-field that shares a word with another member is", span, "keep the bits in an integer");
  const named = all.filter((f) => f.name !== undefined);
  const unit = Math.max(0, ...named.map((f) => unitOf(f.type)));
  // Whether one without a name aligns the struct differs between platforms.
  if (all.some((f) => unitOf(f.type) > unit))
    return notYet(s, "a bit-field without a name that is wider than those with one is", span);
  const last = before.at(-1);
  const start =
    last === undefined
      ? 0
      : 8 *
        (memberOffsets({ members: before }, "natural", s.structs).at(-1)! +
          layoutOf(last.type, "natural", s.structs).size);
  if (start % unit !== 0) return refused();
  const words: StructMember[] = [];
  const keepRoom = (name: string): void => {
    words.push({ name, type: wordType(unit), trivia: noTrivia, span });
    room.add(name);
  };
  let at = 0;
  for (const { name, type, width, span, trivia } of all) {
    const own = unitOf(type);
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
    fields.set(name, { word: words[index]!.name, offset, width, type, signed: isSigned(s, type), span });
  }
  while (words.length * unit < at) keepRoom(`${words.at(-1)!.name}_more`);
  if (next) {
    const align = 8 * layoutOf(next, "natural", s.structs).align;
    if (upTo(at, Math.max(8, align)) !== upTo(words.length * unit, align)) return refused();
  }
  return words;
}

/** Of an enumeration that does not say its type, whether one of its values is negative (clang). */
function isSigned(s: Sema, type: ScalarType): boolean {
  const of = enumerationOf(type);
  if (!of || of.fixed) return type.scalar[0] === "i";
  return s.enums[of.enumeration]!.enumerators.some((e) => e.value < 0);
}

const wordType = (bits: number): ScalarType => scalar(`u${bits}` as "u8" | "u16" | "u32");

export const wordOf = (n: number, span: Span): Expr => literal("u32", n >>> 0, span);
export const maskOf = (width: number): number => (width === 32 ? 0xffffffff : 2 ** width - 1);

/** The value of a field in its word. */
export function extracted(word: Expr, { offset, width, type, signed }: BitField, span: Span): Expr {
  const whole = convert(word, scalar("u32"), false, span);
  const above = 32 - offset - width;
  if (signed) {
    const top = above === 0 ? whole : binary("shl", whole, wordOf(above, span), span);
    const all = convert(top, i32, true, span);
    return convert(width === 32 ? all : binary("shr", all, wordOf(32 - width, span), span), type, false, span);
  }
  const low = offset === 0 ? whole : binary("shr", whole, wordOf(offset, span), span);
  return convert(above === 0 ? low : binary("and", low, wordOf(maskOf(width), span), span), type, false, span);
}

/** The bits of a value where the field lies, the others being zero, as a `u32`. */
export function placedBits(s: Sema, value: Expr, { offset, width }: BitField, span: Span): Expr {
  const known = evaluate(s, value);
  if (known !== undefined) {
    const bits = BigInt.asUintN(32, BigInt(known)) & BigInt(maskOf(width));
    return wordOf(Number(bits) * 2 ** offset, span);
  }
  const low = binary("and", convert(value, scalar("u32"), false, span), wordOf(maskOf(width), span), span);
  return offset === 0 ? low : binary("shl", low, wordOf(offset, span), span);
}

/** A word of which each field is given. */
export function wordFrom(s: Sema, type: Type, given: readonly (readonly [BitField, Expr])[], span: Span): Expr {
  const bits = given.map(([field, value]) => placedBits(s, value, field, span));
  const constants = bits.filter((b) => b.kind === "literal");
  const known = wordOf(
    constants.reduce((all, b) => all + Number(b.value), 0),
    span,
  );
  const others = bits.filter((b) => b.kind !== "literal");
  const parts = known.kind === "literal" && known.value === 0 && others.length > 0 ? others : [...others, known];
  return convert(
    parts.reduce((all, one) => binary("or", all, one, span)),
    type,
    false,
    span,
  );
}

/** What is computed with: of a field that has fewer bits than an int, an int (C++14 4.5 (5)). */
export function promotedField(s: Sema, v: Value, e: Expr): Expr {
  const { field } = v.field ?? {};
  const rises =
    s.reading.declarations.bitFields === "C++" &&
    field?.type.scalar === "u32" &&
    field.width < 32 &&
    !enumerationOf(field.type);
  return rises ? convert(e, i32, false, e.span) : e;
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
    if (room?.has(m.name)) return convert(wordOf(0, span), m.type, false, span);
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
  const help = "keep the bits in an integer: shifts and masks take them out";
  return s.reading.declarations.noBitFields
    ? error(s, "XL2013", `${s.language.name} has no bit-fields`, span, { help })
    : notYet(s, "bit-fields are", span, help);
}
