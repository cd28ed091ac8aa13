/** What rows of math functions have in common: types, reasons, bounds of results, comparisons. */
import type { Expr } from "../../ast/nodes.js";
import { floats, lowering, refused, set } from "../define.js";
import type { Cell } from "../row.js";
import { compare } from "../trees.js";

export const f32Only = set("f32");
export const signedNumbers = set("f32 f16 f64 i32 i16 i8 i64");
export const double = set("f64");
export const noDoubleGlsl = refused("GLSL has this function of double in no version", { on: double });
export const noDoubleHlsl = refused("HLSL has this function of float and half only, not of double", { on: double });

/** Functions of double that GLSL and HLSL have of float only, carried out in doubles. */
export const doubleFunctions: Readonly<Record<string, Cell>> = Object.fromEntries(
  Object.entries({
    "double-exponential": "exp exp2 exp10",
    "double-expm1": "expm1",
    "double-logarithm": "log log2 log10",
    "double-log1p": "log1p",
    "double-inverse-angle": "asin acos atan",
    "double-hyperbolic": "sinh cosh tanh erf erfc",
    "double-cube-root": "cbrt",
    "double-gamma": "tgamma",
    "double-log-gamma": "lgamma",
    formula: "asinh acosh atanh sinpi cospi tanpi",
  }).flatMap(([by, names]) => names.split(" ").map((name) => [name, lowering(by, { on: double })])),
);

/** Cells that hold for float and half, and the one for double. */
export const upToFloat = (cells: Cell | readonly Cell[], otherwise: Cell): readonly Cell[] => [
  ...(Array.isArray(cells) ? (cells as readonly Cell[]) : [cells as Cell]).map((c) =>
    c.on || c.kind === "lowering" ? c : { ...c, on: floats },
  ),
  otherwise,
];

/** The names of MSL's faster and precise forms, of functions that have one result. */
export const inNamespaces = (...names: string[]): string =>
  names.flatMap((n) => [`fast::${n}`, `precise::${n}`]).join(" ");

export const withScalarSecond = ["T, T -> T", "T, S -> T"];

export const notNegative = { notNegative: true } as const;
export const unit = { magnitude: 1 } as const;
export const angle = { magnitude: Math.PI } as const;

export const isZero = (x: Expr): Expr => compare("eq", x, 0);
