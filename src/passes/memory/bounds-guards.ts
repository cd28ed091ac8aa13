/**
 * Accesses in bounds. A source leaves them to the program, so that the translation takes them for granted and says where;
 * with `strict` what is not shown to be in bounds is guarded instead: out of bounds a read gives 0, and an access that
 * writes does nothing and gives 0 (a plain assignment its value). HLSL defines exactly that for buffers (Direct3D 11.3
 * functional specification 5.3.10.2), where nothing is to be guarded.
 */
import { isOwnText } from "../../ast/lookup.js";
import { assumed } from "../../ast/assumed.js";
import { repeatablePlace } from "../../ast/held-place.js";
import {
  assign,
  binary,
  block,
  boolLiteral,
  conditional,
  convert,
  declare,
  expressionStatement,
  ifStatement,
  lengthOf,
  literal,
  literalValue,
  load,
  logical,
  ModuleEditor,
  variablePlace,
} from "../../ast/builders.js";
import type { Expr, FunctionDeclaration, Module, OpCall, Place, Statement, VarId } from "../../ast/nodes.js";
import { isPure, placeIsPure, rewriteExpr, walkExpr, walkStatement } from "../../ast/walk.js";
import { row } from "../../ops/table.js";
import type { Span } from "../../support/span.js";
import { bitWidth, componentCount, sameType, scalar, scalarOf, u32, type Type } from "../../types/types.js";
import { Linearizer } from "../../ast/linearize.js";
import type { Pass, PassContext } from "../pass.js";
import { Ranges } from "../analysis/ranges.js";
import { zeroOf } from "./zero.js";
import { writingFacts } from "../../dialects/languages.js";

export const boundsGuards: Pass = {
  name: "bounds-guards",
  run(module, context) {
    return isOwnText(module, context.target) ? module : new Guards(module, context).run();
  },
};

function numberOf(e: Expr): bigint | undefined {
  const value = literalValue(e);
  return typeof value === "number" || typeof value === "bigint" ? BigInt(value) : undefined;
}

type ElementPlace = Place & { readonly kind: "element" };

/** Places that are named; the first ones stand for the rest. */
const shownPlaces = 3;

class Guards {
  private readonly editor: ModuleEditor;
  private readonly resources: ReadonlyMap<VarId, "buffer" | "other">;
  private noted = 0;
  private ranges!: Ranges;
  private current!: FunctionDeclaration;

  constructor(
    private readonly module: Module,
    private readonly context: PassContext,
  ) {
    this.editor = new ModuleEditor(module);
    this.resources = new Map(module.resources.map((r) => [r.variable, r.kind === "buffer" ? "buffer" : "other"]));
  }

  run(): Module {
    const functions = this.module.functions.map((f) => {
      this.current = f;
      this.ranges = new Ranges(this.module, f);
      if (this.context.options.strict)
        return new Linearizer(this.editor, (e, discarded) => this.guarded(e, discarded)).function(f);
      this.list(f);
      return f;
    });
    return this.context.options.strict ? this.editor.finish({ functions }) : this.module;
  }

  // ---------------------------------------------------------------- what is taken for granted

  private assume(span: Span): undefined {
    if (this.noted++ < shownPlaces) this.context.note("assumed", "bounds", assumed.bounds, span);
    return undefined;
  }

  private list(f: FunctionDeclaration): void {
    walkStatement(f.body, {
      place: (p, use) => {
        if (use === "address") return;
        if (p.kind === "deref" || (p.kind === "element" && !this.inBounds(p.base, p.index))) this.assume(p.span);
      },
      expr: (e) => {
        if (e.kind === "element-value" && !this.shown(e.index, countOf(e.operand.type))) this.assume(e.span);
        if (e.kind === "op" && row(e.op).effect === "memory") this.assume(e.span);
      },
    });
  }

  // ---------------------------------------------------------------- what is known

  /** Elements of what is indexed; undefined where the memory object decides. Sizes may be settled since the place was made. */
  private countIn(base: Place): number | undefined {
    return countOf(base.kind === "variable" ? this.editor.variables.get(base.variable)!.type : base.type);
  }

  private shown(index: Expr, count: number | undefined): boolean {
    const r = this.ranges.of(index);
    // There are no memory objects without an element.
    return r.low >= 0 && r.high < (count ?? 1);
  }

  private inBounds(base: Place, index: Expr): boolean {
    const count = this.countIn(base);
    return this.shown(index, count) || (count === undefined && this.defined(base));
  }

  /** The end of a buffer whose accesses out of bounds the target defines. */
  private defined(base: Place): boolean {
    const checked = writingFacts(this.context.target)?.checkedBuffers ?? false;
    return checked && base.kind === "variable" && this.resources.get(base.variable) === "buffer";
  }

  /** The condition under which the place is there; nothing where it always is, "unknown" where that cannot be asked. */
  private condition(p: Place): Expr | "unknown" | undefined {
    switch (p.kind) {
      case "variable":
        return undefined;
      case "deref":
      case "view":
        return "unknown";
      case "member":
      case "swizzle":
        return this.condition(p.base);
      case "element": {
        const base = this.condition(p.base);
        if (base === "unknown" || this.inBounds(p.base, p.index)) return base;
        const count = this.countIn(p.base);
        if (count === undefined && !this.hasLength(p.base)) return "unknown";
        const here = this.below(p.index, count ?? lengthOf(p.base, p.span));
        return base ? logical("and", base, here) : here;
      }
    }
  }

  private hasLength(p: Place): boolean {
    const root = p.kind === "member" ? p.base : p;
    return root.kind === "variable" && this.resources.has(root.variable);
  }

  /** `index < count`, where a negative index is large. */
  private below(index: Expr, count: number | Expr): Expr {
    const kind = scalarOf(index.type)!;
    const wide = bitWidth(kind) === 64;
    const plain =
      kind === "u32" ||
      kind === "u64" ||
      (this.ranges.of(index).low >= 0 && typeof count === "number" && bitWidth(kind) >= 32);
    const type: Type = plain ? index.type : wide ? scalar("u64") : u32;
    const left = plain ? index : convert(index, type, true);
    const number = typeof count === "number" ? literal(scalarOf(type)!, count) : convert(count, type, true);
    return binary("lt", left, typeof count === "number" || scalarOf(type) !== "u32" ? number : count);
  }

  // ---------------------------------------------------------------- guards

  private guarded(e: Expr, discarded: boolean): { before: readonly Statement[]; value: Expr | undefined } | undefined {
    switch (e.kind) {
      case "load":
        return this.read(e);
      case "element-value":
        return this.component(e);
      case "assign":
      case "increment":
      case "op":
        return this.effect(e, discarded);
      case "call": {
        for (const a of e.arguments)
          if (a.mode !== "value" && this.condition(a.place) !== undefined) this.assume(a.place.span);
        return undefined;
      }
      default:
        return undefined;
    }
  }

  private note(span: Span): void {
    this.context.note(
      "emulated",
      "bounds",
      "accesses that may be out of bounds are guarded: reads give 0, and nothing is written",
      span,
    );
  }

  private read(e: Expr & { kind: "load" }): { before: readonly Statement[]; value: Expr } | undefined {
    if (this.condition(e.place) === undefined) return undefined;
    const before: Statement[] = [];
    const place = this.repeatable(e.place, before, false);
    const condition = this.condition(place);
    const zero = zeroOf(e.type, this.module);
    if (condition === "unknown" || condition === undefined || !zero) return this.assume(e.span);
    this.note(e.span);
    const value = { ...e, place };
    if (e.type.kind !== "array" && e.type.kind !== "struct")
      return { before, value: conditional(condition, value, zero, e.span) };
    const [made, read] = this.local("read", zero);
    return { before: [...before, made, ifStatement(condition, block([set(read, value)]))], value: load(read, e.span) };
  }

  private component(e: Expr & { kind: "element-value" }): { before: readonly Statement[]; value: Expr } | undefined {
    const count = countOf(e.operand.type);
    if (count === undefined || this.shown(e.index, count)) return undefined;
    const before: Statement[] = [];
    const hold = (x: Expr): Expr => (this.isPlain(x) ? x : this.held(x, before));
    const operand = isPure(e.operand) && this.isPlain(e.operand) ? e.operand : this.held(e.operand, before);
    const index = hold(e.index);
    const zero = zeroOf(e.type, this.module);
    if (!zero) return this.assume(e.span);
    this.note(e.span);
    return { before, value: conditional(this.below(index, count), { ...e, operand, index }, zero, e.span) };
  }

  private effect(
    e: Expr & { kind: "assign" | "increment" | "op" },
    discarded: boolean,
  ): { before: readonly Statement[]; value: Expr | undefined } | undefined {
    const places = placesOf(e);
    const effect = e.kind === "op" ? row(e.op).effect : "pure";
    if (e.kind === "op" && row(e.op).vector) return this.vector(e);
    if (effect === "memory") return this.assume(e.span);
    if (places.every((p) => this.condition(p) === undefined)) return undefined;
    const operands = e.kind === "assign" ? [e.value] : e.kind === "op" ? e.arguments : [];
    const before: Statement[] = [];
    const moves = operands.every(movable);
    const repeatable = places.map((p) => this.repeatable(p, before, !moves));
    const conditions = repeatable.map((p) => this.condition(p)).filter((c) => c !== undefined);
    const zero = e.type.kind === "void" ? undefined : zeroOf(e.type, this.module);
    if (conditions.includes("unknown") || effect === "crosslane" || (!discarded && !zero)) return this.assume(e.span);
    this.note(e.span);
    const condition = (conditions as Expr[]).reduce((a, b) => logical("and", a, b));
    const again = !discarded && e.kind === "assign" && !e.operator;
    const values = operands.map((v) => (movable(v) && !again ? known(v, condition) : this.held(v, before)));
    const done = withParts(e, repeatable, values);
    const guard = (inner: Expr): Statement => ({
      ...ifStatement(condition, expressionStatement(inner, e.span)),
      span: e.span,
    });
    if (discarded) return { before: [...before, guard(done)], value: undefined };
    if (again) return { before: [...before, guard(done)], value: values[0] };
    const [made, result] = this.local("result", zero!);
    return { before: [...before, made, guard(assign(result, done, e.span))], value: load(result, e.span) };
  }

  /** `vload3(i, p + k)`: its elements are there where element `k` is, and behind it there is room for as many vectors. */
  private vector(e: OpCall): { before: readonly Statement[]; value: Expr | undefined } | undefined {
    const place = e.places[0]!;
    const number = e.arguments.at(-1)!;
    const stored = e.type.kind === "void" ? e.arguments[0]! : undefined;
    const n = componentCount(stored?.type ?? e.type)!;
    const stride = n === 3 && row(e.op).vector?.aligned ? 4 : n;
    const single = n === 1 && Number(literalValue(number)) === 0;
    if (!single && place.kind !== "element") return this.assume(e.span);
    if (!placeIsPure(place) || !isPure(number)) return this.assume(e.span);
    const before: Statement[] = [];
    // What is stored is there before, whether there is room for it or not.
    const value = stored && (movable(stored) ? stored : this.held(stored, before));
    const named = this.repeatable(place, before, false);
    const index = this.isPlain(number) ? number : this.held(number, before, "at");
    const condition = single ? this.condition(named) : this.room(named as ElementPlace, index, n, stride, before);
    if (condition === "unknown") return this.assume(e.span);
    if (!condition) return undefined;
    this.note(e.span);
    const done: Expr = { ...e, places: [named], arguments: value ? [value, index] : [index] };
    const never = literalValue(condition) === false;
    if (never && value) return { before, value: undefined };
    const zero = value ? undefined : zeroOf(e.type, this.module)!;
    if (zero) return { before, value: never ? zero : conditional(condition, done, zero, e.span) };
    const guard = ifStatement(condition, expressionStatement(done, e.span));
    return { before: [...before, { ...guard, span: e.span }], value: undefined };
  }

  /** Whether the `n` elements of vector `index`, counted from the element on, lie in its array. */
  private room(
    { base, index: start }: ElementPlace,
    index: Expr,
    n: number,
    stride: number,
    before: Statement[],
  ): Expr | "unknown" | undefined {
    const { span } = index;
    const found = this.condition(base);
    const count = this.countIn(base);
    if (found === "unknown" || (count === undefined && !this.hasLength(base))) return "unknown";
    const and = (condition: Expr): Expr => (found ? logical("and", found, condition) : condition);
    const number = (value: number): Expr => literal("u32", value, span);
    const beyond = stride - n;
    if (Number(literalValue(start)) === 0) {
      const room = count === undefined ? undefined : Math.floor((count + beyond) / stride);
      if (room !== undefined && this.shown(index, room)) return found;
      const length = (): Expr => {
        const all = lengthOf(base, span);
        const more = beyond === 0 ? all : binary("add", all, number(beyond), span);
        return stride === 1 ? more : binary("div", more, number(stride), span);
      };
      return and(this.below(index, room ?? length()));
    }
    // Counted from inside of the array, a vector may lie before the element.
    const begins = numberOf(start);
    const leads =
      numberOf(index) === undefined ? undefined : Number(BigInt.asUintN(32, numberOf(index)! * BigInt(stride)));
    if (begins !== undefined && leads !== undefined && count !== undefined)
      return ((Number(begins) + leads) % 2 ** 32) + n <= count ? found : boolLiteral(false, span);
    const unsigned = (e: Expr): Expr => convert(e, u32, true);
    const from = begins === undefined ? unsigned(start) : number(Number(BigInt.asUintN(32, begins)));
    const by =
      leads !== undefined
        ? number(leads)
        : stride === 1
          ? unsigned(index)
          : binary("mul", unsigned(index), number(stride), span);
    const moved = leads === 0 ? from : binary("add", from, by, span);
    const first = this.isPlain(moved) ? moved : this.held(moved, before, "first");
    const length = count === undefined ? lengthOf(base, span) : number(count);
    const inside = binary("lt", first, length, span);
    // An object has fewer than 2^31 elements, and nothing comes back into it from beyond 2^32.
    const farthest = Math.floor(2 ** 30 / stride);
    const near = (e: Expr, most: number): Expr =>
      sameType(e.type, u32)
        ? binary("lt", e, number(most), span)
        : binary("lt", binary("add", unsigned(e), number(most), span), number(2 * most), span);
    const starts = begins === undefined && sameType(start.type, u32) ? near(start, 2 ** 31) : undefined;
    const moves = leads === undefined ? near(index, farthest) : undefined;
    const here = [starts, moves].reduce<Expr>((all, x) => (x ? logical("and", x, all) : all), inside);
    if (n === 1) return and(here);
    return and(logical("and", here, binary("ge", binary("sub", length, first, span), number(n), span)));
  }

  // ---------------------------------------------------------------- places named twice

  private local(name: string, value: Expr): [Statement, Place] {
    const v = this.editor.addLocal(name, value.type);
    return [declare(v.id, value), variablePlace(v)];
  }

  private held(value: Expr, before: Statement[], name = "value"): Expr {
    const [made, place] = this.local(name, value);
    before.push(made);
    return load(place, value.span);
  }

  /** The place with indices that can be written twice; all of them in locals where what comes between may change them. */
  private repeatable(p: Place, before: Statement[], all: boolean): Place {
    return repeatablePlace(
      p,
      (e) => (e.type.kind === "pointer" ? e : this.held(e, before, "at")),
      (e) => !all && this.isPlain(e),
    );
  }

  /** Short, the same when it is evaluated again, and read from nowhere that other lanes write. */
  private isPlain(e: Expr): boolean {
    let size = 0;
    let plain = true;
    walkExpr(e, {
      expr: (x) => {
        size++;
        plain &&= [
          "literal",
          "enumerator",
          "builtin",
          "load",
          "unary",
          "binary",
          "convert",
          "swizzle-value",
          "member-value",
        ].includes(x.kind);
      },
      place: (p) => {
        const v = p.kind === "variable" ? this.editor.variables.get(p.variable)! : undefined;
        if (v)
          plain &&=
            !v.volatile && v.space !== "workgroup" && v.space !== "global" && this.resources.get(v.id) !== "buffer";
        else plain &&= p.kind === "member" || p.kind === "swizzle";
      },
    });
    return plain && size <= 9;
  }
}

/** Elements of what is indexed; undefined where the memory object decides. */
function countOf(type: Type): number | undefined {
  switch (type.kind) {
    case "array":
      return type.length;
    case "vector":
      return type.size;
    case "matrix":
      return type.columns;
    default:
      return undefined;
  }
}

const placesOf = (e: Expr & { kind: "assign" | "increment" | "op" }): readonly Place[] =>
  e.kind === "assign" ? [e.target] : e.kind === "increment" ? [e.place] : e.places;

function withParts(
  e: Expr & { kind: "assign" | "increment" | "op" },
  places: readonly Place[],
  values: readonly Expr[],
): Expr {
  switch (e.kind) {
    case "assign":
      return { ...e, target: places[0]!, value: values[0]! };
    case "increment":
      return { ...e, place: places[0]! };
    case "op":
      return { ...e, places, arguments: values };
  }
}

/** Whether it may be evaluated under a condition: it changes nothing, and no other lane takes part. */
function movable(e: Expr): boolean {
  let found = isPure(e);
  walkExpr(e, { expr: (x) => void (x.kind === "op" && row(x.op).effect !== "pure" && (found = false)) });
  return found;
}

/** What the value is where the condition holds. */
function known(value: Expr, condition: Expr): Expr {
  const key = keyOf(condition);
  return rewriteExpr(value, { expr: (x) => (x.kind === "conditional" && keyOf(x.condition) === key ? x.whenTrue : x) });
}
const keyOf = (e: Expr): string =>
  JSON.stringify(e, (name, v: unknown) => (name === "span" ? undefined : typeof v === "bigint" ? String(v) : v));

const set = (place: Place, value: Expr): Statement => expressionStatement(assign(place, value));
