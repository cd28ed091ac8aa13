import type {
  Comment,
  Directive,
  MacroDefinition,
  MacroExpansion,
  Segment,
  SourceFile,
} from "../support/expanded-source.js";
import type { ExpandedSource } from "../support/expanded-source.js";
import { wouldJoin } from "../support/scan.js";

/** Writes the expanded text with the table that leads back to the files. */
export class ExpandedText {
  readonly files: SourceFile[] = [];
  readonly comments: Comment[] = [];
  readonly directives: Directive[] = [];
  readonly expansions: MacroExpansion[] = [];
  readonly macros = new Map<string, MacroDefinition>();
  length = 0;
  private readonly chunks: string[] = [];
  private readonly segments: Segment[] = [];
  private lastCharacters = "";

  /** A piece of a file, as it is. */
  verbatim(file: number, start: number, end: number): void {
    this.inStep(file, start, end, this.files[file]!.text.slice(start, end));
  }

  /** A piece of a file with only its line breaks left. */
  blank(file: number, start: number, end: number): void {
    const original = this.files[file]!.text.slice(start, end);
    const text = original.includes("\n") ? original.replace(/[^\n]/g, " ") : " ".repeat(original.length);
    this.inStep(file, start, end, text);
  }

  private inStep(file: number, start: number, end: number, text: string): void {
    if (end <= start) return;
    const last = this.segments.at(-1);
    if (last && last.kind === "verbatim" && last.file === file && last.originEnd === start) {
      this.segments[this.segments.length - 1] = { ...last, end: last.end + (end - start), originEnd: end };
    } else {
      const at = this.length;
      this.segments.push({
        start: at,
        end: at + (end - start),
        kind: "verbatim",
        file,
        originStart: start,
        originEnd: end,
      });
    }
    this.append(text);
  }

  /** Text that a macro's use at `start..end` became. `following` is what stands after the use. */
  expansion(file: number, start: number, end: number, text: string, following: string): { start: number; end: number } {
    let padded = text;
    let lead = 0;
    if (text === "") {
      if (wouldJoin(this.lastCharacters, following)) padded = " ";
    } else {
      if (wouldJoin(this.lastCharacters, text)) {
        padded = ` ${padded}`;
        lead = 1;
      }
      if (wouldJoin(text.slice(-2), following)) padded += " ";
    }
    const from = this.length + lead;
    if (padded !== "") {
      const at = this.length;
      this.segments.push({
        start: at,
        end: at + padded.length,
        kind: "expansion",
        file,
        originStart: start,
        originEnd: end,
      });
      this.append(padded);
    }
    return { start: from, end: from + text.length };
  }

  private append(text: string): void {
    this.chunks.push(text);
    this.length += text.length;
    this.lastCharacters = (this.lastCharacters + text.slice(-2)).slice(-2);
  }

  finish(): ExpandedSource {
    return {
      text: this.chunks.join(""),
      files: this.files,
      segments: this.segments,
      comments: this.comments,
      macros: [...this.macros.values()],
      expansions: this.expansions,
      directives: this.directives,
    };
  }
}
