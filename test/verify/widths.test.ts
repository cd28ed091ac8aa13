/** Kernels that take subgroups for so many lanes wide: which width shows it, and at which lines. */
import { describe, expect, test } from "vitest";
import { check } from "../../src/api/check.js";
import { verify } from "../../src/api/verify.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";

const mslHead = "#include <metal_stdlib>\nusing namespace metal;\n";
const lanes = 64;

const launch = (subgroupSizes?: readonly number[]): object => ({
  workgroups: [1],
  workgroupSize: [lanes],
  subgroupSize: 32,
  ...(subgroupSizes ? { subgroupSizes } : {}),
  args: { result: { type: "i32", count: lanes, init: { fill: 0 }, output: true } },
});

interface Said {
  readonly severity: string;
  readonly message: string;
  readonly lines: readonly number[];
}

async function said(from: TwoWayDialect, text: string, widths?: readonly number[]): Promise<Said | undefined> {
  const { diagnostics } = await verify(from === "msl" ? mslHead + text : text, {
    from,
    to: from === "glsl" ? "hlsl" : "glsl",
    launches: [launch(widths)],
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const d = diagnostics.find((x) => x.code === "XL6015");
  const shift = from === "msl" ? 2 : 0;
  return (
    d && {
      severity: d.severity,
      message: d.message,
      lines: d.notes.flatMap((n) => (n.location ? [n.location.line - shift] : [])),
    }
  );
}

async function assumed(from: TwoWayDialect, text: string): Promise<readonly (readonly [number, number | undefined])[]> {
  const { widths } = await check(from === "msl" ? mslHead + text : text, { from, targets: [] });
  const shift = from === "msl" ? 2 : 0;
  return widths[0]!.assumptions.map((a) => [a.location.line - shift, a.width] as const);
}

const glsl = (body: string): string => `#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Result { int result[]; };
shared int partial[2];
void main() {
  int i = int(gl_LocalInvocationIndex);
${body}
}`;

describe("the first width that differs, and the line", () => {
  test("GLSL: the lane worked out with & 31", async () => {
    const text = glsl(
      "  int lane = i & 31;\n  result[i] = subgroupAdd(1) * 0 + (gl_SubgroupInvocationID == lane ? 1 : 2);",
    );
    // Lane 32 of the workgroup is lane 0 of its subgroup at width 32; at 4 lane 4 is not.
    expect(await said("glsl", text)).toEqual({
      severity: "warning",
      message: "the result depends on the width of subgroups: 'result[4]' is 1 at width 32 and 2 at width 4",
      lines: [11],
    });
    expect(await assumed("glsl", text)).toEqual([[11, 32]]);
    expect(await said("glsl", text, [32])).toBeUndefined();
  });

  test("GLSL: one word of a ballot", async () => {
    const text = glsl(
      "  uvec4 all = subgroupBallot(true);\n  result[i] = bitCount(all.x) > 0 ? int(bitCount(all.x)) - int(subgroupBallotBitCount(all)) : 7;",
    );
    // Right up to 32 lanes; at 64 the second half is not counted.
    expect(await said("glsl", text)).toMatchObject({
      message: "the result depends on the width of subgroups: 'result[0]' is 0 at width 32 and -32 at width 64",
      lines: [12, 12],
    });
    expect(await assumed("glsl", text)).toEqual([
      [12, 32],
      [12, 32],
    ]);
  });

  test("MSL: a tree of shuffles from 16 on", async () => {
    const text = `kernel void k(device int *result [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  int x = 1;
  for (ushort o = 16; o > 0; o /= 2)
    x += simd_shuffle_xor(x, o);
  result[i] = x;
}`;
    expect(await assumed("msl", text)).toEqual([[3, 32]]);
    // At 64 each half is summed alone; at 4 and 8 lanes are read that are not there, so the run shows it first.
    expect((await said("msl", text, [32, 64]))?.lines ?? "the same").toEqual("the same");
    const sums = text.replace("result[i] = x", "result[i] = x - int(simd_sum(1))");
    expect(await said("msl", sums, [32, 64])).toMatchObject({
      message: expect.stringContaining("is 0 at width 32 and -32 at width 64"),
      lines: [3],
    });
  });

  test("OpenCL C: ids by division and shift, a distance of 16", async () => {
    const text = `__kernel void k(__global int *result) {
  int i = get_local_id(0);
  int group = i / 32;
  int lane = i - group * 32;
  int top = sub_group_broadcast(i, 31);
  result[i] = lane + top;
}`;
    expect(await assumed("opencl", text)).toEqual([
      [3, 32],
      [4, 32],
      [5, 32],
    ]);
    // The subgroups of 64 lanes have another lane 31 for the second half.
    expect(await said("opencl", text, [32, 64])).toMatchObject({
      severity: "warning",
      message: expect.stringContaining("'result[32]' is 63 at width 32 and 31 at width 64"),
      lines: [3, 4, 5],
    });
  });

  test("HLSL: room for two subgroups", async () => {
    const text = `groupshared int partial[2];
RWStructuredBuffer<int> result : register(u0);
[numthreads(64, 1, 1)]
void k(uint i : SV_GroupIndex) {
  uint group = i / WaveGetLaneCount();
  if (WaveIsFirstLane()) partial[group] = 1;
  GroupMemoryBarrierWithGroupSync();
  result[i] = i < 1u ? partial[0] : 3;
}`;
    // `group` is no id the text names: the run finds it all the same.
    const found = await said("hlsl", text);
    expect(found?.message).toContain("at subgroup width 4, other than at 32, the kernel has a finding");
    const named = glsl(
      "  if (subgroupElect()) partial[gl_SubgroupID] = 1;\n  barrier();\n  result[i] = i < 1 ? partial[0] : 3;",
    );
    expect(await assumed("glsl", named)).toEqual([[11, 32]]);
    expect((await said("glsl", named))?.lines).toEqual([11]);
  });
});

describe("what is right at every width", () => {
  test("sizes that are asked for, quads, distances that grow with the width", async () => {
    const text = glsl(`  int x = i;
  for (uint d = 1u; d < gl_SubgroupSize; d *= 2u) {
    int y = subgroupShuffleUp(x, d);
    if (gl_SubgroupInvocationID >= d) x += y;
  }
  result[i] = x - subgroupInclusiveAdd(i) + int(gl_SubgroupInvocationID & 3u);`);
    expect(await assumed("glsl", text)).toEqual([]);
    expect(await said("glsl", text)).toBeUndefined();
  });

  test("a value per subgroup is a note, with the op", async () => {
    const text = glsl("  result[i] = subgroupMax(i);");
    expect(await said("glsl", text)).toEqual({
      severity: "note",
      message: "the result depends on the width of subgroups: 'result[0]' is 31 at width 32 and 3 at width 4",
      lines: [11],
    });
  });

  test("numbers that have nothing to do with lanes", async () => {
    const text = glsl("  int x = i * 32 + 31;\n  result[i] = (x & 31) + subgroupMax(7);");
    // A candidate, which the run does not confirm.
    expect(await assumed("glsl", text)).toEqual([[12, 32]]);
    expect(await said("glsl", text)).toBeUndefined();
  });

  test("a width the source requires", async () => {
    const text = `RWStructuredBuffer<int> result : register(u0);
[WaveSize(32)]
[numthreads(64, 1, 1)]
void k(uint i : SV_GroupIndex) { result[i] = int(WaveActiveSum(1)) + int(i & 31u); }`;
    const { widths } = await check(text, { from: "hlsl", targets: [] });
    expect(widths[0]!.required).toEqual({ min: 32, max: 32 });
    // `i & 31` is then what the source says it is.
    expect(widths[0]!.assumptions).toEqual([]);
    expect(await said("hlsl", text)).toBeUndefined();
  });
});
