/** Kernels and their translations as a device takes them, past the simulator: what they leave in the buffers, or why not. */
import { hasErrors } from "../../src/api/compile.js";
import type { Compilation } from "../../src/api/compile.js";
import { launchOnDevice } from "../../src/api/device.js";
import { translateTo } from "../../src/api/translate.js";
import type { TargetOptions } from "../../src/api/types.js";
import { readTranslation } from "../../src/api/read-translation.js";
import type { DeviceConnection } from "../../src/device/connection.js";
import { isNotRunnable } from "../../src/device/failure.js";
import type { DeviceInfo, KernelLanguage } from "../../src/device/kernel.js";
import type { Diagnostic } from "../../src/support/diagnostics.js";
import type { BoundLaunch } from "../../src/launch/bind.js";
import type { State } from "./outcomes.js";

export interface DeviceText {
  readonly text: string;
  readonly buffers: ReadonlyMap<string, Uint8Array>;
  /** The width it ran at, where it was asked for or the device says. */
  readonly subgroupSize: number;
}

/** Milliseconds. Drivers compile when a kernel is launched; PoCL takes seconds for one with many barriers. */
export const timeout = 60_000;

/**
 * Calls in one kernel: through workgroup memory each has barriers, and drivers take long for many; and one that vkd3d-shader
 * does not read keeps the others of its kernel from running.
 */
export const callsPerKernel = ({ info, hlslCompiler }: DeviceConnection): number =>
  !info.subgroups || hlslCompiler === "dxil" ? 16 : Infinity;

export function chunks<T>(list: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let i = 0; i < list.length; i += size) parts.push(list.slice(i, i + size));
  return parts;
}

/** A source, or its translation for a language, in subgroups of a width. */
export async function runText(
  connection: DeviceConnection,
  source: Compilation,
  launch: BoundLaunch,
  what: "source" | KernelLanguage,
  width: number,
  options: TargetOptions,
): Promise<DeviceText | { readonly diagnostics: readonly Diagnostic[] }> {
  const subgroupSize = connection.info.subgroups ? width : undefined;
  const on = async (compilation: Compilation, more: object): Promise<ReturnType<typeof runText>> => {
    const entry = compilation.module!.entries[0]!;
    const ran = await launchOnDevice(connection, compilation, entry, launch, {
      ...more,
      timeout,
      ...(subgroupSize ? { subgroupSize } : {}),
    });
    if (hasErrors(ran.diagnostics)) return { diagnostics: ran.diagnostics };
    return { text: compilation.source, buffers: ran.buffers, subgroupSize: ran.subgroupSize ?? width };
  };
  if (what === "source") return on(source, {});
  const translation = await translateTo(source, what, {
    workgroupSize: launch.workgroupSize,
    ...options,
  });
  if (!translation.output || hasErrors(translation.diagnostics)) return { diagnostics: translation.diagnostics };
  const read = await readTranslation(source, translation);
  if ("diagnostics" in read) return read;
  const result = await on(read.compilation, read.translated ? { translated: read.translated } : {});
  // Its lines are not the source's.
  return "diagnostics" in result
    ? { diagnostics: result.diagnostics.map((d) => ({ ...d, location: undefined })) as Diagnostic[] }
    : result;
}

export function stateOf({ code }: Diagnostic): State {
  if (!code.startsWith("XL7")) return code.startsWith("XL9") ? "failed" : "refused";
  return isNotRunnable({ code, message: "" }) ? "not-here" : "failed";
}

/** Widths of subgroups the device has; those to emulate where it has none. */
export function widthsOn({ subgroups }: DeviceInfo, emulated: readonly number[]): readonly number[] {
  if (!subgroups) return emulated;
  const { min, max, size, selectable } = subgroups;
  if (!selectable) return [size ?? max];
  return [4, 8, 16, 32, 64, 128].filter((w) => w >= min && w <= max);
}

/** How texts are written for the device. glslang's HLSL mode is one of shader model 6.0, and vkd3d-shader reads none of the wave operations of 6.5. */
export function optionsFor(
  { info, hlslCompiler }: DeviceConnection,
  report: Readonly<Record<string, unknown>>,
  what: KernelLanguage,
  width: number,
): TargetOptions {
  if (!info.subgroups) return { emulateSubgroups: width, ...(what === "opencl" ? { profile: "opencl1.2" } : {}) };
  return what === "hlsl" ? { profile: hlslCompiler === "dxil" ? "sm6.4" : "sm6.0" } : { deviceProfile: report };
}
