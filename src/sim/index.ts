/** The simulator: an entry of a module compiled to JavaScript once, and run on arguments. */
import { printKernel } from "../../emitters/typescript/printer.js";
import { asksForSubgroups, regionBodies } from "../regions/queries.js";
import type { EntryPoint, Module, OpId } from "../ast/nodes.js";
import type { Expansion } from "../ops/row.js";
import { Work } from "../regions/work.js";
import { visitCode } from "../regions/machine.js";
import type { Code, Program, Region } from "../regions/tree.js";
import type { Problem } from "../support/diagnostics.js";
import type { Span } from "../support/span.js";
import { allFindings, type Finding, type FindingKind } from "./findings.js";
import { codeFromText } from "./code-from-text.js";
import { SizeBeyond } from "./checked-arithmetic.js";
import { holdsSizes, type CountedSizes } from "./counted-sizes.js";
import {
  launchKernel,
  launching,
  runThrough,
  type Factory,
  type Kernel,
  type RunOutcome,
  type Running,
  type RunSettings,
} from "./kernel.js";
import type { ThreeSizes } from "./machine.js";
import { groupsAreSeparate, writtenAccesses } from "./separate-groups.js";
import { hasIdleThread, threadsOf, type Away } from "./threads.js";
import { programOf } from "./program.js";
import { copiesAside } from "./collectives/async-copies.js";
import { atomicsMayRace, raceSettings } from "./races.js";
import type { Printed } from "./printer.js";
import { runtimeNames } from "./runtime.js";
import { settledConditions } from "./settled-conditions.js";
import { observedFills, observedLanes, type Again } from "./unspecified.js";
import {
  CannotEncode,
  Memories,
  Unfit,
  WasmLaunch,
  wasmCode,
  type InThreads,
  type EncodeOptions,
  type WasmCode,
} from "./wasm.js";

export { allFindings, findingKinds, type Finding, type FindingKind } from "./findings.js";
export { countsSizes } from "./counted-sizes.js";
export { grantedRoutines } from "./granted.js";
export { Trace, type TraceEvent } from "./trace.js";
export type { Printed, PrintedMessage } from "./printer.js";
export { codeFromText, codeFromTextIsAllowed, NeedsCodeFromText } from "./code-from-text.js";
export { LaunchError, type Launch } from "./kernel.js";

export interface CompileOptions {
  readonly findings?: "none" | "all" | readonly FindingKind[];
  /** Routines in place of the runtime's, and for all arithmetic on floats. */
  readonly granted?: Readonly<Record<string, unknown>>;
  /** For tests and modules with ops of their own; the capability table's otherwise. */
  readonly expansionOf?: (op: OpId) => Expansion | undefined;
  /** Note which statements and branches some lane came to: `RunResult.covered`. */
  readonly coverage?: boolean;
  /** With coverage: note what conditions compared as well, `RunResult.nearest`. */
  readonly compared?: boolean;
}

export interface CompiledKernel {
  readonly name: string;
  readonly program: Program;
  readonly findings: ReadonlySet<FindingKind>;
  readonly granted: Readonly<Record<string, unknown>> | undefined;
  readonly compared: boolean;
  /** Printed code by what is fixed in it. */
  readonly factories: Map<
    string,
    { readonly factory: Factory; readonly limits: Kernel["limits"]; readonly text: string }
  >;
  /** Encoded code by what is fixed in it, or why there is none. */
  readonly encoded: Map<string, WasmCode | string>;
  readonly memories: Memories;
  /** Where arithmetic that counts elements in 64 bits is done in 32. */
  readonly sizes?: CountedSizes;
}

/** ts: the printed TypeScript. wasm: WebAssembly, and the other one for what it cannot do; both give the same. */
export const engines = ["ts", "wasm"] as const;
export type Engine = (typeof engines)[number];

/** What carried out a launch. */
export interface EngineUsed {
  readonly engine: Engine;
  /** Lanes were taken several at a time. */
  readonly vectors: boolean;
  /** So many threads took part in it, where it was more than one. */
  readonly threads?: number;
  /** Why it was not the engine that was asked for, or not the fastest form of it. */
  readonly because?: string;
}

export type CompileResult =
  | { readonly kernel: CompiledKernel; readonly problems: readonly Problem[] }
  | { readonly kernel: undefined; readonly problems: readonly Problem[] };

export function compile(module: Module, entry: EntryPoint | string, options: CompileOptions = {}): CompileResult {
  const found = typeof entry === "string" ? module.entries.find((e) => e.name === entry) : entry;
  if (!found) throw new Error(`the module has no entry ${typeof entry === "string" ? entry : entry.name}`);
  const wanted = options.findings ?? "all";
  const findings = new Set<FindingKind>(wanted === "all" ? allFindings : wanted === "none" ? [] : wanted);
  const built = programOf(module, found, {
    ...(options.expansionOf ? { expansionOf: options.expansionOf } : {}),
    indices: findings.has("out-of-bounds"),
    openOperands: findings.has("undefined-arithmetic"),
    fences: racesAmong(findings).size > 0,
    coverage: options.coverage === true,
    compared: options.compared === true,
    ...(options.coverage ? { settled: settledConditions(module) } : {}),
  });
  if ("problem" in built) return { kernel: undefined, problems: [built.problem] };
  return {
    kernel: {
      name: found.name,
      program: built.program,
      findings,
      granted: options.granted,
      compared: options.compared === true,
      factories: new Map(),
      encoded: new Map(),
      memories: new Memories(),
    },
    problems: [],
  };
}

export type RunOptions = Omit<RunSettings, "wanted" | "flip" | "races" | "schedule" | "cover" | "nearest"> & {
  /** So many schedules are tried, from the seed on, until one has a finding. */
  readonly schedules?: number;
  /** What a schedule leaves in the buffers is wrong. */
  readonly fails?: (buffers: ReadonlyMap<string, Uint8Array>) => boolean;
  /** wasm where it is not said. */
  readonly engine?: Engine;
};

/** The last writer of an element, for reports of differences. */
export interface Writer {
  readonly lane: number;
  readonly workgroup: number;
  readonly span: Span;
}

export interface RunResult {
  /** Every buffer's bytes after the run, by path. */
  readonly buffers: ReadonlyMap<string, Uint8Array>;
  readonly findings: readonly Finding[];
  /** What is no finding, since nobody asked for it by name. */
  readonly notes: readonly Finding[];
  readonly stats: {
    readonly invocations: number;
    readonly workgroups: number;
    readonly milliseconds: number;
    /** Of them, those that the workgroups took: without compiling, and laying out memory. Of what another thread ran, the time until somebody asked for it. */
    readonly kernelMilliseconds: number;
    readonly complete: boolean;
    /** What the run did, in steps (see regions/work); without its loops where no limit is set. */
    readonly steps: number;
    readonly engine: EngineUsed;
    /** Lanes took turns at atomics: in order, since some waited for others, or as this seed says, of which the result is. */
    readonly schedule?: "in order" | number;
  };
  /** Of a kernel compiled for coverage: 1 for each of `Program.points` that a lane came to. */
  readonly covered?: Uint8Array;
  /** Of one compiled with `compared`: of each point the operands that were nearest to each other, left and right; NaN where none were. */
  readonly nearest?: Float64Array;
  /** Of buffers and workgroup memory sized at launch, by path, the bytes they would have to have for what was accessed beyond their end; -1 where it lay before them. */
  readonly beyond: ReadonlyMap<string, number>;
  /** With `prints`, of a kernel that prints. */
  readonly printed?: Printed;
  /** With `writers`: who wrote the 4-byte word at a byte offset of a buffer last. */
  readonly writerOf?: (path: string, byte: number) => Writer | undefined;
}

/** Forms of a run, each for what the one before leaves to it. */
interface Attempt {
  readonly engine: Engine;
  readonly vectors: boolean;
}
const attempts: Readonly<Record<Engine, readonly Attempt[]>> = {
  ts: [{ engine: "ts", vectors: false }],
  wasm: [
    { engine: "wasm", vectors: true },
    { engine: "wasm", vectors: false },
    { engine: "ts", vectors: false },
  ],
};

export function run(compiled: CompiledKernel, options: RunOptions): RunResult {
  return runThrough(running(compiled, options));
}

/** Of the threads that launches may take, one does nothing. */
export const hasThreadFor = (threads: number | undefined): boolean => hasIdleThread(threadsOf(threads));

/** A run begun: `away` is what another thread does of it, where there was one that did nothing. */
export interface Begun {
  readonly away: Away | undefined;
  /** Goes on when that is over. */
  readonly result: () => RunResult;
}

/** The same as `run`, but for who does it: another thread, where one does nothing and can. */
export function begin(compiled: CompiledKernel, options: RunOptions): Begun {
  const begun = running(compiled, options, true);
  const first = begun.next();
  if (first.done === true) return { away: undefined, result: () => first.value };
  return { away: first.value, result: () => runThrough(begun) };
}

function* running(compiled: CompiledKernel, options: RunOptions, mayLeave = false): Running<RunResult> {
  const { sizes, findings, program } = compiled;
  if (!sizes || !findings.has("out-of-bounds") || holdsSizes(sizes.module(), program.workgroupSize, options))
    return yield* runInForms(compiled, options, mayLeave);
  try {
    return yield* runOther(compiled, sizes.counted(), options, mayLeave);
  } catch (e) {
    if (!(e instanceof SizeBeyond)) throw e;
    options.trace?.restart();
    return yield* runOther(compiled, sizes.wide(), options, false);
  }
}

/** Another form of the kernel in its place. */
function* runOther(
  { findings, program }: CompiledKernel,
  other: CompiledKernel,
  options: RunOptions,
  mayLeave: boolean,
): Running<RunResult> {
  const { covered, nearest, ...result } = yield* runInForms({ ...other, findings }, options, mayLeave);
  const samePoints = other.program.points.length === program.points.length;
  return samePoints ? { ...result, ...(covered ? { covered } : {}), ...(nearest ? { nearest } : {}) } : result;
}

/** By the fastest engine and form that can do it. */
function* runInForms(compiled: CompiledKernel, options: RunOptions, mayLeave: boolean): Running<RunResult> {
  let because: string | undefined;
  // What another thread has given up is done here.
  let leaves = mayLeave;
  for (const attempt of attempts[options.engine ?? "wasm"]) {
    for (const threads of [threadsOf(options.threads), 1]) {
      const launches: WasmLaunch[] = [];
      try {
        return yield* runBy(compiled, { ...options, threads }, attempt, because, launches, leaves);
      } catch (e) {
        if (!(e instanceof Unfit || e instanceof CannotEncode)) throw e;
        leaves = false;
        // One thread may do what several have given up.
        if (launches.some((l) => l.parallel)) continue;
        because ??= e.message;
        break;
      } finally {
        // What is kept of a run is copied.
        for (const l of launches) l.end();
      }
    }
  }
  throw new Error("no engine carries this out");
}

function* runBy(
  compiled: CompiledKernel,
  options: RunOptions,
  attempt: Attempt,
  because: string | undefined,
  launches: WasmLaunch[],
  mayLeave: boolean,
): Running<RunResult> {
  const { program } = compiled;
  const steps = options.maxSteps !== undefined;
  const kernel = kernelOf(compiled);
  // Over a workgroup, order is that of the local index.
  const scrambled = options.scrambled === true && !usesWorkgroupOrder(program.regions);
  const trace = options.trace !== undefined;
  const printed = (writers: boolean, localFills: boolean, races = false, interleaved = false): Kernel => {
    if (attempt.engine === "wasm" && !races && !interleaved && !trace) {
      // Who wrote what is noted by one lane after the other.
      const form = { steps, localFills, scrambled, writers, vectors: attempt.vectors && !writers };
      return wasmKernel(compiled, kernel, options, form, launches, mayLeave);
    }
    const prepared = (size: ThreeSizes, width: number) =>
      factoryFor(compiled, size, width, { steps, writers, localFills, scrambled, races, interleaved, trace });
    const { limits } = prepared(program.workgroupSize ?? sizeOf(options), options.subgroupSize ?? 32);
    return { ...kernel, limits, factory: (size, width) => prepared(size, width).factory };
  };
  const ready = printed(options.writers === true, false);
  const started = performance.now();
  // Of this run alone: those that look for the causes of findings have other values.
  const cover = new Uint8Array(program.points.length);
  const nearest = new Float64Array(compiled.compared ? 2 * cover.length : 0).fill(NaN);
  const covered = {
    ...(cover.length > 0 ? { covered: cover } : {}),
    ...(nearest.length > 0 ? { nearest } : {}),
  };
  const code = (races: boolean, inTurns: boolean): Kernel =>
    races || inTurns ? printed(options.writers === true, false, races, inTurns) : ready;
  const { outcome, turns, settings, schedule } = yield* outcomeOf(compiled, options, code, {
    scrambled,
    cover,
    nearest,
    mayLeave,
  });
  const milliseconds = performance.now() - started;
  const buffers = buffersOf(program, outcome);
  const beyond = beyondOf(program, outcome);
  const [x, y, z] = outcome.workgroups;
  const workgroup = (program.workgroupSize ?? sizeOf(options)).reduce((a, b) => a * b);
  const straight = x * y * z * new Work(program).ofWorkgroup({ workgroup, subgroup: options.subgroupSize ?? 32 });
  const stats = {
    invocations: outcome.invocations,
    workgroups: x * y * z,
    milliseconds,
    kernelMilliseconds: outcome.milliseconds,
    complete: outcome.complete,
    steps: outcome.steps + straight,
    engine: engineUsed(attempt, because, turns, options.writers === true, launches),
    ...(schedule === undefined ? {} : { schedule }),
  };
  let findings: readonly Finding[] = [...outcome.memory.findings.values()];
  // Runs for the causes of findings are no part of what is recorded.
  const { trace: _, prints: _prints, ...untraced } = settings;
  const again: Again = (flip, { writers, localFills }) =>
    launchKernel(printed(writers, localFills, false, turns), {
      ...untraced,
      writers,
      ...(flip ? { flip } : {}),
      wanted: new Set(),
    });
  findings = observedLanes(findings, outcome, again, program);
  findings = overflowsOfAllFills(findings, code(false, turns), untraced);
  // An integer that overflows stands in the way of nothing else.
  const plain = findings.every((f) => f.kind === "integer-overflow") ? findings : undefined;
  const screened = attempt.engine === "wasm" && !turns;
  // Nothing is said of a launch that a screen lets pass.
  const form = { steps, scrambled, vectors: attempt.vectors };
  // One invocation races with nobody but what goes on by itself.
  const alone = outcome.invocations === 1 && !copiesAside(program.regions);
  const races = alone ? new Set<FindingKind>() : racesAmong(compiled.findings);
  const raced =
    plain && races.size > 0 && !(screened && passesScreen(compiled, kernel, untraced, form))
      ? launchKernel(printed(false, false, true, turns), {
          ...untraced,
          races: { ...raceSettings(program), interleaved: turns },
          wanted: races,
        })
      : undefined;
  const { memory } = raced ?? outcome;
  const notes = [...memory.notes.values()];
  if (plain && raced) findings = [...plain, ...memory.findings.values()];
  // What else is wrong may be why something is not written.
  const given = { raced: memory.races?.met, uninitialized: options.uninitialized };
  if (plain && (raced?.complete ?? true) && compiled.findings.has("uninitialized-read"))
    findings = [...findings, ...observedFills(outcome, again, program, given)];
  const noted = { ...covered, ...(outcome.memory.printer ? { printed: outcome.memory.printer.printed } : {}) };
  if (!options.writers) return { buffers, findings, notes, stats, beyond, ...noted };
  return { buffers, findings, notes, stats, beyond, ...noted, writerOf: writersOf(program, outcome) };
}

/** A sum of unspecified values overflows with one fill and not with others: what all have is the program's own. */
function overflowsOfAllFills(
  found: readonly Finding[],
  kernel: Kernel,
  settings: Omit<RunSettings, "wanted">,
): readonly Finding[] {
  let findings = found;
  for (const more of found.some((f) => f.kind === "integer-overflow") ? [1, 2, 3, 4] : []) {
    const other = launchKernel(kernel, {
      ...settings,
      scrambled: false,
      seed: (settings.seed ?? 1) + more,
      wanted: new Set(["integer-overflow"]),
    });
    const sites = new Set([...other.memory.findings.values()].map((f) => f.site));
    findings = findings.filter((f) => f.kind !== "integer-overflow" || sites.has(f.site));
  }
  return findings;
}

const racesAmong = (findings: ReadonlySet<FindingKind>): ReadonlySet<FindingKind> =>
  new Set((["data-race", "same-value-race"] as const).filter((kind) => findings.has(kind)));

function engineUsed(
  { engine, vectors }: Attempt,
  because: string | undefined,
  turns: boolean,
  writers: boolean,
  launches: readonly WasmLaunch[],
): EngineUsed {
  const byLane = !vectors
    ? undefined
    : writers
      ? "it is noted who writes what"
      : launches.find((l) => l.byLane !== undefined)?.byLane;
  const why = byLane ?? because;
  const threads = Math.max(1, ...launches.map((l) => l.threadCount));
  const [printed] = attempts.ts;
  if (turns && printed && printed.engine !== engine) return { ...printed, because: "lanes take turns" };
  return {
    engine,
    vectors: vectors && byLane === undefined,
    ...(threads > 1 ? { threads } : {}),
    ...(why === undefined ? {} : { because: why }),
  };
}

/** It is sure that no two accesses of a launch race: WebAssembly that notes who touched what (emitters/wasm/race-screen.ts) came to its end. */
function passesScreen(
  compiled: CompiledKernel,
  kernel: Kernel,
  settings: Omit<RunSettings, "wanted">,
  form: { readonly steps: boolean; readonly scrambled: boolean; readonly vectors: boolean },
): boolean {
  if (atomicsMayRace(compiled.program)) return false;
  for (const vectors of form.vectors ? [true, false] : [false]) {
    const launches: WasmLaunch[] = [];
    try {
      const encoded = { ...form, localFills: false, vectors, screen: true };
      return launchKernel(wasmKernel(compiled, kernel, settings, encoded, launches), { ...settings, wanted: new Set() })
        .complete;
    } catch (e) {
      // Lanes that go together are known less exactly than one by one.
      if (!(e instanceof Unfit || e instanceof CannotEncode)) throw e;
    } finally {
      for (const l of launches) l.end();
    }
  }
  return false;
}

/** Steps of a kernel whose lanes may wait for each other before they take turns. */
const mostBeforeTurns = 2 ** 24;

interface Ran {
  readonly outcome: RunOutcome;
  /** Lanes took turns. */
  readonly turns: boolean;
  /** For runs like it. */
  readonly settings: Omit<RunSettings, "wanted" | "cover" | "nearest">;
  readonly schedule?: "in order" | number;
}

/** Lanes one after the other; in turns where they do not get to an end so, and in as many schedules as are asked for. */
function* outcomeOf(
  { program, findings }: CompiledKernel,
  options: RunOptions,
  code: (races: boolean, turns: boolean) => Kernel,
  {
    scrambled,
    mayLeave,
    ...noted
  }: {
    readonly scrambled: boolean;
    readonly cover: Uint8Array;
    readonly nearest: Float64Array;
    readonly mayLeave: boolean;
  },
): Running<Ran> {
  const plain = { ...options, scrambled };
  const running = (kernel: Kernel, settings: Ran["settings"], leaves = false): Running<RunOutcome> => {
    settings.trace?.restart();
    return launching(kernel, { ...settings, ...noted, wanted: findings }, leaves);
  };
  const run = (kernel: Kernel, settings: Ran["settings"]): RunOutcome => runThrough(running(kernel, settings));
  const { maxSteps } = options;
  const waits = maxSteps !== undefined && mayWait(program);
  const first = waits ? { ...plain, maxSteps: Math.min(maxSteps, mostBeforeTurns) } : plain;
  let found: Ran = {
    outcome: yield* running(code(false, false), first, mayLeave),
    turns: false,
    settings: plain,
  };
  if (waits && found.outcome.stopped) {
    const settings = { ...plain, schedule: { seed: undefined } };
    // What the run came to that was given up is no evidence.
    noted.cover.fill(0);
    noted.nearest.fill(NaN);
    found = { outcome: run(code(false, true), settings), turns: true, settings, schedule: "in order" };
  }
  // What is recorded is of the run that all launches have.
  const { trace: _, ...untraced } = plain;
  const looked = racesAmong(findings).size > 0;
  const races = looked ? { races: { ...raceSettings(program), interleaved: true } } : {};
  for (let i = 0; i < (options.schedules ?? 0) && found.outcome.memory.findings.size === 0; i++) {
    const seed = (options.seed ?? 1) + i;
    const settings = { ...untraced, seed, schedule: { seed } };
    const outcome = run(code(looked, true), { ...settings, ...races });
    if (outcome.memory.findings.size > 0 || options.fails?.(buffersOf(program, outcome)) === true)
      found = { outcome, turns: true, settings, schedule: seed };
    if (found.schedule === seed) break;
  }
  return found;
}

/** Some loop looks at memory atomically: it may wait for what another lane does. */
function mayWait(program: Program): boolean {
  let found = false;
  const looks = (list: readonly Code[]): void =>
    visitCode(list, (c) => void (found ||= c.kind === "atomic" && c.op !== "store" && c.result !== undefined));
  const code = (list: readonly Code[]): void => visitCode(list, (c) => void (c.kind === "loop" && looks([c])));
  const walk = (list: readonly Region[], inLoop: boolean): void => {
    for (const r of list) {
      if (r.kind === "lanes") (inLoop ? looks : code)(r.code);
      for (const b of regionBodies(r)) walk(b, inLoop || r.kind === "loop");
    }
  };
  for (const h of program.helpers) looks(h.body);
  walk(program.regions, false);
  return found;
}

function writersOf(program: Program, outcome: RunOutcome): NonNullable<RunResult["writerOf"]> {
  return (path, byte) => {
    const object = program.objects.find((o) => o.kind === "buffer" && (o.path ?? o.name) === path);
    const w = object && outcome.memory.writers.get(object.id);
    const site = w?.site[byte >> 2] ?? 0;
    if (!w || site === 0) return undefined;
    return { lane: w.lane[byte >> 2]!, workgroup: w.group[byte >> 2]!, span: program.sites[site - 1]!.span };
  };
}

function kernelOf({ name, program }: CompiledKernel): Kernel {
  return {
    name,
    objects: program.objects,
    values: program.values,
    sites: [...program.sites, ...program.readSites],
    ...(program.workgroupSize ? { workgroupSize: program.workgroupSize } : {}),
    points: program.points.length,
    formats: program.formats,
    limits: [],
    factory: () => {
      throw new Error("replaced below");
    },
  };
}

function buffersOf(program: Program, outcome: RunOutcome): Map<string, Uint8Array> {
  const buffers = new Map<string, Uint8Array>();
  for (const o of program.objects) {
    if (o.kind !== "buffer") continue;
    const p = outcome.memory.places[o.id]!;
    buffers.set(o.path ?? o.name, outcome.memory.bytes.slice(p.base, p.base + p.bytes));
  }
  return buffers;
}

function beyondOf(program: Program, outcome: RunOutcome): Map<string, number> {
  return new Map(
    [...outcome.memory.beyond].flatMap(([id, end]): [string, number][] => {
      const o = program.objects[id];
      const given = o?.kind === "buffer" || (o?.kind === "workgroup" && o.path !== undefined);
      return given ? [[o.path ?? o.name, end]] : [];
    }),
  );
}

function usesWorkgroupOrder(regions: readonly Region[]): boolean {
  return regions.some(
    (r) => (r.kind === "collective" && r.over === "workgroup") || regionBodies(r).some(usesWorkgroupOrder),
  );
}

const sizeOf = (options: RunOptions): ThreeSizes => {
  const [x = 64, y = 1, z = 1] = options.workgroupSize ?? [];
  return [x, y, z];
};

/** The kernel as WebAssembly; throws `CannotEncode` where it cannot be. */
function wasmKernel(
  compiled: CompiledKernel,
  kernel: Kernel,
  options: Omit<RunOptions, "engine">,
  given: Omit<EncodeOptions, "workgroupSize" | "subgroupSize" | "alignedGrid" | "thread" | "frameBytes">,
  launches: WasmLaunch[],
  mayLeave = false,
): Kernel {
  const { program } = compiled;
  if (compiled.granted) throw new CannotEncode("arithmetic as far off as it may be");
  if (compiled.compared) throw new CannotEncode("what conditions compared is noted");
  const count = given.writers || given.screen ? 1 : (options.threads ?? 1);
  const accesses = count > 1 ? writtenAccesses(program) : undefined;
  const size = program.workgroupSize ?? sizeOf(options);
  const alignedGrid = size[0] % 4 === 0 && (options.gridOffset?.[0] ?? 0) % 4 === 0;
  const shared = accesses !== undefined || (mayLeave && count > 1);
  const form = { ...given, alignedGrid, ...(shared ? { thread: 0, frameBytes: 0 } : { thread: undefined }) };
  // From a group of lanes on.
  const anyWidth = !asksForSubgroups(program);
  const codeFor = (size: ThreeSizes, width: number, thread = form.thread, frameBytes = 0): WasmCode => {
    const encodedFor = width >= 4 && anyWidth ? 32 : width;
    const key = `${thread}/${size.join()}/${encodedFor}/${form.steps}/${form.localFills}/${form.scrambled}/${form.writers}/${form.vectors}/${form.screen}/${alignedGrid}`;
    let found = compiled.encoded.get(key);
    if (found === undefined) {
      try {
        found = wasmCode(program, { ...form, thread, frameBytes, workgroupSize: size, subgroupSize: encodedFor });
        if (form.vectors && form.screen && found.encoded.vectorised === 0) found = reasonByLane(found);
      } catch (e) {
        if (!(e instanceof CannotEncode)) throw e;
        found = e.message;
      }
      compiled.encoded.set(key, found);
    }
    if (typeof found === "string") throw new CannotEncode(found);
    return found;
  };
  const width = program.subgroupSize ?? options.subgroupSize ?? 32;
  const whole = codeFor(size, width);
  const { frame, shadows } = whole.encoded;
  const inThreads: InThreads | undefined = shared
    ? {
        count,
        frames: accesses ? count : 1,
        from: options.threadsFrom,
        codeOf: (thread) => codeFor(size, width, thread, frame.bytes),
        separate: (m) => accesses !== undefined && groupsAreSeparate(program, accesses, m),
      }
    : undefined;
  const launch = new WasmLaunch(compiled.memories, frame.bytes, form.vectors, shadows, inThreads);
  if (form.vectors && whole.encoded.vectorised === 0) launch.byLane = reasonByLane(whole);
  launches.push(launch);
  return {
    ...kernel,
    limits: whole.encoded.limits,
    // Of a smaller workgroup other checks cannot fail.
    limitsOf: (size, width) => codeFor(size, width).encoded.limits,
    room: launch,
    factory: (size, width) => (m) => launch.workgroup(codeFor(size, width), m),
  };
}

const reasonByLane = ({ encoded }: WasmCode): string =>
  [...new Set(encoded.byLane)].join(", ") || "it has no run of lanes";

type Form = {
  readonly steps: boolean;
  readonly writers: boolean;
  readonly localFills: boolean;
  readonly scrambled: boolean;
  readonly races: boolean;
  readonly interleaved: boolean;
  readonly trace: boolean;
};

function factoryFor(compiled: CompiledKernel, size: ThreeSizes, width: number, form: Form) {
  const key = `${size.join()}/${width}/${form.steps}/${form.writers}/${form.localFills}/${form.scrambled}/${form.races}/${form.interleaved}/${form.trace}`;
  let found = compiled.factories.get(key);
  if (!found) {
    const printed = printKernel(compiled.program, {
      types: false,
      checks: true,
      open: true,
      granted: compiled.granted !== undefined,
      ...form,
      workgroupSize: size,
      subgroupSize: width,
    });
    const all = compiled.granted ? { ...runtimeNames(), ...compiled.granted } : runtimeNames();
    const missing = printed.runtime.filter((name) => !(name in all));
    if (missing.length > 0) throw new Error(`the runtime lacks ${missing.join(", ")}`);
    // The text holds names the printer made, numbers and nothing of the kernel's own text.
    const make = codeFromText(
      () =>
        // eslint-disable-next-line @typescript-eslint/no-implied-eval
        new Function(
          "runtime",
          `"use strict";\nconst { ${printed.runtime.join(", ")} } = runtime;\nreturn ${printed.factory};`,
        ) as (runtime: object) => Factory,
    );
    found = { factory: make(all), limits: printed.shape.limits, text: printed.factory };
    compiled.factories.set(key, found);
  }
  return found;
}
