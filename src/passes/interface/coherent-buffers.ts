/**
 * Buffers whose plain accesses the source promises to reach memory (GLSL `coherent`, HLSL `globallycoherent`, MSL
 * `coherent(device)`, C's `volatile`), in targets that say it otherwise: what lacks the one word has the other. Neither orders
 * anything; both keep a compiler from reading once what a loop reads again.
 */
import { isOwnText } from "../../ast/lookup.js";
import { ModuleEditor, rootVariable } from "../../ast/builders.js";
import type { Resource, VarId } from "../../ast/nodes.js";
import { walkModule } from "../../ast/walk.js";
import { hasAtom } from "../../caps/profiles.js";
import { writingFacts } from "../../dialects/languages.js";
import { coherentNeeds, satisfied } from "../../ops/features.js";
import type { TextPass } from "../pass.js";

export const coherentBuffers: TextPass = {
  name: "coherent-buffers",
  run(module, context) {
    const { target, profile } = context;
    if (isOwnText(module, target)) return module;
    const saysCoherent = satisfied(coherentNeeds(target), (atom) => hasAtom(profile, atom)) !== undefined;
    const saysVolatile = writingFacts(target).volatileBuffers;
    const editor = new ModuleEditor(module);
    // What only atomics reach needs neither: `volatile` is a habit there (OpenCL C 1.x declares its atomics so).
    const plainlyRead = new Set<VarId | undefined>();
    walkModule(module, { expr: (e) => void (e.kind === "load" && plainlyRead.add(rootVariable(e.place))) });
    const written = (r: Resource): boolean => r.kind === "buffer" && r.access !== "read";
    const resources = module.resources.map((r) => {
      const v = module.variables.get(r.variable)!;
      if (written(r) && r.coherent && !saysCoherent && saysVolatile && !v.volatile) {
        editor.setVariable({ ...v, volatile: true });
        context.note("strengthened", "coherent", `${v.name} is volatile here, since there is no coherent`, v.span);
      }
      if (!written(r) || !v.volatile || saysVolatile || r.coherent || !plainlyRead.has(r.variable)) return r;
      context.note("strengthened", "coherent", `${v.name} is coherent here, since there is no volatile`, v.span);
      return { ...r, coherent: true };
    });
    return editor.finish({ resources });
  },
};
