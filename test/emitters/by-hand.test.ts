import { describe, expect, it } from "vitest";
import { printers } from "../../emitters/index.js";
import { legalize, select, type LegalizeOptions } from "../../src/passes/index.js";
import type { Module } from "../../src/ast/nodes.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { saxpy, tree } from "./modules.js";

function emit(module: Module, target: TwoWayDialect, options: LegalizeOptions = {}): string {
  const legal = legalize(module, target, options);
  expect(legal.problems).toEqual([]);
  return printers[target](select(legal.module!)).text;
}

describe("saxpy, by hand", () => {
  it("binds arguments in list order in MSL and takes the local's name for the position", () => {
    expect(emit(saxpy("opencl"), "msl")).toBe(`#include <metal_stdlib>
using namespace metal;

kernel void saxpy(
    constant float &a [[buffer(0)]],
    device const float *x [[buffer(1)]],
    device float *y [[buffer(2)]],
    uint i [[thread_position_in_grid]]) {
  y[i] = a * x[i] + y[i];
}
`);
  });

  it("puts the value into push constants in GLSL", () => {
    expect(emit(saxpy("msl"), "glsl", { workgroupSize: [64, 1, 1] })).toBe(`#version 450
layout(local_size_x = 64) in;

layout(push_constant) uniform Params {
  float a;
};
layout(std430, set = 0, binding = 0) readonly buffer XBuffer { float x[]; };
layout(std430, set = 0, binding = 1) buffer YBuffer { float y[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  y[i] = a * x[i] + y[i];
}
`);
  });

  it("needs a workgroup size for GLSL", () => {
    const { problems } = legalize(saxpy("msl"), "glsl");
    expect(problems.map((p) => p.code)).toEqual(["XL4003"]);
    expect(problems[0]!.help).toContain("--workgroup-size");
  });

  it("leaves size_t to the initialiser's conversion in OpenCL C", () => {
    expect(emit(saxpy("glsl", [64, 1, 1]), "opencl")).toBe(`__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void saxpy(float a, __global const float *x, __global float *y) {
  uint i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
`);
  });

  it("numbers t and u in one row in HLSL", () => {
    expect(emit(saxpy("glsl", [64, 1, 1]), "hlsl")).toBe(`cbuffer Params : register(b0) {
  float a;
};
StructuredBuffer<float> x : register(t0);
RWStructuredBuffer<float> y : register(u1);

[numthreads(64, 1, 1)]
void saxpy(uint3 gid : SV_DispatchThreadID) {
  uint i = gid.x;
  y[i] = a * x[i] + y[i];
}
`);
  });
});

describe("a tree reduction, by hand", () => {
  it("moves workgroup memory to file scope in HLSL", () => {
    expect(emit(tree("opencl"), "hlsl")).toBe(`StructuredBuffer<float> src : register(t0);
RWStructuredBuffer<float> dst : register(u1);
groupshared float s[256];

[numthreads(256, 1, 1)]
void reduce(uint3 gid : SV_DispatchThreadID, uint3 lid : SV_GroupThreadID, uint3 wid : SV_GroupID) {
  uint l = lid.x;
  s[l] = src[gid.x];
  GroupMemoryBarrierWithGroupSync();
  for (uint off = 128u; off > 0u; off >>= 1) {
    if (l < off) s[l] += s[l + off];
    GroupMemoryBarrierWithGroupSync();
  }
  if (l == 0u) dst[wid.x] = s[0];
}
`);
  });

  it("keeps the form for OpenCL C", () => {
    expect(emit(tree("opencl"), "opencl")).toBe(`__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void reduce(__global const float *src, __global float *dst) {
  __local float s[256];
  uint l = get_local_id(0);
  s[l] = src[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint off = 128u; off > 0u; off >>= 1) {
    if (l < off) s[l] += s[l + off];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0u) dst[get_group_id(0)] = s[0];
}
`);
  });
});
