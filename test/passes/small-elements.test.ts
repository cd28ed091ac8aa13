/**
 * Buffers of bytes, halves and 16-bit integers where the target has no such types in memory: words, of which parts are read
 * and written. Values are worked out here or by the simulator from the source's own layout.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { simulate, translate, verify } from "../../src/index.js";
import { judgeOutputs, judgeable, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

/** Has neither 8-bit integers nor 8-bit storage. */
const mobile = JSON.parse(
  readFileSync(new URL("../caps/reports/vulkaninfo-mobile.json", import.meta.url), "utf8"),
) as object;

const kernels = {
  bytes: {
    from: "opencl",
    text: `__kernel void k(__global uchar *dst, __global const char *src, const char m) { int i = get_global_id(0); dst[i] = (uchar)(src[i] * 3 + m); }`,
  },
  // Each store has lanes beside it that write the same word.
  steps: {
    from: "opencl",
    text: `__kernel void k(__global char *d, __global short *s, __global uchar4 *v, const uchar3 m) {
      int i = get_global_id(0);
      d[i]++; d[i] *= m.y; d[i] = d[i]-- + s[i]; s[i] -= m.x; s[i] <<= 3; v[i].yw = v[i].xz + m.z; v[i].z--;
    }`,
  },
  structs: {
    from: "opencl",
    text: `typedef struct { uchar a; short b; float f; uchar3 c; char4 d; ushort2 e; long g; ushort4 h; } S;
    __kernel void k(__global S *s) {
      int i = get_global_id(0);
      S t = s[i];
      t.a += 3; t.b--; t.c.y = t.d.w; t.d.x++; t.e += (ushort2)(3, 65535); t.g *= 5; t.h = t.h.wzyx + t.e.x;
      s[i] = t;
      s[i].c.z = 7; s[i].d.zy = s[i].d.xw; s[i].e.y ^= 0x5aa5; s[i].h.w = t.a;
    }`,
  },
  vectors: {
    from: "opencl",
    text: `__kernel void k(__global const uchar *src, __global char *dst, __global short *w) {
      int i = get_global_id(0);
      vstore3(as_char3(vload3(i, src)), i, dst);
      vstore2(vload2(i, w).yx, i, w);
    }`,
  },
  packed: {
    from: "msl",
    text: `#include <metal_stdlib>
    using namespace metal;
    struct P { uchar a; packed_char3 b; half h; uchar q; ushort3 w; };
    kernel void k(device const uchar *src [[buffer(0)]], device P *p [[buffer(1)]], constant char &c [[buffer(2)]], constant uchar2 &cc [[buffer(3)]], uint i [[thread_position_in_grid]]) {
      P t = p[i];
      t.b.y += char(t.a); t.h *= 2.0h; t.q = src[i] > uchar(c + cc.y); t.w = t.w.zxy + ushort(src[i]);
      p[i] = t;
      p[i].b.z--;
      p[i].a <<= 1;
    }`,
  },
} as const;

const targets = { hlsl: {}, "hlsl of sm6.0": { profile: "sm6.0" }, glsl: { deviceProfile: mobile } } as const;

const cases = Object.entries(kernels).flatMap(([name, k]) =>
  Object.entries(targets)
    // half itself is not in sm6.0.
    .filter(([t]) => !(name === "packed" && t === "hlsl of sm6.0"))
    .map(([t, options]) => ({
      name: `${name} in ${t}`,
      k,
      to: t.startsWith("hlsl") ? ("hlsl" as const) : ("glsl" as const),
      options,
    })),
);

/** 13 invocations: most buffers are no whole number of words. */
const common = { workgroupSize: [13, 1, 1] } as const;

test.each(cases)("$name leaves the source's bytes", async ({ k, to, options }) => {
  const { result, diagnostics } = await verify(k.text, { from: k.from, to, ...common, ...options });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(result).toBe("equivalent");
});

for (const to of ["hlsl", "glsl"] as const)
  judgeTest(judges[to], `a compiler takes the texts in ${to}`, async () => {
    const texts = cases
      .filter((c) => c.to === to)
      .map(async ({ name, k, options }) => {
        const { code } = await translate(k.text, { from: k.from, to, ...common, ...options });
        return judgeable(to, name.replaceAll(" ", "_"), code!);
      });
    expect(refusals(await judgeOutputs(await Promise.all(texts)))).toBe("");
  });

describe("what is bound", () => {
  test("bytes are where the source has them, and the bytes beside them stay", async () => {
    const source = `__kernel void k(__global uchar *x) { x[4 * get_global_id(0) + 1] = 0xa0 + get_global_id(0); }`;
    const { code } = await translate(source, { from: "opencl", to: "hlsl", workgroupSize: [2, 1, 1] });
    expect(code).toContain("RWByteAddressBuffer x : register(u0);");
    const args = { x: Uint32Array.of(0x44332211, 0x88776655) };
    const { buffers } = await simulate(code!, { from: "hlsl", workgroups: [1], args });
    expect(buffers["x"]).toEqual(Uint32Array.of(0x4433a011, 0x8877a155));
  });
  test("arguments by value are integers of 32 bits, and keep their sign", async () => {
    const source = `__kernel void k(__global int *x, const char c, const ushort u) { x[get_global_id(0)] = c * 1000 + u; }`;
    const { code } = await translate(source, { from: "opencl", to: "hlsl", workgroupSize: [1, 1, 1] });
    expect(code).toMatch(/cbuffer Params : register\(b0\) \{\n {2}int c;/);
    const { result } = await verify(source, { from: "opencl", to: "hlsl", workgroupSize: [1, 1, 1] });
    expect(result).toBe("equivalent");
  });
  test("lanes that store to one byte leave the value of one of them", async () => {
    const source = `__kernel void k(__global uchar *x) { x[1] = get_local_id(0) % 2 ? 0x0f : 0xf0; }`;
    const { code } = await translate(source, { from: "opencl", to: "hlsl", workgroupSize: [8, 1, 1] });
    for (const seed of [1, 2, 3]) {
      const { buffers } = await simulate(code!, {
        from: "hlsl",
        workgroups: [1],
        args: { x: new Uint32Array(1) },
        seed,
      });
      expect([0x0f00, 0xf000]).toContain((buffers["x"] as Uint32Array)[0]);
    }
  });
  test("halves are stored by their bits where the type is missing", async () => {
    const source = `__kernel void k(__global half *x) { vstore_half(1.5f, get_global_id(0), x); }`;
    const { code } = await translate(source, {
      from: "opencl",
      to: "hlsl",
      profile: "sm6.0",
      workgroupSize: [1, 1, 1],
    });
    const args = { x: new Uint32Array(1) };
    const { buffers } = await simulate(code!, { from: "hlsl", workgroups: [2], args });
    expect(buffers["x"]).toEqual(Uint32Array.of(0x3e003e00));
  });
});
