/** What a language declares and crosslane does not translate is called that, and never undeclared. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isBuiltin } from "../../src/dialects/builtins.js";
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";
import { languages, readingFacts } from "../../src/dialects/languages.js";
import { translate } from "../../src/index.js";
import { clang } from "../../src/judges/opencl.js";
import { judgeable, judgeOutputs, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

/** Statements that a compiler takes, each with something that is not translated. */
const kernels: Partial<
  Record<TwoWayDialect, { readonly around: (s: string) => string; readonly uses: readonly string[] }>
> = {
  opencl: {
    around: (s) =>
      `__kernel void k(__global float *x, __local float *l, read_only image2d_t t, sampler_t m) { ${s} }\n`,
    uses: [
      "float4 c = read_imagef(t, m, (float2)(0.5f, 0.5f)); x[0] = c.x;",
      "x[0] = get_image_width(t);",
      "x[0] = vec_step(x[1]);",
      "x[0] = (CLK_NORMALIZED_COORDS_TRUE | CLK_FILTER_LINEAR);",
    ],
  },
  glsl: {
    around: (s) => `#version 450
#extension GL_EXT_ray_query : require
#extension GL_ARB_shader_clock : require
#extension GL_EXT_debug_printf : require
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer X { float x[]; };
layout(binding = 1) uniform sampler2D t;
layout(binding = 2, r32f) uniform image2D i;
void main() { ${s} }\n`,
    uses: [
      "x[0] = texelFetch(t, ivec2(0), 0).x;",
      "x[0] = textureLod(t, vec2(0), 0.0).x;",
      "x[0] = imageLoad(i, ivec2(0)).x;",
      "x[0] = float(imageSize(i).x);",
      "x[0] = float(clock2x32ARB().x);",
      'debugPrintfEXT("%f", x[0]);',
      "x[0] = float(gl_MaxComputeWorkGroupSize.x);",
    ],
  },
  hlsl: {
    around: (s) => `RWStructuredBuffer<float> x : register(u0);
[numthreads(1, 1, 1)] void k(uint i : SV_DispatchThreadID) { ${s} }\n`,
    uses: [
      "x[i] = D3DCOLORtoUBYTE4(float4(1, 2, 3, 4)).x;",
      "x[i] = CheckAccessFullyMapped(i);",
      "x[i] = lit(1.0f, 1.0f, 1.0f).x;",
      "RayQuery<RAY_FLAG_NONE> q; x[i] = q.RayFlags();",
    ],
  },
  msl: {
    around: (s) => `#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], texture2d<float> t [[texture(0)]]) { ${s} }\n`,
    uses: [
      "constexpr sampler s(filter::linear); x[0] = t.sample(s, float2(0)).x;",
      "simdgroup_float8x8 m; simdgroup_load(m, x); simdgroup_store(m, x);",
      "x[0] = float(t.get_width());",
    ],
  },
};

/** Each use alone, with no parameter that is refused before it: those are declared in the body's place. */
for (const from of twoWayDialects) {
  describe(from, () => {
    const { around, uses } = kernels[from]!;
    test.each(uses)("%s", async (use) => {
      const { code, diagnostics } = await translate(around(use), { from, to: "ts" });
      const errors = diagnostics.filter((d) => d.severity === "error").map((d) => `${d.code} ${d.message}`);
      if (code === undefined) expect(errors.filter((e) => !e.startsWith("XL1900"))).toEqual([]);
      expect(errors.join("\n")).not.toMatch(/not declared|not known/);
    });
    if (from !== "msl")
      judgeTest(judges[from], "a compiler takes these", async () => {
        const texts = uses.map((use, i) => judgeable(from, `${i}`, around(use)));
        expect(refusals(await judgeOutputs(texts))).toBe("");
      });
  });
}

test.each(twoWayDialects)("no name of %s stands in two tables", (dialect) => {
  const { words } = languages[dialect];
  const reserved = languages[dialect].reserved();
  const twice = [...readingFacts(dialect).builtins.names].filter(
    (name) =>
      words.types.has(name) ||
      words.typePattern.test(name) ||
      words.typeTemplates.has(name) ||
      words.functionTemplates.has(name) ||
      reserved.declared.has(name) ||
      reserved.declaredForm?.test(name) === true ||
      reserved.more?.function?.has(name) === true,
  );
  expect(twice).toEqual([]);
});

judgeTest(judges.opencl, "every function and constant of clang's own header is known", () => {
  const folder = join(execFileSync(clang()!, ["-print-resource-dir"], { encoding: "utf8" }).trim(), "include");
  const text = ["opencl-c.h", "opencl-c-base.h"]
    .map((f) => readFileSync(join(folder, f), "utf8"))
    .join("\n")
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  const names = new Set<string>();
  // Declarations begin a line; what is called in them are attributes.
  for (const [, name] of text.matchAll(/^[\w\s]*?\b([a-z]\w*)\s*\((?!\()/gm)) names.add(name!);
  for (const [, name] of text.matchAll(
    /^#define\s+((?:CLK|M|FLT|DBL|HALF|INT|UINT|LONG|ULONG|CHAR|SCHAR|UCHAR|SHRT|USHRT)_\w+)/gm,
  ))
    names.add(name!);
  expect(names.size).toBeGreaterThan(500);
  const others = new Set(["deprecated", "defined"]);
  expect([...names].filter((name) => !isBuiltin("opencl", name) && !others.has(name))).toEqual([]);
});
