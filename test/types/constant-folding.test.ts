/** The places that fold constants against whole numbers and exact reals: the tree's constants, machine ops, `#if`. */
import { describe, expect, test } from "vitest";
import { binaryConstant, convertConstant, unaryConstant, type Constant } from "../../src/ast/constant-values.js";
import type { BinaryOperator } from "../../src/ast/nodes.js";
import { evaluateCondition } from "../../src/frontend/condition.js";
import { constantOf, operation, conversion } from "../../src/regions/machine.js";
import { bitWidth, isFloat, isSigned, type ScalarKind } from "../../src/types/types.js";
import { random } from "../mutants/mutate.js";

const kinds: readonly ScalarKind[] = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"];
const next = random(20261122);
const word = (): bigint =>
  Array.from({ length: 4 }, () => BigInt(Math.floor(next() * 65536))).reduce((a, b) => (a << 16n) | b);

const least = (k: ScalarKind): bigint => (isSigned(k) ? -(1n << BigInt(bitWidth(k) - 1)) : 0n);
const wrapped = (k: ScalarKind, x: bigint): bigint => {
  const size = 1n << BigInt(bitWidth(k));
  const rest = ((x % size) + size) % size;
  return isSigned(k) && rest >= size / 2n ? rest - size : rest;
};
function operand(k: ScalarKind): bigint {
  const form = Math.floor(next() * 5);
  const power = 1n << BigInt(Math.floor(next() * bitWidth(k)));
  return wrapped(
    k,
    form === 0
      ? least(k)
      : form === 1
        ? BigInt(Math.floor(next() * 5)) - 2n
        : form === 2
          ? power - 1n
          : form === 3
            ? -power
            : word() >> BigInt(Math.floor(next() * 64)),
  );
}

const floorDiv = (a: bigint, b: bigint): bigint => {
  const quotient = a / b;
  return quotient * b !== a && a < 0n !== b < 0n ? quotient - 1n : quotient;
};
const two = (n: bigint): bigint => 2n ** n;
/** Undefined where no dialect has a result. Counts are modulo the width. */
const meanings: Readonly<
  Partial<Record<BinaryOperator, (a: bigint, b: bigint, k: ScalarKind) => bigint | boolean | undefined>>
> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b, k) =>
    b === 0n || (b === -1n && a === least(k))
      ? undefined
      : (a < 0n !== b < 0n ? -1n : 1n) * ((a < 0n ? -a : a) / (b < 0n ? -b : b)),
  rem: (a, b, k) =>
    b === 0n || (b === -1n && a === least(k))
      ? undefined
      : (a < 0n ? -1n : 1n) * ((a < 0n ? -a : a) % (b < 0n ? -b : b)),
  shl: (a, b, k) => a * two(wrapped("u64", b) % BigInt(bitWidth(k))),
  shr: (a, b, k) => floorDiv(a, two(wrapped("u64", b) % BigInt(bitWidth(k)))),
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
};

const expected = (operator: BinaryOperator, a: bigint, b: bigint, k: ScalarKind): Constant | undefined => {
  const value = meanings[operator]!(a, b, k);
  return typeof value === "bigint" ? wrapped(k, value) : value;
};

/** What machine ops fold to, as the tree's constants are. */
function machineValue(
  k: ScalarKind,
  name: string,
  result: ScalarKind,
  ...values: readonly (bigint | number)[]
): Constant | undefined {
  const folded = operation(
    result,
    k,
    name,
    values.map((v) => constantOf(k, v)),
  );
  if (folded.kind !== "constant") return undefined;
  return typeof folded.value === "number" && !isFloat(result) ? BigInt(folded.value) : folded.value;
}

describe.each(kinds)("%s", (k) => {
  const comparison = new Set<string>(["lt", "le", "gt", "ge", "eq", "ne"]);
  test.each(Object.keys(meanings) as BinaryOperator[])("%s", (operator) => {
    for (let i = 0; i < 400; i++) {
      const [a, b] = [operand(k), operand(k)];
      const right = expected(operator, a, b, k);
      const what = `${String(a)} ${operator} ${String(b)}`;
      if (right !== undefined) expect(binaryConstant(operator, a, b, k), what).toBe(right);
      expect(machineValue(k, operator, comparison.has(operator) ? "bool" : k, a, b), what).toBe(right);
    }
  });
  test("unary operators", () => {
    for (let i = 0; i < 400; i++) {
      const a = operand(k);
      expect([unaryConstant("negate", a, k), machineValue(k, "neg", k, a)]).toEqual([wrapped(k, -a), wrapped(k, -a)]);
      expect([unaryConstant("complement", a, k), machineValue(k, "not", k, a)]).toEqual([
        wrapped(k, -a - 1n),
        wrapped(k, -a - 1n),
      ]);
    }
  });
  test.each(kinds)("to %s", (to) => {
    for (let i = 0; i < 200; i++) {
      const a = operand(k);
      expect(convertConstant(a, to), `${String(a)}`).toBe(wrapped(to, a));
      if (to !== k) {
        const folded = conversion(to, k, constantOf(k, a));
        expect(folded.kind === "constant" && BigInt(folded.value), `${String(a)}`).toBe(wrapped(to, a));
      }
    }
  });
  test.each([
    ["f32", 24],
    ["f64", 53],
  ] as const)("to %s, rounded once", (to, digits) => {
    for (let i = 0; i < 400; i++) {
      const near = wrapped(
        k,
        (word() & ~((1n << 40n) - 1n)) | (next() < 0.5 ? 0n : (1n << 39n) + BigInt(Math.floor(next() * 3)) - 1n),
      );
      const a = next() < 0.5 ? operand(k) : near;
      // To nearest even on the digits.
      const size = a < 0n ? -a : a;
      const extra = BigInt(Math.max(0, size.toString(2).length - digits));
      const [whole, rest, half] = [size >> extra, size & ((1n << extra) - 1n), extra === 0n ? 0n : 1n << (extra - 1n)];
      const up = extra > 0n && (rest > half || (rest === half && whole % 2n === 1n));
      const right = Number((whole + (up ? 1n : 0n)) << extra) * (a < 0n ? -1 : 1);
      expect(convertConstant(a, to), String(a)).toBe(right === 0 ? 0 : right);
      const folded = conversion(to, k, constantOf(k, a));
      expect(folded.kind === "constant" && folded.value, String(a)).toBe(right === 0 ? 0 : right);
    }
  });
});

/** A `#if` takes its operands as intmax_t, or uintmax_t where one is unsigned: C99 6.10.1 (4). */
test("#if", () => {
  const symbols: Readonly<Record<string, BinaryOperator>> = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "%": "rem",
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
    "==": "eq",
    "!=": "ne",
  };
  const text = (x: bigint, k: ScalarKind): string =>
    k === "u64" ? `${String(x)}u` : x === least("i64") ? "(-9223372036854775807 - 1)" : `(${String(x)})`;
  for (const k of ["i64", "u64"] as const) {
    for (const [symbol, operator] of Object.entries(symbols)) {
      for (let i = 0; i < 200; i++) {
        const [a, b] = [operand(k), operand(k)];
        const right = expected(operator, a, b, k);
        if (right === undefined) continue;
        const condition =
          typeof right === "boolean"
            ? `(${text(a, k)} ${symbol} ${text(b, k)}) == ${right ? 1 : 0}`
            : `(${text(a, k)} ${symbol} ${text(b, k)}) == ${text(right as bigint, k)}`;
        expect(
          evaluateCondition(condition, () => undefined),
          condition,
        ).toBe(true);
      }
    }
    for (const symbol of ["<<", ">>"]) {
      for (let n = 0n; n < 64n; n += 7n) {
        const a = operand(k);
        const right = wrapped(k, symbol === "<<" ? a * two(n) : floorDiv(a, two(n)));
        expect(
          evaluateCondition(`(${text(a, k)} ${symbol} ${String(n)}) == ${text(right, k)}`, () => undefined),
          `${String(a)} ${symbol} ${String(n)}`,
        ).toBe(true);
      }
    }
  }
  expect(evaluateCondition("-1 < 0u", () => undefined)).toBe(false);
});
