/**
 * Diagnostics as text: severity, code and message, the place in the original file, the line with carets, notes, help.
 *
 *     error[XL2001]: the name 'gidd' is not declared
 *       --> kernel.metal:12:5
 *        |
 *     12 |   out[gidd] = 0;
 *        |       ^^^^
 *        = help: did you mean 'gid'?
 */
import { append } from "./append.js";
import type { Diagnostic, Location } from "./diagnostics.js";

/** Wraps text in terminal colours; the plain one returns it as it is. */
export interface Paint {
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly note: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  /** Lines of a diff. */
  readonly added: (text: string) => string;
  readonly removed: (text: string) => string;
}

const same = (text: string): string => text;
export const plain: Paint = {
  error: same,
  warning: same,
  note: same,
  strong: same,
  faint: same,
  added: same,
  removed: same,
};

/** The text of an original file, where the caller has it. */
export type SourceLookup = (file: string) => string | undefined;

/** Columns of a source line that are shown; a longer line is cut around the place. */
const widest = 160;

/** `above`: the place whose line stands right above; a note there does not show it again. */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  source: SourceLookup,
  paint: Paint = plain,
  above?: Location,
): string {
  const color = paint[diagnostic.severity];
  const lines = [
    `${color(`${diagnostic.severity}[${diagnostic.code}]`)}${paint.strong(`: ${printable(diagnostic.message)}`)}`,
  ];
  const gutter = Math.max(
    1,
    ...[diagnostic, ...diagnostic.notes].map((place) => String(place.location?.line ?? "").length),
  );
  if (diagnostic.location) append(lines, frame(diagnostic.location, source, gutter, color, paint));
  for (const note of diagnostic.notes) {
    lines.push(`${" ".repeat(gutter)} ${paint.faint("=")} ${paint.note("note")}: ${printable(note.message)}`);
    if (!note.location) continue;
    const isAbove = above !== undefined && showLocation(above) === showLocation(note.location);
    append(lines, frame(note.location, isAbove ? () => undefined : source, gutter, paint.note, paint));
  }
  if (diagnostic.help)
    lines.push(`${" ".repeat(gutter)} ${paint.faint("=")} ${paint.strong("help")}: ${printable(diagnostic.help)}`);
  return lines.join("\n");
}

export function showLocation({ file, line, column }: Location): string {
  return `${printable(file)}:${line}:${column}`;
}

function frame(
  location: Location,
  source: SourceLookup,
  gutter: number,
  color: (text: string) => string,
  paint: Paint,
): string[] {
  const indent = " ".repeat(gutter);
  const head = `${indent}${paint.faint("-->")} ${showLocation(location)}`;
  const text = source(location.file);
  const line = text === undefined ? undefined : lineOf(text, location.line);
  if (line === undefined) return [head];
  const end = location.endLine === location.line ? location.endColumn : line.length + 1;
  const from = Math.min(location.column - 1, line.length);
  const to = Math.max(from + 1, Math.min(end - 1, line.length));
  const cutFrom = line.length <= widest ? 0 : Math.max(0, from - 40);
  const shown = line.slice(cutFrom, cutFrom + widest);
  const before = line.slice(cutFrom, from).replace(/[^\t]/g, " ");
  const carets = "^".repeat(Math.max(1, Math.min(to - from, cutFrom + widest - from)));
  const bar = paint.faint("|");
  return [
    head,
    `${indent} ${bar}`,
    `${paint.faint(String(location.line).padStart(gutter))} ${bar} ${printable(shown)}`,
    `${indent} ${bar} ${before}${color(carets)}`,
  ];
}

function lineOf(text: string, number: number): string | undefined {
  let start = 0;
  for (let line = 1; line < number; line++) {
    const end = text.indexOf("\n", start);
    if (end === -1) return undefined;
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  return text.slice(start, end === -1 ? text.length : end).replace(/\r$/, "");
}

/** Files hold anything, and terminals obey control characters: those are shown as a replacement mark. */
function printable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}
