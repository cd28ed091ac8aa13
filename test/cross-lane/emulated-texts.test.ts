/** Texts of emulated cross-lane ops that real compilers refused, on kernels of a line. */
import { expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import { translate } from "../../src/api/translate.js";
import { judgeOutputs, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const half = (body: string): string => `#include <metal_stdlib>
using namespace metal;
kernel void k(device half *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { ${body} }
`;
/** A device whose subgroups have no clusters and no shuffles of 16-bit integers. */
const noClusters = { supportedOperations: 0xbf };

judgeTest(judges.glsl, "half's infinity and bits as glslang takes them", async () => {
  const list = [];
  for (const body of [
    "x[i] = quad_min(x[i]);",
    "x[i] = quad_max(x[i]);",
    "x[i] = x[i] + as_type<half>(ushort(0x7c00));",
  ]) {
    const { code, diagnostics } = await translate(half(body), {
      from: "msl",
      to: "glsl",
      workgroupSize: [64, 1, 1],
      deviceProfile: { subgroupProperties: noClusters },
    });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    list.push({
      dialect: "glsl" as const,
      name: body,
      text: code!,
      options: { target: "vulkan1.3" as const },
    });
  }
  expect(refusals(await judgeOutputs(list))).toBe("");
});

test("sizes of a workgroup in OpenCL's own min", async () => {
  const source = `__kernel void k(__global uint *x) { uint i = (uint)get_global_id(0); x[i] = sub_group_broadcast(x[i], 1u); }`;
  const { code, diagnostics } = await translate(source, {
    from: "opencl",
    to: "opencl",
    profile: "opencl1.2",
    workgroupSize: [8, 1, 1],
    emulateSubgroups: 4,
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const { buffers, diagnostics: said } = await simulate(code!, {
    from: "opencl",
    workgroups: [1],
    workgroupSize: [8],
    args: { x: Uint32Array.of(0, 10, 20, 30, 40, 50, 60, 70) },
  });
  expect(said.filter((d) => d.severity === "error")).toEqual([]);
  expect([...(buffers["x"] as Uint32Array)]).toEqual([10, 10, 10, 10, 50, 50, 50, 50]);
});
