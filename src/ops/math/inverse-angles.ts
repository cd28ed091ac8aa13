/** Angles of points, and inverse functions in half turns. */
import { anyFloats, define, expanded, lowering, map, native, reads, tree, writes } from "../define.js";
import type { OpRow } from "../row.js";
import { and, k, mul, same } from "../trees.js";
import { angle, double, f32Only, isZero, upToFloat } from "./cells.js";

export const inverseAngleRows: readonly OpRow[] = [
  define("math", "math.atan2", {
    result: angle,
    summary: "angle of (x, y), operands y, x",
    signature: "T, T -> T",
    tellsSpecialNumbers: true,
    on: anyFloats,
    expand: map("atan2"),
    msl: [native("atan2", "MSL 3.1 6.5"), reads("fast::atan2", "MSL 3.1 6.5", { on: f32Only })],
    glsl: lowering("formula"),
    opencl: native("atan2", "clang-19"),
    hlsl: lowering("formula"),
    run: Math.atan2,
  }),
  define("math", "math.atan2_open", {
    variant: { of: "math.atan2", in: "domain" },
    summary: "angle of (x, y), operands y, x; of the origin, of two infinities and of the sign of a zero left open",
    signature: "T, T -> T",
    on: anyFloats,
    open: {
      in: { glsl: "GLSL 4.60 8.1", hlsl: "DXC" },
      where: ([y, x]) => and(isZero(y!), isZero(x!)),
      says: "of the origin",
    },
    expand: map("atan2"),
    msl: writes("atan2", "math.atan2", "MSL 3.1 6.5"),
    glsl: upToFloat(native("atan", "glslang"), lowering("double-angle-of-point", { on: double })),
    opencl: writes("atan2", "math.atan2", "clang-19"),
    hlsl: upToFloat(native("atan2", "DXC"), lowering("double-angle-of-point", { on: double })),
    run: Math.atan2,
  }),
  ...(["asin", "acos", "atan"] as const).map((name) =>
    define("math", `math.${name}pi`, {
      summary: `${name}(x) / pi`,
      signature: "T -> T",
      on: anyFloats,
      expand: tree(([x]) => mul(same(`math.${name}`, x!), k(x!.type, 1 / Math.PI))),
      msl: expanded,
      glsl: expanded,
      opencl: native(`${name}pi`, "clang-19"),
      hlsl: expanded,
      run: (x: number) => Math[name](x) / Math.PI,
    }),
  ),
  define("math", "math.atan2pi", {
    summary: "atan2(y, x) / pi",
    signature: "T, T -> T",
    on: anyFloats,
    tellsSpecialNumbers: true,
    expand: tree(([y, x]) => mul(same("math.atan2", y!, x!), k(y!.type, 1 / Math.PI))),
    msl: expanded,
    glsl: expanded,
    opencl: native("atan2pi", "clang-19"),
    hlsl: expanded,
    run: (y: number, x: number) => Math.atan2(y, x) / Math.PI,
  }),
];
