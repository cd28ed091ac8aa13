/** What goes wrong with a device is said clearly, and nothing crashes or hangs. */
import { describe, expect, test } from "vitest";
import { runOnDevice } from "../../src/api/device.js";
import { connect } from "../../src/device/connection.js";
import type { DeviceConnection } from "../../src/device/connection.js";
import { DeviceError } from "../../src/device/failure.js";
import { loadFfi } from "../../src/device/ffi.js";
import type { DeviceKernel } from "../../src/device/kernel.js";
import { openOpenCl } from "../../src/device/opencl/driver.js";
import { parseBuildLog } from "../../src/device/opencl/log.js";
import { parseGlslangLog } from "../../src/device/vulkan/spirv-compiler.js";
import { openVulkan } from "../../src/device/vulkan/driver.js";
import { buildHost } from "./build-host.js";
import { buildAndRun, buildText } from "./build-text.js";
import { deviceTest } from "./device-test.js";
import { glsl, hlsl, onOpenCl, onVulkan, words } from "./kernels.js";

const codes = (r: { diagnostics: readonly { code: string }[] }): string[] => r.diagnostics.map((d) => d.code);

describe("failures", async () => {
  await deviceTest("opencl", "a compile error has the kernel's own line", async () => {
    const source = "kernel void k(global uint *outs) {\n  outs[get_global_id(0)] = DRIVERS_MACRO;\n}\n";
    await expect(buildText("opencl", "opencl", source, "k")).rejects.toMatchObject({
      failure: { code: "XL7005", log: [{ severity: "error", line: 2 }] },
    });
  });

  await deviceTest("vulkan", "an error of glslang has the kernel's own line", async () => {
    await expect(buildText("vulkan", "glsl", glsl("outs[i] = nothing;"), "main")).rejects.toMatchObject({
      failure: {
        code: "XL7005",
        log: expect.arrayContaining([
          { severity: "error", line: 7, message: "'nothing' : undeclared identifier" },
        ]) as unknown,
      },
    });
  });

  await deviceTest("vulkan", "HLSL that glslang does not know", async () => {
    const r = await onVulkan(hlsl("outs[i] = B;", "enum E { A, B };"), "hlsl", { args: { outs: words() } });
    expect(r.diagnostics[0]).toMatchObject({
      code: "XL7005",
      message: "'enum' : Reserved word.",
      location: { file: "kernel.hlsl", line: 1 },
    });
  });

  await deviceTest("opencl", "an extension the device has not", async () => {
    const source =
      "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\nkernel void k(global uint *outs) { outs[get_global_id(0)] = get_sub_group_size(); }\n";
    const r = await onOpenCl(source, { args: { outs: words() } });
    // A device with sub-groups runs it.
    if (r.diagnostics.length > 0) {
      expect(codes(r)).toEqual(["XL7004"]);
      expect(r.diagnostics[0]!.message).toMatch(/has no cl_khr_subgroups, which the kernel needs$/);
    } else expect(r.device!.extensions).toContain("cl_khr_subgroups");
  });

  await deviceTest("opencl", "workgroups that are too large", async () => {
    const source = "kernel void k(global uint *outs) { outs[0] = 1; }\n";
    await expect(buildAndRun("opencl", "opencl", source, "k", [65536, 1, 1])).rejects.toMatchObject({
      failure: {
        code: "XL7006",
        message: expect.stringMatching(/^workgroups of 65536 x 1 x 1 are too large/) as string,
      },
    });
  });

  await deviceTest("vulkan", "workgroups that are too large", async () => {
    const source = glsl("outs[0] = 1u;");
    await expect(buildAndRun("vulkan", "glsl", source, "main", [65536, 1, 1])).rejects.toMatchObject({
      failure: { code: "XL7006" },
    });
  });

  await deviceTest("opencl", "more workgroup memory than there is", async () => {
    const source =
      "kernel void k(local uint *scratch, global uint *outs) { scratch[get_local_id(0)] = 1; outs[get_global_id(0)] = scratch[get_local_id(0)]; }\n";
    const r = await onOpenCl(source, { args: { scratch: { byteLength: 2 ** 30 }, outs: words() } });
    expect(codes(r)).toEqual(["XL7006"]);
    expect(r.diagnostics[0]!.message).toContain("takes 1073741824 bytes of workgroup memory");
  });

  await deviceTest("opencl", "no such device", async () => {
    const r = await onOpenCl("kernel void k(global uint *outs) { outs[0] = 1; }\n", {
      args: { outs: words() },
      device: "opencl:99",
    });
    expect(codes(r)).toEqual(["XL7003"]);
  });

  await deviceTest("opencl", "a dialect the device does not take", async () => {
    const r = await runOnDevice(glsl("outs[i] = 1u;"), {
      from: "glsl",
      device: "opencl",
      here: true,
      workgroups: [1],
      args: { outs: words() },
    });
    expect(codes(r)).toEqual(["XL7010"]);
  });

  const endless = "kernel void k(global volatile uint *outs) { while (outs[0] == 0u) { outs[1] = outs[1] + 1u; } }\n";
  await deviceTest("opencl", "a kernel without end is stopped with its process", async () => {
    buildHost();
    const r = await onOpenCl(endless, {
      args: { outs: words() },
      here: false,
      timeout: 500,
      workgroupSize: [1],
    });
    expect(codes(r)).toEqual(["XL7007"]);
  });

  await deviceTest("vulkan", "a kernel that lasts is stopped with its process", async () => {
    buildHost();
    // llvmpipe gives all loops of an invocation up after 65535 iterations (docs/devices.md), so that it takes many
    // workgroups to last.
    const source = glsl("for (uint n = 0u; n < 65000u; n++) atomicAdd(outs[i & 1u], n);");
    const r = await onVulkan(source, "glsl", {
      args: { outs: words() },
      here: false,
      timeout: 500,
      workgroups: [65535, 500],
    });
    expect(codes(r)).toEqual(["XL7007"]);
  });

  /** A kernel over `outs`, with what is in it after a run; a run that fails is a failure's code. */
  const connectionTo = async (
    code: string,
    entry: string,
  ): Promise<{
    connection: DeviceConnection;
    run: (first: number) => Promise<number[] | string>;
  }> => {
    buildHost();
    const connection = await connect({ api: "opencl", index: 0 });
    const kernel = (text: string, name: string): DeviceKernel => ({
      language: "opencl",
      code: text,
      entry: name,
      defines: {},
      usesSubgroups: false,
      narrowTypes: false,
      interface: [{ kind: "argument", key: "outs", index: 0, space: "global" }],
    });
    const built = await connection.build(kernel(code, entry));
    const run = async (first: number): Promise<number[] | string> => {
      try {
        const bytes = new Uint8Array(Uint32Array.of(first, 0).buffer);
        const { buffers } = await built.run({
          workgroups: [1, 1, 1],
          workgroupSize: [1, 1, 1],
          gridSize: [1, 1, 1],
          gridOffset: [0, 0, 0],
          dimensions: 1,
          timeout: 1000,
          data: [{ key: "outs", kind: "buffer", bytes, writable: true }],
        });
        return [...new Uint32Array(buffers.get("outs")!.slice().buffer)];
      } catch (error) {
        if (error instanceof DeviceError) return error.failure.code;
        throw error;
      }
    };
    return { connection, run };
  };

  await deviceTest("opencl", "after a kernel without end the next run has a new process", async () => {
    const source =
      "kernel void k(global volatile uint *outs) { while (outs[0] == 0u) { outs[1] = 1u; } outs[1] = 7u; }\n";
    const { connection, run } = await connectionTo(source, "k");
    try {
      expect(await run(0)).toBe("XL7007");
      // The same kernel, built again there; then a time-out once more, and one more process.
      expect(await run(3)).toEqual([3, 7]);
      expect(await run(0)).toBe("XL7007");
      expect(await run(4)).toEqual([4, 7]);
    } finally {
      await connection.close();
    }
  });

  await deviceTest("opencl", "after a driver's crash the next run has a new process", async () => {
    const source =
      "kernel void k(global uint *outs) { if (outs[0] == 0u) { *(volatile global uint *)(size_t)(outs[1] + 8u) = 1u; } outs[1] = 7u; }\n";
    const { connection, run } = await connectionTo(source, "k");
    try {
      const crashed = await run(0);
      // A processor's driver goes down with the kernel; others may say something, or nothing.
      if (connection.info.kind === "CPU") expect(crashed).toBe("XL7008");
      expect(await run(3)).toEqual([3, 7]);
    } finally {
      await connection.close();
    }
    expect(await run(3)).toBe("XL7008");
  });

  test("no loader", async () => {
    const ffi = await loadFfi().catch(() => undefined);
    // Without koffi that is what is said; with it, a loader that is not there.
    if (!ffi)
      return expect(
        runOnDevice("", { from: "opencl", device: "opencl", workgroups: [1], args: {} }),
      ).resolves.toMatchObject({ buffers: {} });
    const without = { ...ffi, open: () => undefined };
    expect(() => openOpenCl(without)).toThrow(DeviceError);
    expect(() => openVulkan(without, {})).toThrow("there is no Vulkan loader on this machine");
  });

  test("logs of compilers", () => {
    expect(parseBuildLog("error: kcache/tempfile_a.cl:3:7: use of undeclared identifier 'x'\n  x = 1;\n")).toEqual([
      { severity: "error", line: 3, column: 7, message: "use of undeclared identifier 'x'" },
    ]);
    // The place is where the macro is used.
    expect(parseBuildLog("error: /c/t.cl:7:28 <Spelling=/c/t.cl:2:11>: use of undeclared identifier 'x'\n")).toEqual([
      { severity: "error", line: 7, column: 28, message: "use of undeclared identifier 'x'" },
    ]);
    expect(parseBuildLog("<kernel>:1:2: warning: unused\n")).toEqual([
      { severity: "warning", line: 1, column: 2, message: "unused" },
    ]);
    expect(
      parseGlslangLog(
        "kernel.comp\nERROR: kernel.comp:5: 'y' : undeclared identifier \nERROR: kernel.comp:5: '' : compilation terminated \nERROR: 2 compilation errors.  No code generated.\n",
      ),
    ).toEqual([{ severity: "error", line: 5, message: "'y' : undeclared identifier" }]);
  });
});
