/** What `verify --mutants` plants and what it says of it, on kernels small enough to count the faults by hand. */
import { expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { simulatorRunner } from "../../src/api/runners.js";
import { prepareVerification } from "../../src/api/verify.js";
import { verify } from "../../src/index.js";
import { mutantsOf } from "../../src/verify/mutants.js";
import { compareOnLaunches } from "../../src/verify/verify.js";

const guarded = `kernel void k(global const int *a, global int *o, int n) {
  int i = get_global_id(0);
  if (i < n) o[i] = a[i] - 3;
}`;
const ints = (count: number, init: object): object => ({ type: "i32", count, init });
const launchOf = (lanes: number, n: number): object => ({
  workgroups: [lanes / 4],
  workgroupSize: [4],
  args: {
    a: ints(8, { values: [0, 1, 4, 9, 16, 25, 36, 49] }),
    o: { ...ints(8, { fill: 0 }), output: true },
    n: { type: "i32", value: n },
  },
});
const four = (name: string, value: number): object => ({
  workgroups: [1],
  workgroupSize: [4],
  args: { o: { ...ints(4, { fill: 1 }), output: true }, [name]: { type: "i32", value } },
});

test("every fault is planted once, and those that pass are named", async () => {
  // < as <=, < with its operands swapped, the condition negated, both indices, the assignment, - as +, - swapped, 3 as 4.
  const exact = await verify(guarded, { from: "opencl", to: "glsl", launches: [launchOf(8, 8)], mutants: 100 });
  expect(exact.result).toBe("equivalent");
  expect(exact.mutants).toMatchObject({ planted: 9, noticed: 8, seed: 1 });
  // As many lanes as elements: none is left that the bound would keep out.
  expect(exact.mutants!.unnoticed.map((u) => [u.change, u.line])).toEqual([
    ["< became <=", expect.stringContaining("if (i < n)")],
  ]);
  const bound = await verify(guarded, { from: "opencl", to: "glsl", launches: [launchOf(8, 5)], mutants: 100 });
  expect(bound.mutants).toMatchObject({ planted: 9, noticed: 9, unnoticed: [] });
});

test("a part of them is chosen by the seed", async () => {
  const { module } = await compile(guarded, { from: "opencl" });
  const chosen = (seed: number): readonly number[] =>
    mutantsOf(module!, module!.entries[0]!, 4, seed).map((m) => m.span.start);
  expect(chosen(1)).toHaveLength(4);
  expect(chosen(1)).toEqual(chosen(1));
  expect(new Set([1, 2, 3, 4, 5].map((seed) => chosen(seed).join())).size).toBeGreaterThan(1);
});

test("what a launch does not run goes unnoticed", async () => {
  const source = `kernel void k(global int *o, int mode) {
  int i = get_global_id(0);
  if (mode == 7) o[i] = o[i] * 5;
  else o[i] = i;
}`;
  const { result, mutants } = await verify(source, {
    from: "opencl",
    to: "msl",
    launches: [four("mode", 1)],
    mutants: 100,
  });
  expect(result).toBe("equivalent-where-run");
  // * as +, 5 as 6, both indices and the assignment; and 7 as 8, which 1 is not either.
  expect(mutants!.unnoticed.map((u) => u.change).sort()).toEqual([
    "* became +",
    "5 became 6",
    "7 became 8",
    "the index is one more",
    "the index is one more",
    "the statement was left out",
  ]);
});

test("a fault that never ends is given up and noticed", async () => {
  const source = `kernel void k(global int *o, int n) {
  int sum = 0;
  for (int i = 0; i < n; i = i + 1) sum = sum + i;
  o[get_global_id(0)] = sum;
}`;
  const { mutants } = await verify(source, {
    from: "opencl",
    to: "hlsl",
    launches: [four("n", 9)],
    mutants: 100,
  });
  // i - 1 for i + 1 goes on to the least integer. 0 as the first value or 1 makes no difference to the sum.
  expect(mutants!.unnoticed.map((u) => u.change)).toEqual(["0 became 1"]);
});

const reversed = (barrier: string): string => `kernel void k(global const int *a, global int *o) {
  local int tile[8];
  int l = get_local_id(0);
  tile[l] = a[get_global_id(0)];
  ${barrier}
  o[get_global_id(0)] = tile[l];
}`;
/** Each lane reads what the one before it wrote, which has had its turn. */
const exchanged = (barrier: string): string => reversed(barrier).replace("= tile[l];", "= tile[max(l - 1, 0)];");

test("a translation that lost a barrier differs, though the simulator's lanes would take turns", async () => {
  const waits = "barrier(CLK_LOCAL_MEM_FENCE);";
  const comparing = async (source: string, translation: string): Promise<string> => {
    const compilation = await compile(source, { from: "opencl" });
    const { ready } = await prepareVerification(compilation, {
      launches: [],
      workgroupSize: [8, 1, 1],
      subgroupSizes: [8],
    });
    const again = await compile(translation, { from: "opencl" });
    const made = await simulatorRunner(again, again.module!.entries[0]!);
    if (!ready || "diagnostics" in made) throw new Error("neither is refused");
    const { result, diagnostics } = await compareOnLaunches(ready.source, () => made.runner, ready.launches, {
      target: "opencl",
      seeds: 2,
      subgroupSizes: () => [8],
    });
    return [result, ...diagnostics.map((d) => d.code)].join(" ");
  };
  expect(await comparing(exchanged(waits), exchanged(waits))).toBe("equivalent");
  expect(await comparing(exchanged(waits), exchanged(""))).toMatch(/^different XL6010 XL5/);
  // Work-group functions wait as barriers do: OpenCL C 6.15.16, all work-items of the work-group meet at the call.
  const first = `kernel void k(global const int *a, global int *o) {
  o[get_global_id(0)] = work_group_broadcast(a[get_global_id(0)], 0);
}`;
  const told = (barrier: string): string => `kernel void k(global const int *a, global int *o) {
  local int first;
  if (get_local_id(0) == 0) first = a[get_global_id(0)];
  ${barrier}
  o[get_global_id(0)] = first;
}`;
  expect(await comparing(first, told(waits))).toBe("equivalent");
  expect(await comparing(first, told(""))).toMatch(/^different XL6010 XL5/);
  // Where each lane reads its own element nothing waits for anything.
  expect(await comparing(reversed(waits), reversed(""))).toBe("equivalent");
});

test("of a target that differs or is refused nothing is planted", async () => {
  const source = `kernel void k(global double *o) { o[get_global_id(0)] = exp(o[get_global_id(0)]); }`;
  const refused = await verify(source, { from: "opencl", to: "msl", mutants: 5, workgroupSize: [4, 1, 1] });
  expect([refused.result, refused.mutants]).toEqual(["not-run", undefined]);
  await expect(verify(source, { from: "opencl", to: "ts", mutants: 0.5 })).rejects.toThrow(
    "'mutants' is a whole number",
  );
});
