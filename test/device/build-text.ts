import { connect } from "../../src/device/connection.js";
import type { BuiltKernel } from "../../src/device/connection.js";
import type { DeviceApi, KernelLanguage } from "../../src/device/kernel.js";

async function withText(
  api: DeviceApi,
  language: KernelLanguage,
  code: string,
  entry: string,
  then: (built: BuiltKernel) => Promise<void>,
): Promise<void> {
  const connection = await connect({ api, index: 0 }, { here: true });
  try {
    const slots =
      language === "opencl"
        ? ([{ kind: "argument", key: "outs", index: 0, space: "global" }] as const)
        : ([
            {
              kind: "descriptor",
              key: "outs",
              what: "storage",
              names: ["outs"],
              set: 0,
              binding: 0,
              layout: { offsets: [], tail: { offset: 0, stride: 4, offsets: [0] } },
            },
          ] as const);
    const built = await connection.build({
      language,
      code,
      entry,
      defines: {},
      interface: slots,
      usesSubgroups: false,
      narrowTypes: false,
    });
    await then(built).finally(() => built.release());
  } finally {
    await connection.close();
  }
}

/** Builds a text over one buffer `outs` as it is, past crosslane's own checks, which find most of what a driver finds. */
export function buildText(api: DeviceApi, language: KernelLanguage, code: string, entry: string): Promise<void> {
  return withText(api, language, code, entry, () => Promise.resolve());
}

/** And runs one workgroup of any size. */
export function buildAndRun(
  api: DeviceApi,
  language: KernelLanguage,
  code: string,
  entry: string,
  workgroupSize: readonly [number, number, number],
): Promise<void> {
  return withText(api, language, code, entry, async (built) => {
    const data = [{ key: "outs", kind: "buffer", bytes: new Uint8Array(32), writable: true }] as const;
    await built.run({
      workgroups: [1, 1, 1],
      workgroupSize,
      gridSize: workgroupSize,
      gridOffset: [0, 0, 0],
      dimensions: 1,
      data,
      timeout: 10_000,
    });
  });
}
