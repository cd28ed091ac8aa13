/** Math functions of data.md sections 10 and 11, on floats and (where the dialects have them) integers. */
import { opId } from "../ast/op-ids.js";
import {
  anyFloats,
  define,
  expanded,
  floats,
  integers,
  map,
  native,
  numbers,
  reads,
  lowering,
  refused,
  routine,
  set,
  tree,
  writes,
} from "./define.js";
import type { Cell, Expansion, Open, OpRow } from "./row.js";
import { bitcast, literalValue, opCall } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import { bitWidth, scalarOf, type ScalarKind } from "../types/types.js";
import { angleRows } from "./angles.js";
import { domains, openDomainRows } from "./domains.js";
import { edgeTree } from "./edge-formulas.js";
import { add, and, bin, boolShape, div, k, mul, nan, or, same, select, sub, test, to, withScalar } from "./trees.js";

const f32Only = set("f32");
const signedNumbers = set("f32 f16 f64 i32 i16 i8 i64");
const double = set("f64");
const noDoubleGlsl = refused("GLSL has this function of double in no version", { on: double });
const noDoubleHlsl = refused("HLSL has this function of float and half only, not of double", { on: double });
/** Cells that hold for float and half, and the reason for double. */
const upToFloat = (cells: Cell | readonly Cell[], otherwise: Cell): readonly Cell[] => [
  ...(Array.isArray(cells) ? (cells as readonly Cell[]) : [cells as Cell]).map((c) =>
    c.on || c.kind === "lowering" ? c : { ...c, on: floats },
  ),
  otherwise,
];
/** Functions of double in GLSL 4.60 section 8. */
const glslDoubles: ReadonlySet<string> = new Set(
  "sqrt rsqrt floor ceil trunc round_even round fract fract_open".split(" "),
);

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

const mslFast =
  "asin acos atan sinh cosh tanh asinh acosh atanh sinpi cospi tanpi exp exp2 exp10 log log2 log10 sqrt rsqrt floor ceil trunc rint round fract fabs".split(
    " ",
  );
const clNative = "exp exp2 exp10 log log2 log10 sqrt rsqrt".split(" ");

const notNegative = { notNegative: true } as const;
const unit = { magnitude: 1 } as const;
const angle = { magnitude: Math.PI } as const;

/** A function of one float; the same name everywhere unless told. */
function unary(
  name: string,
  summary: string,
  names: Names = {},
  run?: (x: number) => number,
  expand: Expansion = map(name),
): OpRow {
  const { variant, result } = names;
  const own = (cells: Cell | readonly Cell[]): readonly Cell[] =>
    Array.isArray(cells) ? (cells as Cell[]) : [cells as Cell];
  return define("math", opId(`math.${name}`), {
    summary,
    signature: "T -> T",
    on: anyFloats,
    expand,
    msl: [
      ...own(cellOf(names.msl, name, "MSL 3.1 6.5")),
      ...(mslFast.includes(name) ? [reads(`fast::${name}`, "MSL 3.1 6.5: faster variants", { on: f32Only })] : []),
    ],
    glsl: glslDoubles.has(name)
      ? cellOf(names.glsl, name, "glslang")
      : upToFloat(cellOf(names.glsl, name, "glslang"), noDoubleGlsl),
    opencl: [
      ...own(cellOf(names.opencl, name, "clang-19")),
      ...(clNative.includes(name) ? [reads(`native_${name} half_${name}`, "clang-19", { on: f32Only })] : []),
    ],
    hlsl: upToFloat(cellOf(names.hlsl, name, "DXC"), noDoubleHlsl),
    ...(run ? { run } : {}),
    ...(variant ? { variant } : {}),
    ...(result ? { result } : {}),
  });
}

const noHalfGlsl = lowering("formula");

/** Where GLSL, and HLSL of some, leaves operands open that the others define. */
function ofDomain(name: string): Names {
  const { doubles, hlsl } = domains[name]!;
  const guarded = lowering("domain-guard", doubles ? {} : { on: floats });
  return {
    glsl: guarded,
    ...(hlsl === "none" ? { hlsl: lowering("formula") } : hlsl === "open" ? { hlsl: lowering("domain-guard") } : {}),
  };
}

const even = (x: number): number => {
  const low = Math.floor(x);
  const rest = x - low;
  if (rest < 0.5) return low === 0 && Object.is(Math.sign(x), -0) ? -0 : low;
  if (rest > 0.5) return Math.ceil(x);
  return low % 2 === 0 ? (low === 0 && x < 0 ? -0 : low) : Math.ceil(x);
};
const away = (x: number): number => Math.sign(x) * Math.floor(Math.abs(x) + (Math.abs(x) < 2 ** 52 ? 0.5 : 0));

const unaryRows: OpRow[] = [
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
      { ...(name in domains ? ofDomain(name) : {}), ...(result ? { result } : {}) },
      (Math as unknown as Record<string, (x: number) => number>)[name]!,
    ),
  ),
  unary("asinh", "inverse hyperbolic sine", ofDomain("asinh"), Math.asinh),
  unary("acosh", "inverse hyperbolic cosine", ofDomain("acosh"), Math.acosh),
  unary("atanh", "inverse hyperbolic tangent", ofDomain("atanh"), Math.atanh),
  unary("sinpi", "sine of pi times x", { result: unit, glsl: noHalfGlsl, hlsl: lowering("formula") }, (x) =>
    Math.sin(Math.PI * x),
  ),
  unary("cospi", "cosine of pi times x", { result: unit, glsl: noHalfGlsl, hlsl: lowering("formula") }, (x) =>
    Math.cos(Math.PI * x),
  ),
  unary("tanpi", "tangent of pi times x", { glsl: noHalfGlsl, hlsl: lowering("formula") }, (x) =>
    Math.tan(Math.PI * x),
  ),
  unary("exp2", "2 to the x", { result: notNegative }, (x) => 2 ** x),
  unary(
    "exp10",
    "10 to the x",
    { result: notNegative, glsl: lowering("formula"), hlsl: lowering("formula") },
    (x) => 10 ** x,
  ),
  unary(
    "expm1",
    "exp(x) - 1",
    { msl: lowering("formula"), glsl: lowering("formula"), hlsl: lowering("formula") },
    Math.expm1,
  ),
  unary("log2", "logarithm to base 2", ofDomain("log2"), Math.log2),
  unary("log10", "logarithm to base 10", { glsl: lowering("formula") }, Math.log10),
  unary(
    "log1p",
    "log(1 + x)",
    { msl: lowering("formula"), glsl: lowering("formula"), hlsl: lowering("formula") },
    Math.log1p,
  ),
  unary("sqrt", "square root", { ...ofDomain("sqrt"), result: notNegative }, Math.sqrt),
  unary("rsqrt", "1 / sqrt(x)", { ...ofDomain("rsqrt"), result: notNegative }, (x) => 1 / Math.sqrt(x)),
  unary(
    "cbrt",
    "cube root, of negative numbers too",
    { msl: lowering("formula"), glsl: lowering("formula"), hlsl: lowering("formula") },
    Math.cbrt,
  ),
  unary("erf", "error function", {
    result: unit,
    msl: lowering("formula"),
    glsl: lowering("formula"),
    hlsl: lowering("formula"),
  }),
  unary("erfc", "1 - erf(x) without the loss for large x", {
    msl: lowering("formula"),
    glsl: lowering("formula"),
    hlsl: lowering("formula"),
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
      hlsl: "rcp",
    },
    (x) => 1 / x,
    tree(([x]) => div(k(x!.type, 1), x!)),
  ),
  unary(
    "degrees",
    "radians to degrees",
    { msl: expanded },
    (x) => x * (180 / Math.PI),
    tree(([x]) => mul(x!, k(x!.type, 57.29577951308232))),
  ),
  unary(
    "radians",
    "degrees to radians",
    { msl: expanded },
    (x) => x * (Math.PI / 180),
    tree(([x]) => mul(x!, k(x!.type, 0.017453292519943295))),
  ),
  unary(
    "saturate",
    "x clamped to 0..1; of a NaN 0",
    { result: { notNegative: true, magnitude: 1 }, glsl: expanded, opencl: expanded },
    (x) => (x > 0 ? Math.min(x, 1) : 0),
    tree(([x]) => select(op0("gt", x!, k(x!.type, 0)), same("math.min", x!, k(x!.type, 1)), k(x!.type, 0))),
  ),
];

function op0(
  operator: "gt" | "lt" | "ge" | "le" | "eq" | "ne",
  a: Parameters<typeof add>[0],
  b: Parameters<typeof add>[0],
): Parameters<typeof add>[0] {
  return { kind: "binary", operator, left: a, right: b, type: boolShape(a.type), span: a.span };
}

const isZero = (x: Expr): Expr => op0("eq", x, k(x.type, 0));

const preciseUnary = mslFast.filter(
  (name) => !["fabs", "rint", "round", "floor", "ceil", "trunc", "fract"].includes(name),
);

function precise(name: string, signature: string): OpRow {
  return define("math", opId(`math.precise_${name}`), {
    summary: `${name} to the accuracy of MSL's precise functions`,
    signature,
    variant: { of: opId(`math.${name}`), in: "accuracy" },
    on: f32Only,
    expand: tree((args) => same(name === "powr" ? "math.powr_open" : opId(`math.${name}`), ...args)),
    msl: native(`precise::${name}`, "MSL 3.1 6.5: precise variants"),
    glsl: expanded,
    opencl: expanded,
    hlsl: expanded,
  });
}

/** The exponent on the bits, subnormals included. */
function exponentOf(x: Expr): Expr {
  const half = scalarOf(x.type) === "f16";
  const [digits, bias] = half ? [10, 15] : [23, 127];
  const u = withScalar("u32", x.type);
  const i = withScalar("i32", x.type);
  const bits = half ? to("u32", bitcast(x, withScalar("u16", x.type))) : bitcast(x, u);
  const field = bin("and", bin("shr", bits, k(u, digits)), k(u, 2 * bias + 1));
  const fraction = bin("and", bits, k(u, 2 ** digits - 1));
  const subnormal = sub(opCall("bits.find_msb", [fraction], i), k(i, bias - 1 + digits));
  return select(
    op0("eq", field, k(u, 0)),
    select(op0("eq", fraction, k(u, 0)), k(i, -2147483648), subnormal),
    select(op0("eq", field, k(u, 2 * bias + 1)), k(i, 2147483647), sub(to("i32", field), k(i, bias))),
  );
}

/**
 * The sign by the last digit of n, which is not there any more in a float beyond 2^24; what such a float leaves of n is a
 * power of its own.
 */
function integerPower(x: Expr, n: Expr): Expr {
  const kind = scalarOf(x.type)!;
  if (kind === "f16") return to("f16", integerPower(to("f32", x), n));
  const power = (e: Expr): Expr => same("math.pow", same("math.abs", x), to(kind, e));
  const value = literalValue(n);
  const digits = 2 ** 24;
  const odd = op0("ne", bin("and", n, k(n.type, 1)), k(n.type, 0));
  const whole = power(n);
  let magnitude = whole;
  if (kind !== "f64" && (typeof value !== "number" || Math.abs(value) > digits)) {
    const high = bin("mul", bin("div", n, k(n.type, 256)), k(n.type, 256));
    const large = or(op0("gt", n, k(n.type, digits)), op0("lt", n, k(n.type, -digits)));
    magnitude = select(large, mul(power(high), power(sub(n, high))), whole);
  }
  return select(odd, same("math.copysign", magnitude, x), magnitude);
}

/** A half does not hold n. */
function integerRoot(x: Expr, n: Expr): Expr {
  const t = x.type;
  const kind = scalarOf(t)!;
  if (kind === "f16") return to("f16", integerRoot(to("f32", x), n));
  const odd = op0("ne", bin("and", n, k(n.type, 1)), k(n.type, 0));
  const magnitude = same("math.abs", x);
  const root = kind === "f64" ? doubleRoot(magnitude, n) : same("math.pow", magnitude, div(k(t, 1), to(kind, n)));
  const none = or(
    op0("eq", n, k(n.type, 0)),
    bin("and", op0("lt", x, k(t, 0)), op0("eq", bin("and", n, k(n.type, 1)), k(n.type, 0))),
  );
  return select(none, nan(t), select(odd, same("math.copysign", root, x), root));
}

/**
 * 1 / n is rounded, which a large x feels (of doubles up to 236 ulp): a step of Newton's on x / root^n, in two factors, which do not
 * overflow where x does not.
 */
function doubleRoot(x: Expr, n: Expr): Expr {
  const t = x.type;
  const one = k(t, 1);
  const count = same("math.abs", to("f64", n));
  const root = same("math.pow", x, div(one, count));
  const ratio = div(div(x, same("math.pow", root, sub(count, one))), root);
  const close = bin("and", op0("gt", ratio, k(t, 0.5)), op0("lt", ratio, k(t, 2)));
  const better = select(close, add(root, mul(root, div(sub(ratio, one), count))), root);
  return select(op0("lt", n, k(n.type, 0)), div(one, better), better);
}

const withScalarSecond = ["T, T -> T", "T, S -> T"];

const powr = (x: number, y: number): number => {
  if (x < 0 || Number.isNaN(x) || Number.isNaN(y)) return NaN;
  if (((x === 0 || x === Infinity) && y === 0) || (x === 1 && Math.abs(y) === Infinity)) return NaN;
  return Math.abs(x) ** y;
};
const fmin = (x: number, y: number): number => (Number.isNaN(y) ? x : Number.isNaN(x) ? y : y < x ? y : x);
const fmax = (x: number, y: number): number => (Number.isNaN(y) ? x : Number.isNaN(x) ? y : x < y ? y : x);

/** DXC makes IMax and IMin, FMax and FMin of it. */
const reversedBounds: Open = {
  in: { msl: "MSL 3.1 6.3, 6.4", glsl: "GLSL 4.60 8.3", opencl: "OpenCL C 3.0 6.15.3, 6.15.4" },
  where: ([, low, high]) => op0("gt", low!, high!),
  says: "between bounds that are not in order",
};

const leastOf = (kind: ScalarKind): number | bigint =>
  bitWidth(kind) === 64 ? -(1n << 63n) : -(2 ** (bitWidth(kind) - 1));

const otherRows: OpRow[] = [
  define("math", "math.abs", {
    result: notNegative,
    summary: "magnitude; of the least integer itself",
    signature: "T -> T",
    on: signedNumbers,
    // MSL 3.1 6.4 has |x|, which the type does not hold; GLSL and HLSL negate, and wrap.
    open: {
      in: { msl: "MSL 3.1 6.4" },
      on: set("i32 i16 i8 i64").scalars,
      where: ([x]) => op0("eq", x!, k(x!.type, leastOf(scalarOf(x!.type)!))),
      says: "of the least number",
    },
    expand: map("abs"),
    msl: [
      native("fabs", "MSL 3.1 6.5", { on: set("f32 f16"), readOnly: true }),
      native("abs", "MSL 3.1 6.4, 6.5"),
      reads("fast::fabs fast::abs", "MSL 3.1 6.5", { on: f32Only }),
    ],
    glsl: native("abs", "glslang"),
    opencl: [
      native("fabs", "clang-19", { on: anyFloats }),
      writes("abs", "bits.abs_unsigned", "clang-19", { on: set("i32 i16 i8 i64"), signatures: ["T -> M"] }),
    ],
    hlsl: native("abs", "DXC", { on: set("f32 f16 f64 i32 i16 i64") }),
    run: (x: number) => Math.abs(x),
  }),
  define("math", "math.sign", {
    result: unit,
    summary: "-1, 0 or 1 with the sign of x",
    signature: "T -> T",
    tellsSpecialNumbers: true,
    on: signedNumbers,
    expand: map("sign"),
    msl: [native("sign", "MSL 3.1 6.5", { on: set("f32 f16") }), lowering("formula")],
    glsl: [native("sign", "glslang", { on: set("i32 i16 i8 i64") }), lowering("formula")],
    opencl: [native("sign", "clang-19", { on: anyFloats }), lowering("formula")],
    hlsl: [native("sign", "DXC", { on: set("i32") }), lowering("sign-by-integer", { on: floats }), lowering("formula")],
    run: (x: number) => (Number.isNaN(x) ? 0 : Math.sign(x)),
  }),
  define("math", "math.sign_open", {
    variant: { of: "math.sign", in: "domain" },
    summary: "-1, 0 or 1 with the sign of x; of a NaN, and the sign of a zero, left open (GLSL sign)",
    signature: "T -> T",
    on: anyFloats,
    expand: map("sign"),
    msl: writes("sign", "math.sign", "MSL 3.1 6.5", { on: set("f32 f16") }),
    glsl: native("sign", "glslang"),
    opencl: writes("sign", "math.sign", "clang-19"),
    hlsl: [lowering("sign-by-integer", { on: floats }), lowering("formula")],
    run: (x: number) => (Number.isNaN(x) ? 0 : Math.sign(x)),
  }),
  define("math", "math.sign_integer", {
    summary: "-1, 0 or 1 as an integer (HLSL sign)",
    signature: "T -> I",
    on: set("f32 f16 u32 i16 u16 i64 u64"),
    expand: tree(([x]) => {
      const is = (operator: "gt" | "lt" | "ne"): Expr => to("i32", op0(operator, x!, k(x!.type, 0)));
      return scalarOf(x!.type)![0] === "u" ? is("ne") : sub(is("gt"), is("lt"));
    }),
    msl: expanded,
    glsl: expanded,
    opencl: expanded,
    hlsl: native("sign", "DXC"),
    run: (x: number) => (Number.isNaN(x) ? 0 : Math.sign(x)),
  }),
  ...(["min", "max"] as const).map((name) =>
    define("math", opId(`math.${name}`), {
      summary: `the ${name === "min" ? "lesser" : "greater"} operand; which one with a NaN is left open`,
      signature: "T, T -> T",
      on: numbers,
      expand: map(name),
      msl: [native(name, "MSL 3.1 6.4, 6.5"), reads(`fast::${name}`, "MSL 3.1 6.5", { on: f32Only })],
      glsl: native(name, "glslang", { signatures: withScalarSecond }),
      opencl: native(name, "clang-19", { signatures: withScalarSecond }),
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
      msl: [native(name, "MSL 3.1 6.5"), reads(`fast::${name}`, "MSL 3.1 6.5", { on: f32Only })],
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
    open: reversedBounds,
    expand: tree(([x, low, high]) => same("math.min", same("math.max", x!, low!), high!)),
    msl: [
      native("clamp", "MSL 3.1 6.4", { on: integers }),
      writes("clamp", "math.fclamp", "MSL 3.1 6.3", { on: anyFloats }),
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
    msl: [native("clamp", "MSL 3.1 6.3", { on: anyFloats }), reads("fast::clamp", "MSL 3.1 6.3", { on: f32Only })],
    glsl: lowering("number-clamp"),
    opencl: native("clamp", "clang-19, OpenCL C 3.0 6.15.4", { signatures: ["T, T, T -> T", "T, S, S -> T"] }),
    hlsl: native("clamp", "DXC, D3D11 functional specification"),
    run: (x: number, low: number, high: number) => fmin(fmax(x, low), high),
  }),
  define("math", "math.atan2", {
    result: angle,
    summary: "angle of (x, y), operands y, x",
    signature: "T, T -> T",
    tellsSpecialNumbers: true,
    on: anyFloats,
    expand: map("atan2"),
    msl: [native("atan2", "MSL 3.1 6.5"), reads("fast::atan2", "MSL 3.1 6.5", { on: f32Only })],
    glsl: upToFloat(lowering("formula", { on: floats }), noDoubleGlsl),
    opencl: native("atan2", "clang-19"),
    hlsl: upToFloat(lowering("formula", { on: floats }), noDoubleHlsl),
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
    glsl: upToFloat(native("atan", "glslang"), noDoubleGlsl),
    opencl: writes("atan2", "math.atan2", "clang-19"),
    hlsl: upToFloat(native("atan2", "DXC"), noDoubleHlsl),
    run: Math.atan2,
  }),
  define("math", "math.pow", {
    summary: "x to the y by the C rules, negative x included",
    signature: "T, T -> T",
    on: anyFloats,
    expand: map("pow"),
    msl: [native("pow", "MSL 3.1 6.5"), reads("fast::pow", "MSL 3.1 6.5", { on: f32Only })],
    glsl: [lowering("formula", { on: floats }), noDoubleGlsl],
    opencl: native("pow", "clang-19"),
    hlsl: [lowering("formula", { on: floats }), noDoubleHlsl],
    run: (x: number, y: number) => x ** y,
  }),
  define("math", "math.powr", {
    summary: "x to the y by logarithms: no number for negative x, nor 0^0, infinity^0 and 1^infinity",
    signature: "T, T -> T",
    on: anyFloats,
    expand: tree(edgeTree("math.powr")),
    msl: lowering("formula"),
    glsl: [lowering("formula", { on: floats }), noDoubleGlsl],
    opencl: [native("powr", "clang-19, PoCL"), reads("native_powr half_powr", "clang-19", { on: f32Only })],
    hlsl: [lowering("formula", { on: floats }), noDoubleHlsl],
    run: powr,
  }),
  define("math", "math.powr_open", {
    variant: { of: "math.powr", in: "domain" },
    summary: "as powr; of negative x, and where powr gives no number, left open (MSL powr)",
    signature: "T, T -> T",
    open: { in: { msl: "MSL 3.1 6.5" }, where: ([x]) => op0("lt", x!, k(x!.type, 0)), says: "of a negative number" },
    expand: tree(edgeTree("math.powr_open")),
    msl: [native("powr", "MSL 3.1 6.5"), reads("fast::powr", "MSL 3.1 6.5", { on: f32Only })],
    glsl: lowering("formula"),
    opencl: writes("powr", "math.powr", "clang-19"),
    hlsl: lowering("formula"),
    run: powr,
  }),
  define("math", "math.pow_nan", {
    variant: { of: "math.pow", in: "edges" },
    summary: "x to the y, no number for negative x, 0^0 left open (HLSL pow)",
    signature: "T, T -> T",
    open: {
      in: { hlsl: "D3D11 functional specification" },
      where: ([x, y]) => and(isZero(x!), isZero(y!)),
      says: "of 0 to the 0",
    },
    expand: tree(edgeTree("math.pow_nan")),
    msl: lowering("formula"),
    glsl: lowering("formula"),
    opencl: writes("powr", "math.powr", "clang-19"),
    hlsl: native("pow", "DXC"),
    run: powr,
  }),
  define("math", "math.pow_open", {
    variant: { of: "math.pow", in: "domain" },
    summary: "x to the y for positive x, or x of 0 and positive y; else left open (GLSL pow)",
    signature: "T, T -> T",
    open: {
      in: { glsl: "GLSL 4.60 8.2" },
      where: ([x, y]) => {
        const zero = k(x!.type, 0);
        return or(op0("lt", x!, zero), and(isZero(x!), op0("le", y!, zero)));
      },
      says: "of a negative number, or of 0 to a power that is not positive",
    },
    expand: map("pow"),
    msl: writes("powr", "math.powr_open", "MSL 3.1 6.5"),
    glsl: native("pow", "glslang"),
    opencl: writes("powr", "math.powr", "clang-19"),
    hlsl: writes("pow", "math.pow_nan", "DXC"),
    run: (x: number, y: number) => x ** y,
  }),
  define("math", "math.pown", {
    summary: "x to an integer power",
    signature: "T, I -> T",
    on: anyFloats,
    expand: tree(([x, n]) => integerPower(x!, n!)),
    msl: expanded,
    glsl: [lowering("expand", { on: floats }), noDoubleGlsl],
    opencl: native("pown", "clang-19"),
    hlsl: [lowering("expand", { on: floats }), noDoubleHlsl],
    run: (x: number, n: number) => x ** n,
  }),
  define("math", "math.hypot", {
    result: notNegative,
    summary: "sqrt(x*x + y*y) without overflow in between",
    signature: "T, T -> T",
    on: anyFloats,
    expand: map("hypot"),
    msl: lowering("formula"),
    glsl: lowering("formula"),
    opencl: native("hypot", "clang-19"),
    hlsl: lowering("formula"),
    run: Math.hypot,
  }),
  define("math", "math.fmod", {
    summary: "x - y*trunc(x/y), sign of x",
    signature: "T, T -> T",
    on: anyFloats,
    expand: map("fmod"),
    msl: [native("fmod", "MSL 3.1 6.5"), reads("fast::fmod", "MSL 3.1 6.5", { on: f32Only })],
    glsl: lowering("exact-remainder"),
    opencl: native("fmod", "clang-19"),
    hlsl: upToFloat(lowering("exact-remainder", { on: floats }), noDoubleHlsl),
    run: (x: number, y: number) => x % y,
  }),
  define("math", "math.fmod_open", {
    variant: { of: "math.fmod", in: "domain" },
    summary: "as fmod, for quotients that a float holds (HLSL fmod and %)",
    signature: "T, T -> T",
    on: anyFloats,
    expand: map("fmod"),
    msl: writes("fmod", "math.fmod", "MSL 3.1 6.5"),
    glsl: lowering("exact-remainder"),
    opencl: writes("fmod", "math.fmod", "clang-19"),
    hlsl: upToFloat(native("fmod", "DXC"), noDoubleHlsl),
    run: (x: number, y: number) => x % y,
  }),
  define("math", "math.mod", {
    summary: "x - y*floor(x/y), sign of y (GLSL mod)",
    signature: "T, T -> T",
    on: anyFloats,
    expand: tree(([x, y]) => sub(x!, mul(y!, same("math.floor", div(x!, y!))))),
    msl: expanded,
    glsl: native("mod", "glslang", { signatures: withScalarSecond }),
    opencl: expanded,
    hlsl: expanded,
    run: (x: number, y: number) => x - y * Math.floor(x / y),
  }),
  define("math", "math.remainder", {
    summary: "x - y*round_even(x/y)",
    signature: "T, T -> T",
    on: anyFloats,
    expand: map("remainder"),
    msl: lowering("exact-remainder"),
    glsl: lowering("exact-remainder"),
    opencl: native("remainder", "clang-19"),
    hlsl: lowering("exact-remainder"),
    run: (x: number, y: number) => x - y * even(x / y),
  }),
  define("math", "math.fma", {
    summary: "x*y + z rounded once",
    signature: "T, T, T -> T",
    on: anyFloats,
    expand: map("fma"),
    msl: [native("fma", "MSL 3.1 6.5"), reads("fast::fma", "MSL 3.1 6.5", { on: f32Only })],
    glsl: lowering("fused-multiply-add", { assumes: "fma rounds once" }),
    opencl: native("fma", "clang-19"),
    hlsl: [
      native("fma", "DXC", { on: double }),
      lowering("fused-multiply-add", { assumes: "mad rounds once, as fma does" }),
    ],
    run: (x: number, y: number, z: number) => x * y + z,
  }),
  define("math", "math.fma_open", {
    variant: { of: "math.fma", in: "domain" },
    summary: "x*y + z, rounded once or twice (GLSL fma; Vulkan has it as a product and a sum)",
    signature: "T, T, T -> T",
    on: anyFloats,
    expand: map("fma"),
    msl: writes("fma", "math.fma", "MSL 3.1 6.5"),
    glsl: native("fma", "glslang; data.md 10"),
    opencl: writes("fma", "math.fma", "clang-19"),
    hlsl: [writes("fma", "math.fma", "DXC", { on: double }), lowering("fused-multiply-add")],
    run: (x: number, y: number, z: number) => x * y + z,
  }),
  define("math", "math.mad", {
    summary: "x*y + z, rounded once or twice as the dialect likes; here twice",
    signature: "T, T, T -> T",
    on: set("f32 f16 f64 i32 u32 i16 u16 i64 u64"),
    expand: tree(([x, y, z]) => add(mul(x!, y!), z!)),
    msl: [lowering("wrapping-sum", { on: integers }), expanded],
    glsl: expanded,
    opencl: [native("mad", "clang-19", { on: anyFloats }), lowering("wrapping-sum")],
    hlsl: [native("mad", "DXC", { on: set("f32 f16 i32 u32 i16 u16 i64 u64") }), expanded],
    run: (x: number, y: number, z: number) => x * y + z,
  }),
  define("math", "math.divide", {
    summary: "x / y, approximate where the dialect says so",
    signature: "T, T -> T",
    expand: tree(([x, y]) => div(x!, y!)),
    msl: [reads("divide fast::divide precise::divide", "MSL 3.1 6.5", { on: f32Only }), expanded],
    glsl: expanded,
    opencl: [reads("native_divide half_divide", "clang-19", { on: f32Only }), expanded],
    hlsl: expanded,
    run: (x: number, y: number) => x / y,
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
      msl: native(name, "MSL 3.1 6.5", { needs: "msl>=2.1" }),
      glsl: expanded,
      opencl: expanded,
      hlsl: expanded,
    }),
  ),
  define("math", "math.median3", {
    summary: "the middle of three",
    signature: "T, T, T -> T",
    on: numbers,
    expand: tree(([x, y, z]) =>
      same("math.max", same("math.min", x!, y!), same("math.min", same("math.max", x!, y!), z!)),
    ),
    msl: [
      native("median3", "MSL 3.1 6.4, 6.5", { needs: "msl>=2.1" }),
      reads("fmedian3", "MSL 3.1 6.5", { on: floats, needs: "msl>=2.1" }),
      expanded,
    ],
    glsl: expanded,
    opencl: expanded,
    hlsl: expanded,
    run: (x: number, y: number, z: number) => Math.max(Math.min(x, y), Math.min(Math.max(x, y), z)),
  }),
  // Promises of accuracy that plain functions of MSL do not make under fast math; the other dialects have one form.
  ...preciseUnary.map((name) => precise(name, "T -> T")),
  ...(["pow", "powr", "atan2", "fmod", "fmin", "fmax"] as const).map((name) => precise(name, "T, T -> T")),
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
      expand: tree(([x, y]) => op0(operator, x!, y!)),
      msl: expanded,
      glsl: expanded,
      opencl: native(name, "clang-19", { signatures: ["T, T -> Nt"] }),
      hlsl: expanded,
    }),
  ),
  define("math", "math.islessgreater", {
    summary: "x < y or x > y (OpenCL)",
    signature: "T, T -> B",
    expand: tree(([x, y]) => or(op0("lt", x!, y!), op0("gt", x!, y!))),
    msl: expanded,
    glsl: expanded,
    opencl: native("islessgreater", "clang-19", { signatures: ["T, T -> Nt"] }),
    hlsl: expanded,
  }),
  define("math", "math.isunordered", {
    summary: "x or y is a NaN",
    signature: "T, T -> B",
    tellsSpecialNumbers: true,
    expand: tree(([x, y]) => or(test("math.isnan", x!), test("math.isnan", y!))),
    msl: native("isunordered", "MSL 3.1 6.3"),
    glsl: expanded,
    opencl: native("isunordered", "clang-19", { signatures: ["T, T -> Nt"] }),
    hlsl: expanded,
  }),
  define("math", "math.isordered", {
    summary: "neither x nor y is a NaN",
    signature: "T, T -> B",
    tellsSpecialNumbers: true,
    expand: tree(([x, y]) => ({
      kind: "unary",
      operator: "not",
      operand: or(test("math.isnan", x!), test("math.isnan", y!)),
      type: boolShape(x!.type),
      span: x!.span,
    })),
    msl: native("isordered", "MSL 3.1 6.3"),
    glsl: expanded,
    opencl: native("isordered", "clang-19", { signatures: ["T, T -> Nt"] }),
    hlsl: expanded,
  }),
  define("math", "math.copysign", {
    summary: "magnitude of x with the sign of y",
    signature: "T, T -> T",
    tellsSpecialNumbers: true,
    on: anyFloats,
    expand: map("copysign"),
    msl: native("copysign", "MSL 3.1 6.5"),
    glsl: lowering("copysign"),
    opencl: native("copysign", "clang-19"),
    hlsl: lowering("copysign"),
    run: (x: number, y: number) => (Math.sign(y) < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)),
  }),
  define("math", "math.nextafter", {
    summary: "the next value after x toward y",
    signature: "T, T -> T",
    expand: map("nextafter"),
    msl: [native("nextafter", "MSL 3.1 6.5", { needs: "msl>=3.1" }), lowering("formula")],
    glsl: lowering("formula"),
    opencl: native("nextafter", "clang-19"),
    hlsl: lowering("formula"),
  }),
  define("math", "math.ilogb", {
    summary: "exponent of x as an integer; the least integer for 0, the greatest for infinity and NaN",
    signature: "T -> I",
    tellsSpecialNumbers: true,
    expand: tree(([x]) => exponentOf(x!)),
    // What MSL gives for 0 and NaN is the implementation's.
    msl: [reads("ilogb", "MSL 3.1 6.5"), expanded],
    glsl: expanded,
    opencl: native("ilogb", "clang-19, PoCL"),
    hlsl: expanded,
    run: (x: number) => (x === 0 ? -2147483648 : Number.isFinite(x) ? Math.floor(Math.log2(Math.abs(x))) : 2147483647),
  }),
  define("math", "math.logb", {
    summary: "exponent of x as a float; -infinity for 0",
    signature: "T -> T",
    expand: tree(([x]) => {
      const kind = scalarOf(x!.type)!;
      const special = select(test("math.isinf", x!), same("math.abs", x!), x!);
      const whole = to(kind, exponentOf(x!));
      const finite = select(op0("eq", x!, k(x!.type, 0)), k(x!.type, -Infinity), whole);
      return select(test("math.isfinite", x!), finite, special);
    }),
    msl: expanded,
    glsl: expanded,
    opencl: native("logb", "clang-19"),
    hlsl: expanded,
    run: (x: number) => (x === 0 ? -Infinity : Number.isFinite(x) ? Math.floor(Math.log2(Math.abs(x))) : Math.abs(x)),
  }),
  ...(
    [
      ["maxmag", "gt", "math.fmax"],
      ["minmag", "lt", "math.fmin"],
    ] as const
  ).map(([name, operator, otherwise]) =>
    define("math", opId(`math.${name}`), {
      summary: `the operand of ${name === "maxmag" ? "greater" : "lesser"} magnitude; of equal ones as ${otherwise.slice(5)}`,
      signature: "T, T -> T",
      tellsSpecialNumbers: true,
      expand: tree(([x, y]) => {
        const [a, b] = [same("math.abs", x!), same("math.abs", y!)];
        return select(op0(operator, a, b), x!, select(op0(operator, b, a), y!, same(otherwise, x!, y!)));
      }),
      msl: expanded,
      glsl: expanded,
      opencl: native(name, "clang-19"),
      hlsl: expanded,
    }),
  ),
  define("math", "math.nan", {
    summary: "a quiet NaN with the operand in its bits (OpenCL nan)",
    signature: "T -> F",
    tellsSpecialNumbers: true,
    on: set("u32"),
    expand: tree(([x], type) => bitcast(or(bin("and", x!, k(x!.type, 0x3fffff)), k(x!.type, 0x7fc00000)), type)),
    msl: expanded,
    glsl: expanded,
    opencl: native("nan", "clang-19"),
    hlsl: expanded,
  }),
  define("math", "math.rootn", {
    summary: "the n-th root of x; of negative x for odd n",
    signature: "T, I -> T",
    on: anyFloats,
    expand: tree(([x, n]) => integerRoot(x!, n!)),
    msl: lowering("formula"),
    glsl: [lowering("formula", { on: floats }), noDoubleGlsl],
    opencl: native("rootn", "clang-19"),
    hlsl: [lowering("formula", { on: floats }), noDoubleHlsl],
  }),
  ...(["asin", "acos", "atan"] as const).map((name) =>
    define("math", `math.${name}pi`, {
      summary: `${name}(x) / pi`,
      signature: "T -> T",
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
    tellsSpecialNumbers: true,
    expand: tree(([y, x]) => mul(same("math.atan2", y!, x!), k(y!.type, 1 / Math.PI))),
    msl: expanded,
    glsl: expanded,
    opencl: native("atan2pi", "clang-19"),
    hlsl: expanded,
    run: (y: number, x: number) => Math.atan2(y, x) / Math.PI,
  }),
  define("math", "math.fdim", {
    summary: "x - y where x > y, else +0",
    signature: "T, T -> T",
    on: anyFloats,
    expand: tree(([x, y]) =>
      select(or(op0("gt", x!, y!), or(test("math.isnan", x!), test("math.isnan", y!))), sub(x!, y!), k(x!.type, 0)),
    ),
    msl: native("fdim", "MSL 3.1 6.5"),
    glsl: expanded,
    opencl: native("fdim", "clang-19"),
    hlsl: expanded,
    run: (x: number, y: number) => (Number.isNaN(x) || Number.isNaN(y) ? NaN : x > y ? x - y : 0),
  }),
  ...(["min3", "max3"] as const).map((name) =>
    define("math", opId(`math.${name}`), {
      summary: `the ${name === "min3" ? "least" : "greatest"} of three`,
      signature: "T, T, T -> T",
      on: numbers,
      expand: tree(([x, y, z]) =>
        same(opId(`math.${name.slice(0, 3)}`), same(opId(`math.${name.slice(0, 3)}`), x!, y!), z!),
      ),
      msl: native(name, "MSL 3.1 6.4, 6.5", { needs: "msl>=2.1" }),
      glsl: expanded,
      opencl: expanded,
      hlsl: expanded,
      run: (x: number, y: number, z: number) => (name === "min3" ? Math.min(x, y, z) : Math.max(x, y, z)),
    }),
  ),
  define("math", "math.ldexp", {
    summary: "x * 2^n",
    signature: "T, I -> T",
    on: anyFloats,
    expand: map("ldexp"),
    msl: native("ldexp", "MSL 3.1 6.5"),
    glsl: lowering("formula"),
    opencl: native("ldexp", "clang-19", { signatures: ["T, I -> T", "T, i32 -> T"] }),
    hlsl: [lowering("formula", { on: floats }), noDoubleHlsl],
    run: (x: number, n: number) => x * 2 ** n,
  }),
  define("math", "math.ldexp_open", {
    variant: { of: "math.ldexp", in: "domain" },
    summary: "x * 2^n; beyond the range of x left open (GLSL ldexp)",
    signature: "T, I -> T",
    on: anyFloats,
    open: {
      in: { glsl: "GLSL 4.60 8.3" },
      where: ([x, n]) => op0("gt", n!, k(n!.type, scalarOf(x!.type) === "f64" ? 1024 : 128)),
      says: "with an exponent beyond the type's",
    },
    expand: map("ldexp"),
    msl: writes("ldexp", "math.ldexp", "MSL 3.1 6.5"),
    glsl: native("ldexp", "glslang"),
    opencl: writes("ldexp", "math.ldexp", "clang-19", { signatures: ["T, I -> T", "T, i32 -> T"] }),
    hlsl: [lowering("formula", { on: floats }), noDoubleHlsl],
    run: (x: number, n: number) => x * 2 ** n,
  }),
  define("math", "math.ldexp_float", {
    summary: "x * exp2(n) for a float n (HLSL ldexp)",
    signature: "T, T -> T",
    on: f32Only,
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
    msl: native("modf", "MSL 3.1 6.5"),
    glsl: lowering("modf-parts"),
    opencl: native("modf", "clang-19", "T, *T:gwp -> T"),
    hlsl: upToFloat(lowering("modf-parts", { on: floats }), noDoubleHlsl),
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
    hlsl: upToFloat(native("modf", "DXC"), noDoubleHlsl),
    run: (x: number) => [x - Math.trunc(x), Math.trunc(x)],
  }),
  define("math", "math.fract_out", {
    summary:
      "x - floor(x), of a zero and an infinity a zero with the sign of x (OpenCL fract); the out place gets floor(x)",
    signature: "T, &T -> T",
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
    msl: native("frexp", "MSL 3.1 6.5"),
    glsl: lowering("frexp-float"),
    opencl: native("frexp", "clang-19", "T, *I:gwp -> T"),
    hlsl: [lowering("frexp-float", { on: floats }), refused("HLSL has frexp of float only")],
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
    },
    expand: routine("frexp"),
    msl: writes("frexp", "math.frexp", "MSL 3.1 6.5"),
    glsl: native("frexp", "glslang"),
    opencl: writes("frexp", "math.frexp", "clang-19", "T, *I:gwp -> T"),
    hlsl: [lowering("frexp-float", { on: floats }), refused("HLSL has frexp of float only")],
  }),
  define("math", "math.frexp_float", {
    summary: "as frexp, the exponent as a float (HLSL)",
    signature: "T, &T -> T",
    on: f32Only,
    open: {
      in: { hlsl: "DXC" },
      where: ([x]) => or(test("math.isinf", x!), test("math.isnan", x!)),
      says: "of an infinity or a NaN",
    },
    expand: routine("frexp_float"),
    msl: lowering("frexp-int"),
    glsl: lowering("frexp-int"),
    opencl: lowering("frexp-int"),
    hlsl: native("frexp", "DXC"),
  }),
  ...(["isnan", "isinf", "isfinite", "isnormal", "signbit"] as const).map((name) =>
    define("math", opId(`math.${name}`), {
      summary: `whether each component ${{ isnan: "is a NaN", isinf: "is an infinity", isfinite: "is neither infinite nor a NaN", isnormal: "is normal", signbit: "has its sign bit set" }[name]}`,
      signature: "T -> B",
      tellsSpecialNumbers: true,
      on: anyFloats,
      expand: map(name),
      msl: native(name, "MSL 3.1 6.3"),
      glsl: name === "isnan" || name === "isinf" ? native(name, "glslang") : lowering("float-class"),
      opencl: native(name, "clang-19", { signatures: ["T -> Nt"] }),
      hlsl: upToFloat(
        name === "isnormal" || name === "signbit" ? lowering("float-class") : native(name, "DXC"),
        noDoubleHlsl,
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

export const mathRows: readonly OpRow[] = [...unaryRows, ...angleRows, ...openDomainRows, ...otherRows];
