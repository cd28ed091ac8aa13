/** Where a list in braces is being read, aggregate by aggregate (C99 6.7.8). */
import type * as syntax from "../ast/syntax.js";
import type { Type } from "../types/types.js";
import type { Value } from "./context.js";

export interface Cursor {
  readonly list: syntax.InitializerList;
  at: number;
  /** Designators of the element that led to the aggregate being filled. */
  used: number;
  /** The aggregate being filled was entered for this element. */
  entered: boolean;
  /** The element that was read last, and its value. */
  known?: { readonly at: number; readonly value: Value | undefined };
}

/**
 * The designators of the next element that speak of the aggregate being filled. None where it speaks of one around, which is
 * where the list then goes on (C99 6.7.8 (17)).
 */
export function designatorsOf(cursor: Cursor, whole: boolean): readonly Designator[] | undefined {
  const { designators } = cursor.list.elements[cursor.at]!;
  if (cursor.entered) return designators.slice(cursor.used);
  return whole || designators.length === 0 ? designators : undefined;
}

type Designator = syntax.InitializerList["elements"][number]["designators"][number];

/** Goes on to the next element. */
export function advance(cursor: Cursor): void {
  cursor.at++;
  cursor.used = 0;
  cursor.entered = false;
}

/** Enters a part for the element, by `steps` of its designators. */
export function enter(cursor: Cursor, steps: number): void {
  cursor.used += steps;
  cursor.entered = true;
}

export const startOf = (list: syntax.InitializerList): Cursor => ({ list, at: 0, used: 0, entered: false });

/**
 * The value of the next element. It is read once, however many aggregates without braces are entered for it: what it needs before
 * its statement would be there twice.
 */
export function valueAt(
  r: { expression(e: syntax.Expression, type?: Type): Value | undefined },
  cursor: Cursor,
  type?: Type,
): Value | undefined {
  const { at } = cursor;
  if (cursor.known?.at !== at) cursor.known = { at, value: r.expression(cursor.list.elements[at]!.value, type) };
  return cursor.known.value;
}
