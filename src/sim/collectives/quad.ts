/** Routines over quads: four consecutive lanes each. */
import { identityOf, startOf } from "../../ops/folds.js";
import type { Scalar } from "../scalars.js";
import {
  active,
  at,
  foldOf,
  kept,
  number,
  put,
  shuffleBy,
  taken,
  truth,
  uniformIndex,
  withSame,
  type Operand,
  type PerLane,
  type Wait,
} from "./subgroup.js";

/** Calls `visit` for each quad with an active lane. */
function eachQuad(
  wait: Wait,
  start: number,
  end: number,
  visit: (from: number, to: number, first: number) => void,
): void {
  for (let from = start; from < end; from += 4) {
    const to = Math.min(from + 4, end);
    for (let l = from; l < to; l++) {
      if (!active(wait, l)) continue;
      visit(from, to, l);
      break;
    }
  }
}

/** One value per quad, computed from its active lanes. */
const perQuad =
  (compute: (wait: Wait, from: number, to: number, data: Operand | undefined, first: number) => Scalar): PerLane =>
  (_m, kind, _s, wait, start, end, result, data) =>
    eachQuad(wait, start, end, (from, to, first) => {
      const value = kept(kind, compute(wait, from, to, data, first));
      for (let l = from; l < to; l++) if (active(wait, l)) put(result, l, value);
    });

const ballotOf = (wait: Wait, from: number, to: number, p: (lane: number) => boolean): number => {
  let word = 0;
  for (let l = from; l < to; l++) if (active(wait, l) && p(l)) word |= 1 << (l - from);
  return word;
};

const scan =
  (op: string, inclusive: boolean): PerLane =>
  (_m, kind, _s, wait, start, end, result, data) => {
    const fold = foldOf(op, kind);
    eachQuad(wait, start, end, (from, to) => {
      let sum = startOf(op, kind);
      for (let l = from; l < to; l++) {
        if (!active(wait, l)) continue;
        const next = sum === undefined ? kept(kind, at(data, l)) : fold(sum, kept(kind, at(data, l)));
        put(result, l, inclusive ? next : sum === undefined ? identityOf(op, kind) : sum);
        sum = next;
      }
    });
  };

/** A lane of the quad, by its number there. Numbers above 3 are outside: no lane has them. */
const inQuad = (lane: number, k: number): number => (k < 4 ? lane - (lane % 4) + k : -1 - k);

const fill =
  (up: boolean): PerLane =>
  (m, kind, site, wait, start, end, result, data, other, delta, modulo) => {
    for (let l = start; l < end; l++) {
      if (!active(wait, l)) continue;
      const size = number(modulo, l);
      const lane = l - start;
      const p = lane % size;
      const moved = up ? p - number(delta, l) : p + number(delta, l);
      const own = moved >= 0 && moved < size;
      const from = lane - p + (((moved % size) + size) % size);
      put(result, l, taken(m, kind, site, wait, start, end, own ? data : other, from, l));
    }
  };

/** MSL wants one distance in the whole quad. */
const ofQuad = (operand: number, routine: PerLane): PerLane => withSame(operand, routine, () => 4);

export const quadRoutines: Record<string, PerLane> = {
  quad_broadcast: (m, kind, site, wait, start, end, result, data, index) =>
    eachQuad(wait, start, end, (from, to) => {
      const k = uniformIndex(m, site, wait, from, to, index);
      for (let l = from; l < to; l++)
        if (active(wait, l)) put(result, l, taken(m, kind, site, wait, start, end, data, inQuad(l - start, k), l));
    }),
  quad_broadcast_first: perQuad((_wait, _from, _to, data, first) => at(data!, first)),
  quad_elect: (_m, _k, _s, wait, start, end, result) =>
    eachQuad(wait, start, end, (from, to, first) => {
      for (let l = from; l < to; l++) if (active(wait, l)) put(result, l, l === first);
    }),
  quad_ballot: (_m, _k, _s, wait, start, end, result, p) =>
    eachQuad(wait, start, end, (from, to) => {
      const word = ballotOf(wait, from, to, (l) => truth(at(p, l)));
      for (let l = from; l < to; l++) if (active(wait, l)) put(result, l, word);
    }),
  quad_active_mask: perQuad((wait, from, to) => ballotOf(wait, from, to, () => true)),
  quad_all: perQuad((wait, from, to, p) => ballotOf(wait, from, to, (l) => !truth(at(p!, l))) === 0),
  quad_any: perQuad((wait, from, to, p) => ballotOf(wait, from, to, (l) => truth(at(p!, l))) !== 0),
  quad_shuffle: shuffleBy((lane, k) => inQuad(lane, k)),
  quad_shuffle_xor: ofQuad(
    1,
    shuffleBy((lane, k) => (k < 4 ? lane ^ k : -1 - k)),
  ),
  quad_shuffle_up_keep: ofQuad(
    1,
    shuffleBy((lane, k) => (lane % 4 < k ? undefined : lane - k)),
  ),
  quad_shuffle_down_keep: ofQuad(
    1,
    shuffleBy((lane, k) => ((lane % 4) + k >= 4 ? undefined : lane + k)),
  ),
  quad_shuffle_up_fill: ofQuad(2, fill(true)),
  quad_shuffle_down_fill: ofQuad(2, fill(false)),
};
for (const op of ["add", "mul"]) {
  quadRoutines[`quad_inclusive_${op}`] = scan(op, true);
  quadRoutines[`quad_exclusive_${op}`] = scan(op, false);
}
