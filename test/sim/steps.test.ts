/** What a run counts against its limit: passes of loops, more where a pass does more. */
import { describe, expect, test } from "vitest";
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

test.each(["ts", "wasm"] as const)("%s: where a launch was stopped is its last workgroup", async (engine) => {
  const { findings } = await simulate("__kernel void k(__global uint *o, uint n) { if (n == 0) o[0] = 1; }", {
    from: "opencl",
    workgroups: [2 ** 32 - 1],
    workgroupSize: [1],
    args: { o: new Uint32Array(1), n: 100 },
    maxSteps: 1000,
    engine,
  });
  expect(findings.map((f) => f.message)).toEqual([expect.stringMatching(/stopped after 8388608 workgroups/)]);
  expect(findings[0]).toMatchObject({ workgroup: [2 ** 23 - 1, 0, 0] });
});

test.each(["ts", "wasm"] as const)("%s: calls of a short function that does much by others count", async (engine) => {
  // 70 sums of two operands are at most 512 expressions, and count where they are called; four calls are more than 512, at least 8 steps.
  const source = `uint some(uint a) { ${"a += a ^ 3; ".repeat(70)} return a; }
uint much(uint a) { return some(a) + some(a + 1) + some(a + 2) + some(a + 3); }
__kernel void k(__global uint *o) { o[get_global_id(0)] = much(get_global_id(0)); }`;
  const found = async (maxSteps: number): Promise<string[]> => {
    const args = { o: new Uint32Array(2) };
    const options = { from: "opencl", workgroups: [2], workgroupSize: [1], args, engine, maxSteps } as const;
    return (await simulate(source, options)).findings.map((f) => f.kind);
  };
  expect(await found(2 * 8 - 1)).toEqual(["no-forward-progress"]);
  expect(await found(1000)).toEqual([]);
});

describe.each(["ts", "wasm"] as const)("%s: loops of functions and of the kernel have one limit", (engine) => {
  test.each([
    [
      "written out",
      "uint f(uint a, __global uint *o) { for (int i = 0; i < 8; i++) a ^= o[i]; return a; }",
      "a += f(a, o)",
    ],
    ["called", "void f(uint a, __global uint *o) { for (int i = 0; i < 8; i++) o[i] ^= a; }", "f(a, o)"],
  ])("%s", async (_, f, use) => {
    const source = `${f}
__kernel void k(__global uint *o, uint n) { uint a = 1; for (uint i = 0; i < n; i++) ${use}; o[get_local_id(0)] = a; }`;
    const found = async (maxSteps: number): Promise<string[]> => {
      const args = { o: new Uint32Array(8), n: 100 };
      const options = { from: "opencl", workgroups: [1], workgroupSize: [1], args, engine, maxSteps } as const;
      return (await simulate(source, options)).findings.map((x) => x.kind);
    };
    // 100 passes, each with 8 of the function's.
    expect(await found(900)).toEqual([]);
    expect(await found(899)).toEqual(["no-forward-progress"]);
  });
});
