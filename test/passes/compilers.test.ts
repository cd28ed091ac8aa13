/** What single compilers ask of texts that their languages allow otherwise. */
import { expect, test } from "vitest";
import { translate } from "../../src/index.js";
import { judgeOutputs, judgeable, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const small = `__kernel void k(__global short *a, __global short *b, __global char *c) {
  uint i = get_global_id(0);
  a[i] = min(b[i], b[i + 1]);
  c[i] = clamp(c[i], c[i + 1], c[i + 2]);
}`;

judgeTest(
  judges.glsl,
  "glslang gets its capability for builtin functions on small values straight from buffers",
  async () => {
    const { code } = await translate(small, { from: "opencl", to: "glsl", workgroupSize: [8] });
    expect(refusals(await judgeOutputs([judgeable("glsl", "small", code!)]))).toBe("");
  },
);

test("an operand straight from a buffer is kept in a local", async () => {
  const { code } = await translate(small, { from: "opencl", to: "glsl", workgroupSize: [8] });
  expect(code).toContain("int16_t value = b[i];\n  a[i] = min(value, b[i + 1u]);");
});

const loop = (body: string): string => `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer B { int o[]; };
void main() { int k = 0; ${body} }`;

test.each([
  "for (;;) { k++; o[k & 7] = k; }",
  "while (true) { switch (k++) { case 9: break; } }",
  "do { o[0]++; } while (true);",
])("DXC takes no loop that nothing leaves: %s", async (body) => {
  const { code, diagnostics } = await translate(loop(body), { from: "glsl", to: "hlsl" });
  expect(code).toBeUndefined();
  expect(diagnostics.map((d) => d.code)).toEqual(["XL4008"]);
});

judgeTest(judges.hlsl, "and takes those that a break or a return leaves", async () => {
  const bodies = [
    "for (;;) { k++; if (k > 9) break; }",
    "while (true) { switch (k++) { case 9: return; } o[k] = k; }",
    "do { if (o[k++] > 3) return; } while (true);",
  ];
  const texts = await Promise.all(
    bodies.map(async (b) => judgeable("hlsl", b, (await translate(loop(b), { from: "glsl", to: "hlsl" })).code!)),
  );
  expect(refusals(await judgeOutputs(texts))).toBe("");
});

const atomics = `#version 450
layout(local_size_x = 8) in;
struct S { uint a; int b[2]; float c; };
shared S s;
layout(std430, binding = 0) buffer B { int o[]; };
void main() {
  s = S(0u, int[2](1, 2), 0.5);
  barrier();
  atomicAdd(s.a, 1u);
  atomicAdd(s.b[gl_LocalInvocationIndex & 1u], 2);
  barrier();
  o[gl_LocalInvocationIndex] = int(s.a) + s.b[1] * 10 + int(s.c * 200.0);
}`;

judgeTest(judges.msl, "MSL: an object that holds atomics is written part by part", async () => {
  const { code } = await translate(atomics, { from: "glsl", to: "msl" });
  expect(code).toMatch(/atomic_store_explicit\(&s\.b\[1\], 2, memory_order_relaxed\);\n\s+s\.c = 0\.5f;/);
  expect(refusals(await judgeOutputs([judgeable("msl", "atomics", code!)]))).toBe("");
});
