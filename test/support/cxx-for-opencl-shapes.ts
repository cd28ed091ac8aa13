/** Kernels in C++ for OpenCL about what OpenCL makes of C++ and C++ of OpenCL C: see test/cxx-for-opencl.test.ts. */
import type { Shape } from "./class-shapes.js";

const four = (of: (i: number) => number): number[] => [0, 1, 2, 3].map(of);

export const cxxForOpenclShapes: readonly Shape[] = [
  {
    // C++17 16.3.1.8: of an object the arguments are its own; 11.6.4 (3.1): an aggregate in braces is copied.
    name: "arguments of class templates by what a variable is given",
    before: `template <typename T> struct Row { T a; int n; };
      template <typename T> struct Bow { T a; int n; Bow(T x) : a(x), n(2) {} T get() const { return a; } };
      template <typename T> Row<T> make(T x) { return Row<T>{x, 2}; }`,
    body: `Row s = make(2.5f); Row<float> base{1.5f, 3}; Row t = base; const Row u{base}; Row<float> v{u};
      Bow b1 = 2.0f; Bow b2 = Bow(i); Bow b3{b2}; const Bow b4 = b1; Bow b5(2.5f);
      y[i] = (int)(2 * (s.a + t.a)) + u.n * 10 + v.n * 100 + int(b1.get() / 4 * 10) * 1000 + b2.get() / 2 * 10000 + b3.a * 100000
        + (int)(b4.get() * b5.get()) * 1000000;`,
    y: four((i) => 8 + 30 + 300 + 5000 + (i >> 1) * 10000 + i * 100000 + 5000000),
  },
  {
    // C++17 11.3.1, 17.8.2.1.
    name: "rvalue references, and a specialisation for references",
    before: `template <typename T> struct is_ref { static constexpr int value = 0; }; template <typename T> struct is_ref<T&> { static constexpr int value = 1; };
      template <typename T> void inc(T&& v) { v += 1; } template <typename T> int named(T&&) { return is_ref<T>::value; } int kept(int&& v) { v *= 2; return v; }`,
    body: "int a = i; inc(a); inc(x[4 + i]); auto&& e = a; e += 10; __typeof__(a) c = a; c = 77; y[i] = a + x[4 + i] * 100 + named(a) * 10000 + named(3) * 100000 + named(x[0]) * 1000000 + kept(i + 1) * 10000000;",
    y: [0, 1, 2, 3].map((i) => i + 11 + (15 + i) * 100 + 10000 + 1000000 + (i + 1) * 20000000),
  },
  {
    name: "static constants of functions, and pointers that nothing else leads to",
    before: `int dot3(const global int* __restrict a, const global int* __restrict__ b) {
        static const float k[2] = {1.0f, 2.0f}; static constexpr int m = 3; static __constant const int q[2] = {5, 6}; static const int z = 4;
        return a[0] * b[1] * (int)k[1] + m + q[0] * 10 + z * 100; }
      template <typename T> T twice(T x) { static const T two = 2; static constexpr T tab[3] = {1, 2, 3}; return x * two + tab[1]; }`,
    body: "int restrict = i; y[restrict] = dot3(x, x) + (int)twice(1.5f) * 1000 + twice(i) * 10000;",
    y: four((i) => 2 * 10 * 11 + 3 + 50 + 400 + 5000 + (2 * i + 2) * 10000),
  },
  {
    // C++17 16.3.1.8; `auto z = Pair{...}` is what the language's documentation shows.
    name: "arguments of class templates by what their constructors take",
    before: `template <typename T> struct Pair { T a, b; Pair(T x, T y) : a(x), b(y) {} Pair(T x) : a(x), b(7) {}
        Pair operator*(const Pair& o) const { return {a * o.a - b * o.b, a * o.b + b * o.a}; } };
      template <typename T, int N = 3> struct Row { T v; Row(const Pair<T>& p, T w) : v(p.a + w) {} int size() const { return sizeof(T) * 10 + N; } };`,
    body: `auto p = Pair{i, 2}; auto q = Pair(3); auto r = p * q; auto f = Pair{1.5f, 0.5f} * Pair(2.0f, 4.0f); auto s = Row(Pair(short(i), short(5)), short(1));
      y[i] = r.a + 20 + r.b * 100 + int(f.a * 2) * 10000 + s.v * 100000 + s.size() * 1000000;`,
    y: four((i) => 3 * i - 14 + 20 + (7 * i + 6) * 100 + 2 * 10000 + (i + 1) * 100000 + 23 * 1000000),
  },
  {
    name: "relations of scalars are bools, characters are chars",
    before: "int which(bool) { return 1; } int which(int) { return 2; } int which(char) { return 3; }",
    body: "y[i] = which(i < 2) + which(!i) * 10 + which(i) * 100 + which('a') * 1000 + int(sizeof(1 == 2)) * 10000 + which(i && x) * 100000;",
    y: four(() => 1 + 10 + 200 + 3000 + 10000 + 100000),
  },
  {
    name: "relations of vectors are ints",
    before: "",
    body: `int4 v = (int4)(i, 1, 2, 3); int4 w = int4(2); auto less = v < w; int4 n = !v; int4 c = less ? v : w; int4 b = v && w;
      y[i] = less.x + n.x * 10 + c.x * 100 + c.s3 * 1000 + b.x * 10000;`,
    y: [-1 - 10 + 2000, -1 + 100 + 2000 - 10000, 200 + 2000 - 10000, 200 + 2000 - 10000],
  },
  {
    name: "vectors in braces, components, and vector literals",
    before: "",
    body: `int2 d{i, 2}; d.yx = d; float4 f{1.5f, 2.0f, 3.0f, 4.0f}; float4 g = {f.lo, f.s32}; int4 k = convert_int4(g * 2.0f);
      y[i] = d.x * 10 + d.y + k.x * 100 + k.w * 1000 + as_int(1.0f) / 1065353216 * 100000;`,
    y: four((i) => 20 + i + 300 + 6000 + 100000),
  },
  {
    name: "references to any memory",
    before: "void add(int& a, int b) { a += b; } int sum(const int& a, const int& b) { return a + b; }",
    body: `local int t[4]; int v = i; add(v, 5); add(x[i], 100); t[i] = v; barrier(CLK_LOCAL_MEM_FENCE); add(t[i], 1);
      y[i] = sum(t[i], x[i]) + sum(v, 1) * 1000;`,
    y: four((i) => 6 + i + 110 + i + (i + 6) * 1000),
  },
  {
    name: "pointers to any memory",
    before:
      "int first(int* p) { return *p; } int last(const int* p, int n) { return p[n - 1]; } template <typename T> T both(T a, T b) { return a * 100 + b; }",
    body: `local int t[4]; t[i] = i * 2; barrier(CLK_LOCAL_MEM_FENCE); int a[3] = {7, 8, i};
      y[i] = first(x + i) + first(t + i) * 100 + first(a) * 1000 + both(last(x, 4), last(a, 3)) * 10000;`,
    y: four((i) => 10 + i + 200 * i + 7000 + (1300 + i) * 10000),
  },
  {
    name: "methods by the memory of the object",
    before: `struct S { int a; int get() const { return a; } int get() const __global { return a * 2; } int get() const __local { return a * 3; }
        S& add(int n) { a += n; return *this; } };
      int ask(const S& s) { return s.get(); }`,
    body: `local S t[4]; S s{i}; t[i] = s; global S* g = reinterpret_cast<global S*>(x); s.add(1).add(2); g[i].add(100).add(1); t[i].add(5);
      y[i] = s.get() + g[i].get() * 100 + t[i].get() * 100000;`,
    y: four((i) => i + 3 + (111 + i) * 200 + (i + 5) * 300000),
  },
  {
    name: "references that are returned",
    before: `template <typename T> T& larger(T& a, T& b) { return a > b ? a : b; }
      struct Row { int v[4]; int& operator[](int k) { return v[k]; } int operator[](int k) const { return v[k] * 10; } };
      int at(const Row& r, int k) { return r[k]; }`,
    body: `int a = 3, b = i; larger(a, b) = 50; larger(x[i], x[3]) += 1000; Row r{{1, 2, 3, 4}}; r[i] += 5; int& e = r[3]; e++; const auto& c = r;
      y[i] = a + b * 100 + r[i] * 10000 + at(c, 0) * 1000000;`,
    // Every lane adds to x[3], which is not looked at; b is below 3 but for the last lane, where it is no larger.
    y: [
      50 + 0 + 60000 + 60000000,
      50 + 100 + 70000 + 10000000,
      50 + 200 + 80000 + 10000000,
      3 + 5000 + 100000 + 10000000,
    ],
  },
  {
    name: "casts",
    before: "",
    body: `global uint* u = reinterpret_cast<global uint*>(x); const global int* c = x; global int* w = const_cast<global int*>(c); float f = float(i) + 0.75f;
      int generic_value = *addrspace_cast<generic int*>(w + i);
      y[i] = int(f * 2.0f) + static_cast<int>(3.9f) * 10 + int(u[i]) * 100 + generic_value * 10000 + (int)2.5f * 1000000 + int{4} * 10000000;`,
    y: four((i) => 2 * i + 1 + 30 + (10 + i) * 100 + (10 + i) * 10000 + 2000000 + 40000000),
  },
  {
    name: "constants at file scope and in functions",
    before: `constexpr int N = 3; const int M = N * 2; constant int table[] = {5, 6, 7, 8}; namespace deep::er { constexpr int K = 4; }
      constexpr int cube(int v) { return v * v * v; } template <int V> struct Const { static constexpr int value = V + 1; };`,
    body: `static constexpr int own[] = {1, 2}; constexpr int local_one = cube(2); int a[cube(2)]; static_assert(sizeof(a) == 32); static_assert(M == 6, "six");
      a[7] = own[1]; y[i] = N + M * 10 + table[i] * 100 + deep::er::K * 1000 + local_one * 10000 + a[7] * 100000 + Const<6>::value * 1000000;`,
    y: four((i) => 3 + 60 + (5 + i) * 100 + 4000 + 80000 + 200000 + 7000000),
  },
  {
    name: "lambdas, default arguments and overloads",
    before:
      "int scaled(int v, int by = 3) { return v * by; } float scaled(float v, float by = 0.5f) { return v * by; } template <typename F> int twice(F f, int v) { return f(f(v)); }",
    body: `int off = 2; auto add = [&](int v) { return v + off; }; auto generic_one = [](auto a, auto b) { return a + b; }; auto put = [=](int v) { y[i] = v; };
      off = 5; put(scaled(i) + scaled(i, 2) * 10 + int(scaled(7.0f) * 2.0f) * 100 + twice(add, 1) * 1000 + generic_one(1, 2) * 100000);`,
    y: four((i) => 3 * i + 20 * i + 700 + 11000 + 300000),
  },
  {
    name: "enumerations, with and without a scope",
    before: `enum class Mode : uchar { off, on = 5, both }; enum Plain { a = 2, b }; int of(Mode) { return 1; } int of(int) { return 2; } int of(Plain) { return 3; }`,
    body: "Mode m = i > 1 ? Mode::both : Mode::on; y[i] = int(m) + of(m) * 10 + of(b) * 100 + of(a + b) * 1000 + int(sizeof(Mode)) * 10000 + (m == Mode::on) * 100000;",
    y: four((i) => (i > 1 ? 6 : 5) + 10 + 300 + 2000 + 10000 + (i > 1 ? 0 : 100000)),
  },
  {
    name: "structured bindings, range-for, and statements in conditions",
    before: "struct Pair { int a; int b = 7; }; Pair pair(int v) { return {v, v + 1}; }",
    body: `auto [p, q] = pair(i); int s = 0; int v[] = {1, 2, 3}; for (int& e : v) e *= 2; for (const auto e : v) s += e; if (int k = p + q; k > 4) s += 100 * k; Pair d{9};
      if (auto t = i & 1) s += t * 1000; y[i] = s + d.b * 10000;`,
    y: [12 + 70000, 12 + 1000 + 70000, 12 + 500 + 70000, 12 + 700 + 1000 + 70000],
  },
  {
    name: "packs, folds and if constexpr",
    before: `template <typename... T> int total(T... v) { return (0 + ... + int(v)); }
      template <typename T> int kind(T v) { if constexpr (sizeof(T) == 4) return 4; else if constexpr (sizeof(T) == 1) return 1; else return v.x; }
      template <int... N> constexpr int digits() { int d = 0; ((d = d * 10 + N), ...); return d; }`,
    body: "y[i] = total(i, 2.5f, (uchar)3) + kind(i) * 100 + kind('c') * 1000 + kind((int2)(7, 8)) * 10000 + digits<1, 2>() * 100000;",
    y: four((i) => i + 5 + 400 + 1000 + 70000 + 1200000),
  },
  {
    name: "C's own ways",
    before: "typedef struct Q { int a, b; } Q; struct P { struct Q q; int n; }; union U { float f; uint u; };",
    body: `struct P p = {{i, 2}, 3}; Q q = (Q){4, 5}; U u; u.f = 1.0f; P d{.q = {.a = 6, .b = 7}, .n = 8}; int k = 0; do { k += 2; } while (k < 5);
      y[i] = p.q.a + p.n * 10 + q.b * 100 + (u.u == 0x3f800000u) * 1000 + d.q.b * 10000 + k * 100000;`,
    y: four((i) => i + 30 + 500 + 1000 + 70000 + 600000),
  },
  {
    name: "null pointers, words that are signs, and digits",
    before: "int or_else(const global int* p, int v) { return p ? *p : v; }",
    body: `global int* p = nullptr; if (not (i > 1) and p == nullptr) p = x + i; y[i] = or_else(p, 1'000) + or_else(nullptr, 0b101) * 10000 + (p != NULL ? 100000 : 0);`,
    y: four((i) => (i > 1 ? 1000 : 100010 + i) + 50000),
  },
  {
    name: "classes with access, inheritance and conversions",
    before: `class Counter { int n; public: explicit Counter(int v = 1) : n(v) {} Counter operator+(const Counter& o) const { return Counter(n + o.n); } Counter& operator++() { n++; return *this; }
        Counter operator++(int) { Counter was = *this; n += 10; return was; } explicit operator int() const { return n; } bool operator<(const Counter& o) const { return n < o.n; } friend int peek(const Counter& c) { return c.n; } };
      template <typename D> struct Doubled { int twice() const { return 2 * static_cast<const D*>(this)->v; } }; struct Four : Doubled<Four> { int v = 4; };`,
    body: `Counter a(i), b; Counter c = a + b; ++c; Counter d = c++; Four f; y[i] = int(c) + peek(d) * 100 + (a < b) * 10000 + f.twice() * 100000;`,
    y: four((i) => i + 12 + (i + 2) * 100 + (i < 1 ? 10000 : 0) + 800000),
  },
  {
    name: "templates of classes, aliases and variables",
    before: `template <typename T, int N = 4> struct Tile { T v[N]; static constexpr int size = N; T sum() const { T s = T(0); for (int k = 0; k < N; k++) s += v[k]; return s; } };
      template <typename T> struct Tile<T, 1> { T v; static constexpr int size = 100; T sum() const { return v; } }; template <typename T> using Two = Tile<T, 2>; template <typename T> constexpr T half_of = T(1) / T(2);
      template <typename T> struct Id { using type = T; }; template <typename T> typename Id<T>::type same(const T& v) { return v; }`,
    body: "Tile<int> t{{1, 2, 3, i}}; Two<float> f{{1.5f, 2.0f}}; Tile<int, 1> one{8}; y[i] = t.sum() + int(f.sum() * 2.0f) * 100 + one.sum() * 1000 + Tile<int, 1>::size * 10000 + int(half_of<float> * 2.0f) * 10000000 + half_of<int> + same(x[i]) * 100000;",
    y: four((i) => 6 + i + 700 + 8000 + 1000000 + 10000000 + (10 + i) * 100000),
  },
  {
    name: "a block reduction by a functor",
    before: `struct Add { int operator()(int a, int b) const { return a + b; } }; struct Max { int operator()(int a, int b) const { return a > b ? a : b; } };
      template <typename Op> int reduced(local int* t, int l, Op op) { for (int s = 2; s > 0; s /= 2) { barrier(CLK_LOCAL_MEM_FENCE); if (l < s) t[l] = op(t[l], t[l + s]); }
        barrier(CLK_LOCAL_MEM_FENCE); int all = t[0]; barrier(CLK_LOCAL_MEM_FENCE); return all; }`,
    body: "local int t[4]; int l = get_local_id(0); t[l] = x[i]; int sum = reduced(t, l, Add{}); t[l] = x[i] * (l == 1 ? 2 : 1); int most = reduced(t, l, Max()); y[i] = sum + most * 100 + reduced(t, l, [](int a, int b) { return 1; }) * 10000;",
    y: four(() => 46 + 2200 + 10000),
  },
  {
    name: "atomics and subgroups",
    before: "template <typename T> T of_all(T v) { return sub_group_reduce_add(v); }",
    body: `local atomic_int n; if (i == 0) atomic_init(&n, 5); barrier(CLK_LOCAL_MEM_FENCE); atomic_fetch_add_explicit(&n, i, memory_order_relaxed, memory_scope_work_group);
      barrier(CLK_LOCAL_MEM_FENCE); y[i] = atomic_load_explicit(&n, memory_order_relaxed, memory_scope_work_group) + of_all(i) * 100 + of_all(1) * 10000;`,
    y: four(() => 11 + 600 + 40000),
  },
  {
    name: "assignments evaluate what is assigned first",
    before: "",
    body: "int a[3] = {7, 8, 9}; int k = 0; a[k] = ++k; int m = 0; a[m] += (m = 2) * 10; y[i] = a[0] + a[1] * 10 + a[2] * 100;",
    // C++17 8.18: a[1] = 1, a[2] += 20
    y: four(() => 7 + 10 + 2900),
  },
  {
    name: "overloads by memory, and what takes any",
    before: `int f(int* p) { return *p; } int f(local int* p) { return *p * 2; } int g(int& r) { return r; } int g(const int& r) { return r * 3; }
      struct W { global int* p; global int& in(int k) const { return p[k]; } };`,
    body: `local int t[4]; t[i] = i + 1; barrier(CLK_LOCAL_MEM_FENCE); int v = 5; W w{x}; w.in(i) += 100; y[i] = f(x + i) + f(t + i) * 1000 + f(&v) * 10000 + (g(x[i]) + g(2)) * 100000;`,
    y: four((i) => 110 + i + (i + 1) * 2000 + 50000 + (110 + i + 6) * 100000),
  },
  {
    name: "memory of the program, and locals that are references to global memory",
    before: "struct Cell { int a, b; };",
    body: `auto& cell = reinterpret_cast<global Cell*>(x)[i & 1]; const int& first = cell.a; int was = first; barrier(CLK_GLOBAL_MEM_FENCE); y[i] = was + cell.b * 100;`,
    y: four((i) => (i & 1 ? 12 + 1300 : 10 + 1100)),
  },
];
