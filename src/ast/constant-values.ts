/**
 * Constant expressions of the tree, in the exact arithmetic of their types: integers wrap, floats round once. Scalars are
 * single values; of vectors, matrices (columns), arrays and structs there are lists.
 */
import { scalarOf, bitWidth, isFloat, shaped, type ScalarKind, type Type } from "../types/types.js";
import { onceEach } from "../support/once.js";
import { bitsOfFloat, convertValue, floatOfBits, roundFloat, wrapInteger } from "../types/numeric.js";
import { construct } from "./builders.js";
import type {
  BinaryOperator,
  Expr,
  FunctionCall,
  Literal,
  OpCall,
  Place,
  StructDeclaration,
  Unary,
  VarId,
} from "./nodes.js";

/** Integers as bigint, floats as number. */
export type Constant = bigint | number | boolean;
export type ConstantValue = Constant | readonly ConstantValue[];

export const wrap = (kind: ScalarKind, value: bigint): bigint => BigInt(wrapInteger(kind, value));

/** Out of range is undefined in the dialects: no constant then. */
export function convertConstant(value: Constant, to: ScalarKind): Constant | undefined {
  const from = typeof value === "bigint" ? "i64" : typeof value === "number" ? "f64" : "bool";
  const made = convertValue(from, to, value);
  return made === undefined ? undefined : constantOfKind(to, made);
}

/** A value as constants of its kind are held. */
export const constantOfKind = (kind: ScalarKind, value: number | bigint | boolean): Constant =>
  kind === "bool" ? Boolean(value) : isFloat(kind) ? Number(value) : BigInt(value);

export function unaryConstant(operator: Unary["operator"], x: Constant, kind: ScalarKind): Constant | undefined {
  switch (operator) {
    case "plus":
      return x;
    case "not":
      return !x;
    case "negate":
      return typeof x === "number" ? -x : wrap(kind, -BigInt(x));
    case "complement":
      return typeof x === "number" ? undefined : wrap(kind, ~BigInt(x));
  }
}

export function binaryConstant(
  operator: BinaryOperator,
  x: Constant,
  y: Constant,
  kind: ScalarKind,
): Constant | undefined {
  switch (operator) {
    case "eq":
      return x === y;
    case "ne":
      return x !== y;
    case "lt":
      return x < y;
    case "le":
      return x <= y;
    case "gt":
      return x > y;
    case "ge":
      return x >= y;
    default:
      break;
  }
  if (typeof x === "number" && typeof y === "number") {
    const exact =
      operator === "add"
        ? x + y
        : operator === "sub"
          ? x - y
          : operator === "mul"
            ? x * y
            : operator === "div"
              ? x / y
              : undefined;
    return exact === undefined ? undefined : roundFloat(kind, exact);
  }
  if (typeof x === "boolean" || typeof y === "boolean") {
    if (typeof x !== "boolean" || typeof y !== "boolean") return undefined;
    return operator === "and" ? x && y : operator === "or" ? x || y : operator === "xor" ? x !== y : undefined;
  }
  if (typeof x === "number" || typeof y === "number") return undefined;
  const count = y & BigInt(bitWidth(kind) - 1);
  switch (operator) {
    case "add":
      return wrap(kind, x + y);
    case "sub":
      return wrap(kind, x - y);
    case "mul":
      return wrap(kind, x * y);
    case "div":
      return y === 0n ? undefined : wrap(kind, x / y);
    case "rem":
      return y === 0n ? undefined : wrap(kind, x % y);
    case "shl":
      return wrap(kind, x << count);
    case "shr":
      return wrap(kind, x >> count);
    case "and":
      return wrap(kind, x & y);
    case "or":
      return wrap(kind, x | y);
    case "xor":
      return wrap(kind, x ^ y);
    default:
      return undefined;
  }
}

/** The bits of a value as another kind of the same width; the bits of a NaN would be lost. */
export function bitcastConstant(x: Constant, from: ScalarKind, to: ScalarKind): Constant | undefined {
  if (bitWidth(from) !== bitWidth(to) || from === "bool" || to === "bool") return undefined;
  if (from === to) return x;
  if (!isFloat(from) && !isFloat(to)) return wrap(to, BigInt(x));
  if (bitWidth(to) > 32) return undefined;
  if (Number.isNaN(x)) return undefined;
  const bits = isFloat(from) ? bitsOfFloat(from, Number(x)) : BigInt.asUintN(bitWidth(from), BigInt(x));
  if (!isFloat(to)) return wrap(to, BigInt(bits));
  const value = floatOfBits(to, bits);
  return Number.isNaN(value) ? undefined : value;
}

/** A constant as a literal node holds it. */
export const literalForm = (value: Constant): number | bigint | boolean =>
  typeof value === "bigint" && value >= -(2n ** 53n) && value <= 2n ** 53n ? Number(value) : value;

// ------------------------------------------------------------------ values with parts

/** How constants are computed: what a compiler does that has ways of its own. */
export interface ConstantArithmetic {
  readonly literal: (e: Literal) => Constant;
  /** In which numbers of a type are computed and kept. */
  readonly kindOf: (kind: ScalarKind) => ScalarKind;
  readonly binary: typeof binaryConstant;
  /** The product of a matrix and a matrix or vector: the order of its sums is the compiler's. */
  readonly product?: (
    x: readonly ConstantValue[],
    y: readonly ConstantValue[],
    left: Type,
    right: Type,
  ) => ConstantValue | undefined;
  readonly call?: (e: OpCall, args: readonly ConstantValue[], scope: ConstantScope) => ConstantValue | undefined;
  /** What a function of the source gives, where that may be a constant. */
  readonly function?: (e: FunctionCall, scope: ConstantScope) => ConstantValue | undefined;
  /** A choice is a constant only where both sides are. */
  readonly choosesConstants?: true;
  /** The bits of a number as one of the other kind are not looked at. */
  readonly bitsAreOpaque?: true;
  /** The value of a named constant, where it is not that of its initialiser. */
  readonly named?: (initializer: Expr) => ConstantValue | undefined;
  /** The size of the workgroup, where it is a constant of the language. */
  readonly workgroupSize?: readonly (ConstantValue | undefined)[];
}

export const literalConstant = (e: Literal): Constant =>
  typeof e.value === "boolean" ? e.value : constantOfKind(e.type.scalar, e.value);

/** In the exact arithmetic of the types. */
export const exactArithmetic: ConstantArithmetic = {
  literal: literalConstant,
  kindOf: (kind) => kind,
  binary: binaryConstant,
};

/** What names stand for in constant expressions. What was worked out of a node is kept: constants are made of constants. */
export class ConstantScope {
  constructor(
    readonly initializers: { get(variable: VarId): Expr | undefined },
    readonly structs: ReadonlyMap<string, StructDeclaration>,
    readonly arithmetic: ConstantArithmetic = exactArithmetic,
  ) {}

  /** The initialiser of a constant. */
  initializer(variable: VarId): Expr | undefined {
    return this.initializers.get(variable);
  }

  /** The value of a constant. */
  variable(variable: VarId): ConstantValue | undefined {
    const initializer = this.initializer(variable);
    return initializer && (this.arithmetic.named?.(initializer) ?? this.valueOf(initializer));
  }

  /** The value of an expression, or undefined where it is not constant or not worked out here. */
  readonly valueOf = onceEach((e: Expr): ConstantValue | undefined => compute(e, this));
}

const list = (v: ConstantValue | undefined): readonly ConstantValue[] | undefined =>
  Array.isArray(v) ? (v as readonly ConstantValue[]) : undefined;

/** Componentwise; a scalar goes with every component. */
export function zipped(
  a: ConstantValue,
  b: ConstantValue,
  f: (x: Constant, y: Constant) => Constant | undefined,
): ConstantValue | undefined {
  const [p, q] = [list(a), list(b)];
  if (!p && !q) return f(a as Constant, b as Constant);
  const parts = (p ?? q)!.map((_, i) => zipped(p ? p[i]! : a, q ? q[i]! : b, f));
  return parts.every((x) => x !== undefined) ? parts : undefined;
}
export const mapped = (a: ConstantValue, f: (x: Constant) => Constant | undefined): ConstantValue | undefined =>
  zipped(a, a, f);

/** The value of an expression without effects; its parts are asked of the scope. */
export function compute(e: Expr, scope: ConstantScope): ConstantValue | undefined {
  // Whether its type holds it is for the run to see.
  if (e.relies === "index" || (e.relies === "value" && e.kind === "convert")) return undefined;
  const of = (x: Expr): ConstantValue | undefined => scope.valueOf(x);
  const { arithmetic } = scope;
  const own = scalarOf(e.type);
  const kind = own && arithmetic.kindOf(own);
  switch (e.kind) {
    case "literal":
      return arithmetic.literal(e);
    case "enumerator":
      return BigInt(e.value);
    case "load":
      return placeValue(e.place, scope);
    case "unary": {
      const x = of(e.operand);
      return x === undefined || !kind ? undefined : mapped(x, (v) => unaryConstant(e.operator, v, kind));
    }
    case "convert": {
      const x = of(e.operand);
      return x === undefined || !kind ? undefined : mapped(x, (v) => convertConstant(v, kind));
    }
    case "logical": {
      const [x, y] = [of(e.left), of(e.right)];
      if (typeof x !== "boolean") return undefined;
      // What decides is enough, where the other side need be no constant.
      const decided = x === (e.operator === "or");
      if (decided && !arithmetic.choosesConstants) return x;
      if (typeof y !== "boolean") return undefined;
      return decided ? x : y;
    }
    case "conditional": {
      const c = of(e.condition);
      if (typeof c !== "boolean") return undefined;
      const [chosen, other] = c ? [e.whenTrue, e.whenFalse] : [e.whenFalse, e.whenTrue];
      return arithmetic.choosesConstants && of(other) === undefined ? undefined : of(chosen);
    }
    case "binary":
      return binaryValue(e.operator, of(e.left), of(e.right), e.left.type, e.right.type, arithmetic);
    case "op": {
      if (!arithmetic.call || e.places.length > 0) return undefined;
      const args = e.arguments.map(of);
      return args.every((a) => a !== undefined) ? arithmetic.call(e, args, scope) : undefined;
    }
    case "call":
      return arithmetic.function?.(e, scope);
    case "builtin": {
      const size = e.builtin === "workgroup_size" ? arithmetic.workgroupSize : undefined;
      return size?.every((x) => x !== undefined) ? size : undefined;
    }
    case "splat": {
      const x = of(e.operand);
      return x === undefined || e.type.kind !== "vector" ? undefined : Array.from({ length: e.type.size }, () => x);
    }
    case "construct":
      return constructed(e.type, e.arguments.map(of));
    case "swizzle-value": {
      if (e.operand.kind === "builtin" && e.operand.builtin === "workgroup_size" && e.components.length === 1)
        return arithmetic.workgroupSize?.[e.components[0]!];
      const parts = list(of(e.operand));
      return parts && picked(parts, e.components);
    }
    case "bitcast": {
      const x = of(e.operand);
      const from = scalarOf(e.operand.type);
      const same = e.type.kind === "scalar" && e.operand.type.kind === "scalar";
      if (arithmetic.bitsAreOpaque && from && own && isFloat(from) !== isFloat(own)) return undefined;
      return x === undefined || !same || !from || !own ? undefined : bitcastConstant(x as Constant, from, own);
    }
    case "element-value":
      return elementOf(of(e.operand), of(e.index));
    case "member-value":
      return memberOf(of(e.operand), e.operand.type, e.member, scope);
    default:
      return undefined;
  }
}

function placeValue(p: Place, scope: ConstantScope): ConstantValue | undefined {
  switch (p.kind) {
    case "variable":
      return scope.variable(p.variable);
    case "element":
      return elementOf(placeValue(p.base, scope), scope.valueOf(p.index));
    case "member":
      return memberOf(placeValue(p.base, scope), p.base.type, p.member, scope);
    case "swizzle": {
      const parts = list(placeValue(p.base, scope));
      return parts && picked(parts, p.components);
    }
    case "deref":
    case "view":
      return undefined;
  }
}

const picked = (parts: readonly ConstantValue[], components: readonly number[]): ConstantValue | undefined =>
  components.length === 1 ? parts[components[0]!] : components.map((c) => parts[c]!);

function elementOf(whole: ConstantValue | undefined, index: ConstantValue | undefined): ConstantValue | undefined {
  return typeof index === "bigint" ? list(whole)?.[Number(index)] : undefined;
}

function memberOf(
  whole: ConstantValue | undefined,
  type: Type,
  name: string,
  { structs }: ConstantScope,
): ConstantValue | undefined {
  if (type.kind === "struct" && type.union) return undefined;
  const at = type.kind === "struct" ? (structs.get(type.name)?.members.findIndex((m) => m.name === name) ?? -1) : -1;
  return at < 0 ? undefined : list(whole)?.[at];
}

function constructed(type: Type, parts: readonly (ConstantValue | undefined)[]): ConstantValue | undefined {
  if (!parts.every((p) => p !== undefined)) return undefined;
  if (type.kind === "vector") return parts.flat();
  if (type.kind !== "matrix") return parts;
  const scalars = parts.flat();
  return Array.from({ length: type.columns }, (_, c) => scalars.slice(c * type.rows, (c + 1) * type.rows));
}

function binaryValue(
  operator: BinaryOperator,
  x: ConstantValue | undefined,
  y: ConstantValue | undefined,
  left: Type,
  right: Type,
  arithmetic: ConstantArithmetic,
): ConstantValue | undefined {
  const kind = scalarOf(left);
  if (x === undefined || y === undefined || !kind) return undefined;
  const product =
    operator === "mul" &&
    (left.kind === "matrix" || right.kind === "matrix") &&
    left.kind !== "scalar" &&
    right.kind !== "scalar";
  return product
    ? arithmetic.product?.(list(x)!, list(y)!, left, right)
    : zipped(x, y, (a, b) => arithmetic.binary(operator, a, b, arithmetic.kindOf(kind)));
}

/** The type of a part of a value. */
function partOf(type: Type, i: number, structs: ConstantScope["structs"]): Type | undefined {
  switch (type.kind) {
    case "vector":
      return { kind: "scalar", scalar: type.scalar };
    case "matrix":
      return shaped(type.scalar, type.rows);
    case "array":
      return type.element;
    case "struct":
      return structs.get(type.name)?.members[i]?.type;
    default:
      return undefined;
  }
}

/** A value with each number in it as its type has it. */
export function withEach(
  value: ConstantValue,
  type: Type,
  structs: ConstantScope["structs"],
  f: (x: Constant, kind: ScalarKind) => Constant | undefined,
): ConstantValue | undefined {
  const parts = list(value);
  if (!parts) return type.kind === "scalar" ? f(value as Constant, type.scalar) : undefined;
  const made = parts.map((p, i) => {
    const part = partOf(type, i, structs);
    return part && withEach(p, part, structs, f);
  });
  return made.every((m) => m !== undefined) ? made : undefined;
}

/** The same to the bit: a zero has its sign. */
export function sameConstants(a: ConstantValue | undefined, b: ConstantValue | undefined): boolean {
  const [p, q] = [list(a), list(b)];
  return p && q ? p.length === q.length && p.every((x, i) => sameConstants(x, q[i])) : Object.is(a, b);
}

/** A value as an expression of literals. */
export function constantTree(
  value: ConstantValue,
  type: Type,
  like: Expr,
  structs: ConstantScope["structs"],
): Expr | undefined {
  const parts = list(value);
  if (!parts)
    return type.kind === "scalar"
      ? { kind: "literal", type, value: literalForm(value as Constant), span: like.span }
      : undefined;
  const made = parts.map((p, i) => {
    const part = partOf(type, i, structs);
    return part && constantTree(p, part, like, structs);
  });
  return made.every((m) => m !== undefined) ? construct(type, made, like.span) : undefined;
}
