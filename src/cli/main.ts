import type { MessagePort } from "node:worker_threads";
import { Command, CommanderError } from "commander";
import { bugDiagnostic, packageVersion } from "./bug-report.js";
import type { CommandContext } from "./command.js";
import { commandFirst, terminalFor, withCommonFlags } from "./common-flags.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { renderDiagnostic } from "../support/render.js";
import { exampleHelp } from "./examples.js";
import { exitCodes } from "./exit-codes.js";
import { isMachineFormat, printReport } from "./report.js";
import { processTerminal } from "./terminal.js";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usage-error.js";

type Make = (context: CommandContext) => Command;

/** Each command is loaded when it is asked for: translating needs no simulator. */
const commands: Readonly<Record<string, () => Promise<Make>>> = {
  init: async () => (await import("./init.js")).initCommand,
  build: async () => (await import("./build.js")).buildCommand,
  translate: async () => (await import("./translate.js")).translateCommand,
  verify: async () => (await import("./verify.js")).verifyCommand,
  run: async () => (await import("./run.js")).runCommand,
  launch: async () => (await import("./launch.js")).launchCommand,
  check: async () => (await import("./check.js")).checkCommand,
  reflect: async () => (await import("./reflect.js")).reflectCommand,
  capabilities: async () => (await import("./capabilities.js")).capabilitiesCommand,
  devices: async () => (await import("./devices.js")).devicesCommand,
  explain: async () => (await import("./explain.js")).explainCommand,
  completion: async () => (await import("./completion.js")).completionCommand,
};

/** What a thread does with its port. */
export const serve = async (port: MessagePort): Promise<void> => (await import("./threads.js")).serveJobs(port);

/** Runs one command line (without `node` and the script); the number is the exit code. */
export async function main(
  args: readonly string[],
  given: Terminal = processTerminal(),
  signal?: AbortSignal,
): Promise<number> {
  const argv = commandFirst(args);
  let code: number = exitCodes.done;
  let terminal = given;
  try {
    terminal = terminalFor(argv, given);
    const context: CommandContext = {
      terminal,
      finish: (value) => void (code = value),
      allCommands: async () => (await makeCommands(Object.values(commands), context)).map(withCommonFlags),
      ...(signal ? { signal } : {}),
    };
    const program = await buildProgram(argv, context);
    if (argv.length === 0) {
      terminal.err(program.helpInformation());
      return exitCodes.usage;
    }
    await program.parseAsync(withValuesApart(argv, program), { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const isUsage = error instanceof CommanderError || error instanceof UsageError;
    const exitCode = isUsage ? exitCodes.usage : exitCodes.internal;
    const diagnostic = isUsage ? usageDiagnostic(error) : bugDiagnostic(error);
    const format = askedFormat(argv);
    if (isMachineFormat(format)) {
      const command = Object.hasOwn(commands, argv[0]!) ? argv[0] : undefined;
      printReport(terminal, format, command, exitCode, [diagnostic]);
    } else if (!(error instanceof CommanderError && error.code === "commander.help")) {
      terminal.err(`${renderDiagnostic(diagnostic, () => undefined, terminal.errPaint)}\n`);
    }
    return exitCode;
  }
}

function usageDiagnostic(error: CommanderError | UsageError): Diagnostic {
  // Commander's own help stands in a line of its own.
  const [said, near] = error.message.replace(/^error: /, "").split(/\n\(Did you mean (.*)\?\)$/s);
  const message = said!.replace(/\s*\n\s*/g, " ");
  const help = error instanceof UsageError ? error.help : near && `did you mean '${near}'?`;
  return { severity: "error", code: "XL8001", message, notes: [], ...(help ? { help } : {}) };
}

/**
 * The value of a flag that needs none stands behind `=` alone: the word that follows is an argument, as the file in
 * `translate --watch kernel.cl`, and commander would take it.
 */
function withValuesApart(argv: readonly string[], program: Command): string[] {
  const flags = new Set(program.commands.flatMap((c) => c.options.filter((o) => o.optional).map((o) => o.long)));
  const end = argv.indexOf("--");
  return argv.map((word, i) => (flags.has(word) && (end === -1 || i < end) ? `${word}=` : word));
}

/** What `--format` says on a command line that could not be read. */
function askedFormat(argv: readonly string[]): string | undefined {
  const at = argv.findLastIndex((a) => a === "--format" || a.startsWith("--format="));
  return at === -1 ? undefined : argv[at] === "--format" ? argv[at + 1] : argv[at]!.slice("--format=".length);
}

const makeCommands = async (load: readonly (() => Promise<Make>)[], context: CommandContext): Promise<Command[]> =>
  (await Promise.all(load.map((make) => make()))).map((make) => make(context));

async function buildProgram(argv: readonly string[], context: CommandContext): Promise<Command> {
  const { out, err } = context.terminal;
  // An error is thrown, too, and shown as any other.
  const output = { writeOut: out, writeErr: err, outputError: () => undefined };
  const program = new Command("crosslane")
    .description(
      "Translates GPU compute kernels between MSL, GLSL, OpenCL C and HLSL, and shows by execution that the translation computes the same.",
    )
    .version(packageVersion())
    .showSuggestionAfterError(true)
    .configureOutput(output)
    .exitOverride();
  const asked =
    argv[0] !== undefined && Object.hasOwn(commands, argv[0]) ? [commands[argv[0]]!] : Object.values(commands);
  for (const command of await makeCommands(asked, context)) {
    const help = exampleHelp(command.name());
    if (help !== undefined) command.addHelpText("after", help);
    program.addCommand(withCommonFlags(command).exitOverride().showSuggestionAfterError(true).configureOutput(output));
  }
  return program;
}
