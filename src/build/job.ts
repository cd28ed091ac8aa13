/** One input of a build and what it becomes: data going in and coming out, so that it can be done in another thread. */
import { basename } from "node:path";
import type { Compilation } from "../api/compile.js";
import { hasErrors } from "../api/compile.js";
import type { LeftOutDeclaration, Remark } from "../api/types.js";
import { prepareVerification, verifyTarget } from "../api/verify.js";
import type { Preparation } from "../api/verify.js";
import type { Output } from "../api/translate.js";
import type { Layouts } from "../api/typescript-layout.js";
import { writtenOutput } from "../api/written.js";
import { bindings } from "../bindings/bindings.js";
import type { BindingLanguage } from "../bindings/languages.js";
import { entryOf } from "../launch/bind.js";
import type { DeviceReport } from "../caps/device-report.js";
import type { Target } from "../dialects/ids.js";
import { append } from "../support/append.js";
import type { Diagnostic } from "../support/diagnostics.js";
import type { FirstDifference, VerifyResult } from "../verify/result.js";
import { sameOutputs } from "../verify/verify.js";
import { portable, Reads } from "./file-view.js";
import type { FileView } from "./file-view.js";
import type { SourceInput } from "./files.js";
import { markerLine, withMarker } from "./marker.js";
import { placeOf } from "./out-pattern.js";
import type { OutPlace } from "./out-pattern.js";
import { compileSession, openLaunchFile, openSource, withLaunch } from "./source.js";
import type { ReadLaunch, Session, SourceSettings } from "./source.js";
import { kernelsOfText, placedAt, targetOptions, translateTarget } from "./translate-input.js";
import type { KernelOfText, TargetSettings, TargetText } from "./translate-input.js";

/** `folder` is what names and relative paths of the job are relative to. */
export interface BuildJob {
  readonly job: InputJob;
  readonly folder: string;
}

export interface InputJob {
  readonly input: SourceInput & { readonly path: string };
  readonly source: SourceSettings;
  readonly launch?: string;
  readonly targets: readonly TargetJob[];
}

export interface TargetJob {
  readonly target: Target;
  readonly settings: TargetSettings;
  readonly verify: boolean;
  readonly device?: DeviceReport;
  /** What leads from lines of the text to those of the source. */
  readonly lines?: {
    readonly place: OutPlace;
    readonly sourceMap: boolean | "inline" | undefined;
    readonly lineDirectives: boolean | undefined;
  };
  /** Not the text of `target`, but what host code needs to know of the kernels in these. */
  readonly bindings?: { readonly language: BindingLanguage; readonly targets: readonly Target[] };
}

/** One text of a target; `code` is what goes into its file, with the marker. */
export interface BuiltText {
  readonly part?: string;
  /** What its file's name has at the end besides. */
  readonly beside?: ".map";
  readonly code?: string;
  readonly emulations: readonly Remark[];
  readonly assumptions: readonly Remark[];
  readonly leftOut: readonly LeftOutDeclaration[];
}

export interface TargetResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly texts: readonly BuiltText[];
  /** It, or one of its kernels, has errors or is refused. */
  readonly incomplete: boolean;
  /** Verifications that do not let a text be written. */
  readonly unverified: readonly Unverified[];
}

export interface Unverified {
  readonly verdict: VerifyResult["result"];
  readonly difference?: FirstDifference;
}

export interface JobResult {
  /** Of the source, as it was read. */
  readonly sourceHash: string;
  /** Every file that was looked at with its state, by path as `portable` writes it. */
  readonly reads: readonly (readonly [path: string, state: string])[];
  /** In the order of the job's targets. */
  readonly targets: readonly TargetResult[];
}

export async function runJob(job: InputJob, folder: string, view: FileView, layouts: Layouts): Promise<JobResult> {
  const reads = new Reads(view);
  const targets = await translateAll(job, folder, reads, layouts);
  return {
    sourceHash: view.look(job.input.path).state,
    reads: [...reads.states].map(([path, state]) => [portable(folder, path), state]),
    targets,
  };
}

async function translateAll(job: InputJob, folder: string, reads: Reads, layouts: Layouts): Promise<TargetResult[]> {
  const { input, source } = job;
  const failed = (diagnostics: readonly Diagnostic[]): TargetResult[] =>
    job.targets.map(() => ({ diagnostics, texts: [], incomplete: true, unverified: [] }));
  const opened = openSource(input, source, folder, reads);
  if ("diagnostics" in opened) return failed(opened.diagnostics);
  const launch = openLaunchFile(input, job.launch, folder, reads);
  if (launch && "diagnostics" in launch) return failed(launch.diagnostics);
  const work = new Work(job, folder, opened.value, launch?.value, layouts);
  const results: TargetResult[] = [];
  for (const target of job.targets) results.push(await work.target(target));
  return results;
}

class Work {
  private readonly compiled = new Map<string, Promise<Compilation>>();
  private readonly prepared = new Map<string, Promise<Preparation>>();

  constructor(
    private readonly job: InputJob,
    private readonly folder: string,
    private readonly session: Session,
    private readonly launch: ReadLaunch | undefined,
    private readonly layouts: Layouts,
  ) {}

  /** Sizes and constants that a target is given may count where the source is read. */
  private compilation({ verify, settings: { workgroupSize } }: TargetJob): Promise<Compilation> {
    // As of `translate`: a launch file that only lies beside the kernel settles nothing of it, unless what is written is what is run.
    const launch = this.job.launch !== undefined || verify ? this.launch : undefined;
    const key = JSON.stringify([workgroupSize, launch !== undefined]);
    const known = this.compiled.get(key);
    if (known) return known;
    const { session } = this;
    const sized = workgroupSize ? { ...session, options: { ...session.options, workgroupSize } } : session;
    const made = compileSession(withLaunch(sized, launch));
    this.compiled.set(key, made);
    return made;
  }

  async target(target: TargetJob): Promise<TargetResult> {
    const { launch, job } = this;
    const compilation = await this.compilation(target);
    if (!compilation.module)
      return { diagnostics: compilation.diagnostics, texts: [], incomplete: true, unverified: [] };
    if (target.bindings) return this.bindings(compilation, target, target.bindings);
    const texts = await translateTarget(compilation, {
      target: target.target,
      settings: target.settings,
      split: true,
      layouts: this.layouts,
      ...(job.source.entry !== undefined ? { entry: job.source.entry } : {}),
      ...(launch ? { launch: launch.launch } : {}),
      ...(target.device ? { device: target.device } : {}),
    });
    const diagnostics = [...compilation.diagnostics];
    const built: BuiltText[] = [];
    const unverified: Unverified[] = [];
    for (const text of texts) {
      append(diagnostics, text.translation.diagnostics);
      const { output, emulations, assumptions } = text.translation;
      const about = {
        ...(text.part ? { part: text.part } : {}),
        emulations,
        assumptions,
        leftOut: text.missing.leftOut,
      };
      if (target.verify && output) {
        const verdict = await this.verify(compilation, target, text, diagnostics);
        if (verdict) {
          unverified.push(verdict);
          continue;
        }
      }
      if (output) append(built, this.written(compilation, target, output, about));
      else built.push(about);
    }
    const incomplete = compilation.refused.length > 0 || texts.some((t) => t.incomplete) || hasErrors(diagnostics);
    return { diagnostics, texts: built, incomplete, unverified };
  }

  /** The text as it goes into its file, and its map. */
  private written(
    compilation: Compilation,
    { target, lines }: TargetJob,
    output: Output,
    about: BuiltText,
  ): BuiltText[] {
    const source = basename(this.job.input.name);
    if (!lines) return [{ ...about, code: withMarker(output.code, source) }];
    const { place, sourceMap = false, lineDirectives = false } = lines;
    const file = placeOf(place, about.part, this.folder);
    const { code, map } = writtenOutput(compilation, target, output, {
      lineDirectives,
      sourceMap,
      ...placedAt(file, this.folder),
      ...(sourceMap ? { heading: markerLine(source) } : {}),
    });
    // Lines of a text with a map are where the map says.
    const text = { ...about, code: sourceMap ? code : withMarker(code, source) };
    if (sourceMap !== true || !map) return [text];
    const part = about.part === undefined ? {} : { part: about.part };
    const beside = { ...part, beside: ".map", code: `${JSON.stringify(map)}\n` } as const;
    return [text, { ...beside, emulations: [], assumptions: [], leftOut: [] }];
  }

  private async bindings(
    compilation: Compilation,
    { settings }: TargetJob,
    { language, targets }: NonNullable<TargetJob["bindings"]>,
  ): Promise<TargetResult> {
    const { diagnostics } = compilation;
    const launch = this.launch?.launch;
    const { entry } = this.job.source;
    const meant = entry ?? entryOf(launch, compilation.dialect);
    const options = targetOptions(settings, undefined, launch, meant, compilation);
    const text = await bindings(compilation, language, { ...options, targets, ...(entry ? { entry } : {}) });
    const code = withMarker(text, basename(this.job.input.name));
    return {
      diagnostics,
      texts: [{ code, emulations: [], assumptions: [], leftOut: [] }],
      incomplete: compilation.refused.length > 0 || hasErrors(diagnostics),
      unverified: [],
    };
  }

  /** Why a text is not to be written. */
  private async verify(
    compilation: Compilation,
    target: TargetJob,
    text: TargetText,
    diagnostics: Diagnostic[],
  ): Promise<Unverified | undefined> {
    for (const kernel of kernelsOfText(compilation, text, this.launch, target.settings)) {
      const unverified = await this.verifyKernel(compilation, target, kernel, diagnostics);
      if (unverified) return unverified;
    }
    return undefined;
  }

  private async verifyKernel(
    compilation: Compilation,
    target: TargetJob,
    { entry, launch, workgroupSize, ...whole }: KernelOfText<ReadLaunch>,
    diagnostics: Diagnostic[],
  ): Promise<Unverified | undefined> {
    const { local } = target.settings;
    const key = JSON.stringify([entry, workgroupSize, local]);
    const found =
      this.prepared.get(key) ??
      prepareVerification(compilation, { entry, launches: launch ? [launch] : [], workgroupSize, local });
    this.prepared.set(key, found);
    const { ready, diagnostics: more } = await found;
    append(diagnostics, more);
    if (!ready) return { verdict: "not-run" };
    const options = targetOptions(
      target.settings,
      target.target,
      launch?.launch,
      ready.entry.name,
      compilation,
      target.device,
    );
    const { result, translation } = await verifyTarget(ready, target.target, { ...options, ...whole });
    append(diagnostics, result.diagnostics);
    if (sameOutputs(result) && !hasErrors(translation.diagnostics)) {
      const warning = partlyRun(result, target.target);
      if (warning) diagnostics.push(warning);
      return undefined;
    }
    const { firstDifference } = result;
    return { verdict: result.result, ...(firstDifference ? { difference: firstDifference } : {}) };
  }
}

/** Of a text that is written: what nothing is said of. */
function partlyRun({ result, coverage }: VerifyResult, target: Target): Diagnostic | undefined {
  const [first, ...rest] = (coverage?.notRun ?? []).filter((n) => n.what === "statement");
  if (result !== "equivalent-where-run" || !coverage || !first) return undefined;
  const { run, reachable } = coverage.statements;
  return {
    severity: "warning",
    code: "XL6021",
    message: `${target}: equivalent where run: ${reachable - run} of ${reachable} statements ran in no launch`,
    location: first.location,
    notes: rest.slice(0, 3).map(({ location }) => ({ message: "this one neither", location })),
  };
}
