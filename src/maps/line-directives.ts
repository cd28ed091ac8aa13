/**
 * `#line` directives (C99 6.10.4, GLSL 4.60 section 3.3): compilers of the target then name the lines of the original files, as do
 * debuggers of what they compile. What comes from nothing of the source has the lines of the output itself.
 */
import type { OutputRange } from "../../emitters/index.js";
import { Kind, Scanner } from "../support/scan.js";
import { originsOf } from "./origins.js";
import type { MappedText, Original } from "./origins.js";

export interface LineDirectives {
  /** Of the output. */
  readonly file: string;
  /** Files have names in quotes, or in GLSL numbers, which a comment behind the text lists. */
  readonly files: "names" | "numbers";
}

/** The text with directives, and its map moved along. */
export function withLineDirectives(text: MappedText, original: Original, { file, files }: LineDirectives): MappedText {
  // A text that has the name of a source needs another one.
  const own = original.expanded.files.some((f) => f.name === file) ? `translation of ${file}` : file;
  const origin = originsOf(text, original);
  const numbers = new Map<string, number>();
  const shown = (file: string): string => {
    if (files === "names") return JSON.stringify(file);
    if (!numbers.has(file)) numbers.set(file, numbers.size);
    return String(numbers.get(file)!);
  };
  const codeStarts = startsOfCode(text.code);
  const ranges = [...text.map];
  const inserted: { readonly at: number; readonly length: number }[] = [];
  let out = "";
  let written = 0;
  let at = { file: own, line: 1 };
  let start = 0;
  let next = 0;
  let openUntil = 0;
  for (const line of text.code.split("\n")) {
    const first = start + line.length - line.trimStart().length;
    while (ranges[next] && ranges[next]!.start < first) openUntil = Math.max(openUntil, ranges[next++]!.end);
    if (codeStarts.has(first)) {
      const range = ranges[next]?.start === first ? ranges[next] : undefined;
      const wanted = range
        ? origin(range.span)
        : openUntil > first
          ? undefined
          : { file: own, line: written + (at.file === own ? 1 : 2) };
      if (wanted && (wanted.file !== at.file || wanted.line !== at.line)) {
        const directive = `#line ${wanted.line} ${shown(wanted.file)}\n`;
        inserted.push({ at: start, length: directive.length });
        out += directive;
        written++;
        at = { file: wanted.file, line: wanted.line };
      }
    }
    out += `${line}\n`;
    written++;
    at = { ...at, line: at.line + 1 };
    start += line.length + 1;
  }
  // The last line is empty.
  out = out.slice(0, -1);
  if (numbers.size > 0) {
    const list = [...numbers].map(([file, number]) => `${number} ${file.replace(/[\r\n]/g, " ")}`).join(", ");
    out += `// files of #line: ${list}\n`;
  }
  return { code: out, map: moved(text.map, inserted), formatted: text.formatted };
}

/**
 * Offsets at which a line begins with a token of the program: no directive, no comment, not within one of either. Between two
 * lines of one statement a directive may stand, too: it is a line of its own.
 */
function startsOfCode(code: string): ReadonlySet<number> {
  const starts = new Set<number>();
  const scanner = new Scanner(code);
  let directive = false;
  for (let kind = scanner.next(); kind !== Kind.end; kind = scanner.next()) {
    const isComment = kind === Kind.lineComment || kind === Kind.blockComment;
    if (!scanner.lineBreak || isComment) continue;
    directive = kind === Kind.sign && code[scanner.start] === "#";
    const lineStart = code.lastIndexOf("\n", scanner.start - 1) + 1;
    // Behind a comment that ends on the line the line began within the comment.
    if (!directive && code.slice(lineStart, scanner.start).trim() === "") starts.add(scanner.start);
  }
  return starts;
}

function moved(map: readonly OutputRange[], inserted: readonly { at: number; length: number }[]): OutputRange[] {
  const sums = [0];
  for (const { length } of inserted) sums.push(sums.at(-1)! + length);
  /** What stands before `offset`; at the place itself too where a range begins there. */
  const before = (offset: number, inclusive: boolean): number => {
    let low = 0;
    let high = inserted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { at } = inserted[middle]!;
      if (inclusive ? at <= offset : at < offset) low = middle + 1;
      else high = middle;
    }
    return offset + sums[low]!;
  };
  return map.map((r) => ({ span: r.span, start: before(r.start, true), end: before(r.end, false) }));
}
