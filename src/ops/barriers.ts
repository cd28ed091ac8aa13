/**
 * Barriers and fences as descriptors (memory.md section 2): what two that follow each other come to, and the instructions of shader
 * model 5 they are. Calls of the dialects are decoded by read-barriers.ts and written by write-barriers.ts.
 */
import type { BarrierDescriptor, MemoryScope, VarId } from "../ast/nodes.js";

export type Memory = BarrierDescriptor["memory"];
export const mem = (workgroup: boolean, global: boolean, image = false): Memory => ({ workgroup, global, image });
export const descriptor = (
  execution: BarrierDescriptor["execution"],
  memory: Memory,
  scope: MemoryScope,
  order: BarrierDescriptor["order"] = "acq_rel",
): BarrierDescriptor => ({ execution, memory, scope, order });

/** HLSL device-scope fences reach beyond the workgroup only for `globallycoherent` views; without one in the module they are workgroup-scope. */
export const withoutCoherentViews = (b: BarrierDescriptor): BarrierDescriptor =>
  b.scope === "device" ? { ...b, scope: "workgroup" } : b;

/** One barrier for two that follow each other: at least as strong as both. Undefined where that would reach further than either. */
export function fuseBarriers(a: BarrierDescriptor, b: BarrierDescriptor): BarrierDescriptor | undefined {
  if (a.execution !== "none" && b.execution !== "none" && a.execution !== b.execution) return undefined;
  const ranks: readonly MemoryScope[] = ["invocation", "subgroup", "workgroup", "device", "system"];
  const scope = ranks[Math.max(ranks.indexOf(a.scope), ranks.indexOf(b.scope))]!;
  // Of several buffers at scopes of their own.
  const buffers = fusedBuffers(a, b);
  if (buffers === "apart") return undefined;
  const order = a.order === b.order ? a.order : a.order === "seq_cst" || b.order === "seq_cst" ? "seq_cst" : "acq_rel";
  return {
    execution: a.execution === "none" ? b.execution : a.execution,
    memory: mem(
      a.memory.workgroup || b.memory.workgroup,
      a.memory.global || b.memory.global,
      a.memory.image || b.memory.image,
    ),
    scope,
    order: a.execution === "none" && b.execution === "none" ? order : order === "seq_cst" ? "seq_cst" : "acq_rel",
    ...(buffers ? { buffers } : {}),
  };
}

/** The buffers of both, undefined for all; where one orders some of them alone, two that differ in more than those stay two. */
function fusedBuffers(a: BarrierDescriptor, b: BarrierDescriptor): readonly VarId[] | undefined | "apart" {
  if (!a.buffers && !b.buffers) return undefined;
  const orders = (x: BarrierDescriptor): boolean => x.memory.global || x.memory.image;
  if (!orders(a) || !orders(b)) return orders(a) ? a.buffers : b.buffers;
  if (a.scope !== b.scope || a.order !== b.order) return "apart";
  return a.buffers && b.buffers && [...new Set([...a.buffers, ...b.buffers])];
}

/**
 * The instruction of shader model 5 that does what a barrier of HLSL does, to which its functions compile: `sync[_uglobal|_ugroup][_g][_t]` (D3D11.3 functional specification
 * 22.17.7; Microsoft's "sync (sm5 - asm)"), with the mode that DXC gives `dx.op.barrier` for it (`DXIL::BarrierMode`). The functions
 * of shader model 5 make no `_ugroup`; `Barrier` of 6.8 asks for it, of which this names the counterpart (DXC makes `dx.op.barrierByMemoryType` or `barrierByMemoryHandle` of it). Undefined where no memory
 * is fenced, which no `sync` says.
 */
export function syncInstruction(b: BarrierDescriptor): { readonly name: string; readonly mode: number } | undefined {
  const buffers = b.memory.global || b.memory.image;
  if (!buffers && !b.memory.workgroup) return undefined;
  const everywhere = b.scope === "device" || b.scope === "system";
  const parts = [
    ...(buffers ? [everywhere ? (["_uglobal", 2] as const) : (["_ugroup", 4] as const)] : []),
    ...(b.memory.workgroup ? [["_g", 8] as const] : []),
    ...(b.execution === "workgroup" ? [["_t", 1] as const] : []),
  ];
  return { name: `sync${parts.map(([name]) => name).join("")}`, mode: parts.reduce((sum, [, bit]) => sum + bit, 0) };
}

/** The instructions that order buffers for all workgroups, where those are `globallycoherent`. */
export const globalInstructions: ReadonlySet<string> = new Set(
  [false, true].flatMap((shared) =>
    (["none", "workgroup"] as const).flatMap(
      (execution) => syncInstruction(descriptor(execution, mem(shared, true), "device"))?.name ?? [],
    ),
  ),
);
