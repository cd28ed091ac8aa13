/**
 * The implicit conversions of the dialects: one rule per dialect, used by the checker going in and by the printers going
 * out (a `convert` or `splat` that is not explicit is left out where the target's rule yields it). Sources: C++14 4 and 5
 * with MSL 2.x for msl, GLSL 4.60 4.1.10 and 5.9 with GL_EXT_shader_explicit_arithmetic_types, OpenCL C 6.2 and 6.4 on
 * C99 6.3.1, and the HLSL language specification (DXC).
 */
import {
  bitWidth,
  componentCount,
  enumerationOf,
  isAtLeast,
  isEvent,
  isFloat,
  isInteger,
  isNumeric,
  isSameName,
  isWiderFloat,
  named,
  sameType,
  scalar,
  scalarOf,
  shaped,
  vector,
  type DistinctType,
  type ScalarKind,
  type ScalarType,
  type Type,
} from "../types/types.js";
import type { LanguageForm } from "./ids.js";
import type { ConversionFacts } from "./language.js";
import { languageFacts } from "./languages.js";

export type ConversionContext = "operand" | "argument" | "return" | "initializer" | "assignment" | "condition";

/**
 * 0 same type, 1 promotion, 2 conversion, 3 HLSL's truncation of vectors (warned of). 1.5: of an enumeration of small integers to
 * int, which comes after its own integers (C++14 13.3.3.2). 2.5: of a scalar to all components, which comes after any other scalar
 * (clang's "scalar widening").
 */
export type ConversionRank = 0 | 1 | 1.5 | 2 | 2.5 | 3;

/** How `from` becomes `to` without a cast, or undefined where the dialect wants one. */
export function implicitConversion(
  dialect: LanguageForm,
  from: Type,
  to: Type,
  context: ConversionContext,
): ConversionRank | undefined {
  if (from.kind === "pointer" || to.kind === "pointer") {
    if (from.kind !== "pointer" || to.kind !== "pointer") return undefined;
    // Constant memory is read-only whether the pointer says so or not.
    if (from.readOnly && !to.readOnly && to.space !== "constant") return undefined;
    if (!sameType(from, to) || !isSameName(from.pointee, to.pointee)) {
      const { voidPointers } = languageFacts[dialect].conversions;
      const fits =
        (to.pointee.kind === "void" && voidPointers !== "none") ||
        (from.pointee.kind === "void" && voidPointers === "to and from");
      return fits && from.space === to.space ? 2 : undefined;
    }
    return from.readOnly === to.readOnly ? 0 : 1;
  }
  const [fromEnum, toEnum] = [enumerationOf(from), enumerationOf(to)];
  if ((toEnum || fromEnum?.scoped) && fromEnum?.enumeration !== toEnum?.enumeration) return undefined;
  if (isEvent(from) !== isEvent(to)) return undefined;
  if (sameType(from, to)) return fromEnum && !toEnum ? 1 : 0;
  const rules = languageFacts[dialect].conversions;
  if (from.kind === "scalar" && to.kind === "scalar") {
    const rank = scalarConversion(rules, from.scalar, to.scalar, context);
    return rank === 1 && fromEnum ? 1.5 : rank;
  }
  if (from.kind === "vector" && to.kind === "vector") {
    if (from.size === to.size) {
      if (from.scalar === to.scalar) return 1; // packed and plain
      if (rules.vectors === "never") return undefined;
      return scalarConversion(rules, from.scalar, to.scalar, context);
    }
    if (rules.shapes === "fixed" || from.size < to.size) return undefined;
    return 3;
  }
  if (from.kind === "scalar" && to.kind === "vector") {
    if (rules.splats === "operands" && context !== "operand") return undefined;
    const rank = scalarConversion(rules, from.scalar, to.scalar, context);
    return rank === undefined ? undefined : 2.5;
  }
  if (rules.shapes === "convert" && scalarOf(from) !== undefined) {
    if (to.kind === "scalar") return 3;
    // Between vectors and matrices of as many components, by rows.
    if (from.kind === "vector" && to.kind === "matrix") return from.size === to.columns * to.rows ? 2 : undefined;
    if (from.kind === "matrix" && to.kind === "vector") {
      const size = from.columns * from.rows;
      if (to.size < size && (from.columns === 1 || from.rows === 1)) return 3;
      return to.size === size ? 2 : undefined;
    }
  }
  if (from.kind === "scalar" && to.kind === "matrix") {
    const rank = rules.shapes === "convert" ? scalarConversion(rules, from.scalar, to.scalar, context) : undefined;
    return rank === undefined ? undefined : 2;
  }
  if (from.kind === "matrix" && to.kind === "matrix") {
    if (rules.shapes === "fixed" || from.columns < to.columns || from.rows < to.rows) return undefined;
    if (from.columns !== to.columns || from.rows !== to.rows) return 3;
    return scalarConversion(rules, from.scalar, to.scalar, context);
  }
  return undefined;
}

function scalarConversion(
  rules: ConversionFacts,
  from: ScalarKind,
  to: ScalarKind,
  context: ConversionContext,
): ConversionRank | undefined {
  if (from === to) return 0;
  const widerFloat = isFloat(from) && isFloat(to) && isWiderFloat(to, from);
  // MSL 3.1 section 2.1: bfloat converts by itself to a float of greater rank only, and no float to it.
  if (isFloat(from) && isFloat(to) && (from === "bf16" || to === "bf16"))
    return !widerFloat ? undefined : to === "f32" ? 1 : 2;
  if (rules.scalars === "any") {
    if (widerFloat) return 1;
    if (rules.promotes === "small integers") return promoted(rules, from) === to ? 1 : 2;
    return isInteger(from) && isInteger(to) && isSameSign(from, to) && bitWidth(to) > bitWidth(from) ? 1 : 2;
  }
  if (context === "condition" || from === "bool" || to === "bool") return undefined;
  if (isFloat(from)) return widerFloat ? 1 : undefined;
  if (isFloat(to)) return bitWidth(to) >= bitWidth(from) || (to === "f32" && bitWidth(from) <= 32) ? 2 : undefined;
  if (isSameSign(from, to)) return bitWidth(to) > bitWidth(from) ? 1 : undefined;
  // Signed to unsigned of at least the width; never unsigned to signed of the same width.
  if (from[0] === "i") return bitWidth(to) >= bitWidth(from) ? 1 : undefined;
  return bitWidth(to) > bitWidth(from) ? 1 : undefined;
}

const isSameSign = (a: ScalarKind, b: ScalarKind): boolean => (a[0] === "i") === (b[0] === "i");

/** The type an operand of arithmetic is promoted to before anything else. */
export const promote = (dialect: LanguageForm, kind: ScalarKind): ScalarKind =>
  promoted(languageFacts[dialect].conversions, kind);

/** The type of `?:` between two values of one scalar type: of bools it stays one, whatever C calls it. */
export const chosenKind = (dialect: LanguageForm, kind: ScalarKind): ScalarKind =>
  kind !== "bool" && languageFacts[dialect].conversions.choices === "promoted" ? promote(dialect, kind) : kind;

function promoted({ promotes }: ConversionFacts, kind: ScalarKind): ScalarKind {
  const small = promotes === "small integers" && isInteger(kind) && bitWidth(kind) < 32;
  return small || (kind === "bool" && promotes !== "nothing") ? "i32" : kind;
}

/** The usual arithmetic conversions of two scalar kinds; undefined where the dialect has none for them. */
export function usualArithmetic(dialect: LanguageForm, a: ScalarKind, b: ScalarKind): ScalarKind | undefined {
  const rules = languageFacts[dialect].conversions;
  if (rules.common === "the wider") return a === "bool" && b === "bool" ? "i32" : combinedKind(a, b);
  const x = promoted(rules, a);
  const y = promoted(rules, b);
  if (x === y) return x;
  if (rules.common === "implicit conversions") {
    if (scalarConversion(rules, x, y, "operand") !== undefined) return y;
    if (scalarConversion(rules, y, x, "operand") !== undefined) return x;
    return undefined;
  }
  return usualConversions(a, b);
}

/** C99 6.3.1.8, C++14 5: small integers become int first. */
export function usualConversions(a: ScalarKind, b: ScalarKind): ScalarKind | undefined {
  const small = (kind: ScalarKind): ScalarKind =>
    kind === "bool" || (isInteger(kind) && bitWidth(kind) < 32) ? "i32" : kind;
  const [x, y] = [small(a), small(b)];
  if (x === y) return x;
  if (isFloat(x) || isFloat(y)) {
    if (!isFloat(x)) return y;
    if (!isFloat(y)) return x;
    // half and bfloat: neither has the greater rank (C++23 6.8.6), so that there is no common type (7.4).
    return isWiderFloat(x, y) ? x : isWiderFloat(y, x) ? y : undefined;
  }
  if (bitWidth(x) !== bitWidth(y)) return bitWidth(x) > bitWidth(y) ? x : y;
  return x[0] === "u" ? x : y;
}

/** One operand of a binary operator, as the rule sees it. */
export interface OperandType {
  readonly type: Type;
  /** A literal (possibly negated; in HLSL without a suffix), whose value the dialect may let take another type. */
  readonly literal?: boolean;
}

/** The type both operands of arithmetic, a comparison or a bitwise operator are converted to. */
export type CommonType = { readonly type: Type; readonly truncates?: boolean } | { readonly error: string };

/**
 * The common operand type of `+ - * / % & | ^`, comparisons and the two sides of `?:`. Matrices are the caller's business.
 * `size_t` survives: an operand flagged so gives a result flagged so unless a true 64-bit type meets it.
 */
export function commonType(dialect: LanguageForm, left: OperandType, right: OperandType): CommonType {
  const common = commonOf(dialect, left, right);
  return "error" in common || !isNumeric(common.type)
    ? common
    : { ...common, type: namedAsOperands(dialect, common.type, left, right) };
}

/** DXC: at least 16 bits where both sides are, `half` where both are. Numbers without a type, bools and enumerators do not count. */
function namedAsOperands(
  dialect: LanguageForm,
  common: Type & { kind: "scalar" | "vector" | "matrix" },
  left: OperandType,
  right: OperandType,
): Type {
  const sides = [left, right].filter((o): o is OperandType & { type: typeof common } => isNumeric(o.type));
  const [enumA, enumB] = sides.map((o) => enumerationOf(o.type));
  if (languageFacts[dialect].enumerations === "kept" && enumA && enumA.enumeration === enumB?.enumeration)
    return named(common, sides[0]!.type);
  const counting = sides.filter((o) => !o.literal && o.type.scalar !== "bool" && !enumerationOf(o.type));
  const [first] = counting;
  if (!first || !counting.some((o) => isAtLeast(o.type) || o.type.distinct)) return common;
  if (counting.every((o) => o.type.distinct === "half")) return named(common, first.type);
  // A float's width counts beside an integer.
  const float = isFloat(common.scalar);
  const ofKind = counting.filter((o) => isFloat(o.type.scalar) === float);
  if (ofKind.length === 0 || !ofKind.every((o) => isAtLeast(o.type))) return common;
  const of = ofKind.filter((o) => o.type.scalar === common.scalar);
  // A language that promotes small integers has none of the kind left.
  const wider = of.find((o) => !isLesser(o.type.distinct)) ?? of[0];
  return wider ? named(common, wider.type) : common;
}

const isLesser = (name: DistinctType | undefined): boolean => name === "min10float" || name === "min12int";

/** Whatever they are kept in, enumerators of HLSL have no more width than bools have, but beside their own kind. */
function meetingKinds(
  { common }: ConversionFacts,
  a: Type,
  b: Type,
): readonly [ScalarKind | undefined, ScalarKind | undefined] {
  const [enumA, enumB] = [enumerationOf(a), enumerationOf(b)];
  if (common !== "the wider" || (enumA && enumA.enumeration === enumB?.enumeration)) return [scalarOf(a), scalarOf(b)];
  return [enumA ? "bool" : scalarOf(a), enumB ? "bool" : scalarOf(b)];
}

function commonOf(dialect: LanguageForm, left: OperandType, right: OperandType): CommonType {
  const rules = languageFacts[dialect].conversions;
  const a = left.type;
  const b = right.type;
  const [ka, kb] = meetingKinds(rules, a, b);
  if (ka === undefined || kb === undefined || a.kind === "matrix" || b.kind === "matrix") {
    return { error: "the operands have no common type" };
  }
  if (a.kind === "scalar" && b.kind === "scalar") {
    const kind = scalarWithLiterals(dialect, ka, kb, left, right);
    if (kind === undefined) return { error: "the operands have no common type" };
    return { type: sizeAware(kind, left, right) };
  }
  if (a.kind === "vector" && b.kind === "vector") {
    if (a.size !== b.size && rules.shapes === "fixed") return { error: "the vectors have different sizes" };
    const size = Math.min(a.size, b.size);
    if (rules.vectors === "never") {
      if (ka !== kb) return { error: "vectors of different element types are not converted implicitly" };
      return { type: vector(ka, a.size) };
    }
    const kind = scalarWithLiterals(dialect, ka, kb, left, right);
    if (kind === undefined) return { error: "the operands have no common type" };
    return a.size === b.size ? { type: shaped(kind, size) } : { type: shaped(kind, size), truncates: true };
  }
  const [v, s, kv, ks] = a.kind === "vector" ? [left, right, ka, kb] : [right, left, kb, ka];
  const size = componentCount(v.type)!;
  if (rules.vectors === "never") {
    if (isFloat(ks) && !isFloat(kv)) return { error: "a float operand does not convert to an integer vector" };
    if (scalarConversion(rules, ks, kv, "operand") === undefined)
      return { error: "the scalar does not convert to the vector's elements" };
    if (rules.ranksScalars && !s.literal && ks !== kv && rankOf(ks) > rankOf(kv)) {
      return { error: "the scalar has a greater rank than the vector's elements" };
    }
    return { type: shaped(kv, size) };
  }
  const kind = scalarWithLiterals(dialect, kv, ks, v, s);
  return kind === undefined ? { error: "the operands have no common type" } : { type: shaped(kind, size) };
}

const rankOf = (kind: ScalarKind): number =>
  (isFloat(kind) ? 1000 : 0) + bitWidth(kind) * 2 + (kind[0] === "u" ? 1 : 0);

/**
 * Whether a number may take another operand's kind: in HLSL one with a suffix has the type that says. Without 16-bit
 * types `1.0h` is a float, with them a half: it takes the kind of what it meets, which is right for both.
 */
export function adapts(dialect: LanguageForm, text: string, float: boolean): boolean {
  return !languageFacts[dialect].openLiterals || !(float ? /[fFlL]$/ : /[uUlL]$/).test(text);
}

function scalarWithLiterals(
  dialect: LanguageForm,
  ka: ScalarKind,
  kb: ScalarKind,
  left: OperandType,
  right: OperandType,
): ScalarKind | undefined {
  const open = languageFacts[dialect].openLiterals && (left.literal || right.literal);
  return open ? combinedKind(ka, kb, left.literal, right.literal) : usualArithmetic(dialect, ka, kb);
}

/**
 * DXC's common kind of two: of the wider, unsigned where either is; a float's where one is a float. Literals without a
 * type and bools have no width, so that the other's counts, and 32 bits where neither has one; two literals stay open, in
 * 64 bits. Two bools stay bool, what computes makes them int.
 */
export function combinedKind(a: ScalarKind, b: ScalarKind, openA = false, openB = false): ScalarKind {
  if (openA && openB) return isFloat(a) || isFloat(b) ? "f64" : "i64";
  if (a === b && !openA && !openB) return a;
  const width = (k: ScalarKind, open: boolean): number => (open || k === "bool" ? 0 : bitWidth(k));
  if (isFloat(a) !== isFloat(b)) {
    const [kind, open] = isFloat(a) ? [a, openA] : [b, openB];
    return open ? "f32" : kind;
  }
  const bits = Math.max(width(a, openA), width(b, openB)) || 32;
  if (isFloat(a)) return a === b ? a : (`f${bits}` as ScalarKind);
  const unsigned = (a[0] === "u" && !openA) || (b[0] === "u" && !openB);
  return `${unsigned ? "u" : "i"}${bits}` as ScalarKind;
}

function sizeAware(kind: ScalarKind, a: OperandType, b: OperandType): ScalarType {
  if (bitWidth(kind) !== 64 || isFloat(kind)) return scalar(kind);
  // A 64-bit literal takes part in `size_t` arithmetic without making it more than that.
  const flagged = ({ type: t, literal }: OperandType): boolean =>
    t.kind === "scalar" && (t.size === true || literal === true || (bitWidth(t.scalar) < 64 && !isFloat(t.scalar)));
  const sized = (t: Type): boolean => t.kind === "scalar" && t.size === true;
  return flagged(a) && flagged(b) && (sized(a.type) || sized(b.type))
    ? { kind: "scalar", scalar: kind, size: true }
    : scalar(kind);
}
