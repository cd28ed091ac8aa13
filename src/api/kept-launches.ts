/** Which of the launches that can be derived for a kernel are kept: the source has no finding on them, and they come far. */
import type { BoundLaunch } from "../launch/bind.js";
import { mostDerived } from "../launch/derive.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { addCovered, coverageOf } from "../verify/coverage.js";
import { differs, outputsOf } from "../verify/verify.js";
import type { Remembering, Runner } from "../verify/verify.js";
import type { ReadySource } from "./verify.js";

/**
 * Steps (`RunOutcome.steps`) the source may take on derived launches, each translation about as many; and those of the
 * search for them. Counted, not timed, so that every machine finds the same launches; either is a second or two.
 */
const derivedBudget = 2 ** 24;
const searchBudget = 2 ** 24;

/** Launches that are kept, those included that come to statements which the first `mostDerived` left out. */
const mostReaching = 2 * mostDerived;

/** Filling buffers is work too: bytes a step's time goes into. */
const bytesPerStep = 32;

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
  candidates: Iterable<BoundLaunch>,
  source: Remembering,
  widths: readonly number[],
  seeds: number,
): Promise<Kept> {
  const launches = new Map<BoundLaunch, number[]>();
  const tried = new Map<BoundLaunch, readonly number[]>();
  let dropped = 0;
  let slow: number | undefined;
  let firstFindings: readonly Diagnostic[] = [];
  /** The first launch whose output hangs on the fill: it is kept where there is no other, to say so. */
  let open: BoundLaunch | undefined;
  const hangs = async (launch: BoundLaunch, subgroupSize: number): Promise<boolean> => {
    if (seeds < 2) return false;
    const [first, second] = [
      await source.run(launch, { subgroupSize, seed: 1 }),
      await source.run(launch, { subgroupSize, seed: 2 }),
    ];
    return second.findings.length === 0 && differs(first.buffers, second, outputsOf(launch)) !== undefined;
  };
  let left = derivedBudget;
  const middle = widths[Math.floor(widths.length / 2)]!;
  let searched = 0;
  let looked = 0;
  let stoppedAfter: number | undefined;
  let last: BoundLaunch | undefined;
  const covered = new Uint8Array(source.coverable?.points.length ?? 0);
  for (const launch of candidates) {
    // What is known of a dropped launch is not needed again.
    if (last && last !== open && !launches.has(last)) source.forget(last);
    last = launch;
    const enough = launches.size >= mostDerived;
    if (launches.size === mostReaching || (enough && !lacks(source, covered))) break;
    if (searched > searchBudget && (launches.size > 0 || firstFindings.length > 0)) {
      stoppedAfter = looked;
      break;
    }
    looked++;
    const first = await source.run(launch, { subgroupSize: middle, seed: 1 });
    const { findings, steps = 0 } = first;
    const cost = 1 + steps + bytesOf(launch) / bytesPerStep;
    searched += cost;
    if (findings.length > 0) {
      if (firstFindings.length === 0) firstFindings = findings;
      dropped++;
      continue;
    }
    // After enough of them, those alone that come to what none came to before.
    if (enough && !addsTo(covered, first.covered)) continue;
    searched += seeds < 2 ? 0 : steps;
    if (await hangs(launch, middle)) {
      open ??= launch;
      dropped++;
      continue;
    }
    // The first launch is kept whatever it costs; further ones and further widths are not.
    const affordable = Math.floor(left / (cost * seeds));
    if (affordable < 1 && launches.size > 0) {
      slow = cost;
      break;
    }
    const chosen = affordable >= widths.length ? widths : affordable >= 2 ? [widths[0]!, widths.at(-1)!] : [middle];
    if (chosen.length < widths.length) slow = cost;
    left -= cost * seeds * chosen.length;
    const clean: number[] = [];
    for (const subgroupSize of chosen) {
      const outcome = await source.run(launch, { subgroupSize, seed: 1 });
      if (outcome.findings.length === 0 && !(await hangs(launch, subgroupSize))) clean.push(subgroupSize);
    }
    if (clean.length === 0) continue;
    launches.set(launch, clean);
    for (const subgroupSize of clean)
      addCovered(covered, (await source.run(launch, { subgroupSize, seed: 1 })).covered);
    tried.set(launch, chosen);
  }
  if (launches.size === 0 && open) {
    launches.set(open, [middle]);
    tried.set(open, [middle]);
  }
  return {
    launches,
    tried,
    dropped,
    firstFindings,
    ...(slow !== undefined ? { slow } : {}),
    ...(stoppedAfter !== undefined ? { stoppedAfter } : {}),
  };
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

/** Some statement or branch that can be reached was not. */
const lacks = ({ coverable }: Runner, covered: Uint8Array): boolean =>
  coverable !== undefined && [...coverable.reachable].some((p) => covered[p] !== 1);

const addsTo = (covered: Uint8Array, more: Uint8Array | undefined): boolean =>
  more?.some((v, i) => v === 1 && covered[i] !== 1) ?? false;

const bytesOf = (launch: BoundLaunch): number =>
  launch.arguments.reduce((n, a) => n + (a.kind === "workgroup" ? 0 : a.bytes.length), 0);
