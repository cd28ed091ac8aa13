/** Tokens for the formatter: the shared scanner's, with directives whole and with what stood between them. Nothing is lost. */
import type { TargetDialect } from "../../src/dialects/ids.js";
import { languages } from "../../src/dialects/languages.js";
import { Kind, Scanner, continuationLength } from "../../src/support/scan.js";

export type TokenClass = "word" | "number" | "string" | "sign" | "stray" | "lineComment" | "blockComment" | "directive";

export interface Token {
  readonly class: TokenClass;
  readonly text: string;
  /** Offsets into the text given to `readTokens`. */
  readonly start: number;
  readonly end: number;
  /** Line breaks between the token before and this one. */
  readonly newlines: number;
  /** Any white space stands before it. */
  readonly spaced: boolean;
  /** What stands before it, where that holds a line continuation and must stay as it is. */
  readonly keptGap: string | undefined;
}

export interface TokenList {
  readonly tokens: readonly Token[];
  /** The white space after the last token, where it holds a line continuation. */
  readonly keptEnd: string | undefined;
}

const tabWidth = 4;

export const isComment = (token: Pick<Token, "class">): boolean =>
  token.class === "lineComment" || token.class === "blockComment";

/** Nothing the structure of the program depends on. */
export const isCode = (token: Token): boolean => !isComment(token) && token.class !== "directive";

/** Column, from 0, of an offset in a text whose tabs stand for blanks up to the next multiple of the tab width. */
export function visualColumn(text: string, offset: number): number {
  return columnAfter(text, text.lastIndexOf("\n", offset - 1) + 1, offset, 0);
}

/** The column after `text.slice(start, end)`, which begins in `column` and has no line breaks. */
export function columnAfter(text: string, start: number, end: number, column: number): number {
  for (let at = start; at < end; at++) {
    column = text.charCodeAt(at) === 9 ? column + tabWidth - (column % tabWidth) : column + 1;
  }
  return column;
}

/** As the languages have them: see `continuesLines`. */
const continuations = { plain: /\\\n/g, blanks: /\\[ \t\v\f]*\n/g };
const holdsContinuation = (gap: string, blanks: boolean): boolean => countContinuations(gap, blanks) > 0;
const countContinuations = (gap: string, blanks: boolean): number =>
  gap.includes("\\") ? (gap.match(continuations[blanks ? "blanks" : "plain"])?.length ?? 0) : 0;
const rawStringPrefix = /^(?:u8|[uUL])?R$/;
const rawStringOpening = /"([^\s()\\]{0,16})\(/y;

/** `text` has no carriage returns. */
export function readTokens(text: string, dialect: TargetDialect): TokenList {
  const tokens: Token[] = [];
  const { blanks } = languages[dialect].facts.continuesLines;
  const scannerFrom = (at: number): Scanner => new Scanner(text, at, text.length, blanks);
  let scanner = scannerFrom(0);
  let lastEnd = 0;
  // The comments of this line with nothing else before them: a directive may follow.
  let lineFrom = 0;
  let codeOnLine = false;

  const add = (tokenClass: TokenClass, start: number, end: number): void => {
    const gap = text.slice(lastEnd, start);
    tokens.push({
      class: tokenClass,
      text: text.slice(start, end),
      start,
      end,
      newlines: countNewlines(gap, blanks),
      spaced: gap !== "",
      keptGap: holdsContinuation(gap, blanks) ? gap : undefined,
    });
    lastEnd = end;
  };

  for (let kind = scanner.next(); kind !== Kind.end; kind = scanner.next()) {
    const start = scanner.start;
    if (scanner.lineBreak) {
      codeOnLine = false;
      lineFrom = tokens.length;
    }
    if (kind === Kind.sign && !codeOnLine && text[start] === "#") {
      // The comments before it on its line belong to it, since nothing may come between.
      const first = tokens[lineFrom];
      const from = first ? first.start : start;
      tokens.length = lineFrom;
      lastEnd = tokens.at(-1)?.end ?? 0;
      const end = directiveEnd(text, scannerFrom(scanner.position), blanks);
      add("directive", from, end);
      scanner = scannerFrom(end);
      continue;
    }
    const class_ = classOf(kind);
    if (class_ !== "lineComment" && class_ !== "blockComment") codeOnLine = true;
    let end = scanner.position;
    if (
      class_ === "word" &&
      languages[dialect].words.rawStrings &&
      text[end] === '"' &&
      rawStringPrefix.test(text.slice(start, end))
    ) {
      const close = rawStringEnd(text, end);
      if (close !== undefined) {
        add("string", start, close);
        scanner = scannerFrom(close);
        continue;
      }
    }
    if (class_ === "lineComment") end = trimmedEnd(text, start, end);
    add(class_, start, end);
  }
  const rest = text.slice(lastEnd);
  return { tokens, keptEnd: holdsContinuation(rest, blanks) ? rest : undefined };
}

function classOf(kind: Kind): TokenClass {
  switch (kind) {
    case Kind.word:
      return "word";
    case Kind.integer:
    case Kind.float:
      return "number";
    case Kind.string:
    case Kind.character:
    case Kind.unterminatedString:
      return "string";
    case Kind.sign:
      return "sign";
    case Kind.lineComment:
      return "lineComment";
    case Kind.blockComment:
    case Kind.unterminatedComment:
      return "blockComment";
    default:
      return "stray";
  }
}

function countNewlines(gap: string, blanks: boolean): number {
  let count = 0;
  for (let at = gap.indexOf("\n"); at !== -1; at = gap.indexOf("\n", at + 1)) count++;
  return count - countContinuations(gap, blanks);
}

/** The end of a directive's text, trailing blanks aside; `scanner` is behind its `#`. */
function directiveEnd(text: string, scanner: Scanner, blanks: boolean): number {
  const from = scanner.position;
  let last = from;
  let kind = scanner.next();
  while (kind !== Kind.end && countNewlines(text.slice(last, scanner.start), blanks) === 0) {
    last = scanner.position;
    kind = scanner.next();
  }
  // A continuation onto an empty line is part of it.
  let end = last;
  for (;;) {
    const c = text.charCodeAt(end);
    const skip = continuationLength(text, end, blanks);
    if (skip > 0) end += skip;
    else if (end < text.length && c !== 10 && end < scanner.start) end++;
    else break;
  }
  return trimmedEnd(text, from, end);
}

/** Without the blanks at the end, unless a backslash before them would become a line continuation. */
function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /[ \t\v\f\u00a0\ufeff]/.test(text[at - 1]!)) at--;
  return text[at - 1] === "\\" ? end : at;
}

function rawStringEnd(text: string, quote: number): number | undefined {
  rawStringOpening.lastIndex = quote;
  const opening = rawStringOpening.exec(text);
  if (!opening) return undefined;
  const closing = `)${opening[1]!}"`;
  const close = text.indexOf(closing, quote);
  return close === -1 ? undefined : close + closing.length;
}

// C and C++ read these as one token, or as the beginning of a comment, though the scanner may not.
const joined = new Set(["<:", ":>", "<%", "%>", "%:", "..", "*/", "/*", "//", "->*", ".*", "<=>", "**"]);

/** Whether two tokens written without a blank between them might be read as something else. */
export function readTogether(a: string, b: string): boolean {
  if (joined.has(a + b[0]!) || joined.has(a.at(-1)! + b[0]!)) return true;
  // `0xe-1` and `1..2` are one number to a C preprocessor.
  if (/^\.?\d/.test(a) && (/^[\w.]/.test(b) || (/[eEpP]$/.test(a) && /^[-+]/.test(b)))) return true;
  const both = a + b;
  const scanner = new Scanner(both);
  scanner.next();
  if (scanner.position !== a.length) return true;
  scanner.next();
  return scanner.start !== a.length || scanner.position !== both.length;
}
