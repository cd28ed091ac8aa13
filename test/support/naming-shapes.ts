/** Kernels of MSL about which template, function or type a name means, and about lists in brackets: see test/templates.test.ts. */
import type { Shape } from "./class-shapes.js";

const four = (of: (i: number) => number): number[] => [0, 1, 2, 3].map(of);

export const namingShapes: readonly Shape[] = [
  {
    // C++14 14.8.2.5 (5), (8): the name of a namespace in front hides nothing of what follows from the type.
    name: "templates of namespaces in what is deduced and specialised, and others of their name",
    before: `namespace a { namespace lay { struct row {}; struct col {}; } template <typename T, int R, typename L = lay::row> struct V { T d[R]; }; template <typename T> using W = V<T, 2, lay::col>; }
      namespace b { template <typename T, int R, typename L = a::lay::row> struct V { T d[R]; }; }
      template <typename T> struct has { static constant constexpr int n = 1; }; template <typename T, int R> struct has<a::V<T, R, a::lay::row>> { static constant constexpr int n = 2; };
      template <typename T, int R> struct has<a::V<T, R, a::lay::col>> { static constant constexpr int n = 3; }; template <typename T> struct has<b::V<T, 2>> { static constant constexpr int n = 4; };
      template <typename T, int R, typename L> int f(thread const a::V<T, R, L>& v) { return R + int(v.d[0]); } template <typename T, int R> int f(thread const b::V<T, R>& v) { return R * 10 + int(v.d[1]); }
      template <typename T> int g(a::W<T> w) { return int(w.d[0] * T(2)); } struct D : a::V<float, 3> {}; template <typename T, int R> int h(thread const a::V<T, R>& v) { return R + int(v.d[2]); }`,
    body: `a::V<int, 3> p = {{i, 0, 0}}; a::W<float> q = {{2.5f, 0.0f}}; b::V<int, 2> r = {{1, 7}}; D s; s.d[2] = 5.0f;
      y[i] = has<a::V<int, 3>>::n + has<a::W<float>>::n * 10 + has<b::V<int, 2>>::n * 100 + has<b::V<int, 3>>::n * 1000 + has<int>::n * 10000 + (f(p) + f(q)) * 100000 + f(r) * 10000000 + g(q) + h(s);`,
    y: four((i) => 2 + 30 + 400 + 1000 + 10000 + (3 + i + 4) * 100000 + 270000000 + 5 + 8),
  },
  {
    // C++14 13.5.5, 13.3.3.1.5, 8.5.4.
    name: "lists in brackets and in calls whose templates are given arguments",
    before: `struct P { int a, b; }; struct T { int d[32]; thread int& operator[](thread const P& p) { return d[p.a * 8 + p.b]; } thread int& operator[](int n) { return d[n]; } int operator[](P p) const { return d[p.a * 8 + p.b] + 1; } };
      template <typename U> U sum(thread const U& a, U b); template <> P sum<P>(thread const P& a, P b) { return P{a.a + b.a, a.b + b.b}; } struct F { template <typename U, int N> static int of(U u, int k) { return u.a * N + k; } template <typename U> int in(U u) { return u.b; } }; template <typename U> struct G : U { };`,
    body: `T m; for (int k = 0; k < 32; k++) m[k] = k; m[{1, 2}] = 70 + i; m[{2, (int)(i & 7)}] += 100; G<T> g; g.d[9] = 4; F f; thread const T& c = m;
      y[i] = m[{1, 2}] + m[16 + i] * 1000 + sum<P>({1, i}, {2, 3}).b * 1000000 + F::of<P, 3>({i, 0}, 1) * 10000000 + f.in<P>({0, 2}) * 100000000 + g[{1, 1}] + c[{1, 2}];`,
    y: four((i) => 70 + i + (116 + i) * 1000 + (3 + i) * 1000000 + (3 * i + 1) * 10000000 + 200000000 + 4 + 71 + i),
  },
  {
    // C++14 14.7.3 (1), (5).
    name: "specialisations of templates that a struct has, behind it",
    before: `struct S { int k; template <typename T> static int f(T x) { return int(x) + 1; } template <typename T> int g(T x) const { return int(x) + k; } template <int N> int h() { return N; } template <typename T, typename U> static int p(T a, U b) { return 1; } };
      template <> int S::f<float>(float x) { return int(x * 10.0f); } template <> int S::g(int x) const { return x * k; } template <> int S::h<3>() { return 30 + k; } template <> int S::p<int>(int a, float b) { return a + int(b); }
      template <typename T> struct V { T k; template <typename U> T f(U u) { return k + T(u); } }; template <> template <> int V<int>::f<short>(short u) { return k * int(u); }
      namespace n { struct Q { template <typename T> static int of() { return 5; } }; template <> int Q::of<int>() { return 6; } } template <> int n::Q::of<float>() { return 7; }`,
    body: `S s; s.k = 4; V<int> v; v.k = 3; y[i] = S::f(i) + S::f(1.5f) * 10 + s.g(i) * 1000 + s.g(short(2)) * 10000 + (s.h<2>() + s.h<3>()) * 100000 + (S::p(1, 2.0f) + S::p(1, 2)) * 10000000 + v.f(2) + v.f(short(5)) + (n::Q::of<int>() + n::Q::of<float>() + n::Q::of<short>()) * 100000000;`,
    y: four((i) => i + 1 + 150 + 4 * i * 1000 + 60000 + 36 * 100000 + 4 * 10000000 + 5 + 15 + 18 * 100000000),
  },
  {
    // C++14 6.8, 3.4.1: what a name is where it stands says whether a declaration or a call is meant.
    name: "functions that are named like types of elsewhere",
    before: `namespace n { struct zero { int v; }; struct two { int v; template <typename T> static int zero(T x) { return int(x) + 8; } }; struct at { int v; }; struct more { int v; }; template <typename T> struct one { T v; static int two() { return 9; } }; }
      struct R { int d[2]; }; void zero(thread R& r) { r.d[0] = 3; } int two(int v) { return v * 2; } thread int& at(thread int& v) { return v; } template <typename T> void more(thread T& v) { v += 5; } struct O { int k; void one(int v) { k = v; } void set(int v) { one(v); } };`,
    body: `R a[2]; zero(a[1]); int z = 1; at(z) = 5; for (more(z); z < 12; at(z) += 1) {} two(z); int q = two(3) + two(z); if (q > 2) more(q); O o; o.set(i); n::one<int> w; w.v = 4;
      y[i] = a[1].d[0] + z * 10 + q * 1000 + o.k * 100000 + n::two::zero(2.0f) * 1000000 + n::one<int>::two() * 100000000 + w.v;`,
    y: four((i) => 3 + 120 + 35 * 1000 + i * 100000 + 10 * 1000000 + 900000000 + 4),
  },
  {
    // C++14 13.4 (2), 14.8.1.
    name: "instances of templates that are named and handed over",
    before: `template <int A, int B, bool = (A < B)> struct unroll { template <class F, typename... Args> static void run(F f, Args... args) { f(A, args...); unroll<A + 1, B>::run(f, args...); } };
      template <int A, int B> struct unroll<A, B, false> { template <class F, typename... Args> static void run(F, Args...) {} };
      template <typename T, int N> void step(int k, thread T* d, T s) { d[k] = s * T(k) + T(N); } template <typename T> int kind(T) { return 1; } template <typename T> int kind(thread T*) { return 2; }
      template <typename T> T twice(T x) { return x + x; } template <typename F> int app(F f, int x) { return int(f(x)); }`,
    body: `int a[4]; unroll<0, 4>::run(step<int, 7>, &a[0], i); auto g = twice<int>; y[i] = a[0] + a[3] * 10 + app(twice<float>, 3) * 1000 + app(&twice<int>, i) * 10000 + g(5) * 1000000;`,
    y: four((i) => 7 + (3 * i + 7) * 10 + 6000 + 2 * i * 10000 + 10000000),
  },
  {
    // C++14 14.7.1 (1): a type that is named alone is not made.
    name: "an instance that cannot be made, which a condition does not choose",
    before: `template <int N> struct fixed { static_assert(N > 0, "a length"); int v() const { return N; } }; struct open { int n; int v() const { return n * 10; } open(int k) : n(k) {} };
      template <int N> using length = conditional_t<N == -1, open, fixed<N>>; template <int N> using other = typename conditional<(N > 0), fixed<N>, open>::type;`,
    body: "length<-1> a(i); length<3> b; other<-1> c(2); other<4> d; y[i] = a.v() + b.v() * 100 + c.v() * 1000 + d.v() * 100000;",
    y: four((i) => 10 * i + 300 + 20000 + 400000),
  },
  {
    // C++14 14.8.2.5 (5), 14.8.2.1 (4), 14.5.5.2: clang's program gave these numbers.
    name: "templates of structs and of paths in what is deduced, and which of several is the more special",
    before: `template <typename T> struct O { template <typename U, int N> struct I { U u; }; }; struct Q { template <typename U> struct I { U u; }; }; namespace a { template <typename T, int N> struct V { T d[N]; }; }
      template <typename U, int N> int f(O<int>::I<U, N> x) { return N; } template <typename U> int f(Q::I<U> x) { return 5; } template <typename T> int f(T x) { return 9; } template <typename T, typename U, int N> int g(typename O<T>::template I<U, N> x) { return N; } struct Any { int k; template <typename T> Any(T) : k(1) {} }; template <typename T> int g(Any a) { return 7; }
      template <typename T> struct has { static constant constexpr int n = 1; }; template <typename U, int N> struct has<O<int>::I<U, N>> { static constant constexpr int n = 2 + N; }; template <typename T, int N> struct has<a::V<T, N>> { static constant constexpr int n = 2; }; template <typename T> struct has<a::V<T, 3>> { static constant constexpr int n = 3; };
      template <typename T, int N> int k(thread const a::V<T, N>& v) { return 1; } template <typename T> int k(thread const a::V<T, 2>& v) { return 2; } template <typename T> struct V { T t; }; template <typename T> struct C { T t; }; template <template <typename> class C, typename T> int h(C<T> v) { return 1; } template <template <typename> class C, typename T> int h(T v) { return 2; }`,
    body: `O<int>::I<float, 3> p; O<float>::I<float, 3> q; Q::I<int> r; a::V<int, 2> s; a::V<int, 4> u;
      y[i] = f(p) + f(q) * 10 + f(r) * 100 + (g<int>(p) + g<float>(p) * 10) * 1000 + (has<O<int>::I<float, 2>>::n + has<O<float>::I<float, 2>>::n + has<a::V<int, 2>>::n + has<a::V<int, 3>>::n) * 100000 + (k(s) * 10 + k(u)) * 1000000 + h<V>(V<int>{i}) * 100000000;`,
    y: four(() => 3 + 90 + 500 + 73000 + 10 * 100000 + 21000000 + 100000000),
  },
  {
    // C++14 13.3.3.1.4 (1), 13.3.3.2 (4), 14.8.2.1 (4): clang's program gave these numbers.
    name: "bases come before conversions that the source declares, and the nearer before the farther",
    before: `template <typename T, int N> struct V { T d[N]; }; template <typename T> using W = V<T, 2>; template <int A, int... N> struct S {}; template <int A, int... N> using X = S<A, 7, N...>; struct D : V<int, 2> { operator int() const { return 4; } }; struct Any { int k; template <typename T> Any(T) : k(1) {} };
      template <typename T> int f(thread const W<T>& w) { return 1; } int f(Any a) { return 2; } template <typename T> int g(V<T, 2> w) { return 1; } int g(float v) { return 2; } template <int A, int... N> int h(X<A, N...> w) { return A + int(sizeof...(N)); }
      struct A { int v; }; template <typename T> struct B : A {}; struct C : B<int> {}; int k(A a) { return 1; } template <typename T> int k(B<T> b) { return 2; } int m(thread const A& a) { return 1; } int m(thread const B<int>& b) { return 2; } int p(thread A* a) { return 1; } int p(thread B<int>* b) { return 2; } int q(A a) { return 1; } int q(Any a) { return 2; }`,
    body: "D d; C c; y[i] = f(d) + g(d) * 10 + h(S<4, 7, 5, 6>()) * 100 + k(c) * 1000 + m(c) * 10000 + p(&c) * 100000 + q(c) * 1000000;",
    y: four(() => 1 + 10 + 600 + 2000 + 20000 + 200000 + 1000000),
  },
  {
    name: "the more special of templates that name types by aliases, typedefs and paths",
    before: `namespace n { template <typename T, int N> struct V { T v[N]; }; template <typename T> using V2 = V<T, 2>; }
template <typename T> struct P { static int f() { return 1; } }; template <typename T, int N> struct P<n::V<T, N>> { static int f() { return 2; } }; template <typename T> struct P<n::V2<T>> { static int f() { return 3; } };
using namespace n; template <int N> struct P<V<float, N>> { static int f() { return 4; } };
template <typename T, int N> int g(V<T, N> v) { return 1; } template <typename T> int g(V2<T> v) { return 2; } template <typename T> int g(n::V<T, 3> v) { return 3; }
typedef int word; template <typename T, typename U> struct Q { static int f() { return 1; } }; template <typename T> struct Q<T, int> { static int f() { return 2; } }; template <typename T> struct Q<thread T*, word> { static int f() { return 3; } };`,
    body: `V<int, 2> a; V<int, 3> b; V<int, 4> c; y[i] = P<V<int, 3>>::f() + P<V<int, 2>>::f() * 10 + P<V<float, 3>>::f() * 100 + g(a) * 1000 + g(b) * 10000 + g(c) * 100000 + Q<float, int>::f() * 1000000 + Q<thread int*, int>::f() * 10000000;`,
    y: [32132432, 32132432, 32132432, 32132432],
  },
  {
    name: "the more special of templates with aliases of pointers, what says nothing of its parameters, and defaults",
    before: `template <typename T> struct id { using type = T; }; template <typename T> using id_t = typename id<T>::type; template <typename T> using ptr = thread T*;
template <typename T> int h(T v) { return 1; } template <typename T> int h(ptr<T> v) { return 2; } template <typename T, typename U> int kk(T a, U b) { return 1; } template <typename T> int kk(T a, T b) { return 2; } template <typename T> int kk(T a, id_t<T> b, int c = 0) { return 3; }
template <typename T> struct P { static int f() { return 1; } }; template <typename T> struct P<vec<T, 4>> { static int f() { return 2; } }; template <> struct P<float4> { static int f() { return 3; } }; template <typename T, int N> struct P<vec<T, N>> { static int f() { return 4; } };`,
    body: `int q = 1; y[i] = h(q) + h(&q) * 10 + kk(1, 2) * 100 + kk(1, 2.5f) * 1000 + P<int4>::f() * 10000 + P<float4>::f() * 100000 + P<int2>::f() * 1000000 + P<int>::f() * 10000000;`,
    y: [14321221, 14321221, 14321221, 14321221],
  },
  {
    name: "operators, types and sizes by way of what inherits",
    before: `template <typename D> struct Ops { D operator+(D o) const { D r = static_cast<thread const D&>(*this); r.add(o); return r; } friend D operator-(D a, D b) { a.sub(b); return a; } };
struct V : Ops<V> { int x, y; V(int a, int b) : x(a), y(b) {} void add(V o) { x += o.x; y += o.y; } void sub(V o) { x -= o.x; y -= o.y; } };
template <typename D, typename T> struct Tr { typedef T value_type; T sum() const { T s = 0; for (int k = 0; k < D::size; k++) s += static_cast<thread const D&>(*this)[k]; return s; } };
struct A3 : Tr<A3, int> { static constexpr constant int size = 3; int d[3]; int operator[](int k) const { return d[k]; } };`,
    body: `V a(i, 2), b(3, 4); V c = a + b; V e = c - V(1, 1); A3 q; q.d[0] = 1; q.d[1] = i; q.d[2] = 5; A3::value_type z = q.sum(); y[i] = c.x + c.y * 10 + e.x * 100 + e.y * 1000 + z * 10000;`,
    y: [65263, 75364, 85465, 95566],
  },
  {
    name: "bases of bases, and those that a template is given, which ask what inherits",
    before: `template <typename D> struct B1 { int one() const { return static_cast<thread const D&>(*this).impl(); } }; template <typename D> struct B2 : B1<D> { int two() const { return this->one() * 10 + static_cast<thread const D&>(*this).extra(); } }; struct A : B2<A> { int x; int impl() const { return x; } int extra() const { return 7; } };
template <typename T, template <typename> class M> struct Mix : M<Mix<T, M>> { T v; T get() const { return v; } }; template <typename D> struct Add { int plus(int n) const { return int(static_cast<thread const D*>(this)->get()) + n; } };`,
    body: `A a; a.x = i; Mix<float, Add> m; m.v = 2.5f; y[i] = a.two() + m.plus(4) * 1000;`,
    y: [6007, 6017, 6027, 6037],
  },
];
