/**
 * Where structs of C and C++ have their members, where the source says more of it than their types do: `aligned` and `alignas`
 * (C++14 7.6.2, GNU), `packed` of a struct or a member (OpenCL C 3.0 section 6.12.1), and `#pragma pack`. As clang lays records out.
 */
import type * as syntax from "../ast/syntax.js";
import type { StructMember } from "../ast/nodes.js";
import { holdsPointers, layoutOf } from "../types/layout.js";
import type { Type } from "../types/types.js";
import { isAllowed, plainName } from "./attributes.js";
import { notYet, type Sema } from "./context.js";

/** `aligned` alone is the most that any type needs. */
export const isAlignment = (a: syntax.Attribute): boolean =>
  a.arguments === undefined
    ? a.form === "gnu" && plainName(a) === "aligned"
    : /^(aligned|alignas)$/.test(plainName(a)) && a.arguments.length === 1;

/** What `aligned` alone asks for: 16 bytes for every device that clang compiles OpenCL C for. */
export const greatestAlignment = 16;

export const isPacking = (a: syntax.Attribute): boolean =>
  /^(packed|gnu::packed)$/.test(plainName(a)) && a.arguments === undefined;

export const placesMembers = (a: syntax.Attribute): boolean => isAlignment(a) || isPacking(a);

/** Attributes of variables that change nothing a kernel computes, but for what `alignof` says of them. */
export function harmless(s: Sema, a: syntax.Attribute): boolean {
  if (isAlignment(a)) s.alignedVariables = true;
  return /^(maybe_unused|unused|aligned)$/.test(plainName(a)) || isAllowed(s, a);
}

/** What a struct says of itself, its members by their names, and how many bytes an attribute asks for; undefined with a problem. */
export interface Asked {
  readonly own: readonly syntax.Attribute[];
  readonly members: ReadonlyMap<string, readonly syntax.Attribute[]>;
  /** Of members whose types are typedefs that say one. */
  readonly ofTypes: ReadonlyMap<string, number>;
  readonly valueOf: (a: syntax.Attribute) => number | undefined;
}

/** The alignment of a struct, where it says so, and its members with theirs. */
export function alignedMembers(
  s: Sema,
  t: syntax.StructSpecifier,
  members: readonly StructMember[],
  { own, members: asked, ofTypes, valueOf }: Asked,
): { readonly align?: number; readonly members: readonly StructMember[] } {
  const most = mostAlignment(s, t);
  if (own.length + asked.size + ofTypes.size === 0 && most === undefined) return { members };
  if (s.language.memory !== "natural") return { members };
  if (members.some((m) => m.type.kind === "array" && m.type.length === undefined)) {
    notYet(s, "an alignment in a struct that ends in an open array is", t.span);
    return { members };
  }
  const greatest = (attributes: readonly syntax.Attribute[]): number =>
    attributes.filter(isAlignment).reduce((n, a) => Math.max(n, valueOf(a) ?? 1), 1);
  const packed = own.some(isPacking);
  const align = greatest(own);
  return {
    ...(align > 1 ? { align } : {}),
    members: members.map((m) => {
      const given = asked.get(m.name) ?? [];
      const ofType = ofTypes.get(m.name);
      if (!packed && given.length === 0 && most === undefined && ofType === undefined) return m;
      const least = packed || given.some(isPacking) ? 1 : Math.max(naturalAlignment(s, m.type), ofType ?? 1);
      const placed = Math.min(Math.max(least, greatest(given)), most ?? Infinity);
      if (m.anonymous && placed > 1)
        notYet(s, "a member without a name that is aligned by the struct it is in is", m.span);
      return { ...m, align: placed };
    }),
  };
}

/**
 * The type that a typedef with such attributes names: the one that it is given where it has no less alignment, and a packed vector where
 * it asks for that of a component (of MSL `packed_float4`). GNU lets others be asked for, which types here cannot say. Of more than the type
 * has, members of it are at multiples; its size stays.
 */
export function alignedType(
  s: Sema,
  type: Type,
  attributes: readonly syntax.Attribute[],
  valueOf: (e: syntax.Expression) => bigint | undefined,
): { readonly type: Type; readonly aligned?: number } | undefined {
  let made = type;
  let aligned = 1;
  for (const a of attributes.filter(isAlignment)) {
    const [argument] = a.arguments ?? [];
    const asked = argument ? valueOf(argument) : greatestAlignment;
    if (asked === undefined) return undefined;
    const known = type.kind === "scalar" || type.kind === "vector" || type.kind === "struct";
    if (known && !holdsPointers(type, s.structs) && Number(asked) >= naturalAlignment(s, type)) {
      if (Number(asked) > naturalAlignment(s, type)) aligned = Math.max(aligned, Number(asked));
      continue;
    }
    if (type.kind === "vector" && type.scalar !== "bool") {
      // One of three has the room of four all the same.
      made = type.size === 3 ? { ...type, size: 4, packed: true, first: 3 } : { ...type, packed: true };
      if (Number(asked) === naturalAlignment(s, made)) continue;
    }
    const help =
      "leave it out; a vector at any multiple of its component is what vload4 loads, and packed_float4 of MSL is";
    return notYet(s, `attribute '${a.name}' of a typedef is`, a.span, help);
  }
  return { type: made, ...(aligned > 1 ? { aligned } : {}) };
}

const naturalAlignment = (s: Sema, type: Type): number => layoutOf(type, "natural", s.structs).align;

const packPragma = /^#?\s*(?:pragma\s+)?pack\s*\(\s*([^)]*)\)/;

/** What `#pragma pack` says in front of a struct: the most that a member is aligned to. A number alone changes what is on top. */
export function mostAlignment(s: Sema, { span }: syntax.StructSpecifier): number | undefined {
  let now: number | undefined;
  const stack: { readonly label: string | undefined; readonly most: number | undefined }[] = [];
  for (const d of s.source.directives) {
    if (d.kind !== "pragma" || d.span.start > span.start) continue;
    const words = packPragma
      .exec(d.text.trim())?.[1]
      ?.split(",")
      .map((w) => w.trim())
      .filter((w) => w !== "");
    if (!words) continue;
    const number = words.find((w) => /^\d/.test(w));
    const label = words.slice(1).find((w) => /^[A-Za-z_]/.test(w));
    if (words[0] === "push") stack.push({ label, most: now });
    else if (words[0] === "pop") {
      const to = label === undefined ? stack.length - 1 : stack.findLastIndex((x) => x.label === label);
      if (to >= 0) now = stack.splice(to)[0]!.most;
    } else if (words.length === 0) now = undefined;
    // `pack(0)` is the layout without one.
    if (number !== undefined) now = Number(number) || undefined;
  }
  return now;
}
