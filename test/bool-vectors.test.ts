/**
 * Vectors of bool made of numbers: what is not zero is true, whatever the target keeps bools in. Results by hand, through
 * every dialect and its compiler.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const all: readonly TwoWayDialect[] = ["msl", "glsl", "opencl", "hlsl"];

/** 0 to 7: the bits of 0, 2 and 4. */
const x = Int32Array.from({ length: 8 }, (_, i) => (i & 1) | ((i & 2) << 1) | ((i & 4) << 2));

interface Shape {
  readonly name: string;
  /** `v` holds x[i]; B2 and B3 are vectors of bool, I3 one of int; the result goes to `r`. */
  readonly body: string;
  readonly r: readonly number[];
  readonly in?: readonly TwoWayDialect[];
}

const bits = [0, 1, 2, 3, 4, 5, 6, 7];
const shapes: readonly Shape[] = [
  {
    name: "made of ints",
    body: "B3 b = B3(v & 1, v & 4, v & 16); I3 q = I3(b); r = q.x + q.y * 2 + q.z * 4 + (all(b) ? 10 : 0) + (any(b) ? 100 : 0);",
    r: [0, 101, 102, 103, 104, 105, 106, 117],
  },
  {
    name: "made of floats and uints",
    body: "B3 b = B3(float(v & 1) * 0.25, uint(v & 4), float(v & 16)); I3 q = I3(b); r = q.x + q.y * 2 + q.z * 4;",
    r: bits,
  },
  {
    name: "of one number",
    body: "B2 b = B2(v & 16); r = (all(b) ? 1 : 0) + (b.y ? 2 : 0);",
    r: [0, 0, 0, 0, 3, 3, 3, 3],
    in: ["msl", "glsl"],
  },
  {
    name: "set by component",
    body: "B3 b = B3(false, false, true); b.x = bool(v & 4); b[1] = bool(v & 16); I3 q = I3(b); r = q.x + q.y * 2 + (all(b) ? 10 : 0);",
    r: [0, 0, 1, 1, 2, 2, 13, 13],
  },
  {
    name: "made where it is taken apart",
    body: "r = (B2(v & 16, 4).x ? 1 : 0) + (any(B2(0, v & 4)) ? 2 : 0);",
    r: [0, 0, 2, 2, 1, 1, 3, 3],
  },
  {
    name: "of a number without a word for it",
    body: "B2 b = v & 16; B2 c = {v & 4, v}; b.y = v & 1; r = (all(b) ? 1 : 0) + (all(c) ? 2 : 0) + (any(c) ? 4 : 0);",
    r: [0, 4, 6, 6, 4, 5, 6, 7],
    in: ["hlsl"],
  },
  {
    name: "joined, whose operands are both evaluated",
    body: "int n = 0; B2 b = and(int2(v & 4, v), v > 1); bool c = or(v & 1, n++ > 5); b = or(b, and(true, false)); r = (b.x ? 1 : 0) + (b.y ? 2 : 0) + (c ? 4 : 0) + n * 8;",
    r: [8, 12, 11, 15, 10, 14, 11, 15],
    in: ["hlsl"],
  },
];

function texts(from: TwoWayDialect, body: string): string {
  const of = (kinds: Readonly<Record<string, string>>): string =>
    body.replace(/\b(B2|B3|I3)\b/g, (word) => kinds[word] ?? word);
  switch (from) {
    case "msl":
      return `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device int *y [[buffer(0)]], device const int *x [[buffer(1)]], uint i [[thread_position_in_grid]]) {\n  int v = x[i]; int r = 0;\n  ${of({ B2: "bool2", B3: "bool3", I3: "int3" })}\n  y[i] = r;\n}\n`;
    case "glsl":
      return `#version 450\nlayout(local_size_x = 8) in;\nlayout(std430, binding = 0) buffer Y { int y[]; };\nlayout(std430, binding = 1) readonly buffer X { int x[]; };\nvoid main() {\n  uint i = gl_GlobalInvocationID.x; int v = x[i]; int r = 0;\n  ${of({ B2: "bvec2", B3: "bvec3", I3: "ivec3" })}\n  y[i] = r;\n}\n`;
    case "hlsl":
      return `RWStructuredBuffer<int> y : register(u0);\nStructuredBuffer<int> x : register(t0);\n[numthreads(8, 1, 1)]\nvoid k(uint i : SV_DispatchThreadID) {\n  int v = x[i]; int r = 0;\n  ${of({ B2: "bool2", B3: "bool3", I3: "int3" })}\n  y[i] = r;\n}\n`;
    case "opencl":
      throw new Error("OpenCL C has no vectors of bool");
  }
}

async function run(source: string, dialect: TwoWayDialect): Promise<readonly number[]> {
  const { buffers, diagnostics, findings } = await simulate(source, {
    from: dialect,
    workgroups: [1],
    ...(dialect === "msl" || dialect === "opencl" ? { workgroupSize: [8] } : {}),
    args: { y: new Int32Array(8), x },
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(findings).toEqual([]);
  return [...(buffers["y"] as Int32Array)];
}

describe.each(["msl", "glsl", "hlsl"] as const)("vectors of bool in %s", (from) => {
  const here = shapes.filter((s) => !s.in || s.in.includes(from));
  test.each(here)("$name", async ({ body, r }) => {
    const source = texts(from, body);
    expect(await run(source, from), source).toEqual(r);
    for (const to of all) {
      const { code } = await translate(source, { from, to, ...(from === "msl" ? { workgroupSize: [8, 1, 1] } : {}) });
      expect(await run(code!, to), code!).toEqual(r);
    }
  });
  describe.each(all)("and the compiler of %s", (dialect) => {
    judgeTest(judges[dialect], "takes them", async () => {
      const outputs: Judgeable[] = [];
      for (const { name, body } of here) {
        const source = texts(from, body);
        if (from === dialect) outputs.push(judgeable(from, `${name}: the source`, source));
        const { code } = await translate(source, {
          from,
          to: dialect,
          ...(from === "msl" ? { workgroupSize: [8, 1, 1] } : {}),
        });
        outputs.push(judgeable(dialect, name, code!));
      }
      expect(refusals(await judgeOutputs(outputs))).toBe("");
    });
  });
});
