/** Fractions that a source keeps below 1, where the target's own may be 1: values worked out by hand. */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../../src/index.js";

const [below, halfBelow] = [1 - 2 ** -24, 1 - 2 ** -11];
/** The number, its fraction as f32, and that of what a half has of it. */
const cases: readonly (readonly [x: number, fraction: number, ofHalf: number])[] = [
  [-(2 ** -26), below, 0],
  [-(2 ** -24), below, halfBelow],
  [-(2 ** -25), below, 0],
  [-(2 ** -13), 1 - 2 ** -13, halfBelow],
  [-(2 ** -11), 1 - 2 ** -11, halfBelow],
  [-1e-15, below, 0],
  [-0.25, 0.75, 0.75],
  [-1, 0, 0],
  [1.25, 0.25, 0.25],
  [0, 0, 0],
  [-2.5, 0.5, 0.5],
  [-(2 ** 23), 0, -1],
];
const xs = Float32Array.from(cases, ([x]) => x);

const kernels: Readonly<Partial<Record<TwoWayDialect, string>>> = {
  msl: "#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device const float *a [[buffer(0)]], device float *o [[buffer(1)]], uint i [[thread_position_in_grid]]) { o[4*i] = fract(a[i]); o[4*i+1] = fract(float2(1.5f, a[i])).y; o[4*i+2] = fract(abs(a[i])); o[4*i+3] = fract(half(a[i])); }",
  opencl:
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global const float *a, global float *o) { size_t i = get_global_id(0); float w; float2 v; half h; o[4*i] = fract(a[i], &w); o[4*i+1] = fract((float2)(1.5f, a[i]), &v).y; o[4*i+2] = fract(fabs(a[i]), &w); o[4*i+3] = fract((half)a[i], &h); }",
  hlsl: "StructuredBuffer<float> a : register(t0);\nRWStructuredBuffer<float> o : register(u0);\n[numthreads(12, 1, 1)] void k(uint3 id : SV_DispatchThreadID) { uint i = id.x; o[4*i] = frac(a[i]); o[4*i+1] = frac(float2(1.5, a[i])).y; o[4*i+2] = frac(abs(a[i])); o[4*i+3] = frac((float16_t)a[i]); }",
};
const targets = ["msl", "glsl", "opencl", "hlsl"] as const;

describe("fractions below 1", () => {
  for (const [from, source] of Object.entries(kernels) as [TwoWayDialect, string][])
    for (const to of targets)
      test(`${from} to ${to}`, async () => {
        const options = { from, to, workgroupSize: [cases.length, 1, 1] } as const;
        const { code, diagnostics } =
          from === to ? { code: source, diagnostics: [] } : await translate(source, options);
        expect(diagnostics).toEqual([]);
        // HLSL's own is asked for what Direct3D promises alone.
        for (const granted of from === to ? [undefined] : [undefined, 0, 1, 2, 3, 4]) {
          const result = await simulate(code!, {
            from: to,
            workgroups: [1],
            workgroupSize: [cases.length],
            args: { a: xs, o: new Float32Array(4 * cases.length) },
            ...(granted === undefined ? {} : { granted }),
          });
          expect(result.diagnostics).toEqual([]);
          // Zeros have either sign: OpenCL C's has that of x.
          const o = result.buffers["o"] as Float32Array;
          cases.forEach(([x, fraction, ofHalf], i) => {
            const says = `${String(x)}, granted ${String(granted)}`;
            expect(o[4 * i]! + 0, says).toBe(fraction);
            expect(o[4 * i + 1]! + 0, says).toBe(fraction);
            const positive = Math.abs(x) - Math.floor(Math.abs(x));
            expect(o[4 * i + 2]! + 0, says).toBe(Math.fround(positive));
            if (ofHalf >= 0) expect(o[4 * i + 3]! + 0, says).toBe(ofHalf);
          });
        }
      });

  test("of doubles, GLSL to OpenCL C", async () => {
    const glsl =
      "#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer O { double o[]; };\nvoid main() { o[0] = fract(o[0]); }";
    const { code } = await translate(glsl, { from: "glsl", to: "opencl" });
    const { buffers } = await simulate(code!, {
      from: "opencl",
      workgroups: [1],
      args: { o: Float64Array.from([-(2 ** -60)]) },
    });
    expect(buffers["o"]).toEqual(Float64Array.from([1 - 2 ** -53]));
  });

  test("a text in GLSL may give 1", async () => {
    const glsl =
      "#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer O { float o[]; };\nvoid main() { o[0] = fract(o[0]); }";
    const results = new Set<number>();
    for (let granted = 0; granted < 16; granted++) {
      const { buffers } = await simulate(glsl, {
        from: "glsl",
        workgroups: [1],
        args: { o: Float32Array.from([-(2 ** -26)]) },
        granted,
      });
      results.add((buffers["o"] as Float32Array)[0]!);
    }
    expect(results).toEqual(new Set([1, below]));
  });

  test("the difference is not fused with a product", async () => {
    const product = kernels.msl!.replace("= fract(a[i])", "= fract(a[i] * a[i + 1])");
    for (const [to, says] of [
      ["glsl", "precise float fraction ="],
      ["hlsl", "precise float fraction ="],
      ["opencl", "FP_CONTRACT OFF"],
    ] as const)
      expect((await translate(product, { from: "msl", to, workgroupSize: [12, 1, 1] })).code).toContain(says);
  });

  test("of what cannot be negative the target's own", async () => {
    const { code } = await translate(kernels.msl!, { from: "msl", to: "glsl", workgroupSize: [12, 1, 1] });
    expect(code).toContain("= fract(abs(a[i]))");
    const own = await translate(kernels.hlsl!, { from: "hlsl", to: "hlsl" });
    expect(own.code).toContain("= frac(a[i])");
  });
});
