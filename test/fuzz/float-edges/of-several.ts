/** Functions of vectors, of bounds and of edges; the fast ones of OpenCL C. See `functions.ts`. */
import type { TwoWayDialect } from "../../../src/index.js";
import type { EdgeFunction } from "./functions.js";

const { abs, fround } = Math;
const nan = (x: number): boolean => x !== x;
const finite = (...xs: number[]): boolean => xs.every((x) => abs(x) < Infinity);
/** Neither so large nor so small that a product of two could not be told. */
const moderate = (...xs: number[]): boolean => xs.every((x) => abs(x) < 1e15 && (x === 0 || abs(x) > 1e-15));
const fmin = (x: number, y: number): number => (nan(x) ? y : nan(y) ? x : x < y ? x : y);
const fmax = (x: number, y: number): number => (nan(x) ? y : nan(y) ? x : x > y ? x : y);

const vector = (call: (v: string) => string): EdgeFunction["calls"] => ({
  msl: call("float2"),
  glsl: call("vec2"),
  hlsl: call("float2"),
});
const openWhere = (
  dialects: readonly TwoWayDialect[],
  f: (...args: number[]) => boolean,
): NonNullable<EdgeFunction["open"]> => Object.fromEntries(dialects.map((d) => [d, f]));

export const functionsOfSeveral: readonly EdgeFunction[] = [
  {
    name: "smoothstep",
    operands: "fff",
    calls: {
      opencl: "smoothstep(a, b, c)",
      msl: "smoothstep(a, b, c)",
      glsl: "smoothstep(a, b, c)",
      hlsl: "smoothstep(a, b, c)",
    },
    // DXC: saturate((x - low) / (high - low)), of a NaN 0, for any edges.
    value: (low, high, x) => {
      const [over, width] = [fround(x! - low!), fround(high! - low!)];
      if (!finite(low!, high!, x!, over, width) || (width !== 0 && !moderate(over, width))) return undefined;
      const ratio = over / width;
      const t = ratio > 0 ? Math.min(ratio, 1) : 0;
      return t * t * (3 - 2 * t);
    },
    ulp: 12,
    // GLSL 4.60 8.3, OpenCL C 3.0 6.15.4, MSL 3.1 6.3: undefined for low >= high.
    open: openWhere(["opencl", "msl", "glsl"], (low, high) => !(low! < high!)),
  },
  {
    name: "clamp",
    operands: "fff",
    calls: { opencl: "clamp(a, b, c)", msl: "clamp(a, b, c)", glsl: "clamp(a, b, c)", hlsl: "clamp(a, b, c)" },
    value: (x, low, high) => {
      const r = fmin(fmax(x!, low!), high!);
      return r === 0 ? undefined : r;
    },
    ulp: 0,
    open: {
      ...openWhere(["opencl", "msl"], (_, low, high) => !(low! <= high!)),
      ...openWhere(["glsl"], (x, low, high) => nan(x!) || !(low! <= high!)),
      // D3D's min and max give the number of two of which one is a NaN; of two NaN bounds nothing is left.
      ...openWhere(["hlsl"], (_, low, high) => nan(low!) || nan(high!)),
    },
  },
  {
    name: "mix",
    operands: "ff",
    calls: { opencl: "mix(a, b, 0.25f)", msl: "mix(a, b, 0.25f)", hlsl: "lerp(a, b, 0.25f)" },
    // x + (y - x)*t where it does not cancel; of an infinite x the difference is the other infinity.
    value: (x, y) =>
      abs(x!) === Infinity && finite(y!) ? NaN : moderate(x!, y!) && x! * y! > 0 ? x! * 0.75 + y! * 0.25 : undefined,
    ulp: 4,
  },
  // GLSL 4.60 8.3: x*(1 - t) + y*t.
  {
    name: "mix of GLSL",
    operands: "ff",
    calls: { glsl: "mix(a, b, 0.25)" },
    value: (x, y) =>
      abs(x!) === Infinity && finite(y!) ? x : moderate(x!, y!) && x! * y! > 0 ? x! * 0.75 + y! * 0.25 : undefined,
    ulp: 4,
  },
  {
    name: "mix of GLSL to the end",
    operands: "ff",
    calls: { glsl: "mix(a, b, 1.0)" },
    value: (x, y) => (finite(x!, y!) && y !== 0 ? y : undefined),
    ulp: 0,
  },
  {
    name: "reflect",
    operands: "ff",
    calls: vector((v) => `reflect(${v}(a, b), ${v}(0.0, 1.0)).y`),
    value: (x, y) => (finite(x!) && abs(y!) < 1e38 && y !== 0 ? -y! : undefined),
    ulp: 0,
  },
  {
    name: "refract",
    operands: "ff",
    calls: vector((v) => `refract(${v}(1.0, -a), ${v}(0.0, 1.0), b).x`),
    value: (x, eta) => {
      const k = 1 - eta! * eta! * (1 - x! * x!);
      if (
        !moderate(x! * x!, eta! * eta!) ||
        !moderate(x! * eta! * x! * eta!) ||
        abs(k) < 1e-3 * Math.max(1, (eta! * x!) ** 2) ||
        eta === 0
      )
        return undefined;
      return k < 0 ? 0 : eta;
    },
    ulp: 1,
  },
  {
    name: "faceforward",
    operands: "ff",
    calls: vector((v) => `faceforward(${v}(b, 1.0), ${v}(a, 0.0), ${v}(1.0, 0.0)).x`),
    value: (x, y) => (finite(x!) && !nan(y!) ? (x! < 0 ? y : -y!) : undefined),
    ulp: 0,
    open: openWhere(["glsl", "hlsl", "msl"], (_, y) => y === 0),
  },
  {
    name: "normalize of GLSL, MSL, HLSL",
    operands: "ff",
    calls: vector((v) => `normalize(${v}(a, b)).x`),
    value: (x, y) => (moderate(x!, y!) && (x !== 0 || y !== 0) ? x! / Math.hypot(x!, y!) : undefined),
    ulp: 5,
  },
  {
    name: "length of GLSL, MSL, HLSL",
    operands: "ff",
    calls: vector((v) => `length(${v}(a, b))`),
    value: (x, y) => (moderate(x!, y!) ? Math.hypot(x!, y!) : undefined),
    ulp: 5,
  },
  // OpenCL C 3.0 6.15.5: of squares whose sum is a normal number within 8192 ulp; of a zero vector zero.
  {
    name: "fast_length",
    operands: "ff",
    calls: { opencl: "fast_length((float2)(a, b))" },
    value: (x, y) => (moderate(x!, y!) ? Math.hypot(x!, y!) : undefined),
    ulp: 8192,
  },
  {
    name: "fast_distance",
    operands: "ff",
    calls: { opencl: "fast_distance((float2)(a, 1.0f), (float2)(0.0f, 1.0f))" },
    value: (x) => (moderate(x!) ? abs(x!) : undefined),
    ulp: 8192,
  },
  {
    name: "fast_normalize",
    operands: "ff",
    calls: { opencl: "fast_normalize((float2)(a, b)).x" },
    value: (x, y) => {
      if (x === 0 && y === 0) return x;
      return moderate(x!, y!) ? x! / Math.hypot(x!, y!) : undefined;
    },
    ulp: 8192,
  },
  {
    name: "fast_normalize of a number",
    operands: "f",
    calls: { opencl: "fast_normalize(a)" },
    value: (x) => (x === 0 ? x : moderate(x!) ? Math.sign(x!) : undefined),
    ulp: 8192,
  },
];
