/** Kernels of MSL about names for parts of values, and what is taken for its base: see test/templates.test.ts. Expected values are those of clang's program. */
import type { Shape } from "./class-shapes.js";

export const bindingShapes: readonly Shape[] = [
  {
    name: "structured bindings of arrays that are copied",
    before:
      "struct P { int a[2]; }; struct C { int v; int n; C(int x) : v(x), n(0) {} C(thread const C& o) : v(o.v), n(o.n + 1) {} };",
    body: `int arr[3] = {i, 2, 3}; auto [a, b, c] = arr; a += 10; auto& [d, e, f] = arr; d += 100; const auto [g, h, m] = arr; auto [qq] = P{{1, 2}}; auto [q] = P{{1, 2}}; C cs[2] = {C(4), C(5)}; auto [c0, c1] = cs; int two[2][2] = {{i, 2}, {3, 4}}; auto [r0, r1] = two; r0[0] += 10; r1[1]++;
      y[i] = a + arr[0] * 100 + g * 10000 + e + f + b + c + h + m + q[1] * 1000000 + c1.n * 10000000 + c0.v + r0[0] + r1[1] * 7 + two[0][0] * 3 + two[1][1] * 5;`,
    y: [13010094, 13020199, 13030304, 13040409],
  },
  {
    name: "structured bindings of constant memory and of bases",
    before:
      "constant int tab[3] = {4, 5, 6}; struct B { int a; float b; }; struct D : B { int f() { return a; } }; struct E {}; struct F : E { int q; int w; };",
    body: "auto [a, b, c] = tab; auto& [d, e, f] = tab; D o; o.a = i; o.b = 1.5f; auto [p, q] = o; auto& [r, t2] = o; r += 5; F z; z.q = 3; z.w = 4; auto [z0, z1] = z; device auto& [x0, x1] = *(device int (*)[2])x; y[i] = a + b * 10 + c * 100 + d + e + f + p * 1000 + int(q * 2) * 10000 + o.a * 100000 + z0 * z1 + x1;",
    y: [530692, 631692, 732692, 833692],
  },
  {
    name: "pointers to bases",
    before:
      "struct B { int a; int get() const { return a; } }; struct D : B { int k; }; int f(thread const B* p) { return p->a; } int g(device B* p) { return p->get(); }",
    body: "D d; d.a = i; d.k = 3; thread B* p = &d; p->a += 5; y[i] = f(&d) + p->get() * 10;",
    y: [55, 66, 77, 88],
  },
  {
    name: "pointers to bases in several memories, through several",
    before: `struct B { int a; int get() const { return a; } }; struct C { int z; }; struct D : C, B { int k; }; struct E : D { int w; }; int f(thread const B* p) { return p->a; } int ff(thread B* p, int) { return p->a; } int ff(thread D* p, float) { return 3; }
      struct S { int q; D d; }; int dev(device const B* p) { return p->a + p->get(); }`,
    body: "E d; d.a = i; d.z = 7; d.k = 3; thread D* q = &d; thread B* p = q; p->a += 5; thread const B* n = nullptr; n = p; device D* dd = (device D*)x; thread C& c = *q; c.z++; y[i] = f(&d) + n->get() * 10 + dev(dd) * 1000 + d.z * 100000;",
    y: [822055, 822066, 822077, 822088],
  },
  {
    name: "deduced from the base of what is handed over",
    before:
      "template <typename T, int N> struct VecN { T v[N]; }; struct P : VecN<int, 2> { int k; }; struct Q : P { }; template <typename T, int N> int sum(VecN<T, N> v) { int s = 0; for (int k = 0; k < N; k++) s += int(v.v[k]); return s * N; } template <typename T> int one(T) { return 1; } template <typename T, int N> int two(thread const VecN<T, N>& v) { return N + v.v[1]; } template <typename T, int N> int by(thread VecN<T, N>* v) { v->v[0]++; return N; }",
    body: "Q q; q.v[0] = i; q.v[1] = 5; y[i] = by(&q) * 100000000 + sum(q) * 1000 + one(q) * 1000000 + two(q) * 10000000;",
    y: [271012000, 271014000, 271016000, 271018000],
  },
  {
    name: "names that are like those of what structured bindings name the parts of",
    before: "",
    body: "int q[2] = {3, i}; auto [g, h] = q; auto& [m, n] = q; int r = 0; { int g_h[2] = {50, 60}; int m_n[2] = {70, 80}; r = g + h * 10 + m * 100 + g_h[0] * 1000 + m_n[1]; m = 8; } int g_h = 7; y[i] = r + q[0] * 1000000 + g_h * 10000000;",
    y: [78050383, 78050393, 78050403, 78050413],
  },
];
