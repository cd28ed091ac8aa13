import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { machineOps } from "../../src/ops/machine-ops.js";
import { convertBy, f16tof32, f32tof16 } from "../../src/sim/conversions.js";
import * as functions from "../../src/sim/scalar-functions.js";
import { f16Bits, f16FromBits, f32FromBits, type RoundingMode } from "../../src/types/numeric.js";
import { scalarKinds, type ScalarKind } from "../../src/types/types.js";
import { F16, F32, fixed, PLACES, roundTo, type Direction } from "../support/exact-reals.js";

const named = functions as unknown as Readonly<Record<string, (...args: unknown[]) => unknown>>;
const INF = Infinity;
const options = { seed: 20240607, numRuns: 2000 };

test("every machine op has its functions", () => {
  const missing = machineOps
    .flatMap((op) => op.on.map((kind) => `${kind}_${op.name}`))
    .filter((name) => typeof named[name] !== "function");
  expect(missing).toEqual([]);
});

// ------------------------------------------------------------------ floats

const anyF32 = fc.integer({ min: 0, max: 0xffffffff }).map(f32FromBits);
const finiteF32 = anyF32.filter(Number.isFinite);
const finiteF16 = fc.integer({ min: 0, max: 0xffff }).map(f16FromBits).filter(Number.isFinite);

type Row = readonly [...number[], number];
const check = (name: string, rows: readonly Row[]): void => {
  expect(rows.map((row) => [...row.slice(0, -1), named[name]!(...row.slice(0, -1))])).toEqual(rows);
};

describe("rounding to integers", () => {
  test("at the edges", () => {
    check("f32_round_even", [
      [0.5, 0],
      [1.5, 2],
      [2.5, 2],
      [-0.5, -0],
      [-1.5, -2],
      [-0.2, -0],
      [8388607.5, 8388608],
      [8388606.5, 8388606],
      [4194303.5, 4194304],
      [8388609, 8388609],
      [1e30, 1e30],
      [-0, -0],
      [INF, INF],
      [NaN, NaN],
      [0.49999997, 0],
    ]);
    check("f32_round_away", [
      [0.5, 1],
      [1.5, 2],
      [2.5, 3],
      [-0.5, -1],
      [-0.2, -0],
      [8388607.5, 8388608],
      [8388606.5, 8388607],
      [0.49999997, 0],
      [-2.5, -3],
      [8388609, 8388609],
      [16777215, 16777215],
      [-0, -0],
      [-INF, -INF],
      [NaN, NaN],
    ]);
    check("f32_floor", [
      [-0.5, -1],
      [-0, -0],
      [1.5, 1],
      [-INF, -INF],
      [NaN, NaN],
    ]);
    check("f32_ceil", [
      [-0.5, -0],
      [0.25, 1],
      [INF, INF],
      [NaN, NaN],
    ]);
    check("f32_trunc", [
      [-0.5, -0],
      [-1.75, -1],
      [1e30, 1e30],
      [NaN, NaN],
    ]);
    check("f32_fract", [
      [1.25, 0.25],
      [-0.25, 0.75],
      [-1e-10, 1 - 2 ** -24],
      [-0, 0],
      [3, 0],
      [INF, NaN],
      [-INF, NaN],
      [NaN, NaN],
    ]);
    check("f16_fract", [
      [1.25, 0.25],
      [-(2 ** -24), 1 - 2 ** -11],
      [-0.25, 0.75],
      [NaN, NaN],
    ]);
    check("f32_modf_fraction", [
      [1.25, 0.25],
      [-1.25, -0.25],
      [-3, -0],
      [3, 0],
      [-0, -0],
      [INF, 0],
      [-INF, -0],
      [NaN, NaN],
    ]);
  });

  test("to even and away against exact halves", () => {
    // In steps of 1/4 the nearest integer is plain integer arithmetic on quarters.
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 24) + 1, max: 2 ** 24 - 1 }), (quarters) => {
        const magnitude = Math.abs(quarters);
        const [whole, rest] = [Math.floor(magnitude / 4), magnitude % 4];
        const sign = quarters < 0 ? -1 : 1;
        const even = rest > 2 || (rest === 2 && whole % 2 === 1) ? whole + 1 : whole;
        const away = rest >= 2 ? whole + 1 : whole;
        expect(named.f32_round_even!(quarters / 4)).toBe(sign * even);
        expect(named.f32_round_away!(quarters / 4)).toBe(sign * away);
      }),
      options,
    );
  });
});

/** A quotient of exact integers rounded to the nearest, ties to even. */
function nearestQuotient(a: bigint, b: bigint): bigint {
  const [n, d] = b < 0n ? [-a, -b] : [a, b];
  let q = n / d;
  let rest = n - q * d;
  if (rest < 0n) {
    q--;
    rest += d;
  }
  return 2n * rest > d || (2n * rest === d && q % 2n !== 0n) ? q + 1n : q;
}

describe("quotients", () => {
  test("fmod and remainder are exact", () => {
    for (const [kind, finite, format] of [
      ["f32", finiteF32, F32],
      ["f16", finiteF16, F16],
    ] as const) {
      fc.assert(
        fc.property(
          finite,
          finite.filter((y) => y !== 0),
          (x, y) => {
            const [a, b] = [fixed(x), fixed(y)];
            const quotient = a / b;
            expect(Number(named[`${kind}_fmod`]!(x, y)) + 0).toBe(roundTo(format, a - quotient * b, PLACES) + 0);
            expect(Number(named[`${kind}_remainder`]!(x, y)) + 0).toBe(
              roundTo(format, a - nearestQuotient(a, b) * b, PLACES) + 0,
            );
          },
        ),
        options,
      );
    }
  });

  test("special values, C99 F.9.7", () => {
    // 2^127 is 2^276 least f32, and even powers of two leave 1 modulo 3.
    check("f32_fmod", [
      [5, 3, 2],
      [-5, 3, -2],
      [5, -3, 2],
      [-6, 3, -0],
      [-0, 3, -0],
      [1, 0, NaN],
      [INF, 2, NaN],
      [2, INF, 2],
      [-2, -INF, -2],
      [NaN, 1, NaN],
      [1, NaN, NaN],
      [2 ** 127, 3 * 2 ** -149, 2 ** -149],
    ]);
    check("f32_remainder", [
      [5, 3, -1],
      [-5, 3, 1],
      [4.5, 3, -1.5],
      [1.5, 3, 1.5],
      [7.5, 3, 1.5],
      [-1.5, 3, -1.5],
      [-6, 3, -0],
      [-0, 3, -0],
      [1, 0, NaN],
      [INF, 2, NaN],
      [2, INF, 2],
      [-2, INF, -2],
      [NaN, 1, NaN],
      [1, NaN, NaN],
      [1.5 * 2 ** 127, 1.75 * 2 ** 127, -(2 ** 125)],
    ]);
  });
});

describe("scaling and parts", () => {
  test("ldexp rounds once", () => {
    check("f32_ldexp", [
      [1, 10, 1024],
      [1, 128, INF],
      [2 ** -149, 276, 2 ** 127],
      [-1, -150, -0],
      [-1.5, -149, -(2 ** -148)],
      [2.5, -149, 2 * 2 ** -149],
      [3, -150, 2 * 2 ** -149],
      [0, 2147483647, 0],
      [1, -2147483648, 0],
      [-0, 3, -0],
      [INF, -1000, INF],
      [NaN, 1, NaN],
    ]);
    fc.assert(
      fc.property(finiteF32, fc.integer({ min: -320, max: 320 }), (x, n) => {
        const exact = n >= 0 ? fixed(x) << BigInt(n) : fixed(x);
        const want = roundTo(F32, exact, n >= 0 ? PLACES : PLACES + BigInt(-n));
        expect(Number(named.f32_ldexp!(x, n)) + 0).toBe(want + 0);
      }),
      options,
    );
    check("f16_ldexp", [
      [1, 15, 32768],
      [1, 16, INF],
      [1.5, -24, 2 * 2 ** -24],
      [1, -25, 0],
      [1.0009765625, -25, 2 ** -24],
    ]);
  });

  test("frexp gives a fraction in [0.5, 1) and its exponent", () => {
    fc.assert(
      fc.property(
        finiteF32.filter((x) => x !== 0),
        (x) => {
          const [f, e] = [named.f32_frexp_fraction!(x) as number, named.f32_frexp_exponent!(x) as number];
          expect(Math.abs(f)).toBeGreaterThanOrEqual(0.5);
          expect(Math.abs(f)).toBeLessThan(1);
          expect(fixed(f) << BigInt(e + 200)).toBe(fixed(x) << 200n);
        },
      ),
      options,
    );
    check("f32_frexp_fraction", [
      [8, 0.5],
      [-0.75, -0.75],
      [2 ** -149, 0.5],
      [0, 0],
      [-0, -0],
      [INF, INF],
      [-INF, -INF],
      [NaN, NaN],
    ]);
    check("f32_frexp_exponent", [
      [8, 4],
      [-0.75, 0],
      [2 ** -149, -148],
      [0, 0],
      [INF, 0],
      [NaN, 0],
    ]);
    check("f16_frexp_exponent", [
      [2 ** -24, -23],
      [65504, 16],
    ]);
  });
});

describe("order and signs", () => {
  test("NaN, zeros and infinities", () => {
    check("f32_min", [
      [1, 2, 1],
      [2, 1, 1],
      [NaN, 1, NaN],
      [1, NaN, 1],
      [0, -0, 0],
      [-0, 0, -0],
    ]);
    check("f32_max", [
      [1, 2, 2],
      [2, 1, 2],
      [NaN, 1, NaN],
      [1, NaN, 1],
      [0, -0, 0],
      [-0, 0, -0],
    ]);
    check("f32_fmin", [
      [1, 2, 1],
      [NaN, 1, 1],
      [1, NaN, 1],
      [NaN, NaN, NaN],
      [-INF, NaN, -INF],
    ]);
    check("f32_fmax", [
      [1, 2, 2],
      [NaN, 1, 1],
      [1, NaN, 1],
      [NaN, NaN, NaN],
      [-INF, NaN, -INF],
    ]);
    check("f32_sign", [
      [3, 1],
      [-0.1, -1],
      [0, 0],
      [-0, -0],
      [NaN, 0],
      [-INF, -1],
      [2 ** -149, 1],
    ]);
    check("f32_copysign", [
      [1, -0, -1],
      [-1, 0, 1],
      [-INF, 5, INF],
      [0, -1, -0],
      [NaN, -1, NaN],
      [-3, NaN, 3],
    ]);
    check("f32_abs", [
      [-0, 0],
      [-1.5, 1.5],
      [-INF, INF],
      [NaN, NaN],
    ]);
    check("f32_nextafter", [
      [1, 2, 1 + 2 ** -23],
      [1, 0, 1 - 2 ** -24],
      [0, 1, 2 ** -149],
      [0, -1, -(2 ** -149)],
      [-0, 1, 2 ** -149],
      [2 ** -149, 0, 0],
      [-(2 ** -149), 0, -0],
      [0, -0, -0],
      [-0, 0, 0],
      [3.4028234663852886e38, INF, INF],
      [INF, 0, 3.4028234663852886e38],
      [1, 1, 1],
      [NaN, 1, NaN],
      [1, NaN, NaN],
    ]);
    check("f16_nextafter", [
      [1, 2, 1 + 2 ** -10],
      [1, 0, 1 - 2 ** -11],
      [0, -1, -(2 ** -24)],
      [65504, INF, INF],
      [INF, 0, 65504],
      [-(2 ** -24), 0, -0],
      [2 ** -24, 0, 0],
      [-0, 0, 0],
    ]);
  });

  test("classification", () => {
    const rows: Readonly<Record<string, readonly boolean[]>> = {
      // Of NaN, -infinity, greatest, least normal, greatest subnormal, 0, -0, -1.
      isnan: [true, false, false, false, false, false, false, false],
      isinf: [false, true, false, false, false, false, false, false],
      isfinite: [false, false, true, true, true, true, true, true],
      isnormal: [false, false, true, true, false, false, false, true],
      signbit: [false, true, false, false, false, false, true, true],
    };
    const f32 = [NaN, -INF, 3.4028234663852886e38, 2 ** -126, 2 ** -126 - 2 ** -149, 0, -0, -1];
    const f16 = [NaN, -INF, 65504, 2 ** -14, 2 ** -14 - 2 ** -24, 0, -0, -1];
    for (const [name, want] of Object.entries(rows)) {
      expect(f32.map((x) => named[`f32_${name}`]!(x))).toEqual(want);
      expect(f16.map((x) => named[`f16_${name}`]!(x))).toEqual(want);
    }
  });

  test("NaN results have one bit pattern", () => {
    const memory = new Float32Array(1);
    const bits = new Uint32Array(memory.buffer);
    const strange = f32FromBits(0xffc12345);
    for (const op of machineOps) {
      if (!op.on.includes("f32") || op.result !== "T") continue;
      const f = named[`f32_${op.name}`]!;
      for (const x of [strange, -1, INF, 0]) {
        for (const y of [strange, 0, -INF]) {
          const args = op.operands.map((kind, i) => (kind === "i32" ? 1 : i === 1 ? y : x));
          const result = f(...args) as number;
          memory[0] = result;
          if (result !== result) expect([op.name, bits[0]]).toEqual([op.name, 0x7fc00000]);
        }
      }
    }
  });
});

// ------------------------------------------------------------------ integers, from their definitions on bit strings

interface Kind {
  readonly kind: ScalarKind;
  readonly bits: number;
  readonly signed: boolean;
  readonly big: boolean;
}
const integers: readonly Kind[] = (["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"] as const).map((kind) => ({
  kind,
  bits: Number(kind.slice(1)),
  signed: kind[0] === "i",
  big: kind.endsWith("64"),
}));

const wrap = (k: Kind, x: bigint): bigint => (k.signed ? BigInt.asIntN(k.bits, x) : BigInt.asUintN(k.bits, x));
const binary = (k: Kind, x: bigint): string => BigInt.asUintN(k.bits, x).toString(2).padStart(k.bits, "0");
const fromBinary = (k: Kind, text: string): bigint => wrap(k, BigInt(`0b${text}`));
const limits = (k: Kind): [bigint, bigint] =>
  k.signed ? [-(1n << BigInt(k.bits - 1)), (1n << BigInt(k.bits - 1)) - 1n] : [0n, (1n << BigInt(k.bits)) - 1n];
const clamp = (k: Kind, x: bigint): bigint => {
  const [low, high] = limits(k);
  return x < low ? low : x > high ? high : x;
};

const definitions: Readonly<Record<string, (k: Kind, x: bigint, y: bigint) => bigint>> = {
  abs: (k, x) => wrap(k, x < 0n ? -x : x),
  min: (_, x, y) => (x < y ? x : y),
  max: (_, x, y) => (x > y ? x : y),
  sign: (_, x) => (x < 0n ? -1n : x > 0n ? 1n : 0n),
  clz: (k, x) => BigInt((binary(k, x) + "1").indexOf("1")),
  ctz: (k, x) => BigInt(([...binary(k, x)].reverse().join("") + "1").indexOf("1")),
  popcount: (k, x) => BigInt([...binary(k, x)].filter((c) => c === "1").length),
  reverse_bits: (k, x) => fromBinary(k, [...binary(k, x)].reverse().join("")),
  mulhi: (k, x, y) => (x * y) >> BigInt(k.bits),
  rotate: (k, x, y) => {
    const text = binary(k, x);
    const n = Number(((y % BigInt(k.bits)) + BigInt(k.bits)) % BigInt(k.bits));
    return fromBinary(k, text.slice(n) + text.slice(0, n));
  },
  add_sat: (k, x, y) => clamp(k, x + y),
  sub_sat: (k, x, y) => clamp(k, x - y),
};

describe("integer ops", () => {
  for (const op of machineOps.filter((o) => o.on.includes("i32") && o.name in definitions)) {
    test(op.name, () => {
      for (const k of integers.filter((i) => op.on.includes(i.kind))) {
        const f = named[`${k.kind}_${op.name}`]!;
        const [low, high] = limits(k);
        const compare = (x: bigint, y: bigint): void => {
          const want = definitions[op.name]!(k, x, y);
          const got = k.big ? f(x, y) : f(Number(x), Number(y));
          if (!Object.is(got, k.big ? want : Number(want))) expect([k.kind, x, y, got]).toEqual([k.kind, x, y, want]);
        };
        const edges = [
          low,
          low + 1n,
          high,
          high - 1n,
          0n,
          1n,
          k.signed ? -1n : 2n,
          high / 2n,
          high / 2n + 1n,
          BigInt(k.bits - 1),
          7n,
        ];
        for (const x of edges) for (const y of edges) compare(x, y);
        const value = fc.bigInt({ min: low, max: high });
        fc.assert(fc.property(value, value, compare), { seed: 7, numRuns: 1500 });
        if (k.bits === 8) for (let x = low; x <= high; x++) compare(x, x);
      }
    });
  }

  test("the definitions cover every integer op", () => {
    expect(
      machineOps
        .filter((o) => o.on.includes("u32"))
        .map((o) => o.name)
        .sort(),
    ).toEqual(Object.keys(definitions).sort());
  });

  test("8-bit pairs, all of them", () => {
    for (const k of integers.slice(0, 2)) {
      const [low, high] = limits(k);
      for (const name of ["mulhi", "rotate", "add_sat", "sub_sat"]) {
        const f = named[`${k.kind}_${name}`]!;
        const wrong: unknown[] = [];
        for (let x = low; x <= high; x += 3n) {
          for (let y = low; y <= high; y++) {
            if (f(Number(x), Number(y)) !== Number(definitions[name]!(k, x, y))) wrong.push([name, x, y]);
          }
        }
        expect(wrong).toEqual([]);
      }
    }
  });
});

// ------------------------------------------------------------------ conversions with modes

const directions: Readonly<Record<string, Direction>> = { rte: "even", rtz: "zero", rtp: "up", rtn: "down" };

/** x / 2^PLACES rounded to an integer. */
function wholeOf(x: bigint, direction: Direction): bigint {
  const floor = x >> PLACES;
  const rest = x - (floor << PLACES);
  if (rest === 0n) return floor;
  switch (direction) {
    case "down":
      return floor;
    case "up":
      return floor + 1n;
    case "zero":
      return x < 0n ? floor + 1n : floor;
    case "even": {
      const half = 1n << (PLACES - 1n);
      return rest > half || (rest === half && floor & 1n) ? floor + 1n : floor;
    }
  }
}

describe("conversions with modes", () => {
  const finiteValues: Readonly<Partial<Record<ScalarKind, readonly number[]>>> = {
    f32: [
      0,
      0.25,
      0.5,
      0.75,
      1.5,
      2.5,
      -0.5,
      -1.5,
      -2.5,
      126.5,
      127.5,
      128,
      -128.5,
      -129,
      255.5,
      256,
      32767.5,
      65535.5,
      65519.996,
      65520,
      2147483520,
      2147483648,
      -2147483648,
      4294967040,
      4294967296,
      2 ** 63,
      -(2 ** 63),
      2 ** 64,
      1e30,
      -1e30,
      2 ** -25,
      2 ** -149,
      1.0004883,
    ].map(Math.fround),
    f16: [0, 0.5, 1.5, -0.5, -2.5, 127.5, 255.5, 65504, -65504, 2 ** -24, 300],
  };
  const integerValues = (k: Kind): bigint[] => {
    const [low, high] = limits(k);
    const tried = [
      low,
      low + 1n,
      high,
      high - 1n,
      0n,
      1n,
      100n,
      2049n,
      2051n,
      65519n,
      65520n,
      65535n,
      16777217n,
      16777219n,
      2147483647n,
      4294967295n,
      4294967167n,
      9007199254740993n,
      (1n << 62n) + 1n,
      -1n,
      -2049n,
      -16777219n,
    ];
    return tried.filter((x) => x >= low && x <= high);
  };
  const targets: readonly ScalarKind[] = [...integers.map((k) => k.kind), "f16", "f32"];

  test("floats to integers, floats to floats, integers to both, in all modes", () => {
    const wrong: unknown[] = [];
    const ofKind = (to: ScalarKind, x: bigint): number | bigint => (to.endsWith("64") ? x : Number(x));
    const tried = (from: ScalarKind): readonly (number | bigint)[] => {
      const k = integers.find((i) => i.kind === from);
      return k ? integerValues(k) : finiteValues[from]!;
    };
    for (const from of targets) {
      for (const x of tried(from)) {
        const exact = typeof x === "bigint" ? x << PLACES : fixed(x);
        for (const to of targets) {
          for (const [mode, direction] of Object.entries(directions)) {
            for (const saturate of [false, true]) {
              const k = integers.find((i) => i.kind === to);
              let want: unknown;
              if (!k) want = roundTo(to === "f16" ? F16 : F32, exact, PLACES, direction);
              else {
                const whole = wholeOf(exact, direction);
                const inside = clamp(k, whole);
                want =
                  saturate || inside === whole
                    ? ofKind(to, inside)
                    : from[0] === "f"
                      ? undefined
                      : ofKind(to, wrap(k, whole));
              }
              const got = convertBy(
                from,
                to,
                mode as RoundingMode,
                saturate,
                typeof x === "bigint" ? (ofKind(from, x) as number) : x,
              );
              if (!Object.is(got, want) && !(got === 0 && want === 0))
                wrong.push({ from, to, mode, saturate, x, got, want });
            }
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test("of NaN, infinity and bool", () => {
    expect(convertBy("f32", "i32", "rtz", true, 2.9)).toBe(2);
    expect(convertBy("f32", "i32", "rtz", true, -2.9)).toBe(-2);
    expect(convertBy("f32", "u8", "rtz", true, NaN)).toBe(0);
    expect(convertBy("f32", "i64", "rte", true, NaN)).toBe(0n);
    expect(convertBy("f32", "i32", "rte", false, NaN)).toBeUndefined();
    expect(convertBy("f32", "i32", "rtz", true, INF)).toBe(2147483647);
    expect(convertBy("f32", "u64", "rtp", true, INF)).toBe(18446744073709551615n);
    expect(convertBy("f32", "i64", "rtz", true, -INF)).toBe(-9223372036854775808n);
    expect(convertBy("f32", "i32", "rtn", false, -INF)).toBeUndefined();
    expect(convertBy("f32", "i32", "rtz", false, -0.5)).toBe(0);
    expect(convertBy("f32", "f16", "rtz", false, 1e6)).toBe(65504);
    expect(convertBy("f32", "f16", "rtz", false, INF)).toBe(INF);
    expect(convertBy("f32", "f16", "rtp", false, -1e6)).toBe(-65504);
    expect(convertBy("f32", "f16", "rtn", false, 2 ** -30)).toBe(0);
    expect(convertBy("f32", "f16", "rte", false, NaN)).toBe(NaN);
    expect(convertBy("bool", "i32", "rtz", true, true)).toBe(1);
    expect(convertBy("f32", "bool", "rte", false, NaN)).toBe(true);
    expect(convertBy("i64", "bool", "rtz", true, 0n)).toBe(false);
    expect(convertBy("i32", "u32", "rtz", true, -1)).toBe(0);
    expect(convertBy("i32", "u32", "rtz", false, -1)).toBe(4294967295);
  });

  test("all scalar pairs give a value of the kind", () => {
    const wrong: unknown[] = [];
    for (const from of scalarKinds) {
      for (const to of scalarKinds) {
        const one = from === "bool" ? true : from.endsWith("64") && from[0] !== "f" ? 1n : 1;
        const want = to === "bool" ? true : to.endsWith("64") && to[0] !== "f" ? 1n : 1;
        for (const mode of Object.keys(directions) as RoundingMode[])
          for (const saturates of [false, true])
            if (convertBy(from, to, mode, saturates, one) !== want) wrong.push([from, to, mode, saturates]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("f16 bits of an f32 and back", () => {
    for (let bits = 0; bits < 65536; bits++) {
      const x = f16tof32(bits | 0xabcd0000);
      const isNaN16 = (bits & 0x7c00) === 0x7c00 && (bits & 0x3ff) !== 0;
      if (f32tof16(x) !== (isNaN16 ? 0x7e00 : bits)) expect([bits, f32tof16(x)]).toEqual([bits, bits]);
    }
    expect(f32tof16(65520)).toBe(0x7c00);
    expect(f32tof16(-(2 ** -25))).toBe(0x8000);
    expect(f16Bits(f16tof32(0x3555))).toBe(0x3555);
  });
});
