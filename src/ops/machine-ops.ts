/**
 * The machine ops rows expand to: `<scalar>.<name>`, one scalar operation each. An engine implements exactly these (for
 * the scalars listed) and the routines of `routines`; it never sees a row. Plain operators of the tree (`Binary`,
 * `Unary`, `Convert`, `Bitcast`) have machine ops of the same names but are not listed here, since engines implement them
 * with the tree's nodes.
 *
 * Integers wrap. Floats round once to their type, and a NaN result is the canonical NaN. "Transcendental" results are
 * deterministic and correctly rounded wherever the engine's method gives that.
 */
import type { ScalarKind } from "../types/types.js";

export interface MachineOp {
  readonly name: string;
  /** Operand scalars; T is the op's own scalar. */
  readonly operands: readonly ("T" | ScalarKind)[];
  readonly result: "T" | ScalarKind;
  readonly on: readonly ScalarKind[];
  readonly meaning: string;
}

const F: readonly ScalarKind[] = ["f32", "f16", "f64"];
const I: readonly ScalarKind[] = ["i8", "u8", "i16", "u16", "i32", "u32"];
const I64: readonly ScalarKind[] = [...I, "i64", "u64"];

const unary = (name: string, meaning: string, on = F): MachineOp => ({
  name,
  operands: ["T"],
  result: "T",
  on,
  meaning,
});
const binary = (name: string, meaning: string, on = F): MachineOp => ({
  name,
  operands: ["T", "T"],
  result: "T",
  on,
  meaning,
});
const ternary = (name: string, meaning: string, on = F): MachineOp => ({
  name,
  operands: ["T", "T", "T"],
  result: "T",
  on,
  meaning,
});
const test = (name: string, meaning: string): MachineOp => ({
  name,
  operands: ["T"],
  result: "bool",
  on: F,
  meaning,
});

export const machineOps: readonly MachineOp[] = [
  unary("sin", "sine"),
  unary("cos", "cosine"),
  unary("tan", "tangent"),
  unary("asin", "arc sine"),
  unary("acos", "arc cosine"),
  unary("atan", "arc tangent"),
  unary("sinh", "hyperbolic sine"),
  unary("cosh", "hyperbolic cosine"),
  unary("tanh", "hyperbolic tangent"),
  unary("asinh", "inverse hyperbolic sine"),
  unary("acosh", "inverse hyperbolic cosine"),
  unary("atanh", "inverse hyperbolic tangent"),
  unary("sinpi", "sin(pi x)"),
  unary("cospi", "cos(pi x)"),
  unary("tanpi", "tan(pi x)"),
  binary("atan2", "angle of (x, y), operands y, x"),
  unary("exp", "e to the x"),
  unary("exp2", "2 to the x"),
  unary("exp10", "10 to the x"),
  unary("expm1", "exp(x) - 1"),
  unary("log", "natural logarithm"),
  unary("log2", "logarithm to base 2"),
  unary("log10", "logarithm to base 10"),
  unary("log1p", "log(1 + x)"),
  binary("pow", "x to the y, C rules for special values"),
  unary("sqrt", "square root, correctly rounded"),
  unary("rsqrt", "1 / sqrt(x)"),
  unary("cbrt", "cube root"),
  unary("erf", "error function"),
  unary("erfc", "1 - erf(x)"),
  unary("tgamma", "the gamma function, C rules for special values"),
  unary("lgamma", "natural logarithm of the magnitude of the gamma function"),
  binary("hypot", "sqrt(x*x + y*y) without overflow in between"),
  unary("abs", "magnitude; of the least integer itself", [...F, ...I64]),
  unary("floor", "toward minus infinity"),
  unary("ceil", "toward plus infinity"),
  unary("trunc", "toward zero"),
  unary("round_even", "to the nearest integer, ties to even"),
  unary("round_away", "to the nearest integer, ties away from zero"),
  unary("fract", "x - floor(x), at most the largest value below 1; -0 and NaN as IEEE 754 arithmetic gives them"),
  binary("fmod", "x - y*trunc(x/y), exact, sign of x"),
  binary("remainder", "x - y*round_even(x/y), exact"),
  ternary("fma", "x*y + z, rounded once"),
  { name: "ldexp", operands: ["T", "i32"], result: "T", on: F, meaning: "x * 2^n, rounded once" },
  binary("min", "y < x ? y : x", [...F, ...I64]),
  binary("max", "x < y ? y : x", [...F, ...I64]),
  binary("fmin", "as min, but of one NaN and a number the number"),
  binary("fmax", "as max, but of one NaN and a number the number"),
  unary("sign", "-1, 0 or 1; of -0 itself, of a NaN 0", [...F, ...I64]),
  binary("copysign", "magnitude of x with the sign bit of y"),
  binary("nextafter", "next value after x toward y, C rules"),
  test("isnan", "is a NaN"),
  test("isinf", "is an infinity"),
  test("isfinite", "is neither"),
  test("isnormal", "is normal (not zero, subnormal, infinite, NaN)"),
  test("signbit", "the sign bit is set"),
  unary("clz", "leading zero bits; of 0 the width", I64),
  unary("ctz", "trailing zero bits; of 0 the width", I64),
  unary("popcount", "number of one bits", I64),
  unary("reverse_bits", "bits in reverse order", I64),
  binary("mulhi", "high half of the full product", I64),
  binary("rotate", "rotated left by y modulo the width", I64),
  binary("add_sat", "x + y clamped to the type", I64),
  binary("sub_sat", "x - y clamped to the type", I64),
];

export interface Routine {
  readonly name: string;
  readonly kind: "lane" | "subgroup" | "atomic" | "memory";
  readonly meaning: string;
}

const routineOf = (kind: Routine["kind"], name: string, meaning: string): Routine => ({
  kind,
  name,
  meaning,
});

/** Routines over lanes whose results are operands unchanged. */
const moving: readonly (readonly [string, string])[] = [
  ["broadcast", "value of lane i (uniform); unspecified for an inactive lane"],
  ["broadcast_first", "value of the lowest active lane"],
  ["shuffle", "value of lane i; unspecified out of range or inactive"],
  ["shuffle_xor", "value of lane L^k; unspecified out of range or inactive"],
  ["shuffle_up", "value of lane L-d; unspecified out of range or inactive"],
  ["shuffle_down", "value of lane L+d; unspecified out of range or inactive"],
  ["shuffle_up_keep", "value of lane L-d; the caller's own for L < d; unspecified for an inactive lane"],
  ["shuffle_down_keep", "value of lane L+d; the caller's own for L+d >= S; unspecified for an inactive lane"],
  ["shuffle_up_fill", "cross-lane.md R-FILL up: operands data, fill, d, modulo (0: S)"],
  ["shuffle_down_fill", "cross-lane.md R-FILL down"],
  ["shuffle_up_fill_all", "R-FILL up over the whole subgroup: operands data, fill, d"],
  ["shuffle_down_fill_all", "R-FILL down over the whole subgroup"],
  ["clustered_rotate", "value of lane (L+d) mod C in the cluster; operands x, d, C"],
  ["clustered_rotate_up", "value of lane (L-d) mod C in the cluster"],
  ["quad_broadcast", "value of lane i (uniform) of the quad"],
  ["quad_broadcast_first", "value of the quad's lowest active lane"],
  ["quad_shuffle", "value of lane i of the quad; unspecified above 3 or inactive"],
  ["quad_shuffle_xor", "value of lane L^k of the quad"],
  ["quad_shuffle_up_keep", "value of lane L-d; the caller's own outside the quad"],
  ["quad_shuffle_down_keep", "value of lane L+d; the caller's own outside the quad"],
  ["quad_shuffle_up_fill", "cross-lane.md R-FILL up in the quad: operands data, fill, d, modulo"],
  ["quad_shuffle_down_fill", "R-FILL down in the quad"],
  ["rotate", "value of lane (L+d) mod S"],
  ["rotate_up", "value of lane (L-d) mod S"],
];
export const movingRoutines: ReadonlySet<string> = new Set(moving.map(([name]) => name));

/** Routines: `lane` ones work on one lane's values and out places, `subgroup` ones over the lanes of a subgroup. */
export const routines: readonly Routine[] = [
  routineOf("lane", "modf", "value x, out place: integral part (toward zero, sign of x); result the fraction"),
  routineOf("lane", "split_double", "value x of f64, out places u32: its low and its high word"),
  routineOf(
    "lane",
    "frexp",
    "value x, out place i32: exponent; result the fraction in [0.5, 1) or 0; of infinity and NaN itself and exponent 0",
  ),
  routineOf("lane", "frexp_float", "as frexp, the out place is of x's type"),
  routineOf(
    "lane",
    "fract_out",
    "value x, out place: floor(x); result fract(x), of a zero and an infinity a zero with the sign of x",
  ),
  routineOf(
    "lane",
    "remquo",
    "values x, y, out place i32: the lower seven bits of the nearest quotient with its sign; result the remainder",
  ),
  routineOf(
    "lane",
    "lgamma_r",
    "value x, out place i32: the sign of the gamma function, 1 or -1; result its logarithm",
  ),
  routineOf("lane", "sincos", "value x, out place: cosine; result the sine"),
  routineOf("lane", "sincos_out", "value x, out places: sine, cosine; no result"),
  routineOf(
    "lane",
    "carry",
    "values x, y, out place u32: the carry (add) or borrow (sub) of the op's name; result the wrapped sum or difference",
  ),
  routineOf("lane", "mul_extended", "values x, y, out places: high half, low half of the product; no result"),
  routineOf(
    "lane",
    "convert",
    "value x converted to the result type by the mode in the op's name: rounding rte rtz rtp rtn, saturating with NaN to 0",
  ),
  routineOf("lane", "f32tof16", "f32 to the bits of the f16, round to nearest even, in the low half of a u32"),
  routineOf("lane", "f16tof32", "low 16 bits of a u32 as f16, widened"),
  routineOf("lane", "pack_half2x16", "f32x2 to two f16 in a u32, x in the low half"),
  routineOf("lane", "unpack_half2x16", "u32 to f32x2, the low half first"),
  routineOf(
    "memory",
    "async_copy",
    "places to, from; values: elements, of strided ones the stride in elements, an event or 0; result the copy's event; by all lanes of the workgroup together",
  ),
  routineOf(
    "memory",
    "wait_events",
    "place of the first event, value: how many; by all lanes of the workgroup together",
  ),
  routineOf("memory", "prefetch", "nothing"),
  routineOf("memory", "vload", "n consecutive elements at pointer + offset*n as a vector"),
  routineOf("memory", "vstore", "a vector to n consecutive elements at pointer + offset*n"),
  routineOf("memory", "vload_half", "n f16 at pointer + offset*n (aligned form, n = 3: offset*4), widened to f32"),
  routineOf(
    "memory",
    "vstore_half",
    "n f32 narrowed by the mode in the op's name to f16 at pointer + offset*n (aligned form, n = 3: offset*4)",
  ),
  ...[
    "load",
    "store",
    "exchange",
    "add",
    "sub",
    "inc",
    "dec",
    "min",
    "max",
    "and",
    "or",
    "xor",
    "compare_exchange",
    "compare_exchange_weak",
  ].map((name) => routineOf("atomic", name, "see the row atomic." + name)),
  routineOf("atomic", "compare_exchange_strong", "as compare_exchange_weak, without failing for no reason"),
  ...[
    ["eq_mask", "bit L"],
    ["ge_mask", "bits L to S-1"],
    ["gt_mask", "bits above L, below S"],
    ["le_mask", "bits up to L"],
    ["lt_mask", "bits below L"],
    ["elect", "true in the lowest active lane"],
    ["all", "and of the predicates of active lanes"],
    ["any", "or of the predicates of active lanes"],
    ["all_equal", "true where the active lanes' values are equal (==, all components)"],
    ["ballot", "u32x4 of the active lanes' predicates, lane i at word i/32, bit i%32"],
    ["vote", "u64, the low 64 bits of the ballot"],
    ["inverse_ballot", "bit L of the mask, which is uniform"],
    ["ballot_bit_extract", "bit i of the mask"],
    ["ballot_bit_count", "one bits below S"],
    ["ballot_inclusive_bit_count", "one bits up to L"],
    ["ballot_exclusive_bit_count", "one bits below L"],
    ["ballot_find_lsb", "lowest one bit below S; unspecified for none"],
    ["ballot_find_msb", "highest one bit below S; unspecified for none"],
    ["count_true", "number of active lanes whose predicate is true"],
    ["prefix_count_true", "the same over active lanes below L"],
    ["active_mask", "u64, the low 64 bits of the mask of active lanes"],
    ["add", "sum over active lanes, ascending"],
    ["mul", "product"],
    ["min", "least"],
    ["max", "greatest"],
    ["and", "and"],
    ["or", "or"],
    ["xor", "exclusive or"],
    ...["add", "mul", "min", "max", "and", "or", "xor"].flatMap((op) => [
      [`inclusive_${op}`, `${op} over active lanes up to L, ascending`],
      [`exclusive_${op}`, `${op} over active lanes below L, ascending from the identity`],
    ]),
    ["all_equal_componentwise", "as all_equal, per component"],
    ...["add", "mul", "min", "max", "and", "or", "xor"].map((op) => [
      `clustered_${op}`,
      `${op} over the active lanes of the cluster; operands x, C`,
    ]),
    ["quad_elect", "true in the quad's lowest active lane"],
    ["quad_ballot", "u32, bit i of the quad's lane i"],
    ["quad_active_mask", "u32 of the quad's active lanes"],
    ["quad_all", "and of the quad's predicates"],
    ["quad_any", "or of the quad's predicates"],
    ...["add", "mul"].flatMap((op) => [
      [`quad_inclusive_${op}`, `inclusive_${op} in the quad`],
      [`quad_exclusive_${op}`, `exclusive_${op} in the quad`],
    ]),
    ["match_any", "word w of the mask of active lanes whose operands are equal; operands x (integers), w"],
    ...["add", "mul", "min", "max", "and", "or", "xor"].flatMap((op) =>
      ["", "inclusive_", "exclusive_"].map((form) => [
        `partitioned_${form}${op}`,
        `as ${form}${op}, over the lanes of a mask; operands x, four words`,
      ]),
    ),
    ["partitioned_prefix_count_true", "as prefix_count_true, over the lanes of a mask; operands x, four words"],
    ...moving,
  ].map(([name, meaning]) => routineOf("subgroup", name, meaning)),
];
