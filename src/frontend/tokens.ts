/**
 * Tokens of the expanded text, in the alphabet of the grammars (grammars/tokens.mjs). This file splits and marks what the
 * words of the dialect say; `prescan.ts` adds what the source declares.
 */
import type { Span } from "../support/span.js";
import type { TokenTable } from "../ast/syntax-tokens.js";
import type { DialectWords } from "../dialects/words.js";
import type { Problems } from "../support/diagnostics.js";
import { Kind, Scanner } from "../support/scan.js";
import { joinedGreater, keywordCodes, signs } from "./generated/alphabet.js";

/** Tokens before the pre-scan: codes are still numbers that can be changed. */
export interface RawTokens {
  readonly text: string;
  count: number;
  starts: Int32Array;
  ends: Int32Array;
  codes: Uint16Array;
  /** Index into `words` for words, else -1. */
  wordIds: Int32Array;
  readonly words: string[];
}

const code = (character: string): number => character.charCodeAt(0);

export const codes = {
  name: code("i"),
  type: code("t"),
  arithmetic: code("w"),
  typeTemplate: code("h"),
  functionTemplate: code("g"),
  qualifier: code("q"),
  integer: code("n"),
  float: code("f"),
  boolean: code("b"),
  character: code("c"),
  string: code("s"),
  joinedGreater: code(joinedGreater),
  greaterEqual: code(signs[">="]!),
  scope: code(signs["::"]!),
  arrow: code(signs["->"]!),
} as const;

export const keywordCode = (word: string): number => code(keywordCodes[word]!);

const signCodes = new Map(Object.entries(signs).map(([sign, character]) => [sign, code(character)]));

const integerLiteral = /^(?:0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)(?:[uUlLsS]{0,3})(?:[iu](?:16|64))?$/;
const floatLiteral =
  /^(?:(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?|0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][-+]?[0-9]+)(?:[fFhHlL]|lf|LF|hf|HF|bf|BF|f16|F16)?$/;

/** `1'000'000` of C++14; a separator stands between digits. */
const withoutSeparators = (text: string, dialect: DialectWords): string =>
  dialect.digitSeparators ? text.replace(/(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])/g, "") : text;

function noNumber(problems: Problems, shown: string, dialect: DialectWords, span: Span): void {
  // A suffix of the user's begins with `_` (C++14 17.6.4.3.5).
  if (dialect.userLiterals && /^[0-9][0-9a-fA-FxX.']*_[a-zA-Z]/.test(shown))
    problems.error("XL1900", `a user-defined literal such as '${shown}' is not supported yet`, span);
  else problems.error("XL1003", `'${shown}' is not a number`, span);
}

const meansNothing = (problems: Problems, shown: string, span: Span): void =>
  void problems.error(
    "XL1002",
    `character '${shown}' (U+${shown.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}) means nothing here`,
    span,
  );

function onlyAscii(problems: Problems, word: string, start: number): void {
  const found = /[^\0-\x7f]/u.exec(word);
  if (!found) return;
  const at = start + found.index;
  meansNothing(problems, found[0], { start: at, end: at + found[0].length });
}

/** What a word means in a dialect before any declaration of the source is known. */
function wordCodes(dialect: DialectWords): Map<string, number> {
  const result = new Map<string, number>([
    ["true", codes.boolean],
    ["false", codes.boolean],
  ]);
  for (const word of dialect.types) result.set(word, codes.type);
  for (const word of dialect.arithmetic) result.set(word, codes.arithmetic);
  for (const word of dialect.qualifiers) result.set(word, codes.qualifier);
  for (const [spelling, word] of dialect.spellings) result.set(spelling, result.get(word)!);
  for (const [word, rule] of dialect.keywords) result.set(word, keywordCode(rule));
  for (const [word, sign] of dialect.signs) result.set(word, signCodes.get(sign) ?? code(sign));
  return result;
}

/** Whether the next word is one. */
function isMember({ codes: all, count }: RawTokens): boolean {
  const before = count > 0 ? all[count - 1]! : 0;
  return before === 46 || before === codes.arrow;
}

/** `a.template f<1>()`, `a.operator+(b)`, and `auto f(T a) -> decltype(a)`, `-> typename T::type`. */
const beforeMembers: ReadonlySet<number> = new Set(["template", "operator", "decltype", "typename"].map(keywordCode));

const noTokens = (text: string, words: string[], capacity: number): RawTokens => ({
  text,
  count: 0,
  starts: new Int32Array(capacity),
  ends: new Int32Array(capacity),
  codes: new Uint16Array(capacity),
  wordIds: new Int32Array(capacity),
  words,
});

export function tokenize(
  text: string,
  dialect: DialectWords,
  problems: Problems,
  continuedBeforeBlanks: boolean,
): RawTokens {
  const words: string[] = [];
  const idByWord = new Map<string, number>();
  const codeById: number[] = [];
  const known = wordCodes(dialect);
  let capacity = Math.max(64, text.length >> 2);
  const tokens = noTokens(text, words, capacity);
  const push = (start: number, end: number, value: number, wordId: number): void => {
    if (tokens.count === capacity) {
      capacity *= 2;
      tokens.starts = grown(tokens.starts, new Int32Array(capacity));
      tokens.ends = grown(tokens.ends, new Int32Array(capacity));
      tokens.codes = grown(tokens.codes, new Uint16Array(capacity));
      tokens.wordIds = grown(tokens.wordIds, new Int32Array(capacity));
    }
    const at = tokens.count++;
    tokens.starts[at] = start;
    tokens.ends[at] = end;
    tokens.codes[at] = value;
    tokens.wordIds[at] = wordId;
  };

  const scanner = new Scanner(text, 0, text.length, continuedBeforeBlanks);
  let lastStray = -2;
  let strays = 0;
  for (let kind = scanner.next(); kind !== Kind.end; kind = scanner.next()) {
    const start = scanner.start;
    const end = scanner.position;
    switch (kind) {
      case Kind.word: {
        const word = text.slice(start, end);
        let id = idByWord.get(word);
        if (id === undefined) {
          id = words.push(dialect.spellings.get(word) ?? word) - 1;
          idByWord.set(word, id);
          if (!dialect.unicodeNames) onlyAscii(problems, word, start);
          codeById.push(known.get(word) ?? (dialect.typePattern.test(word) ? codes.type : codes.name));
        }
        // A member may have any name (`p.half`, `v.in`) but these.
        const own = codeById[id]!;
        push(start, end, isMember(tokens) && !beforeMembers.has(own) ? codes.name : own, id);
        break;
      }
      case Kind.integer:
      case Kind.float: {
        const isFloat = kind === Kind.float;
        const isDigit = end - start === 1;
        const spelled = isDigit ? "" : withoutSeparators(text.slice(start, end), dialect);
        if (!isDigit && !(isFloat ? floatLiteral : integerLiteral).test(spelled)) {
          noNumber(problems, shorten(text.slice(start, end)), dialect, { start, end });
        }
        push(start, end, isFloat ? codes.float : codes.integer, -1);
        break;
      }
      case Kind.string:
        push(start, end, codes.string, -1);
        break;
      case Kind.character:
        push(start, end, codes.character, -1);
        break;
      case Kind.sign:
        if (end - start === 1) push(start, end, text.charCodeAt(start), -1);
        else if (text.charCodeAt(start) === 62 && text.charCodeAt(start + 1) === 62) {
          push(start, start + 1, codes.joinedGreater, -1);
          if (end - start === 2) push(start + 1, end, 62, -1);
          else push(start + 1, end, codes.greaterEqual, -1);
        } else push(start, end, signCodes.get(text.slice(start, end)) ?? 35, -1);
        break;
      case Kind.unterminatedString:
        problems.error("XL1004", "the quote is never closed on its line", { start, end });
        push(start, end, codes.string, -1);
        break;
      case Kind.stray:
        // A run of them is one mistake.
        if (start !== lastStray && strays++ < 3) meansNothing(problems, text.slice(start, end), { start, end });
        lastStray = end;
        break;
      case Kind.lineComment:
      case Kind.blockComment:
      case Kind.unterminatedComment:
        // The preprocessor has taken comments out.
        break;
    }
  }
  return tokens;
}

function grown<T extends Int32Array | Uint16Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

export const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 37)}...` : text);

/** The string the grammars parse. */
export function tokenTable(tokens: RawTokens): TokenTable {
  const pieces: string[] = [];
  for (let at = 0; at < tokens.count; at += 8192) {
    pieces.push(String.fromCharCode(...tokens.codes.subarray(at, Math.min(at + 8192, tokens.count))));
  }
  const { starts, ends, wordIds, words, text, count } = tokens;
  return {
    count,
    starts,
    ends,
    codes: pieces.join(""),
    text,
    spelling: (token) => {
      const id = wordIds[token]!;
      return id >= 0 ? words[id]! : text.slice(starts[token], ends[token]);
    },
  };
}
