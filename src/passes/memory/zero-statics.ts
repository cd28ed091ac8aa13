/**
 * HLSL: a static variable without an initialiser is zero. Elsewhere a private variable is anything at first, so that the
 * zero is written, unless the entries give a value before anything can read it.
 */
import { functionOf } from "../../ast/lookup.js";
import { ModuleEditor } from "../../ast/builders.js";
import type { EntryPoint, Module, Statement, VarId } from "../../ast/nodes.js";
import { walkStatement } from "../../ast/walk.js";
import type { Dialect } from "../../dialects/ids.js";
import { factsOf } from "../../dialects/languages.js";
import type { Pass } from "../pass.js";
import { zeroOf } from "./zero.js";

export const zeroStatics: Pass = {
  name: "zero-statics",
  run(module, context) {
    const zero = (language: Dialect | "ts"): boolean => factsOf(language)?.globalsStart === "zero";
    if (!zero(module.dialect) || zero(context.target)) return module;
    const resources = new Set(module.resources.map((r) => r.variable));
    const editor = new ModuleEditor(module);
    for (const o of module.order) {
      if (o.kind !== "variable" || resources.has(o.variable)) continue;
      const v = module.variables.get(o.variable)!;
      if (v.space !== "private" || v.initializer || v.constant) continue;
      if (module.entries.every((e) => givenFirst(module, e, v.id))) continue;
      const initializer = zeroOf(v.type, module);
      if (initializer) editor.setVariable({ ...v, initializer });
    }
    return editor.finish({});
  },
};

/** The entry assigns the whole variable before it reads it or calls anyone. */
function givenFirst(module: Module, entry: EntryPoint, id: VarId): boolean {
  const f = functionOf(module, entry.function)!;
  for (const s of f.body.statements) {
    if (s.kind === "expression" && s.expression.kind === "assign") {
      const { target, operator, value } = s.expression;
      if (target.kind === "variable" && target.variable === id && !operator) {
        const plain: Statement = { ...s, expression: value };
        return !touches(plain, id);
      }
    }
    if (touches(s, id)) return false;
  }
  return true;
}

/** Names the variable, or calls somebody who may. */
function touches(s: Statement, id: VarId): boolean {
  let found = false;
  walkStatement(s, {
    place: (p) => void (p.kind === "variable" && p.variable === id && (found = true)),
    expr: (e) => void (e.kind === "call" && (found = true)),
  });
  return found;
}
