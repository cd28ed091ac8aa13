/** Short forms for the `tree` expansions of rows: canonical expressions over pure operands. */
import {
  binary,
  bitcast,
  conditional,
  constantOf,
  construct,
  convert,
  elementValue,
  literal,
  opCall,
  splat,
  swizzleValue,
  unary,
} from "../ast/builders.js";
import type { BinaryOperator, Expr, OpId } from "../ast/nodes.js";
import { opId } from "../ast/op-ids.js";
import type { scalar } from "../types/types.js";
import { roundFloat } from "../types/numeric.js";
import { bitWidth, bool, componentsOf, isFloat, scalarOf, shaped, type ScalarKind, type Type } from "../types/types.js";

export const op = (id: OpId, type: Type, ...args: Expr[]): Expr => opCall(id, args, type);
/** An op whose result has the type of its first operand. */
export const same = (id: OpId, ...args: Expr[]): Expr => opCall(id, args, args[0]!.type);
/** A math function by its short name, of the type of its first operand. */
export const math = (name: string, ...args: Expr[]): Expr => same(opId(`math.${name}`), ...args);
export const bin = (operator: BinaryOperator, a: Expr, b: Expr): Expr => binary(operator, a, fit(b, a.type));
export const add = (a: Expr, b: Expr): Expr => bin("add", a, b);
export const sub = (a: Expr, b: Expr): Expr => bin("sub", a, b);
export const mul = (a: Expr, b: Expr): Expr => bin("mul", a, b);
export const div = (a: Expr, b: Expr): Expr => bin("div", a, b);
export const and = (a: Expr, b: Expr): Expr => bin("and", a, b);
export const or = (a: Expr, b: Expr): Expr => bin("or", a, b);
export const negate = (a: Expr): Expr => unary("negate", a);
export const complement = (a: Expr): Expr => unary("complement", a);
/** A constant of the type (all components). */
export const k = (type: Type, value: number | bigint): Expr => {
  const kind = scalarOf(type);
  // A literal holds a value of its type.
  return constantOf(
    type,
    typeof value === "number" && kind !== undefined && isFloat(kind) ? roundFloat(kind, value) : value,
  );
};
/** A NaN of the type, by its bits: GLSL has no other way to write it. */
export const nan = (type: Type): Expr =>
  scalarOf(type) === "f32" ? bitcast(k(withScalar("u32", type), 0x7fc00000), type) : k(type, NaN);
export const infinity = (type: Type): Expr =>
  scalarOf(type) === "f32" ? bitcast(k(withScalar("u32", type), 0x7f800000), type) : k(type, Infinity);
/** A scalar spread over a vector, where the type is one. */
export const fit = (e: Expr, type: Type): Expr =>
  e.type.kind === "scalar" && type.kind === "vector" ? splat(e, type) : e;
export const boolShape = (type: Type): Type => shaped("bool", componentsOf(type));
export const withScalar = (kind: Parameters<typeof scalar>[0], type: Type): Type => shaped(kind, componentsOf(type));
/** Componentwise `condition ? whenTrue : whenFalse`; of scalars the lazy form, so operands must be free of effects. */
export const select = (condition: Expr, whenTrue: Expr, whenFalse: Expr): Expr =>
  condition.type.kind === "scalar" && whenTrue.type.kind === "scalar"
    ? conditional(condition, whenTrue, whenFalse)
    : opCall("select.componentwise", [condition, whenTrue, whenFalse], whenTrue.type);
/** Componentwise; a number stands for a constant of the other's type. */
export const compare = (operator: "gt" | "lt" | "ge" | "le" | "eq" | "ne", a: Expr, b: Expr | number): Expr => ({
  kind: "binary",
  operator,
  left: a,
  right: typeof b === "number" ? k(a.type, b) : b,
  type: boolShape(a.type),
  span: a.span,
});
export const test = (id: OpId, x: Expr): Expr => opCall(id, [x], boolShape(x.type));
export const to = (kind: Parameters<typeof scalar>[0], e: Expr): Expr => convert(e, withScalar(kind, e.type));

/** Components of a value; a scalar has one. */
export function components(e: Expr): Expr[] {
  const count = componentsOf(e.type);
  if (e.type.kind !== "vector") return [e];
  return Array.from({ length: count }, (_, i) => swizzleValue(e, [i]));
}
/** `f` on each component, put together again. */
export function componentwise(type: Type, args: readonly Expr[], f: (...parts: Expr[]) => Expr): Expr {
  if (type.kind !== "vector") return f(...args);
  const parts = Array.from({ length: type.size }, (_, i) =>
    f(...args.map((a) => (a.type.kind === "vector" ? swizzleValue(a, [i]) : a))),
  );
  return construct(type, parts);
}
export const fold = (parts: readonly Expr[], f: (a: Expr, b: Expr) => Expr): Expr =>
  parts.slice(1).reduce(f, parts[0]!);

/** What a comparison of bits compares: floats as integers, bools as 0 and 1. */
export function bitsOf(x: Expr): Expr {
  const kind = scalarOf(x.type)!;
  // Written out: no dialect but C's converts a bool by itself.
  if (kind === "bool") return convert(x, withScalar("u32", x.type), true);
  return isFloat(kind) ? bitcast(x, withScalar(`u${bitWidth(kind)}` as ScalarKind, x.type)) : x;
}

export { bool, elementValue, literal };
