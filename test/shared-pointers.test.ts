/**
 * Pointers that lie in workgroup memory, by themselves and in structs (OpenCL C 3.0 6.7, MSL 4.4): one lane sets what all read. Each
 * case is a kernel with its results worked out in plain JavaScript; the real compilers take the source and the translations, which are run
 * at two widths, and PoCL runs the sources.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../src/index.js";
import { twoWayDialects } from "../src/dialects/ids.js";
import { deviceTest } from "./device/device-test.js";
import { runHere } from "./device/run-here.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const lanes = 8;
const x = Array.from({ length: 64 }, (_, i) => 3 * i + 1);

interface Case {
  readonly name: string;
  readonly from: "msl" | "opencl";
  readonly file?: string;
  /** Of a kernel with `x` and `o` in global memory, `l`, the invocation, and `n`, which is 3. */
  readonly body: string;
  readonly wanted: (l: number) => number;
}

const cases: readonly Case[] = [
  {
    name: "pointers by themselves and in an array, set by several lanes, in turn",
    from: "opencl",
    body: `global const int *local q; global const int *local r[2]; local int t[16]; local int *local own;
  t[l] = l; t[l + 8] = 100 + l;
  if (l == 0) { q = x + 1; r[0] = x + n; own = &t[n]; }
  if (l == 3) r[1] = &x[n * l];
  BARRIER
  int s = q[l] + 100 * r[l & 1][l] + own[l];
  BARRIER
  if (l == 5) { q += 4; q++; --own; r[0] = q - 2; }
  BARRIER
  o[l] = 10000 * s + *q + r[0][1] + own[0] + (int)(q - r[0]) + (q == x + 6);`,
    wanted: (l) => {
      const t = (k: number): number => (k < 8 ? k : 100 + k - 8);
      const s = x[1 + l]! + 100 * x[(l & 1 ? 9 : 3) + l]! + t(3 + l);
      return 10000 * s + x[6]! + x[5]! + 2 + 2 + 1;
    },
  },
  {
    name: "copies of what may be null, and choices beside null",
    from: "opencl",
    body: `global const int *local q; global const int *local r; global const int *local s[2]; local int t[8]; local int *local own;
  t[l] = 40 + l;
  if (l == 0) { r = 0; if (n > 3) r = x + n; q = r; s[0] = n > 2 ? x + 1 : r; s[1] = n > 3 ? x : 0; own = n == 3 ? 0 : &t[1]; }
  BARRIER
  o[l] = (q ? q[l] : -1) + (q == r ? 100 : 200) + (s[0] ? s[0][l] * 1000 : 0) + (s[1] == 0 ? 7 : 9) + (own ? 1 : 2);
  BARRIER
  if (l == 1) {
    global const int *p = 0, *z = 0;
    if (n == 3) p = x + 2;
    if (n == 4) z = x + 2;
    q = p; r = q; s[0] = z; s[1] = p++; own = (local int *)t + n;
  }
  BARRIER
  o[l] += (r ? r[l] * 100000 : 0) + (s[0] ? 50 : 60) + (s[1] == q ? 300 : 400) + *own;`,
    wanted: (l) => -1 + 100 + x[1 + l]! * 1000 + 7 + 2 + x[2 + l]! * 100000 + 60 + 300 + 43,
  },
  {
    name: "a struct, handed to functions that wait at barriers, copied, and led to by a variable",
    from: "opencl",
    file: `typedef struct { global const int *p; int n; } View;
int sum(local View *v, int l) { int s = 0; for (int j = 0; j < v->n; j++) s += v->p[(j + l) % 8]; return s; }
void next(local View *v, int l) { BARRIER if (l == 1) { v->p += 1; v->n++; } BARRIER }`,
    body: `local View v, old;
  global const int *from = x;
  for (int j = 0; j < n; j++) from++;
  if (l == 0) { v.p = from; v.n = 2; }
  BARRIER
  int s = sum(&v, l);
  next(&v, l);
  if (l == 0) { old = v; old.n = 1; }
  BARRIER
  o[l] = s + 1000 * sum(&v, l) + 1000000 * sum(&old, l);`,
    wanted: (l) => {
      const sum = (at: number, n: number): number =>
        Array.from({ length: n }, (_, j) => x[at + ((j + l) % 8)]!).reduce((a, b) => a + b);
      return sum(3, 2) + 1000 * sum(4, 3) + 1000000 * sum(4, 1);
    },
  },
  {
    name: "structs in structs and arrays, with null and arrays of pointers",
    from: "msl",
    file: `struct Base { device const int *p; int n; threadgroup int *t; };
struct View { Base b; device const int *q[2]; };
int at(threadgroup const View &v, int i) { return v.b.p[i % v.b.n]; }
void set(threadgroup View *v, device const int *a, int n) { v->b.p = a + 2; v->b.n = n; v->q[1] = a; v->q[0] = a + 8; }`,
    body: `threadgroup View v; threadgroup int tile[8]; threadgroup View vs[2]; device const int *threadgroup r;
  if (l == 0) { set(&v, x, n); v.b.t = tile + 3; vs[1].b = v.b; vs[0].b.p = nullptr; r = x; }
  tile[l] = 100 * l;
  BARRIER
  View w = v;
  w.q[0] = w.q[1] + 1;
  o[l] = at(v, l) + v.b.t[l % 4] + 1000 * (v.q[0][l] + w.q[0][l]) + vs[1].b.p[1] + (vs[0].b.p == nullptr ? 7 : 0) + r[1] + (vs[1].b.p ? 11 : 0);`,
    wanted: (l) => x[2 + (l % 3)]! + 100 * (3 + (l % 4)) + 1000 * (x[8 + l]! + x[1 + l]!) + x[3]! + 7 + x[1]! + 11,
  },
  {
    name: "pointers that are null before, moved where an index has effects",
    from: "opencl",
    body: `global const int *local q; global const int *local r[4]; int i = 0;
  if (l == 0) {
    q = 0; r[0] = 0; r[1] = x + 10; r[2] = x + 20; r[3] = 0;
    q = x;
    int a = *q++; a = 100 * a + *++q; a = 100 * a + *(q += 3);
    r[i++] = x + a % 8;
    r[i++] += 5;
    r[i++] -= 6;
  }
  BARRIER
  int k = 0;
  int s = *r[k++] + 1000 * r[k++][1];
  s += 1000000 * *r[k++];
  o[l] = s + 10000000 * k + (r[k] == 0) + *q;`,
    wanted: () =>
      x[(10000 * x[0]! + 100 * x[2]! + x[5]!) % 8]! + 1000 * x[16]! + 1000000 * x[14]! + 10000000 * 3 + 1 + x[5]!,
  },
  {
    name: "members that are pointers to another type, of two kernels' lanes",
    from: "msl",
    file: `struct Rows { device const int2 *pairs; threadgroup int *best; };`,
    body: `threadgroup Rows rows; threadgroup int found[4];
  if (l < 4) found[l] = -int(l);
  if (l == 7) { rows.pairs = (device const int2 *)x + n; rows.best = found; }
  BARRIER
  if (l == 2) rows.best[n] = rows.pairs[1].y;
  BARRIER
  o[l] = rows.pairs[l].x + 1000 * rows.best[l & 3];`,
    wanted: (l) => x[2 * (3 + l)]! + 1000 * ((l & 3) === 3 ? x[9]! : -(l & 3)),
  },
  {
    name: "one of several objects, by conditions, variables and copies",
    from: "opencl",
    body: `local int t[8], u[8]; global const int *local p; local int *local w; global const int *local r[2]; global const int *y = o + 0;
  t[l] = l; u[l] = 100 + l; o[l] = 7 * l;
  BARRIER_ALL
  if (l == 0) { p = n > 2 ? x : y; w = t[3] & 2 ? u + 1 : t; }
  BARRIER
  if (l < 2) r[l] = l ? p : y + 3;
  BARRIER
  int s = p[l] + 1000 * w[l & 3] + 100000 * r[1][l] + r[0][l & 3];
  BARRIER
  if (l == 3) {
    global const int *q = n == 3 ? x + 1 : 0;
    if (n == 3) q = y + 2;
    p = q; w = w == u + 1 ? t : u; w++; *w = 55; r[1] = r[0];
  }
  BARRIER
  s += 3 * (p ? p[l & 3] : 9) + 5 * *w + (p == y + 2 ? 11 : 13) + r[1][0];
  BARRIER
  if (l == 5) { p = *w == 55 ? x + 4 : p; p++; r[0] = 0; w = t[1] == 55 ? w + 1 : u; }
  BARRIER
  s += 17 * p[l] + (r[0] ? 19 : 23) + *w;
  BARRIER_ALL
  o[l] = s;`,
    wanted: (l) => {
      const y = (k: number): number => 7 * k;
      const first = x[l]! + 1000 * (101 + (l & 3)) + 100000 * x[l]! + y(3 + (l & 3));
      return first + 3 * y(2 + (l & 3)) + 5 * 55 + 11 + y(3) + 17 * x[5 + l]! + 23 + 2;
    },
  },
  {
    name: "members that lead into one of two buffers",
    from: "msl",
    file: `struct View { device const int *p; int n; };
int at(threadgroup const View &v, int i) { return v.p[i % v.n]; }`,
    body: `threadgroup View v, old; device const int *mine = o;
  o[l] = 3 - l;
  threadgroup_barrier(mem_flags::mem_device);
  if (l == 6) { View w = {n > 2 ? mine : x, 2}; v = w; }
  BARRIER
  if (l == 1) { old = v; v.p = n > 3 ? v.p : x + 1; v.n = 4; }
  BARRIER
  const int s = at(v, l) + 1000 * at(old, l);
  threadgroup_barrier(mem_flags::mem_device);
  o[l] = s;`,
    wanted: (l) => x[1 + (l % 4)]! + 1000 * (3 - (l % 2)),
  },
];

const withBarriers = (text: string, from: "msl" | "opencl"): string =>
  text
    .replaceAll("BARRIER_ALL", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);")
    .replaceAll(
      "BARRIER",
      from === "msl" ? "threadgroup_barrier(mem_flags::mem_threadgroup);" : "barrier(CLK_LOCAL_MEM_FENCE);",
    );
const sourceOf = ({ from, file, body }: Pick<Case, "from" | "file" | "body">): string =>
  withBarriers(
    from === "msl"
      ? `#include <metal_stdlib>
using namespace metal;
${file ?? ""}
kernel void k(device const int *x [[buffer(0)]], device int *o [[buffer(1)]], constant int &n [[buffer(2)]], uint id [[thread_index_in_threadgroup]]) {
  const int l = int(id);
  ${body}
}
`
      : `${file ?? ""}
kernel __attribute__((reqd_work_group_size(${lanes}, 1, 1))) void k(global const int *x, global int *o, int n) {
  const int l = get_local_id(0);
  ${body}
}
`,
    from,
  );
const args = (): Record<string, Int32Array | number> => ({
  x: Int32Array.from(x),
  o: new Int32Array(lanes),
  n: 3,
});
const wantedOf = (c: Case): Int32Array => Int32Array.from({ length: lanes }, (_, l) => c.wanted(l));

async function written(c: Case, to: TwoWayDialect): Promise<string> {
  const { code, diagnostics } = await translate(sourceOf(c), { from: c.from, to, workgroupSize: [lanes, 1, 1] });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return code!;
}

async function run(text: string, from: TwoWayDialect, subgroupSize: number): Promise<unknown> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    workgroups: [1],
    ...(from === "msl" || from === "opencl" ? { workgroupSize: [lanes, 1, 1] } : {}),
    subgroupSize,
    args: args(),
  });
  expect([...diagnostics.filter((d) => d.severity === "error"), ...findings].map((d) => d.message)).toEqual([]);
  return buffers["o"];
}

describe.each(cases)("$name", (c) => {
  test.each([4, 32])("computes what the source says, at width %i", async (width) => {
    expect(await run(sourceOf(c), c.from, width)).toEqual(wantedOf(c));
    for (const to of twoWayDialects) {
      const text = await written(c, to);
      expect(await run(text, to, width), text).toEqual(wantedOf(c));
    }
  });
});

describe.each(twoWayDialects)("%s", (to) => {
  judgeTest(judges[to], "the compiler takes the texts, and the sources", async () => {
    const texts: Judgeable[] = [];
    for (const c of cases) {
      texts.push(judgeable(to, c.name, await written(c, to)));
      if (c.from === to) texts.push({ dialect: to, name: c.name, text: sourceOf(c), options: {} } as Judgeable);
    }
    expect(refusals(await judgeOutputs(texts))).toBe("");
  });
});

await deviceTest("opencl", "PoCL has the same results, of sources and translations", async () => {
  for (const c of cases) {
    const texts = [...(c.from === "opencl" ? [sourceOf(c)] : []), await written(c, "opencl")];
    for (const text of texts) {
      const ran = await runHere(text, {
        from: "opencl",
        device: "opencl",
        workgroups: [1],
        workgroupSize: [lanes],
        args: args(),
      });
      expect(ran.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      expect(ran.buffers["o"], c.name).toEqual(wantedOf(c));
    }
  }
});

test.each([
  [
    "local int t[8]; t[l] = l; const int *local q; if (l == 0) q = n > 3 ? (const int *)x : (const int *)t; BARRIER o[l] = q[l];",
    "the pointer 'q' in workgroup memory that leads into 'x' and 't' is not supported yet",
  ],
  [
    "global const int *local q[2]; int i = 0; if (l == 0) { q[i++] = n > 3 ? x : (global const int *)o; q[1] = x; } BARRIER o[l] = q[l & 1][l];",
    "a pointer in workgroup memory that may lead into several objects, set in such a way, is not supported yet",
  ],
  [
    "global const int *local q; o[l] = q[l];",
    "the pointer 'q' in workgroup memory, of which is not known where it leads, is not supported yet",
  ],
  [
    "typedef struct { int a, b; } S; global const S *local q; if (l == 0) q = (global const S *)(x + n); BARRIER o[l] = q[l].b;",
    "the pointer 'q' in workgroup memory to what begins anywhere in 'x' is not supported yet",
  ],
  [
    "int mine = l; int *local q; if (l == 0) q = &mine; BARRIER o[l] = *q;",
    "the pointer 'q' in workgroup memory, of which is not known where it leads, is not supported yet",
  ],
])("%s is refused", async (body, message) => {
  for (const to of twoWayDialects) {
    const { code, diagnostics } = await translate(sourceOf({ from: "opencl", body }), { from: "opencl", to });
    expect(code).toBeUndefined();
    expect(diagnostics.map((d) => d.message)).toContain(message);
  }
});

test("an index that may be none is written once", async () => {
  const body = "global const int *local q; if (l == 0) q = n > 3 ? x : 0; BARRIER o[l] = q ? q[l] : -1;";
  const { code } = await translate(sourceOf({ from: "opencl", body }), { from: "opencl", to: "glsl" });
  expect(code).toContain("o[l] = q_offset != -2147483647 - 1 ? x[q_offset + l] : -1;");
});
