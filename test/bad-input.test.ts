/**
 * Whatever is handed in, the answer is a diagnostic within the limits: no exception, no hang, and never text for a kernel
 * that is wrong.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile } from "../src/api/compile.js";
import type { Compilation } from "../src/api/compile.js";
import { translateTo } from "../src/api/translate.js";
import { twoWayDialects } from "../src/dialects/ids.js";
import type { TwoWayDialect } from "../src/dialects/ids.js";
import { translate } from "../src/index.js";
import { renderDiagnostic } from "../src/support/render.js";
import { fixturesFolder } from "./support/expectations.js";
import { processorTime } from "./support/processor-time.js";

const folder = join(fixturesFolder, "errors");
const update = process.env.UPDATE_GOLDEN === "1";
const dialectOf: Readonly<Record<string, TwoWayDialect>> = {
  metal: "msl",
  comp: "glsl",
  cl: "opencl",
  hlsl: "hlsl",
};

function rendered({ diagnostics, source }: Compilation): string {
  return diagnostics.map((d) => `${renderDiagnostic(d, () => source)}\n`).join("\n");
}

/** Samples of what is valid and cannot be written for some target: their layouts differ there, and pointers may point into them. */
const refusedByTargets = new Set(["packed-vectors"]);

describe("samples", () => {
  // What codes have is test/codes.test.ts.
  test.each(
    readdirSync(folder)
      .filter((name) => !/^XL\d/.test(name))
      .sort(),
  )("%s", async (name) => {
    const file = readdirSync(join(folder, name)).find((f) => f.startsWith("input."))!;
    const text = readFileSync(join(folder, name, file), "utf8");
    const compilation = await compile(text, { from: dialectOf[file.split(".").at(-1)!]!, fileName: file });
    const { module } = compilation;
    expect(module !== undefined, rendered(compilation)).toBe(refusedByTargets.has(name));
    const each = module ? twoWayDialects.map((to) => translateTo(compilation, to, { workgroupSize: [64, 1, 1] })) : [];
    const diagnostics = module ? (await Promise.all(each)).flatMap((t) => t.diagnostics) : compilation.diagnostics;
    const output = rendered({ ...compilation, diagnostics });
    const errors = diagnostics.filter((d) => d.severity === "error");
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length, output).toBeLessThanOrEqual(20);
    for (const { code, message, location } of errors) {
      expect(code).not.toBe("XL9001");
      expect(message).not.toBe("");
      expect(location?.file).toBe(file);
    }
    const golden = join(folder, name, "expected.txt");
    if (update) writeFileSync(golden, output);
    expect(existsSync(golden), `${golden} is missing`).toBe(true);
    expect(output).toBe(readFileSync(golden, "utf8"));
  });
});

/** The smallest kernel of each dialect around a body. */
const around: Readonly<Record<TwoWayDialect, (body: string) => string>> = {
  msl: (body) =>
    `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n${body}\n}\n`,
  glsl: (body) =>
    `#version 450\nlayout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer X { float x[]; };\nvoid main() {\nuint i = gl_GlobalInvocationID.x;\n${body}\n}\n`,
  opencl: (body) => `__kernel void k(__global float *x) {\nint i = (int)get_global_id(0);\n${body}\n}\n`,
  hlsl: (body) =>
    `RWStructuredBuffer<float> x : register(u0);\n[numthreads(64, 1, 1)]\nvoid main(uint3 gid : SV_DispatchThreadID) {\nuint i = gid.x;\n${body}\n}\n`,
};

async function refusal(text: string, from: TwoWayDialect): Promise<string> {
  const start = processorTime();
  const compilation = await compile(text, { from });
  const seconds = (processorTime() - start) / 1000;
  expect(compilation.module).toBeUndefined();
  const codes = compilation.diagnostics.filter((d) => d.severity === "error").map((d) => d.code);
  expect(codes.length).toBeGreaterThan(0);
  expect(codes.length).toBeLessThanOrEqual(100);
  expect(codes).not.toContain("XL9001");
  // Two seconds, and what the collector's threads take.
  expect(seconds).toBeLessThan(3);
  return codes.join(" ");
}

describe.each(twoWayDialects)("%s", (from) => {
  const deep = 10_000;
  test("the kernel around the bodies is a kernel", async () => {
    const good = await compile(around[from]("x[i] = 1.0f;"), { from });
    expect(rendered(good)).toBe("");
  });

  test.each<[string, string]>([
    ["parentheses", `x[i] = ${"(".repeat(deep)}1.0f${")".repeat(deep)};`],
    ["open parentheses", `x[i] = ${"(".repeat(deep)}`],
    ["blocks", "{".repeat(deep) + "}".repeat(deep)],
    ["conditions", "if (i == 0) ".repeat(deep) + "x[i] = 1.0f;"],
    ["loops", "for (;;) ".repeat(deep) + ";"],
    ["unary minus", `x[i] = ${"- ".repeat(deep)}1.0f;`],
    ["indices", `x[i] = ${"x[".repeat(deep)}0${"]".repeat(deep)};`],
    ["calls", `x[i] = ${"max(1.0f, ".repeat(deep)}1.0f${")".repeat(deep)};`],
    ["conditional operators", `x[i] = ${"i == 0 ? 1.0f : ".repeat(deep)}1.0f;`],
    ["assignments", `${"x[i] = ".repeat(deep)}1.0f;`],
  ])("10,000-deep %s", async (_, body) => void (await refusal(around[from](body), from)));

  test("a file of 5 MB", async () => {
    const text = around[from](`${"x[i] = x[i] + 1.0f;\n".repeat(262_144)}`);
    expect(text.length).toBeGreaterThan(5_000_000);
    await refusal(text, from);
  });

  test("a line of 5 MB", async () => void (await refusal("a".repeat(5_000_000), from)));

  test("binary data", async () => {
    let seed = 1;
    const text = Array.from({ length: 20_000 }, () =>
      String.fromCharCode((seed = Math.imul(seed, 48271) & 0x7fffffff) & 0xff),
    ).join("");
    await refusal(text, from);
  });

  test.each([
    ["nothing", ""],
    ["blanks", "  \n\t\n"],
    ["a comment", "// only a comment\n"],
    ["an open comment", "/* never closed"],
    ["a lone brace", "}"],
    ["an open string", '"abc'],
    ["a stray character", "@"],
    ["an endless macro", "#define A B\n#define B A\nA A A\n"],
    ["an include that is not there", '#include "nowhere.h"\n'],
    ["an open condition", "#if 1\n"],
    ["_Pragma before a directive", "_Pragma\n#define A\n"],
    ["#line with a macro that is never closed", "#define F(a) a\n#line F(\n"],
    ["#include with a macro that is never closed", "#define F(a) a\n#include F(\n"],
    [
      "#line with a macro that grows without end",
      `${Array.from({ length: 40 }, (_, i) => `#define M${i + 1} M${i} M${i}`).join("\n")}\n#define M0 1\n#line M40\n`,
    ],
    [
      "a macro that doubles itself",
      `${Array.from({ length: 40 }, (_, i) => `#define M${i + 1} M${i} M${i}`).join("\n")}\n#define M0 x\nM40\n`,
    ],
  ])("%s", async (_, text) => void (await refusal(text, from)));

  test("an include that includes itself", async () => {
    const compilation = await compile('#include "a.h"\n', { from, include: { "a.h": '#include "a.h"\n' } });
    expect(compilation.module).toBeUndefined();
    expect(compilation.diagnostics.length).toBeGreaterThan(0);
  });

  test("three independent mistakes are three errors, and no more", async () => {
    const compilation = await compile(around[from]("x[i] = one;\nx[i] = two;\nx[i] = three;"), { from });
    const errors = compilation.diagnostics.filter((d) => d.severity === "error");
    expect(errors.map((d) => d.message.match(/one|two|three/)?.[0])).toEqual(["one", "two", "three"]);
  });
});

test("6,000 constants, each made of the one before, are translated", async () => {
  const constants = Array.from({ length: 6000 }, (_, i) => `constant int c${i} = ${i === 0 ? "1" : `c${i - 1} + 1`};`);
  const source = `${constants.join("\n")}\nkernel void k(global int *o) { o[0] = c5999; }\n`;
  const { code, diagnostics } = await translate(source, { from: "opencl", to: "glsl", workgroupSize: [1, 1, 1] });
  expect(diagnostics).toEqual([]);
  expect(code).toContain("c5999");
});
