/**
 * Work grows with the text. It is counted, not timed: V8's own counts of how often each function and block of crosslane was entered, at
 * two sizes of each shape. What is native (copies of arrays, searches) is counted by test/scaling-natives.test.ts; `node bench/scaling.mjs` shows time.
 */
import { Session } from "node:inspector/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile } from "../src/api/compile.js";
import { simulate } from "../src/api/simulate.js";
import { printedDeep, scalingParts } from "./support/scaling-parts.js";
import { scalingShapes, type ScalingShape } from "./support/scaling-shapes.js";

const session = new Session();

beforeAll(async () => {
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
});
afterAll(() => session.disconnect());

interface Work {
  readonly total: number;
  readonly byFunction: ReadonlyMap<string, number>;
}

/** What was done since the last time, which is the most of it: a count of all that is loaded takes longer than most parts. */
async function taken(): Promise<Work> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const byFunction = new Map<string, number>();
  let total = 0;
  for (const script of result) {
    const path = /\/((?:src|emitters)\/.*)$/.exec(script.url)?.[1];
    if (path === undefined || script.url.includes("node_modules")) continue;
    for (const f of script.functions) {
      const count = f.ranges.reduce((n, r) => n + r.count, 0);
      total += count;
      const name = `${f.functionName} in ${path} at ${String(f.ranges[0]!.startOffset)}`;
      byFunction.set(name, (byFunction.get(name) ?? 0) + count);
    }
  }
  return { total, byFunction };
}

/** A square begins small: one function counts where it is entered this often. */
const noticeable = 20_000;

async function everything(shape: ScalingShape, n: number): Promise<ReadonlyMap<string, Work>> {
  const parts = new Map<string, Work>();
  await session.post("Profiler.takePreciseCoverage");
  await scalingParts(shape, n, async (name, run) => {
    const result = await run();
    parts.set(name, await taken());
    return result;
  });
  return parts;
}

describe("twice the text is about twice the work", () => {
  test.each(scalingShapes.map((s) => [`${s.name} (${s.from})`, s] as const))("%s", async (_, shape) => {
    // What is loaded at first use is no work of the text.
    await scalingParts(shape, 2, (_, run) => Promise.resolve(run()));
    const before = await everything(shape, 2 * shape.small);
    const after = await everything(shape, 4 * shape.small);
    const most = shape.nested ? 4.5 : 2.6;
    for (const [part, twice] of after) {
      const once = before.get(part);
      // What is refused sooner is no measure of it.
      if (!once) continue;
      const worst = [...twice.byFunction]
        .filter(([, n]) => n > 0)
        .map(([name, n]) => ({ name, n, growth: n / Math.max(once.byFunction.get(name) ?? 1, 1) }))
        .sort((a, b) => b.n * b.growth - a.n * a.growth);
      expect(
        twice.total / once.total,
        `${part}\n${worst
          .slice(0, 5)
          .map((w) => `${w.name}: ${String(w.n)}, ${w.growth.toFixed(1)} times as often`)
          .join("\n")}`,
      ).toBeLessThan(most);
      // A square in one function hides in the sum as long as texts are short.
      // Every call looks at every function of its name: n calls of n functions.
      if (!shape.nested && shape.name !== "overloads" && !printedDeep(shape, part))
        expect(
          worst
            .filter((w) => once.byFunction.has(w.name) && w.n > noticeable && w.growth > 3.5)
            .map((w) => `${w.name}: ${String(w.n)}, ${w.growth.toFixed(1)} times as often`),
          part,
        ).toEqual([]);
    }
  });
});

describe("calls count as steps", () => {
  const doubling = (depth: number, before: string, body: (i: number) => string, use: string): string =>
    `${before}\n${Array.from({ length: depth }, (_, i) => body(i)).join("\n")}\n__kernel void k(__global uint *x) { ${use} }\n`;
  const run = (text: string) =>
    simulate(text, {
      from: "opencl",
      workgroups: [1],
      workgroupSize: [1],
      args: { x: new Uint32Array(4) },
      maxSteps: 100_000,
    });

  test("40 functions that each call the one before twice end within the limit", async () => {
    const result = await run(
      doubling(
        40,
        "uint f0(uint a) { return a + 1; }",
        (i) => `uint f${i + 1}(uint a) { return f${i}(a) + f${i}(a); }`,
        "x[0] = f40(1);",
      ),
    );
    expect(result.findings.map((f) => f.kind)).toEqual(["no-forward-progress"]);
    expect(result.stats!.complete).toBe(false);
  });

  test("those that are never called count nothing", async () => {
    const result = await run(
      doubling(
        40,
        "uint f0(uint a) { return a + 1; }",
        (i) => `uint f${i + 1}(uint a) { return f${i}(a) + f${i}(a); }`,
        "x[0] = 5; if (x[0] == 6) x[0] = f40(1); x[0] += f3(1);",
      ),
    );
    expect(result.findings).toEqual([]);
    // 8 times 1 + 1, by hand.
    expect([...(result.buffers!["x"] as Uint32Array)].slice(0, 1)).toEqual([21]);
  });

  test("functions that hold barriers are refused at the call where they grow too large", async () => {
    const result = await run(
      doubling(
        40,
        "void f0(__global uint *a) { barrier(CLK_GLOBAL_MEM_FENCE); *a += 1; }",
        (i) => `void f${i + 1}(__global uint *a) { f${i}(a); f${i}(a); }`,
        "f40(x);",
      ),
    );
    expect(result.diagnostics.map((d) => [d.code, d.location?.line])).toEqual([["XL5001", 42]]);
  });
});

describe("limits are named, with their place", () => {
  test.each<[string, string, string, number]>([
    [
      "calls nested too deeply",
      `uint f0(uint a) { return a; }\n${Array.from({ length: 600 }, (_, i) => `uint f${i + 1}(uint a) { return f${i}(a); }`).join("\n")}\n__kernel void k(__global uint *x) { x[0] = f600(1); }\n`,
      "XL1006",
      514,
    ],
    [
      "structs that double",
      `struct S0 { uint a; };\n${Array.from({ length: 40 }, (_, i) => `struct S${i + 1} { struct S${i} a, b; };`).join("\n")}\n__kernel void k(__global uint *x) { struct S40 s; x[0] = 1; }\n`,
      "XL2020",
      18,
    ],
    [
      "an expression of 100,000 signs",
      `__kernel void k(__global uint *x) {\nx[0] = ${"+".repeat(100_000)}1;\n}\n`,
      "XL1006",
      1,
    ],
    [
      "a list of 70,000 elements, which give the array its length",
      `__constant uint t[] = {\n${"1,".repeat(70_000)}};\n__kernel void k(__global uint *x) { x[0] = t[1]; }\n`,
      "XL1900",
      1,
    ],
    [
      "conditionals nested too deeply",
      `${"#if 1\n".repeat(50_000)}__kernel void k(__global uint *x) { x[0] = 1; }\n${"#endif\n".repeat(50_000)}`,
      "XL0011",
      257,
    ],
    ["5 MB of blank lines", `__kernel void k(__global uint *x) {${"\n".repeat(5_000_000)}}\n`, "XL0011", 1],
    [
      "an expanded text of more than 16 MB",
      `#define A ${"a".repeat(1000)}\n#define B ${"A ".repeat(100)}\n__kernel void k(__global uint *x) {\n${"B\n".repeat(300)}}\n`,
      "XL0012",
      // 16 MB are 167.6 times the 100,100 characters of B: in its 168th use, three lines after the first.
      171,
    ],
    [
      "a condition nested too deeply",
      `\n#if ${"(".repeat(20_000)}1${")".repeat(20_000)}\n#endif\n__kernel void k(__global uint *x) { x[0] = 1; }\n`,
      "XL0004",
      2,
    ],
  ])("%s", async (_, text, code, line) => {
    const { module, diagnostics } = await compile(text, { from: "opencl" });
    expect(module).toBeUndefined();
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => [d.code, d.location?.line])[0]).toEqual([
      code,
      line,
    ]);
  });

  test("namespaces that are used", async () => {
    const spaces = (n: number): string =>
      Array.from(
        { length: n },
        (_, i) => `namespace n${i} { int f${i}() { return ${i}; } } using namespace n${i};\n`,
      ).join("");
    const kernel = "kernel void k(device int *x [[buffer(0)]]) { x[0] = f1023(); }\n";
    const said = async (n: number): Promise<unknown[]> =>
      (await compile(spaces(n) + kernel, { from: "msl" })).diagnostics
        .filter((d) => d.severity === "error")
        .map((d) => [d.code, d.location?.line]);
    expect(await said(1024)).toEqual([]);
    expect(await said(1026)).toEqual([
      ["XL1900", 1025],
      ["XL1900", 1026],
    ]);
  });

  test("no more than a hundred errors of one source are told", async () => {
    const { diagnostics } = await compile(
      `__kernel void k(__global uint *x) {\n${Array.from({ length: 500 }, (_, i) => `x[0] = u${i};`).join("\n")}\n}\n`,
      { from: "opencl" },
    );
    expect(diagnostics).toHaveLength(100);
    expect(diagnostics.at(-1)!.notes.at(-1)!.message).toBe("the source has 400 more errors");
  });
});
