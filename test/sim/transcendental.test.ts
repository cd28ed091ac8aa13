import { describe, expect, test } from "vitest";
import * as functions from "../../src/sim/scalar-functions.js";
import { ulpDistanceF32 } from "../support/ulp-distance.js";
import { f32Bits, f32FromBits, f16FromBits } from "../../src/types/numeric.js";
import {
  acosOf,
  acoshOf,
  asinOf,
  asinhOf,
  atan2Of,
  atanOf,
  atanhOf,
  cbrtOf,
  cosOf,
  coshOf,
  expOf,
  F16,
  F32,
  fixed,
  LN2,
  logOf,
  ONE,
  PI,
  PLACES,
  productOf,
  quotientOf,
  roundTo,
  settle,
  sinOf,
  sinhOf,
  sqrtOf,
  tanOf,
  tanhOf,
  type Format,
} from "../support/exact-reals.js";

type Unary = (x: number) => number;
const named = functions as unknown as Readonly<Record<string, (...args: number[]) => number>>;

/** The f32 nearest to multiples of pi / 2, found by trying all: below 2^20, and of all f32. */
const nearQuadrants = [
  0x437ce5f1, 0x43fce5f1, 0x4096cbe4, 0x474d246f, 0x6f79be45, 0x50a3e87f, 0x6ff9be45, 0x5123e87f, 0x6a1976f1,
];

/** Numbers below 2^32, the same in every run. */
function generator(seed: number): () => number {
  let s = seed;
  return () => {
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    return s >>> 0;
  };
}

interface Case {
  readonly exact: (x: bigint) => bigint;
  /** Arguments the value is taken of by the oracle; everything outside has a special value, tested in the tables. */
  readonly domain: readonly [number, number];
  /** Where the function does most of its work. */
  readonly usual: readonly [number, number];
  /** Arguments without a finite value or with a signed zero, tested in the tables. */
  readonly special?: (x: number) => boolean;
  /** Values may be numbers of few digits exactly. */
  readonly settles?: true;
  /** Arguments whose values lie near the middle between two f32, found by a search of 2e7 arguments. */
  readonly hard: readonly number[];
}

const log2Of = (x: bigint): bigint => quotientOf(logOf(x), LN2);
const LN10 = logOf(10n * ONE);

/** sin, cos of pi x with the whole turns taken away first. */
const piTimes = (x: bigint): bigint => productOf(x % (2n * ONE), PI);

const cases: Readonly<Record<string, Case>> = {
  sin: {
    exact: sinOf,
    domain: [-3.4e38, 3.4e38],
    usual: [-7, 7],
    hard: [
      ...nearQuadrants,
      0x7f58cad9,
      0x7871df17,
      0xf3472f7e,
      0xcb63b142,
      0x3a7a8d31,
      0xbec0cc57,
      0xeff0ad5f,
      0x716fcd3e,
    ],
  },
  cos: {
    exact: cosOf,
    domain: [-3.4e38, 3.4e38],
    usual: [-7, 7],
    hard: [
      ...nearQuadrants,
      0xf8a08876,
      0xd592678f,
      0xc5dba3cc,
      0xf511a199,
      0x66de6f09,
      0xe935540f,
      0xc133f504,
      0xe63a4a21,
    ],
  },
  tan: {
    exact: tanOf,
    domain: [-3.4e38, 3.4e38],
    usual: [-7, 7],
    hard: [
      ...nearQuadrants,
      0x7b97b9ec,
      0xc57b890f,
      0x5f89fdd9,
      0xcb7c9b80,
      0xe5383a29,
      0x51d62324,
      0xba27ba3a,
      0xec38be33,
    ],
  },
  asin: { exact: asinOf, domain: [-1, 1], usual: [-1, 1], hard: [0x3c95d3b4] },
  acos: { exact: acosOf, domain: [-1, 1], usual: [-1, 1], hard: [0x328885a1, 0x3ab0f085, 0xbae36b70, 0x328885b2] },
  atan: { exact: atanOf, domain: [-3.4e38, 3.4e38], usual: [-5, 5], hard: [0xcc700513, 0xc9c77b20, 0xcc7004e0] },
  sinh: { exact: sinhOf, domain: [-89, 89], usual: [-5, 5], hard: [0x42b2d4fc] },
  cosh: { exact: coshOf, domain: [-89, 89], usual: [-5, 5], hard: [0x3e96439e] },
  tanh: { exact: tanhOf, domain: [-40, 40], usual: [-5, 5], hard: [0xbe150cd4, 0x40d35ab0, 0x41102cb3] },
  asinh: {
    exact: asinhOf,
    domain: [-3.4e38, 3.4e38],
    usual: [-5, 5],
    hard: [0x55a10e9a, 0x5af77193, 0x785867de, 0x53f3a09b, 0xd7177633, 0x4de1eb52, 0x68deac86, 0x57e96301],
  },
  acosh: {
    exact: acoshOf,
    domain: [1, 3.4e38],
    usual: [1, 3],
    hard: [0x5f0765a3, 0x61388994, 0x6da01873, 0x61b56a70, 0x610fa99b, 0x3f800001],
  },
  atanh: {
    exact: atanhOf,
    domain: [-0.99999994, 0.99999994],
    usual: [-0.99999994, 0.99999994],
    hard: [0x39b89ba2, 0x3cf75c10, 0xb9b89ba3, 0x3f7fffff],
  },
  sinpi: {
    exact: (x) => sinOf(piTimes(x)),
    domain: [-(2 ** 24), 2 ** 24],
    usual: [-3, 3],
    settles: true,
    hard: [0xbcef50c2, 0xac7c1538, 0x07237fe7, 0x0ea37fe7],
  },
  cospi: {
    exact: (x) => cosOf(piTimes(x)),
    domain: [-(2 ** 24), 2 ** 24],
    usual: [-3, 3],
    settles: true,
    hard: [0x3e800000, 0x4b7fffff],
  },
  tanpi: {
    exact: (x) => tanOf(piTimes(x)),
    domain: [-3, 3],
    usual: [-0.49, 0.49],
    special: (x) => Number.isInteger(2 * x),
    settles: true,
    hard: [0x247c1538, 0x0da37fe7, 0x82291158],
  },
  exp: {
    exact: expOf,
    domain: [-104, 89],
    usual: [-5, 5],
    hard: [0x383a3ef1, 0x3f76527b, 0xc0e61785, 0x42b17217, 0xc2cff1b4, 0xc2cff1b5],
  },
  exp2: {
    exact: (x) => expOf(productOf(x, LN2)),
    domain: [-150, 129],
    usual: [-5, 5],
    settles: true,
    hard: [0xc3160000, 0xc315ffff, 0xc3150000, 0xc2fc0000, 0x42ffffff, 0x43000000],
  },
  exp10: {
    exact: (x) => expOf(productOf(x, LN10)),
    domain: [-46, 39],
    usual: [-5, 5],
    settles: true,
    hard: [0xbffddb50, 0x41200000, 0x40000000],
  },
  expm1: {
    exact: (x) => expOf(x) - ONE,
    domain: [-104, 89],
    usual: [-2, 2],
    hard: [0x40315b33, 0x3f326e60, 0xbe38cabd, 0xb80acbab],
  },
  log: {
    exact: logOf,
    domain: [2 ** -149, 3.4e38],
    usual: [0.1, 10],
    hard: [0x5efbcaae, 0x48ff9766, 0x54da3a2a, 0x703c69c4, 0x3156af44, 0x19b7af79, 0x44aef6f3, 0x3f7fffff, 0x3f800001],
  },
  log2: {
    exact: log2Of,
    domain: [2 ** -149, 3.4e38],
    usual: [0.1, 10],
    settles: true,
    hard: [
      0x1a914a90, 0x03114a90, 0x6d6b8090, 0x465f57d9, 0x4026a4a6, 0x51a5fc89, 0x0fdf9ac4, 0x1508263d, 0x41000000,
      0x00000001,
    ],
  },
  log10: {
    exact: (x) => quotientOf(logOf(x), LN10),
    domain: [2 ** -149, 3.4e38],
    usual: [0.1, 10],
    settles: true,
    hard: [0x2b48de05, 0x57dc00c8, 0x1558099a, 0x400f2e2e, 0x01c4ce73, 0x5d5a5e05, 0x30fa4330, 0x447a0000],
  },
  log1p: {
    exact: (x) => logOf(ONE + x),
    domain: [-0.99999994, 3.4e38],
    usual: [-0.9, 2],
    hard: [0x36da361d, 0x4de83471, 0x3d461390, 0xbe155dc9, 0x5365ba64, 0x70f45f35, 0x3612a47d],
  },
  rsqrt: {
    exact: (x) => quotientOf(ONE, sqrtOf(x)),
    domain: [2 ** -149, 3.4e38],
    usual: [0.1, 10],
    settles: true,
    hard: [0x013a18e3, 0x12ed3230, 0x348a5c86, 0x08dae942, 0x037dbbac, 0x471dd16a, 0x69a49c14, 0x61a49c14, 0x40800000],
  },
  cbrt: {
    exact: cbrtOf,
    domain: [-3.4e38, 3.4e38],
    usual: [-10, 10],
    settles: true,
    hard: [0xafa1b8e7, 0xdca1b8e7, 0xdb0f7652, 0x154ac367, 0xbacac367, 0x034ac367, 0xb94ac367, 0xdaaf1391, 0x41d80000],
  },
};

/** Rounded value by the oracle; of a value of zero whatever the implementation gives is zero too. */
function expected(format: Format, c: Case, x: number): number {
  const exact = c.exact(fixed(x));
  return roundTo(format, c.settles ? settle(exact) : exact, PLACES);
}

describe("elementary functions of f32 against series in fixed point", () => {
  for (const [name, c] of Object.entries(cases)) {
    test(name, () => {
      const next = generator(0x9e3779b9);
      const [low, high] = c.domain;
      const inside = (x: number): boolean => x >= low && x <= high && x !== 0 && !c.special?.(x);
      const points = c.hard.map(f32FromBits);
      while (points.length < 1000) {
        const x = f32FromBits(next());
        if (inside(x)) points.push(x);
      }
      while (points.length < 2000) {
        const x = Math.fround(c.usual[0] + (next() / 2 ** 32) * (c.usual[1] - c.usual[0]));
        if (inside(x)) points.push(x);
      }
      const f = named[`f32_${name}`] as Unary;
      const wrong = points.flatMap((x) => {
        const [got, want] = [f(x), expected(F32, c, x)];
        if (Object.is(got, want) || (want === 0 && got === 0)) return [];
        return [{ x, bits: f32Bits(x).toString(16), got, want, ulps: ulpDistanceF32(got, want) }];
      });
      expect(wrong).toEqual([]);
    });
  }
});

describe("elementary functions of f16 against series in fixed point", () => {
  for (const [name, c] of Object.entries(cases)) {
    test(name, () => {
      const f = named[`f16_${name}`] as Unary;
      const wrong: unknown[] = [];
      for (let bits = 0; bits < 65536; bits += 31) {
        const x = f16FromBits(bits);
        if (!(x >= c.domain[0] && x <= c.domain[1]) || x === 0 || c.special?.(x)) continue;
        const [got, want] = [f(x), expected(F16, c, x)];
        if (got !== want) wrong.push({ x, got, want });
      }
      expect(wrong).toEqual([]);
    });
  }
});

// ------------------------------------------------------------------ two operands

describe("functions of two operands", () => {
  const compare = (
    name: string,
    format: Format,
    points: readonly (readonly [number, number])[],
    exact: (x: bigint, y: bigint) => bigint,
  ) => {
    const f = named[name]!;
    const wrong = points.flatMap(([x, y]) => {
      const [got, want] = [f(x, y), roundTo(format, exact(fixed(x), fixed(y)), PLACES)];
      return Object.is(got, want) || (got === 0 && want === 0) ? [] : [{ x, y, got, want }];
    });
    expect(wrong).toEqual([]);
  };
  const near = (next: () => number, low: number, high: number): number =>
    Math.fround(low + (next() / 2 ** 32) * (high - low));

  test("atan2 in all quadrants", () => {
    const next = generator(77);
    const points: [number, number][] = Array.from({ length: 300 }, () => [near(next, -3, 3), near(next, -3, 3)]);
    for (let i = 0; i < 200; i++) points.push([near(next, -1, 1) * 2 ** -40, near(next, -1, 1) * 2 ** 60]);
    for (let i = 0; i < 200; i++) points.push([near(next, -1, 1) * 2 ** 60, near(next, -1, 1) * 2 ** -40]);
    compare("f32_atan2", F32, points, atan2Of);
  });

  test("atan2 of a tiny quotient halfway between two f32 is less than the quotient", () => {
    // 1.5 * 2^-149: the arc is less than the tangent, so it rounds down, not to even.
    expect(named.f32_atan2!(3 * 2 ** -149, 2)).toBe(2 ** -149);
    expect(named.f32_atan2!(-3 * 2 ** -149, 2)).toBe(-(2 ** -149));
    expect(named.f32_atan2!(5 * 2 ** -149, 2)).toBe(2 * 2 ** -149);
    expect(named.f32_atan2!(7 * 2 ** -149, 2)).toBe(3 * 2 ** -149);
  });

  test("hypot", () => {
    const next = generator(78);
    const points: [number, number][] = [
      [3, 4],
      [4097, 2 ** -30],
      [2 ** 127, 2 ** 127],
      [2 ** -149, 2 ** -149],
      [3.4e38, 1e38],
    ];
    for (let i = 0; i < 400; i++) points.push([near(next, -9, 9), near(next, -9, 9)]);
    for (let i = 0; i < 200; i++) points.push([near(next, 1, 2), near(next, 1, 2) * 2 ** -((i % 20) + 1)]);
    compare("f32_hypot", F32, points, (x, y) => sqrtOf(productOf(x, x) + productOf(y, y)));
  });

  test("pow", () => {
    const next = generator(79);
    const points: [number, number][] = [];
    for (let i = 0; i < 400; i++) points.push([near(next, 0.01, 10), near(next, -10, 10)]);
    for (let i = 0; i < 200; i++) points.push([near(next, 0.99, 1.01), near(next, -9000, 9000)]);
    for (let i = 0; i < 100; i++) points.push([f32FromBits(next() % 0x7f800000), near(next, -1, 1)]);
    // Near one and huge exponents.
    points.push(
      [f32FromBits(0x3f800001), 7e8],
      [f32FromBits(0x3f7fffff), 1.5e9],
      [f32FromBits(0x3f800001), -(2 ** 29)],
    );
    const exact = (x: bigint, y: bigint): bigint => settle(expOf(productOf(y, logOf(x))));
    compare("f32_pow", F32, points, exact);
    const halves: [number, number][] = [];
    for (let i = 0; i < 300; i++)
      halves.push([f16FromBits((next() % 0x7bff) + 1), f16FromBits((next() % 0x2000) + 0x2c00)]);
    compare(
      "f16_pow",
      F16,
      halves.filter(([x, y]) => Math.abs(y * Math.log2(x)) < 100),
      exact,
    );
  });

  test("powers of negative numbers", () => {
    const exact = (x: bigint, y: bigint): bigint => {
      const value = settle(expOf(productOf(y, logOf(-x))));
      return (y / ONE) % 2n === 0n ? value : -value;
    };
    const points = [-10, -7, -3, -2, -1, 1, 2, 3, 5, 8].flatMap((y) =>
      [-1.5, -3, -0.1, -7.25, -4097].map((x) => [Math.fround(x), y] as const),
    );
    compare("f32_pow", F32, points, exact);
  });

  test("powers that lie exactly between two results are rounded to even", () => {
    // 4097^2 = 2^24 + 2^13 + 1, 4099^2 = 2^24 + 3 * 2^13 + 9: 25 bits, the last one set.
    expect(named.f32_pow!(4097, 2)).toBe(16785408);
    expect(named.f32_pow!(4099, 2)).toBe(16801800);
    // 257^3 = 16974593 = 2 * 8487296 + 1.
    expect(named.f32_pow!(257, 3)).toBe(16974592);
    expect(named.f32_pow!(4097 * 4097 - 1, 1)).toBe(16785408);
    // (4097/64)^2 and the square of its root's root: x^(1/2) of squares is exact.
    expect(named.f32_pow!(4097 / 64, 2)).toBe(16785408 / 4096);
    // Odd 9-bit squares to the 3/2: (s^2)^(3/2) = s^3.
    expect(named.f32_pow!(257 * 257, 1.5)).toBe(16974592);
    // 7^9 = 40353607, 26 bits: rounded to a multiple of 4 (40353608), not a tie.
    expect(named.f32_pow!(7, 9)).toBe(40353608);
    // Halfway between two subnormals: 3^2 * 2^-150 = 4.5 * 2^-149, 5^2 * 2^-150 = 12.5 * 2^-149, 2^-150 itself.
    expect(named.f32_pow!(3 * 2 ** -75, 2)).toBe(4 * 2 ** -149);
    expect(named.f32_pow!(5 * 2 ** -75, 2)).toBe(12 * 2 ** -149);
    expect(named.f32_pow!(7 * 2 ** -75, 2)).toBe(24 * 2 ** -149);
    expect(named.f32_pow!(2, -150)).toBe(0);
    expect(named.f32_pow!(2, -149)).toBe(2 ** -149);
    expect(named.f32_exp2!(-150)).toBe(0);
    // f16 has 11 bits: 45^2 = 2025, 47^2 = 2209 = 2 * 1104 + 1, 13^3 = 2197 = 2 * 1098 + 1.
    expect(named.f16_pow!(45, 2)).toBe(2025);
    expect(named.f16_pow!(47, 2)).toBe(2208);
    expect(named.f16_pow!(13, 3)).toBe(2196);
    expect(named.f16_exp2!(-25)).toBe(0);
  });
});

// ------------------------------------------------------------------ special values

const INF = Infinity;
const [QUARTER, HALF, THREE_QUARTERS, WHOLE] = [1n, 2n, 3n, 4n].map((n) => roundTo(F32, (n * PI) / 4n, PLACES)) as [
  number,
  number,
  number,
  number,
];

describe("special values", () => {
  const table: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
    sin: [
      [0, 0],
      [-0, -0],
      [INF, NaN],
      [-INF, NaN],
    ],
    cos: [
      [0, 1],
      [-0, 1],
      [INF, NaN],
      [-INF, NaN],
    ],
    tan: [
      [0, 0],
      [-0, -0],
      [INF, NaN],
      [-INF, NaN],
    ],
    asin: [
      [0, 0],
      [-0, -0],
      [1, HALF],
      [-1, -HALF],
      [1.5, NaN],
      [-INF, NaN],
    ],
    acos: [
      [1, 0],
      [-1, WHOLE],
      [0, HALF],
      [-0, HALF],
      [1.5, NaN],
      [-1.0000001, NaN],
      [INF, NaN],
    ],
    atan: [
      [0, 0],
      [-0, -0],
      [INF, HALF],
      [-INF, -HALF],
      [1, QUARTER],
      [-1, -QUARTER],
    ],
    sinh: [
      [0, 0],
      [-0, -0],
      [INF, INF],
      [-INF, -INF],
      [90, INF],
      [-1e30, -INF],
    ],
    cosh: [
      [0, 1],
      [-0, 1],
      [INF, INF],
      [-INF, INF],
      [-90, INF],
    ],
    tanh: [
      [0, 0],
      [-0, -0],
      [INF, 1],
      [-INF, -1],
      [100, 1],
    ],
    asinh: [
      [0, 0],
      [-0, -0],
      [INF, INF],
      [-INF, -INF],
    ],
    acosh: [
      [1, 0],
      [0.5, NaN],
      [-2, NaN],
      [-INF, NaN],
      [INF, INF],
    ],
    atanh: [
      [0, 0],
      [-0, -0],
      [1, INF],
      [-1, -INF],
      [1.5, NaN],
      [INF, NaN],
    ],
    sinpi: [
      [0, 0],
      [-0, -0],
      [1, 0],
      [2, 0],
      [-1, -0],
      [-2, -0],
      [0.5, 1],
      [-0.5, -1],
      [1.5, -1],
      [1e30, 0],
      [-1e30, -0],
      [2 ** 23, 0],
      [INF, NaN],
      [-INF, NaN],
    ],
    cospi: [
      [0, 1],
      [-0, 1],
      [0.5, 0],
      [-0.5, 0],
      [1.5, 0],
      [2.5, 0],
      [1, -1],
      [-1, -1],
      [16777215, -1],
      [8388607.5, 0],
      [1e30, 1],
      [INF, NaN],
    ],
    tanpi: [
      [0, 0],
      [-0, -0],
      [1, -0],
      [-1, 0],
      [2, 0],
      [-2, -0],
      [0.5, INF],
      [1.5, -INF],
      [-0.5, -INF],
      [-1.5, INF],
      [0.25, 1],
      [-0.25, -1],
      [1e30, 0],
      [INF, NaN],
    ],
    exp: [
      [0, 1],
      [-0, 1],
      [-INF, 0],
      [INF, INF],
      [89, INF],
      [-104, 0],
      [1e38, INF],
      [-1e38, 0],
    ],
    exp2: [
      [0, 1],
      [-0, 1],
      [-INF, 0],
      [INF, INF],
      [128, INF],
      [-149, 2 ** -149],
      [-151, 0],
      [1e38, INF],
      [10, 1024],
    ],
    exp10: [
      [0, 1],
      [-0, 1],
      [-INF, 0],
      [INF, INF],
      [39, INF],
      [-46, 0],
      [3, 1000],
      [10, 1e10],
      [-1e38, 0],
    ],
    expm1: [
      [0, 0],
      [-0, -0],
      [-INF, -1],
      [INF, INF],
      [89, INF],
      [-1e38, -1],
    ],
    log: [
      [0, -INF],
      [-0, -INF],
      [1, 0],
      [-1, NaN],
      [-INF, NaN],
      [INF, INF],
    ],
    log2: [
      [0, -INF],
      [-0, -INF],
      [1, 0],
      [-1, NaN],
      [INF, INF],
      [8, 3],
      [2 ** -149, -149],
      [2 ** 127, 127],
    ],
    log10: [
      [0, -INF],
      [-0, -INF],
      [1, 0],
      [-1, NaN],
      [INF, INF],
      [1000, 3],
      [1e10, 10],
    ],
    log1p: [
      [0, 0],
      [-0, -0],
      [-1, -INF],
      [-2, NaN],
      [INF, INF],
      [-INF, NaN],
    ],
    sqrt: [
      [0, 0],
      [-0, -0],
      [INF, INF],
      [-1, NaN],
      [-INF, NaN],
      [4, 2],
    ],
    rsqrt: [
      [0, INF],
      [-0, -INF],
      [INF, 0],
      [-1, NaN],
      [-INF, NaN],
      [4, 0.5],
    ],
    cbrt: [
      [0, 0],
      [-0, -0],
      [INF, INF],
      [-INF, -INF],
      [-27, -3],
    ],
  };
  for (const [name, rows] of Object.entries(table)) {
    test(name, () => {
      const f = named[`f32_${name}`] as Unary;
      expect([...rows.map(([x]) => [x, f(x)]), [NaN, f(NaN)]]).toEqual([...rows, [NaN, NaN]]);
    });
  }

  test("atan2, C99 F.9.1.4", () => {
    const rows: readonly (readonly [number, number, number])[] = [
      [0, -0, WHOLE],
      [-0, -0, -WHOLE],
      [0, 0, 0],
      [-0, 0, -0],
      [0, -1, WHOLE],
      [-0, -1, -WHOLE],
      [0, 1, 0],
      [-0, 1, -0],
      [-1, 0, -HALF],
      [-1, -0, -HALF],
      [1, 0, HALF],
      [1, -0, HALF],
      [1, -INF, WHOLE],
      [-1, -INF, -WHOLE],
      [1, INF, 0],
      [-1, INF, -0],
      [INF, 1, HALF],
      [-INF, 1, -HALF],
      [INF, -1, HALF],
      [INF, -INF, THREE_QUARTERS],
      [-INF, -INF, -THREE_QUARTERS],
      [INF, INF, QUARTER],
      [-INF, INF, -QUARTER],
      [NaN, 1, NaN],
      [1, NaN, NaN],
    ];
    expect(rows.map(([y, x]) => [y, x, named.f32_atan2!(y, x)])).toEqual(rows);
  });

  test("hypot, C99 F.9.4.3", () => {
    const rows: readonly (readonly [number, number, number])[] = [
      [INF, NaN, INF],
      [NaN, -INF, INF],
      [-INF, 1, INF],
      [NaN, 1, NaN],
      [1, NaN, NaN],
      [0, -0, 0],
      [-3, 0, 3],
      [3e38, 3e38, INF],
    ];
    expect(rows.map(([x, y]) => [x, y, named.f32_hypot!(x, y)])).toEqual(rows);
  });

  test("pow, C99 F.9.4.4", () => {
    const rows: readonly (readonly [number, number, number])[] = [
      [0, -3, INF],
      [-0, -3, -INF],
      [0, -2, INF],
      [-0, -2, INF],
      [0, -0.5, INF],
      [-0, -0.5, INF],
      [0, -INF, INF],
      [-0, -INF, INF],
      [0, 3, 0],
      [-0, 3, -0],
      [0, 2, 0],
      [-0, 2, 0],
      [-0, 0.5, 0],
      [-0, INF, 0],
      [-1, INF, 1],
      [-1, -INF, 1],
      [1, NaN, 1],
      [1, INF, 1],
      [1, -5, 1],
      [NaN, 0, 1],
      [NaN, -0, 1],
      [INF, 0, 1],
      [-2, 0, 1],
      [-2, 0.5, NaN],
      [-2, -1.5, NaN],
      [0.5, -INF, INF],
      [-0.5, -INF, INF],
      [2, -INF, 0],
      [-2, -INF, 0],
      [0.5, INF, 0],
      [-0.5, INF, 0],
      [2, INF, INF],
      [-2, INF, INF],
      [-INF, -3, -0],
      [-INF, -2, 0],
      [-INF, -0.5, 0],
      [-INF, 3, -INF],
      [-INF, 2, INF],
      [-INF, 0.5, INF],
      [INF, -1, 0],
      [INF, 2, INF],
      [INF, 0.5, INF],
      [NaN, 1, NaN],
      [2, NaN, NaN],
      [-2, NaN, NaN],
      [-2, 3, -8],
      [-2, 2, 4],
      [-2, 16777216, INF],
      [-2, -16777217, 0],
      [-2, -151, -0],
      [-3, 81, -INF],
      [10, 38.6, INF],
    ];
    expect(rows.map(([x, y]) => [x, y, named.f32_pow!(x, y)])).toEqual(rows.map(([x, y, r]) => [x, y, r]));
    expect(rows.slice(0, 45).map(([x, y]) => [x, y, named.f16_pow!(x, y)])).toEqual(rows.slice(0, 45));
  });
});
