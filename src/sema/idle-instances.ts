/** Constants that instances of templates have and nothing that is written needs: C++ makes none of them (C++14 14.7.1 (1), (3)). */
import type { Module, VarId } from "../ast/nodes.js";
import { walkExpr, walkStatement, type Visitor } from "../ast/walk.js";
import type { Type } from "../types/types.js";

/** `made`: variables of the file that instances brought. */
export function withoutIdleInstances(module: Module<"canonical">, made: ReadonlySet<VarId>): Module<"canonical"> {
  if (!module.order.some((o) => o.kind === "variable" && made.has(o.variable))) return module;
  const named = new Set<VarId>();
  const found: VarId[] = [];
  const name = (id: VarId): void => {
    if (named.has(id)) return;
    named.add(id);
    found.push(id);
  };
  const lengths = (type: Type): void => {
    if (type.kind === "pointer") return lengths(type.pointee);
    if (type.kind !== "array") return;
    for (const part of type.written ?? []) if (typeof part !== "string" && "variable" in part) name(part.variable);
    lengths(type.element);
  };
  const visitor: Visitor = {
    expr: (e) => lengths(e.type),
    place(p) {
      lengths(p.type);
      if (p.kind === "variable") name(p.variable);
    },
    statement: (s) => void (s.kind === "declare" && name(s.variable)),
  };
  for (const f of module.functions) {
    f.parameters.forEach(name);
    lengths(f.returnType);
    walkStatement(f.body, visitor);
  }
  for (const { members } of module.structs.values()) members.forEach((m) => lengths(m.type));
  for (const r of module.resources) {
    name(r.variable);
    if (r.defaultValue) walkExpr(r.defaultValue, visitor);
  }
  for (const o of module.order) if (o.kind === "variable" && !made.has(o.variable)) name(o.variable);
  for (let id = found.pop(); id !== undefined; id = found.pop()) {
    const v = module.variables.get(id);
    if (v) lengths(v.type);
    if (v?.initializer) walkExpr(v.initializer, visitor);
  }
  const stays = (id: VarId): boolean => !made.has(id) || named.has(id);
  return {
    ...module,
    order: module.order.filter((o) => o.kind !== "variable" || stays(o.variable)),
    variables: new Map([...module.variables].filter(([id]) => stays(id))),
  };
}
