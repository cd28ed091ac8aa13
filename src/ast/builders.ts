/**
 * Smart constructors of the canonical tree: they compute types, keep the invariants of `nodes.ts`, and do the few
 * simplifications every stage relies on (`deref(&p)` is `p`, adding 0 to a pointer is the pointer, a conversion to the
 * same type is its operand). They throw on a broken invariant, which is a bug of crosslane itself.
 */
import { noSpan, type Span } from "../support/span.js";
import {
  array,
  bool,
  componentCount,
  pointer,
  sameType,
  scalar,
  scalarOf,
  shaped,
  bitWidth,
  isInteger,
  shapedLike,
  showType,
  u32,
  vector,
  type AddressSpace,
  type PointerType,
  type ScalarKind,
  type Type,
} from "../types/types.js";
import {
  noTrivia,
  vectorBuiltins,
  type Argument,
  type Barrier,
  type BarrierDescriptor,
  type BinaryOperator,
  type Block,
  type BuiltinId,
  type Declare,
  type Expr,
  type ExpressionStatement,
  type FunctionDeclaration,
  type FunctionId,
  type Increment,
  type Literal,
  type Module,
  type OpCall,
  type OpId,
  type Place,
  type Print,
  type Return,
  type Stage,
  type Statement,
  type Trivia,
  type Unary,
  type VarId,
  type Variable,
} from "./nodes.js";

function broken(message: string): never {
  throw new Error(`broken tree: ${message}`);
}

// ------------------------------------------------------------------ literals and values

const is64Bit = (kind: ScalarKind): boolean => kind === "i64" || kind === "u64";

/** A number as constants of the kind hold it: of 64-bit integers as a bigint, else as a number. */
export const integerAs = (kind: ScalarKind, value: number | bigint): number | bigint =>
  is64Bit(kind) ? BigInt(value) : Number(value);

export function literal(
  kind: ScalarKind,
  value: number | bigint | boolean,
  span: Span = noSpan,
  text?: string,
): Literal {
  const held = typeof value === "boolean" ? (is64Bit(kind) ? BigInt(value) : value) : integerAs(kind, value);
  return text === undefined
    ? { kind: "literal", type: scalar(kind), value: held, span }
    : { kind: "literal", type: scalar(kind), value: held, text, span };
}

export const u32Literal = (value: number, span: Span = noSpan): Literal => literal("u32", value >>> 0, span);
export const i32Literal = (value: number, span: Span = noSpan): Literal => literal("i32", value | 0, span);
export const f32Literal = (value: number, span: Span = noSpan): Literal => literal("f32", Math.fround(value), span);
export const boolLiteral = (value: boolean, span: Span = noSpan): Literal => literal("bool", value, span);

/** A literal of `kind`, for a vector type a splat of one, for a matrix columns of them. */
export function constantOf(type: Type, value: number | bigint | boolean, span: Span = noSpan): Expr {
  const kind = scalarOf(type) ?? broken(`constant of ${showType(type)}`);
  const one = literal(kind, kind === "bool" ? Boolean(value) : value, span);
  if (type.kind === "matrix")
    return construct(
      type,
      Array.from({ length: type.columns }, () => (type.rows === 1 ? one : splat(one, vector(kind, type.rows), span))),
      span,
    );
  return type.kind === "vector" ? splat(one, type, span) : one;
}

/** The number of a literal (looking through splats), or undefined. */
export function literalValue(e: Expr<Stage>): number | bigint | boolean | undefined {
  if (e.kind === "literal") return e.value;
  if (e.kind === "enumerator") return e.value;
  if (e.kind === "splat") return literalValue(e.operand);
  return undefined;
}

export function builtin(id: BuiltinId, span: Span = noSpan): Expr {
  return { kind: "builtin", builtin: id, type: vectorBuiltins.has(id) ? vector("u32", 3) : u32, span };
}

// ------------------------------------------------------------------ places

export function variablePlace(variable: Pick<Variable, "id" | "type">, span: Span = noSpan): Place {
  return { kind: "variable", variable: variable.id, type: variable.type, span };
}

/** The type of `base[index]`: array element, vector component or matrix column. */
export function elementType(base: Type): Type {
  switch (base.kind) {
    case "array":
      return base.element;
    // The column of a matrix of one row.
    case "scalar":
    case "vector":
      return shapedLike(base, 1);
    case "matrix":
      return shapedLike(base, base.rows);
    default:
      return broken(`element of ${showType(base)}`);
  }
}

export function element(base: Place, index: Expr, span: Span = noSpan): Place {
  if (base.kind === "deref" && isElements(base)) return pointerElement(base.pointer, index, span);
  return { kind: "element", base, index, type: elementType(base.type), span };
}

/** All that lies from there on, of which only elements are places of the tree. */
export function elementsBehind(p: Expr, span: Span = noSpan): Place {
  if (p.type.kind !== "pointer") return broken(`elements behind ${showType(p.type)}`);
  return { kind: "deref", pointer: p, type: array(p.type.pointee, undefined), span };
}

const isElements = ({ type, pointer }: Place & { readonly kind: "deref" }): boolean =>
  type.kind === "array" && type.length === undefined && sameType((pointer.type as PointerType).pointee, type.element);

/** `type` is the member's declared type. */
export function member(base: Place, name: string, type: Type, span: Span = noSpan): Place {
  return { kind: "member", base, member: name, type, span };
}

export function swizzle(base: Place, components: readonly number[], span: Span = noSpan): Place {
  if (base.type.kind !== "vector") return broken(`swizzle of ${showType(base.type)}`);
  const type = shapedLike(base.type, components.length);
  if (base.kind === "swizzle") {
    return {
      kind: "swizzle",
      base: base.base,
      components: components.map((c) => base.components[c]!),
      type,
      span,
    };
  }
  return { kind: "swizzle", base, components, type, span };
}

export function deref(p: Expr, span: Span = noSpan): Place {
  if (p.type.kind !== "pointer") return broken(`dereference of ${showType(p.type)}`);
  if (p.kind === "address-of") return p.place;
  // `(&a[i])[k]` is `a[i + k]`: of an element moved on, its neighbour.
  if (
    p.kind === "pointer-offset" &&
    p.pointer.kind === "address-of" &&
    p.pointer.place.kind === "element" &&
    p.pointer.place.base.type.kind === "array"
  ) {
    const { base } = p.pointer.place;
    if (mayLeaveRow(p.pointer, p.offset)) return { kind: "deref", pointer: p, type: p.type.pointee, span };
    const index = inWord(p.pointer.place.index);
    const offset = inWord(p.offset);
    if (sameType(index.type, offset.type)) return element(base, offsetSum(index, offset, span), span);
    const amount = literalValue(p.offset);
    if (typeof amount === "number" && amount >= 0 && index.type.kind === "scalar")
      return element(base, offsetSum(index, literal(index.type.scalar, amount, span), span), span);
  }
  return { kind: "deref", pointer: p, type: p.type.pointee, span };
}

/** Whether an offset may lead from `&m[i][j]` to another row (C99 6.2.5 (20)): all that is no number within this one. */
function mayLeaveRow({ place, inRow }: Expr & { kind: "address-of" }, offset: Expr): boolean {
  if (!inRow || place.kind !== "element" || place.base.type.kind !== "array") return false;
  const [at, by] = [literalValue(place.index), literalValue(offset)];
  if (at === undefined || by === undefined) return true;
  const to = Number(at) + Number(by);
  return to < 0 || to >= (place.base.type.length ?? Infinity);
}

/** A number of elements with 32 bits at least: the source adds in the width of its pointers, however narrow its numbers are. */
export function inWord(e: Expr): Expr {
  const kind = scalarOf(e.type);
  return kind && isInteger(kind) && bitWidth(kind) < 32 ? convert(e, scalar("i32"), false, e.span) : e;
}

/** The number of elements that an offset leads back by, as it is in the source: see `offsetOf` of sema. */
export function ledBackBy<S extends Stage>(offset: Expr<S>): Expr<S> | undefined {
  // Of 32 bits and no sign `-n` leads forward.
  if (offset.kind !== "unary" || offset.operator !== "negate" || scalarOf(offset.type) === "u32") return undefined;
  const { operand } = offset;
  return operand.kind === "convert" && operand.relies === "offset" ? operand.operand : operand;
}

/** Whether an offset leads forward alone: it is unsigned, and was in the source. */
export const leadsForward = (e: Expr): boolean =>
  e.kind === "literal"
    ? Number(e.value) >= 0
    : scalarOf(e.type) === "u32" && !(e.kind === "convert" && scalarOf(e.operand.type)?.[0] === "i");

/** Whether an offset is moved by it as by a signed number: it may lead back, or is below 2^31 where the offset may lie before its object. */
export const isSigned = (amount: Expr): boolean =>
  !leadsForward(amount) || (amount.kind === "convert" && amount.relies === "offset");

/**
 * An offset further on, both of one type. The source adds in the width of its pointers: offsets that lead forward and meet beyond 2^32 are
 * past every object.
 */
export function offsetSum(a: Expr, b: Expr, span: Span): Expr {
  const sum = binary("add", a, b, span);
  return scalarOf(a.type) === "u32" && leadsForward(a) && leadsForward(b) ? { ...sum, relies: "offset" } : sum;
}

/** The variable a place lies in, or undefined where it goes through a pointer. */
export function rootVariable(place: Place): VarId | undefined {
  switch (place.kind) {
    case "variable":
      return place.variable;
    case "deref":
      return undefined;
    default:
      return rootVariable(place.base);
  }
}

// ------------------------------------------------------------------ expressions

export function load(place: Place, span: Span = place.span): Expr {
  return { kind: "load", place, type: place.type, span };
}

/** The number of elements of a runtime-sized array. */
export function lengthOf(place: Place, span: Span = place.span): Expr {
  return { kind: "length", place, type: { kind: "scalar", scalar: "u32" }, span };
}

export function unary(operator: Unary["operator"], operand: Expr, span: Span = operand.span): Expr {
  return { kind: "unary", operator, operand, type: operand.type, span };
}

export const isComparison = (operator: BinaryOperator): boolean =>
  operator === "eq" ||
  operator === "ne" ||
  operator === "lt" ||
  operator === "le" ||
  operator === "gt" ||
  operator === "ge";

/** Operands must already agree (see `Binary`). */
export const nullPointer = (type: Type, span: Span = noSpan): Expr => ({ kind: "null-pointer", type, span });

export function binary(operator: BinaryOperator, left: Expr, right: Expr, span: Span = noSpan): Expr {
  let type: Type;
  if (isComparison(operator)) {
    const size = componentCount(left.type);
    type =
      size === undefined
        ? left.type.kind === "pointer"
          ? bool
          : broken(`${operator} of ${showType(left.type)}`)
        : shaped("bool", size);
  } else if (operator === "mul" && (left.type.kind === "matrix" || right.type.kind === "matrix")) {
    type = matrixProduct(left.type, right.type);
  } else {
    if (operator !== "shl" && operator !== "shr" && !sameType(left.type, right.type)) {
      broken(`${operator} of ${showType(left.type)} and ${showType(right.type)}`);
    }
    type = left.type;
  }
  return { kind: "binary", operator, left, right, type, span };
}

function matrixProduct(left: Type, right: Type): Type {
  if (left.kind === "matrix" && right.kind === "scalar") return left;
  if (left.kind === "scalar" && right.kind === "matrix") return right;
  if (left.kind === "matrix" && right.kind === "vector" && left.columns === right.size)
    return shapedLike(left, left.rows);
  if (left.kind === "vector" && right.kind === "matrix" && left.size === right.rows)
    return shapedLike(right, right.columns);
  if (left.kind === "matrix" && right.kind === "matrix" && left.columns === right.rows) {
    return { ...left, columns: right.columns };
  }
  return broken(`product of ${showType(left)} and ${showType(right)}`);
}

export function logical(operator: "and" | "or", left: Expr, right: Expr, span: Span = noSpan): Expr {
  return { kind: "logical", operator, left, right, type: bool, span };
}

export function conditional(condition: Expr, whenTrue: Expr, whenFalse: Expr, span: Span = noSpan): Expr {
  if (!sameType(whenTrue.type, whenFalse.type))
    broken(`?: of ${showType(whenTrue.type)} and ${showType(whenFalse.type)}`);
  return { kind: "conditional", condition, whenTrue, whenFalse, type: whenTrue.type, span };
}

/** Value conversion (see `Convert`); the operand itself where the types are the same and it was not written. */
export function convert(operand: Expr, type: Type, explicit = false, span: Span = operand.span): Expr {
  if (sameType(operand.type, type) && !explicit) return operand;
  return { kind: "convert", operand, type, explicit, span };
}

export function bitcast(operand: Expr, type: Type, span: Span = operand.span): Expr {
  if (sameType(operand.type, type)) return operand;
  // Bits taken as something else and back; pointers on the way keep what they are cast to.
  const back = operand.kind === "bitcast" && type.kind !== "pointer" && sameType(operand.operand.type, type);
  return back ? operand.operand : { kind: "bitcast", operand, type, span };
}

export function splat(operand: Expr, type: Type, span: Span = operand.span, explicit = false): Expr {
  if (sameType(operand.type, type)) return operand;
  if (type.kind !== "vector" || operand.type.kind !== "scalar" || type.scalar !== operand.type.scalar) {
    broken(`splat of ${showType(operand.type)} to ${showType(type)}`);
  }
  return { kind: "splat", operand, type, explicit, span };
}

export function construct(type: Type, args: readonly Expr[], span: Span = noSpan, braces = false): Expr {
  return braces
    ? { kind: "construct", type, arguments: args, braces, span }
    : { kind: "construct", type, arguments: args, span };
}

/** The columns of a matrix that is made of columns or of scalars. */
export function matrixColumns({ type, arguments: args }: Expr & { readonly kind: "construct" }): readonly Expr[] {
  if (type.kind !== "matrix") return broken(`columns of ${showType(type)}`);
  const { columns, rows } = type;
  if (args.length === columns && args.every((a) => a.type.kind === "vector")) return args;
  if (args.length !== columns * rows || args.some((a) => a.type.kind !== "scalar")) return broken("parts of a matrix");
  return Array.from({ length: columns }, (_, c) => {
    const parts = args.slice(c * rows, (c + 1) * rows);
    return construct(shapedLike(type, rows), parts, parts[0]!.span);
  });
}

/** A union of one of its members. */
export function constructUnion(
  type: Type,
  { name, value, first }: { readonly name: string; readonly value: Expr; readonly first: boolean },
  span: Span = noSpan,
): Expr {
  return { kind: "construct", type, arguments: [value], braces: true, ...(first ? {} : { member: name }), span };
}

/** Swizzle of a value; of a load it becomes the load of a swizzle. */
export function swizzleValue(operand: Expr, components: readonly number[], span: Span = operand.span): Expr {
  if (operand.type.kind !== "vector") return broken(`swizzle of ${showType(operand.type)}`);
  if (operand.kind === "load") return load(swizzle(operand.place, components, span), span);
  const type = shapedLike(operand.type, components.length);
  if (operand.kind === "swizzle-value") {
    const composed = components.map((c) => operand.components[c]!);
    return { kind: "swizzle-value", operand: operand.operand, components: composed, type, span };
  }
  return { kind: "swizzle-value", operand, components, type, span };
}

export function elementValue(operand: Expr, index: Expr, span: Span = operand.span): Expr {
  if (operand.kind === "load") return load(element(operand.place, index, span), span);
  // Row r of column c of a transposed matrix is row c of its column r.
  if (
    operand.kind === "element-value" &&
    operand.operand.kind === "op" &&
    operand.operand.op === "geometry.transpose" &&
    operand.index.kind === "literal" &&
    index.kind === "literal"
  )
    return elementValue(elementValue(operand.operand.arguments[0]!, index, span), operand.index, span);
  return { kind: "element-value", operand, index, type: elementType(operand.type), span };
}

export function memberValue(operand: Expr, name: string, type: Type, span: Span = operand.span): Expr {
  if (operand.kind === "load") return load(member(operand.place, name, type, span), span);
  return { kind: "member-value", operand, member: name, type, span };
}

export function opCall(
  op: OpId,
  args: readonly Expr[],
  type: Type,
  span: Span = noSpan,
  more: Partial<
    Pick<OpCall, "memory" | "places" | "order" | "failureOrder" | "scope" | "precondition" | "plainly">
  > = {},
): Expr {
  return { kind: "op", op, arguments: args, places: more.places ?? [], type, span, ...more };
}

export function functionCall(fn: FunctionId, args: readonly Argument[], type: Type, span: Span = noSpan): Expr {
  return { kind: "call", function: fn, arguments: args, type, span };
}

export function assign(
  target: Place,
  value: Expr,
  span: Span = noSpan,
  operator?: BinaryOperator,
  compute?: Type,
): Expr {
  return {
    kind: "assign",
    target,
    value,
    type: target.type,
    span,
    ...(operator ? { operator } : {}),
    ...(compute && !sameType(compute, target.type) ? { compute } : {}),
  };
}

export function increment(place: Place, delta: 1 | -1, prefix: boolean, span: Span = noSpan): Increment {
  return { kind: "increment", place, delta, prefix, type: place.type, span };
}

export function print(format: Print["format"], args: readonly Expr[], span: Span = noSpan): Expr {
  return { kind: "print", format, arguments: args, type: { kind: "void" }, span };
}

export function comma(left: Expr, right: Expr, span: Span = noSpan): Expr {
  return { kind: "comma", left, right, type: right.type, span };
}

/** `&place`; `&*p` is `p`. */
export function addressOf(place: Place, space: AddressSpace, span: Span = place.span, readOnly = false): Expr {
  if (place.kind === "deref") return place.pointer;
  return { kind: "address-of", place, type: pointer(place.type, space, readOnly), span };
}

/** Array-to-pointer decay: `&array[0]`. */
export function decay(place: Place, space: AddressSpace, span: Span = place.span, readOnly = false): Expr {
  return addressOf(element(place, i32Literal(0, span), span), space, span, readOnly);
}

/** `p + offset`. Of `&a[0]` it is `&a[offset]`; offsets of pointers into an array add up. */
export function pointerOffset(p: Expr, offset: Expr, span: Span = noSpan): Expr {
  if (p.type.kind !== "pointer") return broken(`pointer arithmetic on ${showType(p.type)}`);
  const amount = literalValue(offset);
  if (amount === 0 || amount === 0n) return p;
  if (p.kind === "address-of" && p.place.kind === "element") {
    const first = literalValue(p.place.index);
    if ((first === 0 || first === 0n) && !mayLeaveRow(p, offset)) {
      return { ...p, place: element(p.place.base, offset, span), span };
    }
  }
  return { kind: "pointer-offset", pointer: p, offset, type: p.type, span };
}

/** `p[i]` as a place. */
export function pointerElement(p: Expr, index: Expr, span: Span = noSpan): Place {
  return deref(pointerOffset(p, index, span), span);
}

// ------------------------------------------------------------------ statements

export function block(statements: readonly Statement[], span: Span = noSpan, trivia: Trivia = noTrivia): Block {
  return { kind: "block", statements, span, trivia, innerComments: [] };
}
export function expressionStatement(
  expression: Expr,
  span: Span = expression.span,
  trivia: Trivia = noTrivia,
): ExpressionStatement {
  return { kind: "expression", expression, span, trivia };
}
export function declare(variable: VarId, initializer?: Expr, span: Span = noSpan, trivia: Trivia = noTrivia): Declare {
  return initializer
    ? { kind: "declare", variable, initializer, span, trivia }
    : { kind: "declare", variable, span, trivia };
}
/** A statement that stores a value. */
export const store = (place: Place, value: Expr): Statement => expressionStatement(assign(place, value));
/** What a variable holds, and a statement that changes it. */
export const read = (variable: Pick<Variable, "id" | "type">): Expr => load(variablePlace(variable));
export const put = (variable: Pick<Variable, "id" | "type">, value: Expr): Statement =>
  store(variablePlace(variable), value);
export function returnStatement(value?: Expr, span: Span = noSpan): Return {
  return value ? { kind: "return", value, span, trivia: noTrivia } : { kind: "return", span, trivia: noTrivia };
}
export function ifStatement(condition: Expr, then: Statement, otherwise?: Statement, span: Span = noSpan): Statement {
  return otherwise
    ? { kind: "if", condition, then, else: otherwise, span, trivia: noTrivia }
    : { kind: "if", condition, then, span, trivia: noTrivia };
}
export function whileStatement(condition: Expr, body: readonly Statement[], span: Span = noSpan): Statement {
  return { kind: "while", condition, body: block(body), span, trivia: noTrivia };
}
export function doWhileStatement(body: readonly Statement[], condition: Expr, span: Span = noSpan): Statement {
  return { kind: "do-while", body: block(body), condition, span, trivia: noTrivia };
}
export function barrier(descriptor: BarrierDescriptor, span: Span = noSpan, trivia: Trivia = noTrivia): Barrier {
  return { kind: "barrier", barrier: descriptor, span, trivia };
}

// ------------------------------------------------------------------ modules

/** Adds variables and functions to a module; `finish` returns the new one. Passes share one per run. */
export class ModuleEditor<M extends Module = Module> {
  readonly variables: Map<VarId, Variable>;
  private nextVariable: number;
  private nextFunction: number;

  constructor(private readonly module: M) {
    this.variables = new Map(module.variables);
    this.nextVariable = module.nextVariable;
    this.nextFunction = module.nextFunction;
  }

  get structs(): M["structs"] {
    return this.module.structs;
  }

  addVariable(variable: Omit<Variable, "id">): Variable {
    const added = { ...variable, id: this.nextVariable++ };
    this.variables.set(added.id, added);
    return added;
  }

  addLocal(name: string, type: Type, span: Span = noSpan): Variable {
    return this.addVariable({ name, type, space: "private", role: "local", constant: false, span });
  }

  addParameter(name: string, type: Type, span: Span = noSpan): Variable {
    return this.addVariable({ name, type, space: "private", role: "parameter", constant: false, mode: "value", span });
  }

  setVariable(variable: Variable): void {
    this.variables.set(variable.id, variable);
  }

  newFunctionId(): FunctionId {
    return this.nextFunction++;
  }

  /** A function that the source does not have, which says what it emulates. Whoever makes it puts it into the module. */
  helper({
    parameters,
    statements,
    ...said
  }: {
    readonly name: string;
    readonly emulates: string;
    readonly parameters: readonly Variable[];
    readonly returnType: Type;
    readonly statements: readonly Statement[];
  }): FunctionDeclaration {
    return {
      ...said,
      id: this.newFunctionId(),
      parameters: parameters.map((v) => v.id),
      isEntry: false,
      body: block(statements),
      span: noSpan,
      nameSpan: noSpan,
      trivia: noTrivia,
    };
  }

  finish(changes: Partial<M> = {}): M {
    return {
      ...this.module,
      variables: this.variables,
      nextVariable: this.nextVariable,
      nextFunction: this.nextFunction,
      ...changes,
    };
  }
}
