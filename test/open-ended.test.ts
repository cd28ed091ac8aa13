/**
 * Arrays of one element at the end of a buffer: `struct List { uint n; float x[1]; }`, and classes of nothing but such an array, as
 * WGSL's compilers write what its runtime-sized arrays become in MSL. A pointer to one is the address of its first element, and
 * elements lie one behind the other (C99 6.5.2.1, 6.7.2.1): where they are, and what kernels compute, is worked out by hand.
 */
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate, verify, type TwoWayDialect } from "../src/index.js";
import { twoWayDialects } from "../src/dialects/ids.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const lanes = 8;

interface Case {
  readonly name: string;
  readonly from: "msl" | "opencl";
  /** With a kernel `k` of buffers `o` (ints), `x` and `y`. */
  readonly source: string;
  /** Words of the buffers before. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Words behind, of those that change. */
  readonly wanted: { readonly o: readonly number[]; readonly x?: readonly number[]; readonly y?: readonly number[] };
}

const row = `#include <metal_stdlib>
using namespace metal;
template <typename T, size_t N> struct row {
  const constant T &operator[](size_t i) const constant { return elements[i]; }
  device T &operator[](size_t i) device { return elements[i]; }
  const device T &operator[](size_t i) const device { return elements[i]; }
  thread T &operator[](size_t i) thread { return elements[i]; }
  const thread T &operator[](size_t i) const thread { return elements[i]; }
  T elements[N];
};
`;
const ten = Array.from({ length: 20 }, (_, i) => 10 * i);
const upTo = (n: number, f: (i: number) => number): number[] => Array.from({ length: n }, (_, i) => f(i));

const cases: readonly Case[] = [
  {
    name: "a class of one array, bound itself, in a struct, and behind other members",
    from: "msl",
    source: `${row}
struct list { row<int, 1> all; };
struct counted { uint n; int first; row<int, 1> rest; };
struct vars { device row<int, 1> *o; const device list *x; device counted *y; };
int last(const device list &l, uint n) { return l.all[n - 1]; }
void work(uint i, vars v) {
  (*v.o)[i] = (*v.x).all[min(i + 1, 6u)] + (*v.y).rest[i] + last(*v.x, v.y->n);
}
kernel void k(device row<int, 1> *o [[buffer(0)]], const device list *x [[buffer(1)]], device counted *y [[buffer(2)]],
              uint i [[thread_position_in_threadgroup]]) {
  work(i, vars{.o = o, .x = x, .y = y});
  if (i == 0) y->first = int(sizeof(counted)) + y->rest[0];
}
`,
    x: ten,
    y: [5, 0, ...ten],
    wanted: { o: upTo(lanes, (i) => 10 * Math.min(i + 1, 6) + 10 * i + 40), y: [5, 12, ...ten] },
  },
  {
    name: "beside the same class by value and within elements",
    from: "msl",
    source: `${row}
struct pair { row<int, 1> a; int b; };
int first(row<int, 1> r) { r[0] += 1; return r[0]; }
void add(device row<int, 1> &r, uint i, int by) { int n = by; r[i] += n; }
kernel void k(device row<int, 1> &o [[buffer(0)]], device pair *x [[buffer(1)]], constant row<int, 1> *y [[buffer(2)]],
              uint i [[thread_position_in_threadgroup]]) {
  row<int, 1> mine;
  mine[0] = 1000 * int(i);
  o[i] = first(mine) + x[i].a[0] + x[i + 1].b;
  add(o, i, (*y)[2 * i]);
  x[i].a[0] = int(i) + 7;
}
`,
    x: ten,
    y: upTo(16, (i) => 100000 * i),
    wanted: {
      o: upTo(lanes, (i) => 1000 * i + 1 + 20 * i + (20 * i + 30) + 200000 * i),
      x: ten.map((v, w) => (w % 2 === 0 && w < 16 ? w / 2 + 7 : v)),
    },
  },
  {
    name: "atomics, and pointers that are chosen",
    from: "msl",
    source: `${row}
struct counters { atomic_uint n; row<atomic_uint, 1> each; };
kernel void k(device row<int, 1> *o [[buffer(0)]], device row<int, 1> *x [[buffer(1)]], device counters *y [[buffer(2)]],
              uint i [[thread_position_in_threadgroup]]) {
  device row<int, 1> *at = i < 4 ? o : x;
  (*at)[i] = int(i) + 1;
  device int *second = &(*o)[4];
  if (i >= 4) second[i - 4] = 3;
  atomic_fetch_add_explicit(&y->each[i / 2], i, memory_order_relaxed);
  atomic_fetch_max_explicit(&y->n, i, memory_order_relaxed);
}
`,
    x: ten,
    y: [3, 1, 1, 1, 1],
    wanted: {
      o: [1, 2, 3, 4, 3, 3, 3, 3],
      x: ten.map((v, i) => (i >= 4 && i < 8 ? i + 1 : v)),
      y: [7, 2, 6, 10, 14],
    },
  },
  {
    name: "C's struct with an array of one element at its end",
    from: "opencl",
    source: `struct list { uint n; int x[1]; };
struct all { int x[1]; };
int get(__global const struct all *a, uint i) { return a->x[i]; }
void set(__global struct list *l, uint i, int v) { l->x[i] = v; l->x[0] += (int)sizeof(struct list); }
__kernel void k(__global int *o, __global struct list *x, __global const struct all *y) {
  uint i = get_local_id(0);
  o[i] = get(y, i + 2) + x->x[i] + x->n;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (i == 3) set(x, 5, 9);
}
`,
    x: ten,
    y: ten,
    wanted: {
      o: upTo(lanes, (i) => 10 * (i + 2) + 10 * (i + 1)),
      x: [0, 10 + 8, 20, 30, 40, 50, 9, ...ten.slice(7)],
    },
  },
];

async function run(
  c: Case,
  source: string,
  from: TwoWayDialect,
  subgroupSize: number,
  words = lanes,
): Promise<unknown> {
  const { buffers, diagnostics, findings } = await simulate(source, {
    from,
    workgroups: [1],
    ...(from === "msl" || from === "opencl" ? { workgroupSize: [lanes, 1, 1] } : {}),
    subgroupSize,
    args: { o: new Int32Array(words), x: Int32Array.from(c.x), y: Int32Array.from(c.y) },
  });
  const found = [...diagnostics.filter((d) => d.severity === "error"), ...findings].map((d) => d.message);
  if (found.length > 0) return found;
  const read = (name: string): number[] => {
    const { buffer, byteOffset, byteLength } = buffers[name] as Int32Array;
    return [...new Int32Array(buffer, byteOffset, byteLength / 4)];
  };
  return { o: read("o"), x: read("x"), y: read("y") };
}

describe.each(cases)("$name", (c) => {
  const wanted = { x: c.x, y: c.y, ...c.wanted };
  const options = { from: c.from, workgroupSize: [lanes, 1, 1] } as const;

  test.each([4, 32])("computes what the source says, at width %i", async (width) => {
    expect(await run(c, c.source, c.from, width)).toEqual(wanted);
  });

  test.each(twoWayDialects)("computes the same as %s", async (to) => {
    const { result, diagnostics } = await verify(c.source, { ...options, to });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
    expect(result).toMatch(/^equivalent/);
  });

  test("may not go beyond the buffer", async () => {
    const found = (await run(c, c.source, c.from, 4, lanes - 1)) as readonly string[];
    expect(new Set(found)).toEqual(new Set(["write out of bounds of o"]));
  });
});

describe("judges", () => {
  for (const to of twoWayDialects)
    judgeTest(judges[to], `the ${to} compiler takes the translations`, async () => {
      const texts: Judgeable[] = [];
      for (const c of cases.filter(({ from }) => from !== to)) {
        const { code } = await translate(c.source, { from: c.from, to, workgroupSize: [lanes, 1, 1] });
        texts.push(judgeable(to, c.name, code!));
      }
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
});

test.each(["glsl", "hlsl"] as const)("no array of %s has one element where more are reached", async (to) => {
  for (const c of cases) {
    const { code, diagnostics } = await translate(c.source, { from: c.from, to, workgroupSize: [lanes, 1, 1] });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
    // The class by value stays, in the second.
    const left = c.name.startsWith("beside") ? 1 : 0;
    expect(code!.match(/\w+ \w+\[1\];/g) ?? []).toHaveLength(left);
  }
});

test("reflection says that the end is open", async () => {
  const [entry] = (await reflect(cases[0]!.source, { from: "msl" })).entries!;
  expect(entry!.arguments.map((a) => [a.path, a.type, a.size, a.stride])).toEqual([
    ["o", "i32[]", undefined, 4],
    ["x", "i32[]", undefined, 4],
    ["y", expect.anything(), 8, 4],
  ]);
});

test("a struct of which elements follow each other, or that is copied, ends in one element", async () => {
  const source = `struct s { uint n; float x[1]; };
__kernel void k(__global struct s *a, __global struct s *b) {
  uint i = get_global_id(0);
  a[i].x[0] += a[i].n;
  struct s copy = *b;
  b->x[i] = copy.x[0];
}
`;
  const [entry] = (await reflect(source, { from: "opencl" })).entries!;
  expect(entry!.arguments.map((a) => [a.path, a.stride])).toEqual([
    ["a", 8],
    ["b", 8],
  ]);
  const { findings } = await simulate(source, {
    from: "opencl",
    workgroups: [1],
    workgroupSize: [2, 1, 1],
    args: { a: new Uint8Array(16), b: new Uint8Array(16) },
  });
  expect(findings.map((f) => f.message)).toEqual([expect.stringContaining("of an array of 1 element")]);
});
