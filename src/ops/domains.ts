/**
 * Functions that C, OpenCL C, MSL and Direct3D define for every operand, and GLSL only in a domain (GLSL 4.60 8.1, 8.2).
 * Vulkan defines no more: "if the infinitely precise result of the operation is not mathematically defined then the value
 * returned is poison", and what is inherited from a formula that may give a NaN is anything (Vulkan, Precision and
 * Operation of SPIR-V Instructions). Each has a twin, `_open`, that is left open there.
 */
import type { Expr, OpId } from "../ast/nodes.js";
import { opId, shortName } from "../ast/op-ids.js";
import { scalarOf } from "../types/types.js";
import { anyFloats, define, lowering, map, native, writes } from "./define.js";
import { double, doubleFunctions, upToFloat } from "./math/cells.js";
import type { Cell, OpRow, Open } from "./row.js";
import { add, and, compare, div, infinity, k, mul, nan, negate, select, math as f } from "./trees.js";

export interface Domain {
  readonly glsl: string;
  /** For double, too. */
  readonly doubles?: boolean;
  /** In HLSL: defined as in C, open as in GLSL, or not there. */
  readonly hlsl: "defined" | "open" | "none";
  /** What its row says of the operands that are left open, and the finding; without it a driver's formula alone fails. */
  readonly says?: string;
  /** Where the open function gives the result: of a NaN false. */
  readonly inside: (x: Expr) => Expr;
  /** Where GLSL defines it, if that is more. */
  readonly defined?: (x: Expr) => Expr;
  /** The result elsewhere. */
  readonly outside: (x: Expr) => Expr;
  /** f(-x) is -f(x), and GLSL's formula loses all of it for negative x. */
  readonly odd?: true;
  /** A number inside. */
  readonly within: 0 | 1;
  /** Bounds of the operand under which nothing else can come out. */
  readonly fine?: "positive" | "not negative";
}

/** Vulkan has the inverse functions as logarithms of a root of a square. */
const largestSquared = (x: Expr): number => (scalarOf(x.type) === "f16" ? 128 : 2 ** 60);
const noNumber = (x: Expr): Expr => nan(x.type);
const logarithm: Omit<Domain, "glsl"> = {
  within: 1,
  hlsl: "defined",
  says: "of a number that is not positive",
  inside: (x) => compare("gt", x, 0),
  outside: (x) => select(compare("eq", x, 0), negate(infinity(x.type)), nan(x.type)),
  fine: "positive",
};
const beyondOne: Omit<Domain, "glsl"> = {
  within: 0,
  hlsl: "open",
  says: "of a number beyond -1..1",
  inside: (x) => compare("le", f("abs", x), 1),
  outside: noNumber,
};
/** e^x overflows before half of it does. */
const hyperbolic: Omit<Domain, "glsl" | "outside"> = {
  within: 0,
  hlsl: "open",
  inside: (x) => compare("le", f("abs", x), scalarOf(x.type) === "f16" ? 11 : 88),
};
const halfExponential = (x: Expr): Expr => {
  const root = f("exp", mul(f("abs", x), k(x.type, 0.5)));
  return mul(mul(root, k(x.type, 0.5)), root);
};

export const domains: ReadonlyMap<OpId, Domain> = new Map<OpId, Domain>([
  [
    "math.sqrt",
    {
      glsl: "sqrt",
      within: 1,
      doubles: true,
      hlsl: "defined",
      says: "of a negative number",
      inside: (x) => compare("ge", x, 0),
      outside: noNumber,
      fine: "not negative",
    },
  ],
  [
    "math.rsqrt",
    {
      glsl: "inversesqrt",
      within: 1,
      doubles: true,
      hlsl: "defined",
      says: "of a number that is not positive",
      inside: (x) => compare("gt", x, 0),
      outside: (x) => select(compare("eq", x, 0), div(k(x.type, 1), x), nan(x.type)),
      fine: "positive",
    },
  ],
  ["math.log", { glsl: "log", ...logarithm }],
  ["math.log2", { glsl: "log2", ...logarithm }],
  ["math.asin", { glsl: "asin", ...beyondOne }],
  ["math.acos", { glsl: "acos", ...beyondOne }],
  [
    "math.acosh",
    {
      glsl: "acosh",
      within: 1,
      hlsl: "none",
      says: "of a number below 1",
      inside: (x) => and(compare("ge", x, 1), compare("le", x, largestSquared(x))),
      defined: (x) => compare("ge", x, 1),
      outside: (x) => select(compare("gt", x, 1), add(f("log", x), k(x.type, Math.LN2)), nan(x.type)),
    },
  ],
  [
    "math.asinh",
    {
      glsl: "asinh",
      // log(x + sqrt(x * x + 1))
      odd: true,
      within: 0,
      hlsl: "none",
      inside: (x) => compare("le", f("abs", x), largestSquared(x)),
      outside: (x) => f("copysign", add(f("log", f("abs", x)), k(x.type, Math.LN2)), x),
    },
  ],
  // On lavapipe that of a NaN is 0.
  [
    "math.atan",
    {
      glsl: "atan",
      within: 0,
      hlsl: "defined",
      inside: (x) => compare("eq", x, x),
      outside: (x) => x,
    },
  ],
  [
    "math.atanh",
    {
      glsl: "atanh",
      within: 0,
      hlsl: "none",
      says: "of a number that is not within -1..1",
      inside: (x) => compare("lt", f("abs", x), 1),
      outside: (x) => select(compare("eq", f("abs", x), 1), f("copysign", infinity(x.type), x), nan(x.type)),
    },
  ],
  ["math.sinh", { glsl: "sinh", ...hyperbolic, outside: (x) => f("copysign", halfExponential(x), x) }],
  ["math.cosh", { glsl: "cosh", ...hyperbolic, outside: halfExponential }],
  // Beyond 10 it is 1 to the last digit.
  [
    "math.tanh",
    {
      glsl: "tanh",
      within: 0,
      hlsl: "open",
      inside: (x) => compare("le", f("abs", x), 10),
      outside: (x) => select(compare("gt", f("abs", x), 10), f("copysign", k(x.type, 1), x), x),
    },
  ],
]);

/** A root of double in HLSL: the one that is defined everywhere. */
const definedRoots: Readonly<Record<string, Cell>> = {
  sqrt: lowering("sqrt-on-bits", { on: double }),
  rsqrt: lowering("formula", { on: double }),
};

/** The twins. */
export const openDomainRows: readonly OpRow[] = [...domains].map(([id, d]) => {
  const name = shortName(id);
  const glsl = native(d.glsl, "glslang");
  const hlsl: Cell =
    d.hlsl === "none"
      ? lowering("formula")
      : d.hlsl === "open"
        ? native(name, "DXC")
        : writes(name, id, "DXC, D3D11 functional specification");
  const openIn: Open["in"] = { glsl: "GLSL 4.60 8.1", ...(d.hlsl === "open" ? { hlsl: "DXC" } : {}) };
  return define("math", opId(`${id}_open`), {
    variant: { of: id, in: "domain" },
    summary:
      d.says === undefined
        ? `${name} where the formula that Vulkan grants gives a number (GLSL ${d.glsl})`
        : `${name}; ${d.says} left open (GLSL ${d.glsl})`,
    signature: "T -> T",
    on: anyFloats,
    expand: map(name),
    ...(d.says === undefined
      ? {}
      : { open: { in: openIn, where: ([x]) => notOf((d.defined ?? d.inside)(x!), x!), says: d.says } }),
    msl: writes(name, id, "MSL 3.1 6.5"),
    glsl: d.doubles ? glsl : upToFloat(glsl, doubleFunctions[name]!),
    opencl: writes(name, id, "clang-19"),
    hlsl: upToFloat(hlsl, definedRoots[name] ?? doubleFunctions[name]!),
  });
});

/** A NaN is no finding of its own. */
function notOf(inside: Expr, x: Expr): Expr {
  const ordered = compare("eq", x, x);
  const outside: Expr = { kind: "unary", operator: "not", operand: inside, type: inside.type, span: x.span };
  return { kind: "binary", operator: "and", left: outside, right: ordered, type: inside.type, span: x.span };
}
