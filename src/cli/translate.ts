import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { Command } from "commander";
import { hasErrors } from "../api/compile.js";
import type { Compilation } from "../api/compile.js";
import { partsMissing, translateTo } from "../api/translate.js";
import type { Translation } from "../api/translate.js";
import { hasLineDirectives, writtenOutput } from "../api/written.js";
import type { WriteOptions, Written } from "../api/written.js";
import type { DeviceReport } from "../caps/device-report.js";
import type { Target } from "../dialects/ids.js";
import { entryOf } from "../launch/bind.js";
import { bugDiagnostic } from "./bug-report.js";
import type { CommandContext } from "./command.js";
import { openDeviceProfile } from "./device-profile.js";
import { exitCodes } from "./exit-codes.js";
import {
  extensionOf,
  fileProblem,
  readIfThere,
  reasonOf,
  sameFile,
  shownName,
  writeAtomically,
} from "../build/files.js";
import { findInputs } from "./inputs.js";
import type { SourceInput } from "../build/files.js";
import { withReportFlags, withSourceFlags, withTargetFlags } from "./options.js";
import type { SourceFlags, TargetFlags } from "./options.js";
import { Reporter } from "./report.js";
import type { ReportFlags } from "./report.js";
import { compileSession, open, openLaunch } from "./session.js";
import { showRemarks } from "./show.js";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usage-error.js";
import { checkProfile, targetOptions } from "./target-options.js";
import { writingFacts } from "../dialects/languages.js";

interface TranslateFlags extends SourceFlags, TargetFlags, ReportFlags {
  readonly output?: string;
  readonly outDir?: string;
  readonly launch?: string;
  readonly verify: boolean;
  readonly diff: boolean;
  readonly check: boolean;
  readonly watch: boolean;
  readonly sourceMap?: boolean;
  readonly inlineSourceMap?: boolean;
  readonly lineDirectives?: boolean;
}

/** One text that is to be written, or was refused. */
interface Output {
  readonly input: string;
  readonly target: Target;
  readonly entry?: string;
  readonly file?: string;
  /** Of the input, below the output folder. */
  readonly folder: string;
  readonly translation: Translation;
  /** Absent where the text was refused. */
  readonly written?: Written;
  readonly missing: ReturnType<typeof partsMissing>;
}

export function translateCommand({ terminal, finish, signal }: CommandContext): Command {
  const command = new Command("translate")
    .description("Translate kernels. One target without -o or --out-dir: the text goes to standard output.")
    .argument("<files...>", "files or globs, or - for standard input");
  withReportFlags(withTargetFlags(withSourceFlags(command)))
    .option("-o, --output <file>", "write to this file (one input, one target)")
    .option(
      "--out-dir <dir>",
      "write <stem>.{metal,comp,cl,hlsl,ts} into this folder; inputs of one name keep their folders below it",
    )
    .option("--launch <file>", "launch file: its sizes serve where a target needs them, and --verify runs it")
    .option("--verify", "write only what verifies", false)
    .option("--diff", "show what would change on disk, and write nothing", false)
    .option("--check", "write nothing; exit with 3 where a file on disk is not what would be written", false)
    .option("--source-map", "write a source map beside each file, as <file>.map")
    .option("--inline-source-map", "put the source map into a comment at the end of the text")
    .option("--line-directives", "write #line, so that compilers of the text name lines of the source; ts has none")
    .option("--watch", "translate again whenever an input changes", false);
  return command.action(async (patterns: string[], flags: TranslateFlags) => {
    checkUsage(flags);
    checkProfile(flags.targetProfile, flags.to);
    const opening = new Reporter(terminal, command.name(), flags);
    const device = await openDeviceProfile(flags, flags.to, terminal, opening);
    if (device === "wrong") return finish(opening.end(exitCodes.errors));
    const inputs = await findInputs(patterns, flags.from, terminal.cwd);
    if (!flags.outDir && (inputs.length > 1 || flags.to.length > 1)) {
      throw new UsageError("several inputs or targets need --out-dir");
    }
    if (!flags.watch) {
      finish((await translateAll(inputs, flags, device, terminal)).code);
      return;
    }
    const { watchInputs } = await import("./watch.js");
    await watchInputs(
      async () => {
        const found = await findInputs(patterns, flags.from, terminal.cwd);
        const { code, read } = await translateAll(found, flags, device, terminal);
        finish(code);
        return read;
      },
      terminal,
      signal,
    );
  });
}

function checkUsage(flags: TranslateFlags): void {
  if (flags.output && flags.outDir) throw new UsageError("-o and --out-dir exclude each other");
  if ((flags.diff || flags.check) && !flags.output && !flags.outDir) {
    throw new UsageError(`--${flags.diff ? "diff" : "check"} compares with files on disk: it needs -o or --out-dir`);
  }
  if (flags.sourceMap && flags.inlineSourceMap)
    throw new UsageError("--source-map and --inline-source-map exclude each other");
  if (flags.sourceMap && !flags.output && !flags.outDir)
    throw new UsageError(
      "--source-map writes a file beside the text: it needs -o or --out-dir, or --inline-source-map",
    );
  const without = flags.lineDirectives ? flags.to.filter((t) => !hasLineDirectives(t)) : [];
  if (without.length > 0) throw new UsageError(`${without.join(", ")} has no #line`, "--source-map gives a map");
  if (flags.watch && !flags.output && !flags.outDir) throw new UsageError("--watch needs -o or --out-dir");
}

async function translateAll(
  inputs: readonly SourceInput[],
  flags: TranslateFlags,
  device: DeviceReport | undefined,
  terminal: Terminal,
): Promise<{ code: number; read: string[] }> {
  const reporter = new Reporter(terminal, "translate", flags);
  const shown: object[] = [];
  const read = new Set<string>();
  const taken = new Map<string, string>();
  let code: number = exitCodes.done;
  const worsen = (to: number): void => void (code = Math.max(code, to));
  for (const input of inputs) {
    try {
      const outputs = await translateInput(input, flags, device, terminal, reporter, read, worsen);
      for (const output of outputs) {
        shown.push(describe(output, flags));
        worsen(await finishOutput(output, inputs, taken, flags, terminal, reporter));
      }
    } catch (error) {
      if (error instanceof UsageError) throw error;
      reporter.show([bugDiagnostic(error, input.name)]);
      worsen(exitCodes.internal);
    }
  }
  return { code: reporter.end(code, { outputs: shown }), read: [...read] };
}

async function translateInput(
  input: SourceInput,
  flags: TranslateFlags,
  device: DeviceReport | undefined,
  terminal: Terminal,
  reporter: Reporter,
  read: Set<string>,
  worsen: (code: number) => void,
): Promise<Output[]> {
  if (input.path !== undefined) read.add(input.path);
  const before = new Set(reporter.sources.keys());
  const session = await open(input, flags, terminal, reporter);
  if (session === undefined) return [];
  const launch = await openLaunch(input, flags.launch, terminal, reporter);
  if (launch === "wrong" && flags.launch !== undefined) return [];
  const compilation = await compileSession(session);
  for (const name of reporter.sources.keys()) if (!before.has(name)) read.add(resolve(terminal.cwd, name));
  if (hasErrors(reporter.show(compilation.diagnostics)) || !compilation.module) return [];
  const settled = typeof launch === "object" ? launch.launch : undefined;
  const outputs: Output[] = [];
  if (compilation.refused.length > 0) worsen(exitCodes.errors);
  for (const target of flags.to) {
    for (const entry of entriesFor(target, compilation, flags)) {
      const options = targetOptions(
        flags,
        target,
        settled,
        entry ?? entryOf(settled, input.dialect),
        compilation,
        device,
      );
      const made = await translateTo(compilation, target, { ...options, ...(entry ? { entry } : {}) });
      const diagnostics = reporter.show(made.diagnostics);
      // A warning that counts as an error refuses the text.
      const translation = { ...made, diagnostics, ...(hasErrors(diagnostics) ? { output: undefined } : {}) };
      const missing = partsMissing(compilation, translation);
      if (hasErrors(diagnostics) || translation.refused.length > 0) worsen(exitCodes.errors);
      const file = outputFile(input, target, entry !== flags.entry ? entry : undefined, flags, terminal);
      const output: Output = {
        input: input.name,
        folder: input.folder,
        target,
        ...(entry ? { entry } : {}),
        ...(file ? { file } : {}),
        translation,
        ...(translation.output
          ? { written: writtenOutput(compilation, target, translation.output, writing(file, flags, terminal)) }
          : {}),
        missing,
      };
      if (!reporter.machine && translation.output) showRemarks(terminal, target, translation, missing.leftOut);
      if (flags.verify && translation.output) {
        const { verifyInput } = await import("./verify.js");
        const result = await verifyInput(
          session,
          target,
          { ...flags, entry: entry ?? flags.entry },
          launch,
          device,
          terminal,
          reporter,
        );
        worsen(result);
        if (result !== exitCodes.done) continue;
      }
      outputs.push(output);
    }
  }
  return outputs;
}

/** Maps name sources as seen from the folder they are written to. */
function writing(file: string | undefined, flags: TranslateFlags, { cwd }: Terminal): WriteOptions {
  const folder = file === undefined ? cwd : dirname(file);
  return {
    lineDirectives: flags.lineDirectives ?? false,
    sourceMap: flags.inlineSourceMap ? "inline" : (flags.sourceMap ?? false),
    ...(file === undefined ? {} : { file: basename(file), mapUrl: encodeURIComponent(`${basename(file)}.map`) }),
    sourceName: (name) =>
      name.startsWith("<") ? name : relative(folder, resolve(cwd, name)).split(sep).map(encodeURIComponent).join("/"),
  };
}

/** Where a text holds one entry point, and a source has several, each gets a file of its own. */
function entriesFor(target: Target, compilation: Compilation, flags: TranslateFlags): (string | undefined)[] {
  const names = compilation.module?.entries.map((e) => e.name) ?? [];
  if (writingFacts(target)?.soleEntry === undefined || flags.entry !== undefined || names.length < 2 || !flags.outDir)
    return [flags.entry];
  return names;
}

function outputFile(
  input: SourceInput,
  target: Target,
  entry: string | undefined,
  flags: TranslateFlags,
  terminal: Terminal,
): string | undefined {
  if (flags.output) return resolve(terminal.cwd, flags.output);
  if (!flags.outDir) return undefined;
  return resolve(
    terminal.cwd,
    flags.outDir,
    input.folder,
    `${input.stem}${entry ? `.${entry}` : ""}.${extensionOf(target)}`,
  );
}

function describe(
  { input, target, entry, file, folder, translation, written, missing }: Output,
  flags: TranslateFlags,
): object {
  return {
    input,
    target,
    ...(entry ? { entry } : {}),
    ...(file ? { file: join(flags.outDir ?? dirname(flags.output ?? "."), folder, basename(file)) } : {}),
    ...(!file && written ? { code: written.code } : {}),
    refused: translation.output === undefined,
    refusedEntries: missing.refused,
    leftOut: missing.leftOut,
    emulations: translation.emulations,
    assumptions: translation.assumptions,
  };
}

/** Writes, compares or prints one output. */
async function finishOutput(
  { file, written, input }: Output,
  inputs: readonly SourceInput[],
  taken: Map<string, string>,
  flags: TranslateFlags,
  terminal: Terminal,
  reporter: Reporter,
): Promise<number> {
  if (written === undefined) return exitCodes.errors;
  if (file === undefined) {
    if (!reporter.machine) terminal.out(written.code);
    return exitCodes.done;
  }
  const name = shownName(file, terminal.cwd);
  for (const other of inputs) {
    if (other.path === undefined || !(await sameFile(other.path, file))) continue;
    reporter.show([
      fileProblem("XL8003", `the output '${name}' would replace an input`, "write into another folder with --out-dir"),
    ]);
    return exitCodes.usage;
  }
  const earlier = taken.get(file);
  if (earlier !== undefined) {
    reporter.show([fileProblem("XL8003", `'${earlier}' and '${input}' would both be written to '${name}'`)]);
    return exitCodes.usage;
  }
  taken.set(file, input);
  let code: number = exitCodes.done;
  const map = flags.sourceMap && written.map ? [[`${file}.map`, `${JSON.stringify(written.map)}\n`] as const] : [];
  for (const [path, content] of [[file, written.code] as const, ...map])
    code = Math.max(code, await settleFile(path, content, flags, terminal, reporter));
  return code;
}

/** Writes or compares one file. */
async function settleFile(
  file: string,
  text: string,
  flags: TranslateFlags,
  terminal: Terminal,
  reporter: Reporter,
): Promise<number> {
  const name = shownName(file, terminal.cwd);
  const onDisk = flags.diff || flags.check ? await readIfThere(file) : undefined;
  if (flags.diff && onDisk !== text && !reporter.machine) {
    const { paintedDiff, unifiedDiff } = await import("./diff.js");
    terminal.out(paintedDiff(unifiedDiff(name, onDisk, text), terminal.outPaint));
  }
  if (flags.check) {
    if (onDisk === text) return exitCodes.done;
    const state = onDisk === undefined ? "is not there" : "is not what the translation gives";
    reporter.show([
      {
        ...fileProblem("XL8004", `'${name}' ${state}`, "run the same command without --check"),
        severity: "warning",
      },
    ]);
    return exitCodes.difference;
  }
  if (flags.diff) return exitCodes.done;
  try {
    await writeAtomically(file, text);
  } catch (error) {
    reporter.show([fileProblem("XL8002", `'${name}' cannot be written: ${reasonOf(error)}`)]);
    return exitCodes.errors;
  }
  return exitCodes.done;
}
