/**
 * Structs that point to their own kind, or to each other, where what a pointer leads to is known at run time only: lists that are
 * walked, trees, nodes that are linked later; and structs with other pointers, where a pointer to one is chosen or moved. The objects whose address is taken lie in one array for each such struct, memory of each
 * invocation's own, and the pointers to them become indices into it; -1 leads nowhere. No function has two sets of its variables at a
 * time, since none calls itself, so that each object has a place. Where every step is known, pointer-members.ts needs none of this.
 */
import {
  assign,
  block,
  convert,
  declare,
  element,
  expressionStatement,
  i32Literal,
  load,
  ModuleEditor,
  variablePlace,
} from "../ast/builders.js";
import { functionOf } from "../ast/lookup.js";
import {
  noTrivia,
  type Argument,
  type Assign,
  type Bitcast,
  type Declare,
  type Expr,
  type FunctionDeclaration,
  type FunctionId,
  type Module,
  type Objects,
  type Place,
  type Statement,
  type StructDeclaration,
  type TopLevel,
  type Trivia,
  type Variable,
  type VarId,
} from "../ast/nodes.js";
import { rewriteExpr, rewriteModule, rewritePlace, walkModule, walkStatement, type Rewriter } from "../ast/walk.js";
import { add, sub } from "../ops/trees.js";
import { append } from "../support/append.js";
import type { Span } from "../support/span.js";
import { array, i32, sameType, type Type } from "../types/types.js";
import { InlineCalls, type Refuse } from "./inline-calls.js";
import { variablesIn } from "./object-pointers.js";
import { Shapes } from "./pointer-shapes.js";

type Structs = ReadonlyMap<string, StructDeclaration>;

/**
 * The module with indices for such pointers; `undefined` where it has none, or they lie where others see them. `pointed`: and for those to
 * structs with pointers, whatever these lead to.
 */
export function withLinkedObjects(
  module: Module<"canonical">,
  refuse: Refuse,
  pointed = false,
): Module<"canonical"> | undefined {
  const linked = new Set([...linkedStructs(module.structs), ...(pointed ? pointedStructs(module) : [])]);
  if (linked.size === 0 || !isOwn(module, linked)) return undefined;
  return new LinkedObjects(pointed ? withFollowersInPlace(module, refuse) : module, linked, refuse).rewritten();
}

/** Objects with pointers lie in the function that declares them: what is handed pointers or references to such is put in the place of its calls. */
function withFollowersInPlace(module: Module<"canonical">, refuse: Refuse): Module<"canonical"> {
  const shapes = new Shapes(module);
  const editor = new ModuleEditor(module);
  const done = new Map<FunctionId, FunctionDeclaration>();
  const gone = new Set<FunctionId>();
  const inline = new InlineCalls(
    editor,
    done,
    (id) => gone.has(id),
    (type) => shapes.holds(type),
    refuse,
  );
  const visit = (f: FunctionDeclaration): void => {
    if (done.has(f.id)) return;
    walkStatement(f.body, { expr: (e) => void (e.kind === "call" && visit(functionOf(module, e.function)!)) });
    done.set(f.id, inline.inside(f));
    const follows = f.parameters.some((id) => {
      const { type, mode } = module.variables.get(id)!;
      return type.kind === "pointer" ? shapes.holds(type.pointee) : mode === "ref" && shapes.holds(type);
    });
    if (follows && !f.isEntry) gone.add(f.id);
  };
  for (const f of module.functions) visit(f);
  if (gone.size === 0) return module;
  return editor.finish({
    functions: module.functions.filter((f) => !gone.has(f.id)).map((f) => done.get(f.id)!),
    order: module.order.filter((o) => o.kind !== "function" || !gone.has(o.function)),
  });
}

/** The structs that a value of the type has parts of, or leads to by pointers into private memory. */
function* ledTo(type: Type): Generator<string> {
  if (type.kind === "array") yield* ledTo(type.element);
  else if (type.kind === "pointer" && type.space === "private") yield* ledTo(type.pointee);
  else if (type.kind === "struct") yield type.name;
}

function linkedStructs(structs: Structs): ReadonlySet<string> {
  const leads = new Map([...structs].map(([name, d]) => [name, d.members.flatMap((m) => [...ledTo(m.type)])]));
  const reachesItself = (name: string): boolean => {
    const seen = new Set<string>();
    const next = [...leads.get(name)!];
    for (let at = next.pop(); at !== undefined; at = next.pop()) {
      if (at === name) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      append(next, leads.get(at) ?? []);
    }
    return false;
  };
  return new Set([...structs.keys()].filter(reachesItself));
}

/** The structs with pointers that some variable points to. */
function pointedStructs(module: Module<"canonical">): readonly string[] {
  const shapes = new Shapes(module);
  return [...variablesIn(module)].flatMap((id) => {
    const { type } = module.variables.get(id)!;
    const isPointer = type.kind === "pointer" && type.space === "private" && type.pointee.kind === "struct";
    return isPointer && shapes.holds(type.pointee) ? [...ledTo(type)] : [];
  });
}

/** Whether all objects of such structs, and all pointers to them, are a function's own. */
function isOwn(module: Module<"canonical">, linked: ReadonlySet<string>): boolean {
  const { structs } = module;
  const names = (type: Type): boolean => {
    if (type.kind === "array") return names(type.element);
    if (type.kind === "pointer") return names(type.pointee);
    return (
      type.kind === "struct" && (linked.has(type.name) || structs.get(type.name)!.members.some((m) => names(m.type)))
    );
  };
  if ([...structs.values()].some((d) => d.union && d.members.some((m) => names(m.type)))) return false;
  return [...variablesIn(module)].every((id) => {
    const { type, space, role } = module.variables.get(id)!;
    return (space === "private" && role !== "global" && role !== "resource") || !names(type);
  });
}

const isCommented = ({ leading, trailing }: Trivia): boolean => leading.length + trailing.length > 0;

class LinkedObjects {
  private readonly editor: ModuleEditor<Module<"canonical">>;
  /** The function that is rewritten: objects that still hold pointers lie in arrays of its own. */
  private at: FunctionId | undefined;
  private readonly pools = new Map<string, Variable>();
  /** Where the objects of each variable begin in the array of their struct. */
  private readonly first = new Map<VarId, number>();
  /** By struct, where its objects lie. */
  private readonly objects = new Map<string, [first: number, count: number][]>();
  /** Structs whose pointers are moved: what follows an object is none then, so that a pointer past its end leads to no other. */
  private readonly moved = new Set<string>();

  constructor(
    private readonly module: Module<"canonical">,
    private readonly linked: ReadonlySet<string>,
    private readonly refuse: Refuse,
  ) {
    this.editor = new ModuleEditor(module);
  }

  // ---------------------------------------------------------------- types

  private isLinked(type: Type): type is Type & { kind: "struct" } {
    return type.kind === "struct" && this.linked.has(type.name);
  }

  private isPointer(type: Type): boolean {
    return type.kind === "pointer" && type.space === "private" && this.isLinked(type.pointee);
  }

  /** One such object, or an array of them. */
  private objectsIn(type: Type): (Type & { kind: "struct" }) | undefined {
    const one = type.kind === "array" ? type.element : type;
    return this.isLinked(one) ? one : undefined;
  }

  private readonly changed = (type: Type): Type => {
    if (this.isPointer(type)) return i32;
    if (type.kind === "array") {
      const next = this.changed(type.element);
      return next === type.element ? type : { ...type, element: next };
    }
    if (type.kind !== "pointer") return type;
    const next = this.changed(type.pointee);
    return next === type.pointee ? type : { ...type, pointee: next };
  };

  /** A parameter that stands for such an object of its caller. */
  private isReference({ type, mode }: Variable): boolean {
    return mode !== undefined && mode !== "value" && this.objectsIn(type) !== undefined;
  }

  // ---------------------------------------------------------------- objects

  /** Gives each object whose address is taken its place, in the order of the text. */
  private place(): void {
    const found = new Set<VarId>();
    const taken = (p: Place): void => {
      const root = p.kind === "element" ? p.base : p;
      if (root.kind === "variable" && this.objectsIn(root.type)) found.add(root.variable);
    };
    const moves = (type: Type): void => {
      if (this.isPointer(type) && type.kind === "pointer" && type.pointee.kind === "struct")
        this.moved.add(type.pointee.name);
    };
    walkModule(this.module, {
      expr: (e) => {
        if (e.kind === "address-of" && this.isPointer(e.type)) taken(e.place);
        if (e.kind === "pointer-offset" || e.kind === "increment" || (e.kind === "assign" && e.operator)) moves(e.type);
        if (e.kind !== "call") return;
        const { parameters } = functionOf(this.module, e.function)!;
        e.arguments.forEach((a, i) => {
          if (a.mode !== "value" && this.isReference(this.module.variables.get(parameters[i]!)!)) taken(a.place);
        });
      },
    });
    const counts = new Map<string, { readonly name: string; count: number }>();
    const owners = new Map<VarId, FunctionId>();
    for (const f of this.module.functions) {
      f.parameters.forEach((id) => owners.set(id, f.id));
      walkStatement(f.body, { statement: (s) => void (s.kind === "declare" && owners.set(s.variable, f.id)) });
    }
    for (const id of [...found].sort((a, b) => a - b)) {
      const v = this.module.variables.get(id)!;
      if (this.isReference(v)) continue;
      const { name } = this.objectsIn(v.type)!;
      this.at = owners.get(id);
      const key = this.keyOf(name);
      const first = counts.get(key)?.count ?? 0;
      const count = v.type.kind === "array" ? v.type.length! : 1;
      this.first.set(id, first);
      const list = this.objects.get(key) ?? [];
      list.push([first, count]);
      this.objects.set(key, list);
      counts.set(key, { name, count: first + count + (this.moved.has(name) ? 1 : 0) });
    }
    for (const name of this.linked)
      if (!this.holdsPointers({ kind: "struct", name }) && !counts.has(name)) counts.set(name, { name, count: 1 });
    for (const [key, { name, count }] of counts) this.addPool(key, name, count);
  }

  private addPool(key: string, name: string, count: number): Variable {
    const pool = this.editor.addVariable({
      name: `${name}_objects`,
      type: array({ kind: "struct", name }, count),
      space: "private",
      role: key === name ? "global" : "local",
      constant: false,
      span: this.module.structs.get(name)!.span,
    });
    this.pools.set(key, pool);
    return pool;
  }

  private keyOf(name: string): string {
    return this.holdsPointers({ kind: "struct", name }) ? `${name} ${this.at}` : name;
  }

  private object(type: Type & { kind: "struct" }, index: Expr, span: Span): Place {
    const key = this.keyOf(type.name);
    const pool = this.pools.get(key);
    if (pool) return element(variablePlace(pool, span), index, span);
    this.refuse(
      "pointers to structs with pointers are, where functions other than that of the object follow them,",
      span,
    );
    return element(variablePlace(this.addPool(key, type.name, 1), span), index, span);
  }

  /** The objects of a struct whose pointers are moved. */
  private objectsOf(type: Type): Objects["objects"] | undefined {
    return type.kind === "struct" && this.moved.has(type.name) ? this.objects.get(this.keyOf(type.name)) : undefined;
  }

  /** A place of an object, which a pointer of the type leads to. */
  private within(index: Expr, type: Type): Expr {
    const objects = this.objectsOf(type);
    if (!objects || index.kind === "literal") return index;
    const { end: _end, ...within } = index.within ?? { objects };
    return { ...index, within };
  }

  /** A pointer that was moved: to a place in the object where it was, or to its end. */
  private movedFrom(pointer: Expr, sum: Expr, type: Type): Expr {
    const all = this.objectsOf(type);
    // Null is in none.
    if (!all || (pointer.kind === "literal" && Number(pointer.value) < 0)) return sum;
    const at = pointer.kind === "literal" ? Number(pointer.value) : undefined;
    const objects = at === undefined ? all : all.filter(([first, count]) => at >= first && at < first + count);
    const moved = sum.kind === "binary" && sum.left === pointer && at === undefined;
    return moved || at !== undefined ? { ...sum, within: { objects, end: true, ...(moved ? { moved } : {}) } } : sum;
  }

  /**
   * Where in its array the object lies, or the first of several; what is inside has not been rewritten. `end`: it is not looked at, and may be
   * what follows the last of an array.
   */
  private indexOf(p: Place, rewritten: (e: Expr) => Expr, end?: true): Expr | undefined {
    if (p.kind === "variable") {
      const first = this.first.get(p.variable);
      if (first !== undefined) return i32Literal(first, p.span);
      const v = this.editor.variables.get(p.variable)!;
      return this.isReference(this.module.variables.get(p.variable)!)
        ? load(variablePlace(v, p.span), p.span)
        : undefined;
    }
    if (p.kind === "deref" && this.isPointer(p.pointer.type)) {
      const index = rewritten(p.pointer);
      return end ? index : this.within(index, p.type);
    }
    if (p.kind !== "element" || p.base.kind !== "variable" || p.base.type.kind !== "array") return undefined;
    const base = this.indexOf(p.base, rewritten);
    const of = p.base.type.length!;
    const given = convert(rewritten(p.index), i32);
    const at = given.kind === "literal" ? Number(given.value) : undefined;
    const isIn = at !== undefined && at >= 0 && at < of + (end ? 1 : 0);
    const index = isIn ? given : { ...given, within: { objects: [[0, of]] as const, ...(end ? { end } : {}) } };
    return base && (base.kind === "literal" && base.value === 0 ? index : add(base, index));
  }

  // ---------------------------------------------------------------- rewriting

  rewritten(): Module<"canonical"> {
    this.place();
    const structs = new Map(
      [...this.module.structs].map(([name, d]) => [
        name,
        { ...d, members: d.members.map((m) => ({ ...m, type: this.changed(m.type) })) },
      ]),
    );
    for (const v of this.module.variables.values()) {
      const { mode, ...rest } = v;
      if (this.isReference(v)) this.editor.setVariable({ ...rest, mode: "value", type: i32, constant: false });
      else this.editor.setVariable({ ...rest, ...(mode ? { mode } : {}), type: this.changed(v.type) });
    }
    const used = new Set<VarId>();
    const made = this.module.functions.map((f) => {
      this.at = f.id;
      const next = this.ofFunction(rewriteModule({ ...this.module, functions: [f] }, this.rewriter).functions[0]!);
      walkStatement(next.body, { place: (p) => void (p.kind === "variable" && used.add(p.variable)) });
      const own = [...this.pools.values()].filter((v) => v.role === "local" && used.has(v.id));
      own.forEach((v) => used.delete(v.id));
      return {
        ...next,
        body: { ...next.body, statements: [...own.map((v) => declare(v.id)), ...next.body.statements] },
      };
    });
    const pools = [...this.pools.values()].filter((v) => used.has(v.id));
    const last = this.module.order.findLastIndex((o) => o.kind === "struct");
    const added = pools.map((v): TopLevel => ({ kind: "variable", variable: v.id }));
    const order = [...this.module.order.slice(0, last + 1), ...added, ...this.module.order.slice(last + 1)];
    return this.editor.finish({ structs, functions: made, order });
  }

  /** Beside those to such objects, which become indices. */
  private holdsPointers(type: Type): boolean {
    if (type.kind === "array") return this.holdsPointers(type.element);
    if (type.kind === "pointer") return !this.isPointer(type);
    return (
      type.kind === "struct" && this.module.structs.get(type.name)!.members.some((m) => this.holdsPointers(m.type))
    );
  }

  private ofFunction(f: FunctionDeclaration): FunctionDeclaration {
    const copies = f.parameters.flatMap((id) => {
      const v = this.editor.variables.get(id)!;
      const one = this.first.has(id) ? this.objectsIn(v.type) : undefined;
      if (!one) return [];
      const at = this.object(one, i32Literal(this.first.get(id)!), f.nameSpan);
      return [expressionStatement(assign(at, load(variablePlace(v)), f.nameSpan))];
    });
    const body = { ...f.body, statements: [...copies, ...f.body.statements] };
    const { returnsReference, ...rest } = f;
    const reference = returnsReference && !this.isPointer(f.returnType) ? { returnsReference } : {};
    return { ...rest, ...reference, returnType: this.changed(f.returnType), body };
  }

  private readonly rewriter: Rewriter = {
    enterStatement: (s) => (s.kind === "declare" ? this.declared(s) : undefined),
    enterPlace: (p) => this.entered(p),
    enterExpr: (e) => this.enteredExpr(e),
    place: (p) => {
      if (p.kind === "variable") return { ...p, type: this.editor.variables.get(p.variable)!.type };
      const type = this.changed(p.type);
      return type === p.type ? p : { ...p, type };
    },
    expr: (e) => this.left(e),
  };

  private readonly inside = (e: Expr): Expr => rewriteExpr(e, this.rewriter);

  /** The assignments that are left of the declaration of an object that has a place. */
  private declared(s: Declare): readonly Statement[] | undefined {
    const first = this.first.get(s.variable);
    if (first === undefined) return undefined;
    const { type } = this.module.variables.get(s.variable)!;
    const e = s.initializer;
    if (!e) return isCommented(s.trivia) ? [block([], s.span, s.trivia)] : [];
    if (type.kind === "array" && e.kind !== "construct") {
      this.refuse("such an initialiser of an array of structs that point to their own kind is", e.span);
      return [];
    }
    const values = type.kind === "array" && e.kind === "construct" ? e.arguments : [e];
    return values.map((value, i) => {
      const at = this.object(this.objectsIn(type)!, i32Literal(first + i, s.span), s.span);
      return expressionStatement(assign(at, this.inside(value), s.span), s.span, i === 0 ? s.trivia : noTrivia);
    });
  }

  private entered(p: Place): Place | undefined {
    if (!this.isLinked(p.type)) {
      if (p.kind === "variable" && p.type.kind === "array" && this.indexOf(p, this.inside))
        this.refuse("an array as a whole of structs that point to their own kind is", p.span);
      return undefined;
    }
    const index = this.indexOf(p, this.inside);
    return index && this.object(p.type, index, p.span);
  }

  private enteredExpr(e: Expr): Expr | undefined {
    if (e.kind === "address-of" && this.isPointer(e.type)) return this.addressed(e.place);
    if (e.kind === "bitcast") return this.cast(e);
    if (e.kind !== "call") return undefined;
    const { parameters } = functionOf(this.module, e.function)!;
    const given = e.arguments.map((a, i): Argument => {
      if (a.mode === "value") return { ...a, value: this.inside(a.value) };
      if (!this.isReference(this.module.variables.get(parameters[i]!)!))
        return { ...a, place: rewritePlace(a.place, this.rewriter) };
      return { mode: "value", value: this.addressed(a.place) };
    });
    return { ...e, type: this.changed(e.type), arguments: given };
  }

  /** A pointer that is looked at as another is the same index, where it leads to the same struct. */
  private cast(e: Bitcast): Expr | undefined {
    const from = this.isPointer(e.operand.type);
    if (!from && !this.isPointer(e.type)) return undefined;
    const same =
      e.operand.type.kind === "pointer" &&
      e.type.kind === "pointer" &&
      sameType(e.operand.type.pointee, e.type.pointee);
    if (!same) this.refuse("such a conversion of a pointer to a struct that points to its own kind is", e.span);
    return this.inside(e.operand);
  }

  private addressed(p: Place): Expr {
    const index = this.indexOf(p, this.inside, true);
    if (!index)
      this.refuse(
        "the address of a struct that points to its own kind is, where it is a part of something else,",
        p.span,
      );
    return index ?? i32Literal(-1, p.span);
  }

  /** A variable that is moved is given a sum, which knows where it comes from. */
  private assigned(e: Assign, value: Expr): Expr {
    const { operator, target, type } = e;
    if ((operator !== "add" && operator !== "sub") || target.kind !== "variable" || type.kind !== "pointer")
      return { ...e, type: i32, value };
    const was = load(target, e.span);
    const sum = (operator === "add" ? add : sub)(was, value);
    return assign(target, this.movedFrom(was, sum, type.pointee), e.span);
  }

  /** What held or made an address is about an index now. */
  private left(e: Expr): Expr {
    const type = this.changed(e.type);
    if (type === e.type) return e;
    if (e.kind === "null-pointer") return type === i32 ? i32Literal(-1, e.span) : { ...e, type };
    if (e.kind === "pointer-offset" && type === i32) {
      const { offset } = e;
      const sum =
        offset.kind === "unary" && offset.operator === "negate"
          ? sub(e.pointer, convert(offset.operand, i32))
          : add(e.pointer, convert(offset, i32));
      return e.type.kind === "pointer" ? this.movedFrom(e.pointer, sum, e.type.pointee) : sum;
    }
    if (e.kind === "assign" && type === i32) return this.assigned(e, convert(e.value, i32));
    return { ...e, type } as Expr;
  }
}
