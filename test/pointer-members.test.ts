/**
 * Pointers in structs and references to pointers (C++14 9.2, 8.3.2; C99 6.7.2.1). Each case is a kernel with its results worked
 * out in plain JavaScript; the real compilers take the source and the translations, and all of them are run at two widths.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../src/index.js";
import { twoWayDialects } from "../src/dialects/ids.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const lanes = 8;
/** x[i] before. */
const x = Array.from({ length: 64 }, (_, i) => 3 * i + 1);

interface Case {
  readonly name: string;
  readonly from: "msl" | "opencl";
  readonly file: string;
  /** Of a kernel with `o` and `x` in device memory, `t` of 64 in workgroup memory, and `i`, the invocation. */
  readonly body: string;
  readonly wanted: (i: number) => number;
}

const cases: readonly Case[] = [
  {
    name: "a pointer that a function moves under a condition, before it is set",
    from: "msl",
    file: `struct S { device const int *p; int n; }; void step(thread S &s) { if (s.n > 0) s.p++; s.n++; }
int use(thread S &s) { return s.n > 2 ? *s.p : -1; }`,
    body: `S u; u.n = 0;
  step(u);
  int s = use(u);
  for (int k = 0; k < 3; k++) { if (k == 0) u.p = i & 1 ? x : x + 8; if (k > 0) step(u); }
  o[i] = s + 10 * u.n + 1000 * use(u);`,
    wanted: (i) => -1 + 30 + 1000 * x[i & 1 ? 2 : 10]!,
  },
  {
    name: "objects found by indices with effects",
    from: "msl",
    file: `struct View { device const int *p; int n; }; struct Pair { View a, b; };`,
    body: `View v[3] = {{x, 1}, {x + 8, 2}, {x + 16, 3}};
  int k = 0;
  View a = v[k++];
  View b; b = v[k++];
  int s = b.p[0] - a.p[1] + a.n + 10 * k;
  k = 0;
  v[k++] = b; v[k++] = a; v[k--] = v[0]; ++k;
  s += 100 * (v[0].p[0] + v[1].n + k + v[2].n);
  Pair q[2] = {{a, b}, {b, a}};
  k = 0;
  Pair r = q[k++]; r.a = q[--k].b;
  s += 10000 * (r.a.n + 3 * r.b.n + k);
  k = 1;
  View c = i & 1 ? v[k++] : v[--k];
  s += 100000 * (c.p[i] + k);
  int j = 0; View list[4]; while (j < 4) list[j++] = i > 2 ? a : b;
  v[--j - 1].p += 2; v[--j].n == 0 ? s++ : s--; v[j].p++;
  o[i] = s + 10000000 * (v[2].p[0] - list[--j].p[0]);`,
    wanted: (i) => {
      const [a, b] = [
        { at: 0, n: 1 },
        { at: 8, n: 2 },
      ];
      let s = x[8]! - x[1]! + 1 + 20 + 100 * (x[8]! + 1 + 2 + 2) + 10000 * (2 + 3 * 2);
      const [c, k] = i & 1 ? [a, 2] : [b, 0];
      s += 100000 * (x[c.at + i]! + k);
      return s - 1 + 10000000 * (x[b.at + 3]! - x[(i > 2 ? a : b).at]!);
    },
  },
  {
    name: "pointers found by indices with effects",
    from: "opencl",
    file: "",
    body: `__global const int *rows[3] = {x, x + 8, x + 16};
  int k = 0, m = 0, s = rows[k++][i] + 10 * k;
  rows[k++] = x + i; rows[k--]++;
  s += 100 * (*rows[1] + *rows[2] + k);
  m = *rows[k--]; m -= *rows[k++];
  s += 10000 * (m + k);
  int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}; int *p[2] = {a, b};
  k = 0; *p[k++] = 9; p[k]++; k = 0; p[k++] += 2; *(p[k--])++ = 11; p[k++] = i & 1 ? b : p[1];
  s += 100000 * (a[0] + b[1] + *p[0] + *p[1] + k);
  o[i] = s + 10000000 * ((k-- ? *p[k++] : 3) + (p[--k] == p[k + 1] - 1 ? 20 : 0));`,
    wanted: (i) => {
      const s = x[i]! + 10 + 100 * (x[i]! + x[17]! + 1) + 10000 * (x[i]! - x[0]! + 1);
      // b is 5, 11, 7, 8, p[1] leads to its third, p[0] to the first or third.
      const first = i & 1 ? 5 : 7;
      return s + 100000 * (9 + 11 + first + 7 + 1) + 10000000 * first;
    },
  },
  {
    name: "pointers into members of elements that may be two, compared",
    from: "opencl",
    file: `struct T { int k; int v[3]; int2 w; };
int sum(const struct T *t, const int *e) { int s = 0; for (const int *p = t->v; p != e; ++p) s = s * 3 + *p; return s; }`,
    body: `struct T a[3];
  for (int j = 0; j < 3; j++) { a[j].k = j; a[j].v[0] = x[j]; a[j].v[1] = 7; a[j].v[2] = i; }
  struct T *q = &a[i % 3];
  const int *p = &a[x[0] + (i & 1)].v[1], *e = q->v + 3;
  int s = 0;
  for (const int *r = q->v; r < e; r++) s += *r;
  o[i] = sum(q, q->v + 3) + 1000 * s + 1000000 * (p == &q->v[1]) + 2000000 * (p > &a[1].v[1]) + 4000000 * (&a[2].k <= p) + 8000000 * (int)((const int *)&q->w - &q->v[0]) + 100000000 * (int)(e - q->v);`,
    // x[0] is 1; w lies behind k and the three numbers of v.
    wanted: (i) =>
      9 * x[i % 3]! +
      21 +
      i +
      1000 * (x[i % 3]! + 7 + i) +
      1000000 * (1 + (i & 1) === i % 3 ? 1 : 0) +
      2000000 * (i & 1) +
      4000000 * (i & 1) +
      8000000 * 3 +
      300000000,
  },
  {
    name: "calls that move pointers in heads of loops and operands that may be left out",
    from: "opencl",
    file: `struct rd { __global const int *at; __global const int *end; };
bool more(struct rd *r, int *v) { if (r->at == r->end) return false; *v = *r->at++; return true; }`,
    body: `struct rd r = {x + i, x + i + 12};
  int v = 0, s = 0, k;
  while (more(&r, &v) && v < x[i + 2]) s += v;
  for (k = 0; k < 3 && more(&r, &v); k += more(&r, &v) ? 1 : 5) { if (k == 1) continue; s += 100 * v; }
  do { if (v % 2) continue; s += 10000 * v; } while (more(&r, &v) && v < x[i + 9]);
  s += more(&r, &v) ? 1000000 * v : 7;
  o[i] = s + (more(&r, &v) || more(&r, &v) ? 5 : 3) + (int)(r.end - r.at);`,
    wanted: (i) => {
      // x[i] and x[i + 1] are added, x[i + 2] ends the first loop. The second reads x[i + 3], steps over x[i + 4], reads x[i + 5] (k is 1),
      // steps over x[i + 6], reads x[i + 7] (k is 2) and steps over x[i + 8], where k is 3. The third loop has x[i + 8], then reads x[i + 9].
      const even = x[i + 8]! % 2 ? 0 : x[i + 8]!;
      return x[i]! + x[i + 1]! + 100 * (x[i + 3]! + x[i + 7]!) + 10000 * even + 1000000 * x[i + 10]! + 5;
    },
  },
  {
    name: "values read before calls that change them",
    from: "msl",
    file: `struct view { const device int *p; int n; bool more() thread { if (n <= 0) return false; n--; p++; return true; } };
struct holder { thread int *q; int bump() { q += 0; return ++*q; } };
holder made(thread int &r) { return {&r}; }`,
    body: `view a = {x + i, 2};
  int n = 1;
  holder h = made(n);
  int s = a.n + 10 * a.more() + 100 * a.n + 1000 * *a.p;
  o[i] = s + 1000000 * (n * 10 + h.bump()) + (i < 0 && a.more() ? 5 : 0) + 10000000 * a.n;`,
    wanted: (i) => 2 + 10 + 100 * 1 + 1000 * x[i + 1]! + 1000000 * (10 + 2) + 10000000 * 1,
  },
  {
    name: "assignments of structs with pointers for their values",
    from: "opencl",
    file: "struct view { __global const int *p; int n; };",
    body: `struct view a = {x + i, 3}, b = {x + 20, 2}, c, d[3];
  int j = 0;
  d[j++] = c = d[1] = a;
  o[i] = i > 3 ? (a = b, a.n) : 7;
  o[i] += i > 5 && (a = c, a.n > 2) ? 1000 : 0;
  for (d[2] = b; d[2].n > 0; b = d[2], b.p++) d[2].n--;
  while ((d[1] = d[2]).n < 2) d[2].n++;
  o[i] += 10 * *a.p + 10000 * *b.p + 1000000 * (d[0].n + d[1].n + c.n) + 10000000 * j + *d[0].p;`,
    wanted: (i) =>
      (i > 3 ? 2 : 7) +
      (i > 5 ? 1000 : 0) +
      10 * (i > 5 || i <= 3 ? x[i]! : x[20]!) +
      10000 * x[21]! +
      1000000 * (3 + 2 + 3) +
      10000000 +
      x[i]!,
  },
  {
    name: "assignments of elements of arrays of pointers for their values",
    from: "opencl",
    file: "",
    body: `__global const int *a[3], *q, *r;
  a[2] = a[0] = a[1] = x + i;
  q = r = a[1] = a[2] + 1;
  int s = *q + 10 * *(a[0] = a[0] + 3) + 100 * *r++ + 1000 * *r + 10000 * *a[1]++;
  o[i] = s + 100000 * *a[1] + 1000000 * (int)(a[0] - a[2]);`,
    wanted: (i) =>
      x[i + 1]! +
      10 * x[i + 3]! +
      100 * x[i + 1]! +
      1000 * x[i + 2]! +
      10000 * x[i + 1]! +
      100000 * x[i + 2]! +
      3000000,
  },
  {
    name: "the same, into several objects",
    from: "opencl",
    file: "",
    body: `int own[4] = {5, 6, 7, 8};
  int other[4] = {50, 60, 70, 80};
  int *a[3], *q;
  a[0] = a[2] = own + 1;
  a[1] = a[i & 1] = other;
  int s = *a[0]++ + 100 * *a[1]++;
  q = a[2] = i & 2 ? own : other;
  s += 10000 * *++a[2];
  o[i] = s + 1000000 * *q + 100000000 * (*(a[0] = own + 3) - 7);`,
    wanted: (i) => (i & 1 ? 6 : 50) + 100 * 50 + 10000 * (i & 2 ? 6 : 60) + 1000000 * (i & 2 ? 5 : 50) + 100000000,
  },
  {
    name: "effects in addresses that nobody takes",
    from: "opencl",
    file: "int side(int *n) { return ++*n; }",
    body: `int n = 0, a[4] = {1, 2, 3, 4};
  __global const int *p = x + i;
  p + side(&n);
  &a[side(&n)];
  &x[side(&n)];
  i > 3 ? p + side(&n) : x;
  (__global const char *)(p - side(&n));
  o[i] = n * 1000 + *p;`,
    wanted: (i) => (i > 3 ? 5 : 4) * 1000 + x[i]!,
  },
  {
    name: "a view with a method, by value and by reference",
    from: "msl",
    file: `struct view { const device int *p; int n; int at(int k) const { return k < n ? p[k] : -1; } };
int first(view v) { v.p += 2; return *v.p + v.n; }
int second(thread const view &v) { return v.p[1]; }`,
    body: `view v = {x + i, 5};
  view w = v;
  w.n = 2; w.p += 1;
  o[i] = v.at(4) + 1000 * w.at(2) + 100000 * first(v) + 10000000 * second(w) + v.p[0];`,
    wanted: (i) => x[i + 4]! + 1000 * -1 + 100000 * (x[i + 2]! + 5) + 10000000 * x[i + 2]! + x[i]!,
  },
  {
    name: "accessors of accessors, with effects in an index",
    from: "msl",
    file: `template <typename T, size_t N> struct arr {
  thread T &operator[](size_t k) thread { return elements[k]; }
  const thread T &operator[](size_t k) const thread { return elements[k]; }
  thread T &back(int k) thread { return elements[N - 1 - k]; }
  T elements[N];
};
int at(const thread arr<arr<int, 4>, 4> &w, int r, int c) { return w[r][c]; }`,
    body: `arr<arr<int, 4>, 4> w;
  for (int k = 0; k < 16; k++) w[k / 4][k % 4] = x[k + i];
  int j = 0;
  w[j++][1] += 1000;
  w.back(j++)[2] += 5000;
  thread int *const last = &w[j++][3];
  *last += 7;
  o[i] = *last + w[0][1] + 3 * at(w, i & 3, (i + 1) & 3) + 10000 * w[2].back(1) + 100000000 * j;`,
    wanted: (i) => {
      const w = (r: number, c: number): number =>
        x[4 * r + c + i]! +
        (r === 0 && c === 1 ? 1000 : 0) +
        (r === 2 && c === 2 ? 5000 : 0) +
        (r === 2 && c === 3 ? 7 : 0);
      return x[11 + i]! + 7 + w(0, 1) + 3 * w(i & 3, (i + 1) & 3) + 10000 * w(2, 2) + 100000000 * 3;
    },
  },
  {
    name: "effects in the indices of accessors, where they stand",
    from: "msl",
    file: `template <typename T, size_t N> struct arr {
  thread T &operator[](size_t k) thread { return elements[k]; }
  thread T &other(size_t k, int) thread { return elements[k]; }
  T elements[N];
};`,
    body: `arr<arr<int, 3>, 4> w;
  for (int k = 0; k < 12; k++) w[k / 3][k % 3] = k + 1;
  int n = 0, a = 0, b = 0;
  a = n, w[n++][0] = 50;
  bool c = i > 90 && w[n++][0] > 0;
  b += i > 90 ? w[n++][0] : w[n += 1][1];
  while (w[n++][0] < 9) b += 100;
  int at = n - 3;
  do { b += 1000; } while (w.other(at, n++)[0] < 4 && at++ < 0);
  int before = n;
  thread int &r = w[at][2];
  at = 3;
  r += 60;
  o[i] = a + b + 10000 * n + 100000 * before + 1000000 * w[1][2] + (c ? 1 : 0);`,
    // n is 1 behind the first line and 2 behind the choice, which reads 8; rows 2 and 3 begin with 7 and 10, and n is 4 behind the loop.
    // Row 1 begins with 4, so that the body of the last loop runs once: n is 5, and row 1 ends with 6 + 60.
    wanted: () => 0 + 8 + 100 + 1000 + 10000 * 5 + 100000 * 5 + 1000000 * 66,
  },
  {
    name: "calls that write in the indices of accessors",
    from: "msl",
    file: `template <typename T, size_t N> struct arr {
  const thread T &operator[](size_t k) const thread { return elements[k]; }
  T elements[N];
};
struct vars { thread int *counter; };
int next(vars v) { *v.counter += 1; return *v.counter; }`,
    body: `arr<arr<int, 3>, 4> w;
  for (int k = 0; k < 12; k++) w.elements[k / 3].elements[k % 3] = k + 1;
  int counter = 0;
  vars const v = {&counter};
  const thread arr<arr<int, 3>, 4> *const all = &w;
  int a = (*all)[next(v)][1];
  const thread int &r = (*all)[next(v)][0];
  w.elements[2].elements[0] += 100;
  const thread arr<int, 3> *const p = &(*all)[next(v)];
  bool c = i > 90 && (*all)[next(v)][0] > 0;
  o[i] = a + 1000 * r + 1000000 * (*p)[2] + 100000000 * counter + (c ? 1 : 0);`,
    // Rows 1, 2 and 3 in turn: 5, 7 + 100, and 12.
    wanted: () => 5 + 1000 * 107 + 1000000 * 12 + 100000000 * 3,
  },
  {
    name: "pointers moved through their addresses, handed on",
    from: "opencl",
    file: `int take(__global const int **p) { int v = **p; (*p)++; return v; }
int two(__global const int **p, int n) { *p += n; int a = take(p); return a + 1000 * take(p); }`,
    body: `__global const int *p = x + i, *q = x;
  __global const int **w = &q;
  *w += 2;
  w[0]++;
  int s = two(&p, 1);
  o[i] = s + 1000000 * *p + 100000000 * (**w - 9);`,
    wanted: (i) => x[i + 1]! + 1000 * x[i + 2]! + 1000000 * x[i + 3]! + 100000000 * (x[3]! - 9),
  },
  {
    name: "arrays of objects with pointers, and arrays of pointers in objects",
    from: "opencl",
    file: `struct view { __global const int *p; int n; };
struct pack { __global const int *rows[2]; struct view list[2]; int k; };
int all(struct pack w, int i) { w.list[0].p += 1; int s = w.k; for (int k = 0; k < 2; k++) s += w.rows[k][i] + w.list[k].p[i] * w.list[k].n; return s; }
void turn(struct pack *w, int j) { struct view v = w->list[j]; w->list[j] = w->list[1 - j]; w->list[1 - j] = v; w->rows[j] += 2; }
int last(const struct view *list, int n) { return list[n - 1].p[0]; }`,
    body: `struct pack w;
  w.rows[0] = x; w.rows[1] = x + 7; w.list[0].p = x + 3; w.list[0].n = 3; w.list[1].p = x + 20; w.list[1].n = 5; w.k = 4;
  int before = all(w, i);
  struct pack v = w;
  turn(&v, i & 1);
  int j = 0;
  v.list[j++].n += 10;
  struct view all3[3] = {{x, 1}, w.list[i & 1], v.list[0]};
  all3[2 - j] = all3[2];
  int after = all(v, i);
  int end = last(all3, 3);
  o[i] = before + 1000 * after + 1000000 * (all3[1].n + j) + 100000000 * (end - all3[1].p[0] + w.k);`,
    wanted: (i) => {
      const before = 4 + x[i]! + x[7 + i]! + 3 * x[4 + i]! + 5 * x[20 + i]!;
      const rows = [x[i + (i & 1 ? 0 : 2)]!, x[7 + i + (i & 1 ? 2 : 0)]!];
      const after = 4 + rows[0]! + rows[1]! + 15 * x[21 + i]! + 3 * x[3 + i]!;
      return before + 1000 * after + 1000000 * 16 + 100000000 * 4;
    },
  },
  {
    name: "pointers to pointers to pointers",
    from: "opencl",
    file: `void step(__global const int ***r, int n) { **r += n; }`,
    body: `__global const int *p = x + i, *other = x + 9;
  __global const int **q = &p;
  __global const int ***r = &q;
  step(&q, 1);
  step(r, 2);
  if (i & 1) q = &other;
  **r += 4;
  (**r)++;
  o[i] = *p + 1000 * *other + 1000000 * ***r;`,
    wanted: (i) => (i & 1 ? x[i + 3]! + 1001000 * x[14]! : 1000001 * x[i + 8]! + 1000 * x[9]!),
  },
  {
    name: "functions without a space for their pointers, called before their bodies",
    from: "opencl",
    file: `int sum(const int *p, int n);
int both(__global const int *a, __local const int *b) { return sum(a, 3) + 1000 * sum(b, 2); }
__constant int more = 5;
int sum(const int *p, int n) { int s = more; for (int k = 0; k < n; k++) s += p[k]; return s; }`,
    body: `t[i] = 2 * i; t[i + 8] = 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  int own[2] = {i, 7};
  o[i] = both(x + i, t + 7) + 1000000 * sum(own, 2);`,
    wanted: (i) => 5 + x[i]! + x[i + 1]! + x[i + 2]! + 1000 * (5 + 14 + 3) + 1000000 * (5 + i + 7),
  },
  {
    name: "arrays of pointers handed over, and changed there",
    from: "opencl",
    file: `int sum(__global const int *const *rows, int n) { int s = 0; for (int k = 0; k < 3; k++) s = 10 * s + rows[k][n]; return s; }
void turn(__global const int *rows[3], __local int *other) { __global const int *first = *rows; rows[0] = rows[1]; rows[1] = rows[2]; rows[2] = first + other[0]; }`,
    body: `__global const int *rows[3];
  for (int k = 0; k < 3; k++) rows[k] = x + k * 2 + i;
  if (i == 0) t[0] = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  int before = sum((__global const int *const *)rows, 1);
  turn(rows, t);
  o[i] = before + 10000 * sum((__global const int *const *)&rows[0], 0);`,
    wanted: (i) =>
      100 * x[i + 1]! + 10 * x[i + 3]! + x[i + 5]! + 10000 * (100 * x[i + 2]! + 10 * x[i + 4]! + x[i + 5]!),
  },
  {
    name: "references to pointers into two objects, exchanged",
    from: "msl",
    file: `void step(const device int *thread &p, int n) { p += n; }
void swapped(const device int *thread &p, const device int *thread &q) { const device int *r = p; p = q; q = r; }`,
    body: `o[i] = 77 + i;
  const device int *p = x + i;
  const device int *q = o + i;
  step(p, 3);
  swapped(p, q);
  o[i] = *q + 1000 * p[0];`,
    wanted: (i) => x[i + 3]! + 1000 * (77 + i),
  },
  {
    name: "constructors that leave pointers unset",
    from: "msl",
    file: `struct view { const device int *p; int n; view() {} view(const device int *q) { p = q; n = 1; } void step(int k) { p += k; } };
struct two { view a, b; const device int *q; two() : a() {} };`,
    body: `view a; a.p = x; a.n = 4;
  view b(x + 3);
  two c;
  two d = c;
  d.b.p = x + i; d.a = b; d.a.step(1);
  b.step(1); a.step(2);
  o[i] = *a.p + 100 * a.n + 1000 * *b.p + 100000 * *d.b.p + 10000000 * (*d.a.p - *b.p);`,
    wanted: (i) => x[2]! + 400 + 1000 * x[4]! + 100000 * x[i]!,
  },
  {
    name: "objects whose pointers nothing sets are handed on",
    from: "opencl",
    file: `struct coder { int writes; int count; __global const int *at; };
int past(struct coder c, int n) { return c.writes ? c.at[n] : c.count * n; }
void take(struct coder *c, int n) { c->count += n; if (c->writes) c->count += 100 * c->at[n]; }`,
    body: `struct coder counts, writes;
  counts.writes = 0; counts.count = 0;
  take(&counts, i);
  take(&counts, 2);
  struct coder copy = counts;
  writes.writes = 1; writes.count = counts.count; writes.at = x;
  take(&writes, i);
  o[i] = writes.count + 100000 * past(copy, 3) + 10000000 * past(writes, 1);`,
    wanted: (i) => i + 2 + i + 100 * x[i]! + 100000 * (3 * (i + 2)) + 10000000 * x[1]!,
  },
  {
    name: "objects whose pointers nothing sets are handed on by reference",
    from: "msl",
    file: `struct coder { bool writes; int count; const device int *at; int past(int n) const { return writes ? at[n] : count * n; } };
void take(thread coder &c, int n) { c.count += n; if (c.writes) c.count += 100 * c.at[n]; }`,
    body: `coder counts, writes;
  counts.writes = false; counts.count = 0;
  take(counts, i);
  coder copy = counts;
  writes.writes = true; writes.count = counts.count; writes.at = x;
  take(writes, i);
  o[i] = writes.count + 100000 * copy.past(3) + 10000000 * writes.past(1);`,
    wanted: (i) => i + i + 100 * x[i]! + 100000 * (3 * i) + 10000000 * x[1]!,
  },
  {
    name: "pointers to one of what the head of a loop declares",
    from: "opencl",
    file: "",
    body: `int z = 5, s = 0;
  int *p = &z;
  for (int k = 0, m = 7; k < 3; k++) { int t = k * 2; if (k == 1) p = &m; if (k == 2) p = &t; s += *p; }
  p = &z;
  o[i] = s * 10 + *p;`,
    // 5, then 7, then 4.
    wanted: () => 165,
  },
  {
    name: "pointers to what inner blocks declare, and elsewhere after those",
    from: "opencl",
    file: "int *pick(int *a, int *b, int n) { return n > 3 ? a : b; }",
    body: `int a = 5;
  int *p = &a;
  { int b = x[i]; if (i > 2) p = &b; *p += 1; o[i] = b; p = i > 4 ? &a : p; if (i <= 4) p = &a; }
  o[i] += 1000 * *p;
  for (int k = 0; k < 2; k++) {
    int b[3] = {k, x[k], 7};
    const int c = 9;
    int d;
    int *q = b + 1;
    if (i & 1) q = &a;
    *q += k;
    d = b[1];
    const int *r = i & 2 ? &c : &d;
    o[i] += 100000 * *r;
    q = &a;
    p = pick(q, &d, i);
    if (k == 0) continue;
    p = &a;
    r = &a;
    a += *r & 1;
  }
  switch (i) {
    case 1: { int b = 4; p = &b; *p = 3; a += b; p = &a; break; }
    default: { int b = 6; int c = 1; p = pick(&b, &c, i); *p += 1; a += b; p = &a; }
  }
  o[i] += *p * 10000000;`,
    wanted: (i) => {
      let a = 5;
      let b = x[i]!;
      if (i > 2) b++;
      else a++;
      let sum = b + 1000 * a;
      for (let k = 0; k < 2; k++) {
        let d = x[k]!;
        if (i & 1) a += k;
        else d += k;
        sum += 100000 * (i & 2 ? 9 : d);
        if (k === 1) a += a & 1;
      }
      a += i === 1 ? 3 : i > 3 ? 7 : 6;
      return sum + 10000000 * a;
    },
  },
  {
    name: "a loader that moves two pointers, made by a constructor",
    from: "msl",
    file: `template <typename T, int S> struct loader {
  const device T *src; threadgroup T *dst; const int ld; int steps = 0;
  loader(const device T *s, threadgroup T *d, int l, uint i) : src(s + i * l), dst(d + i), ld(l) {}
  void load() { dst[0] = src[0]; }
  void next() { src += ld; dst += S; steps++; }
  int done() const { return steps; }
};`,
    body: `loader<int, 8> a(x, t, 2, i);
  for (int k = 0; k < 3; k++) { a.load(); a.next(); }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  o[i] = t[i] + 1000 * t[i + 8] + 1000000 * t[i + 16] + 100000000 * a.done();`,
    wanted: (i) => x[2 * i]! + 1000 * x[2 * i + 2]! + 1000000 * x[2 * i + 4]! + 300000000,
  },
  {
    name: "a pointer that returns early, and objects in objects",
    from: "msl",
    file: `struct inner { const device int *p; int k; };
struct outer { inner a; const device int *q; inner b; };
void step(thread inner &s, int n) { if (n > 5) { s.k += 100; return; } if (n > 2) { s.p += n; s.k += 10; return; } s.p++; s.k++; }
outer made(const device int *p, int n) { outer r; r.a.p = p; r.a.k = n; r.q = p + n; r.b = r.a; r.b.p += 1; return r; }`,
    body: `outer r = made(x, i);
  step(r.a, i); step(r.b, 1);
  inner keep = r.b;
  r.b = r.a; r.a = keep;
  o[i] = *r.a.p + 100 * *r.b.p + 10000 * *r.q + 1000000 * (r.a.k - r.b.k);`,
    wanted: (i) => {
      const moved = i > 5 ? 0 : i > 2 ? i : 1;
      const counted = i + (i > 5 ? 100 : i > 2 ? 10 : 1);
      return x[2]! + 100 * x[moved]! + 10000 * x[i]! + 1000000 * (i + 1 - counted);
    },
  },
  {
    name: "objects exchanged, and made of parts of themselves",
    from: "msl",
    file: `struct pair { const device int *a; const device int *b; int n; };
pair swapped(pair p) { return {p.b, p.a, -p.n}; }
template <typename T> void exchange(thread T &a, thread T &b) { T t = a; a = b; b = t; }`,
    body: `pair p = {x + i, x + 2 * i, 7};
  p = {p.b, p.a, p.n + 1};
  const int one = *p.a, two = *p.b;
  p = swapped(p);
  exchange(p.a, p.b);
  const device int *u = x + 1; const device int *v = x + 9;
  exchange(u, v);
  o[i] = one + 100 * two + 10000 * *p.a + 1000000 * (*u - *v) + 10000000 * p.n;`,
    wanted: (i) => x[2 * i]! + 100 * x[i]! + 10000 * x[2 * i]! + 1000000 * 24 - 80000000,
  },
  {
    name: "effects in the parts, each once and in turn",
    from: "msl",
    file: `struct job { const device int *p; int n; threadgroup int *q; };
int count(thread int &c) { return ++c; }`,
    body: `int c = i;
  job j = {x + count(c), count(c), t + count(c)};
  j.q[0] = 0;
  job e = {j.p + (c += 10), 3, j.q};
  const bool odd = (i & 1) != 0;
  job d = odd ? j : e;
  for (const device int *p = d.p, *end = d.p + 2; p != end; p++) c += *p;
  o[i] = j.n + 100 * *j.p + 10000 * (d.n & 7) + 100000 * c;`,
    wanted: (i) => {
      const at = i & 1 ? i + 1 : 2 * i + 14;
      return i + 2 + 100 * x[i + 1]! + 10000 * ((i & 1 ? i + 2 : 3) & 7) + 100000 * (i + 13 + x[at]! + x[at + 1]!);
    },
  },
  {
    name: "references to pointers, one of them handed on",
    from: "msl",
    file: `void forth(const device int *thread &p, int n) { p += n; }
void twice(const device int *thread &p, const device int *thread &q) { forth(p, 1); q = p; forth(p, 2); }
int taken(const device int *thread &p) { int v = *p; p++; return v; }`,
    body: `const device int *p = x + i; const device int *q = x;
  twice(p, q);
  int a = taken(p);
  int b; b = taken(p);
  o[i] = a + 100 * b + 10000 * *q + 1000000 * *p;`,
    wanted: (i) => x[i + 3]! + 100 * x[i + 4]! + 10000 * x[i + 1]! + 1000000 * x[i + 5]!,
  },
  {
    name: "pointers to objects with pointers",
    from: "opencl",
    file: `struct view { global const int *p; int n; };
typedef struct { struct view in; local int *t; } task;
static int at(const struct view *v, int k) { return v->p[k] * v->n; }
static void move(struct view *v, int k) { v->p += k; v->n -= 1; }
static int both(task *k, int i) { move(&k->in, i); const struct view *w = &k->in; k->t[i] = w->n; return at(w, 1) + at(&k->in, 0); }
static struct view viewed(global const int *p) { struct view v = {p, 4}; return v; }`,
    body: `struct view v = {.n = 3, .p = x};
  move(&v, i);
  task k;
  k.in = v; k.t = t;
  int r = both(&k, i);
  struct view w = viewed(x + 5);
  o[i] = r + 1000 * t[i] + 10000 * at(&v, 0) + 1000000 * *w.p + w.n * 100000000;`,
    wanted: (i) => x[2 * i + 1]! + x[2 * i]! + 1000 + 10000 * 2 * x[i]! + 1000000 * x[5]! + 400000000,
  },
  {
    name: "calls inside of expressions, in conditions, and of temporary objects",
    from: "msl",
    file: `struct view { const device int *p; int n; int get(int k) const { return p[k]; } bool more() { p++; return --n > 0; } view operator+(int k) const { return {p + k, n}; } };
view made(const device int *p) { return {p, 2}; }
struct both { view v; threadgroup int *t; const int q; both(const device int *p, threadgroup int *d) : v(made(p + 1)), t(d), q(3) { *t = v.p[0]; v.p += q; } };`,
    body: `view a = {x, i};
  int r = 0;
  if (a.more()) r = 1; else if (a.more()) r = 2; else r = 3;
  both c(x, t + i);
  o[i] = made(x).get(i) + 1000 * *c.v.p + 100000 * *c.t + 10000000 * r;
  o[i] += (a + 3).get(1) * 100000000;
  switch (i & 3) { case 0: a.p += 1; break; case 1: a = made(x + 9); break; default: { view u = a; u.p += 2; a = u; } }
  o[i] += *a.p * 10;`,
    wanted: (i) => {
      const first = i > 1;
      const moved = first ? 1 : 2;
      const sum = x[i]! + 1000 * x[4]! + 100000 * x[1]! + 10000000 * (first ? 1 : 3);
      const at = (i & 3) === 0 ? moved + 1 : (i & 3) === 1 ? 9 : moved + 2;
      return (sum + x[moved + 4]! * 100000000 + 10 * x[at]!) | 0;
    },
  },
  {
    name: "null, one of two buffers, and a struct that adds to another",
    from: "msl",
    file: `struct view { const device int *p; int n; int get(int k) const { return p[k]; } };
struct more : view { char c; int two() const { return get(0) + p[1]; } };`,
    body: `view a = {nullptr, 0};
  if (i > 2) a.p = x;
  view b = {i > 3 ? x + 1 : (const device int *)o, 2};
  more d; d.p = x + 2; d.n = i; d.c = 1;
  o[i] = 5;
  o[i] += (a.p ? *a.p : 7) + 100 * (i > 3 ? *b.p : 0) + 10000 * (d.two() + d.n) + d.c;`,
    wanted: (i) => 5 + (i > 2 ? x[0]! : 7) + 100 * (i > 3 ? x[1]! : 0) + 10000 * (x[2]! + x[3]! + i) + 1,
  },
  {
    name: "parts that are copied before an effect behind them",
    from: "msl",
    file: `struct view { const device int *p; int n; };
struct outer { view v; view w; int k; view u; };`,
    body: `view v = {x, 3};
  outer q = {v, {v.p + 1, v.n = 9}, (v.n = 11), v};
  outer r = q;
  r = outer{r.w, {r.v.p + i, r.w.n += 5}, r.w.n, r.w};
  o[i] = q.v.n + 10 * q.w.n + 100 * q.k + 10000 * q.u.n + 1000000 * r.v.n + 10000000 * *r.w.p;
  o[i] += 3 * r.w.n + 5 * r.k + 7 * r.u.n;`,
    // r.w is copied as {x + 1, 9} before it becomes 14.
    wanted: (i) => 3 + 90 + 1100 + 110000 + 9000000 + 10000000 * x[i]! + 3 * 14 + 5 * 14 + 7 * 14,
  },
  {
    name: "an object is read by who gets its address, behind the effects of other arguments",
    from: "opencl",
    file: `struct view { global const int *p; int n; };
struct bare { global const int *p; };
static int at(const struct view *v, int k) { return v->p[k] * 2 + v->n; }
static int two(int j, const struct view *v, const struct bare *w, int k) { return v->p[k] + v->n * w->p[j]; }`,
    body: `struct view v = {x, 3}; struct bare w = {x + i}; int k = 2;
  int r = at(&v, (v.n++, v.p++, 3));
  r += 1000 * two(k++, &v, &w, (w.p++, v.n = 7, k));
  o[i] = r + k * 100000;`,
    wanted: (i) => 2 * x[4]! + 4 + 1000 * (x[4]! + 7 * x[i + 3]!) + 300000,
  },
  {
    name: "objects chosen by conditions that do something",
    from: "msl",
    file: `struct view { const device int *p; int n; bool ok(int k) const { return k < n && p[k] > 4; } };
struct both { view a; int k; view b; };`,
    body: `view a = {x, i};
  view b = a.ok(2) || a.ok(1) ? a : view{x + 3, 2};
  int c = i;
  both q = {c++ > 3 ? a : view{x + 1, c}, c++, c > 5 ? b : view{x + c, c + 1}};
  b = --c > 4 ? q.a : q.b;
  o[i] = *q.a.p + 10 * q.a.n + 100 * q.k + 1000 * *q.b.p + 100000 * q.b.n + 1000000 * *b.p + 100000000 * c;`,
    wanted: (i) => {
      // x[2] is 7, x[1] is 4.
      const b = i > 2 ? [0, i] : [3, 2];
      const first = i > 3 ? [0, i] : [1, i + 1];
      const second = i + 2 > 5 ? b : [i + 2, i + 3];
      const last = i + 1 > 4 ? first : second;
      const parts = x[first[0]!]! + 10 * first[1]! + 100 * (i + 1) + 1000 * x[second[0]!]! + 100000 * second[1]!;
      return parts + 1000000 * x[last[0]!]! + 100000000 * (i + 1);
    },
  },
  {
    name: "methods of what methods return",
    from: "msl",
    file: `struct view { const device int *p; int n;
  view with(int k) const { view r = *this; r.n = k; r.p += k; return r; }
  view twice(int k) const { if (k > 3) return with(k).with(1); return with(1).with(k).with(2); }
};`,
    body: `view a = {x, i};
  a = a.with(1).with(a.n);
  a = a.with(a.with(2).n).with(a.n);
  view b = a.twice(i);
  view c; (c = a, c.n += 5);
  o[i] = *a.p + a.n * 1000 + *b.p * 10000 + b.n * 1000000 + c.n * 10000000;`,
    wanted: (i) =>
      x[2 * i + 3]! +
      1000 * i +
      (i > 3 ? 10000 * x[3 * i + 4]! + 1000000 : 10000 * x[3 * i + 6]! + 2000000) +
      10000000 * (i + 5),
  },
  {
    name: "a call that a switch chooses by",
    from: "msl",
    file: "struct view { const device int *p; int n; int next() { p++; return ++n; } };",
    body: `view v = {x, i};
  switch (v.next() & 3) { case 0: o[i] = 1; break; case 1: o[i] = v.next(); break; default: o[i] = *v.p; }`,
    wanted: (i) => (((i + 1) & 3) === 0 ? 1 : ((i + 1) & 3) === 1 ? i + 2 : x[1]!),
  },
  {
    name: "pointers to objects with pointers that are chosen, set and stepped through",
    from: "opencl",
    file: `struct view { __global const int *p; int n; };
int at(const struct view *v, int k) { return v->p[k] * v->n; }
int walked(struct view *v, const struct view *end) { int s = 0; for (; v != end; ++v) { s = 2 * s + *v->p; v->p += v->n; } return s; }
struct view *later(struct view *v, int by) { return v + by; }`,
    body: `struct view v[3] = {{x, 1}, {x + i, 2}, {x + 4, 3}}, w = {x + 20, 5};
  struct view *p = i % 2 ? &w : v + 2, *q = &v[1];
  int s = at(p, 1) + 1000 * walked(v, v + 3);
  p = q;
  p->n = 7;
  s += 100000 * at(q, 0) + 10000000 * (int)(later(v, 2) - q);
  --q;
  w = *q;
  o[i] = s + 3 * (w.p == x + 1) + 5 * (p > q) + *w.p;`,
    wanted: (i) =>
      (i % 2 ? x[21]! * 5 : x[5]! * 3) +
      1000 * (4 * x[0]! + 2 * x[i]! + x[4]!) +
      100000 * 7 * x[i + 2]! +
      10000000 +
      3 +
      5 +
      x[1]!,
  },
  {
    name: "references to objects with pointers that a pointer leads to",
    from: "msl",
    file: `struct view { const device int *p; int n; int next() thread { n++; return *p++; } };
void twice(thread view &v) { v.p += 2; v.n *= 2; }
int last(thread view *v, int n) { return v[n - 1].p[0]; }`,
    body: `view a = {x + i, 1}, b[2] = {{x + 8, 2}, {x + 9, 3}};
  thread view *p = i > 3 ? &a : b;
  int s = p->next();
  twice(*p);
  s += 100 * p->next() + 10000 * a.n + 100000 * b[0].n;
  p = b + 1;
  p->p += i;
  o[i] = s + 1000000 * last(b, 2);`,
    wanted: (i) =>
      (i > 3 ? x[i]! + 100 * x[i + 3]! + 50000 + 200000 : x[8]! + 100 * x[11]! + 10000 + 700000) + 1000000 * x[9 + i]!,
  },
  {
    name: "a list of structs that point to themselves",
    from: "opencl",
    file: `typedef struct Node Node;
struct Node { int v; Node *next; };
int two(Node n) { return n.v * 10 + n.next->v; }`,
    body: `Node a = {x[i], 0}, b = {2, &a}, c = {3, &b}, d = {4, &c};
  int n = b.next->v + (b.next->next == 0) * 1000;
  d.next->next->next->v += 5;
  o[i] = n + d.next->next->next->v * 10 + two(c) * 10000 + (d.next->next->next->next ? 7 : 0);`,
    wanted: (i) => x[i]! + 1000 + (x[i]! + 5) * 10 + (30 + 2) * 10000,
  },
  {
    name: "structs and templates that point to themselves, by methods",
    from: "msl",
    file: `struct Node { int v; thread Node *next; int both() const { return v * 100 + next->v; } };
template <typename T> struct Box { T v; thread Box *next; thread const Box<T> *prev; };`,
    body: `Node a = {x[i], nullptr}, b = {2, &a}, c = {3, &b};
  o[i] = c.both() * 1000;
  c.next->v = 7;
  o[i] += b.both();
  Box<int> s = {4, nullptr, nullptr}, r = {5, &s, &s};
  if (r.next->next == nullptr) o[i] += r.next->v * 1000000 + r.prev->v * 10000000;`,
    wanted: (i) => 302 * 1000 + 700 + x[i]! + 4 * 1000000 + 4 * 10000000,
  },
  {
    name: "a struct that points to itself, where nothing follows",
    from: "msl",
    file: `struct Node { int v; thread Node *next; device Node *other; };
union Two { int a; uint b; };`,
    body: `Node n; n.v = x[i]; Node m = n; m.v++;
  o[i] = m.v;`,
    wanted: (i) => x[i]! + 1,
  },
  {
    name: "a list that is walked, and one that grows",
    from: "msl",
    file: `struct Node { int v; thread Node *next; };
int sum(thread const Node *p) { int s = 0; for (; p; p = p->next) s = s * 10 + p->v; return s; }
thread Node *last(thread Node *p) { while (p->next != nullptr) p = p->next; return p; }
thread Node *push(thread Node *head, thread Node &n) { n.next = head; return &n; }
int behind(Node n) { n.v++; thread Node *p = &n; return p->v * 10 + (p->next ? p->next->v : 0); }`,
    body: `Node c = {3, nullptr}, b = {2, &c}, a = {1, &b};
  o[i] = 0;
  for (thread Node *p = &a; p; p = p->next) o[i] = o[i] * 10 + p->v; // 123
  Node n[4];
  thread Node *head = nullptr;
  for (int j = 0; j < 4; j++) { n[j].v = j + (i & 3); head = push(head, n[j]); }
  o[i] += 1000 * sum(head); // 3210 and i & 3 in each
  Node extra = {9, nullptr};
  last(head)->next = &extra;
  if (last(head) == &extra && head == n + 3 && head - n == 3) o[i] += sum(head + 0) % 10; // 9
  c.next = &n[0];
  o[i] += behind(b) * 10000000; // 33
  o[i] += b.v; // 2`,
    wanted: (i) => 123 + 1000 * (3210 + 1111 * (i & 3)) + 9 + 33 * 10000000 + 2,
  },
  {
    // Clang's program gave this number.
    name: "functions that refer to an object of a list",
    from: "msl",
    file: `struct N { int v; thread N *n; };
thread N &last(thread N &o) { thread N *p = &o; while (p->n) p = p->n; return *p; }`,
    body: `N a = {1, nullptr}, b = {2, &a}, c = {3, &b};
  last(c).v += 4;
  N d = last(b); thread N &e = last(c);
  e.v++; d.v = 100; last(i & 1 ? b : c).n = nullptr;
  thread N *q = &last(c);
  o[i] = a.v + q->v * 10 + d.v + (q == &a) * 1000;`,
    wanted: () => 6 + 60 + 100 + 1000,
  },
  {
    name: "trees by methods, arrays of pointers",
    from: "msl",
    file: `struct Tree {
  int key;
  thread Tree *child[2];
  void insert(thread Tree &t) {
    int first = t.key > key;
    if (!child[first]) { child[first] = &t; return; }
    thread Tree *at = child[first];
    while (true) {
      int c = t.key > at->key;
      if (!at->child[c]) { at->child[c] = &t; return; }
      at = at->child[c];
    }
  }
  int least() const { thread const Tree *q = child[0]; while (q && q->child[0]) q = q->child[0]; return q ? q->key : key; }
};
struct Forest { thread Tree *trees[2]; int count; int both() const { return trees[0]->key * 10 + trees[count - 1]->key; } };`,
    body: `Tree n[5];
  for (int j = 0; j < 5; j++) {
    n[j].key = (j * 3 + i) % 5 + 1;
    n[j].child[0] = n[j].child[1] = nullptr;
    if (j > 0) n[0].insert(n[j]);
  }
  Forest f = {{&n[0], nullptr}, 2};
  f.trees[1] = &n[2];
  thread Tree *const row[3] = {&n[1], &n[3], &n[4]};
  o[i] = n[0].least() + 100 * f.both() + 10000 * row[i % 3]->key + 100000 * n[1].least();`,
    wanted: (i) => {
      const key = (j: number): number => ((j * 3 + i) % 5) + 1;
      // The second is put below the first, and what comes after it that is less than both below it, where it is less than the first.
      const below = [2, 3, 4].map(key).filter((k) => k < key(1) && (key(1) < key(0) || k > key(0)));
      return 1 + 100 * (key(0) * 10 + key(2)) + 10000 * key([1, 3, 4][i % 3]!) + 100000 * Math.min(key(1), ...below);
    },
  },
  {
    name: "structs that point to each other",
    from: "msl",
    file: `struct B;
struct A { int v; thread B *b; };
struct B { int w; thread A *a; int both() const { return w * 10 + a->v; } };
int walk(thread A *a, int n) {
  int s = 0;
  while (n-- > 0) { s = s * 10 + a->v; thread B *b = a->b; s = s * 10 + b->w; a = b->a; }
  return s;
}`,
    body: `A p = {1, nullptr}, q = {2, nullptr};
  B u = {3, &q}, w = {4, &p};
  p.b = &u; q.b = &w;
  o[i] = walk(i & 1 ? &p : &q, 3) + 1000000 * u.both();`,
    wanted: (i) => (i & 1 ? 132413 : 241324) + 32000000,
  },
  {
    name: "structs that point to each other and hold each other",
    from: "opencl",
    file: `typedef struct Edge Edge;
typedef struct Vertex { int v; Edge *first; } Vertex;
struct Edge { Vertex *to; Edge *next; Vertex copy; };
int neighbours(Vertex *p) { int s = 0; for (Edge *e = p->first; e; e = e->next) s = s * 10 + e->to->v; return s; }`,
    body: `Vertex v[3] = {{1, 0}, {x[i], 0}, {3, 0}};
  Edge e[4];
  Edge *free = e;
  for (int j = 0; j < 4; j++, ++free) {
    Vertex *from = &v[j & 1];
    free->to = v + (j + 1) % 3;
    free->next = from->first;
    free->copy = *from;
    from->first = free;
  }
  v[2].v = 7;
  o[i] = neighbours(v) + 10000 * neighbours(&v[1]) + 1000000 * (e[2].copy.v + e[2].copy.first->to->v * 0);`,
    // Of the first: the edges to (2 + 1) % 3 and 1; of the second: to (3 + 1) % 3 and 2.
    wanted: (i) => 1 * 10 + x[i]! + 10000 * (x[i]! * 10 + 7) + 1000000,
  },
];

const sourceOf = ({ from, file, body }: Case): string =>
  from === "msl"
    ? `#include <metal_stdlib>
using namespace metal;
${file}
kernel void k(device int *o [[buffer(0)]], const device int *x [[buffer(1)]], uint l [[thread_position_in_threadgroup]]) {
  threadgroup int t[64];
  const int i = int(l);
  ${body}
}
`
    : `${file}
kernel void k(global int *o, global const int *x) {
  local int t[64];
  const int i = get_local_id(0);
  ${body}
}
`;

const ownText = ({ from, name }: Case, text: string): Judgeable =>
  from === "opencl"
    ? { dialect: from, name, text, options: { extensions: true } }
    : { dialect: from, name, text, options: {} };

async function translated(c: Case, to: TwoWayDialect): Promise<string> {
  const { code, diagnostics } = await translate(sourceOf(c), { from: c.from, to, workgroupSize: [lanes, 1, 1] });
  expect(
    diagnostics.filter((d) => d.severity === "error").map((d) => d.message),
    c.name,
  ).toEqual([]);
  return code!;
}

async function run(source: string, from: TwoWayDialect, subgroupSize: number): Promise<readonly number[]> {
  const { buffers, diagnostics, findings } = await simulate(source, {
    from,
    workgroups: [1],
    ...(from === "msl" || from === "opencl" ? { workgroupSize: [lanes, 1, 1] } : {}),
    subgroupSize,
    args: { o: new Int32Array(lanes), x: Int32Array.from(x) },
  });
  expect([...diagnostics.filter((d) => d.severity === "error"), ...findings].map((d) => d.message)).toEqual([]);
  return [...(buffers["o"] as Int32Array)];
}

describe.each(cases)("$name", (c) => {
  const wanted = Array.from({ length: lanes }, (_, i) => c.wanted(i));
  test.each([4, 32])("computes what the source says, at width %i", async (width) => {
    expect(await run(sourceOf(c), c.from, width)).toEqual(wanted);
    for (const to of twoWayDialects) {
      const text = await translated(c, to);
      expect(await run(text, to, width), text).toEqual(wanted);
    }
  });
});

describe("judges", () => {
  for (const from of ["msl", "opencl"] as const)
    judgeTest(judges[from], `the ${from} compiler takes the sources`, async () => {
      const texts = cases.filter((c) => c.from === from).map((c) => ownText(c, sourceOf(c)));
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
  for (const to of twoWayDialects)
    judgeTest(judges[to], `the ${to} compiler takes the translations`, async () => {
      const texts: Judgeable[] = [];
      for (const c of cases) texts.push(judgeable(to, c.name, await translated(c, to)));
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
});

/** Objects of lists lie in one array, but an index leads out of its own all the same (C99 6.5.6 (8)). */
describe("beyond an object of a list", () => {
  const text = (access: string): string => `typedef struct Node { int v; struct Node *next; } Node;
kernel void k(global int *o, int n) {
  Node z; z.v = 1; z.next = 0;
  Node a[2], b[3];
  for (int i = 0; i < 2; i++) { a[i].v = i; a[i].next = 0; }
  for (int i = 0; i < 3; i++) { b[i].v = 10 + i; b[i].next = i ? &b[i - 1] : &z; }
  a[1].next = b + 2;
  int s = 0;
  for (Node *p = a + 1; p; p = p->next) s += p->v;
  for (Node *p = a; p != a + 2; p++) s += p->v;
  Node *q = b; q += 3; s += q[-1].v; q -= 1; s += q->v;
  ${access}
  o[0] = s;
}
`;
  // a[1], b[2], b[1], b[0], z; a[0], a[1]; b[2] twice.
  const sum = 1 + 12 + 11 + 10 + 1 + (0 + 1) + 2 * 12;
  const of = (index: number, count: number): string => `index ${index} of an array of ${count} elements`;
  test.each<[string, number, number | string]>([
    ["s += a[n].v;", 1, sum + 1],
    ["s += a[n].v;", 2, of(2, 2)],
    ["s += a[n].v;", 5, of(5, 2)],
    ["s += a[n].v;", -1, of(-1, 2)],
    ["Node *r = &a[n]; s += r == a + 2;", 2, sum + 1],
    ["Node *r = &a[n]; s += r->v;", 2, of(2, 2)],
    ["Node *r = b; s += (r + n)->v;", 2, sum + 12],
    ["Node *r = b; s += (r - n)->v;", 1, of(-1, 3)],
    ["Node *r = a; r += n; s += r[-1].v;", 2, sum + 1],
    ["Node *r = a; r += n; s += r->v;", 3, of(3, 2)],
    ["Node *r = a; r++; r++; s += r->v;", 0, of(2, 2)],
    ["Node *r = &z; s += (r + n)->v;", 1, of(1, 1)],
  ])("%s of %i", async (access, n, wanted) => {
    for (const engine of ["ts", "wasm"] as const) {
      const args = { o: Int32Array.of(0), n };
      const run = await simulate(text(access), { from: "opencl", engine, workgroups: [1], workgroupSize: [1], args });
      if (typeof wanted === "number") expect([run.findings, (run.buffers["o"] as Int32Array)[0]]).toEqual([[], wanted]);
      else expect(run.findings[0]!.message).toBe(wanted);
    }
  });
});

test("comments stay at what stands for a declaration", async () => {
  const source = `#include <metal_stdlib>
using namespace metal;
struct view { const device int *p; };
kernel void k(device int *o [[buffer(0)]], const device int *x [[buffer(1)]]) {
  // one
  view v = {x}; // two
  // three
  view w; // four
  w = view{v.p + 1}; // five
  o[0] = *w.p;
}
`;
  const { code } = await translate(source, { from: "msl", to: "opencl" });
  for (const word of ["one", "two", "three", "four", "five"])
    expect(code!.split("\n").filter((line) => line.endsWith(`// ${word}`))).toHaveLength(1);
});

describe("what is refused, by name", () => {
  const file = `struct view { const device int *p; int n; bool more() { p++; return --n > 0; } };`;
  const kernel = (body: string): string => `#include <metal_stdlib>
using namespace metal;
${file}
kernel void k(device int *o [[buffer(0)]], const device int *x [[buffer(1)]]) { view a = {x, 3}; ${body} }
`;
  const refused: readonly (readonly [string, string, string])[] = [
    [
      "in workgroup memory that the host sizes",
      kernel("l[0].n = 1; o[0] = l[0].n;").replace(
        "[[buffer(1)]]",
        "[[buffer(1)]], threadgroup view *l [[threadgroup(0)]]",
      ),
      "pointers in structs are, outside of a function's own memory, not supported yet",
    ],
    [
      "a part of another object that is linked",
      kernel(
        "struct N { int v; thread N *next; }; struct M { int k; N n; }; M m = {1, {3, nullptr}}; N b = {2, &m.n}; for (thread N *p = &b; p; p = p->next) o[0] += p->v;",
      ),
      "the address of a struct that points to its own kind is, where it is a part of something else, not supported yet",
    ],
    ...[
      "N(int k) : v(k), p(&v) {} };",
      "N(int k) : v(k), p(nullptr) { keep(&v); } void keep(thread int *q) { thread int *r = q; p = r; } };",
      "N(int k) : v(k) { N::keep(*this, v); } static void keep(thread N &n, thread int &q) { n.p = &q; } };",
    ].map(
      (made) =>
        [
          `a constructor that keeps where its object is: ${made}`,
          kernel(`o[0] = *N(1).p + a.n;`).replace(
            "kernel void",
            `struct N { int v; thread int *p; ${made}\nkernel void`,
          ),
          "a constructor that keeps the address of its object, or of a part of it, is not supported yet",
        ] as const,
    ),
    [
      "a linked object as bytes",
      kernel(
        "struct N { int v; thread N *next; }; N b = {2, nullptr}; thread N *p = &b; while (p) { o[0] += *(thread int *)p; p = p->next; }",
      ),
      "such a conversion of a pointer to a struct that points to its own kind is not supported yet",
    ],
    [
      "what would take the place of too many calls",
      `${kernel("f13(a); o[0] = a.n;").replace(
        "kernel",
        `void f0(thread view &v) { v.p++; v.n++; }
${Array.from({ length: 13 }, (_, k) => `void f${k + 1}(thread view &v) { f${k}(v); f${k}(v); }`).join("\n")}
kernel`,
      )}`,
      "functions that move or return pointers in objects are, where they take the place of their calls, with more than 10000 statements not supported yet",
    ],
    [
      "a pointer to one of two, where one is a part of something else",
      kernel("struct pair { int k; view v; } b = {1, a}; thread view *q = &a; if (x[0] > 0) q = &b.v; o[0] = q->n;"),
      "pointers to structs with pointers are not supported yet",
    ],
    [
      "a list in workgroup memory that is walked",
      kernel(
        "struct node { int v; threadgroup node *next; }; threadgroup node n; n.v = 1; n.next = &n; for (threadgroup node *p = &n; p; p = p->next) o[0] += p->v;",
      ),
      "pointers to structs with pointers are not supported yet",
    ],
    [
      "a struct in itself",
      kernel("struct node { int v; node next; }; o[0] = 1;"),
      "the type of this member is not complete here",
    ],
    // Without its pointer the object is shorter, and its other members lie elsewhere.
    [
      "its bytes",
      kernel("thread char *c = (thread char *)&a; c[8] = 5; o[0] = a.n;"),
      "a struct with pointers as its bytes, or as another type, is not supported yet",
    ],
    [
      "the bytes of what it is a part of",
      kernel("struct box { int k; view v; }; box b[2]; b[1].v = a; o[0] = ((thread int *)b)[4];"),
      "a struct with pointers as its bytes, or as another type, is not supported yet",
    ],
    [
      "where pointers lead to no object",
      kernel("thread view *p = nullptr; thread view *q = x[0] > 5 ? p : nullptr; q++; o[0] = q->p[0];"),
      "pointers to structs with pointers are not supported yet",
    ],
    [
      "a union",
      kernel("union u { const device int *p; int n; }; o[0] = 1;"),
      "pointers in unions are not supported yet",
    ],
  ];
  test.each(refused)("%s", async (_, source, message) => {
    for (const to of twoWayDialects) {
      const { code, diagnostics } = await translate(source, { from: "msl", to, workgroupSize: [lanes, 1, 1] });
      expect(code).toBeUndefined();
      expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toContain(message);
    }
  });
});

test("what takes the place of calls is counted for each function", async () => {
  const source = `#include <metal_stdlib>
using namespace metal;
struct view { const device int *p; };
void f0(thread view &v) { v.p++; }
${Array.from({ length: 11 }, (_, k) => `void f${k + 1}(thread view &v) { f${k}(v); f${k}(v); }`).join("\n")}
${["a", "b", "c"].map((name) => `kernel void ${name}(device int *o, const device int *x) { view v = {x}; f11(v); o[0] = *v.p; }`).join("\n")}
`;
  const { code, diagnostics } = await translate(source, { from: "msl", to: "opencl" });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  // Each kernel moves its pointer 2048 times.
  expect(code!.match(/v_p\d*\+\+|\+\+v_p\d*|v_p\d* \+= 1/g)!.length).toBeGreaterThanOrEqual(3 * 2048);
});

describe("pointers to pointers in structs", () => {
  const kernel = (body: string): string => `typedef struct { float *p; float **pp; int n; } S;
void set(float **w, float *v) { *w = v; }
float get(S s) { return **s.pp; }
__attribute__((reqd_work_group_size(8, 1, 1)))
kernel void k(global float *o) { int i = get_local_id(0); float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}; float *q = a, *r = b; ${body} }`;
  const cases: readonly (readonly [string, string, (i: number) => number])[] = [
    ["set", "S s; s.pp = &q; s.p = b; *s.pp = b + 1; o[i] = **s.pp + *s.p + q[0] * 100;", () => 611],
    ["of a list", "S s = {r, &q, i}; o[i] = **s.pp + *s.p * 10;", () => 51],
    ["set anew", "S s = {r, &q, i}; float x = **s.pp; s.pp = &r; *s.pp = a + 2; o[i] = x + *r * 10 + *q;", () => 32],
    ["chosen", "S s; if (i > 3) s.pp = &q; else s.pp = &r; *s.pp += 1; o[i] = *q * 10 + *r;", (i) => (i > 3 ? 25 : 16)],
    ["of a copy", "S s = {r, &q, i}; S t = s; *t.pp = b + 3; o[i] = **s.pp;", () => 8],
    ["handed over", "S s = {r, &q, i}; set(s.pp, b + 2); o[i] = *q;", () => 7],
    ["in a struct that is handed over", "S s = {r, &q, i}; o[i] = get(s);", () => 1],
    [
      "in an array",
      "S s[2]; s[0].pp = &q; s[1].pp = &r; for (int j = 0; j < 2; j++) *s[j].pp += 1; o[i] = *q;",
      () => 2,
    ],
    ["to a member", "S s; s.p = a; s.pp = &s.p; *s.pp = b; o[i] = s.p[1];", () => 6],
  ];

  test.each(cases)("%s", async (_, body, wanted) => {
    const want = Float32Array.from({ length: 8 }, (_, i) => wanted(i));
    for (const to of ["opencl", "msl", "glsl", "hlsl"] as const) {
      const { code } = to === "opencl" ? { code: kernel(body) } : await translate(kernel(body), { from: "opencl", to });
      const { buffers, findings } = await simulate(code!, {
        from: to,
        workgroups: [1],
        workgroupSize: [8],
        args: { o: new Float32Array(8) },
      });
      expect(findings).toEqual([]);
      expect(buffers["o"], code).toEqual(want);
    }
  });
});
