/** Which statements and branches of a kernel some lane of some run came to. */
import { bodiesOf } from "../regions/machine.js";
import type { BranchWay, Code, CoverPoint, PointId, Program, Region } from "../regions/tree.js";
import { locate, type ExpandedSource } from "../support/expanded-source.js";
import type { Location } from "../support/diagnostics.js";
import type { Span } from "../support/span.js";

export interface Coverage {
  /** Of the kernel and the functions it calls: those that do something; declarations without a value do nothing. */
  readonly statements: Count;
  /** Ways that conditions of `if` and `switch` go. */
  readonly branches: Count;
  /** In the order of the text. */
  readonly notRun: readonly NotRun[];
}

export interface Count {
  readonly run: number;
  /** Without those that no input can reach, where a constant says so. */
  readonly reachable: number;
}

export interface NotRun {
  readonly location: Location;
  /** The statement itself, or the way of its condition that was never taken. */
  readonly what: "statement" | BranchWay;
}

/** Points that the program's code notes: the others stand where no input leads. */
function reachablePoints({ regions, helpers }: Pick<Program, "regions" | "helpers">): ReadonlySet<PointId> {
  const found = new Set<PointId>();
  const code = (list: readonly Code[]): void => {
    for (const c of list) {
      if (c.kind === "cover") found.add(c.point);
      bodiesOf(c).forEach(code);
    }
  };
  const walk = (list: readonly Region[]): void => {
    for (const r of list) {
      if (r.kind === "lanes" || r.kind === "uniform") code(r.code);
      else if (r.kind === "if") [r.then, r.else].forEach(walk);
      else if (r.kind === "loop") [r.head, r.body, r.step].forEach(walk);
      else if (r.kind === "switch") r.cases.forEach((c) => walk(c.body));
      else if ("body" in r) walk(r.body);
    }
  };
  walk(regions);
  for (const h of helpers) code(h.body);
  return found;
}

/** What can be said of the runs of a program that was compiled for coverage. */
export const coverableOf = (
  program: Pick<Program, "regions" | "helpers" | "points">,
  expanded: ExpandedSource,
): Coverable => ({ points: program.points, reachable: reachablePoints(program), expanded });

/** A kernel's points, made ready to be counted. */
export interface Coverable {
  readonly points: readonly CoverPoint[];
  readonly reachable: ReadonlySet<PointId>;
  readonly expanded: ExpandedSource;
}

/**
 * A place of the text that stands for several copies (instances of a template, what a pass doubles) has run once all that can
 * be reached have: nothing is counted that some copy leaves out.
 */
export function coverageOf({ points, reachable, expanded }: Coverable, covered: Uint8Array): Coverage {
  const places = new Map<string, { readonly span: Span; readonly what: NotRun["what"]; run: boolean }>();
  const note = (span: Span, what: NotRun["what"], run: boolean): void => {
    const key = `${span.start}.${span.end}.${what}`;
    const known = places.get(key);
    if (known) known.run &&= run;
    else places.set(key, { span, what, run });
  };
  points.forEach((p, id) => {
    if (!reachable.has(id)) return;
    const run = covered[id] === 1;
    for (const span of p.statements) note(span, "statement", run);
    if (p.branch) note(p.branch.span, p.branch.way, run);
  });
  const all = [...places.values()].sort((a, b) => a.span.start - b.span.start);
  const count = (list: typeof all): Count => ({ run: list.filter((p) => p.run).length, reachable: list.length });
  return {
    statements: count(all.filter((p) => p.what === "statement")),
    branches: count(all.filter((p) => p.what !== "statement")),
    notRun: all.filter((p) => !p.run).map(({ span, what }) => ({ location: locate(expanded, span), what })),
  };
}

/** Adds what another run came to. */
export function addCovered(to: Uint8Array, more: Uint8Array | undefined): void {
  more?.forEach((v, i) => {
    if (v === 1) to[i] = 1;
  });
}

/** Statements that were run, of a hundred that can be reached. */
export const percentRun = ({ statements }: Coverage): number =>
  statements.reachable === 0 ? 100 : (100 * statements.run) / statements.reachable;
