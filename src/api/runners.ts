/** Programs that can be run on launches: kernels of a dialect by the simulator. */
import type { SlotAssignment } from "../ast/legal.js";
import type { ComponentsOf, Derived, EntryPoint, LengthOf, Module } from "../ast/nodes.js";
import { walkModule } from "../ast/walk.js";
import type { SourceDialect } from "../dialects/ids.js";
import { legalize } from "../passes/index.js";
import {
  compile as compileKernel,
  countsSizes,
  allFindings,
  grantedRoutines,
  LaunchError,
  NeedsCodeFromText,
  run,
  Trace,
} from "../sim/index.js";
import type { CompiledKernel, Engine, FindingKind, RunOptions as SimulatorOptions, RunResult } from "../sim/index.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { locate } from "../support/expanded-source.js";
import type { TranslatedArgument } from "../verify/arguments-of-translation.js";
import type { BoundLaunch } from "../launch/bind.js";
import { coverableOf } from "../verify/coverage.js";
import type { Writer } from "../verify/result.js";
import type { RunOptions, Runner } from "../verify/verify.js";
import { componentCount, sameType, scalarOf, u32, type Type } from "../types/types.js";
import { allComponents, layoutOf, type LayoutStructs } from "../types/layout.js";
import { resolve } from "./compile.js";
import type { Compilation } from "./compile.js";
import { findingDiagnostic } from "./findings.js";
import type { RunKey, RunsAhead } from "./runs-ahead.js";
import { valueAsBuffer } from "./value-buffers.js";
import { hasGridOffset } from "../ops/ids.js";
import { row } from "../ops/table.js";

/** Steps of its loops (see regions/work) after which a run is given up. */
export const defaultSteps = 2 ** 28;
/** A translation may take longer ways than its source, but no endless ones. */
const stepsOfTranslation = 16;
/** A launch that was derived is dropped where it has findings: one would do, some more show what is wrong. */
const findingsOfDerived = 256;

/** A kernel made ready for the simulator, or why it cannot be run. */
export function compileForSimulator(
  compilation: Compilation,
  entry: EntryPoint,
  findings: "all" | "none" | readonly FindingKind[],
  {
    granted,
    coverage = false,
    compared = false,
  }: { readonly granted?: number | undefined; readonly coverage?: boolean; readonly compared?: boolean } = {},
): { kernel: CompiledKernel } | { diagnostics: Diagnostic[] } {
  const { module, expanded, sized } = compilation;
  if (!module) throw new Error("a source with errors is not run");
  const legalized = (read: Module<"canonical">): ReturnType<typeof legalize> =>
    legalize(read, "ts", {
      entry: entry.name,
      checked: findings === "all" || findings.includes("integer-overflow"),
      looksForOpenOperands: findings === "all" || findings.includes("undefined-arithmetic"),
    });
  const legal = legalized(module);
  const problems = (list: typeof legal.problems): { diagnostics: Diagnostic[] } => ({
    diagnostics: list.map((p) => resolve(p, expanded)),
  });
  if (!legal.module) return problems(legal.problems);
  const settings = {
    findings,
    coverage,
    compared,
    ...(granted === undefined ? {} : { granted: grantedRoutines(compilation.dialect, granted) }),
  };
  const compiled = (legal: Module): ReturnType<typeof compileKernel> =>
    compileKernel(legal, legal.entries[0]!, settings);
  const { kernel, problems: unable } = compiled(legal.module);
  if (!kernel) return problems(unable);
  const looked = findings === "all" || findings.includes("out-of-bounds");
  if (!sized || !looked) return { kernel };
  const read = sized("counted");
  if (!countsSizes(read)) return { kernel };
  const counted = lazily(() => {
    const made = legalized(read).module;
    if (!made) throw new Error("what was legal is not with sizes marked");
    return made;
  });
  const other = (legal: Module | undefined): CompiledKernel => {
    const made = legal && compiled(legal).kernel;
    if (!made) throw new LaunchError("the kernel cannot be run with a size_t of 64 bits, and its values need them");
    return made;
  };
  const sizes = {
    module: counted,
    counted: lazily(() => other(counted())),
    wide: lazily(() => other(legalized(sized("wide")).module)),
  };
  return { kernel: { ...kernel, sizes } };
}

/** Made where it is wanted first. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Where a launch's arguments go by other names: the path of the source's list for each path of the kernel. */
export interface Renaming {
  readonly arguments: readonly TranslatedArgument[];
  /** Of the translation. */
  readonly structs: LayoutStructs;
}

export function simulatorOptions(launch: BoundLaunch, dialect: SourceDialect, renaming?: Renaming): SimulatorOptions {
  const args = new Map<string, Uint8Array>();
  const workgroupBytes = new Map<string, number>();
  const uninitialized = new Set<string>();
  const given = new Map(launch.arguments.map((a) => [a.path, a]));
  const names = renaming
    ? renaming.arguments.map((a) => ({
        path: a.shape.path,
        source: a.sourcePath,
        derived: a.slot.derived,
        type: a.slot.type,
        words: isWords(a.shape.type),
        buffer: a.shape.kind === "buffer" ? a.shape.type : undefined,
        strides: a.slot.strides,
      }))
    : launch.arguments.map((a) => ({
        path: a.path,
        source: a.path,
        derived: undefined,
        type: undefined,
        words: false,
        buffer: undefined,
        strides: undefined,
      }));
  for (const { path, source, derived, type, words, buffer, strides } of names) {
    if (derived !== undefined) {
      args.set(path, derivedBytes(derived, launch, type));
      continue;
    }
    const argument = given.get(source!);
    if (buffer !== undefined && argument?.kind !== "buffer") {
      const bytes = valueAsBuffer(launch, source!, buffer, dialect, renaming!.structs);
      if (bytes) args.set(path, bytes);
      continue;
    }
    // A specialisation constant that the launch leaves to its default.
    if (argument === undefined) continue;
    if (argument.kind === "workgroup") workgroupBytes.set(path, workgroupBytesHere(argument.byteLength, strides));
    else if (argument.kind === "value") args.set(path, type ? widened(argument.bytes, type) : argument.bytes);
    else {
      args.set(path, words ? wholeWords(argument.bytes) : argument.bytes);
      if (!argument.initialized) uninitialized.add(path);
    }
  }
  return {
    args,
    ...(uninitialized.size > 0 ? { uninitialized } : {}),
    workgroupBytes,
    workgroups: launch.workgroups,
    // In dimensions the launch does not name there is one workgroup, of all its invocations.
    gridSize: launch.gridSize,
    dimensions: launch.dimensions,
    // Elsewhere there is no such offset: a translation gets it as a derived argument or not at all.
    ...(hasGridOffset(dialect) ? { gridOffset: launch.gridOffset } : {}),
    workgroupSize: launch.workgroupSize,
  };
}

/** Bytes of memory that a launch of the source sizes, for as many elements of the translation. */
export const workgroupBytesHere = (bytes: number, strides: SlotAssignment["strides"]): number =>
  strides ? Math.ceil(bytes / strides.source) * strides.here : bytes;

/** Components of 8 or 16 bits, or bools of a byte, where the translation takes 32-bit integers. */
export function widened(bytes: Uint8Array, type: Type): Uint8Array {
  let element = type;
  let count = 1;
  for (; element.kind === "array"; element = element.element) count *= element.length ?? 0;
  const kind = scalarOf(element);
  count *= componentCount(element) ?? 0;
  const size = bytes.length / count;
  if ((kind !== "i32" && kind !== "u32") || (size !== 1 && size !== 2)) return bytes;
  const from = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = (at: number): number => {
    if (kind === "i32") return size === 1 ? from.getInt8(at) : from.getInt16(at, true);
    return size === 1 ? from.getUint8(at) : from.getUint16(at, true);
  };
  return new Uint8Array(Int32Array.from({ length: count }, (_, i) => read(i * size)).buffer);
}

export const isWords = (type: Type): boolean =>
  type.kind === "array" && type.length === undefined && sameType(type.element, u32);

/** A buffer that is bound as words, its last word filled up. */
export function wholeWords(bytes: Uint8Array): Uint8Array {
  if (bytes.length % 4 === 0) return bytes;
  const whole = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  whole.set(bytes);
  return whole;
}

/** A value the target cannot query and its runner provides. */
export function derivedBytes(derived: Derived, launch: BoundLaunch, type: Type): Uint8Array {
  if (typeof derived !== "string") {
    if ("gap" in derived) return new Uint8Array(layoutOf(type, "structured", new Map()).size);
    return "lengthOf" in derived ? lengthBytes(derived, launch) : componentBytes(derived, launch, type);
  }
  const values: Readonly<Record<string, readonly number[] | undefined>> = {
    num_workgroups: launch.workgroups,
    global_size: launch.gridSize,
    global_offset: launch.gridOffset,
    workgroup_size: launch.workgroupSize,
    enqueued_workgroup_size: launch.workgroupSize,
    work_dim: [launch.dimensions],
  };
  const value = values[derived];
  if (value === undefined) throw new Error(`no runner knows the derived value ${derived}`);
  return new Uint8Array(new Uint32Array(value).buffer);
}

function lengthBytes({ lengthOf, offset, stride }: LengthOf, launch: BoundLaunch): Uint8Array {
  const argument = launch.arguments.find((a) => a.path === lengthOf);
  if (!argument) throw new Error(`the launch has no ${lengthOf}`);
  const bytes = argument.kind === "workgroup" ? argument.byteLength : argument.bytes.length;
  return new Uint8Array(Uint32Array.of(Math.max(0, Math.floor((bytes - offset) / stride))).buffer);
}

function componentBytes({ componentsOf, first, of }: ComponentsOf, launch: BoundLaunch, type: Type): Uint8Array {
  const argument = launch.arguments.find((a) => a.path === componentsOf);
  if (argument?.kind !== "value") throw new Error(`the launch has no value ${componentsOf}`);
  const each = argument.bytes.length / of;
  return widened(argument.bytes.subarray(each * first, each * (first + allComponents(type))), type);
}

/** Bytes of a buffer in a launch: a translation may have been bound with more. */
export function lengthOf(launch: BoundLaunch, path: string): number | undefined {
  const argument = launch.arguments.find((a) => a.path === path);
  return argument?.kind === "buffer" ? argument.bytes.length : undefined;
}

/** Buffers by the source's paths, as long as they were given. */
function outcomeOf(
  left: ReadonlyMap<string, Uint8Array>,
  launch: BoundLaunch,
  renaming: Renaming | undefined,
): ReadonlyMap<string, Uint8Array> {
  if (!renaming) return left;
  const buffers = new Map<string, Uint8Array>();
  for (const { shape, sourcePath } of renaming.arguments) {
    const bytes = left.get(shape.path);
    if (bytes && sourcePath !== undefined) buffers.set(sourcePath, bytes.subarray(0, lengthOf(launch, sourcePath)));
  }
  return buffers;
}

/**
 * Findings that end a comparison. Reading a lane that is not there gives a value that may not be used: two fills show
 * whether it was, so that such a read alone says nothing.
 */
const decisive: readonly FindingKind[] = [
  "out-of-bounds",
  "misaligned-access",
  "barrier-divergence",
  "undefined-arithmetic",
  "broken-assumption",
  "non-uniform-argument",
  "cross-lane-divergence",
  "invalid-partition",
  "async-copy",
  "no-forward-progress",
];

export interface RunnerOptions {
  /** Of a translation: whose arguments these are. */
  readonly translated?: readonly TranslatedArgument[];
  /** Looked for; those that end a comparison otherwise. */
  readonly findings?: readonly FindingKind[];
  /** Note what of the source was run. */
  readonly coverage?: boolean;
  /** With coverage: and what conditions compared. */
  readonly compared?: boolean;
  /** WebAssembly where it is not said. */
  readonly engine?: Engine;
  /** As many as there are processors, at most 8, where it is not said. */
  readonly threads?: number | undefined;
  /** Takes runs of which it is known that they are asked for. */
  readonly ahead?: RunsAhead | undefined;
}

type MoreOptions = Pick<SimulatorOptions, "writers" | "scrambled" | "maxFindings" | "trace" | "schedules" | "fails">;

/** How launches are run: `planned` as comparing asks for them, maybe beside others. */
function runsOf(
  kernel: CompiledKernel,
  { dialect }: Compilation,
  renaming: Renaming | undefined,
  { translated, findings = decisive, engine, threads, ahead }: RunnerOptions,
) {
  const optionsOf = (
    launch: BoundLaunch,
    { subgroupSize, seed }: RunOptions,
    more: MoreOptions = {},
  ): SimulatorOptions => ({
    ...simulatorOptions(launch, dialect, renaming),
    subgroupSize,
    seed,
    ...(engine ? { engine } : {}),
    ...(threads === undefined ? {} : { threads }),
    maxSteps: Math.min((launch.maxSteps ?? defaultSteps) * (translated ? stepsOfTranslation : 1), 2 ** 30),
    ...more,
  });
  // Nobody may take it for a run without findings.
  const launchErrorOf = (error: unknown): LaunchError => {
    if (error instanceof LaunchError && !(error instanceof NeedsCodeFromText)) return error;
    throw error;
  };
  const once = (
    launch: BoundLaunch,
    how: RunOptions,
    more: MoreOptions = {},
    of: CompiledKernel = kernel,
  ): RunResult | LaunchError => {
    try {
      return run(of, optionsOf(launch, how, more));
    } catch (error) {
      return launchErrorOf(error);
    }
  };
  const plain = (launch: BoundLaunch, { scrambled = false, ...how }: RunOptions): [RunKey, SimulatorOptions] => {
    const maxFindings = launch.derived && findings === decisive ? findingsOfDerived : Infinity;
    const key = { kernel, launch, how: `${how.subgroupSize} ${how.seed} ${scrambled}` };
    return [key, optionsOf(launch, how, { scrambled, maxFindings })];
  };
  const planned = {
    begin: (launch: BoundLaunch, hows: readonly RunOptions[]): void => {
      for (const how of hows) ahead?.plan(...plain(launch, how));
    },
    run: async (launch: BoundLaunch, how: RunOptions): Promise<RunResult | LaunchError> => {
      const [key, options] = plain(launch, how);
      try {
        return await (ahead?.resultOf(key) ?? run(kernel, options));
      } catch (error) {
        return launchErrorOf(error);
      }
    },
  };
  return { once, planned };
}

/** A kernel of a dialect, run by the simulator. */
export function simulatorRunner(
  compilation: Compilation,
  entry: EntryPoint,
  options: RunnerOptions = {},
): Promise<{ runner: Runner } | { diagnostics: Diagnostic[] }> {
  const { translated, findings = decisive, coverage = false, compared = false, ahead } = options;
  const made = compileForSimulator(compilation, entry, findings, { coverage, compared });
  if ("diagnostics" in made) return Promise.resolve(made);
  const renaming = translated && { arguments: translated, structs: compilation.module!.structs };
  const { once, planned } = runsOf(made.kernel, compilation, renaming, options);
  /** What is found when these kinds are looked for, too. */
  const alsoFound = (launch: BoundLaunch, how: RunOptions, kinds: readonly FindingKind[]): readonly Diagnostic[] => {
    const result = once(launch, how, {}, { ...made.kernel, findings: new Set(kinds) });
    if (result instanceof LaunchError) return [];
    return result.findings.map((f) => findingDiagnostic(f, compilation.expanded));
  };
  const runner: Runner = {
    ...(waitsForEachOther(compilation.module!) ? { synchronizes: true } : {}),
    ...(coverage ? { coverable: coverableOf(made.kernel.program, compilation.expanded) } : {}),
    ...(ahead ? { ahead: planned.begin } : {}),
    async run(launch, how) {
      const result = await planned.run(launch, how);
      if (result instanceof LaunchError) return { buffers: new Map(), findings: [launchDiagnostic(result)] };
      const found = result.findings.map((f) => findingDiagnostic(f, compilation.expanded));
      return {
        buffers: outcomeOf(result.buffers, launch, renaming),
        findings: found,
        steps: result.stats.steps,
        milliseconds: result.stats.kernelMilliseconds,
        ...(result.covered ? { covered: result.covered } : {}),
        ...(result.nearest ? { nearest: result.nearest } : {}),
        ...(result.beyond.size > 0 ? { beyond: result.beyond } : {}),
      };
    },
    unspecified: (launch, how) => Promise.resolve(alsoFound(launch, how, allFindings)),
    unwritten: (launch, how) => Promise.resolve(alsoFound(launch, how, ["uninitialized-read"])),
    races(launch, how) {
      const looked = compileForSimulator(compilation, entry, ["data-race", "same-value-race"]);
      const result = "diagnostics" in looked ? undefined : once(launch, how, {}, looked.kernel);
      const found = !result || result instanceof LaunchError ? [] : result.findings;
      const of = (sameValue: boolean): Diagnostic[] =>
        found
          .filter((f) => (f.kind === "same-value-race") === sameValue)
          .map((f) => findingDiagnostic(f, compilation.expanded));
      return Promise.resolve({ open: of(false), sameValue: of(true) });
    },
    inTurns(launch, how, schedules, fails) {
      const result = once(launch, how, { schedules, fails: (left) => fails(outcomeOf(left, launch, renaming)) });
      if (result instanceof LaunchError || typeof result.stats.schedule !== "number") return Promise.resolve(undefined);
      return Promise.resolve({
        schedule: result.stats.schedule,
        buffers: outcomeOf(result.buffers, launch, renaming),
        findings: result.findings.map((f) => findingDiagnostic(f, compilation.expanded)),
      });
    },
    trace(launch, how, workgroups) {
      const trace = new Trace(workgroups);
      once(launch, how, { trace });
      return Promise.resolve(trace);
    },
    writerOf(launch, how, path, byteOffset) {
      const result = once(launch, how, { writers: true });
      const own = renaming ? renaming.arguments.find((a) => a.sourcePath === path)?.shape.path : path;
      const writer =
        result instanceof LaunchError || own === undefined ? undefined : result.writerOf?.(own, byteOffset);
      if (!writer) return Promise.resolve(undefined);
      const found: Writer = {
        workgroup: place(writer.workgroup, launch),
        lane: writer.lane,
        location: locate(compilation.expanded, writer.span),
      };
      return Promise.resolve(found);
    },
  };
  return Promise.resolve({ runner });
}

/** At barriers, or in the work-group functions of OpenCL C, which stand for barriers where they are carried out. */
function waitsForEachOther(module: Module): boolean {
  let found = false;
  walkModule(module, {
    expr(e) {
      if (e.kind === "op" && row(e.op).family === "workgroup") found = true;
      return !found;
    },
    statement(s) {
      if (s.kind === "barrier" && s.barrier.execution !== "none") found = true;
      return !found;
    },
  });
  return found;
}

export function launchDiagnostic(error: LaunchError): Diagnostic {
  const code = error instanceof NeedsCodeFromText ? "XL5001" : "XL6007";
  return { severity: "error", code, message: error.message, notes: [] };
}

/** Workgroups are counted along x first. */
function place(index: number, { workgroups: [x, y] }: BoundLaunch): readonly [number, number, number] {
  return [index % x, Math.floor(index / x) % y, Math.floor(index / (x * y))];
}
