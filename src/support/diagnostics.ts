import type { Code } from "./codes.js";
import type { Span } from "./span.js";

/**
 * A problem found while compiling. Spans are offsets into the expanded text; the api resolves them to places in the
 * original files (`Diagnostic`). Messages: lower case, one sentence, no full stop.
 */
export interface Problem {
  readonly severity: "error" | "warning" | "note";
  readonly code: Code;
  readonly message: string;
  readonly span?: Span;
  readonly notes?: readonly { readonly message: string; readonly span?: Span }[];
  readonly help?: string;
  /** Said of each declaration that has it; where all are listed, the first is enough. */
  readonly once?: true;
}

/** What a problem is told from others by: the same one may be said again with other notes. */
export const identityOf = ({ code, message, span }: Problem): string =>
  `${code} ${span?.start} ${span?.end} ${message}`;

/** A place in an original file. Lines and columns count from 1; columns count UTF-16 code units. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A problem with its places resolved to original files: what the API returns and the command line prints. */
export interface Diagnostic {
  readonly severity: "error" | "warning" | "note";
  readonly code: Code;
  readonly message: string;
  readonly location?: Location;
  readonly notes: readonly { readonly message: string; readonly location?: Location }[];
  readonly help?: string;
}

const keyOf = (code: Code, message: string): string => `${code} ${message}`;

/** Collects problems of one compilation; stages add, and stop at their end when there are errors. */
export class Problems {
  readonly list: Problem[] = [];
  /** Where in the list each was said last: there may be as many as lines. */
  private readonly said = new Map<string, number>();

  /** Takes back what was said after the first `count`. */
  truncate(count: number): void {
    for (const { code, message } of this.list.splice(count)) this.said.delete(keyOf(code, message));
  }

  /** Puts what `say` reports in front of what was said after the first `count`. */
  inFront(count: number, say: () => void): void {
    const later = this.list.slice(count);
    this.truncate(count);
    say();
    for (const problem of later) this.add(problem);
  }

  /** Whether this was said after the first `count`. */
  has(code: Code, message: string, count: number): boolean {
    const at = this.said.get(keyOf(code, message)) ?? -1;
    return at >= count && this.list[at]?.message === message && this.list[at].code === code;
  }

  add(problem: Problem): void {
    this.said.set(keyOf(problem.code, problem.message), this.list.length);
    this.list.push(problem);
  }

  error(code: Code, message: string, span?: Span, more: Pick<Problem, "notes" | "help" | "once"> = {}): void {
    this.add({ severity: "error", code, message, ...(span ? { span } : {}), ...more });
  }

  warning(code: Code, message: string, span?: Span, more: Pick<Problem, "notes" | "help" | "once"> = {}): void {
    this.add({ severity: "warning", code, message, ...(span ? { span } : {}), ...more });
  }

  get hasErrors(): boolean {
    return this.list.some((p) => p.severity === "error");
  }
}
