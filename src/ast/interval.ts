/**
 * Bounds of integers and what operators make of them, exactly: nothing wraps here. Whoever follows values (ranges of the legal tree,
 * numbers without a type, sizes that become 32-bit, addresses of the engine) knows of them in this form.
 */
import { integerRange } from "../types/numeric.js";
import type { ScalarKind } from "../types/types.js";
import type { BinaryOperator } from "./nodes.js";

export interface Interval {
  readonly low: bigint;
  readonly high: bigint;
}

/** All values of an integer type, or of `bool` as a number. */
export function intervalOfKind(kind: ScalarKind): Interval {
  if (kind === "bool") return { low: 0n, high: 1n };
  const { min, max } = integerRange(kind);
  return { low: min, high: max };
}

/** The least interval that holds these values. */
export const intervalOf = (first: bigint, ...rest: readonly bigint[]): Interval => ({
  low: rest.reduce((a, b) => (b < a ? b : a), first),
  high: rest.reduce((a, b) => (b > a ? b : a), first),
});

export const within = (a: Interval, b: Interval): boolean => a.low >= b.low && a.high <= b.high;
export const hull = (a: Interval, b: Interval): Interval => intervalOf(a.low, a.high, b.low, b.high);
export const negated = (a: Interval): Interval => ({ low: -a.high, high: -a.low });
/** Of `~x`, in any width that holds x with its sign. */
export const complemented = (a: Interval): Interval => ({ low: ~a.high, high: ~a.low });

/** Of a divisor that is none of the negative numbers: no value comes of dividing by zero. */
export const asDivisor = (a: Interval): Interval => (a.low === 0n && a.high > 0n ? { low: 1n, high: a.high } : a);

const magnitude = (x: bigint): bigint => (x < 0n ? -x : x);
const lesser = (x: bigint, y: bigint): bigint => (x < y ? x : y);
const bitsUpTo = ({ high: x }: Interval, { high: y }: Interval): bigint =>
  (1n << BigInt((x < y ? y : x).toString(2).length)) - 1n;

/** Whether it is a count that shifts of every width from 32 bits take as it is. */
export const isShiftCount = (a: Interval): boolean => a.low >= 0n && a.high < 32n;

/** Bounds of the exact result; undefined where the operands' bounds show none, or for some of them there is no result. */
export function intervalOfOperator(operator: BinaryOperator, a: Interval, b: Interval): Interval | undefined {
  const over = (f: (x: bigint, y: bigint) => bigint): Interval =>
    intervalOf(f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high));
  const divides = b.low > 0n || b.high < 0n;
  switch (operator) {
    case "add":
      return over((x, y) => x + y);
    case "sub":
      return over((x, y) => x - y);
    case "mul":
      return over((x, y) => x * y);
    case "div":
      return divides ? over((x, y) => x / y) : undefined;
    case "rem": {
      if (!divides) return undefined;
      // With the sign of the dividend.
      const most = intervalOf(magnitude(b.low), magnitude(b.high)).high - 1n;
      return { low: a.low < 0n ? -lesser(-a.low, most) : 0n, high: a.high > 0n ? lesser(a.high, most) : 0n };
    }
    case "shl":
      return isShiftCount(b) ? over((x, y) => x << y) : undefined;
    case "shr":
      return isShiftCount(b) ? over((x, y) => x >> y) : undefined;
    case "and":
      if (a.low >= 0n && b.low >= 0n) return { low: 0n, high: lesser(a.high, b.high) };
      if (b.low >= 0n) return { low: 0n, high: b.high };
      return a.low >= 0n ? { low: 0n, high: a.high } : undefined;
    case "or":
    case "xor":
      return a.low >= 0n && b.low >= 0n ? { low: 0n, high: bitsUpTo(a, b) } : undefined;
    case "eq":
    case "ne":
    case "lt":
    case "le":
    case "gt":
    case "ge":
      return { low: 0n, high: 1n };
  }
}
