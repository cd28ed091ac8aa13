import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { narrow } from "../../src/caps/narrow.js";
import { profileNamed } from "../../src/caps/profiles.js";
import { crosslane, workspace } from "../cli/command-line.js";
import { buildHost } from "./build-host.js";
import { deviceTest } from "./device-test.js";

const reduce = {
  "reduce.comp": "reduce/kernel.comp",
  "reduce.metal": "reduce/kernel.metal",
  "launch.json": "reduce/launch.json",
};
const rounding = { "rounding.hlsl": "rounding/kernel.hlsl", "launch.json": "rounding/launch.json" };

buildHost();

describe("devices on the command line", async () => {
  test("the simulator is a device by name", async () => {
    const { code, err } = await crosslane(workspace(reduce), ["run", "reduce.comp", "--device", "sim"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const verified = await crosslane(workspace(reduce), ["verify", "reduce.comp", "--to", "hlsl", "--device", "sim"]);
    expect(verified.code).toBe(0);
  });

  await deviceTest("opencl", "C++ for OpenCL runs as the OpenCL C that is written", async () => {
    for (const fixture of ["functor_reduce", "gaussian_integers"]) {
      const files = workspace({
        "kernel.clcpp": `${fixture}/kernel.clcpp`,
        "launch.json": `${fixture}/launch.json`,
      });
      const { code, out } = await crosslane(files, ["verify", "kernel.clcpp", "--to", "opencl", "--device", "opencl"]);
      expect({ fixture, code }).toEqual({ fixture, code: 0 });
      expect(out).toMatch(/^opencl +same as the simulator on/m);
    }
  });

  await deviceTest("vulkan", "devices lists what there is, and a profile narrows to it", async () => {
    const { code, out } = await crosslane(workspace(), ["devices", "vulkan:0", "--format", "json"]);
    expect(code).toBe(0);
    const { devices } = JSON.parse(out) as {
      devices: { api: string; index: number; subgroups: { size: number }; report: object }[];
    };
    expect(devices).toMatchObject([{ api: "vulkan", index: 0, languages: ["glsl", "hlsl"] }]);
    expect([4, 8, 16, 32, 64, 128]).toContain(devices[0]!.subgroups.size);
    const profile = await crosslane(workspace(), ["devices", "vulkan:0", "--format", "profile"]);
    const report = JSON.parse(profile.out) as { maxComputeWorkGroupInvocations: number };
    const narrowed = narrow(profileNamed("vulkan1.3")!, report);
    expect(narrowed.profile.limits.maxWorkgroupInvocations).toBe(report.maxComputeWorkGroupInvocations);
    expect((await crosslane(workspace(), ["devices"])).out).toContain("vulkan:0  ");
  });

  await deviceTest("vulkan", "run --device leaves what the launch file expects", async () => {
    const { code, out, err } = await crosslane(workspace(reduce), ["run", "reduce.comp", "--device", "vulkan"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^main in reduce\.comp on vulkan, /);
    expect(out).toContain("sums (i32): 2016 6112 10208");
  });

  await deviceTest("vulkan", "verify --device compares with the simulator at the device's width", async () => {
    const same = await crosslane(workspace(reduce), [
      "verify",
      "reduce.metal",
      "--to",
      "glsl,opencl",
      "--device",
      "vulkan:0",
    ]);
    if (/meant for subgroup widths/.test(same.out + same.err)) expect(same.code).toBe(1);
    else {
      expect(same.code).toBe(0);
      expect(same.out).toContain("source  not run: vulkan:0 takes GLSL and HLSL, and this is msl");
      expect(same.out).toContain("glsl    same as the simulator on 2 launches, 128 bytes compared");
      expect(same.out).toContain("opencl  not run: vulkan:0 takes GLSL and HLSL, not opencl");
    }
    const other = await crosslane(workspace(rounding), [
      "verify",
      "rounding.hlsl",
      "--to",
      "glsl",
      "--device",
      "vulkan",
    ]);
    // fmod of glslang: see docs/devices.md.
    expect(other.code).toBe(3);
    expect(other.err).toContain("glslang compiles fmod to a remainder with the sign of the divisor");
    expect(other.out).toContain("source  different from the simulator");
    expect(other.out).toContain("glsl    same as the simulator");
  });

  await deviceTest("opencl", "--require-coverage counts what the launches ran on a device too", async () => {
    const kernel = `kernel void k(global int *o, int n) {
  int sum = 0;
  for (int j = 0; j < n; j++)
    sum += j;
  o[get_global_id(0)] = sum;
}
`;
    const folder = workspace({});
    writeFileSync(join(folder, "k.cl"), kernel);
    const launch = { o: { type: "i32", count: 4, init: { fill: 0 }, output: true }, n: { type: "i32", value: 0 } };
    writeFileSync(join(folder, "k.launch.json"), JSON.stringify({ workgroups: [1], workgroupSize: [4], args: launch }));
    const verify = async (percent: string): ReturnType<typeof crosslane> =>
      crosslane(folder, ["verify", "k.cl", "--to", "opencl", "--device", "opencl", "--require-coverage", percent]);
    // sum, j = 0, j < n, j++, sum += j, the store: four of six.
    const enough = await verify("66");
    expect(enough.out).toContain("4 of 6 statements run");
    expect(enough.code).toBe(0);
    expect((await verify("67")).code).toBe(3);
  });

  await deviceTest(
    "vulkan",
    "launches of several sizes of workgroups each run on the text for their size",
    async () => {
      // Vulkan's texts state one size: a text for another size would leave 4 * i or -i where the source leaves i + 1.
      const kernel = `kernel void k(global int *o) {
  int i = get_global_id(0);
  if (get_local_size(0) > 100)
    o[i] = 4 * i;
  else if (get_local_size(0) < 20)
    o[i] = -i;
  else
    o[i] = i + 1;
}
`;
      const folder = workspace({});
      writeFileSync(join(folder, "k.cl"), kernel);
      const { code, out } = await crosslane(folder, ["verify", "k.cl", "--to", "glsl,hlsl", "--device", "vulkan"]);
      expect(out).toMatch(
        /^glsl {4}same as the simulator on \d+ launches, \d+ bytes compared; 6 of 6 statements run$/m,
      );
      expect(out).toMatch(/^hlsl {4}same as the simulator on \d+ launches, .*; 6 of 6 statements run$/m);
      expect(code).toBe(0);
      // The option stands above the launch file: twice as many invocations as there are elements.
      const o = { type: "i32", count: 64, init: { fill: 0 }, output: true };
      writeFileSync(
        join(folder, "k.launch.json"),
        JSON.stringify({ workgroups: [2], workgroupSize: [32], args: { o } }),
      );
      const beyond = ["verify", "k.cl", "--to", "glsl", "--device", "vulkan", "--workgroup-size"];
      expect(await crosslane(folder, [...beyond, "64"])).toMatchObject({
        code: 4,
        err: expect.stringContaining("write out of bounds of o") as string,
      });
      expect(await crosslane(folder, [...beyond, "32"])).toMatchObject({ code: 0 });
    },
  );

  await deviceTest("opencl", "a source the device does not take", async () => {
    const { code, err } = await crosslane(workspace(reduce), ["run", "reduce.metal", "--device", "opencl"]);
    expect(code).toBe(1);
    expect(err).toContain("opencl:0 takes OpenCL C, and this is msl");
    expect(err).toContain("translate it first (crosslane translate --to opencl)");
    expect((await crosslane(workspace(reduce), ["run", "reduce.comp", "--device", "opencl:99"])).err).toContain(
      "there is no device opencl:99",
    );
  });

  test("what is no device is wrong usage", async () => {
    expect((await crosslane(workspace(reduce), ["run", "reduce.comp", "--device", "metal"])).code).toBe(2);
    expect((await crosslane(workspace(), ["devices", "metal"])).code).toBe(2);
    expect((await crosslane(workspace(), ["devices", "--format", "profile"])).code).toBe(2);
  });
});
