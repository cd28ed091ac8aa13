import { ulpDistanceF32 } from "../support/ulp-distance.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  convertValue,
  f16Bits,
  f16FromBits,
  f32Bits,
  f32FromBits,
  f64Bits,
  f64FromBits,
  fmaF16,
  fmaF32,
  integerRange,
  nextAfterF16,
  nextF32,
  roundBigInt,
  roundF16,
  roundF16By,
  roundF32By,
  wrapInteger,
  type RoundingMode,
} from "../../src/types/numeric.js";
import { scalarKinds, type ScalarKind } from "../../src/types/types.js";
import { F16, F32, fixed, PLACES, roundTo, type Direction, type Format } from "../support/exact-reals.js";

const modes: readonly (readonly [RoundingMode, Direction])[] = [
  ["rte", "even"],
  ["rtz", "zero"],
  ["rtp", "up"],
  ["rtn", "down"],
];
const anyF32 = fc.integer({ min: 0, max: 0xffffffff }).map(f32FromBits);
const finiteF32 = anyF32.filter(Number.isFinite);
const finiteF16 = fc.integer({ min: 0, max: 0xffff }).map(f16FromBits).filter(Number.isFinite);
const options = { seed: 4711, numRuns: 4000 };

// ------------------------------------------------------------------ f16

/** f32 bits to f16 bits, in integers only; mode 0 nearest even, 1 toward zero, 2 up, 3 down. */
function softHalf(u: number, mode: number): number {
  const s = (u >>> 16) & 0x8000;
  const a = u & 0x7fffffff;
  const up = mode === 2 ? s === 0 : mode === 3 ? s !== 0 : false;
  if (a > 0x7f800000) return s | 0x7e00;
  if (a >= 0x47800000) return a === 0x7f800000 ? s | 0x7c00 : s | (mode === 0 || up ? 0x7c00 : 0x7bff);
  let r: number;
  let rest: number;
  let half: number;
  if (a >= 0x38800000) {
    const b = a - 0x38000000;
    r = b >>> 13;
    rest = b & 0x1fff;
    half = 0x1000;
  } else {
    if (a < 0x33000000) return s | (up && a !== 0 ? 1 : 0);
    const m = (a & 0x7fffff) | 0x800000;
    const shift = 126 - (a >>> 23);
    r = m >>> shift;
    rest = m & ((1 << shift) - 1);
    half = 1 << (shift - 1);
  }
  if (mode === 0) {
    if (rest > half || (rest === half && (r & 1) !== 0)) r++;
  } else if (up && rest !== 0) r++;
  return s | r;
}

describe("f16", () => {
  test("bits and values of all patterns", () => {
    const wrong: unknown[] = [];
    for (let bits = 0; bits < 65536; bits++) {
      const x = f16FromBits(bits);
      const [e, m] = [(bits >> 10) & 31, bits & 0x3ff];
      const magnitude = e === 31 ? (m ? NaN : Infinity) : e === 0 ? m * 2 ** -24 : (1 + m / 1024) * 2 ** (e - 15);
      if (!Object.is(x, bits >> 15 ? -magnitude : magnitude)) wrong.push(["value", bits, x]);
      if (f16Bits(x) !== (x === x ? bits : 0x7e00)) wrong.push(["bits", bits, f16Bits(x)]);
      if (x === x && !Object.is(roundF16(x), x)) wrong.push(["round", bits, roundF16(x)]);
    }
    expect(wrong).toEqual([]);
  });

  test("rounding of f32 in all modes at every boundary", () => {
    const wrong: unknown[] = [];
    const compare = (x: number): void => {
      modes.forEach(([mode], i) => {
        const [got, want] = [f16Bits(roundF16By(x, mode)), softHalf(f32Bits(x), i)];
        if (got !== want) wrong.push({ x, mode, got, want });
      });
    };
    for (let bits = 0; bits < 0x7c00; bits++) {
      const low = f16FromBits(bits);
      // Above the greatest f16 the next step would be 65536.
      const high = bits === 0x7bff ? 65536 : f16FromBits(bits + 1);
      const middle = (low + high) / 2;
      for (const x of [
        low,
        nextF32(low, Infinity),
        nextF32(middle, 0),
        middle,
        nextF32(middle, Infinity),
        nextF32(high, 0),
      ]) {
        compare(x);
        compare(-x);
      }
    }
    for (const x of [65536, 1e30, Infinity, 2 ** -149, 2 ** -126, 2 ** -25, 2 ** -26]) [x, -x].forEach(compare);
    expect(wrong).toEqual([]);
    fc.assert(fc.property(finiteF32, compare), options);
    expect(wrong).toEqual([]);
    expect(modes.map(([mode]) => roundF16By(NaN, mode))).toEqual([NaN, NaN, NaN, NaN]);
  });

  test("rounding of doubles happens once", () => {
    // A double just above the middle of two f16 whose nearest f32 is the middle itself.
    expect(roundF16(1 + 2 ** -11 + 2 ** -50)).toBe(1 + 2 ** -10);
    expect(roundF16(1 + 2 ** -11)).toBe(1);
    expect(roundF16(1 + 2 ** -11 - 2 ** -50)).toBe(1);
    expect(roundF16(1 + 3 * 2 ** -11 - 2 ** -50)).toBe(1 + 2 ** -10);
    expect(roundF16(2 ** -25 + 2 ** -70)).toBe(2 ** -24);
    expect(roundF16(-(2 ** -25))).toBe(-0);
    expect(roundF16(65519.99999999)).toBe(65504);
    expect(roundF16(65520)).toBe(Infinity);
    expect(roundF16(-1e300)).toBe(-Infinity);
    expect(roundF16(5e-324)).toBe(0);
    expect(modes.map(([mode]) => roundF16By(5e-324, mode))).toEqual([0, 0, 2 ** -24, 0]);
    expect(modes.map(([mode]) => roundF16By(-5e-324, mode))).toEqual([-0, -0, -0, -(2 ** -24)]);
    fc.assert(
      fc.property(finiteF16, fc.integer({ min: -60, max: 0 }), fc.boolean(), (x, n, up) => {
        const y = x + (up ? 1 : -1) * 2 ** n;
        for (const [mode, direction] of modes)
          expect(roundF16By(y, mode) + 0).toBe(roundTo(F16, fixed(y), PLACES, direction) + 0);
      }),
      options,
    );
  });

  test("neighbours", () => {
    const line = Array.from({ length: 2 * 0x7c00 + 1 }, (_, i) =>
      i < 0x7c00 ? -f16FromBits(0x7c00 - i) : f16FromBits(i - 0x7c00),
    );
    const wrong = line.filter((x, i) => {
      const above = i + 1 === line.length ? x : line[i + 1] === 0 ? -0 : line[i + 1];
      const below = i === 0 ? x : line[i - 1];
      return !Object.is(nextAfterF16(x, Infinity), above) || !Object.is(nextAfterF16(x, -Infinity), below);
    });
    expect(wrong).toEqual([]);
    expect(nextAfterF16(-0, 1)).toBe(2 ** -24);
    expect(nextAfterF16(1, NaN)).toBe(NaN);
  });
});

// ------------------------------------------------------------------ f32

describe("f32", () => {
  test("bits and values", () => {
    expect([1, -0, 2 ** -149, Infinity, -2.5, NaN, -NaN].map(f32Bits)).toEqual([
      0x3f800000, 0x80000000, 1, 0x7f800000, 0xc0200000, 0x7fc00000, 0x7fc00000,
    ]);
    fc.assert(
      fc.property(anyF32, (x) => Object.is(f32FromBits(f32Bits(x)), x)),
      options,
    );
    expect(f64Bits(-2.5)).toBe(0xc004000000000000n);
    expect(f64FromBits(0x7ff8000000000001n)).toBe(NaN);
    expect(f64Bits(f64FromBits(0xfff0000000000001n))).toBe(0x7ff8000000000000n);
  });

  test("rounding of doubles by all modes", () => {
    const double = fc.oneof(
      fc.double({ noNaN: true, min: -4e38, max: 4e38 }),
      fc.tuple(finiteF32, fc.double({ min: -1, max: 1, noNaN: true })).map(([x, y]) => x * (1 + y * 2 ** -22)),
      fc
        .tuple(fc.integer({ min: -(2 ** 26), max: 2 ** 26 }), fc.integer({ min: -151, max: -120 }))
        .map(([m, e]) => m * 2 ** e),
      fc.constantFrom(
        3.4028235677973366e38,
        3.4028235677973362e38,
        3.402823466385289e38,
        2 ** 128,
        -(2 ** 128),
        2 ** -150,
        -(2 ** -150),
        5e-324,
      ),
    );
    fc.assert(
      fc.property(double, (x) => {
        // Bits below the oracle's places only matter as not being zero.
        const exact = fixed(x) === 0n && x !== 0 ? (x > 0 ? 1n : -1n) : fixed(x);
        for (const [mode, direction] of modes)
          expect(roundF32By(x, mode) + 0).toBe(roundTo(F32, exact, PLACES, direction) + 0);
      }),
      options,
    );
    expect(modes.map(([mode]) => roundF32By(1e39, mode))).toEqual([
      Infinity,
      3.4028234663852886e38,
      Infinity,
      3.4028234663852886e38,
    ]);
    expect(modes.map(([mode]) => roundF32By(-Infinity, mode))).toEqual([-Infinity, -Infinity, -Infinity, -Infinity]);
    expect(modes.map(([mode]) => roundF32By(-1e-60, mode))).toEqual([-0, -0, -0, -(2 ** -149)]);
  });

  test("distance in steps", () => {
    expect(ulpDistanceF32(0, -0)).toBe(0);
    expect(ulpDistanceF32(2 ** -149, -(2 ** -149))).toBe(2);
    expect(ulpDistanceF32(1, 1 + 2 ** -23)).toBe(1);
    expect(ulpDistanceF32(1, 1 - 2 ** -24)).toBe(1);
    expect(ulpDistanceF32(3.4028234663852886e38, Infinity)).toBe(1);
    expect(ulpDistanceF32(-Infinity, Infinity)).toBe(2 * 0x7f800000);
    expect(ulpDistanceF32(NaN, NaN)).toBe(0);
    expect(ulpDistanceF32(NaN, 1)).toBe(Infinity);
    expect(ulpDistanceF32(1, NaN)).toBe(Infinity);
    fc.assert(
      fc.property(finiteF32, fc.integer({ min: 0, max: 20 }), (x, n) => {
        let y = x;
        for (let i = 0; i < n; i++) y = nextF32(y, Infinity);
        expect(ulpDistanceF32(x, y)).toBe(y === Infinity ? ulpDistanceF32(x, Infinity) : n);
        expect(ulpDistanceF32(y, x)).toBe(ulpDistanceF32(x, y));
      }),
      options,
    );
  });
});

// ------------------------------------------------------------------ fused multiply-add

describe("fused multiply-add", () => {
  const exact = (format: Format, a: number, b: number, c: number): number =>
    roundTo(format, fixed(a) * fixed(b) + (fixed(c) << PLACES), 2n * PLACES);
  const compare = (a: number, b: number, c: number): void => {
    const [got, want] = [fmaF32(a, b, c), exact(F32, a, b, c)];
    if (got !== want) expect([a, b, c, got]).toEqual([a, b, c, want]);
  };

  test("of any f32", () => {
    fc.assert(fc.property(finiteF32, finiteF32, finiteF32, compare), options);
  });

  test("where the sum of product and addend cancels", () => {
    fc.assert(
      fc.property(finiteF32, finiteF32, fc.integer({ min: -3, max: 3 }), (a, b, n) => {
        let c = -Math.fround(a * b);
        for (let i = 0; i < Math.abs(n); i++) c = nextF32(c, n > 0 ? Infinity : -Infinity);
        if (Number.isFinite(c)) compare(a, b, c);
      }),
      options,
    );
  });

  test("where a small addend decides a tie of the product", () => {
    // Odd products of 25 bits lie in the middle of two f32; an addend far below a double's last place moves them off it.
    const odd = fc.integer({ min: 2 ** 11, max: 2 ** 12 - 1 }).map((n) => 2 * n + 1);
    fc.assert(
      fc.property(
        odd,
        odd,
        fc.integer({ min: -149, max: 20 }),
        fc.integer({ min: -60, max: 60 }),
        fc.boolean(),
        (a, b, n, e, up) => {
          compare(a * 2 ** e, b, (up ? 1 : -1) * 2 ** n);
          compare(-a * 2 ** e, b, (up ? 1 : -1) * 2 ** n);
        },
      ),
      options,
    );
    expect(fmaF32(4097, 4097, 2 ** -149)).toBe(16785410);
    expect(fmaF32(4097, 4097, 0)).toBe(16785408);
    expect(fmaF32(4097, 4097, -(2 ** -149))).toBe(16785408);
    // The product decides a tie of the addend: 1 + 2^-24 with a little more, a little less.
    expect(fmaF32(2 ** -12, 2 ** -12, 1)).toBe(1);
    expect(fmaF32(2 ** -12 * (1 + 2 ** -23), 2 ** -12, 1)).toBe(1 + 2 ** -23);
    expect(fmaF32(2 ** -12 * (1 - 2 ** -24), 2 ** -12, 1 + 2 ** -23)).toBe(1 + 2 ** -23);
    expect(fmaF32(2 ** -100, 2 ** -40, 1 + 2 ** -23)).toBe(1 + 2 ** -23);
  });

  test("subnormal results, overflow, zeros and special values", () => {
    const small = fc.integer({ min: -(2 ** 24) + 1, max: 2 ** 24 - 1 });
    fc.assert(
      fc.property(
        small,
        small,
        small,
        fc.integer({ min: -149, max: -120 }),
        fc.integer({ min: -30, max: 0 }),
        (a, b, c, e, f) => {
          const x = Math.fround(a * 2 ** e);
          const z = Math.fround(c * 2 ** -149);
          compare(x, Math.fround(b * 2 ** f), z);
        },
      ),
      options,
    );
    const rows: readonly (readonly [number, number, number, number])[] = [
      [2 ** -75, 2 ** -75, 0, 0],
      [2 ** -75, 2 ** -75, 2 ** -149, 2 * 2 ** -149],
      [2 ** -75, -(2 ** -75), 0, -0],
      [2 ** -100, 2 ** -100, 2 ** -149, 2 ** -149],
      [3 * 2 ** -75, 2 ** -75, -(2 ** -149), 0],
      [2 ** 127, 2, -(2 ** 127), 2 ** 127],
      [2 ** 127, 2, 0, Infinity],
      [2 ** 127, 2, -(2 ** 104), 3.4028234663852886e38],
      [2 ** 127, 2, -(2 ** 103), Infinity],
      [3.4028234663852886e38, 1, 2 ** 102, 3.4028234663852886e38],
      [3.4028234663852886e38, 1, 2 ** 103, Infinity],
      [0, -1, 0, 0],
      [-0, 1, -0, -0],
      [1, 1, -1, 0],
      [Infinity, 0, 1, NaN],
      [Infinity, 1, -Infinity, NaN],
      [1, 2, -Infinity, -Infinity],
      [NaN, 1, 1, NaN],
      [1, 1, NaN, NaN],
      [3.4028234663852886e38, 3.4028234663852886e38, -Infinity, -Infinity],
    ];
    expect(rows.map(([a, b, c]) => [a, b, c, fmaF32(a, b, c)])).toEqual(rows);
  });

  test("of f16", () => {
    fc.assert(
      fc.property(finiteF16, finiteF16, finiteF16, (a, b, c) => {
        expect(fmaF16(a, b, c) + 0).toBe(exact(F16, a, b, c) + 0);
      }),
      { seed: 5, numRuns: 10000 },
    );
    // 33 * 63 = 2079, 12 bits: halfway between two f16, so the addend decides.
    expect([fmaF16(33, 63, 0), fmaF16(33, 63, 2 ** -24), fmaF16(33, 63, -(2 ** -24))]).toEqual([2080, 2080, 2078]);
    // 65520 is halfway between the greatest f16 and the next step.
    expect([fmaF16(255, 257, -15), fmaF16(255, 257, -16), fmaF16(256, 256, -16)]).toEqual([Infinity, 65504, Infinity]);
  });
});

// ------------------------------------------------------------------ integers and conversions

const integerKinds: readonly ScalarKind[] = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"];
const isBig = (kind: ScalarKind): boolean => kind === "i64" || kind === "u64";
const bits = (kind: ScalarKind): number => Number(kind.slice(1));
const wrapped = (kind: ScalarKind, x: bigint): bigint =>
  kind[0] === "i" ? BigInt.asIntN(bits(kind), x) : BigInt.asUintN(bits(kind), x);
const value = (kind: ScalarKind, x: bigint): number | bigint => (isBig(kind) ? x : Number(x));

describe("integers", () => {
  test("wrapping of numbers and bigints", () => {
    const any = fc.oneof(
      fc.bigInt({ min: -(1n << 70n), max: 1n << 70n }),
      fc.integer().map(BigInt),
      fc.constantFrom(
        0n,
        128n,
        255n,
        256n,
        32768n,
        65535n,
        1n << 31n,
        (1n << 32n) - 1n,
        1n << 53n,
        (1n << 63n) - 1n,
        1n << 63n,
      ),
    );
    fc.assert(
      fc.property(any, (x) => {
        for (const kind of integerKinds) {
          expect(wrapInteger(kind, x)).toBe(value(kind, wrapped(kind, x)));
          // The number may be another integer than x; it wraps as the one it is.
          expect(wrapInteger(kind, Number(x))).toBe(value(kind, wrapped(kind, BigInt(Number(x)))));
        }
      }),
      { seed: 6, numRuns: 1000 },
    );
  });

  test("ranges", () => {
    expect(integerKinds.map((kind) => [integerRange(kind).min, integerRange(kind).max])).toEqual([
      [-128n, 127n],
      [0n, 255n],
      [-32768n, 32767n],
      [0n, 65535n],
      [-2147483648n, 2147483647n],
      [0n, 4294967295n],
      [-9223372036854775808n, 9223372036854775807n],
      [0n, 18446744073709551615n],
    ]);
  });

  test("64-bit integers round once to floats", () => {
    const formats: readonly (readonly [ScalarKind, Format])[] = [
      ["f32", F32],
      ["f16", F16],
      ["f64", { precision: 53n, lowest: -1074n, limit: 1024n }],
    ];
    const any = fc.oneof(
      fc.bigInt({ min: -(1n << 63n), max: (1n << 64n) - 1n }),
      // Near the middle of two f32: 25 significant bits, and a little.
      fc
        .tuple(
          fc.bigInt({ min: 1n << 24n, max: (1n << 25n) - 1n }),
          fc.bigInt({ min: 0n, max: 38n }),
          fc.bigInt({ min: -1n, max: 1n }),
        )
        .map(([m, e, d]) => (m << e) + d),
      fc.bigInt({ min: -70000n, max: 70000n }),
    );
    fc.assert(
      fc.property(any, (x) => {
        for (const [kind, format] of formats) expect(roundBigInt(kind, x)).toBe(roundTo(format, x, 0n));
      }),
      options,
    );
    // Just above the middle of two f32; a double would take it for the middle.
    expect(roundBigInt("f32", (1n << 62n) + (1n << 38n) + 1n)).toBe(2 ** 62 + 2 ** 39);
    expect(roundBigInt("f32", (1n << 62n) + (1n << 38n))).toBe(2 ** 62);
    expect(roundBigInt("f16", -65520n)).toBe(-Infinity);
    expect(roundBigInt("f32", 0n)).toBe(0);
  });
});

describe("value conversions", () => {
  test("between integers they wrap, of bool they are 0 or 1, to bool not zero", () => {
    for (const from of integerKinds) {
      const { min, max } = integerRange(from);
      fc.assert(
        fc.property(fc.bigInt({ min, max }), (x) => {
          for (const to of integerKinds) expect(convertValue(from, to, value(from, x))).toBe(value(to, wrapped(to, x)));
          expect(convertValue(from, "bool", value(from, x))).toBe(x !== 0n);
          expect(convertValue(from, "f32", value(from, x))).toBe(roundTo(F32, x, 0n));
          expect(convertValue(from, "f16", value(from, x))).toBe(roundTo(F16, x, 0n));
        }),
        { seed: 3, numRuns: 300 },
      );
    }
    for (const to of scalarKinds) {
      const one = to === "bool" ? true : isBig(to) ? 1n : 1;
      expect(convertValue("bool", to, true)).toBe(one);
    }
    expect(convertValue("f32", "bool", -0)).toBe(false);
    expect(convertValue("f32", "bool", NaN)).toBe(true);
    expect(convertValue("f32", "bool", 2 ** -149)).toBe(true);
  });

  test("of floats to integers they cut off, and out of range there is no value", () => {
    for (const to of integerKinds) {
      const { min, max } = integerRange(to);
      fc.assert(
        fc.property(
          fc.oneof(
            finiteF32,
            fc.double({ min: Number(min) * 1.1 - 2, max: Number(max) * 1.1, noNaN: true }).map(Math.fround),
          ),
          (x) => {
            const whole = fixed(x) / (1n << PLACES);
            const got = convertValue("f32", to, x);
            expect(got).toBe(whole < min || whole > max ? undefined : value(to, whole));
          },
        ),
        { seed: 9, numRuns: 2000 },
      );
      expect([NaN, Infinity, -Infinity].map((x) => convertValue("f32", to, x))).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    }
    expect(convertValue("f32", "i32", -0.75)).toBe(0);
    expect(convertValue("f32", "u32", -0.75)).toBe(0);
    expect(convertValue("f32", "u32", -1)).toBeUndefined();
    expect(convertValue("f32", "i32", 2147483648)).toBeUndefined();
    expect(convertValue("f32", "i32", -2147483648)).toBe(-2147483648);
    expect(convertValue("f32", "i8", 127.99999)).toBe(127);
    expect(convertValue("f32", "i64", 2 ** 63)).toBeUndefined();
  });

  test("between floats they round once", () => {
    expect(convertValue("f32", "f16", 2049)).toBe(2048);
    expect(convertValue("f32", "f16", 65520)).toBe(Infinity);
    expect(convertValue("f16", "f32", 2 ** -24)).toBe(2 ** -24);
    expect(convertValue("f64", "f32", 16777217)).toBe(16777216);
    expect(convertValue("f32", "f16", NaN)).toBe(NaN);
  });
});
