/** Structs without data that only name things (types, constants, functions of the struct): no object of them is anywhere. */
import type { Module } from "../ast/nodes.js";
import type { Type } from "../types/types.js";

/** A struct without data has no bytes that a target could declare: it has this member. */
export const emptyMember = "unused";

export function withoutEmptyStructs(module: Module<"canonical">): Module<"canonical"> {
  const empty = new Set(
    [...module.structs.values()]
      .filter((d) => d.members.length === 1 && d.members[0]!.name === emptyMember)
      .map((d) => d.name),
  );
  if (empty.size === 0) return module;
  const need = (type: Type): void => {
    if (type.kind === "array") need(type.element);
    else if (type.kind === "pointer") need(type.pointee);
    else if (type.kind === "struct") empty.delete(type.name);
  };
  for (const v of module.variables.values()) need(v.type);
  for (const f of module.functions) need(f.returnType);
  for (const d of module.structs.values()) for (const m of d.members) need(m.type);
  return {
    ...module,
    structs: new Map([...module.structs].filter(([name]) => !empty.has(name))),
    order: module.order.filter((o) => o.kind !== "struct" || !empty.has(o.name)),
  };
}
