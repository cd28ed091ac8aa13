/** Kinds of scalars that a module uses, which languages with optional types turn on by lines of their preamble. */
import type { Expr, Module } from "./tree.js";
import { walkModule } from "../../src/ast/walk.js";
import type { ScalarKind, Type } from "../../src/types/types.js";

/** Scalars of a type, structs opened. */
function scalarsOf(type: Type, module: Module, into: Set<ScalarKind>, opened = new Set<string>()): void {
  switch (type.kind) {
    case "void":
      return;
    case "scalar":
    case "vector":
    case "matrix":
      into.add(type.scalar);
      return;
    case "array":
      return scalarsOf(type.element, module, into, opened);
    case "pointer":
      return scalarsOf(type.pointee, module, into, opened);
    case "struct":
      if (opened.has(type.name)) return;
      opened.add(type.name);
      module.structs.get(type.name)?.members.forEach((m) => scalarsOf(m.type, module, into, opened));
  }
}

export interface UsedScalars {
  /** Kinds of what is computed with, and of variables. */
  readonly used: ReadonlySet<ScalarKind>;
  /** Kinds that stand in resources. */
  readonly stored: ReadonlySet<ScalarKind>;
}

/** `plainLoad`: loads that do not count as computing with what they load. */
export function usedScalars(module: Module, plainLoad: (e: Expr) => boolean): UsedScalars {
  const used = new Set<ScalarKind>();
  const stored = new Set<ScalarKind>();
  const resources = new Set(module.resources.map((r) => r.variable));
  const named = new Set<number>(module.functions.flatMap((f) => [...f.parameters]));
  walkModule(module, {
    statement: (s) => void (s.kind === "declare" && named.add(s.variable)),
    expr: (e) => {
      // A literal is only read; computing makes use of the type.
      if (e.kind !== "literal" && !(e.kind === "load" && plainLoad(e))) scalarsOf(e.type, module, used);
      // A function on it, though its operand be a literal.
      if (e.kind === "bitcast" || (e.kind === "convert" && e.operand.kind === "literal"))
        scalarsOf(e.operand.type, module, used);
      // A comparison, though of two of them.
      if (e.kind === "binary") scalarsOf(e.left.type, module, used);
    },
  });
  for (const [id, v] of module.variables) {
    if (resources.has(id)) scalarsOf(v.type, module, stored);
    else if (named.has(id) || v.role === "global") scalarsOf(v.type, module, used);
  }
  for (const e of module.enums) used.add(e.type.scalar);
  // A struct is printed even if nothing is of its type.
  for (const { members } of module.structs.values()) {
    const mine = new Set<ScalarKind>();
    for (const m of members) scalarsOf(m.type, module, mine);
    for (const k of mine) if (!stored.has(k)) used.add(k);
  }
  return { used, stored };
}

/** Feature atoms of native calls and barriers. */
export function requiredFeatures(module: Module): Set<string> {
  const found = new Set<string>();
  walkModule(module, {
    expr: (e) => void (e.kind === "native-call" && e.requires.forEach((a) => found.add(a))),
    statement: (s) => void (s.kind === "native-barrier" && s.requires.forEach((a) => found.add(a))),
  });
  return found;
}
