/** Barriers of a subgroup where lanes part: GLSL waits for the active ones, MSL and OpenCL C need all (language.ts). */
import { describe, expect, test } from "vitest";
import { simulate, translate, verify } from "../../src/index.js";

// Half of the lanes exchange with their neighbours through workgroup memory.
const glsl = `#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 32) in;
layout(std430, set = 0, binding = 0) buffer X { uint x[]; };
shared uint s[32];
void main() {
  uint l = gl_LocalInvocationIndex;
  if ((gl_SubgroupInvocationID & 2u) == 0u) {
    s[l] = x[l];
    subgroupBarrier();
    x[l] = s[l ^ 1u];
  }
}
`;
const msl = `#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *x [[buffer(0)]], uint l [[thread_index_in_threadgroup]], uint i [[thread_index_in_simdgroup]]) {
  threadgroup uint s[32];
  if ((i & 2u) == 0u) {
    s[l] = x[l];
    simdgroup_barrier(mem_flags::mem_threadgroup);
    x[l] = s[l ^ 1u];
  }
}
`;
const x = Uint32Array.from({ length: 32 }, (_, i) => 100 + i);
const launch = { workgroups: [1], subgroupSize: 8, args: { x } };

describe("a subgroup's barrier in flow where lanes part", () => {
  test("waits for the active lanes in GLSL", async () => {
    const run = await simulate(glsl, { from: "glsl", ...launch });
    expect(run.findings).toEqual([]);
    const after = new Uint32Array((run.buffers["x"] as Uint8Array).slice().buffer);
    expect([...after.slice(0, 8)]).toEqual([101, 100, 102, 103, 105, 104, 106, 107]);
  });

  test("is a finding in MSL", async () => {
    const run = await simulate(msl, { from: "msl", workgroupSize: [32], ...launch });
    expect(run.findings.map((f) => f.kind)).toContain("barrier-divergence");
  });

  test("is an assumption of a translation to MSL and OpenCL C, which verify checks", async () => {
    for (const to of ["msl", "opencl"] as const) {
      expect((await translate(glsl, { from: "glsl", to })).assumptions.map((a) => a.op)).toContain("subgroup-barrier");
      const { result, diagnostics } = await verify(glsl, { from: "glsl", to });
      expect(result).not.toBe("equivalent");
      expect(diagnostics.map((d) => d.code)).toContain("XL5004");
      const strict = await translate(glsl, { from: "glsl", to, strict: true });
      expect(strict.code).toBeUndefined();
    }
  });

  test("is none where all lanes come", async () => {
    const all = glsl.replace("(gl_SubgroupInvocationID & 2u) == 0u", "gl_WorkGroupID.x == 0u");
    const made = await translate(all, { from: "glsl", to: "msl" });
    expect(made.assumptions.map((a) => a.op)).not.toContain("subgroup-barrier");
  });
});
