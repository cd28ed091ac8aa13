/**
 * An atomic load of what is only read: MSL takes a pointer to const for it. Elsewhere it is carried out by an operation that
 * leaves the value as it is, on memory that may be written.
 */
import { familyOf } from "../../ast/op-ids.js";
import { ModuleEditor } from "../../ast/builders.js";
import type { Expr, Place, VarId } from "../../ast/nodes.js";
import { walkModule } from "../../ast/walk.js";
import type { Pass } from "../pass.js";

function rootOf(p: Place): VarId | undefined {
  switch (p.kind) {
    case "variable":
      return p.variable;
    case "deref":
      return rootOfPointer(p.pointer);
    default:
      return rootOf(p.base);
  }
}

function rootOfPointer(e: Expr): VarId | undefined {
  switch (e.kind) {
    case "load":
    case "address-of":
      return rootOf(e.place);
    case "pointer-offset":
      return rootOfPointer(e.pointer);
    default:
      return undefined;
  }
}

export const atomicAccess: Pass = {
  name: "atomic-access",
  requires: ["ops-native"],
  run(module) {
    const written = new Set<VarId>();
    const add = (id: VarId | undefined): void => void (id !== undefined && written.add(id));
    const parameters = new Map(module.functions.map((f) => [f.id, f.parameters]));
    for (let before = -1; before !== written.size;) {
      before = written.size;
      walkModule(module, {
        expr(e) {
          if (e.kind === "op" && familyOf(e.op) === "atomic" && e.places[0]) add(rootOf(e.places[0]));
          if (e.kind === "assign" && e.target.type.kind === "pointer" && written.has(rootOf(e.target) ?? -1))
            add(rootOfPointer(e.value));
          if (e.kind !== "call") return;
          e.arguments.forEach((a, i) => {
            if (written.has(parameters.get(e.function)![i]!))
              add(a.mode === "value" ? rootOfPointer(a.value) : rootOf(a.place));
          });
        },
        statement(s) {
          if (s.kind === "declare" && s.initializer?.type.kind === "pointer" && written.has(s.variable))
            add(rootOfPointer(s.initializer));
        },
      });
    }
    const onlyRead = new Set(module.resources.filter((r) => r.access === "read").map((r) => r.variable));
    const readOnly = (id: VarId): boolean => {
      const { type } = module.variables.get(id)!;
      return (type.kind === "pointer" && type.readOnly === true) || onlyRead.has(id);
    };
    const opened = new Set([...written].filter(readOnly));
    if (opened.size === 0) return module;
    const editor = new ModuleEditor(module);
    for (const id of opened) {
      const v = module.variables.get(id)!;
      if (v.type.kind === "pointer")
        editor.setVariable({ ...v, type: { kind: "pointer", pointee: v.type.pointee, space: v.type.space } });
    }
    return editor.finish({
      resources: module.resources.map((r) => (opened.has(r.variable) ? { ...r, access: "readwrite" as const } : r)),
    });
  },
};
