/**
 * Integer machine ops of generated code, `<scalar>_<name>` as `ops/machine-ops.ts` defines them. Values are numbers in
 * range (unsigned ones not negative), bigint for the 64-bit kinds.
 */

// ------------------------------------------------------------------ bits of a word

const ones = (x: number): number => {
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** The 32 bits in reverse order, as a signed number. */
const reversed = (x: number): number => {
  x = ((x >>> 1) & 0x55555555) | ((x & 0x55555555) << 1);
  x = ((x >>> 2) & 0x33333333) | ((x & 0x33333333) << 2);
  x = ((x >>> 4) & 0x0f0f0f0f) | ((x & 0x0f0f0f0f) << 4);
  x = ((x >>> 8) & 0x00ff00ff) | ((x & 0x00ff00ff) << 8);
  return (x >>> 16) | (x << 16);
};

const lowWord = (x: bigint): number => Number(BigInt.asIntN(32, x));
const highWord = (x: bigint): number => Number(BigInt.asIntN(32, x >> 32n));

const clamp = (x: number, min: number, max: number): number => (x < min ? min : x > max ? max : x);

// ------------------------------------------------------------------ magnitude and order

export const i8_abs = (x: number): number => (Math.abs(x) << 24) >> 24;
export const u8_abs = (x: number): number => x;
export const i16_abs = (x: number): number => (Math.abs(x) << 16) >> 16;
export const u16_abs = (x: number): number => x;
export const i32_abs = (x: number): number => Math.abs(x) | 0;
export const u32_abs = (x: number): number => x;
export const i64_abs = (x: bigint): bigint => BigInt.asIntN(64, x < 0n ? -x : x);
export const u64_abs = (x: bigint): bigint => x;

export const i8_min = (x: number, y: number): number => (y < x ? y : x);
export const u8_min = (x: number, y: number): number => (y < x ? y : x);
export const i16_min = (x: number, y: number): number => (y < x ? y : x);
export const u16_min = (x: number, y: number): number => (y < x ? y : x);
export const i32_min = (x: number, y: number): number => (y < x ? y : x);
export const u32_min = (x: number, y: number): number => (y < x ? y : x);
export const i64_min = (x: bigint, y: bigint): bigint => (y < x ? y : x);
export const u64_min = (x: bigint, y: bigint): bigint => (y < x ? y : x);

export const i8_max = (x: number, y: number): number => (x < y ? y : x);
export const u8_max = (x: number, y: number): number => (x < y ? y : x);
export const i16_max = (x: number, y: number): number => (x < y ? y : x);
export const u16_max = (x: number, y: number): number => (x < y ? y : x);
export const i32_max = (x: number, y: number): number => (x < y ? y : x);
export const u32_max = (x: number, y: number): number => (x < y ? y : x);
export const i64_max = (x: bigint, y: bigint): bigint => (x < y ? y : x);
export const u64_max = (x: bigint, y: bigint): bigint => (x < y ? y : x);

export const i8_sign = (x: number): number => (x > 0 ? 1 : x < 0 ? -1 : 0);
export const u8_sign = (x: number): number => (x > 0 ? 1 : 0);
export const i16_sign = (x: number): number => (x > 0 ? 1 : x < 0 ? -1 : 0);
export const u16_sign = (x: number): number => (x > 0 ? 1 : 0);
export const i32_sign = (x: number): number => (x > 0 ? 1 : x < 0 ? -1 : 0);
export const u32_sign = (x: number): number => (x > 0 ? 1 : 0);
export const i64_sign = (x: bigint): bigint => (x > 0n ? 1n : x < 0n ? -1n : 0n);
export const u64_sign = (x: bigint): bigint => (x > 0n ? 1n : 0n);

// ------------------------------------------------------------------ counting

export const i8_clz = (x: number): number => Math.clz32(x & 0xff) - 24;
export const u8_clz = (x: number): number => Math.clz32(x) - 24;
export const i16_clz = (x: number): number => Math.clz32(x & 0xffff) - 16;
export const u16_clz = (x: number): number => Math.clz32(x) - 16;
export const i32_clz = (x: number): number => Math.clz32(x);
export const u32_clz = (x: number): number => Math.clz32(x);
const clz64 = (x: bigint): bigint => {
  const high = highWord(x);
  return BigInt(high !== 0 ? Math.clz32(high) : 32 + Math.clz32(lowWord(x)));
};
export const i64_clz = clz64;
export const u64_clz = clz64;

// A one above the highest bit stops the search there.
const ctzBelow = (x: number, stop: number): number => {
  const y = x | stop;
  return 31 - Math.clz32(y & -y);
};
const ctz32 = (x: number): number => (x === 0 ? 32 : 31 - Math.clz32(x & -x));

export const i8_ctz = (x: number): number => ctzBelow(x, 0x100);
export const u8_ctz = (x: number): number => ctzBelow(x, 0x100);
export const i16_ctz = (x: number): number => ctzBelow(x, 0x10000);
export const u16_ctz = (x: number): number => ctzBelow(x, 0x10000);
export const i32_ctz = ctz32;
export const u32_ctz = ctz32;
const ctz64 = (x: bigint): bigint => {
  const low = lowWord(x);
  return BigInt(low !== 0 ? ctz32(low) : 32 + ctz32(highWord(x)));
};
export const i64_ctz = ctz64;
export const u64_ctz = ctz64;

export const i8_popcount = (x: number): number => ones(x & 0xff);
export const u8_popcount = (x: number): number => ones(x);
export const i16_popcount = (x: number): number => ones(x & 0xffff);
export const u16_popcount = (x: number): number => ones(x);
export const i32_popcount = (x: number): number => ones(x);
export const u32_popcount = (x: number): number => ones(x);
const popcount64 = (x: bigint): bigint => BigInt(ones(lowWord(x)) + ones(highWord(x)));
export const i64_popcount = popcount64;
export const u64_popcount = popcount64;

export const i8_reverse_bits = (x: number): number => reversed(x) >> 24;
export const u8_reverse_bits = (x: number): number => reversed(x) >>> 24;
export const i16_reverse_bits = (x: number): number => reversed(x) >> 16;
export const u16_reverse_bits = (x: number): number => reversed(x) >>> 16;
export const i32_reverse_bits = (x: number): number => reversed(x);
export const u32_reverse_bits = (x: number): number => reversed(x) >>> 0;
const reverse64 = (x: bigint): bigint =>
  (BigInt(reversed(lowWord(x)) >>> 0) << 32n) | BigInt(reversed(highWord(x)) >>> 0);
export const i64_reverse_bits = (x: bigint): bigint => BigInt.asIntN(64, reverse64(x));
export const u64_reverse_bits = reverse64;

// ------------------------------------------------------------------ arithmetic

export const i8_mulhi = (x: number, y: number): number => (x * y) >> 8;
export const u8_mulhi = (x: number, y: number): number => (x * y) >>> 8;
export const i16_mulhi = (x: number, y: number): number => (x * y) >> 16;
export const u16_mulhi = (x: number, y: number): number => (x * y) >>> 16;
// The double product is at most 2^10 off and its low half is known exactly, so the quotient lies within 2^-20 of the high half.
const high = (x: number, y: number): number => Math.round((x * y - (Math.imul(x, y) >>> 0)) / 4294967296);
export const i32_mulhi = (x: number, y: number): number => high(x, y) | 0;
export const u32_mulhi = (x: number, y: number): number => high(x, y) >>> 0;

export const i64_mulhi = (x: bigint, y: bigint): bigint => (x * y) >> 64n;
export const u64_mulhi = (x: bigint, y: bigint): bigint => (x * y) >> 64n;

export const u8_rotate = (x: number, y: number): number => ((x << (y & 7)) | (x >>> (-y & 7))) & 0xff;
export const i8_rotate = (x: number, y: number): number => (u8_rotate(x & 0xff, y) << 24) >> 24;
export const u16_rotate = (x: number, y: number): number => ((x << (y & 15)) | (x >>> (-y & 15))) & 0xffff;
export const i16_rotate = (x: number, y: number): number => (u16_rotate(x & 0xffff, y) << 16) >> 16;
export const i32_rotate = (x: number, y: number): number => (x << (y & 31)) | (x >>> (-y & 31));
export const u32_rotate = (x: number, y: number): number => ((x << (y & 31)) | (x >>> (-y & 31))) >>> 0;
export const u64_rotate = (x: bigint, y: bigint): bigint => {
  const count = y & 63n;
  return BigInt.asUintN(64, (x << count) | (x >> (64n - count)));
};
export const i64_rotate = (x: bigint, y: bigint): bigint => BigInt.asIntN(64, u64_rotate(BigInt.asUintN(64, x), y));

export const i8_add_sat = (x: number, y: number): number => clamp(x + y, -0x80, 0x7f);
export const u8_add_sat = (x: number, y: number): number => clamp(x + y, 0, 0xff);
export const i16_add_sat = (x: number, y: number): number => clamp(x + y, -0x8000, 0x7fff);
export const u16_add_sat = (x: number, y: number): number => clamp(x + y, 0, 0xffff);
export const i32_add_sat = (x: number, y: number): number => clamp(x + y, -0x80000000, 0x7fffffff);
export const u32_add_sat = (x: number, y: number): number => clamp(x + y, 0, 0xffffffff);
export const i8_sub_sat = (x: number, y: number): number => clamp(x - y, -0x80, 0x7f);
export const u8_sub_sat = (x: number, y: number): number => clamp(x - y, 0, 0xff);
export const i16_sub_sat = (x: number, y: number): number => clamp(x - y, -0x8000, 0x7fff);
export const u16_sub_sat = (x: number, y: number): number => clamp(x - y, 0, 0xffff);
export const i32_sub_sat = (x: number, y: number): number => clamp(x - y, -0x80000000, 0x7fffffff);
export const u32_sub_sat = (x: number, y: number): number => clamp(x - y, 0, 0xffffffff);

const I64_LEAST = -(1n << 63n);
const I64_GREATEST = (1n << 63n) - 1n;
const U64_GREATEST = (1n << 64n) - 1n;
const clamp64 = (x: bigint, min: bigint, max: bigint): bigint => (x < min ? min : x > max ? max : x);
export const i64_add_sat = (x: bigint, y: bigint): bigint => clamp64(x + y, I64_LEAST, I64_GREATEST);
export const u64_add_sat = (x: bigint, y: bigint): bigint => clamp64(x + y, 0n, U64_GREATEST);
export const i64_sub_sat = (x: bigint, y: bigint): bigint => clamp64(x - y, I64_LEAST, I64_GREATEST);
export const u64_sub_sat = (x: bigint, y: bigint): bigint => clamp64(x - y, 0n, U64_GREATEST);
