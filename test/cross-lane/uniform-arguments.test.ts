/** Arguments that have to be the same in all lanes of the subgroup are looked at, each with its line. */
import { expect, test } from "vitest";
import { simulate } from "../../src/index.js";
import type { TwoWayDialect } from "../../src/index.js";

const glsl = (e: string): string => `#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_rotate : require
layout(local_size_x = 16) in;
layout(std430, set = 0, binding = 0) buffer X { uint x[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  x[i] = ${e};
}
`;
const opencl = (e: string): string => `#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k(__global uint *x) {
  uint i = get_local_id(0);
  x[i] = ${e};
}
`;
const msl = (e: string): string => `#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *x [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  x[i] = ${e};
}
`;

// GL_KHR_shader_subgroup*, SPV_KHR_subgroup_rotate, cl_khr_subgroup_*, MSL 6.9.2: "the same for all".
const cases: readonly (readonly [TwoWayDialect, string])[] = [
  ["glsl", "subgroupRotate(x[i], i & 1u)"],
  // The same in each cluster, and not in the subgroup.
  ["glsl", "subgroupClusteredRotate(x[i], i / 4u, 4u)"],
  ["glsl", "subgroupBroadcast(x[i], i)"],
  ["glsl", "subgroupQuadBroadcast(x[i], i & 3u)"],
  ["glsl", "uint(subgroupInverseBallot(uvec4(i, 0, 0, 0)))"],
  ["opencl", "sub_group_rotate(x[i], (int)(i & 1))"],
  ["opencl", "sub_group_clustered_rotate(x[i], (int)(i / 4), 4)"],
  ["opencl", "sub_group_broadcast(x[i], i)"],
  ["opencl", "(uint)sub_group_inverse_ballot((uint4)(i, 0, 0, 0))"],
  ["msl", "simd_shuffle_rotate_down(x[i], i & 1)"],
  ["msl", "simd_shuffle_up(x[i], i & 1)"],
  ["msl", "simd_broadcast(x[i], i)"],
];

test.each(cases)("%s %s", async (dialect, e) => {
  const text = { glsl, opencl, msl, hlsl: glsl }[dialect as Exclude<TwoWayDialect, never>](e);
  const { findings, diagnostics } = await simulate(text, {
    from: dialect,
    workgroups: [1],
    workgroupSize: [16],
    subgroupSize: 16,
    args: { x: new Uint32Array(16) },
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const found = findings.find((f) => f.kind === "non-uniform-argument");
  const line = text.split("\n").findIndex((l) => l.includes("x[i] =")) + 1;
  expect(found?.location?.line).toBe(line);
});
