/** One file as the preprocessor passes through it: its tokens, and what of it goes to the expanded text. */
import type { SourceForm } from "../dialects/ids.js";
import { languageFacts } from "../dialects/languages.js";
import type { Code } from "../support/codes.js";
import { continuationLength, Kind, Scanner } from "../support/scan.js";
import type { Span } from "../support/span.js";
import type { ExpandedText } from "./expanded-text.js";
import { ExpansionError, type PpToken, type TokenSource } from "./macros.js";

export interface IncludedFile {
  readonly name: string;
  readonly text: string;
}
/** There is such a file, and it is not to be read: what would let it be read, for a help. */
export interface RefusedInclude {
  readonly refused: string;
}
/** There is no such file: where one may be found, for a help. */
export interface MissingInclude {
  readonly missing: string;
}
export type FoundInclude = IncludedFile | RefusedInclude | MissingInclude;

/** Reads the tokens of one file, and brings everything it passes to the output. */
export class FileReader implements TokenSource {
  /** Nothing but white space and comments stands before the token on its line. */
  atLineStart = true;
  /** The same of the token to come. */
  private fresh = true;
  presumedFile: string;
  private readonly scanner: Scanner;
  /** Up to here the file is in the output. */
  private done = 0;
  private previousStart = 0;
  private previousEnd = 0;
  private lineDelta = 0;
  private lineAt = 0;
  private lineNumber = 1;
  private pending: PpComment[] = [];

  constructor(
    private readonly index: number,
    readonly source: IncludedFile,
    private readonly output: ExpandedText,
    private readonly form: SourceForm,
    private readonly report: (code: Code, message: string, span?: Span) => void,
  ) {
    this.scanner = new Scanner(source.text, 0, source.text.length, languageFacts[form].continuesLines.blanks);
    this.presumedFile = source.name;
  }

  get start(): number {
    return this.scanner.start;
  }
  get position(): number {
    return this.scanner.position;
  }

  text(): string {
    return this.source.text.slice(this.scanner.start, this.scanner.position);
  }

  // -------------------------------------------------------------- lines

  presumedLine(position = this.start): number {
    const { text } = this.source;
    for (let at = text.indexOf("\n", this.lineAt); at !== -1 && at < position; at = text.indexOf("\n", at + 1)) {
      this.lineNumber++;
      this.lineAt = at + 1;
    }
    return this.lineNumber + this.lineDelta;
  }

  /** The line after this one counts as `line`. */
  presumeLine(line: number, file: string | undefined): void {
    this.lineDelta = 0;
    this.lineDelta = line - (this.presumedLine(this.previousEnd) + 1);
    if (file !== undefined) this.presumedFile = file;
  }

  // -------------------------------------------------------------- tokens

  /** The next token; comments on the way are kept and blanked. */
  next(): Kind {
    for (;;) {
      const kind = this.scanner.next();
      if (this.scanner.lineBreak) this.fresh = true;
      if (kind === Kind.lineComment || kind === Kind.blockComment || kind === Kind.unterminatedComment) {
        this.checkContinuation(this.start);
        this.comment(kind);
        if (kind === Kind.blockComment && this.text().includes("\n")) this.fresh = true;
        this.passed();
        continue;
      }
      this.atLineStart = this.fresh;
      this.fresh = false;
      this.checkContinuation(this.start);
      this.passed();
      return kind;
    }
  }

  private passed(): void {
    this.previousStart = this.start;
    this.previousEnd = this.position;
  }

  /** A continued line that cuts a token in two would be read as two tokens, or as another number of them: `+` and `+`. */
  private checkContinuation(start: number): void {
    const { text } = this.source;
    const before = this.previousEnd;
    if (before === 0 || text.charCodeAt(before) !== 92) return;
    const { blanks } = languageFacts[this.form].continuesLines;
    let at = before;
    while (at < start) {
      const skip = continuationLength(text, at, blanks);
      if (skip === 0) return;
      at += skip;
    }
    const left = text.slice(this.previousStart, before);
    const joined = new Scanner(left + text.slice(start, this.position));
    joined.next();
    if (joined.position !== left.length)
      this.report("XL0013", "a token continues after a line continuation", this.spanOf(before, start));
  }

  private comment(kind: Kind): void {
    const start = this.start;
    const end = this.position;
    if (kind === Kind.unterminatedComment) {
      this.flush(start);
      const at = this.spanOf(start, start + 2);
      this.blankTo(end);
      this.report("XL0009", "the comment is never closed", at);
      return;
    }
    this.checkCommentEnd(kind);
    const comment = {
      text: this.text(),
      kind: kind === Kind.lineComment ? "line" : "block",
      ownLine: this.ownLine(start),
    } as const;
    if (this.using) {
      this.pending.push(comment);
      return;
    }
    this.flush(start);
    this.output.comments.push({
      ...comment,
      offset: this.output.length,
      end: this.output.length + (end - start),
    });
    this.blankTo(end);
  }

  private checkCommentEnd(kind: Kind): void {
    if (kind === Kind.lineComment) this.checkLineCommentEnd();
    else this.checkBlockCommentEnd();
  }

  /** The next line would be text here, and part of the comment to the dialect's compilers. */
  private checkLineCommentEnd(): void {
    if (this.position >= this.source.text.length) return;
    const { blanks, trigraph } = languageFacts[this.form].continuesLines;
    const text = this.text();
    const end = (blanks && /\\[ \t\v\f]+$/.exec(text)) || (trigraph && /\?\?\/[ \t\v\f]*$/.exec(text));
    if (!end) return;
    const what = end[0].startsWith("?") ? "`??/`, which is a backslash" : "a backslash and blanks";
    this.report(
      "XL0014",
      `this comment ends in ${what}: the next line belongs to it`,
      this.spanOf(this.start + end.index, this.position),
    );
  }

  /** A continued line between `*` and `/`: the comment would go on here, and ends there to the dialect's compilers. */
  private checkBlockCommentEnd(): void {
    const { blanks, trigraph } = languageFacts[this.form].continuesLines;
    const text = this.text();
    // Behind the opening, whose star ends nothing.
    for (let at = text.indexOf("*", 2); at !== -1; at = text.indexOf("*", at + 1)) {
      let end = at + 1;
      for (;;) {
        const isTrigraph = trigraph && text.startsWith("??/", end);
        const skip = isTrigraph
          ? continuationLength(`\\${text.slice(end + 3)}`, 0, blanks)
          : continuationLength(text, end, blanks);
        if (skip === 0) break;
        end += isTrigraph ? skip + 2 : skip;
      }
      if (end === at + 1 || text[end] !== "/") continue;
      const where = this.spanOf(this.start + at, this.start + end + 1);
      return this.report("XL0013", "this comment ends in a line continuation between `*` and `/`", where);
    }
  }

  private ownLine(start: number): boolean {
    const lineStart = this.source.text.lastIndexOf("\n", start - 1) + 1;
    return this.source.text.slice(lineStart, start).trim() === "";
  }

  // -------------------------------------------------------------- output

  private flush(to: number): void {
    if (to > this.done) {
      this.output.verbatim(this.index, this.done, to);
      this.done = to;
    }
  }

  private blankTo(to: number): void {
    if (to > this.done) {
      this.output.blank(this.index, this.done, to);
      this.done = to;
    }
  }

  /** The place in the expanded text of a piece that is not past the next thing to be written, or that is just written. */
  spanOf(start: number, end: number): Span {
    const shift = this.output.length - this.done;
    return { start: start + shift, end: end + shift };
  }

  finish(): void {
    this.flush(this.source.text.length);
  }

  // -------------------------------------------------------------- macro uses

  private using = false;

  /** Tokens after the current one are read as possible arguments; nothing is written meanwhile. */
  beginUse(): void {
    this.flush(this.start);
    this.using = true;
    this.pending = [];
  }

  abandonUse({ start, end }: Span): void {
    this.using = false;
    this.pending = [];
    this.scanner.position = end;
    this.previousStart = start;
    this.previousEnd = end;
    this.fresh = false;
  }

  endUse(name: string, start: number, text: string): void {
    const end = this.previousEnd;
    this.using = false;
    const following = this.source.text.slice(end, end + 2);
    const span = this.output.expansion(this.index, start, end, text, following);
    for (const comment of this.pending) {
      this.output.comments.push({
        ...comment,
        ownLine: false,
        offset: this.output.length,
        end: this.output.length,
      });
    }
    if (name !== "_Pragma") {
      const written = this.source.text
        .slice(start, end)
        .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ")
        .replace(/\\?\s+/g, " ");
      this.output.expansions.push({ span, name, written });
    }
    this.pending = [];
    this.done = end;
    this.scanner.position = end;
    this.fresh = false;
  }

  nextIsParen(): boolean {
    const { position } = this;
    const { previousStart, previousEnd } = this;
    const pending = this.pending.length;
    const kind = this.next();
    const result = kind === Kind.sign && this.text() === "(";
    this.scanner.position = position;
    this.previousStart = previousStart;
    this.previousEnd = previousEnd;
    this.fresh = false;
    this.pending.length = pending;
    return result;
  }

  read(): PpToken | undefined {
    const before = this.previousEnd;
    const kind = this.next();
    if (kind === Kind.end) return undefined;
    if (kind === Kind.sign && this.atLineStart && this.text() === "#") {
      throw new ExpansionError("a directive stands among the arguments of a macro");
    }
    return { kind, text: this.text(), spaced: this.start > before };
  }

  // -------------------------------------------------------------- directives

  /** The rest of the line after `#`, which is blank in the output. */
  directiveLine(): { readonly tokens: readonly PpToken[]; readonly text: string; readonly span: Span } {
    const hash = this.start;
    this.flush(hash);
    const outputStart = this.output.length;
    const tokens: PpToken[] = [];
    let end = this.position;
    // Joined at the end: to look at the end of a string that grows copies it.
    const parts = ["#"];
    for (;;) {
      const { position } = this.scanner;
      const kind = this.scanner.next();
      if (kind === Kind.end || this.scanner.lineBreak) {
        this.scanner.position = position;
        break;
      }
      if (kind === Kind.lineComment || kind === Kind.blockComment || kind === Kind.unterminatedComment) {
        this.checkContinuation(this.start);
        this.blankTo(this.start);
        this.comment(kind);
        parts.push(" ");
        this.passed();
        end = this.position;
        continue;
      }
      const spelled = this.text();
      const spaced = this.start > end || parts.at(-1) === " ";
      tokens.push({ kind, text: spelled, spaced });
      if (this.start > end) parts.push(" ");
      parts.push(spelled);
      this.checkContinuation(this.start);
      this.passed();
      end = this.position;
    }
    this.blankTo(end);
    this.fresh = false;
    return { tokens, text: parts.join("").trim(), span: { start: outputStart, end: this.output.length } };
  }

  /** Keeps the text of a pragma, a string literal. */
  pragma(literal: string): void {
    const text = literal.replace(/^L?"|"$/g, "").replace(/\\(["\\])/g, "$1");
    const at = this.output.length;
    this.output.directives.push({ kind: "pragma", text: `#pragma ${text}`, span: { start: at, end: at } });
  }

  // -------------------------------------------------------------- skipped text

  /** The next token of text that does not count: its comments are not kept, its quotes need not match. */
  nextSkipped(): Kind {
    for (;;) {
      const kind = this.scanner.next();
      if (this.scanner.lineBreak) this.fresh = true;
      if (kind === Kind.blockComment || kind === Kind.lineComment) {
        this.checkCommentEnd(kind);
        if (this.text().includes("\n")) this.fresh = true;
        continue;
      }
      this.atLineStart = this.fresh;
      this.fresh = false;
      this.passed();
      return kind;
    }
  }

  peekWord(): string {
    const { position, start } = this.scanner;
    const kind = this.scanner.next();
    const word = kind === Kind.word && !this.scanner.lineBreak ? this.text() : "";
    this.scanner.position = position;
    this.scanner.start = start;
    return word;
  }

  /** Text from `from` to `to` did not count. */
  dropTo(to: number, from: number): void {
    this.flush(from);
    const start = this.output.length;
    const text = this.source.text.slice(this.done, to);
    this.blankTo(to);
    if (text.trim() !== "") {
      this.output.directives.push({
        kind: "conditional-dropped",
        text,
        span: { start, end: this.output.length },
      });
    }
  }
}

interface PpComment {
  readonly text: string;
  readonly kind: "line" | "block";
  readonly ownLine: boolean;
}
