/** Powers and roots. */
import { comma, literalValue } from "../../ast/builders.js";
import type { Expr } from "../../ast/nodes.js";
import { isPure } from "../../ast/walk.js";
import { scalarOf } from "../../types/types.js";
import { anyFloats, define, expanded, floats, lowering, map, native, reads, tree, writes } from "../define.js";
import { edgeTree } from "../edge-formulas.js";
import type { OpRow } from "../row.js";
import { add, and, bin, compare, div, k, mul, nan, or, same, select, sub, test, to } from "../trees.js";
import { double, f32Only, isZero, notNegative } from "./cells.js";

const powr = (x: number, y: number): number => {
  if (x < 0 || Number.isNaN(x) || Number.isNaN(y)) return NaN;
  if (((x === 0 || x === Infinity) && y === 0) || (x === 1 && Math.abs(y) === Infinity)) return NaN;
  return Math.abs(x) ** y;
};

/** exp2(y * log2(x)), as devices compute it (Vulkan, precision of `pow`): of infinity^0 and 1^infinity no number, nor of a NaN. */
function powerOfLogarithm(x: Expr, y: Expr): Expr {
  const power = same("math.pow", x, y);
  const exponent = literalValue(y);
  if (typeof exponent === "number" && Number.isFinite(exponent) && exponent !== 0) return power;
  const none = or(
    and(test("math.isinf", x), compare("eq", y, k(y.type, 0))),
    and(compare("eq", x, k(x.type, 1)), test("math.isinf", y)),
  );
  const unordered = or(test("math.isnan", x), test("math.isnan", y));
  return select(or(none, unordered), nan(x.type), power);
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
  const odd = compare("ne", bin("and", n, k(n.type, 1)), k(n.type, 0));
  const whole = power(n);
  let magnitude = whole;
  if (kind !== "f64" && (typeof value !== "number" || Math.abs(value) > digits)) {
    const high = bin("mul", bin("div", n, k(n.type, 256)), k(n.type, 256));
    const large = or(compare("gt", n, k(n.type, digits)), compare("lt", n, k(n.type, -digits)));
    magnitude = select(large, mul(power(high), power(sub(n, high))), whole);
  }
  return select(odd, same("math.copysign", magnitude, x), magnitude);
}

/** A half does not hold n. */
function integerRoot(x: Expr, n: Expr): Expr {
  const t = x.type;
  const kind = scalarOf(t)!;
  if (kind === "f16") return to("f16", integerRoot(to("f32", x), n));
  const odd = compare("ne", bin("and", n, k(n.type, 1)), k(n.type, 0));
  const magnitude = same("math.abs", x);
  const root = kind === "f64" ? doubleRoot(magnitude, n) : same("math.pow", magnitude, div(k(t, 1), to(kind, n)));
  const none = or(
    compare("eq", n, k(n.type, 0)),
    bin("and", compare("lt", x, k(t, 0)), compare("eq", bin("and", n, k(n.type, 1)), k(n.type, 0))),
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
  const close = bin("and", compare("gt", ratio, k(t, 0.5)), compare("lt", ratio, k(t, 2)));
  const better = select(close, add(root, mul(root, div(sub(ratio, one), count))), root);
  return select(compare("lt", n, k(n.type, 0)), div(one, better), better);
}

export const powerRows: readonly OpRow[] = [
  define("math", "math.pow", {
    summary: "x to the y by the C rules, negative x included",
    signature: "T, T -> T",
    on: anyFloats,
    expand: map("pow"),
    msl: [native("pow", "MSL 3.1 6.5"), reads("fast::pow", "MSL 3.1 6.5", { on: f32Only })],
    glsl: [lowering("formula", { on: floats }), lowering("double-power", { on: double })],
    opencl: native("pow", "clang-19"),
    hlsl: [lowering("formula", { on: floats }), lowering("double-power", { on: double })],
    run: (x: number, y: number) => x ** y,
  }),
  define("math", "math.powr", {
    summary: "x to the y by logarithms: no number for negative x, nor 0^0, infinity^0 and 1^infinity",
    signature: "T, T -> T",
    on: anyFloats,
    expand: tree(edgeTree("math.powr")),
    msl: lowering("formula"),
    glsl: [lowering("formula", { on: floats }), lowering("double-positive-power", { on: double })],
    opencl: [native("powr", "clang-19, PoCL"), reads("native_powr half_powr", "clang-19", { on: f32Only })],
    hlsl: [lowering("formula", { on: floats }), lowering("double-positive-power", { on: double })],
    run: powr,
  }),
  define("math", "math.powr_open", {
    variant: { of: "math.powr", in: "domain" },
    summary: "as powr; of negative x, and where powr gives no number, left open (MSL powr)",
    signature: "T, T -> T",
    open: {
      in: { msl: "MSL 3.1 6.5" },
      where: ([x]) => compare("lt", x!, k(x!.type, 0)),
      says: "of a negative number",
    },
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
      in: { hlsl: "D3D11 functional specification, DXC" },
      where: ([x, y]) => {
        const below = compare("lt", x!, k(x!.type, 0));
        return or(and(or(below, isZero(x!)), isZero(y!)), and(below, compare("eq", y!, k(y!.type, 2))));
      },
      says: "of 0 to the 0, and of a negative number to the 0 or 2, which are 1 and a product where DXC knows the exponent",
    },
    // DXC 1.9: two constants by the C rules; of others, x * x and 1 (by x * 0 = 0) for one exponent of all components, else by logarithms.
    whereKnown([x, y], known) {
      const exponents = known(y!);
      if (!exponents) return undefined;
      const bases = known(x!);
      const plain = [...(bases ?? []), ...exponents].every((n) => Number.isFinite(Number(n)));
      if (bases) return same(plain && bases.every((n) => Number(n) > 0) ? "math.pow_open" : "math.pow", x!, y!);
      if (exponents.every((n) => Number(n) === 2)) return same("math.square", x!);
      if (!exponents.every((n) => Number(n) === 0)) return undefined;
      return isPure(x!) ? k(x!.type, 1) : comma(x!, k(x!.type, 1), x!.span);
    },
    expand: tree(edgeTree("math.pow_nan")),
    msl: lowering("formula"),
    glsl: lowering("formula"),
    opencl: writes("powr", "math.powr", "clang-19"),
    hlsl: native("pow", "DXC"),
    run: powr,
  }),
  define("math", "math.square", {
    result: notNegative,
    summary: "x times x (HLSL pow with an exponent of 2)",
    signature: "T -> T",
    on: anyFloats,
    expand: tree(([x]) => mul(x!, x!)),
    msl: expanded,
    glsl: expanded,
    opencl: expanded,
    hlsl: expanded,
    run: (x: number) => x * x,
  }),
  define("math", "math.pow_open", {
    variant: { of: "math.pow", in: "domain" },
    summary: "x to the y for positive x, or x of 0 and positive y; else left open (GLSL pow)",
    signature: "T, T -> T",
    open: {
      in: { glsl: "GLSL 4.60 8.2" },
      where: ([x, y]) => {
        const zero = k(x!.type, 0);
        return or(compare("lt", x!, zero), and(isZero(x!), compare("le", y!, zero)));
      },
      says: "of a negative number, or of 0 to a power that is not positive",
    },
    expand: tree(([x, y]) => powerOfLogarithm(x!, y!)),
    msl: writes("powr", "math.powr_open", "MSL 3.1 6.5"),
    glsl: native("pow", "glslang"),
    opencl: writes("powr", "math.powr", "clang-19"),
    hlsl: writes("pow", "math.pow_nan", "DXC"),
    run: powr,
  }),
  define("math", "math.pown", {
    summary: "x to an integer power",
    signature: "T, I -> T",
    on: anyFloats,
    expand: tree(([x, n]) => integerPower(x!, n!)),
    msl: expanded,
    glsl: expanded,
    opencl: native("pown", "clang-19"),
    hlsl: expanded,
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
  define("math", "math.rootn", {
    summary: "the n-th root of x; of negative x for odd n",
    signature: "T, I -> T",
    on: anyFloats,
    expand: tree(([x, n]) => integerRoot(x!, n!)),
    msl: lowering("formula"),
    glsl: [lowering("formula", { on: floats }), lowering("double-root", { on: double })],
    opencl: native("rootn", "clang-19"),
    hlsl: [lowering("formula", { on: floats }), lowering("double-root", { on: double })],
  }),
];
