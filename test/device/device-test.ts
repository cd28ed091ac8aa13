/** Tests that need a driver: `toolTest` for what a device needs. */
import { findProgram } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";
import { listDevices } from "../../src/device/drivers.js";
import type { DeviceApi } from "../../src/device/kernel.js";

const found = new Map<DeviceApi, Promise<readonly string[]>>();

/** What stands between this machine and a device of that kind. */
export function missingFor(api: DeviceApi): Promise<readonly string[]> {
  let missing = found.get(api);
  if (!missing) {
    missing = listDevices([api]).then(({ devices, problems }) => [
      ...(devices.length > 0 ? [] : [problems[0]?.code === "XL7001" ? "koffi" : `${api} driver`]),
      ...(api === "vulkan" && findProgram("glslangValidator") === undefined ? ["glslangValidator"] : []),
    ]);
    found.set(api, missing);
  }
  return missing;
}

export async function deviceTest(api: DeviceApi, name: string, body: () => void | Promise<void>): Promise<void> {
  toolTest(await missingFor(api), name, body);
}
