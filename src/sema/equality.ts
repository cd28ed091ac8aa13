/** `==` and `!=` of whole matrices, arrays and structs, as GLSL has them: all parts are equal, or some part is not. */
import { binary, elementValue, i32Literal, logical, memberValue, opCall } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import type { Span } from "../support/span.js";
import { bool, type Type } from "../types/types.js";
import { error, type Sema, shown } from "./context.js";
import { after, held } from "./held-values.js";

/** Beyond this the text of a comparison helps nobody. */
const mostParts = 256;

/** "no whole" where the operands are scalars or vectors. */
export function wholeComparison(
  s: Sema,
  operator: "eq" | "ne",
  l: Expr,
  r: Expr,
  span: Span,
): Expr | undefined | "no whole" {
  const { type } = l;
  if (type.kind !== "matrix" && type.kind !== "array" && type.kind !== "struct") return "no whole";
  if (partsOf(s, type) > mostParts)
    return error(
      s,
      "XL1900",
      `comparing ${shown(s, type)} as a whole, which has more than ${mostParts} parts, is not supported yet`,
      span,
    );
  const { first, values } = held(s, [l, r], span);
  return after(first, compared(s, operator, values[0]!, values[1]!, span), span);
}

function partsOf(s: Sema, type: Type): number {
  switch (type.kind) {
    case "matrix":
      return type.columns;
    case "array":
      return (type.length ?? Infinity) * partsOf(s, type.element);
    case "struct":
      return (s.structs.get(type.name)?.members ?? []).reduce((sum, m) => sum + partsOf(s, m.type), 0);
    default:
      return 1;
  }
}

function compared(s: Sema, operator: "eq" | "ne", l: Expr, r: Expr, span: Span): Expr {
  const joined = (parts: readonly Expr[]): Expr =>
    parts.reduce((a, b) => logical(operator === "eq" ? "and" : "or", a, b, span));
  const elements = (n: number): Expr =>
    joined(
      Array.from({ length: n }, (_, i) =>
        compared(
          s,
          operator,
          elementValue(l, i32Literal(i, span), span),
          elementValue(r, i32Literal(i, span), span),
          span,
        ),
      ),
    );
  const { type } = l;
  switch (type.kind) {
    case "matrix":
      return elements(type.columns);
    case "array":
      return elements(type.length ?? 0);
    case "struct": {
      const { members } = s.structs.get(type.name)!;
      const memberOf = (e: Expr, i: number): Expr =>
        e.kind === "construct" && e.arguments.length === members.length
          ? e.arguments[i]!
          : memberValue(e, members[i]!.name, members[i]!.type, span);
      return joined(members.map((_, i) => compared(s, operator, memberOf(l, i), memberOf(r, i), span)));
    }
    case "vector": {
      const each = binary(operator, l, r, span);
      return opCall(operator === "eq" ? "logic.all" : "logic.any", [each], bool, span);
    }
    default:
      return binary(operator, l, r, span);
  }
}
