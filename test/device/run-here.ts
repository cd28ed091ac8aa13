/**
 * `runOnDevice` in this process, with drivers that stay open for the runs after: to open one, and what it loads for its first
 * kernel, takes longer than a kernel.
 */
import { openDevice, runConnected, type RunOnDeviceOptions, type RunOnDeviceResult } from "../../src/api/device.js";
import type { DeviceConnection } from "../../src/device/connection.js";

const opened = new Map<string, Promise<DeviceConnection>>();

export function runHere(source: string, options: Omit<RunOnDeviceOptions, "here">): Promise<RunOnDeviceResult> {
  return runConnected(source, options, async (run) => {
    const { device, hlslCompiler, optimize, validate } = options;
    const key = JSON.stringify([device, hlslCompiler, optimize, validate]);
    let connection = opened.get(key);
    if (!connection) opened.set(key, (connection = openDevice({ ...options, here: true })));
    return run(await connection);
  });
}
