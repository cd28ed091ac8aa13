/** Sign, exponent and fraction of floats, taken apart and put together. */
import { bitcast, opCall } from "../../ast/builders.js";
import type { Expr } from "../../ast/nodes.js";
import { bitWidth, scalarOf } from "../../types/types.js";
import {
  anyFloats,
  define,
  expanded,
  floats,
  lowering,
  map,
  native,
  reads,
  routine,
  set,
  tree,
  writes,
} from "../define.js";
import { edgeTree } from "../edge-formulas.js";
import type { OpRow } from "../row.js";
import { and, bin, compare, k, mul, or, same, select, sub, test, to, withScalar } from "../trees.js";
import { double, f32Only, inNamespaces, upToFloat } from "./cells.js";

/** Subnormals are scaled up first. */
function exponentOfDouble(x: Expr): Expr {
  const i = withScalar("i32", x.type);
  const fieldOf = (e: Expr): Expr => {
    const bits = bitcast(e, withScalar("u64", x.type));
    return bin("and", to("i32", bin("shr", bits, k(bits.type, 52))), k(i, 2047));
  };
  const small = compare("eq", fieldOf(x), k(i, 0));
  const scaled = select(small, mul(x, k(x.type, 2 ** 54)), x);
  const exponent = sub(fieldOf(scaled), select(small, k(i, 1023 + 54), k(i, 1023)));
  const whole = select(compare("eq", fieldOf(x), k(i, 2047)), k(i, 2147483647), exponent);
  return select(compare("eq", x, k(x.type, 0)), k(i, -2147483648), whole);
}

/** The exponent on the bits, subnormals included. */
function exponentOf(x: Expr): Expr {
  if (scalarOf(x.type) === "f64") return exponentOfDouble(x);
  const half = scalarOf(x.type) === "f16";
  const [digits, bias] = half ? [10, 15] : [23, 127];
  const u = withScalar("u32", x.type);
  const i = withScalar("i32", x.type);
  const bits = half ? to("u32", bitcast(x, withScalar("u16", x.type))) : bitcast(x, u);
  const field = bin("and", bin("shr", bits, k(u, digits)), k(u, 2 * bias + 1));
  const fraction = bin("and", bits, k(u, 2 ** digits - 1));
  const subnormal = sub(opCall("bits.find_msb", [fraction], i), k(i, bias - 1 + digits));
  return select(
    compare("eq", field, k(u, 0)),
    select(compare("eq", fraction, k(u, 0)), k(i, -2147483648), subnormal),
    select(compare("eq", field, k(u, 2 * bias + 1)), k(i, 2147483647), sub(to("i32", field), k(i, bias))),
  );
}

/** Of a NaN by the width of its float: exponent and quiet bit, and what is left for the operand. */
const quietBits: Readonly<Record<number, readonly [quiet: number | bigint, payload: number | bigint]>> = {
  16: [0x7e00, 0x1ff],
  32: [0x7fc00000, 0x3fffff],
  64: [0x7ff8n << 48n, (1n << 51n) - 1n],
};

export const floatPartRows: readonly OpRow[] = [
  define("math", "math.copysign", {
    summary: "magnitude of x with the sign of y",
    signature: "T, T -> T",
    tellsSpecialNumbers: true,
    on: anyFloats,
    expand: map("copysign"),
    msl: [native("copysign", "MSL 3.1 6.5"), reads(inNamespaces("copysign"), "MSL 3.1 6.5", { on: f32Only })],
    glsl: lowering("copysign"),
    opencl: native("copysign", "clang-19"),
    hlsl: lowering("copysign"),
    run: (x: number, y: number) => (Math.sign(y) < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)),
  }),
  define("math", "math.nextafter", {
    summary: "the next value after x toward y",
    signature: "T, T -> T",
    on: anyFloats,
    expand: map("nextafter"),
    msl: [native("nextafter", "MSL 3.1 6.5", { needs: "msl>=3.1" }), lowering("formula")],
    glsl: lowering("formula"),
    opencl: native("nextafter", "clang-19"),
    hlsl: lowering("formula"),
  }),
  define("math", "math.ilogb", {
    summary: "exponent of x as an integer; the least integer for 0, the greatest for infinity and NaN",
    signature: "T -> I",
    on: anyFloats,
    open: {
      in: { msl: "MSL 3.1 6.5" },
      where: ([x]) => or(compare("eq", x!, 0), or(test("math.isinf", x!), test("math.isnan", x!))),
      says: "of a zero, an infinity or a NaN",
    },
    tellsSpecialNumbers: true,
    expand: tree(([x]) => exponentOf(x!)),
    // What MSL gives for 0 and NaN is the implementation's.
    msl: [reads("ilogb", "MSL 3.1 6.5"), reads(inNamespaces("ilogb"), "MSL 3.1 6.5", { on: f32Only }), expanded],
    glsl: expanded,
    opencl: native("ilogb", "clang-19, PoCL"),
    hlsl: expanded,
    run: (x: number) => (x === 0 ? -2147483648 : Number.isFinite(x) ? Math.floor(Math.log2(Math.abs(x))) : 2147483647),
  }),
  define("math", "math.logb", {
    summary: "exponent of x as a float; -infinity for 0",
    signature: "T -> T",
    on: anyFloats,
    expand: tree(([x]) => {
      const kind = scalarOf(x!.type)!;
      const special = select(test("math.isinf", x!), same("math.abs", x!), x!);
      const whole = to(kind, exponentOf(x!));
      const finite = select(compare("eq", x!, k(x!.type, 0)), k(x!.type, -Infinity), whole);
      return select(test("math.isfinite", x!), finite, special);
    }),
    msl: expanded,
    glsl: expanded,
    opencl: native("logb", "clang-19"),
    hlsl: expanded,
    run: (x: number) => (x === 0 ? -Infinity : Number.isFinite(x) ? Math.floor(Math.log2(Math.abs(x))) : Math.abs(x)),
  }),
  define("math", "math.nan", {
    summary: "a quiet NaN with the operand in its bits (OpenCL nan)",
    signature: "T -> R",
    tellsSpecialNumbers: true,
    on: set("u32 u16 u64"),
    expand: tree(([x], type) => {
      const [quiet, payload] = quietBits[bitWidth(scalarOf(type)!)]!;
      return bitcast(or(bin("and", x!, k(x!.type, payload)), k(x!.type, quiet)), type);
    }),
    msl: expanded,
    glsl: expanded,
    opencl: native("nan", "clang-19"),
    hlsl: expanded,
  }),
  define("math", "math.ldexp", {
    summary: "x * 2^n",
    signature: "T, I -> T",
    on: anyFloats,
    expand: map("ldexp"),
    msl: [native("ldexp", "MSL 3.1 6.5"), reads(inNamespaces("ldexp"), "MSL 3.1 6.5", { on: f32Only })],
    glsl: lowering("formula"),
    opencl: native("ldexp", "clang-19", { signatures: ["T, I -> T", "T, i32 -> T"] }),
    hlsl: lowering("formula"),
    run: (x: number, n: number) => x * 2 ** n,
  }),
  define("math", "math.ldexp_open", {
    variant: { of: "math.ldexp", in: "domain" },
    summary: "x * 2^n; beyond the range of x left open (GLSL ldexp)",
    signature: "T, I -> T",
    on: anyFloats,
    open: [
      {
        in: { glsl: "GLSL 4.60 8.3" },
        where: ([x, n]) => compare("gt", n!, k(n!.type, scalarOf(x!.type) === "f64" ? 1024 : 128)),
        says: "with an exponent beyond the type's",
      },
      {
        in: { glsl: "GLSL 4.60 8.3" },
        where: ([x, n]) => and(test("math.isfinite", x!), test("math.isinf", same("math.ldexp", x!, n!))),
        says: "whose product is beyond the type's range",
      },
    ],
    expand: map("ldexp"),
    msl: writes("ldexp", "math.ldexp", "MSL 3.1 6.5"),
    glsl: native("ldexp", "glslang"),
    opencl: writes("ldexp", "math.ldexp", "clang-19", { signatures: ["T, I -> T", "T, i32 -> T"] }),
    hlsl: lowering("formula"),
    run: (x: number, n: number) => x * 2 ** n,
  }),
  define("math", "math.ldexp_float", {
    summary: "x * exp2(n) for a float n (HLSL ldexp)",
    signature: "T, T -> T",
    on: floats,
    expand: tree(([x, n]) => mul(x!, same("math.exp2", n!))),
    msl: expanded,
    glsl: expanded,
    opencl: expanded,
    hlsl: native("ldexp", "DXC"),
    run: (x: number, n: number) => x * 2 ** n,
  }),
  define("math", "math.modf_fraction", {
    summary: "x - trunc(x) with the sign of x; of an infinity 0",
    signature: "T -> T",
    on: anyFloats,
    expand: tree(edgeTree("math.modf_fraction")),
    msl: lowering("formula"),
    glsl: lowering("formula"),
    opencl: lowering("formula"),
    hlsl: lowering("formula"),
  }),
  define("math", "math.modf", {
    summary: "fraction of x; the out place gets the integral part, both with the sign of x",
    signature: "T, &T -> T",
    on: anyFloats,
    expand: routine("modf"),
    msl: [native("modf", "MSL 3.1 6.5"), reads(inNamespaces("modf"), "MSL 3.1 6.5", { on: f32Only })],
    glsl: lowering("modf-parts"),
    opencl: native("modf", "clang-19", "T, *T:gwp -> T"),
    hlsl: lowering("modf-parts"),
    run: (x: number) => [x - Math.trunc(x), Math.trunc(x)],
  }),
  define("math", "math.modf_open", {
    variant: { of: "math.modf", in: "domain" },
    summary: "as modf; the fraction of an infinity left open",
    signature: "T, &T -> T",
    on: anyFloats,
    open: {
      in: { glsl: "GLSL 4.60 8.3", hlsl: "DXC" },
      where: ([x]) => test("math.isinf", x!),
      says: "of an infinity",
    },
    expand: routine("modf"),
    msl: writes("modf", "math.modf", "MSL 3.1 6.5"),
    glsl: native("modf", "glslang"),
    opencl: writes("modf", "math.modf", "clang-19", "T, *T:gwp -> T"),
    hlsl: upToFloat(native("modf", "DXC"), lowering("modf-parts", { on: double })),
    run: (x: number) => [x - Math.trunc(x), Math.trunc(x)],
  }),
  define("math", "math.fract_out", {
    summary:
      "x - floor(x), of a zero and an infinity a zero with the sign of x (OpenCL fract); the out place gets floor(x)",
    signature: "T, &T -> T",
    on: anyFloats,
    expand: routine("fract_out"),
    msl: lowering("fract-out"),
    glsl: lowering("fract-out"),
    opencl: native("fract", "clang-19", "T, *T:gwp -> T"),
    hlsl: lowering("fract-out"),
  }),
  define("math", "math.frexp", {
    summary: "fraction of x in [0.5, 1); the out place gets the exponent",
    signature: "T, &I -> T",
    on: anyFloats,
    expand: routine("frexp"),
    msl: [native("frexp", "MSL 3.1 6.5"), reads(inNamespaces("frexp"), "MSL 3.1 6.5", { on: f32Only })],
    glsl: lowering("frexp-float"),
    opencl: native("frexp", "clang-19", "T, *I:gwp -> T"),
    hlsl: lowering("frexp-float"),
  }),
  define("math", "math.frexp_open", {
    variant: { of: "math.frexp", in: "domain" },
    summary: "as frexp; of an infinity and a NaN left open (GLSL frexp)",
    signature: "T, &I -> T",
    on: anyFloats,
    open: {
      in: { glsl: "GLSL 4.60 8.3" },
      where: ([x]) => or(test("math.isinf", x!), test("math.isnan", x!)),
      says: "of an infinity or a NaN",
      places: true,
    },
    expand: routine("frexp"),
    msl: writes("frexp", "math.frexp", "MSL 3.1 6.5"),
    glsl: native("frexp", "glslang"),
    opencl: writes("frexp", "math.frexp", "clang-19", "T, *I:gwp -> T"),
    hlsl: lowering("frexp-float"),
  }),
  define("math", "math.frexp_float", {
    summary: "as frexp, the exponent as a float (HLSL)",
    signature: "T, &T -> T",
    on: f32Only,
    open: {
      in: { hlsl: "DXC" },
      where: ([x]) => or(test("math.isinf", x!), test("math.isnan", x!)),
      says: "of an infinity or a NaN",
      places: true,
    },
    expand: routine("frexp_float"),
    msl: lowering("frexp-int"),
    glsl: lowering("frexp-int"),
    opencl: lowering("frexp-int"),
    hlsl: native("frexp", "DXC"),
  }),
];
