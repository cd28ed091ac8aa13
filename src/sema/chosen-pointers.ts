/**
 * Pointers to pointers of a function's own that are chosen, moved or set anew become indices: the pointers that one may point to lie
 * in one array, in which what follows finds out where each points (passes/pointers/pointer-arrays.ts). Those that point to one pointer
 * from their declaration on stand for it before (object-pointers.ts), and functions that get or return others have been put in the
 * place of their calls.
 */
import {
  assign,
  comma,
  convert,
  declare,
  element,
  expressionStatement,
  i32Literal,
  load,
  type ModuleEditor,
  variablePlace,
} from "../ast/builders.js";
import type { Declare, Expr, FunctionDeclaration, Place, Statement, Variable, VarId } from "../ast/nodes.js";
import { isPure, rewriteExpr, rewriteFunction, type Rewriter, walkStatement } from "../ast/walk.js";
import { add, sub } from "../ops/trees.js";
import type { Span } from "../support/span.js";
import { array, i32, type PointerType, sameType, showType, type Type } from "../types/types.js";
import type { Refuse } from "./inline-calls.js";

export const isPointerToPointer = (type: Type): type is PointerType =>
  type.kind === "pointer" && type.pointee.kind === "pointer" && type.space === "private";

/** Pointers to pointers, or arrays of them. */
export const holdsPointerToPointer = (type: Type): boolean =>
  type.kind === "array" ? holdsPointerToPointer(type.element) : isPointerToPointer(type);

/** The variable that is such a pointer, or the array that it is an element of. */
function holderOf(p: Place): VarId | undefined {
  if (p.kind === "element" && p.base.type.kind === "array") return holderOf(p.base);
  return p.kind === "variable" ? p.variable : undefined;
}

/** What takes the place of such pointers. */
const asIndices = (type: Type): Type => (type.kind === "array" ? { ...type, element: asIndices(type.element) } : i32);

/** What some pointers to pointers may point to: variables that hold pointers, or arrays of them, in one array. */
interface Pool {
  readonly array: Variable;
  /** Where each begins. */
  readonly first: ReadonlyMap<VarId, number>;
  /** An array of the source that has all of them. */
  readonly given: boolean;
}

const longestName = 24;

export function withoutChosenPointers(
  f: FunctionDeclaration,
  editor: ModuleEditor,
  refuse: Refuse,
): FunctionDeclaration {
  // Those that point to pointers to pointers come first: what they may point to are elements of an array like any other then.
  for (let least = deepest(f, editor); least >= 2; least--) {
    const chosen = new ChosenPointers(f, editor, refuse, least);
    if (chosen.any) f = chosen.rewritten();
  }
  return f;
}

/** How many pointers are followed to what is none. */
const depthOf = (type: Type): number => (type.kind === "pointer" ? 1 + depthOf(type.pointee) : 0);

/** The depth of the pointers to pointers that a function has. */
function deepest(f: FunctionDeclaration, editor: ModuleEditor): number {
  let depth = 2;
  const look = (type: Type): void => {
    if (type.kind === "array") look(type.element);
    else if (isPointerToPointer(type)) depth = Math.max(depth, depthOf(type));
  };
  for (const id of f.parameters) look(editor.variables.get(id)!.type);
  walkStatement(f.body, {
    statement: (s) => {
      if (s.kind === "declare") look(editor.variables.get(s.variable)!.type);
    },
  });
  return depth;
}

/** `*(a, p)` is `a, *p`: what comes first, and the place without it. */
function withoutComma(p: Place): { readonly first: Expr; readonly place: Place } | undefined {
  if (p.kind === "deref") {
    const { pointer } = p;
    const moved = pointer.kind === "pointer-offset" ? pointer.pointer : pointer;
    if (moved.kind !== "comma") return undefined;
    const rest = pointer.kind === "pointer-offset" ? { ...pointer, pointer: moved.right } : moved.right;
    return { first: moved.left, place: { ...p, pointer: rest } };
  }
  const base = p.kind === "variable" ? undefined : withoutComma(p.base);
  return base && { first: base.first, place: { ...p, base: base.place } as Place };
}
function effectFirst(e: Expr): Expr {
  if (e.kind !== "load" && e.kind !== "increment" && e.kind !== "assign") return e;
  const found = withoutComma(e.kind === "assign" ? e.target : e.place);
  if (!found) return e;
  const rest = e.kind === "assign" ? { ...e, target: found.place } : { ...e, place: found.place };
  return comma(found.first, effectFirst(rest), e.span);
}

class ChosenPointers {
  /** Pointers to pointers, and what they may point to, by a variable that stands for all that may meet. */
  private readonly leaders = new Map<VarId, VarId>();
  private readonly pools = new Map<VarId, Pool>();
  private readonly parameters: ReadonlySet<VarId>;
  private readonly added: Statement[] = [];

  constructor(
    private readonly f: FunctionDeclaration,
    private readonly editor: ModuleEditor,
    private readonly refuse: Refuse,
    /** The depth of those that are rewritten; deeper ones have been. */
    private readonly least: number,
  ) {
    this.parameters = new Set(f.parameters);
    walkStatement(f.body, {
      statement: (s) => {
        if (s.kind === "declare") this.meets(s.variable, s.initializer);
      },
      expr: (e) => {
        if (e.kind === "assign" && this.isMet(e.target.type)) this.together([this.sources(e)]);
        else if (e.kind === "binary" || (e.kind === "load" && e.place.kind === "deref"))
          for (const x of e.kind === "binary" ? [e.left, e.right] : [e.place.kind === "deref" ? e.place.pointer : e])
            if (this.isMet(x.type)) this.sources(x);
        if (e.kind === "binary" && this.isMet(e.left.type))
          this.together([this.sources(e.left), this.sources(e.right)]);
      },
    });
  }

  private isMet(type: Type): boolean {
    return isPointerToPointer(type) && depthOf(type) >= this.least;
  }

  private holds(type: Type): boolean {
    return type.kind === "array" ? this.holds(type.element) : this.isMet(type);
  }

  get any(): boolean {
    return this.leaders.size > 0;
  }

  private variable(id: VarId): Variable {
    return this.editor.variables.get(id)!;
  }

  // ---------------------------------------------------------------- what may meet

  private meets(id: VarId, value: Expr | undefined): void {
    if (this.holds(this.variable(id).type)) this.together([[id], value ? this.sources(value) : []]);
  }

  private leader(id: VarId): VarId {
    const next = this.leaders.get(id);
    if (next === undefined) this.leaders.set(id, id);
    return next === undefined || next === id ? id : this.leader(next);
  }

  private together(lists: readonly (readonly VarId[])[]): readonly VarId[] {
    const all = lists.flat();
    for (const id of all) this.leaders.set(this.leader(id), this.leader(all[0]!));
    return all;
  }

  /** The variables of which a value may be the address, or that hold such a value. */
  private sources(e: Expr): readonly VarId[] {
    switch (e.kind) {
      case "null-pointer":
        return [];
      case "address-of": {
        const root = e.place.kind === "element" ? e.place.base : e.place;
        if (root.kind === "variable" && this.isOwn(root.variable)) return this.together([[root.variable]]);
        break;
      }
      case "load":
      case "increment": {
        const holder = holderOf(e.place);
        if (holder !== undefined) return this.together([[holder]]);
        break;
      }
      case "assign": {
        const holder = holderOf(e.target);
        if (holder !== undefined) return this.together([[holder], e.operator ? [] : this.sources(e.value)]);
        break;
      }
      case "construct":
        return this.together(e.arguments.map((a) => this.sources(a)));
      case "pointer-offset":
        return this.sources(e.pointer);
      case "conditional":
        return this.together([this.sources(e.whenTrue), this.sources(e.whenFalse)]);
      case "comma":
        return this.sources(e.right);
      default:
        break;
    }
    this.refuse("pointers to pointers that come about so are", e.span);
    return [];
  }

  private isOwn(id: VarId): boolean {
    const { space, role, mode } = this.variable(id);
    return space === "private" && role !== "global" && (mode ?? "value") === "value";
  }

  // ---------------------------------------------------------------- pools

  private poolOf(id: VarId): Pool | undefined {
    return this.leaders.has(id) ? this.pools.get(this.leader(id)) : undefined;
  }

  private makePools(): boolean {
    const groups = new Map<VarId, Variable[]>();
    for (const id of this.leaders.keys()) {
      const v = this.variable(id);
      const group = groups.get(this.leader(id)) ?? [];
      groups.set(this.leader(id), group);
      if (!this.holds(v.type)) group.push(v);
    }
    return [...groups].every(([leader, objects]) => this.makePool(leader, objects));
  }

  private makePool(leader: VarId, objects: readonly Variable[]): boolean {
    const [one] = objects;
    if (!one) {
      this.refuse("pointers to pointers that point nowhere are", this.variable(leader).span);
      return false;
    }
    const elementOf = ({ type }: Variable): Type => (type.kind === "array" ? type.element : type);
    const other = objects.find((v) => !sameType(elementOf(v), elementOf(one)) || elementOf(v).kind !== "pointer");
    if (other) {
      const [a, b] = [showType(elementOf(one)), showType(elementOf(other))];
      this.refuse(`pointers that may point to ${one.name}, a ${a}, and to ${other.name}, a ${b}, are`, other.span);
      return false;
    }
    const first = new Map<VarId, number>();
    let count = 0;
    for (const v of objects) {
      first.set(v.id, count);
      count += v.type.kind === "array" ? v.type.length! : 1;
    }
    const given = objects.length === 1 && one.type.kind === "array";
    this.pools.set(leader, { array: given ? one : this.newArray(objects, count), first, given });
    return true;
  }

  private newArray(objects: readonly Variable[], count: number): Variable {
    const [one] = objects;
    const joined = objects.map((v) => v.name).join("_");
    const type = one!.type.kind === "array" ? one!.type.element : one!.type;
    const name = objects.length > 1 && joined.length <= longestName ? joined : `${one!.name}_pointers`;
    const made = this.editor.addLocal(name, array(type, count), one!.span);
    this.added.push(declare(made.id, undefined, one!.span));
    return made;
  }

  // ---------------------------------------------------------------- rewriting

  rewritten(): FunctionDeclaration {
    if (!this.makePools()) return this.f;
    for (const id of this.leaders.keys()) {
      const v = this.variable(id);
      if (this.holds(v.type)) this.editor.setVariable({ ...v, type: asIndices(v.type) });
    }
    const { body, ...next } = rewriteFunction(this.f, this.rewriter);
    const parameters = this.f.parameters.flatMap((id) => {
      const at = this.objectPlace(id, this.f.nameSpan);
      return at ? [expressionStatement(assign(at, load(variablePlace(this.variable(id))), this.f.nameSpan))] : [];
    });
    return { ...next, body: { ...body, statements: [...this.added, ...parameters, ...body.statements] } };
  }

  private readonly rewriter: Rewriter = {
    enterStatement: (s) => (s.kind === "declare" ? this.declared(s) : undefined),
    enterPlace: (p) => this.place(p),
    enterExpr: (e) => this.entered(e),
    place: (p) => {
      if (p.kind === "variable") return { ...p, type: this.variable(p.variable).type };
      return this.holds(p.type) && p.kind === "element" ? { ...p, type: asIndices(p.type) } : p;
    },
    expr: (e) => this.left(e),
  };
  private readonly inside = (e: Expr): Expr => rewriteExpr(e, this.rewriter);

  /** Where a pointer that has moved into an array lies. */
  private objectPlace(id: VarId, span: Span): Place | undefined {
    const pool = this.poolOf(id);
    const at = pool?.first.get(id);
    if (!pool || pool.given || at === undefined || this.variable(id).type.kind === "array") return undefined;
    return element(variablePlace(pool.array, span), i32Literal(at, span), span);
  }

  private declared(s: Declare): readonly Statement[] | undefined {
    const pool = this.poolOf(s.variable);
    const first = pool?.first.get(s.variable);
    if (!pool || pool.given || first === undefined) return undefined;
    const { type } = this.variable(s.variable);
    const e = s.initializer;
    if (!e) return [];
    if (type.kind === "array" && e.kind !== "construct") {
      this.refuse("such an initialiser of an array of pointers to which pointers point is", e.span);
      return [];
    }
    const values = type.kind === "array" && e.kind === "construct" ? e.arguments : [e];
    return values.map((value, i) => {
      const place = element(variablePlace(pool.array, s.span), i32Literal(first + i, s.span), s.span);
      const set = expressionStatement(assign(place, this.inside(value), s.span), s.span);
      return i === 0 ? { ...set, trivia: s.trivia } : set;
    });
  }

  private place(p: Place): Place | undefined {
    if (p.kind === "variable") return this.objectPlace(p.variable, p.span);
    if (p.kind === "element" && p.base.kind === "variable") {
      const pool = this.poolOf(p.base.variable);
      return pool && !pool.given && pool.first.has(p.base.variable)
        ? element(variablePlace(pool.array, p.span), this.indexOf(p, pool), p.span)
        : undefined;
    }
    if (p.kind !== "deref" || !this.isMet(p.pointer.type)) return undefined;
    return this.pointed(p.pointer, this.inside(p.pointer), p.span);
  }

  private pointed(pointer: Expr, index: Expr, span: Span): Place | undefined {
    const [source] = this.sources(pointer);
    const pool = source === undefined ? undefined : this.poolOf(source);
    return pool && element(variablePlace(pool.array, span), index, span);
  }

  /** Of an element of an array that became part of another. */
  private indexOf(p: Place & { kind: "element" }, pool: Pool): Expr {
    const first = p.base.kind === "variable" ? pool.first.get(p.base.variable)! : 0;
    const index = convert(this.inside(p.index), i32);
    return first === 0 ? index : add(i32Literal(first, p.span), index);
  }

  private entered(e: Expr): Expr | undefined {
    if (e.kind === "address-of" && this.isMet(e.type)) {
      const root = e.place.kind === "element" ? e.place.base : e.place;
      const pool = root.kind === "variable" ? this.poolOf(root.variable) : undefined;
      if (!pool || root.kind !== "variable") return undefined;
      return e.place.kind === "element"
        ? this.indexOf(e.place, pool)
        : i32Literal(pool.first.get(root.variable)!, e.span);
    }
    const place = e.kind === "assign" ? e.target : e.kind === "load" || e.kind === "increment" ? e.place : undefined;
    if (place?.kind !== "deref" || !this.isMet(place.pointer.type)) return undefined;
    const index = this.inside(place.pointer);
    if (isPure(index)) return undefined;
    // An index with an effect is held: `*r++`.
    const at = this.editor.addLocal("at", i32, e.span);
    this.added.push(declare(at.id, undefined, e.span));
    const held = this.pointed(place.pointer, load(variablePlace(at, e.span)), e.span);
    if (!held) return undefined;
    const rest: Expr =
      e.kind === "assign"
        ? { ...e, target: held, value: this.inside(e.value) }
        : { ...(e as Expr & { kind: "load" | "increment" }), place: held };
    return comma(assign(variablePlace(at, e.span), index, e.span), rest, e.span);
  }

  /** What held or made an address is about an index now. */
  private left(given: Expr): Expr {
    const e = effectFirst(given);
    if (e.kind === "pointer-offset" && this.isMet(e.type)) {
      const { offset } = e;
      return offset.kind === "unary" && offset.operator === "negate"
        ? sub(e.pointer, convert(offset.operand, i32))
        : add(e.pointer, convert(offset, i32));
    }
    if (!this.holds(e.type)) return e;
    if (e.type.kind === "array") return { ...e, type: asIndices(e.type) } as Expr;
    if (e.kind === "null-pointer") return i32Literal(-1, e.span);
    if (e.kind === "assign") return { ...e, type: i32, value: convert(e.value, i32) };
    return { ...e, type: i32 };
  }
}
