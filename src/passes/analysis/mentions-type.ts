/** Whether a module has values of a type. */
import type { Module } from "../../ast/nodes.js";
import { walkModule } from "../../ast/walk.js";
import { withLeaves } from "../../types/types.js";
import type { Type } from "../../types/types.js";

/** Something in the module has such a type, or is made of it. */
export function mentionsType(module: Module, is: (leaf: Type) => boolean): boolean {
  let found = false;
  const look = (type: Type): void => {
    withLeaves(type, (t) => ((found ||= is(t)), t));
  };
  for (const v of module.variables.values()) look(v.type);
  for (const s of module.structs.values()) for (const m of s.members) look(m.type);
  for (const f of module.functions) look(f.returnType);
  for (const o of module.order) if (o.kind === "constant-macro") look(o.value.type);
  if (!found) walkModule(module, { expr: (e) => (look(e.type), !found) });
  return found;
}
