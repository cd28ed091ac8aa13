import { Command, Option } from "commander";
import { capabilities, capabilityByProfile, capabilityNames, capabilityOps } from "../api/capabilities.js";
import type { CapabilityRow } from "../api/capabilities.js";
import type { TargetDialect } from "../dialects/ids.js";
import { didYouMean } from "../support/did-you-mean.js";
import type { CommandContext } from "./command.js";
import type { DeviceReport } from "../caps/device-report.js";
import { openDeviceProfile, withDeviceProfile, type DeviceProfileFlags } from "./device-profile.js";
import { capabilityMarkdown } from "./capability-markdown.js";
import { formText, merged, profileOf, short, spansOf } from "./capability-text.js";
import { exitCodes } from "./exit-codes.js";
import { knownCapabilities } from "./known-capabilities.js";
import { formatOption, readDialect } from "./options.js";
import { Reporter } from "./report.js";
import { UsageError } from "./usage-error.js";

interface CapabilityFlags extends DeviceProfileFlags {
  readonly target?: TargetDialect;
  readonly profile?: string;
  readonly format: "table" | "json" | "markdown";
}

export function capabilitiesCommand({ terminal, finish }: CommandContext): Command {
  const command = new Command("capabilities")
    .description(
      "What each target does with each op: native, emulated or refused, found by the passes translation itself runs.",
    )
    .argument("[op|category]", "e.g. subgroup.add or subgroup")
    .addOption(new Option("--target <dialect>", "only this target").argParser(readDialect))
    .option(
      "--profile <profile>",
      "a version of a target, e.g. vulkan1.2 (default: msl3.0, vulkan1.3, opencl3.0, sm6.6; for one op: all)",
    )
    .addOption(formatOption(["table", "json", "markdown"] as const));
  return withDeviceProfile(command).action(async (filter: string | undefined, flags: CapabilityFlags) => {
    const reporter = new Reporter(terminal, command.name(), flags);
    const device = await openDeviceProfile(flags, undefined, terminal, reporter);
    if (device === "wrong") return finish(reporter.end(exitCodes.errors));
    const ops = capabilityOps(filter);
    if (ops.length === 0) {
      throw new UsageError(
        `there is no op or category '${filter ?? ""}'`,
        didYouMean(filter ?? "", capabilityNames()) ?? `categories are ${categories().join(", ")}`,
      );
    }
    const known = flags.profile === undefined && !device ? knownCapabilities(flags.target) : undefined;
    const rowsOf = (op: string): readonly CapabilityRow[] => {
      const row = known?.get(op);
      return row ? [row] : query(op, flags, device);
    };
    // What is not known goes through the passes, op by op, which takes a while: a table shows each when it is there.
    if (ops.length > 1 && !reporter.machine && flags.format === "table") {
      for (const line of tableLines(ops, rowsOf)) terminal.out(line);
      return;
    }
    const waiting = !known && terminal.interactive && terminal.level !== "quiet" && ops.length > 1;
    const rows = ops.flatMap((op, i) => {
      const progress = `asking the passes about ${op} (${i + 1} of ${ops.length}) ...`;
      if (waiting) terminal.err(`\r\x1b[K${terminal.errPaint.faint(progress)}`);
      return rowsOf(op);
    });
    if (waiting) terminal.err("\r\x1b[K");
    if (reporter.machine) finish(reporter.end(exitCodes.done, { rows }));
    else if (flags.format === "markdown")
      terminal.out(`${capabilityMarkdown(rows, flags.profile === undefined && !device)}\n`);
    else terminal.out(detail(rows[0]!, flags.profile !== undefined || device !== undefined));
  });
}

function query(filter: string, flags: CapabilityFlags, deviceProfile: DeviceReport | undefined): CapabilityRow[] {
  try {
    return capabilities({
      filter,
      target: flags.target,
      profile: flags.profile,
      ...(deviceProfile ? { deviceProfile } : {}),
    });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

const categories = (): string[] => capabilityNames().filter((n) => !n.includes("."));

/** Of a cell; what is longer ends in dots, since lines are written before the next ones are known. */
const cellWidth = 22;

const legend =
  "(composed): emulated by other native ops, (a loop): by a loop; *: depends on types or use, see `crosslane capabilities <op>`; -: refused";

function* tableLines(ops: readonly string[], rowsOf: (op: string) => readonly CapabilityRow[]): Generator<string> {
  const opWidth = Math.max(...ops.map((op) => op.length));
  const line = (op: string, cells: readonly string[]): string =>
    `${[op.padEnd(opWidth), ...cells.map((c) => c.padEnd(cellWidth))].join("  ").trimEnd()}\n`;
  for (const [i, op] of ops.entries()) {
    for (const { targets } of rowsOf(op)) {
      const capabilities = Object.entries(targets);
      if (i === 0) {
        yield line(
          "op",
          capabilities.map(([dialect, c]) => `${dialect} ${profileOf(c)}`),
        );
        yield line(
          "-".repeat(opWidth),
          capabilities.map(() => "-".repeat(cellWidth)),
        );
      }
      yield line(
        op,
        capabilities.map(([, c]) => clipped(short(c))),
      );
    }
  }
  yield `\n${legend}\n`;
}

/** What `short` says of a use (` *`) stays. */
function clipped(cell: string): string {
  const [, spelling = cell, open = ""] = /^(.*?)( \*)?$/.exec(cell) ?? [];
  if (cell.length <= cellWidth) return cell;
  return `${spelling.slice(0, cellWidth - 3 - open.length)}...${open}`;
}

function detail(row: CapabilityRow, oneProfile: boolean): string {
  const lines = [`${row.op}: ${row.summary}`];
  for (const [dialect, capability] of Object.entries(row.targets)) {
    const groups = oneProfile
      ? [{ profiles: [capability.profile], capability }]
      : capabilityByProfile(row.op, dialect as TargetDialect);
    lines.push("", dialect);
    for (const group of groups) {
      const on = group.capability.device === undefined ? "" : ` on ${group.capability.device}`;
      lines.push(`  ${spansOf(group.profiles, dialect as TargetDialect)}${on}`);
      for (const form of merged(group.capability.forms)) lines.push(`    ${formText(form, (s) => s)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}
