/** Kernels of MSL that take threadgroup memory by reference, as naga writes them: results by hand, through every dialect and its compiler. */
import { expect, test } from "vitest";
import { reflect, simulate, translate, verify, type Target } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const text = `#include <metal_stdlib>
struct Row { uint inner[8]; };
struct Shared { Row row; metal::atomic_uint sum; };
void put(uint i, threadgroup Row& row, device Row const& x) { row.inner[i] = x.inner[i] * 10u; }
kernel void k(uint i [[thread_index_in_threadgroup]], threadgroup Shared& shared_, threadgroup uint& last,
    device Row const& x [[buffer(0)]], device Row& o [[buffer(1)]]) {
  if (i == 0u) { shared_.row = {}; metal::atomic_store_explicit(&shared_.sum, 0u, metal::memory_order_relaxed); }
  metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
  put(i, shared_.row, x);
  metal::atomic_fetch_add_explicit(&shared_.sum, i, metal::memory_order_relaxed);
  if (i == 7u) last = x.inner[i];
  metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
  Row own = shared_.row;
  o.inner[i] = own.inner[7u - i] + 1000u * last + 100000u * metal::atomic_load_explicit(&shared_.sum, metal::memory_order_relaxed);
}
`;
const x = Uint32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
const wanted = [...x].map((_, i) => 10 * (8 - i) + 1000 * 8 + 100000 * 28);
const workgroupSize = [8] as const;
const targets = ["msl", "glsl", "opencl", "hlsl"] as const satisfies readonly Target[];

test("is the first element of memory that the launch sizes", async () => {
  const args = { x, o: new Uint32Array(8), shared_: { byteLength: 36 }, last: { byteLength: 4 } };
  const run = await simulate(text, { from: "msl", workgroups: [1], workgroupSize, args });
  expect(run.diagnostics).toEqual([]);
  expect(run.findings).toEqual([]);
  expect([...(run.buffers.o as Uint32Array)]).toEqual(wanted);
  const { entries } = await reflect(text, { from: "msl" });
  expect(entries[0]!.arguments.filter((a) => a.kind === "workgroup").map((a) => [a.path, a.slots.msl])).toMatchObject([
    ["shared_", { slot: 0 }],
    ["last", { slot: 1 }],
  ]);
});

test.each([...targets, "ts" as const])("computes the same in %s", async (to) => {
  const args = {
    x: { type: "u32", init: { values: [...x] } },
    o: { type: "u32", count: 8, init: { fill: 0 }, output: true, expect: { values: wanted } },
    shared_: { bytes: 36 },
    last: { bytes: 4 },
  };
  const launches = [{ workgroups: [1], workgroupSize: [8], args }];
  const { result, diagnostics } = await verify(text, { from: "msl", to, workgroupSize, launches });
  expect(result, JSON.stringify(diagnostics)).toBe("equivalent");
});

for (const to of targets)
  judgeTest(judges[to], `${to} takes it`, async () => {
    const { code } = await translate(text, { from: "msl", to, workgroupSize });
    expect(refusals(await judgeOutputs([judgeable(to, "references", code!)]))).toBe("");
  });

test("a number of a buffer is none of threadgroup memory", async () => {
  const wrong = text.replace("threadgroup uint& last", "threadgroup uint& last [[buffer(3)]]");
  const { diagnostics } = await translate(wrong, { from: "msl", to: "msl" });
  expect(diagnostics.map((d) => [d.code, d.message])).toEqual([
    [
      "XL2010",
      "[[threadgroup(n)]] goes with threadgroup pointers and references, [[buffer(n)]] with device and constant ones",
    ],
  ]);
});
