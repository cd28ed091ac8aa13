import { profileNamed } from "../caps/profiles.js";
import type { Target } from "../dialects/ids.js";
import { UsageError } from "./usage-error.js";

/** A profile is one target's; with several targets the others have their default. */
export function checkProfile(profile: string | undefined, targets: readonly Target[]): void {
  if (profile === undefined) return;
  const { dialect } = profileNamed(profile)!;
  if (!targets.includes(dialect))
    throw new UsageError(`'${profile}' is a profile of ${dialect}, which --to does not name`);
}
