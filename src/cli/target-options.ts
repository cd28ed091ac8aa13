import type { Compilation } from "../api/compile.js";
import type { TargetOptions } from "../api/types.js";
import type { DeviceReport } from "../caps/device-report.js";
import { profileNamed } from "../caps/profiles.js";
import type { Target } from "../dialects/ids.js";
import type { LaunchFile } from "../launch/launch-file.js";
import { matchKey } from "../support/match-key.js";
import { shapeOf } from "../launch/reflection.js";
import type { TargetFlags } from "./options.js";
import { UsageError } from "./usage-error.js";

/** A profile is one target's; with several targets the others have their default. */
export function checkProfile(profile: string | undefined, targets: readonly Target[]): void {
  if (profile === undefined) return;
  const { dialect } = profileNamed(profile)!;
  if (!targets.includes(dialect))
    throw new UsageError(`'${profile}' is a profile of ${dialect}, which --to does not name`);
}

/**
 * Sizes a target needs and the source leaves open: the flags', else the launch file's. `entry` is the one the launch is
 * for.
 */
export function targetOptions(
  flags: Pick<
    TargetFlags,
    "targetProfile" | "workgroupSize" | "subgroupSize" | "emulateSubgroups" | "local" | "strict"
  >,
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
  const workgroupSize = flags.workgroupSize ?? (meant ? launch?.workgroupSize : undefined);
  return {
    ...(flags.targetProfile && profileNamed(flags.targetProfile)?.dialect === target
      ? { profile: flags.targetProfile }
      : {}),
    ...(device ? { deviceProfile: device } : {}),
    ...(workgroupSize ? { workgroupSize } : {}),
    ...(flags.subgroupSize ? { subgroupSize: flags.subgroupSize } : {}),
    ...(flags.emulateSubgroups ? { emulateSubgroups: flags.emulateSubgroups } : {}),
    local: { ...local, ...flags.local },
    strict: flags.strict,
  };
}
