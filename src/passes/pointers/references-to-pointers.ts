/**
 * References as C has them: arrays are handed over as pointers to their first element (MSL, OpenCL C), and OpenCL C, which
 * has no references, hands over other objects as pointers, too.
 */
import { functionOf } from "../../ast/lookup.js";
import { addressOf, decay, deref, load, ModuleEditor, pointerElement, variablePlace } from "../../ast/builders.js";
import type { Argument, Place, Variable, VarId } from "../../ast/nodes.js";
import { rewriteModule } from "../../ast/walk.js";
import { pointer, type Type } from "../../types/types.js";
import type { TextPass } from "../pass.js";
import { writingFacts } from "../../dialects/languages.js";

export const referencesToPointers: TextPass = {
  name: "references-to-pointers",
  requires: ["globals-placed"],
  run(module, context) {
    const editor = new ModuleEditor(module);
    const changed = new Map<VarId, Variable>();
    for (const f of module.functions) {
      for (const id of f.parameters) {
        const v = module.variables.get(id)!;
        if (v.mode !== "ref" || (v.type.kind !== "array" && writingFacts(context.target).placeParameters)) continue;
        const pointee: Type = v.type.kind === "array" ? v.type.element : v.type;
        const next: Variable = {
          ...v,
          type: pointer(pointee, v.space, v.constant),
          space: "private",
          mode: "value",
          constant: false,
        };
        changed.set(id, next);
        editor.setVariable(next);
      }
    }
    if (changed.size === 0) return module;
    const isArray = (id: VarId): boolean => module.variables.get(id)!.type.kind === "array";
    const next = rewriteModule(module, {
      place(p): Place {
        if (p.kind === "variable" && changed.has(p.variable) && !isArray(p.variable)) {
          return deref(load(variablePlace(changed.get(p.variable)!, p.span), p.span), p.span);
        }
        if (p.kind === "element" && p.base.kind === "variable" && changed.has(p.base.variable)) {
          return pointerElement(
            load(variablePlace(changed.get(p.base.variable)!, p.base.span), p.base.span),
            p.index,
            p.span,
          );
        }
        return p;
      },
      expr(e) {
        if (e.kind !== "call") return e;
        const callee = functionOf(module, e.function)!;
        let touched = false;
        const args = e.arguments.map((a, i): Argument => {
          const v = changed.get(callee.parameters[i]!);
          if (a.mode !== "ref" || !v || v.type.kind !== "pointer") return a;
          touched = true;
          const { place } = a;
          const mine = place.kind === "variable" ? changed.get(place.variable) : undefined;
          if (mine) return { mode: "value", value: load(variablePlace(mine, place.span), place.span) };
          const { space, readOnly } = v.type;
          const value =
            place.type.kind === "array"
              ? decay(place, space, place.span, readOnly)
              : addressOf(place, space, place.span, readOnly);
          return { mode: "value", value };
        });
        return touched ? { ...e, arguments: args } : e;
      },
    });
    return editor.finish({ functions: next.functions, resources: next.resources });
  },
};
