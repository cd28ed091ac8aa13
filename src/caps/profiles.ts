/**
 * Target profiles: versions, feature atoms and limits. A profile says what the emitted text may use; device-dependent
 * features (subgroup categories, 16-bit types) are in it where the language version can name them, and each use is listed
 * among the requirements of the result. `narrow` takes away what a device lacks.
 */
import type { TargetDialect } from "../dialects/ids.js";
import { languageFacts } from "../dialects/languages.js";
import type { Limits, Profile } from "../ast/profile.js";

export type { DeviceFacts, Limits, Profile } from "../ast/profile.js";

/** `vulkan>=1.2` */
export const isBound = (atom: string): boolean => /^\w+>=\d+\.\d+$/.test(atom);

/** Whether a profile has an atom or meets a bound. Versions compare by part: 6.10 is after 6.9. */
export function hasAtom(profile: Profile, atom: string): boolean {
  if (atom.startsWith("!")) return !hasAtom(profile, atom.slice(1));
  const has = meets(profile, atom);
  profile.asked?.(atom, has);
  return has;
}

function meets(profile: Profile, atom: string): boolean {
  const bound = atom.match(/^(\w+)>=(\d+)\.(\d+)$/);
  if (!bound) return profile.atoms.has(atom);
  if (bound[1] !== languageFacts[profile.dialect].versions) return false;
  return profile.version >= versionNumber(bound[2]!, bound[3]!);
}

const versionNumber = (major: string, minor: string): number => Number(major) * 100 + Number(minor);
/** `1.3` of 103. */
export const showVersion = (version: number): string => `${Math.floor(version / 100)}.${version % 100}`;
const parseVersion = (text: string): number => {
  const [major, minor] = text.split(".");
  return versionNumber(major!, minor ?? "0");
};

// ------------------------------------------------------------------ MSL

const mslLimits: Limits = {
  workgroupMemory: 32768,
  maxWorkgroupSize: [1024, 1024, 1024],
  maxWorkgroupInvocations: 1024,
};

/** First version per platform of each group of SIMD-group functions (MSL 3.1, 6.9), and of logging (MSL 3.2, metal_logging). */
const mslFeatures: readonly { readonly atom: string; readonly macos: string; readonly ios: string }[] = [
  { atom: "msl.simd_shuffle", macos: "2.0", ios: "2.2" },
  { atom: "msl.simd_vote", macos: "2.1", ios: "2.2" },
  { atom: "msl.simd_reduce", macos: "2.1", ios: "2.3" },
  { atom: "msl.simd_shuffle_and_fill", macos: "2.4", ios: "2.4" },
  { atom: "msl.quad", macos: "2.1", ios: "2.0" },
  { atom: "msl.quad_vote", macos: "2.1", ios: "2.2" },
  { atom: "msl.quad_reduce", macos: "2.1", ios: "2.3" },
  { atom: "msl.quad_shuffle_and_fill", macos: "2.4", ios: "2.4" },
  { atom: "msl.logging", macos: "3.2", ios: "3.2" },
];

type Platform = "macos" | "ios";

/** Without a platform: what both have. */
function msl(version: string, platform?: Platform): Profile {
  const platforms: readonly Platform[] = platform ? [platform] : ["macos", "ios"];
  const at = parseVersion(version);
  const atoms = mslFeatures.filter((f) => platforms.every((p) => at >= parseVersion(f[p]))).map((f) => f.atom);
  return {
    id: `msl${version}${platform ? `-${platform}` : ""}`,
    dialect: "msl",
    version: at,
    atoms: new Set(atoms),
    limits: mslLimits,
  };
}

// ------------------------------------------------------------------ Vulkan

const subgroupCategories = [
  "basic",
  "vote",
  "arithmetic",
  "ballot",
  "shuffle",
  "shuffle_relative",
  "clustered",
  "quad",
].map((c) => `glsl.KHR_shader_subgroup_${c}`);
const explicitTypes = ["int8", "int16", "int64", "float16"];

const vulkanAtoms = [
  ...subgroupCategories,
  "glsl.KHR_memory_scope_semantics",
  ...explicitTypes.map((t) => `glsl.EXT_shader_explicit_arithmetic_types_${t}`),
  ...explicitTypes.map((t) => `glsl.EXT_shader_subgroup_extended_types_${t}`),
  "glsl.EXT_shader_16bit_storage",
  "glsl.EXT_shader_8bit_storage",
  "glsl.float64",
  "glsl.EXT_shader_atomic_int64",
  "glsl.EXT_shader_atomic_float",
  "glsl.EXT_shader_atomic_float2",
  // Parts of the two, which are features of their own.
  "glsl.atomic_add_float64",
  "glsl.atomic_add_float16",
  "glsl.atomic_min_max_float64",
  "glsl.atomic_min_max_float16",
];

/** What NVIDIA's devices have besides, in no default profile. */
export const nvidiaAtoms = ["glsl.NV_shader_subgroup_partitioned"];

/** What profiles have that are asked for by name only. */
const variants: Readonly<Record<NonNullable<Profile["variant"]>, readonly string[]>> = {
  nv: nvidiaAtoms,
  // What validation layers print while one debugs.
  debug: ["glsl.EXT_debug_printf"],
};

function vulkan(version: string, variant?: Profile["variant"]): Profile {
  const at = parseVersion(version);
  const atoms = [
    ...vulkanAtoms,
    // VkPhysicalDeviceFloatControlsProperties.
    ...(at >= parseVersion("1.2") ? ["16", "32", "64"].map((w) => `glsl.signed_zero_inf_nan_preserve_float${w}`) : []),
    ...(at >= parseVersion("1.4") ? ["glsl.KHR_shader_subgroup_rotate", "glsl.subgroup_rotate_clustered"] : []),
    ...(variant ? variants[variant] : []),
  ];
  const limits: Limits = {
    workgroupMemory: 16384,
    maxWorkgroupSize: [128, 128, 64],
    maxWorkgroupInvocations: 128,
    pushConstants: at >= parseVersion("1.4") ? 256 : 128,
  };
  return {
    id: `vulkan${version}${variant ? `-${variant}` : ""}`,
    dialect: "glsl",
    version: at,
    atoms: new Set(atoms),
    limits,
    ...(variant ? { variant } : {}),
  };
}

// ------------------------------------------------------------------ OpenCL

const clSubgroups = [
  "extended_types",
  "non_uniform_vote",
  "ballot",
  "non_uniform_arithmetic",
  "shuffle",
  "shuffle_relative",
  "clustered_reduce",
].map((c) => `cl.khr_subgroup_${c}`);

function opencl(version: string): Profile {
  const at = parseVersion(version);
  // Collectives of work-groups are core in 2.0 and a feature in 3.0.
  const atoms = [
    "cl.khr_fp16",
    "cl.khr_fp64",
    "cl.intel_required_subgroup_size",
    ...(at >= 200 ? ["cl.subgroups", "cl.work_group_collectives", "cl.atomic_scope_device"] : []),
    ...(at >= 200 ? ["cl.atomic_order_acq_rel", "cl.atomic_order_seq_cst", "cl.atomic_scope_all_devices"] : []),
    "cl.khr_int64_base_atomics",
    "cl.khr_int64_extended_atomics",
    ...(at >= 300 ? clSubgroups : []),
  ];
  const limits: Limits = {
    workgroupMemory: 32768,
    maxWorkgroupSize: [1024, 1024, 1024],
    maxWorkgroupInvocations: 1024,
  };
  return { id: `opencl${version}`, dialect: "opencl", version: at, atoms: new Set(atoms), limits };
}

/**
 * The profile has subgroup operations that all lanes have to reach, or that tell nothing of which lanes do, and lacks some
 * of those that any lanes may reach.
 */
export const lackOfDivergentOps = (profile: Profile): boolean =>
  (hasAtom(profile, "cl.subgroups") && clSubgroups.some((atom) => !hasAtom(profile, atom))) ||
  (hasAtom(profile, "msl.simd_shuffle") && !hasAtom(profile, "msl.simd_vote"));

// ------------------------------------------------------------------ Direct3D

function shaderModel(version: string): Profile {
  const at = parseVersion(version);
  const atoms = at >= parseVersion("6.2") ? ["hlsl.native16"] : [];
  const limits: Limits = {
    workgroupMemory: 32768,
    maxWorkgroupSize: [1024, 1024, 64],
    maxWorkgroupInvocations: 1024,
    fixed: true,
    pushConstants: 256,
  };
  return { id: `sm${version}`, dialect: "hlsl", version: at, atoms: new Set(atoms), limits };
}

// ------------------------------------------------------------------ all

export const profiles: ReadonlyMap<string, Profile> = new Map(
  [
    msl("2.0", "macos"),
    msl("2.0", "ios"),
    ...["2.1", "2.2", "2.3"].flatMap((v) => [msl(v), msl(v, "macos"), msl(v, "ios")]),
    ...["2.4", "3.0", "3.1", "3.2"].map((v) => msl(v)),
    ...["1.1", "1.2", "1.3", "1.4"].map((v) => vulkan(v)),
    ...["1.1", "1.2", "1.3", "1.4"].map((v) => vulkan(v, "nv")),
    ...["1.1", "1.2", "1.3", "1.4"].map((v) => vulkan(v, "debug")),
    ...["1.2", "2.0", "3.0"].map(opencl),
    ...["5.0", "6.0", "6.1", "6.2", "6.3", "6.4", "6.5", "6.6", "6.7", "6.8", "6.10"].map(shaderModel),
  ].map((p) => [p.id, p]),
);

const defaults: Readonly<Record<TargetDialect, string>> = {
  msl: "msl3.0",
  glsl: "vulkan1.3",
  opencl: "opencl3.0",
  hlsl: "sm6.6",
};

export function defaultProfile(dialect: TargetDialect): Profile {
  return profiles.get(defaults[dialect])!;
}

export function profileNamed(id: string): Profile | undefined {
  return profiles.get(id);
}

/** Ids of a dialect's profiles, oldest first, for messages. */
export const profileIds = (dialect: TargetDialect): readonly string[] =>
  [...profiles.values()].filter((p) => p.dialect === dialect).map((p) => p.id);
