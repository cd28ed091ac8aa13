/** The profile a target is written for: the one asked for or the default, narrowed to a device where one is given. */
import { readReport } from "../caps/device-report.js";
import type { DeviceReport } from "../caps/device-report.js";
import { narrow } from "../caps/narrow.js";
import { defaultProfile, profileNamed } from "../caps/profiles.js";
import type { Profile } from "../caps/profiles.js";
import type { Target } from "../dialects/ids.js";
import type { TargetOptions } from "./types.js";

/** Absent for TypeScript. A profile of another target's does not count. */
export function profileFor(
  target: Target,
  options: Pick<TargetOptions, "profile" | "deviceProfile">,
): Profile | undefined {
  if (target === "ts") return undefined;
  const asked = options.profile === undefined ? undefined : profileNamed(options.profile);
  const base = asked?.dialect === target ? asked : defaultProfile(target);
  return options.deviceProfile === undefined ? base : narrow(base, reportOf(options.deviceProfile)).profile;
}

/** A report as the API takes it: what vulkaninfo or clinfo wrote, or what was read of it before. */
export function reportOf(given: object): DeviceReport {
  if ("facts" in given && "api" in given) return given as DeviceReport;
  const report = readReport(given);
  if ("problem" in report) throw new TypeError(`'deviceProfile' cannot be used: ${report.problem}`);
  return report;
}
