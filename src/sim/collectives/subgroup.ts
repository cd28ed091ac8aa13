/**
 * Cross-lane routines over the lanes `start` to `end` of a subgroup (or workgroup): columns hold one element per lane of the
 * workgroup; `wait` is null where all lanes are active, else lanes with an entry other than 0 take no part. Folds go in
 * ascending lane order from the identity. See semantics/cross-lane.md section 3.
 */
import { identityOf, startOf } from "../../ops/folds.js";
import { roundFloat, wrapInteger } from "../../types/numeric.js";
import { isFloat, type ScalarKind } from "../../types/types.js";
import type { Machine } from "../machine.js";
import type { Column, Scalar } from "../scalars.js";

export type Wait = Uint8Array | null;
/** A column, or one value for all lanes. */
export type Operand = Column | Scalar;

export const at = (o: Operand, lane: number): Scalar => (typeof o === "object" ? o[lane]! : o);
export const active = (wait: Wait, lane: number): boolean => wait === null || wait[lane] === 0;
export const truth = (x: Scalar): boolean => x !== 0 && x !== false && x !== 0n;
export const kept = (kind: ScalarKind, x: Scalar): Scalar => (kind === "bool" ? truth(x) : x);

export function anyActive(wait: Uint8Array, start: number, end: number): boolean {
  for (let l = start; l < end; l++) if (wait[l] === 0) return true;
  return false;
}

export function firstActive(wait: Uint8Array, start: number, end: number): number {
  for (let l = start; l < end; l++) if (wait[l] === 0) return l;
  return start;
}

export function resume(wait: Uint8Array, start: number, end: number, point: number, park: number): void {
  for (let l = start; l < end; l++) {
    if (wait[l] === point) wait[l] = 0;
    else if (wait[l] === 0) wait[l] = park;
  }
}

export function spread(column: Column, value: Scalar, wait: Wait, start: number, end: number): void {
  const stored = typeof value === "boolean" ? Number(value) : value;
  for (let l = start; l < end; l++) if (active(wait, l)) (column as { [i: number]: Scalar })[l] = stored;
}

export function put(column: Column, lane: number, value: Scalar): void {
  (column as { [i: number]: Scalar })[lane] = typeof value === "boolean" ? Number(value) : value;
}

// ------------------------------------------------------------------ folds

export type Fold = (a: Scalar, b: Scalar) => Scalar;

export function foldOf(op: string, kind: ScalarKind): Fold {
  if (kind === "bool") {
    switch (op) {
      case "and":
      case "min":
        return (a, b) => truth(a) && truth(b);
      case "or":
      case "max":
        return (a, b) => truth(a) || truth(b);
      default:
        return (a, b) => truth(a) !== truth(b);
    }
  }
  switch (op) {
    case "min":
      return (a, b) => (b < a ? b : a);
    case "max":
      return (a, b) => (a < b ? b : a);
    case "add":
    case "mul": {
      const add = op === "add";
      if (isFloat(kind))
        return (a, b) => roundFloat(kind, add ? (a as number) + (b as number) : (a as number) * (b as number));
      if (kind === "i64" || kind === "u64")
        return (a, b) => wrapInteger(kind, add ? (a as bigint) + (b as bigint) : (a as bigint) * (b as bigint));
      if (add) return (a, b) => wrapInteger(kind, (a as number) + (b as number));
      return (a, b) => wrapInteger(kind, Math.imul(a as number, b as number));
    }
    case "and":
      if (kind === "i64" || kind === "u64") return (a, b) => (a as bigint) & (b as bigint);
      return (a, b) => wrapInteger(kind, (a as number) & (b as number));
    case "or":
      if (kind === "i64" || kind === "u64") return (a, b) => (a as bigint) | (b as bigint);
      return (a, b) => wrapInteger(kind, (a as number) | (b as number));
    case "xor":
      if (kind === "i64" || kind === "u64") return (a, b) => (a as bigint) ^ (b as bigint);
      return (a, b) => wrapInteger(kind, (a as number) ^ (b as number));
    default:
      throw new Error(`no fold ${op}`);
  }
}

export type Uniform = (
  m: Machine,
  kind: ScalarKind,
  site: number,
  wait: Wait,
  start: number,
  end: number,
  ...operands: Operand[]
) => Scalar;
export type PerLane = (
  m: Machine,
  kind: ScalarKind,
  site: number,
  wait: Wait,
  start: number,
  end: number,
  result: Column,
  ...operands: Operand[]
) => void;

const reduce =
  (op: string): Uniform =>
  (_m, kind, _site, wait, start, end, data) => {
    const fold = foldOf(op, kind);
    let sum = startOf(op, kind);
    for (let l = start; l < end; l++) {
      if (!active(wait, l)) continue;
      const x = kept(kind, at(data, l));
      sum = sum === undefined ? x : fold(sum, x);
    }
    return sum ?? identityOf(op, kind);
  };

const inclusive =
  (op: string): PerLane =>
  (_m, kind, _site, wait, start, end, result, data) => {
    const fold = foldOf(op, kind);
    let sum = startOf(op, kind);
    for (let l = start; l < end; l++) {
      if (!active(wait, l)) continue;
      const x = kept(kind, at(data, l));
      sum = sum === undefined ? x : fold(sum, x);
      put(result, l, sum);
    }
  };

const exclusive =
  (op: string): PerLane =>
  (_m, kind, _site, wait, start, end, result, data) => {
    const fold = foldOf(op, kind);
    let sum = startOf(op, kind);
    for (let l = start; l < end; l++) {
      if (!active(wait, l)) continue;
      const x = kept(kind, at(data, l));
      put(result, l, sum === undefined ? identityOf(op, kind) : sum);
      sum = sum === undefined ? x : fold(sum, x);
    }
  };

// ------------------------------------------------------------------ moves

/** A lane reads the element of another: `source` gives its number in the subgroup, or undefined to keep its own. */
export function move(
  m: Machine,
  kind: ScalarKind,
  site: number,
  wait: Wait,
  start: number,
  end: number,
  result: Column,
  data: Operand,
  source: (lane: number, l: number) => number | undefined,
): void {
  for (let l = start; l < end; l++) {
    if (!active(wait, l)) continue;
    const from = source(l - start, l);
    put(result, l, from === undefined ? at(data, l) : taken(m, kind, site, wait, start, end, data, from, l));
  }
}

export function taken(
  m: Machine,
  kind: ScalarKind,
  site: number,
  wait: Wait,
  start: number,
  end: number,
  data: Operand,
  from: number,
  lane: number,
): Scalar {
  const l = start + from;
  if (from >= 0 && l < end && active(wait, l)) return at(data, l);
  const why =
    end - start > m.width
      ? `lane ${from} of the workgroup ${l < end ? "is inactive" : "does not exist"}`
      : from < 0 || from >= m.width
        ? `lane ${from} is outside the subgroup`
        : l >= end
          ? `lane ${from} does not exist in this partial subgroup`
          : `lane ${from} is inactive`;
  m.memory.find("inactive-lane", site, lane, `the result depends on the value of another lane, but ${why}`);
  return m.memory.laneFillOf(kind, site);
}

export const number = (o: Operand, l: number): number => Number(at(o, l));

export const shuffleBy =
  (source: (lane: number, k: number, width: number) => number | undefined): PerLane =>
  (m, kind, site, wait, start, end, result, data, k) =>
    move(m, kind, site, wait, start, end, result, data, (lane, l) => source(lane, number(k, l), m.width));

const fillBy =
  (up: boolean): PerLane =>
  (m, kind, site, wait, start, end, result, data, fill, delta, modulo) => {
    for (let l = start; l < end; l++) {
      if (!active(wait, l)) continue;
      const given = modulo === undefined ? 0 : number(modulo, l);
      const size = given === 0 ? m.width : given;
      const lane = l - start;
      const base = lane - (lane % size);
      const p = lane % size;
      const d = number(delta, l);
      const from = base + ((((up ? p - d : p + d) % size) + size) % size);
      const own = up ? p >= d : p + d < size;
      put(result, l, taken(m, kind, site, wait, start, end, own ? data : fill, from, l));
    }
  };

export const uniformIndex = (
  m: Machine,
  site: number,
  wait: Wait,
  start: number,
  end: number,
  index: Operand,
  what = "the lane to read from",
): number => {
  let found: number | undefined;
  for (let l = start; l < end; l++) {
    if (!active(wait, l)) continue;
    const x = number(index, l);
    if (found === undefined) found = x;
    else if (found !== x) {
      m.memory.find(
        "non-uniform-argument",
        site,
        l,
        `${what} must be the same in all lanes, but is ${found} in one and ${x} in another`,
      );
      break;
    }
  }
  return found ?? 0;
};

/** A routine of which an operand must be the same in all lanes, or in those of each cluster. */
export const withSame =
  (operand: number, routine: PerLane, cluster?: (operands: readonly Operand[]) => number): PerLane =>
  (m, kind, site, wait, start, end, result, ...operands) => {
    const step = cluster?.(operands) ?? end - start;
    for (let from = start; from < end && typeof operands[operand] === "object"; from += step)
      uniformIndex(m, site, wait, from, Math.min(from + step, end), operands[operand], "the distance");
    routine(m, kind, site, wait, start, end, result, ...operands);
  };

/** As `shuffleBy`, with one distance for all lanes. */
const evenly = (source: Parameters<typeof shuffleBy>[0]): PerLane => withSame(1, shuffleBy(source));

/** Ballot words into `m.words`. */
export function ballot(m: Machine, wait: Wait, start: number, end: number, predicate: Operand): void {
  m.words.fill(0);
  for (let l = start; l < end; l++) {
    if (active(wait, l) && truth(at(predicate, l))) m.words[(l - start) >> 5]! |= 1 << ((l - start) & 31);
  }
}

const lowWords = (m: Machine): bigint => BigInt(m.words[0]!) | (BigInt(m.words[1]!) << 32n);

const allEqual: Uniform = (_m, kind, _site, wait, start, end, data) => {
  let first: Scalar | undefined;
  for (let l = start; l < end; l++) {
    if (!active(wait, l)) continue;
    const x = kept(kind, at(data, l));
    // A NaN is not equal to itself.
    if (x !== x) return false;
    if (first === undefined) first = x;
    else if (first !== x) return false;
  }
  return true;
};

export const folds = ["add", "mul", "min", "max", "and", "or", "xor"] as const;

export const uniformRoutines: Record<string, Uniform> = {
  all: (_m, _k, _s, wait, start, end, p) => {
    for (let l = start; l < end; l++) if (active(wait, l) && !truth(at(p, l))) return false;
    return true;
  },
  any: (_m, _k, _s, wait, start, end, p) => {
    for (let l = start; l < end; l++) if (active(wait, l) && truth(at(p, l))) return true;
    return false;
  },
  all_equal: allEqual,
  all_equal_componentwise: allEqual,
  ballot: (m, _k, _s, wait, start, end, p) => {
    ballot(m, wait, start, end, p);
    return 0;
  },
  vote: (m, _k, _s, wait, start, end, p) => {
    ballot(m, wait, start, end, p);
    return lowWords(m);
  },
  active_mask: (m, _k, _s, wait, start, end) => {
    ballot(m, wait, start, end, true);
    return lowWords(m);
  },
  count_true: (_m, _k, _s, wait, start, end, p) => {
    let n = 0;
    for (let l = start; l < end; l++) if (active(wait, l) && truth(at(p, l))) n++;
    return n;
  },
  broadcast: (m, kind, site, wait, start, end, data, index) => {
    const from = uniformIndex(m, site, wait, start, end, index);
    return kept(kind, taken(m, kind, site, wait, start, end, data, from, start));
  },
  broadcast_first: (_m, kind, _s, wait, start, end, data) => {
    for (let l = start; l < end; l++) if (active(wait, l)) return kept(kind, at(data, l));
    return kept(kind, at(data, start));
  },
};

export const perLaneRoutines: Record<string, PerLane> = {
  elect: (_m, _k, _s, wait, start, end, result) => {
    let first = true;
    for (let l = start; l < end; l++) {
      if (!active(wait, l)) continue;
      put(result, l, first);
      first = false;
    }
  },
  inverse_ballot: (m, _k, site, wait, start, end, result, ...mask) => {
    const words = mask.map((word) => uniformIndex(m, site, wait, start, end, word, "the mask"));
    for (let l = start; l < end; l++)
      if (active(wait, l)) put(result, l, ((words[(l - start) >> 5]! >>> ((l - start) & 31)) & 1) === 1);
  },
  prefix_count_true: (_m, _k, _s, wait, start, end, result, p) => {
    let n = 0;
    for (let l = start; l < end; l++) {
      if (!active(wait, l)) continue;
      put(result, l, n);
      if (truth(at(p, l))) n++;
    }
  },
  shuffle: shuffleBy((_lane, k) => k),
  shuffle_xor: shuffleBy((lane, k) => (lane ^ k) >>> 0),
  shuffle_up: shuffleBy((lane, k) => lane - k),
  shuffle_down: shuffleBy((lane, k) => lane + k),
  shuffle_up_keep: shuffleBy((lane, k) => (lane < k ? undefined : lane - k)),
  shuffle_down_keep: shuffleBy((lane, k, width) => (lane + k >= width ? undefined : lane + k)),
  shuffle_up_fill: withSame(2, fillBy(true)),
  shuffle_down_fill: withSame(2, fillBy(false)),
  shuffle_up_fill_all: withSame(2, fillBy(true)),
  shuffle_down_fill_all: withSame(2, fillBy(false)),
  rotate: evenly((lane, k, width) => (lane + (k % width)) % width),
  rotate_up: evenly((lane, k, width) => (lane + width - (k % width)) % width),
};
for (const op of folds) {
  uniformRoutines[op] = reduce(op);
  perLaneRoutines[`inclusive_${op}`] = inclusive(op);
  perLaneRoutines[`exclusive_${op}`] = exclusive(op);
}
