/**
 * Integer functions and operators of the four languages and what they give, in whole numbers: from the specifications
 * (GLSL 4.60 5.9 and 8.8, OpenCL C 3.0 6.3 and 6.15.3, MSL 3.1 6.4, C++14 5, the HLSL intrinsics as DXC has them).
 */
import type { TwoWayDialect } from "../../src/dialects/ids.js";

export interface IntegerType {
  readonly bits: number;
  readonly signed: boolean;
  readonly size: number;
}

/**
 * The type of an operand or result, of a row for T: T itself, U and S its unsigned and signed forms, s its scalar, W and D
 * twice and half its width, i and u of 32 bits with as many components, n and k scalars u32 and i32. A type says itself.
 */
export type TypeCode = "T" | "U" | "S" | "s" | "W" | "i" | "u" | "n" | "k" | IntegerType;

export function typeOf(code: TypeCode, t: IntegerType): IntegerType {
  switch (code) {
    case "T":
      return t;
    case "U":
      return { ...t, signed: false };
    case "S":
      return { ...t, signed: true };
    case "s":
      return { ...t, size: 1 };
    case "W":
      return { ...t, bits: t.bits * 2 };
    case "i":
      return { bits: 32, signed: true, size: t.size };
    case "u":
      return { bits: 32, signed: false, size: t.size };
    case "n":
      return { bits: 32, signed: false, size: 1 };
    case "k":
      return { bits: 32, signed: true, size: 1 };
    default:
      return code;
  }
}

export const least = (t: IntegerType): bigint => (t.signed ? -(1n << BigInt(t.bits - 1)) : 0n);
export const greatest = (t: IntegerType): bigint => (1n << BigInt(t.bits - (t.signed ? 1 : 0))) - 1n;
export const wrapped = (t: IntegerType, x: bigint): bigint =>
  t.signed ? BigInt.asIntN(t.bits, x) : BigInt.asUintN(t.bits, x);
const inside = (t: IntegerType, x: bigint): boolean => x >= least(t) && x <= greatest(t);
const clamped = (t: IntegerType, x: bigint): bigint => (x < least(t) ? least(t) : x > greatest(t) ? greatest(t) : x);
const min = (a: bigint, b: bigint): bigint => (b < a ? b : a);
const max = (a: bigint, b: bigint): bigint => (a < b ? b : a);
const magnitude = (x: bigint): bigint => (x < 0n ? -x : x);
const bitsOf = (t: IntegerType, x: bigint): string => BigInt.asUintN(t.bits, x).toString(2).padStart(t.bits, "0");
const ones = (n: bigint): bigint => (1n << n) - 1n;
/** Rounded down. */
const halved = (x: bigint): bigint => x >> 1n;

const leading = (t: IntegerType, x: bigint): number => (bitsOf(t, x) + "1").indexOf("1");
const trailing = (t: IntegerType, x: bigint): number => ([...bitsOf(t, x)].reverse().join("") + "1").indexOf("1");
/** The highest bit that differs from the sign, -1 for none. */
const highest = (t: IntegerType, x: bigint): bigint => BigInt(t.bits - 1 - leading(t, t.signed && x < 0n ? ~x : x));
const lowest = (t: IntegerType, x: bigint): bigint => (x === 0n ? -1n : BigInt(trailing(t, x)));

type Meaning = (xs: readonly bigint[], t: IntegerType, d: TwoWayDialect) => readonly bigint[];
type Text = (args: readonly string[], t: IntegerType) => string;

export interface IntegerRow {
  readonly name: string;
  /** Statements that give `r0` (and `r1`) their values, from the operands' names. */
  readonly in: Partial<Record<TwoWayDialect, Text>>;
  readonly operands: readonly TypeCode[];
  readonly results: readonly TypeCode[];
  /** Which T there are; all by default. */
  readonly on?: (t: IntegerType, d: TwoWayDialect) => boolean;
  /** Operands whose result the dialect defines; all by default. */
  readonly defined?: (xs: readonly bigint[], t: IntegerType, d: TwoWayDialect) => boolean;
  /** The results of one component. */
  readonly each?: Meaning;
  /** Of all components of each operand. */
  readonly whole?: (
    xs: readonly (readonly bigint[])[],
    t: IntegerType,
    d: TwoWayDialect,
  ) => readonly (readonly bigint[])[];
}

const C = (d: TwoWayDialect): boolean => d === "msl" || d === "opencl";
/** The type operators work on: C promotes small scalars to int. */
const promoted = (t: IntegerType, d: TwoWayDialect): IntegerType =>
  C(d) && t.size === 1 && t.bits < 32 ? { ...t, bits: 32, signed: true } : t;
/** What an operator gives where C leaves signed overflow open. */
const holds = (x: bigint, t: IntegerType, d: TwoWayDialect): boolean => {
  const p = promoted(t, d);
  return !C(d) || !p.signed || inside(p, x);
};

const everywhere = (text: Text, ...but: readonly TwoWayDialect[]): Partial<Record<TwoWayDialect, Text>> =>
  Object.fromEntries(
    (["msl", "glsl", "opencl", "hlsl"] as const).filter((d) => !but.includes(d)).map((d) => [d, text]),
  );
const call =
  (name: string): Text =>
  (args) =>
    `r0 = ${name}(${args.join(", ")});`;
/** `clz` of MSL and OpenCL C by one name, or by two: `addsat add_sat`. */
const named = (names: Partial<Record<TwoWayDialect, string>>): Partial<Record<TwoWayDialect, Text>> =>
  Object.fromEntries(Object.entries(names).map(([d, name]) => [d, call(name)]));

const letters = "abcd";

function operator(symbol: string, count: 1 | 2, more: Partial<IntegerRow> & Pick<IntegerRow, "each">): IntegerRow[] {
  const operands = Array.from({ length: count }, () => "T" as const);
  // C has no operator on small types that keeps them; the value goes back into T.
  const text: Text = count === 1 ? ([a]) => `r0 = ${symbol}${a!};` : ([a, b]) => `r0 = ${a!} ${symbol} ${b!};`;
  const base: IntegerRow = { name: symbol, in: everywhere(text), operands, results: ["T"], ...more };
  if (count === 1) return [base];
  return [base, { ...base, name: `${symbol}=`, in: everywhere(([a, b]) => `r0 = ${a!}; r0 ${symbol}= ${b!};`) }];
}

const shiftCount = (n: bigint, t: IntegerType, d: TwoWayDialect): bigint => n & BigInt(promoted(t, d).bits - 1);
const shiftDefined = (n: bigint, t: IntegerType, d: TwoWayDialect): boolean =>
  d === "opencl" || d === "hlsl" || (n >= 0n && n < BigInt(promoted(t, d).bits));

const operators: readonly IntegerRow[] = [
  ...operator("+", 2, { each: ([a, b], t) => [wrapped(t, a! + b!)], defined: ([a, b], t, d) => holds(a! + b!, t, d) }),
  ...operator("-", 2, { each: ([a, b], t) => [wrapped(t, a! - b!)], defined: ([a, b], t, d) => holds(a! - b!, t, d) }),
  ...operator("*", 2, { each: ([a, b], t) => [wrapped(t, a! * b!)], defined: ([a, b], t, d) => holds(a! * b!, t, d) }),
  ...operator("/", 2, {
    each: ([a, b], t) => [b === 0n ? greatest(t) : wrapped(t, a! / b!)],
    defined: ([a, b], t, d) =>
      b === 0n ? d === "hlsl" && !t.signed && t.bits === 32 : !(t.signed && a === least(t) && b === -1n),
  }),
  ...operator("%", 2, {
    each: ([a, b], t) => [b === 0n ? greatest(t) : a! % b!],
    defined: ([a, b], t, d) =>
      b === 0n
        ? d === "hlsl" && !t.signed && t.bits === 32
        : !(t.signed && a === least(t) && b === -1n) && (d !== "glsl" || (a! >= 0n && b! >= 0n)),
  }),
  ...operator("&", 2, { each: ([a, b]) => [a! & b!] }),
  ...operator("|", 2, { each: ([a, b]) => [a! | b!] }),
  ...operator("^", 2, { each: ([a, b]) => [a! ^ b!] }),
  ...operator("<<", 2, {
    each: ([a, n], t, d) => [wrapped(t, a! << shiftCount(n!, t, d))],
    defined: ([a, n], t, d) => {
      if (!shiftDefined(n!, t, d)) return false;
      const p = promoted(t, d);
      // C++14 5.8: of signed numbers what the unsigned type holds.
      return d !== "msl" || !p.signed || (a! >= 0n && a! << n! <= ones(BigInt(p.bits)));
    },
  }),
  ...operator(">>", 2, {
    each: ([a, n], t, d) => [a! >> shiftCount(n!, t, d)],
    defined: ([, n], t, d) => shiftDefined(n!, t, d),
  }),
  ...operator("-", 1, {
    each: ([a], t) => [wrapped(t, -a!)],
    defined: ([a], t, d) => (t.signed ? holds(-a!, t, d) : true),
  }),
  ...operator("~", 1, { each: ([a], t) => [wrapped(t, ~a!)] }),
  ...(["++", "--"] as const).flatMap((symbol): IntegerRow[] => {
    const delta = symbol === "++" ? 1n : -1n;
    const meaning = {
      each: ([a]: readonly bigint[], t: IntegerType) => [wrapped(t, a! + delta)],
      defined: ([a]: readonly bigint[], t: IntegerType, d: TwoWayDialect) => holds(a! + delta, t, d),
    };
    return [
      {
        name: `x${symbol}`,
        in: everywhere(([a]) => `r0 = ${a!}; r0${symbol};`),
        operands: ["T"],
        results: ["T"],
        ...meaning,
      },
      {
        name: `y = x${symbol}`,
        in: everywhere(([a]) => `r1 = ${a!}; r0 = r1${symbol};`),
        operands: ["T"],
        results: ["T", "T"],
        defined: meaning.defined,
        each: ([a], t) => [a!, wrapped(t, a! + delta)],
      },
      {
        name: `y = ${symbol}x`,
        in: everywhere(([a]) => `r1 = ${a!}; r0 = ${symbol}r1;`),
        operands: ["T"],
        results: ["T", "T"],
        defined: meaning.defined,
        each: ([a], t) => [wrapped(t, a! + delta), wrapped(t, a! + delta)],
      },
    ];
  }),
];

const comparisons: readonly IntegerRow[] = (
  [
    ["<", "lessThan", (a, b) => a < b],
    ["<=", "lessThanEqual", (a, b) => a <= b],
    [">", "greaterThan", (a, b) => a > b],
    [">=", "greaterThanEqual", (a, b) => a >= b],
    ["==", "equal", (a, b) => a === b],
    ["!=", "notEqual", (a, b) => a !== b],
  ] as readonly (readonly [string, string, (a: bigint, b: bigint) => boolean])[]
).flatMap(([symbol, glsl, test]): IntegerRow[] => {
  const n = (t: IntegerType): string => (t.size === 1 ? "" : String(t.size));
  return [
    {
      name: symbol,
      in: {
        msl: ([a, b], t) => `r0 = int${n(t)}(${a!} ${symbol} ${b!});`,
        glsl: ([a, b], t) =>
          t.size === 1 ? `r0 = int(${a!} ${symbol} ${b!});` : `r0 = ivec${n(t)}(${glsl}(${a!}, ${b!}));`,
        hlsl: ([a, b], t) => `r0 = (int${n(t)})(${a!} ${symbol} ${b!});`,
      },
      operands: ["T", "T"],
      results: ["i"],
      each: ([a, b]) => [BigInt(test(a!, b!))],
    },
    // OpenCL C 6.3.d: of vectors -1 in integers of their width.
    {
      name: symbol,
      in: { opencl: ([a, b]) => `r0 = ${a!} ${symbol} ${b!};` },
      on: (t) => t.size > 1,
      operands: ["T", "T"],
      results: ["S"],
      each: ([a, b]) => [test(a!, b!) ? -1n : 0n],
    },
    {
      name: symbol,
      in: { opencl: ([a, b]) => `r0 = ${a!} ${symbol} ${b!};` },
      on: (t) => t.size === 1,
      operands: ["T", "T"],
      results: ["i"],
      each: ([a, b]) => [BigInt(test(a!, b!))],
    },
  ];
});

const negativeLeast = ([a]: readonly bigint[], t: IntegerType, d: TwoWayDialect): boolean =>
  d !== "msl" || a !== least(t);
const isSigned = (t: IntegerType): boolean => t.signed;
const isUnsigned = (t: IntegerType): boolean => !t.signed;
const wide = (t: IntegerType): boolean => t.bits === 32;
const in24 = (x: bigint, t: IntegerType): boolean => (t.signed ? x >= -(1n << 23n) && x < 1n << 23n : x < 1n << 24n);

const magnitudes: readonly IntegerRow[] = [
  {
    name: "abs",
    in: named({ msl: "abs", glsl: "abs", hlsl: "abs" }),
    on: isSigned,
    operands: ["T"],
    results: ["T"],
    defined: negativeLeast,
    each: ([a], t) => [wrapped(t, magnitude(a!))],
  },
  { name: "abs", in: named({ opencl: "abs" }), operands: ["T"], results: ["U"], each: ([a]) => [magnitude(a!)] },
  {
    name: "abs",
    in: named({ msl: "abs", hlsl: "abs" }),
    on: isUnsigned,
    operands: ["T"],
    results: ["T"],
    each: ([a]) => [a!],
  },
  {
    name: "abs_diff",
    in: named({ msl: "absdiff", opencl: "abs_diff" }),
    operands: ["T", "T"],
    results: ["U"],
    each: ([a, b]) => [magnitude(a! - b!)],
  },
  {
    name: "sign",
    in: named({ glsl: "sign" }),
    on: isSigned,
    operands: ["T"],
    results: ["T"],
    each: ([a]) => [a! > 0n ? 1n : a! < 0n ? -1n : 0n],
  },
  {
    name: "sign",
    in: named({ hlsl: "sign" }),
    operands: ["T"],
    results: ["i"],
    each: ([a]) => [a! > 0n ? 1n : a! < 0n ? -1n : 0n],
  },
  { name: "min", in: everywhere(call("min")), operands: ["T", "T"], results: ["T"], each: ([a, b]) => [min(a!, b!)] },
  { name: "max", in: everywhere(call("max")), operands: ["T", "T"], results: ["T"], each: ([a, b]) => [max(a!, b!)] },
  {
    name: "min(v, s)",
    in: named({ glsl: "min", opencl: "min" }),
    operands: ["T", "s"],
    results: ["T"],
    each: ([a, b]) => [min(a!, b!)],
  },
  {
    name: "max(v, s)",
    in: named({ glsl: "max", opencl: "max" }),
    operands: ["T", "s"],
    results: ["T"],
    each: ([a, b]) => [max(a!, b!)],
  },
  {
    name: "clamp",
    in: everywhere(call("clamp")),
    operands: ["T", "T", "T"],
    results: ["T"],
    defined: ([, b, c], _t, d) => d === "hlsl" || b! <= c!,
    each: ([a, b, c]) => [min(max(a!, b!), c!)],
  },
  {
    name: "clamp(v, s, s)",
    in: named({ glsl: "clamp", opencl: "clamp" }),
    operands: ["T", "s", "s"],
    results: ["T"],
    defined: ([, b, c]) => b! <= c!,
    each: ([a, b, c]) => [min(max(a!, b!), c!)],
  },
  {
    name: "min3",
    in: named({ msl: "min3" }),
    operands: ["T", "T", "T"],
    results: ["T"],
    each: ([a, b, c]) => [min(a!, min(b!, c!))],
  },
  {
    name: "max3",
    in: named({ msl: "max3" }),
    operands: ["T", "T", "T"],
    results: ["T"],
    each: ([a, b, c]) => [max(a!, max(b!, c!))],
  },
  {
    name: "median3",
    in: named({ msl: "median3" }),
    operands: ["T", "T", "T"],
    results: ["T"],
    each: (xs) => [[...xs].sort((a, b) => (a < b ? -1 : 1))[1]!],
  },
];

const sums: readonly IntegerRow[] = [
  {
    name: "add_sat",
    in: named({ msl: "addsat", opencl: "add_sat" }),
    operands: ["T", "T"],
    results: ["T"],
    each: ([a, b], t) => [clamped(t, a! + b!)],
  },
  {
    name: "sub_sat",
    in: named({ msl: "subsat", opencl: "sub_sat" }),
    operands: ["T", "T"],
    results: ["T"],
    each: ([a, b], t) => [clamped(t, a! - b!)],
  },
  {
    name: "hadd",
    in: named({ msl: "hadd", opencl: "hadd" }),
    operands: ["T", "T"],
    results: ["T"],
    each: ([a, b]) => [halved(a! + b!)],
  },
  {
    name: "rhadd",
    in: named({ msl: "rhadd", opencl: "rhadd" }),
    operands: ["T", "T"],
    results: ["T"],
    each: ([a, b]) => [halved(a! + b! + 1n)],
  },
  {
    name: "mul_hi",
    in: named({ msl: "mulhi", opencl: "mul_hi" }),
    operands: ["T", "T"],
    results: ["T"],
    each: ([a, b], t) => [(a! * b!) >> BigInt(t.bits)],
  },
  {
    name: "mad_hi",
    in: named({ msl: "madhi", opencl: "mad_hi" }),
    operands: ["T", "T", "T"],
    results: ["T"],
    defined: ([a, b, c], t) => !t.signed || inside(t, ((a! * b!) >> BigInt(t.bits)) + c!),
    each: ([a, b, c], t) => [wrapped(t, ((a! * b!) >> BigInt(t.bits)) + c!)],
  },
  {
    name: "mad_sat",
    in: named({ msl: "madsat", opencl: "mad_sat" }),
    operands: ["T", "T", "T"],
    results: ["T"],
    each: ([a, b, c], t) => [clamped(t, a! * b! + c!)],
  },
  {
    name: "mul24",
    in: named({ msl: "mul24", opencl: "mul24" }),
    on: wide,
    operands: ["T", "T"],
    results: ["T"],
    defined: ([a, b], t) => in24(a!, t) && in24(b!, t) && (!t.signed || inside(t, a! * b!)),
    each: ([a, b], t) => [wrapped(t, a! * b!)],
  },
  {
    name: "mad24",
    in: named({ msl: "mad24", opencl: "mad24" }),
    on: wide,
    operands: ["T", "T", "T"],
    results: ["T"],
    defined: ([a, b, c], t) =>
      in24(a!, t) && in24(b!, t) && (!t.signed || (inside(t, a! * b!) && inside(t, a! * b! + c!))),
    each: ([a, b, c], t) => [wrapped(t, a! * b! + c!)],
  },
  {
    name: "mad",
    in: named({ hlsl: "mad" }),
    operands: ["T", "T", "T"],
    results: ["T"],
    each: ([a, b, c], t) => [wrapped(t, a! * b! + c!)],
  },
  ...["dot", "mul"].map((name): IntegerRow => ({
    name,
    in: named({ hlsl: name }),
    operands: ["T", "T"],
    results: ["s"],
    on: (t) => name === "dot" || t.size > 1,
    whole: ([a, b], t) => [
      [
        wrapped(
          t,
          a!.reduce((sum, x, i) => sum + x * b![i]!, 0n),
        ),
      ],
    ],
  })),
  {
    name: "uaddCarry",
    in: { glsl: ([a, b]) => `r0 = uaddCarry(${a!}, ${b!}, r1);` },
    on: (t) => wide(t) && !t.signed,
    operands: ["T", "T"],
    results: ["T", "T"],
    each: ([a, b], t) => [wrapped(t, a! + b!), (a! + b!) >> 32n],
  },
  {
    name: "usubBorrow",
    in: { glsl: ([a, b]) => `r0 = usubBorrow(${a!}, ${b!}, r1);` },
    on: (t) => wide(t) && !t.signed,
    operands: ["T", "T"],
    results: ["T", "T"],
    each: ([a, b], t) => [wrapped(t, a! - b!), BigInt(a! < b!)],
  },
  {
    name: "umulExtended",
    in: { glsl: ([a, b]) => `umulExtended(${a!}, ${b!}, r0, r1);` },
    on: (t) => wide(t) && !t.signed,
    operands: ["T", "T"],
    results: ["T", "T"],
    each: ([a, b], t) => [(a! * b!) >> 32n, wrapped(t, a! * b!)],
  },
  {
    name: "imulExtended",
    in: { glsl: ([a, b]) => `imulExtended(${a!}, ${b!}, r0, r1);` },
    on: (t) => wide(t) && t.signed,
    operands: ["T", "T"],
    results: ["T", "T"],
    each: ([a, b], t) => [(a! * b!) >> 32n, wrapped(t, a! * b!)],
  },
];

const rotated = (x: bigint, n: bigint, t: IntegerType): bigint => {
  const bits = bitsOf(t, x);
  const by = Number(((n % BigInt(t.bits)) + BigInt(t.bits)) % BigInt(t.bits));
  return wrapped(t, BigInt(`0b${bits.slice(by)}${bits.slice(0, by)}`));
};
const fieldInside = (offset: bigint, count: bigint, t: IntegerType): boolean =>
  offset >= 0n && count >= 0n && offset + count <= BigInt(t.bits);
const extracted = (x: bigint, offset: bigint, count: bigint, t: IntegerType): bigint => {
  if (count === 0n) return 0n;
  const field = (x >> offset) & ones(count);
  return t.signed ? BigInt.asIntN(Number(count), field) : field;
};
const inserted = (base: bigint, x: bigint, offset: bigint, count: bigint, t: IntegerType): bigint => {
  const mask = ones(count) << offset;
  return wrapped(t, (base & ~mask) | ((x << offset) & mask));
};

const bits: readonly IntegerRow[] = [
  {
    name: "clz",
    in: named({ msl: "clz", opencl: "clz" }),
    operands: ["T"],
    results: ["T"],
    each: ([a], t) => [BigInt(leading(t, a!))],
  },
  {
    name: "ctz",
    in: named({ msl: "ctz", opencl: "ctz" }),
    operands: ["T"],
    results: ["T"],
    each: ([a], t) => [BigInt(trailing(t, a!))],
  },
  {
    name: "popcount",
    in: named({ msl: "popcount", opencl: "popcount" }),
    operands: ["T"],
    results: ["T"],
    each: ([a], t) => [BigInt(bitsOf(t, a!).replaceAll("0", "").length)],
  },
  {
    name: "bitCount",
    in: named({ glsl: "bitCount" }),
    on: wide,
    operands: ["T"],
    results: ["i"],
    each: ([a], t) => [BigInt(bitsOf(t, a!).replaceAll("0", "").length)],
  },
  {
    name: "countbits",
    in: named({ hlsl: "countbits" }),
    operands: ["T"],
    results: ["u"],
    each: ([a], t) => [BigInt(bitsOf(t, a!).replaceAll("0", "").length)],
  },
  {
    name: "findMSB",
    in: named({ glsl: "findMSB" }),
    on: wide,
    operands: ["T"],
    results: ["i"],
    each: ([a], t) => [highest(t, a!)],
  },
  {
    name: "findLSB",
    in: named({ glsl: "findLSB" }),
    on: wide,
    operands: ["T"],
    results: ["i"],
    each: ([a], t) => [lowest(t, a!)],
  },
  {
    name: "firstbithigh",
    in: named({ hlsl: "firstbithigh" }),
    operands: ["T"],
    results: ["u"],
    each: ([a], t) => [highest(t, a!) & 0xffffffffn],
  },
  {
    name: "firstbitlow",
    in: named({ hlsl: "firstbitlow" }),
    operands: ["T"],
    results: ["u"],
    each: ([a], t) => [lowest(t, a!) & 0xffffffffn],
  },
  {
    name: "reverse",
    in: named({ msl: "reverse_bits", hlsl: "reversebits" }),
    operands: ["T"],
    results: ["T"],
    each: ([a], t) => [wrapped(t, BigInt(`0b${[...bitsOf(t, a!)].reverse().join("")}`))],
  },
  {
    name: "reverse",
    in: named({ glsl: "bitfieldReverse" }),
    on: wide,
    operands: ["T"],
    results: ["T"],
    each: ([a], t) => [wrapped(t, BigInt(`0b${[...bitsOf(t, a!)].reverse().join("")}`))],
  },
  {
    name: "rotate",
    in: named({ msl: "rotate", opencl: "rotate" }),
    operands: ["T", "T"],
    results: ["T"],
    each: ([a, n], t) => [rotated(a!, n!, t)],
  },
  {
    name: "extract",
    in: named({ msl: "extract_bits" }),
    operands: ["T", "n", "n"],
    results: ["T"],
    defined: ([, o, n], t) => fieldInside(o!, n!, t),
    each: ([a, o, n], t) => [extracted(a!, o!, n!, t)],
  },
  {
    name: "extract",
    in: named({ glsl: "bitfieldExtract" }),
    on: wide,
    operands: ["T", "k", "k"],
    results: ["T"],
    defined: ([, o, n], t) => fieldInside(o!, n!, t),
    each: ([a, o, n], t) => [extracted(a!, o!, n!, t)],
  },
  {
    name: "insert",
    in: named({ msl: "insert_bits" }),
    operands: ["T", "T", "n", "n"],
    results: ["T"],
    defined: ([, , o, n], t) => fieldInside(o!, n!, t),
    each: ([a, b, o, n], t) => [inserted(a!, b!, o!, n!, t)],
  },
  {
    name: "insert",
    in: named({ glsl: "bitfieldInsert" }),
    on: wide,
    operands: ["T", "T", "k", "k"],
    results: ["T"],
    defined: ([, , o, n], t) => fieldInside(o!, n!, t),
    each: ([a, b, o, n], t) => [inserted(a!, b!, o!, n!, t)],
  },
  {
    name: "bitselect",
    in: named({ opencl: "bitselect" }),
    operands: ["T", "T", "T"],
    results: ["T"],
    each: ([a, b, c]) => [(a! & ~c!) | (b! & c!)],
  },
  {
    name: "upsample",
    in: named({ opencl: "upsample" }),
    on: (t) => t.bits < 64,
    operands: ["T", "U"],
    results: ["W"],
    each: ([a, b], t) => [wrapped({ ...t, bits: t.bits * 2 }, (a! << BigInt(t.bits)) | b!)],
  },
];

// OpenCL C 6.15.6: scalars test for zero, vectors their top bit.
const chosen = (c: bigint, t: IntegerType): boolean =>
  t.size === 1 ? c !== 0n : (c >> BigInt(t.bits - 1)) % 2n !== 0n;
const choices: readonly IntegerRow[] = [
  ...(["S", "U"] as const).map((code): IntegerRow => ({
    name: "select",
    in: named({ opencl: "select" }),
    operands: ["T", "T", code],
    results: ["T"],
    each: ([a, b, c], t) => [chosen(c!, t) ? b! : a!],
  })),
  {
    name: "?:",
    in: { opencl: ([a, b, c]) => `r0 = ${c!} ? ${a!} : ${b!};` },
    operands: ["T", "T", "S"],
    results: ["T"],
    each: ([a, b, c], t) => [chosen(c!, t) ? a! : b!],
  },
  {
    name: "select",
    in: { msl: ([a, b]) => `r0 = select(${a!}, ${b!}, ${a!} < ${b!});` },
    operands: ["T", "T"],
    results: ["T"],
    each: ([a, b]) => [a! < b! ? b! : a!],
  },
  {
    name: "select",
    in: { hlsl: ([a, b]) => `r0 = select(${a!} < ${b!}, ${a!}, ${b!});` },
    operands: ["T", "T"],
    results: ["T"],
    each: ([a, b]) => [a! < b! ? a! : b!],
  },
  {
    name: "mix",
    in: {
      glsl: ([a, b], t) => `r0 = mix(${a!}, ${b!}, ${t.size === 1 ? `${a!} < ${b!}` : `lessThan(${a!}, ${b!})`});`,
    },
    on: wide,
    operands: ["T", "T"],
    results: ["T"],
    each: ([a, b]) => [a! < b! ? b! : a!],
  },
  ...(["any", "all"] as const).flatMap((name): IntegerRow[] => {
    const of = (xs: readonly boolean[]): boolean => (name === "any" ? xs.some(Boolean) : xs.every(Boolean));
    return [
      {
        name,
        in: named({ opencl: name }),
        on: isSigned,
        operands: ["T"],
        results: ["k"],
        whole: ([a], t) => [[BigInt(of(a!.map((x) => x < 0n && t.signed)))]],
      },
      {
        name,
        in: { hlsl: ([a]) => `r0 = (int)${name}(${a!});` },
        operands: ["T"],
        results: ["k"],
        whole: ([a]) => [[BigInt(of(a!.map((x) => x !== 0n)))]],
      },
    ];
  }),
  {
    name: "x && y",
    in: {
      ...everywhere(([a, b]) => `r0 = ${a!} && ${b!} ? 1 : 0;`, "glsl"),
      glsl: ([a, b]) => `r0 = bool(${a!}) && bool(${b!}) ? 1 : 0;`,
    },
    on: (t) => t.size === 1,
    operands: ["T", "T"],
    results: ["k"],
    each: ([a, b]) => [BigInt(a !== 0n && b !== 0n)],
  },
  {
    name: "!x",
    in: { ...everywhere(([a]) => `r0 = !${a!} ? 1 : 0;`, "glsl"), glsl: ([a]) => `r0 = !bool(${a!}) ? 1 : 0;` },
    on: (t) => t.size === 1,
    operands: ["T"],
    results: ["k"],
    each: ([a]) => [BigInt(a === 0n)],
  },
];

export const widths: Readonly<Record<TwoWayDialect, readonly number[]>> = {
  msl: [8, 16, 32, 64],
  glsl: [8, 16, 32, 64],
  opencl: [8, 16, 32, 64],
  hlsl: [16, 32, 64],
};

/** A type as the dialect names it. */
export function typeName(d: TwoWayDialect, t: IntegerType): string {
  const n = t.size === 1 ? "" : String(t.size);
  const u = t.signed ? "" : "u";
  switch (d) {
    case "msl":
    case "opencl":
      return `${u}${{ 8: "char", 16: "short", 32: "int", 64: "long" }[t.bits]!}${n}`;
    case "glsl":
      if (t.bits === 32) return t.size === 1 ? `${u}int` : `${u === "" ? "i" : u}vec${n}`;
      return t.size === 1 ? `${u}int${String(t.bits)}_t` : `${u === "" ? "i" : u}${String(t.bits)}vec${n}`;
    case "hlsl":
      return t.bits === 32 ? `${u}int${n}` : `${u}int${String(t.bits)}_t${n}`;
  }
}

/** `T` converted to another type of as many components. */
function conversions(to: Omit<IntegerType, "size">): IntegerRow[] {
  const name = `${to.signed ? "" : "u"}int${String(to.bits)}`;
  const row = (size: number): IntegerRow[] => {
    const type: IntegerType = { ...to, size };
    const here = (t: IntegerType, d: TwoWayDialect): boolean => t.size === size && widths[d].includes(to.bits);
    const each: Meaning = ([a]) => [wrapped(type, a!)];
    return [
      {
        name,
        on: here,
        operands: ["T"],
        results: [type],
        each,
        in: {
          msl: ([a]) => `r0 = ${typeName("msl", type)}(${a!});`,
          glsl: ([a]) => `r0 = ${typeName("glsl", type)}(${a!});`,
          hlsl: ([a]) => `r0 = (${typeName("hlsl", type)})${a!};`,
          opencl: ([a]) =>
            `r0 = ${size === 1 ? `(${typeName("opencl", type)})` : `convert_${typeName("opencl", type)}`}(${a!});`,
        },
      },
      {
        name: `${name} sat`,
        on: here,
        operands: ["T"],
        results: [type],
        each: ([a]) => [clamped(type, a!)],
        in: { opencl: ([a]) => `r0 = convert_${typeName("opencl", type)}_sat(${a!});` },
      },
      ...(size === 1
        ? [
            {
              name: `implicit ${name}`,
              on: here,
              operands: ["T"] as const,
              results: [type],
              each,
              in: everywhere(([a]) => `r0 = ${a!};`, "glsl"),
            },
          ]
        : []),
    ];
  };
  return [1, 2, 3, 4].flatMap(row);
}
const everyConversion = [8, 16, 32, 64].flatMap((bits) =>
  [true, false].flatMap((signed) => conversions({ bits, signed })),
);

export const integerRows: readonly IntegerRow[] = [
  ...operators,
  ...comparisons,
  ...magnitudes,
  ...sums,
  ...bits,
  ...choices,
  ...everyConversion,
];

export const operandNames = (row: IntegerRow): readonly string[] => row.operands.map((_, i) => letters[i]!);
