import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { frontEnd, isIndependent } from "../../src/frontend/index.js";
import { locate } from "../../src/support/expanded-source.js";
import { parseText } from "./shape.js";
import { processorTime } from "../support/processor-time.js";

/** `line:column code message` of every problem. */
function problemsOf(text: string, dialect: TwoWayDialect): string[] {
  const { problems, expanded } = parseText(text, dialect);
  return problems.map((p) => {
    const at = p.span ? locate(expanded, p.span) : undefined;
    return `${at ? `${at.line}:${at.column} ` : ""}${p.code} ${p.message}`;
  });
}

describe("syntax errors in plain words, at their place", () => {
  test.each<readonly [TwoWayDialect, string, readonly string[]]>([
    ["opencl", "void f() { int x = 3 }", ["1:22 XL1001 expected ';' but found '}'"]],
    ["opencl", "void f() { g(1, 2; }", ["1:13 XL1005 '(' is never closed"]],
    ["opencl", "void f() { x = a +; }", ["1:19 XL1001 expected an expression but found ';'"]],
    ["opencl", "void f() { if x) y(); }", ["1:16 XL1005 ')' closes nothing"]],
    ["opencl", "void f() { else y(); }", ["1:12 XL1001 expected a statement or '}' but found 'else'"]],
    ["opencl", "void f(int a int b) {}", ["1:14 XL1001 expected ',' or ')' but found 'int'"]],
    ["opencl", "void f() { for (int i = 0; i < 4 i++) ; }", ["1:34 XL1001 expected ';' but found 'i'"]],
    ["opencl", "struct S { int a }", ["1:18 XL1001 expected ';' but found '}'"]],
    ["opencl", "struct S { int a; } void f() {}", ["1:26 XL1001 expected ';' but found 'f'"]],
    ["opencl", "int x = 12abc;", ["1:9 XL1003 '12abc' is not a number"]],
    ["opencl", "int x = \u00a7;", ["1:9 XL1002 character '\u00a7' (U+00A7) means nothing here"]],
    ["opencl", 'void f() { g("abc); }', ["1:14 XL1004 the quote is never closed on its line"]],
    [
      "opencl",
      "template <typename T> T f(T x) { return x; }",
      ["1:1 XL2021 OpenCL C has no 'template', which C++ for OpenCL has"],
    ],
    [
      "opencl",
      "namespace n { int f(int x) { return x; } } void g() { n::f(3); }",
      ["1:1 XL2021 OpenCL C has no 'namespace', which C++ for OpenCL has"],
    ],
    [
      "opencl",
      "struct V { int x; V operator+(V o) { return o; } };",
      ["1:21 XL2021 OpenCL C has no 'operator', which C++ for OpenCL has"],
    ],
    ["opencl", "class C { public: int x; };", ["1:1 XL2021 OpenCL C has no 'class', which C++ for OpenCL has"]],
    [
      "opencl",
      "void f(int class) { int x = class; x = class + new; int x = 3 }",
      ["1:63 XL1001 expected ';' but found '}'"],
    ],
    ["msl", "kernel void k() { float x = 1.0; ", ["1:17 XL1005 '{' is never closed"]],
    ["msl", "kernel void k() { } }", ["1:21 XL1005 '}' closes nothing"]],
    ["msl", "kernel void k(device float *x [[buffer(0)]) {}", ["1:31 XL1005 '[' is never closed"]],
    ["glsl", "void main() { float x = (float)1; }", ["1:32 XL1001 expected ';' but found '1'"]],
    ["glsl", "hello", ["1:1 XL1001 expected a declaration but found 'hello'"]],
  ])("%s: %s", (dialect, text, expected) => {
    expect(problemsOf(text, dialect)).toEqual(expected);
  });

  test("errors in different statements and declarations are all found, without echoes", () => {
    const text = `kernel void a(device int *x [[buffer(0)]]) {
  x[0] = 1 +;
  int y = 2;
  if (y > 1 y = 3;
  for (int i = 0; i < 4; i++) { x[i] = 4 5; }
}
constant int t[2] = {1 2};
kernel void b() { return 1 }
kernel void fine() { }
`;
    expect(problemsOf(text, "msl").map((p) => p.split(" ")[0])).toEqual(["4:6", "7:24", "8:28"]);
    expect(problemsOf(text.replace("(y > 1 y", "(y > 1) y"), "msl").map((p) => p.split(" ")[0])).toEqual([
      "2:13",
      "5:42",
      "7:24",
      "8:28",
    ]);
  });

  test("a missing semicolon is missing at the end of its line", () => {
    expect(problemsOf("void f() {\n  int x = 3\n  int y = 4;\n}\nint z\n", "opencl")).toEqual([
      "2:11 XL1001 expected ';' after '3'",
      "5:5 XL1001 expected ';' after 'z'",
    ]);
  });

  test("what parses beside an error can be checked, without echoes", async () => {
    const text = "int a(int x) { return x + ; }\nint b(int x) { return x; }\nint c(y z w) {}\n";
    const { recovered, expanded } = await frontEnd(text, { from: "opencl", fileName: "partly" });
    if (!recovered) throw new Error("nothing recovered");
    expect(recovered.unit.declarations.map((d) => (d.kind === "function" ? d.name.name : d.kind))).toEqual(["a", "b"]);
    const problem = (word: string, last = false) => {
      const start = last ? text.lastIndexOf(word) : text.indexOf(word);
      return {
        severity: "error",
        code: "XL2001",
        message: "",
        span: { start, end: start + word.length },
      } as const;
    };
    expect(isIndependent(problem("x + ;"), recovered, expanded.text)).toBe(false);
    expect(isIndependent(problem("return x;"), recovered, expanded.text)).toBe(true);
    expect(isIndependent({ ...problem("b"), span: { start: 32, end: 33 } }, recovered, "c".repeat(40))).toBe(false);
  });

  test("an error in a macro is shown at its use", () => {
    expect(problemsOf("#define BAD 1 +\nint x = 2;\nint y = BAD;\n", "opencl")).toEqual([
      "3:12 XL1001 expected an expression but found ';'",
    ]);
  });

  test.each<readonly [TwoWayDialect, string, TwoWayDialect]>([
    ["msl", "layout(local_size_x = 64) in;\nvoid main() { uint i = gl_GlobalInvocationID.x; }", "glsl"],
    ["glsl", "__kernel void f(__global float *x) { x[get_global_id(0)] = 1.0f; }", "opencl"],
    [
      "opencl",
      "RWStructuredBuffer<uint> x : register(u0);\n[numthreads(8,1,1)] void main(uint3 i : SV_DispatchThreadID) {}",
      "hlsl",
    ],
    ["hlsl", "using namespace metal;\nkernel void f(device float *x [[buffer(0)]]) {}", "msl"],
    ["msl", "#version 450\nlayout(local_size_x = 64) in;\nvoid main() { }", "glsl"],
    ["glsl", "#include <metal_stdlib>\nusing namespace metal;\nkernel void f(device float *x [[buffer(0)]]) {}", "msl"],
  ])("a file of another dialect: %s", async (from, text, actual) => {
    const { problems } = await frontEnd(text, { from, fileName: "other" });
    expect(problems.length).toBe(1);
    expect(problems[0]?.help).toContain(`--from ${actual}`);
  });
});

describe("hostile input ends with a diagnostic, quickly", () => {
  const cases: readonly (readonly [string, TwoWayDialect, string])[] = [
    ["10,000 parentheses", "opencl", `void f() { x = ${"(".repeat(10_000)}1${")".repeat(10_000)}; }`],
    ["10,000 open parentheses", "opencl", `void f() { x = ${"(".repeat(10_000)}`],
    ["10,000 braces", "msl", `void f() ${"{".repeat(10_000)}${"}".repeat(10_000)}`],
    ["10,000 brackets", "glsl", `int x = ${"a[".repeat(10_000)}0${"]".repeat(10_000)};`],
    ["10,000 signs", "hlsl", `int x = ${"- ".repeat(10_000)}1;`],
    ["10,000 stars", "opencl", `void f() { x = ${"*".repeat(10_000)}p; }`],
    ["100,000 sums", "opencl", `int x = 1${" + 1".repeat(100_000)};`],
    ["20,000 ifs", "opencl", `void f() { ${"if (a) ".repeat(20_000)}; }`],
    ["20,000 else ifs", "opencl", `void f() { ${"if (a) x(); else ".repeat(20_000)}; }`],
    ["20,000 conditionals", "opencl", `int x = ${"a ? b : ".repeat(20_000)}c;`],
    ["20,000 assignments", "opencl", `void f() { ${"a = ".repeat(20_000)}b; }`],
    ["20,000 calls", "opencl", `int x = f${"(1)".repeat(20_000)};`],
    [
      "template arguments in template arguments",
      "msl",
      `void f() { ${"vec<".repeat(5_000)}float${">".repeat(5_000)} x; }`,
    ],
    ["template arguments that never close", "msl", `void f() { ${"array<".repeat(7)} x; }`],
    [
      "template arguments with values of templates",
      "msl",
      `void f() { x = ${"array<".repeat(7)}1${">::v".repeat(7)} 1; }`,
    ],
    [
      "template arguments that are wrong inside",
      "msl",
      `void f() { x = ${"array<(".repeat(7)}!${")>(1)".repeat(7)}; }`,
    ],
    ["casts of casts", "opencl", `int x = ${"(int)".repeat(20_000)}1;`],
    ["structs in structs, with an error", "opencl", `${"struct { int a; ".repeat(200)} ! ${"} x; ".repeat(200)}`],
    [
      "loops in loops, with an error",
      "hlsl",
      `void f() { ${"[unroll] for (;;) { ".repeat(200)} ! ; ${"}".repeat(201)}`,
    ],
    ["namespaces in namespaces, with an error", "msl", `${"namespace n { ".repeat(200)} ! ${"}".repeat(200)}`],
    [
      "lambdas in lambdas, with an error",
      "msl",
      `void f() { ${"auto l = [&]() { ".repeat(100)} ! ; ${"}; ".repeat(100)} x y z; }`,
    ],
    ["function pointers", "opencl", `int f${"(int (*g)".repeat(200)}${")".repeat(200)} { ! }`],
    ["initialisers", "opencl", `int x = ${"{".repeat(250)}1 1${"}".repeat(250)};`],
    ["100,000 errors", "opencl", "void f() { 1 1; }\n".repeat(100_000)],
    ["one long line of junk", "opencl", "@ ".repeat(1_000_000)],
    ["one long comment", "glsl", `/*${"*".repeat(1_000_000)}`],
    ["one long word", "glsl", "a".repeat(3_000_000)],
  ];
  test.each(cases)("%s", async (_, from, text) => {
    const start = processorTime();
    const { problems } = await frontEnd(text, { from, fileName: "hostile" });
    const time = processorTime() - start;
    expect(problems.some((p) => p.severity === "error")).toBe(true);
    expect(problems.length).toBeLessThan(60);
    for (const p of problems) expect(p.code).not.toBe("XL9001");
    expect(time).toBeLessThan(2000);
  });
});

describe("damaged kernels", () => {
  const fixtures = join(dirname(fileURLToPath(import.meta.url)), "../../fixtures");
  const kernels = readdirSync(fixtures)
    .filter((name) => !name.includes("."))
    .slice(0, 8)
    .flatMap((name) =>
      readdirSync(join(fixtures, name))
        .filter((file) => file.startsWith("kernel."))
        .map((file) => [file.split(".")[1]!, readFileSync(join(fixtures, name, file), "utf8")] as const),
    );
  const dialectOf: Readonly<Record<string, TwoWayDialect>> = {
    metal: "msl",
    comp: "glsl",
    cl: "opencl",
    hlsl: "hlsl",
  };

  test("taking out, doubling or exchanging pieces never throws, and problems lie inside the text", () => {
    fc.assert(
      fc.property(
        fc.nat(kernels.length - 1),
        fc.nat(),
        fc.nat(40),
        fc.constantFrom("", "{", ")", ";", "#", "<", "'", "1", "struct "),
        (which, place, length, put) => {
          const [extension, text] = kernels[which]!;
          const at = place % text.length;
          const damaged = text.slice(0, at) + put + text.slice(at + length);
          const { problems, expanded } = parseText(damaged, dialectOf[extension]!);
          for (const { span } of problems) {
            if (!span) continue;
            expect(span.start).toBeGreaterThanOrEqual(0);
            expect(span.end).toBeLessThanOrEqual(expanded.text.length);
            expect(span.end).toBeGreaterThanOrEqual(span.start);
          }
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  });
});
