/**
 * Comments of a source that ask for silence about a warning or note:
 *
 *     int i = j << k; // crosslane-suppress XL5014: k < 32 by construction
 *     // crosslane-suppress XL6015, XL6016
 *     if (lane == 0) out[0] = sum;
 *     // crosslane-suppress-file XL0008
 *
 * Behind code one stands for the line it begins on, on a line of its own for the next line of code, with `-file` for the whole
 * file. Errors cannot be suppressed.
 */
import { append } from "../support/append.js";
import { codes } from "../support/codes.js";
import type { Code } from "../support/codes.js";
import { nearest } from "../support/did-you-mean.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { lineColumn } from "../support/expanded-source.js";
import { Kind, Scanner } from "../support/scan.js";

/** Which codes a file asks to be silent about. Lines count from 1. */
export interface Suppressions {
  readonly file: ReadonlySet<Code>;
  readonly lines: ReadonlyMap<number, ReadonlySet<Code>>;
  /** What is wrong with the comments themselves. */
  readonly problems: readonly Diagnostic[];
}

const none: Suppressions = { file: new Set(), lines: new Map(), problems: [] };

const word = "crosslane-suppress";
/** The word, its form, and codes with commas or blanks; what follows a colon is the reason. */
const asked = /\bcrosslane-suppress(-[\w-]+)?([^:\n]*)/g;

export function suppressionsOf(name: string, text: string): Suppressions {
  // Nearly every file has none.
  if (!text.includes(word)) return none;
  const file = new Set<Code>();
  const lines = new Map<number, ReadonlySet<Code>>();
  const problems: Diagnostic[] = [];
  const put = (line: number, list: readonly Code[]): void => {
    if (list.length > 0) lines.set(line, new Set([...(lines.get(line) ?? []), ...list]));
  };
  const scanner = new Scanner(text);
  /** For the next line of code. */
  let waiting: Code[] = [];
  let codeEnds: number | undefined;
  for (let kind = scanner.next(); kind !== Kind.end; kind = scanner.next()) {
    if (kind !== Kind.lineComment && kind !== Kind.blockComment) {
      if (waiting.length > 0) put(lineColumn(text, scanner.start).line, waiting);
      waiting = [];
      codeEnds = scanner.position;
      continue;
    }
    for (const match of text.slice(scanner.start, scanner.position).matchAll(asked)) {
      const [written, form, rest] = match;
      const { known, problem } = readCodes(rest!.replace(/\*\/\s*$/, ""));
      const wrong = form !== undefined && form !== "-file" ? { message: `there is no '${word}${form}'` } : problem;
      if (wrong) problems.push(malformed({ name, text, at: scanner.start + match.index, written }, wrong));
      if (form === "-file") for (const code of known) file.add(code);
      else if (form === undefined) {
        const behindCode = codeEnds !== undefined && !text.slice(codeEnds, scanner.start).includes("\n");
        if (behindCode) put(lineColumn(text, scanner.start).line, known);
        else append(waiting, known);
      }
    }
  }
  return { file, lines, problems };
}

interface Wrong {
  readonly message: string;
  readonly help?: string;
}

function readCodes(list: string): { known: Code[]; problem?: Wrong } {
  const words = list
    .toUpperCase()
    .split(/[\s,]+/)
    .filter((w) => w !== "");
  const known = words.filter((w): w is Code => Object.hasOwn(codes, w));
  const wrong = words.find((w) => !Object.hasOwn(codes, w));
  if (wrong === undefined)
    return words.length > 0 ? { known } : { known, problem: { message: "the comment names no code to suppress" } };
  const near = nearest(wrong, Object.keys(codes));
  return {
    known,
    problem: {
      message: `there is no code '${wrong}' to suppress`,
      ...(near ? { help: `did you mean '${near}'?` } : {}),
    },
  };
}

function malformed(
  { name, text, at, written }: { name: string; text: string; at: number; written: string },
  { message, help }: Wrong,
): Diagnostic {
  const { line, column } = lineColumn(text, at);
  return {
    severity: "warning",
    code: "XL0015",
    message,
    location: { file: name, line, column, endLine: line, endColumn: column + written.trimEnd().length },
    notes: [],
    help:
      help ??
      "write `crosslane-suppress XL6015: reason` behind the code or above it, `crosslane-suppress-file XL6015` for the whole file",
  };
}
