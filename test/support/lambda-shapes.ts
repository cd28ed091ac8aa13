/** Kernels of MSL with lambdas that do not escape (C++14 5.1.2): see test/templates.test.ts. */
import type { Shape } from "./class-shapes.js";

const four = (of: (i: number) => number): number[] => [0, 1, 2, 3].map(of);

const loop = "template <typename F> void loop(int n, F f) { for (int k = 0; k < n; k++) f(k); }";
const reduce = `template <typename F> int reduce(device const int* p, int n, thread const F& f) {
  int r = p[0]; for (int k = 1; k < n; k++) r = f(r, p[k]); return r; }`;

export const lambdaShapes: readonly Shape[] = [
  {
    name: "captures by reference that are written, called and handed on",
    before: loop,
    body: `int total = 0; auto add = [&](int j) { total += x[j + i] * 2; }; loop(3, add); add(5); loop(2, [&total](int j) { total += j * 1000; });
      y[i] = total;`,
    // 2 * ((10 + i) + (11 + i) + (12 + i) + (15 + i)) + 1000
    y: four((i) => 96 + 8 * i + 1000),
  },
  {
    name: "captures by value are copies, those by reference are not",
    before: "",
    body: `int off = 7; const int scale = 3; int a[2] = {1, 2}; auto was = [=](int v) { return v * scale + off; }; auto is = [&](int v) { return v * scale + off + a[1]; };
      auto one = [off](int v) { return v - off; }; auto two = [&, off] { return off * 10 + a[0]; }; auto three = [=, &off] { return off; };
      off = 100; a[0] = 5; a[1] = 6; y[i] = was(i) + is(i) * 1000 + one(8) * 1000000 + two() * 10000000 + three();`,
    y: four((i) => i * 3 + 7 + (i * 3 + 106) * 1000 + 1000000 + 750000000 + 100),
  },
  {
    name: "initialised captures",
    before: "",
    body: `int n = 2; auto f = [n = n * i, &r = n](int v) { r += v; return n + v; }; n = 50; int a = f(1); y[i] = a * 100 + n;`,
    y: four((i) => (2 * i + 1) * 100 + 51),
  },
  {
    name: "generic ones, and types of results",
    before: reduce,
    body: `auto plus = [](auto a, auto b) { return a + b; }; auto half_of = [](int v) -> float { return v / 2.0f; }; auto first = [](thread const auto& a, int) { return a; };
      y[i] = plus(i, 2) * 1000 + int(plus(0.5f, 1.25f) * 4.0f) + int(half_of(3) * 10.0f) * 100 + reduce(x, 3, plus) * 10000 + reduce(x + i, 2, [](int a, int b) { return a < b ? b : a; }) * 1000000 + int(first(2.5f, 1) * 2.0f) * 100000000;`,
    // 1.75 * 4; 1.5 * 10; 10 + 11 + 12; 11 + i
    y: four((i) => (i + 2) * 1000 + 7 + 1500 + 330000 + (11 + i) * 1000000 + 500000000),
  },
  {
    name: "called where they stand, with ways out",
    before: "",
    body: `int off = i; int v = [=] { if (off > 1) return 1; return 2; }(); int w = [&](int n) { for (int k = 0; k < n; k++) if (k * k > off) return k; return -1; }(9); y[i] = v * 100 + w;`,
    y: [201, 202, 102, 102],
  },
  {
    name: "lambdas in lambdas, and handed on from template to template",
    before: `${loop}
      template <typename T, typename F> T twice(T v, F f) { auto g = [f](T a) { return f(f(a)); }; return g(v); }
      template <typename F> void grid(int n, F f) { loop(n, [&](int a) { loop(n, [&](int b) { f(a, b); }); }); }
      template <typename F, typename G> void both(F f, G g) { f(3); g(); f(4); }`,
    body: `int total = 0; auto outer = [&](int n) { auto inner = [&](int m) { total += m; }; for (int j = 0; j < n; ++j) inner(j); }; outer(4);
      int cells = 0; grid(3, [&](int a, int b) { cells += a * b + i; }); int turns = 0; both([&](int j) { turns = turns * 10 + j; }, [&] { turns += 1; });
      y[i] = total + cells * 10 + twice(i, [](int q) { return q * 3; }) * 1000 + turns * 100000;`,
    // 0 + 1 + 2 + 3; (0 + 1 + 2)^2 + 9 * i; (3 + 1) * 10 + 4
    y: four((i) => 6 + (9 + 9 * i) * 10 + 9 * i * 1000 + 4400000),
  },
  {
    name: "reading where another writes",
    before: "template <typename F, typename G> int turns(F f, G g) { f(); int a = g(); f(); return a * 10 + g(); }",
    body: "int n = i; y[i] = turns([&] { n += 1; }, [&] { return n; });",
    y: four((i) => (i + 1) * 10 + i + 2),
  },
  {
    name: "of methods, whose object they name",
    before: `struct Acc { int n; int scale; void run(int m) { auto f = [&](int q) { n += q * scale; }; f(m); f(m + 1); }
        int peek() const { auto h = [this](int q) { return n + q + this->scale; }; return h(2); } int next() { auto h = [=] { return bump(); }; return h() * 100 + h(); } int bump() { n++; return n; } };`,
    body: "Acc a = {i, 2}; a.run(3); int p = a.peek(); y[i] = p * 100000 + a.next();",
    // n is i + 14
    y: four((i) => (i + 18) * 100000 + (i + 15) * 100 + i + 16),
  },
  {
    name: "pointers and references that are captured",
    before: "",
    body: `device const int* p = x + i; device int& r = y[i]; auto at = [&](int d) { return p[d]; }; auto then = [=](int d) { return p[d]; }; int b = at(1); p = p + 1; int c = at(1);
      auto put = [&](int v) { r = v; }; put(b * 10000 + c * 100 + then(1));`,
    y: four((i) => (11 + i) * 10000 + (12 + i) * 100 + 11 + i),
  },
  {
    name: "names mean what they mean where the lambda stands",
    before: "constant constexpr int g = 5; int of(int v) { return v + g; }",
    body: "int a = 1; const int n = 2; auto f = [&](int v) { int t[n] = {v, a}; return t[0] * 10 + t[1] + of(v) * 100; }; int r = 0; { int a = 50; int g = 9; r = f(i) + a + g; } y[i] = r;",
    y: four((i) => i * 10 + 1 + (i + 5) * 100 + 59),
  },
  {
    name: "functions as values",
    before: `int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; } float add_f(float a, float b) { return a + b; }
      template <typename F> int fold(device const int* p, F f) { int r = p[0]; for (int k = 1; k < 3; k++) r = f(r, p[k]); return r; }
      template <auto f> int run(int v) { return f(v, 3); } template <typename F, F f> int of(int v) { return f(v, 4); } [[nodiscard]] int same(int v) { return v; }`,
    body: `auto f = add; constexpr auto g = sub; int (*h)(int, int) = &sub; auto e = &add_f; y[i] = f(i, 1) + g(i, 1) * 100 + h(i, 2) * 10000 + fold(x, add) * 1000000 + fold(x, &sub) * 100
      + run<add>(i) + of<decltype(&sub), sub>(i) + int(e(0.5f, 1.0f) * 2.0f) + same(1);`,
    // 10 + 11 + 12; 10 - 11 - 12; i + 3, i - 4, 3, 1
    y: four((i) => i + 1 + (i - 1) * 100 + (i - 2) * 10000 + 33000000 - 1300 + 2 * i - 1 + 4),
  },
  {
    name: "constexpr functions that call themselves at compile time, and packs of lambdas",
    before:
      "constexpr int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); } template <int N> int number() { return N; }",
    body: "int a[fact(3)] = {}; a[5] = i; constexpr int n = fact(4); auto sum = [](auto... v) { return (v + ... + 0); }; y[i] = a[5] + n * 10 + number<fact(5)>() * 1000 + sum(i, 2, 1.5f) * 1000000 + sum();",
    y: four((i) => i + 240 + 120000 + (i + 3.5) * 1000000),
  },
  {
    name: "what is captured by reference is read when the arguments have been evaluated",
    before: `int inc(thread int& v) { v += 3; return v; } template <typename F> int once(F f, int v) { return f(v); }
      struct S { int a; int b; };`,
    body: `int n = i; auto see = [&](int a) { return a * 10 + n; }; auto bump = [&](int d) { n += d; return n; };
      int r = see(n++) * 10 + see(bump(2)); r = r * 10 + once(see, n = 4); r = r * 10 + see(inc(n));
      int a[2] = {i, 2}; auto of = [&](int v) { return a[0] * 100 + a[1] * 10 + v; }; S s{i, 2}; auto whole = [&](int v) { return s.a * 100 + s.b * 10 + v; };
      y[i] = r + of(a[1] = 5) * 100000 + whole(s.b = 6) * 1000;`,
    // i and n = i + 1; n = i + 3; n = 4; n = 7
    y: four(
      (i) =>
        (((i * 10 + i + 1) * 10 + (i + 3) * 11) * 10 + 44) * 10 + 77 + (i * 100 + 55) * 100000 + (i * 100 + 66) * 1000,
    ),
  },
  {
    name: "what a reference to const is to is copied where it is captured by value",
    before: `struct S { int a; int b; }; int go(thread const int& a, thread int& b) { auto f = [=] { return a; }; b = 5; return f() * 10 + a; }
      int part(thread const S& s, thread S& o) { auto f = [=] { return s.a * 10 + s.b; }; o.a = 9; return f() * 10 + s.a; }`,
    body: "int n = i; S s{i, 2}; y[i] = go(n, n) + part(s, s) * 100;",
    y: four((i) => i * 10 + 5 + ((i * 10 + 2) * 10 + 9) * 100),
  },
  {
    name: "copies of lambdas refer to what the lambda refers to",
    before:
      "template <typename F> int go(F f, thread int& n) { auto g = [=] { return f() * 10; }; n = 7; return g(); }",
    body: `int n = i, m = 2; auto f = [&n, m] { n += m; return n; }; auto g = [f] { return f(); }; auto h = [=] { return f() * 10 + m; }; n = 10; m = 50; int a = g(); int b = h();
      y[i] = a + b * 100 + n * 100000 + go([&] { return n; }, n) * 10000000;`,
    // 12; 14, and m as it was
    y: four(() => 12 + 14200 + 1400000 + 700000000),
  },
  {
    name: "of an object that changes, and references to it",
    before: `struct A { int n; int go() { thread int& r = n; auto f = [this] { return n; }; auto g = [=] { auto h = [=] { return n + r; }; return h() * 10 + this->n; }; auto k = [r] { return r; };
        n = 40; return f() * 1000 + g() * 10 + k(); } };`,
    body: "A a{i}; y[i] = a.go();",
    // r is copied.
    y: four((i) => 40000 + ((40 + i) * 10 + 40) * 10 + i),
  },
  {
    name: "one lambda to a template, and with a default behind it",
    before:
      "template <typename F> int call(F f) { return f(1); } template <typename F> int two(F f, int v = 4) { return f(v); } constant constexpr int off = 3;",
    body: `int n = i; int r = call([&](int v) { n += v; return n; }) * 100 + two([=](int v) { return v + n; }); auto f = [] { return off; }; int off = 50;
      y[i] = r + f() * 1000 + off * 10000;`,
    y: four((i) => (i + 1) * 100 + i + 5 + 3000 + 500000),
  },
  {
    name: "constants that are static in lambdas, functions, methods and blocks, and pointers to them",
    before: `static int at(constant int* p, int k) { return p[k & 3]; } int plain(int v) { static constant int T[4] = {1, 2, 3, 4}; constant int* p = T + 1; return at(p, v & 1) + at(T, v); }
      template <typename V> int sized(int v) { static constant V T[] = {1, 2, V(sizeof(V)), 4}; return T[v & 3]; }
      struct Has { int m(int v) const { static constexpr constant int T[] = {10, 20}; return T[v & 1]; } template <typename T> int t(T v) const { static constant T n = 7; return v + n; } };`,
    body: `auto f = [](int v) { static constant int T[4] = {5, 6, 7, 8}; return T[v & 3]; }; auto g = [&](int v) { constexpr constant int T[2] = {1, 2}; return T[(v + i) & 1]; };
      static constant int T[2] = {3, 4}; int n = T[i & 1]; for (int k = 0; k < 2; k++) { static constant int T[2] = {100, 200}; n += T[k]; }
      y[i] = n + plain(i) * 1000 + f(i) * 10000 + g(0) * 100000 + (sized<char>(2) + sized<int>(2) * 2) * 1000000 + Has().m(i) * 10000000 + Has().t(i);`,
    y: four(
      (i) =>
        303 +
        (i & 1) +
        ((i & 1) + 2 + i + 1) * 1000 +
        (5 + i) * 10000 +
        ((i & 1) + 1) * 100000 +
        9000000 +
        ((i & 1) + 1) * 100000000 +
        i +
        7,
    ),
  },
  {
    // clang's program gave these numbers.
    name: "constants that are static and made of constants of the function",
    before: `template <int N, typename T> T at(T v) { constexpr T m = N; static constant T q[N] = {m, T(m * 2)}; return q[v % N]; }`,
    body: `constexpr int m = 3; static constant int q[m] = {m, m * 2, m * 3}; constexpr int w[2] = {4, 5}; static constant int z = w[1] + m; struct P { int a; int b; }; constexpr P p = {6, 7};
      static constant int u = p.b; static constant P pp[2] = {p, {p.a, m}}; auto f = [](int v) { static constant int q[m] = {m, 20, 30}; return q[v % m]; };
      y[i] = q[i % 3] + z * 10 + u * 1000 + pp[0].b * 10000 + pp[i & 1].a * 100000 + pp[1].b * 1000000 + f(i) * 10000000 + at<3>(i);`,
    y: [0, 1, 2, 3].map((i) => 3677080 + 3 * ((i % 3) + 1) + [3, 20, 30, 3][i]! * 10000000 + [3, 6, 0, 3][i]!),
  },
  {
    name: "static functions of structs as values, and templates of them",
    before: `struct S { template <typename T> static int neg(T v) { return int(-v); } static int plain(int v) { return v + 1; } template <int N> static int add(int v) { return v + N; } };
template <typename F> int app(F f, int v) { return f(v); } template <int (*f)(int)> int ap(int v) { return f(v); }`,
    body: `y[i] = app(S::neg<int>, i) + app(S::plain, i) * 10 + app(S::add<5>, i) * 100 + app(&S::neg<float>, 3) * 1000; auto g = S::neg<int>; y[i] += g(2) + ap<S::plain>(3) * 100000 + ap<S::neg<int>>(2) * 1000000;`,
    y: [-1602492, -1602383, -1602274, -1602165],
  },
  {
    name: "static functions of instances as values",
    before: `template <typename T> struct S { template <typename U> static U cv(T v) { return U(v) * 2; } static T one(T v) { return v + 1; } };
template <typename F, typename T> T app(F f, T v) { return f(v); }`,
    body: `y[i] = app(S<int>::cv<int>, i) + app(S<int>::one, i) * 100; auto h = &S<float>::one; y[i] += int(h(1.5f) * 2.0f) * 1000;`,
    y: [5100, 5202, 5304, 5406],
  },
  {
    name: "static functions as values within their struct",
    before: `struct S { template <typename T> static int neg(T v) { return int(-v); } static int tw(int v) { return 2 * v; } int run(int v) { auto f = tw; auto g = neg<int>; return f(v) + g(v) * 10 + ap(tw, v) * 100; } template <typename F> static int ap(F f, int v) { return f(v); } };`,
    body: `S s; y[i] = s.run(i);`,
    y: [0, 192, 384, 576],
  },
  {
    name: "lambdas that capture nothing, in a struct that is called and indexed",
    before: `struct S { int v[4]; int q; int operator()(int k) const { return v[k]; } thread int& operator[](int k) { return v[k]; }
        template <typename F> void each(F f) { for (int k = 0; k < 4; k++) f(k, (*this)[k]); } void clear() { each([](int k, thread int& e) { e = int(k * 2); }); }
        int sum() { int s = 0; each([&](int k, thread int& e) { s += e + operator()(k) + (*this)(0); }); return s; } };`,
    body: "S s; s.clear(); s[1] = i; y[i] = s.sum() + s(3) * 100;",
    y: [620, 622, 624, 626],
  },
];

/** What is refused by name: the body, and the code. */
export const refusedLambdas: readonly (readonly [string, RegExp])[] = [
  ["int n = 0; auto f = [n]() mutable { n++; return n; }; y[i] = f();", /^XL1900 a lambda that is mutable/],
  [
    "auto f = i > 1 ? [i](int a) { return a + i; } : [](int a) { return a; }; y[i] = f(1);",
    /^XL1900 a lambda or function/,
  ],
  ["auto f = made(i); y[i] = f(1);", /^XL1900 a lambda that is returned/],
  ["auto f = [](int v) { return v; }; Holder<decltype(f)> h; y[i] = 1;", /^XL1900 a lambda that is kept in/],
  ["auto f = [](int v) { return v; }; Derived<decltype(f)> h{f}; y[i] = h(1);", /^XL1900 inheriting from a lambda/],
  ["auto f = [](int v) { return v; }; y[i] = sizeof(f);", /^XL1900 sizeof of a lambda/],
  ["int a[2] = {1, i}; auto f = [=] { return a[1]; }; y[i] = f();", /^XL1900 a lambda that captures an array/],
  ["device int* p = x; auto f = [&] { p = p + 1; }; f(); y[i] = p[0];", /^XL1900 a lambda that writes the pointer 'p'/],
  ["y[i] = again(i + 4);", /^XL2008 'again' calls itself/],
  ["auto f = [](int v) { static constant int n = 1; n = v; return n; }; y[i] = f(1);", /^XL2006/],
  ["static constant int n = i; y[i] = n;", /^XL2007 the initialiser of 'n' must be constant/],
  ["constant int n = 1; y[i] = n;", /^XL2009 a local variable in constant memory is static or constexpr/],
  ["int n = 1; auto f = [](int v) { return v + n; }; y[i] = f(1);", /^XL2001 'n' is not captured/],
  ["int n = 1; auto f = [=](int v) { n = v; }; f(2); y[i] = n;", /^XL2006 .*captured by value/],
  ["auto f = [](int v) { return v; }; y[i] = f(1, 2);", /^XL2005 the lambda does not take/],
];
export const beforeRefused =
  "int one(int v) { return v; } int two(int v) { return v + 1; } constexpr int again(int n) { return n < 2 ? 1 : n * again(n - 1); } auto made(int n) { return [=](int v) { return v + n; }; } template <typename F> struct Holder { F f; }; template <typename F> struct Derived : F { int n; };";
