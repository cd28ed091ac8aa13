/** Bools in memory as integers: see bools-in-buffers.ts. */
import { binary, construct, convert, element, elementType, elementValue, literal, load } from "../ast/builders.js";
import { familyOf } from "../ast/op-ids.js";
import type { Argument, Expr, FunctionId, Module, OpCall, Place, Statement, Variable } from "../ast/nodes.js";
import { isPure, placeIsPure, rewriteModule } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import {
  sameType,
  scalarOf,
  shaped,
  type ArrayType,
  type PointerType,
  type ScalarKind,
  type Type,
} from "../types/types.js";
import type { Reached } from "./bools-of-host.js";
import { isOfBools, isOfHost } from "./bools-of-host.js";

/** Of arrays that are copied element by element. */
const mostElements = 64;

/** Says what is not supported yet. */
export type Refuse = (what: string, span: Span) => void;

export class BoolsAsIntegers {
  private readonly variables: Map<number, Variable>;
  private readonly structs: Module<"canonical">["structs"];
  private readonly parameters: ReadonlyMap<FunctionId, readonly number[]>;
  /** Places whose bools are integers. */
  private readonly changed = new WeakSet<Place>();
  /** Arrays read as they lie in memory, and what they are of elsewhere. */
  private readonly arrays = new WeakMap<Expr, Type>();
  /** Stores whose value is read as a bool again. */
  private readonly stores = new WeakMap<Expr, Expr>();

  constructor(
    private readonly module: Module<"canonical">,
    private readonly kind: ScalarKind,
    private readonly reached: Reached,
    private readonly refuse: Refuse,
  ) {
    const shared = new Set(module.resources.filter(isOfHost).map((r) => r.variable));
    this.variables = new Map(
      [...module.variables].map(([id, v]) => {
        // What else lies in workgroup memory is handed to the same functions.
        const besides = v.mode === "ref" || v.space === "workgroup";
        const isStored = shared.has(id) || (besides && reached.spaces.has(v.space));
        const type = isStored ? this.inMemory(v.type) : this.asValue(v.type);
        return [id, type === v.type ? v : { ...v, type }];
      }),
    );
    this.structs = new Map(
      [...module.structs].map(([name, d]) => {
        const typed = (type: Type): Type => (reached.structs.has(name) ? this.inMemory(type) : this.asValue(type));
        return [name, { ...d, members: d.members.map((m) => ({ ...m, type: typed(m.type) })) }];
      }),
    );
    this.parameters = new Map(module.functions.map((f) => [f.id, f.parameters]));
  }

  rewritten(): Module<"canonical"> {
    const done = rewriteModule(
      { ...this.module, variables: this.variables },
      {
        expr: (e) => this.expr(e),
        place: (p) => this.place(p),
        statement: (s) => this.statement(s),
      },
    );
    return {
      ...done,
      structs: this.structs,
      functions: done.functions.map((f) => ({ ...f, returnType: this.asValue(f.returnType) })),
    };
  }

  // ---------------------------------------------------------------- types

  private inMemory(type: Type): Type {
    if (type.kind === "array") {
      const element = this.inMemory(type.element);
      return element === type.element ? type : { ...type, element };
    }
    if ((type.kind === "scalar" || type.kind === "vector" || type.kind === "matrix") && type.scalar === "bool")
      return { ...type, scalar: this.kind };
    return this.asValue(type);
  }

  /** Where bools stay, and only pointers change. */
  private asValue(type: Type): Type {
    if (type.kind === "array") {
      const element = this.asValue(type.element);
      return element === type.element ? type : { ...type, element };
    }
    if (type.kind !== "pointer") return type;
    const pointee = this.reached.spaces.has(type.space) ? this.inMemory(type.pointee) : this.asValue(type.pointee);
    return pointee === type.pointee ? type : { ...type, pointee };
  }

  // ---------------------------------------------------------------- places

  private place(p: Place): Place {
    if (this.inMemory(p.type) === p.type) return p;
    const type = this.placeType(p);
    const placed = sameType(type, p.type) ? p : { ...p, type };
    if (placed !== p && isOfBools(p.type)) this.changed.add(placed);
    return placed;
  }

  private placeType(p: Place): Type {
    switch (p.kind) {
      case "variable":
        return this.variables.get(p.variable)!.type;
      case "deref":
        return (p.pointer.type as PointerType).pointee;
      case "element":
        return elementType(p.base.type);
      case "member":
        return this.memberType(p.base.type, p.member);
      case "swizzle":
        return shaped(scalarOf(p.base.type)!, p.components.length);
      case "view":
        this.refuse("bool in such a place is", p.span);
        return p.type;
    }
  }

  private memberType(type: Type, name: string): Type {
    if (type.kind !== "struct") throw new Error("broken tree: a member of what is no struct");
    return this.structs.get(type.name)!.members.find((m) => m.name === name)!.type;
  }

  // ---------------------------------------------------------------- expressions

  private expr(e: Expr): Expr {
    switch (e.kind) {
      case "load":
        return this.read(e, e.place.type);
      case "element-value":
        return this.inMemory(e.type) === e.type ? e : this.read(e, elementType(e.operand.type));
      case "member-value":
        return this.inMemory(e.type) === e.type ? e : this.read(e, this.memberType(e.operand.type, e.member));
      case "assign":
        return this.assign(e);
      case "construct":
        return this.construct(e);
      case "call":
        return { ...e, type: this.asValue(e.type), arguments: this.arguments(e.function, e.arguments, e.span) };
      case "op":
        return e.places.some((p) => this.changed.has(p)) ? this.op(e) : e;
      case "address-of":
        return this.address(e);
      case "increment":
        return sameType(e.type, e.place.type) ? e : { ...e, type: e.place.type };
      case "bitcast":
        return this.bitcast(e);
      case "conditional":
      case "comma":
        return this.choice(e);
      case "pointer-offset":
        return sameType(e.type, e.pointer.type) ? e : { ...e, type: e.pointer.type };
      case "null-pointer":
        return { ...e, type: this.asValue(e.type) };
      default:
        return e;
    }
  }

  /** An atomic acts on the integer; what a compare-exchange expected stays a bool. */
  private op(e: OpCall): Expr {
    const [object, ...others] = e.places;
    if (familyOf(e.op) !== "atomic" || !object || others.some((p) => this.changed.has(p))) {
      this.refuse("such an operation on a bool in a buffer is", e.span);
      return e;
    }
    const call: OpCall = { ...e, arguments: e.arguments.map((a) => this.fitted(a, object.type)) };
    return e.type.kind === "void" || others.length > 0 ? call : this.read(call, object.type);
  }

  /** What reads from memory: a bool by comparison, an array as it lies there. */
  private read<E extends Expr>(e: E, type: Type): Expr {
    if (sameType(type, e.type)) return e;
    const read = { ...e, type } as Expr;
    if (scalarOf(e.type) === "bool") return convert(read, e.type, false, e.span);
    if (isOfBools(e.type)) this.arrays.set(read, e.type);
    return read;
  }

  private assign(e: Expr & { kind: "assign" }): Expr {
    const { type } = e.target;
    if (scalarOf(e.type) !== "bool" || sameType(type, e.type)) {
      const value = e.operator ? e.value : this.fitted(e.value, type);
      return value === e.value && sameType(type, e.type) ? e : { ...e, value, type };
    }
    const value = this.fitted(e.operator ? this.computed(e, e.operator) : e.value, type);
    const { operator: _operator, compute: _compute, ...plain } = e;
    const store: Expr = { ...plain, value, type };
    const again = convert(store, e.type, false, e.span);
    this.stores.set(again, store);
    return again;
  }

  /** The bool that an operator before `=` gives. */
  private computed(e: Expr & { kind: "assign" }, operator: NonNullable<(Expr & { kind: "assign" })["operator"]>): Expr {
    const swaps = operator === "and" || operator === "or" || operator === "xor";
    if (!placeIsPure(e.target) || (!isPure(e.value) && !swaps))
      this.refuse("such an assignment to a bool in a buffer is", e.span);
    const old = convert(convert(load(e.target, e.span), e.type, false, e.span), e.compute ?? e.type, false, e.span);
    // The right side comes first where it does more than give a value.
    const made = isPure(e.value) ? binary(operator, old, e.value, e.span) : binary(operator, e.value, old, e.span);
    return convert(made, e.type, false, e.span);
  }

  /** A value as memory of this type keeps it. */
  private fitted(e: Expr, type: Type): Expr {
    if (sameType(e.type, type)) return e;
    if (scalarOf(type) !== undefined && scalarOf(e.type) === "bool") {
      if (e.kind === "literal" && type.kind === "scalar") return literal(type.scalar, Number(e.value), e.span);
      return convert(e, type, false, e.span);
    }
    if (scalarOf(type) === "bool" && scalarOf(e.type) !== undefined) return convert(e, type, false, e.span);
    if (type.kind === "array" && e.kind === "construct")
      return { ...e, type, arguments: e.arguments.map((a) => this.fitted(a, type.element)) };
    if (type.kind === "array" && isOfBools(e.type) !== isOfBools(type)) return this.byElements(e, type);
    if (e.type.kind === "pointer") {
      const pointees = [e.type, type].map((t) => (t.kind === "pointer" ? t.pointee : t));
      if (pointees.some(isOfBools)) this.refuse("a pointer to bools both in buffers and elsewhere is", e.span);
    } else if (isOfBools(e.type) || isOfBools(type)) this.refuseCopy(e.span);
    return e;
  }

  /** An array one of whose sides is bools, the other integers. */
  private byElements(e: Expr, type: ArrayType): Expr {
    const count = type.length ?? Infinity;
    const at = (i: number): Expr => literal("i32", i, e.span);
    if (count > mostElements || !isPure(e)) {
      this.refuseCopy(e.span);
      return e;
    }
    const part = (i: number): Expr =>
      e.kind === "load" ? load(element(e.place, at(i), e.span), e.span) : elementValue(e, at(i), e.span);
    const elements = Array.from({ length: count }, (_, i) => this.fitted(part(i), type.element));
    return construct(type, elements, e.span);
  }

  private refuseCopy(span: Span): void {
    this.refuse("an array of bools that is copied into or out of a buffer is", span);
  }

  private construct(e: Expr & { kind: "construct" }): Expr {
    const type = this.asValue(e.type);
    if (type.kind === "array") {
      const { element } = type;
      return { ...e, type, arguments: e.arguments.map((a) => this.fitted(a, element)) };
    }
    if (type.kind !== "struct") return e;
    const { members } = this.structs.get(type.name)!;
    const to = (i: number): Type => (e.member ? this.memberType(type, e.member) : members[i]!.type);
    return { ...e, arguments: e.arguments.map((a, i) => this.fitted(a, to(i))) };
  }

  private arguments(id: FunctionId, given: readonly Argument[], span: Span): Argument[] {
    const parameters = this.parameters.get(id)!;
    return given.map((a, i): Argument => {
      const { type } = this.variables.get(parameters[i]!)!;
      if (a.mode === "value") return { ...a, value: this.fitted(a.value, type) };
      if (!sameType(a.place.type, type)) this.refuse("a bool in a buffer as an argument that is written is", span);
      return a;
    });
  }

  private address(e: Expr & { kind: "address-of" }): Expr {
    const type = this.asValue(e.type) as PointerType;
    if (isOfBools((e.type as PointerType).pointee) && !sameType(type.pointee, e.place.type))
      this.refuse("a pointer to bools both in buffers and elsewhere is", e.span);
    return sameType(type, e.type) ? e : { ...e, type };
  }

  private bitcast(e: Expr & { kind: "bitcast" }): Expr {
    const type = this.asValue(e.type);
    if (sameType(type, e.operand.type)) return e.operand;
    return sameType(type, e.type) ? e : { ...e, type };
  }

  private choice(e: Expr & { kind: "conditional" | "comma" }): Expr {
    const type = this.asValue(e.type);
    if (e.kind === "comma") {
      const left = this.alone(e.left);
      return left === e.left && sameType(type, e.type) ? e : { ...e, left, type };
    }
    if (sameType(type, e.type) && !isOfBools(type)) return e;
    return { ...e, type, whenTrue: this.fitted(e.whenTrue, type), whenFalse: this.fitted(e.whenFalse, type) };
  }

  // ---------------------------------------------------------------- statements

  private statement(s: Statement): Statement {
    switch (s.kind) {
      case "expression":
        return this.alone(s.expression) === s.expression ? s : { ...s, expression: this.alone(s.expression) };
      case "for":
        return s.step && this.alone(s.step) !== s.step ? { ...s, step: this.alone(s.step) } : s;
      case "declare":
        if (!s.initializer) return s;
        return { ...s, initializer: this.fitted(s.initializer, this.variables.get(s.variable)!.type) };
      case "return":
        return s.value && this.arrays.has(s.value)
          ? { ...s, value: this.fitted(s.value, this.arrays.get(s.value)!) }
          : s;
      default:
        return s;
    }
  }

  /** A store whose value nothing reads. */
  private alone(e: Expr): Expr {
    const store = this.stores.get(e);
    if (store) return store;
    if (e.kind !== "comma") return e;
    const right = this.alone(e.right);
    return right === e.right ? e : { ...e, right, type: right.type };
  }
}
