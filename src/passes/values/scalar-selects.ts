/**
 * A function that selects one of two numbers is `c ? a : b`, which says the same wherever neither value has an effect or
 * needs other lanes. To its own dialect it stays as the source has it.
 */
import { isOwnText } from "../../ast/lookup.js";
import { conditional } from "../../ast/builders.js";
import type { Expr } from "../../ast/nodes.js";
import { isPure, rewriteModule, walkExpr } from "../../ast/walk.js";
import { row } from "../../ops/table.js";
import type { Pass } from "../pass.js";

/** It is the same whether or not it is evaluated. */
function isLazy(e: Expr): boolean {
  let together = false;
  walkExpr(e, { expr: (x) => void (together ||= x.kind === "op" && row(x.op).effect === "crosslane") });
  return !together && isPure(e);
}

export const scalarSelects: Pass = {
  name: "scalar-selects",
  run: (module, { target }) => (isOwnText(module, target) ? module : rewriteModule(module, { expr: asConditional })),
};

function asConditional(e: Expr): Expr {
  if (e.kind !== "op" || e.op !== "select.componentwise") return e;
  const [condition, whenTrue, whenFalse] = e.arguments;
  if (condition!.type.kind !== "scalar" || !isLazy(whenTrue!) || !isLazy(whenFalse!)) return e;
  return conditional(condition!, whenTrue!, whenFalse!, e.span);
}
