/**
 * What release and acquire order between lanes, in each dialect: the classic shapes of two and three threads, of which the
 * languages' memory models say whether the plain accesses race (C11 5.1.2.4, OpenCL C 3.0 3.3.6, Vulkan's memory model, MSL 3.2 4.8).
 * Expectations come from there, none from a run.
 */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";

const widths = [4, 8, 32];

/** The line of each race, at every width. */
async function races(from: TwoWayDialect, text: string, workgroups: number): Promise<readonly string[]> {
  const all: string[][] = [];
  for (const subgroupSize of widths) {
    const result = await simulate(text, {
      from,
      workgroups: [workgroups],
      subgroupSize,
      args: { data: new Int32Array(64), flag: new Int32Array(8) },
      ...(from === "glsl" || from === "hlsl" ? {} : { workgroupSize: [32] }),
      maxSteps: 1e6,
    });
    expect(result.diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
    expect(result.findings.filter((f) => f.kind !== "data-race").map((f) => f.message)).toEqual([]);
    const lines = text.split("\n");
    all.push(result.findings.map((f) => lines[f.location!.line - 1]!.trim()).sort());
  }
  for (const one of all) expect(one).toEqual(all[0]);
  return all[0]!;
}

/** One lane of each workgroup is a thread: workgroups run in their order. */
const opencl = (
  ...threads: readonly string[]
): string => `#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable
__kernel void k(__global int *data, __global atomic_int *flag) {
  if (get_local_id(0) != 0) return;
${threads.map((t, i) => `  if (get_group_id(0) == ${i}) {\n${t.replace(/^/gm, "    ")}\n  }`).join("\n")}
}`;
const store = (order: string, { scope = "device", at = 0, value = 1 } = {}): string =>
  `atomic_store_explicit(&flag[${at}], ${value}, memory_order_${order}, memory_scope_${scope});`;
const load = (order: string, { scope = "device", at = 0 } = {}): string =>
  `atomic_load_explicit(&flag[${at}], memory_order_${order}, memory_scope_${scope})`;
const add = (order: string, at = 0): string =>
  `atomic_fetch_add_explicit(&flag[${at}], 1, memory_order_${order}, memory_scope_device)`;
const fence = (order: string, { scope = "device", memory = "GLOBAL" } = {}): string =>
  `atomic_work_item_fence(CLK_${memory}_MEM_FENCE, memory_order_${order}, memory_scope_${scope});`;
const take = (condition: string): string => `if (${condition}) data[32] = data[0];`;

describe("message passing", () => {
  const passes = (first: string, second: string): string => opencl(`data[0] = 7;\n${first}`, second);
  const reading = (condition: string): string => take(condition);
  test.each([
    ["release and acquire", passes(store("release"), take(load("acquire")))],
    ["sequentially consistent", passes(store("seq_cst"), take(load("seq_cst")))],
    [
      "by fences",
      passes(
        `${fence("release")}\n${store("relaxed")}`,
        `int f = ${load("relaxed")};\n${fence("acquire")}\n${take("f")}`,
      ),
    ],
    ["a fence and an acquire", passes(`${fence("release")}\n${store("relaxed")}`, take(load("acquire")))],
    [
      "a release and a fence",
      passes(store("release"), `int f = ${load("relaxed")};\n${fence("acquire")}\n${take("f")}`),
    ],
    [
      "both ways in one fence",
      passes(
        `${fence("acq_rel")}\n${store("relaxed")}`,
        `int f = ${load("relaxed")};\n${fence("seq_cst")}\n${take("f")}`,
      ),
    ],
    ["by read-modify-writes", passes(`${add("release")};`, take(add("acquire")))],
    [
      "by an exchange",
      passes(`atomic_exchange_explicit(&flag[0], 1, memory_order_release, memory_scope_device);`, take(add("acq_rel"))),
    ],
    ["all devices", passes(store("release", { scope: "all_svm_devices" }), take(load("acquire")))],
    [
      "a fence of both memories",
      passes(
        `${fence("release", { memory: "GLOBAL_MEM_FENCE | CLK_LOCAL" })}\n${store("relaxed")}`,
        take(load("acquire")),
      ),
    ],
  ])("%s: ordered", async (_, text) => {
    expect(await races("opencl", text, 2)).toEqual([]);
  });
  test.each([
    ["relaxed", store("relaxed"), reading(load("relaxed"))],
    ["no acquire", store("release"), reading(load("relaxed"))],
    ["no release", store("relaxed"), reading(load("acquire"))],
    ["the store's scope is a workgroup", store("release", { scope: "work_group" }), undefined],
    ["a fence of a workgroup", `${fence("release", { scope: "work_group" })}\n${store("relaxed")}`, undefined],
    ["a fence for workgroup memory", `${fence("release", { memory: "LOCAL" })}\n${store("relaxed")}`, undefined],
    ["an acquire fence where a release is meant", `${fence("acquire")}\n${store("relaxed")}`, undefined],
    ["a relaxed fence", `${fence("relaxed")}\n${store("relaxed")}`, undefined],
    ["the fence comes after", `${store("relaxed")}\n${fence("release")}`, undefined],
    ["another flag", `${store("release", { at: 1 })}\n${store("relaxed")}`, undefined],
  ])("%s: a race, at the read", async (_, first, second) => {
    const read = take(load("acquire"));
    const found = await races("opencl", passes(first, second ?? read), 2);
    const line = second ?? read;
    // Atomics of scopes that leave one another out race themselves, on the same line.
    expect(new Set(found)).toEqual(new Set([line]));
  });
  test("the fence before the read that takes the value comes too early", async () => {
    const text = passes(store("release"), `${fence("acquire")}\nint f = ${load("relaxed")};\n${take("f")}`);
    expect(await races("opencl", text, 2)).toEqual([take("f")]);
  });
  test("what is written after the release is not in it", async () => {
    const text = opencl(`${store("release")}\ndata[0] = 7;`, take(load("acquire")));
    expect(await races("opencl", text, 2)).toEqual([take(load("acquire"))]);
  });
});

describe("three threads", () => {
  test("write to read causality: what is known is handed on", async () => {
    const text = (second: string): string =>
      opencl(
        `data[0] = 7;\n${store("release")}`,
        `if (${load("acquire")}) ${store(second, { at: 1 })}`,
        take(load("acquire", { at: 1 })),
      );
    expect(await races("opencl", text("release"), 3)).toEqual([]);
    expect(await races("opencl", text("relaxed"), 3)).toEqual([take(load("acquire", { at: 1 }))]);
  });
  test("ISA2: three flags in a row", async () => {
    const hand = (from: number, order: string): string =>
      `if (${load(order, { at: from })}) ${store("release", { at: from + 1 })}`;
    const text = (order: string): string =>
      opencl(`data[0] = 7;\n${store("release")}`, hand(0, "acquire"), hand(1, order), take(load("acquire", { at: 2 })));
    expect(await races("opencl", text("acquire"), 4)).toEqual([]);
    expect(await races("opencl", text("relaxed"), 4)).toEqual([take(load("acquire", { at: 2 }))]);
  });
  test("a release sequence goes on with read-modify-writes, whatever their order", async () => {
    const text = (between: string): string =>
      opencl(`data[0] = 7;\n${store("release")}`, between, take(load("acquire")));
    expect(await races("opencl", text(`${add("relaxed")};`), 3)).toEqual([]);
    // Another lane's store ends it.
    expect(await races("opencl", text(store("relaxed", { value: 2 })), 3)).toEqual([take(load("acquire"))]);
  });
  test("a failed compare-exchange reads, and hands nothing on", async () => {
    const exchange = (success: string, failure: string): string =>
      `int e = 5;\natomic_compare_exchange_strong_explicit(&flag[0], &e, 9, memory_order_${success}, memory_order_${failure}, memory_scope_device);\ndata[32] = data[0];`;
    const text = (success: string, failure: string): string =>
      opencl(`data[0] = 7;\n${store("release")}`, exchange(success, failure));
    expect(await races("opencl", text("acquire", "acquire"), 2)).toEqual([]);
    expect(await races("opencl", text("acquire", "relaxed"), 2)).toEqual(["data[32] = data[0];"]);
  });
  test("two readers tell the writer, who may then write; one that does not is found", async () => {
    const reader = (at: number, order: string): string => `data[${40 + at}] = data[0];\n${store(order, { at })}`;
    const writer = `if (${load("acquire", { at: 0 })} && ${load("acquire", { at: 1 })}) data[0] = 1;`;
    expect(await races("opencl", opencl(reader(0, "release"), reader(1, "release"), writer), 3)).toEqual([]);
    expect(await races("opencl", opencl(reader(0, "relaxed"), reader(1, "release"), writer), 3)).toEqual([writer]);
  });
});

describe("within a workgroup", () => {
  const local = (
    first: string,
    second: string,
    pad = 0,
  ): string => `__kernel void k(__global int *data, __global int *flag) {
  __local int cell;
  __local atomic_int ready;
  int i = get_local_id(0);
  if (i == 0) atomic_init(&ready, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == ${pad}) {
    cell = 7;
    ${first}
  }
  if (i == 31) {
    ${second}
  }
}`;
  const give = (order: string, scope: string): string =>
    `atomic_store_explicit(&ready, 1, memory_order_${order}, memory_scope_${scope});`;
  const get = (order: string, scope: string): string =>
    `if (atomic_load_explicit(&ready, memory_order_${order}, memory_scope_${scope})) data[0] = cell;`;
  test("release and acquire of the workgroup's scope", async () => {
    expect(await races("opencl", local(give("release", "work_group"), get("acquire", "work_group")), 1)).toEqual([]);
    expect(await races("opencl", local(give("relaxed", "work_group"), get("acquire", "work_group")), 1)).toEqual([
      get("acquire", "work_group"),
    ]);
  });
  test("a barrier of the device's scope is a fence for other workgroups", async () => {
    const text = (barrier: string): string => `__kernel void k(__global int *data, __global atomic_int *flag) {
  int i = get_local_id(0);
  int g = get_group_id(0);
  if (g == 0) data[i] = i;
  ${barrier}
  if (g == 0 && i == 5) atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
  if (g == 1 && i == 3 && atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)) data[40] = data[9];
}`;
    expect(await races("opencl", text("work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);"), 2)).toEqual(
      [],
    );
    expect(await races("opencl", text("work_group_barrier(CLK_GLOBAL_MEM_FENCE);"), 2)).toHaveLength(1);
  });
});

describe("the last workgroup sums what all have written", () => {
  const kernels: Readonly<Record<TwoWayDialect, (fence: boolean) => string>> = {
    glsl: (fenced) => `#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) coherent buffer Data { int data[]; };
layout(std430, binding = 1) coherent buffer Flag { int flag[]; };
shared int last;
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i == 0) {
    data[gl_WorkGroupID.x] = 3;
    ${fenced ? "memoryBarrierBuffer();" : ""}
    last = atomicAdd(flag[0], 1);
    if (last == 2) {
      ${fenced ? "memoryBarrierBuffer();" : ""}
      data[40] = data[0] + data[1];
    }
  }
}`,
    hlsl: (fenced) => `globallycoherent RWStructuredBuffer<int> data : register(u0);
globallycoherent RWStructuredBuffer<int> flag : register(u1);
[numthreads(32, 1, 1)]
void k(uint i : SV_GroupIndex, uint3 g : SV_GroupID) {
  int last;
  if (i == 0) {
    data[g.x] = 3;
    ${fenced ? "DeviceMemoryBarrier();" : ""}
    InterlockedAdd(flag[0], 1, last);
    if (last == 2) {
      ${fenced ? "DeviceMemoryBarrier();" : ""}
      data[40] = data[0] + data[1];
    }
  }
}`,
    msl: (fenced) => `#include <metal_stdlib>
using namespace metal;
kernel void k(coherent(device) device int *data [[buffer(0)]], device atomic_int *flag [[buffer(1)]],
              uint i [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]]) {
  if (i == 0) {
    data[g] = 3;
    ${fenced ? "atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);" : ""}
    int last = atomic_fetch_add_explicit(flag, 1, memory_order_relaxed);
    if (last == 2) {
      ${fenced ? "atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);" : ""}
      data[40] = data[0] + data[1];
    }
  }
}`,
    opencl: (fenced) => `__kernel void k(__global int *data, __global atomic_int *flag) {
  if (get_local_id(0) == 0) {
    data[get_group_id(0)] = 3;
    int last = atomic_fetch_add_explicit(flag, 1, memory_order_${fenced ? "acq_rel" : "relaxed"}, memory_scope_device);
    if (last == 2) {
      data[40] = data[0] + data[1];
    }
  }
}`,
  };
  test.each(Object.entries(kernels))("%s", async (dialect, text) => {
    expect(await races(dialect as TwoWayDialect, text(true), 3)).toEqual([]);
    const found = await races(dialect as TwoWayDialect, text(false), 3);
    expect(new Set(found)).toEqual(new Set(["data[40] = data[0] + data[1];"]));
  });
});
