/** Everything is given back: a thousand runs in one process, with failures among them, leave no more memory in use. */
import { expect } from "vitest";
import { connect } from "../../src/device/connection.js";
import { DeviceError } from "../../src/device/failure.js";
import type { DeviceApi, DeviceKernel, DeviceLaunch } from "../../src/device/kernel.js";
import { deviceTest } from "./device-test.js";
import { glsl } from "./kernels.js";

const texts: Readonly<Record<DeviceApi, DeviceKernel>> = {
  opencl: {
    language: "opencl",
    code: "kernel void k(global uint *outs) { outs[get_global_id(0)] += get_global_id(0); }\n",
    entry: "k",
    defines: {},
    interface: [{ kind: "argument", key: "outs", index: 0, space: "global" }],
    usesSubgroups: false,
    narrowTypes: false,
  },
  vulkan: {
    language: "glsl",
    code: glsl("outs[i] += i;"),
    entry: "main",
    defines: {},
    usesSubgroups: false,
    narrowTypes: false,
    interface: [
      {
        kind: "descriptor",
        key: "outs",
        what: "storage",
        names: ["outs"],
        set: 0,
        binding: 0,
        layout: { offsets: [], tail: { offset: 0, stride: 4, offsets: [0] } },
      },
    ],
  },
};

/** Larger than what a leak of one buffer a run could hide in. */
const bytes = 2 ** 18;

const launch: DeviceLaunch = {
  workgroups: [bytes / 32, 1, 1],
  workgroupSize: [8, 1, 1],
  gridSize: [bytes / 4, 1, 1],
  gridOffset: [0, 0, 0],
  dimensions: 1,
  timeout: 10_000,
  data: [{ key: "outs", kind: "buffer", bytes: new Uint8Array(bytes), writable: true }],
};

for (const api of ["opencl", "vulkan"] as const) {
  await deviceTest(api, `1,000 runs on ${api} leave no more memory in use`, async () => {
    const connection = await connect({ api, index: 0 }, { here: true });
    const built = await connection.build(texts[api]);
    const wrong = { ...launch, workgroupSize: [65536, 1, 1] as const };
    const rounds = async (count: number): Promise<number> => {
      for (let i = 0; i < count; i++) {
        const { buffers } = await built.run(launch);
        expect(new Uint32Array(buffers.get("outs")!.buffer)[9]).toBe(9);
        if (i % 10 === 0) await expect(built.run(wrong)).rejects.toThrow(DeviceError);
      }
      return process.memoryUsage().rss;
    };
    // The first runs fill the pools of the driver and of the garbage collector.
    const before = await rounds(300);
    const after = await rounds(1000);
    await built.release();
    await connection.close();
    // A thousand leaked buffers would be 256 MiB.
    expect(after - before).toBeLessThan(96 * 2 ** 20);
  });

  await deviceTest(api, `opening ${api} again and again leaves no more memory in use`, async () => {
    const rounds = async (count: number): Promise<number> => {
      for (let i = 0; i < count; i++) {
        const connection = await connect({ api, index: 0 }, { here: true });
        const built = await connection.build(texts[api]);
        await built.run(launch);
        await built.release();
        await connection.close();
      }
      return process.memoryUsage().rss;
    };
    const before = await rounds(5);
    const after = await rounds(20);
    expect(after - before).toBeLessThan(64 * 2 ** 20);
  });
}
