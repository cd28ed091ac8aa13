/** What undefined uses of quads and clusters find when they run, and what is refused before. */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import { translate } from "../../src/api/translate.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";

const glsl = (statements: string): string =>
  `#version 450\n#extension GL_KHR_shader_subgroup_clustered : require\n#extension GL_KHR_shader_subgroup_quad : require\n#extension GL_KHR_shader_subgroup_rotate : require\nlayout(local_size_x = 8) in;\nlayout(std430, binding = 0) buffer R { uint r[]; };\nconst uint four = 4u;\nvoid main() {\n  uint i = gl_LocalInvocationIndex;\n  ${statements}\n}\n`;
const msl = (statements: string): string =>
  `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device uint *r [[buffer(0)]], uint i [[thread_index_in_threadgroup]], uint q [[thread_index_in_quadgroup]], uint quad [[quadgroup_index_in_threadgroup]], uint quads [[quadgroups_per_threadgroup]]) {\n  ${statements}\n}\n`;

async function run(
  from: TwoWayDialect,
  text: string,
  width: number,
  lanes = 8,
): Promise<{ r: number[]; messages: string[] }> {
  const { buffers, findings } = await simulate(text, {
    from,
    workgroups: [1],
    workgroupSize: [lanes],
    subgroupSize: width,
    args: { r: new Uint32Array(lanes) },
  });
  return { r: [...((buffers["r"] ?? []) as Uint32Array)], messages: findings.map((f) => f.message) };
}

describe("findings", () => {
  test("a cluster larger than the subgroup", async () => {
    const text = glsl("r[i] = subgroupClusteredAdd(i, 8u);");
    expect((await run("glsl", text, 8)).messages).toEqual([]);
    expect((await run("glsl", text, 4)).messages).toEqual(["a cluster of 8 lanes in a subgroup of 4"]);
  });
  test("a lane of the quad that is not active, or does not exist", async () => {
    const inactive = await run("glsl", glsl("if (i != 1u) r[i] = subgroupQuadSwapHorizontal(i);"), 8);
    expect(inactive.messages).toEqual(["the result depends on the value of another lane, but lane 1 is inactive"]);
    const absent = await run("msl", msl("r[i] = quad_broadcast(i, 3);"), 8, 6);
    expect(absent.messages).toEqual([
      "the result depends on the value of another lane, but lane 7 does not exist in this partial subgroup",
    ]);
  });
  test("numbers that must be the same in the quad or subgroup", async () => {
    expect((await run("msl", msl("r[i] = quad_broadcast(i, i < 4 ? 1 : 2);"), 8)).messages).toEqual([]);
    expect((await run("msl", msl("r[i] = quad_broadcast(i, i & 1);"), 8)).messages).toEqual([
      "the lane to read from must be the same in all lanes, but is 0 in one and 1 in another",
    ]);
    expect((await run("msl", msl("r[i] = quad_shuffle_up(i, i & 1);"), 8)).messages).toEqual([
      "the distance must be the same in all lanes, but is 0 in one and 1 in another",
    ]);
    expect((await run("glsl", glsl("r[i] = subgroupClusteredRotate(i, i, 4u);"), 8)).messages).toEqual([
      "this operand must be the same in all lanes, but is 0 in one and 1 in another",
    ]);
  });
});

test.each([
  ["3u", "the cluster size must be a power of two, not 3"],
  ["0", "the cluster size must be a power of two, not 0"],
  ["-4", "the cluster size must be a power of two, not -4"],
  ["i", "the cluster size must be known at compile time"],
  ["four", undefined],
  ["four * 2u", undefined],
])("a cluster of %s lanes", async (size, message) => {
  const { diagnostics } = await translate(glsl(`r[i] = subgroupClusteredMax(i, ${size});`), {
    from: "glsl",
    to: "opencl",
  });
  expect(diagnostics.map((d) => d.message)).toEqual(message === undefined ? [] : [message]);
});

describe("ids of quads", () => {
  const text = msl("r[i] = 100 * quad + 10 * quads + q;");
  const wanted = Array.from({ length: 14 }, (_, i) => 100 * Math.floor(i / 4) + 10 * 4 + (i % 4));
  test.each(["msl", "glsl", "opencl", "hlsl"] as const)("%s", async (to) => {
    const { code } = await translate(text, { from: "msl", to, workgroupSize: [14, 1, 1] });
    for (const width of [4, 8, 32]) expect((await run(to, code!, width, 14)).r).toEqual(wanted);
  });
});

describe("profiles", () => {
  const made = async (text: string, from: TwoWayDialect, to: TwoWayDialect, profile: string): Promise<string> =>
    (await translate(text, { from, to, profile, workgroupSize: [8, 1, 1] })).code ?? "none";
  test("rotations in clusters are Vulkan 1.4", async () => {
    const text = glsl("r[i] = subgroupClusteredRotate(i, 1u, 4u);");
    const opencl = (await translate(text, { from: "glsl", to: "opencl" })).code!;
    expect(opencl).toContain(
      "sub_group_shuffle(i, (get_sub_group_local_id() & ~3u) + ((get_sub_group_local_id() + 1u) & 3u))",
    );
    const metal = await made(text, "glsl", "msl", "msl2.2");
    expect(metal).toContain("quad_shuffle_rotate_down(i, 1u)");
    expect(await made(metal, "msl", "glsl", "vulkan1.4")).toContain("subgroupClusteredRotate(i, 1u, 4u)");
    expect(await made(metal, "msl", "glsl", "vulkan1.3")).toContain("subgroupShuffle(i, ");
  });
  test("the lane of a broadcast in a quad is a constant before Vulkan 1.2", async () => {
    const text = msl("r[i] = quad_broadcast(i, r[0]);");
    expect(await made(text, "msl", "glsl", "vulkan1.2")).toContain("subgroupQuadBroadcast(i, ");
    expect(await made(text, "msl", "glsl", "vulkan1.1")).toContain("subgroupShuffle(i, ");
    expect(await made(msl("r[i] = quad_broadcast(i, 2);"), "msl", "glsl", "vulkan1.1")).toContain(
      "subgroupQuadBroadcast(i, 2u)",
    );
  });
  test("iOS reduces in quads from 2.3 on", async () => {
    const text = glsl("r[i] = subgroupClusteredAdd(i, 4u);");
    expect(await made(text, "glsl", "msl", "msl2.3-ios")).toContain("quad_sum(i)");
    expect(await made(text, "glsl", "msl", "msl2.2-ios")).toContain("clustered_add(i, 4u, lane)");
  });
  test("HLSL's quads are an assumption", async () => {
    const text = `RWStructuredBuffer<uint> r;\n[numthreads(8, 1, 1)]\nvoid k(uint i : SV_GroupIndex) { r[i] = QuadReadAcrossX(i); }\n`;
    const result = await translate(text, { from: "hlsl", to: "msl" });
    expect(result.code).toContain("quad_shuffle_xor(");
    expect(result.assumptions.map((a) => a.op)).toContain("quad-lanes");
  });
});
