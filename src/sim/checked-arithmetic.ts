/** Arithmetic that some operands leave undefined: their results are the fill, and a finding says so. */
import { countedSize } from "../regions/tree.js";
import { wrapInteger, type RoundingMode } from "../types/numeric.js";
import type { ScalarKind } from "../types/types.js";
import { convertBy } from "./conversions.js";
import type { LaunchMemory } from "./launch-memory.js";
import type { Scalar } from "./scalars.js";

/** A value by which elements are counted is none of 32 bits. */
export class SizeBeyond extends Error {}

/** A conversion with a rounding mode, saturating or not, where it stands and for which lane. */
type ModedConversion = [
  from: ScalarKind,
  rounding: RoundingMode,
  saturates: boolean,
  x: Scalar,
  site: number,
  lane: number,
];

const called = (kind: ScalarKind): string =>
  `${kind.startsWith("u") ? "an unsigned" : "a signed"} ${kind.slice(1)}-bit integer`;

export class CheckedArithmetic {
  /** Of a NaN and a number, min and max give either, which the fill decides. */
  private readonly numberWins: boolean;

  constructor(readonly memory: LaunchMemory) {
    this.numberWins = (memory.fill & 1) === 1;
  }

  open_min(x: number, y: number): number {
    return y < x ? y : x <= y ? x : this.openNaN(x, y);
  }
  open_max(x: number, y: number): number {
    return x < y ? y : y <= x ? x : this.openNaN(x, y);
  }
  private openNaN(x: number, y: number): number {
    return !this.numberWins ? NaN : x !== x ? y : x;
  }

  private unspecified(kind: ScalarKind, why: string, site: number, lane: number): Scalar {
    this.memory.find("undefined-arithmetic", site, lane, why);
    return this.memory.fillOf(kind);
  }
  /** A quotient or remainder that no dialect has: by zero, or of the least number by -1, whose quotient does not fit. */
  private noQuotient(kind: ScalarKind, a: number | bigint, b: number | bigint, site: number, lane: number): Scalar {
    return this.unspecified(
      kind,
      Number(b) === 0 ? "integer division by zero" : `the quotient of ${a} by -1 does not fit into ${called(kind)}`,
      site,
      lane,
    );
  }
  /** GLSL leaves the remainder open where an operand is negative. */
  private noRemainder(kind: ScalarKind, a: number | bigint, b: number | bigint, site: number, lane: number): Scalar {
    return this.unspecified(
      kind,
      Number(b) === 0 ? "integer division by zero" : `the remainder of ${a} by ${b}: an operand is negative`,
      site,
      lane,
    );
  }

  i32_div(a: number, b: number, site: number, lane: number): number {
    return b === 0 || (b === -1 && a === -0x80000000)
      ? (this.noQuotient("i32", a, b, site, lane) as number)
      : (a / b) | 0;
  }
  i32_rem(a: number, b: number, site: number, lane: number): number {
    return b === 0 || (b === -1 && a === -0x80000000)
      ? (this.noQuotient("i32", a, b, site, lane) as number)
      : (a % b) | 0;
  }
  i32_rem_of_positive(a: number, b: number, site: number, lane: number): number {
    return a < 0 || b <= 0 ? (this.noRemainder("i32", a, b, site, lane) as number) : a % b;
  }
  u32_div(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.noQuotient("u32", a, b, site, lane) as number) : (a / b) >>> 0;
  }
  u32_rem(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.noQuotient("u32", a, b, site, lane) as number) : a % b;
  }
  i16_div(a: number, b: number, site: number, lane: number): number {
    return b === 0 || (b === -1 && a === -0x8000) ? (this.noQuotient("i16", a, b, site, lane) as number) : (a / b) | 0;
  }
  i16_rem(a: number, b: number, site: number, lane: number): number {
    return b === 0 || (b === -1 && a === -0x8000) ? (this.noQuotient("i16", a, b, site, lane) as number) : (a % b) | 0;
  }
  i16_rem_of_positive(a: number, b: number, site: number, lane: number): number {
    return a < 0 || b <= 0 ? (this.noRemainder("i16", a, b, site, lane) as number) : a % b;
  }
  u16_div(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.noQuotient("u16", a, b, site, lane) as number) : (a / b) | 0;
  }
  u16_rem(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.noQuotient("u16", a, b, site, lane) as number) : a % b;
  }
  i8_div(a: number, b: number, site: number, lane: number): number {
    return b === 0 || (b === -1 && a === -0x80) ? (this.noQuotient("i8", a, b, site, lane) as number) : (a / b) | 0;
  }
  i8_rem(a: number, b: number, site: number, lane: number): number {
    return b === 0 || (b === -1 && a === -0x80) ? (this.noQuotient("i8", a, b, site, lane) as number) : (a % b) | 0;
  }
  i8_rem_of_positive(a: number, b: number, site: number, lane: number): number {
    return a < 0 || b <= 0 ? (this.noRemainder("i8", a, b, site, lane) as number) : a % b;
  }
  u8_div(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.noQuotient("u8", a, b, site, lane) as number) : (a / b) | 0;
  }
  u8_rem(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.noQuotient("u8", a, b, site, lane) as number) : a % b;
  }
  i64_div(a: bigint, b: bigint, site: number, lane: number): bigint {
    return b === 0n || (b === -1n && a === -(1n << 63n)) ? (this.noQuotient("i64", a, b, site, lane) as bigint) : a / b;
  }
  i64_rem(a: bigint, b: bigint, site: number, lane: number): bigint {
    return b === 0n || (b === -1n && a === -(1n << 63n)) ? (this.noQuotient("i64", a, b, site, lane) as bigint) : a % b;
  }
  i64_rem_of_positive(a: bigint, b: bigint, site: number, lane: number): bigint {
    return a < 0n || b <= 0n ? (this.noRemainder("i64", a, b, site, lane) as bigint) : a % b;
  }
  u64_div(a: bigint, b: bigint, site: number, lane: number): bigint {
    return b === 0n ? (this.noQuotient("u64", a, b, site, lane) as bigint) : a / b;
  }
  u64_rem(a: bigint, b: bigint, site: number, lane: number): bigint {
    return b === 0n ? (this.noQuotient("u64", a, b, site, lane) as bigint) : a % b;
  }

  /** A result that the dialect leaves open for these operands. */
  left_open(kind: ScalarKind, site: number, lane: number, ...shown: Scalar[]): Scalar {
    let next = 0;
    const what = this.memory.sites[site]!.what.replace(/\$\d/g, () => String(shown[next++]));
    return this.unspecified(kind, what, site, lane);
  }

  // ---------------------------------------------------------------- size_t in 32 bits

  private doesNotFit(kind: "u32" | "i32" | "i64", value: number | bigint, site: number, lane: number): void {
    if (this.memory.sites[site]?.what === countedSize) throw new SizeBeyond();
    if (this.memory.sites[site]?.what === "overflow")
      this.memory.find("integer-overflow", site, lane, `the value ${value} does not fit into ${called(kind)}`);
    else if (this.memory.sites[site]?.what === "element") this.beyondObjects(value, site, lane);
    else
      this.memory.find(
        "broken-assumption",
        site,
        lane,
        `the value ${value} of this size_t expression does not fit into ${called(kind)}`,
      );
  }
  /** What the dialect leaves open of a shift: counts at or beyond the width; in C++ also negative numbers to the left, and lost bits. */
  private shiftEdges(kind: ScalarKind, x: bigint, n: bigint, left: boolean, site: number, lane: number): bigint {
    const bits = BigInt(kind.slice(1));
    if (n < 0n || n >= bits) this.memory.find("integer-overflow", site, lane, `${called(kind)} is shifted by ${n}`);
    else if (
      left &&
      kind[0] === "i" &&
      this.memory.sites[site]?.what === "overflow" &&
      (x < 0n || x << n >= 1n << bits)
    ) {
      this.memory.find("integer-overflow", site, lane, `${x} shifted left by ${n} does not fit into ${called(kind)}`);
    }
    return n & (bits - 1n);
  }
  shl_edges(kind: ScalarKind, x: number | bigint, n: number | bigint, site: number, lane: number): Scalar {
    const value = BigInt(x);
    return wrapInteger(kind, value << this.shiftEdges(kind, value, BigInt(n), true, site, lane));
  }
  shr_edges(kind: ScalarKind, x: number | bigint, n: number | bigint, site: number, lane: number): Scalar {
    const value = BigInt(x);
    return wrapInteger(kind, value >> this.shiftEdges(kind, value, BigInt(n), false, site, lane));
  }
  /** An exact integer of less than 64 bits that is relied on to be one of the type. */
  u32_fits(x: number, site: number, lane: number): number {
    if (x >= 0 && x < 4294967296) return x;
    this.doesNotFit("u32", x, site, lane);
    return x >>> 0;
  }
  i32_fits(x: number, site: number, lane: number): number {
    if (x > -2147483649 && x < 2147483648) return x;
    this.doesNotFit("i32", x, site, lane);
    return x | 0;
  }
  i64_fits(x: bigint, site: number, lane: number): bigint {
    const kept = BigInt.asIntN(64, x);
    if (kept !== x) this.doesNotFit("i64", x, site, lane);
    return kept;
  }
  i64_mul_fits(a: bigint, b: bigint, site: number, lane: number): bigint {
    return this.i64_fits(a * b, site, lane);
  }
  /** Beyond 2^53 the product is not exact, but out of range all the same. */
  u32_mul_fits(a: number, b: number, site: number, lane: number): number {
    const product = this.u32_fits(a * b, site, lane);
    return product === a * b ? product : Math.imul(a, b) >>> 0;
  }
  i32_mul_fits(a: number, b: number, site: number, lane: number): number {
    const product = this.i32_fits(a * b, site, lane);
    return product === a * b ? product | 0 : Math.imul(a, b);
  }
  /** A shift count of a 64-bit value that is shifted as 32-bit here. */
  shift_count(n: number, site: number, lane: number): number {
    if ((n & 63) > 31) this.memory.find("broken-assumption", site, lane, `a size_t value is shifted by ${n & 63}`);
    return n & 31;
  }

  // ---------------------------------------------------------------- indices of 64 bits

  /** An index or offset of 64 bits, which may count backwards, where elements are counted by 32. */
  private narrowIndex(x: bigint, signed: boolean, site: number, lane: number): bigint {
    const index = BigInt.asIntN(64, x);
    if (this.memory.sites[site]?.what === countedSize) {
      if (index !== (signed ? BigInt.asIntN(32, x) : BigInt.asUintN(32, x))) throw new SizeBeyond();
    } else if (index < -0x80000000n || index > (signed ? 0x7fffffffn : 0xffffffffn)) this.beyondObjects(x, site, lane);
    return index;
  }
  private beyondObjects(index: number | bigint, site: number, lane: number): void {
    this.memory.find("out-of-bounds", site, lane, `index ${index} is beyond any object`);
  }
  u32_index(x: bigint, site: number, lane: number): number {
    return Number(BigInt.asUintN(32, this.narrowIndex(x, false, site, lane)));
  }
  i32_index(x: bigint, site: number, lane: number): number {
    return Number(BigInt.asIntN(32, this.narrowIndex(x, true, site, lane)));
  }

  // ---------------------------------------------------------------- objects in one array

  /** An index that has to lead to a place in one of the objects that lie in an array. What null leads to is outside the array. */
  i32_within_object(index: number, site: number, lane: number): number {
    const { objects, end } = this.objectsAt(site);
    if (objects.length > 1) return index < 0 ? index : this.i32_moved_within(index, index, site, lane);
    const [first, count] = objects[0]!;
    return index >= first && index < first + count + end ? index : this.i32_moved_within(first, index, site, lane);
  }
  /** To a place in that in which `from` is one; null stays null. */
  i32_moved_within(from: number, to: number, site: number, lane: number): number {
    const { objects, end } = this.objectsAt(site);
    const isOf = ([first, count]: readonly [number, number]): boolean => from >= first && from <= first + count;
    const of = objects.find(isOf);
    if ((of && to >= of[0] && to < of[0] + of[1] + end) || (end && from === to)) return to;
    const index = of ? to - of[0] : to;
    const said = of
      ? `index ${index} of an array of ${of[1]} elements`
      : `element ${to} of no object${from < 0 ? ": the pointer may be null" : ""}`;
    this.memory.find("out-of-bounds", site, lane, said, { index });
    return to;
  }
  private readonly objects = new Map<number, { objects: readonly (readonly [number, number])[]; end: number }>();
  private objectsAt(site: number): { objects: readonly (readonly [number, number])[]; end: number } {
    let known = this.objects.get(site);
    if (!known) {
      const { what } = this.memory.sites[site]!;
      const objects = [...what.matchAll(/(\d+)\+(\d+)/g)].map(
        ([, first, count]) => [Number(first), Number(count)] as const,
      );
      this.objects.set(site, (known = { objects, end: what.endsWith("+") ? 1 : 0 }));
    }
    return known;
  }

  // ---------------------------------------------------------------- arrays of blocks

  /** Whether a block is the last but one. It may be asked before or after whether it is another one. */
  u32_last_but_one(index: number, number: number, site: number, lane: number): boolean {
    if (index < 0 || index > number + 1)
      this.memory.find("out-of-bounds", site, lane, `block ${index} of an array of ${number + 2} blocks`, { index });
    return index === number;
  }
  i32_last_but_one(index: number, number: number, site: number, lane: number): boolean {
    return this.u32_last_but_one(index, number, site, lane);
  }

  // ---------------------------------------------------------------- types of at least 16 bits, in 32

  private beyond16(x: number, site: number, lane: number): number {
    const message = `the value ${x} does not fit 16 bits, and its type is only sure to have so many`;
    this.memory.find("broken-assumption", site, lane, message);
    return x;
  }
  i32_minimum(x: number, site: number, lane: number): number {
    return x >= -0x8000 && x <= 0x7fff ? x : this.beyond16(x, site, lane);
  }
  u32_minimum(x: number, site: number, lane: number): number {
    return x <= 0xffff ? x : this.beyond16(x, site, lane);
  }
  /** From 65520 on a half is infinite. */
  f32_minimum(x: number, site: number, lane: number): number {
    return Math.abs(x) < 65520 || !Number.isFinite(x) ? x : this.beyond16(x, site, lane);
  }

  private unrepresentable(kind: ScalarKind, x: number, site: number, lane: number): Scalar {
    this.memory.find("undefined-arithmetic", site, lane, `${x} has no value in ${kind}`);
    return this.memory.fillOf(kind);
  }

  to_i32(x: number, site: number, lane: number): number {
    return x > -2147483649 && x < 2147483648 ? x | 0 : (this.unrepresentable("i32", x, site, lane) as number);
  }
  to_u32(x: number, site: number, lane: number): number {
    return x > -1 && x < 4294967296 ? x >>> 0 : (this.unrepresentable("u32", x, site, lane) as number);
  }
  to_i16(x: number, site: number, lane: number): number {
    return x > -32769 && x < 32768 ? x | 0 : (this.unrepresentable("i16", x, site, lane) as number);
  }
  to_u16(x: number, site: number, lane: number): number {
    return x > -1 && x < 65536 ? x | 0 : (this.unrepresentable("u16", x, site, lane) as number);
  }
  to_i8(x: number, site: number, lane: number): number {
    return x > -129 && x < 128 ? x | 0 : (this.unrepresentable("i8", x, site, lane) as number);
  }
  to_u8(x: number, site: number, lane: number): number {
    return x > -1 && x < 256 ? x | 0 : (this.unrepresentable("u8", x, site, lane) as number);
  }
  to_i64(x: number, site: number, lane: number): bigint {
    return x >= -(2 ** 63) && x < 2 ** 63
      ? BigInt(Math.trunc(x))
      : (this.unrepresentable("i64", x, site, lane) as bigint);
  }
  to_u64(x: number, site: number, lane: number): bigint {
    return x > -1 && x < 2 ** 64 ? BigInt(Math.trunc(x)) : (this.unrepresentable("u64", x, site, lane) as bigint);
  }

  private convert(to: ScalarKind, ...[from, rounding, saturates, x, site, lane]: ModedConversion): Scalar {
    const value = convertBy(from, to, rounding, saturates, x);
    return value === undefined ? this.unrepresentable(to, Number(x), site, lane) : value;
  }

  convert_i8(...of: ModedConversion): number {
    return this.convert("i8", ...of) as number;
  }
  convert_u8(...of: ModedConversion): number {
    return this.convert("u8", ...of) as number;
  }
  convert_i16(...of: ModedConversion): number {
    return this.convert("i16", ...of) as number;
  }
  convert_u16(...of: ModedConversion): number {
    return this.convert("u16", ...of) as number;
  }
  convert_i32(...of: ModedConversion): number {
    return this.convert("i32", ...of) as number;
  }
  convert_u32(...of: ModedConversion): number {
    return this.convert("u32", ...of) as number;
  }
  convert_f16(...of: ModedConversion): number {
    return this.convert("f16", ...of) as number;
  }
  convert_f32(...of: ModedConversion): number {
    return this.convert("f32", ...of) as number;
  }
  convert_f64(...of: ModedConversion): number {
    return this.convert("f64", ...of) as number;
  }
  convert_i64(...of: ModedConversion): bigint {
    return this.convert("i64", ...of) as bigint;
  }
  convert_u64(...of: ModedConversion): bigint {
    return this.convert("u64", ...of) as bigint;
  }
  convert_bool(...of: ModedConversion): boolean {
    return this.convert("bool", ...of) as boolean;
  }

  u32_mask_lowest(x: number, y: number, z: number, w: number, below: number, site: number, lane: number): number {
    for (const [i, word] of [x, y, z, w].entries()) {
      const bit = word === 0 ? 32 : 31 - Math.clz32(word & -word);
      if (bit < 32 && 32 * i + bit < below) return 32 * i + bit;
      if (bit < 32) break;
    }
    this.memory.find("undefined-arithmetic", site, lane, "the lowest bit of an empty ballot");
    return this.memory.fillOf("u32") as number;
  }
  u32_mask_highest(x: number, y: number, z: number, w: number, below: number, site: number, lane: number): number {
    for (let i = below - 1; i >= 0; i--) if (([x, y, z, w][i >> 5]! >>> (i & 31)) & 1) return i;
    this.memory.find("undefined-arithmetic", site, lane, "the highest bit of an empty ballot");
    return this.memory.fillOf("u32") as number;
  }
}
