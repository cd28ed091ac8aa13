/** Kernels of MSL about references to what has no other name, and about types that are references: see test/templates.test.ts. */
import type { Shape } from "./class-shapes.js";

const four = (of: (i: number) => number): number[] => [0, 1, 2, 3].map(of);

const kinds =
  "struct S { int v; }; int kind(thread S&) { return 1; } int kind(thread const S&) { return 2; } int kind(thread S&&) { return 3; }";

export const referenceShapes: readonly Shape[] = [
  {
    name: "&& of values, of what is moved and of what is cast",
    before: `struct S { int v; int w; S(int a) : v(a), w(a + 1) {} S(thread const S& o) = default; S(thread S&& o) : v(o.v), w(o.w) {} };
      int take(thread S&& s) { s.v += 100; return s.v; }
      template <typename T> T&& pass(thread T& x) { return static_cast<T&&>(x); }
      int written(int&& n) { n *= 2; return n; }`,
    body: `S s(i); y[i] = take(S(3)); y[i] += take(static_cast<S&&>(s)) * 10; y[i] += take(pass(s)) * 100; S m(static_cast<S&&>(s)); m.v += 1; y[i] += s.v * 10000 + m.v * 100000 + m.w;
      int&& u = i + 4; u++; y[i] += u * 100000000 + written(i + 1);`,
    y: four(
      (i) =>
        103 +
        (i + 100) * 10 +
        (i + 200) * 100 +
        (i + 200) * 10000 +
        (i + 201) * 100000 +
        i +
        1 +
        (i + 5) * 100000000 +
        (i + 1) * 2,
    ),
  },
  {
    // C++14 13.3.3.2, 14.8.2.1 (3).
    name: "forwarded, as what it was given",
    before: `${kinds} template <typename T> int forwarded(T&& x) { return kind(static_cast<T&&>(x)); } template <typename T> int named(T&& x) { return kind(x); }
      template <typename T> void bump(T&& x) { x += 10; }
      template <typename F> int apply(F&& f, int n) { return f(n) + f(n + 1); }
      struct Add { int n; int operator()(int v) const { return v + n; } };`,
    body: `S s; s.v = i; const S c = s; y[i] = forwarded(s) + forwarded(c) * 10 + forwarded(S()) * 100 + named(S()) * 1000;
      int a[2] = {1, i}; bump(a[1]); bump(x[4 + i]); Add add; add.n = 5; int base = 3;
      y[i] += a[1] * 10000 + (x[4 + i] - 14) * 1000000 + apply([&](int z) { return z * base; }, 2) + apply(add, 1) + apply(Add{7}, 1);`,
    y: four((i) => 1 + 20 + 300 + 1000 + (i + 10) * 10000 + (i + 10) * 1000000 + 15 + 13 + 17),
  },
  {
    // C++14 5.16: of two places of one type `?:` is a place, and so are its parts.
    name: "parts and addresses of what is chosen",
    before: `struct S { int a[2]; int n; int2 v; }; int read(thread const int& v) { return v * 2; }
      void step(thread int& v) { v += 1; }`,
    body: `bool c = (i & 1) != 0; int2 v = int2(1, 1), w = int2(2, 2); S s, u; s.n = 1; u.n = 2; s.a[0] = u.a[0] = 3; s.a[1] = u.a[1] = 4; s.v = u.v = int2(5, 6); int a = 1, b = 2, k = 0;
      (c ? v : w).x = 7; (c ? s : u).a[k++] = 8; (c ? s : u).a[i >> 1] += 10; thread int* p = &(c ? a : b); *p = 9; (c ? s : u).n += 3; thread S* q = &(c ? s : u); q->n++; (c ? s : u).v[1] = 0; (c ? s : u).v.x++;
      step((c ? s : u).a[1]); step((c ? s : u).n); int r = read((c ? v : w).x) + read((c ? s : u).a[0]) + read(w.y);
      y[i] = v.x + w.x * 10 + s.a[0] * 100 + u.a[1] * 1000 + a * 100000 + b * 1000000 + s.n * 10000000 + u.n * 100000000 + s.v.x + u.v.y + k + r;`,
    y: four((i) => {
      const [c, low] = [i % 2 === 1, i < 2];
      const a0 = low ? 18 : 8;
      const a1 = (low ? 4 : 14) + 1;
      const read = 7 * 2 + a0 * 2 + 4;
      return c
        ? 7 + 20 + a0 * 100 + 4000 + 900000 + 2000000 + 60000000 + 200000000 + 6 + 6 + 1 + read
        : 1 + 70 + 300 + a1 * 1000 + 100000 + 9000000 + 10000000 + 700000000 + 5 + 0 + 1 + read;
    }),
  },
  {
    name: "auto && of places and of values",
    before: "int three() { return 3; }",
    body: `int a[3] = {1, 2, i}; auto&& e = a[2]; e += 7; auto&& w = a[0] + 1; w += 1; auto&& n = three(); n += i; int sum = 0; for (auto&& v : a) { v *= 2; sum += v; }
      auto f = [](auto&& z) { z += 1; return z; }; int g = f(a[0]) + f(5); y[i] = a[2] + w * 100 + n * 1000 + sum * 10000 + g * 1000000 + a[0] * 100000000;`,
    y: four((i) => 2 * (i + 7) + 300 + (3 + i) * 1000 + (2 + 4 + 2 * (i + 7)) * 10000 + 9000000 + 300000000),
  },
  {
    // C++14 8.3.2, 14.3.1.
    name: "types that are references",
    before: `template <typename T> void set(T t) { t = 5; } typedef thread int& R; using Q = thread const int&;
      template <typename T> struct Holder { static constexpr constant int kind = 0; }; template <typename T> struct Holder<thread T&> { static constexpr constant int kind = 1; };
      template <typename T> struct Holder<thread T&&> { static constexpr constant int kind = 2; };
      template <typename T> int level(T&&) { return is_lvalue_reference<T>::value ? 1 : is_reference<T>::value ? 2 : is_same<T, int>::value ? 3 : 4; }`,
    body: `int a = 1, b = 2, c = 3; set<thread int&>(a); set<int>(c); R r = b; r = 7; Q q = b; b = 9; thread R rr = r; rr += 1;
      y[i] = a + b * 10 + c * 1000 + q * 10000 + (is_same<int, thread int&>::value ? 1000000 : 0) + Holder<int>::kind + Holder<thread int&>::kind * 2000000 + Holder<thread int&&>::kind * 10000000 + level(a) * 100000000 + level(1) * 200000000;
      y[i] += is_same<remove_reference<R>::type, int>::value ? i : 0;`,
    y: four((i) => 5 + 100 + 3000 + 100000 + 2000000 + 20000000 + 100000000 + 600000000 + i),
  },
  {
    // C++14 7.1.6.2 (4).
    name: "decltype of a place is a reference, of a name what that is",
    before: `template <typename T> auto at(thread T& a, int k) -> decltype(a[k]) { return a[k]; }
      template <typename T> int twice(T&& x) { decltype(x) same = x; same += 1; return x * 2; }
      struct P { int n; };`,
    body: `int a[3] = {1, 2, 3}; decltype(a[0]) e = a[0]; e = 50; decltype((a[1])) f = a[1]; f += 10; decltype(a[0] + 1) g = a[0]; g = 0; thread int& r = a[2]; decltype(r) s = r; s += i;
      P p; p.n = 1; decltype(p.n) n = p.n; n = 8; at(a, 1) += 100; int z = 4; int u = twice(z);
      y[i] = a[0] + a[1] * 100 + a[2] * 100000 + p.n * 1000000 + z * 10000000 + u * 100000000;`,
    y: four((i) => 50 + 11200 + (3 + i) * 100000 + 1000000 + 50000000 + 1000000000),
  },
  {
    // C++14 8.5.3 (5): the reference is to an object of its own that the other became, or to the base.
    name: "references to what an object becomes",
    before: `struct C { int v; C(int a) : v(a) {} operator int() const { return v; } };
      struct B { int v; B(int a) : v(a) {} int who() const { return 1; } }; struct D : B { D(int a) : B(a) {} int who() const { return 2; } };
      int kind(thread const B&) { return 1; } int kind(thread const D&) { return 2; }`,
    body: `int a = 3; thread const float& f = a; float&& g = a; a = 5; g += 0.5f; uint u = 7; thread const int& n = u; u = 8; C c(4); thread const int& o = c; c.v = 9; thread const C& d = a; a = 6;
      int s = 0, first = i; for (thread const float& h = i; i < 4; i++) s += int(h * 2.0f); i -= 4 - first; D e(2); thread B& b = e; b.v += 5;
      y[i] = int(f) + int(g * 2.0f) * 10 + n * 100 + o * 1000 + d.v * 10000 + s * 100000 + (e.v * 10 + kind(b) + b.who()) * 10000000 + a;`,
    y: four((i) => 3 + 70 + 700 + 4000 + 50000 + 2 * i * (4 - i) * 100000 + 720000000 + 6),
  },
  {
    // C++14 7.1.6.2 (4), 5.3.2, 5.16 to 5.18.
    name: "decltype of what is a place once it has been evaluated",
    before: "",
    body: `int a = 1, b = 2; decltype(++a) p = a; p = 5; decltype(a = 3) q = a; q += 2; decltype(i < 9 ? a : b) r = a; r += 10; decltype((a, b)) s = b; s = 7; decltype(a += 1) z = a; z++;
      decltype(a++) v = a; v = 0; decltype(i < 9 ? a : 1) w = a; w = 0; y[i] = a + b * 100 + v + w + i;`,
    y: four((i) => 18 + 700 + i),
  },
  {
    // C++14 5.2.5 (4), 8.5.3, 13.3.3.2: what is const of an object chooses as other const does.
    name: "members that are const",
    before: `struct T { const int c; int d; const int a[2]; T(int n) : c(n), d(n), a{n, n + 1} {} int both() const { return c + d; } }; T made() { return T(3); }
      struct B { const int z = 4; int w; B(int n) : w(n) {} }; struct E : B { E(int n) : B(n) {} }; struct P { const int a; int n; };
      int kind(thread int&) { return 1; } int kind(thread const int&) { return 2; } int kind(thread int&&) { return 3; }`,
    body: `T o(i); o.d++; thread T* p = &o; T u = o; E e(2); P s[2] = {{1, 2}, {3, 4}}; s[1].n++; auto& r = o.c; const int k = 7; auto& q = k;
      y[i] = kind(o.c) + kind(o.d) * 10 + kind(o.a[1]) * 100 + kind(made().c) * 1000 + kind(made().d) * 10000 + kind(p->c) * 100000 + kind(r) * 1000000
        + (o.both() + u.a[1] + e.z + e.w + s[i & 1].a + s[1].n + q) * 10000000;`,
    y: four((i) => 2232212 + (2 * i + 1 + i + 1 + 4 + 2 + (i & 1 ? 3 : 1) + 5 + 7) * 10000000),
  },
  {
    name: "references to arrays of what has no name",
    before: `struct In { int v; int a[3]; }; struct Out { In in; int b[2][3]; }; Out made(int n) { Out o; o.in.v = n; for (int k = 0; k < 3; k++) { o.in.a[k] = n + k; o.b[0][k] = n * k; o.b[1][k] = n - k; } return o; }
      int ends(thread const int (&a)[3]) { return a[0] + a[2] * 10; }`,
    body: "y[i] = ends(made(2).in.a) + ends(made(i).b[i & 1]) * 1000;",
    y: four((i) => 42 + (i & 1 ? i + (i - 2) * 10 : i * 2 * 10) * 1000),
  },
];

/** What no reference of these kinds is to. */
export const refusedReferences: readonly (readonly [before: string, body: string, said: RegExp])[] = [
  // C++17 16.3.1.2 (2): the value comes first, of operators of the source, too.
  [
    "struct V { int x; thread V &operator=(int k) { x = k; return *this; } }; int next(thread int &n) { return ++n; }",
    "V a[4]; int n = 0; a[n] = next(n); y[i] = a[0].x;",
    /^XL1900 an operator of the source that assigns/,
  ],
  [
    "struct V { int x; }; thread V &operator+=(thread V &v, int k) { v.x += k; return v; }",
    "V a[4]; int n = 0; a[n++] += n; y[i] = a[0].x;",
    /^XL1900 an operator of the source that assigns/,
  ],
  [
    "struct P { const int a; int n; };",
    "P p{1, 2}; p.a = i; y[i] = p.a;",
    /^XL2006 this cannot be written: 'a' is const/,
  ],
  ["", "int a = 1; thread float& r = a; r = 2; y[i] = a;", /^XL2006 a reference to float that may be written/],
  ["int f(thread int&& v) { return v; }", "int a = 1; y[i] = f(a);", /^XL2005 no function 'f'/],
  ["", "int a = 1; int&& r = a; y[i] = r;", /^XL2006 an rvalue reference/],
  ["void f(thread int& v) { v = 1; }", "f(static_cast<int&&>(i)); y[i] = 1;", /^XL2006|^XL2003|^XL2005/],
];
