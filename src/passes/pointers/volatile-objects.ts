/**
 * `volatile` where the target has no word for it: workgroup memory, and what pointers to volatile lead to. (Buffers that are
 * declared so are the concern of `coherent-buffers`.) A program without data races does not need it, since barriers and atomics
 * say what others see; one that has no barrier where it would need one, and counts on `volatile` alone, is another program
 * afterwards. So it is an assumption, which the race check checks.
 */
import { assumed as assumedTexts } from "../../ast/assumed.js";
import { rootVariable } from "../../ast/builders.js";
import type { Place, VarId } from "../../ast/nodes.js";
import { withoutVolatileCasts } from "../../ast/volatile-casts.js";
import { walkExpr, walkModule } from "../../ast/walk.js";
import type { Span } from "../../support/span.js";
import type { Pass } from "../pass.js";

export const volatileObjects: Pass = {
  name: "volatile-objects",
  run(module, context) {
    // Atomics are carried out whatever their object is declared as; OpenCL C 1.x declares all of it volatile.
    const plainly = new Set<VarId>();
    const assumed = (span: Span): void => context.note("assumed", "volatile", assumedTexts.volatile, span);
    const note = (p: Place): void => {
      const root = rootVariable(p);
      if (root !== undefined) plainly.add(root);
      let object = p;
      while (object.kind !== "variable" && object.kind !== "deref") object = object.base;
      if (object.kind !== "deref") return;
      walkExpr(object.pointer, {
        expr: (e) => {
          if (e.kind === "load" && e.place.kind === "variable") plainly.add(e.place.variable);
          if (e.kind === "bitcast" && e.volatile) assumed(e.span);
        },
      });
    };
    walkModule(module, {
      expr(e) {
        if (e.kind === "load" || e.kind === "increment") note(e.place);
        if (e.kind === "assign") note(e.target);
      },
    });
    const resources = new Map(module.resources.map((r) => [r.variable, r]));
    for (const v of module.variables.values()) {
      const space = v.type.kind === "pointer" ? v.type.space : v.space;
      const isBuffer = resources.get(v.id)?.kind === "buffer";
      if (!v.volatile || isBuffer || !plainly.has(v.id) || (space !== "workgroup" && space !== "global")) continue;
      assumed(v.span);
    }
    return withoutVolatileCasts(module);
  },
};
