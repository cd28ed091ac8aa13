import { describe, expect, test } from "vitest";
import { decide } from "../../src/caps/decide.js";
import { narrow } from "../../src/caps/narrow.js";
import { defaultProfile, hasAtom, profileIds, profileNamed, type Profile } from "../../src/caps/profiles.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import type { OpUse } from "../../src/ops/row.js";
import { bool, f32, scalar, u32, vector, type Type } from "../../src/types/types.js";

const use = (op: OpUse["op"], operandTypes: readonly Type[], result: Type, more: Partial<OpUse> = {}): OpUse => ({
  op,
  operandTypes,
  placeTypes: [],
  result,
  flow: "divergent",
  constants: operandTypes.map(() => undefined),
  ...more,
});

const answer = (u: OpUse, dialect: TwoWayDialect, profile?: string | Profile): string => {
  const d = decide(u, dialect, profile);
  return d.kind === "native"
    ? d.spelling.kind === "call"
      ? d.spelling.name
      : "text"
    : d.kind === "lowering"
      ? `by ${d.lowering}`
      : "refused";
};

describe("what a profile has", () => {
  const sum = use("subgroup.add", [u32], u32);
  // MSL 3.1 6.9: reductions since macOS 2.1 and iOS 2.3, shuffles since macOS 2.0 and iOS 2.2, fills since 2.4.
  test.each([
    ["msl2.0-macos", "refused"],
    ["msl2.1-macos", "simd_sum"],
    ["msl2.1", "refused"],
    ["msl2.2-ios", "by reduce-by-ballot-loop"],
    ["msl2.3", "simd_sum"],
    ["msl3.0", "simd_sum"],
  ])("a sum over lanes in %s: %s", (profile, wanted) => expect(answer(sum, "msl", profile)).toBe(wanted));
  test.each([
    ["sm5.0", "refused"],
    ["sm6.0", "WaveActiveSum"],
  ])("a sum over lanes in %s: %s", (profile, wanted) => expect(answer(sum, "hlsl", profile)).toBe(wanted));
  test.each([
    ["opencl1.2", "refused"],
    ["opencl3.0", "sub_group_non_uniform_reduce_add"],
  ])("a sum over lanes in %s: %s", (profile, wanted) => expect(answer(sum, "opencl", profile)).toBe(wanted));

  test("OpenCL's base operations only where all lanes come", () => {
    expect(answer({ ...sum, flow: "uniform" }, "opencl")).toBe("sub_group_reduce_add");
    expect(answer({ ...sum, flow: "uniform" }, "opencl", "opencl2.0")).toBe("sub_group_reduce_add");
    expect(answer(sum, "opencl", "opencl2.0")).toBe("refused");
  });
  test("a broadcast of a lane that is no constant needs SPIR-V 1.5", () => {
    const broadcast = use("subgroup.broadcast", [u32, u32], u32);
    expect(answer(broadcast, "glsl", "vulkan1.1")).toBe("by as-shuffle");
    expect(answer(broadcast, "glsl", "vulkan1.2")).toBe("subgroupBroadcast");
    expect(answer({ ...broadcast, constants: [undefined, 3] }, "glsl", "vulkan1.1")).toBe("subgroupBroadcast");
  });
  test("shuffles with a delta that may differ between lanes are written by the lane in MSL", () => {
    const down = use("subgroup.shuffle_down", [u32, u32], u32);
    expect(answer(down, "msl")).toBe("by read-lane");
    expect(answer({ ...down, constants: [undefined, 1] }, "msl")).toBe("simd_shuffle_down");
    expect(answer({ ...down, precondition: "uniform-operands" }, "msl")).toBe("simd_shuffle_down");
  });
  test("types count", () => {
    expect(answer(use("subgroup.shuffle", [bool, u32], bool), "msl")).toBe("by through-u32");
    expect(answer(use("subgroup.shuffle", [vector("f32", 3), u32], vector("f32", 3)), "opencl")).toBe(
      "by componentwise",
    );
    expect(answer(use("math.exp", [scalar("f16")], scalar("f16")), "hlsl", "sm6.0")).toBe("refused");
    expect(answer(use("math.exp", [scalar("f16")], scalar("f16")), "hlsl", "sm6.2")).toBe("exp");
    expect(decide(use("math.exp", [scalar("f16")], scalar("f16")), "opencl")).toMatchObject({
      requires: ["cl.khr_fp16"],
    });
  });
  test("rotation came with Vulkan 1.4", () => {
    const rotate = use("subgroup.rotate", [f32, u32], f32);
    expect(answer(rotate, "glsl", "vulkan1.3")).toBe("by rotate-by-shuffle");
    expect(answer(rotate, "glsl", "vulkan1.4")).toBe("subgroupRotate");
  });
});

describe("profiles", () => {
  test("bounds compare by parts, and only for their own dialect", () => {
    const p = profileNamed("sm6.8")!;
    expect([hasAtom(p, "sm>=6.8"), hasAtom(p, "sm>=6.10"), hasAtom(p, "sm>=5.1"), hasAtom(p, "msl>=2.0")]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(hasAtom(p, "!sm>=6.9")).toBe(true);
  });
  test("defaults", () => {
    expect((["msl", "glsl", "opencl", "hlsl"] as const).map((d) => defaultProfile(d).id)).toEqual([
      "msl3.0",
      "vulkan1.3",
      "opencl3.0",
      "sm6.6",
    ]);
    expect(profileIds("glsl").filter((id) => !id.includes("-"))).toEqual([
      "vulkan1.1",
      "vulkan1.2",
      "vulkan1.3",
      "vulkan1.4",
    ]);
    // Extensions of one vendor, and for debugging, are asked for by name.
    expect(hasAtom(defaultProfile("glsl"), "glsl.EXT_debug_printf")).toBe(false);
    expect(hasAtom(profileNamed("vulkan1.2-debug")!, "glsl.EXT_debug_printf")).toBe(true);
    expect(hasAtom(defaultProfile("glsl"), "glsl.NV_shader_subgroup_partitioned")).toBe(false);
    expect(hasAtom(profileNamed("vulkan1.3-nv")!, "glsl.NV_shader_subgroup_partitioned")).toBe(true);
  });
});

describe("narrowed to a device", () => {
  const vulkan = defaultProfile("glsl");
  test("a Vulkan device with partitioned operations, as names and as bits", () => {
    for (const operations of [["VK_SUBGROUP_FEATURE_BASIC_BIT", "VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV"], 0x1ff]) {
      const { profile, added } = narrow(vulkan, { subgroupSupportedOperations: operations });
      expect(added).toEqual(["glsl.NV_shader_subgroup_partitioned"]);
      expect(hasAtom(profile, "glsl.NV_shader_subgroup_partitioned")).toBe(true);
    }
    expect(narrow(vulkan, { subgroupSupportedOperations: 0xff }).added).toEqual([]);
  });
  test("an OpenCL device without collectives of work-groups", () => {
    const report = {
      CL_DEVICE_NAME: "some",
      CL_DEVICE_EXTENSIONS: "cl_khr_fp16",
      CL_DEVICE_OPENCL_C_FEATURES: [{ name: "__opencl_c_subgroups" }],
    };
    expect(narrow(defaultProfile("opencl"), report).removed).toContain("cl.work_group_collectives");
    expect(
      narrow(defaultProfile("opencl"), { CL_DEVICE_NAME: "some", CL_DEVICE_EXTENSIONS: "cl_khr_fp16" }).removed,
    ).not.toContain("cl.work_group_collectives");
  });
  test("a Vulkan device that keeps no special numbers of doubles; a report without properties says nothing of them", () => {
    const atom = (width: number): string => `glsl.signed_zero_inf_nan_preserve_float${width}`;
    const properties = {
      shaderSignedZeroInfNanPreserveFloat32: true,
      shaderSignedZeroInfNanPreserveFloat64: false,
    };
    const { removed } = narrow(vulkan, { deviceName: "some", shaderInt64: true, properties });
    expect(removed).toContain(atom(64));
    expect(removed).not.toContain(atom(32));
    expect(removed).not.toContain(atom(16));
  });
  test("a Vulkan device without subgroup arithmetic and half", () => {
    const report = {
      capabilities: {
        device: {
          features: {
            VkPhysicalDeviceFeatures: { shaderInt64: true, shaderInt16: true },
            VkPhysicalDeviceVulkan12Features: { shaderFloat16: false },
          },
          properties: {
            VkPhysicalDeviceProperties: {
              limits: {
                maxComputeSharedMemorySize: 49152,
                maxComputeWorkGroupInvocations: 1024,
                maxComputeWorkGroupSize: [1024, 1024, 64],
                maxPushConstantsSize: 256,
              },
            },
            VkPhysicalDeviceVulkan11Properties: {
              subgroupSupportedOperations: [
                "VK_SUBGROUP_FEATURE_BASIC_BIT",
                "VK_SUBGROUP_FEATURE_VOTE_BIT",
                "VK_SUBGROUP_FEATURE_BALLOT_BIT",
                "VK_SUBGROUP_FEATURE_SHUFFLE_BIT",
              ],
            },
          },
        },
      },
    };
    const { profile, removed } = narrow(vulkan, report);
    expect(removed).toEqual(
      expect.arrayContaining([
        "glsl.KHR_shader_subgroup_arithmetic",
        "glsl.KHR_shader_subgroup_shuffle_relative",
        "glsl.EXT_shader_explicit_arithmetic_types_float16",
      ]),
    );
    expect(removed).not.toContain("glsl.EXT_shader_explicit_arithmetic_types_int64");
    expect(profile.limits).toMatchObject({
      workgroupMemory: 49152,
      maxWorkgroupInvocations: 1024,
      pushConstants: 256,
    });
    expect(answer(use("subgroup.add", [u32], u32), "glsl", profile)).toBe("by reduce-by-ballot-loop");
    expect(answer(use("subgroup.shuffle_up", [u32, u32], u32), "glsl", profile)).toBe("by read-lane");
    expect(answer(use("math.exp", [scalar("f16")], scalar("f16")), "glsl", profile)).toBe("refused");
  });
  test("a bit mask of operations", () => {
    // basic, vote, arithmetic, ballot.
    expect(narrow(vulkan, { subgroupProperties: { supportedOperations: 0xf } }).removed).toEqual([
      "glsl.KHR_shader_subgroup_shuffle",
      "glsl.KHR_shader_subgroup_shuffle_relative",
      "glsl.KHR_shader_subgroup_clustered",
      "glsl.KHR_shader_subgroup_quad",
    ]);
  });
  test("a report that says nothing takes nothing away", () => {
    expect(narrow(vulkan, {}).removed).toEqual([]);
    expect(narrow(defaultProfile("opencl"), {}).removed).toEqual([]);
  });
  test("an OpenCL device by its extensions", () => {
    const report = {
      devices: [
        {
          online: [
            {
              CL_DEVICE_NAME: "d",
              CL_DEVICE_EXTENSIONS: { raw: "cl_khr_fp16 cl_khr_subgroups cl_khr_subgroup_ballot" },
              CL_DEVICE_LOCAL_MEM_SIZE: 65536,
            },
          ],
        },
      ],
    };
    const { profile, removed } = narrow(defaultProfile("opencl"), report);
    expect(removed).toContain("cl.khr_subgroup_shuffle");
    expect(removed).not.toContain("cl.subgroups");
    expect(profile.limits.workgroupMemory).toBe(65536);
    expect(answer(use("subgroup.shuffle", [u32, u32], u32), "opencl", profile)).toBe("refused");
  });
});
