/** A plan carried out: what is known is taken from the cache, the rest translated, and each text brought to its file. */
import type { Layouts } from "../api/typescript-layout.js";
import type { Diagnostic } from "../support/diagnostics.js";
import type { BuildCache, States, StoredResult, StoredText } from "./cache.js";
import { hashOf } from "./file-view.js";
import type { FileView } from "./file-view.js";
import { fileProblem, shownName } from "./files.js";
import { jobKey } from "./job-key.js";
import type { BuildJob, BuiltText, InputJob, JobResult, TargetResult } from "./job.js";
import { OutputFiles } from "./output-files.js";
import type { OutputText } from "./output-files.js";
import type { Plan, PlannedInput, PlannedTarget } from "./plan.js";
import type { Workers } from "./workers.js";

export interface BuildOptions {
  readonly view: FileView;
  /** Absent where the cache is switched off. */
  readonly cache?: BuildCache;
  /** `programId` */
  readonly program: string;
  /** Those that translate; absent where this thread does. Asked for once it is known how many translations there are. */
  readonly workers?: (translations: number) => Workers<BuildJob, JobResult> | undefined;
  /** Of builds before. */
  readonly layouts: Layouts;
  readonly force: boolean;
  /** Write nothing, and say what is not as it should be. */
  readonly check: boolean;
  /** Write nothing, and give the text of each file that is not as it should be. */
  readonly differs?: (file: string, text: string) => void;
  /** Only these inputs; outputs of the others are taken as they are. */
  readonly only?: (input: PlannedInput) => boolean;
  /** The name of the input that has a file, if it is not among these. */
  readonly taken?: (file: string) => string | undefined;
  /** `OutputFiles` */
  readonly cleaned?: Set<string>;
  /** Whether what is said of a target keeps its texts from being written. */
  readonly refuses?: (diagnostics: readonly Diagnostic[]) => boolean;
  /** Called in the order of the plan. */
  readonly done: (input: BuiltInput) => void;
  /** After so many of the translations that are to be made. */
  readonly progress?: (made: number, of: number) => void;
}

export type OutputState = "written" | "unchanged" | "stale" | "absent" | "kept";

export interface BuiltOutput {
  readonly file: string;
  /** `kept`: it was not written, and the diagnostics say why. */
  readonly state: OutputState;
  readonly text: Omit<BuiltText, "code">;
}

export interface BuiltTarget {
  readonly target: PlannedTarget;
  readonly outputs: readonly BuiltOutput[];
  readonly diagnostics: readonly Diagnostic[];
  readonly incomplete: boolean;
  readonly unverified: TargetResult["unverified"];
  readonly fromCache: boolean;
}

export interface BuiltInput {
  readonly input: PlannedInput;
  readonly targets: readonly BuiltTarget[];
  /** Every file that was looked at, by its whole path. */
  readonly reads: ReadonlyMap<string, string>;
  /** A bug of crosslane: nothing of the input was written. */
  readonly bug?: unknown;
}

const fileOf = (target: PlannedTarget, { part, beside }: Omit<BuiltText, "code">): string =>
  target.file(part) + (beside ?? "");

interface Known {
  readonly result: StoredResult | TargetResult;
  readonly reads: States;
  readonly fromCache: boolean;
  /** Brings it into the cache. */
  readonly keep?: () => void;
}

export async function runBuild(plan: Plan, options: BuildOptions): Promise<void> {
  const inputs = plan.inputs.filter(options.only ?? (() => true));
  const run = new Run(plan, options);
  const tasks = inputs.map((input) => ({ input, known: input.targets.map((t) => run.known(input, t)) }));
  const missing = tasks.reduce((n, { known }) => n + known.filter((k) => k === undefined).length, 0);
  if (missing > 0) run.timePasses();
  const workers = missing > 0 ? options.workers?.(missing) : undefined;
  // Loaded where something is to be translated: with nothing to do it would take longer than all the rest.
  const translate = async (job: InputJob): Promise<JobResult> =>
    workers
      ? workers.run({ job, folder: plan.folder })
      : (await import("./job.js")).runJob(job, plan.folder, options.view, options.layouts);
  let made = 0;
  // Workers get everything at once; what they give is taken in the plan's order, so that all else is as with one thread.
  const start = (task: (typeof tasks)[number]): Promise<readonly Known[] | { readonly bug: unknown }> =>
    run.complete(task.input, task.known, translate).finally(() => {
      made += task.known.filter((k) => k === undefined).length;
      if (missing > 0) options.progress?.(made, missing);
    });
  const started = workers ? tasks.map(start) : undefined;
  try {
    for (const [i, task] of tasks.entries()) {
      const known = await (started?.[i] ?? start(task));
      options.done(run.finish(task.input, known));
      // Who waits waits for the outputs.
      if (!("bug" in known)) for (const { keep } of known) keep?.();
    }
  } finally {
    workers?.close();
  }
  if (missing > 0) options.cache?.tidy();
  if (inputs.length === plan.inputs.length && !options.check && !options.differs) options.cache?.index?.save();
}

class Run {
  private readonly files: OutputFiles;

  constructor(
    private readonly plan: Plan,
    private readonly options: BuildOptions,
  ) {
    const paths = plan.inputs.map((i) => i.input.path);
    const { force, taken, cleaned, cache } = options;
    this.files = new OutputFiles(plan.folder, options.view, paths, { force, taken, cleaned, index: cache?.index });
  }

  timePasses(): void {
    this.files.forget();
  }

  /** What the cache has of one target, with every text that is needed at hand. */
  known(job: PlannedInput, target: PlannedTarget): Known | undefined {
    const { cache, view, program } = this.options;
    if (!cache) return undefined;
    const key = jobKey(job, target, view.look(job.input.path).state, program);
    const found = cache.find(key, view);
    if (!found?.result.texts.every((text) => this.isAtHand(target, text))) return undefined;
    cache.index?.noteResult(key, found);
    return { ...found, fromCache: true };
  }

  private isAtHand(target: PlannedTarget, text: StoredText): boolean {
    const { hash } = text;
    if (hash === undefined) return true;
    const file = fileOf(target, text);
    return (
      this.files.isKnown(file, hash) || this.files.isFound(file, hash) || this.options.cache!.text(hash) !== undefined
    );
  }

  /** Translates what is not known. */
  async complete(
    input: PlannedInput,
    known: readonly (Known | undefined)[],
    translate: (job: InputJob) => Promise<JobResult>,
  ): Promise<readonly Known[] | { readonly bug: unknown }> {
    const missing = input.targets.filter((_, i) => known[i] === undefined);
    if (missing.length === 0) return known as readonly Known[];
    try {
      const made = await this.translated(input, missing, translate);
      return known.map((k) => k ?? made.shift()!);
    } catch (bug) {
      return { bug };
    }
  }

  private async translated(
    input: PlannedInput,
    targets: readonly PlannedTarget[],
    translate: (job: InputJob) => Promise<JobResult>,
  ): Promise<Known[]> {
    const { cache, program } = this.options;
    const job: InputJob = { ...input, targets: targets.map(({ file: _, ...target }) => target) };
    const { reads, targets: results, sourceHash } = await translate(job);
    return results.map((result, i) => {
      // By what was read in the end: the file may have changed since it was looked for.
      const keep = (): void => cache?.store(jobKey(input, targets[i]!, sourceHash, program), reads, result);
      return { result, reads, fromCache: false, keep };
    });
  }

  finish(input: PlannedInput, known: readonly Known[] | { readonly bug: unknown }): BuiltInput {
    if ("bug" in known) return { input, targets: [], reads: new Map([[input.input.path, ""]]), bug: known.bug };
    const reads = known.flatMap((k) =>
      k.reads.map(([path, state]) => [this.options.view.pathOf(path), state] as const),
    );
    return {
      input,
      reads: new Map(reads),
      targets: known.map((k, i) => this.finishTarget(input, input.targets[i]!, k)),
    };
  }

  private finishTarget(input: PlannedInput, target: PlannedTarget, { result, fromCache }: Known): BuiltTarget {
    const diagnostics = [...result.diagnostics];
    const outputs: BuiltOutput[] = [];
    const refused = this.options.refuses?.(result.diagnostics) ?? false;
    for (const text of result.texts) {
      const output = this.textOf(text);
      if (!output) continue;
      const { code: _, hash: __, ...about } = { code: "", hash: "", ...text };
      const file = fileOf(target, text);
      const state = refused ? "kept" : this.settle(input, file, output, diagnostics);
      outputs.push({ file, state, text: about });
    }
    const { incomplete, unverified } = result;
    return { target, outputs, diagnostics, incomplete, unverified, fromCache };
  }

  private textOf(text: { readonly code?: string; readonly hash?: string }): OutputText | undefined {
    const { code, hash } = text;
    if (code !== undefined) return { hash: hashOf(code), text: () => code };
    return hash === undefined ? undefined : { hash, text: () => this.options.cache?.text(hash) };
  }

  private settle(input: PlannedInput, file: string, output: OutputText, diagnostics: Diagnostic[]): OutputState {
    const objection = this.files.claim(file, input.input.name);
    if (objection) {
      diagnostics.push({
        ...objection,
        help: "`out` says where texts go: {dir}, {name} and {from}, the source's dialect, tell inputs apart, {target} and {profile} what is written of one",
      });
      return "kept";
    }
    const { check, differs } = this.options;
    if (check || differs) {
      const { state } = this.files.compare(file, output);
      if (state === "unchanged") return state;
      const text = output.text();
      if (text !== undefined) differs?.(file, text);
      if (!check) return state === "absent" ? "absent" : "stale";
      const is = state === "absent" ? "is not there" : "is not what the build gives";
      const name = shownName(file, this.plan.folder);
      const stale = fileProblem("XL8004", `'${name}' ${is}`, "run the same command without --check");
      diagnostics.push({ ...stale, severity: "warning" });
      return state === "absent" ? "absent" : "stale";
    }
    const settled = this.files.write(file, output);
    if (!("diagnostic" in settled)) return settled.state;
    diagnostics.push(settled.diagnostic);
    return "kept";
  }
}
