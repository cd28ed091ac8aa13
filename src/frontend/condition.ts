/** The value of the expression after `#if`, in 64-bit integers as in C (intmax_t, uintmax_t). */
import { binaryConstant, wrap } from "../ast/constant-values.js";
import type { BinaryOperator } from "../ast/nodes.js";
import { binaryPrecedence } from "../ast/operators.js";
import { assertNever } from "../support/assert-never.js";
import { parse } from "./generated/preprocessor.js";

type Node =
  | { readonly kind: "number"; readonly digits: string; readonly suffix: string }
  | { readonly kind: "character"; readonly text: string }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "unary"; readonly operator: "-" | "+" | "!" | "~"; readonly operand: Node }
  | { readonly kind: "chain"; readonly first: Node; readonly rest: readonly (readonly [string, Node])[] }
  | {
      readonly kind: "conditional";
      readonly condition: Node;
      readonly whenTrue: Node;
      readonly whenFalse: Node;
    };

interface Value {
  readonly value: bigint;
  readonly unsigned: boolean;
}

/** What is wrong with the condition, for people. */
export class ConditionError extends Error {}

/** Limits of the headers, known to a compiler but not to the preprocessor here: taking them for 0 would be wrong. */
const libraryNames =
  /^(?:U?(?:CHAR|SHRT|INT|LONG|LLONG|SCHAR)_(?:MAX|MIN|BIT)|(?:FLT|DBL|HALF|BFLT)_\w+|M_\w+|INFINITY|NAN|MAXFLOAT|HUGE_VALF?)$/;

/** `nameValue` gives names that are not 0 (true and false in C++). */
export function evaluateCondition(text: string, nameValue: (name: string) => bigint | undefined): boolean {
  let tree: Node;
  try {
    tree = parse(text) as Node;
  } catch (error) {
    if (error instanceof RangeError) throw new ConditionError("the condition is nested too deeply");
    const at = (error as { location?: { start: { offset: number } } }).location?.start.offset;
    if (at === undefined) throw error;
    const rest = text.slice(at).trim();
    if (text.trim() === "") throw new ConditionError("the condition is empty");
    const found = /^(?:\w+|"[^"]*"?|.)/.exec(rest)?.[0];
    const number = /(?:^|[^\w.])((?:\d+\.\d*|\d*\.\d+|\d+[eE][+-]?\d+)\w*)$/.exec(
      text.slice(0, at) + (/^[\w.]+/.exec(rest)?.[0] ?? ""),
    )?.[1];
    if (number !== undefined) throw new ConditionError(`${number} is no whole number, and conditions have no others`);
    throw new ConditionError(found ? `'${found}' cannot stand here in a condition` : "the condition is not complete");
  }
  return evaluate(tree, nameValue, true).value !== 0n;
}

const kindOf = (unsigned: boolean): "u64" | "i64" => (unsigned ? "u64" : "i64");
const wrapped = (value: bigint, unsigned: boolean): Value => ({ value: wrap(kindOf(unsigned), value), unsigned });

const truth = (b: boolean): Value => ({ value: b ? 1n : 0n, unsigned: false });

/** `live`: false where the value does not matter, so that a division by zero is no error there. */
function evaluate(node: Node, nameValue: (name: string) => bigint | undefined, live: boolean): Value {
  switch (node.kind) {
    case "number": {
      const octal = /^0[0-9]+$/.test(node.digits);
      if (octal && /[89]/.test(node.digits)) throw new ConditionError(`'${node.digits}' is not an octal number`);
      const value = BigInt(octal ? `0o${node.digits.slice(1)}` : node.digits);
      if (value >= 1n << 64n) throw new ConditionError(`'${node.digits}' does not fit 64 bits`);
      const decimal = !octal && !/^0[xXbB]/.test(node.digits);
      const unsigned = /u/i.test(node.suffix) || (!decimal && value >= 1n << 63n);
      if (!unsigned && value >= 1n << 63n) throw new ConditionError(`'${node.digits}' does not fit 64 bits`);
      return { value, unsigned };
    }
    case "character":
      return { value: BigInt(characterValue(node.text)), unsigned: false };
    case "name":
      if (libraryNames.test(node.name)) throw new ConditionError(`the value of '${node.name}' is not known here`);
      return { value: nameValue(node.name) ?? 0n, unsigned: false };
    case "unary": {
      const operand = evaluate(node.operand, nameValue, live);
      switch (node.operator) {
        case "-":
          return wrapped(-operand.value, operand.unsigned);
        case "+":
          return operand;
        case "!":
          return truth(operand.value === 0n);
        case "~":
          return wrapped(~operand.value, operand.unsigned);
        default:
          return assertNever(node.operator);
      }
    }
    case "conditional": {
      const condition = evaluate(node.condition, nameValue, live).value !== 0n;
      const whenTrue = evaluate(node.whenTrue, nameValue, live && condition);
      const whenFalse = evaluate(node.whenFalse, nameValue, live && !condition);
      return wrapped((condition ? whenTrue : whenFalse).value, whenTrue.unsigned || whenFalse.unsigned);
    }
    case "chain":
      return climb(
        [node.first, ...node.rest.map(([, operand]) => operand)],
        node.rest.map(([operator]) => operator),
        nameValue,
        live,
      );
    default:
      return assertNever(node);
  }
}

function climb(
  operands: readonly Node[],
  operators: readonly string[],
  nameValue: (name: string) => bigint | undefined,
  live: boolean,
): Value {
  let at = 0;
  const parseLevel = (minimum: number, alive: boolean): Value => {
    let left = evaluate(operands[at]!, nameValue, alive);
    while (at < operators.length && binaryPrecedence[operators[at]!]! >= minimum) {
      const operator = operators[at]!;
      at++;
      const rightAlive =
        alive && !(operator === "&&" && left.value === 0n) && !(operator === "||" && left.value !== 0n);
      const right = parseLevel(binaryPrecedence[operator]! + 1, rightAlive);
      left = apply(operator, left, right, alive);
    }
    return left;
  };
  return parseLevel(1, live);
}

function apply(operator: string, left: Value, right: Value, live: boolean): Value {
  const unsigned = left.unsigned || right.unsigned;
  const a = unsigned ? BigInt.asUintN(64, left.value) : left.value;
  const b = unsigned ? BigInt.asUintN(64, right.value) : right.value;
  switch (operator) {
    case "||":
      return truth(left.value !== 0n || right.value !== 0n);
    case "&&":
      return truth(left.value !== 0n && right.value !== 0n);
    case "<<":
    case ">>":
      if (right.value < 0n || right.value > 63n) {
        if (live) throw new ConditionError(`a shift by ${right.value} has no value`);
        return { value: 0n, unsigned: left.unsigned };
      }
      return computed(operators[operator]!, left.value, right.value, left.unsigned);
    case "/":
    case "%":
      if (b === 0n) {
        if (live) throw new ConditionError("the condition divides by zero");
        return { value: 0n, unsigned };
      }
      break;
  }
  const named = operators[operator];
  if (!named) throw new ConditionError(`'${operator}' cannot stand in a condition`);
  return computed(named, a, b, unsigned);
}

const operators: Readonly<Record<string, BinaryOperator>> = {
  ...{ "|": "or", "^": "xor", "&": "and", "==": "eq", "!=": "ne", "<": "lt", ">": "gt", "<=": "le", ">=": "ge" },
  ...{ "<<": "shl", ">>": "shr", "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem" },
};

function computed(operator: BinaryOperator, a: bigint, b: bigint, unsigned: boolean): Value {
  const value = binaryConstant(operator, a, b, kindOf(unsigned))!;
  return typeof value === "boolean" ? truth(value) : { value: BigInt(value), unsigned };
}

const escapes: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  r: 13,
  "0": 0,
  "\\": 92,
  "'": 39,
  "?": 63,
  '"': 34,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
};

function characterValue(text: string): number {
  if (text[0] !== "\\") return text.codePointAt(0)!;
  const value = escapes[text[1]!];
  if (value === undefined) throw new ConditionError(`'\\${text[1]}' is no character`);
  return value;
}
