import { expect, test } from "vitest";
import { translate } from "../../src/index.js";

test("a variable called rank or extent is compared, and begins no template", async () => {
  const source = `kernel void k(device uint *y [[buffer(0)]], constant uint &n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uint rank = i + 1, extent = 2;
  if (rank < n) y[i] = extent < n ? 1 : 2;
}`;
  const { code, diagnostics } = await translate(source, { from: "msl", to: "glsl", workgroupSize: [64] });
  expect(diagnostics).toEqual([]);
  expect(code).toContain("if (rank < n) y[i] = extent < n ? 1 : 2;");
});

test("so are variables called as Metal's class templates are", async () => {
  const names = ["array", "matrix", "vec", "uniform", "conditional", "function", "get"];
  for (const name of names) {
    const source = `kernel void k(device uint *y [[buffer(0)]], constant uint &n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uint ${name} = i + 1;
  if (${name} < n && ${name}<uint(7) && n > 2) y[i] = ${name} < n ? 1 : 2;
}`;
    const { diagnostics } = await translate(source, { from: "msl", to: "glsl", workgroupSize: [64] });
    expect(diagnostics, name).toEqual([]);
  }
});

test("a variable's name is a template's where types follow", async () => {
  const source = `#include <metal_stdlib>
using namespace metal;
float f(vec<float, 2> x, metal::vec<float, 4> y) { return x.y + y.w; }
kernel void k(device float *y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  vec<float, 2> a = vec<float, 2>(1.0f, 2.0f);
  float4 vec = float4(i);
  y[i] = vec.x < a.x ? f(a, vec) : 0.0f;
}`;
  const { diagnostics, code } = await translate(source, { from: "msl", to: "glsl", workgroupSize: [64] });
  expect(diagnostics).toEqual([]);
  expect(code).toContain("vec2 a = vec2(1.0, 2.0);");
});
