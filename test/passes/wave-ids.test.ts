/** Ids of waves in HLSL: counted with strict, named from shader model 6.10 on. */
import { expect, test } from "vitest";
import { translate, verify } from "../../src/index.js";
import { judgeOutputs, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const ids = `#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 44) in;
layout(std430, binding = 0) buffer X { uint x[]; };
uint own(uint k) { return gl_SubgroupID * k; }
void main() {
  if (gl_LocalInvocationIndex > 40u) return;
  x[gl_GlobalInvocationID.x] = own(100u) + gl_NumSubgroups;
}
`;
const lanes = `__kernel __attribute__((reqd_work_group_size(44, 1, 1))) void k(__global uint *x) {
  if (get_local_id(0) > 20) x[get_global_id(0)] = get_sub_group_size() + 100 * get_sub_group_id();
}
`;
const sources = [
  ["glsl", ids],
  ["opencl", lanes],
] as const;
const strict = { to: "hlsl", profile: "sm6.6", strict: true } as const;

test.each(sources)("with strict, from %s", async (from, source) => {
  const { code, assumptions, emulations } = await translate(source, { from, ...strict });
  expect(assumptions).toEqual([]);
  expect(code).toContain("InterlockedAdd(wave_count, 1u, wave)");
  expect(emulations.map((e) => e.op)).toContain("id.subgroup_id");
  const { result, runs } = await verify(source, {
    from,
    ...strict,
    subgroupSizes: [4, 8, 16, 32],
    launches: [{ workgroups: [3], args: { x: { type: "u32", count: 132, init: { fill: 7 }, output: true } } }],
  } as Parameters<typeof verify>[1]);
  expect(result).toBe("equivalent");
  expect(runs.length).toBeGreaterThan(3);
});

judgeTest(judges.hlsl, "DXC takes them, and the names of shader model 6.10", async () => {
  const texts = await Promise.all(
    sources
      .flatMap(([from, source]) => [
        { ...strict, name: from, profile: "cs_6_6" as const, text: translate(source, { from, ...strict }) },
        ...(from === "glsl"
          ? [
              {
                ...strict,
                name: "6.10",
                profile: "cs_6_10" as const,
                text: translate(source, { from, to: "hlsl" as const, profile: "sm6.10" }),
              },
            ]
          : []),
      ])
      .map(async ({ name, profile, text }) => ({
        dialect: "hlsl" as const,
        name,
        text: (await text).code!,
        options: { profile, native16Bit: false },
      })),
  );
  expect(texts.at(1)!.text).toContain("GetGroupWaveIndex()");
  expect(refusals(await judgeOutputs(texts))).toBe("");
});
