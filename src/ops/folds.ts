/** What folds over lanes begin with: of the routines, and of the engines that write them out. */
import { bitWidth, isFloat, type ScalarKind } from "../types/types.js";

type FoldValue = number | bigint | boolean;

export function identityOf(op: string, kind: ScalarKind): FoldValue {
  if (kind === "bool") return op === "and" || op === "min";
  const big = kind === "i64" || kind === "u64";
  const bits = BigInt(bitWidth(kind));
  const whole = (x: bigint): FoldValue => (big ? x : Number(x));
  switch (op) {
    case "mul":
      return whole(1n);
    case "min":
      if (isFloat(kind)) return Infinity;
      return whole(kind[0] === "i" ? (1n << (bits - 1n)) - 1n : (1n << bits) - 1n);
    case "max":
      if (isFloat(kind)) return -Infinity;
      return whole(kind[0] === "i" ? -(1n << (bits - 1n)) : 0n);
    case "and":
      return whole(kind[0] === "i" ? -1n : (1n << bits) - 1n);
    default:
      return whole(0n);
  }
}

/**
 * What a fold begins with; undefined: with the first value as it is. The dialects leave open what comes of a NaN among
 * numbers and of -0 alone; folds of floats begin with the identity (SPIR-V's OpGroupNonUniformFAdd, FMin), as loops over lanes
 * do: of NaN and numbers the result is a number, and no sum is -0.
 */
export const startOf = (op: string, kind: ScalarKind): FoldValue | undefined =>
  op !== "mul" && isFloat(kind) ? identityOf(op, kind) : undefined;
