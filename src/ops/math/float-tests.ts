/** Comparisons as functions, and classes of floats. */
import { opId } from "../../ast/op-ids.js";
import { anyFloats, define, expanded, lowering, map, native, orBfloat, reads, tree } from "../define.js";
import type { OpRow } from "../row.js";
import { boolShape, compare, or, test } from "../trees.js";
import { double, upToFloat } from "./cells.js";

export const floatTestRows: readonly OpRow[] = [
  ...(
    [
      ["isequal", "eq", "eq"],
      ["isnotequal", "ne", "ne"],
      ["isgreater", "gt", "gt"],
      ["isgreaterequal", "ge", "ge"],
      ["isless", "lt", "lt"],
      ["islessequal", "le", "le"],
    ] as const
  ).map(([name, operator]) =>
    define("math", opId(`math.${name}`), {
      summary: `componentwise ${operator} as a truth value (OpenCL)`,
      signature: "T, T -> B",
      on: anyFloats,
      expand: tree(([x, y]) => compare(operator, x!, y!)),
      msl: expanded,
      glsl: expanded,
      opencl: native(name, "clang-19", { signatures: ["T, T -> Nt"] }),
      hlsl: expanded,
    }),
  ),
  define("math", "math.islessgreater", {
    summary: "x < y or x > y (OpenCL)",
    signature: "T, T -> B",
    on: anyFloats,
    expand: tree(([x, y]) => or(compare("lt", x!, y!), compare("gt", x!, y!))),
    msl: expanded,
    glsl: expanded,
    opencl: native("islessgreater", "clang-19", { signatures: ["T, T -> Nt"] }),
    hlsl: expanded,
  }),
  define("math", "math.isunordered", {
    summary: "x or y is a NaN",
    signature: "T, T -> B",
    on: anyFloats,
    tellsSpecialNumbers: true,
    expand: tree(([x, y]) => or(test("math.isnan", x!), test("math.isnan", y!))),
    msl: native("isunordered", "MSL 3.1 6.4", { on: orBfloat(anyFloats) }),
    glsl: expanded,
    opencl: native("isunordered", "clang-19", { signatures: ["T, T -> Nt"] }),
    hlsl: expanded,
  }),
  define("math", "math.isordered", {
    summary: "neither x nor y is a NaN",
    signature: "T, T -> B",
    on: anyFloats,
    tellsSpecialNumbers: true,
    expand: tree(([x, y]) => ({
      kind: "unary",
      operator: "not",
      operand: or(test("math.isnan", x!), test("math.isnan", y!)),
      type: boolShape(x!.type),
      span: x!.span,
    })),
    msl: native("isordered", "MSL 3.1 6.4", { on: orBfloat(anyFloats) }),
    glsl: expanded,
    opencl: native("isordered", "clang-19", { signatures: ["T, T -> Nt"] }),
    hlsl: expanded,
  }),
  ...(["isnan", "isinf", "isfinite", "isnormal", "signbit"] as const).map((name) =>
    define("math", opId(`math.${name}`), {
      summary: `whether each component ${{ isnan: "is a NaN", isinf: "is an infinity", isfinite: "is neither infinite nor a NaN", isnormal: "is normal", signbit: "has its sign bit set" }[name]}`,
      signature: "T -> B",
      tellsSpecialNumbers: true,
      on: anyFloats,
      expand: map(name),
      msl: native(name, "MSL 3.1 6.4", { on: orBfloat(anyFloats) }),
      glsl: name === "isnan" || name === "isinf" ? native(name, "glslang") : lowering("float-class"),
      opencl: native(name, "clang-19", { signatures: ["T -> Nt"] }),
      hlsl: upToFloat(
        name === "isnormal"
          ? // Younger than the rest: glslang's HLSL has none.
            [reads(name, "DXC"), lowering("float-class")]
          : name === "signbit"
            ? lowering("float-class")
            : native(name, "DXC"),
        lowering("float-class", { on: double }),
      ),
      run: (x: number) =>
        ({
          isnan: Number.isNaN(x),
          isinf: Math.abs(x) === Infinity,
          isfinite: Number.isFinite(x),
          isnormal: Number.isFinite(x) && Math.abs(x) >= 2 ** -126,
          signbit: x < 0 || Object.is(x, -0),
        })[name],
    }),
  ),
];
