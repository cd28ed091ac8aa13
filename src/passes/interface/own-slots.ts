/** Buffers that the source's own text has no numbers for: the host writes their addresses elsewhere, or they are memory of the program. */
import type { SlotAssignment } from "../../ast/legal.js";
import type { Module, Resource, VarId } from "../../ast/nodes.js";
import { layoutOfResource } from "../../dialects/languages.js";
import { arrayStride, memberOffsets, type LayoutRule } from "../../types/layout.js";
import type { Type } from "../../types/types.js";

/** The slots of a text that is the source's own: buffers whose addresses lie elsewhere have a place there, memory of the program has none. */
export function withOwnSlots(module: Module, slots: readonly SlotAssignment[]): readonly SlotAssignment[] {
  const odd = module.resources.filter((r) => r.pointerIn !== undefined || r.begins !== undefined);
  const held = new Map(odd.map((r) => [r.variable, r]));
  if (held.size === 0) return slots;
  return slots.map((slot) => {
    const resource = held.get(slot.variable);
    if (resource?.begins !== undefined) return programSlot(slot);
    return resource ? addressSlot(module, resource, slot, slots) : slot;
  });
}

function programSlot({ number: _number, ...slot }: SlotAssignment): SlotAssignment {
  return { ...slot, kind: "program" };
}

function addressSlot(
  module: Module,
  { pointerIn, path }: Resource,
  { entry, variable, type }: SlotAssignment,
  slots: readonly SlotAssignment[],
): SlotAssignment {
  const { resource, block, members } = pointerIn!;
  const common = { entry, path, variable, kind: "address" as const, size: 8, type };
  if (resource === undefined) {
    const offset = block!.offset ?? 0;
    const rule = block!.kind === "uniform" ? "std140" : "std430";
    const beside = slots.find((s) => s.block?.name === block!.name && s.entry === entry);
    return {
      ...common,
      block: { name: block!.name, kind: pushOrUniform(block!.kind) },
      ...numbers(beside),
      offset,
      rule,
    };
  }
  const holder = module.resources.find((r) => r.variable === resource)!;
  const rule = layoutOfResource(module.dialect, holder);
  const own = slots.find((s) => s.variable === resource && s.entry === entry);
  const base = holder.block?.offset ?? 0;
  return {
    ...common,
    ...(own?.block && !holder.pointerIn ? { block: own.block } : {}),
    ...(holder.pointerIn ? { holder: holder.path } : numbers(own ?? holder.slot)),
    offset: base + offsetOf(module, resource, members, rule),
    rule,
  };
}

const pushOrUniform = (kind: "push-constant" | "uniform" | "storage"): "push-constant" | "uniform" =>
  kind === "push-constant" ? kind : "uniform";

const numbers = (of: Pick<SlotAssignment, "number" | "set" | "register"> | undefined): Partial<SlotAssignment> => ({
  ...(of?.number === undefined ? {} : { number: of.number }),
  ...(of?.set === undefined ? {} : { set: of.set }),
  ...(of?.register === undefined ? {} : { register: of.register }),
});

/** Bytes from the beginning of what holds it. */
function offsetOf(module: Module, holder: VarId, members: readonly (string | number)[], rule: LayoutRule): number {
  let { type }: { type: Type } = module.variables.get(holder)!;
  let offset = 0;
  for (const name of members) {
    if (type.kind === "array" && typeof name === "number") {
      offset += name * arrayStride(type.element, rule, module.structs);
      type = type.element;
      continue;
    }
    if (type.kind === "array") type = type.element;
    if (type.kind !== "struct") throw new Error(`${name} is no member`);
    const declared = module.structs.get(type.name)!;
    const i = declared.members.findIndex((m) => m.name === name);
    offset += memberOffsets(declared, rule, module.structs)[i]!;
    type = declared.members[i]!.type;
  }
  return offset;
}
