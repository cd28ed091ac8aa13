/**
 * Matrices stored by rows (`row_major`). Memory of the tree holds matrices by columns: what is stored by rows is stored
 * as the transposed matrix, and values that come from there or go there are transposed.
 */
import { binary, construct, elementValue, i32Literal, memberValue, opCall } from "../ast/builders.js";
import type { Expr, StructMember } from "../ast/nodes.js";
import { isPure } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import { array, matrix, named, type Type } from "../types/types.js";
import { type NamedTypeInfo, type Sema } from "./context.js";
import { uniqueStructName } from "./scopes.js";
import { after, held } from "./held-values.js";
import type { Qualifiers } from "./declared-types.js";

/** A matrix at any depth: what storing by rows is about. */
export function holdsMatrix(s: Sema, type: Type): boolean {
  switch (type.kind) {
    case "matrix":
      return true;
    case "array":
      return holdsMatrix(s, type.element);
    case "struct":
      return s.structs.get(type.name)?.members.some((m) => holdsMatrix(s, m.type)) ?? false;
    default:
      return false;
  }
}

/** What HLSL's words are about: structs have their own. */
export const isOfMatrices = (type: Type): boolean =>
  type.kind === "matrix" || (type.kind === "array" && isOfMatrices(type.element));

/** How the matrices of a declaration are stored, where it, its typedef or a pragma before it says so. */
export function orientation(s: Sema, q: Qualifiers, base: NamedTypeInfo, span: Span): NamedTypeInfo["stored"] {
  const says = (word: string): boolean => q.words.has(word) || q.layout.some((l) => l.name === word);
  if (says("row_major")) return "rows";
  if (says("column_major")) return "columns";
  const { storagePragma } = s.reading.declarations;
  if (base.stored || !storagePragma) return base.stored;
  let stored: NamedTypeInfo["stored"];
  for (const d of s.source.directives) {
    if (d.span.start > span.start) break;
    const given = d.kind === "pragma" ? storagePragma.exec(d.text)?.[1] : undefined;
    if (given) stored = given === "row" ? "rows" : "columns";
  }
  return stored;
}

/** The type as which a value of `type` is stored by rows, and back: matrices in it have rows and columns exchanged. */
export function exchanged(s: Sema, type: Type): Type {
  switch (type.kind) {
    case "matrix":
      return exchangedMatrix(type);
    case "array":
      return holdsMatrix(s, type) ? array(exchanged(s, type.element), type.length, type.written) : type;
    case "struct": {
      if (!holdsMatrix(s, type)) return type;
      const known = s.storedStructs.get(type.name);
      if (known) return { kind: "struct", name: known };
      const d = s.structs.get(type.name)!;
      const name = uniqueStructName(s, `${type.name}_by_rows`);
      const members = d.members.map((m): StructMember => ({
        ...m,
        type: exchanged(s, m.type),
        trivia: { leading: [], trailing: [], blankBefore: false },
      }));
      s.structs.set(name, {
        ...d,
        name,
        members,
        trivia: { leading: [], trailing: [], blankBefore: false },
        innerComments: [],
      });
      s.order.push({ kind: "struct", name });
      s.storedStructs.set(type.name, name);
      s.storedStructs.set(name, type.name);
      return { kind: "struct", name };
    }
    default:
      return type;
  }
}

/** What `e` is the transposed of, where that needs no operation. */
function transposedOf(e: Expr): Expr | undefined {
  if (e.kind === "op") return e.op === "geometry.transpose" ? e.arguments[0] : undefined;
  if (e.kind !== "binary" || (e.operator !== "add" && e.operator !== "sub" && e.operator !== "mul")) return undefined;
  const [l, r] = [e.left, e.right].map((x) => (x.type.kind === "scalar" ? x : transposedOf(x)));
  if (!l || !r || (e.operator === "mul" && l.type.kind !== "scalar" && r.type.kind !== "scalar")) return undefined;
  return binary(e.operator, l, r, e.span);
}

const exchangedMatrix = (type: Type): Type =>
  type.kind === "matrix" ? named(matrix(type.scalar, type.rows, type.columns), type) : type;

/** A product of linear algebra: two transposed matrices meet in the other order, a vector meets a transposed matrix from its other side. */
export function product(l: Expr, r: Expr, span: Span): Expr {
  const [a, b] = [transposedOf(l), transposedOf(r)];
  if (isPure(l) && isPure(r)) {
    if (a && r.type.kind === "vector") return binary("mul", r, a, span);
    if (b && l.type.kind === "vector") return binary("mul", b, l, span);
    if (a && b) {
      const made = binary("mul", b, a, span);
      return opCall("geometry.transpose", [made], exchangedMatrix(made.type), span);
    }
  }
  return binary("mul", l, r, span);
}

/** The value `e` of a type that has the matrices of `type` transposed, as one of `type`. */
export function transposed(s: Sema, e: Expr, type: Type, span: Span): Expr {
  switch (type.kind) {
    case "matrix":
      if (e.kind === "construct" && e.arguments.length === type.columns * type.rows && e.arguments.every(isPure)) {
        // Made of numbers, it is made in the other order.
        const { columns, rows } = type;
        return construct(
          type,
          Array.from({ length: columns * rows }, (_, i) => e.arguments[(i % rows) * columns + Math.floor(i / rows)]!),
          span,
        );
      }
      return transposedOf(e) ?? opCall("geometry.transpose", [e], type, span);
    case "array":
    case "struct": {
      if (!holdsMatrix(s, type)) return e;
      const { first, values } = held(s, [e], span);
      const [whole] = values as [Expr];
      const parts =
        type.kind === "array"
          ? Array.from({ length: type.length ?? 0 }, (_, i) =>
              transposed(s, elementValue(whole, i32Literal(i, span), span), type.element, span),
            )
          : s.structs
              .get(type.name)!
              .members.map((m) => transposed(s, memberValue(whole, m.name, exchanged(s, m.type), span), m.type, span));
      return after(first, construct(type, parts, span, true), span);
    }
    default:
      return e;
  }
}

/** Whether a member of a struct is stored by rows itself (HLSL), and the type its values have in the source. */
export function memberForm(
  s: Sema,
  struct: string,
  m: StructMember,
): { readonly byRows: boolean; readonly type: Type } {
  const byRows = s.byRows.get(struct)?.has(m.name) ?? false;
  return { byRows, type: byRows ? exchanged(s, m.type) : m.type };
}
