/** Lists that are longer than a call can have arguments (some 120,000): nothing hands them over as such. */
import { expect, test } from "vitest";
import { simulate, translate } from "../src/index.js";

const count = 150_000;
const numbered = (line: (i: number) => string): string => Array.from({ length: count }, (_, i) => line(i)).join("\n");

test("an enumeration of 150,000 names", async () => {
  const source = `enum E {\n${numbered((i) => `e${i},`)}\n};\nkernel void k(global int *o) { o[0] = e${count - 1}; }`;
  const { code, diagnostics } = await translate(source, { from: "opencl", to: "hlsl", workgroupSize: [1, 1, 1] });
  expect(diagnostics).toEqual([]);
  expect(code).toContain(`e${count - 1}`);
  expect(code!.split("\n").length).toBeGreaterThan(count);
});

test("150,000 comments before a resource", async () => {
  const source = `#version 450\nlayout(local_size_x = 1) in;\n${numbered(() => "// c")}\nlayout(std430, binding = 0) buffer B { int b[]; };\nvoid main() { b[0] = 1; }`;
  const { code, diagnostics } = await translate(source, { from: "glsl", to: "msl" });
  expect(diagnostics).toEqual([]);
  expect(code!.split("// c").length).toBe(count + 1);
});

test.each(["msl", "opencl", "hlsl", "glsl"] as const)(
  "constant arrays of 6,000 numbers run, by way of %s",
  async (to) => {
    const rows = Array.from(
      { length: 100 },
      (_, i) => `uint[](${Array.from({ length: 60 }, (_, j) => 60 * i + j).join()})`,
    );
    const flat = Array.from({ length: 6000 }, (_, i) => 3 * i).join();
    const source = `#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer B { uint dst[]; };
const uint flat_[6000] = uint[](${flat});
const uint rows[100][60] = uint[][](${rows.join()});
void main() { uint i = gl_GlobalInvocationID.x; dst[i] = flat_[i * 1999u] * 10000u + rows[i * 33u][i + 56u]; }`;
    const { code, diagnostics } = await translate(source, { from: "glsl", to });
    expect(diagnostics).toEqual([]);
    const { buffers, findings } = await simulate(code!, {
      from: to,
      workgroups: [1],
      workgroupSize: [4],
      args: { dst: new Uint32Array(4) },
    });
    expect(findings).toEqual([]);
    const expected = [0, 1, 2, 3].map((i) => 3 * i * 1999 * 10000 + 60 * 33 * i + i + 56);
    expect([...(buffers["dst"] as Uint32Array)]).toEqual(expected);
  },
);

/** Lists of 6,000 numbers in functions, the number at `i` being `3 * i`: what the kernel computes at four places of them. */
const length = 6000;
const numbers = Array.from({ length }, (_, i) => 3 * i).join();
const rows = Array.from(
  { length: 100 },
  (_, i) => `uint[](${Array.from({ length: 60 }, (_, j) => 180 * i + 3 * j).join()})`,
);
const glsl = (body: string, top = ""): string =>
  `#version 450\nlayout(local_size_x = 4) in;\nlayout(std430, binding = 0) buffer B { uint o[]; };\n${top}\nvoid main() { uint i = gl_GlobalInvocationID.x; ${body} }`;
const opencl = (body: string): string => `kernel void k(global uint *o) { uint i = get_global_id(0); ${body} }`;
const at = (i: number): number => 3 * 1999 * i;
const local: readonly (readonly [
  name: string,
  from: "glsl" | "opencl" | "hlsl" | "msl",
  source: string,
  at: (i: number) => number,
])[] = [
  ["a constant", "glsl", glsl(`const uint t[${length}] = uint[](${numbers}); o[i] = t[i * 1999u];`), at],
  [
    "rows",
    "glsl",
    glsl(`const uint t[100][60] = uint[][](${rows.join()}); o[i] = t[i * 33u][i];`),
    (i) => 180 * 33 * i + 3 * i,
  ],
  // Of the four places only the first is written.
  [
    "a variable",
    "glsl",
    glsl(`uint t[${length}] = uint[](${numbers}); t[0] += i + 1u; o[i] = t[i * 1999u];`),
    (i) => at(i) + (i === 0 ? 1 : 0),
  ],
  ["an element of a list", "glsl", glsl(`o[i] = uint[](${numbers})[i * 1999u];`), at],
  [
    "a copy of another",
    "glsl",
    glsl(
      `uint t[${length}] = g; t[1999] = 7u; uint u[${length}] = t; t[1999] = 8u; o[i] = u[i * 1999u] + g[1];`,
      `const uint g[${length}] = uint[](${numbers});`,
    ),
    (i) => (i === 1 ? 7 : at(i)) + 3,
  ],
  [
    "an argument",
    "glsl",
    glsl(
      `const uint t[${length}] = uint[](${numbers}); o[i] = f(t, i * 1999u);`,
      `uint f(uint t[${length}], uint i) { t[0] = t[1]; return t[i] + t[0]; }`,
    ),
    (i) => (i === 0 ? 3 : at(i)) + 3,
  ],
  [
    "what the lane computes in it",
    "glsl",
    glsl(
      `uint t[${length}] = uint[](i, ${Array.from({ length: length - 1 }, (_, j) => 3 * (j + 1)).join()}); o[i] = t[0] + t[i * 1999u];`,
    ),
    (i) => i + (i === 0 ? 0 : at(i)),
  ],
  ["const", "opencl", opencl(`const uint t[${length}] = {${numbers}}; o[i] = t[i * 1999];`), at],
  ["constant", "opencl", opencl(`constant uint t[${length}] = {${numbers}}; o[i] = t[i * 1999];`), at],
  [
    "zeros behind two numbers",
    "opencl",
    opencl(`uint t[${length}] = {1, 2}; t[i * 1999] += 5; o[i] = t[i * 1999] + t[1];`),
    (i) => (i === 0 ? 6 : 5) + 2,
  ],
  [
    "static const",
    "hlsl",
    `RWStructuredBuffer<uint> o;\n[numthreads(4, 1, 1)] void k(uint i : SV_DispatchThreadID) { static const uint t[${length}] = { ${numbers} }; o[i] = t[i * 1999]; }`,
    at,
  ],
  [
    "a variable",
    "hlsl",
    `RWStructuredBuffer<uint> o;\n[numthreads(4, 1, 1)] void k(uint i : SV_DispatchThreadID) { uint t[${length}] = { ${numbers} }; t[0]++; o[i] = t[i * 1999]; }`,
    (i) => at(i) + (i === 0 ? 1 : 0),
  ],
  [
    "const",
    "msl",
    `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device uint *o [[buffer(0)]], uint i [[thread_position_in_grid]]) { const uint t[${length}] = { ${numbers} }; o[i] = t[i * 1999]; }`,
    at,
  ],
];

test.each(local)("%s in a function of %s", async (_, from, source, expected) => {
  for (const engine of ["ts", "wasm"] as const) {
    const options = { workgroups: [1], workgroupSize: [4], args: { o: new Uint32Array(4) }, engine };
    const { buffers, findings, diagnostics } = await simulate(source, { from, ...options });
    expect([diagnostics, findings]).toEqual([[], []]);
    expect([...(buffers["o"] as Uint32Array)], engine).toEqual([0, 1, 2, 3].map(expected));
  }
  const to = from === "opencl" ? "glsl" : "opencl";
  const { code } = await translate(source, { from, to, workgroupSize: [4, 1, 1] });
  const run = await simulate(code!, { from: to, workgroups: [1], workgroupSize: [4], args: { o: new Uint32Array(4) } });
  expect([...(run.buffers["o"] as Uint32Array)], to).toEqual([0, 1, 2, 3].map(expected));
});
