/**
 * C as OpenCL kernels write it: what C99 and GNU C (clang-19) have. Each case is a kernel with its results worked out in plain
 * JavaScript; clang takes the source, the real compilers take the translations, and all of them are run at two widths.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, verify, type TwoWayDialect } from "../src/index.js";
import { twoWayDialects } from "../src/dialects/ids.js";
import {
  judgeable,
  judgeOutputs,
  judges,
  refusals,
  type Judgeable,
  type JudgedDialect,
} from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const lanes = 8;

interface Case {
  readonly name: string;
  /** Before the kernel. */
  readonly file?: string;
  /** Of `kernel void k(global int *o)`, where `i` is the invocation. */
  readonly body: string;
  /** What `o[i]` is behind, where it is `100 + i` before. */
  readonly wanted: (i: number) => number;
}

const cases: readonly Case[] = [
  {
    // C99 6.7.5.3: the declarator of a function lies inside of that of what it returns a pointer to.
    name: "functions that return pointers to arrays",
    file: `typedef int (Row)[3]; Row *row(Row *r, int k) { return r + k; } int (*next(int (*r)[3]))[3] { return r + 1; }
global int (*pairs(global int (*m)[2][2], int k))[2][2]; global int (*pairs(global int (*m)[2][2], int k))[2][2] { return m + k; }`,
    body: `Row rows[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}; int (*at)[3] = row(rows, 1); (*at)[i % 3] += 10;
  int first = (*pairs((global int (*)[2][2])o, i / 4))[(i / 2) & 1][i & 1]; o[i] = rows[1][i % 3] + (*next(at))[1] * 100 + first * 1000;`,
    wanted: (i) => 4 + (i % 3) + 10 + 800 + (100 + i) * 1000,
  },
  {
    // C99 6.6 (9): casts among address constants.
    name: "constants of the file that hold addresses as those of another type",
    file: "constant int arr[4] = {1, 2, 3, 4}; constant uint *constant p = (constant uint *)&arr[1]; constant uchar *constant t[2] = {(constant uchar *)arr, (constant uchar *)(arr + 3)};",
    body: "o[i] = (int)*p + (int)p[1] * 10 + t[i & 1][0] * 100;",
    wanted: (i) => 2 + 30 + (i & 1 ? 400 : 100),
  },
  {
    // C99 6.8.4.2, 6.8.5.3; clang's program gave these numbers.
    name: "jumps over variables of a loop's head",
    body: `int r = 0; if (i > 5) goto in;
  for (int j = 0, m = 3; j < m; j++) {
    if (r > 1000) { r += 5000; continue; }
    r += 10;
in: r += 100; if (i > 5) { j = 2; m = 4; } if (r > 230) break;
  }
  switch (i) { case 0: r += 1; for (int k = i; k < 3; k++) { r += 1000; case 1: k = r & 1; r++; case 2: r += 20000; if (r > 60000) break; k = 1 + r % 3; } }
  o[i] = r;`,
    wanted: (i) => [21332, 41332, 20330, 330, 330, 330, 320, 320][i]!,
  },
  {
    // clang warns of what is never reached; its program gave these numbers.
    name: "statements before the first case",
    body: `int r = 0; switch (i) { int x; r = 99; { r += x; } while (r) { x = 1; } case 0: x = 4; r += x; break; case 1: x = 5; r += x; default: r += 7; }
  switch (i) { int y = 3; r = 98; if (r) { case 2: y = 5; r += y * 1000; } else r = 5; default: r++; case 3: r += 100; } o[i] = r;`,
    wanted: (i) => [105, 113, 5108, 107, 108, 108, 108, 108][i]!,
  },
  {
    // OpenCL C 3.0 6.7.2: constant memory in the outermost block of a kernel.
    name: "constants of a kernel, and pointers to them that functions take",
    file: "int at(constant int *p, int k) { return p[k & 3]; }",
    body: `constant int T[4] = {1, 2, 3, 4}; constant int n = 5; constant int *p = T + 1; constant char *constant names[2] = {"ab", "cd"};
  o[i] = at(T, i) + p[i & 1] * 10 + *&n * 100 + names[i & 1][1] * 1000;`,
    wanted: (i) => (i & 3) + 1 + ((i & 1) + 2) * 10 + 500 + (i & 1 ? 100 : 98) * 1000,
  },
  {
    // C99 6.3.2.2 and 6.8.3: calls are made whatever becomes of their values.
    name: "calls whose values are converted and dropped, and declarations with names in parentheses",
    // Functions without parameters are declared by `float2(two());` in MSL and by `uint64_t(long_two());` in HLSL.
    file: "int up(int *n) { return ++*n; } int two(void) { return 2; } long long_two(void) { return 2; }",
    body: `(uint)two(); (float2)two(); as_float(two()); as_ulong(long_two()); int n = i; (uint)up(&n); (float)up(&n), (char)up(&n); (float2)up(&n); for ((uint)up(&n); n < 10; (uint)up(&n)) ; (uint)n;
  int (x) = 3, (a[2]), (b)[2]; int (y); y = x; a[1] = y; b[0] = 4; o[i] = n * 100 + a[1] * 10 + b[0];`,
    wanted: (i) => Math.max(10, i + 5) * 100 + 30 + 4,
  },
  {
    // C11 6.7.6 and 6.9.1: any declarator may stand in parentheses, and a function's name, which no macro then stands for.
    name: "declarators in parentheses, more than one, of functions and members",
    file: `#define up(x) ((x) + 1)
typedef int T, (U), *(P); typedef struct { int (a), (*(p)), ((b))[2]; T (c); } S;
int (f)(int (x)) { return x; } int ((g))(int); int g(int y) { return y + 1; } int (up)(int x) { return up(x) * 2; }
int *((h))(int *(p), int ((n))[2]) { n[0] = 3; return p + n[1]; }`,
    body: `int ((z)); z = 3; int *(r); r = &z; T ((y)); y = 4; T *(q) = &y; int (*a)[2]; int b[2] = {1, 2}; a = &b; P (v) = &b[1]; U (w) = 6;
  S s; s.a = i; s.p = &z; s.b[1] = 2; s.c = 3; int (((m[3]))) = {1, 2, 3}, ((l))[1]; l[0] = 1; int e[2] = {1, 1}, d[2] = {7, 8}; for (T (j) = 0; j < 2; j++) w += j;
  int (x) __attribute__((aligned(8))) = 5; o[i] = z + *r * 10 + y * 100 + *q * 1000 + (*a)[1] * 10000 + *v + s.a + *s.p * 100000 + s.b[1] + s.c + m[2] + l[0] + w + f(3) + g(4) + *h(d, e) * 1000000 + x;`,
    wanted: (i) => 3 + 30 + 400 + 4000 + 20000 + 2 + i + 300000 + 2 + 3 + 3 + 1 + 7 + 3 + 5 + 8000000 + 5,
  },
  {
    // C99 6.6 (9): an address constant; OpenCL C 3.0 6.7.
    name: "constants of the file that hold addresses of others",
    file: `constant int arr[4] = {1, 2, 3, 4}; constant int *constant p = &arr[1], *constant q = arr + 2; constant int *constant tab[2] = {arr, &arr[2]};
constant int grid[2][3] = {{1, 2, 3}, {4, 5, 6}}; constant int *constant rows[2] = {grid[0], grid[1] + 1}; constant char *constant names[3] = {"ab", "cd", "efg"};
typedef struct { constant int *p; int n; } E; constant E es[2] = {{arr, 2}, {arr + 1, 3}}; constant E one = {&arr[2], 5}; constant int *constant none = 0;
int at(constant int *t, int k) { return t[k] + *p; } int length(int k) { int n = 0; for (constant char *c = names[k]; *c; c++) n++; return n; }`,
    body: `int n = 0, s = 0; while (tab[n & 1][0] < 3) n++; for (int j = 0; j < 2; j++) if (rows[j][0] > 2) s += tab[j][1] * 10; if (none) s = 1000;
  o[i] = n + s + *p + p[1] * 100 + *q * 1000 + tab[i & 1][1] * 10000 + at(rows[i & 1], 1) * 100000 + es[i & 1].p[1] * 1000000 + es[1].n + one.p[1] + one.n + names[i % 3][1] + length(i % 3) + (p == &arr[1]);`,
    wanted: (i) =>
      1 +
      40 +
      2 +
      300 +
      3000 +
      (i & 1 ? 4 : 2) * 10000 +
      ((i & 1 ? 6 : 2) + 2) * 100000 +
      (i & 1 ? 3 : 2) * 1000000 +
      3 +
      4 +
      5 +
      [98, 100, 102][i % 3]! +
      [2, 2, 3][i % 3]! +
      1,
  },
  {
    // C99 6.5.16 leaves it open; clang's program reads the old value last, and so does the tree.
    name: "assignments with operators whose values change, by a pointer, what is assigned to",
    file: "int bump(global int *p) { (*p)++; return 1; }",
    body: "global int *p = &o[i]; o[i] <<= bump(p); o[i] /= bump(&o[i]); o[i] %= bump(p) + 50; o[i] >>= bump(p);",
    wanted: (i) => ((((101 + i) * 2 + 2) % 51) + 1) >> 1,
  },
  {
    // C11 6.5.1.1, which clang takes: it said of each which expression it is.
    name: "_Generic",
    file: `#define name(x) _Generic((x), int: 1, uint: 2, float: 3, char: 5, default: 6, long: 7, bool: 8)
#define size(x) _Generic((x), float: fabs, int: abs)(x)
typedef struct { int a; } S; typedef int T;`,
    body: `global float *f = (global float *)o; global const int *c = o; char ch = 1; uchar uc = 2; S s = {3}; int m[3] = {1, 2, 3}; bool b = i > 0; volatile int vi = 3; enum E { A } e = A; int n = i;
  int r = name(i) + name(f[0]) * 10 + name('a') * 100 + name(ch) * 1000 + name(i < 2) * 10000 + name(b) * 100000 + name(2u) * 1000000 + name(uc) * 10000000;
  r += _Generic(o, global const int *: 1, global int *: 2, default: 8) + _Generic(c, global const int *: 10, global int *: 20) + _Generic(m, private int *: 100, default: 200) + _Generic("ab", constant char *: 1000, default: 2000);
  r += _Generic(s, S: s.a, default: 4) + _Generic(n++, T: 7, float: n++) + _Generic(ch + ch, char: 1, int: 2) + name(1L) + _Generic(sizeof(i), ulong: 5, default: 6) + name(vi) + name(e) * 3 + name(b ? b : b) + name(uc += 1) * 5;
  _Generic(f[0], float: m[1], int: c[1]) += i; _Generic(&i, private int *: m, default: &i)[2] += 3; o[i] = r + n + m[1] * 3 + m[2] * 5 + (int)size(-2.0f) + size(-3);`,
    wanted: (i) => {
      const first = 1 + 30 + 100 + 5000 + 10000 + 800000 + 2000000 + 60000000;
      const second = 2 + 10 + 100 + 1000;
      const third = 3 + 7 + 2 + 7 + 5 + 1 + 2 * 3 + 1 + 6 * 5;
      return first + second + third + i + (2 + i) * 3 + 6 * 5 + 2 + 3;
    },
  },
  {
    // DXC's validator refuses what is read where nothing was written; C leaves open what is there.
    name: "what is stored with parts that nothing sets",
    file: `typedef struct { int a; int pad; int b[2]; } S; void fill(S *s, int n) { s->a = n; s->b[n & 1] = 5; s->b[~n & 1] = 6; }
float4 three(float x) { float4 v; v.xyz = (float3)(x, 2, 3); return v; } int last(int n) { int v; for (int j = 0; j < n; j++) { if (j > 3) return v; v = j; } return n; }`,
    body: `local S w[8]; S s; fill(&s, i); w[i] = s; barrier(CLK_LOCAL_MEM_FENCE); float4 f = three(i); float4 g; for (int j = 0; j < i; j++) g.y = j;
  f += i > 0 ? g.yyyy : 0; int big[40] = {0}; big[i] = 1; o[i] = w[i].a + w[i].b[0] * 10 + w[(i + 1) & 7].b[0] * 100 + (int)f.y * 1000 + last(i) * 100000 + big[i + 1] + big[i] * 1000000;`,
    wanted: (i) =>
      i +
      (i & 1 ? 6 : 5) * 10 +
      (i & 1 ? 5 : 6) * 100 +
      (2 + (i > 0 ? i - 1 : 0)) * 1000 +
      (i < 5 ? i : 3) * 100000 +
      1000000,
  },
  {
    // Structs and arrays of buffers, of which glslang makes SPIR-V that stores one type as another.
    name: "structs and arrays chosen from buffers",
    file: "typedef struct { int a; int b[2]; } S; int sum(S s) { return s.a + s.b[0] * 2 + s.b[1] * 3; }",
    body: `global S *s = (global S *)o; S e; e.a = 1; e.b[0] = e.b[1] = 2; S f = i == 3 ? e : s[0]; local S w[2]; w[0] = e; w[1] = e;
  barrier(CLK_LOCAL_MEM_FENCE); S g = i & 1 ? f : w[1]; int r = sum(f) * 100 + sum(i > 4 ? s[1] : s[0]) * 10 + (i > 5 ? s[1] : e).b[1] + sum(g) * 100000;
  barrier(CLK_GLOBAL_MEM_FENCE); o[i] = r;`,
    wanted: (i) => {
      const at = (k: number): number => 100 + 3 * k + 2 * (101 + 3 * k) + 3 * (102 + 3 * k);
      const f = i === 3 ? 11 : at(0);
      return f * 100 + at(i > 4 ? 1 : 0) * 10 + (i > 5 ? 105 : 2) + (i & 1 ? f : 11) * 100000;
    },
  },
  {
    // Run by clang, too; x[k] is 10 + k.
    name: "returns out of loops and switches of functions that move pointers in objects",
    file: `constant int x[16] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25};
typedef struct { constant int *p; int n; } cur;
int next(cur *c) { while (c->n > 0) { switch (c->p[0] & 1) { case 0: c->p++; c->n--; break; default: c->p += 2; c->n -= 2; if (c->n < 1) return -1; return c->p[-1]; } } return 0; }
cur made(int k) { cur c; for (int j = 0; j < 3; j++) { if (j == k) { c.p = x + j; c.n = 4; return c; } } c.p = x; c.n = 2; return c; }
void seek(cur *s, int want) { s->n = 0; for (int a = 0; a < 4; a++) { for (int b = 0; b < 3; b++) { if (b == 2) continue; if (*s->p + b == want) { s->n = a * 10 + b + 1; return; } } do { if (s->p[0] > 90) return; s->p++; } while (0); } s->n = -1; }`,
    body: `cur c = made(i % 4); int a = next(&c), b = next(&c); o[i] = a * 1000 + b * 10 + c.n;
  cur s = {x, 0}; seek(&s, 10 + i % 5); o[i] += s.n * 100000 + *s.p * 10000000;`,
    wanted: (i) => {
      // What clang's program printed of the first for 0 to 3; of the second by hand: found in the first row where want is 10 or 11.
      const first = [11989, 11990, 13989, -1001][i % 4]!;
      const w = i % 5;
      const n = w === 0 ? 1 : (w - 1) * 10 + 2;
      return first + n * 100000 + (w === 0 ? 10 : 9 + w) * 10000000;
    },
  },
  {
    // C99 6.7.3 (5): the objects themselves are not const.
    name: "what a pointer to const leads to is written where a cast takes the const away",
    file: `typedef struct { int a; int b[3]; } S;
void in_struct(const S *v) { S *p = (S *)v; p->b[1] += 5; }
void in_array(const int *v) { ((int *)v)[1] = 9; }
void byte_of(const int *v) { uchar *p = (uchar *)v; p[0] = 1; }
void handed(const int *v, int n) { int *p = (int *)v; if (n > 0) *p += n; in_array(v); }
int only_read(const int *v) { uchar *p = (uchar *)v; return p[0]; }`,
    body: `S s = {1, {2, 3, 4}}; in_struct(&s); int t[3] = {i, 2, 3}; in_array(t); int q = 0; byte_of(&q); int u[2] = {7, 8}; handed(u, i);
  o[i] = s.b[1] + t[0] * 10 + t[1] * 1000 + q * 10000 + u[0] * 100000 + u[1] * 10000000 + only_read(&t[2]) * 100000000;`,
    wanted: (i) => 8 + i * 10 + 9000 + 10000 + (7 + i) * 100000 + 90000000 + 300000000,
  },
  {
    // What leads to one label from outside of two blocks: each has a variable of its own.
    name: "jumps into a block from another one and from within",
    body: `int s = i, n = 0;
  if (i & 1) goto in;
  if (i < 5) {
    do { s = s * 3 + 7; in: s += 47; } while (s < 90);
    switch (s & 7) { case 0: case 1: case 3: if (n++ < 2) goto in; case 4: s += 3; }
  }
  o[i] = s;`,
    wanted: (i) => {
      let [s, n, first] = [i, 0, Boolean(i & 1)];
      if (!first && i >= 5) return s;
      for (;;) {
        do {
          if (!first) s = s * 3 + 7;
          first = false;
          s += 47;
        } while (s < 90);
        const way = s & 7;
        if (way === 0 || way === 1 || way === 3) {
          if (n++ < 2) {
            first = true;
            continue;
          }
          return s + 3;
        }
        return way === 4 ? s + 3 : s;
      }
    },
  },
  {
    // GNU C, and clang: what the pointer leads to begins at any multiple of 4 bytes, and so does such a member.
    name: "vectors that begin at any of their components",
    file: `typedef int4 __attribute__((aligned(4))) int4u;
typedef short2 short2u __attribute__((aligned(2)));
typedef struct { char c; int4u v; } rec;
int last(int4u v) { int4u w = v * 2; return w.w + v.x; }`,
    body: `int4 v = *(global const int4u *)(o + 8 + (i & 3)); int t[8] = {1, 2, 3, 4, 5, 6, 7, 8}; *(int4u *)(t + 3) += v;
  rec r = {1, (int4)(i)}; r.v.y = 5; r.v.z += 2; r.v.w += r.v.zx.y + 3 - i; int4u u = v; u.x += 1; v = u + r.v; short h[4] = {1, 2, 3, 4};
  short2 q = *(short2u *)&h[1 + (i & 1)]; int4u *p = (int4u *)&t[1]; p->y = 7;
  int n[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}; int4u *g = (int4u *)&n[2]; g->zx = (int2)(i, 50); g->yw += g->xz; g[i & 1].lo = 60; ((int4u *)n)->s3 = g->zyx.x; o[i] = n[2] * 7 + n[3] * 11 + n[4] * 13 + n[5] * 17;
  o[i] += t[2] + 10 * t[3] + 100 * t[6] + last(u) + r.v.y + r.v.w + (int)sizeof(rec) + 3 * (v.x + v.y) + q.x * q.y + (p + 1)->x;`,
    wanted: (i) => {
      const x = 108 + (i & 3);
      const [r, q] = [[i, 5, i + 2, i + 3], i & 1 ? 12 : 6];
      const t = [1, 2, 7, 4 + x, 5 + x + 1, 6 + x + 2, 7 + x + 3, 8];
      const last = (x + 3) * 2 + x + 1;
      // zx is n[4] and n[2]; n[5] has i more. Then n[2] and n[3], or n[6] and n[7], are 60, and n[3] is n[4].
      const n = [i & 1 ? 50 : 60, i, i, 6 + i];
      const s = n[0]! * 7 + n[1]! * 11 + n[2]! * 13 + n[3]! * 17;
      return s + t[2]! + 10 * t[3]! + 100 * t[6]! + last + 5 + r[3]! + 20 + 3 * (x + 1 + i + x + 1 + 5) + q + t[5]!;
    },
  },
  {
    // clang: v is at byte 4 of wide, w at byte 37, and wide has 56.
    name: "long vectors that begin at any of their components",
    file: `typedef int8 __attribute__((aligned(4))) int8u;
typedef uchar16 __attribute__((aligned(1))) uchar16u;
typedef struct { char c; int8u v; uchar t; uchar16u w; } wide;
int8u twice(int8u v) { v.s1 += 1; return v * 2; }
void put(private int8u *to, int8u v) { *to = v; to->s3 = to->s2; }`,
    body: `int8 v = *(global const int8u *)(o + 8); int t[20]; for (int j = 0; j < 20; j++) t[j] = j; *(private int8u *)(t + 3) += v;
  put((private int8u *)(t + 11), twice(v)); wide r = {1, (int8)(i), 2, (uchar16)(7)}; r.v.hi = v.lo; r.v.even += 1; r.w.s3 = 200; r.w.lo.s7 += 3;
  wide q = r; q.w.hi = r.w.lo; uchar16u u = q.w; u += (uchar16)(1); uchar b[40]; for (int j = 0; j < 40; j++) b[j] = j;
  *(uchar16u *)(b + 5 + i) = u; ((uchar16u *)(b + 1))->s0 = 99;
  o[i] = (int)sizeof(wide) + t[2] + t[3] * 10 + t[10] * 100 + t[12] * 3 + t[13] * 5 + t[14] * 7 + t[18] + t[19] * 11
    + r.v.s0 + r.v.s4 * 13 + r.v.s7 * 17 + b[1] * 1000 + b[4] * 2000 + b[5 + i] * 3000 + b[8 + i] * 4000 + b[12 + i] * 5000 + b[20 + i] * 6000 + b[21 + i] * 7000;`,
    wanted: (i) => {
      const x = 108;
      const t = 56 + 2 + (3 + x) * 10 + (10 + x + 7) * 100 + (x + 2) * 2 * 3 + (x + 2) * 2 * 12 + (x + 7) * 2 + 19 * 11;
      const r = i + 1 + (x + 1) * 13 + (x + 3) * 17;
      return t + r + 99000 + 4 * 2000 + 8 * 3000 + 201 * 4000 + 11 * 5000 + 11 * 6000 + (21 + i) * 7000;
    },
  },
  {
    name: "values of assignments to vectors that begin at any of their components, and to their parts",
    file: `typedef int4 __attribute__((aligned(4))) int4u; typedef int3 __attribute__((aligned(4))) int3u;
int two(int2 v) { return v.x * 3 + v.y; }`,
    body: `int t[12]; for (int j = 0; j < 12; j++) t[j] = j; private int4u *p = (private int4u *)(t + 1); int4u v = *p, w = v;
  v.lo = w.hi = (int2)(i, 7); int a = two(v.hi += 2), b = i > 3 ? (v.lo -= 1).x : 5;
  for (int j = 0; j < 3; j++, v.hi += 1) a += v.z;
  if ((w.lo *= 2).y > 3) a++;
  int q = (p->even = w.odd).y; q += (*p += 1).w; private int3u *r = (private int3u *)(t + 6); int3 n = *r = v.xyz;
  o[i] = a + b * 10 + q * 100 + n.y * 1000 + (v.hi >>= 1).x * 10000 + t[7] + t[3] * 3;`,
    wanted: (i) => {
      const [b, y] = i > 3 ? [i - 1, 6] : [5, 7];
      return 40 + b * 10 + 1200 + y * 1001 + 40000 + 24;
    },
  },
  {
    // The numbers are clang's (--target=spir64), of the same text.
    name: "typedefs of more alignment than their types, which members have",
    file: `typedef int aint __attribute__((aligned(16))); struct __attribute__((packed)) A { char c; aint a; char d; };
struct B { char c; aint a; char d; };
#pragma pack(push, 2)
struct C { char c; aint a; char d; };
#pragma pack(pop)
struct D { char c; aint a __attribute__((aligned(4))); }; struct E { char c; aint a __attribute__((packed)); char d; };
typedef aint bint; struct F { char c; bint b; }; typedef struct { int x[4]; } P __attribute__((aligned(16))); struct G { char c; P p[2]; };
struct H { char c; aint a; }; struct I { char c; struct H h; }; typedef const aint cint; struct J { char c; volatile cint a; };
union U { char c; aint a; }; typedef float4 f4 __attribute__((aligned(64))); struct K { char c; f4 f; }; struct __attribute__((aligned(8))) L { char c; aint a; };`,
    body: `int v[21] = { sizeof(struct A), __builtin_offsetof(struct A, a), sizeof(struct B), __builtin_offsetof(struct B, a), sizeof(struct C),
    __builtin_offsetof(struct C, a), sizeof(struct D), __builtin_offsetof(struct D, a), sizeof(struct E), __builtin_offsetof(struct E, a),
    sizeof(struct F), __builtin_offsetof(struct F, b), sizeof(struct G), __builtin_offsetof(struct G, p), sizeof(struct I),
    __builtin_offsetof(struct I, h), sizeof(struct J), sizeof(union U), sizeof(struct K), sizeof(struct L), sizeof(aint) };
  struct G g = { 1, { { { 1, 2, 3, 4 } }, { { 5, 6, 7, 8 } } } }; private struct G *q = &g;
  o[i] = v[i] + 100 * v[i + 8] + 10000 * (i < 5 ? v[i + 16] : 0) + 10000000 * ((private P *)q)[1].x[i & 3];`,
    wanted: (i) =>
      [6, 1, 32, 16, 8, 2, 32, 16][i]! +
      100 * [6, 1, 32, 16, 48, 16, 48, 16][i]! +
      10000 * ([32, 16, 128, 32, 4][i] ?? 0) +
      10000000 * [1, 2, 3, 4][i & 3]!,
  },
  {
    // clang's numbers, too.
    name: "typedefs of typedefs that say less alignment, and alignments beside pointers",
    file: `typedef int aint __attribute__((aligned(16))); typedef aint less __attribute__((aligned(4))); struct A { char c; less a; };
typedef aint some __attribute__((aligned(8))); struct B { char c; some a; }; struct C { char c; aint a, *b, d; };
struct D { char c; int a __attribute__((aligned(16))); int *b; int d; };`,
    body: `o[i] = sizeof(struct A) + 100 * sizeof(struct B) + 10000 * sizeof(struct C) + 1000000 * sizeof(struct D);`,
    wanted: () => 8 + 100 * 16 + 10000 * 48 + 1000000 * 48,
  },
  {
    // Of the same text clang gives these numbers, for each of its devices.
    name: "aligned without a number, and what alignof says of members, typedefs and structs",
    file: `typedef struct { char a; int b __attribute__((aligned)); } S; typedef struct __attribute__((aligned)) { char a; } T;
typedef float v4 __attribute__((__aligned__)); typedef struct { char a; v4 b; } U; struct W { char a; } __attribute__((aligned)); struct X { char c; struct W w; };
struct P { char a __attribute__((aligned(2))); int b[2] __attribute__((aligned(8))); char c; v4 d; };
struct __attribute__((packed)) Q { char a; int b; int c __attribute__((aligned(2))); v4 d; float4 f; };
#pragma pack(2)
struct R { char a; int b; v4 v; };
#pragma pack()`,
    body: `struct P s = { 1, { 2, 3 }, 4, 5 }; struct P *p = &s; struct Q q; struct R r;
  int v[24] = { sizeof(S), sizeof(T), sizeof(U), sizeof(struct X), __alignof__(v4), __alignof__(S), __alignof__(struct W), __builtin_offsetof(S, b),
    __alignof__(p->d), __alignof__(q.b), __alignof(q.c), __alignof__(q.d), __alignof__((q.f)), _Alignof(struct Q), __alignof__(r.b), __alignof__(r.v),
    __alignof__(p->b), __alignof__(s.a), __alignof__(s.c), _Alignof(struct R), _Alignof(float3), __alignof__(long), __alignof__(p->a), 4 };
  o[i] = v[i] + 100 * v[i + 8] + 10000 * v[i + 16] + s.b[1] * 1000000;`,
    wanted: (i) =>
      [32, 16, 32, 32, 16, 16, 16, 16][i]! +
      100 * [16, 1, 2, 1, 1, 2, 2, 2][i]! +
      10000 * [8, 2, 1, 2, 16, 8, 2, 4][i]! +
      3000000,
  },
  {
    name: "elements of vectors of three that begin at any of their components",
    file: `typedef int3 __attribute__((aligned(4))) int3u; typedef struct { int3u p; int r; } ball;`,
    body: `ball b = {(int3)(1, 2, 3), 7}; private int3u *q = &b.p; int c = 0;
  b.p[i % 3] += 10; b.p[1]++; (*q)[2] = b.p[i % 3] * 2; q[0][0] -= 1; b.p[c++] += 5;
  o[i] = b.p.x + b.p.y * 100 + b.p.z * 10000 + b.r * 1000000 + c * 10000000;`,
    wanted: (i) => {
      const p = [1, 2, 3];
      p[i % 3]! += 10;
      p[1]!++;
      p[2] = p[i % 3]! * 2;
      return p[0]! + 4 + p[1]! * 100 + p[2] * 10000 + 17000000;
    },
  },
  {
    // clang: they have the room of four, ball has 20 bytes, v of mix is at byte 4 and s at byte 36. What lies in the fourth component is left open.
    name: "vectors of three that begin at any of their components",
    file: `typedef int3 __attribute__((aligned(4))) int3u;
typedef struct { int3u p; int r; } ball; typedef struct { char c; int3u v[2]; short s; } mix;
int at(global const int3u *p, int k) { return p[k].z + p->y; }
int3u twice(int3u v) { v.zx += 1; return v * 2; }
void put(private int3u *to, int3u v) { *to = v; to->yx = v.zy; }`,
    body: `int3u v = *(global const int3u *)(o + 9); int t[20]; for (int j = 0; j < 20; j++) t[j] = j; *(private int3u *)(t + 3) += v;
  put((private int3u *)(t + 8), twice(v)); ball b = {v, i}, c = b; c.p += 1; c.p.zx = c.p.xz; ball list[2] = {b, c};
  private int3u *q = &list[i & 1].p; q->y = 50; (*q).x++; mix m; m.v[1] = (int3u)(1, 2, 3) + i; m.s = 7; m.v[0] = m.v[1] * list[0].r;
  o[i] = (int)(sizeof(ball) + 100 * sizeof(mix)) + t[3] + t[5] * 10 + t[8] * 3 + t[9] * 5 + t[10] * 7 + list[i & 1].p.x
    + list[i & 1].p.y * 11 + list[1 - (i & 1)].p.z + at((global const int3u *)(o + 8), 1) + m.v[1].z * 13 + m.v[0].y * m.s;`,
    wanted: (i) => {
      const list = i & 1 ? 113 + 111 : 110 + 110;
      return 4020 + 112 + 1160 + 660 + 1120 + 1568 + list + 550 + 223 + (3 + i) * 13 + (2 + i) * i * 7;
    },
  },
  {
    // As clang has it for 64-bit devices: 8 bytes, and 16 with an int behind.
    name: "pointers that are copied by their bytes, and their sizes",
    file: `typedef struct { global int *p; int n; } view;`,
    body: `global int *p = o + 8 + (i & 3), *q = o + 9; __builtin_memcpy(&p, &q, sizeof p); for (int k = 0; k < 3; k++) { global int *n = p + 1; __builtin_memcpy(&p, &n, sizeof(p)); }
  view v = {o + 10, 2}, w = {p, 4}; __builtin_memcpy(&v, &w, sizeof(view)); global int *r[2] = {o + 8, p}, *t[2]; __builtin_memcpy(t, r, sizeof r);
  o[i] = p[0] + v.p[1] * 2 + v.n * 1000 + t[1][2] * 3 + t[0][0] * 5 + (int)(sizeof(view) + 100 * sizeof(p) + 10000 * sizeof r);`,
    // p is o + 12.
    wanted: () => 112 + 226 + 4000 + 114 * 3 + 108 * 5 + 16 + 800 + 160000,
  },
  {
    // Run by clang, too.
    name: "vectors that begin at any of their components are stepped and shifted, and components of their parts are set",
    file: `typedef int16 __attribute__((aligned(4))) int16u; typedef struct { char c; int16u v; } S; typedef int8 __attribute__((aligned(4))) int8u;
typedef int4 __attribute__((aligned(4))) int4u; typedef uchar8 __attribute__((aligned(1))) uchar8u;`,
    body: `S s; s.v = (int16)(i); s.v.hi.even.lo += (int2)(3, 4); s.v.odd.s12 = s.v.even.s20; s.v.lo.lo.xyzw.wz = (int2)(5, 6); int4 q = s.v.hi.lo;
  int8u d = s.v.lo; ++d; d.hi.hi *= 2; int4u b = (int4)(i); b <<= 1; b--; b >>= (int4)(1, 0, 1, 0); uchar8u c = (uchar8)(255); c++; int n = (c--).s3;
  o[i] = s.v.s8 + s.v.sa * 10 + s.v.s3 * 100 + s.v.s5 * 1000 + s.v.s2 * 10000 + q.z * 100000 + d.s7 * 1000000 + (d++).s0 + (++d).s1 + b.x * 3 + b.y + n * 7 + c.s2 * 5;`,
    wanted: (i) => {
      const s = i + 3 + (i + 4) * 10 + 500 + i * 1000 + 60000 + (i + 4) * 100000 + (i + 1) * 2000000;
      return s + i + 1 + (i + 3) + Math.floor((2 * i - 1) / 2) * 3 + (2 * i - 1) + 255 * 5;
    },
  },
  {
    name: "addresses that are kept in integers",
    file: `typedef struct { ulong at; ulong stride[2]; } view;
ulong at(view v, int i) { return v.at + v.stride[0] * i; }
int get(ulong a) { return *(global int *)a; }`,
    body: `view v; v.at = (ulong)o + 32; v.stride[0] = 4; ulong rows[2]; rows[0] = at(v, i & 3); rows[1] = (uintptr_t)(o + 10);
  long b = (long)o; b -= -36; b++; --b; ulong n = 0; if (i > 2) n = rows[1]; else n = (ulong)(o + 11);
  local int l[8]; l[i] = i * 3; barrier(CLK_LOCAL_MEM_FENCE); size_t m = (size_t)l; m += (i ^ 1) * sizeof(int);
  int x = get(rows[0]) + 2 * get(rows[1]) + 3 * *(global int *)b + 5 * ((global int *)n)[1] + 7 * *(local int *)m;
  x += (int)(rows[1] - (ulong)o) * 1000 + ((n & 7) == 4) * 100000 + (n != 0) * 1000000; view w = {(ulong)o, {1, 2}}; view u = w;
  int t[4] = {1, 2, 3, 4}; ulong q = (ulong)t; q += 4 * (i & 1); *(private int *)(q + 8) = 50; x += t[2] * 11 + t[3] * 13;
  for (ulong a = u.at + 32, e = (ulong)(o + 11); a < e; a += sizeof(int)) x += *(const global int *)a; o[i] = x + (int)(u.stride[1] * 10000000);`,
    wanted: (i) => {
      const x = 108 + (i & 3) + 220 + 327 + 5 * (i > 2 ? 111 : 112) + 7 * 3 * (i ^ 1);
      const t = i & 1 ? 3 * 11 + 50 * 13 : 50 * 11 + 4 * 13;
      return x + 40000 + (i > 2 ? 0 : 100000) + 1000000 + t + 108 + 109 + 110 + 20000000;
    },
  },
  {
    // Run by clang, too.
    name: "addresses of constants that are kept in integers, asked whether they are null, and given on as they are set",
    file: `typedef struct { ulong at; ulong size; } view;
ulong either(ulong a, ulong b, int i) { if (i & 1) return a; return b + 4; }
int get(view v) { return *(const global int *)v.at; }`,
    body: `const global int *x = o + 8; ulong a, b; a = b = (ulong)x; b += 4; ulong c = b++; b += 3; view v = {0}; v.at = either(a, (ulong)(o + 9), i);
  int s = get(v) + *(const global int *)(a += 4) * 3 + *(const global int *)b * 5 + *(const global int *)c * 7;
  ulong n = i > 2 ? a : 0; s += !a + !n * 1000 + (0 < n) * 2000 + (n <= 0) * 4000 + (a && n) * 8000 + (n ? *(const global int *)n : 7) * 100000;
  if (v.size || !v.at) s = 0; global int *y = (global int *)either((ulong)o, (ulong)(o - 1), i); y[i] = s;`,
    wanted: (i) => {
      const s = (i & 1 ? 108 : 110) + 109 * 3 + 110 * 5 + 109 * 7;
      return s + (i > 2 ? 2000 + 8000 + 10900000 : 1000 + 4000 + 700000);
    },
  },
  {
    // clang's memcpy, memmove and memset take any number of bytes; memmove is as if all was read first (C99 7.21.2.2).
    name: "bytes whose number is not constant, and many that overlap",
    body: `int a[40], b[40]; uchar c[64]; for (int j = 0; j < 40; j++) { a[j] = j * 3 + i; b[j] = 0; }
  for (int j = 0; j < 64; j++) c[j] = (uchar)(j + i);
  __builtin_memmove(a + 1, a, 30 * sizeof(int)); __builtin_memmove(a, a + (i & 3), (i + 20) * sizeof(int));
  __builtin_memcpy(b, a, sizeof(int) * (i + 3)); __builtin_memset(b + 20, 0xff, 4 * (i & 3));
  __builtin_memmove(c + 3, c + 1, 4 * i + 17); __builtin_memset(c + 40, i + 250, i & 7); __builtin_memcpy(b + 30, c + 1, i + 2);
  uint s = 0; for (int j = 0; j < 40; j++) s = s * 3 + (uint)a[j] + 7u * (uint)b[j]; for (int j = 0; j < 64; j++) s = s * 5 + c[j];
  o[i] = s;`,
    wanted: (i) => {
      const a = Int32Array.from({ length: 40 }, (_, j) => j * 3 + i);
      const b = new Int32Array(40);
      const c = Uint8Array.from({ length: 64 }, (_, j) => j + i);
      a.copyWithin(1, 0, 30).copyWithin(0, i & 3, (i & 3) + i + 20);
      b.set(a.subarray(0, i + 3));
      b.fill(-1, 20, 20 + (i & 3));
      c.copyWithin(3, 1, 1 + 4 * i + 17).fill(i + 250, 40, 40 + (i & 7));
      new Uint8Array(b.buffer).set(c.subarray(1, 1 + i + 2), 120);
      const s = a.reduce((sum, x, j) => (Math.imul(sum, 3) + x + 7 * b[j]!) | 0, 0);
      return c.reduce((sum, x) => (Math.imul(sum, 5) + x) | 0, s);
    },
  },
  {
    // C99 7.21.6.1: each byte becomes the value as an unsigned char.
    name: "bytes filled with what is not constant, and those that are no whole objects",
    body: `int v[3] = {-1, -1, -1}; __builtin_memset(v, i + 1, 7);
  struct { int a; float b; short c[4]; } w; __builtin_memset(&w, i + 256, sizeof w); uint u; __builtin_memset(&u, i + 3, 4);
  char4 q[3]; __builtin_memset(q, i, sizeof q); __builtin_memset(o + i, i, 2);
  o[i] = (v[0] >> 24) + 10 * (v[1] & 255) + 100 * ((v[1] >> 24) & 255) + 100000 * (v[2] == -1) + 1000 * (o[i] & 255) + (o[i] >> 16);
  o[i] += 1000000 * (w.c[3] - 256 * i) + 10000000 * (int)(u >> 24) + 3 * q[2].w + (w.a >> 24) + (as_int(w.b) & 255);`,
    wanted: (i) => i + 1 + 10 * (i + 1) + 25500 + 100000 + 1000 * i + 1000000 * i + 10000000 * (i + 3) + 5 * i,
  },
  {
    // C99 7.21.2.1: memcpy copies characters, of whatever objects they are.
    name: "bytes copied that are no whole objects, and structs that are other structs",
    file: "struct A { short a; char b[3]; int c; }; struct B { uchar x[12]; };",
    body: `int4 v = 7; int2 w = (int2)(i, i + 1); __builtin_memcpy(&v, &w, 8); struct A a = {i, {1, 2, 3}, 0x01020304}; struct B b;
  __builtin_memcpy(&b, &a, sizeof a); struct A c = {0, {0, 0, 0}, 0}; __builtin_memcpy(&c, &b, 7); int n[9] = {0}; __builtin_memcpy(n, &v, 9);
  o[i] = v.x + 10 * v.y + 100 * v.z + 1000 * b.x[4] + 10000 * b.x[8] + 100000 * b.x[11] + 1000000 * c.a + 10000000 * c.b[2] + c.c + n[0] + n[2];
  __builtin_memset(&v, 0, 8); o[i] += v.y + v.w;`,
    wanted: (i) => i + 10 * (i + 1) + 700 + 3000 + 40000 + 100000 + 1000000 * i + 30000000 + i + 7 + 7,
  },
  {
    name: "a null pointer to void that is looked at as bytes where there are some",
    file: `uint more(uint c, const void *in, size_t n) { for (size_t k = 0; k < n; k++) c = c * 31 + ((const uchar *)in)[k]; return c; }
uint hash(const void *key, size_t k, const void *in, size_t n) { uint c = 7; if (k > 0) c = more(c, key, k); return more(c, in, n); }
uint second(const void *in) { return in ? ((const uchar *)in)[1] : 5; }`,
    body: "ushort a[2] = {(ushort)(i + 256), 3}; o[i] = hash(NULL, 0, a, sizeof a) + second(NULL) + second(a);",
    wanted: (i) => [i, 1, 3, 0].reduce((c, x) => c * 31 + x, 7) + 5 + 1,
  },
  {
    // C99 6.8.4.2 (1): the body of a switch is any statement.
    name: "switch without braces",
    body: `int s = 0, n = i; switch (i & 3) case 1: s += 5; switch (i) default: s += 10; switch (i) case 2: case 6: if (i > 3) s += 100; else s += 200;
  switch (i & 3) while (n-- > 1) { case 1: s += 1000; case 2: s += 10000; } switch (n) case 3: { s += 100000; break; } switch (i);
  o[i] = s;`,
    // What clang-19 makes of it on a CPU. The loop: of 1 and 5 it is begun in its body, of 2 and 6 behind its first statement.
    wanted: (i) => [10, 11015, 21210, 100010, 10, 55015, 65110, 10][i]!,
  },
  {
    name: "pointers that step as they read parts of words, and several words",
    file: `void copy(void *to, const void *from, uint n) { uchar *d = to; const uchar *s = from; while (n--) *d++ = *s++; }
uint bytes(const void *from, uint n) { const uchar *s = from; uint r = 0; while (n--) r = r * 3 + *s++; return r; }
uint backwards(const void *from, uint n) { const ushort *s = (const ushort *)from + n; uint r = 0; while (n--) r = r * 3 + *--s; return r; }`,
    body: `uint a[4] = {0x01020304, 0x05060708u + i, 0x11121314, 0x15161718}, b[4] = {0}; copy(b, a, i + 7);
  uint s = b[0] + 3 * b[1] + 5 * b[2] + 7 * b[3] + bytes(a, 9) + backwards(a, 5); int k = 0;
  ulong l[3] = {0x0102030405060708ul + i, 2, 3}; uchar *p = (uchar *)l; ulong t = 0; while (k < 3) t = t * 3 + ((ulong *)p)[k++];
  k = 0; uint4 v[2] = {(uint4)(1, 2, 3, 4), (uint4)(5, 6, 7, (uint)i)}; ushort *h = (ushort *)v;
  while (k < 2) { uint4 x = ((uint4 *)h)[k++]; s = s * 3 + x.x + x.w; }
  k = 0; while (k < 4) s = s * 5 + h[2 * k++];
  o[i] = s + (uint)t + (uint)(t >> 32);`,
    // What clang-19 makes of it on a CPU.
    wanted: (i) =>
      [-1964390793, 569492582, 570578841, 707902600, -473712009, -1865697178, -1864228419, -1631864660][i]!,
  },
  {
    // What public renderers do: numbers beside each other in a struct are a vector of them.
    name: "vload and vstore of members of a struct",
    file: `typedef struct { float x, y, z; } Point; typedef struct { int id; Point from; float n; Point to; } Ray;
float3 direction(const Ray *r) { return vload3(0, &r->to.x) - vload3(0, &r->from.x); }
void move(Point *p, float3 by) { vstore3(vload3(0, &p->x) + by, 0, &p->x); }`,
    body: `Ray r = {i, {1, 2, 3}, 4, {i + 5, 6, 9}}; float3 d = direction(&r); move(&r.from, d * 2); float2 e = vload2(0, &r.to.y);
  Point list[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}; vstore2((float2)(i, 50), 0, &list[i % 3].y); float2 g = vload2(0, &list[1].y);
  o[i] = (int)(d.x + 10 * d.y + 100 * d.z + 1000 * r.from.x + 10000 * r.from.y + 100000 * r.from.z + e.x + e.y + 1000000 * g.x + g.y);`,
    wanted: (i) => {
      const d = [i + 4, 4, 6] as const;
      const from = [1 + 2 * d[0], 10, 15] as const;
      const g = i % 3 === 1 ? [i, 50] : [5, 6];
      return d[0] + 10 * d[1] + 600 + 1000 * from[0] + 100000 + 1500000 + 15 + 1000000 * g[0]! + g[1]!;
    },
  },
  {
    // C leaves a pointer before its object open (C99 6.5.6 (8)); kernels that count from another number have them, and devices plain addresses.
    name: "pointers before a buffer that are moved back into it",
    body: `uint u = i, d = 3; global int *r = o + (int)((u - 2u) * d), *s = &o[(int)(u - 5u)]; global int *t = o + (int)(u - 9u) + 9;
  s[5] = 100; r[6 - 2 * i] += i; t[0] += (o + (int)(u - 2u))[2];`,
    wanted: (i) => 2 * (100 + i),
  },
  {
    // C99 6.8.1 (1): what a label stands before is its statement.
    name: "labels in front of the body of a loop or branch that has no braces",
    body: `int s = 0, n = i;
  switch (i) { case 3: if (n > 5) case 1: s += 4; else s += 100; s += 10; break; case 6: while (n-- > 2) case 2: case 7: s += 1000; }
  if (i == 4) goto L;
  if (i > 6) L: s += 20000;
  else s += 50000;
  o[i] = s;`,
    // The loop: of 6 it is begun at its condition, 5, 4, 3, 2; of 2 and 7 in its body, once and then for 7, 6, 5, 4, 3.
    wanted: (i) =>
      (i === 3 ? 110 : i === 1 ? 14 : i === 6 ? 4000 : i === 2 ? 1000 : i === 7 ? 6000 : 0) +
      (i === 4 || i > 6 ? 20000 : 50000),
  },
  {
    name: "a number of bytes that lies where they go, and one of objects of another type",
    body: `uchar p[8]; uint w[8], m = 3; float f[8]; int k = 2;
  for (int j = 0; j < 8; j++) { p[j] = (uchar)(5 + i + j); w[j] = as_uint(1.0f + j); f[j] = 0; }
  __builtin_memcpy(&m, p, m); __builtin_memset(&k, k, k); __builtin_memcpy(f, w, (i + 1) * sizeof(float));
  o[i] = m + 1000000 * k + (int)(f[i] + f[(i + 1) & 7]);`,
    // Two bytes of 2 are 514; behind the copied floats are zeros, and the eighth is followed by the first.
    wanted: (i) => 5 + i + 256 * (6 + i) + 65536 * (7 + i) + 1000000 * 514 + (1 + i) + (i === 7 ? 1 : 0),
  },
  {
    // Addresses are of bytes, as all compilers of OpenCL C have them (C99 6.3.2.3 (5) and (6)).
    name: "pointers that are made of the addresses of others",
    body: `global uchar *p = (global uchar *)o + i; int s = ((ulong)p & 3) == 0; int t[4] = {i, 20, 30, 40};
  s += 2 * *(global int *)((ulong)(o + 8) + 4 * (i & 3)); s += 1000 * *(global int *)((size_t)((global uchar *)o + 35 + i) & ~(size_t)3);
  global uchar *e = (global uchar *)(((uintptr_t)p + 15) & -16); s += 1000000 * (int)(e - p);
  s += *(int *)((uintptr_t)t + (i & 3) * sizeof(int)) + *(int *)((uintptr_t)(t + 3) - 4 * (ulong)(i & 3));
  o[i] = s;`,
    wanted: (i) => {
      const t = [i, 20, 30, 40];
      const bytes = i === 0 ? 0 : 16 - i;
      return (
        Number(i % 4 === 0) +
        2 * (108 + (i & 3)) +
        1000 * (100 + ((35 + i) >> 2)) +
        1e6 * bytes +
        t[i & 3]! +
        t[3 - (i & 3)]!
      );
    },
  },
  {
    // C99 6.8.4.2: a case label may stand in any statement of its switch but another switch.
    name: "switches that lead into loops and branches",
    body: `int c = (i + 3) / 4, n = 0, s = 0;
  if (i > 0) switch (i & 3) { // Duff's device
    case 0: do { s += ++n;
    case 3: s += 10 * ++n;
    case 2: s += 100 * ++n;
    case 1: s += 1000 * ++n;
    } while (--c > 0);
  }
  switch (i) {
    case 1: if (s > 2000) { s += 5;
    case 2: s += 7; } else s -= 1;
      break;
    case 5: while (s & 1) { s += 3; if (s & 4) continue;
    default: s ^= 1; if (i == 6) break; int t = s / 2;
    case 4: t = s * 2; s += t & 9; }
      s += 50;
    case 7: s += 1;
  }
  o[i] = s;`,
    wanted: (i) => {
      let [n, s] = [0, 0];
      // As it is run: i & 3 of the four first, or all.
      const powers = Array.from({ length: i }, (_, k) => [1, 10, 100, 1000][(k + 4 - (i & 3 || 4)) & 3]!);
      for (const p of powers) s += p * ++n;
      const rest = (): void => {
        s += (s * 2) & 9;
      };
      const loop = (): void => {
        while (s & 1) {
          s += 3;
          if (s & 4) continue;
          s ^= 1;
          if (i === 6) break;
          rest();
        }
        s += 51;
      };
      if (i === 1) s += s > 2000 ? 12 : -1;
      else if (i === 2) s += 7;
      else if (i === 4) {
        rest();
        loop();
      } else if (i === 5) loop();
      else if (i === 7) s += 1;
      else {
        s ^= 1;
        if (i !== 6) {
          rest();
          loop();
        } else s += 51;
      }
      return s;
    },
  },
  {
    // C99 6.8.6.1: a jump may lead into any statement of the function.
    name: "jumps into loops and branches",
    body: `int s = o[i] & 31, k;
  if (i > 5) goto inside;
  s += 1;
  { s *= 2; inside: s += 3; }
  while (s < 100) {
    s += 10;
    if (s == 53) goto done;
    mid: s += 2;
  }
  if (s > 105) { s -= 60; goto mid; }
  if (i == 3) goto branch;
  for (k = 0; k < 3; k++) {
    if (k == i) { s += 1000; continue; }
    if (s & 1) { s += 7; } else { s += 9; branch: s += 20; k = 2; }
  }
  done: switch (i) { case 0: goto both; case 1: s += 100; both: s += 200; break; case 2: s += 300; }
  o[i] = s;`,
    wanted: (i) => {
      let s = (100 + i) & 31;
      s = (i > 5 ? s : (s + 1) * 2) + 3;
      let done = false;
      for (;;) {
        while (s < 100 && !done) {
          s += 10;
          if (s === 53) done = true;
          else s += 2;
        }
        if (done || s <= 105) break;
        s -= 58;
      }
      if (!done) {
        let k = 0;
        if (i === 3) [s, k] = [s + 20, 3];
        for (; k < 3; k++) {
          if (k === i) s += 1000;
          else if (s & 1) s += 7;
          else [s, k] = [s + 29, 2];
        }
      }
      return s + ([200, 300, 300][i] ?? 0);
    },
  },
  {
    // C99 6.10.3.5: a macro is its definition up to `#undef`. Compilers of the targets want a name declared before its first use.
    name: "macros that functions define anew",
    file: `int one(int k) {
#define STEP (2 * 4)
  int off = 0;
  for (int i = 0; i < k; i++, off += STEP) ;
#undef STEP
  return off;
}
int two(int k) {
#define STEP (2 * 4)
  int off = 1;
  for (int i = 0; i < k; i++, off += STEP) ;
  return off;
}`,
    body: "o[i] = one(i) + 100 * two(i);",
    wanted: (i) => 8 * i + 100 * (1 + 8 * i),
  },
  {
    // OpenCL C 6.4.4.2: a vector of three has the size of four; the fourth component is left open, and not looked at here.
    name: "as_T of vectors of three",
    body: `char4 c = (char4)(i, i + 1, -3, 9); char3 x = as_char3(c), y = as_char3((short2)(0x0201, 0x0403)), z = as_char3(0x00332211 + i);
  float3 f = as_float3((int4)(0x3f800000, 0x40000000, 0x40400000, i)); short2 s = as_short2(x); int4 w = as_int4(f);
  o[i] = x.x + 10 * x.z + 100 * y.y + 1000 * y.z + 10000 * (z.x + z.z) + (int)f.z * 1000000 + s.x * 2 + (w.y >> 24);`,
    wanted: (i) => i - 30 + 200 + 3000 + 10_000 * (0x11 + i + 0x33) + 3_000_000 + (i + 256 * (i + 1)) * 2 + 0x40,
  },
  {
    // C99 6.9.1: the value must not be used, and is not; clang warns.
    name: "functions that end without giving their value",
    file: `int never(global int *o, int i) { o[i] += 1; }
float2 sometimes(global int *o, int i) { if (i > 3) { o[i] += 10; return (float2)(i, 1); } o[i] += 20; }
int all_ways(int i) { switch (i & 3) { case 0: return 5; case 1: i += 1; case 2: return i; default: return 9; } }
int endless(int i) { for (;;) { if (i > 20) return i; i += 7; } }
int in_turns(int i) { do { if (i > 20) break; i += 7; } while (1); if (i & 1) return i; else return -i; }`,
    body: `never(o, i); sometimes(o, i); if (i > 3) o[i] += (int)sometimes(o, i).x * 1000;
  o[i] += 100 * all_ways(i) + 10000 * endless(i) + 1000000 * in_turns(i);`,
    wanted: (i) => {
      const past = (x: number): number => (x > 20 ? x : past(x + 7));
      const whole = past(i);
      const way = [5, i + 1, i, 9][i & 3]!;
      const turned = whole & 1 ? whole : -whole;
      const counted = i > 3 ? 100 + i + 1 + 10 + 10 + i * 1000 : 100 + i + 1 + 20;
      return counted + 100 * way + 10_000 * whole + 1_000_000 * turned;
    },
  },
  {
    name: "vectors by clang's attribute, and parameters that say their alignment",
    file: `typedef int v4 __attribute__((ext_vector_type(4))); typedef __attribute__((ext_vector_type(2))) uchar b2;
int last(v4 v __attribute__((aligned(16)))) { return v.w + v.s1; }`,
    body: `v4 a = (v4)(1, 2, 3, i); int4 b = a * 2; b2 c = { 250, i };
  c += (uchar2)(10, 1);
  o[i] = last(b) + 100 * c.x + 1000 * c.y + 10000 * (int)sizeof(v4);`,
    wanted: (i) => 2 * i + 4 + 100 * 4 + 1000 * (i + 1) + 160000,
  },
  {
    // U+00E9 is C3 A9 in UTF-8, U+8A08 E8 A8 88 (RFC 3629); escapes of numbers are bytes.
    name: "string literals of characters beyond ASCII are their bytes in UTF-8",
    body: `uchar t[] = "é\\u8a08\\xff\\101"; char c[] = "é";
  o[i] = t[i] + 1000 * (int)sizeof(t) + 100000 * (c[1] + 100);`,
    wanted: (i) => [0xc3, 0xa9, 0xe8, 0xa8, 0x88, 0xff, 0x41, 0][i]! + 8000 + 100000 * (0xa9 - 256 + 100),
  },
  {
    // C99 6.7: what a declaration declares may be a tag, or the members of an enumeration; clang warns.
    name: "typedefs that name nothing but the struct or enum in them",
    file: `typedef struct __attribute__((packed)) Edge { uchar c; int w; };
typedef enum Color { RED = 4, GREEN };
int weight(struct Edge e) { return e.w + e.c; }`,
    body: `typedef struct Pair { int x, y; };
  struct Edge e = { 2, i };
  struct Pair p = { GREEN, (int)sizeof(struct Edge) };
  o[i] = weight(e) + 100 * p.x + 1000 * p.y;`,
    wanted: (i) => i + 2 + 500 + 5000,
  },
  {
    // Memory is little-endian (6.1, and what clang's spir64 target says).
    name: "an array of bytes that a function is handed as words, and always writes",
    file: `void fill(uint *h) { h[0] = 0x01020304; h[1] = 5; h[3] += 0x10000; }
void sum(ulong *h) { h[1] = h[0] + h[1]; }
void through(uchar *b) { fill((uint *)b); }`,
    body: `uchar h[16];
  for (int j = 0; j < 16; j++) h[j] = j;
  fill((uint *)h);
  o[i] = h[i] + 100 * h[i + 8];
  through(h);
  sum((ulong *)h);
  o[i] += 100000 * h[i + 8];`,
    wanted: (i) =>
      [4, 3, 2, 1, 5, 0, 0, 0][i]! +
      100 * [8, 9, 10, 11, 12, 13, 15, 15][i]! +
      100000 * [12, 12, 12, 12, 17, 13, 16, 15][i]!,
  },
  {
    // C99 6.2.1: a struct is no scope; 6.7.2.1 and C11: what it may have in it beside members (clang-19).
    name: "structs declared in structs, by their own names, and assertions there",
    file: `struct Outer { int x; struct Inner { int y; } in; struct Alone { int z; }; _Static_assert(sizeof(int) == 4, "int"); };
int of(struct Inner v) { return v.y; }`,
    body: `struct Outer a = { i, { 2 } };
  struct Alone b = { 30 };
  o[i] = a.x + of(a.in) * 10 + b.z * 100;`,
    wanted: (i) => i + 20 + 3000,
  },
  {
    // In braces C++14 converts no constant to a type that does not hold it (8.5.4); C99 does (6.7.8p11).
    name: "constants in braces that their types do not hold",
    file: "typedef struct { uint a; uchar b[2]; float c; } T;",
    body: `T t = { -1, { 255, ~0 }, 16777217 };
  uint u[2] = { -2, 7 };
  o[i] = (t.a == 4294967295u) + 10 * t.b[1] + 10000 * (t.c == 16777216.0f) + 100000 * (u[0] + 3) + i;`,
    wanted: (i) => 1 + 2550 + 10000 + 100000 + i,
  },
  {
    name: "the order of bytes, as clang's macros say it",
    body: `
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && defined(__LITTLE_ENDIAN__)
  o[i] = __CHAR_BIT__;
#endif`,
    wanted: () => 8,
  },
  {
    name: "the words that GNU C has besides (GCC manual, Alternate Keywords)",
    file: `__inline__ int f(__const int *__restrict__ p, __const__ int n, __signed__ char c) { return p[n] + c; }
__inline int g(__volatile__ int *p) { __signed x = -3; return *p + x; }`,
    body: `int a[2] = { 5, i };
  __volatile int v = 20;
  o[i] = f(a, 1, -2) + g(&v);`,
    wanted: (i) => i - 2 + 17,
  },
  {
    name: "what printf gives: 0 where it printed (6.15.14.1)",
    body: `int n = 0; int r = printf("a %d\\n", i);
  if (printf("%d", n++) < 0) r = 9;
  (void)printf("x");
  int q = (printf("y"), 3) + (i > 2 && printf("%d", n++) == 0);
  o[i] = r + 10 * n + 100 * q;`,
    wanted: (i) => (i > 2 ? 420 : 310),
  },
  {
    name: "parameters of types that are names of arrays (C99 6.7.5.3 (7))",
    file: `typedef int row[3]; typedef row grid[2];
void twice(row r) { for (int j = 0; j < 3; j++) r[j] *= 2; }
int total(const grid g, row const last) { return g[0][0] + g[1][2] * 10 + last[1] * 100; }`,
    body: "grid g = {{i, 1, 2}, {3, 4, 5}}; twice(g[0]); twice(g[1]); row r = {7, 8, 9}; o[i] = total(g, r) + g[0][2] * 10000;",
    wanted: (i) => 2 * i + 100 + 800 + 40000,
  },
  {
    name: "alignments of structs in which all lies as it does without",
    file: `typedef struct { float x, y, z, w; } __attribute__((aligned(16))) quad;
typedef int word __attribute__((aligned(4))); typedef float2 pair __attribute__((aligned(8)));
struct __attribute__((aligned(8))) outer { quad a; word b __attribute__((aligned(4))); int pad[3]; };`,
    body: `quad q = {1, 2, 3, 4}; struct outer s = {q, i}; struct outer l[2] = {s, s}; l[1].a.y += 5;
  o[i] = (int)(l[1].a.y + l[0].a.w) + s.b * 100 + sizeof(quad) * 1000 + __alignof__(quad) * 100000 + _Alignof(struct outer) * 10000000 + (sizeof(l) == 64 ? 50 : 0) + __alignof__(l[0].pad);
  pair two = {2.0f, 3.0f}; o[i] += (int)two.y - 3;`,
    wanted: (i) => 7 + 4 + 100 * i + 16000 + 1600000 + 160000000 + 50 + 4,
  },
  {
    // C11 6.7.9 (19); clang's program gave these numbers.
    name: "designators that change a part of what was given whole",
    file: "struct P { int a; int b[2]; }; struct R { struct P p; int n; };",
    body: `struct R q = {{1, {2, 3}}, 4}; struct R s = {q.p, .p.b[0] = 9, .n = i}; struct R u[2] = {[0] = q, [0].p.a = 5, [1].p = q.p, [1].p.b[1] = i, [1].n = 8};
  struct P w[2] = {[0 ... 1] = q.p, [1].b[0] = 6}; o[i] = s.p.a + s.p.b[0] * 10 + s.p.b[1] * 100 + s.n * 1000 + u[0].p.a * 10000 + u[0].p.b[1] + u[1].p.b[1] * 100000 + u[1].n + w[1].b[0] + w[0].b[0] * 3;`,
    wanted: (i) => [50414, 151414, 252414, 353414, 454414, 555414, 656414, 757414][i]!,
  },
  {
    name: "designators that go on, into members, ranges and anonymous members",
    file: `constant int t[8] = { [0 ... 3] = 7, [5] = 2, 9 };
struct Q { int u, v; };
struct P { int x; int y[3]; struct Q q; union { struct { short lo, hi; }; int w; }; };`,
    body: `struct P p = { .y = {[1] = 2}, .q.v = 4, .q.u = 40, .x = 1, .hi = 3 };
  struct P r = { .y[0] = 1, 5, .q = { .u = 9 }, .y[2] = 6 };
  int a[4] = { [2] = 5, 6, [0] = 1 };
  struct Q l[3] = { [0 ... 1].u = 3, [1].v = 8, [2] = { 1, 2 } };
  o[i] = t[i] + 10 * (p.x + p.y[1] + p.q.v + p.q.u) + 1000 * (a[i & 3] + r.y[0] + r.y[1] + r.y[2] + r.q.u) + 100000 * p.hi
    + 1000000 * (l[2].v + l[i & 1].u);`,
    wanted: (i) =>
      [7, 7, 7, 7, 0, 2, 9, 0][i]! +
      10 * (1 + 2 + 4 + 40) +
      1000 * ([1, 0, 5, 6][i & 3]! + 1 + 5 + 6 + 9) +
      300000 +
      1000000 * (2 + 3),
  },
  {
    // clang's program gave these numbers.
    name: "designators that come back to a member of an anonymous union, and members of such a literal",
    file: `typedef struct { union { struct { int left, right; }; int leaf[2]; }; int kind; } Node;
typedef struct { union { float v[4]; struct { float x, y, z, w; } c; }; } Quad;
int sum(Node n) { return n.left + 3 * n.right + 7 * n.kind; }`,
    body: `Node a = { .kind = i, .left = 1, .right = i };
  Node b = { .right = 5, .left = i, .kind = 3, .right = 6 };
  Node c = { .leaf[1] = 4, .leaf[0] = i, .kind = 2 };
  Quad q = { .c.x = 1.0f, .c.z = (float)i };
  o[i] = sum(a) + 100 * sum(b) + 10000 * sum(c) + ((Node){ .leaf = { i, 9 } }).leaf[1] + ((Node){ .kind = i, .left = 1, .right = i }).right
    + 1000000 * (int)(q.v[0] + 2.0f * q.v[2]);`,
    wanted: (i) => [1263910, 3274021, 5284132, 7294243, 9304354, 11314465, 13324576, 15334687][i]!,
  },
  {
    // clang's program gave these numbers.
    name: "bit-fields, where a pragma enables clang's extension",
    file: `#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
typedef struct { uint sign : 1, exp : 8; uint man : 23; } fields;
typedef union { uint u; fields b; } bits;
struct head { uchar kind : 3; uchar flag : 1; ushort len : 12; int delta : 9; uint : 0; int tail; };
int total(struct head h) { return h.kind + h.flag * 10 + h.len * 100 + h.delta; }`,
    body: `bits v; v.u = 0x40490fdbu + i * 0x01234567u;
  v.b.exp += 1; v.b.sign ^= 1;
  struct head n = { 7, .len = i, .delta = 100 };
  n.kind++; n.len -= 3; n.delta = -200 + i; n.flag = !n.flag;
  n.tail = total(n) + (n.kind < -1);
  struct head w = { .kind = 9, .len = 4097, .delta = 300, .tail = i };
  o[i] = (int)(v.u >> 8) + v.b.man % 97 + total(w) * 3 + n.tail + (int)sizeof(struct head) + (w.delta = 511) + (-n.kind < 0);`,
    wanted: (i) => [4621842, 4696544, 4771148, 4436250, 4510950, 4585554, 4660256, 4734859][i]!,
  },
  {
    name: "compound literals as objects",
    file: `struct P { int x, y; };
int f(struct P *p) { p->x += 1; return p->x * p->y; }
int g(const int *p, int n) { return p[n]; }
int h(struct P p) { return p.x - p.y; }`,
    body: `o[i] = f(&(struct P){i, 3});
  int *p = (int[]){1, 2, i, 4};
  p[1] = 20;
  for (int k = 0; k < 2; k++) o[i] += g((int[2]){7, k}, 1);
  o[i] += 100 * (p[i & 3] + g((const int[]){7, i}, i & 1) + h((struct P){.y = 2}) + (int[4]){4, 3, 2, 1}[i & 3]);`,
    wanted: (i) => 3 * (i + 1) + 1 + 100 * ([1, 20, i, 4][i & 3]! + [7, i][i & 1]! - 2 + [4, 3, 2, 1][i & 3]!),
  },
  {
    name: "__typeof__, __auto_type and macros of statement expressions",
    file: "#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })",
    body: `__typeof__(o) p = o + i;
  __auto_type y = i * 2;
  __typeof__(int[4]) list = {1, 2, 3, 4};
  __auto_type q = p;
  *q = MAX(y, 5) + 100 * MAX(MAX(i, 3), list[i & 3]) + 10000 * (i > 3 && MAX(i, 6) == 6);`,
    wanted: (i) =>
      Math.max(2 * i, 5) + 100 * Math.max(i, 3, [1, 2, 3, 4][i & 3]!) + (i > 3 && Math.max(i, 6) === 6 ? 10000 : 0),
  },
  {
    name: "statement expressions with loops, choices and effects",
    body: `int r = ({ int s = 0; for (int j = 0; j < i; j++) { if (j == 3) continue; s += j; } s; });
  int c = 0;
  o[i] = i > 2 ? ({ int q = r * 2; if (q > 12) q = 12; q + 1; }) : ({ c += 5; 7; });
  while (({ r--; r > 0; })) c++;
  ({ o[i] += 100 * c; });
  if (({ int z = c; z++; z & 1; })) o[i] += 10000;
  o[i] += ({ c++; c; }) * 100000;`,
    wanted: (i) => {
      let r = 0;
      for (let j = 0; j < i; j++) r += j === 3 ? 0 : j;
      const c = Math.max(r - 1, 0);
      const first = i > 2 ? Math.min(2 * r, 12) + 1 : 7;
      const count = c + (i > 2 ? 0 : 5);
      return first + 100 * count + ((count + 1) & 1 ? 10000 : 0) + 100000 * (count + 1);
    },
  },
  {
    name: "a conditional without its middle, and between calls without value",
    file: `int once(int *n, int v) { (*n)++; return v; }
void one(global int *p) { *p += 1; }
void two(global int *p) { *p += 2; }
void both(global int *p, int n) { return n ? one(p) : (void)two(p); }`,
    body: `int n = 0;
  int a = once(&n, i & 3) ?: 9;
  o[i] = 1000 * a + 100 * n;
  i & 1 ? one(o + i) : two(o + i);
  both(o + i, i & 2);
  i > 5 && (o[i] += 50);`,
    wanted: (i) => 1000 * (i & 3 || 9) + 100 + (i & 1 ? 1 : 2) + (i & 2 ? 1 : 2) + (i > 5 ? 50 : 0),
  },
  {
    name: "labels for ranges of values",
    body: `switch (i) { case 0 ... 2: o[i] = 1; break; case 3: case 5 ... 6: o[i] = 2; break; default: o[i] = 3; }
  switch (i - 4) { case -2 ... -1: o[i] += 10; break; }`,
    wanted: (i) => (i <= 2 ? 1 : i === 3 || i === 5 || i === 6 ? 2 : 3) + (i === 2 || i === 3 ? 10 : 0),
  },
  {
    name: "arrays as parameters, prototypes and their kin",
    file: `extern int s5(int);
int s1(const int a[restrict static 4]) { return a[0] + a[3]; }
int s2(int n, int a[const]) { return a[n]; }
static inline int s4(global int a[static 2], const int m[2][3]) { return a[1] + m[1][2]; }
static int s6(int a[], int n);
__attribute__((always_inline)) int s5(int x) { return x + 1; }
static int s6(int *a, int n) { return a[n]; }
kernel void k(global int *o);`.replace("int a[], int n)", "int *a, int n)"),
    body: `int a[4] = {1, 2, 3, 4}; int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  int (*row)[3] = &m[1];
  o[i] = s1(a) + s2(2, a) * 10 + s4(&(int){0} ? o + i : o, m) * 0 + s5(i) * 100 + s6(a, i & 3) * 10000 + (*row)[i % 3] * 100000;`.replace(
      "s4(&(int){0} ? o + i : o, m) * 0 + ",
      "",
    ),
    wanted: (i) => 5 + 30 + 100 * (i + 1) + 10000 * ((i & 3) + 1) + 100000 * (4 + (i % 3)),
  },
  {
    name: "types announced before they are defined, and words of types in any order",
    file: `typedef union U U;
enum E;
int f(U u);
typedef struct S S;
union U { int i; float f; };
struct S { U u; int a; };
enum E { X = 1, Y };
int f(U u) { return u.i >> 20; }`,
    body: `U u; u.f = 1.0f;
  S s; s.u.i = 5; s.a = 6;
  enum E e = i & 1 ? X : Y;
  long int unsigned l = 7; int short h = 8; unsigned int const c = 9; char unsigned b = 200;
  o[i] = f(u) + s.u.i + s.a * 10 + e * 100 + (int)(l + h + c + b) * 10000;`.replace("f(u)", "(u.i >> 20)"),
    wanted: (i) => (0x3f800000 >> 20) + 5 + 60 + 100 * (i & 1 ? 1 : 2) + 10000 * (7 + 8 + 9 + 200),
  },
  {
    name: "advice to the compiler",
    file: `int f(int x) { switch (x & 1) { case 0: return 3; case 1: return 4; default: __builtin_unreachable(); } }
__attribute__((noinline, vendor_thing(3))) int g(int x) __attribute__((pure));
int g(int x) { return x + 1; }`,
    body: `__builtin_assume(i >= 0);
  int n = 0;
  if (__builtin_expect(!!(i > 3), 0)) n += 1;
  if (__builtin_expect(i == 2, 1) && i) n += 2;
  int z __attribute__((vendor_place)) = 3;
  while (__builtin_expect(z, 1)) z--;
  o[i] = n + f(i) * 10 + g(i) * 100 + z;`,
    wanted: (i) => (i > 3 ? 1 : 0) + (i === 2 ? 2 : 0) + (i & 1 ? 40 : 30) + 100 * (i + 1),
  },
  {
    name: "goto out of loops and switches",
    file: `int find(global const int *a, int n, int v) {
  int r = -1;
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      if (a[y * n + x] == v) { r = 10 * y + x; goto found; }
  r = -2;
found:
  return r;
}`,
    body: `int n = 0;
  if (i == 7) goto negative;
  n = find(o, 2, 100 + i);
  switch (n) {
    case 0: n = 40; goto done;
    case 1: while (1) { if (n > 5) goto done; n++; }
    default: break;
  }
  int z = n * 2;
  n += z;
  goto done;
negative:
  n = -1;
done:
  barrier(CLK_GLOBAL_MEM_FENCE);
  o[i] = n;
  if (n > 3) { if (n > 50) goto out; o[i] += 1000; }
  z = 4;
  o[i] += 10000 * z;
out:;`,
    // The first two rows of two are 100 to 103.
    wanted: (i) => {
      const found = [0, 1, 10, 11][i] ?? -2;
      const n = i === 7 ? -1 : found === 0 ? 40 : found === 1 ? 6 : 3 * found;
      return n > 3 ? n + 1000 + 40000 : n + 40000;
    },
  },
  {
    name: "goto back, alone, in loops that are left and continued, and among labels",
    file: `int collatz(int n) {
  int steps = 0;
again:
  if (n == 1) return steps;
  steps++;
  if (n & 1) { n = 3 * n + 1; goto again; }
  n /= 2;
  goto again;
}
int tries(int n) {
  int sum = 0;
  for (int i = 0; i < 5; ++i) {
    int k = 0;
  retry:
    k++;
    if (i == 3) break;
    sum += n + k;
    if (k < i) goto retry;
    if (i == 1) continue;
    for (int j = 0; j < 3; ++j) { if (k++ == 9) goto retry; sum += j; }
    switch (k & 3) { case 0: goto retry; case 1: break; default: sum += 100; }
  }
  return sum;
}
int machine(int n) {
  int r = 0, left = 3;
start:
  r += n;
  if (r % 7 == 3) goto swap;
  if (r > 50) goto next;
  r++;
  goto start;
swap:
  r += 2;
  if (--left) goto start;
next:
  r *= 2;
  if (r < 90) goto start;
  return r;
}`,
    body: `int *p = 0, first = 0;
back:;
  int x = first++;
  if (!p) p = &x;
  if (first < 3) goto back;
  o[i] = collatz(i + 1) * 100000 + tries(i) * 100 + machine(i + 1) + 100000000 * (*p == x);`,
    // By PoCL and by a machine of states in JavaScript; `p` and `x` are one object (C99 6.2.4 (5)).
    wanted: (i) =>
      100000000 +
      [0, 1, 7, 2, 5, 8, 16, 3][i]! * 100000 +
      [142, 149, 156, 163, 170, 177, 184, 191][i]! * 100 +
      [110, 136, 94, 102, 142, 110, 112, 110][i]!,
  },
  {
    name: "goto over parts of blocks, and on from loop to loop",
    file: `int f(int x) {
  int r = 0;
  if (x == 0) { r = 1; goto end; } else if (x == 1) { r = 2; goto end; }
  r = 3;
  { int y = x; if (y > 4) goto end; r += y; if (y == 3) { goto end; } else r += 10; }
  r *= 2;
end:
  return r;
}`,
    body: `o[i] = 0;
  for (int j = 0; j < 3; j++) { if (j == i) goto next; o[i] += j + 1; next: ; }
  o[i] += 100 * f(i);
  int turns = 0;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      switch (b) { case 1: if (a * 2 + b > i) goto skip; break; default: turns++; }
  turns += 50;
skip:
  if (turns > 3) goto more; else { o[i] += 20000; goto last; }
more:
  o[i] += 40000;
last:
  o[i] += 100000 * turns;`,
    wanted: (i) => {
      const steps = [1, 2, 3].reduce((sum, v, j) => sum + (j === i ? 0 : v), 0);
      const f = i === 0 ? 1 : i === 1 ? 2 : i > 4 ? 3 : i === 3 ? 6 : 2 * (3 + i + 10);
      let turns = 0;
      let left = false;
      for (let a = 0; a < 3 && !left; a++)
        for (let b = 0; b < 3 && !left; b++)
          if (b !== 1) turns++;
          else left = 2 * a + b > i;
      if (!left) turns += 50;
      return steps + 100 * f + (turns > 3 ? 40000 : 20000) + 100000 * turns;
    },
  },
  {
    name: "pointers to what a jump goes over, which live as long as its block",
    body: `int z = 4, s = 0;
  int *p = &z;
  const int *q = &z;
  for (int r = 0; r < 3; r++) {
    if (r == (i & 3)) goto on;
    int v[2] = { r, 5 };
    int w = 10 + r;
    const int c[2] = { 8, 9 };
    const int d[2] = { 6, 7 };
    p = i & 1 ? v + 1 : &w;
    q = d + (r & 1);
    s += c[r & 1];
  on:
    s += *p + 100 * *q;
    p = &z;
    q = &z;
  }
  o[i] = s;`,
    wanted: (i) =>
      [0, 1, 2].reduce(
        (s, r) => s + (r === (i & 3) ? 404 : [8, 9][r & 1]! + (i & 1 ? 5 : 10 + r) + 100 * [6, 7][r & 1]!),
        0,
      ),
  },
  {
    name: "names that stand elsewhere too between a jump and its label",
    file: "struct P { int v; };",
    body: `struct P q = { 4 };
  int s = 0;
  if (i == 2) { int v = 3; s = v; goto on; }
  for (int v = 0; v < 3; v++) s += v;
  if (q.v == i) goto on;
  int v = 6;
  s += v;
on:
  v = s + q.v;
  o[i] = v;`,
    wanted: (i) => (i === 2 ? 3 : i === 4 ? 3 : 9) + 4,
  },
  {
    name: "lists without inner braces: values with effects, and what goes on where a part was given before",
    file: "struct P { int x, y; };",
    body: `int c = 0;
  struct P p[2] = { ({ c++; c + 3; }), 4, 5, 6 };
  int g[2][3] = { [1] = 1, 2, [0][1] = 5, 6, 7 };
  o[i] = p[i & 1].x + 10 * p[i & 1].y + 100 * c + 1000 * g[i & 1][i % 3];`,
    wanted: (i) =>
      [4, 5][i & 1]! +
      10 * [4, 6][i & 1]! +
      100 +
      1000 *
        [
          [0, 5, 6],
          [7, 2, 0],
        ][i & 1]![i % 3]!,
  },
  {
    name: "statement expressions with jumps, and with arrays where they are not evaluated first",
    body: `o[i] = i > 1 && ({ int t = i; if (t == 3) goto small; t += 10; small: t > 5; });
  o[i] += 10 * ({ int r = 0; for (int j = 0; j < 3; j++) { if (j * 2 > i) goto found; r++; } r += 100; found: r; });
  o[i] += 10000 * (i > 2 && ({ int w[3] = { 1, 0, i }; w[1] += i & 1; w[i % 3]; }));`,
    wanted: (i) =>
      (i > 1 && i !== 3 ? 1 : 0) +
      10 * (i >= 4 ? 103 : Math.floor(i / 2) + 1) +
      (i > 2 && [1, i & 1, i][i % 3] !== 0 ? 10000 : 0),
  },
  {
    name: "clang's own functions of bits",
    body: `uint v = 10u + (uint)(i & 3);
  o[i] = __builtin_ctz(v) + __builtin_clz(v) * 10 + __builtin_popcount(v) * 1000 + __builtin_ctzl(1ul << 40) * 10000;
  if (-1 < __builtin_popcountl(v)) o[i] += 1000000;
  if (__builtin_clzs((ushort)1) == 15) o[i] += 2000000;`,
    // 1010, 1011, 1100, 1101; the results are int.
    wanted: (i) => [1, 0, 2, 0][i & 3]! + 280 + [2, 3, 2, 3][i & 3]! * 1000 + 400000 + 3000000,
  },
  {
    name: "string literals as pointers to characters",
    file: "int sum(constant char *p) { int s = 0; while (*p) s += *p++; return s; }",
    body: `constant char *name = "abc"; o[i] = sum("ab") + name[i & 1] * 1000 + sum(i > 1 ? "c" : "dd") * 100000 + (int)sizeof("ab" "c") * 100000000;`,
    wanted: (i) => 97 + 98 + (97 + (i & 1)) * 1000 + (i > 1 ? 99 : 200) * 100000 + 400000000,
  },
  {
    name: "clang's own forms of C's library, and its functions of bytes and signs",
    body: `float f = i + 0.5f; uint u = 0x01020304u; ulong l = 0x0102030405060708ul; int n = 0;
  float a = __builtin_fmaf(f, 2.0f, 1) + __builtin_sqrtf(i * i) + __builtin_fabsf(-f) + __builtin_floorf(f) + __builtin_fminf(f, 1.0f)
    + __builtin_fmaxf(f, 1.0f) + __builtin_nearbyintf(2.5f) + __builtin_roundf(2.5f) + __builtin_copysignf(2.0f, -f) + __builtin_ldexpf(f, 3);
  o[i] = (int)(a * 2) + 1000 * ((__builtin_bswap32(u + i) >> 24) + __builtin_bswap16(0x102) + (int)(__builtin_bswap64(l + i) >> 56));
  o[i] += 1000000 * (__builtin_ffs(i) + __builtin_ffsll((long)i << 40) + __builtin_parity(i) + __builtin_abs(2 - i) + (__builtin_bitreverse32(i) >> 28));
  o[i] += 10000000 * (__builtin_clrsb(i) + __builtin_clrsbll(-1) - 80 + (__builtin_rotateleft32(u, 8) == 0x02030401 && __builtin_rotateright64(l, 8) == 0x0801020304050607ul));
  o[i] += 1000000000 * (__builtin_isnan(f) + __builtin_isinf(__builtin_inff()) + __builtin_isless(f, 1.0f) - (__builtin_signbit(-f) != 0));
  o[i] += __builtin_abs(n-- - 1); o[i] += n;`,
    wanted: (i) => {
      const f = i + 0.5;
      const a = f * 2 + 1 + i + f + i + Math.min(f, 1) + Math.max(f, 1) + 2 + 3 - 2 + f * 8;
      const lowest = i === 0 ? 0 : Math.log2(i & -i) + 1;
      const parity = [0, 1, 1, 0, 1, 0, 0, 1][i]!;
      const reversed = [0, 8, 4, 12, 2, 10, 6, 14][i]!;
      return (
        a * 2 +
        1000 * (4 + i + 0x201 + 8 + i) +
        1000000 * (lowest + (i === 0 ? 0 : lowest + 40) + parity + Math.abs(2 - i) + reversed) +
        10000000 * (Math.clz32(i) - 1 + 63 - 80 + 1) +
        1000000000 * (i === 0 ? 1 : 0)
      );
    },
  },
  {
    name: "clang's own functions of vectors",
    body: `float4 f = (float4)(i - 3.5f, 2.5f, -1.5f, i); int4 n = (int4)(i, -i, 3, -4);
  int4 m = __builtin_elementwise_max(n, (int4)(1)); int4 a = __builtin_elementwise_abs(n);
  o[i] = m.x + m.y * 10 + a.y * 100 + a.w * 1000;
  float4 g = __builtin_elementwise_roundeven(f) + __builtin_elementwise_abs(f);
  o[i] += 10000 * (int)(g.y + g.z);
  int4 c = __builtin_convertvector(f, int4); uchar4 b = __builtin_convertvector(n, uchar4);
  o[i] += 100000 * (c.x + c.z + b.y);
  int4 s = __builtin_shufflevector(n, c, 7, 0, 2, 5); int2 t = __builtin_shufflevector(n, n, 3, -1);
  int8 w = __builtin_shufflevector(n, s, 0, 1, 2, 3, 4, 5, 6, 7);
  o[i] += s.x + s.y + s.z + s.w + t.x + w.s4 * 3 + w.s3;
  o[i] += __builtin_reduce_add(n) * 7 + __builtin_reduce_min(n) + __builtin_reduce_xor((int2)(i, 12)) + __builtin_elementwise_add_sat(2147483647, i) / 1000000000;`,
    wanted: (i) =>
      Math.max(i, 1) +
      10 +
      100 * i +
      4000 +
      10000 * (2 + 2.5 + -2 + 1.5) +
      100000 * (Math.trunc(i - 3.5) - 1 + (-i & 255)) +
      (i + i + 3 + 2 - 4 + 3 * i - 4) +
      7 * -1 +
      Math.min(-i, -4) +
      (i ^ 12) +
      2,
  },
  {
    name: "bytes of whole objects that are copied and filled by clang's own functions",
    file: "typedef struct { int a; float b; short c[2]; } rec;",
    body: `rec r = {i, 2.0f, {3, 4}}; rec s; __builtin_memcpy(&s, &r, sizeof(rec)); r.a = 9; s.c[1] += 1;
  float f = 1.0f + i; uint u; __builtin_memcpy(&u, &f, 4);
  int a[5]; __builtin_memset(a, 0, sizeof(a)); a[2] = 5; int b[5]; __builtin_memcpy(b, a, sizeof a); b[1] += a[2];
  ushort w[3]; __builtin_memset(&w[1], 0x12, 4); w[0] = 1; int4 v; __builtin_memset(&v, 255, sizeof(v));
  rec z; __builtin_memset(&z, 0, sizeof z); __builtin_memcpy(&a[0], &b[1], 2 * sizeof(int));
  o[i] = s.a + s.c[1] * 10 + (int)(u >> 23) * 1000 + b[1] * 10 + (w[2] & 15) + v.w + z.c[1] + (a[0] + a[1]) * 1000000;`,
    wanted: (i) => i + 50 + (127 + Math.floor(Math.log2(1 + i))) * 1000 + 50 + 2 - 1 + 10 * 1000000,
  },
  {
    name: "bytes that are the bits of numbers, and what overlaps what it is copied to",
    body: `uchar b[8]; for (int j = 0; j < 8; j++) b[j] = (uchar)(j + i); uint u; __builtin_memcpy(&u, b + 1, 4);
  float f = 1.5f; char c[4]; __builtin_memcpy(&c[0], &f, sizeof f); ushort h; __builtin_memcpy(&h, &b[i & 3], 2);
  int a[5] = {1, 2, 3, 4, 5}; __builtin_memmove(a + 1, a, 4 * sizeof(int)); __builtin_memmove(&a[0], &a[2], 2 * sizeof(int));
  ulong l = 0x0807060504030201ul; global uchar *g = (global uchar *)(o + i); __builtin_memcpy(b, &l, 8);
  o[i] = (int)((u >> 16) & 255) * 10 + c[2] + c[3] * 1000 + (h >> 8) * 100000 + b[i];
  o[i] += 10000000 * (a[0] + a[1] + a[2] + a[3] + a[4] * 2); uint w = (uint)o[i]; w += 1; __builtin_memcpy(g, &w, 4);`,
    // 1.5 is 0x3fc00000: its bytes are 0, 0, -64, 63. Moved, the numbers are 1 1 2 3 4, and then 2 3 2 3 4.
    wanted: (i) => (3 + i) * 10 - 64 + 63000 + ((i & 3) + 1 + i) * 100000 + (i + 1) + 10000000 * 18 + 1,
  },
  {
    name: "sums that say whether they fit",
    body: `int r; uint u; ulong l; uchar b; long k; int n = 0; uint c;
  o[i] = __builtin_add_overflow(2147483640, i + 3, &r) + (r < 0 ? 2 : 0);
  o[i] += 10 * __builtin_usub_overflow((uint)i, 4u, &u) + (u > 8u ? 40 : 0);
  o[i] += 100 * __builtin_mul_overflow(i * 100000, 10000, &r) + (r == (int)((uint)i * 1000000000u) ? 300 : 0);
  o[i] += 1000 * __builtin_mul_overflow((ulong)i << 61, 2ul, &l) + (l == (ulong)i << 62 ? 3000 : 0);
  o[i] += 10000 * __builtin_add_overflow(i * 50, 7, &b) + 100000 * (b & 15);
  o[i] += 10000000 * __builtin_ssubl_overflow(-9223372036854775807l, (long)i, &k);
  u = __builtin_addc(0xfffffffcu, (uint)i, 1u, &c); o[i] += 20000000 * c + 100000000 * (u & 7u);
  if (__builtin_sub_overflow(n++, i, &r) == 0) o[i] += n;`,
    wanted: (i) => {
      const product = i * 1000000000;
      return (
        (2147483640 + i + 3 > 2147483647 ? 3 : 0) +
        (i < 4 ? 50 : 0) +
        (product > 2147483647 ? 100 : 0) +
        300 +
        (i * 2 ** 62 >= 2 ** 64 ? 1000 : 0) +
        3000 +
        (i * 50 + 7 > 255 ? 10000 : 0) +
        100000 * ((i * 50 + 7) & 15) +
        (i > 1 ? 10000000 : 0) +
        (i >= 3 ? 20000000 : 0) +
        100000000 * ((i + 5) & 7) +
        1
      );
    },
  },
  {
    name: "both arguments of __builtin_expect are evaluated",
    body: `int n = 0;
  if (__builtin_expect(i > 3, n++)) o[i] += 1000;
  o[i] += 10000 * n;`,
    wanted: (i) => 100 + i + (i > 3 ? 1000 : 0) + 10000,
  },
  {
    name: "more bytes that are copied and filled than stand in a row",
    file: "typedef struct { global int *at; int n; } ref; static int next(int *n) { return (*n)++; }",
    body: `int a[40]; __builtin_memset(a, 1, sizeof a); ref r = { o + (i & ~7), 40 };
  uchar b[160]; for (int j = 0; j < 40; j++) a[j] += j * 256 + i;
  __builtin_memcpy(b, a, sizeof b); b[4] = 200; uint w[40]; __builtin_memcpy(w, b, 160);
  int c[20]; int n = 0; __builtin_memcpy(c, a + next(&n), 80); __builtin_memset(c + n, 0, 18 * 4);
  float f[17]; for (int j = 0; j < 17; j++) f[j] = 1.0f + j; uint g[17]; __builtin_memcpy(g, f, sizeof f);
  o[i] = b[5] + (int)(w[1] & 255) * 10 + c[0] + c[1] + c[18] + c[19] + n + (int)(g[16] >> 23) * 100;`,
    // Words of 0x01010101 + 256 j + i: byte 1 of word 1 is 2; the floats end with 17, whose exponent is 127 + 4.
    wanted: (i) => 2 + 2000 + (0x01010101 + i) + 0 + 0 + (0x01010101 + 19 * 256 + i) + 1 + 13100,
  },
  {
    // glslang and DXC refuse a constant index outside: of the words that such an array and no object at all have become, too.
    name: "bytes outside an array of integers, which are never reached",
    file: "static int first(const void *p, int n) { if (!p) return n; return *(const int *)p; }",
    body: `int a[2] = {1, 2 + i};
  if (i > 1000) { ((char *)a)[9] = 3; a[0] = *((short *)a + 7); }
  o[i] = ((char *)a)[4] + first(0, 50);`,
    wanted: (i) => 52 + i,
  },
  {
    // HLSL's text names a type of 16 bits, by which DXC is told that there are some.
    name: "the bits of a constant half, where nothing else is one",
    file: "#pragma OPENCL EXTENSION cl_khr_fp16 : enable",
    body: "((global half *)o)[i * 2] = -1.5h;",
    wanted: () => 0xbe00,
  },
  {
    // EmitVectorMask of clang-19 takes the mask modulo the number of components.
    name: "components by a mask of clang's own shuffle",
    body: `int4 a = (int4)(10, 20, 30, 40 + i); ushort4 m = (ushort4)(3, i, 6, 0);
  float2 f = __builtin_shufflevector((float2)(1.5f, 2.5f), (int2)(i, -1));
  a = __builtin_shufflevector(a, m);
  o[i] = a.x + a.y * 100 + a.z * 10000 + a.w * 1000000 + (int)(f.x * 2) + (int)(f.y * 20);`,
    wanted: (i) => 40 + i + [10, 20, 30, 40 + i][i % 4]! * 100 + 300000 + 10000000 + [3, 5][i % 2]! + 50,
  },
  {
    name: "pointers that are taken for others with a warning",
    file: "int low(global uint *p, int n) { return (int)(p[n] & 255u); }",
    body: `global uint *u = (global uint *)o;
  global int *p = u;
  p[i] = low(o, i) * 2 - 250;
  global char *c;
  c = (global uchar *)(o + i);
  o[i] = c[0] * 10 + c[1];`,
    wanted: (i) => {
      const bits = (100 + i) * 2 - 250;
      const byte = (n: number): number => ((bits >> n) << 24) >> 24;
      return byte(0) * 10 + byte(8);
    },
  },
];

const sourceOf = ({ file = "", body }: Case): string =>
  `${file}\nkernel void k(global int *o) {\n  int i = get_global_id(0);\n  ${body}\n}\n`;

const ownText = (name: string, text: string): Judgeable => ({
  dialect: "opencl",
  name,
  text,
  options: { extensions: true },
});

const translated = async (c: Case, to: TwoWayDialect): Promise<string> => {
  const { code, diagnostics } = await translate(sourceOf(c), { from: "opencl", to, workgroupSize: [lanes, 1, 1] });
  expect(
    diagnostics.filter((d) => d.severity === "error").map((d) => d.message),
    c.name,
  ).toEqual([]);
  return code!;
};

async function run(source: string, from: TwoWayDialect, subgroupSize: number): Promise<readonly number[]> {
  const args = { o: Int32Array.from({ length: 2 * lanes }, (_, i) => 100 + i) };
  const { buffers, diagnostics, findings } = await simulate(source, {
    from,
    workgroups: [1],
    workgroupSize: [lanes, 1, 1],
    subgroupSize,
    args,
  });
  expect([...diagnostics.filter((d) => d.severity === "error"), ...findings].map((d) => d.message)).toEqual([]);
  return [...(buffers["o"] as Int32Array)].slice(0, lanes);
}

describe.each(cases)("$name", (c) => {
  const wanted = Array.from({ length: lanes }, (_, i) => c.wanted(i));
  test.each([4, 32])("computes what C says, at width %i", async (width) => {
    expect(await run(sourceOf(c), "opencl", width)).toEqual(wanted);
    for (const to of twoWayDialects) {
      const text = await translated(c, to);
      expect(await run(text, to, width), text).toEqual(wanted);
    }
  });
});

describe("judges", () => {
  judgeTest(judges.opencl, "clang takes the sources", async () => {
    const texts = cases.map((c) => ownText(c.name, sourceOf(c)));
    expect(refusals(await judgeOutputs(texts))).toBe("");
  });
  for (const to of twoWayDialects)
    judgeTest(judges[to], `the ${to} compiler takes the translations`, async () => {
      const texts: Judgeable[] = [];
      // A text that stays in its language keeps its forms.
      for (const c of cases)
        texts.push(
          to === "opencl" ? ownText(c.name, await translated(c, to)) : judgeable(to, c.name, await translated(c, to)),
        );
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
});

describe("forms of C++, which C, GLSL and DXC's HLSL have not", () => {
  const glsl = (file: string, body: string): string =>
    `#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B { int o[]; };\n${file}\nvoid main() { ${body} }\n`;
  const hlsl = (body: string): string => `RWStructuredBuffer<int> o;\n[numthreads(1, 1, 1)] void k() { ${body} }\n`;
  const opencl = (file: string, body: string): string => `${file}\nkernel void k(global int *o) { ${body} }\n`;
  const forms: readonly (readonly [string, JudgedDialect, string, string])[] = [
    [
      "braces",
      "opencl",
      opencl("", "int x{3}; o[0] = x;"),
      "OpenCL C has no initialisers without '=', which C++ for OpenCL has",
    ],
    [
      "braces at file scope",
      "opencl",
      opencl("constant int x{3};", "o[0] = x;"),
      "OpenCL C has no initialisers without '='",
    ],
    [
      "parentheses",
      "opencl",
      opencl("", "int x(3); o[0] = x;"),
      "OpenCL C has no initialisers without '=', which C++ for OpenCL has",
    ],
    [
      "default arguments",
      "opencl",
      opencl("int f(int a, int b = 3) { return a + b; }", "o[0] = f(1);"),
      "OpenCL C has no default arguments",
    ],
    [
      "methods",
      "opencl",
      opencl("struct S { int x; int f() { return x; } };", "struct S s = {1}; o[0] = s.f();"),
      "OpenCL C has no methods",
    ],
    [
      "constructors",
      "opencl",
      opencl("struct S { int x; S(int v) : x(v) {} };", "struct S s = {1}; o[0] = s.x;"),
      "OpenCL C has no methods",
    ],
    [
      "bases",
      "opencl",
      opencl("struct S { int x; };\nstruct T : S { int y; };", "struct T t = {1}; o[0] = t.x;"),
      "OpenCL C has no structs with bases",
    ],
    [
      "scopes",
      "opencl",
      opencl("enum struct E { A, B };", "enum E e; o[0] = 1;"),
      "OpenCL C has no enumerations with a scope",
    ],
    [
      "default arguments",
      "glsl",
      glsl("int f(int a, int b = 3) { return a + b; }", "o[0] = f(1);"),
      "GLSL has no default arguments",
    ],
    ["parentheses", "glsl", glsl("", "int x(3); o[0] = x;"), "GLSL has no initialisers without '='"],
    [
      "methods",
      "glsl",
      glsl("struct S { int x; int f() { return x; } };", "S s; o[0] = s.f();"),
      "GLSL has no methods",
    ],
    // DXC takes the braces for a block of effects, warns, and leaves x undefined.
    ["braces", "hlsl", hlsl("int x{3}; o[0] = x;"), "HLSL has no initialisers without '='"],
    ["parentheses", "hlsl", hlsl("int x(3); o[0] = x;"), "HLSL has no initialisers without '='"],
  ];
  test.each(forms)("%s in %s", async (_, from, source, message) => {
    const { code, diagnostics } = await translate(source, { from, to: "msl" });
    expect(code).toBeUndefined();
    expect(diagnostics.map((d) => d.message).join("\n")).toContain(message);
  });
  for (const dialect of ["opencl", "glsl", "hlsl"] as const)
    judgeTest(judges[dialect], `the ${dialect} compiler takes none of them`, async () => {
      const texts = forms
        .filter(([, from]) => from === dialect)
        .map(([name, , text]) => judgeable(dialect, name, text));
      expect((await judgeOutputs(texts)).filter(({ ok }) => ok).map(({ name }) => name)).toEqual([]);
    });
});

// OpenCL C 3.0 6.9: what a kernel is given by value is a variable of its own, private memory.
test("arrays of a struct that a kernel is given by value, as arguments", async () => {
  const source = `typedef struct { int dims[4]; int n; } Shape;
int at(int *dims, const int *strides, int ids[2]) { dims[0] += 1; return dims[0] * ids[0] + strides[2] * ids[1]; }
kernel void k(global int *o, Shape a, Shape b) { int ids[] = {2, 3}; o[0] = at(a.dims, b.dims, ids); o[1] = at(a.dims, b.dims, ids) + a.n; }`;
  const args = { "a.dims": [10, 0, 0, 0], "a.n": 500, "b.dims": [0, 0, 7, 0], "b.n": 0 };
  const launch = { workgroupSize: [1, 1, 1], workgroups: [1, 1, 1] };
  const results = async (text: string, from: TwoWayDialect): Promise<unknown> => {
    const { buffers, diagnostics } = await simulate(text, { from, ...launch, args: { o: new Int32Array(2), ...args } });
    return buffers ? [...(buffers.o as Int32Array)] : diagnostics;
  };
  expect(await results(source, "opencl")).toEqual([11 * 2 + 7 * 3, 12 * 2 + 7 * 3 + 500]);
  for (const to of ["msl", "glsl", "hlsl"] as const) {
    const { code } = await translate(source, { from: "opencl", to, workgroupSize: [1, 1, 1] });
    expect(await results(code!, to), to).toEqual([43, 545]);
  }
});

// Printed anew, OpenCL C keeps the names of its source, which may hide each other there.
test("what is made for the source hides nothing of it", async () => {
  const source = `kernel void k(global int *o, int n) {
  int i = get_global_id(0), a[8]; for (int j = 0; j < 8; j++) a[j] = j + 1;
  __builtin_memcpy(&o[i], &a[i + 1], 4 * n); constant char *text = i > 5 ? "ab" : "cd"; o[i + 4] += text[0];
}
kernel void other(global int *o) { o[0] = 0; }`;
  const { code } = await translate(source, { from: "opencl", to: "opencl", entry: "k" });
  for (const text of [source, code!]) {
    const args = { o: new Int32Array(9), n: 2 };
    const launch = { from: "opencl", entry: "k", workgroupSize: [1], gridSize: [1], gridOffset: [2], args } as const;
    const { buffers } = await simulate(text, launch);
    // 'c' is 99.
    expect([...(buffers["o"] as Int32Array)]).toEqual([0, 0, 4, 5, 0, 0, 99, 0, 0]);
  }
});

// GLSL 4.60 5.9, C++14 5.8: open where an operand is negative or a count is not below the width. Initialisers call nothing.
test.each(["glsl", "msl", "hlsl"] as const)("constants of the file whose operators %s leaves open", async (to) => {
  const source = `constant int m = -5 % 3, s = 1 << 33, t = -1 << 3; constant int2 v = (int2)(-7, 8) % 5; constant int list[2] = {-9 % 4, 9 % -4};
kernel void k(global int *o) { int i = get_global_id(0); const int c = -8 % 5; o[i] = m + s * 10 + t * 100 + v.x * 1000 + list[i & 1] + c * 10000; }`;
  const given = { from: "opencl", workgroupSize: [8, 1, 1], subgroupSizes: [4, 32] } as const;
  const { result } = await verify(source, { ...given, to });
  expect(result).toMatch(/^equivalent/);
  const launch = { from: "opencl", workgroupSize: [2], workgroups: [1], args: { o: new Int32Array(2) } } as const;
  const { buffers } = await simulate(source, launch);
  const both = -2 + 2 * 10 - 8 * 100 - 2 * 1000 - 3 * 10000;
  expect([...(buffers["o"] as Int32Array)]).toEqual([both - 1, both + 1]);
});

// A host may bind one buffer to both: what comes first is asked where the language can tell.
test("memmove from one argument to another", async () => {
  const source = `kernel void k(global int *a, global int *b, int n) { __builtin_memmove(a, b, n * sizeof(int)); }`;
  const to = (dialect: TwoWayDialect): ReturnType<typeof translate> =>
    translate(source, { from: "opencl", to: dialect, workgroupSize: [1, 1, 1] });
  expect((await to("msl")).code).toContain("if (b < a)");
  const glsl = await to("glsl");
  expect(glsl.code).not.toContain("if (");
  expect(glsl.assumptions.map((a) => a.op)).toContain("buffers-apart");
  const strict = await translate(source, { from: "opencl", to: "glsl", workgroupSize: [1, 1, 1], strict: true });
  expect(strict.code).toBeUndefined();
});

describe("what is refused, by name", () => {
  const unknown = "where nothing says of which pointer the number is the address, is not supported yet";
  const kernel = (body: string): string => `kernel void k(global int *o) { int i = get_global_id(0); ${body} }`;
  const refused: readonly (readonly [string, string, string])[] = [
    [
      "a type beside char that is signed, too",
      kernel("char c = i; o[i] = _Generic(c, signed char: 1, default: 2);"),
      "'signed char' in '_Generic' is not supported yet",
    ],
    [
      "pointers whose address space the version says",
      kernel("o[i] = _Generic(&i, int *: 1, default: 2);"),
      "a pointer without an address space in '_Generic' is not supported yet",
    ],
    [
      "tables of addresses in other constants of the file",
      "constant int a[2] = {1, 2}; typedef struct { constant int *p; int n; } L; constant L table[] = {{a, 2}, {a + 1, 3}}; constant L last = table[1];" +
        kernel("o[i] = last.n;"),
      "'table', which holds addresses, outside of a function is not supported yet",
    ],
    [
      "components that are taken twice, whose type clang takes for another than it is",
      kernel("int2 v = (int2)(i, 2); o[i] = _Generic(v.xyxy, int4: 1, default: 2);"),
      "a component that is taken twice in the operand of '_Generic' is not supported yet",
    ],
    [
      "an operand without an expression",
      kernel("o[i] = _Generic(i, float: 1);"),
      "'_Generic' has no expression for int",
    ],
    [
      "goto into what is repeated",
      kernel("if (i) goto in; again: o[i]++; in: if (o[i] < 9) goto again;"),
      "goto back to a label over which others lead to labels behind it is not supported yet",
    ],
    [
      "a component twice of a vector that begins at any",
      `typedef int4 __attribute__((aligned(4))) int4u;\n${kernel("((global int4u *)o)->xx = 2;")}`,
      "this cannot be written: it names a component twice",
    ],
    [
      "a jump into another switch",
      kernel("if (i) goto in; switch (i) { case 0: o[i] += 1; in: o[i] += 2; }"),
      "a jump into such a statement is not supported yet",
    ],
    [
      "a case label in a block that hides a name",
      kernel("int q = 4; switch (i) { case 0: { int q = 1; o[i] = q; case 1: o[i] += 2; } break; default: o[i] = q; }"),
      "a case label in a block that declares 'q', which is named outside of it as well, is not supported yet",
    ],
    [
      "goto over what has a value behind it",
      kernel("if (i) goto on; const int x = 3; on: if (!i) o[i] = x;"),
      "goto over the declaration of 'x', which is used behind its label, is not supported yet",
    ],
    [
      "goto over a name that means something else before",
      kernel("int v = i; { if (v == 3) goto on; o[i] = v; int v = 5; o[i] += v; on: v = 2; o[i] += v; }"),
      "goto over the declaration of 'v', before which the name is that of something else, is not supported yet",
    ],
    [
      "goto over a type of such a name",
      `typedef float T;\n${kernel("if (i == 3) goto on; T a = 3.5f; o[i] = (int)(a * 2); typedef int T; T b = 3; o[i] += b / 2; on: o[i] += 1;")}`,
      "goto over the declaration of 'T', before which the name is that of something else, is not supported yet",
    ],
    [
      "what an object is aligned to, where its type may say more",
      `typedef int A __attribute__((aligned(16)));\n${kernel("A a = 1; o[i] = __alignof__(a);")}`,
      "an alignment beside objects that say more than their types have is not supported yet",
    ],
    [
      "what a variable is aligned to beside one that says it itself",
      kernel("int a __attribute__((aligned(16))) = 1; o[i] = __alignof__(a);"),
      "an alignment beside objects that say more than their types have is not supported yet",
    ],
    [
      "a typedef that is declared anew with another alignment",
      `typedef int A;\ntypedef int A __attribute__((aligned(16)));\nstruct S { char c; A a; };\n${kernel("o[i] = sizeof(struct S);")}`,
      "'A' declared anew with another alignment is not supported yet",
    ],
    [
      "the type of an operand, which may have the alignment of a typedef",
      `typedef int A __attribute__((aligned(16)));\nstruct S { char c; __typeof__(A) a; };\n${kernel("o[i] = sizeof(struct S);")}`,
      "a type of an operand beside types that say more alignment than they have is not supported yet",
    ],
    [
      "an array of what is aligned to more than its size, which clang refuses",
      `typedef int A __attribute__((aligned(16)));\n${kernel("A a[2] = {1, 2}; o[i] = a[i & 1];")}`,
      "an array of what is aligned to 16, which is not its size",
    ],
    [
      "a vector that lies at multiples of two components",
      `typedef float3 anywhere __attribute__((aligned(8)));\n${kernel("o[i] = sizeof(anywhere);")}`,
      "attribute 'aligned' of a typedef is not supported yet",
    ],
    [
      "a loop in a statement expression that comes later",
      kernel("o[i] = i && ({ int s = 0; while (s < i) s++; s; });"),
      "such a statement in a statement expression that is not evaluated first is not supported yet",
    ],
    ["a block", kernel("int (^f)(int) = ^(int x) { return x + 1; }; o[i] = f(i);"), "a block is not supported yet"],
    ["bit-fields", `struct B { int a : 3; };\n${kernel("struct B b; b.a = 1;")}`, "OpenCL C has no bit-fields"],
    [
      "attributes of types that are other types",
      `typedef int wide __attribute__((mode(DI)));\n${kernel("wide v = 1; o[i] = (int)v;")}`,
      "attribute 'mode' of a typedef is not supported yet",
    ],
    [
      "vectors that OpenCL C has not",
      `typedef float f5 __attribute__((ext_vector_type(5)));\n${kernel("f5 v; v.x = 1; o[i] = (int)v.x;")}`,
      "a vector of 5 such components is not supported yet",
    ],
    [
      "what MSL's assert stands for",
      kernel("__builtin_assert(i > 0); o[i] = 1;"),
      "'__builtin_assert' is not supported yet",
    ],
    [
      "functions of clang that have a meaning",
      kernel("o[i] = __builtin_readcyclecounter();"),
      "'__builtin_readcyclecounter' is not supported yet",
    ],
    [
      "half of a vector of 3 as a whole",
      kernel("int3 v = 1; v.hi = (int2)(i, 2); o[i] = v.z;"),
      "half of a vector of 3, with a component that it has not, cannot be written",
    ],
    [
      "a number that is no address of a pointer",
      kernel("global int *p = (global int *)(ulong)i; o[i] = *p;"),
      `a cast of ulong to __global int *, ${unknown}`,
    ],
    [
      "the address of two pointers",
      kernel("global int *p = (global int *)((ulong)o + (ulong)(o + i)); o[i] = *p;"),
      `a cast of ulong to __global int *, ${unknown}`,
    ],
    [
      "a number that is an address at times",
      kernel("ulong a = (ulong)o; if (i) a = i; o[i] = *(global int *)a;"),
      `a cast of ulong to __global int *, ${unknown}`,
    ],
    [
      "an address whose number is shifted",
      kernel("ulong a = (ulong)o >> 2; o[i] = *(global int *)(a << 2);"),
      `a cast of ulong to __global int *, ${unknown}`,
    ],
    [
      "an address of other memory",
      kernel("local int l[8]; ulong a = (ulong)l; o[i] = *(global int *)a;"),
      "a cast of ulong to __global int *, where the number is an address of workgroup memory, is not supported yet",
    ],
    [
      "an address of two memories",
      kernel("local int l[8]; ulong a = (ulong)l; if (i) a = (ulong)o; o[i] = *(global int *)a;"),
      "a cast of ulong to __global int *, where the number is one of workgroup and of global memory, is not supported yet",
    ],
    [
      "an address that a pointer writes",
      kernel("ulong a = (ulong)o; ulong *p = &a; *p = 4; o[i] = *(global int *)a;"),
      "a cast of ulong to __global int *, where a is an address that is written by way of a pointer or by another operation, is not supported yet",
    ],
    [
      "an address that is moved by more than pointers are apart",
      kernel("ulong a = (ulong)o; ulong b = a + 0x180000000ul; o[i] = (int)((b - a) >> 31) + *(global int *)a;"),
      "an address in an integer that is moved by 2^31 bytes or more is not supported yet",
    ],
    [
      "an address in a union",
      `union U { ulong a; uint b[2]; };\n${kernel("union U u; u.a = (ulong)o; u.b[0] += 4; o[i] = *(global int *)u.a;")}`,
      "a cast of ulong to __global int *, where U.a keeps the address in memory that a union's other members have, too, is not supported yet",
    ],
    [
      "sums of numbers of several widths",
      kernel("long r; o[i] = __builtin_add_overflow(i, 3ul, &r);"),
      "'__builtin_add_overflow' of int, ulong, long is not supported yet",
    ],
  ];
  test.each(refused)("%s", async (_, source, message) => {
    const { diagnostics } = await translate(source, { from: "opencl", to: "msl" });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toContain(message);
  });

  test("a pointer whose value is refused is not said to be used before it points anywhere", async () => {
    const source = `int *place(int n) { return &n; }\n${kernel("int *p = place(i); o[i] = *p;")}`;
    const errors = async (text: string): Promise<string[]> =>
      (await translate(text, { from: "opencl", to: "glsl", workgroupSize: [8, 1, 1] })).diagnostics.flatMap((d) =>
        d.severity === "error" ? [d.message] : [],
      );
    expect(await errors(source)).toEqual(["a pointer to n is returned, which ends with the function"]);
    expect(await errors(kernel("int *p; o[i] = *p;"))).toEqual(["pointer p is used before it points anywhere"]);
  });

  test("what C compilers warn of is warned of", async () => {
    const source = kernel("global uint *u = o; u[i] = 1;");
    const { diagnostics } = await translate(source, { from: "opencl", to: "msl" });
    expect(diagnostics.map((d) => `${d.severity} ${d.message}`)).toEqual([
      "warning the initialiser is __global int * and is taken for __global uint *",
    ]);
  });
});
