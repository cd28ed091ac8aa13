/**
 * Vectors that the source packs, in memory, where the target has pointers but no such vectors: they are scalars there, one behind the
 * other. Buffers and arrays of them are arrays of scalars, members of structs are arrays, and pointers to them are pointers to scalars;
 * `vload3` and `vstore3` load and store them (OpenCL C 3.0 6.15.7: at any multiple of a component). Pointers stay as they are written.
 * What is used in another way stays, and becomes words (raw-buffers.ts).
 */
import { functionOf, isOwnText } from "../../ast/lookup.js";
import {
  addressOf,
  assign,
  binary,
  constantOf,
  construct,
  convert,
  declare,
  element,
  elementValue,
  expressionStatement,
  i32Literal,
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
import type { Argument, Expr, Module, Place, Statement, StructDeclaration, Variable, VarId } from "../../ast/nodes.js";
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
import type { PassContext, TextPass } from "../pass.js";
import { atomicWords, keepsPointers } from "./atomic-words.js";

export const packedVectors: TextPass = {
  name: "packed-vectors",
  requires: ["entries-selected"],
  run(module, context) {
    const target = context.target;
    if (writingFacts(context.target).packedVectors || !languageFacts[target].pointers) return module;
    if (isOwnText(module, context.target) || keepsPointers(module, context)) return module;
    return new PackedVectors(module).rewritten(context) ?? module;
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

/** It is used in a way that scalars do not allow. */
class UsedOtherwise extends Error {}

const otherwise = (): never => {
  throw new UsedOtherwise();
};

class PackedVectors {
  /** Variables of such a type that pointers and references lead to: they are arrays, too. */
  private readonly addressed: ReadonlySet<VarId>;

  private readonly editor: ModuleEditor;

  constructor(private readonly module: Module) {
    this.editor = new ModuleEditor(module);
    this.addressed = addressedVectors(module);
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
    const buffer =
      v.role === "resource" && this.module.resources.some((r) => r.variable === v.id && r.kind === "buffer");
    if (isPacked(v.type) && (isCopiedBack || buffer)) otherwise();
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
    const args = e.arguments.map((a): Argument => {
      if (a.mode === "value") return { mode: "value", value: this.inside(a.value) };
      if (!isPacked(a.place.type)) return { ...a, place: this.placeInside(a.place) };
      if (a.mode !== "ref") return otherwise();
      const i = e.arguments.indexOf(a);
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
    const known = literalValue(component);
    if (Number(known) === 0) return first;
    const begins = literalValue(first);
    if (begins !== undefined && known !== undefined)
      return constantOf(first.type, Number(begins) + Number(known), span);
    if (Number(begins) === 0) return component;
    const part =
      known === undefined ? convert(component, first.type, false, span) : constantOf(first.type, Number(known), span);
    return binary("add", first, part, span);
  }

  private loaded(at: At, type: Type, span: Span): Expr {
    return opCall("memory.vload", [at.index], type, span, { places: [this.scalarAt(at, i32Literal(0, span), span)] });
  }

  /** Some of its components; the others may be another lane's. */
  private parts(at: At, { base, components, type }: Place & { readonly kind: "swizzle" }, span: Span): Expr {
    const areAll = new Set(components).size === at.vector.size;
    if (areAll || !this.isSettled(at)) return swizzleValue(this.loaded(at, base.type, span), components, span);
    const part = (c: number): Expr => load(this.scalarAt(at, this.numberOf(at, i32Literal(c, span), span), span), span);
    return construct(type, components.map(part), span);
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
        return sameType(operand.type, type) && !sheds ? operand : { ...e, operand, type };
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
    const at = this.at(e.place);
    if (at) return this.loaded(at, e.type, e.span);
    const { place } = e;
    const of = place.kind === "swizzle" && place.components.length > 1 ? this.at(place.base) : undefined;
    if (!of || place.kind !== "swizzle") return undefined;
    return this.parts(of, place, e.span);
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
    const by = (n: number): Expr => i32Literal(n * behind.size, e.span);
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
    const named = target.kind === "swizzle" && target.components.length > 1 ? this.at(target.base) : undefined;
    if (!named || target.kind !== "swizzle") return undefined;
    const { at, before: first } = this.namedBefore(named, e.value);
    const before = (): Expr => this.parts(at, target, span);
    const type = target.type as VectorType;
    const value = { ...this.editor.addLocal("value", type, span), constant: true };
    this.editor.setVariable(value);
    return [
      ...first,
      { ...declare(value.id, this.sum(e, before), s.span), trivia: s.trivia },
      ...target.components.map((c, i) => {
        const place = this.scalarAt(at, this.numberOf(at, i32Literal(c, span), span), span);
        return expressionStatement(
          assign(place, swizzleValue(load(variablePlace(value, span), span), [i], span), span),
          s.span,
        );
      }),
    ];
  }

  /** The place is named before the value, which may change what it is named by, and more than once: a pointer to it, where it has to be. */
  private namedBefore(at: At, value: Expr): { readonly at: At; readonly before: readonly Statement[] } {
    if (this.isSettled(at) && (isPure(value) || this.isStable(at))) return { at, before: [] };
    const { span } = value;
    const place = this.scalarAt(at, times(at.index, at.vector, span), span);
    const space = spaceOf(place, this.editor.variables) ?? otherwise();
    const holder = this.editor.addLocal("at", pointer(place.type, space), span);
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

  private isSettled({ from, index }: At): boolean {
    return isPure(index) && ("list" in from ? placeIsPure(from.list) : isPure(from.pointer));
  }

  /** What is assigned: with an operator, of what is there before and the value. */
  private sum(e: Expr & { readonly kind: "assign" }, before: () => Expr): Expr {
    const { operator, span } = e;
    const value = this.inside(e.value);
    if (!operator) return value;
    // The old value is read after what the operand does.
    if (!isPure(e.value)) return otherwise();
    const type = e.compute ?? e.target.type;
    const as = (x: Expr, to: Type): Expr => (sameType(x.type, to) ? x : convert(x, to, true));
    const contracts = e.contracts ? { contracts: e.contracts } : {};
    return as(
      { kind: "binary", operator, left: as(before(), type), right: value, type, span, ...contracts },
      e.target.type,
    );
  }

  private stored(s: Statement): Statement | readonly Statement[] | undefined {
    if (s.kind === "declare" && this.addressed.has(s.variable) && s.initializer) {
      const list = construct(inStruct(s.initializer.type), this.components(s.initializer), s.span, true);
      return { ...s, initializer: list };
    }
    if (s.kind !== "expression") return undefined;
    const e = s.expression;
    if (e.kind === "comma" && e.right.kind === "assign" && this.isInMemory(vectorOf(e.right.target))) {
      const last = expressionStatement(e.right, s.span);
      return rewriteStatements([{ ...expressionStatement(e.left, s.span), trivia: s.trivia }, last], this.rewriter);
    }
    if (e.kind !== "assign") return undefined;
    const named = this.at(e.target);
    if (!named) return this.storedTo(s, e);
    const { at, before } = this.namedBefore(named, e.value);
    const sum = this.sum(e, () => this.loaded(at, e.target.type, e.span));
    const places = [this.scalarAt(at, i32Literal(0, e.span), e.span)];
    const call = opCall("memory.vstore", [sum, at.index], { kind: "void" }, e.span, { places });
    const stored = { ...expressionStatement(call, s.span), trivia: s.trivia };
    return before.length > 0 ? [...before, stored] : stored;
  }
}

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

/** Of fewer bits than 32 a product would wrap. */
function times(index: Expr, { size }: VectorType, span: Span): Expr {
  const known = literalValue(index);
  if (known === 0 || known === 0n) return index;
  const type = bitWidth(scalarOf(index.type)!) < 32 ? i32 : index.type;
  if (known !== undefined) return constantOf(type, Number(known) * size, span);
  return binary("mul", convert(index, type), constantOf(type, size, span), span);
}

const isVectorOf = (type: Type, like: Type): boolean =>
  type.kind === "vector" && like.kind === "vector" && type.scalar === like.scalar && type.size === like.size;
