/**
 * What `vulkaninfo --json`, `clinfo --json` or `crosslane devices --format profile` print of a device, read as facts. The
 * formats: vulkaninfo's is the Vulkan profiles schema (flags are lists of names) or, before 1.3, the structures by name
 * (flags are numbers); clinfo's has `devices[platform].online[n]`, lists with versions being objects by name.
 */

type Json = unknown;

export type ReportApi = "vulkan" | "opencl";

export interface DeviceReport {
  readonly api: ReportApi;
  readonly name: string;
  /** Of Vulkan or OpenCL C, as profiles have it: 102 is 1.2. Absent where the report does not say. */
  readonly version?: number;
  readonly facts: Json;
}

/** The first value under a key, wherever it stands. */
export function find(json: Json, key: string): Json {
  if (typeof json !== "object" || json === null) return undefined;
  if (!Array.isArray(json) && Object.hasOwn(json, key)) return (json as Record<string, Json>)[key];
  for (const value of Object.values(json)) {
    const found = find(value, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

export const firstOf = (json: Json, ...keys: readonly string[]): Json =>
  keys.map((key) => find(json, key)).find((value) => value !== undefined);

export const numberAt = (json: Json, ...keys: readonly string[]): number | undefined => {
  const value = firstOf(json, ...keys);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};

const textAt = (json: Json, key: string): string | undefined => {
  const value = find(json, key);
  return typeof value === "string" ? value : undefined;
};

/** Names from a list of them, one string with `|` or blanks, or an object with the names as keys or in `raw`. */
export function names(value: Json): string[] | undefined {
  if (typeof value === "string") return value.split(/[\s|,]+/).filter((word) => word !== "");
  if (Array.isArray(value))
    return value.flatMap(
      (v) =>
        names(
          typeof v === "object" && v !== null
            ? ((v as Record<string, Json>)["name"] ?? (v as Record<string, Json>)["extensionName"])
            : v,
        ) ?? [],
    );
  if (typeof value !== "object" || value === null) return undefined;
  const { raw } = value as Record<string, Json>;
  return typeof raw === "string" || Array.isArray(raw) ? names(raw) : Object.keys(value);
}

/** Whether a bit of flags is set, by its value or its name without `VK_` and `_BIT...`; undefined where nothing is said. */
export function flag(value: Json, bit: number, name: string): boolean | undefined {
  if (typeof value === "number") return (value & bit) !== 0;
  return names(value)?.some((n) => n.replace(/^VK_/, "").replace(/_BIT(_[A-Z]+)?$/, "") === name);
}

const dotted = (text: string | undefined): number | undefined => {
  const match = /(\d+)\.(\d+)/.exec(text ?? "");
  return match ? Number(match[1]) * 100 + Number(match[2]) : undefined;
};

/** Vulkan packs ten bits of the minor version between twelve of the patch and the major one. */
function vulkanVersion(json: Json): number | undefined {
  const value = firstOf(json, "apiVersion", "api-version");
  if (typeof value === "string") return dotted(value);
  return typeof value === "number" ? ((value >>> 22) & 127) * 100 + ((value >>> 12) & 1023) : undefined;
}

/** Of OpenCL C. A device of OpenCL 3.0 has OpenCL C 3.0, whatever `CL_DEVICE_OPENCL_C_VERSION` says for older programs. */
function openclVersion(json: Json): number | undefined {
  const device = dotted(textAt(json, "CL_DEVICE_VERSION"));
  if (device !== undefined && device >= 300) return device;
  return dotted(textAt(json, "CL_DEVICE_OPENCL_C_VERSION")) ?? device;
}

function isObject(json: Json): json is Record<string, Json> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** The devices of a report, in its order. */
export function devicesOf(json: Json): DeviceReport[] {
  if (!isObject(json)) return [];
  if (find(json, "CL_DEVICE_NAME") !== undefined) {
    const platforms = Array.isArray(json["devices"]) ? json["devices"] : undefined;
    const online = platforms?.flatMap((p: Json) =>
      isObject(p) && Array.isArray(p["online"]) ? (p["online"] as Json[]) : [p],
    );
    return (online ?? [json]).map((facts) => {
      const version = openclVersion(facts);
      return {
        api: "opencl",
        name: textAt(facts, "CL_DEVICE_NAME") ?? "the device",
        facts,
        ...(version === undefined ? {} : { version }),
      };
    });
  }
  const vulkan = [
    "deviceName",
    "apiVersion",
    "api-version",
    "shaderInt64",
    "supportedOperations",
    "subgroupSupportedOperations",
  ];
  if (firstOf(json, ...vulkan) === undefined) return [];
  const version = vulkanVersion(json);
  return [
    {
      api: "vulkan",
      name: textAt(json, "deviceName") ?? "the device",
      facts: json,
      ...(version === undefined ? {} : { version }),
    },
  ];
}

/** One device of a report; a problem in words where that cannot be. */
export function readReport(json: Json, index?: number): DeviceReport | { readonly problem: string } {
  const devices = devicesOf(json);
  if (devices.length === 0)
    return {
      problem: "it is no report of vulkaninfo --json, clinfo --json or crosslane devices --format profile",
    };
  if (index === undefined && devices.length > 1)
    return {
      problem: `it has ${devices.length} devices (${devices.map((d, i) => `${i}: ${d.name}`).join(", ")}); which one is said by #n after the file name`,
    };
  const found = devices[index ?? 0];
  if (!found) return { problem: `it has no device ${index}` };
  const oldest = { vulkan: 101, opencl: 102 }[found.api];
  if (found.version !== undefined && found.version < oldest)
    return {
      problem: `${found.name} has ${found.api === "vulkan" ? "Vulkan" : "OpenCL C"} ${Math.floor(found.version / 100)}.${found.version % 100}, and crosslane writes for ${oldest === 101 ? "1.1" : "1.2"} and newer`,
    };
  return found;
}
