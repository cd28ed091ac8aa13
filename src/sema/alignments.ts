/**
 * Alignments that structs and their members ask for (C++14 7.6.2, GNU's `aligned`). They are taken where all members lie as they do
 * without them; what moves a member or makes a struct longer is refused.
 */
import type * as syntax from "../ast/syntax.js";
import { holdsPointers, layoutOf, memberOffsets } from "../types/layout.js";
import type { Span } from "../support/span.js";
import type { StructType, Type } from "../types/types.js";
import { plainName } from "./attributes.js";
import { notYet, type Sema } from "./context.js";

export const isAlignment = (a: syntax.Attribute): boolean =>
  /^(aligned|alignas)$/.test(plainName(a)) && a.arguments?.length === 1;

/** The alignment that a type has beyond that of its members. */
export function raisedAlignment(s: Sema, type: Type): number {
  if (type.kind === "array") return raisedAlignment(s, type.element);
  return type.kind === "struct" ? (s.raisedAlignments.get(type.name) ?? 1) : 1;
}

/** `members`: what they ask for, by name. `valueOf`: how many bytes are asked for; undefined with a problem. */
export function settleAlignment(
  s: Sema,
  type: StructType,
  own: readonly syntax.Attribute[],
  members: ReadonlyMap<string, readonly syntax.Attribute[]>,
  valueOf: (a: syntax.Attribute) => number | undefined,
): void {
  const declared = s.structs.get(type.name)!;
  const asks = own.length + members.size > 0 || declared.members.some((m) => raisedAlignment(s, m.type) > 1);
  if (!asks) return;
  // An object with pointers is in no memory that others see.
  if (s.language.memory !== "natural" || holdsPointers(type, s.structs)) return;
  const offsets = memberOffsets(declared, "natural", s.structs);
  const { size, align } = layoutOf(type, "natural", s.structs);
  let most = align;
  const ask = (n: number | undefined, fits: (n: number) => boolean, { span }: { readonly span: Span }): void => {
    if (n === undefined) return;
    if (fits(n)) most = Math.max(most, n);
    else notYet(s, "an alignment that moves a member or makes the struct longer is", span);
  };
  declared.members.forEach((m, i) => {
    const moves = (n: number): boolean => offsets[i]! % n === 0 && size % n === 0;
    for (const a of members.get(m.name) ?? []) ask(valueOf(a), moves, a);
    const raised = raisedAlignment(s, m.type);
    if (raised > 1) ask(raised, moves, m);
  });
  for (const a of own) ask(valueOf(a), (n) => size % n === 0, a);
  if (most > align) s.raisedAlignments.set(type.name, most);
}
