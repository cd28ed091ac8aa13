/**
 * What drivers compute of doubles, in GLSL, HLSL and OpenCL C as sources and as translations of one another: operators and exact
 * functions at special values, against the arithmetic of JavaScript, which is that of doubles.
 */
import { expect } from "vitest";
import { translate, type TwoWayDialect } from "../../src/index.js";
import { deviceTest } from "./device-test.js";
import { runHere } from "./run-here.js";

const xs = [0, -0, 1, -1.5, 2.5, 3.5, -7.3, 1e300, -1e-300, Infinity, -Infinity, 0.1, 2 ** 53 + 2, 1 / 3, 12345.678, 1];
const ys = [1, 2, -3, 0.7, 1e10, 3, 2.25, 1e8, 2, 1, 5, 0.3, 7, 3, -0.001, 4];

function toEven(x: number): number {
  if (!(Math.abs(x) < 2 ** 52)) return x;
  const low = Math.floor(x);
  const rest = x - low;
  return rest < 0.5 ? low : rest > 0.5 ? low + 1 : low % 2 === 0 ? low : low + 1;
}

type From = "glsl" | "opencl" | "hlsl";
interface Use {
  readonly in: Partial<Record<From, string>>;
  readonly value: (x: number, y: number) => number;
}
const everywhere = (text: string): Use["in"] => ({ glsl: text, opencl: text, hlsl: text });
const uses: readonly Use[] = [
  { in: everywhere("a + b"), value: (x, y) => x + y },
  { in: everywhere("a - b"), value: (x, y) => x - y },
  { in: everywhere("a * b"), value: (x, y) => x * y },
  { in: everywhere("a / b"), value: (x, y) => x / y },
  { in: everywhere("a > b ? a : -b"), value: (x, y) => (x > y ? x : -y) },
  { in: { glsl: "double(float(a))", opencl: "(double)(float)a", hlsl: "(double)(float)a" }, value: Math.fround },
  { in: { glsl: "abs(a)", opencl: "fabs(a)", hlsl: "abs(a)" }, value: Math.abs },
  { in: { glsl: "min(a, b)", opencl: "fmin(a, b)", hlsl: "min(a, b)" }, value: Math.min },
  { in: { glsl: "max(a, b)", opencl: "fmax(a, b)", hlsl: "max(a, b)" }, value: Math.max },
  { in: { glsl: "floor(a)", opencl: "floor(a)" }, value: Math.floor },
  { in: { glsl: "ceil(a)", opencl: "ceil(a)" }, value: Math.ceil },
  { in: { glsl: "trunc(a)", opencl: "trunc(a)" }, value: Math.trunc },
  { in: { glsl: "roundEven(a)", opencl: "rint(a)" }, value: toEven },
  { in: { glsl: "step(a, b)", opencl: "step(a, b)" }, value: (x, y) => (y < x ? 0 : 1) },
  { in: { glsl: "sqrt(abs(a))", opencl: "sqrt(fabs(a))" }, value: (x) => Math.sqrt(Math.abs(x)) },
  { in: { opencl: "fmod(a, b)" }, value: (x, y) => x % y },
  { in: { opencl: "ldexp(a, 3)" }, value: (x) => x * 8 },
];

const frames: Readonly<Record<From, (body: string) => string>> = {
  glsl: (body) =>
    `#version 460\nlayout(local_size_x = 16) in;\nlayout(std430, binding = 0) readonly buffer X { double xs[]; };\nlayout(std430, binding = 1) readonly buffer Y { double ys[]; };\nlayout(std430, binding = 2) buffer R { double r[]; };\nvoid main() {\n  uint i = gl_GlobalInvocationID.x;\n  double a = xs[i], b = ys[i];\n${body}}\n`,
  opencl: (body) =>
    `#pragma OPENCL EXTENSION cl_khr_fp64 : enable\nkernel void k(global const double *xs, global const double *ys, global double *r) {\n  uint i = get_global_id(0);\n  double a = xs[i], b = ys[i];\n${body}}\n`,
  hlsl: (body) =>
    `StructuredBuffer<double> xs : register(t0);\nStructuredBuffer<double> ys : register(t1);\nRWStructuredBuffer<double> r : register(u2);\n[numthreads(16, 1, 1)]\nvoid k(uint3 id : SV_DispatchThreadID) {\n  uint i = id.x;\n  double a = xs[i], b = ys[i];\n${body}}\n`,
};

/** Which zero comes is not asked of Vulkan. */
const differ = (got: number, wanted: number): boolean => got !== wanted && !(got !== got && wanted !== wanted);

for (const from of ["glsl", "opencl", "hlsl"] as const)
  for (const device of ["vulkan", "opencl"] as const)
    await deviceTest(device, `doubles of ${from} on ${device}`, async () => {
      // As HLSL glslang computes the least and the greatest of doubles in float (12), which DXC does not.
      const target: TwoWayDialect = device === "opencl" ? "opencl" : "glsl";
      const mine = uses.filter((u) => u.in[from] !== undefined);
      const body = mine.map((u, j) => `  r[i * ${mine.length} + ${j}] = ${u.in[from]!};\n`).join("");
      const text = frames[from](body);
      const launch = { workgroups: [1], workgroupSize: [16] } as const;
      const { code, diagnostics: said } =
        target === from
          ? { code: text, diagnostics: [] }
          : await translate(text, { from, to: target, workgroupSize: [16, 1, 1] });
      expect(code, said.map((d) => d.message).join("\n")).toBeDefined();
      const { buffers, diagnostics } = await runHere(code!, {
        from: target,
        device,
        ...launch,
        args: { xs: Float64Array.from(xs), ys: Float64Array.from(ys), r: new Float64Array(16 * mine.length) },
      });
      expect(
        diagnostics.filter((d) => d.severity === "error").map((d) => d.message),
        code,
      ).toEqual([]);
      const got = buffers["r"] as Float64Array;
      const wrong = mine.flatMap((u, j) =>
        xs.flatMap((x, i) => {
          const [g, w] = [got[i * mine.length + j]!, u.value(x, ys[i]!)];
          return differ(g, w) ? [`${u.in[from]!} of ${x}, ${ys[i]!} in ${target}: ${g}, not ${w}`] : [];
        }),
      );
      expect(wrong, code).toEqual([]);
    });
