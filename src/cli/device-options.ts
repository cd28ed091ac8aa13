/** `--device` and what goes with it. */
import { Option } from "commander";
import type { Command } from "commander";
import { failureDiagnostics, openDevice, parseDevice } from "../api/device.js";
import { DeviceError } from "../device/failure.js";
import { hlslCompilers } from "../device/kernel.js";
import type { HlslCompiler } from "../device/kernel.js";
import type { DeviceConnection } from "../device/connection.js";
import { readWhole } from "./options.js";
import type { Reporter } from "./report.js";
import { UsageError } from "./usage-error.js";

export interface DeviceFlags {
  /** Absent or `sim` for the simulator. */
  readonly device?: string;
  readonly timeout?: number;
  readonly validate?: boolean;
  readonly hlslCompiler?: HlslCompiler;
}

export function withDeviceFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--device <device>",
        "sim, opencl[:n] or vulkan[:n]; see `crosslane devices` (default: sim)",
      ).argParser(readDevice),
    )
    .addOption(
      new Option("--timeout <ms>", "how long a kernel may run on a device (default: 10000)").argParser((v) =>
        readWhole(v, "--timeout", 1, 3_600_000),
      ),
    )
    .option("--validate", "with --device vulkan: have the validation layer watch")
    .addOption(
      new Option(
        "--hlsl-compiler <compiler>",
        "with --device vulkan: what compiles HLSL (default: the first of these whose programs are on the path)",
      ).choices(hlslCompilers),
    );
}

/** The device that is no simulator, if one is asked for. */
export const chosenDevice = ({ device }: DeviceFlags): string | undefined => (device === "sim" ? undefined : device);

function readDevice(value: string): string {
  if (value === "sim") return value;
  if (!parseDevice(value)) throw new UsageError(`'${value}' is no device`, "a device is sim, opencl[:n] or vulkan[:n]");
  return value;
}

/** Opens the device; reports and gives nothing where that fails. */
export async function openDeviceFor(flags: DeviceFlags, reporter: Reporter): Promise<DeviceConnection | undefined> {
  try {
    return await openDevice({
      device: flags.device!,
      validate: flags.validate ?? false,
      ...(flags.hlslCompiler ? { hlslCompiler: flags.hlslCompiler } : {}),
    });
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    reporter.show(failureDiagnostics(error.failure));
    return undefined;
  }
}
