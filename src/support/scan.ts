/**
 * The scanner of the C family: splits a text into words, numbers, strings, signs and comments by character codes. The
 * preprocessor, the pre-scan and the same-dialect formatter share it.
 */

export const Kind = {
  end: 0,
  word: 1,
  integer: 2,
  float: 3,
  string: 4,
  character: 5,
  sign: 6,
  lineComment: 7,
  blockComment: 8,
  unterminatedComment: 9,
  unterminatedString: 10,
  /** A character that belongs to no token of the family. */
  stray: 11,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

// Classes of ASCII characters, as bits.
const wordStart = 1;
const wordPart = 2;
const digit = 4;
const blank = 8;

const classes = new Uint8Array(128);
for (let c = 0; c < 128; c++) {
  const letter = (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95 || c === 36;
  const isDigit = c >= 48 && c <= 57;
  if (letter) classes[c] = wordStart | wordPart;
  else if (isDigit) classes[c] = digit | wordPart;
  else if (c === 32 || c === 9 || c === 11 || c === 12 || c === 13) classes[c] = blank;
}

const isWordCode = (code: number): boolean => code < 128 && (classes[code]! & wordPart) !== 0;

// Names beyond ASCII (UAX 31, which C++23 5.10 and clang follow; the compilers of MSL, OpenCL C and HLSL take them in older versions, too).
const begins = /^\p{XID_Start}/u;
const continues = /^\p{XID_Continue}/u;

/** A word, as a pattern of Unicode (`u`). */
export const wordPattern = String.raw`[\p{XID_Start}_$][\p{XID_Continue}$]*`;

/** Where a word stands in a text, not as a part of another. */
export const wordUses = (text: string, word: string): RegExpStringIterator<RegExpExecArray> =>
  text.matchAll(
    new RegExp(
      String.raw`(?<![\p{XID_Continue}$])${word.replaceAll("$", String.raw`\$`)}(?![\p{XID_Continue}$])`,
      "gu",
    ),
  );

/** The end of the word that is read up to `at`, where a character beyond ASCII may go on with it. */
function wordEnd(text: string, at: number, end: number): number {
  let next = at;
  while (next < end) {
    const character = text.codePointAt(next)!;
    if (character < 128 ? !isWordCode(character) : !continues.test(String.fromCodePoint(character))) break;
    next += character > 0xffff ? 2 : 1;
  }
  return next;
}
/** As DXC tells: components of a number all have the same name, `x` or `r`. */
const isComponent = (code: number): boolean => code === 120 || code === 114;
const isDigitCode = (code: number): boolean => code >= 48 && code <= 57;

/** Signs by their first character, longest first. */
const signsByFirst: (readonly string[] | undefined)[] = [];
for (const sign of [
  "<<=",
  ">>=",
  "...",
  "<<",
  ">>",
  "<=",
  ">=",
  "==",
  "!=",
  "&&",
  "||",
  "^^",
  "++",
  "--",
  "->",
  "::",
  "##",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "&=",
  "|=",
  "^=",
  ..."(){}[];,.?:~!+-*/%<>=&|^#@",
]) {
  const code = sign.charCodeAt(0);
  signsByFirst[code] = [...(signsByFirst[code] ?? []), sign];
}

export class Scanner {
  /** The current token is `text.slice(start, position)`. */
  start: number;
  position: number;
  /** A line break stood before the current token (since the one before it). */
  lineBreak = true;
  /** White space stood directly before the current token. */
  spaced = false;

  constructor(
    readonly text: string,
    position = 0,
    readonly end = text.length,
    /** A line is continued by a backslash with blanks after it, too. */
    private readonly blanks = false,
  ) {
    this.start = position;
    this.position = position;
  }

  /** Moves to the next token and returns its kind. Comments are tokens; a line continuation is white space. */
  next(): Kind {
    const { text, end } = this;
    let at = this.position;
    const from = at;
    this.lineBreak = at === 0;
    for (; at < end; at++) {
      const c = text.charCodeAt(at);
      if (c === 32 || c === 9) continue;
      if (c === 10) this.lineBreak = true;
      else if (c === 92) {
        const skip = continuationLength(text, at, this.blanks);
        if (skip === 0) break;
        at += skip - 1;
      } else if (!(c < 128 ? (classes[c]! & blank) !== 0 : c === 0xfeff || c === 0xa0)) break;
    }
    this.spaced = at > from;
    this.start = at;
    if (at >= end) {
      this.position = end;
      return Kind.end;
    }
    const c = text.charCodeAt(at);
    const kind = c < 128 ? classes[c]! : 0;
    if (kind & wordStart) {
      at++;
      while (at < end && isWordCode(text.charCodeAt(at))) at++;
      this.position = at < end && text.charCodeAt(at) >= 128 ? wordEnd(text, at, end) : at;
      return Kind.word;
    }
    if (c >= 128 && begins.test(String.fromCodePoint(text.codePointAt(at)!))) {
      this.position = wordEnd(text, at, end);
      return Kind.word;
    }
    if (kind & digit || (c === 46 && at + 1 < end && isDigitCode(text.charCodeAt(at + 1)))) return this.number(at);
    if (c === 34 || c === 39) return this.quoted(at, c);
    if (c === 47) {
      const second = at + 1 < end ? text.charCodeAt(at + 1) : 0;
      if (second === 47) return this.lineComment(at);
      if (second === 42) {
        const close = text.indexOf("*/", at + 2);
        this.position = close === -1 || close + 2 > end ? end : close + 2;
        return close === -1 || close + 2 > end ? Kind.unterminatedComment : Kind.blockComment;
      }
    }
    const signs = signsByFirst[c];
    if (signs) {
      for (const sign of signs) {
        if (sign.length === 1 || (at + sign.length <= end && text.startsWith(sign, at))) {
          this.position = at + sign.length;
          return Kind.sign;
        }
      }
    }
    // A surrogate pair is one character.
    this.position = at + (c >= 0xd800 && c < 0xdc00 && at + 1 < end ? 2 : 1);
    return Kind.stray;
  }

  private number(from: number): Kind {
    const { text, end } = this;
    const hex = text.charCodeAt(from) === 48 && (text.charCodeAt(from + 1) | 32) === 120;
    let isFloat = false;
    let at = from;
    for (; at < end; at++) {
      const c = text.charCodeAt(at);
      if (c === 46) {
        // A second point selects components, `1.0f.xxx` in HLSL, and so does one before a name of theirs, `0x1F.xxx`.
        if (isFloat || isComponent(text.charCodeAt(at + 1))) break;
        isFloat = true;
      } else if (c === 43 || c === 45) {
        const before = text.charCodeAt(at - 1) | 32;
        if (!(before === 112 && hex) && !(before === 101 && !hex)) break;
      } else if (c === 39) {
        // `1'000` of C++14 is one number; elsewhere no number may stand before a quote.
        if (!(isWordCode(text.charCodeAt(at - 1)) && at + 1 < end && isWordCode(text.charCodeAt(at + 1)))) break;
      } else if (!isWordCode(c)) break;
      else if (!isFloat) isFloat = hex ? (c | 32) === 112 : (c | 32) === 101;
    }
    this.position = at;
    if (!hex && !isFloat) {
      // `1f` and `1h` of HLSL
      const last = text.charCodeAt(at - 1) | 32;
      isFloat = last === 102 || last === 104;
    }
    return isFloat ? Kind.float : Kind.integer;
  }

  private quoted(from: number, quote: number): Kind {
    const { text, end } = this;
    for (let at = from + 1; at < end; at++) {
      const c = text.charCodeAt(at);
      if (c === quote) {
        this.position = at + 1;
        return quote === 34 ? Kind.string : Kind.character;
      }
      if (c === 92) at++;
      else if (c === 10) {
        this.position = at;
        return Kind.unterminatedString;
      }
    }
    this.position = end;
    return Kind.unterminatedString;
  }

  private lineComment(from: number): Kind {
    const { text, end } = this;
    let close = text.indexOf("\n", from);
    // A continued line continues the comment.
    while (close !== -1 && close < end) {
      const before = text.charCodeAt(close - 1) === 13 ? close - 2 : close - 1;
      if (text.charCodeAt(before) !== 92) break;
      close = text.indexOf("\n", close + 1);
    }
    if (close === -1 || close > end) close = end;
    else if (text.charCodeAt(close - 1) === 13) close--;
    this.position = close;
    return Kind.lineComment;
  }
}

/** Length of a backslash and the line break after it at `at`, with the blanks between where they may stand there; 0 where there is none. */
export function continuationLength(text: string, at: number, blanks: boolean): number {
  if (text.charCodeAt(at) !== 92) return 0;
  let next = at + 1;
  if (blanks) while (isBlankCode(text.charCodeAt(next))) next++;
  else if (text.charCodeAt(next) === 13) next++;
  return text.charCodeAt(next) === 10 ? next + 1 - at : 0;
}

/** White space that does not end a line, a carriage return among it. */
const isBlankCode = (code: number): boolean => code < 128 && (classes[code]! & blank) !== 0;

/** Whether two texts side by side would be read as other tokens. */
export function wouldJoin(left: string, right: string): boolean {
  if (left === "" || right === "") return false;
  const a = left.charCodeAt(left.length - 1);
  const b = right.charCodeAt(0);
  const inWord = (code: number): boolean => code >= 128 || isWordCode(code);
  if (inWord(a) || a === 34 || a === 39) return inWord(b) || b === 34 || b === 39 || (b === 46 && /[0-9]/.test(left));
  if (a === 46) return isWordCode(b) || b === 46;
  return "+-*/%<>=&|^!:#".includes(left.at(-1)!) && "+-*/<>=&|^:#".includes(right[0]!);
}
