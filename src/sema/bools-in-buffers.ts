/**
 * Bools in memory the host shares are integers of their size there: a byte or a word. A load compares with 0, a store writes 0
 * or 1. Other bools stay what they are.
 */
import type { Module } from "../ast/nodes.js";
import { type ScalarKind } from "../types/types.js";
import { Reached } from "./bools-of-host.js";
import { type Refuse, BoolsAsIntegers } from "./bools-as-integers.js";

export function withoutBoolsInBuffers(
  module: Module<"canonical">,
  stored: ScalarKind,
  refuse: Refuse,
): Module<"canonical"> {
  const reached = new Reached(module);
  return reached.any ? new BoolsAsIntegers(module, stored, reached, refuse).rewritten() : module;
}
