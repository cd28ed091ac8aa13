/**
 * Pointers that lead into one memory or another (OpenCL C 3.0 6.7.5), for texts with pointers, all of which name the memory they are into
 * there. The pointers of such a module become places and indices, as where there are no pointers at all: what is done with one that leads
 * into two is written for each.
 */
import type { Expr, Module } from "../../ast/nodes.js";
import { walkModule } from "../../ast/walk.js";
import type { Pass } from "../pass.js";
import { lowerPointers } from "./lower-pointers.js";

export const twoMemories: Pass = {
  name: "two-memories",
  requires: ["entries-selected"],
  run: (module, context) => (leadsIntoTwo(module) ? lowerPointers.run(module, context) : module),
};

/** A cast of a pointer into one memory to one into another: no language has it, the checker makes it where both meet. */
const isMeeting = (e: Expr): boolean =>
  e.kind === "bitcast" &&
  e.type.kind === "pointer" &&
  e.operand.type.kind === "pointer" &&
  e.type.space !== e.operand.type.space;

function leadsIntoTwo(module: Module): boolean {
  let found = false;
  walkModule(module, { expr: (e) => !(found ||= isMeeting(e)) });
  return found;
}
