import type { OpCall, Place, Stage, Variable, VarId } from "../ast/nodes.js";
import type { AddressSpace } from "../types/types.js";
import type { OpUse } from "./row.js";

/** No order is asked for, of success or failure. */
export const isRelaxed = ({ order, failureOrder }: Pick<OpUse, "order" | "failureOrder">): boolean =>
  [order, failureOrder].every((o) => o === undefined || o === "relaxed");

/** The address space of what a place is in; undefined where that is not known. */
export function spaceOf(p: Place<Stage>, variables: ReadonlyMap<VarId, Variable>): AddressSpace | undefined {
  switch (p.kind) {
    case "variable":
      return variables.get(p.variable)?.space;
    case "deref":
      return p.pointer.type.kind === "pointer" ? p.pointer.type.space : undefined;
    case "raw-word":
      return "global";
    default:
      return spaceOf(p.base, variables);
  }
}

/** What the table is asked about a call: `uniform`, where it stands in flow that all lanes of the subgroup take; `variables`: those of the module. */
export function useOf(
  e: OpCall<Stage>,
  uniform = false,
  discarded = false,
  variables?: ReadonlyMap<VarId, Variable>,
): OpUse {
  const space = variables && e.places[0] && spaceOf(e.places[0], variables);
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
    ...(e.memory ? { memory: e.memory } : {}),
    ...(space ? { space } : {}),
    ...(e.plainly ? { plainly: true } : {}),
    ...(e.precondition ? { precondition: e.precondition } : {}),
    ...(discarded ? { discarded } : {}),
    ...(splats.includes(true) ? { splats } : {}),
  };
}
