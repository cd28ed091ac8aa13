/** Where a node of the tree ended up in the output. */
import type { Span } from "../../src/support/span.js";

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

/** Collects lines with indentation, and the output range of each node. */
export class LineWriter {
  private text = "";
  private depth = 0;
  private readonly ranges: { span: Span; start: number; end: number }[] = [];

  line(content: string): void {
    this.text += content === "" ? "\n" : "  ".repeat(this.depth) + content + "\n";
  }

  /** An empty line, unless one stands there already or the text or a block just begins. */
  blank(): void {
    if (this.text !== "" && !this.text.endsWith("\n\n") && !this.text.endsWith("{\n")) this.text += "\n";
  }

  /** Removes the line break just written, so that a comment or `else` can follow on the same line. */
  reopen(): void {
    if (this.text.endsWith("\n")) this.text = this.text.slice(0, -1);
  }

  /** Appends to the line just written. */
  append(content: string): void {
    this.reopen();
    this.text += content + "\n";
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
    const range = { span, start: this.text.length, end: 0 };
    this.ranges.push(range);
    body();
    range.end = this.text.length;
    while (range.start < range.end && /\s/.test(this.text[range.start]!)) range.start++;
    while (range.end > range.start && /\s/.test(this.text[range.end - 1]!)) range.end--;
  }

  finish(): Printed {
    const text = this.text.replace(/\n+$/, "\n");
    const map = this.ranges.filter((r) => r.end > r.start).sort((a, b) => a.start - b.start || b.end - a.end);
    return { text, map };
  }
}
