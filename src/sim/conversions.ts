/** Conversions with a rounding mode, saturating or not. Pure; what has no value comes back as undefined. */
import {
  f16Bits,
  f16FromBits,
  f64Bits,
  f64FromBits,
  integerRange,
  nextAfterF16,
  nextF32,
  roundBigInt,
  roundF16,
  roundF16By,
  roundF32By,
  wrapInteger,
  type RoundingMode,
} from "../types/numeric.js";
import { isFloat, type ScalarKind } from "../types/types.js";
import { f32_round_even } from "./scalar-functions.js";

export type ScalarValue = number | bigint | boolean;

/** Undefined where a float has no value in an integer type and the mode does not saturate. */
export function convertBy(
  from: ScalarKind,
  to: ScalarKind,
  rounding: RoundingMode,
  saturates: boolean,
  x: ScalarValue,
): ScalarValue | undefined {
  if (to === "bool") return typeof x === "boolean" ? x : x !== 0 && x !== 0n;
  const value = typeof x === "boolean" ? Number(x) : x;
  if (isFloat(to)) return toFloat(to, value, rounding);
  if (isFloat(from)) return floatToInteger(to, value as number, rounding, saturates);
  return saturates ? clamped(to, BigInt(value)) : wrapInteger(to, value);
}

const isBig = (kind: ScalarKind): boolean => kind === "i64" || kind === "u64";
const ofKind = (kind: ScalarKind, x: bigint): number | bigint => (isBig(kind) ? x : Number(x));

function clamped(to: ScalarKind, x: bigint): number | bigint {
  const { min, max } = integerRange(to);
  return ofKind(to, x < min ? min : x > max ? max : x);
}

function floatToInteger(to: ScalarKind, x: number, mode: RoundingMode, saturate: boolean): number | bigint | undefined {
  if (x !== x) return saturate ? ofKind(to, 0n) : undefined;
  const whole = roundWhole(x, mode);
  const { min, max } = integerRange(to);
  // The bounds of the 64-bit kinds are rounded up to 2^63 and 2^64 here, which are out of range themselves.
  if (whole >= Number(min) && (isBig(to) ? whole < Number(max) : whole <= Number(max))) {
    return isBig(to) ? BigInt(whole) : whole === 0 ? 0 : whole;
  }
  return saturate ? ofKind(to, x < 0 ? min : max) : undefined;
}

function roundWhole(x: number, mode: RoundingMode): number {
  switch (mode) {
    case "rtz":
      return Math.trunc(x);
    case "rtp":
      return Math.ceil(x);
    case "rtn":
      return Math.floor(x);
    case "rte":
      return f32_round_even(x);
  }
}

function toFloat(to: ScalarKind, x: number | bigint, mode: RoundingMode): number {
  if (typeof x === "number") {
    if (x !== x) return NaN;
    return to === "f32" ? roundF32By(x, mode) : to === "f16" ? roundF16By(x, mode) : x;
  }
  const nearest = roundBigInt(to, x);
  if (mode === "rte") return nearest;
  const side = nearest === Infinity ? 1n : nearest === -Infinity ? -1n : BigInt(nearest) - x;
  if (side === 0n) return nearest;
  const up = mode === "rtp" || (mode === "rtz" && x < 0n);
  if (up === side > 0n) return nearest;
  return neighbour(to, nearest, up ? Infinity : -Infinity);
}

function neighbour(kind: ScalarKind, x: number, toward: number): number {
  if (kind === "f32") return nextF32(x, toward);
  if (kind === "f16") return nextAfterF16(x, toward);
  // Of integers far from zero only, which a double cannot hold exactly.
  return f64FromBits(f64Bits(x) + (x > 0 === toward > 0 ? 1n : -1n));
}

/** An f32 as the bits of the nearest f16. */
export const f32tof16 = (x: number): number => f16Bits(roundF16(x));
/** The low 16 bits of a u32 as an f16. */
export const f16tof32 = (bits: number): number => f16FromBits(bits & 0xffff);
