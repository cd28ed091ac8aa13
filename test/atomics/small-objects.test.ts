/**
 * Atomics of what no row of test/atomics/shapes.ts can write in OpenCL C: halves of GL_EXT_shader_atomic_float2, MSL's atomic bools,
 * components of vectors, and floats of HLSL before Shader Model 6.6 and of MSL's threadgroup memory. Small whole numbers are exact as
 * halves, so what any order of the invocations leaves is worked out by hand.
 */
import { afterAll, describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { targets } from "../../src/dialects/ids.js";
import type { Dialect } from "../../src/dialects/ids.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

type Target = "msl" | "glsl" | "opencl" | "hlsl";
interface Kernel {
  readonly name: string;
  readonly from: Dialect;
  readonly source: string;
  readonly args: () => Record<string, Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array>;
  readonly after: Readonly<Record<string, readonly number[]>>;
  readonly profiles?: Partial<Record<Target, string>>;
  /** Targets that refuse it, with the fact. */
  readonly refused?: Partial<Record<Target, RegExp>>;
}

const glsl = (extensions: string, declarations: string, body: string): string => `#version 460
${extensions
  .split(" ")
  .map((e) => `#extension ${e} : require`)
  .join("\n")}
layout(local_size_x = 32) in;
${declarations}
void main() { uint i = gl_LocalInvocationIndex; ${body} }
`;
const halfExtensions =
  "GL_EXT_shader_atomic_float2 GL_EXT_shader_16bit_storage GL_EXT_shader_explicit_arithmetic_types_float16 GL_EXT_shader_atomic_float";
const one = 0x3c00;

const halvesOfOpenCl = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
half bump(volatile global atomic_half *a, half by) { return atomic_fetch_add_explicit(a, by, memory_order_relaxed); }
__attribute__((reqd_work_group_size(32, 1, 1)))
kernel void k(global atomic_half *p, global half *o) {
  int i = get_local_id(0);
  local atomic_half s[3];
  if (i == 0) atomic_init(&s[0], 40.0h);
  if (i == 1) atomic_store_explicit(&s[1], 7.0h, memory_order_relaxed, memory_scope_work_group);
  if (i == 2) atomic_store_explicit(&s[2], as_half((ushort)0x5678), memory_order_relaxed);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i & 1) bump(p + 1, 1.0h);
  atomic_fetch_sub_explicit(&s[0], 1.0h, memory_order_relaxed);
  atomic_fetch_max_explicit(&p[2], (half)i, memory_order_relaxed, memory_scope_device);
  atomic_fetch_min_explicit(&p[3], (half)i, memory_order_relaxed, memory_scope_device);
  if (i == 5 && atomic_exchange_explicit(&s[1], 7.0h, memory_order_relaxed) != 7.0h) o[2] = 1.0h;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 3) o[i] = atomic_load_explicit(&s[i], memory_order_relaxed, memory_scope_work_group);
}
`;

const kernels: readonly Kernel[] = [
  {
    // 32 ones on 1; 31 and 0 of the lanes' numbers; the bits of 7.
    name: "halves in a buffer",
    from: "glsl",
    source: glsl(
      halfExtensions,
      "layout(set = 0, binding = 0) buffer P { float16_t p[]; };",
      `atomicAdd(p[0], float16_t(1));
  atomicMax(p[1], float16_t(i));
  atomicMin(p[3], float16_t(i));
  if (i == 3) atomicExchange(p[4], float16_t(7));`,
    ),
    args: () => ({ p: Uint16Array.of(one, 0, 0x1234, 0x7bff, 0, 0xffff) }),
    after: { p: [0x5020, 0x4fc0, 0x1234, 0, 0x4700, 0xffff] },
    profiles: { opencl: "opencl3.0" },
  },
  {
    name: "halves in workgroup memory",
    from: "glsl",
    source: glsl(
      halfExtensions,
      "layout(set = 0, binding = 0) buffer P { float o[]; };\nshared float16_t s[3];",
      `if (i < 3u) s[i] = float16_t(i);
  barrier();
  atomicAdd(s[1], float16_t(1));
  atomicMax(s[2], float16_t(i));
  barrier();
  if (i < 3u) o[i] = float(s[i]);`,
    ),
    args: () => ({ o: new Float32Array(3) }),
    after: { o: [0, 33, 31] },
  },
  {
    // 16 ones more than 1, 32 less than 40, the greatest and the least number of a lane; what lies beside them stays.
    name: "halves of OpenCL C",
    from: "opencl",
    source: halvesOfOpenCl,
    args: () => ({ p: Uint16Array.of(0x1234, one, 0, 0x7bff), o: new Uint16Array(3) }),
    after: { p: [0x1234, 0x4c40, 0x4fc0, 0], o: [0x4800, 0x4700, 0x5678] },
  },
  {
    name: "minimum and maximum of floats, a NaN among them",
    from: "glsl",
    source: glsl(
      "GL_EXT_shader_atomic_float2",
      "layout(set = 0, binding = 0) buffer P { float p[]; };\nshared float s;",
      `if (i == 0u) s = 5.0;
  barrier();
  atomicMin(p[0], float(i) - 3.0);
  atomicMax(p[1], float(i));
  atomicMin(s, 1.0 + float(i));
  barrier();
  if (i == 0u) p[2] = s;`,
    ),
    args: () => ({ p: Float32Array.of(0.5, NaN, 0) }),
    after: { p: [-3, 31, 1] },
  },
  {
    name: "floats of HLSL before 6.6",
    from: "hlsl",
    source: `RWStructuredBuffer<float> p;
groupshared float g[2];
[numthreads(32, 1, 1)]
void k(uint i : SV_GroupIndex) {
  if (i < 2) g[i] = 1.5;
  GroupMemoryBarrierWithGroupSync();
  float before, old = 1.5;
  do {
    before = old;
    InterlockedCompareExchangeFloatBitwise(g[1], before, before + 1.0, old);
  } while (asuint(old) != asuint(before));
  float q;
  InterlockedExchange(p[1], 2.5, q);
  InterlockedCompareStoreFloatBitwise(p[2], 4.0, 8.0);
  GroupMemoryBarrierWithGroupSync();
  if (i == 0) p[0] = g[0] + g[1];
}
`,
    args: () => ({ p: Float32Array.of(0, 0, 4) }),
    after: { p: [35, 2.5, 8] },
    profiles: { msl: "msl2.4" },
  },
  {
    name: "floats of threadgroup memory",
    from: "opencl",
    source: `__attribute__((reqd_work_group_size(32, 1, 1)))
kernel void k(global float *o) {
  local atomic_float s[2];
  int i = get_local_id(0);
  if (i < 2) atomic_init(&s[i], 100.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add_explicit(&s[0], 2.0f, memory_order_relaxed, memory_scope_work_group);
  atomic_fetch_min_explicit(&s[1], (float)i, memory_order_relaxed, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 2) o[i] = atomic_load_explicit(&s[i], memory_order_relaxed, memory_scope_work_group);
}
`,
    args: () => ({ o: new Float32Array(2) }),
    after: { o: [164, 0] },
    profiles: { hlsl: "sm6.0" },
  },
  {
    name: "doubles of HLSL's buffers",
    from: "opencl",
    source: `__attribute__((reqd_work_group_size(32, 1, 1)))
kernel void k(global atomic_double *p) {
  int i = get_local_id(0);
  atomic_fetch_add_explicit(&p[0], 0.5, memory_order_relaxed, memory_scope_device);
  atomic_fetch_max_explicit(&p[1], (double)i, memory_order_relaxed, memory_scope_device);
}
`,
    args: () => ({ p: Float64Array.of(1, -1) }),
    after: { p: [17, 31] },
    refused: { msl: /MSL has no double precision/ },
  },
  {
    name: "bools of a buffer",
    from: "msl",
    source: `#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_bool *p, device atomic_uint *o, uint i [[thread_index_in_threadgroup]]) {
  atomic_store_explicit(&p[1], true, memory_order_relaxed);
  if (!atomic_exchange_explicit(&p[2], true, memory_order_relaxed)) atomic_fetch_add_explicit(&o[0], 1, memory_order_relaxed);
  bool expected = false;
  if (i == 5) {
    while (!atomic_compare_exchange_weak_explicit(&p[3], &expected, true, memory_order_relaxed, memory_order_relaxed)) {
      if (expected) break;
    }
  }
  if (atomic_load_explicit(&p[4], memory_order_relaxed)) atomic_fetch_add_explicit(&o[1], 1, memory_order_relaxed);
}
`,
    args: () => ({ p: Uint8Array.of(0, 0, 0, 0, 1, 0, 1, 0), o: new Uint32Array(2) }),
    after: { p: [0, 1, 1, 1, 1, 0, 1, 0], o: [1, 32] },
  },
  {
    name: "bools of threadgroup memory",
    from: "msl",
    source: `#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o, uint i [[thread_index_in_threadgroup]]) {
  threadgroup atomic_bool first;
  threadgroup atomic_uint n;
  if (i == 0) {
    atomic_store_explicit(&first, false, memory_order_relaxed);
    atomic_store_explicit(&n, 0, memory_order_relaxed);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (!atomic_exchange_explicit(&first, true, memory_order_relaxed)) atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i == 0) o[0] = atomic_load_explicit(&n, memory_order_relaxed);
}
`,
    args: () => ({ o: new Uint32Array(1) }),
    after: { o: [1] },
  },
  {
    // Each item is claimed by one of two lanes, each of four flags is set first by one of eight; what lies beside a bool stays.
    name: "bools that pointers lead to",
    from: "msl",
    source: `#include <metal_stdlib>
using namespace metal;
struct Item { uint value; atomic_bool taken; };
bool claim(device Item *item) {
  bool expected = false;
  while (!atomic_compare_exchange_weak_explicit(&item->taken, &expected, true, memory_order_relaxed, memory_order_relaxed)) {
    if (expected) return false;
  }
  return true;
}
bool sets(threadgroup atomic_bool *flag) { return !atomic_exchange_explicit(flag, true, memory_order_relaxed); }
kernel void k(device Item *p, device atomic_uint *o, uint i [[thread_index_in_threadgroup]]) {
  threadgroup atomic_bool flags[4];
  if (i < 4) atomic_store_explicit(&flags[i], false, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  device Item *item = p + i / 2;
  if (claim(item)) item->value += 7;
  if (sets(&flags[i & 3])) atomic_fetch_add_explicit(o, 1, memory_order_relaxed);
}
`,
    args: () => ({
      p: Uint32Array.from({ length: 32 }, (_, i) => (i % 2 === 0 ? i : 0xabcd00)),
      o: new Uint32Array(1),
    }),
    after: { p: Array.from({ length: 32 }, (_, i) => (i % 2 === 0 ? i + 7 : 0xabcd01)), o: [4] },
  },
  {
    name: "components of vectors in both memories",
    from: "hlsl",
    source: `struct S { uint2 v; float f; };
RWStructuredBuffer<S> p;
groupshared uint3 g[2];
[numthreads(32, 1, 1)]
void k(uint i : SV_GroupIndex) {
  if (i < 2) g[i] = uint3(1, 2, 3);
  GroupMemoryBarrierWithGroupSync();
  InterlockedAdd(g[i & 1].z, i);
  InterlockedMax(p[i & 1].v.y, i);
  GroupMemoryBarrierWithGroupSync();
  if (i < 2) p[i].v.x = g[i].x + g[i].z;
}
`,
    args: () => ({ p: Uint32Array.of(0, 5, 7, 0, 40, 9) }),
    // 3 + (0 + 2 + ... + 30) + 1; 3 + (1 + 3 + ... + 31) + 1.
    after: { p: [244, 30, 7, 260, 40, 9] },
  },
  {
    // The sum is 2^32 + 2^32 - 16 + 496 * 2^28 + 32; one of the 32 finds the 0.
    name: "numbers of 64 bits among the words of a byte address buffer",
    from: "hlsl",
    source: `RWByteAddressBuffer p;
[numthreads(32, 1, 1)]
void k(uint i : SV_GroupIndex) {
  uint64_t found;
  p.InterlockedAdd64(8, ((uint64_t)i << 28) + 1);
  p.InterlockedMax64(16, (uint64_t)i << 30);
  p.InterlockedMin64(24, (int64_t)i - 5);
  p.InterlockedCompareExchange64(32, 0, 7, found);
  if (found == 0) p.InterlockedAdd(40, 1);
}
`,
    args: () => ({ p: Uint32Array.of(0, 0, 0xfffffff0, 1, 5, 0, 0, 0, 0, 0, 0, 0) }),
    after: { p: [0, 0, 16, 33, 0xc0000000, 7, 0xfffffffb, 0xffffffff, 7, 0, 1] },
    refused: { msl: /MSL has minimum and maximum alone of atomics on 64 bits/ },
  },
  {
    // MSL's atomic objects have no plain assignments. 4k + 48 is the sum of k, k + 8, k + 16 and k + 24.
    name: "values of assignments and steps",
    from: "hlsl",
    source: `RWStructuredBuffer<uint> o; groupshared uint data[64]; groupshared int n;
[numthreads(32, 1, 1)]
void main(uint i : SV_GroupIndex) {
  data[i] = data[i + 32] = 0;
  if (i == 0) n = 5;
  GroupMemoryBarrierWithGroupSync();
  uint was;
  InterlockedAdd(data[i & 7], i, was);
  InterlockedAdd(data[32 + (i & 3)], 1);
  GroupMemoryBarrierWithGroupSync();
  uint x = data[i + 32] += 3;
  uint y = i < 8 ? data[i]++ : --data[i];
  uint z = data[i] = data[i] * 2;
  if (i == 0) { o[32] = uint(n -= 7) + (n = 9); InterlockedAdd(n, 1); o[33] = n++; o[34] = n; }
  o[i] = x * 1000000 + y * 1000 + z;
  uint w = 0;
  for (uint k = data[i] = 2; k < 4; k++) w += k;
  if (i == 0) o[35] = w * 10 + data[i];
}
`,
    args: () => ({ o: new Uint32Array(36) }),
    after: {
      o: [
        ...Array.from({ length: 8 }, (_, i) => (i < 4 ? 11000000 : 3000000) + (4 * i + 48) * 1000 + 2 * (4 * i + 49)),
        // -1, and twice that.
        ...Array.from({ length: 24 }, () => 3000000 - 1000 - 2),
        7,
        10,
        11,
        52,
      ],
    },
  },
];

const outputs: Judgeable[] = [];
const count = new Map<string, number>();

describe.each(kernels)("$name", ({ name, from, source, args, after, profiles = {}, refused = {} }) => {
  const launch = { workgroups: [1] } as const;
  const size = (d: string): { workgroupSize?: readonly number[] } =>
    d === "msl" || (d === "opencl" && from === "msl") ? { workgroupSize: [32] } : {};
  const left = (buffers: Readonly<Record<string, unknown>>): Record<string, number[]> =>
    Object.fromEntries(
      Object.entries(after).map(([key, wanted]) => [key, [...(buffers[key] as Uint32Array)].slice(0, wanted.length)]),
    );

  test("as it is", async () => {
    const { buffers, findings, diagnostics } = await simulate(source, { from, ...launch, ...size(from), args: args() });
    expect([...diagnostics, ...findings].map((d) => d.message)).toEqual([]);
    expect(left(buffers)).toEqual(after);
  });

  test.each(targets.filter((t) => t !== "ts" && t !== from) as Target[])("as %s", async (to) => {
    const profile = profiles[to];
    const { code, diagnostics } = await translate(source, {
      from,
      to,
      ...(from === "msl" ? { workgroupSize: [32, 1, 1] } : {}),
      ...(profile === undefined ? {} : { profile }),
    });
    const errors = diagnostics.filter((d) => d.severity === "error").map((d) => d.message);
    const fact = refused[to];
    if (fact) {
      expect(errors.join("\n")).toMatch(fact);
      return;
    }
    expect(errors).toEqual([]);
    outputs.push(judgeable(to, `${name} ${to}`, code!));
    count.set(to, (count.get(to) ?? 0) + 1);
    const { buffers, findings } = await simulate(code!, { from: to, ...launch, ...size(to), args: args() });
    expect(findings.map((f) => f.message)).toEqual([]);
    expect(left(buffers)).toEqual(after);
  });
});

describe("halves of OpenCL C in its own text", () => {
  const { args, after } = kernels.find((k) => k.source === halvesOfOpenCl)!;
  const other = "kernel void other(global int *q) { q[0] = 1; }\n";
  const relaxed = /memory_order_relaxed/gu;

  test("whole it stays as it is", async () => {
    const { code } = await translate(halvesOfOpenCl, { from: "opencl", to: "opencl" });
    expect(code).toBe(halvesOfOpenCl);
  });

  test.each([
    ["as they are", halvesOfOpenCl, "opencl3.0"],
    ["sequentially consistent", halvesOfOpenCl.replace(relaxed, "memory_order_seq_cst"), "opencl2.0"],
  ])("printed anew they are parts of words, %s", async (_, source, profile) => {
    const options = { from: "opencl", to: "opencl", entry: "k", profile } as const;
    const { code, diagnostics } = await translate(other + source, options);
    expect(diagnostics.map((d) => d.message)).toEqual([]);
    expect(code).toMatch(/__kernel void k\(__global uint \*p/u);
    expect(code).not.toMatch(/atomic_half/u);
    outputs.push(judgeable("opencl", `halves anew ${profile}`, code!));
    count.set("opencl", (count.get("opencl") ?? 0) + 1);
    const run = await simulate(code!, { from: "opencl", workgroups: [1], args: args() });
    expect(run.findings.map((f) => f.message)).toEqual([]);
    for (const [name, wanted] of Object.entries(after))
      expect([...(run.buffers[name] as Uint16Array)].slice(0, wanted.length)).toEqual(wanted);
  });

  test("a profile without fences of that order refuses them by name", async () => {
    const source = other + halvesOfOpenCl.replace(relaxed, "memory_order_seq_cst");
    const { diagnostics } = await translate(source, { from: "opencl", to: "opencl", entry: "k", profile: "opencl1.2" });
    expect(diagnostics.map((d) => d.message).join("\n")).toMatch(
      /needs cl>=2.0 cl.atomic_order_seq_cst, which opencl1.2/u,
    );
  });
});

for (const target of ["msl", "glsl", "opencl", "hlsl"] as const)
  judgeTest(judges[target], `the ${target} compiler takes the texts`, async () => {
    const own = outputs.filter((o) => o.dialect === target);
    expect(own).toHaveLength(count.get(target) ?? 0);
    expect(refusals(await judgeOutputs(own))).toBe("");
  });

afterAll(() => expect(outputs.length).toBeGreaterThan(15));
