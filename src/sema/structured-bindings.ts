/** `auto [a, b] = f();` (C++17 11.5): names for the parts of a variable that has none. */
import { i32Literal } from "../ast/builders.js";
import type * as syntax from "../ast/syntax.js";
import type { Span } from "../support/span.js";
import { componentCount, type StructType } from "../types/types.js";
import { listedMembers } from "./bit-fields.js";
import { error, exprValue, shown, type Sema, type Value } from "./context.js";
import type { Methods } from "./methods.js";
import { declareName, lookup } from "./scopes.js";

/** A declarator of the variable itself, named after its parts. */
export function wholeOfBindings(s: Sema, x: syntax.Declarator, names: readonly syntax.Identifier[]): syntax.Declarator {
  const { bindings: _bindings, ...rest } = x;
  let name = names.map((n) => n.name).join("_");
  while (lookup(s, name) || names.some((n) => n.name === name)) name += "_";
  return { ...rest, name: { ...names[0]!, name } };
}

export interface PartsOf {
  member(v: Value, name: string, span: Span): Value | undefined;
  element(v: Value, index: Value, span: Span): Value | undefined;
  /** What holds a base is no member that a name reaches. */
  base(v: Value, b: Methods["bases"][number], span: Span): Value | undefined;
}

/** `whole`: the variable. False where that has not as many parts as there are names. */
export function bindParts(
  s: Sema,
  names: readonly syntax.Identifier[],
  whole: (span: Span) => Value | undefined,
  parts: PartsOf,
  span: Span,
): boolean {
  const type = whole(span)?.type;
  if (!type) return false;
  // All that is not inherited, or all of one base.
  const bases = type.kind === "struct" ? (s.methods.get(type.name)?.bases ?? []) : [];
  const held = bases.filter((b) => b.member !== undefined);
  if (held.length > 0) {
    const [base, ...more] = held;
    const own = listedMembers(s, type as StructType).length > held.length;
    if (own || more.length > 0)
      return error(s, "XL2013", `${shown(s, type)} has parts of its own and of bases`, span) ?? false;
    const inBase = (at: Span): Value | undefined => {
      const v = whole(at);
      return v && parts.base(v, base!, at);
    };
    return bindParts(s, names, inBase, parts, span);
  }
  const members = type.kind === "struct" ? listedMembers(s, type) : undefined;
  const count =
    members?.length ?? (type.kind === "array" ? type.length : type.kind === "vector" && componentCount(type));
  if (typeof count !== "number")
    return error(s, "XL2013", `${shown(s, type)} has no parts that names could be given`, span) ?? false;
  if (count !== names.length)
    return (
      error(s, "XL2014", `${shown(s, type)} has ${count} parts, and there are ${names.length} names`, span) ?? false
    );
  const part = (v: Value, i: number, at: Span): Value | undefined =>
    members ? parts.member(v, members[i]!.name, at) : parts.element(v, exprValue(i32Literal(i, at)), at);
  return names.every((n, i) => {
    const make = (at: Span): Value => {
      const v = whole(at);
      return (v && part(v, i, at)) ?? { type: { kind: "void" } };
    };
    return declareName(s, n.name, { kind: "value", make, span: n.span });
  });
}
