/** What a Vulkan device is and can do. */
import type { Ffi, Library } from "../ffi.js";
import type { DeviceInfo } from "../kernel.js";
import { readField, readNumber, readText } from "../structures.js";
import type { Fields, Structure } from "../structures.js";
import { vk } from "./api.js";
import type { functions } from "./api.js";
import {
  baseFeatures,
  featureGroups,
  floatControls as floatControlProperties,
  plainExtensions,
  subgroupOperations,
} from "./features.js";
import * as s from "./structures.js";
import { languagesOf } from "../kernel.js";

export type Vk = Library<keyof typeof functions>["call"];

export interface VkDevice {
  readonly handle: bigint;
  readonly info: DeviceInfo;
  /** Major and minor. */
  readonly version: readonly [number, number];
  /** All that this device supports of those that kernels may ask for. */
  readonly features: ReadonlySet<string>;
  /** To be turned on: features not yet in the device's version, and plain ones. */
  readonly extensions: readonly string[];
  readonly queueFamily: number;
  readonly timestampBits: number;
  readonly timestampPeriod: number;
  readonly memoryTypes: readonly number[];
  /** Elements of a buffer of texels. */
  readonly texelElements: number;
}

export const versionOf = (packed: number): readonly [number, number, number] => [
  (packed >>> 22) & 127,
  (packed >>> 12) & 1023,
  packed & 4095,
];
const atLeast = (version: readonly [number, number], least: readonly [number, number] | undefined): boolean =>
  least !== undefined && (version[0] > least[0] || (version[0] === least[0] && version[1] >= least[1]));

const kinds = ["device", "integrated GPU", "GPU", "virtual GPU", "CPU"];
const vendors: Readonly<Record<number, string>> = {
  0x1002: "AMD",
  0x10de: "NVIDIA",
  0x8086: "Intel",
  0x10005: "Mesa",
  0x13b5: "ARM",
  0x5143: "Qualcomm",
  0x106b: "Apple",
};
const stages: readonly (readonly [number, string])[] = [
  [1, "vertex"],
  [16, "fragment"],
  [32, "compute"],
  [64, "task"],
  [128, "mesh"],
  [0x100, "ray generation"],
];

/** Nothing where it cannot compute, or knows only Vulkan 1.0, which has no subgroups and no chains of properties. */
export function describeDevice(ffi: Ffi, call: Vk, handle: bigint, index: number): VkDevice | undefined {
  const memory = ffi.memory();
  try {
    const plain = memory.structure(s.VkPhysicalDeviceProperties);
    call.vkGetPhysicalDeviceProperties(handle, plain.address);
    const [major, minor, patch] = versionOf(
      readNumber(plain.view, plain.offset, s.VkPhysicalDeviceProperties, "apiVersion"),
    );
    const version = [major, minor] as const;
    if (!atLeast(version, [1, 1])) return undefined;
    const names = extensionNames(call, handle, ffi);

    const queue = computeQueue(call, handle, ffi);
    if (!queue) return undefined;

    // Chains are filled from their ends.
    const chain = (
      list: readonly Structure<Fields>[],
    ): {
      first: bigint;
      read: (of: Structure<Fields>, key: string, i?: number) => number;
      text: (of: Structure<Fields>, key: string) => string;
      has: (of: Structure<Fields>) => boolean;
    } => {
      let next = 0n;
      const blocks = new Map<string, ReturnType<typeof memory.structure>>();
      for (const structure of [...list].reverse()) {
        const block = memory.structure(structure, { pNext: next });
        blocks.set(structure.name, block);
        next = block.address;
      }
      const at = (of: Structure<Fields>): ReturnType<typeof memory.structure> => blocks.get(of.name)!;
      return {
        first: next,
        has: (of) => blocks.has(of.name),
        read: (of, key, i) => readNumber(at(of).view, at(of).offset, of, key, i),
        text: (of, key) => readText(at(of).view, at(of).offset, of, key),
      };
    };
    const groups = featureGroups.filter(
      (g) => atLeast(version, g.core) || (g.extension !== undefined && names.has(g.extension)),
    );
    const sizeControl = groups.some((g) => g.structure === s.VkPhysicalDeviceSubgroupSizeControlFeatures);
    const floatControls = atLeast(version, [1, 2]) || names.has("VK_KHR_shader_float_controls");
    const driverProperties = atLeast(version, [1, 2]) || names.has("VK_KHR_driver_properties");
    const properties = chain([
      s.VkPhysicalDeviceProperties2,
      s.VkPhysicalDeviceSubgroupProperties,
      ...(sizeControl ? [s.VkPhysicalDeviceSubgroupSizeControlProperties] : []),
      ...(floatControls ? [s.VkPhysicalDeviceFloatControlsProperties] : []),
      ...(driverProperties ? [s.VkPhysicalDeviceDriverProperties] : []),
    ]);
    call.vkGetPhysicalDeviceProperties2(handle, properties.first);
    const supported = chain([s.VkPhysicalDeviceFeatures2, ...groups.map((g) => g.structure)]);
    call.vkGetPhysicalDeviceFeatures2(handle, supported.first);
    const features = new Set<string>(
      groups.flatMap((g) => g.features.filter((f) => supported.read(g.structure, f) === 1)),
    );
    const base = memory.structure(s.VkPhysicalDeviceFeatures2);
    call.vkGetPhysicalDeviceFeatures2(handle, base.address);
    const baseAt = base.offset + s.VkPhysicalDeviceFeatures2.fields.features.offset;
    for (const f of baseFeatures)
      if (readNumber(base.view, baseAt, s.VkPhysicalDeviceFeatures, f) === 1) features.add(f);

    const fc = s.VkPhysicalDeviceFloatControlsProperties;
    if (floatControls) for (const f of floatControlProperties) if (properties.read(fc, f) === 1) features.add(f);

    const limitsAt = plain.offset + s.VkPhysicalDeviceProperties.fields.limits.offset;
    const limit = (key: keyof typeof s.VkPhysicalDeviceLimits.fields, i?: number): number =>
      readNumber(plain.view, limitsAt, s.VkPhysicalDeviceLimits, key, i);
    const size = properties.read(s.VkPhysicalDeviceSubgroupProperties, "subgroupSize");
    const supportedStages = properties.read(s.VkPhysicalDeviceSubgroupProperties, "supportedStages");
    const operations = properties.read(s.VkPhysicalDeviceSubgroupProperties, "supportedOperations");
    const control = s.VkPhysicalDeviceSubgroupSizeControlProperties;
    const selectable =
      features.has("subgroupSizeControl") &&
      (properties.read(control, "requiredSubgroupSizeStages") & vk.VK_SHADER_STAGE_COMPUTE_BIT) !== 0;
    const types = (list: readonly (readonly [string, string])[]): string =>
      list
        .filter(([f]) => features.has(f))
        .map(([, what]) => what)
        .join(", ");
    const narrow = (type: string, list: readonly (readonly [string, string])[]): string[] => {
      const can = types(list);
      return can === "" ? [] : [`${type} (${can})`];
    };
    const float = floatControls
      ? (
          [
            ["shaderDenormPreserveFloat32", "keeps subnormals on request"],
            ["shaderDenormFlushToZeroFloat32", "flushes subnormals on request"],
            ["shaderSignedZeroInfNanPreserveFloat32", "keeps signed zeros, infinities and NaN on request"],
            ["shaderRoundingModeRTEFloat32", "rounds to nearest even on request"],
          ] as const
        )
          .filter(([key]) => properties.read(fc, key) === 1)
          .map(([, what]) => what)
      : [];
    const packedDriver = readNumber(plain.view, plain.offset, s.VkPhysicalDeviceProperties, "driverVersion");
    const vendorId = readNumber(plain.view, plain.offset, s.VkPhysicalDeviceProperties, "vendorID");
    const driver = s.VkPhysicalDeviceDriverProperties;
    const info: DeviceInfo = {
      api: "vulkan",
      index,
      name: readText(plain.view, plain.offset, s.VkPhysicalDeviceProperties, "deviceName"),
      vendor: vendors[vendorId] ?? `0x${vendorId.toString(16)}`,
      driver: driverProperties
        ? `${properties.text(driver, "driverName")} ${properties.text(driver, "driverInfo")}`.trim()
        : versionOf(packedDriver).join("."),
      version: `Vulkan ${major}.${minor}.${patch}`,
      kind: kinds[readNumber(plain.view, plain.offset, s.VkPhysicalDeviceProperties, "deviceType")] ?? "device",
      languages: languagesOf.vulkan,
      subgroups: {
        min: sizeControl ? properties.read(control, "minSubgroupSize") : size,
        max: sizeControl ? properties.read(control, "maxSubgroupSize") : size,
        size,
        operations: subgroupOperations.filter(([bit]) => (operations & bit) !== 0).map(([, what]) => what),
        stages: stages.filter(([bit]) => (supportedStages & bit) !== 0).map(([, what]) => what),
        selectable,
      },
      types: [
        ...narrow("i8 and u8", [
          ["shaderInt8", "arithmetic"],
          ["storageBuffer8BitAccess", "storage"],
        ]),
        ...narrow("i16 and u16", [
          ["shaderInt16", "arithmetic"],
          ["storageBuffer16BitAccess", "storage"],
        ]),
        ...narrow("f16", [
          ["shaderFloat16", "arithmetic"],
          ["storageBuffer16BitAccess", "storage"],
        ]),
        ...narrow("i64 and u64", [
          ["shaderInt64", "arithmetic"],
          ["shaderBufferInt64Atomics", "atomic"],
        ]),
        ...narrow("f32", [["shaderBufferFloat32AtomicAdd", "atomic add"]]),
        ...narrow("f64", [
          ["shaderFloat64", "arithmetic"],
          ["shaderBufferFloat64AtomicAdd", "atomic add"],
        ]),
        ...(features.has("shaderSubgroupExtendedTypes") ? ["subgroup operations on all of these"] : []),
      ],
      limits: {
        workgroupInvocations: limit("maxComputeWorkGroupInvocations"),
        workgroupSize: [
          limit("maxComputeWorkGroupSize", 0),
          limit("maxComputeWorkGroupSize", 1),
          limit("maxComputeWorkGroupSize", 2),
        ],
        workgroupMemory: limit("maxComputeSharedMemorySize"),
        pushConstants: limit("maxPushConstantsSize"),
        bufferBytes: limit("maxStorageBufferRange"),
      },
      extensions: [...names].sort(),
      report: {
        deviceName: readText(plain.view, plain.offset, s.VkPhysicalDeviceProperties, "deviceName"),
        apiVersion: `${major}.${minor}.${patch}`,
        subgroupSize: size,
        subgroupSupportedOperations: operations,
        subgroupSupportedStages: supportedStages,
        subgroupQuadOperationsInAllStages:
          properties.read(s.VkPhysicalDeviceSubgroupProperties, "quadOperationsInAllStages") === 1,
        ...(sizeControl
          ? {
              minSubgroupSize: properties.read(control, "minSubgroupSize"),
              maxSubgroupSize: properties.read(control, "maxSubgroupSize"),
              requiredSubgroupSizeStages: properties.read(control, "requiredSubgroupSizeStages"),
            }
          : {}),
        ...Object.fromEntries(
          [...baseFeatures, ...floatControlProperties, ...groups.flatMap((g) => g.features)].map((f) => [
            f,
            features.has(f),
          ]),
        ),
        maxComputeSharedMemorySize: limit("maxComputeSharedMemorySize"),
        maxComputeWorkGroupInvocations: limit("maxComputeWorkGroupInvocations"),
        maxComputeWorkGroupSize: [0, 1, 2].map((i) => limit("maxComputeWorkGroupSize", i)),
        maxPushConstantsSize: limit("maxPushConstantsSize"),
      },
      float,
    };
    const extensions = [
      ...groups.filter((g) => !atLeast(version, g.core)).map((g) => g.extension!),
      ...(floatControls && !atLeast(version, [1, 2]) ? ["VK_KHR_shader_float_controls"] : []),
      ...plainExtensions.filter((name) => names.has(name)),
    ];
    return {
      handle,
      info,
      version,
      features,
      extensions,
      ...queue,
      timestampPeriod: limit("timestampPeriod"),
      memoryTypes: memoryTypes(call, handle, ffi),
      texelElements: limit("maxTexelBufferElements"),
    };
  } finally {
    memory.free();
  }
}

function extensionNames(call: Vk, handle: bigint, ffi: Ffi): Set<string> {
  const memory = ffi.memory();
  try {
    const count = memory.result();
    call.vkEnumerateDeviceExtensionProperties(handle, 0n, count.address, 0n);
    const list = memory.alloc(Math.max(1, count.number()) * s.VkExtensionProperties.size);
    call.vkEnumerateDeviceExtensionProperties(handle, 0n, count.address, list.address);
    return new Set(
      Array.from({ length: count.number() }, (_, i) =>
        readText(list.view, list.offset + i * s.VkExtensionProperties.size, s.VkExtensionProperties, "extensionName"),
      ),
    );
  } finally {
    memory.free();
  }
}

function computeQueue(call: Vk, handle: bigint, ffi: Ffi): { queueFamily: number; timestampBits: number } | undefined {
  const memory = ffi.memory();
  try {
    const count = memory.result();
    call.vkGetPhysicalDeviceQueueFamilyProperties(handle, count.address, 0n);
    const list = memory.alloc(Math.max(1, count.number()) * s.VkQueueFamilyProperties.size);
    call.vkGetPhysicalDeviceQueueFamilyProperties(handle, count.address, list.address);
    for (let i = 0; i < count.number(); i++) {
      const at = list.offset + i * s.VkQueueFamilyProperties.size;
      if ((readNumber(list.view, at, s.VkQueueFamilyProperties, "queueFlags") & vk.VK_QUEUE_COMPUTE_BIT) === 0)
        continue;
      return {
        queueFamily: i,
        timestampBits: readNumber(list.view, at, s.VkQueueFamilyProperties, "timestampValidBits"),
      };
    }
    return undefined;
  } finally {
    memory.free();
  }
}

/** Property flags by index. */
function memoryTypes(call: Vk, handle: bigint, ffi: Ffi): number[] {
  const memory = ffi.memory();
  try {
    const block = memory.structure(s.VkPhysicalDeviceMemoryProperties);
    call.vkGetPhysicalDeviceMemoryProperties(handle, block.address);
    const count = Number(readField(block.view, block.offset, s.VkPhysicalDeviceMemoryProperties, "memoryTypeCount"));
    const first = block.offset + s.VkPhysicalDeviceMemoryProperties.fields.memoryTypes.offset;
    return Array.from({ length: count }, (_, i) =>
      readNumber(block.view, first + i * s.VkMemoryType.size, s.VkMemoryType, "propertyFlags"),
    );
  } finally {
    memory.free();
  }
}
