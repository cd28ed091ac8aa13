/** Reports as vulkaninfo and clinfo write them; what they take away is worked out by hand from the specifications. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readReport, type DeviceReport } from "../../src/caps/device-report.js";
import { narrow } from "../../src/caps/narrow.js";
import { profileNamed } from "../../src/caps/profiles.js";

const json = (file: string): object =>
  JSON.parse(readFileSync(new URL(`reports/${file}.json`, import.meta.url), "utf8")) as object;

function report(file: string, index?: number): DeviceReport {
  const found = readReport(json(file), index);
  if ("problem" in found) throw new Error(found.problem);
  return found;
}

describe("vulkaninfo --json", () => {
  const mobile = report("vulkaninfo-mobile");
  test("name, version, widths, limits", () => {
    // 4198621 is 1.1.221: 1 << 22 | 1 << 12 | 221.
    expect(mobile).toMatchObject({ api: "vulkan", name: "Example Mobile 6", version: 101 });
    const { profile } = narrow(profileNamed("vulkan1.3")!, mobile);
    expect(profile).toMatchObject({ id: "vulkan1.1", version: 101 });
    expect(profile.device).toMatchObject({ subgroupSizes: [16, 32, 64], selectable: true });
    expect(profile.limits).toMatchObject({ maxWorkgroupInvocations: 512, workgroupMemory: 32768 });
  });
  test("what it lacks", () => {
    const { removed, profile } = narrow(profileNamed("vulkan1.3")!, mobile);
    const lost = [
      "glsl.KHR_shader_subgroup_shuffle",
      "glsl.KHR_shader_subgroup_shuffle_relative",
      "glsl.EXT_shader_explicit_arithmetic_types_int8",
      // Not in the list of features, which drivers give whole.
      "glsl.EXT_shader_8bit_storage",
      "glsl.EXT_shader_subgroup_extended_types_float16",
    ];
    expect(removed).toEqual(expect.arrayContaining(lost));
    for (const kept of ["basic", "vote", "arithmetic", "ballot"])
      expect(removed).not.toContain(`glsl.KHR_shader_subgroup_${kept}`);
    expect(removed).not.toContain("glsl.EXT_shader_explicit_arithmetic_types_float16");
    expect(profile.device!.lacks.get("glsl.EXT_shader_explicit_arithmetic_types_int8")).toBe("shaderInt8");
    expect(profile.device!.lacks.get("glsl.KHR_shader_subgroup_shuffle")).toBe(
      "subgroup operations of the category 'shuffle'",
    );
  });
  test.each([
    // Quad operations in compute do not ask for quadOperationsInAllStages.
    ["glsl.KHR_shader_subgroup_quad", undefined],
    ["glsl.KHR_shader_subgroup_clustered", "subgroup operations of the category 'clustered'"],
    ["glsl.KHR_shader_subgroup_rotate", "subgroup operations of the category 'rotate'"],
    ["glsl.NV_shader_subgroup_partitioned", "subgroup operations of the category 'partitioned'"],
    ["glsl.float64", "shaderFloat64"],
    ["glsl.EXT_shader_explicit_arithmetic_types_int64", undefined],
  ])("%s: %s", (atom, wanted) => {
    const base = profileNamed("vulkan1.1")!;
    const { profile } = narrow({ ...base, atoms: new Set([atom]) }, mobile);
    expect(profile.device!.lacks.get(atom)).toBe(wanted);
  });
  test("without compute among the stages there are no subgroup operations at all", () => {
    // VkPhysicalDeviceSubgroupProperties of older vulkaninfo: stages are a number, 31 all of the graphics pipeline.
    const { removed } = narrow(profileNamed("vulkan1.2")!, report("vulkaninfo-fragment-only"));
    const all = [...profileNamed("vulkan1.2")!.atoms].filter((a) => a.includes("KHR_shader_subgroup_"));
    expect(all.length).toBeGreaterThan(5);
    expect(removed).toEqual(expect.arrayContaining(all));
  });
  test("operations as a number", () => {
    // Basic, vote, arithmetic, ballot, clustered, quad, rotate and clustered rotate.
    const facts = { supportedOperations: 0x6cf, supportedStages: 0x20 };
    const atoms = ["arithmetic", "shuffle", "clustered", "quad", "rotate", "rotate_clustered"].map(
      (c) => `glsl.KHR_shader_subgroup_${c}`,
    );
    const { removed } = narrow({ ...profileNamed("vulkan1.3")!, atoms: new Set(atoms) }, facts);
    expect(removed).toEqual(["glsl.KHR_shader_subgroup_shuffle"]);
  });
});

describe("clinfo --json", () => {
  test("several devices: one is chosen", () => {
    expect(readReport(json("clinfo-two"))).toMatchObject({
      problem: expect.stringMatching(/^it has 2 devices \(0: cpu-haswell, 1: Intel/) as string,
    });
    expect(report("clinfo-two", 1).name).toBe("Intel(R) UHD Graphics");
    expect(readReport(json("clinfo-two"), 2)).toEqual({ problem: "it has no device 2" });
  });
  test("a CPU: features stand beside extensions", () => {
    const { removed, profile } = narrow(profileNamed("opencl3.0")!, report("clinfo-two", 0));
    expect(profile.id).toBe("opencl3.0");
    expect([...removed].sort()).toEqual([
      "cl.atomic_order_seq_cst",
      "cl.atomic_scope_all_devices",
      "cl.atomic_scope_device",
      "cl.khr_fp16",
      "cl.khr_int64_base_atomics",
      "cl.khr_int64_extended_atomics",
      "cl.khr_subgroup_clustered_reduce",
      "cl.khr_subgroup_extended_types",
      "cl.khr_subgroup_non_uniform_arithmetic",
      "cl.khr_subgroup_non_uniform_vote",
      "cl.khr_subgroup_shuffle_relative",
      "cl.work_group_collectives",
    ]);
    expect(profile.device).toMatchObject({ selectable: true, limits: { workgroupMemory: 524288 } });
    expect(profile.device!.subgroupSizes).toBeUndefined();
  });
  test("a GPU: its widths", () => {
    const { removed, profile } = narrow(profileNamed("opencl3.0")!, report("clinfo-two", 1));
    expect(removed).toContain("cl.khr_subgroup_shuffle");
    expect(removed).not.toContain("cl.subgroups");
    expect(removed).not.toContain("cl.atomic_scope_device");
    expect(profile.device).toMatchObject({ subgroupSizes: [8, 16, 32], selectable: true });
  });
  test("OpenCL C 3.0 has sub-groups without an extension; none where a workgroup has none", () => {
    const facts = {
      CL_DEVICE_NAME: "d",
      CL_DEVICE_VERSION: "OpenCL 3.0 x",
      CL_DEVICE_EXTENSIONS: "cl_khr_subgroup_ballot",
      CL_DEVICE_OPENCL_C_FEATURES: { __opencl_c_subgroups: { raw: 12582912, version: "3.0.0" } },
    };
    expect(narrow(profileNamed("opencl3.0")!, facts).removed).not.toContain("cl.subgroups");
    const none = narrow(profileNamed("opencl3.0")!, { ...facts, CL_DEVICE_MAX_NUM_SUB_GROUPS: 0 });
    expect(none.removed).toEqual(expect.arrayContaining(["cl.subgroups", "cl.khr_subgroup_ballot"]));
  });
  test("OpenCL 1.2 makes it the profile of that version", () => {
    const facts = {
      CL_DEVICE_NAME: "d",
      CL_DEVICE_VERSION: "OpenCL 1.2 x",
      CL_DEVICE_EXTENSIONS: "cl_khr_fp16",
    };
    const { profile } = narrow(profileNamed("opencl3.0")!, facts);
    expect(profile).toMatchObject({ id: "opencl1.2", version: 102 });
    expect([...profile.atoms]).toEqual(["cl.khr_fp16"]);
  });
});

describe("what is no report", () => {
  test.each([[null], [7], [[]], [{}], [{ a: { b: 1 } }]])("%j", (value) => {
    expect(readReport(value)).toMatchObject({ problem: expect.stringMatching(/^it is no report/) as string });
  });
  test("a device too old", () => {
    expect(readReport({ deviceName: "d", apiVersion: "1.0.65" })).toEqual({
      problem: "d has Vulkan 1.0, and crosslane writes for 1.1 and newer",
    });
  });
});
