/**
 * Lengths of runtime-sized arrays, for targets that cannot ask for them: an argument holds the length, which every runner
 * fills in. GLSL asks with `.length()`.
 */
import { resourceOf } from "../../ast/lookup.js";
import { load, ModuleEditor, rootVariable, variablePlace } from "../../ast/builders.js";
import type { Expr, LengthOf, Module, Place, Resource, VarId, Variable } from "../../ast/nodes.js";
import { rewriteFunction, walkStatement } from "../../ast/walk.js";
import { layoutOfResource, writingFacts } from "../../dialects/languages.js";
import { noSpan } from "../../support/span.js";
import { arrayStride, memberOffsets, type LayoutRule } from "../../types/layout.js";
import { u32 } from "../../types/types.js";
import { CallGraph } from "./select-entries.js";
import { isBoundAsWords } from "./buffer-layouts.js";
import type { Pass } from "../pass.js";

export const bufferLengths: Pass = {
  name: "buffer-lengths",
  run(module, context) {
    const { target } = context;
    if (target === "ts") return module;
    // What is bound as words has a length in words.
    const asked = (p: Place): boolean =>
      writingFacts(target).bufferLengths === "asked" &&
      !module.resources.some((r) => r.variable === rootVariable(p) && isBoundAsWords(r, module, context));
    const editor = new ModuleEditor(module);
    const made = new Map<string, { readonly resource: Resource; readonly variable: Variable }>();
    const argument = (place: Place): Variable | undefined => {
      const found = lengthIn(place, module);
      if (!found) return undefined;
      const key = `${found.of.lengthOf} ${found.of.offset}`;
      const known = made.get(key);
      if (known) return known.variable;
      const variable = editor.addVariable({
        name: `${found.name}_length`,
        type: u32,
        space: "constant",
        role: "resource",
        constant: true,
        span: noSpan,
      });
      made.set(key, {
        variable,
        resource: { variable: variable.id, kind: "derived", path: variable.name, access: "read", derived: found.of },
      });
      return variable;
    };
    const replaced = (e: Expr): Expr => {
      if (e.kind !== "length" || asked(e.place)) return e;
      const variable = argument(e.place);
      if (!variable) {
        context.problems.error("XL3001", `${target} cannot ask for the length of this array`, e.span);
        return e;
      }
      context.note(
        "emulated",
        "array-length",
        `${target} cannot ask for the length of a buffer: it is passed as the argument ${variable.name}`,
        e.span,
      );
      return load(variablePlace(variable, e.span), e.span);
    };
    const functions = module.functions.map((f) => rewriteFunction(f, { expr: replaced }));
    if (made.size === 0) return editor.finish({ functions });
    const added = [...made.values()].map((m) => m.resource);
    return editor.finish({ functions, ...withResources({ ...module, functions }, added) });
  },
};

/** The interface with more resources: each entry gets those that it, or what it calls, names. */
export function withResources(module: Module, added: readonly Resource[]): Pick<Module, "resources" | "entries"> {
  const graph = new CallGraph(module);
  const entries = module.entries.map((entry) => {
    const reached = graph.reachable([entry.function]);
    const used = new Set<VarId>();
    for (const f of module.functions) {
      if (reached.has(f.id))
        walkStatement(f.body, { place: (p) => void (p.kind === "variable" && used.add(p.variable)) });
    }
    return { ...entry, resources: [...entry.resources, ...added.map((r) => r.variable).filter((id) => used.has(id))] };
  });
  return { resources: [...module.resources, ...added], entries };
}

/** Where a runtime-sized array lies in the argument that holds it: the argument itself, or the end of a block. */
function lengthIn(place: Place, module: Module): { readonly of: LengthOf; readonly name: string } | undefined {
  if (place.type.kind !== "array") return undefined;
  const root = place.kind === "member" ? place.base : place;
  if (root.kind !== "variable") return undefined;
  const resource = resourceOf(module, root.variable);
  if (!resource) return undefined;
  const rule: LayoutRule = resource.kind === "buffer" ? layoutOfResource(module.dialect, resource) : "natural";
  const stride = arrayStride(place.type.element, rule, module.structs);
  const { name } = module.variables.get(root.variable)!;
  if (place.kind !== "member") return { of: { lengthOf: resource.path, offset: 0, stride }, name };
  if (root.type.kind !== "struct") return undefined;
  const struct = module.structs.get(root.type.name)!;
  const offset = memberOffsets(struct, rule, module.structs)[struct.members.findIndex((m) => m.name === place.member)]!;
  return { of: { lengthOf: resource.path, offset, stride }, name: place.member };
}
