/** What the buffers of derived launches hold. */
import { integerRange } from "../types/numeric.js";
import { isFloat, type FloatKind, type ScalarKind } from "../types/types.js";
import { hash32 } from "./initializers.js";
import { readBits, scalarBytes, writeScalar } from "./scalars.js";
import type { TextNumbers } from "./text-numbers.js";

/** What buffers hold. "fractions": floats from 0 to 1. "text": numbers that the kernel compares with, among small ones. */
export type DataKind = "small" | "random" | "edges" | "fractions" | "text";

/** Bytes of contents that are kept, of all buffers together. */
const mostKept = 2 ** 26;

/**
 * What buffers of candidates hold. A search runs many that differ in one thing: what is the same is filled once, and a longer
 * buffer begins as the shorter one does. Nobody writes to these bytes: a run has a copy.
 */
export class Contents {
  private readonly known = new Map<string, Uint8Array>();
  private kept = 0;

  constructor(readonly numbers: () => TextNumbers) {}

  of(key: string, fixed: number, rest: number, fill: (view: DataView, from: number) => void): Uint8Array {
    const before = this.known.get(key);
    const length = fixed + rest;
    if (before?.length === length) return before;
    if (before && before.length > length) return before.slice(0, length);
    const bytes = new Uint8Array(length);
    if (before) bytes.set(before);
    fill(new DataView(bytes.buffer), before?.length ?? 0);
    this.known.delete(key);
    this.known.set(key, bytes);
    this.kept += length - (before?.length ?? 0);
    for (const [oldest, { length: n }] of this.known) {
      if (this.kept <= mostKept) break;
      this.known.delete(oldest);
      this.kept -= n;
    }
    return bytes;
  }
}

const edgeFloats: Readonly<Record<FloatKind, readonly bigint[]>> = {
  // 0, -0, 1, -1, largest, its negative, smallest subnormal, its negative, smallest normal, infinity, -infinity, NaN
  f16: [0x0000n, 0x8000n, 0x3c00n, 0xbc00n, 0x7bffn, 0xfbffn, 0x0001n, 0x8001n, 0x0400n, 0x7c00n, 0xfc00n, 0x7e00n],
  bf16: [0x0000n, 0x8000n, 0x3f80n, 0xbf80n, 0x7f7fn, 0xff7fn, 0x0001n, 0x8001n, 0x0080n, 0x7f80n, 0xff80n, 0x7fc0n],
  f32: [
    0x00000000n,
    0x80000000n,
    0x3f800000n,
    0xbf800000n,
    0x7f7fffffn,
    0xff7fffffn,
    0x00000001n,
    0x80000001n,
    0x00800000n,
    0x7f800000n,
    0xff800000n,
    0x7fc00000n,
  ],
  f64: [
    0n,
    1n << 63n,
    0x3ff0000000000000n,
    0xbff0000000000000n,
    0x7fefffffffffffffn,
    0xffefffffffffffffn,
    1n,
    (1n << 63n) | 1n,
    0x0010000000000000n,
    0x7ff0000000000000n,
    0xfff0000000000000n,
    0x7ff8000000000000n,
  ],
};

/** Writes the `i`-th scalar of an argument, as the choice has it. */
export type WriteDatum = (view: DataView, at: number, i: number, seed: number) => void;

/** What `Choice` says of a buffer's data. */
interface DataChoice {
  readonly data: DataKind;
  readonly below?: number | undefined;
}

/** Buffers have up to millions of scalars: what depends on their kind is settled once. */
export function datumWriter(
  kind: ScalarKind,
  choice: DataChoice,
  threads: number,
  filled: number | undefined,
  some: number | undefined,
  text: () => TextNumbers,
): WriteDatum {
  const others = datumOf(kind, choice, threads, filled, text);
  if (some === undefined || kind === "bool") return others;
  const one = oneOf(kind, [bitsOf(kind, some)]);
  return (view, at, i, seed) => (hash32(i, seed + 7) % 3 === 0 ? one(view, at, 0) : others(view, at, i, seed));
}

function datumOf(
  kind: ScalarKind,
  { data, below }: DataChoice,
  threads: number,
  filled: number | undefined,
  text: () => TextNumbers,
): WriteDatum {
  if (kind === "bool") {
    if (filled !== undefined) return (view, at) => view.setUint8(at, 0);
    return (view, at, i, seed) => view.setUint8(at, hash32(i, seed) & 1);
  }
  if (filled !== undefined) {
    const one = oneOf(kind, [bitsOf(kind, filled)]);
    return (view, at) => one(view, at, 0);
  }
  const usual = isFloat(kind)
    ? floatWriter(kind, data)
    : integerWriter(kind, data, below ?? Math.min(threads, 100), below !== undefined);
  if (data === "text") {
    const { integers, floats } = text();
    const values = isFloat(kind)
      ? floats.map((v) => bitsOf(kind, v))
      : integers.map((v) => BigInt.asUintN(8 * scalarBytes(kind), BigInt(v)));
    if (values.length === 0) return usual;
    const one = oneOf(kind, values);
    return (view, at, i, seed) => {
      const random = hash32(i, seed);
      if (random & 1) usual(view, at, i, seed);
      else one(view, at, random >>> 1);
    };
  }
  if (data !== "edges" || (below !== undefined && !isFloat(kind))) return usual;
  const edge = oneOf(kind, edgeBits(kind));
  return (view, at, i, seed) => {
    if (i % 3 !== 2) edge(view, at, hash32(i, seed));
    else usual(view, at, i, seed);
  };
}

/** The bits of a number as the kind holds it: the nearest integer towards zero, the nearest float. */
function bitsOf(kind: ScalarKind, value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  writeScalar(view, 0, kind, isFloat(kind) ? value : clamped(kind, value));
  return readBits(view, 0, kind);
}

/** Writes one of several values, by a number that may be beyond their count. */
function oneOf(kind: ScalarKind, bits: readonly bigint[]): (view: DataView, at: number, which: number) => void {
  if (scalarBytes(kind) === 8) return (view, at, which) => view.setBigUint64(at, bits[which % bits.length]!, true);
  const put = bitsWriter(kind);
  const low = bits.map(Number);
  return (view, at, which) => put(view, at, low[which % low.length]!);
}

function edgeBits(kind: ScalarKind): readonly bigint[] {
  if (isFloat(kind)) return edgeFloats[kind];
  const top = 1n << BigInt(8 * scalarBytes(kind) - 1);
  return [0n, 1n, 2n * top - 1n, top, top - 1n, top + 1n, 2n];
}

/** The low bits of a number, for kinds of up to 32 bits. */
function bitsWriter(kind: ScalarKind): (view: DataView, at: number, bits: number) => void {
  const size = scalarBytes(kind);
  if (size === 1) return (view, at, x) => view.setUint8(at, x);
  if (size === 2) return (view, at, x) => view.setUint16(at, x, true);
  return (view, at, x) => view.setUint32(at, x, true);
}

function floatWriter(kind: ScalarKind, data: DataKind): WriteDatum {
  const put = (view: DataView, at: number, x: number): void => void writeScalar(view, at, kind, x);
  if (data === "small" || data === "text" || data === "fractions") {
    // Small ones are whole numbers, so that sums are exact in any order.
    const steps = data === "fractions" ? 16 : 1;
    const count = data === "fractions" ? 17 : 16;
    const one = oneOf(
      kind,
      Array.from({ length: count }, (_, i) => bitsOf(kind, i / steps)),
    );
    return (view, at, i, seed) => one(view, at, hash32(i, seed) % count);
  }
  return (view, at, i, seed) => {
    const random = hash32(i, seed);
    put(view, at, ((random >>> 8) / 2 ** 20 - 8) * (random & 1 ? 1 : -1));
  };
}

function integerWriter(kind: ScalarKind, data: DataKind, most: number, bounded: boolean): WriteDatum {
  const small = data === "small" || data === "fractions" || data === "text" || bounded;
  if (scalarBytes(kind) === 8) {
    if (small) return (view, at, i, seed) => view.setBigUint64(at, BigInt(hash32(i, seed) % most), true);
    return (view, at, i, seed) => {
      view.setUint32(at, hash32(i, seed + 1), true);
      view.setUint32(at + 4, hash32(i, seed), true);
    };
  }
  const put = bitsWriter(kind);
  if (small) return (view, at, i, seed) => put(view, at, hash32(i, seed) % most);
  return (view, at, i, seed) => put(view, at, hash32(i, seed + 1));
}

/** The nearest integer of the kind that a number holds exactly. */
export function clamped(scalar: ScalarKind, value: number): number {
  const { min, max } = integerRange(scalar);
  const low = Math.max(Number(min), -(2 ** 53) + 1);
  return Math.max(low, Math.min(Number(max), Math.trunc(value), 2 ** 53 - 1));
}
