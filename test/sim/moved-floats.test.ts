/** Floats that are only moved keep their bits, in both engines; what is used as a number is a NaN of the canonical bits. */
import { describe, expect, test } from "vitest";
import { simulate, verify } from "../../src/index.js";
import type { SourceDialect } from "../../src/index.js";

interface Moved {
  readonly name: string;
  readonly from: SourceDialect;
  readonly text: string;
  /** Of the bits of element `i`, what is stored in its place. */
  readonly gives: (bits: number, i: number, all: Uint32Array) => number;
}

/** NaNs of f32 both ways: signalling ones, quiet ones with a payload, negative ones; and a number. */
const patterns32 = [0x7f800001, 0x7fa00000, 0x7fc01234, 0xffa00001, 0xffffffff, 0x7fc00000, 0x3f800000, 0xff812345];
/** As halves: two of them a word. */
const patterns16 = [0x7c017e01, 0xfd557dff, 0xffff7e00, 0x3c007c42];

const hlsl = (helpers: string, body: string): string =>
  `RWByteAddressBuffer buf;\n${helpers}\n[numthreads(8, 1, 1)]\nvoid k(uint3 id : SV_GroupThreadID) {\n  uint i = id.x;\n  uint w = buf.Load(4 * i);\n  ${body}\n}\n`;
const opencl = (helpers: string, body: string): string =>
  `${helpers}\n__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k(global uint *buf) {\n  uint i = get_local_id(0);\n  uint w = buf[i];\n  ${body}\n}\n`;

const moved: readonly Moved[] = [
  {
    name: "what a function makes of a word",
    from: "hlsl",
    text: hlsl("float f(uint w) { return asfloat(w); }", "float x = f(w); buf.Store(4 * i, asuint(x));"),
    gives: (w) => w,
  },
  {
    name: "a parameter",
    from: "hlsl",
    text: hlsl("uint g(float x) { return asuint(x) ^ 1u; }", "buf.Store(4 * i, g(asfloat(w)));"),
    gives: (w) => (w ^ 1) >>> 0,
  },
  {
    name: "a choice between two parameters, and between two calls",
    from: "hlsl",
    text: hlsl(
      "float f(uint w) { return asfloat(w); } float pick(float a, float b, uint c) { if (c == 0) return a; else return b; }",
      "float x = pick(f(w), f(w ^ 0x80000000u), i & 1); float y = (i & 2) != 0 ? f(w ^ 2u) : x; buf.Store(4 * i, asuint(y));",
    ),
    gives: (w, i) => ((i & 2 ? w ^ 2 : i & 1 ? w ^ 0x80000000 : w) >>> 0) as number,
  },
  {
    name: "through two functions and a variable of the second",
    from: "opencl",
    text: opencl(
      "float in(uint w) { return as_float(w); } float through(float x, int n) { float y = 0.0f; for (int k = 0; k < n; k++) y = x; return y; }",
      "buf[i] = as_uint(through(in(w), i == 6 ? 0 : 2));",
    ),
    gives: (w, i) => (i === 6 ? 0 : w),
  },
  {
    name: "through memory of the workgroup, filled by a function's result",
    from: "opencl",
    text: opencl(
      "float in(uint w) { return as_float(w); }",
      "local float s[8]; s[i] = in(w); barrier(CLK_LOCAL_MEM_FENCE); float x = s[i ^ 1]; buf[i] = as_uint(x);",
    ),
    gives: (_w, i, all) => all[i ^ 1]!,
  },
  {
    name: "doubles",
    from: "opencl",
    text: opencl(
      "double in(uint lo, uint hi) { return as_double(((ulong)hi << 32) | lo); } ulong out(double x) { return as_ulong(x); }",
      "ulong r = out(in(i, w)); buf[i] = (uint)(r >> 32) + (uint)r;",
    ),
    gives: (w, i) => (w + i) >>> 0,
  },
  {
    name: "halves",
    from: "opencl",
    text: opencl(
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nhalf in(ushort w) { return as_half(w); } ushort out(half x) { return as_ushort(x); }",
      "buf[i] = out(in((ushort)w)) | ((uint)out(in((ushort)(w >> 16))) << 16);",
    ),
    gives: (w) => w,
  },
];

for (const engine of ["ts", "wasm"] as const) {
  describe(`the engine ${engine} keeps the bits of what is moved`, () => {
    test.each(moved)("$name", async ({ text, from, gives, name }) => {
      const given = new Uint32Array(name === "halves" ? [...patterns16, ...patterns16] : patterns32);
      const { buffers, findings, diagnostics } = await simulate(text, {
        from,
        engine,
        workgroups: [1],
        args: { buf: given.slice() },
      });
      expect([diagnostics, findings]).toEqual([[], []]);
      const show = (list: Iterable<number>): string[] => [...list].map((x) => x.toString(16));
      expect(show(buffers["buf"] as Uint32Array)).toEqual(show(given.map((w, i) => gives(w, i, given))));
    });

    test("a parameter that is a number in one place is one everywhere", async () => {
      // The second call's argument is a number, so that the parameter is: its NaN is the canonical one, and no third pattern.
      const text = opencl(
        "uint bits(float x) { return as_uint(x); }",
        "buf[i] = (i & 1) != 0 ? bits(as_float(w)) : bits(as_float(w) + 1.0f);",
      );
      const { buffers } = await simulate(text, {
        from: "opencl",
        engine,
        workgroups: [1],
        args: { buf: new Uint32Array(patterns32) },
      });
      expect([...(buffers["buf"] as Uint32Array)]).toEqual(
        patterns32.map((w, i) => (w !== 0x3f800000 ? 0x7fc00000 : i & 1 ? w : 0x40000000)),
      );
    });
  });
}

describe("a translation moves the same bits", () => {
  for (const to of ["msl", "glsl", "opencl", "hlsl"] as const)
    test(to, async () => {
      const of = (m: Moved): boolean => m.from !== to && m.name !== "halves" && m.name !== "doubles";
      for (const { text, from } of moved.filter(of)) {
        const launch = {
          workgroups: [1],
          args: { buf: { type: "u32", init: { values: patterns32 }, output: true } },
        };
        const { result, diagnostics } = await verify(text, { from, to, launches: [launch] });
        expect([result, diagnostics.filter((d) => d.severity === "error")]).toEqual(["equivalent", []]);
      }
    });
});
