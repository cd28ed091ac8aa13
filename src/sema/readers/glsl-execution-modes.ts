/** Execution modes that a text of GLSL asks for by their numbers in SPIR-V (GL_EXT_spirv_intrinsics). */
import type * as syntax from "../../ast/syntax.js";
import { carryTrivia, notYet, type Sema } from "../context.js";

/** SignedZeroInfNanPreserve, whose operand is the width of the floats. */
const keepsSpecialNumbers = 4461;
const kinds = new Map([
  [16, "f16"],
  [32, "f32"],
  [64, "f64"],
] as const);

export function executionMode(s: Sema, d: syntax.ExecutionMode): void {
  carryTrivia(s, d);
  const [mode, width, ...rest] = d.words.map((w) => Number(w.text));
  const kind = mode === keepsSpecialNumbers && rest.length === 0 ? kinds.get(width as 16 | 32 | 64) : undefined;
  if (kind === undefined) notYet(s, "execution modes of SPIR-V beside SignedZeroInfNanPreserve are", d.span);
  else {
    // Of several of one mode glslang (12 and 16) takes the last.
    s.specialNumbers.clear();
    s.specialNumbers.add(kind);
  }
}
