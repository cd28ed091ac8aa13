/**
 * Sine, cosine and tangent of large angles where the target's own reach -pi..pi only: against exact reals, in arithmetic in
 * which a native function of a larger angle gives anything.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../../src/index.js";
import { fixed, ONE, PLACES } from "../support/exact-reals.js";

/** pi to 400 places of binary, by Machin's formula. */
function arctanOfInverse(n: bigint): bigint {
  let [term, sum] = [(ONE << 32n) / n, 0n];
  for (let i = 0n; term !== 0n; i++, term /= n * n) sum += (i % 2n === 0n ? term : -term) / (2n * i + 1n);
  return sum >> 32n;
}
const pi = 4n * (4n * arctanOfInverse(5n) - arctanOfInverse(239n));
/** Sines near multiples of half a turn by what is left to those. */
const sine = (x: number, quarters: number): number => {
  const a = fixed(x) + (BigInt(quarters) * pi) / 2n;
  const half = (((a + pi / 2n) % pi) + pi) % pi;
  const rest = Number(half - pi / 2n) / 2 ** Number(PLACES);
  const turns = (a + pi / 2n - half) / pi;
  return (turns % 2n === 0n ? 1 : -1) * Math.sin(rest);
};

/** Angles of all sizes, the largest, and those nearest to multiples of a quarter turn among them (Kahan, Muller). */
const angles = Float32Array.from([
  3.1415925,
  3.1415927,
  -3.1415927,
  4,
  6.2831855,
  100,
  314.15924,
  314.1593,
  -1e4,
  12345.678,
  1e10,
  -1e30,
  1e30,
  3.4e38,
  -3.4e38,
  16367173 * 2 ** 72,
  13253831 * 2 ** 80,
  9914148 * 2 ** 17,
  10499 * 2 ** 3,
  2 ** 24,
  2 ** 127,
  51471.8515625,
  103943.703125,
  1.5e7,
  -2.5e19,
  8388607.5,
  ...Array.from({ length: 38 }, (_, i) => (i % 2 ? -1 : 1) * Math.fround(1.7 ** (i * 4.2 + 3))).map((x) =>
    Math.abs(x) < 3e38 ? x : 77,
  ),
]).slice(0, 64);

const kernels: readonly (readonly [TwoWayDialect, string])[] = [
  [
    "opencl",
    "kernel void k(global const float *a, global float *o) { size_t i = get_global_id(0); float c; float s = sincos(a[i], &c); o[4*i] = sin(a[i]); o[4*i+1] = cos(a[i]); o[4*i+2] = tan(a[i]); o[4*i+3] = s * c; }",
  ],
  [
    "msl",
    "#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device const float *a [[buffer(0)]], device float *o [[buffer(1)]], uint i [[thread_position_in_grid]]) { o[4*i] = precise::sin(a[i]); o[4*i+1] = precise::cos(a[i]); o[4*i+2] = precise::tan(a[i]); o[4*i+3] = precise::sin(a[i]) * precise::cos(a[i]); }",
  ],
];

describe("large angles", () => {
  test("the oracle knows pi", () => {
    expect(Number(pi) / 2 ** Number(PLACES)).toBe(Math.PI);
    expect(sine(1, 0)).toBeCloseTo(Math.sin(1), 15);
  });

  for (const [from, source] of kernels)
    for (const to of ["glsl", "hlsl", "msl"] as const) {
      if (to === from) continue;
      test(`${from} to ${to}`, async () => {
        const { code, diagnostics } = await translate(source, { from, to, workgroupSize: [64, 1, 1] });
        expect(diagnostics).toEqual([]);
        for (const granted of [undefined, 1, 2, 3, 4]) {
          const { buffers } = await simulate(code!, {
            from: to,
            workgroups: [1],
            workgroupSize: [64],
            args: { a: angles, o: new Float32Array(256) },
            ...(granted === undefined ? {} : { granted }),
          });
          const o = buffers["o"] as Float32Array;
          // Exact functions show the reduction itself: 4 ulp. Else what Vulkan and Direct3D grant of small angles.
          const error = to === "msl" ? 2e-6 : granted === undefined ? 0 : 0.0009;
          angles.forEach((x, i) => {
            const [s, c] = [sine(x, 0), sine(x, 1)];
            const near = (got: number, want: number): void => {
              const most = error + 4 * 2 ** -23 * Math.abs(want);
              expect(
                Math.abs(got - want),
                `${String(x)} (granted ${String(granted)}): ${String(got)} for ${String(want)}`,
              ).toBeLessThanOrEqual(most);
            };
            near(o[4 * i]!, s);
            near(o[4 * i + 1]!, c);
            if (granted === undefined) near(o[4 * i + 2]!, s / c);
            if (to !== "msl" && granted === undefined) near(o[4 * i + 3]!, s * c);
          });
        }
      });
    }

  test("what is known to be small stays plain, and sources that leave large angles open do", async () => {
    const small =
      "kernel void k(global float *o) { size_t i = get_global_id(0); o[i] = sin(clamp(o[i], -1.0f, 3.0f)) + cos(atan(o[i]) * 0.5f) + native_sin(o[i]); }";
    const glsl = await translate(small, { from: "opencl", to: "glsl", workgroupSize: [64, 1, 1] });
    expect(glsl.code).not.toContain("angle_within");
    expect(glsl.assumptions.map((a) => a.op)).not.toContain("large-angles");
  });

  // Vulkan's table of precision: a sine is off by 2^-11, of halves by 2^-7, so that it may be more than 1.
  test("a sine within the device's error of 1 is no smaller than that", async () => {
    const source = (type: string, factor: string): string =>
      `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
      kernel void k(global ${type} *o) { size_t i = get_global_id(0); o[i] = asin(sin(sin(o[i]) * ${factor})); }`;
    const translated = async (type: string, factor: string): Promise<string> =>
      (await translate(source(type, factor), { from: "opencl", to: "glsl", workgroupSize: [64, 1, 1] })).code!;
    const calls = (code: string): number => code.match(/\bsin_emulated\(/g)!.length - 1;
    // 3.1 (1 + 2^-11) is below pi, 3.1414 (1 + 2^-11) is not.
    expect(calls(await translated("float", "3.1f"))).toBe(1);
    expect(calls(await translated("float", "3.1414f"))).toBe(2);
    // 2.9 (1 + 2^-7) is below pi, 3.125 (1 + 2^-7) is not.
    expect(calls(await translated("half", "2.9h"))).toBe(1);
    expect(calls(await translated("half", "3.125h"))).toBe(2);
    // Nor is the operand of an inverse sine then inside its domain.
    for (const type of ["float", "half"]) expect(await translated(type, "1")).toMatch(/asin_emulated\(/);
  });

  test("HLSL and MSL to GLSL assume that the device reduces angles, and --strict does it in the text", async () => {
    const msl = `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) { if (i < 64) o[i] = sin(o[i]); }`;
    const options = { from: "msl", to: "glsl", workgroupSize: [64, 1, 1] } as const;
    const plain = await translate(msl, options);
    expect(plain.code).toContain("o[i] = sin(o[i])");
    expect(plain.assumptions.map((a) => a.op)).toContain("large-angles");
    const strict = await translate(msl, { ...options, strict: true });
    expect(strict.code).toContain("angle_within");
    expect(strict.assumptions.map((a) => a.op)).not.toContain("large-angles");
    const own = await translate(
      "[numthreads(64,1,1)] void k(uint i : SV_GroupIndex) {} "
        .replace("{}", "{ o[i] = sin(o[i]); }")
        .replace(/^/, "RWStructuredBuffer<float> o : register(u0);\n"),
      { from: "hlsl", to: "glsl" },
    );
    expect(own.assumptions.map((a) => a.op)).toContain("large-angles");
  });
});
