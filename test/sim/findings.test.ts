/** Findings about cross-lane ops and values nobody wrote, in kernels of the dialects: which there are, and at which lines. */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import { verify } from "../../src/api/verify.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";

const lanes = 32;

async function found(
  from: TwoWayDialect,
  text: string,
  subgroupSize = 32,
): Promise<{ kind: string; line: number | undefined; used: number | undefined }[]> {
  const source = from === "msl" ? `#include <metal_stdlib>\nusing namespace metal;\n${text}` : text;
  const head = from === "msl" ? 2 : 0;
  const result = await simulate(source, {
    from,
    workgroups: [1],
    subgroupSize,
    args: { result: new Int32Array(lanes) },
    ...(from === "glsl" || from === "hlsl" ? {} : { workgroupSize: [lanes] }),
  });
  expect(result.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return result.findings.map((f) => ({
    kind: f.kind,
    line: f.location && f.location.line - head,
    used: f.use?.location && f.use.location.line - head,
  }));
}

/** `shift` moves values down by one; the top lane has none to read, which only `kept` shows. */
const shifts: readonly { readonly from: TwoWayDialect; readonly kept: string; readonly dropped: string }[] = (
  [
    {
      from: "glsl",
      head: `#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Result { int result[]; };
void main() {
  int lane = int(gl_SubgroupInvocationID);
  int y = subgroupShuffleDown(lane * 3, 1u);`,
      line: 8,
    },
    {
      from: "opencl",
      head: `__kernel void k(__global int *result) {
  int lane = get_sub_group_local_id();
  int y = sub_group_shuffle_down(lane * 3, 1u);`,
      line: 3,
    },
    {
      from: "hlsl",
      head: `RWStructuredBuffer<int> result : register(u0);
[numthreads(32, 1, 1)]
void k(uint i : SV_GroupIndex) {
  int lane = int(WaveGetLaneIndex());
  int y = WaveReadLaneAt(lane * 3, lane + 1);`,
      line: 5,
    },
    {
      from: "msl",
      head: `kernel void k(device int *result [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]]) {
  int y = simd_shuffle(lane * 3, ushort(lane + 1));`,
      line: 2,
    },
  ] as const
).map(({ from, head }) => ({
  from,
  kept: `${head}\n  int twice = y * 2;\n  result[lane] = twice;\n}\n`,
  dropped: `${head}\n  int twice = y * 2;\n  if (lane < 31) result[lane] = twice;\n}\n`,
}));
const opLine: Readonly<Partial<Record<TwoWayDialect, number>>> = { glsl: 8, opencl: 3, hlsl: 5, msl: 2 };

describe.each(shifts)("lanes that are not there in $from", ({ from, kept, dropped }) => {
  test("what reaches memory is found, with the op's line and the write's", async () => {
    const line = opLine[from]!;
    expect(await found(from, kept)).toEqual([{ kind: "inactive-lane", line, used: line + 2 }]);
  });
  test("what is thrown away is not", async () => {
    expect(await found(from, dropped)).toEqual([]);
  });
  test("verify speaks of both lines", async () => {
    const source = from === "msl" ? `#include <metal_stdlib>\nusing namespace metal;\n${kept}` : kept;
    const launches = [
      {
        workgroups: [1],
        workgroupSize: [32],
        subgroupSizes: [32],
        args: { result: { type: "i32", count: 32, init: { fill: 0 }, output: true } },
      },
    ];
    const { result, diagnostics } = await verify(source, { from, to: "glsl", launches });
    expect(result).toBe("inconclusive");
    const finding = diagnostics.find((d) => d.code === "XL5005")!;
    const shift = from === "msl" ? 2 : 0;
    expect(finding.location!.line - shift).toBe(opLine[from]);
    expect(finding.notes.map((n) => n.location && n.location.line - shift)).toContain(opLine[from]! + 2);
    const clean = await verify(source.replace("  result[lane] = twice;", "  if (lane < 31) result[lane] = twice;"), {
      from,
      to: "glsl",
      launches,
    });
    expect(clean.result).toBe("equivalent");
  });
});

describe("which lane's value shows", () => {
  test("of two reads only the one that matters", async () => {
    const text = `__kernel void k(__global int *result) {
  int lane = get_sub_group_local_id();
  int a = sub_group_shuffle_down(lane, 1u);
  int b = sub_group_shuffle_up(lane, 1u);
  result[lane] = lane < 31 ? a : b;
}`;
    expect(await found("opencl", text)).toEqual([]);
    expect(await found("opencl", text.replace("lane < 31 ? a : b", "lane < 30 ? a : lane < 31 ? b : a"))).toEqual([
      { kind: "inactive-lane", line: 3, used: 5 },
    ]);
  });
  test("a branch", async () => {
    const text = `__kernel void k(__global int *result) {
  int lane = get_sub_group_local_id();
  int a = sub_group_shuffle_down(lane & 1, 1u);
  if ((a & 1) != 0) result[lane] = 1;
}`;
    expect(await found("opencl", text)).toEqual([{ kind: "inactive-lane", line: 3, used: 4 }]);
  });
});

describe("what has to be the same, or reached by all", () => {
  test("OpenCL's base operations in divergent flow", async () => {
    const text = (op: string): string => `__kernel void k(__global int *result) {
  int lane = get_sub_group_local_id();
  int s = 0;
  if (lane < 5) s = ${op}(lane);
  result[lane] = s;
}`;
    expect(await found("opencl", text("sub_group_reduce_add"))).toEqual([
      { kind: "cross-lane-divergence", line: 4, used: undefined },
    ]);
    expect(await found("opencl", text("sub_group_non_uniform_reduce_add"))).toEqual([]);
  });
  test("after some lanes have returned", async () => {
    const text = `__kernel void k(__global int *result) {
  int lane = get_sub_group_local_id();
  if (lane == 7) return;
  result[lane] = sub_group_all(lane < 40);
}`;
    expect(await found("opencl", text)).toEqual([{ kind: "cross-lane-divergence", line: 4, used: undefined }]);
  });
  test("MSL's delta", async () => {
    const text = (
      delta: string,
    ): string => `kernel void k(device int *result [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]]) {
  result[lane] = simd_shuffle_xor(int(lane), ${delta});
}`;
    expect(await found("msl", text("ushort(lane & 1)"))).toEqual([
      { kind: "non-uniform-argument", line: 2, used: undefined },
    ]);
    expect(await found("msl", text("ushort(3)"))).toEqual([]);
  });
  test("GLSL's may differ", async () => {
    const text = `#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Result { int result[]; };
void main() { uint lane = gl_SubgroupInvocationID; result[lane] = subgroupShuffleXor(int(lane), lane & 1u); }`;
    expect(await found("glsl", text)).toEqual([]);
  });
});

describe("values nobody wrote", () => {
  test("a variable of some lanes", async () => {
    const text = `__kernel void k(__global int *result) {
  int lane = get_local_id(0);
  int x;
  if (lane > 3) x = lane;
  result[lane] = x;
}`;
    expect(await found("opencl", text)).toEqual([{ kind: "uninitialized-read", line: 3, used: 5 }]);
    expect(await found("opencl", text.replace("= x;", "= lane > 3 ? x : 0;"))).toEqual([]);
  });
  test("a private array", async () => {
    const text = `__kernel void k(__global int *result) {
  int lane = get_local_id(0);
  int a[4];
  for (int i = 0; i < 3; i++) a[i] = i;
  result[lane] = a[lane & 3];
}`;
    expect(await found("opencl", text)).toEqual([{ kind: "uninitialized-read", line: 3, used: 5 }]);
    expect(await found("opencl", text.replace("i < 3", "i < 4"))).toEqual([]);
  });
  test("workgroup memory", async () => {
    const text = `groupshared int cells[64];
RWStructuredBuffer<int> result : register(u0);
[numthreads(32, 1, 1)]
void k(uint lane : SV_GroupIndex) {
  cells[lane] = int(lane);
  GroupMemoryBarrierWithGroupSync();
  result[lane] = cells[lane + 1];
}`;
    expect(await found("hlsl", text)).toEqual([{ kind: "uninitialized-read", line: 7, used: 7 }]);
    expect(await found("hlsl", text.replace("lane + 1", "lane ^ 1"))).toEqual([]);
  });
});

describe("uninitialised workgroup memory in a run that has a race as well", () => {
  const text = (body: string): string => `__kernel void k(__global int *result) {
  __local int cells[64];
  __local int other[64];
  int i = get_local_id(0);
  ${body}
}`;
  const kinds = async (body: string, subgroupSize = 32): Promise<string[]> =>
    (await found("opencl", text(body), subgroupSize)).map((f) => `${f.kind} ${f.line}`);

  test("both are found, of two objects and of one", async () => {
    expect(
      await kinds(`cells[i] = i;
  result[i] = cells[i ^ 1] + other[i];`),
    ).toEqual(["data-race 5", "data-race 6", "uninitialized-read 6"]);
    // Above the cells that are raced for there are some that nobody writes.
    expect(
      await kinds(`cells[i] = i;
  result[i] = cells[i ^ 1] + cells[i + 32];`),
    ).toEqual(["data-race 5", "data-race 6", "uninitialized-read 6"]);
  });

  test("what another invocation writes too late is the race alone", async () => {
    expect(
      await kinds(`cells[i] = i;
  result[i] = cells[(i + 1) % 32];`),
    ).toEqual(["data-race 5", "data-race 6"]);
    expect(
      await kinds(`if (i == 31) cells[0] = 7;
  result[i] = cells[0];`),
    ).toEqual(["data-race 5"]);
  });
});
