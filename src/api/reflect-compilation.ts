/** What is known of the interface of a compiled source, and of the places its arguments have in translations. */
import type { SlotAssignment } from "../ast/legal.js";
import type { Module } from "../ast/nodes.js";
import type { Target } from "../dialects/ids.js";
import { factsOf } from "../dialects/languages.js";
import { resourcesByVariable, shapeOf, reflectEntry } from "../launch/reflection.js";
import type { Reflection, SlotReflection } from "../launch/reflection.js";
import type { Compilation } from "./compile.js";
import type { Translation } from "./translate.js";

/** Where a translation has its arguments, and what it asks for: all that is kept of it. */
export interface WrittenSlots {
  readonly target: Target;
  readonly features: readonly string[];
  readonly slotsOf: (entry: string) => readonly SlotAssignment[];
}

/** None of what refuses. */
export function slotsOf({ target, output }: Translation): WrittenSlots[] {
  if (!output) return [];
  const slots = output.slots.filter((s) => !isGap(s));
  return [{ target, features: featuresOf(output.code), slotsOf: slotsByEntry(slots, output.module) }];
}

/** The interface of a source, with the slots of the translations that are given. */
export const reflectCompilation = (compilation: Compilation, translations: readonly Translation[]): Reflection =>
  reflectSlots(compilation, translations.flatMap(slotsOf));

export function reflectSlots(compilation: Compilation, written: readonly WrittenSlots[]): Reflection {
  const module = compilation.module;
  if (!module) return { dialect: compilation.dialect, entries: [] };
  const resources = resourcesByVariable(module);
  return {
    dialect: compilation.dialect,
    entries: module.entries.map((entry) => {
      const slots = new Map<string, { [T in Target]?: SlotReflection }>();
      const features = new Set<string>();
      for (const { target, features: all, slotsOf } of written) {
        // What lies in several places is where the first of them is.
        for (const slot of slotsOf(entry.name).toReversed())
          slots.set(slot.path, { ...slots.get(slot.path), [target]: describeSlot(slot, target) });
        for (const feature of all) features.add(feature);
      }
      return reflectEntry(shapeOf(module, entry, resources), [...features].sort(), slots);
    }),
  };
}

/**
 * The slots of an entry of the source, by its name, in time that does not grow with the number of the others. Slots name entries as the
 * target does; a translation of one entry is that entry's, whatever it is called there.
 */
export function slotsByEntry(
  slots: readonly SlotAssignment[],
  module: Module,
): (entry: string) => readonly SlotAssignment[] {
  const [only, ...others] = module.entries.map((e) => e.name);
  if (only !== undefined && others.length === 0)
    return (entry) => slots.filter((s) => s.entry === only || s.entry === entry);
  const byEntry = new Map<string, SlotAssignment[]>();
  for (const s of slots) {
    const before = byEntry.get(s.entry);
    if (before) before.push(s);
    else byEntry.set(s.entry, [s]);
  }
  return (entry) => byEntry.get(entry) ?? [];
}

/** Bytes that no argument of the source has. */
const isGap = ({ derived }: SlotAssignment): boolean => typeof derived === "object" && "gap" in derived;

/** Where a target has an argument, as reports say it. */
export function describeSlot(slot: SlotAssignment, target: Target): SlotReflection {
  const bindings = factsOf(target)?.slots === "bindings";
  const hasSets = bindings && (slot.kind === "buffer" || slot.block?.kind === "uniform");
  return {
    kind: slot.block && slot.kind !== "address" ? slot.block.kind : slot.kind,
    ...(slot.block ? { name: slot.block.name } : {}),
    ...(slot.number !== undefined ? { slot: slot.number } : {}),
    ...(slot.register ? { register: slot.register } : {}),
    ...(slot.set !== undefined || hasSets ? { set: slot.set ?? 0 } : {}),
    ...(slot.holder === undefined ? {} : { holder: slot.holder }),
    ...(slot.kind === "block" || slot.kind === "address" || slot.offset > 0 ? { offset: slot.offset } : {}),
    ...(slot.size > 0 ? { size: slot.size } : {}),
    ...(slot.strides ? { strides: slot.strides } : {}),
  };
}

/** What an output text turns on by name: extensions of GLSL and OpenCL. */
function featuresOf(code: string): string[] {
  const directive =
    /^#(?:extension\s+(\w+)\s*:\s*(?:require|enable)|pragma\s+OPENCL\s+EXTENSION\s+(\w+)\s*:\s*enable)/gm;
  return [...code.matchAll(directive)].map((m) => m[1] ?? m[2]!);
}
