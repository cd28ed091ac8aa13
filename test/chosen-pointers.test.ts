/**
 * Pointers to pointers in a function's own memory that are chosen, moved and set anew (C99 6.5.3.2, 6.5.6). Each case is a kernel with
 * its results worked out in plain JavaScript, where such a pointer is an array and an index; the real compilers take the source and
 * the translations, which are run, and PoCL runs the source.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../src/index.js";
import { deviceTest } from "./device/device-test.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";
import { runHere } from "./device/run-here.js";

const lanes = 8;
const x = Array.from({ length: 64 }, (_, i) => 3 * i + 1);
const y = Array.from({ length: 64 }, (_, i) => 1000 - 7 * i);

interface Case {
  readonly name: string;
  readonly file?: string;
  /** Of a kernel with `x`, `y` and `o` in global memory, and `i`, the invocation. */
  readonly body: string;
  readonly wanted: (i: number) => number;
}

const cases: readonly Case[] = [
  {
    name: "places of several indices, chosen where an index or the condition does something",
    file: `typedef struct { int a[4]; int b; } S;
int take(const int *p, int d) { return p[0] * 10 + d; }`,
    body: `int m[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}; S t[3]; int k = 0, v = 5;
  for (int j = 0; j < 3; j++) for (int h = 0; h < 4; h++) t[j].a[h] = 20 * j + h;
  int s = (k == 0 ? &m[k++][i & 1] : &m[2][3])[0];
  int *p = m[1];
  p = k == 1 ? &m[++k][i & 3] : p;
  s = 20 * s + *p;
  p = k++ ? &v : &v;
  s = 20 * s + *p + k;
  p = k == 3 ? &t[--k].a[i & 3] : &t[0].a[1];
  s = 50 * s + *p;
  s = 500 * s + take(k == 2 ? &t[--k].a[i & 1] : &t[2].a[2], i & 3);
  p = k-- == 1 ? p : &t[1].a[1];
  *(k == 0 ? &m[k++][i & 1] : &m[2][3]) += 5;
  o[i] = 50 * s + m[0][0] + m[1][0] + *p + k;`,
    wanted: (i) => {
      let s = (i & 1 ? 2 : 1) * 20 + 9 + (i & 3);
      s = 20 * s + 5 + 3;
      s = 50 * s + 40 + (i & 3);
      s = 500 * s + (20 + (i & 1)) * 10 + (i & 3);
      return 50 * s + (i & 1 ? 1 : 6) + 5 + 40 + (i & 3) + 1;
    },
  },
  {
    name: "pointers to pointers to pointers, chosen, moved, set and set through",
    file: "void shift(int ***t, int **to) { *t = to; (*t)++; }",
    body: `int a[3] = {1, 2, 3}, b[3] = {4, 5, 6}; int *r[3] = {a, b, a + 1}; int **s[2] = {r, r + 1};
  int ***w = i & 1 ? s : s + 1;
  ***w += 10; (**w)++;
  *w = i & 2 ? r + 2 : *s;
  int ****v = &w;
  ****v *= 2;
  w = s; w++; *w = r;
  shift(&s[0], r);
  if (i == 6) *v = s;
  (***v)++;
  o[i] = a[0] + a[1] * 10 + a[2] * 100 + (b[0] + b[1] * 10 + b[2] * 100) * 1000 + (**s[0] + (int)(s[0] - s[1]) + (*v == s)) * 1000000;`,
    // r, s, w and v by the numbers of what they lead to: a is the first three of \`all\`, b the others.
    wanted: (i) => {
      const all = [1, 2, 3, 4, 5, 6];
      const r = [0, 3, 1];
      const s = [0, 1];
      let w = i & 1 ? 0 : 1;
      all[r[s[w]!]!]! += 10;
      r[s[w]!]!++;
      s[w] = i & 2 ? 2 : s[0]!;
      all[r[s[w]!]!]! *= 2;
      w = 1;
      s[1] = 0;
      s[0] = 1;
      if (i === 6) w = 0;
      r[s[w]!]!++;
      const sum = (at: number): number => all[at]! + all[at + 1]! * 10 + all[at + 2]! * 100;
      return sum(0) + sum(3) * 1000 + (all[r[s[0]]!]! + s[0] - s[1] + (w === 0 ? 1 : 0)) * 1000000;
    },
  },
  {
    name: "one of two pointers into two buffers, moved through it",
    body: `global const int *p = x, *q = y;
  global const int **r = i & 1 ? &p : &q;
  o[i] = (*r)[i];
  *r += 2;
  r = i > 4 ? &p : r;
  (*r)++;
  o[i] += 10 * p[i] + 100 * q[i] + (r == &p ? 100000 : 0);`,
    wanted: (i) => {
      const at = [0, 0];
      let r = i & 1 ? 0 : 1;
      const read = (which: number): number => [x, y][which]![at[which]! + i]!;
      let sum = read(r);
      at[r]! += 2;
      r = i > 4 ? 0 : r;
      at[r]!++;
      sum += 10 * read(0) + 100 * read(1);
      return sum + (r === 0 ? 100000 : 0);
    },
  },
  {
    name: "a function with barriers that returns one of two arrays",
    file: `local int *turns(local int *a, local int *b, int i, int n) {
  for (int s = 0; s < n; s++) {
    b[i] = a[(i + 1) & 7] * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    local int *t = a;
    a = b;
    b = t;
  }
  return a;
}`,
    body: `local int a[8], b[8];
  a[i] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  local int *r = turns(a, b, i, x[1] - 1);
  o[i] = r[i] + (r == b ? 100000 : 0);`,
    // Three turns.
    wanted: (i) => 8 * x[(i + 3) & 7]! + 100000,
  },
  {
    name: "one of three, where a condition changes what the next one reads, or is not met",
    body: `int a[2] = {10, 11}, b[2] = {20, 21}, c[2] = {30, 31}, n = i;
  int *p = n++ > 3 ? a : n > 2 ? b : c;
  int *q = i & 1 ? c : n++ > 4 ? a : b;
  o[i] = p[1] + 100 * *q + 10000 * n;`,
    wanted: (i) =>
      (i > 3 ? 11 : i + 1 > 2 ? 21 : 31) + 100 * (i & 1 ? 30 : i + 1 > 4 ? 10 : 20) + 10000 * (i & 1 ? i + 1 : i + 2),
  },
  {
    name: "a function that gets one and a function that returns one",
    file: `global const int **pick(global const int **a, global const int **b, int c) { return c > 3 ? a : b; }
void bump(global const int **r, int n) { *r += n; }`,
    body: `global const int *p = x, *q = y;
  global const int **r = pick(&p, &q, i);
  bump(r, 2);
  bump(i & 1 ? &p : &q, 1);
  o[i] = *p * 3 + *q;`,
    wanted: (i) => {
      const at = [0, 0];
      at[i > 3 ? 0 : 1]! += 2;
      at[i & 1 ? 0 : 1]! += 1;
      return x[at[0]!]! * 3 + y[at[1]!]!;
    },
  },
  {
    name: "moved through arrays of pointers, compared and taken from each other",
    body: `global const int *a[3] = {x, x + 8, x + 24};
  global const int *b[2];
  b[0] = x + 2; b[1] = x + 5;
  global const int **it = i > 2 ? a : b, **end = a + 3, **none = 0;
  int s = *(*it++)++;
  s += (*it)[1] * 3;
  if (it == &a[1]) s += 1000;
  it--;
  *it = *it + 1;
  if (i > 2) for (; it < end; it += 1) s = s * 5 + **it;
  if (i > 2) s += (int)(end - it) * 7;
  if (!none) none = b;
  if (none) s += 2;
  o[i] = s + *a[0] + *a[1] * 3 + *a[2] * 7 + **none * 11 + *b[1] * 13;`,
    wanted: (i) => {
      const [a, b] = [
        [0, 8, 24],
        [2, 5],
      ];
      const of = i > 2 ? a! : b!;
      let s = x[of[0]!]!;
      of[0]!++;
      s += x[of[1]! + 1]! * 3;
      if (i > 2) s += 1000;
      of[0]!++;
      if (i > 2) for (const p of of) s = s * 5 + x[p]!;
      const parts = [...a!, ...b!].map((p, k) => x[p]! * [1, 3, 7, 11, 13][k]!);
      return parts.reduce((sum, v) => sum + v, s + 2);
    },
  },
  {
    name: "pointers in structs, of a loop's body and to private variables",
    file: "typedef struct { global const int *d; int n; } view;",
    body: `view v = {x, 2}, w = {y, 3};
  int near[4] = {1, 2, 3, 4}, far = 50;
  int *lo = near, *hi = near + 3, *out = &far;
  int **side = &lo;
  global const int **r = i & 1 ? &v.d : &w.d;
  int s = 0;
  for (int t = 0; t < 3; t++) {
    global const int *z = y + t;
    side = (i >> t) & 1 ? &lo : t == 2 ? &out : &hi;
    **side += t + 1;
    if (side != &out) *side += side == &lo ? 1 : -1;
    r = t == 1 ? &z : t == 2 ? &v.d : r;
    (*r)++;
    s += **r + *z;
  }
  o[i] = s + v.d[0] * 3 + w.d[0] + near[0] + near[1] * 10 + near[2] * 100 + near[3] * 1000 + far * 10000 + (int)(hi - lo) * 7;`,
    wanted: (i) => {
      const [near, at] = [[1, 2, 3, 4], { v: 0, w: 0, lo: 0, hi: 3 }];
      let [far, s] = [50, 0];
      let r: "v" | "w" | "z" = i & 1 ? "v" : "w";
      for (let t = 0; t < 3; t++) {
        let z = t;
        const side = (i >> t) & 1 ? "lo" : t === 2 ? "out" : "hi";
        if (side === "out") far += t + 1;
        else {
          near[at[side]]! += t + 1;
          at[side] += side === "lo" ? 1 : -1;
        }
        r = t === 1 ? "z" : t === 2 ? "v" : r;
        if (r === "z") z++;
        else at[r]++;
        s += (r === "z" ? y[z]! : r === "v" ? x[at.v]! : y[at.w]!) + y[z]!;
      }
      const parts = near.reduce((sum, v, k) => sum + v * 10 ** k, 0);
      return s + x[at.v]! * 3 + y[at.w]! + parts + far * 10000 + (at.hi - at.lo) * 7;
    },
  },
  {
    name: "in structs that are given to functions, in arrays of them and in arrays",
    file: `typedef struct { global const int **rows; int n; } table;
typedef struct { table t[2]; global const int **last; } both;
void fill(both *p, global const int **a, global const int **b) { p->t[0].rows = a; p->t[0].n = 2; p->t[1].rows = b; p->t[1].n = 1; p->last = a + 1; }
int sum(both p, int j) { int s = 0; for (int k = 0; k < p.t[j].n; k++) s += p.t[j].rows[k][0]; return s + **p.last; }
int first(const table *t, int k) { return t[k].n ? **t[k].rows : 0; }
int next(table *t) { int v = **t->rows; (*t->rows)++; t->n++; return v; }`,
    body: `global const int *rows[2] = {x, x + i}, *more[3] = {y + 1, y + 2, y + 3}, *one = x + 9;
  global const int **direct[2] = {rows, more + 1};
  both p; fill(&p, rows, more + (i & 1));
  int s = sum(p, i & 1);
  both q = p;
  q.t[1] = p.t[0]; (*q.t[1].rows)++; *q.last += 2;
  direct[i & 1][0]++;
  table list[2] = {{0, 0}, {&one, 1}};
  int f = first(list, i & 1);
  if (i > 4) list[0] = list[1];
  list[1].rows = direct[i & 1];
  f += next(&list[1]) + next(&list[1]);
  int g = first(list, 0);
  o[i] = s * 3 + sum(p, 0) * 5 + sum(q, 1) * 7 + **direct[1] * 11 + direct[0][1][0] * 13 + f * 17 + g * 19 + list[1].n;`,
    wanted: (i) => {
      const rows = [0, i];
      const more = [1, 2, 3];
      const t = (j: number): number => (j === 0 ? x[rows[0]!]! + x[rows[1]!]! : y[more[i & 1]!]!);
      const last = (): number => x[rows[1]!]!;
      const s = t(i & 1) + last();
      rows[0]!++;
      rows[1]! += 2;
      if (i & 1) more[1]!++;
      else rows[0]!++;
      let f = i & 1 ? x[9]! : 0;
      for (let k = 0; k < 2; k++) f += i & 1 ? y[more[1]!++]! : x[rows[0]!++]!;
      const g = i > 4 ? x[9]! : 0;
      const sum = t(0) + last();
      return s * 3 + sum * 5 + sum * 7 + y[more[1]!]! * 11 + last() * 13 + f * 17 + g * 19 + 3;
    },
  },
];

const sourceOf = ({ file, body }: Case): string =>
  `${file ?? ""}
kernel __attribute__((reqd_work_group_size(${lanes}, 1, 1))) void k(global const int *x, global const int *y, global int *o) {
  int i = (int)get_global_id(0);
  ${body}
}
`;
const args = (): Record<string, Int32Array> => ({
  x: Int32Array.from(x),
  y: Int32Array.from(y),
  o: new Int32Array(lanes),
});
const launch = { workgroups: [1], workgroupSize: [lanes], args: args() };
const wantedOf = (c: Case): Int32Array => Int32Array.from({ length: lanes }, (_, i) => c.wanted(i));
const targets: readonly TwoWayDialect[] = ["msl", "glsl", "opencl", "hlsl"];

async function written(c: Case, to: TwoWayDialect): Promise<string> {
  const { code, diagnostics } = await translate(sourceOf(c), { from: "opencl", to });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return code!;
}

test.each(cases.map((c) => [c.name, c] as const))("%s", async (_, c) => {
  const { buffers, findings } = await simulate(sourceOf(c), { from: "opencl", ...launch });
  expect(findings).toEqual([]);
  expect(buffers["o"]).toEqual(wantedOf(c));
  for (const to of targets) {
    const ran = await simulate(await written(c, to), { from: to, ...launch });
    expect(ran.findings, to).toEqual([]);
    expect(ran.buffers["o"], to).toEqual(wantedOf(c));
  }
});

describe.each(targets)("to %s", (to) => {
  judgeTest(judges[to], "the compiler takes the texts", async () => {
    const texts: Judgeable[] = [];
    for (const c of cases) texts.push(judgeable(to, c.name, await written(c, to)));
    expect(refusals(await judgeOutputs(texts))).toBe("");
  });
});

await deviceTest("opencl", "PoCL has the same results", async () => {
  for (const c of cases) {
    const ran = await runHere(sourceOf(c), {
      from: "opencl",
      device: "opencl",
      ...launch,
      args: args(),
    });
    expect(ran.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(ran.buffers["o"], c.name).toEqual(wantedOf(c));
  }
});

test.each([
  [
    "int a = 1; int *p = &a; global const int *q = x; int **r = &p; r = (int **)&q; o[i] = **r;",
    "pointers to pointers that come about so are not supported yet",
  ],
  ["global const int *p = x; global const int **r; o[i] = **r;", "pointers to pointers that point nowhere are"],
])("%s is refused", async (body, message) => {
  const { code, diagnostics } = await translate(sourceOf({ name: "", body, wanted: () => 0 }), {
    from: "opencl",
    to: "glsl",
  });
  expect(code).toBeUndefined();
  expect(diagnostics.map((d) => d.message).join("\n")).toContain(message);
});
