/**
 * C++ for OpenCL ("The C++ for OpenCL 1.0 and 2021 Programming Language Documentation"; clang -cl-std=clc++2021): results worked out by hand, through
 * every dialect and before every compiler, the sources before clang, too. What MSL has of C++ is read as it is there: its shapes are
 * asked again, as far as the language has what they are about.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, verify, type SourceOptions, type Target } from "../src/index.js";
import { baseShapes } from "./support/base-shapes.js";
import { bindingShapes } from "./support/binding-shapes.js";
import { deductionShapes } from "./support/deduction-shapes.js";
import { classShapes, type Shape } from "./support/class-shapes.js";
import { cxxForOpenclShapes } from "./support/cxx-for-opencl-shapes.js";
import { dialectsOf, fixtureNames, launchFilesOf, readLaunch, readSource, sourceFile } from "./support/expectations.js";
import { enumerationShapes } from "./support/enumeration-shapes.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { lateShapes } from "./support/late-shapes.js";
import { lambdaShapes } from "./support/lambda-shapes.js";
import { listShapes } from "./support/list-shapes.js";
import { namingShapes } from "./support/naming-shapes.js";
import { outsideShapes } from "./support/outside-shapes.js";
import { guideShapes } from "./support/guide-shapes.js";
import { partShapes } from "./support/part-shapes.js";
import { pointerBaseShapes } from "./support/pointer-base-shapes.js";
import { spellingShapes } from "./support/spelling-shapes.js";
import { rangeShapes } from "./support/range-shapes.js";
import { packShapes } from "./support/pack-shapes.js";
import { templateParameterShapes } from "./support/template-parameter-shapes.js";
import { judgeTest } from "./support/tool-test.js";

const clStd = "clc++2021";
const data = Int32Array.from({ length: 16 }, (_, i) => 10 + i);
const textOf = ({ before, body }: Pick<Shape, "before" | "body">): string =>
  `${before}\nkernel void k(global int* x, global int* y) { int i = get_global_id(0); ${body} }\n`;

/** What only MSL has: its library's types and traits, pointers to functions, bit-fields, vectors of several numbers by `int3(a, b, c)`. */
const ofMetal = [
  /\b(vec|integral_constant)<|_sequence\b/,
  /\b(is_\w+|enable_if|conditional)(_t|_v)?\b/,
  /\bconstant T&|threadgroup_barrier|\w[234]\(\w+(\.\w+)?, /,
  /\(\*(\w|\.\.\.)*\)\(|using \w+ = \w+\([\w, ]*\)/,
  /\buint \w* ?: \d/,
];
/** Shapes of MSL that clang does not take as C++ for OpenCL, by what it says. */
const notTaken = new Set([
  // "cannot convert initializer list argument": a list of several numbers is no vector where one is an argument.
  "lists that are vectors",
  // "expected identifier": `local` is a word of the language.
  "other names of namespaces",
  "calls of constexpr functions in constants",
  // "redefinition with a different type": a static member lies in global memory.
  "static members that get their values outside of the struct",
  "static members of templates",
  // a member in constant memory has its value where it is declared
  "static members of their own struct's type",
  "static members of instances, by themselves",
  "static members by way of an object, and specialisations in a struct",
  // "call to 'max' is ambiguous": the library's is hidden.
  "an overload that does not hide the library's, which fits better",
  "named like a function of the library, which comes first where it fits as well",
  // "taking address of function is not allowed"
  "a name in parentheses is not looked for with the arguments",
  "functions as values",
  "static functions of instances as values",
  "static functions as values within their struct",
  // "excess elements in scalar initializer": `int3(a, b, c)`
  "a vector made of one number by a constructor",
  // "pointers to functions are not allowed"
  "given in part, and functions as a pack",
  "instances of templates that are named and handed over",
  // "no matching constructor": an object in constant memory is not copied.
  "constants that constructors, operators and references make",
  // "no known conversion": what is static without `constant` lies in global memory.
  "constants that are static in lambdas, functions, methods and blocks, and pointers to them",
  // "automatic variable qualified with an invalid address space": `auto` keeps the space of an array.
  "structured bindings of constant memory and of bases",
  // "conflicting address space qualifiers"
  "names for the instance in itself",
  // "field may not be qualified with an address space": T of `const T (&a)[N]` is __private int.
  "guides by references and arrays",
]);
const asOpencl = (text: string): string =>
  text
    .replace(/\bthread\s+/g, "")
    .replace(/\bdevice\b/g, "global")
    .replace(/\bthreadgroup\b/g, "local")
    .replace(/\bstatic constant (constexpr )?/g, "static constexpr ");
const ofMsl = [
  ...baseShapes,
  ...lateShapes,
  ...bindingShapes,
  ...deductionShapes,
  ...classShapes,
  ...enumerationShapes,
  ...lambdaShapes,
  ...packShapes,
  ...templateParameterShapes,
  ...outsideShapes,
  ...guideShapes,
  ...partShapes,
  ...pointerBaseShapes,
  ...rangeShapes,
  ...namingShapes,
  ...spellingShapes,
  ...listShapes,
].flatMap((shape) => {
  const text = shape.before + shape.body;
  if (shape.entry || notTaken.has(shape.name) || ofMetal.some((form) => form.test(text))) return [];
  return [{ name: shape.name, y: shape.y, text: asOpencl(textOf(shape)) }];
});
const own = cxxForOpenclShapes.map((shape) => ({ name: shape.name, y: shape.y, text: textOf(shape) }));
const all = [...own, ...ofMsl];

const options = { from: "opencl", clStd, workgroupSize: [4] } as const;
const launches = [
  {
    workgroups: [1] as const,
    workgroupSize: [4] as const,
    args: {
      x: { type: "i32", count: 16, init: { values: [...data] } },
      y: { type: "i32", count: 4, init: { values: [0, 0, 0, 0] }, output: true },
    },
  },
] as const;

test("the shapes of MSL that C++ for OpenCL has are most of them", () => {
  expect(ofMsl.length).toBeGreaterThanOrEqual(55);
});

test.each(all)("$name", async ({ text, y }) => {
  for (const subgroupSize of [4, 32]) {
    const run = await simulate(text, {
      ...options,
      workgroups: [1],
      subgroupSize,
      args: { x: data.slice(), y: new Int32Array(4) },
    });
    expect(run.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect([...(run.buffers.y as Int32Array)]).toEqual([...y]);
  }
});

describe.each(["msl", "glsl", "hlsl", "opencl", "ts"] as const)("computes the same in %s", (to: Target) => {
  test.each(own)("$name", async ({ text }) => {
    const { result, firstDifference, diagnostics } = await verify(text, {
      ...options,
      to,
      subgroupSizes: [4, 32],
      launches,
    });
    expect(result, JSON.stringify(firstDifference ?? diagnostics)).toMatch(/^equivalent/);
  });
});

judgeTest(judges.opencl, "clang takes the sources", async () => {
  const fixtures = fixtureNames()
    .filter((name) => sourceFile(name, "opencl").endsWith(".clcpp"))
    .map((name) => ({ name, text: readSource(name, "opencl") }));
  expect(fixtures).toHaveLength(2);
  const texts = [...all, ...fixtures].map(({ name, text }): Judgeable => ({
    dialect: "opencl",
    name,
    text,
    options: { version: clStd },
  }));
  expect(refusals(await judgeOutputs(texts))).toBe("");
});

for (const to of ["msl", "glsl", "hlsl", "opencl"] as const)
  judgeTest(judges[to], `the compiler of ${to} takes the translations`, async () => {
    const texts = await Promise.all(
      all.map(async ({ name, text }) => {
        const made = await translate(text, { ...options, to });
        return judgeable(to, name, made.code ?? `${made.diagnostics.map((d) => d.message).join("\n")} (`);
      }),
    );
    expect(refusals(await judgeOutputs(texts))).toBe("");
  });

/** Types and values that C++ gives otherwise than C, or not: clang has to find all of them true, and so have we. */
const assertions = `
  constexpr int x = 2;
  enum Plain { pa = 2, pb }; enum Neg { na = -1, nb }; enum class Sc : uchar { x, y }; enum Big : ulong { ba = 1 };
  constexpr int f(bool) { return 1; } constexpr int f(char) { return 2; } constexpr int f(uchar) { return 3; } constexpr int f(short) { return 4; }
  constexpr int f(int) { return 5; } constexpr int f(uint) { return 6; } constexpr int f(long) { return 7; } constexpr int f(ulong) { return 8; }
  constexpr int f(float) { return 9; } constexpr int f(double) { return 10; }
  static_assert(sizeof('a') == 1 && f('a') == 2, "");
  static_assert(sizeof(1 < 2) == 1 && f(1 < 2) == 1, "");
  static_assert(f(!3) == 1 && f(true && x) == 1 && f(true) == 1, "");
  static_assert(true + true == 2 && f(true + true) == 5, "");
  static_assert(-(1 < 2) == -1, "");
  static_assert(f(true ? 'a' : 'b') == 2 && f(true ? (short)1 : (short)2) == 4 && f(true ? (uchar)1 : (uchar)2) == 3, "");
  static_assert(f(true ? 1 : 'a') == 5 && f(true ? 1 : 2u) == 6 && f(true ? 1.0f : 2) == 9, "");
  static_assert(f(true ? (1 < 2) : (2 < 3)) == 1 && f(true ? (1 < 2) : 1) == 5, "");
  static_assert(f('a' + 'b') == 5 && f((short)1 + (short)2) == 5 && f(+'a') == 5 && f(~(uchar)1) == 5, "");
  static_assert(f(na) == 5 && f(pa) == 5 && pa - 3 < 0, "");
  static_assert(f(ba) == 8, "");
  static_assert(f(1.0) == 10 && f(1.0f * 2) == 9, "");
  static_assert(f(1 << ('a' - 96)) == 5 && f(1u << 2) == 6 && f((uchar)1 << 2) == 5, "");
  static_assert(f(0xffffffff) == 6 && f(0x7fffffff) == 5 && f(4294967296) == 7 && f(1'000) == 5 && f(0b11) == 5, "");
  static_assert(sizeof(long) == 8 && sizeof(int3) == 16 && sizeof(Sc) == 1 && sizeof(bool) == 1 && sizeof(Big) == 8, "");
  static_assert(f(sizeof(int)) == 8, "");
  static_assert((7 ^ 2 bitor 1) == 5 && (true xor true) == 0 && (not 1) == false, "");
  static_assert(int(3.9f) == 3 && int{4} == 4 && static_cast<uchar>(300) == 44 && bool(2) == 1, "");
  kernel void k(global int* p) {
    int4 v = p[0]; short4 s = (short)1; char2 c = 1; float4 g = 1.0f; double2 d = 1.0;
    static_assert(sizeof(v < v) == 16 && sizeof(s < s) == 8 && sizeof(c == c) == 2 && sizeof(g < g) == 16 && sizeof(!v) == 16 && sizeof(d < d) == 16 && sizeof(v && v) == 16, "");
    auto r = g < g; int4 t = r; auto q = !s; short4 u = q; auto w = s && s; short4 z = w;
    p[0] = t.x + u.x + z.x;
  }
`;
judgeTest(judges.opencl, "types and values are those that clang computes", async () => {
  const source: Judgeable = { dialect: "opencl", name: "assertions", text: assertions, options: { version: clStd } };
  expect(refusals(await judgeOutputs([source]))).toBe("");
  const { diagnostics } = await translate(assertions, { ...options, to: "opencl", keepUnused: true });
  expect(diagnostics).toEqual([]);
  for (const wrong of [
    assertions.replace("== 5 && f(+", "== 4 && f(+"),
    assertions.replace("s < s) == 8", "s < s) == 16"),
  ])
    expect((await translate(wrong, { ...options, to: "opencl", keepUnused: true })).code).toBeUndefined();
});

/** By what clang says of them: a pointer to void that becomes another, 'restrict', names that are words of C++. */
const onlyC = new Set(["block_dot", "idioms", "pointer_walk", "reserved_names"]);
test("OpenCL C of the fixtures that is C++ for OpenCL means the same there", async () => {
  const names = fixtureNames().filter((name) => sourceFile(name, "opencl").endsWith(".cl"));
  const sources = names.filter((name) => dialectsOf(name).includes("opencl"));
  expect(sources.length).toBeGreaterThan(80);
  for (const name of sources) {
    const [file] = launchFilesOf(name);
    const { workgroupSize } = readLaunch(name, file);
    const asked = { from: "opencl", to: "glsl", workgroupSize, keepStatedSizes: true } as const;
    const [c, cxx] = await Promise.all(
      (["CL3.0", clStd] as const).map((std) => translate(readSource(name, "opencl"), { ...asked, clStd: std })),
    );
    expect(cxx!.code, name).toBe(onlyC.has(name) ? undefined : c!.code);
  }
}, 120_000);

describe("which language a text is in", () => {
  const text =
    "template <typename T> T twice(T v) { return v + v; }\nkernel void k(global int* x) { x[0] = twice(x[0]); }\n";
  const said = async (source: string, more: Partial<SourceOptions> = {}): Promise<string[]> => {
    const { code, diagnostics } = await translate(source, { from: "opencl", to: "msl", ...more });
    return [code === undefined ? "refused" : "written", ...diagnostics.map((d) => `${d.severity} ${d.code}`)];
  };
  test("is said by an option, by the file's name, or by the text", async () => {
    expect(await said(text, { clStd })).toEqual(["written"]);
    expect(await said(text, { clStd: "clc++" })).toEqual(["written"]);
    expect(await said(text, { fileName: "lib/k.clcpp" })).toEqual(["written"]);
    expect(await said(text, { fileName: "k.clc++" })).toEqual(["written"]);
    expect(await said(text)).toEqual(["written", "note XL1007"]);
    expect(await said(text, { clStd: "CL3.0" })).toEqual(["refused", "error XL2021"]);
    expect(await said(text, { clStd: "CL3.0", fileName: "k.clcpp" })).toEqual(["refused", "error XL2021"]);
  });
  test("stays OpenCL C where that takes it, or where it is wrong in both", async () => {
    expect(await said("kernel void k(global int* new) { int class = new[1]; new[0] = class; }")).toEqual(["written"]);
    expect(await said("kernel void k(global int* x) { x[0] = y; } // template")).toEqual(["refused", "error XL2001"]);
    expect(await said("kernel void k(global int* new) { new[0] = y; }")).toEqual(["refused", "error XL2001"]);
  });
  test("what is wrong in C++ for OpenCL is said of that", async () => {
    expect(await said(text.replace("v + v", "v + w"))).toEqual(["refused", "note XL1007", "error XL2001"]);
  });
  test("has its own macros", async () => {
    const asks = (version: number): string => `
#if __OPENCL_CPP_VERSION__ == ${version} && defined(__cplusplus) && !defined(__OPENCL_C_VERSION__)
kernel void k(global int* x) { auto v = 1; x[0] = v; }
#endif`;
    expect(await said(asks(202100), { clStd })).toEqual(["written"]);
    expect(await said(asks(100), { clStd: "clc++1.0" })).toEqual(["written"]);
    expect(await said(asks(100), { clStd })).toEqual(["refused", "error XL2010"]);
  });
  test("OpenCL C is what is written", async () => {
    const { code } = await translate(text, { from: "opencl", to: "opencl", clStd });
    expect(code).not.toMatch(/template|auto|&/);
    expect((await translate(code!, { from: "opencl", to: "opencl", clStd: "CL3.0" })).diagnostics).toEqual([]);
  });
  test("wants one of its names", async () => {
    await expect(translate(text, { from: "opencl", to: "msl", clStd: "c++" as never })).rejects.toThrow(
      /'clStd' is one of/,
    );
  });
});

describe("what is wrong in a function that is first read for the type of an 'auto'", () => {
  const wrong = (space: string, kernel: string): string => `struct C { int re; };
    struct D { C value; D times(D other) const { return {value * other.value}; } };
    template <typename T> T twice(T x) { return x.times(x); }
    kernel void k(${kernel}) { D d; d.value.re = p[0]; const auto e = twice(d); ${space} int* q = p; q[0] = e.value.re; }`;
  test.each([
    ["msl", `#include <metal_stdlib>\nusing namespace metal;\n${wrong("device", "device int* p [[buffer(0)]]")}`],
    ["opencl", wrong("global", "global int* p")],
  ] as const)("is said in %s", async (from, text) => {
    const { code, diagnostics } = await translate(text, {
      from,
      to: "opencl",
      ...(from === "opencl" ? { clStd } : {}),
    });
    expect(code).toBeUndefined();
    expect(diagnostics.map((d) => `${d.code} ${d.message}`)).toEqual([
      "XL2004 '*' does not take struct C and struct C",
    ]);
  });
});

describe("is refused", () => {
  test.each([
    ["a reference that the host would give", "kernel void k(global int& p) { p = 1; }", "XL1900"],
    [
      "an object at file scope that a constructor makes",
      "struct S { int a; S(int b) : a(b) {} }; S s(3); kernel void k(global int* p) { p[0] = s.a; }",
      "XL2007",
    ],
    [
      "a virtual function",
      "struct S { virtual int f() { return 1; } }; kernel void k(global int* p) { S s; p[0] = s.f(); }",
      "XL1900",
    ],
    [
      "memory that converts from void",
      "kernel void k(global int* p) { global void* v = p; global int* q = v; q[0] = 1; }",
      "XL2003",
    ],
    ["a bit-field", "struct S { int a : 3; }; kernel void k(global int* p) { S s; s.a = 1; p[0] = s.a; }", "XL2013"],
    [
      "a kernel that is a template",
      "template <typename T> kernel void k(global T* p) { p[0] = 1; } template kernel void k<int>(global int*);",
      "XL2010",
    ],
    [
      "a vector of several numbers by a call",
      "kernel void k(global float4* p) { p[0] = float4(1.0f, 2.0f, 3.0f, 4.0f); }",
      "XL2005",
    ],
    [
      "a vector of several numbers in parentheses",
      "kernel void k(global float4* p) { float2 v(1.0f, 2.0f); p[0].lo = v; }",
      "XL2005",
    ],
    [
      "a class template without arguments or a value",
      "template <typename T> struct R { T a; }; kernel void k(global int* p) { R r; }",
      "XL2005",
    ],
    [
      "constant memory for what takes any",
      "int f(int* p) { return *p; } constant int c = 3; kernel void k(global int* p) { p[0] = f(&c); }",
      "XL2005",
    ],
  ])("%s", async (_, text, code) => {
    const { diagnostics } = await translate(text, { from: "opencl", to: "opencl", clStd });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toContain(code);
  });
});
