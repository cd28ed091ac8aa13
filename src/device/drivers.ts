/** The drivers of this machine, by API. */
import { append } from "../support/append.js";
import { DeviceError } from "./failure.js";
import type { Failure } from "./failure.js";
import { loadFfi } from "./ffi.js";
import type { Ffi } from "./ffi.js";
import type { DeviceApi, DeviceInfo, DeviceSelection, Driver, HlslCompiler } from "./kernel.js";
import { openOpenCl } from "./opencl/driver.js";
import { openVulkan } from "./vulkan/driver.js";

export interface DriverOptions {
  /** The Vulkan validation layer watches. */
  readonly validate?: boolean;
  /** What compiles HLSL for Vulkan; without it the first whose programs are on the path. */
  readonly hlslCompiler?: HlslCompiler;
  /** OpenCL: the driver's compiler optimises, which it does unless told otherwise (`-cl-opt-disable`, OpenCL 3.0 API, 5.8.6.4). */
  readonly optimize?: boolean;
}

export async function openDriver(api: DeviceApi, options: DriverOptions = {}): Promise<Driver> {
  return apis[api].open(await loadFfi(), options);
}

interface Api {
  readonly name: string;
  /** A package of Debian that brings a device. */
  readonly package: string;
  open(ffi: Ffi, options: DriverOptions): Driver;
}

const apis: Readonly<Record<DeviceApi, Api>> = {
  opencl: { name: "OpenCL", package: "pocl-opencl-icd", open: openOpenCl },
  vulkan: { name: "Vulkan", package: "mesa-vulkan-drivers", open: openVulkan },
};

const noDevice = (api: DeviceApi): Failure => ({
  code: "XL7002",
  message: `there is no ${apis[api].name} device on this machine`,
  help: `on Debian: apt-get install ${apis[api].package}`,
});

/** The device asked for, in an opened driver. */
export function chooseDevice(driver: Driver, { api, index }: DeviceSelection): DeviceInfo {
  const found = driver.devices[index];
  if (found) return found;
  const count = driver.devices.length;
  if (count === 0) throw DeviceError.of(noDevice(api));
  throw new DeviceError(
    "XL7003",
    `there is no device ${api}:${index}: ${count === 1 ? "the only one is" : `they are ${api}:0 to`} ${api}:${count - 1}`,
  );
}

export interface DeviceList {
  readonly devices: readonly DeviceInfo[];
  /** Why an API has none. */
  readonly problems: readonly Failure[];
}

export async function listDevices(asked: readonly DeviceApi[]): Promise<DeviceList> {
  const devices: DeviceInfo[] = [];
  const problems: Failure[] = [];
  for (const api of asked) {
    try {
      const driver = await openDriver(api);
      append(devices, driver.devices);
      driver.release();
      if (driver.devices.length === 0) problems.push(noDevice(api));
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      if (!problems.some((p) => p.message === error.message)) problems.push(error.failure);
    }
  }
  return { devices, problems };
}
