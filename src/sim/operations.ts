/** Machine ops generated code calls by name, `<scalar>_<op>`; plain arithmetic is written in place by the printer. */
import { fmaF16, fmaF32, nextAfterF16, nextF32, roundF16, wrapInteger } from "../types/numeric.js";
import { bitWidth } from "../types/types.js";

type Operation = (...args: never[]) => number | bigint | boolean;

const table: Record<string, Operation> = {};

// ------------------------------------------------------------------ masks of lanes

const word = (from: number, to: number, w: number): number => {
  // Bits from..to-1 of a 128-bit mask, word w.
  const low = Math.max(from - 32 * w, 0);
  const high = Math.min(to - 32 * w, 32);
  if (high <= low) return 0;
  const ones = high - low === 32 ? 0xffffffff : (1 << (high - low)) - 1;
  return (ones << low) >>> 0;
};

table["u32_mask_eq"] = (lane: number, _size: number, w: number) => word(lane, lane + 1, w);
table["u32_mask_ge"] = (lane: number, size: number, w: number) => word(lane, size, w);
table["u32_mask_gt"] = (lane: number, size: number, w: number) => word(lane + 1, size, w);
table["u32_mask_le"] = (lane: number, _size: number, w: number) => word(0, lane + 1, w);
table["u32_mask_lt"] = (lane: number, _size: number, w: number) => word(0, lane, w);
table["bool_mask_bit"] = (x: number, y: number, z: number, w: number, i: number) =>
  (((i < 32 ? x : i < 64 ? y : i < 96 ? z : w) >>> (i & 31)) & 1) === 1;

const popcount = (x: number): number => {
  let n = x - ((x >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};
table["u32_mask_count"] = (x: number, y: number, z: number, w: number, below: number) =>
  popcount(x & word(0, below, 0)) + popcount(y & word(0, below, 1)) + popcount(z & word(0, below, 2)) + popcount(w & word(0, below, 3));

// ------------------------------------------------------------------ integers

const reverse32 = (x: number): number => {
  let y = ((x >>> 1) & 0x55555555) | ((x & 0x55555555) << 1);
  y = ((y >>> 2) & 0x33333333) | ((y & 0x33333333) << 2);
  y = ((y >>> 4) & 0x0f0f0f0f) | ((y & 0x0f0f0f0f) << 4);
  y = ((y >>> 8) & 0x00ff00ff) | ((y & 0x00ff00ff) << 8);
  return ((y >>> 16) | (y << 16)) >>> 0;
};

for (const kind of ["i8", "u8", "i16", "u16", "i32", "u32"] as const) {
  const bits = bitWidth(kind);
  const signed = kind[0] === "i";
  const ones = 2 ** bits - 1;
  const least = signed ? -(2 ** (bits - 1)) : 0;
  const greatest = signed ? 2 ** (bits - 1) - 1 : ones;
  const wrap: (x: number) => number =
    kind === "i32" ? (x) => x | 0 : kind === "u32" ? (x) => x >>> 0 : signed ? (x) => (x << (32 - bits)) >> (32 - bits) : (x) => x & ones;
  const unsigned: (x: number) => number = bits === 32 ? (x) => x >>> 0 : (x) => x & ones;
  const clamp = (x: number): number => (x < least ? least : x > greatest ? greatest : x);
  const define = (name: string, f: Operation): void => {
    table[`${kind}_${name}`] = f;
  };
  define("abs", (x: number) => wrap(x < 0 ? -x : x));
  define("min", (x: number, y: number) => (y < x ? y : x));
  define("max", (x: number, y: number) => (x < y ? y : x));
  define("sign", (x: number) => (x > 0 ? 1 : x < 0 ? -1 : 0));
  define("clz", (x: number) => Math.clz32(unsigned(x)) - (32 - bits));
  define("ctz", (x: number) => (unsigned(x) === 0 ? bits : 31 - Math.clz32(x & -x)));
  define("popcount", (x: number) => popcount(unsigned(x)));
  define("reverse_bits", (x: number) => wrap(reverse32(unsigned(x)) >>> (32 - bits)));
  define("rotate", (x: number, y: number) => {
    const n = y & (bits - 1);
    const u = unsigned(x);
    return n === 0 ? x : wrap((u << n) | (u >>> (bits - n)));
  });
  define("add_sat", (x: number, y: number) => clamp(x + y));
  define("sub_sat", (x: number, y: number) => clamp(x - y));
  // The low half of a 64-bit product is lost in a double; halves of 16 bits keep it.
  define("mulhi", (x: number, y: number) => (bits < 32 ? wrap((x * y) >> bits) : wrap(high32(x, y, signed))));
}

function high32(x: number, y: number, signed: boolean): number {
  const a = x >>> 0;
  const b = y >>> 0;
  const [al, ah, bl, bh] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const low = al * bl;
  const middle = ah * bl + Math.floor(low / 65536);
  const cross = al * bh + (middle % 65536);
  let high = ah * bh + Math.floor(middle / 65536) + Math.floor(cross / 65536);
  if (signed) {
    if (x < 0) high -= b;
    if (y < 0) high -= a;
  }
  return high;
}

for (const kind of ["i64", "u64"] as const) {
  const wrap = (x: bigint): bigint => wrapInteger(kind, x) as bigint;
  const unsigned = (x: bigint): bigint => BigInt.asUintN(64, x);
  const define = (name: string, f: Operation): void => {
    table[`${kind}_${name}`] = f;
  };
  define("abs", (x: bigint) => wrap(x < 0n ? -x : x));
  define("min", (x: bigint, y: bigint) => (y < x ? y : x));
  define("max", (x: bigint, y: bigint) => (x < y ? y : x));
  define("sign", (x: bigint) => (x > 0n ? 1n : x < 0n ? -1n : 0n));
  define("clz", (x: bigint) => {
    const u = unsigned(x);
    return BigInt(u === 0n ? 64 : 64 - u.toString(2).length);
  });
  define("ctz", (x: bigint) => {
    const u = unsigned(x);
    return u === 0n ? 64n : BigInt((u & -u).toString(2).length - 1);
  });
  define("popcount", (x: bigint) => BigInt(popcount(Number(unsigned(x) & 0xffffffffn)) + popcount(Number(unsigned(x) >> 32n))));
  define("reverse_bits", (x: bigint) => {
    const u = unsigned(x);
    return wrap((BigInt(reverse32(Number(u & 0xffffffffn))) << 32n) | BigInt(reverse32(Number(u >> 32n))));
  });
  define("rotate", (x: bigint, y: bigint) => {
    const n = y & 63n;
    const u = unsigned(x);
    return wrap((u << n) | (u >> (64n - n)));
  });
}

// ------------------------------------------------------------------ floats

const even = (x: number): number => {
  if (!(Math.abs(x) < 2 ** 52)) return x;
  // Adding and taking away 2^52 rounds to an integer, ties to even; the sign of a zero result is that of x.
  const r = Math.abs(x) + 2 ** 52 - 2 ** 52;
  return x < 0 || Object.is(x, -0) ? -r : r;
};
const away = (x: number): number => {
  const a = Math.abs(x);
  if (!(a < 2 ** 52)) return x;
  const f = Math.floor(a);
  const r = a - f >= 0.5 ? f + 1 : f;
  return x < 0 || Object.is(x, -0) ? -r : r;
};
const negative = (x: number): boolean => x < 0 || Object.is(x, -0);

/** Exact x - y*round_even(x/y): from the exact `%`, then one step where the nearer multiple lies beyond. */
const remainder = (x: number, y: number): number => {
  if (x !== x || y !== y || Math.abs(x) === Infinity || y === 0) return NaN;
  if (Math.abs(y) === Infinity) return x;
  const m = Math.abs(y);
  // Modulo 2m keeps the parity of the quotient; both steps are exact.
  let r = 2 * m === Infinity ? Math.abs(x) : Math.abs(x) % (2 * m);
  if (r > m) {
    r -= m;
    r = 2 * r >= m ? r - m : r;
  } else if (2 * r > m) r -= m;
  return negative(x) ? -r : r;
};

for (const kind of ["f32", "f16"] as const) {
  const round = kind === "f32" ? Math.fround : roundF16;
  const greatestBelowOne = kind === "f32" ? 1 - 2 ** -24 : 1 - 2 ** -11;
  const leastNormal = kind === "f32" ? 2 ** -126 : 2 ** -14;
  const define = (name: string, f: Operation): void => {
    table[`${kind}_${name}`] = f;
  };
  define("fma", kind === "f32" ? fmaF32 : fmaF16);
  define("min", (x: number, y: number) => (y < x ? y : x));
  define("max", (x: number, y: number) => (x < y ? y : x));
  define("fmin", (x: number, y: number) => (x !== x ? y : y < x ? y : x));
  define("fmax", (x: number, y: number) => (x !== x ? y : x < y ? y : x));
  define("sign", (x: number) => (x > 0 ? 1 : x < 0 ? -1 : x !== x ? 0 : x));
  define("copysign", (x: number, y: number) => (negative(y) ? -Math.abs(x) : Math.abs(x)));
  define("round_even", even);
  define("round_away", away);
  define("fract", (x: number) => {
    const r = round(x - Math.floor(x));
    return r >= 1 ? greatestBelowOne : r;
  });
  define("fmod", (x: number, y: number) => x % y);
  define("remainder", remainder);
  define("ldexp", (x: number, n: number) => round(scale(x, n)));
  define("nextafter", kind === "f32" ? nextF32 : nextAfterF16);
  define("isnan", (x: number) => x !== x);
  define("isinf", (x: number) => Math.abs(x) === Infinity);
  define("isfinite", (x: number) => Math.abs(x) < Infinity);
  define("isnormal", (x: number) => Math.abs(x) < Infinity && Math.abs(x) >= leastNormal);
  define("signbit", negative);
  define("modf_fraction", (x: number) => (Math.abs(x) === Infinity ? (x < 0 ? -0 : 0) : copyZero(x - Math.trunc(x), x)));
  define("frexp_exponent", (x: number) => fraction(x).exponent);
  define("frexp_fraction", (x: number) => fraction(x).fraction);
}

const copyZero = (r: number, x: number): number => (r === 0 ? (negative(x) ? -0 : 0) : r);

/** x * 2^n in double without a rounding of its own: the result's rounding to a smaller type is the only one. */
function scale(x: number, n: number): number {
  const power = Math.max(-600, Math.min(600, n));
  return x * 2 ** power;
}

function fraction(x: number): { fraction: number; exponent: number } {
  if (x === 0 || x !== x || Math.abs(x) === Infinity) return { fraction: x, exponent: 0 };
  let exponent = 0;
  let f = Math.abs(x);
  while (f >= 1) {
    f /= 2;
    exponent++;
  }
  while (f < 0.5) {
    f *= 2;
    exponent--;
  }
  return { fraction: x < 0 ? -f : f, exponent };
}

export const machineFunctions: Readonly<Record<string, Operation>> = table;
