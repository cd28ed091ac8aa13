/**
 * Specialisation constants that size an array. Arrays have one size in the tree, and GLSL alone lets such a constant give
 * it: the constant is settled, under its name. Where no value is given it keeps its default, which is in the list of
 * assumptions.
 */
import type { Expr } from "../ast/nodes.js";
import { walkExpr } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import { evaluate, literalForm } from "./constants.js";
import { error, resourceFor, type Sema } from "./context.js";
import { givenSize, settleConstant, sizeLiteral } from "./given-constants.js";

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
      if (p.kind !== "variable" || s.constants.has(p.variable)) return;
      const { variable } = p;
      const later = s.settledLater.get(variable);
      if (later) {
        fixSizes(s, later);
        if (evaluate(s, later) !== undefined) s.constants.set(variable, later);
        return;
      }
      const resource = resourceFor(s, variable);
      const number = resource?.kind === "specialization" ? resource.slot?.number : undefined;
      if (number !== undefined) fixNumber(s, number, size.span);
    },
  });
}

/** One number may be the id of a constant and of a dimension of the workgroup: then both are what one value makes them. */
function fixNumber(s: Sema, number: number, span: Span): void {
  if (s.settledNumbers.has(number)) return;
  const { ids, size } = s.localSize;
  const dimension = ids.indexOf(number);
  const given = dimension < 0 ? undefined : givenSize(s, dimension);
  const constants = s.resources.filter((r) => r.kind === "specialization" && r.slot?.number === number);
  const [stated] = constants.flatMap((r) => (r.defaultValue ? [evaluate(s, r.defaultValue)] : []));
  const value = given ?? stated ?? size[dimension];
  if (value === undefined) {
    // Without a default a constant is no constant expression, which is said of it as of any other.
    if (dimension >= 0)
      error(s, "XL4003", "the size of an array is that of the workgroup, which is left to the launch", span, {
        help: "give it with --workgroup-size x,y,z",
      });
    return;
  }
  const assume = (name: string): void => {
    if (given !== undefined) return;
    const message = `${name} is ${String(value)}, its default, since it sizes an array`;
    s.fixed.push({ kind: "specialisation-default", message, spans: [span] });
  };
  s.settledNumbers.set(number, literalForm(typeof value === "number" ? BigInt(value) : value));
  ids.forEach((id, d) => id === number && assume(`gl_WorkGroupSize.${"xyz"[d]}`));
  for (const r of constants.toReversed()) {
    const v = s.variables.get(r.variable)!;
    const own = given === undefined ? r.defaultValue : sizeLiteral(given, v.type, span);
    if (own) settleConstant(s, r, own);
    assume(v.name);
  }
}
