import { Command, Option } from "commander";
import { simulateLaunch } from "../api/simulate.js";
import { allFindings, findingKinds } from "../sim/findings.js";
import type { FindingKind } from "../sim/findings.js";
import { engines, type Engine, type EngineUsed } from "../sim/index.js";
import { chooseEntry } from "../api/compile.js";
import type { Compilation } from "../api/compile.js";
import type { PrintedText } from "../api/printed.js";
import type { DeviceLaunchOutcome } from "../api/device.js";
import type { EntryPoint } from "../ast/nodes.js";
import type { DeviceInfo } from "../device/kernel.js";
import { didYouMean } from "../support/did-you-mean.js";
import { bindLaunch, entryOf } from "../launch/bind.js";
import type { BoundBuffer, BoundLaunch } from "../launch/bind.js";
import { shapeOf } from "../launch/reflection.js";
import { scalarBytes, showScalar } from "../launch/scalars.js";
import type { CommandContext } from "./command.js";
import { chosenDevice, openDeviceFor, withDeviceFlags } from "./device-options.js";
import type { DeviceFlags } from "./device-options.js";
import { exitCodes } from "./exit-codes.js";
import { fileProblem } from "../build/files.js";
import { findInputs } from "./inputs.js";
import { readSizes, readWhole, readWidth, withReportFlags, withSourceFlags, threadsOption } from "./options.js";
import type { SourceFlags } from "./options.js";
import { Reporter } from "./report.js";
import type { ReportFlags } from "./report.js";
import { compileSession, open, openLaunch, withLaunch } from "./session.js";
import { coverageRemarks, statementsRun } from "./coverage.js";
import { UsageError } from "./usage-error.js";

interface RunFlags extends SourceFlags, DeviceFlags, ReportFlags {
  readonly launch?: string;
  readonly findings: "all" | "none" | readonly FindingKind[];
  readonly seed: number;
  readonly subgroupSize?: number;
  readonly workgroupSize?: readonly number[];
  readonly maxSteps?: number;
  readonly lanes?: "linear" | "scrambled";
  readonly schedules?: number;
  readonly coverage?: boolean;
  readonly engine?: Engine;
  readonly threads?: number;
}

export function runCommand(context: CommandContext): Command {
  const command = new Command("run")
    .description(
      "Run a kernel in the simulator, or on a device, on a launch file; print its outputs and what the simulator found.",
    )
    .argument("<file>", "the kernel")
    .option("--launch <file>", "launch file; found by itself as <stem>.launch.json or launch.json beside the kernel")
    .addOption(
      new Option("--findings <kinds>", "all, none, or kinds with commas, `all` among them")
        .default("all")
        .argParser(readFindings),
    )
    .addOption(
      new Option("--seed <n>", "chooses what unspecified values are")
        .default(1)
        .argParser((v) => readWhole(v, "--seed", 0, 2 ** 31)),
    )
    .addOption(
      new Option("--subgroup-size <n>", "width of a subgroup").argParser((v) => readWidth(v, "--subgroup-size")),
    )
    .addOption(
      new Option("--workgroup-size <x,y,z>", "where the source leaves it open").argParser((v) =>
        readSizes(v, "--workgroup-size"),
      ),
    )
    .addOption(
      new Option("--lanes <order>", "scrambled: lanes take local indices in an order of the seed's")
        .choices(["linear", "scrambled"])
        .default("linear"),
    )
    .addOption(
      new Option("--max-steps <n>", "give up after so many steps: loop iterations, of long loops several").argParser(
        (v) => readWhole(v, "--max-steps", 1, 2 ** 31),
      ),
    )
    .addOption(
      new Option(
        "--engine <engine>",
        "what simulates, and says so: WebAssembly (the default), or ts, the printed code, with the same results",
      ).choices(engines),
    )
    .addOption(threadsOption())
    .addOption(
      new Option(
        "--schedules <n>",
        "let lanes take turns at atomics in n ways, as the seed and the numbers after it say; keeps the first that fails",
      ).argParser((v) => readWhole(v, "--schedules", 1, 2 ** 20)),
    )
    .option("--coverage", "say which statements no lane came to");
  return withReportFlags(withDeviceFlags(withSourceFlags(command))).action((file: string, flags: RunFlags) =>
    runFile(file, flags, context),
  );
}

async function runFile(file: string, flags: RunFlags, { terminal, finish }: CommandContext): Promise<void> {
  const inputs = await findInputs([file], flags.from, terminal.cwd);
  const [input] = inputs;
  if (input === undefined || inputs.length > 1) throw new UsageError("run takes one file");
  const reporter = new Reporter(terminal, "run", flags);
  const end = (code: number, more: object = {}): void => finish(reporter.end(code, { file: input.name, ...more }));
  const session = await open(input, flags, terminal, reporter);
  if (session === undefined) return end(exitCodes.errors);
  const launch = openLaunch(input, flags.launch, terminal, reporter);
  const compilation = await compileSession(launch === "wrong" ? session : withLaunch(session, launch));
  reporter.show(compilation.diagnostics);
  if (!compilation.module) return end(exitCodes.errors);
  if (launch === undefined) {
    reporter.show([
      fileProblem(
        "XL6012",
        `there is no launch file for '${input.name}'`,
        `put one at ${input.stem}.launch.json beside it, name it with --launch, or let \`crosslane verify\` derive launches`,
      ),
    ]);
    return end(exitCodes.errors);
  }
  if (launch === "wrong") return end(exitCodes.errors);
  const chosen = chooseEntry(compilation, entryOf(launch.launch, input.dialect, flags.entry));
  if ("diagnostic" in chosen) {
    reporter.show([chosen.diagnostic]);
    return end(exitCodes.errors);
  }
  const { entry } = chosen;
  const { bound, diagnostics } = bindLaunch(launch.launch, shapeOf(compilation.module, entry), {
    workgroupSize: flags.workgroupSize,
    subgroupSize: flags.subgroupSize,
    files: launch.files,
  });
  reporter.show(diagnostics);
  if (!bound) return end(exitCodes.errors);
  const device = chosenDevice(flags);
  if (device !== undefined && flags.coverage)
    throw new UsageError("--coverage does not go with --device: a device notes nothing");
  if (device !== undefined && flags.schedules)
    throw new UsageError("--schedules does not go with --device: a device has its own");
  if (device !== undefined && flags.engine)
    throw new UsageError("--engine does not go with --device: it chooses what simulates");
  if (device !== undefined && flags.threads)
    throw new UsageError("--threads does not go with --device: it is of the simulator");
  const onDevice = device === undefined ? undefined : await runOnDevice(compilation, entry, bound, flags, reporter);
  if (device !== undefined && !onDevice) return end(exitCodes.errors);
  const result = onDevice?.outcome ?? simulateLaunch(compilation, entry, bound, flags);
  const subgroupSize = onDevice ? (onDevice.outcome.subgroupSize ?? bound.subgroupSize) : bound.subgroupSize;
  reporter.show(result.diagnostics);
  const findings = reporter.show(result.findings);
  reporter.show(result.unexpected);
  const buffers = bound.arguments.flatMap((a) =>
    a.kind === "buffer" && a.writable ? [{ ...a, bytes: result.buffers.get(a.path) ?? a.bytes }] : [],
  );
  const coverage = "coverage" in result ? result.coverage : undefined;
  const engine = flags.engine && "engine" in result ? result.engine : undefined;
  const schedule = "schedule" in result ? result.schedule : undefined;
  const printed = "printed" in result ? result.printed : undefined;
  const driverPrinted = onDevice?.outcome.driverPrinted;
  if (!reporter.machine) {
    showRun(terminal, `${entry.name} in ${input.name}`, bound, {
      result: { milliseconds: result.milliseconds, findings },
      onDevice,
      flags,
      subgroupSize,
      buffers,
    });
    if (printed) showPrinted(terminal, printed);
    if (driverPrinted !== undefined) showDriverPrinted(terminal, driverPrinted);
    if (schedule !== undefined) terminal.out(`${scheduleLine(schedule)}\n`);
    if (engine) terminal.out(`${engineLine(engine)}\n`);
    if (coverage) for (const line of [statementsRun(coverage), ...coverageRemarks(coverage)]) terminal.out(`${line}\n`);
  }
  const code =
    reporter.errors > 0 && result.unexpected.length === 0 && findings.length === 0
      ? exitCodes.errors
      : result.unexpected.length > 0
        ? exitCodes.difference
        : findings.length > 0
          ? exitCodes.findings
          : exitCodes.done;
  end(code, {
    entry: entry.name,
    subgroupSize,
    ...(coverage ? { coverage } : {}),
    ...(printed ? { printed } : {}),
    ...(driverPrinted === undefined ? {} : { driverPrinted }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(onDevice
      ? {
          device: onDevice.info,
          kernelMilliseconds: result.milliseconds,
          ...(onDevice.outcome.compiler ? { compiler: onDevice.outcome.compiler } : {}),
        }
      : {}),
    buffers: Object.fromEntries(buffers.map((b) => [b.path, numbers(b)])),
  });
}

const scheduleLine = (schedule: "in order" | number): string =>
  schedule === "in order"
    ? "invocations took turns, since some wait for others"
    : `invocations took turns as seed ${schedule} says: --seed ${schedule} --schedules 1 is the same again`;

function showPrinted(terminal: CommandContext["terminal"], { text, messages, leftOut }: PrintedText): void {
  const more = leftOut > 0 ? `, and ${leftOut} more that ${leftOut === 1 ? "is" : "are"} not kept` : "";
  terminal.out(
    `${messages.length} message${messages.length === 1 ? "" : "s"} printed${more}${text === "" ? "" : ":"}\n`,
  );
  if (text !== "") terminal.out(text.endsWith("\n") ? text : `${text}\n`);
}

function showDriverPrinted(terminal: CommandContext["terminal"], text: string): void {
  const line =
    text === ""
      ? "the kernel prints, and nothing of it came back from this driver; --device sim shows it"
      : "the driver printed:";
  terminal.out(`${line}\n`);
  if (text !== "") terminal.out(text.endsWith("\n") ? text : `${text}\n`);
}

/** What ran it, and why it was not the fastest there is. */
function engineLine({ engine, vectors, threads, because }: EngineUsed): string {
  const code = engine !== "wasm" ? "by the printed code" : vectors ? "by WebAssembly, in vectors" : "by WebAssembly";
  const how = threads === undefined ? code : `${code}, in ${threads} threads`;
  return because === undefined ? how : `${how}: ${because}`;
}

interface Shown {
  readonly result: { readonly milliseconds: number; readonly findings: readonly unknown[] };
  readonly onDevice: { readonly outcome: DeviceLaunchOutcome; readonly info: DeviceInfo } | undefined;
  readonly flags: RunFlags;
  readonly subgroupSize: number;
  readonly buffers: readonly Parameters<typeof showBuffer>[0][];
}

function showRun(
  terminal: CommandContext["terminal"],
  what: string,
  bound: BoundLaunch,
  { result, onDevice, flags, subgroupSize, buffers }: Shown,
): void {
  const where = onDevice
    ? ` on ${flags.device}, ${onDevice.info.name}${onDevice.outcome.compiler ? `, compiled by ${onDevice.outcome.compiler}` : ""}`
    : "";
  terminal.out(
    `${what}${where}: ${bound.workgroups.join(" x ")} workgroups of ${bound.workgroupSize.join(" x ")}, subgroup width ${subgroupSize}, ${result.milliseconds.toFixed(onDevice ? 3 : 1)} ms\n`,
  );
  for (const buffer of buffers) terminal.out(`${showBuffer(buffer)}\n`);
  const count = result.findings.length;
  // A device looks for nothing.
  if (!onDevice) terminal.out(count === 0 ? "no findings\n" : `${count} finding${count === 1 ? "" : "s"}\n`);
}

/** On the device the flags name; reports and gives nothing where the kernel does not come to its end there. */
async function runOnDevice(
  compilation: Compilation,
  entry: EntryPoint,
  bound: BoundLaunch,
  flags: RunFlags,
  reporter: Reporter,
): Promise<{ outcome: DeviceLaunchOutcome; info: DeviceInfo } | undefined> {
  const connection = await openDeviceFor(flags, reporter);
  if (!connection) return undefined;
  try {
    const { launchOnDevice } = await import("../api/device.js");
    const outcome = await launchOnDevice(connection, compilation, entry, bound, flags);
    if (outcome.buffers.size > 0) return { outcome, info: connection.info };
    reporter.show(outcome.diagnostics);
    return undefined;
  } finally {
    await connection.close();
  }
}

function readFindings(value: string): RunFlags["findings"] {
  if (value === "all" || value === "none") return value;
  return value.split(",").flatMap((part) => {
    const kind = part.trim();
    if (kind === "all") return allFindings;
    if (!(findingKinds as readonly string[]).includes(kind)) {
      throw new UsageError(
        `'${kind}' is no kind of finding`,
        didYouMean(kind, findingKinds) ?? `kinds are ${findingKinds.join(", ")}`,
      );
    }
    return kind as FindingKind;
  });
}

/** Numbers of a buffer as text, which keeps NaN, -0 and 64-bit integers. */
function numbers({ bytes, type }: BoundBuffer): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = scalarBytes(type.scalar);
  return Array.from(
    { length: Math.floor(bytes.length / size) },
    (_, i) => showScalar(view, i * size, type.scalar).value,
  );
}

const mostShown = 16;

function showBuffer(buffer: BoundBuffer): string {
  const all = numbers({ ...buffer, bytes: buffer.bytes.subarray(0, (mostShown + 1) * 8) });
  const shown = all.slice(0, mostShown);
  const count = Math.floor(buffer.bytes.length / scalarBytes(buffer.type.scalar));
  const more = count > shown.length ? `, and ${count - shown.length} more` : "";
  return `${buffer.path} (${buffer.type.scalar}): ${shown.join(" ")}${more}`;
}
