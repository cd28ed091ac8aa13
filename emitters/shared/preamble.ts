/** The lines that turn on what a module uses: `#version` and `#extension` in GLSL, pragmas in OpenCL C. */
import type { Module, Statement } from "../../src/ast/nodes.js";
import { walkExpr, walkModule, walkStatement, type Visitor } from "../../src/ast/walk.js";
import { enablingLines } from "../../src/caps/decide.js";
import { storageNeeds, typeNeeds } from "../../src/ops/features.js";
import { idRow } from "../../src/ops/ids.js";
import { scalar, type ScalarKind, type Type } from "../../src/types/types.js";
import type { ExpressionPrinter } from "./expressions.js";
import { needsOf, spellBarrier, useOf } from "./spell.js";

/** Scalars of a type, structs opened. */
export function scalarsOf(type: Type, module: Module, into: Set<ScalarKind>): void {
  switch (type.kind) {
    case "void":
      return;
    case "scalar":
    case "vector":
    case "matrix":
      into.add(type.scalar);
      return;
    case "array":
      return scalarsOf(type.element, module, into);
    case "pointer":
      return scalarsOf(type.pointee, module, into);
    case "struct":
      module.structs.get(type.name)?.members.forEach((m) => scalarsOf(m.type, module, into));
  }
}

/** Feature atoms of the ops, builtins and barriers of the module. */
function features(module: Module<"legal">, dialect: "glsl" | "opencl"): Set<string> {
  const found = new Set<string>();
  const profile = module.legal?.profile;
  const add = (atoms: readonly string[]): void => atoms.forEach((a) => found.add(a));
  const visitor: Visitor = {
    expr(e) {
      if (e.kind === "op") add(needsOf(dialect, useOf(e), profile));
      if (e.kind === "builtin") add((idRow(e.builtin)[dialect]?.needs ?? "").split(" "));
    },
    statement(s: Statement) {
      if (s.kind === "barrier") add(spellBarrier(dialect, s.barrier, profile).requires);
      // An op whose value nobody takes may have a form of its own.
      if (s.kind === "expression" && s.expression.kind === "op") {
        add(needsOf(dialect, useOf(s.expression, true), profile));
        s.expression.arguments.forEach((a) => walkExpr(a, visitor));
        return false;
      }
      return true;
    },
  };
  for (const f of module.functions) walkStatement(f.body, visitor);
  for (const v of module.variables.values()) if (v.initializer) walkExpr(v.initializer, visitor);
  return found;
}

export function preamble(module: Module<"legal">, printer: ExpressionPrinter): string[] {
  const { dialect } = printer.syntax;
  if (dialect !== "glsl" && dialect !== "opencl") return [];
  const used = new Set<ScalarKind>();
  const stored = new Set<ScalarKind>();
  const resources = new Set(module.resources.map((r) => r.variable));
  const named = new Set<number>(module.functions.flatMap((f) => [...f.parameters]));
  walkModule(module, {
    statement: (s) => void (s.kind === "declare" && named.add(s.variable)),
    expr: (e) => {
      // A literal is only read, and a buffer's element is loaded as what it is; computing makes use of the type. In
      // OpenCL C a half is loaded by vload_half without it.
      const plain = e.kind === "load" && (dialect === "glsl" || e.type.kind === "struct" || e.type.kind === "array");
      if (!plain && e.kind !== "literal") scalarsOf(e.type, module, used);
      // A function on it, though its operand be a literal.
      if (e.kind === "bitcast") scalarsOf(e.operand.type, module, used);
    },
  });
  for (const [id, v] of module.variables) {
    if (resources.has(id)) scalarsOf(v.type, module, stored);
    else if (named.has(id) || v.role === "global") scalarsOf(v.type, module, used);
  }
  // A struct is printed even if nothing is of its type.
  for (const { members } of module.structs.values()) {
    const mine = new Set<ScalarKind>();
    for (const m of members) scalarsOf(m.type, module, mine);
    for (const k of mine) if (!stored.has(k)) used.add(k);
  }
  const atoms = features(module, dialect);
  // OpenCL C stores halves without an extension; computing with them needs one.
  for (const k of dialect === "glsl" ? [...used, ...stored] : used) {
    for (const atom of typeNeeds(dialect, scalar(k)).split(" ")) atoms.add(atom);
  }
  for (const k of stored) atoms.add(storageNeeds(dialect, k));
  if (dialect === "glsl" && unrolls(module)) atoms.add("glsl.EXT_control_flow_attributes");
  const lines = enablingLines(dialect, atoms);
  return dialect === "glsl" ? ["#version 450", ...lines] : lines;
}

function unrolls(module: Module): boolean {
  let found = false;
  for (const f of module.functions) {
    walkStatement(f.body, {
      statement(s) {
        if ((s.kind === "for" || s.kind === "while" || s.kind === "do-while") && s.unroll !== undefined) found = true;
      },
    });
  }
  return found;
}
