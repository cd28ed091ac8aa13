/** Functions of integers, conversions, vectors, matrices, and results by reference. */
import { all, f, ff, inf, max, type Meaning, min, nan, one } from "./meaning.js";

export const i = "i32 -> i32";
export const u = "u32 -> u32";
export const ii = "i32 i32 -> i32";
export const uu = "u32 u32 -> u32";

export const integers: readonly Meaning[] = [
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

export const conversions: readonly Meaning[] = [
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

export const vectors: readonly Meaning[] = [
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

export const later: readonly Meaning[] = [
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

// Columns of matrices.
export const matrices: readonly Meaning[] = [
  one("glsl", "inverse(mat2(a, 0.0, 1.0, b))[1].x", ff, [[2, 4, -0.125]]),
  one("glsl", "(inverse(mat3(2.0, 0.0, 0.0, 0.0, 4.0, 0.0, a, 0.0, 1.0)) * vec3(a, 0.0, 1.0)).z", f, [[3, 1]]),
  one("glsl", "outerProduct(vec2(a, b), vec3(1.0, 2.0, 3.0))[2].y", ff, [[5, 7, 21]]),
  one("glsl", "matrixCompMult(mat2(a, b, a, b), mat2(2.0, 3.0, 4.0, 5.0))[1].y", ff, [[5, 7, 35]]),
  one("glsl", "determinant(mat3(a, 0.0, 0.0, 5.0, b, 0.0, 6.0, 7.0, 2.0))", ff, [[2, 3, 12]]),
  one("glsl", "transpose(mat2x3(a, b, 1.0, 2.0, 3.0, 4.0))[1].x", ff, [[8, 9, 9]]),
  one("hlsl", "determinant(float2x2(a, 2.0, 3.0, b))", ff, [[5, 4, 14]]),
];

/** Functions with an out place: a block of statements in place of one expression. */
export const outs: readonly Meaning[] = [
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
export const tiny = 2 ** -24;

export const halves: readonly Meaning[] = [
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
