/**
 * The kernels of the cross-lane matrix on a real driver: what it leaves in the buffers is what the reference leaves, lane
 * by lane, with all lanes, with some, and in the partial subgroup at the end. GLSL and, through glslang, HLSL.
 */
import { expect } from "vitest";
import { runOnDevice } from "../../src/api/device.js";
import type { Dialect } from "../../src/dialects/ids.js";
import { bytesOf, controlWords, inputBytes, lanesInAll } from "../support/cross-lane/data.js";
import { differences, expectedOf, untouched } from "../support/cross-lane/expected.js";
import { casesFor, kernelOf, shapeName, shapesOf } from "../support/cross-lane/kernels.js";
import { deviceTest } from "./device-test.js";

const width = 8;
/** What lavapipe or this glslang lacks: clusters, rotations, NVIDIA's partitions, GL_EXT_shader_quad_control; shader model 6.5. */
const missing = /Clustered|Rotate|Partition|classmates|QuadA|WaveMatch|WaveMultiPrefix/;
/**
 * Faults of theirs: glslang writes WavePrefixSum and WavePrefixProduct as inclusive scans; it has no
 * GL_EXT_shader_group_vote; lavapipe takes a NaN for equal in subgroupAllEqual, where SPIR-V's comparison is ordered, and
 * does not count a partial subgroup in gl_NumSubgroups.
 */
const faulty = /WavePrefix(?:Sum|Product)|(?:Invocation|Invocations|Equal)EXT|gl_NumSubgroups/;
const hasNaN = (call: string, kind: string): boolean =>
  kind.startsWith("f") && call === "subgroupAllEqual(moved)";
/** glslang's HLSL has no narrow and no wide types. */
const hlslShapes = ["u32", "f32", "i32", "bool", "f32x3", "u32x4", "i32x2"];

for (const dialect of ["glsl", "hlsl"] as const satisfies readonly Dialect[]) {
  for (const shape of shapesOf[dialect]) {
    if (dialect === "hlsl" && !hlslShapes.includes(shapeName(shape))) continue;
    await deviceTest("vulkan", `${dialect} on ${shapeName(shape)}`, async () => {
      const wrong: string[] = [];
      for (const flow of ["uniform", "divergent"] as const) {
        const cases = casesFor(dialect, shape, flow).filter(
          ({ call, operands }) =>
            !missing.test(`${call} ${operands.join(" ")}`) && !faulty.test(call) && !hasNaN(call, shape.kind),
        );
        const kernel = kernelOf(dialect, shape, flow, cases);
        const result = await runOnDevice(kernel.text, {
          from: dialect,
          device: "vulkan",
          workgroups: [1],
          workgroupSize: [lanesInAll],
          subgroupSize: width,
          args: {
            xs: inputBytes(shape.kind, shape.size),
            control: controlWords(),
            outT: new Uint8Array(kernel.elements * bytesOf(shape.kind)).fill(untouched),
            outW: new Uint8Array(kernel.words * 4).fill(untouched),
          },
        });
        const { outT, outW } = result.buffers as Record<string, Uint8Array>;
        if (!outT || !outW) wrong.push(...result.diagnostics.map((d) => `${flow}: ${d.code} ${d.message}`));
        else
          wrong.push(
            ...differences(kernel, width, expectedOf(kernel, width), { outT, outW }).map(
              (line) => `${flow}: ${line}`,
            ),
          );
      }
      expect(wrong).toEqual([]);
    });
  }
}
