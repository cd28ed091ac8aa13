/** Drops scalars nobody reads: components of vectors that a kernel loads whole and uses in part. */
import { bodiesOf, exprsOf, someExpr, visitCode, visitExpr } from "./machine.js";
import type { BoundaryForm, Code, LocalId, MachineExpr } from "./tree.js";

/** Evaluating it can be told: by what it changes, or by a finding. */
export const matters = (e: MachineExpr): boolean =>
  someExpr(
    e,
    (x) =>
      x.kind === "call" ||
      x.kind === "checked" ||
      ((x.kind === "operation" || x.kind === "conversion") && x.site !== undefined) ||
      (x.kind === "load" && x.site >= 0),
  );

export function dropUnused(form: BoundaryForm): BoundaryForm {
  let body = form.body;
  for (;;) {
    const read = new Set<LocalId>();
    visitCode(body, (c) =>
      exprsOf(c).forEach((e) =>
        visitExpr(e, (x) => {
          if (x.kind === "local") read.add(x.local);
        }),
      ),
    );
    // An assignment that stays for its value's sake needs the declaration.
    visitCode(body, (c) => {
      if (c.kind === "set" && c.value && matters(c.value)) read.add(c.local);
    });
    let dropped = false;
    const keep = (list: readonly Code[]): Code[] =>
      list
        .filter((c) => {
          const unused =
            (c.kind === "declare" || c.kind === "set") && !read.has(c.local) && !(c.value && matters(c.value));
          if (unused) dropped = true;
          return !unused;
        })
        .map((c) => (bodiesOf(c).length === 0 ? c : inside(c, keep)));
    body = keep(body);
    if (!dropped) return { ...form, body };
  }
}

function inside(c: Code, keep: (list: readonly Code[]) => Code[]): Code {
  switch (c.kind) {
    case "if":
      return { ...c, then: keep(c.then), else: keep(c.else) };
    case "loop":
      return { ...c, head: keep(c.head), body: keep(c.body), step: keep(c.step) };
    case "switch":
      return { ...c, cases: c.cases.map((k) => ({ ...k, body: keep(k.body) })) };
    case "block":
      return { ...c, body: keep(c.body) };
    default:
      return c;
  }
}
