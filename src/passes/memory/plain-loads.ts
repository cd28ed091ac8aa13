/**
 * Marks the atomic loads that the target's plain loads are as good as (src/ops/coherent-loads.ts): those that a fence will stand behind, and
 * relaxed ones where an invocation reads the buffer once, so that there is nothing to be made one with.
 */
import { rootVariable } from "../../ast/builders.js";
import type { Expr, Module, OpCall, Place, VarId } from "../../ast/nodes.js";
import { rewriteModule, rewritePlace, walkModule, walkStatement, type Rewriter } from "../../ast/walk.js";
import { languageFacts } from "../../dialects/languages.js";
import { atomicBuffers, isLoadedPlainly } from "../../ops/coherent-loads.js";
import type { TextPass } from "../pass.js";

export const plainLoads: TextPass = {
  name: "plain-loads",
  run(module, context) {
    if (!languageFacts[context.target].coherentLoadsAreAtomic) return module;
    const buffers = atomicBuffers(module);
    if (buffers.size === 0) return module;
    const onlyReads = readsOnce(module);
    const does = (e: OpCall, buffer: VarId): boolean =>
      e.op === "atomic.load" &&
      isLoadedPlainly(e.type) &&
      buffers.has(buffer) &&
      (e.order === "relaxed"
        ? onlyReads.has(e)
        : e.order === "acquire" && (e.scope ?? "device") === "device" && (e.memory?.global ?? true));
    const coherent = new Set<VarId>();
    const rewriter: Rewriter = {
      enterExpr: (e) => {
        const buffer = e.kind === "op" && e.places[0] ? rootVariable(e.places[0]) : undefined;
        if (e.kind !== "op" || buffer === undefined || !does(e, buffer)) return undefined;
        coherent.add(buffer);
        return { ...e, plainly: true, places: e.places.map((p) => rewritePlace(p, rewriter)) };
      },
    };
    const marked = rewriteModule(module, rewriter);
    if (coherent.size === 0) return module;
    const resources = module.resources.map((r) =>
      r.kind === "buffer" && coherent.has(r.variable) ? { ...r, coherent: true } : r,
    );
    return { ...marked, resources };
  },
};

/** Loads outside of loops and helpers of buffers that nothing else in the program reads but what changes them atomically. */
function readsOnce(module: Module): ReadonlySet<Expr> {
  const reads = new Map<VarId, number>();
  const note = (place: Place | undefined, times = 1): void => {
    const root = place && rootVariable(place);
    if (root !== undefined) reads.set(root, (reads.get(root) ?? 0) + times);
  };
  walkModule(module, {
    expr: (e) => {
      if (e.kind === "load") note(e.place);
      if (e.kind === "op" && e.op === "atomic.load") note(e.places[0]);
      if (e.kind === "assign" && e.operator) note(e.target);
      if (e.kind === "increment") note(e.place);
      // Whoever has its address may read it often.
      if (e.kind === "call") for (const a of e.arguments) if (a.mode !== "value") note(a.place, 2);
    },
    place: (p, use) => void (use === "address" && note(p, 2)),
  });
  const once = new Set<Expr>();
  const entries = new Set(module.entries.map((e) => e.function));
  for (const f of module.functions) {
    if (!entries.has(f.id)) continue;
    walkStatement(f.body, {
      statement: (s) => s.kind !== "for" && s.kind !== "while" && s.kind !== "do-while",
      expr: (e) => {
        if (e.kind === "op" && e.op === "atomic.load" && reads.get(rootVariable(e.places[0]!) ?? -1) === 1) once.add(e);
      },
    });
  }
  return once;
}
