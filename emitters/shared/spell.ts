/** Spellings and needed features of ops, builtins and barriers in a target, from the capability table. */
import type { BarrierDescriptor } from "../../src/ast/nodes.js";
import { decide, decideBarrier } from "../../src/caps/decide.js";
import type { Dialect } from "../../src/dialects/ids.js";
import type { OpUse, Spelling } from "../../src/ops/row.js";

export function spellOp(dialect: Dialect, use: OpUse, profile: string): Spelling {
  const decision = decide(use, dialect, profile);
  if (decision.kind !== "native") throw new Error(`${use.op} reached the ${dialect} printer without a spelling`);
  return decision.spelling;
}

export function needsOf(dialect: Dialect, use: OpUse, profile: string): readonly string[] {
  const decision = decide(use, dialect, profile);
  return decision.kind === "native" ? decision.requires : [];
}

/** The calls of a barrier. Passes have made sure that one that waits stands in uniform flow. */
export function spellBarrier(dialect: Dialect, barrier: BarrierDescriptor, profile: string): { readonly calls: readonly string[]; readonly requires: readonly string[] } {
  const written = decideBarrier(barrier, dialect, profile, true);
  if (written.kind === "refused") throw new Error(`a barrier reached the ${dialect} printer: ${written.reason}`);
  return written;
}
