/** What a run counts against its limit: passes of loops, more where a pass does more. */
import { expect, test } from "vitest";
import { simulate } from "../../src/index.js";

const run = async (body: string, lanes: number, maxSteps: number, workgroups = 1): Promise<string[]> => {
  const source = `__kernel void k(__global uint *o, uint n) {\n${body}\n}\n`;
  const { diagnostics, findings } = await simulate(source, {
    from: "opencl",
    workgroups: [workgroups],
    workgroupSize: [lanes],
    args: { o: new Uint32Array(lanes), n: 100 },
    maxSteps,
  });
  expect(diagnostics).toEqual([]);
  return findings.map((f) => f.kind);
};

const alone = "uint a = 0; for (uint i = 0; i < n; i++) a += i; o[get_local_id(0)] = a;";
const together = "for (uint i = 0; i < n; i++) { o[get_local_id(0)] += i; barrier(CLK_GLOBAL_MEM_FENCE); }";
// 40 additions of two operands and more: above 64 expressions, below 256.
const long = `uint a = 0; for (uint i = 0; i < n; i++) { ${"a += i; ".repeat(40)} } o[get_local_id(0)] = a;`;

test("a pass of a short loop in one lane is a step", async () => {
  expect(await run(alone, 2, 200)).toEqual([]);
  expect(await run(alone, 2, 199)).toEqual(["no-forward-progress"]);
});

test("a pass of many lanes at once counts for its lanes", async () => {
  expect(await run(together, 1, 100)).toEqual([]);
  expect(await run(together, 256, 400)).toEqual(["no-forward-progress"]);
});

test("a pass of a long loop is several", async () => {
  expect(await run(long, 1, 400)).toEqual([]);
  expect(await run(long, 1, 199)).toEqual(["no-forward-progress"]);
});

test("a launch of more workgroups than anybody waits for ends, though there is no loop", async () => {
  expect(await run("if (n == 0) o[0] = 1;", 1, 1000, 2 ** 32 - 1)).toEqual(["no-forward-progress"]);
  expect(await run("if (n == 0) o[0] = 1;", 1, 1000, 2000)).toEqual([]);
});
