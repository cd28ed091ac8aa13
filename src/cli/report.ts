/** Diagnostics of a command on standard error, each once. */
import type { Diagnostic } from "../support/diagnostics.js";
import { renderDiagnostic } from "../support/render.js";
import type { Terminal } from "./terminal.js";

export class Reporter {
  private readonly shown = new Set<string>();
  private readonly texts = new Map<string, string>();
  /** Everything reported, for `--format json`. */
  readonly all: Diagnostic[] = [];
  errors = 0;

  constructor(
    private readonly terminal: Terminal,
    /** With `--format json` the diagnostics stand in the JSON. */
    private readonly quiet = false,
  ) {}

  /** Where code frames find the text of a file. */
  get sources(): Map<string, string> {
    return this.texts;
  }

  show(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) {
      const key = JSON.stringify(diagnostic);
      if (this.shown.has(key)) continue;
      this.shown.add(key);
      if (diagnostic.severity === "error") this.errors++;
      this.all.push(diagnostic);
      if (this.quiet) continue;
      this.terminal.err(`${renderDiagnostic(diagnostic, (file) => this.texts.get(file), this.terminal.errPaint)}\n\n`);
    }
  }
}
