/** Declarations before their uses. Specialised helpers and lowerings' helpers may have been put before what they use. */
import { functionOf } from "../../ast/lookup.js";
import type { FunctionId, Module, TopLevel, VarId } from "../../ast/nodes.js";
import { walkExpr, walkStatement, type Visitor } from "../../ast/walk.js";
import type { Type } from "../../types/types.js";
import type { TextPass } from "../pass.js";

type Key = `f${FunctionId}` | `v${VarId}` | `s${string}`;

/** Values are members of one block, which stands where the first of them does: what all name, for the first that is met. */
type Values = ReadonlyMap<VarId, ReadonlySet<Key>>;

function valuesOf(module: Module): Values {
  const values = module.resources.filter((r) => r.kind === "value" || r.kind === "derived").map((r) => r.variable);
  const named = new Set<Key>(
    values.flatMap((id) => structsOf(module.variables.get(id)!.type).map((name): Key => `s${name}`)),
  );
  return new Map(values.map((id) => [id, named]));
}

/** The functions, file-scope variables and structs that an item names. */
function usesOf(item: TopLevel, module: Module, values: Values): ReadonlySet<Key> {
  const uses = new Set<Key>();
  const visitor: Visitor = {
    expr: (e) => void (e.kind === "call" && uses.add(`f${e.function}`)),
    place: (p) => void (p.kind === "variable" && uses.add(`v${p.variable}`)),
  };
  const types = (list: readonly (Type | undefined)[]): void => {
    for (const type of list) if (type) for (const name of structsOf(type)) uses.add(`s${name}`);
  };
  if (item.kind === "function") {
    const f = functionOf(module, item.function);
    types([f?.returnType, ...(f?.parameters ?? []).map((p) => module.variables.get(p)?.type)]);
    if (f)
      walkStatement(f.body, {
        ...visitor,
        statement: (s) => void (s.kind === "declare" && types([module.variables.get(s.variable)?.type])),
      });
  }
  if (item.kind === "variable") {
    const { initializer, type } = module.variables.get(item.variable)!;
    types([type]);
    if (initializer) walkExpr(initializer, visitor);
  }
  if (item.kind === "resource") {
    if (values.has(item.variable)) for (const key of values.get(item.variable)!) uses.add(key);
    else for (const name of structsOf(module.variables.get(item.variable)!.type)) uses.add(`s${name}`);
  }
  if (item.kind === "struct")
    for (const m of module.structs.get(item.name)?.members ?? [])
      for (const name of structsOf(m.type)) uses.add(`s${name}`);
  return uses;
}

export function structsOf(type: Type): readonly string[] {
  switch (type.kind) {
    case "struct":
      return [type.name];
    case "array":
      return structsOf(type.element);
    case "pointer":
      return structsOf(type.pointee);
    default:
      return [];
  }
}

export const declareBeforeUse: TextPass = {
  name: "declare-before-use",
  requires: ["globals-placed"],
  ensures: ["declared-before-use"],
  run(module) {
    const items = new Map<Key, TopLevel>();
    for (const item of module.order) {
      if (item.kind === "struct") items.set(`s${item.name}`, item);
      if (item.kind === "function") items.set(`f${item.function}`, item);
      if (item.kind === "variable" || item.kind === "resource") items.set(`v${item.variable}`, item);
    }
    const values = valuesOf(module);
    const done = new Set<TopLevel>();
    const order: TopLevel[] = [];
    const declare = (item: TopLevel): void => {
      if (done.has(item)) return;
      done.add(item);
      for (const use of usesOf(item, module, values)) {
        const used = items.get(use);
        if (used) declare(used);
      }
      order.push(item);
    };
    for (const item of module.order) declare(item);
    return order.every((item, i) => item === module.order[i]) ? module : { ...module, order };
  },
};
