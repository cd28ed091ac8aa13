/** Routines over clusters: runs of consecutive lanes, as many as a power of two. */
import { startOf } from "../../ops/folds.js";
import type { Machine } from "../machine.js";
import {
  active,
  at,
  foldOf,
  folds,
  kept,
  move,
  number,
  put,
  withSame,
  type Operand,
  type PerLane,
} from "./subgroup.js";

const clusteredFold =
  (op: string): PerLane =>
  (m, kind, site, wait, start, end, result, data, c) => {
    const fold = foldOf(op, kind);
    for (let l = start; l < end; l++) {
      if (!active(wait, l)) continue;
      const size = clusterSize(m, site, l, number(c, l));
      const base = l - ((l - start) % size);
      // A cluster of one is the value as it is.
      let sum = size === 1 ? undefined : startOf(op, kind);
      for (let o = base; o < Math.min(base + size, end); o++) {
        if (!active(wait, o)) continue;
        const x = kept(kind, at(data, o));
        sum = sum === undefined ? x : fold(sum, x);
      }
      put(result, l, sum!);
    }
  };

/** Larger clusters than the subgroup are undefined: found, and the subgroup taken. */
function clusterSize(m: Machine, site: number, lane: number, size: number): number {
  if (size <= m.width) return size;
  m.memory.find("undefined-arithmetic", site, lane, `a cluster of ${size} lanes in a subgroup of ${m.width}`);
  return m.width;
}

const rotate =
  (way: 1 | -1): PerLane =>
  (m, kind, site, wait, start, end, result, data, d, c) =>
    move(m, kind, site, wait, start, end, result, data, (lane, l) => {
      const size = clusterSize(m, site, l, number(c, l));
      return lane - (lane % size) + ((lane + size + way * (number(d, l) % size)) % size);
    });

const sizeOf = (operands: readonly Operand[]): number => Number(operands[2]);

export const clusteredRoutines: Record<string, PerLane> = {
  clustered_rotate: withSame(1, rotate(1), sizeOf),
  clustered_rotate_up: withSame(1, rotate(-1), sizeOf),
};
for (const op of folds) clusteredRoutines[`clustered_${op}`] = clusteredFold(op);
