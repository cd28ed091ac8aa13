/** Whether the launches of a verification would have noticed a fault in the translation: `verify --mutants`. */
import { locate } from "../support/expanded-source.js";
import type { BoundLaunch } from "../launch/bind.js";
import { once } from "../support/once.js";
import { mutantsOf } from "../verify/mutants.js";
import type { MutantScore, UnnoticedFault } from "../verify/result.js";
import { compareOnLaunches, sameOutputs } from "../verify/verify.js";
import type { CompareOptions, Runner } from "../verify/verify.js";
import type { ReadTranslation } from "./read-translation.js";
import { simulatorRunner } from "./runners.js";
import type { ReadySource } from "./verify.js";

/** A fault may make a loop endless: a run is given up, and counts as noticed, after so many times the steps of its source. */
const patience = 4;
const leastSteps = 10_000;

export async function scoreMutants(
  ready: ReadySource,
  { compilation, entry, translated }: ReadTranslation,
  how: CompareOptions,
  count: number,
  seed: number,
): Promise<MutantScore> {
  const { launches, source } = await withinSteps(ready, how);
  const open = how.open && once(how.open);
  const mutants = mutantsOf(compilation.module!, entry, count, seed);
  const subgroupSizes = (l: BoundLaunch): readonly number[] => how.subgroupSizes(launches.get(l)!);
  const unnoticed: { readonly fault: UnnoticedFault; readonly at: number }[] = [];
  let planted = 0;
  for (const { module, span, change } of mutants) {
    const made = await simulatorRunner({ ...compilation, module }, entry, {
      ...(translated ? { translated } : {}),
      threads: ready.threads,
    });
    // What nobody could run is no fault that a translation could have.
    if ("diagnostics" in made) continue;
    planted++;
    const result = await compareOnLaunches(source, () => made.runner, [...launches.keys()], {
      ...how,
      subgroupSizes,
      ...(open ? { open } : {}),
    });
    if (!sameOutputs(result)) continue;
    const location = locate(compilation.expanded, span);
    const file = compilation.expanded.files.find((f) => f.name === location.file);
    const line = file?.text.split("\n")[location.line - 1]?.trim() ?? "";
    unnoticed.push({ fault: { location, change, line }, at: span.start });
  }
  unnoticed.sort((a, b) => a.at - b.at);
  return { seed, planted, noticed: planted - unnoticed.length, unnoticed: unnoticed.map((u) => u.fault) };
}

/** The launches with a bound of steps, each with the one it was, and the source, which has run on those. */
async function withinSteps(
  { launches, seeds, source }: ReadySource,
  { subgroupSizes }: CompareOptions,
): Promise<{ readonly launches: ReadonlyMap<BoundLaunch, BoundLaunch>; readonly source: Runner }> {
  const bounded = new Map<BoundLaunch, BoundLaunch>();
  for (const launch of launches) {
    let most = leastSteps;
    for (const subgroupSize of subgroupSizes(launch))
      for (let seed = 1; seed <= seeds; seed++)
        most = Math.max(most, (await source.run(launch, { subgroupSize, seed })).steps ?? 0);
    bounded.set({ ...launch, maxSteps: most * patience }, launch);
  }
  return {
    launches: bounded,
    source: {
      run: (launch, options) => source.run(bounded.get(launch)!, options),
      ...(source.synchronizes ? { synchronizes: true } : {}),
      ...(source.races ? { races: (launch, options) => source.races!(bounded.get(launch)!, options) } : {}),
    },
  };
}
