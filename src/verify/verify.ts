/**
 * Whether two programs compute the same on given launches. Programs are run by whoever made them (`Runner`): here is
 * what is run, what counts as a difference, and what is said about it.
 */
import type { Dialect } from "../dialects/ids.js";
import type { Trace } from "../sim/index.js";
import { kindOf } from "../support/problem-kinds.js";
import type { Diagnostic } from "../support/diagnostics.js";
import type { BoundBuffer, BoundLaunch } from "../launch/bind.js";
import { addCovered, coverageOf, type Coverable } from "./coverage.js";
import { compareBuffers, withinSpread } from "./compare.js";
import type { Difference } from "./compare.js";
import type { FirstDifference, VerifyResult, VerifyRun, Writer } from "./result.js";

/** Accesses that nothing orders. */
export interface Races {
  /** Which comes last makes a difference: what such memory holds is open. */
  readonly open: readonly Diagnostic[];
  /** Of writers of one value. */
  readonly sameValue: readonly Diagnostic[];
}

/** A program with the interface of the launch: arguments and buffers go by the paths of the source's list. */
export interface Runner {
  /** Of what its runs' `covered` speaks, where it notes that. */
  readonly coverable?: Coverable;
  run(launch: BoundLaunch, how: RunOptions): Promise<RunOutcome>;
  /** These runs will be asked for, in this order: they may be begun beside others. */
  ahead?(launch: BoundLaunch, hows: readonly RunOptions[]): void;
  /** Runs again to see where the unspecified values come from that an output depends on. */
  unspecified?(launch: BoundLaunch, how: RunOptions): Promise<readonly Diagnostic[]>;
  /** Runs again to see what is read that nobody wrote. */
  unwritten?(launch: BoundLaunch, how: RunOptions): Promise<readonly Diagnostic[]>;
  /** Invocations wait for each other, at barriers or in functions of the whole workgroup. */
  readonly synchronizes?: boolean;
  /** Runs again to see where invocations race. */
  races?(launch: BoundLaunch, how: RunOptions): Promise<Races>;
  /**
   * Runs again in so many orders of the invocations, as the seed and the numbers after it say: the first outcome with a finding, or
   * that `fails`; undefined where there is none. Runners that know one order have nothing of the kind.
   */
  inTurns?(
    launch: BoundLaunch,
    how: RunOptions,
    schedules: number,
    fails: (buffers: ReadonlyMap<string, Uint8Array>) => boolean,
  ): Promise<ScheduledOutcome | undefined>;
  /** Runs again to see which lanes of these workgroups come where; of runners that are `coverable`. */
  trace?(launch: BoundLaunch, how: RunOptions, workgroups: readonly number[]): Promise<Trace>;
  /** Runs again to see who wrote this byte last. */
  writerOf?(launch: BoundLaunch, how: RunOptions, path: string, byteOffset: number): Promise<Writer | undefined>;
}
export interface RunOptions {
  readonly subgroupSize: number;
  readonly seed: number;
  /** Lanes take local indices in an order of the seed's; runners that cannot run so ignore it. */
  readonly scrambled?: boolean;
}
export interface RunOutcome {
  /** Buffers afterwards, by path: at least the outputs. */
  readonly buffers: ReadonlyMap<string, Uint8Array>;
  /** What the simulator found. Warnings: the run was completed. Errors: it was not. */
  readonly findings: readonly Diagnostic[];
  /** What the run did, where the runner counts: the same on every machine. A step is some 0.1 us of the simulator. */
  readonly steps?: number;
  /** That the workgroups took. */
  readonly milliseconds?: number;
  /** By point of the runner's `coverable`: 1 where some lane came. */
  readonly covered?: Uint8Array;
  /** Of runners that note it: by point, the operands that were compared there and nearest to each other. */
  readonly nearest?: Float64Array;
  /** Bytes that buffers would have to have, by path, for what was accessed beyond their end; -1 where it lay before them. */
  readonly beyond?: ReadonlyMap<string, number>;
}

export interface ScheduledOutcome extends Pick<RunOutcome, "buffers" | "findings"> {
  /** The seed of the order. */
  readonly schedule: number;
}

export interface CompareOptions {
  readonly target: Dialect | "ts";
  readonly subgroupSizes: (launch: BoundLaunch) => readonly number[];
  /** Two or more: results that depend on unspecified values differ between them. */
  readonly seeds: number;
  /** Besides: orders of the invocations, in each of which the source and the translation have to leave what they leave in order. */
  readonly schedules?: number;
  /** The source in the other ways its arithmetic may be carried out, for launches that state no tolerance: see `Spread`. */
  readonly open?: () => Promise<OpenArithmetic>;
}

/** What else the source may compute. */
export interface OpenArithmetic {
  readonly runners: readonly Runner[];
  /** What is left open: functions, contraction. */
  readonly names: readonly string[];
}

/** A runner that keeps what came out, of each launch until it is forgotten. */
export interface Remembering extends Runner {
  forget(launch: BoundLaunch): void;
}

/** Runs each launch, width and seed once and remembers its outputs: one source is compared with many translations. */
export function remembering(runner: Runner): Remembering {
  const known = new Map<BoundLaunch, Map<string, Promise<RunOutcome>>>();
  const keyOf = (how: RunOptions): string => `${how.subgroupSize} ${how.seed} ${how.scrambled === true}`;
  const outputs = async (launch: BoundLaunch, how: RunOptions): Promise<RunOutcome> => {
    const outcome = await runner.run(launch, how);
    const kept = outputsOf(launch).flatMap(({ path }): [string, Uint8Array][] =>
      outcome.buffers.has(path) ? [[path, outcome.buffers.get(path)!]] : [],
    );
    return { ...outcome, buffers: new Map(kept) };
  };
  return {
    forget: (launch) => void known.delete(launch),
    ...(runner.coverable ? { coverable: runner.coverable } : {}),
    ...(runner.ahead
      ? {
          ahead: (launch: BoundLaunch, hows: readonly RunOptions[]) =>
            runner.ahead!(
              launch,
              hows.filter((how) => !known.get(launch)?.has(keyOf(how))),
            ),
        }
      : {}),
    ...(runner.writerOf ? { writerOf: runner.writerOf.bind(runner) } : {}),
    ...(runner.unspecified ? { unspecified: runner.unspecified.bind(runner) } : {}),
    ...(runner.unwritten ? { unwritten: runner.unwritten.bind(runner) } : {}),
    ...(runner.trace ? { trace: runner.trace.bind(runner) } : {}),
    ...(runner.races ? { races: once(runner.races.bind(runner)) } : {}),
    ...(runner.inTurns ? { inTurns: once(runner.inTurns.bind(runner)) } : {}),
    ...(runner.synchronizes ? { synchronizes: true } : {}),
    run(launch, how) {
      const key = keyOf(how);
      const ofLaunch = known.get(launch) ?? new Map<string, Promise<RunOutcome>>();
      known.set(launch, ofLaunch);
      let outcome = ofLaunch.get(key);
      if (outcome === undefined) ofLaunch.set(key, (outcome = outputs(launch, how)));
      return outcome;
    },
  };
}

/** What is looked for once of each launch and width. */
function once<More extends readonly unknown[], T>(
  look: (launch: BoundLaunch, how: RunOptions, ...more: More) => Promise<T>,
): typeof look {
  const known = new WeakMap<BoundLaunch, Map<number, Promise<T>>>();
  return (launch, how, ...more) => {
    const ofLaunch = known.get(launch) ?? new Map<number, Promise<T>>();
    known.set(launch, ofLaunch);
    let found = ofLaunch.get(how.subgroupSize);
    if (found === undefined) ofLaunch.set(how.subgroupSize, (found = look(launch, how, ...more)));
    return found;
  };
}

/** Milliseconds of a run from which on the others of its launch are worth a thread of their own. */
const worthAhead = 20;

/** The others of a launch that took long are begun, of each runner in the order in which they are asked for. */
export function goAhead(
  { milliseconds = 0 }: RunOutcome,
  launch: BoundLaunch,
  others: readonly (readonly [Runner, readonly RunOptions[]])[],
): void {
  if (milliseconds >= worthAhead) for (const [runner, hows] of others) runner.ahead?.(launch, hows);
}

/** What a launch marks as output; every buffer that can be written where it marks none. */
export function outputsOf(launch: BoundLaunch): BoundBuffer[] {
  const buffers = launch.arguments.filter((a) => a.kind === "buffer");
  const marked = buffers.filter((b) => b.output || b.expect !== undefined);
  return marked.length > 0 ? marked : buffers.filter((b) => b.writable);
}

export const sameOutputs = ({ result }: VerifyResult): boolean =>
  result === "equivalent" || result === "equivalent-where-run";

export async function compareOnLaunches(
  source: Runner,
  /** A text may be written for launches of one size. */
  translationFor: (launch: BoundLaunch) => Runner,
  launches: readonly BoundLaunch[],
  options: CompareOptions,
): Promise<VerifyResult> {
  const { target } = options;
  const runs: VerifyRun[] = [];
  const spread = new Spread(options.open);
  const covered = new Uint8Array(source.coverable?.points.length ?? 0);
  for (const launch of launches) {
    const outputs = outputsOf(launch);
    const translation = translationFor(launch);
    let narrowest: VerifyRun | undefined;
    const widths = options.subgroupSizes(launch);
    const seeds = Array.from({ length: options.seeds }, (_, i) => i + 1);
    for (const [at, subgroupSize] of widths.entries()) {
      const described = (seed: number): VerifyRun => ({
        launch: launch.label,
        workgroups: launch.workgroups,
        workgroupSize: launch.workgroupSize,
        subgroupSize,
        seed,
        compared: outputs.map((o) => ({ buffer: o.path, bytes: o.bytes.length })),
      });
      // The source with every fill first: where its result hangs on the fill, no difference means anything.
      const expected: RunOutcome[] = [];
      for (const seed of seeds) {
        const outcome = await source.run(launch, { subgroupSize, seed });
        if (at === 0 && seed === 1) goAhead(outcome, launch, runsAfterFirst(source, translation, widths, seeds));
        const unreliable = sourceProblem(outcome, expected[0]?.buffers, outputs, described(seed));
        if (unreliable) {
          const why =
            outcome.findings.length > 0 ? [] : ((await source.unspecified?.(launch, { subgroupSize, seed })) ?? []);
          return { target, result: "inconclusive", runs, diagnostics: [...unreliable, ...why] };
        }
        addCovered(covered, outcome.covered);
        expected.push(outcome);
      }
      for (const [i, seed] of seeds.entries()) {
        const how = { subgroupSize, seed };
        const run = described(seed);
        const actual = await translation.run(launch, how);
        runs.push(run);
        if (!narrowest || subgroupSize < narrowest.subgroupSize) narrowest = run;
        if (actual.findings.length > 0) {
          const others = seeds.filter((other) => other !== seed);
          const unreliable = await readsUnspecified(source, translation, launch, how, others);
          return { target, runs, ...withFindings(target, run, actual.findings, unreliable) };
        }
        const first = differs(expected[i]!.buffers, actual, outputs);
        const found =
          first && launch.derived ? await spread.unexplained(launch, how, expected[i]!, actual, outputs) : first;
        if (found) return { target, runs, ...(await differing(source, translation, launch, how, run, found)) };
        if (i > 0 || !options.schedules) continue;
        const ordered = await otherOrders(
          source,
          translation,
          launch,
          how,
          expected[0]!,
          actual,
          outputs,
          options.schedules,
        );
        if (ordered) return { target, runs, ...ordered(run, target) };
      }
    }
    const races = narrowest ? await racesOfItsOwn(source, translation, launch, narrowest) : [];
    if (narrowest && races.length > 0) {
      const message = `invocations of the ${target} translation race where those of its source do not`;
      return {
        target,
        result: "different",
        runs,
        diagnostics: [runDiagnostic("XL6010", message, narrowest), ...races],
      };
    }
  }
  const diagnostics = await spread.notes();
  const orders =
    options.schedules && launches.some((l) => translationFor(l).inTurns !== undefined)
      ? { schedules: options.schedules }
      : {};
  if (!source.coverable) return { target, result: "equivalent", runs, ...orders, diagnostics };
  const coverage = coverageOf(source.coverable, covered, launches);
  const whole = coverage.statements.run === coverage.statements.reachable;
  return { target, result: whole ? "equivalent" : "equivalent-where-run", runs, ...orders, coverage, diagnostics };
}

/** In the order in which they are compared, but the first of the source. */
function runsAfterFirst(
  source: Runner,
  translation: Runner,
  widths: readonly number[],
  seeds: readonly number[],
): (readonly [Runner, readonly RunOptions[]])[] {
  return widths.flatMap((subgroupSize, at) => {
    const hows = seeds.map((seed) => ({ subgroupSize, seed }));
    return [[source, at === 0 ? hows.slice(1) : hows] as const, [translation, hows] as const];
  });
}

/** What a difference says: that the translation is another program, or nothing, where invocations race. */
async function differing(
  source: Runner,
  translation: Runner,
  launch: BoundLaunch,
  how: RunOptions,
  run: VerifyRun,
  { buffer, difference }: { readonly buffer: BoundBuffer; readonly difference: Difference },
): Promise<Pick<VerifyResult, "result" | "diagnostics" | "firstDifference">> {
  // A launch that someone states is to be the same all the same; one that was derived may be no use of the kernel.
  const races = (launch.derived ? (await source.races?.(launch, how))?.open : undefined) ?? [];
  if (races.length > 0) {
    const message = `'${buffer.path}[${difference.index}]' is ${difference.expected.value} in the source and ${difference.actual.value} in the translation, and invocations of the source race here: which of them comes last is open`;
    return { result: "inconclusive", diagnostics: [runDiagnostic("XL6011", message, run), ...races] };
  }
  const writers = await Promise.all(
    [source, translation].map(async (r) => r.writerOf?.(launch, how, buffer.path, difference.byteOffset)),
  );
  return { result: "different", firstDifference: describe(run, buffer, difference, writers), diagnostics: [] };
}

/** What is wrong in some other order of the invocations: with the source, of which nothing can be said then, or with its translation. */
async function otherOrders(
  source: Runner,
  translation: Runner,
  launch: BoundLaunch,
  how: RunOptions,
  expected: RunOutcome,
  actual: RunOutcome,
  outputs: readonly BoundBuffer[],
  schedules: number,
): Promise<
  | ((run: VerifyRun, target: Dialect | "ts") => Pick<VerifyResult, "result" | "diagnostics" | "firstDifference">)
  | undefined
> {
  const failing =
    (inOrder: RunOutcome) =>
    (buffers: ReadonlyMap<string, Uint8Array>): boolean =>
      differs(inOrder.buffers, { buffers }, outputs) !== undefined;
  const own = await source.inTurns?.(launch, how, schedules, failing(expected));
  if (own) {
    return (run) => {
      const open = own.findings.length === 0 ? differs(expected.buffers, own, outputs) : undefined;
      const message = open
        ? `'${open.buffer.path}[${open.difference.index}]' of the source depends on the order of its invocations: it is ${open.difference.expected.value} one after the other and ${open.difference.actual.value} as seed ${own.schedule} orders them`
        : `the source has a finding as seed ${own.schedule} orders its invocations, so nothing can be said about its translation`;
      return { result: "inconclusive", diagnostics: [runDiagnostic("XL6011", message, run), ...own.findings] };
    };
  }
  const found = await translation.inTurns?.(launch, how, schedules, failing(actual));
  if (!found) return undefined;
  return (run, target) => {
    const ordered: VerifyRun = { ...run, schedule: found.schedule };
    const wrong = found.findings.length === 0 ? differs(actual.buffers, found, outputs) : undefined;
    if (wrong) {
      const firstDifference = describe(ordered, wrong.buffer, wrong.difference, []);
      return { result: "different", firstDifference, diagnostics: [] };
    }
    const message = `the ${target} translation has a finding that its source has in none of ${schedules} orders of its invocations`;
    return { result: "different", diagnostics: [runDiagnostic("XL6010", message, ordered), ...found.findings] };
  };
}

/**
 * A barrier that a translation has lost may show in no output of the simulator, whose invocations take turns: it shows as a race.
 * Looked for where the source waits at barriers, at the narrowest width, where most is left to them.
 */
async function racesOfItsOwn(
  source: Runner,
  translation: Runner,
  launch: BoundLaunch,
  { seed, subgroupSize }: VerifyRun,
): Promise<readonly Diagnostic[]> {
  if (!source.synchronizes || !source.races || !translation.races) return [];
  const { open, sameValue } = await translation.races(launch, { subgroupSize, seed });
  if (open.length + sameValue.length === 0) return [];
  const before = await source.races(launch, { subgroupSize, seed });
  if (before.open.length > 0) return [];
  // Where the source's writers agree on a value, those of a translation that do not are its own.
  return before.sameValue.length > 0 ? open : [...open, ...sameValue];
}

/**
 * Differences that the source's own freedom explains: each number lies where the source's variants go. Looked at only where
 * something differs, since every variant is run.
 */
class Spread {
  private made: Promise<OpenArithmetic> | undefined;
  private readonly most = new Map<string, number>();

  constructor(private readonly open: (() => Promise<OpenArithmetic>) | undefined) {}

  /** The first buffer with a difference that is not explained. */
  async unexplained(
    launch: BoundLaunch,
    how: RunOptions,
    expected: RunOutcome,
    actual: RunOutcome,
    outputs: readonly BoundBuffer[],
  ): Promise<{ readonly buffer: BoundBuffer; readonly difference: Difference } | undefined> {
    if (!this.open) return differs(expected.buffers, actual, outputs);
    const { runners } = await (this.made ??= this.open());
    const variants: RunOutcome[] = [];
    for (const r of runners) {
      const outcome = await r.run(launch, how);
      if (outcome.findings.length === 0) variants.push(outcome);
    }
    for (const buffer of outputs) {
      const [a, b] = [expected.buffers.get(buffer.path)!, actual.buffers.get(buffer.path)!];
      const difference = compareBuffers(a, b, buffer);
      if (!difference) continue;
      const ulp = withinSpread(
        a,
        b,
        variants.map((v) => v.buffers.get(buffer.path)!),
        buffer,
      );
      if (ulp === undefined) return { buffer, difference };
      this.most.set(buffer.path, Math.max(ulp, this.most.get(buffer.path) ?? 0));
    }
    return undefined;
  }

  async notes(): Promise<Diagnostic[]> {
    if (this.most.size === 0) return [];
    const { names } = await this.made!;
    const where = [...this.most].map(([path, ulp]) => `'${path}' by up to ${ulp} ulp`).join(", ");
    const message = `numbers differ, ${where}, within what the dialects leave open: ${names.join(", ")}`;
    return [{ severity: "note", code: "XL6017", message, notes: [] }];
  }
}

/** Why nothing can be said: the source has a finding, or its result hangs on values it must not use. */
function sourceProblem(
  outcome: RunOutcome,
  earlier: ReadonlyMap<string, Uint8Array> | undefined,
  outputs: readonly BoundBuffer[],
  run: VerifyRun,
): Diagnostic[] | undefined {
  if (outcome.findings.length > 0) {
    return [
      runDiagnostic("XL6011", "the source has a finding, so nothing can be said about its translation", run),
      ...outcome.findings,
    ];
  }
  const open = earlier && differs(earlier, outcome, outputs);
  if (!open) return undefined;
  const { buffer, difference } = open;
  const message = `'${buffer.path}[${difference.index}]' of the source depends on unspecified values: it is ${difference.expected.value} with one fill and ${difference.actual.value} with another`;
  return [runDiagnostic("XL6011", message, run)];
}

/** What a finding of the translation says, where the source has none. `unreliable`: what the source reads that nobody wrote. */
function withFindings(
  target: CompareOptions["target"],
  run: VerifyRun,
  findings: readonly Diagnostic[],
  unreliable: readonly Diagnostic[],
): Pick<VerifyResult, "result" | "diagnostics"> {
  if (unreliable.length === 0) {
    const first = runDiagnostic("XL6010", `the ${target} translation has a finding that its source has not`, run);
    return { result: "different", diagnostics: [first, ...findings] };
  }
  const message = `the ${target} translation has a finding with one fill of unspecified values and none with another, and the source reads such values`;
  return { result: "inconclusive", diagnostics: [runDiagnostic("XL6011", message, run), ...unreliable, ...findings] };
}

/** Where the source reads what nobody wrote; nothing where the translation has a finding with the other fills, too. */
async function readsUnspecified(
  source: Runner,
  translation: Runner,
  launch: BoundLaunch,
  how: RunOptions,
  others: readonly number[],
): Promise<readonly Diagnostic[]> {
  for (const seed of others) {
    if ((await translation.run(launch, { ...how, seed })).findings.length > 0) continue;
    return (await source.unwritten?.(launch, how)) ?? [];
  }
  return [];
}

/** The first output that is not what it was in an earlier run. */
export function differs(
  earlier: ReadonlyMap<string, Uint8Array>,
  outcome: Pick<RunOutcome, "buffers">,
  outputs: readonly BoundBuffer[],
): { readonly buffer: BoundBuffer; readonly difference: Difference } | undefined {
  for (const buffer of outputs) {
    const [a, b] = [earlier.get(buffer.path), outcome.buffers.get(buffer.path)];
    if (!a || !b) throw new Error(`a run did not give back the buffer ${buffer.path}`);
    const difference = compareBuffers(a, b, buffer);
    if (difference) return { buffer, difference };
  }
  return undefined;
}

function runDiagnostic(code: "XL6009" | "XL6010" | "XL6011", message: string, run: VerifyRun): Diagnostic {
  const where = `in ${run.launch}, ${run.workgroups.join(" x ")} workgroups of ${run.workgroupSize.join(" x ")}, subgroup width ${run.subgroupSize}${orderOf(run)}`;
  return {
    severity: kindOf(code) === "inconclusive" ? "warning" : "error",
    code,
    message,
    notes: [{ message: where }],
  };
}

/** How invocations took turns, where it was not one after the other. */
export const orderOf = ({ schedule }: VerifyRun): string =>
  schedule === undefined ? "" : `, in the order of seed ${schedule}`;

function describe(
  run: VerifyRun,
  buffer: BoundBuffer,
  d: Difference,
  [source, translation]: readonly (Writer | undefined)[],
): FirstDifference {
  return {
    run,
    buffer: buffer.path,
    index: d.index,
    type: d.type,
    source: { ...d.expected, ...(source ? { writer: source } : {}) },
    translation: { ...d.actual, ...(translation ? { writer: translation } : {}) },
    count: d.count,
    multiset: buffer.compare === "multiset",
  };
}

/** Whether a run left what the launch file expects. */
export function checkExpectations(outcome: RunOutcome, launch: BoundLaunch, run: VerifyRun): Diagnostic[] {
  return launch.arguments.flatMap((argument) => {
    if (argument.kind !== "buffer" || !argument.expect) return [];
    const difference = compareBuffers(argument.expect, outcome.buffers.get(argument.path)!, argument);
    if (!difference) return [];
    const more = difference.count > 1 ? `, and ${difference.count - 1} more differ` : "";
    const message = `'${argument.path}[${difference.index}]' is ${difference.actual.value} (${difference.actual.hex}), and ${difference.expected.value} (${difference.expected.hex}) is expected${more}`;
    return [
      {
        ...runDiagnostic("XL6009", message, run),
        ...(argument.location ? { location: argument.location } : {}),
      },
    ];
  });
}
