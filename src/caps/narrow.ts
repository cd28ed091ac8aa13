/**
 * A profile narrowed to one device, by what `vulkaninfo --json` or `clinfo --json` print. Only facts the report states
 * take something away; what it does not mention stays.
 */
import type { Limits, Profile } from "./profiles.js";

export interface Narrowed {
  readonly profile: Profile;
  /** Atoms the device does not have. */
  readonly removed: readonly string[];
}

type Json = unknown;

/** The first value under a key, wherever it stands. */
function find(json: Json, key: string): Json {
  if (typeof json !== "object" || json === null) return undefined;
  if (!Array.isArray(json) && Object.hasOwn(json, key)) return (json as Record<string, Json>)[key];
  for (const value of Object.values(json)) {
    const found = find(value, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

const firstOf = (json: Json, ...keys: readonly string[]): Json =>
  keys.map((key) => find(json, key)).find((value) => value !== undefined);

/** Names of bits, from a list of them, one string with `|` or blanks, or an object with the names as keys or in `raw`. */
function names(value: Json): string[] | undefined {
  if (typeof value === "string") return value.split(/[\s|,]+/).filter((word) => word !== "");
  if (Array.isArray(value)) return value.flatMap((v) => names(typeof v === "object" && v !== null ? (v as Record<string, Json>)["name"] : v) ?? []); // prettier-ignore
  if (typeof value !== "object" || value === null) return undefined;
  const { raw } = value as Record<string, Json>;
  return typeof raw === "string" ? names(raw) : Object.keys(value);
}

/** Feature structures give a feature as true or false (or 1 and 0). */
const isOff = (value: Json): boolean => value === false || value === 0 || value === "false";

// ------------------------------------------------------------------ Vulkan

const subgroupBits = ["basic", "vote", "arithmetic", "ballot", "shuffle", "shuffle_relative", "clustered", "quad"] as const;

const vulkanFeatures: Readonly<Record<string, readonly string[]>> = {
  shaderInt64: [
    "glsl.EXT_shader_explicit_arithmetic_types_int64",
    "glsl.EXT_shader_subgroup_extended_types_int64",
  ],
  shaderInt16: [
    "glsl.EXT_shader_explicit_arithmetic_types_int16",
    "glsl.EXT_shader_subgroup_extended_types_int16",
  ],
  shaderInt8: [
    "glsl.EXT_shader_explicit_arithmetic_types_int8",
    "glsl.EXT_shader_subgroup_extended_types_int8",
  ],
  shaderFloat16: [
    "glsl.EXT_shader_explicit_arithmetic_types_float16",
    "glsl.EXT_shader_subgroup_extended_types_float16",
  ],
  storageBuffer16BitAccess: ["glsl.EXT_shader_16bit_storage"],
  storageBuffer8BitAccess: ["glsl.EXT_shader_8bit_storage"],
  shaderSubgroupRotate: ["glsl.KHR_shader_subgroup_rotate"],
  shaderSubgroupRotateClustered: ["glsl.subgroup_rotate_clustered"],
};

function vulkanLacks(json: Json): string[] {
  const lacks: string[] = [];
  const operations = firstOf(json, "subgroupSupportedOperations", "supportedOperations");
  const listed = names(operations);
  for (const [bit, name] of subgroupBits.entries()) {
    const wanted = `VK_SUBGROUP_FEATURE_${name.toUpperCase()}_BIT`;
    const present =
      typeof operations === "number"
        ? (operations & (1 << bit)) !== 0
        : (listed === undefined || listed.includes(wanted) || listed.includes(wanted.replace(/^VK_|_BIT$/g, ""))); // prettier-ignore
    if (!present) lacks.push(`glsl.KHR_shader_subgroup_${name}`);
  }
  for (const [feature, atoms] of Object.entries(vulkanFeatures)) {
    if (isOff(find(json, feature))) lacks.push(...atoms);
  }
  if (isOff(find(json, "shaderSubgroupExtendedTypes"))) {
    const types = ["int8", "int16", "int64", "float16"];
    lacks.push(...types.map((t) => `glsl.EXT_shader_subgroup_extended_types_${t}`));
  }
  return lacks;
}

// ------------------------------------------------------------------ OpenCL

function openclLacks(json: Json, profile: Profile): string[] {
  const extensions = new Set(names(firstOf(json, "CL_DEVICE_EXTENSIONS_WITH_VERSION")) ?? []);
  for (const name of names(firstOf(json, "CL_DEVICE_EXTENSIONS")) ?? []) extensions.add(name);
  if (extensions.size === 0) return [];
  return [...profile.atoms].filter((atom) => {
    const name = atom === "cl.subgroups" ? "khr_subgroups" : atom.replace(/^cl\./, "");
    return !extensions.has(`cl_${name}`);
  });
}

// ------------------------------------------------------------------ both

const numberAt = (json: Json, ...keys: readonly string[]): number | undefined => {
  const value = firstOf(json, ...keys);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};

function limits(json: Json, own: Limits): Limits {
  const memory = numberAt(json, "maxComputeSharedMemorySize", "CL_DEVICE_LOCAL_MEM_SIZE");
  const lanes = numberAt(json, "maxComputeWorkGroupInvocations", "CL_DEVICE_MAX_WORK_GROUP_SIZE");
  const sizes = firstOf(json, "maxComputeWorkGroupSize", "CL_DEVICE_MAX_WORK_ITEM_SIZES");
  const three = Array.isArray(sizes) && sizes.length === 3 && sizes.every((n) => typeof n === "number");
  const push = numberAt(json, "maxPushConstantsSize");
  return {
    ...own,
    ...(memory === undefined ? {} : { workgroupMemory: memory }),
    ...(lanes === undefined ? {} : { maxWorkgroupInvocations: lanes }),
    ...(three ? { maxWorkgroupSize: sizes as unknown as readonly [number, number, number] } : {}),
    ...(push === undefined ? {} : { pushConstants: push }),
  };
}

export function narrow(profile: Profile, report: Json): Narrowed {
  const lacks =
    profile.dialect === "glsl"
      ? vulkanLacks(report)
      : profile.dialect === "opencl"
        ? openclLacks(report, profile)
        : [];
  const removed = [...profile.atoms].filter((atom) => lacks.includes(atom));
  const atoms = new Set([...profile.atoms].filter((atom) => !lacks.includes(atom)));
  const device = profile.dialect === "glsl" || profile.dialect === "opencl";
  return {
    profile: { ...profile, atoms, limits: device ? limits(report, profile.limits) : profile.limits },
    removed,
  };
}
