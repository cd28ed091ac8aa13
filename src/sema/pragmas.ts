/** Pragmas that mean something for the tree. */
import type { Contraction } from "../ast/contraction.js";
import type * as syntax from "../ast/syntax.js";
import { countAtMost } from "../support/count-at-most.js";
import type { Span } from "../support/span.js";
import type { FloatKind } from "../types/types.js";
import type { Directive, ExpandedSource } from "../support/expanded-source.js";

export const unrollPragma = /^#?\s*(?:pragma\s+)?(?:unroll|clang\s+loop\s+unroll)\s*\(?\s*(\w*)\s*\)?\s*$/;

export function unrollPragmas(source: ExpandedSource): readonly Directive[] {
  return source.directives
    .filter((d) => d.kind === "pragma" && unrollPragma.test(d.text.trim()))
    .sort((a, b) => a.span.start - b.span.start);
}

/**
 * Floats whose NaN, infinities and signed zeros a pragma keeps: `#pragma METAL fp math_mode(safe)`. One that holds for a part of
 * the text is taken to hold for all of it.
 */
export function specialNumbersOf(source: ExpandedSource): readonly FloatKind[] {
  const safe = source.directives.some(
    (d) => d.kind === "pragma" && /\bMETAL\s+fp\s+math_mode\s*\(\s*(?:safe|relaxed)\s*\)/.test(d.text),
  );
  return safe ? ["f16", "f32"] : [];
}

/** What is said of contraction from one place of the text on. */
export interface ContractionScope {
  readonly start: number;
  /** The end of the compound statement or function it is said of; absent of the file. Scopes lie in each other or apart. */
  readonly end?: number;
  readonly says: Contraction;
}

/** What a pragma says of contraction; `DEFAULT` is what compilers take without one. */
function contractionIn(text: string, words: ReadonlySet<string>): Contraction | undefined {
  const [, word, given] =
    /^\s*(?:#\s*pragma\s+)?(\w+)\s+(?:FP_CONTRACT\s+(ON|OFF|DEFAULT)\b|fp\s+.*\bcontract\s*\(\s*(?:on|off|fast)\s*\))/.exec(
      text,
    ) ?? [];
  if (word === undefined || !words.has(word)) return undefined;
  return given === "OFF" || /\bcontract\s*\(\s*off\b/.test(text) ? "off" : "allowed";
}

/**
 * What the pragmas of contraction say, in order (C99 7.12.2, OpenCL C 3.0 6.9, clang): at file scope each holds up to the next,
 * at the start of a compound statement to its end. Those that stand in one after its first statement, or in a declaration,
 * are misplaced.
 */
export function contractionPragmas(
  unit: syntax.TranslationUnit,
  source: ExpandedSource,
  words: ReadonlySet<string> | undefined,
): { readonly scopes: ContractionScope[]; readonly misplaced: readonly Span[] } {
  const found = (words ? source.directives : [])
    .flatMap(({ kind, text, span }) => {
      const says = kind === "pragma" ? contractionIn(text, words!) : undefined;
      return says ? [{ says, span }] : [];
    })
    .sort((a, b) => a.span.start - b.span.start);
  if (found.length === 0) return { scopes: [], misplaced: [] };
  const starts = found.map((p) => p.span.start);
  const blocks = innermost(compoundStatements(unit.declarations), starts);
  const declarations = innermost(
    unit.declarations.filter((d) => d.kind !== "namespace"),
    starts,
  );
  const misplaced = found.filter(({ span }, i) => {
    const first = blocks[i]?.statements[0];
    return blocks[i] ? first !== undefined && first.span.start < span.start : declarations[i] !== undefined;
  });
  return {
    scopes: found.map(({ says, span: { start } }, i) => ({ start, ...endOf(blocks[i]), says })),
    misplaced: misplaced.map((p) => p.span),
  };
}

const endOf = (block: syntax.CompoundStatement | undefined): { readonly end?: number } =>
  block ? { end: block.span.end } : {};

/** For each place, in order, the innermost part of the text around it; the parts in order, outer ones first. */
function innermost<T extends { readonly span: Span }>(
  parts: readonly T[],
  places: readonly number[],
): (T | undefined)[] {
  const open: T[] = [];
  let next = 0;
  return places.map((at) => {
    for (; next < parts.length && parts[next]!.span.start < at; next++) {
      while (open.length > 0 && open.at(-1)!.span.end <= parts[next]!.span.start) open.pop();
      open.push(parts[next]!);
    }
    while (open.length > 0 && open.at(-1)!.span.end <= at) open.pop();
    return open.at(-1);
  });
}

/** All of them, by their starts. */
function compoundStatements(tree: unknown): syntax.CompoundStatement[] {
  const found: syntax.CompoundStatement[] = [];
  const rest: unknown[] = [tree];
  while (rest.length > 0) {
    const node = rest.pop();
    if (typeof node !== "object" || node === null) continue;
    if (!Array.isArray(node) && (node as { kind?: unknown }).kind === "compound")
      found.push(node as syntax.CompoundStatement);
    for (const part of Object.values(node)) rest.push(part);
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}

/** What is said of each place; of what nothing is said, `a * b + c` may be fused in all dialects. */
export function contractionAt(scopes: readonly ContractionScope[]): (offset: number) => Contraction {
  /** From each of these places on, in order. */
  const steps: { readonly at: number; readonly says: Contraction }[] = [{ at: -1, says: "allowed" }];
  const open: { readonly end: number; readonly says: Contraction }[] = [{ end: Infinity, says: "allowed" }];
  const close = (before: number): void => {
    while (open.at(-1)!.end <= before) {
      const { end } = open.pop()!;
      steps.push({ at: end, says: open.at(-1)!.says });
    }
  };
  for (const { start, end = Infinity, says } of [...scopes].sort((a, b) => a.start - b.start)) {
    close(start);
    open.push({ end, says });
    steps.push({ at: start, says });
  }
  close(Number.MAX_VALUE);
  return (offset) => steps[countAtMost(steps, offset, (x) => x.at) - 1]!.says;
}
