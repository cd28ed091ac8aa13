import { append } from "../support/append.js";
import { Command, Option } from "commander";
import { capabilities, capabilityByProfile, capabilityNames } from "../api/capabilities.js";
import type { CapabilityForm, CapabilityRow, TargetCapability } from "../api/capabilities.js";
import { profileIds } from "../caps/profiles.js";
import type { TargetDialect } from "../dialects/ids.js";
import { didYouMean } from "../support/did-you-mean.js";
import type { CommandContext } from "./command.js";
import type { DeviceReport } from "../caps/device-report.js";
import { openDeviceProfile, withDeviceProfile, type DeviceProfileFlags } from "./device-profile.js";
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
    if (waiting) terminal.err(terminal.errPaint.faint("asking the passes about each op ..."));
    const rows = query(filter, flags, device);
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

function query(
  filter: string | undefined,
  flags: CapabilityFlags,
  deviceProfile: DeviceReport | undefined,
): CapabilityRow[] {
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

const costs: Readonly<Record<CapabilityForm["cost"], string>> = {
  native: "native",
  composed: "composed",
  loop: "a loop",
  "workgroup-memory": "workgroup memory",
  refused: "refused",
};

/** `subgroupAdd`, `(a loop)`, `-`; with `*` where other operands have another answer. */
function short({ forms }: TargetCapability): string {
  const form = forms.find((f) => f.verdict !== "refused");
  if (!form) return "-";
  const text = form.verdict === "native" ? (form.spellings[0] ?? "yes") : `(${costs[form.cost]})`;
  return forms.length > 1 ? `${text} *` : text;
}

/** `vulkan1.3`, `vulkan1.3 on llvmpipe` */
const profileOf = ({ profile, device }: TargetCapability): string =>
  device === undefined ? profile : `${profile} on ${device}`;

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

/** `msl2.1-macos, msl2.3 to msl3.2`: runs of neighbouring profiles. */
function spansOf(ids: readonly string[], dialect: TargetDialect): string {
  const order = profileIds(dialect);
  const runs: string[][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run && order.indexOf(id) === order.indexOf(run.at(-1)!) + 1) run.push(id);
    else runs.push([id]);
  }
  return runs.map((run) => (run.length === 1 ? run[0]! : `${run[0]!} to ${run.at(-1)!}`)).join(", ");
}

/** Forms that differ in nothing but what they require, which a line does not show, in one. */
function merged(forms: readonly CapabilityForm[]): CapabilityForm[] {
  const groups = new Map<string, CapabilityForm[]>();
  for (const form of forms) {
    const { types: _, requires: __, ...rest } = form;
    const key = JSON.stringify(rest);
    groups.set(key, [...(groups.get(key) ?? []), form]);
  }
  return [...groups.values()].map((group) => ({ ...group[0]!, types: group.map((f) => f.types).join(", ") }));
}

/** One form in a line; `code` marks what is text of the target. */
function formText(form: CapabilityForm, code: (text: string) => string): string {
  const where = [
    form.types,
    form.flow === undefined ? "" : `in ${form.flow} flow`,
    form.lane === undefined ? "" : `${form.lane} lane`,
  ].filter(Boolean);
  const prefix = where.length === 0 ? "" : `${where.join(", ")}: `;
  const assumes = form.assumes.map((a) => `; assumes that ${a}`).join("");
  if (form.verdict === "refused") return `${prefix}refused: ${form.reason ?? ""}`;
  if (form.verdict === "native") {
    const spelled = form.spellings.length === 0 ? "operators" : form.spellings.map(code).join(", ");
    return `${prefix}native ${spelled}${assumes}`;
  }
  const by = form.spellings.length === 0 ? "" : ` of ${form.spellings.map(code).join(", ")}`;
  return `${prefix}emulated (${costs[form.cost]}${by}) by ${form.lowerings.join(", ")}${assumes}`;
}

const crossesLanes: ReadonlySet<string> = new Set(["subgroup", "quad", "workgroup"]);

function profileLines(
  row: CapabilityRow,
  dialects: readonly TargetDialect[],
  code: (text: string) => string,
): string[] {
  const lines = [`- ${code(row.op)}`];
  for (const d of dialects) {
    for (const { profiles, capability } of capabilityByProfile(row.op, d)) {
      const forms = merged(capability.forms).map((f) => formText(f, code));
      lines.push(`  - ${spansOf(profiles, d)}: ${forms.join("; ")}`);
    }
  }
  return lines;
}

/**
 * The matrix as Markdown: one table a category, the default profile of each target in a column; with `byProfile` a list of
 * what each profile does follows for the ops that cross lanes.
 */
function capabilityMarkdown(rows: readonly CapabilityRow[], byProfile = false): string {
  const dialects = Object.keys(rows[0]!.targets) as TargetDialect[];
  const code = (text: string): string => `\`${text}\``;
  const line = (cells: readonly string[]): string => `| ${cells.map((c) => c.replaceAll("|", "\\|")).join(" | ")} |`;
  const head = ["op", ...dialects.map((d) => `${d} ${profileOf(rows[0]!.targets[d]!)}`)];
  const out: string[] = [];
  for (const category of new Set(rows.map((r) => r.category))) {
    const own = rows.filter((r) => r.category === category);
    out.push(`## ${category}`, "", line(head), line(head.map(() => "---")));
    for (const row of own) {
      const cells = dialects.map((d) =>
        merged(row.targets[d]!.forms)
          .map((f) => formText(f, code))
          .join("<br>"),
      );
      out.push(line([`${code(row.op)}<br>${row.summary}`, ...cells]));
    }
    out.push("");
    if (!byProfile || own.every((r) => !crossesLanes.has(r.category))) continue;
    out.push(`### ${category}, by profile`, "");
    for (const row of own) append(out, [...profileLines(row, dialects, code), ""]);
  }
  return out.join("\n").trimEnd();
}

/** docs/capabilities.md: the whole matrix, after a word on how to read it. */
export function capabilityDocument(): string {
  const head = `# What every target does with every op

Written by \`crosslane capabilities --format markdown\`, and checked by a test: it is what translation does, found by running
its passes on one call of each op for every operand type.

- *native*: the target's own function; the text named.
- *emulated*: by a lowering of \`src/passes/lowerings\`, exact. *composed*: a few native calls; *a loop*: over the lanes of the
  subgroup; *workgroup memory*: through it, with barriers.
- *refused*: with the fact about the target. A translation that meets it is refused (XL3001, XL3003).

Types: \`f32 i32\` are scalars and vectors of 2 to 4; \`scalar\`, \`x2-4\` only those. *Divergent flow*: not all lanes of the
subgroup are known to reach the call.
`;
  return `${head}\n${capabilityMarkdown(capabilities(), true)}\n`;
}
