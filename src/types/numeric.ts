/**
 * Exact scalar arithmetic: wrapping, rounding to f16, bf16 and f32, conversions, fused multiply-add. Values are numbers (i64 and
 * u64: bigint, bool: boolean) that are exactly representable in their type.
 */
import { bitWidth, isFloat, isInteger, type FloatKind, type ScalarKind } from "./types.js";

// Views of the same bytes; typed arrays have the byte order of the machine, little-endian wherever JavaScript runs.
const words = new DataView(new ArrayBuffer(8));
const single = new Float32Array(1);
const singleBits = new Uint32Array(single.buffer);
const double = new Float64Array(1);
const doubleBits = new Uint32Array(double.buffer);

/** Bits of an f32; every NaN gives the canonical one. */
export function f32Bits(x: number): number {
  if (x !== x) return 0x7fc00000;
  single[0] = x;
  return singleBits[0]!;
}

export function f32FromBits(bits: number): number {
  singleBits[0] = bits;
  return single[0]!;
}

export function f64Bits(x: number): bigint {
  if (x !== x) return 0x7ff8000000000000n;
  words.setFloat64(0, x);
  return words.getBigUint64(0);
}

export function f64FromBits(bits: bigint): number {
  words.setBigUint64(0, bits);
  return words.getFloat64(0);
}

/** Floor of the logarithm to base 2 of the magnitude, of normal doubles. */
export const exponentOf = (x: number): number => {
  double[0] = x;
  return ((doubleBits[1]! >>> 20) & 0x7ff) - 1023;
};

/** 2^exponent, from -1022 to 1023. */
export const powerOfTwo = (exponent: number): number => {
  doubleBits[1] = (exponent + 1023) << 20;
  doubleBits[0] = 0;
  return double[0]!;
};

/** A double rounded once to f16, to nearest even. */
export function roundF16(x: number): number {
  const a = Math.abs(x);
  if (!(a < 65520)) return x !== x ? NaN : x > 0 ? Infinity : -Infinity;
  if (a === 0) return x;
  const exponent = a < 2 ** -14 ? -14 : exponentOf(a);
  // Adding 1.5 * 2^52 quanta leaves whole quanta in the sum, rounded to nearest even.
  const big = 1.5 * powerOfTwo(exponent - 10 + 52);
  const r = a + big - big;
  return x < 0 ? -r : r;
}

export function f16FromBits(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 0x3ff;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * powerOfTwo(exponent - 25);
}

/** Bits of a value that is an f16 already; every NaN gives 0x7e00. */
export function f16Bits(x: number): number {
  if (x !== x) return 0x7e00;
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const a = Math.abs(x);
  if (a === Infinity) return sign | 0x7c00;
  if (a < 2 ** -14) return sign | (a * 2 ** 24);
  const exponent = exponentOf(a);
  return sign | ((exponent + 15) << 10) | (a * powerOfTwo(10 - exponent) - 1024);
}

/** A double rounded once to bf16, to nearest even: 8 significant bits, and the exponents of f32. */
export function roundBF16(x: number): number {
  const a = Math.abs(x);
  // Halfway from the largest one, (2 - 2^-7) * 2^127, to 2^128: the tie goes to the even, which is beyond.
  if (!(a < (2 - 2 ** -8) * 2 ** 127)) return x !== x ? NaN : x > 0 ? Infinity : -Infinity;
  if (a === 0) return x;
  const exponent = a < 2 ** -126 ? -126 : exponentOf(a);
  const big = 1.5 * powerOfTwo(exponent - 7 + 52);
  const r = a + big - big;
  return x < 0 ? -r : r;
}

export const bf16FromBits = (bits: number): number => f32FromBits(bits << 16);

/** Bits of a value that is a bf16 already; every NaN gives 0x7fc0. */
export const bf16Bits = (x: number): number => f32Bits(x) >>> 16;

/** The float that has these bits. */
export function floatOfBits(kind: FloatKind, bits: number | bigint): number {
  switch (kind) {
    case "f64":
      return f64FromBits(BigInt(bits));
    case "f32":
      return f32FromBits(Number(bits));
    case "bf16":
      return bf16FromBits(Number(bits));
    case "f16":
      return f16FromBits(Number(bits));
  }
}

/** The bits of a value that is of the kind already; every NaN gives one pattern. */
export function bitsOfFloat(kind: FloatKind, value: number): number | bigint {
  switch (kind) {
    case "f64":
      return f64Bits(value);
    case "f32":
      return f32Bits(value);
    case "bf16":
      return bf16Bits(value);
    case "f16":
      return f16Bits(value);
  }
}

export type RoundingMode = "rte" | "rtz" | "rtp" | "rtn";

/** A double rounded once to f16 by any mode. */
export function roundF16By(x: number, mode: RoundingMode): number {
  const nearest = roundF16(x);
  if (mode === "rte" || nearest === x || x !== x) return nearest;
  const up = mode === "rtp" || (mode === "rtz" && x < 0);
  if (up) return nearest > x ? nearest : nextF16(nearest, 1);
  return nearest < x ? nearest : nextF16(nearest, -1);
}

/** glslang (12 and 16) makes constants of halves by way of a float, the rest cut off; an infinity from 2^16 on. */
export const cutToHalf = (x: number): number =>
  Math.abs(Math.fround(x)) >= 65536 ? Math.sign(x) * Infinity : roundF16By(Math.fround(x), "rtz");

/** The neighbour of an f16 above (1) or below (-1). */
function nextF16(x: number, direction: 1 | -1): number {
  if (x === 0) return direction * 2 ** -24;
  const bits = f16Bits(x);
  const away = x > 0 === direction > 0;
  return f16FromBits(away ? bits + 1 : bits - 1);
}

/** A double rounded once to f32 by any mode. */
export function roundF32By(x: number, mode: RoundingMode): number {
  const nearest = Math.fround(x);
  if (mode === "rte" || nearest === x || x !== x) return nearest;
  const up = mode === "rtp" || (mode === "rtz" && x < 0);
  if (up) return nearest > x ? nearest : nextF32(nearest, Infinity);
  return nearest < x ? nearest : nextF32(nearest, -Infinity);
}

/** C `nextafter` on f32. */
export function nextF32(x: number, toward: number): number {
  if (x !== x || toward !== toward) return NaN;
  if (x === toward) return toward;
  if (x === 0) return toward > 0 ? 2 ** -149 : -(2 ** -149);
  const bits = f32Bits(x);
  return f32FromBits(x > 0 === toward > x ? bits + 1 : bits - 1);
}

export function nextAfterF16(x: number, toward: number): number {
  if (x !== x || toward !== toward) return NaN;
  if (x === toward) return toward;
  return nextF16(x, toward > x ? 1 : -1);
}

// ------------------------------------------------------------------ fused multiply-add

/**
 * `a*b + c` for f32, rounded once. The product of two f32 is exact in double. The sum is rounded to odd (by the error of
 * the addition), after which rounding to f32 is right since a double has more than 24 + 2 bits.
 */
export function fmaF32(a: number, b: number, c: number): number {
  const product = a * b;
  return Math.fround(addToOdd(product, c));
}

/** f16: the product has at most 22 bits and the sum is exact or far from the rounding point; one more rounding to odd is safe. */
export function fmaF16(a: number, b: number, c: number): number {
  return roundF16(addToOdd(a * b, c));
}

function addToOdd(x: number, y: number): number {
  const sum = x + y;
  if (!(Math.abs(sum) < Infinity)) return sum;
  const part = sum - x;
  const error = x - (sum - part) + (y - part);
  if (error === 0) return sum;
  double[0] = sum;
  if (doubleBits[0]! & 1) return sum;
  // The exact sum lies strictly between `sum` and its neighbour in the direction of the error: take the odd one.
  return neighbourOf(sum, sum > 0 === error > 0);
}

/** The next double after one that is finite and not zero: of greater magnitude, or of less. */
export function neighbourOf(x: number, away: boolean): number {
  double[0] = x;
  const low = doubleBits[0]!;
  const high = doubleBits[1]!;
  doubleBits[0] = away ? low + 1 : low - 1;
  if (low === (away ? 0xffffffff : 0)) doubleBits[1] = away ? high + 1 : high - 1;
  return double[0];
}

// ------------------------------------------------------------------ integers and conversions

/** Wraps to an integer kind; i64 and u64 come back as bigint. */
export function wrapInteger(kind: ScalarKind, value: number | bigint): number | bigint {
  switch (kind) {
    case "i64":
      return BigInt.asIntN(64, BigInt(value));
    case "u64":
      return BigInt.asUintN(64, BigInt(value));
    default: {
      const bits = bitWidth(kind);
      const low =
        typeof value === "bigint"
          ? Number(BigInt.asIntN(32, value))
          : Number.isSafeInteger(value)
            ? wrapSafe(value)
            : Number(BigInt.asIntN(32, BigInt(Math.trunc(value))));
      if (kind[0] === "i") return (low << (32 - bits)) >> (32 - bits);
      return bits === 32 ? low >>> 0 : low & (2 ** bits - 1);
    }
  }
}

// `| 0` is exact modulo 2^32 for every integer a double holds exactly.
const wrapSafe = (value: number): number => value | 0;

export function roundFloat(kind: ScalarKind, value: number): number {
  switch (kind) {
    case "f16":
      return roundF16(value);
    case "bf16":
      return roundBF16(value);
    case "f32":
      return Math.fround(value);
    default:
      return value;
  }
}

/** Least and greatest value of an integer kind. */
export function integerRange(kind: ScalarKind): { readonly min: bigint; readonly max: bigint } {
  const bits = BigInt(bitWidth(kind));
  return kind[0] === "i"
    ? { min: -(1n << (bits - 1n)), max: (1n << (bits - 1n)) - 1n }
    : { min: 0n, max: (1n << bits) - 1n };
}

/** Value conversion of `Convert`. Undefined where a float is out of the integer's range or NaN. */
export function convertValue(
  from: ScalarKind,
  to: ScalarKind,
  value: number | bigint | boolean,
): number | bigint | boolean | undefined {
  if (to === "bool") return typeof value === "boolean" ? value : value !== 0 && value !== 0n;
  const number = typeof value === "boolean" ? Number(value) : value;
  if (isFloat(to)) return typeof number === "bigint" ? roundBigInt(to, number) : roundFloat(to, number);
  if (isInteger(from) || from === "bool") return wrapInteger(to, number);
  const whole = Math.trunc(number as number);
  if (!Number.isFinite(whole)) return undefined;
  const { min, max } = integerRange(to);
  const big = BigInt(whole);
  if (big < min || big > max) return undefined;
  return to === "i64" || to === "u64" ? big : whole === 0 ? 0 : whole;
}

/** A 64-bit integer rounded once to a float kind, to nearest even. */
export function roundBigInt(kind: ScalarKind, value: bigint): number {
  const negative = value < 0n;
  let magnitude = negative ? -value : value;
  const keep = kind === "f64" ? 53 : kind === "f32" ? 24 : kind === "bf16" ? 8 : 11;
  const bits = magnitude.toString(2).length;
  if (bits > keep + 2) {
    // Keep two more bits and a sticky one: rounding to the target happens once, below.
    const shift = BigInt(bits - keep - 2);
    const sticky = magnitude & ((1n << shift) - 1n) ? 1n : 0n;
    magnitude = ((magnitude >> shift) | sticky) << shift;
  }
  // At most keep + 2 significant bits: exact in double unless the target is double, whose conversion rounds to nearest even.
  const rounded = roundFloat(kind, Number(magnitude));
  return negative ? -rounded : rounded;
}

/** Halfway between two f32: some compilers round digits beside it to it first, and then again. */
export function isBetweenFloats(double: number): boolean {
  const near = Math.fround(double);
  const other = near + 2 * (double - near);
  return near !== double && Math.fround(other) === other;
}

/** Bounds of integers: whole numbers of 32 bits, and powers of two up to 64. */
const isBound = (x: number): boolean =>
  Number.isInteger(x) && (x <= 2 ** 32 || (x <= 2 ** 64 && Number.isInteger(Math.log2(x))));

/**
 * The decimal that a float is written as, of magnitudes: exact for the bounds of integers, so that they show what they are;
 * else the fewest digits that read back as the same value of the kind.
 */
export function decimalOf(value: number, kind: FloatKind): string {
  if (isBound(value)) return String(BigInt(value));
  if (kind === "f64") return String(value);
  for (let digits = 1; digits <= 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Object.is(Math.fround(text), Math.fround(value)) && (kind === "f32" || text === value)) return String(text);
  }
  return String(value);
}
