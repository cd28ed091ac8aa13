/** Matrices of 16-bit components in structured buffers: DXC takes their parts from elsewhere, so that none is written there or read. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { simulate, translate, verify } from "../src/index.js";
import { inScratchFolder } from "../src/judges/run-program.js";
import { askDxc, missingForDxc } from "./support/judges/dxc.js";

const main = "[numthreads(1, 1, 1)] void main()";
const stored = [
  // They lie at 6, 12 and 2.
  { text: `struct S { row_major half2x2 m; }; RWStructuredBuffer<S> b; ${main} { b[1].m[1][1] = 3; }`, dxc: 12 },
  { text: `struct S { row_major float2x2 m; }; RWStructuredBuffer<S> b; ${main} { b[1].m[1][1] = 3; }`, dxc: 12 },
  { text: `RWStructuredBuffer<half2x2> b; ${main} { b[1]._m10 = 3; }`, dxc: 4 },
];

test.runIf(missingForDxc().length === 0)("DXC stores a part of such a matrix elsewhere", async () => {
  await inScratchFolder(async (folder) => {
    const requests = stored.map(({ text }, i) => {
      const path = join(folder, `${i}.hlsl`);
      writeFileSync(path, text);
      const args = ["-Vd", "-enable-16bit-types"];
      return { profile: "cs_6_6", entry: "main", path, args, output: `${path}.ll` };
    });
    expect(await askDxc(requests)).toEqual(stored.map(() => "ok"));
    for (const [i, { text, dxc }] of stored.entries()) {
      const module = readFileSync(requests[i]!.output, "utf8");
      const at = /rawBufferStore\.\w+\(i32 140, [^,]*, i32 1, i32 (\d+)/.exec(module)![1];
      expect(Number(at), text).toBe(dxc);
    }
  });
});

test.each([
  "RWStructuredBuffer<half2x2> b; StructuredBuffer<half2x2> c; [numthreads(1, 1, 1)] void main() { b[0] = c[1][1][0]; }",
  "struct S { uint k; int16_t2x2 m[2]; }; RWStructuredBuffer<S> b; [numthreads(1, 1, 1)] void main() { b[0].k = b[1].m[1]._m10; }",
  "RWStructuredBuffer<half2x2> b; [numthreads(1, 1, 1)] void main() { b[1][1] = half2(1, 2); }",
  "void f(RWStructuredBuffer<half2x2> q) { q[0]._m00 = 1; } RWStructuredBuffer<half2x2> b; [numthreads(1, 1, 1)] void main() { f(b); }",
])("%s is refused", async (text) => {
  const { diagnostics } = await translate(text, { from: "hlsl", to: "glsl", enable16bitTypes: true });
  expect(diagnostics.map((d) => [d.code, d.help])).toEqual([["XL1900", "copy the matrix whole: half2x2 m = b[i]"]]);
});

test("parts of matrices of bool are where they lie", async () => {
  const text = `StructuredBuffer<bool2x2> b; cbuffer C { bool1x3 e; }; RWStructuredBuffer<float> o; ${main} { o[0] = b[0][1][0] + e[0][2] * 10; }`;
  for (const to of ["glsl", "hlsl", "msl"] as const) {
    const { diagnostics } = await translate(text, { from: "hlsl", to });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  }
});

test("as a whole they are read and written", async () => {
  const text = `RWStructuredBuffer<half2x2> b; RWStructuredBuffer<float> o;
${main} { half2x2 m = b[0]; o[0] = m[1][0]; m[0] = m[1].yx; b[1] = m; o[1] = mul(b[1], half2(1, 10)).x; }`;
  // Rows 1 2 and 3 4, by columns.
  const bits = [0x3c00, 0x4200, 0x4000, 0x4400, 0, 0, 0, 0];
  const { buffers } = await simulate(text, {
    from: "hlsl",
    workgroups: [1],
    enable16bitTypes: true,
    args: { b: Uint16Array.from(bits), o: new Float32Array(2) },
  });
  expect([...(buffers.o as Float32Array)]).toEqual([3, 4 + 30]);
  expect([...(buffers.b as Uint16Array)].slice(4)).toEqual([0x4400, 0x4200, 0x4200, 0x4400]);
});

const glsl = `#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 8) in; struct S { float k; f16mat2 m; };
layout(std430, binding = 0) buffer A { f16mat2 a[]; }; layout(std430, binding = 1) buffer B { S s[]; }; layout(binding = 2) buffer O { float o[]; };
void main() { uint i = gl_GlobalInvocationID.x; o[i] = float(a[i][1][0] + s[i].m[0].y); a[i][1][1] = 3.0hf; s[i].m[1] = a[i][0]; }`;

test("to HLSL their buffers are words", async () => {
  const { code } = await translate(glsl, { from: "glsl", to: "hlsl" });
  expect(code!.match(/^RWByteAddressBuffer \w/gm)).toEqual(["RWByteAddressBuffer a", "RWByteAddressBuffer s"]);
  const { result } = await verify(glsl, { from: "glsl", to: "hlsl", subgroupSizes: [4] });
  expect(result).toMatch(/^equivalent/);
});
