/**
 * The statements of a `switch` as a list in which each case label stands in the switch itself: blocks with case labels in them are
 * opened, and labels are structured where all jumps to them come from the statements of the same case.
 */
import type { Statement } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { append } from "../support/append.js";
import { notYet, type Sema } from "./context.js";
import { structured } from "./gotos.js";
import { jumpsTo, labelIn, mentions, namesOf } from "./jumps.js";

export interface SwitchParts {
  readonly statements: readonly syntax.Statement[];
  /** Declarations that come before some of the statements. */
  readonly before: ReadonlyMap<syntax.Statement, readonly Statement[]>;
  /** Where the names of variables stand whose declarations are in blocks now. */
  readonly within: ReadonlySet<number>;
}

export function switchParts(s: Sema, list: readonly syntax.Statement[]): SwitchParts {
  const opened = s.reading.declarations.casesInBlocks ? list.flatMap((st) => openedBlock(s, st, list)) : list;
  const statements: syntax.Statement[] = [];
  const before = new Map<syntax.Statement, readonly Statement[]>();
  const within = new Set<number>();
  const runs = runsOf(opened);
  for (const run of runs) {
    const others = runs.filter((r) => r !== run);
    if (!staysInside(run, others)) {
      append(statements, run);
      continue;
    }
    const plain = structured(s, run, false);
    before.set(plain.statements[0]!, plain.before);
    plain.within.forEach((at) => within.add(at));
    append(statements, plain.statements);
  }
  return { statements, before, within };
}

/** Case labels, one by one, and what stands between them. */
function runsOf(list: readonly syntax.Statement[]): readonly (readonly syntax.Statement[])[] {
  const runs: syntax.Statement[][] = [];
  let open: syntax.Statement[] | undefined;
  for (const st of list) {
    if (st.kind === "case") open = undefined;
    if (open) open.push(st);
    else runs.push((open = [st]));
    if (st.kind === "case") open = undefined;
  }
  return runs;
}

/** Whether the run has labels that only it jumps to, and declares nothing that another names: it can be put into blocks. */
function staysInside(run: readonly syntax.Statement[], others: readonly (readonly syntax.Statement[])[]): boolean {
  if (labelIn(run) < 0) return false;
  const labels = run.flatMap((st) => (st.kind === "label" ? [st.label] : []));
  if (others.some((r) => r.some((st) => labels.some((label) => jumpsTo(st, label))))) return false;
  return !declaredIn(run).some((name) => others.some((r) => mentions(r, name)));
}

const declaredIn = (list: readonly syntax.Statement[]): readonly string[] =>
  list.flatMap((st) => (st.kind === "declaration-statement" ? namesOf(st.declaration) : []));

const holdsCase = (st: syntax.Statement): boolean =>
  st.kind === "case" || (st.kind === "compound" && st.statements.some(holdsCase));

/** `{ ...; case 1: ... }`: a label in a block is one of the switch (C99 6.8.4.2, C++14 6.4.2). */
function openedBlock(s: Sema, st: syntax.Statement, around: readonly syntax.Statement[]): readonly syntax.Statement[] {
  if (st.kind !== "compound" || !holdsCase(st)) return [st];
  const others = around.filter((x) => x !== st);
  const name = declaredIn(st.statements).find((n) => mentions(others, n) || declaredIn(others).includes(n));
  if (name !== undefined) {
    const what = `a case label in a block that declares '${name}', which is named outside of it as well, is`;
    notYet(s, what, st.span, "give it another name");
    return [];
  }
  const begin: syntax.Statement = { kind: "empty", span: { start: st.span.start, end: st.span.start } };
  s.trivia.standFor(begin, st);
  return [begin, ...st.statements.flatMap((x) => openedBlock(s, x, [...others, ...st.statements]))];
}
