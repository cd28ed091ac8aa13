/** Translations of files of which kernels need a part, and of which a part can be translated. */
import { describe, expect, test } from "vitest";
import { check, translate, verify, type TranslateResult } from "../../src/index.js";
import {
  targetDialects,
  targets,
  twoWayDialects,
  type TwoWayDialect,
  type TargetDialect,
} from "../../src/dialects/ids.js";
import { judgeable, judgeOutputs, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

interface Shipped {
  readonly source: string;
  readonly header: string;
}

/** In the style of libraries: a header with a licence, types and helpers, some of which nobody translates, and kernels. */
const shipped: Partial<Readonly<Record<TwoWayDialect, Shipped>>> = {
  opencl: {
    header: `/*
 * Copyright of the header
 */
#ifndef COMMON_H
#define COMMON_H
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define ROWS 4
#define UNUSED_LIMIT 512 /* nobody asks */
typedef image1d_t row_t; // not translated
typedef struct { half d; uchar qs[16]; } block_q4;
typedef struct { float lo, hi; } range_t;
/* clamp to a range */
inline float limit(float v, range_t r) { return fmin(fmax(v, r.lo), r.hi); }
/* of whole rows */
inline float row_sum(row_t r) { return read_imagef(r, 0).x; }
inline float dequantize(global const block_q4 *b, int i) { return b->qs[i & 15] * b->d; }
#endif
`,
    source: `// Kernels of a library
#include "common.h"

// keeps values in range
kernel void clip(global float *x, global const float *y) {
  range_t r;
  r.lo = -1.0f;
  r.hi = (float)ROWS;
  uint i = get_global_id(0);
  x[i] = limit(y[i], r);
}

// works on rows
kernel void rows(global float *x, read_only image1d_t y) {
  x[get_global_id(0)] = row_sum(y);
}

kernel void twice(global float *x) { x[get_global_id(0)] *= 2.0f; }
`,
  },
  msl: {
    header: `// Copyright of the header
#pragma once
struct unused_args { ulong ne00; ulong nb00; };
struct range_t { float lo; float hi; };
typedef texture2d<float, access::read> image_t;
static inline float limit(float v, range_t r) { return min(max(v, r.lo), r.hi); }
static inline float read_from(image_t t, uint2 p) { return t.read(p).x; }
`,
    source: `// Kernels of a library
#include <metal_stdlib>
using namespace metal;
#include "common.h"

kernel void clip(device float *x [[buffer(0)]], device const float *y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  range_t r;
  r.lo = -1.0f;
  r.hi = 4.0f;
  x[i] = limit(y[i], r);
}

kernel void rows(device float *x [[buffer(0)]], texture2d<float, access::read> t [[texture(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = read_from(t, uint2(i, 0));
}

kernel void twice(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] *= 2.0f; }
`,
  },
  hlsl: {
    header: `// Copyright of the header
struct range_t { float lo; float hi; };
Texture2D<float> image;
float limit(float v, range_t r) { return min(max(v, r.lo), r.hi); }
float read_from(uint2 p) { return image[p]; }
`,
    source: `// Kernels of a library
#include "common.h"
RWStructuredBuffer<float> x : register(u0);
StructuredBuffer<float> y : register(t0);

[numthreads(32, 1, 1)] void clip(uint i : SV_DispatchThreadID) {
  range_t r;
  r.lo = -1.0f;
  r.hi = 4.0f;
  x[i] = limit(y[i], r);
}

[numthreads(32, 1, 1)] void rows(uint i : SV_DispatchThreadID) { x[i] = read_from(uint2(i, 0)); }

[numthreads(32, 1, 1)] void twice(uint i : SV_DispatchThreadID) { x[i] *= 2.0f; }
`,
  },
};

const cases = Object.entries(shipped) as [TwoWayDialect, Shipped][];

function into(from: TwoWayDialect, to: TargetDialect | "ts", entry?: string): Promise<TranslateResult> {
  const { source, header } = shipped[from]!;
  const include = { "common.h": header };
  return translate(source, {
    from,
    to,
    include,
    workgroupSize: [32, 1, 1],
    ...((entry ?? to === "glsl") ? { entry: entry ?? "clip" } : {}),
  });
}

describe.each(cases)("kernels of which one cannot be translated, from %s", (from, { source, header }) => {
  test.each(targets.filter((t) => t !== "glsl"))("to %s: the others are, and the report says so", async (to) => {
    const { code, refused, diagnostics } = await into(from, to);
    expect(code).toMatch(/\bclip\b/);
    expect(code).toMatch(/\btwice\b/);
    expect(code).not.toMatch(/\b(rows|row_sum|read_from|block_q4|unused_args|UNUSED_LIMIT|nobody|whole rows)\b/);
    expect(refused.map((r) => r.entry)).toEqual(["rows"]);
    expect(refused[0]!.diagnostics[0]!.code).toBe("XL1900");
    expect(diagnostics.every((d) => d.severity === "warning")).toBe(true);
    expect(diagnostics.map((d) => d.message)).toContain("kernel 'rows' cannot be translated, and is left out");
  });

  test("the header's own are left out and listed, where no kernel needs them", async () => {
    const { leftOut } = await into(from, from === "msl" ? "opencl" : "msl", "clip");
    const listed = leftOut.map((d) => d.names[0]);
    expect(listed).not.toContain("limit");
    expect(leftOut.every((d) => d.file === "common.h" && d.line > 1)).toBe(true);
    if (from === "opencl") expect(listed).toEqual(["block_q4", "dequantize"]);
  });

  test("the one that is asked for has to be translated", async () => {
    const { code, refused, diagnostics } = await into(from, "ts", "rows");
    expect(code).toBeUndefined();
    expect(refused).toEqual([]);
    expect(diagnostics.some((d) => d.severity === "error" && d.code === "XL1900")).toBe(true);
  });

  test("with everything kept nothing is", async () => {
    const all = await translate(source, { from, to: "ts", include: { "common.h": header }, keepUnused: true });
    expect(all.code).toBeUndefined();
    const report = await check(source, { from, include: { "common.h": header }, targets: ["ts"] });
    expect(report.refused.map((r) => r.entry)).toEqual(["rows"]);
    expect(report.portability[0]!.verdict).not.toBe("refused");
  });

  test.each(targetDialects.filter((to) => to !== from))("to %s: what is translated computes the same", async (to) => {
    const { result } = await verify(source, {
      from,
      to,
      include: { "common.h": header },
      entry: "clip",
      subgroupSizes: [4, 32],
    });
    expect(result).toBe("equivalent");
  });
});

for (const to of twoWayDialects)
  judgeTest(judges[to], `the ${to} compiler takes the parts`, async () => {
    const texts = await Promise.all(cases.map(async ([from]) => judgeable(to, from, (await into(from, to)).code!)));
    expect(refusals(await judgeOutputs(texts))).toBe("");
  });

describe("what a target refuses", () => {
  const doubles = `#pragma OPENCL EXTENSION cl_khr_fp64 : enable
double exact(double v) { return v * v; }
kernel void wide(global double *x) { x[get_global_id(0)] = exact(x[get_global_id(0)]); }
kernel void plain(global float *x) { x[get_global_id(0)] += 1.0f; }
`;

  test("stops the kernels that reach it", async () => {
    const { code, refused, diagnostics } = await translate(doubles, { from: "opencl", to: "msl" });
    expect(code).toContain("kernel void plain");
    expect(code).not.toMatch(/wide|exact|double/);
    expect(refused.map((r) => r.entry)).toEqual(["wide"]);
    expect(refused[0]!.diagnostics.every((d) => d.severity === "error")).toBe(true);
    expect(diagnostics.map((d) => d.message)).toContain("kernel 'wide' cannot be translated to msl, and is left out");
    const whole = await translate(doubles, { from: "opencl", to: "hlsl", workgroupSize: [32] });
    expect(whole.refused).toEqual([]);
    expect(whole.code).toContain("void wide(");
  });

  test("stops the file where it is all there is", async () => {
    const only = doubles.replace(/kernel void plain.*/, "");
    const { code, diagnostics } = await translate(only, { from: "opencl", to: "msl" });
    expect(code).toBeUndefined();
    expect(diagnostics.some((d) => d.severity === "error")).toBe(true);
  });

  test("and nothing where no kernel reaches it", async () => {
    const dead = doubles.replace(/kernel void wide.*\n/, "");
    const { code, leftOut, refused } = await translate(dead, { from: "opencl", to: "msl" });
    expect(code).not.toMatch(/double|exact/);
    expect(leftOut.map((d) => d.names)).toEqual([["exact"]]);
    expect(refused).toEqual([]);
  });

  test("a dead function of half does not stop shader model 5", async () => {
    const source = `#include <metal_stdlib>
using namespace metal;
half dim(half v) { return v * 0.5h; }
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] += 1.0f; }
`;
    const options = { from: "msl", to: "hlsl", profile: "sm5.0", workgroupSize: [32] } as const;
    const { code, leftOut } = await translate(source, options);
    expect(code).toContain("x[i.x] += 1.0");
    expect(leftOut.map((d) => d.names)).toEqual([["dim"]]);
    expect((await translate(source, { ...options, keepUnused: true })).code).toBeUndefined();
    // Where it can be written the text would ask for 16-bit types because of it; what asks for nothing stays.
    const newer = { ...options, profile: "sm6.6" };
    expect((await translate(source, newer)).leftOut.map((d) => d.names)).toEqual([["dim"]]);
    expect((await translate(source, { ...newer, keepUnused: true })).code).toContain("dim");
    expect((await translate(source.replaceAll("half", "float"), newer)).code).toContain("dim");
  });

  test("says for which kernels, in the report of targets", async () => {
    const { portability } = await check(doubles, { from: "opencl", targets: ["msl"], profile: "msl3.0" });
    expect(portability.map((p) => [p.verdict, p.refusedEntries])).toEqual([["refused", ["wide"]]]);
    expect(portability[0]!.diagnostics.some((d) => d.severity === "error")).toBe(true);
  });
});

test("an extension that only what is left out needs is not asked for", async () => {
  const { code } = await into("opencl", "glsl");
  expect(code).not.toMatch(/#extension/);
  const { code: cl } = await translate(shipped.opencl!.source, {
    from: "opencl",
    to: "opencl",
    entry: "clip",
    include: { "common.h": shipped.opencl!.header },
  });
  expect(cl).not.toMatch(/cl_khr_fp16/);
});

test.each([
  ["float16_t dim(float16_t v) { return v * float16_t(0.5); }", "opencl", /cl_khr_fp16|dim/],
  ["double dim(double v) { return v * 0.5lf; }", "opencl", /cl_khr_fp64|dim/],
  ["vec2 dim(uint v) { return unpackHalf2x16(v) + float(bitfieldReverse(v)); }", "hlsl", /dim/],
] as const)("what no kernel calls brings no extension or emulation: %s", async (dead, to, brought) => {
  const source = `#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Y { uint y[]; };
${dead}
uint plain(uint v) { return v + 1u; }
void main() { y[0] = 2u; }
`;
  const { code, leftOut } = await translate(source, { from: "glsl", to });
  expect(code).not.toMatch(brought);
  expect(leftOut.map((d) => d.names)).toEqual([["dim"], ["plain"]]);
  const plain = await translate(source.replace(dead, ""), { from: "glsl", to });
  expect(plain.code).toContain("plain");
  expect((await translate(source, { from: "glsl", to, keepUnused: true })).code).toMatch(brought);
});

test("a function that is the argument of an instance belongs to that instance", async () => {
  const source = `#include <metal_stdlib>
using namespace metal;
typedef struct { half d; } block_t;
template <typename T> void by_lambda(device const block_t *b, thread T &r) { int n = 1; auto f = [n](half d) mutable { n++; return T(d) * n; }; r = f(b->d); }
template <typename T> void plainly(device const block_t *b, thread T &r) { r = T(b->d); }
template <typename Q, void (*f)(device const Q *, thread float &)>
kernel void rows(device const Q *x [[buffer(0)]], device float *y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float t;
  f(x + i, t);
  y[i] = t;
}
typedef decltype(rows<block_t, plainly>) rows_t;
template [[host_name("rows_plain")]] kernel rows_t rows<block_t, plainly>;
template [[host_name("rows_lambda")]] kernel rows_t rows<block_t, by_lambda>;
`;
  const { code, refused } = await translate(source, { from: "msl", to: "opencl" });
  expect(code).toContain("rows_plain(");
  expect(code).not.toContain("rows_lambda");
  expect(refused.map((r) => r.entry)).toEqual(["rows_lambda"]);
});

test("what is wrong with an instance is wrong with all kernels that want it, and with no other", async () => {
  const wide = [1, 2, 3, 4, 5, 6];
  const source = `#include <metal_stdlib>
using namespace metal;
struct wrong { float v; float get(int n) const { auto f = [n]() mutable { n++; return n; }; return v + f(); } };
struct right { float v; float get(int n) const { return v + n; } };
template <typename T> float got(float v, int n) { T t = {v}; return t.get(n); }
template <typename T, int N> kernel void k(device float *y [[buffer(0)]], uint i [[thread_position_in_grid]]) { y[i] = got<T>(y[i], N); }
template <typename T, int N> kernel void each(device float *y [[buffer(0)]], uint i [[thread_position_in_grid]]) { T t = {y[i]}; y[i] = t.get(N); }
${wide
  .map(
    (n) => `template [[host_name("k_wrong_${n}")]] kernel void k<wrong, ${n}>(device float *, uint);
template [[host_name("k_right_${n}")]] kernel void k<right, ${n}>(device float *, uint);
template [[host_name("each_wrong_${n}")]] kernel void each<wrong, ${n}>(device float *, uint);
template [[host_name("each_right_${n}")]] kernel void each<right, ${n}>(device float *, uint);`,
  )
  .join("\n")}
`;
  const { reflection, refused } = await check(source, { from: "msl" });
  const named = (word: string): string[] => wide.flatMap((n) => [`k_${word}_${n}`, `each_${word}_${n}`]).toSorted();
  expect(refused.map((r) => r.entry).toSorted()).toEqual(named("wrong"));
  expect(reflection!.entries.map((e) => e.name).toSorted()).toEqual(named("right"));
});

test("zeros that initialise threadgroup memory are taken and not written, as Metal's compiler does", async () => {
  const source = (first: string): string => `#include <metal_stdlib>
using namespace metal;
kernel void k(device float *o [[buffer(0)]], device const float *x [[buffer(1)]], uint l [[thread_position_in_threadgroup]]) {
  threadgroup float m[64] = ${first};
  m[l] = x[l];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  o[l] = m[63 - l];
}
`;
  const target = { from: "msl", to: "glsl", workgroupSize: [64, 1, 1] } as const;
  for (const first of ["{0}", "{}", "{0.0f, 0}"]) {
    const { code, assumptions } = await translate(source(first), target);
    expect(code).toMatch(/shared float m\[64\];/);
    expect(assumptions.map((a) => a.message)).toContain("nothing is read of 'm' that its initialiser gave it");
    expect((await verify(source(first), target)).result).toBe("equivalent");
  }
  // What reads it unwritten reads anything.
  const unwritten = source("{0}").replace("m[l] = x[l];", "if (l > 0) m[l] = x[l];");
  expect((await verify(unwritten, target)).result).not.toBe("equivalent");
  for (const first of ["{1}", "{0, 1}", "{x[0]}"])
    expect((await translate(source(first), target)).diagnostics.map((d) => d.message)).toContain(
      "workgroup memory cannot be initialised",
    );
});

test("workgroup memory of objects with constructors begins unwritten, which is said where it matters", async () => {
  const source = `#include <metal_stdlib>
using namespace metal;
struct pair_t { float a, b; pair_t() thread : a(0), b(0) {} pair_t() threadgroup : a(0), b(0) {} pair_t(float x) thread : a(x), b(1) {} };
kernel void k(device float *o [[buffer(0)]], device const float *x [[buffer(1)]], uint l [[thread_position_in_threadgroup]]) {
  threadgroup pair_t m[64];
  m[l] = pair_t(x[l]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  o[l] = m[63 - l].a + m[63 - l].b;
}
`;
  for (const to of targetDialects) {
    const result = await translate(source, { from: "msl", to, workgroupSize: [64, 1, 1] });
    expect(result.code, to).toBeDefined();
    const assumed = result.assumptions.filter((a) => a.message.includes("a constructor gave it"));
    expect(
      assumed.map((a) => a.locations.map((l) => l.line)),
      to,
    ).toEqual(to === "msl" ? [] : [[5]]);
    const { result: outcome } = await verify(source, { from: "msl", to, workgroupSize: [64, 1, 1] });
    expect(outcome, to).toBe("equivalent");
    const strict = await translate(source, { from: "msl", to, workgroupSize: [64, 1, 1], strict: true });
    if (to !== "msl")
      expect(
        strict.diagnostics.map((d) => d.code),
        to,
      ).toContain("XL4009");
  }
});

test("what is computed when the kernel starts stays where it writes, whoever reads the result", async () => {
  const source = `RWStructuredBuffer<uint> o : register(u0);
uint bump() { o[0] = 5u; return 1u; }
static uint never = bump();
double dead(double x) { return x * 2.0; }
[numthreads(64, 1, 1)] void a(uint3 id : SV_DispatchThreadID) { o[id.x + 1] = 3u; }
`;
  const { code, leftOut } = await translate(source, { from: "hlsl", to: "opencl" });
  expect(leftOut.flatMap((d) => d.names)).toEqual(["dead"]);
  expect(code).toMatch(/= bump\(/);
});
