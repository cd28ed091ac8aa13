/** What a thread of a command would say, noted to be said by the command itself when it is this one's turn. */
import { plain } from "../support/render.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { Reporter } from "./report.js";
import type { ReportFlags } from "./report.js";
import type { Level, Terminal } from "./terminal.js";

/** What the reporter and the terminal were told, in order. */
export type Said =
  | { readonly texts: readonly (readonly [file: string, text: string])[]; readonly show: readonly Diagnostic[] }
  | { readonly out: string }
  | { readonly err: string };

/** Of the command's terminal: what a thread needs to know. */
export type TerminalFacts = Pick<Terminal, "cwd"> & { readonly level: Level | undefined };

/** A terminal and a reporter for a thread, and what they were told. */
export function noting(
  { cwd, level }: TerminalFacts,
  command: string,
  flags: ReportFlags,
): { readonly terminal: Terminal; readonly reporter: Reporter; readonly said: readonly Said[] } {
  const said: Said[] = [];
  const terminal: Terminal = {
    cwd,
    out: (out) => void said.push({ out }),
    err: (err) => void said.push({ err }),
    readStandardInput: () => Promise.reject(new Error("a thread has no standard input")),
    errPaint: plain,
    outPaint: plain,
    interactive: false,
    ...(level === undefined ? {} : { level }),
  };
  // What it is shown is noted, and not what it prints.
  const silent = { ...terminal, out: () => undefined, err: () => undefined };
  return { terminal, reporter: new Noting(silent, command, flags, said), said };
}

/** Says it. */
export function sayNoted(said: readonly Said[], terminal: Terminal, reporter: Reporter): void {
  for (const s of said) {
    if ("out" in s) terminal.out(s.out);
    else if ("err" in s) terminal.err(s.err);
    else {
      for (const [name, text] of s.texts) reporter.sources.set(name, text);
      reporter.show(s.show);
    }
  }
}

/** Counts as the command's own reporter does, and notes what it is shown. */
class Noting extends Reporter {
  private readonly noted = new Set<string>();

  constructor(
    terminal: Terminal,
    command: string,
    flags: ReportFlags,
    private readonly notes: Said[],
  ) {
    super(terminal, command, flags);
  }

  override show(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    const texts = [...this.sources].filter(([file]) => !this.noted.has(file));
    for (const [file] of texts) this.noted.add(file);
    if (texts.length > 0 || diagnostics.length > 0) this.notes.push({ texts, show: diagnostics });
    return super.show(diagnostics);
  }
}
