/**
 * What a kernel may compute, too: its dialect leaves the last digits of many functions open, and whether a product and a sum
 * are rounded once or twice. Each variant of a module takes one such freedom, and the results of all of them together show
 * how far those of another implementation may lie from the kernel's own.
 */
import { assign, binary, load, opCall } from "../../ast/builders.js";
import type { Expr, Module, OpId } from "../../ast/nodes.js";
import { placeIsPure, rewriteModule } from "../../ast/walk.js";
import type { Dialect } from "../../dialects/ids.js";
import { accuracyOf } from "../../ops/accuracy.js";
import { k, mul } from "../../ops/trees.js";
import { isFloat, scalarOf, type ScalarKind, type Type } from "../../types/types.js";

export interface Freedom {
  /** The ops whose accuracy counts; all of them where absent. */
  readonly ops?: ReadonlySet<string>;
  /** Whose bounds they keep. */
  readonly dialects: readonly Dialect[];
  /** Sums of products may be rounded once. */
  readonly contraction: boolean;
}

const epsilon: Partial<Record<ScalarKind, number>> = { f32: 2 ** -23, f16: 2 ** -10, f64: 2 ** -52 };
const isFloatType = (t: Type): boolean => {
  const kind = scalarOf(t);
  return kind !== undefined && isFloat(kind) && t.kind !== "matrix";
};

/** Which way each place of the text goes: all up, all down, or as a hash of place and number says. */
type Lean = (e: Expr) => 1 | -1;
const leans: readonly Lean[] = [
  () => 1,
  () => -1,
  ...[1, 2, 3].map(
    (n): Lean =>
      (e) =>
        ((Math.imul(e.span.start + 1, 0x9e3779b1) ^ Math.imul(n, 0x85ebca6b)) >>> (n + 7)) & 1 ? 1 : -1,
  ),
];

/** The variants, none where nothing is open. `uses` are the ops that were found open. */
export function openVariants(
  module: Module<"canonical">,
  freedom: Freedom,
): { readonly variants: readonly Module<"canonical">[]; readonly uses: ReadonlySet<string> } {
  const uses = new Set<string>();
  const variants: Module<"canonical">[] = [];
  const add = (expr: (e: Expr) => Expr): void => {
    const made = rewriteModule(module, { expr });
    if (made !== module) variants.push(made);
  };
  const bound = (op: OpId): number | undefined => {
    if (freedom.ops && !freedom.ops.has(op)) return undefined;
    const bounds = freedom.dialects.flatMap((d) => accuracyOf(op, d) ?? []);
    return bounds.length > 0 ? Math.max(...bounds) : undefined;
  };
  const open = (e: Expr): number | undefined => {
    if (!isFloatType(e.type)) return undefined;
    if (e.kind === "binary" && e.operator === "div") return bound("math.divide");
    return e.kind === "op" && e.places.length === 0 ? bound(e.op) : undefined;
  };
  for (const lean of leans) {
    add((e) => {
      const ulp = open(e);
      if (ulp === undefined) return e;
      uses.add(e.kind === "op" ? e.op : "math.divide");
      return mul(e, k(e.type, 1 + lean(e) * ulp * epsilon[scalarOf(e.type)!]!));
    });
  }
  if (!freedom.ops || freedom.ops.has("math.fma"))
    add((e) => {
      if (e.kind !== "op" || e.op !== "math.fma") return e;
      uses.add("math.fma");
      return binary("add", mul(e.arguments[0]!, e.arguments[1]!), e.arguments[2]!, e.span);
    });
  if (freedom.contraction && module.contraction === "allowed") {
    for (const rightFirst of [false, true]) add((e) => fused(e, rightFirst, uses));
  }
  return { variants, uses };
}

/** `a * b + c` rounded once. */
function fused(e: Expr, rightFirst: boolean, uses: Set<string>): Expr {
  if (!isFloatType(e.type)) return e;
  const product = (x: Expr): (Expr & { kind: "binary" }) | undefined =>
    x.kind === "binary" &&
    x.operator === "mul" &&
    x.left.type.kind !== "matrix" &&
    x.right.type.kind !== "matrix" &&
    isFloatType(x.type)
      ? x
      : undefined;
  const negated = (x: Expr): Expr => ({ kind: "unary", operator: "negate", operand: x, type: x.type, span: x.span });
  const fma = (a: Expr, b: Expr, c: Expr): Expr => {
    uses.add("contraction");
    return opCall("math.fma", [a, b, c], e.type, e.span);
  };
  if (e.kind === "op" && e.op === "math.mad") return fma(e.arguments[0]!, e.arguments[1]!, e.arguments[2]!);
  if (
    e.kind === "assign" &&
    (e.operator === "add" || e.operator === "sub") &&
    placeIsPure(e.target) &&
    (!e.compute || e.compute === e.target.type)
  ) {
    const p = product(e.value);
    return p
      ? assign(e.target, fma(e.operator === "sub" ? negated(p.left) : p.left, p.right, load(e.target, e.span)), e.span)
      : e;
  }
  if (e.kind !== "binary" || (e.operator !== "add" && e.operator !== "sub")) return e;
  const [left, right] = [product(e.left), product(e.right)];
  if (left && !(rightFirst && right))
    return fma(left.left, left.right, e.operator === "sub" ? negated(e.right) : e.right);
  return right ? fma(e.operator === "sub" ? negated(right.left) : right.left, right.right, e.left) : e;
}
