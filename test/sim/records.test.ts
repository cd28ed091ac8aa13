/** Lanes whose elements lie in records, four lanes at a time: what they load and store of them, and halves among it. */
import { describe, expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { compileForSimulator } from "../../src/api/runners.js";
import { run } from "../../src/sim/index.js";
import { both, lanes } from "../support/compare-engines.js";

const list = (x: unknown): number[] => [...(x as Uint32Array)];

/** The number of a half's bits (IEEE 754, 3.4). */
function numberOf(h: number): number {
  const [exponent, significand] = [(h >> 10) & 31, h & 1023];
  const size =
    exponent === 31
      ? significand === 0
        ? Infinity
        : NaN
      : exponent === 0
        ? significand * 2 ** -24
        : (1024 + significand) * 2 ** (exponent - 25);
  return h & 0x8000 ? -size : size;
}

describe("halves", () => {
  // By IEEE 754: to the nearest, to the even one of two that are equally near; beyond 65504 and half a unit it is infinity.
  const rounded: readonly (readonly [number, number])[] = [
    [0, 0],
    [-0, 0x8000],
    [1, 0x3c00],
    [-2, 0xc000],
    [1 + 2 ** -11, 0x3c00],
    [1 + 2 ** -11 + 2 ** -20, 0x3c01],
    [1 + 3 * 2 ** -11, 0x3c02],
    [65504, 0x7bff],
    [65519, 0x7bff],
    [65520, 0x7c00],
    [-65536, 0xfc00],
    [3e38, 0x7c00],
    [Infinity, 0x7c00],
    [-Infinity, 0xfc00],
    [NaN, 0x7e00],
    [2 ** -14, 0x0400],
    [2 ** -14 - 2 ** -25, 0x0400],
    [2 ** -14 - 2 ** -24, 0x03ff],
    [2 ** -24, 1],
    [-(2 ** -25), 0x8000],
    [2 ** -25 + 2 ** -40, 1],
    [3 * 2 ** -25, 2],
    [2 ** -140, 0],
    [0.1, 0x2e66],
  ];

  test("numbers are rounded to them, in records and one after the other", async () => {
    const source = `__kernel void k(__global const float *a, __global half *four, __global half *one) {
      uint i = get_global_id(0);
      float4 v = vload4(i, a);
      vstore_half4(v, i, four);
      vstore_half(v.y, i, one);
    }`;
    const a = Float32Array.from(lanes(4 * 32, (i) => rounded[i % rounded.length]![0]));
    const args = { a, four: new Uint16Array(4 * 32), one: new Uint16Array(32) };
    const { buffers, stats } = await both(source, { workgroups: [2], workgroupSize: [16], args });
    const bits = (i: number): number => rounded[i % rounded.length]![1];
    expect(list(buffers["four"])).toEqual(lanes(4 * 32, bits));
    expect(list(buffers["one"])).toEqual(lanes(32, (i) => bits(4 * i + 1)));
    expect(stats!.engine).toEqual({ engine: "wasm", vectors: true });
  });

  test("what is stored of a record is loaded from it again: as a number, its bits, and behind other stores", async () => {
    const source = `
      float other(__global half *h, uint i) { vstore_half(3.0f, 4 * i + 1, h); return vload_half(4 * i + 1, h) + vload_half(4 * i + 2, h); }
      __kernel void k(__global const float *a, __global half *h, __global ushort *bits, __global float *back, __global float *o, uint n) {
        uint i = get_global_id(0);
        vstore_half4(vload4(i, a), i, h);
        float4 v = vload_half4(i, h);
        vstore4(v.wzyx, i, back);
        vstore4(as_ushort4((half4)(h[4 * i], h[4 * i + 1], h[4 * i + 2], h[4 * i + 3])), i, bits);
        o[i] = other(h, i);
        vstore_half4(vload4(i, a) * 0.0f + 1.5f, i, h);
        if (n == i) h[4 * i + 2] = 0.25f;
        o[32 + i] = vload_half(4 * i + 2, h);
        for (uint k = 0; k < 2; k++) { o[64 + i] = vload_half(4 * i, h); vstore_half4((float4)(k + 7.0f), i, h); }
      }`;
    const a = Float32Array.from(lanes(4 * 32, (i) => rounded[i % rounded.length]![0]));
    const halves = lanes(4 * 32, (i) => rounded[i % rounded.length]![1]);
    for (const n of [1, 2]) {
      const args = {
        a,
        h: new Uint16Array(4 * 32),
        bits: new Uint16Array(4 * 32),
        back: new Float32Array(128),
        o: new Float32Array(96),
        n,
      };
      const { buffers, stats } = await both(source, { workgroups: [2], workgroupSize: [16], args });
      expect(list(buffers["bits"])).toEqual(halves);
      const [back, o] = [buffers["back"], buffers["o"]].map((x) => [...(x as Float32Array)]) as [number[], number[]];
      const at = (i: number): number => numberOf(halves[i]!);
      expect(back).toEqual(lanes(128, (i) => at(4 * (i >> 2) + 3 - (i & 3))));
      expect(o.slice(0, 32)).toEqual(lanes(32, (i) => Math.fround(3 + at(4 * i + 2))));
      const again = (i: number): number => (Number.isFinite(a[i]!) ? 1.5 : NaN);
      expect(o.slice(32, 64)).toEqual(lanes(32, (i) => (i === n ? 0.25 : again(4 * i + 2))));
      expect(o.slice(64)).toEqual(lanes(32, () => 7));
      expect(list(buffers["h"])).toEqual(lanes(128, () => 0x4800));
      expect(stats!.engine).toEqual({ engine: "wasm", vectors: true });
    }
  });

  test("all of them become numbers", async () => {
    const source = `__kernel void k(__global const half *a, __global float *o) {
      uint i = get_global_id(0);
      float2 v = vload_half2(i, a);
      o[2 * i] = v.x; o[2 * i + 1] = v.y;
    }`;
    const a = Uint16Array.from(lanes(65536, (i) => i));
    const args = { a, o: new Float32Array(65536) };
    const { buffers } = await both(source, { workgroups: [512], workgroupSize: [64], args });
    expect(buffers["o"]).toEqual(Float32Array.from(lanes(65536, numberOf)));
  });
});

describe("records", () => {
  test("bytes, numbers of 16 bits and words, with signs, of records of 4 to 32 bytes", async () => {
    const source = `
      typedef struct { char a; uchar b; short c; } Four;
      typedef struct { ushort a; char b; char c; int d; } Eight;
      typedef struct { float x, y; uint n[6]; } Long;
      __kernel void k(__global const Four *four, __global const Eight *eight, __global const Long *longs, __global uint *o,
                      __global Four *four2, __global Long *longs2) {
        uint i = get_global_id(0);
        o[i] = (uint)four[i].a + 1000u * four[i].b + 100000u * (uint)four[i].c + eight[i].a + 3u * (uint)eight[i].b
             + (uint)eight[i].c + (uint)eight[i].d + longs[i].n[5] + as_uint(longs[i].y) + longs[i].n[0];
        four2[i].c = four[i].a; four2[i].a = four[i].b; four2[i].b = (uchar)four[i].c;
        longs2[i].n[2] = i; longs2[i].n[3] = longs[i].n[4]; longs2[i].n[4] = 7u; longs2[i].n[5] = longs[i].n[2];
      }`;
    const n = 32;
    const four = new Uint8Array(4 * n).map((_, i) => i * 37 + 130);
    const eight = new Uint8Array(8 * n).map((_, i) => i * 91 + 7);
    const longs = new Uint8Array(32 * n);
    const view = (b: Uint8Array): DataView => new DataView(b.buffer);
    for (let i = 0; i < 8 * n; i++) {
      if (i % 8 < 2) view(longs).setFloat32(4 * i, i - 50, true);
      else view(longs).setUint32(4 * i, Math.imul(i, 0x01000193), true);
    }
    const args = {
      four,
      eight,
      longs,
      o: new Uint32Array(n),
      four2: new Uint8Array(4 * n),
      longs2: new Uint8Array(32 * n),
    };
    const { buffers, stats } = await both(source, { workgroups: [2], workgroupSize: [16], args });
    const [f, e, l] = [view(four), view(eight), view(longs)];
    expect(list(buffers["o"])).toEqual(
      lanes(
        n,
        (i) =>
          (f.getInt8(4 * i) +
            1000 * f.getUint8(4 * i + 1) +
            100000 * f.getInt16(4 * i + 2, true) +
            e.getUint16(8 * i, true) +
            e.getInt8(8 * i + 2) * 3 +
            e.getInt8(8 * i + 3) +
            e.getInt32(8 * i + 4, true) +
            l.getInt32(32 * i + 28, true) +
            l.getInt32(32 * i + 4, true) +
            l.getInt32(32 * i + 8, true)) >>>
          0,
      ),
    );
    const four2 = view(buffers["four2"] as Uint8Array);
    const longs2 = view(buffers["longs2"] as Uint8Array);
    for (let i = 0; i < n; i++) {
      expect(four2.getInt16(4 * i + 2, true)).toBe(f.getInt8(4 * i));
      expect(four2.getUint8(4 * i)).toBe(f.getUint8(4 * i + 1));
      expect(four2.getUint8(4 * i + 1)).toBe(f.getUint8(4 * i + 2));
      expect(longs2.getUint32(32 * i, true)).toBe(0);
      expect(lanes(4, (k) => longs2.getUint32(32 * i + 16 + 4 * k, true))).toEqual([
        i,
        l.getUint32(32 * i + 24, true),
        7,
        l.getUint32(32 * i + 16, true),
      ]);
    }
    expect(stats!.engine).toEqual({ engine: "wasm", vectors: true });
  });

  test("what was loaded of a record is loaded again behind a store, in another way, and in a loop", async () => {
    const source = `__kernel void k(__global uint *a, uint n) {
      uint i = get_global_id(0);
      uint x = a[4 * i] + a[4 * i + 1];
      a[4 * i + 1] = x + 1;
      uint y = a[4 * i] + a[4 * i + 1];
      if (i & 1) { a[4 * i + 2] = y + a[4 * i + 3]; } else { a[4 * i + 3] = y - a[4 * i + 2]; }
      uint z = a[4 * i + 2] + a[4 * i + 3];
      for (uint k = 0; k < n; k++) { z += a[4 * i] * 3 + a[4 * i + 2]; a[4 * i] = z; a[4 * i + 2] = z ^ k; }
      a[4 * i + 3] = z; a[4 * i + 2] = a[4 * i + 1]; a[4 * i + 1] = x; a[4 * i] = y;
    }`;
    const a = Uint32Array.from(lanes(4 * 64, (i) => Math.imul(i + 1, 0x9e3779b1)));
    const { buffers, stats } = await both(source, { workgroups: [4], workgroupSize: [16], args: { a, n: 3 } });
    const wanted = Uint32Array.from(a);
    for (let i = 0; i < 64; i++) {
      const r = wanted.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number];
      const x = (r[0] + r[1]) >>> 0;
      r[1] = x + 1;
      const y = (r[0] + r[1]) >>> 0;
      if (i & 1) r[2] = y + r[3];
      else r[3] = y - r[2];
      let z = (r[2] + r[3]) >>> 0;
      for (let k = 0; k < 3; k++) {
        z = (z + Math.imul(r[0], 3) + r[2]) >>> 0;
        r[0] = z;
        r[2] = z ^ k;
      }
      [r[3], r[2], r[1], r[0]] = [z, r[1], x, y];
    }
    expect(buffers["a"]).toEqual(wanted);
    expect(stats!.engine).toEqual({ engine: "wasm", vectors: true });
  });

  test("neighbours of an element are found from it, and a finding outside is the printed code's", async () => {
    const source = `__kernel void k(__global const uint *a, __global uint *o) {
      uint i = get_global_id(0);
      o[i] = a[i - 1] + 10 * a[i] + 100 * a[i + 1] + 1000 * a[3 * i + 2];
    }`;
    const a = Uint32Array.from(lanes(200, (i) => i * i));
    const args = { a, o: new Uint32Array(32) };
    const options = { workgroups: [2], workgroupSize: [16], args };
    const inside = await both(source, { ...options, gridOffset: [1], args: { a, o: new Uint32Array(33) } });
    expect(list(inside.buffers["o"]).slice(1)).toEqual(
      lanes(32, (k) => k * k + 10 * (k + 1) ** 2 + 100 * (k + 2) ** 2 + 1000 * (3 * (k + 1) + 2) ** 2),
    );
    expect(inside.stats!.engine).toEqual({ engine: "wasm", vectors: true });
    const outside = await both(source, options);
    expect(outside.findings.map((f) => [f.kind, f.lane])).toEqual([["out-of-bounds", [0, 0, 0]]]);
  });
});

describe("quotients and remainders of ids by powers of two", () => {
  const source = `__kernel void k(__global const uchar *a, __global uint *o, __global uint *first) {
    uint i = get_global_id(0);
    uint l = get_local_id(0);
    uint block = i / 16u;
    uint sum = 0;
    if (block & 1u) sum = 5;
    for (uint n = 0; n < (l >> 2 & 3u); n++) sum += a[block * 18u + n];
    uint at = block * 32u + i % 16u;
    o[at] = sum + a[block * 18u + 2u + (i & 15u)] + 1000u * (i % 8u) + 10000u * (i >> 1);
    o[at + 16u] = (2u * i) % 8u + 100u * ((i + 2u) / 4u) + 10000u * ((3u * i) >> 4);
    if (i % 4u == 1u) first[i / 4u] = a[i / 4u];
  }`;
  const a = new Uint8Array(200).map((_, i) => (i * 89 + 3) % 251);
  const options = { workgroups: [3], workgroupSize: [32] };

  test.each([0, 4, 3])("with a grid that begins at %d", async (begin) => {
    const args = { a, o: new Uint32Array(256), first: new Uint32Array(32) };
    const { buffers, stats } = await both(source, { ...options, gridOffset: [begin], args });
    const [o, first] = [new Uint32Array(256), new Uint32Array(32)];
    for (let i = begin; i < 96 + begin; i++) {
      const block = i >> 4;
      let sum = block & 1 ? 5 : 0;
      for (let n = 0; n < (((i - begin) >> 2) & 3); n++) sum += a[block * 18 + n]!;
      o[block * 32 + (i & 15)] = sum + a[block * 18 + 2 + (i & 15)]! + 1000 * (i & 7) + 10000 * (i >> 1);
      o[block * 32 + (i & 15) + 16] = ((2 * i) & 7) + 100 * ((i + 2) >> 2) + 10000 * ((3 * i) >> 4);
      if (i % 4 === 1) first[i >> 2] = a[i >> 2]!;
    }
    expect(buffers["o"]).toEqual(o);
    expect(buffers["first"]).toEqual(first);
    expect(stats!.engine.engine).toBe("wasm");
  });

  test("go by groups of lanes where the grid allows it", async () => {
    const plain = `__kernel void k(__global const uchar *a, __global uint *o) {
      uint i = get_global_id(0);
      o[i / 16u * 32u + i % 16u] = a[i / 16u * 18u + 2u + (i & 15u)];
      o[i / 16u * 32u + i % 16u + 16u] = a[i / 16u * 18u];
    }`;
    for (const begin of [0, 3]) {
      const args = { a, o: new Uint32Array(256) };
      const { stats } = await both(plain, { ...options, gridOffset: [begin], args });
      expect(stats!.engine.vectors).toBe(begin === 0);
    }
  });
});

test("a number that min makes even, and that is set again, is what it was set to", async () => {
  const source = `__kernel void k(__global const float *a, __global float *o, uint n) {
    uint i = get_global_id(0);
    uint x = min(i, n - 1u);
    float first = a[x] * 2.0f + 1.0f;
    x = x ^ 5u;
    o[i] = a[x] * 3.0f + convert_float(x) * 100.0f + convert_float(x & 3u) * 0.5f + first;
    if (i & 1u) { x += 2u; o[i] += a[x] * 1000.0f; }
  }`;
  const a = Float32Array.from(lanes(64, (i) => i));
  for (const n of [64, 20]) {
    const args = { a, o: new Float32Array(32), n };
    const { buffers, stats } = await both(source, { workgroups: [2], workgroupSize: [16], args });
    const wanted = (i: number): number => {
      const begin = Math.min(i, n - 1);
      const x = begin ^ 5;
      return x * 103 + (x & 3) * 0.5 + begin * 2 + 1 + (i & 1 ? 1000 * (x + 2) : 0);
    };
    expect([...(buffers["o"] as Float32Array)]).toEqual(lanes(32, wanted));
    expect(stats!.engine).toEqual({ engine: "wasm", vectors: true });
  }
});

test("places that are held for lanes that take part say nothing of the others", async () => {
  const source = `__kernel void k(__global uint *o, __global uint *p, uint a) {
    uint i = get_global_id(0);
    if (i >= a) o[i - a]++;
    if (i >= a && i < 29) { p[i - a] *= 3; p[i - a] += i; }
  }`;
  for (const a of [1, 2, 7]) {
    const args = { o: new Uint32Array(32).fill(9), p: new Uint32Array(32).fill(5), a };
    const { buffers, stats } = await both(source, { workgroups: [2], workgroupSize: [16], args });
    expect(list(buffers["o"])).toEqual(lanes(32, (i) => (i + a < 32 ? 10 : 9)));
    expect(list(buffers["p"])).toEqual(lanes(32, (i) => (i + a < 29 ? 15 + i + a : 5)));
    expect(stats!.engine).toEqual({ engine: "wasm", vectors: true });
  }
});

test("a smaller last workgroup has the bounds of its own checks", async () => {
  // The index of `t` cannot be outside of it in a workgroup of 20, in one of 64 it could.
  const source = `__kernel void k(__global uint *o, __global uint *p, uint n) {
    uint i = get_global_id(0), l = get_local_id(0);
    __local uint t[32];
    t[l & n] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    p[i] = t[l & n];
    o[i] = i;
  }`;
  const run = (length: number) =>
    both(source, {
      gridSize: [84],
      workgroupSize: [64],
      findings: ["out-of-bounds"],
      args: { o: new Uint32Array(length), p: new Uint32Array(84), n: 31 },
    });
  const { buffers, findings } = await run(84);
  expect(findings).toEqual([]);
  expect(list(buffers["o"])).toEqual(lanes(84, (i) => i));
  expect((await run(80)).findings.map((f) => f.message)).toEqual(["write out of bounds of o"]);
});

test("a compiled kernel runs at several widths, whether it asks for subgroups or not", async () => {
  const source = `#pragma OPENCL EXTENSION cl_khr_subgroups : enable
    __kernel void plain(__global uint *o) { uint i = get_global_id(0); o[i] = i / 8u; }
    __kernel void asks(__global uint *o) { uint i = get_global_id(0); o[i] = get_sub_group_local_id(); }
    __kernel void sums(__global uint *o) { uint i = get_global_id(0); o[i] = sub_group_reduce_add(1u); }`;
  const wanted: Readonly<Record<string, (i: number, width: number) => number>> = {
    plain: (i) => i >> 3,
    asks: (i, width) => i % width,
    sums: (_, width) => width,
  };
  const compilation = await compile(source, { from: "opencl" });
  for (const entry of compilation.module!.entries) {
    const made = compileForSimulator(compilation, entry, "none");
    if (!("kernel" in made)) throw new Error(JSON.stringify(made.diagnostics));
    for (const subgroupSize of [32, 4, 16]) {
      const args = new Map([["o", new Uint8Array(4 * 64)]]);
      const { buffers } = run(made.kernel, {
        workgroups: [2],
        workgroupSize: [32],
        subgroupSize,
        args,
        engine: "wasm",
      });
      expect([...new Uint32Array(buffers.get("o")!.buffer)], `${entry.name} at ${subgroupSize}`).toEqual(
        lanes(64, (i) => wanted[entry.name]!(i, subgroupSize)),
      );
    }
  }
});
