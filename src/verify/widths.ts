/** Whether what a kernel leaves depends on the width of subgroups. */
import type { BoundBuffer, BoundLaunch } from "../launch/bind.js";
import { compareBuffers, type Difference } from "./compare.js";
import type { Diagnostic } from "../support/diagnostics.js";
import type { Writer } from "./result.js";
import { goAhead, outputsOf, type RunOutcome, type Runner } from "./verify.js";

export type WidthDifference = {
  readonly launch: BoundLaunch;
  /** The width that is the measure, and the first that differs from it. */
  readonly widths: readonly [number, number];
} & (
  | {
      readonly kind: "output";
      readonly buffer: BoundBuffer;
      /** `expected` is what the first width leaves. */
      readonly difference: Difference;
      readonly writers: readonly (Writer | undefined)[];
    }
  | { readonly kind: "finding"; readonly finding: Diagnostic }
);

/**
 * The first launch and width at which the source leaves something else, or has a finding it has not, than at the launch's own
 * width; where it has one at that, than at the first without.
 */
export async function widthDifference(
  source: Runner,
  launches: readonly BoundLaunch[],
  widthsOf: (launch: BoundLaunch) => readonly number[],
): Promise<WidthDifference | undefined> {
  for (const launch of launches) {
    const widths = [...widthsOf(launch)].sort((a, b) => a - b);
    const candidates = widths.includes(launch.subgroupSize) ? [launch.subgroupSize, ...widths] : widths;
    const outcome = (subgroupSize: number): Promise<RunOutcome> => source.run(launch, { subgroupSize, seed: 1 });
    let own: number | undefined;
    for (const width of candidates) if (own === undefined && (await outcome(width)).findings.length === 0) own = width;
    if (own === undefined) continue;
    const first = await outcome(own);
    const others = widths.filter((w) => w !== own).map((subgroupSize) => ({ subgroupSize, seed: 1 }));
    goAhead(first, launch, [[source, others]]);
    for (const subgroupSize of widths) {
      if (subgroupSize === own) continue;
      const other = await outcome(subgroupSize);
      const [finding] = other.findings;
      if (finding) return { kind: "finding", launch, widths: [own, subgroupSize], finding };
      for (const buffer of outputsOf(launch)) {
        const difference = compareBuffers(first.buffers.get(buffer.path)!, other.buffers.get(buffer.path)!, buffer);
        if (!difference) continue;
        const at = (width: number) =>
          source.writerOf?.(launch, { subgroupSize: width, seed: 1 }, buffer.path, difference.byteOffset);
        return {
          kind: "output",
          launch,
          buffer,
          difference,
          widths: [own, subgroupSize],
          writers: await Promise.all([at(own), at(subgroupSize)]),
        };
      }
    }
  }
  return undefined;
}

export interface OrderDifference {
  readonly launch: BoundLaunch;
  readonly buffer: BoundBuffer;
  readonly difference: Difference;
  readonly width: number;
}

/** The first launch on which the source leaves something else when lanes are not in the order of the local index. */
export async function orderDifference(
  source: Runner,
  launches: readonly BoundLaunch[],
  widthsOf: (launch: BoundLaunch) => readonly number[],
): Promise<OrderDifference | undefined> {
  for (const launch of launches) {
    const widths = widthsOf(launch);
    const width = widths.includes(launch.subgroupSize) ? launch.subgroupSize : widths[0];
    if (width === undefined) continue;
    const linear = await source.run(launch, { subgroupSize: width, seed: 1 });
    if (linear.findings.length > 0) continue;
    const scrambled = await source.run(launch, { subgroupSize: width, seed: 1, scrambled: true });
    for (const buffer of outputsOf(launch)) {
      const [a, b] = [linear.buffers.get(buffer.path), scrambled.buffers.get(buffer.path)];
      // A run that came to no end left nothing to compare.
      const difference = a && b && compareBuffers(a, b, buffer);
      if (difference) return { launch, buffer, difference, width };
    }
  }
  return undefined;
}
