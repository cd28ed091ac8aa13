/** Buffers and objects as words: see raw-buffers.ts. */
import { calledIn } from "../../ops/spell.js";
import { useOf } from "../../ops/use-of.js";
import { combined, loopUntilExchanged, sameBits } from "../lowerings/atomics.js";
import { typeIn } from "../../dialects/show-type.js";
import { rows } from "../../ops/table.js";
import { familyOf, opId } from "../../ast/op-ids.js";
import {
  ModuleEditor,
  addressOf,
  assign,
  binary,
  bitcast,
  conditional,
  constantOf,
  construct,
  convert,
  declare,
  deref,
  element,
  expressionStatement,
  literal,
  literalValue,
  load,
  opCall,
  rootVariable,
  swizzleValue,
  unary,
  variablePlace,
} from "../../ast/builders.js";
import {
  noTrivia,
  type Argument,
  type Expr,
  type FunctionDeclaration,
  type Module,
  type OpCall,
  type OpId,
  type Place,
  type Resource,
  type Statement,
  type Trivia,
  type Variable,
  type VarId,
} from "../../ast/nodes.js";
import type { Dialect, TargetDialect } from "../../dialects/ids.js";
import { languageFacts, writingFacts } from "../../dialects/languages.js";
import type { Comment } from "../../support/expanded-source.js";
import { isPure, walkModule } from "../../ast/walk.js";
import { append } from "../../support/append.js";
import { gcd } from "../../support/gcd.js";
import { type Span } from "../../support/span.js";
import { hasRuntimeTail, memberOffsets, scalarsOf, type LayoutRule } from "../../types/layout.js";
import {
  array,
  bitWidth,
  componentCount,
  f32,
  isFloat,
  isInteger,
  pointer,
  sameType,
  scalar,
  scalarOf,
  type ScalarKind,
  type ScalarType,
  type Type,
  u32,
} from "../../types/types.js";
import { decideType } from "../../caps/decide.js";
import { bufferDifference } from "../interface/layout-differences.js";
import { structsOf } from "../interface/declare-before-use.js";
import { structsNamed } from "../interface/reached-only.js";
import { Linearizer } from "../../ast/linearize.js";
import type { PassContext } from "../pass.js";
import { valueAsWords, viewedTypes } from "./viewed-objects.js";
import { byteRemainder } from "./byte-remainder.js";
import { fromPart, partOf, WordMemory, type Address } from "./word-memory.js";

const as = (e: Expr, type: Type): Expr => (sameType(e.type, type) ? e : convert(e, type, true));

type Rewritten = { readonly before: readonly Statement[]; readonly value: Expr | undefined };

/** Atomics that move values, or compare them, by their bits. */
const movesBits: ReadonlySet<OpId> = new Set<OpId>([
  opId("atomic.load"),
  opId("atomic.store"),
  opId("atomic.exchange"),
  opId("atomic.compare_exchange"),
]);

export class RawBuffers {
  private readonly editor: ModuleEditor;
  private readonly memory: WordMemory;
  /** Buffers that are numbers of 64 bits to atomics, beside their words. */
  private readonly beside: Resource[] = [];

  constructor(
    private readonly module: Module,
    private readonly context: PassContext,
    private readonly raw: ReadonlyMap<VarId, Resource>,
    /** Workgroup and private objects that pointers to something else point into: words too. */
    private readonly objects: ReadonlyMap<VarId, Variable>,
  ) {
    this.editor = new ModuleEditor(module);
    this.memory = new WordMemory(module, this.editor, context.target as Dialect, raw, objects, (span) =>
      context.problems.error(
        "XL4008",
        "a union, no member of which fills all of its bytes, is copied as a whole",
        span,
      ),
    );
  }

  run(): Module {
    const functions = this.module.functions.map((f) =>
      new Linearizer(this.editor, (e, discarded) => this.expression(e, discarded)).function(f),
    );
    const structs = new Map(this.module.structs);
    const described = new Set<string>();
    const inPlaces = new Set<string>();
    const named = structsNamed({ ...this.editor.finish({}), functions }, new Set(this.raw.keys()));
    for (const id of this.raw.keys()) {
      const v = this.module.variables.get(id)!;
      const tail = hasRuntimeTail(v.type, this.module.structs);
      const held = v.type.kind === "array" ? v.type.element : v.type;
      // Of a struct that nothing is a value of the places say all.
      const unneeded = held.kind === "struct" && (tail || !named.has(held.name));
      // Parameters are described over the function that comes first: by name.
      const owner =
        languageFacts[this.context.target as Dialect].resources === "parameters"
          ? `${v.name}${v.type.kind === "array" ? "[]" : ""}.`
          : "";
      const places =
        held.kind === "struct"
          ? this.description(held.name, this.memory.ruleOf(v.id), owner, unneeded && !described.has(held.name), v.span)
          : [];
      const leading = [...(v.trivia?.leading ?? []), ...places];
      if (held.kind === "struct") {
        described.add(held.name);
        if (unneeded) inPlaces.add(held.name);
      }
      this.editor.setVariable({ ...v, type: array(u32, undefined), trivia: { ...noTrivia, ...v.trivia, leading } });
    }
    for (const name of this.withoutValues(functions, inPlaces)) structs.delete(name);
    for (const v of this.objects.values()) {
      const words = v.initializer && valueAsWords(v, this.module);
      this.editor.setVariable({
        ...v,
        type: this.memory.wordsType(v.id),
        ...(words ? { initializer: words } : { constant: false }),
      });
    }
    const beside = (id: VarId): Resource[] => this.beside.filter((r) => r.beside === id);
    const resources = this.module.resources.flatMap((r): Resource[] => {
      if (!this.raw.has(r.variable)) return [this.objects.has(r.variable) ? { ...r, view: "raw" } : r];
      const { layout: _inWords, ...rest } = r;
      return [{ ...rest, view: "raw" }, ...beside(r.variable)];
    });
    const order = this.module.order
      .filter((o) => o.kind !== "struct" || structs.has(o.name))
      .flatMap((o): (typeof o)[] =>
        o.kind === "resource"
          ? [o, ...beside(o.variable).map(({ variable }) => ({ kind: "resource" as const, variable }))]
          : [o],
      );
    const entries = this.module.entries.map((e) => ({
      ...e,
      resources: e.resources.flatMap((id) => [id, ...beside(id).map((r) => r.variable)]),
    }));
    this.noteLayouts();
    this.noteParts();
    // Those for values across words name those for parts of words.
    const across = this.memory.unaligned.functions();
    const helpers = [...this.memory.parts8and16.functions(), ...across];
    const made = helpers.map((f) => ({ kind: "function" as const, function: f.id }));
    return this.editor.finish({
      functions: [...helpers, ...functions],
      resources,
      structs,
      entries,
      order: [...made, ...order],
    });
  }

  /**
   * Structs of which there were objects that are words now, or that those were looked at as, and nothing else. What is said of one goes with
   * nothing but what the places of buffers say (`inPlaces`).
   */
  private withoutValues(functions: readonly FunctionDeclaration[], inPlaces: ReadonlySet<string>): readonly string[] {
    const before = new Set<string>();
    const add = (type: Type): void => {
      for (const name of structsOf(type)) {
        if (before.has(name)) continue;
        before.add(name);
        for (const m of this.module.structs.get(name)!.members) add(m.type);
      }
    };
    const words = new Set([...this.raw.keys(), ...this.objects.keys()]);
    for (const id of words) add(this.module.variables.get(id)!.type);
    walkModule(this.module, {
      place: (p) => {
        if (p.kind === "view" && words.has(rootVariable(p.base)!)) add(p.type);
      },
    });
    if (before.size === 0) return [];
    const named = structsNamed({ ...this.editor.finish({}), functions }, words);
    const isSaid = (t: Trivia): boolean => t.leading.length + t.trailing.length > 0;
    const stays = (name: string): boolean => {
      if (inPlaces.has(name)) return false;
      const { trivia, innerComments, members } = this.module.structs.get(name)!;
      return named.has(name) || isSaid(trivia) || innerComments.length > 0 || members.some((m) => isSaid(m.trivia));
    };
    // What stays holds others.
    const kept = new Set([...this.module.structs.keys()].filter((name) => !before.has(name) || stays(name)));
    for (const name of kept)
      for (const m of this.module.structs.get(name)!.members) for (const held of structsOf(m.type)) kept.add(held);
    return [...before].filter((name) => !kept.has(name));
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
      const every = m.type.kind === "array" ? ` and every ${this.memory.stride(m.type, rule)} from there` : "";
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
        scalarsOf(t, this.module.structs).some((k) => this.memory.bits(k) < 32),
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

  private expression(e: Expr, discarded: boolean): Rewritten | undefined {
    switch (e.kind) {
      case "load": {
        if (!this.memory.isRaw(e.place)) return undefined;
        const before: Statement[] = [];
        return { before, value: this.memory.read(before, e.place) };
      }
      case "assign":
        return this.memory.isRaw(e.target) ? this.assigned(e.target, e, discarded) : undefined;
      case "increment":
        return this.memory.isRaw(e.place) ? this.stepped(e.place, e, discarded) : undefined;
      case "op":
        return e.places.some((p) => this.memory.isRaw(p)) ? this.op(e, discarded) : undefined;
      case "call":
        return e.arguments.some((a) => a.mode !== "value" && this.memory.isRaw(a.place)) ? this.call(e) : undefined;
      default:
        return undefined;
    }
  }

  // ---------------------------------------------------------------- effects

  private assigned(p: Place, e: Expr & { kind: "assign" }, discarded: boolean): Rewritten {
    const before: Statement[] = [];
    const at = this.memory.held(before, p, !isPure(e.value) || (e.operator !== undefined && !this.plain(p)));
    let value = e.value;
    if (e.operator) {
      const type = e.compute ?? p.type;
      // The old value is read last, when what the operand changes has changed.
      const right = isPure(e.value) ? e.value : this.memory.keep(before, "value", e.value);
      const old = this.memory.readAt(at, p);
      const sum: Expr = { kind: "binary", operator: e.operator, left: as(old, type), right, type, span: e.span };
      value = as(sum, p.type);
    }
    if (!discarded) value = this.memory.keep(before, "value", value);
    this.memory.write(before, p, at, value);
    return { before, value: discarded ? undefined : value };
  }

  /** Whether the address is short enough to be written twice. */
  private plain(p: Place): boolean {
    const { moving } = this.memory.address(p);
    return !moving || (moving.kind === "binary" && moving.left.kind !== "binary" && isPure(moving));
  }

  private stepped(p: Place, e: Expr & { kind: "increment" }, discarded: boolean): Rewritten {
    const before: Statement[] = [];
    const at = this.memory.held(before, p, !this.plain(p));
    const step = constantOf(p.type, 1, e.span);
    const old = this.memory.readAt(at, p);
    const first = discarded || e.prefix ? old : this.memory.keep(before, "old", old);
    let next = binary(e.delta === 1 ? "add" : "sub", first, step, e.span);
    if (!discarded && e.prefix) next = this.memory.keep(before, "value", next);
    this.memory.write(before, p, at, next);
    return { before, value: discarded ? undefined : e.prefix ? next : first };
  }

  /** An f32 or a vector of them from consecutive halves. */
  private consecutiveHalves(e: OpCall): Rewritten {
    if (e.type.kind === "void") return this.storedHalves(e);
    const before: Statement[] = [];
    const [place] = e.places as [Place];
    const n = componentCount(e.type)!;
    const stride = 2 * (n === 3 && rows.get(e.op)?.vector?.aligned ? 4 : n);
    const at = this.memory.address(place);
    const from = this.movedOn(before, at, e.arguments[0]!, stride, n > 1);
    const parts = Array.from({ length: n }, (_, i) => {
      const bits = this.memory.part(from, 2 * i, 16, e.span);
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
    const kept = this.memory.keep(before, "value", value);
    const at = this.movedOn(
      before,
      this.memory.address(place),
      offset,
      2 * (n === 3 && vector?.aligned ? 4 : n),
      n > 1,
    );
    for (let i = 0; i < n; i++) {
      const x = n === 1 ? kept : swizzleValue(kept, [i], e.span);
      const to = { ...at, fixed: at.fixed + 2 * i };
      if (converts)
        this.memory.write(before, { ...place, type: scalar("f16") }, to, convert(x, scalar("f16"), true, e.span));
      else {
        const bits = opCall(opId(`pack.half_bits_${rounding}`), [x], u32, e.span);
        this.memory.storePart(before, to, 0, 16, bits, e.span);
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
    return {
      ...rest,
      ...(at.step === undefined || !steps ? {} : { step: gcd(at.step, stride) }),
      fixed,
      moving: (often && moving.kind !== "load") || !isPure(moving) ? this.memory.keep(before, "at", moving) : moving,
    };
  }

  /** Vectors of consecutive elements, at a multiple of their number from a place. */
  private consecutive(e: OpCall): Rewritten {
    const before: Statement[] = [];
    const [place] = e.places as [Place];
    const [value, offset] = e.op === "memory.vstore" ? e.arguments : [undefined, e.arguments[0]];
    const type = (value ?? e).type as Type & { kind: "vector" };
    const size = this.memory.bits(type.scalar) / 8;
    const kept = value && this.memory.keep(before, "value", value);
    const from = this.movedOn(before, this.memory.address(place), offset!, type.size * size, true);
    const one = scalar(type.scalar);
    if (!kept) {
      const parts = Array.from({ length: type.size }, (_, i) => this.memory.value(from, one, i * size, e.span));
      return { before, value: construct(e.type, parts, e.span) };
    }
    for (let i = 0; i < type.size; i++) {
      this.memory.write(
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
      if (!this.memory.isRaw(p)) return p;
      if (i === 0 && familyOf(e.op) === "atomic") {
        if (!this.memory.isWhole(p)) this.refuseAtomic(e, p.type, "askew");
        return this.atomicPlace(e, p);
      }
      return this.through(before, after, p);
    });
    const kind = e.places[0]!.type;
    if (familyOf(e.op) === "atomic" && this.memory.isRaw(e.places[0]!) && kind.kind === "scalar") {
      // A method of the target's for the type itself, or a pointer to it.
      if (this.isTyped(e, kind.scalar) || this.isPair(e, kind.scalar))
        return this.finished(before, after, { ...e, places });
      if (
        isFloat(kind.scalar) ||
        this.memory.bits(kind.scalar) < 32 ||
        this.comparesSigned(e, kind.scalar) ||
        this.expectsSigned(e, kind.scalar)
      )
        return this.asWord(e, before, after);
    }
    const signed = kind.kind === "scalar" && kind.scalar === "i32" && this.memory.isRaw(e.places[0]!);
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

  /** What was expected has another type than the word. */
  private expectsSigned(e: OpCall, kind: ScalarKind): boolean {
    return kind === "i32" && e.places.length > 1;
  }

  /** Byte address buffers have methods for signed minima and for 64 bits (Shader Model 6.6), beside those for unsigned words. */
  private isTyped(e: OpCall, kind: ScalarKind): boolean {
    return (
      this.hasMethods(e.places[0]!) && ((bitWidth(kind) === 64 && isInteger(kind)) || this.comparesSigned(e, kind))
    );
  }

  /** Two words of a buffer are one number of 64 bits to a pointer, where the target has those, or in a buffer of its binding. */
  private isPair(e: OpCall, kind: ScalarKind): boolean {
    const { pointers } = languageFacts[this.context.target as Dialect];
    const { sharedBindings } = writingFacts(this.context.target as TargetDialect);
    const place = e.places[0]!;
    if (bitWidth(kind) !== 64 || !isInteger(kind) || !this.raw.has(rootVariable(place)!)) return false;
    return pointers || (sharedBindings === true && this.isAtPair(this.memory.address(place)));
  }

  private readonly isAtPair = ({ fixed, moving }: Address): boolean => moving !== undefined || fixed % 8 === 0;

  private pair(p: Place): Place {
    const at = this.memory.address(p);
    if (!languageFacts[this.context.target as Dialect].pointers) return this.numberBeside(p, at);
    const first = this.memory.word(at, 0, p.span);
    return deref(bitcast(addressOf(first, "global", p.span), pointer(p.type, "global"), p.span), p.span);
  }

  /** In a buffer of the same binding, whose elements are such numbers. */
  private numberBeside(p: Place, at: Address): Place {
    const id = rootVariable(p)!;
    const { scalar: kind } = p.type as ScalarType;
    const base = this.module.variables.get(id)!;
    const ofType = (r: Resource): boolean =>
      r.beside === id && sameType(this.editor.variables.get(r.variable)!.type, array(p.type, undefined));
    let found = this.beside.find(ofType);
    if (!found) {
      const name = `${base.name}_${kind === "u64" ? "ulong" : "long"}`;
      const v = this.editor.addVariable({
        name,
        type: array(p.type, undefined),
        space: "global",
        role: "resource",
        constant: false,
        span: base.span,
      });
      const { coherent } = this.raw.get(id)!;
      found = {
        variable: v.id,
        kind: "buffer",
        path: name,
        access: "readwrite",
        beside: id,
        ...(coherent ? { coherent } : {}),
      };
      this.beside.push(found);
    }
    const v = this.editor.variables.get(found.variable)!;
    if (!at.moving) return element(variablePlace(v, p.span), literal("u32", at.fixed / 8, p.span), p.span);
    const bytes = this.bytesOf(at, p.span);
    if (byteRemainder(bytes, 8) !== 0)
      this.context.note(
        "assumed",
        "alignment",
        `atomics on ${typeIn(this.module.dialect, p.type)} are at multiples of 8 bytes`,
        p.span,
      );
    return element(variablePlace(v, p.span), binary("shr", bytes, literal("u32", 3, p.span), p.span), p.span);
  }

  /** It is a byte address buffer, and no array of words. */
  private hasMethods(p: Place): boolean {
    return this.memory.inBytes && this.raw.has(rootVariable(p)!);
  }

  /** An atomic of a float, of a part of a word, or one that compares signed numbers, on the word that holds it. */
  private asWord(e: OpCall, before: Statement[], after: Statement[]): Rewritten {
    const [place, expected] = e.places as [Place, Place?];
    const type = place.type as ScalarType;
    const size = this.memory.bits(type.scalar);
    if (size === 64 && !this.hasMethods(place)) {
      this.refuseAtomic(e, type);
      return { before, value: e };
    }
    if (expected) return this.byCompare(e, expected, before, after);
    const at = this.memory.held(before, place, false);
    if (size < 32) return this.onPart(e, at, type, size, before);
    const bitsType = scalar(size === 64 ? "u64" : "u32");
    const word: Place = { ...this.memory.word(at, 0, place.span), type: bitsType };
    const bits = (x: Expr): Expr => bitcast(x, bitsType, x.span);
    if (movesBits.has(e.op)) {
      const given = e.type.kind === "void" ? e.type : bitsType;
      const call: Expr = { ...e, places: [word], arguments: e.arguments.map(bits), type: given };
      return { before, value: given.kind === "void" ? call : bitcast(call, type, e.span) };
    }
    const operand = this.memory.keep(before, "value", e.arguments[0]!);
    const old = this.exchanged(e, word, before, (w) => bits(combined(e.op, bitcast(w, type, e.span), operand)));
    return { before, value: bitcast(old, type, e.span) };
  }

  /** The word before it was exchanged for what is made of it. */
  private exchanged(e: OpCall, word: Place, before: Statement[], next: (old: Expr) => Expr): Expr {
    this.context.note(
      "emulated",
      e.op,
      `${calledIn(this.module.dialect, useOf(e))} is a compare-exchange of its word, again until no other came between`,
      e.span,
    );
    const local = (name: string, t: Type): Variable => this.editor.addLocal(name, t);
    const loop = loopUntilExchanged({ local }, word, { ...e, type: word.type }, next);
    append(before, loop.statements);
    return loop.old;
  }

  /** Halves and bools: what is beside them in the word stays. */
  private onPart(e: OpCall, at: Address, type: ScalarType, size: number, before: Statement[]): Rewritten {
    const { span } = e;
    const word = this.wordOf(at, span);
    const inWord = this.memory.keep(before, "shift", this.shiftOf(at, span));
    const partOfWord = (w: Expr): Expr => fromPart(binary("shr", w, inWord, span), type, size, span);
    const given = e.arguments.map((a) => this.memory.keep(before, "value", a));
    const mask = literal("u32", 2 ** size - 1, span);
    const bits = (x: Expr): Expr => binary("and", partOf(x, type, span), mask, span);
    if (e.op === "atomic.load") {
      const call: Expr = { ...e, places: [word], type: u32 };
      return { before, value: partOfWord(call) };
    }
    const put = (old: Expr, part: Expr): Expr =>
      binary(
        "or",
        binary("and", old, unary("complement", binary("shl", mask, inWord, span)), span),
        binary("shl", bits(part), inWord, span),
        span,
      );
    const old = this.exchanged(e, word, before, (w) => {
      if (e.op === "atomic.store" || e.op === "atomic.exchange") return put(w, given[0]!);
      if (e.op !== "atomic.compare_exchange") return put(w, combined(e.op, partOfWord(w), given[0]!));
      const same = binary("eq", binary("and", binary("shr", w, inWord, span), mask, span), bits(given[0]!), span);
      return conditional(same, put(w, given[1]!), w, span);
    });
    return { before, value: e.type.kind === "void" ? undefined : partOfWord(old) };
  }

  /** The place of what was expected gets what was found; whether they were the same. */
  private byCompare(e: OpCall, expected: Place, before: Statement[], after: Statement[]): Rewritten {
    const type = e.places[0]!.type as ScalarType;
    const wanted = this.memory.isRaw(expected) ? this.through(before, after, expected) : expected;
    // Of a bool in a buffer what was expected is a bool.
    const given = this.memory.keep(before, "compare", as(load(wanted), type));
    const desired = this.memory.keep(before, "desired", e.arguments[0]!);
    const call: OpCall = {
      ...e,
      op: opId("atomic.compare_exchange"),
      places: [e.places[0]!],
      arguments: [given, desired],
      type,
    };
    const made = this.asWord(call, before, after);
    const old = this.memory.keep(before, "old", made.value!);
    const same = sameBits(old, given);
    before.push(expressionStatement(assign(wanted, as(old, wanted.type), e.span), e.span));
    return this.finished(before, after, same);
  }

  /** The word that an address lies in, and the bits below. */
  private wordOf(at: Address, span: Span): Place {
    if (!at.moving) return this.memory.word({ ...at, fixed: at.fixed & ~3 }, 0, span);
    return this.memory.parts8and16.wordAround(this.bytesOf(at, span), at, span);
  }
  private shiftOf(at: Address, span: Span): Expr {
    if (!at.moving) return literal("u32", 8 * (at.fixed & 3), span);
    const byte = binary("and", this.bytesOf(at, span), literal("u32", 3, span), span);
    return binary("mul", byte, literal("u32", 8, span), span);
  }
  private bytesOf(at: Address, span: Span): Expr {
    return at.fixed === 0 ? at.moving! : binary("add", at.moving!, literal("u32", at.fixed, span), span);
  }

  /** `askew`: over two words, or parts of them, as far as the text shows. */
  private refuseAtomic(e: OpCall, type: Type, why?: "askew"): void {
    const { dialect } = this.module;
    const what = `${calledIn(dialect, useOf(e))} of ${typeIn(dialect, type)}`;
    this.context.problems.error(
      "XL4008",
      why === "askew"
        ? `${what} at an address that need be no multiple of 4: atomics act on whole words there`
        : `${what} in memory of words: its atomics act on words of 32 bits`,
      e.span,
    );
  }

  private atomicPlace(e: OpCall, p: Place): Place {
    const kind = (p.type as { scalar: ScalarKind }).scalar;
    if (this.isTyped(e, kind)) return { ...this.memory.word(this.memory.address(p), 0, p.span), type: p.type };
    if (this.isPair(e, kind)) return this.pair(p);
    // On the words (`asWord`).
    if (isFloat(kind) || this.memory.bits(kind) < 32 || this.expectsSigned(e, kind)) return p;
    if (kind !== "u32" && kind !== "i32") {
      this.refuseAtomic(e, p.type);
      return p;
    }
    return this.memory.word(this.memory.address(p), 0, p.span);
  }

  private call(e: Expr & { kind: "call" }): Rewritten {
    const before: Statement[] = [];
    const after: Statement[] = [];
    const args = e.arguments.map((a): Argument =>
      a.mode === "value" || !this.memory.isRaw(a.place) ? a : { ...a, place: this.through(before, after, a.place) },
    );
    return this.finished(before, after, { ...e, arguments: args });
  }

  /** A local that stands for the place: read before, written back after. */
  private through(before: Statement[], after: Statement[], p: Place): Place {
    const at = this.memory.held(before, p, true);
    const v = this.editor.addLocal("part", p.type);
    before.push(declare(v.id, this.memory.readAt(at, p)));
    this.memory.write(after, p, at, load(variablePlace(v)));
    return variablePlace(v, p.span);
  }

  private finished(before: Statement[], after: readonly Statement[], value: Expr): Rewritten {
    if (after.length === 0) return { before, value };
    if (value.type.kind === "void")
      return {
        before: [...before, { kind: "expression", expression: value, span: value.span, trivia: noTrivia }, ...after],
        value: undefined,
      };
    const kept = this.memory.keep(before, "result", value);
    return { before: [...before, ...after], value: kept };
  }
}
