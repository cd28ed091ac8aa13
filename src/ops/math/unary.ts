/** Functions of one float. */
import { opId } from "../../ast/op-ids.js";
import { anyFloats, define, expanded, floats, lowering, map, native, reads, tree, writes } from "../define.js";
import { domains } from "../domains.js";
import type { Cell, Expansion, OpRow } from "../row.js";
import { compare, div, k, mul, same, select } from "../trees.js";
import {
  angle,
  double,
  doubleFunctions,
  f32Only,
  noDoubleGlsl,
  noDoubleHlsl,
  notNegative,
  unit,
  upToFloat,
  inNamespaces,
} from "./cells.js";

/** Functions of double in GLSL 4.60 section 8. */
const glslDoubles: ReadonlySet<string> = new Set(
  "sqrt rsqrt floor ceil trunc round_even round fract fract_open".split(" "),
);

/** HLSL has none of double: those that are carried out on its bits, or by these. */
const hlslDoubles: Readonly<Record<string, Cell>> = {
  ...doubleFunctions,
  trunc: lowering("trunc-on-bits", { on: double }),
  sqrt: lowering("sqrt-on-bits", { on: double }),
  ...Object.fromEntries(
    "rsqrt floor ceil round_even round fract fract_open"
      .split(" ")
      .map((n) => [n, lowering("formula", { on: double })]),
  ),
};

interface Names {
  /** A name, a cell, or undefined for the op's own name. */
  readonly msl?: string | Cell | readonly Cell[];
  readonly glsl?: string | Cell | readonly Cell[];
  readonly opencl?: string | Cell | readonly Cell[];
  readonly hlsl?: string | Cell | readonly Cell[];
  readonly variant?: OpRow["variant"];
  readonly result?: OpRow["result"];
}

const cellOf = (
  given: string | Cell | readonly Cell[] | undefined,
  name: string,
  evidence: string,
): Cell | readonly Cell[] =>
  given === undefined ? native(name, evidence) : typeof given === "string" ? native(given, evidence) : given;

/** Those of them with one result, which the precise variant has too. */
export const mslExact: readonly string[] = ["fabs", "rint", "round", "floor", "ceil", "trunc", "fract"];
export const mslFast =
  "asin acos atan sinh cosh tanh asinh acosh atanh sinpi cospi tanpi exp exp2 exp10 log log2 log10 sqrt rsqrt floor ceil trunc rint round fract fabs".split(
    " ",
  );

const clNative = "exp exp2 exp10 log log2 log10 sqrt rsqrt".split(" ");

/** A function of one float; the same name everywhere unless told. */
function unary(
  name: string,
  summary: string,
  names: Names = {},
  run?: (x: number) => number,
  expand: Expansion = map(name),
): OpRow {
  const { variant, result } = names;
  const inMsl = names.msl === undefined ? name : typeof names.msl === "string" ? names.msl : undefined;
  const own = (cells: Cell | readonly Cell[]): readonly Cell[] =>
    Array.isArray(cells) ? (cells as Cell[]) : [cells as Cell];
  return define("math", opId(`math.${name}`), {
    summary,
    signature: "T -> T",
    on: anyFloats,
    expand,
    msl: [
      ...own(cellOf(names.msl, name, "MSL 3.1 6.5")),
      ...(inMsl !== undefined && mslFast.includes(inMsl)
        ? [reads(`fast::${inMsl}`, "MSL 3.1 6.5: faster variants", { on: f32Only })]
        : []),
      ...(inMsl !== undefined && mslExact.includes(inMsl)
        ? [reads(`precise::${inMsl}`, "MSL 3.1 6.5: precise variants", { on: f32Only })]
        : []),
      ...(inMsl === "saturate" ? [reads(inNamespaces(inMsl), "MSL 3.1 6.2", { on: f32Only })] : []),
    ],
    glsl: glslDoubles.has(name)
      ? cellOf(names.glsl, name, "glslang")
      : upToFloat(cellOf(names.glsl, name, "glslang"), doubleFunctions[name] ?? noDoubleGlsl),
    opencl: [
      ...own(cellOf(names.opencl, name, "clang-19")),
      ...(clNative.includes(name) ? [reads(`native_${name} half_${name}`, "clang-19", { on: f32Only })] : []),
    ],
    hlsl: upToFloat(cellOf(names.hlsl, name, "DXC"), hlslDoubles[name] ?? noDoubleHlsl),
    ...(run ? { run } : {}),
    ...(variant ? { variant } : {}),
    ...(result ? { result } : {}),
  });
}

/** Where GLSL, and HLSL of some, leaves operands open that the others define. */
function ofDomain(name: string): Names {
  const { doubles, hlsl } = domains.get(opId(`math.${name}`))!;
  const guarded = lowering("domain-guard", doubles ? {} : { on: floats });
  return {
    glsl: guarded,
    ...(hlsl === "none" ? { hlsl: lowering("formula") } : hlsl === "open" ? { hlsl: guarded } : {}),
  };
}

export const even = (x: number): number => {
  const low = Math.floor(x);
  const rest = x - low;
  if (rest < 0.5) return low === 0 && Object.is(Math.sign(x), -0) ? -0 : low;
  if (rest > 0.5) return Math.ceil(x);
  return low % 2 === 0 ? (low === 0 && x < 0 ? -0 : low) : Math.ceil(x);
};

const away = (x: number): number => Math.sign(x) * Math.floor(Math.abs(x) + (Math.abs(x) < 2 ** 52 ? 0.5 : 0));

export const unaryRows: readonly OpRow[] = [
  ...(
    [
      ["asin", angle],
      ["acos", angle],
      ["atan", angle],
      ["sinh", undefined],
      ["cosh", notNegative],
      ["tanh", unit],
      ["exp", notNegative],
      ["log", undefined],
    ] as const
  ).map(([name, result]) =>
    unary(
      name,
      `${name} of each component`,
      { ...(domains.has(`math.${name}`) ? ofDomain(name) : {}), ...(result ? { result } : {}) },
      (Math as unknown as Record<string, (x: number) => number>)[name],
    ),
  ),
  unary("asinh", "inverse hyperbolic sine", ofDomain("asinh"), Math.asinh),
  unary("acosh", "inverse hyperbolic cosine", ofDomain("acosh"), Math.acosh),
  unary("atanh", "inverse hyperbolic tangent", ofDomain("atanh"), Math.atanh),
  unary("sinpi", "sine of pi times x", { result: unit, glsl: lowering("formula"), hlsl: lowering("formula") }, (x) =>
    Math.sin(Math.PI * x),
  ),
  unary("cospi", "cosine of pi times x", { result: unit, glsl: lowering("formula"), hlsl: lowering("formula") }, (x) =>
    Math.cos(Math.PI * x),
  ),
  unary("tanpi", "tangent of pi times x", { glsl: lowering("formula"), hlsl: lowering("formula") }, (x) =>
    Math.tan(Math.PI * x),
  ),
  unary("exp2", "2 to the x", { result: notNegative }, (x) => 2 ** x),
  unary(
    "exp10",
    "10 to the x",
    { result: notNegative, glsl: lowering("formula", { on: floats }), hlsl: lowering("formula", { on: floats }) },
    (x) => 10 ** x,
  ),
  unary(
    "expm1",
    "exp(x) - 1",
    { msl: lowering("formula"), glsl: lowering("formula", { on: floats }), hlsl: lowering("formula", { on: floats }) },
    Math.expm1,
  ),
  unary("log2", "logarithm to base 2", ofDomain("log2"), Math.log2),
  unary("log10", "logarithm to base 10", { glsl: lowering("formula", { on: floats }) }, Math.log10),
  unary(
    "log1p",
    "log(1 + x)",
    { msl: lowering("formula"), glsl: lowering("formula", { on: floats }), hlsl: lowering("formula", { on: floats }) },
    Math.log1p,
  ),
  unary("sqrt", "square root", { ...ofDomain("sqrt"), result: notNegative }, Math.sqrt),
  unary("rsqrt", "1 / sqrt(x)", { ...ofDomain("rsqrt"), result: notNegative }, (x) => 1 / Math.sqrt(x)),
  unary(
    "cbrt",
    "cube root, of negative numbers too",
    { msl: lowering("formula"), glsl: lowering("formula", { on: floats }), hlsl: lowering("formula", { on: floats }) },
    Math.cbrt,
  ),
  unary("erf", "error function", {
    result: unit,
    msl: lowering("formula"),
    glsl: lowering("formula", { on: floats }),
    hlsl: lowering("formula", { on: floats }),
  }),
  unary("erfc", "1 - erf(x) without the loss for large x", {
    msl: lowering("formula"),
    glsl: lowering("formula", { on: floats }),
    hlsl: lowering("formula", { on: floats }),
  }),
  unary("tgamma", "gamma function of each component", {
    msl: lowering("gamma"),
    glsl: lowering("gamma", { on: floats }),
    hlsl: lowering("gamma", { on: floats }),
  }),
  unary("lgamma", "logarithm of the magnitude of the gamma function", {
    msl: lowering("log-gamma"),
    glsl: lowering("log-gamma", { on: floats }),
    hlsl: lowering("log-gamma", { on: floats }),
  }),
  unary("floor", "toward minus infinity", {}, Math.floor),
  unary("ceil", "toward plus infinity", {}, Math.ceil),
  unary("trunc", "toward zero", {}, Math.trunc),
  unary(
    "round_even",
    "nearest integer, ties to even",
    { msl: "rint", glsl: "roundEven", opencl: "rint", hlsl: "round" },
    even,
  ),
  unary(
    "round_away",
    "nearest integer, ties away from zero",
    { msl: "round", glsl: lowering("formula"), opencl: "round", hlsl: lowering("formula") },
    away,
  ),
  unary(
    "round",
    "nearest integer, ties as the implementation likes (GLSL); here to even",
    {
      msl: writes("rint", "math.round_even", "MSL 3.1 6.5"),
      glsl: native("round", "glslang"),
      opencl: writes("rint", "math.round_even", "clang-19"),
      hlsl: writes("round", "math.round_even", "DXC"),
    },
    even,
    map("round_even"),
  ),
  // Direct3D 11.3 22.10.7 has [0, 1) too, but DXC makes SPIR-V's Fract of it, which may be 1.
  unary(
    "fract",
    "x - floor(x), below 1",
    {
      result: { notNegative: true, magnitude: 1 },
      glsl: lowering("fraction-below-one"),
      opencl: lowering("formula"),
      hlsl: [reads("frac", "DXC", { on: floats }), lowering("fraction-below-one", { on: floats })],
    },
    (x) => Math.min(x - Math.floor(x), 0.99999994),
  ),
  unary(
    "fract_open",
    "x - floor(x); below 1 or not where the difference rounds to it (GLSL fract)",
    {
      variant: { of: "math.fract", in: "domain" },
      msl: writes("fract", "math.fract", "MSL 3.1 6.5"),
      glsl: "fract",
      opencl: expanded,
      hlsl: writes("frac", "math.fract", "DXC", { on: floats }),
    },
    (x) => Math.min(x - Math.floor(x), 0.99999994),
    tree(([x]) => same("math.fract", x!)),
  ),
  unary(
    "reciprocal",
    "1 / x, approximate where the dialect says so",
    {
      msl: expanded,
      glsl: expanded,
      opencl: [reads("native_recip half_recip", "clang-19", { on: f32Only }), expanded],
      hlsl: native("rcp", "DXC", { on: anyFloats }),
    },
    (x) => 1 / x,
    tree(([x]) => div(k(x!.type, 1), x!)),
  ),
  unary(
    "degrees",
    "radians to degrees",
    {
      msl: expanded,
      glsl: [native("degrees", "glslang", { on: floats }), expanded],
      hlsl: [native("degrees", "DXC", { on: floats }), expanded],
    },
    (x) => x * (180 / Math.PI),
    tree(([x]) => mul(x!, k(x!.type, 57.29577951308232))),
  ),
  unary(
    "radians",
    "degrees to radians",
    {
      msl: expanded,
      glsl: [native("radians", "glslang", { on: floats }), expanded],
      hlsl: [native("radians", "DXC", { on: floats }), expanded],
    },
    (x) => x * (Math.PI / 180),
    tree(([x]) => mul(x!, k(x!.type, 0.017453292519943295))),
  ),
  unary(
    "saturate",
    "x clamped to 0..1; of a NaN 0",
    {
      result: { notNegative: true, magnitude: 1 },
      glsl: expanded,
      opencl: expanded,
      hlsl: native("saturate", "DXC", { on: anyFloats }),
    },
    (x) => (x > 0 ? Math.min(x, 1) : 0),
    tree(([x]) => select(compare("gt", x!, k(x!.type, 0)), same("math.fmin", x!, k(x!.type, 1)), k(x!.type, 0))),
  ),
];
