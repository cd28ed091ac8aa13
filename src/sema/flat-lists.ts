/**
 * HLSL's lists and constructors: whatever is given, and however it is grouped, is a row of numbers, which fill the parts of the
 * type in order; matrices go by rows. There are exactly as many as the type has. Casts may leave some over.
 */
import { construct, elementValue, i32Literal, memberValue, swizzleValue } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import { implicitConversion } from "../dialects/conversions.js";
import { append } from "../support/append.js";
import type { Span } from "../support/span.js";
import { sameType, shapedLike, type Type } from "../types/types.js";
import type * as syntax from "../ast/syntax.js";
import { holdsBitFields, sharesWords } from "./bit-fields.js";
import { error, notYet, type Sema, shown } from "./context.js";
import type { DeclaredType, Qualifiers } from "./declared-types.js";
import { after, held } from "./held-values.js";
import { conversion } from "./conversion.js";
import { exchanged, memberForm, transposed } from "./matrix-rows.js";

/** Of how many numbers a type is made; undefined of what has no fixed number, or is no number. */
export function leafCount(s: Sema, type: Type): number | undefined {
  switch (type.kind) {
    case "scalar":
      return 1;
    case "vector":
      return type.size;
    case "matrix":
      return type.columns * type.rows;
    case "array": {
      const one = leafCount(s, type.element);
      return type.length === undefined || one === undefined ? undefined : one * type.length;
    }
    case "struct": {
      const counts = s.structs.get(type.name)?.members.map((m) => leafCount(s, m.type));
      return counts?.every((n) => n !== undefined) ? counts.reduce((a, b) => a + b, 0) : undefined;
    }
    case "pointer":
      // A buffer counts as one.
      return type.object === undefined ? undefined : 1;
    default:
      return undefined;
  }
}

/** The numbers of a value, which may be named more than once. */
function leavesOf(s: Sema, e: Expr, span: Span): Expr[] {
  const { type } = e;
  switch (type.kind) {
    case "vector":
      return Array.from({ length: type.size }, (_, i) => swizzleValue(e, [i], span));
    case "matrix":
      return Array.from({ length: type.columns * type.rows }, (_, i) => {
        const column = elementValue(e, i32Literal(i % type.columns, span), span);
        return elementValue(column, i32Literal(Math.floor(i / type.columns), span), span);
      });
    case "array":
      return Array.from({ length: type.length ?? 0 }, (_, i) => i).flatMap((i) =>
        leavesOf(s, elementValue(e, i32Literal(i, span), span), span),
      );
    case "struct":
      return s.structs.get(type.name)!.members.flatMap((m) => {
        const form = memberForm(s, type.name, m);
        const value = memberValue(e, m.name, m.type);
        return leavesOf(s, form.byRows ? transposed(s, value, exchanged(s, m.type), span) : value, span);
      });
    default:
      return [e];
  }
}

/** A value of `type` of the next of `leaves`. */
function filled(s: Sema, type: Type, leaves: Expr[], explicit: boolean, span: Span): Expr {
  const next = (to: Type): Expr => {
    const leaf = leaves.shift()!;
    if (to.kind === "pointer" && sameType(leaf.type, to)) return leaf;
    if (implicitConversion(s.form, leaf.type, to, "initializer") === undefined)
      error(s, "XL2003", `${shown(s, leaf.type)} does not convert to ${shown(s, to)}`, leaf.span);
    return conversion(s, leaf, to, explicit, span);
  };
  switch (type.kind) {
    case "vector":
      return construct(
        type,
        Array.from({ length: type.size }, () => next(shapedLike(type, 1))),
        span,
      );
    case "matrix": {
      const { columns, rows } = type;
      const byRow = Array.from({ length: columns * rows }, () => next(shapedLike(type, 1)));
      const parts = byRow.map((_, i) => byRow[(i % rows) * columns + Math.floor(i / rows)]!);
      return construct(type, parts, span);
    }
    case "array":
      return construct(
        type,
        Array.from({ length: type.length ?? 0 }, () => filled(s, type.element, leaves, explicit, span)),
        span,
        true,
      );
    case "struct": {
      const parts = s.structs.get(type.name)!.members.map((m) => {
        const form = memberForm(s, type.name, m);
        const part = filled(s, form.type, leaves, explicit, span);
        return form.byRows ? transposed(s, part, m.type, span) : part;
      });
      return construct(type, parts, span, true);
    }
    default:
      return next(type);
  }
}

const listOfBitFields = (s: Sema, span: Span): undefined =>
  notYet(
    s,
    "a list of or for a struct with bit-fields, for which DXC sets others than it names, is",
    span,
    "assign to its members",
  );

/** Of a list that is constant, DXC keeps but the first of the bit-fields that share a word. */
export function losesBitFields(s: Sema, x: syntax.Declarator, t: DeclaredType, q: Qualifiers): boolean {
  const isKept = s.language.flatLists && (t.constant || q.static);
  const init = isKept && holdsBitFields(s, t.type) ? x.initializer : undefined;
  const isList = init && init.form !== "paren" && init.value.kind === "initializer-list";
  if (!isList || !sharesWords(s, t.type)) return false;
  listOfBitFields(s, init.value.span);
  return true;
}

/** Whether the values have as many numbers as `type`; a problem where they have not. */
export function fillsExactly(s: Sema, type: Type, given: readonly Type[], span: Span): boolean {
  if ([type, ...given].some((t) => holdsBitFields(s, t))) return listOfBitFields(s, span) ?? false;
  const wanted = leafCount(s, type);
  const counts = given.map((t) => leafCount(s, t));
  const odd = counts.findIndex((n) => n === undefined);
  if (wanted === undefined || odd >= 0) {
    const what = odd < 0 ? "these" : shown(s, given[odd]!);
    return error(s, "XL2014", `${shown(s, type)} is not made of ${what}`, span) ?? false;
  }
  const total = counts.reduce<number>((a, b) => a + b!, 0);
  if (total === wanted) return true;
  return (
    error(
      s,
      "XL2014",
      `${shown(s, type)} is made of ${wanted} value${wanted === 1 ? "" : "s"}, these are ${total}`,
      span,
      {
        ...(total === 1 ? { help: `a cast fills all parts with one value: (${shown(s, type)})x` } : {}),
      },
    ) ?? false
  );
}

/** `type` of the numbers of `given`, of which there are enough. */
export function filledFrom(s: Sema, type: Type, given: readonly Expr[], explicit: boolean, span: Span): Expr {
  const { first, values } = held(s, given, span);
  const leaves = values.flatMap((e) => leavesOf(s, e, span));
  const wanted = leafCount(s, type)!;
  if (leaves.length === 1 && wanted > 1)
    append(
      leaves,
      Array.from({ length: wanted - 1 }, () => leaves[0]!),
    );
  return after(first, filled(s, type, leaves, explicit, span), span);
}
