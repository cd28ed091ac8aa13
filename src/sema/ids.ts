/** Ids that are variables. Functions, attributes and semantics belong to the readers of the languages that have them. */
import { predeclaredVariable } from "../ops/variables.js";
import type { Span } from "../support/span.js";
import { exprValue, type Sema, type Value } from "./context.js";

/** Names the dialect gives a value without a call. */
export function idValue(s: Sema, name: string, span: Span): Value | undefined {
  const found = predeclaredVariable(s.dialect, name);
  return found && { ...exprValue(found.build(span)), readOnly: `'${name}' is an input` };
}
