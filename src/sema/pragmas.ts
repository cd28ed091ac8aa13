/** Pragmas that mean something for the tree. */
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

/** Whether a*b+c may be fused: the dialects allow it unless a pragma says otherwise. */
export function contractionOf(source: ExpandedSource): "allowed" | "off" {
  const off = source.directives.some(
    (d) =>
      d.kind === "pragma" && (/\bFP_CONTRACT\s+OFF\b/.test(d.text) || /\bfp\s+contract\s*\(\s*off\s*\)/.test(d.text)),
  );
  return off ? "off" : "allowed";
}
