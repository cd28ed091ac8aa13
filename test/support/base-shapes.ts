/** Kernels of MSL about what structs have of their bases: see test/templates.test.ts. Expected values are those of clang's program. */
import type { Shape } from "./class-shapes.js";

export const baseShapes: readonly Shape[] = [
  {
    name: "members of bases that are named as what holds the bases might be",
    before: `struct B { int base; int v; B(int n) : base(n), v(1) {} int get() const { return base; } };
      struct C { int base1; int base; };
      struct D : B, C { int k; D(int n) : B(n), k(base1 = 4) { C::base = 6; } int sum() { return B::base * 10 + C::base + base1 * 100; } };
      struct E : B { int w; E(int n) : B(n), w(base * 2) {} };`,
    body: "D d(i); d.B::base += 2; d.base1 += 1; D e = d; E f(i + 1); f.base += 3; y[i] = e.sum() + e.get() * 1000 + e.k * 10000 + (f.base + f.w) * 100000;",
    y: [0, 1, 2, 3].map((i) => (i + 2) * 10 + 6 + 500 + (i + 2) * 1000 + 40000 + (i + 4 + 2 * (i + 1)) * 100000),
  },
  {
    name: "parts of what is inherited, one of them named as what holds the base",
    before: `struct Pair { int base; int v; int sum() const { return base + v; } }; struct Named : Pair { int twice() const { return 2 * base; } };
      struct Last : Named { };`,
    body: "Last d; d.base = i + 1; d.v = 4; auto [p, q] = d; auto &[r, u] = d; r += 10; u *= 2; y[i] = p + q * 100 + d.sum() * 1000 + d.twice() * 100000;",
    y: [0, 1, 2, 3].map((i) => i + 1 + 400 + (i + 11 + 8) * 1000 + (i + 11) * 200000),
  },
  {
    name: "operators that several bases have, brought by using",
    before: `template <typename A, typename B> struct both : A, B { using A::operator(); using B::operator(); };
      template <typename... F> struct every : F... { using F::operator()...; };
      struct fi { int operator()(int v) const { return v + 1; } }; struct ff { int operator()(float v) const { return int(v * 4); } }; struct fu { int operator()(uint v) const { return 7; } };`,
    body: "both<fi, ff> f; every<fi, ff, fu> g; y[i] = f(i) * 100 + f(1.5f) + g(i) * 100000 + g(2.5f) * 1000 + g(3u) * 10000;",
    y: [180106, 280206, 380306, 480406],
  },
  {
    name: "functions of bases without data that are brought by using",
    before:
      "struct A { int f(int) { return 1; } }; struct E { int f(float) { return 5; } int s(int) { return 6; } }; struct F : A, E { using E::f; using E::s; int h() { return f(1.0f) + s(1); } }; struct G : A { using A::f; int f(float) { return 2; } };",
    body: "F f; G g; y[i] = f.h() + f.f(1) * 100 + g.f(1) * 1000 + g.f(1.0f) * 10000 + i * 100000;",
    y: [21511, 121511, 221511, 321511],
  },
  {
    name: "what is done on the way to an object of which a call needs nothing",
    before:
      "struct E { int f(int a) { return a + 1; } int g(int a) const { return a * 2; } }; struct D : E { int n; static int own(int a) { return a - 1; } }; struct U : E { int n; using E::f; }; D make(thread int& k) { D d; d.n = k++; return d; } int h(thread const E& e) { return e.g(2); }",
    body: "D e[4]; U u[2]; u[0].n = u[1].n = 0; for (int q = 0; q < 4; q++) e[q].n = q; int j = 0; int r = e[j++].f(i) + e[j++].own(5) * 10; r += make(j).g(3) * 100 + make(j).own(3) * 1000 + h(e[j - 1]) * 10000; j = 0; r += u[j++].f(2); thread D* p = e; r += (p++)->own(1); y[i] = r + j * 100000 + p->n * 1000000 + e[1].n;",
    y: [1142645, 1142646, 1142647, 1142648],
  },
  {
    name: "functions of several bases by name, in one declaration, in methods and statics",
    before: `struct A { int f(int x) const { return 1; } int h() const { return 3; } static int s(int) { return 5; } }; struct B { int f(float x) const { return 2; } int h() const { return 4; } static int s(float) { return 6; } };
      struct C : A, B { using A::f, B::f; using B::h; using A::s; using B::s; int g(float v) { return f(v) * 10 + f(2); } };`,
    body: "C c; y[i] = c.f(1.0f) + c.f(1) * 10 + c.g(2.0f) * 100 + c.h() * 100000 + C::s(i) * 1000000 + c.s(1.0f) * 10000000;",
    y: [65402112, 65402112, 65402112, 65402112],
  },
  {
    name: "bases that are a pack, made by a constructor",
    before: `template <typename... F> struct every : F... { using F::operator()...; int n; every(F... f) : F(f)..., n(sizeof...(F)) {} };
      template <typename... F> struct data : F... { int n; data(F... f) : F{f}..., n(sizeof...(F)) {} }; struct P { int a; }; struct Q { int b; };
      struct fi { int operator()(int v) const { return v + 1; } }; struct ff { int m; ff(int x) : m(x) {} int operator()(float v) const { return int(v * 4) + m; } };
      template <typename... F> every<F...> make(F... f) { return every<F...>(f...); }`,
    body: "auto f = make(fi{}, ff(5)); data<P, Q> w(P{i}, Q{3}); thread Q& q = w; q.b++; y[i] = f(i) * 100 + f(1.5f) + f.n * 1000 + w.a * 10000 + w.b * 100000 + w.n * 1000000;",
    y: [2402111, 2412211, 2422311, 2432411],
  },
  {
    name: "bases one by one, of the rest of a pack",
    before: `template <typename... F> struct ov; template <typename A> struct ov<A> : A { using A::operator(); ov(A a) : A(a) {} };
      template <typename A, typename... R> struct ov<A, R...> : A, ov<R...> { using A::operator(); using ov<R...>::operator(); ov(A a, R... r) : A(a), ov<R...>(r...) {} };
      struct fi { int n; int operator()(int v) const { return v + n; } }; struct ff { int m; int operator()(float v) const { return int(v * 4) + m; } }; struct fu { int q; int operator()(uint v) const { return q; } };`,
    body: "ov<fi, ff, fu> f(fi{1}, ff{5}, fu{7}); y[i] = f(i) * 100 + f(1.5f) + f(3u) * 1000;",
    y: [7111, 7211, 7311, 7411],
  },
  {
    name: "constructors that are inherited",
    before: `struct A { int a, b; A(int x) : a(x), b(1) {} A(int x, int z) : a(x), b(z) {} };
      struct B : A { using A::A; int c = 7; }; struct H : A { using A::A; H(int x) : A(x, 8) {} };`,
    body: "B b(i); B c{i, 3}; B d = 4; H h(i); H k(i, 9); y[i] = b.a + b.b * 10 + b.c * 100 + c.a * 1000 + c.b * 10000 + c.c * 100000 + d.a * 1000000 + h.b * 10000000 + k.b * 100000000;",
    y: [984730710, 984731711, 984732712, 984733713],
  },
  {
    name: "inherited from several and through several",
    before: `struct A { int a; int b = 3; A(int x) : a(x) {} A(int x, float z) : a(x + int(z)) {} template <typename T> A(T q, int r, int w) : a(int(q) + r * w) {} };
      struct B { int n; B(int x, int m = 7) : n(x * m) {} explicit B(float f) : n(int(f)) {} B(thread int& r, bool up) : n(r) { if (up) r++; } };
      struct C : A, B { using A::A; using B::B; C(int x, int y) : A(x), B(y), k(1) {} int k = 6; };
      struct D : B { using B::B; int e[2] = {4, 5}; }; struct E : D { using D::D; int z = 8; }; struct F : A { using A::A; };`,
    body: `D d(i); D f(2.5f); E e(i, 3); int c = i; E g(c, true); C w(i, 4); F u(2.5f, i, 3);
      y[i] = d.n + f.n * 100 + e.n * 1000 + e.e[1] * 10000 + e.z * 100000 + g.n * 1000000 + c * 10000000 + w.a + w.n * 2 + w.k * 3 + u.a * 5 + u.b * 7;`,
    y: [10850290, 21853313, 32856336, 43859359],
  },
  {
    name: "constructors that are inherited from an instance",
    before: `template <typename T> struct base { T v; base(T x) : v(x) {} template <typename U> base(U a, U b) : v(T(a + b)) {} };
      template <typename T, int N> struct times : base<T> { using base<T>::base; int n = N; T get() const { return this->v * n; } }; template <typename T> struct named : base<T> { using Base = base<T>; using Base::Base; };`,
    body: "times<int, 3> a(i); times<float, 2> b(1.5f, 2.0f); times<int, 4> c{i, 2}; named<int> d(i); y[i] = a.get() + int(b.get()) * 100 + c.get() * 1000 + d.v * 100000;",
    y: [8700, 112703, 216706, 320709],
  },
  {
    name: "an inherited constructor copies nothing on its way",
    before:
      "struct Q { int v; int n; Q(int x) : v(x), n(0) {} Q(thread const Q& o) : v(o.v), n(o.n + 1) {} }; struct A { Q q; int z; A(Q a) : q(a), z(a.n) {} }; struct B : A { using A::A; };",
    body: "Q q(i); B b(q); y[i] = b.q.n * 10 + b.z + b.q.v * 100;",
    y: [21, 121, 221, 321],
  },
  {
    name: "parameters of the templates of bases",
    before: `template <typename T, int N> struct B { T v; int n() { return N; } T both() { return T(3.5f); } }; template <typename T, int N> struct D : B<float, 3> { T w; int f() { T x = T(2.7f); return N * 10 + int(sizeof(T)) + int(x * 100); } };
      namespace q { namespace n { struct B { int v; }; constant int kk = 5; int hh() { return 6; } } constant int kk = 1; int hh() { return 2; } struct D : n::B { int f() { return kk * 10 + hh(); } }; }`,
    body: "D<char, 7> d; q::D e; y[i] = d.f() + d.n() * 1000 + int(d.both() * 2.0f) * 10000 + e.f() * 100000;",
    y: [1273271, 1273271, 1273271, 1273271],
  },
  {
    name: "names of bases that depend on parameters",
    before: `namespace q { constant int n = 1; template <typename T> struct B { int n; int h() { return 5; } }; int h() { return 7; } template <typename T> struct D : B<T> { int f() { return n * 10 + h() + this->n * 100 + this->h() * 1000 + B<T>::n * 10000; } }; template <typename T> struct W : B<T> { using B<T>::n; using B<T>::h; int f() { return n * 10 + h(); } }; struct P : B<int> { int f() { return n * 10 + h(); } }; }
      struct B { using T = float; static constexpr constant int N = 5; }; template <typename T, int N> struct D : B { int f() { T x = T(2.5f); return int(x * 10) + N * 100; } };`,
    body: "q::D<int> d; d.n = 4; q::W<int> w; w.n = 3; q::P p; p.n = i; D<int, 3> e; y[i] = d.f() + e.f() * 100000 + w.f() + p.f();",
    y: [52545457, 52545467, 52545477, 52545487],
  },
  {
    name: "using declarations of types, of data, and several at once",
    before: `template <typename T> struct A { using type = T; enum { two = 2 }; T v; }; template <typename T> struct B : A<T> { using typename A<T>::type; using A<T>::v; type get() { return v * A<T>::two; } };
      namespace n { int f(int x) { return x + 1; } struct S { int v; }; int g() { return 5; } } using n::f, n::S;`,
    body: "B<int> b; b.v = i; using n::g; S q{f(i)}; y[i] = b.get() + q.v * 10 + g() * 100;",
    y: [510, 522, 534, 546],
  },
  {
    name: "packs among what a variable is made of",
    before:
      "struct S { int a, b; S(int x, int y) : a(x), b(y) {} }; template <typename... A> int f(A... a) { S s(a...); S t{a...}; return s.a * 10 + t.b; }",
    body: "y[i] = f(i, 4);",
    y: [4, 14, 24, 34],
  },
  {
    name: "members by way of operator->",
    before: `struct P { int a; int f() { return a * 2; } int g(int k) const { return a + k; } }; struct H { thread P* p; int a; int f() { return 1; } thread P* operator->() const { return p; } thread P& operator*() const { return *p; } };
      template <typename T> struct ptr { device T* p; device T* operator->() const { return p; } }; struct Q { int u, w; };`,
    body: "P p{i}; H h{&p, 7}; h->a += 3; (*h).a *= 2; ptr<Q> q{(device Q*)x}; y[i] = h->f() + p.a * 100 + h.f() * 10000 + h->g(1) * 100000 + h.a + q->w * 1000000;",
    y: [11710619, 11910823, 12111027, 12311231],
  },
  {
    name: "members of bases that are instances, by their names",
    before:
      "template <typename T> struct Base { T v; int f() { return int(v) + 3; } template <typename U> U as() const { return U(v); } }; struct D : Base<int>, Base<float> { };",
    body: "D d; d.Base<int>::v = i; d.Base<float>::v = 2.5f; thread D* p = &d; y[i] = d.Base<int>::v + int(d.Base<float>::v * 2) * 10 + p->Base<float>::f() * 100 + d.Base<int>::f() * 1000 + (d.Base<int>::v < 2 ? 7 : 8) * 10000;",
    y: [73550, 74551, 85552, 86553],
  },
  {
    name: "functions that cast a reference to a base to what the base is made for",
    before: `template <typename D> struct Base { int n; int g() const thread { return n * 2; } }; template <typename D> struct Empty {};
      template <typename D> int run(thread Base<D>& b) { b.n += 1; return static_cast<thread D&>(b).f() + b.g(); }
      template <typename D> int read(const thread Base<D>& b) { return static_cast<const thread D&>(b).f() * 10 + b.n; }
      template <typename D> int empty(const thread Empty<D>& b) { const thread D& d = static_cast<const thread D&>(b); return d.v + d.f(); }
      template <typename D> int both(const thread Empty<D>& b, thread Base<D>& c) { int x = empty(b); return x + run(c); }
      template <typename D> int within(thread Base<D>& b) { auto h = [&](int k) { b.n += k; return static_cast<thread D&>(b).f(); }; int x = h(3); return x + b.n; }
      struct A : Base<A> { int v; int f() const thread { return v + n * 100; } };
      struct B : Base<B>, Empty<B> { int v; int f() const thread { return v + n * 1000; } int m() thread { return run(*this); } };
      struct C : B { int w; }; struct E : Empty<E> { int v; int f() const thread { return v * 3; } };
      template <typename D> struct Mid : Base<D> { int q; int viaThis() thread { return run(*this); } };
      struct F : Mid<F> { int v; int f() const thread { return v + q + n; } };`,
    body: `A a; a.n = i; a.v = 5; B b; b.n = 2; b.v = 7; C c; c.n = 3; c.v = 8; E e; e.v = 4; F f; f.n = 1; f.q = 2; f.v = 3; Base<A> plain; plain.n = 3;
      int s = run(a); s += read(a) * 3; s += empty(e) * 5; s += both(b, b) * 7; s += run(c) * 11; s += b.m() * 13; s += f.viaThis() * 17; s += within(a) * 19;
      y[i] = s + a.n + b.n * 2 + c.n * 3 + f.n * 4 + plain.g() + read(f);`,
    y: [0, 1, 2, 3].map(
      (i) =>
        5 +
        102 * (i + 1) +
        (50 + 1001 * (i + 1)) * 3 +
        16 * 5 +
        5027 * 7 +
        4016 * 11 +
        4015 * 13 +
        11 * 17 +
        (5 + 101 * (i + 4)) * 19 +
        (i + 4) +
        4 * 2 +
        4 * 3 +
        2 * 4 +
        6 +
        72,
    ),
  },
];
