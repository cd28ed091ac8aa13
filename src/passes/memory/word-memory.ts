/**
 * Memory that is words: buffers the target binds as such, and objects that are looked at as other types. Places of the source have
 * an address in bytes there, laid out as the source lays them out; values are made of words and become words.
 */
import type { ModuleEditor } from "../../ast/builders.js";
import {
  assign,
  binary,
  bitcast,
  construct,
  convert,
  declare,
  element,
  expressionStatement,
  i32Literal,
  literal,
  literalValue,
  load,
  rootVariable,
  swizzleValue,
  variablePlace,
} from "../../ast/builders.js";
import {
  type Expr,
  type Module,
  type Place,
  type StructMember,
  type Resource,
  type Statement,
  type Variable,
  type VarId,
  type ViewPlace,
} from "../../ast/nodes.js";
import type { Dialect } from "../../dialects/ids.js";
import { bufferLayout, factsOf } from "../../dialects/languages.js";
import { repeatablePlace } from "../../ast/held-place.js";
import { isPure } from "../../ast/walk.js";
import { append } from "../../support/append.js";
import { gcd } from "../../support/gcd.js";
import { noSpan, type Span } from "../../support/span.js";
import {
  arrayStride,
  PackedStructs,
  layoutOf,
  memberOffsets,
  scalarSize,
  type LayoutRule,
} from "../../types/layout.js";
import {
  array,
  bitWidth,
  componentCount,
  isFloat,
  isInteger,
  sameType,
  scalar,
  scalarOf,
  shaped,
  showType,
  u32,
  vector,
  type ArrayType,
  type ScalarKind,
  type ScalarType,
  type StructType,
  type Type,
} from "../../types/types.js";
import { byteRemainder } from "./byte-remainder.js";
import { unitAt, UnalignedWords, type UnalignedAddress } from "./unaligned-words.js";
import { wordsOf, wordsOfOwnUnion } from "./viewed-objects.js";
import { wholeMember } from "./whole-member.js";
import { WordParts, type ByteAddress } from "./word-parts.js";

/** A place in a raw buffer. `view`: what its moving part starts with. */
export type Address = ByteAddress & {
  readonly view?: ViewPlace;
  /** Of what is packed: what the moving part is a multiple of. Else values lie at multiples of what they are aligned to. */
  readonly step?: number;
};

/** The lowest bits of a word as a value of a type of so many bits. */
export function fromPart(word: Expr, type: ScalarType, size: number, span: Span): Expr {
  if (type.scalar === "bool")
    return binary("ne", binary("and", word, literal("u32", 2 ** size - 1, span), span), literal("u32", 0, span), span);
  if (isFloat(type.scalar)) return bitcast(convert(word, scalar("u16"), true, span), type, span);
  return convert(word, type, true, span);
}

/** A value of 8 or 16 bits as the lowest bits of a word. */
export function partOf(value: Expr, type: ScalarType, span: Span): Expr {
  const known = isInteger(type.scalar) ? literalValue(value) : undefined;
  if (known !== undefined)
    return literal("u32", Number(BigInt.asUintN(bitWidth(type.scalar), BigInt(known))), value.span);
  // What a conversion takes off is taken off by the store as well.
  const from = value.kind === "convert" ? scalarOf(value.operand.type) : undefined;
  if (value.kind === "convert" && from && isInteger(from) && bitWidth(from) >= 32 && isInteger(type.scalar))
    return sameType(value.operand.type, u32) ? value.operand : convert(value.operand, u32, true);
  return convert(isFloat(type.scalar) ? bitcast(value, scalar("u16"), span) : value, u32, true, span);
}

/** What bools that are parts of words are there. */
const storedKind = (kind: ScalarKind): ScalarKind => (kind === "bool" ? "u8" : kind);

export class WordMemory {
  private readonly rule: LayoutRule;
  private readonly packed: PackedStructs;
  readonly parts8and16: WordParts;
  readonly unaligned: UnalignedWords;
  /** Whether the target, too, addresses buffers of words in bytes. */
  readonly inBytes: boolean;

  constructor(
    private readonly module: Module,
    private readonly editor: ModuleEditor,
    target: Dialect,
    private readonly raw: ReadonlyMap<VarId, Resource>,
    /** Workgroup and private objects that pointers to something else point into: words too. */
    private readonly objects: ReadonlyMap<VarId, Variable>,
    /** Told of a union that would be moved, no member of which fills all of its bytes. */
    private readonly refuseUnion: (span: Span) => void,
  ) {
    this.rule = bufferLayout(module.dialect);
    this.packed = new PackedStructs(module.structs);
    this.inBytes = factsOf(target)?.byteAddressBuffers ?? false;
    this.parts8and16 = new WordParts(this.editor, (id) => ({
      inBytes: this.inBytes && this.raw.has(id),
      type: this.wordsType(id),
      own: this.objects.get(id)?.space === "private",
    }));
    this.unaligned = new UnalignedWords(this.editor, this.parts8and16);
  }

  /** The words an object is. */
  wordsType(id: VarId): Type {
    const v = this.objects.get(id);
    if (!v) return array(u32, undefined);
    return wordsOf(v, this.module);
  }

  isRaw(p: Place): boolean {
    const root = rootVariable(p);
    if (root === undefined) return false;
    if (!this.inWordObject(root)) return wordsOfOwnUnion(p, this.module) !== undefined;
    // Words that are handed over.
    return p.kind !== "variable" || !this.objects.has(root) || !sameType(p.type, this.wordsType(root));
  }

  private inWordObject(root: VarId): boolean {
    return this.raw.has(root) || this.objects.has(root);
  }

  // ---------------------------------------------------------------- addresses

  address(p: Place): Address {
    const at = this.addressOf(p);
    return this.isPacked(p) ? { ...at, step: this.step(p) } : at;
  }

  /** Whether it lies in a packed struct or union, or has one in it, or where a cast pointer to it is seen to lie askew. */
  private isPacked(p: Place): boolean {
    const { structs } = this.module;
    const align = (type: Type): number => layoutOf(type, this.rule, structs).align;
    if (this.packed.isIn(p.type)) return true;
    for (let at = p; "base" in at; at = at.base) {
      if (this.packed.isIn(at.base.type)) return true;
      if (at.kind === "view" && this.remainder(at) !== 0) return true;
      if (
        at.kind === "view" &&
        at.base.kind !== "variable" &&
        align((at.type as ArrayType).element) > align(at.base.type)
      )
        return true;
    }
    return false;
  }

  /** What the part of an address that is known at run time only is a multiple of. */
  private step(p: Place): number {
    switch (p.kind) {
      case "element": {
        const within = this.step(p.base);
        if (literalValue(p.index) !== undefined) return within;
        return gcd(within, this.stride(p.base.type, this.ruleOf(rootVariable(p)!)));
      }
      case "view": {
        const within = this.step(p.base);
        if (literalValue(p.offset) !== undefined) return within;
        const { align } = layoutOf((p.type as ArrayType).element, this.rule, this.module.structs);
        return gcd(within, gcd(align, this.remainder(p)));
      }
      case "member":
      case "swizzle":
        return this.step(p.base);
      case "variable":
      case "deref":
        return 0;
    }
  }

  /** Of words and parts of them: how many bytes behind a multiple of their alignment a view is seen to begin; 0 where that is taken for granted. */
  private remainder(p: Place & { readonly kind: "view" }): number {
    const { align } = layoutOf((p.type as ArrayType).element, this.rule, this.module.structs);
    return byteRemainder(p.offset, Math.min(align, 4)) ?? 0;
  }

  /** The address of so many bytes behind one, where a value of so many bytes is not surely in words of its own there. */
  private unalignedAt(at: Address, bytes: number, size: 2 | 4): UnalignedAddress | undefined {
    if (at.step === undefined) return undefined;
    const there = { ...at, step: at.step, fixed: at.fixed + bytes };
    return unitAt(there) < size ? there : undefined;
  }

  /** Whether atomics can act on the word there. */
  isWhole(p: Place): boolean {
    return this.unalignedAt(this.address(p), 0, 4) === undefined;
  }

  private addressOf(p: Place): Address {
    switch (p.kind) {
      case "variable":
        return { buffer: p.variable, fixed: 0 };
      case "member": {
        const at = this.addressOf(p.base);
        const declared = this.module.structs.get((p.base.type as Type & { kind: "struct" }).name)!;
        const i = declared.members.findIndex((m) => m.name === p.member);
        return { ...at, fixed: at.fixed + memberOffsets(declared, this.ruleOf(at.buffer), this.module.structs)[i]! };
      }
      case "element": {
        const at = this.addressOf(p.base);
        const stride = this.stride(p.base.type, this.ruleOf(at.buffer));
        const known = literalValue(p.index);
        if (known !== undefined) return { ...at, fixed: at.fixed + Number(known) * stride };
        const index = convert(p.index, u32, false, p.index.span);
        const step = stride === 1 ? index : binary("mul", index, literal("u32", stride, p.span), p.span);
        return { ...at, moving: at.moving ? binary("add", at.moving, step, p.span) : step };
      }
      case "swizzle": {
        const at = this.addressOf(p.base);
        return p.components.length === 1
          ? { ...at, fixed: at.fixed + p.components[0]! * this.stride(p.base.type, this.ruleOf(at.buffer)) }
          : at;
      }
      case "view": {
        const buffer = rootVariable(p.base)!;
        const known = literalValue(p.offset);
        if (p.base.kind !== "variable") {
          // Members of unions, which begin where those begin.
          if (known !== 0) throw new Error("broken tree: a view of a part begins at its start");
          const isOutermost = !this.inWordObject(buffer) && !wordsOfOwnUnion(p.base, this.module);
          return isOutermost ? { buffer, words: p.base, fixed: 0 } : this.addressOf(p.base);
        }
        return known === undefined ? { buffer, fixed: 0, moving: p.offset, view: p } : { buffer, fixed: Number(known) };
      }
      case "deref":
        throw new Error("a pointer was not lowered");
    }
  }

  /** How the buffer or object with this variable lies. */
  ruleOf(id: VarId): LayoutRule {
    return this.raw.get(id)?.layout ?? this.rule;
  }

  stride(base: Type, rule: LayoutRule): number {
    switch (base.kind) {
      case "array":
        return arrayStride(base.element, rule, this.module.structs);
      case "matrix":
        return arrayStride(shaped(base.scalar, base.rows), rule, this.module.structs);
      case "vector":
        return scalarSize(base.scalar, rule);
      default:
        throw new Error(`${showType(base)} has no elements`);
    }
  }

  /** The address, computed once: what other statements or side effects could change is held. */
  held(before: Statement[], p: Place, always: boolean): Address {
    const given = this.address(p);
    const words =
      given.words &&
      repeatablePlace(
        given.words,
        (e) => this.keep(before, "at", e),
        (e) => !always && isPure(e),
      );
    const at = words ? { ...given, words } : given;
    if (!at.moving || (!always && isPure(at.moving))) return at;
    const { view: _view, ...rest } = at;
    return { ...rest, moving: this.keep(before, "at", at.moving) };
  }

  keep(before: Statement[], name: string, e: Expr): Expr {
    const v = this.editor.addVariable({
      name,
      type: e.type,
      space: "private",
      role: "local",
      constant: true,
      span: noSpan,
    });
    before.push(declare(v.id, e));
    return load(variablePlace(v), e.span);
  }

  /** The word `bytes` after the address. Words of one place share the number of the first. */
  word(at: Address, bytes: number, span: Span): Place {
    const buffer = at.words ?? variablePlace({ id: at.buffer, type: this.wordsType(at.buffer) }, span);
    if (!at.moving) return element(buffer, literal("u32", (at.fixed + bytes) / 4, span), span);
    // Of an index below 0 the number wraps, as the sum does.
    const plus = (e: Expr, n: number): Expr => (n === 0 ? e : binary("add", e, literal("u32", n >>> 0, span), span));
    const inBytes = this.inBytes && this.raw.has(at.buffer);
    // What else has to be a multiple of 4 is divided as a sum: a part of it may lie before the object, and has wrapped.
    const quarter = inBytes ? undefined : quarterOf(at.moving);
    if (quarter && at.fixed % 4 === 0) return element(buffer, asIndex(plus(quarter, (at.fixed + bytes) / 4)), span);
    return element(
      buffer,
      plus(binary("shr", plus(at.moving, at.fixed), literal("u32", 2, span), span), bytes / 4),
      span,
    );
  }

  // ---------------------------------------------------------------- values

  /** Whether a vector is read and written by whole words. */
  private inWords(type: Type & { kind: "vector" }, { buffer }: Address): boolean {
    const { align } = layoutOf(type, this.ruleOf(buffer), this.module.structs);
    return align % 4 === 0 && (type.size * this.bits(type.scalar)) % 32 === 0;
  }

  bits(kind: ScalarKind): number {
    return 8 * scalarSize(kind, this.rule);
  }

  /** The value of a type from the words at an address. */
  value(at: Address, type: Type, bytes: number, span: Span): Expr {
    switch (type.kind) {
      case "scalar": {
        const size = this.bits(type.scalar);
        if (size < 32) return fromPart(this.part(at, bytes, size as 8 | 16, span), type, size, span);
        return this.fromBits(this.words(at, bytes, size / 32, span), type, span);
      }
      case "vector": {
        const size = this.bits(type.scalar);
        const one = scalar(type.scalar);
        if (size === 32) return this.fromBits(this.words(at, bytes, type.size, span), type, span);
        if (size > 32 || !this.inWords(type, at)) {
          return construct(
            type,
            Array.from({ length: type.size }, (_, i) => this.value(at, one, bytes + (i * size) / 8, span)),
            span,
          );
        }
        const each = 32 / size;
        const bits = storedKind(type.scalar);
        const pieces = Array.from({ length: type.size / each }, (_, i) => {
          const own = each === type.size ? type : vector(type.scalar, each as 2);
          const lies = bits === type.scalar ? own : vector(bits, each as 2);
          const piece = bitcast(this.words(at, bytes + 4 * i, 1, span), lies, span);
          return lies === own ? piece : convert(piece, own, true, span);
        });
        return pieces.length === 1 ? pieces[0]! : construct(type, pieces, span);
      }
      case "matrix": {
        const column = shaped(type.scalar, type.rows);
        return construct(
          type,
          this.parts(
            at,
            type,
            Array.from({ length: type.columns }, () => column),
            bytes,
            span,
          ),
          span,
        );
      }
      case "array":
        return construct(
          type,
          this.parts(
            at,
            type,
            Array.from({ length: type.length ?? 0 }, () => type.element),
            bytes,
            span,
          ),
          span,
        );
      case "struct": {
        const declared = this.module.structs.get(type.name)!;
        if (declared.union) {
          const m = this.wholeOf(type, at, span);
          const made = construct(type, [this.value(at, m.type, bytes, m.span)], span);
          return m === declared.members[0] ? made : ({ ...made, member: m.name } as Expr);
        }
        const offsets = memberOffsets(declared, this.ruleOf(at.buffer), this.module.structs);
        return construct(
          type,
          declared.members.map((m, i) => this.value(at, m.type, bytes + offsets[i]!, m.span)),
          span,
        );
      }
      case "pointer":
      case "void":
        throw new Error(`${showType(type)} in a buffer`);
    }
  }

  /** The member that a union is moved as. */
  private wholeOf(type: StructType, at: Address, span: Span): StructMember {
    const { members } = this.module.structs.get(type.name)!;
    const rule = this.ruleOf(at.buffer);
    const { size } = layoutOf(type, rule, this.module.structs);
    const found = wholeMember({ members }, size, rule, this.module.structs);
    if (!found) this.refuseUnion(span);
    return members.find((m) => m === found) ?? members[0]!;
  }

  /** A word whose lowest bits are those of a value of 8 or 16, so many bytes behind an address. */
  part(at: Address, bytes: number, size: 8 | 16, span: Span): Expr {
    const across = size === 16 ? this.unalignedAt(at, bytes, 2) : undefined;
    return across
      ? this.unaligned.load(across, 16, span)
      : this.parts8and16.load({ ...at, fixed: at.fixed + bytes }, span);
  }

  /** Stores the lowest bits of a word. */
  storePart(before: Statement[], at: Address, bytes: number, size: 8 | 16, value: Expr, span: Span): void {
    const across = size === 16 ? this.unalignedAt(at, bytes, 2) : undefined;
    if (across) this.storeAcross(before, across, 16, value, span);
    else before.push(this.parts8and16.store({ ...at, fixed: at.fixed + bytes }, size, value, span));
  }

  private storeAcross(before: Statement[], at: UnalignedAddress, size: 16 | 32, value: Expr, span: Span): void {
    append(
      before,
      this.unaligned.store(at, size, value, (e) => this.keep(before, "value", e), span),
    );
  }

  private words(at: Address, bytes: number, count: number, span: Span): Expr {
    const list = Array.from({ length: count }, (_, i) => {
      const across = this.unalignedAt(at, bytes + 4 * i, 4);
      return across ? this.unaligned.load(across, 32, span) : load(this.word(at, bytes + 4 * i, span), span);
    });
    return count === 1 ? list[0]! : construct(shaped("u32", count), list, span);
  }

  private parts(at: Address, whole: Type, parts: readonly Type[], bytes: number, span: Span): Expr[] {
    const stride = this.stride(whole, this.ruleOf(at.buffer));
    return parts.map((p, i) => this.value(at, p, bytes + i * stride, span));
  }

  private fromBits(bits: Expr, type: Type, span: Span): Expr {
    if (type.kind === "scalar" || type.kind === "vector") {
      if (type.scalar === "bool") return convert(bits, type, true, span);
      // To a packed vector, which is another type until it is a plain one.
      if (type.scalar === "u32" || type.scalar === "i32")
        return sameType(bits.type, type) ? bits : convert(bits, type, true, span);
    }
    return bitcast(bits, type, span);
  }

  private toBits(value: Expr, span: Span): Expr {
    if (bitWidth(scalarOf(value.type)!) === 64) return bitcast(value, shaped("u32", 2), span);
    const type = shaped("u32", componentCount(value.type)!);
    const kind = scalarOf(value.type);
    if (kind === "u32" && sameType(value.type, type)) return value;
    return kind === "bool" || kind === "i32" || kind === "u32"
      ? convert(value, type, true, span)
      : bitcast(value, type, span);
  }

  /** A vector of bools as the bytes it is in memory. */
  private stored(v: Expr): Expr {
    const kind = scalarOf(v.type)!;
    const bits = storedKind(kind);
    return bits === kind ? v : convert(v, shaped(bits, componentCount(v.type)!), true, v.span);
  }

  read(before: Statement[], p: Place): Expr {
    if (p.kind === "swizzle" && p.components.length > 1)
      return swizzleValue(this.read(before, p.base), p.components, p.span);
    const given = this.address(p);
    const at = this.isNamedOnce(given, p.type) ? given : this.held(before, p, false);
    return this.value(at, p.type, 0, p.span);
  }

  /** Whether the text of a value has its address once: parts of words that are no helper's, and several words, name it again. */
  private isNamedOnce(at: Address, type: Type): boolean {
    if (type.kind !== "scalar") return false;
    const bits = this.bits(type.scalar);
    if (bits > 32 || (bits < 32 && this.parts8and16.isOwn(at))) return false;
    const across = bits === 8 ? undefined : this.unalignedAt(at, 0, bits === 32 ? 4 : 2);
    return across === undefined || (bits === 32 && this.unaligned.isCalled(across));
  }

  /** The value at an address of this place. */
  readAt(at: Address, p: Place): Expr {
    if (p.kind === "swizzle" && p.components.length > 1)
      return swizzleValue(this.value(at, p.base.type, 0, p.span), p.components, p.span);
    return this.value(at, p.type, 0, p.span);
  }

  /** Statements that write a value that is held already, or is used once. */
  write(before: Statement[], p: Place, at: Address, value: Expr): void {
    const store = (bytes: number, bits: Expr): void => {
      const across = this.unalignedAt(at, bytes, 4);
      if (across) this.storeAcross(before, across, 32, bits, p.span);
      else before.push(expressionStatement(assign(this.word(at, bytes, p.span), bits, p.span), p.span));
    };
    const wide = p.kind === "swizzle" && p.components.length > 1 ? p.components : undefined;
    const put = (v: Expr, type: Type, bytes: number): void => {
      switch (type.kind) {
        case "scalar": {
          const size = this.bits(type.scalar);
          if (size < 32) return this.storePart(before, at, bytes, size as 8 | 16, partOf(v, type, p.span), p.span);
          if (size === 32) return store(bytes, this.toBits(v, p.span));
          const bits = this.keep(before, "value", this.toBits(v, p.span));
          store(bytes, swizzleValue(bits, [0], p.span));
          return store(bytes + 4, swizzleValue(bits, [1], p.span));
        }
        case "vector": {
          const size = this.bits(type.scalar);
          if (size !== 32 || this.unalignedAt(at, bytes, 4)) {
            const whole = this.keep(before, "value", v);
            const each = 32 / size;
            const packed = size < 32 && wide === undefined && this.inWords(type, at);
            for (let i = 0; i < type.size; i += packed ? each : 1) {
              const run = packed ? Array.from({ length: each }, (_, k) => i + k) : [i];
              const part = type.size === run.length ? whole : swizzleValue(whole, run, p.span);
              if (packed) store(bytes + (i * size) / 8, bitcast(this.stored(part), u32, p.span));
              else put(part, scalar(type.scalar), bytes + ((wide ? wide[i]! : i) * size) / 8);
            }
            return;
          }
          // As the words of one Store2, Store3 or Store4.
          const first = this.word(at, bytes, p.span) as Place & { kind: "element" };
          const row = wide?.every((k, i) => k === wide[0]! + i) ?? true;
          const start =
            row && literalValue(first.index) === undefined
              ? this.keep(before, "word", convert(first.index, u32, false, p.span))
              : undefined;
          const bits = this.keep(before, "value", this.toBits(v, p.span));
          for (let i = 0; i < type.size; i++) {
            const k = wide ? wide[i]! : i;
            const next = start && (k === 0 ? start : binary("add", start, literal("u32", k, p.span), p.span));
            const target = next ? element(first.base, next, p.span) : this.word(at, bytes + 4 * k, p.span);
            before.push(expressionStatement(assign(target, swizzleValue(bits, [i], p.span), p.span), p.span));
          }
          return;
        }
        default: {
          const kept = this.editor.addVariable({
            name: "value",
            type,
            space: "private",
            role: "local",
            constant: true,
            span: noSpan,
          });
          before.push(declare(kept.id, v));
          const from = variablePlace(kept);
          if (type.kind === "struct") {
            const declared = this.module.structs.get(type.name)!;
            const offsets = memberOffsets(declared, this.ruleOf(at.buffer), this.module.structs);
            (declared.union ? [this.wholeOf(type, at, p.span)] : declared.members).forEach((m, i) =>
              put(
                load({ kind: "member", base: from, member: m.name, type: m.type, span: p.span }),
                m.type,
                bytes + offsets[i]!,
              ),
            );
            return;
          }
          const n = type.kind === "matrix" ? type.columns : ((type as Type & { kind: "array" }).length ?? 0);
          for (let i = 0; i < n; i++) {
            const part = element(from, i32Literal(i), p.span);
            put(load(part), part.type, bytes + i * this.stride(type, this.ruleOf(at.buffer)));
          }
        }
      }
    };
    put(value, p.type, 0);
  }
}

/** Of either sign: a conversion that nobody would write is none. */
function asIndex(e: Expr): Expr {
  const from = e.kind === "convert" && !e.explicit ? scalarOf(e.operand.type) : undefined;
  return e.kind === "convert" && (from === "i32" || from === "u32") ? e.operand : e;
}

/** The number of the word an address is that of, where all its parts are those of words. An address beyond 2^32 is in no buffer. */
function quarterOf(address: Expr): Expr | undefined {
  if (address.kind !== "binary") return undefined;
  const { operator, left, right, span } = address;
  if (operator === "add") {
    const [a, b] = [quarterOf(left), quarterOf(right)];
    return a && b && binary("add", a, b, span);
  }
  const factor = operator === "mul" ? literalValue(right) : undefined;
  if (typeof factor !== "number" || factor % 4 !== 0) return undefined;
  return factor === 4 ? left : binary("mul", left, literal("u32", factor / 4, right.span), span);
}
