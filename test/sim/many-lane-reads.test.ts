/** However many places read lanes that are not there: each that a buffer shows is found, and no other. */
import { expect, test } from "vitest";
import { simulate } from "../../src/index.js";

const count = 40;
/** `shown`: whether the n-th shuffle is written to the buffer. */
const kernel = (shown: (n: number) => boolean): string => `#version 450
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer X { uint x[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
${Array.from({ length: count }, (_, n) => `  { uint v = subgroupShuffleUp(i, 1u); x[${n * 64}u + i] = ${shown(n) ? "v" : "v * 0u"}; }`).join("\n")}
}
`;

test.each([
  ["all of forty", () => true, count],
  ["every third", (n: number) => n % 3 === 0, 14],
] as const)("%s", async (_, shown, expected) => {
  const { findings } = await simulate(kernel(shown), {
    from: "glsl",
    workgroups: [1],
    subgroupSize: 64,
    args: { x: new Uint32Array(64 * count) },
  });
  const found = findings.filter((f) => f.kind === "inactive-lane");
  expect(found.map((f) => f.location?.line)).toEqual(
    Array.from({ length: count }, (_, n) => n)
      .filter(shown)
      .map((n) => n + 7),
  );
  expect(found).toHaveLength(expected);
});
