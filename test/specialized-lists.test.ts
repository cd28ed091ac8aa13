/** Arrays, structs and matrices of specialisation constants (GL_EXT_spec_constant_composites). */
import { expect, test } from "vitest";
import { simulate, translate, verify } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const file = (body: string): string => `#version 450
#extension GL_EXT_spec_constant_composites : require
layout(local_size_x = 8) in;
layout(constant_id = 1) const float s0 = 1.5;
layout(constant_id = 2) const float s1 = 2.5;
layout(constant_id = 3) const int k = 2;
struct Pair { float a; int b; };
const float tab[2] = float[2](s0, s1);
const int idx[2] = { k, k * 2 };
const Pair pair = Pair(s0 + 1.0, k);
const mat2 m = mat2(s0, 0.0, 0.0, s1);
layout(std430, binding = 0) buffer B { float o[]; };
float f(uint i) { return tab[i & 1u] + 10.0 * float(idx[(i + 1u) & 1u]) + 100.0 * pair.a * float(pair.b); }
void main() { uint i = gl_GlobalInvocationID.x; ${body} }
`;
const source = file("o[i] = f(i) + 1000.0 * m[0][0] * m[1][1];");
const targets = ["msl", "opencl", "hlsl", "glsl"] as const;

test("have the values that the launch gives", async () => {
  const run = async (spec: Readonly<Record<string, number>>): Promise<number[]> => {
    const args = { o: new Float32Array(8) };
    const { buffers, diagnostics } = await simulate(source, { from: "glsl", workgroups: [1], args, spec });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    return [...(buffers["o"] as Float32Array)].slice(0, 2);
  };
  // 1.5 or 2.5, 10 * (4 or 2), 100 * 2.5 * 2, 1000 * 1.5 * 2.5.
  expect(await run({})).toEqual([1.5 + 40 + 500 + 3750, 2.5 + 20 + 500 + 3750]);
  expect(await run({ s0: 3, k: 5 })).toEqual([3 + 100 + 2000 + 7500, 2.5 + 50 + 2000 + 7500]);
});

test.each(targets)("do the same in %s", async (to) => {
  const { result, diagnostics } = await verify(source, { from: "glsl", to });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(result).toBe("equivalent");
});

test("cannot be written", async () => {
  const { diagnostics } = await translate(file("tab[0] = 1.0; o[i] = tab[i & 1u];"), { from: "glsl", to: "msl" });
  expect(diagnostics.map((d) => d.message)).toContain("this cannot be written: 'tab' is const");
});

for (const to of targets.slice(0, 3))
  judgeTest(judges[to], `the ${to} compiler takes them`, async () => {
    const texts: Judgeable[] = [];
    for (const spec of [{}, { s0: 3, k: 5 }] as readonly Readonly<Record<string, number>>[]) {
      const { code } = await translate(source, { from: "glsl", to, spec });
      texts.push(judgeable(to, JSON.stringify(spec), code!));
    }
    expect(refusals(await judgeOutputs(texts))).toBe("");
  });
