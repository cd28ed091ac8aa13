/** Source and translations, run on the same launches: where compiling, translating and simulating meet. */
import type { EntryPoint } from "../ast/nodes.js";
import { allowsWidth, usesSubgroups, widthsIn } from "../ast/subgroups.js";
import type { Dialect, Target } from "../dialects/ids.js";
import { factsOf } from "../dialects/languages.js";
import { append } from "../support/append.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { openVariants } from "../passes/values/open-arithmetic.js";
import { bindLaunch, entryOf, isPartial } from "../launch/bind.js";
import type { BoundBuffer, BoundLaunch, LaunchFiles } from "../launch/bind.js";
import { Deriver } from "../launch/derive.js";
import type { LaunchFile } from "../launch/launch-file.js";
import { listedArrays } from "../launch/listed-arrays.js";
import { shapeOf } from "../launch/reflection.js";
import type { VerifyResult, VerifyRun } from "../verify/result.js";
import {
  checkExpectations,
  compareOnLaunches,
  goAhead,
  outputsOf,
  remembering,
  sameOutputs,
} from "../verify/verify.js";
import type { CompareOptions, OpenArithmetic, Runner } from "../verify/verify.js";
import { chooseEntry, compile, fileDiagnostic, hasErrors } from "./compile.js";
import type { Compilation, CompileOptions } from "./compile.js";
import { judgeTranslation } from "./judge.js";
import type { TextJudgement } from "./judge.js";
import {
  requireCount,
  requireKnown,
  requireSource,
  requireTarget,
  requireTargetOptions,
  requireWidth,
  sourceOptions,
  targetOptions,
} from "./options.js";
import { keepClean, usualBudget } from "./kept-launches.js";
import { launchAssumedAway } from "./launch-assumptions.js";
import { profileFor } from "./profile.js";
import { translationRunner } from "./read-translation.js";
import type { TranslationRunner } from "./read-translation.js";
import { launchDiagnostic, simulatorRunner } from "./runners.js";
import { codeFromTextIsAllowed, NeedsCodeFromText } from "../sim/index.js";
import { RunsAhead } from "./runs-ahead.js";
import { sameProgram } from "./same-program.js";
import { translationsForLaunches, withText } from "./sized-translations.js";
import type { WholeText } from "./sized-translations.js";
import type { SizedTranslations } from "./sized-translations.js";
import { sourceNotes } from "./unstated.js";
import type { Translation } from "./translate.js";
import { widthDependence } from "./widths.js";
import type { SourceOptions, TargetOptions, TranslateOptions } from "./types.js";

const defaultWidths = [4, 8, 16, 32, 64] as const;

export interface PrepareOptions extends Pick<SourceOptions, "entry">, Pick<TargetOptions, "workgroupSize" | "local"> {
  /** None: launches are derived from the interface. */
  readonly launches: readonly { readonly launch: LaunchFile; readonly files?: LaunchFiles }[];
  readonly subgroupSizes?: readonly number[];
  readonly seeds?: number;
  readonly schedules?: number;
  readonly maxSteps?: number;
  readonly budget?: number;
  readonly threads?: number;
}

/** A source made ready to be compared with its translations. */
export interface ReadySource {
  readonly compilation: Compilation;
  readonly entry: EntryPoint;
  readonly source: Runner;
  readonly launches: readonly BoundLaunch[];
  readonly subgroupSizes: (launch: BoundLaunch) => readonly number[];
  readonly outputs: (launch: BoundLaunch) => readonly BoundBuffer[];
  readonly seeds: number;
  /** Of a run, at most. */
  readonly threads?: number;
  /** Of the source and its translations. */
  readonly ahead: RunsAhead;
  /** Orders of the invocations that are tried besides. */
  readonly schedules?: number;
  /** Derived launches on which the source has findings. */
  readonly dropped: number;
  /** Steps of one run, where that made launches or widths fewer than usual. */
  readonly slow?: number;
  /** Derived launches tried, where the search for more ended since it took too much. */
  readonly stoppedAfter?: number;
}

export interface Preparation {
  readonly ready?: ReadySource;
  readonly diagnostics: readonly Diagnostic[];
  readonly expectationsFailed: boolean;
}

export async function prepareVerification(compilation: Compilation, options: PrepareOptions): Promise<Preparation> {
  try {
    return await prepare(compilation, options);
  } catch (error) {
    if (!(error instanceof NeedsCodeFromText)) throw error;
    return { diagnostics: [launchDiagnostic(error)], expectationsFailed: false };
  }
}

function noLaunchIsClean(
  compilation: Compilation,
  entry: EntryPoint,
  { stoppedAfter, firstFindings }: Awaited<ReturnType<typeof keepClean>>,
): Diagnostic {
  const message = `'${entry.name}' has a finding on every launch that was derived for it`;
  const help = "describe a launch in a launch file: see README.md, or `crosslane reflect` for the list of arguments";
  const stopped = `the search ended after ${stoppedAfter} launches: running more would take too long`;
  return {
    ...fileDiagnostic(compilation, "XL6013", message, help),
    notes: [
      ...(stoppedAfter === undefined ? [] : [{ message: stopped }]),
      ...firstFindings.map((f) => ({ message: f.message, ...(f.location ? { location: f.location } : {}) })),
    ],
  };
}

async function prepare(compilation: Compilation, options: PrepareOptions): Promise<Preparation> {
  const failed = (diagnostics: readonly Diagnostic[]): Preparation => ({
    diagnostics,
    expectationsFailed: false,
  });
  const chosen = chooseEntry(compilation, entryOf(options.launches[0]?.launch, compilation.dialect, options.entry));
  if ("diagnostic" in chosen) return failed([chosen.diagnostic]);
  const { entry } = chosen;
  const module = compilation.module!;
  const shape = shapeOf(module, entry);
  const { threads } = options;
  const ahead = new RunsAhead(threads);
  const made = await simulatorRunner(compilation, entry, { coverage: true, threads, ahead });
  if ("diagnostics" in made) return failed(made.diagnostics);
  const source = remembering(made.runner);
  const seeds = options.seeds ?? 2;
  const { schedules, maxSteps } = options;
  const common = {
    compilation,
    entry,
    source,
    seeds,
    threads,
    ahead,
    outputs: outputsOf,
    ...(schedules ? { schedules } : {}),
  };
  if (options.launches.length === 0) {
    const derived = await keepClean(
      new Deriver(module, shape, options),
      source,
      widthsOf(entry, options.subgroupSizes),
      seeds,
      options.budget ?? usualBudget,
      async () => {
        // What was compared is noted by the printed code.
        if (!codeFromTextIsAllowed()) return undefined;
        const made = await simulatorRunner(compilation, entry, { coverage: true, compared: true, threads });
        return "runner" in made ? made.runner : undefined;
      },
    );
    if (derived.launches.size === 0) {
      return failed([noLaunchIsClean(compilation, entry, derived)]);
    }
    const launches = [...derived.launches.keys()];
    const { dropped, slow, stoppedAfter } = derived;
    const widths = await widthDependence(compilation, entry, source, launches, (l) => derived.tried.get(l) ?? []);
    const notes =
      slow === undefined
        ? await sourceNotes(compilation, entry, launches, (l) => derived.launches.get(l) ?? [], threads)
        : [];
    return {
      ready: {
        ...common,
        launches,
        subgroupSizes: (l) => derived.launches.get(l) ?? [],
        dropped,
        ...(slow !== undefined ? { slow } : {}),
        ...(stoppedAfter !== undefined ? { stoppedAfter } : {}),
      },
      diagnostics: [...widths, ...notes],
      expectationsFailed: false,
    };
  }
  const launches: BoundLaunch[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { launch, files } of options.launches) {
    const { bound, diagnostics: problems } = bindLaunch(launch, shape, {
      workgroupSize: options.workgroupSize,
      files,
    });
    append(diagnostics, problems);
    if (bound) launches.push(maxSteps === undefined ? bound : { ...bound, maxSteps });
  }
  if (hasErrors(diagnostics)) return failed(diagnostics);
  const subgroupSizes = (launch: BoundLaunch): readonly number[] =>
    widthsOf(entry, options.subgroupSizes ?? launch.subgroupSizes);
  const wrong = await failedExpectations(source, launches, subgroupSizes);
  const widths = await widthDependence(compilation, entry, source, launches, subgroupSizes);
  const notes = await sourceNotes(compilation, entry, launches, subgroupSizes, threads);
  return {
    ready: { ...common, launches, subgroupSizes, dropped: 0 },
    diagnostics: [...wrong, ...widths, ...notes],
    expectationsFailed: wrong.length > 0,
  };
}

function widthsOf(entry: EntryPoint, asked: readonly number[] | undefined): readonly number[] {
  const widths = (asked ?? defaultWidths).filter((w) => allowsWidth(entry.subgroupSizes, w));
  return widths.length > 0 ? widths : widthsIn(entry.subgroupSizes!);
}

async function failedExpectations(
  source: Runner,
  launches: readonly BoundLaunch[],
  widths: (launch: BoundLaunch) => readonly number[],
): Promise<Diagnostic[]> {
  for (const launch of launches) {
    if (!launch.arguments.some((a) => a.kind === "buffer" && a.expect)) continue;
    for (const subgroupSize of widths(launch)) {
      const outcome = await source.run(launch, { subgroupSize, seed: 1 });
      const others = widths(launch).map((w) => ({ subgroupSize: w, seed: 1 }));
      if (subgroupSize === others[0]?.subgroupSize) goAhead(outcome, launch, [[source, others.slice(1)]]);
      // With a finding the result means nothing; comparing says so.
      if (outcome.findings.length > 0) continue;
      const run: VerifyRun = {
        launch: launch.label,
        workgroups: launch.workgroups,
        workgroupSize: launch.workgroupSize,
        subgroupSize,
        seed: 1,
        compared: [],
      };
      const wrong = checkExpectations(outcome, launch, run);
      if (wrong.length > 0) return wrong;
    }
  }
  return [];
}

export interface MutantOptions {
  /** Plant so many faults in the translation, one at a time, and see which the launches notice. */
  readonly mutants?: number;
  /** Chooses the faults; 1 by default. */
  readonly mutantSeed?: number;
}

export interface JudgeOption {
  /** Put the text before the target's own compiler, where it is installed. Node only. */
  readonly judge?: boolean;
}

export interface TargetVerification {
  readonly result: VerifyResult;
  /** Of several, each for launches with another size of workgroups, the first: see `VerifyResult.workgroupSizes`. */
  readonly translation: Translation;
  /** Those that ran on this translation. */
  readonly launches: readonly BoundLaunch[];
}

/** Translates for one target, puts the text before its compiler where that is asked for, reads it back, and compares. */
export async function verifyTarget(
  ready: ReadySource,
  target: Target,
  options: TargetOptions & JudgeOption & MutantOptions & WholeText,
): Promise<TargetVerification> {
  const all = await translationsForLaunches(ready, target, options);
  const texts = withText(ready, all);
  if ("refused" in texts) {
    const result: VerifyResult = { target, result: "not-run", runs: [], diagnostics: [] };
    return { result, translation: texts.refused, launches: [] };
  }
  const { translations, notes } = texts;
  const [{ translation, launches }] = translations;
  const run = launches.length < ready.launches.length ? translations.flatMap((t) => t.launches) : ready.launches;
  const judgement = options.judge ? await judgeAll(ready.compilation, translations) : undefined;
  const { judged, diagnostics = [] } = judgement ?? {};
  const result: VerifyResult =
    judged?.verdict === "refused"
      ? { target, result: "refused", runs: [], diagnostics: [] }
      : await verifyTranslations({ ...ready, launches: run }, target, options, translations).catch(
          (error: unknown): VerifyResult => {
            if (!(error instanceof NeedsCodeFromText)) throw error;
            return { target, result: "not-run", runs: [], diagnostics: [launchDiagnostic(error)] };
          },
        );
  const sizes = translations.flatMap(({ size }) => (size ? [size] : []));
  return {
    result: {
      ...result,
      ...(sizes.length > 1 ? { workgroupSizes: sizes } : {}),
      ...(judged ? { judged } : {}),
      diagnostics: [...notes, ...diagnostics, ...result.diagnostics],
    },
    translation,
    launches,
  };
}

/** What is said of the first that is refused, else of the first. */
async function judgeAll(compilation: Compilation, translations: SizedTranslations): Promise<TextJudgement | undefined> {
  let first: TextJudgement | undefined;
  for (const { translation, size } of translations) {
    const judgement = await judgeTranslation(compilation, translation, size);
    if (judgement?.judged.verdict === "refused") return judgement;
    first ??= judgement;
  }
  return first;
}

async function verifyTranslations(
  ready: ReadySource,
  target: Target,
  options: TargetOptions & MutantOptions,
  translations: SizedTranslations,
): Promise<VerifyResult> {
  const { compilation } = ready;
  const notRun = (diagnostics: readonly Diagnostic[]): VerifyResult => ({
    target,
    result: "not-run",
    runs: [],
    diagnostics,
  });
  const partial = factsOf(target)?.wholeWorkgroups ? ready.launches.find(isPartial) : undefined;
  if (partial) {
    const size = `${partial.gridSize.join(" x ")} in workgroups of ${partial.workgroupSize.join(" x ")}`;
    return notRun([
      fileDiagnostic(compilation, "XL6007", `${target} starts whole workgroups only, and the launch has ${size}`),
    ]);
  }
  const broken = launchAssumedAway(ready, target, translations);
  if (broken) return { target, result: "inconclusive", runs: [], diagnostics: [broken] };
  const runners = new Map<BoundLaunch, TranslationRunner>();
  for (const { translation, size, launches } of translations) {
    const runner = await translationRunner(ready, translation, size);
    if ("diagnostics" in runner) return notRun(runner.diagnostics);
    for (const launch of launches) runners.set(launch, runner);
  }
  const onDevice = deviceWidths(ready, target, options);
  // A translation with emulated subgroups has those, whatever runs it.
  const emulated = target === "ts" ? undefined : options.emulateSubgroups;
  const other = emulated && ready.launches.find((l) => l.subgroupSizes && !l.subgroupSizes.includes(emulated));
  if (other) {
    const message = `the kernel is meant for subgroup widths ${other.subgroupSizes!.join(", ")}, and ${emulated} are emulated`;
    return notRun([fileDiagnostic(compilation, "XL3006", message)]);
  }
  const width = emulated ?? options.subgroupSize;
  const meant = (launch: BoundLaunch): readonly number[] =>
    width === undefined ? ready.subgroupSizes(launch) : [width];
  const widths = (launch: BoundLaunch): readonly number[] =>
    meant(launch).filter((w) => onDevice?.sizes.includes(w) ?? true);
  const none = ready.launches.find((l) => widths(l).length === 0);
  if (none) {
    const message = `the kernel is meant for subgroup widths ${meant(none).join(", ")}, and ${onDevice!.name} has ${onDevice!.sizes.join(", ")}`;
    return notRun([fileDiagnostic(compilation, "XL3006", message)]);
  }
  const remarks = translations.flatMap(({ translation: t }) => [...t.emulations, ...t.assumptions]);
  const how: CompareOptions = {
    target,
    seeds: ready.seeds,
    ...(ready.schedules ? { schedules: ready.schedules } : {}),
    subgroupSizes: widths,
    open: () => openArithmetic(ready, target, new Set(remarks.map((r) => r.op))),
  };
  const [{ launches, size }] = translations;
  const { readAgain, of } = runners.get(launches[0]!)!;
  const program = readAgain ? sameProgram(ready, of) : undefined;
  const compared = await compareOnLaunches(ready.source, (l) => runners.get(l)!.runner, ready.launches, how).finally(
    () => ready.ahead.end(),
  );
  const result = program ? { ...compared, program } : compared;
  if (!options.mutants || !sameOutputs(result)) return result;
  // Faults of the text that is shown, which launches of other sizes do not run.
  const { scoreMutants } = await import("./mutants.js");
  const mutants = await scoreMutants({ ...ready, launches }, of, how, options.mutants, options.mutantSeed ?? 1);
  return { ...result, mutants: size ? { ...mutants, workgroupSize: size } : mutants };
}

/**
 * The source in the ways its arithmetic may go elsewhere: for a text that is simulated, the functions it carries out by
 * formulas (`ops`); on a device, all that is open in its dialect or the target's.
 */
export async function openArithmetic(
  { compilation, entry, threads }: Pick<ReadySource, "compilation" | "entry" | "threads">,
  target: Dialect | "ts",
  ops?: ReadonlySet<string>,
): Promise<OpenArithmetic> {
  const dialects = target === "ts" ? [compilation.dialect] : [compilation.dialect, target];
  const { variants, uses } = openVariants(compilation.module!, {
    ...(ops ? { ops } : {}),
    dialects,
    contraction: ops === undefined,
  });
  const runners: Runner[] = [];
  for (const module of variants) {
    const made = await simulatorRunner({ ...compilation, module }, entry, { threads });
    if ("runner" in made) runners.push(made.runner);
  }
  return { runners, names: [...uses].sort() };
}

/** The widths of the device a translation is written for, where it is known and matters to the kernel. */
function deviceWidths(
  { compilation }: ReadySource,
  target: Target,
  options: TargetOptions,
): { name: string; sizes: readonly number[] } | undefined {
  const device = profileFor(target, options)?.device;
  if (!device?.subgroupSizes || !usesSubgroups(compilation.module!)) return undefined;
  return { name: device.name, sizes: device.subgroupSizes };
}

export interface VerifyOptions
  extends Omit<TranslateOptions, "sourceMap" | "lineDirectives" | "types">, JudgeOption, MutantOptions {
  /** Launch files: their text, or the object a text would give. Without them launches are derived from the interface. */
  readonly launches?: readonly (string | object)[];
  /** Raw files that launches name. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  readonly subgroupSizes?: readonly number[];
  /** Fills of unspecified values; two by default. */
  readonly seeds?: number;
  /**
   * Orders of the invocations to try besides one after the other, none by default: the source and the translation have to leave the
   * same in each. Of an output that hangs on the order nothing is said. TypeScript runs in one order.
   */
  readonly schedules?: number;
  /** A run is given up after so many steps: loop iterations, of long loops several. */
  readonly maxSteps?: number;
  /** Steps that looking for launches may take where none are given, 2^24 by default: the same launches on every machine. */
  readonly budget?: number;
  /** As `threads` of `simulate`. */
  readonly threads?: number;
}

export async function verify(source: string, options: VerifyOptions): Promise<VerifyResult> {
  requireKnown(options, {
    ...sourceOptions,
    ...targetOptions,
    to: true,
    judge: true,
    mutants: true,
    mutantSeed: true,
    launches: true,
    files: true,
    subgroupSizes: true,
    seeds: true,
    schedules: true,
    maxSteps: true,
    budget: true,
    threads: true,
  });
  requireSource(source, options);
  requireTarget(options.to);
  requireTargetOptions(options, options.to);
  requireCount(options.budget, "budget");
  requireCount(options.threads, "threads");
  requireCount(options.schedules, "schedules");
  requireCount(options.maxSteps, "maxSteps");
  requireCount(options.mutants, "mutants");
  requireCount(options.mutantSeed, "mutantSeed");
  for (const width of options.subgroupSizes ?? []) requireWidth(width, "subgroupSizes");
  const notRun = (diagnostics: readonly Diagnostic[]): VerifyResult => ({
    target: options.to,
    result: "not-run",
    runs: [],
    diagnostics,
  });
  const { launches, diagnostics: wrong } = await readLaunches(options);
  const said = launchConstants(launches, options);
  const compilation = await compile(source, { ...options, ...said.options });
  append(wrong, said.diagnostics);
  if (!compilation.module) return notRun(compilation.diagnostics);
  if (wrong.length > 0) return notRun([...compilation.diagnostics, ...wrong]);
  const preparation = await prepareVerification(compilation, { ...options, launches });
  if (!preparation.ready) return notRun([...compilation.diagnostics, ...preparation.diagnostics]);
  const { result, translation } = await verifyTarget(preparation.ready, options.to, options);
  return {
    ...result,
    diagnostics: [
      ...compilation.diagnostics,
      ...preparation.diagnostics,
      ...translation.diagnostics,
      ...result.diagnostics,
    ],
  };
}

interface GivenLaunch {
  readonly launch: LaunchFile;
  readonly files: LaunchFiles;
}

async function readLaunches(
  options: Pick<VerifyOptions, "launches" | "files">,
): Promise<{ launches: GivenLaunch[]; diagnostics: Diagnostic[] }> {
  if (!options.launches?.length) return { launches: [], diagnostics: [] };
  // Loaded when they are needed: without any, launches are derived.
  const { parseLaunchFile } = await import("../launch/launch-file.js");
  const launches: GivenLaunch[] = [];
  const diagnostics: Diagnostic[] = [];
  const files: LaunchFiles = new Map(Object.entries(options.files ?? {}));
  for (const [index, given] of options.launches.entries()) {
    const text =
      typeof given === "string"
        ? given
        : JSON.stringify(given, (_, v: unknown) => (typeof v === "bigint" ? String(v) : v), 2);
    const name = options.launches.length === 1 ? "launch" : `launch ${index + 1}`;
    const read = parseLaunchFile(text, name);
    append(diagnostics, read.diagnostics);
    if (read.launch) launches.push({ launch: read.launch, files });
  }
  return { launches, diagnostics };
}

/** What launches say of constants, with which the kernel is read once for all of them. */
function launchConstants(
  launches: readonly GivenLaunch[],
  { spec, workgroupSize }: Pick<VerifyOptions, "spec" | "workgroupSize">,
): { options: Pick<CompileOptions, "spec" | "workgroupSize" | "listedArrays">; diagnostics: Diagnostic[] } {
  const [first] = launches;
  const shown = (l: GivenLaunch): string =>
    Object.entries(l.launch.spec ?? {})
      .map(([key, value]) => `${key}=${String(value)}`)
      .sort()
      .join();
  const other = launches.find((l) => shown(l) !== shown(first!));
  const size =
    workgroupSize ??
    (launches.every((l) => l.launch.workgroupSize?.join() === first!.launch.workgroupSize?.join())
      ? first?.launch.workgroupSize
      : undefined);
  const message = "launches that are verified together have the same 'spec'";
  return {
    options: {
      ...(first?.launch.spec ? { spec: { ...first.launch.spec, ...spec } } : {}),
      ...(size ? { workgroupSize: size } : {}),
      listedArrays: listedArrays(launches.flatMap((l) => l.launch.arguments.map((a) => a.key))),
    },
    diagnostics: other ? [fileDiagnostic({ fileName: other.launch.name }, "XL6003", message)] : [],
  };
}
