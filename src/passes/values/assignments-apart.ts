/** Assignments that compute, and steps, as plain assignments: what finds the place, and what has effects, is done once, before. */
import {
  assign,
  binary,
  constantOf,
  convert,
  declare,
  expressionStatement,
  load,
  variablePlace,
  type ModuleEditor,
} from "../../ast/builders.js";
import { repeatablePlace } from "../../ast/held-place.js";
import type { Expr, Place, Statement } from "../../ast/nodes.js";
import { isPure } from "../../ast/walk.js";
import type { Linear } from "../../ast/linearize.js";

/** A value kept in a local that `before` declares. */
export function hold(editor: ModuleEditor, name: string, e: Expr, before: Statement[]): Expr {
  const v = editor.addLocal(name, e.type);
  before.push(declare(v.id, e));
  return load(variablePlace(v), e.span);
}

/**
 * `p = p op value` for `p op= value`, `p++` and the like; undefined for what is neither. `original`: before what is in it was
 * rewritten, which shows whether the value has effects.
 */
export function assignmentApart(
  editor: ModuleEditor,
  e: Expr,
  discarded: boolean,
  original: Expr = e,
): Linear | undefined {
  const before: Statement[] = [];
  const held = (p: Place, stays: (x: Expr) => boolean): Place =>
    repeatablePlace(p, (x) => hold(editor, "at", x, before), stays);
  if (e.kind === "assign" && e.operator) {
    const pure = isPure(original.kind === "assign" ? original.value : e.value);
    const place = held(e.target, pure ? isPure : () => false);
    const value = pure ? e.value : hold(editor, "value", e.value, before);
    const old = convert(load(place, e.span), e.compute ?? place.type, false, e.span);
    const computed: Expr = {
      ...binary(e.operator, old, value, e.span),
      ...(e.contracts ? { contracts: e.contracts } : {}),
      ...(e.relies ? { relies: e.relies } : {}),
    };
    return { before, value: assign(place, convert(computed, place.type, false, e.span), e.span) };
  }
  if (e.kind !== "increment") return undefined;
  const place = held(e.place, isPure);
  const old = e.prefix || discarded ? load(place, e.span) : hold(editor, "old", load(place, e.span), before);
  const step = binary(e.delta === 1 ? "add" : "sub", old, constantOf(e.type, 1, e.span), e.span);
  const set = assign(place, step, e.span);
  if (e.prefix || discarded) return { before, value: set };
  return { before: [...before, expressionStatement(set)], value: old };
}
