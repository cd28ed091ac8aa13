/** Comments beside the arguments of a kernel stand beside what these become: a parameter, a buffer, a member of a block. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { translate } from "../src/index.js";
import type { TargetDialect, TwoWayDialect } from "../src/index.js";

const metal = `#include <metal_stdlib>
using namespace metal;
struct Params { float a; uint n; };
// Of a helper.
float f(float x, // the first
        /* the second */ float y) { return x * y; }
// Scales x.
kernel void scale( // the head
    // The input, one
    // number a thread.
    device const float *x [[buffer(0)]], // in
    device float *y [[buffer(1)]], /* before p */ constant Params &p [[buffer(2)]],  // sizes (two)
    /* more */ constant uint &m [[buffer(3)]],
    uint i [[thread_position_in_grid]]) // the thread
{
  // body
  if (i < p.n) y[i] = f(p.a, x[i]) + m; // done
}
`;

const glsl = `#version 450
layout(local_size_x = 32) in;
// the kernel
layout(std430, binding = 0) readonly buffer A { float a[]; }; // [n]
// the other
layout(std430, binding = 1) buffer B { float b[]; };
layout(push_constant) uniform P { uint n; /* how many */ float s; // scale
};
// Scales.
void main() { uint i = gl_GlobalInvocationID.x; if (i < n) b[i] = a[i] * s; }
`;

async function textOf(source: string, from: TwoWayDialect, to: TargetDialect): Promise<string> {
  const { code, diagnostics } = await translate(source, { from, to, workgroupSize: [32] });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return code!;
}

/** The lines of the text from the one that begins so, up to one that ends so. */
function part(text: string, first: string, last: string): string[] {
  const lines = text.split("\n").map((l) => l.trim());
  const from = lines.findIndex((l) => l.startsWith(first));
  const to = lines.findIndex((l, i) => i >= from && l.endsWith(last));
  return lines.slice(from, to + 1);
}

describe("of a list of parameters", () => {
  test("to a list", async () => {
    expect(part(await textOf(metal, "msl", "opencl"), "// Of a", "{\n".trim())).toEqual([
      "// Of a helper.",
      "// the first",
      "/* the second */",
      "float f(float x, float y) {",
    ]);
    expect(part(await textOf(metal, "msl", "opencl"), "// Scales", "{")).toEqual([
      "// Scales x.",
      "// the head",
      "// the thread",
      "__kernel void scale(",
      "// The input, one",
      "// number a thread.",
      "__global const float *x, // in",
      "__global float *y,",
      "/* before p */",
      "struct Params p, // sizes (two)",
      "/* more */",
      "uint m) {",
    ]);
  });

  test("to blocks and buffers", async () => {
    expect(part(await textOf(metal, "msl", "glsl"), "// The input", "};\n".trim())[2]).toMatch(/^layout.*\}; \/\/ in$/);
    expect(part(await textOf(metal, "msl", "hlsl"), "// The input", "};")).toEqual([
      "// The input, one",
      "// number a thread.",
      "StructuredBuffer<float> x : register(t0); // in",
      "RWStructuredBuffer<float> y : register(u1);",
      "/* before p */",
      "cbuffer Params1 : register(b0) {",
      "Params p; // sizes (two)",
      "/* more */",
      "uint m;",
      "};",
    ]);
  });
});

test("of blocks and buffers to a list; what stands before the first of a file stays in front", async () => {
  expect(part(await textOf(glsl, "glsl", "opencl"), "// the kernel", "{")).toEqual([
    "// the kernel",
    "// Scales.",
    "__attribute__((reqd_work_group_size(32, 1, 1)))",
    "__kernel void compute_main(",
    "__global const float *a, // [n]",
    "// the other",
    "__global float *b,",
    "uint n, /* how many */",
    "float s // scale",
    ") {",
  ]);
});

/** The text with a comment behind each parameter of its kernel, and how many these are. */
function commented(text: string): { readonly text: string; readonly count: number } | undefined {
  const head = /(?:\b|__)kernel\b[^;{}]*?void\s+\w+\s*\(/.exec(text);
  if (!head || text.includes("template")) return undefined;
  let at = head.index + head[0].length;
  let out = text.slice(0, at);
  let count = 0;
  for (let depth = 0; ; at++) {
    const c = text[at]!;
    if ("([{<".includes(c)) depth++;
    if (c === ")" && depth === 0) return { text: `${out} /*@${count}*/${text.slice(at)}`, count: count + 1 };
    if (")]}>".includes(c)) depth--;
    out += c === "," && depth === 0 ? `, /*@${count++}*/\n` : c;
  }
}

const fixtures = join(import.meta.dirname, "../fixtures");
const sources = (["msl", "opencl"] as const).flatMap((from) =>
  readdirSync(fixtures).flatMap((name) => {
    const file = join(fixtures, name, from === "msl" ? "kernel.metal" : "kernel.cl");
    const made = existsSync(file) ? commented(readFileSync(file, "utf8")) : undefined;
    return made ? [{ name, from, ...made }] : [];
  }),
);

describe("every comment of a parameter once", () => {
  test("there are kernels of both languages", () => {
    for (const from of ["msl", "opencl"]) expect(sources.filter((s) => s.from === from).length).toBeGreaterThan(20);
  });

  test.each(sources)("$name from $from", async ({ text, from, count }) => {
    let written = 0;
    for (const to of (["msl", "glsl", "opencl", "hlsl"] as const).filter((t) => t !== from)) {
      const { code } = await translate(text, { from, to, workgroupSize: [32] });
      // Some go to no such target.
      if (code === undefined) continue;
      written++;
      for (let i = 0; i < count; i++) expect(code.split(`/*@${i}*/`).length - 1, `${to} ${i}\n${code}`).toBe(1);
    }
    expect(written).toBeGreaterThan(0);
  });
});
