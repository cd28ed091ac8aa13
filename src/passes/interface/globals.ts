/**
 * Where things of the whole file live. MSL and OpenCL C: resources, workgroup memory and private globals belong to the
 * kernel, helpers get them as parameters. GLSL and HLSL: resources and workgroup memory stand at file scope.
 */
import { declare, load, ModuleEditor, variablePlace } from "../../ast/builders.js";
import {
  noTrivia,
  type Argument,
  type Declare,
  type FunctionDeclaration,
  type FunctionId,
  type Module,
  type Statement,
  type TopLevel,
  type Trivia,
  type Variable,
  type VarId,
} from "../../ast/nodes.js";
import { rewriteFunction } from "../../ast/walk.js";
import { noSpan } from "../../support/span.js";
import type { Type } from "../../types/types.js";
import { CallGraph, variablesUsed } from "./select-entries.js";
import { withoutStatements } from "./builtins.js";
import type { TextPass } from "../pass.js";

/** Constants known before the run stay at file scope in every target. */
const staysAtFileScope = (v: Variable): boolean => v.space === "constant" || v.compileTime === true;

// ------------------------------------------------------------------ MSL, OpenCL C

export const globalsToParameters: TextPass = {
  name: "globals-to-parameters",
  requires: ["ids-placed"],
  ensures: ["globals-placed"],
  run(module) {
    const editor = new ModuleEditor(module);
    const byVariable = new Map(module.resources.map((r) => [r.variable, r]));
    const graph = new CallGraph(module);
    const inKernel = (id: VarId): boolean => {
      const r = byVariable.get(id);
      if (r) return r.kind !== "specialization";
      const v = module.variables.get(id);
      return v?.role === "global" && !staysAtFileScope(v);
    };
    const shared = [
      ...module.resources.map((r) => r.variable),
      ...module.order.flatMap((o) => (o.kind === "variable" ? [o.variable] : [])),
    ].filter(inKernel);
    const rank = new Map(shared.map((v, i) => [v, i]));
    const direct = new Map(module.functions.map((f) => [f.id, [...variablesUsed(f)].filter((v) => rank.has(v))]));
    const gathered = graph.gathered((id) => direct.get(id) ?? []);
    const needs = (id: FunctionId): VarId[] => [...gathered(id)].sort((a, b) => rank.get(a)! - rank.get(b)!);

    // Workgroup memory declared inside a helper (not legal in either target) moves to the kernels, too: none exists in the sources.
    const replacements = new Map<FunctionId, Map<VarId, Variable>>();
    const neededBy = new Map<FunctionId, VarId[]>();
    const entryIds = new Set(module.entries.map((e) => e.function));
    const seenInEntry = new Set<VarId>();
    const declarations = new Map<FunctionId, Declare[]>();
    for (const f of module.functions) {
      const list = needs(f.id);
      neededBy.set(f.id, list);
      const map = new Map<VarId, Variable>();
      replacements.set(f.id, map);
      if (entryIds.has(f.id)) {
        const made: Declare[] = [];
        for (const id of list) {
          if (byVariable.has(id)) continue;
          const v = module.variables.get(id)!;
          const { initializer, trivia, ...rest } = v;
          // A second kernel gets its own.
          const local = seenInEntry.has(id)
            ? editor.addVariable({ ...rest, role: "local" })
            : { ...rest, role: "local" as const };
          if (!seenInEntry.has(id)) editor.setVariable(local);
          seenInEntry.add(id);
          if (local.id !== id) map.set(id, local);
          made.push(declare(local.id, initializer, v.span, trivia ?? noTrivia));
        }
        declarations.set(f.id, made);
        continue;
      }
      for (const id of list) {
        const v = module.variables.get(id)!;
        const r = byVariable.get(id);
        const byValue =
          r && (r.kind === "value" || r.kind === "derived" || r.kind === "specialization") && v.type.kind !== "array";
        const { initializer: _initializer, trivia: _trivia, ...rest } = v;
        map.set(
          id,
          editor.addVariable({
            ...rest,
            role: "parameter",
            span: noSpan,
            mode: byValue ? "value" : "ref",
            ...(byValue
              ? { space: "private" as const, constant: false }
              : { constant: r?.kind === "buffer" && r.access === "read" && v.space === "global" }),
          }),
        );
      }
    }

    const functions = module.functions.map((f): FunctionDeclaration => {
      const map = replacements.get(f.id)!;
      const rewriter = {
        place: (p: Parameters<typeof load>[0]) => {
          if (p.kind !== "variable") return p;
          const v = map.get(p.variable);
          return v ? { ...p, variable: v.id } : p;
        },
        expr: (e: ReturnType<typeof load>) => {
          if (e.kind !== "call") return e;
          const extra = neededBy.get(e.function)!;
          if (extra.length === 0 || entryIds.has(e.function)) return e;
          const args = extra.map((id): Argument => {
            const mine = map.get(id) ?? editor.variables.get(id)!;
            const place = variablePlace(mine, e.span);
            const parameter = replacements.get(e.function)!.get(id)!;
            return parameter.mode === "value" ? { mode: "value", value: load(place, e.span) } : { mode: "ref", place };
          });
          return { ...e, arguments: [...e.arguments, ...args] };
        },
      };
      const next = rewriteFunction(f, rewriter);
      if (!entryIds.has(f.id))
        return { ...next, parameters: [...next.parameters, ...[...map.values()].map((v) => v.id)] };
      const made = declarations.get(f.id)!;
      if (made.length === 0) return next;
      return { ...next, body: { ...next.body, statements: [...made, ...next.body.statements] } };
    });

    // Comments of declarations that became parameters go before the first function.
    const comments: Trivia["leading"][number][] = [];
    const order: TopLevel[] = [];
    for (const o of module.order) {
      const gone = (o.kind === "resource" || o.kind === "variable") && inKernel(o.variable);
      if (!gone) {
        order.push(o);
        continue;
      }
      const trivia = module.variables.get(o.variable)?.trivia;
      if (trivia && !(o.kind === "variable" && seenInEntry.has(o.variable)))
        comments.push(...trivia.leading, ...trivia.trailing);
    }
    if (comments.length === 0) return editor.finish({ functions, order });
    // The author's first function: helpers that emulate something stand before it.
    const emulations = new Set(functions.filter((f) => f.emulates !== undefined).map((f) => f.id));
    const first = order.find((o) => o.kind === "function" && !emulations.has(o.function));
    return editor.finish({
      functions: functions.map((f) =>
        first?.kind === "function" && f.id === first.function
          ? { ...f, trivia: { ...f.trivia, leading: [...comments, ...f.trivia.leading] } }
          : f,
      ),
      order,
    });
  },
};

// ------------------------------------------------------------------ GLSL, HLSL

export const globalsToFileScope: TextPass = {
  name: "globals-to-file-scope",
  requires: ["ids-placed"],
  ensures: ["globals-placed"],
  run(module) {
    const editor = new ModuleEditor(module);
    const hoisted: VarId[] = [];
    const functions = module.functions.map((f) => {
      const gone = new Set<Statement>();
      const rewritten = rewriteFunction(f, {
        statement(s) {
          if (s.kind !== "block") return s;
          return { ...s, statements: lift(s.statements) };
        },
      });
      const statements = lift(rewritten.body.statements);
      return { ...rewritten, body: { ...rewritten.body, statements } };

      function lift(list: readonly Statement[]): readonly Statement[] {
        const mine = list.filter(
          (s): s is Declare => s.kind === "declare" && editor.variables.get(s.variable)!.space === "workgroup",
        );
        if (mine.length === 0) return list;
        for (const s of mine) {
          gone.add(s);
          const v = editor.variables.get(s.variable)!;
          editor.setVariable({ ...v, role: "global", trivia: { ...s.trivia, blankBefore: false } });
          hoisted.push(s.variable);
        }
        const cleared = mine.map((s) => ({ ...s, trivia: noTrivia }));
        const bareOf = new Map<Statement, Statement>(mine.map((s, n) => [s, cleared[n]!]));
        const bare = list.map((s) => bareOf.get(s) ?? s);
        return withoutStatements(bare, new Set<Statement>(cleared));
      }
    });

    const present = new Set(module.order.flatMap((o) => (o.kind === "resource" ? [o.variable] : [])));
    const added: TopLevel[] = [
      ...module.resources
        .filter((r) => !present.has(r.variable))
        .map((r): TopLevel => ({ kind: "resource", variable: r.variable })),
      ...hoisted.map((variable): TopLevel => ({ kind: "variable", variable })),
    ];
    return editor.finish({ functions, order: insertBeforeUse(module, added) });
  },
};

/** Puts declarations before the first function; what they need (structs, constants) is moved before them. */
function insertBeforeUse(module: Module, added: readonly TopLevel[]): TopLevel[] {
  if (added.length === 0) return [...module.order];
  const first = module.order.findIndex((o) => o.kind === "function");
  const at = first < 0 ? module.order.length : first;
  const structs = new Set<string>();
  const collect = (type: Type): void => {
    if (type.kind === "struct") {
      if (structs.has(type.name)) return;
      structs.add(type.name);
      module.structs.get(type.name)?.members.forEach((m) => collect(m.type));
    } else if (type.kind === "array") collect(type.element);
  };
  for (const o of added)
    if (o.kind === "resource" || o.kind === "variable") collect(module.variables.get(o.variable)!.type);
  const before = module.order.slice(0, at);
  const after = module.order.slice(at);
  const needed = after.filter((o) => o.kind === "struct" && structs.has(o.name));
  return [...before, ...needed, ...added, ...after.filter((o) => !needed.includes(o))];
}
