/**
 * How far a result may be off on a Vulkan device: Vulkan 1.3, Precision and Operation of SPIR-V Instructions, carried
 * through the functions that are made of those it lists. Infinity: it may be anything.
 */
import type { TwoWayDialect } from "../../../src/index.js";
import { storedUlp, type FloatKind } from "./kinds.js";

const { abs } = Math;

/** A quotient of a sine and a cosine: near its poles nothing is left. */
const tangent = (angle: number, want: number): number =>
  angle * abs(want) < 0.1 ? 3 * angle * (1 + want * want) : Infinity;

export function vulkanError(
  name: string,
  kind: FloatKind,
  args: readonly number[],
  want: number,
  from: TwoWayDialect,
  to: "glsl" | "hlsl" = "glsl",
): number {
  const [x = 0, y = 0] = args;
  const epsilon = kind === "f16" ? 2 ** -10 : 2 ** -23;
  // Direct3D: 0.0008.
  const angle = (kind === "f16" ? 2 ** -7 : to === "hlsl" ? 0.0008 : 2 ** -11) + epsilon;
  const logarithm = kind === "f16" ? 2 ** -7 : 2 ** -21;
  const size = Math.max(1, abs(want));
  switch (name) {
    // Of angles beyond -pi..pi nothing is said, but by OpenCL C, whose are reduced.
    case "sin":
    case "cos":
      return abs(x) > Math.PI && from !== "opencl" ? Infinity : angle;
    case "tan":
      return abs(x) > Math.PI && from !== "opencl" ? Infinity : tangent(angle, want);
    // 1 / inversesqrt(x): 2.5 ulp of a quotient, 2 of its divisor, and what is made of it.
    case "sqrt":
    case "length of GLSL, MSL, HLSL":
    case "normalize of GLSL, MSL, HLSL":
    case "length":
    case "distance":
    case "hypot":
    case "normalize":
    case "normalize of a vector":
      return 10 * storedUlp(kind, want);
    case "rsqrt":
      return 3 * storedUlp(kind, want);
    case "sinpi":
    case "cospi":
      return angle;
    case "tanpi":
      return tangent(angle, want);
    // By atan2, of which 4096 ulp are granted, and a root that may lose as much.
    case "asin":
    case "acos":
    case "atan":
    case "atan2":
    case "asinpi":
    case "acospi":
    case "atanpi":
    case "atan2pi":
      return 4 * angle * size;
    case "log":
    case "log2":
    case "log10":
    case "log1p":
      return 8 * logarithm * size;
    // By logarithms and exponentials of what is near 1: there the error is absolute.
    case "asinh":
    case "acosh":
    case "atanh":
      return 64 * logarithm * size;
    case "sinh":
    case "cosh":
    case "tanh":
    case "expm1":
      return 16 * (3 + 2 * Math.min(abs(x), 100)) * epsilon * size;
    case "exp":
    case "exp2":
    case "exp10":
      return 4 * (3 + 8 * abs(x)) * epsilon * abs(want);
    case "cbrt":
      return 256 * epsilon * abs(want);
    case "pow":
    case "powr":
    case "pow for positive x":
    case "pown":
    case "rootn": {
      const exponent = name === "rootn" ? 1 / y : y;
      const power = abs(exponent * Math.log2(abs(x)));
      const lost = abs(exponent) * 2 * logarithm + (power + 3) * 8 * epsilon;
      return lost > 0.5 ? Infinity : 4 * lost * abs(want);
    }
    default:
      return 0;
  }
}
