/** HLSL's functions of numbers without a type, as DXC folds them: floats in double, integers in 64 bits. */
import type { Constant } from "./constants.js";

const even = (x: number): number => (Math.abs(x - Math.trunc(x)) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));

/** What DXC makes of functions of numbers alone: it computes in double. */
const functions: Readonly<Record<string, (x: number, y: number, z: number) => number>> = {
  "math.sin_open": Math.sin,
  "math.cos_open": Math.cos,
  "math.tan_open": Math.tan,
  "math.asin_open": Math.asin,
  "math.acos_open": Math.acos,
  "math.atan": Math.atan,
  "math.sinh_open": Math.sinh,
  "math.cosh_open": Math.cosh,
  "math.tanh_open": Math.tanh,
  "math.degrees": (x) => x * (180 / Math.PI),
  "math.radians": (x) => x * (Math.PI / 180),
  "math.ldexp_float": (x, y) => x * 2 ** y,
  "geometry.length": Math.abs,
  "geometry.distance": (x, y) => Math.abs(x - y),
  "geometry.dot": (x, y) => x * y,
  "geometry.smoothstep_any": (from, to, x) => {
    const t = Math.min(Math.max((x - from) / (to - from), 0), 1);
    return t * t * (3 - 2 * t);
  },
  "math.atan2_open": Math.atan2,
  "math.sqrt": Math.sqrt,
  "math.rsqrt": (x) => 1 / Math.sqrt(x),
  "math.exp": Math.exp,
  "math.exp2": (x) => 2 ** x,
  "math.log": Math.log,
  "math.log2": Math.log2,
  "math.log10": Math.log10,
  // By the C rules, whatever it does at run time.
  "math.pow_nan": (x, y) => x ** y,
  "math.pow": (x, y) => x ** y,
  "math.ceil": Math.ceil,
  "math.floor": Math.floor,
  "math.round_even": even,
  "math.trunc": Math.trunc,
  "math.fract": (x) => x - Math.floor(x),
  "math.reciprocal": (x) => 1 / x,
  "math.mad": (x, y, z) => x * y + z,
  "geometry.mix": (x, y, s) => x + s * (y - x),
  "geometry.step": (x, y) => (y >= x ? 1 : 0),
  "math.saturate": (x) => Math.min(Math.max(x, 0), 1),
  "math.fmod_open": (x, y) => x % y,
};

const lesser = <T extends number | bigint>(a: T, b: T): T => (b < a ? b : a);
const greater = <T extends number | bigint>(a: T, b: T): T => (b > a ? b : a);

/** Of integers, in 64 bits: of no more it makes none, at run time either. */
function integerValue(op: string, [x, y, z]: readonly bigint[]): bigint | undefined {
  switch (op) {
    case "geometry.dot_integer":
      return BigInt.asIntN(64, x! * y!);
    case "math.mad":
      return BigInt.asIntN(64, x! * y! + z!);
    case "bits.reverse":
      return BigInt.asIntN(
        64,
        BigInt(`0b${[...BigInt.asUintN(64, x!).toString(2).padStart(64, "0")].reverse().join("")}`),
      );
    default:
      return undefined;
  }
}

/** Of numbers, each argument one. */
export function functionValue(op: string, values: readonly Constant[]): Constant | undefined {
  const of = <T extends number | bigint>(x: readonly T[]): T | undefined => {
    switch (op) {
      case "math.min":
      case "math.fmin":
        return lesser(x[0]!, x[1]!);
      case "math.max":
      case "math.fmax":
        return greater(x[0]!, x[1]!);
      case "math.clamp":
      case "math.fclamp":
        return lesser(greater(x[0]!, x[1]!), x[2]!);
      case "math.abs":
      case "math.fabs":
        return x[0]! < 0 ? (-x[0]! as T) : x[0]!;
      default:
        return undefined;
    }
  };
  if (values.every((v) => typeof v === "bigint")) return of(values as bigint[]) ?? integerValue(op, values);
  if (!values.every((v) => typeof v === "number")) return undefined;
  const numbers = values as number[];
  const known = of(numbers);
  if (known !== undefined) return known;
  const f = Object.hasOwn(functions, op) ? functions[op] : undefined;
  return f?.(numbers[0]!, numbers[1]!, numbers[2]!);
}

const sum = (x: readonly number[]): number => x.reduce((a, b) => a + b);

const dot = (a: readonly number[], b: readonly number[]): number => sum(a.map((v, i) => v * b[i]!));

/** Functions of whole vectors, or of one number, in double. */
const ofWhole: Readonly<
  Record<string, (x: readonly number[], y: readonly number[], z: readonly number[]) => readonly number[]>
> = {
  "geometry.normalize": (x) => {
    const scale = 1 / Math.sqrt(dot(x, x));
    return x.map((v) => v * scale);
  },
  "geometry.reflect": (i, n) => {
    const twice = 2 * dot(n, i);
    return i.map((v, k) => v - twice * n[k]!);
  },
  "geometry.refract": (i, n, [eta]) => {
    const d = dot(n, i);
    const rest = 1 - eta! * eta! * (1 - d * d);
    const along = eta! * d + Math.sqrt(rest);
    return i.map((v, k) => (rest < 0 ? 0 : eta! * v - along * n[k]!));
  },
  "geometry.faceforward": (n, i, g) => (dot(i, g) < 0 ? n : n.map((v) => -v)),
};

/** Component by component, where the function has as many as its arguments. */
export function vectorsOf(op: string, parts: readonly (readonly Constant[])[]): readonly number[] | undefined {
  const f = Object.hasOwn(ofWhole, op) ? ofWhole[op]! : undefined;
  if (!f || !parts.flat().every((v) => typeof v === "number")) return undefined;
  const size = Math.max(...parts.map((p) => p.length));
  const [x, y, z] = parts.map((p) => Array.from({ length: size }, (_, i) => p[p.length === 1 ? 0 : i] as number));
  return f(x!, y!, z!);
}

/** What DXC makes of functions of vectors of constants that have one number: of integers in 64 bits, else in double. */
export function vectorValue(op: string, vectors: readonly (readonly Constant[])[]): Constant | undefined {
  const size = Math.max(...vectors.map((v) => v.length));
  const [x, y = x!] = vectors.map((v) => Array.from({ length: size }, (_, i) => v[v.length === 1 ? 0 : i]!));
  const products = (a: readonly number[], b: readonly number[]): number[] => a.map((v, i) => v * b[i]!);
  if (op === "geometry.dot_integer")
    return [...x!, ...y].every((v) => typeof v === "bigint")
      ? BigInt.asIntN(
          64,
          (x as bigint[]).reduce((all, v, i) => all + v * (y[i] as bigint), 0n),
        )
      : undefined;
  if (![...x!, ...y].every((v) => typeof v === "number")) return undefined;
  const [a, b] = [x as number[], y as number[]];
  switch (op) {
    case "geometry.dot":
      return sum(products(a, b));
    case "geometry.length":
      return Math.sqrt(sum(products(a, a)));
    case "geometry.distance": {
      const apart = a.map((v, i) => v - b[i]!);
      return Math.sqrt(sum(products(apart, apart)));
    }
    default:
      return undefined;
  }
}
