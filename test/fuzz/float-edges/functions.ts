/**
 * What float functions give at their edges, by C99 F.9 and OpenCL C 3.0 7.5.1, the GLSL 4.60 chapter 8, the MSL
 * specification and the HLSL reference: written for this test, in doubles, without a look at how crosslane does it.
 */
import type { TwoWayDialect } from "../../../src/index.js";

export type Operands = "f" | "ff" | "fff" | "fi";
export type Args = readonly number[];

/** The same function of the other types: those of its calls that are of plain operands. */
export const ofPlainOperands = (f: EdgeFunction): boolean =>
  Object.values(f.calls).every((call) => /^\w+\((a|a, b|a, n|a, b, c)\)$/.test(call));
/** Of these the values here are those of f32. */
const ofFloatOnly: ReadonlySet<string> = new Set([
  "nextafter",
  "fract",
  "ldexp",
  "fma",
  "smoothstep",
  "clamp",
  "bitselect",
]);
/** The functions of double that GLSL or OpenCL C has, and whose values here are exact enough. */
const ofDouble: ReadonlySet<string> = new Set(
  "sqrt rsqrt floor ceil trunc rint round fabs fmod remainder fmin fmax copysign fdim hypot min-of-numbers".split(" "),
);
export function isOf(f: EdgeFunction, kind: "f32" | "f16" | "f64"): boolean {
  if (f.name === "fma of doubles") return kind === "f64";
  if (kind === "f32") return true;
  if (!ofPlainOperands(f) || ofFloatOnly.has(f.name) || /^(native_|half_|fast::|precise::|nan$)/.test(f.name))
    return false;
  return kind === "f16" || ofDouble.has(f.name.replaceAll(" ", "-"));
}

export interface EdgeFunction {
  readonly name: string;
  readonly operands: Operands;
  /** The call over a, b, c and the integer n, in the dialects that have it. */
  readonly calls: Readonly<Partial<Record<TwoWayDialect, string>>>;
  /** The value in doubles; rounded to f32 afterwards. Undefined where every dialect leaves it open. */
  readonly value: (...args: number[]) => number | undefined;
  /** Units in the last place it may be off, in a source's simulation and in what formulas make of it; 0: the bits. */
  readonly ulp: number;
  /** Where a dialect leaves the result open. */
  readonly open?: Readonly<Partial<Record<TwoWayDialect, (...args: number[]) => boolean>>>;
  /** Targets whose translation lists an assumption about it, and is not asked. */
  readonly assumedIn?: readonly TwoWayDialect[];
}

const { abs, fround, trunc, floor } = Math;
const isZero = (x: number): boolean => x === 0;
const negative = (x: number): boolean => x < 0 || Object.is(x, -0);
const withSign = (x: number, like: number): number => (negative(like) ? -abs(x) : abs(x));
const nan = (x: number): boolean => x !== x;
const endless = (x: number): boolean => abs(x) === Infinity;

const toEven = (x: number): number => {
  if (!(abs(x) < 2 ** 52)) return x;
  const f = floor(x);
  const rest = x - f;
  const r = rest < 0.5 ? f : rest > 0.5 ? f + 1 : f % 2 === 0 ? f : f + 1;
  return withSign(r, x);
};
const away = (x: number): number => (abs(x) < 2 ** 52 ? withSign(floor(abs(x) + 0.5), x) : x);

const sinpi = (x: number): number => {
  if (!(abs(x) < Infinity)) return NaN;
  const r = abs(x) % 2;
  const exact =
    r === 0 || r === 1
      ? 0
      : r === 0.5
        ? 1
        : r === 1.5
          ? -1
          : r > 0.5 && r < 1.5
            ? Math.sin(Math.PI * (1 - r))
            : Math.sin(Math.PI * (r > 1 ? r - 2 : r));
  return exact === 0 ? withSign(0, x) : negative(x) ? -exact : exact;
};
const cospi = (x: number): number => {
  if (!(abs(x) < Infinity)) return NaN;
  const r = abs(x) % 2;
  if (r === 0.5 || r === 1.5) return 0;
  const q = r > 1 ? 2 - r : r;
  return Math.sin(Math.PI * (0.5 - q));
};
const tanpi = (x: number): number => {
  if (!(abs(x) < Infinity)) return NaN;
  const r = abs(x) % 2;
  // 7.5.1: at even integers a zero of the sign of x, at odd ones of the other; at halves infinities by turns.
  if (r === 0) return withSign(0, x);
  if (r === 1) return -withSign(0, x);
  const halves = ((floor(x) % 2) + 2) % 2 === 0 ? Infinity : -Infinity;
  if (r === 0.5 || r === 1.5) return halves;
  return sinpi(x) / cospi(x);
};

/** C99 F.9.4.4; Math.pow has 1^NaN and (-1)^infinity as NaN. */
const cPow = (x: number, y: number): number => (x === 1 || (x === -1 && endless(y)) ? 1 : x ** y);
/** OpenCL C 3.0 7.5.1. */
const powr = (x: number, y: number): number => {
  if (nan(x) || nan(y) || x < 0) return NaN;
  if (isZero(x)) return isZero(y) ? NaN : y < 0 ? Infinity : 0;
  if (endless(x) && isZero(y)) return NaN;
  if (x === 1) return endless(y) ? NaN : 1;
  return x ** y;
};
const pown = (x: number, n: number): number => {
  if (n === 0) return 1;
  const r = abs(x) ** n;
  return n % 2 !== 0 && negative(x) ? -r : r;
};
const rootn = (x: number, n: number): number => {
  if (n === 0 || nan(x)) return NaN;
  const odd = n % 2 !== 0;
  if (x < 0 && !odd) return NaN;
  if (isZero(x)) return n < 0 ? (odd ? withSign(Infinity, x) : Infinity) : odd ? x : 0;
  const r = Math.exp(Math.log(abs(x)) / n);
  return x < 0 ? -r : r;
};
const remainder = (x: number, y: number): number => {
  if (nan(x) || nan(y) || endless(x) || isZero(y)) return NaN;
  if (endless(y)) return x;
  // The remainder of doubles is exact; modulo twice y it says whether the quotient is odd.
  const b = abs(y);
  let r = abs(x) % (2 * b);
  if (r > b / 2) {
    r -= b;
    if (r >= b / 2) r -= b;
  }
  return r === 0 ? withSign(0, x) : negative(x) ? -r : r;
};
/** The digits of a finite double as a whole number of units of 2^-1074. */
function units(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, abs(x));
  const bits = view.getBigUint64(0);
  const exponent = bits >> 52n;
  const digits = bits & 0xfffffffffffffn;
  return exponent === 0n ? digits : (digits | (1n << 52n)) << (exponent - 1n);
}
/** OpenCL C 3.0 6.15.2 and 7.5.1: the quotient rounded to even, its lower seven bits with its sign. */
const quotientBits = (x: number, y: number): number => {
  if (nan(x) || nan(y) || endless(x) || isZero(y) || endless(y)) return 0;
  const [a, b] = [units(x), units(y)];
  let quotient = a / b;
  const twice = 2n * (a % b);
  if (twice > b || (twice === b && quotient % 2n === 1n)) quotient++;
  const bits = Number(quotient % 128n);
  return bits === 0 ? 0 : x < 0 === y < 0 ? bits : -bits;
};
const fmin = (x: number, y: number): number => (nan(x) ? y : nan(y) ? x : x < y ? x : y);
const fmax = (x: number, y: number): number => (nan(x) ? y : nan(y) ? x : x > y ? x : y);
/** The exponent of a finite number, by its digits. */
const exponent = (x: number): number => {
  const e = floor(Math.log2(abs(x)));
  return 2 ** e > abs(x) ? e - 1 : 2 ** (e + 1) <= abs(x) ? e + 1 : e;
};
const bits = new DataView(new ArrayBuffer(4));
const neighbour = (x: number, y: number): number => {
  if (nan(x) || nan(y)) return NaN;
  if (x === y) return y;
  if (x === 0) return y > 0 ? 2 ** -149 : -(2 ** -149);
  bits.setFloat32(0, x);
  bits.setInt32(0, bits.getInt32(0) + (x > 0 === y > x ? 1 : -1));
  return bits.getFloat32(0);
};
/** x*y is exact in doubles, and where the sum is not the product's size says on which side it lies: by whole numbers. */
const fused = (x: number, y: number, z: number): number => {
  const plain = x * y + z;
  if (!Number.isFinite(plain) || !Number.isFinite(x * y)) return plain;
  const unit = 2n ** 310n;
  const whole = (v: number): bigint => {
    const e = v === 0 ? 0 : exponent(v) - 60;
    const digits = BigInt(v / 2 ** e);
    return e >= 0 ? (digits * unit) << BigInt(e) : (digits * unit) >> BigInt(-e);
  };
  const sum = whole(x * y) + whole(z);
  if (sum === 0n) return plain;
  const magnitude = sum < 0n ? -sum : sum;
  const length = magnitude.toString(2).length;
  const lowest = Math.max(length - 24, 310 - 149);
  const cut = BigInt(lowest);
  let kept = magnitude >> cut;
  const rest = magnitude - (kept << cut);
  const half = 1n << (cut - 1n);
  if (rest > half || (rest === half && kept & 1n)) kept++;
  const r = Number(kept) * 2 ** (lowest - 310);
  return sum < 0n ? -r : r;
};

const everywhere = (call: string): EdgeFunction["calls"] => ({ opencl: call, msl: call, glsl: call, hlsl: call });
const inC = (call: string, msl = call): EdgeFunction["calls"] => ({ opencl: call, msl });
const opencl = (call: string): EdgeFunction["calls"] => ({ opencl: call });
type Open = NonNullable<EdgeFunction["open"]>;
/** In GLSL a NaN may come out of what takes one, and a zero has any sign: support for them is optional. HLSL keeps them. */
const where = (glsl: (x: number, y: number) => boolean): Open => ({
  glsl: (...a) => a.some(nan) || glsl(a[0]!, a[1] ?? 0),
});
const anywhere = where(() => false);

const unary = (
  name: string,
  calls: EdgeFunction["calls"],
  value: (x: number) => number | undefined,
  ulp = 0,
  open: Open = anywhere,
): EdgeFunction => ({ name, operands: "f", calls, value, ulp, open });
const binary = (
  name: string,
  calls: EdgeFunction["calls"],
  value: (x: number, y: number) => number | undefined,
  ulp = 0,
  open: Open = anywhere,
): EdgeFunction => ({ name, operands: "ff", calls, value, ulp, open });
const withInteger = (
  name: string,
  calls: EdgeFunction["calls"],
  value: (x: number, n: number) => number | undefined,
  ulp = 0,
  open: Open = anywhere,
): EdgeFunction => ({ name, operands: "fi", calls, value, ulp, open });
/** HLSL states no range of these functions' arguments outside which they give a NaN. */
const outside = (beyond: (x: number) => boolean): Open => ({
  glsl: (x) => nan(x!) || beyond(x!),
  hlsl: (x) => nan(x!) || beyond(x!),
});
const finiteOnly: Open = outside(endless);
/** Vulkan has them as made of exp(x) and exp(-x), which overflow (of halves soon), and HLSL states nothing. */
const overflowing: Open = outside((x) => abs(x) > 11);
const hugeArgument: Open = outside((x) => abs(x) > 30);

export const edgeFunctions: readonly EdgeFunction[] = [
  unary("sin", everywhere("sin(a)"), (x) => (isZero(x) ? x : Math.sin(x)), 4, hugeArgument),
  unary("cos", everywhere("cos(a)"), (x) => Math.cos(x), 4, hugeArgument),
  unary("tan", everywhere("tan(a)"), (x) => (isZero(x) ? x : Math.tan(x)), 5, hugeArgument),
  unary(
    "asin",
    everywhere("asin(a)"),
    (x) => Math.asin(x),
    4,
    outside((x) => abs(x) > 1),
  ),
  unary(
    "acos",
    everywhere("acos(a)"),
    (x) => Math.acos(x),
    4,
    outside((x) => abs(x) > 1),
  ),
  unary("atan", everywhere("atan(a)"), (x) => Math.atan(x), 5, outside(endless)),
  unary("sinh", everywhere("sinh(a)"), (x) => Math.sinh(x), 4, overflowing),
  unary("cosh", everywhere("cosh(a)"), (x) => Math.cosh(x), 4, overflowing),
  unary("tanh", everywhere("tanh(a)"), (x) => Math.tanh(x), 5, overflowing),
  unary("asinh", { opencl: "asinh(a)", msl: "asinh(a)", glsl: "asinh(a)" }, (x) => Math.asinh(x), 4, finiteOnly),
  unary(
    "acosh",
    { opencl: "acosh(a)", msl: "acosh(a)", glsl: "acosh(a)" },
    (x) => Math.acosh(x),
    4,
    outside((x) => x < 1 || endless(x)),
  ),
  unary(
    "atanh",
    { opencl: "atanh(a)", msl: "atanh(a)", glsl: "atanh(a)" },
    (x) => Math.atanh(x),
    5,
    outside((x) => abs(x) >= 1),
  ),
  unary("sinpi", inC("sinpi(a)"), sinpi, 4),
  unary("cospi", inC("cospi(a)"), cospi, 4),
  unary("tanpi", inC("tanpi(a)"), tanpi, 6),
  unary("asinpi", opencl("asinpi(a)"), (x) => Math.asin(x) / Math.PI, 5),
  unary("acospi", opencl("acospi(a)"), (x) => Math.acos(x) / Math.PI, 5),
  unary("atanpi", opencl("atanpi(a)"), (x) => Math.atan(x) / Math.PI, 5),
  unary("exp", everywhere("exp(a)"), (x) => Math.exp(x), 4),
  unary("exp2", everywhere("exp2(a)"), (x) => 2 ** x, 4),
  unary("exp10", inC("exp10(a)"), (x) => 10 ** x, 4),
  unary("expm1", opencl("expm1(a)"), (x) => Math.expm1(x), 3),
  unary(
    "log",
    everywhere("log(a)"),
    (x) => Math.log(x),
    4,
    where((x) => x <= 0),
  ),
  unary(
    "log2",
    everywhere("log2(a)"),
    (x) => Math.log2(x),
    4,
    where((x) => x <= 0),
  ),
  unary("log10", { ...inC("log10(a)"), hlsl: "log10(a)" }, (x) => Math.log10(x), 4),
  unary("log1p", opencl("log1p(a)"), (x) => Math.log1p(x), 2),
  unary(
    "sqrt",
    everywhere("sqrt(a)"),
    (x) => Math.sqrt(x),
    0,
    where((x) => x < 0),
  ),
  unary(
    "rsqrt",
    { ...everywhere("rsqrt(a)"), glsl: "inversesqrt(a)" },
    (x) => (isZero(x) && negative(x) ? undefined : 1 / Math.sqrt(x)),
    2,
    where((x) => x <= 0),
  ),
  unary("cbrt", opencl("cbrt(a)"), (x) => Math.cbrt(x), 2),
  unary("floor", everywhere("floor(a)"), (x) => floor(x)),
  unary("ceil", everywhere("ceil(a)"), (x) => Math.ceil(x)),
  unary("trunc", everywhere("trunc(a)"), (x) => trunc(x)),
  unary("rint", { ...inC("rint(a)"), glsl: "roundEven(a)", hlsl: "round(a)" }, toEven),
  unary("round", inC("round(a)"), away),
  unary("fabs", { ...inC("fabs(a)"), glsl: "abs(a)", hlsl: "abs(a)" }, abs),
  unary(
    "sign",
    { ...inC("sign(a)"), glsl: "sign(a)", hlsl: "float(sign(a))" },
    (x) => (nan(x) ? 0 : isZero(x) ? x : Math.sign(x)),
    0,
    { ...where(isZero), hlsl: isZero },
  ),
  unary("saturate", { msl: "saturate(a)", hlsl: "saturate(a)" }, (x) => (x > 0 ? Math.min(x, 1) : 0)),
  unary("logb", opencl("logb(a)"), (x) => (nan(x) ? NaN : endless(x) ? Infinity : isZero(x) ? -Infinity : exponent(x))),
  unary("ilogb", opencl("(float)ilogb(a)"), (x) => (isZero(x) || nan(x) || endless(x) ? undefined : exponent(x))),
  unary("degrees", { opencl: "degrees(a)", glsl: "degrees(a)", hlsl: "degrees(a)" }, (x) => x * (180 / Math.PI), 2),
  unary("radians", { opencl: "radians(a)", glsl: "radians(a)", hlsl: "radians(a)" }, (x) => x * (Math.PI / 180), 2),
  unary(
    "isnan",
    { ...inC("isnan(a) ? 1.0f : 0.0f"), glsl: "isnan(a) ? 1.0 : 0.0", hlsl: "isnan(a) ? 1.0f : 0.0f" },
    (x) => (nan(x) ? 1 : 0),
    0,
    {},
  ),
  unary(
    "isinf",
    { ...inC("isinf(a) ? 1.0f : 0.0f"), glsl: "isinf(a) ? 1.0 : 0.0", hlsl: "isinf(a) ? 1.0f : 0.0f" },
    (x) => (endless(x) ? 1 : 0),
    0,
    {},
  ),
  unary("isfinite", { ...inC("isfinite(a) ? 1.0f : 0.0f"), hlsl: "isfinite(a) ? 1.0f : 0.0f" }, (x) =>
    Number.isFinite(x) ? 1 : 0,
  ),
  unary("isnormal", { ...inC("isnormal(a) ? 1.0f : 0.0f"), hlsl: "isnormal(a) ? 1.0f : 0.0f" }, (x) =>
    Number.isFinite(x) && abs(x) >= 2 ** -126 ? 1 : 0,
  ),
  unary("signbit", inC("signbit(a) ? 1.0f : 0.0f"), (x) => (nan(x) ? undefined : negative(x) ? 1 : 0)),
  // MSL 3.1 6.5 and Direct3D 11.3 22.10.7 have it below 1, and GLSL 4.60 8.3 only the difference. Of infinities none says it.
  unary(
    "fract",
    { msl: "fract(a)", glsl: "fract(a)", hlsl: "frac(a)" },
    (x) => (endless(x) ? undefined : Math.min(fround(x - floor(x)), 1 - 2 ** -24)),
    0,
    { glsl: (x) => fround(x! - floor(x!)) === 1 },
  ),
  // OpenCL C 3.0 7.5.1 says what fract gives at zeros and infinities; the others are x - floor(x).
  unary("fract with its whole", opencl("fract(a, &w)"), (x) =>
    nan(x) ? NaN : isZero(x) || endless(x) ? withSign(0, x) : Math.min(fround(x - floor(x)), 1 - 2 ** -24),
  ),
  unary("whole of fract", opencl("(fract(a, &w), w)"), (x) => floor(x)),
  unary(
    "modf",
    { opencl: "modf(a, &w)", msl: "modf(a, w)", glsl: "modf(a, w)", hlsl: "modf(a, w)" },
    (x) => (nan(x) ? NaN : endless(x) ? withSign(0, x) : withSign(x - trunc(x), x)),
    0,
    outside(endless),
  ),
  unary("whole of modf", inC("(modf(a, &w), w)", "(modf(a, w), w)"), (x) => trunc(x)),
  unary("frexp", inC("frexp(a, &e)", "frexp(a, e)"), (x) =>
    isZero(x) || !Number.isFinite(x) ? x : x / 2 ** exponent(x) / 2,
  ),
  unary("exponent of frexp", inC("(frexp(a, &e), (float)e)", "(frexp(a, e), float(e))"), (x) =>
    isZero(x) ? 0 : endless(x) || nan(x) ? 0 : exponent(x) + 1,
  ),
  unary(
    "normalize of a vector",
    opencl("normalize((float3)(a, 0.0f, -a)).z"),
    (x) => (nan(x) ? NaN : isZero(x) ? -x : x > 0 ? -Math.SQRT1_2 : Math.SQRT1_2),
    4,
  ),
  unary("normalize of a number", opencl("normalize(a)"), (x) => (nan(x) ? NaN : isZero(x) ? x : Math.sign(x)), 4),

  binary("atan2", { ...inC("atan2(a, b)"), glsl: "atan(a, b)", hlsl: "atan2(a, b)" }, Math.atan2, 6, {
    glsl: (y, x) => nan(y!) || nan(x!) || isZero(y!) || endless(x!) || endless(y!),
    hlsl: (y, x) => nan(y!) || nan(x!) || isZero(y!) || endless(x!) || endless(y!),
  }),
  binary("atan2pi", opencl("atan2pi(a, b)"), (y, x) => Math.atan2(y, x) / Math.PI, 6),
  binary("pow", inC("pow(a, b)"), cPow, 16),
  binary("powr", inC("powr(a, b)"), powr, 16, {
    msl: (x, y) => x! < 0 || nan(x!) || nan(y!) || isZero(x!) || endless(x!) || x === 1,
  }),
  binary("pow for positive x", { glsl: "pow(a, b)", hlsl: "pow(a, b)" }, powr, 16, {
    glsl: (x, y) =>
      nan(x!) || nan(y!) || x! < 0 || (isZero(x!) && (y! <= 0 || negative(x!))) || endless(x!) || endless(y!),
    // "Depends on the particular graphics processor"; 1 and infinity by what exp2(y * log2(x)) is made of.
    hlsl: (x, y) => (isZero(x!) && isZero(y!)) || (endless(x!) && isZero(y!)) || (x === 1 && endless(y!)) || nan(y!),
  }),
  binary("fmod", inC("fmod(a, b)"), (x, y) => x % y),
  binary("fmod of HLSL", { hlsl: "fmod(a, b)" }, (x, y) => x % y, 0, {
    hlsl: (x, y) => !(abs(x! / y!) < 4096) || isZero(x! % y!),
  }),
  binary("remainder", opencl("remainder(a, b)"), remainder),
  binary("remquo", opencl("remquo(a, b, &e)"), remainder),
  binary("quotient of remquo", opencl("(remquo(a, b, &e), (float)e)"), quotientBits),
  binary("fdim", inC("fdim(a, b)"), (x, y) => (nan(x) || nan(y) ? NaN : x > y ? x - y : 0)),
  binary("fmin", { ...inC("fmin(a, b)"), hlsl: "min(a, b)" }, (x, y) =>
    isZero(x) && isZero(y) ? undefined : fmin(x, y),
  ),
  binary("fmax", { ...inC("fmax(a, b)"), hlsl: "max(a, b)" }, (x, y) =>
    isZero(x) && isZero(y) ? undefined : fmax(x, y),
  ),
  binary("min of numbers", { glsl: "min(a, b)" }, (x, y) => (isZero(x) && isZero(y) ? undefined : fmin(x, y))),
  binary("hypot", opencl("hypot(a, b)"), (x, y) => Math.hypot(x, y), 4),
  binary("length", opencl("length((float2)(a, b))"), (x, y) => (nan(x) || nan(y) ? undefined : Math.hypot(x, y)), 4),
  binary(
    "distance",
    opencl("distance((float3)(a, b, 1.0f), (float3)(0.0f, 0.0f, 1.0f))"),
    (x, y) => (nan(x) || nan(y) ? undefined : Math.hypot(x, y)),
    4,
  ),
  binary(
    "normalize",
    opencl("normalize((float2)(a, b)).x"),
    (x, y) => {
      if (nan(x) || nan(y)) return NaN;
      if (isZero(x) && isZero(y)) return x;
      const [a, b] =
        endless(x) || endless(y) ? [x, y].map((v) => (endless(v) ? Math.sign(v) : withSign(0, v))) : [x, y];
      return a! / Math.hypot(a!, b!);
    },
    5,
  ),
  binary("copysign", inC("copysign(a, b)"), (x, y) => (nan(x) || nan(y) ? undefined : withSign(x, y))),
  binary("nextafter", opencl("nextafter(a, b)"), neighbour),
  binary("maxmag", opencl("maxmag(a, b)"), (x, y) =>
    abs(x) > abs(y) ? x : abs(y) > abs(x) ? y : isZero(x) && isZero(y) ? undefined : fmax(x, y),
  ),
  binary("minmag", opencl("minmag(a, b)"), (x, y) =>
    abs(x) < abs(y) ? x : abs(y) < abs(x) ? y : isZero(x) && isZero(y) ? undefined : fmin(x, y),
  ),
  binary("step", everywhere("step(a, b)"), (edge, x) => (x < edge ? 0 : 1)),
  binary("clamp of a number", inC("clamp(a, -1.0f, fabs(b))"), (x, y) =>
    nan(y) ? undefined : isZero(fmax(x, -1)) && isZero(y) ? undefined : fmin(fmax(x, -1), abs(y)),
  ),
  withInteger("ldexp", { ...inC("ldexp(a, n)"), glsl: "ldexp(a, n)" }, (x, n) => scaled(x, n), 0, {
    glsl: (x, n) =>
      nan(x!) || n! > 128 || n! < -126 || abs(scaled(x!, n!)) === Infinity || abs(scaled(x!, n!)) < 2 ** -126,
  }),
  withInteger("pown", opencl("pown(a, n)"), pown, 16),
  withInteger("rootn", opencl("rootn(a, n)"), rootn, 16),
  {
    name: "fma",
    operands: "fff",
    calls: { ...inC("fma(a, b, c)") },
    value: fused,
    ulp: 0,
    open: anywhere,
    assumedIn: ["hlsl", "glsl"],
  },
];

/** x * 2^n; a product with several digits below the least subnormal number is rounded once. */
function scaled(x: number, n: number): number {
  if (isZero(x) || !Number.isFinite(x)) return x;
  const held = Math.max(-400, Math.min(400, n));
  // Doubles hold every f32 times 2^+-400 exactly.
  return fround(x * 2 ** held);
}

export const specialFloats: readonly number[] = [
  0,
  -0,
  2 ** -149,
  -(2 ** -149),
  2 ** -127,
  2 ** -126,
  -(2 ** -126),
  2 ** -100,
  1e-20,
  -1e-20,
  1e-7,
  -1e-5,
  2 ** -25,
  0.25,
  0.49999997,
  0.5,
  -0.5,
  0.75,
  1 - 2 ** -24,
  1,
  -1,
  1 + 2 ** -23,
  1.5,
  -1.5,
  Math.PI / 2,
  2,
  -2,
  2.5,
  -2.5,
  3,
  -3,
  3.5,
  4,
  4.75,
  5,
  -7.3,
  10,
  20.5,
  64.25,
  88.7,
  -88.7,
  89,
  100.25,
  -104,
  127.5,
  128,
  -149.5,
  1000.5,
  65504,
  8388607.5,
  -8388607.5,
  8388609,
  16777215,
  16777216,
  1e10,
  -1e10,
  2 ** 31,
  -(2 ** 31),
  2 ** 63,
  1e30,
  -1e30,
  2 ** 126,
  3e38,
  -3e38,
  (2 - 2 ** -23) * 2 ** 127,
  -((2 - 2 ** -23) * 2 ** 127),
  Infinity,
  -Infinity,
  NaN,
].map(fround);
export const specialIntegers: readonly number[] = [
  0, 1, -1, 2, -2, 3, -3, 4, 5, -7, 10, 23, -23, 100, 127, 128, -126, -127, -149, -150, 150, 253, 277, -300, 1000,
  16777217, -16777217, 2147483647, -2147483648,
];
