/** Functions of vectors that clang has of its own (Clang Language Extensions, "Vector Builtins" and "Langext builtins"). */
import { binary, construct, convert, opCall, swizzleValue } from "../ast/builders.js";
import type { BinaryOperator, Expr } from "../ast/nodes.js";
import type { OpId } from "../ast/op-ids.js";
import type { Span } from "../support/span.js";
import {
  bitWidth,
  componentCount,
  isFloat,
  isInteger,
  sameType,
  scalarOf,
  shaped,
  type ScalarKind,
  type Type,
} from "../types/types.js";
import { callBuiltin } from "./builtin-calls.js";
import { evaluate } from "./constants.js";
import { error, exprValue, notYet, shown, type Sema, type Value } from "./context.js";
import { after, held } from "./held-values.js";
import { read } from "./convert.js";

/** By the name behind `__builtin_elementwise_`: the library's functions of floats, which have the languages' own names. */
const ofFloats: ReadonlyMap<string, string> = new Map([
  ["abs", "fabs"],
  ["max", "fmax"],
  ["min", "fmin"],
  ["roundeven", "rint"],
  ["nearbyint", "rint"],
  ...[
    ...[
      "acos",
      "asin",
      "atan",
      "ceil",
      "copysign",
      "cos",
      "cosh",
      "exp",
      "exp2",
      "floor",
      "fma",
      "log",
      "log10",
      "log2",
    ],
    ...["pow", "rint", "round", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"],
  ].map((name) => [name, name] as const),
]);
const ofIntegers: ReadonlyMap<string, string | { readonly op: OpId }> = new Map<string, string | { readonly op: OpId }>(
  [
    ["abs", "abs"],
    ["max", "max"],
    ["min", "min"],
    ["add_sat", { op: "bits.add_sat" }],
    ["sub_sat", { op: "bits.sub_sat" }],
    ["bitreverse", { op: "bits.reverse" }],
    ["popcount", { op: "bits.bit_count" }],
  ],
);

export function vectorCall(s: Sema, name: string, values: readonly Value[], span: Span): Value | undefined | "none" {
  const is = /^__builtin_(elementwise|reduce)_(\w+)$/.exec(name);
  if (is)
    return is[1] === "reduce" ? reduced(s, name, is[2]!, values, span) : elementwise(s, name, is[2]!, values, span);
  return name === "__builtin_shufflevector" ? shuffled(s, values, span) : "none";
}

/** All arguments have one type, and no conversion makes it so. */
function elementwise(
  s: Sema,
  name: string,
  called: string,
  values: readonly Value[],
  span: Span,
): Value | undefined | "none" {
  const [type] = values.map((v) => v.type);
  const kind = type && scalarOf(type);
  if (!kind || componentCount(type) === undefined) return "none";
  const known = (isFloat(kind) ? ofFloats : ofIntegers).get(called);
  if (known === undefined) return "none";
  if (!values.every((v) => sameType(v.type, type)))
    return error(s, "XL2005", `the arguments of ${name} have one type, these are ${listed(s, values)}`, span);
  const made =
    typeof known === "string" ? callBuiltin(s, known, values, [], span, span, false) : ofOp(s, known.op, values, span);
  if (made === "none" || !made?.expr) return made;
  // OpenCL C's `abs` is unsigned.
  return exprValue(convert(made.expr, type, true, span));
}

const listed = (s: Sema, values: readonly Value[]): string => values.map((v) => shown(s, v.type)).join(" and ");

function ofOp(s: Sema, op: OpId, values: readonly Value[], span: Span): Value | undefined {
  const args = values.map((v) => read(s, v, span));
  return args.every((a) => a !== undefined) ? exprValue(opCall(op, args, args[0]!.type, span)) : undefined;
}

const joined: Readonly<Record<string, BinaryOperator>> = { add: "add", mul: "mul", and: "and", or: "or", xor: "xor" };

/** Of the components, one by one: of integers the order does not matter, nor does it for the larger and the smaller. */
function reduced(
  s: Sema,
  name: string,
  called: string,
  values: readonly Value[],
  span: Span,
): Value | undefined | "none" {
  const [only] = values;
  const kind = only && scalarOf(only.type);
  if (values.length !== 1 || only?.type.kind !== "vector" || !kind) return "none";
  const operator = joined[called];
  const chosen = called === "max" || called === "min" ? called : undefined;
  if (!operator && !chosen) return "none";
  if (operator && isFloat(kind))
    return error(s, "XL2005", `${name} takes a vector of integers, this is ${shown(s, only.type)}`, span);
  const vector = read(s, only, span);
  if (!vector) return undefined;
  const {
    first,
    values: [whole],
  } = held(s, [vector], span);
  const parts = Array.from({ length: only.type.size }, (_, i) => component(whole!, i, span));
  let sum: Expr = parts[0]!;
  for (const part of parts.slice(1)) {
    if (operator) sum = binary(operator, sum, part, span);
    else {
      const both = [sum, part].map((e) => exprValue(e));
      const made = callBuiltin(s, isFloat(kind) ? `f${chosen!}` : chosen!, both, [], span, span, false);
      if (made === "none" || !made?.expr) return made;
      sum = made.expr;
    }
  }
  return exprValue(after(first, sum, span));
}

const component = (vector: Expr, index: number, span: Span): Expr => swizzleValue(vector, [index], span);

/** Components of two vectors by constants, the second's behind the first's; -1 is one of which nothing is said. */
function shuffled(s: Sema, values: readonly Value[], span: Span): Value | undefined {
  const [a, b, ...chosen] = values;
  const type = a?.type;
  if (a && b && chosen.length === 0) return byMask(s, a, b, span);
  if (!a || !b)
    return error(s, "XL2005", "__builtin_shufflevector takes a vector and its mask, or two and indices", span);
  if (type?.kind !== "vector" || !sameType(type, b.type))
    return error(s, "XL2005", `__builtin_shufflevector takes two vectors of one type, not ${listed(s, [a, b])}`, span);
  const indices: number[] = [];
  for (const v of chosen) {
    const e = read(s, v, span);
    const index = e && evaluate(s, e);
    if (!e) return undefined;
    if (typeof index !== "bigint" || index < -1n || index >= 2n * BigInt(type.size))
      return error(
        s,
        "XL2007",
        `indices of __builtin_shufflevector are constants from -1 to ${2 * type.size - 1}`,
        span,
      );
    indices.push(Math.max(0, Number(index)));
  }
  if (![2, 3, 4, 8, 16].includes(indices.length))
    return notYet(s, `'__builtin_shufflevector' that gives ${indices.length} components is`, span);
  const vectors = [a, b].map((v) => read(s, v, span));
  if (!vectors.every((v) => v !== undefined)) return undefined;
  const { first, values: held2 } = held(s, vectors, span);
  return exprValue(after(first, chosenOf(held2 as [Expr, Expr], type, indices, span), span));
}

/** The components that a vector of as many integers chooses, of which the lowest bits count (clang-19): the library's shuffle. */
function byMask(s: Sema, of: Value, mask: Value, span: Span): Value | undefined {
  const [type, by] = [of.type, mask.type];
  if (type.kind !== "vector" || by.kind !== "vector" || by.size !== type.size || !isInteger(by.scalar))
    return error(
      s,
      "XL2005",
      `__builtin_shufflevector takes a vector and as many integers, not ${listed(s, [of, mask])}`,
      span,
    );
  const given = read(s, mask, span);
  if (!given) return undefined;
  const own = shaped(`u${bitWidth(type.scalar)}` as ScalarKind, type.size);
  const made = callBuiltin(s, "shuffle", [of, exprValue(convert(given, own, true, span))], [], span, span, false);
  return made === "none" ? notYet(s, `'__builtin_shufflevector' of ${listed(s, [of, mask])} is`, span) : made;
}

function chosenOf(
  [a, b]: readonly [Expr, Expr],
  type: Type & { kind: "vector" },
  indices: readonly number[],
  span: Span,
): Expr {
  if (indices.every((i) => i < type.size)) return swizzleValue(a, indices, span);
  if (indices.every((i) => i >= type.size))
    return swizzleValue(
      b,
      indices.map((i) => i - type.size),
      span,
    );
  const parts = indices.map((i) => (i < type.size ? component(a, i, span) : component(b, i - type.size, span)));
  return construct(shaped(type.scalar, indices.length), parts, span);
}
