/**
 * What passes made to point to a volatile object points to volatile, too: C and C++ have no implicit conversion that takes the
 * word away (C99 6.5.16.1 (1), C++14 [conv.qual]), and an access through a pointer without it is a plain one.
 */
import { ModuleEditor } from "../../ast/builders.js";
import type { Expr, Module, Place, VarId } from "../../ast/nodes.js";
import { walkModule } from "../../ast/walk.js";
import type { Pass } from "../pass.js";

/** The variable whose object, or whose pointer's object, a pointer leads to. */
function leadsTo(e: Expr): readonly VarId[] {
  switch (e.kind) {
    case "load":
    case "address-of":
      return heldBy(e.place);
    case "increment":
      return heldBy(e.place);
    case "assign":
      return heldBy(e.target);
    case "pointer-offset":
      return leadsTo(e.pointer);
    case "bitcast":
      return e.operand.type.kind === "pointer" ? leadsTo(e.operand) : [];
    case "conditional":
      return [...leadsTo(e.whenTrue), ...leadsTo(e.whenFalse)];
    case "comma":
      return leadsTo(e.right);
    default:
      return [];
  }
}

/** The variables that hold an object, or the pointers one of which it is reached through. */
export function heldBy(p: Place): readonly VarId[] {
  let object = p;
  while (object.kind !== "variable" && object.kind !== "deref") object = object.base;
  return object.kind === "deref" ? leadsTo(object.pointer) : [object.variable];
}

export const volatilePointers: Pass = {
  name: "volatile-pointers",
  run(module) {
    const added = [...volatileOrLeadsThere(module)].filter((id) => !module.variables.get(id)!.volatile);
    if (added.length === 0) return module;
    const editor = new ModuleEditor(module);
    for (const id of added) editor.setVariable({ ...module.variables.get(id)!, volatile: true });
    return editor.finish({});
  },
};

/** The variables that are volatile, or point to what is. */
export function volatileOrLeadsThere(module: Module): ReadonlySet<VarId> {
  const found = new Set([...module.variables.values()].filter((v) => v.volatile).map((v) => v.id));
  if (found.size === 0) return found;
  /** From a pointer or reference to what it is given. */
  const given: [VarId, readonly VarId[]][] = [];
  const parameters = new Map(module.functions.map((f) => [f.id, f.parameters]));
  walkModule(module, {
    expr(e) {
      if (e.kind === "assign" && e.target.type.kind === "pointer" && e.target.kind === "variable")
        given.push([e.target.variable, leadsTo(e.value)]);
      if (e.kind !== "call") return;
      e.arguments.forEach((a, i) => {
        const p = parameters.get(e.function)![i]!;
        if (a.mode === "value") {
          if (a.value.type.kind === "pointer") given.push([p, leadsTo(a.value)]);
        } else if (a.mode === "ref") {
          given.push([p, heldBy(a.place)]);
        }
      });
    },
    statement(s) {
      if (s.kind === "declare" && s.initializer?.type.kind === "pointer")
        given.push([s.variable, leadsTo(s.initializer)]);
    },
  });
  for (let grown = true; grown;) {
    grown = false;
    for (const [id, from] of given) {
      if (found.has(id) || !from.some((f) => found.has(f))) continue;
      found.add(id);
      grown = true;
    }
  }
  return found;
}
