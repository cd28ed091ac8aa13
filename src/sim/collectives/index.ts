/** All routines over lanes, by the names generated code uses. */
import { asyncRoutines } from "./async-copies.js";
import { clusteredRoutines } from "./clustered.js";
import { partitionedRoutines } from "./partitioned.js";
import { quadRoutines } from "./quad.js";
import { perLaneRoutines, uniformRoutines, type PerLane, type Uniform } from "./subgroup.js";

export { anyActive, firstActive, resume, spread, taken, type PerLane, type Uniform } from "./subgroup.js";

const ofAnyLanes = [uniformRoutines, perLaneRoutines, clusteredRoutines, quadRoutines, partitionedRoutines];
const tables = { subgroup: ofAnyLanes, workgroup: [...ofAnyLanes, asyncRoutines] };

export const collectiveRoutines: Readonly<Record<string, Uniform | PerLane>> = Object.fromEntries(
  Object.entries(tables).flatMap(([scope, list]) =>
    list.flatMap((table) => Object.entries(table).map(([name, f]) => [`${scope}_${name}`, f])),
  ),
);
