/** Statements inside of statements, as the tree of syntax has them. */
import type * as syntax from "../ast/syntax.js";

/** The statements that a statement is made of. */
export function partsOf(st: syntax.Statement): readonly syntax.Statement[] {
  switch (st.kind) {
    case "compound":
      return st.statements;
    case "if":
      return st.else ? [st.then, st.else] : [st.then];
    case "switch":
    case "while":
    case "do":
    case "for":
    case "range-for":
      return [st.body];
    default:
      return [];
  }
}

const labelled = new WeakMap<syntax.Statement, boolean>();

/** Whether a label of `goto` stands in a statement, or is it; found once for each. */
export function holdsLabel(st: syntax.Statement): boolean {
  let holds = labelled.get(st);
  if (holds === undefined) labelled.set(st, (holds = st.kind === "label" || partsOf(st).some(holdsLabel)));
  return holds;
}
