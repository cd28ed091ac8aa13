/**
 * Atomic loads that HLSL writes, and reads, as plain loads: of words of globallycoherent buffers, with a fence behind them. D3D11.3
 * functional specification 7.14.2 (loads of 32 bits are atomic, of buffers against atomics too), 7.14.4 (what another group wrote is seen where
 * the buffer is globallycoherent), 22.17.7 (reads may be made one where no barrier stands between them).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { askDxc } from "../support/judges/dxc.js";
import { hlslJudge } from "../support/judges/hlsl.js";
import { judgeTest } from "../support/tool-test.js";

const waits = (type: string, order: string, scope: string): string => `kernel void k(global ${type} *x, global int *y) {
  if (get_global_id(0) == 0) {
    y[0] = 1;
    atomic_store_explicit(&x[0], 1, memory_order_release, memory_scope_device);
  } else {
    while (atomic_load_explicit(&x[0], memory_order_${order}, memory_scope_${scope}) == 0);
    y[get_global_id(0)] = 2;
  }
}`;
const once = `kernel void k(global int *x, global int *y) {
  atomic_fetch_add_explicit((global atomic_int *)&x[0], 1, memory_order_relaxed, memory_scope_device);
  y[0] = atomic_load_explicit((global atomic_int *)&x[0], memory_order_relaxed, memory_scope_device);
  y[1] = 2;
}`;
const helper = `int seen(global atomic_int *x) { return atomic_load_explicit(x, memory_order_relaxed, memory_scope_device); }
kernel void k(global atomic_int *x, global int *y) {
  atomic_fetch_add_explicit(&x[0], 1, memory_order_relaxed, memory_scope_device);
  y[0] = seen(x);
  y[1] = seen(x);
}`;
const toHlsl = async (text: string, profile = "sm6.6"): Promise<string> =>
  (await translate(text, { from: "opencl", to: "hlsl", workgroupSize: [1], profile })).code!;
const load = "old = x[0];";

describe("written", () => {
  test.each(["atomic_int", "atomic_uint", "atomic_float"])("with a fence behind it: %s", async (type) => {
    const text = await toHlsl(waits(type, "acquire", "device"));
    expect(text).toContain(`${load}\n      DeviceMemoryBarrier();`);
    expect(text).toMatch(/globallycoherent RWStructuredBuffer<\w+> x/);
    expect(text).not.toMatch(/InterlockedOr|InterlockedCompare/);
  });
  test("without a fence, where the invocation reads the buffer once", async () => {
    const text = await toHlsl(once);
    expect(text).toMatch(/globallycoherent RWStructuredBuffer<int> x/);
    expect(text).toContain("y[0] = x[0];");
    expect(text).not.toContain("InterlockedOr");
  });
  test.each([
    ["without a fence reads of a loop may be made one", waits("atomic_int", "relaxed", "device")],
    ["it is read again", once.replace("y[1] = 2", "y[1] = x[0]")],
    ["it is read in a helper", helper],
    ["a fence of the workgroup needs no coherent buffer", waits("atomic_int", "acquire", "work_group")],
    ["64 bits are two loads", waits("atomic_long", "acquire", "device")],
    [
      "workgroup memory has the rules of LLVM's loads",
      `kernel void k(global int *y) {
  local atomic_int x[1];
  atomic_store_explicit(&x[0], 1, memory_order_relaxed, memory_scope_work_group);
  y[0] = atomic_load_explicit(&x[0], memory_order_acquire, memory_scope_work_group);
}`,
    ],
  ])("not where %s", async (_why, text) => {
    const made = await toHlsl(text);
    expect(made).toContain("InterlockedOr(x[0], 0");
    expect(made).not.toContain(load);
  });

  judgeTest(hlslJudge, "DXC leaves the load in the loop, before the barrier", async () => {
    const folder = mkdtempSync(join(tmpdir(), "loads-"));
    try {
      const path = join(folder, "k.hlsl");
      const output = join(folder, "k.ll");
      writeFileSync(path, await toHlsl(waits("atomic_int", "acquire", "device")));
      expect(await askDxc([{ profile: "cs_6_6", entry: "k", path, output }])).toEqual(["ok"]);
      const blocks = readFileSync(output, "utf8").split(/^; <label>/m);
      // The block that goes back to itself.
      const loop = blocks.find((b) => /oadLoad|ufferLoad/.test(b) && /dx\.op\.barrier/.test(b))!;
      const label = /^:(\d+)/.exec(loop)![1];
      expect(loop).toMatch(new RegExp(`br i1 .*label %${label}\\b`));
      expect(loop.search(/ufferLoad/)).toBeLessThan(loop.search(/dx\.op\.barrier/));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test("an old value of the other signedness is brought over once", async () => {
  const text = `RWStructuredBuffer<uint> x;
[numthreads(32, 1, 1)]
void k(uint i : SV_GroupIndex) {
  int old;
  InterlockedAdd(x[0], 1, old);
  x[1 + i] = old;
}`;
  const { code } = await translate(text, { from: "hlsl", to: "glsl" });
  expect(code).toContain("old = int(atomicAdd(x[0], 1u));");
  const args = { x: new Uint32Array(33) };
  const { buffers } = await simulate(text, { from: "hlsl", workgroups: [1], args });
  const found = [...(buffers!.x as Uint32Array)];
  expect(found[0]).toBe(32);
  expect(found.slice(1).sort((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, n) => n));
});

describe("read", () => {
  const polls = (buffer: string, read: string): string => `${buffer} x;
globallycoherent RWStructuredBuffer<uint> y;
[numthreads(1, 1, 1)]
void k(uint3 g : SV_GroupID) {
  uint was;
  if (g.x == 0) {
    y[0] = 1;
    DeviceMemoryBarrier();
    ${read.includes("Load") ? "x.InterlockedExchange(0, 1, was);" : "InterlockedExchange(x[0], 1, was);"}
  } else {
    ${read}
    if (was == 1) y[1] = y[0];
  }
}`;
  const races = async (text: string): Promise<number[]> => {
    const args = { x: new Uint32Array(4), y: new Uint32Array(4) };
    const { findings, diagnostics } = await simulate(text, { from: "hlsl", workgroups: [2], args });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    return [...new Set(findings.map((f) => f.location!.line))];
  };
  const coherent = "globallycoherent RWStructuredBuffer<uint>";

  test("as atomic where a fence stands behind it", async () => {
    expect(await races(polls(coherent, "was = x[0]; DeviceMemoryBarrier();"))).toEqual([]);
    expect(await races(polls("globallycoherent RWByteAddressBuffer", "was = x.Load(0); AllMemoryBarrier();"))).toEqual(
      [],
    );
  });
  test("as relaxed without one: what the flag says is not in order, and there is no race for the flag", async () => {
    expect(await races(polls(coherent, "was = x[0];"))).toEqual([12]);
    expect(await races(polls(coherent, "was = x[0]; GroupMemoryBarrier();"))).toEqual([12]);
    expect(await races(polls("globallycoherent RWByteAddressBuffer", "was = x.Load(0);"))).toEqual([12]);
  });
  test("within expressions and conditions, and not where atomics act on other members or other types", async () => {
    const text = (body: string): string => `struct Node { uint count; uint name; };
globallycoherent RWStructuredBuffer<Node> x;
RWStructuredBuffer<uint> y;
[numthreads(1, 1, 1)]
void k(uint3 g : SV_GroupID) {
  if (g.x == 0) {
    InterlockedAdd(x[0].count, 1);
  } else {
    ${body}
  }
}`;
    const both = async (body: string): Promise<string> => {
      const args = { x: new Uint32Array(8), y: new Uint32Array(4) };
      const { findings } = await simulate(text(body), { from: "hlsl", workgroups: [2], args });
      expect(findings).toEqual([]);
      return (await translate(text(body), { from: "hlsl", to: "opencl" })).code!.replace(/\s+/g, "");
    };
    const load = /atomic_load_explicit\(\(volatile__globalatomic_uint\*\)&x\[\d\w*\]\.count,memory_order_relaxed/g;
    expect((await both("y[0] = x[0].count * 2u + x[1].count;")).match(load)).toHaveLength(2);
    expect((await both("if (x[0].count > 3u && x[1].count == 0u) y[0] = 1;")).match(load)).toHaveLength(2);
    expect(await both("y[0] = x[0].name;")).toContain("y[0]=x[0].name;");
  });
  test("as plain, which is a race, elsewhere", async () => {
    expect(await races(polls("RWStructuredBuffer<uint>", "was = x[0]; DeviceMemoryBarrier();"))).toContain(11);
  });
  test("and written as it was, or as the atomic load of the target", async () => {
    for (const [buffer, read, kept] of [
      [coherent, "was = x[0]; DeviceMemoryBarrier();", "was = x[0];"],
      ["globallycoherent RWByteAddressBuffer", "was = x.Load(0); DeviceMemoryBarrier();", "was = x.Load(0);"],
    ] as const) {
      const text = polls(buffer, read);
      const own = await translate(text, { from: "hlsl", to: "hlsl", strict: true });
      expect(own.code).toContain(kept);
      const msl = await translate(text, { from: "hlsl", to: "msl", profile: "msl3.2" });
      expect(msl.code).toMatch(/was = atomic_load_explicit\(&x\[0\w*\], memory_order_relaxed\);/);
    }
  });
});
