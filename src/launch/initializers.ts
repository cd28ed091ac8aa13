import { isFloat, type ScalarKind } from "../types/types.js";
import { scalarBytes, writeBits, writeScalar } from "./scalars.js";
import type { LaunchNumber } from "./scalars.js";

/** How a buffer of a launch file is filled. `i` counts scalars: an element of a vector type counts its width. */
export type Initializer =
  | { readonly kind: "values"; readonly values: readonly LaunchNumber[] }
  | { readonly kind: "fill"; readonly value: readonly LaunchNumber[] }
  | { readonly kind: "iota"; readonly start: LaunchNumber; readonly step: LaunchNumber }
  | { readonly kind: "hash"; readonly seed: number }
  | { readonly kind: "ints"; readonly seed: number; readonly mod: number }
  | { readonly kind: "unit"; readonly seed: number }
  /** Nothing was written there: the simulator fills it by its seed and reports reads. */
  | { readonly kind: "uninitialized" }
  /** Raw little-endian bytes of a file beside the launch file. */
  | { readonly kind: "file"; readonly path: string };

/** The seeded hash all seeded initialisers stand on; 32-bit wrapping arithmetic. */
export function hash32(index: number, seed: number): number {
  let x = Math.imul((index + Math.imul(seed, 0x9e3779b9)) | 0, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/**
 * Bytes of `scalars` numbers of one kind; or why they cannot be written. Values that are too few are an error, as are
 * too many: nothing is padded.
 */
export function initialBytes(init: Initializer, kind: ScalarKind, scalars: number): Uint8Array | string {
  const size = scalarBytes(kind);
  const bytes = new Uint8Array(scalars * size);
  const view = new DataView(bytes.buffer);
  switch (init.kind) {
    case "values":
      if (init.values.length !== scalars) return `there are ${init.values.length} values for ${scalars} numbers`;
      return each((i) => writeScalar(view, i * size, kind, init.values[i]!));
    case "fill":
      if (scalars % init.value.length !== 0)
        return `a fill of ${init.value.length} numbers does not divide ${scalars} numbers`;
      return each((i) => writeScalar(view, i * size, kind, init.value[i % init.value.length]!));
    case "iota":
      for (const [name, n] of [
        ["start", init.start],
        ["step", init.step],
      ] as const) {
        if (!isFloat(kind) && typeof n === "number" && !Number.isInteger(n)) return `'${name}': ${n} is no integer`;
      }
      return each((i) => writeScalar(view, i * size, kind, iotaValue(init.start, init.step, i, kind)));
    case "hash": {
      // Bits of a float, a value of an integer; narrower types take the low bits, wider ones are zero-extended.
      const mask = (1n << BigInt(size * 8)) - 1n;
      if (size === 4) {
        for (let i = 0; i < scalars; i++) view.setUint32(i * 4, hash32(i, init.seed), true);
        return bytes;
      }
      if (kind === "bool") return each((i) => writeScalar(view, i, kind, hash32(i, init.seed) & 1));
      return each((i) => writeBits(view, i * size, kind, BigInt(hash32(i, init.seed)) & mask));
    }
    case "ints":
      return each((i) => writeScalar(view, i * size, kind, hash32(i, init.seed) % init.mod));
    case "unit":
      if (!isFloat(kind)) return `'unit' gives fractions below 1, which ${kind} cannot hold`;
      return each((i) => writeScalar(view, i * size, kind, (hash32(i, init.seed) >>> 8) / 2 ** 24));
    case "uninitialized":
      return bytes;
    case "file":
      return "the bytes of a file are read before this point";
  }

  function each(write: (i: number) => string | undefined): Uint8Array | string {
    for (let i = 0; i < scalars; i++) {
      const problem = write(i);
      if (problem !== undefined) return `number ${i}: ${problem}`;
    }
    return bytes;
  }
}

/** Integers count exactly and wrap; floats are computed in double and rounded once. */
function iotaValue(start: LaunchNumber, step: LaunchNumber, i: number, kind: ScalarKind): LaunchNumber {
  if (isFloat(kind)) return numeric(start) + numeric(step) * i;
  const first = typeof start === "object" ? start.bits : BigInt(start);
  const by = typeof step === "object" ? step.bits : BigInt(step);
  return { bits: BigInt.asUintN(scalarBytes(kind) * 8, first + by * BigInt(i)) };
}

function numeric(value: LaunchNumber): number {
  return typeof value === "object" ? Number(value.bits) : Number(value);
}
