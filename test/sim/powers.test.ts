/** `pow` of GLSL and HLSL is exp2(y * log2(x)): of infinity^0 and 1^infinity it gives no number, as lavapipe has it. */
import { expect, test } from "vitest";
import { simulate, verify } from "../../src/index.js";

const sources = {
  glsl: `#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { float a[]; };
layout(binding = 1) buffer B { float b[]; };
layout(binding = 2) buffer O { float o[]; };
void main() { uint i = gl_LocalInvocationIndex; o[i] = pow(a[i], b[i]); }
`,
  hlsl: `RWStructuredBuffer<float> a, b, o;
[numthreads(8, 1, 1)] void main(uint i : SV_GroupIndex) { o[i] = pow(a[i], b[i]); }
`,
} as const;
const a = [1, 1, Infinity, Infinity, 2, 0.5, 0.5, 9];
const b = [Infinity, -Infinity, 0, -0, Infinity, Infinity, -Infinity, 0.5];
const wanted = [NaN, NaN, NaN, NaN, Infinity, 0, Infinity, 3];

test.each(["glsl", "hlsl"] as const)("%s", async (from) => {
  const args = { a: Float32Array.from(a), b: Float32Array.from(b), o: new Float32Array(8) };
  const { buffers, findings } = await simulate(sources[from], { from, workgroups: [1], args });
  expect(findings).toEqual([]);
  expect([...(buffers["o"] as Float32Array)]).toEqual(wanted);
  const text = (list: readonly number[]): (string | number)[] =>
    list.map((x) => (Object.is(x, -0) ? "-0" : Number.isFinite(x) ? x : String(x).toLowerCase().replace("inity", "")));
  const given = { a: { type: "f32", init: { values: text(a) } }, b: { type: "f32", init: { values: text(b) } } };
  const o = { type: "f32", count: 8, init: { fill: 0 }, output: true };
  for (const to of ["msl", "glsl", "opencl", "hlsl", "ts"] as const) {
    const launches = [{ workgroups: [1], args: { ...given, o } }];
    const { result, firstDifference } = await verify(sources[from], { from, to, launches });
    expect([to, result], JSON.stringify(firstDifference)).toEqual([to, "equivalent"]);
  }
});
