/**
 * Orders of the source hold in its translations: kernels that are right because of release and acquire, and have a race without,
 * are translated, and the text is run as a kernel of its own language, where what it lost would be a race.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TargetDialect } from "../../src/index.js";

const on = (order: string, scope = "device"): string => `memory_order_${order}, memory_scope_${scope}`;
const kernel = (...threads: readonly string[]): string => `__kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void k(__global int *data, __global atomic_int *flag) {
  if (get_local_id(0) != 0) return;
${threads.map((t, i) => `  if (get_group_id(0) == ${i}) {\n    ${t}\n  }`).join("\n")}
}`;
const give = (order: string): string => `data[0] = 7; atomic_store_explicit(&flag[0], 1, ${on(order)});`;
const take = (order: string, at = 0): string =>
  `if (atomic_load_explicit(&flag[${at}], ${on(order)})) data[32] = data[0];`;
const fence = (order: string): string => `atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, ${on(order)});`;

const shapes: Readonly<Record<string, string>> = {
  "release and acquire": kernel(give("release"), take("acquire")),
  "fences around relaxed accesses": kernel(
    `data[0] = 7; ${fence("release")} atomic_store_explicit(&flag[0], 1, ${on("relaxed")});`,
    `int f = atomic_load_explicit(&flag[0], ${on("relaxed")}); ${fence("acquire")} if (f) data[32] = data[0];`,
  ),
  "read-modify-writes": kernel(
    `data[0] = 7; atomic_fetch_add_explicit(&flag[0], 1, ${on("release")});`,
    `if (atomic_fetch_or_explicit(&flag[0], 4, ${on("acq_rel")})) data[32] = data[0];`,
  ),
  "an exchange": kernel(
    `data[0] = 7; atomic_exchange_explicit(&flag[0], 1, ${on("release")});`,
    `if (atomic_exchange_explicit(&flag[0], 2, ${on("acquire")})) data[32] = data[0];`,
  ),
  "a compare-exchange that fails": kernel(
    give("release"),
    `int e = 5; atomic_compare_exchange_strong_explicit(&flag[0], &e, 9, memory_order_acq_rel, ${on("acquire")}); if (e == 1) data[32] = data[0];`,
  ),
  "a compare-exchange that stores": kernel(
    give("release"),
    `int e = 1; if (atomic_compare_exchange_strong_explicit(&flag[0], &e, 9, memory_order_acquire, ${on("relaxed")})) data[32] = data[0];`,
  ),
  "write to read causality": kernel(
    give("release"),
    `if (atomic_load_explicit(&flag[0], ${on("acquire")})) atomic_store_explicit(&flag[1], 1, ${on("release")});`,
    take("acquire", 1),
  ),
  "a release sequence": kernel(
    give("release"),
    `atomic_fetch_add_explicit(&flag[0], 1, ${on("relaxed")});`,
    `if (atomic_load_explicit(&flag[0], ${on("acquire")}) == 2) data[32] = data[0];`,
  ),
};
const relaxed = kernel(give("relaxed"), take("relaxed"));

const targets: readonly (readonly [TargetDialect & ("msl" | "glsl" | "hlsl" | "opencl"), string])[] = [
  ["msl", "msl3.2"],
  ["glsl", "vulkan1.3"],
  ["hlsl", "sm6.6"],
  ["opencl", "opencl3.0"],
];

async function findings(text: string, from: "msl" | "glsl" | "hlsl" | "opencl", workgroups: number): Promise<string[]> {
  const result = await simulate(text, {
    from,
    workgroups: [workgroups],
    subgroupSize: 8,
    args: { data: new Int32Array(64), flag: new Int32Array(8) },
    schedules: 6,
    ...(from === "msl" ? { workgroupSize: [8] } : {}),
  });
  expect(result.diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  return result.findings.map((f) => f.kind);
}

describe.each(targets)("%s", (to, profile) => {
  test.each(Object.entries(shapes))("%s", async (_, text) => {
    const { code, diagnostics } = await translate(text, { from: "opencl", to, profile });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
    expect(await findings(code!, to, text.split("get_group_id").length - 1)).toEqual([]);
  });
  test("what has no order has a race there as well", async () => {
    const { code } = await translate(relaxed, { from: "opencl", to, profile });
    expect(await findings(code!, to, 2)).toContain("data-race");
  });
});
