/**
 * Pointers of OpenCL C that name no address space (OpenCL C 3.0 6.7.5): functions that take them are called with pointers into
 * global, workgroup and private memory. Results are worked out in plain JavaScript, and compilers take source and translations.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const lanes = 8;
const source = `
float sum(const float *p, int n) { float s = 0; for (int k = 0; k < n; k++) s += p[k]; return s; }
void add(generic float *to, const float *from, float by) { float *q = to; *q += from[1] * by + sum(from, 2); }
float *next(float *p) { return p + 1; }
kernel __attribute__((reqd_work_group_size(${lanes}, 1, 1))) void k(global float *x, global float *o) {
  int i = (int)get_local_id(0);
  local float t[${lanes + 2}];
  float v[3] = {1, 2, 3};
  t[i] = x[i];
  if (i < 2) t[${lanes} + i] = 100;
  barrier(CLK_LOCAL_MEM_FENCE);
  add(o + i, x + i, 2);
  add(o + i, t + i, 3);
  add(v, x + 2, 1);
  add(o + i, v, 1);
  *next(v) = 5;
  float *h, *g; const float *q = 0;
  h = t; g = o; q = x;
  if (i & 1) h = t + 1;
  for (int k = 0; k < 2; k++) { float *z; z = &g[i]; *z += h[i] + q[k]; }
  for (float *a = t, *b = o + i; a < t + 2; a++) *b += a[i];
  const float *n = i > 2 ? x : (const float *)0; o[i] += n ? n[1] : 50; float *m = i ? NULL : t; o[i] += m ? *m + 5 : 9;
  o[i] += *next(x) + *next(t + i) + sum(v, 3) + sum(next(o), 0);
}
`;
const x = Float32Array.from({ length: 16 }, (_, i) => 3 * i + 1);
/** All are small whole numbers: exact in any order. */
const wanted = Float32Array.from({ length: lanes }, (_, i) => {
  const at = (list: ArrayLike<number>, k: number): number => list[k]!;
  const t = [...x.slice(0, lanes), 100, 100];
  const add = (list: ArrayLike<number>, from: number, by: number): number =>
    at(list, from + 1) * by + at(list, from) + at(list, from + 1);
  const v = [1 + add(x, 2, 1), 2, 3];
  let o = i + add(x, i, 2) + add(t, i, 3) + add(v, 0, 1);
  v[1] = 5;
  o += 2 * at(t, i + (i & 1)) + at(x, 0) + at(x, 1);
  o += at(t, i) + at(t, i + 1);
  o += (i > 2 ? at(x, 1) : 50) + (i ? 9 : at(t, 0) + 5);
  o += at(x, 1) + at(t, i + 1) + v[0]! + v[1] + v[2]!;
  return o;
});
const launch = {
  workgroups: [1],
  workgroupSize: [lanes],
  args: { x, o: Float32Array.from({ length: lanes }, (_, i) => i) },
};
const targets: readonly TwoWayDialect[] = ["msl", "glsl", "opencl", "hlsl"];

/** Pointers that are null, or unset, before they lead anywhere: variables, members, elements, results, and what pointers to pointers lead to. */
const nullFirst = `
int *pick(int *p, int *q, int c) { int *r = 0; if (c) r = q; if (r == 0) r = p; return r; }
struct node { int *data; struct { int *next; int n; } in; };
void give(struct node *s, int *d) { s->data = 0; s->in.next = d; s->in.n = 2; }
int first(int **rows, int n) { int s = 0; for (int k = 0; k < n; k++) if (rows[k]) s += rows[k][0]; return s; }
void swap(int **a, int **b) { int *t = *a; *a = *b; *b = t; }
void set(int **to, int *v) { if (*to == 0) *to = v; }
typedef int *address;
kernel __attribute__((reqd_work_group_size(${lanes}, 1, 1))) void k(global int *x, global int *o, int c) {
  int i = (int)get_local_id(0);
  local int l[${lanes}];
  l[i] = 100 + i;
  barrier(CLK_LOCAL_MEM_FENCE);
  int *p = 0, *q = 0, *r = NULL;
  for (int j = 0; j < 3; j++) { if (q) r = q; q = p; p = x + i + j; }
  struct node s; give(&s, l + (i & 3));
  int *rows[3] = {0, x + 1};
  rows[2] = i > 3 ? x + 2 : 0;
  int v[2] = {7, 8};
  int *a = v, *b = v + 1;
  swap(&a, &b);
  address t; t = (int *)0; if (c == 1) t = &l[2];
  int **pp = &t;
  int *w = *pp, *u = 0, *z = 0;
  set(&u, x + 5); set(&u, x + 6); set(&z, &l[7]);
  int found = first(rows, 3);
  o[i] = *pick(x, x + 3, i & 1) + *pick(l, l + 3, i & 2) * 1000 + (r ? *r : -1) + s.in.next[0] + found * 10 + *a * 100;
  o[i] += (w ? *w : 5) + (s.data ? 1 : 2) + *u + *z;
}
`;
const whole = Int32Array.from({ length: 16 }, (_, i) => 3 * i + 1);
const wantedNullFirst = (c: number): Int32Array =>
  Int32Array.from({ length: lanes }, (_, i) => {
    const x = (k: number): number => 3 * k + 1;
    const found = x(1) + (i > 3 ? x(2) : 0);
    const first = (i & 1 ? x(3) : x(0)) + (i & 2 ? 103 : 100) * 1000 + x(i) + 100 + (i & 3) + found * 10 + 8 * 100;
    return first + (c === 1 ? 102 : 5) + 2 + x(5) + 107;
  });

/** Null fits what is made for calls with pointers into whatever memory. */
const nullOfSeveral = `
int apart(const int *p, const int *q) { return p ? (q ? *q - *p : *p) : q ? *q : -1; }
kernel __attribute__((reqd_work_group_size(${lanes}, 1, 1))) void k(global int *x, global int *o) {
  int i = (int)get_local_id(0), v = 7;
  const int *n = 0;
  if (i & 1) n = x + 1;
  o[i] = apart(0, n) + 2 * apart(x + 1, 0) + 3 * apart(NULL, x + 1) + 4 * apart(x, x + 1) + 5 * apart(x + 1, &v);
}
`;

/** One that is null at first and handed to a function that returns it or another. */
const nullHandedOn = `
int *set(int *p, int *q) { if (!p) p = q; return p; }
kernel __attribute__((reqd_work_group_size(${lanes}, 1, 1))) void k(global int *x, global int *o) {
  int i = (int)get_local_id(0);
  int v[3] = {5, 6, 7};
  int *n = 0;
  n = set(n, x + i);
  int *m = set(n, v);
  o[i] = *n + 100 * *m;
}
`;

/** Which of two memories a pointer leads into is known when the kernel runs. */
const twoMemories = `
typedef struct { int *p; int n; } view;
int sum(const int *p, int n) { int s = 0; for (int k = 0; k < n; k++) s += p[k]; return s; }
void add(int *p, int v) { *p += v; }
int *next(int *p) { return p + 1; }
int *set(int *p, int *q) { if (!p) p = q; return p; }
kernel __attribute__((reqd_work_group_size(${lanes}, 1, 1))) void k(global int *x, global int *o) {
  int i = (int)get_local_id(0);
  local int l[${lanes}];
  int v[3] = {5, 6, 7};
  l[i] = 100 + i;
  barrier(CLK_LOCAL_MEM_FENCE);
  int *g = i & 1 ? (int *)l : (int *)x;
  int r = g[1];
  if (i > 2) g = v;
  r += g[2];
  int *h = 0;
  if (i == 4) h = x + 2;
  if (!h) h = l + 3;
  r += *h * 3;
  view s; s.p = l; s.n = 2;
  if (i & 2) s.p = v;
  r += s.p[1] * 5 + sum(s.p, s.n);
  int *w = v;
  if (i & 4) w = o + i;
  *w = 9;
  add(w, 2);
  int *list[2] = {l, x};
  r += list[i & 1][2] * 7;
  list[0] = v;
  r += list[i & 1][0] * 11;
  for (int *q = g; q < g + 2; q++) r += *q;
  int *n = next(h), *u = 0;
  u = set(u, i & 1 ? g : h);
  r += *n + (g == h ? 1000 : 0) + (w == v ? 2000 : 0) + *set(u, l);
  o[i] += r;
}
`;
const wantedTwoMemories = Int32Array.from({ length: lanes }, (_, i) => {
  const x = (k: number): number => 3 * k + 1;
  const l = (k: number): number => 100 + k;
  const v = [5, 6, 7];
  let o = 0;
  let g = (k: number): number => (i & 1 ? l(k) : x(k));
  let r = g(1);
  if (i > 2) g = (k) => v[k]!;
  r += g(2);
  const h = (k: number): number => (i === 4 ? x(2 + k) : l(3 + k));
  r += h(0) * 3;
  const s = (k: number): number => (i & 2 ? v[k]! : l(k));
  r += s(1) * 5 + s(0) + s(1);
  if (i & 4) o = 11;
  else v[0] = 11;
  r += (i & 1 ? x(2) : l(2)) * 7;
  r += (i & 1 ? x(0) : v[0]!) * 11;
  r += g(0) + g(1);
  r += h(1) + (i & 4 ? 0 : 2000) + (i & 1 ? g(0) : h(0));
  return o + r;
});

/** Differences of pointers that began in different memories, in one where they are taken. */
const apart = `int far(int *a, int *b) { return (int)(b - a); }
__attribute__((reqd_work_group_size(8, 1, 1))) kernel void k(global int *x, global int *o, int c) {
  int v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  local int l[8];
  int i = get_local_id(0);
  l[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  int *p = v, *q = x + 1, *r = l + 2;
  if (c) p = x; else q = v + 4;
  o[i] = (int)(q - p) * 100 + (int)(p - q) + (q > p);
  if (c == 0) r = v + i;
  o[i] += 10000 * (c == 0 ? (int)(r - p) : (int)(r - l)) + 1000000 * (c ? far(x, x + 3) : far(v + 1, v + 3));
}
`;
const wantedApart = (c: number): Int32Array =>
  Int32Array.from({ length: lanes }, (_, i) => (c ? 3000000 + 20000 + 100 : 2000000 + 10000 * i + 400 - 4 + 1));

/** What pointers to pointers lead to leads into one memory or another. */
const behindPointers = `typedef struct { int *p; int **pp; } turn;
void go(turn *t) { *t->pp = t->p; }
void bump(int **p) { ++*p; }
void two(int **p, int **q) { bump(p); bump(q); bump(q); }
int **choose(int **x, int **y, int c) { return c ? x : y; }
__attribute__((reqd_work_group_size(8, 1, 1))) kernel void k(global int *x, global int *o) {
  local int l[12];
  int i = get_local_id(0);
  int v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  l[i] = 100 + i;
  if (i < 4) l[8 + i] = 200 + i;
  barrier(CLK_LOCAL_MEM_FENCE);
  int *p = x, *q = l, *r = v;
  int **pp = (i & 1) ? &p : &q;
  *pp += 1;
  int got = (*pp)[1];
  two(&p, &q);
  two(i & 2 ? &q : &r, &p);
  got += *p * 3 + *q * 5 + *r * 7;
  turn t = {x + 5, &q};
  if (i & 4) t.pp = &r;
  go(&t);
  t.p = l + 3;
  t.pp = choose(&p, &q, i & 1);
  go(&t);
  o[i] = got * 1000 + *p + *q + *r;
}
`;
const wantedBehindPointers = Int32Array.from({ length: lanes }, (_, i) => {
  const x = (k: number): number => 3 * k + 1;
  const l = (k: number): number => (k < 8 ? 100 : 192) + k;
  const v = (k: number): number => 1 + k;
  // How far each of them has come by then.
  const p = 1 + 2 + (i & 1 ? 1 : 0);
  const q = 2 + (i & 1 ? 0 : 1) + (i & 2 ? 1 : 0);
  const r = i & 2 ? 0 : 1;
  const got = (i & 1 ? x(2) : l(2)) + x(p) * 3 + l(q) * 5 + v(r) * 7;
  const [isP, isR] = [(i & 1) !== 0, (i & 4) !== 0];
  const last = (isP ? l(3) : x(p)) + (isP ? (isR ? l(q) : x(5)) : l(3)) + (isR ? x(5) : v(r));
  return got * 1000 + last;
});

const programs = [
  {
    name: "behind pointers to pointers",
    source: behindPointers,
    runs: [{ args: { x: whole, o: new Int32Array(lanes) }, o: wantedBehindPointers }],
  },
  {
    name: "taken from each other",
    source: apart,
    runs: [0, 1].map((c) => ({ args: { x: whole, o: new Int32Array(lanes), c }, o: wantedApart(c) })),
  },
  {
    name: "into one memory or another",
    source: twoMemories,
    runs: [{ args: { x: whole, o: new Int32Array(lanes) }, o: wantedTwoMemories }],
  },
  {
    name: "null at first, handed to a function that returns it or another",
    source: nullHandedOn,
    // x[i] is 3 i + 1.
    runs: [
      {
        args: { x: whole, o: new Int32Array(lanes) },
        o: Int32Array.from({ length: lanes }, (_, i) => (3 * i + 1) * 101),
      },
    ],
  },
  { name: "led by calls", source, runs: [{ args: launch.args, o: wanted }] },
  {
    name: "null for one of several",
    source: nullOfSeveral,
    runs: [
      {
        args: { x: whole, o: new Int32Array(lanes) },
        // x[0] is 1, x[1] is 4.
        o: Int32Array.from({ length: lanes }, (_, i) => (i & 1 ? 4 : -1) + 2 * 4 + 3 * 4 + 4 * (4 - 1) + 5 * (7 - 4)),
      },
    ],
  },
  {
    name: "null first",
    source: nullFirst,
    runs: [0, 1].map((c) => ({ args: { x: whole, o: new Int32Array(lanes), c }, o: wantedNullFirst(c) })),
  },
];

async function written(text: string, to: TwoWayDialect): Promise<string> {
  const { code, diagnostics } = await translate(text, { from: "opencl", to });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return code!;
}

describe.each(programs)("pointers without an address space, $name", ({ name, source: text, runs }) => {
  const compute = async (code: string, from: TwoWayDialect): Promise<void> => {
    for (const { args, o } of runs)
      for (const subgroupSize of [4, 32]) {
        const ran = await simulate(code, { ...launch, from, args, subgroupSize });
        expect(ran.findings).toEqual([]);
        expect(ran.buffers["o"], code).toEqual(o);
      }
  };

  test("the source computes what C says", () => compute(text, "opencl"));

  describe.each(targets)("to %s", (to) => {
    test("computes the same", async () => compute(await written(text, to), to));
    judgeTest(judges[to], "is taken by the compiler", async () => {
      expect(refusals(await judgeOutputs([judgeable(to, name, await written(text, to))]))).toBe("");
    });
  });
});

describe("one into two memories that is read as another type, in a file of which one kernel is asked for", () => {
  const text = `kernel void e(global int *o) { o[0] = 1; }
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void d(global char *h, global int *o, int c) {
  local char l[8]; int i = get_local_id(0); l[i] = i + 1; barrier(CLK_LOCAL_MEM_FENCE);
  char *q = h; char *r = l; if (c) q = r; if (i == 0) { o[0] = ((int *)q)[1]; *(short *)(q + 2) = 0x0908; o[1] = *(int *)q; } }`;
  const own = async (to: TwoWayDialect): Promise<string> => {
    const { code, diagnostics } = await translate(text, { from: "opencl", to, entry: "d" });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    return code!;
  };
  test.each(targets)("to %s", async (to) => {
    for (const [c, wanted] of [
      [0, Int32Array.of(0x17161514, 0x09081110)],
      [1, Int32Array.of(0x08070605, 0x09080201)],
    ] as const)
      for (const subgroupSize of [4, 32]) {
        const args = { h: Int8Array.from({ length: 8 }, (_, i) => 0x10 + i), o: new Int32Array(2), c };
        const ran = await simulate(await own(to), { ...launch, from: to, args, subgroupSize });
        expect(ran.findings).toEqual([]);
        expect(ran.buffers["o"]).toEqual(wanted);
      }
  });
  describe.each(targets)("to %s", (to) => {
    judgeTest(judges[to], "is taken by the compiler", async () => {
      expect(refusals(await judgeOutputs([judgeable(to, "d", await own(to))]))).toBe("");
    });
  });
});

test("constant memory is not among what they point into", async () => {
  const { code, diagnostics } = await translate(
    "float f(const float *p) { return *p; }\nkernel void k(constant float *c, global float *o) { o[0] = f(c); }",
    { from: "opencl", to: "msl" },
  );
  expect(code).toBeUndefined();
  expect(diagnostics.map((d) => d.code)).toContain("XL2005");
});

test("functions are read for the spaces of calls in a kernel that is read again", async () => {
  const text = `int f(int *p) { return *p; }
kernel void k(global int *x, int n) { x[0] = f(x); n += 1; x[1] = n + f(x); }`;
  const { buffers } = await simulate(text, {
    from: "opencl",
    workgroups: [1],
    workgroupSize: [1],
    args: { x: Int32Array.of(5, 0), n: 2 },
  });
  expect(buffers["x"]).toEqual(Int32Array.of(5, 8));
});

test.each([["where one is named", "global int *g = i ? (int *)l : (int *)o; o[i] = g[1];", "global or into local"]])(
  "a pointer into two memories is refused by name: %s",
  async (_, body, which) => {
    const text = `kernel void k(global int *o) { local int l[8]; int i = get_local_id(0); l[i] = i; barrier(CLK_LOCAL_MEM_FENCE); ${body} }`;
    const { diagnostics } = await translate(text, { from: "opencl", to: "msl" });
    const said = diagnostics.filter((d) => d.severity === "error").map((d) => `${d.code} ${d.message}`);
    expect([...new Set(said)]).toEqual([`XL1900 a pointer that leads into ${which} memory is not supported yet`]);
  },
);

test("pointers that get what others get later, in rows that are read to their end, and in longer ones", async () => {
  const row = (n: number): string => {
    const names = Array.from({ length: n }, (_, k) => `p${k}`);
    const steps = names.slice(1).map((name, k) => `p${k} = ${name};`);
    return `kernel void k(global int *o) { int ${names.map((name) => `*${name} = 0`).join(", ")};
  for (int j = 0; j < ${n}; j++) { ${steps.join(" ")} p${n - 1} = o; }
  *p0 = 7; }`;
  };
  const run = { from: "opencl", workgroups: [1], workgroupSize: [1], args: { o: Int32Array.of(0) } } as const;
  expect((await simulate(row(20), run)).buffers["o"]).toEqual(Int32Array.of(7));
  const { diagnostics } = await translate(row(80), { from: "opencl", to: "msl" });
  expect(diagnostics.map((d) => `${d.code} ${d.message}`)).toContain(
    "XL1900 a pointer of which reading it again does not say where it leads is not supported yet",
  );
});

test("what methods return leads where the pointers of their objects do", async () => {
  const text = `struct box { int *p; int n; int *end(int c) { if (c) return p + n; return 0; } int *begin() { return p; } };
kernel void k(global int *x, global int *o) { int i = get_local_id(0); box b; b.p = x; b.n = 1; int *q = b.end(i & 1);
  o[i] = q ? *q : *b.begin() + 5; }`;
  const clStd = "clc++2021";
  const args = { x: whole, o: new Int32Array(2) };
  const launch = { workgroups: [1], workgroupSize: [2], args };
  expect((await simulate(text, { from: "opencl", clStd, ...launch })).buffers["o"]).toEqual(Int32Array.of(6, 4));
  const { code } = await translate(text, { from: "opencl", clStd, to: "msl" });
  expect((await simulate(code!, { from: "msl", ...launch })).buffers["o"]).toEqual(Int32Array.of(6, 4));
});
