/** Conditions that bounds of integers settle: what lies in the other way cannot be reached on any launch. */
import type { Expr, Module } from "../ast/nodes.js";
import { walkStatement } from "../ast/walk.js";
import { Ranges } from "../passes/analysis/ranges.js";
import { settledBy } from "../regions/cover-ways.js";
import { isInteger, scalarOf } from "../types/types.js";

/**
 * Of `if`, `?:`, and the left operands of `&&` and `||`. Conditions of loops are left out: bounds of a counter are those inside its
 * loop.
 */
export function settledConditions(module: Module): ReadonlyMap<Expr, boolean> {
  const settled = new Map<Expr, boolean>();
  for (const f of module.functions) {
    let ranges: Ranges | undefined;
    const note = (e: Expr): void => {
      const way = ofCondition((ranges ??= new Ranges(module, f)), e);
      if (way !== undefined) settled.set(e, way);
    };
    walkStatement(f.body, {
      statement: (s) => void (s.kind === "if" && note(s.condition)),
      expr: (e) => {
        if (e.kind === "conditional") note(e.condition);
        if (e.kind === "logical") note(e.left);
      },
    });
  }
  return settled;
}

function ofCondition(ranges: Ranges, e: Expr): boolean | undefined {
  if (e.kind === "unary" && e.operator === "not") {
    const inner = ofCondition(ranges, e.operand);
    return inner === undefined ? undefined : !inner;
  }
  if (e.kind === "logical") {
    const [a, b] = [ofCondition(ranges, e.left), ofCondition(ranges, e.right)];
    const decides = e.operator === "or";
    if (a === decides || b === decides) return decides;
    return a !== undefined && b !== undefined ? !decides : undefined;
  }
  if (e.kind !== "binary" || e.left.type.kind !== "scalar") return undefined;
  const kind = scalarOf(e.left.type);
  if (!kind || !isInteger(kind)) return undefined;
  return settledBy(e.operator, ranges.of(e.left), ranges.of(e.right));
}
