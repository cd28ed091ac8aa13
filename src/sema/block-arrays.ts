/**
 * Arrays of storage blocks (GLSL 4.60 section 4.3.9): every element is a buffer of its own. While functions are read,
 * the instance is an array variable; then each use becomes one of the element that its index names, and an index that
 * is not constant is compared with the numbers of the elements. What else the use computes is computed before, so that
 * only the access itself stands under the comparisons: lanes may choose different elements around a cross-lane op.
 */
import { ModuleEditor } from "../ast/builders.js";
import type { Module, Resource, VarId } from "../ast/nodes.js";
import { walkModule } from "../ast/walk.js";
import { Effects } from "../ops/effects.js";
import type { Span } from "../support/span.js";
import { error, type Sema } from "./context.js";
import { Chooser } from "./block-choice.js";

export function chooseBlocks(s: Sema, module: Module<"canonical">): Module<"canonical"> {
  if (s.blockArrays.length === 0) return module;
  const editor = new ModuleEditor(module);
  const chosen: Span[] = [];
  const effects = new Effects(module);
  const functions = module.functions.map((f) => new Chooser(s, editor, chosen, effects).function(f));
  for (const a of s.blockArrays) editor.variables.delete(a.variable);
  const made = withoutUnnamed(s, editor.finish({ functions }));
  if (chosen.length > 0) {
    const message = "an index of an array of blocks is below its length";
    s.fixed.push({ kind: "block-index", message, spans: chosen });
  }
  if (s.problems.hasErrors) return made;
  const left = new Map(s.blockArrays.map((a) => [a.variable, a]));
  walkModule(made, {
    place: (p) => {
      const array = p.kind === "variable" ? left.get(p.variable) : undefined;
      if (array) error(s, "XL2004", `'${array.name}' is an array of blocks, of which only members are values`, p.span);
    },
  });
  return made;
}

/** Arrays without a length have their buffers up to the last that is named. */
function withoutUnnamed(s: Sema, module: Module<"canonical">): Module<"canonical"> {
  const open = s.blockArrays.filter((a) => a.open);
  if (open.length === 0) return module;
  const named = new Set<VarId>();
  walkModule(module, { place: (p) => void (p.kind === "variable" && named.add(p.variable)) });
  const left = new Map<VarId, number>();
  const gone = new Set<VarId>();
  for (const { elements } of open) {
    const count = elements.findLastIndex((id) => named.has(id)) + 1;
    elements.forEach((id, i) => (i < count ? left.set(id, count) : gone.add(id)));
  }
  const counted = (r: Resource): Resource => {
    const count = left.get(r.variable);
    return count && r.block?.element ? { ...r, block: { ...r.block, element: { ...r.block.element, count } } } : r;
  };
  return {
    ...module,
    resources: module.resources.filter((r) => !gone.has(r.variable)).map(counted),
    entries: module.entries.map((e) => ({ ...e, resources: e.resources.filter((id) => !gone.has(id)) })),
    order: module.order.filter((o) => o.kind !== "resource" || !gone.has(o.variable)),
  };
}
