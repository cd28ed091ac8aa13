/**
 * Same-dialect output: the source's own tokens, comments and directives in their order and on their lines, with blanks and
 * indentation made regular. Works on the original text, so that nothing the preprocessor takes away is lost, and needs no
 * parse: a text that is wrong is formatted as well as its tokens allow.
 */
import type { TargetDialect } from "../../src/dialects/ids.js";
import { languages } from "../../src/dialects/languages.js";
import { keptColumns } from "./columns.js";
import type { Placed } from "./columns.js";
import { advance, copyLayout, firstLayout, indentOf, indentOfRest, isContinuation } from "./layout.js";
import { namesOf } from "./names.js";
import { Conditionals, rolesOf } from "./roles.js";
import type { Facts, Role } from "./roles.js";
import { hasBlank } from "./spacing.js";
import { columnAfter, isCode, isComment, readTokens, visualColumn } from "./tokens.js";
import type { Token } from "./tokens.js";
import type { OutputRange, Printed } from "../shared/line-writer.js";

/** `map` has one entry per line; its spans are offsets into `source`, not into expanded text. */
export function format(source: string, dialect: TargetDialect): Printed {
  const text = source.replace(/\r\n?/g, "\n");
  const { tokens, keptEnd } = readTokens(text, dialect);
  if (languages[dialect].facts.continuesLines.blanks && tokens.some(isBackslash)) {
    // No line may end in it, whatever stands behind. Such a text means nothing: it stays as it is.
    const whole = { start: 0, end: source.length };
    return { text: source, map: [{ span: whole, ...whole }] };
  }
  const facts = rolesOf(tokens, namesOf(tokens, dialect));
  const first = new Formatter(text, tokens, facts, new Map());
  const regular = first.run(keptEnd);
  const columns = keptColumns(text, tokens, first.placed);
  const printed = columns.size === 0 ? regular : new Formatter(text, tokens, facts, columns).run(keptEnd);
  if (text.length === source.length) return printed;
  const original = originalOffsets(source);
  const map = printed.map.map((range) => ({
    ...range,
    span: { start: original(range.span.start), end: original(range.span.end) },
  }));
  return { text: printed.text, map };
}

const isBackslash = (token: Token): boolean => token.class === "stray" && token.text === "\\";

/** From offsets in the text without carriage returns to those in `source`. */
function originalOffsets(source: string): (offset: number) => number {
  const removed: number[] = [];
  for (let at = source.indexOf("\r\n"); at !== -1; at = source.indexOf("\r\n", at + 2))
    removed.push(at - removed.length);
  return (offset) => {
    let low = 0;
    let high = removed.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (removed[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return offset + low;
  };
}

class Formatter {
  readonly placed: Placed[] = [];
  private out = "";
  private column = 0;
  private endsInBackslash = false;
  private readonly lines: OutputRange[] = [];
  /** The line that goes on behind its end. */
  private continued = 0;
  private layout = firstLayout();
  /** The code before on the same line. */
  private before: { token: Token; facts: Facts; index: number } | undefined;
  /** By the index of an opening bracket on this line: whether a blank follows it. */
  private readonly openerGaps = new Map<number, boolean>();
  private readonly starBlanks: StarBlanks;

  constructor(
    private readonly source: string,
    private readonly tokens: readonly Token[],
    private readonly facts: readonly (Facts | undefined)[],
    /** Blanks beside the regular ones, by the token they stand before. */
    private readonly columns: ReadonlyMap<number, number>,
  ) {
    this.starBlanks = new StarBlanks(tokens, this.facts);
  }

  run(keptEnd: string | undefined): Printed {
    const conditionals = new Conditionals(copyLayout);
    for (const [index, token] of this.tokens.entries()) {
      const startsLine = index === 0 || token.newlines > 0;
      if (startsLine) {
        this.before = undefined;
        this.openerGaps.clear();
      }
      if (token.class === "directive") {
        this.layout = conditionals.pass(token.text, this.layout);
        this.startLine(index, token, 0);
      } else if (isComment(token)) this.comment(index, token, startsLine);
      else this.code(index, token, this.facts[index]!, startsLine);
    }
    if (keptEnd === undefined) this.keepBackslash();
    else this.write(keptEnd.replace(/\n[ \t\n]*$/, "\n"));
    if (this.out !== "" && !this.out.endsWith("\n")) this.out += "\n";
    return { text: this.out, map: this.lines };
  }

  private code(index: number, token: Token, facts: Facts, startsLine: boolean): void {
    const more = this.columns.get(index) ?? 0;
    if (startsLine) {
      this.layout.line = indentOf(this.layout, token, facts);
      const continues = isContinuation(this.layout, token, facts);
      this.startLine(index, token, this.layout.line + more);
      this.place(index, token, undefined, continues);
    } else {
      const blank = this.blankBefore(index, token, facts);
      if (this.before?.facts.role === "open") this.openerGaps.set(this.before.index, blank);
      this.continueLine(token, " ".repeat((blank ? 1 : 0) + more), token.text);
      this.place(index, token, blank ? 1 : 0, false);
    }
    const firstCode = startsLine || this.isFirstCode(index);
    if (firstCode && !startsLine) this.layout.line = indentOf(this.layout, token, facts);
    advance(this.layout, token, facts, index, firstCode);
    this.before = { token, facts, index };
  }

  /** The token was just written. Lines that a backslash, a string or a comment continues have no columns, nor have those with tabs in strings. */
  private place(index: number, token: Token, gap: number | undefined, continues: boolean): void {
    this.goesOn(token);
    if (this.continued === this.lines.length) return;
    this.placed.push({ index, line: this.lines.length, column: this.column - token.text.length, gap, continues });
  }

  private goesOn(token: Token): void {
    if (token.keptGap === undefined && !/[\n\t]/.test(token.text)) return;
    this.continued = this.lines.length;
    while (this.placed.at(-1)?.line === this.continued) this.placed.pop();
  }

  /** Nothing but comments stands before it on its line. */
  private isFirstCode(index: number): boolean {
    for (let i = index; i >= 0; i--) {
      if (i !== index && !isComment(this.tokens[i]!)) return false;
      if (i === 0 || this.tokens[i]!.newlines > 0) return true;
    }
    return true;
  }

  private blankBefore(index: number, token: Token, facts: Facts): boolean {
    const { before } = this;
    // A comment stands between: its own blanks are the author's.
    if (!before || before.index !== index - 1)
      return token.spaced && facts.role !== "semicolon" && facts.role !== "comma";
    return hasBlank({
      a: before,
      b: { token, facts },
      next: this.tokens.slice(index + 1, index + 8).find(isCode),
      blankBeforeStars: this.starBlanks.before(facts.role === "declarator" ? index : before.index),
      blankAfterStars: this.starBlanks.after(facts.role === "declarator" ? index : before.index),
      openerGap: facts.opener === undefined ? undefined : this.openerGaps.get(facts.opener),
    });
  }

  private comment(index: number, token: Token, startsLine: boolean): void {
    if (startsLine) {
      const indent = this.commentIndent(index);
      this.startLine(index, token, indent, indent);
      return;
    }
    const previous = this.tokens[index - 1]!;
    const last = index + 1 === this.tokens.length || this.tokens[index + 1]!.newlines > 0;
    // Comments that end lines may stand in a column of their own.
    const width =
      last && isCode(previous) ? visualColumn(this.source, token.start) - visualColumn(this.source, previous.end) : 1;
    const blanks = token.spaced
      ? Math.max(width, 1)
      : last && token.class === "lineComment" && !touches(previous)
        ? 1
        : 0;
    if (this.before?.facts.role === "open") this.openerGaps.delete(this.before.index);
    this.continueLine(token, " ".repeat(blanks), token.text);
    this.goesOn(token);
  }

  private codeAfter = 0;

  /** Indentation of a comment that begins its line: that of the code it stands before. */
  private commentIndent(index: number): number {
    // Comments in a row stand before the same code.
    if (index >= this.codeAfter) {
      this.codeAfter = index;
      while (this.codeAfter < this.tokens.length && isComment(this.tokens[this.codeAfter]!)) this.codeAfter++;
    }
    const next = this.codeAfter;
    const token = this.tokens[next];
    const facts = this.facts[next];
    if (!token || !facts) return indentOfRest(this.layout);
    let sameLine = true;
    for (let at = index + 1; at <= next && sameLine; at++) sameLine = this.tokens[at]!.newlines === 0;
    if (facts.role === "close" && !sameLine) return indentOfRest(this.layout);
    if (token.text === "case" || token.text === "default") {
      // Before a label, the author's column tells whether it speaks of the label or of what stands above.
      const deeper = visualColumn(this.source, this.tokens[index]!.start) > visualColumn(this.source, token.start);
      if (deeper) return indentOfRest(this.layout);
    }
    return indentOf(this.layout, token, facts);
  }

  private startLine(index: number, token: Token, indent: number, commentColumn?: number): void {
    if (token.keptGap !== undefined) {
      this.write(token.keptGap);
      indent = 0;
    } else if (index > 0) {
      this.keepBackslash();
      this.write(token.newlines > 1 ? "\n\n" : "\n");
    }
    this.write(" ".repeat(indent));
    const start = this.out.length;
    this.write(commentColumn === undefined ? token.text : this.shifted(token));
    this.lines.push({ span: { start: token.start, end: token.end }, start, end: this.out.length });
  }

  private continueLine(token: Token, gap: string, text: string): void {
    this.write(token.keptGap ?? gap);
    this.write(token.class === "blockComment" ? this.shifted(token) : text);
    const line = this.lines.at(-1)!;
    this.lines[this.lines.length - 1] = {
      ...line,
      span: { start: line.span.start, end: token.end },
      end: this.out.length,
    };
  }

  /** A stray backslash at the end of a line must not become a line continuation. */
  private keepBackslash(): void {
    if (this.endsInBackslash) this.write(" ");
  }

  private write(text: string): void {
    if (text === "") return;
    this.out += text;
    this.endsInBackslash = text.endsWith("\\");
    const lineStart = text.lastIndexOf("\n") + 1;
    if (lineStart > 0) this.column = 0;
    this.column = columnAfter(text, lineStart, text.length, this.column);
  }

  /** A block comment's text for the current column: its lines move as far as its first. */
  private shifted(token: Token): string {
    if (token.class !== "blockComment" || !token.text.includes("\n")) return token.text;
    const shift = this.column - visualColumn(this.source, token.start);
    const [first, ...rest] = token.text.split("\n");
    return [first!, ...rest.map((line) => shiftedLine(line, shift))].join("\n");
  }
}

function shiftedLine(line: string, shift: number): string {
  const content = line.replace(/^[ \t]+/, "");
  if (content === "") return "";
  const column = columnAfter(line, 0, line.length - content.length, 0);
  return " ".repeat(Math.max(0, column + shift)) + content;
}

/** `a //` with a blank would be right, but the stray backslash and the like stay as they are. */
const touches = (token: Token): boolean => token.class === "stray";

/** The author's blanks around each group of `*` and `&` in declarators. */
class StarBlanks {
  constructor(
    private readonly tokens: readonly Token[],
    private readonly facts: readonly (Facts | undefined)[],
  ) {}

  private isStar(index: number): boolean {
    return this.facts[index]?.role === "declarator";
  }

  before(index: number): boolean {
    let at = index;
    while (this.isStar(at - 1)) at--;
    return this.tokens[at]!.spaced;
  }

  after(index: number): boolean | undefined {
    let at = index;
    while (this.isStar(at + 1)) at++;
    const next = this.tokens[at + 1];
    const role = this.facts[at + 1]?.role;
    // There the gap is not the author's.
    const decided: readonly (Role | undefined)[] = [
      "close",
      "comma",
      "semicolon",
      "labelColon",
      "templateOpen",
      "templateClose",
    ];
    return next === undefined || decided.includes(role) ? undefined : next.spaced;
  }
}
