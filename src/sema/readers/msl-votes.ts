/** Methods of MSL's votes, which are integers here (MSL 3.1 6.9.2): 64 bits of a SIMD-group, 32 of which a quad has four. */
import { binary, builtin, constantOf, convert, opCall } from "../../ast/builders.js";
import type { Expr } from "../../ast/nodes.js";
import type { Span } from "../../support/span.js";
import { u32 } from "../../types/types.js";

/** `v.any()`, `v.all()`; undefined where the value is no vote. */
export function voteMethod(vote: Expr, name: string, span: Span): Expr | undefined {
  if (vote.type.kind !== "scalar" || (name !== "any" && name !== "all")) return undefined;
  const kind = vote.type.scalar;
  if (kind !== "u64" && kind !== "u32") return undefined;
  if (name === "any") return binary("ne", vote, constantOf(vote.type, 0, span), span);
  if (kind === "u32") return binary("eq", vote, constantOf(vote.type, 15, span), span);
  // All lanes the SIMD-group has, inactive ones too: unlike simd_all, which asks the active ones.
  const count = opCall("bits.popcount", [vote], vote.type, span);
  return binary("eq", convert(count, u32, false, span), builtin("subgroup_lanes", span), span);
}
