/** OpenCL 2.0 has few sub-group functions, all of which every work-item has to reach: what is made of them, and where. */
import { expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { judgeOutputs, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const kernel = (body: string): string => `#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 11) in;
layout(std430, set = 0, binding = 0) buffer X { uint x[]; };
void main() { uint i = gl_LocalInvocationIndex; ${body} }
`;

const translated = (body: string) => translate(kernel(body), { from: "glsl", to: "opencl", profile: "opencl2.0" });

async function run(text: string): Promise<number[]> {
  const x = Uint32Array.from({ length: 11 }, (_, i) => 10 + i);
  const { buffers, diagnostics } = await simulate(text, {
    from: "opencl",
    workgroups: [1],
    workgroupSize: [11],
    subgroupSize: 8,
    args: { x },
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return [...(buffers["x"] as Uint32Array)];
}

// Two subgroups: of eight lanes and of three.
const cases: readonly (readonly [string, string, (i: number) => number])[] = [
  ["a ballot", "x[i] = subgroupBallot(x[i] % 2u == 0u).x;", (i) => (i < 8 ? 0b01010101 : 0b101)],
  ["a shuffle", "x[i] = subgroupShuffle(x[i], i % 2u);", (i) => (i < 8 ? 10 : 18) + (i % 2)],
  ["a product", "x[i] = subgroupMul(x[i] - 9u);", (i) => (i < 8 ? 40320 : 9 * 10 * 11)],
  ["a prefix of xor", "x[i] = subgroupExclusiveXor(1u << i);", (i) => (i < 8 ? 2 ** i - 1 : 2 ** i - 256)],
];

test.each(cases)("%s by the functions of cl_khr_subgroups", async (_, body, expected) => {
  const { code, diagnostics } = await translated(body);
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(await run(code!)).toEqual(Array.from({ length: 11 }, (_, i) => expected(i)));
});

judgeTest(judges.opencl, "clang takes them as OpenCL 2.0", async () => {
  const texts = await Promise.all(
    cases.map(async ([name, body]) => ({
      dialect: "opencl" as const,
      name,
      text: (await translated(body)).code!,
      options: { version: "2.0" as const },
    })),
  );
  expect(refusals(await judgeOutputs(texts))).toBe("");
});

test("where not all lanes come they are refused, with what is missing", async () => {
  const { code, diagnostics } = await translated("if (x[i] > 12u) x[i] = subgroupShuffle(x[i], 0u);");
  expect(code).toBeUndefined();
  expect(diagnostics.find((d) => d.severity === "error")?.message).toBe(
    "opencl cannot do subgroupShuffle here: where not all lanes of the subgroup are known to reach it, subgroupShuffle needs cl.subgroups cl.khr_subgroup_shuffle, which opencl2.0 does not have",
  );
});
