/** The least and greatest, and what lies between bounds. */
import type { Expr } from "../../ast/nodes.js";
import { opId } from "../../ast/op-ids.js";
import { isFloat, scalarOf } from "../../types/types.js";
import {
  anyFloats,
  define,
  expanded,
  floats,
  integers,
  lowering,
  map,
  native,
  numbers,
  reads,
  set,
  tree,
  writes,
} from "../define.js";
import type { Open, OpRow } from "../row.js";
import { and, compare, or, same, select, test } from "../trees.js";
import { f32Only, inNamespaces, withScalarSecond } from "./cells.js";

const fmin = (x: number, y: number): number => (Number.isNaN(y) ? x : Number.isNaN(x) ? y : y < x ? y : x);

const fmax = (x: number, y: number): number => (Number.isNaN(y) ? x : Number.isNaN(x) ? y : x < y ? y : x);

/** DXC makes IMax and IMin, FMax and FMin of it. */
const reversedBounds: Open = {
  in: { msl: "MSL 3.1 6.2, 6.3", glsl: "GLSL 4.60 8.3", opencl: "OpenCL C 3.0 6.15.3, 6.15.4" },
  where: ([, low, high]) => compare("gt", low!, high!),
  says: "between bounds that are not in order",
};

const isNaN = (x: Expr): Expr => test("math.isnan", x);

/**
 * GLSL and Vulkan leave the choice open, OpenCL C the value; of MSL the fast variants are read as these. OpenCL C says the same of
 * infinities, and means the comparison that all its compilers make: kernels begin their maxima with them.
 */
const ofNaN: Open = {
  in: { msl: "MSL 3.1 6.5", glsl: "GLSL 4.60 8.3", opencl: "OpenCL C 3.0 6.15.4" },
  on: anyFloats.scalars,
  where: ([x, y]) => or(isNaN(x!), isNaN(y!)),
  says: "of a NaN",
};

const clampOfNaN: Open = {
  in: { msl: "MSL 3.1 6.2", glsl: "GLSL 4.60 8.3" },
  on: anyFloats.scalars,
  where: ([x, low, high]) => or(isNaN(x!), or(isNaN(low!), isNaN(high!))),
  says: "of a NaN",
};

/** Of two numbers and a NaN either may come. */
const differ = (nan: Expr, a: Expr, b: Expr): Expr => and(isNaN(nan), or(compare("lt", a, b), compare("gt", a, b)));

/** The function of two of this name: of floats the one that takes the number of a number and a NaN. */
const ofTwo = (name: string, x: Expr, y: Expr): Expr =>
  same(opId(`math.${isFloat(scalarOf(x.type)!) ? "f" : ""}${name}`), x, y);

export const minMaxRows: readonly OpRow[] = [
  ...(["min", "max"] as const).map((name) =>
    define("math", opId(`math.${name}`), {
      summary: `the ${name === "min" ? "lesser" : "greater"} operand; with a NaN left open`,
      signature: "T, T -> T",
      on: numbers,
      open: ofNaN,
      expand: map(name),
      msl: [
        native(name, "MSL 3.1 6.3", { on: integers }),
        reads(`fast::${name} fast::f${name}`, "MSL 3.1 6.5", { on: f32Only }),
        writes(name, `math.f${name}`, "MSL 3.1 6.5", { on: anyFloats }),
      ],
      glsl: native(name, "glslang", { signatures: withScalarSecond }),
      opencl: [
        native(name, "clang-19", { on: integers, signatures: withScalarSecond }),
        reads(name, "OpenCL C 3.0 6.15.4", { on: anyFloats, signatures: withScalarSecond }),
        writes(`f${name}`, `math.f${name}`, "OpenCL C 3.0 6.15.2", { on: anyFloats, signatures: withScalarSecond }),
      ],
      hlsl: [
        native(name, "DXC", { on: set("i32 u32 i16 u16 i64 u64") }),
        writes(name, `math.f${name}`, "DXC", { on: anyFloats }),
      ],
      run: name === "min" ? (x: number, y: number) => (y < x ? y : x) : (x: number, y: number) => (x < y ? y : x),
    }),
  ),
  ...(["fmin", "fmax"] as const).map((name) =>
    define("math", opId(`math.${name}`), {
      summary: `the ${name === "fmin" ? "lesser" : "greater"} operand; of one NaN and a number the number`,
      signature: "T, T -> T",
      tellsSpecialNumbers: true,
      on: anyFloats,
      expand: map(name),
      // One line of the table has both names: of a NaN the other operand.
      msl: native(`${name.slice(1)} ${name}`, "MSL 3.1 6.5"),
      glsl: lowering("number-min-max"),
      opencl: native(name, "clang-19", { signatures: withScalarSecond }),
      hlsl: native(name.slice(1), "DXC, D3D11 functional specification"),
      run: name === "fmin" ? fmin : fmax,
    }),
  ),
  define("math", "math.clamp", {
    summary: "min(max(x, low), high); but for HLSL low > high, and NaN, are left open",
    signature: "T, T, T -> T",
    on: numbers,
    open: [reversedBounds, clampOfNaN],
    expand: tree(([x, low, high]) => ofTwo("min", ofTwo("max", x!, low!), high!)),
    msl: [
      native("clamp", "MSL 3.1 6.3", { on: integers }),
      reads("fast::clamp precise::clamp", "MSL 3.1 6.2", { on: f32Only }),
      writes("clamp", "math.fclamp", "MSL 3.1 6.2", { on: anyFloats }),
    ],
    glsl: native("clamp", "glslang", { signatures: ["T, T, T -> T", "T, S, S -> T"] }),
    opencl: [
      native("clamp", "clang-19", { on: integers, signatures: ["T, T, T -> T", "T, S, S -> T"] }),
      writes("clamp", "math.fclamp", "clang-19", { on: anyFloats, signatures: ["T, T, T -> T", "T, S, S -> T"] }),
    ],
    hlsl: [
      native("clamp", "DXC", { on: set("i32 u32 i16 u16 i64 u64") }),
      writes("clamp", "math.fclamp", "DXC", { on: anyFloats }),
    ],
    run: (x: number, low: number, high: number) => Math.min(Math.max(x, low), high),
  }),
  define("math", "math.fclamp", {
    summary: "fmin(fmax(x, low), high), of a NaN low; but for HLSL low > high is left open",
    signature: "T, T, T -> T",
    tellsSpecialNumbers: true,
    on: anyFloats,
    open: reversedBounds,
    expand: tree(([x, low, high]) => same("math.fmin", same("math.fmax", x!, low!), high!)),
    msl: native("clamp", "MSL 3.1 6.2", { on: anyFloats }),
    glsl: lowering("number-clamp"),
    opencl: native("clamp", "clang-19, OpenCL C 3.0 6.15.4", { signatures: ["T, T, T -> T", "T, S, S -> T"] }),
    hlsl: native("clamp", "DXC, D3D11 functional specification"),
    run: (x: number, low: number, high: number) => fmin(fmax(x, low), high),
  }),
  ...(
    [
      ["fmin3", "math.fmin"],
      ["fmax3", "math.fmax"],
    ] as const
  ).map(([name, two]) =>
    define("math", opId(`math.${name}`), {
      summary: `the ${name === "fmin3" ? "least" : "greatest"} of three, NaN last`,
      signature: "T, T, T -> T",
      expand: tree(([x, y, z]) => same(two, same(two, x!, y!), z!)),
      msl: [
        native(`${name.slice(1)} ${name}`, "MSL 3.1 6.5", { needs: "msl>=2.1" }),
        reads(inNamespaces(name.slice(1), name), "MSL 3.1 6.5", { on: f32Only }),
      ],
      glsl: [reads(name.slice(1), "glslang, GL_AMD_shader_trinary_minmax", { on: anyFloats }), expanded],
      opencl: expanded,
      hlsl: expanded,
    }),
  ),
  define("math", "math.median3", {
    summary: "the middle of three; of a NaN and two numbers either of these, of one number that",
    signature: "T, T, T -> T",
    on: numbers,
    open: {
      in: { msl: "MSL 3.1 6.5", glsl: "glslang, GL_AMD_shader_trinary_minmax" },
      on: anyFloats.scalars,
      where: ([x, y, z]) => or(differ(x!, y!, z!), or(differ(y!, x!, z!), differ(z!, x!, y!))),
      says: "of a NaN and two numbers",
    },
    expand: tree(([x, y, z]) => ofTwo("max", ofTwo("min", x!, y!), ofTwo("min", ofTwo("max", x!, y!), z!))),
    msl: [
      native("median3", "MSL 3.1 6.3, 6.5", { needs: "msl>=2.1" }),
      reads("fmedian3", "MSL 3.1 6.5", { on: floats, needs: "msl>=2.1" }),
      reads(inNamespaces("median3", "fmedian3"), "MSL 3.1 6.5", { on: f32Only }),
      expanded,
    ],
    glsl: [reads("mid3", "glslang, GL_AMD_shader_trinary_minmax"), expanded],
    opencl: expanded,
    hlsl: expanded,
    run: (x: number, y: number, z: number) => Math.max(Math.min(x, y), Math.min(Math.max(x, y), z)),
  }),
  ...(["min3", "max3"] as const).map((name) =>
    define("math", opId(`math.${name}`), {
      summary: `the ${name === "min3" ? "least" : "greatest"} of three`,
      signature: "T, T, T -> T",
      on: integers,
      expand: tree(([x, y, z]) => {
        const two = opId(`math.${name.slice(0, 3)}`);
        return same(two, same(two, x!, y!), z!);
      }),
      msl: native(name, "MSL 3.1 6.3", { needs: "msl>=2.1" }),
      glsl: [reads(name, "glslang, GL_AMD_shader_trinary_minmax"), expanded],
      opencl: expanded,
      hlsl: expanded,
      run: (x: number, y: number, z: number) => (name === "min3" ? Math.min(x, y, z) : Math.max(x, y, z)),
    }),
  ),
  ...(
    [
      ["maxmag", "gt", "math.fmax"],
      ["minmag", "lt", "math.fmin"],
    ] as const
  ).map(([name, operator, otherwise]) =>
    define("math", opId(`math.${name}`), {
      summary: `the operand of ${name === "maxmag" ? "greater" : "lesser"} magnitude; of equal ones as ${otherwise.slice(5)}`,
      signature: "T, T -> T",
      on: anyFloats,
      tellsSpecialNumbers: true,
      expand: tree(([x, y]) => {
        const [a, b] = [same("math.abs", x!), same("math.abs", y!)];
        return select(compare(operator, a, b), x!, select(compare(operator, b, a), y!, same(otherwise, x!, y!)));
      }),
      msl: expanded,
      glsl: expanded,
      opencl: native(name, "clang-19"),
      hlsl: expanded,
    }),
  ),
];
