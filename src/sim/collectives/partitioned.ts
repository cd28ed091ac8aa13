/** Routines over classes of lanes: match finds them by equal bits, partitioned ones get them as masks of four words. */
import { identityOf, startOf } from "../../ops/folds.js";
import type { ScalarKind } from "../../types/types.js";
import type { Machine } from "../machine.js";
import type { Column, Scalar } from "../scalars.js";
import {
  active,
  at,
  foldOf,
  folds,
  kept,
  number,
  put,
  truth,
  type Operand,
  type PerLane,
  type Wait,
} from "./subgroup.js";

/** The lanes of a mask of four words, as lanes of the workgroup. */
function lanesOf(mask: readonly Operand[], lane: number, start: number, end: number): number[] {
  const lanes: number[] = [];
  for (let l = start; l < end; l++)
    if (((number(mask[(l - start) >> 5]!, lane) >>> ((l - start) & 31)) & 1) === 1) lanes.push(l);
  return lanes;
}

/** What is wrong with the mask of a lane, as a partition of the active lanes. */
function notAPartition(
  wait: Wait,
  start: number,
  l: number,
  mask: readonly Operand[],
  lanes: readonly number[],
): string | undefined {
  if (!lanes.includes(l)) return "the mask of this lane does not have the lane itself";
  for (const o of lanes) {
    if (!active(wait, o)) return `lane ${o - start} of the mask is inactive`;
    if (mask.some((word) => number(word, o) !== number(word, l)))
      return `lane ${o - start} of the mask has another mask`;
  }
  return undefined;
}

/** A result per lane from the lanes of its class. */
function inClasses(
  m: Machine,
  site: number,
  wait: Wait,
  start: number,
  end: number,
  result: Column,
  mask: readonly Operand[],
  kind: ScalarKind,
  value: (lane: number, lanes: readonly number[]) => Scalar,
): void {
  for (let l = start; l < end; l++) {
    if (!active(wait, l)) continue;
    const lanes = lanesOf(mask, l, start, end);
    const wrong = notAPartition(wait, start, l, mask, lanes);
    if (wrong !== undefined)
      m.memory.find("invalid-partition", site, l, `the masks are no partition of the active lanes: ${wrong}`);
    put(result, l, wrong === undefined ? value(l, lanes) : m.memory.laneFillOf(kind, site));
  }
}

const partitioned =
  (op: string, form: "reduce" | "inclusive" | "exclusive"): PerLane =>
  (m, kind, site, wait, start, end, result, data, ...mask) => {
    const fold = foldOf(op, kind);
    inClasses(m, site, wait, start, end, result, mask, kind, (l, lanes) => {
      const taken = form === "reduce" ? lanes : lanes.filter((o) => (form === "inclusive" ? o <= l : o < l));
      if (taken.length === 0) return identityOf(op, kind);
      const first = startOf(op, kind);
      const values = taken.map((o) => kept(kind, at(data, o)));
      return first === undefined ? values.reduce(fold) : values.reduce(fold, first);
    });
  };

export const partitionedRoutines: Record<string, PerLane> = {
  // Of integers: floats come as their bits.
  match_any: (_m, _k, _s, wait, start, end, result, data, word) => {
    const classes = new Map<Scalar, number>();
    const from = start + 32 * number(word, start);
    for (let l = from; l < Math.min(from + 32, end); l++) {
      if (active(wait, l)) classes.set(at(data, l), (classes.get(at(data, l)) ?? 0) | (1 << (l - from)));
    }
    for (let l = start; l < end; l++) if (active(wait, l)) put(result, l, (classes.get(at(data, l)) ?? 0) >>> 0);
  },
  partitioned_prefix_count_true: (m, _k, site, wait, start, end, result, p, ...mask) =>
    inClasses(
      m,
      site,
      wait,
      start,
      end,
      result,
      mask,
      "u32",
      (l, lanes) => lanes.filter((o) => o < l && truth(at(p, o))).length,
    ),
};
for (const op of folds) {
  partitionedRoutines[`partitioned_${op}`] = partitioned(op, "reduce");
  partitionedRoutines[`partitioned_inclusive_${op}`] = partitioned(op, "inclusive");
  partitionedRoutines[`partitioned_exclusive_${op}`] = partitioned(op, "exclusive");
}
