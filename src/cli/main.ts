import { Command, CommanderError } from "commander";
import { packageVersion, reportBug } from "./bug-report.js";
import { capabilitiesCommand } from "./capabilities.js";
import { checkCommand } from "./check.js";
import type { CommandContext } from "./command.js";
import { exitCodes } from "./exit-codes.js";
import { explainCommand } from "./explain.js";
import { reflectCommand } from "./reflect.js";
import { runCommand } from "./run.js";
import { processTerminal } from "./terminal.js";
import type { Terminal } from "./terminal.js";
import { translateCommand } from "./translate.js";
import { UsageError } from "./usage-error.js";
import { verifyCommand } from "./verify.js";

/** Runs one command line (without `node` and the script); the number is the exit code. */
export async function main(argv: readonly string[], terminal: Terminal = processTerminal(), signal?: AbortSignal): Promise<number> {
  let code: number = exitCodes.done;
  const context: CommandContext = { terminal, finish: (value) => void (code = value), ...(signal ? { signal } : {}) };
  const program = new Command("crosslane")
    .description("Translates GPU compute kernels between MSL, GLSL, OpenCL C and HLSL, and shows by execution that the translation computes the same.")
    .version(packageVersion())
    .showSuggestionAfterError(true)
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .exitOverride();
  const commands = [translateCommand, verifyCommand, runCommand, checkCommand, reflectCommand, capabilitiesCommand, explainCommand];
  for (const make of commands) {
    program.addCommand(
      make(context)
        .exitOverride()
        .showSuggestionAfterError(true)
        .configureOutput({ writeOut: terminal.out, writeErr: terminal.err }),
    );
  }
  try {
    if (argv.length === 0) {
      terminal.err(program.helpInformation());
      return exitCodes.usage;
    }
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    if (error instanceof UsageError) {
      terminal.err(`${terminal.errPaint.error("error")}: ${error.message}\n${error.help ? `  ${error.help}\n` : ""}`);
      return exitCodes.usage;
    }
    reportBug(error, terminal);
    return exitCodes.internal;
  }
}
