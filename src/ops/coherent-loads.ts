/**
 * Atomic loads that are plain loads in a language whose loads of words of coherent buffers are atomic (memory.md section 5.2): those with a
 * fence behind them. Reads with nothing in between may be made one there, so that a loop would wait for ever; a fence keeps them
 * apart. Their buffer has other atomics.
 */
import { rootVariable } from "../ast/builders.js";
import { familyOf } from "../ast/op-ids.js";
import type { BarrierDescriptor, Module, Place, VarId } from "../ast/nodes.js";
import { walkModule } from "../ast/walk.js";
import { assertNever } from "../support/assert-never.js";
import { showType, type Type } from "../types/types.js";
import { set } from "./define.js";

/** What such a load gives. */
export const loadedPlainly = set("i32 u32 f32", 1);
export const isLoadedPlainly = (type: Type): boolean =>
  type.kind === "scalar" && loadedPlainly.scalars.includes(type.scalar);

/** The fence that has to stand behind it. */
export const keepsLoadsApart = ({ memory, scope, order, buffers }: BarrierDescriptor): boolean =>
  memory.global && scope === "device" && (order === "acquire" || order === "acq_rel") && !buffers;

/** Buffers with atomics that are more than loads, and of each what of its elements they act on. */
export function atomicBuffers(module: Module): ReadonlyMap<VarId, ReadonlySet<string>> {
  const buffers = new Map(
    module.resources.flatMap((r): [VarId, Set<string>][] => (r.kind === "buffer" ? [[r.variable, new Set()]] : [])),
  );
  walkModule(module, {
    expr: (e) => {
      const [place] = e.kind === "op" && familyOf(e.op) === "atomic" && e.op !== "atomic.load" ? e.places : [];
      if (place) buffers.get(rootVariable(place) ?? -1)?.add(partOf(place));
    },
  });
  return new Map([...buffers].filter(([, parts]) => parts.size > 0));
}

/** The way from a variable to a place, whichever elements it leads through. */
export function partOf(place: Place): string {
  switch (place.kind) {
    case "variable":
    case "deref":
      return "";
    case "element":
      return `${partOf(place.base)}[]`;
    case "member":
      return `${partOf(place.base)}.${place.member}`;
    case "swizzle":
      return `${partOf(place.base)}.${place.components.join()}`;
    case "view":
      return `${partOf(place.base)}:${showType(place.type)}`;
    default:
      return assertNever(place);
  }
}
