/** Kernels whose lanes wait for each other by atomics: they run to their end where something promises it, and are found where not. */
import { describe, expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { compileForSimulator } from "../../src/api/runners.js";
import { simulate } from "../../src/api/simulate.js";
import { run as runKernel } from "../../src/sim/index.js";

interface Made {
  readonly data: readonly number[];
  /** Kind and line of each finding. */
  readonly found: readonly string[];
  readonly schedule: "in order" | number | undefined;
}

async function run(
  text: string,
  { workgroups = 4, lanes = 8, width = 4, schedules = 0, seed = 1 } = {},
): Promise<Made> {
  const result = await simulate(text, {
    from: "opencl",
    workgroups: [workgroups],
    workgroupSize: [lanes],
    subgroupSize: width,
    seed,
    args: { data: new Int32Array(64), flag: new Int32Array(64) },
    ...(schedules > 0 ? { schedules } : {}),
  });
  expect(result.diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  const lines = text.split("\n");
  return {
    data: [...(result.buffers["data"] as Int32Array)],
    found: result.findings.map((f) => `${f.kind}: ${f.location ? lines[f.location.line - 1]!.trim() : ""}`),
    schedule: result.stats!.schedule,
  };
}

const load = (at: string, order = "acquire"): string =>
  `atomic_load_explicit(&flag[${at}], memory_order_${order}, memory_scope_device)`;
const store = (at: string, value: string, order = "release"): string =>
  `atomic_store_explicit(&flag[${at}], ${value}, memory_order_${order}, memory_scope_device)`;
const kernel = (body: string): string => `__kernel void k(__global int *data, __global atomic_int *flag) {
  int i = get_local_id(0);
  int g = get_group_id(0);
${body}
}`;

/** Decoupled look-back: partitions by ticket, sums by the state of those before. */
const lookBack = (order: string): string => `__kernel void k(__global int *data, __global atomic_int *flag) {
  __local int part;
  __local int before;
  int i = get_local_id(0);
  if (i == 0) part = atomic_fetch_add_explicit(&flag[63], 1, memory_order_relaxed, memory_scope_device);
  barrier(CLK_LOCAL_MEM_FENCE);
  int p = part;
  if (i == 0) {
    data[32 + p] = p + 1;
    ${store("p", "1", order)};
    int sum = 0;
    for (int at = p - 1; at >= 0; at--) {
      int state = 0;
      while (state == 0) state = ${load("at")};
      sum += state == 2 ? data[48 + at] : data[32 + at];
      if (state == 2) break;
    }
    data[48 + p] = sum + p + 1;
    ${store("p", "2", order)};
    before = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 1) data[p] = before;
}`;
const scanned = [0, 1, 3, 6];

describe("to the end", () => {
  test("decoupled look-back, in every schedule", async () => {
    const once = await run(lookBack("release"));
    expect(once.found).toEqual([]);
    expect(once.data.slice(0, 4)).toEqual(scanned);
    const many = await run(lookBack("release"), { schedules: 40 });
    expect(many.found).toEqual([]);
    expect(many.schedule).toBeUndefined();
    expect((await run(lookBack("relaxed"))).found[0]).toMatch(/^data-race: sum/);
  });
  test("a later subgroup waited for", async () => {
    const text = kernel(`  if (i == 0) {
    while (${load("g")} == 0) {}
    data[g] = data[32 + g];
  }
  if (i == 4) {
    data[32 + g] = 7 + g;
    ${store("g", "1")};
  }`);
    const once = await run(text);
    expect(once.found).toEqual([]);
    expect(once.schedule).toBe("in order");
    expect(once.data.slice(0, 4)).toEqual([7, 8, 9, 10]);
    expect((await run(text, { schedules: 10 })).found).toEqual([]);
  });
  test("a lock that one lane of each workgroup takes", async () => {
    const locked = (order: string): string =>
      kernel(`  if (i == 0) {
    while (atomic_exchange_explicit(&flag[0], 1, memory_order_acquire, memory_scope_device)) {}
    data[0] = data[0] + g + 1;
    ${store("0", "0", order)};
  }`);
    const many = await run(locked("release"), { schedules: 30 });
    expect(many.found).toEqual([]);
    expect(many.data[0]).toBe(10);
    expect((await run(locked("relaxed"))).found).toEqual(["data-race: data[0] = data[0] + g + 1;"]);
  });
});

describe("what nothing promises", () => {
  test("nobody ever says so: it ends, with the line that waits", async () => {
    const text = kernel(`  if (i == 0)\n    while (${load("5")} == 0) {}\n  data[i] = 1;`);
    const found = (await run(text)).found;
    expect(found.at(-1)).toBe(`no-forward-progress: while (${load("5")} == 0) {}`);
  });
  test("a loop with a barrier waits in vain", async () => {
    const text = `__kernel void k(__global int *data, __global atomic_int *flag) {
  __local int seen;
  int i = get_local_id(0);
  do {
    if (i == 0)
      seen = ${load("5")};
    barrier(CLK_LOCAL_MEM_FENCE);
    int now = seen;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (now != 0) break;
  } while (true);
  data[i] = 1;
}`;
    const { found } = await run(text);
    expect(found.at(-1)).toBe(`no-forward-progress: seen = ${load("5")};`);
  });
  test("a workgroup that starts later: found, and run on", async () => {
    const wait = `while (${load("0")} != 4) {}`;
    const text = kernel(`  if (i == 0) {
    atomic_fetch_add_explicit(&flag[0], 1, memory_order_acq_rel, memory_scope_device);
    ${wait}
    data[g] = 5;
  }`);
    const made = await run(text);
    expect(made.data.slice(0, 4)).toEqual([5, 5, 5, 5]);
    expect(made.found).toEqual([`no-forward-progress: ${wait}`]);
  });
  test("a lock of all lanes: a subgroup's lanes wait for one of their own, in some schedule", async () => {
    const take = "while (atomic_exchange_explicit(&flag[0], 1, memory_order_acquire, memory_scope_device)) {}";
    const text = kernel(`  ${take}\n  data[0] = data[0] + 1;\n  ${store("0", "0")};`);
    const many = await run(text, { schedules: 20, workgroups: 2 });
    expect(many.found).toContain(`no-forward-progress: ${take}`);
    expect(many.data[0]).toBe(16);
    // The same again.
    const again = await run(text, { schedules: 1, seed: many.schedule as number, workgroups: 2 });
    expect(again).toEqual(many);
  });
});

describe("classic shapes of atomics: what sequential consistency forbids is in no schedule", () => {
  const w = (at: number, value: number): string => `${store(String(at), String(value), "seq_cst")};`;
  const r = (at: number, to: number): string => `data[${to}] = ${load(String(at), "seq_cst")};`;
  const [x, y, z] = [0, 1, 2] as const;
  type Seen = { readonly r: readonly number[]; readonly x: number; readonly y: number };
  const shapes: Readonly<
    Record<
      string,
      { readonly threads: readonly string[]; readonly forbids: (s: Seen) => boolean; readonly reads: number }
    >
  > = {
    "SB: store buffering": {
      threads: [w(x, 1) + r(y, 0), w(y, 1) + r(x, 1)],
      forbids: (s) => s.r[0] === 0 && s.r[1] === 0,
      reads: 2,
    },
    "LB: load buffering": {
      threads: [r(x, 0) + w(y, 1), r(y, 1) + w(x, 1)],
      forbids: (s) => s.r[0] === 1 && s.r[1] === 1,
      reads: 2,
    },
    "MP: message passing": {
      threads: [w(x, 1) + w(y, 1), r(y, 0) + r(x, 1)],
      forbids: (s) => s.r[0] === 1 && s.r[1] === 0,
      reads: 2,
    },
    "CoRR: one object is read in order": {
      threads: [w(x, 1), r(x, 0) + r(x, 1)],
      forbids: (s) => s.r[0] === 1 && s.r[1] === 0,
      reads: 2,
    },
    "CoWW: one object is written in order": {
      threads: [w(x, 1) + w(x, 2), r(x, 0)],
      forbids: (s) => s.x !== 2,
      reads: 1,
    },
    "CoWR: a thread reads what it wrote, or later": {
      threads: [w(x, 1) + r(x, 0), w(x, 2)],
      forbids: (s) => s.r[0] === 0 || (s.r[0] === 2 && s.x === 1),
      reads: 1,
    },
    "CoRW: a thread does not read what comes after": {
      threads: [r(x, 0) + w(x, 1), w(x, 2)],
      forbids: (s) => s.r[0] === 1 || (s.r[0] === 2 && s.x === 2),
      reads: 1,
    },
    "IRIW: two readers see two writes in one order": {
      threads: [w(x, 1), w(y, 1), r(x, 0) + r(y, 1), r(y, 2) + r(x, 3)],
      forbids: (s) => s.r.join() === "1,0,1,0",
      reads: 4,
    },
    "WRC: write to read causality": {
      threads: [w(x, 1), r(x, 0) + w(y, 1), r(y, 1) + r(x, 2)],
      forbids: (s) => s.r.join() === "1,1,0",
      reads: 3,
    },
    "RWC: read to write causality": {
      threads: [w(x, 1), r(x, 0) + r(y, 1), w(y, 1) + r(x, 2)],
      forbids: (s) => s.r.join() === "1,0,0",
      reads: 3,
    },
    ISA2: {
      threads: [w(x, 1) + w(y, 1), r(y, 0) + w(z, 1), r(z, 1) + r(x, 2)],
      forbids: (s) => s.r.join() === "1,1,0",
      reads: 3,
    },
    "2+2W": {
      threads: [w(x, 1) + w(y, 2), w(y, 1) + w(x, 2)],
      forbids: (s) => s.x === 1 && s.y === 1,
      reads: 0,
    },
    S: {
      threads: [w(x, 2) + w(y, 1), r(y, 0) + w(x, 1)],
      forbids: (s) => s.r[0] === 1 && s.x === 2,
      reads: 1,
    },
    R: {
      threads: [w(x, 1) + w(y, 1), w(y, 2) + r(x, 0)],
      forbids: (s) => s.y === 2 && s.r[0] === 0,
      reads: 1,
    },
    "3.SB": {
      threads: [w(x, 1) + r(y, 0), w(y, 1) + r(z, 1), w(z, 1) + r(x, 2)],
      forbids: (s) => s.r.join() === "0,0,0",
      reads: 3,
    },
    "3.LB": {
      threads: [r(x, 0) + w(y, 1), r(y, 1) + w(z, 1), r(z, 2) + w(x, 1)],
      forbids: (s) => s.r.join() === "1,1,1",
      reads: 3,
    },
    "Z6: two writes and a read around three objects": {
      threads: [w(x, 1) + w(y, 1), w(y, 2) + w(z, 1), r(z, 0) + r(x, 1)],
      forbids: (s) => s.y === 2 && s.r[0] === 1 && s.r[1] === 0,
      reads: 2,
    },
    "two additions do not see the same": {
      threads: [0, 1].map(
        (n) => `data[${n}] = atomic_fetch_add_explicit(&flag[0], 1, memory_order_relaxed, memory_scope_device);`,
      ),
      forbids: (s) => s.r[0] === s.r[1] || s.x !== 2,
      reads: 2,
    },
    "one compare-exchange of two comes through": {
      threads: [0, 1].map(
        (n) =>
          `int e = 0; data[${n}] = atomic_compare_exchange_strong_explicit(&flag[0], &e, ${n + 5}, memory_order_relaxed, memory_order_relaxed, memory_scope_device);`,
      ),
      forbids: (s) => s.r[0]! + s.r[1]! !== 1 || s.x !== (s.r[0] === 1 ? 5 : 6),
      reads: 2,
    },
  };
  test.each(Object.entries(shapes))("%s", async (_, { threads, forbids, reads }) => {
    const text = kernel(threads.map((t, n) => `  if (g == ${n}) { ${t} }`).join("\n"));
    const compilation = await compile(text, { from: "opencl" });
    const made = compileForSimulator(compilation, compilation.module!.entries[0]!, "all");
    if ("diagnostics" in made) throw new Error("does not compile");
    const seen = new Set<string>();
    for (let seed = 1; seed <= 200; seed++) {
      const { buffers, findings, stats } = runKernel(made.kernel, {
        args: new Map(["data", "flag"].map((path) => [path, new Uint8Array(256)])),
        workgroups: [threads.length],
        workgroupSize: [1],
        subgroupSize: 1,
        seed,
        schedules: 1,
        maxSteps: 1e6,
        // Keeps what the schedule leaves.
        fails: () => true,
      });
      expect(stats.schedule).toBe(seed);
      expect(findings.map((f) => f.message)).toEqual([]);
      const words = (path: string): number[] => [...new Int32Array(buffers.get(path)!.slice().buffer)];
      const [fx, fy] = words("flag");
      const s = { r: words("data").slice(0, reads), x: fx!, y: fy! };
      expect(forbids(s), JSON.stringify(s)).toBe(false);
      seen.add(JSON.stringify(s));
    }
    // Schedules differ.
    expect(seen.size).toBeGreaterThan(1);
  });
});
