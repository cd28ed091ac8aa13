/**
 * Pointers to objects that hold pointers. A parameter that only stands for what it points to is a reference to it; a local
 * variable that points to one object from its declaration on stands for that object. Others stay, and are refused by who asks.
 */
import { ModuleEditor, variablePlace } from "../ast/builders.js";
import { functionOf } from "../ast/lookup.js";
import type { Argument, Expr, Module, Place, Variable, VarId } from "../ast/nodes.js";
import { rewriteModule, walkExpr, walkModule, walkPlace, walkStatement, type Visitor } from "../ast/walk.js";
import type { Type } from "../types/types.js";

export function withoutObjectPointers(
  module: Module<"canonical">,
  holdsPointers: (type: Type) => boolean,
): Module<"canonical"> {
  const pointers = new ObjectPointers(module, holdsPointers);
  return pointers.any ? pointers.rewritten() : module;
}

class ObjectPointers {
  private readonly standing: Set<VarId>;
  /** What local ones point to. */
  private readonly objects = new Map<VarId, Place>();

  constructor(
    private readonly module: Module<"canonical">,
    holdsPointers: (type: Type) => boolean,
  ) {
    const concerns = ({ type, role }: Variable): boolean =>
      type.kind === "pointer" && type.space === "private" && role !== "global" && holdsPointers(type.pointee);
    this.standing = new Set([...module.variables.values()].filter(concerns).map((v) => v.id));
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

  /** A variable and members of it, or what a pointer stands for. */
  private isObject(p: Place): boolean {
    if (p.kind === "member") return this.isObject(p.base);
    return p.kind === "variable" || (p.kind === "deref" && this.pointerIn(p.pointer) !== undefined);
  }

  private pointsToObject = (e: Expr): boolean =>
    (e.kind === "address-of" && this.isObject(e.place)) || this.pointerIn(e) !== undefined;

  /** Takes out what is used in another way, until nothing is. */
  private settle(): void {
    for (const f of this.module.functions)
      walkStatement(f.body, {
        statement: (s) => {
          if (s.kind !== "declare" || !this.standing.has(s.variable)) return;
          if (s.initializer?.kind === "address-of") this.objects.set(s.variable, s.initializer.place);
          else this.standing.delete(s.variable);
        },
      });
    const visitor: Visitor = {
      place: (p) => {
        if (p.kind === "deref" && this.pointerIn(p.pointer) !== undefined) return false;
        if (p.kind === "variable") this.standing.delete(p.variable);
        return true;
      },
      expr: (e) => {
        if (e.kind !== "call") return true;
        const { parameters } = functionOf(this.module, e.function)!;
        e.arguments.forEach((a, i) => {
          if (a.mode !== "value") walkPlace(a.place, visitor, "both");
          else if (!this.standing.has(parameters[i]!)) walkExpr(a.value, visitor);
          else if (!this.pointsToObject(a.value)) {
            this.standing.delete(parameters[i]!);
            walkExpr(a.value, visitor);
          } else if (a.value.kind === "address-of") walkPlace(a.value.place, visitor, "both");
        });
        return false;
      },
    };
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
    if (p.kind === "member") return { ...p, base: this.through(p.base, editor) };
    const id = p.kind === "deref" ? this.pointerIn(p.pointer) : undefined;
    return id === undefined ? p : { ...this.object(id, editor), span: p.span };
  }

  rewritten(): Module<"canonical"> {
    const editor = new ModuleEditor(this.module);
    for (const id of this.standing) {
      const v = this.module.variables.get(id)!;
      if (v.type.kind !== "pointer" || v.role !== "parameter") continue;
      editor.setVariable({ ...v, type: v.type.pointee, mode: "ref", constant: v.type.readOnly === true });
    }
    const next = rewriteModule(this.module, {
      enterPlace: (p) =>
        p.kind === "deref" && this.pointerIn(p.pointer) !== undefined ? this.through(p, editor) : undefined,
      enterStatement: (s) =>
        s.kind === "declare" && this.objects.has(s.variable) && this.standing.has(s.variable) ? [] : undefined,
      // Places in the arguments have been replaced by now; pointers handed on have not.
      expr: (e) => {
        if (e.kind !== "call") return e;
        const { parameters } = functionOf(this.module, e.function)!;
        const args = e.arguments.map((a, i): Argument => {
          if (a.mode !== "value" || !this.standing.has(parameters[i]!)) return a;
          const from = this.pointerIn(a.value);
          if (from !== undefined) return { mode: "ref", place: { ...this.object(from, editor), span: a.value.span } };
          return a.value.kind === "address-of" ? { mode: "ref", place: a.value.place } : a;
        });
        return { ...e, arguments: args };
      },
    });
    return editor.finish({ functions: next.functions });
  }
}
