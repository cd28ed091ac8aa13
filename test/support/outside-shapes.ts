/** Kernels about members that are defined behind their struct (C++14 9.3, 9.4.2, 14.5.1), and about injected names: see test/templates.test.ts. */
import type { Shape } from "./class-shapes.js";

const four = (of: (i: number) => number): number[] => [0, 1, 2, 3].map(of);

export const outsideShapes: readonly Shape[] = [
  {
    name: "functions of the file behind `::`, templates among them, where a namespace and a variable have their names",
    before: `template <int bits, int size> constexpr int pack() { return size / bits; }
      inline int plain(int a) { return a + 1; }
      namespace n {
        template <int bits, int size> constexpr int pack() { return 77; }
        inline int plain(int a) { return a - 1; }
        template <int bits> struct S { int v; int g() { int q = 3; return ::plain(v) + ::pack<bits, 8>() * 100 + q * 1000 + plain(0); } };
      }`,
    body: `n::S<2> s; s.v = i; ::n::S<4> u; u.v = 5; constexpr short w = ::pack<4, 8>();
      y[i] = s.g() + w * 100000 + ::n::plain(3) * 1000000 + u.g() * 10000;`,
    // s.g() = i + 1 + 400 + 3000 - 1; t.g() = 6 + 200 + 3000 - 1
    y: four((i) => i + 3400 + 200000 + 2000000 + 3205 * 10000),
  },
  {
    name: "of templates in a template and in a struct of it, by two heads and three",
    before: `template <typename T> struct A {
        template <typename U> struct B { T t; U u; B(T a, U b); T sum() const; template <int N> T times() const; static int two(); };
        struct C { template <int K> struct D { T v; T get() const; }; };
        B<float> m; T all() const; A(T a); };
      template <typename T> template <typename V> T A<T>::B<V>::sum() const { V c = u; return t + T(c); }
      template <typename T> template <typename U> A<T>::B<U>::B(T a, U b) : t(a), u(b) {}
      template <typename T> template <typename U> template <int N> T A<T>::B<U>::times() const { return t * N; }
      template <typename T> template <typename U> int A<T>::B<U>::two() { return int(sizeof(U)); }
      template <typename T> template <int K> T A<T>::C::D<K>::get() const { return v * K; }
      template <typename T> A<T>::A(T a) : m(a, 2.0f) {}
      template <typename T> T A<T>::all() const { return m.sum(); }`,
    body: `A<int>::B<short> b(i, 2); A<int> a(4); A<int>::C::D<3> d; d.v = 5;
      y[i] = b.sum() + a.all() * 10 + b.template times<7>() * 1000 + A<int>::B<short>::two() * 100000 + d.get() * 1000000;`,
    y: four((i) => i + 2 + 60 + i * 7000 + 200000 + 15000000),
  },
  {
    name: "return types behind the parameters, and a constructor that is defaulted behind its struct",
    before: `struct S { int a; int b = 4; S(); S(int v); int get() const; };
      S::S() = default;
      S::S(int v) : a(v) {}
      auto S::get() const -> int { return a * 10 + b; }
      auto f(int a, float b) -> decltype(a + b) { return a + b; }
      template <typename T, typename U> auto g(T a, U b) -> decltype(a * b) { return a * b; }
      template <typename T> auto at(thread T* p, int n) -> decltype(p[0] + 0) { return p[n]; }`,
    body: `S s(i); S d; d.a = 2; __typeof__(s.a) z = 3; short h[2] = {1, short(i)};
      y[i] = s.get() * 1000 + d.get() + int(f(1, 2.5f) * 10.0f) * 100000 + int(g(i, 0.5f) * 2.0f) + at(h, 1) + z;`,
    y: four((i) => (10 * i + 4) * 1000 + 24 + 3500000 + i + i + 3),
  },
  {
    name: "functions, operators, conversions and constructors of a nested struct, defined behind it",
    before: `struct A { struct B { float x_; B(float x); float get() const; static int twice(int v); B operator+(B o) const; operator int() const; }; int q; };
      A::B::B(float x) : x_(x) {}
      float A::B::get() const { return x_; }
      int A::B::twice(int v) { return v * 2; }
      A::B A::B::operator+(A::B o) const { return A::B(x_ + o.x_); }
      A::B::operator int() const { return int(x_) * 10; }`,
    body: "A::B b(2.5f); A::B c = b + b; y[i] = int(b.get() * 2.0f) + i + A::B::twice(i) * 100 + int(c) * 1000;",
    y: four((i) => 5 + i + 200 * i + 50000),
  },
  {
    name: "of structs and functions in namespaces",
    before: `namespace N { int f(int v); template <typename T> T g(T v); const constant int one = 1; struct S { int v; S(int v); int f() const; };
        namespace M { struct V { int w; int both(int k) const; }; } }
      N::S::S(int v) : v(v + one) {}
      int N::S::f() const { return v * 2; }
      int N::f(int v) { return v + one; }
      template <typename T> T N::g(T v) { return v * 2 + T(one); }
      namespace N { int M::V::both(int k) const { return w + k + one; } }`,
    body: "N::M::V q; q.w = i; N::S s(i); y[i] = N::f(i) + N::g(i) * 100 + q.both(5) * 10000 + s.f() * 100000;",
    y: four((i) => i + 1 + (2 * i + 1) * 100 + (i + 6) * 10000 + (i + 1) * 200000),
  },
  {
    // Their bodies see what the namespace has; `namespace v1` is inline.
    name: "specialisations of a namespace's templates, and its structs, from outside",
    before: `namespace N { template <int K> struct S { static int v() { return 1; } };
        template <typename T> struct Q { static int f() { return 2; } };
        namespace M { template <typename A, typename B> struct R { A a; static int g() { return 3; } }; }
        inline namespace v1 { template <typename T> struct V { static int h() { return 4; } }; }
        struct Plain; const constant int five = 5; typedef int word; }
      template <> struct N::S<3> { static int v() { return five; } };
      template <typename T> struct N::Q<thread T*> { word w; static int f() { return five + 1; } };
      template <typename A> struct N::M::R<A, float>;
      template <typename A> struct N::M::R<A, float> { A a; A b; static int g(); };
      template <typename A> int N::M::R<A, float>::g() { return five + 2; }
      template <> struct N::V<int> { static int h() { return 8; } };
      struct N::Plain { word a; int b; };
      namespace N { template <> struct M::R<short, short> { static int g() { return 9; } }; }
      template <> struct N::S<4> { static int v() { return 6; } };
      using namespace N;
      template <> struct S<5> { static int v() { return 7; } };`,
    body: `N::Plain p = {i, 1}; struct N::Q<thread int*> q; q.w = 2;
      y[i] = N::S<1>::v() + N::S<3>::v() * 10 + N::S<4>::v() * 100 + N::S<5>::v() * 1000 + N::Q<int>::f() * 10000
        + N::Q<thread float*>::f() * 100000 + N::M::R<int, int>::g() * 1000000 + (N::M::R<int, float>::g() + N::M::R<short, short>::g() * 2) * 10000000
        + N::V<float>::h() + N::V<int>::h() * 10 + p.a + p.b + q.w;`,
    y: four((i) => 1 + 50 + 600 + 7000 + 20000 + 600000 + 3000000 + 250000000 + 4 + 80 + i + 3),
  },
  {
    // clang's numbers: behind `struct n::has` the arguments are looked up where they are written, the base behind them in n.
    name: "arguments of specialisations behind a namespace that has other types of their names",
    before: `struct V { int a; }; using G = V; constexpr constant int N = 3; struct B { static int f() { return 7; } };
      namespace n { struct V { int a; int b; }; constexpr constant int N = 4; struct B { static int f() { return 8; } };
        template <typename T, int K> struct has { static int v() { return 1; } }; template <typename A, typename C> struct P { static int v() { return 1; } };
        template <typename T> struct Q { static int v() { return 1; } }; template <typename T> int sz() { return 1; } template <typename T, int K> int fn(T v) { return K; }
        namespace m { struct V { int a; int b; }; template <typename T> constexpr constant int size = sizeof(T); } }
      template <> struct n::has<V, N> { static int v() { V q; q.b = 3; return 2 + sizeof(q) + N * 10; } };
      template <typename T> struct n::P<T, V> { static int v() { V q; return 2 + sizeof(q); } };
      template <typename T> struct n::P<V, thread T*> { static int v() { V q; return 3 + sizeof(q); } };
      template <> struct n::Q<V> : B { static int v() { return f(); } };
      template <> constexpr constant int n::m::size<V> = 2 + sizeof(V);
      template <> int n::sz<V>() { return 2; } template <> int n::fn<V, 3>(G v) { return 5; }`,
    body: `n::V q; V r; y[i] = n::has<V, 3>::v() + n::has<n::V, 3>::v() + n::has<V, 4>::v() + n::P<int, V>::v() * 100 + n::P<int, n::V>::v() * 1000
        + n::P<V, thread int*>::v() * 10000 + n::Q<V>::v() * 1000000 + (n::m::size<V> + n::m::size<n::m::V>) * 10000000
        + (n::sz<V>() + n::sz<n::V>() * 2 + n::fn<V, 3>(r) * 3 + n::fn<n::V, 3>(q) * 4) * 7;`,
    y: four(() => 50 + 1 + 1 + 1000 + 1000 + 110000 + 8000000 + 180000000 + (2 + 2 + 15 + 12) * 7),
  },
  {
    name: "functions of specialisations for types of one name in two namespaces",
    before: `struct V { int a; }; using G = V;
namespace n { struct V { int a; int b; }; template <typename T, typename U> struct P { int f() { return 1; } }; template <typename T> struct P<T, V> { int f(); }; template <typename T> struct P<T, G> { int f(); }; }
template <typename T> int n::P<T, n::V>::f() { return 2; }
template <typename T> int n::P<T, V>::f() { return 3; }`,
    body: `n::P<int, V> a; n::P<int, n::V> b; y[i] = a.f() + b.f() * 10;`,
    y: [23, 23, 23, 23],
  },
  {
    // What all arguments are given for is no template: a function of its arguments' types is not found behind it, either.
    name: "specialisations mean what is declared before them, and not before their template alone",
    before: `struct A { int n; };
      int f(float x) { return 1; } int g(A a, float x) { return 3; } constexpr int h(float x) { return 4; }
      template <int K> struct S { int k = f(1); int v() { return f(1); } };
      template <typename T> struct P { int v() { return f(1); } };
      template <int K> constexpr constant int z = h(1);
      int f(int x) { return 2; } constexpr int h(int x) { return 5; }
      template <> struct S<2> { int k = f(1); int v() { return f(1); } int w(A a) { return g(a, 1); } };
      template <typename T> struct P<thread T*> { int v() { return f(1); } };
      template <> constexpr constant int z<2> = h(1);
      int g(A a, int x) { return 6; }`,
    body: `S<1> a; S<2> b; P<int> p; P<thread int*> q; A n = {i};
      y[i] = a.k + a.v() * 10 + b.k * 100 + b.v() * 1000 + p.v() * 10000 + q.v() * 100000 + b.w(n) * 1000000 + z<1> * 10000000 + z<2> * 100000000;`,
    y: four(() => 11 + 2200 + 10000 + 200000 + 3000000 + 40000000 + 500000000),
  },
  {
    name: "of a template, its specialisation and the structs in it, with other names of parameters",
    before: `template <typename T, int N> struct Arr { struct It { int at; T get(T by) const; It(int a); }; T v[N]; int size() const; static int twice(); };
      template <typename E, int M> int Arr<E, M>::size() const { return M; }
      template <typename T, int N> int Arr<T, N>::twice() { return 2 * N; }
      template <typename E, int M> E Arr<E, M>::It::get(E by) const { E made = E(at) * by; return made; }
      template <typename E, int M> Arr<E, M>::It::It(int a) : at(a + M) {}
      template <typename T> struct Box { T v; int get() const; };
      template <typename T> struct Box<vec<T, 2>> { T a; int get() const; };
      template <typename U> int Box<vec<U, 2>>::get() const { return int(a) + 100; }
      template <typename U> int Box<U>::get() const { return int(v); }`,
    body: `Arr<float, 3> a; Arr<float, 3>::It it(i); Box<int> b; b.v = i; Box<vec<int, 2>> c; c.a = i;
      y[i] = a.size() + Arr<int, 4>::twice() * 10 + int(it.get(2.5f)) * 1000 + b.get() * 100000 + c.get() * 1000000;`,
    // (i + 3) * 2.5
    y: four((i) => 83 + Math.trunc((i + 3) * 2.5) * 1000 + i * 100000 + (i + 100) * 1000000),
  },
  {
    name: "templates that are members, and a member for one instance",
    before: `template <typename T> struct Box { T v; template <typename U> U as() const; int kind() const { return 1; } };
      template <typename T> template <typename U> U Box<T>::as() const { return U(v); }
      template <> int Box<float>::kind() const { return 2; }
      struct P { int v; template <typename U> U as(U k) const; };
      template <typename V> V P::as(V k) const { return V(v) + k; }`,
    body: "Box<float> b; b.v = 2.5f; Box<int> c; P p; p.v = i; y[i] = b.as<int>() + int(p.as(1.5f) * 10.0f) * 10 + b.kind() * 1000 + c.kind() * 10000;",
    y: four((i) => 2 + (i * 10 + 15) * 10 + 12000),
  },
  {
    // 3.4.1 (8): names mean what is declared before the body, which for one in the struct is before the end of that.
    name: "functions that are declared between a struct and the body, called before it is known",
    before: `int f(float v) { return 1; }
      struct S { int v; int get(int k = 3) const; int get(float k) const; int in() const { return f(v); } int out() const; };
      int use(S s) { return s.get() + s.get(2.0f); }
      int late(int v) { return v; }
      int S::get(int k) const { return late(v) + k; }
      int S::get(float k) const { return v * int(k) * 10; }
      int f(int v) { return 2; }
      int S::out() const { return f(v); }`,
    body: "S s; s.v = i; y[i] = use(s) + s.get(100) * 100 + s.in() * 100000 + s.out() * 1000000;",
    y: four((i) => i + 3 + 20 * i + (i + 100) * 100 + 2100000),
  },
  {
    // 14.6.4.2 (1): what a type of the source brings is looked for where a template is instantiated, and nowhere else later.
    name: "functions of a struct that are declared behind it: templates mean them, its methods do not",
    before: `int f(int v) { return v; }
      struct S { int v; operator int() const { return v; } int g() const { return f(*this); } template <typename T> int h(T t) const { return f(t); } };
      template <typename T> struct B { T t; int g() const { return f(t); } };
      int f(S s) { return 5; }`,
    body: "S s; s.v = i; B<S> b; b.t = s; y[i] = s.g() + b.g() * 100 + s.h(s) * 1000;",
    y: four((i) => i + 500 + 5000),
  },
  {
    // Of arguments that depend on a parameter those behind are meant, too (C++14 14.6.4.2).
    name: "functions behind a template, of a struct that a parameter stands for",
    before: `struct A { int k; }; int f(A a, float x) { return 1; } template <typename T> int go(T t) { return f(t, 1); } template <typename T> int by(thread T *t) { return f(*t, 1); }
      template <int N> struct S { template <typename T> int u(T t) { return f(t, 1) + N; } };
      int f(A a, int x) { return 2; }`,
    body: "A a; a.k = i; S<2> s; y[i] = go(a) + by(&a) * 10 + s.u(a) * 100;",
    y: four(() => 2 + 20 + 400),
  },
  {
    name: "operators behind their struct",
    before: `struct C { float re, im; C operator*(C o) const; thread C& operator+=(C o); bool operator==(C o) const; float operator[](int k) const; float operator()(float s) const; C operator-() const; };
      C C::operator*(C o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
      thread C& C::operator+=(C o) { re += o.re; im += o.im; return *this; }
      bool C::operator==(C o) const { return re == o.re && im == o.im; }
      float C::operator[](int k) const { return k == 0 ? re : im; }
      float C::operator()(float s) const { return (re + im) * s; }
      C C::operator-() const { return {-re, -im}; }`,
    body: "C a = {1.0f, float(i)}; C b = a * a; b += a; C n = -b; y[i] = int(b[0]) + int(b[1]) * 100 + int(b == a) * 10000 + int(n(-2.0f)) * 100000;",
    // a * a is 1 - i * i and 2 * i
    y: four((i) => 2 - i * i + 300 * i + 2 * (2 - i * i + 3 * i) * 100000),
  },
  {
    name: "conversions of a template, and names of the struct behind it",
    before: `template <typename T> struct W { T v; operator T() const; explicit operator bool() const; };
      template <typename U> W<U>::operator U() const { return v + U(1); }
      template <typename U> W<U>::operator bool() const { return v > U(1); }
      struct A { enum Kind { lo = 3, hi = 7 }; typedef int Num; struct In { Num n; }; Kind kind(Num v) const; In in(Num v) const; };
      A::Kind A::kind(Num v) const { return v > 1 ? hi : lo; }
      A::In A::in(Num v) const { In r; r.n = v + hi; return r; }`,
    body: "W<int> w = {i}; int k = w; A a; y[i] = k + (w ? 100 : 0) + int(a.kind(i)) * 1000 + a.in(i).n * 100000;",
    y: four((i) => i + 1 + (i > 1 ? 7100 : 3000) + (i + 7) * 100000),
  },
  {
    name: "static members of templates",
    before: `template <typename T> struct L { static constant T one; static constant int size; };
      template <typename T> constant T L<T>::one = T(1);
      template <typename T> constant int L<T>::size = int(sizeof(T)) + 1;`,
    body: "y[i] = L<int>::one + L<half>::size * 10 + int(L<float>::one) * 100 + i * 1000;",
    y: four((i) => 131 + 1000 * i),
  },
  {
    name: "the name of a template within itself and its specialisations",
    before: `template <typename T> struct Box { T v; Box(T x); Box plus(T o) const { Box r = Box(v); r.v += o; return r; } Box thrice() const { return Box{v * 3}; } Box add(Box o) const; Box<T> mul(Box<T> o) const; };
      template <typename T> Box<T>::Box(T x) : v(x) {}
      template <typename T> Box<T> Box<T>::add(Box o) const { return Box(v + o.v); }
      template <typename T> Box<T> Box<T>::mul(Box<T> o) const { Box r{v}; r.v *= o.v; return r; }
      template <> struct Box<float> { float v; Box(float x) : v(x * 2.0f) {} Box more() const { Box r = Box(v); return r; } };
      template <typename T> struct Box<vec<T, 2>> { T v; Box(T x); Box same() const { return Box{v}; } };
      template <typename T> Box<vec<T, 2>>::Box(T x) : v(x + 1) {}`,
    body: `Box<int> b(i); Box<float> f(1.5f); Box<vec<int, 2>> c(i);
      y[i] = b.plus(2).v + b.thrice().v * 10 + b.add(Box<int>(3)).v * 1000 + b.mul(b).v * 10000 + int(f.more().v) * 1000000 + c.same().v * 10000000;`,
    y: four((i) => i + 2 + 30 * i + (i + 3) * 1000 + i * i * 10000 + 6000000 + (i + 2) * 10000000),
  },
  {
    name: "names for the instance in itself",
    before: `template <typename T> struct Box; template <> struct Box<char> { using type = Box; static constexpr constant int n = 7; char v; };
      template <typename T> struct Box { using type = Box; using other = Box<float>; typedef Box self; static constexpr constant int n = sizeof(T); static constexpr constant int m = Box<char>::n; T v; type plus(self o) const { type r; r.v = v + o.v; return r; } };
      template <typename T, T v> struct Fixed { static constexpr constant T value = v; using value_type = T; using type = Fixed; constexpr operator value_type() const thread { return value; } };
      template <int v> using Int = Fixed<int, v>;
      template <typename T, T a, typename U, U b> constexpr auto operator+(Fixed<T, a>, Fixed<U, b>) { constexpr auto sum = a + b; return Fixed<decltype(sum), sum>{}; }`,
    body: `Box<int>::type b; b.v = i; Box<int>::other f; f.v = 2.5f; auto r = Int<3>{} + Int<4>{};
      y[i] = b.plus(b).v + int(f.v * 2.0f) * 10 + Box<int>::m * 100 + Box<half>::n * 1000 + r.value * 10000 + int(Int<2>::type{}) * 100000;`,
    y: four((i) => 2 * i + 50 + 700 + 2000 + 70000 + 200000),
  },
  {
    name: "templates of what only the arguments say",
    before: `struct O { int n; template <typename T> static T f(int v) { return T(v) / 2; } template <int N> int get() const { return N + n; } template <typename T> struct Pair { typedef T type; T a; }; };
      template <typename Q> int use(int v) { Q q; q.n = v; thread Q* p = &q; typename Q::template Pair<int>::type t = 7; return int(Q::template f<float>(v) * 10.0f) + q.template get<3>() * 100 + p->template get<1>() * 10000 + t * 1000000; }`,
    body: "O o; o.n = 1; y[i] = use<O>(i) + int(O::template f<int>(i)) * 10000000 + o.template get<2>() * 100000000;",
    y: four((i) => 5 * i + (i + 3) * 100 + (i + 1) * 10000 + 7000000 + Math.trunc(i / 2) * 10000000 + 300000000),
  },
  {
    name: "a function template that is called and specialised before its body",
    before: `template <typename T> T f(T v);
      template <> int f<int>(int v) { return v + 70; }
      int g(int v) { return f(v) + int(f(1.5f)); }
      float h(float v) { return v + 1.0f; }
      template <typename U> U f(U v) { return h(v) + U(1); }`,
    body: "y[i] = g(i) + f(i) * 100;",
    y: four((i) => i + 73 + (i + 70) * 100),
  },
  {
    name: "specialisations behind what names instances that are of none of them, or of a more special one",
    before: `template <typename T> struct S { int a; static int v() { return 1; } }; template <> struct S<thread int*> { int b; static int v() { return 2; } };
      struct W { thread S<int>* p; S<thread int*> q; }; template <typename T> struct S<thread T*> { int a; static int v() { return 3; } }; template <> struct S<short> { static int v() { return 4; } };`,
    body: `y[i] = S<int>::v() + S<thread int*>::v() * 10 + S<thread float*>::v() * 100 + S<short>::v() * 1000;`,
    y: four(() => 4321),
  },
  {
    name: "specialisations behind what only names their instances",
    before: `template <typename T> struct S { int a; int b; int sum() const thread { return a - b; } };
      int g(thread S<int>& s); struct W { thread S<thread int*>* p; }; typedef S<float> F; int h(const thread F& f);
      template <typename T> struct Tr { static int v() { return 1; } typedef thread S<T>* R; };
      inline int early() { return Tr<short>::v(); } inline int named(Tr<long>::R p) { return p->a; }
      template <> struct S<int> { int b; int a; short c; int sum() const thread { return a * 10 + b; } };
      template <typename T> struct S<thread T*> { int b; int a; }; template <> struct S<float> { float q; }; template <> struct S<short> { char c; };
      int g(thread S<int>& s) { return s.sum() + int(sizeof(S<int>)) * 1000; } int h(const thread F& f) { return int(f.q); }`,
    body: `S<int> s = {1, 2, 3}; S<thread int*> u = {7, 8}; W w; w.p = &u; F f = {4.5f}; S<long> l = {5, 6};
      y[i] = g(s) + w.p->a * 100000 + h(f) * 1000000 + early() * 10000000 + int(sizeof(S<short>)) * 100000000 + named(&l) * 100;`,
    y: four(() => 21 + 12_000 + 800_000 + 4_000_000 + 10_000_000 + 100_000_000 + 500),
  },
  {
    name: "friends of what is specialised behind what only names it",
    before: `int tag(int v) { return 7; } template <typename T> struct S { int a; operator int() const { return a; } friend int tag(thread const S& s) { return 1; } };
      template <typename T> struct R { int a; friend int of(thread const R& r) { return 1; } };
      int g(thread S<int>& s); int h(thread R<int>& r); template <> struct S<int> { int b; operator int() const { return b; } };
      template <> struct R<int> { int b; friend int of(thread const R& r) { return 2 + r.b; } };
      int g(thread S<int>& s) { return tag(s); } int h(thread R<int>& r) { return of(r); }`,
    body: "S<int> s = {4}; S<float> f = {3}; R<int> r = {i}; R<float> q = {3}; y[i] = g(s) + tag(f) * 10 + h(r) * 100 + of(q) * 1000;",
    y: four((i) => 7 + 10 + (2 + i) * 100 + 1000),
  },
];

/** What stands before, the body of the kernel, what is said of it; clang refuses each, too. */
export const wrongOutside: readonly (readonly [string, string, RegExp])[] = [
  [
    "template <typename T> struct S { int a; }; int f(S<int> s) { return 1; } template <> struct S<int> { int b; };",
    "S<int> s = {1}; y[i] = f(s);",
    /^XL2002 'S<int>' is specialised after it was used/,
  ],
  [
    "template <typename T> struct S { int a; }; inline void f() { S<int> s; } template <> struct S<int> { int b; };",
    "S<int> s = {1}; f(); y[i] = s.b;",
    /^XL2002 'S<int>' is specialised after it was used/,
  ],
  [
    "template <typename T> struct S { int a; }; inline int f(thread S<int>* s) { return int(sizeof(s[0])); } template <> struct S<int> { short b; };",
    "S<int> s = {1}; y[i] = f(&s);",
    /^XL2002 'S<int>' is specialised after it was used/,
  ],
  [
    "template <typename T> struct S { int a; }; struct D : S<int> {}; template <> struct S<int> { short b; };",
    "D s; y[i] = s.b;",
    /^XL2002 'S<int>' is specialised after it was used/,
  ],
  [
    "template <typename T> struct S { int a; enum { n = 3 }; }; constant int m = S<int>::n; template <> struct S<int> { short b; };",
    "y[i] = m;",
    /^XL2002 'S<int>' is specialised after it was used/,
  ],
  [
    "template <typename T> struct S { int a; operator int() const { return a; } }; inline int f(const thread S<int>& s) { return s; } template <> struct S<int> { short b; };",
    "S<int> s = {1}; y[i] = f(s);",
    /^XL2002 'S<int>' is specialised after it was used/,
  ],
  [
    "template <typename T> struct S { int a; }; inline void f(thread S<int>& s, thread S<int>& r) { s = r; } template <> struct S<int> { short b; };",
    "S<int> s = {1}; f(s, s); y[i] = s.b;",
    /^XL2002 'S<int>' is specialised after it was used/,
  ],
  [
    "template <typename T> struct S { int a; int b; }; struct W { S<int> s; }; template <> struct S<int> { int b; int a; };",
    "W w = {{1, 2}}; y[i] = w.s.a;",
    /^XL2002 'S<int>' is specialised after it was used/,
  ],
  [
    "struct S { int a; S(); };\nS::S() = delete;",
    "S s; y[i] = s.a;",
    /^XL2011 a function is deleted where it is first/,
  ],
  ["struct S { int v; int f() const; }; int S::f() { return v; }", "S s; s.v = i; y[i] = s.f();", /^XL2012 .*'S::f'/],
  [
    "struct S { int v; int f(int a) const; }; int S::f(float a) const { return v; }",
    "S s; s.v = i; y[i] = s.f(1);",
    /^XL2012 .*'S::f'/,
  ],
  ["struct S { int v; int f(); }; float S::f() { return v; }", "S s; s.v = i; y[i] = s.f();", /^XL2012 .*'S::f'/],
  [
    "struct S { int v; int f(); }; int S::f() { return v; } int S::f() { return v + 1; }",
    "S s; s.v = i; y[i] = s.f();",
    /^XL2012 .*'S::f'/,
  ],
  ["struct S { int v; }; S::S(int a) : v(a) {}", "S s; s.v = i; y[i] = s.v;", /^XL2012 .*'S::S'/],
  ["namespace N { int g(int v) { return v; } } int N::f(int v) { return v; }", "y[i] = N::f(i);", /^XL2001 .*'f'/],
  [
    "template <typename T> struct B { T v; int k() const { return 1; } }; int u(B<float> b) { return b.k(); } template <> int B<float>::k() const { return 2; }",
    "B<float> b; y[i] = u(b);",
    /^XL2002 'k' is specialised after it was used/,
  ],
  [
    "template <typename T> int g(T v, typename Vec4Type<T>::type w) { return w.x; }",
    "y[i] = g(i, 1);",
    /^XL2001 'Vec4Type' is not declared/,
  ],
  ["int f(int v) { typename Lib::Vec<float>::type w; return v; }", "y[i] = f(i);", /^XL2001 'Lib' is not declared/],
];

/** Of HLSL, as DXC computes them. */
export const outsideHlsl: readonly Shape[] = [
  {
    name: "members behind structs, in namespaces, of templates and of one instance",
    before: `namespace N { int f(int v); struct S { int v; int get(); struct T { int w; int get(); }; }; }
      int N::f(int v) { return v + 5; }
      int N::S::get() { return v + 1; }
      int N::S::T::get() { return w + 2; }
      template <typename T> struct Box { T v; T get(); int kind() { return 1; } };
      template <typename T> T Box<T>::get() { return v; }
      template <> int Box<float>::kind() { return 2; }
      struct C { float re, im; C operator+(C o); };
      C C::operator+(C o) { C r; r.re = re + o.re; r.im = im + o.im; return r; }`,
    body: `N::S s; s.v = i; N::S::T w; w.w = i; Box<int> b; b.v = i; Box<float> q; C c; c.re = 1.5; c.im = i; C d = c + c;
      y[i] = s.get() + w.get() * 100 + b.get() * 1000 + b.kind() * 10000 + q.kind() * 100000 + (int)(d.re + d.im) * 1000000 + N::f(i) * 100000000;`,
    y: four((i) => i + 1 + (i + 2) * 100 + i * 1000 + 210000 + (3 + 2 * i) * 1000000 + (i + 5) * 100000000),
  },
  {
    name: "specialisations of a namespace's templates from outside",
    before: `namespace N { template <typename T> struct Q { T x; int f() { return 1; } };
        template <typename A, typename B> struct R { A a; int g() { return 2; } }; }
      template <> struct N::Q<uint> { uint x; int f() { return 3; } };
      template <typename A> struct N::R<A, float> { A a; A b; int g() { return 4; } };`,
    body: `N::Q<int> a; N::Q<uint> b; N::R<int, int> c; N::R<int, float> d; d.b = i;
      y[i] = a.f() + b.f() * 10 + c.g() * 100 + d.g() * 1000 + d.b;`,
    y: four((i) => 4231 + i),
  },
  {
    // Variables of each lane, which begin with zeros.
    name: "static members that are written",
    before: `struct S { static int count; static int zero; static const int ten; int v; int bump() { count += v; return count; } };
      int S::count = 3; int S::zero; static const int S::ten = 10;`,
    body: "S s; s.v = i; s.bump(); S::zero += 2; y[i] = s.bump() + S::count * 100 + S::zero * 10000 + S::ten * 100000;",
    y: four((i) => (3 + 2 * i) * 101 + 20000 + 1000000),
  },
  {
    name: "a function declared behind the struct is not meant in it",
    before: `int f(float v) { return 1; } struct S { int a; int in_() { return f(a); } int out_(); }; int f(int v) { return 2; } int S::out_() { return f(a); }`,
    body: "S s; s.a = i; y[i] = s.in_() + s.out_() * 10;",
    y: [21, 21, 21, 21],
  },
  {
    name: "interfaces, whose functions are those of the struct",
    before: `interface IShape { float area(); }; interface ISized { int size(); };
      struct Sq : IShape, ISized { float s; float area() { return s * s; } int size() { return 4; } };
      class Ci : IShape { float s; float area(); };
      float Ci::area() { return s * 2; }
      template <typename T> float all(T t) { return t.area(); }`,
    body: "Sq q; q.s = i; Ci c; c.s = i; y[i] = (int)(all(q) * 10 + all(c) + q.area() * 1000) + q.size() * 100000;",
    y: four((i) => i * i * 1010 + 2 * i + 400000),
  },
  {
    name: "parts of numbers and of scalars in parentheses",
    before: "",
    body: `float a = i; int b = 2; y[i] = (int)dot((4).xxxx, float4(1, 2, 3, 4)) + (int)1.0.xxx.y * 100 + (int)(2.5f.xx.x * 2) * 1000
      + (int)dot((a + 1).xxx, float3(1, 2, 3)) * 10000 + (b * 2).xx.y * 1000000 + (-b).xxxx.w * 10000000 + (int)a.r;`,
    y: four((i) => 40 + 100 + 5000 + (i + 1) * 60000 + 4000000 - 20000000 + i),
  },
];

/** What stands before, the body of the kernel, what is said of it; DXC refuses each, too. */
export const wrongInterfaces: readonly (readonly [string, string, RegExp])[] = [
  [
    "interface A { int f(); }; struct S : A { int v; int f() { return v; } };",
    "S s; s.v = i; A a = s; y[i] = a.f();",
    /^XL2013 'A' is an interface/,
  ],
  [
    "interface A { int f(); }; struct S : A { int v; int f() { return v; } }; int g(A a) { return a.f(); }",
    "S s; s.v = i; y[i] = g(s);",
    /^XL2013 'A' is an interface/,
  ],
  [
    "interface A { int f(); int g(); }; struct S : A { int v; int f() { return v; } };",
    "S s; s.v = i; y[i] = s.f();",
    /^XL1900 .*'g' of the interface 'A'/,
  ],
  [
    "interface A { int f(); }; interface B : A { int g(); }; struct S : B { int f() { return 1; } int g() { return 2; } };",
    "S s; y[i] = s.g();",
    /^XL2013 an interface has functions alone/,
  ],
];

/** C++, and refused by name: what stands before, the body of the kernel, what is said of it. */
export const refusedOutside: readonly (readonly [string, string, RegExp])[] = [
  [
    "template <typename T> struct S { int a; int b; }; int g(thread S<thread int*>& s) { return s.a; } template <typename T> struct S<thread T*> { int b; int a; };",
    "S<thread int*> s = {1, 2}; y[i] = g(s);",
    /^XL2002 'S<.*>' is specialised after it was used/,
  ],
  [
    `template <typename T> struct A { template <typename U> struct B { T t; T get() const; }; };
     template <typename E> template <typename U> E A<E>::B<U>::get() const { return t; }`,
    "A<int>::B<short> b; b.t = 1; y[i] = b.get();",
    /^XL1900 such a member that is defined outside its struct/,
  ],
  // clang takes the first, since no argument depends on N; of a type by way of a parameter it would be the second (C++14 14.6.4.2).
  [
    "struct A { int k; }; int f(A a, float x) { return 1; } template <int N> struct S { int v(A a) { return f(a, 1); } }; int f(A a, int x) { return 2; }",
    "A a; S<2> s; y[i] = s.v(a);",
    /^XL1900 a call in a template of one of the functions 'f', of which one that is declared behind the template fits better, is/,
  ],
  [
    "struct A { int y; }; struct In { using T = A; }; int f(A a, float x) { return 1; } template <typename U> int go(typename U::T t) { return f(t, 1); } int f(A a, int x) { return 2; }",
    "A a; y[i] = go<In>(a);",
    /^XL1900 a call in a template of one of the functions 'f'/,
  ],
  [
    "struct A { struct In; int q; }; constant int w = 2; struct A::In { int y[w]; };",
    "A::In v; v.y[0] = i; y[i] = v.y[0];",
    /^XL1900 a struct that another one announces is/,
  ],
  // C++14 12.8 (28): each is assigned as its struct says, of members, elements and bases.
  ...["struct A { B b; };", "struct A { int n; B b[2]; };", "struct A : B { int z; };"].map(
    (struct) =>
      [
        `struct B { int v; thread B& operator=(thread const B& o) { v = o.v + 1; return *this; } }; ${struct}`,
        "A a, c; c = a; y[i] = 1;",
        /^XL1900 assigning a struct with an object in it that has an operator= of its own is/,
      ] as const,
  ),
  ...[
    // Compilers may leave out the copy of a variable that is returned; of several it depends on which.
    [
      "A made(int v) { A a(v); A b(v + 1); if (v > 1) return a; return b; }",
      "y[i] = made(i).x;",
      /^XL1900 returning a variable whose constructor/,
    ],
    [
      "A made(int v) { { A a(v); if (v > 1) return a; } A a(v + 1); return a; }",
      "y[i] = made(i).x;",
      /^XL1900 returning a variable whose constructor/,
    ],
    ["", "A a(i); auto f = [=] { return a.x; }; y[i] = f();", /^XL1900 a lambda that copies 'a', whose constructor/],
    [
      "struct D : A { D() : A(1) {} };",
      "D d; A a(i); a = d; y[i] = a.x;",
      /^XL1900 assigning a part of an object whose/,
    ],
    ["int of(device A* p) { A a = p[0]; return a.x; }", "y[i] = of((device A*)x);", /^XL2005 no constructor of/],
  ].map(
    ([before, body, said]) =>
      [
        `struct A { int x; A(int v) : x(v) {} A(thread const A& o) : x(o.x + 1) {} }; ${before as string}`,
        body as string,
        said as RegExp,
      ] as const,
  ),
  [
    "",
    "y[i] = int((device const float&)x[0]);",
    /^XL1900 a cast to a reference to const of another type, in such memory/,
  ],
  [
    "typedef thread float& R;",
    "int n = i; y[i] = int((R)n);",
    /^XL1900 a cast to a reference that has a name of its own/,
  ],
  ...[
    "int n = (i > 1 ? a : b);",
    "int n = f(i > 1 ? a : b);",
    "int n = (i > 1 ? a : b).v;",
    "A c = A(i > 1 ? a : b); int n = c.v;",
  ].map(
    (body) =>
      [
        "struct B { int v; }; struct A : B { A(int x) { v = x; } A(thread const A& o) { v = o.v + 1; } operator int() const { return v; } }; int f(B b) { return b.v; }",
        `A a(i), b(2); ${body} y[i] = n;`,
        /^XL1900 copying an object by what an expression refers to is, here/,
      ] as const,
  ),
  // C++14 6.7 (3), 8.4.3, 12.8 (11), 5.8 (2), 5.20: clang refuses each, as C++14 and as C++17.
  ...[
    [
      "switch (i) { case 0: int z = 1; y[i] = z; break; case 1: y[i] = 2; }",
      "a switch jumps to this case past the initialiser of 'z'",
    ],
    ["if (i > 1) goto end; int z = 1; y[i] = z; end: y[i] = 3;", "goto end jumps past the initialiser of 'z'"],
    [
      "switch (i) { case 0: for (int j = 0; j < 2; j++) { case 1: y[i] = 1; } }",
      "a switch jumps to this case past the initialiser of 'j'",
    ],
    [
      "if (i > 1) goto end; constexpr int z = 1; y[i] = z; end: y[i] = 3;",
      "goto end jumps past the initialiser of 'z'",
    ],
    ["if (i > 1) goto end; A a; y[i] = a.x; end: y[i] = 3;", "goto end jumps past the initialiser of 'a'"],
    ["if (i > 1) goto end; H a[2]; y[i] = a[1].d.x; end: y[i] = 3;", "goto end jumps past the initialiser of 'a'"],
    [
      "switch (i) { case 0: D d; y[i] = d.x; break; default: y[i] = 3; }",
      "a switch jumps to this case past the initialiser of 'd'",
    ],
  ].map(
    ([body, said]) =>
      [
        "struct A { int x; A() : x(1) {} }; struct D { int x = 3; }; struct H { D d; };",
        body!,
        new RegExp(`^XL2011 ${said}`),
      ] as const,
  ),
  ...[
    "S b = a;",
    "y[i] = f(a);",
    "H h; H g = h;",
    "auto b = a;",
    "S b[1] = {a};",
    "auto l = [=] { return a.v; }; y[i] = l();",
    "y[i] = made().v;",
  ].map(
    (body) =>
      [
        "struct S { int v; S() = default; S(thread const S&) = delete; }; struct H { S s; }; int f(S s) { return s.v; } S made() { S s; s.v = 1; return s; }",
        `S a; a.v = i; ${body}`,
        /^XL2005 struct [SH] .*cannot be copied: its constructor for that is deleted/,
      ] as const,
  ),
  ...["2 << 31", "-1 << 3", "3 << 31", "0x40000000 << 2"].map(
    (value) => ["", `constexpr int c = ${value}; y[i] = c;`, /^XL2007 a signed integer overflows/] as const,
  ),
  [
    "",
    "int n = i; auto f = [n]() mutable { return ++n; }; y[i] = f();",
    /^XL1900 a lambda that is mutable and has values/,
  ],
  [
    "struct A { int x; A(int v) : x(v) {} A(thread const A& o) : x(o.x + 1) {} A(thread A&& o) : x(o.x) {} };",
    "A a(i); y[i] = a.x;",
    /^XL1900 a constructor that moves, beside one/,
  ],
  [
    "struct A { int x; A(int v) : x(v) {} A(thread A&& o) : x(o.x + 1) {} };",
    "A a(i); y[i] = a.x;",
    /^XL1900 a constructor that moves, and does more than move/,
  ],
];
