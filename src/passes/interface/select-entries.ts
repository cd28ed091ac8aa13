/** Chooses the entries the output holds and gives them legal names. */
import type { EntryPoint, Expr, FunctionDeclaration, FunctionId, Module, TopLevel, VarId } from "../../ast/nodes.js";
import { walkExpr, walkStatement } from "../../ast/walk.js";
import type { Target } from "../../dialects/ids.js";
import { isReserved } from "../../dialects/reserved.js";
import { onceEach } from "../../support/once.js";
import type { Type } from "../../types/types.js";
import type { Pass, PassContext } from "../pass.js";
import { structsOf } from "./declare-before-use.js";
import { writingFacts, languageFacts } from "../../dialects/languages.js";

/** Variables a function refers to itself. Kept, as what it calls is: each kernel of a file is looked at by itself. */
export const variablesUsed = onceEach((f: FunctionDeclaration): ReadonlySet<VarId> => {
  const used = new Set<VarId>();
  walkStatement(f.body, { place: (p) => void (p.kind === "variable" && used.add(p.variable)) });
  return used;
});

const calledBy = onceEach((f: FunctionDeclaration): ReadonlySet<FunctionId> => {
  const found = new Set<FunctionId>();
  walkStatement(f.body, { expr: (e) => void (e.kind === "call" && found.add(e.function)) });
  return found;
});

interface Mentioned {
  readonly variables: ReadonlySet<VarId>;
  readonly structs: ReadonlySet<string>;
}

const mentionedBy = onceEach((f: FunctionDeclaration): Mentioned => {
  const variables = new Set<VarId>(f.parameters);
  const structs = new Set(structsOf(f.returnType));
  const type = (t: Type): void => structsOf(t).forEach((name) => void structs.add(name));
  walkStatement(f.body, {
    expr: (e) => type(e.type),
    place(p) {
      type(p.type);
      if (p.kind === "variable") variables.add(p.variable);
    },
    statement: (s) => void (s.kind === "declare" && variables.add(s.variable)),
  });
  return { variables, structs };
});

/** The variables and structs that functions and variables need, with what those are made of. */
function neededBy(module: Module, functions: Iterable<FunctionDeclaration>, roots: Iterable<VarId> = []): Mentioned {
  const variables = new Set<VarId>();
  const structs = new Set<string>();
  const struct = (name: string): void => {
    if (structs.has(name)) return;
    structs.add(name);
    for (const m of module.structs.get(name)?.members ?? []) structsOf(m.type).forEach(struct);
  };
  const variable = (id: VarId): void => {
    if (variables.has(id)) return;
    variables.add(id);
    const v = module.variables.get(id);
    if (v) structsOf(v.type).forEach(struct);
    if (v?.initializer)
      walkExpr(v.initializer, {
        expr: (e) => structsOf(e.type).forEach(struct),
        place: (p) => void (p.kind === "variable" && variable(p.variable)),
      });
  };
  for (const f of functions) {
    const mentioned = mentionedBy(f);
    mentioned.variables.forEach(variable);
    mentioned.structs.forEach(struct);
  }
  for (const id of roots) variable(id);
  return { variables, structs };
}

/** What any function of a module needs, which is asked for each of its kernels. */
const mentionedAnywhere = onceEach((module: Module): Mentioned => neededBy(module, module.functions));

/** Who calls whom, read once. */
export class CallGraph {
  private readonly direct = new Map<FunctionId, ReadonlySet<FunctionId>>();

  constructor(module: Module) {
    for (const f of module.functions) this.direct.set(f.id, calledBy(f));
  }

  /** Functions called by `id` itself. */
  callees(id: FunctionId): ReadonlySet<FunctionId> {
    return this.direct.get(id) ?? new Set();
  }

  /** For every function, what `own` gives for it and for everything it calls. */
  gathered<T>(own: (id: FunctionId) => Iterable<T>): (id: FunctionId) => ReadonlySet<T> {
    const known = new Map<FunctionId, ReadonlySet<T>>();
    const gather = (id: FunctionId): ReadonlySet<T> => {
      const before = known.get(id);
      if (before) return before;
      const all = new Set(own(id));
      known.set(id, all);
      for (const callee of this.callees(id)) for (const x of gather(callee)) all.add(x);
      return all;
    };
    return gather;
  }

  /** `roots` and everything they call. */
  reachable(roots: Iterable<FunctionId>): Set<FunctionId> {
    const seen = new Set<FunctionId>();
    const visit = (id: FunctionId): void => {
      if (seen.has(id)) return;
      seen.add(id);
      this.callees(id).forEach(visit);
    };
    for (const r of roots) visit(r);
    return seen;
  }
}

export const selectEntries: Pass = {
  name: "select-entries",
  ensures: ["entries-selected"],
  run(source, context) {
    const { entriesLeftOut, ...module } = source;
    const { target, options, problems } = context;
    checkLocal(module, context);
    let entries: readonly EntryPoint[] = module.entries;
    if (entries.length === 0) {
      problems.error("XL4001", "the source has no kernel to translate");
      return module;
    }
    if (options.entry !== undefined) {
      const asked = [options.entry].flat();
      entries = entries.filter((e) => asked.includes(e.name));
      if (entries.length === 0) {
        const names = module.entries.map((e) => e.name).join(", ");
        problems.error("XL4001", `there is no kernel named ${asked.join(", ")}`, undefined, {
          help: `the source has ${names}`,
        });
        return module;
      }
    }
    if (target !== "ts" && writingFacts(target).soleEntry !== undefined && entries.length > 1) {
      const names = entries.map((e) => e.name).join(", ");
      problems.error(
        "XL4002",
        `a ${languageFacts[target].name} file holds one entry point, and the source has several`,
        undefined,
        {
          help: `choose one with --entry: ${names}`,
        },
      );
      return module;
    }
    const named = entries.map((e) => ({ ...e, name: entryName(e.name, target, options.fileStem) }));
    if (entries.length === module.entries.length && !entriesLeftOut) return { ...module, entries: named };

    // What only other entries used goes.
    const graph = new CallGraph(module);
    const kept = graph.reachable(entries.map((e) => e.function));
    const others = graph.reachable(
      module.entries.filter((e) => !entries.some((k) => k.function === e.function)).map((e) => e.function),
    );
    const resources = new Set<VarId>(entries.flatMap((e) => [...e.resources]));
    const gone = new Set<FunctionId>([...others].filter((id) => !kept.has(id)));
    // A helper nobody calls stays, unless it uses what went: then it could not be written.
    for (let before = -1; before !== gone.size;) {
      before = gone.size;
      for (const f of module.functions) {
        if (kept.has(f.id) || gone.has(f.id)) continue;
        const lost =
          [...graph.callees(f.id)].some((c) => gone.has(c)) ||
          [...variablesUsed(f)].some((v) => module.variables.get(v)?.role === "resource" && !resources.has(v));
        if (lost) gone.add(f.id);
      }
    }
    const functions = module.functions.filter((f) => !gone.has(f.id));
    const all = mentionedAnywhere(source);
    const unused = module.order.flatMap((o) =>
      o.kind === "variable" && !all.variables.has(o.variable) ? [o.variable] : [],
    );
    const ours = neededBy(module, functions, [...resources, ...unused]);
    const stays = (o: TopLevel): boolean => {
      if (o.kind === "function") return !gone.has(o.function);
      if (o.kind === "resource") return resources.has(o.variable);
      if (o.kind === "variable") return ours.variables.has(o.variable) || !all.variables.has(o.variable);
      return o.kind !== "struct" || ours.structs.has(o.name) || !all.structs.has(o.name);
    };
    const order = module.order.filter(stays);
    const macros = macrosUsed({ ...module, functions, order });
    // Passes go through all variables: of a file with many kernels, most would be those of others.
    const lost = (id: VarId): boolean => all.variables.has(id) && !ours.variables.has(id);
    return {
      ...module,
      entries: named,
      functions,
      variables: new Map([...module.variables].filter(([id]) => !lost(id))),
      resources: module.resources.filter((r) => resources.has(r.variable)),
      order: order.filter((o) => o.kind !== "constant-macro" || macros.has(o.name)),
    };
  },
};

/** Bytes are for workgroup memory that is sized at launch, and for nothing else. */
function checkLocal(module: Module, { options, problems }: PassContext): void {
  const sized = module.resources.filter((r) => r.kind === "workgroup-sized-at-launch");
  for (const name of Object.keys(options.local ?? {})) {
    if (sized.some((r) => r.path === name || module.variables.get(r.variable)?.name === name)) continue;
    problems.error("XL4004", `no workgroup memory that is sized at launch is called '${name}'`, undefined, {
      help: sized.length === 0 ? "the source has none" : `the source has ${sized.map((r) => r.path).join(", ")}`,
    });
  }
}

/** Constant macros that expressions and lengths of arrays name. */
function macrosUsed(module: Module): Set<string> {
  const used = new Set<string>();
  const lengths = (type: Type | undefined): void => {
    if (type?.kind !== "array") return;
    for (const part of type.written ?? []) if (typeof part !== "string" && "macro" in part) used.add(part.macro);
    lengths(type.element);
  };
  const expr = (e: Expr): void => {
    if (e.macro) used.add(e.macro.name);
    lengths(e.type);
  };
  const declared = (id: VarId): void => lengths(module.variables.get(id)?.type);
  const reached = new Set<VarId>();
  for (const f of module.functions) {
    variablesUsed(f).forEach((v) => reached.add(v));
    f.parameters.forEach(declared);
    walkStatement(f.body, { expr, statement: (s) => void (s.kind === "declare" && declared(s.variable)) });
  }
  for (const o of module.order) {
    if (o.kind === "struct") module.structs.get(o.name)?.members.forEach((m) => lengths(m.type));
    if (o.kind !== "variable" && o.kind !== "resource") continue;
    // Workgroup memory of other kernels goes later.
    if (module.variables.get(o.variable)?.space === "workgroup" && !reached.has(o.variable)) continue;
    declared(o.variable);
    const initializer = module.variables.get(o.variable)?.initializer;
    if (initializer) walkExpr(initializer, { expr });
  }
  return used;
}

function entryName(name: string, target: Target, stem: string | undefined): string {
  const sole = writingFacts(target)?.soleEntry;
  if (sole !== undefined) return sole;
  // A TypeScript module could export `main`; the stem says more.
  if (name !== "main" || (target !== "ts" && !isReserved(target, "main", "entry"))) return name;
  const usable =
    stem !== undefined && /^[A-Za-z][A-Za-z0-9_]*$/.test(stem) && stem !== "main" && !isReserved(target, stem, "entry");
  return usable ? stem : "compute_main";
}
