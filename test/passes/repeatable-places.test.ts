/**
 * Assignments that name their place twice once they are written out: what the indices do happens once, and in its order.
 * Every kernel adds to three elements of its lane's four; the counter ends at 3.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { twoWayDialects } from "../../src/dialects/ids.js";

interface Kernel {
  readonly from: "glsl" | "opencl" | "hlsl" | "msl";
  readonly text: string;
}

const statements = (type: string): string => `
  ${type} a[4];
  for (int k = 0; k < 4; k++) a[k] = ${type}(k + 1);
  int i = 0;
  a[i++] += ${type}(60);
  a[i++]++;
  ++a[i++];
`;

const inOpenCL = (type: string): string => statements(type).replaceAll(`${type}(`, `(${type})(`);
const kernels: readonly (readonly [string, Kernel])[] = [
  ...["int", "uint", "float", "short", "char", "long"].map((type): readonly [string, Kernel] => [
    `opencl ${type}`,
    {
      from: "opencl",
      text: `kernel void k(global int *x) { ${inOpenCL(type)}
  for (int k = 0; k < 4; k++) x[k] = (int)a[k];
  x[4] = i; }`,
    },
  ]),
  ...["int", "float", "char"].map((type): readonly [string, Kernel] => [
    `msl ${type}`,
    {
      from: "msl",
      text: `#include <metal_stdlib>
using namespace metal;
kernel void k(device int *x [[buffer(0)]]) { ${statements(type)}
  for (int k = 0; k < 4; k++) x[k] = int(a[k]);
  x[4] = i; }`,
    },
  ]),
  ...["int", "uint", "vec2", "mat2"].map((type): readonly [string, Kernel] => [
    `glsl ${type}`,
    {
      from: "glsl",
      text: `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer X { int x[]; };
void main() { ${type === "mat2" ? statements(type).replace("mat2(k + 1)", "mat2(k + 1, 0, 0, 0)").replace("mat2(60)", "mat2(60, 0, 0, 0)") : statements(type)}
  for (int k = 0; k < 4; k++) x[k] = int(a[k]${type === "vec2" ? ".x" : type === "mat2" ? "[0].x" : ""});
  x[4] = i; }`,
    },
  ]),
  ...["int", "float"].map((type): readonly [string, Kernel] => [
    `hlsl ${type}`,
    {
      from: "hlsl",
      text: `RWStructuredBuffer<int> x : register(u0);
[numthreads(1, 1, 1)]
void k() { ${statements(type)}
  for (int k = 0; k < 4; k++) x[k] = int(a[k]);
  x[4] = i; }`,
    },
  ]),
];

async function run(text: string, from: Kernel["from"]): Promise<readonly number[]> {
  const done = await simulate(text, {
    from,
    workgroups: [1],
    workgroupSize: [1, 1, 1],
    // Guards of bounds ask for the length.
    args: { x: new Int32Array(5), ...(/\bx_length\b/.test(text) ? { x_length: 5 } : {}) },
  });
  expect(done.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return [...(done.buffers!.x as Int32Array)];
}

describe.each(kernels)("%s", (_name, { from, text }) => {
  // 1 + 60, 2 + 1, 3 + 1, 4, and three steps of the counter.
  const expected = [61, 3, 4, 4, 3];
  test("does what its indices do once", async () => {
    expect(await run(text, from)).toEqual(expected);
    for (const to of twoWayDialects) {
      for (const strict of [false, true]) {
        const made = await translate(text, { from, to, strict, workgroupSize: [1, 1, 1] });
        expect(
          made.diagnostics.filter((d) => d.severity === "error"),
          `${to} ${strict}`,
        ).toEqual([]);
        expect(await run(made.code!, to), `${to} ${strict}\n${made.code}`).toEqual(expected);
      }
    }
  });
});

/**
 * Operands that change the place: the old value is read last. DXC, as clang, computes the right side before it reads the left one
 * (CodeGen of compound assignments), and glslang loads the left side when it makes the operation: drivers give 0 for `v -= (v = b)`.
 */
describe.each(["uint8_t", "int16_t", "int", "uint", "float"])(
  "glsl: the value changes what is assigned, %s",
  (type) => {
    const text = `#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer X { int x[]; };
void main() {
  ${type} v = ${type}(40), b = ${type}(x[0] + 7);
  v -= (v = b);
  x[0] = int(v);
  precise ${type} w = ${type}(40);
  w *= (w = b);
  x[1] = int(w);
  ${type} q = ${type}(40);
  q /= (q = b);
  x[2] = int(q);
  int i = 0;
  ${type} a[4] = ${type}[4](b, b, b, b);
  a[i] += ${type}(i = 2);
  x[3] = int(a[0]);
  x[4] = int(a[2]);
}
`;
    const expected = [0, 49, 1, 9, 7];
    test("is read last", async () => {
      expect(await run(text, "glsl")).toEqual(expected);
      for (const to of twoWayDialects) {
        for (const strict of [false, true]) {
          // Only MSL 3.2 can be held to what a `precise` variable asks for.
          const profile = to === "msl" && strict ? { profile: "msl3.2" } : {};
          const made = await translate(text, { from: "glsl", to, strict, ...profile, workgroupSize: [1, 1, 1] });
          expect(await run(made.code!, to), `${to} ${strict}\n${made.code}`).toEqual(expected);
        }
      }
    });
  },
);
