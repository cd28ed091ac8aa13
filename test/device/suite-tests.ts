/** Layer 6: real drivers compute the same bytes as the simulator, on every source and translation that they take, in every suite. */
import { afterAll, expect } from "vitest";
import { openDevice } from "../../src/api/device.js";
import type { DeviceConnection } from "../../src/device/connection.js";
import { deviceTest } from "./device-test.js";
import type { Outcome } from "./outcomes.js";
import { show, suites, unexplained } from "./suites.js";

/** A file for each API, since they take long and files run side by side. */
export async function testSuitesOn(api: "opencl" | "vulkan"): Promise<void> {
  let opened: Promise<DeviceConnection> | undefined;
  // One driver for all: what a kernel leaves behind would show in the next.
  const connection = (): Promise<DeviceConnection> => (opened ??= openDevice({ device: api, here: true }));
  afterAll(async () => (await opened?.catch(() => undefined))?.close());
  const all: Outcome[] = [];
  for (const { name: suite, cases, run } of suites) {
    for (const name of cases()) {
      await deviceTest(api, `${name} (${suite}) on ${api}`, async () => {
        const outcomes = await run(await connection(), name);
        if (suite === "fixtures") all.push(...outcomes);
        expect(unexplained(outcomes).map(show)).toEqual([]);
      });
    }
  }
  await deviceTest(api, `most of it can run on ${api}`, () => {
    const ran = all.filter((o) => o.state === "equal");
    expect(ran.length).toBeGreaterThan(api === "opencl" ? 120 : 250);
    // A source in the device's own language has no excuse but what the device lacks.
    for (const o of all)
      if (o.what === "source")
        expect(["equal", "different", "not-here", "failed"], show(o)).toContain(o.state);
  });
}
