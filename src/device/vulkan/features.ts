/** Which features of a device a kernel may ask for, and what a SPIR-V capability needs. */
import type { SpirvModule } from "./spirv.js";
import { struct } from "../structures.js";
import type { Fields, Structure } from "../structures.js";
import { vk, subgroupRotate, subgroupRotateClustered } from "./api.js";
import * as s from "./structures.js";

/** A structure of features: part of Vulkan since a version, before that an extension. */
export interface FeatureGroup {
  readonly structure: Structure<Fields>;
  readonly features: readonly string[];
  readonly core?: readonly [number, number];
  readonly extension?: string;
}

/** Newer than the headers of some machines; as the registry has it (VK_KHR_shader_subgroup_rotate, extension 417). */
const rotateFeatures = struct(
  "VkPhysicalDeviceShaderSubgroupRotateFeatures",
  { sType: "u32", pNext: "ptr", shaderSubgroupRotate: "u32", shaderSubgroupRotateClustered: "u32" },
  1000416000,
);

/** The same (VK_KHR_shader_quad_control, extension 236). */
const quadFeatures = struct(
  "VkPhysicalDeviceShaderQuadControlFeatures",
  { sType: "u32", pNext: "ptr", shaderQuadControl: "u32" },
  1000235000,
);

export const featureGroups: readonly FeatureGroup[] = [
  {
    structure: s.VkPhysicalDevice16BitStorageFeatures,
    core: [1, 1],
    extension: "VK_KHR_16bit_storage",
    features: ["storageBuffer16BitAccess", "uniformAndStorageBuffer16BitAccess", "storagePushConstant16"],
  },
  {
    structure: s.VkPhysicalDeviceVariablePointersFeatures,
    core: [1, 1],
    extension: "VK_KHR_variable_pointers",
    features: ["variablePointersStorageBuffer", "variablePointers"],
  },
  {
    structure: s.VkPhysicalDevice8BitStorageFeatures,
    core: [1, 2],
    extension: "VK_KHR_8bit_storage",
    features: ["storageBuffer8BitAccess", "uniformAndStorageBuffer8BitAccess", "storagePushConstant8"],
  },
  {
    structure: s.VkPhysicalDeviceShaderFloat16Int8Features,
    core: [1, 2],
    extension: "VK_KHR_shader_float16_int8",
    features: ["shaderFloat16", "shaderInt8"],
  },
  {
    structure: s.VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures,
    core: [1, 2],
    extension: "VK_KHR_shader_subgroup_extended_types",
    features: ["shaderSubgroupExtendedTypes"],
  },
  {
    structure: s.VkPhysicalDeviceVulkanMemoryModelFeatures,
    core: [1, 2],
    extension: "VK_KHR_vulkan_memory_model",
    features: ["vulkanMemoryModel", "vulkanMemoryModelDeviceScope"],
  },
  {
    structure: s.VkPhysicalDeviceShaderAtomicInt64Features,
    core: [1, 2],
    extension: "VK_KHR_shader_atomic_int64",
    features: ["shaderBufferInt64Atomics", "shaderSharedInt64Atomics"],
  },
  {
    structure: s.VkPhysicalDeviceScalarBlockLayoutFeatures,
    core: [1, 2],
    extension: "VK_EXT_scalar_block_layout",
    features: ["scalarBlockLayout"],
  },
  {
    structure: s.VkPhysicalDeviceSubgroupSizeControlFeatures,
    core: [1, 3],
    extension: "VK_EXT_subgroup_size_control",
    features: ["subgroupSizeControl", "computeFullSubgroups"],
  },
  {
    structure: s.VkPhysicalDeviceMaintenance4Features,
    core: [1, 3],
    extension: "VK_KHR_maintenance4",
    features: ["maintenance4"],
  },
  {
    structure: rotateFeatures,
    core: [1, 4],
    extension: "VK_KHR_shader_subgroup_rotate",
    features: ["shaderSubgroupRotate", "shaderSubgroupRotateClustered"],
  },
  { structure: quadFeatures, extension: "VK_KHR_shader_quad_control", features: ["shaderQuadControl"] },
  {
    structure: s.VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR,
    extension: "VK_KHR_workgroup_memory_explicit_layout",
    features: [
      "workgroupMemoryExplicitLayout",
      "workgroupMemoryExplicitLayoutScalarBlockLayout",
      "workgroupMemoryExplicitLayout8BitAccess",
      "workgroupMemoryExplicitLayout16BitAccess",
    ],
  },
  {
    structure: s.VkPhysicalDeviceShaderAtomicFloatFeaturesEXT,
    extension: "VK_EXT_shader_atomic_float",
    features: [
      "shaderBufferFloat32Atomics",
      "shaderBufferFloat32AtomicAdd",
      "shaderBufferFloat64AtomicAdd",
      "shaderSharedFloat32AtomicAdd",
      "shaderSharedFloat64AtomicAdd",
    ],
  },
  {
    structure: s.VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT,
    extension: "VK_EXT_shader_atomic_float2",
    features: [
      "shaderBufferFloat16AtomicAdd",
      "shaderBufferFloat16AtomicMinMax",
      "shaderBufferFloat32AtomicMinMax",
      "shaderBufferFloat64AtomicMinMax",
      "shaderSharedFloat16AtomicAdd",
      "shaderSharedFloat16AtomicMinMax",
      "shaderSharedFloat32AtomicMinMax",
      "shaderSharedFloat64AtomicMinMax",
    ],
  },
];

/** Features of Vulkan 1.0. */
export const baseFeatures = ["shaderFloat64", "shaderInt64", "shaderInt16"] as const;

/** Extensions that only allow a text to say something. */
export const plainExtensions: readonly string[] = [
  "VK_NV_shader_subgroup_partitioned",
  "VK_KHR_storage_buffer_storage_class",
];

/** Properties of Vulkan 1.2 (VkPhysicalDeviceFloatControlsProperties) that an execution mode needs. */
export const floatControls = [
  "shaderSignedZeroInfNanPreserveFloat16",
  "shaderSignedZeroInfNanPreserveFloat32",
  "shaderSignedZeroInfNanPreserveFloat64",
] as const;

export const subgroupOperations: readonly (readonly [number, string])[] = [
  [vk.VK_SUBGROUP_FEATURE_BASIC_BIT, "basic"],
  [vk.VK_SUBGROUP_FEATURE_VOTE_BIT, "vote"],
  [vk.VK_SUBGROUP_FEATURE_ARITHMETIC_BIT, "arithmetic"],
  [vk.VK_SUBGROUP_FEATURE_BALLOT_BIT, "ballot"],
  [vk.VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "shuffle"],
  [vk.VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT, "shuffle relative"],
  [vk.VK_SUBGROUP_FEATURE_CLUSTERED_BIT, "clustered"],
  [vk.VK_SUBGROUP_FEATURE_QUAD_BIT, "quad"],
  [vk.VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV, "partitioned"],
  [subgroupRotate, "rotate"],
  [subgroupRotateClustered, "rotate clustered"],
];

interface Need {
  readonly name: string;
  /** One of these features. */
  readonly features?: readonly string[];
  /** Operations of subgroups. */
  readonly subgroup?: string;
}

/** By number, from the SPIR-V specification, section 3.31; what every device has needs nothing. */
const needs: Readonly<Record<number, Need>> = {
  0: { name: "Matrix" },
  1: { name: "Shader" },
  9: { name: "Float16", features: ["shaderFloat16"] },
  10: { name: "Float64", features: ["shaderFloat64"] },
  11: { name: "Int64", features: ["shaderInt64"] },
  12: { name: "Int64Atomics", features: ["shaderBufferInt64Atomics"] },
  22: { name: "Int16", features: ["shaderInt16"] },
  39: { name: "Int8", features: ["shaderInt8"] },
  46: { name: "SampledBuffer" },
  47: { name: "ImageBuffer" },
  50: { name: "ImageQuery" },
  61: { name: "GroupNonUniform", subgroup: "basic" },
  62: { name: "GroupNonUniformVote", subgroup: "vote" },
  63: { name: "GroupNonUniformArithmetic", subgroup: "arithmetic" },
  64: { name: "GroupNonUniformBallot", subgroup: "ballot" },
  65: { name: "GroupNonUniformShuffle", subgroup: "shuffle" },
  66: { name: "GroupNonUniformShuffleRelative", subgroup: "shuffle relative" },
  67: { name: "GroupNonUniformClustered", subgroup: "clustered" },
  68: { name: "GroupNonUniformQuad", subgroup: "quad" },
  4423: { name: "SubgroupBallotKHR", subgroup: "ballot" },
  4428: { name: "WorkgroupMemoryExplicitLayoutKHR", features: ["workgroupMemoryExplicitLayout"] },
  4429: { name: "WorkgroupMemoryExplicitLayout8BitAccessKHR", features: ["workgroupMemoryExplicitLayout8BitAccess"] },
  4430: { name: "WorkgroupMemoryExplicitLayout16BitAccessKHR", features: ["workgroupMemoryExplicitLayout16BitAccess"] },
  4431: { name: "SubgroupVoteKHR", subgroup: "vote" },
  4433: { name: "StorageBuffer16BitAccess", features: ["storageBuffer16BitAccess"] },
  4434: { name: "UniformAndStorageBuffer16BitAccess", features: ["uniformAndStorageBuffer16BitAccess"] },
  4435: { name: "StoragePushConstant16", features: ["storagePushConstant16"] },
  4441: { name: "VariablePointersStorageBuffer", features: ["variablePointersStorageBuffer"] },
  4442: { name: "VariablePointers", features: ["variablePointers"] },
  4448: { name: "StorageBuffer8BitAccess", features: ["storageBuffer8BitAccess"] },
  4449: { name: "UniformAndStorageBuffer8BitAccess", features: ["uniformAndStorageBuffer8BitAccess"] },
  4450: { name: "StoragePushConstant8", features: ["storagePushConstant8"] },
  // For floats of some width, which the execution mode names.
  4466: { name: "SignedZeroInfNanPreserve" },
  5087: { name: "QuadControlKHR", features: ["shaderQuadControl"] },
  5345: { name: "VulkanMemoryModel", features: ["vulkanMemoryModel"] },
  5346: { name: "VulkanMemoryModelDeviceScope", features: ["vulkanMemoryModelDeviceScope"] },
  5297: { name: "GroupNonUniformPartitionedNV", subgroup: "partitioned" },
  6026: { name: "GroupNonUniformRotateKHR", subgroup: "rotate", features: ["shaderSubgroupRotate"] },
  5612: { name: "AtomicFloat32MinMaxEXT", features: ["shaderBufferFloat32AtomicMinMax"] },
  5613: { name: "AtomicFloat64MinMaxEXT", features: ["shaderBufferFloat64AtomicMinMax"] },
  5616: { name: "AtomicFloat16MinMaxEXT", features: ["shaderBufferFloat16AtomicMinMax"] },
  6033: { name: "AtomicFloat32AddEXT", features: ["shaderBufferFloat32AtomicAdd"] },
  6034: { name: "AtomicFloat64AddEXT", features: ["shaderBufferFloat64AtomicAdd"] },
  6095: { name: "AtomicFloat16AddEXT", features: ["shaderBufferFloat16AtomicAdd"] },
};

/** What a module asks for and a device lacks, in words. */
export function lacking(
  { capabilities, keepsSpecialNumbers }: Pick<SpirvModule, "capabilities" | "keepsSpecialNumbers">,
  features: ReadonlySet<string>,
  operations: readonly string[],
): string[] {
  const controls = keepsSpecialNumbers.map((width) => `shaderSignedZeroInfNanPreserveFloat${width}`);
  const missing = controls.filter((f) => !features.has(f)).map((f) => `the property ${f}`);
  return capabilities
    .flatMap((number) => {
      const need = needs[number];
      if (!need) return [`SPIR-V capability ${number}, which crosslane does not know`];
      if (need.subgroup !== undefined && !operations.includes(need.subgroup))
        return [`subgroup operations of the category '${need.subgroup}'`];
      const feature = need.features?.find((f) => !features.has(f));
      return feature === undefined ? [] : [`the feature ${feature}`];
    })
    .concat(missing);
}
