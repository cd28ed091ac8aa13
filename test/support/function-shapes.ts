/** Kernels of MSL with pointers to functions that are told at run time (C++14 5.2.2, 8.3.1), which clang runs as C++: see test/templates.test.ts. */
import type { Shape } from "./class-shapes.js";

const four = (of: (i: number) => number): number[] => [0, 1, 2, 3].map(of);

const operations = `int add(int a, int b) { return a + b; } int less(int a, int b) { return a - b; } static int times(int a, int b) { return a * b; }
      using Op = int (*)(int, int);`;
const all = [
  (a: number, b: number) => a + b,
  (a: number, b: number) => a - b,
  (a: number, b: number) => a * b,
] as const;

export const functionShapes: readonly Shape[] = [
  {
    name: "lambdas without captures as pointers to functions",
    before: `int twice(int v) { return 2 * v; } typedef int (*Op)(int); int apply(Op f, int n) { return f(n) + 1; } struct S { Op op; int n; };
      struct M { Op f; M(Op g) : f(g) {} int run(int x) { return f(x); } }; Op chosen(bool c) { if (c) return [](int v) { return v - 50; }; return twice; }`,
    body: `const int base = 4; int (*f)(int) = [](int v) { return v + 3; }; Op g = +[](int v) { return v * 5; }; auto h = +[](int v) { return v * 11; };
      Op ops[] = {twice, [](int v) -> int { if (v > 2) return 1; return v * 7; }, [](auto v) { return v - 9; }, [](int v) { return v + base; }};
      S s = {[](int v) { return -v; }, 2}; int n = s.op(s.n); s.op = [](int v) { return ~v; }; if (i == 3) h = twice; Op c = i & 1 ? twice : f; auto e = i > 1 ? [](int v) { return v; } : [](int v) { return -v; }; M m([](int v) { return v + 8; });
      y[i] = f(4) + g(i) + h(2) * 3 + ops[i](2) * 100 + apply([](int v) { return v * v; }, i) * 10000 + n + s.op(s.n) + c(5) * 1000000 + m.run(i) + chosen(i > 1)(6) + e(500);`,
    y: four(
      (i) =>
        7 +
        5 * i +
        (i === 3 ? 4 : 22) * 3 +
        [4, 14, -7, 6][i]! * 100 +
        (i * i + 1) * 10000 -
        2 -
        3 +
        (i & 1 ? 10 : 8) * 1000000 +
        i +
        8 +
        (i > 1 ? -44 : 12) +
        (i > 1 ? 500 : -500),
    ),
  },
  {
    name: "of functions that return pointers",
    before: `typedef device int* (*At)(device int*, int); using Bt = device int* (*)(device int*, int); device int* at(device int* p, int k) { return p + k; }
      device int* back(device int* p, int k) { return p - k; }`,
    body: "At w = i & 1 ? at : back; *w(y + i, 0) = 5; Bt v = w; if (i > 1) v = back; *v(y + i, i & 1 && i < 2 ? 0 : 0) += i; y[i] += *at(y, i) + int(w == v) * 100;",
    y: four((i) => 2 * (5 + i) + (i === 3 ? 0 : 100)),
  },
  {
    name: "types of functions that throw nothing, as C++14 says it where it is no part of the type",
    before: `typedef int (*Op)(int) noexcept; using Or = int (*)(int) noexcept(true); int up(int v) noexcept { return v + 1; }
      int both(int (*a)(int) noexcept, Or b, int v) { return a(v) + b(v) * 10; }`,
    body: "Op f = up; int (*g)(int) noexcept = up; y[i] = f(i) + g(i) * 100 + both(up, f, 4) * 10000;",
    y: four((i) => i + 1 + (i + 1) * 100 + 550000),
  },
  {
    name: "of several functions of a name, and of templates, the one that a parameter is a pointer to",
    before: `int pick(int a) { return a + 1; } float pick(float a) { return a * 2; } template <typename T> T twice(T v) { return v * 2; }
      namespace n { inline int two(int a) { return a * 3; } inline int two(float a) { return 5; } } typedef int (*Op)(int); typedef float (*FOp)(float);
      struct S { static int st(int a) { return a - 1; } static int st(uint a) { return 9; } int v; }; int app(Op f, int x) { return f(x); }
      int app2(Op f, int x) { return f(x) + 1000; } int app2(FOp f, float x) { return int(f(x)) + 2000; } template <typename T> T tapp(T (*f)(T), T x) { return f(x); }
      struct M { Op f; M(Op g) : f(g) {} int run(Op h, int x) { return h(x) + f(x); } };`,
    body: `int v = i; M m(pick); y[i] = app(pick, v) + app(&twice, v) * 10 + app2(pick, v) * 100 + app2(pick, 1.5f) + tapp(pick, v) * 3 + int(tapp(pick, 2.5f)) * 7 +
      m.run(twice, v) * 11 + app(S::st, v) * 13 + app((n::two), v) * 17 + tapp(twice, v) * 19;`,
    y: four(
      (v) =>
        v +
        1 +
        2 * v * 10 +
        (v + 1001) * 100 +
        2003 +
        (v + 1) * 3 +
        35 +
        (3 * v + 1) * 11 +
        (v - 1) * 13 +
        3 * v * 17 +
        2 * v * 19,
    ),
  },
  {
    name: "of several functions of a name the one that an initialiser, an assignment or a cast wants",
    before: `int pick(int a) { return a + 1; } float pick(float a) { return a * 2; } template <typename T> T twice(T v) { return v * 2; }
      typedef int (*Op)(int); struct O { Op f; int n; };`,
    body: `int v = i; Op g = pick; if (v > 2) g = twice; Op u[2] = {pick, &twice}; O o = {pick}; O p = {twice, 3}; Op c = v > 1 ? static_cast<Op>(pick) : static_cast<Op>(twice);
      o.f = twice; Op d = (Op)pick; bool same = g == static_cast<Op>(pick);
      y[i] = g(v) + u[i & 1](v) * 10 + o.f(v) * 100 + c(v) * 1000 + p.f(v) * 10000 + d(v) * 100000 + int(same) * 1000000;`,
    y: four((v) => {
      const [pick, twice] = [v + 1, 2 * v];
      const [g, t, c] = [v > 2 ? twice : pick, v & 1 ? twice : pick, v > 1 ? pick : twice];
      return g + t * 10 + twice * 100 + c * 1000 + twice * 10000 + pick * 100000 + (v > 2 ? 0 : 1000000);
    }),
  },
  {
    name: "tables of functions, of the file and of a function, by an index",
    before: `${operations} constant Op ops[] = {add, less, &times};`,
    body: `int (*own[2])(int, int) = {times, add}; const int n = sizeof(ops) / sizeof(ops[0]);
      y[i] = ops[i % n](i, 5) + own[i & 1](i + 1, 7) * 100 + (*own[1])(2, 3) * 10000 + n * 100000;`,
    y: four((i) => all[i % 3]!(i, 5) + (i & 1 ? i + 8 : (i + 1) * 7) * 100 + 50000 + 300000),
  },
  {
    name: "pointers to functions that are handed over, chosen, returned and set anew",
    before: `int fold(int n, int (*op)(int, int)) { int s = 1; for (int k = 1; k < n; k++) s = op(s, k); return s; } int add(int a, int b); typedef int (*Op)(int, int);
      int apply(Op op, int a, int b) { return op ? op(a, b) : -1; } int add(int a, int b) { return a + b; } int times(int a, int b) { return a * b; } int twice(int v) { return 2 * v; }
      template <typename T> T half_of(T v) { return v / 2; } Op pick(int i) { return i & 1 ? add : times; }`,
    body: `Op p = nullptr; int s = apply(p, 1, 2); if (i > 1) p = pick(i); s += apply(p, i, 3) * 10; p = add; s += p(1, 1) * 100; for (int k = 0; k < i; k++) p = k & 1 ? add : times; s += fold(4, p) * 1000;
      int (*one)(int) = i > 2 ? twice : half_of<int>; y[i] = s + one(8) * 100000 + fold(5, i ? times : add) * 1000000;`,
    y: four((i) => {
      const s = -1 + (i > 1 ? (i & 1 ? i + 3 : i * 3) : -1) * 10 + 200;
      return s + (i === 0 || i === 2 ? 7 : 6) * 1000 + (i > 2 ? 16 : 4) * 100000 + (i ? 24 : 11) * 1000000;
    }),
  },
  {
    name: "pointers to functions in structs, compared, and null where nothing is given",
    before: `${operations} struct Node { Op op; int k; int run(int x) const { return op(x, k); } }; struct Pair { Node n[2]; };`,
    body: `Pair p = {{{add, 5}, {times, 7}}}; Node n; n = p.n[i & 1]; n.k++; Node empty = {}; Op few[3] = {less}; Op now = few[i % 2];
      y[i] = n.run(i) + p.n[1].op(2, 3) * 100 + (n.op == add) * 1000 + (empty.op == nullptr) * 2000 + (few[1] ? 0 : 4000) + (!now ? 10000 : 0) + (now && now(9, i) > 7 ? 20000 : 0) + (now != less) * 40000;`,
    y: four((i) => (i & 1 ? i * 8 : i + 6) + 600 + (i & 1 ? 0 : 1000) + 6000 + (i & 1 ? 50000 : 9 - i > 7 ? 20000 : 0)),
  },
  {
    name: "functions that return nothing, with references and pointers to memory",
    before: `void more(thread int& v, device int* o) { v++; o[8] = 3; } void fewer(thread int& v, device int* o) { v -= 2; } void none(thread int& v, device int* o) {}
      struct Step { void (*f)(thread int&, device int*); int times; };`,
    body: `Step steps[3] = {{more, 3}, {fewer, 2}, {none, 100}}; int v = 10; for (int k = 0; k < 3; k++) { thread Step& s = steps[(k + i) % 3]; for (int j = 0; j < s.times; j++) s.f(v, y); v *= 2; } y[i] = v;`,
    y: four((i) => {
      let v = 10;
      for (let k = 0; k < 3; k++) v = 2 * (v + [3, -4, 0][(k + i) % 3]!);
      return v;
    }),
  },
];

const before = "typedef int (*Op)(int); int f(int v) { return v; } int g(int v) { return -v; }";
const refused: readonly (readonly [before: string, body: string, message: string])[] = [
  ["", "Op p = i ? f : g; y[i] = (int)p;", "a pointer to a function as something else is not supported yet"],
  [
    "struct S { Op op; int n; };",
    "y[i] = sizeof(S);",
    "sizeof of a struct with pointers to functions is not supported yet",
  ],
  [
    "",
    "int n = i; Op p = f; p = [n](int v) { return v + n; }; y[i] = p(1);",
    "is a lambda that captures something, which is no pointer to a function",
  ],
  ["", "Op p = [](int v) { return v > 1.5f; }; y[i] = p(1);", "is a lambda that takes or returns something else"],
  ["", "Op p = [](int v, int w) { return v + w; }; y[i] = p(1);", "is a lambda that takes or returns something else"],
  [
    "struct S { Op op; int n; };",
    "S s = {f, 1}; thread int* q = (thread int*)&s; y[i] = *q;",
    "memory with pointers to functions as another type is not supported yet",
  ],
  [
    "float h(int v) { return v; }",
    "Op p = i ? f : h; y[i] = p(1);",
    "is the function 'h', which takes or returns something else",
  ],
  [
    "int f(float v) { return 1; } int ap(int (*p)(uint)) { return p(1); }",
    "y[i] = ap(f);",
    "no function 'ap' takes .several functions",
  ],
  [
    "int r(int v); constant Op t[2] = {f, r}; int r(int v) { return v > 3 ? t[v & 1](v - 1) : v; }",
    "y[i] = r(i);",
    "'r' is called again by 'call_function', which it calls",
  ],
];

/** What is refused, and what is said. */
export const refusedFunctions = refused.map(([more, body, said]) => [`${before} ${more}`, body, said] as const);
