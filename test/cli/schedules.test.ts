/** `run --schedules`: the first that fails is kept, and said, so that it can be had again. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { crosslane, workspace } from "./command-line.js";

/** Two workgroups read and write a sum in two steps: it is 2 where one comes after the other. */
const lost = `__kernel void k(__global atomic_int *x) {
  int before = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);
  atomic_store_explicit(x, before + 1, memory_order_relaxed, memory_scope_device);
}
`;

test("an outcome that the launch file does not expect is found, and is there again with its seed", async () => {
  const folder = workspace();
  writeFileSync(join(folder, "k.cl"), lost);
  const args = { x: { type: "i32", count: 1, init: { fill: 0 }, output: true, expect: { values: [2] } } };
  writeFileSync(join(folder, "launch.json"), JSON.stringify({ workgroups: [2], workgroupSize: [1], args }));
  expect((await crosslane(folder, ["run", "k.cl"])).code).toBe(0);
  const { code, out } = await crosslane(folder, ["run", "k.cl", "--schedules", "50"]);
  expect(code).toBe(3);
  const seed = /--seed (\d+) --schedules 1 is the same again/.exec(out)![1]!;
  const again = await crosslane(folder, ["run", "k.cl", "--seed", seed, "--schedules", "1"]);
  expect(again.code).toBe(3);
  expect(again.out).toContain(`--seed ${seed} --schedules 1`);
});
