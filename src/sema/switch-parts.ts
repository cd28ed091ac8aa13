/**
 * The statements of a `switch` as a list in which each case label stands in the switch itself: blocks with case labels in them are
 * opened, and labels are structured where all jumps to them come from the statements of the same case.
 */
import type { Statement } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { append } from "../support/append.js";
import { once } from "../support/once.js";
import { notYet, type Sema } from "./context.js";
import { structured } from "./gotos.js";
import { labelIn, targetsOf } from "./jumps.js";
import { mentioned, namesOf } from "./mentioned-names.js";

export interface SwitchParts {
  readonly statements: readonly syntax.Statement[];
  /** Declarations that come before some of the statements. */
  readonly before: ReadonlyMap<syntax.Statement, readonly Statement[]>;
  /** Where the names of variables stand whose declarations are in blocks now. */
  readonly within: ReadonlySet<number>;
}

export function switchParts(s: Sema, list: readonly syntax.Statement[]): SwitchParts {
  const opened = s.reading.declarations.casesInBlocks ? openedBlocks(s, list, () => false) : list;
  const statements: syntax.Statement[] = [];
  const before = new Map<syntax.Statement, readonly Statement[]>();
  const within = new Set<number>();
  const runs = runsOf(opened);
  const jumps = once(() => new Places(runs.map((run) => run.flatMap(targetsOf))));
  const names = once(() => new Places(runs.map((run) => mentioned(run))));
  for (const [at, run] of runs.entries()) {
    const labels = run.flatMap((st) => (st.kind === "label" ? [st.label] : []));
    // Labels that only the run itself jumps to, and declares nothing that another names: it can be put into blocks.
    const staysInside =
      labelIn(run) >= 0 &&
      !labels.some((label) => jumps().elsewhere(label, at)) &&
      !declaredIn(run).some((name) => names().elsewhere(name, at));
    if (!staysInside) {
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

/** Whether a case jumps to a label of another. */
export function leadsAcross(list: readonly syntax.Statement[]): boolean {
  if (labelIn(list) < 0) return false;
  const runs = runsOf(list);
  const jumps = new Places(runs.map((run) => run.flatMap(targetsOf)));
  return runs.some((run, at) => run.some((st) => st.kind === "label" && jumps.elsewhere(st.label, at)));
}

/** In which parts of a list a name is. */
class Places {
  private readonly of = new Map<string, Set<number>>();

  constructor(parts: readonly Iterable<string>[]) {
    for (const [at, names] of parts.entries())
      for (const name of names) {
        const places = this.of.get(name);
        if (places) places.add(at);
        else this.of.set(name, new Set([at]));
      }
  }

  /** Whether another part than this one has it. */
  elsewhere(name: string, at: number): boolean {
    const places = this.of.get(name);
    return places !== undefined && places.size > (places.has(at) ? 1 : 0);
  }
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

const declaredIn = (list: readonly syntax.Statement[]): readonly string[] =>
  list.flatMap((st) => (st.kind === "declaration-statement" ? namesOf(st.declaration) : []));

const holdsCase = (st: syntax.Statement): boolean =>
  st.kind === "case" || (st.kind === "compound" && st.statements.some(holdsCase));

/** `{ ...; case 1: ... }`: a label in a block is one of the switch (C99 6.8.4.2, C++14 6.4.2). `outside`: what names are around the list. */
function openedBlocks(
  s: Sema,
  list: readonly syntax.Statement[],
  outside: (name: string) => boolean,
): readonly syntax.Statement[] {
  const names = once(() => new Places(list.map((st) => [...mentioned(st), ...declaredIn([st])])));
  return list.flatMap((st, at) => {
    if (st.kind !== "compound" || !holdsCase(st)) return [st];
    const around = (name: string): boolean => names().elsewhere(name, at) || outside(name);
    const name = declaredIn(st.statements).find(around);
    if (name !== undefined) {
      const what = `a case label in a block that declares '${name}', which is named outside of it as well, is`;
      notYet(s, what, st.span, "give it another name");
      return [];
    }
    const begin: syntax.Statement = { kind: "empty", span: { start: st.span.start, end: st.span.start } };
    s.trivia.standFor(begin, st);
    return [begin, ...openedBlocks(s, st.statements, around)];
  });
}
