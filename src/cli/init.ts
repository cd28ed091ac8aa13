import { existsSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { configNames } from "../build/config.js";
import { fileProblem, reasonOf } from "../build/files.js";
import { writeWhole } from "../build/output-files.js";
import { findKernels, startingConfig } from "../build/starting-config.js";
import type { CommandContext } from "./command.js";
import { exitCodes } from "./exit-codes.js";
import { Reporter } from "./report.js";
import { UsageError } from "./usage-error.js";

export function initCommand({ terminal, finish }: CommandContext): Command {
  return new Command("init")
    .description(
      `Write a commented ${configNames[0]} for the kernels that are here, to edit and to run with \`build\`.`,
    )
    .option("--force", "replace a config that is there", false)
    .addHelpText("after", "\nExamples:\n  crosslane init && crosslane build\n  crosslane init --cwd shaders")
    .action(async ({ force }: { force: boolean }) => {
      const there = configNames.find((name) => existsSync(join(terminal.cwd, name)));
      if (there !== undefined && !(force && there === configNames[0]))
        throw new UsageError(`there is a config already: '${there}'`, "edit it, or remove it first");
      const found = await findKernels(terminal.cwd);
      try {
        writeWhole(join(terminal.cwd, configNames[0]), startingConfig(found));
      } catch (error) {
        new Reporter(terminal, "init").show([
          fileProblem("XL8002", `'${configNames[0]}' cannot be written: ${reasonOf(error)}`),
        ]);
        return finish(exitCodes.errors);
      }
      if (terminal.level === "quiet") return;
      const files = `${found.count} file${found.count === 1 ? "" : "s"} of kernels`;
      terminal.out(`wrote ${configNames[0]}: ${files}; edit it, then run \`crosslane build\`\n`);
    });
}
