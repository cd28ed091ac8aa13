/** The lines that turn on what a module uses: `#version` and `#extension` in GLSL, pragmas in OpenCL C. */
import type { Module } from "./tree.js";
import { walkModule, walkStatement } from "../../src/ast/walk.js";
import { enablingLines, storageNeeds, typeNeeds } from "../../src/ops/features.js";
import { scalar, type ScalarKind, type Type } from "../../src/types/types.js";
import type { ExpressionPrinter } from "./expressions.js";

/** Scalars of a type, structs opened. */
export function scalarsOf(type: Type, module: Module, into: Set<ScalarKind>, opened = new Set<string>()): void {
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

/** Feature atoms of native calls and barriers. */
function features(module: Module): Set<string> {
  const found = new Set<string>();
  walkModule(module, {
    expr: (e) => void (e.kind === "native-call" && e.requires.forEach((a) => found.add(a))),
    statement: (s) => void (s.kind === "native-barrier" && s.requires.forEach((a) => found.add(a))),
  });
  return found;
}

export function preamble(module: Module, printer: ExpressionPrinter): string[] {
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
  for (const e of module.enums) used.add(e.type.scalar);
  // A struct is printed even if nothing is of its type.
  for (const { members } of module.structs.values()) {
    const mine = new Set<ScalarKind>();
    for (const m of members) scalarsOf(m.type, module, mine);
    for (const k of mine) if (!stored.has(k)) used.add(k);
  }
  const atoms = features(module);
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
