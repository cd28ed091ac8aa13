/** Checks that cannot fail, for a size of workgroup: what is counted here follows from the bounds of each index by hand. */
import { expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { compileForSimulator } from "../../src/api/runners.js";
import { exprsOf, visitCode, visitExpr } from "../../src/regions/machine.js";
import { regionBodies } from "../../src/regions/queries.js";
import { settleIndices } from "../../src/regions/settled-indices.js";
import type { Program, Region } from "../../src/regions/tree.js";
import { Work } from "../../src/regions/work.js";
import { simulate } from "../../src/index.js";

/** How many checks of a dimension, and of an object, are left. */
function checks(program: Program): { dimension: number; object: number } {
  const found = { dimension: 0, object: 0 };
  const walk = (list: readonly Region[]): void => {
    for (const r of list) {
      if (r.kind === "lanes" || r.kind === "uniform")
        visitCode(r.code, (c) => {
          for (const e of exprsOf(c))
            visitExpr(e, (x) => {
              if (x.kind === "operation" && x.op === "within") found.dimension++;
              if (x.kind === "checked") found.object++;
            });
        });
      regionBodies(r).forEach(walk);
    }
  };
  walk(program.regions);
  return found;
}

async function programOf(source: string): Promise<Program> {
  const compilation = await compile(source, { from: "opencl", fileName: "k.cl" });
  const made = compileForSimulator(compilation, compilation.module!.entries[0]!, ["out-of-bounds"]);
  if (!("kernel" in made)) throw new Error("it cannot be compiled");
  return made.kernel.program;
}

const left = async (body: string, size: number): Promise<{ dimension: number; object: number }> => {
  const program = await programOf(`__kernel void k(__global uint *o, uint n) {
    __local uint t[4][16]; uint l = get_local_id(0), one = 0; ${body} }`);
  return checks(settleIndices(program, { workgroupSize: [size, 1, 1], subgroupSize: 32 }).program);
};

test.each([
  // A lane's number ends where the workgroup does.
  ["t[1][l] = 1;", 16, 0],
  ["t[1][l] = 1;", 17, 1],
  // A loop up to a bound, down to one, and in powers of two.
  ["for (uint i = 0; i < 16; i++) t[0][i] = l;", 8, 0],
  ["for (uint i = 0; i <= 16; i++) t[0][i] = l;", 8, 1],
  ["for (int i = 15; i >= 0; i--) t[0][i] = l;", 8, 0],
  ["for (uint i = 16; i > 0; i >>= 1) t[0][i] = l;", 8, 1],
  ["for (uint i = 1; i < 16; i <<= 1) t[0][i] = l;", 8, 0],
  ["for (uint i = 0; i < 16; i++) { if (n == i) continue; t[0][i] = l; if (n == 3) i += n; }", 8, 0],
  ["for (uint i = 0; i < n; i++) t[0][i] = l;", 8, 1],
  // Which of two comes from the other in turn.
  ["for (uint i = 0; i < n; i++) { t[0][one] = i; one = 15u - one; }", 16, 0],
  ["for (uint i = 0; i < n; i++) { t[0][one] = i; one = one ^ 9u; }", 16, 0],
  ["for (uint i = 0; i < n; i++) { t[0][one] = i; one = 16u - one; }", 16, 1],
  // What a condition says, and what it does not.
  ["if (l >= n) t[0][l - n] = 1;", 16, 0],
  ["if (n > l) return; t[0][n] = 1;", 16, 0],
  ["if (l >= n) { n++; t[0][l - n] = 1; }", 16, 1],
  ["if (n < 16 && l < 3) t[l][n] = 1;", 64, 0],
  ["if (n < 16 || l < 3) t[0][n] = 1;", 8, 1],
  ["t[n & 3][min(n, 15u)] = 1;", 8, 0],
  ["uint x = n < 16 ? n : 15; t[0][x] = 1;", 8, 0],
])("%s by %i lanes has %i checks of a dimension", async (body, size, dimension) => {
  expect(await left(body, size)).toMatchObject({ dimension });
});

test("an object's own bounds are known where its size is", async () => {
  // The place is 16 * row + column, of 64.
  expect(await left("t[n & 3][l] = 1;", 16)).toEqual({ dimension: 0, object: 0 });
  expect(await left("t[n & 3][l] = o[l];", 16)).toEqual({ dimension: 0, object: 1 });
});

test("steps are those of the program as it was written", async () => {
  const source = `__kernel void k(__global uint *o) { __local uint t[16][16]; uint l = get_local_id(0);
    for (uint i = 0; i < 16; i++) { t[i][l] = i; t[l][i] = i + t[l][l] + t[i][i] + t[i & l][i | l] + t[i ^ l][l]; } o[l] = t[0][l]; }`;
  const program = await programOf(source);
  const settled = settleIndices(program, { workgroupSize: [16, 1, 1], subgroupSize: 16 });
  const together = { workgroup: 16, subgroup: 16 };
  expect(checks(settled.program).dimension).toBe(0);
  const loops = (p: Program, work: Work): number[] => {
    const found: number[] = [];
    for (const r of p.regions)
      if (r.kind === "lanes") visitCode(r.code, (c) => void (c.kind === "loop" && found.push(work.ofLoop(c))));
    return found;
  };
  const [before, after] = [new Work(program), new Work(settled.program, settled.original)];
  expect(loops(program, before)).toEqual(loops(settled.program, after));
  expect(new Work(settled.program).ofWorkgroup(together)).toBeLessThan(before.ofWorkgroup(together));
});

test("an index that wrapped below the first lane is not far from those of lanes that take part", async () => {
  const source = `__kernel void k(__global uint *a, uint by) { uint i = get_local_id(0); if (i >= by) a[i] = a[i - by] + 1; }`;
  for (const by of [1, 2, 3, 4, 5]) {
    const a = Array.from({ length: 16 }, (_, i) => 100 * i);
    const result = await simulate(source, {
      from: "opencl",
      workgroups: [1],
      workgroupSize: [16],
      args: { a: Uint32Array.from(a), by },
      findings: ["out-of-bounds"],
    });
    for (let i = by; i < 16; i++) a[i] = a[i - by]! + 1;
    expect([...(result.buffers["a"] as Uint32Array)], `${by} apart`).toEqual(a);
  }
});
