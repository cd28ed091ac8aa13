/** Types of <simd/simd.h>, by which host and shader share structs: the names are those of MSL's own types in a shader. */
import { describe, expect, test } from "vitest";
import { reflect, translate, verify, type Target } from "../src/index.js";
import { judgeOutputs, judgeable, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const source = `#include <metal_stdlib>
#include <simd/simd.h>
using namespace metal;
typedef struct {
  vector_float2 position;
  simd_float3 axis;
  matrix_float3x3 turn;
  simd::float4x4 view;
  vector_uint2 size;
} Uniforms;
kernel void k(constant Uniforms &u [[buffer(0)]], device float4 *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  simd_float4 p = simd_float4(u.turn * u.axis, 1.0f);
  simd::float2 q = u.position;
  o[i] = u.view * p + float4(q, float2(u.size));
}
`;

const launch = JSON.stringify({
  workgroups: [1],
  workgroupSize: [4],
  args: {
    "u.position": { type: "f32", value: [1, 2] },
    "u.axis": { type: "f32", value: [1, 2, 3] },
    "u.turn": { type: "f32", value: [1, 0, 0, 0, 2, 0, 0, 0, 3] },
    "u.view": { type: "f32", value: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 10, 20, 30, 1] },
    "u.size": { type: "u32", value: [5, 6] },
    o: {
      type: "f32",
      count: 16,
      init: { fill: 0 },
      output: true,
      // turn * axis = (1, 4, 9); view moves it to (11, 24, 39, 1).
      expect: { values: [12, 26, 44, 7, 12, 26, 44, 7, 12, 26, 44, 7, 12, 26, 44, 7] },
    },
  },
});

describe("types that host and shader share", () => {
  const targets: readonly Target[] = ["msl", "glsl", "opencl", "hlsl", "ts"];
  test.each(targets)("compute the same in %s", async (to) => {
    const result = await verify(source, { from: "msl", to, launches: [launch], subgroupSizes: [4, 32] });
    expect({ result: result.result, diagnostics: result.diagnostics }).toEqual({
      result: "equivalent",
      diagnostics: [],
    });
  });

  test("lie as MSL's own do: vectors of three, and columns of three, take 16 bytes", async () => {
    const [entry] = (await reflect(source, { from: "msl" })).entries;
    const offsets = entry!.arguments.map(({ path, slots }) => [path, (slots.msl as { offset?: number }).offset ?? 0]);
    expect(offsets.slice(0, 5)).toEqual([
      ["u.position", 0],
      ["u.axis", 16],
      ["u.turn", 32],
      ["u.view", 80],
      ["u.size", 144],
    ]);
  });

  test.each(["simd_half2x5", "vector_float5", "matrix_float4", "vector_float3x3"])("%s is none", async (name) => {
    const text = `#include <metal_stdlib>\nkernel void k(device float *o [[buffer(0)]]) { ${name} m; o[0] = 1.0f; }\n`;
    const { diagnostics } = await translate(text, { from: "msl", to: "glsl", workgroupSize: [4] });
    expect(diagnostics.filter((d) => d.severity === "error")).not.toEqual([]);
  });

  for (const to of ["msl", "glsl", "opencl", "hlsl"] as const)
    judgeTest(judges[to], `the ${to} compiler takes them`, async () => {
      const { code } = await translate(source, { from: "msl", to, workgroupSize: [4] });
      expect(refusals(await judgeOutputs([judgeable(to, "shared types", code!)]))).toBe("");
    });
});
