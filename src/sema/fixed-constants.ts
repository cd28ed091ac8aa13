/**
 * Specialisation constants that size an array. Arrays have one size in the tree, and GLSL alone lets such a constant give
 * it: the constant keeps its default, under its name, and stands in the list of assumptions.
 */
import type { Expr } from "../ast/nodes.js";
import { walkExpr } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import { evaluate } from "./constants.js";
import type { Sema } from "./context.js";

export function fixSizes(s: Sema, size: Expr): void {
  walkExpr(size, {
    expr(e) {
      if (e.kind !== "swizzle-value" || e.operand.kind !== "builtin" || e.operand.builtin !== "workgroup_size") return;
      for (const c of e.components) {
        const id = s.localSize.ids[c];
        if (id !== undefined) fixNumber(s, id, size.span);
      }
    },
    place(p) {
      const number =
        p.kind === "variable"
          ? s.resources.find((r) => r.kind === "specialization" && r.variable === p.variable && r.defaultValue)?.slot
              ?.number
          : undefined;
      if (number !== undefined) fixNumber(s, number, size.span);
    },
  });
}

/** One number may be the id of a constant and of a dimension of the workgroup. */
function fixNumber(s: Sema, number: number, span: Span): void {
  const assume = (name: string, value: unknown): void =>
    void s.fixed.push({
      kind: "specialisation-default",
      message: `${name} is ${String(value)}, its default, since it sizes an array`,
      spans: [span],
    });
  s.localSize.ids.forEach((id, dimension) => {
    if (id !== number) return;
    s.localSize.ids[dimension] = undefined;
    assume(`gl_WorkGroupSize.${"xyz"[dimension]}`, s.localSize.size[dimension] ?? 1);
  });
  for (let i = s.resources.length - 1; i >= 0; i--) {
    const r = s.resources[i]!;
    if (r.kind !== "specialization" || r.slot?.number !== number || !r.defaultValue) continue;
    const v = s.variables.get(r.variable)!;
    s.resources.splice(i, 1);
    s.variables.set(v.id, { ...v, role: "global", compileTime: true, initializer: r.defaultValue });
    s.constants.set(v.id, r.defaultValue);
    const at = s.order.findIndex((o) => o.kind === "resource" && o.variable === v.id);
    if (at >= 0) s.order[at] = { kind: "variable", variable: v.id };
    assume(v.name, evaluate(s, r.defaultValue));
  }
}
