/**
 * Functions with a second result, which goes to every kind of place: a local, a component, components in another order, a member,
 * an element of an array, of a vector of integers and of a buffer. Values by hand, in every translation.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";

/** x: 2.75, 12, -5.5, 0.15625. */
const x = [2.75, 12, -5.5, 0.15625];
interface Case {
  readonly what: string;
  /** Statements over x[] that write o[]. */
  readonly in: Partial<Record<TwoWayDialect, string>>;
  readonly wanted: readonly number[];
}
const cases: readonly Case[] = [
  {
    what: "a component",
    in: {
      opencl: "float4 v = (float4)(9.0f); o[0] = modf(x[0], (float *)&v + 2); o[1] = v.z; o[2] = v.w;",
      glsl: "vec4 v = vec4(9.0); o[0] = modf(x[0], v.z); o[1] = v.z; o[2] = v.w;",
      hlsl: "float4 v = 9.0f; o[0] = modf(x[0], v.z); o[1] = v.z; o[2] = v.w;",
    },
    wanted: [0.75, 2, 9],
  },
  {
    what: "components in another order",
    in: {
      glsl: "vec4 v = vec4(9.0); vec2 f = modf(vec2(x[0], x[2]), v.wy); o[0] = f.x; o[1] = f.y; o[2] = v.w; o[3] = v.y; o[4] = v.x;",
      hlsl: "float4 v = 9.0f; float2 f = modf(float2(x[0], x[2]), v.wy); o[0] = f.x; o[1] = f.y; o[2] = v.w; o[3] = v.y; o[4] = v.x;",
    },
    wanted: [0.75, -0.5, 2, -5, 9],
  },
  {
    what: "a component of a vector of integers",
    in: {
      glsl: "ivec3 e = ivec3(7); o[0] = frexp(x[1], e.y); o[1] = float(e.y); o[2] = float(e.x);",
      opencl: "int3 n = (int3)(7); o[0] = frexp(x[1], (int *)&n + 1); o[1] = (float)n.y; o[2] = (float)n.x;",
      hlsl: "float3 e = 7.0f; o[0] = frexp(x[1], e.y); o[1] = e.y; o[2] = e.x;",
    },
    wanted: [0.75, 4, 7],
  },
  {
    what: "a vector",
    in: {
      msl: "int2 n; float2 f = frexp(float2(x[1], x[3]), n); o[0] = f.x; o[1] = f.y; o[2] = float(n.x); o[3] = float(n.y);",
      glsl: "ivec2 e; vec2 f = frexp(vec2(x[1], x[3]), e); o[0] = f.x; o[1] = f.y; o[2] = float(e.x); o[3] = float(e.y);",
      opencl:
        "int2 n; float2 f = frexp((float2)(x[1], x[3]), &n); o[0] = f.x; o[1] = f.y; o[2] = (float)n.x; o[3] = (float)n.y;",
      hlsl: "float2 e; float2 f = frexp(float2(x[1], x[3]), e); o[0] = f.x; o[1] = f.y; o[2] = e.x; o[3] = e.y;",
    },
    wanted: [0.75, 0.625, 4, -2],
  },
  {
    what: "an element of an array, by an index that the call follows",
    in: {
      msl: "float a[3] = {9.0f, 9.0f, 9.0f}; int i = 1; o[0] = modf(x[2], a[i++]); o[1] = a[1]; o[2] = float(i); o[3] = a[2];",
      glsl: "float a[3] = float[3](9.0, 9.0, 9.0); int i = 1; o[0] = modf(x[2], a[i++]); o[1] = a[1]; o[2] = float(i); o[3] = a[2];",
      opencl:
        "float a[3] = {9.0f, 9.0f, 9.0f}; int i = 1; o[0] = modf(x[2], &a[i++]); o[1] = a[1]; o[2] = (float)i; o[3] = a[2];",
    },
    wanted: [-0.5, -5, 2, 9],
  },
  {
    what: "an element of a buffer",
    in: {
      glsl: "o[0] = modf(x[2], o[3]); o[1] = frexp(x[1], e[1]); o[2] = float(e[1]);",
      opencl: "o[0] = modf(x[2], &o[3]); o[1] = frexp(x[1], &e[1]); o[2] = (float)e[1];",
      hlsl: "o[0] = modf(x[2], o[3]); o[1] = frexp(x[1], o[2]);",
    },
    wanted: [-0.5, 0.75, 4, -5],
  },
  {
    what: "a member",
    in: {
      msl: "Pair p = {9.0f, 9}; o[0] = modf(x[0], p.f); o[1] = frexp(x[1], p.e); o[2] = p.f; o[3] = float(p.e);",
      glsl: "Pair p = Pair(9.0, 9); o[0] = modf(x[0], p.f); o[1] = frexp(x[1], p.e); o[2] = p.f; o[3] = float(p.e);",
      opencl: "Pair p = {9.0f, 9}; o[0] = modf(x[0], &p.f); o[1] = frexp(x[1], &p.e); o[2] = p.f; o[3] = (float)p.e;",
      hlsl: "Pair p = {9.0f, 9}; o[0] = modf(x[0], p.f); o[2] = p.f; o[1] = frexp(x[1], p.f); o[3] = p.f;",
    },
    wanted: [0.75, 0.75, 2, 4],
  },
  {
    what: "the operand itself",
    in: {
      msl: "float w = x[2]; o[0] = modf(w, w); o[1] = w;",
      glsl: "float w = x[2]; o[0] = modf(w, w); o[1] = w;",
      opencl: "float w = x[2]; o[0] = modf(w, &w); o[1] = w; float u = x[2]; o[2] = fract(u, &u); o[3] = u;",
      hlsl: "float w = x[2]; o[0] = modf(w, w); o[1] = w;",
    },
    wanted: [-0.5, -5],
  },
  {
    what: "of doubles",
    in: {
      glsl: "double w; dvec2 v = dvec2(9.0lf); int e; o[0] = float(modf(double(x[2]), w)); o[1] = float(w); o[2] = float(modf(double(x[0]), v.y)); o[3] = float(v.y + v.x); o[4] = float(frexp(double(x[1]), e)); o[5] = float(e);",
      opencl:
        "double w; double2 v = (double2)(9.0); int n; o[0] = (float)modf((double)x[2], &w); o[1] = (float)w; o[2] = (float)modf((double)x[0], (double *)&v + 1); o[3] = (float)(v.y + v.x); o[4] = (float)frexp((double)x[1], &n); o[5] = (float)n;",
    },
    wanted: [-0.5, -5, 0.75, 11, 0.75, 4],
  },
];

const frames: Readonly<Record<TwoWayDialect, (body: string) => string>> = {
  msl: (body) =>
    `#include <metal_stdlib>\nusing namespace metal;\nstruct Pair { float f; int e; };\nkernel void k(device const float *x [[buffer(0)]], device float *o [[buffer(1)]], device int *e [[buffer(2)]]) {\n  ${body}\n}\n`,
  glsl: (body) =>
    `#version 460\nlayout(local_size_x = 1) in;\nstruct Pair { float f; int e; };\nlayout(std430, binding = 0) readonly buffer X { float x[]; };\nlayout(std430, binding = 1) buffer O { float o[]; };\nlayout(std430, binding = 2) buffer E { int e[]; };\nvoid main() {\n  ${body}\n}\n`,
  opencl: (body) =>
    `#pragma OPENCL EXTENSION cl_khr_fp64 : enable\ntypedef struct { float f; int e; } Pair;\nkernel void k(global const float *x, global float *o, global int *e) {\n  ${body}\n}\n`,
  hlsl: (body) =>
    `struct Pair { float f; int e; };\nStructuredBuffer<float> x : register(t0);\nRWStructuredBuffer<float> o : register(u1);\nRWStructuredBuffer<int> e : register(u2);\n[numthreads(1, 1, 1)]\nvoid k() {\n  ${body}\n}\n`,
};

async function ran(text: string, from: TwoWayDialect, uses: readonly string[]): Promise<number[]> {
  const given = { x: Float32Array.from(x), o: new Float32Array(8), e: new Int32Array(2) };
  const args = Object.fromEntries(Object.entries(given).filter(([name]) => uses.includes(name)));
  const { buffers, diagnostics } = await simulate(text, { from, workgroups: [1], workgroupSize: [1], args });
  expect(
    diagnostics.filter((d) => d.severity === "error").map((d) => d.message),
    text,
  ).toEqual([]);
  return [...(buffers["o"] as Float32Array)];
}

describe.each(twoWayDialects)("out places in %s", (from) => {
  const mine = cases.flatMap((c) => (c.in[from] === undefined ? [] : [[c.what, c, c.in[from]] as const]));
  test.each(mine)("%s", async (what, { wanted }, body) => {
    const text = frames[from](body);
    const first = (all: number[]): number[] => all.slice(0, wanted.length);
    expect(first(await ran(text, from, ["x", "o", "e"]))).toEqual(wanted);
    for (const to of twoWayDialects.filter((d) => d !== from)) {
      const { code, diagnostics } = await translate(text, { from, to, workgroupSize: [1, 1, 1] });
      if (code === undefined) {
        expect([what, diagnostics.map((d) => d.message).join("; ")], text).toEqual([
          "of doubles",
          expect.stringMatching(/double precision|not of double|of float only/),
        ]);
        continue;
      }
      expect(first(await ran(code, to, ["x", "o", "e"])), code).toEqual(wanted);
    }
  });
});
