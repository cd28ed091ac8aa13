/** Buffers of which nobody wrote anything, values that only some patterns show, and writes to what is const. */
import { describe, expect, test } from "vitest";
import { simulate, translate, type SimulateOptions } from "../../src/index.js";

const lanes = 8;
async function found(body: string, more: Partial<SimulateOptions> = {}, parameters = ""): Promise<string[]> {
  const text = `kernel void k(global const int *a, global int *b, global uchar *small${parameters}) {
  int i = get_global_id(0);
${body}
}`;
  const { findings, diagnostics } = await simulate(text, {
    from: "opencl",
    workgroups: [1],
    workgroupSize: [lanes],
    args: { a: new Int32Array(lanes).fill(1), b: new Int32Array(lanes), small: new Uint8Array(lanes) },
    ...more,
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return findings.map((f) => `${f.kind} ${f.message.split("'")[1]} ${f.use!.location.line} ${f.use!.byte}`);
}

describe("buffers that are marked as never written", () => {
  test("what is read of them and shows is found, once, with the write that shows it", async () => {
    expect(await found("  b[i] = a[i] + 1;")).toEqual([]);
    expect(await found("  b[i] = a[i] + 1;", { uninitialized: ["a"] })).toEqual(["uninitialized-read a 3 0"]);
    // Read, and of no consequence.
    expect(await found("  b[i] = a[i] * 0;", { uninitialized: ["a"] })).toEqual([]);
  });
  test("an output that is written, wholly or in part, is none; one that is read first is", async () => {
    const uninitialized = ["b", "small"];
    expect(await found("  b[i] = i;\n  small[i] = i;", { uninitialized })).toEqual([]);
    expect(await found("  if (i > 3) b[i] = i;\n  if (i == 5) small[i] = i;", { uninitialized })).toEqual([]);
    expect(await found("  b[i] += i;", { uninitialized })).toEqual(["uninitialized-read b 3 0"]);
    expect(await found("  small[i] = 1;\n  if (i < 4) b[i] = i; else small[i] += b[i];", { uninitialized })).toEqual([
      "uninitialized-read b 4 4",
    ]);
    // From one element to another one.
    expect(await found("  if (i == 0) b[0] = b[4];", { uninitialized })).toEqual(["uninitialized-read b 3 0"]);
  });
  test("their contents are a pattern of the seed", async () => {
    const text = "kernel void k(global int *b) { if (get_global_id(0) == 7) b[7] = 7; }";
    const run = async (seed: number): Promise<readonly number[]> => {
      const launch = { from: "opencl", workgroups: [1], workgroupSize: [8], seed } as const;
      const { buffers } = await simulate(text, { ...launch, args: { b: new Int32Array(8) }, uninitialized: ["b"] });
      return [...(buffers["b"] as Int32Array)];
    };
    const [one, two] = [await run(1), await run(2)];
    expect(one[7]).toBe(7);
    expect(one[0]).not.toBe(0);
    expect(one[0]).not.toBe(two[0]);
  });
  test("a name that is no buffer of the launch is misuse", async () => {
    await expect(found("  b[i] = 1;", { uninitialized: ["c"] })).rejects.toThrow("'c' is none");
  });
});

test("a branch that two patterns take the same way", async () => {
  // 2x + 1 > 5 holds for the first pattern and the one of its other bits.
  const body = "  int x;\n  if (i > 3) x = i;\n  int y = x * 2 + 1;\n  if (y > 5) b[i] = 1;";
  expect(await found(body, { findings: ["uninitialized-read"] })).toEqual(["uninitialized-read x 6 0"]);
  expect(await found(body.replace("int x;", "int x = 2;"), { findings: ["uninitialized-read"] })).toEqual([]);
});

describe("writes to const through casts", () => {
  const kernel = (body: string): string =>
    `void set(global const int *p, int i) { ((global int *)p)[i] = 9; }
kernel void k(global const int *a, global int *b) {
  int i = get_global_id(0);
  ${body}
}`;
  const errors = async (body: string, to: "glsl" | "ts"): Promise<string[]> => {
    const { diagnostics } = await translate(kernel(body), { from: "opencl", to, workgroupSize: [8] });
    return diagnostics.flatMap((d) => (d.severity === "error" ? `${d.code} ${d.location!.line} ${d.message}` : []));
  };
  test.each(["glsl", "ts"] as const)("%s: of buffers, variables and arrays at their line", async (to) => {
    const said = "is const, and is written through a pointer that is not";
    expect(await errors("((global int *)a)[i] = 5; b[i] = 1;", to)).toEqual([`XL4006 4 a ${said}`]);
    expect(await errors("const int x = 3; *(int *)&x = 5; b[i] = x;", to)).toEqual([`XL4006 4 x ${said}`]);
    expect(await errors("const int t[2] = {1, 2}; ((int *)t)[i & 1] = 7; b[i] = t[0];", to)).toEqual([
      `XL4006 4 t ${said}`,
    ]);
  });
  test("what is no const itself may be written", async () => {
    expect(await errors("set(b, i);", "glsl")).toEqual([]);
    expect(await errors("int x = 3; const int *p = &x; *(int *)p = 5; b[i] = x;", "glsl")).toEqual([]);
  });
});
