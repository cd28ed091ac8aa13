/** HLSL numbers and overloads as DXC has them: kernels that were got wrong, with what DXC folds them to, in every target. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import { check } from "../../src/api/check.js";
import { translate } from "../../src/api/translate.js";
import type { HlslVersion } from "../../src/dialects/language.js";
import { inScratchFolder } from "../../src/judges/run-program.js";
import { askDxc, missingForDxc } from "../support/judges/dxc.js";
import { judgeable, judgeOutputs, judges, refusals } from "../support/judges/outputs.js";
import { foldWithDxc, missingForFold } from "../support/oracles/dxc-fold.js";
import { judgeTest, toolTest } from "../support/tool-test.js";
import { isSourceDialect, targets, type TwoWayDialect } from "../../src/dialects/ids.js";

const kernel = (body: string, before = ""): string =>
  `RWStructuredBuffer<uint> dst : register(u0);\n${before}\n[numthreads(1, 1, 1)] void k(uint3 id : SV_DispatchThreadID) {\n  ${body}\n}\n`;

async function run(source: string, from: TwoWayDialect, hlslVersion?: HlslVersion): Promise<number[] | string> {
  const result = await simulate(source, {
    from,
    workgroups: [1, 1, 1],
    workgroupSize: [1, 1, 1],
    args: { dst: new Uint32Array(4) },
    ...(hlslVersion ? { hlslVersion } : {}),
  });
  const problems = result.diagnostics.filter((d) => d.severity === "error");
  return problems.length > 0 ? problems.map((p) => p.message).join("; ") : [...(result.buffers["dst"] as Uint32Array)];
}

/** The source, and each of its translations read again. */
async function everywhere(source: string, from: TwoWayDialect, expected: number[]): Promise<void> {
  expect(await run(source, from)).toEqual(expected);
  for (const to of targets) {
    if (!isSourceDialect(to)) continue;
    const { code, diagnostics } = await translate(source, { from, to });
    expect(
      diagnostics.filter((d) => d.severity === "error"),
      to,
    ).toEqual([]);
    expect(await run(code!, to), `${to}\n${code!}`).toEqual(expected);
    if (to === "hlsl" && from !== "hlsl")
      for (const version of ["2018", "202x"] as const) expect(await run(code!, to, version), version).toEqual(expected);
  }
}

describe("numbers", () => {
  test("without a suffix are 64 bits wide until they have a type", () =>
    everywhere(
      kernel(
        "dst[0] = (uint)(0.29 * 100); dst[1] = 100000 * 100000 / 100000; dst[2] = -2147483648 < 0; int x = id.x; dst[3] = x < 0xFFFFFFFF;",
      ),
      "hlsl",
      [28, 100000, 1, 0],
    ));

  test("are int and float in 202x", async () => {
    const source = kernel("dst[0] = (uint)(0.29 * 100); dst[1] = (1 << 31) >> 31; dst[2] = 3; dst[3] = 4;");
    expect(await run(source, "hlsl", "202x")).toEqual([29, 0xffffffff, 3, 4]);
    expect(await run(source, "hlsl")).toEqual([28, 1, 3, 4]);
  });

  test("of OpenCL C go out so that every version of HLSL has their values", () =>
    everywhere(
      `__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(__global uint *dst) { uint n = 31u; dst[0] = (1 << 31) >> 31; dst[1] = (1 << n) >> 31; dst[2] = max(-7, 3); dst[3] = 5; }`,
      "opencl",
      [0xffffffff, 0xffffffff, 3, 5],
    ));
});

// DXC warns of `1 << n`, whose type is that of n.
toolTest(
  missingForDxc(),
  "numbers of other languages that are shifted are texts of which DXC does not warn",
  async () => {
    const source = `__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(__global uint *dst, int n) { dst[0] = (1 << n) + (-8 << n) + (3 + 4 << n); dst[1] = ~(1u << n) | (1 << (n & 7)); dst[2] = (uint)(1L << n >> 32); }`;
    const { code } = await translate(source, { from: "opencl", to: "hlsl" });
    const said = await inScratchFolder((folder) => {
      const path = join(folder, "kernel.hlsl");
      writeFileSync(path, code!);
      return askDxc([{ profile: "cs_6_6", entry: "k", path, args: ["-WX"] }]);
    });
    expect(said, code).toEqual(["ok"]);
  },
);

describe("numbers behind a comma", () => {
  // 2 + 3; the steps are done from left to right.
  test("keep what stands before them in order", () =>
    everywhere(
      kernel("uint u = 5; dst[0] = (u = u * 2, 2) + (u++, 3); dst[1] = u; dst[2] = dst[3] = 0;"),
      "hlsl",
      [5, 11, 0, 0],
    ));

  test.each(["(u > 3 ? 1 : 2) + (u++, 1)", "(u++, u > 3 ? 1 : 2) + (u++, 1)"])(
    "are refused beside a chosen one that would be read too late: %s",
    async (value) =>
      expect(await run(kernel(`uint u = id.x; dst[0] = ${value};`), "hlsl")).toContain(
        "a number without a type behind a comma, beside one that is chosen, is not supported yet",
      ),
  );
});

describe("overloads", () => {
  test("a function of HLSL comes before one of the source that has its name", () =>
    everywhere(
      kernel(
        "float f = id.x; dst[0] = (uint)length(float3(f, 3, 4)); dst[1] = 1; dst[2] = 2; dst[3] = 3;",
        "float length(float2 v) { return 7; }",
      ),
      "hlsl",
      [5, 1, 2, 3],
    ));

  test("the least conversions together decide, a draw is ambiguous", async () => {
    const two = "uint f(int a, float b) { return 1; }\nuint f(float a, float b) { return 2; }";
    expect(
      await run(kernel("uint u = 1; dst[0] = f(u, 1.5); dst[1] = 0; dst[2] = 0; dst[3] = 0;", two), "hlsl"),
    ).toEqual([1, 0, 0, 0]);
    const draw = "uint f(int a) { return 1; }\nuint f(uint a) { return 2; }";
    expect(await run(kernel("dst[0] = f(1);", draw), "hlsl")).toContain("fits several functions equally well");
  });
});

describe("fma", () => {
  // Asked of DXC: no matching function.
  test.each(["fma(v, x, 1u)", "fma(v, v, 1.0f)", "fma(v, true, v)"])("%s takes doubles only", async (call) => {
    const text = kernel(`double v = 1; uint64_t x = 1; dst[0] = (uint)${call};`);
    expect(await run(text, "hlsl")).toContain("no overload of fma");
  });
  test("takes numbers without a type", async () =>
    expect(
      await run(kernel("double v = 3; dst[0] = (uint)fma(v, 2, 1.0); dst[1] = dst[2] = dst[3] = 0;"), "hlsl"),
    ).toEqual([7, 0, 0, 0]));
});

describe("types that only HLSL tells apart", () => {
  const declared = `enum E { e0, e1 };
enum F { f0, f1 = 4 };
uint f(half a);
uint f(float a);
uint f(half a) { return 1; }
uint f(float a) { return 2; }
uint f(half2 a) { return 10; }
uint f(float2 a) { return 20; }
uint g(min16int a) { return 1; }
uint g(int a) { return 2; }
uint g(min12int a) { return 3; }
uint g(uint a) { return 4; }
uint h(E a) { return 1; }
uint h(F a) { return 2; }
uint h(int a) { return 3; }
uint h(uint a) { return 4; }
void w(inout half a) { a += 1; }
void w(inout float a) { a += 2; }`;
  const statements =
    "half a = 1; float b = 1; min16int c = 1; int d = 1; min12int e = 1; E i = e1; F j = f1; w(a); w(b);";
  const values = [
    "f(a) + f(b) * 16 + f((half2)a) * 256 + f((float2)b) * 65536",
    "g(c) + g(d) * 16 + g(e) * 256 + g(1u) * 4096",
    "h(i) + h(j) * 16 + h(d) * 256 + h(1u) * 4096",
    "(uint)a + (uint)b * 16",
  ];
  const expected = [
    1 + 2 * 16 + 10 * 256 + 20 * 65536,
    1 + 2 * 16 + 3 * 256 + 4 * 4096,
    1 + 2 * 16 + 3 * 256 + 4 * 4096,
    2 + 3 * 16,
  ];
  const source = kernel(`${statements} ${values.map((v, n) => `dst[${n}] = ${v};`).join(" ")}`, declared);

  toolTest(missingForFold(), "choose functions in DXC", async () => {
    expect(await foldWithDxc([{ declarations: declared, statements, values }])).toEqual([
      { kind: "folded", values: expected.map(BigInt) },
    ]);
  });

  // They are one type in other languages, where the functions are not to be defined twice.
  test("choose functions that keep apart in every target", () => everywhere(source, "hlsl", expected));

  for (const to of ["glsl", "opencl", "msl"] as const)
    judgeTest(judges[to], `are functions of their own for the ${to} compiler`, async () => {
      const { code } = await translate(source, { from: "hlsl", to });
      expect(refusals(await judgeOutputs([judgeable(to, code!, code!)]))).toBe("");
    });

  test("are no reason for two functions of one type", async () => {
    const twice = kernel("dst[0] = f(1.0f);", "uint f(half a) { return 1; }\nuint f(half b) { return 2; }");
    const { diagnostics } = await check(twice, { from: "hlsl" });
    expect(diagnostics.filter((d) => d.severity === "error")).toHaveLength(1);
  });
});

// Numbers go by rows, in matrices, lists and casts alike; worked out by hand.
describe("shapes", () => {
  const given =
    "float2x3 m = {1, 2, 3, 4, 5, 6}; int2x2 n = {7, 8, 9, 10}; float4 v = float4(11, 12, 13, 14); S s = {15, 16, 17, 18, 19, 20, 21};";
  test.each([
    ["", "((float2x2)m)[1][0]", 4],
    ["", "((float2x2)v)[1][0]", 13],
    ["", "((float4)n).z", 9],
    ["", "(n * 1.5f)[1][0] * 2", 27],
    ["", "(n + (int3x3)2)[1][1]", 12],
    ["", "(n % 4)[1][1]", 2],
    ["", "(n << 1)[0][1]", 16],
    ["", "((float2x2)s.r)[1][0]", 20],
    ["typedef float F[7]; F t = (F)s;", "t[5]", 20],
    ["n += 1.5f;", "n[1][0]", 10],
    ["v += n;", "v.z", 22],
    ["n -= v;", "n[1][0] + 100", 96],
    ["n = v;", "n[0][1]", 12],
    ["float2x2 q = {m._m00_m12, v.zw};", "q[0][1] + q[1][0] * 100", 1306],
    ["float2 q[2] = {m._m00, v.xyz};", "q[1].y", 13],
    ["float2x2 q[2] = {v, n};", "q[1][0][1] + q[0][1][0] * 100", 1308],
  ])("%s %s", async (statement, value, expected) => {
    const body = `${given} ${statement} dst[0] = (uint)(${value});`;
    const source = kernel(body, "struct S { float a; int2 c; row_major float2x2 r; };");
    for (const version of ["2018", "2021", "202x"] as const)
      expect(await run(source, "hlsl", version), version).toEqual([expected, 0, 0, 0]);
  });
});

/** Values that DXC folds, and each by hand beside it. */
describe("what is written to another type", () => {
  const functions = `void set(out int a) { a = 7; }
void add(inout float2 p) { p = p + 0.75; }
int both(inout int a, out uint b) { a = a * 2; b = a + 1; return a; }
`;
  test.each([
    // 7 is 7.0; 1.75 and -1.25 are cut to 1 and -1; 2.5 becomes 2, and 4 and 5 come back.
    [
      "float x; set(x); int2 v = int2(1, -2); add(v); float y = 2.5; float z; int r = both(y, z);",
      ["(uint)(x * 10)", "(uint)(v.x * 10 - v.y)", "(uint)(y * 10 + z)", "(uint)r"],
      [70, 11, 45, 4],
    ],
    // 2.75 is 2 and 0.75; 8.5 is 0.53125 times 2 to the 4.
    [
      "int i; float r = modf(2.75f, i); uint e; float m = frexp(8.5f, e); int2 w; float2 q = modf(float2(3.5f, -1.25f), w); int s, c; sincos(0.0f, s, c);",
      ["(uint)(r * 100) + i", "(uint)(m * 100000) + e", "(uint)(w.x * 10 - w.y)", "(uint)(s * 10 + c)"],
      [77, 53129, 31, 1],
    ],
    // Indices count as they are before the call.
    [
      "float a[3] = { 0.5, 1.5, 2.5 }; int n = 1; set(a[n]); n = 2; set(a[n - 2]);",
      ["(uint)a[0]", "(uint)a[1]", "(uint)(a[2] * 10)", "(uint)n"],
      [7, 7, 25, 2],
    ],
  ])("%s", async (statements, values, expected) => {
    const stores = values.map((v, i) => `dst[${i}] = ${v};`).join(" ");
    await everywhere(kernel(`${statements} ${stores}`, functions), "hlsl", expected);
  });

  test("what atomics give", () =>
    everywhere(
      kernel(
        "g = 5u; GroupMemoryBarrierWithGroupSync(); int a; InterlockedAdd(g, 2u, a); float f; InterlockedExchange(g, 9u, f); dst[0] = a; dst[1] = (uint)(f * 2); dst[2] = g; dst[3] = 0;",
        "groupshared uint g;",
      ),
      "hlsl",
      [5, 14, 9, 0],
    ));

  test.each([
    ["what effects or other places meet", "int n = 0; float x; both(x, x); dst[0] = n;"],
    ["shapes of which DXC makes no sound code", "float2 x; set(x); dst[0] = (uint)x.x;"],
  ])("%s is refused by name", async (_, body) => {
    expect(await run(kernel(body, functions), "hlsl")).toMatch(/not supported yet/);
  });
});

describe("what the type of an operand is", () => {
  const which = `enum D : uint { d0, d1 };
enum H : int64_t { h0 = 5000000000 };
uint which(int a) { return 1; }
uint which(uint a) { return 2; }
uint which(float a) { return 3; }
uint which(half a) { return 4; }
uint which(float2 a) { return 5; }
uint which(half2 a) { return 6; }
`;
  const values = [
    // Beside anything else an enumerator is an int, whatever it is kept in.
    ["which(d1 * 2)", 1],
    ["(d0 - 1) < 0 ? 1 : 0", 1],
    ["(uint)(h0 + 1)", Number(BigInt.asUintN(32, 5000000001n))],
    ["which('a')", 2],
    // Functions of vectors of half give vectors of float.
    ["which(sin(p))", 5],
    ["which(p + p)", 6],
    ["which(sin(p.x))", 4],
    ["which(b ? p : p)", 5],
    ["which(b ? p.x : p.y)", 4],
    ["which(mul(p, p))", 4],
    ["which(mul(p.x, p))", 5],
    ["which(mul(b, b))", 3],
    ["which(mul(b, p.x))", 4],
    ["which(mul(1, 2u))", 2],
    // What a vector shifts is an int.
    ["which((d1 << uint2(31, 1)).x >> 31)", 1],
    ["asuint((h0 >> int2(1, 32)).x)", 352516352],
    // Functions of matrices take what those of vectors do.
    ["asuint(max(int2x3(1, 2, 3, 4, 5, 6), 2.5)._m11)", 0x40a00000],
    ["(uint)countbits(uint2x2(1, 3, 7, ~0u))._m11", 32],
    // In 64 bits, of which 32 are left.
    ["(uint)reversebits(b ? 1 : -5)", 0],
    ["(uint)mad((b ? 100000 : 2), 100000, 3)", Number(BigInt.asUintN(32, 10000000003n))],
  ] as const;
  const statements = "half2 p = half2(1, 2); bool b = true;";

  toolTest(missingForFold(), "as DXC has it", async () => {
    const folded = await foldWithDxc(values.map(([value]) => ({ declarations: which, statements, values: [value] })));
    expect(folded).toEqual(values.map(([, expected]) => ({ kind: "folded", values: [BigInt(expected)] })));
    const half = { declarations: which, values: ["which(1.0h)", "which(1.0h + 1)"] };
    expect(await foldWithDxc([{ ...half, hlslVersion: "202x" }, half])).toEqual([
      { kind: "folded", values: [4n, 3n] },
      { kind: "folded", values: [3n, 3n] },
    ]);
  });

  test.each(values)("%s", async (value, expected) => {
    expect(await run(kernel(`${statements} dst[0] = ${value};`, which), "hlsl")).toEqual([expected, 0, 0, 0]);
  });

  test("'1.0h' is a half in 202x", async () => {
    const source = kernel("dst[0] = which(1.0h); dst[1] = which(1.0h + 1);", which);
    expect(await run(source, "hlsl", "202x")).toEqual([4, 3, 0, 0]);
    expect(await run(source, "hlsl")).toEqual([3, 3, 0, 0]);
  });
});

describe("vectors of numbers without a type", () => {
  const bits = (x: number): number => new Uint32Array(new Float32Array([x]).buffer)[0]!;
  const values = [
    ["dot((4).xxxx, (2).xxxx)", 32],
    // 20,000,000,000 in 64 bits.
    ["(uint)(dot((100000).xx, (100000).xx) / 100000)", 200000],
    ["dot((100000).xx, (100000).xx)", 2820130816],
    // In double: 28.999999999999996 twice, as one.
    ["(uint)dot((0.29).xx, (100).xx)", 57],
    ["(uint)(max((0.29).xx, (0.1).xx) * 100).y", 28],
    ["(uint)((100000).xx * 100000 / 100000).y", 100000],
    ["asuint(length((3).xx))", bits(Math.sqrt(18))],
    ["asuint(distance((1.5).xxx, (2).xxx))", bits(Math.sqrt(0.75))],
    ["max((1).xx, (3).xx).y + clamp(5, 1, 3)", 6],
    ["mad((2).xx, (3).xx, (4).xx).x", 10],
    ["asuint(normalize(2.0))", bits(1)],
    // By the reciprocal of the length, which is not exact: 48.99999999999999 in double.
    ["(uint)(normalize(49.0) * 49)", 48],
    ["asuint((float)normalize((2.0).xxx).y)", bits(2 * (1 / Math.sqrt(12)))],
    ["asuint((float)reflect(2.0, 3.0))", bits(2 - 2 * 6 * 3)],
    ["(uint)(reflect((0.29).xx, (0.0).xx).y * 100)", 28],
    ["asuint((float)refract(0.5, 0.5, 0.5))", bits(-0.25)],
    ["(uint)refract(0.5, 0.25, 3.0)", 0],
    ["asuint((float)faceforward(2.0, 0.0, -0.5))", bits(-2)],
    ["asuint((float)faceforward((2.5).xx, (3.0).xx, (-0.5).xx).x)", bits(2.5)],
  ] as const;

  toolTest(missingForFold(), "as DXC has them", async () => {
    const folded = await foldWithDxc(values.map(([value]) => ({ values: [value] })));
    expect(folded).toEqual(values.map(([, expected]) => ({ kind: "folded", values: [BigInt(expected)] })));
  });

  test.each(values)("%s", (value, expected) => everywhere(kernel(`dst[0] = ${value};`), "hlsl", [expected, 0, 0, 0]));
});

describe("types of minimum precision where there are types of 16 bits", () => {
  // DXC has functions of bits of int16_t, and none of these, which become ints.
  const values = ["countbits(a)", "(uint)reversebits(b)", "(uint)reversebits(c)", "(uint)(int)firstbithigh(a)"];
  const statements = "min16int a = -2; min16uint b = 0x1234; uint16_t c = 0x1234;";
  const expected = [31, 0x2c480000, 0x2c48, 0];

  toolTest(missingForFold(), "as DXC has it", async () => {
    const [folded] = await foldWithDxc([{ statements, values, args: ["-enable-16bit-types"] }]);
    expect(folded).toEqual({ kind: "folded", values: expected.map(BigInt) });
  });

  test("in every target", () =>
    everywhere(kernel(`${statements} ${values.map((v, i) => `dst[${i}] = ${v};`).join(" ")}`), "hlsl", expected));
});

describe("half", () => {
  const values = ["uint(2049.0h)", "uint(2048.0h + 1.0h)", "asuint(float(half(0.1f)))", "uint(half3(1, 2049, 3).y)"];
  const narrow = [2048, 2048, 0x3dccc000, 2048];
  const wide = [2049, 2049, 0x3dcccccd, 2049];
  const body = values.map((v, i) => `dst[${i}] = ${v};`).join(" ");

  toolTest(missingForFold(), "has 16 bits where DXC compiles with types of 16 bits", async () => {
    const said = await foldWithDxc([["-enable-16bit-types"], []].map((args) => ({ values, args })));
    expect(said).toEqual([narrow, wide].map((all) => ({ kind: "folded", values: all.map(BigInt) })));
  });

  // A source that names such a type compiles in no other way.
  test("has 16 bits in a source that names a type of 16 bits", () =>
    everywhere(kernel(`float16_t x = float16_t(id.x); ${body} dst[0] += uint(x);`), "hlsl", narrow));
  test("is a float in others", () => everywhere(kernel(`/* float16_t */ ${body}`), "hlsl", wide));
});

describe("messages name literals without a type as such", () => {
  test.each([
    [
      "struct R { int a; }; ",
      "R range; range.a = 1; o[0] = range + 1;",
      "'+' does not take struct R and an integer literal",
    ],
    [
      "struct R { int a; }; ",
      "R range; range.a = 1; o[0] = 1.5 * range;",
      "'*' does not take a float literal and struct R",
    ],
    ["struct R { int a; }; ", "R range = 1 + 2;", "an integer literal"],
    ["uint f(uint x, uint y) { return y; } ", "o[0] = f(1);", "(an integer literal)"],
    ["", "o[0] = 1.5 & 2;", "'&' does not take a float literal and an integer literal"],
    ["", "o[0] = ~2.5;", "'~' does not take a float literal"],
    ["", "float3x2 m = (float3x2)1; float2x3 n = m << 3;", "'<<' does not take float3x2 and an integer literal"],
    ["enum E { e }; void f(out E x) { x = e; } ", "int i; f(i);", "argument 1 ('x') is written as E, this is int"],
  ])("%s%s", async (declarations, body, message) => {
    const text = `RWStructuredBuffer<uint> o : register(u0);\n${declarations}[numthreads(1, 1, 1)] void k() { ${body} }\n`;
    const { diagnostics } = await check(text, { from: "hlsl" });
    const errors = diagnostics.filter((d) => d.severity === "error").map((d) => d.message);
    expect(errors[0]).toContain(message);
    expect(errors.join()).not.toMatch(/i64|f64/);
  });
});

describe("auto", () => {
  const which = `uint f(float x) { return 1; } uint f(int x) { return 2; } uint f(uint x) { return 3; } uint f(float3 x) { return 4; } uint f(int64_t x) { return 6; }
uint f(bool x) { return 8; } enum class E { A, B }; uint f(E e) { return 10; } struct S { float2 a; int b; };`;
  const given = `uint arr[2] = { 1, 2 }; auto b = 2u; auto d = float3(1, 2, 3); auto e = d * 2; auto s = (S)0; auto t = b < 3; auto en = E::B;
  const auto k = b * 2; auto el = arr[1]; auto fl = 1.0f; auto copy = arr; copy[0] = 7; auto mixed = b * 0.5; auto one = (float1)fl; auto l = int64_t(1);`;
  const values =
    "f(b); f(d); f(e); f(s.b); f(t); f(en); f(k); f(el); f(fl); f(d.xyz); f(mixed); f(l); arr[0]; copy[0]; max(one, e * 2).x".split(
      "; ",
    );
  const numbers = ["auto a = 1; uint v = f(a);", "auto a = 1.5; uint v = f(a);", "auto a = 5000000000; uint v = f(a);"];

  toolTest(missingForFold(), "of local variables, as DXC has it", async () => {
    for (const hlslVersion of ["2021", "202x"] as const) {
      const folded = await foldWithDxc(
        values.map((value) => ({ declarations: which, statements: given, values: [value], hlslVersion })),
      );
      for (const [i, value] of values.entries()) {
        const own = await run(kernel(`${given} dst[0] = ${value};`, which), "hlsl", hlslVersion);
        expect(folded[i], value).toEqual({ kind: "folded", values: [typeof own === "string" ? own : BigInt(own[0]!)] });
      }
    }
    const open = await foldWithDxc(
      numbers.map((statements) => ({ declarations: which, statements, values: ["v"], hlslVersion: "202x" as const })),
    );
    for (const [i, statements] of numbers.entries()) {
      const [own] = (await run(kernel(`${statements} dst[0] = v;`, which), "hlsl", "202x")) as number[];
      expect(open[i], statements).toEqual({ kind: "folded", values: [BigInt(own!)] });
    }
  });

  test("numbers without a type, and results of functions, are refused", async () => {
    expect(await run(kernel("auto a = 1; dst[0] = a;"), "hlsl")).toMatch(/'auto' of a number without a type/);
    expect(await run(kernel("dst[0] = g(1u);", "auto g(uint x) { return x; }"), "hlsl", "202x")).toMatch(
      /'auto' is not/,
    );
  });
});

describe("a number that is cast to the kind that it is kept in", () => {
  const which = `uint f(float x) { return 1; } uint f(int x) { return 2; } uint f(uint x) { return 3; } uint f(double x) { return 5; }
uint f(int64_t x) { return 6; } uint f(uint64_t x) { return 7; }`;
  const given = "uint k = 40; float q = 3;";
  const values =
    `(uint)((int64_t)1 << k >> 32); (uint)(int64_t(1) << k >> 32); f(int64_t(1) << k); f((int64_t)1); f(-int64_t(1)); f(int64_t(1) + 1);
f(double(1.5)); f((double)1.5); f(q * double(1.5)); f(max(k, int64_t(3))); f(k + int64_t(1)); (uint)((uint64_t)1 << k >> 32); f((int64_t)(1 + 2))`
      .split(";")
      .map((x) => x.trim());

  toolTest(missingForFold(), "has its type, as DXC has it", async () => {
    const folded = await foldWithDxc(
      values.map((value) => ({ declarations: which, statements: given, values: [value] })),
    );
    for (const [i, value] of values.entries()) {
      const own = await run(kernel(`${given} dst[0] = ${value};`, which), "hlsl");
      expect(folded[i], value).toEqual({ kind: "folded", values: [typeof own === "string" ? own : BigInt(own[0]!)] });
    }
  });
});
