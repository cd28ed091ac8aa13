/** `capabilities` and `reflect` for one device. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { crosslane, workspace } from "./command-line.js";

function folder(): string {
  const made = workspace({
    "reduce.metal": "reduce_subgroup/kernel.metal",
    "launch.json": "reduce_subgroup/launch.json",
  });
  const reports = fileURLToPath(new URL("../caps/reports/", import.meta.url));
  for (const name of ["vulkaninfo-mobile.json", "clinfo-two.json"]) cpSync(join(reports, name), join(made, name));
  return made;
}

test("an op on the device, with what it lacks", async () => {
  const { code, out } = await crosslane(folder(), [
    "capabilities",
    "subgroup.shuffle",
    "--device-profile",
    "vulkaninfo-mobile.json",
  ]);
  expect(code).toBe(0);
  expect(out).toContain("vulkan1.1 on Example Mobile 6");
  expect(out).toContain("refused: Example Mobile 6 lacks subgroup operations of the category 'shuffle'");
  expect(out).not.toContain("msl");
});

test("a device of another API is wrong usage", async () => {
  const { code, err } = await crosslane(folder(), [
    "capabilities",
    "subgroup.add",
    "--target",
    "hlsl",
    "--device-profile",
    "clinfo-two.json#1",
  ]);
  expect(code).toBe(2);
  expect(err).toContain("the device takes opencl, not hlsl");
});

test("reflect leaves out what the device cannot have", async () => {
  const whole = await crosslane(folder(), ["reflect", "reduce.metal"]);
  const { code, out } = await crosslane(folder(), [
    "reflect",
    "reduce.metal",
    "--device-profile",
    "vulkaninfo-mobile.json",
  ]);
  expect(code).toBe(0);
  const features = (text: string): string[] => JSON.parse(text).entries[0].features;
  expect(features(whole.out).some((f) => f.includes("KHR_shader_subgroup"))).toBe(true);
  expect(features(out).some((f) => f.includes("KHR_shader_subgroup"))).toBe(false);
});
