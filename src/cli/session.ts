/** One input of a command: opened with the flags of the command line, and what is wrong said. */
import { FileView, Reads } from "../build/file-view.js";
import type { SourceInput } from "../build/files.js";
import { openLaunchFile, openSource } from "../build/source.js";
import type { Opened, ReadLaunch, Session } from "../build/source.js";
import type { SourceFlags } from "./options.js";
import type { Reporter } from "./report.js";
import type { Terminal } from "./terminal.js";

export { compileSession, withLaunch } from "../build/source.js";
export type { ReadLaunch, Session } from "../build/source.js";

/** Reads a source; reports and gives nothing where that fails. */
export async function open(
  input: SourceInput,
  flags: SourceFlags,
  terminal: Terminal,
  reporter: Reporter,
  reads = new Reads(new FileView(terminal.cwd), reporter.sources),
): Promise<Session | undefined> {
  const given = input.path === undefined ? await terminal.readStandardInput() : undefined;
  const opened = openSource(input, flags, terminal.cwd, reads, given);
  return report(opened, reporter);
}

/** The launch file asked for or found; "wrong" where it has errors, which are reported. */
export function openLaunch(
  input: SourceInput,
  asked: string | undefined,
  terminal: Terminal,
  reporter: Reporter,
  reads = new Reads(new FileView(terminal.cwd), reporter.sources),
): ReadLaunch | "wrong" | undefined {
  const opened = openLaunchFile(input, asked, terminal.cwd, reads);
  return opened && (report(opened, reporter) ?? "wrong");
}

function report<T>(opened: Opened<T>, reporter: Reporter): T | undefined {
  if ("value" in opened) return opened.value;
  reporter.show(opened.diagnostics);
  return undefined;
}
