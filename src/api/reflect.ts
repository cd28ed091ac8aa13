import type { EntryPoint, Module } from "../ast/nodes.js";
import { bufferLayout, factsOf } from "../dialects/languages.js";
import { arrayStride } from "../types/layout.js";
import { shapeOf, reflectEntry } from "../launch/reflection.js";
import type { Reflection, SlotReflection } from "../launch/reflection.js";
import type { SlotAssignment } from "../ast/legal.js";
import { targets } from "../dialects/ids.js";
import type { Target } from "../dialects/ids.js";
import { compile } from "./compile.js";
import type { Compilation } from "./compile.js";
import { requireKnown, requireSource, requireTargetOptions, sourceOptions, targetOptions } from "./options.js";
import { translateTo } from "./translate.js";
import type { Translation } from "./translate.js";
import type { SourceOptions, TargetOptions } from "./types.js";

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
        const own = output?.slots.filter((s) => ownsSlot(s, entry.name, output.module)) ?? [];
        // What lies in several places is where the first of them is.
        for (const slot of own.toReversed())
          slots.set(slot.path, { ...slots.get(slot.path), [target]: describeSlot(slot, target) });
        for (const feature of output ? featuresOf(output.code) : []) features.add(feature);
      }
      return reflectEntry(shapeOf(module, entry), [...features].sort(), slots);
    }),
  };
}

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
    kind: slot.block ? slot.block.kind : slot.kind,
    ...(slot.block ? { name: slot.block.name } : {}),
    ...(slot.number !== undefined ? { slot: slot.number } : {}),
    ...(slot.register ? { register: slot.register } : {}),
    ...(slot.set !== undefined || hasSets ? { set: slot.set ?? 0 } : {}),
    ...(slot.kind === "block" || slot.offset > 0 ? { offset: slot.offset } : {}),
    ...(slot.size > 0 ? { size: slot.size } : {}),
  };
}

/** What an output text turns on by name: extensions of GLSL and OpenCL. */
function featuresOf(code: string): string[] {
  const directive =
    /^#(?:extension\s+(\w+)\s*:\s*(?:require|enable)|pragma\s+OPENCL\s+EXTENSION\s+(\w+)\s*:\s*enable)/gm;
  return [...code.matchAll(directive)].map((m) => m[1] ?? m[2]!);
}

/** Entry points, arguments, slots and layouts for every target that takes the source. An empty list where it has errors. */
export async function reflect(source: string, options: SourceOptions & TargetOptions): Promise<Reflection> {
  requireKnown(options, { ...sourceOptions, ...targetOptions });
  requireSource(source, options);
  requireTargetOptions(options);
  return reflectForTargets(await compile(source, options), options);
}

/** Each entry by itself, so that targets that hold one entry a file have slots too. What refuses has none. */
export async function reflectForTargets(
  compilation: Compilation,
  options: TargetOptions & Pick<SourceOptions, "entry">,
): Promise<Reflection> {
  const each = await entryTranslations(compilation, options);
  return reflectCompilation(
    compilation,
    each.flatMap((e) => e.translations),
  );
}

/** Each entry by itself in every target; whatever refuses it has no output. */
export async function entryTranslations(
  compilation: Compilation,
  options: TargetOptions & Pick<SourceOptions, "entry">,
): Promise<{ readonly entry: EntryPoint; readonly translations: readonly Translation[] }[]> {
  const { module } = compilation;
  if (!module) return [];
  const { entry: asked, ...rest } = options;
  const entries = module.entries.filter((e) => asked === undefined || e.name === asked);
  return Promise.all(
    entries.map(async (entry) => {
      const sized = withAnySizes(module, entry, rest);
      const each = targets.map((t) => translateTo(compilation, t, { ...sized, entry: entry.name }));
      return { entry, translations: await Promise.all(each) };
    }),
  );
}

/** Slots do not follow from sizes the source leaves to the launch: where a target wants them in its text, any will do. */
function withAnySizes(module: Module, entry: EntryPoint, options: TargetOptions): TargetOptions {
  const sized = module.resources.filter((r) => r.kind === "workgroup-sized-at-launch");
  const local = sized.map((r) => {
    const { type } = module.variables.get(r.variable)!;
    const element = type.kind === "array" ? type.element : type;
    return [r.path, arrayStride(element, bufferLayout(module.dialect), module.structs)] as const;
  });
  return {
    ...options,
    ...(options.workgroupSize || entry.workgroupSize ? {} : { workgroupSize: [1, 1, 1] }),
    local: { ...Object.fromEntries(local), ...options.local },
  };
}
