/**
 * What `functions.ts` and `of-several.ts` leave: comparisons, the least and greatest, functions with a second result, of vectors
 * and matrices, packing and conversions, and the other names of functions that MSL and OpenCL C have. See `functions.ts`.
 */
import type { TwoWayDialect } from "../../../src/index.js";
import { gammaOf, logGamma } from "../../support/gamma.js";
import type { EdgeFunction, Operands } from "./functions.js";

const { abs, floor } = Math;
type Calls = EdgeFunction["calls"];
type Value = EdgeFunction["value"];
const nan = (x: number): boolean => x !== x;
const finite = (...xs: number[]): boolean => xs.every((x) => abs(x) < Infinity);
/** Products and sums of them neither overflow nor vanish. */
const moderate = (...xs: number[]): boolean => xs.every((x) => x === 0 || (abs(x) < 1e9 && abs(x) > 1e-9));
/** Sums and products of a few of them are exact, in half too: eleven bits. */
const short = (...xs: number[]): boolean => xs.every((x) => abs(x) <= 8 && Number.isInteger(x * 4));
const inC = (call: string, msl = call): Calls => ({ opencl: call, msl });
const opencl = (call: string): Calls => ({ opencl: call });
const msl = (call: string): Calls => ({ msl: call });
const glsl = (call: string): Calls => ({ glsl: call });
const hlsl = (call: string): Calls => ({ hlsl: call });
const fn = (
  operands: Operands,
  name: string,
  calls: Calls,
  value: Value,
  ulp = 0,
  open: NonNullable<EdgeFunction["open"]> = {},
): EdgeFunction => ({ name, operands, calls, value, ulp, open });
/** GLSL leaves NaNs open. */
const noNaN = { glsl: (...a: number[]): boolean => a.some(nan) };
const truth = (call: string): string => `${call} ? 1.0f : 0.0f`;
const toEven = (x: number): number => {
  const f = floor(x);
  const rest = x - f;
  return rest < 0.5 ? f : rest > 0.5 ? f + 1 : f % 2 === 0 ? f : f + 1;
};
const away = (x: number): number => (x < 0 ? -floor(-x + 0.5) : floor(x + 0.5));

/** By its series where that converges soon, else by the continued fraction of its complement. */
function erf(x: number): number {
  if (nan(x)) return x;
  const m = abs(x);
  if (m > 3) return Math.sign(x) * (1 - erfc(m));
  let [sum, term] = [x, x];
  for (let n = 1; n < 200; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}
function erfc(x: number): number {
  if (!(x > 2)) return 1 - erf(x);
  let fraction = x;
  for (let n = 200; n > 0; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction;
}

/** A pole of the gamma function, zero among them. */
const wholeBelow = (x: number): boolean => x <= 0 && floor(x) === x;
/** C99 F.9.5.4. */
const edgeOfGamma = (x: number): number | undefined =>
  x === 0 ? (Object.is(x, -0) ? -Infinity : Infinity) : x === Infinity ? x : wholeBelow(x) || nan(x) ? NaN : undefined;

const comparisons: readonly EdgeFunction[] = (
  [
    ["isequal", (x, y) => x === y],
    ["isnotequal", (x, y) => x !== y],
    ["isgreater", (x, y) => x > y],
    ["isgreaterequal", (x, y) => x >= y],
    ["isless", (x, y) => x < y],
    ["islessequal", (x, y) => x <= y],
    ["islessgreater", (x, y) => x < y || x > y],
  ] as readonly (readonly [string, (x: number, y: number) => boolean])[]
).map(([name, test]) => fn("ff", name, opencl(truth(`${name}(a, b)`)), (x, y) => (test(x!, y!) ? 1 : 0)));

/** `x` where both are zeros: which of them is not said. */
const unlessZeros = (x: number): number | undefined => (x === 0 ? undefined : x);
const sorted = (...xs: number[]): number[] => [...xs].sort((a, b) => a - b);
const numbersOnly =
  (f: (xs: number[]) => number): Value =>
  (...xs) =>
    xs.some(nan) ? undefined : unlessZeros(f(xs));
const orders: readonly EdgeFunction[] = [
  fn(
    "ff",
    "max of OpenCL C",
    opencl("max(a, b)"),
    numbersOnly((xs) => Math.max(...xs)),
  ),
  fn(
    "ff",
    "min of OpenCL C",
    opencl("min(a, b)"),
    numbersOnly((xs) => Math.min(...xs)),
  ),
  fn(
    "ff",
    "max of numbers in GLSL",
    glsl("max(a, b)"),
    numbersOnly((xs) => Math.max(...xs)),
  ),
  // MSL 3.1 6.5: of a NaN the others.
  ...(["fmax", "fmin", "max", "min", "fmax3", "fmin3", "max3", "min3"] as const).map((name) =>
    fn(name.endsWith("3") ? "fff" : "ff", name, msl(`${name}(${name.endsWith("3") ? "a, b, c" : "a, b"})`), (...xs) => {
      const left = xs.filter((x) => !nan(x));
      if (left.length === 0) return NaN;
      return unlessZeros(name.includes("max") ? Math.max(...left) : Math.min(...left));
    }),
  ),
  // MSL 3.1 6.5: of one NaN either of the others.
  ...(["fmedian3", "median3"] as const).map((name) =>
    fn("fff", name, msl(`${name}(a, b, c)`), (...xs) => {
      const left = sorted(...xs.filter((x) => !nan(x)));
      if (left.length === 2) return left[0] === left[1] ? unlessZeros(left[0]!) : undefined;
      return unlessZeros(left.length === 3 ? left[1]! : (left[0] ?? NaN));
    }),
  ),
  fn("ff", "isordered", inC(truth("isordered(a, b)")), (x, y) => (nan(x!) || nan(y!) ? 0 : 1)),
  fn("ff", "isunordered", inC(truth("isunordered(a, b)")), (x, y) => (nan(x!) || nan(y!) ? 1 : 0)),
  fn("ff", "select", { msl: "select(a, b, a < b)", opencl: "select(a, b, a < b)" }, (x, y) => (x! < y! ? y : x)),
  fn("ff", "select of HLSL", hlsl("select(a < b, a, b)"), (x, y) => (x! < y! ? x : y)),
];

const once = (x: number, y: number, z: number): number | undefined =>
  short(x, y, z) ? unlessZeros(x * y + z) : undefined;
const arithmetic: readonly EdgeFunction[] = [
  fn("fff", "product and sum", { opencl: "mad(a, b, c)", hlsl: "mad(a, b, c)", glsl: "fma(a, b, c)" }, once),
  fn("fff", "fma of doubles", hlsl("fma(a, b, c)"), once),
  fn("ff", "mod", glsl("mod(a, b)"), (x, y) =>
    short(x!, y!) && y !== 0 && Number.isInteger(x! / y!) === false && abs(x! / y!) > 0
      ? x! - y! * floor(x! / y!)
      : undefined,
  ),
  fn("ff", "divide", msl("divide(a, b)"), (x, y) => x! / y!, 3),
  fn("f", "rcp", hlsl("rcp(a)"), (x) => 1 / x!, 3),
  fn(
    "f",
    "round of GLSL",
    glsl("round(a)"),
    (x) =>
      x! % 1 === 0.5 || x! % 1 === -0.5 ? undefined : unlessZeros(finite(x!) && abs(x!) < 2 ** 23 ? away(x!) : x!),
    0,
    noNaN,
  ),
  fn("f", "erf", opencl("erf(a)"), (x) => (x === 0 ? x : erf(x!)), 16),
  fn("f", "erfc", opencl("erfc(a)"), (x) => (abs(x!) > 9 ? undefined : erfc(x!)), 16),
  // What is beyond, or vanishes, is left to test/ops/gamma.test.ts, and so are the zeros of lgamma below zero.
  fn(
    "f",
    "tgamma",
    opencl("tgamma(a)"),
    (x) => (abs(x!) < 1e-30 || !(abs(x!) < 30) ? edgeOfGamma(x!) : wholeBelow(x!) ? NaN : gammaOf(x!)),
    16,
  ),
  ...(["lgamma(a)", "lgamma_r(a, &e)"] as const).map((call) =>
    fn(
      "f",
      call.slice(0, call.indexOf("(")),
      opencl(call),
      (x) =>
        wholeBelow(x!) || abs(x!) === Infinity
          ? Infinity
          : abs(x!) < 1e-30 || abs(x!) > 1e30 || (x! < 0 && abs(logGamma(x!)) < 1)
            ? undefined
            : logGamma(x!),
      16,
    ),
  ),
  fn("f", "sign of lgamma_r", opencl("(lgamma_r(a, &e), (float)e)"), (x) =>
    nan(x!) || wholeBelow(x!) || x === -Infinity ? undefined : x! < 0 && floor(x!) % 2 !== 0 ? -1 : 1,
  ),
  fn("f", "ilogb of MSL", msl("float(ilogb(a))"), (x) =>
    finite(x!) && abs(x!) >= 2 ** -126 ? exponent(x!) : undefined,
  ),
  fn("ff", "nextafter", msl("nextafter(a, b)"), (x, y) => (x === y ? y : nan(x!) || nan(y!) ? NaN : neighbour(x!, y!))),
  fn(
    "fi",
    "ldexp of HLSL",
    hlsl("ldexp(a, (float)n)"),
    (x, n) =>
      finite(x!) && x !== 0 && abs(n!) < 100 && abs(x! * 2 ** n!) < 2 ** 120 && abs(x! * 2 ** n!) > 2 ** -120
        ? x! * 2 ** n!
        : undefined,
    4,
  ),
  fn("fff", "bitselect", opencl("bitselect(a, b, c)"), (x, y, z) => {
    const [p, q, r] = [x!, y!, z!].map(bitsOf) as [number, number, number];
    const made = fromBits((p & ~r) | (q & r));
    return [x!, y!, z!].some(nan) || nan(made) ? undefined : made;
  }),
  fn("fi", "nan", opencl(truth("isnan(nan((uint)n))")), () => 1),
];

const view = new DataView(new ArrayBuffer(4));
function bitsOf(x: number): number {
  view.setFloat32(0, x);
  return view.getInt32(0);
}
function fromBits(bits: number): number {
  view.setInt32(0, bits);
  return view.getFloat32(0);
}
function neighbour(x: number, y: number): number {
  if (x === 0) return y > 0 ? 2 ** -149 : -(2 ** -149);
  return fromBits(bitsOf(x) + (x > 0 === y > x ? 1 : -1));
}
const exponent = (x: number): number => {
  const e = floor(Math.log2(abs(x)));
  return 2 ** e > abs(x) ? e - 1 : 2 ** (e + 1) <= abs(x) ? e + 1 : e;
};

const small = (x: number): boolean => abs(x) <= 3;
const twoResults: readonly EdgeFunction[] = [
  fn("f", "fraction of frexp", { glsl: "frexp(a, e)", hlsl: "frexp(a, w)" }, (x) =>
    x === 0 ? undefined : finite(x!) && abs(x!) >= 2 ** -126 ? x! / 2 ** exponent(x!) / 2 : undefined,
  ),
  fn("f", "exponent of frexp of GLSL, HLSL", { glsl: "(frexp(a, e), float(e))", hlsl: "(frexp(a, w), w)" }, (x) =>
    x === 0 ? 0 : finite(x!) && abs(x!) >= 2 ** -126 ? exponent(x!) + 1 : undefined,
  ),
  fn("f", "whole of modf of GLSL, HLSL", { glsl: "(modf(a, w), w)", hlsl: "(modf(a, w), w)" }, (x) =>
    finite(x!) ? unlessZeros(Math.trunc(x!)) : undefined,
  ),
  fn(
    "f",
    "sine of sincos",
    inC("sincos(a, &w)", "sincos(a, w)"),
    (x) => (small(x!) && x !== 0 ? Math.sin(x!) : undefined),
    4,
  ),
  fn(
    "f",
    "cosine of sincos",
    inC("(sincos(a, &w), w)", "(sincos(a, w), w)"),
    (x) => (small(x!) ? Math.cos(x!) : undefined),
    4,
  ),
  fn(
    "f",
    "sine of sincos of HLSL",
    hlsl("(sincos(a, w, w2), w)"),
    (x) => (small(x!) && x !== 0 ? Math.sin(x!) : undefined),
    4,
  ),
  fn("f", "cosine of sincos of HLSL", hlsl("(sincos(a, w, w2), w2)"), (x) => (small(x!) ? Math.cos(x!) : undefined), 4),
];

const vectorNames: Readonly<Record<TwoWayDialect, string>> = {
  opencl: "(float$)",
  msl: "float$",
  glsl: "vec$",
  hlsl: "float$",
};
/** A call of vectors, as every dialect spells their types. */
const ofVectors = (n: number, call: (v: string) => string, ...only: TwoWayDialect[]): Calls =>
  Object.fromEntries(
    (only.length > 0 ? only : (["opencl", "msl", "glsl", "hlsl"] as const)).map((d) => [
      d,
      call(vectorNames[d].replace("$", String(n))),
    ]),
  );
const matrixNames = { msl: "float2x2", glsl: "mat2", hlsl: "float2x2" } as const;
/** Columns of GLSL and MSL, rows of HLSL: (a, b), (c, 2). */
const ofMatrices = (call: (m: string) => string, ...only: (keyof typeof matrixNames)[]): Calls =>
  Object.fromEntries(
    only.map((d) => [
      d,
      call(d === "msl" ? "float2x2(float2(a, b), float2(c, 2.0f))" : `${matrixNames[d]}(a, b, c, 2.0)`),
    ]),
  );
const several: readonly EdgeFunction[] = [
  fn(
    "fff",
    "dot",
    ofVectors(3, (v) => `dot(${v}(a, b, c), ${v}(2.0f, 0.5f, -1.0f))`),
    (x, y, z) => (short(x!, y!, z!) ? unlessZeros(2 * x! + y! / 2 - z!) : undefined),
  ),
  fn(
    "fff",
    "cross",
    ofVectors(3, (v) => `cross(${v}(a, b, c), ${v}(2.0f, 0.5f, -1.0f)).x`),
    (x, y, z) => (short(x!, y!, z!) ? unlessZeros(-y! - z! / 2) : undefined),
  ),
  fn(
    "fff",
    "cross of four",
    opencl("cross((float4)(a, b, c, 1.0f), (float4)(2.0f, 0.5f, -1.0f, 1.0f)).y"),
    (x, y, z) => (short(x!, y!, z!) ? unlessZeros(2 * z! + x!) : undefined),
  ),
  fn(
    "ff",
    "distance of GLSL, MSL, HLSL",
    ofVectors(2, (v) => `distance(${v}(a, b), ${v}(0.0f, 0.0f))`, "msl", "glsl", "hlsl"),
    (x, y) => (moderate(x!, y!) ? Math.hypot(x!, y!) : undefined),
    5,
  ),
  fn("ff", "squares", { msl: "length_squared(float2(a, b))" }, (x, y) =>
    short(x!, y!) ? x! * x! + y! * y! : undefined,
  ),
  fn("ff", "squares of differences", { msl: "distance_squared(float2(a, b), float2(1.0f, 0.0f))" }, (x, y) =>
    short(x!, y!) ? (x! - 1) ** 2 + y! * y! : undefined,
  ),
  fn(
    "fff",
    "determinant",
    ofMatrices((m) => `determinant(${m})`, "msl", "glsl", "hlsl"),
    (x, y, z) => (short(x!, y!, z!) ? unlessZeros(2 * x! - y! * z!) : undefined),
  ),
  fn(
    "fff",
    "transpose",
    ofMatrices((m) => `transpose(${m})[0][1]`, "msl", "glsl", "hlsl"),
    (_x, _y, z) => z,
    0,
    noNaN,
  ),
  fn(
    "fff",
    "inverse",
    ofMatrices((m) => `inverse(${m})[0][0]`, "glsl"),
    (x, y, z) => (short(x!, y!, z!) && abs(2 * x! - y! * z!) > 0.1 ? 2 / (2 * x! - y! * z!) : undefined),
    4,
  ),
  fn(
    "fff",
    "products of matrices",
    ofMatrices((m) => `matrixCompMult(${m}, ${m})[1][0]`, "glsl"),
    (_x, _y, z) => (short(z!) ? z! * z! : undefined),
  ),
  fn("fff", "outer product", glsl("outerProduct(vec2(a, b), vec2(c, 1.0))[0][1]"), (_x, y, z) =>
    short(y!, z!) ? unlessZeros(y! * z!) : undefined,
  ),
];

const clamped = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);
/** Of values that lie apart from halves, which may go either way. */
const normed = (x: number, low: number, scale: number): number | undefined => {
  const scaled = clamped(x, low, 1) * scale;
  return nan(x) || abs(abs(scaled % 1) - 0.5) < 1e-3 ? undefined : away(scaled) + 0;
};
const signedField = (call: string, bits: number): string => `float(int(${call} << ${32 - bits}u) >> ${32 - bits})`;
const signedOf = (n: number, bits: number): number => (n << (32 - bits)) >> (32 - bits);
const packs: readonly EdgeFunction[] = ([8, 16] as const).flatMap((bits) => {
  const size = 32 / bits;
  const [suffix, ones] = [`${size}x${bits}`, 2 ** bits - 1];
  return [
    fn(
      "f",
      `unorm${suffix}`,
      {
        glsl: `float(packUnorm${suffix}(vec${size}(a)) & ${ones}u)`,
        msl: `float(pack_float_to_unorm${suffix}(float${size}(a)) & ${ones}u)`,
      },
      (x) => normed(x!, 0, ones),
    ),
    fn(
      "f",
      `snorm${suffix}`,
      {
        glsl: signedField(`packSnorm${suffix}(vec${size}(a))`, bits),
        msl: signedField(`pack_float_to_snorm${suffix}(float${size}(a))`, bits),
      },
      (x) => normed(x!, -1, (ones - 1) / 2),
    ),
    fn(
      "fi",
      `unpack unorm${suffix}`,
      { glsl: `unpackUnorm${suffix}(uint(n)).x`, msl: `unpack_unorm${suffix}_to_float(uint(n)).x` },
      (_, n) => (n! & ones) / ones,
      3,
    ),
    fn(
      "fi",
      `unpack snorm${suffix}`,
      { glsl: `unpackSnorm${suffix}(uint(n)).x`, msl: `unpack_snorm${suffix}_to_float(uint(n)).x` },
      (_, n) => Math.max(signedOf(n!, bits) / ((ones - 1) / 2), -1),
      3,
    ),
  ];
});
/** MSL's other formats, and what HLSL has left of shader model 1. */
const formats: readonly EdgeFunction[] = [
  fn("f", "unorm10a2", { msl: "float(pack_float_to_unorm10a2(float4(a)) & 1023u)" }, (x) => normed(x!, 0, 1023)),
  fn("f", "unorm565", { msl: "float(pack_float_to_unorm565(float3(a)) & 31)" }, (x) => normed(x!, 0, 31)),
  // In between it may go to either side.
  fn("f", "srgb", { msl: "float(pack_float_to_srgb_unorm4x8(float4(a)) & 255u)" }, (x) =>
    x! <= 0 ? 0 : x! >= 1 ? 255 : undefined,
  ),
  fn("fi", "unpack unorm10a2", { msl: "unpack_unorm10a2_to_float(uint(n)).x" }, (_, n) => (n! & 1023) / 1023, 3),
  fn("fi", "unpack unorm565", { msl: "unpack_unorm565_to_float(ushort(n)).x" }, (_, n) => (n! & 31) / 31, 3),
  fn(
    "fi",
    "unpack srgb",
    { msl: "unpack_unorm4x8_srgb_to_float(uint(n)).x" },
    (_, n) => {
      const c = (n! & 255) / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    },
    64,
  ),
  fn("ff", "dst", hlsl("dst(float4(3.0, a, 5.0, 6.0), float4(7.0, b, 9.0, 10.0)).y"), (x, y) =>
    short(x!, y!) ? unlessZeros(x! * y!) : undefined,
  ),
  fn("f", "lit", hlsl("lit(a, 1.0, 2.0).y"), (x) => (nan(x!) || x === 0 ? undefined : x! < 0 ? 0 : x)),
  fn("f", "D3DCOLORtoUBYTE4", hlsl("float(D3DCOLORtoUBYTE4(float4(0.0, 0.0, a, 0.0)).x)"), (x) =>
    abs(x!) < 2 ** 20 ? Math.trunc(Math.fround(x! * (255 + 2 ** -9))) + 0 : undefined,
  ),
];
const isHalf = (x: number): boolean =>
  abs(x) <= 65504 && (abs(x) >= 2 ** -14 || x === 0) && Number.isInteger((x / 2 ** (x === 0 ? 0 : exponent(x))) * 1024);
const halves: readonly EdgeFunction[] = [
  fn("f", "half2x16", glsl("unpackHalf2x16(packHalf2x16(vec2(0.0, a))).y"), (x) =>
    isHalf(x!) && x !== 0 ? x : undefined,
  ),
  fn("f", "f32tof16", hlsl("f16tof32(f32tof16(a))"), (x) => (isHalf(x!) && x !== 0 ? x : undefined)),
];

const modes: Readonly<Record<string, (x: number) => number>> = {
  rte: toEven,
  rtz: Math.trunc,
  rtp: Math.ceil,
  rtn: floor,
};
/** OpenCL C 3.0 6.4.3: without `_sat` what does not fit is left open, and a NaN; with it a NaN is 0. */
const conversions: readonly EdgeFunction[] = (
  [
    ["int", -(2 ** 31), 2 ** 31 - 1],
    ["uchar", 0, 255],
    ["short", -32768, 32767],
  ] as const
).flatMap(([type, low, high]) =>
  ["", "_rte", "_rtz", "_rtp", "_rtn"].flatMap((mode) =>
    ["", "_sat"].map((sat) =>
      fn("f", `convert_${type}${sat}${mode}`, opencl(`(float)convert_${type}${sat}${mode}(a)`), (x) => {
        const whole = (modes[mode.slice(1)] ?? Math.trunc)(x!);
        if (nan(x!)) return sat ? 0 : undefined;
        const inside = whole >= low && whole <= high;
        // Without the sign of a zero, which no integer has.
        return inside ? whole + 0 : sat ? clamped(whole, low, high) : undefined;
      }),
    ),
  ),
);
/** To a float, by each way to round. */
const toFloat: readonly EdgeFunction[] = Object.keys(modes).map((mode) =>
  fn("fi", `convert_float_${mode}`, opencl(`convert_float_${mode}(n)`), (_, n) => {
    const unit = abs(n!) < 2 ** 24 ? 1 : 2 ** (exponent(n!) - 23);
    return modes[mode]!(n! / unit) * unit + 0;
  }),
);

export const remainingFunctions: readonly EdgeFunction[] = [
  ...comparisons,
  ...orders,
  ...arithmetic,
  ...twoResults,
  ...several,
  ...packs,
  ...formats,
  ...halves,
  ...conversions,
  ...toFloat,
];

/**
 * The other names of functions: MSL's precise ones are as the plain ones; its fast ones, and OpenCL C's native and half ones, are asked
 * for operands and results that are numbers of a moderate size.
 */
export function otherNames(functions: readonly EdgeFunction[], spelled: readonly string[]): readonly EdgeFunction[] {
  return spelled.flatMap((name): EdgeFunction[] => {
    const [, prefix, plain] = /^(fast::|precise::|native_|half_)(\w+)$/.exec(name) ?? [];
    if (prefix === undefined) return [];
    const d: TwoWayDialect = prefix.endsWith("::") ? "msl" : "opencl";
    const bare = plain === "recip" || plain === "abs" ? undefined : plain!;
    const base = bare && functions.find((f) => new RegExp(`^${bare}\\(`).test(f.calls[d] ?? ""));
    if (!base) return [];
    const rough = prefix !== "precise::";
    const value: Value = (...args) => {
      const v = base.value(...args);
      if (!rough) return v;
      return v !== undefined && moderate(...args, v) && v !== 0 && args.every((x) => abs(x) < 64) ? v : undefined;
    };
    return [
      {
        ...base,
        name,
        calls: { [d]: base.calls[d]!.replace(bare, name) },
        value,
        ulp: rough ? Math.max(base.ulp, 8) : base.ulp,
      },
    ];
  });
}
export const plainOnly: readonly EdgeFunction[] = [
  fn("f", "native_recip", opencl("native_recip(a)"), (x) => (moderate(x!) && x !== 0 ? 1 / x! : undefined), 8),
  fn("f", "half_recip", opencl("half_recip(a)"), (x) => (moderate(x!) && x !== 0 ? 1 / x! : undefined), 8),
  fn(
    "ff",
    "native_divide",
    opencl("native_divide(a, b)"),
    (x, y) => (moderate(x!, y!) && x !== 0 && y !== 0 ? x! / y! : undefined),
    8,
  ),
  fn(
    "ff",
    "half_divide",
    opencl("half_divide(a, b)"),
    (x, y) => (moderate(x!, y!) && x !== 0 && y !== 0 ? x! / y! : undefined),
    8,
  ),
  fn("f", "abs of MSL", msl("abs(a)"), (x) => abs(x!)),
  fn("f", "fast::abs", msl("fast::abs(a)"), (x) => abs(x!)),
  fn("f", "precise::abs", msl("precise::abs(a)"), (x) => abs(x!)),
  ...["fast", "precise"].map((space) =>
    fn("f", `${space}::ilogb`, msl(`float(${space}::ilogb(a))`), (x) =>
      moderate(x!) && x !== 0 ? exponent(x!) : undefined,
    ),
  ),
];
