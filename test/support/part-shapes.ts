/** Kernels of MSL about members by way of objects, by the name of their struct within it, and in heads of methods: see test/templates.test.ts. Expected values are those of clang's program. */
import type { Shape } from "./class-shapes.js";

export const partShapes: readonly Shape[] = [
  {
    name: "side effects on the way",
    before: `struct H { static constexpr constant int k = 5; int v; }; H make(thread int& n) { n++; return H{n}; }`,
    body: `int n = 0; int q = make(n).k; y[i] = q + n * 100;`,
    y: [105, 105, 105, 105],
  },
  {
    name: "static members by way of what does something",
    before: `struct H { static constexpr constant int k = 5; enum { e = 7 }; static int f() { return 3; } int v; };`,
    body: `H h[3]; int n = 0; int q = h[n++].k + h[n++].e * 10 + h[n++].f() * 1000; thread H* p = h; q += p++->k * 10000; y[i] = q + n * 100 + int(p - h) * 100000;`,
    y: [153375, 153375, 153375, 153375],
  },
  {
    name: "static members and types hide data of bases",
    before: `struct B { int v; int w; }; struct D : B { static constexpr constant int v = 5; typedef int w; int f() { return v + sizeof(w); } };`,
    body: `D d; d.B::v = i; y[i] = d.f() + d.v * 10 + D::v * 100;`,
    y: [559, 559, 559, 559],
  },
  {
    name: "data hides static members of bases",
    before: `struct B { static constexpr constant int v = 7; enum { e = 3 }; }; struct D : B { int v; int e; int f() { return v + e * 10; } }; struct F : D { int g() { return v + F::e * 10 + D::v + B::v * 100; } };`,
    body: `F d; d.v = i; d.e = 2; y[i] = d.f() + d.v * 100 + d.e * 1000 + d.g() * 10000 + d.B::v * 100000000;`,
    y: [707202020, 707222121, 707242222, 707262323],
  },
  {
    name: "what const methods return is asked of const objects",
    before: `struct S { int v; int g() { return 1; } float g() const { return 1.5f; } auto f() const -> decltype(g()) { return g(); } auto h() -> decltype(g()) { return g(); } auto r() const -> decltype(this->v + 0.5f) { return v + 0.5f; } };`,
    body: `S s{i}; y[i] = int(s.f() * 2) + int(s.h() * 2) * 10 + int(s.r() * 2) * 100;`,
    y: [123, 323, 523, 723],
  },
  {
    name: "sizes of members in static functions",
    before: `struct S { short v[5]; static int z() { return sizeof(v) + sizeof(S::v[0]) * 100; } };`,
    body: `y[i] = S::z() + i;`,
    y: [210, 211, 212, 213],
  },
  {
    name: "types and constants of a base by the struct's own name",
    before: `template <typename T> struct B { typedef T type; static constexpr constant int n = 3; }; template <typename T> struct E : B<T> { typename E::type v; int a[E::n]; typename E::type f() { return v + E::n; } };`,
    body: `E<int> e; e.v = i; y[i] = e.f() + sizeof(e.a) * 100;`,
    y: [1203, 1204, 1205, 1206],
  },
];
