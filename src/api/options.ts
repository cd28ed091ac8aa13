/** Misuse of the API throws here, before anything runs; what is wrong with a kernel is a diagnostic. */
import { profileIds, profileNamed } from "../caps/profiles.js";
import { sourceDialects, targets } from "../dialects/ids.js";
import type { Target } from "../dialects/ids.js";
import { clStds, hlslVersions } from "../dialects/language.js";
import { didYouMean } from "../support/did-you-mean.js";
import { isSubgroupWidth } from "../types/subgroup-width.js";
import { reportOf } from "./profile.js";
import type { FoundInclude, SourceOptions, TargetOptions } from "./types.js";

/** Every option of a kind by name: the compiler asks for those that are missing here. */
export type OptionNames<T> = Readonly<Record<keyof T, true>>;

export const sourceOptions: OptionNames<SourceOptions> = {
  from: true,
  fileName: true,
  entry: true,
  defines: true,
  include: true,
  spec: true,
  arrayLength: true,
  prelude: true,
  hlslVersion: true,
  enable16bitTypes: true,
  clStd: true,
  keepUnused: true,
};

export const targetOptions: OptionNames<TargetOptions> = {
  profile: true,
  deviceProfile: true,
  workgroupSize: true,
  keepStatedSizes: true,
  subgroupSize: true,
  emulateSubgroups: true,
  local: true,
  strict: true,
};

/** An option that nobody reads would be one that silently does nothing. */
export function requireKnown<T extends object>(options: T, names: OptionNames<T>): void {
  if (typeof options !== "object" || options === null) throw new TypeError("options are an object");
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue;
    const near = didYouMean(name, Object.keys(names));
    throw new TypeError(
      `there is no option '${name}'${near ? `, ${near}` : `; there are ${Object.keys(names).join(", ")}`}`,
    );
  }
}

export function requireSource(source: unknown, options: SourceOptions): void {
  if (typeof source !== "string") throw new TypeError(`the source is a string, not ${typeof source}`);
  if (typeof options !== "object" || options === null) throw new TypeError("options are an object");
  if (!(sourceDialects as readonly string[]).includes(options.from)) {
    throw new TypeError(`'from' is one of ${sourceDialects.join(", ")}, not ${JSON.stringify(options.from)}`);
  }
  requireSpec(options.spec);
  requireLengths(options.arrayLength);
  const { prelude } = options;
  if (prelude !== undefined && !(Array.isArray(prelude) && prelude.every((file) => typeof file === "string")))
    throw new TypeError("'prelude' is a list of names of files");
  if (options.hlslVersion !== undefined && !hlslVersions.includes(options.hlslVersion))
    throw new TypeError(
      `'hlslVersion' is one of ${hlslVersions.join(", ")}, not ${JSON.stringify(options.hlslVersion)}`,
    );
  if (options.clStd !== undefined && !clStds.includes(options.clStd))
    throw new TypeError(`'clStd' is one of ${clStds.join(", ")}, not ${JSON.stringify(options.clStd)}`);
  if (options.enable16bitTypes !== undefined && typeof options.enable16bitTypes !== "boolean")
    throw new TypeError(`'enable16bitTypes' is true or false, not ${JSON.stringify(options.enable16bitTypes)}`);
}

function requireSpec(spec: SourceOptions["spec"]): void {
  if (spec === undefined) return;
  if (typeof spec !== "object" || spec === null) throw new TypeError("'spec' is an object");
  for (const [name, value] of Object.entries(spec) as [string, unknown][])
    if (!["number", "bigint", "boolean"].includes(typeof value))
      throw new TypeError(`'spec.${name}' is a number, bigint or bool, not ${typeof value}`);
}

function requireLengths(lengths: SourceOptions["arrayLength"]): void {
  if (lengths === undefined) return;
  if (typeof lengths !== "object" || lengths === null) throw new TypeError("'arrayLength' is an object");
  for (const [name, n] of Object.entries(lengths) as [string, unknown][])
    if (!Number.isInteger(n) || (n as number) < 1)
      throw new TypeError(`'arrayLength.${name}' is a whole number from 1 on, not ${JSON.stringify(n)}`);
}

export function requireTarget(to: unknown): asserts to is Target {
  if (!(targets as readonly unknown[]).includes(to)) {
    throw new TypeError(`'to' is one of ${targets.join(", ")}, not ${JSON.stringify(to)}`);
  }
}

export function requireSizes(sizes: readonly number[] | undefined, name: string, least = 1): void {
  if (sizes === undefined) return;
  const good =
    Array.isArray(sizes) &&
    sizes.length >= 1 &&
    sizes.length <= 3 &&
    sizes.every((n) => Number.isInteger(n) && n >= least && n < 2 ** 32);
  if (!good) throw new TypeError(`'${name}' is an array of one to three whole numbers from ${least}`);
}

export function requireWidth(width: number | undefined, name: string): void {
  if (width === undefined) return;
  if (!isSubgroupWidth(width)) {
    throw new TypeError(`'${name}' is a power of two from 1 to 128, not ${String(width)}`);
  }
}

export function requireCount(n: number | undefined, name: string): void {
  if (n !== undefined && (!Number.isInteger(n) || n < 0))
    throw new TypeError(`'${name}' is a whole number, not ${String(n)}`);
}

export function requireTargetOptions(options: TargetOptions, to?: Target): void {
  if (options.profile !== undefined && to !== undefined && to !== "ts") {
    const profile = profileNamed(options.profile);
    if (profile?.dialect !== to)
      throw new TypeError(`'profile' is one of ${profileIds(to).join(", ")}, not ${JSON.stringify(options.profile)}`);
  }
  if (options.deviceProfile !== undefined) {
    if (typeof options.deviceProfile !== "object" || options.deviceProfile === null)
      throw new TypeError("'deviceProfile' is the parsed JSON of a device's report");
    reportOf(options.deviceProfile);
  }
  requireSizes(options.workgroupSize, "workgroupSize");
  requireWidth(options.subgroupSize, "subgroupSize");
  requireWidth(options.emulateSubgroups, "emulateSubgroups");
  for (const [name, bytes] of Object.entries(options.local ?? {})) {
    if (!Number.isInteger(bytes) || bytes < 1) throw new TypeError(`'local.${name}' is a whole number of bytes`);
  }
}

/** Both forms of `include` as one; own properties only, so that no name of a file reaches a prototype. */
export function includeFunction(
  include: SourceOptions["include"],
): ((path: string, from: string | undefined) => Promise<FoundInclude | undefined>) | undefined {
  if (include === undefined) return undefined;
  if (typeof include === "function") {
    return async (path, from) => {
      const found = await include(path, from);
      return typeof found === "string" ? { name: path, text: found } : found;
    };
  }
  return (path) => Promise.resolve(Object.hasOwn(include, path) ? { name: path, text: include[path]! } : undefined);
}

export function definesOf(defines: SourceOptions["defines"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(defines ?? {}).map(([name, value]) => [
      name,
      typeof value === "boolean" ? String(Number(value)) : String(value),
    ]),
  );
}

/** `reduce` of `kernels/reduce.metal`. */
export function stemOf(fileName: string): string {
  const base = fileName.split(/[/\\]/).at(-1) ?? fileName;
  const dot = base.lastIndexOf(".");
  return dot > 0 ? base.slice(0, dot) : base;
}
