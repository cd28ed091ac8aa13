/** Structs that C++ does not copy as a whole, read and written by their members and the elements of arrays in them. */
import { assign, construct, element, i32Literal, load, member } from "../../ast/builders.js";
import type { Expr, Module, Place } from "../../ast/nodes.js";
import type { Span } from "../../support/span.js";
import type { Type } from "../../types/types.js";

/** Elements of arrays in such structs that are written out. */
const mostElements = 64;

export class MemberByMember {
  constructor(
    private readonly structs: Module["structs"],
    private readonly refuse: (span: Span) => void,
  ) {}

  /** The value of a place, of a struct that has the members of the place's own. */
  value(p: Place, type: Type, span: Span): Expr {
    const parts = this.parts(p, span);
    if (!parts) return load(p, span);
    const members = type.kind === "struct" ? this.structs.get(type.name)!.members : undefined;
    return construct(
      type,
      parts.map((x, i) => this.value(x, type.kind === "array" ? type.element : members![i]!.type, span)),
      span,
    );
  }

  /** What gives one place the value of another. */
  writes(to: Place, from: Place, span: Span): readonly Expr[] {
    const parts = this.parts(to, span);
    if (!parts) return [assign(to, load(from, span), span)];
    const given = this.parts(from, span)!;
    return parts.flatMap((p, i) => this.writes(p, given[i]!, span));
  }

  /** The members of a struct, or elements of an array; none of what is copied as it is. */
  private parts(p: Place, span: Span): readonly Place[] | undefined {
    const { type } = p;
    if (type.kind === "struct" && !type.union)
      return this.structs.get(type.name)!.members.map((m) => member(p, m.name, m.type, span));
    if (type.kind !== "array") {
      if (type.kind === "struct") this.refuse(span);
      return undefined;
    }
    if (type.length === undefined || type.length > mostElements) {
      this.refuse(span);
      return undefined;
    }
    return Array.from({ length: type.length }, (_, i) => element(p, i32Literal(i, span), span));
  }
}
