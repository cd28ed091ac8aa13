/** Forwarding references: `auto &&x = v`, and `T &&x` where T is a parameter of the template (C++14 14.8.2.1). */
import type { Type } from "../types/types.js";
import { asPlace, isLvalue, placeSpace, type NamedTypeInfo, type Sema, type Value } from "./context.js";

/** What `auto` of `auto &&` and T of `T &&` stand for: of a place a reference to it (C++14 14.8.2.1). */
export function forwarded(s: Sema, v: Value, type: Type): NamedTypeInfo {
  const { readOnly } = v;
  // A result that is const stays so, if it is an object (C++14 5 p6).
  if (!isLvalue(v)) return { type, ...(readOnly !== undefined && type.kind === "struct" ? { constant: true } : {}) };
  const { place } = asPlace(v);
  const space = place && !v.onWrite ? placeSpace(s, place) : "private";
  return { type, ...(readOnly === undefined ? {} : { constant: true }), reference: { space } };
}
