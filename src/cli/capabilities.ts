import { append } from "../support/append.js";
import { Command, Option } from "commander";
import { capabilities, capabilityByProfile, capabilityNames } from "../api/capabilities.js";
import type { CapabilityRow } from "../api/capabilities.js";
import type { TargetDialect } from "../dialects/ids.js";
import { didYouMean } from "../support/did-you-mean.js";
import type { CommandContext } from "./command.js";
import type { DeviceReport } from "../caps/device-report.js";
import { openDeviceProfile, withDeviceProfile, type DeviceProfileFlags } from "./device-profile.js";
import { capabilityMarkdown } from "./capability-markdown.js";
import { formText, merged, profileOf, short, spansOf } from "./capability-text.js";
import { exitCodes } from "./exit-codes.js";
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
    // Every op of every target goes through the passes, which takes a while.
    const waiting = terminal.interactive && terminal.level !== "quiet";
    const parts = filter === undefined ? categories() : [filter];
    const rows: CapabilityRow[] = [];
    parts.forEach((part, i) => {
      const progress = parts.length === 1 ? "" : ` of ${part} (${i + 1} of ${parts.length})`;
      if (waiting) terminal.err(`\r\x1b[K${terminal.errPaint.faint(`asking the passes about each op${progress} ...`)}`);
      append(rows, query(part, flags, device));
    });
    if (waiting) terminal.err("\r\x1b[K");
    if (rows.length === 0) {
      throw new UsageError(
        `there is no op or category '${filter ?? ""}'`,
        didYouMean(filter ?? "", capabilityNames()) ?? `categories are ${categories().join(", ")}`,
      );
    }
    if (reporter.machine) finish(reporter.end(exitCodes.done, { rows }));
    else if (flags.format === "markdown")
      terminal.out(`${capabilityMarkdown(rows, flags.profile === undefined && !device)}\n`);
    else if (rows.length === 1) terminal.out(detail(rows[0]!, flags.profile !== undefined || device !== undefined));
    else terminal.out(table(rows));
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

function table(rows: readonly CapabilityRow[]): string {
  const dialects = Object.keys(rows[0]!.targets) as TargetDialect[];
  const head = ["op", ...dialects.map((d) => `${d} ${profileOf(rows[0]!.targets[d]!)}`)];
  const body = rows.map((row) => [row.op, ...dialects.map((d) => short(row.targets[d]!))]);
  const widths = head.map((_, i) => Math.max(...[head, ...body].map((cells) => cells[i]!.length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((c, i) => c.padEnd(widths[i]!))
      .join("  ")
      .trimEnd();
  const legend =
    "(composed): emulated by other native ops, (a loop): by a loop; *: depends on types or use, see `crosslane capabilities <op>`; -: refused";
  return `${[line(head), line(widths.map((w) => "-".repeat(w))), ...body.map(line)].join("\n")}\n\n${legend}\n`;
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
