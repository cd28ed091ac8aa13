import type { OpCall } from "../../ast/nodes.js";
import type { Spelling } from "../../ast/target.js";
import { decide } from "../../caps/decide.js";
import { useOf } from "../../ops/use-of.js";
import { TextContext, type PassContext } from "../pass.js";

/** How the text of the target says the op, where it has it as it is and lanes need not agree. */
export function spellingOf(op: OpCall, context: PassContext): Spelling | undefined {
  const decision = context instanceof TextContext ? decide(useOf(op), context.target, context.profile) : undefined;
  return decision?.kind === "native" ? decision.spelling : undefined;
}

export const isSpelled = (op: OpCall, context: PassContext): boolean => spellingOf(op, context) !== undefined;
