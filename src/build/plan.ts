/** What a config asks for: its inputs as they are on disk now, each with its settings and targets. */
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import picomatch from "picomatch";
import { glob, isDynamicPattern } from "tinyglobby";
import { readReport } from "../caps/device-report.js";
import type { DeviceReport } from "../caps/device-report.js";
import { dialectOf } from "../caps/narrow.js";
import type { Target } from "../dialects/ids.js";
import type { Diagnostic } from "../support/diagnostics.js";
import type { ReadConfig } from "./config.js";
import { defaultOut } from "./config-shape.js";
import type { Config, KernelConfig, ReadingConfig, TargetConfig, WritingConfig } from "./config-shape.js";
import type { Reads } from "./file-view.js";
import { decode, dialectOfFile, extensionOf, reasonOfCode, shownName } from "./files.js";
import type { SourceInput } from "./files.js";
import type { InputJob, TargetJob } from "./job.js";
import { hasMarker } from "./marker.js";
import { bindingExtensions, bindingLanguages } from "../bindings/languages.js";
import { placeOf } from "./out-pattern.js";
import type { OutPlace } from "./out-pattern.js";
import type { SourceSettings } from "./source.js";

/** A target of an input, and where its texts go: `part` tells apart the texts of a source with several entries. */
export interface PlannedTarget extends TargetJob {
  readonly file: (part: string | undefined) => string;
}

export interface PlannedInput extends InputJob {
  readonly targets: readonly PlannedTarget[];
}

export interface Plan {
  readonly folder: string;
  readonly inputs: readonly PlannedInput[];
  /** Errors of the config that show only here, and warnings. */
  readonly diagnostics: readonly Diagnostic[];
  /** Folders below which a new file may be an input. */
  readonly roots: readonly string[];
}

/**
 * `reads` notes the files that the plan is made of: device profiles. With `before`, a plan of the same config and the same device
 * profiles, only new inputs are planned.
 */
export async function makePlan(read: ReadConfig, reads: Reads, before?: Plan): Promise<Plan> {
  const { config, folder, problem } = read;
  const diagnostics: Diagnostic[] = [];
  const planned = new Map(before?.inputs.map((i) => [i.input.path, i]));
  const found = await findInputs(read, reads, diagnostics, planned);
  const targets = config.targets.map((given, at): { config: TargetConfig; device?: DeviceReport } => {
    const target: TargetConfig = typeof given === "string" ? { target: given } : given;
    if (target.deviceProfile === undefined) return { config: target };
    const report = readDevice(resolve(folder, target.deviceProfile), target.target, reads);
    if ("facts" in report) return { config: target, device: report };
    diagnostics.push(problem(["targets", at, "deviceProfile"], report.problem));
    return { config: target };
  });
  const kernels = Object.entries(config.kernels ?? {}).map(([pattern, settings]) => ({
    pattern,
    settings,
    fits: picomatch(pattern.replace(/^\.\//, ""), { basename: !pattern.includes("/"), dot: true }),
    used: false,
  }));
  const inputs = found.map(({ input, dir }): PlannedInput => {
    const path = kernels.length > 0 ? relative(folder, input.path).split(sep).join("/") : "";
    const own = kernels.filter((k) => k.fits(path));
    for (const k of own) k.used = true;
    const known = planned.get(input.path);
    if (known) return known;
    return planInput(
      config,
      folder,
      input,
      dir,
      targets,
      own.map((k) => k.settings),
    );
  });
  for (const { pattern, used } of kernels) {
    if (used) continue;
    const unused = problem(["kernels", pattern], `'${pattern}' fits none of the inputs`);
    diagnostics.push({ ...unused, severity: "warning", code: "XL8012" });
  }
  const roots = [...new Set(list(config.inputs).map((p) => resolve(folder, baseOf(p))))];
  return { folder, inputs, diagnostics, roots };
}

const list = (given: string | readonly string[] | undefined): readonly string[] =>
  given === undefined ? [] : typeof given === "string" ? [given] : given;

type FileInput = SourceInput & { readonly path: string };

/** Sorted by path within a pattern; each file once. */
async function findInputs(
  { config, folder, problem }: ReadConfig,
  reads: Reads,
  diagnostics: Diagnostic[],
  planned: ReadonlyMap<string, PlannedInput>,
): Promise<{ input: FileInput; dir: string }[]> {
  const inputs = new Map<string, { input: FileInput; dir: string }>();
  const ignore = ["**/node_modules/**", "**/.git/**", "**/.crosslane/**", ...list(config.exclude)];
  for (const [at, pattern] of list(config.inputs).entries()) {
    const keys = typeof config.inputs === "string" ? ["inputs"] : ["inputs", at];
    const dynamic = isDynamicPattern(pattern);
    const base = resolve(folder, baseOf(pattern));
    const paths = dynamic
      ? (await glob([pattern], { cwd: folder, absolute: true, onlyFiles: true, ignore, expandDirectories: false })).map(
          (p) => resolve(p),
        )
      : [resolve(folder, pattern)];
    let some = false;
    for (const path of paths.sort()) {
      const name = planned.get(path)?.input.name ?? shownName(path, folder);
      const dialect = config.from ?? dialectOfFile(path);
      const bytes = reads.view.look(path).bytes;
      if (dynamic && (dialect === undefined || (bytes && hasMarker(bytes)))) continue;
      some = true;
      if (dialect === undefined) {
        diagnostics.push(problem(keys, `the dialect of '${name}' does not show in its name`, "say it with 'from'"));
        continue;
      }
      if (inputs.has(path)) continue;
      const input = { name, path, stem: basename(path, extname(path)), folder: "", dialect };
      const dir = dynamic ? relative(base, dirname(path)).split(sep).join("/") : "";
      inputs.set(path, { input, dir });
    }
    if (!some) diagnostics.push(problem(keys, `no file fits '${pattern}'`));
  }
  return [...inputs.values()];
}

/** The folder that a pattern starts from: `kernels` of `kernels/**` + `/*.cl`. */
export function baseOf(pattern: string): string {
  const parts = pattern.split("/");
  const fixed = parts.findIndex((p) => isDynamicPattern(p));
  return parts.slice(0, fixed === -1 ? -1 : fixed).join("/") || (pattern.startsWith("/") ? "/" : ".");
}

function planInput(
  config: Config,
  folder: string,
  input: FileInput,
  dir: string,
  targets: readonly { readonly config: TargetConfig; readonly device?: DeviceReport }[],
  own: readonly KernelConfig[],
): PlannedInput {
  const only = own.findLast((k) => k.targets)?.targets;
  const launch = own.findLast((k) => k.launch !== undefined)?.launch;
  const chosen = targets.filter((t) => !only || only.includes(t.config.target));
  const bound = planBindings(config, folder, input, dir, [...new Set(chosen.map((t) => t.config.target))], own);
  return {
    input,
    source: readingOf([config, ...own]),
    ...(launch !== undefined ? { launch } : {}),
    targets: chosen
      .map(({ config: target, device }): PlannedTarget => {
        const { settings, verify } = writingOf([config, target], own, target.profile);
        const place: OutPlace = {
          pattern: target.out ?? config.out ?? defaultOut,
          stem: input.stem,
          target: target.target,
          profile: target.profile ?? target.target,
          from: input.dialect,
          dir,
          ext: extensionOf(target.target),
        };
        const levels = [config, target, ...own];
        const [sourceMap, lineDirectives] = [last(levels, "sourceMap"), last(levels, "lineDirectives")];
        return {
          target: target.target,
          settings,
          verify,
          ...(device ? { device } : {}),
          ...(sourceMap || lineDirectives ? { lines: { place, sourceMap, lineDirectives } } : {}),
          file: once((part) => placeOf(place, part, folder)),
        };
      })
      .concat(bound),
  };
}

/** Asked of each output more than once. */
function once(place: PlannedTarget["file"]): PlannedTarget["file"] {
  const known = new Map<string | undefined, string>();
  return (part) => {
    let file = known.get(part);
    if (file === undefined) known.set(part, (file = place(part)));
    return file;
  };
}

/** What host code is written against; of all targets of the input. */
function planBindings(
  config: Config,
  folder: string,
  input: FileInput,
  dir: string,
  targets: readonly Target[],
  own: readonly KernelConfig[],
): PlannedTarget[] {
  const [first] = targets;
  if (first === undefined) return [];
  const { settings } = writingOf([config], own, undefined);
  return bindingLanguages.flatMap((language) => {
    const pattern = config.bindings?.[language];
    if (pattern === undefined) return [];
    const place: OutPlace = {
      pattern,
      stem: input.stem,
      target: language,
      profile: language,
      from: input.dialect,
      dir,
      ext: bindingExtensions[language],
    };
    return [
      {
        target: first,
        bindings: { language, targets },
        settings,
        verify: false,
        file: () => placeOf(place, undefined, folder),
      },
    ];
  });
}

function last<T, K extends keyof T>(levels: readonly T[], key: K): T[K] | undefined {
  return levels.findLast((l) => l[key] !== undefined)?.[key];
}

function joined<V>(maps: readonly (Readonly<Record<string, V>> | undefined)[]): Record<string, V> {
  const all = Object.assign({}, ...maps) as Record<string, V>;
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readingOf(levels: readonly ReadingConfig[]): SourceSettings {
  const [entry, hlslVersion, enable16bitTypes, clStd, keepUnused, encoding] = [
    last(levels, "entry"),
    last(levels, "hlslVersion"),
    last(levels, "enable16bitTypes"),
    last(levels, "clStd"),
    last(levels, "keepUnused"),
    last(levels, "encoding"),
  ];
  const defines = joined(levels.map((l) => l.defines));
  const spec = joined(levels.map((l) => l.spec));
  const arrayLength = joined(levels.map((l) => l.arrayLength));
  return {
    ...(entry !== undefined ? { entry } : {}),
    ...(hlslVersion !== undefined ? { hlslVersion } : {}),
    ...(enable16bitTypes ? { enable16bitTypes } : {}),
    ...(clStd !== undefined ? { clStd } : {}),
    ...(keepUnused ? { keepUnused } : {}),
    ...(encoding !== undefined ? { encoding } : {}),
    ...(Object.keys(spec).length > 0 ? { spec } : {}),
    ...(Object.keys(arrayLength).length > 0 ? { arrayLength } : {}),
    define: Object.fromEntries(
      Object.entries(defines).map(([name, v]) => [name, String(typeof v === "boolean" ? Number(v) : v)]),
    ),
    defines: last(levels, "definesFiles") ?? [],
    prelude: last(levels, "prelude") ?? [],
    includeDir: last(levels, "includeDirs") ?? [],
  };
}

/** `own` is said of the input itself, the others of all. */
function writingOf(
  others: readonly WritingConfig[],
  own: readonly WritingConfig[],
  profile: string | undefined,
): Pick<TargetJob, "settings" | "verify"> {
  const levels = [...others, ...own];
  const [workgroupSize, subgroupSize] = [last(levels, "workgroupSize"), last(levels, "subgroupSize")];
  const emulateSubgroups = last(levels, "emulateSubgroups");
  return {
    verify: last(levels, "verify") ?? false,
    settings: {
      ...(profile !== undefined ? { targetProfile: profile } : {}),
      ...(workgroupSize ? { workgroupSize } : {}),
      ...(workgroupSize && last(own, "workgroupSize") === undefined ? { keepStatedSizes: true } : {}),
      ...(subgroupSize !== undefined ? { subgroupSize } : {}),
      ...(emulateSubgroups !== undefined ? { emulateSubgroups } : {}),
      local: joined(levels.map((l) => l.local)),
      strict: last(levels, "strict") ?? false,
    },
  };
}

function readDevice(path: string, target: Target, reads: Reads): DeviceReport | { readonly problem: string } {
  const look = reads.look(path);
  const name = shownName(path, reads.view.folder);
  if (look.bytes === undefined)
    return { problem: `'${name}' cannot be read: ${reasonOfCode(look.problem ?? "ENOENT")}` };
  let json: unknown;
  try {
    json = JSON.parse((decode(look.bytes) ?? "").replace(/^\uFEFF/, ""));
  } catch {
    return { problem: `'${name}' is no JSON` };
  }
  const report = readReport(json);
  if ("problem" in report) return { problem: `'${name}' cannot be used: ${report.problem}` };
  return dialectOf[report.api] === target
    ? report
    : { problem: `'${name}' tells of a device that takes ${dialectOf[report.api]}, not ${target}` };
}

/** Files of one's own below the config, which a build may take for its cache. */
export const defaultCache = (folder: string): string => join(folder, ".crosslane", "cache");

/** As messages call it. */
export const nameOfTarget = ({ target, bindings }: TargetJob): string =>
  bindings ? `bindings for ${bindings.language}` : target;
