/** Elements of arrays of arrays that are counted through all rows: by their quotient and remainder. */
import { scalarOf, sameType, i32, u32, type Type } from "../types/types.js";
import { assign, binary, convert, element, literal, literalValue, load, variablePlace } from "./builders.js";
import type { Expr, Place, Variable } from "./nodes.js";
import { isPure } from "./walk.js";

const typeOfIndex = (index: Expr): Type => (scalarOf(index.type)![0] === "u" ? u32 : i32);
const inType = (e: Expr, type: Type): Expr => (sameType(e.type, type) ? e : convert(e, type, true, e.span));

export const innermost = (t: Type): Type => (t.kind === "array" ? innermost(t.element) : t);

/** The element of an array of arrays that `index` counts to, all rows as one; `rows`: so many are in each, of each dimension but the first. */
export function elementOverRows(
  array: Place,
  index: Expr,
  rows: readonly number[],
  local: (type: Type) => Variable,
): Place {
  const { span } = index;
  const known = sumOf(index);
  const type = typeOfIndex(index);
  const named = isPure(index) ? undefined : againOf(index, local);
  let place = array;
  rows.concat(1).forEach((_, i) => {
    const inner = rows.slice(i).reduce((a, b) => a * b, 1);
    const length = i === 0 ? undefined : rows[i - 1];
    if (known !== undefined) {
      const at = Math.trunc(known / inner);
      place = element(place, literal(scalarOf(type)!, length === undefined ? at : at % length, span), span);
      return;
    }
    const one = inType(named ? named(i === 0, inner === 1) : index, type);
    const row = inner === 1 ? one : binary("div", one, literal(scalarOf(type)!, inner, span), span);
    place = element(
      place,
      length === undefined
        ? row
        : { ...binary("rem", row, literal(scalarOf(type)!, length, span), span), relies: "offset" },
      span,
    );
  });
  return place;
}

/** What numbers of the text add up to. */
function sumOf(e: Expr): number | undefined {
  const value = literalValue(e);
  if (value !== undefined) return Number(value);
  if (e.kind !== "binary" || e.operator !== "add") return undefined;
  const [left, right] = [sumOf(e.left), sumOf(e.right)];
  const sum = left === undefined || right === undefined ? -1 : left + right;
  // What does not fit its type is left to that.
  return sum >= 0 && sum < 2 ** 31 ? sum : undefined;
}

/** What stands for an index with effects that is named several times: they come with the first, or the last. */
function againOf(index: Expr, local: (type: Type) => Variable): (first: boolean, last: boolean) => Expr {
  const stepped = index.kind === "increment" ? index.place : index.kind === "assign" ? index.target : undefined;
  if (stepped?.kind === "variable") {
    const after = index.kind === "increment" && !index.prefix;
    return (first, last) => ((after ? last : first) ? index : load(stepped));
  }
  const kept = variablePlace(local(typeOfIndex(index)), index.span);
  const set = assign(kept, inType(index, kept.type), index.span);
  return (first) => (first ? set : load(kept));
}
