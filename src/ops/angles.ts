/**
 * How large an angle may be for its sine, cosine and tangent to be those of the angle. OpenCL C 3.0 7.4: any, and so in MSL
 * 3.1 8.2 without fast math; with it, which is Metal's default, -pi..pi, as Vulkan has it (Precision and Operation of
 * SPIR-V Instructions). The Direct3D 11.3 functional specification has -100 pi..100 pi (22.10.20).
 */
import type { OpId } from "../ast/nodes.js";
import { opId } from "../ast/op-ids.js";
import type { SourceDialect, TargetDialect } from "../dialects/ids.js";
import { anyFloats, define, floats, lowering, map, native, reads, routine, set, writes } from "./define.js";
import { double, f32Only } from "./math/cells.js";
import type { OpRow } from "./row.js";

/** The f32 below pi, and below 100 pi. */
const [belowPi, below100Pi] = [3.1415925, 314.15924];

/** Up to which the target's own functions hold. */
export const nativeAngles: Readonly<Record<TargetDialect, number>> = {
  opencl: Infinity,
  msl: belowPi,
  glsl: belowPi,
  hlsl: below100Pi,
};
/** What sources that leave large angles open may count on at most: MSL may be compiled without fast math. */
export const sourceAngles: Readonly<Record<SourceDialect, number>> = {
  opencl: 0,
  msl: Infinity,
  glsl: belowPi,
  hlsl: below100Pi,
};

/** The ops that leave large angles open, with those that do not. */
export const anyAngle: Readonly<Partial<Record<OpId, OpId>>> = {
  "math.sin_open": "math.sin",
  "math.cos_open": "math.cos",
  "math.tan_open": "math.tan",
  "math.sincos_open": "math.sincos",
};

const functions: readonly (readonly [name: "sin" | "cos" | "tan", run: (x: number) => number])[] = [
  ["sin", Math.sin],
  ["cos", Math.cos],
  ["tan", Math.tan],
];

export const angleRows: readonly OpRow[] = [
  ...functions.map(([name, run]) =>
    define("math", opId(`math.${name}`), {
      ...(name === "tan" ? {} : { result: { magnitude: 1 } }),
      summary: `${name} of each component, of any angle`,
      signature: "T -> T",
      on: anyFloats,
      expand: map(name),
      msl: [
        native(`precise::${name}`, "MSL 3.1 6.5: precise variants", { on: f32Only }),
        writes(name, opId(`math.${name}_open`), "MSL 3.1 6.5", { on: set("f16") }),
      ],
      glsl: [lowering("any-angle", { on: floats }), lowering("double-angle", { on: double })],
      opencl: [native(name, "clang-19"), reads(`half_${name}`, "clang-19", { on: f32Only })],
      hlsl: [lowering("any-angle", { on: floats }), lowering("double-angle", { on: double })],
      run,
    }),
  ),
  ...functions.map(([name, run]) =>
    define("math", opId(`math.${name}_open`), {
      variant: { of: opId(`math.${name}`), in: "domain" },
      summary: `${name} of each component; of angles beyond -pi..pi as good as the device has it`,
      signature: "T -> T",
      on: anyFloats,
      expand: map(name),
      msl: [native(name, "MSL 3.1 6.5"), reads(`fast::${name}`, "MSL 3.1 6.5: faster variants", { on: f32Only })],
      glsl: [native(name, "glslang", { on: floats }), lowering("double-angle", { on: double })],
      opencl: [writes(name, opId(`math.${name}`), "clang-19"), reads(`native_${name}`, "clang-19", { on: f32Only })],
      hlsl: [native(name, "DXC", { on: floats }), lowering("double-angle", { on: double })],
      run,
    }),
  ),
  define("math", "math.sincos", {
    summary: "sine of x, of any angle; the out place gets the cosine",
    signature: "T, &T -> T",
    on: anyFloats,
    expand: routine("sincos"),
    msl: [reads("precise::sincos", "MSL 3.1 6.5: precise variants", { on: f32Only }), lowering("sin-and-cos")],
    glsl: lowering("sin-and-cos"),
    opencl: native("sincos", "clang-19", "T, *T:gwp -> T"),
    hlsl: lowering("sin-and-cos"),
  }),
  define("math", "math.sincos_open", {
    variant: { of: "math.sincos", in: "domain" },
    summary: "sine of x; the out place gets the cosine; of angles beyond -pi..pi as good as the device has them",
    signature: "T, &T -> T",
    expand: routine("sincos"),
    msl: [native("sincos", "MSL 3.1 6.5"), reads("fast::sincos", "MSL 3.1 6.5: faster variants", { on: f32Only })],
    glsl: lowering("sin-and-cos"),
    opencl: writes("sincos", "math.sincos", "clang-19", "T, *T:gwp -> T"),
    hlsl: lowering("sin-and-cos"),
  }),
  define("math", "math.sincos_out", {
    summary: "the first out place gets the sine of x, the second the cosine (HLSL)",
    signature: "T, &T, &T -> void",
    expand: routine("sincos_out"),
    msl: lowering("sin-and-cos"),
    glsl: lowering("sin-and-cos"),
    opencl: lowering("sin-and-cos"),
    hlsl: native("sincos", "DXC"),
  }),
];
