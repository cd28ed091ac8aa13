/** Bodies of functions, read when they are needed. */
import type { Span } from "../../support/span.js";
import { type FunctionInfo, type Sema } from "../context.js";
import { helper } from "../functions.js";
import { elsewhere, readBody } from "./state.js";

/** Reads the body of a function that is needed, once. */
export function define(s: Sema, f: FunctionInfo, span: Span): void {
  const { unread } = f;
  if (unread)
    return readBody(s, () => {
      for (const p of unread) s.problems.add(p);
    });
  for (const p of f.wrong ?? []) s.templates.again.add(p);
  if (f.defined || !f.later?.declaration.body) return;
  const { declaration, outer, scope, shown, visibleBefore } = f.later;
  f.defined = true;
  // An entry that is read again may be the first that wants the body of a function declared before it.
  s.templates.undo.push(() => {
    f.defined = false;
    f.calls.clear();
    for (const key of ["declaration", "wrong", "captures"] as const) delete f[key];
  });
  const { again } = s.templates;
  const before = new Set(again);
  readBody(s, () => {
    const said = s.problems.list.length;
    elsewhere(s, scope, visibleBefore, { shown, span }, () => helper(s, declaration, f, outer));
    const found = [...s.problems.list.slice(said), ...[...again].filter((p) => !before.has(p))];
    const wrong = found.filter((p) => p.severity === "error");
    if (wrong.length > 0) f.wrong = wrong;
  });
}
