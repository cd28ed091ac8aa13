/**
 * Names with letters beyond ASCII. clang and DXC read them in UTF-8 (C++14 2.11, C99 6.4.2.1 and annex D), and GLSL has none (4.60
 * section 3.1). Other dialects get names of ASCII that are taken by nothing else; results are sums by hand.
 */
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate, type Diagnostic, type SourceDialect } from "../../src/index.js";
import { asciiName } from "../../src/support/ascii-names.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

test("letters have their names, marks are dropped, and the rest are numbers", () => {
  const names = ["μ", "Δt", "σ2", "ας", "naïve", "é", "µ", "ϑ", "𝜎", "Ɛ", "日", "a_b", "ж1"];
  expect(names.map(asciiName)).toEqual([
    ...[
      "mu",
      "Deltat",
      "sigma2",
      "alphasigma",
      "naive",
      "e",
      "mu",
      "theta",
      "sigma",
      "u0190",
      "u65E5",
      "a_b",
      "u04361",
    ],
  ]);
});

/** `mu` is another variable beside `μ`, `*q` is `μ` behind a pointer, and `Σ` lasts beyond the kernel that changes it. */
const body = (pointer: string): string => `float mu = β[id], μ = p.σ2 * p.Δt + mu + μ0;
  ${pointer} += Ɛ + p.mu + p.naïve;
  β[id] = ƒ(twice(μ)) + mu;`;
const sources = {
  msl: `#include <metal_stdlib>
using namespace metal;
#define Ɛ 0.25f
#define ƒ(x) (x * 2.0f)
#if ƩON || defined(Ɛ)
constant float μ0 = 0.5f;
#endif
struct Größe { float σ2; float Δt; float mu; uint naïve; };
template <typename Τ> Τ twice(Τ x) { return x + x; }
kernel void norm(device float *β [[buffer(0)]], constant Größe &p [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  ${body("thread float *q = &μ; *q")}
}
`,
  opencl: `#define Ɛ 0.25f
#define ƒ(x) (x * 2.0f)
constant float μ0 = 0.5f;
typedef struct { float σ2; float Δt; float mu; uint naïve; } Größe;
float twice(float x) { return x + x; }
kernel void norm(global float *β, Größe p) {
  size_t id = get_global_id(0);
  ${body("float *q = &μ; *q")}
}
`,
  hlsl: `#define Ɛ 0.25f
#define ƒ(x) (x * 2.0f)
static const float μ0 = 0.5f;
struct Größe { float σ2; float Δt; float mu; uint naïve; };
RWStructuredBuffer<float> β : register(u0);
ConstantBuffer<Größe> p : register(b0);
float twice(float x) { return x + x; }
[numthreads(2, 1, 1)] void norm(uint id : SV_DispatchThreadID) {
  ${body("μ")}
}
`,
} as const;
// μ is 3 * 5 + β + 0.5, then 0.25 + 7 + 1 more: 23.75 + β; four times that, and β.
const wanted = [1, 2].map((b) => 4 * (23.75 + b) + b);
const args = (beta = "β", p = ["p.σ2", "p.Δt", "p.mu", "p.naïve"]): Record<string, Float32Array | number> => ({
  [beta]: Float32Array.of(1, 2),
  ...Object.fromEntries(p.map((name, i) => [name, [3, 5, 7, 1][i]!])),
});
const errors = (list: readonly Diagnostic[]): readonly Diagnostic[] => list.filter((d) => d.severity === "error");
const launch = { workgroups: [1], workgroupSize: [2] } as const;

const texts: Judgeable[] = [];
describe.each(["msl", "opencl", "hlsl"] as const)("names of Unicode in %s", (from) => {
  const source = sources[from];
  texts.push(judgeable(from, `the source in ${from}`, source));

  test("are those of the kernel's interface", async () => {
    const { entries } = await reflect(source, { from });
    expect(entries[0]!.arguments.map((a) => a.path)).toContain("β");
    for (const engine of ["ts", "wasm"] as const) {
      const run = await simulate(source, { from, engine, ...launch, args: args() });
      expect(errors(run.diagnostics)).toEqual([]);
      expect([...(run.buffers["β"] as Float32Array)]).toEqual(wanted);
    }
  });

  test.each(["msl", "glsl", "opencl", "hlsl"] as const)("are of ASCII in %s, unless it is the source's", async (to) => {
    const { code, diagnostics } = await translate(source, { from, to, workgroupSize: [2] });
    expect(errors(diagnostics)).toEqual([]);
    texts.push(judgeable(to, `${from} to ${to}`, code!));
    if (to === from) return;
    expect(code).toMatch(/^[\0-\x7f]*$/);
    expect(code).toMatch(/\bmu\d\b/);
    for (const subgroupSize of [4, 32]) {
      // Members of HLSL's constant buffers are variables.
      const members = ["sigma2", "Deltat", "mu", "naive"].map((m) => (from === "hlsl" ? m : `p.${m}`));
      const given = args("beta", members);
      const run = await simulate(code!, { from: to, ...launch, subgroupSize, args: given });
      expect(errors(run.diagnostics), code).toEqual([]);
      expect([...(run.buffers["beta"] as Float32Array)], code).toEqual(wanted);
    }
  });
});

test("a variable of the program that a kernel changes is none that stays as it is", async () => {
  const source = `global int Σ = 3;
kernel void add(global int *o) { Σ += 4; o[0] = Σ; }
kernel void get(global int *o) { o[0] = Σ; }
`;
  texts.push(judgeable("opencl", "a variable of the program", source));
  const { entries } = await reflect(source, { from: "opencl" });
  for (const entry of entries) expect(entry.arguments.map((a) => a.path)).toContain("Σ");
  const { code } = await translate(source, { from: "opencl", to: "hlsl", entry: "get", workgroupSize: [1] });
  expect(code).toContain("RWStructuredBuffer<int> Sigma");
});

test("GLSL has letters of ASCII alone", async () => {
  const source = `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer B { float b[]; };
void main() { float μ = 1.0; b[0] = μ; }
`;
  const { code, diagnostics } = await translate(source, { from: "glsl", to: "hlsl" });
  expect(code).toBeUndefined();
  expect(errors(diagnostics).map((d) => [d.code, d.location?.line])).toEqual([["XL1002", 4]]);
  expect(errors(diagnostics)[0]!.message).toContain("'μ' (U+03BC)");
});

for (const dialect of ["msl", "glsl", "opencl", "hlsl"] satisfies SourceDialect[])
  judgeTest(judges[dialect], `${dialect}'s compiler takes them`, async () => {
    const mine = texts.filter((t) => t.dialect === dialect);
    expect(mine.length).toBeGreaterThanOrEqual(3);
    expect(refusals(await judgeOutputs(mine))).toBe("");
  });
