import { describe, expect, test } from "vitest";
import type { SlotAssignment } from "../../src/ast/legal.js";
import type { Diagnostic } from "../../src/support/diagnostics.js";
import { f32 } from "../../src/types/types.js";
import { matchTranslation } from "../../src/verify/arguments-of-translation.js";
import type { BoundBuffer, BoundLaunch } from "../../src/launch/bind.js";
import { checkExpectations, compareOnLaunches, outputsOf, remembering } from "../../src/verify/verify.js";
import type { Runner } from "../../src/verify/verify.js";
import { argument, count, floats, shape } from "./shapes.js";

const u32 = { text: "u32", scalar: "u32", width: 1 } as const;
const bytesOf = (...values: number[]): Uint8Array => new Uint8Array(new Uint32Array(values).buffer);
function buffer(path: string, more: Partial<BoundBuffer> = {}): BoundBuffer {
  return {
    kind: "buffer",
    path,
    bytes: bytesOf(0, 0),
    initialized: true,
    type: u32,
    output: false,
    writable: true,
    compare: "ordered",
    ...more,
  };
}
const launch: BoundLaunch = {
  label: "launch.json",
  workgroups: [1, 1, 1],
  gridSize: [2, 1, 1],
  gridOffset: [0, 0, 0],
  dimensions: 1,
  workgroupSize: [2, 1, 1],
  subgroupSize: 32,
  arguments: [buffer("in", { writable: false }), buffer("out", { output: true })],
};
type Result = (width: number, seed: number) => readonly number[];
function runner(result: Result, more: { findings?: readonly Diagnostic[]; calls?: number[] } = {}): Runner {
  return {
    run: (_, { subgroupSize, seed }) => {
      more.calls?.push(subgroupSize * 100 + seed);
      return Promise.resolve({
        buffers: new Map([
          ["out", bytesOf(...result(subgroupSize, seed))],
          ["in", bytesOf(0, 0)],
        ]),
        findings: more.findings ?? [],
      });
    },
    writerOf: (_l, _h, path, byteOffset) =>
      Promise.resolve({
        workgroup: [0, 0, 0],
        lane: byteOffset / 4,
        location: { file: path, line: 1, column: 1, endLine: 1, endColumn: 1 },
      }),
  };
}
const options = { target: "glsl", seeds: 2, subgroupSizes: () => [8, 16] } as const;
const finding: Diagnostic = { severity: "warning", code: "XL6011", message: "found", notes: [] };

describe("verification", () => {
  test("equal on every width and fill", async () => {
    const calls: number[] = [];
    const result = await compareOnLaunches(
      runner((w) => [w, 1], { calls }),
      () => runner((w) => [w, 1]),
      [launch],
      options,
    );
    expect(result.result).toBe("equivalent");
    expect(calls).toEqual([801, 802, 1601, 1602]);
    expect(result.runs).toHaveLength(4);
    expect(result.runs[0]!.compared).toEqual([{ buffer: "out", bytes: 8 }]);
  });

  test("a difference at one width, with both values and writers", async () => {
    const result = await compareOnLaunches(
      runner(() => [1, 2]),
      () => runner((w) => [1, w === 16 ? 3 : 2]),
      [launch],
      options,
    );
    expect(result).toMatchObject({
      result: "different",
      firstDifference: {
        buffer: "out",
        index: 1,
        run: { subgroupSize: 16, seed: 1 },
        source: { value: "2", hex: "0x00000002", writer: { lane: 1 } },
        translation: { value: "3", hex: "0x00000003", writer: { lane: 1 } },
        count: 1,
      },
    });
    expect(result.runs).toHaveLength(3);
  });

  // With the second fill alone a translation's finding may come of what the source reads and nobody wrote.
  test.each([
    ["the source reads such values", ["XL5010"], [2], "inconclusive"],
    ["the source does not", [], [2], "different"],
    ["it has one with each", ["XL5010"], [1, 2], "different"],
  ] as const)("a finding with a fill, where %s", async (_, reads, fills, wanted) => {
    const plain = runner(() => [1, 2]);
    const source: Runner = {
      ...plain,
      unwritten: () => Promise.resolve(reads.map((code) => ({ ...finding, code }))),
    };
    const found = runner(() => [1, 2], { findings: [finding] });
    const translation: Runner = {
      run: (l, how) => ((fills as readonly number[]).includes(how.seed) ? found : plain).run(l, how),
    };
    const { result, diagnostics } = await compareOnLaunches(source, () => translation, [launch], options);
    expect(result).toBe(wanted);
    expect(diagnostics[0]!.code).toBe(wanted === "different" ? "XL6010" : "XL6011");
  });

  test("a source that hangs on unspecified values says nothing about its translation", async () => {
    const result = await compareOnLaunches(
      runner((_, seed) => [seed, 0]),
      () => runner((_, seed) => [seed, 0]),
      [launch],
      options,
    );
    expect(result.result).toBe("inconclusive");
    expect(result.diagnostics[0]).toMatchObject({
      code: "XL6011",
      message: expect.stringContaining("'out[0]'") as string,
    });
  });

  test("nor does one with a finding; a finding of the translation alone is a difference", async () => {
    const clean = runner(() => [0, 0]);
    const found = runner(() => [0, 0], { findings: [finding] });
    expect((await compareOnLaunches(found, () => clean, [launch], options)).result).toBe("inconclusive");
    expect((await compareOnLaunches(clean, () => found, [launch], options)).result).toBe("different");
  });

  test("a source is run once for many translations", async () => {
    const calls: number[] = [];
    const source = remembering(runner(() => [0, 0], { calls }));
    await compareOnLaunches(source, () => runner(() => [0, 0]), [launch], options);
    await compareOnLaunches(source, () => runner(() => [0, 0]), [launch], options);
    expect(calls).toHaveLength(4);
  });

  test("outputs are those marked, else all that can be written", () => {
    expect(outputsOf(launch).map((o) => o.path)).toEqual(["out"]);
    const unmarked = { ...launch, arguments: [buffer("a"), buffer("b", { writable: false }), buffer("c")] };
    expect(outputsOf(unmarked).map((o) => o.path)).toEqual(["a", "c"]);
  });

  test("what a launch file expects", async () => {
    const expecting = {
      ...launch,
      arguments: [buffer("in"), buffer("out", { output: true, expect: bytesOf(5, 6) })],
    };
    const run = {
      launch: "l",
      workgroups: [1, 1, 1],
      workgroupSize: [1, 1, 1],
      subgroupSize: 8,
      seed: 1,
      compared: [],
    } as const;
    const good = await runner(() => [5, 6]).run(expecting, { subgroupSize: 8, seed: 1 });
    const bad = await runner(() => [5, 7]).run(expecting, { subgroupSize: 8, seed: 1 });
    expect(checkExpectations(good, expecting, run)).toEqual([]);
    expect(checkExpectations(bad, expecting, run)[0]).toMatchObject({
      code: "XL6009",
      message: "'out[1]' is 7 (0x00000007), and 6 (0x00000006) is expected",
    });
  });
});

describe("arguments of a translation", () => {
  const slot = (path: string, more: Partial<SlotAssignment>): SlotAssignment => ({
    entry: "main",
    path,
    variable: 0,
    kind: "buffer",
    offset: 0,
    size: 4,
    type: f32,
    rule: "std430",
    ...more,
  });
  const block = { name: "Params", kind: "push-constant" } as const;
  const slots = [
    slot("p.n", { kind: "block", block, offset: 4, type: count }),
    slot("p.a", { kind: "block", block, offset: 0 }),
    slot("x", { number: 0, set: 0 }),
    slot("y", { number: 1, set: 0 }),
    slot("s", { kind: "static-workgroup" }),
  ];
  const y = argument("sums", "buffer", floats, { slot: { number: 1, set: 0 } });
  const x = argument("values", "buffer", floats, { slot: { number: 0, set: 0 } });
  const a = argument("Params.alpha", "value", f32, { block });
  const n = argument("Params.count", "value", count, { block });

  test("slots decide, not names or order", () => {
    const matched = matchTranslation(shape([a, n, y, x], {}, "glsl"), slots);
    expect("arguments" in matched && matched.arguments.map((m) => [m.shape.path, m.sourcePath])).toEqual([
      ["Params.alpha", "p.a"],
      ["Params.count", "p.n"],
      ["sums", "y"],
      ["values", "x"],
    ]);
  });

  test("what does not fit is a problem, not a guess", () => {
    expect(matchTranslation(shape([a, n, y], {}, "glsl"), slots)).toEqual({
      problem: "'x' is not in the translation (slot 0 0)",
    });
    expect(matchTranslation(shape([n, a, y, x], {}, "glsl"), slots)).toHaveProperty("problem");
    expect(
      matchTranslation(
        shape([a, n, y, x, argument("z", "buffer", floats, { slot: { number: 7 } })], {}, "glsl"),
        slots,
      ),
    ).toHaveProperty("problem");
  });
});
