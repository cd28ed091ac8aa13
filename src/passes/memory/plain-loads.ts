/** Marks the atomic loads that the target's plain loads are as good as (src/ops/coherent-loads.ts): a fence will stand behind them. */
import { rootVariable } from "../../ast/builders.js";
import type { OpCall } from "../../ast/nodes.js";
import { rewriteModule } from "../../ast/walk.js";
import { languageFacts } from "../../dialects/languages.js";
import { atomicBuffers, isLoadedPlainly } from "../../ops/coherent-loads.js";
import type { TextPass } from "../pass.js";

export const plainLoads: TextPass = {
  name: "plain-loads",
  run(module, context) {
    if (!languageFacts[context.target].coherentLoadsAreAtomic) return module;
    const buffers = atomicBuffers(module);
    if (buffers.size === 0) return module;
    const does = (e: OpCall): boolean =>
      e.op === "atomic.load" &&
      e.order === "acquire" &&
      (e.scope ?? "device") === "device" &&
      (e.memory?.global ?? true) &&
      isLoadedPlainly(e.type) &&
      buffers.has(rootVariable(e.places[0]!) ?? -1);
    return rewriteModule(module, { expr: (e) => (e.kind === "op" && does(e) ? { ...e, plainly: true } : e) });
  },
};
