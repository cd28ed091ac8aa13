/**
 * Bit-fields of HLSL 2021, in words: where they lie is what DXC lists, which is as clang has it for ints. The first has the lowest
 * bits of its word; one that does not fit begins the next.
 */
import { binary, convert, literal } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import type { Span } from "../support/span.js";
import { layoutOf } from "../types/layout.js";
import { i32, type Type } from "../types/types.js";
import type { Sema } from "./context.js";

export interface BitField {
  /** The member that holds it, a `uint`. */
  readonly word: string;
  readonly offset: number;
  readonly width: number;
  readonly type: Type;
  readonly span: Span;
}

/** The bit-fields of the members of a struct as they are gathered; `open`: the word that takes more. */
export interface BitFields {
  readonly fields: Map<string, BitField>;
  open?: { readonly word: string; used: number } | undefined;
}

/** Whether a member behind bit-fields begins at a word of its own: smaller ones may lie in what those leave of theirs. */
export const beginsWord = (s: Sema, type: Type): boolean => layoutOf(type, "natural", s.structs).align >= 4;

export function fieldOf(s: Sema, type: Type, name: string): BitField | undefined {
  return type.kind === "struct" ? s.bitFields.get(type.name)?.get(name) : undefined;
}

/** A struct, or what holds one, whose members are not all what its declaration says. */
export const holdsBitFields = (s: Sema, type: Type): boolean =>
  type.kind === "array"
    ? holdsBitFields(s, type.element)
    : type.kind === "struct" &&
      (s.bitFields.has(type.name) ||
        (s.structs.get(type.name)?.members.some((m) => holdsBitFields(s, m.type)) ?? false));

export const wordOf = (n: number, span: Span): Expr => literal("u32", n >>> 0, span);
export const maskOf = (width: number): number => (width === 32 ? 0xffffffff : 2 ** width - 1);

/** The value of a field in its word. */
export function extracted(whole: Expr, { offset, width, type }: BitField, span: Span): Expr {
  const above = 32 - offset - width;
  if (type.kind === "scalar" && type.scalar === "i32") {
    const top = above === 0 ? whole : binary("shl", whole, wordOf(above, span), span);
    const signed = convert(top, i32, true, span);
    return width === 32 ? signed : binary("shr", signed, wordOf(32 - width, span), span);
  }
  const low = offset === 0 ? whole : binary("shr", whole, wordOf(offset, span), span);
  return above === 0 ? low : binary("and", low, wordOf(maskOf(width), span), span);
}
