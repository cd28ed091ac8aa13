/**
 * What builtins compute, by the specifications and by hand, in the dialect that has them and in every translation: the
 * table's expansions and lowerings run on edge values.
 */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import { translate } from "../../src/api/translate.js";
import { sourceDialects, type SourceDialect } from "../../src/dialects/ids.js";

type Kind = "f32" | "i32" | "u32";
interface Meaning {
  readonly dialect: SourceDialect;
  /** Over a, b, c of the operand kinds. */
  readonly expression: string;
  readonly operands: readonly Kind[];
  readonly result: Kind;
  /** Operands and the result; floats are rounded to f32. */
  readonly cases: readonly (readonly number[])[];
  /** Units in the last place a translation (and, for transcendental functions, the source) may be off. */
  readonly ulp?: number;
  /** Targets that do not take part, with the reason. */
  readonly without?: Partial<Record<SourceDialect, string>>;
}

const { NaN: nan } = Number;
const inf = Infinity;
const min = -2147483648;
const max = 2147483647;
const all = 0xffffffff;
const one = (
  dialect: SourceDialect,
  expression: string,
  kinds: string,
  cases: readonly (readonly number[])[],
  more: Partial<Meaning> = {},
): Meaning => {
  const [left, right] = kinds.split(" -> ");
  return { dialect, expression, operands: left!.split(" ") as Kind[], result: right as Kind, cases, ...more };
};

const f = "f32 -> f32";
const ff = "f32 f32 -> f32";

const roundings: readonly Meaning[] = [
  // C99 7.12.9.6 and MSL 6.5: halfway cases away from zero. 0.49999997 + 0.5 rounds to 1 in f32.
  ...(["msl", "opencl"] as const).map((d) =>
    one(d, "round(a)", f, [
      [0.5, 1],
      [1.5, 2],
      [2.5, 3],
      [-0.5, -1],
      [-2.5, -3],
      [0.49999997, 0],
      [-0.3, -0],
      [8388609, 8388609],
      [4194304.5, 4194305],
    ]),
  ),
  // C99 7.12.9.4, GLSL 8.3, HLSL round: to even.
  ...(
    [
      ["msl", "rint(a)"],
      ["glsl", "roundEven(a)"],
      ["opencl", "rint(a)"],
      ["hlsl", "round(a)"],
    ] as const
  ).map(([d, e]) =>
    one(d, e, f, [
      [0.5, 0],
      [1.5, 2],
      [2.5, 2],
      [-0.5, -0],
      [-1.5, -2],
      [3.5, 4],
      [8388609, 8388609],
    ]),
  ),
  one("msl", "trunc(a)", f, [
    [1.9, 1],
    [-1.9, -1],
    [-0.5, -0],
  ]),
  one("hlsl", "frac(a)", f, [
    [1.25, 0.25],
    [-0.25, 0.75],
  ]),
  one("msl", "fract(a)", f, [
    [1.25, 0.25],
    [-0.25, 0.75],
  ]),
];

const remainders: readonly Meaning[] = [
  one("glsl", "mod(a, b)", ff, [
    [-1, 3, 2],
    [5.5, -2, -0.5],
    [5.5, 2, 1.5],
    [-6, 3, 0],
  ]),
  one("msl", "fmod(a, b)", ff, [
    [-1, 3, -1],
    [5.5, -2, 1.5],
    [-5.5, 2, -1.5],
  ]),
  one("hlsl", "fmod(a, b)", ff, [
    [-1, 3, -1],
    [5.5, -2, 1.5],
  ]),
  one("opencl", "remainder(a, b)", ff, [
    [5, 3, -1],
    [7, 2, -1],
    [5, 2, 1],
  ]),
];

const choices: readonly Meaning[] = [
  // IEEE 754 minNum: of a NaN and a number the number.
  ...(
    [
      ["msl", "fmin(a, b)"],
      ["opencl", "fmin(a, b)"],
      ["hlsl", "min(a, b)"],
    ] as const
  ).map(([d, e]) =>
    one(d, e, ff, [
      [nan, 1, 1],
      [1, nan, 1],
      [2, 1, 1],
      [1, 2, 1],
      [-inf, 3, -inf],
    ]),
  ),
  ...(
    [
      ["msl", "fmax(a, b)"],
      ["opencl", "fmax(a, b)"],
      ["hlsl", "max(a, b)"],
    ] as const
  ).map(([d, e]) =>
    one(d, e, ff, [
      [nan, 1, 1],
      [1, nan, 1],
      [2, 1, 2],
      [1, 2, 2],
    ]),
  ),
  one("glsl", "min(a, b)", "i32 i32 -> i32", [
    [min, max, min],
    [-1, 1, -1],
  ]),
  one("glsl", "max(a, b)", "u32 u32 -> u32", [
    [all, 1, all],
    [0, 0, 0],
  ]),
  one("glsl", "clamp(a, 1.0, 3.0)", f, [
    [0, 1],
    [2, 2],
    [9, 3],
  ]),
  one("hlsl", "saturate(a)", f, [
    [nan, 0],
    [-1, 0],
    [2, 1],
    [0.25, 0.25],
    [inf, 1],
  ]),
  one("opencl", "step(a, b)", ff, [
    [1, 1, 1],
    [1, 0.5, 0],
    [1, 2, 1],
  ]),
  one("opencl", "sign(a)", f, [
    [-3, -1],
    [2, 1],
    [0, 0],
  ]),
  one("glsl", "sign(a)", "i32 -> i32", [
    [-3, -1],
    [2, 1],
    [0, 0],
    [min, -1],
  ]),
  one("hlsl", "float(sign(a))", f, [
    [-3, -1],
    [0.5, 1],
    [0, 0],
  ]),
  one("opencl", "copysign(a, b)", ff, [
    [3, -0, -3],
    [-3, 1, 3],
    [2, -5, -2],
  ]),
  one("opencl", "fdim(a, b)", ff, [
    [1, 3, 0],
    [3, 1, 2],
  ]),
  one("glsl", "mix(a, b, 0.25)", ff, [[2, 4, 2.5]]),
  one("hlsl", "lerp(a, b, 0.25)", ff, [[2, 4, 2.5]]),
  one("msl", "select(a, b, a < b)", ff, [
    [1, 2, 2],
    [3, 2, 3],
  ]),
  one("glsl", "mix(a, b, a < b)", ff, [
    [1, 2, 2],
    [3, 2, 3],
  ]),
  one("hlsl", "select(a < b, a, b)", ff, [
    [1, 2, 1],
    [3, 2, 2],
  ]),
  // OpenCL 6.15.6: scalars test nonzero.
  one("opencl", "select(a, b, c)", "i32 i32 i32 -> i32", [
    [1, 2, 0, 1],
    [1, 2, 1, 2],
    [1, 2, -1, 2],
  ]),
  one("opencl", "bitselect(a, b, c)", "u32 u32 u32 -> u32", [
    [0, all, 0xff, 0xff],
    [0x12345678, 0x9abcdef0, 0xffff0000, 0x9abc5678],
  ]),
  one("msl", "max3(a, b, c)", "f32 f32 f32 -> f32", [[1, 3, 2, 3]]),
];

const classes: readonly Meaning[] = [
  ...(["msl", "opencl"] as const).flatMap((d) => [
    one(d, "isnan(a) ? 1 : 0", "f32 -> i32", [
      [nan, 1],
      [inf, 0],
      [1, 0],
    ]),
    one(d, "isinf(a) ? 1 : 0", "f32 -> i32", [
      [nan, 0],
      [-inf, 1],
      [1, 0],
    ]),
    one(d, "isfinite(a) ? 1 : 0", "f32 -> i32", [
      [nan, 0],
      [inf, 0],
      [1, 1],
      [-0, 1],
    ]),
    one(d, "isnormal(a) ? 1 : 0", "f32 -> i32", [
      [nan, 0],
      [inf, 0],
      [0, 0],
      [1e-40, 0],
      [1.1754943508222875e-38, 1],
    ]),
    one(d, "signbit(a) ? 1 : 0", "f32 -> i32", [
      [-0, 1],
      [0, 0],
      [-inf, 1],
    ]),
  ]),
];

const powers: readonly Meaning[] = [
  // C99 F.9.4.4.
  ...(["msl", "opencl"] as const).map((d) =>
    one(
      d,
      "pow(a, b)",
      ff,
      [
        [-2, 3, -8],
        [-2, 2, 4],
        [0, 0, 1],
        [5, 0, 1],
        [1, nan, 1],
        [-2, 0.5, nan],
        [0, 2, 0],
        [2, -1, 0.5],
        [-1, 2, 1],
      ],
      { ulp: 2 },
    ),
  ),
  one(
    "opencl",
    "pown(a, (int)b)",
    ff,
    [
      [-2, 3, -8],
      [2, -2, 0.25],
    ],
    { ulp: 2 },
  ),
  one(
    "glsl",
    "pow(a, b)",
    ff,
    [
      [2, 10, 1024],
      [4, 0.5, 2],
    ],
    { ulp: 2 },
  ),
  one(
    "msl",
    "exp10(a)",
    f,
    [
      [2, 100],
      [-1, 0.1],
      [0, 1],
    ],
    { ulp: 4 },
  ),
  one(
    "hlsl",
    "log10(a)",
    f,
    [
      [1000, 3],
      [1, 0],
    ],
    { ulp: 4 },
  ),
  one(
    "opencl",
    "cbrt(a)",
    f,
    [
      [27, 3],
      [-8, -2],
      [0, 0],
    ],
    { ulp: 4 },
  ),
  one(
    "opencl",
    "hypot(a, b)",
    ff,
    [
      [3, 4, 5],
      [0, 0, 0],
      [3e30, 4e30, 5e30],
      [inf, 1, inf],
    ],
    { ulp: 2 },
  ),
  one(
    "opencl",
    "log1p(a)",
    f,
    [
      [0, 0],
      [1e-10, 1e-10],
      [1.718281828, 1],
    ],
    { ulp: 4 },
  ),
  one(
    "opencl",
    "expm1(a)",
    f,
    [
      [0, 0],
      [1e-10, 1e-10],
      [1, 1.7182818],
    ],
    { ulp: 8 },
  ),
  one(
    "msl",
    "rsqrt(a)",
    f,
    [
      [4, 0.5],
      [0.25, 2],
    ],
    { ulp: 1 },
  ),
  one(
    "opencl",
    "sinpi(a)",
    f,
    [
      [0.5, 1],
      [0, 0],
    ],
    { ulp: 2 },
  ),
  one(
    "msl",
    "asinh(a)",
    f,
    [
      [0, 0],
      [1, 0.8813736],
      [-1, -0.8813736],
    ],
    { ulp: 8 },
  ),
  one(
    "glsl",
    "atan(a, b)",
    ff,
    [
      [1, 1, 0.7853982],
      [-1, -1, -2.3561945],
      [0, 1, 0],
    ],
    { ulp: 1 },
  ),
  one("glsl", "ldexp(a, int(b))", ff, [
    [1.5, 4, 24],
    [1, -3, 0.125],
    // GLSL 4.60 8.3: beyond +128 the value is undefined.
    [0, 128, 0],
    [1, 127, 2 ** 127],
  ]),
  one(
    "hlsl",
    "ldexp(a, b)",
    ff,
    [
      [1.5, 4, 24],
      [8, -3, 1],
    ],
    { ulp: 1 },
  ),
  one("glsl", "degrees(a)", f, [[3.1415927, 180]], { ulp: 1 }),
  one("hlsl", "rcp(a)", f, [[4, 0.25]], { ulp: 1 }),
  one("msl", "fma(a, b, c)", "f32 f32 f32 -> f32", [[3, 4, 5, 17]]),
];

const i = "i32 -> i32";
const u = "u32 -> u32";
const ii = "i32 i32 -> i32";
const uu = "u32 u32 -> u32";

const integers: readonly Meaning[] = [
  ...(["msl", "opencl"] as const).flatMap((d) => [
    one(d, "clz(a)", u, [
      [0, 32],
      [1, 31],
      [0x80000000, 0],
      [all, 0],
    ]),
    one(d, "clz(a)", i, [
      [0, 32],
      [-1, 0],
      [max, 1],
    ]),
    one(d, "ctz(a)", u, [
      [0, 32],
      [8, 3],
      [0x80000000, 31],
    ]),
    one(d, "popcount(a)", u, [
      [0, 0],
      [all, 32],
      [0xf0f0, 8],
    ]),
    one(d, "popcount(a)", i, [
      [-1, 32],
      [min, 1],
    ]),
    one(d, "rotate(a, b)", uu, [
      [0x80000001, 1, 3],
      [0x80000001, 33, 3],
      [5, 0, 5],
      [5, 32, 5],
      [1, 31, 0x80000000],
    ]),
    one(d, "rotate(a, b)", ii, [
      [min + 1, 1, 3],
      [-2, 4, -17],
    ]),
    one(d, "rotate(a, 17u)", u, [
      [1, 1 << 17],
      [0x80000000, 1 << 16],
    ]),
  ]),
  one("glsl", "findMSB(a)", i, [
    [0, -1],
    [-1, -1],
    [-2, 0],
    [1, 0],
    [min, 30],
    [max, 30],
  ]),
  one("glsl", "findMSB(a)", "u32 -> i32", [
    [0, -1],
    [all, 31],
    [1, 0],
  ]),
  one("glsl", "findLSB(a)", i, [
    [0, -1],
    [8, 3],
    [-1, 0],
    [min, 31],
  ]),
  one("glsl", "bitCount(a)", "u32 -> i32", [
    [all, 32],
    [0, 0],
    [5, 2],
  ]),
  one("hlsl", "firstbithigh(a)", u, [
    [0, all],
    [all, 31],
    [1, 0],
  ]),
  one("hlsl", "firstbitlow(a)", u, [
    [0, all],
    [8, 3],
  ]),
  one("hlsl", "countbits(a)", u, [
    [all, 32],
    [0, 0],
  ]),
  one("hlsl", "reversebits(a)", u, [
    [1, 0x80000000],
    [0x12345678, 0x1e6a2c48],
  ]),
  one("glsl", "bitfieldReverse(a)", i, [
    [1, min],
    [-1, -1],
  ]),
  one("glsl", "bitfieldExtract(a, b, c)", "i32 i32 i32 -> i32", [
    [0xabcd, 4, 8, -68],
    [-1, 0, 0, 0],
    [-5, 0, 32, -5],
    [0x40, 6, 1, -1],
  ]),
  one("msl", "extract_bits(a, b, c)", "u32 u32 u32 -> u32", [
    [0xabcd, 4, 8, 0xbc],
    [all, 0, 0, 0],
    [all, 0, 32, all],
    [all, 31, 1, 1],
  ]),
  one("glsl", "bitfieldInsert(a, b, int(c), 8)", "u32 u32 u32 -> u32", [
    [all, 0, 4, 0xfffff00f],
    [0, all, 24, 0xff000000],
  ]),
  one("msl", "insert_bits(a, b, 0u, c)", "u32 u32 u32 -> u32", [
    [0x12345678, all, 32, all],
    [0x12345678, all, 0, 0x12345678],
    [0, 0x1ff, 8, 0xff],
  ]),
  ...(
    [
      ["msl", "mulhi"],
      ["opencl", "mul_hi"],
    ] as const
  ).flatMap(([d, name]) => [
    one(d, `${name}(a, b)`, uu, [
      [all, all, 0xfffffffe],
      [0x10000, 0x10000, 1],
      [0x80000000, 2, 1],
      [0x12345678, 0x9abcdef0, 0x0b00ea4e],
    ]),
    one(d, `${name}(a, b)`, ii, [
      [-1, -1, 0],
      [min, min, 0x40000000],
      [min, 1, -1],
      [0x12345678, -2, -1],
    ]),
  ]),
  one("opencl", "add_sat(a, b)", ii, [
    [max, 1, max],
    [min, -1, min],
    [1, 2, 3],
    [max, min, -1],
  ]),
  one("opencl", "add_sat(a, b)", uu, [
    [all, 1, all],
    [1, 2, 3],
  ]),
  one("opencl", "sub_sat(a, b)", ii, [
    [min, 1, min],
    [max, -1, max],
    [0, min, max],
    [5, 7, -2],
  ]),
  one("opencl", "sub_sat(a, b)", uu, [
    [0, 1, 0],
    [7, 5, 2],
  ]),
  one("opencl", "hadd(a, b)", ii, [
    [-3, 4, 0],
    [max, max, max],
    [min, min, min],
  ]),
  one("opencl", "hadd(a, b)", uu, [
    [all, 1, 0x80000000],
    [3, 4, 3],
  ]),
  one("opencl", "rhadd(a, b)", ii, [
    [-3, 4, 1],
    [max, max, max],
  ]),
  one("opencl", "rhadd(a, b)", uu, [
    [all, all, all],
    [3, 4, 4],
  ]),
  one("opencl", "abs_diff(a, b)", "i32 i32 -> u32", [
    [min, max, all],
    [3, 5, 2],
    [-1, 1, 2],
  ]),
  one("opencl", "abs(a)", "i32 -> u32", [
    [min, 0x80000000],
    [-5, 5],
  ]),
  one("msl", "abs(a)", i, [
    [-5, 5],
    [7, 7],
  ]),
  one("opencl", "mul24(a, b)", ii, [
    [5, 7, 35],
    [-3, 1000, -3000],
  ]),
  one("opencl", "mad24(a, b, c)", "i32 i32 i32 -> i32", [[5, 7, 1, 36]]),
  one("opencl", "mad_hi(a, b, c)", "u32 u32 u32 -> u32", [[all, all, 5, 3]]),
];

const conversions: readonly Meaning[] = [
  one("opencl", "convert_int_sat(a)", "f32 -> i32", [
    [3e9, max],
    [-3e9, min],
    [nan, 0],
    [1.9, 1],
    [-1.9, -1],
    [inf, max],
  ]),
  one("opencl", "convert_uint_sat(a)", "f32 -> u32", [
    [-1, 0],
    [5e9, all],
    [nan, 0],
    [3e9, 3000000000],
  ]),
  one("opencl", "convert_int_rte(a)", "f32 -> i32", [
    [2.5, 2],
    [3.5, 4],
    [-2.5, -2],
  ]),
  one("opencl", "convert_int_rtp(a)", "f32 -> i32", [
    [2.1, 3],
    [-2.9, -2],
  ]),
  one("opencl", "convert_int_rtn(a)", "f32 -> i32", [
    [2.9, 2],
    [-2.1, -3],
  ]),
  one("opencl", "convert_int_sat_rte(a)", "f32 -> i32", [
    [2.5, 2],
    [1e20, max],
  ]),
  one(
    "opencl",
    "(int)convert_uchar_sat(a)",
    "i32 -> i32",
    [
      [300, 255],
      [-5, 0],
      [17, 17],
    ],
    { without: { hlsl: "no 8-bit integers", glsl: "" } },
  ),
  one("opencl", "convert_int_sat(a)", "u32 -> i32", [
    [all, max],
    [5, 5],
  ]),
  one("opencl", "convert_uint_sat(a)", "i32 -> u32", [
    [-1, 0],
    [5, 5],
  ]),
  one("hlsl", "f32tof16(a)", "f32 -> u32", [
    [1, 0x3c00],
    [65504, 0x7bff],
    [65520, 0x7c00],
    [2 ** -24, 1],
    [2 ** -25, 0],
    [1.5 * 2 ** -25, 1],
    [-0, 0x8000],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [inf, 0x7c00],
  ]),
  one("hlsl", "f16tof32(a)", "u32 -> f32", [
    [1, 2 ** -24],
    [0x7c00, inf],
    [0x3555, 0.333251953125],
    [0x8000, -0],
    [0xabcd3c00, 1],
  ]),
  one("glsl", "packHalf2x16(vec2(a, b))", "f32 f32 -> u32", [
    [1, 2, 0x40003c00],
    [-2, 65504, 0x7bffc000],
  ]),
  one("glsl", "unpackHalf2x16(a).y", "u32 -> f32", [[0x40003c00, 2]]),
  one("glsl", "packUnorm4x8(vec4(a, 0.0, 1.0, 2.0))", "f32 -> u32", [
    [0.5, 0xffff0080],
    [-1, 0xffff0000],
  ]),
];

const vectors: readonly Meaning[] = [
  one("glsl", "dot(vec3(a, b, 1.0), vec3(2.0, 3.0, 4.0))", ff, [[1, 2, 12]]),
  one("msl", "cross(float3(a, b, 0.0f), float3(0.0f, 1.0f, 0.0f)).z", ff, [[3, 4, 3]]),
  one("hlsl", "length(float2(a, b))", ff, [[3, 4, 5]]),
  one("opencl", "distance((float2)(a, b), (float2)(0.0f, 0.0f))", ff, [[3, 4, 5]]),
  one("glsl", "reflect(vec2(a, b), vec2(0.0, 1.0)).y", ff, [[1, -1, 1]]),
  one("glsl", "faceforward(a, b, 1.0)", ff, [
    [2, -1, 2],
    [2, 1, -2],
  ]),
  one("glsl", "smoothstep(0.0, 1.0, a)", f, [
    [0.5, 0.5],
    [-1, 0],
    [2, 1],
    [0.25, 0.15625],
  ]),
  one("glsl", "all(lessThan(vec2(a, b), vec2(1.0))) ? 1 : 0", "f32 f32 -> i32", [
    [0, 0, 1],
    [0, 2, 0],
  ]),
  one("opencl", "any((int2)(a, b)) ? 1 : 0", ii, [
    [1, 2, 0],
    [-1, 2, 1],
    [0, min, 1],
  ]),
  one("opencl", "all((int2)(a, b)) ? 1 : 0", ii, [
    [-1, -2, 1],
    [-1, 2, 0],
  ]),
  one("hlsl", "any(int2(a, b)) ? 1 : 0", ii, [
    [1, 2, 1],
    [0, 0, 0],
    [0, -1, 1],
  ]),
  // Vectors of OpenCL's select test the top bit.
  one("opencl", "select((int2)(a, a), (int2)(b, b), (int2)(1, -1)).x", ii, [[7, 8, 7]]),
  one("opencl", "select((int2)(a, a), (int2)(b, b), (int2)(1, -1)).y", ii, [[7, 8, 8]]),
  one("hlsl", "mul(float2(a, b), float2(2.0, 3.0))", ff, [[1, 2, 8]]),
  one("msl", "length_squared(float2(a, b))", ff, [[3, 4, 25]]),
];

const later: readonly Meaning[] = [
  one("msl", "median3(a, b, c)", "f32 f32 f32 -> f32", [
    [1, 3, 2, 2],
    [3, 1, 2, 2],
    [2, 2, 1, 2],
  ]),
  one("msl", "precise::sqrt(a)", f, [[4, 2]]),
  one("opencl", "isequal(a, b)", "f32 f32 -> i32", [
    [1, 1, 1],
    [1, 2, 0],
    [nan, nan, 0],
  ]),
  one("opencl", "isless((float2)(a, b), (float2)(b, a)).x", "f32 f32 -> i32", [
    [1, 2, -1],
    [2, 1, 0],
  ]),
  one("opencl", "isunordered(a, b)", "f32 f32 -> i32", [
    [nan, 1, 1],
    [1, 2, 0],
  ]),
  one("opencl", "islessgreater(a, b)", "f32 f32 -> i32", [
    [1, 1, 0],
    [1, 2, 1],
    [nan, 2, 0],
  ]),
  one("opencl", "native_divide(a, b)", ff, [[1, 4, 0.25]]),
  one("glsl", "packSnorm4x8(vec4(a, -1.0, 0.5, 2.0))", "f32 -> u32", [
    [-1, 0x7f408181],
    [0, 0x7f408100],
  ]),
  one("glsl", "unpackSnorm4x8(a).x", "u32 -> f32", [
    [0x81, -1],
    [0x80, -1],
    [0x7f, 1],
    [0, 0],
  ]),
  one("glsl", "unpackUnorm2x16(a).y", "u32 -> f32", [
    [0xffff0000, 1],
    [0, 0],
  ]),
  one("glsl", "packUnorm2x16(vec2(a, 1.0))", "f32 -> u32", [
    [0, 0xffff0000],
    [1, all],
  ]),
  one("glsl", "packSnorm2x16(vec2(a, -1.0))", "f32 -> u32", [[1, 0x80017fff]]),
];

// Columns of matrices; OpenCL C has none.
const noMatrices = { without: { opencl: "no matrices" } };
const matrices: readonly Meaning[] = [
  one("glsl", "inverse(mat2(a, 0.0, 1.0, b))[1].x", ff, [[2, 4, -0.125]], noMatrices),
  one(
    "glsl",
    "(inverse(mat3(2.0, 0.0, 0.0, 0.0, 4.0, 0.0, a, 0.0, 1.0)) * vec3(a, 0.0, 1.0)).z",
    f,
    [[3, 1]],
    noMatrices,
  ),
  one("glsl", "outerProduct(vec2(a, b), vec3(1.0, 2.0, 3.0))[2].y", ff, [[5, 7, 21]], noMatrices),
  one("glsl", "matrixCompMult(mat2(a, b, a, b), mat2(2.0, 3.0, 4.0, 5.0))[1].y", ff, [[5, 7, 35]], noMatrices),
  one("glsl", "determinant(mat3(a, 0.0, 0.0, 5.0, b, 0.0, 6.0, 7.0, 2.0))", ff, [[2, 3, 12]], noMatrices),
  one("glsl", "transpose(mat2x3(a, b, 1.0, 2.0, 3.0, 4.0))[1].x", ff, [[8, 9, 9]], noMatrices),
  one("hlsl", "determinant(float2x2(a, 2.0, 3.0, b))", ff, [[5, 4, 14]], noMatrices),
];

/** Functions with an out place: a block of statements in place of one expression. */
const outs: readonly Meaning[] = [
  one("msl", "0.0f; float whole; float part = modf(a, whole); r[i] = b > 0.0f ? whole : part", ff, [
    [2.5, 1, 2],
    [2.5, 0, 0.5],
    [-2.5, 1, -2],
    [-2.5, 0, -0.5],
  ]),
  one("glsl", "0.0; int e; float m = frexp(a, e); r[i] = b > 0.0 ? float(e) : m", ff, [
    [8, 1, 4],
    [8, 0, 0.5],
    [-0.75, 1, 0],
    [-0.75, 0, -0.75],
    [0, 1, 0],
    [0, 0, 0],
  ]),
  one("hlsl", "0.0; float e; float m = frexp(a, e); r[i] = b > 0.0 ? e : m", ff, [
    [8, 1, 4],
    [8, 0, 0.5],
    [0.75, 1, 0],
  ]),
  one(
    "opencl",
    "0.0f; float c; float s = sincos(a, &c); r[i] = b > 0.0f ? c : s",
    ff,
    [
      [0, 1, 1],
      [0, 0, 0],
      [1, 1, 0.5403023],
      [1, 0, 0.84147098],
    ],
    { ulp: 1 },
  ),
  one(
    "hlsl",
    "0.0; float s; float c; sincos(a, s, c); r[i] = b > 0.0 ? c : s",
    ff,
    [
      [0, 1, 1],
      [0, 0, 0],
      [1, 1, 0.5403023],
      [1, 0, 0.84147098],
    ],
    { ulp: 1 },
  ),
  one("opencl", "0.0f; float w; float x = fract(a, &w); r[i] = b > 0.0f ? w : x", ff, [
    [1.25, 1, 1],
    [1.25, 0, 0.25],
    [-0.25, 1, -1],
    [-0.25, 0, 0.75],
  ]),
  one("glsl", "0u; uint o; uint s = uaddCarry(a, b, o); r[i] = s * 2u + o", uu, [
    [all, 1, 1],
    [5, 6, 22],
    [all, all, 0xfffffffd],
  ]),
  one("glsl", "0u; uint o; uint s = usubBorrow(a, b, o); r[i] = s * 2u + o", uu, [
    [0, 1, all],
    [7, 5, 4],
  ]),
  one("glsl", "0u; uint h; uint l; umulExtended(a, b, h, l); r[i] = h ^ l", uu, [
    [all, all, 0xffffffff],
    [0x10000, 0x10000, 1],
  ]),
  one("opencl", "0.0f; float4 v = vload4(0, pa) + (float4)(b); r[i] = v.x + v.y + v.z + v.w", ff, [
    [1, 0, 10],
    [2, 1, 14],
    [3, 2, 18],
    [4, 3, 22],
  ]),
  one(
    "opencl",
    "0.0f; float v[6]; vstore3((float3)(a, b, 1.0f), 1, v); r[i] = v[3] * 100.0f + v[4] * 10.0f + v[5]",
    ff,
    [[2, 3, 231]],
  ),
];

// f32 to f16 with each rounding mode, through a half in private memory; data.md section 3.
const tiny = 2 ** -24;

const halves: readonly Meaning[] = [
  ...(
    [
      ["", [2049, 2048], [2051, 2052], [65520, inf], [-65519, -65504], [tiny / 2, 0], [tiny * 0.75, tiny], [1e-30, 0]],
      ["_rtz", [2049, 2048], [2051, 2050], [65520, 65504], [-1e30, -65504], [tiny * 0.75, 0], [-tiny * 1.5, -tiny]],
      ["_rtp", [2049, 2050], [-2049, -2048], [65505, inf], [-1e30, -65504], [1e-30, tiny], [-1e-30, -0]],
      ["_rtn", [2049, 2048], [-2049, -2050], [1e30, 65504], [-65505, -inf], [1e-30, 0], [-1e-30, -tiny]],
    ] as [string, ...number[][]][]
  ).map(([mode, ...cases]) =>
    one("opencl", `0.0f; half h[2]; vstore_half${mode}(a, 1, h); r[i] = vload_half(1, h)`, f, cases),
  ),
  // A conversion to half rounds to nearest even in MSL.
  one("msl", "float(half(a))", f, [
    [2049, 2048],
    [2051, 2052],
    [65520, inf],
    [-65519, -65504],
    [tiny / 2, 0],
    [tiny * 0.75, tiny],
    [0.1, 0.0999755859375],
  ]),
  one("msl", "float(half2(float2(b, a)).y)", ff, [[2051, 1, 2052]]),
  one(
    "opencl",
    "0.0f; half h[8]; vstorea_half3((float3)(a, 2.0f, 3.0f), 1, h); r[i] = vload_half(4, h) + vload_half(6, h)",
    f,
    [[1, 4]],
  ),
  one(
    "opencl",
    "0.0f; half h[8]; vstore_half2((float2)(a, 2.0f), 1, h); r[i] = vload_half2(1, h).x + vload_half(3, h)",
    f,
    [[1, 3]],
  ),
];

// ------------------------------------------------------------------ running

const typeNames: Record<SourceDialect, Record<Kind, string>> = {
  msl: { f32: "float", i32: "int", u32: "uint" },
  glsl: { f32: "float", i32: "int", u32: "uint" },
  opencl: { f32: "float", i32: "int", u32: "uint" },
  hlsl: { f32: "float", i32: "int", u32: "uint" },
};

function kernel(m: Meaning): string {
  const { dialect } = m;
  const names = ["a", "b", "c"].slice(0, m.operands.length);
  const t = typeNames[dialect];
  const result = t[m.result];
  const loads = names.map((n, k) => `${t[m.operands[k]!]} ${n} = p${n}[i];`).join(" ");
  switch (dialect) {
    case "msl":
      return `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(${names.map((n, k) => `device const ${t[m.operands[k]!]} *p${n} [[buffer(${k})]], `).join("")}device ${result} *r [[buffer(${names.length})]], uint i [[thread_position_in_grid]]) { ${loads} r[i] = ${m.expression}; }\n`;
    case "glsl":
      return `#version 450\nlayout(local_size_x = 1) in;\n${names.map((n, k) => `layout(std430, set = 0, binding = ${k}) readonly buffer B${n} { ${t[m.operands[k]!]} p${n}[]; };`).join("\n")}\nlayout(std430, set = 0, binding = ${names.length}) buffer R { ${result} r[]; };\nvoid main() { uint i = gl_GlobalInvocationID.x; ${loads} r[i] = ${m.expression}; }\n`;
    case "opencl":
      return `__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(${names.map((n, k) => `__global const ${t[m.operands[k]!]} *p${n}, `).join("")}__global ${result} *r) { uint i = get_global_id(0); ${loads} r[i] = ${m.expression}; }\n`;
    case "hlsl":
      return `${names.map((n, k) => `StructuredBuffer<${t[m.operands[k]!]}> p${n} : register(t${k});`).join("\n")}\nRWStructuredBuffer<${result}> r : register(u0);\n[numthreads(1, 1, 1)]\nvoid k(uint3 id : SV_DispatchThreadID) { uint i = id.x; ${loads} r[i] = ${m.expression}; }\n`;
  }
}

const arrays = { f32: Float32Array, i32: Int32Array, u32: Uint32Array } as const;

function argumentsOf(m: Meaning): Record<string, Float32Array | Int32Array | Uint32Array> {
  const out: Record<string, Float32Array | Int32Array | Uint32Array> = {};
  m.operands.forEach((kind, k) => (out[`p${"abc"[k]}`] = arrays[kind].from(m.cases.map((c) => c[k]!))));
  out["r"] = new arrays[m.result](m.cases.length);
  return out;
}

/** The distance in representable floats; 0 for equal bits, and for NaN with NaN. */
function distance(x: number, y: number): number {
  if (Object.is(x, y) || (Number.isNaN(x) && Number.isNaN(y))) return 0;
  const order = (v: number): number => {
    const bits = new Int32Array(Float32Array.of(v).buffer)[0]!;
    return bits < 0 ? min - bits : bits;
  };
  if (Number.isNaN(x) || Number.isNaN(y)) return inf;
  const d = Math.abs(order(x) - order(y));
  return d === 0 ? 0.5 : d;
}

async function outcome(text: string, dialect: SourceDialect, m: Meaning): Promise<string[]> {
  const result = await simulate(text, {
    from: dialect,
    workgroups: [m.cases.length],
    workgroupSize: [1],
    args: argumentsOf(m),
  });
  const got = result.buffers["r"] as Float32Array | undefined;
  if (!got) return [`${dialect}: ${result.diagnostics.map((d) => d.message).join("; ")}\n${text}`];
  const allowed = m.ulp ?? 0;
  return m.cases.flatMap((c, k) => {
    const wanted = m.result === "f32" ? Math.fround(c.at(-1)!) : c.at(-1)!;
    const off = m.result === "f32" ? distance(got[k]!, wanted) : got[k] === wanted ? 0 : inf;
    // A zero's sign matters only where no tolerance is given.
    return off <= Math.max(allowed, allowed > 0 ? 0.5 : 0)
      ? []
      : [`${dialect}: ${m.expression} of ${c.slice(0, -1).join(", ")} is ${got[k]}, not ${wanted}`];
  });
}

const groups: Record<string, readonly Meaning[]> = {
  roundings,
  remainders,
  choices,
  classes,
  powers,
  integers,
  conversions,
  vectors,
  later,
  matrices,
  outs,
  halves,
};

describe.each(Object.entries(groups))("%s", (_, list) => {
  test.each(list.map((m) => [`${m.dialect}: ${m.expression} on ${m.operands.join(" ")}`, m] as const))(
    "%s",
    async (_name, m) => {
      const source = kernel(m);
      const wrong = await outcome(source, m.dialect, m);
      for (const to of sourceDialects) {
        if (to === m.dialect || m.without?.[to] !== undefined) continue;
        const translated = await translate(source, { from: m.dialect, to, workgroupSize: [1, 1, 1] });
        if (translated.code === undefined)
          wrong.push(`to ${to}: ${translated.diagnostics.map((d) => d.message).join("; ")}`);
        else wrong.push(...(await outcome(translated.code, to, m)).map((w) => `${w}\n${translated.code}`));
      }
      expect(wrong).toEqual([]);
    },
  );
});
