/**
 * `out` and `inout` parameters in MSL and OpenCL C, which have references and pointers instead: the object itself is handed
 * over where copying in and out could not be told apart from that, a temporary otherwise.
 */
import { assign, declare, expressionStatement, load, ModuleEditor, rootVariable, variablePlace } from "../ast/builders.js";
import type { Argument, Expr, FunctionDeclaration, FunctionId, Module, Place, Statement, Variable, VarId } from "../ast/nodes.js";
import { noSpan } from "../support/span.js";
import { CallGraph, variablesUsed } from "./entries.js";
import { Linearizer } from "./linearize.js";
import type { Pass } from "./pass.js";

export const copiesToReferences: Pass = {
  name: "copies-to-references",
  run(module) {
    const copied = (id: VarId): boolean => {
      const mode = module.variables.get(id)?.mode;
      return mode === "out" || mode === "inout";
    };
    if (!module.functions.some((f) => f.parameters.some(copied))) return module;
    const editor = new ModuleEditor(module);
    const modes = new Map<VarId, Variable["mode"]>();
    for (const f of module.functions) {
      for (const p of f.parameters.filter(copied)) {
        const v = module.variables.get(p)!;
        modes.set(p, v.mode);
        editor.setVariable({ ...v, mode: "ref", space: "private" });
      }
    }
    const graph = new CallGraph(module);
    const byId = new Map(module.functions.map((f) => [f.id, f]));
    const globals = new Map<FunctionId, Set<VarId>>();
    const globalsOf = (id: FunctionId): Set<VarId> => {
      let found = globals.get(id);
      if (!found) {
        found = new Set();
        for (const g of graph.reachable([id])) for (const v of variablesUsed(byId.get(g)!)) if (module.variables.get(v)?.role === "global") found.add(v);
        globals.set(id, found);
      }
      return found;
    };

    const handle = (e: Expr, discarded: boolean): { before: readonly Statement[]; value: Expr | undefined } | undefined => {
      if (e.kind !== "call") return undefined;
      const callee = byId.get(e.function)!;
      const before: Statement[] = [];
      const after: Statement[] = [];
      let changed = false;
      const args = e.arguments.map((a, i): Argument => {
        const mode = modes.get(callee.parameters[i]!);
        if (!mode || a.mode === "value") return a;
        changed = true;
        if (isDirect(a.place, i, e.arguments, module, globalsOf(callee.id))) return { mode: "ref", place: a.place };
        const name = module.variables.get(callee.parameters[i]!)!.name;
        const place = held(a.place, before, editor);
        const t = editor.addVariable({ name, type: a.place.type, space: "private", role: "local", constant: false, span: noSpan });
        before.push(mode === "out" ? declare(t.id) : declare(t.id, load(place)));
        after.push(expressionStatement(assign(place, load(variablePlace(t)))));
        return { mode: "ref", place: variablePlace(t, a.place.span) };
      });
      if (!changed) return undefined;
      const call: Expr = { ...e, arguments: args };
      if (after.length === 0) return before.length === 0 ? { before: [], value: call } : { before, value: call };
      if (discarded || e.type.kind === "void") return { before: [...before, expressionStatement(call), ...after], value: undefined };
      const result = editor.addVariable({ name: "result", type: e.type, space: "private", role: "local", constant: false, span: noSpan });
      return { before: [...before, declare(result.id, call), ...after], value: load(variablePlace(result), e.span) };
    };
    const functions = module.functions.map((f): FunctionDeclaration => new Linearizer(editor, handle).function(f));
    return editor.finish({ functions });
  },
};

/** Whether handing over the object itself cannot be told from copying. */
function isDirect(place: Place, at: number, args: readonly Argument[], module: Module, globals: ReadonlySet<VarId>): boolean {
  const root = rootVariable(place);
  if (root === undefined) return false;
  const v = module.variables.get(root)!;
  // Vector components have no address; memory of other spaces needs another kind of pointer.
  if (v.space !== "private" || hasComponent(place)) return false;
  if (v.role === "global" && globals.has(root)) return false;
  return args.every((b, i) => i === at || b.mode === "value" || rootVariable(b.place) !== root);
}

function hasComponent(p: Place): boolean {
  switch (p.kind) {
    case "variable":
    case "deref":
      return false;
    case "swizzle":
      return true;
    case "element":
      return p.base.type.kind === "vector" || p.base.type.kind === "matrix" || hasComponent(p.base);
    case "member":
      return hasComponent(p.base);
  }
}

/** Indices are evaluated once, before the call. */
function held(p: Place, before: Statement[], editor: ModuleEditor): Place {
  switch (p.kind) {
    case "variable":
    case "deref":
      return p;
    case "element": {
      const base = held(p.base, before, editor);
      if (p.index.kind === "literal") return { ...p, base };
      const t = editor.addVariable({ name: "at", type: p.index.type, space: "private", role: "local", constant: false, span: noSpan });
      before.push(declare(t.id, p.index));
      return { ...p, base, index: load(variablePlace(t)) };
    }
    default:
      return { ...p, base: held(p.base, before, editor) };
  }
}
