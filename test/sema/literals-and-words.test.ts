/** Characters, separators and words that are signs: what C, C++ and the shading languages make of them. Values are by hand. */
import { describe, expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { simulate } from "../../src/api/simulate.js";
import { translate } from "../../src/api/translate.js";
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";

const around: Readonly<Record<TwoWayDialect, (body: string, before?: string) => string>> = {
  msl: (body, before = "") =>
    `#include <metal_stdlib>\nusing namespace metal;\n${before}\nkernel void k(device int *dst [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n${body}\n}\n`,
  glsl: (body, before = "") =>
    `#version 450\nlayout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer D { int dst[]; };\n${before}\nvoid main() {\nuint i = gl_GlobalInvocationID.x;\n${body}\n}\n`,
  opencl: (body, before = "") =>
    `${before}\n__kernel void k(__global int *dst) {\nuint i = get_global_id(0);\n${body}\n}\n`,
  hlsl: (body, before = "") =>
    `RWStructuredBuffer<int> dst : register(u0);\n${before}\n[numthreads(1, 1, 1)]\nvoid k(uint3 g : SV_DispatchThreadID) {\nuint i = g.x;\n${body}\n}\n`,
};

async function first(from: TwoWayDialect, text: string, entry?: string): Promise<number> {
  const { buffers, diagnostics } = await simulate(text, {
    from,
    ...(entry && from !== "glsl" ? { entry } : {}),
    workgroups: [1],
    workgroupSize: [1, 1, 1],
    args: { dst: new Int32Array(4) },
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return (buffers!["dst"] as Int32Array)[0]!;
}

/** The value in the source's own dialect, and in every translation, read back. */
async function everywhere(from: TwoWayDialect, text: string, value: number, entry?: string): Promise<void> {
  expect(await first(from, text, entry)).toBe(value);
  for (const to of twoWayDialects) {
    const { code, diagnostics } = await translate(text, {
      from,
      to,
      ...(from === "hlsl" ? {} : { workgroupSize: [1, 1, 1] as const }),
      ...(entry ? { entry } : {}),
    });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(await first(to, code!, entry), `${from} to ${to}\n${code!}`).toBe(value);
  }
}

const refusal = async (
  from: TwoWayDialect,
  text: string,
): Promise<readonly (readonly [string, number | undefined])[]> => {
  const { diagnostics } = await compile(text, { from });
  return diagnostics.filter((d) => d.severity === "error").map((d) => [d.code, d.location?.line] as const);
};

describe("a character", () => {
  test("is a char in MSL: it wraps at 8 bits, chooses the overload of char, and is one byte", async () => {
    // 97 + 100 - 256 = -59; C++14 2.14.3.
    const overloads = "static int f(char x) { return 1; }\nstatic int f(int x) { return 2; }";
    await everywhere("msl", around.msl("auto c = 'a'; c += 100; dst[i] = c * 10 + f('a');", overloads), -589);
    await everywhere("msl", around.msl("dst[i] = sizeof('a');"), 1);
  });
  test("is an int in OpenCL C", async () => {
    // C99 6.4.4.4.
    await everywhere("opencl", around.opencl("dst[i] = (int)sizeof('a') * 1000 + 'a' + 100;"), 4197);
  });
  test("escapes are those of C, and a code above 127 is negative", async () => {
    await everywhere(
      "opencl",
      around.opencl("dst[i] = '\\n' + '\\x41' + '\\101' + '\\0' + '\\\\' + '\\'' + '\\?' + '\\xff';"),
      10 + 65 + 65 + 0 + 92 + 39 + 63 - 1,
    );
  });
  test("is nothing in GLSL", async () =>
    expect(await refusal("glsl", around.glsl("dst[i] = 'a';"))).toEqual([["XL2015", 7]]));
  test.each(["msl", "opencl", "hlsl"] as const)("of several letters is refused in %s", async (from) =>
    expect((await refusal(from, around[from]("dst[i] = 'ab';"))).map(([code]) => code)).toEqual(["XL2015"]),
  );
});

describe("numbers", () => {
  test("have separators in MSL", async () => {
    await everywhere("msl", around.msl("dst[i] = 1'000'000 + 0b1'010 + 0x1'F;"), 1_000_041);
    expect((await refusal("msl", around.msl("dst[i] = 1'000';"))).length).toBeGreaterThan(0);
  });
  test.each(["glsl", "opencl", "hlsl"] as const)("have none in %s", async (from) =>
    expect((await refusal(from, around[from]("dst[i] = 1'000;"))).map(([code]) => code)).toContain("XL1003"),
  );
});

describe("words that are signs", () => {
  test("are signs in MSL", async () => {
    // 5 & 4 = 4, | 8 = 12, ^ 1 = 13, & 15 = 13; ~13 = -14.
    const body =
      "bool a = true and not false; int b = 5 bitand 4; b or_eq 8; b xor_eq 1; b and_eq 15; dst[i] = (a or false) and b not_eq 3 ? compl b : (b bitor 1) xor 3;";
    await everywhere("msl", around.msl(body), -14);
  });
  test("are names elsewhere", async () => {
    await everywhere("opencl", around.opencl("int and = 3, compl = 4; dst[i] = and + compl;"), 7);
  });
});

describe("structs that are announced", () => {
  test.each<[string, TwoWayDialect, string, string]>([
    ["struct S;", "opencl", "struct S", "struct S;"],
    ["struct S;", "msl", "S", "struct S;"],
    ["struct S;", "hlsl", "S", "struct S;"],
    ["typedef struct S T;", "opencl", "T", "typedef struct S T;"],
  ])("%s in %s", async (_, from, type, announced) => {
    await everywhere(from, around[from](`${type} s; s.a = 3; dst[i] = s.a;`, `${announced}\nstruct S { int a; };`), 3);
  });
  test.each<[TwoWayDialect, string, string, number]>([
    [
      "opencl",
      "struct S; typedef struct T T; int f(struct S *p); int g(T *p); int h(T p, int n);\nenum { N = 2 };\ntypedef int Row[N];\nstruct S { Row a; };\nstruct T { int b; struct S s; };\nint f(struct S *p) { return p->a[1]; } int g(T *p) { return p->b + f(&p->s); } int h(T p, int n) { return p.b * n; }",
      "T t = { 5, { { 1, 40 } } }; dst[i] = f(&t.s) * 100 + g(&t) + h(t, 1000);",
      // 40 * 100 + (5 + 40) + 5 * 1000.
      9045,
    ],
    [
      "msl",
      "struct S;\nstatic int f(thread S *p, int n = 2);\nstatic int g(thread const S &p);\nconstant int N = 3;\nstruct S { int a[N]; };\nint f(thread S *p, int n) { return p->a[n]; }\nint g(thread const S &p) { return p.a[0]; }",
      "S s = { { 4, 5, 6 } }; dst[i] = f(&s) * 10 + g(s);",
      64,
    ],
    [
      "msl",
      "struct A; struct B;\nstatic int f(thread A &a, thread B &b);\nstruct B { int v; };\nstruct A { int v; B b; };\nint f(thread A &a, thread B &b) { b.v += a.v; return a.b.v; }",
      "B b = { 3 }; A a = { 7, { 1 } }; dst[i] = f(a, b); dst[i] += b.v * 10;",
      101,
    ],
    [
      "hlsl",
      "struct S;\nint f(S p);\nstruct S { int a; };\nint f(S p) { return p.a; }",
      "S s; s.a = 3; dst[i] = f(s);",
      3,
    ],
  ])("as parameters and members before they are defined (%s)", async (from, before, body, value) =>
    everywhere(from, around[from](body, before), value),
  );
  test.each<[string, TwoWayDialect, string]>([
    ["naming 'S' before it is defined", "msl", "struct S;\nint f(thread S *p);"],
    // Its methods may find more overloads where they stand.
    [
      "naming 'S' before it is defined",
      "msl",
      "struct S;\nint f(thread S *p);\nint g(float x) { return 1; }\nstruct S { int m() { return g(1); } };\nint f(thread S *p) { return p->m(); }",
    ],
  ])("%s (%s)", async (what, from, before) => {
    const { diagnostics } = await compile(
      around[from](`${from === "opencl" ? "struct S" : "S"} s; dst[i] = f(&s);`, before),
      { from },
    );
    expect(diagnostics.filter((d) => d.code === "XL1900").map((d) => d.message)[0]).toBe(
      `${what} is not supported yet`,
    );
  });
});

/** C++14 6.4, which HLSL follows, and GLSL 4.60 9, where only loops have them. */
describe("declarations in conditions", () => {
  test.each<[TwoWayDialect, string, number]>([
    ["msl", "if (int x = 5 + int(i)) dst[i] = x * 2; else dst[i] = x - 1;", 10],
    ["msl", "int x = 3; if (true) if (int x = int(i)) dst[i] = 1; else dst[i] = x + 4; dst[i] += x;", 7],
    ["msl", "int n = 3, s = 0; while (int x = n) { n--; if (x == 2) continue; s += x; } dst[i] = s;", 4],
    [
      "msl",
      "int s = 0; for (int n = 5; int x = n - 1; n--) { if (x == 2) continue; s = s * 10 + x; } dst[i] = s;",
      431,
    ],
    ["msl", "int s = 0; while (bool b = s < 30) { s += 7; if (s > 20) break; s += b; } dst[i] = s;", 23],
    ["msl", "switch (int x = int(i) + 2) { case 2: dst[i] = x * 7; break; default: dst[i] = 0; }", 14],
    ["msl", "int a[3] = {4, 5, 6}; if (thread int *p = i == 0 ? &a[1] : nullptr) dst[i] = *p; else dst[i] = 1;", 5],
    [
      "glsl",
      "int n = 3, s = 0; while (bool b = n > 0) { s += n; n--; if (n == 1) continue; s += int(b) * 10; } dst[i] = s;",
      26,
    ],
    // Folded by DXC.
    ["hlsl", "int s = 0; for (int n = 3; int x = n; n--) s = s * 10 + x; dst[i] = s;", 321],
    ["hlsl", "int n = 2; switch (int z = n) { case 2: dst[i] = z * 7; break; default: dst[i] = 1; break; }", 14],
    ["hlsl", "int s = 0, n = 3; while (int y = n) { n--; if (y == 2) continue; s += y; } dst[i] = s;", 4],
    ["hlsl", "int n = 3; if (int x = n - 3) dst[i] = x * 2; else if (int y = n) dst[i] = x - y;", -3],
    ["glsl", "int s = 0; for (int n = 0; bool more = n < 3; n++) s += int(more) + n; dst[i] = s;", 6],
    // The step is in its scope: 3 - 3 = 0 after one turn; 9, 7, 4 with steps of 2 and 3 in turn.
    ["msl", "int s = 0; for (int n = 3; int x = n; n -= x) s = s * 10 + x; dst[i] = s;", 3],
    [
      "msl",
      "int s = 0, d = 1; for (int n = 9; int x = n > 2 ? n : 0; n -= x % 2 + 2 - d + 1, d = x - x + 1) { if (x == 7) continue; s = s * 10 + x; } dst[i] = s * 10 + d;",
      // n: 9 (9 % 2 + 2 - 1 + 1 = 3), 6 (2), 4 (2), 2 ends.
      9641,
    ],
    ["hlsl", "int s = 0; for (int n = 1; bool more = n < 20; n += more ? n : 0) s += n; dst[i] = s;", 31],
    ["glsl", "int s = 0; for (int n = 1; bool more = n < 20; n += more ? n : 0) s += n; dst[i] = s;", 31],
    // C++17.
    ["msl", "int x = 9; if (int x = int(i) + 3; x > 2) dst[i] = x; else dst[i] = -x; dst[i] += x;", 12],
    ["msl", "int x = 1; if (x += 4; int y = x - 5) dst[i] = y; else dst[i] = y + x * 2;", 10],
    ["msl", "switch (int x = 2; x + 1) { case 3: dst[i] = x * 5; break; default: dst[i] = 0; }", 10],
    ["msl", "if (; i == 0) dst[i] = 6; else if (const int y = 3; y == 3) dst[i] = y;", 6],
  ])("in %s: %s", async (from, body, value) => everywhere(from, around[from](body), value));
});

describe("what is refused is refused by name", () => {
  test.each<[string, TwoWayDialect, string]>([
    ["a character or string with a prefix", "msl", "\nif (i == 0) dst[i] = u8'a';"],
    ["a character or string with a prefix", "msl", "\nif (i == 0) dst[i] = L'a' + 2;"],
    ["a character or string with a prefix", "msl", '\nif (i == 0) dst[i] = sizeof(R"(a)");'],
    ["a character or string with a prefix", "opencl", "\nif (i == 0) dst[i] = f(L'a');"],
    [
      "a declaration in a condition that the step names",
      "msl",
      "\nfor (int n = 3; const int x = n; n -= x) dst[i] = x;",
    ],
  ])("%s in %s: %s", async (what, from, body) => {
    const text = around[from](body);
    const { diagnostics } = await compile(text, { from });
    const errors = diagnostics.filter((d) => d.severity === "error");
    expect(errors.map((d) => d.code)).toEqual(["XL1900"]);
    expect(errors[0]!.message).toContain(what);
    expect(text.split("\n")[errors[0]!.location!.line - 1]).toMatch(/if|while|for|switch/);
  });
  test.each<[string, string, string?]>([
    ["exception handling", "if (i > 5u) throw 1;"],
    ["memory by 'new'", "thread int *p = new int(3); dst[i] = *p;"],
    ["'delete'", "thread int *p = nullptr; delete p;"],
    ["'typeid'", "dst[i] = typeid(int) == typeid(i);"],
    ["a pointer to a member", "int S::*p = &S::b; S s{1, 2}; dst[i] = s.*p;", "struct S { int a; int b; };"],
    ["a pointer to a member", "int (S::*p)(int) = &S::f; S s{1};", "struct S { int a; int f(int x) { return x; } };"],
    ["'using enum'", "using enum E; dst[i] = int(b);", "enum class E { a, b };"],
    ["a declaration of a function in a function", "int g(int); dst[i] = 1;"],
    [
      "a lambda with a template's parameters, other than by 'auto',",
      "auto f = []<typename T>(T a) { return a; }; dst[i] = f(1);",
    ],
  ])("%s: %s", async (what, body, before = "") => {
    const { diagnostics } = await compile(around.msl(body, before), { from: "msl" });
    const errors = diagnostics.filter((d) => d.severity === "error");
    expect([...new Set(errors.map((d) => `${d.code} ${d.message}`))]).toEqual([`XL1900 ${what} is not supported yet`]);
  });
  // GLSL 4.60 9 (loops only), C99 6.8.4 and 6.8.5, DXC; C++14 8.5.4: the list is a std::initializer_list, of a header that Metal has not.
  test.each<[string, TwoWayDialect, string]>([
    ["GLSL has no declaration in a condition", "glsl", "if (bool b = i < 3u) dst[i] = 1;"],
    ["OpenCL C has no declaration in a condition", "opencl", "if (int x = dst[1]) dst[i] = x;"],
    ["OpenCL C has no declaration in a condition", "opencl", "while (int x = dst[1]) dst[i] = x;"],
    ["OpenCL C has no declaration in a condition", "opencl", "for (int n = 1; int x = dst[1]; n++) dst[i] = x;"],
    ["OpenCL C has no statement before a condition", "opencl", "if (int x = dst[1]; x) dst[i] = x;"],
    ["HLSL has no statement before a condition", "hlsl", "if (int x = dst[1]; x) dst[i] = x;"],
    ["GLSL has no statement before a condition", "glsl", "if (int x = dst[1]; x > 0) dst[i] = x;"],
    ["MSL has no range-based for over a list", "msl", "for (int x : {1, 2, 3}) dst[i] += x;"],
  ])("%s: %s %s", async (message, from, body) => {
    const { diagnostics } = await compile(around[from](body), { from });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => [d.code, d.message])).toEqual([
      ["XL2021", message],
    ]);
  });
  test("a range-based for over what is no array", async () => {
    expect(await refusal("msl", around.msl("int3 v = 1;\nfor (int x : v) dst[i] += x;"))).toEqual([
      ["XL2003", expect.any(Number)],
    ]);
    expect(
      await refusal("msl", around.msl("P v = { 1 };\nfor (int x : v) dst[i] += x;", "struct P { int a; };")),
    ).toEqual([["XL2012", expect.any(Number)]]);
  });
  test.each<TwoWayDialect>(["glsl", "opencl", "hlsl"])("a range-based for in %s", async (from) =>
    expect(await refusal(from, around[from](`int a[3];\nfor (int x : a) dst[i] += x;`))).toEqual([
      ["XL2021", expect.any(Number)],
    ]),
  );
  test("kernels that are called in MSL", async () => {
    const text =
      "#include <metal_stdlib>\nusing namespace metal; kernel void a(device int *dst [[buffer(0)]]) { dst[0] = 1; }\nkernel void k(device int *dst [[buffer(0)]]) { a(dst); }\n";
    const { diagnostics } = await compile(text, { from: "msl" });
    expect(diagnostics.map((d) => [d.code, d.message])).toEqual([
      ["XL2010", "the kernel 'a' is called, which MSL does not allow"],
      ["XL4011", "kernel 'k' cannot be translated, and is left out"],
    ]);
  });
});

/** C++14 6.5.4. */
describe("range-based for", () => {
  const arrays = "int a[4] = { 1, 2, 3, 4 }; P p = { { 7, 8, 9 } }; array<int, 2> c = { { 20, 30 } }; int s = 0;";
  test.each<[string, number]>([
    ["for (auto &x : a) { x *= 2; } for (int x : a) s += x;", 20],
    ["for (const auto x : p.v) { if (x == 8) continue; for (int y : p.v) { int x = y; s += x; } s += x; }", 64],
    ["for (int x : c) s += x;", 50],
    ["int m[2][2] = { { 1, 2 }, { 3, 4 } }; for (auto &row : m) for (int a : row) s = s * 10 + a;", 1234],
    ["for (int a : a) s = s * 10 + a;", 1234],
    ["for (thread int &x : a) { if (x == 3) break; x = 9; } s = a[0] * 1000 + a[1] * 100 + a[2] * 10 + a[3];", 9934],
    ["P q[2] = { { { 1, 2, 3 } }, { { 4, 5, 6 } } }; int j = 0; for (int x : q[j].v) { j = 1; s = s * 10 + x; }", 123],
    ["P r = { { 4, 5, 6 } }; thread P *t = &p; for (int x : t->v) { t = &r; s = s * 10 + x; }", 789],
    ["int n = 5; for (int x : a) { n += x; } s = n;", 15],
    ["for (float x : a) { a[3] = 40; s += x * 0.5f; }", 22],
    ["for (int x : made(5)) s = s * 10 + x;", 56],
    ["int m[2][2] = { { 1, 2 }, { 3, 4 } }; int j = 0; for (int x : m[j++]) s = s * 10 + x; s = s * 10 + j;", 121],
  ])("%s", async (body, value) =>
    everywhere(
      "msl",
      around.msl(
        `${arrays}\n${body}\ndst[0] = s;`,
        "struct P { int v[3]; };\nstatic array<int, 2> made(int n) { array<int, 2> r = { { n, n + 1 } }; return r; }",
      ),
      value,
    ),
  );
});

describe("kernels that are called", () => {
  test.each<[TwoWayDialect, string, number]>([
    // OpenCL C 3.0 6.9: a plain function; the ids are those of the one that is launched.
    [
      "opencl",
      "__kernel void a(__global int *d, int n) { d[get_global_id(0)] += n; }\n__kernel void k(__global int *dst) { a(dst, 3); a(dst, 4); }\n",
      7,
    ],
    [
      "opencl",
      "__kernel void a(int n, __global int *d) { n *= 2; d[0] = n; }\n__kernel void b(__global int *d) { a(5, d); }\n__kernel void k(__global int *dst) { b(dst); dst[0]++; }\n",
      11,
    ],
    ["opencl", "__kernel void a() {}\n__kernel void k(__global int *dst) { a(); dst[0] = 2; }\n", 2],
    // DXC takes it.
    [
      "hlsl",
      "RWStructuredBuffer<int> dst : register(u0);\n[numthreads(1, 1, 1)] void a(uint3 g : SV_DispatchThreadID) { dst[0] += int(g.x); }\n[numthreads(1, 1, 1)] void k(uint3 g : SV_DispatchThreadID) { a(g + 6); a(7); }\n",
      13,
    ],
  ])("in %s: %s", async (from, text, value) => everywhere(from, text, value, "k"));
});

describe("typeof", () => {
  // clang-19 of OpenCL C says "use of undeclared identifier 'typeof'"; DXC and glslang have no such word either.
  test.each([
    ["opencl", "OpenCL C has no 'typeof'", "write __typeof__(x)"],
    ["msl", "MSL has no 'typeof'", "write decltype(x)"],
    ["hlsl", "HLSL has no 'typeof'", "write decltype(x)"],
    ["glsl", "GLSL has no 'typeof'", "write the type itself"],
  ] as const)("is named where %s has it not", async (from, message, help) => {
    const { diagnostics } = await compile(around[from]("typeof(dst[i]) v = 1; dst[i] = v;"), { from });
    const errors = diagnostics.filter((d) => d.severity === "error");
    expect(errors.map((d) => [d.code, d.message, d.help])).toEqual([["XL2021", message, help]]);
  });
});

/** Types as clang 19 has them (`_Static_assert`s and LLVM IR of the same texts): C leaves the type of an enumeration to the compiler. */
describe("an enumeration of C", () => {
  const signed = "enum M { NEG = -1, BIG = 0x1ffffffffL, SMALL = 5 };";
  const wide = "typedef enum { U = 0xcbbb9d5dc1059ed8ULL, V = 1, W } H;";
  test.each([
    ["has no sign where no enumerator is negative", "enum E { A = 1, B };", "enum E e = A; dst[i] = e - 2 < 0;", 0],
    ["divides as such", "enum E { A = 1, B };", "enum E e = (enum E)(i - 1); dst[i] = e / 2;", 0x7fffffff],
    ["has one where one is", "enum M { A = -1, B };", "enum M e = B; dst[i] = e - 1 < 0;", 1],
    ["has enumerators that are ints where those hold them", "enum N { A = 0xffffffffu, B };", "dst[i] = sizeof(B);", 8],
    ["of which large ones have no sign", "enum N { A = 0xffffffffu, B = 1 };", "dst[i] = (-1 < B) + 2 * (-1 < A);", 1],
    ["of 64 bits", wide, "ulong v = U ^ (ulong)i; dst[i] = (int)(v >> 32) == 0xcbbb9d5d && (uint)v == 0xc1059ed8u;", 1],
    ["of 64 bits has no sign either", wide, "H h = V; dst[i] = (h - 2 < 0) + 2 * (-1 < V) + 4 * (-1 < U);", 2],
    ["of 64 bits counts on", wide, "dst[i] = W * 100 + sizeof(V) * 10 + sizeof(H);", 248],
    ["of 64 bits with a sign", signed, "enum M m = SMALL; dst[i] = (m - 6 < 0) * 100 + (int)(BIG >> 28);", 131],
  ])("%s", async (_what, before, body, value) => {
    await everywhere("opencl", around.opencl(body, before), value);
  });

  test("as a label, and as the length of an array", async () => {
    const body =
      "enum E e = (enum E)(i + 2); int a[B + 1]; a[B] = 7; switch (e) { case A: dst[i] = 1; break; case B: dst[i] = a[B]; }";
    await everywhere("opencl", around.opencl(body, "enum E { A = 1, B };"), 7);
  });

  test("whose next value nothing holds is refused", async () => {
    const text = around.opencl("dst[i] = 0;", "enum E {\n  A = 0xffffffffffffffffUL,\n  B };");
    expect(await refusal("opencl", `${text.replace("dst[i] = 0", "dst[i] = B == 0")}`)).toEqual([["XL2007", 3]]);
  });
});
