import { Command, Option } from "commander";
import { portabilityOf, widthReports } from "../api/check.js";
import { entriesRefused } from "../api/compile.js";
import type { Portability, WidthReport } from "../api/types.js";
import { showWidths } from "../ast/subgroups.js";
import { entryOf } from "../launch/bind.js";
import type { CommandContext } from "./command.js";
import { bugDiagnostic } from "./bug-report.js";
import { openDeviceProfile, withDeviceProfile } from "./device-profile.js";
import { exitCodes } from "./exit-codes.js";
import { findInputs } from "./inputs.js";
import { emulateOption, readProfile, readSizes, readTargets, withReportFlags, withSourceFlags } from "./options.js";
import type { SourceFlags, TargetFlags } from "./options.js";
import { Reporter } from "./report.js";
import type { ReportFlags } from "./report.js";
import { compileSession, open, openLaunch } from "./session.js";
import { everywhereLines, leftOutLines, remarkLines } from "./show.js";
import { targetOptions } from "../build/translate-input.js";

interface CheckFlags
  extends
    ReportFlags,
    SourceFlags,
    Partial<Pick<TargetFlags, "to" | "targetProfile" | "deviceProfile" | "emulateSubgroups" | "workgroupSize">> {
  readonly launch?: string;
  readonly all?: boolean;
}

export function checkCommand({ terminal, finish }: CommandContext): Command {
  const command = new Command("check")
    .description(
      "Parse and type-check, and report for every target and profile whether it can be written. Writes nothing.",
    )
    .argument("<files...>", "files or globs")
    .addOption(new Option("--to <targets>", "only these targets").argParser(readTargets))
    .addOption(new Option("--target-profile <profile>", "only this profile").argParser(readProfile))
    .addOption(emulateOption())
    .addOption(
      new Option("--workgroup-size <x,y,z>", "where the source leaves it open").argParser((v) =>
        readSizes(v, "--workgroup-size"),
      ),
    )
    .option("--all", "report also what is wrong with what no entry needs, as --keep-unused does")
    .option("--launch <file>", "launch file: its sizes serve where a target needs them");
  return withReportFlags(withDeviceProfile(withSourceFlags(command))).action(
    async (patterns: string[], flags: CheckFlags) => {
      const reporter = new Reporter(terminal, command.name(), flags);
      const device = await openDeviceProfile(flags, flags.to, terminal, reporter);
      if (device === "wrong") return finish(reporter.end(exitCodes.errors));
      const shown: object[] = [];
      let code: number = exitCodes.done;
      for (const input of await findInputs(patterns, flags.from, terminal.cwd)) {
        try {
          const session = await open(
            input,
            { ...flags, keepUnused: flags.keepUnused || flags.all },
            terminal,
            reporter,
          );
          if (session === undefined) continue;
          const everything = await compileSession(session);
          reporter.show(everything.diagnostics);
          // What is wrong with what an entry does not need is in no other entry's way.
          const { keepUnused: _, ...needed } = session.options;
          const found = everything.module ? everything : await compileSession({ ...session, options: needed });
          const compilation = found.module ? found : everything;
          if (!compilation.module) continue;
          if (compilation !== everything) reporter.show(entriesRefused(compilation.refused));
          const launch = openLaunch(input, flags.launch, terminal, reporter);
          const settled = typeof launch === "object" ? launch.launch : undefined;
          const options = targetOptions(
            {
              local: {},
              strict: false,
              ...(flags.emulateSubgroups ? { emulateSubgroups: flags.emulateSubgroups } : {}),
              ...(flags.workgroupSize ? { workgroupSize: flags.workgroupSize } : {}),
            },
            undefined,
            settled,
            flags.entry ?? entryOf(settled, input.dialect),
            compilation,
            device,
          );
          const portability = await portabilityOf(compilation, {
            ...options,
            targets: flags.to,
            profile: flags.targetProfile,
          });
          const widths = widthReports(compilation, flags.entry ?? entryOf(settled, input.dialect));
          if (compilation.refused.length > 0) code = Math.max(code, exitCodes.errors);
          const { refused, leftOut } = compilation;
          shown.push({ file: input.name, portability, widths, refused, leftOut });
          if (!reporter.machine) {
            const lines = [
              ...grouped(portability),
              ...everywhereLines(portability),
              ...widths.flatMap(widthLines),
              ...leftOutLines(compilation.leftOut),
            ];
            terminal.out(`${[input.name, ...lines.map((l) => `  ${l}`)].join("\n")}\n`);
          }
        } catch (error) {
          reporter.show([bugDiagnostic(error, input.name)]);
          code = exitCodes.internal;
        }
      }
      finish(reporter.end(code, { files: shown }));
    },
  );
}

/** Subgroup widths an entry is right for, as far as its text says; of kernels that use subgroups. */
function widthLines({ entry, usesSubgroups, required, assumptions }: WidthReport): string[] {
  if (!usesSubgroups) return [];
  const needs = required && `${showWidths(required)}, as the source requires`;
  if (needs !== undefined && assumptions.length === 0) return [`widths  ${entry}: ${needs}`];
  if (assumptions.length === 0)
    return [`widths  ${entry}: nothing in the text takes a width for granted; verify runs it at several`];
  const places = [
    ...new Set(assumptions.map(({ message, location }) => `assumed: ${message} (${location.file}:${location.line})`)),
  ];
  return [`widths  ${entry}: ${needs ?? "assumed"}\n          ${places.join("\n          ")}`];
}

/** Neighbouring profiles of which the same is to be said share a line. */
function grouped(portability: readonly Portability[]): string[] {
  const lines: string[] = [];
  let last: { target: string; said: string; profiles: string[]; device: string | undefined } | undefined;
  const flush = (): void => {
    const on = last?.device === undefined ? "" : ` on ${last.device}`;
    if (last) lines.push(`${last.target.padEnd(6)}  ${span(last.profiles)}${on}: ${last.said}`);
  };
  for (const p of portability) {
    const said = describe(p);
    if (last && last.target === p.target && last.said === said) {
      last.profiles.push(p.profile);
      continue;
    }
    flush();
    last = { target: p.target, said, profiles: [p.profile], device: p.device };
  }
  flush();
  return lines;
}

const span = (profiles: readonly string[]): string =>
  profiles.length === 1 ? profiles[0]! : `${profiles[0]!} to ${profiles.at(-1)!}`;

function describe(p: Portability): string {
  if (p.verdict === "refused") {
    const reasons = new Map<string, string>();
    for (const { severity, code, message, location } of p.diagnostics) {
      if (severity !== "error" || reasons.has(message)) continue;
      reasons.set(message, `${code} ${message}${location ? ` (${location.file}:${location.line})` : ""}`);
    }
    const whose = p.refusedEntries ? ` for ${p.refusedEntries.join(", ")}` : "";
    return `refused${whose}\n          ${[...reasons.values()].join("\n          ")}`;
  }
  const remarks = remarkLines(p);
  return remarks.length === 0 ? p.verdict : `${p.verdict}\n          ${remarks.join("\n          ")}`;
}
