/** Pointers in targets that have none: a place known at translation time, and indices. */
import { describe, expect, it } from "vitest";
import { simulate } from "../../src/index.js";
import { body, bodyOf, kernel, outcome } from "./text.js";

describe("pointer variables", () => {
  it("become offsets", async () => {
    expect(await body("device float *p = f + i * 4u; *p++ = 1.0f; p[2] = *p; p -= 1;", "msl", "glsl")).toEqual([
      "uint p_offset = gl_GlobalInvocationID.x * 4u;",
      "f[p_offset++] = 1.0;",
      "f[p_offset + 2u] = f[p_offset];",
      "p_offset -= 1u;",
    ]);
  });

  it("vanish where they stand still", async () => {
    expect((await body("__global float *p = &f[3]; *p = p[1];", "opencl", "hlsl")).slice(1)).toEqual([
      "f[3] = f[3 + 1];",
    ]);
  });

  it("that a helper does not look at leave it and its calls alike", async () => {
    const text = `int f(thread const int *x, thread int *g) { return g[2]; }
int both(thread int *x, thread int *g) { int r = f(x, g); r += x[1]; return r; }
kernel void k(device int *o [[buffer(0)]]) { int g[3] = {1, 2, 3}; int x[3] = {4, 5, 6}; o[0] = both(x, g); }`;
    const { text: glsl } = await outcome(text, "msl", "glsl");
    expect(glsl).toContain("int f(inout int g[3]) {\n  return g[2];\n}");
    expect(glsl).toContain("int r = f(g);");
    // g[2] + x[1]
    const { buffers } = await simulate(text, {
      from: "msl",
      workgroups: [1],
      workgroupSize: [1],
      args: { o: new Int32Array(1) },
    });
    expect(buffers["o"]).toEqual(Int32Array.of(8));
  });

  it("are compared by their offsets", async () => {
    const lines = await body(
      "device float *p = f; device float *end = f + i; while (p < end) *p++ = 0.0f;",
      "msl",
      "hlsl",
    );
    expect(lines).toEqual([
      "int p_offset = 0;",
      "uint end_offset = i.x;",
      "while (p_offset < int(end_offset)) f[p_offset++] = 0.0f;",
    ]);
  });

  it("are null by an index that no object has, and chosen by their indices", async () => {
    expect(await body("__global int *p = 0; if (i > 3u) p = x + 1; if (p) *p = 1;", "opencl", "glsl")).toEqual([
      "uint i = gl_GlobalInvocationID.x;",
      "int p_offset = -2147483647 - 1;",
      "if (i > 3u) p_offset = 1;",
      "if (p_offset != -2147483647 - 1) x[p_offset] = 1;",
    ]);
    expect((await body("__global int *p = i > 3u ? x + 2 : x; *p = 1;", "opencl", "glsl")).slice(1)).toEqual([
      "int p_offset = i > 3u ? 2 : 0;",
      "x[p_offset] = 1;",
    ]);
    expect((await body("__global int *p = NULL; if (p == NULL) p = x + i;", "opencl", "msl")).slice(1)).toEqual([
      "if (p == nullptr) p = &x[i];",
    ]);
  });

  it("may point into several objects, and are asked which at each use", async () => {
    expect((await body("__global int *p = x; if (i > 3u) p = x + 1; *p = 1;", "opencl", "glsl")).at(-1)).toBe(
      "x[p_offset] = 1;",
    );
    const other = `__kernel void k(__global int *a, __global int *b, int n) { __global int *p = a; if (n > 3) p = b; *p = 1; }`;
    expect(bodyOf((await outcome(other, "opencl", "glsl")).text)).toEqual([
      "int p_object = 0;",
      "int p_offset = 0;",
      "if (n > 3) p_object = 1, p_offset = 0;",
      "if (p_object == 0) {",
      "  a[p_offset] = 1;",
      "} else {",
      "  b[p_offset] = 1;",
      "}",
    ]);
    // Two buffers of a launch may be one: that is assumed not to be. C leaves the order of two objects open then, and their distance: a pointer that may lead into either is taken to lead into that one.
    const compared = await outcome(other.replace("= 1;", "= p == a;"), "opencl", "glsl");
    expect(compared.problems).toEqual([]);
    expect(compared.notes.map((n) => [n.op, n.message])).toContainEqual(["buffers-apart", "b and a are two buffers"]);
    const ordered = await outcome(other.replace("= 1;", "= p < a;"), "opencl", "glsl");
    expect(ordered.notes.map((n) => [n.op, n.message])).toContainEqual(["buffers-apart", "b and a are two buffers"]);
    const far = await outcome(other.replace("= 1;", "= p - a;"), "opencl", "glsl");
    expect(far.problems).toEqual([]);
    expect(far.notes.map((n) => [n.op, n.message])).toContainEqual(["buffers-apart", "b and a are two buffers"]);
    const refused = await outcome(other.replace("= 1;", "= b - a;"), "opencl", "glsl");
    expect(refused.problems.map((p) => p.code)).toEqual(["XL4005"]);
    expect(refused.problems[0]!.notes).toHaveLength(1);
  });
});

describe("helpers that return pointers", () => {
  const refusals = async (helper: string, call: string): Promise<string[]> =>
    (
      await outcome(
        `${helper}\n__kernel void k(__global int *a, __global int *b, int n) { *${call} = 1; }`,
        "opencl",
        "glsl",
      )
    ).problems.map((p) => p.code);

  it("return what differs between calls, where the caller does not know it", async () => {
    const code =
      "__global int *at(__global int *p, int i) { return p + i; }\n__kernel void k(__global int *a, __global int *b, int n) { *at(a, n) = *at(b + n, 2); }";
    expect(bodyOf((await outcome(code, "opencl", "glsl")).text)).toEqual(["a[n] = b[at(n, 2)];"]);
  });

  it("say which of several objects they point into", async () => {
    const code =
      "__global int *f(__global int *p, __global int *q, int m) { return m > 3 ? p : q + m; }\n__kernel void k(__global int *a, __global int *b, int n) { *f(a, b, n) = 1; }";
    const { text } = await outcome(code, "opencl", "glsl");
    expect(text).toContain(
      "int f(int m, out int f_object) {\n  if (m > 3) {\n    f_object = 0;\n    return 0;\n  } else {\n    f_object = 1;\n    return m;\n  }\n}",
    );
    expect(text).toContain("f_offset = f(n, f_object);\n    if (f_object == 0) {\n      a[f_offset] = 1;");
  });

  it("may not point at what ends with them", async () => {
    expect(await refusals("int *f(int n) { return &n; }", "f(n)")).toEqual(["XL4006"]);
    expect(await refusals("int *f(int n) { int v[4]; return v + n; }", "f(n)")).toEqual(["XL4006"]);
  });
});

describe("helpers with pointers", () => {
  const twice = "static float twice(device const float *p, uint n) { return p[n] * 2.0f; }";

  it("keep their name where one buffer is meant", async () => {
    const { text } = await outcome(kernel("f[i] = twice(f, 3u);", "msl", twice), "msl", "glsl");
    expect(text).toContain("float twice(uint n) {\n  return f[n] * 2.0;\n}");
    expect(bodyOf(text)).toEqual(["f[gl_GlobalInvocationID.x] = twice(3u);"]);
  });

  it("take an offset where the pointer has one", async () => {
    const { text } = await outcome(kernel("f[i] = twice(f + i, 3u) + twice(f, 1u);", "msl", twice), "msl", "hlsl");
    expect(text).toContain("float twice(uint p_offset, uint n) {");
    expect(bodyOf(text).at(-1)).toBe("f[i.x] = twice(i.x, 3u) + twice(0u, 1u);");
  });

  it("are made anew for each buffer", async () => {
    const source = `
static int first(__global const int *p) { return p[0]; }
__kernel void k(__global const int *a, __global const int *b, __global int *c) { c[0] = first(a) + first(b); }`;
    const { text } = await outcome(source, "opencl", "glsl");
    expect(text).toContain("int first() {\n  return a[0];\n}");
    expect(text).toContain("int first_b() {\n  return b[0];\n}");
    expect(bodyOf(text)).toEqual(["c[0] = first() + first_b();"]);
  });

  it("hand private objects over as inout, whole arrays where the pointer moves", async () => {
    const source = `
static void set(int *p, int v) { *p = v; }
static int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
__kernel void k(__global int *x) { int a[4]; int b; set(&b, 1); set(&a[2], 5); x[0] = sum(a, 4) + b; }`;
    const { text } = await outcome(source, "opencl", "glsl");
    expect(text).toContain("void set(out int p, int v) {\n  p = v;\n}");
    expect(text).toContain("int sum(int p[4], int n) {");
    expect(bodyOf(text).slice(2)).toEqual(["set(b, 1);", "set(a[2], 5);", "x[0] = sum(a, 4) + b;"]);
  });

  it("get one copy of what two arguments may share", async () => {
    const source = `
static void both(thread int &a, thread int &b) { a += b; b = a; }
kernel void k(device int *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { int v[4] = {1, 2, 3, 4}; both(v[i & 3u], v[x[i] & 3]); x[i] = v[0]; }`;
    const { text } = await outcome(source, "msl", "hlsl");
    expect(text).toContain(
      "void both(inout int a[4], uint a_index, int b_index) {\n  a[a_index] += a[b_index];\n  a[b_index] = a[a_index];\n}",
    );
    expect(bodyOf(text).slice(1)).toEqual(["both(v, i.x & 3u, x[i.x] & 3);", "x[i.x] = v[0];"]);
  });

  it("get no copy of what a pointer past the end points at", async () => {
    const source = `
int sum(const int *b, const int *e) { int r = 0; while (b != e) r += *b++; return r; }
int count(const int *b, const int *e) { return (int)(e - b); }
void put(int *p, int on) { if (on) *p = 7; }
__kernel void k(__global int *x) { int a[4]; x[0] = sum(a, a + 4) + count(a, &a[4]); put(a + 4, x[1]); put(&a[1], x[2]); }`;
    const { text } = await outcome(source, "opencl", "glsl");
    expect(text).toContain("int sum(int b[4], int b_index, int e_index) {");
    expect(text).toContain("int count(int e_index) {\n  return e_index;\n}");
    expect(text).toContain("void put(inout int p[4], int p_index, int on) {");
    expect(bodyOf(text).slice(1)).toEqual([
      "x[0] = sum(a, 0, 4) + count(4);",
      "put(a, 4, x[1]);",
      "put_2(a[1], x[2]);",
    ]);
  });

  it("reach the nearest element where a constant index is outside its array", async () => {
    const source = `__kernel void k(__global int *x) { int a[4]; int *p = a; if (x[0] > 9) p[5] = 1; if (x[0] > 9) a[-1] = 2; p = a + 4; if (x[1]) *p = 3; x[0] = a[0]; }`;
    expect(bodyOf((await outcome(source, "opencl", "glsl")).text).slice(1)).toEqual([
      "if (x[0] > 9) a[3] = 1;",
      "if (x[0] > 9) a[0] = 2;",
      "if (bool(x[1])) a[3] = 3;",
      "x[0] = a[0];",
    ]);
    const moved = source.replace("p = a + 4", "if (x[2]) p = a + 4");
    expect(bodyOf((await outcome(moved, "opencl", "hlsl")).text).slice(2)).toEqual([
      "if (x[0] > 9) a[min(uint(p_offset + 5), 3u)] = 1;",
      "if (x[0] > 9) a[0] = 2;",
      "if (x[2]) p_offset = 4;",
      "if (x[1]) a[min(uint(p_offset), 3u)] = 3;",
      "x[0] = a[0];",
    ]);
  });

  it("are variables of their own once they are given anew, behind which no use asks where they lead", async () => {
    const source = `__kernel void k(__global float *dst, ulong offset, __global float *other, int n) {
  dst = (__global float *)((__global char *)dst + offset);
  dst[0] = 1;
  if (n > 3) dst = dst + n;
  *dst = 2;
  dst = other;
  dst[n] = 3;
}`;
    expect(bodyOf((await outcome(source, "opencl", "hlsl")).text)).toEqual([
      "uint dst_bytes = offset;",
      "int dst_offset = 0;",
      "dst.Store(dst_bytes + dst_offset * 4u, asuint(1.0f));",
      "if (n > 3) dst_offset += n;",
      "dst.Store(dst_bytes + dst_offset * 4u, asuint(2.0f));",
      "other[n] = 3.0f;",
    ]);
    expect(bodyOf((await outcome(source, "opencl", "msl")).text)).toEqual([
      "device float *dst1 = (device float *)((device char *)dst + offset);",
      "*dst1 = 1.0f;",
      "if (n > 3) dst1 += n;",
      "*dst1 = 2.0f;",
      "device float *dst2 = other;",
      "dst2[n] = 3.0f;",
    ]);
  });
});

describe("copying parameters", () => {
  const swap = "void swap(inout int a, inout int b) { int t = a; a = b; b = t; }";

  it("become references or pointers to the object itself", async () => {
    const { text } = await outcome(
      kernel("int p = 1, q = 2; swap(p, q); x[i] = p - q;", "glsl", swap),
      "glsl",
      "opencl",
    );
    expect(text).toContain("void swap(int *a, int *b) {\n  int t = *a;\n  *a = *b;\n  *b = t;\n}");
    expect(text).toContain("  swap(&p, &q);");
  });

  it("go through a temporary for memory and for components", async () => {
    const memory = await outcome(kernel("int p = 1; swap(p, x[i]);", "glsl", swap), "glsl", "msl");
    expect(bodyOf(memory.text)).toEqual(["int p = 1;", "uint at = i;", "int b = x[at];", "swap(p, b);", "x[at] = b;"]);
    const { text } = await outcome(
      kernel("ivec2 v = ivec2(1, 2); swap(v.x, v.y); x[i] = v.x;", "glsl", swap),
      "glsl",
      "msl",
    );
    expect(bodyOf(text)).toEqual([
      "int2 v = int2(1, 2);",
      "int a = v.x;",
      "int b = v.y;",
      "swap(a, b);",
      "v.x = a;",
      "v.y = b;",
      "x[i] = v.x;",
    ]);
  });
});
