/** Arrays of buffers that say no length, of which the host says how many there are. Numbers are worked out by hand. */
import { describe, expect, test } from "vitest";
import { simulate } from "../src/api/simulate.js";
import { translate } from "../src/api/translate.js";
import { verify } from "../src/api/verify.js";
import { isSourceDialect, targets } from "../src/dialects/ids.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const floats = (f: (i: number) => number): Float32Array => Float32Array.from({ length: 8 }, (_, i) => f(i));
const main = "[numthreads(8, 1, 1)] void main(uint i : SV_GroupThreadID)";

const hlsl = {
  from: "hlsl",
  text: `StructuredBuffer<float> b[] : register(t0, space1); RWStructuredBuffer<float> w[] : register(u0, space1); RWStructuredBuffer<float> o;
${main} { w[i & 1][i] = b[NonUniformResourceIndex(i % 3)][i]; o[i] = w[i & 1][i] + b[1][0]; }`,
  arrayLength: { b: 3, w: 2 },
  args: {
    ...Object.fromEntries([0, 1, 2].map((k) => [`b[${k}]`, floats((i) => 100 * k + i)])),
    "w[0]": floats(() => -1),
    "w[1]": floats(() => -1),
    o: floats(() => -1),
  },
  o: (i: number) => 100 * (i % 3) + i + 100,
} as const;

const blocks = {
  from: "glsl",
  text: `#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 1) readonly buffer B { float v[]; } b[];
layout(std430, set = 0, binding = 0) buffer O { float o[]; };
void main() { uint i = gl_LocalInvocationIndex; o[i] = b[nonuniformEXT(i & 1u)].v[i]; }
`,
  arrayLength: { b: 2 },
  args: {
    "b[0]": floats((i) => i),
    "b[1]": floats((i) => 10 * i),
    o: floats(() => -1),
  },
  o: (i: number) => (i % 2 === 0 ? i : 10 * i),
} as const;

const references = {
  from: "glsl",
  text: `#version 450
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 8) in;
layout(buffer_reference, std430) readonly buffer F { float v[]; };
layout(buffer_reference, std430) readonly buffer Refs { F refs[]; };
layout(push_constant) uniform P { Refs r; } p;
layout(std430, set = 0, binding = 0) buffer O { float o[]; };
layout(std430, set = 0, binding = 1) readonly buffer Q { F q[]; };
void main() { uint i = gl_LocalInvocationIndex; float s = 0.0; for (uint k = 0u; k < 3u; k++) s += q[k].v[i]; o[i] = s + p.r.refs[i & 1u].v[1]; }
`,
  arrayLength: { q: 3, refs: 2 },
  args: {
    ...Object.fromEntries([0, 1, 2].map((k) => [`q[${k}]`, floats((i) => 100 * k + i)])),
    "refs[0]": floats((i) => 1000 * i),
    "refs[1]": floats((i) => 2000 * i),
    o: floats(() => -1),
  },
  o: (i: number) => 300 + 3 * i + (i % 2 === 0 ? 1000 : 2000),
} as const;

describe.each([
  ["buffers of HLSL", hlsl],
  ["blocks of GLSL", blocks],
  ["references of GLSL", references],
])("%s", (_, { text, from, arrayLength, args, o }) => {
  const expected = Array.from(floats(o));

  test("are as many as is said, by a computed index", async () => {
    const made = await simulate(text, { from, arrayLength, workgroups: [1], args });
    expect(made.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(Array.from(made.buffers["o"] as Float32Array)).toEqual(expected);
  });

  test("are as many as a launch gives", async () => {
    const made = await simulate(text, { from, workgroups: [1], args });
    expect(made.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(Array.from(made.buffers["o"] as Float32Array)).toEqual(expected);
  });

  test("are the same in every target", async () => {
    for (const to of targets) {
      const { result, diagnostics } = await verify(text, { from, to, arrayLength });
      expect([to, result, diagnostics.filter((d) => d.severity === "error")]).toEqual([to, "equivalent", []]);
    }
  });

  for (const to of targets.filter(isSourceDialect))
    judgeTest(judges[to], `are taken by the compiler of ${to}`, async () => {
      const { code } = await translate(text, { from, to, arrayLength });
      expect(refusals(await judgeOutputs([judgeable(to, "lengths", code!)]))).toBe("");
    });

  test("are refused without that", async () => {
    const { diagnostics } = await translate(text, { from, to: "opencl" });
    const said = diagnostics.filter((d) => d.severity === "error").map((d) => [d.code, d.help ?? ""] as const);
    expect(said.length).toBeGreaterThan(0);
    expect(said[0]![0]).toBe("XL1900");
    expect(said[0]![1]).toContain("--array-length name=n");
  });
});

test("a length of what is no such array is an error", async () => {
  const { diagnostics } = await translate(hlsl.text, {
    from: "hlsl",
    to: "glsl",
    arrayLength: { ...hlsl.arrayLength, c: 2 },
  });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => [d.code, d.message, d.help])).toEqual([
    ["XL6004", "there is no array 'c' without a length, for which one is given", "there are b, w"],
  ]);
  const far = await translate(hlsl.text, { from: "hlsl", to: "glsl", arrayLength: { b: 5000, w: 2 } });
  expect(far.diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([
    "an array of 5000 buffers is not between 1 and 2048",
  ]);
  await expect(translate(hlsl.text, { from: "hlsl", to: "glsl", arrayLength: { b: 0.5 } })).rejects.toThrow(
    "'arrayLength.b' is a whole number from 1 on, not 0.5",
  );
});
