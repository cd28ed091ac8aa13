import { expect, test } from "vitest";
import { translate } from "../../src/index.js";

test("pointers to volatile objects stay so, also where the object is atomic", async () => {
  const source = `void f(volatile global int *p) { atomic_add(p, 3); }
kernel void k(volatile global int *dst, volatile local int *t, volatile global int *plain) {
  volatile global int *p = dst;
  f(p + 1);
  volatile local int *q = t;
  q[0] = plain[0];
}`;
  const { code, diagnostics } = await translate(source, { from: "opencl", to: "msl" });
  expect(diagnostics).toEqual([]);
  expect(code).toContain("void f(device volatile atomic_int *p)");
  expect(code).toContain("device volatile atomic_int *p = dst;");
  expect(code).toContain("threadgroup volatile int *q = t;");
  expect(code).toContain("threadgroup volatile int *t [[threadgroup(0)]]");
});

test("a volatile block is so in helpers too", async () => {
  const source = `#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) volatile buffer O { uint o[]; };
void f(uint i) { o[i] += 1; }
void main() { f(gl_GlobalInvocationID.x); }`;
  const { code } = await translate(source, { from: "glsl", to: "opencl" });
  expect(code).toContain("void f(uint i, __global volatile uint *o)");
});

// C99 6.7.3: it is the cast's type by which the object is accessed.
test.each([
  "(volatile global uint *)p",
  "(volatile global float *)(global void *)p",
  "(volatile global float *)p",
  "((volatile global float *)p + i)",
  "(i == 0 ? (volatile global float *)p : (volatile global float *)(p + 1))",
])("what is read through %s is volatile, or that is assumed", async (cast) => {
  const source = `kernel void k(global float *p, global float *o, int i) { while (*${cast} == 0) {} o[0] = 1; }`;
  const msl = await translate(source, { from: "opencl", to: "msl" });
  expect(msl.code).toMatch(/\(device volatile (uint|float) \*\)/);
  const glsl = await translate(source, { from: "opencl", to: "glsl", workgroupSize: [1, 1, 1] });
  expect(glsl.assumptions.map((a) => a.op)).toContain("volatile");
  const strict = await translate(source, { from: "opencl", to: "glsl", workgroupSize: [1, 1, 1], strict: true });
  expect(strict.code).toBeUndefined();
});

test.each(["(volatile device uint *)p", "(volatile device float *)p", "((volatile device float *)p + i)"])(
  "so it is in OpenCL C, through %s of MSL",
  async (cast) => {
    const source = `#include <metal_stdlib>
kernel void k(device float *p, device float *o, uint i [[thread_position_in_grid]]) { while (*${cast} == 0) {} *(volatile device float *)(o + i) = 1; }`;
    const { code } = await translate(source, { from: "msl", to: "opencl" });
    expect(code).toMatch(/while \(.*\(__global volatile (uint|float) \*\).* == /);
    expect(code).toMatch(/\*\(__global volatile float \*\)&o\[(i|get_global_id\(0\))\] = 1\.0f;/);
  },
);

test("what a cast to volatile adds stays where it is written through, and goes where nothing is", async () => {
  const source = `struct S { int n; int m[4]; };
void f(volatile global int *p) { p[0] = 1; }
kernel void k(global int *a, global struct S *s, volatile global int *v, global int *c) {
  (*(volatile global int *)a)++;
  *((volatile global int *)a + 1) += 2;
  ((volatile global struct S *)s)[1].m[2] = 3;
  f((volatile global int *)a);
  atomic_add((volatile global int *)&c[4], 5);
  while (*(volatile global int *)c == 0) {}
  *(volatile global int *)v = 6;
  volatile global int *w = (volatile global int *)a;
  w[7] = *(global int *)a;
}`;
  const { code, diagnostics } = await translate(source, { from: "opencl", to: "msl" });
  expect(diagnostics).toEqual([]);
  const said = [...code!.matchAll(/\(device volatile (\w+ \*)\)/g)].map((m) => m[1]);
  expect(said).toEqual(["int *", "int *", "S *", "atomic_int *"]);
  expect(code).toContain("f(a);");
  expect(code).toContain("atomic_fetch_add_explicit(&c[4], 5, memory_order_relaxed)");
  expect(code).toContain("device volatile int *w = a;");
  expect(code).toContain("while (atomic_load_explicit((device volatile atomic_int *)c, memory_order_relaxed) == 0)");
});
