/** Launches that a search finds by what conditions compared and where accesses lay: each kernel has code that first guesses miss. */
import { expect, test } from "vitest";
import { verify } from "../../src/index.js";
import type { VerifyOptions, VerifyResult } from "../../src/index.js";

async function found(
  source: string,
  options: Pick<VerifyOptions, "from" | "to"> & Partial<VerifyOptions>,
): Promise<VerifyResult> {
  const result = await verify(source, { workgroupSize: [8], ...options });
  expect(result.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return result;
}
const missed = ({ coverage }: VerifyResult): string[] =>
  coverage!.notRun.map(({ location: l, what }) => `${l.line} ${what}`);

test("numbers that no text has: sums, products and differences of arguments, one condition inside another", async () => {
  // The first needs a + b = 1000, the second c = 3 * a besides: no constant of the text is either.
  const source = `kernel void k(global int *o, int a, int b, int c) {
  int i = get_global_id(0);
  int sum = a + b;
  if (sum == 1000) {
    o[i] = 1;
    if (c == 3 * a)
      o[i] = 2;
  }
}
`;
  const result = await found(source, { from: "opencl", to: "glsl" });
  expect({ result: result.result, missed: missed(result) }).toEqual({ result: "equivalent", missed: [] });
});

test("flags and masks, bools and modes by specialisation constants", async () => {
  const source = `#version 450
layout(local_size_x = 8) in;
layout(constant_id = 0) const int MODE = 2;
layout(constant_id = 1) const bool WIDE = false;
layout(std430, binding = 0) buffer O { int o[]; };
layout(push_constant) uniform P { uint flags; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (MODE == 31)
    o[i] = 1;
  if (WIDE)
    o[i] += 2;
  if ((flags & 16u) != 0u)
    o[i] += 4;
}
`;
  const result = await found(source, { from: "glsl", to: "msl" });
  expect({ result: result.result, missed: missed(result) }).toEqual({ result: "equivalent", missed: [] });
});

test("what a buffer has to hold, and how many workgroups there have to be", async () => {
  const source = `kernel void k(global int *o, global const int *kind) {
  int i = get_global_id(0);
  if (kind[i] == 7777)
    o[i] = 1;
  if (get_group_id(0) == 9)
    o[i] = 2;
}
`;
  const result = await found(source, { from: "opencl", to: "hlsl" });
  expect({ result: result.result, missed: missed(result) }).toEqual({ result: "equivalent", missed: [] });
});

test("buffers and workgroup memory become as long as the code that is reached reads them", async () => {
  // Beyond 65536 elements, which no first guess has; of workgroup memory four times the elements of the invocations.
  const source = `kernel void k(global int *o, global const int *x, local int *t) {
  int l = get_local_id(0);
  for (int j = 0; j < 4; j++) t[l + 8 * j] = x[l + 30000 * j];
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = t[31 - l];
}
`;
  const result = await found(source, { from: "opencl", to: "glsl" });
  expect({ result: result.result, missed: missed(result) }).toEqual({ result: "equivalent", missed: [] });
});

test("workgroup memory grows by whole elements", async () => {
  const source = `kernel void k(global float *o, local uint *t) {
  int l = get_local_id(0);
  t[l] = l;
  if (l == 0) t[get_local_size(0)] = 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = t[l + 1];
}
`;
  const result = await found(source, { from: "opencl", to: "glsl" });
  expect({ result: result.result, missed: missed(result) }).toEqual({ result: "equivalent", missed: [] });
});

test("divisors that must not be zero, and strides in bytes that lead out of bounds unless they are small", async () => {
  const source = `kernel void k(global const char *src, ulong nb1, ulong nb2, global float *o, int rows) {
  int chunks = get_num_groups(0) / rows;
  int row = get_group_id(0) / chunks;
  global const float *p = (global const float *)(src + row * nb1 + get_local_id(0) * nb2);
  o[get_global_id(0)] = p[0];
}
`;
  const result = await found(source, { from: "opencl", to: "opencl" });
  expect({ result: result.result, missed: missed(result) }).toEqual({ result: "equivalent", missed: [] });
});

test("the same launches are found each time", async () => {
  const source = `kernel void k(global int *o, int a, int b) { if (a * b == 391) o[get_global_id(0)] = a; }`;
  const [first, second] = [
    await found(source, { from: "opencl", to: "msl" }),
    await found(source, { from: "opencl", to: "msl" }),
  ];
  expect(first.runs).toEqual(second.runs);
});

test("what several numbers of one buffer have to be at once: the text's own, side by side", async () => {
  const source = `kernel void k(global int *o, global const uint *tag) {
  int i = get_global_id(0);
  switch (tag[i]) {
    case 0xbadcafeu: o[i] = 1; break;
    case 4021u: o[i] = 2; break;
    default: o[i] = 3;
  }
  if (tag[2 * i] == 70007u && tag[2 * i + 1] > 900001u)
    o[i] += 4;
}
`;
  const result = await found(source, { from: "opencl", to: "hlsl" });
  expect({ result: result.result, missed: missed(result) }).toEqual({ result: "equivalent", missed: [] });
});

test("bits of a number that shifts bring down, of an argument and of a specialisation constant", async () => {
  const source = `#version 450
layout(local_size_x = 8) in;
layout(constant_id = 0) const uint CONTROL = 0;
const bool REVERSED = ((CONTROL >> 20u) & 1u) != 0u;
layout(std430, binding = 0) buffer O { int o[]; };
layout(push_constant) uniform P { uint flags; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (REVERSED)
    o[i] = 1;
  if (((flags >> 27u) & 3u) == 2u)
    o[i] += 2;
}
`;
  const result = await found(source, { from: "glsl", to: "msl" });
  expect({ result: result.result, missed: missed(result) }).toEqual({ result: "equivalent", missed: [] });
});

test("workgroups as large, and as small, as a kernel without a size is written for", async () => {
  const narrow = `#include <metal_stdlib>
using namespace metal;
kernel void k(device float *o [[buffer(0)]], uint l [[thread_index_in_threadgroup]], uint i [[thread_position_in_grid]]) {
  threadgroup float row[32];
  row[l] = float(l);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  o[i] = row[31 - l];
}
`;
  const wide = `#include <metal_stdlib>
using namespace metal;
kernel void k(device float *o [[buffer(0)]], uint g [[threadgroup_position_in_grid]], uint l [[thread_position_in_threadgroup]]) {
  if (l == 200)
    o[g] = 1.0f;
}
`;
  for (const source of [narrow, wide]) {
    const result = await found(source, { from: "msl", to: "glsl", workgroupSize: undefined });
    expect({ result: result.result, missed: missed(result) }).toEqual({ result: "equivalent", missed: [] });
  }
});

test("weights between 0 and 1, and two buffers that hold the same", async () => {
  const source = `kernel void k(global float *o, global const float *w, global const float *a, global const float *b) {
  int i = get_global_id(0);
  o[i] = mix(1.0f, 3.0f, w[i] * w[i + 1]);
  if (a[i] == b[i] && a[i + 1] == b[i + 1] && a[i + 2] == b[i + 2] && a[i] != a[i + 1])
    o[i] = 5.0f;
}
`;
  const result = await found(source, { from: "opencl", to: "glsl" });
  expect({ result: result.result, missed: missed(result) }).toEqual({ result: "equivalent", missed: [] });
});

test("launches of two sizes of workgroups: no difference is told of a text that is written for one", async () => {
  const source = `#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]], uint i [[thread_position_in_grid]], uint n [[threads_per_threadgroup]]) {
  o[i] = n;
}
`;
  const launchOf = (size: number): object => ({
    workgroups: [2],
    workgroupSize: [size],
    args: { o: { type: "u32", count: 64, init: { fill: 0 }, output: true } },
  });
  const launches = [8, 16].map((size) => JSON.stringify(launchOf(size)));
  const open = await verify(source, { from: "msl", to: "opencl", launches });
  expect(open.result).toBe("equivalent");
  const written = await verify(source, { from: "msl", to: "glsl", launches });
  expect(written.result).toBe("not-run");
  expect(written.diagnostics.map((d) => `${d.code} ${d.message}`)).toEqual([
    "XL6007 the translation is written for workgroups of 8 x 1 x 1, and launch 2 has 16 x 1 x 1",
  ]);
});
