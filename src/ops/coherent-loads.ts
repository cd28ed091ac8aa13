/**
 * Atomic loads that are plain loads in a language whose loads of words of coherent buffers are atomic (memory.md section 5.2): those with a
 * fence behind them. Reads with nothing in between may be made one there, so that a loop would wait for ever; a fence keeps them
 * apart. Their buffer has other atomics.
 */
import { rootVariable } from "../ast/builders.js";
import { familyOf } from "../ast/op-ids.js";
import type { BarrierDescriptor, Module, VarId } from "../ast/nodes.js";
import { walkModule } from "../ast/walk.js";
import type { Type } from "../types/types.js";
import { set } from "./define.js";

/** What such a load gives. */
export const loadedPlainly = set("i32 u32 f32", 1);
export const isLoadedPlainly = (type: Type): boolean =>
  type.kind === "scalar" && loadedPlainly.scalars.includes(type.scalar);

/** The fence that has to stand behind it. */
export const keepsLoadsApart = ({ memory, scope, order, buffers }: BarrierDescriptor): boolean =>
  memory.global && scope === "device" && (order === "acquire" || order === "acq_rel") && !buffers;

/** Buffers with atomics that are more than loads. */
export function atomicBuffers(module: Module): ReadonlySet<VarId> {
  const found = new Set<VarId>();
  walkModule(module, {
    expr: (e) => {
      const changes = e.kind === "op" && familyOf(e.op) === "atomic" && e.op !== "atomic.load";
      const root = changes && e.places[0] ? rootVariable(e.places[0]) : undefined;
      if (root !== undefined) found.add(root);
    },
  });
  return new Set(module.resources.flatMap((r) => (r.kind === "buffer" && found.has(r.variable) ? [r.variable] : [])));
}
