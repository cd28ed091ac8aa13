/** Whether two runs left the same in a buffer, and where they first differ. */
import { isFloat, type ScalarKind } from "../types/types.js";
import type { BoundBuffer } from "../launch/bind.js";
import type { Tolerance } from "../launch/launch-file.js";
import { readBits, readScalar, scalarBytes, showScalar } from "../launch/scalars.js";

export interface Difference {
  /** Counts scalars of the launch's element type. */
  readonly index: number;
  readonly byteOffset: number;
  readonly expected: { readonly value: string; readonly hex: string };
  readonly actual: { readonly value: string; readonly hex: string };
  readonly type: ScalarKind;
  /** How many scalars differ in all. */
  readonly count: number;
  /** In a multiset the element has no partner in the other; `index` is its place in `actual` or `expected`. */
  readonly unmatchedIn?: "expected" | "actual";
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export function compareBuffers(
  expected: Uint8Array,
  actual: Uint8Array,
  how: Pick<BoundBuffer, "type" | "tolerance" | "compare">,
): Difference | undefined {
  if (expected.length !== actual.length)
    throw new Error(`buffers of ${expected.length} and ${actual.length} bytes are compared`);
  return how.compare === "multiset"
    ? compareMultisets(expected, actual, how.type)
    : compareInOrder(expected, actual, how);
}

function compareInOrder(
  expected: Uint8Array,
  actual: Uint8Array,
  { type, tolerance }: Pick<BoundBuffer, "type" | "tolerance">,
): Difference | undefined {
  if (areSame(expected, actual)) return undefined;
  const size = scalarBytes(type.scalar);
  const a = viewOf(expected);
  const b = viewOf(actual);
  let first = -1;
  let count = 0;
  for (let at = 0; at + size <= expected.length; at += size) {
    if (sameBytes(expected, actual, at, size) || close(a, b, at, type.scalar, tolerance)) continue;
    if (first < 0) first = at;
    count++;
  }
  if (first < 0) return undefined;
  return {
    index: first / size,
    byteOffset: first,
    expected: showScalar(a, first, type.scalar),
    actual: showScalar(b, first, type.scalar),
    type: type.scalar,
    count,
  };
}

/** What nearly all are; by words, since this is done more often than anything else here. */
function areSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length || a.byteOffset % 4 !== 0 || b.byteOffset % 4 !== 0) return false;
  const words = a.length >> 2;
  const x = new Int32Array(a.buffer, a.byteOffset, words);
  const y = new Int32Array(b.buffer, b.byteOffset, words);
  for (let i = 0; i < words; i++) if (x[i] !== y[i]) return false;
  return sameBytes(a, b, 4 * words, a.length - 4 * words);
}

function sameBytes(a: Uint8Array, b: Uint8Array, at: number, size: number): boolean {
  for (let i = at; i < at + size; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Two NaN are the same value whatever their bits. Infinities and NaN are close to nothing else. */
function close(a: DataView, b: DataView, at: number, kind: ScalarKind, tolerance: Tolerance | undefined): boolean {
  if (!isFloat(kind) && tolerance === undefined) return false;
  const x = readScalar(a, at, kind);
  const y = readScalar(b, at, kind);
  if (typeof x === "number" && typeof y === "number" && Number.isNaN(x) && Number.isNaN(y)) return true;
  if (tolerance === undefined) return false;
  const [p, q] = [Number(x), Number(y)];
  if (!Number.isFinite(p) || !Number.isFinite(q)) return p === q;
  const { abs, rel, ulp } = tolerance;
  if (abs !== undefined && Math.abs(p - q) <= abs) return true;
  if (rel !== undefined && Math.abs(p - q) <= rel * Math.max(Math.abs(p), Math.abs(q))) return true;
  if (ulp === undefined) return false;
  const steps = isFloat(kind) ? ordinal(a, at, kind) - ordinal(b, at, kind) : BigInt(x) - BigInt(y);
  return (steps < 0n ? -steps : steps) <= BigInt(Math.floor(ulp));
}

/** Floats in order of value as whole numbers, neighbours one apart; both zeros are 0. */
function ordinal(view: DataView, at: number, kind: ScalarKind): bigint {
  const bits = readBits(view, at, kind);
  const sign = 1n << BigInt(scalarBytes(kind) * 8 - 1);
  return bits & sign ? -(bits & (sign - 1n)) : bits;
}

/** As collections of elements in which order does not count. Elements are whole vectors. */
function compareMultisets(expected: Uint8Array, actual: Uint8Array, type: BoundBuffer["type"]): Difference | undefined {
  const size = scalarBytes(type.scalar) * type.width;
  const counts = new Map<string, number>();
  const keyAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + size));
  for (let at = 0; at + size <= actual.length; at += size) {
    const key = keyAt(actual, at);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  let missingAt = -1;
  let count = 0;
  for (let at = 0; at + size <= expected.length; at += size) {
    const key = keyAt(expected, at);
    const left = counts.get(key) ?? 0;
    if (left > 0) counts.set(key, left - 1);
    else {
      if (missingAt < 0) missingAt = at;
      count++;
    }
  }
  if (missingAt < 0) return undefined;
  // Both have as many elements, so that one without a partner here means one without a partner there: the last of its kind.
  let extraAt = 0;
  for (let at = 0; at + size <= actual.length; at += size) {
    if ((counts.get(keyAt(actual, at)) ?? 0) > 0) {
      extraAt = at;
      break;
    }
  }
  return {
    index: extraAt / scalarBytes(type.scalar),
    byteOffset: extraAt,
    expected: showScalar(viewOf(expected), missingAt, type.scalar),
    actual: showScalar(viewOf(actual), extraAt, type.scalar),
    type: type.scalar,
    count,
    unmatchedIn: "actual",
  };
}

/**
 * The greatest distance in ulp of numbers that differ, where each lies no farther off than twice what the variants of the
 * source go; undefined where one lies farther. Integers are what a variant has, or the bits of a float that lies near enough.
 */
export function withinSpread(
  expected: Uint8Array,
  actual: Uint8Array,
  variants: readonly Uint8Array[],
  how: Pick<BoundBuffer, "type" | "tolerance" | "compare">,
): number | undefined {
  const kind = how.type.scalar;
  if (kind === "bool" || how.compare === "multiset" || variants.length === 0) return undefined;
  const size = scalarBytes(kind);
  const read = isFloat(kind) ? kind : floatOfBits[size];
  const [a, b, ...others] = [expected, actual, ...variants].map(viewOf) as [DataView, DataView, ...DataView[]];
  let most = 0;
  for (let at = 0; at + size <= expected.length; at += size) {
    if (sameBytes(expected, actual, at, size) || close(a, b, at, kind, how.tolerance)) continue;
    const off = read && isNear(a, b, others, at, read, !isFloat(kind)) ? distance(a, b, at, read) : undefined;
    if (off !== undefined) most = Math.max(most, off);
    else if (isFloat(kind) || !variants.some((v) => sameBytes(actual, v, at, size))) return undefined;
    else most = Math.max(most, distance(a, b, at, kind));
  }
  return most;
}

/** The float that an integer of so many bytes may be the bits of. */
const floatOfBits: Readonly<Record<number, ScalarKind>> = { 2: "f16", 4: "f32", 8: "f64" };

function isNear(
  a: DataView,
  b: DataView,
  others: readonly DataView[],
  at: number,
  kind: ScalarKind,
  bits: boolean,
): boolean {
  const [p, q] = [Number(readScalar(a, at, kind)), Number(readScalar(b, at, kind))];
  const around = others.map((v) => Number(readScalar(v, at, kind)));
  const spread = Math.max(...around.map((x) => Math.abs(x - p)));
  const least = leastNormal[kind]!;
  // What is no float's bits, a hash or a count, goes anywhere where it goes at all.
  if (bits) return Math.abs(p) >= least && spread <= Math.abs(p) / 16 && Math.abs(q - p) <= 2 * spread;
  if (around.some((x) => Object.is(x, q))) return true;
  // Subnormals may be flushed, and have few digits to be off by.
  if (Math.abs(p) < least && Math.abs(q) < least && p * q >= 0) return true;
  // Not of what is infinite or a NaN.
  return Number.isFinite(spread) && Math.abs(q - p) <= 2 * spread;
}

const leastNormal: Partial<Record<ScalarKind, number>> = {
  f16: 2 ** -14,
  bf16: 2 ** -126,
  f32: 2 ** -126,
  f64: 2 ** -1022,
};

/** In ulp; 0 of what is infinite or a NaN. */
function distance(a: DataView, b: DataView, at: number, kind: ScalarKind): number {
  const values = [a, b].map((v) => Number(readScalar(v, at, kind))) as [number, number];
  if (!isFloat(kind)) return Math.abs(values[0] - values[1]);
  if (!values.every(Number.isFinite)) return 0;
  const steps = ordinal(a, at, kind) - ordinal(b, at, kind);
  return Number(steps < 0n ? -steps : steps);
}
