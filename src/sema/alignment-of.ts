/**
 * What `alignof` says beyond its operand's type, as clang has it: a typedef may say more than the type it names has, and a member that is
 * named lies where its struct puts it. Of what else is computed the type alone counts.
 */
import type * as syntax from "../ast/syntax.js";
import type { StructMember } from "../ast/nodes.js";
import type { Type } from "../types/types.js";
import { notYet, type NamedTypeInfo, type Sema } from "./context.js";

export interface AlignmentReader {
  readonly typeOf: (e: syntax.Expression) => Type | undefined;
  readonly named: (t: syntax.TypeSpecifier) => NamedTypeInfo | undefined;
}

/** Undefined where it is of the type alone, null after a problem. */
export function alignmentSaid(
  s: Sema,
  operand: syntax.Expression | syntax.TypeName,
  reader: AlignmentReader,
): number | null | undefined {
  if (operand.kind === "type-name") {
    const isOfType = s.alignedTypedefs && operand.derivations.every((d) => d.kind === "array");
    return isOfType ? reader.named(operand.specifier)?.aligned : undefined;
  }
  if (operand.kind === "parenthesized") return alignmentSaid(s, operand.expression, reader);
  if (operand.kind === "member") {
    const base = reader.typeOf(operand.base);
    const type = base?.kind === "pointer" ? base.pointee : base;
    const member = type?.kind === "struct" ? memberNamed(s, type.name, operand.name.name) : undefined;
    if (member) return member.align;
  }
  const more = operand.kind === "identifier" ? s.alignedVariables : undefined;
  return more || s.alignedTypedefs
    ? (notYet(
        s,
        "an alignment beside objects that say more than their types have is",
        operand.span,
        "write the number",
      ) ?? null)
    : undefined;
}

function memberNamed(s: Sema, struct: string, name: string): StructMember | undefined {
  for (const m of s.structs.get(struct)?.members ?? []) {
    if (m.name === name) return m;
    const inner = m.anonymous && m.type.kind === "struct" ? memberNamed(s, m.type.name, name) : undefined;
    if (inner) return inner;
  }
  return undefined;
}
