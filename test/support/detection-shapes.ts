/**
 * Kernels of MSL about functions that are there for some types only, about those that take whatever there is, and about functions that call
 * themselves where a constant is wanted: see test/templates.test.ts.
 */
import type { Shape } from "./class-shapes.js";

const four = (of: (i: number) => number): number[] => [0, 1, 2, 3].map(of);

const types = `struct V { int n; int size() const { return n; } using value_type = int; }; struct W { int k; };`;

export const detectionShapes: readonly Shape[] = [
  {
    // C++14 14.8.2 (8): what an expression of the type is wrong with drops the function.
    name: "a function that is there where its type can be said",
    before: `${types}
      template <typename T> auto count(T t, int) -> decltype(t.size()) { return t.size(); }
      template <typename T> int count(T, float) { return -1; }
      template <typename T> auto total(thread const T& t) -> decltype(t.n + 1) { return t.n; }
      template <typename T> auto total(thread const T& t) -> decltype(t.k + 1) { return t.k * 2; }
      template <typename T> auto first(T a, int) -> decltype(a[0]) { return a[0]; }
      template <typename T> T first(T a, float) { return a; }`,
    body: "V v; v.n = i; W w; w.k = 4; int a[2] = {7, 8}; y[i] = count(v, 0) * 100 + count(w, 0) + count(2, 0) * 10 + total(v) * 1000 + total(w) + first(a, 0) * 10000 + first(i, 0) * 100000;",
    y: four((i) => i * 100 - 1 - 10 + i * 1000 + 8 + 70000 + i * 100000),
  },
  {
    // C++14 13.3.3.1.3: behind every conversion.
    name: "what takes whatever there is comes last",
    before: `${types}
      int pick(int a, ...) { return a + 100; } int pick(int a, float) { return a + 200; } int pick(int a, thread W*) { return a + 300; }
      struct R { int v; R(int x) : v(x) {} }; int made(R) { return 1; } int made(...) { return 2; }
      template <typename T> auto sized(T t) -> decltype(t.size()) { return t.size(); } int sized(...) { return -1; }
     `,
    body: "V v; v.n = i; W w; w.k = 1; y[i] = pick(i, 2.0f) + pick(i, 3u) * 10 + pick(i, &w) * 100 + pick(i, v, w) * 1000 + pick(i) + made(3) * 100000 + made(v) * 1000000 + sized(v) * 10 + sized(w);",
    y: four(
      (i) => i + 200 + (i + 200) * 10 + (i + 300) * 100 + (i + 100) * 1000 + (i + 100) + 100000 + 2000000 + i * 10 - 1,
    ),
  },
  {
    name: "void_t and declval",
    before: `${types}
      template <typename...> using always_void = void;
      template <typename T, typename = void> struct has_size : false_type {};
      template <typename T> struct has_size<T, always_void<decltype(declval<T>().size())>> : true_type {};
      template <typename T, typename = void> struct holds { static constexpr constant bool value = false; };
      template <typename T> struct holds<T, always_void<typename T::value_type>> { static constexpr constant bool value = true; };
      template <typename A, typename B> using sum_of = decltype(declval<A>() + declval<B>());
      template <typename T> int sized(T t) { if constexpr (has_size<T>::value) return t.size(); else return -5; }`,
    body: "V v; v.n = i; W w; w.k = 3; sum_of<int, float> h = 0.5f; y[i] = sized(v) + sized(w) * 10 + int(h * 4) * 100 + (holds<V>::value ? 1000 : 0) + (holds<W>::value ? 5000 : 0) + (has_size<int>::value ? 9000 : 0);",
    y: four((i) => i - 50 + 200 + 1000),
  },
  {
    // The functions that are asked are never defined.
    name: "asked of static functions of a struct",
    before: `${types}
      template <typename T> struct detect {
        template <typename U> static auto test(int) -> decltype(declval<U>().size(), true_type());
        template <typename U> static false_type test(...);
        static constexpr constant bool value = decltype(test<T>(0))::value;
      };
      struct sums { template <typename A, typename B> static auto probe(A a, B b) -> decltype(a + b, int()); static char probe(...); };
      template <typename A, typename B> struct addable { enum { yes = sizeof(sums::probe(declval<A>(), declval<B>())) == sizeof(int) }; };
      template <typename T> enable_if_t<detect<T>::value, int> sized(T t) { return t.size(); }
      template <typename T> enable_if_t<!detect<T>::value, int> sized(T) { return -9; }`,
    body: "V v; v.n = i; W w; w.k = 3; y[i] = sized(v) + sized(w) * 100 + sized(1.5f) * 10000 + addable<int, float>::yes * 10 + addable<W, int>::yes * 1000000;",
    y: four((i) => i - 900 - 90000 + 10),
  },
  {
    // C++14 5.20, 7.1.5: run by the compiler, wherever a constant stands.
    name: "functions that call themselves, as constants",
    before: `constexpr int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
      template <typename T> constexpr T power(T b, int e) { return e == 0 ? T(1) : b * power(b, e - 1); }
      constexpr bool is_odd(uint n); constexpr bool is_even(uint n) { return n == 0 ? true : is_odd(n - 1); }
      constexpr bool is_odd(uint n) { return n == 0 ? false : is_even(n - 1); }
      constexpr int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
      struct M { static constexpr int bits(uint n) { return n == 0 ? 0 : 1 + bits(n >> 1); } };
      template <int N> struct Tree { static constexpr constant int depth = M::bits(N); int v[depth]; };
      template <int N> int number() { return N; }
      enum E { six = power(6, 1), seven };
      constant int table[3] = {gcd(10, 4), power(2, 5), int(power(1.5f, 3) * 8)};
      static_assert(is_even(4) && !is_even(7) && is_odd(9), "");`,
    body: `int a[gcd(12, 8)] = {1, 2, 3, 4}; constexpr int c = power(3, 4); Tree<9> r; r.v[3] = i;
      switch (i) { case gcd(4, 6): a[2] = 50; break; case fib(4): a[3] = 60; break; }
      y[i] = a[i] + c * 100 + sizeof(r) / sizeof(int) * 100000 + r.v[3] * 1000000 + table[i % 3] + seven + number<fib(7)>() * 10000000;`,
    y: four((i) => [1, 2, 50, 60][i]! + 8100 + 400000 + i * 1000000 + [2, 32, 27][i % 3]! + 7 + 130000000),
  },
  {
    name: "functions that call themselves, of constants where none has to stand",
    before: `constexpr int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
      constexpr int bits(int n) { return n <= 1 ? 0 : 1 + bits(n / 2); }
      int shifted(int v) { return v << bits(16); }`,
    body: "const int n = 12; y[i] = gcd(n, 18) + shifted(i) * 10 + bits(gcd(64, 96)) * 1000;",
    y: four((i) => 6 + 160 * i + 5000),
  },
  {
    // C++14 7.1.6.2 (4), 8.3.5 (2): in the type behind `->` parameters are what they are declared as.
    name: "parameters in the type of what is returned",
    before: `struct M { int v; int go() { return 1; } }; struct N { int v; int go() const { return 2; } };
      template <typename T> auto go(thread const T& o, int) -> decltype(o.go()) { return o.go(); } template <typename T> int go(thread const T&, long) { return 5; }
      template <typename T> auto set(thread const T& o, int) -> decltype(o.v = 1, 1) { return 1; } template <typename T> int set(thread const T&, long) { return 2; }
      template <typename T> auto same(thread T& a) -> decltype(a) { return a; }
      template <typename T> auto lying(device T& a) -> decltype((a)) { return a; }
      int kind(device int&) { return 1; } int kind(device const int&) { return 2; }
      template <typename T> auto at(device T* p, int k) -> decltype(p[k]) { return p[k]; } template <typename T> auto part(device const T& a) -> decltype((a)) { return a; }
      template <typename F> auto call(F f, int) -> decltype(f(1)) { return f(1); } template <typename F> int call(F, long) { return -5; }
      template <typename F, typename = decltype(declval<F>()(1))> int takes(int) { return 1; } template <typename F> int takes(...) { return 0; } template <typename F> int asked(F) { return takes<F>(0); }`,
    body: `M m; N n; m.v = n.v = 0; int a = 1, z = 4; auto&& r = same(a); r = 5; lying(x[8 + i]) = 7 + i; auto f = [z](int q) { return q + z; };
      y[i] = go(m, 0) + go(n, 0) * 10 + set(n, 0) * 100 + a * 1000 + x[8 + i] * 10000 + (kind(at(x, i)) + kind(part(x[i])) * 2) * 1000000
        + call(f, 0) * 10000000 + call([](int p, int q) { return p; }, 0) + (asked(f) + asked(3) * 2 + asked([](thread int& q) { return 1; }) * 4) * 100000000;`,
    y: four((i) => 5 + 20 + 200 + 5000 + (7 + i) * 10000 + 5000000 + 50000000 - 5 + 100000000),
  },
];
