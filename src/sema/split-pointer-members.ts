/** Structs that hold pointers, taken apart: see pointer-members.ts. */
import {
  assign,
  block,
  comma,
  construct,
  declare,
  element,
  expressionStatement,
  i32Literal,
  ifStatement,
  load,
  member as memberPlace,
  ModuleEditor,
  rootVariable,
  unary,
  variablePlace,
} from "../ast/builders.js";
import { repeatablePlace } from "../ast/held-place.js";
import { functionOf } from "../ast/lookup.js";
import {
  noTrivia,
  type Argument,
  type Declare,
  type Expr,
  type FunctionCall,
  type FunctionDeclaration,
  type FunctionId,
  type Module,
  type Place,
  type Statement,
  type Trivia,
  type Variable,
  type VarId,
} from "../ast/nodes.js";
import {
  isPure,
  placeIsPure,
  rewriteFunction,
  rewriteModule,
  walkExpr,
  walkModule,
  walkStatement,
  type Rewriter,
  type Visitor,
} from "../ast/walk.js";
import { append } from "../support/append.js";
import { sameType, isArrayOfPointers, type Type } from "../types/types.js";
import { knownPlace, type AddressedBuffers } from "./addressed-buffers.js";
import { withoutHostStructPointers } from "./host-struct-pointers.js";
import { variablesIn, withoutObjectPointers } from "./object-pointers.js";
import { isPointerToPointer, withoutChosenPointers } from "./chosen-pointers.js";
import { InlineCalls, isByReference, type Refuse } from "./inline-calls.js";
import { isArrayByValue } from "./read-arrays.js";
import type { Shapes } from "./pointer-shapes.js";
import {
  keyOf,
  nameOf,
  numbersIn,
  partPlace,
  pathOf,
  pointersOf,
  type PointerLeaf,
  type Step,
} from "./pointer-shapes.js";
import { withoutUnsetCopies } from "./unset-pointers.js";

/** Most pointers in a row: each leads to a buffer that holds the next. */
const mostInARow = 8;

/** Pointers that stand for one object are that object, also behind pointers that lie in buffers. */
export function withObjects(
  given: Module<"canonical">,
  shapes: Shapes,
  buffers: AddressedBuffers,
): Module<"canonical"> {
  let module = given;
  for (let i = 0; i < mostInARow; i++) {
    const editor = new ModuleEditor(module);
    const functions = buffers.inPlace(module, editor);
    const next = withoutObjectPointers(
      functions === module.functions ? module : buffers.withResources(editor.finish({ functions })),
      (type) => type.kind === "pointer" || shapes.holds(type),
    );
    const indexed =
      next === module
        ? withoutHostStructPointers(
            module,
            (v) => buffers.isResource(v),
            (type) => shapes.holds(type),
          )
        : next;
    if (indexed === module) break;
    module = indexed;
  }
  return module;
}

/** The first of what a statement became has its comments. */
const withTrivia = (list: readonly Statement[], trivia: Trivia): readonly Statement[] =>
  list.map((x, i) => (i === 0 ? { ...x, trivia } : x));

/** Whether it lies in a buffer, or behind a pointer into one. */
function isInHostMemory(p: Place): boolean {
  switch (p.kind) {
    case "variable":
      return p.type.kind === "array" && p.type.length === undefined;
    case "deref":
      return p.pointer.type.kind === "pointer" && p.pointer.type.space !== "private";
    default:
      return isInHostMemory(p.base);
  }
}

const pointersToPointers = "such pointers to pointers are";

export class PointerMembers {
  private readonly editor: ModuleEditor<Module<"canonical">>;
  /** The pointers that lie in each variable, by the members that lead to them. */
  private readonly own = new Map<VarId, ReadonlyMap<string, Variable>>();
  readonly parts = new Set<VarId>();
  failed = false;
  /** Variables that the function at hand needs from its beginning. */
  private added: Variable[] = [];

  constructor(
    private readonly module: Module<"canonical">,
    private readonly shapes: Shapes,
    private readonly report: Refuse,
    private readonly buffers: AddressedBuffers,
  ) {
    this.editor = new ModuleEditor(module);
  }

  private readonly refuse: Refuse = (what, span) => {
    if (!this.failed) this.report(what, span);
    this.failed = true;
  };

  /** Memory that others see, and arrays: nobody could tell where those point. */
  refusedPlaces(): boolean {
    const { shapes } = this;
    for (const id of variablesIn(this.module)) {
      const v = this.module.variables.get(id)!;
      const pointee = v.type.kind === "pointer" ? v.type.pointee : undefined;
      if (this.buffers.isResource(id)) continue;
      const own = v.space === "private" || (v.space === "workgroup" && v.role === "local");
      if (shapes.holds(v.type) && ((!own && v.mode !== "ref") || v.role === "resource" || v.role === "global"))
        this.refuse("pointers in structs are, outside of a function's own memory,", v.span);
      else if (pointee?.kind === "pointer" && !isPointerToPointer(v.type)) this.refuse(pointersToPointers, v.span);
      else if (pointee && shapes.holds(pointee)) this.refuse("pointers to structs with pointers are", v.span);
    }
    return this.failed;
  }

  rewritten(): Module<"canonical"> {
    const inlined = this.inlined();
    if (this.failed) return this.module;
    for (const v of this.editor.variables.values()) this.split(v);
    const functions = inlined.map((f) => withoutChosenPointers(this.withoutMembers(f), this.editor, this.refuse));
    const structs = this.shapes.rest();
    const next = this.editor.finish({
      structs,
      functions,
      order: this.module.order.filter(
        (o) =>
          (o.kind !== "struct" || structs.has(o.name)) &&
          (o.kind !== "function" || functionOf({ functions }, o.function) !== undefined),
      ),
    });
    return this.failed ? this.module : next;
  }

  /** What a pointer of an object leads to may have pointers itself (`b.next->next`): each step is known when the one before is. */
  followed(made: Module<"canonical">): Module<"canonical"> {
    let module = made;
    const holds = (type: Type): boolean => type.kind === "pointer" || this.shapes.holds(type);
    for (let i = 0; i < mostInARow; i++) {
      let steps = 0;
      const next = rewriteModule(withoutObjectPointers(module, holds, "their declarations stay"), {
        place: (p) => {
          const part = this.place(p);
          if (part !== p) steps++;
          return part;
        },
      });
      if (steps === 0) break;
      // What the pointers of an object begin with is not all they are set to.
      if (i === 0) this.requireUnset(made);
      module = next;
    }
    return module;
  }

  /** Pointers that are set where another leads to (`a.next->next = &b`): their objects do not know of it. */
  private requireUnset(made: Module<"canonical">): void {
    walkModule(made, {
      place: (p, use) => {
        if (
          use !== "read" &&
          p.kind !== "deref" &&
          (p.type.kind === "pointer" || isArrayOfPointers(p.type)) &&
          !pathOf(p)
        )
          this.refuse("setting a pointer of an object that a pointer leads to is", p.span);
        return true;
      },
    });
  }

  // ---------------------------------------------------------------- functions that move pointers of others

  private inlined(): FunctionDeclaration[] {
    const done = new Map<FunctionId, FunctionDeclaration>();
    const gone = new Set<FunctionId>();
    const holds = (type: Type): boolean => this.shapes.holds(type);
    const inline = new InlineCalls(this.editor, done, (id) => gone.has(id), holds, this.refuse);
    const given = new Map(this.module.functions.map((f) => [f.id, f]));
    const visit = (f: FunctionDeclaration): void => {
      if (done.has(f.id)) return;
      walkStatement(f.body, {
        expr: (e) => {
          if (e.kind === "call") visit(given.get(e.function)!);
        },
      });
      const own = inline.inside(f);
      done.set(f.id, own);
      const returns = this.shapes.holds(f.returnType) || isPointerToPointer(f.returnType);
      const takesArrays = f.parameters.some((id) => {
        const v = this.editor.variables.get(id)!;
        // What lies in workgroup memory is read when it is used.
        const isShared = v.space === "workgroup" && this.shapes.holds(v.type);
        return (
          isShared ||
          this.shapes.holdsArrays(v.type) ||
          this.shapes.holdsPointersToPointers(v.type) ||
          isArrayByValue(v)
        );
      });
      if (!f.isEntry && (returns || takesArrays || this.moves(own))) gone.add(f.id);
    };
    for (const f of this.module.functions) visit(f);
    return this.module.functions.filter((f) => !gone.has(f.id)).map((f) => done.get(f.id)!);
  }

  /** Whether it may change a pointer that lies in an object of its caller. */
  private moves(f: FunctionDeclaration): boolean {
    if (f.parameters.some((id) => isPointerToPointer(this.editor.variables.get(id)!.type))) return true;
    const references = new Set(f.parameters.filter((id) => isByReference(this.editor.variables.get(id)!)));
    let found = [...references].some((id) => {
      const { type } = this.editor.variables.get(id)!;
      return type.kind === "pointer" || isArrayOfPointers(type);
    });
    const visitor: Visitor = {
      place: (p, use) => {
        const at = pathOf(p);
        if (!at) return true;
        at.indices.forEach((index) => walkExpr(index, visitor));
        const pointers = p.type.kind === "pointer" || this.shapes.holds(p.type);
        // A function that would move those of an object that it gets by reference has been put in place by now.
        const changed = use === "write" || use === "address" || (use === "both" && p.type.kind === "pointer");
        if (references.has(at.variable) && pointers && changed) found = true;
        return false;
      },
    };
    walkStatement(f.body, visitor);
    return found;
  }

  // ---------------------------------------------------------------- variables

  private split(v: Variable): void {
    const leaves = this.shapes.leaves(v.type);
    if (leaves.length === 0 || this.buffers.isResource(v.id)) return;
    const parts = leaves.map(({ path, type }): [string, Variable] => [
      keyOf(path),
      this.editor.addVariable({
        name: `${v.name}_${nameOf(path)}`,
        type,
        space: v.space === "workgroup" ? "workgroup" : "private",
        role: v.role,
        constant: v.constant,
        ...(v.role === "parameter" ? { mode: "value" as const } : {}),
        span: v.span,
      }),
    ]);
    this.own.set(v.id, new Map(parts));
    for (const [, part] of parts) this.parts.add(part.id);
  }

  private withoutMembers(f: FunctionDeclaration): FunctionDeclaration {
    this.requireStatements(f);
    const parameters = f.parameters.flatMap((id) => {
      const { type } = this.editor.variables.get(id)!;
      return [...(this.shapes.isBare(type) ? [] : [id]), ...[...(this.own.get(id)?.values() ?? [])].map((v) => v.id)];
    });
    const r: Rewriter = {
      statement: (s) => this.statement(s),
      expr: (e) => this.expression(e),
      place: (p) => this.place(p),
    };
    this.added = [];
    const { body, ...next } = rewriteFunction(f, r);
    const statements = [...this.added.map((v) => declare(v.id, undefined, v.span)), ...body.statements];
    return withoutUnsetCopies({ ...next, body: { ...body, statements }, parameters }, this.parts);
  }

  private place(p: Place): Place {
    if (p.type.kind !== "pointer" && !isArrayOfPointers(p.type)) return p;
    const at = pathOf(p);
    const own = at && this.partAt(at.variable, at.path);
    return own ? { ...partPlace(own, at.indices), span: p.span } : p;
  }

  /** The variable for the pointers that lie at the end of a path, or behind elements that follow it. */
  private partAt(variable: VarId, path: readonly Step[]): Variable | undefined {
    const key = keyOf(path);
    for (const [k, v] of this.own.get(variable) ?? [])
      if (k === key || (k.startsWith(key) && /^(?:\.\[\])+$/.test(k.slice(key.length)))) return v;
    return undefined;
  }

  private expression(e: Expr): Expr {
    if (e.kind === "member-value" && this.shapes.holds(e.operand.type) && e.operand.kind === "load")
      return load(this.place(memberPlace(e.operand.place, e.member, e.type, e.span)), e.span);
    return e.kind === "call" ? this.call(e) : e;
  }

  private call(e: FunctionCall): Expr {
    const given: { readonly argument: Argument; readonly late: boolean }[] = [];
    for (const a of e.arguments) {
      const type = a.mode === "value" ? a.value.type : a.place.type;
      const value = a.mode === "value" ? a.value : load(a.place);
      const leaves = this.shapes.leaves(type);
      // What a reference refers to is read by the callee, when all arguments have been evaluated.
      const late = a.mode !== "value";
      if (leaves.length === 0) {
        given.push({ argument: a, late });
        continue;
      }
      if (!isPure(value)) this.refuse("a struct with pointers as such an argument is", e.span);
      const rest: Argument = late ? a : { mode: "value", value: this.restOf(value) };
      if (!this.shapes.isBare(type)) given.push({ argument: rest, late });
      for (const { path } of leaves)
        given.push({ argument: { mode: "value", value: this.pointerIn(value, path) }, late });
    }
    const last = given.findLastIndex(({ argument: a, late }) => !late && a.mode === "value" && !isPure(a.value));
    const plain = given.map((g) => g.argument);
    if (last < 0 || !e.arguments.some((a) => a.mode !== "value" && this.shapes.holds(a.place.type)))
      return { ...e, arguments: plain };
    const first: Expr[] = [];
    const values = given.map(({ argument: a, late }, i): Argument => {
      if (late || a.mode !== "value" || i > last || a.value.kind === "literal") return a;
      const v = this.editor.addLocal("part", a.value.type, e.span);
      this.added.push(v);
      first.push(assign(variablePlace(v), a.value));
      return { mode: "value", value: load(variablePlace(v)) };
    });
    return first.reduceRight<Expr>((rest, left) => comma(left, rest), { ...e, arguments: values });
  }

  /** An assignment of an object with pointers is a statement: nothing takes its value. */
  private requireStatements(f: FunctionDeclaration): void {
    const statements = new Set<Expr>();
    walkStatement(f.body, {
      statement: (s) => {
        if (s.kind === "expression") statements.add(s.expression);
      },
      expr: (e) => {
        if (e.kind === "assign" && this.shapes.holds(e.target.type) && !statements.has(e))
          this.refuse("the value of an assignment of a struct with pointers is", e.span);
      },
    });
  }

  // ---------------------------------------------------------------- values

  /** What is left of an object without its pointers. The value is pure, or evaluated here alone. */
  private restOf(e: Expr): Expr {
    if (!this.shapes.holds(e.type)) return e;
    switch (e.kind) {
      case "load":
        return e;
      case "construct": {
        if (e.type.kind === "array") return { ...e, arguments: e.arguments.map((a) => this.restOf(a)) };
        const members = this.shapes.membersOf(e.type);
        const args = e.arguments.flatMap((a, i) => {
          const { type } = members[i]!;
          if (!this.shapes.isGone(type)) return [this.restOf(a)];
          return this.shapes.keepsBytes(e.type) ? this.shapes.bytesFor(type) : [];
        });
        return { ...e, arguments: args };
      }
      case "conditional":
        return { ...e, whenTrue: this.restOf(e.whenTrue), whenFalse: this.restOf(e.whenFalse) };
      default:
        this.refuse("a struct with pointers that comes about so is", e.span);
        return e;
    }
  }

  /** The pointer that such members lead to in a value. */
  private pointerIn(e: Expr, path: readonly Step[]): Expr {
    const [first, ...rest] = path;
    if (first === undefined) return e;
    if (e.kind === "load") {
      const at = pathOf(e.place);
      const own = at && this.own.get(at.variable)?.get(keyOf([...at.path, ...path]));
      if (own) return load({ ...partPlace(own, [...at.indices, ...numbersIn(path)]), span: e.span }, e.span);
      const known = knownPlace(e.place);
      const leaf = this.shapes.leaves(e.type).find((l) => keyOf(l.path) === keyOf(path));
      let type = leaf?.type;
      while (type?.kind === "array") type = type.element;
      if (known && type?.kind === "pointer" && this.buffers.isResource(known.variable))
        return this.buffers.pointerAt(
          { variable: known.variable, members: [...known.members, ...path] },
          type,
          e.span,
          this.editor,
        );
      const root = rootVariable(e.place);
      // Of which element it is, an index says: all of them are looked up.
      if (root !== undefined && this.buffers.isResource(root)) return load(this.behind(e.place, path), e.span);
    } else if (e.kind === "construct") {
      if (typeof first === "number") return this.pointerIn(e.arguments[first]!, rest);
      const i = this.shapes.membersOf(e.type).findIndex((m) => m.name === first);
      return this.pointerIn(e.arguments[i]!, rest);
    } else if (e.kind === "conditional") {
      const whenTrue = this.pointerIn(e.whenTrue, path);
      const whenFalse = this.pointerIn(e.whenFalse, path);
      return { ...e, whenTrue, whenFalse, type: whenTrue.type };
    }
    this.refuse("a struct with pointers that comes about so is", e.span);
    return e;
  }

  /** The place that these steps lead to. */
  private behind(p: Place, path: readonly Step[]): Place {
    return path.reduce<Place>((at, step) => {
      if (typeof step === "number") return element(at, i32Literal(step, at.span), at.span);
      const member = this.shapes.membersOf(at.type).find((m) => m.name === step)!;
      return memberPlace(at, step, member.type, at.span);
    }, p);
  }

  /** All pointers of a leaf in a value: one, or an array of them. */
  private pointersIn(e: Expr, leaf: PointerLeaf): Expr {
    const all = pointersOf(leaf).map(({ path }) => this.pointerIn(e, path));
    const made = (type: Type): Expr =>
      type.kind === "array"
        ? construct(
            type,
            Array.from({ length: type.length ?? 0 }, () => made(type.element)),
            e.span,
          )
        : all.shift()!;
    return made(leaf.type);
  }

  // ---------------------------------------------------------------- statements

  private statement(s: Statement): Statement | readonly Statement[] {
    if (s.kind === "for" && s.initializer.length > 1 && s.initializer.some((i) => this.isPart(i)))
      return block([...s.initializer, { ...s, initializer: [] }], s.span, s.trivia);
    if (s.kind === "declare") {
      const v = this.editor.variables.get(s.variable)!;
      if (!this.shapes.holds(v.type)) return s;
      const bare = this.shapes.isBare(v.type);
      if (!s.initializer) {
        const pointers = [...this.own.get(v.id)!.values()].map((own) => declare(own.id, undefined, s.span));
        return withTrivia(bare ? pointers : [{ ...s, trivia: noTrivia }, ...pointers], s.trivia);
      }
      return this.declared(s, s.initializer);
    }
    if (s.kind !== "expression") return s;
    const e = s.expression;
    if (this.shapes.holds(e.type) && isPure(e)) return [];
    if (e.kind !== "assign" || !this.shapes.holds(e.target.type)) return s;
    const first: Statement[] = [];
    const target = placeIsPure(e.target) ? e.target : this.heldIn(e.target, first);
    const at = pathOf(target);
    const intoHost = at && this.buffers.isResource(at.variable);
    if (!at || e.operator || intoHost) {
      if (intoHost) this.refuse("writing a pointer into a buffer is", e.span);
      this.refuse("an assignment to such a struct with pointers is", e.span);
      return s;
    }
    // All pointers are read before the first is written: one object may be made of parts of itself.
    const { before, value } = this.held(e.value);
    const pointers = this.shapes.leaves(e.target.type).flatMap(pointersOf);
    const leaves = pointers.map(({ path, type }) => {
      const held = this.editor.addLocal(nameOf(path), type, s.span);
      const own = this.own.get(at.variable)!.get(keyOf([...at.path, ...path]))!;
      const part = { ...partPlace(own, [...at.indices, ...numbersIn(path)]), span: s.span };
      return {
        read: declare(held.id, this.pointerIn(value, path), s.span),
        write: expressionStatement(assign(part, load(variablePlace(held, s.span))), s.span),
      };
    });
    const rest = this.shapes.isBare(e.target.type)
      ? []
      : [{ ...s, expression: { ...e, target, value: this.restOf(value) }, trivia: noTrivia }];
    const all = [...first, ...before, ...leaves.map((l) => l.read), ...rest, ...leaves.map((l) => l.write)];
    return withTrivia(all, s.trivia);
  }

  /** The declaration of an object, of which nothing but pointers may be left. */
  private declared(s: Declare, initializer: Expr): readonly Statement[] {
    const { type } = this.editor.variables.get(s.variable)!;
    if (!this.shapes.holds(type)) return [s];
    const { before, value } = this.held(initializer);
    const pointers = this.shapes
      .leaves(type)
      .map((l) => declare(this.own.get(s.variable)!.get(keyOf(l.path))!.id, this.pointersIn(value, l), s.span));
    const rest = this.shapes.isBare(type) ? [] : [{ ...s, initializer: this.restOf(value), trivia: noTrivia }];
    return withTrivia([...before, ...pointers, ...rest], s.trivia);
  }

  /** Of several statements that came of one. */
  private isPart(s: Statement): boolean {
    return s.kind === "declare" && this.parts.has(s.variable);
  }

  /** What two ways hold: variables of both, which each sets where it is taken. */
  private eitherWay(condition: Expr, yes: readonly Statement[], no: readonly Statement[]): readonly Statement[] {
    if (yes.length + no.length === 0) return [];
    const declared = [...yes, ...no].flatMap((s) =>
      s.kind === "declare" ? [declare(s.variable, undefined, s.span)] : [],
    );
    const done = (way: readonly Statement[]): Statement =>
      block(
        way.flatMap((s) => {
          if (s.kind !== "declare") return [s];
          const place = variablePlace(this.editor.variables.get(s.variable)!, s.span);
          return s.initializer ? [expressionStatement(assign(place, s.initializer, s.span), s.span)] : [];
        }),
      );
    if (yes.length === 0) return [...declared, ifStatement(unary("not", condition, condition.span), done(no))];
    return [...declared, ifStatement(condition, done(yes), ...(no.length > 0 ? [done(no)] : []))];
  }

  /** A place of which each part may be named: what finds it is worked out before, once. */
  private heldIn(p: Place, before: Statement[]): Place {
    return repeatablePlace(p, (index) => {
      const v = this.editor.addLocal("at", index.type, index.span);
      before.push(declare(v.id, index, index.span));
      return load(variablePlace(v, index.span));
    });
  }

  /** A value whose parts may be read in any order: where an effect is among them, each is held by a variable, in turn. */
  private held(e: Expr): { readonly before: readonly Statement[]; readonly value: Expr } {
    if (isPure(e)) return { before: [], value: e };
    if (e.kind === "conditional") {
      const v = this.editor.addLocal("chosen", e.condition.type, e.span);
      const condition = load(variablePlace(v, e.span));
      const [yes, no] = [this.held(e.whenTrue), this.held(e.whenFalse)];
      const declared = declare(v.id, e.condition, e.span);
      const before = [declared, ...this.eitherWay(condition, yes.before, no.before)];
      return { before, value: { ...e, condition, whenTrue: yes.value, whenFalse: no.value } };
    }
    const before: Statement[] = [];
    if (e.kind === "load") return { before, value: { ...e, place: this.heldIn(e.place, before) } };
    if (e.kind !== "construct") {
      this.refuse("a struct with pointers that comes about so is", e.span);
      return { before, value: e };
    }
    const lastEffect = e.arguments.findLastIndex((a) => !isPure(a));
    const args = e.arguments.map((a, i) => {
      if (a.kind === "literal" || i > lastEffect) return a;
      if (this.shapes.holds(a.type) && i === lastEffect) {
        const inner = this.held(a);
        append(before, inner.before);
        return inner.value;
      }
      const v = this.editor.addLocal("part", a.type, a.span);
      this.split(v);
      append(before, this.declared(declare(v.id, a, a.span), a));
      return load(variablePlace(v, a.span));
    });
    return { before, value: { ...e, arguments: args } };
  }

  // ---------------------------------------------------------------- what has to be gone

  requireNone(next: Module<"canonical">): void {
    const { shapes } = this;
    walkModule(next, {
      expr: (e) => {
        const names =
          e.kind === "construct" && shapes.holds(e.type) && e.arguments.some((a) => a.type.kind === "pointer");
        if (names || (e.kind === "member-value" && e.type.kind === "pointer") || this.isWhole(e))
          this.refuse("pointers in structs are, in such a place,", e.span);
        const object = e.kind === "bitcast" && e.operand.type.kind === "pointer" ? e.operand.type.pointee : undefined;
        if (object && shapes.holds(object) && !(e.type.kind === "pointer" && sameType(e.type.pointee, object)))
          this.refuse("a struct with pointers as its bytes, or as another type, is", e.span);
        if (isPointerToPointer(e.type)) this.refuse(pointersToPointers, e.span);
      },
      place: (p) => {
        const isPart = p.kind === "member" || p.kind === "element";
        const pointers = isPart && (p.type.kind === "pointer" || isArrayOfPointers(p.type));
        const known = pointers ? knownPlace(p) : undefined;
        const root = pointers ? rootVariable(p) : undefined;
        if (known && this.buffers.isResource(known.variable)) this.refuse("writing a pointer into a buffer is", p.span);
        else if (pointers && (isInHostMemory(p) || (root !== undefined && this.buffers.isResource(root))))
          this.refuse("a pointer that lies in a buffer where is known at run time only is", p.span);
        else if (p.kind === "member" && (p.type.kind === "pointer" || shapes.isBare(p.type)))
          this.refuse("pointers in structs are, in such a place,", p.span);
        if (p.kind === "deref" && shapes.holds(p.type)) this.refuse("pointers to structs with pointers are", p.span);
        if (p.kind === "variable" && shapes.isBare(p.type))
          this.refuse("structs of pointers alone are, in such a place,", p.span);
      },
    });
    for (const f of next.functions)
      if (shapes.holds(f.returnType)) this.refuse("a function that returns pointers in an object is", f.nameSpan);
  }

  /** An assignment of a whole object whose value is used. */
  private isWhole(e: Expr): boolean {
    return e.kind === "assign" && this.shapes.isBare(e.target.type);
  }
}
