/**
 * Which argument of a re-parsed translation is which argument of its source. Slots decide: legalization says where each
 * leaf of the source's list lives in the target, and the re-parsed text says what it has there. Names are not compared,
 * since a translation may rename; nothing is matched by guessing.
 */
import type { Resource } from "../ast/nodes.js";
import type { SlotAssignment } from "../ast/legal.js";
import { showType } from "../types/types.js";
import type { ArgumentShape, EntryShape } from "../launch/reflection.js";

export interface TranslatedArgument {
  readonly shape: ArgumentShape;
  /** The path in the source's list; absent for derived values. */
  readonly sourcePath?: string;
  readonly slot: SlotAssignment;
}

/**
 * One entry per argument of the translation, in its order; or why they do not fit, which is a bug of crosslane: the text
 * it wrote does not have the interface it meant to write.
 */
export function matchTranslation(
  translation: EntryShape,
  slots: readonly SlotAssignment[],
): { arguments: TranslatedArgument[] } | { problem: string } {
  const expected = new Map<string, SlotAssignment[]>();
  for (const slot of slots) {
    if (slot.kind === "static-workgroup") continue;
    const key = slotKey(slot);
    expected.set(key, [...(expected.get(key) ?? []), slot]);
  }
  for (const group of expected.values()) group.sort((a, b) => a.offset - b.offset);
  const found: TranslatedArgument[] = [];
  const taken = new Map<string, number>();
  for (const shape of translation.arguments) {
    const key = resourceKey(shape.resource);
    const group = expected.get(key);
    const index = taken.get(key) ?? 0;
    const slot = group?.[index];
    if (slot === undefined) return { problem: `'${shape.path}' of the translation has no counterpart (${key})` };
    taken.set(key, index + 1);
    if (shape.kind === "value" && showType(shape.type) !== showType(slot.type)) {
      return {
        problem: `'${shape.path}' of the translation is ${showType(shape.type)}, and ${showType(slot.type)} was meant`,
      };
    }
    found.push({ shape, slot, ...(slot.derived ? {} : { sourcePath: slot.path }) });
  }
  for (const [key, group] of expected) {
    const missing = group[taken.get(key) ?? 0];
    if (missing) return { problem: `'${missing.path}' is not in the translation (${key})` };
  }
  return { arguments: found };
}

/** Leaves of one block share a key and are told apart by their order, which is the order of their offsets. */
function slotKey(slot: SlotAssignment): string {
  switch (slot.kind) {
    case "block":
      return slot.block?.kind === "push-constant" ? "push constants" : `block ${slot.set ?? 0} ${slot.number ?? ""}`;
    case "specialization":
      return `specialization ${slot.number ?? ""}`;
    case "workgroup":
      return `workgroup ${slot.number ?? ""}`;
    case "program":
      return `program ${slot.path}`;
    case "address":
      return `address ${slot.path}`;
    case "buffer":
    case "value":
    case "static-workgroup":
      return `slot ${slot.set ?? 0} ${slot.register ?? ""}${slot.number ?? ""}`;
  }
}

function resourceKey(resource: Resource): string {
  if (resource.begins !== undefined) return `program ${resource.path}`;
  if (resource.pointerIn) return `address ${resource.path}`;
  if (resource.kind === "specialization") return `specialization ${resource.slot?.number ?? ""}`;
  if (resource.kind === "workgroup-sized-at-launch") return `workgroup ${resource.slot?.number ?? ""}`;
  if (resource.block?.kind === "push-constant") return "push constants";
  if (resource.block?.kind === "uniform") return `block ${resource.slot?.set ?? 0} ${resource.slot?.number ?? ""}`;
  return `slot ${resource.slot?.set ?? 0} ${resource.slot?.register ?? ""}${resource.slot?.number ?? ""}`;
}
