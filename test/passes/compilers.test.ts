/** What single compilers ask of texts that their languages allow otherwise. */
import { expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { judgeOutputs, judgeable, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const small = `__kernel void k(__global short *a, __global short *b, __global char *c) {
  uint i = get_global_id(0);
  a[i] = min(b[i], b[i + 1]);
  c[i] = clamp(c[i], c[i + 1], c[i + 2]);
}`;

judgeTest(
  judges.glsl,
  "glslang gets its capability for builtin functions on small values straight from buffers",
  async () => {
    const { code } = await translate(small, { from: "opencl", to: "glsl", workgroupSize: [8] });
    expect(refusals(await judgeOutputs([judgeable("glsl", "small", code!)]))).toBe("");
  },
);

test("an operand straight from a buffer is kept in a local", async () => {
  const { code } = await translate(small, { from: "opencl", to: "glsl", workgroupSize: [8] });
  expect(code).toContain("int16_t value = b[i];\n  a[i] = min(value, b[i + 1u]);");
});

const loop = (body: string): string => `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer B { int o[]; };
void main() { int k = 0; ${body} }`;

test.each([
  "for (;;) { k++; o[k & 7] = k; }",
  "while (true) { switch (k++) { case 9: break; } }",
  "do { o[0]++; } while (true);",
])("DXC takes no loop that nothing leaves: %s", async (body) => {
  const { code, diagnostics } = await translate(loop(body), { from: "glsl", to: "hlsl" });
  expect(code).toBeUndefined();
  expect(diagnostics.map((d) => d.code)).toEqual(["XL4008"]);
});

judgeTest(judges.hlsl, "and takes those that a break or a return leaves", async () => {
  const bodies = [
    "for (;;) { k++; if (k > 9) break; }",
    "while (true) { switch (k++) { case 9: return; } o[k] = k; }",
    "do { if (o[k++] > 3) return; } while (true);",
  ];
  const texts = await Promise.all(
    bodies.map(async (b) => judgeable("hlsl", b, (await translate(loop(b), { from: "glsl", to: "hlsl" })).code!)),
  );
  expect(refusals(await judgeOutputs(texts))).toBe("");
});

const atomics = `#version 450
layout(local_size_x = 8) in;
struct S { uint a; int b[2]; float c; };
shared S s;
layout(std430, binding = 0) buffer B { int o[]; };
void main() {
  s = S(0u, int[2](1, 2), 0.5);
  barrier();
  atomicAdd(s.a, 1u);
  atomicAdd(s.b[gl_LocalInvocationIndex & 1u], 2);
  barrier();
  o[gl_LocalInvocationIndex] = int(s.a) + s.b[1] * 10 + int(s.c * 200.0);
}`;

judgeTest(judges.msl, "MSL: an object that holds atomics is written part by part", async () => {
  const { code } = await translate(atomics, { from: "glsl", to: "msl" });
  expect(code).toMatch(/atomic_store_explicit\(&s\.b\[1\], 2, memory_order_relaxed\);\n\s+s\.c = 0\.5f;/);
  expect(refusals(await judgeOutputs([judgeable("msl", "atomics", code!)]))).toBe("");
});

judgeTest(judges.msl, "MSL: an object that holds atomics is copied where its new parts read it", async () => {
  const reading = atomics.replace("S(0u, int[2](1, 2), 0.5)", "S(uint(s.b[0]), int[2](int(s.a), s.b[0]), 0.25)");
  const { code } = await translate(reading, { from: "glsl", to: "msl" });
  expect(code).toMatch(/S value = \{[^;]*\};\n\s+atomic_store_explicit\(&s\.a, value\.a, memory_order_relaxed\);/);
  expect(refusals(await judgeOutputs([judgeable("msl", "atomics", code!)]))).toBe("");
});

const fileScope: Readonly<Record<string, string>> = {
  matrices: `static const float2x3 A = float2x3(1, 2, 3, 4, 5, 6); static const float3x2 T = transpose(A); static const float2x2 P = mul(A, T);
static const float D = determinant(float2x2(1, 2, 3, 4));
[numthreads(1, 1, 1)] void k() { o[0] = asuint(P[1][0]); o[1] = asuint(D); o[2] = asuint(T[2][1]); }`,
  bits: `static const uint R = reversebits(1u); static const int L = firstbitlow(8u); static const uint C = countbits(255u) + L;
[numthreads(1, 1, 1)] void k() { o[0] = R; o[1] = L; o[2] = C; }`,
  floats: `static const float S = sinh(0.0) + mad(2.0, 3.0, 4.0); static const float E = ldexp(1.5, 2) + length(float3(3, 4, 0));
static const uint H = f32tof16(1.5);
[numthreads(1, 1, 1)] void k() { o[0] = asuint(S); o[1] = asuint(E); o[2] = H; }`,
};
const bitsOf = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0]!;
/** Worked out by hand: 4 + 10 + 18 = 32, and -2; bit 31, bit 3, 8 + 3; 10, 6 + 5, and 1.5 as a half. */
const fileScopeValues: Readonly<Record<string, readonly number[]>> = {
  matrices: [bitsOf(32), bitsOf(-2), bitsOf(6)],
  bits: [0x80000000, 3, 11],
  floats: [bitsOf(10), bitsOf(11), 0x3e00],
};

judgeTest(judges.glsl, "functions that glslang does not fold are no constants at file scope", async () => {
  const texts = await Promise.all(
    Object.entries(fileScope).map(async ([name, text]) => {
      const source = `RWStructuredBuffer<uint> o : register(u0);\n${text}`;
      const { code } = await translate(source, { from: "hlsl", to: "glsl" });
      for (const [from, kernel] of [
        ["hlsl", source],
        ["glsl", code!],
      ] as const) {
        const { buffers } = await simulate(kernel, { from, workgroups: [1, 1, 1], args: { o: new Uint32Array(3) } });
        expect([...(buffers["o"] as Uint32Array)], `${name}\n${kernel}`).toEqual(fileScopeValues[name]);
      }
      return judgeable("glsl", name, code!);
    }),
  );
  expect(refusals(await judgeOutputs(texts))).toBe("");
});

judgeTest(
  judges.glsl,
  "an index of sizes that is outside of its array and never reached is one of its elements",
  async () => {
    const source = `#define LENGTH 256
__kernel void k(__global ulong *o) {
  ulong m[16];
  for (int i = 0; i < 16; i++) m[i] = o[i];
  if (LENGTH % sizeof(ulong)) m[(LENGTH - 128) / sizeof(ulong)] = 0;
  for (int i = 0; i < 16; i++) o[i] = m[i] + 1;
}`;
    const { code } = await translate(source, { from: "opencl", to: "glsl", workgroupSize: [1, 1, 1] });
    expect(refusals(await judgeOutputs([judgeable("glsl", "outside", code!)]))).toBe("");
  },
);
