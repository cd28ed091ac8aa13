/** Operands of operators as values, and the message where an operator does not take them. */
import type { Expr } from "../ast/nodes.js";
import type { Span } from "../support/span.js";
import { error, type Sema, type Value } from "./context.js";
import { showGiven, type Given } from "./open-literals.js";

export const asExpr = (v: Value, e: Expr): Value => ({
  type: e.type,
  expr: e,
  ...(v.literal ? { literal: true } : {}),
});

export function mismatch(s: Sema, operator: string, l: Given, r: Given, span: Span, why?: string): undefined {
  return error(
    s,
    "XL2004",
    `'${operator}' does not take ${showGiven(s, l)} and ${showGiven(s, r)}${why ? `: ${why}` : ""}`,
    span,
  );
}
