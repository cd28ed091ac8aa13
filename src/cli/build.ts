import { dirname, resolve } from "node:path";
import { Command, Option } from "commander";
import { Layouts } from "../api/typescript-layout.js";
import { BuildIndex } from "../build/build-index.js";
import { BuildCache, programId } from "../build/cache.js";
import { configNames, findConfig, readConfig } from "../build/config.js";
import type { ReadConfig } from "../build/config.js";
import { FileView, Reads } from "../build/file-view.js";
import { shownName } from "../build/files.js";
import type { SourceInput } from "../build/files.js";
import { hasMarker } from "../build/marker.js";
import { defaultCache, makePlan, nameOfTarget } from "../build/plan.js";
import type { Plan, PlannedInput } from "../build/plan.js";
import { runBuild } from "../build/run-build.js";
import type { BuiltInput, BuiltTarget } from "../build/run-build.js";
import { makeWorkers, translations } from "../build/workers.js";
import { append } from "../support/append.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { bugDiagnostic, packageVersion } from "./bug-report.js";
import type { CommandContext } from "./command.js";
import { checkDepfile, withDepfileFlags, writeDepfile } from "./depfile.js";
import type { DepfileFlags } from "./depfile.js";
import { exitCodes } from "./exit-codes.js";
import { readWhole, watchOption, withReportFlags } from "./options.js";
import { Reporter, isMachineFormat } from "./report.js";
import type { ReportFlags } from "./report.js";
import { describeChange, differenceLines, everywhereLines, leftOutLines, remarkLines } from "./show.js";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usage-error.js";
import type { Change, Watched, WatchMode } from "./watch.js";

interface BuildFlags extends ReportFlags, DepfileFlags {
  readonly config?: string;
  readonly cache: boolean;
  readonly force: boolean;
  readonly jobs?: number;
  readonly watch?: WatchMode;
  readonly clear: boolean;
}

export function buildCommand({ terminal, finish, signal }: CommandContext): Command {
  const command = new Command("build")
    .description(
      `Translate what a config asks for: ${configNames[0]} here or in a folder above. What is up to date is not touched.`,
    )
    .option("--config <file>", "this config")
    .option("--diff", "show what would change on disk, and write nothing", false)
    .option("--check", "write nothing; exit with 3 where a file on disk is not what would be written", false)
    .option("--force", "replace files, too, that crosslane did not write", false)
    .option("--no-cache", "translate everything anew, and keep nothing")
    .addOption(
      new Option(
        "--jobs <n>",
        "translations at once (default: one for each processor, where that is faster)",
      ).argParser((v) => readWhole(v, "--jobs", 1, 256)),
    )
    .addOption(watchOption("build again whenever something changes"))
    .option("--clear", "with --watch: clear the screen before each build", false)
    .addHelpText(
      "after",
      `
Examples:
  crosslane init                     write a config for the kernels that are here
  crosslane build                    translate what changed
  crosslane build --watch            and go on doing so
  crosslane build --check            in CI: are the generated files up to date?
  crosslane build --diff             what would change
  crosslane build --depfile out.d    for make and ninja

docs/build.md describes the config.`,
    );
  return withReportFlags(withDepfileFlags(command)).action(async (flags: BuildFlags) => {
    checkDepfile(flags);
    if (flags.watch !== undefined && (flags.check || flags.diff))
      throw new UsageError(`--watch and --${flags.check ? "check" : "diff"} exclude each other`);
    if (flags.watch !== undefined && isMachineFormat(flags.format))
      throw new UsageError(`--format ${flags.format} is of one build, and --watch has many`);
    const path = flags.config === undefined ? findConfig(terminal.cwd) : resolve(terminal.cwd, flags.config);
    if (path === undefined)
      throw new UsageError("there is no config here or in a folder above", "`crosslane init` writes one");
    const builder = new Builder(path, flags, terminal);
    if (flags.watch === undefined) {
      await builder.build({ view: new FileView(dirname(path)) });
      return finish(builder.code);
    }
    const { watchFiles } = await import("./watch.js");
    await watchFiles((change) => builder.build(change), {
      folder: dirname(path),
      terminal,
      mode: flags.watch,
      ...(signal ? { signal } : {}),
    });
    finish(exitCodes.done);
  });
}

interface Counts {
  written: number;
  unchanged: number;
  stale: number;
  kept: number;
  /** Inputs of which there is no error and some target lacks a kernel. */
  partly: number;
}

/** Builds once, or again and again; what the last build found out is kept. */
class Builder {
  code: number = exitCodes.done;
  private readonly program = programId(packageVersion());
  private readonly layouts = new Layouts();
  private plan: Plan | undefined;
  private config: ReadConfig | undefined;
  /** Files the config is made of. */
  private configReads: ReadonlyMap<string, string> = new Map();
  private planReads: ReadonlyMap<string, string> = new Map();
  /** What changed while the config was wrong. */
  private missed: ReadonlySet<string> = new Set();
  /** The last of each input, by its path. */
  private readonly built = new Map<string, BuiltInput>();
  /** Inputs by their outputs. */
  private readonly owners = new Map<string, SourceInput & { readonly path: string }>();
  /** Output folders without what ended processes left. */
  private readonly cleaned = new Set<string>();
  /** What was said of an output last: it is not said again. */
  private readonly said = new Map<string, string>();
  /** Diagnostics of the plan that were shown last. */
  private shownPlan = "";

  constructor(
    private readonly path: string,
    private readonly flags: BuildFlags,
    private readonly terminal: Terminal,
  ) {}

  async build({ view, changed: now }: Change): Promise<Watched> {
    const changed = now && new Set([...this.missed, ...now]);
    const started = performance.now();
    const { flags, terminal } = this;
    const reporter = new Reporter(terminal, "build", flags);
    const configChanged = !changed || [...this.configReads.keys()].some((f) => now?.has(f));
    // What is wrong with the config was said when it changed.
    const isWrong = configChanged ? !(await this.readConfig(view, reporter, changed !== undefined)) : !this.config;
    if (isWrong) {
      if (configChanged) this.code = reporter.end(exitCodes.errors);
      this.missed = changed ?? new Set();
      return this.watched();
    }
    this.missed = new Set();
    const replanned = configChanged || [...this.planReads.keys()].some((f) => changed.has(f));
    const planned =
      this.plan && changed && !replanned && this.keepsPlan(view, changed)
        ? this.sameAgain(this.plan)
        : await this.makePlan(view, reporter, replanned ? undefined : this.plan);
    const affected = planned.inputs.filter((i) => !changed || this.isAffected(i, changed, configChanged));
    const gone = this.dropGone(planned);
    if (changed && affected.length === 0 && gone.length === 0 && !configChanged) return this.watched();
    if (changed && flags.clear && terminal.interactive) terminal.out("\x1b[2J\x1b[H");
    for (const path of gone) this.say(`${shownName(path, terminal.cwd)} is gone; what was made of it is left`);
    // What is gone is said, unless another input has it as an include.
    const said = new Set(gone.filter((path) => !affected.some((i) => this.built.get(i.input.path)?.reads.has(path))));
    const causes = new Set([...(configChanged ? [this.path] : []), ...(changed ?? [])].filter((f) => !said.has(f)));
    const why =
      changed &&
      describeChange(
        causes,
        affected.map((i) => i.input),
        terminal.cwd,
      );
    const counts: Counts = { written: 0, unchanged: 0, stale: 0, kept: 0, partly: 0 };
    this.code = exitCodes.done;
    await this.run(planned, affected, view, reporter, counts);
    if (reporter.errors > 0) this.worsen(exitCodes.errors);
    const time = performance.now() - started;
    if (!changed || configChanged || affected.length > 0)
      this.report(planned, affected, counts, reporter.errors, time, why);
    this.writeDepfile(reporter);
    this.code = reporter.end(this.code, reporter.machine ? { outputs: this.describe() } : {});
    return this.watched();
  }

  private async readConfig(view: FileView, reporter: Reporter, again: boolean): Promise<boolean> {
    const reads = new Reads(view, reporter.sources);
    const found = await readConfig(this.path, this.terminal.cwd, reads);
    this.configReads = reads.states;
    if ("read" in found) {
      this.config = found.read;
      return true;
    }
    reporter.show(found.diagnostics);
    if (again) this.say("the config has errors; everything is left as it was");
    this.config = undefined;
    this.worsen(exitCodes.errors);
    return false;
  }

  private async makePlan(view: FileView, reporter: Reporter, before: Plan | undefined): Promise<Plan> {
    const reads = new Reads(view, reporter.sources);
    // For frames of what is wrong with it.
    const file = shownName(this.path, this.terminal.cwd);
    const text = view.look(this.path).bytes?.toString("utf8");
    if (text !== undefined) reporter.sources.set(file, text);
    this.plan = await makePlan(this.config!, reads, before);
    this.planReads = reads.states;
    const shown = JSON.stringify(this.plan.diagnostics);
    if (shown !== this.shownPlan) reporter.show(this.plan.diagnostics);
    else if (this.plan.diagnostics.some((d) => d.severity === "error")) this.worsen(exitCodes.errors);
    this.shownPlan = shown;
    return this.plan;
  }

  /**
   * Whether only inputs changed, which are still there and no outputs now: new ones that came with them are found when it is looked
   * again, and looking for them takes longer than one kernel.
   */
  private keepsPlan(view: FileView, changed: ReadonlySet<string>): boolean {
    const stays = (file: string): boolean => {
      const bytes = this.built.has(file) ? view.look(file).bytes : undefined;
      return bytes !== undefined && !hasMarker(bytes);
    };
    return changed.size > 0 && [...changed].every(stays);
  }

  private sameAgain(plan: Plan): Plan {
    if (plan.diagnostics.some((d) => d.severity === "error")) this.worsen(exitCodes.errors);
    return plan;
  }

  private isAffected(input: PlannedInput, changed: ReadonlySet<string>, configChanged: boolean): boolean {
    const last = this.built.get(input.input.path);
    if (!last || (configChanged && settingsOf(last.input) !== settingsOf(input))) return true;
    for (const file of changed) if (last.reads.has(file)) return true;
    return false;
  }

  /** Forgets inputs that are no more; their paths. */
  private dropGone(plan: Plan): string[] {
    const there = new Set(plan.inputs.map((i) => i.input.path));
    const gone = [...this.built.keys()].filter((path) => !there.has(path));
    for (const path of gone) this.forget(path);
    return gone;
  }

  private forget(path: string): void {
    for (const { outputs } of this.built.get(path)?.targets ?? [])
      for (const { file } of outputs) if (this.owners.get(file)?.path === path) this.owners.delete(file);
    this.built.delete(path);
  }

  private async run(
    plan: Plan,
    affected: readonly PlannedInput[],
    view: FileView,
    reporter: Reporter,
    counts: Counts,
  ): Promise<void> {
    const { flags, terminal, config } = this;
    const wanted = new Set(affected);
    const again = new Set(affected.map((i) => i.input.path));
    const taken = (file: string): string | undefined => {
      const owner = this.owners.get(file);
      return owner === undefined || again.has(owner.path) ? undefined : owner.name;
    };
    const cacheFolder = this.cacheFolder();
    const progress = terminal.interactive && terminal.level !== "quiet" ? new Progress(terminal) : undefined;
    await runBuild(plan, {
      view,
      program: this.program,
      layouts: this.layouts,
      ...(cacheFolder === undefined ? {} : { cache: this.cacheIn(cacheFolder, plan, affected) }),
      workers: (n) => makeWorkers(translations, n, flags.jobs ?? config!.config.jobs),
      force: flags.force,
      check: flags.check,
      ...(flags.diff ? { differs: await this.showsDiffs(reporter) } : {}),
      only: (input) => wanted.has(input),
      taken,
      cleaned: this.cleaned,
      // A warning that counts as an error refuses the text.
      refuses: (diagnostics) => this.show(diagnostics, view, reporter).some((d) => d.severity === "error"),
      done: (input) => {
        progress?.clear();
        this.take(input, view, reporter, counts);
      },
      ...(progress ? { progress: (made: number, of: number) => progress.show(made, of) } : {}),
    });
    progress?.clear();
  }

  private async showsDiffs(reporter: Reporter): Promise<(file: string, text: string) => void> {
    const { terminal } = this;
    const { diffOnDisk } = await import("./diff.js");
    return (file, text) => {
      if (!reporter.machine) terminal.out(diffOnDisk(file, shownName(file, terminal.cwd), text, terminal.outPaint));
    };
  }

  /** A build of few inputs has few entries to read, and the index is of whole builds. */
  private cacheIn(folder: string, plan: Plan, affected: readonly PlannedInput[]): BuildCache {
    const whole = affected.length === plan.inputs.length && !this.flags.check && !this.flags.diff;
    return new BuildCache(folder, whole ? BuildIndex.open(folder, this.path) : undefined);
  }

  private cacheFolder(): string | undefined {
    const { config, folder } = this.config!;
    if (!this.flags.cache || config.cache === false) return undefined;
    return typeof config.cache === "string" ? resolve(folder, config.cache) : defaultCache(folder);
  }

  private take(built: BuiltInput, view: FileView, reporter: Reporter, counts: Counts): void {
    const { input } = built;
    const { flags } = this;
    this.forget(input.input.path);
    this.built.set(input.input.path, built);
    for (const { outputs } of built.targets)
      for (const { file, state } of outputs) if (state !== "kept") this.owners.set(file, input.input);
    if ("bug" in built) {
      reporter.show([bugDiagnostic(built.bug, input.input.name)]);
      return this.worsen(exitCodes.internal);
    }
    const hasErrors = built.targets.some((t) => t.diagnostics.some((d) => d.severity === "error"));
    if (!hasErrors && built.targets.some((t) => t.incomplete)) counts.partly++;
    for (const target of built.targets) {
      this.show(target.diagnostics, view, reporter);
      if (target.incomplete) this.worsen(exitCodes.errors);
      this.sayVerdicts(built, target);
      for (const output of target.outputs) {
        if (output.state === "absent" || output.state === "stale") {
          counts.stale++;
          if (flags.check) this.worsen(exitCodes.difference);
        } else counts[output.state]++;
        if (this.saysRemarks) this.sayRemarks(target, output);
      }
    }
    if (!this.saysRemarks) return;
    const texts = built.targets.flatMap(({ target, outputs }) =>
      outputs.map(({ text }) => ({ target: target.target, assumptions: text.assumptions })),
    );
    this.sayOnce(input.input.name, everywhereLines(texts), input.input.name);
  }

  private show(diagnostics: readonly Diagnostic[], view: FileView, reporter: Reporter): readonly Diagnostic[] {
    this.lookUpSources(diagnostics, view, reporter);
    return reporter.show(diagnostics.map((d) => this.fromHere(d)));
  }

  /** Every output, for a report that a machine reads. */
  private describe(): object[] {
    return [...this.built.values()].flatMap(({ input, targets }) =>
      targets.flatMap(({ target, outputs }) =>
        outputs.map(({ file, state, text }) => ({
          input: shownName(input.input.path, this.terminal.cwd),
          target: nameOfTarget(target),
          ...(text.part === undefined ? {} : { entry: text.part }),
          file: shownName(file, this.terminal.cwd),
          state,
          emulations: text.emulations,
          assumptions: text.assumptions,
          leftOut: text.leftOut,
        })),
      ),
    );
  }

  private sayVerdicts({ input }: BuiltInput, { target, unverified }: BuiltTarget): void {
    for (const { verdict, difference } of unverified) {
      const code = { different: exitCodes.difference, inconclusive: exitCodes.findings }[verdict as string];
      this.worsen(code ?? exitCodes.errors);
      const lines = [`${input.input.name} to ${target.target}: ${verdict}; it is not written`];
      if (difference)
        append(
          lines,
          differenceLines(difference, target.target).map((l) => `  ${l}`),
        );
      if (!isMachineFormat(this.flags.format)) this.terminal.err(`${lines.join("\n")}\n`);
    }
  }

  /** What a text emulates, assumes and leaves out: with --verbose, and once. */
  private sayRemarks({ target }: BuiltTarget, { file, text }: BuiltTarget["outputs"][number]): void {
    const name = `${shownName(file, this.terminal.cwd)} (${nameOfTarget(target)})`;
    this.sayOnce(file, [...remarkLines(text), ...leftOutLines(text.leftOut)], name);
  }

  private get saysRemarks(): boolean {
    return this.terminal.level === "verbose" && !isMachineFormat(this.flags.format);
  }

  private sayOnce(key: string, list: readonly string[], heading: string): void {
    const lines = list.join("\n");
    const before = this.said.get(key);
    this.said.set(key, lines);
    if (before === lines || lines === "") return;
    this.terminal.err(`${heading}\n${lines.replace(/^/gm, "  ")}\n`);
  }

  /** Texts of the files that diagnostics name: what comes from the cache was read by another run. */
  private lookUpSources(diagnostics: readonly Diagnostic[], view: FileView, reporter: Reporter): void {
    for (const { location } of diagnostics.flatMap((d) => [d, ...d.notes])) {
      if (!location) continue;
      const path = resolve(view.folder, location.file);
      const bytes = view.look(path).bytes;
      if (bytes) reporter.sources.set(shownName(path, this.terminal.cwd), bytes.toString("utf8"));
    }
  }

  /** Names are relative to the config; shown they are relative to where the command runs. */
  private fromHere(diagnostic: Diagnostic): Diagnostic {
    const folder = dirname(this.path);
    if (folder === this.terminal.cwd) return diagnostic;
    const moved = <T extends Pick<Diagnostic, "location">>(at: T): T =>
      at.location
        ? { ...at, location: { ...at.location, file: shownName(resolve(folder, at.location.file), this.terminal.cwd) } }
        : at;
    return { ...moved(diagnostic), notes: diagnostic.notes.map(moved) };
  }

  private report(
    plan: Plan,
    affected: readonly PlannedInput[],
    counts: Counts,
    errors: number,
    time: number,
    why: string | undefined,
  ): void {
    const { paint, seconds } = { paint: this.terminal.errPaint, seconds: (time / 1000).toFixed(time < 10_000 ? 2 : 1) };
    const made = [
      ...(this.flags.check || this.flags.diff ? [`${counts.stale} stale`] : [`${counts.written} written`]),
      `${counts.unchanged} unchanged`,
      ...(counts.kept > 0 ? [`${counts.kept} not written`] : []),
      ...(counts.partly > 0 ? [`${counts.partly} without some kernels`] : []),
      ...(errors > 0 ? [paint.error(`${errors} error${errors === 1 ? "" : "s"}`)] : []),
    ].join(", ");
    const kernels = `${affected.length} ${affected.length === 1 ? "input" : "inputs"}`;
    const head = why ?? kernels;
    const all = plan.inputs.length;
    if (why && affected.length === 0) return this.say(`${head}${errors > 0 ? "" : "; nothing to do"}`);
    const good = errors > 0 && this.flags.watch !== undefined ? "; what was good before is left as it is" : "";
    this.say(`${head}: ${made}${good} (${time < 1000 ? `${Math.round(time)} ms` : `${seconds} s`})`);
    if (!why && this.flags.watch !== undefined)
      this.say(`watching ${all} ${all === 1 ? "input" : "inputs"}${this.terminal.interactive ? "; Ctrl-C ends" : ""}`);
  }

  private say(line: string): void {
    if (this.terminal.level === "quiet" || isMachineFormat(this.flags.format)) return;
    const time = this.flags.watch === undefined ? "" : `${new Date().toTimeString().slice(0, 8)} `;
    this.terminal.err(`${this.terminal.errPaint.faint(time)}${line}\n`);
  }

  private worsen(code: number): void {
    this.code = Math.max(this.code, code);
  }

  private writeDepfile(reporter: Reporter): void {
    const inputs = [...this.built.values()].flatMap(({ reads }) => [...reads]);
    const reads = [...this.configReads, ...this.planReads, ...inputs];
    if (!writeDepfile(this.flags, this.outputs(), reads, this.terminal, reporter)) this.worsen(exitCodes.errors);
  }

  private outputs(): Set<string> {
    const files = new Set<string>();
    for (const { targets } of this.built.values())
      for (const { outputs } of targets) for (const o of outputs) if (o.state !== "kept") files.add(o.file);
    return files;
  }

  private watched(): Watched {
    const files = new Set([this.path, ...this.configReads.keys(), ...this.planReads.keys()]);
    for (const { reads } of this.built.values()) for (const file of reads.keys()) files.add(file);
    return {
      files,
      roots: this.plan?.roots ?? [],
      outputs: this.outputs(),
    };
  }
}

/** Settings with which an input was built, to tell whether a config changed them. */
const settingsOf = ({ input, source, launch, targets }: PlannedInput): string =>
  JSON.stringify([input, source, launch, targets.map((t) => [t, t.file(undefined), t.file("\0")])]);

/** One line that is written over; on a terminal only. */
class Progress {
  private last = 0;
  private shown = false;

  constructor(private readonly terminal: Terminal) {}

  show(made: number, of: number): void {
    if (performance.now() - this.last < 100) return;
    this.last = performance.now();
    this.shown = true;
    this.terminal.err(`\r\x1b[K${this.terminal.errPaint.faint(`${made} of ${of} translations`)}`);
  }

  clear(): void {
    if (this.shown) this.terminal.err("\r\x1b[K");
    this.shown = false;
  }
}
