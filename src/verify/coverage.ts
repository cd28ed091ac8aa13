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

/** A place of the text, and of each of its copies whether it was run. */
interface Place {
  readonly span: Span;
  readonly what: NotRun["what"];
  /** By choice of a pass, and its way. Copies without one stand under keys of their own. */
  readonly copies: Map<string, Map<string, boolean>>;
}

/**
 * A place of the text that stands for several copies (instances of a template) has run once all that can be reached have:
 * nothing is counted that some copy leaves out. Of copies that a pass chooses among, one is enough.
 */
export function coverageOf({ points, reachable, expanded }: Coverable, covered: Uint8Array): Coverage {
  const places = new Map<string, Place>();
  points.forEach(({ statements, branch, alternative }, id) => {
    if (!reachable.has(id)) return;
    const note = (span: Span, what: NotRun["what"]): void => {
      const key = `${span.start}.${span.end}.${what}`;
      let place = places.get(key);
      if (!place) places.set(key, (place = { span, what, copies: new Map() }));
      const choice = alternative ? `choice ${alternative.of}` : `point ${id}`;
      let ways = place.copies.get(choice);
      if (!ways) place.copies.set(choice, (ways = new Map<string, boolean>()));
      const which = alternative?.which ?? "";
      ways.set(which, (ways.get(which) ?? true) && covered[id] === 1);
    };
    for (const span of statements) note(span, "statement");
    if (branch) note(branch.span, branch.way);
  });
  const all = [...places.values()].sort((a, b) => a.span.start - b.span.start);
  const wasRun = ({ copies }: Place): boolean =>
    [...copies.values()].every((ways) => [...ways.values()].includes(true));
  const count = (list: readonly Place[]): Count => ({ run: list.filter(wasRun).length, reachable: list.length });
  return {
    statements: count(all.filter((p) => p.what === "statement")),
    branches: count(all.filter((p) => p.what !== "statement")),
    notRun: all.filter((p) => !wasRun(p)).map(({ span, what }) => ({ location: locate(expanded, span), what })),
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
