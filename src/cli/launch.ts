import { Command, Option } from "commander";
import { furthestLaunch } from "../api/kept-launches.js";
import { prepareVerification } from "../api/verify.js";
import { launchText } from "../launch/write-launch-file.js";
import type { CommandContext } from "./command.js";
import { exitCodes } from "./exit-codes.js";
import { findInputs } from "./inputs.js";
import { written } from "./launches.js";
import { readSizes, readWidths, withSourceFlags } from "./options.js";
import type { SourceFlags } from "./options.js";
import { Reporter } from "./report.js";
import { compileSession, open } from "./session.js";
import { UsageError } from "./usage-error.js";

interface LaunchFlags extends SourceFlags {
  readonly workgroupSize?: readonly number[];
  readonly subgroupSizes?: readonly number[];
}

export function launchCommand({ terminal, finish }: CommandContext): Command {
  const command = new Command("launch")
    .description(
      "Derive launches for a kernel as `verify` does, and print the one that comes to most of its statements as a launch file to edit.",
    )
    .argument("<file>", "the kernel")
    .addOption(
      new Option("--workgroup-size <x,y,z>", "where the source leaves it open").argParser((v) =>
        readSizes(v, "--workgroup-size"),
      ),
    )
    .addOption(
      new Option("--subgroup-sizes <n,...>", "widths to run at (default: 4,8,16,32,64)").argParser(readWidths),
    );
  return withSourceFlags(command).action(async (file: string, flags: LaunchFlags) => {
    const inputs = await findInputs([file], flags.from, terminal.cwd);
    if (inputs.length > 1) throw new UsageError("launch takes one file");
    const reporter = new Reporter(terminal, command.name());
    const session = await open(inputs[0]!, flags, terminal, reporter);
    if (session === undefined) return finish(reporter.end(exitCodes.errors));
    const compilation = await compileSession(session);
    reporter.show(compilation.diagnostics);
    if (!compilation.module) return finish(reporter.end(exitCodes.errors));
    const { ready, diagnostics } = await prepareVerification(compilation, {
      launches: [],
      entry: flags.entry,
      workgroupSize: flags.workgroupSize,
      subgroupSizes: flags.subgroupSizes,
    });
    reporter.show(diagnostics.filter((d) => d.severity === "error"));
    if (!ready) return finish(reporter.end(exitCodes.errors));
    terminal.out(launchText(written(ready, await furthestLaunch(ready))));
  });
}
