/** Small kernels whose translation asks something unusual of the target: its real compiler takes the text. */
import { describe, expect, it } from "vitest";
import type { Dialect } from "../src/dialects/ids.js";
import { translate, verify } from "../src/index.js";
import { kernel } from "./passes/text.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

interface Kernel {
  readonly what: string;
  readonly from: Dialect;
  readonly source: string;
}

const smallFloats = "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require";

const kernels: readonly Kernel[] = [
  {
    what: "locals called like functions that operators and bit casts are written with",
    from: "glsl",
    source: kernel(
      "float asuint = f[i]; float as_uint = f[1]; vec2 lessThan = vec2(f[2]); bool b = all(lessThanEqual(lessThan, vec2(1)));\n" +
        "f[i] = uintBitsToFloat(floatBitsToUint(asuint) ^ floatBitsToUint(as_uint)) + (b ? 1.0 : 2.0);",
      "glsl",
    ),
  },
  {
    what: "matrices called mul",
    from: "glsl",
    source: kernel("mat3 m = mat3(f[i]); mat3 mul = m * m; f[i] = mul[0][0];", "glsl"),
  },
  {
    what: "bools of vectors of halves",
    from: "glsl",
    source: kernel("f16vec4 h = f16vec4(f[i]); f[i] = all(bvec4(h)) ? 1.0 : 2.0;", "glsl").replace("\n", `\n${smallFloats}\n`),
  },
  {
    what: "bools of vectors of shorts",
    from: "msl",
    source: kernel("short4 s = short4(x[i]); f[i] = all(bool4(s)) ? 1.0f : 2.0f;", "msl"),
  },
  {
    what: "half matrices",
    from: "glsl",
    source: kernel("f16mat3 h = f16mat3(mat3(f[i])); f[i] = float(h[1][1]);", "glsl").replace("\n", `\n${smallFloats}\n`),
  },
];

describe("a compiler takes", () => {
  for (const to of ["msl", "glsl", "opencl", "hlsl"] as const) {
    judgeTest(judges[to], `the kernels in ${to}`, async () => {
      const texts = [];
      for (const { what, from, source } of kernels) {
        const { code, diagnostics } = await translate(source, { from, to, workgroupSize: from === "msl" || from === "opencl" ? [64] : undefined });
        if (code !== undefined) texts.push(judgeable(to, what, code));
        else expect(diagnostics.map((d) => d.code), what).toContain("XL3003");
      }
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
  }
});

describe("a buffer that is one array", () => {
  const source = `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer A { uint a[4]; };
layout(std430, binding = 1) buffer B { uint b[4]; uint c[4]; };
struct S { uint s[4]; };
S made(uint k) { S s; s.s = a; s.s[k] = 9u; return s; }
void main() {
  uint l[4] = uint[4](1u, 2u, 3u, 4u);
  a = l;
  l = b;
  l[0] += made(1u).s[1];
  a[1] = l[0];
  b = a;
  c = b;
}
`;

  it.each(["msl", "opencl", "hlsl"] as const)("is copied whole in %s", async (to) => {
    expect((await verify(source, { from: "glsl", to })).result).toBe("equivalent");
  });

  judgeTest(judges.hlsl, "as DXC takes it", async () => {
    const { code } = await translate(source, { from: "glsl", to: "hlsl" });
    expect(refusals(await judgeOutputs([judgeable("hlsl", "arrays", code!)]))).toBe("");
  });
});

describe("workgroups that Direct3D does not run", () => {
  const sized = (x: number, y: number, z: number): string => `__kernel __attribute__((reqd_work_group_size(${x}, ${y}, ${z}))) void k(__global int *x) { x[0] = 1; }`;

  it.each([
    [42, 13, 5],
    [2, 2, 128],
  ])("%i x %i x %i are refused", async (x, y, z) => {
    const { code, diagnostics } = await translate(sized(x, y, z), { from: "opencl", to: "hlsl" });
    expect(code).toBeUndefined();
    expect(diagnostics.map((d) => d.code)).toEqual(["XL3007"]);
  });

  it("32 x 32 x 1 are taken", async () => {
    expect((await translate(sized(32, 32, 1), { from: "opencl", to: "hlsl" })).code).toBeDefined();
  });
});
