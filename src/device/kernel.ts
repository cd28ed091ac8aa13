/**
 * What a device is given: a kernel's text and, per launch, bytes for each place of its interface. Plain data, so that it
 * can be handed to the process that talks to the driver. Whoever fills it knows dialects and launch files; here nobody does.
 */
import type { HlslVersion } from "../dialects/language.js";
import type { Failure } from "./failure.js";

/** What devices of an API take. */
export const languagesOf = { opencl: ["opencl"], vulkan: ["glsl", "hlsl"] } as const;
export type DeviceApi = keyof typeof languagesOf;
/** A kernel asks for a width of subgroups in its text, or the pipeline does (VkPipelineShaderStageRequiredSubgroupSizeCreateInfo). */
export const widthAskedIn: Readonly<Record<DeviceApi, "text" | "pipeline">> = { opencl: "text", vulkan: "pipeline" };
export const deviceApis = Object.keys(languagesOf) as readonly DeviceApi[];

export type KernelLanguage = (typeof languagesOf)[DeviceApi][number];
export const takes = (api: DeviceApi, language: string): boolean =>
  (languagesOf[api] as readonly string[]).includes(language);
export const isKernelLanguage = (language: string): language is KernelLanguage =>
  deviceApis.some((api) => takes(api, language));

export interface DeviceSelection {
  readonly api: DeviceApi;
  readonly index: number;
}

/**
 * What makes SPIR-V of HLSL: DXC itself, where it was built with SPIR-V; DXC by way of DXIL, which vkd3d-shader reads; or
 * glslang's HLSL mode.
 */
export type HlslCompiler = "dxc" | "dxil" | "glslang";
export const hlslCompilers: readonly HlslCompiler[] = ["dxc", "dxil", "glslang"];

export interface DeviceKernel {
  readonly language: KernelLanguage;
  readonly code: string;
  readonly entry: string;
  readonly defines: Readonly<Record<string, string>>;
  /** Where the interface of the text lies, as reflection has it. */
  readonly interface: readonly InterfaceSlot[];
  /** Subgroup operations are used, so that the width matters. */
  readonly usesSubgroups: boolean;
  /** GLSL: constant_ids of the workgroup's sizes. */
  readonly workgroupSizeIds?: readonly (number | undefined)[];
  /** Fixed in the text. */
  readonly workgroupSize?: readonly [number, number, number];
  /** HLSL that names a type of 16 bits, which its compilers take with a switch only. */
  readonly narrowTypes: boolean;
  /** The version of C++ for OpenCL that the text is in, where it is no OpenCL C. */
  readonly cxx?: "1.0" | "2021";
  /** The version of HLSL that the text is in, where it is not the default. */
  readonly hlslVersion?: HlslVersion;
}

/**
 * Compilers keep the registers of HLSL apart only where they are told to: with these, `t0`, `u0` and `b0` are the bindings
 * 0, 64 and 128.
 */
export const registerShift = { t: 0, u: 64, b: 128 } as const;

/** A place of the interface: the key arguments are given under, and how the device's API finds it. */
export type InterfaceSlot =
  | {
      readonly kind: "argument";
      readonly key: string;
      readonly index: number;
      readonly space: "global" | "value" | "workgroup";
    }
  | {
      readonly kind: "descriptor";
      readonly key: string;
      readonly what: "storage" | "uniform";
      /** The name of the object or of its block in the text. */
      readonly names: readonly string[];
      readonly set: number;
      /** Absent where the text leaves it to the compiler. */
      readonly binding?: number;
      /** Its number in the array of resources the binding holds; 0 where it holds one. */
      readonly element?: number;
      readonly layout: ScalarLayout;
    }
  | {
      readonly kind: "push-constants";
      readonly key: string;
      readonly size: number;
      readonly layout: ScalarLayout;
    }
  | { readonly kind: "specialization"; readonly key: string; readonly id: number };

/** Where the scalars of a block lie, which the compiled kernel has to agree on; offsets ascend. */
export interface ScalarLayout {
  readonly offsets: readonly number[];
  /** The runtime-sized array at the end. */
  readonly tail?: { readonly offset: number; readonly stride: number; readonly offsets: readonly number[] };
}

export interface DeviceLaunch {
  readonly workgroups: readonly [number, number, number];
  readonly workgroupSize: readonly [number, number, number];
  /** Invocations; the last workgroups are partial where it is no multiple. */
  readonly gridSize: readonly [number, number, number];
  readonly gridOffset: readonly [number, number, number];
  readonly dimensions: 1 | 2 | 3;
  /** Required, where the device can be told. */
  readonly subgroupSize?: number;
  readonly data: readonly DeviceData[];
  /** Milliseconds. */
  readonly timeout: number;
  /** What is printed is asked for. */
  readonly prints?: boolean;
}

export type WorkgroupShape = Pick<DeviceLaunch, "workgroupSize" | "dimensions">;

export type DeviceData =
  | { readonly key: string; readonly kind: "buffer"; readonly bytes: Uint8Array; readonly writable: boolean }
  | { readonly key: string; readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly key: string; readonly kind: "workgroup"; readonly byteLength: number };

export interface DeviceOutcome {
  /** Writable buffers afterwards, by key. */
  readonly buffers: ReadonlyMap<string, Uint8Array>;
  /** The kernel alone, as the device measures it. */
  readonly kernelMilliseconds: number;
  /** The width it ran at, as far as the device says. */
  readonly subgroupSize?: number;
  /** What the validation layer said. */
  readonly validation: readonly string[];
  /** Of launches that print: what the driver has printed of it, in its order. Absent where that is not seen. */
  readonly printed?: string;
}

export interface DeviceInfo {
  readonly api: DeviceApi;
  readonly index: number;
  readonly name: string;
  readonly vendor: string;
  readonly driver: string;
  readonly version: string;
  readonly kind: string;
  readonly languages: readonly KernelLanguage[];
  /** Absent where the device has no subgroups. */
  readonly subgroups?: {
    readonly min: number;
    readonly max: number;
    /** Unless another is asked for; absent where the driver decides for each kernel and workgroup. */
    readonly size?: number;
    readonly operations: readonly string[];
    readonly stages: readonly string[];
    /** A width can be required of a kernel. */
    readonly selectable: boolean;
  };
  /** Scalar types beyond 32-bit ones, with what can be done with them: `f16 (arithmetic, storage)`. */
  readonly types: readonly string[];
  readonly limits: {
    readonly workgroupInvocations: number;
    readonly workgroupSize: readonly [number, number, number];
    readonly workgroupMemory: number;
    readonly pushConstants?: number;
    readonly bufferBytes: number;
  };
  readonly extensions: readonly string[];
  /** Facts under the names vulkaninfo and clinfo print them, which narrow a profile to this device. */
  readonly report: Readonly<Record<string, unknown>>;
  /** Floating point: whether single precision keeps subnormals, signed zeros and NaN, and divides with correct rounding. */
  readonly float: readonly string[];
}

/** A driver that was opened for one API. */
export interface Driver {
  readonly devices: readonly DeviceInfo[];
  build(device: number, kernel: DeviceKernel): DeviceProgram;
  release(): void;
}

/** A kernel compiled for a device. */
export interface DeviceProgram {
  readonly info: DeviceInfo;
  /** Warnings of the compiler. */
  readonly log: Failure["log"];
  /** What compiled it, where there is a choice. */
  readonly compiler?: string;
  /** The width it runs at where none is required; absent where that depends on the workgroup. */
  readonly subgroupSize?: number;
  /** The width of its subgroups in such workgroups, where the driver can be asked. */
  widthIn?(workgroup: WorkgroupShape): number | undefined;
  run(launch: DeviceLaunch): DeviceOutcome;
  release(): void;
}
