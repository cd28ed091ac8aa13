/** Values in locals that sema declares: those that are used more than once, or not where they stand. */
import { assign, comma, declare, load, variablePlace } from "../ast/builders.js";
import { repeatablePlace } from "../ast/held-place.js";
import type { Expr, Place, Variable } from "../ast/nodes.js";
import { isPure } from "../ast/walk.js";
import { noSpan, type Span } from "../support/span.js";
import { i32, type Type } from "../types/types.js";
import { newVariable, type Sema } from "./context.js";

/**
 * Values that are used more than once, or not where they stand: where one of them does something besides giving its
 * value, `first` fills locals with them, in their order, and runs before anything made of `values`.
 */
export function held(
  s: Sema,
  list: readonly Expr[],
  span: Span,
): { readonly first: readonly Expr[]; readonly values: readonly Expr[] } {
  if (!s.fn || list.every(isPure)) return { first: [], values: list };
  const first: Expr[] = [];
  const values = list.map((e) => (e.kind === "literal" ? e : kept(s, e, first, span)));
  return { first, values };
}

/** A local for a value, declared before the statement being read: what fills it, and reading it. */
export function intoLocal(s: Sema, e: Expr, span: Span): { readonly first: Expr; readonly value: Expr } {
  const place = emptyLocal(s, e.type, span);
  return { first: assign(place, e, span), value: load(place, span) };
}

/** The variable of a loop that is made, which the loop declares. */
export const loopIndex = (s: Sema, type: Type = i32): Variable =>
  newVariable(s, { name: "i", type, space: "private", role: "local", constant: false, span: noSpan });

/** A local that is filled later, declared before the statement being read. */
export function emptyLocal(s: Sema, type: Type, span: Span): Place {
  const v = newVariable(s, { name: "t", type, space: "private", role: "local", constant: false, span: noSpan });
  // Outside of functions the value has to be a constant (withoutCalls), and nothing is declared.
  s.fn?.locals.push(declare(v.id, undefined, span));
  return variablePlace(v, span);
}

/** What reads the local that a value is kept in from here on; `first` fills it. */
export function kept(s: Sema, e: Expr, first: Expr[], span: Span): Expr {
  const local = intoLocal(s, e, span);
  first.push(local.first);
  return local.value;
}

/** A place whose indices, where they do something besides giving their value, are in locals: it can be named twice. */
export function heldPlace(s: Sema, p: Place, span: Span): { readonly first: readonly Expr[]; readonly place: Place } {
  const first: Expr[] = [];
  const place = repeatablePlace(p, (e) => kept(s, e, first, span));
  return { first, place };
}

/** `value` after what fills its locals. */
export const after = (first: readonly Expr[], value: Expr, span: Span): Expr =>
  first.reduceRight((rest, e) => comma(e, rest, span), value);
