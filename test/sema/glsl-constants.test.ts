/** Expressions that might be constants for glslang, and are none. */
import { expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";

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
