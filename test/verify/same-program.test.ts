/** `same program (for all inputs)`: what is, what is not, and that no fault a launch notices ever is. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { sameProgram } from "../../src/api/same-program.js";
import { scoreMutants } from "../../src/api/mutants.js";
import { readTranslation, type ReadTranslation } from "../../src/api/read-translation.js";
import { prepareVerification } from "../../src/api/verify.js";
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";
import { verify } from "../../src/index.js";
import { mutantsOf } from "../../src/verify/mutants.js";
import type { SameProgram } from "../../src/verify/result.js";
import { dialectsOf, fixtureNames } from "../support/expectations.js";
import { repositoryRoot } from "../support/judges/judge.js";
import { compiled, kernelsOf, translated } from "../support/translations.js";

const ledger = join(repositoryRoot, "docs/correctness.md");
const marked = /(<!-- same programs: [^>]* -->\n)[^]*?(<!-- end -->)/;

/** Two texts with the same arguments, compared as if the second were the translation of the first. */
async function compared(
  [from, source]: readonly [TwoWayDialect, string],
  [to, text]: readonly [TwoWayDialect, string],
): Promise<SameProgram> {
  const [a, b] = [await compile(source, { from }), await compile(text, { from: to })];
  for (const c of [a, b]) expect(c.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return sameProgram(
    { compilation: a, entry: a.module!.entries[0]! },
    { compilation: b, entry: b.module!.entries[0]! },
  )!;
}

const cl = (body: string, parameters = "global int *x, int n"): readonly ["opencl", string] => [
  "opencl",
  `kernel void k(${parameters}) { int i = get_global_id(0); ${body} }`,
];

describe("the same", () => {
  test.each([
    ["names and locals that are set once", "int last = n - 1; x[i] = last * 2;", "int most = n - 1; x[i] = most * 2;"],
    ["a local and its value", "int last = n - 1; x[i] = last * 2;", "x[i] = (n - 1) * 2;"],
    ["signs that make no difference", "x[i] = x[i] + n;", "x[i] = (int)((uint)x[i] + (uint)n);"],
    [
      "a fence for more memory",
      "barrier(CLK_LOCAL_MEM_FENCE); x[i] = n;",
      "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); x[i] = n;",
    ],
  ])("%s", async (_, a, b) => expect(await compared(cl(a), cl(b))).toMatchObject({ same: true, differences: [] }));

  test("a barrier of all buffers for one of one, and not the other way round", async () => {
    const waits = (of: string): readonly ["hlsl", string] => [
      "hlsl",
      `RWStructuredBuffer<int> x;
RWStructuredBuffer<int> y;
[numthreads(16, 1, 1)]
void k(uint i : SV_GroupIndex) { x[i] = 1; y[i] = 2; Barrier(${of}, GROUP_SCOPE | GROUP_SYNC); x[16 + i] = x[i ^ 1]; }`,
    ];
    const [one, other, all] = [waits("x"), waits("y"), waits("UAV_MEMORY")];
    expect(await compared(one, one)).toMatchObject({ same: true });
    expect(await compared(one, all)).toMatchObject({ same: true });
    expect(await compared(all, one)).toMatchObject({ same: false });
    expect(await compared(one, other)).toMatchObject({ same: false });
  });

  test("a kernel in every dialect, read again, with what the size of workgroups takes for granted", async () => {
    const source = `kernel void twice(device float *x [[buffer(0)]], constant uint &n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (i < n) x[i] = 2 * x[i];
}`;
    for (const to of twoWayDialects) {
      const { program } = await verify(source, { from: "msl", to, workgroupSize: [64] });
      expect([to, program]).toMatchObject([to, { same: true, differences: [], reasons: [] }]);
      // MSL and OpenCL C leave it to the launch.
      const fixed = to === "glsl" || to === "hlsl";
      expect(program!.takenForGranted).toEqual(fixed ? ["workgroups are 64 x 1 x 1"] : []);
    }
  });
});

describe("not the same", () => {
  test.each([
    ["a constant", "x[i] = n + 1;", "x[i] = n + 2;"],
    ["operands", "x[i] = n - i;", "x[i] = i - n;"],
    ["a statement less", "x[i] = n; x[i + 1] = n;", "x[i] = n;"],
    ["the order of statements", "x[i] = n; x[i + 1] = 3;", "x[i + 1] = 3; x[i] = n;"],
    [
      "a value that is read before and after",
      "int v = x[i]; x[i] = 1; x[i + 1] = v;",
      "x[i] = 1; int v = x[i]; x[i + 1] = v;",
    ],
    [
      "other locals in the same places",
      "int a = x[0]; int b = x[1]; x[i] = a - b;",
      "int a = x[0]; int b = x[1]; x[i] = b - a;",
    ],
    ["a sign that counts", "x[i] = n / 3;", "x[i] = (int)((uint)n / 3u);"],
    ["a longer type", "x[i] = (int)((long)n * n >> 4);", "x[i] = n * n >> 4;"],
    ["a barrier less", "x[i] = n; barrier(CLK_GLOBAL_MEM_FENCE); x[i + 1] = n;", "x[i] = n; x[i + 1] = n;"],
    [
      "a fence for less memory",
      "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); x[i] = n;",
      "barrier(CLK_LOCAL_MEM_FENCE); x[i] = n;",
    ],
    ["overflow that is left open", "x[i] = (int)((uint)x[i] + (uint)n);", "x[i] = x[i] + n;"],
    ["open overflow in a local", "int s = (int)((uint)i + (uint)n); x[i] = s;", "int s = i + n; x[i] = s;"],
    ["a loop that goes on longer", "for (int j = 0; j < n; j++) x[j] = i;", "for (int j = 0; j <= n; j++) x[j] = i;"],
  ])("%s", async (_, a, b) => {
    const result = await compared(cl(a), cl(b));
    expect(result.same).toBe(false);
    expect(result.differences.length).toBeGreaterThan(0);
  });

  test("what a dialect settles and another leaves open", async () => {
    const glsl = `#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer X { int x[]; };
void main() { uint i = gl_GlobalInvocationID.x; x[i] = x[i] + 1; }`;
    const opencl = "kernel void k(global int *x) { uint i = get_global_id(0); x[i] = x[i] + 1; }";
    // GLSL's sums wrap (4.1.3), C's are open where they do not fit (C99 6.5): one way only.
    expect((await compared(["glsl", glsl], ["opencl", opencl])).same).toBe(false);
  });

  test("a permission that the source does not give", async () => {
    const body = "x[i] = n;";
    expect(await compared(cl(body), cl(body, "global int *restrict x, int n"))).toMatchObject({
      same: false,
      differences: [],
      reasons: ["'x' is said to have no alias"],
    });
    expect(await compared(cl(body, "volatile global int *x, int n"), cl(body))).toMatchObject({ same: false });
    const sum = "y[i] = y[i] * y[i] + 1.0f;";
    const [dialect, text] = cl(sum, "global float *y");
    const off = `#pragma OPENCL FP_CONTRACT OFF\n${text}`;
    expect(await compared([dialect, off], [dialect, text])).toMatchObject({
      same: false,
      reasons: ["products and sums may be contracted otherwise"],
    });
    expect(await compared([dialect, text], [dialect, off])).toMatchObject({ same: true });
  });

  test("an order of atomics, of where they succeed and of where they fail", async () => {
    const exchange = (success: string, failure: string): readonly ["opencl", string] => [
      "opencl",
      `kernel void k(volatile global atomic_int *x, global int *y) { int e = 0; y[0] = atomic_compare_exchange_strong_explicit(x, &e, 1, memory_order_${success}, memory_order_${failure}, memory_scope_device) ? 1 : e; }`,
    ];
    const strong = exchange("acq_rel", "acquire");
    expect((await compared(strong, strong)).same).toBe(true);
    expect((await compared(strong, exchange("acq_rel", "relaxed"))).same).toBe(false);
    expect((await compared(strong, exchange("release", "acquire"))).same).toBe(false);
  });

  test("a layout, though members have the same names and types", async () => {
    const block = (at: string): readonly ["glsl", string] => [
      "glsl",
      `#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer X { float a[4]; ${at}float b; } s;
void main() { if (gl_GlobalInvocationID.x == 0u) s.b = s.a[1]; }`,
    ];
    expect((await compared(block(""), block("layout(offset = 16) "))).same).toBe(true);
    expect((await compared(block(""), block("layout(offset = 32) "))).same).toBe(false);
  });
});

/** A dialect to read from and one to write for each fixture, so that all pairs occur. */
const pairs = fixtureNames().map((fixture, n): [string, TwoWayDialect, TwoWayDialect] => {
  const sources = dialectsOf(fixture);
  const source = sources[n % sources.length]!;
  const others = twoWayDialects.filter((d) => d !== source);
  return [fixture, source, others[n % others.length]!];
});

describe("faults that launches notice", () => {
  const seen = { same: 0, translations: 0, faults: 0, faultsOfSame: 0 };

  test.each(pairs)("of %s from %s to %s are never the same program", async (fixture, dialect, target) => {
    for (const kernel of await kernelsOf(fixture, dialect)) {
      const { compilation, read } = await readAgain(kernel, target);
      if (!read) continue;
      const entry = compilation.module!.entries.find((e) => e.name === kernel.entry)!;
      const own = { compilation, entry };
      seen.translations++;
      if (!sameProgram(own, read)?.same) continue;
      seen.same++;
      const mutants = mutantsOf(read.compilation.module!, read.entry, 60, 3);
      seen.faults += mutants.length;
      const overlooked = mutants.filter(
        ({ module }) => sameProgram(own, { ...read, compilation: { ...read.compilation, module } })?.same,
      );
      if (overlooked.length === 0) continue;
      // They have to be those that mean the same: no launch tells them apart either.
      seen.faultsOfSame += overlooked.length;
      const { ready } = await prepareVerification(compilation, {
        entry: kernel.entry,
        launches: [{ launch: kernel.launch }],
      });
      const how = { target, seeds: 2, subgroupSizes: ready!.subgroupSizes };
      const { unnoticed } = await scoreMutants(ready!, read, how, 60, 3);
      const known = unnoticed.map((u) => `${u.location.line} ${u.change}`);
      const lines = read.compilation.source;
      for (const m of overlooked)
        expect(known).toContain(`${lines.slice(0, m.span.start).split("\n").length} ${m.change}`);
    }
  });

  test("most translations of other dialects were the same program, so that this was tried", () => {
    expect(seen.same).toBeGreaterThan(seen.translations / 3);
    expect(seen.faults).toBeGreaterThan(500);
  });
});

test("the ledger says how many translations of the fixtures are the same program", async () => {
  const counts = { own: { same: 0, all: 0 }, other: { same: 0, all: 0 } };
  for (const fixture of fixtureNames())
    for (const dialect of dialectsOf(fixture))
      for (const kernel of await kernelsOf(fixture, dialect))
        for (const target of twoWayDialects) {
          const { compilation, read } = await readAgain(kernel, target);
          if (!read) continue;
          const entry = compilation.module!.entries.find((e) => e.name === kernel.entry)!;
          const of = counts[target === dialect ? "own" : "other"];
          of.all++;
          if (sameProgram({ compilation, entry }, read)?.same) of.same++;
        }
  const { own, other } = counts;
  expect(other.same / other.all).toBeGreaterThan(0.5);
  const share = Math.round((100 * other.same) / other.all);
  const table = `\n${other.same} of ${other.all} to another language (${share} %), ${own.same} of ${own.all} to their own.\n\n`;
  const text = readFileSync(ledger, "utf8");
  expect(text).toMatch(marked);
  const written = text.replace(marked, (_, begin: string, end: string) => begin + table + end);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(ledger, written);
  expect(readFileSync(ledger, "utf8"), "regenerate with UPDATE_GOLDEN=1").toBe(written);
}, 600_000);

async function readAgain(
  kernel: Awaited<ReturnType<typeof kernelsOf>>[number],
  target: TwoWayDialect,
): Promise<{ compilation: Awaited<ReturnType<typeof compiled>>; read?: ReadTranslation }> {
  const translation = await translated(kernel, target);
  const compilation = await compiled(kernel.fixture, kernel.dialect);
  if (!translation.output) return { compilation };
  const read = await readTranslation(compilation, translation);
  if ("diagnostics" in read) throw new Error(read.diagnostics.map((d) => d.message).join("; "));
  return { compilation, read };
}
