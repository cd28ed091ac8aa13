/**
 * Precedences of the C family, the same in MSL, GLSL, OpenCL C and HLSL: higher binds tighter. Parsers climb with this
 * table and printers place parentheses by it.
 */
import type { BinaryOperator } from "./nodes.js";

export const precedence = {
  comma: 1,
  assignment: 2,
  conditional: 3,
  logicalOr: 4,
  logicalXor: 5,
  logicalAnd: 6,
  bitOr: 7,
  bitXor: 8,
  bitAnd: 9,
  equality: 10,
  relational: 11,
  shift: 12,
  additive: 13,
  multiplicative: 14,
  unary: 15,
  postfix: 16,
  primary: 17,
} as const;

/** Binary operator tokens (assignment, `?:` and the comma apart), all left-associative. `^^` is GLSL's. */
export const binaryPrecedence: Readonly<Record<string, number>> = {
  "||": precedence.logicalOr,
  "^^": precedence.logicalXor,
  "&&": precedence.logicalAnd,
  "|": precedence.bitOr,
  "^": precedence.bitXor,
  "&": precedence.bitAnd,
  "==": precedence.equality,
  "!=": precedence.equality,
  "<": precedence.relational,
  "<=": precedence.relational,
  ">": precedence.relational,
  ">=": precedence.relational,
  "<<": precedence.shift,
  ">>": precedence.shift,
  "+": precedence.additive,
  "-": precedence.additive,
  "*": precedence.multiplicative,
  "/": precedence.multiplicative,
  "%": precedence.multiplicative,
};

/** Spelling of the canonical binary operators. */
export const operatorToken: Readonly<Record<BinaryOperator, string>> = {
  add: "+",
  sub: "-",
  mul: "*",
  div: "/",
  rem: "%",
  shl: "<<",
  shr: ">>",
  and: "&",
  or: "|",
  xor: "^",
  eq: "==",
  ne: "!=",
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
};

/** The canonical operator of a token, `+=` without its `=`; undefined for the lazy ones. */
export const operatorOfToken: Readonly<Record<string, BinaryOperator | undefined>> = Object.fromEntries(
  (Object.entries(operatorToken) as [BinaryOperator, string][]).map(([operator, token]) => [token, operator]),
);
