/** What each part of an output was made of, and where that stands in the original files. */
import type { OutputRange } from "../../emitters/index.js";
import { locate } from "../support/expanded-source.js";
import type { ExpandedSource } from "../support/expanded-source.js";
import { lineColumn } from "../support/expanded-source.js";
import type { Location } from "../support/diagnostics.js";
import type { Span } from "../support/span.js";

/** A text and what its parts come from; `map` is sorted, outer ranges before those inside them. */
export interface MappedText {
  readonly code: string;
  readonly map: readonly OutputRange[];
  /** Spans are offsets into the source as it is written, not into the expanded text. */
  readonly formatted: boolean;
}

/** The compilation a text was made from. */
export interface Original {
  readonly fileName: string;
  readonly source: string;
  readonly expanded: ExpandedSource;
}

/** Leads spans of a text's map back to the original files, through macros and includes. */
export function originsOf(
  { formatted }: MappedText,
  { fileName, source, expanded }: Original,
): (span: Span) => Location {
  if (!formatted) return (span) => locate(expanded, span);
  return ({ start, end }) => {
    const from = lineColumn(source, start);
    const to = lineColumn(source, end);
    return { file: fileName, ...from, endLine: to.line, endColumn: to.column };
  };
}

/** A place from which on the text comes from `span`, or from nothing of the source. */
export interface Change {
  readonly at: number;
  readonly span?: Span;
}

/**
 * Where the innermost range changes, in the order of the text, one a place at most. Behind the last part of a range comes what
 * closes it: the end of its span.
 */
export function changesOf({ map }: MappedText): Change[] {
  const changes: Change[] = [];
  const put = (change: Change): void => {
    if (changes.at(-1)?.at === change.at) changes.pop();
    changes.push(change);
  };
  const open: OutputRange[] = [];
  const close = (upTo: number): void => {
    for (let last = open.at(-1); last && last.end <= upTo; last = open.at(-1)) {
      open.pop();
      const outer = open.at(-1)?.span;
      put({
        at: last.end,
        ...(outer ? { span: { start: Math.max(outer.start, outer.end - 1), end: outer.end } } : {}),
      });
    }
  };
  for (const range of map) {
    close(range.start);
    open.push(range);
    put({ at: range.start, span: range.span });
  }
  close(Infinity);
  return changes;
}
