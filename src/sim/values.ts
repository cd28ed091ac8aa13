/** Conversions and representations generated code writes by name. */
import { f16Bits, f32Bits, f64Bits, roundBigInt } from "../types/numeric.js";
import type { ScalarKind } from "../types/types.js";

export { f16Bits, f16FromBits, f32Bits, f32FromBits, f64Bits, f64FromBits, roundF16 } from "../types/numeric.js";
export { halves } from "./tables.js";

export const { fround, imul, clz32, sqrt, abs, floor, ceil, trunc, min, max } = Math;

/** One bit pattern for every NaN. */
export const canonical = (x: number): number => (x === x ? x : NaN);

export function bigToFloat(kind: ScalarKind, x: bigint): number {
  return kind === "f64" ? Number(x) : roundBigInt(kind, x);
}

export function sameBits(kind: ScalarKind, a: number, b: number): boolean {
  if (kind === "f64") return f64Bits(a) === f64Bits(b);
  return kind === "f16" ? f16Bits(a) === f16Bits(b) : f32Bits(a) === f32Bits(b);
}
