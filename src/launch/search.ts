/**
 * What to change of a launch so that a condition goes the other way, or the source stays in bounds. Told from what was compared and
 * where accesses lay; nothing is left to chance, so that the same launches are found everywhere.
 */
import { isFloat } from "../types/types.js";
import { scalarBytes } from "./scalars.js";
import type { Triple } from "./triple.js";
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
const mostInvocations = 2 ** 15;
/** Choices that one condition is tried with. */
const mostTried = 96;
/** And so many of what seldom does it. */
const mostSeldom = 32;

/** Other choices under which the condition may go the other way, the likeliest first. */
export interface Flips {
  readonly likely: readonly Choice[];
  /** For when what is likely leads no further anywhere: these are many, and few of them do anything. */
  readonly seldom: readonly Choice[];
}

export function toFlip(from: Candidate, deriver: Deriver, wanted: Wanted): Flips {
  const { left, right, values, label } = wanted;
  const known = Number.isFinite(left) && Number.isFinite(right);
  const targets =
    label !== undefined ? [label] : known ? [...new Set([right, right + 1, right - 1, left, left + 1, left - 1])] : [];
  const places = deriver.scalars.flatMap((s, i) => (values.length === 0 || values.includes(s.path) ? [i] : []));
  // Made when they are looked at: each has the other numbers by value with it, which may be thousands.
  const withValues = (place: number, numbers: readonly number[]): Made[] =>
    numbers
      .filter((v) => v !== from.values[place] && Number.isFinite(v))
      .map((v) => () => changed(from, new Map([[place, v]])));
  // An argument that is what was compared becomes the other operand, or what is next to it.
  const equal = places.filter((place) => from.values[place] === left || from.values[place] === right);
  const direct = equal.slice(0, mostTried).flatMap((place) => {
    const is = from.values[place]!;
    if (label !== undefined) return [];
    if (is === left) return withValues(place, [right, right + 1, right - 1]);
    return is === right ? withValues(place, [left, left + 1, left - 1]) : [];
  });
  const numbers = (place: number): number[] => {
    const { scalar } = deriver.scalars[place]!;
    const is = from.values[place]!;
    if (scalar === "bool") return [1 - is];
    if (isFloat(scalar)) return [...targets, 0, -1, 0.5, ...deriver.numbers().floats];
    // What the argument is multiplied or divided by on the way is not known: both are tried.
    const moved = known ? [is + right - left, is + left - right, is + right - left + 1].filter((v) => v >= 0) : [];
    // Bits that the text takes of something: of this number, maybe.
    const bits = deriver.numbers().bits.map((b) => withBits(is, b));
    return [
      ...[...targets, ...moved, 0, 1, 2],
      ...bits,
      ...[3, 4, 8, 16, 32, is * 2, Math.floor(is / 2), 64, 128, 256],
    ];
  };
  const byValue =
    values.length === 0 ? [] : inTurn(places.slice(0, 2 * mostTried).map((place) => withValues(place, numbers(place))));
  const byData = ofData(from, deriver, targets).map(
    (choice): Made =>
      () =>
        choice,
  );
  // What is known to hang on arguments by value may hang on data as well: where those lie in it, or what is added to it.
  return {
    likely: firstDistinct([...direct, ...inTurn([byValue, byData])], mostTried),
    seldom: distinct(ofDataSeldom(from, deriver, targets), mostSeldom),
  };
}

type Made = () => Choice;

/** Set where they are not, else cleared. */
function withBits(value: number, bits: number): number {
  const [v, b] = [BigInt(Math.trunc(value)), BigInt(bits)];
  return Number((v & b) === b ? v & ~b : v | b);
}

/** The first of each list, then the second of each, and so on. */
function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map((l) => l.length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((l) => (i < l.length ? [l[i]!] : []))).flat();
}

/** What buffers hold, the number of workgroups or their size decides. */
function ofData(from: Candidate, deriver: Deriver, targets: readonly number[]): Choice[] {
  const { choice, launch } = from;
  const most = Math.max(...targets.filter((t) => Number.isInteger(t) && t <= 2 ** 16), 0);
  const others = (["text", "fractions", "random", "edges", "small"] as const).filter((data) => data !== choice.data);
  const fills = eachBuffer(from, deriver, targets, (path, v) => ({
    filled: new Map([...(choice.filled ?? []), [path, v]]),
  }));
  return [
    ...groupsFor(launch.workgroupSize, choice.groups, most).map((groups): Choice => ({ ...choice, groups })),
    ...inTurn([others.map((data): Choice => ({ ...choice, data })), fills]),
    // Other data of the same kind.
    { ...choice, seed: 2 * from.seed },
    { ...same(from), alike: true },
    ...sizesFor(from, deriver),
  ];
}

const buffersOf = (deriver: Deriver): string[] =>
  deriver.shape.arguments.flatMap((a) => (a.kind === "buffer" ? [a.path] : []));

const eachBuffer = (
  from: Candidate,
  deriver: Deriver,
  targets: readonly number[],
  of: (path: string, v: number) => Partial<Choice>,
): Choice[] =>
  buffersOf(deriver).flatMap((path) => targets.slice(0, 4).map((v): Choice => ({ ...same(from), ...of(path, v) })));

function ofDataSeldom(from: Candidate, deriver: Deriver, targets: readonly number[]): Choice[] {
  const { choice } = from;
  return inTurn([
    // Where the others lead to the condition, some alone are to be the number.
    eachBuffer(from, deriver, targets, (path, v) => ({ some: new Map([...(choice.some ?? []), [path, v]]) })),
    shorter(from, deriver, targets),
    // Floats of any kind, where integers lead elsewhere.
    (["random", "edges"] as const).map((data): Choice => ({ ...same(from), data, below: choice.below ?? 4 })),
  ]);
}

/** Buffers of which the length was compared, shorter than they are. */
function shorter(from: Candidate, deriver: Deriver, targets: readonly number[]): Choice[] {
  return buffersOf(deriver).flatMap((path) => {
    const count = deriver.elementsOf(from, path)?.count ?? 0;
    if (count < 2 || !targets.includes(count)) return [];
    return [Math.ceil(count / 2), count - 1].map((n): Choice => ({
      ...same(from),
      lengths: new Map([...(from.choice.lengths ?? []), [path, n]]),
    }));
  });
}

/** Workgroups of which some invocation, or some workgroup, has the number. */
function groupsFor([x, y, z]: Triple, groups: Triple, most: number): Triple[] {
  const enough = Math.min(mostGroups, Math.ceil((most + 1) / x));
  const made: Triple[] = enough > groups[0] ? [[enough, groups[1], groups[2]]] : [];
  if (groups.every((g) => g === 1)) made.push([3, 1, 1], [2, 2, 2]);
  if (most < mostGroups)
    for (const d of [0, 1, 2])
      if (most + 1 > groups[d]!) made.push([0, 1, 2].map((i) => (i === d ? most + 1 : groups[i]!)) as [...Triple]);
  return made.filter(([a, b, c]) => a * b * c * x * y * z <= mostInvocations);
}

/** The launch with workgroups of other sizes, where they are open. */
const sizesFor = ({ choice }: Candidate, deriver: Deriver): Choice[] =>
  choice.workgroupSize ? [] : deriver.otherSizes().map((workgroupSize) => ({ ...choice, workgroupSize }));

/** Other choices on which the source may have no finding: longer buffers for what lay beyond their end, or smaller numbers. */
export function toMend(from: Candidate, deriver: Deriver, beyond: ReadonlyMap<string, number>): Choice[] {
  const { values } = from;
  const choice = same(from);
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
  const all = (of: (v: number) => number): Choice => changed(from, new Map(counts.map((i) => [i, of(values[i]!)])));
  // Bytes and rows as numbers of 64 bits are strides and offsets as often as not.
  const wide = new Set(counts.filter((i) => scalarBytes(deriver.scalars[i]!.scalar) === 8));
  const strides = (of: (v: number) => number): Choice =>
    changed(from, new Map(counts.map((i) => [i, wide.has(i) ? 0 : of(values[i]!)])));
  return distinct([
    ...(grown ? [{ ...choice, lengths }] : []),
    ...(wide.size > 0 ? [strides((v) => v), strides(() => 1), strides(() => 4)] : []),
    ...(counts.length > 0 ? [all(() => 1), all(() => 0)] : []),
    // Integers in buffers are indices as often as not.
    ...(choice.below === undefined ? [2, 1].map((below): Choice => ({ ...choice, data: "small", below })) : []),
    ...(counts.some((i) => values[i]! > 4) ? [all((v) => (v > 4 ? Math.ceil(v / 4) : v))] : []),
    ...(counts.some((i) => values[i]! < 32)
      ? [all((v) => (v === 0 ? 1 : v)), all((v) => Math.max(v, 32)), all(() => 64), all(() => 256)]
      : []),
    ...(choice.groups.some((g) => g > 1) ? [{ ...choice, groups: [1, 1, 1] as const }] : []),
    ...sizesFor(from, deriver),
    ...(beyond.size > 0 ? [] : [{ ...choice, data: "fractions" as const }, halves(from, deriver)]),
  ]);
}

/** Weights and angles have to lie between bounds that no random number knows: what is one half lies in most. */
function halves(from: Candidate, { shape, scalars }: Deriver): Choice {
  const buffers = shape.arguments.flatMap((a): [string, number][] => (a.kind === "buffer" ? [[a.path, 0.5]] : []));
  const floats = scalars.flatMap(({ scalar }, i): [number, number][] => (isFloat(scalar) ? [[i, 0.5]] : []));
  return { ...changed(from, new Map(floats)), filled: new Map(buffers) };
}

/** With the same data: nothing but what is meant changes. */
const same = ({ choice, seed }: Candidate): Choice => ({ ...choice, seed });

const changed = (from: Candidate, more: ReadonlyMap<number, number>): Choice => ({
  ...same(from),
  instead: new Map([...(from.choice.instead ?? []), ...more]),
});

/** What both of two changes to a choice make of it; where they differ, as the second has it. */
export function together(from: Choice, one: Choice, other: Choice): Choice {
  const changes = Object.entries(other).filter(([key, value]) => from[key as keyof Choice] !== value);
  const merged = changes.map(([key, value]: [string, unknown]) => {
    const before = one[key as keyof Choice];
    return [key, before instanceof Map && value instanceof Map ? new Map([...before, ...value]) : value];
  });
  return { ...one, ...(Object.fromEntries(merged) as Partial<Choice>) };
}

/** Of longer ones their hash is kept: thousands of launches are looked at, of thousands of numbers each. */
const longestKey = 1024;

/** Two numbers of 32 bits (FNV-1a with two bases). */
function hashed(text: string): string {
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 0x01000193);
    b = Math.imul(b ^ c, 0x01000193) ^ (b >>> 15);
  }
  return `${text.length}:${a >>> 0}:${b >>> 0}`;
}

/** The same for choices that make the same launch. */
export function keyOf({
  groups,
  count,
  elements,
  data,
  instead,
  lengths,
  filled,
  some,
  below,
  workgroupSize,
  seed,
  alike,
}: Choice): string {
  const sorted = (m: ReadonlyMap<string | number, number> | undefined): string => {
    const text = [...(m ?? [])]
      .map(([k, v]) => `${k}=${v}`)
      .sort()
      .join();
    return text.length > longestKey ? hashed(text) : text;
  };
  const size = workgroupSize?.join("x");
  return [
    groups.join("x"),
    size,
    count,
    elements,
    data,
    seed,
    alike,
    below,
    sorted(instead),
    sorted(lengths),
    sorted(filled),
    sorted(some),
  ].join("|");
}

/** The first of them that differ. */
const distinct = (list: readonly Choice[], most = Infinity): Choice[] =>
  firstDistinct(
    list.map((choice) => () => choice),
    most,
  );

/** The first that differ of those that are made in turn: a key takes long where thousands of numbers go by value. */
function firstDistinct(list: readonly Made[], most: number): Choice[] {
  const found = new Map<string, Choice>();
  for (const make of list) {
    if (found.size >= most) break;
    const choice = make();
    found.set(keyOf(choice), choice);
  }
  return [...found.values()];
}
