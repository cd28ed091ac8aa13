/** Small kernels whose translation asks something unusual of the target: its real compiler takes the text. */
import { describe, expect, it } from "vitest";
import type { TwoWayDialect } from "../src/dialects/ids.js";
import { reflect, translate, verify } from "../src/index.js";
import { kernel } from "./passes/text.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

interface Kernel {
  readonly what: string;
  readonly from: TwoWayDialect;
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
    source: kernel("f16vec4 h = f16vec4(f[i]); f[i] = all(bvec4(h)) ? 1.0 : 2.0;", "glsl").replace(
      "\n",
      `\n${smallFloats}\n`,
    ),
  },
  {
    what: "bools of vectors of shorts",
    from: "msl",
    source: kernel("short4 s = short4(x[i]); f[i] = all(bool4(s)) ? 1.0f : 2.0f;", "msl"),
  },
  {
    what: "choices by floats, which OpenCL C does not have",
    from: "msl",
    source: kernel("float d = f[i]; half h = half(d); f[i] = d ? 1.0f / d : h ? 2.0f : 3.0f;", "msl"),
  },
  {
    what: "pointers that move beside a counter",
    from: "opencl",
    source: kernel("__global int *p = x; int r = 0; for (int k = 0; k < 4; k++, p++) r += *p; x[i] = r;", "opencl"),
  },
  {
    what: "results in memory of other lanes",
    from: "opencl",
    source: kernel("f[i] = modf(f[i], f + i + 1u); f[i] += sincos(f[i], &f[0]) + frexp(f[1], &x[i]);", "opencl"),
  },
  {
    what: "infinities among the constants",
    from: "hlsl",
    source: kernel(
      "f[i] = max(f[i], low) + two[i & 1] + l[i & 1] + (f[i] == high ? 1 : 0);",
      "hlsl",
      "static const float low = asfloat(0xff800000);\nstatic const float high = -low;\n" +
        "static const float two[2] = {asfloat(0x40000000u), 1.0};\nstatic uint l[2] = {1u, 2u};",
    ),
  },
  {
    what: "an infinity by division",
    from: "glsl",
    source: kernel("f[i] = min(f[i], high);", "glsl", "const float high = 1.0 / 0.0;"),
  },
  {
    what: "an array that starts as a constant one",
    from: "hlsl",
    source: kernel("l[1] = i; x[i] = l[i & 1];", "hlsl", "static const uint v[2] = {1u, 2u};\nstatic uint l[2] = v;"),
  },
  {
    what: "a struct of arguments handed to helpers",
    from: "msl",
    source: `#include <metal_stdlib>
using namespace metal;
struct P { int n; float4 k; int at[4]; };
float inner(constant P &p, int i) { return p.k[i & 3] + float(p.at[i & 3]); }
float outer(constant P &p, int i) { return inner(p, i + p.n); }
kernel void k(device float *f [[buffer(0)]], constant P &p [[buffer(1)]], uint i [[thread_position_in_grid]]) { f[i] = outer(p, int(i)); }
`,
  },
  {
    what: "members with two underscores in front",
    from: "hlsl",
    source: kernel("S s; s.__a = i; x[i] = s.__a;", "hlsl", "struct S { uint __a; };"),
  },
  {
    what: "a struct nobody uses",
    from: "opencl",
    source: `struct S { long a; short b; };\n${kernel("x[i] = 1;", "opencl")}`,
  },
  {
    what: "half matrices",
    from: "glsl",
    source: kernel("f16mat3 h = f16mat3(mat3(f[i])); f[i] = float(h[1][1]);", "glsl").replace(
      "\n",
      `\n${smallFloats}\n`,
    ),
  },
];

describe("a compiler takes", () => {
  for (const to of ["msl", "glsl", "opencl", "hlsl"] as const) {
    judgeTest(judges[to], `the kernels in ${to}`, async () => {
      const texts = [];
      for (const { what, from, source } of kernels) {
        const { code, diagnostics } = await translate(source, {
          from,
          to,
          workgroupSize: from === "msl" || from === "opencl" ? [64] : undefined,
        });
        if (code !== undefined) texts.push(judgeable(to, what, code));
        else
          expect(
            diagnostics.map((d) => d.code),
            what,
          ).toContain("XL3003");
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

describe("blocks whose members have one name", () => {
  it("have names of their own for the host", async () => {
    const source = `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 1) buffer A { int v[10]; } a;
layout(std430, binding = 0) buffer B { int v[10]; } b;
void main() { a.v[gl_GlobalInvocationID.x] = b.v[gl_GlobalInvocationID.x] + 200; }
`;
    const { entries } = await reflect(source, { from: "glsl" });
    expect(entries[0]!.arguments.map((a) => a.path)).toEqual(["v", "b"]);
    expect((await verify(source, { from: "glsl", to: "ts" })).result).toBe("equivalent");
  });
});

describe("an atomic on a part of a vector", () => {
  const source = kernel(
    "if (i == 0) s[1] = uint2(5, 7); GroupMemoryBarrierWithGroupSync(); InterlockedAdd(s[1].y, i); GroupMemoryBarrierWithGroupSync(); u[i] = s[1].y;",
    "hlsl",
    "groupshared uint2 s[2];",
  );
  it.each(["msl", "opencl"] as const)("is one on a word in %s", async (to) => {
    expect((await verify(source, { from: "hlsl", to })).result).toBe("equivalent");
  });

  for (const to of ["msl", "opencl"] as const)
    judgeTest(judges[to], `as clang takes ${to}`, async () => {
      const { code } = await translate(source, { from: "hlsl", to });
      expect(refusals(await judgeOutputs([judgeable(to, "part", code!)]))).toBe("");
    });
});

describe("workgroups that Direct3D does not run", () => {
  const sized = (x: number, y: number, z: number): string =>
    `__kernel __attribute__((reqd_work_group_size(${x}, ${y}, ${z}))) void k(__global int *x) { x[0] = 1; }`;

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

describe("a vector of bools made of bools", () => {
  it.each(["msl", "glsl", "hlsl"] as const)("counts as ones from %s to OpenCL C", async (from) => {
    const [bools, uints] = from === "glsl" ? ["bvec2", "uvec2"] : ["bool2", "uint2"];
    const source = kernel(
      `u[i] = dot2(${uints}(${bools}(x[0] < x[i], x[1] < x[i])));`,
      from,
      `uint dot2(${uints} v) { return v.x + v.y * 2u; }`,
    );
    expect(
      (await verify(source, { from, to: "opencl", workgroupSize: from === "msl" ? [64] : undefined })).result,
    ).toBe("equivalent");
  });
});

describe("a packed vector at an offset that a plain one cannot have", () => {
  const source = `#include <metal_stdlib>
using namespace metal;
struct S { float v; packed_float4 p; };
kernel void k(device S &s [[buffer(0)]]) { s.p[1] = s.v; }
`;
  it("is read from words in GLSL", async () => {
    const to = "glsl";
    expect((await verify(source, { from: "msl", to, workgroupSize: [1] })).result).toBe("equivalent");
    const { emulations } = await translate(source, { from: "msl", to, workgroupSize: [1] });
    expect(emulations.map((e) => e.op)).toContain("layout");
  });

  it("is read from words in OpenCL C, too", async () => {
    expect((await verify(source, { from: "msl", to: "opencl", workgroupSize: [1] })).result).toBe("equivalent");
  });

  it("of three components is a plain one in HLSL, and in GLSL where one of 16 bytes stands at its place", async () => {
    const particles = `#include <metal_stdlib>
using namespace metal;
struct Particle { packed_float3 pos; float mass; };
kernel void k(device Particle *ps [[buffer(0)]], device packed_float3 *out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  ps[i].pos += ps[i].mass;
  out[i] = float3(ps[i].pos) * 2.0f;
}
`;
    const options = { from: "msl", workgroupSize: [8] } as const;
    for (const to of ["glsl", "hlsl"] as const)
      expect((await verify(particles, { ...options, to })).result, to).toBe("equivalent");
    expect((await translate(particles, { ...options, to: "hlsl" })).code).toContain(
      "RWStructuredBuffer<float3> out_ : register(u1);",
    );
    const glsl = (await translate(particles, { ...options, to: "glsl" })).code!;
    expect(glsl).toContain("buffer PsBuffer { Particle ps[]; };");
    expect(glsl).toContain("buffer Out_Buffer { uint out_[]; };");
  });

  it("of three components by value is where a plain one is", async () => {
    const values = `#include <metal_stdlib>
using namespace metal;
struct A { float a; packed_float3 b; packed_float2 c; };
kernel void k(device float *o [[buffer(0)]], constant packed_float3 &v [[buffer(1)]], constant A &s [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  packed_float3 t = v; thread packed_float3 q[2]; q[0] = t; q[1] = float3(2.0f);
  o[i] = v.x + v[2] * q[i & 1].y + s.b.z * s.a + s.c.y;
}
`;
    for (const to of ["glsl", "hlsl", "opencl"] as const)
      expect((await verify(values, { from: "msl", to, workgroupSize: [8] })).result, to).toBe("equivalent");
  });

  it("is led to by pointers and references, in OpenCL C by indices of words", async () => {
    const pointers = `#include <metal_stdlib>
using namespace metal;
struct P { packed_float3 position; float mass; packed_short3 tag; };
float sum(device const packed_float3 *list, uint n) { float s = 0; for (uint i = 0; i < n; i++) { float3 v = list[i]; s += v.x + list[i].y; } return s; }
void move(device P &p, thread const packed_float3 &by) { p.position.xy = by.yz; p.position[2] *= 3.0f; p.tag.z += 1; }
kernel void k(device P *ps [[buffer(0)]], device packed_float3 *q [[buffer(1)]], constant P &c [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  P p = ps[i];
  packed_float3 v = p.position + float3(ps[i].position) * 2.0f;
  move(ps[i], v);
  device packed_float3 *r = q + 3 * i;
  r[1] = v * 2.0f + c.position;
  r[2].z = sum(r, 2u) + dot(float3(r[0]), float3(v));
}
`;
    for (const to of ["opencl", "glsl", "hlsl"] as const)
      expect((await verify(pointers, { from: "msl", to, workgroupSize: [8] })).result, to).toBe("equivalent");
  });

  it("is taken where plain ones stand there, too", async () => {
    const aligned = source
      .replace("float v;", "float4 first; float2 v;")
      .replace("s.v;", "s.v.x;")
      .replace("packed_float4 p", "packed_float2 p");
    expect((await verify(aligned, { from: "msl", to: "opencl", workgroupSize: [1] })).result).toBe("equivalent");
  });
});

describe("halves that are only loaded", () => {
  const source = `#version 450
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 8) in;
struct Block { float16_t d; float16_t m; };
layout(binding = 0) readonly buffer A { Block a[]; };
layout(binding = 1) buffer B { float b[]; };
void main() { uint i = gl_GlobalInvocationID.x; b[i] = float(a[i].d) * 2.0; }
`;
  judgeTest(judges.opencl, "are taken by clang", async () => {
    const { code } = await translate(source, { from: "glsl", to: "opencl" });
    expect(refusals(await judgeOutputs([judgeable("opencl", "halves", code!)]))).toBe("");
  });
});

describe("more arguments by value than MSL has buffers", () => {
  const types = ["uint", "float", "ivec3", "vec2"];
  const members = Array.from({ length: 33 }, (_, i) => `  ${types[i % 4]} a${i}; // argument ${i}\n`).join("");
  const source = `#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer X { float x[]; };
layout(push_constant) uniform P {
${members}  uint kernel;
} p;
float helper(float f) { return f * p.a1 + float(p.a6.z); }
void main() { uint i = gl_GlobalInvocationID.x; x[i] = helper(p.a31.y + float(p.a32 + p.kernel + uint(x.length()))); }
`;
  it("come in a struct", async () => {
    const { code, diagnostics } = await translate(source, { from: "glsl", to: "msl" });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(code).toContain("constant Params &params [[buffer(1)]]");
    for (let i = 0; i < 33; i++) expect(code!.match(new RegExp(`// argument ${i}\\n`, "g"))).toHaveLength(1);
    expect((await verify(source, { from: "glsl", to: "msl" })).result).toBe("equivalent");
  });

  judgeTest(judges.msl, "which the shim takes", async () => {
    const { code } = await translate(source, { from: "glsl", to: "msl" });
    expect(refusals(await judgeOutputs([judgeable("msl", "arguments", code!)]))).toBe("");
  });
});

describe("functions called as vectors of OpenCL C", () => {
  it.each(["msl", "hlsl"] as const)("are read again in %s", async (to) => {
    const source = kernel(
      "x[i] = int8(x[i]) + int16(x[1]);",
      "glsl",
      "int int8(int a) { return a & 255; }\nint int16(int a) { return a & 65535; }",
    );
    expect((await verify(source, { from: "glsl", to })).result).toBe("equivalent");
  });
});
