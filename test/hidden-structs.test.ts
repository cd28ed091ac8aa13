/** Variables, buffers and functions whose name a struct or enumeration of the same scope has, too (C++14 3.3.10 (2), and DXC). */
import { describe, expect, test } from "vitest";
import { translate } from "../src/index.js";
import type { SourceDialect } from "../src/dialects/ids.js";
import { floats, main, shapesCompute, type Shape } from "./support/hlsl-shapes.js";
import { missingForDxc } from "./support/judges/dxc.js";
import { acceptedByDxc } from "./support/oracles/dxc-accepts.js";
import { toolTest } from "./support/tool-test.js";

const shapes: readonly Shape[] = [
  {
    name: "buffers, variables and functions with names of structs",
    text: `struct Light { float a; };
enum Kind { one, two };
StructuredBuffer<Light> Light;
StructuredBuffer<struct Light> more;
static float Kind = 7;
struct twice { float a; };
float twice(float a) { struct twice t; t.a = a; return t.a * 2; }
float take(struct Light x) { return x.a; }
static float late = 3;
struct late { float z; };
RWStructuredBuffer<float> o;
${main} {
  struct Light local = Light[i];
  struct Point { float q; };
  Point Point; Point.q = 4;
  struct late z; z.z = late;
  { struct Light { float b; }; struct Light inner; inner.b = 1; local.a += inner.b; }
  enum Kind k = two;
  o[i] = take(local) + twice(Light[i].a) + more[i].a + Kind + Point.q + z.z + k;
}`,
    args: { Light: floats((i) => i), more: floats((i) => 100 * i), o: floats(() => 0) },
    o: (i) => i + 1 + 2 * i + 100 * i + 7 + 4 + 3 + 1,
  },
];

describe("HLSL", () => shapesCompute(shapes));

async function problem(text: string, from: SourceDialect = "hlsl"): Promise<string | undefined> {
  const { diagnostics } = await translate(text, { from, to: "msl" });
  return diagnostics.find((d) => d.severity === "error")?.message;
}

/** Each file by itself, with what it is refused for here. */
const files: readonly (readonly [text: string, refused?: string])[] = [
  ["struct A1 { uint n; }; ConstantBuffer<A1> A1 : register(b0); uint f1() { return A1.n; }"],
  ["struct A2 { uint n; }; static A2 A2 = { 1 }; uint f2() { struct A2 x; x.n = 1; return A2.n + x.n; }"],
  ["struct A3 { uint n; }; cbuffer Q3 { A3 A3; } uint f3() { struct A3 x; x.n = 1; return A3.n + x.n; }"],
  ["struct A4 { uint n; }; groupshared A4 A4[4]; uint f4() { return A4[0].n; }"],
  ["struct A5 { uint n; }; uint f5(A5 A5) { A5.n += 1; return A5.n; }"],
  ["struct A6 { uint n; }; cbuffer A6 { uint q6; } uint f6() { A6 x; x.n = 2; return q6 + x.n; }"],
  [
    "struct A7 { uint n; }; static uint A7 = 1; uint f7() { A7 x; return A7; }",
    "'A7' names something else here, which hides the type",
  ],
  [
    "struct A8 { uint n; }; StructuredBuffer<A8> A8; StructuredBuffer<A8> b8; uint f8() { return b8[0].n; }",
    "'A8' names something else here, which hides the type",
  ],
  ["typedef int A9; static int A9 = 3; int f9() { return A9; }", "'A9' is declared twice in this scope"],
  [
    "template <typename T> struct A10 { T n; }; static uint A10 = 1; uint f10() { return A10; }",
    "'A10' is declared twice in this scope",
  ],
];

test.each(files.map(([text, refused]) => ({ text, refused })))("$text", async ({ text, refused }) => {
  const called = text.match(/f\d+(?=\()/)![0];
  const argument = text.match(/f5\((A5)/) ? "x" : "";
  const local = argument ? "struct A5 x; x.n = 1; " : "";
  const kernel = `RWStructuredBuffer<uint> o : register(u9); ${main} { ${local}o[i] = ${called}(${argument}); }`;
  expect(await problem(`${text}\n${kernel}`)).toBe(refused);
});

toolTest(missingForDxc(), "DXC takes those alone", async () => {
  const said = await acceptedByDxc(files.map(([text]) => ({ text })));
  expect(said.map((s) => s === "taken")).toEqual(files.map(([, refused]) => refused === undefined));
});

test("structs of GLSL are no names apart, and those of C are", async () => {
  const glsl = `#version 450
layout(local_size_x = 8) in;
struct S { float a; };
layout(binding = 0) buffer B { float o[]; };
const float S = 1.0;
void main() { o[0] = S; }`;
  expect(await problem(glsl, "glsl")).toBe("'S' is declared twice in this scope");
  const c =
    "struct S { float a; }; constant float S = 1; kernel void k(global float *o) { struct S s = { S }; *o = s.a; }";
  expect(await problem(c, "opencl")).toBeUndefined();
});
