/** Kernels on real devices: where compiling, translating and drivers meet. Node only: drivers are reached when asked for. */
import type { EntryPoint, Module } from "../ast/nodes.js";
import { walkModule } from "../ast/walk.js";
import type { BuiltKernel, DeviceConnection } from "../device/connection.js";
import { allowsWidth, usesSubgroups, widthsIn } from "../ast/subgroups.js";
import { languageFacts } from "../dialects/languages.js";
import { preferredWidth } from "../launch/bind.js";
import { DeviceError, isNotRunnable } from "../device/failure.js";
import type { Failure } from "../device/failure.js";
import { deviceApis, widthAskedIn } from "../device/kernel.js";
import type { DeviceInfo, DeviceSelection, HlslCompiler } from "../device/kernel.js";
import type { Dialect, Target } from "../dialects/ids.js";
import { append } from "../support/append.js";
import type { Diagnostic, Location } from "../support/diagnostics.js";
import { locate } from "../support/expanded-source.js";
import type { TranslatedArgument } from "../verify/arguments-of-translation.js";
import type { BoundLaunch } from "../launch/bind.js";
import { listedArrays } from "../launch/listed-arrays.js";
import { shapeOf } from "../launch/reflection.js";
import type { VerifyResult, VerifyRun } from "../verify/result.js";
import { checkExpectations, compareOnLaunches } from "../verify/verify.js";
import type { Runner } from "../verify/verify.js";
import { chooseEntry, compile, fileDiagnostic, isPreprocessed } from "./compile.js";
import type { Compilation } from "./compile.js";
import type { deviceLaunch, PreparedKernel } from "./device-kernel.js";
import { launchAssumedAway } from "./launch-assumptions.js";
import { requireKnown } from "./options.js";
import { bindObject, buffersLike, launchOptions, requireSimulateOptions } from "./simulate.js";
import type { LaunchOutcome, RunBoundOptions, SimulateOptions, SimulateResult } from "./simulate.js";
import type { TargetOptions } from "./types.js";
import { readTranslation } from "./read-translation.js";
import { translationsForLaunches, withText } from "./sized-translations.js";
import type { SizedTranslations } from "./sized-translations.js";
import { openArithmetic } from "./verify.js";
import type { ReadySource, TargetVerification } from "./verify.js";

/** Milliseconds a kernel may run on a device. */
const defaultTimeout = 10_000;

export interface DeviceOptions {
  /** `opencl`, `opencl:1`, `vulkan:0` */
  readonly device: string;
  /** Milliseconds a kernel may run; 10 seconds by default. */
  readonly timeout?: number;
  /** Vulkan: have the validation layer watch. */
  readonly validate?: boolean;
  /** Vulkan: what compiles HLSL; without it the first whose programs are on the path (docs/devices.md). */
  readonly hlslCompiler?: HlslCompiler;
  /** OpenCL: false has the driver compile without optimising, which takes it a fraction of the time; true by default. */
  readonly optimize?: boolean;
  /** Talk to the driver in this process, which a kernel without end or a driver that crashes takes along. */
  readonly here?: boolean;
}

/** `vulkan:1` as data; nothing where it is no device. */
export function parseDevice(text: string): DeviceSelection | undefined {
  const match = /^(\w+)(?::(\d{1,3}))?$/.exec(text);
  const api = deviceApis.find((a) => a === match?.[1]);
  return api ? { api, index: Number(match![2] ?? 0) } : undefined;
}

/** Opens a device; what stands against it is a `DeviceError`. */
export async function openDevice(options: DeviceOptions): Promise<DeviceConnection> {
  const selection = parseDevice(options.device);
  if (!selection) throw new TypeError(`'device' is opencl[:n] or vulkan[:n], not ${JSON.stringify(options.device)}`);
  const { connect } = await import("../device/connection.js");
  return connect(selection, {
    validate: options.validate ?? false,
    here: options.here ?? false,
    optimize: options.optimize ?? true,
    ...(options.hlslCompiler ? { hlslCompiler: options.hlslCompiler } : {}),
  });
}

export function failureDiagnostics(failure: Failure, compilation?: Compilation): Diagnostic[] {
  const lines = (failure.log ?? []).filter((l) => l.severity === "error").slice(0, 10);
  const notes = (failure.notes ?? []).map((message) => ({ message }));
  if (lines.length === 0 || !compilation) {
    return [
      {
        severity: "error",
        code: failure.code,
        message: failure.message,
        notes,
        ...(failure.help ? { help: failure.help } : {}),
      },
    ];
  }
  return lines.map((l, i) => ({
    severity: "error",
    code: failure.code,
    message: l.message,
    location: lineLocation(compilation, l.line, l.column),
    notes: i === 0 ? [{ message: failure.message }, ...notes] : [],
  }));
}

/** A line of the text a driver was given, in the files of the kernel. */
function lineLocation(compilation: Compilation, line: number, column: number | undefined): Location {
  const text = isPreprocessed(compilation) ? compilation.expanded.text : compilation.source;
  const lines = text.split("\n");
  const content = lines[line - 1] ?? "";
  const from = column ?? content.length - content.trimStart().length + 1;
  const to =
    column === undefined
      ? content.trimEnd().length + 1
      : column + (/^\w+/.exec(content.slice(column - 1))?.[0].length ?? 1);
  if (isPreprocessed(compilation)) {
    const start = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
    return locate(compilation.expanded, { start: start + from - 1, end: start + Math.max(from, to - 1) });
  }
  return { file: compilation.fileName, line, column: from, endLine: line, endColumn: Math.max(from + 1, to) };
}

function warnings(log: Failure["log"], compilation: Compilation): Diagnostic[] {
  return (log ?? [])
    .filter((l) => l.severity === "warning")
    .slice(0, 10)
    .map((l) => ({
      severity: "warning",
      code: "XL7005",
      message: l.message,
      location: lineLocation(compilation, l.line, l.column),
      notes: [],
    }));
}

export const takes = (info: DeviceInfo): string => info.languages.map((l) => languageFacts[l].name).join(" and ");

interface Prepared extends PreparedKernel {
  readonly launchOf: typeof deviceLaunch;
}

/** A compiled text made ready for the device, by what is loaded where there is one; what stands against it is a `DeviceError`. */
async function prepare(
  compilation: Compilation,
  entry: EntryPoint,
  info: DeviceInfo,
  translated?: readonly TranslatedArgument[],
): Promise<Prepared> {
  if (!(info.languages as readonly string[]).includes(compilation.dialect)) {
    const { message, help } = notTaken(compilation, info);
    throw new DeviceError("XL7010", message, help ? { help } : {});
  }
  const { deviceLaunch, prepareKernel } = await import("./device-kernel.js");
  const prepared = prepareKernel(compilation, entry, translated);
  if ("problem" in prepared) throw new DeviceError("XL7010", prepared.problem);
  return { ...prepared, launchOf: deviceLaunch };
}

/** The widths the simulator has. */
const simulated = (width: number): boolean => width >= 1 && width <= 128 && (width & (width - 1)) === 0;

/**
 * The width kernels are compared at: the one they ask for, else the device's own where the launch allows it or no other
 * can be asked for. Where the device has no subgroups, or some no simulator has, any width does for kernels without them.
 */
export function widthOn(info: DeviceInfo, entry: EntryPoint, launch: BoundLaunch | undefined): number {
  const asked = entry.subgroupSizes && widthsIn(entry.subgroupSizes);
  const own = asked && launch?.subgroupSizes?.filter((w) => asked.includes(w));
  const allowed = asked === undefined ? launch?.subgroupSizes : own && own.length > 0 ? own : asked;
  const any = preferredWidth(entry, allowed ?? (launch && [launch.subgroupSize]));
  if (!info.subgroups) return any;
  const { min, max, size, selectable } = info.subgroups;
  // The driver decides for each kernel, and is asked when there is one.
  if (size === undefined) return (selectable && allowed?.find((w) => w >= min && w <= max)) || any;
  if (!allowed || allowed.includes(size)) return simulated(size) ? size : any;
  const other = selectable ? allowed.find((w) => w >= min && w <= max) : undefined;
  // What the kernel asks for stays so where the device has none of it, which is said then.
  return other ?? (simulated(size) && asked === undefined ? size : any);
}

// ------------------------------------------------------------------ one launch

export interface DeviceLaunchOutcome extends LaunchOutcome {
  readonly subgroupSize?: number;
  /** What compiled the text, where there is a choice. */
  readonly compiler?: string;
  /** Of kernels that print: what the driver has printed of it, in its order; nothing where it keeps that to itself. */
  readonly driverPrinted?: string;
}

function hasPrints(module: Module): boolean {
  let found = false;
  walkModule(module, { expr: (e) => !(found ||= e.kind === "print") });
  return found;
}

/** One launch of a launch file, as `crosslane run --device` has it. `milliseconds` is the kernel alone. */
export async function launchOnDevice(
  connection: DeviceConnection,
  compilation: Compilation,
  entry: EntryPoint,
  bound: BoundLaunch,
  options: {
    readonly timeout?: number;
    readonly subgroupSize?: number;
    /** The entry is of a translation, and the launch of its source. */
    readonly translated?: readonly TranslatedArgument[];
  },
): Promise<DeviceLaunchOutcome> {
  const none = { buffers: new Map(), findings: [], unexpected: [], milliseconds: 0 };
  try {
    const prepared = await prepare(compilation, entry, connection.info, options.translated);
    const built = await connection.build(prepared.kernel);
    try {
      const width = options.subgroupSize ?? (entry.subgroupSizes && widthOn(connection.info, entry, bound));
      const launch = prepared.launchOf(prepared, bound, width, options.timeout ?? defaultTimeout);
      const prints = compilation.module !== undefined && hasPrints(compilation.module);
      const outcome = await built.run(prints ? { ...launch, prints } : launch);
      const buffers = named(prepared, bound, outcome.buffers);
      const subgroupSize = outcome.subgroupSize ?? width ?? bound.subgroupSize;
      const run: VerifyRun = {
        launch: bound.label,
        workgroups: bound.workgroups,
        workgroupSize: bound.workgroupSize,
        subgroupSize,
        seed: 1,
        compared: [],
      };
      const unexpected = checkExpectations({ buffers, findings: [] }, bound, run);
      const objections = validationDiagnostics(outcome.validation);
      const diagnostics = [...warnings(built.log, compilation), ...objections];
      return {
        buffers,
        findings: [],
        unexpected,
        diagnostics,
        milliseconds: outcome.kernelMilliseconds,
        ...(built.compiler ? { compiler: built.compiler } : {}),
        ...(outcome.subgroupSize ? { subgroupSize: outcome.subgroupSize } : {}),
        ...(prints ? { driverPrinted: outcome.printed ?? "" } : {}),
      };
    } finally {
      await built.release();
    }
  } catch (error) {
    if (error instanceof DeviceError) return { ...none, diagnostics: failureDiagnostics(error.failure, compilation) };
    throw error;
  }
}

function validationDiagnostics(messages: readonly string[]): Diagnostic[] {
  return messages.map((message) => ({
    severity: "error",
    code: "XL7012",
    message: `the validation layer says: ${message}`,
    notes: [],
  }));
}

/** All buffers by the launch's paths: written ones as they came back, the others as they went. */
function named(
  prepared: PreparedKernel,
  launch: BoundLaunch,
  written: ReadonlyMap<string, Uint8Array>,
): Map<string, Uint8Array> {
  const buffers = new Map<string, Uint8Array>();
  for (const a of launch.arguments) if (a.kind === "buffer") buffers.set(a.path, a.bytes);
  for (const [key, bytes] of written) {
    const path = prepared.pathOf(key);
    // What is bound as words ends with a whole one.
    if (path !== undefined) buffers.set(path, bytes.subarray(0, buffers.get(path)?.length));
  }
  return buffers;
}

export type RunOnDeviceOptions = Omit<SimulateOptions, keyof RunBoundOptions | "uninitialized"> & DeviceOptions;

export interface RunOnDeviceResult extends Pick<SimulateResult, "buffers" | "diagnostics"> {
  readonly device?: DeviceInfo;
  /** The kernel alone, as the device measures it. */
  readonly kernelMilliseconds?: number;
  readonly subgroupSize?: number;
  /** What compiled the text, where there is a choice: HLSL for Vulkan. */
  readonly compiler?: string;
}

/** `simulate` on a real device. */
export function runOnDevice(source: string, options: RunOnDeviceOptions): Promise<RunOnDeviceResult> {
  return runConnected(source, options, async (run) => {
    const connection = await openDevice(options);
    try {
      return await run(connection);
    } finally {
      await connection.close();
    }
  });
}

/** `runOnDevice` over the connection that `connected` lends to what it is given. */
export async function runConnected(
  source: string,
  options: RunOnDeviceOptions,
  connected: <T>(run: (connection: DeviceConnection) => Promise<T>) => Promise<T>,
): Promise<RunOnDeviceResult> {
  requireKnown(options, {
    ...launchOptions,
    device: true,
    timeout: true,
    validate: true,
    hlslCompiler: true,
    optimize: true,
    here: true,
  });
  requireSimulateOptions(source, options);
  if (!parseDevice(options.device))
    throw new TypeError(`'device' is opencl[:n] or vulkan[:n], not ${JSON.stringify(options.device)}`);
  const compilation = await compile(source, { ...options, listedArrays: listedArrays(Object.keys(options.args)) });
  const failed = (more: readonly Diagnostic[]): RunOnDeviceResult => ({
    buffers: {},
    diagnostics: [...compilation.diagnostics, ...more],
  });
  if (!compilation.module) return failed([]);
  const chosen = chooseEntry(compilation, options.entry);
  if ("diagnostic" in chosen) return failed([chosen.diagnostic]);
  const shape = shapeOf(compilation.module, chosen.entry);
  const { bound, diagnostics } = bindObject(options, shape);
  if (!bound) return failed(diagnostics);
  try {
    return await connected(async (connection) => {
      const result = await launchOnDevice(connection, compilation, chosen.entry, bound, options);
      if (result.buffers.size === 0 && result.diagnostics.some((d) => d.severity === "error"))
        return failed(result.diagnostics);
      return {
        buffers: buffersLike(options.args, shape, result.buffers),
        diagnostics: [...compilation.diagnostics, ...result.diagnostics],
        device: connection.info,
        kernelMilliseconds: result.milliseconds,
        ...(result.compiler ? { compiler: result.compiler } : {}),
        ...(result.subgroupSize ? { subgroupSize: result.subgroupSize } : {}),
      };
    });
  } catch (error) {
    if (error instanceof DeviceError) return failed(failureDiagnostics(error.failure));
    throw error;
  }
}

// ------------------------------------------------------------------ verification

/** What ran on a device in place of the simulator, and how it compares. */
export interface DeviceVerification {
  readonly what: "source" | Target;
  readonly verified: TargetVerification | { readonly result: VerifyResult; readonly translation?: undefined };
  /** It cannot run here, which says nothing of the kernel. */
  readonly notHere: boolean;
  /** What compiled the text, where there is a choice: HLSL for Vulkan. */
  readonly compiler?: string;
  /** Texts that diagnostics point into, by file name. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The width a built kernel runs a launch at; a `DeviceError` where it is none the kernel is meant for. */
async function settledWidth(
  info: DeviceInfo,
  built: BuiltKernel,
  entry: EntryPoint,
  launch: BoundLaunch,
  usesSubgroups: boolean,
): Promise<number> {
  const wanted = widthOn(info, entry, launch);
  if (!usesSubgroups || !info.subgroups) return wanted;
  const asked = await built.widthIn(launch);
  const width = asked ?? wanted;
  const refuse = (message: string): never => {
    throw new DeviceError("XL7004", message);
  };
  if (!simulated(width)) refuse(`${info.name} runs the kernel in subgroups of ${width}, which the simulator has not`);
  const allowed = launch.subgroupSizes ?? (entry.subgroupSizes && widthsIn(entry.subgroupSizes));
  if (allowed && !allowed.includes(width))
    refuse(`the kernel is meant for subgroup widths ${allowed.join(", ")}, and ${info.name} has ${width}`);
  const { size, selectable } = info.subgroups;
  if (asked === undefined && !selectable && size !== width)
    refuse(`${info.name} has a subgroup width of ${size ?? "its own choice"}, which is not ${width}`);
  return width;
}

/** Where the text asks for a width: a kernel meant for some widths has one of them asked for where the device can be told. */
function asking(ready: ReadySource, { api, subgroups }: DeviceInfo): Pick<TargetOptions, "subgroupSize"> {
  const [launch] = ready.launches;
  if (widthAskedIn[api] !== "text" || !subgroups?.selectable || !launch?.subgroupSizes) return {};
  if (!usesSubgroups(ready.compilation.module!)) return {};
  const size = launch.subgroupSizes.find(
    (w) => w >= subgroups.min && w <= subgroups.max && allowsWidth(ready.entry.subgroupSizes, w),
  );
  return size === undefined ? {} : { subgroupSize: size };
}

/** A text as the device has it, and the launches it is for. */
interface BuiltText {
  readonly prepared: Prepared;
  readonly built: BuiltKernel;
  readonly compilation: Compilation;
  readonly launches: readonly BoundLaunch[];
}

/** The source itself, or its translation for a target, on the device; compared with the source in the simulator. */
export async function verifyOnDevice(
  ready: ReadySource,
  what: "source" | Target,
  connection: DeviceConnection,
  options: TargetOptions & { readonly timeout?: number },
): Promise<DeviceVerification> {
  const { info } = connection;
  const target: Dialect | "ts" = what === "source" ? ready.compilation.dialect : what;
  const texts = new Map<string, string>();
  const ended = (
    result: VerifyResult,
    { translations, notHere = false, compiler }: EndedWith = {},
  ): DeviceVerification => {
    const [first] = translations ?? [];
    const sizes = (translations ?? []).flatMap(({ size }) => (size ? [size] : []));
    const said: VerifyResult = { ...result, ...(sizes.length > 1 ? { workgroupSizes: sizes } : {}) };
    const verified = first
      ? { result: said, translation: first.translation, launches: first.launches }
      : { result: said };
    return { what, notHere, texts, verified, ...(compiler ? { compiler } : {}) };
  };
  const notRun = (diagnostics: readonly Diagnostic[], more?: EndedWith): DeviceVerification =>
    ended({ target, result: "not-run", runs: [], diagnostics }, more);
  let translations: SizedTranslations | undefined;
  let notes: readonly Diagnostic[] = [];
  if (what !== "source") {
    const all = await translationsForLaunches(ready, what, { ...options, ...asking(ready, info) });
    const written = withText(ready, all);
    if ("refused" in written) return notRun([], { translations: [{ translation: written.refused, launches: [] }] });
    ({ translations, notes } = written);
  }
  const built: BuiltText[] = [];
  let building = ready.compilation;
  try {
    if (translations && what !== "source") {
      if (!(info.languages as readonly string[]).includes(what))
        throw new DeviceError("XL7010", `${info.api}:${info.index} takes ${takes(info)}, not ${what}`);
      const broken = launchAssumedAway(ready, what, translations);
      if (broken) return ended({ target, result: "inconclusive", runs: [], diagnostics: [broken] }, { translations });
      for (const { translation, size, launches } of translations) {
        const read = await readTranslation(ready.compilation, translation, size);
        if ("diagnostics" in read) return notRun(read.diagnostics, { translations });
        building = read.compilation;
        texts.set(building.fileName, building.source);
        const prepared = await prepare(building, read.entry, info, read.translated);
        built.push({
          prepared,
          built: await connection.build(prepared.kernel),
          compilation: building,
          launches,
        });
      }
    } else {
      const prepared = await prepare(building, ready.entry, info);
      built.push({
        prepared,
        built: await connection.build(prepared.kernel),
        compilation: building,
        launches: ready.launches,
      });
    }
    const compared = await compareBuilt(ready, built, info, target, options.timeout ?? defaultTimeout);
    const result: VerifyResult = { ...compared, diagnostics: [...notes, ...compared.diagnostics] };
    const [{ compiler }] = built.map((b) => b.built) as [BuiltKernel];
    return ended(result, { ...(translations ? { translations } : {}), ...(compiler ? { compiler } : {}) });
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    const notHere = isNotRunnable(error.failure);
    return notRun(failureDiagnostics(error.failure, building), { ...(translations ? { translations } : {}), notHere });
  } finally {
    for (const b of built) await b.built.release();
  }
}

interface EndedWith {
  readonly translations?: SizedTranslations;
  readonly notHere?: boolean;
  readonly compiler?: string;
}

/** Each launch on the text that is for it. */
async function compareBuilt(
  ready: ReadySource,
  texts: readonly BuiltText[],
  info: DeviceInfo,
  target: Dialect | "ts",
  timeout: number,
): Promise<VerifyResult> {
  const widths = new Map<BoundLaunch, number>();
  const runners = new Map<BoundLaunch, Runner>();
  const objections: string[] = [];
  for (const { prepared, built, launches } of texts) {
    const uses = prepared.kernel.usesSubgroups;
    const runner: Runner = {
      async run(launch) {
        const required = info.subgroups && uses ? widths.get(launch) : undefined;
        const outcome = await built.run(prepared.launchOf(prepared, launch, required, timeout));
        append(objections, outcome.validation);
        return { buffers: named(prepared, launch, outcome.buffers), findings: [] };
      },
    };
    for (const launch of launches) {
      widths.set(launch, await settledWidth(info, built, ready.entry, launch, uses));
      runners.set(launch, runner);
    }
  }
  const run = ready.launches.filter((l) => runners.has(l));
  const compared = await compareOnLaunches(ready.source, (l) => runners.get(l)!, run, {
    target,
    seeds: ready.seeds,
    subgroupSizes: (launch) => [widths.get(launch)!],
    open: () => openArithmetic(ready, target),
  });
  const logs = texts.flatMap(({ built, compilation }) => warnings(built.log, compilation));
  const more = [...logs, ...validationDiagnostics([...new Set(objections)])];
  return { ...compared, diagnostics: [...compared.diagnostics, ...more] };
}

/** A diagnostic for a kernel no device takes as it is. */
export function notTaken(compilation: Compilation, info: DeviceInfo): Diagnostic {
  const help = `translate it first (crosslane translate --to ${info.languages[0]}), or compare its translations with crosslane verify --device`;
  return fileDiagnostic(
    compilation,
    "XL7010",
    `${info.api}:${info.index} takes ${takes(info)}, and this is ${compilation.dialect}`,
    help,
  );
}
