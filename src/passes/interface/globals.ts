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
  type Resource,
  type Statement,
  type TopLevel,
  type Trivia,
  type Variable,
  type VarId,
} from "../../ast/nodes.js";
import { rewriteFunction } from "../../ast/walk.js";
import { append } from "../../support/append.js";
import { noSpan, type Span } from "../../support/span.js";
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
  run: (module) => new ParameterThreading(module).run(),
};

/** What of the file belongs to the kernel becomes locals and arguments of kernels, and parameters of helpers that need it. */
class ParameterThreading {
  private readonly editor: ModuleEditor;
  private readonly resources: ReadonlyMap<VarId, Resource>;
  private readonly entries: ReadonlySet<FunctionId>;
  /** Arguments of kernels, beside which a text says what is said of them. */
  private readonly arguments: ReadonlySet<VarId>;
  /** Workgroup memory that kernels declare and helpers name: pointers to it are gone. */
  private readonly ofKernels: ReadonlySet<VarId>;
  private readonly needs: (id: FunctionId) => readonly VarId[];
  /** By function: what stands for each variable of the file in it. */
  private readonly replacements = new Map<FunctionId, Map<VarId, Variable>>();
  /** Of kernels. */
  private readonly declarations = new Map<FunctionId, Declare[]>();
  private readonly declared = new Set<VarId>();

  constructor(private readonly module: Module) {
    this.editor = new ModuleEditor(module);
    this.resources = new Map(module.resources.map((r) => [r.variable, r]));
    this.entries = new Set(module.entries.map((e) => e.function));
    this.arguments = new Set(module.entries.flatMap((e) => e.resources));
    const helpers = module.functions.filter((f) => !this.entries.has(f.id));
    this.ofKernels = new Set(
      helpers
        .flatMap((f) => [...variablesUsed(f)])
        .filter((id) => {
          const v = module.variables.get(id)!;
          return v.role === "local" && v.space === "workgroup";
        }),
    );
    const shared = [
      ...module.resources.map((r) => r.variable),
      ...module.order.flatMap((o) => (o.kind === "variable" ? [o.variable] : [])),
      ...this.ofKernels,
    ].filter((id) => this.ofKernels.has(id) || this.inKernel(id));
    const rank = new Map(shared.map((v, i) => [v, i]));
    const direct = new Map(module.functions.map((f) => [f.id, [...variablesUsed(f)].filter((v) => rank.has(v))]));
    const gathered = new CallGraph(module).gathered((id) => direct.get(id) ?? []);
    const sorted = new Map(
      module.functions.map((f) => [f.id, [...gathered(f.id)].sort((a, b) => rank.get(a)! - rank.get(b)!)]),
    );
    this.needs = (id) => sorted.get(id) ?? [];
  }

  run(): Module {
    for (const f of this.module.functions) {
      if (this.entries.has(f.id)) this.declareIn(f.id);
      else this.replacements.set(f.id, new Map(this.needs(f.id).map((id) => [id, this.parameterFor(id)])));
    }
    const functions = this.module.functions.map((f) => this.rewritten(f));
    const { order, comments } = this.fileOrder();
    if (comments.length === 0) return this.editor.finish({ functions, order });
    // The author's first function: helpers that emulate something stand before it.
    const emulations = new Set(functions.filter((f) => f.emulates !== undefined).map((f) => f.id));
    const first = order.find((o) => o.kind === "function" && !emulations.has(o.function));
    return this.editor.finish({
      functions: functions.map((f) =>
        first?.kind === "function" && f.id === first.function
          ? { ...f, trivia: { ...f.trivia, leading: [...comments, ...f.trivia.leading] } }
          : f,
      ),
      order,
    });
  }

  private inKernel(id: VarId): boolean {
    const r = this.resources.get(id);
    if (r) return r.kind !== "specialization";
    const v = this.module.variables.get(id);
    return v?.role === "global" && !staysAtFileScope(v);
  }

  /** Resources are parameters of the kernel already; workgroup memory and private globals become its locals. */
  private declareIn(entry: FunctionId): void {
    const map = new Map<VarId, Variable>();
    const made: Declare[] = [];
    for (const id of this.needs(entry)) {
      if (this.resources.has(id) || this.ofKernels.has(id)) continue;
      const v = this.module.variables.get(id)!;
      const { initializer, trivia, ...rest } = v;
      // A second kernel gets its own.
      const local = this.declared.has(id)
        ? this.editor.addVariable({ ...rest, role: "local" })
        : { ...rest, role: "local" as const };
      if (!this.declared.has(id)) this.editor.setVariable(local);
      this.declared.add(id);
      if (local.id !== id) map.set(id, local);
      made.push(declare(local.id, initializer, v.span, trivia ?? noTrivia));
    }
    this.replacements.set(entry, map);
    this.declarations.set(entry, made);
  }

  /** Small values are passed as such, all else by reference. */
  private parameterFor(id: VarId): Variable {
    const v = this.module.variables.get(id)!;
    const r = this.resources.get(id);
    const byValue =
      r && (r.kind === "value" || r.kind === "derived" || r.kind === "specialization") && v.type.kind !== "array";
    const { initializer: _initializer, trivia: _trivia, ...rest } = v;
    return this.editor.addVariable({
      ...rest,
      role: "parameter",
      span: noSpan,
      mode: byValue ? "value" : "ref",
      ...(byValue
        ? { space: "private" as const, constant: false }
        : {
            constant:
              (r?.kind === "buffer" && r.access === "read" && v.space === "global") ||
              (!r && v.constant && v.space === "private"),
          }),
    });
  }

  private rewritten(f: FunctionDeclaration): FunctionDeclaration {
    const map = this.replacements.get(f.id)!;
    const next = rewriteFunction(f, {
      place: (p) => {
        const v = p.kind === "variable" ? map.get(p.variable) : undefined;
        return v ? { ...p, variable: v.id } : p;
      },
      expr: (e) => {
        if (e.kind !== "call" || this.entries.has(e.function)) return e;
        const more = this.needs(e.function).map((id) => this.argument(e.function, id, map, e.span));
        return more.length === 0 ? e : { ...e, arguments: [...e.arguments, ...more] };
      },
    });
    if (!this.entries.has(f.id))
      return { ...next, parameters: [...next.parameters, ...[...map.values()].map((v) => v.id)] };
    const made = this.declarations.get(f.id)!;
    if (made.length === 0) return next;
    return { ...next, body: { ...next.body, statements: [...made, ...next.body.statements] } };
  }

  private argument(callee: FunctionId, id: VarId, map: ReadonlyMap<VarId, Variable>, span: Span): Argument {
    const place = variablePlace(map.get(id) ?? this.editor.variables.get(id)!, span);
    const parameter = this.replacements.get(callee)!.get(id)!;
    return parameter.mode === "value" ? { mode: "value", value: load(place, span) } : { mode: "ref", place };
  }

  /** Without what became parameters and locals; comments of what no kernel has as an argument go before the first function. */
  private fileOrder(): { readonly order: readonly TopLevel[]; readonly comments: readonly Comment[] } {
    const comments: Comment[] = [];
    const order: TopLevel[] = [];
    for (const o of this.module.order) {
      const gone = (o.kind === "resource" || o.kind === "variable") && this.inKernel(o.variable);
      if (!gone) {
        order.push(o);
        continue;
      }
      if (o.kind === "resource" && this.arguments.has(o.variable)) {
        append(comments, this.saidOfAll(o.variable));
        continue;
      }
      const trivia = this.module.variables.get(o.variable)?.trivia;
      if (trivia && !(o.kind === "variable" && this.declared.has(o.variable)))
        append(comments, [...trivia.leading, ...trivia.trailing]);
    }
    return { order, comments };
  }

  /** What stands before the first resource of a file is said of the kernel as often as of the resource: it stays in front. */
  private saidOfAll(id: VarId): readonly Comment[] {
    const v = this.module.variables.get(id)!;
    if (id !== this.module.resources[0]!.variable || !v.trivia || this.isParameter(v)) return [];
    this.editor.setVariable({ ...v, trivia: { ...v.trivia, leading: [] } });
    return v.trivia.leading;
  }

  /** It is written in the list of a kernel. */
  private isParameter({ span }: Variable): boolean {
    return this.module.functions.some(
      (f) => this.entries.has(f.id) && f.span.start <= span.start && span.end <= f.span.end,
    );
  }
}

type Comment = Trivia["leading"][number];

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
