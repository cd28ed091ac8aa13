/**
 * Atomics on memory that a cast takes for something else, as OpenCL C before 2.0 adds floats: a compare-exchange of the bits
 * (OpenCL C 1.2 6.12.11). Sums of whole numbers are exact in any order, so what is expected is worked out by hand.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { targets } from "../../src/dialects/ids.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const add = (
  name: string,
  space: string,
): string => `inline void ${name}(volatile ${space} float *source, const float operand) {
  union { unsigned int bits; float value; } next, found;
  do {
    found.value = *source;
    next.value = found.value + operand;
  } while (atomic_cmpxchg((volatile ${space} unsigned int *)source, found.bits, next.bits) != found.bits);
}`;

interface Kernel {
  readonly name: string;
  readonly source: string;
  readonly args: () => Record<string, Float32Array | Uint32Array | Int32Array>;
  readonly after: Readonly<Record<string, readonly number[]>>;
}

/** Each of 32 lanes adds its number. */
const kernels: readonly Kernel[] = [
  {
    name: "float sums in both memories",
    source: `${add("add_global", "__global")}
${add("add_local", "__local")}
__kernel void k(__global const float *x, __global float *sum) {
  __local float part[2];
  uint l = get_local_id(0);
  if (l < 2) part[l] = 0.5f;
  barrier(CLK_LOCAL_MEM_FENCE);
  add_local(&part[l & 1], x[l]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 2) add_global(sum + 1, part[l]);
  add_global(&sum[l & 2], 1.0f);
}`,
    args: () => ({ x: Float32Array.from({ length: 32 }, (_, i) => i), sum: Float32Array.of(100, 200, 300) }),
    // 0 + ... + 31 and twice a half on 200; 16 lanes each add 1.
    after: { sum: [116, 200 + 496 + 1, 316] },
  },
  {
    name: "by pointer variables and in steps",
    source: `__kernel void k(__global float *x, __global uint *o) {
  volatile __global uint *q = (volatile __global uint *)(x + 1);
  uint i = get_global_id(0);
  atomic_add(q + 2, i);
  atomic_max(q, i ^ 5u);
  q++;
  atomic_inc((volatile __global uint *)&x[5]);
  if (i == 31) atomic_xchg(&((__global int *)x)[0], -1);
  o[i] = atomic_or(q, 0u);
}`,
    args: () => ({ x: new Float32Array(Uint32Array.of(7, 0, 9, 4, 0, 6).buffer), o: new Uint32Array(32) }),
    after: { x: [0xffffffff, 31, 9, 4 + 496, 0, 38], o: new Array<number>(32).fill(9) },
  },
  {
    // MSL takes what is expected from memory of the thread alone; it is written only where it differs (C11 7.17.7.4).
    name: "with what is expected in buffers and workgroup memory",
    source: `__kernel void k(__global uint *x, __global int *e, __global float *f) {
  __local atomic_float part[32];
  __local float wanted[32];
  uint l = get_local_id(0);
  atomic_init(&part[l], f[l]);
  wanted[l] = 2.0f;
  volatile __global atomic_int *a = (volatile __global atomic_int *)x;
  bool same = atomic_compare_exchange_strong_explicit(a + l, &e[l], -7, memory_order_relaxed, memory_order_relaxed);
  int before;
  do before = e[l + 32];
  while (!atomic_compare_exchange_weak_explicit(a + l + 32, &e[l + 32], before * 2, memory_order_relaxed, memory_order_relaxed));
  bool equal = atomic_compare_exchange_strong_explicit(&part[l], &wanted[l], 9.0f, memory_order_relaxed, memory_order_relaxed);
  f[l] = atomic_load_explicit(&part[l], memory_order_relaxed, memory_scope_work_group) + 100.0f * wanted[l] + 1000.0f * same + 2000.0f * equal;
}`,
    args: () => ({
      x: Uint32Array.from({ length: 64 }, (_, i) => (i < 32 ? -(i % 3) : i) >>> 0),
      e: new Int32Array(64).fill(-1),
      f: Float32Array.from({ length: 32 }, (_, i) => i % 4),
    }),
    after: {
      x: Array.from({ length: 64 }, (_, i) => (i < 32 ? (i % 3 === 1 ? -7 : -(i % 3)) >>> 0 : 2 * i)),
      e: Array.from({ length: 64 }, (_, i) => (i < 32 ? 0 - (i % 3) : i)),
      f: Array.from({ length: 32 }, (_, i) => (i % 4 === 2 ? 2209 : 101 * (i % 4)) + (i % 3 === 1 ? 1000 : 0)),
    },
  },
];

const outputs: Judgeable[] = [];

describe.each(kernels)("$name", ({ name, source, args, after }) => {
  const launch = { workgroups: [1], workgroupSize: [32] } as const;
  const left = (buffers: Readonly<Record<string, unknown>>): Record<string, number[]> =>
    Object.fromEntries(
      Object.entries(after).map(([key, words]) => {
        const array = buffers[key] as Float32Array | Uint32Array;
        const asBits = words.some((w) => w > 0xffff) && array instanceof Float32Array;
        return [key, [...(asBits || key === "x" ? new Uint32Array(array.buffer) : array)]];
      }),
    );

  test.each([4, 32])("at width %i", async (subgroupSize) => {
    const { buffers } = await simulate(source, { from: "opencl", ...launch, subgroupSize, args: args() });
    expect(left(buffers!)).toEqual(after);
  });

  test.each(targets.filter((t) => t !== "ts"))("as %s", async (to) => {
    const { code, diagnostics } = await translate(source, { from: "opencl", to, workgroupSize: [32, 1, 1] });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    outputs.push(judgeable(to, `${name} ${to}`, code!));
    for (const subgroupSize of [4, 32]) {
      const { buffers, findings } = await simulate(code!, { from: to, ...launch, subgroupSize, args: args() });
      // The idiom's first read is a plain one.
      expect(findings.filter((f) => f.kind !== "data-race")).toEqual([]);
      expect(left(buffers!)).toEqual(after);
    }
  });
});

for (const target of ["msl", "glsl", "opencl", "hlsl"] as const)
  judgeTest(judges[target], `the ${target} compiler takes the texts`, async () => {
    const own = outputs.filter((o) => o.dialect === target);
    expect(own).toHaveLength(kernels.length);
    expect(refusals(await judgeOutputs(own))).toBe("");
  });

test("a loop that ends by such a call has its round once", async () => {
  const { code } = await translate(kernels[0]!.source, { from: "opencl", to: "hlsl", workgroupSize: [32, 1, 1] });
  expect(code).not.toContain("first");
  expect(code).toMatch(/if \(old == found\.\w+(\[0u\])?\) break;/);
});
