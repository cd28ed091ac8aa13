/** Expressions that might be constants for glslang, and are none. */
import { expect, test } from "vitest";
import { simulate, translate, verify } from "../../src/index.js";

test("a function without arguments is none", async () => {
  const text = `#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 4) in;
layout(binding = 0) buffer B { uint x[]; };
void main() {
  x[gl_LocalInvocationIndex] = float(subgroupElect()) > 0.5 ? 1 : 2;
}
`;
  const args = { x: new Uint32Array(4) };
  const { buffers } = await simulate(text, { from: "glsl", workgroups: [1], subgroupSize: 4, args });
  expect([...(buffers["x"] as Uint32Array)]).toEqual([1, 2, 2, 2]);
  for (const to of ["msl", "opencl", "hlsl"] as const)
    expect((await translate(text, { from: "glsl", to })).code).toContain("1");
});

/** `spirv-dis` of what glslang 12 makes of it has an OpDot and an OpExtInst; lavapipe gives these numbers. */
test("bits of a float are none, nor is what is made of them", async () => {
  const text = `#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float x[]; };
void main() {
  x[0] = dot(vec2(uintBitsToFloat(0x3f900000u), -2.5), vec2(7.29, 3.14));
  x[1] = dot(vec2(1.125, -2.5), vec2(7.29, 3.14));
}
`;
  const f = Math.fround;
  const args = { x: new Float32Array(2) };
  const { buffers } = await simulate(text, { from: "glsl", workgroups: [1], args });
  const rounded = f(f(1.125 * f(7.29)) + f(-2.5 * f(3.14)));
  expect([...(buffers["x"] as Float32Array)]).toEqual([rounded, f(1.125 * 7.29 - 2.5 * 3.14)]);
  expect(rounded).toBe(0.35124969482421875);
});

/** glslang computes in double and cuts halves off where they are stored; 7.29 and 3.14 are 7.2890625 and 3.140625 as halves. */
test("functions of halves are written as their values where glslang has others", async () => {
  const text = `RWStructuredBuffer<float16_t> o;
[numthreads(1, 1, 1)] void main() {
  o[0] = dot(float16_t2(1.125h, 2.5h), float16_t2(7.29h, 3.14h)); o[1] = atan2(-1.3h, -0.26h); o[2] = distance(float16_t2(1, 2), float16_t2(3.1h, 4.2h));
}`;
  const { result, firstDifference } = await verify(text, { from: "hlsl", to: "glsl" });
  expect(result, JSON.stringify(firstDifference)).toMatch(/^equivalent/);
  const { code } = await translate(text, { from: "hlsl", to: "glsl" });
  // 1.125 * 7.2890625 = 8.2001953125, halves near it are 8.1953125 and 8.203125; 2.5 * 3.140625 = 7.8515625 is one.
  expect(code).toContain("= 16.0625hf;");
});
