/**
 * Initialisers of private globals that are only known when the kernel runs (they read ids, memory or other variables,
 * or call functions) become the first statements of the entries: outside of functions a target may take constants
 * only, and what replaces ids and ops works inside functions.
 */
import { assign, expressionStatement, ModuleEditor, variablePlace } from "../../ast/builders.js";
import type { Expr, FunctionDeclaration, Statement, VarId } from "../../ast/nodes.js";
import { walkExpr } from "../../ast/walk.js";
import { CallGraph, variablesUsed } from "../interface/select-entries.js";
import { isSpelled } from "../ops/is-spelled.js";
import type { Pass } from "../pass.js";

export const startValues: Pass = {
  name: "start-values",
  run(module, context) {
    const resources = new Map(module.resources.map((r) => [r.variable, r]));
    const editor = new ModuleEditor(module);
    const started: { readonly variable: VarId; readonly initializer: Expr }[] = [];
    for (const o of module.order) {
      if (o.kind !== "variable" || resources.has(o.variable)) continue;
      const { initializer, ...v } = module.variables.get(o.variable)!;
      if (!initializer || v.space !== "private" || v.compileTime || knownEarly(initializer)) continue;
      editor.setVariable({ ...v, constant: false });
      started.push({ variable: o.variable, initializer });
    }
    if (started.length === 0) return module;
    const graph = new CallGraph(module);
    const entries = new Set(module.entries.map((e) => e.function));
    const direct = new Map(module.functions.map((f) => [f.id, variablesUsed(f)]));
    return editor.finish({
      functions: module.functions.map((f) => {
        if (!entries.has(f.id)) return f;
        const first = started.filter(needed(f)).map(({ variable, initializer }): Statement => {
          const place = variablePlace(editor.variables.get(variable)!, initializer.span);
          return expressionStatement(assign(place, initializer, initializer.span), initializer.span);
        });
        return { ...f, body: { ...f.body, statements: [...first, ...f.body.statements] } };
      }),
    });

    /** What the entry reaches, what those initialisers read in turn, and whatever may have effects. */
    function needed(entry: FunctionDeclaration): (s: (typeof started)[number]) => boolean {
      const used = new Set<VarId>();
      for (const g of graph.reachable([entry.id])) direct.get(g)?.forEach((v) => used.add(v));
      const kept = new Set<VarId>();
      for (const { variable, initializer } of started.toReversed()) {
        let calls = false;
        walkExpr(initializer, { expr: (e) => void (e.kind === "call" && (calls = true)) });
        if (!used.has(variable) && !calls) continue;
        kept.add(variable);
        walkExpr(initializer, {
          place: (p) => void (p.kind === "variable" && used.add(p.variable)),
          expr: (e) => {
            if (e.kind === "call")
              for (const g of graph.reachable([e.function])) direct.get(g)?.forEach((v) => used.add(v));
            return true;
          },
        });
      }
      return ({ variable }) => kept.has(variable);
    }

    /** Only literals, constants and specialisation constants, put together by what the target has itself. */
    function knownEarly(e: Expr): boolean {
      // C initialises arrays by lists only.
      let known = e.type.kind !== "array" || e.kind === "construct";
      walkExpr(e, {
        place(p) {
          if (p.kind !== "variable") return;
          const v = module.variables.get(p.variable)!;
          const r = resources.get(p.variable);
          if (r ? r.kind !== "specialization" : !v.compileTime && v.space !== "constant") known = false;
        },
        expr(x) {
          if (x.kind === "op" && !isSpelled(x, context)) known = false;
          if (
            x.kind === "builtin" ||
            x.kind === "call" ||
            x.kind === "assign" ||
            x.kind === "increment" ||
            x.kind === "address-of"
          )
            known = false;
          return known;
        },
      });
      return known;
    }
  },
};
