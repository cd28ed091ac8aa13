/** What a builtin computes: an expression of one dialect and its results on edge values. */
import type { TwoWayDialect } from "../../../src/dialects/ids.js";

export type Kind = "f32" | "i32" | "u32";
export interface Meaning {
  readonly dialect: TwoWayDialect;
  /** Over a, b, c of the operand kinds. */
  readonly expression: string;
  readonly operands: readonly Kind[];
  readonly result: Kind;
  /** Operands and the result; floats are rounded to f32. */
  readonly cases: readonly (readonly number[])[];
  /** Units in the last place a translation (and, for transcendental functions, the source) may be off. */
  readonly ulp?: number;
  /** Targets that do not take part, with the reason. */
  readonly without?: Partial<Record<TwoWayDialect, string>>;
}

export const nan = NaN;
export const inf = Infinity;
export const min = -2147483648;
export const max = 2147483647;
export const all = 0xffffffff;
export const one = (
  dialect: TwoWayDialect,
  expression: string,
  kinds: string,
  cases: readonly (readonly number[])[],
  more: Partial<Meaning> = {},
): Meaning => {
  const [left, right] = kinds.split(" -> ");
  return { dialect, expression, operands: left!.split(" ") as Kind[], result: right as Kind, cases, ...more };
};

export const f = "f32 -> f32";
export const ff = "f32 f32 -> f32";
