import { Command } from "commander";
import { failureDiagnostics, parseDevice } from "../api/device.js";
import { findDevices } from "../device/connection.js";
import { deviceApis } from "../device/kernel.js";
import type { DeviceInfo } from "../device/kernel.js";
import type { CommandContext } from "./command.js";
import { exitCodes } from "./exit-codes.js";
import { formatOption } from "./options.js";
import { Reporter } from "./report.js";
import { UsageError } from "./usage-error.js";

interface DevicesFlags {
  readonly format: "table" | "json" | "profile";
}

export function devicesCommand({ terminal, finish }: CommandContext): Command {
  return new Command("devices")
    .description(
      "List the devices that `run --device` and `verify --device` can use: OpenCL and Vulkan drivers of this machine.",
    )
    .argument("[device]", "only this one: opencl[:n] or vulkan[:n]")
    .addOption(formatOption(["table", "json", "profile"] as const))
    .addHelpText(
      "after",
      `
Examples:
  crosslane devices                                   list them
  crosslane devices vulkan --format profile > d.json  one device's facts, for --device-profile`,
    )
    .action(async (device: string | undefined, flags: DevicesFlags) => {
      const selection = device === undefined ? undefined : parseDevice(device);
      if (device !== undefined && !selection)
        throw new UsageError(`'${device}' is no device`, "a device is opencl[:n] or vulkan[:n]");
      if (flags.format === "profile" && !selection) throw new UsageError("--format profile takes one device");
      const { devices, problems } = await findDevices(selection ? [selection.api] : deviceApis);
      const wanted = selection && device!.includes(":") ? devices.filter((d) => d.index === selection.index) : devices;
      const reporter = new Reporter(terminal, "devices", flags);
      // A machine with devices of one kind is in order.
      const failures = problems.flatMap((p) => failureDiagnostics(p));
      reporter.show(wanted.length > 0 ? failures.map((d) => ({ ...d, severity: "note" as const })) : failures);
      if (wanted.length === 0 && devices.length > 0) {
        reporter.show([
          {
            severity: "error",
            code: "XL7003",
            message: `there is no device ${device}`,
            notes: [],
            help: "`crosslane devices` lists them",
          },
        ]);
      }
      if (flags.format === "profile" && wanted[0]) terminal.out(`${JSON.stringify(wanted[0].report, null, 2)}\n`);
      else if (!reporter.machine && wanted.length > 0) terminal.out(`${wanted.map(describe).join("\n\n")}\n`);
      finish(reporter.end(wanted.length > 0 ? exitCodes.done : exitCodes.errors, { devices: wanted }));
    });
}

function describe(d: DeviceInfo): string {
  const { limits, subgroups } = d;
  const sizes =
    subgroups &&
    (subgroups.min === subgroups.max
      ? `${subgroups.min}`
      : `${subgroups.min} to ${subgroups.max}, ${subgroups.size === undefined ? "as the driver decides for each kernel" : `${subgroups.size} unless asked`}`);
  const rows: [string, string][] = [
    ["driver", d.driver],
    ["version", d.version],
    ["kind", `${d.kind}, ${d.vendor}`],
    ["takes", d.languages.join(", ")],
    ["subgroups", subgroups ? `width ${sizes}${subgroups.selectable ? ", can be required" : ""}` : "none"],
    ...(subgroups
      ? ([
          ["operations", subgroups.operations.join(", ")],
          ["stages", subgroups.stages.join(", ")],
        ] satisfies [string, string][])
      : []),
    ["types", d.types.join(", ")],
    ["float", d.float.length > 0 ? d.float.join(", ") : "no promises"],
    ["workgroups", `up to ${limits.workgroupInvocations} invocations, ${limits.workgroupSize.join(" x ")} at most`],
    [
      "memory",
      `${limits.workgroupMemory} bytes a workgroup, buffers of ${limits.bufferBytes} bytes${limits.pushConstants === undefined ? "" : `, ${limits.pushConstants} bytes of push constants`}`,
    ],
  ];
  return [`${d.api}:${d.index}  ${d.name}`, ...rows.map(([name, value]) => `  ${name.padEnd(11)}${value}`)].join("\n");
}
