/**
 * What a workgroup does plainly to a buffer that is not marked coherent no fence orders for another workgroup: D3D11.3 functional
 * specification 7.14.4 ("this form of cross-thread group data sharing will produce undefined results") and 22.17.7 (`_uglobal`), GLSL
 * 4.60 section 4.10 (`coherent`), MSL 3.2 section 4.8 (`coherent(device)`). Atomics are, in any buffer.
 */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import { translate } from "../../src/api/translate.js";
import { judgeable, judgeOutputs, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

type Language = "msl" | "glsl" | "hlsl";

/** The last workgroup to arrive sums what all have written. `atomically`: by atomics throughout. */
const kernels: Readonly<Record<Language, (coherent: boolean, atomically: boolean) => string>> = {
  hlsl: (coherent, atomically) => `${coherent ? "globallycoherent " : ""}RWStructuredBuffer<int> data : register(u0);
globallycoherent RWStructuredBuffer<int> flag : register(u1);
[numthreads(8, 1, 1)]
void k(uint i : SV_GroupIndex, uint3 g : SV_GroupID) {
  int last, first, second;
  if (i == 0) {
    ${atomically ? "InterlockedExchange(data[g.x], 3, first);" : "data[g.x] = 3;"}
    DeviceMemoryBarrier();
    InterlockedAdd(flag[0], 1, last);
    DeviceMemoryBarrier();
    ${atomically ? "InterlockedOr(data[0], 0, first); InterlockedOr(data[1], 0, second);" : "if (last == 1) { first = data[0]; second = data[1]; }"}
    if (last == 1) flag[1] = first + second;
  }
}`,
  glsl: (coherent, atomically) => `#version 450
layout(local_size_x = 8) in;
layout(binding = 0) ${coherent ? "coherent " : ""}buffer Data { int data[]; };
layout(binding = 1) coherent buffer Flag { int flag[]; };
void main() {
  uint g = gl_WorkGroupID.x;
  if (gl_LocalInvocationIndex == 0) {
    ${atomically ? "atomicExchange(data[g], 3);" : "data[g] = 3;"}
    memoryBarrierBuffer();
    int last = atomicAdd(flag[0], 1);
    memoryBarrierBuffer();
    if (last == 1) flag[1] = ${atomically ? "atomicOr(data[0], 0) + atomicOr(data[1], 0)" : "data[0] + data[1]"};
  }
}`,
  msl: (coherent, atomically) => `#include <metal_stdlib>
using namespace metal;
#define FENCE atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device)
kernel void k(${coherent ? "coherent(device) " : ""}device ${atomically ? "atomic_int" : "int"} *data [[buffer(0)]],
              coherent(device) device int *flag [[buffer(1)]], device atomic_int *count [[buffer(2)]],
              uint i [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]]) {
  if (i == 0) {
    ${atomically ? "atomic_store_explicit(&data[g], 3, memory_order_relaxed);" : "data[g] = 3;"}
    FENCE;
    int last = atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    FENCE;
    if (last == 1)
      flag[1] = ${atomically ? "atomic_load_explicit(&data[0], memory_order_relaxed) + atomic_load_explicit(&data[1], memory_order_relaxed)" : "data[0] + data[1]"};
  }
}`,
};

async function found(from: Language, text: string): Promise<readonly string[]> {
  const result = await simulate(text, {
    from,
    workgroups: [2],
    subgroupSize: 4,
    args: { data: new Int32Array(8), flag: new Int32Array(8), ...(from === "msl" ? { count: new Int32Array(1) } : {}) },
    ...(from === "msl" ? { workgroupSize: [8] } : {}),
  });
  expect(result.diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  return result.findings.map((f) => f.message);
}

describe.each(["hlsl", "glsl", "msl"] as const)("%s", (language) => {
  const text = (coherent: boolean, atomically = false): string => kernels[language](coherent, atomically);
  test("a coherent buffer is in order for the other workgroup", async () => {
    expect(await found(language, text(true))).toEqual([]);
  });
  test("one that is not races, though there are fences", async () => {
    const messages = await found(language, text(false));
    expect(messages.length).toBeGreaterThan(0);
    for (const m of messages) expect(m).toContain("only within its workgroup, since the buffer is not marked coherent");
  });
  test("but not by atomics", async () => {
    expect(await found(language, text(false, true))).toEqual([]);
  });
});

test("within a workgroup a barrier orders every buffer", async () => {
  const text = `RWStructuredBuffer<int> data : register(u0);
RWStructuredBuffer<int> flag : register(u1);
[numthreads(8, 1, 1)]
void k(uint i : SV_GroupIndex, uint3 g : SV_GroupID) {
  if (i < 4) data[g.x * 4 + i] = 1;
  DeviceMemoryBarrierWithGroupSync();
  if (i >= 4) flag[g.x * 4 + i - 4] = data[g.x * 4 + (i ^ 1) - 4];
}`;
  expect(await found("hlsl", text)).toEqual([]);
});

describe("words of GL_KHR_memory_scope_semantics", () => {
  const text = (block: string, member = ""): string => `#version 460
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 8) in;
layout(binding = 0) ${block} buffer Data { ${member} int data[]; };
layout(binding = 1) buffer Flag { int flag[]; };
void main() {
  uint g = gl_WorkGroupID.x;
  if (gl_LocalInvocationIndex == 0) {
    data[g] = 3;
    memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
    int last = atomicAdd(flag[0], 1);
    memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
    if (last == 1) atomicExchange(flag[1], data[0] + data[1]);
  }
}`;
  test.each([
    ["devicecoherent", ""],
    ["queuefamilycoherent", ""],
    ["nonprivate", ""],
    ["", "coherent"],
    ["", "nonprivate"],
  ])("'%s' of a block, '%s' of its member reach other workgroups", async (block, member) => {
    expect(await found("glsl", text(block, member))).toEqual([]);
    const { code } = await translate(text(block, member), { from: "glsl", to: "hlsl" });
    expect(code).toContain("globallycoherent RWStructuredBuffer<int> data");
  });
  test.each(["workgroupcoherent", "subgroupcoherent"])("%s does not", async (block) => {
    expect((await found("glsl", text(block))).length).toBeGreaterThan(0);
  });
  judgeTest(judges.glsl, "glslang takes the texts", async () => {
    const words = ["devicecoherent", "queuefamilycoherent", "nonprivate", "workgroupcoherent", "subgroupcoherent"];
    const outputs = words.map((word) => judgeable("glsl", word, text(word)));
    expect(refusals(await judgeOutputs([...outputs, judgeable("glsl", "member", text("", "nonprivate"))]))).toBe("");
  });
});
