/** Values that are found after something else is done. */
import { load } from "../ast/builders.js";
import type { Expr, Place } from "../ast/nodes.js";
import type { Span } from "../support/span.js";
import { type Value } from "./context.js";
import { after } from "./held-values.js";

export function withFirst(made: Value, first: readonly Expr[], span: Span): Value {
  if (first.length === 0) return made;
  if (made.expr) return { ...made, expr: after(first, made.expr, span) };
  const place = made.place && foundAfter(first, made.place, span);
  if (place) return { ...made, place };
  return made.place ? { type: made.type, expr: after(first, load(made.place, span), span) } : made;
}

/** A place that a pointer leads to, which is evaluated after something. */
function foundAfter(first: readonly Expr[], p: Place, span: Span): Place | undefined {
  if (p.kind === "deref") return { ...p, pointer: after(first, p.pointer, span) };
  if (p.kind === "variable" || p.kind === "view") return undefined;
  const base = foundAfter(first, p.base, span);
  return base && { ...p, base };
}
