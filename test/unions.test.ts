/** Unions of MSL and OpenCL C: what a member reads is what any other wrote, with results worked out by the bytes of memory. */
import { describe, expect, test } from "vitest";
import { simulate, translate, type SourceDialect } from "../src/index.js";
import { half, testShapes, type Shape } from "./support/byte-shapes.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const floats = new DataView(new ArrayBuffer(8));
const bitsOf = (x: number): number => (floats.setFloat32(0, x, true), floats.getUint32(0, true));
const floatOf = (bits: number): number => (floats.setUint32(0, bits, true), floats.getFloat32(0, true));

const bits = "typedef union { float f; uint u; uchar b[4]; } bits_t;";
const shapes: readonly Shape[] = [
  {
    name: "a float by its bits",
    types: bits,
    body: "bits_t v; v.f = ((GC(float))x)[i]; v.u ^= 0x80000000u; ((GP(float))y)[i] = v.f; v.b[3] &= 0x7f; v.b[i & 1] = 9; ((GP(uint))y)[8 + i] = v.u;",
    does: ({ x, y }, i) => {
      const u = x.getUint32(4 * i, true);
      y.setUint32(4 * i, (u ^ 0x80000000) >>> 0, true);
      y.setUint32(32 + 4 * i, u & 0x7fffffff, true);
      y.setUint8(32 + 4 * i + (i & 1), 9);
    },
  },
  {
    name: "a block of four-bit numbers whose scales have two names",
    types:
      "typedef struct { union { struct { half d; half m; }; half2 dm; }; uchar qs[4]; } block; static float scaled(float d, uchar q) { return (q & 15) * d; }",
    extension: true,
    body: "GC(block) p = (GC(block))x; GP(float) o = (GP(float))y; o[i] = scaled(p[i].d, p[i].qs[i & 3]) + p[i].m; o[8 + i] = p[i].dm.x; o[16 + i] = p[i].dm.y; block q = p[i]; q.qs[0] = 1; q.d = q.dm.y; o[24 + i] = q.dm.x;",
    does: ({ x, y }, i) => {
      const [d, m] = [half(x.getUint16(8 * i, true)), half(x.getUint16(8 * i + 2, true))];
      const q = x.getUint8(8 * i + 4 + (i & 3)) & 15;
      y.setFloat32(4 * i, Math.fround(d * q) + m, true);
      y.setFloat32(32 + 4 * i, d, true);
      y.setFloat32(64 + 4 * i, m, true);
      y.setFloat32(96 + 4 * i, m, true);
    },
  },
  {
    // Four types without a name, one in another: each is a type of its own.
    name: "unions and structs without names in one another",
    types:
      "typedef struct { union { struct { union { float colour; uint mask; }; ushort rough[2]; } pbr; struct { float depth; float width; } glass; }; int kind; } material;",
    extension: true,
    body: "material m; m.glass.depth = ((GC(float))x)[i]; m.glass.width = 0.0f; m.kind = 3; m.pbr.rough[1] = 0x4000; GP(uint) o = (GP(uint))y; o[i] = m.pbr.mask; ((GP(float))y)[8 + i] = m.glass.width; o[16 + i] = (uint)m.kind + sizeof(material);",
    does: ({ x, y }, i) => {
      y.setUint32(4 * i, x.getUint32(4 * i, true), true);
      y.setFloat32(32 + 4 * i, 2, true);
      y.setUint32(64 + 4 * i, 3 + 12, true);
    },
  },
  {
    name: "by value, and as a result",
    types: bits,
    helpers:
      "struct pair { bits_t a; bits_t b; }; static uint changed(bits_t v) { v.b[1] = 7; return v.u; } static bits_t made(uint u) { bits_t v; v.u = u; return v; } static float first(struct pair p) { p.b.u = 0; return p.a.f; }",
    body: "GP(uint) o = (GP(uint))y; bits_t v = {1.5f}; o[i] = changed(v); o[8 + i] = v.u; o[16 + i] = made(0x01020304u + i).b[1]; struct pair p = {made(0x40000000u), {2.0f}}; struct pair q = p; q.a.b[3] = 0; o[24 + i] = (uint)first(p) + q.a.u + p.b.b[3];",
    does: ({ y }, i) => {
      y.setUint32(4 * i, (bitsOf(1.5) & ~0xff00) | 0x700, true);
      y.setUint32(32 + 4 * i, bitsOf(1.5), true);
      y.setUint32(64 + 4 * i, 3, true);
      y.setUint32(96 + 4 * i, floatOf(0x40000000) + 0 + 0x40, true);
    },
  },
  {
    name: "in workgroup memory, with bytes and halves beside each other",
    types:
      "typedef union { uint w; ushort h[2]; struct { uchar a; uchar b; ushort c; }; } word_t; struct slot { ushort n; word_t u; };",
    tile: "struct slot",
    extension: true,
    body: "tile[i].u.w = 0x11223344u; tile[i].n = (ushort)i; tile[i].u.h[i & 1] = (ushort)(0x100 * i); tile[i].u.b += 1; BARRIER ((GP(uint))y)[i] = tile[7 - i].u.w; ((GP(uint))y)[8 + i] = (uint)tile[7 - i].u.c + tile[i].n;",
    does: ({ y }, i) => {
      const word = (k: number): number => {
        const w = new DataView(new ArrayBuffer(4));
        w.setUint32(0, 0x11223344, true);
        w.setUint16(2 * (k & 1), 0x100 * k, true);
        w.setUint8(1, w.getUint8(1) + 1);
        return w.getUint32(0, true);
      };
      y.setUint32(4 * i, word(7 - i), true);
      y.setUint32(32 + 4 * i, (word(7 - i) >>> 16) + i, true);
    },
  },
  {
    name: "by pointers to it and into it",
    types: bits,
    helpers:
      "static void set(PP(bits_t) p, uint v) { p->u = v; p->b[0] = 1; } static void low(PP(uchar) p) { p[1] = p[0] + 1; }",
    body: "bits_t list[3]; for (int k = 0; k < 3; k++) set(&list[k], 0x01010100u * k); low(list[1].b); PP(bits_t) p = &list[i % 3]; p->b[2] = 0xee; ((GP(uint))y)[i] = list[0].u; ((GP(uint))y)[8 + i] = list[1].u; ((GP(uint))y)[16 + i] = p->u;",
    does: ({ y }, i) => {
      const list = [1, 0x01010201, 0x02020201];
      const k = i % 3;
      list[k] = (list[k]! & ~0xff0000) | 0xee0000;
      y.setUint32(4 * i, list[0]!, true);
      y.setUint32(32 + 4 * i, list[1]!, true);
      y.setUint32(64 + 4 * i, list[k]!, true);
    },
  },
  {
    name: "of two bytes, and of vectors of eight",
    types:
      "typedef union { uchar b[2]; ushort s; } two_t; struct odd { uchar t; two_t u; uchar v; }; typedef union { float4 v[2]; float f[8]; uint4 u; } eight_t;",
    body: "struct odd o; o.t = 1; o.u.s = (ushort)(0x0102 * i); o.v = 3; o.u.b[1] += 1; struct odd c = o; ((GP(ushort))y)[i] = c.u.s + c.t + c.v; eight_t e; for (int k = 0; k < 8; k++) e.f[k] = k + i; e.v[1] = e.v[0] + e.v[1]; e.u.y = 0; ((GP(float))y)[8 + i] = e.f[6]; ((GP(float))y)[16 + i] = e.f[1] + e.v[0].w;",
    does: ({ y }, i) => {
      y.setUint16(2 * i, ((0x0102 * i + 0x100) & 0xffff) + 4, true);
      y.setFloat32(32 + 4 * i, 2 + i + 6 + i, true);
      y.setFloat32(64 + 4 * i, 3 + i, true);
    },
  },
];

describe("unions", () => {
  testShapes(shapes);

  test("vectors of eight components in a union keep their bytes", async () => {
    const source =
      "typedef union { float8 v; float f[8]; uint w[12]; } u8;\nstruct s { int n; u8 u; };\n__kernel void k(__global struct s *x) { int i = get_global_id(0); x[i].u.f[3] = x[i].u.v.s5 + x[i].n; u8 c = x[i].u; c.v = c.v * 2.0f; x[i].u.w[11] = c.w[1]; }";
    const x = (): Float32Array => Float32Array.from({ length: 24 * 4 }, (_, k) => k / 4);
    const run = async (text: string, from: "opencl" | "glsl" | "hlsl" | "msl"): Promise<unknown> => {
      const { buffers, findings, diagnostics } = await simulate(text, {
        from,
        workgroups: [1],
        workgroupSize: [4],
        args: { x: new Uint8Array(x().buffer) },
      });
      const wrong = [...findings, ...diagnostics.filter((d) => d.severity === "error")].map((d) => d.message);
      expect(wrong, text).toEqual([]);
      const bytes = buffers["x"] as Uint8Array;
      return [...new Float32Array(new Uint8Array(bytes).buffer)];
    };
    // A float8 is aligned to 32 bytes: n is followed by 28 bytes, and the union is 64 bytes long.
    const wanted = x();
    const words = new Int32Array(wanted.buffer);
    for (let i = 0; i < 4; i++) {
      wanted[24 * i + 8 + 3] = Math.fround(x()[24 * i + 8 + 5]! + words[24 * i]!);
      wanted[24 * i + 8 + 11] = 2 * x()[24 * i + 8 + 1]!;
    }
    expect(await run(source, "opencl")).toEqual([...wanted]);
    for (const to of ["glsl", "hlsl", "msl"] as const) {
      const { code, diagnostics } = await translate(source, { from: "opencl", to, workgroupSize: [4, 1, 1] });
      expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      expect(await run(code!, to), code).toEqual([...wanted]);
    }
  });

  test("names that the words and functions of unions would have, and a zero with a sign", async () => {
    const source = `
typedef union { float words[2]; uint u; uint words_2; } w;
typedef union { uint g; float x; } f;
typedef union { uchar f[4]; uint x; } g;
static f made_f(float a) { f v = {.x = a}; return v; }
static g made_g(uint a) { g v = {.x = a}; return v; }
__kernel void k(__global uint *x) {
  w v;
  v.words[0] = 1.5f;
  x[0] = v.u + v.words_2;
  x[1] = made_f(2.0f).g;
  x[2] = made_g(0x01020304u).f[1];
  f zero = {.x = -0.0f};
  x[3] = zero.g;
}`;
    // Bits of floats by IEEE 754: 1.5 is 0x3fc00000, 2 is 0x40000000, -0 is 0x80000000.
    const wanted = [2 * 0x3fc00000, 0x40000000, 3, 0x80000000];
    const texts: [string, "opencl" | "glsl" | "hlsl" | "msl"][] = [[source, "opencl"]];
    for (const to of ["glsl", "hlsl", "msl"] as const) {
      const { code, diagnostics } = await translate(source, { from: "opencl", to, workgroupSize: [1, 1, 1] });
      expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      texts.push([code!, to]);
    }
    for (const [text, from] of texts) {
      const args = { x: new Uint32Array(4) };
      const { buffers, findings } = await simulate(text, { from, workgroups: [1], workgroupSize: [1], args });
      expect(findings).toEqual([]);
      expect([...(buffers["x"] as Uint32Array)], text).toEqual(wanted);
    }
  });

  test("a table of constants is read by every member", async () => {
    const source =
      "union u { int a; float b; uchar c[4]; };\n__constant union u t[3] = {{.b = 1.0f}, {2}, {.b = -2.0f}};\n__kernel void k(__global int *x) { int i = get_global_id(0); x[i] = t[i % 3].a + t[i % 3].c[3]; }";
    const wanted = [0x3f800000 + 0x3f, 2, 0xc0000000 + 0xc0, 0x3f800000 + 0x3f].map((n) => n | 0);
    const texts: [string, "opencl" | "glsl" | "hlsl" | "msl"][] = [[source, "opencl"]];
    for (const to of ["glsl", "hlsl", "msl"] as const) {
      const { code, diagnostics } = await translate(source, { from: "opencl", to, workgroupSize: [4, 1, 1] });
      expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      texts.push([code!, to]);
    }
    for (const [text, from] of texts) {
      const args = { x: new Int32Array(4) };
      const { buffers, findings } = await simulate(text, { from, workgroups: [1], workgroupSize: [4], args });
      expect(findings).toEqual([]);
      expect([...(buffers["x"] as Int32Array)], text).toEqual(wanted);
    }
  });

  test.each([
    ["union u { int a; float b; };\n__kernel void k(union u v, __global int *x) { x[0] = v.a; }", "argument by value"],
    [
      "union u { uchar a[4]; float b; };\n__constant union u t[2] = {{{1, 2, 3, 4}}, {{5}}};\n__kernel void k(__global int *x) { x[0] = t[x[1]].a[0]; }",
      "at file scope",
    ],
    [
      "struct s { int a; union { int a; float b; }; };\n__kernel void k(__global int *x) { struct s v; v.a = 1; x[0] = v.a; }",
      "declared twice",
    ],
  ])("%s is refused", async (source, message) => {
    const { diagnostics } = await translate(source, { from: "opencl", to: "glsl", workgroupSize: [4, 1, 1] });
    expect(diagnostics.map((d) => d.message).join("; ")).toContain(message);
  });
});

/** A bool4 is four bytes in MSL, and four ints in OpenCL C. */
test.each([
  ["a union", "union both { bool4 b; uint u; };", "both v; v.u = 0; v.b.x = true; v.b.z = i > 1; y[i] = v.u;"],
  [
    "workgroup memory that is looked at as bytes",
    "struct S { uchar c; bool4 b; };",
    "threadgroup S t[4]; t[i].c = 7; t[i].b = bool4(true, false, i > 1, false); threadgroup uchar *p = (threadgroup uchar *)&t[i] + 4; y[i] = p[0] + (p[1] << 8) + (p[2] << 16) + (sizeof(S) == 8 ? 0 : 5);",
  ],
])("vectors of bool in %s", async (_, types, statements) => {
  // MSL 2.2: a bool4 begins at a multiple of its 4 bytes.
  const source = `#include <metal_stdlib>
using namespace metal;
${types}
kernel void k(device uint* y [[buffer(0)]], uint i [[thread_position_in_grid]]) { ${statements} }
`;
  const run = async (text: string, from: SourceDialect): Promise<number[]> => {
    const args = { y: new Uint32Array(4) };
    const { buffers } = await simulate(text, { from, workgroups: [1], workgroupSize: [4], args });
    return [...(buffers["y"] as Uint32Array)];
  };
  const expected = [1, 1, 0x10001, 0x10001];
  expect(await run(source, "msl")).toEqual(expected);
  for (const to of ["glsl", "hlsl", "opencl"] as const) {
    const { code } = await translate(source, { from: "msl", to, workgroupSize: [4, 1, 1] });
    expect(await run(code!, to), code).toEqual(expected);
  }
});

// The address of a packed float3 of the file leaves buffers words in OpenCL C.
describe("a union of MSL in a buffer that is words in OpenCL C", () => {
  const text = (union: string, statements: string): string => `#include <metal_stdlib>
using namespace metal;
struct S { packed_float3 f; union { ${union} }; };
constant packed_float3 one = packed_float3(1);
kernel void k(device S* s [[buffer(0)]], uint i [[thread_position_in_grid]]) { S v = s[i]; ${statements} constant packed_float3 *p = &one; v.f = packed_float3(v.f.x, v.f.x + p->y, v.f.z); s[i] = v; }
`;

  const source = text("float x; uint y; half2 h;", "v.y ^= 3u; v.f.x = v.x;");

  test("is moved as the member that fills it", async () => {
    const { code, diagnostics } = await translate(source, { from: "msl", to: "opencl" });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    // 4096 and 4098 ulps above 1: f is what the union holds as a float afterwards.
    const words = Uint32Array.from([1, 2, 3, 0x3f801000, 5, 6, 7, 0x3f801002]);
    const { buffers, findings } = await simulate(code!, {
      from: "opencl",
      workgroups: [1],
      workgroupSize: [2],
      args: { s: words },
    });
    expect(findings).toEqual([]);
    // And f.y is 1 more, rounded: half an ulp of what is above 2 is one above 1, ties to even.
    expect([...(buffers["s"] as Uint32Array)]).toEqual([
      0x3f801003, 0x40000802, 3, 0x3f801003, 0x3f801001, 0x40000800, 7, 0x3f801001,
    ]);
  });

  judgeTest(judges.opencl, "clang takes it", async () => {
    const { code } = await translate(source, { from: "msl", to: "opencl" });
    expect(refusals(await judgeOutputs([judgeable("opencl", "a union in words", code!)]))).toBe("");
  });

  test("is refused where none does", async () => {
    const { code, diagnostics } = await translate(text("char c; struct { char a; int b; } p;", "v.c = 1;"), {
      from: "msl",
      to: "opencl",
    });
    expect(code).toBeUndefined();
    expect(diagnostics.map((d) => d.code)).toContain("XL4008");
  });
});
