/**
 * glslang gives a module the capability for 8- and 16-bit values where it meets one that is not in memory, and forgets it
 * for builtin functions whose operands all come straight from buffers: one such operand is kept in a local.
 */
import { isOwnText } from "../../ast/lookup.js";
import { declare, load, ModuleEditor, rootVariable, variablePlace } from "../../ast/builders.js";
import type { Expr, FunctionDeclaration } from "../../ast/nodes.js";
import { walkModule } from "../../ast/walk.js";
import { bitWidth, isInteger, scalarOf, type Type } from "../../types/types.js";
import { Linearizer } from "../../ast/linearize.js";
import type { Pass } from "../pass.js";

/** What one capability is about: Int16, Int8, Float16. */
function capability(type: Type): string | undefined {
  const kind = scalarOf(type);
  if (!kind || kind === "bool" || bitWidth(kind) >= 32) return undefined;
  return `${isInteger(kind) ? "int" : "float"}${bitWidth(kind)}`;
}

export const smallOperands: Pass = {
  name: "small-operands",
  requires: ["ops-native"],
  run(module, context) {
    if (isOwnText(module, context.target)) return module;
    const resources = new Set(module.resources.map((r) => r.variable));
    const met = new Set<string | undefined>([undefined]);
    for (const v of module.variables.values()) if (!resources.has(v.id)) met.add(capability(v.type));
    let wanted = false;
    walkModule(module, {
      expr: (e) => {
        if (e.kind === "literal") met.add(capability(e.type));
        if (e.kind === "op") wanted ||= e.arguments.some((a) => capability(a.type) !== undefined);
      },
    });
    if (!wanted) return module;
    const editor = new ModuleEditor(module);
    const fromBuffer = (e: Expr | undefined): e is Expr =>
      e?.kind === "load" && resources.has(rootVariable(e.place) ?? -1);
    const functions = module.functions.map((f): FunctionDeclaration =>
      new Linearizer(editor, (e) => {
        if (e.kind !== "op") return undefined;
        const [first, ...others] = e.arguments;
        if (!fromBuffer(first) || met.has(capability(first.type))) return undefined;
        met.add(capability(first.type));
        const v = editor.addLocal("value", first.type);
        return {
          before: [declare(v.id, first)],
          value: { ...e, arguments: [load(variablePlace(v), first.span), ...others] },
        };
      }).function(f),
    );
    return editor.finish({ functions });
  },
};
