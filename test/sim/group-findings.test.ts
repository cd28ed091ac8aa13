/** Operations that ask something of all lanes: reached by some only, or given masks that are no partition. */
import { expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";

const kinds = async (from: TwoWayDialect, text: string): Promise<string[]> => {
  const args = { x: Uint32Array.from({ length: 32 }, (_, i) => i), r: new Uint32Array(32) };
  const run = await simulate(text, { from, workgroups: [1], workgroupSize: [32], subgroupSize: 16, args });
  expect(run.buffers["r"]).toBeDefined();
  return [...new Set(run.findings.map((f) => f.kind as string))];
};

const cl = (body: string): string =>
  `__kernel void k(__global const uint *x, __global uint *r) { uint i = get_global_id(0); uint v = x[i]; ${body} }\n`;
const hlsl = (body: string): string =>
  `StructuredBuffer<uint> x : register(t0);\nRWStructuredBuffer<uint> r : register(u1);\n[numthreads(32, 1, 1)]\nvoid k(uint3 id : SV_DispatchThreadID) { uint i = id.x; uint v = x[i]; uint lane = WaveGetLaneIndex(); ${body} }\n`;

test("collectives of work-groups have to be reached by all work-items", async () => {
  expect(await kinds("opencl", cl("r[i] = work_group_reduce_add(v);"))).toEqual([]);
  expect(await kinds("opencl", cl("if (v < 20) r[i] = work_group_reduce_add(v);"))).toEqual(["cross-lane-divergence"]);
  // Whole sub-groups that stay away count as well.
  expect(await kinds("opencl", cl("if (i >= 16) return; r[i] = work_group_scan_inclusive_max(v);"))).toEqual([
    "cross-lane-divergence",
  ]);
  expect(await kinds("opencl", cl("r[i] = 0; if (work_group_any(v > 40)) r[i] = work_group_reduce_add(v);"))).toEqual(
    [],
  );
});

test("the lane of a broadcast is the same for the whole work-group", async () => {
  expect(await kinds("opencl", cl("r[i] = work_group_broadcast(v, i / 16);"))).toEqual(["non-uniform-argument"]);
});

test("OpenCL's base functions have to be reached by the whole sub-group, not by the work-group", async () => {
  expect(await kinds("opencl", cl("if (i < 16) r[i] = sub_group_reduce_add(v);"))).toEqual([]);
  expect(await kinds("opencl", cl("if (i < 15) r[i] = sub_group_reduce_add(v);"))).toEqual(["cross-lane-divergence"]);
  expect(await kinds("opencl", cl("if (i < 15) r[i] = sub_group_non_uniform_reduce_add(v);"))).toEqual([]);
  // A sub-group nobody of which is left has nothing to reach.
  expect(await kinds("opencl", cl("if (i < 16) return; r[i] = sub_group_reduce_add(v);"))).toEqual([]);
});

test("masks of partitioned operations are a partition of the active lanes", async () => {
  expect(await kinds("hlsl", hlsl("r[i] = WaveMultiPrefixSum(v, WaveMatch(v & 3));"))).toEqual([]);
  // Without the lane itself, with an inactive lane, and with lanes that have another mask.
  expect(await kinds("hlsl", hlsl("r[i] = WaveMultiPrefixSum(v, uint4(2, 0, 0, 0));"))).toEqual(["invalid-partition"]);
  expect(await kinds("hlsl", hlsl("if (lane != 3) r[i] = WaveMultiPrefixSum(v, uint4(0xffff, 0, 0, 0));"))).toEqual([
    "invalid-partition",
  ]);
  expect(
    await kinds(
      "hlsl",
      hlsl("r[i] = WaveMultiPrefixSum(v, uint4(0xffff >> (lane & 1), 0, 0, 0) | uint4(1u << lane, 0, 0, 0));"),
    ),
  ).toEqual(["invalid-partition"]);
});
