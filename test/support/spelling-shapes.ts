/** Kernels of MSL about ways to write declarations and names: see test/templates.test.ts. Expected values are those of clang's program. */
import type { Shape } from "./class-shapes.js";

const four = (of: (i: number) => number): number[] => [0, 1, 2, 3].map(of);

export const spellingShapes: readonly Shape[] = [
  {
    name: "noexcept of an expression, variables with their name in parentheses, and calls of what a type elsewhere is named like",
    before: `int f(int v) noexcept(true) { return v; } struct S { int m() const noexcept(sizeof(int) == 4) { return 3; } S() noexcept(noexcept(f(1))) {} };
      template <typename T> int g(T v) noexcept(noexcept(v + 1)); template <typename T> int g(T v) noexcept(noexcept(v + 1)) { return 2; }
      namespace n { struct h { int a; }; } int h(thread int& v) { v += 2; return v; } struct A { typedef int p; }; int p(thread int* v) { *v += 5; return 1; }`,
    body: `S s; auto l = [](int v) noexcept(true) { return v; }; int (q)(5); float (r){2.5f}; thread int* at = &q; h (*at); p (&q);
      y[i] = f(i) + s.m() * 10 + g(1) * 100 + l(1) * 1000 + q * 10000 + int(r * 2.0f) * 1000000 + h (*at) * 10000000;`,
    y: four((i) => i + 30 + 200 + 1000 + 120000 + 5000000 + 140000000),
  },
  {
    name: "operators that are templates, with their arguments said",
    before: `struct S { template <typename T> int operator()(T v) const; template <typename T> int operator+(T v) const { return 1; } };
      struct R { template <typename T> int operator()(T v) const { return 1; } template <> int operator()<float>(float v) const { return 2; } };
      template <typename T> int S::operator()(T v) const { return 1; } template <> int S::operator()<float>(float v) const { return 2; }
      template <> int S::operator+<float>(float v) const { return 3; }`,
    body: `S s; R r; y[i] = s(1) + s(1.0f) * 10 + (s + 1) * 100 + (s + 1.0f) * 1000 + s.operator()<float>(1) * 10000 + s.template operator()<int>(2.5f) * 100000
        + r(i) * 1000000 + r(2.5f) * 10000000 + (s.operator()<int>(1) < 2 ? 100000000 : 0);`,
    y: four(() => 121123121),
  },
  {
    name: "specialisations that are declared, used and then defined, and of the most special of templates",
    before: `struct S { template <typename T> static int f(T v) { return 1; } template <typename T> int g(T v) const { return 1; } };
      template <> int S::f<int>(int); int use() { return S::f(1); } template <> int S::f<int>(int v) { return 2; } template <> int S::g<int>(int) const;
      template <typename T> int h(T v) { return 1; } template <> int h<int>(int v); int uses() { S s; return h(1) + h(2.5f) * 10 + s.g(1) * 100; }
      template <> int h<int>(int v) { return 3; } template <> int S::g<int>(int v) const { return 4; }
      template <typename T> int k(T v) { return 1; } template <typename T> int k(thread T* v) { return 2; } template <> int k(thread int* v) { return 5; }`,
    body: "int q = 1; float r = 1; y[i] = use() + uses() * 10 + k(&q) * 10000 + k(&r) * 100000 + k(q) * 1000000;",
    y: four(() => 2 + 4130 + 50000 + 200000 + 1000000),
  },
  {
    name: "types and sizes of members among the members",
    before: `struct S { float m; typedef decltype(m) T; T n; int q = sizeof(m) + sizeof(T); decltype(m + 1) w; enum { e = sizeof(n) }; int z[sizeof(m)]; };
      template <typename T> struct R { T m[3]; decltype(m) n; static_assert(sizeof(m) == 3 * sizeof(T), ""); decltype(m[0] + 1.0f) w; static constexpr constant int k = sizeof(n); };
      struct L { float v; short b; }; constexpr constant short b = 1; struct M { int own[sizeof(b)]; int b; }; struct D : L { decltype(b) c; int own[sizeof(b)]; };`,
    body: `S s; s.m = 1.5f; s.n = 2.5f; s.w = 3.5f; R<int> r; r.m[1] = 1; r.n[2] = 5; r.w = 2.5f; L l; l.v = 2.5f; M m; m.b = 1; D d; d.c = short(i); d.own[1] = 7;
      y[i] = int(s.m + s.n + s.w) + s.q * 10 + S::e * 1000 + int(sizeof(s.z)) * 1000 + r.m[1] + r.n[2] + int(r.w * 2.0f) * 100000 + R<int>::k * 1000000
        + int(l.v * 2.0f) * int(sizeof(m.own) / 8) + d.c + int(sizeof(d.c) + sizeof(d.own)) * 100000000;`,
    y: four((i) => 7 + 80 + 4000 + 16000 + 6 + 500000 + 12000000 + 5 + i + 1000000000),
  },
];

/** Each alone is refused by its name: before the kernel, in it, and what is said. */
export const refusedSpellings: readonly (readonly [string, string, RegExp])[] = [
  ["int f(int v) try { return v; } catch (...) { return 1; }", "y[i] = f(i);", /^XL1900 exception handling/],
  ["struct S { int v; S(int q) try : v(q) {} catch (...) {} };", "S s(i); y[i] = s.v;", /^XL1900 exception handling/],
  [
    "struct S { void* operator new(ulong n); void operator delete(void* p); int v; };",
    "S s; s.v = i; y[i] = s.v;",
    /^XL1900 a function for memory, 'operator new' or 'operator delete', is/,
  ],
  [
    "int f(int v) { thread void* p = &&out; goto *p; out: return v; }",
    "y[i] = f(i);",
    /^XL1900 (the address of a label|a computed goto) is/,
  ],
  ["consteval int f(int v) { return v + 1; }", "y[i] = f(3);", /^XL1900 'consteval' is/],
  ["constinit constant int q = 3;", "y[i] = q;", /^XL1900 'constinit' is/],
  ["template <typename T> concept C = sizeof(T) == 4;", "y[i] = C<int>;", /^XL1900 a concept is/],
  ["template <typename T> requires (sizeof(T) == 4) int f(T v) { return 1; }", "y[i] = f(i);", /^XL1900 'requires' is/],
  ["template <typename T> int f(T v) requires (sizeof(T) == 4) { return 1; }", "y[i] = f(i);", /^XL1900 'requires' is/],
  ["template <typename T> constexpr bool ok = requires(T t) { t.x; };", "y[i] = ok<int>;", /^XL1900 'requires' is/],
  ["int f(int v) { return v; }", "y[i] = noexcept(f(1));", /^XL1900 'noexcept' of an expression is/],
  [
    "struct S { mutable int m; int f() const { return ++m; } };",
    "S s{3}; y[i] = s.f();",
    /^XL2006 this cannot be written: 'm' is mutable, and its object const: leave that const out/,
  ],
  [
    "template <typename F> int app(F f, int v) { return f(v); } int neg(int v) { return -v; } int neg(float v) { return 1; }",
    "y[i] = app(neg, i);",
    /^XL2017 'neg' means several functions, and nothing here says which/,
  ],
];
