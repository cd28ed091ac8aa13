/** `--device-profile`: a report in a file, or a device of this machine. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Option } from "commander";
import type { Command } from "commander";
import { readReport } from "../caps/device-report.js";
import type { DeviceReport } from "../caps/device-report.js";
import { dialectOf } from "../caps/narrow.js";
import type { DeviceSelection } from "../device/kernel.js";
import type { Target } from "../dialects/ids.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { fileProblem, reasonOf } from "../build/files.js";
import type { Reporter } from "./report.js";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usage-error.js";

export interface DeviceProfileFlags {
  readonly deviceProfile?: string;
}

export function withDeviceProfile(command: Command): Command {
  return command.addOption(
    new Option(
      "--device-profile <file|device>",
      "write only what this device has: JSON of vulkaninfo, clinfo or `crosslane devices --format profile` (#n after the name: its nth device), or vulkan[:n], opencl[:n]",
    ),
  );
}

/**
 * The report asked for; reports and gives "wrong" where it cannot be used. With targets, one of them has to be what the
 * device takes.
 */
export async function openDeviceProfile(
  { deviceProfile: asked }: DeviceProfileFlags,
  targets: readonly Target[] | undefined,
  terminal: Terminal,
  reporter: Reporter,
): Promise<DeviceReport | "wrong" | undefined> {
  if (asked === undefined) return undefined;
  const { parseDevice } = await import("../api/device.js");
  const selection = parseDevice(asked);
  const found = selection ? await askDevice(selection) : await readFrom(asked, terminal.cwd);
  if ("severity" in found) {
    reporter.show([found]);
    return "wrong";
  }
  const dialect = dialectOf[found.api];
  if (targets && !targets.includes(dialect))
    throw new UsageError(`'${asked}' tells of a device that takes ${dialect}, which --to does not name`);
  return found;
}

async function readFrom(asked: string, cwd: string): Promise<DeviceReport | Diagnostic> {
  const [, name, index] = /^(.*?)(?:#(\d{1,3}))?$/s.exec(asked)!;
  let text: string;
  try {
    text = await readFile(resolve(cwd, name!), "utf8");
  } catch (error) {
    return fileProblem("XL8002", `'${name}' cannot be read: ${reasonOf(error)}`);
  }
  let json: unknown;
  try {
    // A byte order mark is what some shells put before what they redirect.
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    return fileProblem("XL8005", `'${name}' is no JSON: ${reasonOf(error)}`);
  }
  const report = readReport(json, index === undefined ? undefined : Number(index));
  return "problem" in report ? fileProblem("XL8005", `'${name}' cannot be used: ${report.problem}`) : report;
}

async function askDevice({ api, index }: DeviceSelection): Promise<DeviceReport | Diagnostic> {
  const { failureDiagnostics } = await import("../api/device.js");
  const { findDevices } = await import("../device/connection.js");
  const { devices, problems } = await findDevices([api]);
  const info = devices.find((d) => d.index === index);
  if (info) {
    const report = readReport(info.report);
    return "problem" in report ? fileProblem("XL8005", report.problem) : report;
  }
  const failed = problems.flatMap((p) => failureDiagnostics(p))[0];
  return failed && devices.length === 0
    ? failed
    : fileProblem("XL7003", `there is no device ${api}:${index}`, "`crosslane devices` lists them");
}
