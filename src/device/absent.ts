/** In place of `connection.ts` where the program is for browsers (scripts/browser-bundle.mjs): there are no drivers to open. */
import type { DeviceConnection } from "./connection.js";
import { DeviceError } from "./failure.js";

/** Fails with XL7002. */
export function connect(): Promise<DeviceConnection> {
  return Promise.reject(
    new DeviceError("XL7002", "browsers have no drivers of OpenCL and Vulkan", {
      help: "run it in the simulator, or in Node",
    }),
  );
}
