/** A function that is defined for every operand, by one that the target defines in its domain. */
import { load, opCall, returnStatement, variablePlace } from "../../ast/builders.js";
import type { Expr } from "../../ast/nodes.js";
import { domains } from "../../ops/domains.js";
import { openVariant } from "../../ops/table.js";
import { k, same, select } from "../../ops/trees.js";
import { floatBound } from "../analysis/float-bounds.js";
import { expression, helperCall, type Lowering } from "./lowering.js";

export const domainGuard: Lowering = (call, context) => {
  const domain = domains.get(call.op);
  if (!domain) throw new Error(`no domain for ${call.op}`);
  const open = (x: Expr): Expr => opCall(openVariant(call.op), [x], call.type, call.span);
  const x = call.arguments[0]!;
  const bound = floatBound(x, (local) => context.valueOf(local));
  if (domain.fine && (bound === "positive" || bound === domain.fine)) return expression(open(x));
  return expression(
    helperCall(call, context, (_, [v]) => {
      const value = load(variablePlace(v!));
      const inside = domain.inside(value);
      // Of vectors the function is called for every component.
      const asked = value.type.kind === "vector" ? select(inside, value, k(value.type, domain.within)) : value;
      const found = domain.odd ? same("math.copysign", open(same("math.abs", asked)), value) : open(asked);
      return [returnStatement(select(inside, found, domain.outside(value)))];
    }),
  );
};
