/** Kernels of MSL about lists in braces as arguments (C++14 8.5.4, 13.3.3.1.5): see test/templates.test.ts. Expected values are those of clang's program. */
import type { Shape } from "./class-shapes.js";

export const listShapes: readonly Shape[] = [
  {
    name: "lists as arguments of constructors",
    before: `struct P { int a, b; }; struct S { int v; S(P p) : v(p.a * 10 + p.b) {} S(P p, int k) : v(p.a + k) {} };`,
    body: `S s({1, 2}); S tt{{3, i}}; S u({4, 5}, 6); S w{{1, 2}, 3}; S z = S({5, 6}); y[i] = s.v + tt.v * 100 + u.v * 10000 + w.v * 100000 + z.v * 1000000;`,
    y: [56503012, 56503112, 56503212, 56503312],
  },
  {
    name: "lists for function objects",
    before: `struct P { int a, b; }; struct F { int operator()(P p) const { return p.a * 10 + p.b; } int operator()(P p, int k) const { return p.a + k; } };`,
    body: `F f; y[i] = f({1, i}) + f({3, 4}, 5) * 100;`,
    y: [810, 811, 812, 813],
  },
  {
    name: "lists for lambdas",
    before: `struct P { int a, b; };`,
    body: `auto l = [](P p) { return p.a * 10 + p.b; }; y[i] = l({1, i});`,
    y: [10, 11, 12, 13],
  },
  {
    name: "lists for lambdas with parameters of any type",
    before: `struct P { int a, b; };`,
    body: `auto l = [](P p, auto q) { return p.a * 10 + p.b + q; }; y[i] = l({1, i}, 2);`,
    y: [12, 13, 14, 15],
  },
  {
    name: "lists that one of several functions takes",
    before: `struct P { int a, b; }; struct Q { int a; int b; int c; }; int f(P p) { return p.a + p.b; } int f(Q q) { return q.c; }`,
    body: `y[i] = f({1, 2, i});`,
    y: [0, 1, 2, 3],
  },
  {
    name: "lists of one object for references",
    before: `struct A { int x; }; enum E { e0, e1 };
      int f(const thread A&) { return 1; } int f(thread A&&) { return 2; } int g(thread A& a) { a.x = 7; return 3; } int g(const thread A&) { return 4; }
      int p(const thread E&) { return 5; } int p(thread E&&) { return 6; } int q(const thread A&, int) { return 7; } int q(thread A&&, long) { return 8; }`,
    body: `A a{i}; E e{}; y[i] = f({a}) + g({a}) * 10 + a.x * 100 + f({1}) * 1000 + p({e}) * 10000 + q({a}, 1) * 100000 + f({}) * 1000000 + p({e1}) * 10000000;`,
    y: [62752731, 62752731, 62752731, 62752731],
  },
  {
    name: "pointers as bools of calls",
    before: `int f(bool b) { return b ? 1 : 2; } int g(const thread bool& b, int) { return b ? 3 : 4; } int g(thread float *, long) { return 5; }`,
    body: `int a[2] = {i, 2}; thread int *n = 0; y[i] = f(&a[1]) + f(a) * 10 + f(n) * 100 + g(a, 1) * 1000;`,
    y: [3211, 3211, 3211, 3211],
  },
  {
    name: "objects that convert: to the type itself, explicitly, too, and else by what is promoted",
    before: `enum E { e0, e3 = 3 };
      struct S { operator short() const { return 5; } explicit operator float() const { return 1.5f; } }; struct T { operator long() const { return 7; } operator E() const { return e3; } };
      struct U { explicit operator char() const { return 9; } operator int() const { return 4; } };`,
    body: `S s; T w; U u; float a(s), b{s}, c = s; int d(w); int e = w; short f = short(u), g(u); char h(u), k = u; y[i] = int(a * 2) + int(b * 2) * 10 + int(c) * 100 + d * 1000 + e * 10000 + f * 100000 + g * 1000000 + h * 10000000 + k * 100000000;`,
    y: [494433533, 494433533, 494433533, 494433533],
  },
  {
    name: "explicit constructors of lists that are their arguments",
    before: `struct X { int v; explicit X(int a) : v(a) {} explicit X() : v(7) {} X(float a) : v(9) {} }; struct M { X x{3}; X z = {1.5f}; X w{}; }; int g(X s) { return s.v; }`,
    body: `X s{i}; X u{}; M m; y[i] = s.v + u.v * 10 + m.x.v * 100 + m.z.v * 1000 + m.w.v * 10000 + g(X{4}) * 100000 + g({2.5f}) * 1000000;`,
    y: [9479370, 9479371, 9479372, 9479373],
  },
  {
    name: "an object and a number, of which one becomes the other, chosen",
    before: `struct S { int v; operator int() const { return v + 1; } }; struct T { int v; T(int a) : v(a * 2) {} }; struct B { int v; }; struct D : B { int w; };`,
    body: `S s = {i}; T w(3); B b = {4}; D d; d.v = 6; d.w = 7; y[i] = (i > 1 ? s : 50) + (i > 1 ? w : i).v * 100 + (i > 1 ? b : d).v * 1000 + int(i > 1 ? 2.5f : 1) * 10000;`,
    y: [16050, 16250, 24603, 24604],
  },
  {
    name: "lists of a number for overloads of numbers",
    before: `int f(int v) { return v; } int f(float v) { return 100; }`,
    body: `y[i] = f({3}) + f({2.5f});`,
    y: [103, 103, 103, 103],
  },
  {
    name: "a number in a list before a struct of one",
    before: `struct P { int a; }; int f(P v) { return v.a; } int f(int v) { return 100 + v; }`,
    body: `y[i] = f({3});`,
    y: [103, 103, 103, 103],
  },
  {
    name: "lists beside numbers that decide",
    before: `struct P { int a, b; }; int f(P v, int k) { return v.a; } int f(P v, float k) { return 100 + v.b; }`,
    body: `y[i] = f({3, 4}, 1) + f({3, 4}, 1.0f);`,
    y: [107, 107, 107, 107],
  },
  {
    name: "lists that one of two constructors takes",
    before: `struct A { int v; A(int q) : v(q) {} }; struct B { int v; B(float q) : v(7) {} B(int q, int r) : v(q + r) {} }; int f(A a) { return a.v; } int f(B b) { return 100 + b.v; }`,
    body: `y[i] = f({3, 4});`,
    y: [107, 107, 107, 107],
  },
  {
    name: "lists within lists of constructors",
    before: `struct P { int a, b; }; struct W { P p; int c; }; struct X { P p; X(P q) : p(q) {} }; struct Y { int v; Y(int a, int b) : v(a + b) {} };`,
    body: `W w{{1, 2}}; W v{{1, 2}, 3}; X xx{{3, 4}}; Y y2{1, 2}; y[i] = w.p.a + w.p.b * 10 + w.c * 100 + v.c * 1000 + xx.p.b * 10000 + y2.v * 100000;`,
    y: [343021, 343021, 343021, 343021],
  },
  {
    name: "lists for constructors of templates",
    before: `template <typename T> struct P { T a, b; }; template <typename T> struct W { P<T> p; W(P<T> q) : p(q) {} W(T a) : p{a, a} {} };`,
    body: `W<int> w{{1, 2}}; W<int> v({3, 4}); W<int> u{5}; y[i] = w.p.a + w.p.b * 10 + v.p.b * 100 + u.p.b * 1000;`,
    y: [5421, 5421, 5421, 5421],
  },
  {
    name: "lists in initialisers of members, and returned",
    before: `struct P { int a, b; }; struct S { P p; int k; S(P q, int c) : p(q), k(c) {} }; struct T { S s; T() : s({1, 2}, 3) {} T(int v) : s{{v, 4}, 5} {} }; S mk(int v) { return {{v, 2}, 3}; }`,
    body: `T tt; T u(6); S s = mk(i); y[i] = tt.s.p.b + tt.s.k * 10 + u.s.p.a * 100 + u.s.k * 1000 + s.p.a * 10000 + s.p.b * 100000;`,
    y: [205632, 215632, 225632, 235632],
  },
  {
    name: "lists as arguments of methods, and behind operators that assign",
    before: `struct P { int a, b; }; struct M { int v; int f(P p) const { return p.a; } int f(P p, int k) const { return p.b + k; } static int g(P p) { return p.b; } thread M& operator+=(P p) { v += p.a + p.b; return *this; } thread M& operator=(P p) { v = p.a; return *this; } };`,
    body: `M m{1}; m += {2, 3}; int q = m.v; m = {7, 8}; y[i] = q + m.f({1, 2}) * 100 + m.f({1, 2}, 3) * 1000 + M::g({4, 5}) * 10000 + m.v * 100000;`,
    y: [755106, 755106, 755106, 755106],
  },
  {
    name: "lists for several functions, of which other arguments decide",
    before: `struct P { int a; }; struct Z { int z; }; int f(P v, Z k) { return v.a; } int f(int v, float k) { return 100 + v; }`,
    body: `Z z{1}; y[i] = f({3}, z) + f({3}, 1.0f) * 1000;`,
    y: [103003, 103003, 103003, 103003],
  },
  {
    name: "what is done in lists that several functions take, once",
    before: `struct P { int a; int b; }; struct Q { int a, b; Q(int x, int z) : a(z), b(x) {} Q(int x, int y, int z) : a(1), b(z) {} }; int f(P v, int k) { return v.a * 10 + v.b + k * 100; } int f(Q v, float k) { return 1000 + v.a + v.b; } int g(thread int& n) { return ++n; }`,
    body: `int n = i; y[i] = f({g(n), g(n)}, g(n)) + n * 100000;`,
    y: [300312, 400423, 500534, 600645],
  },
  {
    name: "lists in parentheses that are objects to copy",
    before: `struct S { int v; S(int a, int b) : v(a * 10 + b) {} S(int a) : v(a) {} };`,
    body: `S s({1, 2}); S tt({5}); S u(S{3, 4}); y[i] = s.v + tt.v * 100 + u.v * 1000;`,
    y: [34512, 34512, 34512, 34512],
  },
  {
    name: "lists for constructors of bases, and those that are inherited",
    before: `struct P { int a, b; }; struct B { P p; int k; B(P q, int c = 4) : p(q), k(c) {} }; struct D : B { D(int v) : B({v, 2}) {} D() : B{{7, 8}, 9} {} using B::B; };`,
    body: `D d(i); D e; D f({5, 6}); D g({1, 2}, 3); y[i] = d.p.a + d.p.b * 10 + d.k * 100 + e.p.a * 1000 + e.k * 10000 + f.p.b * 100000 + f.k * 1000000 + g.k * 10000000;`,
    y: [34697420, 34697421, 34697422, 34697423],
  },
  {
    name: "lists as defaults, for references, and for given templates",
    before: `struct P { int a, b; }; int f(P p = {3, 4}, int k = 1) { return p.a + p.b * 10 + k * 100; } int g(thread const P& p) { return p.a - p.b; } template <typename T> struct V { T x, y; }; template <typename T> T h(V<T> v, T w) { return v.x + v.y * w; }`,
    body: `y[i] = f() + f({1, 2}) * 10 + g({9, 3}) * 1000 + h<int>({1, 2}, 3) * 100000;`,
    y: [707353, 707353, 707353, 707353],
  },
  {
    name: "lists beside what templates deduce",
    before: `struct P { int a, b; }; template <typename T> int f(P p, T v) { return p.a + int(v); } template <typename T> int f(T v, P p) { return p.b * 10 + int(v); } int g(P p) { return 1; } template <typename T> int g(T v) { return 2; }`,
    body: `y[i] = f({1, 2}, i) + f(i, {3, 4}) * 100 + g({1, 2}) * 10000;`,
    y: [14001, 14102, 14203, 14304],
  },
  {
    name: "lists that are vectors",
    before: `int f(int2 v) { return v.x * 10 + v.y; } int g(float4 v, int k) { return int(v.w) + k; } struct S { float2 v; int k; S(float2 a, int b) : v(a), k(b) {} };`,
    body: `S s({1.0f, 2.0f}, 3); S tt{{4.0f, 5.0f}, 6}; y[i] = f({1, i}) + g({1.0f, 2.0f, 3.0f, 4.0f}, 5) * 100 + int(s.v.y) * 1000 + s.k * 10000 + int(tt.v.x) * 100000 + tt.k * 1000000;`,
    y: [6432910, 6432911, 6432912, 6432913],
  },
  {
    name: "lists three deep",
    before: `struct P { int a, b; }; struct Q { P p; P q; Q(P x, P z) : p(x), q(z) {} }; struct R { Q q; int k; R(Q v, int c) : q(v), k(c) {} };`,
    body: `R r{{{1, 2}, {3, i}}, 5}; R s({{6, 7}, {8, 9}}, 4); y[i] = r.q.p.b + r.q.q.b * 10 + r.k * 100 + s.q.p.a * 1000 + s.q.q.b * 10000 + s.k * 100000;`,
    y: [496502, 496512, 496522, 496532],
  },
  {
    name: "lists for overloads of methods",
    before: `struct P { int a, b; }; struct M { int v; int f(P p) { return p.a; } int f(P p) const { return p.b; } int f(int k) { return k * 100; } template <typename T> int t(T q, P p) { return int(q) + p.b; } };`,
    body: `M m{1}; const M c{2}; y[i] = m.f({1, 2}) + c.f({3, 4}) * 10 + m.f({5}) * 100 + m.t(2.5f, {6, 7}) * 100000;`,
    y: [950041, 950041, 950041, 950041],
  },
  {
    name: "lists for lambdas, with what they capture",
    before: `struct P { int a, b; };`,
    body: `int k = 3; auto l = [&](P p, P q = {1, 1}) { return p.a * k + q.b; }; auto w = [=](auto f) { return f({4, 5}); }; y[i] = l({1, 2}) + l({2, 2}, {3, 7}) * 100 + w([](P p) { return p.b; }) * 10000;`,
    y: [51304, 51304, 51304, 51304],
  },
  {
    name: "lists of nothing",
    before: `struct P { int a = 5, b = 6; }; struct S { P p; S(P q) : p(q) {} }; int f(P p) { return p.a + p.b; } int g(int v) { return v + 1; } int g(P p) { return 50; }`,
    body: `S s({}); S tt{{}}; y[i] = f({}) + s.p.b * 100 + tt.p.a * 1000 + g({}) * 10000;`,
    y: [15611, 15611, 15611, 15611],
  },
  {
    name: "lists from which templates deduce nothing",
    before: `struct P { int a, b; }; template <typename T> struct V { T a, b; }; int g(P p, float k) { return 1; } template <typename T> int g(T v, int k) { return 2; } struct M { int g(P p, float k) { return 1; } template <typename T> int g(T v, int k) { return 2; } int operator()(P p, float k) { return 3; } template <typename T> int operator()(T v, int k) { return 4; } };
      template <typename T> int f(V<T> v, T w) { return 1; } int f(V<float> v, float w) { return 2; } template <typename T> int h(V<T> v, T w, int z) { return v.b; } template <typename T> int h(V<T> v, T w, float z) { return 4; } int h(int v, int w, int k) { return 5; }`,
    body: `M m; y[i] = g({1, 2}, 3) + m.g({1, 2}, 3) * 10 + f({1, 2}, 3) * 100 + h({1, 2}, 3, 4) * 1000 + h({1, 2}, 3, 4.0f) * 10000 + h({1}, 3, 4) * 100000 + m({1, 2}, 3) * 1000000;`,
    y: [3542111, 3542111, 3542111, 3542111],
  },
  {
    name: "lists that are no object of a type which others convert to or inherit from",
    before: `struct P { int a, b; operator int() const { return a; } }; int f(P v, float k) { return 1; } int f(int v, int k) { return 2; } struct B { int a; B(int x) : a(x) {} }; struct D : B { int b; D(int x, int z) : B(x), b(z) {} }; int g(B v, int k) { return 3; } int g(D v, float k) { return 4; }
      template <typename... A> int h(P p, A... a) { return sizeof...(a); } int h(int p, int k) { return 9; }`,
    body: `y[i] = f({1, 2}, 3) + g({1, 2}, 3) * 10 + h({1, 2}, 1, 2) * 100 + h({1}, 2) * 1000;`,
    y: [9241, 9241, 9241, 9241],
  },
  {
    name: "lists of an object, which are that",
    before: `struct P { int a, b; }; struct D : P { int c; }; struct Q { int v; Q(P p) : v(p.a) {} }; P same(P p) { return {p}; } int f(P p) { return 1; } int f(Q p) { return 2; } int g(D d) { return 3; } int g(P d) { return 4; }`,
    body: `P p{1, 2}; P q{p}; P r = {q}; D d{{3, 4}, 5}; P e{d}; P w[2] = {{p}, {d}}; y[i] = r.b + e.a * 10 + w[0].a * 100 + w[1].b * 1000 + same(p).b * 10000 + f({p}) * 100000 + f({d}) * 1000000 + g({d}) * 10000000 + g({p}) * 100000000;`,
    y: [431124132, 431124132, 431124132, 431124132],
  },
];

/** What clang calls ambiguous: before the kernel, in it, and what is said. */
export const ambiguousLists: readonly (readonly [string, string, RegExp])[] = [
  [
    "struct X { int v; explicit X(int a) : v(a) {} X(float a) : v(9) {} };",
    "X s = {i}; y[i] = s.v;",
    /^XL2005 the constructor of struct X that fits is explicit, and this is no call of it/,
  ],
  [
    "struct X { int v; explicit X(int a, int b) : v(a + b) {} }; int g(X s) { return s.v; }",
    "y[i] = g({i, 1});",
    /^XL2005 the constructor of struct X that fits is explicit, and this is no call of it/,
  ],
  [
    "struct X { int v; explicit X() : v(1) {} }; X g() { return {}; }",
    "y[i] = g().v;",
    /^XL2005 the constructor of struct X that fits is explicit, and this is no call of it/,
  ],
  [
    "int f(thread char& v) { return v; } template <typename T> int f(T v) { return 100; }",
    "bool b = i == 1; y[i] = f({b});",
    /^XL2005 no function 'f' takes \(a list\)/,
  ],
  [
    "struct P { int a; }; int f(P v, int k) { return v.a; } int f(int v, float k) { return 100 + v; }",
    "y[i] = f({3}, 1);",
    /^XL2005 the call of 'f' with \(a list, int\) fits several functions equally well/,
  ],
  [
    "struct A { int v; A(int q) : v(q) {} }; struct B { int v; B(int q) : v(7) {} }; int f(A a) { return a.v; } int f(B b) { return 100 + b.v; }",
    "y[i] = f({3});",
    /^XL2005 the call of 'f' with \(a list\) fits several functions equally well/,
  ],
  [
    "struct P { int a, b; }; struct S { int v; S(int a, int b) : v(a * 10 + b) {} S(P p) : v(p.a) {} };",
    "S s({1, 2}); y[i] = s.v;",
    /^XL2005 several constructors of struct S fit equally well/,
  ],
];
