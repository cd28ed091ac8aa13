/** Kinds of numbers that a language stores and converts and computes nothing of: GLSL's `bfloat16_t` (GL_EXT_bfloat16). */
import type { Span } from "../support/span.js";
import { scalarOf, type Type } from "../types/types.js";
import { error, shown, type Sema } from "./context.js";

export function isStoredOnly(s: Sema, type: Type): boolean {
  const kind = scalarOf(type);
  return kind !== undefined && s.reading.expressions.storedOnly.has(kind);
}

export const convertStored = "convert it first: float(x), vec2(v)";

export const refusesStored = (s: Sema, spelled: string, type: Type, span: Span): undefined =>
  error(s, "XL2004", `'${spelled}' does not take ${shown(s, type)}`, span, { help: convertStored });
