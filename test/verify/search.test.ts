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
