/** Whether there are bfloats. */
import type { Module } from "../../ast/nodes.js";
import { walkModule } from "../../ast/walk.js";
import { scalarOf, type Type } from "../../types/types.js";

export const isBfloat = (type: Type): boolean => scalarOf(type) === "bf16";

export function mentions(type: Type): boolean {
  switch (type.kind) {
    case "array":
      return mentions(type.element);
    case "pointer":
      return mentions(type.pointee);
    default:
      return isBfloat(type);
  }
}

export function mentionsBfloat(module: Module): boolean {
  let found =
    [...module.variables.values()].some((v) => mentions(v.type)) ||
    [...module.structs.values()].some((s) => s.members.some((m) => mentions(m.type)));
  if (!found) walkModule(module, { expr: (e) => !(found ||= mentions(e.type)) });
  return found;
}
