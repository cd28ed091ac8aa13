/** Widths a kernel asks for, from every dialect that can to every target: carried, or said to be assumed. */
import { describe, expect, test } from "vitest";
import { translate } from "../../src/api/translate.js";
import { simulate } from "../../src/api/simulate.js";
import { verify } from "../../src/api/verify.js";
import { reflect } from "../../src/api/reflect.js";
import type { Target } from "../../src/dialects/ids.js";

const hlsl = (attribute: string, body = "x[id.x] = WaveActiveSum(x[id.x]);"): string =>
  `RWStructuredBuffer<uint> x : register(u0);\n${attribute}\n[numthreads(64, 1, 1)]\nvoid k(uint3 id : SV_DispatchThreadID) {\n  ${body}\n}\n`;
const opencl = `__attribute__((intel_reqd_sub_group_size(16)))
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void k(global uint *x) {
  x[get_global_id(0)] = sub_group_reduce_add(x[get_global_id(0)]);
}
`;

const to = (source: string, target: Target, more: object = {}): ReturnType<typeof translate> =>
  translate(source, { from: source.includes("kernel void") ? "opencl" : "hlsl", to: target, ...more });
const assumed = (r: Awaited<ReturnType<typeof translate>>): string[] =>
  r.assumptions.filter((a) => a.op === "subgroup-size").map((a) => a.message);

describe("one width", () => {
  test("between HLSL and OpenCL C", async () => {
    const cl = await to(hlsl("[WaveSize(16)]"), "opencl");
    expect(cl.code).toContain("__attribute__((intel_reqd_sub_group_size(16)))");
    expect(assumed(cl)).toEqual([]);
    expect((await to(opencl, "hlsl")).code).toContain("[WaveSize(16)]");
  });
  test.each([
    ["glsl", /^subgroups have 16 lanes, and GLSL cannot ask for it: the pipeline does/],
    ["msl", /^subgroups have 16 lanes, and MSL cannot ask for it$/],
  ] as const)("%s cannot say it", async (target, wanted) => {
    const r = await to(opencl, target);
    expect(r.code).toBeDefined();
    expect(assumed(r)).toEqual([expect.stringMatching(wanted)]);
    const strict = await to(opencl, target, { strict: true });
    expect(strict.diagnostics.map((d) => d.code)).toContain("XL4009");
  });
  test("HLSL takes widths from 4 on (DXC: 'must be between 4 and 128')", async () => {
    const r = await to(opencl.replace("(16)", "(2)"), "hlsl");
    expect(r.code).not.toContain("WaveSize");
    expect(assumed(r)).toEqual(["subgroups have 2 lanes, and [WaveSize] takes 4 and more"]);
    expect((await to(hlsl("[WaveSize(2)]"), "hlsl")).diagnostics).toMatchObject([{ code: "XL2020" }]);
  });
  test("MSL has no SIMD-groups of 128 (a simd_vote::vote_t is 64 bits)", async () => {
    expect((await to(hlsl("[WaveSize(128)]"), "msl")).diagnostics).toMatchObject([
      { code: "XL3006", message: "kernel k asks for subgroups of 128 lanes, and a simd_vote of MSL has 64 lanes" },
    ]);
    expect((await to(hlsl("[WaveSize(128)]", "x[id.x] += 1;"), "msl")).code).toBeDefined();
    expect(assumed(await to(hlsl("[WaveSize(64)]"), "msl"))).toHaveLength(1);
  });
  test("before Shader Model 6.6 HLSL cannot either", async () => {
    const r = await to(opencl, "hlsl", { profile: "sm6.5" });
    expect(r.code).not.toContain("WaveSize");
    expect(assumed(r)).toEqual(["subgroups have 16 lanes, and sm6.5 has no [WaveSize(n)], which came with 6.6"]);
  });
  test("a device without the extension", async () => {
    const device = {
      CL_DEVICE_NAME: "d",
      CL_DEVICE_VERSION: "OpenCL 3.0 x",
      CL_DEVICE_EXTENSIONS: "cl_khr_subgroups cl_khr_subgroup_non_uniform_arithmetic",
    };
    const r = await to(hlsl("[WaveSize(16)]"), "opencl", { deviceProfile: device });
    expect(r.code).not.toContain("intel_reqd_sub_group_size");
    expect(assumed(r)).toEqual(["subgroups have 16 lanes, and d has no cl_intel_required_subgroup_size"]);
  });
  test("a device of other widths", async () => {
    const device = { deviceName: "d", subgroupSize: 32, supportedOperations: 255, supportedStages: 32 };
    const r = await to(opencl, "glsl", { deviceProfile: device });
    expect(r.diagnostics[0]).toMatchObject({
      code: "XL3006",
      message: "kernel k asks for subgroups of 16 lanes, and d has 32",
    });
  });
  test("where no lane looks at another it says nothing", async () => {
    const r = await to(hlsl("[WaveSize(16)]", "x[id.x] += 1;"), "glsl");
    expect(assumed(r)).toEqual([]);
  });
  test("--subgroup-size sets it", async () => {
    expect((await to(hlsl(""), "opencl", { subgroupSize: 32 })).code).toContain("intel_reqd_sub_group_size(32)");
    expect((await to(hlsl(""), "hlsl", { subgroupSize: 32 })).code).toContain("[WaveSize(32)]");
    expect((await to(hlsl("[WaveSize(16)]"), "opencl", { subgroupSize: 32 })).diagnostics[0]).toMatchObject({
      code: "XL3006",
      message: "kernel k asks for subgroups of 16 lanes, and 32 are given",
    });
  });
});

describe("a range (Shader Model 6.8)", () => {
  test("is carried, and needs its version", async () => {
    const source = hlsl("[WaveSize(8, 32, 16)]");
    expect((await to(source, "hlsl", { profile: "sm6.8" })).code).toContain("[WaveSize(8, 32, 16)]");
    expect(assumed(await to(source, "opencl"))).toEqual([
      "subgroups have 8 to 32 lanes, and intel_reqd_sub_group_size takes one width",
    ]);
    expect(assumed(await to(source, "glsl"))).toHaveLength(1);
    expect((await to(source, "opencl", { subgroupSize: 8 })).code).toContain("intel_reqd_sub_group_size(8)");
  });
  test.each([
    ["[WaveSize(32, 8)]", "a range of subgroup sizes does not go from 32 to 8"],
    ["[WaveSize(8, 32, 64)]", "the preferred subgroup size 64 is not in the range"],
    ["[WaveSize(24)]", "a subgroup cannot have 24 lanes"],
    ["[WaveSize(8, 16, 8, 8)]", "WaveSize takes one to three numbers"],
  ])("%s", async (attribute, message) => {
    const r = await to(hlsl(attribute), "glsl");
    expect(r.diagnostics.map((d) => d.message)).toContain(message);
  });
  test("verify runs at its widths, the simulator at the preferred one", async () => {
    const source = hlsl("[WaveSize(8, 32, 16)]");
    const r = await verify(source, { from: "hlsl", to: "glsl" });
    expect(r.result).toBe("equivalent");
    expect([...new Set(r.runs.map((run) => run.subgroupSize))]).toEqual([8, 16, 32]);
    const x = new Uint32Array(64).fill(1);
    const sums = await simulate(source, { from: "hlsl", workgroups: [1], args: { x } });
    expect([...(sums.buffers["x"] as Uint32Array)]).toEqual(new Array(64).fill(16));
    const outside = await simulate(source, { from: "hlsl", workgroups: [1], subgroupSize: 64, args: { x } });
    expect(outside.diagnostics[0]).toMatchObject({
      code: "XL6007",
      message: "the launch has subgroups of 64 and 'k' is written for 8 to 32",
    });
  });
  test("reflection tells it", async () => {
    const { entries } = await reflect(hlsl("[WaveSize(8, 32)]"), { from: "hlsl" });
    expect(entries[0]).toMatchObject({ subgroupSizes: { min: 8, max: 32 } });
  });
});

describe("the most invocations of a workgroup", () => {
  const msl =
    "[[max_total_threads_per_threadgroup(64)]] kernel void k(device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = i; }\n";
  test("bounds launches and fixed sizes", async () => {
    const large = await translate(msl, { from: "msl", to: "glsl", workgroupSize: [128] });
    expect(large.diagnostics[0]).toMatchObject({
      code: "XL4003",
      message: "kernel k is written for workgroups of up to 64 invocations, not 128,1,1",
    });
    expect((await translate(msl, { from: "msl", to: "glsl", workgroupSize: [64] })).code).toContain(
      "local_size_x = 64",
    );
    const run = await simulate(msl, {
      from: "msl",
      workgroups: [1],
      workgroupSize: [128],
      args: { x: new Uint32Array(128) },
    });
    expect(run.diagnostics[0]).toMatchObject({
      code: "XL6007",
      message: "a workgroup of 128 invocations is larger than the 64 'k' is written for",
    });
  });
});
