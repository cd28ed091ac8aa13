/** Conversions become visible: expectations follow the typing rules of each dialect's specification. */
import { describe, expect, test } from "vitest";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { implicitConversion, usualArithmetic } from "../../src/dialects/conversions.js";
import { f32, i32, scalar, u32, vector } from "../../src/types/types.js";
import { dumped, problemsOf } from "./support.js";

const kernels: Readonly<Record<TwoWayDialect, (body: string, more?: string) => string>> = {
  msl: (body, more = "") =>
    `#include <metal_stdlib>\nusing namespace metal;\n${more}\nkernel void k(device float *f [[buffer(0)]], device int *i [[buffer(1)]], device uint *u [[buffer(2)]], uint g [[thread_position_in_grid]]) {\n${body}\n}`,
  opencl: (body, more = "") =>
    `${more}\n__kernel void k(__global float *f, __global int *i, __global uint *u) {\n  uint g = get_global_id(0);\n${body}\n}`,
  glsl: (body, more = "") =>
    `#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer F { float f[]; };\nlayout(binding = 1) buffer I { int i[]; };\nlayout(binding = 2) buffer U { uint u[]; };\n${more}\nvoid main() {\n  uint g = gl_GlobalInvocationID.x;\n${body}\n}`,
  hlsl: (body, more = "") =>
    `RWStructuredBuffer<float> f;\nRWStructuredBuffer<int> i;\nRWStructuredBuffer<uint> u;\n${more}\n[numthreads(64, 1, 1)]\nvoid main(uint3 t : SV_DispatchThreadID) {\n  uint g = t.x;\n${body}\n}`,
};

/** The statements of the entry, without variable numbers. */
async function body(dialect: TwoWayDialect, text: string, more?: string): Promise<string[]> {
  const dump = await dumped(dialect, kernels[dialect](text, more));
  const lines = dump.slice(dump.indexOf("entry ")).trimEnd().split("\n").slice(1);
  return lines.map((l) => l.replace(/#\d+/g, "").trim()).filter((l) => l !== "}" && !/^(var|let) g:/.test(l));
}
const problems = (dialect: TwoWayDialect, text: string, more?: string): Promise<string[]> =>
  problemsOf(dialect, kernels[dialect](text, more));

describe("integers", () => {
  test("C promotes small integers, GLSL does not have the operation on bool", async () => {
    expect(await body("opencl", "char c = 3; i[0] = c + c;")).toEqual([
      "var c: i8 = 3i8;",
      "i[0i32] = to<i32>(c) + to<i32>(c);",
    ]);
    expect(await body("msl", "ushort s = 3; u[0] = s << 2;")).toEqual([
      "var s: u16 = 3u16;",
      "u[0i32] = to<u32>(to<i32>(s) << 2i32);",
    ]);
    expect(await problems("glsl", "bool b = true; i[0] = b + b;")).toEqual(["XL2004 '+' does not take bool and bool"]);
    expect(await body("hlsl", "bool b = true; i[0] = b + b;")).toEqual([
      "var b: bool = true;",
      "i[0i32] = to<i32>(b) + to<i32>(b);",
    ]);
  });

  test("?: between small integers is an int in C (C99 6.5.15), and not in C++ (C++14 5.16)", async () => {
    const text = "bool c = u[1] > 2u; ushort a = 3, b = 4; u[0] = min(c ? a : b, a);";
    expect((await body("msl", text)).at(-1)).toBe("u[0i32] = to<u32>(math.min<u16>(c ? a : b, a));");
    // As clang-19 has it.
    expect(await problems("opencl", text)).toEqual(["XL2005 the call of min(int, ushort) is ambiguous"]);
    const cast = text.replace("c ? a : b", "(ushort)(c ? a : b)");
    expect((await body("opencl", cast)).at(-1)).toBe(
      "u[0i32] = to<u32>(math.min<u16>(to<u16>(c ? to<i32>(a) : to<i32>(b)), a));",
    );
  });

  test("mixed signs become unsigned", async () => {
    const wanted = ["var b: bool = to<u32>(i[0i32]) < u[0i32];"];
    for (const d of ["msl", "glsl", "hlsl", "opencl"] as const)
      expect(await body(d, "bool b = i[0] < u[0];"), d).toEqual(wanted);
  });

  test("a literal takes the type of its place", async () => {
    for (const d of ["msl", "glsl", "hlsl", "opencl"] as const) {
      expect(await body(d, "uint x = 7; float y = 7; x = x * 2;"), d).toEqual([
        "var x: u32 = 7u32;",
        "var y: f32 = 7f32;",
        "x = x * 2u32;",
      ]);
    }
  });

  test("a negated literal is a conversion where its value changes", async () => {
    expect(await body("opencl", "uint x = -1; int m = -2147483648;")).toEqual([
      "var x: u32 = to<u32>(-(1i32));",
      "var m: i32 = -2147483648i32;",
    ]);
  });

  test("GLSL reads 0xFFFFFFFF as -1, C and HLSL as unsigned", async () => {
    expect(await body("glsl", "int x = 0xFFFFFFFF;")).toEqual(["var x: i32 = -1i32;"]);
    expect(await body("opencl", "uint x = 0xFFFFFFFF;")).toEqual(["var x: u32 = 4294967295u32;"]);
    expect(await body("hlsl", "uint x = 0xFFFFFFFF;")).toEqual(["var x: u32 = 4294967295u32;"]);
  });

  test("compound assignment computes in the common type", async () => {
    expect(await body("opencl", "int x = 5; x *= 2.5f; x += u[0];")).toEqual([
      "var x: i32 = 5i32;",
      "x *= 2.5f32 in f32;",
      "x += u[0i32] in u32;",
    ]);
    expect(await problems("glsl", "int x = 5; x *= 2.5;")).toEqual([
      "XL2003 the result of '*=' is float and does not convert to int",
    ]);
  });
});

describe("comparisons", () => {
  test("OpenCL's are integers, but conditions see the bool", async () => {
    expect(await body("opencl", "int x = i[0] < 3; if (i[0] < 3 && x) u[0] = 1;")).toEqual([
      "var x: i32 = to<i32>(i[0i32] < 3i32);",
      "if ((i[0i32] < 3i32) && to<bool>(x)) {",
      "u[0i32] = 1u32;",
    ]);
  });

  test("OpenCL's vector comparisons are 0 and -1, a selection tests the top bit", async () => {
    expect(
      await body("opencl", "float2 a = (float2)(1.0f, 2.0f); int2 m = a > 1.5f; a = a > 1.5f ? a : 0.0f;"),
    ).toEqual([
      "var a: f32x2 = make<f32x2>(1f32, 2f32);",
      "var m: i32x2 = -to<i32x2>(a > splat<f32x2>(1.5f32));",
      "a = select.componentwise<f32x2>(a > splat<f32x2>(1.5f32), a, splat<f32x2>(0f32));",
    ]);
  });

  test("GLSL compares whole vectors", async () => {
    expect(await body("glsl", "vec2 a = vec2(1.0); bool e = a == a, n = a != a;")).toEqual([
      "var a: f32x2 = splat<f32x2>(1f32);",
      "var e: bool = logic.all<bool>(a == a);",
      "var n: bool = logic.any<bool>(a != a);",
    ]);
  });
});

describe("double literals of OpenCL", () => {
  test("an operation on floats whose result is rounded to float at once is the float operation", async () => {
    expect(
      await body(
        "opencl",
        "float x = f[0]; f[1] = x * 0.5; f[2] = 1.0 / x; x *= 0.25; if (x > 0.0) f[3] = x > 1.0 ? x : 0.1;",
      ),
    ).toEqual([
      "var x: f32 = f[0i32];",
      "f[1i32] = x * 0.5f32;",
      "f[2i32] = 1f32 / x;",
      "x *= 0.25f32;",
      "if (x > 0f32) {",
      "f[3i32] = (x > 1f32) ? x : 0.10000000149011612f32;",
    ]);
  });

  test("anything that rounds twice, or compares with a number no float holds, stays double", async () => {
    const doubles = async (body: string): Promise<number> =>
      (await dumped("opencl", `__kernel void k(__global float *f) { ${body} }`)).split("f64").length - 1;
    expect(await doubles("f[0] = f[1] * 0.5 + f[2];")).toBeGreaterThan(0);
    expect(await doubles("f[0] = f[1] * 0.1;")).toBeGreaterThan(0);
    expect(await doubles("if (f[1] < 0.1) f[0] = 1;")).toBeGreaterThan(0);
    expect(await doubles("f[0] = f[1] * 0.5;")).toBe(0);
  });
});

describe("size_t", () => {
  test("ids are 32-bit where only their low half matters", async () => {
    const dump = await dumped(
      "opencl",
      "__kernel void k(__global float *f, uint n) { size_t i = get_global_id(0); if (i < n) f[i + 1] = f[i * 4]; }",
    );
    expect(dump).toContain("var i: u32 = @global_id.x;");
    expect(dump).toContain("if (i < n) {");
    expect(dump).toContain("f[i + 1u32] = f[i * 4u32];");
  });

  test("what is assumed is listed", async () => {
    const { moduleOf } = await import("./support.js");
    const kinds = async (text: string): Promise<string[]> =>
      ((await moduleOf("opencl", text)).assumptions ?? []).map((a) => a.kind);
    const kernel = (expression: string): string => `__kernel void k(__global float *f, uint n) { ${expression} }`;
    expect(await kinds(kernel("f[get_global_id(0)] = 1;"))).toEqual(["ids-below-2^32"]);
    expect(await kinds(kernel("if (get_global_id(0) < n) f[0] = 1;"))).toEqual(["ids-below-2^32"]);
    expect(await kinds(kernel("if (get_global_id(0) * 4 < n) f[0] = 1;"))).toEqual([
      "ids-below-2^32",
      "size-fits-32-bits",
    ]);
    expect(await kinds(kernel("f[0] = get_global_id(0) / 2;"))).toEqual(["ids-below-2^32"]);
    expect(await kinds(kernel("f[0] = (get_global_id(0) - 1) / 2;"))).toEqual(["ids-below-2^32", "size-fits-32-bits"]);
  });

  test("64-bit integers of the source keep their width", async () => {
    const kernel = (body: string): string => `__kernel void k(__global uint *u, uint n) { ${body} }`;
    expect(await dumped("opencl", kernel("ulong x = n; u[0] = (x * x) >> 32;"))).toContain("var x: u64 =");
    expect(await dumped("opencl", kernel("u[0] = ((ulong)n * 3u) >> 32;"))).toContain("u64");
  });

  test("where a size_t holds a number beyond 32 bits that matters, it is 64-bit", async () => {
    const kernel = (body: string): string => `__kernel void k(__global uint *u, ulong n) { ${body} }`;
    expect(await dumped("opencl", kernel("size_t h = 14695981039346656037UL; h ^= u[1]; u[0] = h >> 32;"))).toContain(
      "var h: u64 =",
    );
    expect(await dumped("opencl", kernel("size_t h = n; if (h > 7) u[0] = 1;"))).toContain("var h: u64 =");
    expect(await dumped("opencl", kernel("size_t h = n; u[0] = h;"))).toContain("var h: u32 =");
  });
});

describe("vectors", () => {
  test("HLSL drops components with a warning, others refuse", async () => {
    expect(await problems("hlsl", "float4 a = 1; float2 b = a;")).toEqual([
      "XL2016 float4 becomes float2 here, the other components are dropped",
    ]);
    expect(await problems("msl", "float4 a = 1; float2 b = a;")).toEqual([
      "XL2003 the initialiser is float4 and does not convert to float2",
    ]);
    expect(await problems("glsl", "vec4 a = vec4(1); vec2 b = a;")).toEqual([
      "XL2003 the initialiser is vec4 and does not convert to vec2",
    ]);
    expect(await problems("glsl", "vec4 a = 1.0;")).toEqual([
      "XL2003 the initialiser is float and does not convert to vec4",
    ]);
  });

  test("MSL and OpenCL do not convert vectors implicitly", async () => {
    expect(await problems("msl", "float2 a = int2(1, 2);")).toEqual([
      "XL2003 the initialiser is int2 and does not convert to float2",
    ]);
    expect(await body("glsl", "vec2 a = ivec2(1, 2);")).toEqual(["var a: f32x2 = to<f32x2>(make<i32x2>(1i32, 2i32));"]);
  });

  test("swizzles of all spellings", async () => {
    expect(await body("opencl", "float4 a = (float4)(0.0f); a.lo = a.hi; a.even = a.s32; a.s0 = a.odd.x;")).toEqual([
      "var a: f32x4 = splat<f32x4>(0f32);",
      "a.xy = a.zw;",
      "a.xz = a.wz;",
      "a.x = a.y;",
    ]);
    expect(await body("glsl", "vec4 a = vec4(0); a.st = a.ba;")).toEqual([
      "var a: f32x4 = splat<f32x4>(0f32);",
      "a.xy = a.zw;",
    ]);
    expect(await problems("glsl", "vec4 a = vec4(0); a.xx = a.xy;")).toEqual([
      "XL2006 a swizzle that names a component twice cannot be written",
    ]);
    expect(await problems("msl", "float2 a = 0; a.z = 1;")).toEqual(["XL2012 'z' names no components of float2"]);
  });

  test("halves of a vector of 3 reach beyond it", async () => {
    // clang: of `hi` the first component is z, of `odd` y; the second is undefined (OpenCL C 3.0 6.4.2).
    expect(
      await body(
        "opencl",
        "float3 a = (float3)(0.0f); float b = a.hi.x + (a + a).odd.x; a.hi.x = a.odd.x; float2 c = a.hi;",
      ),
    ).toEqual([
      "var a: f32x3 = splat<f32x3>(0f32);",
      "var b: f32 = a.z + (a + a).y;",
      "a.z = a.y;",
      "var c: f32x2 = a.zz;",
    ]);
    expect(await problems("opencl", "float3 a; a.odd = (float2)(0.0f);")).toEqual([
      "XL2006 half of a vector of 3, with a component that it has not, cannot be written",
    ]);
  });

  test("rows of HLSL matrices are made of columns", async () => {
    expect(
      await body("hlsl", "float2x3 m = float2x3(1, 2, 3, 4, 5, 6); float3 r = m[1]; f[0] = m[0][2] + m._m10 + m._23;"),
    ).toEqual([
      // Rows (1 2 3) and (4 5 6) are the columns (1 4), (2 5), (3 6).
      "var m: f32m3x2 = make<f32m3x2>(1f32, 4f32, 2f32, 5f32, 3f32, 6f32);",
      "var r: f32x3 = make<f32x3>(m[0i32][1i32], m[1i32][1i32], m[2i32][1i32]);",
      "f[0i32] = (m[2i32][0i32] + m[0i32][1i32]) + m[2i32][1i32];",
    ]);
  });
});

describe("the rule itself", () => {
  test("GLSL: int to uint to float, never back", () => {
    expect(implicitConversion("glsl", i32, u32, "argument")).toBe(1);
    expect(implicitConversion("glsl", u32, f32, "argument")).toBe(2);
    expect(implicitConversion("glsl", u32, i32, "argument")).toBeUndefined();
    expect(implicitConversion("glsl", f32, i32, "argument")).toBeUndefined();
    expect(implicitConversion("glsl", scalar("bool"), i32, "argument")).toBeUndefined();
  });
  test("scalars spread into vectors, but not in GLSL outside operators", () => {
    expect(implicitConversion("msl", f32, vector("f32", 4), "initializer")).toBe(2.5);
    expect(implicitConversion("glsl", f32, vector("f32", 4), "initializer")).toBeUndefined();
    expect(implicitConversion("glsl", f32, vector("f32", 4), "operand")).toBe(2.5);
  });
  test("the usual arithmetic conversions", () => {
    expect(usualArithmetic("opencl", "i8", "u8")).toBe("i32");
    expect(usualArithmetic("msl", "i32", "u32")).toBe("u32");
    expect(usualArithmetic("msl", "f16", "i32")).toBe("f16");
    expect(usualArithmetic("opencl", "i64", "u32")).toBe("i64");
    expect(usualArithmetic("glsl", "i32", "f32")).toBe("f32");
    expect(usualArithmetic("glsl", "bool", "i32")).toBeUndefined();
  });
});

describe("indices of an HLSL matrix, whose row is written first", () => {
  const effects = "static int s;\nint bump() { s++; return s; }\nint plain(int x) { return x & 1; }";
  // What they mean then: test/oracles/hlsl-order.test.ts.
  test("may change what the other reads", async () => {
    const matrix = "float2x2 m = float2x2(1, 2, 3, 4); int q = 0;";
    const texts = [
      "m[q++][q & 1] = 4;",
      "m[s & 1][bump() & 1] = 4;",
      "m[bump()][bump() & 1] = 4;",
      "m[q++][1] = 4;",
      "m[g & 1][q++ & 1] = 4;",
      "m[plain(q)][q] = 4;",
    ];
    for (const text of texts) expect(await problems("hlsl", `${matrix} ${text}`, effects)).toEqual([]);
  });
});
