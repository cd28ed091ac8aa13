/**
 * The variable that a function returns whatever way it takes: clang makes it where the result is, and copies nothing (C++14 12.8 (31)). Where
 * `return` names one variable here and another there, it depends on the compiler's version which of them are copied.
 */
import type * as syntax from "../ast/syntax.js";
import { namesOf } from "./mentioned-names.js";
import { partsOf } from "./statement-parts.js";

export interface ReturnedVariable {
  /** The only one, which the outermost block declares and nothing in it hides. */
  readonly name: string | undefined;
  readonly statements: ReadonlySet<syntax.Statement>;
}

export function returnedVariable(body: syntax.CompoundStatement): ReturnedVariable {
  const statements = new Set<syntax.Statement>();
  const names = new Set<string | undefined>();
  const declared = new Map<string, number>();
  const left: syntax.Statement[] = [body];
  for (let st = left.pop(); st; st = left.pop()) {
    if (st.kind === "return") {
      statements.add(st);
      const value = st.value && withoutParentheses(st.value);
      names.add(value?.kind === "identifier" && value.path.length === 0 ? value.name : undefined);
    }
    if (st.kind === "declaration-statement")
      for (const name of namesOf(st.declaration)) declared.set(name, (declared.get(name) ?? 0) + 1);
    if (st.kind === "range-for") names.add(undefined);
    for (const part of partsOf(st)) left.push(part);
    if (st.kind === "for" && st.initializer) left.push(st.initializer);
  }
  const [name, ...more] = names;
  const own = body.statements.flatMap((st) => (st.kind === "declaration-statement" ? namesOf(st.declaration) : []));
  const only = more.length === 0 && name !== undefined && declared.get(name) === 1 && own.includes(name);
  return { name: only ? name : undefined, statements };
}

/** clang leaves the copy out behind `return (v);`, too. */
function withoutParentheses(e: syntax.Expression): syntax.Expression {
  return e.kind === "parenthesized" ? withoutParentheses(e.expression) : e;
}
