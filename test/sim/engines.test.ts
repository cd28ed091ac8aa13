/**
 * The WebAssembly engine against arithmetic by hand, and against the printed code in what a run says besides: findings, steps.
 * `vitest.engines.config.ts` holds the two to each other on all that other suites run.
 */
import { describe, expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { compileForSimulator } from "../../src/api/runners.js";
import type { MachineExpr, Program } from "../../src/regions/tree.js";
import { run, type CompiledKernel } from "../../src/sim/index.js";
import { both, by, lanes } from "../support/compare-engines.js";

const u32 = (x: unknown): number[] => [...(x as Uint32Array)];

describe("lanes four at a time", () => {
  test("a straight region is done by vectors, and says so", async () => {
    const source =
      "__kernel void k(__global const uint *a, __global uint *o) { size_t i = get_global_id(0); o[i] = a[i] * 3 + 1; }";
    const a = Uint32Array.from(lanes(64, (i) => i * 0x10000001));
    const result = await both(source, { workgroups: [4], workgroupSize: [16], args: { a, o: new Uint32Array(64) } });
    expect(u32(result.buffers["o"])).toEqual(lanes(64, (i) => (Math.imul(a[i]!, 3) + 1) >>> 0));
    expect(result.stats!.engine).toEqual({ engine: "wasm", vectors: true });
    const scalar = await by("ts", source, {
      workgroups: [4],
      workgroupSize: [16],
      args: { a, o: new Uint32Array(64) },
    });
    expect(scalar.stats!.engine).toEqual({ engine: "ts", vectors: false });
  });

  test("trip counts of their own, and ways out of a loop's middle, step and region", async () => {
    const source = `__kernel void k(__global uint *o, uint n) {
      uint i = get_global_id(0);
      if (i >= n) return;
      uint sum = 0;
      for (uint j = 0; j < i; j++) { if (j % 3 == 1) continue; if (sum > 40) break; sum += j; }
      uint x = i + 1, steps = 0;
      do { x = (x & 1) ? 3 * x + 1 : x / 2; steps++; } while (x != 1 && steps < 200);
      o[i] = sum * 1000 + steps;
    }`;
    const wanted = (i: number): number => {
      let [sum, x, steps] = [0, i + 1, 0];
      for (let j = 0; j < i; j++) {
        if (j % 3 === 1) continue;
        if (sum > 40) break;
        sum += j;
      }
      do {
        x = x & 1 ? 3 * x + 1 : x / 2;
        steps++;
      } while (x !== 1 && steps < 200);
      return sum * 1000 + steps;
    };
    // 29 is no whole number of groups: in the last one some lanes take no part, and have no element.
    const result = await both(source, {
      workgroups: [2],
      workgroupSize: [16],
      args: { o: new Uint32Array(29), n: 29 },
    });
    expect(u32(result.buffers["o"])).toEqual(lanes(29, wanted));
  });

  test("what one lane stores the next one reads only where lanes go one by one", async () => {
    const source = `__kernel void k(__global uint *a, uint by) { uint i = get_local_id(0); a[i + by] = a[i] + 1; }`;
    for (const shift of [0, 1, 2, 3, 4, 7, 8]) {
      const a = lanes(24, (i) => 10 * i);
      const result = await both(source, {
        workgroups: [1],
        workgroupSize: [16],
        args: { a: Uint32Array.from(a), by: shift },
        findings: ["out-of-bounds"],
      });
      for (let i = 0; i < 16; i++) a[i + shift] = a[i]! + 1;
      expect(u32(result.buffers["a"]), `${shift} apart`).toEqual(a);
    }
  });

  test("an index from before the lanes waited is each lane's own", async () => {
    const source = `#version 450
    #extension GL_KHR_shader_subgroup_vote : require
    layout(local_size_x = 16) in;
    layout(binding = 0) buffer O { uint o[]; };
    struct Pair { bool is; uvec2 of; };
    Pair same(inout uvec2 place, Pair p) {
      vec4 v = clamp(vec4(float(p.is), 5.0, subgroupAll(false) ? 5.0 : float(place.y), 5.0), -512.0, 512.0);
      return p;
    }
    void main() {
      uint i = gl_GlobalInvocationID.x;
      Pair p = Pair(i == i, uvec2(i, i * 2u));
      uvec2 t[2] = uvec2[2](uvec2(900u, 800u), p.of);
      p = same(t[uint(bitCount(i)) & 1u], p);
      barrier();
      o[4u * i] = t[0].x; o[4u * i + 1u] = t[0].y; o[4u * i + 2u] = t[1].x; o[4u * i + 3u] = t[1].y;
    }`;
    const result = await both(source, {
      from: "glsl",
      workgroups: [2],
      subgroupSize: 8,
      args: { o: new Uint32Array(128) },
    });
    expect(u32(result.buffers["o"])).toEqual(lanes(32, (i) => i).flatMap((i) => [900, 800, i, 2 * i]));
  });

  test("halves, bytes and shorts are those of their width", async () => {
    const source = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
    __kernel void k(__global const half *h, __global half *r, __global const uchar *b, __global uchar *c, __global short *s) {
      uint i = get_global_id(0);
      r[i] = h[i] * (half)0.1f + (half)1.0f;
      c[i] = b[i] * 3;
      s[i] = (short)(s[i] - 30000);
    }`;
    const h = Uint16Array.from(lanes(32, (i) => (i * 2053) & 0xffff));
    const b = Uint8Array.from(lanes(32, (i) => i * 9));
    const result = await both(source, {
      workgroups: [2],
      workgroupSize: [16],
      args: {
        h,
        r: new Uint16Array(32),
        b,
        c: new Uint8Array(32),
        s: Int16Array.from(lanes(32, (i) => i * 700 - 11000)),
      },
    });
    expect([...(result.buffers["c"] as Uint8Array)]).toEqual(lanes(32, (i) => (b[i]! * 3) & 255));
    expect([...(result.buffers["s"] as Int16Array)]).toEqual(lanes(32, (i) => ((i * 700 - 41000) << 16) >> 16));
    // 2053 is 0x805: 2^-13 * (1 + 5/1024); a tenth of it is lost beside one.
    expect((result.buffers["r"] as Uint16Array)[1]).toBe(0x3c00);
  });

  test("every NaN that is made is the one of all machines, and a copy keeps its bits", async () => {
    const source = `__kernel void k(__global const float *a, __global float *o, __global float *c) {
      uint i = get_global_id(0); o[i] = a[i] - a[i]; c[i] = a[i];
    }`;
    const a = new Float32Array(Uint32Array.from(lanes(8, (i) => 0x7f800000 + (i > 3 ? i : 0))).buffer);
    const result = await both(source, {
      workgroups: [1],
      workgroupSize: [8],
      args: { a, o: new Float32Array(8), c: new Float32Array(8) },
    });
    expect([...new Uint32Array((result.buffers["o"] as Float32Array).buffer)]).toEqual(lanes(8, () => 0x7fc00000));
    const kept = [...new Uint32Array((result.buffers["c"] as Float32Array).buffer)];
    expect(kept).toEqual([...new Uint32Array(a.buffer)]);
  });
});

describe("elements that lie evenly over a run of lanes", () => {
  test("up to the end of buffers that lanes without a share would leave", async () => {
    const source = `__kernel void k(__global const float *x, __global float *y, uint n) {
      uint i = get_global_id(0);
      if (i < n) y[i] = 3.0f * x[i] + y[i];
    }`;
    for (const n of [1, 7, 64, 129, 150]) {
      const x = Float32Array.from(lanes(n, (i) => i));
      const y = Float32Array.from(lanes(n, (i) => 1000 + i));
      const result = await both(source, { workgroups: [3], workgroupSize: [64], args: { x, y, n } });
      expect([...(result.buffers["y"] as Float32Array)]).toEqual(lanes(n, (i) => 1000 + 4 * i));
      expect(result.stats!.engine.vectors).toBe(true);
    }
  });

  test("apart from each other, of every size, and before where the first lane is", async () => {
    const source = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
    __kernel void k(__global const uint *w, __global const short *s, __global const uchar *b, __global const half *h,
                    __global uint *ow, __global short *os, __global uchar *ob, __global half *oh) {
      uint i = get_global_id(0);
      uint x = w[3 * i + 2] * 2 + 1;
      ow[3 * i + 1] = x;
      os[2 * i + 1] = (short)(s[2 * i] + 1);
      ob[4 * i + 3] = (uchar)(b[4 * i + 2] + 250);
      oh[2 * i] = h[2 * i + 1] * (half)2.0f;
      if (i >= 5) ow[3 * (i - 5)] = w[i - 5];
    }`;
    const n = 96;
    const w = Uint32Array.from(lanes(3 * n, (i) => i * 7));
    const s = Int16Array.from(lanes(2 * n, (i) => 300 * i - 29000));
    const b = Uint8Array.from(lanes(4 * n, (i) => i));
    // 0x3c00 is 1, and each unit of the exponent's last bit (0x400) doubles it.
    const h = Uint16Array.from(lanes(2 * n, (i) => 0x3c00 + 0x400 * (i % 5)));
    const result = await both(source, {
      workgroups: [3],
      workgroupSize: [32],
      args: {
        ...{ w, s, b, h },
        ...{
          ow: new Uint32Array(3 * n),
          os: new Int16Array(2 * n),
          ob: new Uint8Array(4 * n),
          oh: new Uint16Array(2 * n),
        },
      },
    });
    const [ow, os, ob, oh] = [
      lanes(3 * n, () => 0),
      lanes(2 * n, () => 0),
      lanes(4 * n, () => 0),
      lanes(2 * n, () => 0),
    ];
    for (let i = 0; i < n; i++) {
      ow[3 * i + 1] = w[3 * i + 2]! * 2 + 1;
      os[2 * i + 1] = s[2 * i]! + 1;
      ob[4 * i + 3] = (b[4 * i + 2]! + 250) & 255;
      oh[2 * i] = h[2 * i + 1]! + 0x400;
      if (i >= 5) ow[3 * (i - 5)] = w[i - 5]!;
    }
    expect(u32(result.buffers["ow"])).toEqual(ow);
    expect([...(result.buffers["os"] as Int16Array)]).toEqual(os);
    expect([...(result.buffers["ob"] as Uint8Array)]).toEqual(ob);
    expect([...(result.buffers["oh"] as Uint16Array)]).toEqual(oh);
  });

  test("rows of two dimensions, neighbours kept inside, and indices out of memory", async () => {
    const source = `__kernel void k(__global const uint *a, __global const uint *at, __global uint *o) {
      int x = (int)get_global_id(0), y = (int)get_global_id(1);
      int l = max(x - 1, 0), r = min(x + 1, 31);
      o[y * 32 + x] = a[y * 32 + l] + 1000u * a[y * 32 + r] + 1000000u * a[at[y * 32 + x]];
    }`;
    const a = lanes(256, (i) => (i * 37) % 1000);
    const at = lanes(256, (i) => (i * 101) % 256);
    const result = await both(source, {
      workgroups: [2, 2],
      workgroupSize: [16, 4],
      args: { a: Uint32Array.from(a), at: Uint32Array.from(at), o: new Uint32Array(256) },
      findings: ["out-of-bounds"],
    });
    const wanted = (i: number): number => {
      const [x, row] = [i % 32, i - (i % 32)];
      return (a[row + Math.max(x - 1, 0)]! + 1000 * a[row + Math.min(x + 1, 31)]! + 1000000 * a[at[i]!]!) % 2 ** 32;
    };
    expect(u32(result.buffers["o"])).toEqual(lanes(256, wanted));
    expect(result.stats!.engine).toEqual({ engine: "wasm", vectors: true });
  });

  test("a dimension of an array has its own bounds", async () => {
    const source = `__kernel void k(__global const uint (*a)[6], __global uint *o) {
      uint i = get_local_id(0), j = get_local_id(1);
      uint x = i * 3 + 1;
      for (uint r = 0; r < 4; r++) { x = x * x + i; x ^= x >> 3; }
      o[j * 8 + i] = a[j][i] + x;
    }`;
    const args = { a: new Uint32Array(72), o: new Uint32Array(16) };
    const result = await both(source, { workgroups: [1, 1], workgroupSize: [8, 2], args });
    // Lanes 6 and 7 are beyond the sixth element of their row, and inside the buffer; the first lanes of their groups are not.
    expect(result.findings).toMatchObject([{ kind: "out-of-bounds", index: 6, lane: [6, 0, 0], count: 4 }]);
  });
});

describe("runs of lanes that go one way", () => {
  const cases: readonly [string, string, (i: number, n: number) => boolean][] = [
    ["below a bound", "if (i < n) o[i] = i + 1;", (i, n) => i < n],
    ["up to one", "if (i <= n) o[i] = i + 1;", (i, n) => i <= n],
    ["from one", "if (n <= i) o[i] = i + 1;", (i, n) => i >= n],
    ["beyond one", "if (i > n) o[i] = i + 1;", (i, n) => i > n],
    ["all but those that leave", "if (i >= n) return; o[i] = i + 1;", (i, n) => i < n],
    ["in two conditions", "if (i >= 3u && i < n && n > 2u) o[i] = i + 1;", (i, n) => i >= 3 && i < n && n > 2],
    ["signed and in steps", "int x = 3 * (int)i - 20; if (x < (int)n) o[i] = i + 1;", (i, n) => 3 * i - 20 < n],
    ["wrapped", "uint x = i - 5u; if (x < n) o[i] = i + 1;", (i, n) => i >= 5 && i - 5 < n],
    ["wrapped from", "uint x = i - 5u; if (x >= n) o[i] = i + 1;", (i, n) => i < 5 || i - 5 >= n],
    [
      "kept inside by min and max",
      "int l = max((int)i - 5, 0), r = min((int)n, (int)i + 2); if (l + 5 == (int)i && r == (int)i + 2) o[l + 5] = r - 1;",
      (i, n) => i >= 5 && i + 2 <= n,
    ],
    ["in 64 bits", "size_t x = get_global_id(0); if (x < (size_t)n) o[x] = i + 1;", (i, n) => i < n],
  ];
  test.each(cases)("%s", async (_, body, takes) => {
    const source = `__kernel void k(__global uint *o, uint n) { uint i = get_global_id(0); ${body} }`;
    for (const n of [0, 2, 3, 13, 40, 64, 100]) {
      const o = new Uint32Array(64);
      const result = await both(source, {
        workgroups: [4],
        workgroupSize: [16],
        args: { o, n },
        findings: ["out-of-bounds"],
      });
      expect(u32(result.buffers["o"]), `n is ${n}`).toEqual(lanes(64, (i) => (takes(i, n) ? i + 1 : 0)));
      expect(result.stats!.engine.vectors).toBe(true);
    }
  });

  test("across workgroups, and only those of a whole size", async () => {
    const source = `__kernel void k(__global const uint *a, __global uint *o, uint n) {
      uint i = get_global_id(0); if (i < n) { uint s = 0; for (uint j = 0; j < a[i]; j++) s += j; o[i] = s + get_num_groups(0); } }`;
    const a = lanes(52, (i) => i % 7);
    for (const options of [{ workgroups: [13] }, { gridSize: [50] }]) {
      const args = { a: Uint32Array.from(a), o: new Uint32Array(52), n: 49 };
      const result = await both(source, { ...options, workgroupSize: [4], subgroupSize: 4, args });
      const wanted = (i: number): number => (i < 49 ? (a[i]! * (a[i]! - 1)) / 2 + 13 : 0);
      expect(u32(result.buffers["o"])).toEqual(lanes(52, wanted));
    }
  });
});

describe("what a lane has for itself", () => {
  test("arrays at places that are the same for all lanes, and at others", async () => {
    const source = `__kernel void k(__global const uint *a, __global uint *o, uint n) {
      uint i = get_global_id(0), t[8]; ushort s[4];
      for (uint j = 0; j < 8; j++) t[j] = a[(i + j) % 32];
      for (uint j = 0; j < 4; j++) s[j] = (ushort)(a[i % 32] * j);
      uint sum = 0;
      if (i & 1) { t[2] += 1000; for (uint j = 0; j < i % 5; j++) { t[j] ^= s[j & 3]; sum += t[j]; } }
      sum += t[i & 7] + s[n];
      o[i] = sum;
    }`;
    const a = lanes(32, (i) => i * 2654435);
    const wanted = (i: number): number => {
      const t = lanes(8, (j) => a[(i + j) % 32]!);
      const s = lanes(4, (j) => (a[i]! * j) & 0xffff);
      let sum = 0;
      if (i & 1) {
        t[2]! += 1000;
        for (let j = 0; j < i % 5; j++) sum += t[j] = (t[j]! ^ s[j & 3]!) >>> 0;
      }
      return (sum + t[i & 7]! + s[3]!) >>> 0;
    };
    const args = { a: Uint32Array.from(a), o: new Uint32Array(32), n: 3 };
    const result = await both(source, { workgroups: [2], workgroupSize: [16], args, findings: ["out-of-bounds"] });
    expect(u32(result.buffers["o"])).toEqual(lanes(32, wanted));
    expect(result.stats!.engine.vectors).toBe(true);
  });

  test("elements that nobody wrote are the launch's pattern, and found", async () => {
    const source = `__kernel void k(__global uint *o) {
      uint i = get_global_id(0), sum = 0;
      for (uint r = 0; r < 2; r++) { uint t[40]; if (r == 0) t[39] = 1; for (uint j = 30; j < 40; j++) sum ^= t[j]; }
      o[i] = sum;
    }`;
    const result = await both(source, { workgroups: [1], workgroupSize: [8], args: { o: new Uint32Array(8) } });
    expect(result.findings.map((f) => f.kind)).toEqual(["uninitialized-read"]);
  });
});

describe("functions that are called", () => {
  test("of one way out and of several, one in another, and what they store", async () => {
    const source = `uint rotated(uint x, uint n) { return (x << n) | (x >> (32 - n)); }
    uint part(uint x, uint k) { if (k < 3) { uint y = rotated(x, k + 1); return y; } if (k == 3) return 7; return x / 8 + x % 16; }
    uint turned(uint x, uint n) { for (uint j = 0; j < n; j++) { if (x == 1) return j; x = (x & 1) ? x * 3 + 1 : x / 2; } return n; }
    uint add(uint x, uint k) { x += part(x, k); x = rotated(x, 5); return x; }
    __kernel void k(__global const uint *a, __global uint *o) {
      uint i = get_global_id(0);
      uint x = add(a[i], i % 5), y = add(x, 1);
      x = part(x, x & 3);
      uint t = turned(i + 1, 9), u = turned(i + 2, i);
      o[i] = x + 3 * y + 5 * t + 7 * u;
    }`;
    const rotated = (x: number, n: number): number => ((x << n) | (x >>> (32 - n))) >>> 0;
    const part = (x: number, k: number): number => (k < 3 ? rotated(x, k + 1) : k === 3 ? 7 : (x >>> 3) + (x & 15));
    const turned = (x: number, n: number): number => {
      for (let j = 0, y = x; j < n; j++, y = y & 1 ? y * 3 + 1 : y / 2) if (y === 1) return j;
      return n;
    };
    const add = (x: number, k: number): number => rotated((x + part(x, k)) >>> 0, 5);
    const a = lanes(32, (i) => Math.imul(i + 1, 0x9e3779b1) >>> 0);
    const wanted = (i: number): number => {
      const x = add(a[i]!, i % 5);
      return (part(x, x & 3) + 3 * add(x, 1) + 5 * turned(i + 1, 9) + 7 * turned(i + 2, i)) % 2 ** 32;
    };
    const result = await both(source, {
      workgroups: [2],
      workgroupSize: [16],
      args: { a: Uint32Array.from(a), o: new Uint32Array(32) },
      findings: ["out-of-bounds"],
      maxSteps: 1e6,
    });
    expect(u32(result.buffers["o"])).toEqual(lanes(32, wanted));
    expect(result.stats!.engine.vectors).toBe(true);
  });
});

describe("workgroups of a row one after the other", () => {
  test("find their own memory filled anew", async () => {
    const source = `__kernel void k(__global uint *o) {
      __local uint t[16];
      uint l = get_local_id(0), g = get_group_id(0);
      if (g == 0) t[l] = l + 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      o[g * 16 + l] = t[l];
    }`;
    const args = { o: new Uint32Array(48) };
    const result = await both(source, { workgroups: [3], workgroupSize: [16], args, findings: "none" });
    const o = u32(result.buffers["o"]);
    expect(o.slice(0, 16)).toEqual(lanes(16, (i) => i + 1));
    // One pattern, which is no lane's number.
    expect(new Set(o.slice(16)).size).toBe(1);
    expect(o[16]).toBeGreaterThan(16);
  });

  test("a finding, and the end of the steps, name theirs", async () => {
    const source = `__kernel void k(__global uint *o, uint n) {
      __local uint t[16];
      uint l = get_local_id(0), g = get_group_id(1) * get_num_groups(0) + get_group_id(0);
      if (g == 0) t[l] = l + 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (g == 7 && l == 3) o[n] = 1;
      uint sum = 0;
      for (uint i = 0; i < g * 10; i++) sum += i;
      o[g * 16 + l] = sum;
    }`;
    const run = (maxSteps: number) =>
      both(source, {
        workgroups: [5, 2],
        workgroupSize: [16],
        args: { o: new Uint32Array(160), n: 160 },
        findings: ["out-of-bounds", "no-forward-progress"],
        maxSteps,
      });
    const whole = await run(1e6);
    expect(whole.findings).toMatchObject([{ kind: "out-of-bounds", workgroup: [2, 1, 0], lane: [3, 0, 0], count: 1 }]);
    expect(u32(whole.buffers["o"])).toEqual(lanes(160, (i) => ((10 * (i >> 4)) ** 2 - 10 * (i >> 4)) / 2));
    // The first four workgroups take 16 * (0 + 10 + 20 + 30) passes, the fifth 640 more.
    const part = await run(1000);
    expect(part.stats!.complete).toBe(false);
    expect(part.findings.map((f) => [f.kind, f.workgroup])).toEqual([["no-forward-progress", [4, 0, 0]]]);
  });
});

describe("what is out of the ordinary", () => {
  const outside = "__kernel void k(__global uint *o, uint n) { uint i = get_global_id(0); o[i * n] = i; }";

  test("a finding names the lane and the place, whatever ran before it", async () => {
    const result = await both(outside, {
      workgroups: [2],
      workgroupSize: [16],
      args: { o: new Uint32Array(64), n: 3 },
    });
    // 22 * 3 is the first index beyond 63: lane 6 of the second workgroup, and nine more.
    expect(result.findings).toMatchObject([
      { kind: "out-of-bounds", lane: [6, 0, 0], workgroup: [1, 0, 0], index: 66, count: 10 },
    ]);
    expect(result.stats!.engine.vectors).toBe(false);
  });

  test("division by zero, and a float that no integer is", async () => {
    const source = `__kernel void k(__global const int *a, __global const float *f, __global int *o) {
      uint i = get_global_id(0); o[i] = 100 / a[i] + (int)f[i];
    }`;
    const result = await both(source, {
      workgroups: [1],
      workgroupSize: [16],
      args: {
        a: Int32Array.from(lanes(16, (i) => i - 5)),
        f: Float32Array.from(lanes(16, (i) => (i === 9 ? 3e9 : i))),
        o: new Int32Array(16),
      },
    });
    expect(result.findings.map((f) => [f.kind, f.lane?.[0]])).toEqual([
      ["undefined-arithmetic", 5],
      ["undefined-arithmetic", 9],
    ]);
  });

  test("steps run out at the same pass", async () => {
    const source =
      "__kernel void k(__global uint *o, uint n) { uint a = 0; for (uint i = 0; i < n; i++) a += i; o[get_local_id(0)] = a; }";
    for (const [maxSteps, complete] of [
      [1600, true],
      [1599, false],
    ] as const) {
      const result = await both(source, {
        workgroups: [1],
        workgroupSize: [16],
        args: { o: new Uint32Array(16), n: 100 },
        maxSteps,
      });
      expect(result.stats!.complete).toBe(complete);
    }
  });

  test("what is not taken in vectors is named", async () => {
    const source = "__kernel void k(__global uint *o) { uint i = get_global_id(0); o[i % 3] = i; o[i] += 1; }";
    const result = await both(source, {
      workgroups: [1],
      workgroupSize: [16],
      args: { o: new Uint32Array(16) },
      findings: "none",
    });
    expect(result.stats!.engine).toEqual({
      engine: "wasm",
      vectors: false,
      because: "lanes may touch what others store",
    });
  });
});

describe("both engines and the routines they call give the same", () => {
  test("no sum over lanes is -0, whether lanes wait or not: it begins with SPIR-V's identity", async () => {
    const kernel = (first: string): string => `#pragma OPENCL EXTENSION cl_khr_subgroups : enable
    __kernel void k(__global float *o, __global float *s) {
      uint i = get_global_id(0); ${first} float x = o[i];
      s[i] = sub_group_scan_inclusive_add(x); o[i] = sub_group_reduce_add(x);
    }`;
    for (const first of ["", "if (i >= 9) return;"]) {
      const args = { o: new Float32Array(8).fill(-0), s: new Float32Array(8).fill(-0) };
      const result = await both(kernel(first), { workgroups: [1], workgroupSize: [8], subgroupSize: 8, args });
      for (const path of ["o", "s"])
        expect([...new Uint32Array((result.buffers[path] as Float32Array).buffer)]).toEqual(lanes(8, () => 0));
    }
  });

  test("what no view of private memory reaches is the lane's own", async () => {
    const source = `__kernel void k(__global uint *o) {
      uint i = get_global_id(0), a[3];
      for (uint j = 0; j < 3; j++) a[j] = 100 * i + j;
      o[i] = a[i % 3];
    }`;
    const compilation = await compile(source, { from: "opencl", fileName: "k.cl" });
    const made = compileForSimulator(compilation, compilation.module!.entries[0]!, "all");
    if (!("kernel" in made)) throw new Error("it cannot be compiled");
    const { program } = made.kernel;
    // The same places, in bytes: an element of four has no view then.
    const inBytes = (x: unknown): unknown => {
      if (Array.isArray(x)) return x.map(inBytes);
      if (typeof x !== "object" || x === null || x instanceof Map) return x;
      // A check counts in the units it was written in, and gives an index in them.
      if ((x as { readonly kind?: unknown }).kind === "checked") return x;
      const copy = Object.fromEntries(Object.entries(x).map(([k, v]) => [k, inBytes(v)]));
      if (!("unit" in copy) || program.objects[copy["object"] as number]?.kind !== "private") return copy;
      const index = copy["index"] as MachineExpr;
      const by = { kind: "constant", scalar: "index", value: copy["unit"] };
      const asIndex =
        index.scalar === "index" ? index : { kind: "conversion", scalar: "index", from: index.scalar, operand: index };
      return {
        ...copy,
        unit: 1,
        index: { kind: "operation", scalar: "index", on: "index", op: "mul", arguments: [asIndex, by] },
      };
    };
    const changed: CompiledKernel = {
      ...made.kernel,
      program: { ...program, regions: inBytes(program.regions) as Program["regions"] },
    };
    for (const engine of ["ts", "wasm"] as const) {
      const args = new Map([["o", new Uint8Array(32)]]);
      const { buffers, findings } = run(changed, { workgroups: [1], workgroupSize: [8], args, engine });
      expect(findings, engine).toEqual([]);
      expect([...new Uint32Array(buffers.get("o")!.buffer)], engine).toEqual(lanes(8, (i) => 100 * i + (i % 3)));
    }
  });
});

describe("hostile kernels end", () => {
  test("ten thousand locals", async () => {
    const n = 10_000;
    const body = lanes(n, (i) => i).map((i) => `uint v${i} = a[${i} & 15] + i;`);
    const uses = lanes(n, (i) => i).map((i) => `s ^= v${n - 1 - i};`);
    const source = `__kernel void k(__global const uint *a, __global uint *o) { uint i = get_global_id(0); uint s = 0; ${body.join(" ")} ${uses.join(" ")} o[i] = s; }`;
    const result = await by("wasm", source, {
      workgroups: [1],
      workgroupSize: [8],
      args: { a: new Uint32Array(16), o: new Uint32Array(8) },
    });
    // An even number of equal terms.
    expect(u32(result.buffers["o"])).toEqual(lanes(8, () => 0));
  });

  test("loops that never end, and nesting", async () => {
    const forever = "__kernel void k(__global uint *o) { uint i = get_global_id(0); while (o[i] == 0) { } }";
    const result = await both(forever, {
      workgroups: [1],
      workgroupSize: [16],
      args: { o: new Uint32Array(16) },
      maxSteps: 5000,
    });
    expect(result.findings.map((f) => f.kind)).toEqual(["no-forward-progress"]);
    const deep = `__kernel void k(__global uint *o) { uint i = get_global_id(0); ${"if (o[i] < 100) { o[i]++; ".repeat(60)}${"}".repeat(60)} }`;
    const nested = await both(deep, { workgroups: [1], workgroupSize: [16], args: { o: new Uint32Array(16) } });
    expect(u32(nested.buffers["o"])).toEqual(lanes(16, () => 60));
  });
});
