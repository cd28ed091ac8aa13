/** Names, overloads, calls and statements: what is accepted, what each refusal says. */
import { describe, expect, test } from "vitest";
import { analyzed, dumped, moduleOf, problemsOf } from "./support.js";

const msl = (text: string): string => `#include <metal_stdlib>\nusing namespace metal;\n${text}`;
const glsl = (text: string): string =>
  `#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer F { float f[]; };\n${text}`;
const inGlsl = (body: string): string => glsl(`void main() {\n${body}\n}`);

describe("names", () => {
  test("unknown names say what was meant", async () => {
    const { problems } = await analyzed("glsl", inGlsl("float weight = 1.0; f[0] = wieght;"));
    expect(problems.map((p) => [p.code, p.message, p.help])).toEqual([
      ["XL2001", "name 'wieght' is not declared", "did you mean 'weight'?"],
    ]);
    expect(await problemsOf("msl", msl("kernel void k(device flaot *x [[buffer(0)]]) {}"))).toEqual([
      "XL2013 type 'flaot' is not known",
    ]);
    expect(await problemsOf("opencl", "__kernel void k(__global float *x) { x[0] = sqroot(x[1]); }")).toEqual([
      "XL2001 function 'sqroot' is not declared",
    ]);
  });

  test("what functions of extensions are given is what is not declared", async () => {
    const text = `#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_expect_assume : require
layout(binding = 1) buffer B { float x[]; } b[4];
void main() { b[nonuniformEXT(one)].x[0] = 1.0; assumeEXT(two); int k = expectEXT(three, 3); }`;
    expect(await problemsOf("glsl", glsl(text))).toEqual([
      "XL2001 name 'one' is not declared",
      "XL2001 name 'two' is not declared",
      "XL2001 name 'three' is not declared",
    ]);
  });

  test("a wrong declaration is reported once, not at each use", async () => {
    expect(await problemsOf("glsl", inGlsl("vec5 v = vec5(1.0); f[0] = v.x + v.y;"))).toHaveLength(1);
    expect(await problemsOf("opencl", "__kernel void k(__global foo *x) { x[0] = x[1]; x[2] = 1; }")).toHaveLength(1);
  });

  test("several independent errors of a file are all reported", async () => {
    expect(await problemsOf("glsl", inGlsl("f[0] = a;\n f[1] = b;\n f[2] = c;"))).toEqual([
      "XL2001 name 'a' is not declared",
      "XL2001 name 'b' is not declared",
      "XL2001 name 'c' is not declared",
    ]);
  });

  test("scopes: shadowing in blocks and for, none within one scope", async () => {
    expect(
      await problemsOf(
        "glsl",
        inGlsl("float a = 1.0; { float a = 2.0; f[0] = a; } for (int a = 0; a < 2; a++) f[a] = 0.0;"),
      ),
    ).toEqual([]);
    expect(await problemsOf("glsl", inGlsl("float a = 1.0; int a = 2;"))).toEqual([
      "XL2002 'a' is declared twice in this scope",
    ]);
    expect(await problemsOf("glsl", inGlsl("for (int i = 0; i < 2; i++) {} f[i] = 0.0;"))).toEqual([
      "XL2001 name 'i' is not declared",
    ]);
  });
});

describe("functions", () => {
  test("overloads are ranked by conversions", async () => {
    const text = (args: string): string =>
      glsl(
        `float g(int x) { return 1.0; }\nfloat g(float x) { return 2.0; }\nfloat g(vec2 x) { return 3.0; }\nvoid main() { f[0] = g(${args}); }`,
      );
    const module = await moduleOf("glsl", text("2"));
    const called = module.functions.find((x) => x.isEntry)!;
    expect(JSON.stringify(called)).toContain('"function":0');
    expect(JSON.stringify((await moduleOf("glsl", text("2u"))).functions.find((x) => x.isEntry))).toContain(
      '"function":1',
    );
    expect(JSON.stringify((await moduleOf("glsl", text("vec2(1.0)"))).functions.find((x) => x.isEntry))).toContain(
      '"function":2',
    );
    expect(await problemsOf("glsl", text("true"))).toEqual(["XL2005 no function 'g' takes (bool)"]);
  });

  test("two overloads that fit equally well are ambiguous", async () => {
    expect(
      await problemsOf(
        "glsl",
        glsl(
          "float g(int x, float y) { return 1.0; }\nfloat g(float x, int y) { return 2.0; }\nvoid main() { f[0] = g(1, 1); }",
        ),
      ),
    ).toEqual(["XL2005 the call of 'g' with (int, int) fits several functions equally well"]);
  });

  test("default arguments are filled in at the call", async () => {
    const dump = await dumped(
      "msl",
      msl(
        "static float g(float x, float y = 2, uint z = 1u << 3) { return x + y + z; }\nkernel void k(device float *x [[buffer(0)]]) { x[0] = g(1); x[1] = g(1, 3); }",
      ),
    );
    expect(dump).toContain("g(1f32, 2f32, 1u32 << 3i32);");
    expect(dump).toContain("g(1f32, 3f32, 1u32 << 3i32);");
  });

  test("prototypes, and functions never defined", async () => {
    expect(
      await problemsOf(
        "opencl",
        "float g(float x);\n__kernel void k(__global float *x) { x[0] = g(1.0f); }\nfloat g(float x) { return x; }",
      ),
    ).toEqual([]);
    expect(
      await problemsOf("opencl", "float g(float x);\n__kernel void k(__global float *x) { x[0] = g(1.0f); }"),
    ).toEqual(["XL2001 function 'g' is called and never defined"]);
  });

  test("recursion is refused, also by way of another function", async () => {
    expect(
      await problemsOf(
        "glsl",
        glsl("float g(float x) { return x > 1.0 ? g(x - 1.0) : x; }\nvoid main() { f[0] = g(1.0); }"),
      ),
    ).toEqual(["XL2008 'g' calls itself"]);
    expect(
      await problemsOf(
        "glsl",
        glsl(
          "float h(float x);\nfloat g(float x) { return h(x); }\nfloat h(float x) { return g(x); }\nvoid main() { f[0] = g(1.0); }",
        ),
      ),
    ).toEqual(["XL2008 'h' is called again by 'g', which it calls"]);
  });

  test("out arguments must be variables, references of the right space", async () => {
    expect(await problemsOf("glsl", glsl("void g(out float x) { x = 1.0; }\nvoid main() { g(2.0); }"))).toEqual([
      "XL2006 this is a value, it cannot be passed to be written",
    ]);
    expect(
      await problemsOf(
        "msl",
        msl(
          "static void g(threadgroup float &x) { x = 1; }\nkernel void k(device float *x [[buffer(0)]]) { g(x[0]); }",
        ),
      ),
    ).toEqual(["XL2005 no function 'g' takes (float)"]);
    expect(
      await problemsOf(
        "msl",
        msl(
          "static void g(device float *x) { x[0] = 1; }\nkernel void k(const device float *x [[buffer(0)]]) { g(x); }",
        ),
      ),
    ).toEqual(["XL2005 no function 'g' takes (device const float *)"]);
  });

  test("a function of the source hides a builtin of its name where it fits", async () => {
    const dump = await dumped(
      "glsl",
      glsl("float mod(float x, int y) { return x; }\nvoid main() { f[0] = mod(f[1], 2); f[1] = mod(f[1], 2.0); }"),
    );
    expect(dump).toContain("mod(f[1i32], 2i32);");
    expect(dump).toContain("math.mod<f32>(f[1i32], 2f32)");
  });
});

describe("writing", () => {
  test("constants, inputs and read-only buffers are not written", async () => {
    expect(await problemsOf("glsl", inGlsl("const float a = 1.0; a = 2.0;"))).toEqual([
      "XL2006 this cannot be written: 'a' is const",
    ]);
    expect(await problemsOf("glsl", inGlsl("gl_LocalInvocationIndex = 2u;"))).toEqual([
      "XL2006 this cannot be written: 'gl_LocalInvocationIndex' is an input",
    ]);
    expect(
      await problemsOf("hlsl", "StructuredBuffer<float> x;\n[numthreads(1,1,1)] void main() { x[0] = 1; }"),
    ).toEqual(["XL2006 this cannot be written: StructuredBuffer is read-only"]);
    expect(await problemsOf("msl", msl("kernel void k(constant float &x [[buffer(0)]]) { x = 1; }"))).toEqual([
      "XL2006 this cannot be written: 'x' is an argument by value",
    ]);
    expect(await problemsOf("opencl", "__kernel void k(__global const float *x) { x[0] = 1; }")).toEqual([
      "XL2006 this cannot be written: the pointer points to const",
    ]);
  });

  test("entry parameters that are written become variables", async () => {
    const dump = await dumped("opencl", "__kernel void k(__global float *x, int n) { n -= 1; x += n; *x = 1; }");
    expect(dump).toContain("var x#2: global f32* = &global x[0i32];");
    expect(dump).toContain("var n#2: i32 = n;");
    const written = await dumped(
      "msl",
      msl(
        "kernel void k(device float *x [[buffer(0)]], uint2 g [[thread_position_in_grid]]) { g.x += 2; x[g.x] = g.y; }",
      ),
    );
    expect(written).toContain("var g: u32x2 = @global_id.xy;");
  });

  test("entry parameters that are only read are the values themselves", async () => {
    const dump = await dumped(
      "msl",
      msl(
        "kernel void k(device float *x [[buffer(0)]], uint2 g [[thread_position_in_grid]], ushort l [[thread_index_in_threadgroup]]) { x[g.y] = l; }",
      ),
    );
    expect(dump).toContain("x[@global_id.y] = to<f32>(to<u16>(@local_index));");
  });
});

describe("statements", () => {
  test("switch keeps its labels and falls through", async () => {
    const dump = await dumped(
      "glsl",
      inGlsl("int x = 0; switch (x) { case 0: case 1: f[0] = 1.0; case 2: break; default: f[1] = 2.0; }"),
    );
    expect(dump).toContain(
      [
        "  switch (x) {",
        "    case 0i32, 1i32:",
        "      f[0i32] = 1f32;",
        "    case 2i32:",
        "      break;",
        "    case default:",
        "      f[1i32] = 2f32;",
      ].join("\n"),
    );
    expect(await problemsOf("glsl", inGlsl("int x = 0; switch (x) { case 1: break; case 1: break; }"))).toEqual([
      "XL2002 the case 1 stands twice",
    ]);
    expect(await problemsOf("glsl", inGlsl("int x = 0; switch (x) { case x: break; }"))).toEqual([
      "XL2007 a case label must be a constant integer",
    ]);
  });

  test("adjacent fences and barriers are one", async () => {
    const barriers = async (text: string): Promise<number> =>
      (await dumped("glsl", inGlsl(text))).split("barrier execution").length - 1;
    expect(await barriers("memoryBarrierShared(); barrier();")).toBe(1);
    expect(await barriers("barrier(); f[0] = 1.0; barrier();")).toBe(2);
  });

  test("jumps outside loops", async () => {
    expect(await problemsOf("glsl", inGlsl("break;"))).toEqual(["XL2011 'break' stands outside loops and switches"]);
    expect(await problemsOf("glsl", inGlsl("continue;"))).toEqual(["XL2011 'continue' stands outside loops"]);
    expect(await problemsOf("glsl", inGlsl("discard;"))).toEqual([
      "XL2011 'discard' has no meaning in a compute kernel",
    ]);
  });

  test("returns agree with the function", async () => {
    expect(await problemsOf("glsl", glsl("float g() { return; }\nvoid main() { f[0] = g(); }"))).toEqual([
      "XL2018 the function returns float, here is no value",
    ]);
    expect(await problemsOf("glsl", inGlsl("return 1;"))).toEqual([
      "XL2018 the function returns nothing, here is a value",
    ]);
    expect(await problemsOf("glsl", glsl("float g() { }\nvoid main() { f[0] = g(); }"))).toEqual([
      "XL2018 'g' returns no value",
    ]);
  });

  test("hints to unroll", async () => {
    const module = await moduleOf(
      "hlsl",
      "RWStructuredBuffer<float> x;\n[numthreads(1,1,1)] void main() { [unroll(4)] for (int i = 0; i < 4; i++) x[i] = 0; [loop] while (x[0] > 1) x[0] -= 1; [unroll] for (int j = 0; j < 4; j++) x[j] = 0; }",
    );
    const hints = module.functions[0]!.body.statements.map((s) => ("unroll" in s ? s.unroll : undefined));
    expect(hints).toEqual([4, false, true]);
  });
});

describe("initialiser lists", () => {
  test("braces elided, missing elements zero, designators", async () => {
    const dump = await dumped(
      "opencl",
      "typedef struct { float4 v; int n[2]; } S;\n__kernel void k(__global float *x) { int a[2][3] = {1, 2, 3, 4}; S s = {.n = {[1] = 7}}; float b[] = {1, 2}; S z = {0}; x[0] = a[0][0] + s.n[1] + b[1] + z.n[0]; }",
    );
    expect(dump).toContain("make<i32[3][2]>(make<i32[3]>(1i32, 2i32, 3i32), make<i32[3]>(4i32, 0i32, 0i32))");
    expect(dump).toContain("make<struct S>(splat<f32x4>(0f32), make<i32[2]>(0i32, 7i32))");
    expect(dump).toContain("b: f32[2] = make<f32[2]>(1f32, 2f32)");
    expect(dump).toContain("make<struct S>(splat<f32x4>(0f32), make<i32[2]>(0i32, 0i32))");
  });
  test("a number in the place of a vector is all of its components", async () => {
    // clang-19 stores s in the second component of the first vector, and 3 in the first of the second.
    for (const [dialect, before, space] of [
      ["opencl", "__kernel", "__global"],
      ["msl", "#include <metal_stdlib>\nusing namespace metal;\nkernel", "device"],
    ] as const) {
      const dump = await dumped(
        dialect,
        `struct P { float4 a; float4 b; };\n${before} void k(${space} float *x) { float s = x[1]; struct P z = {s, 3.0f}; float4 l[2] = {{1.0f, 2.0f, 3.0f, 4.0f}, s}; x[0] = z.a.y + z.b.x + l[1].w; }`,
      );
      expect(dump).toContain("make<struct P>(splat<f32x4>(s), splat<f32x4>(3f32))");
      expect(dump).toContain("make<f32x4[2]>(make<f32x4>(1f32, 2f32, 3f32, 4f32), splat<f32x4>(s))");
    }
    expect(
      await problemsOf("opencl", "__kernel void k(__global float *x) { float4 l[2] = {x[0], x[1], x[2]}; }"),
    ).toEqual(["XL2014 there are more initialisers than float4[2] has parts"]);
  });
  test("too many elements", async () => {
    expect(await problemsOf("opencl", "__kernel void k(__global float *x) { int a[2] = {1, 2, 3}; }")).toEqual([
      "XL2014 there are more initialisers than int[2] has parts",
    ]);
  });
});

describe("what public kernels are written with", () => {
  test("a component of a vector through a pointer to its first", async () => {
    const dump = await dumped(
      "msl",
      msl(
        "kernel void k(device float4 *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { ((device float*)&x[i])[1u] = 20.0; float y = ((device const float*)&x[i])[3]; x[0].x = y; }",
      ),
    );
    expect(dump).toContain("x[@global_id.x].y = 20f32;");
    expect(dump).toContain("var y: f32 = x[@global_id.x].w;");
    // What leaves the vector reinterprets the buffer.
    const beyond = "kernel void k(device float4 *x [[buffer(0)]]) { ((device float*)&x[0])[4] = 20.0; }";
    expect(await dumped("msl", msl(beyond))).toMatch(/bits<global f32\*>.* \+> 4.*= 20f32;/);
    const other = "kernel void k(device float4 *x [[buffer(0)]]) { ((device uint*)&x[0])[1] = 20; }";
    expect(await dumped("msl", msl(other))).toMatch(/bits<global u32\*>.* \+> 1.*= 20u32;/);
  });

  test("empty structs are left out where nothing uses them", async () => {
    const kernel = (use: string): string =>
      msl(`struct In {\n};\nkernel void k(device float *x [[buffer(0)]]) { ${use} x[0] = 1.0f; }`);
    expect((await moduleOf("msl", kernel(""))).structs.size).toBe(0);
    // An object of one is there, as in C++; its size is one byte there, which no target's is.
    expect((await moduleOf("msl", kernel("In a;"))).structs.size).toBe(1);
    expect(await problemsOf("msl", kernel("x[1] = float(sizeof(In));"))).toEqual([
      "XL1900 sizeof of a struct without data is not supported yet",
    ]);
  });

  test("attributes before a cbuffer", async () => {
    const hlsl =
      "[[vk::binding(0, 0)]] cbuffer C : register(b0) { float a; };\nRWStructuredBuffer<float> x;\n[numthreads(1,1,1)] void main() { x[0] = a; }";
    expect((await moduleOf("hlsl", hlsl)).resources.map((r) => r.path)).toEqual(["C.a", "x"]);
    expect(await problemsOf("hlsl", hlsl)).toEqual(["XL2010 attribute 'vk::binding' is not carried over"]);
  });

  test("arrays of arrays of blocks are arrays of blocks", async () => {
    expect(
      await problemsOf(
        "glsl",
        glsl(
          "layout(binding = 1) buffer B { int r; } data[4][2];\nvoid main() { data[0][0].r = 1; data[1][1].r = 2; }",
        ),
      ),
    ).toEqual([]);
  });

  test("names from the host and from loops that have ended", async () => {
    const helps = async (from: "opencl" | "hlsl", source: string): Promise<unknown[]> =>
      (await analyzed(from, source)).problems.map((p) => p.help);
    expect(
      await helps("opencl", "__kernel void k(__global float *x) { __local float s[WORKGROUP_SIZE]; x[0] = 1; }"),
    ).toEqual(["a macro that the host defines is given as -D WORKGROUP_SIZE=value"]);
    expect(await helps("opencl", "__kernel void k(__global FLOAT4 *x) { x[0] = 1; }")).toEqual([
      "a macro that the host defines is given as -D FLOAT4=type",
    ]);
    // Of a name in capitals a macro is nearer than a function whose letters are alike.
    const of = (call: string): string => `__kernel void k(__global int *x) { int TILE = 4; x[0] = ${call}; }`;
    expect(await helps("opencl", of("ADD(x[1], 2)"))).toEqual([
      "a macro that the host defines is given as -D 'ADD(x)=...'",
    ]);
    expect(await helps("opencl", of("MAX(x[1], 2)"))).toEqual(["did you mean 'max'?"]);
    expect(await helps("opencl", of("TILES"))).toEqual(["did you mean 'TILE'?"]);
    // DXC: use of undeclared identifier 's'.
    const loop =
      "RWStructuredBuffer<uint> x;\n[numthreads(1,1,1)] void main() { for (uint s = 2; s < 8; s <<= 1) x[s] = s; x[0] = s; }";
    expect(await helps("hlsl", loop)).toEqual([
      "'s' ends with the loop it is declared in, although old HLSL compilers let it live on: declare it before the loop",
    ]);
  });

  test("a buffer's struct of nothing but T x[1], indexed freely, is an array", async () => {
    const module = await moduleOf(
      "msl",
      msl(
        "struct S { uint x[1]; };\nkernel void k(device S &s [[buffer(0)]], uint i [[thread_position_in_grid]]) { s.x[i] = 1u; }",
      ),
    );
    expect(module.structs.size).toBe(0);
    expect(module.variables.get(module.resources[0]!.variable)!.type).toEqual({
      kind: "array",
      element: { kind: "scalar", scalar: "u32" },
      length: undefined,
    });
  });
});

test("specialisation constants that size arrays keep their defaults, which is said", async () => {
  const source = `#version 450
layout(local_size_x_id = 3) in;
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint N = 4;
layout(constant_id = 1) const uint free = 5;
shared float s[gl_WorkGroupSize.x + N];
layout(binding = 0) buffer F { float f[]; };
void main() { s[gl_LocalInvocationIndex] = f[free]; barrier(); f[N] = s[0]; }`;
  const module = await moduleOf("glsl", source);
  expect(module.resources.map((r) => [r.kind, r.path])).toEqual([
    ["specialization", "free"],
    ["buffer", "f"],
  ]);
  expect(module.entries[0]!.workgroupSize).toEqual([32, 1, 1]);
  expect(module.assumptions!.map((a) => a.message)).toEqual([
    "gl_WorkGroupSize.x is 32, its default, since it sizes an array",
    "N is 4, its default, since it sizes an array",
  ]);
});

test("what is refused by name is refused once", async () => {
  const kernel = (before: string, use: string): string =>
    msl(`${before}\nkernel void k(device float *x [[buffer(0)]]) { ${use} }`);
  expect(
    await problemsOf("msl", kernel("struct S { float v; virtual float f() { return v; } };", "S s; x[0] = s.v;")),
  ).toEqual(["XL1900 a virtual function is not supported yet"]);
});

describe("what only some languages have", () => {
  // clang 19: "unexpected type name 'float4': expected expression", and so for each of them.
  test.each([
    "float4 v = float4(1.0f); x[0] = v.x;",
    "x[0] = float(3);",
    "S s = S(); x[0] = s.a;",
    "S s = S(1.0f); x[0] = s.a;",
  ])("C has no constructors: %s", async (body) => {
    const text = `typedef struct { float a; } S;\n__kernel void k(__global float *x) { ${body} }`;
    expect(await problemsOf("opencl", text)).toEqual(["XL2013 OpenCL C makes no values by calling a type"]);
  });

  // GLSL 4.60 5.5; glslang takes each of them, and refuses each of those below.
  test("scalars of GLSL have components", async () => {
    const same = async (a: string, b: string): Promise<void> =>
      expect(await dumped("glsl", inGlsl(a))).toBe(await dumped("glsl", inGlsl(b)));
    await same("vec3 v = f[0].xxx; f[0] = v.y;", "vec3 v = vec3(f[0]); f[0] = v.y;");
    await same("f[1] = f[0].s + f[0].r;", "f[1] = f[0] + f[0];");
    await same("f[0].x = 2.0;", "f[0] = 2.0;");
    for (const body of ["f[0] = f[1].y;", "f[0] = f[1].xr.x;", "f[0].xx = vec2(1.0);"])
      expect(await problemsOf("glsl", inGlsl(body)), body).toHaveLength(1);
  });
});
