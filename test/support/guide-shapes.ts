/** Kernels of MSL about class templates without arguments, and lists of numbers: see test/templates.test.ts. Expected values are those of clang's program. */
import type { Shape } from "./class-shapes.js";

export const guideShapes: readonly Shape[] = [
  {
    name: "implicit guide",
    before: `template <typename T> struct W { T a, b; W(T x, T y) : a(x), b(y) {} };`,
    body: `W w(i, 2); W v{1.5f, 2.5f}; y[i] = w.a + w.b * 10 + int(v.b * 2) * 100;`,
    y: [520, 521, 522, 523],
  },
  {
    name: "user guide",
    before: `template <typename T> struct W { T a; W(int x) : a(x) {} }; W(int) -> W<float>;`,
    body: `W w(i); y[i] = int(w.a / 2 * 10);`,
    y: [0, 5, 10, 15],
  },
  {
    name: "aggregate deduction guide",
    before: `template <typename T> struct P { T a; T b; }; template <typename T> P(T, T) -> P<T>;`,
    body: `P p{i, 3}; y[i] = p.a + p.b * 10;`,
    y: [30, 31, 32, 33],
  },
  {
    name: "copy deduction",
    before: `template <typename T> struct P { T a; P(T x) : a(x) {} };`,
    body: `P p(i); P q(p); P r = q; y[i] = r.a + P(5).a * 10;`,
    y: [50, 51, 52, 53],
  },
  {
    name: "guide preferred",
    before: `template <typename T> struct W { T a; W(T x) : a(x) {} }; W(short) -> W<int>;`,
    body: `W w(short(3)); y[i] = sizeof(w.a) + sizeof(W(1.0f).a) * 10 + i * 100;`,
    y: [44, 144, 244, 344],
  },
  {
    name: "explicit guide",
    before: `template <typename T> struct W { T a; W(T x) : a(x) {} }; explicit W(short) -> W<int>;`,
    body: `W w(short(3)); y[i] = sizeof(w.a) + i;`,
    y: [4, 5, 6, 7],
  },
  {
    name: "index_sequence",
    before: `template <size_t... I> int sum(index_sequence<I...>) { return (int(I * I) + ... + 0); }`,
    body: `y[i] = sum(make_index_sequence<4>{}) + i;`,
    y: [14, 15, 16, 17],
  },
  {
    name: "integer_sequence",
    before: `template <typename T, T... I> int sum(integer_sequence<T, I...>, device int* x) { int s = 0; ((s = s * 10 + x[I] - 10), ...); return s; }`,
    body: `y[i] = sum(make_integer_sequence<int, 4>(), x) + i + int(integer_sequence<int, 3, 4>::size());`,
    y: [125, 126, 127, 128],
  },
  {
    name: "struct with sequence",
    before: `template <typename S> struct G; template <size_t... I> struct G<index_sequence<I...>> { static constexpr constant int n = sizeof...(I); int v[n]; G(int a) : v{int(a + I)...} {} };`,
    body: `G<make_index_sequence<3>> g(i); y[i] = g.v[0] + g.v[1] * 10 + g.v[2] * 100 + g.n * 1000;`,
    y: [3210, 3321, 3432, 3543],
  },
  {
    name: "index_sequence_for",
    before: `template <typename... A, size_t... I> int w(index_sequence<I...>, A... a) { return ((int(I) * a) + ...); } template <typename... A> int v(A... a) { return w(index_sequence_for<A...>{}, a...); }`,
    body: `y[i] = v(i, 2, 3);`,
    y: [8, 8, 8, 8],
  },
  {
    name: "lambda seq",
    before: `template <typename F, size_t... I> void unroll(F f, index_sequence<I...>) { (f(I), ...); }`,
    body: `int s = 0; unroll([&](int k) { s = s * 10 + k; }, make_index_sequence<4>()); y[i] = s + i;`,
    y: [123, 124, 125, 126],
  },
  {
    name: "integral_constant in seq",
    before: `template <typename F, int... I> void unroll(thread const F& f, integer_sequence<int, I...>) { (f(integral_constant<int, I>{}), ...); }`,
    body: `int s = 0; unroll([&](auto k) { constexpr int n = decltype(k)::value; int a[n + 1] = {}; s += sizeof(a); }, make_integer_sequence<int, 3>()); y[i] = s + i;`,
    y: [24, 25, 26, 27],
  },
  {
    name: "guides by references and arrays",
    before: `template <typename T, int N> struct A { T v[N]; A(thread const T (&a)[N]) { for (int k = 0; k < N; k++) v[k] = a[k]; } int n() const { return N; } }; template <typename T> struct P { device T* p; P(device T* q) : p(q) {} T get(int k) const { return p[k]; } };`,
    body: `int q[3] = {1, 2, i}; A a(q); P p(x); auto z = P(x + 1); y[i] = a.n() + a.v[2] * 10 + p.get(i) * 100 + z.get(0) * 10000;`,
    y: [111003, 111113, 111223, 111333],
  },
  {
    name: "guides and constructors compete",
    before: `template <typename T> struct W { int k; W(T) : k(1) {} W(T, int) : k(2) {} template <typename U> W(T, U, U) : k(3) {} static int s() { return sizeof(T); } }; template <typename T> W(T, int) -> W<short>; W(char) -> W<long>;`,
    body: `W a(1.0f); W b(i, 2); W c(2.0f, i, i); W d('a'); W e{i}; y[i] = a.k + a.s() * 10 + b.k * 100 + b.s() * 1000 + c.k * 10000 + c.s() * 100000 + d.s() * 1000000 + e.s() * 10000000;`,
    y: [48432241, 48432241, 48432241, 48432241],
  },
  {
    name: "defaults without arguments",
    before: `template <typename T = int, int N = 3> struct W { T v = N; }; template <typename T = short> struct D { T v; D() : v(5) {} D(T a, T b) : v(a + b) {} };`,
    body: `W w; D d; D e(1.5f, 2.0f); W<> z; const W q{}; y[i] = w.v + sizeof(d.v) * 10 + int(e.v * 2) * 100 + z.v * 1000 + q.v * 10000 + i;`,
    y: [33723, 33724, 33725, 33726],
  },
  {
    name: "copies are no wraps",
    before: `template <typename T> struct W { T v; W(T a) : v(a) {} }; template <typename T> int d(W<T>) { return 1; } template <typename T> int d(W<W<T>>) { return 2; } struct B : W<int> { B(int a) : W<int>(a) {} };`,
    body: `W a(i); W b(a); W c = a; W e{a}; B h(3); y[i] = d(a) + d(b) * 10 + d(c) * 100 + d(e) * 1000 + b.v * 10000;`,
    y: [1111, 11111, 21111, 31111],
  },
  {
    name: "implicit and explicit constructors behind =",
    before: `template <typename T> struct W { T v; int k; W(T a) : v(a), k(1) {} }; template <typename T> struct X { T v; int k; explicit X(T a) : v(a), k(1) {} X(int a) : v(a), k(2) {} }; X(int) -> X<float>;`,
    body: `W a = i; X b = i; X c(i); y[i] = a.k + b.k * 10 + c.k * 100 + sizeof(b.v) * 1000;`,
    y: [4221, 4221, 4221, 4221],
  },
  {
    name: "sequences that unroll with constants",
    before: `template <int N> struct Tile { int v[N]; template <typename F, int... I> void each(F f, integer_sequence<int, I...>) { ((v[I] = f(integral_constant<int, I>{})), ...); } template <typename F> void each(F f) { each(f, make_integer_sequence<int, N>{}); } };`,
    body: `Tile<5> q; q.each([&](auto k) { constexpr int n = decltype(k)::value; return n * n + i; }); int s = 0; for (int v : q.v) s = s * 10 + v; y[i] = s;`,
    y: [1506, 12617, 23728, 34839],
  },
  {
    name: "sequences of other types and lengths",
    before: `template <typename S> struct Len; template <typename T, T... v> struct Len<integer_sequence<T, v...>> { static constexpr constant int n = sizeof...(v), size = sizeof(T), sum = (int(v) + ... + 0); };`,
    body: `y[i] = Len<make_index_sequence<0>>::n + Len<integer_sequence<short, 5, 7>>::sum * 10 + Len<index_sequence<1, 2>>::size * 1000 + Len<make_integer_sequence<uchar, 3>>::size * 10000 + is_same<make_index_sequence<2>, index_sequence<0, 1>>::value * 100000 + is_same<index_sequence<0>, integer_sequence<int, 0>>::value * 1000000 + i;`,
    y: [118120, 118121, 118122, 118123],
  },
  {
    name: "arrays of a sequence",
    before: `template <int... I> struct Table { static constexpr constant int at[] = {I * I...}; }; template <size_t... I> int pick(index_sequence<I...>, int k) { const int list[] = {int(I * 3)...}; return list[k]; }`,
    body: `y[i] = pick(make_index_sequence<8>(), i) + Table<1, 2, 3>::at[1] * 100;`,
    y: [400, 403, 406, 409],
  },
];
