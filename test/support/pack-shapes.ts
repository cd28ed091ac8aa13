/** Kernels of MSL with parameter packs and folds (C++14 14.5.3, C++17 8.1.6): see test/templates.test.ts. */
import type { Shape } from "./class-shapes.js";

const four = (of: (i: number) => number): number[] => [0, 1, 2, 3].map(of);

export const packShapes: readonly Shape[] = [
  {
    name: "recursion on the rest of a pack",
    before: `int sum() { return 0; } template <typename T, typename... Ts> int sum(T first, Ts... rest) { return int(first) * 2 + sum(rest...); }
      template <typename T> T most(T a) { return a; } template <typename T, typename... Ts> T most(T a, Ts... rest) { T b = most(rest...); return a < b ? b : a; }
      template <typename... Ts> int count(Ts...) { return sizeof...(Ts); }`,
    body: "y[i] = sum(i, 2.5f, uchar(3)) + most(4, i * 3, 5) * 100 + count() * 1000 + count(1, 2.0f, x) * 10000;",
    y: four((i) => i * 2 + 4 + 6 + Math.max(5, i * 3) * 100 + 30000),
  },
  {
    name: "folds",
    before: `template <typename... Ts> int left(Ts... v) { return (... - v); } template <typename... Ts> int right(Ts... v) { return (v - ...); }
      template <typename... Ts> int from(int start, Ts... v) { return (start - ... - v); } template <typename... Ts> int to(int end, Ts... v) { return (v - ... - end); }
      template <typename... Ts> bool all(Ts... v) { return (... && (v > 2)); } template <typename... Ts> bool any(Ts... v) { return ((v > 2) || ...); }
      template <typename... Ts> void add(thread int& to, Ts... v) { ((to = to * 10 + v), ...); } template <int... Ns> int digits() { return (0 + ... + Ns) * 10 + int(sizeof...(Ns)); }`,
    body: `int w = 0; add(w, 1, i, 3); y[i] = left(50, 20, i) + right(50, 20, i) * 100 + from(9, 1, 2) * 10000 + to(1, 5, 3) * 100000 + w * 1000000 + (all(3, 4) ? 1000 : 0) + (all() ? 2000 : 0) + (all(i, 9) ? 4000 : 0) + (any() ? 1 : 0)
      + (any(i, 1) ? 500000 : 0) + digits<4, 5, 6>() + digits<>();`,
    // 50 - 20 - i; 50 - (20 - i); 9 - 1 - 2; 5 - (3 - 1)
    y: four(
      (i) => 30 - i + (30 + i) * 100 + 60000 + 300000 + (103 + i * 10) * 1000000 + 3000 + (i > 2 ? 504000 : 0) + 153,
    ),
  },
  {
    name: "expansions in calls, lists and template arguments",
    before: `int three(int a, int b, int c) { return a * 100 + b * 10 + c; } template <typename T> T twice(T v) { return v * 2; }
      template <typename... Ts> int call(Ts... v) { return three(twice(v)...); }
      template <int... Ns> struct List { static constant constexpr int count = sizeof...(Ns); int at(int k) const { int v[] = {Ns..., 7}; return v[k]; } };
      template <int N, int... Ns> struct Grow { typedef typename Grow<N - 1, N, Ns...>::type type; }; template <int... Ns> struct Grow<0, Ns...> { typedef List<Ns...> type; };
      template <int... Ns> int spread(List<Ns...>, device const int* p) { return (p[Ns] + ...); }
      template <typename T, typename... A> T made(A... a) { return T(a...); } struct P { int a; int b; P(int x, int z) : a(x), b(z) {} };
      template <typename F, typename... A> int apply(F f, A... a) { auto g = [=] { return f(a...); }; return g() + f(a...); }`,
    body: `List<3, 4, 5> l; Grow<3>::type g; P p = made<P>(i, 4); y[i] = call(1, i, 2) + l.at(1) * 1000 + List<>::count + l.count * 10000 + spread(g, x) * 100000 + p.a * 10 + p.b + apply([&](int a, int b) { return a * b + i; }, 2, 3) * 10000000;`,
    // 200 + 20 i + 4; 4; 3; 11 + 12 + 13; 2 * (6 + i)
    y: four((i) => 204 + 20 * i + 4000 + 30000 + 3600000 + 10 * i + 4 + (12 + 2 * i) * 10000000),
  },
  {
    name: "structs of what a pack has, by partial specialisations",
    before: `template <typename... Ts> struct Tuple; template <> struct Tuple<> { int last() const { return 5; } };
      template <typename T, typename... Ts> struct Tuple<T, Ts...> { T head; Tuple<Ts...> tail; int last() const { return int(head) * 10 + tail.last(); } };
      template <int N, typename... Ts> struct Nth; template <int N, typename T, typename... Ts> struct Nth<N, T, Ts...> { typedef typename Nth<N - 1, Ts...>::type type; }; template <typename T, typename... Ts> struct Nth<0, T, Ts...> { typedef T type; };
      template <typename... Ts> struct Only { static constant constexpr int value = 1; }; template <typename T> struct Only<T> { static constant constexpr int value = 2; };
      template <typename A, typename... R> int heads(Tuple<A, R...> t) { return int(t.head) + int(sizeof...(R)) * 100; } int which(int, int) { return 1; } template <typename... Ts> int which(Ts...) { return 2; }
      template <typename T> int which(T) { return 3; }`,
    body: `Tuple<int, float> q; q.head = i; q.tail.head = 2.5f; Nth<1, int, uchar, float>::type c = 300; y[i] = q.last() + heads(q) * 1000 + int(c) * 1000000 + Only<int>::value * 100000000 + Only<int, int>::value * 200000000 + which(i, 1) + which(i) + which(i, 1, 1);`,
    // i * 10 + 2 * 10 + 5; 44
    y: four((i) => i * 10 + 25 + (i + 100) * 1000 + 44000000 + 400000000 + 6),
  },
  {
    name: "given in part, and functions as a pack",
    before: `template <typename R, typename... Ts> R total(Ts... v) { return (R(v) + ...); } int inc(int v) { return v + 1; } int dbl(int v) { return v * 2; }
      template <int (*... fs)(int)> int chain(int v) { ((v = fs(v)), ...); return v; } template <typename... Ts> int sizes() { return (int(sizeof(Ts)) + ... + 0); }`,
    body: "y[i] = total<int, float>(2.75f, i) * 100 + chain<inc, dbl, inc>(i) + sizes<int, short, uchar>() * 1000 + sizes<>();",
    y: four((i) => (2 + i) * 100 + (i + 1) * 2 + 1 + 7000),
  },
  {
    name: "a lambda is another one for each element",
    before: `template <typename F> void loop(int n, F f) { for (int k = 0; k < n; k++) f(k); }
      template <int... Ns> int numbers() { int r = 0; ([&] { r = r * 10 + Ns; }(), ...); (loop(2, [&](int k) { r += k * Ns; }), ...); return r; }
      template <typename... Ts> int types() { int r = 0; ([&] { Ts v = Ts(300.75f); r = r * 2 + int(v * 4); }(), ...); return r; }`,
    body: "y[i] = numbers<1, 2, 3>() + types<int, float, short>() * 1000 + i;",
    // 123 + 6; (1200 * 2 + 1203) * 2 + 1200
    y: four((i) => 129 + 8406000 + i),
  },
  {
    name: "an expansion within another names the whole pack",
    before: `template <typename... Ts> int sum(Ts... v) { return (v + ...); } template <typename... Ts> int each(Ts... v) { return sum((sum(v...) * v)...); }
      template <typename... Ts> int folded(Ts... v) { return ((v * (v + ...) + int(sizeof...(v))) + ...); }
      template <int... Ns> struct L {}; template <int... As, int... Bs> int both(L<As...>, L<Bs...>) { return sum(sum((As * Bs)...) * As...); }`,
    body: "y[i] = each(1, i, 3) + folded(1, i) * 100 + both(L<1, 2, 3>(), L<4, 5, 6>()) * 10000;",
    // (4 + i)^2; (1 + i)^2 + 4; 32 * 6
    y: four((i) => (4 + i) ** 2 + ((1 + i) ** 2 + 4) * 100 + 1920000),
  },
];

/** What is wrong or not read, and what is said of it. */
export const wrongPacks: readonly (readonly [string, string, RegExp])[] = [
  ["template <typename... Ts> int f(Ts... v) { return v; }", "y[i] = f(1);", /^XL2017 'v' is a parameter pack/],
  ["template <typename... Ts> int f(Ts... v) { return (v + ...); }", "y[i] = f();", /^XL2005 nothing is folded/],
  [
    "int g(int a) { return a; } template <typename T> int f(T v) { return g(v...); }",
    "y[i] = f(1);",
    /^XL2011 nothing in what is expanded/,
  ],
  [
    "template <typename... A> struct L {}; template <typename... A, typename... B> int f(L<A...>, L<B...>) { return ((sizeof(A) + sizeof(B)) + ...); }",
    "y[i] = f(L<int>(), L<int, int>());",
    /^XL2005 the packs that are expanded together/,
  ],
];
