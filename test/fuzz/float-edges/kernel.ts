/** A kernel of some functions over the same arguments: lane i writes their results one after the other. */
import type { SourceDialect } from "../../../src/index.js";
import type { EdgeFunction } from "./functions.js";

export const LANES = 64;

const frames: Readonly<Record<SourceDialect, (body: string) => string>> = {
  opencl: (body) =>
    `__kernel void k(__global const float *xs, __global const float *ys, __global const float *zs, __global const int *ns, __global float *r) {\n  int i = get_global_id(0);\n  float a = xs[i], b = ys[i], c = zs[i], w; int n = ns[i], e;\n${body}}\n`,
  msl: (body) =>
    `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device const float *xs [[buffer(0)]], device const float *ys [[buffer(1)]], device const float *zs [[buffer(2)]], device const int *ns [[buffer(3)]], device float *r [[buffer(4)]], uint i [[thread_position_in_grid]]) {\n  float a = xs[i], b = ys[i], c = zs[i], w; int n = ns[i], e;\n${body}}\n`,
  glsl: (body) =>
    `#version 450\nlayout(local_size_x = ${String(LANES)}) in;\nlayout(std430, set = 0, binding = 0) readonly buffer X { float xs[]; };\nlayout(std430, set = 0, binding = 1) readonly buffer Y { float ys[]; };\nlayout(std430, set = 0, binding = 2) readonly buffer Z { float zs[]; };\nlayout(std430, set = 0, binding = 3) readonly buffer N { int ns[]; };\nlayout(std430, set = 0, binding = 4) buffer R { float r[]; };\nvoid main() {\n  uint i = gl_GlobalInvocationID.x;\n  float a = xs[i], b = ys[i], c = zs[i], w; int n = ns[i], e;\n${body}}\n`,
  hlsl: (body) =>
    `StructuredBuffer<float> xs : register(t0);\nStructuredBuffer<float> ys : register(t1);\nStructuredBuffer<float> zs : register(t2);\nStructuredBuffer<int> ns : register(t3);\nRWStructuredBuffer<float> r : register(u4);\n[numthreads(${String(LANES)}, 1, 1)]\nvoid k(uint3 id : SV_DispatchThreadID) {\n  uint i = id.x;\n  float a = xs[i], b = ys[i], c = zs[i], w; int n = ns[i], e;\n${body}}\n`,
};

export function edgeKernel(dialect: SourceDialect, functions: readonly EdgeFunction[]): string {
  const count = String(functions.length);
  return frames[dialect](
    functions.map((f, j) => `  r[i * ${count} + ${String(j)}] = ${f.calls[dialect]!};\n`).join(""),
  );
}
