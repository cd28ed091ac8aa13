import { f32Bits } from "../../src/types/numeric.js";

/** Steps between two f32 of the line of all f32 (-0 and 0 are one point); NaN with NaN 0, with a number infinity. */
export function ulpDistanceF32(a: number, b: number): number {
  if (a !== a || b !== b) return a !== a && b !== b ? 0 : Infinity;
  const order = (x: number): number => {
    const bits = f32Bits(x);
    return bits & 0x80000000 ? -(bits & 0x7fffffff) : bits;
  };
  return Math.abs(order(a) - order(b));
}
