/**
 * `goto` to a label further on, in the same block or one around, is written with the statements that the tree has: what is jumped
 * over becomes the other branch of an `if`, or is run unless a variable says that the jump was taken; loops and switches in
 * between are left by `break`. A label at the end of a function is a `return`. `goto` back to a label in a block around is a loop
 * from there to the end of the block. All others are refused where they are read.
 */
import type * as syntax from "../ast/syntax.js";
import { type Sema } from "./context.js";
import { type Structured, Jumps, labelIn } from "./jumps.js";

/** `outermost`: the list is the body of a function without value, at whose end it returns. */
export function structured(s: Sema, list: readonly syntax.Statement[], outermost: boolean): Structured {
  if (!list.some((st) => st.kind === "label")) return { statements: list, before: [], within: new Set() };
  const work = new Jumps(s, outermost);
  let statements = list;
  for (let at = labelIn(statements); at >= 0; at = labelIn(statements)) statements = work.without(statements, at);
  return { statements, before: work.before, within: work.within };
}
