/**
 * A profile narrowed to one device, by what its report states. What it does not mention stays; a feature of Vulkan that a
 * report with a list of features leaves out is not there, since drivers list those they have.
 */
import type { TargetDialect } from "../dialects/ids.js";
import type { DeviceReport, ReportApi } from "./device-report.js";
import { devicesOf, find, firstOf, flag, names, numberAt } from "./device-report.js";
import { nvidiaAtoms, profileIds, profileNamed, showVersion } from "./profiles.js";
import type { DeviceFacts, Limits, Profile } from "./profiles.js";

export interface Narrowed {
  readonly profile: Profile;
  /** Atoms the device does not have. */
  readonly removed: readonly string[];
  /** Atoms of one vendor's devices that this device has. */
  readonly added: readonly string[];
}

/** The dialect whose profiles a report narrows. */
export const dialectOf: Readonly<Record<ReportApi, TargetDialect>> = { vulkan: "glsl", opencl: "opencl" };

type Lacks = (atom: string) => string | undefined;

// ------------------------------------------------------------------ Vulkan

/** VkSubgroupFeatureFlagBits. */
const subgroupBits: Readonly<Record<string, number>> = {
  BASIC: 1,
  VOTE: 2,
  ARITHMETIC: 4,
  BALLOT: 8,
  SHUFFLE: 0x10,
  SHUFFLE_RELATIVE: 0x20,
  CLUSTERED: 0x40,
  QUAD: 0x80,
  PARTITIONED: 0x100,
  ROTATE: 0x200,
  ROTATE_CLUSTERED: 0x400,
};
const computeStage = 0x20;

/**
 * Operations of subgroups by the atom that stands for them. `quadOperationsInAllStages` takes nothing away: where it is
 * off, compute has quad operations still (Vulkan, VkPhysicalDeviceSubgroupProperties).
 */
function subgroupCategory(atom: string): string | undefined {
  const category = /^glsl\.(?:KHR_shader_subgroup|subgroup)_(\w+)$/.exec(atom)?.[1]?.toUpperCase();
  if (category !== undefined && category in subgroupBits) return category;
  return /^glsl\.(NV|EXT)_shader_subgroup_partitioned$/.test(atom) ? "PARTITIONED" : undefined;
}

/** Features an atom needs, by pattern. */
const vulkanFeatures: readonly (readonly [RegExp, readonly string[]])[] = [
  [/_(explicit_arithmetic|subgroup_extended)_types_int64$/, ["shaderInt64"]],
  [/_(explicit_arithmetic|subgroup_extended)_types_int16$/, ["shaderInt16"]],
  [/_(explicit_arithmetic|subgroup_extended)_types_int8$/, ["shaderInt8"]],
  [/_(explicit_arithmetic|subgroup_extended)_types_float16$/, ["shaderFloat16"]],
  [/_(explicit_arithmetic_types|subgroup_extended_types)_float64$|^glsl\.float64$/, ["shaderFloat64"]],
  [/_subgroup_extended_types_/, ["shaderSubgroupExtendedTypes"]],
  [/^glsl\.EXT_shader_16bit_storage$/, ["storageBuffer16BitAccess"]],
  [/^glsl\.EXT_shader_8bit_storage$/, ["storageBuffer8BitAccess"]],
  [/^glsl\.EXT_shader_atomic_int64$/, ["shaderBufferInt64Atomics"]],
  [/^glsl\.EXT_shader_atomic_float$/, ["shaderBufferFloat32AtomicAdd"]],
  [/^glsl\.EXT_shader_atomic_float2$/, ["shaderBufferFloat32AtomicMinMax"]],
  [/^glsl\.atomic_add_float64$/, ["shaderBufferFloat64AtomicAdd"]],
  [/^glsl\.atomic_add_float16$/, ["shaderBufferFloat16AtomicAdd"]],
  [/^glsl\.atomic_min_max_float64$/, ["shaderBufferFloat64AtomicMinMax"]],
  [/^glsl\.atomic_min_max_float16$/, ["shaderBufferFloat16AtomicMinMax"]],
  [/^glsl\.KHR_shader_subgroup_rotate$/, ["shaderSubgroupRotate"]],
  [/^glsl\.subgroup_rotate_clustered$/, ["shaderSubgroupRotateClustered"]],
];

/** Properties that are true or false, by pattern; a report need not list them. */
const vulkanProperties: readonly (readonly [RegExp, (width: string) => string])[] = [
  [/^glsl\.signed_zero_inf_nan_preserve_float(\d+)$/, (width) => `shaderSignedZeroInfNanPreserveFloat${width}`],
];

/** Feature structures give a feature as true or false (or 1 and 0). */
const isOff = (value: unknown): boolean => value === false || value === 0 || value === "false";

function vulkanLacks(facts: unknown): Lacks {
  const operations = firstOf(facts, "subgroupSupportedOperations", "supportedOperations");
  const stages = firstOf(facts, "subgroupSupportedStages", "supportedStages");
  const listed = find(facts, "shaderInt64") !== undefined;
  const off = (feature: string): boolean => {
    const value = find(facts, feature);
    return isOff(value) || (value === undefined && listed);
  };
  return (atom) => {
    const category = subgroupCategory(atom);
    if (category !== undefined) {
      if (flag(stages, computeStage, "SHADER_STAGE_COMPUTE") === false) return "subgroup operations in compute shaders";
      if (flag(operations, subgroupBits[category]!, `SUBGROUP_FEATURE_${category}`) === false)
        return `subgroup operations of the category '${category.toLowerCase().replace("_", " ")}'`;
    }
    for (const [pattern, property] of vulkanProperties) {
      const name = pattern.exec(atom);
      if (name && isOff(find(facts, property(name[1]!)))) return property(name[1]!);
    }
    return vulkanFeatures
      .filter(([pattern]) => pattern.test(atom))
      .flatMap(([, features]) => features)
      .find(off);
  };
}

/** What no default profile has and a device may say it has. */
function vulkanAdds(facts: unknown): string[] {
  const operations = firstOf(facts, "subgroupSupportedOperations", "supportedOperations");
  const partitioned = flag(operations, subgroupBits["PARTITIONED"]!, "SUBGROUP_FEATURE_PARTITIONED") === true;
  return partitioned ? nvidiaAtoms : [];
}

// ------------------------------------------------------------------ OpenCL

/** Atoms that are not simply an extension of their name: extensions and features of OpenCL C 3.0, any of which will do. */
const openclNames: Readonly<Record<string, readonly string[]>> = {
  "cl.subgroups": ["cl_khr_subgroups", "__opencl_c_subgroups"],
  "cl.khr_fp64": ["cl_khr_fp64", "__opencl_c_fp64"],
  "cl.work_group_collectives": ["__opencl_c_work_group_collective_functions"],
  "cl.atomic_scope_device": ["__opencl_c_atomic_scope_device"],
  "cl.atomic_scope_all_devices": ["__opencl_c_atomic_scope_all_devices"],
  "cl.atomic_order_acq_rel": ["__opencl_c_atomic_order_acq_rel"],
  "cl.atomic_order_seq_cst": ["__opencl_c_atomic_order_seq_cst"],
};

function openclLacks({ facts, version }: DeviceReport): Lacks {
  const has = new Set<string>();
  const lists = ["CL_DEVICE_EXTENSIONS", "CL_DEVICE_EXTENSIONS_WITH_VERSION", "CL_DEVICE_OPENCL_C_FEATURES"];
  for (const key of lists) for (const name of names(find(facts, key)) ?? []) has.add(name);
  if (has.size === 0) return () => undefined;
  const none = numberAt(facts, "CL_DEVICE_MAX_NUM_SUB_GROUPS") === 0;
  const base = openclNames["cl.subgroups"]!;
  return (atom) => {
    const own = openclNames[atom] ?? [atom.replace(/^cl\./, "cl_")];
    const wanted = own[0]!;
    // Before 3.0 what is a feature now was part of the language, and a report without features says nothing of them.
    if (
      wanted.startsWith("__opencl_c_") &&
      ((version ?? 300) < 300 || find(facts, "CL_DEVICE_OPENCL_C_FEATURES") === undefined)
    )
      return undefined;
    if (atom === "cl.subgroups" || atom.startsWith("cl.khr_subgroup_")) {
      if (none || !base.some((n) => has.has(n))) return "sub-groups";
    }
    return own.some((n) => has.has(n)) ? undefined : wanted;
  };
}

// ------------------------------------------------------------------ both

function limitsOf(facts: unknown): Partial<Limits> {
  const memory = numberAt(facts, "maxComputeSharedMemorySize", "CL_DEVICE_LOCAL_MEM_SIZE");
  const lanes = numberAt(facts, "maxComputeWorkGroupInvocations", "CL_DEVICE_MAX_WORK_GROUP_SIZE");
  const sizes = firstOf(facts, "maxComputeWorkGroupSize", "CL_DEVICE_MAX_WORK_ITEM_SIZES");
  const three = Array.isArray(sizes) && sizes.length === 3 && sizes.every((n) => typeof n === "number");
  const push = numberAt(facts, "maxPushConstantsSize");
  return {
    ...(memory === undefined ? {} : { workgroupMemory: memory }),
    ...(lanes === undefined ? {} : { maxWorkgroupInvocations: lanes }),
    ...(three ? { maxWorkgroupSize: sizes as unknown as readonly [number, number, number] } : {}),
    ...(push === undefined ? {} : { pushConstants: push }),
  };
}

const powersOfTwo = (min: number, max: number): number[] =>
  [1, 2, 4, 8, 16, 32, 64, 128].filter((n) => n >= min && n <= max);

/** Widths of subgroups, and whether one of them can be asked for. */
function widthsOf({ api, facts }: DeviceReport): Pick<DeviceFacts, "subgroupSizes" | "selectable"> {
  if (api === "vulkan") {
    const size = numberAt(facts, "subgroupSize");
    const min = numberAt(facts, "minSubgroupSize");
    const max = numberAt(facts, "maxSubgroupSize");
    const control = find(facts, "subgroupSizeControl");
    const inCompute = flag(find(facts, "requiredSubgroupSizeStages"), computeStage, "SHADER_STAGE_COMPUTE");
    const selectable = control !== undefined && !isOff(control) && inCompute === true;
    if (selectable && min !== undefined && max !== undefined)
      return { subgroupSizes: powersOfTwo(min, max), selectable };
    return size === undefined ? { selectable: false } : { subgroupSizes: [size], selectable: false };
  }
  const listed = find(facts, "CL_DEVICE_SUB_GROUP_SIZES_INTEL");
  const extensions = names(find(facts, "CL_DEVICE_EXTENSIONS")) ?? [];
  const selectable = extensions.includes("cl_intel_required_subgroup_size");
  if (Array.isArray(listed) && listed.length > 0 && listed.every((n) => typeof n === "number"))
    return { subgroupSizes: [...listed].sort((a, b) => a - b), selectable };
  const fixed = numberAt(facts, "CL_DEVICE_WARP_SIZE_NV", "CL_DEVICE_WAVEFRONT_WIDTH_AMD");
  return fixed === undefined ? { selectable } : { subgroupSizes: [fixed], selectable };
}

/** The newest profile that is no newer than the device. */
function noNewer(profile: Profile, version: number | undefined): Profile {
  if (version === undefined || version >= profile.version) return profile;
  const variant = (id: string): string | undefined => id.split("-")[1];
  const older = profileIds(profile.dialect).filter((id) => variant(id) === variant(profile.id));
  return (
    older
      .map((id) => profileNamed(id)!)
      .filter((p) => p.version <= version)
      .at(-1) ?? profile
  );
}

/** A profile of another API's dialect stays as it is. */
export function narrow(profile: Profile, given: DeviceReport | object): Narrowed {
  const report = "facts" in given ? given : devicesOf(given)[0];
  if (!report || dialectOf[report.api] !== profile.dialect) return { profile, removed: [], added: [] };
  const base = noNewer(profile, report.version);
  const why = report.api === "vulkan" ? vulkanLacks(report.facts) : openclLacks(report);
  const lacks = new Map<string, string>();
  for (const atom of profile.atoms) {
    const reason =
      why(atom) ?? (base.atoms.has(atom) ? undefined : `what came after version ${showVersion(base.version)}`);
    if (reason !== undefined) lacks.set(atom, reason);
  }
  const added = (report.api === "vulkan" ? vulkanAdds(report.facts) : []).filter((atom) => !profile.atoms.has(atom));
  const atoms = new Set([...[...profile.atoms].filter((atom) => !lacks.has(atom)), ...added]);
  const limits = limitsOf(report.facts);
  const device: DeviceFacts = { name: report.name, whole: profile, lacks, limits, ...widthsOf(report) };
  return {
    profile: { ...base, atoms, limits: { ...base.limits, ...limits }, device },
    removed: [...lacks.keys()],
    added,
  };
}
