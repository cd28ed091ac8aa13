/**
 * A kernel of some functions over the same arguments: lane i writes their results one after the other. Buffers hold f32,
 * whatever type the functions are of; of doubles the results are written in two parts that add up.
 */
import type { TwoWayDialect } from "../../../src/index.js";
import type { EdgeFunction } from "./functions.js";
import { typeNames, type FloatKind } from "./kinds.js";

export const LANES = 64;

const frames: Readonly<Record<TwoWayDialect, (body: string, t: string) => string>> = {
  opencl: (body, t) =>
    `${t === "half" ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : ""}__kernel void k(__global const float *xs, __global const float *ys, __global const float *zs, __global const int *ns, __global float *r) {\n  int i = get_global_id(0);\n  ${t} a = (${t})xs[i], b = (${t})ys[i], c = (${t})zs[i], w, w2; int n = ns[i], e;\n${body}}\n`,
  msl: (body, t) =>
    `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device const float *xs [[buffer(0)]], device const float *ys [[buffer(1)]], device const float *zs [[buffer(2)]], device const int *ns [[buffer(3)]], device float *r [[buffer(4)]], uint i [[thread_position_in_grid]]) {\n  ${t} a = ${t}(xs[i]), b = ${t}(ys[i]), c = ${t}(zs[i]), w, w2; int n = ns[i], e;\n${body}}\n`,
  glsl: (body, t) =>
    `#version 450\n${t === "float16_t" ? "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n" : ""}layout(local_size_x = ${String(LANES)}) in;\nlayout(std430, set = 0, binding = 0) readonly buffer X { float xs[]; };\nlayout(std430, set = 0, binding = 1) readonly buffer Y { float ys[]; };\nlayout(std430, set = 0, binding = 2) readonly buffer Z { float zs[]; };\nlayout(std430, set = 0, binding = 3) readonly buffer N { int ns[]; };\nlayout(std430, set = 0, binding = 4) buffer R { float r[]; };\nvoid main() {\n  uint i = gl_GlobalInvocationID.x;\n  ${t} a = ${t}(xs[i]), b = ${t}(ys[i]), c = ${t}(zs[i]), w, w2; int n = ns[i], e;\n${body}}\n`,
  hlsl: (body, t) =>
    `StructuredBuffer<float> xs : register(t0);\nStructuredBuffer<float> ys : register(t1);\nStructuredBuffer<float> zs : register(t2);\nStructuredBuffer<int> ns : register(t3);\nRWStructuredBuffer<float> r : register(u4);\n[numthreads(${String(LANES)}, 1, 1)]\nvoid k(uint3 id : SV_DispatchThreadID) {\n  uint i = id.x;\n  ${t} a = (${t})xs[i], b = (${t})ys[i], c = (${t})zs[i], w, w2; int n = ns[i], e;\n${body}}\n`,
};

export function edgeKernel(dialect: TwoWayDialect, functions: readonly EdgeFunction[], kind: FloatKind): string {
  const count = String(functions.length);
  const type = typeNames[kind][dialect]!;
  const narrow = (e: string): string => (dialect === "opencl" || dialect === "hlsl" ? `(float)(${e})` : `float(${e})`);
  const body = functions.map((f, j) => {
    const value = f.calls[dialect]!;
    return `  r[i * ${count} + ${String(j)}] = ${kind === "f32" ? value : narrow(value)};\n`;
  });
  return frames[dialect](body.join(""), type);
}
