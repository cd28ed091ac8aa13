/**
 * Memory reached by what begins anew in each subgroup: ids of lanes, and those of subgroups, where lanes of several subgroups are worked on in a
 * row. Expected values are worked out here, lane by lane.
 */
import { expect, test } from "vitest";
import { simulate } from "../../src/index.js";

const words = 512;
const ids = {
  gl_SubgroupInvocationID: (i, width) => i % width,
  gl_SubgroupID: (i, width) => Math.floor(i / width),
  "gl_LocalInvocationIndex / 16u": (i) => Math.floor(i / 16),
  "gl_LocalInvocationID.x + gl_SubgroupID * 3u": (i, width, line) => (i % line) + 3 * Math.floor(i / width),
  "gl_SubgroupInvocationID * 2u + 1u": (i, width) => 2 * (i % width) + 1,
} satisfies Record<string, (i: number, width: number, line: number) => number>;

type Memory = number[];
const bodies: Readonly<Record<string, (l: number, i: number, o: Memory) => void>> = {
  "o[l] = a[l];": (l, _, o) => (o[l] = 100 + l),
  "if (l < 2u) o[l * 2u] = a[l];": (l, _, o) => void (l < 2 && (o[l * 2] = 100 + l)),
  "o[gl_LocalInvocationIndex] = a[l + 1u] + a[l];": (l, i, o) => (o[i] = 201 + 2 * l),
  "for (uint n = l; n < 40u; n += 9u) o[n] = a[n];": (l, _, o) => {
    for (let n = l; n < 40; n += 9) o[n] = 100 + n;
  },
};

const sizes = [
  [16, 1],
  [8, 8],
  [32, 2],
  [64, 1],
  [20, 1],
] as const;

for (const [id, of] of Object.entries(ids))
  test(`by ${id}`, async () => {
    for (const [text, run] of Object.entries(bodies))
      for (const [x, y] of sizes)
        for (const width of [4, 8, 16, 32]) {
          const source = `#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = ${x}, local_size_y = ${y}) in;
layout(std430, binding = 0) buffer O { uint o[]; };
layout(std430, binding = 1) buffer A { uint a[]; };
void main() { uint l = ${id}; ${text} }
`;
          const wanted: Memory = new Array<number>(words).fill(0);
          for (let i = 0; i < x * y; i++) run(of(i, width, x), i, wanted);
          const { buffers } = await simulate(source, {
            from: "glsl",
            workgroups: [1, 1, 1],
            subgroupSize: width,
            args: { o: new Uint32Array(words), a: Uint32Array.from({ length: words }, (_, n) => 100 + n) },
          });
          expect([...(buffers["o"] as Uint32Array)], `${source} at ${width}`).toEqual(wanted);
        }
  });
