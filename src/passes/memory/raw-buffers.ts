/**
 * Buffers the target cannot bind as they are (`isBoundAsWords`). The buffer is words, addressed in bytes, laid out as
 * the source lays it out; parts of words as word-parts.ts has them. A buffer whose bytes are no whole number of words is
 * bound with its last word filled up.
 */
import { calledIn } from "../../ops/spell.js";
import { isRelaxed, useOf } from "../../ops/use-of.js";
import { loopUntilExchanged } from "../lowerings/atomics.js";
import { typeIn } from "../../dialects/show-type.js";
import { rows } from "../../ops/table.js";
import { familyOf, opId } from "../../ast/op-ids.js";
import {
  assign,
  binary,
  bitcast,
  constantOf,
  construct,
  convert,
  declare,
  element,
  expressionStatement,
  i32Literal,
  literal,
  literalValue,
  load,
  ModuleEditor,
  opCall,
  rootVariable,
  swizzleValue,
  variablePlace,
} from "../../ast/builders.js";
import {
  noTrivia,
  type Argument,
  type Expr,
  type Module,
  type OpCall,
  type Place,
  type Resource,
  type Statement,
  type Trivia,
  type Variable,
  type VarId,
  type ViewPlace,
} from "../../ast/nodes.js";
import type { Dialect } from "../../dialects/ids.js";
import { bufferLayout, factsOf, languageFacts } from "../../dialects/languages.js";
import type { Comment } from "../../support/expanded-source.js";
import { repeatablePlace } from "../../ast/held-place.js";
import { isPure } from "../../ast/walk.js";
import { noSpan, type Span } from "../../support/span.js";
import {
  arrayStride,
  hasRuntimeTail,
  layoutOf,
  leavesOf,
  memberOffsets,
  scalarSize,
  scalarsOf,
  type LayoutRule,
} from "../../types/layout.js";
import {
  array,
  bitWidth,
  componentCount,
  f32,
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
  type Type,
} from "../../types/types.js";
import { decideType } from "../../caps/decide.js";
import { bufferDifference, isBoundAsWords } from "../interface/buffer-layouts.js";
import { Linearizer } from "../control-flow/linearize.js";
import type { PassContext, TextPass } from "../pass.js";
import {
  hasOwnUnions,
  valueAsWords,
  viewedObjects,
  viewedTypes,
  preparedForWords,
  wordsOf,
  wordsOfOwnUnion,
} from "./viewed-objects.js";
import { WordParts, type ByteAddress } from "./word-parts.js";

export const rawBuffers: TextPass = {
  name: "raw-buffers",
  requires: ["sizes-settled"],
  run(module, context) {
    if (context.target === module.dialect) return module;
    const raw = new Map<VarId, Resource>();
    for (const r of module.resources) {
      if (isBoundAsWords(r, module, context)) raw.set(r.variable, r);
    }
    const objects = languageFacts[context.target].pointers ? new Map() : viewedObjects(module, context);
    const none = raw.size + objects.size === 0 && !hasOwnUnions(module);
    if (none || context.problems.hasErrors) return module;
    return new RawBuffers(preparedForWords(module, objects, context), context, raw, objects).run();
  },
};

/** A place in a raw buffer. `view`: what its moving part starts with. */
type Address = ByteAddress & { readonly view?: ViewPlace };

const as = (e: Expr, type: Type): Expr => (sameType(e.type, type) ? e : convert(e, type, true));

/** The lowest bits of a word as a value of a type of so many bits. */
function fromPart(word: Expr, type: ScalarType, size: number, span: Span): Expr {
  if (type.scalar === "bool")
    return binary("ne", binary("and", word, literal("u32", 2 ** size - 1, span), span), literal("u32", 0, span), span);
  if (isFloat(type.scalar)) return bitcast(convert(word, scalar("u16"), true, span), type, span);
  return convert(word, type, true, span);
}

/** A value of 8 or 16 bits as the lowest bits of a word. */
function partOf(value: Expr, type: ScalarType, span: Span): Expr {
  const known = isInteger(type.scalar) ? literalValue(value) : undefined;
  if (known !== undefined)
    return literal("u32", Number(BigInt.asUintN(bitWidth(type.scalar), BigInt(known))), value.span);
  // What a conversion takes off is taken off by the store as well.
  const from = value.kind === "convert" ? scalarOf(value.operand.type) : undefined;
  if (value.kind === "convert" && from && isInteger(from) && bitWidth(from) >= 32 && isInteger(type.scalar))
    return as(value.operand, u32);
  return convert(isFloat(type.scalar) ? bitcast(value, scalar("u16"), span) : value, u32, true, span);
}

type Rewritten = { readonly before: readonly Statement[]; readonly value: Expr | undefined };

class RawBuffers {
  private readonly editor: ModuleEditor;
  private readonly rule: LayoutRule;
  private readonly parts8and16: WordParts;
  /** Whether the target, too, addresses buffers of words in bytes. */
  private readonly inBytes: boolean;

  constructor(
    private readonly module: Module,
    private readonly context: PassContext,
    private readonly raw: ReadonlyMap<VarId, Resource>,
    /** Workgroup and private objects that pointers to something else point into: words too. */
    private readonly objects: ReadonlyMap<VarId, Variable>,
  ) {
    this.editor = new ModuleEditor(module);
    this.rule = bufferLayout(module.dialect);
    this.inBytes = factsOf(context.target)?.byteAddressBuffers ?? false;
    this.parts8and16 = new WordParts(this.editor, (id) => ({
      inBytes: this.inBytes && this.raw.has(id),
      type: this.wordsType(id),
      own: this.objects.get(id)?.space === "private",
    }));
  }

  /** The words an object is. */
  private wordsType(id: VarId): Type {
    const v = this.objects.get(id);
    if (!v) return array(u32, undefined);
    return wordsOf(v, this.module);
  }

  run(): Module {
    const functions = this.module.functions.map((f) =>
      new Linearizer(this.editor, (e, discarded) => this.expression(e, discarded)).function(f),
    );
    const structs = new Map(this.module.structs);
    const described = new Set<string>();
    for (const id of this.raw.keys()) {
      const v = this.module.variables.get(id)!;
      const tail = hasRuntimeTail(v.type, this.module.structs);
      const held = v.type.kind === "array" ? v.type.element : v.type;
      // Parameters are described over the function that comes first: by name.
      const owner =
        languageFacts[this.context.target as Dialect].resources === "parameters"
          ? `${v.name}${v.type.kind === "array" ? "[]" : ""}.`
          : "";
      const places =
        held.kind === "struct"
          ? this.description(held.name, this.ruleOf(v.id), owner, tail && !described.has(held.name), v.span)
          : [];
      const leading = [...(v.trivia?.leading ?? []), ...places];
      if (held.kind === "struct") {
        described.add(held.name);
        if (tail) structs.delete(held.name);
      }
      this.editor.setVariable({ ...v, type: array(u32, undefined), trivia: { ...noTrivia, ...v.trivia, leading } });
    }
    for (const v of this.objects.values()) {
      const words = v.initializer && valueAsWords(v, this.module);
      this.editor.setVariable({
        ...v,
        type: this.wordsType(v.id),
        ...(words ? { initializer: words } : { constant: false }),
      });
    }
    const resources = this.module.resources.map((r): Resource => {
      if (!this.raw.has(r.variable)) return r;
      const { layout: _inWords, ...rest } = r;
      return { ...rest, view: "raw" };
    });
    const order = this.module.order.filter((o) => o.kind !== "struct" || structs.has(o.name));
    this.noteLayouts();
    this.noteParts();
    const helpers = this.parts8and16.functions();
    const made = helpers.map((f) => ({ kind: "function" as const, function: f.id }));
    return this.editor.finish({
      functions: [...helpers, ...functions],
      resources,
      structs,
      order: [...made, ...order],
    });
  }

  /** The struct's comments, and where its members are: `n: byte 0, x[]: byte 16 and every 16 from there`. */
  private description(struct: string, rule: LayoutRule, owner: string, withComments: boolean, span: Span): Comment[] {
    const d = this.module.structs.get(struct)!;
    const offsets = memberOffsets(d, rule, this.module.structs);
    const line = (text: string): Comment => ({
      kind: "line",
      text: `// ${text}`,
      offset: span.start,
      end: span.start,
      ownLine: true,
    });
    const places = d.members.map((m, i) => {
      const every = m.type.kind === "array" ? ` and every ${this.stride(m.type, rule)} from there` : "";
      return line(`${owner}${m.name}${m.type.kind === "array" ? "[]" : ""}: byte ${offsets[i]}${every}`);
    });
    if (!withComments) return places;
    const said = (t: Trivia): readonly Comment[] => [...t.leading, ...t.trailing];
    return [
      ...said(d.trivia),
      ...d.members.flatMap((m, i) => [...m.trivia.leading, places[i]!, ...m.trivia.trailing]),
      ...d.innerComments,
    ];
  }

  private noteLayouts(): void {
    const target = this.context.target as Dialect;
    for (const r of this.raw.values()) {
      const { name, span } = this.module.variables.get(r.variable)!;
      const why = bufferDifference(r, this.module, target);
      if (why !== undefined)
        this.context.note(
          "emulated",
          "layout",
          `${name} is words, where the source lays its values: ${languageFacts[target].name} would lay them out otherwise (${why})`,
          span,
        );
    }
  }

  /** What a host has to know: without it the last bytes of a buffer are outside. */
  private noteParts(): void {
    const buffers = [...this.raw.keys()].filter((id) =>
      [this.module.variables.get(id)!.type, ...(viewedTypes(this.module).get(id) ?? [])].some((t) =>
        scalarsOf(t, this.module.structs).some((k) => this.bits(k) < 32),
      ),
    );
    if (buffers.length === 0) return;
    const names = buffers.map((id) => this.module.variables.get(id)!.name).join(", ");
    this.context.note(
      "emulated",
      "parts-of-words",
      `${names}: bytes and 16-bit values in words of 32 bits, the last of which is bound whole`,
    );
  }

  private isRaw(p: Place): boolean {
    const root = rootVariable(p);
    if (root === undefined) return false;
    if (!this.inWordObject(root)) return wordsOfOwnUnion(p, this.module) !== undefined;
    // Words that are handed over.
    return p.kind !== "variable" || !this.objects.has(root) || !sameType(p.type, this.wordsType(root));
  }

  private inWordObject(root: VarId): boolean {
    return this.raw.has(root) || this.objects.has(root);
  }

  private expression(e: Expr, discarded: boolean): Rewritten | undefined {
    switch (e.kind) {
      case "load": {
        if (!this.isRaw(e.place)) return undefined;
        const before: Statement[] = [];
        return { before, value: this.read(before, e.place) };
      }
      case "assign":
        return this.isRaw(e.target) ? this.assigned(e.target, e, discarded) : undefined;
      case "increment":
        return this.isRaw(e.place) ? this.stepped(e.place, e, discarded) : undefined;
      case "op":
        return e.places.some((p) => this.isRaw(p)) ? this.op(e, discarded) : undefined;
      case "call":
        return e.arguments.some((a) => a.mode !== "value" && this.isRaw(a.place)) ? this.call(e) : undefined;
      default:
        return undefined;
    }
  }

  // ---------------------------------------------------------------- addresses

  private address(p: Place): Address {
    switch (p.kind) {
      case "variable":
        return { buffer: p.variable, fixed: 0 };
      case "member": {
        const at = this.address(p.base);
        const declared = this.module.structs.get((p.base.type as Type & { kind: "struct" }).name)!;
        const i = declared.members.findIndex((m) => m.name === p.member);
        return { ...at, fixed: at.fixed + memberOffsets(declared, this.ruleOf(at.buffer), this.module.structs)[i]! };
      }
      case "element": {
        const at = this.address(p.base);
        const stride = this.stride(p.base.type, this.ruleOf(at.buffer));
        const known = literalValue(p.index);
        if (known !== undefined) return { ...at, fixed: at.fixed + Number(known) * stride };
        const index = convert(p.index, u32, false, p.index.span);
        const step = stride === 1 ? index : binary("mul", index, literal("u32", stride, p.span), p.span);
        return { ...at, moving: at.moving ? binary("add", at.moving, step, p.span) : step };
      }
      case "swizzle": {
        const at = this.address(p.base);
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
          return isOutermost ? { buffer, words: p.base, fixed: 0 } : this.address(p.base);
        }
        return known === undefined ? { buffer, fixed: 0, moving: p.offset, view: p } : { buffer, fixed: Number(known) };
      }
      case "deref":
        throw new Error("a pointer was not lowered");
    }
  }

  /** How the buffer or object with this variable lies. */
  private ruleOf(id: VarId): LayoutRule {
    return this.raw.get(id)?.layout ?? this.rule;
  }

  private stride(base: Type, rule: LayoutRule): number {
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
  private held(before: Statement[], p: Place, always: boolean): Address {
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

  private keep(before: Statement[], name: string, e: Expr): Expr {
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
  private word(at: Address, bytes: number, span: Span): Place {
    const buffer = at.words ?? variablePlace({ id: at.buffer, type: this.wordsType(at.buffer) }, span);
    if (!at.moving) return element(buffer, literal("u32", (at.fixed + bytes) / 4, span), span);
    // Of an index below 0 the number wraps, as the sum does.
    const plus = (e: Expr, n: number): Expr => (n === 0 ? e : binary("add", e, literal("u32", n >>> 0, span), span));
    const inBytes = this.inBytes && this.raw.has(at.buffer);
    const { view } = at;
    const aligned = view && layoutOf((view.type as ArrayType).element, this.rule, this.module.structs).align % 4 === 0;
    const quarter = inBytes ? undefined : quarterOf(at.moving, aligned ? view.offset : undefined);
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

  private bits(kind: ScalarKind): number {
    return 8 * scalarSize(kind, this.rule);
  }

  /** The value of a type from the words at an address. */
  private value(at: Address, type: Type, bytes: number, span: Span): Expr {
    switch (type.kind) {
      case "scalar": {
        const size = this.bits(type.scalar);
        if (size < 32)
          return fromPart(this.parts8and16.load({ ...at, fixed: at.fixed + bytes }, span), type, size, span);
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
        const pieces = Array.from({ length: type.size / each }, (_, i) =>
          bitcast(this.words(at, bytes + 4 * i, 1, span), vector(type.scalar, each as 2), span),
        );
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
        const members = this.module.structs.get(type.name)!.members;
        const offsets = memberOffsets({ members }, this.ruleOf(at.buffer), this.module.structs);
        return construct(
          type,
          members.map((m, i) => this.value(at, m.type, bytes + offsets[i]!, m.span)),
          span,
        );
      }
      case "pointer":
      case "void":
        throw new Error(`${showType(type)} in a buffer`);
    }
  }

  private words(at: Address, bytes: number, count: number, span: Span): Expr {
    const list = Array.from({ length: count }, (_, i) => load(this.word(at, bytes + 4 * i, span), span));
    return count === 1 ? list[0]! : construct(shaped("u32", count), list, span);
  }

  private parts(at: Address, whole: Type, parts: readonly Type[], bytes: number, span: Span): Expr[] {
    const stride = this.stride(whole, this.ruleOf(at.buffer));
    return parts.map((p, i) => this.value(at, p, bytes + i * stride, span));
  }

  private fromBits(bits: Expr, type: Type, span: Span): Expr {
    if (type.kind === "scalar" || type.kind === "vector") {
      if (type.scalar === "bool") return convert(bits, type, true, span);
      if (type.scalar === "u32") return bits;
    }
    return bitcast(bits, type, span);
  }

  private toBits(value: Expr, span: Span): Expr {
    if (bitWidth(scalarOf(value.type)!) === 64) return bitcast(value, shaped("u32", 2), span);
    const type = shaped("u32", componentCount(value.type)!);
    return value.type.kind !== "struct" && (value.type as { scalar?: ScalarKind }).scalar === "bool"
      ? convert(value, type, true, span)
      : bitcast(value, type, span);
  }

  private read(before: Statement[], p: Place): Expr {
    if (p.kind === "swizzle" && p.components.length > 1)
      return swizzleValue(this.read(before, p.base), p.components, p.span);
    const many = leavesOf(p.type, this.ruleOf(rootVariable(p)!), this.module.structs).length > 1;
    const at = many ? this.held(before, p, false) : this.address(p);
    return this.value(at, p.type, 0, p.span);
  }

  /** Statements that write a value that is held already, or is used once. */
  private write(before: Statement[], p: Place, at: Address, value: Expr): void {
    const store = (bytes: number, bits: Expr): void =>
      void before.push(expressionStatement(assign(this.word(at, bytes, p.span), bits, p.span), p.span));
    const wide = p.kind === "swizzle" && p.components.length > 1 ? p.components : undefined;
    const put = (v: Expr, type: Type, bytes: number): void => {
      switch (type.kind) {
        case "scalar": {
          const size = this.bits(type.scalar);
          if (size < 32)
            return void before.push(
              this.parts8and16.store({ ...at, fixed: at.fixed + bytes }, size as 8, partOf(v, type, p.span), p.span),
            );
          if (size === 32) return store(bytes, this.toBits(v, p.span));
          const bits = this.keep(before, "value", this.toBits(v, p.span));
          store(bytes, swizzleValue(bits, [0], p.span));
          return store(bytes + 4, swizzleValue(bits, [1], p.span));
        }
        case "vector": {
          const size = this.bits(type.scalar);
          if (size !== 32) {
            const whole = this.keep(before, "value", v);
            const each = 32 / size;
            const packed = size < 32 && wide === undefined && this.inWords(type, at);
            for (let i = 0; i < type.size; i += packed ? each : 1) {
              const run = packed ? Array.from({ length: each }, (_, k) => i + k) : [i];
              const part = type.size === run.length ? whole : swizzleValue(whole, run, p.span);
              if (packed) store(bytes + (i * size) / 8, bitcast(part, u32, p.span));
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
            const members = this.module.structs.get(type.name)!.members;
            const offsets = memberOffsets({ members }, this.ruleOf(at.buffer), this.module.structs);
            members.forEach((m, i) =>
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

  // ---------------------------------------------------------------- effects

  private assigned(p: Place, e: Expr & { kind: "assign" }, discarded: boolean): Rewritten {
    const before: Statement[] = [];
    const at = this.held(before, p, !isPure(e.value) || (e.operator !== undefined && !this.plain(p)));
    let value = e.value;
    if (e.operator) {
      const type = e.compute ?? p.type;
      // The old value is read last, when what the operand changes has changed.
      const right = isPure(e.value) ? e.value : this.keep(before, "value", e.value);
      const old = this.readAt(at, p);
      const sum: Expr = { kind: "binary", operator: e.operator, left: as(old, type), right, type, span: e.span };
      value = as(sum, p.type);
    }
    if (!discarded) value = this.keep(before, "value", value);
    this.write(before, p, at, value);
    return { before, value: discarded ? undefined : value };
  }

  /** Whether the address is short enough to be written twice. */
  private plain(p: Place): boolean {
    const { moving } = this.address(p);
    return !moving || (moving.kind === "binary" && moving.left.kind !== "binary" && isPure(moving));
  }

  private readAt(at: Address, p: Place): Expr {
    if (p.kind === "swizzle" && p.components.length > 1)
      return swizzleValue(this.value(at, p.base.type, 0, p.span), p.components, p.span);
    return this.value(at, p.type, 0, p.span);
  }

  private stepped(p: Place, e: Expr & { kind: "increment" }, discarded: boolean): Rewritten {
    const before: Statement[] = [];
    const at = this.held(before, p, !this.plain(p));
    const step = constantOf(p.type, 1, e.span);
    const old = this.readAt(at, p);
    const first = discarded || e.prefix ? old : this.keep(before, "old", old);
    let next = binary(e.delta === 1 ? "add" : "sub", first, step, e.span);
    if (!discarded && e.prefix) next = this.keep(before, "value", next);
    this.write(before, p, at, next);
    return { before, value: discarded ? undefined : e.prefix ? next : first };
  }

  /** An f32 or a vector of them from consecutive halves. */
  private consecutiveHalves(e: OpCall): Rewritten {
    if (e.type.kind === "void") return this.storedHalves(e);
    const before: Statement[] = [];
    const [place] = e.places as [Place];
    const n = componentCount(e.type)!;
    const stride = 2 * (n === 3 && rows.get(e.op)?.vector?.aligned ? 4 : n);
    const at = this.address(place);
    const from = this.movedOn(before, at, e.arguments[0]!, stride, n > 1);
    const parts = Array.from({ length: n }, (_, i) => {
      const bits = this.parts8and16.load({ ...from, fixed: from.fixed + 2 * i }, e.span);
      return opCall("pack.f16tof32", [binary("and", bits, literal("u32", 0xffff, e.span), e.span)], f32, e.span);
    });
    return { before, value: n === 1 ? parts[0]! : construct(e.type, parts, e.span) };
  }

  /** Numbers as consecutive halves: converted where the target has the type and rounds so, else as their bits. */
  private storedHalves(e: OpCall): Rewritten {
    const { rounding = "rte", vector } = rows.get(e.op) ?? {};
    const before: Statement[] = [];
    const [place] = e.places as [Place];
    const [value, offset] = e.arguments as [Expr, Expr];
    const n = componentCount(value.type)!;
    const converts =
      rounding === "rte" &&
      scalarOf(value.type) === "f32" &&
      !("refused" in decideType(scalar("f16"), this.context.target as Dialect, this.context.profile));
    const kept = this.keep(before, "value", value);
    const at = this.movedOn(before, this.address(place), offset, 2 * (n === 3 && vector?.aligned ? 4 : n), n > 1);
    for (let i = 0; i < n; i++) {
      const x = n === 1 ? kept : swizzleValue(kept, [i], e.span);
      const to = { ...at, fixed: at.fixed + 2 * i };
      if (converts) this.write(before, { ...place, type: scalar("f16") }, to, convert(x, scalar("f16"), true, e.span));
      else {
        const bits = opCall(opId(`pack.half_bits_${rounding}`), [x], u32, e.span);
        before.push(this.parts8and16.store(to, 16, bits, e.span));
      }
    }
    return { before, value: undefined };
  }

  /** So many strides further on. */
  private movedOn(before: Statement[], at: Address, by: Expr, stride: number, often: boolean): Address {
    const known = literalValue(by);
    const fixed = at.fixed + Number(known ?? 0) * stride;
    const steps =
      known === undefined ? binary("mul", as(by, u32), literal("u32", stride, by.span), by.span) : undefined;
    const moving = at.moving && steps ? binary("add", at.moving, steps, by.span) : (at.moving ?? steps);
    if (!moving) return { ...at, fixed };
    const { view: _view, ...rest } = at;
    return { ...rest, fixed, moving: often && moving.kind !== "load" ? this.keep(before, "at", moving) : moving };
  }

  /** Vectors of consecutive elements, at a multiple of their number from a place. */
  private consecutive(e: OpCall): Rewritten {
    const before: Statement[] = [];
    const [place] = e.places as [Place];
    const [value, offset] = e.op === "memory.vstore" ? e.arguments : [undefined, e.arguments[0]];
    const type = (value ?? e).type as Type & { kind: "vector" };
    const size = this.bits(type.scalar) / 8;
    const kept = value && this.keep(before, "value", value);
    const from = this.movedOn(before, this.address(place), offset!, type.size * size, true);
    const one = scalar(type.scalar);
    if (!kept) {
      const parts = Array.from({ length: type.size }, (_, i) => this.value(from, one, i * size, e.span));
      return { before, value: construct(e.type, parts, e.span) };
    }
    for (let i = 0; i < type.size; i++) {
      this.write(
        before,
        { ...place, type: one },
        { ...from, fixed: from.fixed + i * size },
        swizzleValue(kept, [i], e.span),
      );
    }
    return { before, value: undefined };
  }

  /** Atomics act on the word; what an op only writes goes through a local. */
  private op(e: OpCall, discarded: boolean): Rewritten {
    if (e.op === "memory.vload" || e.op === "memory.vstore") return this.consecutive(e);
    if (rows.get(e.op)?.vector?.half) return this.consecutiveHalves(e);
    const before: Statement[] = [];
    const after: Statement[] = [];
    const places = e.places.map((p, i): Place => {
      if (!this.isRaw(p)) return p;
      if (i === 0 && familyOf(e.op) === "atomic") return this.atomicPlace(e, p);
      return this.through(before, after, p);
    });
    const kind = e.places[0]!.type;
    if (familyOf(e.op) === "atomic" && this.isRaw(e.places[0]!) && kind.kind === "scalar") {
      // A method of the target's for the type itself.
      if (this.isTyped(e, kind.scalar)) return this.finished(before, after, { ...e, places });
      if (kind.scalar === "f32" || this.comparesSigned(e, kind.scalar)) return this.asWord(e, places[0]!, before);
    }
    const signed = kind.kind === "scalar" && kind.scalar === "i32" && this.isRaw(e.places[0]!);
    const args = signed
      ? e.arguments.map((a) => (a.type.kind === "scalar" && a.type.scalar === "i32" ? bitcast(a, u32, a.span) : a))
      : e.arguments;
    const own = signed && e.type.kind === "scalar" && e.type.scalar === "i32";
    const call: Expr = { ...e, places, arguments: args, ...(own ? { type: u32 } : {}) };
    const value = own && !discarded ? bitcast(call, e.type, e.span) : call;
    return this.finished(before, after, value);
  }

  private comparesSigned(e: OpCall, kind: ScalarKind): boolean {
    return kind === "i32" && (e.op === "atomic.min" || e.op === "atomic.max");
  }

  /** Byte address buffers have methods for signed minima and for 64 bits (Shader Model 6.6), beside those for unsigned words. */
  private isTyped(e: OpCall, kind: ScalarKind): boolean {
    return this.inBytes && (bitWidth(kind) === 64 || this.comparesSigned(e, kind));
  }

  /** An atomic of a float, or one that compares signed numbers, on the word that holds it. */
  private asWord(e: OpCall, word: Place, before: Statement[]): Rewritten {
    const { type } = e.places[0]!;
    const bits = (x: Expr): Expr => bitcast(x, u32, x.span);
    if (
      e.op === "atomic.load" ||
      e.op === "atomic.store" ||
      e.op === "atomic.exchange" ||
      e.op === "atomic.compare_exchange"
    ) {
      const given = e.type.kind === "void" ? e.type : u32;
      const call: Expr = { ...e, places: [word], arguments: e.arguments.map(bits), type: given };
      return { before, value: given.kind === "void" ? call : bitcast(call, type, e.span) };
    }
    if (e.places.length > 1 || !isRelaxed(e)) {
      this.refuseAtomic(e, type);
      return { before, value: e };
    }
    const called = calledIn(this.module.dialect, useOf(e));
    this.context.note(
      "emulated",
      e.op,
      `${called} is a compare-exchange of its word, again until no other came between`,
      e.span,
    );
    const operand = this.keep(before, "value", e.arguments[0]!);
    const next = (old: Expr): Expr => {
      const value = bitcast(old, type, e.span);
      if (e.op === "atomic.add") return bits(binary("add", value, operand, e.span));
      if (e.op === "atomic.sub") return bits(binary("sub", value, operand, e.span));
      return bits(opCall(e.op === "atomic.min" ? "math.min" : "math.max", [value, operand], type, e.span));
    };
    const local = (name: string, t: Type): Variable => this.editor.addLocal(name, t);
    const loop = loopUntilExchanged({ local }, word, { type: u32, span: e.span }, next);
    return { before: [...before, ...loop.statements], value: bitcast(loop.old, type, e.span) };
  }

  private refuseAtomic(e: OpCall, type: Type): void {
    this.context.problems.error(
      "XL4008",
      `${calledIn(this.module.dialect, useOf(e))} of ${typeIn(this.module.dialect, type)} in a buffer of words: its atomics act on words of 32 bits`,
      e.span,
    );
  }

  private atomicPlace(e: OpCall, p: Place): Place {
    const kind = (p.type as { scalar: ScalarKind }).scalar;
    if (this.isTyped(e, kind)) return { ...this.word(this.address(p), 0, p.span), type: p.type };
    if (kind === "f32") return this.word(this.address(p), 0, p.span);
    if (kind !== "u32" && (kind !== "i32" || e.places.length > 1)) {
      this.refuseAtomic(e, p.type);
      return p;
    }
    return this.word(this.address(p), 0, p.span);
  }

  private call(e: Expr & { kind: "call" }): Rewritten {
    const before: Statement[] = [];
    const after: Statement[] = [];
    const args = e.arguments.map((a): Argument =>
      a.mode === "value" || !this.isRaw(a.place) ? a : { ...a, place: this.through(before, after, a.place) },
    );
    return this.finished(before, after, { ...e, arguments: args });
  }

  /** A local that stands for the place: read before, written back after. */
  private through(before: Statement[], after: Statement[], p: Place): Place {
    const at = this.held(before, p, true);
    const v = this.editor.addLocal("part", p.type);
    before.push(declare(v.id, this.readAt(at, p)));
    this.write(after, p, at, load(variablePlace(v)));
    return variablePlace(v, p.span);
  }

  private finished(before: Statement[], after: readonly Statement[], value: Expr): Rewritten {
    if (after.length === 0) return { before, value };
    if (value.type.kind === "void")
      return {
        before: [...before, { kind: "expression", expression: value, span: value.span, trivia: noTrivia }, ...after],
        value: undefined,
      };
    const kept = this.keep(before, "result", value);
    return { before: [...before, ...after], value: kept };
  }
}

/** Of either sign: a conversion that nobody would write is none. */
function asIndex(e: Expr): Expr {
  const from = e.kind === "convert" && !e.explicit ? scalarOf(e.operand.type) : undefined;
  return e.kind === "convert" && (from === "i32" || from === "u32") ? e.operand : e;
}

/** The number of the word an address is that of, where all its parts are those of words. An address beyond 2^32 is in no buffer. */
function quarterOf(address: Expr, aligned: Expr | undefined): Expr | undefined {
  // Of a word, whatever the sum is.
  if (address === aligned)
    return quarterOf(address, undefined) ?? binary("shr", address, literal("u32", 2, address.span), address.span);
  if (address.kind !== "binary") return undefined;
  const { operator, left, right, span } = address;
  if (operator === "add") {
    const [a, b] = [quarterOf(left, aligned), quarterOf(right, aligned)];
    return a && b && binary("add", a, b, span);
  }
  const factor = operator === "mul" ? literalValue(right) : undefined;
  if (typeof factor !== "number" || factor % 4 !== 0) return undefined;
  return factor === 4 ? left : binary("mul", left, literal("u32", factor / 4, right.span), span);
}
