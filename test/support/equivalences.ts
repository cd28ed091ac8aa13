/**
 * What may differ between a legal tree and the tree read back from its text, each with its reason. Everything else has to
 * agree letter for letter.
 */
import { builtin, convert, elementValue, swizzleValue } from "../../src/ast/builders.js";
import { canonicalForm } from "../../src/ast/dump.js";
import type { Expr, Module, Place, VarId } from "../../src/ast/nodes.js";
import type { BuiltinId } from "../../src/ast/nodes.js";
import { rewriteModule } from "../../src/ast/walk.js";
import type { Dialect } from "../../src/dialects/ids.js";
import { sameType } from "../../src/types/types.js";

export function legalForm(module: Module<"legal">, target: Dialect): string {
  return withoutSize(canonicalForm(readsBuiltins(module)), target);
}

export function readForm(module: Module, target: Dialect): string {
  return withoutSize(canonicalForm(module), target);
}

/** Metal's text has no workgroup size: the launch decides, and reflection states it. */
function withoutSize(form: string, target: Dialect): string {
  return target === "msl" ? form.replace(/^entry size \S+/m, "entry") : form;
}

/**
 * Metal and HLSL hand builtin values to entries as parameters. The legal tree names those parameters; reading turns them
 * into reads of the builtin value itself.
 */
function readsBuiltins(module: Module<"legal">): Module {
  const builtins = new Map<VarId, BuiltinId>();
  for (const list of module.legal?.builtinParameters.values() ?? []) for (const b of list) builtins.set(b.variable, b.builtin);
  if (builtins.size === 0) return module;
  const value = (place: Place): Expr | undefined => {
    switch (place.kind) {
      case "variable": {
        const id = builtins.get(place.variable);
        if (id === undefined) return undefined;
        const whole = builtin(id, place.span);
        if (sameType(whole.type, place.type)) return whole;
        const count = place.type.kind === "vector" ? place.type.size : 1;
        const part = whole.type.kind === "vector" && count < 3 ? swizzleValue(whole, [0, 1].slice(0, count)) : whole;
        return sameType(part.type, place.type) ? part : convert(part, place.type);
      }
      case "swizzle": {
        const base = value(place.base);
        return base && swizzleValue(base, place.components);
      }
      case "element": {
        const base = value(place.base);
        return base && elementValue(base, place.index);
      }
      default:
        return undefined;
    }
  };
  return rewriteModule(module, { expr: (e) => (e.kind === "load" ? (value(e.place) ?? e) : e) });
}
