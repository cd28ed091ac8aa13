/**
 * Functions of included files that no kernel calls. What is read of a file is found by names, of which overloads have one; which of
 * them are meant is known when calls are resolved.
 */
import type { FunctionDeclaration, FunctionId, Module } from "../ast/nodes.js";
import { walkExpr, walkStatement, type Visitor } from "../ast/walk.js";
import { fileAt, type ExpandedSource } from "../support/expanded-source.js";

/** Those of the file itself stay, and what they call. */
export function uncalledFunctions(module: Module, expanded: ExpandedSource): readonly FunctionDeclaration[] {
  const functions = new Map(module.functions.map((f) => [f.id, f]));
  const called = new Set<FunctionId>();
  const visit = (id: FunctionId): void => {
    const f = functions.get(id);
    if (!f || called.has(id)) return;
    called.add(id);
    walkStatement(f.body, calls);
  };
  const calls: Visitor = { expr: (e) => void (e.kind === "call" && visit(e.function)) };
  const included = module.functions.filter((f) => !f.isEntry && fileAt(expanded, f.span.start) > 0);
  if (included.length === 0) return [];
  const own = new Set(included);
  for (const f of module.functions) if (!own.has(f)) visit(f.id);
  for (const v of module.variables.values()) if (v.initializer) walkExpr(v.initializer, calls);
  return included.filter((f) => !called.has(f.id));
}

export function withoutFunctions(module: Module, gone: readonly FunctionDeclaration[]): Module {
  if (gone.length === 0) return module;
  const ids = new Set(gone.map((f) => f.id));
  return {
    ...module,
    functions: module.functions.filter((f) => !ids.has(f.id)),
    order: module.order.filter((o) => o.kind !== "function" || !ids.has(o.function)),
  };
}
