/**
 * Vectors that the source packs, in memory, where the target has pointers but no such vectors: they are scalars there, one behind the
 * other. Buffers and arrays of them are arrays of scalars, members of structs are arrays, and pointers to them are pointers to scalars;
 * `vload3` and `vstore3` load and store them (OpenCL C 3.0 6.15.7: at any multiple of a component). Pointers stay as they are written.
 * What is used in another way stays, and becomes words (raw-buffers.ts).
 */
import { heldPlace } from "../../ast/held-place.js";
import { functionOf, isOwnText } from "../../ast/lookup.js";
import {
  addressOf,
  assign,
  binary,
  constantOf,
  construct,
  convert,
  declare,
  deref,
  element,
  elementValue,
  expressionStatement,
  i32Literal,
  ledBackBy,
  literalValue,
  load,
  member,
  memberValue,
  ModuleEditor,
  opCall,
  pointerElement,
  pointerOffset,
  rootVariable,
  swizzleValue,
  variablePlace,
} from "../../ast/builders.js";
import type {
  Argument,
  Declare,
  Expr,
  FunctionDeclaration,
  Module,
  Place,
  Statement,
  StructDeclaration,
  Variable,
  VarId,
} from "../../ast/nodes.js";
import {
  isPure,
  placeIsPure,
  rewriteExpr,
  rewriteModule,
  rewritePlace,
  rewriteStatements,
  walkExpr,
  walkModule,
  walkPlace,
  type Rewriter,
  type Visitor,
} from "../../ast/walk.js";
import type { Dialect } from "../../dialects/ids.js";
import { languageFacts, writingFacts } from "../../dialects/languages.js";
import { typeIn } from "../../dialects/show-type.js";
import { spaceOf } from "../../ops/use-of.js";
import type { Span } from "../../support/span.js";
import {
  array,
  bitWidth,
  i32,
  sameType,
  pointer,
  scalar,
  scalarOf,
  type AddressSpace,
  type PointerType,
  type Type,
  type VectorType,
} from "../../types/types.js";
import { Linearizer } from "../../ast/linearize.js";
import type { PassContext, TextPass } from "../pass.js";
import { renamed } from "../pointers/pointer-values.js";
import { heldBy, volatileOrLeadsThere } from "../pointers/volatile-pointers.js";
import { atomicWords, keepsPointers } from "./atomic-words.js";

export const packedVectors: TextPass = {
  name: "packed-vectors",
  requires: ["entries-selected"],
  run(module, context) {
    const { target } = context;
    if (writingFacts(target).packedVectors || !languageFacts[target].pointers) return module;
    if (!languageFacts[module.dialect].pointers || isOwnText(module, target)) return module;
    if (keepsPointers(module, context)) return module;
    return new PackedVectors(statementsApart(module)).rewritten(context) ?? module;
  },
};

type Packed = VectorType & { readonly packed: true };

/** Bools have bytes in memory, and words elsewhere; vectors of three in the room of four are more than their components. */
const isPacked = (type: Type): type is Packed =>
  type.kind === "vector" && type.packed === true && type.scalar !== "bool" && type.first === undefined;

/** What lies in memory in the place of such a type; a value of the type is one still. */
function inMemory(type: Type): Type {
  switch (type.kind) {
    case "array": {
      if (isPacked(type.element))
        return array(
          scalar(type.element.scalar),
          type.length === undefined ? undefined : type.length * type.element.size,
        );
      const of = inMemory(type.element);
      return of === type.element ? type : { ...type, element: of };
    }
    case "pointer": {
      const pointee = isPacked(type.pointee) ? scalar(type.pointee.scalar) : inMemory(type.pointee);
      return pointee === type.pointee ? type : { ...type, pointee };
    }
    default:
      return type;
  }
}

const inStruct = (type: Type): Type => (isPacked(type) ? array(scalar(type.scalar), type.size) : inMemory(type));

function retyped<T extends { readonly type: Type }>(x: T): T {
  const type = inMemory(x.type);
  return type === x.type ? x : { ...x, type };
}

/** What a pointer points to, where that is such a vector. */
const packedBehind = (type: Type): Packed | undefined =>
  type.kind === "pointer" && isPacked(type.pointee) ? type.pointee : undefined;

/** One in memory: the vector with this number from where the scalars begin. */
interface At {
  readonly vector: Packed;
  readonly from: { readonly list: Place } | { readonly pointer: Expr };
  readonly index: Expr;
}

/** What is assigned, and what is done before that. */
interface Sum {
  readonly first: readonly Declare[];
  readonly value: Expr;
}

/** It is used in a way that scalars do not allow. */
class UsedOtherwise extends Error {}

const otherwise = (): never => {
  throw new UsedOtherwise();
};

class PackedVectors {
  /** Variables of such a type that pointers and references lead to: they are arrays, too. */
  private readonly addressed: ReadonlySet<VarId>;

  /** Variables that are volatile, or lead to what is. */
  private readonly volatile: Set<VarId>;
  private readonly buffers: ReadonlySet<VarId>;
  private readonly editor: ModuleEditor;

  constructor(private readonly module: Module) {
    this.editor = new ModuleEditor(module);
    this.buffers = buffersOf(module);
    this.addressed = addressedVectors(module);
    this.volatile = new Set(volatileOrLeadsThere(module));
  }

  /** The module with scalars in their place, if that is possible. */
  rewritten(context: PassContext): Module | undefined {
    const { module } = this;
    const changed = module.resources.filter((r) => {
      const { type } = module.variables.get(r.variable)!;
      return inMemory(type) !== type;
    });
    const atomics = atomicWords(module, context);
    if (changed.some((r) => atomics.has(r.variable))) return undefined;
    try {
      const variables = new Map([...module.variables].map(([id, v]): [VarId, Variable] => [id, this.variable(v)]));
      const structs = new Map(
        [...module.structs].map(([name, s]): [string, StructDeclaration] => [name, this.struct(s)]),
      );
      const functions = module.functions.map((f) => {
        const returnType = inMemory(f.returnType);
        return returnType === f.returnType ? f : { ...f, returnType };
      });
      const { resources, ...next } = rewriteModule({ ...module, variables, structs, functions }, this.rewriter);
      next.variables.forEach((v) => this.editor.setVariable(v));
      for (const r of changed) this.noteLayout(context, module.variables.get(r.variable)!);
      return this.editor.finish({ structs, functions: next.functions, resources });
    } catch (e) {
      if (e instanceof UsedOtherwise) return undefined;
      throw e;
    }
  }

  private variable(v: Variable): Variable {
    if (this.isReference(v)) {
      const type = pointer(scalar((v.type as Packed).scalar), v.space, v.constant);
      return { ...v, type, space: "private", mode: "value", constant: false };
    }
    const isCopiedBack = v.mode === "out" || v.mode === "inout";
    if (isPacked(v.type) && (isCopiedBack || this.buffers.has(v.id))) otherwise();
    if (!this.addressed.has(v.id)) return retyped(v);
    return v.role === "local" ? { ...v, type: inStruct(v.type) } : otherwise();
  }

  private struct(s: StructDeclaration): StructDeclaration {
    let changes = false;
    const members = s.members.map((m) => {
      const type = inStruct(m.type);
      if (type === m.type) return m;
      changes = true;
      return { ...m, type };
    });
    return changes ? { ...s, members } : s;
  }

  private noteLayout(context: PassContext, { name, span, type }: Variable): void {
    if (type.kind !== "array" || !isPacked(type.element)) return;
    const [own, one] = [
      typeIn(this.module.dialect, type.element),
      typeIn(context.target as Dialect, scalar(type.element.scalar)),
    ];
    const { size } = type.element;
    context.note("emulated", "layout", `${name} has elements of ${one}, of which ${size} each are a ${own}`, span);
  }

  private readonly rewriter: Rewriter = {
    enterStatement: (s) => this.stored(s),
    enterExpr: (e) => this.expression(e),
    enterPlace: (p) => this.place(p),
    expr: retyped,
    place: retyped,
    keepsMeaning: true,
  };
  private readonly inside = (e: Expr): Expr => rewriteExpr(e, this.rewriter);
  private readonly placeInside = (p: Place): Place => rewritePlace(p, this.rewriter);

  private at(p: Place): At | undefined {
    if (!isPacked(p.type)) return undefined;
    const vector = p.type;
    const first = (): Expr => i32Literal(0, p.span);
    switch (p.kind) {
      case "element":
        return { vector, from: { list: this.placeInside(p.base) }, index: this.inside(p.index) };
      case "member":
        return {
          vector,
          from: { list: member(this.placeInside(p.base), p.member, inStruct(vector), p.span) },
          index: first(),
        };
      case "deref":
        return p.pointer.kind === "pointer-offset"
          ? { vector, from: { pointer: this.inside(p.pointer.pointer) }, index: this.inside(p.pointer.offset) }
          : { vector, from: { pointer: this.inside(p.pointer) }, index: first() };
      case "variable": {
        const v = this.module.variables.get(p.variable)!;
        if (this.isReference(v)) {
          const holder = { ...p, type: this.variable(v).type };
          return { vector, from: { pointer: load(holder, p.span) }, index: first() };
        }
        return this.addressed.has(v.id)
          ? { vector, from: { list: { ...p, type: inStruct(vector) } }, index: first() }
          : undefined;
      }
      default:
        return otherwise();
    }
  }

  /** Such a vector of the caller's: a pointer to its scalars. */
  private isReference(v: Variable): boolean {
    return v.mode === "ref" && isPacked(v.type);
  }

  private isInMemory(p: Place): boolean {
    if (!isPacked(p.type)) return false;
    return (
      p.kind !== "variable" ||
      this.addressed.has(p.variable) ||
      this.isReference(this.module.variables.get(p.variable)!)
    );
  }

  private called(e: Expr & { readonly kind: "call" }): Expr | undefined {
    if (!e.arguments.some((a) => a.mode !== "value" && isPacked(a.place.type))) return undefined;
    const args = e.arguments.map((a, i): Argument => {
      if (a.mode === "value") return { mode: "value", value: this.inside(a.value) };
      if (!isPacked(a.place.type)) return { ...a, place: this.placeInside(a.place) };
      if (a.mode !== "ref") return otherwise();
      const v = this.module.variables.get(functionOf(this.module, e.function)!.parameters[i]!)!;
      return { mode: "value", value: this.addressAt(a.place, v.space, v.constant) };
    });
    return { ...e, arguments: args };
  }

  private addressAt(p: Place, space: AddressSpace, readOnly: boolean): Expr {
    const at = this.at(p)!;
    return addressOf(this.scalarAt(at, times(at.index, at.vector, p.span), p.span), space, p.span, readOnly);
  }

  private scalarAt({ from }: At, index: Expr, span: Span): Place {
    return "list" in from ? element(from.list, index, span) : pointerElement(from.pointer, index, span);
  }

  /** The number of the component's scalar. */
  private numberOf({ index, vector }: At, component: Expr, span: Span): Expr {
    const first = times(index, vector, span);
    const known = numberIn(component);
    if (known === 0) return first;
    const begins = numberIn(first);
    if (begins !== undefined && known !== undefined) return offsetOf(first.type, begins + known, span);
    if (begins === 0) return component;
    const part =
      known === undefined ? convert(component, first.type, false, span) : constantOf(first.type, known, span);
    return binary("add", first, part, span);
  }

  private loaded(at: At, type: Type, span: Span): Expr {
    return opCall("memory.vload", [at.index], type, span, { places: [this.scalarAt(at, i32Literal(0, span), span)] });
  }

  /** Some of its components; the others may be another lane's. Of what is volatile, one after the other: vload3 takes none. */
  private parts(at: At, components: readonly number[], type: VectorType, span: Span): Expr {
    const isVolatile = this.isVolatile(at);
    if (!isVolatile && (new Set(components).size === at.vector.size || !this.isSettled(at))) {
      const whole = this.loaded(at, at.vector, span);
      return components.length === at.vector.size && components.every((c, i) => c === i)
        ? whole
        : swizzleValue(whole, components, span);
    }
    if (!this.isSettled(at)) return otherwise();
    const part = (c: number): Expr => load(this.scalarAt(at, this.numberOf(at, i32Literal(c, span), span), span), span);
    return construct(type, components.map(part), span);
  }

  private isVolatile({ from }: At): boolean {
    return isVolatilePlace("list" in from ? from.list : deref(from.pointer), this.volatile);
  }

  private expression(e: Expr): Expr | undefined {
    switch (e.kind) {
      case "load":
        return this.load(e);
      case "address-of":
        return this.address(e);
      case "pointer-offset": {
        const of = packedBehind(e.pointer.type);
        return of && pointerOffset(this.inside(e.pointer), times(this.inside(e.offset), of, e.span), e.span);
      }
      case "assign":
        return this.assigned(e);
      case "increment":
        return this.moved(e);
      case "comma": {
        const left = this.unused(e.left);
        return left === e.left ? undefined : this.inside({ ...e, left });
      }
      case "binary": {
        const of = e.operator === "sub" ? packedBehind(e.left.type) : undefined;
        if (!of) return undefined;
        const scalars: Expr = { ...e, left: this.inside(e.left), right: this.inside(e.right) };
        return binary("div", scalars, constantOf(e.type, of.size, e.span), e.span);
      }
      case "bitcast": {
        const type = inMemory(e.type);
        if (type === e.type && inMemory(e.operand.type) === e.operand.type) return undefined;
        const operand = this.inside(e.operand);
        const sheds = operand.type.kind === "pointer" && operand.type.readOnly && !(type as PointerType).readOnly;
        return sameType(operand.type, type) && !sheds && !e.volatile ? operand : { ...e, operand, type };
      }
      case "member-value": {
        if (!isPacked(e.type)) return undefined;
        if (!isPure(e.operand)) return otherwise();
        const list = memberValue(this.inside(e.operand), e.member, inStruct(e.type), e.span);
        const parts = Array.from({ length: e.type.size }, (_, i) => elementValue(list, i32Literal(i, e.span), e.span));
        return construct(e.type, parts, e.span);
      }
      case "swizzle-value": {
        const { operand, components } = e;
        if (operand.kind !== "member-value" || !isPacked(operand.type) || components.length > 1) return undefined;
        const list = memberValue(this.inside(operand.operand), operand.member, inStruct(operand.type), operand.span);
        return elementValue(list, i32Literal(components[0]!, e.span), e.span);
      }
      case "element-value":
        return isPacked(e.type) ? otherwise() : undefined;
      case "construct":
        return this.made(e);
      case "op":
        return e.places.some((p) => this.isInMemory(p)) ? otherwise() : undefined;
      case "call":
        return this.called(e);
      default:
        return undefined;
    }
  }

  private load(e: Expr & { readonly kind: "load" }): Expr | undefined {
    const { place, span } = e;
    const at = this.at(place);
    if (at) return this.parts(at, componentsOf(at.vector), at.vector, span);
    const of = place.kind === "swizzle" && place.components.length > 1 ? this.at(place.base) : undefined;
    if (!of || place.kind !== "swizzle") return undefined;
    return this.parts(of, place.components, place.type as VectorType, span);
  }

  private address(e: Expr & { readonly kind: "address-of" }): Expr | undefined {
    if (!isPacked(e.place.type) || e.type.kind !== "pointer") return undefined;
    return this.addressAt(e.place, e.type.space, e.type.readOnly === true);
  }

  private assigned(e: Expr & { readonly kind: "assign" }): Expr | undefined {
    return this.isInMemory(vectorOf(e.target)) ? otherwise() : undefined;
  }

  private moved(e: Expr & { readonly kind: "increment" }): Expr | undefined {
    const behind = packedBehind(e.type);
    if (!behind) return undefined;
    const place = this.placeInside(e.place);
    if (!placeIsPure(place)) return otherwise();
    const by = (n: number): Expr => offsetOf(i32, n * behind.size, e.span);
    const next = assign(place, pointerOffset(load(place), by(e.delta), e.span), e.span);
    return e.prefix ? next : pointerOffset(next, by(-e.delta), e.span);
  }

  /** Structs and arrays hold scalars; the vectors among what they are made of come apart. */
  private made(e: Expr & { readonly kind: "construct" }): Expr | undefined {
    if (e.type.kind === "array" && isPacked(e.type.element)) {
      return { ...e, type: inMemory(e.type), arguments: e.arguments.flatMap((a) => this.components(a)) };
    }
    if (e.type.kind !== "struct" || !e.arguments.some((a) => isPacked(a.type))) return undefined;
    const args = e.arguments.map((a) =>
      isPacked(a.type) ? construct(inStruct(a.type), this.components(a), a.span, true) : this.inside(a),
    );
    return { ...e, arguments: args };
  }

  private components(e: Expr): readonly Expr[] {
    const { size } = e.type as VectorType;
    if (e.kind === "convert" && isVectorOf(e.operand.type, e.type)) return this.components(e.operand);
    if (e.kind === "construct" && e.arguments.length === size) return e.arguments.map(this.inside);
    if (!isPure(e)) return otherwise();
    const at = e.kind === "load" ? this.at(e.place) : undefined;
    const value = this.inside(e);
    const component = (i: number): Expr => {
      if (at) return load(this.scalarAt(at, this.numberOf(at, i32Literal(i, e.span), e.span), e.span), e.span);
      return value.kind === "splat" ? value.operand : swizzleValue(value, [i], e.span);
    };
    return Array.from({ length: size }, (_, i) => component(i));
  }

  /** `p[i].y`, `p[i][c]`: one of the scalars. */
  private place(p: Place): Place | undefined {
    if (this.isInMemory(p)) return otherwise();
    if (p.kind !== "element" && p.kind !== "swizzle") return undefined;
    const at = this.at(p.base);
    if (!at) return undefined;
    if (p.kind === "swizzle" && p.components.length > 1) return otherwise();
    const which = p.kind === "element" ? this.inside(p.index) : i32Literal(p.components[0]!, p.span);
    return this.scalarAt(at, this.numberOf(at, which, p.span), p.span);
  }

  /** `p[i].xy = v`: one component after the other, of a value that is there before. */
  private storedTo(s: Statement, e: Expr & { readonly kind: "assign" }): readonly Statement[] | undefined {
    const { target, span } = e;
    const whole = this.at(target);
    const named =
      whole ?? (target.kind === "swizzle" && target.components.length > 1 ? this.at(target.base) : undefined);
    if (!named) return undefined;
    const { at, before } = this.namedBefore(named, e.value);
    const components = whole || target.kind !== "swizzle" ? componentsOf(at.vector) : target.components;
    const isVolatile = this.isVolatile(at);
    const sum = this.sum(e, () => this.parts(at, components, target.type as VectorType, span));
    if (whole && !isVolatile) {
      const places = [this.scalarAt(at, i32Literal(0, span), span)];
      const call = opCall("memory.vstore", [sum.value, at.index], { kind: "void" }, span, { places });
      return withTrivia([...before, ...sum.first, expressionStatement(call, s.span)], s);
    }
    const value = this.named("value", sum.value);
    const from = variablePlace(this.editor.variables.get(value.variable)!, span);
    const stores = components.map((c, i) => {
      const place = this.scalarAt(at, this.numberOf(at, i32Literal(c, span), span), span);
      return expressionStatement(assign(place, swizzleValue(load(from, span), [i], span), span), s.span);
    });
    return withTrivia([...before, ...sum.first, value, ...stores], s);
  }

  /** The place is named before the value, which may change what it is named by, and more than once: a pointer to it, where it has to be. */
  private namedBefore(at: At, value: Expr): { readonly at: At; readonly before: readonly Statement[] } {
    if (this.isSettled(at) && (isPure(value) || this.isStable(at))) return { at, before: [] };
    const { span } = value;
    const place = this.scalarAt(at, times(at.index, at.vector, span), span);
    const space = spaceOf(place, this.editor.variables) ?? otherwise();
    const holder = this.editor.addLocal("at", pointer(place.type, space), span);
    if (this.isVolatile(at)) {
      this.editor.setVariable({ ...holder, volatile: true });
      this.volatile.add(holder.id);
    }
    const from = { pointer: load(variablePlace(holder, span), span) };
    return {
      at: { vector: at.vector, from, index: i32Literal(0, span) },
      before: [declare(holder.id, addressOf(place, space, span), span)],
    };
  }

  /** Nothing that may change is read to name it. */
  private isStable({ from, index }: At): boolean {
    let stable = true;
    const visitor: Visitor = {
      expr: (e) => {
        if (e.kind !== "load") return true;
        const root = rootVariable(e.place);
        stable &&= root !== undefined && this.module.variables.get(root)?.constant === true;
        return false;
      },
    };
    walkExpr(index, visitor);
    if ("list" in from) walkPlace(from.list, visitor, "read");
    else walkExpr(from.pointer, visitor);
    return stable;
  }

  /** Naming it more than once changes nothing. */
  private isSettled({ from, index }: At): boolean {
    return isPure(index) && ("list" in from ? placeIsPure(from.list) : isPure(from.pointer));
  }

  /** What is assigned: with an operator, of what is there before and the value. */
  private sum(e: Expr & { readonly kind: "assign" }, before: () => Expr): Sum {
    const { operator, span } = e;
    const given = this.inside(e.value);
    if (!operator) return { first: [], value: given };
    // The old value is read after what the operand does.
    const first = isPure(e.value) ? [] : [this.named("operand", given)];
    const value = first[0] ? load(variablePlace(this.editor.variables.get(first[0].variable)!, span), span) : given;
    const type = e.compute ?? e.target.type;
    const as = (x: Expr, to: Type): Expr => (sameType(x.type, to) ? x : convert(x, to, true));
    const contracts = e.contracts ? { contracts: e.contracts } : {};
    const sum: Expr = { kind: "binary", operator, left: as(before(), type), right: value, type, span, ...contracts };
    return { first, value: as(sum, e.target.type) };
  }

  private named(name: string, value: Expr): Declare {
    const variable = { ...this.editor.addLocal(name, value.type, value.span), constant: true };
    this.editor.setVariable(variable);
    return declare(variable.id, value, value.span);
  }

  /** What is a statement of its own. */
  private stores(e: Expr): boolean {
    if (e.kind === "comma") return this.stores(e.left) || this.stores(e.right);
    return e.kind === "assign" && this.isInMemory(vectorOf(e.target));
  }

  /** `p++` where nobody asks for its value. */
  private unused(e: Expr): Expr {
    if (e.kind === "comma") {
      const [left, right] = [this.unused(e.left), this.unused(e.right)];
      return left === e.left && right === e.right ? e : { ...e, left, right };
    }
    return e.kind === "increment" && !e.prefix && packedBehind(e.type) ? { ...e, prefix: true } : e;
  }

  private loop(s: Statement & { readonly kind: "for" }): readonly Statement[] | undefined {
    const { step } = s;
    const unused = step && this.unused(step);
    if (unused !== step) return rewriteStatements([{ ...s, step: unused! }], this.rewriter);
    if (s.initializer.every((i) => i.kind === "declare")) return undefined;
    const first = rewriteStatements(s.initializer, this.rewriter);
    if (first.every((i) => i.kind === "expression")) return undefined;
    // What it begins with takes a name: before it.
    return [...first, ...rewriteStatements([{ ...s, initializer: [] }], this.rewriter)];
  }

  private stored(s: Statement): Statement | readonly Statement[] | undefined {
    if (s.kind === "for") return this.loop(s);
    if (s.kind === "declare" && this.addressed.has(s.variable) && s.initializer) {
      const list = construct(inStruct(s.initializer.type), this.components(s.initializer), s.span, true);
      return { ...s, initializer: list };
    }
    if (s.kind !== "expression") return undefined;
    const e = this.unused(s.expression);
    if (e.kind === "comma" && this.stores(e)) {
      const last = expressionStatement(e.right, s.span);
      return rewriteStatements([{ ...expressionStatement(e.left, s.span), trivia: s.trivia }, last], this.rewriter);
    }
    if (e.kind !== "assign") return e === s.expression ? undefined : { ...s, expression: this.inside(e) };
    return this.storedTo(s, e) ?? (e === s.expression ? undefined : { ...s, expression: this.inside(e) });
  }
}

const componentsOf = (type: VectorType): readonly number[] => Array.from({ length: type.size }, (_, i) => i);

function isVolatilePlace(place: Place, volatile: ReadonlySet<VarId>): boolean {
  let found = false;
  walkPlace(place, { expr: (e) => void (found ||= e.kind === "bitcast" && e.volatile === true) }, "read");
  return found || heldBy(place).some((id) => volatile.has(id));
}

/** Stores whose value is used, and what several parts are taken of, as statements of their own: `a = p[i] = v`, `f(x).pos`. */
function statementsApart(module: Module): Module {
  const { buffers, addressed } = { buffers: buffersOf(module), addressed: addressedVectors(module) };
  const isInMemory = (p: Place): boolean => {
    if (!isPacked(p.type)) return false;
    if (p.kind !== "variable") return true;
    return addressed.has(p.variable) || buffers.has(p.variable) || module.variables.get(p.variable)!.mode === "ref";
  };
  const volatile = new Set(volatileOrLeadsThere(module));
  const editor = new ModuleEditor(module);
  const named = (name: string, value: Expr): Declare => {
    const variable = { ...editor.addLocal(name, value.type, value.span), constant: true };
    editor.setVariable(variable);
    return declare(variable.id, value, value.span);
  };
  const valueOf = ({ variable }: Declare, span: Span): Expr =>
    load(variablePlace(editor.variables.get(variable)!, span), span);
  const linearizer = new Linearizer(editor, (e, discarded) => {
    if (e.kind === "member-value" && isPacked(e.type) && !isPure(e.operand)) {
      const result = named("result", e.operand);
      return { before: [result], value: { ...e, operand: valueOf(result, e.span) } };
    }
    if (discarded || e.kind !== "assign" || !isInMemory(vectorOf(e.target))) return undefined;
    // What is read to name it, or to go on with, is read once.
    if (e.operator && isVolatilePlace(e.target, volatile)) return undefined;
    const before: Statement[] = [];
    const hold = (x: Expr): Expr => {
      if (x.kind === "literal" || x.kind === "builtin") return x;
      const at = named("at", x);
      before.push(at);
      return valueOf(at, x.span);
    };
    const stands = !e.operator && isPure(e.value) && placeIsPure(e.target);
    const target = stands ? e.target : heldPlace(e.target, hold);
    if (e.operator) {
      const sum = expressionStatement({ ...e, target }, e.span);
      return { before: [...before, sum], value: load(target, e.span) };
    }
    const value = named("value", e.value);
    const store = expressionStatement({ ...e, target, value: valueOf(value, e.span) }, e.span);
    return { before: [...before, value, store], value: valueOf(value, e.span) };
  });
  const functions = module.functions.map((f) => linearizer.function(withOwnCopies(f, module, addressed, editor)));
  return functions.every((f, i) => f === module.functions[i]) ? module : editor.finish({ functions });
}

/** Parameters that pointers lead to are locals with their values: an array is none. */
function withOwnCopies(
  f: FunctionDeclaration,
  module: Module,
  addressed: ReadonlySet<VarId>,
  editor: ModuleEditor,
): FunctionDeclaration {
  const own = f.parameters.flatMap((id) => {
    const v = module.variables.get(id)!;
    if (!addressed.has(id) || v.role !== "parameter" || (v.mode ?? "value") !== "value") return [];
    return [{ v, copy: editor.addLocal(v.name, v.type, v.span) }];
  });
  if (own.length === 0) return f;
  const copies = new Map(own.map(({ v, copy }) => [v.id, copy.id]));
  const statements = [
    ...own.map(({ v, copy }) => declare(copy.id, load(variablePlace(v)), v.span)),
    ...renamed(f.body.statements, copies),
  ];
  return { ...f, body: { ...f.body, statements } };
}

const buffersOf = (module: Module): ReadonlySet<VarId> =>
  new Set(module.resources.flatMap((r) => (r.kind === "buffer" ? [r.variable] : [])));

/** Comments stand before the first of them. */
const withTrivia = ([first, ...rest]: readonly Statement[], { trivia }: Statement): readonly Statement[] => [
  { ...first!, trivia },
  ...rest,
];

const referredTo = (a: Argument): readonly Place[] => (a.mode === "ref" ? [a.place] : []);

function addressedVectors(module: Module): ReadonlySet<VarId> {
  const found = new Set<VarId>();
  walkModule(module, {
    expr: (e) => {
      const places = e.kind === "address-of" ? [e.place] : e.kind === "call" ? e.arguments.flatMap(referredTo) : [];
      for (const p of places) if (p.kind === "variable" && isPacked(p.type)) found.add(p.variable);
    },
  });
  return found;
}

/** What several components are assigned to. */
const vectorOf = (target: Place): Place =>
  target.kind === "swizzle" && target.components.length > 1 ? target.base : target;

/** A number of elements; one that leads back as sources have it (`ledBackBy`). */
const offsetOf = (type: Type, n: number, span: Span): Expr =>
  n < 0
    ? { kind: "unary", operator: "negate", operand: constantOf(type, -n, span), type, span }
    : constantOf(type, n, span);

/** What is known of such a number. */
function numberIn(e: Expr): number | undefined {
  const back = ledBackBy(e);
  const known = literalValue(back ?? e);
  return known === undefined ? undefined : back ? -Number(known) : Number(known);
}

/** Of fewer bits than 32 a product would wrap. */
function times(index: Expr, vector: VectorType, span: Span): Expr {
  const { size } = vector;
  const known = numberIn(index);
  if (known === 0) return index;
  const type = bitWidth(scalarOf(index.type)!) < 32 ? i32 : index.type;
  if (known !== undefined) return offsetOf(type, known * size, span);
  if (index.kind === "unary" && ledBackBy(index))
    return { ...index, operand: times(index.operand, vector, span), type };
  return binary("mul", convert(index, type), constantOf(type, size, span), span);
}

const isVectorOf = (type: Type, like: Type): boolean =>
  type.kind === "vector" && like.kind === "vector" && type.scalar === like.scalar && type.size === like.size;
