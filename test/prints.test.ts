/**
 * Functions that print (OpenCL C 3.0 6.15.14, GLSL_EXT_debug_printf, DXC's printf): what they are given is evaluated as the source
 * has it, nothing is printed, and the report says so.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type SourceDialect } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const all: readonly SourceDialect[] = ["msl", "glsl", "opencl", "hlsl"];
const sources: Readonly<Partial<Record<SourceDialect, string>>> = {
  opencl: `#define LOG(...) printf(__VA_ARGS__)
int next(__global int *p) { return p[0]++; }
__kernel void k(__global int *x) {
  int i = get_global_id(0); int n = 3;
  printf("lane %d of %s\\n", i, "four");
  if (i == 1) printf("both " "%d %d", n++, next(x));
  for (int j = 0; j < 2; j++) LOG("%v4f\\n", (float4)(j));
  x[1 + i] = n;
}
`,
  glsl: `#version 450
#extension GL_EXT_debug_printf : enable
layout(local_size_x = 4) in;
layout(binding = 0) buffer X { int x[]; };
void main() {
  int i = int(gl_GlobalInvocationID.x), n = 3;
  if (i == 1) debugPrintfEXT("both %d %d", n++, atomicAdd(x[0], 1));
  x[1 + i] = n;
}
`,
  hlsl: `RWStructuredBuffer<int> x : register(u0);
[numthreads(4, 1, 1)] void k(uint i : SV_DispatchThreadID) {
  int n = 3;
  if (i == 1) { printf("both %d %d", n++, 1); x[0] = x[0] + 1; }
  x[1 + i] = n;
}
`,
};

const note = "nobody reads what is printed here";
const judged: Judgeable[] = [];
const size = (to: SourceDialect): { workgroupSize?: number[] } =>
  to === "msl" || to === "opencl" ? { workgroupSize: [4] } : {};

describe.each(Object.entries(sources) as [SourceDialect, string][])("of %s", (from, source) => {
  const run = async (text: string, of: SourceDialect): Promise<number[]> => {
    const args = { x: Int32Array.of(7, 0, 0, 0, 0) };
    const { buffers, findings } = await simulate(text, { from: of, workgroups: [1], ...size(of), args });
    expect(findings).toEqual([]);
    return [...(buffers["x"] as Int32Array)];
  };
  const wanted = [8, 3, 4, 3, 3];

  test("run", async () => {
    expect(await run(source, from)).toEqual(wanted);
  });

  test.each(all.filter((to) => to !== from))("to %s", async (to) => {
    const options = from === "opencl" ? { workgroupSize: [4, 1, 1] } : {};
    const { code, assumptions } = await translate(source, { from, to, ...options });
    judged.push(judgeable(to, `prints of ${from} to ${to}`, code!));
    expect(assumptions.map((a) => a.message)).toContain(note);
    expect(code).not.toMatch(/printf/i);
    expect(await run(code!, to)).toEqual(wanted);
    const strict = await translate(source, { from, to, ...options, strict: true });
    expect(strict.diagnostics.map((d) => d.code)).toContain("XL4009");
  });

  test("stay in the text of their own dialect", async () => {
    const { code, assumptions } = await translate(source, { from, to: from });
    expect(code).toContain("both");
    expect(assumptions.map((a) => a.message)).not.toContain(note);
  });
});

test("and where that is written anew the report says that they are gone", async () => {
  const source = `__kernel void k(__global uint *x) { printf("%u", x[1]); x[0] = dot_4x8packed_uu_uint(x[1], x[2]); }\n`;
  const { code, assumptions } = await translate(source, { from: "opencl", to: "opencl" });
  expect(code!.includes("printf")).toBe(!assumptions.some((a) => a.message === note));
});

describe("compilers", () => {
  for (const to of all)
    judgeTest(judges[to], `the ${to} compiler takes the translations`, async () => {
      const texts = judged.filter((j) => j.dialect === to);
      expect(texts.length).toBeGreaterThan(0);
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
});
