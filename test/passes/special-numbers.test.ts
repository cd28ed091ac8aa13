/**
 * NaN, infinities and signed zeros, which OpenCL C keeps and the others' compilers may take for absent: a listed assumption, and
 * with --strict asked for in the text where there are words for it. The execution mode is SPIR-V's SignedZeroInfNanPreserve.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { simulate, translate, type TranslateOptions } from "../../src/index.js";
import { deviceTest } from "../device/device-test.js";
import { findProgram } from "../support/judges/judge.js";
import { judgeable, judgeOutputs, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest, toolTest } from "../support/tool-test.js";
import { runHere } from "../device/run-here.js";

const kernel = (body: string, memory = "float"): string =>
  `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k(global ${memory} *x, global int *r) {
  uint i = get_global_id(0);
  ${body}
}`;
const mode = (width: number): string =>
  `spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, ${width});`;
const told = "r[i] = isnan(x[i]) ? 1 : 0;";

async function assumed(source: string, options: TranslateOptions): Promise<number> {
  const { assumptions, diagnostics } = await translate(source, options);
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return assumptions.filter((a) => a.op === "special-numbers").length;
}

describe("where the text can tell it is said", () => {
  const telling = [
    told,
    "r[i] = isinf(x[i]);",
    "r[i] = isfinite(x[i]);",
    "r[i] = isnormal(x[i]);",
    "r[i] = signbit(x[i]);",
    "r[i] = isordered(x[i], 1.0f);",
    "r[i] = isunordered(x[i], 1.0f);",
    "r[i] = x[i] != x[i];",
    "float y = x[i]; r[i] = !(y == y);",
    "x[i] = fmin(x[i], 1.0f);",
    "x[i] = fmax(x[i], 1.0f);",
    "x[i] = minmag(x[i], 1.0f);",
    "x[i] = copysign(1.0f, x[i]);",
    "x[i] = atan2(x[i], -1.0f);",
    "x[i] = sign(x[i]);",
    "x[i] = x[i] > 3.0f ? INFINITY : x[i];",
    "x[i] = x[i] > 3.0f ? NAN : x[i];",
    "x[i] = x[i] * -0.0f;",
    "r[i] = x[i] * 0.0f == 0.0f;",
    "x[i] = nan(7u);",
    "r[i] = ilogb(x[i]);",
    "r[i] = as_int(x[i]);",
    "x[i] = as_float(0x7f800000);",
  ];
  for (const to of ["glsl", "msl", "hlsl"] as const) {
    test.each(telling)(`to ${to}: %s`, async (body) => {
      expect(await assumed(kernel(body), { from: "opencl", to })).toBe(1);
    });
  }
  const silent = [
    "x[i] = x[i] * 2.0f + sqrt(x[i]);",
    "r[i] = x[i] < 1.0f;",
    "x[i] = as_float(r[i]);",
    "r[i] = i == i;",
  ];
  test.each(silent)("and nowhere else: %s", async (body) => {
    for (const to of ["glsl", "msl", "hlsl"] as const)
      expect(await assumed(kernel(body), { from: "opencl", to })).toBe(0);
  });
});

describe("with strict", () => {
  test("GLSL asks for them, for floats of the width that is used", async () => {
    const options = { from: "opencl", to: "glsl", strict: true } as const;
    const plain = await translate(kernel(told), options);
    expect(plain.assumptions).toEqual([]);
    expect(plain.code).toContain(`#extension GL_EXT_spirv_intrinsics : require`);
    expect(plain.code!.match(/spirv_execution_mode.*/g)).toEqual([mode(32)]);
    const double = await translate(kernel(told, "double"), options);
    expect(double.code!.match(/spirv_execution_mode.*/g)).toEqual([mode(64)]);
    const untold = await translate(kernel("x[i] = x[i] * 2.0f;"), options);
    expect(untold.code).not.toContain("spirv_execution_mode");
  });

  test.each(["half", "float and double"])("GLSL cannot ask for two widths: %s", async (memory) => {
    const source = memory === "half" ? kernel(told, "half") : kernel(`${told} double d = x[i]; r[i] += d > 3.0;`);
    const { diagnostics } = await translate(source, { from: "opencl", to: "glsl", strict: true });
    expect(diagnostics.map((d) => d.code)).toContain("XL4009");
  });

  test.each([
    ["glsl", "vulkan1.1"],
    ["msl", "msl3.1"],
    ["hlsl", undefined],
  ] as const)("%s without words for it is refused", async (to, profile) => {
    const { code, diagnostics } = await translate(kernel(told), {
      from: "opencl",
      to,
      strict: true,
      ...(profile ? { profile } : {}),
    });
    expect(code).toBeUndefined();
    expect(diagnostics.map((d) => [d.code, d.message.split(":")[0]])).toContainEqual(["XL4009", "special-numbers"]);
  });

  test("MSL from 3.2 on says it in a pragma", async () => {
    const { code, assumptions } = await translate(kernel(told), {
      from: "opencl",
      to: "msl",
      strict: true,
      profile: "msl3.2",
    });
    expect(assumptions).toEqual([]);
    expect(code).toContain("#pragma METAL fp math_mode(safe)\n");
  });
});

const glsl = (line: string, body: string): string => `#version 450
#extension GL_EXT_spirv_intrinsics : require
${line}
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer X { float x[]; };
void main() { uint i = gl_GlobalInvocationID.x; ${body} }`;

describe("texts that keep them", () => {
  const test32 = "x[i] = isnan(x[i]) ? 1.0 : 0.0;";
  test("GLSL that says so is read, and written again", async () => {
    expect(await assumed(glsl(mode(32), test32), { from: "glsl", to: "msl" })).toBe(1);
    expect(await assumed(glsl("", test32), { from: "glsl", to: "msl" })).toBe(0);
    expect(await assumed(glsl(mode(16), test32), { from: "glsl", to: "hlsl" })).toBe(0);
    expect(await assumed(glsl(mode(32), test32), { from: "glsl", to: "opencl" })).toBe(0);
    const { code } = await translate(glsl(mode(32), test32), { from: "glsl", to: "glsl" });
    expect(code).toContain(`\n${mode(32)}\n`);
    const msl = await translate(glsl(mode(32), test32), { from: "glsl", to: "msl", strict: true, profile: "msl3.2" });
    expect(msl.code).toContain("#pragma METAL fp math_mode(safe)\n");
  });

  test("HLSL that calls variables precise does", async () => {
    const hlsl = (word: string): string =>
      `RWStructuredBuffer<float> x : register(u0);\n[numthreads(8, 1, 1)] void k(uint i : SV_GroupIndex) { ${word}float y = x[i] - x[i + 8]; x[i] = isnan(y) ? 1.0 : y; }`;
    expect(await assumed(hlsl("precise "), { from: "hlsl", to: "glsl" })).toBe(1);
    expect(await assumed(hlsl(""), { from: "hlsl", to: "glsl" })).toBe(0);
  });

  test("MSL that says so is", async () => {
    const msl = (pragma: string): string =>
      `#include <metal_stdlib>\n${pragma}\nusing namespace metal;\nkernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = isnan(x[i]) ? 1.0f : 0.0f; }`;
    const options = { from: "msl", to: "glsl", workgroupSize: [8] } as const;
    expect(await assumed(msl("#pragma METAL fp math_mode(safe)"), options)).toBe(1);
    expect(await assumed(msl("#pragma METAL fp math_mode(fast)"), options)).toBe(0);
    expect(await assumed(msl(""), options)).toBe(0);
    const { code } = await translate(msl("#pragma METAL fp math_mode(safe)"), { from: "msl", to: "msl" });
    expect(code).toContain("#pragma METAL fp math_mode(safe)\n");
  });

  test("other execution modes are refused by name", async () => {
    const line = 'spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4465], 4460, 32);';
    const { diagnostics } = await translate(glsl(line, test32), { from: "glsl", to: "msl" });
    expect(diagnostics.map((d) => d.code)).toEqual(["XL1900"]);
  });
});

describe("the compilers", () => {
  const strict = async (memory: string): Promise<string> =>
    (await translate(kernel(told, memory), { from: "opencl", to: "glsl", strict: true })).code!;

  judgeTest(judges.glsl, "glslang and spirv-val take the execution modes", async () => {
    const texts = await Promise.all(["float", "double"].map(async (m) => judgeable("glsl", m, await strict(m))));
    expect(refusals(await judgeOutputs(texts))).toBe("");
  });

  const programs = ["glslangValidator", "spirv-dis"];
  const missing = programs.filter((p) => findProgram(p) === undefined);
  toolTest(missing, "and SPIR-V has them", async () => {
    const folder = mkdtempSync(join(tmpdir(), "modes-"));
    try {
      writeFileSync(join(folder, "a.comp"), await strict("double"));
      const at = { cwd: folder, encoding: "utf8" } as const;
      execFileSync(findProgram("glslangValidator")!, ["-V", "--target-env", "vulkan1.2", "a.comp", "-o", "a.spv"], at);
      const listing = execFileSync(findProgram("spirv-dis")!, ["a.spv"], at);
      expect(listing).toContain("OpCapability SignedZeroInfNanPreserve");
      expect(listing.match(/SignedZeroInfNanPreserve \d+/g)).toEqual(["SignedZeroInfNanPreserve 64"]);
      // Why a text asks for one width only: of two glslang keeps one, and the other's numbers were open in silence.
      const two = (await strict("double")).replace(mode(64), `${mode(32)}\n${mode(64)}`);
      writeFileSync(join(folder, "a.comp"), two);
      execFileSync(findProgram("glslangValidator")!, ["-V", "--target-env", "vulkan1.2", "a.comp", "-o", "a.spv"], at);
      const modes = execFileSync(findProgram("spirv-dis")!, ["a.spv"], at).match(/SignedZeroInfNanPreserve \d+/g);
      expect(modes).toEqual(["SignedZeroInfNanPreserve 64"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  judgeTest(judges.msl, "the MSL shim takes the pragma", async () => {
    const { code } = await translate(kernel(told), { from: "opencl", to: "msl", strict: true, profile: "msl3.2" });
    expect(refusals(await judgeOutputs([judgeable("msl", "safe", code!)]))).toBe("");
  });
});

test("formulas give a NaN to no function that leaves it open, though another branch has the result", async () => {
  const { code } = await translate(kernel("x[i] = erf(x[i]) + erfc(x[i]);"), { from: "opencl", to: "glsl" });
  const x = Float32Array.of(NaN, Infinity, -Infinity, 0, -0, 0.5, 3, -3);
  const { buffers, findings } = await simulate(code!, {
    from: "glsl",
    workgroups: [1],
    args: { x, r: new Int32Array(8) },
  });
  expect(findings.map((f) => f.message)).toEqual([]);
  const [ofNaN, ...others] = buffers["x"] as Float32Array;
  expect(ofNaN).toBeNaN();
  for (const sum of others) expect(sum).toBeCloseTo(1, 6);
});

await deviceTest("vulkan", "a driver runs it, and keeps them", async () => {
  const { code } = await translate(kernel("r[i] = isnan(x[i]) ? 1 : isinf(x[i]) ? 2 : signbit(x[i]) ? 3 : 0;"), {
    from: "opencl",
    to: "glsl",
    strict: true,
  });
  expect(code).toContain(mode(32));
  const x = Float32Array.of(NaN, Infinity, -Infinity, -0, 0, -1, 1, 1e-30);
  const { buffers, diagnostics } = await runHere(code!, {
    from: "glsl",
    device: "vulkan",
    workgroups: [1],
    args: { x, r: new Int32Array(8) },
  });
  expect(diagnostics).toEqual([]);
  expect([...(buffers["r"] as Int32Array)]).toEqual([1, 2, 2, 3, 0, 3, 0, 0]);
});
