/** What a Vulkan device is and can do. */
import type { Ffi, Library, NativeMemory } from "../ffi.js";
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

/** Structures that a query fills, linked by `pNext`. */
interface Chain {
  readonly first: bigint;
  read(of: Structure<Fields>, key: string, i?: number): number;
  text(of: Structure<Fields>, key: string): string;
}

/** Chains are filled from their ends. */
function chainOf(memory: NativeMemory, list: readonly Structure<Fields>[]): Chain {
  let next = 0n;
  const blocks = new Map<string, ReturnType<NativeMemory["structure"]>>();
  for (const structure of [...list].reverse()) {
    const block = memory.structure(structure, { pNext: next });
    blocks.set(structure.name, block);
    next = block.address;
  }
  const at = (of: Structure<Fields>): ReturnType<NativeMemory["structure"]> => blocks.get(of.name)!;
  return {
    first: next,
    read: (of, key, i) => readNumber(at(of).view, at(of).offset, of, key, i),
    text: (of, key) => readText(at(of).view, at(of).offset, of, key),
  };
}

/** What a driver answers about a device. */
interface Answers {
  readonly version: readonly [number, number, number];
  /** Names of extensions. */
  readonly extensions: ReadonlySet<string>;
  readonly groups: typeof featureGroups;
  readonly features: ReadonlySet<string>;
  readonly properties: Chain;
  /** Which of the properties it has. */
  readonly has: { readonly sizeControl: boolean; readonly floatControls: boolean; readonly driver: boolean };
  readonly plain: (key: keyof typeof s.VkPhysicalDeviceProperties.fields) => number;
  readonly name: string;
  readonly limit: (key: keyof typeof s.VkPhysicalDeviceLimits.fields, i?: number) => number;
}

function ask(ffi: Ffi, memory: NativeMemory, call: Vk, handle: bigint): Answers | undefined {
  const plain = memory.structure(s.VkPhysicalDeviceProperties);
  call.vkGetPhysicalDeviceProperties(handle, plain.address);
  const number: Answers["plain"] = (key) => readNumber(plain.view, plain.offset, s.VkPhysicalDeviceProperties, key);
  const [major, minor, patch] = versionOf(number("apiVersion"));
  const version = [major, minor] as const;
  if (!atLeast(version, [1, 1])) return undefined;
  const extensions = extensionNames(call, handle, ffi);
  const groups = featureGroups.filter(
    (g) => atLeast(version, g.core) || (g.extension !== undefined && extensions.has(g.extension)),
  );
  const has = {
    sizeControl: groups.some((g) => g.structure === s.VkPhysicalDeviceSubgroupSizeControlFeatures),
    floatControls: atLeast(version, [1, 2]) || extensions.has("VK_KHR_shader_float_controls"),
    driver: atLeast(version, [1, 2]) || extensions.has("VK_KHR_driver_properties"),
  };
  const properties = chainOf(memory, [
    s.VkPhysicalDeviceProperties2,
    s.VkPhysicalDeviceSubgroupProperties,
    ...(has.sizeControl ? [s.VkPhysicalDeviceSubgroupSizeControlProperties] : []),
    ...(has.floatControls ? [floatStructure] : []),
    ...(has.driver ? [s.VkPhysicalDeviceDriverProperties] : []),
  ]);
  call.vkGetPhysicalDeviceProperties2(handle, properties.first);
  const features = supportedFeatures(memory, call, handle, groups);
  if (has.floatControls)
    for (const f of floatControlProperties) if (properties.read(floatStructure, f) === 1) features.add(f);
  const limitsAt = plain.offset + s.VkPhysicalDeviceProperties.fields.limits.offset;
  return {
    version: [major, minor, patch],
    extensions,
    groups,
    features,
    properties,
    has,
    plain: number,
    name: readText(plain.view, plain.offset, s.VkPhysicalDeviceProperties, "deviceName"),
    limit: (key, i) => readNumber(plain.view, limitsAt, s.VkPhysicalDeviceLimits, key, i),
  };
}

const floatStructure = s.VkPhysicalDeviceFloatControlsProperties;

function supportedFeatures(memory: NativeMemory, call: Vk, handle: bigint, groups: typeof featureGroups): Set<string> {
  const supported = chainOf(memory, [s.VkPhysicalDeviceFeatures2, ...groups.map((g) => g.structure)]);
  call.vkGetPhysicalDeviceFeatures2(handle, supported.first);
  const features = new Set<string>(
    groups.flatMap((g) => g.features.filter((f) => supported.read(g.structure, f) === 1)),
  );
  const base = memory.structure(s.VkPhysicalDeviceFeatures2);
  call.vkGetPhysicalDeviceFeatures2(handle, base.address);
  const baseAt = base.offset + s.VkPhysicalDeviceFeatures2.fields.features.offset;
  for (const f of baseFeatures) if (readNumber(base.view, baseAt, s.VkPhysicalDeviceFeatures, f) === 1) features.add(f);
  return features;
}

/** Nothing where it cannot compute, or knows only Vulkan 1.0, which has no subgroups and no chains of properties. */
export function describeDevice(ffi: Ffi, call: Vk, handle: bigint, index: number): VkDevice | undefined {
  const memory = ffi.memory();
  try {
    const answers = ask(ffi, memory, call, handle);
    const queue = answers && computeQueue(call, handle, ffi);
    if (!queue) return undefined;
    const { features, limit } = answers;
    const version = [answers.version[0], answers.version[1]] as const;
    const extensions = [
      ...answers.groups.filter((g) => !atLeast(version, g.core)).map((g) => g.extension!),
      ...(answers.has.floatControls && !atLeast(version, [1, 2]) ? ["VK_KHR_shader_float_controls"] : []),
      ...plainExtensions.filter((name) => answers.extensions.has(name)),
    ];
    return {
      handle,
      info: infoOf(answers, index),
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

function infoOf(answers: Answers, index: number): DeviceInfo {
  const { version, extensions, features, properties, has, limit, plain } = answers;
  const size = properties.read(s.VkPhysicalDeviceSubgroupProperties, "subgroupSize");
  const supportedStages = properties.read(s.VkPhysicalDeviceSubgroupProperties, "supportedStages");
  const operations = properties.read(s.VkPhysicalDeviceSubgroupProperties, "supportedOperations");
  const control = s.VkPhysicalDeviceSubgroupSizeControlProperties;
  const driver = s.VkPhysicalDeviceDriverProperties;
  return {
    api: "vulkan",
    index,
    name: answers.name,
    vendor: vendors[plain("vendorID")] ?? `0x${plain("vendorID").toString(16)}`,
    driver: has.driver
      ? `${properties.text(driver, "driverName")} ${properties.text(driver, "driverInfo")}`.trim()
      : versionOf(plain("driverVersion")).join("."),
    version: `Vulkan ${version.join(".")}`,
    kind: kinds[plain("deviceType")] ?? "device",
    languages: languagesOf.vulkan,
    subgroups: {
      min: has.sizeControl ? properties.read(control, "minSubgroupSize") : size,
      max: has.sizeControl ? properties.read(control, "maxSubgroupSize") : size,
      size,
      operations: subgroupOperations.filter(([bit]) => (operations & bit) !== 0).map(([, what]) => what),
      stages: stages.filter(([bit]) => (supportedStages & bit) !== 0).map(([, what]) => what),
      selectable:
        features.has("subgroupSizeControl") &&
        (properties.read(control, "requiredSubgroupSizeStages") & vk.VK_SHADER_STAGE_COMPUTE_BIT) !== 0,
    },
    types: typesOf(features),
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
    extensions: [...extensions].sort(),
    report: reportOf(answers, { size, operations, stages: supportedStages }),
    float: has.floatControls
      ? floatBehaviours.filter(([key]) => properties.read(floatStructure, key) === 1).map(([, what]) => what)
      : [],
  };
}

const floatBehaviours = [
  ["shaderDenormPreserveFloat32", "keeps subnormals on request"],
  ["shaderDenormFlushToZeroFloat32", "flushes subnormals on request"],
  ["shaderSignedZeroInfNanPreserveFloat32", "keeps signed zeros, infinities and NaN on request"],
  ["shaderRoundingModeRTEFloat32", "rounds to nearest even on request"],
] as const;

const typeFeatures: readonly (readonly [type: string, features: readonly (readonly [string, string])[]])[] = [
  [
    "i8 and u8",
    [
      ["shaderInt8", "arithmetic"],
      ["storageBuffer8BitAccess", "storage"],
    ],
  ],
  [
    "i16 and u16",
    [
      ["shaderInt16", "arithmetic"],
      ["storageBuffer16BitAccess", "storage"],
    ],
  ],
  [
    "f16",
    [
      ["shaderFloat16", "arithmetic"],
      ["storageBuffer16BitAccess", "storage"],
    ],
  ],
  [
    "i64 and u64",
    [
      ["shaderInt64", "arithmetic"],
      ["shaderBufferInt64Atomics", "atomic"],
    ],
  ],
  ["f32", [["shaderBufferFloat32AtomicAdd", "atomic add"]]],
  [
    "f64",
    [
      ["shaderFloat64", "arithmetic"],
      ["shaderBufferFloat64AtomicAdd", "atomic add"],
    ],
  ],
];

/** The types besides those that every device has, and what it can do with them. */
function typesOf(features: ReadonlySet<string>): string[] {
  const types = typeFeatures.flatMap(([type, list]) => {
    const can = list.filter(([f]) => features.has(f)).map(([, what]) => what);
    return can.length === 0 ? [] : [`${type} (${can.join(", ")})`];
  });
  return features.has("shaderSubgroupExtendedTypes") ? [...types, "subgroup operations on all of these"] : types;
}

/** As `vulkaninfo` names it: what a device profile is made of. */
function reportOf(
  { version, name, groups, features, properties, has, limit }: Answers,
  subgroups: { readonly size: number; readonly operations: number; readonly stages: number },
): DeviceInfo["report"] {
  const control = s.VkPhysicalDeviceSubgroupSizeControlProperties;
  const flags = [...baseFeatures, ...floatControlProperties, ...groups.flatMap((g) => g.features)];
  return {
    deviceName: name,
    apiVersion: version.join("."),
    subgroupSize: subgroups.size,
    subgroupSupportedOperations: subgroups.operations,
    subgroupSupportedStages: subgroups.stages,
    subgroupQuadOperationsInAllStages:
      properties.read(s.VkPhysicalDeviceSubgroupProperties, "quadOperationsInAllStages") === 1,
    ...(has.sizeControl
      ? {
          minSubgroupSize: properties.read(control, "minSubgroupSize"),
          maxSubgroupSize: properties.read(control, "maxSubgroupSize"),
          requiredSubgroupSizeStages: properties.read(control, "requiredSubgroupSizeStages"),
        }
      : {}),
    ...Object.fromEntries(flags.map((f) => [f, features.has(f)])),
    maxComputeSharedMemorySize: limit("maxComputeSharedMemorySize"),
    maxComputeWorkGroupInvocations: limit("maxComputeWorkGroupInvocations"),
    maxComputeWorkGroupSize: [0, 1, 2].map((i) => limit("maxComputeWorkGroupSize", i)),
    maxPushConstantsSize: limit("maxPushConstantsSize"),
  };
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
