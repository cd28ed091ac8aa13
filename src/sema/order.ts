/** Operands that the tree has in another order than the source. */
import type { Expr, VarId } from "../ast/nodes.js";
import { isPure, walkExpr } from "../ast/walk.js";
import { Effects } from "../ops/effects.js";
import type { Sema } from "./context.js";

/** Whether two expressions may give something else when the second is evaluated first. */
export function orderMatters(s: Sema, a: Expr, b: Expr): boolean {
  if (isPure(a) && isPure(b)) return false;
  const declared = s.functions.flatMap((f) => f.declaration ?? []);
  const effects = new Effects({ functions: declared, variables: s.variables });
  /** A function that is only declared so far may do anything. */
  const open = (e: Expr): boolean => {
    let found = false;
    walkExpr(e, { expr: (x) => void (x.kind === "call" && !declared.some((f) => f.id === x.function) && (found = true)) });
    return found;
  };
  const [does, other] = [a, b].map((e) => !isPure(e) && (open(e) || effects.of(e)));
  if (does === other) return does === true;
  const written = new Set<VarId>();
  walkExpr(does ? a : b, { place: (p, use) => void (use !== "read" && p.kind === "variable" && written.add(p.variable)) });
  let found = false;
  walkExpr(does ? b : a, {
    // A function may change what is declared at file scope, and what lies in memory.
    place: (p) => {
      const role = p.kind === "variable" ? s.variables.get(p.variable)!.role : undefined;
      if (p.kind === "deref" || role === "global" || role === "resource" || (p.kind === "variable" && written.has(p.variable))) found = true;
    },
    expr: (x) => void (x.kind === "call" && (found = true)),
  });
  return found;
} // prettier-ignore
