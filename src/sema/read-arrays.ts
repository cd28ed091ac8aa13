/**
 * Arrays of pointers are values in HLSL (of buffers). A function that only reads one that it gets is given the array of its caller by
 * reference, and none is copied; others are put in the place of their calls (split-pointer-members.ts).
 */
import { ModuleEditor, rootVariable } from "../ast/builders.js";
import { functionOf } from "../ast/lookup.js";
import type { Argument, FunctionCall, Module, Variable, VarId } from "../ast/nodes.js";
import { rewriteModule, walkModule } from "../ast/walk.js";
import { isArrayOfPointers } from "../types/types.js";
import { isByReference, isPathOfVariable } from "./inline-calls.js";

/** An array of pointers that a function gets as a value. */
export const isArrayByValue = ({ type, role, mode }: Variable): boolean =>
  role === "parameter" && !isByReference({ mode }) && isArrayOfPointers(type);

export function withReadArrays(module: Module<"canonical">): Module<"canonical"> {
  const read = new Set<VarId>();
  for (const f of module.functions)
    for (const id of f.parameters) if (isArrayByValue(module.variables.get(id)!)) read.add(id);
  if (read.size === 0) return module;
  walkModule(module, {
    place: (p, use) => {
      if (use !== "read") read.delete(rootVariable(p)!);
    },
    expr: (e) => {
      if (e.kind !== "call") return;
      const { parameters } = functionOf(module, e.function)!;
      e.arguments.forEach((a, i) => {
        if (!isPlaceAlone(e, a)) read.delete(parameters[i]!);
      });
    },
  });
  const editor = new ModuleEditor(module);
  for (const id of read)
    editor.setVariable({ ...module.variables.get(id)!, mode: "ref", space: "private", constant: true });
  const { functions } = rewriteModule(module, {
    expr: (e) => {
      if (e.kind !== "call") return e;
      const { parameters } = functionOf(module, e.function)!;
      const given = e.arguments.map((a, i): Argument => {
        const place = read.has(parameters[i]!) ? placeOf(a) : undefined;
        return place ? { mode: "ref", place } : a;
      });
      return { ...e, arguments: given };
    },
  });
  return editor.finish({ functions });
}

const placeOf = (a: Argument) => (a.mode === "value" && a.value.kind === "load" ? a.value.place : undefined);

/** The value of what has a name, which no other argument lets the function change. */
function isPlaceAlone(e: FunctionCall, a: Argument): boolean {
  const place = placeOf(a);
  if (!place || !isPathOfVariable(place)) return false;
  const root = rootVariable(place);
  return e.arguments.every((other) => other === a || other.mode === "value" || rootVariable(other.place) !== root);
}
