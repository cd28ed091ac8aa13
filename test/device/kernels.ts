/** Small kernels for devices, with what runs them. */
import type { RunOnDeviceOptions } from "../../src/api/device.js";
import { runOnDevice } from "../../src/api/device.js";
import type { RunOnDeviceResult } from "../../src/api/device.js";

type Launch = Partial<RunOnDeviceOptions> & Pick<RunOnDeviceOptions, "args">;

export function onOpenCl(source: string, launch: Launch): Promise<RunOnDeviceResult> {
  return runOnDevice(source, {
    from: "opencl",
    device: "opencl",
    here: true,
    workgroups: [1],
    workgroupSize: [8],
    ...launch,
  } as RunOnDeviceOptions);
}

export function onVulkan(source: string, from: "glsl" | "hlsl", launch: Launch): Promise<RunOnDeviceResult> {
  return runOnDevice(source, {
    from,
    device: "vulkan",
    here: true,
    workgroups: [1],
    ...launch,
  } as RunOnDeviceOptions);
}

/** `body` over `uint out[]`, eight invocations. */
export const glsl = (body: string, before = ""): string =>
  `#version 450\n${before}\nlayout(local_size_x = 8) in;\nlayout(std430, set = 0, binding = 0) buffer Out { uint outs[]; };\nvoid main() {\n  uint i = gl_GlobalInvocationID.x;\n  ${body}\n}\n`;

export const hlsl = (body: string, before = ""): string =>
  `${before}\nRWStructuredBuffer<uint> outs : register(u0);\n[numthreads(8, 1, 1)]\nvoid main(uint3 id : SV_DispatchThreadID) {\n  uint i = id.x;\n  ${body}\n}\n`;

export const words = (n = 8): Uint32Array => new Uint32Array(n);
