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
