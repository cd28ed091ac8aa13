/** Vectors of eight and sixteen, taken apart: see divide-vectors.ts. */
import { calledIn } from "../../ops/spell.js";
import { useOf } from "../../ops/use-of.js";
import {
  assign,
  binary,
  bitcast,
  block,
  conditional,
  constantOf,
  construct,
  declare,
  element,
  elementValue,
  expressionStatement,
  ifStatement,
  literal,
  literalValue,
  load,
  logical,
  ModuleEditor,
  rootVariable,
  splat,
  swizzle,
  swizzleValue,
  variablePlace,
} from "../../ast/builders.js";
import { repeatablePlace } from "../../ast/held-place.js";
import type {
  Assign,
  Bitcast,
  Construct,
  Expr,
  Increment,
  Module,
  OpCall,
  Place,
  Statement,
  SwizzlePlace,
  VarId,
} from "../../ast/nodes.js";
import { isPure, walkExpr, walkModule } from "../../ast/walk.js";
import { goesByComponent } from "../../ops/sizes.js";
import { row } from "../../ops/table.js";
import { append } from "../../support/append.js";
import type { Span } from "../../support/span.js";
import {
  bitWidth,
  scalarOf,
  shaped,
  shapedLike,
  u32,
  vector,
  type ScalarKind,
  type Type,
  type VectorType,
} from "../../types/types.js";
import { Linearizer, type Transform } from "../../ast/linearize.js";
import type { TextContext } from "../pass.js";
import { partSize } from "./vector-parts.js";

type Done = NonNullable<ReturnType<Transform>>;
type WideType = VectorType & { readonly size: 8 | 16 };

const isWide = (type: Type): type is WideType => type.kind === "vector" && type.size > partSize;
const partsIn = (type: WideType): number => type.size / partSize;
const partOf = (type: WideType): VectorType => shapedLike(type, partSize) as VectorType;
/** The components of part `n`. */
const inPart = (n: number): readonly number[] => Array.from({ length: partSize }, (_, i) => partSize * n + i);
const partOfComponent = (c: number): number => Math.floor(c / partSize);

/** Components of one part, in a row. */
interface Run {
  readonly part: number;
  readonly components: readonly number[];
}

/** The components a list names, part by part in their order. */
function runsOf(components: readonly number[]): readonly Run[] {
  const runs: { part: number; components: number[] }[] = [];
  for (const c of components) {
    const last = runs.at(-1);
    if (last?.part === partOfComponent(c)) last.components.push(c);
    else runs.push({ part: partOfComponent(c), components: [c] });
  }
  return runs;
}

/** Some components of a value of at most four. */
function someOf(value: Expr, components: readonly number[], span: Span): Expr {
  const type = value.type as VectorType;
  if (components.length === type.size && components.every((c, i) => c === i)) return value;
  if (value.kind === "splat") return splat(value.operand, shapedLike(type, components.length), span, value.explicit);
  const pieces = value.kind === "construct" ? piecesOf(value.arguments, components, span) : undefined;
  if (!pieces) return swizzleValue(value, components, span);
  return pieces.length === 1 ? pieces[0]! : construct(shapedLike(type, components.length), pieces, span);
}

/** Components of what a vector is put together of; undefined where they are not at hand. */
function piecesOf(list: readonly Expr[], components: readonly number[], span: Span): readonly Expr[] | undefined {
  if (!list.every(isAtHand)) return undefined;
  const at = list.flatMap((e) =>
    Array.from({ length: e.type.kind === "vector" ? e.type.size : 1 }, (_, c) => ({ e, c })),
  );
  const pieces: { readonly e: Expr; readonly cs: number[] }[] = [];
  for (const component of components) {
    const { e, c } = at[component]!;
    const last = pieces.at(-1);
    if (last?.e === e && e.type.kind === "vector") last.cs.push(c);
    else pieces.push({ e, cs: [c] });
  }
  return pieces.map(({ e, cs }) => (e.type.kind === "vector" ? someOf(e, cs, span) : e));
}

/** Whether naming it again, or in parts, costs nothing. */
const isAtHand = (e: Expr): boolean =>
  e.kind === "literal" || e.kind === "load" || (e.kind === "splat" && isAtHand(e.operand));

/** Lists of four, and what is left. */
function inFours<T>(list: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / partSize) }, (_, i) =>
    list.slice(partSize * i, partSize * (i + 1)),
  );
}

export class Divider {
  private readonly editor: ModuleEditor;
  private readonly linearizer: Linearizer;
  /** Outside of functions nothing can be held, and all is constant. */
  private outside = false;
  /** Variables that pointers and references lead to. */
  private readonly pointedTo = new Set<VarId>();

  constructor(
    private readonly module: Module,
    private readonly context: TextContext,
  ) {
    this.editor = new ModuleEditor(module);
    this.linearizer = new Linearizer(this.editor, (e, discarded) => this.node(e, discarded));
  }

  run(): Module {
    const point = (p: Place): void => {
      const root = rootVariable(p);
      if (root !== undefined) this.pointedTo.add(root);
    };
    walkModule(this.module, {
      expr: (e) => {
        if (e.kind === "address-of") point(e.place);
        if (e.kind === "op") e.places.forEach(point);
        if (e.kind === "call") for (const a of e.arguments) if (a.mode !== "value") point(a.place);
      },
    });
    this.outside = true;
    for (const v of this.module.variables.values())
      if (v.initializer) {
        const { before, value } = this.linearizer.expr(v.initializer);
        if (before.length > 0) throw new Error(`the initialiser of ${v.name} is no constant`);
        if (value !== v.initializer) this.editor.setVariable({ ...v, initializer: value });
      }
    this.outside = false;
    return this.editor.finish({ functions: this.module.functions.map((f) => this.linearizer.function(f)) });
  }

  // ---------------------------------------------------------------- what may be named more than once

  private held(value: Expr, before: Statement[], name = "t"): Expr {
    return this.outside || this.isShort(value) ? value : this.kept(value, before, name);
  }

  /** What it is now, whatever changes later. */
  private kept(value: Expr, before: Statement[], name = "t"): Expr {
    const v = this.editor.addLocal(name, value.type);
    this.linearizer.settled.add(v.id);
    before.push(declare(v.id, value));
    return load(variablePlace(v), value.span);
  }

  /** Whether a reader would rather see it again than a name for it. */
  private isShort(e: Expr): boolean {
    switch (e.kind) {
      case "literal":
      case "enumerator":
      case "builtin":
      case "null-pointer":
        return true;
      case "load":
        return this.isOfVariable(e.place);
      case "convert":
      case "splat":
      case "swizzle-value":
      case "unary":
        return this.isShort(e.operand);
      default:
        return false;
    }
  }

  private isOfVariable(p: Place): boolean {
    if (p.kind === "variable") {
      const { space, type } = this.editor.variables.get(p.variable)!;
      return space === "private" || (space === "constant" && type.kind !== "array");
    }
    return (p.kind === "member" || p.kind === "swizzle") && this.isOfVariable(p.base);
  }

  /** A place that can be named again for each part. */
  private repeatable(p: Place, before: Statement[]): Place {
    if (this.outside) return p;
    return repeatablePlace(
      p,
      (e) => (e.type.kind === "pointer" ? this.repeatablePointer(e, before) : this.kept(e, before, "at")),
      (e) => this.isShort(e),
    );
  }

  private repeatablePointer(e: Expr, before: Statement[]): Expr {
    switch (e.kind) {
      case "pointer-offset": {
        const pointer = this.repeatablePointer(e.pointer, before);
        const offset = this.held(e.offset, before, "at");
        return pointer === e.pointer && offset === e.offset ? e : { ...e, pointer, offset };
      }
      case "address-of": {
        const place = this.repeatable(e.place, before);
        return place === e.place ? e : { ...e, place };
      }
      case "bitcast": {
        const operand = this.repeatablePointer(e.operand, before);
        return operand === e.operand ? e : { ...e, operand };
      }
      case "load":
        if (e.place.kind === "variable") return e;
        return this.held(e, before, "from");
      default:
        return this.held(e, before, "from");
    }
  }

  /**
   * The operands as they were when each was evaluated, though parts of them are then taken in turns: what has effects is held,
   * and what stands before that.
   */
  private inOrder(list: readonly Expr[], before: Statement[]): readonly Expr[] {
    const last = list.findLastIndex((e) => !isPureRead(e));
    return list.map((e, i) => (i <= last && e.kind !== "literal" ? this.kept(e, before) : e));
  }

  // ---------------------------------------------------------------- parts

  /** A long value four components at a time; each can stand once, or more often where `before` holds it. */
  private parts(e: Expr, before: Statement[]): readonly Expr[] {
    const type = e.type as WideType;
    if (e.kind === "construct") return e.arguments;
    if (e.kind === "load") {
      const place = this.repeatable(e.place, before);
      return Array.from({ length: partsIn(type) }, (_, n) => load(swizzle(place, inPart(n), e.span), e.span));
    }
    return this.parts(this.held(e, before), before);
  }

  private wide(type: Type, parts: readonly Expr[], span: Span): Expr {
    return construct(type, parts, span);
  }

  /** `components` of a value given by its parts, as a value of fours or of fewer. */
  private gathered(
    parts: readonly Expr[],
    components: readonly number[],
    like: VectorType,
    before: Statement[],
    span: Span,
  ): Expr {
    const uses = new Map<number, number>();
    for (const fours of inFours(components))
      for (const r of runsOf(fours)) uses.set(r.part, (uses.get(r.part) ?? 0) + 1);
    const named = parts.map((p, n) => ((uses.get(n) ?? 0) > 1 ? this.held(p, before) : p));
    const fours = inFours(components).map((list): Expr => {
      const pieces = runsOf(list).map((r) =>
        someOf(
          named[r.part]!,
          r.components.map((c) => c - partSize * r.part),
          span,
        ),
      );
      return pieces.length === 1 ? pieces[0]! : construct(shapedLike(like, list.length), pieces, span);
    });
    return fours.length === 1 ? fours[0]! : this.wide(shapedLike(like, components.length), fours, span);
  }

  // ---------------------------------------------------------------- nodes

  private node(e: Expr, discarded: boolean): Done | undefined {
    const before: Statement[] = [];
    const value = this.divided(e, discarded, before);
    return value === e && before.length === 0 ? undefined : { before, value };
  }

  private divided(e: Expr, discarded: boolean, before: Statement[]): Expr {
    switch (e.kind) {
      case "unary":
      case "convert": {
        if (!isWide(e.type)) return e;
        const made = this.parts(e.operand, before);
        const type = partOf(e.type);
        return this.wide(
          e.type,
          made.map((operand) => ({ ...e, operand, type })),
          e.span,
        );
      }
      case "binary": {
        if (!isWide(e.left.type)) return e;
        const [left, right] = this.inOrder([e.left, e.right], before);
        const [ls, rs] = [this.parts(left!, before), this.parts(right!, before)];
        const type = partOf(e.type as WideType);
        return this.wide(
          e.type,
          ls.map((l, n) => ({ ...e, left: l, right: rs[n]!, type })),
          e.span,
        );
      }
      case "splat": {
        const { type } = e;
        if (!isWide(type)) return e;
        const operand = this.held(e.operand, before);
        return this.wide(
          type,
          Array.from({ length: partsIn(type) }, () => splat(operand, partOf(type), e.span, e.explicit)),
          e.span,
        );
      }
      case "bitcast":
        return isWide(e.type) || isWide(e.operand.type) ? this.bits(e, before) : e;
      case "construct":
        return isWide(e.type) ? this.constructed(e, before) : e;
      case "swizzle-value": {
        if (isWide(e.operand.type))
          return this.gathered(this.parts(e.operand, before), e.components, e.operand.type, before, e.span);
        if (!isWide(e.type)) return e;
        const operand = this.held(e.operand, before);
        return this.wide(
          e.type,
          inFours(e.components).map((list) => someOf(operand, list, e.span)),
          e.span,
        );
      }
      case "element-value":
        return isWide(e.operand.type) ? this.component(this.parts(e.operand, before), e.index, before, e.span) : e;
      case "load": {
        const { place } = e;
        if (place.kind === "swizzle" && isWide(place.base.type))
          return this.gathered(this.parts(load(place.base), before), place.components, place.base.type, before, e.span);
        if (place.kind === "swizzle" && isWide(e.type)) {
          const base = this.repeatable(place.base, before);
          return this.wide(
            e.type,
            inFours(place.components).map((list) => someOf(load(base), list, e.span)),
            e.span,
          );
        }
        if (place.kind === "element" && place.base.kind === "swizzle" && isWide(place.base.base.type)) {
          const some = this.divided(load(place.base), false, before);
          if (some.kind !== "load") return this.component([some], place.index, before, e.span);
        }
        if (place.kind === "element" && isWide(place.base.type))
          return this.component(this.parts(load(place.base), before), place.index, before, e.span);
        return e;
      }
      case "op":
        return [...e.arguments, ...e.places, e].some((x) => isWide(x.type)) ? this.op(e, before) : e;
      case "assign":
        return this.assigned(e, discarded, before);
      case "increment":
        return this.incremented(e, discarded, before);
      default:
        return e;
    }
  }

  /** One component by its number. */
  private component(parts: readonly Expr[], index: Expr, before: Statement[], span: Span): Expr {
    const known = literalValue(index);
    if (known !== undefined) {
      const c = Number(known);
      return swizzleValue(parts[partOfComponent(c)]!, [c % partSize], span);
    }
    const at = this.held(index, before, "at");
    const named = parts.map((p) => this.held(p, before));
    if (named.length === 1) return elementValue(named[0]!, at, span);
    return named.reduceRight((rest, part, n) =>
      conditional(
        binary("lt", at, countOf(at, partSize * (n + 1))),
        elementValue(part, fromPart(at, n)),
        n === named.length - 2 ? elementValue(rest, fromPart(at, n + 1)) : rest,
        span,
      ),
    );
  }

  /** Of scalars and vectors of any sizes. */
  private constructed(e: Construct, before: Statement[]): Expr {
    const type = e.type as WideType;
    const given = this.inOrder(e.arguments, before);
    if (given.every((a) => a.type.kind === "vector" && a.type.size === partSize))
      return given === e.arguments ? e : { ...e, arguments: given };
    const fours: Expr[][] = [[]];
    let room = partSize;
    const put = (piece: Expr, count: number): void => {
      if (room === 0) {
        fours.push([]);
        room = partSize;
      }
      fours.at(-1)!.push(piece);
      room -= count;
    };
    for (const a of given) {
      if (a.type.kind !== "vector") put(a, 1);
      else if (isWide(a.type)) {
        for (const p of this.parts(a, before)) this.fill(p, partSize, () => room, put, before);
      } else this.fill(a, a.type.size, () => room, put, before);
    }
    const part = partOf(type);
    const parts = fours.map((pieces) => (pieces.length === 1 ? pieces[0]! : construct(part, pieces, e.span)));
    return this.wide(type, parts, e.span);
  }

  /** Puts a vector into the parts, in pieces where it lies in two. */
  private fill(
    a: Expr,
    size: number,
    room: () => number,
    put: (piece: Expr, count: number) => void,
    before: Statement[],
  ): void {
    const free = room() === 0 ? partSize : room();
    if (size <= free) return put(a, size);
    const named = this.held(a, before);
    const all = Array.from({ length: size }, (_, i) => i);
    put(swizzleValue(named, all.slice(0, free)), free);
    put(swizzleValue(named, all.slice(free)), size - free);
  }

  // ---------------------------------------------------------------- bits

  private bits(e: Bitcast, before: Statement[]): Expr {
    const { operand, span } = e;
    const to = e.type as VectorType;
    const from = operand.type as VectorType;
    const source = isWide(from) ? this.parts(operand, before).map((p) => this.heldForBits(p, from, to, before)) : [];
    const whole = isWide(from) ? undefined : this.held(operand, before);
    const pick = (components: readonly number[]): Expr =>
      whole
        ? whole.type.kind === "scalar"
          ? whole
          : swizzleValue(whole, components, span)
        : this.gathered(source, components, from, before, span);
    const [width, wanted] = [bitWidth(from.scalar), bitWidth(to.scalar)];
    const count = to.kind === "vector" ? to.size : 1;
    /** One component of several smaller ones. */
    const joined = (c: number): Expr => {
      const ratio = wanted / width;
      const some = Array.from({ length: ratio }, (_, i) => ratio * c + i);
      if (ratio <= partSize) return bitcast(pick(some), shapedLike(to, 1), span);
      const words = inFours(some).map((list) => bitcast(pick(list), u32, span));
      return bitcast(construct(vector("u32", 2), words, span), shapedLike(to, 1), span);
    };
    /** Four components of fewer larger ones. */
    const split = (first: number): Expr => {
      const ratio = width / wanted;
      const part = shapedLike(to, partSize);
      if (ratio <= partSize)
        return bitcast(pick(Array.from({ length: partSize / ratio }, (_, i) => first / ratio + i)), part, span);
      const words = bitcast(pick([Math.floor(first / ratio)]), vector("u32", 2), span);
      return bitcast(swizzleValue(words, [(first / partSize) % 2], span), part, span);
    };
    const fours = inFours(Array.from({ length: count }, (_, c) => c)).map((list): Expr => {
      if (width === wanted) return bitcast(pick(list), shapedLike(to, list.length), span);
      if (width > wanted) return split(list[0]!);
      const each = list.map(joined);
      return each.length === 1 ? each[0]! : construct(shapedLike(to, each.length), each, span);
    });
    return fours.length === 1 ? fours[0]! : this.wide(to, fours, span);
  }

  /** A part is named once for each component made of it. */
  private heldForBits(part: Expr, from: VectorType, to: Type, before: Statement[]): Expr {
    return bitWidth(from.scalar) === bitWidth(scalarOf(to)!) ? part : this.held(part, before);
  }

  // ---------------------------------------------------------------- ops

  private op(e: OpCall, before: Statement[]): Expr {
    const r = row(e.op);
    if (r.family === "memory") return this.moved(e, before);
    const given = this.inOrder(e.arguments, before);
    if (goesByComponent(r)) {
      const count = partsIn([...e.arguments, ...e.places, e].map((x) => x.type).find(isWide)!);
      const isKept = (a: Expr): boolean => e.places.some((p) => !this.readsOthers(a, p));
      const args = given.map((a) => {
        const whole = isKept(a) ? this.kept(a, before) : a;
        return isWide(a.type) ? this.parts(whole, before) : new Array<Expr>(count).fill(this.held(whole, before));
      });
      const places = e.places.map((p) => this.repeatable(p, before));
      const part = (n: number): Expr => ({
        ...e,
        arguments: args.map((a) => a[n]!),
        places: places.map((p) => swizzle(p, inPart(n), p.span)),
        type: isWide(e.type) ? partOf(e.type) : e.type,
      });
      const made = Array.from({ length: count }, (_, n) => part(n));
      if (e.type.kind === "void") {
        append(
          before,
          made.slice(0, -1).map((x) => expressionStatement(x)),
        );
        return made.at(-1)!;
      }
      // What is put into places comes before anything reads them.
      const results = places.length > 0 ? made.map((x) => this.held(x, before)) : made;
      return this.wide(e.type, results, e.span);
    }
    if (e.op === "logic.any" || e.op === "logic.all") {
      const operator = e.op === "logic.any" ? "or" : "and";
      return this.parts(given[0]!, before)
        .map((p): Expr => ({ ...e, arguments: [p] }))
        .reduce((a, b) => logical(operator, a, b, e.span));
    }
    if (r.expand.kind === "tree" && e.places.length === 0) {
      const { before: first, value } = this.linearizer.expr(
        r.expand.build(
          given.map((a) => this.held(a, before)),
          e.type,
        ),
      );
      append(before, first);
      return value;
    }
    this.context.problems.error(
      "XL3001",
      `${this.context.target} cannot do ${calledIn(this.module.dialect, useOf(e))} here: vectors of more than ${partSize} components are not supported in it yet`,
      e.span,
    );
    return e;
  }

  /** Loads and stores of consecutive elements: of `n` at `offset`, four at each of the places there. */
  private moved(e: OpCall, before: Statement[]): Expr {
    const stores = e.type.kind === "void";
    const type = (stores ? e.arguments[0]!.type : e.type) as WideType;
    const [offset, value] = stores ? [e.arguments[1]!, e.arguments[0]!] : [e.arguments[0]!, undefined];
    const [whole, index] = value ? this.inOrder([value, offset], before) : [undefined, offset];
    const at = this.held(index, before, "at");
    const places = e.places.map((p) => this.repeatable(p, before));
    const count = partsIn(type);
    const from = (n: number): Expr => {
      const scaled = literalValue(at) === undefined ? binary("mul", at, countOf(at, count)) : undefined;
      const first = scaled ?? countOf(at, Number(literalValue(at)) * count);
      if (n === 0) return first;
      return scaled ? binary("add", scaled, countOf(at, n)) : countOf(at, Number(literalValue(at)) * count + n);
    };
    if (!whole) {
      return this.wide(
        type,
        Array.from({ length: count }, (_, n) => ({ ...e, arguments: [from(n)], places, type: partOf(type) })),
        e.span,
      );
    }
    // What is stored may be read from where it is stored to.
    const settled = this.readsOthers(whole, places[0]!) ? whole : this.kept(whole, before);
    const stored = this.parts(settled, before).map((p, n): Expr => ({ ...e, arguments: [p, from(n)], places }));
    append(
      before,
      stored.slice(0, -1).map((x) => expressionStatement(x)),
    );
    return stored.at(-1)!;
  }

  // ---------------------------------------------------------------- assignments

  /** Whether nothing that a value reads is stored to by way of `target`: it reads constants and other private variables. */
  private readsOthers(e: Expr, target: Place): boolean {
    const stored = rootVariable(target);
    const throughPointer = stored === undefined || this.editor.variables.get(stored)!.space !== "private";
    let others = true;
    walkExpr(e, {
      expr: (x) => void (x.kind === "op" && x.places.length > 0 && (others = false)),
      place: (p) => {
        const root = rootVariable(p);
        const space = root === undefined ? undefined : this.editor.variables.get(root)!.space;
        if (space === "constant") return;
        if (root === undefined || root === stored || space !== "private") others = false;
        else if (throughPointer && this.pointedTo.has(root)) others = false;
      },
    });
    return others;
  }

  private assigned(e: Assign, discarded: boolean, before: Statement[]): Expr {
    const { target } = e;
    if (target.kind === "element" && isWide(target.base.type)) return this.assignedByIndex(e, discarded, before);
    const within = target.kind === "swizzle" && isWide(target.base.type);
    if (!within && !isWide(target.type)) return e;
    const base = this.repeatable(within ? target.base : target, before);
    const components = within ? target.components : inAll(target.type as WideType);
    const apart = this.partsStored(e, base, components);
    if (!within && !e.operator && !(discarded && apart)) {
      // As a whole, after all of it was computed.
      return e;
    }
    const value = apart ? e.value : this.kept(e.value, before);
    const list = this.stored(e, base, components, value, before);
    if (discarded) {
      append(
        before,
        list.slice(0, -1).map((x) => expressionStatement(x)),
      );
      return list.at(-1)!;
    }
    append(
      before,
      list.map((x) => expressionStatement(x)),
    );
    const read = this.divided(load(within ? swizzle(base, components) : base, e.span), false, before);
    return this.held(read, before);
  }

  /** Whether no part of the value reads what the parts before it have stored. */
  private partsStored(e: Assign, base: Place, components: readonly number[]): boolean {
    if (!isPureRead(e.value)) return false;
    if (this.readsOthers(e.value, base)) return true;
    const root = rootVariable(base);
    if (root === undefined || this.editor.variables.get(root)!.space !== "private") return false;
    if (!isWide(e.value.type) || e.value.kind !== "construct" || base.kind !== "variable") return false;
    const stored = runsByPart(components).map((r) => r.part);
    if (stored.length !== e.value.arguments.length) return false;
    return e.value.arguments.every((part, n) => {
      let own = true;
      walkExpr(part, {
        expr: (x) => void (x.kind === "op" && x.places.length > 0 && (own = false)),
        place: (p) => {
          if (p.kind === "swizzle" && p.base.kind === "variable" && p.base.variable === root) {
            if (p.components.some((c) => stored.slice(0, n).includes(partOfComponent(c)))) own = false;
            return false;
          }
          if (rootVariable(p) === root || rootVariable(p) === undefined) own = false;
          return undefined;
        },
      });
      return own;
    });
  }

  /** An assignment for each part of the base that has some of the components. */
  private stored(
    e: Assign,
    base: Place,
    components: readonly number[],
    value: Expr,
    before: Statement[],
  ): readonly Expr[] {
    const runs = runsByPart(components);
    const parts = isWide(value.type) ? this.parts(value, before) : undefined;
    const inPieces = value.kind === "construct" && value.arguments.every(isAtHand);
    const whole = parts ?? [runs.length > 1 && !inPieces ? this.held(value, before) : value];
    return runs.map(({ positions }) => {
      const place = swizzle(
        base,
        positions.map((p) => components[p]!),
        e.target.span,
      );
      const some = parts
        ? this.gathered(whole, positions, value.type as VectorType, before, value.span)
        : value.type.kind === "scalar"
          ? whole[0]!
          : someOf(whole[0]!, positions, value.span);
      return assign(place, some, e.span, e.operator, e.compute && shaped(scalarOf(e.compute)!, positions.length));
    });
  }

  private assignedByIndex(e: Assign, discarded: boolean, before: Statement[]): Expr {
    const target = e.target as Extract<Place, { kind: "element" }>;
    const known = literalValue(target.index);
    if (known !== undefined) {
      const place = swizzle(this.repeatable(target.base, before), [Number(known)], target.span) as SwizzlePlace;
      return { ...e, target: place };
    }
    const base = this.repeatable(target.base, before);
    const at = this.held(target.index, before, "at");
    const value = this.held(e.value, before);
    const type = base.type as WideType;
    const store = (n: number): Statement =>
      expressionStatement({ ...e, value, target: element(swizzle(base, inPart(n)), fromPart(at, n), target.span) });
    let chosen = store(partsIn(type) - 1);
    for (let n = partsIn(type) - 2; n >= 0; n--)
      chosen = ifStatement(binary("lt", at, countOf(at, partSize * (n + 1))), block([store(n)]), block([chosen]));
    before.push(chosen);
    return discarded ? value : this.component(this.parts(load(base), before), at, before, e.span);
  }

  /** `++` of a long vector or of some of its components is `+= 1`. */
  private incremented(e: Increment, discarded: boolean, before: Statement[]): Expr {
    const { place } = e;
    const inside = (place.kind === "swizzle" || place.kind === "element") && isWide(place.base.type);
    if (!inside && !isWide(place.type)) return e;
    const again = this.repeatable(place, before);
    const step = (value: Expr, isDiscarded: boolean): Expr =>
      this.assigned(assign(again, value, e.span, e.delta === 1 ? "add" : "sub") as Assign, isDiscarded, before);
    const one = isWide(place.type)
      ? this.divided(constantOf(place.type, 1, e.span), false, before)
      : constantOf(place.type, 1, e.span);
    if (discarded || e.prefix) return step(one, discarded);
    const old = this.kept(this.divided(load(again), false, before), before);
    before.push(expressionStatement(step(one, true)));
    return old;
  }
}

const inAll = (type: WideType): readonly number[] => Array.from({ length: type.size }, (_, i) => i);

/** Which of the listed components lie in each part, by their positions in the list. */
function runsByPart(
  components: readonly number[],
): readonly { readonly part: number; readonly positions: readonly number[] }[] {
  const byPart = new Map<number, number[]>();
  components.forEach((c, i) => {
    const part = partOfComponent(c);
    const list = byPart.get(part);
    if (list) list.push(i);
    else byPart.set(part, [i]);
  });
  return [...byPart].map(([part, positions]) => ({ part, positions }));
}

/** Of the type of the index. */
const countOf = (index: Expr, n: number): Expr => literal(scalarOf(index.type) as ScalarKind, n);
const fromPart = (index: Expr, n: number): Expr =>
  n === 0 ? index : binary("sub", index, countOf(index, partSize * n));

/** Changes nothing; may read memory. */
function isPureRead(e: Expr): boolean {
  if (isPure(e)) return true;
  let pure = true;
  walkExpr(e, {
    expr(x) {
      if (x.kind === "assign" || x.kind === "increment" || x.kind === "call") pure = false;
      if (x.kind === "op" && x.places.length > 0 && !(row(x.op).family === "memory" && x.type.kind !== "void"))
        pure = false;
      return pure;
    },
  });
  return pure;
}
