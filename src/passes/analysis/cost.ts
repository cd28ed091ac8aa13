/** What an emulation costs: what a reader of a report wants to know before the details. */
import type { Cost } from "../../ast/legal.js";
import type { Expr, FunctionDeclaration, FunctionId, Statement } from "../../ast/nodes.js";
import { walkExpr, walkStatement, type Visitor } from "../../ast/walk.js";

const order: readonly Cost[] = ["native", "composed", "loop", "workgroup-memory", "refused"];

export const heavier = (a: Cost, b: Cost): Cost => (order.indexOf(a) > order.indexOf(b) ? a : b);

/** The class of what a lowering made, helper functions it calls included. */
export function costOf(
  made: { readonly before: readonly Statement[]; readonly value: Expr | undefined },
  helper: (id: FunctionId) => FunctionDeclaration | undefined,
): Cost {
  let cost: Cost = "composed";
  const seen = new Set<FunctionId>();
  const visitor: Visitor = {
    statement(s) {
      if (s.kind === "for" || s.kind === "while" || s.kind === "do-while") cost = heavier(cost, "loop");
      if (s.kind === "barrier" && s.barrier.execution === "workgroup") cost = heavier(cost, "workgroup-memory");
    },
    expr(e) {
      if (e.kind !== "call" || seen.has(e.function)) return;
      seen.add(e.function);
      const f = helper(e.function);
      if (f) walkStatement(f.body, visitor);
    },
  };
  for (const s of made.before) walkStatement(s, visitor);
  if (made.value) walkExpr(made.value, visitor);
  return cost;
}

/** How a report says it after the name of the lowering. */
export const costWords: Readonly<Record<Cost, string>> = {
  native: "",
  composed: "",
  loop: ", a loop",
  "workgroup-memory": ", through workgroup memory",
  refused: "",
};
