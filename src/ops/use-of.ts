import type { OpCall, Stage } from "../ast/nodes.js";
import type { OpUse } from "./row.js";

/** What the table is asked about a call: `uniform`, where it stands in flow that all lanes of the subgroup take. */
export function useOf(e: OpCall<Stage>, uniform = false, discarded = false): OpUse {
  const splats = e.arguments.map((a) => a.kind === "splat" && !a.explicit);
  return {
    op: e.op,
    operandTypes: e.arguments.map((a) => a.type),
    placeTypes: e.places.map((p) => p.type),
    result: e.type,
    flow: uniform || e.precondition === "uniform" ? "uniform" : "divergent",
    constants: e.arguments.map((a) => (a.kind === "literal" ? a.value : undefined)),
    ...(e.order ? { order: e.order } : {}),
    ...(e.failureOrder ? { failureOrder: e.failureOrder } : {}),
    ...(e.scope ? { scope: e.scope } : {}),
    ...(e.precondition ? { precondition: e.precondition } : {}),
    ...(discarded ? { discarded } : {}),
    ...(splats.includes(true) ? { splats } : {}),
  };
}
