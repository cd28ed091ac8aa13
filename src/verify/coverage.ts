/** Which statements and branches of a kernel some lane of some run came to. */
import { bodiesOf } from "../regions/machine.js";
import type { BoundLaunch } from "../launch/bind.js";
import { scalarBytes, showScalar } from "../launch/scalars.js";
import type { ScalarKind } from "../types/types.js";
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
  /** Statements and ways that bounds of integers show to be out of reach, which count for nothing. */
  readonly unreachable: readonly Pick<NotRun, "location" | "what">[];
}

export interface Count {
  readonly run: number;
  /** Without those that no input can reach, where a constant or bounds of integers say so. */
  readonly reachable: number;
}

export interface NotRun {
  readonly location: Location;
  /** The statement itself, or the way of its condition that was never taken. */
  readonly what: "statement" | BranchWay;
  /** What was in the way, as far as it is known. */
  readonly because?: Because;
}

/** A condition that never went the way it would have to. */
export interface Because {
  /** Of the condition. */
  readonly location: Location;
  readonly way: BranchWay;
  /** The arguments by value it is made of, by path, each with the values it had: of several numbers in one, they stand in a row. */
  readonly values: readonly { readonly path: string; readonly had: readonly string[] }[];
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
  program: Pick<Program, "regions" | "helpers" | "points" | "values">,
  expanded: ExpandedSource,
): Coverable => {
  const noted = reachablePoints(program);
  const excluded = (id: PointId | undefined): boolean => {
    if (id === undefined) return false;
    const { branch, within } = program.points[id]!;
    return branch?.excluded === true || excluded(within);
  };
  return {
    points: program.points,
    reachable: new Set([...noted].filter((id) => !excluded(id))),
    excluded: new Set([...noted].filter(excluded)),
    kinds: new Map(program.values.map((v) => [v.path, v.scalar])),
    expanded,
  };
};

/** A kernel's points, made ready to be counted. */
export interface Coverable {
  readonly points: readonly CoverPoint[];
  readonly reachable: ReadonlySet<PointId>;
  /** What bounds of integers show to be out of reach; it counts where it was run all the same. */
  readonly excluded: ReadonlySet<PointId>;
  /** Of the arguments by value. */
  readonly kinds: ReadonlyMap<string, ScalarKind>;
  readonly expanded: ExpandedSource;
}

/** A place of the text, and of each of its copies whether it was run. */
interface Place {
  readonly span: Span;
  readonly what: NotRun["what"];
  /** Of the first copy that was not run. */
  missed?: PointId;
  /** By choice of a pass, and its way. Copies without one stand under keys of their own. */
  readonly copies: Map<string, Map<string, boolean>>;
}

/**
 * A place of the text that stands for several copies (instances of a template) has run once all that can be reached have:
 * nothing is counted that some copy leaves out. Of copies that a pass chooses among, one is enough.
 */
export function coverageOf(
  coverable: Coverable,
  covered: Uint8Array,
  launches: readonly Pick<BoundLaunch, "arguments">[] = [],
): Coverage {
  const { points, reachable, excluded, expanded } = coverable;
  const places = new Map<string, Place>();
  const unreachable = new Map<string, { readonly span: Span; readonly what: NotRun["what"] }>();
  points.forEach(({ statements, branch, alternative }, id) => {
    if (!reachable.has(id) && covered[id] !== 1) {
      if (!excluded.has(id)) return;
      for (const span of statements) unreachable.set(keyOf(span, "statement"), { span, what: "statement" });
      if (branch) unreachable.set(keyOf(branch.span, branch.way), { span: branch.span, what: branch.way });
      return;
    }
    const note = (span: Span, what: NotRun["what"]): void => {
      const key = keyOf(span, what);
      let place = places.get(key);
      if (!place) places.set(key, (place = { span, what, copies: new Map() }));
      const choice = alternative ? `choice ${alternative.of}` : `point ${id}`;
      let ways = place.copies.get(choice);
      if (!ways) place.copies.set(choice, (ways = new Map<string, boolean>()));
      const which = alternative?.which ?? "";
      ways.set(which, (ways.get(which) ?? true) && covered[id] === 1);
      if (covered[id] !== 1) place.missed ??= id;
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
    notRun: all
      .filter((p) => !wasRun(p))
      .map(({ span, what, missed }) => {
        const because = missed === undefined ? undefined : becauseOf(coverable, covered, missed, launches);
        return { location: locate(expanded, span), what, ...(because ? { because } : {}) };
      }),
    unreachable: [...unreachable]
      .filter(([key]) => !places.has(key))
      .map(([, place]) => place)
      .sort((a, b) => a.span.start - b.span.start)
      .map(({ span, what }) => ({ location: locate(expanded, span), what })),
  };
}

const keyOf = ({ start, end }: Span, what: NotRun["what"]): string => `${start}.${end}.${what}`;

/** The outermost way around a point that was not taken, or the point's own. */
function becauseOf(
  { points, expanded, kinds }: Coverable,
  covered: Uint8Array,
  missed: PointId,
  launches: readonly Pick<BoundLaunch, "arguments">[],
): Because | undefined {
  let outermost: PointId | undefined;
  for (let id: PointId | undefined = missed; id !== undefined && covered[id] !== 1; id = points[id]!.within)
    if (points[id]!.branch) outermost = id;
  const branch = outermost === undefined ? undefined : points[outermost]!.branch;
  if (!branch) return undefined;
  const values = (branch.values ?? []).flatMap((path) => {
    const kind = kinds.get(path);
    const had = new Set<string>();
    for (const l of launches)
      for (const a of l.arguments) if (a.kind === "value" && a.path === path && kind) had.add(shown(a.bytes, kind));
    return had.size === 0 ? [] : [{ path, had: [...had] }];
  });
  return { location: locate(expanded, branch.span), way: branch.way, values };
}

function shown(bytes: Uint8Array, kind: ScalarKind): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = scalarBytes(kind);
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, i) => showScalar(view, i * size, kind).value).join(
    " ",
  );
}

export type LineState = "run" | "partly run" | "not run" | "out of reach";

/** What is to be said of the lines of a file that have statements. */
export function linesRun(coverable: Coverable, covered: Uint8Array, file: string): ReadonlyMap<number, LineState> {
  const { points, reachable, expanded } = coverable;
  const coverage = coverageOf(coverable, covered);
  const linesOf = (list: readonly Pick<NotRun, "location" | "what">[]): Set<number> =>
    new Set(list.flatMap((p) => (p.location.file === file ? [p.location.line] : [])));
  const missed = linesOf(coverage.notRun);
  const states = new Map<number, LineState>();
  for (const line of linesOf(coverage.unreachable)) states.set(line, "out of reach");
  points.forEach(({ statements }, id) => {
    if (!reachable.has(id)) return;
    for (const span of statements) {
      const location = locate(expanded, span);
      if (location.file !== file) continue;
      const state = covered[id] !== 1 ? "not run" : missed.has(location.line) ? "partly run" : "run";
      const before = states.get(location.line);
      const both = before !== undefined && before !== state && before !== "out of reach";
      states.set(location.line, both ? "partly run" : state);
    }
  });
  return states;
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
