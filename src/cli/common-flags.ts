/** Flags that every command has. They are read before the commands are made, since they say where and how those speak. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usage-error.js";

export function withCommonFlags(command: Command): Command {
  return command
    .option("--cwd <dir>", "run in this folder")
    .option("-q, --quiet", "say nothing but errors and what was asked for")
    .option("--verbose", "say also what is usually summed up or left out");
}

/** The terminal as the flags of a command line want it. What stands behind `--` is no flag. */
export function terminalFor(argv: readonly string[], terminal: Terminal): Terminal {
  const end = argv.indexOf("--");
  const flags = end === -1 ? argv : argv.slice(0, end);
  const quiet = flags.some((f) => f === "-q" || f === "--quiet");
  const verbose = flags.includes("--verbose");
  if (quiet && verbose) throw new UsageError("--quiet and --verbose exclude each other");
  const at = flags.findLastIndex((f) => f === "--cwd" || f.startsWith("--cwd="));
  const asked = at === -1 ? undefined : flags[at] === "--cwd" ? flags[at + 1] : flags[at]!.slice("--cwd=".length);
  const level = quiet ? "quiet" : verbose ? "verbose" : (terminal.level ?? "normal");
  if (asked === undefined) return { ...terminal, level };
  const cwd = resolve(terminal.cwd, asked);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`there is no folder '${asked}'`);
  return { ...terminal, level, cwd };
}

/** The command comes first: what every command understands may stand before it, too (`crosslane --cwd shaders check k.cl`). */
export function commandFirst(argv: readonly string[]): readonly string[] {
  let at = 0;
  for (let flag = argv[at]; flag !== undefined; flag = argv[at]) {
    if (["-q", "--quiet", "--verbose"].includes(flag) || flag.startsWith("--cwd=")) at++;
    else if (flag === "--cwd") at += 2;
    else break;
  }
  const command = argv[at];
  return command === undefined ? argv : [command, ...argv.slice(0, at), ...argv.slice(at + 1)];
}
