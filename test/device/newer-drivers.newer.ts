/** What the folder of newer drivers is for: a driver as old as Debian 12's would run the same suites and show less. */
import { expect } from "vitest";
import { openDevice } from "../../src/api/device.js";
import { deviceTest } from "./device-test.js";

const bits = Number(process.env.LP_NATIVE_VECTOR_WIDTH ?? "0");

await deviceTest("vulkan", "lavapipe has the width that is asked for and every category", async () => {
  const connection = await openDevice({ device: "vulkan", here: true });
  try {
    const { subgroups, types, version } = connection.info;
    expect(version).toMatch(/1\.(?:[4-9]|\d\d)\./);
    expect(subgroups!.size).toBe(bits === 0 ? 8 : bits / 32);
    expect(subgroups!.operations).toEqual(
      expect.arrayContaining([
        "vote",
        "arithmetic",
        "ballot",
        "shuffle",
        "shuffle relative",
        "clustered",
        "quad",
        "rotate",
      ]),
    );
    expect(types.join(" ")).toMatch(/f16.*/);
  } finally {
    await connection.close();
  }
});
