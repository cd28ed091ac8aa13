/** Kernels of MSL about names that are declared behind what names them: see test/templates.test.ts. Expected values are those of clang's program. */
import type { Shape } from "./class-shapes.js";

export const lateShapes: readonly Shape[] = [
  {
    name: "sizeof of what hides a struct of its name",
    before: "struct S { int a[5]; }; template <typename T> int size(T S) { return int(sizeof(S)); }",
    body: "float S = 2.5f; short h = 1; y[i] = int(sizeof(S)) + size(h) * 10 + int(sizeof(struct S)) * 100 + int(S) * 10000;",
    y: [22024, 22024, 22024, 22024],
  },
  {
    name: "names that are declared behind what names them",
    before: `constant int kk = 1; struct T { int v = 1; }; enum { q1 = 5 }; int h(int v) { return 1; } namespace n { struct S { int f() { T t; return kk + t.v * 10 + q1 * 100 + h(1) * 1000; } int g(); }; } int n::S::g() { T t; return kk + t.v * 10 + q1 * 100 + h(1) * 1000; }
      namespace n { constant int kk = 2; struct T { int v = 2; }; enum { q1 = 6 }; int h(int v) { return 2; } struct R { int f() { T t; return kk + t.v * 10 + q1 * 100 + h(1) * 1000; } }; }`,
    body: "n::S s; n::R r; y[i] = s.f() + s.g() * 10000 + r.f() % 7 * 100000000;",
    y: [415111511, 415111511, 415111511, 415111511],
  },
  {
    name: "names that are declared behind a template",
    before: `constant int kk = 1; struct T { int v = 1; }; int h(int v) { return 1; } namespace n { template <typename U> int f(U x) { T t; return kk + t.v * 10 + h(1) * 100 + x * 1000; } struct A { int a; }; template <typename U> int g(U x) { return own(x) + h(x.a) * 10; } constant int kk = 2; struct T { int v = 2; }; int h(int v) { return 2; } int own(A a) { return a.a + 5; } }
      constant int w = 3; namespace m { int f(); } namespace m { int f() { return w; } constant int w = 4; }`,
    body: "y[i] = n::f(i) + n::g(n::A{i}) * 10000 + (m::f() * 10 + m::w) * 1000000;",
    y: [34150111, 34161111, 34172111, 34183111],
  },
  {
    name: "several static members in one declaration",
    before:
      "template <int A, int B> struct Shape { static constexpr constant int rows = A, cols = B; static constexpr constant int n = rows * cols; template <int C> using mul = Shape<A, C>; }; template <typename S, typename T = typename S::template mul<2>> int area() { return S::n * 100 + T::n; }",
    body: "y[i] = area<Shape<3, 4>>() + Shape<2, 2>::mul<5>::cols * 10000;",
    y: [51206, 51206, 51206, 51206],
  },
  {
    name: "structs that another one announces",
    before: `struct A { struct In; int q; int two(); }; struct A::In { int v; int f() { return v * 2; } struct Deep; }; struct A::In::Deep { int w; int g() { return w + 1; } };
      namespace n { struct B { class C; int z; }; struct B::C { int v; A a; }; } struct U { union W; }; union U::W { int i; float f; };`,
    body: "A::In m{i}; A::In::Deep d; d.w = 3; n::B::C c; c.v = 5; c.a.q = 7; U::W w; w.f = 1.0f; y[i] = m.f() + d.g() * 10 + d.w * 100 + c.v * 1000 + c.a.q * 10000 + (w.i >> 24) * 100000;",
    y: [6375340, 6375342, 6375344, 6375346],
  },
  {
    name: "structs that another one announces, and has pointers to",
    before: "struct L { struct Node; thread Node* head; int n; }; struct L::Node { int v; thread Node* next; };",
    body: "L::Node a{i, nullptr}, b{5, &a}; L l{&b, 2}; y[i] = l.head->v + l.head->next->v * 10 + l.n * 100;",
    y: [205, 215, 225, 235],
  },
  {
    name: "variables and functions that hide the struct of their name",
    before: `struct S { int v; }; constant S S = {3}; struct late_tag { int z; }; int twice(int v) { return v * 2; } struct twice { int a; }; enum K { k0, k1 }; constant int K = 6;
      namespace n { struct T { int v; }; constant T T = {4}; int f(struct T t) { return t.v + T.v; } }`,
    body: "struct S s{S.v}; struct twice tw{i}; enum K k = k1; { struct late_tag late_tag{5}; s.v += late_tag.z; } { struct S { int w; }; struct S q{1}; s.v += q.w; } y[i] = s.v + twice(tw.a) * 10 + k * 1000 + K * 10000 + n::f({2}) * 100000;",
    y: [661009, 661029, 661049, 661069],
  },
];
