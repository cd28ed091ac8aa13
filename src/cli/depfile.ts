/** `--depfile`: what outputs are made of, as make and ninja read it. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { depfileText } from "../build/depfile.js";
import { fileProblem, reasonOf, shownName } from "../build/files.js";
import { writeWhole } from "../build/output-files.js";
import type { Reporter } from "./report.js";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usage-error.js";

export interface DepfileFlags {
  readonly depfile?: string;
  readonly depfileTarget?: string;
  readonly check: boolean;
  readonly diff: boolean;
}

export const withDepfileFlags = (command: Command): Command =>
  command
    .option("--depfile <file>", "write what the outputs are made of, as make and ninja read it")
    .option("--depfile-target <file>", "with --depfile: say it of this file, a stamp of the rule, not of the outputs");

export function checkDepfile({ depfile, depfileTarget }: DepfileFlags): void {
  if (depfileTarget !== undefined && depfile === undefined)
    throw new UsageError("--depfile-target says what --depfile is about, and there is none");
}

/** `reads`: the state of each path that was looked at, "-" where there is no file. The result: whether all is well. */
export function writeDepfile(
  { depfile, depfileTarget, check, diff }: DepfileFlags,
  outputs: Iterable<string>,
  reads: Iterable<readonly [path: string, state: string]>,
  { cwd }: Terminal,
  reporter: Reporter,
): boolean {
  if (depfile === undefined || check || diff) return true;
  const file = resolve(cwd, depfile);
  const made = depfileTarget === undefined ? [...outputs] : [resolve(cwd, depfileTarget)];
  const there = [...reads].flatMap(([path, state]) => (state === "-" ? [] : [path]));
  try {
    writeWhole(file, depfileText(made, there, cwd));
    return true;
  } catch (error) {
    reporter.show([fileProblem("XL8002", `'${shownName(file, cwd)}' cannot be written: ${reasonOf(error)}`)]);
    return false;
  }
}
