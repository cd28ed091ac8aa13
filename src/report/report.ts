/**
 * What a command says to machines: one object, whatever the outcome. docs/reports.md describes it and docs/report.schema.json is its
 * JSON schema; `reportVersion` counts up where a reader of the version before would go wrong. New keys may come within a version.
 */
import type { Diagnostic } from "../support/diagnostics.js";

export const reportVersion = 1;

export interface Report {
  readonly version: typeof reportVersion;
  /** Of crosslane. */
  readonly crosslane: string;
  /** `translate`, `check`, ...; absent where the command line names none. */
  readonly command?: string;
  readonly exitCode: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Errors beyond `--max-errors`, which `diagnostics` lacks. */
  readonly omittedErrors?: number;
  /** What `diagnostics` lacks since the command line or a comment suppresses it. */
  readonly suppressed?: readonly SuppressedDiagnostic[];
}

export interface SuppressedDiagnostic {
  readonly by: "option" | "comment";
  readonly diagnostic: Diagnostic;
}

/** `body` is the command's own: `outputs`, `files`, `results` and the like. */
export function reportJson(report: Report, body: object = {}): string {
  const { version, crosslane, command, exitCode, diagnostics, omittedErrors, suppressed } = report;
  const whole = {
    version,
    crosslane,
    ...(command === undefined ? {} : { command }),
    exitCode,
    ...body,
    diagnostics,
    ...(omittedErrors ? { omittedErrors } : {}),
    ...(suppressed && suppressed.length > 0 ? { suppressed } : {}),
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
