/** What is said where two kernels really differ: two sources that should be the same and are not. */
import { describe, expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { simulatorRunner } from "../../src/api/runners.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { bindLaunch } from "../../src/launch/bind.js";
import type { BoundLaunch } from "../../src/launch/bind.js";
import { parseLaunchFile } from "../../src/launch/launch-file.js";
import { shapeOf } from "../../src/launch/reflection.js";
import type { VerifyResult } from "../../src/verify/result.js";
import { compareOnLaunches } from "../../src/verify/verify.js";
import type { Runner } from "../../src/verify/verify.js";

const kernel = (body: string): string => `#version 450
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer X { uint x[]; };
shared uint s[64];
void main() {
  uint i = gl_GlobalInvocationID.x;
${body}
}
`;

async function runner(
  source: string,
  fileName: string,
  from: TwoWayDialect = "glsl",
): Promise<{ runner: Runner; launch: BoundLaunch }> {
  const compilation = await compile(source, { from, fileName });
  expect(compilation.diagnostics).toEqual([]);
  const entry = compilation.module!.entries[0]!;
  const made = await simulatorRunner(compilation, entry);
  if ("diagnostics" in made) throw new Error(made.diagnostics[0]!.message);
  const text =
    '{"workgroups": [4], "args": {"x": {"type": "u32", "count": 128, "init": {"iota": {}}, "output": true}}}';
  const { bound } = bindLaunch(parseLaunchFile(text, "l").launch!, shapeOf(compilation.module!, entry));
  return { runner: made.runner, launch: bound! };
}

async function compare(a: string, b: string, widths = [8, 32]): Promise<VerifyResult> {
  const [source, other] = [await runner(kernel(a), "a.comp"), await runner(kernel(b), "b.comp")];
  return compareOnLaunches(source.runner, () => other.runner, [source.launch], {
    target: "glsl",
    seeds: 2,
    subgroupSizes: () => widths,
  });
}

describe("a source whose invocations race", () => {
  // All of them store into one element: which comes last is open, so that no difference says anything.
  const sources = ["  x[0] = i;", "  x[0] = 127u - i;"] as const;

  test("is not called different from a text on launches that were derived", async () => {
    const [a, b] = [await runner(kernel(sources[0]), "a.comp"), await runner(kernel(sources[1]), "b.comp")];
    const options = { target: "glsl", seeds: 2, subgroupSizes: () => [32] } as const;
    const derived = await compareOnLaunches(a.runner, () => b.runner, [{ ...a.launch, derived: true }], options);
    expect(derived.result).toBe("inconclusive");
    expect(derived.diagnostics.map((d) => d.code)).toEqual(expect.arrayContaining(["XL6011", "XL5013"]));
    const stated = await compareOnLaunches(a.runner, () => b.runner, [a.launch], options);
    expect(stated.result).toBe("different");
  });

  test("does not hide a difference of one that has no race", async () => {
    const [a, b] = [await runner(kernel("  x[i] = i;"), "a.comp"), await runner(kernel("  x[i] = i + 1u;"), "b.comp")];
    const result = await compareOnLaunches(a.runner, () => b.runner, [{ ...a.launch, derived: true }], {
      target: "glsl",
      seeds: 2,
      subgroupSizes: () => [32],
    });
    expect(result.result).toBe("different");
  });
});

describe("differences", () => {
  test("values, workgroup, lane and lines of both sides", async () => {
    const result = await compare("  x[i] = i * 2u;", "  uint y = i;\n  x[i] = i == 70u ? 7u : y * 2u;");
    expect(result.result).toBe("different");
    expect(result.firstDifference).toMatchObject({
      buffer: "x",
      index: 70,
      type: "u32",
      count: 1,
      source: {
        value: "140",
        hex: "0x0000008c",
        writer: { workgroup: [2, 0, 0], lane: 6, location: { file: "a.comp", line: 9 } },
      },
      translation: {
        value: "7",
        hex: "0x00000007",
        writer: { workgroup: [2, 0, 0], lane: 6, location: { file: "b.comp", line: 10 } },
      },
    });
  });

  test("only at one width", async () => {
    const result = await compare("  x[i] = i;", "  x[i] = gl_SubgroupSize == 32u ? 0u : i;");
    expect(result).toMatchObject({
      result: "different",
      firstDifference: { index: 1, run: { subgroupSize: 32 } },
    });
  });

  test("an unused unspecified value makes no difference, a used one is inconclusive", async () => {
    const unused =
      "  uint y = subgroupShuffleDown(i, 1u);\n  x[i] = gl_SubgroupInvocationID + 1u < gl_SubgroupSize ? y : 0u;";
    expect((await compare(unused, unused)).result).toBe("equivalent");
    const used = "  x[i] = subgroupShuffleDown(i, 1u);";
    const result = await compare(used, used);
    expect(result.result).toBe("inconclusive");
    expect(result.diagnostics[0]!.code).toBe("XL6011");
  });

  test("memory that was never written is unspecified", async () => {
    expect((await compare("  x[i] = s[gl_LocalInvocationIndex + 32u];", "  x[i] = 0u;")).result).toBe("inconclusive");
  });

  test("a write out of bounds in the translation alone is a difference", async () => {
    const result = await compare("  x[i] = i;", "  x[i] = i;\n  x[i + 128u] = 1u;");
    expect(result.result).toBe("different");
    expect(result.diagnostics.map((d) => d.code)).toEqual(["XL6010", "XL5002"]);
  });
});
