/**
 * `out` and `inout` parameters in MSL and OpenCL C, which have references and pointers instead: the object itself is handed
 * over where copying in and out could not be told apart from that, a temporary otherwise.
 */
import { functionOf } from "../../ast/lookup.js";
import {
  assign,
  declare,
  expressionStatement,
  load,
  ModuleEditor,
  rootVariable,
  variablePlace,
} from "../../ast/builders.js";
import type {
  Argument,
  Expr,
  FunctionDeclaration,
  FunctionId,
  Module,
  OpCall,
  Place,
  Statement,
  Variable,
  VarId,
} from "../../ast/nodes.js";
import { heldPlace } from "../../ast/held-place.js";
import { walkStatement } from "../../ast/walk.js";
import { rows } from "../../ops/index.js";
import { CallGraph, variablesUsed } from "../interface/select-entries.js";
import { atomicWords, isComponent } from "../memory/atomic-words.js";
import { Linearizer } from "../../ast/linearize.js";
import { showType, type PointerType, type Type } from "../../types/types.js";
import type { Span } from "../../support/span.js";
import type { TextPass } from "../pass.js";
import { writingFacts } from "../../dialects/languages.js";

export const copiesToReferences: TextPass = {
  name: "copies-to-references",
  run(module, context) {
    const copied = (id: VarId): boolean => {
      const mode = module.variables.get(id)?.mode;
      return mode === "out" || mode === "inout";
    };
    const { target } = context;
    const { outPlaces: reached, atomicComponents } = writingFacts(target);
    // Out places of functions such as modf: a component of a vector has neither a reference nor a pointer.
    const needsLocal = (p: Place): boolean => {
      const root = rootVariable(p);
      const isPrivate = root !== undefined && module.variables.get(root)!.space === "private";
      return hasComponent(p) || (reached === "private" && !isPrivate);
    };
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
        for (const g of graph.reachable([id]))
          for (const v of variablesUsed(byId.get(g)!)) if (module.variables.get(v)?.role === "global") found.add(v);
        globals.set(id, found);
      }
      return found;
    };

    const handle = (
      e: Expr,
      discarded: boolean,
    ): { before: readonly Statement[]; value: Expr | undefined } | undefined => {
      if (e.kind === "op") return outPlaces(e, discarded);
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
        const t = editor.addLocal(name, a.place.type);
        before.push(mode === "out" ? declare(t.id) : declare(t.id, load(place)));
        after.push(expressionStatement(assign(place, load(variablePlace(t)))));
        return { mode: "ref", place: variablePlace(t, a.place.span) };
      });
      if (!changed) return undefined;
      const call: Expr = { ...e, arguments: args };
      if (after.length === 0) return before.length === 0 ? { before: [], value: call } : { before, value: call };
      if (discarded || e.type.kind === "void")
        return { before: [...before, expressionStatement(call), ...after], value: undefined };
      const result = editor.addLocal("result", e.type);
      return { before: [...before, declare(result.id, call), ...after], value: load(variablePlace(result), e.span) };
    };
    const outPlaces = (
      e: OpCall,
      discarded: boolean,
    ): { before: readonly Statement[]; value: Expr | undefined } | undefined => {
      const row = rows.get(e.op);
      const inWords = (p: Place): boolean => atomicWords(module, context).has(rootVariable(p)!);
      if (row?.family === "atomic" && !atomicComponents && e.places.some((p) => isComponent(p) && !inWords(p)))
        context.problems.error(
          "XL4008",
          "an atomic operation on a part of a vector has no form in OpenCL C, which takes no address of a component",
          e.span,
        );
      if (row?.family !== "math" || !row.cells[target].some((c) => c.kind === "native")) return undefined;
      if (!e.places.some(needsLocal)) return undefined;
      const before: Statement[] = [];
      const after: Statement[] = [];
      const places = e.places.map((p): Place => {
        if (!needsLocal(p)) return p;
        const place = held(p, before, editor);
        const t = editor.addLocal("out", p.type);
        before.push(declare(t.id));
        after.push(expressionStatement(assign(place, load(variablePlace(t)))));
        return variablePlace(t, p.span);
      });
      const call: Expr = { ...e, places };
      if (discarded || e.type.kind === "void")
        return { before: [...before, expressionStatement(call), ...after], value: undefined };
      const result = editor.addLocal("result", e.type);
      return { before: [...before, declare(result.id, call), ...after], value: load(variablePlace(result), e.span) };
    };
    const functions = module.functions.map((f): FunctionDeclaration => new Linearizer(editor, handle).function(f));
    return editor.finish({ functions });
  },
};

/** Whether handing over the object itself cannot be told from copying. */
function isDirect(
  place: Place,
  at: number,
  args: readonly Argument[],
  module: Module,
  globals: ReadonlySet<VarId>,
): boolean {
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
    case "view":
      return true;
    case "element":
      return p.base.type.kind === "vector" || p.base.type.kind === "matrix" || hasComponent(p.base);
    case "member":
      return hasComponent(p.base);
  }
}

/** Indices are evaluated once, before the call. */
function held(p: Place, before: Statement[], editor: ModuleEditor): Place {
  return heldPlace(p, (e) => {
    if (e.kind === "literal") return e;
    const t = editor.addLocal("at", e.type);
    before.push(declare(t.id, e));
    return load(variablePlace(t));
  });
}

const leadsTo = (module: Module, root: VarId): string =>
  `a pointer into constant memory leads to ${module.variables.get(root)!.name}, an argument by value, which OpenCL C has in private memory`;

export interface Handed {
  readonly mine: ReadonlySet<VarId>;
  /** What else is handed to such parameters: of arguments by value, and behind pointers to those. */
  readonly elsewhere: readonly { readonly root: VarId; readonly span: Span }[];
  readonly behindPointers: readonly string[];
}

/** What pointers into constant memory lead to. */
export const constantPointee = (type: Type): string | undefined =>
  type.kind === "pointer" && type.space === "constant" ? showType(type.pointee) : undefined;

/** The pointee of the pointer that a place lies behind, where those lead to values: "private" where it says so itself. */
export function valueBehind(place: Place, pointees: ReadonlySet<string>): string | undefined {
  if (place.kind === "variable") return undefined;
  if (place.kind !== "deref") return valueBehind(place.base, pointees);
  const { type } = place.pointer;
  if (type.kind === "pointer" && type.space === "private") return "private";
  const pointee = constantPointee(type);
  return pointee !== undefined && pointees.has(pointee) ? pointee : undefined;
}

/**
 * Parameters of helpers, references into constant memory, that only get what is `own`; and what of that is handed to others of them,
 * which get what lies in constant memory, too. `pointees`: what pointers into constant memory lead to that are the kernel's own.
 */
export function handedOn(module: Module, own: ReadonlySet<VarId>, pointees: ReadonlySet<string> = new Set()): Handed {
  const handed = new Map<VarId, Place[]>();
  for (const f of module.functions) {
    walkStatement(f.body, {
      expr(e) {
        if (e.kind !== "call") return;
        const callee = functionOf(module, e.function)!;
        e.arguments.forEach((a, i) => {
          const p = callee.parameters[i]!;
          const v = module.variables.get(p)!;
          if (a.mode === "ref" && v.mode === "ref" && v.space === "constant")
            handed.set(p, [...(handed.get(p) ?? []), a.place]);
        });
      },
    });
  }
  const mine = new Set<VarId>();
  const isMine = (place: Place): boolean => {
    const root = rootVariable(place);
    return root === undefined ? valueBehind(place, pointees) !== undefined : own.has(root) || mine.has(root);
  };
  for (let before = -1; before !== mine.size;) {
    before = mine.size;
    for (const [p, places] of handed) if (places.every(isMine)) mine.add(p);
  }
  // What one of those hands on to another parameter comes there, too.
  for (let before = -1; before !== mine.size;) {
    before = mine.size;
    for (const [p, places] of handed) if (!mine.has(p)) for (const place of places) mine.delete(rootVariable(place)!);
  }
  const elsewhere = [...handed].flatMap(([p, places]) =>
    mine.has(p)
      ? []
      : places.flatMap((place) => {
          const root = rootVariable(place);
          return root !== undefined && own.has(root) ? [{ root, span: place.span }] : [];
        }),
  );
  const behindPointers = [...handed].flatMap(([p, places]) =>
    mine.has(p) ? [] : places.flatMap((place) => valueBehind(place, pointees) ?? []),
  );
  return { mine, elsewhere, behindPointers };
}

/**
 * Arguments by value, which MSL keeps in constant memory, are the kernel's own in OpenCL C: so is what helpers get of them
 * by reference.
 */
export const valuesArePrivate: TextPass = {
  name: "values-are-private",
  run(module, context) {
    const own = new Set(module.resources.filter((r) => r.kind === "value").map((r) => r.variable));
    for (const f of module.functions)
      walkStatement(f.body, {
        expr(e) {
          const root = e.kind === "address-of" ? rootVariable(e.place) : undefined;
          if (root === undefined || !own.has(root) || (e.type as PointerType).space !== "constant") return;
          context.problems.error("XL4006", leadsTo(module, root), e.span);
        },
      });
    const { mine, elsewhere } = handedOn(module, own);
    for (const { root, span } of elsewhere) context.problems.error("XL4006", leadsTo(module, root), span);
    if (mine.size === 0) return module;
    const editor = new ModuleEditor(module);
    for (const p of mine) editor.setVariable({ ...module.variables.get(p)!, space: "private", constant: true });
    return editor.finish({});
  },
};
