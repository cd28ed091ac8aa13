/** Layer 6: real drivers compute the same bytes as the simulator, on every source and translation that they take, in every suite. */
import { afterAll, expect } from "vitest";
import { openDevice } from "../../src/api/device.js";
import type { DeviceConnection } from "../../src/device/connection.js";
import type { HlslCompiler, KernelLanguage } from "../../src/device/kernel.js";
import { missingPrograms } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";
import { missingFor } from "./device-test.js";
import type { Outcome } from "./outcomes.js";
import { notReadReasons, show, suites, unexplained } from "./suites.js";

export interface SuiteOptions {
  /** The only one of the device's languages that is run. */
  readonly language?: KernelLanguage;
  readonly hlslCompiler?: HlslCompiler;
  readonly optimize?: boolean;
  /** In this process, which is quicker; a driver that crashes on a kernel ends it. */
  readonly here?: boolean;
}

/** A file for each API or language, since they take long and files run side by side. */
export async function testSuitesOn(
  api: "opencl" | "vulkan",
  { language, hlslCompiler, optimize = true, here = true }: SuiteOptions = {},
): Promise<void> {
  let opened: Promise<DeviceConnection> | undefined;
  // One driver for all: what a kernel leaves behind would show in the next.
  const connection = (): Promise<DeviceConnection> => (opened ??= open());
  const open = async (): Promise<DeviceConnection> => {
    const made = await openDevice({
      device: api,
      here,
      optimize,
      ...(hlslCompiler ? { hlslCompiler } : {}),
    });
    return language ? { ...made, info: { ...made.info, languages: [language] } } : made;
  };
  afterAll(async () => (await opened?.catch(() => undefined))?.close());
  const missing = [
    ...(await missingFor(api)),
    ...(hlslCompiler === "dxil" ? missingPrograms(["dxc", "dxil_to_spirv"]) : []),
  ];
  const where = [api, language, hlslCompiler && `HLSL by ${hlslCompiler}`].filter(Boolean).join(", ");
  const fixtures: Outcome[] = [];
  const all: Outcome[] = [];
  for (const { name: suite, cases, run } of suites) {
    for (const name of cases()) {
      toolTest(missing, `${name} (${suite}) on ${where}`, async () => {
        const outcomes = await run(await connection(), name);
        if (suite === "fixtures") fixtures.push(...outcomes);
        all.push(...outcomes);
        expect(unexplained(outcomes).map(show)).toEqual([]);
      });
    }
  }
  toolTest(missing, `most of it can run on ${where}`, () => {
    const ran = fixtures.filter((o) => o.state === "equal");
    expect(ran.length).toBeGreaterThan(api === "opencl" ? 120 : language ? 200 : 250);
    // A source in the device's own language has no excuse but what the device lacks.
    for (const o of fixtures)
      if (o.what === "source") expect(["equal", "different", "not-here", "failed"], show(o)).toContain(o.state);
  });
  if (hlslCompiler === "dxil")
    toolTest(missing, "what vkd3d-shader does not read is what docs/devices.md lists", async () => {
      const said = all.filter((o) => o.code === "XL7013" || /^vkd3d-shader compiles/.test(o.message ?? ""));
      const found = new Set(
        said.map((o) => notReadReasons.find(({ pattern }) => pattern.test(o.message!))?.headline ?? show(o)),
      );
      const listed = notReadReasons.map((r) => r.headline);
      expect([...found].filter((reason) => !listed.includes(reason))).toEqual([]);
      // Every suite runs at this width, so that each reason is met.
      if ((await connection()).info.subgroups!.size === 8) expect([...found].sort()).toEqual(listed.sort());
    });
}
