import { Command, Option } from "commander";
import { reflectForTargets } from "../api/reflect.js";
import { bindingLanguages, bindings } from "../bindings/bindings.js";
import type { BindingLanguage } from "../bindings/bindings.js";
import { entryOf } from "../launch/bind.js";
import type { CommandContext } from "./command.js";
import { openDeviceProfile, withDeviceProfile, type DeviceProfileFlags } from "./device-profile.js";
import { exitCodes } from "./exit-codes.js";
import { findInputs } from "./inputs.js";
import { withReportFlags, withSourceFlags } from "./options.js";
import type { SourceFlags } from "./options.js";
import { reportVersion } from "../report/report.js";
import { Reporter } from "./report.js";
import type { ReportFlags } from "./report.js";
import { compileSession, open, openLaunch } from "./session.js";
import { targetOptions } from "../build/translate-input.js";
import { UsageError } from "./usage-error.js";

export function reflectCommand({ terminal, finish }: CommandContext): Command {
  const command = new Command("reflect")
    .description("Entry points, arguments, slots, layouts, sizes and required features, as JSON.")
    .argument("<file>", "the kernel")
    .addOption(
      new Option(
        "--bindings <language>",
        "a module (ts) or header (c) of types, layouts and slots for host code",
      ).choices(bindingLanguages),
    )
    .option("--launch <file>", "launch file: its sizes serve where a target needs them");
  return withReportFlags(withDeviceProfile(withSourceFlags(command))).action(
    async (
      file: string,
      flags: SourceFlags & DeviceProfileFlags & ReportFlags & { launch?: string; bindings?: BindingLanguage },
    ) => {
      const inputs = await findInputs([file], flags.from, terminal.cwd);
      if (inputs.length > 1) throw new UsageError("reflect takes one file");
      const reporter = new Reporter(terminal, command.name(), flags);
      const device = await openDeviceProfile(flags, undefined, terminal, reporter);
      if (device === "wrong") return finish(reporter.end(exitCodes.errors));
      const session = await open(inputs[0]!, flags, terminal, reporter);
      if (session === undefined) return finish(reporter.end(exitCodes.errors));
      const compilation = await compileSession(session);
      reporter.show(compilation.diagnostics);
      if (!compilation.module) return finish(reporter.end(exitCodes.errors));
      const launch = openLaunch(inputs[0]!, flags.launch, terminal, reporter);
      const settled = typeof launch === "object" ? launch.launch : undefined;
      const options = targetOptions(
        { local: {}, strict: false },
        undefined,
        settled,
        flags.entry ?? entryOf(settled, session.source.dialect),
        compilation,
        device,
      );
      const chosen = { ...options, ...(flags.entry === undefined ? {} : { entry: flags.entry }) };
      if (flags.bindings) {
        const code = await bindings(compilation, flags.bindings, chosen);
        const ended = reporter.end(exitCodes.done, { code });
        if (!reporter.machine && ended === exitCodes.done) terminal.out(code);
        return finish(ended);
      }
      const reflection = await reflectForTargets(compilation, chosen);
      const code = reporter.end(exitCodes.done, reflection);
      if (!reporter.machine && code === exitCodes.done)
        terminal.out(`${JSON.stringify({ version: reportVersion, ...reflection }, null, 2)}\n`);
      finish(code);
    },
  );
}
