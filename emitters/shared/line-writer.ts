/** Where a node of the tree ended up in the output. */
import type { Span } from "../../src/support/span.js";
import { lineBreaks } from "./line-breaks.js";

export interface OutputRange {
  /** Of the node, in the expanded source text. */
  readonly span: Span;
  /** Offsets into the output. */
  readonly start: number;
  readonly end: number;
}

export interface Printed {
  readonly text: string;
  /** Sorted by `start`; outer nodes before the nodes inside them. */
  readonly map: readonly OutputRange[];
}

/** Collects lines with indentation, and the output range of each node; in the end breaks those that are too long. */
export class LineWriter {
  /** Finished lines, without their line breaks; the last one may still grow. */
  private readonly lines: string[] = [];
  /** Characters of all lines but the last, line breaks included. */
  private before = 0;
  private open = false;
  private depth = 0;
  private readonly ranges: { span: Span; start: number; end: number }[] = [];
  /** Lines of comments, which stay as their author broke them. */
  private readonly comments = new Set<number>();

  private push(text: string): void {
    const last = this.lines.at(-1);
    if (last !== undefined) this.before += last.length + 1;
    this.lines.push(text);
  }

  /** Where the next character goes. */
  private get offset(): number {
    const last = this.lines.at(-1);
    return last === undefined ? 0 : this.before + last.length + (this.open ? 0 : 1);
  }

  private extend(text: string): void {
    this.lines[this.lines.length - 1] += text;
  }

  line(content: string): void {
    if (this.open) this.extend(content);
    else this.push(content === "" ? "" : "  ".repeat(this.depth) + content);
    this.open = false;
  }

  /** A line of a comment. */
  comment(content: string): void {
    this.line(content);
    this.comments.add(this.lines.length - 1);
  }

  /** An empty line, unless one stands there already or the text or a block just begins. */
  blank(): void {
    const last = this.lines.at(-1);
    if (last !== undefined && last !== "" && !last.endsWith("{")) this.line("");
  }

  /** Lets the next line, a comment or `else`, follow on the line just written. */
  reopen(): void {
    this.open = this.lines.length > 0;
  }

  /** Appends to the line just written. */
  append(content: string): void {
    this.open = false;
    this.extend(content);
  }

  indent(body: () => void): void {
    this.depth++;
    body();
    this.depth--;
  }

  get column(): number {
    return this.depth * 2;
  }

  /** Records what `body` writes as the output of the node at `span`. */
  mark(span: Span, body: () => void): void {
    if (span.end <= span.start) return body();
    const range = { span, start: this.offset, end: 0 };
    this.ranges.push(range);
    body();
    range.end = this.open ? this.offset : Math.max(range.start, this.offset - 1);
  }

  /** The text with long lines broken, and the ranges moved along. */
  private broken(): string {
    const edits: { readonly at: number; readonly blanks: number; readonly longer: number }[] = [];
    let start = 0;
    const texts = this.lines.map((line, i) => {
      let text = "";
      let kept = 0;
      for (const b of this.comments.has(i) ? [] : lineBreaks(line)) {
        text += `${line.slice(kept, b.at)}\n${" ".repeat(b.indent)}`;
        kept = b.at + b.blanks;
        edits.push({ at: start + b.at, blanks: b.blanks, longer: 1 + b.indent - b.blanks });
      }
      start += line.length + 1;
      return `${text}${line.slice(kept)}\n`;
    });
    if (edits.length > 0) {
      const longer = [0];
      for (const e of edits) longer.push(longer.at(-1)! + e.longer);
      /** Edits stand in the order of the text. */
      const moved = (offset: number): number => {
        let low = 0;
        let high = edits.length;
        while (low < high) {
          const middle = (low + high) >> 1;
          const { at, blanks } = edits[middle]!;
          if (offset >= at + blanks && offset > at) low = middle + 1;
          else high = middle;
        }
        return offset + longer[low]!;
      };
      for (const r of this.ranges) [r.start, r.end] = [moved(r.start), moved(r.end)];
    }
    return texts.join("");
  }

  finish(): Printed {
    while (this.lines.at(-1) === "") this.lines.pop();
    const text = this.broken();
    const blank = (at: number): boolean => text[at] === " " || text[at] === "\n";
    for (const r of this.ranges) {
      r.end = Math.min(r.end, text.length);
      while (r.start < r.end && blank(r.start)) r.start++;
      while (r.end > r.start && blank(r.end - 1)) r.end--;
    }
    const map = this.ranges.filter((r) => r.end > r.start).sort((a, b) => a.start - b.start || b.end - a.end);
    return { text, map };
  }
}
