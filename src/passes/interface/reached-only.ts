/** Leaves out what no entry reaches, where the target would refuse it. */
import { functionOf } from "../../ast/lookup.js";
import type { FunctionId, Module, TopLevel, VarId } from "../../ast/nodes.js";
import { isPure, walkExpr, walkStatement, type Visitor } from "../../ast/walk.js";
import type { Type } from "../../types/types.js";
import type { Pass } from "../pass.js";
import { structsOf } from "./declare-before-use.js";

export const reachedOnly: Pass = {
  name: "reached-only",
  requires: ["entries-selected"],
  run(module, context) {
    if (!context.options.reachedOnly) return module;
    const reached = reachedBy(module);
    const stays = (o: TopLevel): boolean => isReached(o, reached);
    const gone = module.order.filter((o) => !stays(o));
    for (const o of gone) {
      if (o.kind === "function") {
        const f = functionOf(module, o.function)!;
        context.leftOut.push({ name: f.name, kind: "function", span: f.span });
      } else if (o.kind === "variable") {
        const v = module.variables.get(o.variable)!;
        context.leftOut.push({ name: v.name, kind: "variable", span: v.span });
      } else if (o.kind === "struct") {
        context.leftOut.push({ name: o.name, kind: "type", span: module.structs.get(o.name)!.span });
      }
    }
    return {
      ...module,
      order: module.order.filter(stays),
      functions: module.functions.filter((f) => reached.functions.has(f.id)),
      structs: new Map([...module.structs].filter(([name]) => reached.structs.has(name))),
      variables: new Map([...module.variables].filter(([id]) => reached.variables.has(id))),
    };
  },
};

/** Whether there is anything to leave out. */
export function hasUnreached(module: Module, entries: readonly string[]): boolean {
  const reached = reachedBy({ ...module, entries: module.entries.filter((e) => entries.includes(e.name)) });
  return !module.order.every((o) => isReached(o, reached));
}

const isReached = (o: TopLevel, reached: Reached): boolean =>
  o.kind === "function"
    ? reached.functions.has(o.function)
    : o.kind === "variable"
      ? reached.variables.has(o.variable)
      : o.kind !== "struct" || reached.structs.has(o.name);

interface Reached {
  readonly functions: ReadonlySet<FunctionId>;
  readonly variables: ReadonlySet<VarId>;
  readonly structs: ReadonlySet<string>;
}

/** The structs that functions and file-scope variables name, and what those hold; `except`: variables that have another type by now. */
export function structsNamed(module: Module, except: ReadonlySet<VarId>): ReadonlySet<string> {
  const variables = module.order.flatMap((o) => (o.kind === "variable" ? [o.variable] : []));
  return reachedBy(module, new Set(module.functions.map((f) => f.id)), variables, except).structs;
}

function reachedBy(
  module: Module,
  roots: Iterable<FunctionId> = module.entries.map((e) => e.function),
  alsoVariables: readonly VarId[] = [],
  except: ReadonlySet<VarId> = new Set(),
): Reached {
  const functions = new Set(roots);
  const variables = new Set<VarId>();
  const structs = new Set<string>();
  const type = (t: Type | undefined): void => {
    if (!t) return;
    for (const name of structsOf(t)) {
      if (structs.has(name)) continue;
      structs.add(name);
      for (const m of module.structs.get(name)?.members ?? []) type(m.type);
    }
  };
  const found: VarId[] = [];
  const variable = (id: VarId): void => {
    if (variables.has(id)) return;
    variables.add(id);
    found.push(id);
  };
  // One after the other: a constant may be the thousandth that is made of the one before.
  const goOn = (): void => {
    for (let id = found.pop(); id !== undefined; id = found.pop()) {
      const v = module.variables.get(id);
      if (!except.has(id)) type(v?.type);
      if (v?.initializer) walkExpr(v.initializer, visitor);
    }
  };
  const visitor: Visitor = {
    expr: (e) => {
      type(e.type);
      // Of what is computed when the kernel starts, too.
      if (e.kind === "call") functions.add(e.function);
    },
    place: (p) => {
      type(p.type);
      if (p.kind === "variable") variable(p.variable);
    },
    statement: (s) => {
      if (s.kind === "declare") variable(s.variable);
    },
  };
  for (const r of module.resources) {
    variable(r.variable);
    if (r.givenIf !== undefined) variable(r.givenIf);
  }
  alsoVariables.forEach(variable);
  // What is computed when the kernel starts may write, whoever reads the result.
  for (const o of module.order) {
    const initializer = o.kind === "variable" ? module.variables.get(o.variable)?.initializer : undefined;
    if (o.kind === "variable" && initializer && !isPure(initializer)) variable(o.variable);
  }
  goOn();
  // Those that are found on the way come to the end.
  for (const id of functions) {
    const f = functionOf(module, id);
    // One that the pass which asks is still to add.
    if (!f) continue;
    type(f.returnType);
    f.parameters.forEach(variable);
    walkStatement(f.body, visitor);
    goOn();
  }
  return { functions, variables, structs };
}
