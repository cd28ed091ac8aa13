/**
 * Pointers to pointers and to objects that hold some. A parameter that only stands for what it points to is a reference to it, one
 * that was given the first element of an array of pointers a reference to the array; a local variable that points there from its
 * declaration on stands for it. Others stay, and are refused by who asks.
 */
import {
  declare,
  element,
  i32Literal,
  literalValue,
  load,
  ModuleEditor,
  rootVariable,
  variablePlace,
} from "../ast/builders.js";
import { functionOf } from "../ast/lookup.js";
import type { Argument, Expr, Module, Place, Statement, Variable, VarId } from "../ast/nodes.js";
import { isPure, rewriteModule, walkExpr, walkModule, walkPlace, walkStatement, type Visitor } from "../ast/walk.js";
import { knownPlace } from "./addressed-buffers.js";
import { isArrayOfPointers, sameType, type Type } from "../types/types.js";

export function withoutObjectPointers(
  module: Module<"canonical">,
  holdsPointers: (type: Type) => boolean,
  declarations: "their declarations go" | "their declarations stay" = "their declarations go",
): Module<"canonical"> {
  const pointers = new ObjectPointers(module, holdsPointers, declarations === "their declarations stay");
  return pointers.any ? pointers.rewritten() : module;
}

/** The variables that are there: what became of others is not asked. */
export function variablesIn({ order, resources, functions }: Module<"canonical">): Set<VarId> {
  const named = new Set([...resources.map((r) => r.variable), ...functions.flatMap((f) => f.parameters)]);
  for (const o of order) if (o.kind === "variable") named.add(o.variable);
  for (const f of functions)
    walkStatement(f.body, {
      statement: (s) => {
        if (s.kind === "declare") named.add(s.variable);
      },
    });
  return named;
}

class ObjectPointers {
  private readonly standing: Set<VarId>;
  /** What local ones point to. */
  private readonly objects = new Map<VarId, Place>();
  /** What each stands for, as far as it is known: an object, or an array of pointers. */
  private readonly types = new Map<VarId, Type>();

  /** Variables that the host fills. */
  private readonly hosts: ReadonlySet<VarId>;
  /** The numbers that local pointers keep, by what declares them. */
  private readonly kept = new Map<VarId, Statement[]>();

  constructor(
    private readonly module: Module<"canonical">,
    private readonly holdsPointers: (type: Type) => boolean,
    private readonly declared: boolean,
  ) {
    this.hosts = new Set(module.resources.map((r) => r.variable));
    const concerns = ({ type, role, mode }: Variable): boolean =>
      type.kind === "pointer" &&
      (type.space !== "workgroup" || type.pointee.kind === "struct") &&
      role !== "global" &&
      role !== "resource" &&
      mode !== "ref" &&
      holdsPointers(type.pointee);
    this.standing = new Set([...variablesIn(module)].filter((id) => concerns(module.variables.get(id)!)));
    if (this.standing.size > 0) this.settle();
  }

  get any(): boolean {
    return this.standing.size > 0;
  }

  /** The variable of which this is the value, where it stands for an object. */
  private pointerIn(e: Expr): VarId | undefined {
    return e.kind === "load" && e.place.kind === "variable" && this.standing.has(e.place.variable)
      ? e.place.variable
      : undefined;
  }

  /** An array whose elements are pointers, or have some. */
  private isArray(type: Type): boolean {
    return isArrayOfPointers(type) || (type.kind === "array" && type.length !== undefined && this.holdsPointers(type));
  }

  /** A variable and members of it, or what a pointer stands for. */
  private isObject(p: Place): boolean {
    if (p.kind === "member") return this.isObject(p.base);
    if (p.kind === "element")
      return (
        knownPlace(p) !== undefined ||
        (literalValue(p.index) !== undefined && this.isOwnArray(p.base)) ||
        (this.isHosts(p) && this.isObject(p.base))
      );
    return p.kind === "variable" || (p.kind === "deref" && this.pointerIn(p.pointer) !== undefined);
  }

  /** A struct in memory of the host: which of an array it is, is a number that the pointer keeps. */
  private isHosts(p: Place & { kind: "element" }): boolean {
    const root = rootVariable(p);
    return root !== undefined && this.hosts.has(root) && p.type.kind === "struct" && isPure(p.index);
  }

  /** Of a function's own: elements that are named by number are the same wherever they are named. */
  private isOwnArray(p: Place): boolean {
    const { type } = p;
    return type.kind === "array" && this.isArray(type) && this.isObject(p);
  }

  /** The object that an address is the one of: an array for its first element, as arrays of pointers are handed over. */
  private objectAt(e: Expr): Place | undefined {
    if (e.kind === "bitcast" && e.operand.type.kind === "pointer") return this.objectAt(e.operand);
    if (e.kind !== "address-of") return undefined;
    const { place } = e;
    const first = place.kind === "element" && this.isArray(place.base.type) && Number(literalValue(place.index)) === 0;
    const object = first ? place.base : place;
    return this.isObject(object) ? object : undefined;
  }

  /** Whether it is known by now, and for the same: a pointer stands for objects of one type. */
  private standsFor(id: VarId, type: Type | undefined): boolean {
    if (!type) return true;
    const known = this.types.get(id);
    if (known) return sameType(known, type);
    this.types.set(id, type);
    return true;
  }

  /** What an argument is the address of, or `undefined` where it is none of an object. */
  private given(e: Expr): { readonly type: Type | undefined; readonly object?: Place } | undefined {
    const from = this.pointerIn(e);
    if (from !== undefined) return { type: this.types.get(from) };
    const object = this.objectAt(e);
    return object && { type: object.type, object };
  }

  /** `rows[i]` and `*rows` of what stands for an array. */
  private elementIn(p: Place & { kind: "deref" }): { readonly pointer: VarId; readonly index: Expr } | undefined {
    const e = p.pointer;
    const pointer = this.pointerIn(e.kind === "pointer-offset" ? e.pointer : e);
    if (pointer === undefined || this.types.get(pointer)?.kind !== "array") return undefined;
    return { pointer, index: e.kind === "pointer-offset" ? e.offset : i32Literal(0, p.span) };
  }

  /** Takes out what is used in another way, until nothing is. */
  private settle(): void {
    for (const f of this.module.functions)
      walkStatement(f.body, {
        statement: (s) => {
          if (s.kind !== "declare" || !this.standing.has(s.variable)) return;
          const object = s.initializer && this.objectAt(s.initializer);
          if (object) {
            this.objects.set(s.variable, object);
            this.types.set(s.variable, object.type);
          } else this.standing.delete(s.variable);
        },
      });
    const visitor: Visitor = {
      place: (p) => {
        if (p.kind === "deref" && this.pointerIn(p.pointer) !== undefined) return false;
        const part = p.kind === "deref" ? this.elementIn(p) : undefined;
        if (part) {
          walkExpr(part.index, visitor);
          return false;
        }
        if (p.kind === "variable") this.standing.delete(p.variable);
        return true;
      },
      expr: (e) => {
        if (e.kind !== "call") return true;
        const { parameters } = functionOf(this.module, e.function)!;
        e.arguments.forEach((a, i) => {
          if (a.mode !== "value") walkPlace(a.place, visitor, "both");
          else if (!this.standing.has(parameters[i]!)) walkExpr(a.value, visitor);
          else {
            const given = this.given(a.value);
            if (!given || !this.standsFor(parameters[i]!, given.type)) {
              this.standing.delete(parameters[i]!);
              walkExpr(a.value, visitor);
            } else if (given.object) walkPlace(given.object, visitor, "both");
          }
        });
        return false;
      },
    };
    // What a pointer stands for is known before what is done with it is judged: calls come in any order.
    for (let before = -1; before !== this.types.size;) {
      before = this.types.size;
      walkModule(this.module, {
        expr: (e) => {
          if (e.kind !== "call") return;
          const { parameters } = functionOf(this.module, e.function)!;
          e.arguments.forEach((a, i) => {
            const id = parameters[i]!;
            if (a.mode !== "value" || !this.standing.has(id) || this.types.has(id)) return;
            this.standsFor(id, this.given(a.value)?.type);
          });
        },
      });
    }
    for (let before = -1; before !== this.standing.size;) {
      before = this.standing.size;
      for (const [id, object] of this.objects) if (!this.isObject(object)) this.standing.delete(id);
      walkModule(this.module, visitor);
    }
  }

  /** What the pointer of a local variable stands for, through others. */
  private object(id: VarId, editor: ModuleEditor): Place {
    const place = this.objects.get(id);
    return place ? this.through(place, editor) : variablePlace(editor.variables.get(id)!);
  }

  private through(p: Place, editor: ModuleEditor): Place {
    if (p.kind === "member" || p.kind === "element") return { ...p, base: this.through(p.base, editor) };
    const id = p.kind === "deref" ? this.pointerIn(p.pointer) : undefined;
    if (id === undefined || p.kind !== "deref") return p;
    const object = { ...this.object(id, editor), span: p.span };
    return this.types.get(id)?.kind === "array" ? element(object, i32Literal(0, p.span), p.span) : object;
  }

  /** The object with indices that stay what they are where the pointer is declared. */
  private held(p: Place, id: VarId, editor: ModuleEditor): Place {
    if (p.kind === "member") return { ...p, base: this.held(p.base, id, editor) };
    if (p.kind !== "element") return p;
    const base = this.held(p.base, id, editor);
    if (literalValue(p.index) !== undefined) return { ...p, base };
    const { name } = editor.variables.get(id)!;
    const at = editor.addLocal(`${name}_index`, p.index.type, p.span);
    editor.setVariable({ ...at, constant: true });
    this.kept.set(id, [...(this.kept.get(id) ?? []), declare(at.id, p.index, p.span)]);
    return { ...p, base, index: load(variablePlace(at, p.span), p.span) };
  }

  rewritten(): Module<"canonical"> {
    const editor = new ModuleEditor(this.module);
    for (const [id, object] of this.objects)
      if (this.standing.has(id)) this.objects.set(id, this.held(object, id, editor));
    for (const id of this.standing) {
      const v = this.module.variables.get(id)!;
      if (v.type.kind !== "pointer" || v.role !== "parameter") continue;
      const type = this.types.get(id) ?? v.type.pointee;
      const { space } = v.type;
      editor.setVariable({ ...v, type, space, mode: "ref", constant: v.type.readOnly === true });
    }
    const next = rewriteModule(this.module, {
      enterPlace: (p) =>
        p.kind === "deref" && this.pointerIn(p.pointer) !== undefined ? this.through(p, editor) : undefined,
      place: (p) => {
        const part = p.kind === "deref" ? this.elementIn(p) : undefined;
        return part ? element(this.object(part.pointer, editor), part.index, p.span) : p;
      },
      enterStatement: (s) => {
        if (s.kind !== "declare" || !this.objects.has(s.variable) || !this.standing.has(s.variable)) return undefined;
        const kept = this.kept.get(s.variable) ?? [];
        if (!this.declared) return kept;
        return kept.length > 0 ? [...kept, s] : undefined;
      },
      // Places in the arguments have been replaced by now; pointers handed on have not.
      expr: (e) => {
        if (e.kind !== "call") return e;
        const { parameters } = functionOf(this.module, e.function)!;
        const args = e.arguments.map((a, i): Argument => {
          if (a.mode !== "value" || !this.standing.has(parameters[i]!)) return a;
          const from = this.pointerIn(a.value);
          if (from !== undefined) return { mode: "ref", place: { ...this.object(from, editor), span: a.value.span } };
          const object = this.objectAt(a.value);
          return object ? { mode: "ref", place: object } : a;
        });
        return { ...e, arguments: args };
      },
    });
    return editor.finish({ functions: next.functions });
  }
}
