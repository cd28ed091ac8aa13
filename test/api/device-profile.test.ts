/** Translations for one device: what it lacks is emulated or refused, and said. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { check } from "../../src/api/check.js";
import { translate } from "../../src/api/translate.js";
import { verify } from "../../src/api/verify.js";

const report = (file: string): object =>
  JSON.parse(readFileSync(new URL(`../caps/reports/${file}.json`, import.meta.url), "utf8")) as object;
const mobile = report("vulkaninfo-mobile");
const fragmentOnly = report("vulkaninfo-fragment-only");

const swap = `kernel void swap(device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_shuffle_xor(x[i], 1);
}
`;
const broadcast = `kernel void first(device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
  x[i] = simd_broadcast(x[i], x[0] & 1u) + lane;
}
`;
const bytes = `kernel void k(device uchar *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i] + uchar(1);
}
`;
const msl = { from: "msl", to: "glsl", workgroupSize: [64, 1, 1] } as const;

describe("a device profile", () => {
  test("what its subgroups cannot do is refused with the reason", async () => {
    const r = await translate(swap, { ...msl, deviceProfile: mobile });
    expect(r.code).toBeUndefined();
    expect(r.diagnostics[0]).toMatchObject({
      code: "XL3001",
      message:
        "glsl cannot do simd_shuffle_xor here: Example Mobile 6 lacks subgroup operations of the category 'shuffle'",
      location: { line: 2 },
    });
    expect((await translate(swap, msl)).code).toContain("subgroupShuffleXor");
  });
  test("without subgroups in compute nothing of them is left", async () => {
    const r = await translate(broadcast, { ...msl, deviceProfile: fragmentOnly });
    expect(r.code).toBeUndefined();
    expect(r.diagnostics.map((d) => d.message)).toContain(
      "glsl does not provide thread_index_in_simdgroup: Example Fragment lacks subgroup operations in compute shaders",
    );
  });
  test.each([
    [
      "msl",
      "kernel void k(device uint *x [[buffer(0)]], uint q [[thread_index_in_quadgroup]]) { x[0] = q; }",
      "thread_index_in_quadgroup",
    ],
    [
      "hlsl",
      "RWStructuredBuffer<uint> x : register(u0);\n[numthreads(64, 1, 1)] void k() { x[0] = WaveGetLaneIndex(); }",
      "WaveGetLaneIndex",
    ],
  ] as const)("an id is called what the %s source calls it", async (from, source, name) => {
    const r = await translate(source, { ...msl, from, deviceProfile: fragmentOnly });
    expect(r.code).toBeUndefined();
    expect(r.diagnostics.map((d) => d.message)).toEqual([
      `glsl does not provide ${name}: Example Fragment lacks subgroup operations in compute shaders`,
    ]);
  });
  test("where a profile lacks an id it is named", async () => {
    const source = "kernel void k(device uint *x [[buffer(0)]], uint i [[thread_index_in_simdgroup]]) { x[0] = i; }";
    const r = await translate(source, { from: "msl", to: "hlsl", profile: "sm5.0", workgroupSize: [64, 1, 1] });
    expect(r.diagnostics.map((d) => d.message)).toEqual(["hlsl does not provide thread_index_in_simdgroup in sm5.0"]);
  });
  test("types it cannot compute with or store are parts of words", async () => {
    const { result } = await verify(bytes, { ...msl, deviceProfile: mobile });
    expect(result).toBe("equivalent");
    const { emulations } = await translate(bytes, { ...msl, deviceProfile: mobile });
    expect(emulations.map((e) => e.op)).toEqual(expect.arrayContaining(["parts-of-words", "small-integers"]));
    const own = (await translate(bytes, msl)).code!;
    const r = await translate(own, { from: "glsl", to: "glsl", deviceProfile: mobile });
    expect(r.code).toBeUndefined();
    expect(r.diagnostics.map((d) => d.message)).toEqual(
      expect.arrayContaining(["no uint8_t here: Example Mobile 6 lacks shaderInt8"]),
    );
  });
  test("in its own dialect too", async () => {
    const source = `#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer X { uint x[]; };
void main() { x[gl_GlobalInvocationID.x] = subgroupShuffleXor(x[gl_GlobalInvocationID.x], 1u); }
`;
    const r = await translate(source, { from: "glsl", to: "glsl", deviceProfile: mobile });
    expect(r.code).toBeUndefined();
    expect(r.diagnostics[0]!.message).toContain("Example Mobile 6 lacks");
    expect((await translate(source, { from: "glsl", to: "glsl" })).code).toContain("subgroupShuffleXor");
  });
  test("emulated where it can be, and the report says why", async () => {
    // Ballot is there and arithmetic is not.
    const facts = { deviceName: "d", supportedOperations: 0x3b, supportedStages: 0x20 };
    const source = swap.replace("simd_shuffle_xor(x[i], 1)", "simd_sum(x[i])");
    const r = await translate(source, { ...msl, deviceProfile: facts });
    expect(r.code).toBeDefined();
    expect(r.code).not.toContain("subgroupAdd(");
    expect(r.emulations.map((e) => e.message)).toContainEqual(
      expect.stringMatching(
        /simd_sum is carried out by .*, since d lacks subgroup operations of the category 'arithmetic'$/,
      ),
    );
  });
  test("check: the device's own versions, and the others as they are", async () => {
    const { portability } = await check(swap, { from: "msl", workgroupSize: [64], deviceProfile: mobile });
    const glsl = portability.filter((p) => p.target === "glsl");
    expect(glsl.map((p) => [p.profile, p.device, p.verdict])).toEqual([["vulkan1.1", "Example Mobile 6", "refused"]]);
    expect(portability.filter((p) => p.target === "hlsl").every((p) => p.device === undefined)).toBe(true);
  });
  test("verify: at the device's widths only", async () => {
    const source = swap.replace("simd_shuffle_xor(x[i], 1)", "simd_sum(x[i])");
    const facts = { deviceName: "d", supportedOperations: 0x3f, supportedStages: 0x20, subgroupSize: 16 };
    const r = await verify(source, { from: "msl", to: "glsl", deviceProfile: facts });
    expect(r.result).toBe("equivalent");
    expect(new Set(r.runs.map((run) => run.subgroupSize))).toEqual(new Set([16]));
    const launch = {
      workgroups: [1],
      workgroupSize: [64],
      subgroupSizes: [32],
      args: { x: { type: "u32", count: 64, init: { fill: 1 }, output: true } },
    };
    const none = await verify(source, { from: "msl", to: "glsl", deviceProfile: facts, launches: [launch] });
    expect(none.result).toBe("not-run");
    expect(none.diagnostics[0]).toMatchObject({
      code: "XL3006",
      message: "the kernel is meant for subgroup widths 32, and d has 16",
    });
  });
  test("workgroups and workgroup memory larger than the device's", async () => {
    const facts = {
      deviceName: "d",
      apiVersion: "1.3.0",
      maxComputeSharedMemorySize: 16384,
      maxComputeWorkGroupInvocations: 256,
      maxComputeWorkGroupSize: [256, 256, 64],
    };
    const source = `kernel void k(device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]]) {
  threadgroup uint part[8192];
  part[l] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = part[l ^ 1u];
}
`;
    const r = await translate(source, { ...msl, workgroupSize: [512], deviceProfile: facts });
    expect(r.diagnostics.map((d) => [d.code, d.message])).toEqual([
      ["XL3007", "kernel k has workgroups of 512 x 1 x 1, and d runs up to 256 invocations, 256 x 256 x 64 at most"],
      // 8192 numbers of four bytes.
      ["XL3007", "the kernel takes 32768 bytes of workgroup memory, and d has 16384"],
    ]);
    expect((await translate(source, { ...msl, workgroupSize: [512] })).code).toBeDefined();
  });
  test("what is no report is misuse", async () => {
    await expect(translate(swap, { ...msl, deviceProfile: { a: 1 } })).rejects.toThrow(TypeError);
  });
});
