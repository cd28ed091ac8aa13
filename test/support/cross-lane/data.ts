/**
 * What the kernels of the matrix read: rows of values of one scalar kind, and control words. One workgroup that is no
 * multiple of any width but has a full subgroup of each, so that each launch has full and partial subgroups.
 */
import type { Kind, Value } from "./reference.js";

export const lanesInAll = 137;
/** Turns of the loop of the divergent kernels; each has its own active lanes. */
export const rounds = 3;
export const widths = [4, 8, 16, 32, 64, 128] as const;

/**
 * Rows of T. moved: any bits; fill: other bits; sums: what add, min, max and bitwise ops stay exact with; factors: the
 * same for mul; equals: equal in some subgroups; classes: a handful of values.
 */
export const rowNames = ["moved", "fill", "sums", "factors", "equals", "classes"] as const;
export type RowName = (typeof rowNames)[number];

/** A fixed number of 32 bits per place. */
function hash(i: number, salt: number): number {
  let h = Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
}

const isFloat = (kind: Kind): boolean => kind[0] === "f";

function whole(kind: Kind, i: number, salt: number): Value {
  const bits = Number(kind.slice(1));
  const signed = kind[0] === "i";
  let x = (BigInt(hash(i, salt)) << 32n) | BigInt(hash(i, salt + 100));
  const edge = hash(i, salt + 7) % 16;
  if (edge === 0) x = 1n << BigInt(bits - 1);
  if (edge === 1) x = (1n << BigInt(bits - 1)) - 1n;
  if (edge === 2) x = (1n << BigInt(bits)) - 1n;
  if (edge === 3) x = 0n;
  const cut = signed ? BigInt.asIntN(bits, x) : BigInt.asUintN(bits, x);
  return bits === 64 ? cut : Number(cut);
}

const integer = (kind: Kind, x: number): Value => (kind === "i64" || kind === "u64" ? BigInt(x) : x);

/** The value of a row at a lane, for one component of a vector. */
export function rowValue(row: RowName, kind: Kind, i: number, component: number): Value {
  const salt = 11 * rowNames.indexOf(row) + 3 * component;
  const h = hash(i, salt);
  if (row === "equals") {
    // Equal but for a few lanes; floats also have zeros of both signs.
    const odd = (i >= 40 && i < 47) || i === 20;
    if (kind === "bool") return odd ? h % 2 === 0 : true;
    if (!isFloat(kind)) return integer(kind, odd ? i : 77);
    return odd ? i / 2 : i % 5 === component ? -0 : 0;
  }
  if (row === "classes") {
    const n = h % 5;
    if (kind === "bool") return n < 2;
    if (!isFloat(kind)) return n === 0 ? whole(kind, 3, 1) : integer(kind, n * 20);
    return [0, -0, 1.5, Infinity, -2][n]!;
  }
  if (kind === "bool") return h % 3 === 0;
  if (!isFloat(kind)) return row === "factors" ? odd(kind, whole(kind, i, salt), h) : whole(kind, i, salt);
  if (row === "sums") return (h % 15) - 7 + 0;
  // At most a few twos in any subgroup: no product leaves the range of half.
  if (row === "factors") return (h & 64 ? -1 : 1) * (i % 32 === 5 ? 2 : i % 32 === 19 ? 0.5 : 1);
  switch (h % 12) {
    case 0:
      return -0;
    case 1:
      return Infinity;
    case 2:
      return NaN;
    default:
      return ((h >>> 8) % 2048) / 8 - 100;
  }
}

/** A product of many numbers says little once a power of two is in it. */
function odd(kind: Kind, x: Value, h: number): Value {
  if (h % 29 === 0) return x;
  if (typeof x === "bigint") return x | 1n;
  return kind === "u32" ? ((x as number) | 1) >>> 0 : (x as number) | 1;
}

// ------------------------------------------------------------------ control

/** Bits 0 to 2: the lane takes part in that turn; 8 and 9: turns of its loop; 16: the predicate; 20 and 21: its class. */
export function controlOf(i: number): number {
  const h = hash(i, 500);
  const flags = (h & 7) | (i % 40 < 4 ? 7 : 0);
  const trips = i % 11 === 3 ? 0 : i % 7 === 5 ? 1 : i % 5 === 2 ? 2 : 3;
  return (flags | (trips << 8) | (((h >>> 9) & 1) << 16) | (((h >>> 12) % 3) << 20)) >>> 0;
}
export const tripsOf = (i: number): number => (controlOf(i) >>> 8) & 3;
export const isActive = (i: number, round: number): boolean =>
  round < tripsOf(i) && ((controlOf(i) >>> round) & 1) === 1;
export const predicateOf = (i: number): boolean => ((controlOf(i) >>> 16) & 1) === 1;

export const classOf = (i: number): number => (controlOf(i) >>> 20) & 3;

/** After the lanes' words: the uniform number, the mask, with bits above any subgroup's size. */
export const uniformNumber = 2;
export const maskWords = [0xa5c3_96e1, 0x1234_5678, 0x9abc_def0, 0xc001_d00d] as const;
export const mask = maskWords.reduce((m, w, i) => m | (BigInt(w) << BigInt(32 * i)), 0n);
export const controlWords = (): Uint32Array =>
  Uint32Array.from([...Array.from({ length: lanesInAll }, (_, i) => controlOf(i)), uniformNumber, ...maskWords]);

// ------------------------------------------------------------------ bytes

/** Bytes of a scalar in a buffer; bools are words there. */
export const bytesOf = (kind: Kind): number => (kind === "bool" ? 4 : Number(kind.slice(1)) / 8);

export function store(view: DataView, at: number, kind: Kind, x: Value): void {
  switch (kind) {
    case "bool":
      return view.setUint32(at, x === true ? 1 : 0, true);
    case "i8":
    case "u8":
      return view.setUint8(at, (x as number) & 0xff);
    case "i16":
    case "u16":
      return view.setUint16(at, (x as number) & 0xffff, true);
    case "i32":
    case "u32":
      return view.setUint32(at, (x as number) >>> 0, true);
    case "i64":
    case "u64":
      return view.setBigUint64(at, BigInt.asUintN(64, x as bigint), true);
    case "f16":
      return view.setUint16(at, halfBits(x as number), true);
    case "f32":
      return view.setFloat32(at, x as number, true);
    case "f64":
      return view.setFloat64(at, x as number, true);
  }
}

/** Bits of a number that half has exactly. */
function halfBits(x: number): number {
  if (Number.isNaN(x)) return 0x7e00;
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const a = Math.abs(x);
  if (a === Infinity) return sign | 0x7c00;
  if (a === 0) return sign;
  const e = Math.floor(Math.log2(a));
  const m = a / 2 ** e - 1;
  if (e < -14 || e > 15 || !Number.isInteger(m * 1024)) throw new Error(`half has no ${x}`);
  return sign | ((e + 15) << 10) | (m * 1024);
}

/** All rows, components of a lane beside one another. */
export function inputBytes(kind: Kind, components: number): Uint8Array {
  const step = bytesOf(kind);
  const bytes = new Uint8Array(rowNames.length * lanesInAll * components * step);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const row of rowNames) {
    for (let i = 0; i < lanesInAll; i++) {
      for (let c = 0; c < components; c++, at += step) store(view, at, kind, rowValue(row, kind, i, c));
    }
  }
  return bytes;
}
