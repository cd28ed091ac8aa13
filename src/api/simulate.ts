/** Running one kernel on given data. */
import type { EntryPoint } from "../ast/nodes.js";
import { engines, LaunchError, run } from "../sim/index.js";
import type { Engine, EngineUsed, FindingKind, RunResult } from "../sim/index.js";
import type { Diagnostic, Location } from "../support/diagnostics.js";
import { locate } from "../support/expanded-source.js";
import { showType } from "../types/types.js";
import { bindArguments, launchSizes, sizeProblem } from "../launch/bind.js";
import type { BoundArgument, BoundLaunch, GivenArgument } from "../launch/bind.js";
import { matchKey } from "../support/match-key.js";
import { listedArrays } from "../launch/listed-arrays.js";
import { packedSize, shapeOf, valueScalars } from "../launch/reflection.js";
import type { ArgumentShape, EntryShape } from "../launch/reflection.js";
import { coverableOf, coverageOf, type Coverage } from "../verify/coverage.js";
import type { VerifyRun } from "../verify/result.js";
import { scalarBytes, writeScalar } from "../launch/scalars.js";
import type { LaunchNumber } from "../launch/scalars.js";
import { checkExpectations } from "../verify/verify.js";
import { chooseEntry, compile } from "./compile.js";
import type { Compilation } from "./compile.js";
import { findingDiagnostic } from "./findings.js";
import { printedText, type PrintedText } from "./printed.js";
import { requireKnown, requireSizes, requireSource, requireWidth, sourceOptions, type OptionNames } from "./options.js";
import { compileForSimulator, defaultSteps, launchDiagnostic, simulatorOptions } from "./runners.js";
import type { SourceOptions } from "./types.js";

export type BufferData = ArrayBuffer | ArrayBufferView;
export type ValueData = number | bigint | boolean | readonly (number | bigint | boolean)[];

export interface SimulateOptions extends SourceOptions {
  readonly workgroups?: readonly number[];
  /** Invocations, instead of `workgroups`; the last workgroups may be partial. */
  readonly gridSize?: readonly number[];
  readonly gridOffset?: readonly number[];
  readonly workgroupSize?: readonly number[];
  readonly subgroupSize?: number;
  /**
   * By argument name. Buffers: typed arrays or raw bytes; by value: numbers, bigints, bools or arrays of them; workgroup
   * memory sized at launch: `{byteLength}`. Nothing here is written to.
   */
  readonly args: Readonly<Record<string, BufferData | ValueData | { readonly byteLength: number }>>;
  /** Buffers of `args` of which nobody wrote anything: what is given says how long they are. What comes of their contents is a finding. */
  readonly uninitialized?: readonly string[];
  readonly findings?: "all" | "none" | readonly FindingKind[];
  /**
   * Floats as far off as the source's dialect grants, chosen by this number: what a text gives on the least accurate device
   * that follows the specifications. Odd numbers flush subnormal f32.
   */
  readonly granted?: number;
  /** Chooses what unspecified values are. */
  readonly seed?: number;
  /** Steps after which the run is given up: loop iterations, of long loops several. */
  readonly maxSteps?: number;
  /** scrambled: lanes take local indices in an order of the seed's, which no dialect rules out. */
  readonly lanes?: "linear" | "scrambled";
  /**
   * Tries so many schedules, in which lanes, subgroups and workgroups take turns at atomics as `seed`, `seed + 1`, ... say, and keeps
   * the first that has a finding: `stats.schedule`. With that seed and one schedule it is the same again.
   */
  readonly schedules?: number;
  /** Note which statements and branches some lane came to. */
  readonly coverage?: boolean;
  /** What runs it: WebAssembly (where it is not said), or the printed TypeScript. Both give the same; `stats.engine` says which did. */
  readonly engine?: Engine;
  /**
   * Threads a launch may take where its workgroups touch nothing in common that one of them writes, so that no order of them shows, and
   * where it lasts long enough: as many as there are processors, at most 8, where it is not said. The result is the same. Node only.
   */
  readonly threads?: number;
}

export interface SimulateFinding {
  readonly kind: FindingKind;
  readonly message: string;
  readonly lane?: readonly [number, number, number];
  readonly workgroup: readonly [number, number, number];
  readonly location?: Location;
  readonly buffer?: string;
  readonly index?: number;
  /** Of values that must not be used: the write that shows one. */
  readonly use?: { readonly location: Location; readonly buffer: string; readonly byte: number };
  /** The other access of a race. */
  readonly against?: Location;
  readonly count: number;
}

export interface SimulateResult {
  /** Every buffer afterwards, by the name it was given under and in the same array type. */
  readonly buffers: Readonly<Record<string, BufferData>>;
  readonly findings: readonly SimulateFinding[];
  readonly stats?: {
    readonly invocations: number;
    readonly workgroups: number;
    readonly milliseconds: number;
    readonly complete: boolean;
    readonly engine: EngineUsed;
    /** Lanes took turns: in order, where one waited for a later one, or as this seed says. */
    readonly schedule?: "in order" | number;
  };
  /** With the option `coverage`. */
  readonly coverage?: Coverage;
  /** Of a kernel that prints. */
  readonly printed?: PrintedText;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a run in the simulator and one on a device have in common. */
export const launchOptions: OptionNames<Omit<SimulateOptions, keyof RunBoundOptions | "uninitialized">> = {
  ...sourceOptions,
  workgroups: true,
  gridSize: true,
  gridOffset: true,
  workgroupSize: true,
  subgroupSize: true,
  args: true,
};

/** Misuse throws. */
export function requireSimulateOptions(
  source: string,
  options: Omit<SimulateOptions, keyof RunBoundOptions | "uninitialized">,
): void {
  requireSource(source, options);
  for (const key of ["workgroups", "gridSize", "workgroupSize"] as const) requireSizes(options[key], key);
  requireSizes(options.gridOffset, "gridOffset", 0);
  requireWidth(options.subgroupSize, "subgroupSize");
  if ((options.workgroups === undefined) === (options.gridSize === undefined)) {
    throw new TypeError("exactly one of 'workgroups' and 'gridSize' is given");
  }
  if (typeof options.args !== "object" || options.args === null) throw new TypeError("'args' is an object");
  for (const [name, value] of Object.entries(options.args)) requireArgument(name, value);
}

export async function simulate(source: string, options: SimulateOptions): Promise<SimulateResult> {
  requireKnown(options, {
    ...launchOptions,
    uninitialized: true,
    findings: true,
    seed: true,
    maxSteps: true,
    lanes: true,
    granted: true,
    schedules: true,
    coverage: true,
    engine: true,
    threads: true,
  });
  if (
    options.threads !== undefined &&
    !(Number.isInteger(options.threads) && options.threads >= 1 && options.threads <= 256)
  )
    throw new TypeError("'threads' is a whole number from 1 to 256");
  if (options.engine !== undefined && !engines.includes(options.engine))
    throw new TypeError(`'engine' is ${engines.map((e) => `"${e}"`).join(" or ")}`);
  requireSimulateOptions(source, options);
  for (const name of options.uninitialized ?? [])
    if (!isBufferData(options.args[name]))
      throw new TypeError(`'uninitialized' names buffers of 'args', and '${name}' is none`);
  const compilation = await compile(source, { ...options, listedArrays: listedArrays(Object.keys(options.args)) });
  const failed = (more: readonly Diagnostic[]): SimulateResult => ({
    buffers: {},
    findings: [],
    diagnostics: [...compilation.diagnostics, ...more],
  });
  if (!compilation.module) return failed([]);
  const chosen = chooseEntry(compilation, options.entry);
  if ("diagnostic" in chosen) return failed([chosen.diagnostic]);
  const shape = shapeOf(compilation.module, chosen.entry);
  const { bound, diagnostics } = bindObject(options, shape, options.uninitialized);
  if (!bound) return failed(diagnostics);
  const ran = runBound(compilation, chosen.entry, bound, options);
  if ("diagnostics" in ran) return failed(ran.diagnostics);
  const { result, coverage } = ran;
  const buffers = buffersLike(options.args, shape, result.buffers);
  const findings = result.findings.map(
    ({ span, stack: _stack, site: _site, use, against, ...rest }): SimulateFinding => ({
      ...rest,
      ...(span.end > span.start ? { location: locate(compilation.expanded, span) } : {}),
      ...(against ? { against: locate(compilation.expanded, against) } : {}),
      ...(use ? { use: { location: locate(compilation.expanded, use.span), buffer: use.buffer, byte: use.byte } } : {}),
    }),
  );
  const notes = result.notes.map((f) => findingDiagnostic(f, compilation.expanded, "note"));
  return {
    buffers,
    findings,
    stats: result.stats,
    ...coverage,
    ...(result.printed ? { printed: printedText(result.printed, compilation.expanded) } : {}),
    diagnostics: [...compilation.diagnostics, ...notes],
  };
}

function requireArgument(name: string, value: unknown): void {
  const scalar = (v: unknown): boolean => typeof v === "number" || typeof v === "bigint" || typeof v === "boolean";
  const sized =
    typeof value === "object" && value !== null && "byteLength" in value && Number.isInteger(value.byteLength);
  if (scalar(value) || sized || (Array.isArray(value) && value.every(scalar))) return;
  throw new TypeError(
    `'args.${name}' is a typed array, an ArrayBuffer, a number, bigint or bool, an array of those, or {byteLength}`,
  );
}

/** Buffers under the names they were given by, in the same array types. */
export function buffersLike(
  args: SimulateOptions["args"],
  shape: EntryShape,
  results: ReadonlyMap<string, Uint8Array>,
): Record<string, BufferData> {
  const paths = shape.arguments.map((a) => a.path);
  const buffers: [string, BufferData][] = [];
  for (const [name, value] of Object.entries(args)) {
    const match = matchKey(name, paths);
    const bytes = "index" in match ? results.get(paths[match.index]!) : undefined;
    if (bytes && (value instanceof ArrayBuffer || ArrayBuffer.isView(value)))
      buffers.push([name, likeGiven(bytes, value)]);
  }
  return Object.fromEntries(buffers);
}

function likeGiven(bytes: Uint8Array, given: BufferData): BufferData {
  const own = bytes.slice();
  if (given instanceof ArrayBuffer) return own.buffer;
  if (given instanceof DataView) return new DataView(own.buffer);
  const View = given.constructor as new (buffer: ArrayBuffer) => ArrayBufferView;
  // Node's Buffer has no such constructor; it is bytes.
  return given instanceof Uint8Array ? own : new View(own.buffer);
}

/** Arguments given as an object, fitted to a kernel. */
export function bindObject(
  options: Omit<SimulateOptions, keyof RunBoundOptions | "uninitialized">,
  shape: EntryShape,
  uninitialized: readonly string[] = [],
): { bound?: BoundLaunch; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const error: Parameters<typeof bindArguments>[2] = (code, message, _location, help) => {
    diagnostics.push({ severity: "error", code, message, notes: [], ...(help ? { help } : {}) });
  };
  const sizes = launchSizes(
    options,
    shape,
    { workgroupSize: options.workgroupSize, subgroupSize: options.subgroupSize },
    error,
  );
  if (!sizes) return { diagnostics };
  const given = Object.entries(options.args).map(([key, value]): GivenArgument => {
    const isBuffer = isBufferData(value);
    const isSize = !isBuffer && typeof value === "object" && "byteLength" in value;
    return {
      key,
      kind: isBuffer ? "buffer" : isSize ? "workgroup" : "value",
      bind: (target) => {
        if (isSize) return { kind: "workgroup", path: target.path, byteLength: value.byteLength };
        const made = isBuffer
          ? bufferOf(value, target, shape, !uninitialized.includes(key))
          : valueOf(value, target, shape);
        if (typeof made !== "string") return made;
        error("XL6006", `'${key}' ${made}`);
        return undefined;
      },
    };
  });
  const bound = bindArguments(given, shape, error);
  return diagnostics.length > 0
    ? { diagnostics }
    : { bound: { label: "launch", ...sizes, arguments: bound }, diagnostics };
}

const isBufferData = (value: SimulateOptions["args"][string] | undefined): value is BufferData =>
  value instanceof ArrayBuffer || ArrayBuffer.isView(value);

function bufferOf(
  value: BufferData,
  target: ArgumentShape,
  shape: EntryShape,
  initialized: boolean,
): BoundArgument | string {
  const bytes =
    value instanceof ArrayBuffer
      ? new Uint8Array(value)
      : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const unfit = sizeProblem(bytes.length, target, shape);
  if (unfit !== undefined) return unfit;
  const writable = target.access !== "read";
  const type = { text: "bytes", scalar: "u8", width: 1 } as const;
  return {
    kind: "buffer",
    path: target.path,
    bytes,
    initialized,
    type,
    output: writable,
    writable,
    compare: "ordered",
  };
}

function valueOf(value: ValueData, target: ArgumentShape, shape: EntryShape): BoundArgument | string {
  const list: readonly LaunchNumber[] = Array.isArray(value)
    ? (value as readonly LaunchNumber[])
    : [value as LaunchNumber];
  const scalars = valueScalars(target.type, shape.structs);
  if (list.length !== scalars.length)
    return `has ${list.length} numbers, and the kernel's ${showType(target.type)} takes ${scalars.length}`;
  const bytes = new Uint8Array(packedSize(target.type, shape.structs));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [i, { scalar }] of scalars.entries()) {
    const problem = writeScalar(view, at, scalar, list[i]!);
    if (problem !== undefined) return `does not fit: ${problem}`;
    at += scalarBytes(scalar);
  }
  return { kind: "value", path: target.path, bytes };
}

export interface RunBoundOptions {
  readonly findings?: "all" | "none" | readonly FindingKind[];
  readonly seed?: number;
  readonly maxSteps?: number;
  readonly lanes?: "linear" | "scrambled";
  readonly granted?: number;
  readonly schedules?: number;
  readonly coverage?: boolean;
  readonly engine?: Engine;
  readonly threads?: number;
}

interface Ran {
  readonly result: RunResult;
  readonly coverage: { readonly coverage?: Coverage };
}

function runBound(
  compilation: Compilation,
  entry: EntryPoint,
  bound: BoundLaunch,
  options: RunBoundOptions,
  fails?: (buffers: ReadonlyMap<string, Uint8Array>) => boolean,
): Ran | { diagnostics: Diagnostic[] } {
  const { granted, coverage = false } = options;
  const made = compileForSimulator(compilation, entry, options.findings ?? "all", { granted, coverage });
  if ("diagnostics" in made) return made;
  try {
    const result = run(made.kernel, {
      ...simulatorOptions(bound, compilation.dialect),
      subgroupSize: bound.subgroupSize,
      seed: options.seed ?? 1,
      prints: true,
      scrambled: options.lanes === "scrambled",
      maxSteps: options.maxSteps ?? defaultSteps,
      ...(options.engine ? { engine: options.engine } : {}),
      ...(options.threads ? { threads: options.threads } : {}),
      ...(options.schedules ? { schedules: options.schedules } : {}),
      ...(fails ? { fails } : {}),
    });
    if (!coverage) return { result, coverage: {} };
    const coverable = coverableOf(made.kernel.program, compilation.expanded);
    return { result, coverage: { coverage: coverageOf(coverable, result.covered ?? new Uint8Array(0), [bound]) } };
  } catch (error) {
    if (error instanceof LaunchError) return { diagnostics: [launchDiagnostic(error)] };
    throw error;
  }
}

export interface LaunchOutcome {
  readonly buffers: ReadonlyMap<string, Uint8Array>;
  readonly findings: readonly Diagnostic[];
  /** Outputs that are not what the launch file expects. */
  readonly unexpected: readonly Diagnostic[];
  readonly diagnostics: readonly Diagnostic[];
  readonly milliseconds: number;
  readonly engine?: EngineUsed;
  /** Lanes took turns: in order, where one waited for a later one, or as this seed says. */
  readonly schedule?: "in order" | number;
  readonly coverage?: Coverage;
  readonly printed?: PrintedText;
}

/** One launch of a launch file, as `crosslane run` has it. */
export function simulateLaunch(
  compilation: Compilation,
  entry: EntryPoint,
  bound: BoundLaunch,
  options: RunBoundOptions,
): LaunchOutcome {
  const run: VerifyRun = {
    launch: bound.label,
    workgroups: bound.workgroups,
    workgroupSize: bound.workgroupSize,
    subgroupSize: bound.subgroupSize,
    seed: options.seed ?? 1,
    compared: [],
  };
  const isWrong = (buffers: ReadonlyMap<string, Uint8Array>): boolean =>
    checkExpectations({ buffers, findings: [] }, bound, run).length > 0;
  const ran = runBound(compilation, entry, bound, options, isWrong);
  if ("diagnostics" in ran)
    return {
      buffers: new Map(),
      findings: [],
      unexpected: [],
      diagnostics: ran.diagnostics,
      milliseconds: 0,
    };
  const { result, coverage } = ran;
  const findings = result.findings.map((f) => findingDiagnostic(f, compilation.expanded));
  const unexpected = result.stats.complete ? checkExpectations({ buffers: result.buffers, findings }, bound, run) : [];
  return {
    buffers: result.buffers,
    findings,
    unexpected,
    diagnostics: result.notes.map((f) => findingDiagnostic(f, compilation.expanded, "note")),
    milliseconds: result.stats.milliseconds,
    engine: result.stats.engine,
    ...(result.stats.schedule === undefined ? {} : { schedule: result.stats.schedule }),
    ...coverage,
    ...(result.printed ? { printed: printedText(result.printed, compilation.expanded) } : {}),
  };
}
