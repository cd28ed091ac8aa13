/**
 * What to change of a launch so that a condition goes the other way, or the source stays in bounds. Told from what was compared and
 * where accesses lay; nothing is left to chance, so that the same launches are found everywhere.
 */
import { append } from "../support/append.js";
import { isFloat } from "../types/types.js";
import { scalarBytes } from "./scalars.js";
import type { Candidate, Choice, Deriver } from "./derive.js";

/** A condition that went one way only: what it compared, and the arguments by value it is made of, as far as they are known. */
export interface Wanted {
  readonly left: number;
  readonly right: number;
  readonly values: readonly string[];
  /** Of a case that is wanted: its number. */
  readonly label?: number;
}

/** A buffer of more bytes makes launches that take too long to fill. */
const mostBytes = 2 ** 22;
const mostLocalBytes = 2 ** 15;
/** Workgroups in one direction. */
const mostGroups = 64;
/** Numbers that one condition is tried with. */
const mostTried = 40;

/** Other choices under which the condition may go the other way, the likeliest first. */
export function toFlip(from: Candidate, deriver: Deriver, wanted: Wanted): Choice[] {
  const { left, right, values, label } = wanted;
  const known = Number.isFinite(left) && Number.isFinite(right);
  const targets =
    label !== undefined ? [label] : known ? [...new Set([right, right + 1, right - 1, left, left + 1, left - 1])] : [];
  const made: Choice[] = [];
  const places = deriver.scalars.flatMap((s, i) => (values.length === 0 || values.includes(s.path) ? [i] : []));
  const withValue = (place: number, value: number): void => {
    if (value !== from.values[place] && Number.isFinite(value))
      made.push(changed(from.choice, new Map([[place, value]])));
  };
  // An argument that is what was compared becomes the other operand, or what is next to it.
  for (const place of places) {
    const is = from.values[place]!;
    if (label === undefined && is === left) for (const v of [right, right + 1, right - 1]) withValue(place, v);
    if (label === undefined && is === right) for (const v of [left, left + 1, left - 1]) withValue(place, v);
  }
  if (values.length > 0)
    for (const place of places) {
      const { scalar } = deriver.scalars[place]!;
      const is = from.values[place]!;
      if (scalar === "bool") {
        withValue(place, 1 - is);
        continue;
      }
      for (const v of targets) withValue(place, v);
      if (isFloat(scalar)) {
        for (const v of [0, -1, 0.5]) withValue(place, v);
        continue;
      }
      // What the argument is multiplied or divided by on the way is not known: both are tried.
      if (known)
        for (const v of [is + right - left, is + left - right, is + right - left + 1]) if (v >= 0) withValue(place, v);
      for (const v of [0, 1, 2, 3, 4, 8, 16, 32, is * 2, Math.floor(is / 2), 64, 128, 256]) withValue(place, v);
    }
  append(made, ofData(from, deriver, wanted, targets));
  return distinct(made).slice(0, mostTried);
}

/** What a buffer or the number of workgroups decides. */
function ofData(from: Candidate, deriver: Deriver, { values }: Wanted, targets: readonly number[]): Choice[] {
  const made: Choice[] = [];
  const { choice, launch } = from;
  const most = Math.max(...targets.filter((t) => t <= 2 ** 16), 0);
  const [x] = launch.workgroupSize;
  const groups = Math.min(mostGroups, Math.ceil((most + 1) / x));
  if (groups > choice.groups[0]) made.push({ ...choice, groups: [groups, choice.groups[1], choice.groups[2]] });
  if (choice.groups.every((g) => g === 1))
    made.push({ ...choice, groups: [3, 1, 1] }, { ...choice, groups: [2, 2, 2] });
  if (values.length === 0)
    for (const a of deriver.shape.arguments)
      if (a.kind === "buffer")
        for (const v of targets.slice(0, 4))
          made.push({ ...choice, filled: new Map([...(choice.filled ?? []), [a.path, v]]) });
  for (const data of ["random", "edges", "small"] as const) if (data !== choice.data) made.push({ ...choice, data });
  return made;
}

/** Other choices on which the source may have no finding: longer buffers for what lay beyond their end, or smaller numbers. */
export function toMend(from: Candidate, deriver: Deriver, beyond: ReadonlyMap<string, number>): Choice[] {
  const { choice, values } = from;
  const lengths = new Map(choice.lengths);
  for (const [path, end] of beyond) {
    const has = deriver.elementsOf(from, path);
    // Somewhat more, since the first access beyond the end need not be the farthest.
    const local = deriver.shape.arguments.some((a) => a.path === path && a.kind === "workgroup");
    const most = local ? mostLocalBytes : mostBytes;
    if (has && end > 0 && end <= most)
      lengths.set(path, Math.max(Math.ceil(Math.min(1.25 * end, most) / has.stride), has.count));
  }
  const grown = [...lengths].some(([path, n]) => n > (deriver.elementsOf(from, path)?.count ?? n));
  const counts = deriver.scalars.flatMap(({ scalar }, i) => (isFloat(scalar) || scalar === "bool" ? [] : [i]));
  const all = (of: (v: number) => number): Choice => changed(choice, new Map(counts.map((i) => [i, of(values[i]!)])));
  // Bytes and rows as numbers of 64 bits are strides and offsets as often as not.
  const wide = new Set(counts.filter((i) => scalarBytes(deriver.scalars[i]!.scalar) === 8));
  const strides = (of: (v: number) => number): Choice =>
    changed(choice, new Map(counts.map((i) => [i, wide.has(i) ? 0 : of(values[i]!)])));
  return distinct([
    ...(grown ? [{ ...choice, lengths }] : []),
    ...(wide.size > 0 ? [strides((v) => v), strides(() => 1), strides(() => 4)] : []),
    ...(counts.length > 0 ? [all(() => 1), all(() => 0)] : []),
    ...(choice.below === undefined && choice.data === "small" ? [{ ...choice, below: 2 }] : []),
    ...(counts.some((i) => values[i]! > 4) ? [all((v) => (v > 4 ? Math.ceil(v / 4) : v))] : []),
    ...(counts.some((i) => values[i]! < 32)
      ? [all((v) => (v === 0 ? 1 : v)), all((v) => Math.max(v, 32)), all(() => 64), all(() => 256)]
      : []),
    ...(choice.groups.some((g) => g > 1) ? [{ ...choice, groups: [1, 1, 1] as const }] : []),
    halves(choice, deriver),
  ]);
}

/** Weights and angles have to lie between bounds that no random number knows: what is one half lies in most. */
function halves(choice: Choice, { shape, scalars }: Deriver): Choice {
  const buffers = shape.arguments.flatMap((a): [string, number][] => (a.kind === "buffer" ? [[a.path, 0.5]] : []));
  const floats = scalars.flatMap(({ scalar }, i): [number, number][] => (isFloat(scalar) ? [[i, 0.5]] : []));
  return changed({ ...choice, filled: new Map(buffers) }, new Map(floats));
}

const changed = (choice: Choice, more: ReadonlyMap<number, number>): Choice => ({
  ...choice,
  instead: new Map([...(choice.instead ?? []), ...more]),
});

/** The same for choices that make the same launch. */
export function keyOf({
  groups,
  count,
  elements,
  data,
  instead,
  lengths,
  filled,
  below,
  workgroupSize,
}: Choice): string {
  const sorted = (m: ReadonlyMap<string | number, number> | undefined): string =>
    [...(m ?? [])]
      .map(([k, v]) => `${k}=${v}`)
      .sort()
      .join();
  const size = workgroupSize?.join("x");
  return [groups.join("x"), size, count, elements, data, below, sorted(instead), sorted(lengths), sorted(filled)].join(
    "|",
  );
}

const distinct = (list: readonly Choice[]): Choice[] => [...new Map(list.map((c) => [keyOf(c), c])).values()];
