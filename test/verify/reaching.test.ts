/**
 * Kernels whose evidence used to be empty: loops that no launch came to, and a workgroup of one invocation. Each is
 * verified as it is, and with faults: such a verification may not look like one of a kernel that was run.
 */
import { describe, expect, test } from "vitest";
import { verify } from "../../src/index.js";
import type { VerifyResult } from "../../src/index.js";

const errors = ({ diagnostics }: VerifyResult): string[] =>
  diagnostics.filter((d) => d.severity === "error").map((d) => `${d.code} ${d.message}`);
const missed = ({ coverage }: VerifyResult): string[] =>
  coverage!.notRun.map(({ location: l, what }) => `${l.line} ${what}`);
const passing = ({ mutants }: VerifyResult): string[] => mutants!.unnoticed.map((u) => `${u.change}: ${u.line}`);

describe("pooling, whose window is an argument by value", () => {
  const source = `kernel void pool(global const float *x, global float *y, int width, int height, int size, int step) {
  int ox = get_global_id(0);
  int oy = get_global_id(1);
  int across = (width - size) / step + 1;
  int down = (height - size) / step + 1;
  if (ox >= across || oy >= down) return;
  float most = -INFINITY;
  for (int ky = 0; ky < size; ky++)
    for (int kx = 0; kx < size; kx++)
      most = fmax(most, x[(oy * step + ky) * width + ox * step + kx]);
  y[oy * across + ox] = most;
}
`;

  test("the inner loop runs", async () => {
    const result = await verify(source, { from: "opencl", to: "glsl", mutants: 200 });
    expect({ errors: errors(result), result: result.result, missed: missed(result) }).toEqual({
      errors: [],
      result: "equivalent",
      missed: [],
    });
    // A NaN in place of -infinity is the same to fmax, unless all of a window is NaN.
    expect(passing(result)).toEqual([expect.stringMatching(/became 2139095041: float most = /)]);
  });
});

describe("softmax in ten loops", () => {
  const tile = 64;
  /** The body of loop `at` begins with a store beyond the end of workgroup memory, which no launch makes larger. */
  const softmax = (at?: number): string => {
    let n = 0;
    const open = (): string => (n++ === at ? `tile[${tile} + l] = 1.0f; ` : "");
    return `kernel void softmax(global const float *x, global const float *mask, global float *y, int columns, int masked, float scale, int mode) {
  local float tile[${tile}];
  int l = get_local_id(0);
  int lanes = get_local_size(0);
  global const float *row = x + get_group_id(0) * columns;
  global float *out = y + get_group_id(0) * columns;
  float most = -INFINITY;
  for (int i = l; i < columns; i += lanes) { ${open()}most = fmax(most, row[i] * scale); }
  if (masked)
    for (int i = l; i < columns; i += lanes) { ${open()}most = fmax(most, row[i] * scale + mask[i]); }
  tile[l] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = lanes / 2; s > 0; s /= 2) {
    ${open()}if (l < s) tile[l] = fmax(tile[l], tile[l + s]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  most = tile[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int i = l; i < columns; i += lanes) { ${open()}sum += row[i] * scale - most; }
  if (masked)
    for (int i = l; i < columns; i += lanes) { ${open()}sum += mask[i]; }
  tile[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = lanes / 2; s > 0; s /= 2) {
    ${open()}if (l < s) tile[l] += tile[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (mode == 17)
    for (int i = l; i < columns; i += lanes) { ${open()}out[i] = tile[0]; }
  else if (masked)
    for (int i = l; i < columns; i += lanes) { ${open()}out[i] = (row[i] * scale + mask[i] - most) * tile[0]; }
  else
    for (int i = l; i < columns; i += lanes) { ${open()}out[i] = (row[i] * scale - most) * tile[0]; }
  if (columns > 300)
    for (int i = l; i < columns; i += lanes) { ${open()}out[i] += 1.0f; }
}
`;
  };

  test("all of them run", async () => {
    const result = await verify(softmax(), { from: "opencl", to: "glsl", mutants: 60 });
    expect({ errors: errors(result), result: result.result, missed: missed(result) }).toEqual({
      errors: [],
      result: "equivalent",
      missed: [],
    });
    const { noticed, planted } = result.mutants!;
    expect(noticed / planted, passing(result).join("\n")).toBeGreaterThanOrEqual(0.9);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])("a store out of bounds in loop %i does not go unnoticed", async (at) => {
    const source = softmax(at);
    expect(source).not.toBe(softmax());
    const result = await verify(source, { from: "opencl", to: "glsl" });
    expect(result.result).not.toBe("equivalent");
    // Either no launch is left, or the one statement is named that none came to.
    const line = source.slice(0, source.indexOf(`tile[${tile} + l]`)).split("\n").length;
    if (result.coverage) expect(missed(result)).toContain(`${line} statement`);
    else expect(errors(result).join()).toContain("XL6013");
  });
});

describe("a workgroup whose size is a specialisation constant", () => {
  const source = `#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer X { int x[]; };
layout(std430, binding = 1) buffer Y { int y[]; };
shared int t[256];
void main() {
  uint l = gl_LocalInvocationID.x;
  t[l] = x[gl_GlobalInvocationID.x];
  barrier();
  for (uint s = gl_WorkGroupSize.x / 2u; s > 0u; s /= 2u) {
    if (l < s) t[l] += t[l + s];
    barrier();
  }
  if (l == 0u) y[gl_WorkGroupID.x] = t[0];
}
`;

  test("has more than one invocation, and faults among them are noticed", async () => {
    const result = await verify(source, { from: "glsl", to: "msl", mutants: 100 });
    expect({ errors: errors(result), result: result.result, missed: missed(result) }).toEqual({
      errors: [],
      result: "equivalent",
      missed: [],
    });
    expect(Math.min(...result.runs.map((r) => r.workgroupSize[0]))).toBeGreaterThan(1);
    // Which invocation writes the sum is all the same.
    expect(passing(result)).toEqual([expect.stringMatching(/^0 became 1: if \(l == 0u\)/)]);
  });
});
