/** `__builtin_offsetof(T, member)` of C and C++, and `offsetof`, which their headers make of it: bytes from the start of a struct. */
import type * as syntax from "../ast/syntax.js";
import { sizeType } from "../dialects/type-names.js";
import { arrayStride, holdsPointers, memberOffsets } from "../types/layout.js";
import type { Span } from "../support/span.js";
import type { Type } from "../types/types.js";
import { error, exprValue, notYet, type Sema, type Value, shown } from "./context.js";
import { lookup } from "./scopes.js";

/** How types and numbers among the arguments are read. */
export interface OffsetReading {
  readonly type: (e: syntax.Expression) => Type | undefined;
  readonly index: (e: syntax.Expression) => bigint | undefined;
}

/** The value of such a call; "none" where it is another one. */
export function offsetOf(
  s: Sema,
  callee: syntax.Identifier,
  e: syntax.Call,
  reading: OffsetReading,
): Value | undefined | "none" {
  const { memory } = s.language;
  if (memory !== "natural" || !/^(?:__builtin_)?offsetof$/.test(callee.name) || lookup(s, callee.name)) return "none";
  const [type, path, ...more] = e.arguments;
  if (!type || !path || more.length > 0)
    return error(s, "XL2005", `${callee.name} takes a struct and a member of it`, e.span);
  const of = reading.type(type);
  if (!of) return error(s, "XL2005", `the first argument of ${callee.name} is a struct`, type.span);
  if (holdsPointers(of, s.structs)) return notYet(s, `${callee.name} of a struct with pointers is`, e.span);
  const place = offsetIn(s, of, path, reading.index);
  return place && exprValue({ kind: "literal", type: sizeType, value: place.bytes, span: e.span });
}

/** Where `m`, `m.n` or `m[2].n` lies in a struct. */
function offsetIn(s: Sema, whole: Type, path: syntax.Expression, index: OffsetReading["index"]): Part | undefined {
  if (path.kind === "parenthesized") return offsetIn(s, whole, path.expression, index);
  if (path.kind === "identifier") return memberIn(s, whole, path.name, path.span);
  if (path.kind === "member" && !path.arrow) {
    const base = offsetIn(s, whole, path.base, index);
    const member = base && memberIn(s, base.type, path.name.name, path.span);
    return member && { bytes: base.bytes + member.bytes, type: member.type };
  }
  if (path.kind === "index") {
    const base = offsetIn(s, whole, path.base, index);
    const at = base && index(path.index);
    if (at === undefined || !base) return undefined;
    if (base.type.kind !== "array") return error(s, "XL2012", `${shown(s, base.type)} has no elements`, path.span);
    const stride = arrayStride(base.type.element, "natural", s.structs);
    return { bytes: base.bytes + Number(at) * stride, type: base.type.element };
  }
  return error(s, "XL2005", "a member is named here", path.span);
}

interface Part {
  readonly bytes: number;
  readonly type: Type;
}

const memberIn = (s: Sema, type: Type, name: string, span: Span): Part | undefined =>
  memberOf(s, type, name) ?? error(s, "XL2012", `${shown(s, type)} has no member '${name}'`, span);

/** Members of those without a name, too. */
function memberOf(s: Sema, type: Type, name: string): Part | undefined {
  const d = type.kind === "struct" ? s.structs.get(type.name) : undefined;
  if (!d) return undefined;
  const offsets = memberOffsets(d, "natural", s.structs);
  for (const [i, m] of d.members.entries()) {
    if (m.name === name) return { bytes: offsets[i]!, type: m.type };
    const inside = m.anonymous ? memberOf(s, m.type, name) : undefined;
    if (inside) return { bytes: offsets[i]! + inside.bytes, type: inside.type };
  }
  return undefined;
}
