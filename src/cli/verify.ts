/** `crosslane verify`. */
import { resolve } from "node:path";
import { Command, Option } from "commander";
import { verificationPage } from "../report/verification-page.js";
import { fileProblem, reasonOf, shownName } from "../build/files.js";
import type { SourceInput } from "../build/files.js";
import { writeWhole } from "../build/output-files.js";
import { packageVersion } from "./bug-report.js";
import type { CommandContext } from "./command.js";
import { chosenDevice, openDeviceFor, withDeviceFlags } from "./device-options.js";
import { openDeviceProfile } from "./device-profile.js";
import { exitCodes } from "./exit-codes.js";
import { findInputs } from "./inputs.js";
import { readWhole, readWidths, withReportFlags, withSourceFlags, withTargetFlags, threadsOption } from "./options.js";
import { Reporter } from "./report.js";
import { compileSession } from "./session.js";
import { checkProfile } from "./target-options.js";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usage-error.js";
import { meaning, openFile, type Run, type VerifiedFile, type VerifyFlags } from "./verify-file.js";
import { verifyFiles } from "./verify-files.js";

export function verifyCommand({ terminal, finish }: CommandContext): Command {
  const command = new Command("verify")
    .description(
      "Run the source and the re-parsed text of its translations on the same launches, and compare every output.",
    )
    .argument("<files...>", "kernels: files or globs, or - for standard input");
  withReportFlags(withDeviceFlags(withTargetFlags(withSourceFlags(command))))
    .option("--launch <file>", "launch file; found by itself as <stem>.launch.json or launch.json beside the kernel")
    .addOption(
      new Option(
        "--subgroup-sizes <n,...>",
        "widths to run at (default: the launch file's, else 4,8,16,32,64)",
      ).argParser(readWidths),
    )
    .addOption(
      new Option("--seeds <n>", "fills of unspecified values to try (default: 2)").argParser((v) =>
        readWhole(v, "--seeds", 1, 64),
      ),
    )
    .addOption(
      new Option(
        "--schedules <n>",
        "let invocations take turns at atomics in n ways besides: source and translation have to leave the same in each",
      ).argParser((v) => readWhole(v, "--schedules", 1, 2 ** 16)),
    )
    .addOption(
      new Option(
        "--max-steps <n>",
        "give up a run after so many steps: loop iterations, of long loops several",
      ).argParser((v) => readWhole(v, "--max-steps", 1, 2 ** 31)),
    )
    .addOption(threadsOption())
    .addOption(
      new Option("-j, --jobs <n>", "threads, of several files (default: as many as there are processors)").argParser(
        (v) => readWhole(v, "--jobs", 1, 256),
      ),
    )
    .addOption(
      new Option(
        "--budget <steps>",
        "steps of the simulator that looking for launches may take (default: 2^24, a few seconds)",
      ).argParser((v) => readWhole(v, "--budget", 1, 2 ** 32)),
    )
    .option("--judge", "put every text before the target's own compiler, where it is installed")
    .addOption(
      new Option(
        "--mutants <n>",
        "plant n faults in each translation, one at a time, and say which the launches notice",
      ).argParser((v) => readWhole(v, "--mutants", 1, 100_000)),
    )
    .addOption(
      new Option("--mutant-seed <n>", "chooses the faults (default: 1)").argParser((v) =>
        readWhole(v, "--mutant-seed", 0, 2 ** 31),
      ),
    )
    .option("--save-launches <dir>", "write the launches that were derived as launch files")
    .option(
      "--report <file.html>",
      "write a page: both texts with coverage, launches, the first difference, lanes over time",
    )
    .option("--show-launches", "print the launches that were derived as launch files")
    .addOption(
      new Option(
        "--require-coverage <percent>",
        "end with 3 where less than this share of the source's statements was run",
      ).argParser((v) => readWhole(v, "--require-coverage", 0, 100)),
    );
  return command.action(async (patterns: string[], flags: VerifyFlags) => {
    const inputs = await findInputs(patterns, flags.from, terminal.cwd);
    checkUsage(flags, inputs.length);
    const reporter = new Reporter(terminal, command.name(), flags);
    const device = await openDeviceProfile(flags, flags.to, terminal, reporter);
    if (device === "wrong") return finish(reporter.end(exitCodes.errors));
    const run: Run = { flags, device, terminal, reporter, several: inputs.length > 1 };
    if (chosenDevice(flags) !== undefined) return finish(await verifyThere(inputs[0]!, run));
    const files = await verifyFiles(inputs, run);
    const written = writeReport(files, flags.report, terminal, reporter);
    const code = Math.max(...files.map((f) => f.code), written);
    if (files.length === 1) return finish(reporter.end(code, files[0]!.body));
    if (!reporter.machine) terminal.out(files.some((f) => f.same) ? `\n${meaning}` : "");
    finish(reporter.end(code, { verifications: files.map(({ code: exitCode, body }) => ({ ...body, exitCode })) }));
  });
}

/** Writes the page of all files, and gives the exit code. */
function writeReport(
  files: readonly VerifiedFile[],
  name: string | undefined,
  terminal: Terminal,
  reporter: Reporter,
): number {
  if (name === undefined) return exitCodes.done;
  const path = resolve(terminal.cwd, name);
  try {
    const reported = files.flatMap((f) => (f.reported ? [f.reported] : []));
    writeWhole(path, verificationPage(reported, `crosslane ${packageVersion()}`));
    return exitCodes.done;
  } catch (error) {
    const shown = shownName(path, terminal.cwd);
    reporter.show([fileProblem("XL8002", `'${shown}' cannot be written: ${reasonOf(error)}`)]);
    return exitCodes.errors;
  }
}

function checkUsage(flags: VerifyFlags, inputs: number): void {
  checkProfile(flags.targetProfile, flags.to);
  const device = chosenDevice(flags) !== undefined;
  if (device && inputs > 1) throw new UsageError("verify takes one file where it runs on a --device");
  if (flags.judge && device)
    throw new UsageError("--judge does not go with --device: what runs there was compiled there");
  if (flags.report !== undefined && device)
    throw new UsageError("--report does not go with --device: it shows what the simulator runs");
  if (flags.schedules !== undefined && device)
    throw new UsageError("--schedules does not go with --device: a device has its own");
  if (flags.mutants !== undefined && device)
    throw new UsageError("--mutants does not go with --device: faults are planted in what the simulator runs");
}

async function verifyThere(input: SourceInput, run: Run): Promise<number> {
  const { flags, device, terminal, reporter } = run;
  const opened = await openFile(input, run);
  if (typeof opened === "number") return reporter.end(opened);
  const connection = await openDeviceFor(flags, reporter);
  if (!connection) return reporter.end(exitCodes.errors);
  const { verifyOnDevices } = await import("./verify-device.js");
  const compilation = await compileSession(opened.session);
  return verifyOnDevices(compilation, connection, flags.to, flags, opened.launch, device, terminal, reporter).finally(
    () => connection.close(),
  );
}
