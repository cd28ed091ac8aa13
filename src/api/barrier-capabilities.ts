/** What targets do with barriers and fences, as rows of the capability table: one a kind of waiting and a scope, a form a memory and an order. */
import type { BarrierDescriptor } from "../ast/nodes.js";
import { decideBarrier } from "../caps/decide.js";
import type { Profile } from "../caps/profiles.js";
import type { TargetDialect } from "../dialects/ids.js";
import { instructionsOf } from "../ops/index.js";
import type { WrittenBarrier } from "../ops/write-barriers.js";
import type { CapabilityForm } from "./capabilities.js";

export interface BarrierRow {
  readonly id: string;
  readonly family: "barrier";
  readonly summary: string;
  readonly execution: BarrierDescriptor["execution"];
  readonly scope: BarrierDescriptor["scope"];
}

const row = (
  name: string,
  execution: BarrierRow["execution"],
  scope: BarrierRow["scope"],
  summary: string,
): BarrierRow => ({
  id: `barrier.${name}`,
  family: "barrier",
  summary,
  execution,
  scope,
});

export const barrierRows: readonly BarrierRow[] = [
  row(
    "workgroup",
    "workgroup",
    "workgroup",
    "all lanes of the workgroup wait, and see what the others did to the memory",
  ),
  row(
    "workgroup_device",
    "workgroup",
    "device",
    "all lanes of the workgroup wait, and what they did to the memory is in order for other workgroups, too",
  ),
  row("subgroup", "subgroup", "subgroup", "all lanes of the subgroup wait, and see what the others did to the memory"),
  row("fence_subgroup", "none", "subgroup", "orders the memory between lanes of the subgroup; nobody waits"),
  row("fence_workgroup", "none", "workgroup", "orders the memory between lanes of the workgroup; nobody waits"),
  row("fence_device", "none", "device", "orders the memory between all workgroups; nobody waits"),
  row("fence_system", "none", "system", "orders the memory between devices; nobody waits"),
];

const memories = [
  { name: "no memory", workgroup: false, global: false },
  { name: "workgroup memory", workgroup: true, global: false },
  { name: "buffers", workgroup: false, global: true },
  { name: "both memories", workgroup: true, global: true },
] as const;
const orders = ["acq_rel", "acquire", "release", "seq_cst"] as const;

/** Forms of the same answer together. Nobody outside a workgroup sees its memory, and a fence of no memory is none. */
export function barrierForms(of: BarrierRow, target: TargetDialect, profile: Profile): CapabilityForm[] {
  const { execution, scope } = of;
  const far = scope === "device" || scope === "system";
  const groups = new Map<string, { readonly form: Omit<CapabilityForm, "types">; readonly types: string[] }>();
  for (const { name, workgroup, global } of memories) {
    if (!global && (far || (execution === "none" && !workgroup))) continue;
    for (const order of execution === "none" ? orders : (["acq_rel"] as const)) {
      const barrier = { execution, scope, order, memory: { workgroup, global, image: false } };
      const [uniform, divergent] = [true, false].map((u) => answer(decideBarrier(barrier, target, profile, u), target));
      const same = JSON.stringify(uniform) === JSON.stringify(divergent);
      // Lanes that do not all come to a barrier of the workgroup never leave it: there is no such form.
      const variants: readonly Omit<CapabilityForm, "types">[] =
        execution === "workgroup" || same
          ? [uniform!]
          : [
              { flow: "uniform", ...uniform! },
              { flow: "divergent", ...divergent! },
            ];
      for (const form of variants) {
        const key = JSON.stringify(form);
        const group = groups.get(key) ?? { form, types: [] };
        groups.set(key, group);
        group.types.push(execution === "none" ? `${name} ${order}` : name);
      }
    }
  }
  return [...groups.values()].map(({ form, types }) => ({ types: types.join(", "), ...form }));
}

function answer(written: WrittenBarrier, target: TargetDialect): Omit<CapabilityForm, "types"> {
  const none = { spellings: [], lowerings: [], assumes: [] };
  if (written.kind === "refused")
    return { verdict: "refused", ...none, cost: "refused", requires: [], reason: written.reason };
  const instructions = instructionsOf(target, written.calls);
  return {
    verdict: "native",
    ...none,
    spellings: written.calls,
    cost: "native",
    requires: written.requires,
    ...(written.strengthened === undefined ? {} : { strengthened: written.strengthened }),
    ...(instructions.length > 0 ? { instructions } : {}),
  };
}
