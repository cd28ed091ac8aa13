/** What an OpenCL device is and can do. */
import type { Ffi, Library, NativeMemory } from "../ffi.js";
import type { DeviceInfo } from "../kernel.js";
import { readNumber, readText } from "../structures.js";
import { cl, cl_name_version } from "./api.js";
import type { functions } from "./api.js";
import { languagesOf } from "../kernel.js";

export type Cl = Library<keyof typeof functions>["call"];

export interface ClDevice {
  readonly id: bigint;
  readonly platform: bigint;
  readonly info: DeviceInfo;
  /** `CL1.2`: the newest language version. */
  readonly languageVersion: string;
  readonly nonUniformWorkgroups: boolean;
}

/** Reads a property of any length; nothing where the driver does not know it. */
export function readProperty(
  memory: NativeMemory,
  get: (size: bigint, value: bigint, sizeOut: bigint) => number,
): Uint8Array | undefined {
  const size = memory.result();
  if (get(0n, 0n, size.address) !== cl.CL_SUCCESS) return undefined;
  const length = Number(size.handle());
  const value = memory.alloc(Math.max(1, length));
  if (get(BigInt(length), value.address, 0n) !== cl.CL_SUCCESS) return undefined;
  return new Uint8Array(value.view.buffer, value.offset, length).slice();
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
export const textOf = (bytes: Uint8Array | undefined): string =>
  bytes ? new TextDecoder().decode(bytes).replace(/\0.*$/s, "").trim() : "";
export const numberOf = (bytes: Uint8Array | undefined): number =>
  bytes === undefined || bytes.length < 4
    ? 0
    : bytes.length >= 8
      ? Number(viewOf(bytes).getBigUint64(0, true))
      : viewOf(bytes).getUint32(0, true);

const kinds: readonly (readonly [number, string])[] = [
  [4, "GPU"],
  [8, "accelerator"],
  [2, "CPU"],
  [16, "custom"],
];

const subgroupOperations: readonly (readonly [string, string])[] = [
  ["cl_khr_subgroups", "basic"],
  ["cl_khr_subgroups", "vote"],
  ["cl_khr_subgroups", "arithmetic"],
  ["cl_khr_subgroup_extended_types", "extended types"],
  ["cl_khr_subgroup_non_uniform_vote", "non-uniform vote"],
  ["cl_khr_subgroup_ballot", "ballot"],
  ["cl_khr_subgroup_non_uniform_arithmetic", "non-uniform arithmetic"],
  ["cl_khr_subgroup_shuffle", "shuffle"],
  ["cl_khr_subgroup_shuffle_relative", "shuffle relative"],
  ["cl_khr_subgroup_clustered_reduce", "clustered"],
  ["cl_khr_subgroup_rotate", "rotate"],
];

export function describeDevice(ffi: Ffi, call: Cl, platform: bigint, id: bigint, index: number): ClDevice {
  const memory = ffi.memory();
  try {
    const get = (what: number): Uint8Array | undefined =>
      readProperty(memory, (size, value, out) => Number(call.clGetDeviceInfo(id, what, size, value, out)));
    const text = (what: number): string => textOf(get(what));
    const extensions = text(cl.CL_DEVICE_EXTENSIONS).split(/\s+/).filter(Boolean).sort();
    const has = (name: string): boolean => extensions.includes(name);
    const versions = namesAndVersions(get(cl.CL_DEVICE_OPENCL_C_ALL_VERSIONS)).map((v) => v.version);
    const stated = /OpenCL C (\d+)\.(\d+)/.exec(text(cl.CL_DEVICE_OPENCL_C_VERSION));
    versions.push(stated ? Number(stated[1]) * 100 + Number(stated[2]) : 102);
    const newest = Math.max(...versions);
    const languageVersion = `${Math.floor(newest / 100)}.${newest % 100}`;
    const features = namesAndVersions(get(cl.CL_DEVICE_OPENCL_C_FEATURES)).map((v) => v.name);
    const type = numberOf(get(cl.CL_DEVICE_TYPE));
    const sizes = get(cl.CL_DEVICE_MAX_WORK_ITEM_SIZES);
    const sizeAt = (i: number): number =>
      sizes && sizes.length >= 8 * (i + 1) ? Number(viewOf(sizes).getBigUint64(8 * i, true)) : 1;
    const subgroups =
      numberOf(get(cl.CL_DEVICE_MAX_NUM_SUB_GROUPS)) > 0 ||
      has("cl_khr_subgroups") ||
      features.includes("__opencl_c_subgroups");
    const widths = widthsOf(get(cl.CL_DEVICE_SUB_GROUP_SIZES_INTEL), numberOf(get(cl.CL_DEVICE_WARP_SIZE_NV)));
    const float = numberOf(get(cl.CL_DEVICE_SINGLE_FP_CONFIG));
    const floats: readonly (readonly [number, string])[] = [
      [cl.CL_FP_DENORM, "subnormals"],
      [cl.CL_FP_INF_NAN, "infinities and NaN"],
      [cl.CL_FP_FMA, "fma"],
      [cl.CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, "correctly rounded division and square root"],
    ];
    const platformName = textOf(
      readProperty(memory, (size, value, out) =>
        Number(call.clGetPlatformInfo(platform, cl.CL_PLATFORM_NAME, size, value, out)),
      ),
    );
    const info: DeviceInfo = {
      api: "opencl",
      index,
      name: text(cl.CL_DEVICE_NAME),
      vendor: text(cl.CL_DEVICE_VENDOR),
      driver: `${platformName} ${text(cl.CL_DRIVER_VERSION)}`,
      version: `${text(cl.CL_DEVICE_VERSION)}, OpenCL C ${languageVersion}`,
      kind: kinds.find(([bit]) => (type & bit) !== 0)?.[1] ?? "device",
      languages: languagesOf.opencl,
      ...(subgroups
        ? {
            subgroups: {
              min: Math.min(...(widths ?? [1])),
              max: Math.max(...(widths ?? [128])),
              stages: ["compute"],
              ...(widths?.length === 1 ? { size: widths[0]! } : {}),
              selectable: has("cl_intel_required_subgroup_size"),
              operations: subgroupOperations
                .filter(([name]) => has(name) || name === "cl_khr_subgroups")
                .map(([, what]) => what),
            },
          }
        : {}),
      types: [
        "i8",
        "u8",
        "i16",
        "u16",
        ...(has("cles_khr_int64") || !text(cl.CL_DEVICE_VERSION).includes("EMBEDDED") ? ["i64", "u64"] : []),
        ...(has("cl_khr_fp16") ? ["f16"] : ["f16 (storage)"]),
        ...(has("cl_khr_fp64") || features.includes("__opencl_c_fp64") ? ["f64"] : []),
        ...(has("cl_khr_int64_base_atomics") ? ["i64 and u64 (atomic)"] : []),
      ],
      limits: {
        workgroupInvocations: numberOf(get(cl.CL_DEVICE_MAX_WORK_GROUP_SIZE)),
        workgroupSize: [sizeAt(0), sizeAt(1), sizeAt(2)],
        workgroupMemory: numberOf(get(cl.CL_DEVICE_LOCAL_MEM_SIZE)),
        bufferBytes: numberOf(get(cl.CL_DEVICE_MAX_MEM_ALLOC_SIZE)),
      },
      extensions: [...extensions, ...features],
      report: {
        CL_DEVICE_NAME: text(cl.CL_DEVICE_NAME),
        CL_DEVICE_VERSION: text(cl.CL_DEVICE_VERSION),
        CL_DEVICE_EXTENSIONS: extensions,
        CL_DEVICE_OPENCL_C_VERSION: `OpenCL C ${languageVersion}`,
        ...(get(cl.CL_DEVICE_OPENCL_C_FEATURES) ? { CL_DEVICE_OPENCL_C_FEATURES: features } : {}),
        ...(get(cl.CL_DEVICE_MAX_NUM_SUB_GROUPS)
          ? { CL_DEVICE_MAX_NUM_SUB_GROUPS: numberOf(get(cl.CL_DEVICE_MAX_NUM_SUB_GROUPS)) }
          : {}),
        ...(widths ? { CL_DEVICE_SUB_GROUP_SIZES_INTEL: widths } : {}),
        CL_DEVICE_LOCAL_MEM_SIZE: numberOf(get(cl.CL_DEVICE_LOCAL_MEM_SIZE)),
        CL_DEVICE_MAX_WORK_GROUP_SIZE: numberOf(get(cl.CL_DEVICE_MAX_WORK_GROUP_SIZE)),
        CL_DEVICE_MAX_WORK_ITEM_SIZES: [sizeAt(0), sizeAt(1), sizeAt(2)],
      },
      float: floats.filter(([bit]) => (float & bit) !== 0).map(([, what]) => what),
    };
    const nonUniformWorkgroups =
      newest >= 200 && newest < 300
        ? true
        : numberOf(get(cl.CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT)) === 1 && newest >= 300;
    return { id, platform, info, languageVersion, nonUniformWorkgroups };
  } finally {
    memory.free();
  }
}

/** Nothing where the device does not say: then each kernel is asked. */
function widthsOf(intel: Uint8Array | undefined, nvidia: number): number[] | undefined {
  if (intel && intel.length >= 8)
    return Array.from({ length: intel.length / 8 }, (_, i) => Number(viewOf(intel).getBigUint64(8 * i, true)));
  return nvidia > 0 ? [nvidia] : undefined;
}

function namesAndVersions(bytes: Uint8Array | undefined): { name: string; version: number }[] {
  if (!bytes) return [];
  const view = viewOf(bytes);
  return Array.from({ length: Math.floor(bytes.length / cl_name_version.size) }, (_, i) => {
    const at = i * cl_name_version.size;
    const version = readNumber(view, at, cl_name_version, "version");
    // Ten bits of the major version, ten of the minor one, twelve of the patch.
    return {
      name: readText(view, at, cl_name_version, "name"),
      version: (version >>> 22) * 100 + ((version >>> 12) & 1023),
    };
  });
}
