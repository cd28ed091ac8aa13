/** Runs of one verification beside each other: what comes out is what comes out of one after the other. */
import { describe, expect, test, vi } from "vitest";
import { verify } from "../../src/index.js";
import { compile } from "../../src/api/compile.js";
import { compileForSimulator } from "../../src/api/runners.js";
import { RunsAhead } from "../../src/api/runs-ahead.js";
import type { BoundLaunch } from "../../src/launch/bind.js";
import { run, type RunOptions } from "../../src/sim/index.js";

/** An order of workgroups shows in `next`, and a launch takes longer than runs that are left to one thread. */
const source = `__kernel void k(__global uint *o, __global uint *next, uint times) {
  uint h = get_global_id(0);
  for (uint t = 0; t < times; t++) h = (h * 1664525u + 1013904223u) ^ (h >> 3);
  o[get_global_id(0)] = h;
  atomic_add(next, h & 15u);
}`;
const launch = (more: object = {}): object => ({
  workgroups: [64],
  workgroupSize: [64],
  subgroupSizes: [4, 16, 32],
  args: {
    o: { type: "u32", count: 4096, init: { fill: 0 }, output: true },
    next: { type: "u32", count: 1, init: { fill: 0 }, output: true },
    times: { type: "u32", value: 8000 },
  },
  ...more,
});

describe("a verification in several threads", () => {
  test("says what it says in one", async () => {
    const of = (threads: number) =>
      verify(source, { from: "opencl", to: "msl", fileName: "k.cl", launches: [launch()], seeds: 3, threads });
    const planned = vi.spyOn(RunsAhead.prototype, "plan");
    const one = await of(1);
    // Two of the source for each width but what was run first and to see whether widths differ, and three of the translation.
    expect(planned.mock.calls.length).toBeGreaterThanOrEqual(15);
    planned.mockRestore();
    const [two, three] = [await of(2), await of(3)];
    expect(one.result).toBe("equivalent");
    expect(one.runs).toHaveLength(9);
    expect(two).toEqual(one);
    expect(three).toEqual(one);
  });

  test("and of a launch with a finding, too", async () => {
    const short = launch({
      args: {
        ...(launch() as { args: object }).args,
        o: { type: "u32", count: 4000, init: { fill: 0 }, output: true },
      },
    });
    const of = (threads: number) =>
      verify(source, { from: "opencl", to: "glsl", fileName: "k.cl", launches: [short, launch()], threads });
    const [one, two] = [await of(1), await of(2)];
    expect(one.result).toBe("inconclusive");
    expect(one.diagnostics.map((d) => d.code)).toContain("XL6011");
    expect(two).toEqual(one);
  });
});

describe("planned runs", () => {
  const kernelOf = async (text: string) => {
    const compilation = await compile(text, { from: "opencl", fileName: "k.cl" });
    const made = compileForSimulator(compilation, compilation.module!.entries[0]!, ["out-of-bounds"]);
    if ("diagnostics" in made) throw new Error(JSON.stringify(made.diagnostics));
    return made.kernel;
  };
  const options = (times: number, seed: number): RunOptions => ({
    workgroups: [8],
    workgroupSize: [64],
    args: new Map<string, Uint8Array | number>([
      ["o", new Uint8Array(4 * 512)],
      ["next", new Uint8Array(4)],
      ["times", times],
    ]),
    seed,
    threads: 2,
  });
  // Only what it is matters.
  const aLaunch = { label: "a launch" } as BoundLaunch;

  test("are asked for in any order, each once", async () => {
    const kernel = await kernelOf(source);
    const ahead = new RunsAhead(2);
    const key = (i: number) => ({ kernel, launch: aLaunch, how: String(i) });
    for (let i = 0; i < 8; i++) ahead.plan(key(i), options(100 + i, 1));
    // Said again, they are the same runs.
    for (let i = 0; i < 8; i++) ahead.plan(key(i), options(100 + i, 1));
    for (const i of [3, 0, 7, 1, 2, 6, 5, 4]) {
      const { buffers } = await ahead.resultOf(key(i))!;
      expect(buffers).toEqual(run(kernel, options(100 + i, 1)).buffers);
      expect(ahead.resultOf(key(i))).toBeUndefined();
    }
  });

  test("have the errors of runs, and those that are dropped are not there", async () => {
    const kernel = await kernelOf(source);
    const ahead = new RunsAhead(2);
    const key = (i: number) => ({ kernel, launch: aLaunch, how: String(i) });
    ahead.plan(key(0), { ...options(5, 1), args: new Map() });
    ahead.plan(key(1), options(5, 1));
    await expect(ahead.resultOf(key(0))).rejects.toThrow("the buffer o is missing");
    ahead.end();
    expect(ahead.resultOf(key(1))).toBeUndefined();
  });
});
