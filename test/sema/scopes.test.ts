/** What may be declared again where: each text is taken here exactly where its own compiler takes it. */
import { describe, expect, test } from "vitest";
import { twoWayDialects, type SourceDialect, type TwoWayDialect } from "../../src/dialects/ids.js";
import { simulate, translate, verify } from "../../src/index.js";
import { judgeable, judgeOutputs, judges } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const around: Readonly<Record<TwoWayDialect, (top: string, body: string) => string>> = {
  glsl: (top, body) =>
    `#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B { int o[]; };\n${top}\nvoid main() { int n = o[1]; o[0] = f(n); ${body} }\n`,
  hlsl: (top, body) =>
    `RWStructuredBuffer<int> o;\n${top}\n[numthreads(1, 1, 1)] void k(uint t : SV_DispatchThreadID) { int n = o[1]; o[0] = f(n); ${body} }\n`,
  msl: (top, body) =>
    `#include <metal_stdlib>\nusing namespace metal;\n${top}\nkernel void k(device int *o [[buffer(0)]], uint t [[thread_position_in_grid]]) { int n = o[1]; o[0] = f(n); ${body} }\n`,
  opencl: (top, body) => `${top}\nkernel void k(global int *o, int t) { int n = o[1]; o[0] = f(n); ${body} }\n`,
};

/** The function `f`, and what the kernel does beside calling it; `wrong`: in which languages. */
const cases: readonly (readonly [top: string, body: string, wrong: readonly TwoWayDialect[]])[] = [
  ["int f(int a) { int a = 2; return a; }", "", twoWayDialects],
  ["int f(int a) { { int a = 2; return a; } }", "", []],
  ["int f(int a) { for (int a = 0; a < 2; a++) { if (a == 1) return 1; } return a; }", "", []],
  [
    "int f(int a) { int r = 0; for (int i = 0; i < 2; i++) { int i = 1; r += i; } return r; }",
    "",
    ["glsl", "hlsl", "msl"],
  ],
  ["int f(int a) { int r = 0; for (int i = 0; i < 2; i++) { { int i = 1; r += i; } } return r; }", "", []],
  ["int f(int a) { int r = 0; while (r < 2) { int r = 1; if (r == 1) break; } return r; }", "", []],
  ["int f(int a) { struct S { int a; }; S s; s.a = a; return s.a; }", "", ["opencl"]],
  ["int f(int a) { return a; }", "int n = 3;", twoWayDialects],
  ["int f(int a) { return a; }", "{ int n = 3; o[2] = n; }", []],
  ["int f(int a) { return a; }", "int t = 3; o[2] = t;", ["hlsl", "msl", "opencl"]],
  ["int f(int a) { return a; }", "if (n > 0) { int n = 1; o[2] = n; } else { int n = 2; o[2] = n; }", []],
];
const conditions: readonly string[] = [
  "if (int i = o[3]) { int i = 1; o[2] = i; }",
  "if (int i = o[3]) o[2] = 1; else { int i = 1; o[2] = i; }",
  "while (int i = o[3]) { int i = 1; o[2] = i; break; }",
  "for (; int i = o[3];) { int i = 1; o[2] = i; break; }",
];

const texts = (d: TwoWayDialect): { text: string; wrong: boolean }[] => [
  ...cases.map(([top, body, wrong]) => ({ text: around[d](top, body), wrong: wrong.includes(d) })),
  ...(d === "msl" ? conditions.map((c) => ({ text: around.msl("int f(int a) { return a; }", c), wrong: true })) : []),
  ...(d === "glsl"
    ? [
        "struct S; struct S { int x; }; int f(int a) { S s; s.x = a; return s.x; }",
        "struct S { int x; }; int f(int a) { struct S s; s.x = a; return s.x; }",
        "layout(std430, binding = 1) buffer D { vec2 p[4][]; }; int f(int a) { return int(p[a][1].x); }",
        "struct S { int x[2][]; }; int f(int a) { S s; s.x[0][0] = a; return a; }",
        "int g(int x[2][]) { return x[0][0]; } int f(int a) { int x[2][1]; x[0][0] = a; return g(x); }",
      ].map((top) => ({ text: around.glsl(top, ""), wrong: true }))
    : []),
];

describe.each(twoWayDialects)("%s", (d) => {
  test.each(texts(d))("$wrong: $text", async ({ text, wrong }) => {
    const { code, diagnostics } = await translate(text, {
      from: d,
      to: d === "msl" ? "opencl" : "msl",
      workgroupSize: [1, 1, 1],
    });
    if (wrong) expect(diagnostics.map((x) => x.code)[0]).toMatch(/^XL20(02|13|20|21)$/);
    expect(code === undefined).toBe(wrong);
  });

  judgeTest(judges[d], "its compiler says the same", async () => {
    const said = await judgeOutputs(texts(d).map(({ text }, i) => judgeable(d, `t${i}`, text)));
    expect(said.map(({ ok }) => !ok)).toEqual(texts(d).map(({ wrong }) => wrong));
  });
});

// C11 6.2.1 7, C++14 3.3.2 1; clang and DXC: sizeof(x) of the inner x. GLSL 4.60 4.2.2: "begins immediately following the initializer".
describe("a name in its own initialiser", () => {
  const sizes: readonly [SourceDialect, string][] = [
    ["opencl", "kernel void k(global float *o) { float x = 1.0f; { double x = sizeof(x); o[0] = x; } o[1] = x; }"],
    [
      "msl",
      "kernel void k(device float *o [[buffer(0)]]) { char x = 1; { float x = sizeof(x); o[0] = x * 2; } o[1] = x; }",
    ],
    [
      "hlsl",
      "RWStructuredBuffer<float> o : register(u0);\n[numthreads(1, 1, 1)] void k() { float x = 1; { double x = sizeof(x); o[0] = (float)x; } o[1] = x; }",
    ],
  ];
  const run = async (from: SourceDialect, source: string, x?: Float32Array) => {
    const { buffers, findings, diagnostics } = await simulate(source, {
      from,
      workgroups: [1],
      ...(from === "opencl" || from === "msl" ? { workgroupSize: [1] } : {}),
      args: { o: new Float32Array(2), ...(x ? { x } : {}) },
    });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    return { o: [...(buffers.o as Float32Array)], findings: findings.map((f) => f.kind) };
  };

  test.each(sizes)("is the variable in %s", async (from, source) => {
    expect(await run(from, source)).toEqual({ o: [8, 1], findings: [] });
  });

  test("is what had it before in GLSL", async () => {
    const source =
      "#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B { float o[]; };\nvoid main() { float x = 1.0; { float x = x + 7.0; o[0] = x; } o[1] = x; }";
    expect(await run("glsl", source)).toEqual({ o: [8, 1], findings: [] });
    for (const to of ["msl", "hlsl", "opencl"] as const) {
      const { code } = await translate(source, { from: "glsl", to, fileName: "k.comp" });
      expect(code).toContain("float x1 = x + 7.0f;");
    }
  });

  test("is handed on before it has a value, by value and by address, constant or not", async () => {
    const source = `float load(float like, global const float *p) { return *p; }
kernel void k(global float *o, global const float *x) {
  const float v = load(v, x);
  float whole = fract(v, &whole), part = v - whole;
  o[0] = whole;
  o[1] = part;
}`;
    expect(await run("opencl", source, Float32Array.of(2.75))).toEqual({ o: [0.75, 2], findings: [] });
    for (const to of ["msl", "hlsl", "glsl"] as const)
      expect((await verify(source, { from: "opencl", to, workgroupSize: [1, 1, 1] })).result).toBe("equivalent");
    const wrong = await translate(source.replace("o[0]", "v = 1.0f; o[0]"), { from: "opencl", to: "msl" });
    expect(wrong.diagnostics.map((d) => d.message)).toEqual(["this cannot be written: 'v' is const"]);
  });

  test("has no value there", async () => {
    const source = "kernel void k(global float *o) { float x = 1.0f; { float x = x + 7.0f; o[0] = x; } }";
    expect((await run("opencl", source)).findings).toEqual(["uninitialized-read"]);
  });

  test("is no function, as compilers have it", async () => {
    const source = "kernel void k(global float *o) { float dot = dot(o[0], o[1]); o[0] = dot; }";
    const { diagnostics } = await translate(source, { from: "opencl", to: "msl" });
    expect(diagnostics.map((d) => d.message)).toEqual(["'dot' is not a function"]);
  });

  test("in the head of a loop is refused", async () => {
    const source =
      "int f(int *p) { *p = 3; return 0; }\nkernel void k(global int *o) { for (int i = f(&i); i < 3; i++) o[i] = i; }";
    const { diagnostics } = await translate(source, { from: "opencl", to: "msl" });
    expect(diagnostics.map((d) => `${d.code} ${d.message}`)).toEqual([
      "XL1900 a variable in the head of a for that its own initialiser names is not supported yet",
    ]);
  });
});

test("a constant of its struct's own type has its value behind the struct, where it is complete (C++14 9.4.2)", async () => {
  const kernel = (pair: string): string => around.msl(`${pair} int f(int a) { return a + Pair::one.v; }`, "");
  const said = async (pair: string): Promise<string[]> =>
    (await translate(kernel(pair), { from: "msl", to: "opencl" })).diagnostics
      .filter((d) => d.severity === "error")
      .map((d) => `${d.code} ${d.message}`);
  const behind = "struct Pair { int v; static const constant Pair one; }; constexpr constant Pair Pair::one{1};";
  expect(await said(behind)).toEqual([]);
  const within = "struct Pair { int v; static constexpr constant Pair one = {1}; };";
  expect(await said(within)).toContain("XL2013 the type of this member is not complete here");
});
