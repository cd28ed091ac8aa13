/**
 * A report as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"), as code scanning takes it: a rule for each code that
 * occurs, a result for each diagnostic, its notes as related locations. What concerns the command line and crosslane itself is no result
 * but a notification (3.20.20, 3.20.21).
 */
import { codes, codeStages } from "../support/codes.js";
import { isOfCommandLine, isOwnBug } from "../support/problem-kinds.js";
import type { Code } from "../support/codes.js";
import type { Diagnostic, Location } from "../support/diagnostics.js";
import type { Report, SuppressedDiagnostic } from "./report.js";

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

export function sarifText(report: Report): string {
  const { crosslane, exitCode, diagnostics, suppressed = [] } = report;
  const isResult = ({ code }: Diagnostic): boolean => !isOfCommandLine(code) && !isOwnBug(code);
  const shown = diagnostics.filter(isResult);
  const hidden = suppressed.filter((s) => isResult(s.diagnostic));
  const about = [...diagnostics, ...suppressed.map((s) => s.diagnostic)];
  const rules = [...new Set(about.map((d) => d.code))].sort();
  const notifications = (of: (code: Code) => boolean): object[] =>
    diagnostics.filter((d) => of(d.code)).map((d) => notification(d, rules));
  const configuration = notifications(isOfCommandLine);
  const execution = notifications(isOwnBug);
  const failed = diagnostics.some((d) => d.severity === "error" && !isResult(d));
  const run = {
    tool: {
      driver: { name: "crosslane", version: crosslane, semanticVersion: crosslane, rules: rules.map(rule) },
    },
    invocations: [
      {
        // 3.20.14: it did its work, whatever it found; wrong usage, files that cannot be read and bugs keep it from that.
        executionSuccessful: !failed,
        exitCode,
        ...(configuration.length > 0 ? { toolConfigurationNotifications: configuration } : {}),
        ...(execution.length > 0 ? { toolExecutionNotifications: execution } : {}),
      },
    ],
    columnKind: "utf16CodeUnits",
    results: [...shown.map((d) => result(d, rules)), ...hidden.map((s) => suppressedResult(s, rules))],
  };
  return `${JSON.stringify({ $schema: schema, version: "2.1.0", runs: [run] }, null, 2)}\n`;
}

function rule(code: Code): object {
  const { what, then } = codes[code];
  return {
    id: code,
    shortDescription: { text: `${what}.` },
    fullDescription: { text: `${what} (${codeStages[Number(code[2])]!}).` },
    help: { text: `${then}.` },
  };
}

function result(d: Diagnostic, rules: readonly Code[]): object {
  const related = d.notes.map(({ message, location }, i) => ({
    id: i,
    message: { text: message },
    ...(location ? place(location) : {}),
  }));
  return {
    ruleId: d.code,
    ruleIndex: rules.indexOf(d.code),
    level: d.severity,
    message: { text: d.help === undefined ? d.message : `${d.message}\nhelp: ${d.help}` },
    ...(d.location ? { locations: [place(d.location)] } : {}),
    ...(related.length > 0 ? { relatedLocations: related } : {}),
  };
}

const suppressedResult = ({ by, diagnostic }: SuppressedDiagnostic, rules: readonly Code[]): object => ({
  ...result(diagnostic, rules),
  suppressions: [{ kind: by === "comment" ? "inSource" : "external" }],
});

function notification(d: Diagnostic, rules: readonly Code[]): object {
  return {
    descriptor: { id: d.code, index: rules.indexOf(d.code) },
    level: d.severity,
    message: { text: d.help === undefined ? d.message : `${d.message}\nhelp: ${d.help}` },
    ...(d.location ? { locations: [place(d.location)] } : {}),
  };
}

/** Lines and columns count from 1, and the end column is the one after the last (3.30.5 to 3.30.8): as ours do. */
function place({ file, line, column, endLine, endColumn }: Location): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file) },
      region: { startLine: line, startColumn: column, endLine, endColumn },
    },
  };
}

/** A name as diagnostics have it, as a URI reference: relative ones are relative to where the command ran. */
function uriOf(file: string): string {
  const path = file.replaceAll("\\", "/");
  const encoded = path
    .split("/")
    .map((part) => encodeURIComponent(part))
    .join("/");
  if (path.startsWith("/")) return `file://${encoded}`;
  const drive = /^[A-Za-z]:\//.test(path);
  return drive ? `file:///${path.slice(0, 2)}${encoded.slice(encoded.indexOf("/"))}` : encoded;
}
