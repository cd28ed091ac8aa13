import { Command, Option } from "commander";
import { capabilities, capabilityNames } from "../api/capabilities.js";
import type { CapabilityRow, TargetCapability } from "../api/capabilities.js";
import type { Dialect } from "../dialects/ids.js";
import { didYouMean } from "../support/did-you-mean.js";
import type { CommandContext } from "./command.js";
import { formatOption, readDialect } from "./options.js";
import { UsageError } from "./usage-error.js";

interface CapabilityFlags {
  readonly target?: Dialect;
  readonly profile?: string;
  readonly format: "table" | "json" | "markdown";
}

export function capabilitiesCommand({ terminal }: CommandContext): Command {
  return new Command("capabilities")
    .description(
      "What each target does with each op: native, emulated or refused, from the table translation itself reads.",
    )
    .argument("[op|category]", "e.g. subgroup.add or subgroup")
    .addOption(new Option("--target <dialect>", "only this target").argParser(readDialect))
    .option(
      "--profile <profile>",
      "a version of a target, e.g. vulkan1.2 (default: msl3.0, vulkan1.3, opencl3.0, sm6.6)",
    )
    .addOption(formatOption(["table", "json", "markdown"] as const))
    .action((filter: string | undefined, flags: CapabilityFlags) => {
      const rows = query(filter, flags);
      if (rows.length === 0) {
        throw new UsageError(
          `there is no op or category '${filter ?? ""}'`,
          didYouMean(filter ?? "", capabilityNames()) ?? `categories are ${categories().join(", ")}`,
        );
      }
      if (flags.format === "json") terminal.out(`${JSON.stringify(rows, null, 2)}\n`);
      else if (rows.length === 1 && flags.format === "table") terminal.out(detail(rows[0]!));
      else terminal.out(table(rows, flags.format === "markdown"));
    });
}

function query(filter: string | undefined, flags: CapabilityFlags): CapabilityRow[] {
  try {
    return capabilities({ filter, target: flags.target, profile: flags.profile });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

const categories = (): string[] => capabilityNames().filter((n) => !n.includes("."));

/** The cell that decides, or several words where it depends on the use. */
function short({ verdict, cells }: TargetCapability): string {
  const deciding = cells.find((c) => c.available);
  if (verdict === "refused" || deciding === undefined) return "-";
  const text = deciding.kind === "emulated" ? `(${deciding.text})` : deciding.text.split(", ")[0]!;
  return deciding.conditional || deciding.on ? `${text} *` : text;
}

function table(rows: readonly CapabilityRow[], markdown: boolean): string {
  const dialects = Object.keys(rows[0]!.targets) as Dialect[];
  const head = ["op", ...dialects.map((d) => `${d} ${rows[0]!.targets[d]!.profile}`)];
  const body = rows.map((row) => [row.op, ...dialects.map((d) => short(row.targets[d]!))]);
  if (markdown) {
    const line = (cells: readonly string[]): string =>
      `| ${cells.map((c) => c.replaceAll("|", "\\|")).join(" | ")} |`;
    return `${[line(head), line(head.map(() => "---")), ...body.map(line)].join("\n")}\n`;
  }
  const widths = head.map((_, i) => Math.max(...[head, ...body].map((cells) => cells[i]!.length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((c, i) => c.padEnd(widths[i]!))
      .join("  ")
      .trimEnd();
  const legend =
    "(name): emulated by that recipe; *: depends on types or use, see `crosslane capabilities <op>`; -: refused";
  return `${[line(head), line(widths.map((w) => "-".repeat(w))), ...body.map(line)].join("\n")}\n\n${legend}\n`;
}

function detail(row: CapabilityRow): string {
  const lines = [`${row.op}: ${row.summary}`];
  for (const [dialect, capability] of Object.entries(row.targets)) {
    lines.push("", `${dialect} (${capability.profile}): ${capability.verdict}`);
    for (const cell of capability.cells) {
      const more = [cell.on ? `on ${cell.on}` : "", cell.needs ? `needs ${cell.needs}` : "", cell.conditional ? "depends on the use" : "", cell.seen ? `seen: ${cell.seen}` : ""]; // prettier-ignore
      lines.push(
        `  ${cell.available ? " " : "x"} ${cell.kind}  ${cell.text}${more
          .filter(Boolean)
          .map((m) => `; ${m}`)
          .join("")}`,
      );
    }
  }
  return `${lines.join("\n")}\n`;
}
