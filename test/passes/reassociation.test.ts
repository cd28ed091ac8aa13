/**
 * Sums and products whose terms cancel: OpenCL C computes them as they are written, a driver of GLSL and HLSL leaves them out but
 * for what is `precise`, and Metal's fast math may. Expected values are worked out here by rounding each step.
 */
import { describe, expect, test } from "vitest";
import { runOnDevice, translate, type TranslateOptions } from "../../src/index.js";
import { deviceTest } from "../device/device-test.js";
import { judgeable, judgeOutputs, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const r = Math.fround;
const [a, b, tiny] = [r(0.1), r(0.3), r(1e-9)];

/** Statements of one lane with a, b and tiny at hand, and what o is afterwards. */
const forms: readonly (readonly [string, number])[] = [
  ["o[g] = (a + 12582912.0f) - 12582912.0f;", 0],
  ["o[g] = add(a, 12582912.0f) - 12582912.0f;", 0],
  ["float s = a + b; o[g] = s - a;", r(r(a + b) - a)],
  ["float c = a * 4097.0f; o[g] = c - (c - a);", r(r(a * 4097) - r(r(a * 4097) - a))],
  ["float c = a * 1e30f; o[g] = (c * 1e20f) * 1e-20f;", Infinity],
  ["o[g] = 1.0f - (1.0f - a);", r(1 - r(1 - a))],
  ["o[g] = (a - tiny) - a;", 0],
  ["o[g] = a; o[g] += 12582912.0f; o[g] -= 12582912.0f;", 0],
  ["float2 v = (float2)(a, b); float2 s = v + 12582912.0f; v = s - 12582912.0f; o[g] = v.x + v.y;", 0],
  ["float2 v = (float2)(a, b); float s = v.x + 12582912.0f; v.x = s - 12582912.0f; o[g] = v.x;", 0],
  ["o[g] = x[4] - x[4];", NaN],
  ["float s = a; s += 12582912.0f; s -= 12582912.0f; o[g] = s;", 0],
  ["float s = 1.0f, c = 0.0f; for (int i = 0; i < 64; i++) o[g] = kahan(&s, &c, x[3]);", compensated()],
];

/** Kahan's sum of 1 and 64 times 2^-25, which a plain sum loses. */
function compensated(): number {
  let [s, c] = [1, 0];
  for (let i = 0; i < 64; i++) {
    const y = r(2 ** -25 - c);
    const t = r(s + y);
    c = r(r(t - s) - y);
    s = t;
  }
  return s;
}

const kernel = `float add(float a, float b) { return a + b; }
float kahan(float *s, float *c, float v) { float y = v - *c; float t = *s + y; *c = (t - *s) - y; *s = t; return t; }
__attribute__((reqd_work_group_size(16, 1, 1))) kernel void k(global const float *x, global float *o) {
  uint g = get_global_id(0);
  float a = x[0], b = x[1], tiny = x[2];
${forms.map(([body], i) => `  if (g == ${String(i)}) { ${body} }\n`).join("")}}
`;
const one = (body: string): string =>
  `kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k(global float *x, global float *y) {\n  ${body}\n}`;

async function written(source: string, options: TranslateOptions): Promise<{ code: string; assumed: number }> {
  const { code, diagnostics, assumptions } = await translate(source, options);
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return { code: code!, assumed: assumptions.filter((n) => n.op === "reassociation").length };
}

test("a compensated sum gains what a plain one loses", () => {
  expect(compensated()).toBe(1 + 2 ** -19);
  expect(r(1 + 2 ** -25)).toBe(1);
});

for (const to of ["glsl", "hlsl"] as const)
  await deviceTest(
    "vulkan",
    `${to} is computed as the source writes it on a driver, and without the word is not`,
    async () => {
      const { code } = await written(kernel, { from: "opencl", to });
      const run = async (text: string): Promise<number[]> => {
        const args = { x: Float32Array.of(a, b, tiny, 2 ** -25, Infinity), o: new Float32Array(16) };
        const options = { from: to, device: "vulkan", here: true, workgroups: [1], args } as const;
        const { buffers, diagnostics } = await runOnDevice(text, options);
        expect(diagnostics).toEqual([]);
        return [...(buffers["o"] as Float32Array)].slice(0, forms.length);
      };
      const expected = forms.map(([, value]) => value);
      expect(await run(code)).toEqual(expected);
      expect(await run(code.replaceAll("precise ", ""))).not.toEqual(expected);
    },
  );

describe("what is marked", () => {
  test.each([
    "float s = x[0] + y[0]; x[1] = s - x[0];",
    "float s = x[0] * y[0]; x[1] = s / y[0];",
    "float p = x[0] * y[0]; x[1] = fma(x[0], y[0], -p);",
    "x[1] = x[0] * 3.0f / 3.0f;",
    "float u = 1.0f + x[0]; if (u != 1.0f) x[1] = x[0] / (u - 1.0f);",
    "for (int i = 0; i < 8; i++) { float t = x[i] + y[i]; y[i] = t - y[i]; }",
    "float l[2]; l[0] = x[0] + y[0]; l[1] = l[0] - x[0]; x[1] = l[1];",
  ])("%s", async (body) => {
    for (const to of ["glsl", "hlsl"] as const)
      expect((await written(one(body), { from: "opencl", to })).code).toContain("precise float");
    expect((await written(one(body), { from: "opencl", to: "msl" })).assumed).toBeGreaterThan(0);
  });

  test.each([
    "x[0] = x[0] * y[0] + x[1];",
    "float s = 0.0f; for (int i = 0; i < 8; i++) s += x[i]; y[0] = s;",
    "float s = x[0] + y[0]; s = x[1] + y[1]; x[2] = s - x[0];",
    "float s = x[0]; if (y[0] > 1.0f) s = y[1]; x[1] = s - x[0];",
    "x[1] = x[0] * 0.25f * 4.0f;",
    "x[1] = x[0] - floor(x[0]);",
    "x[1] = (1.0f - y[0]) * x[0] + y[0] * x[2];",
  ])("and what is not: %s", async (body) => {
    for (const to of ["glsl", "hlsl"] as const)
      expect((await written(one(body), { from: "opencl", to })).code).not.toContain("precise");
    expect((await written(one(body), { from: "opencl", to: "msl" })).assumed).toBe(0);
  });
});

const cancels = "float s = x[0] + y[0]; x[1] = s - x[0];";
const glsl = (word: string): string =>
  `#version 450\nlayout(local_size_x = 8) in;\nlayout(std430, binding = 0) buffer X { float x[]; };\nvoid main() { ${word}float s = x[0] + x[1]; ${word}float d = s - x[0]; x[2] = d; }`;
const msl = (pragma: string): string =>
  `#include <metal_stdlib>\n${pragma}\nusing namespace metal;\nkernel void k(device float *x [[buffer(0)]], device float *y [[buffer(1)]]) { ${cancels} }`;

describe("who asks for it", () => {
  test("MSL from 3.2 on says it of the text; before it is refused with --strict", async () => {
    const there = await written(one(cancels), { from: "opencl", to: "msl", profile: "msl3.2" });
    expect(there.assumed).toBe(0);
    expect(there.code).toContain("#pragma METAL fp math_mode(safe)\n");
    const { diagnostics } = await translate(one(cancels), { from: "opencl", to: "msl", strict: true });
    expect(diagnostics.map((d) => [d.code, d.message.split(":")[0]])).toContainEqual(["XL4009", "reassociation"]);
  });

  test("what is carried out by formulas that count on it asks for it, too", async () => {
    const of = (name: string): string => one(`x[0] = ${name}(y[0]);`);
    for (const name of ["log1p", "tgamma"])
      expect((await written(of(name), { from: "opencl", to: "msl" })).assumed).toBe(1);
    expect((await written(of("expm1"), { from: "opencl", to: "msl" })).assumed).toBe(0);
    const there = await written(of("log1p"), { from: "opencl", to: "msl", profile: "msl3.2" });
    expect(there.assumed).toBe(0);
    expect(there.code).toContain("#pragma METAL fp math_mode(safe)\n");
  });

  test("texts of the others do where they say so", async () => {
    expect((await written(glsl("precise "), { from: "glsl", to: "msl" })).assumed).toBe(1);
    expect((await written(glsl(""), { from: "glsl", to: "msl" })).assumed).toBe(0);
    const safe = "#pragma METAL fp math_mode(safe)";
    const options = { from: "msl", to: "glsl", workgroupSize: [8] } as const;
    expect((await written(msl(safe), options)).code).toContain("precise float");
    expect((await written(msl(""), options)).code).not.toContain("precise");
    expect((await written(glsl("precise "), { from: "glsl", to: "opencl" })).assumed).toBe(0);
  });
});

for (const to of ["glsl", "hlsl", "msl"] as const)
  judgeTest(judges[to], `compilers of ${to} take it`, async () => {
    const { code } = await written(kernel, { from: "opencl", to });
    expect(refusals(await judgeOutputs([judgeable(to, "kernel", code)]))).toBe("");
  });
