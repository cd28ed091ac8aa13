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

const sizeOfGroups = `#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]], uint i [[thread_position_in_grid]], uint n [[threads_per_threadgroup]]) {
  o[i] = n;
}
`;
const launchesOf = (...sizes: number[]): string[] =>
  sizes.map((size) =>
    JSON.stringify({
      workgroups: [2],
      workgroupSize: [size],
      args: { o: { type: "u32", count: 64, init: { fill: 0 }, output: true } },
    }),
  );

test("launches of two sizes of workgroups: each is compared with a text for its size, where the text states one", async () => {
  const launches = launchesOf(8, 16, 8);
  const open = await verify(sizeOfGroups, { from: "msl", to: "opencl", launches });
  expect([open.result, open.workgroupSizes]).toEqual(["equivalent", undefined]);
  for (const to of ["glsl", "hlsl"] as const) {
    const stated = await verify(sizeOfGroups, { from: "msl", to, launches, mutants: 5 });
    expect(stated.diagnostics).toEqual([]);
    expect(stated.result).toBe("equivalent");
    expect(stated.workgroupSizes).toEqual([
      [8, 1, 1],
      [16, 1, 1],
    ]);
    expect(new Set(stated.runs.map((r) => `${r.launch} ${r.workgroupSize[0]}`))).toEqual(
      new Set(["launch 1 8", "launch 2 16", "launch 3 8"]),
    );
    expect(stated.program?.takenForGranted).toContain("workgroups are 8 x 1 x 1");
    expect(stated.mutants?.workgroupSize).toEqual([8, 1, 1]);
  }
});

test("code of several sizes of workgroups runs, each in launches of its own", async () => {
  const source = `kernel void k(global int *o, local int *t) {
  int l = get_local_id(0);
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_size(0) > 100)
    o[get_global_id(0)] = t[l];
  else if (get_local_size(0) < 20)
    o[get_global_id(0)] = -t[l];
  else
    o[get_global_id(0)] = 1;
}
`;
  for (const to of ["glsl", "msl"] as const) {
    const result = await verify(source, { from: "opencl", to });
    expect({ result: result.result, missed: missed(result) }).toEqual({ result: "equivalent", missed: [] });
    // Metal leaves the size to the launch: one text is enough.
    expect(result.workgroupSizes?.length).toBe(to === "glsl" ? 3 : undefined);
    expect(new Set(result.runs.map((r) => r.workgroupSize.join())).size).toBe(3);
  }
});

test("a target that takes no text for a further size: launches that are stated do not run, derived ones are left out", async () => {
  // Direct3D has 32 KiB of workgroup memory: 512 invocations of 64 bytes, which 1024 have not.
  const source = `typedef struct { int v[16]; } S;
kernel void k(global int *o, local S *t) {
  int l = get_local_id(0);
  t[l].v[15] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_size(0) > 1000)
    o[get_global_id(0)] = 1;
  else
    o[get_global_id(0)] = t[l].v[15];
}
`;
  const glsl = await found(source, { from: "opencl", to: "glsl", workgroupSize: undefined });
  expect({ result: glsl.result, missed: missed(glsl) }).toEqual({ result: "equivalent", missed: [] });
  const hlsl = await found(source, { from: "opencl", to: "hlsl", workgroupSize: undefined });
  expect({ result: hlsl.result, missed: missed(hlsl) }).toEqual({
    result: "equivalent-where-run",
    missed: ["6 true", "7 statement"],
  });
  expect(hlsl.workgroupSizes).toBe(undefined);
  expect(hlsl.diagnostics.filter((d) => d.code === "XL6007").map((d) => `${d.severity} ${d.message}`)).toEqual([
    expect.stringMatching(
      /^note \d+ of \d+ launches, with workgroups of 1024 x 1 x 1, are left out, since hlsl takes no text for that size: the kernel takes 65536 bytes of workgroup memory, and Direct3D has 32768$/,
    ),
  ]);
  const launches = [512, 1024].map((n) =>
    JSON.stringify({
      workgroups: [1],
      workgroupSize: [n],
      args: { o: { type: "i32", count: n, init: { fill: 0 }, output: true }, t: { bytes: 64 * n } },
    }),
  );
  const stated = await verify(source, { from: "opencl", to: "hlsl", launches });
  expect([stated.result, stated.diagnostics.map((d) => d.code)]).toEqual(["not-run", ["XL3007"]]);
  const [only] = launches;
  expect((await verify(source, { from: "opencl", to: "hlsl", launches: [only!] })).result).toBe("equivalent-where-run");
});

test("the launches that are kept have no size of workgroups more than those that come where none before does", async () => {
  // All of it runs with any size.
  const source = `kernel void k(global int *o, int n) { int i = get_global_id(0); if (i < n) o[i] = i; }`;
  const { result, runs } = await verify(source, { from: "opencl", to: "glsl" });
  expect([result, new Set(runs.map((r) => r.workgroupSize.join())).size]).toEqual(["equivalent", 1]);
});

test("buffers shorter than others, numbers here and there in a buffer, floats of any kind beside small integers", async () => {
  const short = `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer O { int o[]; };
layout(std430, binding = 1) readonly buffer A { int a[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= a.length()) {
    o[i] = -1;
    return;
  }
  o[i] = a[i];
}
`;
  // A breadth-first search: what an edge leads to is to be unseen where what it leads from is not.
  const graph = `kernel void k(global uint *level, global const uint *edge, global int *flag, uint now) {
  int v = get_global_id(0);
  if (level[v] == now) {
    uint w = edge[v];
    if (level[w] == 0xffffffffu) {
      level[w] = now + 1;
      *flag = 1;
    }
  }
}
`;
  const boxes = `struct Box { int child; float low; float high; };
kernel void k(global const struct Box *boxes, global int *o) {
  int i = get_global_id(0);
  int c = boxes[i].child;
  if (boxes[c].low > boxes[i].high + 9000.5f)
    o[i] = 1;
}
`;
  for (const [source, from] of [
    [short, "glsl"],
    [graph, "opencl"],
    [boxes, "opencl"],
  ] as const) {
    const result = await verify(source, { from, to: "msl", ...(from === "opencl" ? { workgroupSize: [8] } : {}) });
    expect(missed(result)).toEqual([]);
  }
});
