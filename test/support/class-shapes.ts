/** Kernels of MSL about structs that say how they are made, names in namespaces, and what is deduced: see test/templates.test.ts. */

export interface Shape {
  readonly name: string;
  /** Before the kernel. */
  readonly before: string;
  /** x and y are buffers of ints, x holding 10, 11, ...; i is 0 to 3. */
  readonly body: string;
  readonly y: readonly number[];
  /** A kernel of its own, by this name, instead of one around `body`. */
  readonly entry?: string;
}

const four = (of: (i: number) => number): number[] => [0, 1, 2, 3].map(of);

export const classShapes: readonly Shape[] = [
  {
    // C++14 3.4.2 (4); clang's program gave these numbers.
    name: "functions that structs declare, beside those of that name in their namespaces",
    before: `namespace app { struct V { int v; operator int() const { return v * 1000; } friend V operator*(int s, V a) { return {s * a.v + 1}; } friend int dot(V a, V b) { return a.v * b.v; } };
        V operator*(V a, V b) { return {a.v * b.v + 2}; } int dot(int a, int b) { return a + b; }
        struct W : V { int w; }; namespace { V operator-(V a, V b) { return {a.v - b.v}; } struct U { int u; operator int() const { return u; } friend int operator-(int a, U b) { return a + b.u; } }; } }`,
    body: `using namespace app; V a = {i + 1}, b = {7}; W w; w.v = i + 2; w.w = 1; U u = {5}; y[i] = (2 * a).v + (a * b).v * 100 + dot(a, b) * 10000 + (3 * w).v * 1000000 + (9 - u) * 10000000;`,
    y: [147070903, 150141605, 153212307, 156283009],
  },
  {
    // C++14 5.2.9 (4), 13.3.1.4; clang's program gave these numbers.
    name: "structs made of others by what those convert to, explicitly and by templates",
    before: `template <typename T, int N> struct Vec { T v[N] = {}; template <typename U> explicit operator Vec<U, N>() const { Vec<U, N> r; for (int k = 0; k < N; ++k) r.v[k] = U(v[k]); return r; } };
      struct Polar { int r, a; }; struct Cart { int x, y; explicit operator Polar() const { return {x * y, x - y}; } };
      struct Loud { int r; explicit Loud(int q) : r(q * 2) {} }; struct Quiet { int q; operator Loud() const { return Loud(q + 1); } }; struct Shy { int q; explicit operator Loud() const { return Loud(q + 5); } };`,
    body: `Vec<int, 3> f = {{i + 300, 25, -1}}; auto c = static_cast<Vec<short, 3>>(f); auto d = (Vec<uchar, 3>)c; Vec<int, 3> e(d);
      Cart p = {i, 2}; Polar q = static_cast<Polar>(p), q2(p), q3 = Polar(p); Quiet w = {3}; Loud l(w), l2 = w, l3 = Loud(w); Shy h = {i}; Loud l4(h), l5 = static_cast<Loud>(h);
      y[i] = c.v[0] + d.v[0] * 1000 + e.v[2] * 100000 + q.r + q2.a * 7 + q3.a * 13 + l.r + l2.r * 3 + l3.r * 5 + l4.r * 17 + l5.r * 19;`,
    y: [25544692, 25545787, 25546882, 25547977],
  },
  {
    // clang ranks a scalar for every component behind every conversion to a scalar; its program gave these numbers.
    name: "overloads of scalars come before those of vectors",
    before: `struct U { int k; U(int4 v) : k(1) {} U(long v) : k(2) {} }; int f(int4 v) { return 3; } int f(float v) { return 4; } int g(float4 v, int n) { return 5; } int g(uint v, int n) { return 6; }
      template <typename T> int h(T v) { return 7; } int h(float4 v) { return 8; }`,
    body: "y[i] = U(i).k + U(3u).k * 10 + f(i) * 100 + g(i, i) * 1000 + h(2.0f) * 10000;",
    y: four(() => 2 + 20 + 400 + 6000 + 70000),
  },
  {
    // Kernels are found with the functions of their name, and are none of those that fit (C++14 3.4.1, 13.3).
    name: "kernels named like functions of the file",
    before: `int twice(int a) { return a * 2; } int twice(int a, int b); int more(int a) { return a + 100; }
      kernel void more(device int* x [[buffer(0)]], device int* y [[buffer(1)]]) { y[0] = more(x[0]); }
      kernel void twice(device int* x [[buffer(0)]], device int* y [[buffer(1)]], uint t [[thread_position_in_grid]]) { int i = int(t); y[i] = twice(x[i]) * 10 + twice(1, i) * 1000; }
      int twice(int a, int b) { return more(a * b); }`,
    body: "",
    entry: "twice",
    y: four((i) => (10 + i) * 20 + (i + 100) * 1000),
  },
  {
    // C++14 5 p6, 14.8.2.1; clang's program gave these numbers.
    name: "what is deduced from results that are const, and constants near an overflow",
    before: `struct S { int v; int g() const { return v; } int g() { return v + 100; } }; template <typename T> int take(T&& t) { return t.g(); } const S kept(int x) { return S{x}; } S plain(int x) { return S{x}; }
      const int num(int x) { return x; } template <typename T> int twice(T&& t) { t += t; return t; } template <bool B> int b() { return B; } template <uchar C> int c() { return C; }
      template <int N> int f() { constexpr int m = N == 0 ? 0 : 1 << (N - 1); constexpr bool z = N != 0 && 7 / N > 1; return m + z; }`,
    body: "S s{3}; const S w{4}; constexpr int n = -(-2147483647); constexpr uint u = 0u - 1u; y[i] = take(kept(i)) + take(plain(1)) * 10 + take(s) * 100 + take(w) * 1000 + twice(num(5)) * 10000 + (b<1>() + c<'a'>()) * 100000 + (n - 2147483640) + int(u) + f<0>() + f<2>();",
    y: four((i) => i + 1010 + 10300 + 4000 + 100000 + 9800000 + 7 - 1 + 0 + 3),
  },
  {
    // C++14 8.5.3, 5.19: a reference to a constant of the file is a constant.
    name: "references, casts and sizes among constants of the file that hold addresses",
    before: `constant int table[4] = {1, 2, 3, 4}; constant int& last = table[3]; constant int (&row)[4] = table; struct V { int a; int n[2]; }; constant V v = {1, {3, 4}}; constant int& part = v.n[1]; constant V& whole = v;
      struct E { constant int* p; int n; }; constant E es[2] = {{table, 2}, {table + 2, 1}}; constant uint* constant as = (constant uint*)&table[1]; constant uchar* constant bytes = (constant uchar*)(table + 2);
      constant int size = int(sizeof(es)); constant int* constant q = &last; constant int again = last + 1; int at(constant int& x) { return x; }`,
    body: `constant int* z = &last; y[i] = last + part * 10 + whole.n[0] * 100 + int(*as) * 1000 + *bytes * 10000 + es[i & 1].p[1] * 100000 + *q * 1000000 + at(last) + *(z - 1) + row[1] + size * 10000000 + again;`,
    y: four((i) => 4 + 40 + 300 + 2000 + 30000 + (i & 1 ? 4 : 2) * 100000 + 4000000 + 4 + 3 + 2 + 320000000 + 5),
  },
  {
    name: "constructors that copy, which leave out members or give them others' values",
    before: `struct A { int x; int y = 5; A(int v) : x(v) { y = 6; } A(thread const A& o) : x(o.x) {} }; struct V { int v = 5; };
      struct B { int x; V y; B(int v) : x(v) { y.v = 6; } B(thread const B& o) { x = o.x; } }; struct C { int x; int y; C(int v) : x(v), y(1) {} C(thread const C& o) { x = o.x; y = o.x; } };`,
    body: "A a(i); A b = a; B c(1); B d(c); C e(2), f = e; y[i] = b.x + b.y * 10 + d.x * 100 + d.y.v * 1000 + f.y * 10000 + a.y * 100000;",
    y: four((i) => i + 50 + 100 + 5000 + 20000 + 600000),
  },
  {
    // C++14 12.8; clang's programs of C++14 and C++17 gave these numbers. What has no name is not copied.
    name: "constructors that copy, and do more than that, and assignments",
    before: `struct S { int v; S(int x) : v(x) {} S(const thread S& s) : v(s.v + 100) {} thread S& operator=(const thread S& s) { v = s.v + 1000; return *this; } int get() const { return v; } S self() const { return *this; } };
      struct P { int v; P(int x) : v(x) {} P(const thread P& s) { v = s.v * 2; } }; struct B : P { int w; B(int x) : P(x), w(x) {} };
      S make(int x) { return S(x); } S through(S s) { return s; } int by(S s) { return s.v; } int ref(const thread S& s) { return s.v; } template <typename T> int tv(T t) { return t.v; }`,
    body: `S a = S(1); S b = a; S c(b); S d{c}; S e = make(5); int n = b.v + c.v + d.v + e.v + by(a) * 2 + through(a).v * 3 + by(S(7)) + by(make(8)); if (i == 0) y[0] = n;
      a = b; n = a.v; a = S(9); S arr[2] = {a, S(2)}; n += arr[0].v + arr[1].v + ref(a) + a.get() + a.self().v * 2 + tv(a) + S(a).v; if (i == 1) y[1] = n;
      P p(3), q = p, r(0); r = q; auto u = q; P ps[2] = {P(4), p}; n = q.v + r.v * 10 + u.v * 100; for (auto z : ps) n += z.v * 1000; for (thread P& z : ps) n += z.v; B bb(6); P sl = bb; n += static_cast<P>(p).v + tv<thread P&>(p) + sl.v * 100000; if (i == 2) y[2] = n;
      auto f = [&](P z) { return z.v + p.v; }; auto g = [&] { return p.v; }; auto h = [&] { p.v++; return p.v; }; n = f(p) + f(P(1)) * 10 + g() * 100; n += h() * 1000; if (i == 3) y[3] = n + p.v * 10000;`,
    y: [
      101 + 201 + 301 + 5 + 101 * 2 + 201 * 3 + 7 + 8,
      1101 + 1109 + 2 + 1009 + 1009 + 1109 * 2 + 1109 + 1109,
      6 + 60 + 1200 + (8 + 12) * 1000 + (4 + 6) + 6 + 3 + 1200000,
      9 + 40 + 300 + 4000 + 40000,
    ],
  },
  {
    // C++14 12.8 (2), 5 (11); clang's program gave these numbers.
    name: "constructors that copy and have further parameters, and objects that are not used",
    before: `struct A { int v; A(int x) : v(x) {} A(thread const A& o, int k = 3) : v(o.v + k) {} }; struct B { int v; B(int x) : v(x) {} B(thread const B& o, int k = 3) : v(o.v) {} };
      struct C { int v; C(int x) : v(x) {} C(thread C& o) : v(o.v) { o.v += 10; } }; int of(A a) { return a.v; }`,
    body: `A a(i); A b = a; A c(b); A d(b, 50); B e(i); B g = e; B h(e, 4); C u(i); u; (void)u; static_cast<void>(u); int n = (u, 5);
      y[i] = b.v + c.v * 100 + d.v * 10000 + of(a) * 1000000 + g.v + h.v + u.v * 10 + n;`,
    y: four((i) => i + 3 + (i + 6) * 100 + (i + 53) * 10000 + (i + 3) * 1000000 + 2 * i + 10 * i + 5),
  },
  {
    // C++14 4 (3); clang's program gave these numbers.
    name: "objects that are asked for a bool by operators, and pointers that are const in arrays",
    before: `struct N { int v; N(int x) : v(x) {} N(thread const N& o) : v(o.v + 10) {} explicit operator bool() const { return v < 14; } operator int() const { return v; } };`,
    body: `N a(i + 2); int n = 0; if (!a) n += 1; bool b = a && true; n += b ? 10 : 20; n += (a || false) ? 100 : 200; n += (a && a) * 1000 + !a * 10000; while (!!a) { a.v += 3; n += 100000; }
      N c(i); while (N d = c) { n += 1000000; c.v += 2; } device int* const ps[2] = {x, y}; thread int* const qs[1] = {&n}; *qs[0] += ps[0][i]; ps[1][i] = n;`,
    y: [2401120, 2401121, 1401122, 1301123],
  },
  {
    // C++14 4 (4), 12.3.2; clang's program gave these numbers.
    name: "objects that are conditions by what they convert to",
    before: `struct Q { int q; Q(int k) : q(k) {} Q(thread const Q& o) : q(o.q + 100) {} operator int() const { return q; } }; struct P { int q; operator int() const { return q; } };
      struct F { float q; explicit operator bool() const { return q > 1.5f; } }; struct G { float g; operator float() const { return g; } }; struct U { int u; explicit operator int() const { return u; } operator bool() const { return u == 0; } };`,
    body: `Q q(i); int m = (q ? 1 : 0); if (q) m += 10; if (!q) m += 100; if (q && true) m += 1000; P p = {i}; F f = {float(i)}; G g = {float(i) / 4}; U u = {i};
      int n = p ? 1 : 2; n += f ? 10 : 20; n += g ? 100 : 200; if (g) n += 1000; if (f && p) n += 10000; for (; p; p.q--) n += 100000; while (!f) { f.q += 1; n += 1000000; } n += u ? 30000000 : 60000000; y[i] = n * 10 + m;`,
    y: [32000222 * 10 + 100, 61101121 * 10 + 1011, 60211111 * 10 + 1011, 60311111 * 10 + 1011],
  },
  {
    // clang's program gave these numbers.
    name: "constants that constructors, operators and references make",
    before: `class Wide { public: Wide() = default; constexpr Wide(int l) : low(l), high(0) {} constexpr Wide(uint h, uint l) : low(l), high(h) {}
        constexpr Wide operator+(const Wide r) const { return Wide(high + r.high + ((low + r.low) < low), low + r.low); }
        constexpr Wide operator-(const Wide r) const { return Wide(high - r.high - ((low - r.low) > low), low - r.low); }
        constexpr Wide operator+=(const Wide r) { *this = *this + r; return *this; }
        constexpr bool operator<(const Wide r) const { return ((high == r.high) && (low < r.low)) || (high < r.high); } uint low, high; };
      constexpr Wide powers(int n) { Wide w(1); for (int k = 0; k < n; k++) w += w; return w; }
      constant constexpr Wide top = Wide(3, 7u); constant Wide rest = Wide(0xffffffffu, 0xffffffffu) - top + Wide(1); constant Wide p = powers(33) + Wide(5) + Wide(6) - powers(2);
      struct Has { constexpr static const constant bool less = Wide(2) + Wide(3) < Wide(6); };
      constexpr void bump(thread int &v, int by) { v += by; }
      constexpr int counted(int n) { int a[3] = {0}; for (int k = 0; k < n; k++) bump(a[k % 3], k); int s = 0; for (int k = 0; k < 3; k++) { s = s * 100 + a[k]; } return s; }
      constant int count = counted(7);`,
    body: `constexpr Wide l(2, 9u); constexpr Wide m = l + Wide(1) + top;
      y[i] = i == 0 ? int(rest.high) : i == 1 ? int(p.high * 100 + p.low) : i == 2 ? count + Has::less : int(rest.low + m.high * 10 + m.low);`,
    y: [-4, 207, 90508, -7 + 50 + 17],
  },
  {
    // C++17 8.18, which C++14 allows; clang's programs of either gave these numbers.
    name: "the value of an assignment before its place",
    before: `int add_one(device int *m) { m[5]++; return 0; } int doubled(device int *m) { m[5] *= 2; return m[5]; } struct Two { int x[2]; };`,
    body: `if (i == 0) { device int *m = x; m[5] = 3; m[add_one(m)] = doubled(m); m[add_one(m) + 1] = 0; m[add_one(m) + 1] += doubled(m); int j = 0, a[3] = {0}; a[j] = j++; a[j++] += j; Two s[2] = {{{1, 2}}, {{3, 4}}}; int n = 0; s[n++] = s[n];
        y[0] = m[0]; y[1] = m[1]; y[2] = a[0] * 10 + a[1]; y[3] = s[0].x[0] * 10 + n; }`,
    // 3 is doubled, and one is added twice; 8 is doubled.
    y: [6, 16, 1, 11],
  },
  {
    // C++14 13.3.3.2 p3 and 3.10; clang's program gave these numbers.
    name: "methods of const results, and of references to objects without a name",
    before: `struct P { int x; int f() & { return 1; } int f() const & { return 2; } int f() && { return 3; } int f() const && { return 4; } int g() { return 5; } int g() const { return 6; }
        thread P &same() { return *this; } thread const P &csame() const { return *this; } thread P &add(int n) { x += n; return *this; } };
      P mk(int n) { return P{n}; } const P cmk(int n) { return P{n}; } int changed(P p) { p.x++; return p.x; }`,
    body: `P p{1}; const P q{2}; P z = cmk(3); z.x++; auto d = cmk(4); d.x += z.x; y[i] = p.f() + q.f() * 10 + mk(1).f() * 100 + cmk(1).f() * 1000 + (i ? cmk(1) : cmk(2)).g() * 10000 + (i, cmk(1)).g() * 100000 + cmk(1).g() * 1000000
        + mk(1).same().f() * 10000000 + mk(1).csame().f() * 100000000; x[i] = 0; y[i] += mk(i).add(3).same().add(4).x + d.x + changed(cmk(5));`,
    y: four((i) => 216664321 + i + 7 + 8 + 6),
  },
  {
    // C++17 8.18; clang's program gave these numbers.
    name: "values of assignments before places that pointers and references lead to, too",
    before: `int bump(device int *m) { m[5]++; return 1; } int up(thread int *p) { *p += 2; return *p; }
      int both(thread int &a, thread int &b) { int t[4] = {0}; a = 1; t[a++] = b; t[b] += a++; return t[1] + t[2] * 10 + t[3] * 100; }`,
    body: `if (i == 0) { x[5] = 3; x[bump(x)] = x[5]; x[5] += bump(x); x[5] <<= bump(x); device int *q = x + 5; *q -= bump(x); x[bump(q - 5) + 1] = *q;
        int n = 1, k = 0, a[4] = {0}; n <<= up(&n); thread int *p = a; a[up(p) - 1] = a[0]; y[0] = x[1]; y[1] = x[2]; y[2] = x[5]; y[3] = n + a[1] * 100 + both(k, k) * 1000; }`,
    y: [3, 14, 15, 201024],
  },
  {
    name: "constants of the file that hold addresses of others",
    before: `constant int numbers[4] = {1, 2, 3, 4}; constant int *constant second = &numbers[1]; constant int *constant both[2] = {numbers, numbers + 2};
      struct Entry { constant int *p; int n; int last() const { return p[n - 1]; } }; constant Entry entries[2] = {{numbers, 2}, {numbers + 1, 3}};`,
    body: "int s = 0; for (int j = 0; j < 2; j++) s += both[j][1]; y[i] = s + *second * 10 + both[i & 1][0] * 100 + entries[i & 1].p[entries[i & 1].n - 1] * 1000;",
    y: four((i) => 6 + 20 + (i & 1 ? 3 : 1) * 100 + (i & 1 ? 4 : 2) * 1000),
  },
  {
    // C++14 13.3.1 (4); clang's program gave these numbers.
    name: "methods of objects with names and of others",
    before: `struct P { int x; int f() & { return x; } int f() && { return x * 10; } int c() const & { return x; } int d() const & { return 1; } int d() && { return 2; } int b() &&; int b() &;
        template <class T> T g(T a) & { return a; } template <class T> T g(T a) && { return a + 5; } int inside() { return f() + b(); } operator int() && { return 7; } };
      int P::b() && { return 100; }
      int P::b() & { return 200; }
      P make_p(int n) { return P{n}; }
      struct Sum { int v; Sum plus(int n) const & { return Sum{v + n}; } Sum plus(int n) && { v += n * 2; return *this; } };`,
    body: `P p{i}; const P q{3}; Sum s{i}; y[i] = p.f() + P{3}.f() + p.c() + make_p(4).f() + q.d() * 1000 + make_p(1).d() * 10000 + static_cast<thread P &&>(p).f() + p.g(1) * 100000 + P{1}.g(2) * 1000000
        + P{2}.b() + p.b() + p.inside() + int(P{1}) + s.plus(1).plus(10).v * 3 + s.plus(2).v;`,
    y: four((i) => 7121642 + 17 * i),
  },
  {
    name: "lists in braces as arguments of methods",
    before: `struct P { int a, b; };
      struct Base { int t; void put(P p, int k) { t = p.a * 10 + p.b + k; } static int all(P p) { return p.a + p.b; } };
      struct S : Base { int both(P p) { put({p.b, p.a}, 100); return t; } int operator()(P p) const { return p.a - p.b; } };`,
    body: "S s; s.put({1, 2}, i); int was = s.t; int u = s.both({3, i}); y[i] = was + u * 1000 + S::all({4, 5}) * 1000000 + s({9, 1}) * 10000000;",
    y: four((i) => 12 + i + (10 * i + 103) * 1000 + 9000000 + 80000000),
  },
  {
    // What a copy leaves out begins as an object does (C++14 12.8, 12.6.2 (8)).
    name: "constructors that copy each member, by initialisers and by assignments",
    before: `struct Base { int t; int u = 4; Base(int v) : t(v) {} Base(thread const Base& o) { this->t = o.t; u = o.u; } };
      struct S : Base { int v; uint w : 5; uint z : 27; int left; S(int n) : Base(n + 1), v(n), w(n + 2), z(9), left(0) {}
        S(thread const S& o) : Base(o), v(o.v) { w = o.w; z = o.z; } };
      int of(S s) { s.v += 100; return s.v + s.t * 1000; }`,
    body: "S a(i); a.u = 7; S b = a; S c(b); c.v += 2; y[i] = of(c) + b.v * 10000 + c.w * 100000 + b.u * 1000000 + c.z * 10000000;",
    y: four((i) => i + 102 + (i + 1) * 1000 + i * 10000 + (i + 2) * 100000 + 7000000 + 90000000),
  },
  {
    // C++14 8.5 (8), 8.5.1 (7): what no constructor, default value or list says of an object that is made of nothing is zero.
    name: "objects that are made of nothing",
    before: `struct B { int v; B() : v(1) {} };
      struct C { int w; B b; int f() const { return w; } };
      struct G { int w; int z = 3; G() = default; };
      struct E { int a; G c; int b; C d; };
      struct H { int q; C c; G g; H() : c(), g() { q = 1; } };
      struct I { B b; int n = 2; };
      struct P { I i; B c[2]; };`,
    body: `C d{}; C e = C(); G g; G z{}; E f = {4}; E many[2] = {}; H h; P p;
      y[i] = d.w + e.f() + C{}.w + z.w + f.b + f.c.w + many[1].a + many[1].d.w + h.c.w + h.g.w
        + d.b.v + e.b.v * 10 + (g.z + z.z + f.c.z + many[1].c.z + h.g.z) * 100 + (f.a + f.d.b.v) * 10000 + (p.i.n + p.c[1].v + p.i.b.v) * 100000;`,
    y: four(() => 11 + 1500 + 50000 + 400000),
  },
  {
    name: "elements of arrays that are called",
    before: `struct A { int n; A(int q) : n(q) { n++; } int operator()(int k) const { return n * k; } thread A& operator[](int k) { n += k; return *this; } };
      struct T { A all[2]; T() : all{1, 2} {} };`,
    body: "A a = i; A b[2] = {3, i}; T w; y[i] = a(2) + b[0](1) * 100 + b[i & 1](1) * 1000 + a[5](1) * 100000 + w.all[1](3) * 10000000;",
    y: four((i) => (i + 1) * 2 + 400 + (i & 1 ? i + 1 : 4) * 1000 + (i + 6) * 100000 + 90000000),
  },
  {
    // C++14 12.8 (2): a template is no constructor that copies.
    name: "constructors that are templates, of other instances of the struct",
    before: `template <typename T> struct Box { T v; Box(T q) : v(q) {} template <typename U> Box(thread const Box<U>& o) : v(T(o.v) + 1) {} };`,
    body: "Box<float> f(i + 0.5f); Box<int> n = f; Box<int> m = n; Box<int> k(f); y[i] = n.v + m.v * 10 + k.v * 100;",
    y: four((i) => (i + 1) * 111),
  },
  {
    // C++14 12.8 (18): D has an assignment of its own, which hides that of its base, and here it is what a copy is.
    name: "operators of assignment, of a struct and of what inherits it",
    before: `struct B { int v; thread B& operator=(int n) { v = n * 10; return *this; } };
      struct D : B { int z; };
      struct E : B { int z; thread E& operator=(thread const E& o) { v = o.v + 1; z = o.z + 2; return *this; } };`,
    body: `B a, b; a = b = i; a.v++; D c, d; d.v = 2; d.z = 7; c = d; E e, f; e.v = 3; e.z = 4; f = e; E g = f;
      y[i] = a.v + b.v * 100 + f.v * 100000 + g.z * 1000000 + c.v * 10000000 + c.z * 100000000;`,
    y: four((i) => i * 10 + 1 + i * 1000 + 400000 + 6000000 + 20000000 + 700000000),
  },
  {
    name: "types in structs and namespaces behind their keyword",
    before: `struct A { struct In { int y; }; enum E { p = 3, q }; enum class F : int { r = 5 }; In z; };
      namespace n { struct In { int y; }; enum G { one = 1 }; }
      int of(struct A::In v, enum A::E e) { return v.y * 10 + e; }`,
    body: `struct A::In v; v.y = i; struct A a; a.z = v; struct n::In w = {7}; enum A::F f = A::F::r; enum n::G g = n::one;
      y[i] = of(a.z, A::q) + w.y * 100 + int(f) * 1000 + g * 10000;`,
    y: four((i) => i * 10 + 4 + 700 + 5000 + 10000),
  },
  {
    name: "operators that are functions, in a struct that has one of its own; vectors that objects become",
    before: `struct C { int re; friend C operator*(C a, C b) { return {a.re * b.re}; } };
      struct D { C value; D operator*(D other) const { return {value * other.value}; } explicit operator int2() const { return int2(value.re); } };
      template <typename T> T power(int n, T x) { T all = x; for (int k = 1; k < n; k++) all = all * x; return all; }`,
    body: "const auto cube = power(3, D{{i + 1}}); y[i] = cube.value.re + int2(cube).y * 100;",
    y: four((i) => (i + 1) ** 3 * 101),
  },
  {
    name: "other names of namespaces",
    before: `namespace outer { namespace inner { int f(int x) { return x + 3; } struct T { int v; }; } int g() { return 2; } }
      namespace in = outer::inner;
      namespace in = outer::inner;
      namespace use { namespace o = outer; int h() { return o::g() * 100; } }`,
    body: "namespace local = in; in::T m; m.v = local::f(i); y[i] = m.v + use::h() + use::o::inner::f(1) * 1000;",
    y: four((i) => i + 3 + 200 + 4000),
  },
  {
    name: "inline namespaces",
    before: `namespace lib { inline namespace v2 { struct P { int a; int b; P twice() const { P p; p.a = a * 2; p.b = b * 2; return p; } };
        constant int K = 7; int f(int x) { return x + K; } template <typename T> T g(T x) { return x * T(3); }
        namespace inner { int h(int x) { return f(x) + 1; } } }
        namespace v1 { int f(int x) { return x; } } int q(int x) { return f(x); } }
      inline namespace top { int flip(int x) { return x ^ 1; } }
      extern template int lib::v2::g<int>(int);
      template int lib::v2::g<int>(int);`,
    body: `lib::P p; p.a = i; p.b = lib::K; lib::v2::P r = p.twice();
      y[i] = r.a + r.b + lib::f(i) + 100 * lib::v2::f(i) + lib::v1::f(i) + lib::g<int>(i) + lib::inner::h(i) + lib::v2::inner::h(i) + 10000 * (flip(i) + top::flip(i)) + lib::q(i);`,
    // 2i + 14, i + 7, 100i + 700, i, 3i, twice i + 8, 20000 (i ^ 1), i + 7.
    y: four((i) => 110 * i + 744 + 20000 * (i ^ 1)),
  },
  {
    name: "static members that get their values outside of the struct",
    before: `struct V { static constant int n; int v; int get() const { return v + n; } };
      constant int V::n = 5;
      namespace m { struct W { static constant int n; static int twice() { return 2 * n; } }; constant int W::n = V::n + 2; }`,
    body: "V v; v.v = i; y[i] = v.get() + V::n * 10 + m::W::twice() * 100 + m::W::n * 10000;",
    y: four((i) => i + 5 + 50 + 1400 + 70000),
  },
  {
    name: "constructors",
    before: `struct Complex {
        float re, im;
        Complex() = default;
        Complex(float r) : re(r), im(0.0f) {}
        Complex(float re, float im) : re(re), im(im) {}
        Complex(thread const Complex& o) = default;
        Complex operator+(Complex o) const { return Complex(re + o.re, im + o.im); }
        Complex operator*(Complex o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
        float norm() const { return re * re + im * im; }
      };`,
    body: "Complex a(1.0f, 2.0f); Complex b = 3.0f; Complex c = a * b + Complex{float(i), 1.0f}; Complex d = {}; Complex e = a + 2.0f; Complex z[2] = {1.0f, Complex(2.0f, 4.0f)}; y[i] = int(c.re) * 1000 + int(c.im) * 100 + int(d.norm()) + int(e.norm()) + int(z[1].norm());",
    // 3 + i, 6 + 1; 0; 9 + 4; 4 + 16
    y: four((i) => (3 + i) * 1000 + 700 + 13 + 20),
  },
  {
    // The parameter that changes has the kernel read twice; the constructors are declared before it, and one is called first in it.
    name: "a constructor that only a kernel with changing parameters calls",
    before: `struct Pair { int a, b; Pair(int a, int b) : a(a), b(b) {} Pair() : a(5), b(6) {} };
        Pair twice(Pair p) { return Pair(p.a * 2, p.b); }`,
    body: "Pair p; Pair q[2]; y += 1; y -= 1; y[i] = twice(p).a * 100 + q[1].b + i;",
    y: four((i) => 1006 + i),
  },
  {
    name: "the body of a constructor, which may end early, and another that it calls",
    before: `struct Range { int lo; int hi; int n;
        Range(int a, int b) : n(b - a) { if (a > b) { lo = b; hi = a; return; } lo = a; hi = b; }
        Range(int b) : Range(0, b) { n = n * 2; }
        template <typename T> bool has(T v) const { return v >= lo && v < hi; } };`,
    body: "Range r(7, i); Range q(i + 1); y[i] = r.lo * 10000 + r.hi * 1000 + r.n * 10 + (r.has(2.5f) ? 1 : 0) + q.hi * 100000 + q.n * 1000000;",
    // n is i - 7 and (i + 1) * 2
    y: four((i) => i * 10000 + 7000 + (i - 7) * 10 + (i <= 2 ? 1 : 0) + (i + 1) * 100000 + (i + 1) * 2000000),
  },
  {
    name: "a vector made of one number by a constructor",
    before: `struct State { int4 counter; int2 key; int n; State(int v, int k) : counter(v), key(k, k + 1), n(9) {} };
      struct Whole { int4 a; int b = 4; Whole(int v) : a(v) {} };`,
    body: "State s(i, 5); Whole w(7); y[i] = s.counter.w * 1000 + s.key.y * 100 + s.n * 10 + w.a.z + w.b;",
    y: four((i) => i * 1000 + 600 + 90 + 11),
  },
  {
    name: "default values of members",
    before: `struct Step { int by = 3; int twice = by * 2; };
      struct Counter { int n = 5; Step step; int k; void bump() { n += step.twice; } };
      struct Pair { int a; int b = 7; };`,
    body: "Counter c; c.bump(); c.k = i; Pair p = {i}; Pair q{1, 2}; Step s{4}; y[i] = c.n * 1000 + p.a * 100 + p.b * 10 + q.b + s.twice * 10000 + c.k;",
    // 5 + 6; 8
    y: four((i) => 11000 + i * 100 + 70 + 2 + 80000 + i),
  },
  {
    name: "conversions",
    before: `struct Meters { float v; explicit Meters(float f) : v(f) {} operator float() const { return v; } explicit operator bool() const { return v > 1.0f; } };
      struct Index { uint n; Index(uint k) : n(k) {} operator uint() const { return n; } };
      float half_of(float f) { return f / 2.0f; } uint next(Index k) { return k.n + 1u; }`,
    body: "Meters m{float(i)}; Index k = uint(i); float f = m; y[i] = int(half_of(m) * 10.0f) + (m ? 1000 : 0) + int(next(3u)) * 10000 + int(f) * 100 + x[k] * 100000;",
    y: four((i) => i * 5 + (i > 1 ? 1000 : 0) + 40000 + i * 100 + (10 + i) * 100000),
  },
  {
    name: "inheritance",
    before: `struct Shape { int w; Shape(int n) : w(n) {} int area() const { return w * 10; } int twice() const { return area() * 2; } static int sides() { return 4; } };
      struct Box : public Shape { int h; Box(int a, int b) : Shape(a), h(b) {} int area() const { return w * h; } int both() const { return area() + Shape::area(); } };
      struct Tag { static constant constexpr int number = 9; typedef short type; };
      struct Tagged : Tag { int v; type small() const { return type(v + number); } };
      template <typename T> struct Cell { T v; T get() const { return v; } };
      template <typename T> struct Wide : Cell<T> { using Cell<T>::v; T more() const { return v + this->get(); } };
      int width(Shape s) { return s.w; } void widen(thread Shape& s) { s.w += 5; }`,
    body: "Box b(2, i + 1); widen(b); Tagged g; g.v = i; Wide<int> c; c.v = 3; y[i] = b.area() * 1000 + b.both() + b.twice() + width(b) + Box::sides() * 10000000 + int(g.small()) * 1000000 + c.more();",
    // w is 7: area 7 * (i + 1), Shape's 70
    y: four((i) => 7 * (i + 1) * 1000 + 7 * (i + 1) + 70 + 140 + 7 + 40000000 + (i + 9) * 1000000 + 6),
  },
  {
    // Nothing is put into the padding of plain data (Itanium C++ ABI 2.2).
    name: "inheriting from plain data that ends with padding",
    before: `struct P { int a; char b; int get() const { return a * 10 + b; } static int two() { return 2; } };
      struct Q : P { char c; };
      struct In { P p[1]; };
      struct R : In { short d; };`,
    body: `device Q* q = (device Q*)(x + 3 * i); q->a = i; q->b = 2; q->c = 7; Q c = *q;
      y[i] = c.get() + x[3 * i + 1] * 100 + x[3 * i + 2] * 1000 + sizeof(Q) * 10000 + sizeof(R) * 1000000 + Q::two() * 100000000;`,
    y: four((i) => i * 10 + 2 + 200 + 7000 + 120000 + 12000000 + 200000000),
  },
  {
    name: "operators on places, and friends",
    before: `struct Matrix { int v[4]; thread int& operator()(int r, int c) thread { return v[r * 2 + c]; } int operator()(int r, int c) const thread { return v[r * 2 + c] * 10; } };
      struct It { int v; thread It& operator++() { v++; return *this; } It operator++(int) { It o = *this; v += 10; return o; } bool operator!=(It o) const { return v != o.v; } int operator*() const { return v; } };
      struct Two { int a; friend Two operator+(Two p, Two q) { return Two{p.a + q.a}; } friend bool operator<(Two p, Two q) { return p.a < q.a; } };`,
    body: "Matrix m; m(0, 1) = 5; m(0, 1) += i; const Matrix c = m; It a = {i}; ++a; It b = a++; Two p = Two{i} + Two{2}; y[i] = c(0, 1) + *a * 1000 + *b * 100000 + (a != b ? 1 : 0) + (p < Two{4} ? 2 : 0);",
    y: four((i) => (5 + i) * 10 + (i + 11) * 1000 + (i + 1) * 100000 + 1 + (i + 2 < 4 ? 2 : 0)),
  },
  {
    name: "templates in structs",
    before: `struct S { int n; template <typename T> static T id(T v) { return v; } template <int N> int mul(int a) const { return a * N + n; }
        template <typename T> S(T v) : n(int(v) * 2) {} };
      template <typename T> struct Acc { T v; Acc(T x) : v(x) {} template <typename U> void add(U x) { v += T(x); } };`,
    body: "S s(i + 0.5f); Acc<int> a(5); a.add(2.75f); y[i] = S::id(i) + s.mul<3>(2) * 10 + S::id<short>(4) * 1000 + a.v * 10000;",
    // n is int(i + 0.5) * 2
    y: four((i) => i + (6 + 2 * i) * 10 + 4000 + 70000),
  },
  {
    name: "types and constants in structs",
    before: `struct Outer { struct Inner { int v; enum E { none, some = 4 }; }; enum class Kind { low, high = 6 }; static constant constexpr int size = 3; typedef Inner List[2]; Inner one; int all[size]; };
      class Late { public: int f(int a) const; void set(int n) { k = n; } private: int k; };
      int Late::f(int a) const { return a * k; }`,
    body: "Outer::Inner q = {i}; Outer o; o.one = q; o.all[2] = 5; Late late; late.set(4); y[i] = o.one.v + int(Outer::Kind::high) * 10 + Outer::size * 100 + Outer::Inner::some * 1000 + o.all[2] * 10000 + late.f(2) * 100000;",
    y: four((i) => i + 60 + 300 + 4000 + 50000 + 800000),
  },
  {
    // C++14 9.4.2 p2: the type may be the struct's own, which is complete behind it. Clang's program gave these numbers.
    name: "static members of their own struct's type",
    before: `struct Best { int v; int at; static const constant Best none; static const constant Best ends[2]; static Best at_of(device const int *p, int k) { return {.v = p[k], .at = k}; } bool operator>(Best b) const { return v > b.v || (v == b.v && at < b.at); } };
      constexpr constant Best Best::none{.v = 11, .at = 7}; constexpr constant Best Best::ends[2] = {{1, 2}, {3, 4}};
      struct Reduced { using type = Best; static constant constexpr Best first = Best::none; };`,
    body: "Best b = Best::at_of(x, i); Best m = b > Reduced::first ? b : Best::none; y[i] = m.v * 100 + m.at * 10 + Best::ends[i & 1].at;",
    // x is 10 + i: 12 and 13 are above 11, and 11 at 1 comes before 11 at 7.
    y: [1100 + 70 + 2, 1100 + 10 + 4, 1200 + 20 + 2, 1300 + 30 + 4],
  },
  {
    name: "namespaces",
    before: `namespace math {
        constant constexpr int base = 10;
        inline int twice(int a) { return a * 2; }
        inline int plus(int a) { return a + base; }
        inline int plus(int a, int b) { return a + b; }
        namespace inner {
          enum class Kind { a = 3, b = 5 };
          struct P { int x; int y; };
          inline P operator+(P a, P b) { return P{a.x + b.x, a.y + b.y}; }
          inline int sum(P p) { return p.x + p.y; }
          template <typename T> T sq(T v) { return v * v; }
          template <typename T> struct Box { T v; T get() const { return v; } static T seven() { return T(7); } };
        }
      }
      namespace math { inline int thrice(int a) { return twice(a) + a; } }
      namespace other { inline int twice(int a) { return a * 22; } constant constexpr int base = 4; }
      namespace { int hidden(int a) { return a - 1; } }
      namespace user { using namespace math; using math::inner::sq; int f(int a) { return twice(a) + sq(a); } }
      int twice(int a) { return a * 200; }`,
    body: `math::inner::P p = {i, 2}; math::inner::P q = p + p; math::inner::Box<int> b = {i};
      y[i] = math::twice(i) + math::thrice(i) * 10 + other::twice(1) * 100 + hidden(i) + sum(q) * 1000 + user::f(3) + int(math::inner::Kind::b)
        + twice(1) * 10000 + math::plus(1) + math::plus(1, 2) + other::base + b.get() + math::inner::Box<int>::seven();`,
    y: four((i) => i * 2 + i * 30 + 2200 + (i - 1) + (2 * i + 4) * 1000 + 15 + 5 + 2000000 + 11 + 3 + 4 + i + 7),
  },
  {
    name: "types that are deduced",
    before: `template <typename T> auto doubled(T a) { return a * 2; } auto next(int a) { return a + 1; }
      template <typename T> auto same(T a) -> T { return a; } struct P { int a; int b; }; P made(int a) { return P{a, a + 1}; }`,
    body: "auto p = x + i; auto* q = &x[1]; int n = 1; auto& r = n; const auto c = p[1]; const auto& m = made(i); const auto& s = x[2]; r += c; int v[3] = {1, 2, 3}; auto w = v; y[i] = n * 1000 + *q + m.b * 100 + s + doubled(i) + next(i) + same(w[2]);",
    y: four((i) => (1 + 11 + i) * 1000 + 11 + (i + 1) * 100 + 12 + 2 * i + i + 1 + 3),
  },
  {
    name: "references to const hold values, and references are returned of what is assigned",
    before: `struct M { int a, b; M operator*(thread const M& o) const { return {a * o.a, b + o.b}; }
        thread M& operator*=(thread const M& o) { return *this = *this * o; } thread M& operator+=(M o) { *this = *this * o; return *this; } };
      struct W { M m; void go(thread const M& o) { m = m * o; m *= o; } };
      int next(thread const int& v) { return v + 1; } int half_of(thread const float& v) { return int(v * 0.5f); }`,
    body: `W w; w.m = M{2, 1}; w.m *= M{i, 1}; w.go(M{2, 2}); M m = {1, 1}; for (int k = 0; k < 2; m *= M{2, 1}, k++) w.m.b += m.a; m += m;
      y[i] = w.m.a * 1000 + w.m.b * 10 + next(i + 1) * 100000 + half_of(i) + next(2.9f) * 1000000 + m.a * 10000000;`,
    // 2i * 2 * 2; 2 + 2 + 2 + 1 + 2; m.a is 4 * 4
    y: four((i) => 8 * i * 1000 + 90 + (i + 2) * 100000 + Math.floor(i / 2) + 3000000 + 160000000),
  },
  {
    name: "calls of constexpr functions in constants",
    before: `constexpr int twice_of(int v) { return v * 2; } template <int n> int number() { return n; }
      constexpr int log2_of(int n) { int r = 0; while (n > 1) { n >>= 1; r++; } return r; }
      constexpr int fact(int n) { int r = 1; for (int k = 2; k <= n; k++) { if (k == 7) continue; r *= k; } return r; }
      template <typename T> constexpr T up(T a, T b) { return (a + b - 1) / b; }
      constexpr int kind(int v) { switch (v) { case 1: return 10; case 2: v = 5; default: break; } int s = 0; do { s += v; } while (--v > 0 && s < 100); return v > 3 ? -1 : s; }
      struct Tile { int rows; int cols[3]; }; constexpr Tile tile(int n) { Tile t = {n, {1, 2, 3}}; t.cols[1] = n * n; t.rows += 1; return t; }
      constant constexpr int size = log2_of(64) * 2; constant int table[2] = {twice_of(3), fact(8)};
      struct S { static constant constexpr int n = up(10, 4); static constexpr int thrice(int v) { return v * 3; } int a[twice_of(2)]; };
      constexpr uint mixed(uchar a, float f) { return uint(a) + uint(f * 2.5f) + (a > 200 ? 1u : 0u); }`,
    body: `int a[twice_of(3)]; a[0] = 1; constexpr int local = log2_of(9); int b[local]; b[2] = 5; static_assert(fact(5) == 120, "");
      y[i] = a[0] + int(sizeof(a)) + size * 1000 + table[1] * 100000 + b[2] + int(sizeof(b)) * 10;
      switch (i) { case twice_of(1): y[i] = 7; break; case S::thrice(1): y[i] = 8; break; default: break; }
      if constexpr (twice_of(1) == 2) y[i] += 100; y[i] += number<twice_of(2)>() + S::n + int(sizeof(S)) + number<kind(1)>() + number<kind(2)>() + number<tile(4).cols[1] + tile(5).rows>() + number<int(mixed(250, 1.5f))>();`,
    // 8! / 7; 4 + 3 + 16 + 10 + 15 + 16 + 6 + 250 + 3 + 1
    y: four((i) => (i === 2 ? 7 : i === 3 ? 8 : 1 + 24 + 12000 + 576000000 + 5 + 120) + 100 + 324),
  },
  {
    name: "operators mean functions of the left operand and free ones together",
    before: `struct Fp { int v; Fp operator*(Fp o) const { return Fp{v * o.v}; } Fp operator+(float o) const { return Fp{v + int(o) + 100}; } bool operator==(Fp o) const { return v == o.v; } };
      struct Ext { Fp a; Fp b; Ext operator*(Fp o) const { return Ext{a * o, b * o}; } Ext operator*(Ext o) const { return Ext{a * o.a, b * o.b}; } };
      Ext operator*(Fp a, Ext b) { return b * a; } Fp operator+(Fp a, int b) { return Fp{a.v + b + 2000}; } bool operator==(Fp a, int b) { return a.v == b + 1; }
      template <typename T> struct Of { T v; Of operator+(Of o) const { return Of{v + o.v}; } }; template <typename T> Of<T> operator+(Of<T> a, T b) { return Of<T>{a.v + b * 10}; }
      struct N { int v; operator int() const { return v; } N operator-(N o) const { return N{v - o.v + 500}; } };
      struct Base { int v; int operator%(Base o) const { return v + o.v * 3; } }; struct Derived : Base { int w; }; int operator%(Derived a, int b) { return a.v * b; }`,
    body: `Fp f = {i + 1}; Ext e = {Fp{2}, Fp{3}}; Ext g = f * e * f; Fp h = f + 1; Fp k = f + 1.5f; Of<int> o = {i}; Of<int> p = o + o; Of<int> q = o + 3; N n = {i};
      Derived d; d.v = i; d.w = 0; y[i] = g.b.v * 100000 + h.v + k.v * 7 + p.v + q.v + (n - N{1}).v + n * 2 + (f == 1 ? 1000000 : 0) + (f == Fp{3} ? 2000000 : 0) + d % 4 + d % d;`,
    y: four(
      (i) =>
        3 * (i + 1) ** 2 * 100000 +
        (i + 2002) +
        (i + 102) * 7 +
        2 * i +
        (i + 30) +
        (i + 499) +
        2 * i +
        (i === 1 ? 1000000 : 0) +
        (i === 2 ? 2000000 : 0) +
        4 * i +
        4 * i,
    ),
  },
  {
    name: "parameters of templates of any type, destructors that do nothing",
    before: `enum class Kind : uchar { p = 3, q }; template <auto n> struct Of { int get() { return int(n) + (is_same<decltype(n), int>::value ? 100 : 0) + (is_same<decltype(n), bool>::value ? 200 : 0); } };
      template <auto n> int twice_of() { return int(n) * 2 + int(sizeof(n)) * 1000; }
      struct Held { int v; ~Held() {} }; struct Kept { int v; ~Kept() = default; };`,
    body: "Of<5> a; Of<5u> b; Of<true> c; Of<Kind::q> d; Held h; h.v = i; Kept k = {i + 1}; y[i] = a.get() + b.get() * 1000 + c.get() * 100000 + d.get() * 100000000 + twice_of<3>() + twice_of<uchar(3)>() + h.v + k.v;",
    y: four((i) => 105 + 5000 + 20100000 + 400000000 + 4006 + 1006 + 2 * i + 1),
  },
  {
    name: "methods that return the object, called one after another",
    before: `struct W { int sum, count; thread W& add(int v) thread { sum += v; count++; return *this; } thread W& twice() thread { add(1).add(2); return *this; } };
      struct V { int a, b; thread V& operator+=(V o) thread { a += o.a; b += o.b; return *this; } };`,
    body: `W w{0, 0}; w.add(x[i]).add(2).twice().add(3); thread W& r = w.add(i); r.sum += 1000; V v{1, 2}; (v += V{10, 20}).a *= 2;
      int when = i > 1 && w.add(5).sum > 0 ? 1 : 0; y[i] = w.sum * 10 + w.count + (v.a + v.b) * 1000000 + when * 100000000;`,
    // 10 + i + 2 + 3 + 3 + i + 1000; 6 times; 22 + 22
    y: four((i) => (1018 + 2 * i + (i > 1 ? 5 : 0)) * 10 + 6 + 44000000 + (i > 1 ? 1 + 100000000 : 0)),
  },
  {
    name: "references to one of two objects",
    before: `struct W { int sum; thread W& add(int v) thread { sum += v; return *this; } };
      thread int& larger(thread int& a, thread int& b) { return a > b ? a : b; }
      thread int& either(bool c, thread W& a, thread W& b) { return c ? a.add(1).sum : b.add(10).sum; }`,
    body: "int a = i, b = 2; larger(a, b) += 10; W p{0}, q{0}; either(i > 1, p, q) += 100; y[i] = a + b * 100 + p.sum * 10000 + q.sum * 10000000;",
    y: four((i) => (i > 2 ? i + 10 : i) + (i > 2 ? 2 : 12) * 100 + (i > 1 ? 101 * 10000 : 110 * 10000000)),
  },
  {
    // Each name of the base means that of the base, but for those of the whole object.
    name: "bases that are made for what inherits them",
    before: `template <typename D> class Gathers { protected: int total = 0; int seen = 0; public:
        void put(int v) thread { total = static_cast<thread D*>(this)->join(total, v); seen++; this->note(); }
        void note() thread { total += 1; }
        int result() const thread { return static_cast<thread const D&>(*this).finish(total, seen) + D::bias(); }
        thread D& me() thread { return static_cast<thread D&>(*this); } };
      class Sums : public Gathers<Sums> { public: int join(int a, int b) const { return a + b; } int finish(int t, int n) const { return t * 10 + n; }
        static int bias() { return 5; } void note() thread { total += 100; } };
      template <typename D> struct Both : Gathers<D> { void both(int a, int b) thread { this->put(a); this->me().put(b); } };
      struct Scaled : Both<Scaled> { int k; int join(int a, int b) const { return a * k + b; } int finish(int t, int n) const { return t; } static int bias() { return 7; } };
      template <typename T, typename D> struct Area { T area() const thread { return static_cast<thread const D&>(*this).w * ((thread const D&)*this).h(); }
        template <typename F> T map(F f) const thread { return f(static_cast<thread const D&>(*this).w); } };
      template <typename T> struct Box : Area<T, Box<T>> { T w; T h() const { return w + 1; } };
      struct Twice { int operator()(int v) const { return v * 2; } };`,
    body: "Sums s; s.put(x[i]); s.put(1); s.me().note(); Scaled d; d.k = 3; d.both(i, 2); Box<int> b; b.w = i; y[i] = s.result() + d.result() * 10000 + b.area() * 1000000 + b.map(Twice()) * 100000000;",
    // 10 + i + 1 + 1 + 1 + 100, twice, and 5; (i + 1) * 3 + 2 + 1, and 7
    y: four((i) => (113 + i) * 10 + 2 + 5 + ((i + 1) * 3 + 3 + 7) * 10000 + i * (i + 1) * 1000000 + 2 * i * 100000000),
  },
  {
    name: "conditions as arguments of templates, members by decltype, a function named like a struct",
    before: `template <int a, int b> struct Pair { static constant constexpr int n = a * 10 + b; };
      template <int x, int y, bool t> struct Use { using p = Pair<t ? y : x, t ? x + 1 : 7>; static constant constexpr int n = p::n; };
      union bits { int v; uchar b[4]; }; int low(int x) { bits r; r.v = x; return r.b[0]; }
      int bits(int x) { return low(x) + 1; }`,
    body: "Use<2, 3, true> u; Use<4, 3, false> w; y[i] = decltype(u)::n * 100 + decltype(w)::n + i + bits(0x1234) * 10000;",
    y: four((i) => 3300 + 47 + i + 0x35 * 10000),
  },
  {
    name: "a specialisation where what is returned leaves one template",
    before: `struct Q { int v; };
      struct Div {
        template <typename T> enable_if_t<is_integral_v<T> && !is_signed_v<T>, T> operator()(T a, T b) const { return a / b; }
        template <typename T> enable_if_t<is_integral_v<T> && is_signed_v<T>, T> operator()(T a, T b) const { T q = a / b; if (a % b != 0 && (a < 0) != (b < 0)) q -= 1; return q; }
        template <typename T> enable_if_t<!is_integral_v<T>, T> operator()(T a, T b) const { return a; }
        template <> Q operator()(Q a, Q b) const { return Q{a.v * 10 + b.v}; } };`,
    body: "Div d; y[i] = d(-7, 2) + int(d(7u, 2u)) * 100 + d(Q{i}, Q{3}).v * 1000;",
    y: four((i) => -4 + 300 + (10 * i + 3) * 1000),
  },
  {
    name: "null by a condition that is a constant",
    before: `template <bool A> int at(const thread int* p, int n) { return A ? p[n] : n; }
      template <bool A> int ahead(const thread int* p, int n) { const thread int* q = A ? p + 1 : nullptr; return at<A>(q, n); }`,
    body: "int a[4] = {5, 6, 7, 8}; y[i] = ahead<true>(a, i % 3) + ahead<false>(nullptr, i) * 100;",
    y: four((i) => 6 + (i % 3) + 100 * i),
  },
  {
    name: "a name that is a type in one template and a function in another",
    before: `int triple(int v) { return v * 3; } int next_of(int v) { return v + 1; }
      template <int (*F)(int), int (*G)(int)> int both(int v) { return F(G(v)); }
      template <typename F> int called(F f, int v) { return f(v); } struct Half { int operator()(int v) const { return v / 2; } };`,
    body: "y[i] = both<triple, next_of>(i) + both<next_of, triple>(1) * 100 + called(Half(), 9) * 1000;",
    y: four((i) => (i + 1) * 3 + 400 + 4000),
  },
  {
    name: "references as members",
    before: `struct Sink { device int& total; thread int& calls; int last;
        Sink(device int& t, thread int& n) : total(t), calls(n), last(0) {}
        void put(int v) thread { total += v; calls++; last = v; } };
      template <typename T> struct View { device T& at; device const T* from; T get() const { return at + from[1]; } };`,
    body: "int n = 0; y[i] = 0; Sink s(y[i], n); s.put(i); Sink u = s; u.put(x[i]); View<int> v{y[i], x}; v.at = v.get() + n * 100 + u.last * 1000 + s.last * 100000;",
    // i + 10 + i, and 11
    y: four((i) => 2 * i + 21 + 200 + (10 + i) * 1000 + i * 100000),
  },
  {
    name: "the name of a template in its instances",
    before: `template <int N> struct Pow { static int of(int v) { return v * Pow<N - 1>::of(v); } static constant constexpr int n = N;
        int sum() const { return N + Pow<N - 1>::n * 10 + Pow<N - 1>().sum(); } };
      template <> struct Pow<0> { static int of(int v) { return 1; } static constant constexpr int n = 7; int sum() const { return 1000; } };
      struct Sum { int start() const { return 11; } };
      template <typename Op> int start() { return Op().start(); }`,
    body: "Pow<3> p; y[i] = Pow<3>::of(i) + p.sum() * 100 + start<Sum>() * 1000000;",
    // 3 + 20, 2 + 10, 1 + 70
    y: four((i) => i * i * i + (106 + 1000) * 100 + 11000000),
  },
  {
    name: "a range-based for from begin to end",
    before: `struct List { int data[4]; int n; thread int* begin() thread { return data; } thread int* end() thread { return data + n; } };`,
    body: "List l{{1, 2, 3, 4}, i}; int sum = 0; for (auto v : l) sum += v * 10; for (thread int& v : l) { if (v == 2) continue; v += 100; } y[i] = sum + l.data[0] * 1000 + l.data[1] * 1000000 + l.data[2] * 10000000;",
    y: four((i) => [0, 10, 30, 60][i]! + (i > 0 ? 101 : 1) * 1000 + 2000000 + (i > 2 ? 103 : 3) * 10000000),
  },
  {
    // C++14 12.8, 5.16, 5.18; clang's programs of C++14 and C++17 gave these numbers.
    name: "copies of what expressions refer to, which is not copied until its value is taken",
    before: `struct A { int v; A(int x) : v(x) {} A(thread const A& o) : v(o.v + 100) {} int get() const { return v; } int step() { return v++; } };
      int take(A a) { return a.v; } int of(thread const A& a) { return a.v; }
      A pick(bool c, A x, A y) { return c ? x : y; }`,
    body: `int n = 0; A a(i), b(2); A c = (n++, a); A d = n > 0 ? a : b; y[i] = c.v + d.v * 2 + (n > 1 ? a : b).get() * 3 + take(n > 0 ? a : b) * 5 + of(n > 0 ? a : b) * 7;
      A e = (a = b); y[i] += e.v * 11 + a.v * 13 + pick(n > 3, a, b).v * 17; (n > 0 ? a : b).v = 50;
      A f = (n++, n > 5 ? a : b); (n++, a).step(); const A g(3); A h = n > 0 ? g : g; y[i] += f.v * 23 + a.v * 29 + n * 31 + h.v * 37 + b.v * 41;`,
    y: [13199, 13214, 13229, 13244],
  },
  {
    // C++14 12.8, 5.16, 5.18; clang's programs of C++14 and C++17 gave these numbers.
    name: "copies of objects with others in them, whose constructors do more",
    before: `struct A { int v; A(int x) : v(x) {} A(thread const A& o) : v(o.v + 100) {} };
      struct H { int k; A a; A two[2]; }; struct D : A { int z; D(int q) : A(q), z(q) {} };
      struct W { H h; W(thread const H& o) : h(o) {} };
      int sum(H h) { return h.k + h.a.v * 2 + h.two[0].v * 3 + h.two[1].v * 5; } H same(thread const H& h) { return h; }`,
    body: `H h{1, A(i), {A(2), A(3)}}; H g = h; H m = g; D d(4); D e = d; W w(h); H many[2] = {h, g}; m = h;
      y[i] = sum(h) + sum(g) * 7 + sum(m) * 11 + e.v * 13 + e.z * 17 + sum(w.h) * 19 + sum(same(h)) * 23 + sum(many[1]) * 29;`,
    y: [177400, 177580, 177760, 177940],
  },
  {
    // C++14 12.8, 5.16, 5.18; clang's programs of C++14 and C++17 gave these numbers.
    name: "a struct that names itself in its types, lambdas that may change what they refer to, types behind variables",
    before: `struct A { typedef A Self; using Me = A; int v; Self plus(Me o) const { Self r; r.v = v + o.v; return r; } }; struct S { int v; };`,
    body: `A a; a.v = i; A::Self b = a.plus(a); int n = 1; auto f = [&n](int k) mutable { n += k; return n; }; auto g = [&]() mutable { return ++n; };
      const int S = 3; struct S z = {S}; y[i] = b.v + f(2) * 100 + g() * 10000 + n * 1000 + z.v * 100000;`,
    y: [344300, 344302, 344304, 344306],
  },
  {
    // C++14 5.2.10 (11), 5.4, 7.3.1 (8); clang's programs of C++14 and C++17 gave these numbers.
    name: "casts to references, which are to the object as another type, and to const to a value",
    before: `struct B { int v; }; struct D : B { int w; }; int twice(thread int& n) { n *= 2; return n; }`,
    body: `int n = 1065353216 + i * 8388608; float a = (thread float&)n; float b = (thread const float&)n; float c = reinterpret_cast<thread float&>(n); D d; d.v = 3; d.w = 4; ((thread B&)d).v = 7;
      float g = 1.0f; (thread int&)g = 1073741824; uint u = 5; int q = twice((thread int&)u); y[i] = int(a) + int(b / 1.0e8f) * 100 + int(c) * 10000 + d.v * 100000 + int(g) * 1000000 + int(u) * 10000000 + q;`,
    y: [102711011, 102721012, 102741014, 102781018],
  },
  {
    // C++14 5.2.9 (4), 5.4, 8.5.3; by hand, and clang's program gave these numbers.
    name: "casts to references to const of an object's own type and of its base, which are the object",
    before: `int set_behind(thread const int& a, thread int& b) { b = 9; return a; } int kind_of(thread int&) { return 1; } int kind_of(thread const int&) { return 2; }
      struct B { int v; int get() { return 1; } int get() const { return 2; } }; struct D : B { int w; }; typedef thread int& R; typedef thread const int& C;`,
    body: `int n = 3; int s = set_behind((thread const int&)n, n); n = 3; s += set_behind(static_cast<thread const int&>(n), n) * 10; n = 3; s += set_behind((C)n, n) * 100; n = 3; s += set_behind((const int)n, n) * 1000;
      D d; d.v = 1; thread const B& b = (thread const B&)d; thread const B& c = static_cast<thread const B&>(d); d.v = 4; (R)n = 5; thread const int *p = &(thread const int&)n; n++; s += (b.v + c.v) * 10000 + *p * 100000;
      y[i] = s + (kind_of((thread const int&)n) + kind_of((R)n)) * 1000000 + (((thread const B&)d).get() * 2 + ((thread B&)d).get()) * 10000000;`,
    y: four(() => 999 + 3000 + 80000 + 600000 + 3000000 + 50000000),
  },
  {
    // C++14 5.2.10 (11), 5.4, 7.3.1 (8); clang's programs of C++14 and C++17 gave these numbers.
    name: "specialisations of what inline namespaces have, around them",
    before: `namespace a { inline namespace v { inline namespace w { template <class T, class U> struct S { enum { n = 1 }; }; template <class T> int f(T) { return 1; } } template <class T> int g(T) { return 5; } }
      template <class T> struct S<T, int> { enum { n = 2 }; }; template <> struct S<float, float> { enum { n = 3 }; }; template <> int f<uint>(uint) { return 2; } template <> int g<int>(int) { return 6; } }`,
    body: `y[i] = a::S<int, int>::n + a::S<float, float>::n * 10 + a::S<int, float>::n * 100 + a::f(i) * 1000 + a::f(1u) * 10000 + a::f(1.0f) * 100000 + a::g(i) * 1000000 + a::g(1.0f) * 10000000;`,
    y: [56121132, 56121132, 56121132, 56121132],
  },
  {
    // C++14 5.16 (4), 12.8; clang's program gave these numbers.
    name: "members of what expressions refer to, which copies nothing",
    before:
      "struct S { int v; int w[2]; S(int x) : v(x), w{x, x} {} S(thread const S& s) : v(s.v + 100), w{1, 2} {} };",
    body: `S a(3), b(4); int n = 1; int m = (n > 0 ? a : b).v + (n++, a).v * 10 + (a = b).v * 100 + (n++, n > 3 ? a : b).w[n & 1] * 1000 + ((n > 0 ? a : b)).w[1] * 10000;
      thread S& r = (n > 0 ? a : b); r.v = 8; m += a.v * 100000; auto c = (n > 0 ? a : b); n > 0 ? a : b; y[i] = m + (c.v - 100) * 1000000 + (n > 100 ? b : a).v * 10000000 + i;`,
    y: four((i) => 3 + 30 + 400 + 4000 + 40000 + 800000 + 8000000 + 80000000 + i),
  },
  {
    // C++14 3.4.3.1, 3.4.5, 10.2; clang's program gave these numbers.
    name: "members of bases that the struct hides, by the base's name",
    before: `namespace n { struct A { int v = 3; int f() const { return v; } }; } template <typename T> struct H { T v = T(2); T f(int k) { return v + k; } };
      struct B : n::A, H<int> { int v = 1; int f() const { return 9; } B() {} B(thread const B& o) : v(o.A::v) { A::v = o.v; H<int>::v = 8; } int s() { return v + A::v * 10 + H<int>::v * 100 + H<int>::f(1) * 1000 + this->n::A::f() * 10000; } };
      struct C : B { int s() { auto g = [&](int k) { B::v += k; return A::v; }; return B::s() + g(1) * 100000 + B::v * 1000000; } };`,
    body: "C c; c.n::A::v = i; c.f(); thread C* p = &c; p->B::v += 4; B b((thread B&)c); y[i] = c.s() + (p->A::f() + b.v + b.A::v) * 10000000;",
    y: four((i) => 5 + 10 * i + 200 + 3000 + 10000 * i + 100000 * i + 6000000 + (i + i + 5) * 10000000),
  },
  {
    // C++14 7.3.3 (15), (16); clang's program gave these numbers.
    name: "functions of a base that a using declaration puts beside the struct's own",
    before: `struct A { int v = 1; int g(int q) const { return q + v; } int g(int a, int b) const { return a * b + v; } template <typename T> int t(T q) { return 3; } static int st(int a) { return a + 7; } }; struct M : A {};
      struct B : M { int v = 50; using A::g; using M::t; using A::st; int g(float q) const { return 2 + v; } int g(int a, int b) const { return 4 + v; } int t(int a, int b) { return 5; } static int st(int a, int b) { return a * b; } };`,
    body: "B b; b.A::v = i; y[i] = b.g(1) + b.g(1.0f) * 10 + b.g(2, 3) * 1000 + (b.t(i) + b.t(1, 2)) * 100000 + (B::st(1) + B::st(2, 3)) * 1000000 + b.g(short(1));",
    y: four((i) => 1 + i + 520 + 54000 + 800000 + 14000000 + 1 + i),
  },
  {
    // C++14 8.3.5 (2), 5.2.2; clang's program gave these numbers.
    name: "types behind an arrow that begin with a word or name a template, and calls of what an expression is",
    before: `template <typename T> struct Box { T a[2]; }; struct F { int operator()(int a) const { return a * 2; } int two(int a) const { return (*this)(a) + 1; } };
      struct P { int v, count; auto more() const -> Box<int> { return Box<int>{{v, count}}; } auto self() -> thread P* { return this; } auto it() const -> const thread P& { return *this; } };
      template <typename T> auto made(T p, T q) -> Box<T> { Box<T> r = {{p, q}}; return r; } template <typename T> auto el(thread Box<T>& b, int k) -> thread T& { return b.a[k]; } auto next(device int* p) -> device int* { return p + 1; }`,
    body: `Box<int> q = made(i, 3); el(q, 1) += 2; P p{4, 5}; p.self()->v = i; bool lt = p.self()->count < 3; auto g = [](int k) -> Box<int> { return Box<int>{{k, k}}; }; F f, h; int c[2] = {1, 2}; auto at = [&c](int k) -> thread int& { return c[k]; }; at(1) = 6;
      y[i] = q.a[1] + p.more().a[0] * 10 + p.it().count * 100 + lt + g(7).a[1] * 1000 + f.two(i) * 10000 + (i > 1 ? f : h)(4) * 1000000 + *next(x) * 10000000 + c[1] * 100000000;`,
    y: four((i) => 5 + 10 * i + 500 + 7000 + (2 * i + 1) * 10000 + 8000000 + 110000000 + 600000000),
  },
  {
    // C++14 14.7.3; by hand, and clang's program gave these numbers.
    name: "static members of instances, by themselves",
    before: `template <typename T> struct S { static constant int v; static constant constexpr int n = 1; int get() { return v * n; } }; template <typename T> constant int S<T>::v = int(sizeof(T)); template <> constant int S<float>::v = 7; template <> constant constexpr int S<char>::n = 4;
      namespace q { template <typename T, int N> struct P { static constant int v; }; template <> constant int P<float, 2>::v = 8; template <> constant int P<int, 1 + 2>::v = 5; }`,
    body: "S<float> f; S<char> c; y[i] = f.get() + S<short>::v * 10 + c.get() * 100 + S<int>::n * 1000 + q::P<float, 2>::v * 10000 + q::P<int, 3>::v * 100000 + i;",
    y: four((i) => 7 + 20 + 400 + 1000 + 80000 + 500000 + i),
  },
  {
    // By hand, and clang's program gave these numbers.
    name: "pointers in objects that are null, lead to a variable, or into objects beside, chosen by a pointer to objects",
    before: "struct Chosen { int n; thread int *q; };",
    body: "int loc = i + 5; Chosen w = {7, nullptr}; Chosen u = w; u.q = &loc; loc++; Chosen arr[2] = {w, u}; thread Chosen *pw = arr + (i & 1); (*pw).q = &arr[0].n; y[i] = (arr[0].q ? *arr[0].q : 1) * 100 + (arr[1].q ? *arr[1].q : 1);",
    y: four((i) => (i & 1 ? 107 : 700 + i + 6)),
  },
];
