/** Kernels with more arguments by value than MSL has bindings for, several in one file: each has its struct. */
import { expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";

const list = (name: string, n: number): string =>
  Array.from({ length: n }, (_, i) => `int ${name}${String(i)}`).join(", ");
const source = `
int both(int a, int b) { return a - b; }
__kernel void k(__global int *x, ${list("a", 34)}) { x[get_global_id(0)] = both(a0, a33); }
__kernel void few(__global int *x, int a0) { x[get_global_id(0)] = a0; }
__kernel void l(__global int *x, ${list("b", 33)}) { x[get_global_id(0)] = b0 * 2 + b31; }
`;

const values = (path: string, n: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`${path}${String(i)}`, 10 + 3 * i]));

test.each([
  ["k", values("params.a", 34), 10 - (10 + 99)],
  ["few", { a0: 5 }, 5],
  ["l", values("params.b", 33), 20 + 10 + 93],
])("%s", async (entry, args, expected) => {
  const { code, emulations } = await translate(source, { from: "opencl", to: "msl" });
  expect(emulations.filter((e) => e.op === "arguments-in-struct")).toHaveLength(2);
  const { buffers, diagnostics } = await simulate(code!, {
    from: "msl",
    entry,
    workgroups: [1],
    workgroupSize: [2],
    args: { x: new Int32Array(2), ...args },
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect([...(buffers["x"] as Int32Array)]).toEqual([expected, expected]);
});
