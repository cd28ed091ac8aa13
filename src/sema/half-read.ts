/**
 * Statements and declarations in which something stands that is not supported: what else is said of them follows from that. A block of
 * clang is a declarator and a value that are not read, and then a pointer to a function and a lambda.
 */
import type * as syntax from "../ast/syntax.js";
import type { Problem } from "../support/diagnostics.js";
import { within, type Span } from "../support/span.js";

/** With no statement in them but in what has its own. */
const simple = new Set(["declaration-statement", "expression-statement", "return", "variable", "typedef"]);

/** The innermost of those that hold each of the offsets, which are in order. */
function around(unit: syntax.TranslationUnit, offsets: readonly number[]): readonly (Span | undefined)[] {
  const found: (Span | undefined)[] = offsets.map(() => undefined);
  const firstFrom = (offset: number): number => {
    let [low, high] = [0, offsets.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (offsets[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const left: unknown[] = [unit.declarations];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part !== "object" || part === null) continue;
    const { kind, span } = part as { readonly kind?: string; readonly span?: Span };
    if (kind !== undefined && span !== undefined) {
      const first = firstFrom(span.start);
      if (first === offsets.length || offsets[first]! >= span.end) continue;
      if (simple.has(kind)) for (let i = first; i < offsets.length && offsets[i]! < span.end; i++) found[i] = span;
    }
    for (const inner of Object.values(part)) left.push(inner);
  }
  return found;
}

/** `unsupported`, each thing once a statement; and of `others` those that stand in no such statement. */
export function withoutFollowing(
  unit: syntax.TranslationUnit,
  unsupported: readonly Problem[],
): { readonly unsupported: readonly Problem[]; readonly others: (problems: readonly Problem[]) => readonly Problem[] } {
  if (unsupported.length === 0) return { unsupported, others: (problems) => problems };
  const sorted = unsupported.toSorted((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
  const statements = around(
    unit,
    sorted.map((p) => p.span?.start ?? 0),
  );
  const said = new Set<string>();
  const once = sorted.filter((p, i) => {
    const key = `${statements[i]?.start ?? `at ${p.span?.start}`} ${p.code} ${p.message}`;
    if (said.has(key)) return false;
    said.add(key);
    return true;
  });
  const spans: Span[] = [];
  for (const x of statements.filter((x) => x !== undefined).sort((a, b) => a.start - b.start || b.end - a.end))
    if (x.start >= (spans.at(-1)?.end ?? 0)) spans.push(x);
  const isIn = ({ span }: Problem): boolean => span !== undefined && within(spans, span.start);
  return { unsupported: once, others: (problems) => problems.filter((p) => !isIn(p)) };
}
