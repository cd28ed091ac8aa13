/**
 * Reads what the kernels of a file need, and of the rest what the file itself declares and nothing is wrong with. An
 * error belongs to the declaration it lies in: kernels that need that one are refused, the others are read without it.
 */
import type { Module } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { withNestedDefinitions } from "./nested-definitions.js";
import { languageFacts, readingFacts } from "../dialects/languages.js";
import { append } from "../support/append.js";
import { kindOf } from "../support/problem-kinds.js";
import { identityOf, type Problem } from "../support/diagnostics.js";
import type { ExpandedSource } from "../support/expanded-source.js";
import type { SemaOptions } from "./context.js";
import { isKernel } from "./functions.js";
import { withoutFollowing } from "./half-read.js";
import { analyze, withoutRepeats, type Analysis } from "./index.js";
import { uncalledFunctions, withoutFunctions } from "./uncalled-functions.js";
import { ReachGraph, type ReachNode } from "./reach.js";

export interface ReachOptions extends Omit<SemaOptions, "part"> {
  /** The only entry that counts. */
  readonly entry?: string;
  /** Everything is read, reached or not, and all errors are errors. */
  readonly keepUnused?: boolean;
  /** What parsing found that is not supported: an error of the declaration it lies in. */
  readonly unsupported?: readonly Problem[];
}

/** A kernel that cannot be translated, and why. */
export interface RefusedEntry {
  readonly name: string;
  readonly problems: readonly Problem[];
}

/** Something that stands in the source and not in the module. */
export interface LeftOut {
  readonly names: readonly string[];
  readonly kind: "function" | "type" | "variable" | "interface";
  readonly declaration: syntax.Declaration;
  readonly included: boolean;
  /** Why it would not have been read, where it was tried. */
  readonly problem?: Problem;
}

export interface ReachedAnalysis extends Analysis {
  /** Entries that cannot be translated, though others can. */
  readonly refused: readonly RefusedEntry[];
  readonly leftOut: readonly LeftOut[];
}

/** Errors come up in stages, each of which needs the one before to succeed; a file that has more of them is refused. */
const maxRounds = 12;

/** An instance is said to be wrong once, to what wanted it first: after so many rounds its template is given up. */
const instanceRounds = 3;

export function analyzeReached(
  given: syntax.TranslationUnit,
  expanded: ExpandedSource,
  options: ReachOptions,
): ReachedAnalysis {
  const unit = withNestedDefinitions(given);
  const { entry, keepUnused, unsupported: found = [], ...settings } = options;
  const { unsupported, others } = withoutFollowing(unit, found);
  const everything = (): ReachedAnalysis => {
    const whole = analyze(unit, expanded, { ...settings, unparsed: unsupported });
    const none = { refused: [], leftOut: [] };
    if (unsupported.length === 0) return { ...whole, ...none };
    return { problems: inOrder([...unsupported, ...others(whole.problems)]), ...none };
  };
  if (keepUnused) return everything();
  const { dialect, form = dialect } = options;
  const [language, reading] = [languageFacts[form], readingFacts(form)];
  const graph = new ReachGraph(unit, expanded, language, {
    words: reading.entryPoint.words,
    constants: reading.declarations.specialization,
    isKernel: (d) => isKernel({ reading }, d),
  });
  const kernels = graph.nodes.flatMap((n, i) => (n.kind === "kernel" ? [i] : []));
  const asked = kernels.filter((i) => graph.nodes[i]!.names.includes(entry ?? ""));
  const chosen = asked.length > 0 ? asked : kernels;
  if (chosen.length === 0) return everything();

  const broken = new Map<number, Problem[]>();
  // A function is only as wrong as its body: others of its name are read all the same.
  const unread = new Map<number, Problem[]>();
  const places = new Map(graph.nodes.map((n, i) => [n.declaration, i]));
  const instances = new Map<number, Set<number>>();
  /** By the list it is in. */
  const said = new WeakMap<readonly Problem[], Set<string>>();
  let round = 0;
  const breaks = (p: Problem, during?: syntax.Declaration): boolean => {
    const at = p.span ? declarationAt(graph.nodes, p.span.start) : undefined;
    const by = during && places.get(during);
    // What is wrong in an instance is wrong with what wanted it, unless that goes on: then with the template.
    const wanted =
      at !== undefined && by !== undefined && by !== at && graph.nodes[at]!.declaration.kind === "template";
    if (wanted) instances.set(at, (instances.get(at) ?? new Set<number>()).add(round));
    // What calls a function that is not read is wrong in its place.
    const called = at !== undefined && by !== at && unread.has(at);
    const i = called || (wanted && instances.get(at)!.size <= instanceRounds) ? by : at;
    if (i === undefined) return false;
    const among = graph.isApart(i) && (called || isInBody(graph.nodes[i]!, p)) ? unread : broken;
    const list = among.get(i) ?? [];
    among.set(i, list);
    // Callers of callers would have it once for each way that leads to them.
    const known = said.get(list) ?? new Set<string>();
    said.set(list, known);
    const same = identityOf(p);
    if (!known.has(same)) list.push(p);
    known.add(same);
    return true;
  };
  for (const p of unsupported) if (!breaks(p)) return everything();
  const missed = new Set<string>();
  while (round < maxRounds) {
    const plan = planOf(graph, kernels, chosen, broken, missed);
    if (plan.entries.length === 0) {
      const needed = graph.needs(chosen);
      const errors = [...broken].flatMap(([i, problems]) => (concerns(graph, i, needed) ? problems : []));
      return { problems: withoutRepeats(inOrder(saidOnce(errors))), refused: [], leftOut: [] };
    }
    const part = {
      declarations: new Set([...plan.read].map((i) => graph.nodes[i]!.declaration)),
      leftOut: new Set(graph.nodes.flatMap((n, i) => (plan.read.has(i) ? [] : n.declares))),
      missed: new Set<string>(),
      unread: new Map([...unread].map(([i, problems]) => [graph.nodes[i]!.declaration, problems])),
      otherEntries: plan.entries.length < kernels.length,
    };
    const result = analyze(unit, expanded, { ...settings, part });
    if (part.missed.size > 0) {
      // Names told less than the checker found: what it looked for is read as well.
      part.missed.forEach((name) => missed.add(name));
      if (graph.named(missed).some((i) => plan.blocked.has(i))) return everything();
      continue;
    }
    const errors = result.problems.filter((p) => p.severity === "error");
    if (errors.length === 0) return success(result, graph, expanded, plan, chosen, broken, unread);
    round++;
    const [brokenBefore, unreadBefore] = [new Set(broken.keys()), new Set(unread.keys())];
    let placed = true;
    for (const p of errors) {
      const during = result.during?.of(p) ?? [];
      for (const d of during.length > 0 ? during : [undefined]) if (!breaks(p, d)) placed = false;
    }
    if (!placed) return { problems: withoutRepeats(result.problems), refused: [], leftOut: [] };
    // What was wrong with those that need them may follow from that: it is found again where it does not.
    const following = graph.neededBy([...unread.keys()].filter((i) => !unreadBefore.has(i)));
    for (const i of broken.keys()) if (!brokenBefore.has(i) && following.has(i)) broken.delete(i);
  }
  return everything();
}

/** What is wrong with a function is wrong with those that call it, too. */
const saidOnce = (problems: readonly Problem[]): Problem[] => [
  ...new Map(problems.map((p) => [`${p.code} ${p.span?.start} ${p.message}`, p])).values(),
];

const isInBody = ({ declaration: d }: ReachNode, { span }: Problem): boolean =>
  d.kind === "function" && d.body !== undefined && span !== undefined && d.body.span.start <= span.start;

interface Plan {
  /** Chosen entries that nothing broken stands in the way of. */
  readonly entries: readonly number[];
  readonly read: ReadonlySet<number>;
  /** What needs something broken. */
  readonly blocked: ReadonlySet<number>;
}

function planOf(
  graph: ReachGraph,
  kernels: readonly number[],
  chosen: readonly number[],
  broken: ReadonlyMap<number, unknown>,
  missed: ReadonlySet<string>,
): Plan {
  const { nodes } = graph;
  const blocked = graph.neededBy([...broken.keys()].flatMap((i) => [i, ...graph.assertedBy(i)]));
  // What has no name and is no assertion says something about the file, and so about every kernel.
  const always = nodes.flatMap((n, i) =>
    n.kind === "other" && n.names.length === 0 && !graph.speaksOfOthers(i) ? [i] : [],
  );
  if (always.some((i) => blocked.has(i))) return { entries: [], read: new Set(), blocked };
  const entries = chosen.filter((i) => !blocked.has(i));
  const reached = graph.needs([...always, ...entries, ...graph.named(missed)]);
  // What only other entries need goes with them.
  const others = graph.needs(without(kernels, entries));
  const kept = nodes.flatMap((n, i) => {
    if (blocked.has(i) || n.declares.length === 0) return [];
    // All of the interface: where its parts lie depends on those before.
    return n.kind === "interface" || (!n.included && !others.has(i)) ? [i] : [];
  });
  const read = graph.needs([...reached, ...kept]);
  for (const [i, n] of nodes.entries())
    if (n.kind === "other" && !blocked.has(i) && graph.assertedBy(i).every((m) => read.has(m))) read.add(i);
  return { entries, read, blocked };
}

/** Whether what is wrong with a declaration is wrong with those that need others. */
const concerns = (graph: ReachGraph, i: number, needed: ReadonlySet<number>): boolean =>
  needed.has(i) ||
  (graph.nodes[i]!.kind === "other" &&
    (!graph.speaksOfOthers(i) || graph.assertedBy(i).some((about) => needed.has(about))));

function without(all: readonly number[], some: readonly number[]): number[] {
  const those = new Set(some);
  return all.filter((i) => !those.has(i));
}

function success(
  result: Analysis,
  graph: ReachGraph,
  expanded: ExpandedSource,
  plan: Plan,
  chosen: readonly number[],
  broken: ReadonlyMap<number, readonly Problem[]>,
  unread: ReadonlyMap<number, readonly Problem[]>,
): ReachedAnalysis {
  const problems = [...result.problems];
  const refused: RefusedEntry[] = [];
  const ofKernels = new Set<number>();
  for (const i of without(chosen, plan.entries)) {
    const needed = graph.needs([i]);
    const why = [...broken].filter(([b]) => concerns(graph, b, needed));
    for (const [b] of why) ofKernels.add(b);
    const name = graph.nodes[i]!.names[0]!;
    // A prototype is refused with its definition.
    if (!refused.some((r) => r.name === name)) refused.push({ name, problems: inOrder(why.flatMap(([, p]) => p)) });
  }
  const kernels = graph.nodes.flatMap((n, i) => (n.kind === "kernel" ? [i] : []));
  const others = graph.needs(without(kernels, plan.entries));
  const leftOut: LeftOut[] = [];
  for (const [i, { declaration, kind, declares, included, ...node }] of graph.nodes.entries()) {
    const why = unread.get(i);
    if (kind === "other" || kind === "namespace" || kind === "kernel" || declares.length === 0) continue;
    if (plan.read.has(i) && !why) continue;
    const names = node.names.length > 0 ? node.names : declares;
    const problem = (why ?? broken.get(i))?.[0];
    if (others.has(i) && !problem) continue;
    leftOut.push({ names, kind, declaration, included, ...(problem && !ofKernels.has(i) ? { problem } : {}) });
  }
  const wrong = [...broken, ...unread].flatMap(([i, found]) =>
    ofKernels.has(i) ? found : found.filter((p) => kindOf(p.code) !== "not-yet"),
  );
  append(
    problems,
    saidOnce(wrong).map((p): Problem => ({ ...p, severity: "warning" })),
  );
  const entriesLeftOut = plan.entries.length < kernels.length;
  const of = (module: Module<"canonical">): Module<"canonical"> => {
    const read = withoutFunctions(module, uncalledFunctions(module, expanded));
    return entriesLeftOut ? { ...read, entriesLeftOut } : read;
  };
  const { module, sized } = result;
  for (const { span } of module ? uncalledFunctions(module, expanded) : []) {
    const node = graph.nodes[declarationAt(graph.nodes, span.start) ?? -1];
    if (node?.kind === "function") leftOut.push({ ...node, kind: "function" });
  }
  return {
    ...(module ? { module: of(module) } : {}),
    ...(sized ? { sized: (reading) => of(sized(reading)) } : {}),
    problems: withoutRepeats(inOrder(problems)),
    refused,
    leftOut,
  };
}

function declarationAt(nodes: readonly ReachNode[], offset: number): number | undefined {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (nodes[middle]!.span.end <= offset) low = middle + 1;
    else high = middle;
  }
  return low < nodes.length && nodes[low]!.span.start <= offset ? low : undefined;
}

const inOrder = (problems: readonly Problem[]): Problem[] =>
  problems.toSorted((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
