/**
 * Programs in what C, C++ and the shading languages have in common, written to be misread: control flow, scopes, integers,
 * copies and pointers. `src` holds sixteen ints, results go to `dst`. No step of them is undefined in C++.
 */
import type { TwoWayDialect } from "../../src/dialects/ids.js";

export interface TrickyProgram {
  readonly name: string;
  readonly before?: string;
  readonly body: string;
  /** All, unless it uses what only some have. */
  readonly dialects?: readonly TwoWayDialect[];
}

export const trickySource: readonly number[] = [3, 1, 4, 1, 5, -9, 2, -6, 5, 3, 0, 7, -1, 2147483647, -2147483648, 100];

const cLike = ["msl", "opencl"] as const;

export const trickyPrograms: readonly TrickyProgram[] = [
  // ---------------------------------------------------------------- control flow
  {
    name: "continue in a switch in a do",
    body: "int n = 0; do { n++; switch (n & 3) { case 1: continue; case 2: dst[0] += n; break; default: dst[1] += n; } dst[2] += n; } while (n < src[11]);",
  },
  {
    name: "break in a switch in a for, then a break of the for",
    body: "for (int i = 0; i < 16; i++) { switch (src[i]) { case 1: dst[0]++; break; case 5: dst[1] += i; continue; case 0: dst[2] = i; break; } if (src[i] == 0) break; dst[3] += src[i]; }",
  },
  {
    name: "do that ends by its own condition's change",
    body: "int i = 0, s = 0; do { s += i; if (i == 3) continue; s += 100; } while (i++ < 5); dst[0] = s; dst[1] = i;",
  },
  {
    name: "for whose step is skipped by break and not by continue",
    body: "int i; int s = 0; for (i = 0; i < 10; i += 2) { if (i == 4) continue; if (i == 8) break; s = s * 10 + i; } dst[0] = s; dst[1] = i;",
  },
  {
    name: "default in the middle that falls into a case",
    body: "for (int i = 0; i < 6; i++) { int r = 0; switch (i) { case 0: r += 1; default: r += 10; case 3: r += 100; break; case 4: r += 1000; } dst[i] = r; }",
    // DXC has no falling through.
    dialects: ["msl", "opencl", "glsl"],
  },
  {
    name: "a switch of negatives and the ends of int",
    body: "for (int i = 0; i < 16; i++) switch (src[i]) { case -9: dst[i] = 1; break; case 2147483647: dst[i] = 2; break; case -2147483647 - 1: dst[i] = 3; break; case -1: dst[i] = 4; break; default: dst[i] = 5; }",
  },
  {
    name: "a switch of uints beyond int",
    body: "for (int i = 0; i < 16; i++) switch (UINT(src[i])) { case 4294967295u: dst[i] = 1; break; case 2147483648u: dst[i] = 2; break; case 3u: dst[i] = 3; break; }",
  },
  {
    name: "returns out of nested loops and switches",
    before:
      "int find(int a, int b) { for (int i = 0; i < 8; i++) { for (int j = 0; j < 8; j++) { switch (i * j) { case 12: if (i == a) return i * 100 + j; break; case 20: return b; } if (j > i + 2) break; } } return -1; }",
    body: "dst[0] = find(3, 7); dst[1] = find(6, 8); dst[2] = find(4, 9); dst[3] = find(0, 5);",
  },
  {
    name: "loops whose variables hide each other",
    body: "int i = 5; for (int i = 0; i < 3; i++) { { int i = 7; dst[i - 7] += i; } dst[6] += i; } dst[1] = i; { int i = src[0]; dst[2] = i; { int j = i + 1; int i = j * 2; dst[3] = i; } dst[4] = i; } dst[5] = i;",
  },
  {
    name: "a loop that never runs and one that runs once",
    body: "int n = 0; for (int i = 4; i < 4; i++) n = 99; while (false) n = 98; do n++; while (n < 0); dst[0] = n;",
  },
  {
    name: "else that belongs to the inner if",
    body: "for (int i = 0; i < 4; i++) { if (i > 0) if (i > 1) dst[i] = 1; else dst[i] = 2; if (i == 0) { if (i == 1) dst[i] = 3; } else dst[i] += 10; }",
  },
  {
    name: "endless loops that are left",
    body: "int n = 0; for (;;) { if (++n > 3) break; } while (true) { n += 2; if (n > 10) break; else continue; } dst[0] = n;",
  },
  {
    name: "a nested loop that changes the outer bound",
    body: "int n = 4, c = 0; for (int i = 0; i < n; i++) for (int j = i; j < n; j++) { c++; if (c == 5) n = 3; } dst[0] = c; dst[1] = n;",
  },
  {
    name: "short circuits keep effects away",
    before: "int bumped(int x) { return x + 1; }",
    body: "int n = 0; if (src[10] != 0 && src[11] / src[10] > 0) n = 1; if (src[10] == 0 || src[11] / src[10] > 0) n += 2; int k = 0; bool b = src[0] > 5 && (k = bumped(k)) > 0; bool c = src[0] > 1 || (k = bumped(k + 7)) > 0; dst[0] = n; dst[1] = k; dst[2] = (b ? 1 : 0) + (c ? 2 : 0);",
    dialects: ["msl", "opencl", "glsl"],
  },
  {
    name: "only the chosen arm is evaluated",
    body: "int k = 0; int v = src[0] == 3 ? (k += 1) : (k += 10); int w = src[1] == 3 ? (k += 100) : src[2] == 4 ? (k += 1000) : (k += 10000); dst[0] = k; dst[1] = v; dst[2] = w;",
    dialects: ["msl", "opencl", "glsl"],
  },
  {
    name: "commas in heads of loops",
    body: "int i, j, s = 0; for (i = 0, j = 10; i < j; i++, j -= 2) s += i * j; dst[0] = s; dst[1] = i; dst[2] = j;",
  },
  // ---------------------------------------------------------------- integers
  {
    name: "remainders and quotients of negatives",
    body: "dst[0] = src[5] / src[2]; dst[1] = src[5] % src[2]; dst[2] = -src[5] / -src[2]; dst[3] = src[7] / src[12]; dst[4] = INT(UINT(src[5]) / UINT(src[2])); dst[5] = INT(UINT(src[5]) % 10u);",
    dialects: ["msl", "opencl", "hlsl"],
  },
  {
    name: "comparisons where one side is unsigned",
    body: "dst[0] = UINT(src[5]) > 3u ? 1 : 0; dst[1] = src[5] > 3 ? 1 : 0; dst[2] = UINT(src[14]) > UINT(src[13]) ? 1 : 0; dst[3] = src[14] > src[13] ? 1 : 0; dst[4] = UINT(src[12]) == 0xffffffffu ? 1 : 0;",
  },
  {
    name: "unsigned arithmetic wraps",
    body: "uint a = 0u; a -= 1u; dst[0] = INT(a >> 4); uint b = UINT(src[13]) + UINT(src[13]) + 2u; dst[1] = INT(b); dst[2] = INT((0u - 5u) / 3u >> 1); uint c = 65536u; c *= c; dst[3] = INT(c); uint d = 3u; d = d - 4u > 100u ? 7u : 8u; dst[4] = INT(d);",
  },
  {
    name: "shifts right of negatives and of unsigned",
    body: "dst[0] = src[5] >> 1; dst[1] = src[14] >> 31; dst[2] = INT(UINT(src[14]) >> 31); dst[3] = INT(UINT(src[5]) >> 28); dst[4] = -1 >> 5; dst[5] = 1 << src[2] << src[4] >> src[6];",
  },
  {
    name: "precedence of the operators that are mixed up",
    body: "int a = src[0], b = src[2], c = src[4]; dst[0] = a & b | c ^ a; dst[1] = a + b << 1; dst[2] = a << 1 + b; dst[3] = -a * 2 + b; dst[4] = ~a & c; dst[5] = a - b - c; dst[6] = a - (b - c); dst[7] = a / (b / c + 1) * c; dst[8] = a * b / c; dst[9] = a * (b / c); dst[10] = (a & 1) == 1 ? b : c; dst[11] = -(-a); dst[12] = - -a; dst[13] = a - -b; dst[14] = a+ +b; dst[15] = ~(-a);",
    dialects: ["msl", "opencl", "glsl"],
  },
  {
    name: "conditional operators in conditional operators",
    body: "for (int i = 0; i < 8; i++) dst[i] = i < 2 ? i < 1 ? 1 : 2 : i < 5 ? i == 3 ? 3 : 4 : (i > 6 ? 5 : 6) + (i & 1 ? 10 : 20);",
    dialects: cLike,
  },
  {
    name: "conditional operators in conditional operators (bools)",
    body: "for (int i = 0; i < 8; i++) dst[i] = i < 2 ? i < 1 ? 1 : 2 : i < 5 ? i == 3 ? 3 : 4 : (i > 6 ? 5 : 6) + ((i & 1) != 0 ? 10 : 20);",
  },
  {
    name: "assignments that are values",
    body: "int a, b, c; a = b = c = src[2]; a += b -= c *= 2; dst[0] = a; dst[1] = b; dst[2] = c; int d = (a = 5) + 1; dst[3] = d * a;",
  },
  {
    name: "increments before and after",
    body: "int i = 3; int a = i++ * 2; int b = ++i * 2; int c = i-- - 1; int d = --i - 1; dst[0] = a; dst[1] = b; dst[2] = c; dst[3] = d; dst[4] = i; dst[5]++; ++dst[5]; dst[6]--; dst[7] -= dst[5]--;",
  },
  {
    name: "the bits of a loop over a mask",
    body: "uint m = UINT(src[5]); int n = 0; while (m != 0u) { m &= m - 1u; n++; } dst[0] = n; uint r = UINT(src[2]); for (int k = 0; k < 5; k++) r = (r << 7) | (r >> 25); dst[1] = INT(r); uint h = 2166136261u; for (int k = 0; k < 16; k++) h = (h ^ (UINT(src[k]) & 255u)) * 16777619u; dst[2] = INT(h);",
  },
  {
    name: "hex, octal and long digits",
    body: "dst[0] = 0x7fffffff; dst[1] = 017; dst[2] = INT(0xFFFFFFFFu); dst[3] = INT(4294967295U); dst[4] = 0XaB; dst[5] = 00; dst[6] = INT(0x80000000u >> 1);",
  },
  {
    name: "greatest common divisors by recursion's replacement",
    before: "int gcd(int a, int b) { while (b != 0) { int t = a % b; a = b; b = t; } return a; }",
    body: "dst[0] = gcd(48, 36); dst[1] = gcd(src[15], 75); dst[2] = gcd(7, 0); dst[3] = gcd(gcd(12, 18), gcd(8, 20));",
  },
  // ---------------------------------------------------------------- copies and scopes
  {
    name: "structs are copied",
    before: "struct P { int x; int y[3]; };\nP moved(P p, int d) { p.x += d; p.y[d] = 9; return p; }",
    body: "P a; a.x = 1; a.y[0] = 2; a.y[1] = 3; a.y[2] = 4; P b = a; b.x = 10; b.y[1] = 30; P c = moved(a, 2); a.y[0] = 50; dst[0] = a.x; dst[1] = a.y[0]; dst[2] = a.y[1]; dst[3] = b.x; dst[4] = b.y[0]; dst[5] = b.y[1]; dst[6] = c.x; dst[7] = c.y[0]; dst[8] = c.y[2]; dst[9] = moved(b, 1).y[1] + b.y[1]; a = b; b.y[2] = 77; dst[10] = a.y[2];",
  },
  {
    name: "arguments are copies",
    before: "int changed(int n) { n *= 2; int m = n; n = 0; return m + n; }",
    body: "int n = 7; dst[0] = changed(n) + n; dst[1] = changed(changed(n)); dst[2] = n;",
  },
  {
    name: "swaps through locals",
    body: "int a[4]; for (int i = 0; i < 4; i++) a[i] = src[i + 4]; for (int i = 0; i < 3; i++) for (int j = 0; j < 3 - i; j++) if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } for (int i = 0; i < 4; i++) dst[i] = a[i];",
  },
  {
    name: "a variable declared in each turn begins anew",
    body: "for (int i = 0; i < 3; i++) { int n = 0; n += i; int m[2]; m[0] = n; m[1] = 1; m[0] += m[1]; dst[i] = m[0] * 10 + n; }",
  },
  {
    name: "names of one scope in another",
    before: "int value(int dst_) { int src_ = dst_ + 1; return src_; }\nint i_(int i) { return i * 2; }",
    body: "int value_ = 4; int i = value(value_); dst[0] = i; { int value = i_(i); dst[1] = value; } dst[2] = value(i_(3));",
  },
  {
    name: "constants of the file and their shadows",
    before: "CONST int LIMIT = 5;\nCONST int TABLE[4] = LIST4(int, 7, -8, 9, 5);",
    body: "int s = 0; for (int i = 0; i < LIMIT; i++) s += TABLE[i & 3]; dst[0] = s; { int LIMIT = 2; dst[1] = LIMIT + TABLE[LIMIT]; } dst[2] = LIMIT;",
  },
  {
    name: "macros that look like names",
    before: "#define ADD(a, b) a + b\n#define TWICE(x) (x) * 2\n#define x y\n#define NEG -\n#define EMPTY",
    body: "int y = 3; dst[0] = ADD(1, 2) * ADD(3, 4); dst[1] = TWICE(1 + 2); dst[2] = x; dst[3] = 5 NEG 2; dst[4] = 5 -NEG 2; dst[5] = EMPTY 7 EMPTY;",
  },
  {
    name: "bools that are numbers",
    body: "bool b = src[0] != 0; bool c = !b; dst[0] = (b ? 1 : 0) + (c ? 10 : 0); dst[1] = INT(b) + INT(c) + INT(src[0] > src[1]); bool d = b != c; bool e = b == !c; dst[2] = INT(d) * 2 + INT(e); dst[3] = INT(!(src[2] > 2) || b && !c);",
  },
  {
    name: "an early return keeps what follows away",
    before:
      "int classed(int n) { if (n < 0) return -1; if (n == 0) { return 0; } else if (n < 4) { n += 10; } else return 99; n++; return n; }",
    body: "for (int i = 0; i < 13; i++) dst[i] = classed(src[i]);",
  },
  {
    name: "prime numbers by flags",
    body: "bool gone[50]; for (int i = 0; i < 50; i++) gone[i] = i < 2; for (int i = 2; i * i < 50; i++) { if (gone[i]) continue; for (int j = i * i; j < 50; j += i) gone[j] = true; } int n = 0; for (int i = 49; i >= 0; i--) if (!gone[i]) { dst[n] = i; n++; if (n == 14) break; } dst[15] = n;",
  },
  {
    name: "two-dimensional arrays and their rows",
    body: "int m[3][4]; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) m[i][j] = i * 10 + j; int t = m[1][2]; m[1][2] = m[2][1]; m[2][1] = t; for (int i = 0; i < 12; i++) dst[i] = m[i / 4][i % 4];",
  },
  {
    name: "results of calls in each other's arguments",
    before: "int three(int a, int b, int c) { return a * 100 + b * 10 + c; }",
    body: "dst[0] = three(three(0, 0, 1), three(0, 0, 2), 3); dst[1] = three(1, three(0, 1, 1) - 10, three(0, 0, 4) / 2);",
  },
  // ---------------------------------------------------------------- pointers
  {
    name: "pointers that walk",
    body: "int a[6] = { 1, 2, 3, 4, 5, 6 }; PRIVATE int *p = a; int s = 0; while (p < a + 6) s = s * 10 + *p++; dst[0] = s; p = a + 5; do { dst[1] = dst[1] * 10 + *p; } while (p-- > a + 1); dst[2] = INT(&a[4] - &a[1]); dst[3] = *(a + 2) + a[2]; dst[4] = a[-1 + 1];",
    dialects: cLike,
  },
  {
    name: "indices before what they index",
    before: "int third(PRIVATE const int *p) { return 2[p]; }",
    body: "int a[4] = { 1, 2, 3, 4 }; 0[a] = 7; int i = 1; i[a]++; dst[0] = a[0] * 100 + 1[a] * 10 + (i + 2)[a]; dst[1] = third(a); 2[dst] = 4[src];",
    // What reads MSL here takes the brackets for a lambda's.
    dialects: ["opencl"],
  },
  {
    name: "pointers to what was chosen",
    before:
      "void add(PRIVATE int *p, int n) { *p += n; }\nint sum(PRIVATE const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }",
    body: "int a[3] = { 1, 2, 3 }; int b[3] = { 10, 20, 30 }; int x = 5; PRIVATE int *p = src[0] > 2 ? &a[1] : &b[1]; *p += 100; p = src[0] < 2 ? a : b; p[2] = 7; add(&x, 2); add(&a[0], x); add(p, 1); dst[0] = sum(a, 3); dst[1] = sum(b, 3); dst[2] = sum(&a[1], 2); dst[3] = sum(b + 1, 1); dst[4] = x;",
    dialects: cLike,
  },
  {
    name: "pointers to members and elements of structs",
    before:
      "struct Q { int v[3]; int n; };\nvoid fill(PRIVATE Q *q, int n) { for (q->n = 0; q->n < 3; q->n++) q->v[q->n] = n + q->n; }",
    body: "Q q[2]; fill(&q[0], 5); fill(q + 1, 8); PRIVATE int *p = &q[1].v[1]; *p = 99; p[1]++; PRIVATE Q *r = &q[1]; r--; r->v[0] = q[1].n; Q c = *r; r->v[1] = 1; dst[0] = c.v[0]; dst[1] = c.v[1]; dst[2] = q[0].v[1]; dst[3] = q[1].v[1]; dst[4] = q[1].v[2]; dst[5] = (*r).n;",
    dialects: cLike,
  },
  {
    name: "pointers that are exchanged",
    body: "int a = 1, b = 2; PRIVATE int *p = &a; PRIVATE int *q = &b; for (int i = 0; i < 3; i++) { PRIVATE int *t = p; p = q; q = t; *p += 10; } dst[0] = a; dst[1] = b; dst[2] = *p; dst[3] = *q; dst[4] = p == &b ? 1 : 0;",
    dialects: cLike,
  },
  {
    name: "pointers into buffers",
    before:
      "int take(GLOBAL const int *p, int n) { return n > 0 ? p[n - 1] : *p; }\nvoid put(GLOBAL int *p, int v) { p[0] = v; *(p + 1) = v + 1; }",
    body: "dst[0] = take(src, 3); dst[1] = take(src + 5, 0); dst[2] = take(&src[4], 2); put(dst + 3, 40); put(&dst[src[4]], 50); GLOBAL const int *s = src; s += 2; dst[8] = *s++; dst[9] = *s; dst[10] = s[-1];",
    dialects: cLike,
  },
  {
    name: "one object by two pointers",
    before: "int both(PRIVATE int *a, PRIVATE int *b) { *a = 5; *b += 2; return *a; }",
    body: "int x = 1, y = 2; dst[0] = both(&x, &y); dst[1] = both(&x, &x); dst[2] = x; dst[3] = y; int v[2] = { 3, 4 }; dst[4] = both(&v[src[1]], &v[1]); dst[5] = v[0] * 10 + v[1];",
    dialects: cLike,
  },
];
