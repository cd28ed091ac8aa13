/** Pragmas that mean something for the tree. */
import type { Contraction } from "../ast/contraction.js";
import type * as syntax from "../ast/syntax.js";
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

/** `FP_CONTRACT ON` and the like: what is said, of the text up to `end`. */
export interface ContractionPragma {
  readonly span: Span;
  readonly says: Contraction;
  /** The end of the compound statement it stands in; absent at file scope. */
  readonly end?: number;
  /** It stands in one after its first statement, or in a declaration. */
  readonly misplaced: boolean;
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
 * The pragmas of contraction, in order (C99 7.12.2, OpenCL C 3.0 6.9, clang): at file scope each holds up to the next, at the
 * start of a compound statement to its end.
 */
export function contractionPragmas(
  unit: syntax.TranslationUnit,
  source: ExpandedSource,
  words: ReadonlySet<string> | undefined,
): readonly ContractionPragma[] {
  if (!words) return [];
  const found = source.directives
    .flatMap(({ kind, text, span }) => {
      const says = kind === "pragma" ? contractionIn(text, words) : undefined;
      return says ? [{ says, span }] : [];
    })
    .sort((a, b) => a.span.start - b.span.start);
  if (found.length === 0) return [];
  const blocks = compoundStatements(unit.declarations);
  return found.map(({ says, span }) => {
    const holds = ({ span: s }: { readonly span: Span }): boolean => s.start < span.start && span.start < s.end;
    const block = blocks.filter(holds).at(-1);
    const declaration = unit.declarations.find((d) => d.kind !== "namespace" && holds(d));
    const misplaced = block ? block.statements.some((x) => x.span.start < span.start) : declaration !== undefined;
    return { says, span, misplaced, ...(block ? { end: block.span.end } : {}) };
  });
}

/** All of them, outer ones before those in them. */
function compoundStatements(tree: unknown): syntax.CompoundStatement[] {
  const found: syntax.CompoundStatement[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if (!Array.isArray(node) && (node as { kind?: unknown }).kind === "compound")
      found.push(node as syntax.CompoundStatement);
    for (const part of Object.values(node)) visit(part);
  };
  visit(tree);
  return found;
}

/** The last pragma that still holds there; without any, `a * b + c` may be fused in all dialects. */
export function contractionAt(pragmas: readonly ContractionPragma[], offset: number): Contraction {
  return pragmas.findLast((p) => p.span.start <= offset && offset < (p.end ?? Infinity))?.says ?? "allowed";
}
