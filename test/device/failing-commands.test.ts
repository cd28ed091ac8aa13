/** What goes wrong with a device, as a person meets it: message and exit code of the command line. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { crosslane, workspace } from "../cli/command-line.js";
import type { Ran } from "../cli/command-line.js";
import { buildHost } from "./build-host.js";
import { deviceTest } from "./device-test.js";

buildHost();

const launch = {
  workgroups: [1],
  workgroupSize: [8],
  args: { outs: { type: "u32", count: 8, init: { fill: 0 }, output: true } },
};
const good = {
  opencl: "kernel void k(global uint *outs) { outs[get_global_id(0)] = 1; }\n",
  vulkan: `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer O { uint outs[]; };
void main() { outs[gl_GlobalInvocationID.x] = 1u; }
`,
};

async function run(
  api: "opencl" | "vulkan",
  source: string,
  more: readonly string[] = [],
  sizes: object = {},
): Promise<Ran> {
  const folder = workspace();
  const name = api === "opencl" ? "k.cl" : "k.comp";
  writeFileSync(join(folder, name), source);
  writeFileSync(join(folder, "k.launch.json"), JSON.stringify({ ...launch, ...sizes }));
  return crosslane(folder, ["run", name, "--device", api, ...more]);
}

/** The process for a driver takes the environment of this one. */
async function without<T>(names: readonly string[], body: () => Promise<T>): Promise<T> {
  const before = names.map((n) => process.env[n]);
  names.forEach((n) => (process.env[n] = "/nonexistent"));
  try {
    return await body();
  } finally {
    names.forEach((n, i) => {
      if (before[i] === undefined) delete process.env[n];
      else process.env[n] = before[i];
    });
  }
}
const noOpenCl = ["OCL_ICD_VENDORS"];
const noVulkan = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"];

describe("failures on the command line", async () => {
  await deviceTest("opencl", "a compile error only the driver finds has the kernel's line", async () => {
    // What the driver predefines is not what the simulator does.
    const source = `#ifdef cl_khr_fp64
#define N missing
#else
#define N 1
#endif
kernel void k(global uint *outs) {
  outs[get_global_id(0)] = N;
}
`;
    const { code, err } = await run("opencl", source);
    if (code === 0) return; // A device without fp64 takes it.
    expect(code).toBe(1);
    expect(err).toMatch(/^error\[XL7005\]: .*missing/);
    expect(err).toContain("--> k.cl:7:28");
    expect(err).toContain("refuses the kernel");
  });

  await deviceTest("opencl", "an extension the device has not", async () => {
    const source = `#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void k(global uint *outs) { outs[get_global_id(0)] = sub_group_reduce_add(1u); }
`;
    const { code, err } = await run("opencl", source);
    if (code === 0) return; // A device with sub-groups runs it.
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^error\[XL7004\]: .* has no cl_khr_subgroups, which the kernel needs\n\n$/) as string,
    });
  });

  test.each(["opencl", "vulkan"] as const)("%s: a workgroup larger than targets allow", async (api) => {
    const source = api === "vulkan" ? good.vulkan.replace("local_size_x = 8", "local_size_x = 4096") : good.opencl;
    const { code, err } = await run(api, source, [], { workgroupSize: [4096] });
    expect(code).toBe(1);
    expect(err).toMatch(/^error\[XL6007\]: a workgroup of 4096 invocations is larger than the 1024 that targets allow/);
  });

  await deviceTest("opencl", "a kernel without end", async () => {
    const source = "kernel void k(global volatile uint *outs) { while (outs[0] == 0u) { outs[1] = outs[1] + 1u; } }\n";
    const { code, err } = await run("opencl", source, ["--timeout", "500"]);
    expect({ code, err }).toEqual({
      code: 1,
      err: "error[XL7007]: the kernel did not end within 500 ms\n\n",
    });
  });

  await deviceTest("vulkan", "a kernel that lasts", async () => {
    const source = good.vulkan.replace(
      "outs[gl_GlobalInvocationID.x] = 1u;",
      "for (uint n = 0u; n < 65000u; n++) atomicAdd(outs[gl_GlobalInvocationID.x & 1u], n);",
    );
    const { code, err } = await run("vulkan", source, ["--timeout", "500"], { workgroups: [65535, 500] });
    expect({ code, err }).toEqual({
      code: 1,
      err: "error[XL7007]: the kernel did not end within 500 ms\n\n",
    });
  });

  await deviceTest("opencl", "no driver for OpenCL", async () => {
    const { code, err } = await without(noOpenCl, () => run("opencl", good.opencl));
    expect(code).toBe(1);
    expect(err).toBe(
      "error[XL7002]: there is no OpenCL device on this machine\n  = help: on Debian: apt-get install pocl-opencl-icd\n\n",
    );
  });

  await deviceTest("vulkan", "no driver for Vulkan", async () => {
    const { code, err } = await without(noVulkan, () => run("vulkan", good.vulkan));
    expect(code).toBe(1);
    expect(err).toMatch(/^error\[XL7002\]: there is no Vulkan (driver|device) on this machine\n {2}= help: /);
  });

  await deviceTest("opencl", "no driver at all: devices, verify, a profile from the device", async () => {
    await without([...noOpenCl, ...noVulkan], async () => {
      const { code, out, err } = await crosslane(workspace(), ["devices"]);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain("there is no OpenCL device on this machine");
      const files = workspace({ "reduce.cl": "saxpy/kernel.cl", "launch.json": "saxpy/launch.json" });
      const verified = await crosslane(files, ["verify", "reduce.cl", "--to", "opencl", "--device", "opencl"]);
      expect(verified.code).toBe(1);
      expect(verified.err).toContain("XL7002");
      const translated = await crosslane(files, [
        "translate",
        "reduce.cl",
        "--to",
        "opencl",
        "--device-profile",
        "opencl",
      ]);
      expect({ code: translated.code, out: translated.out }).toEqual({ code: 1, out: "" });
      expect(translated.err).toContain("there is no OpenCL device on this machine");
    });
  });
});
