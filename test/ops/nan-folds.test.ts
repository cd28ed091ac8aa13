/**
 * Cross-lane min and max of floats among which some are NaN. The dialects leave it open which operand min gives; here every
 * fold begins with the identity (SPIR-V, OpGroupNonUniformFMin: of two values one of which is a NaN the other is
 * chosen), so that of NaN and numbers the result is a number, wherever the NaN is and whatever carries the op out.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import type { TwoWayDialect } from "../../src/index.js";

const glslFrame = (e: string): string =>
  `#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) readonly buffer X { float x[]; };
layout(std430, set = 0, binding = 1) buffer R { float r[]; };
void main() { uint i = gl_GlobalInvocationID.x; float v = x[i]; if (i < 7u) r[i] = ${e}; }
`;
const workgroupFrame = (e: string): string =>
  `__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k(__global const float *x, __global float *r) { int i = get_global_id(0); r[i] = ${e}; }\n`;

interface Case {
  readonly name: string;
  readonly text: string;
  readonly from: TwoWayDialect;
  /** The lanes a lane folds, and with what. */
  readonly lanes: (lane: number) => readonly number[];
  readonly op: "min" | "max";
}

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const cases = (["min", "max"] as const).flatMap((op): Case[] => {
  const name = op === "min" ? "Min" : "Max";
  const glsl = (what: string, e: string, lanes: Case["lanes"]): Case => ({
    name: `${what} ${op}`,
    text: glslFrame(e),
    from: "glsl",
    lanes,
    op,
  });
  const workgroup = (form: string, lanes: Case["lanes"]): Case => ({
    name: `workgroup ${form} ${op}`,
    text: workgroupFrame(`work_group_${form}_${op}(x[i])`),
    from: "opencl",
    lanes,
    op,
  });
  return [
    glsl("subgroup", `subgroup${name}(v)`, () => upTo(7)),
    glsl("inclusive", `subgroupInclusive${name}(v)`, (l) => upTo(l + 1)),
    glsl("exclusive", `subgroupExclusive${name}(v)`, (l) => upTo(l)),
    glsl("clustered", `subgroupClustered${name}(v, 4u)`, (l) => upTo(7).filter((o) => o >> 2 === l >> 2)),
    workgroup("reduce", () => upTo(8)),
    workgroup("scan_inclusive", (l) => upTo(l + 1)),
    workgroup("scan_exclusive", (l) => upTo(l)),
  ];
});

const inputs: Readonly<Record<string, readonly number[]>> = {
  "first lane": [NaN, 3, -1, 7, 2, 9, 4, 5],
  "middle lanes": [3, 8, -1, NaN, NaN, 9, 4, 5],
  "last lanes": [3, 8, -1, 7, 2, 9, NaN, NaN],
  "all lanes": [NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN],
};

async function complaints(c: Case, text: string, from: TwoWayDialect): Promise<string[]> {
  const wrong: string[] = [];
  for (const [where, x] of Object.entries(inputs)) {
    const args = { x: Float32Array.from(x), r: new Float32Array(8) };
    const { buffers, diagnostics } = await simulate(text, {
      from,
      workgroups: [1],
      workgroupSize: [8],
      subgroupSize: 8,
      args,
      findings: "none",
    });
    const got = buffers["r"] as Float32Array | undefined;
    if (!got) return diagnostics.map((d) => d.message);
    for (const lane of upTo(c.from === "glsl" ? 7 : 8)) {
      const numbers = c
        .lanes(lane)
        .map((o) => x[o]!)
        .filter((v) => !Number.isNaN(v));
      const want = c.op === "min" ? Math.min(...numbers) : Math.max(...numbers);
      if (!Object.is(got[lane], want)) wrong.push(`NaN in ${where}, lane ${lane}: ${got[lane]}, not ${want}`);
    }
  }
  return wrong;
}

describe.each(cases)("$name", (c) => {
  test("in the simulator", async () => expect(await complaints(c, c.text, c.from)).toEqual([]));
  test.each(["msl", "hlsl", "glsl", "opencl"] as const)("in %s", async (to) => {
    const { code, diagnostics } = await translate(c.text, { from: c.from, to });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(await complaints(c, code!, to)).toEqual([]);
  });
  if (c.from === "glsl")
    test.each(["msl", "hlsl", "glsl", "opencl"] as const)("without subgroups in %s", async (to) => {
      const { code, diagnostics } = await translate(c.text, { from: c.from, to, emulateSubgroups: 8 });
      expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      expect(await complaints(c, code!, to)).toEqual([]);
    });
});
