/**
 * HLSL before 202x computes numbers without a type in 64 bits, from 202x on as int. Where a text may mean both, they have to
 * be the same: no part of it may be beyond an int. Here is what such a text can be.
 */
import type { BinaryOperator, Unary } from "../../src/ast/nodes.js";
import { isComparison } from "../../src/ast/builders.js";
import type { OpenRange } from "./syntax.js";
import type { Expr } from "./tree.js";

const within = (values: readonly bigint[]): OpenRange | undefined => {
  const low = values.reduce((a, b) => (b < a ? b : a));
  const high = values.reduce((a, b) => (b > a ? b : a));
  return low >= -(1n << 31n) && high < 1n << 31n ? { low, high } : undefined;
};

export const openNumber = (value: number | bigint): OpenRange | undefined => within([BigInt(value)]);

export function openUnary(operator: Unary["operator"], x: OpenRange): OpenRange | undefined {
  switch (operator) {
    case "negate":
      return within([-x.low, -x.high]);
    case "complement":
      return within([~x.low, ~x.high]);
    case "plus":
      return x;
    default:
      return undefined;
  }
}

const operations: Partial<Record<BinaryOperator, (x: bigint, y: bigint) => bigint | undefined>> = {
  add: (x, y) => x + y,
  sub: (x, y) => x - y,
  mul: (x, y) => x * y,
};
/** Of single values only: these are not bounded by what they make of the bounds. */
const exact: Partial<Record<BinaryOperator, (x: bigint, y: bigint) => bigint | undefined>> = {
  div: (x, y) => (y === 0n ? undefined : x / y),
  rem: (x, y) => (y === 0n ? undefined : x % y),
  and: (x, y) => x & y,
  or: (x, y) => x | y,
  xor: (x, y) => x ^ y,
  shl: (x, y) => (y < 0n || y > 31n ? undefined : x << y),
  shr: (x, y) => (y < 0n || y > 31n ? undefined : x >> y),
};

export function openBinary(operator: BinaryOperator, x: OpenRange, y: OpenRange): OpenRange | undefined {
  const f = operations[operator] ?? (x.low === x.high && y.low === y.high ? exact[operator] : undefined);
  if (!f) return undefined;
  const values = [x.low, x.high].flatMap((a) => [y.low, y.high].map((b) => f(a, b)));
  return values.every((v) => v !== undefined) ? within(values) : undefined;
}

export const openChoice = (x: OpenRange, y: OpenRange): OpenRange | undefined => within([x.low, x.high, y.low, y.high]);

/** Of a macro's body: what is written there from ints alone. */
export function openExpression(e: Expr): OpenRange | undefined {
  if (e.kind === "literal")
    return e.type.scalar === "i32" && typeof e.value !== "boolean" ? openNumber(e.value) : undefined;
  if (e.kind === "unary") {
    const x = openExpression(e.operand);
    return x && openUnary(e.operator, x);
  }
  if (e.kind !== "binary" || isComparison(e.operator)) return undefined;
  const [x, y] = [openExpression(e.left), openExpression(e.right)];
  return x && y && openBinary(e.operator, x, y);
}
