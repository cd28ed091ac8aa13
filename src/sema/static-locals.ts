/** Static variables of functions: one each, however often the function is read, for the spaces of pointers and objects or as a kernel that is called. */
import type { VarId } from "../ast/nodes.js";
import type { Span } from "../support/span.js";
import { notYet, type Sema } from "./context.js";

/**
 * The variable that is declared there, under this name of its own, in the function that is read; made where it is met first. A constant
 * is the same however many there are of it.
 */
export function staticLocal(
  s: Sema,
  name: string,
  span: Span,
  value: "constant" | "kept",
  make: () => VarId,
): VarId | undefined {
  if (!s.fn) return make();
  const { info } = s.fn;
  const ofTemplate = info.instance !== undefined && info.later?.method !== undefined;
  if (info.later?.closure || ofTemplate) {
    if (value === "constant") return make();
    const where = ofTemplate ? "a method that is a template" : "a lambda";
    return notYet(s, `a static variable in ${where} is`, span, "declare it in the file");
  }
  const of = info.readFrom ?? info;
  const found = s.staticLocals.get(of) ?? new Map<string, VarId>();
  s.staticLocals.set(of, found);
  const key = `${name} ${span.start}`;
  const known = found.get(key);
  // What was read in vain has been forgotten.
  const isThere = s.order.some((x) => (x.kind === "variable" || x.kind === "resource") && x.variable === known);
  if (known !== undefined && isThere && s.variables.get(known)?.span.start === span.start) return known;
  const id = make();
  found.set(key, id);
  return id;
}
