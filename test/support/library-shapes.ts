/**
 * Kernels of MSL as libraries of them are written: overloads beside the library's own functions, traits and variables of
 * templates, conversions of number types. See test/templates.test.ts, where clang reads them as C++.
 */
import type { Shape } from "./class-shapes.js";

const four = (of: (i: number) => number): number[] => [0, 1, 2, 3].map(of);

export const libraryShapes: readonly Shape[] = [
  {
    name: "an overload that does not hide the library's, which fits better",
    before: "inline int max(short a, float b) { return 100; } inline int max(bool a, bool b) { return 200; }",
    // int, int is the library's alone.
    body: "y[i] = max(i, 2) + max(true, false);",
    y: four((i) => Math.max(i, 2) + 200),
  },
  {
    name: "variables of templates that are specialised, whole and in part",
    before: `template <typename T> struct Pair { T a; T b; };
      template <typename T> static constexpr constant int rank_of = 1;
      template <> constexpr constant int rank_of<float> = 2;
      template <typename T> static constexpr constant int rank_of<Pair<T>> = 10 * rank_of<T>;
      template <> constexpr constant int rank_of<Pair<int>> = 7;`,
    body: "y[i] = rank_of<int> + rank_of<float> * 100 + rank_of<Pair<float>> * 1000 + rank_of<Pair<int>> * 100000 + i;",
    y: four((i) => 1 + 200 + 20000 + 700000 + i),
  },
  {
    name: "operators called by their names",
    before: `struct V { int x; };
      bool operator>(V a, V b) { return a.x > b.x; }
      bool operator<(V a, V b) { return operator>(b, a); }
      struct W { int x; int operator()(int v) const { return x * v; } int twice(int v) const { return operator()(v) + operator()(v); }
        W operator+(W o) const { return W{x + o.x}; } };`,
    body: "V a{i}, b{2}; W w{3}; y[i] = (a < b ? 1 : 0) + w.operator()(10) + w.operator+(w).x * 100 + w.twice(i) * 1000;",
    y: four((i) => (i < 2 ? 1 : 0) + 30 + 600 + 6 * i * 1000),
  },
  {
    name: "templates in structs that depend on an argument",
    before: `struct Op { template <int N> int many(int s) const { for (int k = 0; k < N; k++) s += k; return s; } };
      template <typename O> struct Uses { O op; int go(int v) const { return op.template many<4>(v); } };
      template <typename T, typename = typename enable_if<(sizeof(T) < 4)>::type> int small(T) { return 1; }
      template <typename T, enable_if_t<sizeof(T) >= 4, bool> = true> int small(T) { return 2; }`,
    body: "Uses<Op> u; y[i] = u.go(i) + small(short(1)) * 100 + small(1) * 1000;",
    y: four((i) => i + 6 + 100 + 2000),
  },
  {
    name: "a number type with templates of conversions",
    before: `template <typename T> static constexpr constant bool is_number = false;
      template <typename T> struct Num {
        T v;
        Num() : v(0) {}
        template <typename U, typename = typename enable_if<!is_number<U> && is_convertible<U, T>::value>::type> Num(U x) : v(T(x)) {}
        template <typename U, typename = typename enable_if<!is_same<U, T>::value>::type> Num(Num<U> x) : v(T(x.v) + T(1)) {}
        template <typename U, typename = typename enable_if<!is_number<U>>::type> explicit operator U() const { return U(v) + U(1000); }
      };
      template <typename T> static constexpr constant bool is_number<Num<T>> = true;
      template <typename T> Num<T> operator*(Num<T> a, Num<T> b) { return Num<T>(a.v * b.v); }
      template <typename U, typename T> U cast_to(T x) { return static_cast<U>(x); }`,
    body: "Num<int> a = cast_to<Num<int>>(i), b = Num<int>(3); Num<float> f = a; Num<int> g = f; y[i] = cast_to<int>(a * b) * 10000 + g.v;",
    // i, then i + 1, then i + 2.
    y: four((i) => (3 * i + 1000) * 10000 + i + 2),
  },
  {
    name: "traits of traits, and types that only look alike",
    before: `template <typename T> constexpr constant bool whole = disjunction<is_same<T, int>, is_same<T, short>>::value;
      template <typename T> constexpr constant bool both = conjunction_v<is_integral<T>, negation<is_same<T, short>>>;
      template <typename T> int which(T) { return 1; } template <> int which<int2>(int2) { return 2; } template <> int which<int4>(int4) { return 4; }`,
    body: `y[i] = (whole<int> ? 1 : 0) + (whole<float> ? 2 : 0) + (both<int> ? 4 : 0) + (both<short> ? 8 : 0)
      + (is_same<int2, int4>::value ? 16 : 0) + (is_same<int2, int2>::value ? 32 : 0) + which(int2(1)) * 100 + which(int4(1)) * 1000 + i;`,
    y: four((i) => 1 + 4 + 32 + 200 + 4000 + i),
  },
  {
    name: "lists as arguments",
    before: `struct Part { int a; short b; };
      int total(Part p, int n) { return p.a + p.b * n; }
      template <typename I> I shifted(Part p, I by) { return I(p.b) + by; }`,
    body: "y[i] = total({i, 2}, 10) + shifted<int>({1, 3}, 5) * 100;",
    y: four((i) => i + 20 + 800),
  },
  {
    name: "static members by way of an object, and specialisations in a struct",
    before: `struct Op { static constexpr constant int init = 3;
        template <typename T> T go(T a) const { return a; } template <> float go(float a) const { return a * 2; } };
      template <int N> struct Table {}; template <> struct Table<2> { static constexpr constant int w[2] = {4, 5}; };
      constexpr constant int Table<2>::w[2];`,
    body: "Op op; y[i] = op.init + int(op.go(1.5f)) * 10 + op.go(i) * 100 + Table<2>::w[i % 2] * 1000;",
    y: four((i) => 3 + 30 + 100 * i + 1000 * (4 + (i % 2))),
  },
  {
    name: "a namespace, part of which is not needed",
    before: `namespace lib { namespace deep { constexpr constant int seven = 7; struct S { int a; int get() const { return a + seven; } }; }
        inline int used(int v) { return v + 1; } template <typename T> T twice(T v) { return v + v; } }
      namespace lib { inline int more(int v) { return twice(used(v)); } }`,
    body: "lib::deep::S s{i}; y[i] = lib::more(i) * 100 + s.get();",
    y: four((i) => (i + 1) * 200 + i + 7),
  },
  {
    name: "specialisations in a struct are of its templates",
    before: `struct Op { template <typename T> int go(T a) const { return 1; } template <> int go(float a) const { return 2; }
        template <int N> int add(int a) const { return a + N; } template <> int add<3>(int a) const { return a * 100; }
        template <typename T> int of(T a, T b) { return 3; } template <> int of(float a, float b) { return 4; } int of(int a, float b, int c = 0) { return 5; } };`,
    // The first with an int, which is given as a float.
    body: "Op op; y[i] = op.go<float>(i) + op.go(1.0f) * 10 + op.go(i) * 100 + op.add<2>(i) * 1000 + op.add<3>(i) * 10000 + op.of(1, 2.5f) * 10000000 + op.of(1.0f, 2.0f) * 100000000;",
    y: four((i) => 2 + 20 + 100 + (i + 2) * 1000 + i * 1000000 + 50000000 + 400000000),
  },
  {
    name: "a template of a namespace that hides the library's function",
    before:
      "namespace lib { template <typename T> T max(T a, T b) { return a * 10 + b; } template <typename T> T go(T v) { return max(v, 2); } }",
    body: "y[i] = lib::go(i) * 1000 + lib::max(i, 3) + max(i, 2) * 100000;",
    y: four((i) => (i * 10 + 2) * 1000 + i * 10 + 3 + Math.max(i, 2) * 100000),
  },
  {
    name: "a name in parentheses is not looked for with the arguments",
    before:
      "namespace a { struct S { int v; operator int() const { return v + 5; } }; inline int f(S s) { return 1; } } inline int f(int v) { return v; }",
    body: "a::S s{i}; y[i] = f(s) * 100 + (f)(s);",
    y: four((i) => 105 + i),
  },
  {
    name: "a reference to const is read when all arguments have been evaluated",
    before: `struct S { int a; int b; }; int f(thread const int (&a)[2], int v) { return a[0] * 100 + a[1] * 10 + v; }
      int g(thread const S& s, int v) { return s.a * 100 + s.b * 10 + v; } int h(int v, thread const int& n, int w) { return v * 100 + n * 10 + w; }`,
    body: "int a[2] = {i, 2}; S s{i, 2}; int n = 1; y[i] = f(a, a[1] = 5) + g(s, s.b = 6) * 1000 + h(i, n, n = 7) * 1000000;",
    y: four((i) => i * 100 + 55 + (i * 100 + 66) * 1000 + (i * 100 + 77) * 1000000),
  },
  {
    name: "numbers of bits that are constants",
    before: `template <int N, int R> int f() { constexpr short logN = __builtin_ctz(N); constexpr short logR = 31 - __builtin_clz(R); constexpr short left = 1 << logN % logR; int z[__builtin_popcount(N + R)]; z[0] = 3;
        if constexpr (left > 1) return logN * 10 + left + int(sizeof(z)); else return logR; } constexpr constant int kk = __builtin_ctz(64);`,
    body: "y[i] = f<64, 8>() + f<32, 4>() * 100 + kk * 10000 + __builtin_popcount(i) * 100000 + __builtin_clz(7u) * 1000000;",
    y: four((i) => 3 + 60 * 100 + 60000 + (i === 3 ? 2 : i > 0 ? 1 : 0) * 100000 + 29000000),
  },
];
