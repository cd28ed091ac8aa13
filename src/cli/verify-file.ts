/** What `verify` does with one file, and says of it. */
import { resolve } from "node:path";
import type { Compilation } from "../api/compile.js";
import { hasErrors } from "../api/compile.js";
import { prepareVerification, verifyTarget } from "../api/verify.js";
import type { Preparation, TargetVerification } from "../api/verify.js";
import { reportedFile, type ReportedFile } from "../api/verification-report.js";
import type { SourceInput } from "../build/files.js";
import { kernelsOfText, launchFor, targetOptions, verifiedKernels, type TargetText } from "../build/translate-input.js";
import type { DeviceReport } from "../caps/device-report.js";
import { launchText } from "../launch/write-launch-file.js";
import { percentRun, type Coverage } from "../verify/coverage.js";
import { sameOutputs } from "../verify/verify.js";
import { bugDiagnostic } from "./bug-report.js";
import { coverageRemarks, shortOf, statementsRun } from "./coverage.js";
import { chosenDevice } from "./device-options.js";
import type { DeviceFlags } from "./device-options.js";
import { exitCodes } from "./exit-codes.js";
import { saveLaunches, written } from "./launches.js";
import type { SourceFlags, TargetFlags } from "./options.js";
import type { Reporter, ReportFlags } from "./report.js";
import { compileSession, open, openLaunch, withLaunch } from "./session.js";
import type { ReadLaunch, Session } from "./session.js";
import { differenceLines, everywhereLines, mutantLines, programLines, remarkLines, sizeLines } from "./show.js";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usage-error.js";

export interface VerifyFlags extends SourceFlags, TargetFlags, DeviceFlags, ReportFlags {
  readonly launch?: string;
  readonly subgroupSizes?: readonly number[];
  readonly seeds?: number;
  readonly schedules?: number;
  readonly maxSteps?: number;
  readonly threads?: number;
  readonly jobs?: number;
  readonly budget?: number;
  readonly judge?: boolean;
  readonly mutants?: number;
  readonly mutantSeed?: number;
  readonly requireCoverage?: number;
  readonly saveLaunches?: string;
  readonly showLaunches?: boolean;
  readonly report?: string;
}

/** What the command has for every file. */
export interface Run {
  readonly flags: VerifyFlags;
  readonly device: DeviceReport | undefined;
  readonly terminal: Terminal;
  readonly reporter: Reporter;
  /** A line for each file and what is wrong, in place of every launch. */
  readonly several: boolean;
}

/** One file's part of the answer. */
export interface VerifiedFile {
  readonly code: number;
  /** Of the report. */
  readonly body: { readonly file: string; readonly entry?: string | undefined; readonly results?: readonly object[] };
  /** Some translation had the same outputs. */
  readonly same: boolean;
  /** For a page, where one is asked for and there is something to show. */
  readonly reported?: ReportedFile;
}

/** What an answer is worth. */
export const meaning =
  "Equivalent means: every output was the same on these launches. That is evidence, not a proof for all inputs.\n";

/** A file as far as its launch; the exit code where that fails. */
export async function openFile(
  input: SourceInput,
  { flags, terminal, reporter }: Run,
): Promise<{ readonly session: Session; readonly launch: ReadLaunch | undefined } | number> {
  const opened = await open(input, flags, terminal, reporter);
  if (opened === undefined) return exitCodes.errors;
  const launch = openLaunch(input, flags.launch, terminal, reporter);
  if (launch === "wrong") return exitCodes.errors;
  const derives = flags.saveLaunches === undefined ? flags.showLaunches && "--show-launches" : "--save-launches";
  if (derives && (launch || chosenDevice(flags) !== undefined))
    throw new UsageError(
      `${derives} is about launches that are derived, and ${launch ? `there is the launch file '${launch.launch.name}'` : "--device chooses its own"}`,
    );
  return { session: withLaunch(opened, launch), launch };
}

/** The kernels of one file of perhaps several: what goes wrong with one stops none of the others. */
export async function verifyFile(input: SourceInput, run: Run): Promise<VerifiedFile[]> {
  const { flags } = run;
  let errors = run.reporter.errors;
  const kernels = await guarded(input, run, () => kernelsOf(input, run));
  if ("code" in kernels) return [concluded(kernels, errors, input, run)];
  const [first] = kernels;
  const unread = first?.entry === undefined ? [] : first.compilation.refused;
  const each = { ...run, several: run.several || kernels.length + unread.length > 1 };
  const done: VerifiedFile[] = [];
  for (const kernel of kernels) {
    const verified = await guarded(input, each, () => verifyKernel(kernel, each));
    done.push(concluded(verified, errors, input, each));
    errors = run.reporter.errors;
  }
  for (const { entry } of flags.entry === undefined ? unread : [])
    done.push(concluded(failed(input, exitCodes.errors, entry), errors, input, each));
  return done;
}

/** A kernel of a file; `entry` is absent where the file says which it is. */
interface Kernel {
  readonly session: Session;
  readonly compilation: Compilation;
  readonly entry?: string | undefined;
  readonly launch: ReadLaunch | undefined;
  /** The name of files that tell of it alone. */
  readonly stem: string;
}

async function kernelsOf(input: SourceInput, run: Run): Promise<readonly Kernel[] | VerifiedFile> {
  const { flags, reporter } = run;
  const opened = await openFile(input, run);
  if (typeof opened === "number") return failed(input, opened);
  const { session, launch } = opened;
  const compilation = await compileSession(session);
  reporter.show(compilation.diagnostics);
  if (!compilation.module) return failed(input, exitCodes.errors);
  const asked = flags.entry === undefined ? verifiedKernels(compilation, [], launch?.launch) : [flags.entry];
  return asked.map((entry) => ({
    session,
    compilation,
    entry,
    launch: launchFor(launch, compilation, entry),
    stem: asked.length > 1 ? `${input.stem}.${entry}` : input.stem,
  }));
}

const failed = (input: SourceInput, code: number, entry?: string): VerifiedFile => ({
  code,
  body: { file: input.name, ...(entry === undefined ? {} : { entry }) },
  same: false,
});

/** What it comes to, or that crosslane itself failed, where others are to be verified still. */
async function guarded<T>(input: SourceInput, run: Run, what: () => Promise<T>): Promise<T | VerifiedFile> {
  try {
    return await what();
  } catch (error) {
    if (error instanceof UsageError || !run.several) throw error;
    run.reporter.show([bugDiagnostic(error, input.name)]);
    return failed(input, exitCodes.internal);
  }
}

/** With what was said meanwhile: `errors` is how many there were before. */
function concluded(done: VerifiedFile, errors: number, input: SourceInput, run: Run): VerifiedFile {
  const { terminal, reporter, several } = run;
  const { entry, results } = done.body;
  const of = entry === undefined ? input.name : `${entry} in ${input.name}`;
  // The others have said what they found.
  if (several && !reporter.machine && !results?.length) terminal.out(`${of}: not run: see the errors\n`);
  return done.code === exitCodes.done && reporter.errors > errors ? { ...done, code: exitCodes.errors } : done;
}

/** Verification of one target, before `translate --verify` writes it: quiet where all is well. */
export async function verifyInput(
  compilation: Compilation,
  text: TargetText,
  flags: VerifyFlags,
  launch: ReadLaunch | "wrong" | undefined,
  device: DeviceReport | undefined,
  terminal: Terminal,
  reporter: Reporter,
): Promise<number> {
  if (launch === "wrong") return exitCodes.errors;
  const { target } = text;
  const kernels = kernelsOfText(compilation, text, launch, flags);
  let code: number = exitCodes.done;
  for (const { entry, launch: meant, workgroupSize, ...whole } of kernels) {
    const preparation = await prepare(compilation, entry, { ...flags, workgroupSize }, meant);
    if (hasErrors(reporter.show(preparation.diagnostics)) || !preparation.ready) return exitCodes.errors;
    const options = targetOptions(flags, target, meant?.launch, preparation.ready.entry.name, compilation, device);
    const verified = await verifyTarget(preparation.ready, target, { ...options, ...whole });
    const said = reporter.show([...verified.translation.diagnostics, ...verified.result.diagnostics]);
    const about = kernels.length > 1 || text.part !== undefined ? `${entry}: ` : "";
    if (!reporter.machine) for (const line of summary(verified)) terminal.err(`${about}${line}\n`);
    // A warning that counts as an error, too, keeps the text from being written.
    const wrong = hasErrors(said) ? exitCodes.errors : exitCodes.done;
    code = Math.max(code, codeOf(verified), shortOf(verified.result, flags.requireCoverage), wrong);
  }
  return code;
}

function prepare(
  compilation: Compilation,
  entry: string | undefined,
  flags: VerifyFlags,
  launch: ReadLaunch | undefined,
): Promise<Preparation> {
  return prepareVerification(compilation, {
    entry,
    launches: launch ? [launch] : [],
    workgroupSize: flags.workgroupSize,
    local: flags.local,
    subgroupSizes: flags.subgroupSizes,
    seeds: flags.seeds,
    schedules: flags.schedules,
    maxSteps: flags.maxSteps,
    threads: flags.threads,
    ...(flags.budget === undefined ? {} : { budget: flags.budget }),
  });
}

async function verifyKernel(kernel: Kernel, run: Run): Promise<VerifiedFile> {
  const { session, compilation, entry, launch, stem } = kernel;
  const { flags, device, terminal, reporter, several } = run;
  const { source } = session;
  const errors = reporter.errors;
  const say = (text: string): void => void (reporter.machine === undefined && terminal.out(text));
  const preparation = await prepare(compilation, entry, flags, launch);
  reporter.show(preparation.diagnostics);
  const { ready } = preparation;
  let code: number = reporter.errors > errors ? exitCodes.errors : exitCodes.done;
  if (preparation.expectationsFailed) code = exitCodes.difference;
  const results: TargetVerification[] = [];
  if (ready && flags.saveLaunches !== undefined) {
    const folder = resolve(terminal.cwd, flags.saveLaunches, source.folder);
    if (!saveLaunches(ready, folder, stem, terminal, reporter))
      return { code: exitCodes.errors, body: { file: source.name }, same: false };
  }
  if (ready) {
    if (flags.showLaunches) for (const l of ready.launches) say(launchText(written(ready, l)));
    say(several ? `${ready.entry.name} in ${source.name}\n` : `${heading(session, ready).join("\n")}\n\n`);
    for (const target of flags.to) {
      const options = targetOptions(flags, target, launch?.launch, ready.entry.name, compilation, device);
      const verified = await verifyTarget(ready, target, {
        ...options,
        judge: flags.judge ?? false,
        ...(flags.mutants === undefined ? {} : { mutants: flags.mutants, mutantSeed: flags.mutantSeed ?? 1 }),
      });
      results.push(verified);
      const { judged } = verified.result;
      if (judged?.file !== undefined) reporter.sources.set(judged.file, judged.text!);
      reporter.show([...verified.translation.diagnostics, ...verified.result.diagnostics]);
      say(`${(several ? brief(verified) : summary(verified)).map((l) => (several ? `  ${l}` : l)).join("\n")}\n`);
      code = Math.max(code, codeOf(verified), shortOf(verified.result, flags.requireCoverage));
    }
    const everywhere = everywhereLines(
      results.map((r) => ({ target: r.result.target, assumptions: r.translation.assumptions })),
    );
    if (!several && everywhere.length > 0) say(`\n${everywhere.join("\n")}\n`);
  }
  const same = results.some((r) => sameOutputs(r.result));
  if (same && !several) {
    const least = leastRun(results);
    const missed = least ? coverageRemarks(least) : [];
    if (missed.length > 0) say(`\n${missed.join("\n")}\n`);
    say(`\n${meaning}`);
  }
  const shown = results.map(({ result, translation }) => ({
    ...result,
    emulations: translation.emulations,
    assumptions: translation.assumptions,
  }));
  const reported = ready && flags.report !== undefined ? await reportedFile(ready, results) : undefined;
  return {
    code,
    body: { file: source.name, entry: ready?.entry.name ?? entry, results: shown },
    same,
    ...(reported ? { reported } : {}),
  };
}

/** The verdict, and what differs: of several files nobody reads more. */
function brief(verified: TargetVerification): string[] {
  const { firstDifference, target } = verified.result;
  const indent = " ".repeat(widest + 2);
  return [
    summary(verified)[0]!,
    ...(firstDifference ? differenceLines(firstDifference, target) : []).map((l) => indent + l),
  ];
}

type Ready = NonNullable<Preparation["ready"]>;

function heading(session: Session, ready: Ready): string[] {
  const lines = [`${ready.entry.name} in ${session.source.name} (${session.source.dialect})`];
  const compared = ({ path, bytes }: { path: string; bytes: Uint8Array }): string => `${path} (${bytes.length} bytes)`;
  for (const launch of ready.launches) {
    const widths = ready.subgroupSizes(launch);
    const fills = `${ready.seeds} fill${ready.seeds === 1 ? "" : "s"} of unspecified values`;
    const grid = `${sizes(launch.workgroups)} workgroup${product(launch.workgroups) === 1 ? "" : "s"} of ${sizes(launch.workgroupSize)}`;
    lines.push(
      `  ${launch.label}: ${grid}, subgroup width${widths.length === 1 ? "" : "s"} ${widths.join(" ")}, ${fills}`,
    );
    // Derived launches compare everything that is written, which their number makes tedious to read.
    if (launch.derived) continue;
    const expected = launch.arguments.some((a) => a.kind === "buffer" && a.expect);
    lines.push(
      `    compared: ${ready.outputs(launch).map(compared).join(", ")}${expected ? "; the source leaves what the launch file expects" : ""}`,
    );
  }
  if (ready.launches[0]?.derived)
    lines.push(
      `    compared: ${ready
        .outputs(ready.launches[0])
        .map((o) => o.path)
        .join(", ")}`,
    );
  if (ready.slow !== undefined)
    lines.push(
      `    fewer launches and widths than usual: one run takes ${Math.round(ready.slow).toLocaleString("en")} steps; a launch file can choose others`,
    );
  if (ready.stoppedAfter !== undefined)
    lines.push(
      `    the search for launches ended after ${ready.stoppedAfter}: running more would take too long; a launch file can choose others`,
    );
  if (ready.dropped > 0)
    lines.push(
      `    dropped: ${ready.dropped} more on which the source itself has a finding, such as an access out of bounds, or depends on unspecified values`,
    );
  return lines;
}

/** Of the target whose runs came to least: they differ where a target has its own widths. */
function leastRun(results: readonly TargetVerification[]): Coverage | undefined {
  const coverages = results.flatMap(({ result }) => (result.coverage && sameOutputs(result) ? [result.coverage] : []));
  return coverages.sort((a, b) => percentRun(a) - percentRun(b))[0];
}

const product = (t: readonly number[]): number => t.reduce((a, b) => a * b, 1);

/** `16` of 16 x 1 x 1. */
function sizes(t: readonly [number, number, number]): string {
  const used = t[2] > 1 ? 3 : t[1] > 1 ? 2 : 1;
  return t.slice(0, used).join(" x ");
}

const widest = "opencl".length;

function summary({ result, translation }: TargetVerification): string[] {
  const head = result.target.padEnd(widest);
  const indent = " ".repeat(widest + 2);
  const launches = `on ${result.runs.length} launch${result.runs.length === 1 ? "" : "es"}`;
  const forms = result.program?.same ? ", same program (for all inputs)" : "";
  const { schedules } = result;
  const orders = schedules ? `, in ${schedules} order${schedules === 1 ? "" : "s"} of the invocations besides` : "";
  const same = `${launches}${orders}, ${bytes(result)} bytes compared${result.coverage ? `, ${statementsRun(result.coverage)}` : ""}${forms}`;
  const verdict = {
    equivalent: `equivalent ${same}`,
    "equivalent-where-run": `equivalent where run ${same}`,
    refused: `refused by ${result.judged?.tool ?? "its compiler"}`,
    different: `different after ${launches.slice(3)}`,
    inconclusive:
      "inconclusive: the source itself has a finding, depends on unspecified values, or a launch breaks an assumption",
    "not-run": "not run: see the errors above",
  }[result.result];
  const accepted = result.judged?.verdict === "accepted" ? `, accepted by ${result.judged.tool}` : "";
  return [
    `${head}  ${verdict}${accepted}`,
    ...(result.workgroupSizes ? sizeLines(result.workgroupSizes) : []).map((l) => indent + l),
    ...(result.program && sameOutputs(result) ? programLines(result.program) : []).map((l) => indent + l),
    ...(result.mutants ? mutantLines(result.mutants) : []).map((l) => indent + l),
    ...(result.firstDifference ? differenceLines(result.firstDifference, result.target) : []).map((l) => indent + l),
    ...remarkLines(translation).map((l) => indent + l),
  ];
}

function bytes({ runs }: TargetVerification["result"]): number {
  return runs.reduce((sum, run) => sum + run.compared.reduce((s, c) => s + c.bytes, 0), 0);
}

function codeOf({ result, translation }: TargetVerification): number {
  if (result.result === "different" || result.result === "refused") return exitCodes.difference;
  if (result.result === "not-run" || hasErrors(translation.diagnostics)) return exitCodes.errors;
  return result.result === "inconclusive" ? exitCodes.findings : exitCodes.done;
}
