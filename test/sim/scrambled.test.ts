/** Lanes that are not in the order of the local index: what stays the same, and what a kernel that relies on the order shows. */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import { verify } from "../../src/api/verify.js";

const glsl = (size: string, body: string): string => `#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(${size}) in;
layout(std430, binding = 0) buffer Result { int result[]; };
shared int partial[16];
void main() {
  int i = int(gl_LocalInvocationIndex);
${body}
}`;

async function ran(text: string, lanes: "linear" | "scrambled", count: number, seed = 1): Promise<number[]> {
  const result = await simulate(text, {
    from: "glsl",
    workgroups: [1],
    subgroupSize: 8,
    lanes,
    seed,
    args: { result: new Int32Array(count) },
  });
  expect([...result.diagnostics, ...result.findings]).toEqual([]);
  return [...(result.buffers["result"] as Int32Array)];
}

describe.each([
  "local_size_x = 22",
  "local_size_x = 11, local_size_y = 2",
  "local_size_x = 1, local_size_y = 2, local_size_z = 11",
])("workgroups of %s", (size) => {
  const ids = glsl(size, "  result[i] = int(gl_SubgroupInvocationID) + 100 * int(gl_SubgroupID);");
  const all = [0, 1, 2].flatMap((s) => Array.from({ length: s < 2 ? 8 : 6 }, (_, l) => l + 100 * s));

  test("every lane of every subgroup has one local index", async () => {
    expect(await ran(ids, "linear", 22)).toEqual(all);
    const scrambled = await ran(ids, "scrambled", 22);
    expect(scrambled).not.toEqual(all);
    expect([...scrambled].sort((a, b) => a - b)).toEqual(all);
    expect(await ran(ids, "scrambled", 22, 2)).not.toEqual(scrambled);
  });

  test("ids of the invocation belong together", async () => {
    const text = glsl(
      size,
      "  uvec3 n = gl_WorkGroupSize, l = gl_LocalInvocationID, g = gl_GlobalInvocationID;\n  result[i] = int(l.x + n.x * (l.y + n.y * l.z)) - i + int(g.x - l.x + g.y - l.y + g.z - l.z);",
    );
    expect(await ran(text, "scrambled", 22)).toEqual(Array(22).fill(0));
  });
});

describe("verify", () => {
  const launch = {
    workgroups: [1],
    subgroupSizes: [8],
    args: { result: { type: "i32", count: 64, init: { fill: 0 }, output: true } },
  };
  const codes = async (body: string): Promise<{ result: string; notes: string[] }> => {
    const { result, diagnostics } = await verify(glsl("local_size_x = 64", body), {
      from: "glsl",
      to: "msl",
      launches: [launch],
    });
    return { result, notes: diagnostics.filter((d) => d.code === "XL6016").map((d) => d.message) };
  };

  test("a sum by the ids of the subgroups does not depend on the order", async () => {
    const body = `  int s = subgroupAdd(i);
  if (subgroupElect()) partial[gl_SubgroupID] = s;
  barrier();
  int sum = 0;
  for (int k = 0; k < int(gl_NumSubgroups); k++) sum += partial[k];
  result[i] = sum;`;
    expect(await codes(body)).toEqual({ result: "equivalent", notes: [] });
  });

  test("one by the local index does, and says so", async () => {
    const body = `  int s = subgroupAdd(i);
  if ((i & 7) == 0) partial[i >> 3] = s;
  barrier();
  int sum = 0;
  for (int k = 0; k < 8; k++) sum += partial[k];
  result[i] = sum;`;
    const { result, notes } = await codes(body);
    expect(result).toBe("equivalent");
    expect(notes).toHaveLength(1);
    // 0 + 1 + ... + 63
    expect(notes[0]).toContain("lanes fill subgroups in the order of the local index");
    expect(notes[0]).toContain("and not 2016");
  });
});
