/** The barriers of a translation, for reports: the text's calls, and what compilers of HLSL make of them. */
import type { Module, Resource } from "../ast/nodes.js";
import { walkModule } from "../ast/walk.js";
import { decideBarrier } from "../caps/decide.js";
import type { TargetDialect } from "../dialects/ids.js";
import { globalInstructions, instructionsOf } from "../ops/index.js";
import { locate } from "../support/expanded-source.js";
import type { Compilation } from "./compile.js";
import type { BarrierRemark } from "./types.js";

/** `formatted`: the text has the source's own calls. */
export function barriersOf(
  compilation: Compilation,
  module: Module,
  target: TargetDialect,
  formatted: boolean,
): BarrierRemark[] {
  const { expanded } = compilation;
  const found: BarrierRemark[] = [];
  walkModule(module, {
    statement: (s) => {
      if (s.kind !== "barrier") return;
      const written = decideBarrier(s.barrier, target, module.legal?.profile, s.uniform ?? false);
      const own = expanded.text.slice(s.span.start, s.span.end).replace(/;$/, "");
      const calls = formatted ? [own] : written.kind === "native" ? written.calls : [];
      const ofText = formatted ? [] : instructionsOf(target, calls);
      const instructions = ofText.length > 0 ? ofText : (s.compiled?.instructions ?? []);
      const resources = ofText.length > 0 ? module.resources : compilation.module!.resources;
      const narrow = instructions.some((i) => globalInstructions.has(i)) ? resources.filter(isNarrow) : [];
      found.push({
        ...(s.span.end > s.span.start ? { location: locate(expanded, s.span) } : {}),
        calls,
        ...(instructions.length > 0 ? { instructions } : {}),
        ...(narrow.length > 0 ? { workgroupOnly: narrow.map((r) => r.path) } : {}),
      });
    },
  });
  return found;
}

const isNarrow = (r: Resource): boolean => r.kind === "buffer" && r.access !== "read" && !r.coherent;
