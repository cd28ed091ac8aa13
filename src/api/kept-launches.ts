/** Which of the launches that can be derived for a kernel are kept: the source has no finding on them, and they come far. */
import type { BoundLaunch } from "../launch/bind.js";
import { mostDerived, type Candidate, type Choice, type Deriver } from "../launch/derive.js";
import { hash32 } from "../launch/initializers.js";
import { keyOf, toFlip, together, toMend, type Flips, type Wanted } from "../launch/search.js";
import type { PointId } from "../regions/tree.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { addCovered, coverageOf } from "../verify/coverage.js";
import { differs, outputsOf } from "../verify/verify.js";
import type { Remembering, Runner, RunOutcome } from "../verify/verify.js";
import type { ReadySource } from "./verify.js";

/**
 * Steps (`RunOutcome.steps`) the source may take on derived launches, each translation about as many; and those of the
 * search for them. Counted, not timed, so that every machine finds the same launches; either is a second or two. The guided
 * search, which begins where candidates that are no answer to anything leave something out, has twice as many besides.
 */
export const usualBudget = 2 ** 24;

/** Launches that are kept, those included that come to statements which the first `mostDerived` left out. */
const mostReaching = 4 * mostDerived;
/** Candidates that are no answer to anything, after which a search that can be guided is. */
const mostBlind = 36;
/** Loop iterations of one of its runs: a change that makes them many more is none that it needs. */
const guidedSteps = 2 ** 18;
/** Launches that the guided search runs at most. */
const mostGuided = 1500;
/** Launches that differ from a clean one in several ways at once. */
const mostCombined = 600;
/** Launches with findings that a search may begin with. */
const mostUnclean = 6;
/** Changes in a row to a launch on which the source has findings. */
const mostMended = 5;

/** Filling buffers is work too, and so is each run: bytes a step's time goes into, and steps a run's. */
const bytesPerStep = 32;
const stepsOfRun = 4096;
/** Numbers by value are written one by one: steps that each beyond the usual takes. */
const stepsOfValue = 32;
const usualValues = 128;

interface Kept {
  readonly launches: Map<BoundLaunch, number[]>;
  /** The widths each launch was run at. */
  readonly tried: ReadonlyMap<BoundLaunch, readonly number[]>;
  readonly dropped: number;
  readonly slow?: number;
  /** Candidates looked at, where the search ended before it had enough. */
  readonly stoppedAfter?: number;
  readonly firstFindings: readonly Diagnostic[];
}

/** The launches, and of each the widths, on which the source has no finding: as many as the budget allows. */
export async function keepClean(
  deriver: Deriver,
  source: Remembering,
  widths: readonly number[],
  seeds: number,
  /** Steps, in place of `usualBudget`. */
  budget: number,
  /** The source as a runner that notes what it compares; none where it cannot be had. */
  comparing: () => Promise<Runner | undefined>,
): Promise<Kept> {
  const search = new Search(deriver, source, widths, seeds, budget);
  await search.blind();
  if (search.lacks()) {
    const runner = await comparing();
    if (runner) await search.guided(runner);
  }
  return search.result();
}

type Verdict = "kept" | "adds nothing" | "finding" | "open" | "full";

class Search {
  private readonly launches = new Map<BoundLaunch, number[]>();
  private readonly tried = new Map<BoundLaunch, readonly number[]>();
  private readonly covered: Uint8Array;
  /** Of each launch that was kept, what it comes to. */
  private readonly pointsOf = new Map<BoundLaunch, Uint8Array>();
  private readonly middle: number;
  private dropped = 0;
  private slow: number | undefined;
  private firstFindings: readonly Diagnostic[] = [];
  /** The first launch whose output hangs on the fill: it is kept where there is no other, to say so. */
  private open: BoundLaunch | undefined;
  private left: number;
  private searched = 0;
  private looked = 0;
  private stoppedAfter: number | undefined;
  /** What the guided search begins with: those kept, and the farthest on which the source had findings. */
  private readonly kept: Candidate[] = [];
  private readonly unclean: Unclean[] = [];
  private lastUnclean: Unclean | undefined;
  private readonly seen = new Set<string>();

  constructor(
    private readonly deriver: Deriver,
    private readonly source: Remembering,
    private readonly widths: readonly number[],
    private readonly seeds: number,
    private readonly budget: number,
  ) {
    this.left = budget;
    this.middle = widths[Math.floor(widths.length / 2)]!;
    this.covered = new Uint8Array(source.coverable?.points.length ?? 0);
  }

  /** Candidates in turn, until there are enough. */
  async blind(): Promise<void> {
    for (const candidate of this.deriver.candidates()) {
      const enough = this.launches.size >= mostDerived;
      if (enough && (!this.lacks() || this.looked >= mostBlind)) break;
      // What several findings in a row do not tell, a search that looks at them may.
      if (this.searched > this.budget && (this.launches.size > 0 || this.firstFindings.length > 0)) {
        this.stoppedAfter = this.looked;
        break;
      }
      this.looked++;
      const verdict = await (enough ? this.considerReaching(candidate) : this.consider(candidate));
      if (verdict === "full") break;
    }
  }

  /** Some statement or branch that can be reached was not. */
  lacks(): boolean {
    const { coverable } = this.source;
    return coverable !== undefined && [...coverable.reachable].some((p) => this.covered[p] !== 1);
  }

  /** Those that come to most of the source, of several the first. */
  private noteUnclean(unclean: Unclean): void {
    const reached = reachedBy(unclean);
    const place = this.unclean.findIndex((u) => reachedBy(u) < reached);
    this.unclean.splice(place < 0 ? this.unclean.length : place, 0, unclean);
    this.unclean.length = Math.min(this.unclean.length, mostUnclean);
  }

  private async hangs(launch: BoundLaunch, subgroupSize: number): Promise<boolean> {
    if (this.seeds < 2) return false;
    const [first, second] = [
      await this.source.run(launch, { subgroupSize, seed: 1 }),
      await this.source.run(launch, { subgroupSize, seed: 2 }),
    ];
    return second.findings.length === 0 && differs(first.buffers, second, outputsOf(launch)) !== undefined;
  }

  /**
   * A launch that comes to something new, and the same with small whole numbers where they come there too: among special values
   * results are NaN as often as not, whatever a translation does.
   */
  private async considerReaching(candidate: Candidate): Promise<Verdict> {
    const before = this.covered.slice();
    const verdict = await this.consider(candidate, (covered) => addsTo(this.covered, covered));
    if (verdict !== "kept" || candidate.choice.data === "small") return verdict;
    const choice: Choice = { ...candidate.choice, data: "small", seed: candidate.seed };
    if (this.seen.has(keyOf(choice))) return verdict;
    const plain = this.deriver.make(choice);
    const launch = { ...plain.launch, maxSteps: candidate.launch.maxSteps! };
    const added = this.covered.map((v, i) => (before[i] === 1 ? 0 : v));
    await this.consider({ ...plain, launch }, (covered) => covered !== undefined && !addsTo(covered, added));
    return verdict;
  }

  /** Runs a launch, and keeps it where the source has no finding; with `comes` only where that holds of what it comes to. */
  private async consider(candidate: Candidate, comes?: (covered: Uint8Array | undefined) => boolean): Promise<Verdict> {
    const { launch } = candidate;
    const reaching = comes !== undefined;
    this.seen.add(keyOf(candidate.choice));
    this.lastUnclean = undefined;
    const { source, middle, seeds, widths } = this;
    const first = await source.run(launch, { subgroupSize: middle, seed: 1 });
    const { findings, steps = 0 } = first;
    const cost = 1 + steps + bytesOf(launch) / bytesPerStep;
    this.searched += cost;
    const drop = (verdict: Verdict): Verdict => {
      if (launch !== this.open) source.forget(launch);
      return verdict;
    };
    if (findings.length > 0) {
      if (this.firstFindings.length === 0) this.firstFindings = findings;
      this.dropped++;
      this.lastUnclean = { candidate, outcome: { ...first, buffers: new Map() } };
      this.noteUnclean(this.lastUnclean);
      return drop("finding");
    }
    // After enough of them, those alone that come to what none came to before.
    if (reaching && !comes(first.covered)) return drop("adds nothing");
    this.searched += seeds < 2 ? 0 : steps;
    if (await this.hangs(launch, middle)) {
      this.open ??= launch;
      this.dropped++;
      return drop("open");
    }
    // The first launch is kept whatever it costs; further ones and further widths are not.
    const affordable = Math.floor(this.left / (cost * seeds));
    if (affordable < 1 && this.launches.size > 0) {
      this.slow = cost;
      return drop("full");
    }
    // What is found after enough adds ways to go, which widths are not told apart by.
    const every = reaching ? [...new Set([widths[0]!, middle])] : widths;
    const chosen = affordable >= every.length ? every : affordable >= 2 ? [widths[0]!, widths.at(-1)!] : [middle];
    if (chosen.length < widths.length) this.slow = cost;
    this.left -= cost * seeds * chosen.length;
    const clean: number[] = [];
    for (const subgroupSize of chosen) {
      const outcome = await source.run(launch, { subgroupSize, seed: 1 });
      if (outcome.findings.length > 0) this.lastUnclean = { candidate, outcome: { ...outcome, buffers: new Map() } };
      else if (!(await this.hangs(launch, subgroupSize))) clean.push(subgroupSize);
    }
    if (clean.length === 0) {
      this.dropped++;
      return drop("finding");
    }
    this.launches.set(launch, clean);
    this.kept.push(candidate);
    const reached = new Uint8Array(this.covered.length);
    for (const subgroupSize of clean)
      addCovered(reached, (await source.run(launch, { subgroupSize, seed: 1 })).covered);
    addCovered(this.covered, reached);
    this.pointsOf.set(launch, reached);
    this.tried.set(launch, chosen);
    return "kept";
  }

  /** What a launch takes before the source runs on it. */
  private get stepsToMake(): number {
    return stepsOfRun + stepsOfValue * Math.max(0, this.deriver.scalars.length - usualValues);
  }

  /** Launches made of others so that conditions go the ways that none went. */
  async guided(runner: Runner): Promise<void> {
    const budget = this.searched + 2 * this.budget;
    let runs = 0;
    const over = (): boolean =>
      this.searched > budget || runs > mostGuided || this.launches.size >= mostReaching || !this.lacks();
    const attempt = async (choice: Choice): Promise<Verdict | undefined> => {
      if (over() || this.seen.has(keyOf(choice))) return undefined;
      runs++;
      this.looked++;
      this.searched += this.stepsToMake;
      const made = this.deriver.make(choice);
      const launch = { ...made.launch, maxSteps: guidedSteps };
      const next = { ...made, launch };
      return this.launches.size > 0 ? this.considerReaching(next) : this.consider(next);
    };
    // From what comes near, or far, and has findings.
    const mend = async (from: Candidate, beyond: ReadonlyMap<string, number>, depth: number): Promise<boolean> => {
      for (const choice of toMend(from, this.deriver, beyond)) {
        const verdict = await attempt(choice);
        if (verdict === "kept" || verdict === "full") return true;
        const next = verdict === "finding" ? this.lastUnclean : undefined;
        const further = next?.outcome.beyond ?? new Map<string, number>();
        // Within bounds where it was not, there may be something else that is to be mended.
        const nearer =
          depth < mostMended && (further.size > 0 ? [...further.values()].every((end) => end > 0) : beyond.size > 0);
        if (next && nearer && (await mend(next.candidate, further, depth + 1))) return true;
        if (over()) return false;
      }
      return false;
    };
    if (this.launches.size === 0)
      for (const { candidate, outcome } of [...this.unclean])
        if (!over() && (await mend(candidate, outcome.beyond ?? new Map(), 0))) break;
    const expanded: Readonly<Record<keyof Flips, Set<Candidate>>> = { likely: new Set(), seldom: new Set() };
    /** Newest first: what came farthest leads on. */
    const next = (how: readonly (keyof Flips)[]): { from: Candidate; flips: keyof Flips } | undefined => {
      for (const flips of how) {
        const from = this.kept.findLast((c) => !expanded[flips].has(c));
        if (from) return { from, flips };
      }
      return undefined;
    };
    const expand = async (...how: readonly (keyof Flips)[]): Promise<void> => {
      for (;;) {
        const found = next(how);
        if (!found || over()) return;
        const { from, flips } = found;
        expanded[flips].add(from);
        const outcome = await runner.run(from.launch, { subgroupSize: this.middle, seed: 1 });
        this.searched += 2 * (outcome.steps ?? 0);
        for (const wanted of this.wanted(outcome)) {
          for (const choice of toFlip(from, this.deriver, wanted)[flips]) {
            const verdict = await attempt(choice);
            if (verdict === "full" || over()) return;
            const unclean = verdict === "finding" ? this.lastUnclean : undefined;
            if (unclean && addsTo(this.covered, unclean.outcome.covered)) {
              const { beyond } = unclean.outcome;
              if (await mend(unclean.candidate, beyond ?? new Map(), mostMended - 2)) break;
            }
            if (verdict === "kept" && this.went(wanted)) break;
          }
        }
      }
    };
    await expand("likely");
    // What is clean may come nowhere: launches that came farther, and had findings, are mended with what is left.
    for (const { candidate, outcome } of [...this.unclean])
      while (!over() && addsTo(this.covered, outcome.covered))
        if (!(await mend(candidate, outcome.beyond ?? new Map(), 0))) break;
    await expand("likely", "seldom");
    // Several changes at once, where no single one is enough.
    const changes = new Map<Candidate, Choice[]>();
    const changesTo = async (from: Candidate): Promise<Choice[]> => {
      const known = changes.get(from);
      if (known) return known;
      const outcome = await runner.run(from.launch, { subgroupSize: this.middle, seed: 1 });
      this.searched += 2 * (outcome.steps ?? 0);
      const flips = this.wanted(outcome).map((wanted) => toFlip(from, this.deriver, wanted));
      const made = [
        ...flips.flatMap(({ likely, seldom }) => [...likely, ...seldom]),
        ...toMend(from, this.deriver, new Map()),
      ];
      changes.set(from, made);
      return made;
    };
    for (let round = 0; round < mostCombined && this.kept.length > 0 && !over(); round++) {
      // Of those kept the last half of the time, since it came farthest.
      const from = this.kept.at(round & 1 ? -1 : hash32(round, 0) % this.kept.length)!;
      const made = await changesTo(from);
      const one = (i: number): Choice => made[hash32(round, i) % made.length]!;
      const pair = together(from.choice, one(1), one(2));
      const verdict = await attempt(round % 3 === 0 ? together(from.choice, pair, one(3)) : pair);
      if (verdict === "full") return;
      const unclean = verdict === "finding" ? this.lastUnclean : undefined;
      if (unclean && addsTo(this.covered, unclean.outcome.covered))
        await mend(unclean.candidate, unclean.outcome.beyond ?? new Map(), mostMended - 2);
      await expand("likely", "seldom");
    }
  }

  /**
   * The sizes of workgroups that are kept, the one whose launches come farthest first: where a translation is written for one size,
   * each is a text more, so that there are no further ones than those that come where none before does.
   */
  private chosenSizes(): string[] {
    const reached = new Map<string, Uint8Array>();
    for (const [launch, points] of this.pointsOf) {
      const all = reached.get(sizeOf(launch)) ?? new Uint8Array(this.covered.length);
      reached.set(sizeOf(launch), all);
      addCovered(all, points);
    }
    const chosen: string[] = [];
    const covered = new Uint8Array(this.covered.length);
    for (;;) {
      const adds = ([, points]: [string, Uint8Array]): number =>
        points.reduce((n, v, point) => n + (v === 1 && covered[point] !== 1 ? 1 : 0), 0);
      const [best] = [...reached].sort((a, b) => adds(b) - adds(a));
      if (!best || (chosen.length > 0 && adds(best) === 0)) return chosen;
      reached.delete(best[0]);
      chosen.push(best[0]);
      addCovered(covered, best[1]);
    }
  }

  private went({ point }: Target): boolean {
    return this.covered[point] === 1;
  }

  /** Ways that were not taken, of conditions that this run came to. */
  private wanted({ covered, nearest }: RunOutcome): Target[] {
    const { points, reachable } = this.source.coverable!;
    const ways = new Map<string, PointId[]>();
    points.forEach(({ branch }, id) => {
      if (!branch) return;
      const key =
        branch.label === undefined && branch.way !== "no case" ? `${branch.span.start}.${branch.span.end}` : "switch";
      ways.set(key, [...(ways.get(key) ?? []), id]);
    });
    const targets: Target[] = [];
    for (const ids of ways.values())
      for (const point of ids) {
        if (this.covered[point] === 1 || !reachable.has(point)) continue;
        const { branch, within } = points[point]!;
        const sibling = ids.find((id) => id !== point && covered?.[id] === 1 && points[id]!.within === within);
        if (sibling === undefined) continue;
        const values = branch!.values ?? points[sibling]!.branch!.values ?? [];
        const [left, right] = [nearest?.[2 * sibling] ?? NaN, nearest?.[2 * sibling + 1] ?? NaN];
        targets.push({ point, left, right, values, ...(branch!.label === undefined ? {} : { label: branch!.label }) });
      }
    return targets;
  }

  result(): Kept {
    const { tried, open, middle } = this;
    if (this.launches.size === 0 && open) {
      this.launches.set(open, [middle]);
      this.pointsOf.set(open, new Uint8Array(this.covered.length));
      tried.set(open, [middle]);
    }
    const launches = new Map(
      this.chosenSizes().flatMap((size) => [...this.launches].filter(([launch]) => sizeOf(launch) === size)),
    );
    return {
      launches,
      tried,
      dropped: this.dropped,
      firstFindings: this.firstFindings,
      ...(this.slow !== undefined ? { slow: this.slow } : {}),
      ...(this.stoppedAfter !== undefined && launches.size < mostDerived ? { stoppedAfter: this.looked } : {}),
    };
  }
}

interface Unclean {
  readonly candidate: Candidate;
  readonly outcome: RunOutcome;
}

interface Target extends Wanted {
  readonly point: PointId;
}

/** Of the launches the one that comes to most of the source; of several the one with the least data. */
export async function furthestLaunch({ source, launches, subgroupSizes }: ReadySource): Promise<BoundLaunch> {
  let best: { readonly launch: BoundLaunch; readonly run: number } | undefined;
  for (const launch of launches) {
    const covered = new Uint8Array(source.coverable?.points.length ?? 0);
    for (const subgroupSize of subgroupSizes(launch))
      addCovered(covered, (await source.run(launch, { subgroupSize, seed: 1 })).covered);
    const run = source.coverable ? coverageOf(source.coverable, covered).statements.run : 0;
    if (!best || run > best.run || (run === best.run && bytesOf(launch) < bytesOf(best.launch))) best = { launch, run };
  }
  if (!best) throw new Error("a source that is ready has launches");
  return best.launch;
}

const addsTo = (covered: Uint8Array, more: Uint8Array | undefined): boolean =>
  more?.some((v, i) => v === 1 && covered[i] !== 1) ?? false;

const reachedBy = ({ outcome }: Unclean): number => outcome.covered?.reduce((n, v) => n + v, 0) ?? 0;

const sizeOf = ({ workgroupSize }: BoundLaunch): string => workgroupSize.join();

const bytesOf = (launch: BoundLaunch): number =>
  launch.arguments.reduce((n, a) => n + (a.kind === "workgroup" ? 0 : a.bytes.length), 0);
