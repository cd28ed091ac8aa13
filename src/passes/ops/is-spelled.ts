import type { OpCall } from "../../ast/nodes.js";
import { decide } from "../../caps/decide.js";
import { useOf } from "../../ops/use-of.js";
import { TextContext, type PassContext } from "../pass.js";

/** Whether the text of the target has the op as it is, where lanes need not agree. */
export const isSpelled = (op: OpCall, context: PassContext): boolean =>
  context instanceof TextContext && decide(useOf(op), context.target, context.profile).kind === "native";
