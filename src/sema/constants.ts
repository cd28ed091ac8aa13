/** Constant expressions of the canonical tree, in the exact arithmetic of their types. */
import type { BinaryOperator, Expr } from "../ast/nodes.js";
import { bitWidth, isFloat, isSigned, type ScalarKind } from "../types/types.js";
import type { Sema } from "./context.js";
import { roundToHalf } from "./literals.js";

/** Integers as bigint, floats as number. */
export type Constant = bigint | number | boolean;

export function wrap(kind: ScalarKind, value: bigint): bigint {
  return isSigned(kind) ? BigInt.asIntN(bitWidth(kind), value) : BigInt.asUintN(bitWidth(kind), value);
}

export function roundTo(kind: ScalarKind, value: number): number {
  return kind === "f16" ? roundToHalf(value) : kind === "f32" ? Math.fround(value) : value;
}

export function convertConstant(value: Constant, to: ScalarKind): Constant | undefined {
  if (to === "bool") return typeof value === "boolean" ? value : value != 0; // eslint-disable-line eqeqeq
  if (isFloat(to)) return roundTo(to, Number(value));
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return undefined;
    const truncated = BigInt(Math.trunc(value));
    // Out of range is undefined in the dialects: no constant then.
    return wrap(to, truncated) === truncated ? truncated : undefined;
  }
  return wrap(to, BigInt(value));
}

/** The value of a scalar constant expression, or undefined. `s` gives access to named constants. */
export function evaluate(s: Pick<Sema, "constants" | "localSize">, e: Expr): Constant | undefined {
  switch (e.kind) {
    case "literal":
      return typeof e.value === "boolean" || isFloat(e.type.scalar) ? e.value : BigInt(e.value);
    case "enumerator":
      return BigInt(e.value);
    case "load": {
      if (e.place.kind === "swizzle" && e.place.components.length === 1)
        return componentOf(
          s,
          { kind: "load", place: e.place.base, type: e.place.base.type, span: e.span },
          e.place.components[0]!,
        );
      if (e.place.kind !== "variable") return undefined;
      const initializer = s.constants.get(e.place.variable);
      return initializer && evaluate(s, initializer);
    }
    case "swizzle-value": {
      // GLSL's gl_WorkGroupSize is a constant once the size is declared.
      if (e.components.length !== 1) return undefined;
      if (e.operand.kind !== "builtin" || e.operand.builtin !== "workgroup_size")
        return componentOf(s, e.operand, e.components[0]!);
      const { size, ids, span } = s.localSize;
      const at = e.components[0]!;
      return span === undefined || ids[at] !== undefined ? undefined : BigInt(size[at] ?? 1);
    }
    case "unary": {
      const x = evaluate(s, e.operand);
      if (x === undefined || e.type.kind !== "scalar") return undefined;
      const kind = e.type.scalar;
      switch (e.operator) {
        case "plus":
          return x;
        case "not":
          return !x;
        case "negate":
          return typeof x === "number" ? -x : wrap(kind, -BigInt(x));
        case "complement":
          return typeof x === "number" ? undefined : wrap(kind, ~BigInt(x));
      }
      return undefined;
    }
    case "convert": {
      const x = evaluate(s, e.operand);
      return x === undefined || e.type.kind !== "scalar" ? undefined : convertConstant(x, e.type.scalar);
    }
    case "logical": {
      const x = evaluate(s, e.left);
      if (x === undefined) return undefined;
      if (e.operator === "and" ? !x : !!x) return Boolean(x);
      const y = evaluate(s, e.right);
      return y === undefined ? undefined : Boolean(y);
    }
    case "conditional": {
      const c = evaluate(s, e.condition);
      return c === undefined ? undefined : evaluate(s, c ? e.whenTrue : e.whenFalse);
    }
    case "binary": {
      const x = evaluate(s, e.left);
      const y = evaluate(s, e.right);
      if (x === undefined || y === undefined || e.left.type.kind !== "scalar") return undefined;
      return binaryConstant(e.operator, x, y, e.left.type.scalar);
    }
    default:
      return undefined;
  }
}

/** One component of a constant vector that is made of scalars, or of one scalar. */
function componentOf(s: Pick<Sema, "constants" | "localSize">, e: Expr, at: number): Constant | undefined {
  switch (e.kind) {
    case "load": {
      if (e.place.kind !== "variable") return undefined;
      const initializer = s.constants.get(e.place.variable);
      return initializer && componentOf(s, initializer, at);
    }
    case "splat":
      return evaluate(s, e.operand);
    case "construct":
      if (e.type.kind !== "vector" || !e.arguments.every((a) => a.type.kind === "scalar")) return undefined;
      return e.arguments[at] && evaluate(s, e.arguments[at]);
    case "swizzle-value":
      return componentOf(s, e.operand, e.components[at]!);
    default:
      return undefined;
  }
}

function binaryConstant(
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
    return exact === undefined ? undefined : roundTo(kind, exact);
  }
  if (typeof x === "boolean" || typeof y === "boolean") {
    if (typeof x !== "boolean" || typeof y !== "boolean") return undefined;
    return operator === "and"
      ? x && y
      : operator === "or"
        ? x || y
        : operator === "xor"
          ? x !== y
          : undefined;
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

/** A constant as a literal node holds it. */
export const literalForm = (value: Constant): number | bigint | boolean =>
  typeof value === "bigint" && value >= -(2n ** 53n) && value <= 2n ** 53n ? Number(value) : value;
