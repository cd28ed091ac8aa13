import { hashOf } from "./file-view.js";
import type { InputJob, TargetJob } from "./job.js";

/**
 * What a target's result is found by, besides the files that were read. Where the source lies on this machine does not count, so
 * that a cache can be moved.
 */
export function jobKey(
  job: InputJob,
  { target, settings, verify, device, lines, bindings }: TargetJob,
  source: string,
  program: string,
): string {
  const { path: _, ...input } = job.input;
  return hashOf(
    JSON.stringify([program, input, job.source, job.launch, target, settings, verify, device, lines, bindings, source]),
  );
}
