/**
 * Where a line that is too long is broken: at its outermost list or operator, continued four columns further in. Works on
 * the text a printer wrote, which has blanks around binary operators and nowhere between an operator and its only operand.
 */
import { binaryPrecedence } from "../../src/ast/operators.js";
import { own } from "../../src/support/own.js";

/** Longest line, in columns; a comment behind the code does not count. */
export const lineLimit = 120;
const continuation = 4;
/** Parts of a list up to this width share lines; longer ones stand one a line. */
const shortPart = 24;

/** The blanks at `at` become a line break and `indent` blanks. */
export interface LineBreak {
  readonly at: number;
  readonly blanks: number;
  readonly indent: number;
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Of an opening bracket: the index of the closing one. */
  match?: number;
}

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };
const assignments = new Set(["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="]);
const controls = new Set(["if", "for", "while", "switch", "else", "}"]);

/** How loosely an operator binds, less is looser; commas and semicolons are the loosest. */
const loosest = { semicolon: -4, comma: -3, assignment: -2, choice: -1 } as const;

/** Code up to the comment behind it. Brackets of templates, `vec<float, 3>`, have no blank before them. */
function tokensOf(line: string): Token[] {
  const tokens: Token[] = [];
  const open: number[] = [];
  let word = -1;
  const endWord = (at: number): void => {
    if (word >= 0) tokens.push({ text: line.slice(word, at), start: word, end: at });
    word = -1;
  };
  for (let i = 0; i < line.length; i++) {
    const c = line[i]!;
    if (c === "/" && (line[i + 1] === "/" || line[i + 1] === "*")) {
      endWord(i);
      break;
    }
    const template = c === "<" && /\w/.test(line[i - 1] ?? "") && /\w/.test(line[i + 1] ?? "");
    const innermost = tokens[open.at(-1) ?? -1];
    if ("([{".includes(c) || template) {
      endWord(i);
      open.push(tokens.length);
    } else if (innermost && c === closing[innermost.text] && (c !== ">" || line[i - 1] !== "-")) {
      endWord(i);
      innermost.match = tokens.length;
      open.pop();
    } else if (c === " ") {
      endWord(i);
      continue;
    } else if (c !== "," && c !== ";" && !")]}".includes(c)) {
      if (word < 0) word = i;
      continue;
    } else endWord(i);
    tokens.push({ text: c, start: i, end: i + 1 });
  }
  endWord(line.length);
  return tokens;
}

class Breaker {
  readonly breaks: LineBreak[] = [];
  private readonly declaresFunction: boolean;

  constructor(private readonly tokens: readonly Token[]) {
    const [first, last] = [tokens[0]?.text ?? "", tokens.at(-1)?.text ?? ""];
    this.declaresFunction = last === "{" && !controls.has(first);
  }

  private width(from: number, to: number): number {
    return to > from ? this.tokens[to - 1]!.end - this.tokens[from]!.start : 0;
  }

  private breakBefore(token: number, indent: number): void {
    const at = this.tokens[token - 1]!.end;
    this.breaks.push({ at, blanks: this.tokens[token]!.start - at, indent });
  }

  private looseness(at: number): number | undefined {
    const { text, start, end } = this.tokens[at]!;
    if (text === ";") return loosest.semicolon;
    if (text === ",") return loosest.comma;
    const [before, after] = [this.tokens[at - 1], this.tokens[at + 1]];
    if (!before || !after || before.end === start || after.start === end) return undefined;
    if (assignments.has(text)) return loosest.assignment;
    if (text === "?" || text === ":") return loosest.choice;
    return own(binaryPrecedence, text);
  }

  /** The loosest separators between brackets, in order; those at the very start or end separate nothing. */
  private separators(from: number, to: number): { readonly level: number; readonly at: readonly number[] } | undefined {
    let level = Infinity;
    let at: number[] = [];
    for (let i = from; i < to; i = (this.tokens[i]!.match ?? i) + 1) {
      const found = i > from && i + 1 < to ? this.looseness(i) : undefined;
      if (found === undefined || found > level) continue;
      if (found < level) at = [];
      level = found;
      at.push(i);
    }
    return at.length > 0 ? { level, at } : undefined;
  }

  /**
   * Lays out the tokens [from, to) from `column` on, in a line indented by `indent`, with `tail` more columns after them.
   * Gives the column after the last one.
   */
  wrap(from: number, to: number, column: number, indent: number, tail: number): number {
    const width = this.width(from, to);
    if (from >= to || column + width + tail <= lineLimit) return column + width;
    const found = this.separators(from, to);
    if (!found) return this.brackets(from, to, column, indent, tail);
    const [first] = found.at;
    if (found.level === loosest.assignment) return this.assigned(first!, from, to, column, indent, tail);
    if (found.level === loosest.choice) {
      // Choices in a row are a list of cases.
      const marks = found.at.map((i) => this.tokens[i]!.text);
      const cases = marks.filter((m) => m === "?").length > 1;
      const last = found.at.filter((_, i) => marks[i] === ":");
      // A part of a row may hold conditions alone: each of them begins a line then.
      const starts = cases && last.length > 0 ? last : found.at;
      return this.parts(starts, from, to, column, indent, tail, "each");
    }
    const after = found.at.map((i) => i + 1);
    const nested = found.level > loosest.choice ? this.nested(after, to) : undefined;
    if (nested && this.allFit(nested, from, to, indent + continuation, tail))
      return this.parts(nested, from, to, column, indent, tail, "fill");
    const list = found.level === loosest.comma || found.level === loosest.semicolon;
    return this.parts(after, from, to, column, indent, tail, list && !this.allShort(after, from, to) ? "each" : "fill");
  }

  /**
   * Where the last of the parts that begin at `starts` is in brackets, it has parts of its own, and so on: a polynomial, whose
   * parts then stand in lines of one indent. Nothing where there are fewer than three levels.
   */
  private nested(starts: readonly number[], to: number): readonly number[] | undefined {
    const all = [...starts];
    let levels = 1;
    const whole = this.tokens[to - 1]!.text === ";" ? to - 1 : to;
    for (let last = starts.at(-1)!, end = whole; ;) {
      const open = this.tokens[last]!.match === end - 1 ? last : this.closedAt(last, end - 1);
      if (open === undefined || this.tokens[open]!.text !== "(") break;
      // Brackets that are the whole part stay with what is in front of them, and are no level of a polynomial.
      if (open === last) all.pop();
      else levels++;
      end--;
      const inside = this.separators(open + 1, end);
      if (!inside || inside.level <= loosest.choice) break;
      for (const at of inside.at) all.push(at + 1);
      last = all.at(-1)!;
    }
    return levels > 2 ? all : undefined;
  }

  /** The bracket between `from` and `close` that ends there. */
  private closedAt(from: number, close: number): number | undefined {
    for (let i = from; i < close; i = (this.tokens[i]!.match ?? i) + 1) if (this.tokens[i]!.match === close) return i;
    return undefined;
  }

  private allFit(starts: readonly number[], from: number, to: number, indent: number, tail: number): boolean {
    const bounds = [from, ...starts, to];
    return bounds.slice(1).every((end, i) => indent + this.width(bounds[i]!, end) + tail <= lineLimit);
  }

  private allShort(starts: readonly number[], from: number, to: number): boolean {
    const bounds = [from, ...starts, to];
    return bounds.slice(1).every((end, i) => this.width(bounds[i]!, end) <= shortPart);
  }

  /** Parts that begin at `from` and at each of `starts`, those on lines of their own indented by `below`. */
  private parts(
    starts: readonly number[],
    from: number,
    to: number,
    column: number,
    indent: number,
    tail: number,
    mode: "fill" | "each",
    below = indent + continuation,
  ): number {
    const bounds = [from, ...starts, to];
    let at = column;
    let lineIndent = indent;
    // What follows a part that takes several lines begins a new one.
    let unbroken = 0;
    for (let i = 0; i + 1 < bounds.length; i++) {
      const [start, end] = [bounds[i]!, bounds[i + 1]!];
      const rest = end === to ? tail : 0;
      if (i > 0) {
        const gap = this.tokens[start]!.start - this.tokens[start - 1]!.end;
        if (mode === "fill" && unbroken === this.breaks.length && at + gap + this.width(start, end) + rest <= lineLimit)
          at += gap;
        else {
          lineIndent = below;
          this.breakBefore(start, lineIndent);
          at = lineIndent;
        }
      }
      unbroken = this.breaks.length;
      at = this.wrap(start, end, at, lineIndent, rest);
    }
    return at;
  }

  private assigned(sign: number, from: number, to: number, column: number, indent: number, tail: number): number {
    const right = sign + 1;
    const operators = this.separators(right, to);
    const group = this.groupOf(right, to);
    const list =
      group !== undefined &&
      this.tokens[group]!.text !== "[" &&
      this.separators(group + 1, this.tokens[group]!.match!)?.level === loosest.comma;
    const below = indent + continuation;
    const inPlace = operators ? operators.level === loosest.choice : list;
    if (!inPlace && below + this.width(right, to) + tail <= lineLimit) {
      this.breakBefore(right, below);
      return below + this.width(right, to);
    }
    return this.wrap(right, to, column + this.width(from, right) + 1, indent, tail);
  }

  /** The bracket to open: the last one that holds a list, else the widest. */
  private groupOf(from: number, to: number): number | undefined {
    let widest: number | undefined;
    let list: number | undefined;
    for (let i = from; i < to; i++) {
      const { match, text } = this.tokens[i]!;
      if (match === undefined) continue;
      if (widest === undefined || this.width(i, match) > this.width(widest, this.tokens[widest]!.match!)) widest = i;
      if (text !== "<" && text !== "[" && this.separators(i + 1, match)?.level === loosest.comma) list = i;
      i = match;
    }
    return list ?? widest;
  }

  private brackets(from: number, to: number, column: number, indent: number, tail: number): number {
    const open = this.groupOf(from, to);
    if (open === undefined) return column + this.width(from, to);
    const close = this.tokens[open]!.match!;
    const rest = this.width(close, to) + tail;
    const inside = open + 1;
    const before = column + this.width(from, inside);
    const separators = this.separators(inside, close);
    if (separators?.level !== loosest.comma)
      return this.wrap(inside, close, before, indent, rest) + this.width(close, to);
    const starts = separators.at.map((i) => i + 1);
    if (this.tokens[open]!.text === "{") {
      const inner = indent + continuation / 2;
      this.breakBefore(inside, inner);
      this.list(starts, inside, close, inner, 0, false);
      this.breakBefore(close, indent);
      return indent + this.width(close, to);
    }
    const below = indent + continuation;
    this.breakBefore(inside, below);
    return this.list(starts, inside, close, below, rest, this.declaresFunction) + this.width(close, to);
  }

  /** The parts of a list below its opening bracket: on one line where they fit. */
  private list(
    starts: readonly number[],
    from: number,
    to: number,
    indent: number,
    tail: number,
    oneEach: boolean,
  ): number {
    if (!oneEach && indent + this.width(from, to) + tail <= lineLimit) return indent + this.width(from, to);
    const fill = !oneEach && this.allShort(starts, from, to);
    return this.parts(starts, from, to, indent, indent, tail, fill ? "fill" : "each", indent);
  }
}

/** The places where the line is broken, in order; none where it is short, a directive or only a comment. */
export function lineBreaks(line: string): readonly LineBreak[] {
  if (line.length <= lineLimit || /^\s*#/.test(line)) return [];
  const tokens = tokensOf(line);
  const indent = tokens[0]?.start ?? 0;
  const breaker = new Breaker(tokens);
  breaker.wrap(0, tokens.length, indent, indent, 0);
  return breaker.breaks;
}
