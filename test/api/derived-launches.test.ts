/** Verification without a launch file: what is derived for arguments of every shape, and which launches are kept. */
import { expect, test } from "vitest";
import { reflect, simulate, verify } from "../../src/index.js";
import { keyOf } from "../../src/launch/search.js";

const structs = `typedef struct { int n; float w[3]; uint4 m; } P;
typedef struct { P p[2]; char c; short s[3]; } Q;
__kernel void k(__global int *o, Q q, uint n) {
  uint i = get_global_id(0);
  if (i < n) o[i] = q.p[0].n + 10 * q.p[1].m.z + 100 * (int)q.p[1].w[2] + 1000 * q.c + 10000 * q.s[1];
}
`;

test("members of structs in arrays are arguments of their own", async () => {
  const { entries } = await reflect(structs, { from: "opencl" });
  expect(entries[0]!.arguments.map((a) => a.path)).toEqual([
    "o",
    "q.p[0].n",
    "q.p[0].w",
    "q.p[0].m",
    "q.p[1].n",
    "q.p[1].w",
    "q.p[1].m",
    "q.c",
    "q.s",
    "n",
  ]);
  const { buffers, diagnostics } = await simulate(structs, {
    from: "opencl",
    workgroups: [1],
    workgroupSize: [2],
    args: {
      o: new Int32Array(2),
      n: 2,
      "q.p[0].n": 1,
      "q.p[0].w": [0, 0, 0],
      "q.p[0].m": [0, 0, 0, 0],
      "q.p[1].n": 0,
      "q.p[1].w": [0, 0, 3],
      "q.p[1].m": [0, 0, 2, 0],
      "q.c": 4,
      "q.s": [0, 5, 0],
    },
  });
  expect(diagnostics).toEqual([]);
  expect([...(buffers["o"] as Int32Array)]).toEqual([54321, 54321]);
});

test("they are filled, and translations get them", async () => {
  for (const to of ["msl", "glsl"] as const)
    expect((await verify(structs, { from: "opencl", to, workgroupSize: [8] })).result).toBe("equivalent");
});

test("a launch whose output hangs on the fill is dropped where others remain", async () => {
  // Segments of `size` elements: with a size that is no power of two, part of the memory is read that nobody wrote.
  const segments = `__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(__global int *o, __global int *x, uint size, __local int *t) {
  uint l = get_local_id(0);
  uint at = 2 * l - (l & (size - 1));
  t[at] = 0;
  t[at + size] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = t[at + size] + t[at + size - 1];
}
`;
  const { result, runs } = await verify(segments, { from: "opencl", to: "glsl", local: { t: 2048 } });
  expect(result).toBe("equivalent");
  expect(runs.length).toBeGreaterThan(0);
  const always = "__kernel void k(__global int *o) { int v; o[get_global_id(0)] = v; }";
  expect((await verify(always, { from: "opencl", to: "msl" })).result).toBe("inconclusive");
});

test("a search in which every launch runs on and on ends, and says so", async () => {
  // 2^32 - 1 passes are beyond the limit of every derived launch.
  const endless =
    "__kernel void k(__global uint *o) { uint a = 1; for (uint i = 0; i < 0xffffffffu; i++) a += i * a; o[get_global_id(0)] = a; }";
  const { result, diagnostics } = await verify(endless, { from: "opencl", to: "msl" });
  expect(result).toBe("not-run");
  const none = diagnostics.find((d) => d.code === "XL6013")!;
  expect(none.notes.map((n) => n.message).join("\n")).toMatch(/^the search ended after \d+ launches/);
  expect(none.notes.map((n) => n.message).join("\n")).toContain("the run was stopped after");
});

test("launches on which nearly every access is out of bounds do not keep the search from others", async () => {
  // 4096 elements a buffer, and no fewer, are enough: the candidates before those with as many all fail.
  const strided = `__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(__global const float *x, __global float *o) {
  float a = 0;
  for (uint r = 0; r < 4; r++) for (uint i = 0; i < 1024; i++) a += x[1024 * r + i];
  o[get_global_id(0)] = a;
}
`;
  const { result, runs } = await verify(strided, { from: "opencl", to: "glsl" });
  expect(result).toBe("equivalent");
  expect(runs[0]!.launch).toContain("4096 elements a buffer");
});

test("max of a NaN and a number is either: such launches are dropped, and say nothing against a target that gives the number", async () => {
  const relu =
    "#version 450\nlayout(local_size_x = 16) in;\nlayout(binding = 0) buffer X { float x[]; };\nvoid main() { x[gl_GlobalInvocationID.x] = max(x[gl_GlobalInvocationID.x], 0.0); }";
  const { result, runs } = await verify(relu, { from: "glsl", to: "hlsl" });
  expect(result).toBe("equivalent");
  expect(runs.length).toBeGreaterThan(0);
  const given = {
    workgroups: [1],
    args: { x: { type: "f32", count: 16, init: { fill: "nan" }, output: true } },
  };
  const open = await verify(relu, { from: "glsl", to: "hlsl", launches: [given] });
  expect(open.result).toBe("inconclusive");
  expect(open.diagnostics[0]!.message).toMatch(/the source has a finding/);
});

test.each(["msl", "glsl", "hlsl"] as const)(
  "hypot of NaNs and infinities is C's in %s, whatever its max makes of a NaN",
  async (to) => {
    const source =
      "__kernel void k(__global float *o, __global const float *a, __global const float *b) { uint i = get_global_id(0); o[i] = hypot(a[i], b[i]); }";
    const a = ["nan", "nan", 0, "inf", "nan", 3, 0, 0];
    const b = [1, "nan", "nan", "nan", "-inf", 4, 0, -7];
    const launch = {
      workgroups: [1],
      workgroupSize: [8],
      args: {
        o: {
          type: "f32",
          count: 8,
          init: { fill: 0 },
          output: true,
          expect: { values: ["nan", "nan", "nan", "inf", "inf", 5, 0, 7] },
        },
        a: { type: "f32", count: 8, init: { values: a } },
        b: { type: "f32", count: 8, init: { values: b } },
      },
    };
    const { result, diagnostics } = await verify(source, { from: "opencl", to, launches: [launch] });
    expect(diagnostics.map((d) => d.message)).toEqual([]);
    expect(result).toBe("equivalent");
  },
);

test("a search among thousands of numbers by value ends, and says what it did not come to", async () => {
  // Tables of constants are arguments by value: 16,384 numbers of 32 bits.
  const source = `#version 450
layout(local_size_x = 4) in;
layout(std140, binding = 0) uniform Tables { ivec4 q[2048]; ivec4 r[2048]; };
layout(std430, binding = 1) readonly buffer A { int a[]; };
layout(std430, binding = 2) buffer O { int o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  int scale = q[i & 2047u].x;
  int n = a[i] / scale;
  if (n == 7531) o[i] = 1;
  else if (r[i & 2047u].y == 91823) o[i] = 2;
  else o[i] = n % scale;
}
`;
  const { result } = await verify(source, { from: "glsl", to: "hlsl" });
  expect(result).toBe("equivalent-where-run");
});

test("choices are told apart by each of thousands of numbers, by keys that are short", () => {
  const choice = (changed?: number) =>
    ({
      groups: [1, 1, 1],
      count: "threads",
      elements: "threads",
      data: "small",
      instead: new Map(Array.from({ length: 16_384 }, (_, i) => [i, i === changed ? 7 : 1])),
    }) as const;
  const keys = [undefined, 0, 1, 8_191, 16_383].map((changed) => keyOf(choice(changed)));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keyOf(choice(1))).toBe(keys[2]);
  for (const key of keys) expect(key.length).toBeLessThan(200);
});
