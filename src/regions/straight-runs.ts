/** Which statements run whenever the first of them does: what coverage counts together. */
import type { Module, Statement } from "../ast/nodes.js";
import { assertNever } from "../support/assert-never.js";
import type { Span } from "../support/span.js";

/** A list in parts; a part ends with a statement after which control flow may be elsewhere. */
export function straightRuns(list: readonly Statement[]): Statement[][] {
  const runs: Statement[][] = [];
  let open: Statement[] | undefined;
  for (const s of list) {
    if (!open) runs.push((open = []));
    open.push(s);
    if (mayLeave(s)) open = undefined;
  }
  return runs;
}

/** The source has it: what passes add has no place. */
export const isWritten = ({ start, end }: Span): boolean => end > start;

/**
 * The places of what a statement does itself: what is inside it counts for itself. Declarations without a value do nothing. What
 * begins where the name of a parameter stands (`parameters`) is none of the source's: passes start variables from them.
 */
export const ownSpans = (s: Statement, parameters: ReadonlySet<number>): Span[] =>
  spansOf(s).filter((span) => isWritten(span) && !parameters.has(span.start));

function spansOf(s: Statement): Span[] {
  switch (s.kind) {
    case "block":
    case "do-while":
      // The condition of a do-while comes after its body, which may leave it before.
      return [];
    case "declare":
      return s.initializer ? [s.span] : [];
    case "if":
    case "while":
      return [s.condition.span];
    case "switch":
      return [s.value.span];
    case "for":
      return [...s.initializer.flatMap(spansOf), s.condition ? s.condition.span : s.span];
    case "expression":
    case "break":
    case "continue":
    case "return":
    case "barrier":
      return [s.span];
    default:
      return assertNever(s);
  }
}

/** Where the names of parameters and resources stand. */
export const parameterStarts = ({ variables }: Module): ReadonlySet<number> =>
  new Set(
    [...variables.values()].flatMap((v) => (v.role === "parameter" || v.role === "resource" ? [v.span.start] : [])),
  );

const leaving = new WeakMap<Statement, boolean>();

/** Holds a jump, which may lead past what follows. Each statement is looked at once. */
function mayLeave(s: Statement): boolean {
  let known = leaving.get(s);
  if (known === undefined) leaving.set(s, (known = looksLeaving(s)));
  return known;
}

function looksLeaving(s: Statement): boolean {
  switch (s.kind) {
    case "break":
    case "continue":
    case "return":
      return true;
    case "block":
      return s.statements.some(mayLeave);
    case "if":
      return mayLeave(s.then) || (s.else !== undefined && mayLeave(s.else));
    case "for":
    case "while":
    case "do-while":
      return mayLeave(s.body);
    case "switch":
      return s.cases.some((c) => c.body.some(mayLeave));
    case "declare":
    case "expression":
    case "barrier":
      return false;
    default:
      return assertNever(s);
  }
}
