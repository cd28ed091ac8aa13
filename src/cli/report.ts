/**
 * Diagnostics of a command, each once: on standard error for people, or gathered into one report on standard output for
 * machines (`--format json`, `--format sarif`), whatever the outcome.
 */
import { PolicyJudge, defaultPolicy } from "../report/policy.js";
import type { ReportPolicy } from "../report/policy.js";
import { reportJson, reportVersion } from "../report/report.js";
import type { Report, SuppressedDiagnostic } from "../report/report.js";
import { sarifText } from "../report/sarif.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { renderDiagnostic } from "../support/render.js";
import { packageVersion } from "./bug-report.js";
import { exitCodes } from "./exit-codes.js";
import type { Terminal } from "./terminal.js";

export const machineFormats = ["json", "sarif"] as const;
export type MachineFormat = (typeof machineFormats)[number];

export const isMachineFormat = (format: string | undefined): format is MachineFormat =>
  (machineFormats as readonly string[]).includes(format ?? "");

/** What the options of `withReportFlags` give. */
export interface ReportFlags extends Partial<ReportPolicy> {
  readonly format?: string;
  /** Of errors that are shown; the rest is counted. */
  readonly maxErrors?: number;
}

export class Reporter {
  private readonly said = new Set<string>();
  private readonly texts = new Map<string, string>();
  private readonly commentsRead = new Set<string>();
  private readonly judge: PolicyJudge;
  private readonly all: Diagnostic[] = [];
  private readonly suppressed: SuppressedDiagnostic[] = [];
  private omitted = 0;
  /** Shown or not. */
  errors = 0;
  /** The format, where a machine reads it: then nothing else goes to standard output. */
  readonly machine: MachineFormat | undefined;

  constructor(
    private readonly terminal: Terminal,
    private readonly command: string,
    private readonly flags: ReportFlags = {},
  ) {
    this.judge = new PolicyJudge({ ...defaultPolicy, ...flags }, (file) => this.texts.get(file));
    this.machine = isMachineFormat(flags.format) ? flags.format : undefined;
  }

  /** Where code frames, and comments that suppress, are found: texts of files by the names diagnostics have. */
  get sources(): Map<string, string> {
    return this.texts;
  }

  /** Reports them, and gives them as they count: without what is suppressed, some warnings as errors. */
  show(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    for (const file of this.texts.keys()) {
      if (this.commentsRead.has(file)) continue;
      this.commentsRead.add(file);
      this.show(this.judge.problemsIn(file));
    }
    return diagnostics.flatMap((given) => {
      const { diagnostic, suppressedBy } = this.judge.judge(given);
      const key = JSON.stringify(diagnostic);
      const first = !this.said.has(key);
      this.said.add(key);
      if (suppressedBy) {
        if (first) this.suppressed.push({ by: suppressedBy, diagnostic });
        return [];
      }
      if (first) this.add(diagnostic);
      return [diagnostic];
    });
  }

  private add(diagnostic: Diagnostic): void {
    if (diagnostic.severity === "error" && ++this.errors > (this.flags.maxErrors ?? Infinity)) {
      this.omitted++;
      return;
    }
    const above = this.all.at(-1)?.location;
    this.all.push(diagnostic);
    if (this.machine || (this.terminal.level === "quiet" && diagnostic.severity !== "error")) return;
    const text = renderDiagnostic(diagnostic, (file) => this.texts.get(file), this.terminal.errPaint, above);
    this.terminal.err(`${text}\n\n`);
  }

  /** Ends a command: prints the report with `body`, the command's own part, and gives the exit code. */
  end(code: number, body: object = {}): number {
    const exitCode = code === exitCodes.done && this.errors > 0 ? exitCodes.errors : code;
    if (this.machine) {
      printReport(this.terminal, this.machine, this.command, exitCode, this.all, body, {
        omittedErrors: this.omitted,
        suppressed: this.suppressed,
      });
    } else if (this.omitted > 0) {
      const more = `${this.omitted} more error${this.omitted === 1 ? " is" : "s are"} not shown (--max-errors ${this.flags.maxErrors})`;
      this.terminal.err(`${this.terminal.errPaint.strong(more)}\n`);
    }
    return exitCode;
  }
}

/** A whole report on standard output. */
export function printReport(
  terminal: Terminal,
  format: MachineFormat,
  command: string | undefined,
  exitCode: number,
  diagnostics: readonly Diagnostic[],
  body: object = {},
  more: Pick<Report, "omittedErrors" | "suppressed"> = {},
): void {
  const report: Report = {
    version: reportVersion,
    crosslane: packageVersion(),
    ...(command === undefined ? {} : { command }),
    exitCode,
    diagnostics,
    ...more,
  };
  terminal.out(format === "json" ? reportJson(report, body) : sarifText(report));
}
