/** Running one printed kernel: memory laid out, arguments copied in, workgroups run in order, buffers copied out. */
import { matchKey } from "../support/match-key.js";
import { bytesOf } from "../regions/machine.js";
import type { Away } from "./threads.js";
import type { LaunchValue, MemoryObject, Site } from "../regions/tree.js";
import { isSubgroupWidth } from "../types/subgroup-width.js";
import type { ScalarKind } from "../types/types.js";
import type { FindingKind } from "./findings.js";
import { Races, type RaceSettings } from "./races.js";
import { AsyncCopies } from "./async-copies.js";
import { EnoughFindings, LaunchError, LaunchMemory, type Flip, type KeptGroup, type Room } from "./launch-memory.js";
import { Machine, OutOfSteps, type ThreeSizes } from "./machine.js";
import { Printer, type LaunchFormat } from "./printer.js";
import { readScalar, writeScalar, type Scalar } from "./scalars.js";
import { Schedule, Stuck, type Turns } from "./schedule.js";
import type { Trace } from "./trace.js";

export { LaunchError } from "./launch-memory.js";

export type WorkgroupFunction = (wx: number, wy: number, wz: number) => void;
/** Workgroups `from` to `to` of a row one after the other, each begun and ended; `index` is the first one's place among all. */
export type RowFunction = (from: number, to: number, wy: number, wz: number, index: number) => void;
/** All workgroups of a grid, from the first on. */
export type GridFunction = (width: number, height: number, depth: number) => void;
/** Code for one shape of workgroup; `row` where the engine runs several by itself. */
/** Has another thread run a whole grid, where one does nothing. */
export type AwayFunction = (width: number, height: number, depth: number) => AwayRun | undefined;
export interface AwayRun {
  readonly launch: Away;
  /** Takes over what a launch that is over has done. Throws `Unfit` where it was given up. */
  readonly finish: () => void;
}
export type GroupCode = WorkgroupFunction & {
  readonly row?: RowFunction;
  readonly grid?: GridFunction;
  readonly away?: AwayFunction;
};
/** Of code that takes turns, a generator. */
export type TurningFunction = (wx: number, wy: number, wz: number) => Turns;
export type Factory = (m: Machine) => GroupCode | TurningFunction;

/** What of a memory object a run needs. */
export type KernelObject = Pick<MemoryObject, "id" | "name" | "kind" | "path" | "written" | "zone" | "data"> & {
  readonly bytes?: number | undefined;
};
export type KernelValue = Omit<LaunchValue, "type" | "kind" | "locals">;

/** A kernel as data. */
export interface KernelDescription {
  readonly name: string;
  readonly objects: readonly KernelObject[];
  readonly values: readonly KernelValue[];
  readonly limits: readonly { readonly object: number; readonly unit: number; readonly reach: number }[];
  /** What its code prints by. */
  readonly formats?: readonly LaunchFormat[];
  readonly workgroupSize?: ThreeSizes;
  readonly subgroupSize?: number;
}

/** A compiled kernel as data and a factory. */
export interface Kernel extends KernelDescription {
  readonly sites: readonly Site[];
  /** Points of coverage its code notes. */
  readonly points?: number;
  /** Code for workgroups of this size. */
  readonly factory: (size: ThreeSizes, width: number) => Factory;
  /** What its code for workgroups of this size looks at, where that is not `limits`. */
  readonly limitsOf?: (size: ThreeSizes, width: number) => KernelDescription["limits"];
  /** Where its code wants the launch's memory. */
  readonly room?: Room;
}

export interface Launch {
  readonly workgroups?: readonly number[];
  /** Threads; the last workgroup of a dimension may be partial. */
  readonly gridSize?: readonly number[];
  readonly gridOffset?: readonly number[];
  /** What `get_work_dim` gives; as many as the grid has entries where it is not said. */
  readonly dimensions?: number;
  readonly workgroupSize?: readonly number[];
  readonly subgroupSize?: number;
  /** Chooses the values of what the kernel never wrote. */
  readonly seed?: number;
}

/** Of a module's function. */
export interface ModuleLaunch extends Launch {
  /** Gets what the kernel prints, all at once when it has run; the console where it is not given. */
  readonly print?: (text: string) => void;
}

export interface RunSettings extends Launch {
  /** By path. Buffers and values as bytes (values packed, without padding), numbers for scalars. */
  readonly args: ReadonlyMap<string, Uint8Array | Scalar | readonly Scalar[]>;
  /** Buffers of which nobody wrote anything, whatever bytes are given: by path. */
  readonly uninitialized?: ReadonlySet<string>;
  /** Bytes of workgroup memory sized at launch, by path. */
  readonly workgroupBytes?: ReadonlyMap<string, number>;
  /** Lanes take local indices in an order chosen by the seed, which no dialect rules out. */
  readonly scrambled?: boolean;
  /** Look for races: with code that was printed for it. */
  readonly races?: RaceSettings;
  /** Lanes take turns, in order or as a seed says: with code that was printed for it. */
  readonly schedule?: { readonly seed: number | undefined };
  /** Gives the unspecified values of some places another pattern. */
  readonly flip?: Flip;
  /** Steps (see regions/work) after which the run is given up; not counted where it is absent. */
  readonly maxSteps?: number;
  /** Findings, the same one again counted too, after which the run is given up. */
  readonly maxFindings?: number;
  readonly memoryLimit?: number;
  /** Workgroups run in so many threads where they may and it pays; as many as there are processors, at most 8. */
  readonly threads?: number;
  /** Milliseconds that have to be left of a launch before other threads are asked; 50 where it is not said. */
  readonly threadsFrom?: number;
  readonly wanted: ReadonlySet<FindingKind>;
  readonly writers?: boolean;
  /** Keep what the kernel prints: `LaunchMemory.printer`. */
  readonly prints?: boolean;
  /** Gets a 1 for each point of coverage that a lane came to. */
  readonly cover?: Uint8Array;
  /** Gets who comes to which point: with code that was printed for it. */
  readonly trace?: Trace;
  /** Gets the operands of each point's comparison that were nearest to each other. */
  readonly nearest?: Float64Array;
}

export interface RunOutcome {
  readonly memory: LaunchMemory;
  /** It ran to its end. */
  readonly complete: boolean;
  /** It had used up its steps. */
  readonly stopped: boolean;
  /** Steps its loops took; 0 where they are not counted. */
  readonly steps: number;
  /** Time its workgroups took, without what comes before the first of them. */
  readonly milliseconds: number;
  readonly workgroups: ThreeSizes;
  readonly invocations: number;
}

const three = (list: readonly number[] | undefined, missing: number): ThreeSizes => [
  list?.[0] ?? missing,
  list?.[1] ?? missing,
  list?.[2] ?? missing,
];

/** The launch, before anything is allocated. */
interface Extent {
  readonly size: ThreeSizes;
  readonly width: number;
  readonly lanes: number;
  readonly threads: ThreeSizes;
  readonly workgroups: ThreeSizes;
  readonly offset: ThreeSizes;
  readonly dimensions: number;
}

export function extentOf(
  kernel: { readonly workgroupSize?: readonly number[] | undefined; readonly subgroupSize?: number },
  settings: Omit<RunSettings, "wanted">,
): Extent {
  const size = three(kernel.workgroupSize ?? settings.workgroupSize ?? [64], 1);
  const width = kernel.subgroupSize ?? settings.subgroupSize ?? 32;
  if (!isSubgroupWidth(width)) {
    throw new LaunchError(`the subgroup size is a power of two from 1 to 128, not ${width}`);
  }
  const lanes = size[0] * size[1] * size[2];
  if (!(lanes >= 1 && lanes <= 65536)) throw new LaunchError(`a workgroup of ${lanes} lanes cannot be run`);
  const given = settings.gridSize;
  const threads: ThreeSizes = given
    ? three(given, 1)
    : (three(settings.workgroups ?? [1], 1).map((n, i) => n * size[i]!) as unknown as ThreeSizes);
  const workgroups = threads.map((n, i) => Math.ceil(n / size[i]!)) as unknown as ThreeSizes;
  const offset = three(settings.gridOffset, 0);
  const dimensions = settings.dimensions ?? (given ?? settings.workgroups ?? [1]).length;
  return { size, width, lanes, threads, workgroups, offset, dimensions };
}

export function launchKernel(kernel: Kernel, settings: RunSettings): RunOutcome {
  return runThrough(launching(kernel, settings));
}

/**
 * A run that may leave its launch to another thread, and then gives it away and goes on when it is over: whoever has the run waits for
 * that, or does something else.
 */
export type Running<T> = Generator<Away, T, void>;

/** Of one that gives nothing away. */
export function runThrough<T>(running: Running<T>): T {
  const { done, value } = running.next();
  if (done !== true) throw new Error("a launch was given to another thread, and nobody waits for it");
  return value;
}

/** `mayLeave`: to another thread. */
export function* launching(kernel: Kernel, settings: RunSettings, mayLeave = false): Running<RunOutcome> {
  const extent = extentOf(kernel, settings);
  const { size, width, lanes, threads, workgroups, offset, dimensions } = extent;
  const grid = { workgroups, nominal: size, threads, offset };

  const sizes = kernel.objects.map((o) => objectSize(o, settings));
  const memory = new LaunchMemory(
    kernel.objects,
    kernel.sites,
    sizes,
    lanes,
    settings.seed ?? 1,
    settings.wanted,
    settings.memoryLimit ?? 2 ** 31,
    settings.flip,
    kernel.room,
  );
  fillObjects(kernel, memory, settings);
  const derived = (id: string): Scalar[] => derivedValue(id, grid, dimensions);
  const values = kernel.values.map((v) => valueOf(v, settings, derived));
  kernel.values.forEach((v, i) => {
    if (!v.object) return;
    const base = memory.places[v.object.id]!.base;
    v.object.offsets.forEach((o, k) => writeScalar(memory.data, base + o, v.scalar, values[i]![k]!));
  });
  if (settings.writers) for (const o of kernel.objects) if (o.kind === "buffer") memory.trackWriters(o.id);

  if (settings.races) memory.races = new Races(memory, width, lanes, settings.races);
  if (settings.prints && kernel.formats?.length) memory.printer = new Printer(kernel.formats);
  memory.cover = settings.cover ?? new Uint8Array(kernel.points ?? 0);
  memory.nearest = settings.nearest ?? new Float64Array(2 * (kernel.points ?? 0));
  memory.trace = settings.trace;
  memory.mostFindings = settings.maxFindings ?? Infinity;
  const maxSteps = settings.maxSteps ?? Infinity;
  // A small workgroup takes as long as one of 32 lanes.
  const mostGroups = Math.max(maxSteps, 2 ** 28) / Math.max(lanes, 32);
  const machines = new Map<string, GroupRunner>();
  const machineFor = (actual: ThreeSizes): GroupRunner => {
    const key = actual.join();
    let found = machines.get(key);
    if (!found) {
      const machine = new Machine(
        memory,
        actual,
        width,
        grid,
        dimensions,
        values,
        kernel.limitsOf?.(actual, width) ?? kernel.limits,
        Math.min(maxSteps, 2 ** 52),
        settings.scrambled ? (settings.seed ?? 1) : undefined,
      );
      found = { machine, run: kernel.factory(actual, width)(machine) as GroupCode };
      machines.set(key, found);
    }
    return found;
  };
  const { schedule } = settings;
  if (schedule) memory.schedule = new Schedule(memory, schedule.seed);
  const turning = (actual: ThreeSizes): TurningRunner => {
    machines.clear();
    return machineFor(actual) as unknown as TurningRunner;
  };
  // The code for whole workgroups is there before time counts.
  if (!schedule && threads.every((n, i) => n >= size[i]!)) machineFor(size);
  const started = performance.now();
  const ran = memory.schedule
    ? runInTurns(memory, extent, maxSteps, turning)
    : yield* runGroups(memory, extent, { maxSteps, mostGroups, mayLeave }, machineFor);
  const milliseconds = performance.now() - started;
  return {
    memory,
    milliseconds,
    complete: ran.complete,
    stopped: ran.stopped === true,
    steps: Number.isFinite(maxSteps) ? maxSteps - ran.steps : 0,
    workgroups,
    invocations: threads[0] * threads[1] * threads[2],
  };
}

interface GroupRunner {
  readonly machine: Machine;
  readonly run: GroupCode;
}

/** Workgroup by workgroup, until all have run or the steps are used up. `steps`: those that are left. */
function* runGroups(
  memory: LaunchMemory,
  { size, threads, workgroups }: Extent,
  {
    maxSteps,
    mostGroups,
    mayLeave,
  }: { readonly maxSteps: number; readonly mostGroups: number; readonly mayLeave: boolean },
  machineFor: (actual: ThreeSizes) => GroupRunner,
): Running<{ readonly complete: boolean; readonly steps: number; readonly stopped: boolean }> {
  let full: GroupRunner | undefined;
  let steps = maxSteps;
  let index = 0;
  let complete = true;
  let stopped = false;
  let last: Machine | undefined;
  const even = threads.every((n, i) => n % size[i]! === 0);
  const all = workgroups[0] * workgroups[1] * workgroups[2];
  try {
    const whole = even && (all > 1 || mayLeave) && all <= mostGroups ? (full ??= machineFor(size)) : undefined;
    if (whole) {
      memory.current = last = whole.machine;
      whole.machine.steps = steps;
      const away = mayLeave ? whole.run.away?.(...workgroups) : undefined;
      if (away) yield away.launch;
      const run = away ? away.finish : all > 1 ? whole.run.grid : undefined;
      if (run) {
        run(...workgroups);
        return { complete, steps: whole.machine.steps, stopped };
      }
    }
    for (let z = 0; z < workgroups[2]; z++) {
      for (let y = 0; y < workgroups[1]; y++) {
        const rowIsWhole = even || (threads[1] - y * size[1] >= size[1] && threads[2] - z * size[2] >= size[2]);
        for (let x = 0; x < workgroups[0]; x++) {
          const whole = rowIsWhole && (even || threads[0] - x * size[0] >= size[0]);
          const { machine, run } = whole ? (full ??= machineFor(size)) : machineFor(edgeSize(threads, size, x, y, z));
          memory.current = machine;
          if (index >= mostGroups) throw new OutOfSteps();
          if (last !== machine) machine.steps = steps;
          last = machine;
          if (run.row && whole) {
            const ofRow = Math.floor((threads[0] - x * size[0]) / size[0]);
            const count = Math.min(ofRow, Math.ceil(mostGroups - index));
            if (run.grid && count === ofRow && workgroups[0] - count < 2 && all === workgroups[0])
              run.grid(count, 1, 1);
            else run.row(x, x + count, y, z, index);
            index += count;
            x += count - 1;
          } else {
            memory.startGroup(x, y, z, index++);
            machine.wait.fill(0);
            run(x, y, z);
            memory.copies.endGroup();
          }
          steps = machine.steps;
        }
      }
    }
  } catch (e) {
    complete = false;
    steps = Math.max(0, last!.steps);
    if (memory.whichGroup && index < mostGroups) {
      memory.whichGroup();
      index = memory.groupIndex + 1;
    }
    memory.mostFindings = Infinity;
    stopped = e instanceof OutOfSteps;
    if (stopped)
      memory.find(
        "no-forward-progress",
        -1,
        undefined,
        steps > 0
          ? `the run was stopped after ${index} workgroups`
          : `the run was stopped after ${maxSteps} steps of its loops`,
      );
    else if (!(e instanceof EnoughFindings)) throw e;
  }
  return { complete, steps, stopped };
}

interface TurningRunner {
  readonly machine: Machine;
  readonly run: TurningFunction;
}
interface Started {
  readonly machine: Machine;
  readonly turns: Turns;
  kept: KeptGroup | undefined;
}

/** So many workgroups are there at once at most where a seed says how they run. */
const mostAtOnce = 8;

/**
 * Workgroups in turns. In order: one runs until it ends or all of its lanes wait, and the next is started only then. By a seed:
 * some are there from the start, and take turns as it says. They start in the order of their number, which no dialect promises
 * and devices do; that one waits for another that has not started is a finding, since devices need not run both at once.
 */
function runInTurns(
  memory: LaunchMemory,
  { size, threads, workgroups }: Extent,
  maxSteps: number,
  runnerFor: (actual: ThreeSizes) => TurningRunner,
): { readonly complete: boolean; readonly steps: number; readonly stopped?: false } {
  const schedule = memory.schedule!;
  const count = workgroups[0] * workgroups[1] * workgroups[2];
  const live: Started[] = [];
  let current: Started | undefined;
  let next = 0;
  let spent = 0;
  const start = (): void => {
    const x = next % workgroups[0];
    const y = Math.floor(next / workgroups[0]) % workgroups[1];
    const z = Math.floor(next / (workgroups[0] * workgroups[1]));
    const { machine, run } = runnerFor(edgeSize(threads, size, x, y, z));
    if (current) current.kept = memory.leaveGroup();
    memory.current = machine;
    memory.copies = new AsyncCopies(memory);
    memory.startGroup(x, y, z, next++);
    current = { machine, turns: run(x, y, z), kept: undefined };
    live.push(current);
  };
  const step = (at: number): boolean => {
    const s = live[at]!;
    if (s !== current) {
      if (current) current.kept = memory.leaveGroup();
      memory.enterGroup(s.kept!);
      memory.current = s.machine;
      current = s;
    }
    const before = s.machine.steps;
    const done = s.turns.next().done === true;
    spent += before - s.machine.steps;
    if (spent > maxSteps) throw new OutOfSteps();
    if (!done) return false;
    memory.copies.endGroup();
    live.splice(at, 1);
    current = undefined;
    return true;
  };
  const waits = (what: string): void => memory.find("no-forward-progress", schedule.lastSite, undefined, what);
  try {
    let waited = 0;
    let changes = -1;
    let at = 0;
    while (live.length > 0 || next < count) {
      if (live.length === 0 || (schedule.random && live.length < mostAtOnce && next < count && schedule.below(2) === 0))
        start();
      if (schedule.random) {
        step(schedule.below(live.length));
        continue;
      }
      at %= live.length;
      if (schedule.changesSoFar !== changes) waited = 0;
      changes = schedule.changesSoFar;
      if (step(at)) {
        waited = 0;
        continue;
      }
      at++;
      if (++waited < live.length || schedule.changesSoFar !== changes) continue;
      if (next === count) throw new Stuck();
      waits(
        "this waits for a workgroup that has not started, and nothing promises that it does before this one has ended",
      );
      start();
      at = live.length - 1;
      waited = 0;
    }
    return { complete: true, steps: maxSteps - spent };
  } catch (e) {
    memory.mostFindings = Infinity;
    if (e instanceof Stuck) waits("the run cannot go on: all invocations that are left wait, one of them here");
    else if (e instanceof OutOfSteps) waits(`the run was stopped after ${maxSteps} steps of its loops`);
    else if (!(e instanceof EnoughFindings)) throw e;
    return { complete: false, steps: Math.max(0, maxSteps - spent) };
  }
}

const edgeSize = (threads: ThreeSizes, size: ThreeSizes, x: number, y: number, z: number): ThreeSizes => [
  Math.min(size[0], threads[0] - x * size[0]),
  Math.min(size[1], threads[1] - y * size[1]),
  Math.min(size[2], threads[2] - z * size[2]),
];

function objectSize(o: KernelObject, settings: RunSettings): number {
  if (o.bytes !== undefined) return o.bytes;
  const path = o.path ?? o.name;
  if (o.kind === "workgroup") {
    const bytes = settings.workgroupBytes?.get(path);
    if (bytes === undefined) throw new LaunchError(`the size of ${path} is missing`);
    return bytes;
  }
  const given = settings.args.get(path);
  if (!(given instanceof Uint8Array)) throw new LaunchError(`the buffer ${path} is missing`);
  return given.byteLength;
}

function fillObjects(kernel: Kernel, memory: LaunchMemory, settings: RunSettings): void {
  for (const o of kernel.objects) {
    const base = memory.places[o.id]!.base;
    if (o.kind === "buffer" && settings.uninitialized?.has(o.path ?? o.name)) memory.fillObject(o.id);
    else if (o.kind === "buffer") memory.bytes.set(settings.args.get(o.path ?? o.name) as Uint8Array, base);
    for (const d of o.data ?? []) writeScalar(memory.data, base + d.offset, d.scalar, d.value);
  }
}

/** A number of the launch, where it has one. */
export function givenValue(
  path: string,
  scalar: ScalarKind,
  settings: Omit<RunSettings, "wanted">,
): Scalar | undefined {
  const given = settings.args.get(path);
  const plain = given === undefined || (!(given instanceof Uint8Array) && typeof given === "object");
  return plain ? undefined : valueOf({ path, scalar, count: 1 }, settings, () => [])[0];
}

function valueOf(
  v: KernelValue,
  settings: Omit<RunSettings, "wanted">,
  derived: (id: string) => Scalar[],
): readonly Scalar[] {
  if (v.derived !== undefined) return derived(v.derived).slice(0, v.count);
  const given = settings.args.get(v.path);
  if (given === undefined) {
    if (v.defaults) return v.defaults;
    throw new LaunchError(`the value of ${v.path} is missing`);
  }
  if (given instanceof Uint8Array) return scalarsOf(given, v.scalar, v.count, v.path);
  const list = Array.isArray(given) ? (given as readonly Scalar[]) : [given as Scalar];
  if (list.length !== v.count) throw new LaunchError(`${v.path} needs ${v.count} values, not ${list.length}`);
  // Through bytes, so that every number is brought into its type's range.
  const bytes = new Uint8Array(v.count * bytesOf(v.scalar));
  const data = new DataView(bytes.buffer);
  list.forEach((x, i) => writeScalar(data, i * bytesOf(v.scalar), v.scalar, x));
  return scalarsOf(bytes, v.scalar, v.count, v.path);
}

function scalarsOf(bytes: Uint8Array, kind: ScalarKind, count: number, path: string): readonly Scalar[] {
  const size = bytesOf(kind);
  // A bool may come as one byte or as a 32-bit word.
  const stride = kind === "bool" && bytes.byteLength === 4 * count ? 4 : size;
  if (bytes.byteLength !== stride * count)
    throw new LaunchError(`${path} needs ${size * count} bytes, not ${bytes.byteLength}`);
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: count }, (_, i) => readScalar(data, i * stride, kind));
}

function derivedValue(
  id: string,
  grid: {
    readonly workgroups: ThreeSizes;
    readonly nominal: ThreeSizes;
    readonly threads: ThreeSizes;
    readonly offset: ThreeSizes;
  },
  dimensions: number,
): Scalar[] {
  switch (id) {
    case "num_workgroups":
      return [...grid.workgroups];
    case "global_size":
      return [...grid.threads];
    case "global_offset":
      return [...grid.offset];
    case "workgroup_size":
    case "enqueued_workgroup_size":
      return [...grid.nominal];
    case "work_dim":
      return [dimensions];
    case "nothing":
      return Array.from({ length: 16 }, () => 0);
    default:
      throw new LaunchError(`the derived value ${id} is not known before the launch`);
  }
}

/**
 * A printed kernel as the function a module exports: typed arrays in `args`, by name or by an unambiguous end of the path
 * (`n` for `Params.n`), buffers written in place.
 */
export function defineKernel(
  description: KernelDescription,
  create: Factory,
): (launch: ModuleLaunch, args: Readonly<Record<string, unknown>>) => void {
  const kernel: Kernel = { ...description, sites: [], factory: () => create };
  const paths = [
    ...description.objects.flatMap((o) =>
      o.kind === "buffer" || (o.kind === "workgroup" && o.bytes === undefined) ? [o.path ?? o.name] : [],
    ),
    ...description.values.filter((v) => v.derived === undefined).map((v) => v.path),
  ];
  return ({ print = toConsole, ...launch }, args) => {
    const given = new Map<string, Uint8Array | Scalar | readonly Scalar[]>();
    const workgroupBytes = new Map<string, number>();
    for (const [key, value] of Object.entries(args)) {
      const path = pathOf(key, paths);
      if (ArrayBuffer.isView(value)) given.set(path, new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
      else if (value instanceof ArrayBuffer) given.set(path, new Uint8Array(value));
      else if (typeof value === "object" && value !== null && "byteLength" in value)
        workgroupBytes.set(path, Number(value.byteLength));
      else given.set(path, value as Scalar | readonly Scalar[]);
    }
    const settings = { ...launch, args: given, workgroupBytes, prints: true, wanted: new Set<FindingKind>() };
    const { memory } = launchKernel(kernel, settings);
    const text = memory.printer?.printed.messages.map((m) => m.text).join("") ?? "";
    if (text !== "") print(text);
    for (const o of kernel.objects) {
      if (o.kind !== "buffer" || !o.written) continue;
      const target = given.get(o.path ?? o.name) as Uint8Array;
      const { base } = memory.places[o.id]!;
      target.set(memory.bytes.subarray(base, base + target.byteLength));
    }
  };
}

/** A console ends lines itself. */
const toConsole = (text: string): void => console.log(text.replace(/\n$/, ""));

function pathOf(key: string, paths: readonly string[]): string {
  const found = matchKey(key, paths);
  if ("index" in found) return paths[found.index]!;
  throw new LaunchError(
    "ambiguous" in found ? `${key} may mean ${found.ambiguous.join(" or ")}` : `the kernel has no argument ${key}`,
  );
}
