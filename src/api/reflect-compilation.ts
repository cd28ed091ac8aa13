/** What is known of the interface of a compiled source, and of the places its arguments have in translations. */
import type { SlotAssignment } from "../ast/legal.js";
import type { Module } from "../ast/nodes.js";
import type { Target } from "../dialects/ids.js";
import { factsOf } from "../dialects/languages.js";
import { shapeOf, reflectEntry } from "../launch/reflection.js";
import type { Reflection, SlotReflection } from "../launch/reflection.js";
import type { Compilation } from "./compile.js";
import type { Translation } from "./translate.js";

/** The interface of a source, with the slots of the translations that are given. */
export function reflectCompilation(compilation: Compilation, translations: readonly Translation[]): Reflection {
  const module = compilation.module;
  if (!module) return { dialect: compilation.dialect, entries: [] };
  return {
    dialect: compilation.dialect,
    entries: module.entries.map((entry) => {
      const slots = new Map<string, { [T in Target]?: SlotReflection }>();
      const features = new Set<string>();
      for (const { target, output } of translations) {
        // Slots name entries as the target does; a translation of one entry is that entry's, whatever it is called there.
        const own = output?.slots.filter((s) => !isGap(s) && ownsSlot(s, entry.name, output.module)) ?? [];
        // What lies in several places is where the first of them is.
        for (const slot of own.toReversed())
          slots.set(slot.path, { ...slots.get(slot.path), [target]: describeSlot(slot, target) });
        for (const feature of output ? featuresOf(output.code) : []) features.add(feature);
      }
      return reflectEntry(shapeOf(module, entry), [...features].sort(), slots);
    }),
  };
}

/** Bytes that no argument of the source has. */
const isGap = ({ derived }: SlotAssignment): boolean => typeof derived === "object" && "gap" in derived;

/** Whether a slot of a translation is one of an entry of the source. */
export function ownsSlot(slot: SlotAssignment, entry: string, module: Module): boolean {
  const named = module.entries.find((e) => e.name === slot.entry);
  return named === undefined ? slot.entry === entry : named.name === entry || module.entries.length === 1;
}

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
  };
}

/** What an output text turns on by name: extensions of GLSL and OpenCL. */
function featuresOf(code: string): string[] {
  const directive =
    /^#(?:extension\s+(\w+)\s*:\s*(?:require|enable)|pragma\s+OPENCL\s+EXTENSION\s+(\w+)\s*:\s*enable)/gm;
  return [...code.matchAll(directive)].map((m) => m[1] ?? m[2]!);
}
