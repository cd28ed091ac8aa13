/**
 * The screen for races: kernels of which it is known by hand whether two invocations race. Whatever it says, the findings are
 * those of the printed code; where nothing races, it has to see so by itself, without that code.
 */
import { describe, expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { compileForSimulator } from "../../src/api/runners.js";
import { run, type CompiledKernel, type RunResult } from "../../src/sim/index.js";

const groups = 4;
const size = 32;
const lanes = groups * size;

interface Case {
  readonly title: string;
  /** Of `__kernel void k(__global uint *a, __global uint *o, uint n)`; `l`, `i` and `g` are local and global id and group. */
  readonly body: string;
  readonly before?: string;
  /** Bytes of `a` and `o`. */
  readonly bytes?: number;
}

const source = ({ body, before = "" }: Case): string => `${before}
__kernel __attribute__((reqd_work_group_size(${size}, 1, 1)))
void k(__global uint *a, __global uint *o, uint n) {
  uint l = get_local_id(0), i = get_global_id(0), g = get_group_id(0);
  ${body}
}`;

async function kernelOf(c: Case): Promise<CompiledKernel> {
  const compilation = await compile(source(c), { from: "opencl" });
  expect(compilation.diagnostics).toEqual([]);
  const made = compileForSimulator(compilation, compilation.module!.entries[0]!, ["out-of-bounds", "data-race"]);
  if (!("kernel" in made)) throw new Error(JSON.stringify(made));
  return made.kernel;
}

function ran(kernel: CompiledKernel, engine: "ts" | "wasm", subgroupSize: number, bytes: number): RunResult {
  const given = (): Uint8Array => new Uint8Array(bytes);
  const args = new Map<string, Uint8Array>([
    ["a", given()],
    ["o", given()],
    ["n", Uint8Array.of(3, 0, 0, 0)],
  ]);
  return run(kernel, { engine, args, workgroups: [groups], workgroupSize: [size], subgroupSize, seed: 1 });
}

const free: readonly Case[] = [
  { title: "each its own element", body: "o[i] = a[i] + o[i];" },
  { title: "own elements, several times", body: "for (uint k = 0; k < n; k++) o[i] = o[i] * 3 + a[i];" },
  { title: "what nobody writes, by all", body: "o[i] = a[n] + a[0];" },
  { title: "elements two words apart", body: "o[2 * i] = a[i]; o[2 * i + 1] = o[2 * i];" },
  { title: "one lane of a group of four takes part", body: "if (l % 4 == 1) o[i] = o[i] + 1;" },
  {
    title: "a tile that others read behind a barrier",
    body: "__local uint t[32]; t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); o[i] = t[31 - l] + t[0];",
  },
  {
    title: "a tile written again behind two barriers",
    body: `__local uint t[32]; uint s = 0;
      for (uint k = 0; k < n; k++) {
        t[l] = a[i] + k; barrier(CLK_LOCAL_MEM_FENCE); s += t[(l + 1) % 32]; barrier(CLK_LOCAL_MEM_FENCE);
      }
      o[i] = s;`,
  },
  {
    title: "what many read, written by one behind a barrier",
    body: `__local uint t[2]; if (l == 0) t[0] = a[g]; barrier(CLK_LOCAL_MEM_FENCE); uint x = t[0];
      barrier(CLK_LOCAL_MEM_FENCE); if (l == 5) t[0] = x + 1; barrier(CLK_LOCAL_MEM_FENCE); o[i] = t[0];`,
  },
  {
    title: "a buffer handed on inside the workgroup",
    body: "o[i] = l; barrier(CLK_GLOBAL_MEM_FENCE); a[i] = o[g * 32 + (l ^ 1)];",
  },
  { title: "atomics of all lanes on one word", body: "atomic_add(&o[0], 1u);" },
  {
    title: "atomics, and a plain read behind a barrier",
    body: `__local uint c[4]; if (l < 4) c[l] = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&c[a[i] & 3]);
      barrier(CLK_LOCAL_MEM_FENCE); if (l < 4) o[g * 4 + l] = c[l];`,
  },
  { title: "neighbouring bytes of a word", body: "((__global uchar *)o)[i] = ((__global uchar *)a)[i] + 1;" },
  {
    title: "neighbouring halves of a word",
    body: "((__global ushort *)o)[i] = (ushort)(((__global ushort *)o)[i] + 1);",
  },
  { title: "numbers of 64 bits", body: "((__global ulong *)o)[i] += 1;", bytes: lanes * 8 },
  {
    title: "words and numbers of 64 bits in one buffer",
    body: "((__global ulong *)o)[i] = i; o[2 * i + 1] = 7;",
    bytes: lanes * 8,
  },
  { title: "gathered elements", body: "o[i] = a[(i * 37u) % 128u] + a[a[i] & 7u];" },
  {
    title: "in a function",
    before:
      "uint take(__global uint *p, uint i) { uint s = 0; for (uint k = 0; k < 3; k++) { p[i] += k; s += p[i]; } return s; }",
    body: "a[i] = take(o, i);",
  },
  {
    title: "a sum by halves",
    body: `__local uint t[32]; t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);
      for (uint s = 16; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }
      if (l == 0) o[g] = t[0];`,
  },
];

const racing: readonly Case[] = [
  { title: "all write one word", body: "o[0] = i;" },
  { title: "one writes what all read", body: "if (i == 0) o[0] = 1; a[i] = o[0];" },
  { title: "all read what one of them writes afterwards", body: "uint x = o[0]; if (i == 3) o[0] = x + 1; a[i] = x;" },
  { title: "the neighbour's element", body: "o[i] = a[i]; a[i] = o[(i + 1) % 128];" },
  { title: "the neighbour's element within four lanes", body: "o[i] = a[i]; a[i] = o[i ^ 1];" },
  { title: "the neighbour of one lane", body: "o[i] = a[i]; if (i == 9) a[i] = o[8];" },
  { title: "a tile without a barrier", body: "__local uint t[32]; t[l] = a[i]; o[i] = t[31 - l];" },
  {
    title: "a tile written again too early",
    body: `__local uint t[32]; uint s = 0;
      for (uint k = 0; k < n; k++) { t[l] = a[i] + k; barrier(CLK_LOCAL_MEM_FENCE); s += t[(l + 1) % 32]; }
      o[i] = s;`,
  },
  { title: "a barrier for other memory", body: "o[i] = l; barrier(CLK_LOCAL_MEM_FENCE); a[i] = o[g * 32 + (l ^ 1)];" },
  {
    title: "workgroup memory behind a barrier for buffers",
    body: "__local uint t[32]; t[l] = a[i]; barrier(CLK_GLOBAL_MEM_FENCE); o[i] = t[31 - l];",
  },
  {
    title: "another workgroup's element, behind a barrier",
    body: "o[i] = l; barrier(CLK_GLOBAL_MEM_FENCE); a[i] = o[(i + 32) % 128];",
  },
  {
    title: "the last workgroup writes what the first one read",
    body: "if (g == 0) a[i] = o[5]; if (g == 3 && l == 5) o[5] = 1;",
  },
  {
    title: "several workgroups read, one of them writes",
    body: "a[i] = o[5]; barrier(CLK_GLOBAL_MEM_FENCE); if (i == 127) o[5] = 1;",
  },
  {
    title: "atomics of all lanes and plain reads of all, with a barrier of other memory between them",
    body: "atomic_inc(&a[g]); barrier(CLK_LOCAL_MEM_FENCE); o[i] = a[g];",
  },
  {
    title: "those of workgroup memory",
    body: "__local uint t; if (l == 0) t = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&t); barrier(CLK_GLOBAL_MEM_FENCE); o[i] = t;",
  },
  { title: "an atomic and a plain read", body: "atomic_add(&o[0], 1u); a[i] = o[0];" },
  { title: "a plain write and atomics", body: "if (l == 0) o[0] = 0; atomic_add(&o[0], 1u);" },
  {
    title: "bytes of one lane and the word around them",
    body: "((__global uchar *)o)[i] = 1; if (i == 0) a[0] = o[1];",
  },
  {
    title: "a half of the neighbour's 64 bits",
    body: "((__global ulong *)o)[i] = i; a[i] = o[2 * (i ^ 1) + 1];",
    bytes: lanes * 8,
  },
  { title: "a gathered element of another lane", body: "o[i] = i; a[i] = o[(i * 37u) % 128u];" },
  {
    title: "in a function",
    before: "void put(__global uint *p, uint i) { for (uint k = 0; k < 2; k++) p[i & ~1u] = k; }",
    body: "put(o, i);",
  },
  {
    title: "in one pass of a loop",
    body: "for (uint k = 0; k < 8; k++) { o[i] = k; if (k == 7 && i == 64) a[i] = o[65]; }",
  },
  {
    title: "a sum by halves without its barrier",
    body: `__local uint t[32]; t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);
      for (uint s = 16; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; }
      if (l == 0) o[g] = t[0];`,
  },
];

describe.each([4, 32])("subgroups of %i", (width) => {
  test.each(free)("no race, and the screen says so: $title", async (c) => {
    const kernel = await kernelOf(c);
    const bytes = c.bytes ?? 2 * lanes * 4;
    const result = ran(kernel, "wasm", width, bytes);
    expect(result.findings).toEqual([]);
    expect(result.stats.engine.engine).toBe("wasm");
    // Nothing was printed to look again.
    expect(kernel.factories.size).toBe(0);
    const reference = ran(kernel, "ts", width, bytes);
    expect(reference.findings).toEqual([]);
    expect(result.buffers).toEqual(reference.buffers);
  });

  test.each(racing)("a race: $title", async (c) => {
    const kernel = await kernelOf(c);
    const bytes = c.bytes ?? 2 * lanes * 4;
    const result = ran(kernel, "wasm", width, bytes);
    expect(result.findings.map((f) => f.kind)).toContain("data-race");
    expect(result.findings).toEqual(ran(kernel, "ts", width, bytes).findings);
  });
});
