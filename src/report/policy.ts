/** What becomes of diagnostics before they are shown: warnings that count as errors, and what is not to be shown. */
import type { Code } from "../support/codes.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { suppressionsOf } from "./suppressions.js";
import type { Suppressions } from "./suppressions.js";

export interface ReportPolicy {
  /** Warnings of these codes are errors; "all": every warning. */
  readonly errorOn: "all" | readonly Code[];
  /** Warnings and notes of these codes are not shown. Errors always are. */
  readonly suppress: readonly Code[];
}

export const defaultPolicy: ReportPolicy = { errorOn: [], suppress: [] };

export interface Judged {
  readonly diagnostic: Diagnostic;
  /** Who asked for silence about it. */
  readonly suppressedBy?: "option" | "comment";
}

/**
 * Applies a policy and the comments of the sources to diagnostics; one for each command, since it keeps what it read of a text.
 * What is suppressed is no error, whatever `errorOn` says.
 */
export class PolicyJudge {
  private readonly read = new Map<string, { readonly text: string; readonly found: Suppressions }>();

  constructor(
    private readonly policy: ReportPolicy,
    private readonly textOf: (file: string) => string | undefined,
  ) {}

  judge(diagnostic: Diagnostic): Judged {
    const { severity, code } = diagnostic;
    if (severity === "error") return { diagnostic };
    if (this.policy.suppress.includes(code)) return { diagnostic, suppressedBy: "option" };
    if (this.inSource(diagnostic)) return { diagnostic, suppressedBy: "comment" };
    const { errorOn } = this.policy;
    const counts = severity === "warning" && (errorOn === "all" || errorOn.includes(code));
    return { diagnostic: counts ? { ...diagnostic, severity: "error" } : diagnostic };
  }

  /** What is wrong with the comments of a file. */
  problemsIn(file: string): readonly Diagnostic[] {
    return this.suppressions(file)?.problems ?? [];
  }

  /** At its place; a message without one is at those of its notes. */
  private inSource({ code, location, notes }: Diagnostic): boolean {
    const places = location ? [location] : notes.flatMap((n) => n.location ?? []);
    return places.some(({ file, line }) => {
      const found = this.suppressions(file);
      return found !== undefined && (found.file.has(code) || found.lines.get(line)?.has(code) === true);
    });
  }

  private suppressions(file: string): Suppressions | undefined {
    const text = this.textOf(file);
    if (text === undefined) return undefined;
    const known = this.read.get(file);
    if (known?.text === text) return known.found;
    const found = suppressionsOf(file, text);
    this.read.set(file, { text, found });
    return found;
  }
}
