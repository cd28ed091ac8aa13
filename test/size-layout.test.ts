/**
 * `size_t` in memory is an integer of 64 bits (MSL specification 2.1, table 2.2; OpenCL C 3.0 6.3.1 with 64-bit addresses), wherever
 * the host or the kernel itself sees its bytes. Results are worked out with JavaScript's own integers.
 */
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate, type TwoWayDialect } from "../src/index.js";
import { twoWayDialects } from "../src/dialects/ids.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const lanes = 4;
const start = Array.from({ length: 2 * lanes }, (_, i) => 0x8000_0000_0000_0001n + (BigInt(i) << 33n));
const rotated = (x: bigint): bigint => BigInt.asUintN(64, (x << 3n) | (x >> 61n));

interface Case {
  readonly name: string;
  readonly from: "msl" | "opencl";
  readonly source: string;
  /** What `o[i]` is behind. */
  readonly wanted: (i: number) => bigint;
}
const msl = (body: string, before = "", o = "device ulong *o"): string =>
  `#include <metal_stdlib>\nusing namespace metal;\n${before}\nkernel void k(${o} [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n  ${body}\n}\n`;

const cases: readonly Case[] = [
  {
    name: "elements of a buffer",
    from: "msl",
    source: msl("size_t t = o[i];\n  o[i] = (t << 3) | (t >> 61);", "", "device size_t *o"),
    wanted: (i) => rotated(start[i]!),
  },
  {
    name: "a pointer that was one to another type of 64 bits",
    from: "msl",
    source: msl("device size_t *a = (device size_t *)o;\n  size_t t = a[i];\n  a[i] = (t << 3) | (t >> 61);"),
    wanted: (i) => rotated(start[i]!),
  },
  {
    name: "bytes of the kernel's own",
    from: "msl",
    source: msl(
      "uchar b[16];\n  for (int j = 0; j < 8; j++) b[j] = uchar(o[i] >> (8 * j));\n  turn(b);\n  ulong r = 0;\n" +
        "  for (int j = 0; j < 8; j++) r |= ulong(b[8 + j]) << (8 * j);\n  o[i] = r;",
      "void turn(thread void *p) { thread size_t *a = (thread size_t *)p; size_t t = a[0]; a[1] = (t << 3) | (t >> 61); }",
    ),
    wanted: (i) => rotated(start[i]!),
  },
  {
    name: "bytes of a struct",
    from: "msl",
    source: msl(
      "P p;\n  p.a = 5;\n  p.n = i + 7;\n  thread uchar *b = (thread uchar *)&p;\n  o[i] = b[8] + b[0] * 100;",
      "struct P { uint a; size_t n; };",
    ),
    wanted: (i) => 507n + BigInt(i),
  },
  {
    name: "pointers to variables",
    from: "opencl",
    source: `void swap(size_t *a, size_t *b) { size_t t = *a; *a = *b; *b = t; }
kernel void k(global ulong *o) {
  size_t g[2] = { get_global_id(0), 7 };
  swap(g, g + 1);
  size_t *p = &g[1];
  o[get_global_id(0)] = g[0] * 10 + *p;
}`,
    wanted: (i) => 70n + BigInt(i),
  },
  {
    name: "arrays that stay in 32 bits",
    from: "opencl",
    source: `kernel void k(global ulong *o) {
  const size_t s[2] = { get_local_size(0), 1 };
  size_t t[2][2] = { { get_global_id(0), 1 }, { 2, 3 } };
  o[get_global_id(0) * s[1]] = (uint)(t[0][0] + s[0] * t[1][1]);
}`,
    wanted: (i) => BigInt(i + 3 * lanes),
  },
];

async function run(source: string, from: TwoWayDialect): Promise<readonly bigint[]> {
  const args = { o: BigUint64Array.from(start) };
  const launch = { from, workgroups: [1], workgroupSize: [lanes, 1, 1], args } as const;
  const { buffers, diagnostics, findings } = await simulate(source, launch);
  expect([...diagnostics.filter((d) => d.severity === "error"), ...findings].map((d) => d.message)).toEqual([]);
  return [...(buffers["o"] as BigUint64Array)].slice(0, lanes);
}

const translated = async ({ source, from }: Case, to: TwoWayDialect): Promise<string> => {
  const { code, diagnostics } = await translate(source, { from, to, workgroupSize: [lanes, 1, 1] });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  return code!;
};

describe.each(cases)("$name", (c) => {
  const wanted = Array.from({ length: lanes }, (_, i) => c.wanted(i));
  test("keeps all its bits", async () => {
    expect(await run(c.source, c.from)).toEqual(wanted);
    for (const to of twoWayDialects) expect(await run(await translated(c, to), to), to).toEqual(wanted);
  });
});

const args = `#include <metal_stdlib>
struct P { uint a; size_t n; float b; };
kernel void k(device float *o [[buffer(0)]], constant size_t &n [[buffer(1)]], constant P &p [[buffer(2)]],
              device P *q [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  if (i < n && i < p.n && i < q[i].n) o[i] = p.b * p.a;
}`;

test("arguments and members have the bytes and places that C gives them", async () => {
  const { entries } = await reflect(args, { from: "msl" });
  const [k] = entries;
  const of = (path: string): object | undefined => k!.arguments.find((a) => a.path === path);
  expect(of("n")).toMatchObject({ type: "u64", size: 8 });
  expect(of("p.n")).toMatchObject({ type: "u64", size: 8 });
  expect(of("q")).toMatchObject({ stride: 24 });
});

describe("judges", () => {
  for (const to of twoWayDialects)
    judgeTest(judges[to], `${to} is taken`, async () => {
      const texts = await Promise.all(
        [...cases, { name: "args", from: "msl", source: args, wanted: () => 0n } as const].map(async (c) =>
          judgeable(to, c.name, await translated(c, to)),
        ),
      );
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
});

/** GLSL 4.60 section 4.1.9: the size of an array is a constant `int` or `uint`. */
describe("a macro that is a length, and a number of 64 bits elsewhere", () => {
  const source = msl(
    "uchar a[PLEN];\n  for (int j = 0; j < PLEN; ++j) a[j] = uchar(j * 3);\n  o[i] = last(a, o[i]);",
    "#define PLEN 20\nuchar last(thread uchar *a, ulong n) { return n >= PLEN ? a[PLEN - 1] : a[n]; }",
  );
  const c = { name: "a length", from: "msl", source, wanted: () => 57n } as const;
  test("computes the same", async () => {
    expect(await run(await translated(c, "glsl"), "glsl")).toEqual(Array.from({ length: lanes }, () => 57n));
  });
  judgeTest(judges.glsl, "the text is taken", async () => {
    expect(refusals(await judgeOutputs([judgeable("glsl", c.name, await translated(c, "glsl"))]))).toBe("");
  });
});
