import type { Location } from "./diagnostics.js";
import type { Span } from "./span.js";

/** One original file of a compilation. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

/**
 * A piece of the expanded text and where it comes from. Segments are sorted by `start`, do not overlap and cover the
 * whole expanded text. In a `verbatim` segment offsets advance in step with the original; in an `expansion` segment
 * every offset maps to the whole range of the macro's use (`originStart..originEnd`).
 */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly kind: "verbatim" | "expansion";
  readonly file: number;
  readonly originStart: number;
  readonly originEnd: number;
}

/** A comment, kept out of the expanded text (it is blank there) and attached to nodes after parsing, by offset. */
export interface Comment {
  /** Text with its delimiters, as written: `// ...` without the newline, or a whole block comment. */
  readonly text: string;
  readonly kind: "line" | "block";
  /** Where it stood, as an offset into the expanded text. */
  readonly offset: number;
  readonly end: number;
  /** True where nothing but blanks stands before it on its line. */
  readonly ownLine: boolean;
  /** An empty line follows it in the source. Known once comments are attached to nodes. */
  readonly gapAfter?: boolean;
}

/** An object- or function-like macro of the source (not predefined ones), as last defined. */
export interface MacroDefinition {
  readonly name: string;
  readonly parameters?: readonly string[];
  readonly variadic?: boolean;
  /** Replacement text as written, blanks normalised. */
  readonly body: string;
  /** The place of the `#define` in the expanded text (offset of the line it stood on, which is empty there). */
  readonly offset: number;
}

/** One outermost macro use: `span` is the range of the expanded text it produced. */
export interface MacroExpansion {
  readonly span: Span;
  readonly name: string;
  /** The use as written, e.g. `MAX(a, b)`. */
  readonly written: string;
}

/** A directive that has meaning after preprocessing: `#version`, `#extension`, `#pragma`, and includes seen. */
export interface Directive {
  readonly kind: "version" | "extension" | "pragma" | "include" | "conditional-dropped" | "line";
  readonly text: string;
  readonly span: Span;
}

export interface ExpandedSource {
  /** The text the parser reads: macros expanded, comments and directives blanked, line structure kept. */
  readonly text: string;
  readonly files: readonly SourceFile[];
  readonly segments: readonly Segment[];
  readonly comments: readonly Comment[];
  readonly macros: readonly MacroDefinition[];
  readonly expansions: readonly MacroExpansion[];
  readonly directives: readonly Directive[];
}

/** The segment that holds `offset` (the last one for the end of the text), by binary search. */
function segmentAt(source: ExpandedSource, offset: number): Segment | undefined {
  const { segments } = source;
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (segments[middle]!.start <= offset) low = middle;
    else high = middle - 1;
  }
  return segments[low];
}

/** Which of `files` an offset of the expanded text comes from; the first is the one that was asked for. */
export const fileAt = (source: ExpandedSource, offset: number): number => segmentAt(source, offset)?.file ?? 0;

/** Line and column, from 1, of an offset in a text. */
export function lineColumn(text: string, offset: number): { line: number; column: number } {
  return placeIn(lineStarts(text), offset);
}

/** The offset of a line and column, from 1; the text's end for what lies behind it. */
export const offsetAt = (text: string, line: number, column: number): number =>
  Math.min((lineStarts(text)[line - 1] ?? text.length) + column - 1, text.length);

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Of files that are asked about again and again; a file never changes. */
const startsOf = new WeakMap<SourceFile, readonly number[]>();

function startsIn(file: SourceFile): readonly number[] {
  let starts = startsOf.get(file);
  if (!starts) startsOf.set(file, (starts = lineStarts(file.text)));
  return starts;
}

/** By binary search among the starts of lines. */
function placeIn(starts: readonly number[], offset: number): { line: number; column: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    // An offset right after a break belongs to the line it begins.
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - starts[low]! + 1 };
}

/** Leads a span of the expanded text back to the original file, through macros and includes. */
export function locate(source: ExpandedSource, span: Span): Location {
  const first = segmentAt(source, span.start);
  if (!first) return { file: source.files[0]?.name ?? "<source>", line: 1, column: 1, endLine: 1, endColumn: 1 };
  const file = source.files[first.file]!;
  const start =
    first.kind === "verbatim"
      ? Math.min(first.originStart + span.start - first.start, first.originEnd)
      : first.originStart;
  const last = segmentAt(source, Math.max(span.start, span.end - 1));
  let end = first.originEnd;
  if (last && last.file === first.file) {
    end =
      last.kind === "verbatim" ? Math.min(last.originStart + span.end - last.start, last.originEnd) : last.originEnd;
  }
  if (end < start) end = start;
  const from = placeIn(startsIn(file), start);
  const to = placeIn(startsIn(file), end);
  return { file: file.name, line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
}

/** What a compiler reads that has no files and is given no macros: the expanded text, with the directives that mean something after preprocessing. Lines stay. */
export function preprocessedText({ text, directives }: ExpandedSource): string {
  const kept = directives.filter((d) => d.kind === "version" || d.kind === "extension" || d.kind === "pragma");
  return [...kept]
    .sort((a, b) => b.span.start - a.span.start)
    .reduce((code, d) => `${code.slice(0, d.span.start)}${d.text}${code.slice(d.span.start)}`, text);
}
