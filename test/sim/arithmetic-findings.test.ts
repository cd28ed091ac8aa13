/**
 * What each dialect leaves open of arithmetic, a cell for each: a run with such operands has a finding, its twin none; and
 * where the dialect has a result, there is that result and no finding.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";

const least = -2147483648;
const greatest = 2147483647;

type Cell = "finding" | number;
interface Kind {
  readonly what: string;
  /** Over `a` and `b`, ints, `u` and `v`, the same as uints, and `x`, `a / 2` as a float; by dialect where they differ. */
  readonly expression: string | Partial<Record<TwoWayDialect, string>>;
  readonly operands: readonly [number, number];
  readonly cells: Partial<Record<TwoWayDialect, Cell>>;
  /** Operands of the twin, and its result in all; none where the text leaves nothing open but what is open. */
  readonly twin?: readonly [number, number, number];
}

const everywhere = (cell: Cell): Record<TwoWayDialect, Cell> => ({ msl: cell, glsl: cell, opencl: cell, hlsl: cell });
const cast = (type: string, e: string): Partial<Record<TwoWayDialect, string>> => ({
  msl: `${type}(${e})`,
  glsl: `${type}(${e})`,
  opencl: `(${type})(${e})`,
  hlsl: `(${type})(${e})`,
});

const kinds: readonly Kind[] = [
  // C99 6.5 (5), C++14 5 (4); GLSL 4.60 4.1.3 and D3D11.3 keep the low bits.
  {
    what: "a signed sum",
    expression: "a + b",
    operands: [greatest, 1],
    cells: { msl: "finding", opencl: "finding", glsl: least, hlsl: least },
    twin: [greatest - 1, 1, greatest],
  },
  {
    what: "a signed difference",
    expression: "a - b",
    operands: [least, 1],
    cells: { msl: "finding", opencl: "finding", glsl: greatest, hlsl: greatest },
    twin: [least + 1, 1, least],
  },
  {
    what: "a signed product",
    expression: "a * b",
    operands: [65536, 65536],
    cells: { msl: "finding", opencl: "finding", glsl: 0, hlsl: 0 },
    twin: [32768, -65536, least],
  },
  {
    what: "a negation",
    expression: "-a",
    operands: [least, 0],
    cells: { msl: "finding", opencl: "finding", glsl: least, hlsl: least },
    twin: [greatest, 0, -greatest],
  },
  {
    what: "an unsigned sum",
    expression: cast("int", "u + v"),
    operands: [-1, 2],
    cells: everywhere(1),
    twin: [1, 2, 3],
  },
  // C99 6.5.5 (5), C++14 5.6 (4), GLSL 4.60 5.9, LLVM sdiv and srem as DXIL has them.
  {
    what: "a signed quotient by zero",
    expression: "a / b",
    operands: [7, 0],
    cells: everywhere("finding"),
    twin: [-7, 2, -3],
  },
  {
    what: "a signed remainder by zero",
    expression: "a % b",
    operands: [7, 0],
    cells: everywhere("finding"),
    twin: [7, 2, 1],
  },
  // D3D11.3 22.13.14 (udiv): all ones.
  {
    what: "an unsigned quotient by zero",
    expression: cast("int", "u / v"),
    operands: [7, 0],
    cells: { ...everywhere("finding"), hlsl: -1 },
    twin: [7, 2, 3],
  },
  {
    what: "an unsigned remainder by zero",
    expression: cast("int", "u % v"),
    operands: [7, 0],
    cells: { ...everywhere("finding"), hlsl: -1 },
    twin: [7, 2, 1],
  },
  // The quotient does not fit: C99 6.5.5 (6), SPIR-V OpSDiv and OpSRem, LLVM sdiv.
  {
    what: "the least number by -1",
    expression: "a / b",
    operands: [least, -1],
    cells: everywhere("finding"),
    twin: [least, 1, least],
  },
  {
    what: "the remainder of the least number by -1",
    expression: { msl: "a % b", opencl: "a % b", hlsl: "a % b" },
    operands: [least, -1],
    cells: { msl: "finding", opencl: "finding", hlsl: "finding" },
    twin: [greatest, 4, 3],
  },
  // GLSL 4.60 5.9: undefined where an operand is negative. C99 6.5.5 (6): toward zero; DXC: srem.
  {
    what: "a remainder of a negative number",
    expression: "a % b",
    operands: [-7, 3],
    cells: { ...everywhere(-1), glsl: "finding" },
    twin: [7, 3, 1],
  },
  {
    what: "a remainder by a negative number",
    expression: "a % b",
    operands: [7, -3],
    cells: { ...everywhere(1), glsl: "finding" },
    twin: [7, 3, 1],
  },
  // OpenCL C 6.3 (j) and DXC (`and 31`) take counts modulo the width; C++14 5.8 (1), GLSL 4.60 5.9 leave them open.
  {
    what: "a count at the width",
    expression: "a << b",
    operands: [5, 32],
    cells: { msl: "finding", glsl: "finding", opencl: 5, hlsl: 5 },
    twin: [5, 3, 40],
  },
  {
    what: "a count beyond the width",
    expression: "a >> b",
    operands: [80, 35],
    cells: { msl: "finding", glsl: "finding", opencl: 10, hlsl: 10 },
    twin: [80, 3, 10],
  },
  {
    what: "a negative count",
    expression: "a >> b",
    operands: [-2, -1],
    cells: { msl: "finding", glsl: "finding", opencl: -1, hlsl: -1 },
    twin: [-2, 1, -1],
  },
  // C++14 5.8 (2); the others move the bits.
  {
    what: "a negative number to the left",
    expression: "a << b",
    operands: [-1, 4],
    cells: { ...everywhere(-16), msl: "finding" },
    twin: [1, 4, 16],
  },
  {
    what: "a bit into the sign",
    expression: "a << b",
    operands: [1, 31],
    cells: everywhere(least),
    twin: [1, 30, 1073741824],
  },
  // Implementation-defined in C99 6.3.1.3 (3) and C++14 4.7 (3), and modulo the width with every compiler there is.
  {
    what: "an unsigned number beyond int",
    expression: cast("int", "u"),
    operands: [least, 0],
    cells: everywhere(least),
    twin: [5, 0, 5],
  },
  {
    what: "a constant beyond int",
    expression: cast("int", "0x80000000u"),
    operands: [0, 0],
    cells: everywhere(least),
    twin: [1, 1, least],
  },
  {
    what: "a plain constant beyond int",
    expression: { opencl: "(int)0x80000000", msl: "int(0x80000000)", hlsl: "(int)0x80000000", glsl: "0x80000000" },
    operands: [0, 0],
    cells: everywhere(least),
    twin: [1, 1, least],
  },
  {
    what: "a narrower integer",
    expression: { opencl: "(char)a", msl: "char(a)" },
    operands: [300, 0],
    cells: { opencl: 44, msl: 44 },
    twin: [-5, 0, -5],
  },
  // C99 6.3.1.4 (1), C++14 4.9 (1), GLSL 4.60 5.4.1, LLVM fptosi.
  {
    what: "a float beyond int",
    expression: cast("int", "x * 1e9"),
    operands: [6, 0],
    cells: everywhere("finding"),
    twin: [4, 0, 2000000000],
  },
  {
    what: "a negative float beyond uint",
    expression: { msl: "int(uint(x))", glsl: "int(uint(x))", opencl: "(int)(uint)(x)", hlsl: "(int)(uint)(x)" },
    operands: [-6, 0],
    cells: everywhere("finding"),
    twin: [6, 0, 3],
  },
  // GLSL 4.60 8.8, MSL 3.1 6.4: the field lies in the number.
  {
    what: "a field that ends beyond the number",
    expression: { glsl: "bitfieldExtract(a, b, 8)", msl: "extract_bits(a, v, 8u)" },
    operands: [-1, 25],
    cells: { glsl: "finding", msl: "finding" },
    twin: [-1, 24, -1],
  },
  {
    what: "a field put in beyond the number",
    expression: { glsl: "bitfieldInsert(a, 255, b, 8)", msl: "insert_bits(a, 255, v, 8u)" },
    operands: [0, 30],
    cells: { glsl: "finding", msl: "finding" },
    twin: [0, 4, 4080],
  },
  {
    what: "a field before the number",
    expression: { glsl: "bitfieldExtract(a, b, 3)" },
    operands: [6, -1],
    cells: { glsl: "finding" },
    twin: [6, 1, 3],
  },
  {
    what: "no bits at the end of the number",
    expression: { glsl: "bitfieldExtract(a, b, 0)", msl: "extract_bits(a, v, 0u)" },
    operands: [-1, 32],
    cells: { glsl: 0, msl: 0 },
    twin: [-1, 0, 0],
  },
  // OpenCL C 6.15.3 gives an unsigned number; GLSL.std.450 SAbs and DXC (IMax(x, -x)) the bits.
  {
    what: "the magnitude of the least number",
    expression: { opencl: "(int)abs(a)", glsl: "abs(a)", hlsl: "abs(a)" },
    operands: [least, 0],
    cells: { opencl: least, glsl: least, hlsl: least },
    twin: [-5, 0, 5],
  },
  // MSL 3.1 6.4: |x|, which is no int; C++14 26.8 (c.math) leaves it open.
  {
    what: "the magnitude of the least int of MSL",
    expression: "abs(a)",
    operands: [least, 0],
    cells: { msl: "finding" },
    twin: [least + 1, 0, greatest],
  },
  {
    what: "the magnitude of the least short, long and component",
    expression: { msl: "int(abs(short(a)) + abs(long(a)) + abs(int2(b, -a)).y) / 3" },
    operands: [-32768, 0],
    cells: { msl: "finding" },
    twin: [-32767, 0, 32767],
  },
  // GLSL 4.60 8.3, OpenCL C 3.0 6.15.3, MSL 3.1 6.4; DXC makes IMax and IMin of it.
  {
    what: "bounds the wrong way round",
    expression: "clamp(5, a, b)",
    operands: [9, 3],
    cells: { ...everywhere("finding"), hlsl: 3 },
    twin: [3, 9, 5],
  },
  {
    what: "unsigned bounds the wrong way round",
    expression: cast("int", "clamp(5u, u, v)"),
    operands: [-1, 3],
    cells: { ...everywhere("finding"), hlsl: 3 },
    twin: [3, -1, 5],
  },
  {
    what: "bounds of one component the wrong way round",
    expression: {
      msl: "clamp(int2(5), int2(1, a), int2(9, b)).y",
      glsl: "clamp(ivec2(5), ivec2(1, a), ivec2(9, b)).y",
      opencl: "clamp((int2)(5), (int2)(1, a), (int2)(9, b)).y",
      hlsl: "clamp(int2(5, 5), int2(1, a), int2(9, b)).y",
    },
    operands: [9, 3],
    cells: { ...everywhere("finding"), hlsl: 3 },
    twin: [3, 9, 5],
  },
  // GLSL 4.60 8.3, OpenCL C 3.0 6.15.4, MSL 3.1 6.3; DXC makes FMax and FMin of it.
  {
    what: "float bounds the wrong way round",
    expression: {
      msl: "int(clamp(2.5f, x, float(b)))",
      glsl: "int(clamp(2.5, x, float(b)))",
      opencl: "(int)clamp(2.5f, x, (float)b)",
      hlsl: "(int)clamp(2.5f, x, (float)b)",
    },
    operands: [10, 3],
    cells: { ...everywhere("finding"), hlsl: 3 },
    twin: [2, 3, 2],
  },
  {
    what: "constant bounds the wrong way round",
    expression: "clamp(a, 7, 4)",
    operands: [5, 0],
    cells: { ...everywhere("finding"), hlsl: 4 },
  },
  // OpenCL C 3.0 6.15.3 and MSL 3.1 6.4: implementation-defined outside of 24 bits.
  {
    what: "a product of more than 24 bits",
    expression: { msl: "mul24(a, b)", opencl: "mul24(a, b)" },
    operands: [8388608, 1],
    cells: { msl: "finding", opencl: "finding" },
    twin: [-8388608, 2, -16777216],
  },
  {
    what: "a product by more than 24 bits",
    expression: { msl: "mul24(a, b)", opencl: "mul24(a, b)" },
    operands: [1, -8388609],
    cells: { msl: "finding", opencl: "finding" },
    twin: [2, 8388607, 16777214],
  },
  {
    what: "an unsigned product of more than 24 bits",
    expression: cast("int", "mul24(u, v)"),
    operands: [16777216, 1],
    cells: { msl: "finding", opencl: "finding" },
    twin: [16777215, 2, 33554430],
  },
  {
    what: "a product and sum of more than 24 bits",
    expression: { msl: "mad24(a, b, 5)", opencl: "mad24(a, b, 5)" },
    operands: [3, 1 << 30],
    cells: { msl: "finding", opencl: "finding" },
    twin: [3, -7, -16],
  },
  {
    what: "a sum of more than 24 bits",
    expression: { msl: "mad24(3, 4, a)", opencl: "mad24(3, 4, a)" },
    operands: [1 << 30, 0],
    cells: { msl: (1 << 30) + 12, opencl: (1 << 30) + 12 },
    twin: [3, -7, 15],
  },
  {
    what: "leading zeros of zero",
    expression: { msl: "clz(a)", opencl: "clz(a)", glsl: "31 - findMSB(a)", hlsl: "31 - (int)firstbithigh(a)" },
    operands: [0, 0],
    cells: everywhere(32),
    twin: [1, 0, 31],
  },
];

/** `test` over `x`, the float of `a`, and `y`, that of `b`; where GLSL names the function otherwise, its text. */
const truth = (
  test: string,
  glsl = test,
  only: readonly TwoWayDialect[] = ["msl", "glsl", "opencl", "hlsl"],
): Partial<Record<TwoWayDialect, string>> => {
  const y: Readonly<Record<TwoWayDialect, string>> = {
    msl: "float(b)",
    glsl: "float(b)",
    opencl: "(float)b",
    hlsl: "(float)b",
  };
  return Object.fromEntries(only.map((d) => [d, `(${(d === "glsl" ? glsl : test).replaceAll("$y", y[d])}) ? 1 : 0`]));
};
const vectors = (call: (v: string) => string): Partial<Record<TwoWayDialect, string>> => ({
  msl: call("float2("),
  glsl: call("vec2("),
  opencl: call("(float2)("),
  hlsl: call("float2("),
});

/** Functions of floats: C99 F.9, OpenCL C 3.0 7.5.1, MSL 3.1 6, GLSL 4.60 8, the HLSL reference and Direct3D 11.3 22.10. */
const functions: readonly Kind[] = [
  {
    what: "the root of a negative number",
    expression: truth("isnan(sqrt(x))"),
    operands: [-2, 0],
    cells: { ...everywhere(1), glsl: "finding" },
    twin: [4, 0, 0],
  },
  {
    what: "the inverse root of zero",
    expression: truth("isinf(rsqrt(x))", "isinf(inversesqrt(x))"),
    operands: [0, 0],
    cells: { ...everywhere(1), glsl: "finding" },
    twin: [4, 0, 0],
  },
  {
    what: "the logarithm of zero",
    expression: truth("isinf(log(x))"),
    operands: [0, 0],
    cells: { ...everywhere(1), glsl: "finding" },
    twin: [4, 0, 0],
  },
  {
    what: "the logarithm of a negative number",
    expression: truth("isnan(log2(x))"),
    operands: [-2, 0],
    cells: { ...everywhere(1), glsl: "finding" },
    twin: [4, 0, 0],
  },
  {
    what: "the arc sine beyond 1",
    expression: truth("isnan(asin(x))"),
    operands: [4, 0],
    cells: { msl: 1, opencl: 1, glsl: "finding", hlsl: "finding" },
    twin: [2, 0, 0],
  },
  {
    what: "the arc cosine below -1",
    expression: truth("isnan(acos(x))"),
    operands: [-4, 0],
    cells: { msl: 1, opencl: 1, glsl: "finding", hlsl: "finding" },
    twin: [-2, 0, 0],
  },
  {
    what: "the inverse hyperbolic cosine below 1",
    expression: truth("isnan(acosh(x))", undefined, ["msl", "glsl", "opencl"]),
    operands: [1, 0],
    cells: { msl: 1, opencl: 1, glsl: "finding" },
    twin: [2, 0, 0],
  },
  {
    what: "the inverse hyperbolic tangent of 1",
    expression: truth("isinf(atanh(x))", undefined, ["msl", "glsl", "opencl"]),
    operands: [2, 0],
    cells: { msl: 1, opencl: 1, glsl: "finding" },
    twin: [1, 0, 0],
  },
  {
    what: "a power of a negative number",
    expression: truth("pow(x, $y) == 1.0f"),
    operands: [-2, 2],
    // A product where DXC knows the 2, and no number where it does not (test/oracles/hlsl-powers.test.ts).
    cells: { msl: 1, opencl: 1, glsl: "finding", hlsl: "finding" },
    twin: [2, 2, 1],
  },
  {
    what: "an odd power of a negative number",
    expression: truth("pow(x, $y) == -1.0f"),
    operands: [-2, 3],
    cells: { msl: 1, opencl: 1, glsl: "finding", hlsl: 0 },
    twin: [2, 3, 0],
  },
  {
    what: "zero to the zero",
    expression: truth("pow(x, $y) == 1.0f"),
    operands: [0, 0],
    cells: { msl: 1, opencl: 1, glsl: "finding", hlsl: "finding" },
    twin: [2, 0, 1],
  },
  {
    what: "a power by logarithms of a negative number",
    expression: truth("powr(x, $y) == 1.0f", undefined, ["msl", "opencl"]),
    operands: [-2, 2],
    cells: { msl: "finding", opencl: 0 },
    twin: [2, 2, 1],
  },
  {
    what: "the angle of the origin",
    expression: truth("atan2(x, $y) == 0.0f", "atan(x, $y) == 0.0"),
    operands: [0, 0],
    cells: { msl: 1, opencl: 1, glsl: "finding", hlsl: "finding" },
    twin: [0, 1, 1],
  },
  {
    what: "a step between edges that are not in order",
    expression: truth("smoothstep(x, $y, 0.5f) == 0.5f"),
    operands: [2, 0],
    cells: { ...everywhere("finding"), hlsl: 1 },
    twin: [0, 1, 1],
  },
  {
    what: "a step between equal edges",
    expression: truth("smoothstep(x, $y, 0.5f) == 0.0f"),
    operands: [2, 1],
    cells: { ...everywhere("finding"), hlsl: 1 },
    twin: [2, 4, 1],
  },
  {
    what: "the direction of a zero vector",
    expression: vectors((v) => `normalize(${v}x, 0.0f)).x > 0.5f ? 1 : 0`),
    operands: [0, 0],
    cells: { ...everywhere("finding"), opencl: 0 },
    twin: [2, 0, 1],
  },
  {
    what: "a power of two beyond the type's",
    expression: { msl: "int(ldexp(x, b))", glsl: "int(ldexp(x, b))", opencl: "(int)ldexp(x, b)" },
    operands: [0, 129],
    cells: { msl: 0, opencl: 0, glsl: "finding" },
    twin: [2, 3, 8],
  },
  {
    what: "the fraction of an infinity",
    expression: {
      msl: "modf(x / float(b), w) == 0.0f ? 1 : 0",
      glsl: "modf(x / float(b), w) == 0.0 ? 1 : 0",
      opencl: "modf(x / (float)b, &w) == 0.0f ? 1 : 0",
      hlsl: "modf(x / (float)b, w) == 0.0f ? 1 : 0",
    },
    operands: [2, 0],
    cells: { msl: 1, opencl: 1, glsl: "finding", hlsl: "finding" },
    twin: [2, 1, 1],
  },
  // GLSL 4.60 8.6: undefined of a singular matrix.
  {
    what: "the inverse of a singular matrix",
    expression: { glsl: "int(inverse(mat2(x, 2.0, 1.0, float(b)))[1][1] * 8.0)" },
    operands: [2, 2],
    cells: { glsl: "finding" },
    twin: [4, 2, 8],
  },
  // MSL 3.1 6.5 says nothing of it; OpenCL C 3.0 6.15.2 has FP_ILOGB0 and FP_ILOGBNAN, which clang's header sets.
  {
    what: "the exponent of zero",
    expression: { msl: "ilogb(x) == 3 ? 1 : 0", opencl: "ilogb(x) == (x == 0.0f ? FP_ILOGB0 : 3) ? 1 : 0" },
    operands: [0, 0],
    cells: { msl: "finding", opencl: 1 },
    twin: [16, 0, 1],
  },
  {
    what: "the exponent of an infinity",
    expression: { msl: "ilogb(x / float(b))", opencl: "ilogb(x / (float)b) == (b == 0 ? FP_ILOGBNAN : 0) ? 0 : 5" },
    operands: [2, 0],
    cells: { msl: "finding", opencl: 0 },
    twin: [2, 1, 0],
  },
  {
    what: "the digits of an infinity",
    expression: {
      msl: "isinf(frexp(x / float(b), e)) ? 1 : 0",
      glsl: "isinf(frexp(x / float(b), e)) ? 1 : 0",
      opencl: "isinf(frexp(x / (float)b, &e)) ? 1 : 0",
      hlsl: "isinf(frexp(x / (float)b, w)) ? 1 : 0",
    },
    operands: [2, 0],
    cells: { msl: 1, opencl: 1, glsl: "finding", hlsl: "finding" },
    twin: [2, 1, 0],
  },
];

const frames: Readonly<Record<TwoWayDialect, (e: string) => string>> = {
  msl: (e) =>
    `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device const int *src [[buffer(0)]], device int *dst [[buffer(1)]]) {\n  int a = src[0], b = src[1];\n  uint u = uint(a), v = uint(b);\n  float x = float(a) * 0.5f, w;\n  int e;\n  dst[0] = ${e};\n}\n`,
  glsl: (e) =>
    `#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) readonly buffer A { int src[]; };\nlayout(std430, binding = 1) buffer B { int dst[]; };\nvoid main() {\n  int a = src[0], b = src[1];\n  uint u = uint(a), v = uint(b);\n  float x = float(a) * 0.5, w;\n  int e;\n  dst[0] = ${e};\n}\n`,
  opencl: (e) =>
    `__kernel void k(__global const int *src, __global int *dst) {\n  int a = src[0], b = src[1];\n  uint u = (uint)a, v = (uint)b;\n  float x = (float)a * 0.5f, w;\n  int e;\n  dst[0] = ${e.replace("1e9", "1e9f")};\n}\n`,
  hlsl: (e) =>
    `StructuredBuffer<int> src : register(t0);\nRWStructuredBuffer<int> dst : register(u1);\n[numthreads(1, 1, 1)]\nvoid k() {\n  int a = src[0], b = src[1];\n  uint u = (uint)a, v = (uint)b;\n  float x = (float)a * 0.5f, w;\n  int e;\n  dst[0] = ${e};\n}\n`,
};

const outcome = (from: TwoWayDialect, expression: string, a: number, b: number): ReturnType<typeof outcomeOf> =>
  outcomeOf(frames[from](expression), from, a, b);

async function outcomeOf(text: string, from: TwoWayDialect, a: number, b: number): Promise<Cell | readonly string[]> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    workgroups: [1],
    workgroupSize: [1],
    findings: "all",
    args: { src: Int32Array.of(a, b), dst: new Int32Array(1) },
  });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  const other = findings.filter((f) => f.kind !== "undefined-arithmetic" && f.kind !== "integer-overflow");
  if (other.length > 0) return other.map((f) => f.message);
  return findings.length > 0 ? "finding" : (buffers["dst"] as Int32Array)[0]!;
}

describe.each(twoWayDialects)("arithmetic in %s", (from) => {
  const mine = [...kinds, ...functions].flatMap((k) => {
    const expression = typeof k.expression === "string" ? k.expression : k.expression[from];
    const cell = k.cells[from];
    return expression === undefined || cell === undefined ? [] : [{ ...k, expression, cell }];
  });
  test.each(mine)("$what: $expression", async ({ expression, operands, cell, twin }) => {
    expect(await outcome(from, expression, ...operands)).toEqual(cell);
    if (twin) expect(await outcome(from, expression, twin[0], twin[1])).toEqual(twin[2]);
  });

  /** What the source defines the translation has, relying on nothing that the target leaves open. */
  const defined = mine.filter((k) => typeof k.cell === "number");
  describe.each(twoWayDialects.filter((d) => d !== from))("translated to %s", (to) => {
    test.each(defined)("$what: $expression", async ({ expression, operands, cell }) => {
      const { code, diagnostics } = await translate(frames[from](expression), { from, to, workgroupSize: [1, 1, 1] });
      expect(code, diagnostics.map((d) => d.message).join("\n")).toBeDefined();
      expect(await outcomeOf(code!, to, ...operands), code).toEqual(cell);
    });
  });
});

/** C99 6.9.1 (12): undefined where the value is used; GLSL 4.60 6.1: an undefined value; C++14 6.6.3 (2). DXC and our judge of MSL refuse most such texts. */
describe.each(["msl", "glsl", "opencl"] as const)("a function that ends without its value in %s", (from) => {
  const head = "int half_of(int n) { if (n > 0) return n / 2; }\n";
  const text = (e: string): string =>
    frames[from](e).replace(/((?:__)?kernel )?void \w+\(/, (kernel) => `${head}${kernel}`);
  const found = async (e: string, a: number): Promise<string[]> => {
    const { findings, diagnostics } = await simulate(text(e), {
      from,
      workgroups: [1],
      workgroupSize: [1],
      findings: "all",
      args: { src: Int32Array.of(a, 0), dst: new Int32Array(1) },
    });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    return findings.map((f) => f.kind);
  };
  test("is found where the value is used, and where it ends so", async () => {
    expect(await found("half_of(a)", -1)).toEqual(["uninitialized-read"]);
    expect(await found("half_of(a)", 8)).toEqual([]);
    expect(await found("1; half_of(a)", -1)).toEqual([]);
  });
});
