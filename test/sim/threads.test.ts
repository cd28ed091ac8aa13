/** Launches in several threads: the same bytes, findings and steps as in one, and only where no order of workgroups shows. */
import { describe, expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { compileForSimulator } from "../../src/api/runners.js";
import { begin, run, type CompiledKernel, type RunResult } from "../../src/sim/index.js";
import type { Machine } from "../../src/sim/machine.js";
import { groupsAreSeparate, writtenAccesses } from "../../src/sim/separate-groups.js";

async function kernelOf(source: string): Promise<CompiledKernel> {
  const compilation = await compile(source, { from: "opencl", fileName: "k.cl" });
  const made = compileForSimulator(
    compilation,
    compilation.module!.entries[0]!,
    ["out-of-bounds", "no-forward-progress"],
    {
      coverage: false,
    },
  );
  if ("diagnostics" in made) throw new Error(JSON.stringify(made.diagnostics));
  return made.kernel;
}

const lanes = 64;
const groups = 1024;

/** Threads that the process waits for. */
const ports = (): number => process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length;
const portsAtFirst = ports();

/** `threads` may take part from the start; again until some have. */
function inThreads(
  kernel: CompiledKernel,
  threads: number,
  args: Record<string, number>,
  maxSteps?: number,
): RunResult {
  const options = {
    workgroups: [groups],
    workgroupSize: [lanes],
    args: new Map<string, Uint8Array | number>([["o", new Uint8Array(4 * lanes * groups)], ...Object.entries(args)]),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    threads,
    threadsFrom: 0,
  };
  for (let tries = 0; ; tries++) {
    const result = run(kernel, options);
    if (threads === 1 || result.stats.engine.threads !== undefined || result.findings.length > 0 || tries === 20)
      return result;
  }
}

/** Collatz steps of each number, many times over: enough for threads to come. */
const steps = `__kernel void k(__global uint *o, uint times, uint shift) {
  __local uint sums[64];
  uint i = get_global_id(0), l = get_local_id(0), sum = 0;
  for (uint t = 0; t < times; t++)
    for (uint x = i + 1, n = 0; x != 1 && n < 500; n++, sum++) x = (x & 1) ? 3 * x + 1 : x >> 1;
  sums[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[i + shift] = sums[l ^ 1];
}`;

const collatz = (i: number): number => {
  let n = 0;
  for (let x = i + 1; x !== 1 && n < 500; n++) x = x % 2 ? 3 * x + 1 : x / 2;
  return n;
};

describe("in several threads", () => {
  test("the same bytes and steps", async () => {
    const kernel = await kernelOf(steps);
    const args = { times: 12, shift: 0 };
    const [one, two, three] = [1, 2, 3].map((n) => inThreads(kernel, n, args, 2 ** 30));
    expect(one!.stats.engine.threads).toBeUndefined();
    expect(two!.stats.engine.threads).toBe(2);
    expect(three!.stats.engine.threads).toBeGreaterThan(1);
    const found = new Uint32Array(two!.buffers.get("o")!.buffer);
    expect([0, 1, 6, 26, 65535].map((i) => found[i])).toEqual([1, 0, 7, 27, 65534].map((i) => 12 * collatz(i)));
    for (const other of [two!, three!]) {
      expect(Buffer.compare(other.buffers.get("o")!, one!.buffers.get("o")!)).toBe(0);
      expect(other.stats.steps).toBe(one!.stats.steps);
      expect(other.findings).toEqual([]);
    }
  });

  test("findings have the lane and the workgroup they have in one", async () => {
    const kernel = await kernelOf(steps);
    const args = { times: 3, shift: 536 };
    const [one, two] = [1, 2].map((n) => inThreads(kernel, n, args));
    expect(one!.findings).toHaveLength(1);
    expect(one!.findings[0]).toMatchObject({ workgroup: [1015, 0, 0], lane: [40, 0, 0], count: 536 });
    expect(two!.findings).toEqual(one!.findings);
    expect(two!.buffers).toEqual(one!.buffers);
  });

  test("a run is stopped after the steps of all of them", async () => {
    const kernel = await kernelOf(steps);
    const args = { times: 12, shift: 0 };
    const whole = inThreads(kernel, 1, args, 2 ** 30).stats.steps;
    const [one, two] = [1, 2].map((n) => inThreads(kernel, n, args, Math.floor(0.9 * whole)));
    expect(one!.stats.complete).toBe(false);
    expect(two!.findings).toEqual(one!.findings);
    expect(two!.stats.steps).toBe(one!.stats.steps);
  });
});

/** Lanes take places in the order in which they come, so that workgroups cannot be shared among threads. */
const places = `__kernel void k(__global uint *o, __global uint *next, uint times, uint shift) {
  uint sum = 0;
  for (uint t = 0; t < times; t++)
    for (uint x = get_global_id(0) + 1, n = 0; x != 1 && n < 500; n++, sum++) x = (x & 1) ? 3 * x + 1 : x >> 1;
  o[atomic_inc(next) + shift] = sum;
}`;

describe("in another thread", () => {
  const optionsOf = (shift: number, threads: number, maxSteps?: number) => ({
    workgroups: [64],
    workgroupSize: [lanes],
    args: new Map<string, Uint8Array | number>([
      ["o", new Uint8Array(4 * lanes * 64)],
      ["next", new Uint8Array(4)],
      ["times", 40],
      ["shift", shift],
    ]),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    threads,
  });
  const away = async (kernel: CompiledKernel, options: ReturnType<typeof optionsOf>): Promise<RunResult> => {
    const begun = begin(kernel, options);
    expect(begun.away).toBeDefined();
    await begun.away!.ended;
    expect(begun.away!.isOver()).toBe(true);
    return begun.result();
  };
  const same = (a: RunResult, b: RunResult): void => {
    expect(a.buffers).toEqual(b.buffers);
    expect(a.findings).toEqual(b.findings);
    expect(a.stats.steps).toBe(b.stats.steps);
    expect(a.stats.complete).toBe(b.stats.complete);
    expect(a.covered).toEqual(b.covered);
  };

  test("a launch whose workgroups have an order is as it is here", async () => {
    const kernel = await kernelOf(places);
    const there = await away(kernel, optionsOf(0, 2, 2 ** 30));
    same(there, run(kernel, optionsOf(0, 1, 2 ** 30)));
    const found = new Uint32Array(there.buffers.get("o")!.buffer);
    expect([0, 1, 26, 4095].map((i) => found[i])).toEqual([0, 1, 26, 4095].map((i) => 40 * collatz(i)));
  });

  test("findings and the end of steps are those of a run here", async () => {
    const kernel = await kernelOf(places);
    const beyond = await away(kernel, optionsOf(6, 2, 2 ** 30));
    expect(beyond.findings).toHaveLength(1);
    expect(beyond.findings[0]).toMatchObject({ kind: "out-of-bounds", count: 6 });
    same(beyond, run(kernel, optionsOf(6, 1, 2 ** 30)));
    const stopped = await away(kernel, optionsOf(0, 2, 1000));
    expect(stopped.stats.complete).toBe(false);
    same(stopped, run(kernel, optionsOf(0, 1, 1000)));
  });

  test("as many as there are threads, and this one does the others", async () => {
    const kernel = await kernelOf(places);
    inThreads(await kernelOf(steps), 3, { times: 12, shift: 0 });
    expect(ports()).toBe(portsAtFirst);
    const begun = [0, 1, 2].map(() => begin(kernel, optionsOf(0, 3)));
    expect(ports()).toBe(portsAtFirst + 2);
    expect(begun.map((b) => b.away !== undefined)).toEqual([true, true, false]);
    const here = run(kernel, optionsOf(0, 1));
    for (const b of begun) {
      await b.away?.ended;
      same(b.result(), here);
    }
    // Nor do threads keep a process that has nothing to wait for.
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(ports()).toBe(portsAtFirst);
    // One that nobody wants any more ends early.
    const dropped = begin(kernel, optionsOf(0, 2));
    dropped.away!.giveUp();
    expect(ports()).toBe(portsAtFirst);
    await dropped.away!.ended;
    same(dropped.result(), here);
  });
});

describe("workgroups that touch nothing in common", () => {
  /** Of 8 x 4 workgroups of 16 x 4 lanes, `n` 128 (lanes of a row). */
  const separate = async (body: string): Promise<boolean> => {
    const kernel = await kernelOf(
      `__kernel void k(__global uint *o, __global const uint *a, uint n) {
        uint x = get_global_id(0), y = get_global_id(1), l = get_local_id(0), g = get_group_id(0), h = get_group_id(1);
        ${body}
      }`,
    );
    const { program } = kernel;
    const grid = { workgroups: [8, 4, 1], threads: [128, 16, 1], offset: [0, 0, 0] };
    const values = program.values.map(() => [128]);
    const machine = { size: [16, 4, 1], grid, values } as unknown as Machine;
    return groupsAreSeparate(program, writtenAccesses(program), machine);
  };

  test.each([
    ["an element a lane", "o[y * n + x] = a[x];", true],
    ["by columns", "o[x * 16 + y] = a[y * n + x];", true],
    ["in place", "o[y * n + x] += a[x];", true],
    ["several elements a lane", "uint i = 4 * (y * n + x); o[i] = 1; o[i + 1] = 2; o[i + 3] = a[x];", true],
    ["an element a workgroup", "if (l == 0 && get_local_id(1) == 0) o[h * 8 + g] = a[x];", true],
    ["rows that overlap", "o[y * (n - 1) + x] = 1;", false],
    ["a line for all rows", "o[x] = 1;", false],
    ["an element of the neighbour is read", "o[y * n + x] = o[y * n + x + 1];", false],
    ["where memory says", "o[a[y * n + x]] = 1;", false],
    ["an element for all", "o[0] = x;", false],
    ["lanes that change one element in turns", "atomic_add((volatile __global uint *)&o[y * n + x], 1u);", false],
    ["rows so long that their numbers wrap", "o[(y * n + x) * 0x10000000u] = 1;", false],
  ])("%s", async (_, body, expected) => {
    expect(await separate(body)).toBe(expected);
  });
});
