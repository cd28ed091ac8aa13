/** The float types of the suite: how they round, and what their kernels are written in. */
import type { TwoWayDialect } from "../../../src/index.js";

export type FloatKind = "f32" | "f16" | "f64";

interface Format {
  readonly digits: number;
  readonly leastExponent: number;
  readonly largest: number;
}
const formats: Readonly<Record<FloatKind, Format>> = {
  f16: { digits: 11, leastExponent: -14, largest: 65504 },
  f32: { digits: 24, leastExponent: -126, largest: (2 - 2 ** -23) * 2 ** 127 },
  f64: { digits: 53, leastExponent: -1022, largest: Number.MAX_VALUE },
};

const exponentOf = (x: number): number => {
  const e = Math.floor(Math.log2(Math.abs(x)));
  return 2 ** e > Math.abs(x) ? e - 1 : 2 ** (e + 1) <= Math.abs(x) ? e + 1 : e;
};

/** The unit in the last place at a number. */
export function ulpOf(kind: FloatKind, x: number): number {
  const { digits, leastExponent } = formats[kind];
  const e = x === 0 || !Number.isFinite(x) ? leastExponent : exponentOf(x);
  return 2 ** (Math.max(e, leastExponent) - digits + 1);
}

/** The unit of results as kernels of the suite store them. */
export const storedUlp = (kind: FloatKind, x: number): number => ulpOf(kind === "f64" ? "f32" : kind, x);
export const largestOf = (kind: FloatKind): number => formats[kind].largest;
export const leastNormal = (kind: FloatKind): number => 2 ** formats[kind].leastExponent;

export function rounded(kind: FloatKind, x: number): number {
  if (kind === "f64") return x;
  if (kind === "f32") return Math.fround(x);
  if (x === 0 || !Number.isFinite(x)) return x;
  const unit = ulpOf("f16", x);
  const [whole, rest] = [Math.floor(x / unit), x / unit - Math.floor(x / unit)];
  const nearest = rest > 0.5 || (rest === 0.5 && whole % 2 !== 0) ? whole + 1 : whole;
  const r = nearest * unit;
  return Math.abs(r) > 65504 ? Math.sign(x) * Infinity : r === 0 && x < 0 ? -0 : r;
}

/** Names of the type. */
export const typeNames: Readonly<Record<FloatKind, Readonly<Partial<Record<TwoWayDialect, string>>>>> = {
  f32: { opencl: "float", msl: "float", glsl: "float", hlsl: "float" },
  f16: { opencl: "half", msl: "half", glsl: "float16_t", hlsl: "float16_t" },
  f64: { opencl: "double", glsl: "double", hlsl: "double" },
};
