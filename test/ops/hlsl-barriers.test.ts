/**
 * HLSL's barriers by the names of shader model 5, and `Barrier` of 6.8 in all forms. The names and what they mean are those of the D3D11.3
 * functional specification 22.17.7, the modes those of `DXIL::BarrierMode` (Work Graphs specification, "Lowering barrier"), and what
 * `Barrier` takes is what DXC takes.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { capabilities, simulate, translate } from "../../src/index.js";
import type { BarrierDescriptor } from "../../src/ast/nodes.js";
import { syncInstruction } from "../../src/ops/barriers.js";
import { compile } from "../../src/api/compile.js";
import { walkModule } from "../../src/ast/walk.js";
import { askDxc } from "../support/judges/dxc.js";
import { hlslJudge } from "../support/judges/hlsl.js";
import { judgeTest } from "../support/tool-test.js";

const buffers = `RWStructuredBuffer<uint> near : register(u0);
globallycoherent RWStructuredBuffer<uint> far : register(u1);
RWByteAddressBuffer raw : register(u2);
StructuredBuffer<uint> given : register(t0);
groupshared uint cells[32];
static const uint both = 3;
`;
const kernel = (call: string, before = buffers): string => `${before}[numthreads(32, 1, 1)]
void k(uint i : SV_GroupIndex) {
  cells[i] = given[i] + raw.Load(4 * i);
  near[i] = i;
  far[i] = i;
  ${call};
  near[i + 32] = cells[i ^ 1];
}
`;

/** The descriptor that a call is read as, or why it is not. */
async function read(call: string, before = buffers): Promise<object | string> {
  const { module, diagnostics } = await compile(kernel(call, before), { from: "hlsl" });
  if (!module) return diagnostics.find((d) => d.severity === "error")!.message;
  const found: BarrierDescriptor[] = [];
  walkModule(module, { statement: (s) => void (s.kind === "barrier" && found.push(s.barrier)) });
  expect(found).toHaveLength(1);
  const { buffers, ...rest } = found[0]!;
  return buffers ? { ...rest, of: buffers.map((b) => module.variables.get(b)!.name) } : rest;
}

const means = (execution: BarrierDescriptor["execution"], memory: "" | "g" | "u" | "gu", scope: string): object => ({
  execution,
  memory: { workgroup: memory.includes("g"), global: memory.includes("u"), image: memory.includes("u") },
  scope,
  order: "acq_rel",
});

/** The listing of variants of 22.17.7; what each does stands there under `_uglobal`, `_ugroup`, `_g` and `_t`. */
const variants: readonly (readonly [string, string, number, object])[] = [
  ["sync_g", "GroupMemoryBarrier()", 8, means("none", "g", "workgroup")],
  ["sync_ugroup", "Barrier(UAV_MEMORY, GROUP_SCOPE)", 4, means("none", "u", "workgroup")],
  ["sync_uglobal", "DeviceMemoryBarrier()", 2, means("none", "u", "device")],
  ["sync_g_t", "GroupMemoryBarrierWithGroupSync()", 9, means("workgroup", "g", "workgroup")],
  ["sync_ugroup_t", "Barrier(UAV_MEMORY, GROUP_SCOPE | GROUP_SYNC)", 5, means("workgroup", "u", "workgroup")],
  ["sync_uglobal_t", "DeviceMemoryBarrierWithGroupSync()", 3, means("workgroup", "u", "device")],
  ["sync_ugroup_g", "Barrier(UAV_MEMORY | GROUP_SHARED_MEMORY, GROUP_SCOPE)", 12, means("none", "gu", "workgroup")],
  ["sync_uglobal_g", "AllMemoryBarrier()", 10, means("none", "gu", "device")],
  [
    "sync_ugroup_g_t",
    "Barrier(UAV_MEMORY | GROUP_SHARED_MEMORY, GROUP_SCOPE | GROUP_SYNC)",
    13,
    means("workgroup", "gu", "workgroup"),
  ],
  ["sync_uglobal_g_t", "AllMemoryBarrierWithGroupSync()", 11, means("workgroup", "gu", "device")],
];

describe("the variants of sync", () => {
  test.each(variants)("%s is %s", async (name, call, mode, wanted) => {
    const found = await read(call);
    expect(found).toEqual(wanted);
    expect(syncInstruction(found as BarrierDescriptor)).toEqual({ name, mode });
  });

  judgeTest(hlslJudge, "DXC gives the functions of shader model 5 these modes", async () => {
    const functions = variants.filter(([, call]) => !call.startsWith("Barrier"));
    const folder = mkdtempSync(join(tmpdir(), "barriers-"));
    try {
      const requests = functions.map(([name, call]) => {
        const path = join(folder, `${name}.hlsl`);
        writeFileSync(path, kernel(call));
        return { profile: "cs_6_0", entry: "k", path, output: join(folder, `${name}.ll`) };
      });
      expect(await askDxc(requests)).toEqual(functions.map(() => "ok"));
      const modes = requests.map(({ output }) => {
        const made = /call void @dx\.op\.barrier\(i32 80, i32 (\d+)\)/.exec(readFileSync(output, "utf8"));
        return Number(made![1]);
      });
      expect(modes).toEqual(functions.map(([, , mode]) => mode));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("capabilities barrier names those that are written", () => {
    const named = new Map<string, string>();
    for (const profile of ["sm5.0", "sm6.8"])
      for (const { targets } of capabilities({ filter: "barrier", profile }))
        for (const form of targets.hlsl!.forms)
          if (form.instructions) named.set(form.instructions.join(), form.spellings.join());
    expect([...named.keys()].sort()).toEqual(variants.map(([name]) => name).sort());
    expect(named.get("sync_uglobal_g_t")).toBe("AllMemoryBarrierWithGroupSync()");
    expect(named.get("sync_ugroup_t")).toBe("Barrier(UAV_MEMORY, GROUP_SYNC | GROUP_SCOPE)");
  });
});

describe("a report of a translation", () => {
  test("names what the source's barriers compile to, and the buffers that _uglobal reaches in the workgroup alone", async () => {
    const { barriers } = await translate(kernel("AllMemoryBarrierWithGroupSync()"), { from: "hlsl", to: "opencl" });
    expect(barriers).toHaveLength(1);
    expect(barriers[0]).toMatchObject({
      calls: ["work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device)"],
      instructions: ["sync_uglobal_g_t"],
      workgroupOnly: ["near", "raw"],
      location: { line: 12 },
    });
  });
  test("though no buffer of the source is coherent, so that its scope is the workgroup", async () => {
    const text = kernel("DeviceMemoryBarrier()", buffers.replace("globallycoherent ", ""));
    expect(await read("DeviceMemoryBarrier()", buffers.replace("globallycoherent ", ""))).toMatchObject({
      scope: "workgroup",
    });
    const { barriers } = await translate(text, { from: "hlsl", to: "opencl" });
    expect(barriers[0]).toMatchObject({
      calls: ["mem_fence(CLK_GLOBAL_MEM_FENCE)"],
      instructions: ["sync_uglobal"],
      workgroupOnly: ["near", "far", "raw"],
    });
  });
  test("and what those of an HLSL text do", async () => {
    const text = `kernel void k(global int *p) {
  p[get_local_id(0)] = 1;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  p[get_local_id(0) + 32] = 2;
}`;
    const { barriers } = await translate(text, { from: "opencl", to: "hlsl", workgroupSize: [32] });
    // The translation makes its buffers globallycoherent.
    expect(barriers).toMatchObject([
      { calls: ["DeviceMemoryBarrierWithGroupSync()"], instructions: ["sync_uglobal_t"] },
    ]);
    expect(barriers[0]).not.toHaveProperty("workgroupOnly");
  });
});

/** Forms of `Barrier`, as they are read; a string is why a form is refused. */
const forms: readonly (readonly [string, object | string])[] = [
  ["Barrier(UAV_MEMORY, DEVICE_SCOPE)", means("none", "u", "device")],
  ["Barrier(GROUP_SHARED_MEMORY, GROUP_SCOPE)", means("none", "g", "workgroup")],
  ["Barrier(GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE)", means("workgroup", "g", "workgroup")],
  ["Barrier(ALL_MEMORY, GROUP_SCOPE)", means("none", "gu", "workgroup")],
  ["Barrier(ALL_MEMORY, DEVICE_SCOPE | GROUP_SYNC)", means("workgroup", "gu", "device")],
  ["Barrier(UAV_MEMORY, DEVICE_SCOPE | GROUP_SCOPE)", means("none", "u", "device")],
  ["Barrier(both, 3)", means("workgroup", "gu", "workgroup")],
  // Without a scope nothing becomes visible to others.
  ["Barrier(0, GROUP_SYNC)", means("workgroup", "", "workgroup")],
  ["Barrier(0, 0)", means("none", "", "workgroup")],
  ["Barrier(UAV_MEMORY, GROUP_SYNC)", means("workgroup", "", "workgroup")],
  ["Barrier(near, 0)", means("none", "", "workgroup")],
  // Of one buffer.
  ["Barrier(near, GROUP_SCOPE)", { ...means("none", "u", "workgroup"), of: ["near"] }],
  ["Barrier(near, GROUP_SCOPE | GROUP_SYNC)", { ...means("workgroup", "u", "workgroup"), of: ["near"] }],
  ["Barrier(near, DEVICE_SCOPE)", { ...means("none", "u", "workgroup"), of: ["near"] }],
  ["Barrier(far, DEVICE_SCOPE)", { ...means("none", "u", "device"), of: ["far"] }],
  ["Barrier(raw, GROUP_SYNC | GROUP_SCOPE)", { ...means("workgroup", "u", "workgroup"), of: ["raw"] }],
  // One after the other is one of both; at scopes of their own, two.
  [
    "Barrier(near, GROUP_SCOPE | GROUP_SYNC); Barrier(raw, GROUP_SCOPE)",
    { ...means("workgroup", "u", "workgroup"), of: ["near", "raw"] },
  ],
  [
    "Barrier(near, GROUP_SCOPE | GROUP_SYNC); GroupMemoryBarrier()",
    { ...means("workgroup", "gu", "workgroup"), of: ["near"] },
  ],
  ["Barrier(near, GROUP_SCOPE | GROUP_SYNC); Barrier(UAV_MEMORY, GROUP_SCOPE)", means("workgroup", "u", "workgroup")],
  ["Barrier(GROUP_SHARED_MEMORY, DEVICE_SCOPE)", "DEVICE_SCOPE is of no memory without UAV_MEMORY"],
  ["Barrier(NODE_INPUT_MEMORY, GROUP_SCOPE)", "memory of nodes is none of a compute kernel's"],
  ["Barrier(NODE_OUTPUT_MEMORY | UAV_MEMORY, DEVICE_SCOPE)", "memory of nodes is none of a compute kernel's"],
  ["Barrier(16, GROUP_SCOPE)", "unknown memory flags 16"],
  ["Barrier(UAV_MEMORY, 8)", "unknown semantic flags 8"],
  ["Barrier(near, 8)", "unknown semantic flags 8"],
  ["Barrier(given, GROUP_SCOPE)", "Barrier takes no buffer that is only read"],
  ["Barrier(cells, GROUP_SCOPE)", "the arguments of Barrier must be constants"],
  ["Barrier(near[0], GROUP_SCOPE)", "the arguments of Barrier must be constants"],
  ["Barrier(UAV_MEMORY, near[0])", "the arguments of Barrier must be constants"],
  ["Barrier(UAV_MEMORY)", "Barrier takes memory flags or a writable buffer, and semantic flags"],
  ["Barrier(UAV_MEMORY, GROUP_SCOPE, 1)", "Barrier takes memory flags or a writable buffer, and semantic flags"],
  // The rules have it ("GROUP_SCOPE may only be used if MemoryTypeFlags is non-zero").
  ["Barrier(0, GROUP_SCOPE)", "GROUP_SCOPE is of no memory without memory flags"],
];

describe("Barrier", () => {
  test.each(forms)("%s", async (call, wanted) => {
    expect(await read(call)).toEqual(wanted);
  });

  judgeTest(hlslJudge, "DXC takes the same forms", async () => {
    const verdicts = await hlslJudge.accept(
      forms.map(([call], i) => ({ name: `form ${i}`, text: kernel(call), options: { profile: "cs_6_8" } })),
    );
    const differ = forms.filter(([, wanted], i) => (typeof wanted !== "string") !== verdicts[i]!.ok);
    expect(differ.map(([call]) => call)).toEqual([]);
  });

  judgeTest(
    hlslJudge,
    "DXC makes instructions of its own of it, of which those of shader model 5 are the counterparts",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "barriers-"));
      try {
        const path = join(folder, "k.hlsl");
        const output = join(folder, "k.ll");
        writeFileSync(
          path,
          kernel("Barrier(UAV_MEMORY, GROUP_SCOPE | GROUP_SYNC); near[i] = 1; Barrier(near, GROUP_SCOPE)"),
        );
        expect(await askDxc([{ profile: "cs_6_8", entry: "k", path, output }])).toEqual(["ok"]);
        const made = [...readFileSync(output, "utf8").matchAll(/call void @dx\.op\.(barrier\w*)/g)].map((m) => m[1]);
        expect(made).toEqual(["barrierByMemoryType", "barrierByMemoryHandle"]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  test("is written from 6.8 on where the functions before it say more, and never before", async () => {
    const text = `kernel void k(global int *p) {
  p[get_local_id(0)] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  p[get_local_id(0) + 32] = 2;
}`;
    const line = async (profile: string): Promise<string> => {
      const { code } = await translate(text, { from: "opencl", to: "hlsl", workgroupSize: [32], profile });
      return code!
        .split("\n")
        .find((l) => l.includes("Barrier"))!
        .trim();
    };
    expect(await line("sm6.8")).toBe("Barrier(UAV_MEMORY, GROUP_SYNC | GROUP_SCOPE);");
    expect(await line("sm6.7")).toBe("DeviceMemoryBarrierWithGroupSync();");
  });

  test("of one buffer orders all in a translation, which says so; of memory it says nothing", async () => {
    const remarks = async (call: string): Promise<readonly string[]> => {
      const { emulations } = await translate(kernel(call), { from: "hlsl", to: "glsl" });
      return emulations.map((e) => e.message).filter((m) => m.includes("one buffer"));
    };
    expect(await remarks("Barrier(near, GROUP_SCOPE | GROUP_SYNC)")).toEqual([
      "the barrier of one buffer orders all of them",
    ]);
    expect(await remarks("Barrier(UAV_MEMORY, GROUP_SCOPE | GROUP_SYNC)")).toEqual([]);
  });

  test("of an HLSL source is not kept for a shader model that lacks it", async () => {
    const text = kernel("Barrier(near, GROUP_SCOPE | GROUP_SYNC)");
    const made = async (profile: string): Promise<string> =>
      (await translate(text, { from: "hlsl", to: "hlsl", profile })).code!;
    expect(await made("sm6.8")).toContain("Barrier(near, GROUP_SCOPE | GROUP_SYNC);");
    const before = await made("sm6.6");
    expect(before).toContain("DeviceMemoryBarrierWithGroupSync();");
    expect(before).not.toContain(" Barrier(");
  });
});

describe("Barrier of one buffer, in a run", () => {
  const lines = async (text: string, workgroups = 1): Promise<number[]> => {
    const { findings, diagnostics } = await simulate(text, {
      from: "hlsl",
      workgroups: [workgroups],
      subgroupSize: 4,
      args: {
        a: new Int32Array(64),
        b: new Int32Array(64),
        ...(text.includes("flag") ? { flag: new Uint32Array(4) } : {}),
      },
    });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(findings.filter((f) => f.kind !== "data-race")).toEqual([]);
    return [...new Set(findings.map((f) => f.location!.line))].sort((x, y) => x - y);
  };
  const two = (call: string, helper = ""): string => `RWStructuredBuffer<int> a;
RWStructuredBuffer<int> b;
${helper}
[numthreads(16, 1, 1)]
void k(uint i : SV_GroupIndex) {
  a[i] = 1;
  b[i] = 2;
  ${call}
  a[32 + i] = a[i ^ 5];
  b[32 + i] = b[i ^ 5];
}
`;

  // What each barrier leaves unordered: line 9 reads a, line 10 reads b.
  test.each([
    ["Barrier(UAV_MEMORY, GROUP_SCOPE | GROUP_SYNC);", []],
    ["Barrier(a, GROUP_SCOPE | GROUP_SYNC);", [10]],
    ["Barrier(b, GROUP_SCOPE | GROUP_SYNC);", [9]],
    ["Barrier(a, DEVICE_SCOPE | GROUP_SYNC);", [10]],
    ["Barrier(a, GROUP_SYNC);", [9, 10]],
    ["Barrier(a, GROUP_SCOPE | GROUP_SYNC); Barrier(b, GROUP_SCOPE | GROUP_SYNC);", []],
    ["Barrier(a, GROUP_SCOPE | GROUP_SYNC); DeviceMemoryBarrierWithGroupSync();", []],
  ])("%s", async (call, wanted) => {
    expect(await lines(two(call))).toEqual(wanted);
  });

  test("that a function or a local names", async () => {
    const helper = "void wait(RWStructuredBuffer<int> c) { Barrier(c, GROUP_SCOPE | GROUP_SYNC); }";
    expect(await lines(two("wait(a);", helper))).toEqual([10]);
    expect(await lines(two("wait(b);", helper))).toEqual([9]);
    expect(await lines(two("wait(a); wait(b);", helper))).toEqual([]);
    const local = "RWStructuredBuffer<int> c = a; Barrier(c, GROUP_SCOPE | GROUP_SYNC);";
    expect(await lines(two(local))).toEqual([10]);
  });

  test("that passes a message between workgroups", async () => {
    const passed = (fence: string): string => `globallycoherent RWStructuredBuffer<int> a;
globallycoherent RWStructuredBuffer<int> b;
globallycoherent RWStructuredBuffer<uint> flag;
[numthreads(1, 1, 1)]
void k(uint3 g : SV_GroupID) {
  uint was;
  if (g.x == 0) {
    a[0] = 1;
    b[0] = 2;
    ${fence}
    InterlockedExchange(flag[0], 1, was);
  } else {
    InterlockedOr(flag[0], 0, was);
    if (was == 1) {
      ${fence}
      a[1] = a[0];
      b[1] = b[0];
    }
  }
}
`;
    expect(await lines(passed("Barrier(UAV_MEMORY, DEVICE_SCOPE);"), 2)).toEqual([]);
    expect(await lines(passed("Barrier(a, DEVICE_SCOPE);"), 2)).toEqual([17]);
    expect(await lines(passed("Barrier(b, DEVICE_SCOPE);"), 2)).toEqual([16]);
    expect(await lines(passed("Barrier(b, GROUP_SCOPE);"), 2)).toEqual([16, 17]);
  });
});
