/**
 * Objects that HLSL's methods do not write, though no `const` says so: they are then passed as values where there are no references.
 * Not where the method, or what it calls, writes variables of the file: the object may be one of them, and change meanwhile.
 */
import { rootVariable } from "../ast/builders.js";
import type { FunctionDeclaration, FunctionId, Module, VarId } from "../ast/nodes.js";
import { walkStatement } from "../ast/walk.js";

interface Effects {
  /** Variables that are written here, and those of the file among them. */
  readonly written: ReadonlySet<VarId>;
  readonly globals: boolean;
  /** Variables, or parts of them, that parameters of other functions refer to. */
  readonly passed: readonly { readonly variable: VarId; readonly parameter: VarId }[];
  readonly calls: readonly FunctionId[];
}

export function withReadOnlyObjects(module: Module<"canonical">): Module<"canonical"> {
  const isObject = (id: VarId): boolean => {
    const v = module.variables.get(id)!;
    return v.mode === "ref" && v.type.kind === "struct" && v.space === "private" && !v.constant;
  };
  const objects = new Set(module.functions.flatMap((f) => f.parameters.filter(isObject)));
  if (objects.size === 0) return module;
  const functions = new Map(module.functions.map((f) => [f.id, f]));
  const effects = new Map(module.functions.map((f) => [f.id, effectsOf(module, functions, f)]));
  const touching = closure(
    [...effects].flatMap(([id, e]) => (e.globals ? [id] : [])),
    [...effects].flatMap(([id, e]) => e.calls.map((to) => [to, id] as const)),
  );
  const written = closure(
    [...effects.values()].flatMap((e) => [...e.written]),
    [...effects.values()].flatMap((e) => e.passed.map(({ variable, parameter }) => [parameter, variable] as const)),
  );
  const variables = new Map(module.variables);
  for (const f of module.functions) {
    if (touching.has(f.id)) continue;
    for (const id of f.parameters)
      if (objects.has(id) && !written.has(id)) variables.set(id, { ...variables.get(id)!, constant: true });
  }
  return { ...module, variables };
}

function effectsOf(
  module: Module<"canonical">,
  functions: ReadonlyMap<FunctionId, FunctionDeclaration>,
  f: FunctionDeclaration,
): Effects {
  const writes = new Map<VarId, number>();
  const passed: { variable: VarId; parameter: VarId }[] = [];
  const calls: FunctionId[] = [];
  walkStatement(f.body, {
    place: (p, use) => {
      if (p.kind === "variable" && use !== "read") writes.set(p.variable, (writes.get(p.variable) ?? 0) + 1);
    },
    expr: (e) => {
      if (e.kind !== "call") return;
      calls.push(e.function);
      const { parameters } = functions.get(e.function)!;
      for (const [i, a] of e.arguments.entries()) {
        const variable = a.mode === "ref" ? rootVariable(a.place) : undefined;
        if (variable !== undefined) passed.push({ variable, parameter: parameters[i]! });
      }
    },
  });
  for (const { variable } of passed) writes.set(variable, writes.get(variable)! - 1);
  const written = new Set([...writes].flatMap(([id, n]) => (n > 0 ? [id] : [])));
  const globals = [...written, ...passed.map((x) => x.variable)].some(
    (id) => module.variables.get(id)!.role === "global",
  );
  return { written, globals, passed, calls };
}

/** What is reached from `start` along pairs. */
function closure<T>(start: readonly T[], pairs: readonly (readonly [T, T])[]): ReadonlySet<T> {
  const next = new Map<T, T[]>();
  for (const [from, to] of pairs) next.set(from, [...(next.get(from) ?? []), to]);
  const found = new Set(start);
  for (const x of found) next.get(x)?.forEach((y) => found.add(y));
  return found;
}
