/** On which side of zero floats lie, as far as their expressions show; a NaN may be anything. */
import { literalValue } from "../../ast/builders.js";
import type { Expr, OpCall, OpId, Place, VarId } from "../../ast/nodes.js";
import type { OpRow } from "../../ops/row.js";
import { row } from "../../ops/table.js";
import { bitWidth, isFloat, scalarOf, type Type } from "../../types/types.js";

export type FloatBound = "positive" | "not negative" | undefined;

/** What the row says of the op's result, or that of the op it is a variant of. */
const resultOf = (op: OpId): OpRow["result"] => row(op).result ?? row(row(op).variant?.of ?? op).result;

const longestChain = 32;

/** `valueOf`: what a local holds wherever it is read, if its declaration alone sets it. */
export function floatBound(e: Expr, valueOf: (local: VarId) => Expr | undefined, depth = 0): FloatBound {
  if (depth > longestChain) return undefined;
  const of = (x: Expr): FloatBound => floatBound(x, valueOf, depth + 1);
  const value = literalValue(e);
  if (typeof value === "number" || typeof value === "bigint")
    return value > 0 ? "positive" : Number(value) === 0 ? "not negative" : undefined;
  switch (e.kind) {
    case "load": {
      const held = e.place.kind === "variable" ? valueOf(e.place.variable) : undefined;
      return held && of(held);
    }
    case "splat":
      return of(e.operand);
    case "convert": {
      const kind = scalarOf(e.operand.type) ?? "bool";
      if (kind === "bool" || kind[0] === "u") return "not negative";
      if (!isFloat(kind)) return of(e.operand) && "not negative";
      // A smaller type may have no number that small.
      return bitWidth(scalarOf(e.type)!) < bitWidth(kind) ? of(e.operand) && "not negative" : of(e.operand);
    }
    case "conditional":
      return lesser(of(e.whenTrue), of(e.whenFalse));
    case "construct":
      return e.arguments.map(of).reduce(lesser);
    case "binary":
      switch (e.operator) {
        case "add": {
          const [a, b] = [of(e.left), of(e.right)];
          return a && b && greater(a, b);
        }
        case "mul":
          return sameValue(e.left, e.right) || (of(e.left) && of(e.right)) ? "not negative" : undefined;
        case "div":
          return of(e.left) && of(e.right) ? "not negative" : undefined;
        default:
          return undefined;
      }
    case "op":
      return ofOp(e, of);
    default:
      return undefined;
  }
}

const lesser = (a: FloatBound, b: FloatBound): FloatBound => a && b && (a === "positive" ? b : a);
const greater = (a: FloatBound, b: FloatBound): FloatBound => (a === "positive" ? a : (b ?? a));

function ofOp(e: OpCall, of: (x: Expr) => FloatBound): FloatBound {
  const [a, b, c] = e.arguments;
  if (resultOf(e.op)?.notNegative) return "not negative";
  switch (e.op) {
    case "geometry.dot":
      return sameValue(a!, b!) ? "not negative" : undefined;
    case "math.fma":
    case "math.fma_open":
    case "math.mad":
      return (sameValue(a!, b!) || (of(a!) && of(b!))) && of(c!) ? greater(of(c!), undefined) : undefined;
    // Of a number and a NaN either may come.
    case "math.max":
    case "math.fmax":
      return greater(of(a!), of(b!));
    case "math.min":
    case "math.fmin":
      return lesser(of(a!), of(b!));
    case "math.clamp":
    case "math.fclamp":
      return lesser(of(b!), of(c!));
    default:
      return undefined;
  }
}

/** A number that the value is not beyond on either side, a NaN aside; Infinity where the expression shows none. */
export function floatMagnitude(e: Expr, valueOf: (local: VarId) => Expr | undefined, depth = 0): number {
  if (depth > longestChain) return Infinity;
  const of = (x: Expr): number => floatMagnitude(x, valueOf, depth + 1);
  const value = literalValue(e);
  if (typeof value === "number" || typeof value === "bigint") return Math.abs(Number(value));
  switch (e.kind) {
    case "load": {
      const held = e.place.kind === "variable" ? valueOf(e.place.variable) : undefined;
      return held ? of(held) : Infinity;
    }
    case "splat":
      return of(e.operand);
    case "unary":
      return e.operator === "negate" ? of(e.operand) : Infinity;
    case "convert": {
      const kind = scalarOf(e.operand.type) ?? "bool";
      if (kind === "bool") return 1;
      return isFloat(kind) ? of(e.operand) * roundedUp : 2 ** (bitWidth(kind) - (kind.startsWith("u") ? 0 : 1));
    }
    case "conditional":
      return Math.max(of(e.whenTrue), of(e.whenFalse));
    case "construct":
      return Math.max(...e.arguments.map(of));
    case "binary":
      return e.operator === "add" || e.operator === "sub"
        ? (of(e.left) + of(e.right)) * roundedUp
        : e.operator === "mul"
          ? of(e.left) * of(e.right) * roundedUp || Infinity
          : Infinity;
    case "op":
      return magnitudeOfOp(e, of);
    default:
      return Infinity;
  }
}

/** What a few roundings may add. */
const roundedUp = 1 + 2 ** -10;
/**
 * What a function's error may add, by Vulkan's table of precision (src/ops/accuracy.ts), which grants the most: to a sine 2^-11, to
 * an atan2 4096 ulp. Of halves a sine has 2^-7, an atan2 5 ulp, and tanh, which inherits those of exponentials, some 46 ulp.
 */
const withinError = (type: Type): number => (scalarOf(type) === "f16" ? 1 + 2 ** -4 : roundedUp);

function magnitudeOfOp(e: OpCall, of: (x: Expr) => number): number {
  const [a, b, c] = e.arguments;
  const { magnitude } = resultOf(e.op) ?? {};
  if (magnitude !== undefined) return magnitude * withinError(e.type);
  if (e.op === "math.abs") return of(a!);
  if (e.op === "math.clamp" || e.op === "math.fclamp") return Math.max(of(b!), of(c!));
  return Infinity;
}

/** Reads of the same, with nothing in between that could change it. */
export function sameValue(a: Expr, b: Expr): boolean {
  if (a.kind === "load" && b.kind === "load") return samePlace(a.place, b.place);
  if (a.kind === "literal" && b.kind === "literal") return Object.is(a.value, b.value);
  if (a.kind === "builtin" && b.kind === "builtin") return a.builtin === b.builtin;
  if (a.kind === "unary" && b.kind === "unary") return a.operator === b.operator && sameValue(a.operand, b.operand);
  if (a.kind === "swizzle-value" && b.kind === "swizzle-value")
    return String(a.components) === String(b.components) && sameValue(a.operand, b.operand);
  if (a.kind === "binary" && b.kind === "binary")
    return a.operator === b.operator && sameValue(a.left, b.left) && sameValue(a.right, b.right);
  return false;
}

function samePlace(a: Place, b: Place): boolean {
  if (a.kind === "variable" && b.kind === "variable") return a.variable === b.variable;
  if (a.kind === "member" && b.kind === "member") return a.member === b.member && samePlace(a.base, b.base);
  if (a.kind === "swizzle" && b.kind === "swizzle")
    return String(a.components) === String(b.components) && samePlace(a.base, b.base);
  if (a.kind === "element" && b.kind === "element") return sameValue(a.index, b.index) && samePlace(a.base, b.base);
  return false;
}
