/** Vulkan's structures as in vulkan_core.h, field by field; a test compares sizes and offsets with it. */
import { struct } from "../structures.js";

export const VkApplicationInfo = struct(
  "VkApplicationInfo",
  {
    sType: "u32",
    pNext: "ptr",
    pApplicationName: "ptr",
    applicationVersion: "u32",
    pEngineName: "ptr",
    engineVersion: "u32",
    apiVersion: "u32",
  },
  0,
);
export const VkInstanceCreateInfo = struct(
  "VkInstanceCreateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    pApplicationInfo: "ptr",
    enabledLayerCount: "u32",
    ppEnabledLayerNames: "ptr",
    enabledExtensionCount: "u32",
    ppEnabledExtensionNames: "ptr",
  },
  1,
);
export const VkExtensionProperties = struct("VkExtensionProperties", {
  extensionName: ["u8", 256],
  specVersion: "u32",
});
export const VkLayerProperties = struct("VkLayerProperties", {
  layerName: ["u8", 256],
  specVersion: "u32",
  implementationVersion: "u32",
  description: ["u8", 256],
});
export const VkPhysicalDeviceLimits = struct("VkPhysicalDeviceLimits", {
  maxImageDimension1D: "u32",
  maxImageDimension2D: "u32",
  maxImageDimension3D: "u32",
  maxImageDimensionCube: "u32",
  maxImageArrayLayers: "u32",
  maxTexelBufferElements: "u32",
  maxUniformBufferRange: "u32",
  maxStorageBufferRange: "u32",
  maxPushConstantsSize: "u32",
  maxMemoryAllocationCount: "u32",
  maxSamplerAllocationCount: "u32",
  bufferImageGranularity: "u64",
  sparseAddressSpaceSize: "u64",
  maxBoundDescriptorSets: "u32",
  maxPerStageDescriptorSamplers: "u32",
  maxPerStageDescriptorUniformBuffers: "u32",
  maxPerStageDescriptorStorageBuffers: "u32",
  maxPerStageDescriptorSampledImages: "u32",
  maxPerStageDescriptorStorageImages: "u32",
  maxPerStageDescriptorInputAttachments: "u32",
  maxPerStageResources: "u32",
  maxDescriptorSetSamplers: "u32",
  maxDescriptorSetUniformBuffers: "u32",
  maxDescriptorSetUniformBuffersDynamic: "u32",
  maxDescriptorSetStorageBuffers: "u32",
  maxDescriptorSetStorageBuffersDynamic: "u32",
  maxDescriptorSetSampledImages: "u32",
  maxDescriptorSetStorageImages: "u32",
  maxDescriptorSetInputAttachments: "u32",
  maxVertexInputAttributes: "u32",
  maxVertexInputBindings: "u32",
  maxVertexInputAttributeOffset: "u32",
  maxVertexInputBindingStride: "u32",
  maxVertexOutputComponents: "u32",
  maxTessellationGenerationLevel: "u32",
  maxTessellationPatchSize: "u32",
  maxTessellationControlPerVertexInputComponents: "u32",
  maxTessellationControlPerVertexOutputComponents: "u32",
  maxTessellationControlPerPatchOutputComponents: "u32",
  maxTessellationControlTotalOutputComponents: "u32",
  maxTessellationEvaluationInputComponents: "u32",
  maxTessellationEvaluationOutputComponents: "u32",
  maxGeometryShaderInvocations: "u32",
  maxGeometryInputComponents: "u32",
  maxGeometryOutputComponents: "u32",
  maxGeometryOutputVertices: "u32",
  maxGeometryTotalOutputComponents: "u32",
  maxFragmentInputComponents: "u32",
  maxFragmentOutputAttachments: "u32",
  maxFragmentDualSrcAttachments: "u32",
  maxFragmentCombinedOutputResources: "u32",
  maxComputeSharedMemorySize: "u32",
  maxComputeWorkGroupCount: ["u32", 3],
  maxComputeWorkGroupInvocations: "u32",
  maxComputeWorkGroupSize: ["u32", 3],
  subPixelPrecisionBits: "u32",
  subTexelPrecisionBits: "u32",
  mipmapPrecisionBits: "u32",
  maxDrawIndexedIndexValue: "u32",
  maxDrawIndirectCount: "u32",
  maxSamplerLodBias: "f32",
  maxSamplerAnisotropy: "f32",
  maxViewports: "u32",
  maxViewportDimensions: ["u32", 2],
  viewportBoundsRange: ["f32", 2],
  viewportSubPixelBits: "u32",
  minMemoryMapAlignment: "u64",
  minTexelBufferOffsetAlignment: "u64",
  minUniformBufferOffsetAlignment: "u64",
  minStorageBufferOffsetAlignment: "u64",
  minTexelOffset: "i32",
  maxTexelOffset: "u32",
  minTexelGatherOffset: "i32",
  maxTexelGatherOffset: "u32",
  minInterpolationOffset: "f32",
  maxInterpolationOffset: "f32",
  subPixelInterpolationOffsetBits: "u32",
  maxFramebufferWidth: "u32",
  maxFramebufferHeight: "u32",
  maxFramebufferLayers: "u32",
  framebufferColorSampleCounts: "u32",
  framebufferDepthSampleCounts: "u32",
  framebufferStencilSampleCounts: "u32",
  framebufferNoAttachmentsSampleCounts: "u32",
  maxColorAttachments: "u32",
  sampledImageColorSampleCounts: "u32",
  sampledImageIntegerSampleCounts: "u32",
  sampledImageDepthSampleCounts: "u32",
  sampledImageStencilSampleCounts: "u32",
  storageImageSampleCounts: "u32",
  maxSampleMaskWords: "u32",
  timestampComputeAndGraphics: "u32",
  timestampPeriod: "f32",
  maxClipDistances: "u32",
  maxCullDistances: "u32",
  maxCombinedClipAndCullDistances: "u32",
  discreteQueuePriorities: "u32",
  pointSizeRange: ["f32", 2],
  lineWidthRange: ["f32", 2],
  pointSizeGranularity: "f32",
  lineWidthGranularity: "f32",
  strictLines: "u32",
  standardSampleLocations: "u32",
  optimalBufferCopyOffsetAlignment: "u64",
  optimalBufferCopyRowPitchAlignment: "u64",
  nonCoherentAtomSize: "u64",
});
export const VkPhysicalDeviceSparseProperties = struct("VkPhysicalDeviceSparseProperties", {
  residencyStandard2DBlockShape: "u32",
  residencyStandard2DMultisampleBlockShape: "u32",
  residencyStandard3DBlockShape: "u32",
  residencyAlignedMipSize: "u32",
  residencyNonResidentStrict: "u32",
});
export const VkPhysicalDeviceProperties = struct("VkPhysicalDeviceProperties", {
  apiVersion: "u32",
  driverVersion: "u32",
  vendorID: "u32",
  deviceID: "u32",
  deviceType: "u32",
  deviceName: ["u8", 256],
  pipelineCacheUUID: ["u8", 16],
  limits: VkPhysicalDeviceLimits,
  sparseProperties: VkPhysicalDeviceSparseProperties,
});
export const VkPhysicalDeviceProperties2 = struct(
  "VkPhysicalDeviceProperties2",
  {
    sType: "u32",
    pNext: "ptr",
    properties: VkPhysicalDeviceProperties,
  },
  1000059001,
);
export const VkPhysicalDeviceSubgroupProperties = struct(
  "VkPhysicalDeviceSubgroupProperties",
  {
    sType: "u32",
    pNext: "ptr",
    subgroupSize: "u32",
    supportedStages: "u32",
    supportedOperations: "u32",
    quadOperationsInAllStages: "u32",
  },
  1000094000,
);
export const VkPhysicalDeviceSubgroupSizeControlProperties = struct(
  "VkPhysicalDeviceSubgroupSizeControlProperties",
  {
    sType: "u32",
    pNext: "ptr",
    minSubgroupSize: "u32",
    maxSubgroupSize: "u32",
    maxComputeWorkgroupSubgroups: "u32",
    requiredSubgroupSizeStages: "u32",
  },
  1000225000,
);
export const VkConformanceVersion = struct("VkConformanceVersion", {
  major: "u8",
  minor: "u8",
  subminor: "u8",
  patch: "u8",
});
export const VkPhysicalDeviceDriverProperties = struct(
  "VkPhysicalDeviceDriverProperties",
  {
    sType: "u32",
    pNext: "ptr",
    driverID: "u32",
    driverName: ["u8", 256],
    driverInfo: ["u8", 256],
    conformanceVersion: VkConformanceVersion,
  },
  1000196000,
);
export const VkPhysicalDeviceFloatControlsProperties = struct(
  "VkPhysicalDeviceFloatControlsProperties",
  {
    sType: "u32",
    pNext: "ptr",
    denormBehaviorIndependence: "u32",
    roundingModeIndependence: "u32",
    shaderSignedZeroInfNanPreserveFloat16: "u32",
    shaderSignedZeroInfNanPreserveFloat32: "u32",
    shaderSignedZeroInfNanPreserveFloat64: "u32",
    shaderDenormPreserveFloat16: "u32",
    shaderDenormPreserveFloat32: "u32",
    shaderDenormPreserveFloat64: "u32",
    shaderDenormFlushToZeroFloat16: "u32",
    shaderDenormFlushToZeroFloat32: "u32",
    shaderDenormFlushToZeroFloat64: "u32",
    shaderRoundingModeRTEFloat16: "u32",
    shaderRoundingModeRTEFloat32: "u32",
    shaderRoundingModeRTEFloat64: "u32",
    shaderRoundingModeRTZFloat16: "u32",
    shaderRoundingModeRTZFloat32: "u32",
    shaderRoundingModeRTZFloat64: "u32",
  },
  1000197000,
);
export const VkPhysicalDeviceFeatures = struct("VkPhysicalDeviceFeatures", {
  robustBufferAccess: "u32",
  fullDrawIndexUint32: "u32",
  imageCubeArray: "u32",
  independentBlend: "u32",
  geometryShader: "u32",
  tessellationShader: "u32",
  sampleRateShading: "u32",
  dualSrcBlend: "u32",
  logicOp: "u32",
  multiDrawIndirect: "u32",
  drawIndirectFirstInstance: "u32",
  depthClamp: "u32",
  depthBiasClamp: "u32",
  fillModeNonSolid: "u32",
  depthBounds: "u32",
  wideLines: "u32",
  largePoints: "u32",
  alphaToOne: "u32",
  multiViewport: "u32",
  samplerAnisotropy: "u32",
  textureCompressionETC2: "u32",
  textureCompressionASTC_LDR: "u32",
  textureCompressionBC: "u32",
  occlusionQueryPrecise: "u32",
  pipelineStatisticsQuery: "u32",
  vertexPipelineStoresAndAtomics: "u32",
  fragmentStoresAndAtomics: "u32",
  shaderTessellationAndGeometryPointSize: "u32",
  shaderImageGatherExtended: "u32",
  shaderStorageImageExtendedFormats: "u32",
  shaderStorageImageMultisample: "u32",
  shaderStorageImageReadWithoutFormat: "u32",
  shaderStorageImageWriteWithoutFormat: "u32",
  shaderUniformBufferArrayDynamicIndexing: "u32",
  shaderSampledImageArrayDynamicIndexing: "u32",
  shaderStorageBufferArrayDynamicIndexing: "u32",
  shaderStorageImageArrayDynamicIndexing: "u32",
  shaderClipDistance: "u32",
  shaderCullDistance: "u32",
  shaderFloat64: "u32",
  shaderInt64: "u32",
  shaderInt16: "u32",
  shaderResourceResidency: "u32",
  shaderResourceMinLod: "u32",
  sparseBinding: "u32",
  sparseResidencyBuffer: "u32",
  sparseResidencyImage2D: "u32",
  sparseResidencyImage3D: "u32",
  sparseResidency2Samples: "u32",
  sparseResidency4Samples: "u32",
  sparseResidency8Samples: "u32",
  sparseResidency16Samples: "u32",
  sparseResidencyAliased: "u32",
  variableMultisampleRate: "u32",
  inheritedQueries: "u32",
});
export const VkPhysicalDeviceFeatures2 = struct(
  "VkPhysicalDeviceFeatures2",
  {
    sType: "u32",
    pNext: "ptr",
    features: VkPhysicalDeviceFeatures,
  },
  1000059000,
);
export const VkPhysicalDevice16BitStorageFeatures = struct(
  "VkPhysicalDevice16BitStorageFeatures",
  {
    sType: "u32",
    pNext: "ptr",
    storageBuffer16BitAccess: "u32",
    uniformAndStorageBuffer16BitAccess: "u32",
    storagePushConstant16: "u32",
    storageInputOutput16: "u32",
  },
  1000083000,
);
export const VkPhysicalDevice8BitStorageFeatures = struct(
  "VkPhysicalDevice8BitStorageFeatures",
  {
    sType: "u32",
    pNext: "ptr",
    storageBuffer8BitAccess: "u32",
    uniformAndStorageBuffer8BitAccess: "u32",
    storagePushConstant8: "u32",
  },
  1000177000,
);
export const VkPhysicalDeviceShaderFloat16Int8Features = struct(
  "VkPhysicalDeviceShaderFloat16Int8Features",
  {
    sType: "u32",
    pNext: "ptr",
    shaderFloat16: "u32",
    shaderInt8: "u32",
  },
  1000082000,
);
export const VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures = struct(
  "VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures",
  {
    sType: "u32",
    pNext: "ptr",
    shaderSubgroupExtendedTypes: "u32",
  },
  1000175000,
);
export const VkPhysicalDeviceSubgroupSizeControlFeatures = struct(
  "VkPhysicalDeviceSubgroupSizeControlFeatures",
  {
    sType: "u32",
    pNext: "ptr",
    subgroupSizeControl: "u32",
    computeFullSubgroups: "u32",
  },
  1000225002,
);
export const VkPhysicalDeviceVulkanMemoryModelFeatures = struct(
  "VkPhysicalDeviceVulkanMemoryModelFeatures",
  {
    sType: "u32",
    pNext: "ptr",
    vulkanMemoryModel: "u32",
    vulkanMemoryModelDeviceScope: "u32",
    vulkanMemoryModelAvailabilityVisibilityChains: "u32",
  },
  1000211000,
);
export const VkPhysicalDeviceShaderAtomicInt64Features = struct(
  "VkPhysicalDeviceShaderAtomicInt64Features",
  {
    sType: "u32",
    pNext: "ptr",
    shaderBufferInt64Atomics: "u32",
    shaderSharedInt64Atomics: "u32",
  },
  1000180000,
);
export const VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT = struct(
  "VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT",
  {
    sType: "u32",
    pNext: "ptr",
    shaderBufferFloat16Atomics: "u32",
    shaderBufferFloat16AtomicAdd: "u32",
    shaderBufferFloat16AtomicMinMax: "u32",
    shaderBufferFloat32AtomicMinMax: "u32",
    shaderBufferFloat64AtomicMinMax: "u32",
    shaderSharedFloat16Atomics: "u32",
    shaderSharedFloat16AtomicAdd: "u32",
    shaderSharedFloat16AtomicMinMax: "u32",
    shaderSharedFloat32AtomicMinMax: "u32",
    shaderSharedFloat64AtomicMinMax: "u32",
    shaderImageFloat32AtomicMinMax: "u32",
    sparseImageFloat32AtomicMinMax: "u32",
  },
  1000273000,
);
export const VkPhysicalDeviceShaderAtomicFloatFeaturesEXT = struct(
  "VkPhysicalDeviceShaderAtomicFloatFeaturesEXT",
  {
    sType: "u32",
    pNext: "ptr",
    shaderBufferFloat32Atomics: "u32",
    shaderBufferFloat32AtomicAdd: "u32",
    shaderBufferFloat64Atomics: "u32",
    shaderBufferFloat64AtomicAdd: "u32",
    shaderSharedFloat32Atomics: "u32",
    shaderSharedFloat32AtomicAdd: "u32",
    shaderSharedFloat64Atomics: "u32",
    shaderSharedFloat64AtomicAdd: "u32",
    shaderImageFloat32Atomics: "u32",
    shaderImageFloat32AtomicAdd: "u32",
    sparseImageFloat32Atomics: "u32",
    sparseImageFloat32AtomicAdd: "u32",
  },
  1000260000,
);
export const VkPhysicalDeviceVariablePointersFeatures = struct(
  "VkPhysicalDeviceVariablePointersFeatures",
  {
    sType: "u32",
    pNext: "ptr",
    variablePointersStorageBuffer: "u32",
    variablePointers: "u32",
  },
  1000120000,
);
export const VkPhysicalDeviceScalarBlockLayoutFeatures = struct(
  "VkPhysicalDeviceScalarBlockLayoutFeatures",
  {
    sType: "u32",
    pNext: "ptr",
    scalarBlockLayout: "u32",
  },
  1000221000,
);
export const VkPhysicalDeviceUniformBufferStandardLayoutFeatures = struct(
  "VkPhysicalDeviceUniformBufferStandardLayoutFeatures",
  {
    sType: "u32",
    pNext: "ptr",
    uniformBufferStandardLayout: "u32",
  },
  1000253000,
);
export const VkExtent3D = struct("VkExtent3D", {
  width: "u32",
  height: "u32",
  depth: "u32",
});
export const VkQueueFamilyProperties = struct("VkQueueFamilyProperties", {
  queueFlags: "u32",
  queueCount: "u32",
  timestampValidBits: "u32",
  minImageTransferGranularity: VkExtent3D,
});
export const VkMemoryType = struct("VkMemoryType", {
  propertyFlags: "u32",
  heapIndex: "u32",
});
export const VkMemoryHeap = struct("VkMemoryHeap", {
  size: "u64",
  flags: "u32",
});
export const VkPhysicalDeviceMemoryProperties = struct("VkPhysicalDeviceMemoryProperties", {
  memoryTypeCount: "u32",
  memoryTypes: [VkMemoryType, 32],
  memoryHeapCount: "u32",
  memoryHeaps: [VkMemoryHeap, 16],
});
export const VkDeviceQueueCreateInfo = struct(
  "VkDeviceQueueCreateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    queueFamilyIndex: "u32",
    queueCount: "u32",
    pQueuePriorities: "ptr",
  },
  2,
);
export const VkDeviceCreateInfo = struct(
  "VkDeviceCreateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    queueCreateInfoCount: "u32",
    pQueueCreateInfos: "ptr",
    enabledLayerCount: "u32",
    ppEnabledLayerNames: "ptr",
    enabledExtensionCount: "u32",
    ppEnabledExtensionNames: "ptr",
    pEnabledFeatures: "ptr",
  },
  3,
);
export const VkBufferCreateInfo = struct(
  "VkBufferCreateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    size: "u64",
    usage: "u32",
    sharingMode: "u32",
    queueFamilyIndexCount: "u32",
    pQueueFamilyIndices: "ptr",
  },
  12,
);
export const VkMemoryRequirements = struct("VkMemoryRequirements", {
  size: "u64",
  alignment: "u64",
  memoryTypeBits: "u32",
});
export const VkMemoryAllocateInfo = struct(
  "VkMemoryAllocateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    allocationSize: "u64",
    memoryTypeIndex: "u32",
  },
  5,
);
export const VkShaderModuleCreateInfo = struct(
  "VkShaderModuleCreateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    codeSize: "u64",
    pCode: "ptr",
  },
  16,
);
export const VkDescriptorSetLayoutBinding = struct("VkDescriptorSetLayoutBinding", {
  binding: "u32",
  descriptorType: "u32",
  descriptorCount: "u32",
  stageFlags: "u32",
  pImmutableSamplers: "ptr",
});
export const VkDescriptorSetLayoutCreateInfo = struct(
  "VkDescriptorSetLayoutCreateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    bindingCount: "u32",
    pBindings: "ptr",
  },
  32,
);
export const VkPushConstantRange = struct("VkPushConstantRange", {
  stageFlags: "u32",
  offset: "u32",
  size: "u32",
});
export const VkPipelineLayoutCreateInfo = struct(
  "VkPipelineLayoutCreateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    setLayoutCount: "u32",
    pSetLayouts: "ptr",
    pushConstantRangeCount: "u32",
    pPushConstantRanges: "ptr",
  },
  30,
);
export const VkSpecializationMapEntry = struct("VkSpecializationMapEntry", {
  constantID: "u32",
  offset: "u32",
  size: "u64",
});
export const VkSpecializationInfo = struct("VkSpecializationInfo", {
  mapEntryCount: "u32",
  pMapEntries: "ptr",
  dataSize: "u64",
  pData: "ptr",
});
export const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo = struct(
  "VkPipelineShaderStageRequiredSubgroupSizeCreateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    requiredSubgroupSize: "u32",
  },
  1000225001,
);
export const VkPipelineShaderStageCreateInfo = struct(
  "VkPipelineShaderStageCreateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    stage: "u32",
    module: "ptr",
    pName: "ptr",
    pSpecializationInfo: "ptr",
  },
  18,
);
export const VkComputePipelineCreateInfo = struct(
  "VkComputePipelineCreateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    stage: VkPipelineShaderStageCreateInfo,
    layout: "ptr",
    basePipelineHandle: "ptr",
    basePipelineIndex: "i32",
  },
  29,
);
export const VkDescriptorPoolSize = struct("VkDescriptorPoolSize", {
  type: "u32",
  descriptorCount: "u32",
});
export const VkDescriptorPoolCreateInfo = struct(
  "VkDescriptorPoolCreateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    maxSets: "u32",
    poolSizeCount: "u32",
    pPoolSizes: "ptr",
  },
  33,
);
export const VkDescriptorSetAllocateInfo = struct(
  "VkDescriptorSetAllocateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    descriptorPool: "ptr",
    descriptorSetCount: "u32",
    pSetLayouts: "ptr",
  },
  34,
);
export const VkDescriptorBufferInfo = struct("VkDescriptorBufferInfo", {
  buffer: "ptr",
  offset: "u64",
  range: "u64",
});
export const VkWriteDescriptorSet = struct(
  "VkWriteDescriptorSet",
  {
    sType: "u32",
    pNext: "ptr",
    dstSet: "ptr",
    dstBinding: "u32",
    dstArrayElement: "u32",
    descriptorCount: "u32",
    descriptorType: "u32",
    pImageInfo: "ptr",
    pBufferInfo: "ptr",
    pTexelBufferView: "ptr",
  },
  35,
);
export const VkBufferViewCreateInfo = struct(
  "VkBufferViewCreateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    buffer: "ptr",
    format: "u32",
    offset: "u64",
    range: "u64",
  },
  13,
);
export const VkCommandPoolCreateInfo = struct(
  "VkCommandPoolCreateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    queueFamilyIndex: "u32",
  },
  39,
);
export const VkCommandBufferAllocateInfo = struct(
  "VkCommandBufferAllocateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    commandPool: "ptr",
    level: "u32",
    commandBufferCount: "u32",
  },
  40,
);
export const VkCommandBufferBeginInfo = struct(
  "VkCommandBufferBeginInfo",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    pInheritanceInfo: "ptr",
  },
  42,
);
export const VkMemoryBarrier = struct(
  "VkMemoryBarrier",
  {
    sType: "u32",
    pNext: "ptr",
    srcAccessMask: "u32",
    dstAccessMask: "u32",
  },
  46,
);
export const VkSubmitInfo = struct(
  "VkSubmitInfo",
  {
    sType: "u32",
    pNext: "ptr",
    waitSemaphoreCount: "u32",
    pWaitSemaphores: "ptr",
    pWaitDstStageMask: "ptr",
    commandBufferCount: "u32",
    pCommandBuffers: "ptr",
    signalSemaphoreCount: "u32",
    pSignalSemaphores: "ptr",
  },
  4,
);
export const VkFenceCreateInfo = struct(
  "VkFenceCreateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
  },
  8,
);
export const VkDebugUtilsMessengerCreateInfoEXT = struct(
  "VkDebugUtilsMessengerCreateInfoEXT",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    messageSeverity: "u32",
    messageType: "u32",
    pfnUserCallback: "ptr",
    pUserData: "ptr",
  },
  1000128004,
);
export const VkDebugUtilsMessengerCallbackDataEXT = struct(
  "VkDebugUtilsMessengerCallbackDataEXT",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    pMessageIdName: "ptr",
    messageIdNumber: "i32",
    pMessage: "ptr",
    queueLabelCount: "u32",
    pQueueLabels: "ptr",
    cmdBufLabelCount: "u32",
    pCmdBufLabels: "ptr",
    objectCount: "u32",
    pObjects: "ptr",
  },
  1000128003,
);
export const VkQueryPoolCreateInfo = struct(
  "VkQueryPoolCreateInfo",
  {
    sType: "u32",
    pNext: "ptr",
    flags: "u32",
    queryType: "u32",
    queryCount: "u32",
    pipelineStatistics: "u32",
  },
  11,
);
export const VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR = struct(
  "VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR",
  {
    sType: "u32",
    pNext: "ptr",
    workgroupMemoryExplicitLayout: "u32",
    workgroupMemoryExplicitLayoutScalarBlockLayout: "u32",
    workgroupMemoryExplicitLayout8BitAccess: "u32",
    workgroupMemoryExplicitLayout16BitAccess: "u32",
  },
  1000336000,
);
export const VkPhysicalDeviceMaintenance4Features = struct(
  "VkPhysicalDeviceMaintenance4Features",
  {
    sType: "u32",
    pNext: "ptr",
    maintenance4: "u32",
  },
  1000413000,
);
