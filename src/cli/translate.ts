import { basename } from "node:path";
import { Command, Option } from "commander";
import { Layouts } from "../api/typescript-layout.js";
import { FileView } from "../build/file-view.js";
import { fileProblem, shownName } from "../build/files.js";
import type { SourceInput } from "../build/files.js";
import { withMarker } from "../build/marker.js";
import { OutputFiles, textOutput } from "../build/output-files.js";
import type { DeviceReport } from "../caps/device-report.js";
import { hasLineDirectives } from "../dialects/languages.js";
import { bugDiagnostic } from "./bug-report.js";
import type { CommandContext } from "./command.js";
import { openDeviceProfile } from "./device-profile.js";
import { checkDepfile, withDepfileFlags, writeDepfile } from "./depfile.js";
import { exitCodes } from "./exit-codes.js";
import { findInputs } from "./inputs.js";
import { readWhole, watchOption, withReportFlags, withSourceFlags, withTargetFlags } from "./options.js";
import { Reporter, isMachineFormat } from "./report.js";
import { checkProfile } from "./target-options.js";
import type { Terminal } from "./terminal.js";
import type { Output, TranslateFlags, Translating } from "./translate-file.js";
import { translateFiles } from "./translate-files.js";
import type { Again, Translated } from "./translate-watch.js";
import { UsageError } from "./usage-error.js";

/** What one run of the command has in common. */
interface Run extends Translating {
  readonly files: OutputFiles;
  written: number;
  unchanged: number;
}

export function translateCommand({ terminal, finish, signal }: CommandContext): Command {
  const command = new Command("translate")
    .description("Translate kernels. One target without -o or --out-dir: the text goes to standard output.")
    .argument("<files...>", "files or globs, or - for standard input");
  withReportFlags(withTargetFlags(withSourceFlags(command)))
    .option(
      "-o, --output <file>",
      "write to this file, - for standard output (one input, one target)",
      // Standard output is where a text goes that has no file.
      (file: string) => (file === "-" ? undefined : file),
    )
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
    .addOption(
      new Option(
        "-j, --jobs <n>",
        "threads, of several files (default: one for each processor, where that is faster)",
      ).argParser((v) => readWhole(v, "--jobs", 1, 256)),
    )
    .addOption(watchOption("translate again whenever an input changes"))
    .option("--clear", "with --watch: clear the screen before each run", false)
    .option("--force", "replace files, too, that crosslane did not write", false);
  withDepfileFlags(command);
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
    if (flags.watch === undefined) {
      const again = {
        view: new FileView(terminal.cwd),
        said: new Map<string, string>(),
        taken: new Map(),
        layouts: new Layouts(),
      };
      finish((await translateAll(inputs, inputs, flags, device, terminal, again)).code);
      return;
    }
    const { TranslateWatch } = await import("./translate-watch.js");
    const translate = (some: readonly SourceInput[], all: readonly SourceInput[], again: Again): Promise<Translated> =>
      translateAll(some, all, flags, device, terminal, again);
    await new TranslateWatch(patterns, flags, terminal, translate).watch(flags.watch, signal);
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
  checkDepfile(flags);
  if (flags.watch && flags.depfile !== undefined) throw new UsageError("--depfile is of one run, and --watch has many");
  if (flags.watch && (flags.check || flags.diff))
    throw new UsageError(`--watch and --${flags.check ? "check" : "diff"} exclude each other`);
  if (flags.watch && isMachineFormat(flags.format))
    throw new UsageError(`--format ${flags.format} is of one run, and --watch has many`);
  if (flags.watch && !flags.output && !flags.outDir) throw new UsageError("--watch needs -o or --out-dir");
}

/** Translates `inputs`; `all` are those of the command, which no output may replace. */
async function translateAll(
  inputs: readonly SourceInput[],
  all: readonly SourceInput[],
  flags: TranslateFlags,
  device: DeviceReport | undefined,
  terminal: Terminal,
  { view, said, taken, layouts }: Again,
): Promise<Translated & { readonly code: number }> {
  const reporter = new Reporter(terminal, "translate", flags);
  const paths = all.flatMap((i) => (i.path === undefined ? [] : [i.path]));
  const files = new OutputFiles(terminal.cwd, view, paths, { force: flags.force, taken: (file) => taken.get(file) });
  let code: number = exitCodes.done;
  const worsen = (to: number): void => void (code = Math.max(code, to));
  const run = { flags, device, terminal, reporter, files, said, layouts, worsen, written: 0, unchanged: 0 };
  const reads = new Map<string, Iterable<string>>();
  const outputs = new Map<string, string[]>();
  const deps = new Map<string, string>();
  const shown: object[] = [];
  await translateFiles(inputs, run, view, async ({ input, outputs: translated, reads: states }) => {
    const settled: string[] = [];
    try {
      for (const output of await translated()) {
        shown.push(output.described);
        worsen(await finishOutput(output, run, settled));
      }
    } catch (error) {
      if (error instanceof UsageError) throw error;
      reporter.show([bugDiagnostic(error, input.name)]);
      worsen(exitCodes.internal);
    }
    reads.set(input.name, states.keys());
    outputs.set(input.name, settled);
    for (const [path, state] of states) deps.set(path, state);
  });
  if (!writeDepfile(flags, [...[...outputs.values()].flat(), ...taken.keys()], deps, terminal, reporter))
    worsen(exitCodes.errors);
  const { written, unchanged } = run;
  return { code: reporter.end(code, { outputs: shown }), reads, outputs, written, unchanged, errors: reporter.errors };
}

/** Writes, compares or prints one output. */
async function finishOutput({ file, written, input }: Output, run: Run, done: string[]): Promise<number> {
  const { flags, terminal, reporter, files } = run;
  if (written === undefined) return exitCodes.errors;
  if (file === undefined) {
    if (!reporter.machine) terminal.out(written.code);
    return exitCodes.done;
  }
  const objection = files.claim(file, input);
  if (objection) {
    reporter.show([objection]);
    return exitCodes.usage;
  }
  const map = flags.sourceMap && written.map ? [[`${file}.map`, `${JSON.stringify(written.map)}\n`] as const] : [];
  // Lines of a text with a map are where the map says.
  const text = written.map ? written.code : withMarker(written.code, basename(input));
  let code: number = exitCodes.done;
  for (const [path, content] of [[file, text] as const, ...map])
    code = Math.max(code, await settleFile(path, content, run, done));
  return code;
}

/** Writes or compares one file. */
async function settleFile(file: string, text: string, run: Run, done: string[]): Promise<number> {
  const { flags, terminal, reporter, files } = run;
  const name = shownName(file, terminal.cwd);
  const output = textOutput(text);
  if (flags.diff || flags.check) {
    const { state } = files.compare(file, output);
    if (flags.diff && state !== "unchanged" && !reporter.machine) {
      const { diffOnDisk } = await import("./diff.js");
      terminal.out(diffOnDisk(file, name, text, terminal.outPaint));
    }
    if (!flags.check || state === "unchanged") return exitCodes.done;
    const is = state === "absent" ? "is not there" : "is not what the translation gives";
    const stale = fileProblem("XL8004", `'${name}' ${is}`, "run the same command without --check");
    reporter.show([{ ...stale, severity: "warning" }]);
    return exitCodes.difference;
  }
  const settled = files.write(file, output);
  if ("diagnostic" in settled) {
    reporter.show([settled.diagnostic]);
    return exitCodes.errors;
  }
  done.push(file);
  if (settled.state === "written") run.written++;
  else run.unchanged++;
  return exitCodes.done;
}
