/**
 * Pointers of a function's own to structs with pointers in memory of the host (`device const Args *p = nullptr; if (c) p = &args;`), which
 * are null, chosen or moved: indices into the array where all that one may point to lies, -1 for null. Several objects that lie in no array
 * are numbered, and what is read of one is chosen by that number. One that stands for an object from its declaration on is none of these
 * (object-pointers.ts).
 */
import {
  addressOf,
  assign,
  binary,
  conditional,
  convert,
  element,
  i32Literal,
  load,
  ModuleEditor,
  rootVariable,
  variablePlace,
} from "../ast/builders.js";
import type { Expr, FunctionDeclaration, Module, Place, VarId } from "../ast/nodes.js";
import {
  isPure,
  rewriteExpr,
  rewriteFunction,
  rewritePlace,
  walkExpr,
  walkPlace,
  walkStatement,
  type Rewriter,
  type Visitor,
} from "../ast/walk.js";
import { add, sub } from "../ops/trees.js";
import { i32, type Type } from "../types/types.js";
import { knownPlace } from "./addressed-buffers.js";

/** `isHosts`: what the host fills; `holds`: structs with pointers. */
export function withoutHostStructPointers(
  module: Module<"canonical">,
  isHosts: (variable: VarId) => boolean,
  holds: (type: Type) => boolean,
): Module<"canonical"> {
  const editor = new ModuleEditor(module);
  const functions = module.functions.map((f) => new HostStructPointers(f, editor, isHosts, holds).rewritten());
  return functions.every((f, i) => f === module.functions[i]) ? module : editor.finish({ functions });
}

class HostStructPointers {
  private readonly own = new Set<VarId>();
  /** Pointers that may meet, by one of them. */
  private readonly leaders = new Map<VarId, VarId>();
  private readonly objects = new Map<VarId, Map<string, Place>>();
  /** Used in a way that an index has not. */
  private readonly others = new Set<VarId>();
  /** What they lead to is named, and more is done with it than reading. */
  private readonly followed = new Set<VarId>();
  private readonly changed = new Set<VarId>();

  constructor(
    private readonly f: FunctionDeclaration,
    private readonly editor: ModuleEditor<Module<"canonical">>,
    private readonly isHosts: (variable: VarId) => boolean,
    private readonly holds: (type: Type) => boolean,
  ) {
    walkStatement(f.body, {
      statement: (s) => {
        if (s.kind === "declare" && this.concerns(editor.variables.get(s.variable)!.type)) this.own.add(s.variable);
      },
    });
  }

  private concerns(type: Type): boolean {
    return (
      type.kind === "pointer" && (type.space === "global" || type.space === "constant") && this.holds(type.pointee)
    );
  }

  // ---------------------------------------------------------------- what may meet

  private leader(id: VarId): VarId {
    const next = this.leaders.get(id) ?? id;
    return next === id ? id : this.leader(next);
  }

  private meet(ids: readonly VarId[]): void {
    for (const id of ids) {
      const [a, b] = [this.leader(id), this.leader(ids[0]!)];
      if (a === b) continue;
      this.leaders.set(a, b);
      for (const [key, place] of this.objects.get(a) ?? []) this.add(b, key, place);
      if (this.others.has(a)) this.others.add(b);
      if (this.followed.has(a)) this.followed.add(b);
      if (this.changed.has(a)) this.changed.add(b);
    }
  }

  private add(id: VarId, key: string, place: Place): void {
    const leader = this.leader(id);
    this.objects.set(leader, new Map([...(this.objects.get(leader) ?? []), [key, place]]));
  }

  /** The array that an address leads into, or the object that it is the one of. */
  private objectOf(e: Expr): { readonly key: string; readonly place: Place } | undefined {
    if (e.kind !== "address-of") return undefined;
    const { place } = e;
    const whole = place.kind === "element" && place.base.type.kind === "array" ? place.base : place;
    const at = knownPlace(whole);
    return at && this.isHosts(at.variable)
      ? { key: JSON.stringify([at.variable, ...at.members]), place: whole }
      : undefined;
  }

  /** The variables among which the value is one, and what else it may be; undefined where that is not known. */
  private sources(e: Expr): { readonly ids: readonly VarId[]; readonly objects: readonly Expr[] } | undefined {
    switch (e.kind) {
      case "null-pointer":
        return { ids: [], objects: [] };
      case "load":
      case "increment":
        return e.place.kind === "variable" && this.own.has(e.place.variable)
          ? { ids: [e.place.variable], objects: [] }
          : undefined;
      case "assign":
        return e.target.kind === "variable" && this.own.has(e.target.variable)
          ? { ids: [e.target.variable], objects: [] }
          : undefined;
      case "address-of":
        return this.objectOf(e) && { ids: [], objects: [e] };
      case "pointer-offset":
        return this.sources(e.pointer);
      case "bitcast":
        return e.operand.kind === "null-pointer" || this.concerns(e.operand.type) ? this.sources(e.operand) : undefined;
      case "conditional": {
        const [a, b] = [this.sources(e.whenTrue), this.sources(e.whenFalse)];
        return a && b && { ids: [...a.ids, ...b.ids], objects: [...a.objects, ...b.objects] };
      }
      default:
        return undefined;
    }
  }

  /** A value of such a type, in a place where an index may stand. */
  private meets(values: readonly Expr[], ids: readonly VarId[] = []): void {
    const all = values.map((e) => this.sources(e));
    const named = [...ids, ...all.flatMap((s) => s?.ids ?? [])];
    this.meet(named);
    const [first] = named;
    if (first === undefined) return values.forEach((e) => this.named(e));
    if (all.some((s) => !s)) this.others.add(this.leader(first));
    for (const object of all.flatMap((s) => s?.objects ?? [])) {
      const { key, place } = this.objectOf(object)!;
      this.add(first, key, place);
    }
    for (const e of values) this.parts(e);
  }

  /** Pointers that are named in a value of which the sources are not known. */
  private named(e: Expr): void {
    walkExpr(e, this.visitor);
  }

  /** What a value of such a type is made of: what has no such type is looked at by itself. */
  private parts(e: Expr): void {
    switch (e.kind) {
      case "load":
      case "increment":
        return;
      case "assign":
        return walkExpr(e, this.visitor);
      case "address-of":
        return walkPlace(e.place, this.visitor, "read");
      case "pointer-offset":
        this.parts(e.pointer);
        return walkExpr(e.offset, this.visitor);
      case "bitcast":
        return this.parts(e.operand);
      case "conditional":
        walkExpr(e.condition, this.visitor);
        this.parts(e.whenTrue);
        return this.parts(e.whenFalse);
      default:
        return walkExpr(e, this.visitor);
    }
  }

  private readonly visitor: Visitor = {
    statement: (s) => {
      if (s.kind !== "declare" || !this.own.has(s.variable)) return true;
      if (s.initializer) this.meets([s.initializer], [s.variable]);
      return false;
    },
    expr: (e) => {
      if (e.kind === "assign" && e.target.kind === "variable" && this.own.has(e.target.variable)) {
        if (e.operator) walkExpr(e.value, this.visitor);
        else this.meets([e.value], [e.target.variable]);
        return false;
      }
      if (e.kind === "increment" && e.place.kind === "variable" && this.own.has(e.place.variable)) return false;
      if (e.kind === "binary" && this.concerns(e.left.type) && this.concerns(e.right.type) && e.operator !== "sub") {
        this.meets([e.left, e.right]);
        return false;
      }
      if (e.kind !== "call") return true;
      for (const a of e.arguments) {
        if (a.mode !== "value") walkPlace(a.place, this.visitor, a.mode === "out" ? "write" : "both");
        else if (this.concerns(a.value.type)) {
          this.meets([a.value]);
          this.follows(a.value, true);
        } else walkExpr(a.value, this.visitor);
      }
      return false;
    },
    place: (p, use) => {
      if (p.kind === "variable" && this.own.has(p.variable)) this.others.add(this.leader(p.variable));
      if (p.kind !== "deref" || !this.concerns(p.pointer.type)) return true;
      this.meets([p.pointer]);
      this.follows(p.pointer, use !== "read" || !isPure(p.pointer));
      return false;
    },
  };

  private follows(pointer: Expr, changes: boolean): void {
    const [id] = this.sources(pointer)?.ids ?? [];
    if (id === undefined) return;
    this.followed.add(this.leader(id));
    if (changes) this.changed.add(this.leader(id));
  }

  // ---------------------------------------------------------------- rewriting

  private isIndex(id: VarId): boolean {
    const leader = this.leader(id);
    if (!this.own.has(id) || this.others.has(leader)) return false;
    const objects = this.objectsFor(id);
    if (objects.length === 0) return !this.followed.has(leader);
    const single = objects.every((p) => p.type.kind !== "array");
    return objects.length === 1 || (single && !this.changed.has(leader));
  }

  private objectsFor(id: VarId): readonly Place[] {
    return [...(this.objects.get(this.leader(id))?.values() ?? [])];
  }

  rewritten(): FunctionDeclaration {
    if (this.own.size === 0) return this.f;
    walkStatement(this.f.body, this.visitor);
    const indices = [...this.own].filter((id) => this.isIndex(id));
    if (indices.length === 0) return this.f;
    for (const id of indices) this.editor.setVariable({ ...this.editor.variables.get(id)!, type: i32 });
    return rewriteFunction(this.f, this.rewriter);
  }

  /** What an expression that is an index now may lead to. */
  private led(e: Expr): readonly Place[] | undefined {
    if (!this.concerns(e.type)) return undefined;
    const [id] = this.sources(e)?.ids ?? [];
    return id !== undefined && this.isIndex(id) ? this.objectsFor(id) : undefined;
  }

  private readonly inside = (e: Expr): Expr => rewriteExpr(e, this.rewriter);

  private readonly rewriter: Rewriter = {
    enterStatement: (s) => {
      if (s.kind !== "declare" || !s.initializer || !this.own.has(s.variable) || !this.isIndex(s.variable))
        return undefined;
      return [{ ...s, initializer: this.index(s.initializer, this.objectsFor(s.variable)) }];
    },
    enterPlace: (p) => {
      const objects = p.kind === "deref" ? this.led(p.pointer) : undefined;
      return objects && p.kind === "deref" ? this.at(objects[0]!, p.pointer, objects) : undefined;
    },
    enterExpr: (e) => this.entered(e),
  };

  private entered(e: Expr): Expr | undefined {
    if (e.kind === "load" && e.place.kind !== "variable") return this.chosen(e);
    if (e.kind === "binary") {
      const objects = this.led(e.left) ?? this.led(e.right);
      if (!objects || !this.concerns(e.left.type) || !this.concerns(e.right.type)) return undefined;
      return { ...e, left: this.index(e.left, objects), right: this.index(e.right, objects) };
    }
    const objects = this.led(e);
    if (!objects) return undefined;
    if (e.kind === "assign" || e.kind === "increment") return this.index(e, objects);
    // What is handed to a function is an address.
    return addressOf(this.at(objects[0]!, e, objects), (e.type as Type & { kind: "pointer" }).space, e.span);
  }

  /** Of several objects, what is read of each. */
  private chosen(e: Expr & { kind: "load" }): Expr | undefined {
    const pointer = pointerBelow(e.place);
    const objects = pointer && this.led(pointer);
    if (!objects || objects.length < 2) return undefined;
    const index = this.index(pointer, objects);
    const read = objects.map((object) =>
      load(
        onPlace(e.place, object, (i) => this.inside(i)),
        e.span,
      ),
    );
    return read.reduceRight((rest, one, k) =>
      conditional(binary("eq", index, i32Literal(k, e.span), e.span), one, rest, e.span),
    );
  }

  private at(object: Place, pointer: Expr, objects: readonly Place[]): Place {
    const place = { ...rewritePlace(object, this.rewriter), span: pointer.span };
    return object.type.kind === "array" ? element(place, this.index(pointer, objects), pointer.span) : place;
  }

  /** Where in the array an address leads, or which of several objects it is. */
  private index(e: Expr, objects: readonly Place[]): Expr {
    const within = (x: Expr): Expr => this.index(x, objects);
    switch (e.kind) {
      case "null-pointer":
        return i32Literal(-1, e.span);
      case "load":
        return load(this.variable(e.place), e.span);
      case "increment":
        return { ...e, place: this.variable(e.place), type: i32 };
      case "assign": {
        const target = this.variable(e.target);
        if (!e.operator) return assign(target, within(e.value), e.span);
        const value = convert(this.inside(e.value), i32);
        return assign(target, (e.operator === "sub" ? sub : add)(load(target), value), e.span);
      }
      case "pointer-offset": {
        const { offset } = e;
        return offset.kind === "unary" && offset.operator === "negate"
          ? sub(within(e.pointer), convert(this.inside(offset.operand), i32))
          : add(within(e.pointer), convert(this.inside(offset), i32));
      }
      case "bitcast":
        return within(e.operand);
      case "conditional":
        return conditional(this.inside(e.condition), within(e.whenTrue), within(e.whenFalse), e.span);
      default: {
        const place = e.kind === "address-of" ? e.place : undefined;
        const { key } = this.objectOf(e)!;
        const which = objects.findIndex((o) => this.objectOf({ ...e, place: o } as Expr)?.key === key);
        return place?.kind === "element" && objects[0]!.type.kind === "array"
          ? convert(this.inside(place.index), i32)
          : i32Literal(which, e.span);
      }
    }
  }

  private variable(p: Place): Place {
    return { ...variablePlace(this.editor.variables.get(rootVariable(p)!)!), span: p.span };
  }
}

/** The pointer that a place begins with. */
const pointerBelow = (p: Place): Expr | undefined =>
  p.kind === "deref" ? p.pointer : p.kind === "variable" ? undefined : pointerBelow(p.base);

/** The same place of another object than that of the pointer. */
function onPlace(p: Place, object: Place, inside: (e: Expr) => Expr): Place {
  if (p.kind === "variable") return p;
  if (p.kind === "deref") return { ...object, span: p.span };
  const base = onPlace(p.base, object, inside);
  return p.kind === "element" ? { ...p, base, index: inside(p.index) } : { ...p, base };
}
