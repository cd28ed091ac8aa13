/** One compiled input to the texts of one target: what `translate` and `build` have in common. */
import { basename, dirname, relative, resolve, sep } from "node:path";
import type { Compilation } from "../api/compile.js";
import { hasErrors } from "../api/compile.js";
import { partsMissing, translateTo, writtenEntry } from "../api/translate.js";
import type { Translation } from "../api/translate.js";
import type { RefusedEntry, TargetOptions } from "../api/types.js";
import type { Layouts } from "../api/typescript-layout.js";
import type { WriteOptions } from "../api/written.js";
import type { DeviceReport } from "../caps/device-report.js";
import { profileNamed } from "../caps/profiles.js";
import type { Target } from "../dialects/ids.js";
import { writingFacts } from "../dialects/languages.js";
import { entryOf } from "../launch/bind.js";
import type { LaunchFile } from "../launch/launch-file.js";
import { shapeOf } from "../launch/reflection.js";
import { matchKey } from "../support/match-key.js";

/** How a target is written; of the command line or a config. */
export interface TargetSettings {
  readonly targetProfile?: string;
  readonly workgroupSize?: readonly number[];
  /** The size is that of a whole config, not of this kernel: what the kernel states itself stands. */
  readonly keepStatedSizes?: boolean;
  readonly subgroupSize?: number;
  readonly emulateSubgroups?: number;
  /** Bytes of workgroup memory sized at launch, by argument. */
  readonly local: Readonly<Record<string, number>>;
  readonly strict: boolean;
}

/** What a target's texts are made of. */
export interface TargetRequest {
  readonly target: Target;
  readonly settings: TargetSettings;
  /** The entry asked for; without one, all of them. */
  readonly entry?: string;
  /** Its sizes serve where the settings have none. */
  readonly launch?: LaunchFile;
  readonly device?: DeviceReport;
  /** Where a text of the target holds one entry and the source has several, each becomes a text. */
  readonly split: boolean;
  readonly layouts?: Layouts;
}

/** One text that is to be written, or was refused. */
export interface TargetText {
  readonly target: Target;
  readonly entry?: string;
  /** The entry that tells this text from the input's others, where the texts were split. */
  readonly part?: string;
  readonly translation: Translation;
  readonly missing: ReturnType<typeof partsMissing>;
  /** It, or one of its kernels, is refused. */
  readonly incomplete: boolean;
}

/** The texts of one target. `compilation` has a module. */
export async function translateTarget(compilation: Compilation, request: TargetRequest): Promise<TargetText[]> {
  const { target, settings, launch, device, layouts } = request;
  const texts: TargetText[] = [];
  for (const entry of entriesFor(compilation, request)) {
    const meant = entry ?? entryOf(launch, compilation.dialect);
    const options = targetOptions(settings, target, launch, meant, compilation, device);
    const translation = await translateTo(compilation, target, {
      ...options,
      ...(entry ? { entry } : {}),
      ...(layouts ? { layouts } : {}),
    });
    texts.push({
      target,
      ...(entry ? { entry } : {}),
      ...(entry && entry !== request.entry ? { part: entry } : {}),
      translation,
      missing: partsMissing(compilation, translation),
      incomplete: hasErrors(translation.diagnostics) || translation.refused.length > 0,
    });
  }
  return texts;
}

function entriesFor(compilation: Compilation, { target, entry, split }: TargetRequest): (string | undefined)[] {
  const names = compilation.module?.entries.map((e) => e.name) ?? [];
  if (writingFacts(target)?.soleEntry === undefined || entry !== undefined || names.length < 2 || !split)
    return [entry];
  return names;
}

/**
 * The kernels of a text of several that are run one after the other: all that were written. Where a launch file stands beside them and
 * does not say which it is for, undefined: that has to be asked.
 */
export function verifiedKernels(
  { module, dialect, refused: unread }: Compilation,
  refused: readonly RefusedEntry[],
  launch: LaunchFile | undefined,
): readonly (string | undefined)[] {
  const all = (module?.entries ?? []).map((e) => e.name);
  const sole = all.length + unread.length < 2;
  if (sole || (launch && entryOf(launch, dialect) === undefined)) return [undefined];
  return all.filter((name) => !refused.some((r) => r.entry === name));
}

/** A kernel of a text that is verified before it is written. */
export interface KernelOfText<L> {
  /** Absent where the file says which it is. */
  readonly entry: string | undefined;
  readonly launch: L | undefined;
  /** What the source is launched with: the size that the text has, where it has one. */
  readonly workgroupSize: readonly number[] | undefined;
  /** The text as it is written, where it has other kernels, too. */
  readonly whole?: Translation;
}

export function kernelsOfText<L extends { readonly launch: LaunchFile }>(
  compilation: Compilation,
  { entry: own, translation }: TargetText,
  launch: L | undefined,
  { workgroupSize }: Pick<TargetSettings, "workgroupSize">,
): KernelOfText<L>[] {
  const { module } = compilation;
  const kernels = own === undefined ? verifiedKernels(compilation, translation.refused, launch?.launch) : [own];
  return kernels.map((entry) => {
    const name = entry ?? (module?.entries.length === 1 ? module.entries[0]!.name : undefined);
    const written = name === undefined ? undefined : writtenEntry(compilation, { name }, translation);
    return {
      entry,
      launch: launchFor(launch, compilation, entry),
      workgroupSize: written?.workgroupSize ?? workgroupSize,
      ...(entry === own ? {} : { whole: translation }),
    };
  });
}

/** A launch file is for the kernel it names; launches of the others are derived. */
export function launchFor<L extends { readonly launch: LaunchFile }>(
  launch: L | undefined,
  { dialect }: Compilation,
  entry: string | undefined,
): L | undefined {
  const named = launch && entryOf(launch.launch, dialect);
  return entry === undefined || named === undefined || named === entry ? launch : undefined;
}

/** What the map and the directives of a text call its file, and the sources as seen from there. */
export function placedAt(file: string, folder: string): Pick<WriteOptions, "file" | "mapUrl" | "sourceName"> {
  return {
    file: basename(file),
    mapUrl: encodeURIComponent(`${basename(file)}.map`),
    sourceName: sourcesFrom(dirname(file), folder),
  };
}

/** Names of sources, which are relative to `folder`, as seen from another one. */
export const sourcesFrom =
  (from: string, folder: string) =>
  (name: string): string =>
    name.startsWith("<") ? name : relative(from, resolve(folder, name)).split(sep).map(encodeURIComponent).join("/");

/**
 * Sizes a target needs and the source leaves open: the settings', else the launch file's. `entry` is the one the launch is
 * for.
 */
export function targetOptions(
  settings: TargetSettings,
  target: Target | undefined,
  launch: LaunchFile | undefined,
  entry: string | undefined,
  compilation: Compilation,
  device?: DeviceReport,
): TargetOptions {
  const module = compilation.module;
  const entries = module?.entries ?? [];
  const meant = entry === undefined && entries.length === 1 ? entries[0] : entries.find((e) => e.name === entry);
  const local: Record<string, number> = {};
  if (module && meant && launch) {
    const paths = shapeOf(module, meant).arguments.map((a) => a.path);
    for (const argument of launch.arguments) {
      if (argument.kind !== "workgroup") continue;
      const match = matchKey(argument.key, paths);
      if ("index" in match) local[paths[match.index]!] = argument.bytes;
    }
  }
  const workgroupSize = settings.workgroupSize ?? (meant ? launch?.workgroupSize : undefined);
  return {
    ...(settings.targetProfile && profileNamed(settings.targetProfile)?.dialect === target
      ? { profile: settings.targetProfile }
      : {}),
    ...(device ? { deviceProfile: device } : {}),
    ...(workgroupSize ? { workgroupSize } : {}),
    ...(settings.keepStatedSizes ? { keepStatedSizes: true } : {}),
    ...(settings.subgroupSize ? { subgroupSize: settings.subgroupSize } : {}),
    ...(settings.emulateSubgroups ? { emulateSubgroups: settings.emulateSubgroups } : {}),
    local: { ...local, ...settings.local },
    strict: settings.strict,
  };
}
