/**
 * `goto` to a label further on, in the same block or one around, is written with the statements that the tree has: what is jumped
 * over becomes the other branch of an `if`, or is run unless a variable says that the jump was taken; loops and switches in
 * between are left by `break`. A label at the end of a function is a `return`. `goto` back to a label in a block around is a loop
 * from there to the end of the block. Labels in other blocks are entered from in front of those (entered-blocks.ts). All others are
 * refused where they are read.
 */
import type * as syntax from "../ast/syntax.js";
import { type Sema } from "./context.js";
import { enteredLabels } from "./entered-blocks.js";
import { type Structured, Jumps, labelIn } from "./jumps.js";
import { holdsLabel } from "./statement-parts.js";

/** `outermost`: the list is the body of a function without value, at whose end it returns. */
export function structured(s: Sema, list: readonly syntax.Statement[], outermost: boolean): Structured {
  if (!list.some(holdsLabel)) return { statements: list, before: [], within: new Set() };
  const { statements: given, before, within } = enteredLabels(s, list);
  if (!given.some((st) => st.kind === "label")) return { statements: given, before, within };
  const work = new Jumps(s, outermost);
  let statements = given;
  for (let at = labelIn(statements); at >= 0; at = labelIn(statements)) statements = work.without(statements, at);
  return { statements, before: [...before, ...work.before], within: new Set([...within, ...work.within]) };
}
