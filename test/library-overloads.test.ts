/**
 * Functions of the source that are named like the library's, those that a kernel only seems to need, and arguments that the
 * host may leave out. What glslang chooses is read off the code it makes.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { missingPrograms } from "./support/judges/judge.js";
import { judgeTest, toolTest } from "./support/tool-test.js";

const judged: Judgeable[] = [];

describe("GLSL takes the library's function where it takes the arguments as they are", () => {
  const text = `#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer B { int o[]; };
int abs(uint x) { return 100; }
int min(int a, float b) { return 200; }
void main() { int i = int(gl_GlobalInvocationID.x); o[i] = abs(i - 2) + 10 * min(i, 2) + 1000 * min(i, 2u); }
`;
  // abs(int) and min(int, int) are the library's, min(int, uint) is that of the source.
  const expected = [2, 11, 20, 21].map((n) => n + 200000);

  test.each(["glsl", "msl", "opencl", "hlsl"] as const)("to %s", async (to) => {
    const { code, diagnostics } = await translate(text, { from: "glsl", to });
    expect(diagnostics).toEqual([]);
    judged.push(judgeable(to, `overloads to ${to}`, code!));
    const { buffers } = await simulate(code!, {
      from: to,
      workgroups: [1],
      workgroupSize: [4],
      args: { o: new Int32Array(4) },
    });
    expect([...(buffers["o"] as Int32Array)], code).toEqual(expected);
  });

  toolTest(missingPrograms(["glslangValidator", "spirv-dis"]), "glslang does", () => {
    const folder = mkdtempSync(join(tmpdir(), "crosslane-overloads-"));
    try {
      const [source, binary] = [join(folder, "k.comp"), join(folder, "k.spv")];
      writeFileSync(source, text);
      expect(spawnSync("glslangValidator", ["-V", source, "-o", binary]).status).toBe(0);
      const code = spawnSync("spirv-dis", [binary], { encoding: "utf8" }).stdout;
      expect(code.match(/OpExtInst %int %\w+ SAbs/g)).toHaveLength(1);
      expect(code.match(/OpExtInst %int %\w+ SMin/g)).toHaveLength(1);
      expect(code.match(/OpFunctionCall %int/g)).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("a function whose body is not read", () => {
  const text = `#include <metal_stdlib>
using namespace metal;
inline int f(int x) { return x + 1; }
inline float f(float x) { return x * not_there(x); }
inline int g(uint x) { return int(f(float(x))); }
inline int g(int x) { return f(x); }
kernel void a(device int* o [[buffer(0)]]) { o[0] = f(2) + g(3); }
kernel void b(device int* o [[buffer(0)]]) { o[0] = int(f(2.0f)); }
kernel void c(device int* o [[buffer(0)]]) { o[0] = g(2u); }
`;

  test("stops what calls it, through others, and not what calls another of its name", async () => {
    const { code, diagnostics } = await translate(text, { from: "msl", to: "opencl" });
    expect(code?.match(/__kernel void \w+/g)).toEqual(["__kernel void a"]);
    const refused = diagnostics.filter((d) => d.code === "XL4011");
    expect(refused.map((d) => /kernel '(\w)'/.exec(d.message)?.[1])).toEqual(["b", "c"]);
    for (const d of refused) expect(d.notes[0]?.message).toContain("not_there");
    const { buffers } = await simulate(code!, {
      from: "opencl",
      workgroups: [1],
      workgroupSize: [1],
      args: { o: new Int32Array(1) },
    });
    expect([...(buffers["o"] as Int32Array)]).toEqual([7]);
  });

  test("is an error where nothing else is asked for, at its place", async () => {
    const { code, diagnostics } = await translate(text, { from: "msl", to: "opencl", entry: "c" });
    expect(code).toBeUndefined();
    const error = diagnostics.find((d) => d.severity === "error");
    expect([error?.code, error?.location?.line]).toEqual(["XL2001", 4]);
  });
});

test("a list for a template's parameter is no value of a type of the file that is named alike", async () => {
  const text = `#include <metal_stdlib>
using namespace metal;
struct T { int a; int b; };
template <typename T, typename U> int f(T a, U b) { return int(b); }
kernel void k(device int* o [[buffer(0)]]) { o[0] = f({1, 2}, 3); }
`;
  // C++14 14.8.2.1: nothing is deduced from a list.
  const { code, diagnostics } = await translate(text, { from: "msl", to: "opencl" });
  expect(code).toBeUndefined();
  expect(diagnostics.find((d) => d.severity === "error")?.location?.line).toBe(5);
});

test("a function of a namespace is read without those beside it, in the unnamed ones, too", async () => {
  const text = `#include <metal_stdlib>
using namespace metal;
namespace lib { float half_of(float x) { return x * 0.5f; } float odd(float x) { return x <=> 1.0f; }
  namespace { float third(float x) { return x / 3; } float even(texture2d<float> t) { return t.get_width(); } }
  float both(float x) { return half_of(x) + third(x); } }
kernel void k(device float* o [[buffer(0)]]) { o[0] = lib::both(o[0]); }
`;
  const { code, diagnostics } = await translate(text, { from: "msl", to: "opencl" });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(code).not.toMatch(/odd|even/);
  const args = { o: Float32Array.of(6) };
  const { buffers } = await simulate(code!, { from: "opencl", workgroups: [1], workgroupSize: [1], args });
  expect([...(buffers["o"] as Float32Array)]).toEqual([5]);
});

describe("a buffer that the host gives where a constant is true (MSL 5.8.1)", () => {
  const text = `#include <metal_stdlib>
using namespace metal;
constant bool has_b [[function_constant(0)]];
kernel void k(device int* o [[buffer(0)]], device const int* b [[buffer(1), function_constant(has_b)]],
  constant const int* s [[buffer(2)]], uint i [[thread_position_in_grid]]) { o[i] = s[1] + (has_b ? b[i] : 1); }
`;

  test.each(["msl", "glsl", "opencl", "hlsl"] as const)("whose constant is given, to %s", async (to) => {
    const target = { from: "msl", to, workgroupSize: [2, 1, 1] } as const;
    const bound = (emulations: readonly { readonly message: string }[]): string[] =>
      emulations.map((n) => n.message).filter((m) => m.startsWith("b is bound"));
    const absent = await translate(text, { ...target, spec: { has_b: false } });
    expect(bound(absent.emulations)).toEqual(["b is bound though has_b is false"]);
    const there = await translate(text, { ...target, spec: { has_b: true } });
    expect(bound(there.emulations)).toEqual([]);
    for (const { code } of [absent, there]) judged.push(judgeable(to, `function_constant given to ${to}`, code!));
  });

  test.each(["msl", "glsl", "opencl", "hlsl"] as const)("whose constant is computed, to %s", async (to) => {
    const both = text
      .replace("kernel", "constant bool more [[function_constant(1)]];\nconstant bool both = has_b && more;\nkernel")
      .replace("function_constant(has_b)", "function_constant(both)")
      .replace("has_b ? b[i]", "both ? b[i]");
    const { code, emulations } = await translate(both, { from: "msl", to, workgroupSize: [2, 1, 1] });
    judged.push(judgeable(to, `computed function_constant to ${to}`, code!));
    expect(emulations.some((n) => n.message === "b is bound whether both is true or not")).toBe(to !== "msl");
    if (to === "msl") expect(code).toContain("constant bool both = has_b && more;");
    if (to === "msl") expect(code).toContain("[[buffer(1), function_constant(both)]]");
    const argument = (value: boolean): boolean | number => (to === "msl" || to === "glsl" ? value : Number(value));
    for (const more of [true, false]) {
      const { buffers } = await simulate(code!, {
        from: to,
        workgroups: [1],
        workgroupSize: [2],
        args: {
          ...{ o: new Int32Array(2), b: Int32Array.of(5, 6), s: Int32Array.of(10, 20) },
          ...{ has_b: argument(true), more: argument(more) },
        },
      });
      expect([...(buffers["o"] as Int32Array)], code).toEqual(more ? [25, 26] : [21, 21]);
    }
  });

  test.each(["msl", "glsl", "opencl", "hlsl"] as const)("to %s", async (to) => {
    const { code, emulations } = await translate(text, { from: "msl", to, workgroupSize: [2, 1, 1] });
    judged.push(judgeable(to, `function_constant to ${to}`, code!));
    const note = emulations.find((n) => n.message.includes("b is bound whether has_b is true or not"));
    expect(note === undefined).toBe(to === "msl");
    if (to === "msl") expect(code).toContain("[[buffer(1), function_constant(has_b)]]");
    // Of targets without specialisation constants it is an argument.
    const argument = (value: boolean): boolean | number => (to === "msl" || to === "glsl" ? value : Number(value));
    for (const has_b of [true, false]) {
      const { buffers } = await simulate(code!, {
        from: to,
        workgroups: [1],
        workgroupSize: [2],
        args: { o: new Int32Array(2), b: Int32Array.of(5, 6), s: Int32Array.of(10, 20), has_b: argument(has_b) },
      });
      expect([...(buffers["o"] as Int32Array)], code).toEqual(has_b ? [25, 26] : [21, 21]);
    }
  });
});

test("an array of buffers as a parameter of a kernel is refused by that name", async () => {
  const text = `#include <metal_stdlib>
using namespace metal;
kernel void k(const array<device float*, 3> ins [[buffer(0)]], device float* o [[buffer(3)]]) { o[0] = ins[1][0]; }
`;
  const { diagnostics } = await translate(text, { from: "msl", to: "opencl" });
  expect(diagnostics.map((d) => [d.code, d.message])).toEqual([
    ["XL1900", "an array of buffers as a parameter is not supported yet"],
  ]);
});

test("an array as a parameter of a kernel is a pointer", async () => {
  const text = `#include <metal_stdlib>
using namespace metal;
kernel void k(device int* o, constant const int64_t s[2]) { o[0] = int(s[0] - s[1]); }
`;
  const { code } = await translate(text, { from: "msl", to: "opencl" });
  judged.push(judgeable("opencl", "an array as a parameter", code!));
  for (const [from, of] of [
    ["msl", text],
    ["opencl", code!],
  ] as const) {
    const args = { o: new Int32Array(1), s: BigInt64Array.of(9n, 2n) };
    const { buffers } = await simulate(of, { from, workgroups: [1], workgroupSize: [1], args });
    expect([...(buffers["o"] as Int32Array)], of).toEqual([7]);
  }
});

/** `using namespace metal` brings them to those of the file (C++14 7.3.4), of which a kernel is none that fits. */
test("a kernel named like a function of the library calls that", async () => {
  const text = `#include <metal_stdlib>
using namespace metal;
kernel void popcount(device int* o [[buffer(0)]], uint t [[thread_position_in_grid]]) { int i = int(t); o[i] = popcount(i) + abs(i - 2) * 10; }
kernel void abs(device int* o [[buffer(0)]]) { o[0] = abs(o[0]); }
`;
  for (const to of ["msl", "opencl", "hlsl", "glsl"] as const) {
    const { code, diagnostics } = await translate(text, {
      from: "msl",
      to,
      entry: "popcount",
      workgroupSize: [4, 1, 1],
    });
    expect(diagnostics.filter((d) => d.severity !== "note")).toEqual([]);
    judged.push(judgeable(to, "a kernel named like a function of the library", code!));
    const args = { o: new Int32Array(4) };
    const entry = [to === "glsl" ? "main" : "popcount", "popcount_"].find((name) => code!.includes(`void ${name}(`))!;
    const { buffers } = await simulate(code!, { from: to, entry, workgroups: [1], workgroupSize: [4], args });
    expect([...(buffers["o"] as Int32Array)], code).toEqual([20, 11, 1, 12]);
  }
});

test("NaN is a constant at file scope of OpenCL C", async () => {
  const text = `#include <metal_stdlib>
using namespace metal;
constant float a = NAN; constant float b = a; constant half c = half(NAN);
kernel void k(device float* o [[buffer(0)]]) { o[0] = b; o[1] = c; }
`;
  const { code } = await translate(text, { from: "msl", to: "opencl" });
  judged.push(judgeable("opencl", "NaN at file scope", code!));
  const { buffers } = await simulate(code!, {
    from: "opencl",
    workgroups: [1],
    workgroupSize: [1],
    args: { o: new Float32Array(2) },
  });
  expect([...(buffers["o"] as Float32Array)]).toEqual([NaN, NaN]);
});

for (const dialect of ["msl", "glsl", "opencl", "hlsl"] as const)
  judgeTest(judges[dialect], `the ${dialect} compiler accepts the texts`, async () => {
    expect(refusals(await judgeOutputs(judged.filter((j) => j.dialect === dialect)))).toBe("");
  });
