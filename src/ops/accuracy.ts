/**
 * How far results of functions may lie from the exact ones, in ulp of an f32 result; a function that is not listed is exact
 * or correctly rounded. Sources: OpenCL C 3.0 unified specification, table of relative errors of the full profile (7.4);
 * MSL 3.1 8.2 without fast math; Vulkan 1.3 "Precision and Operation of SPIR-V Instructions", where 4096 stands for 2^-11
 * absolute near 1 and 3 for what grows with the operand. HLSL states figures for few, and is taken to be as GLSL.
 */
import type { OpId } from "../ast/nodes.js";
import type { Dialect } from "../dialects/ids.js";

const opencl: Readonly<Record<string, number>> = {
  acos: 4,
  acosh: 4,
  acospi: 5,
  asin: 4,
  asinh: 4,
  asinpi: 5,
  atan: 5,
  atan2: 6,
  atanh: 5,
  atanpi: 5,
  atan2pi: 6,
  cbrt: 2,
  cos: 4,
  cosh: 4,
  cospi: 4,
  erf: 16,
  erfc: 16,
  exp: 3,
  exp2: 3,
  exp10: 3,
  expm1: 3,
  hypot: 4,
  log: 3,
  log2: 3,
  log10: 3,
  log1p: 2,
  pow: 16,
  pown: 16,
  powr: 16,
  rootn: 16,
  rsqrt: 2,
  sin: 4,
  sinh: 4,
  sinpi: 4,
  sqrt: 3,
  tan: 5,
  tanh: 5,
  tanpi: 6,
  tgamma: 16,
  degrees: 2,
  radians: 2,
  divide: 2.5,
  reciprocal: 2.5,
};

const msl: Readonly<Record<string, number>> = {
  acos: 4,
  acosh: 4,
  asin: 4,
  asinh: 4,
  atan: 5,
  atan2: 6,
  atanh: 5,
  cos: 4,
  cosh: 4,
  cospi: 4,
  exp: 4,
  exp2: 4,
  exp10: 4,
  log: 4,
  log2: 4,
  log10: 4,
  pow: 16,
  powr: 16,
  rsqrt: 2,
  sin: 4,
  sinh: 4,
  sinpi: 4,
  sqrt: 1,
  tan: 6,
  tanh: 5,
  tanpi: 6,
  divide: 2.5,
  reciprocal: 2.5,
};

const glsl: Readonly<Record<string, number>> = {
  sin: 4096,
  cos: 4096,
  tan: 4096,
  asin: 4096,
  acos: 4096,
  atan: 4096,
  atan2: 4096,
  sinh: 16,
  cosh: 16,
  tanh: 16,
  asinh: 16,
  acosh: 16,
  atanh: 16,
  exp: 3,
  exp2: 3,
  log: 3,
  log2: 3,
  log10: 3,
  pow: 16,
  powr: 16,
  sqrt: 3,
  rsqrt: 2,
  degrees: 2,
  radians: 2,
  divide: 2.5,
  reciprocal: 2.5,
};

const tables: { readonly [D in Dialect]?: Readonly<Record<string, number>> } = { opencl, msl, glsl, hlsl: glsl };

export function accuracyOf(op: OpId, dialect: Dialect): number | undefined {
  const name = op.startsWith("math.")
    ? op.slice("math.".length).replace(/_(open|nan)$/, "")
    : /^geometry\.(scaled_)?(length|distance|normalize)$/.test(op)
      ? "hypot"
      : "";
  const table = tables[dialect];
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}
