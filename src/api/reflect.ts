import type { EntryPoint, Module } from "../ast/nodes.js";
import { bufferLayout } from "../dialects/languages.js";
import { arrayStride } from "../types/layout.js";
import type { Reflection } from "../launch/reflection.js";
import { targets } from "../dialects/ids.js";
import { compile } from "./compile.js";
import type { Compilation } from "./compile.js";
import { append } from "../support/append.js";
import { reflectSlots, slotsOf } from "./reflect-compilation.js";
import type { WrittenSlots } from "./reflect-compilation.js";
import { requireKnown, requireSource, requireTargetOptions, sourceOptions, targetOptions } from "./options.js";
import { translateTo } from "./translate.js";
import type { Translation } from "./translate.js";
import type { SourceOptions, TargetOptions } from "./types.js";

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
  const written: WrittenSlots[] = [];
  for await (const { translations } of entryTranslations(compilation, options))
    append(written, translations.flatMap(slotsOf));
  return reflectSlots(compilation, written);
}

/**
 * Each entry by itself in every target; whatever refuses it has no output. TypeScript's text is not laid out: nobody reads it. One after
 * the other, since the texts of all entries together may be large.
 */
export async function* entryTranslations(
  compilation: Compilation,
  options: TargetOptions & Pick<SourceOptions, "entry">,
): AsyncGenerator<{ readonly entry: EntryPoint; readonly translations: readonly Translation[] }> {
  const { module } = compilation;
  if (!module) return;
  const { entry: asked, ...rest } = options;
  for (const entry of module.entries.filter((e) => asked === undefined || e.name === asked)) {
    const sized = withAnySizes(module, entry, rest);
    const each = targets.map((t) => translateTo(compilation, t, { ...sized, entry: entry.name, types: false }));
    yield { entry, translations: await Promise.all(each) };
  }
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
