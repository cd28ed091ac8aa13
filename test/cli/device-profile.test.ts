/** --device-profile on the command line. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { crosslane, workspace } from "./command-line.js";

const report = (name: string): string => fileURLToPath(new URL(`../caps/reports/${name}.json`, import.meta.url));

function folder(): string {
  const made = workspace({
    "reduce.metal": "reduce_subgroup/kernel.metal",
    "launch.json": "reduce_subgroup/launch.json",
  });
  for (const name of ["vulkaninfo-mobile", "clinfo-two"]) cpSync(report(name), join(made, `${name}.json`));
  return made;
}

describe("--device-profile", () => {
  test("translate: what the device lacks is refused, other targets are as ever", async () => {
    const { code, out, err } = await crosslane(folder(), [
      "translate",
      "reduce.metal",
      "--to",
      "glsl,hlsl",
      "--out-dir",
      "out",
      "--device-profile",
      "vulkaninfo-mobile.json",
    ]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("Example Mobile 6 lacks subgroup operations of the category 'shuffle'");
    expect(err).not.toContain("hlsl cannot");
  });
  test("check names the device", async () => {
    const { code, out } = await crosslane(folder(), [
      "check",
      "reduce.metal",
      "--device-profile",
      "vulkaninfo-mobile.json",
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/glsl {4}vulkan1\.1 on Example Mobile 6: refused/);
    expect(out).toMatch(/hlsl {4}sm5\.0/);
  });
  test("one device of several", async () => {
    const several = await crosslane(folder(), ["check", "reduce.metal", "--device-profile", "clinfo-two.json"]);
    expect(several.code).toBe(1);
    expect(several.err).toContain("XL8005");
    expect(several.err).toContain("it has 2 devices (0: cpu-haswell, 1: Intel(R) UHD Graphics)");
    const one = await crosslane(folder(), [
      "check",
      "reduce.metal",
      "--to",
      "opencl",
      "--device-profile",
      "clinfo-two.json#1",
    ]);
    expect(one.out).toContain("opencl3.0 on Intel(R) UHD Graphics: emulated");
    expect(one.out).toContain("since Intel(R) UHD Graphics lacks cl_khr_subgroup_shuffle");
  });
  test("verify: the widths of the device, which the kernel is not meant for", async () => {
    const made = folder();
    writeFileSync(
      join(made, "gpu.json"),
      JSON.stringify({ deviceName: "gpu", subgroupSize: 128, supportedOperations: 255, supportedStages: 32 }),
    );
    const { code, err } = await crosslane(made, [
      "verify",
      "reduce.metal",
      "--to",
      "glsl",
      "--device-profile",
      "gpu.json",
    ]);
    expect(code).toBe(1);
    expect(err).toContain("XL3006");
    expect(err).toContain("and gpu has 128");
  });
  test("what cannot be used", async () => {
    const made = folder();
    writeFileSync(join(made, "no.json"), "{");
    writeFileSync(join(made, "other.json"), '{"a": 1}');
    const on = (file: string): ReturnType<typeof crosslane> =>
      crosslane(made, ["translate", "reduce.metal", "--to", "glsl", "--device-profile", file]);
    expect(await on("absent.json")).toMatchObject({
      code: 1,
      err: expect.stringContaining("XL8002") as string,
    });
    expect(await on("no.json")).toMatchObject({
      code: 1,
      err: expect.stringContaining("'no.json' is no JSON") as string,
    });
    expect(await on("other.json")).toMatchObject({
      code: 1,
      err: expect.stringContaining("it is no report of") as string,
    });
    expect((await on("clinfo-two.json#1")).code).toBe(2);
  });
});
