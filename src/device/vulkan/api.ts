/** What is used of Vulkan besides its structures, as in vulkan_core.h; a test compares the values with it. */
import { DeviceError } from "../failure.js";

export const libraries: Readonly<Record<string, readonly string[]>> = {
  linux: ["libvulkan.so.1", "libvulkan.so"],
  darwin: ["libvulkan.1.dylib", "libvulkan.dylib", "libMoltenVK.dylib"],
  win32: ["vulkan-1.dll"],
};

/** Dispatchable and other handles, addresses: all `ptr`. */
export const functions = {
  vkEnumerateInstanceVersion: "i32(ptr)",
  vkEnumerateInstanceLayerProperties: "i32(ptr, ptr)",
  vkEnumerateInstanceExtensionProperties: "i32(ptr, ptr, ptr)",
  vkCreateInstance: "i32(ptr, ptr, ptr)",
  vkDestroyInstance: "void(ptr, ptr)",
  vkGetInstanceProcAddr: "ptr(ptr, ptr)",
  vkEnumeratePhysicalDevices: "i32(ptr, ptr, ptr)",
  vkGetPhysicalDeviceProperties: "void(ptr, ptr)",
  vkGetPhysicalDeviceProperties2: "void(ptr, ptr)",
  vkGetPhysicalDeviceFeatures2: "void(ptr, ptr)",
  vkGetPhysicalDeviceQueueFamilyProperties: "void(ptr, ptr, ptr)",
  vkGetPhysicalDeviceMemoryProperties: "void(ptr, ptr)",
  vkEnumerateDeviceExtensionProperties: "i32(ptr, ptr, ptr, ptr)",
  vkCreateDevice: "i32(ptr, ptr, ptr, ptr)",
  vkDestroyDevice: "void(ptr, ptr)",
  vkGetDeviceQueue: "void(ptr, u32, u32, ptr)",
  vkCreateBuffer: "i32(ptr, ptr, ptr, ptr)",
  vkDestroyBuffer: "void(ptr, ptr, ptr)",
  vkCreateBufferView: "i32(ptr, ptr, ptr, ptr)",
  vkDestroyBufferView: "void(ptr, ptr, ptr)",
  vkGetBufferMemoryRequirements: "void(ptr, ptr, ptr)",
  vkAllocateMemory: "i32(ptr, ptr, ptr, ptr)",
  vkFreeMemory: "void(ptr, ptr, ptr)",
  vkBindBufferMemory: "i32(ptr, ptr, ptr, u64)",
  vkMapMemory: "i32(ptr, ptr, u64, u64, u32, ptr)",
  vkUnmapMemory: "void(ptr, ptr)",
  vkCreateShaderModule: "i32(ptr, ptr, ptr, ptr)",
  vkDestroyShaderModule: "void(ptr, ptr, ptr)",
  vkCreateDescriptorSetLayout: "i32(ptr, ptr, ptr, ptr)",
  vkDestroyDescriptorSetLayout: "void(ptr, ptr, ptr)",
  vkCreatePipelineLayout: "i32(ptr, ptr, ptr, ptr)",
  vkDestroyPipelineLayout: "void(ptr, ptr, ptr)",
  vkCreateComputePipelines: "i32(ptr, ptr, u32, ptr, ptr, ptr)",
  vkDestroyPipeline: "void(ptr, ptr, ptr)",
  vkCreateDescriptorPool: "i32(ptr, ptr, ptr, ptr)",
  vkDestroyDescriptorPool: "void(ptr, ptr, ptr)",
  vkAllocateDescriptorSets: "i32(ptr, ptr, ptr)",
  vkUpdateDescriptorSets: "void(ptr, u32, ptr, u32, ptr)",
  vkCreateCommandPool: "i32(ptr, ptr, ptr, ptr)",
  vkDestroyCommandPool: "void(ptr, ptr, ptr)",
  vkAllocateCommandBuffers: "i32(ptr, ptr, ptr)",
  vkBeginCommandBuffer: "i32(ptr, ptr)",
  vkEndCommandBuffer: "i32(ptr)",
  vkCmdBindPipeline: "void(ptr, u32, ptr)",
  vkCmdBindDescriptorSets: "void(ptr, u32, ptr, u32, u32, ptr, u32, ptr)",
  vkCmdPushConstants: "void(ptr, ptr, u32, u32, u32, ptr)",
  vkCmdDispatch: "void(ptr, u32, u32, u32)",
  vkCmdPipelineBarrier: "void(ptr, u32, u32, u32, u32, ptr, u32, ptr, u32, ptr)",
  vkCreateFence: "i32(ptr, ptr, ptr, ptr)",
  vkDestroyFence: "void(ptr, ptr, ptr)",
  vkQueueSubmit: "i32(ptr, u32, ptr, ptr)",
  vkWaitForFences: "i32(ptr, u32, ptr, u32, u64)",
  vkCreateQueryPool: "i32(ptr, ptr, ptr, ptr)",
  vkDestroyQueryPool: "void(ptr, ptr, ptr)",
  vkCmdResetQueryPool: "void(ptr, ptr, u32, u32)",
  vkCmdWriteTimestamp: "void(ptr, u32, ptr, u32)",
  vkGetQueryPoolResults: "i32(ptr, ptr, u32, u32, u64, ptr, u64, u32)",
} as const;

export const vk = {
  VK_SUCCESS: 0,
  VK_TIMEOUT: 2,
  VK_INCOMPLETE: 5,
  VK_ERROR_OUT_OF_DEVICE_MEMORY: -2,
  VK_ERROR_DEVICE_LOST: -4,
  VK_QUEUE_COMPUTE_BIT: 2,
  VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT: 1,
  VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT: 2,
  VK_MEMORY_PROPERTY_HOST_COHERENT_BIT: 4,
  VK_MEMORY_PROPERTY_HOST_CACHED_BIT: 8,
  VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT: 0x4,
  VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT: 0x10,
  VK_BUFFER_USAGE_STORAGE_BUFFER_BIT: 0x20,
  VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER: 4,
  VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER: 6,
  VK_DESCRIPTOR_TYPE_STORAGE_BUFFER: 7,
  VK_FORMAT_R32_UINT: 98,
  VK_SHADER_STAGE_COMPUTE_BIT: 0x20,
  VK_PIPELINE_BIND_POINT_COMPUTE: 1,
  VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT: 2,
  VK_COMMAND_BUFFER_LEVEL_PRIMARY: 0,
  VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT: 1,
  VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT: 0x1,
  VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT: 0x800,
  VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT: 0x2000,
  VK_PIPELINE_STAGE_HOST_BIT: 0x4000,
  VK_ACCESS_SHADER_WRITE_BIT: 0x40,
  VK_ACCESS_HOST_READ_BIT: 0x2000,
  VK_QUERY_TYPE_TIMESTAMP: 2,
  VK_QUERY_RESULT_64_BIT: 1,
  VK_QUERY_RESULT_WAIT_BIT: 2,
  VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT: 0x100,
  VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT: 0x1000,
  VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT: 1,
  VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT: 2,
  VK_SUBGROUP_FEATURE_BASIC_BIT: 1,
  VK_SUBGROUP_FEATURE_VOTE_BIT: 2,
  VK_SUBGROUP_FEATURE_ARITHMETIC_BIT: 4,
  VK_SUBGROUP_FEATURE_BALLOT_BIT: 8,
  VK_SUBGROUP_FEATURE_SHUFFLE_BIT: 16,
  VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT: 32,
  VK_SUBGROUP_FEATURE_CLUSTERED_BIT: 64,
  VK_SUBGROUP_FEATURE_QUAD_BIT: 128,
  VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV: 256,
} as const;

/** Newer than the headers of some machines; the values are in the registry (VK_KHR_shader_subgroup_rotate). */
export const subgroupRotate = 0x200;
export const subgroupRotateClustered = 0x400;

const errorNames: Readonly<Record<number, string>> = {
  [-1]: "VK_ERROR_OUT_OF_HOST_MEMORY",
  [-2]: "VK_ERROR_OUT_OF_DEVICE_MEMORY",
  [-3]: "VK_ERROR_INITIALIZATION_FAILED",
  [-4]: "VK_ERROR_DEVICE_LOST",
  [-5]: "VK_ERROR_MEMORY_MAP_FAILED",
  [-6]: "VK_ERROR_LAYER_NOT_PRESENT",
  [-7]: "VK_ERROR_EXTENSION_NOT_PRESENT",
  [-8]: "VK_ERROR_FEATURE_NOT_PRESENT",
  [-9]: "VK_ERROR_INCOMPATIBLE_DRIVER",
  [-10]: "VK_ERROR_TOO_MANY_OBJECTS",
  [-13]: "VK_ERROR_UNKNOWN",
  [-1000012000]: "VK_ERROR_INVALID_SHADER_NV",
};

export function errorName(code: number): string {
  return errorNames[code] ?? `error ${code}`;
}

/** Throws where a call of the driver failed. */
export function check(status: number | bigint, what: string): void {
  const code = Number(status);
  if (code === vk.VK_SUCCESS) return;
  if (code === vk.VK_ERROR_DEVICE_LOST) throw new DeviceError("XL7008", `the device was lost during ${what}`);
  throw new DeviceError("XL7008", `the Vulkan driver failed: ${what} gave ${errorName(code)}`);
}
