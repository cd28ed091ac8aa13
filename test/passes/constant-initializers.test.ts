/** Initialisers at file scope that C or C++ would not take as constants: they are the values they have. */
import { expect, test } from "vitest";
import { translate } from "../../src/index.js";

const around = (constants: string, uses: string): string => `#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer O { float o[]; };
${constants}
void main() { o[gl_GlobalInvocationID.x] = ${uses}; }
`;

async function lines(constants: string, uses: string, to: "msl" | "opencl"): Promise<string[]> {
  const { code, diagnostics } = await translate(around(constants, uses), { from: "glsl", to });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return code!.split("\n").filter((l) => /^(__constant|constant) /.test(l));
}

test("swizzles, elements and products of vectors", async () => {
  const source =
    "const vec3 folded = vec3(1, 2, 3).zyx * 2.0;\nconst vec3 part = folded.yzx / 4.0;\nconst float one = part[1];";
  expect(await lines(source, "folded.x + part.y + one", "opencl")).toEqual([
    "__constant float3 folded = (float3)(6.0f, 4.0f, 2.0f);",
    "__constant float3 part = (float3)(1.0f, 0.5f, 1.5f);",
    "__constant float one = 0.5f;",
  ]);
});

test("parts of objects that HLSL makes in declarations alone", async () => {
  const source = "struct S { vec2 a; float b[2]; };\nconst float part = S(vec2(1, 2), float[2](3, 4)).b[1];";
  const { code } = await translate(around(source, "part"), { from: "glsl", to: "hlsl" });
  expect(code).toContain("static const float part = 4.0f;");
});

test("the column of a matrix", async () => {
  expect(await lines("const vec3 third = vec3(1, 2, 3).zyx * mat3(2)[1];", "third.y", "msl")).toEqual([
    "constant float3 third = float3(0.0f, 4.0f, 0.0f);",
  ]);
});

test("signed integers that overflow have wrapped", async () => {
  const source =
    "const int wrapped = 2147483647 + 1;\nconst int least = -2147483648;\nconst int again = -(-2147483647 - 1);\nconst int product = 65536 * 65537;";
  const least = "-2147483647 - 1";
  expect(await lines(source, "float(wrapped + least + again + product)", "msl")).toEqual([
    `constant int wrapped = ${least};`,
    `constant int least = ${least};`,
    `constant int again = ${least};`,
    "constant int product = 65536;",
  ]);
});

test("a function's result is computed where the kernel begins", async () => {
  const source =
    "const float root = sqrt(4.0);\nconst float more = root + 1.0;\nconst bool both = all(lessThan(vec2(1, 2), vec2(3)));";
  expect(await lines(source, "root + more + (both ? 1.0 : 0.0)", "opencl")).toEqual([]);
  const { code } = await translate(around(source, "root + more + (both ? 1.0 : 0.0)"), { from: "glsl", to: "opencl" });
  expect(code).toMatch(/\{\n {2}float root = sqrt\(4\.0f\);[^}]* root \+ 1\.0f;/);
});

test("divisions by zero are no constants of C++", async () => {
  const source = "const float none = 0.0 / 0.0;\nconst float least = -1.0 / 0.0;\nconst float third = 1.0 / 3.0;";
  expect(await lines(source, "none + least + third", "msl")).toEqual([
    "constant float none = NAN;",
    "constant float least = -INFINITY;",
    "constant float third = 1.0f / 3.0f;",
  ]);
});

test("the bits of a float are no constant of C or of Metal", async () => {
  const source = `RWStructuredBuffer<uint> o : register(u0);
static const uint bits = asuint(1.5f), next = bits + 1;
[numthreads(64, 1, 1)] void k(uint3 id : SV_DispatchThreadID) { o[id.x] = next; }
`;
  for (const to of ["msl", "opencl"] as const) {
    const { code } = await translate(source, { from: "hlsl", to });
    // IEEE 754: an exponent of 127 and a fraction of a half.
    expect(code).toMatch(/constant uint bits = 0x3fc00000u;\n[_]*constant uint next = bits \+ 1u?;/);
  }
});
