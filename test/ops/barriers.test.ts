import { describe, expect, test } from "vitest";
import type { BarrierDescriptor, MemoryScope } from "../../src/ast/nodes.js";
import { decideBarrier } from "../../src/caps/decide.js";
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";
import { fuseBarriers } from "../../src/ops/barriers.js";
import { resolveBarrier } from "../../src/ops/read-barriers.js";
import type { BuiltinArgument } from "../../src/ops/row.js";
import { i32 } from "../../src/types/types.js";
import { glslJudge } from "../support/judges/glsl.js";
import { hlslJudge } from "../support/judges/hlsl.js";
import { openclJudge } from "../support/judges/opencl.js";
import { judgeable, judgeOutputs, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";
import { simulate, translate, verify } from "../../src/index.js";

/** The numbers the specifications give the flags. */

const numbers: Readonly<Record<string, number>> = {
  "mem_flags::mem_none": 0,
  "mem_flags::mem_device": 1,
  "mem_flags::mem_threadgroup": 2,
  "mem_flags::mem_texture": 4,
  CLK_LOCAL_MEM_FENCE: 1,
  CLK_GLOBAL_MEM_FENCE: 2,
  CLK_IMAGE_MEM_FENCE: 4,
  gl_ScopeDevice: 1,
  gl_ScopeWorkgroup: 2,
  gl_ScopeSubgroup: 3,
  gl_ScopeInvocation: 4,
  gl_StorageSemanticsBuffer: 0x40,
  gl_StorageSemanticsShared: 0x100,
  gl_StorageSemanticsImage: 0x800,
  gl_SemanticsAcquireRelease: 8,
  UAV_MEMORY: 1,
  GROUP_SHARED_MEMORY: 2,
  GROUP_SYNC: 1,
  GROUP_SCOPE: 2,
  "0": 0,
};

function argument(text: string): BuiltinArgument {
  const parts = text.split("|").map((p) => p.trim());
  const known = parts.every((p) => Object.hasOwn(numbers, p));
  return {
    type: i32,
    word: parts[0]!,
    ...(known ? { constant: parts.reduce((sum, p) => sum | numbers[p]!, 0) } : {}),
  };
}

function read(dialect: TwoWayDialect, text: string): BarrierDescriptor {
  const [, name, inside] = text.match(/^(\w+)\((.*)\)$/)!;
  const args = inside === "" ? [] : inside!.split(",").map(argument);
  const found = resolveBarrier(dialect, name!, args);
  if (!found || "error" in found) throw new Error(`${text}: ${found ? found.error : "no barrier"}`);
  return found.barrier;
}

const scopes: readonly MemoryScope[] = ["invocation", "subgroup", "workgroup", "device", "system"];
const descriptors: readonly BarrierDescriptor[] = (["none", "subgroup", "workgroup"] as const).flatMap((execution) =>
  [0, 1, 2, 3].flatMap((bits) =>
    scopes.flatMap((scope) =>
      (["acquire", "release", "acq_rel", "seq_cst"] as const)
        .filter((order) => execution === "none" || order === "acq_rel")
        .map((order) => ({
          execution,
          memory: { workgroup: (bits & 1) !== 0, global: (bits & 2) !== 0, image: false },
          scope,
          order,
        })),
    ),
  ),
);

/** Why `got` is weaker than `wanted`; undefined where it is as strong. */
function weaker(got: BarrierDescriptor, wanted: BarrierDescriptor): string | undefined {
  if (wanted.execution === "workgroup" && got.execution !== "workgroup") return "execution";
  if (wanted.execution === "subgroup" && got.execution === "none") return "execution";
  for (const space of ["workgroup", "global"] as const)
    if (wanted.memory[space] && !got.memory[space]) return `${space} memory`;
  // Workgroup memory is seen by one workgroup only: no scope beyond it means anything.
  const reach = wanted.memory.global ? scopes.indexOf(wanted.scope) : Math.min(scopes.indexOf(wanted.scope), 2);
  const orders = wanted.memory.global || wanted.memory.workgroup;
  if (orders && scopes.indexOf(got.scope) < reach) return `scope ${got.scope}`;
  if (orders && wanted.order === "seq_cst" && got.order !== "seq_cst") return "order";
  if (orders && wanted.order === "acq_rel" && got.order !== "acq_rel" && got.order !== "seq_cst") return "order";
  return undefined;
}

const profilesOf: { readonly [D in TwoWayDialect]: readonly string[] } = {
  msl: ["msl3.0", "msl3.2"],
  glsl: ["vulkan1.1", "vulkan1.3"],
  opencl: ["opencl1.2", "opencl3.0"],
  hlsl: ["sm5.0", "sm6.6", "sm6.8"],
};

describe("what is written is never weaker", () => {
  test.each(twoWayDialects)("%s", (dialect) => {
    const wrong: string[] = [];
    let seen = 0;
    for (const profile of profilesOf[dialect]) {
      for (const b of descriptors) {
        for (const uniform of [true, false]) {
          const written = decideBarrier(b, dialect, profile, uniform);
          if (written.kind === "refused") continue;
          const none = b.execution === "none" && !b.memory.workgroup && !b.memory.global;
          if (none) continue;
          seen++;
          // The fences of MSL go before and after the barrier; together they are as strong as one.
          const got = written.calls.map((c) => read(dialect, c)).reduce((a, c) => fuseBarriers(a, c) ?? a);
          const found = weaker(got, b);
          // Written again, what was written stays the same.
          const again = decideBarrier(written.means, dialect, profile, uniform);
          if (again.kind !== "native" || again.calls.join() !== written.calls.join())
            wrong.push(
              `${profile} ${JSON.stringify(b)}: ${written.calls.join("; ")} again is ${again.kind === "native" ? again.calls.join("; ") : again.reason}`,
            );
          if (found) wrong.push(`${profile} ${JSON.stringify(b)}: ${written.calls.join("; ")} has a weaker ${found}`);
          const most = Math.max(...written.calls.map((c) => (read(dialect, c).execution === "workgroup" ? 1 : 0)));
          if (most === 1 && b.execution !== "workgroup" && !uniform)
            wrong.push(`${profile} ${JSON.stringify(b)}: ${written.calls.join("; ")} where not all lanes come`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThan(20);
  });
});

const barrier = (memory: "W" | "D" | "WD" | "", scope: MemoryScope = "workgroup"): BarrierDescriptor => ({
  execution: "workgroup",
  memory: { workgroup: memory.includes("W"), global: memory.includes("D"), image: false },
  scope,
  order: "acq_rel",
});

/** memory.md section 4; the GLSL rows with buffer memory as settled in src/ops/write-barriers.ts. */

const matrix: readonly (readonly [BarrierDescriptor, string, string, string, string])[] = [
  [
    barrier(""),
    "threadgroup_barrier(mem_flags::mem_none)",
    "barrier()",
    "barrier(CLK_LOCAL_MEM_FENCE)",
    "GroupMemoryBarrierWithGroupSync()",
  ],
  [
    barrier("W"),
    "threadgroup_barrier(mem_flags::mem_threadgroup)",
    "barrier()",
    "barrier(CLK_LOCAL_MEM_FENCE)",
    "GroupMemoryBarrierWithGroupSync()",
  ],
  [
    barrier("D"),
    "threadgroup_barrier(mem_flags::mem_device)",
    "controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease)",
    "barrier(CLK_GLOBAL_MEM_FENCE)",
    "DeviceMemoryBarrierWithGroupSync()",
  ],
  [
    barrier("WD"),
    "threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup)",
    "controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease)",
    "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
    "AllMemoryBarrierWithGroupSync()",
  ],
];

test.each(matrix)("workgroup barrier %#", (b, msl, glsl, opencl, hlsl) => {
  const calls = twoWayDialects.map((d) => {
    const w = decideBarrier(b, d);
    return w.kind === "native" ? w.calls.join("; ") : w.reason;
  });
  expect(calls).toEqual([msl, glsl, opencl, hlsl]);
});

test("a device-scope barrier is refused before MSL 3.2 and in OpenCL 1.2", () => {
  expect(decideBarrier(barrier("D", "device"), "msl", "msl3.0").kind).toBe("refused");
  expect(decideBarrier(barrier("D", "device"), "msl", "msl3.2").kind).toBe("native");
  expect(decideBarrier(barrier("D", "device"), "opencl", "opencl1.2").kind).toBe("refused");
  expect(decideBarrier(barrier("D", "device"), "opencl", "opencl3.0")).toMatchObject({
    calls: ["work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device)"],
  });
});

test("decoded as memory.md section 3 says", () => {
  expect(read("glsl", "barrier()")).toEqual(barrier("W"));
  expect(read("glsl", "memoryBarrierBuffer()")).toMatchObject({
    execution: "none",
    scope: "device",
    memory: { global: true, workgroup: false },
  });
  expect(read("hlsl", "AllMemoryBarrierWithGroupSync()")).toMatchObject({
    execution: "workgroup",
    scope: "device",
    memory: { global: true, workgroup: true },
  });
  expect(read("msl", "threadgroup_barrier(mem_flags::mem_device)")).toEqual(barrier("D"));
  expect(read("opencl", "read_mem_fence(CLK_LOCAL_MEM_FENCE)")).toMatchObject({
    execution: "none",
    order: "acquire",
    memory: { workgroup: true },
  });
  expect(resolveBarrier("glsl", "barrier", [{ type: i32 }])).toHaveProperty("error");
  expect(resolveBarrier("msl", "threadgroup_barrier", [{ type: i32 }])).toHaveProperty("error");
  expect(resolveBarrier("hlsl", "barrier", [])).toBeUndefined();
});

describe("in the real compilers", () => {
  const calls = (dialect: TwoWayDialect, profile: string): string[] => [
    ...new Set(
      descriptors.flatMap((b) => {
        const w = decideBarrier(b, dialect, profile, true);
        return w.kind === "native" ? w.calls : [];
      }),
    ),
  ];

  judgeTest(glslJudge, "glslang accepts every barrier", async () => {
    const body = calls("glsl", "vulkan1.3")
      .map((c) => `  ${c};`)
      .join("\n");
    const text = `#version 450\n#extension GL_KHR_memory_scope_semantics : require\n#extension GL_KHR_shader_subgroup_basic : require\nlayout(local_size_x = 64) in;\nvoid main() {\n${body}\n}\n`;
    const [verdict] = await glslJudge.accept([{ name: "barriers", text }]);
    expect(verdict!.ok, verdict!.log).toBe(true);
  });
  judgeTest(openclJudge, "clang accepts every barrier", async () => {
    const text = (profile: string): string =>
      `#if __OPENCL_C_VERSION__ >= 200\n#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n#endif\n__kernel void k() {\n${calls(
        "opencl",
        profile,
      )
        .map((c) => `  ${c};`)
        .join("\n")}\n}\n`;
    const verdicts = await openclJudge.accept([
      { name: "3.0", text: text("opencl3.0") },
      { name: "1.2", text: text("opencl1.2"), options: { version: "1.2" } },
    ]);
    expect(verdicts.map((v) => v.log)).toEqual(verdicts.map(() => expect.not.stringContaining("error")));
    expect(verdicts.every((v) => v.ok)).toBe(true);
  });
  judgeTest(hlslJudge, "DXC accepts every barrier", async () => {
    const text = (profile: string): string =>
      `[numthreads(64, 1, 1)]\nvoid k() {\n${calls("hlsl", profile)
        .map((c) => `  ${c};`)
        .join("\n")}\n}\n`;
    expect(text("sm6.8")).toContain("Barrier(UAV_MEMORY, GROUP_SYNC | GROUP_SCOPE);");
    const verdicts = await hlslJudge.accept([
      { name: "6.6", text: text("sm6.6") },
      { name: "6.8", text: text("sm6.8"), options: { profile: "cs_6_8" } },
    ]);
    expect(verdicts.map((v) => v.log)).toEqual(["", ""]);
    expect(verdicts.map((v) => v.ok)).toEqual([true, true]);
  });
});

describe("flags that are no constant (OpenCL C)", () => {
  const source = `void sync(cl_mem_fence_flags flags) { barrier(flags); }
__attribute__((reqd_work_group_size(8, 1, 1)))
__kernel void k(__global int *o, int n) {
  __local int t[8];
  int i = get_local_id(0);
  t[i] = i * 10;
  sync(CLK_LOCAL_MEM_FENCE);
  o[i] = t[i ^ 1];
  uint f = n > 0 ? CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE;
  work_group_barrier(f);
  t[i] = o[i ^ 2];
  work_group_barrier(f, memory_scope_work_group);
  if (n < 0) sub_group_barrier(n);
  o[i] += t[i];
}
`;

  test.each([4, 32])("are those of both memories at width %i", async (subgroupSize) => {
    const args = { o: new Int32Array(8), n: 1 };
    const run = await simulate(source, { from: "opencl", workgroups: [1], subgroupSize, args });
    expect(run.findings).toEqual([]);
    // What is at i ^ 1, and at (i ^ 2) ^ 1.
    expect([...new Int32Array((run.buffers["o"] as Uint8Array).slice().buffer)]).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((i) => 10 * (i ^ 1) + 10 * (i ^ 3)),
    );
  });

  test.each(["msl", "glsl", "hlsl"] as const)("are so in %s, which is said", async (to) => {
    const made = await translate(source, { from: "opencl", to });
    const said = /flags that are no constant are read as those of both memories/;
    expect(made.emulations.filter((n) => said.test(n.message)).length).toBe(1);
    const { result } = await verify(source, { from: "opencl", to, subgroupSizes: [4, 32] });
    expect(result).toMatch(/^equivalent/);
    expect(
      refusals(await judgeOutputs([judgeable("opencl", "source", source), judgeable(to, "flags", made.code!)])),
    ).toBe("");
  });

  test.each([
    ["uint f = 1; barrier(f++);", "XL1900"],
    ["barrier(o);", "XL2005"],
  ])("%s is refused", async (statement, code) => {
    const text = `__kernel void k(__global int *o) { ${statement} o[0] = 1; }`;
    const { diagnostics } = await translate(text, { from: "opencl", to: "msl" });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toEqual([code]);
  });
});

describe("barriers in functions of structs (MSL)", () => {
  const source = `#include <metal_stdlib>
using namespace metal;
namespace steel {
template <typename T> struct Turned {
  threadgroup T* t;
  void put(uint i, T v) { t[i] = v; threadgroup_barrier(mem_flags::mem_threadgroup); }
  T next(uint i) { T v = t[i ^ 1]; threadgroup_barrier(metal::mem_flags::mem_threadgroup | mem_flags::mem_device); return v; }
};
}
kernel void k(device int* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup int t[8];
  steel::Turned<int> turned = {t};
  turned.put(i, int(i) * 10);
  o[i] = turned.next(i);
}
`;

  test.each(["glsl", "opencl", "hlsl"] as const)("are the same in %s", async (to) => {
    const args = { o: new Int32Array(8) };
    const options = { from: "msl", workgroupSize: [8, 1, 1] } as const;
    const run = await simulate(source, { ...options, workgroups: [1], subgroupSize: 4, args });
    expect(run.findings).toEqual([]);
    expect([...new Int32Array((run.buffers["o"] as Uint8Array).slice().buffer)]).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((i) => 10 * (i ^ 1)),
    );
    const { result } = await verify(source, { ...options, to, subgroupSizes: [4, 32] });
    expect(result).toMatch(/^equivalent/);
    const { code } = await translate(source, { ...options, to });
    expect(refusals(await judgeOutputs([judgeable("msl", "source", source), judgeable(to, "methods", code!)]))).toBe(
      "",
    );
  });
});
