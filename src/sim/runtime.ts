/**
 * What generated code runs on: `crosslane/runtime`. Everything here is deterministic: the same results on every machine.
 */
export { collectiveRoutines, anyActive, firstActive, resume, spread } from "./collectives.js";
export { Machine, LaunchMemory, OutOfSteps, fillPattern } from "./machine.js";
export { halves } from "./tables.js";
export { runKernel, type Kernel, type Launch } from "./kernel.js";
import { anyActive, collectiveRoutines, firstActive, resume, spread } from "./collectives.js";
import { f16Bits, f16FromBits, f32Bits, f32FromBits, f64Bits, f64FromBits, roundBigInt, roundF16 } from "../types/numeric.js";
import type { ScalarKind } from "../types/types.js";
import type { Scalar } from "./machine.js";
import { machineFunctions } from "./operations.js";
import { halves } from "./tables.js";

export { machineFunctions } from "./operations.js";

/** One bit pattern for every NaN. */
export const canonical = (x: number): number => (x === x ? x : NaN);

export function bigToFloat(kind: ScalarKind, x: bigint): number {
  return kind === "f64" ? Number(x) : roundBigInt(kind, x);
}

export function sameBits(kind: ScalarKind, a: number, b: number): boolean {
  if (kind === "f64") return f64Bits(a) === f64Bits(b);
  return kind === "f16" ? f16Bits(a) === f16Bits(b) : f32Bits(a) === f32Bits(b);
}

/** The names generated code may import, with their values. */
export function runtimeNames(): Readonly<Record<string, unknown>> {
  const { fround, imul, clz32, sqrt, abs, floor, ceil, trunc, min, max } = Math;
  return {
    fround, imul, clz32, sqrt, abs, floor, ceil, trunc, min, max,
    halves, roundF16, canonical, sameBits, spread, firstActive, anyActive, resume, bigToFloat,
    f16Bits, f32Bits, f64Bits, f16FromBits, f32FromBits, f64FromBits,
    ...collectiveRoutines,
    ...machineFunctions,
  } satisfies Record<string, unknown>; // prettier-ignore
}

export type { Scalar };
