/** All routines over lanes, by the names generated code uses. */
import { clusteredRoutines } from "./clustered.js";
import { partitionedRoutines } from "./partitioned.js";
import { quadRoutines } from "./quad.js";
import { perLaneRoutines, uniformRoutines, type PerLane, type Uniform } from "./subgroup.js";

export { anyActive, firstActive, resume, spread, taken, type PerLane, type Uniform } from "./subgroup.js";

export const collectiveRoutines: Readonly<Record<string, Uniform | PerLane>> = Object.fromEntries(
  ["subgroup", "workgroup"].flatMap((scope) =>
    [uniformRoutines, perLaneRoutines, clusteredRoutines, quadRoutines, partitionedRoutines].flatMap((table) =>
      Object.entries(table).map(([name, f]) => [`${scope}_${name}`, f]),
    ),
  ),
);
