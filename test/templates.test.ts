/**
 * Templates and classes of MSL (C++14 clauses 8 to 14) and HLSL 2021: results worked out by hand, of HLSL as DXC folds them, through every dialect and
 * its compiler. Sources of HLSL are put before DXC, too; those of MSL, whose compiler is Apple's alone, are run as C++ by clang. The
 * shim for MSL has no deduction from vectors, function pointers, or kernels that are templates: it sees what comes from HLSL.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { missingPrograms } from "./support/judges/judge.js";
import { bitFieldShapes, refusedBitFields } from "./support/bit-field-shapes.js";
import { functionShapes, refusedFunctions } from "./support/function-shapes.js";
import { baseShapes } from "./support/base-shapes.js";
import { bindingShapes } from "./support/binding-shapes.js";
import { deductionShapes } from "./support/deduction-shapes.js";
import { classShapes, type Shape } from "./support/class-shapes.js";
import { detectionShapes } from "./support/detection-shapes.js";
import { lateShapes } from "./support/late-shapes.js";
import { libraryShapes } from "./support/library-shapes.js";
import { enumerationShapes, wrongEnumerations, wrongEnumerationsBefore } from "./support/enumeration-shapes.js";
import { beforeRefused, lambdaShapes, refusedLambdas } from "./support/lambda-shapes.js";
import { ambiguousLists, listShapes } from "./support/list-shapes.js";
import { namingShapes } from "./support/naming-shapes.js";
import { outsideHlsl, outsideShapes, refusedOutside, wrongInterfaces, wrongOutside } from "./support/outside-shapes.js";
import { guideShapes } from "./support/guide-shapes.js";
import { partShapes } from "./support/part-shapes.js";
import { pointerBaseShapes } from "./support/pointer-base-shapes.js";
import { refusedSpellings, spellingShapes } from "./support/spelling-shapes.js";
import { rangeShapes } from "./support/range-shapes.js";
import { packShapes, wrongPacks } from "./support/pack-shapes.js";
import { templateParameterShapes, wrongTemplateParameters } from "./support/template-parameter-shapes.js";
import { referenceShapes, refusedReferences } from "./support/reference-shapes.js";
import { foldWithDxc, missingForFold } from "./support/oracles/dxc-fold.js";
import { judgeTest, toolTest } from "./support/tool-test.js";

const all: readonly TwoWayDialect[] = ["msl", "glsl", "opencl", "hlsl"];
const data = Int32Array.from({ length: 16 }, (_, i) => 10 + i);

const msl: Shape[] = [
  {
    name: "deduced from a value",
    before: "template <typename T> T twice(T v) { return v + v; }",
    body: "y[i] = twice(i) + int(twice(0.25f) * 10.0f) + twice(uchar(200));",
    // 0.5 * 10 = 5; 400 as a uchar is 144.
    y: [149, 151, 153, 155],
  },
  {
    name: "a constant of an instance as an argument",
    before: `template <typename T> struct Box { static constant constexpr int size = 3; T v; };
      template <> struct Box<int> { static constant constexpr int size = 5; };
      template <int N> int times(int v) { return v * N; }`,
    body: "y[i] = times<Box<float>::size>(i) + times<Box<int>::size>(1) * 100;",
    y: [500, 503, 506, 509],
  },
  {
    name: "made explicitly, by its parameters",
    before:
      "template <typename T> T half_of(T v) { return v / 2; } template int half_of(int); template float half_of<float>(float);",
    body: "y[i] = half_of(i * 5) + int(half_of(3.0f) * 100.0f);",
    y: [150, 152, 155, 157],
  },
  {
    name: "given, in part",
    before: "template <typename R, typename T> R to(T v) { return R(v); }",
    body: "y[i] = to<int>(2.75f) * 10 + int(to<uchar>(300 + i)) + int(to<float, int>(7) / 2.0f);",
    y: [20 + 44 + 3, 20 + 45 + 3, 20 + 46 + 3, 20 + 47 + 3],
  },
  {
    name: "deduced from address spaces and arrays",
    before: `template <typename T> T sum(device const T* p, int n) { T s = 0; for (int k = 0; k < n; k++) s += p[k]; return s; }
      template <typename T, int N> T sum(thread const T (&a)[N]) { T s = 0; for (int k = 0; k < N; k++) s += a[k]; return s * N; }`,
    body: "short a[3] = {1, 2, short(i)}; y[i] = sum(x + i, 2) * 100 + sum(a);",
    y: [2109, 2312, 2515, 2718],
  },
  {
    name: "of vectors",
    before: `template <typename T, int N> T total(vec<T, N> v) { T s = v[0]; for (int k = 1; k < N; k++) s += v[k]; return s * N; }`,
    body: "y[i] = total(int3(1, 2, i)) * 100 + int(total(float2(1.5f, 2.0f)));",
    y: [907, 1207, 1507, 1807],
  },
  {
    name: "the more special of two",
    before: `template <typename T> int kind(T) { return 1; } template <typename T> int kind(thread T*) { return 2; }
      template <typename T> int kind(vec<T, 2>) { return 3; } int kind(float) { return 4; }`,
    body: "int v = 0; y[i] = kind(i) * 1000 + kind(&v) * 100 + kind(int2(1)) * 10 + kind(1.0f);",
    y: [1234, 1234, 1234, 1234],
  },
  {
    name: "a function of no template only where it fits as well",
    before: "int which(float) { return 1; } template <typename T> int which(T) { return 2; }",
    body: "y[i] = which(1.0f) * 10 + which(1);",
    y: [12, 12, 12, 12],
  },
  {
    name: "names are those before the template",
    before: `int late(int) { return 1; } template <typename T> int ask(T v) { return late(v); } int late(float) { return 2; }`,
    body: "y[i] = ask(1.0f) * 10 + late(1.0f);",
    y: [12, 12, 12, 12],
  },
  {
    name: "named like a function of the library, which comes first where it fits as well",
    before: `struct num { int v; }; template <typename T> T max(T a, T b) { return a; }
      template <> num max(num a, num b) { num r; r.v = a.v * 10 + b.v; return r; }`,
    body: "num a = {1}; num b = {2}; y[i] = max(i, 2) * 1000 + max(a, b).v + max<int>(i, 2) * 100;",
    y: [2012, 2112, 2212, 3312],
  },
  {
    name: "specialised",
    before: `template <typename T> int bits() { return 0; } template <> int bits<float>() { return 32; }
      template <> int bits<half>() { return 16; } template <typename T> int two(T v) { return v + bits<T>(); }
      template <> int two(float v) { return 7; }`,
    body: "y[i] = bits<int>() + bits<float>() * 10 + bits<half>() * 1000 + two(i) + two(1.0f);",
    y: [16327, 16328, 16329, 16330],
  },
  {
    name: "specialised by what is returned, of templates that are only declared",
    before: `template <typename R, typename A> R mul(A a, A b); template <typename T> int sum(T v);
      template <typename T> int dot2(T a, T b) { return sum(mul<T, T>(a, b)); }
      template <> float mul(float a, float b) { return a * b; } template <> int mul(float a, float b) { return int(a * b) + 100; }
      template <> int2 mul(int2 a, int2 b) { return int2(a.x * b.x, a.y * b.y); } template <> int sum(int2 v) { return v.x + v.y; }
      template <> int sum(float v) { return int(v * 2); }`,
    // 2 (i + 1) + 5; twice 1.5 * 2.5; 3 and 100 more.
    body: "y[i] = dot2(int2(i + 1, 5), int2(2, 1)) + dot2(1.5f, 2.5f) * 100 + mul<int, float>(1.5f, 2.5f) * 1000;",
    y: [103707, 103709, 103711, 103713],
  },
  {
    name: "specialised with what is declared before the specialisation, be it behind the template",
    before: `int one(int v) { return 1; } template <typename R, typename T> R ask(T v) { return R(one(v)); }
      int one(float v) { return 2; } int two(float v) { return 3; } template <> int ask<int, float>(float v) { return one(v) * 10 + two(v); }
      int two(int v) { return 4; } struct S { template <typename T> int of(T v) { return ten(v); } template <> int of(float v) { return ten(v) + one(v); } int ten(float v) { return 10; } };`,
    // 2 * 10 + 3; 1, as only that is declared before the template; 10 + 2; 10.
    body: "S s; y[i] = ask<int>(1.0f) * 100 + ask<int>(i) + s.of(1.0f) * 10000 + s.of(i) * 1000000;",
    y: [10122301, 10122301, 10122301, 10122301],
  },
  {
    name: "numbers, with defaults and of each other",
    before: `template <int A, int B = A * 2, bool Up = true> int of() { return Up ? A * 100 + B : B; }
      enum class Side : int { left = 3, right = 5 }; template <Side S> int side() { return int(S); }`,
    body: "y[i] = of<3>() + of<1, 7>() * 1000 + of<1, 9, false>() + side<Side::right>();",
    y: [306 + 107000 + 9 + 5, 306 + 107000 + 9 + 5, 306 + 107000 + 9 + 5, 306 + 107000 + 9 + 5],
  },
  {
    name: "recursion that ends",
    before: `template <int N> int fact() { return N * fact<N - 1>(); } template <> int fact<0>() { return 1; }
      template <int N> int fib() { if constexpr (N < 2) return N; else return fib<N - 1>() + fib<N - 2>(); }`,
    body: "y[i] = fact<5>() + fib<10>() * 1000;",
    y: [55120, 55120, 55120, 55120],
  },
  {
    name: "functions as arguments",
    before: `int add(int a, int b) { return a + b; } int mul(int a, int b) { return a * b; }
      template <typename T> T later(T a, T b) { return b; }
      template <int (*f)(int, int)> int fold(device const int* p) { int r = p[0]; for (int k = 1; k < 3; k++) r = f(r, p[k]); return r; }`,
    body: "y[i] = fold<add>(x) + fold<mul>(x + i) * 100 + fold<later>(x) * 1000000 + fold<&add>(x);",
    // 10+11+12 = 33; products of three; the third.
    y: [66 + 132000 + 12000000, 66 + 171600 + 12000000, 66 + 218400 + 12000000, 66 + 273000 + 12000000],
  },
  {
    name: "specialised for what is const, and for pointers to it",
    before: `template <typename T, int N> struct K { enum { n = 0 }; };
      template <typename T, int N> struct K<device T*, N> { enum { n = 2 }; }; template <typename T, int N> struct K<device const T*, N> { enum { n = 3 }; };
      template <typename T, int N> struct K<const T, N> { enum { n = 4 }; }; template <typename T> struct K<T, 7> { enum { n = 5 }; };
      template <typename T> int const_of(device T* p) { return K<T, 1>::n + 1; } template <typename T> int const_in(device const T* p) { return K<T, 1>::n + 1; }
      template <typename T> struct View { device T* p; T at(int k) const { return p[k]; } };`,
    // 0 for int, 2 and 3 for pointers, 4 for const, 5 for 7: 0 + 20 + 300 + 4000 + 50000; 5 of const int and 1 of int, const or not.
    body: `device const int* q = x; device int* p = y; View<const int> v{q}; View<int> w{p}; w.p[i] = 3;
      y[i] = K<int, 1>::n + K<device int*, 1>::n * 10 + K<device const int*, 1>::n * 100 + K<const int, 2>::n * 1000 + K<int, 7>::n * 10000 +
        const_of(q) * 100000 + const_of(p) * 1000000 + const_in(q) * 10000000 + v.at(i) - 10;`,
    y: [11554320, 11554321, 11554322, 11554323],
  },
  {
    name: "const that is cast away",
    before: `struct S { int a; int b[2]; void set(int v) { a = v; } int next() const { const_cast<thread S*>(this)->a++; return a; } };
      template <typename T> void put(thread const T& t, int v) { const_cast<thread T&>(t).a = v; }
      int more(thread const int& v) { thread int* p = (thread int*)&v; *p += 5; return v; }`,
    // 7 is put, then 8 set; 5; 9 from the method; 8 twice.
    body: `S s{i, {1, 2}}; put(s, 7); const_cast<thread int&>(s.b[1]) += 3; thread const S& c = s;
      const_cast<thread S&>(c).set(const_cast<thread const S&>(s).a + 1); int q = 3; int r = more(q);
      y[i] = s.a + s.b[1] * 10; y[i] += s.next() * 100 + s.a * 1000 + r * 10000 + q * 100000 + i * 1000000;`,
    y: [889958, 1889958, 2889958, 3889958],
  },
  {
    name: "places that are chosen, assigned and stepped are places still",
    before: `struct S { int v; int w[2]; }; void bump(thread int& r) { r += 3; } struct Q { int n; int inc() { return ++n; } int get() const { return n; } };`,
    // Run by clang: as C++14 5.3.2, 5.16 and 5.17 have it.
    body: `S s{1, {2, 3}}, u{4, {5, 6}}; ((i > 1) ? s : u).v = 9; ++(i == 2 ? s.w[1] : u.w[0]); (s.v = i) += 2; (s.w[0] *= 2) -= 1; --++u.v;
      bump(i > 2 ? s.v : u.v); bump(++s.w[1]); Q q{1}, r{2}; s.w[1] += (i & 1 ? q : r).inc() + (i & 1 ? q : r).get() * 10 + r.n * 100;
      int m = 1, n = 2; thread const int& cr = i & 1 ? m : n; m = 10; n = 20;
      y[i] = s.v + u.v * 10 + s.w[0] * 100 + s.w[1] * 1000 + u.w[0] * 10000 + u.w[1] * 100000 + cr * 10000000;`,
    y: [201000422, 100889423, 200991374, 100889348],
  },
  {
    name: "places that are chosen and assigned are found once, and references to const see what is written",
    before: `struct S { int v; int get(thread int& o) const { o = 9; return v; } }; void add(thread int& v) { v += 20; }
      int both(thread const int& p, thread int& q) { q = 5; return p; }
      int of(thread const int& p, thread const int& q, thread int& w, bool c) { thread const int& r = c ? p : q; w = 7; return r; }`,
    // Run by clang. 605: 5 goes to a[0], which is the one that is stepped, not a[5].
    body: `int a[8] = {0, 1, 2, 3, 4, 5, 6, 7}; (a[a[0]] = 5) += 1; int b[4] = {0, 1, 2, 3}; thread int& r = ++b[b[0]]; r += 10;
      int c[4] = {0, 1, 2, 3}; add(c[c[0]] += 3); int m = 1, n = 2; int p = both(i > 1 ? m : n, m); S s{1}, u{2}; int q = (i > 1 ? s : u).get(s.v);
      int k = 1, l = 2; y[i] = a[0] * 100 + a[5] + b[0] * 1000 + b[1] * 20000 + c[0] + c[3] + p * 100000 + q * 1000000 + of(k, l, k, i > 1) * 10000000;`,
    y: [22231631, 22231631, 79531631, 79531631],
  },
  {
    name: "declarations with names in parentheses, which would be values otherwise",
    before: "struct S { int v; };",
    // Run by clang.
    body: `int m = i; { uint(m); m = 5; y[i] = m; } { int(q) = 3; y[i] += q * 10; } { int(a[2]); a[0] = 1; y[i] += a[0] * 100; }
      { S(s); s.v = 4; y[i] += s.v * 1000; } { int(h) = 1, (b) = 2; y[i] += (h + b) * 10000; } y[i] += m * 100000;`,
    y: [34135, 134135, 234135, 334135],
  },
  {
    name: "calls whose values are converted and dropped",
    before: "int f(thread int &n) { return n++; } struct S { S(int n) {} };",
    // Run by clang.
    body: `int n = i; uint(f(n)); float((f(n))); S(f(n)); uint(f(n) + 1); for (uint(f(n)); n < 7; uint(f(n))) ; y[i] = n;`,
    y: [7, 7, 7, 8],
  },
  {
    name: "places that are chosen among chosen ones, stand behind commas, or are found by what does something",
    before: "struct S { int v; int w[2]; void up() { v++; } };",
    // Run by clang.
    body: `int a = 1, b = 2, c = 3; thread const int& r = i == 0 ? a : i == 1 ? b : c; a = 10; b = 20; c = 30; (i == 0 ? a : i == 1 ? b : c) += i;
      S s{1, {2, 3}}, p{4, {5, 6}}, u{7, {8, 9}}; (i == 0 ? s : i == 1 ? p : u).up(); (i > 1 ? (s = p) : u).up();
      (i > 2 ? a : (c = 40)) += 1; (i & 1 ? (a, b) : c) += 2;
      y[i] = r * 100000 + a + b * 3 + c * 7 + s.v * 1000 + p.v * 2000 + u.v * 3000;`,
    y: [1034371, 2335366, 4337371, 3337308],
  },
  {
    name: "references to const of what is assigned and inherited methods of what is chosen",
    before: `struct B { int v; void up() { v++; } int of(thread B& o) const { o.v = 50; return v; } }; struct D : B { int w; };
      struct S { int v; int w; }; int get(thread const S& a, thread S& b) { b.v = 40; return a.v; }`,
    // Run by clang.
    body: `D a, b; a.v = 1; b.v = 2; a.w = b.w = 0; (i & 1 ? a : b).up(); int r = (i & 1 ? a : b).of(a); (a = b).up();
      int q[4] = {1, 2, 3, 4}; int k = 0; thread const int& m = (q[k++] = 5); q[0] = 7; thread const int& n = ++q[k++]; q[1] = 20;
      S s{1, 2}, p{3, 4}; int f = get(s = p, s); thread const S& g = (s.v = 5, s); s.w = 7;
      y[i] = a.v + b.v * 10 + r * 1000 + (m * 100 + n + k * 10000) * 100 + f * 10000000 + g.w;`,
    y: [402075041, 402122030, 402075041, 402122030],
  },
  {
    name: "structs, with defaults and a partial specialisation",
    before: `template <typename T, int N = 2> struct Box { T v[N]; int n; };
      template <typename T> struct Box<T, 1> { T only; };
      template <> struct Box<float, 3> { float a, b, c; };
      template <typename T, int N> T first(thread const Box<T, N>& b) { return b.v[0] * N; }
      template <typename T> T first(thread const Box<T, 1>& b) { return b.only; }`,
    body: "Box<int> b; b.v[0] = i; b.v[1] = 5; b.n = 7; Box<int, 1> c = {4}; Box<float, 3> d = {1.0f, 2.0f, 3.0f}; y[i] = first(b) * 1000 + first(c) * 100 + b.n * 10 + int(d.c);",
    y: [473, 2473, 4473, 6473],
  },
  {
    name: "structs in structs, that name themselves",
    before: `template <typename T> struct Pair { T a; T b; };
      template <typename T> struct Tree { Pair<T> left; Pair<Pair<T>> right; int n[sizeof(T)]; };
      template <typename T> Pair<T> swapped(Pair<T> p) { Pair<T> q; q.a = p.b; q.b = p.a; return q; }`,
    body: "Tree<short> r; r.left.a = 1; r.left.b = short(i); r.left = swapped(r.left); r.right.b.a = 3; r.n[1] = 9; y[i] = r.left.a * 1000 + r.left.b * 100 + r.right.b.a * 10 + r.n[1];",
    y: [139, 1139, 2139, 3139],
  },
  {
    name: "aliases and variables",
    before: `template <typename T> using Two = vec<T, 2>; template <typename T> constexpr constant T unit = T(3);
      template <typename T, int N> constant constexpr int size = sizeof(T) * N;`,
    body: "Two<int> v = Two<int>(i, unit<int>); y[i] = v.x * 100 + v.y * 10 + int(unit<float> / 2.0f) + size<short, 4> * 1000;",
    y: [8031, 8131, 8231, 8331],
  },
  {
    name: "a branch that is not there",
    before: `template <bool Wide, typename T> int size(T v) { if constexpr (Wide) { return v.x + v.y; } else { return v; } }`,
    body: "y[i] = size<true>(int2(i, 4)) * 10 + size<false>(5);",
    y: [45, 55, 65, 75],
  },
  {
    name: "types of expressions",
    before: "template <typename T> T half_of(T v) { decltype(v + v) w = v; return T(w / 2); }",
    body: "decltype(x[0]) n = x[i]; y[i] = half_of(n) * 10 + int(half_of(5.0f) * 2.0f);",
    y: [55, 55, 65, 65],
  },
  {
    name: "functors as arguments of templates",
    before: `struct Add { int operator()(int a, int b) const { return a + b; } };
      struct Scaled { int by; int operator()(int a, int b) const { return (a + b) * by; } };
      template <typename Op> int reduce(device const int* p, Op op) { int r = p[0]; for (int k = 1; k < 3; k++) r = op(r, p[k]); return r; }
      template <typename Op> int apply(int a) { Op op; return op(a, 1) + Op()(a, 2); }`,
    body: "Scaled s; s.by = 2; y[i] = reduce(x, Add()) + reduce(x + i, s) * 1000 + apply<Add>(i) * 100;",
    // 10+11+12 = 33; ((10 + 11) * 2 + 12) * 2 = 108, with 11, 12, 13: 118; i + 1 + i + 2.
    y: [33 + 108000 + 300, 33 + 118000 + 500, 33 + 128000 + 700, 33 + 138000 + 900],
  },
  {
    name: "methods",
    before: `struct Counter {
        int n; int step;
        void bump() { n += step; }
        int peek(int more) const { return n + more; }
        int twice() { bump(); this->bump(); return peek(0); }
        static int half_of(int v) { return v / 2; }
        Counter next() const { Counter c = *this; c.n++; return c; }
      };`,
    body: "Counter c = {i, 3}; c.bump(); int a = c.twice(); y[i] = a * 1000 + c.peek(1) * 10 + Counter::half_of(9) + c.next().next().peek(0) * 100000;",
    // n is i + 3, then i + 9.
    y: [9, 10, 11, 12].map((n) => n * 1000 + (n + 1) * 10 + 4 + (n + 2) * 100000),
  },
  {
    name: "methods of objects in other memory",
    before: `struct Cell { int a; int b; int sum() const thread { return (a + b) * 100; } void put(int v) device { b = v; } int got() const { return b; } };`,
    body: "Cell mine = {i, 1}; y[i] = mine.sum();",
    y: [100, 200, 300, 400],
  },
  {
    name: "static members and types of structs and their templates",
    before: `template <typename T, int N> struct Traits { typedef vec<T, N> type; using scalar = T; static constant constexpr int size = N; static T zero() { return T(0); } static T of(T v) { return v + T(size); } };
      template <typename Tr> int use(int v) { typename Tr::type w = typename Tr::type(v, v + 1); typename Tr::scalar s = Tr::of(w[1]); return int(s) * 10 + Tr::size + int(Tr::zero()); }`,
    body: "y[i] = use<Traits<int, 2>>(i) + Traits<float, 4>::size * 1000 + int(Traits<float, 4>::of(0.5f) * 2.0f) * 10000;",
    y: [4032 + 90000, 4042 + 90000, 4052 + 90000, 4062 + 90000],
  },
  {
    name: "operators",
    before: `struct Complex { float re; float im;
        Complex operator*(Complex o) const { Complex r; r.re = re * o.re - im * o.im; r.im = re * o.im + im * o.re; return r; }
        bool operator==(Complex o) const { return re == o.re && im == o.im; } Complex operator-() const { Complex r = {-re, -im}; return r; }
        float operator[](int k) const { return k == 0 ? re : im; } };
      Complex operator+(Complex a, Complex b) { Complex r = {a.re + b.re, a.im + b.im}; return r; }
      Complex operator+(Complex a, float b) { Complex r = {a.re + b, a.im}; return r; }
      thread Complex& operator+=(thread Complex& a, Complex b) { a = a + b; return a; }`,
    body: "Complex a = {1.0f, 2.0f}; Complex b = {3.0f, float(i)}; Complex c = a * b + a + 10.0f; c += -a; y[i] = int(c.re) * 100 + int(c[1]) + (a == b ? 5000 : 0) + (a == a ? 10000 : 0);",
    // re: 3 - 2i + 10, im: i + 6
    y: [11306, 11107, 10908, 10709],
  },
  {
    name: "kernels",
    before: `template <typename T, int K> kernel void scale(device T* x [[buffer(0)]], device T* y [[buffer(1)]], uint i [[thread_position_in_grid]]) { y[i] = x[i] * K; }
      template [[host_name("scale_int_3")]] kernel void scale<int, 3>(device int* x [[buffer(0)]], device int* y [[buffer(1)]], uint i [[thread_position_in_grid]]);
      template [[host_name("scale_uint_5")]] kernel void scale<uint, 5>(device uint*, device uint*, uint);`,
    entry: "scale_uint_5",
    body: "",
    y: [50, 55, 60, 65],
  },
  {
    name: "kernels by their type, of a function",
    before: `struct block { short d; uchar q[6]; };
      template <typename four> void unpack(device const block* b, short il, thread four& r) { for (int k = 0; k < 4; k++) r[k] = b->q[k] * il + b->d; }
      template <typename B, short nl, void (*get)(device const B*, short, thread int4&)>
      kernel void rows(device const B* x [[buffer(0)]], device int* y [[buffer(1)]], uint i [[thread_position_in_grid]]) { int4 r; get(x + i, nl, r); y[i] = r.x + r.w; }
      typedef decltype(rows<block, 2, unpack>) rows_t;
      template [[host_name("rows_q")]] kernel rows_t rows<block, 2, unpack>;`,
    entry: "rows_q",
    body: "",
    // Blocks are two ints: bytes 10 0 0 0, 11 0 0 0: d = 10, q = 0 0 11 0 0 0, then d = 12, ...
    y: [20, 24, 28, 32],
  },
];

msl.push(
  {
    name: "functions handed on from template to template, found wherever they are declared",
    before: `template <short K, typename T, short N, void (*get)(device const T*, short, thread int&)>
      void part(device const int* x, device int* y, uint i [[thread_position_in_grid]]) { int v = 0; get((device const T*)x, short(i), v); y[i] = v * K + N; }
      template <short K, typename T, short N, void (*get)(device const T*, short, thread int&)>
      kernel void whole(device int* x [[buffer(0)]], device int* y [[buffer(1)]], uint i [[thread_position_in_grid]]) { part<K, T, N / 4, get>(x, y, i); }
      template <typename T> void load(device const T* p, short i, thread int& r) { r = int(p[i]) + 1; }
      typedef decltype(whole<2, int, 8, load>) whole_t;
      template [[host_name("whole_3")]] kernel whole_t whole<3, int, 20, load>;`,
    entry: "whole_3",
    body: "",
    // (10 + i + 1) * 3 + 5
    y: [38, 41, 44, 47],
  },
  {
    name: "types of functions, by a typedef and by decltype",
    before: `typedef void (step_t)(device const int* x, device int* y, int i);
      template <int K> void times(device const int* x, device int* y, int i) { y[i] = x[i] * K; }
      template <typename T> void next(device const T* x, device T* y, int i) { y[i] = x[i] + 1; }
      template <step_t f> void run(device const int* x, device int* y, int i) { f(x, y, i); y[i] += 1000; }
      typedef decltype(run<times<3>>) run_t;
      template <run_t f> kernel void steps(device int* x [[buffer(0)]], device int* y [[buffer(1)]], uint i [[thread_position_in_grid]]) { f(x, y, int(i)); }
      typedef decltype(steps<next>) steps_t;
      template [[host_name("steps_3")]] kernel steps_t steps<run<times<3>>>;`,
    entry: "steps_3",
    body: "",
    y: [1030, 1033, 1036, 1039],
  },
  {
    name: "an array as a parameter, and a list that is assigned",
    before: `static int mixed(int v[2], int k) { v[0] += k; return v[0] * 10 + v[1]; } struct Two { int a; short b; };`,
    body: "int v[2] = {i, 3}; int m = mixed(v, 1); int4 w; w = {1, 2, i, 4}; Two p; p = {5, 6}; y[i] = m * 1000 + v[0] * 100 + w.z * 10 + p.a + p.b;",
    // v[0] is i + 1
    y: [13111, 23221, 33331, 43441],
  },
  {
    name: "traits of types",
    before: `template <typename T> struct Acc { using type = conditional_t<is_same_v<T, short>, int, T>; };
      template <typename T, typename A = typename Acc<T>::type> A sum(T a, T b) { return A(a) + A(b); }
      template <typename T> int kind() {
        if constexpr (is_same<T, float>::value) return 1; else if constexpr (is_signed_v<T>) return 2; else return 3; }
      template <typename T> int shape() { return (is_floating_point<T>::value ? 1 : 0) + (is_integral_v<T> ? 2 : 0) + (is_pointer<T>::value ? 4 : 0) + (is_const<T>::value ? 8 : 0); }`,
    body: `short s = 30000; remove_const_t<const int> w = 1; w += 1; make_unsigned_t<int> u = 7u;
      y[i] = sum(s, s) + kind<float>() * 100000 + kind<int>() * 1000000 + kind<uint>() * 10000000 + shape<float>() + shape<bool>() * 10 + shape<device int*>() * 100 + shape<const int>() * 1000 + w + int(u) + (is_same<int2, vec<int, 2>>::value ? i : 0);`,
    // 60000; 1, 2, 3; 1, 2, 4, 2 + 8; 2 + 7
    y: [0, 1, 2, 3].map((i) => 60000 + 100000 + 2000000 + 30000000 + 1 + 20 + 400 + 10000 + 9 + i),
  },
  {
    name: "templates chosen by traits",
    before: `template <typename T, typename = enable_if_t<is_integral<T>::value>> int next(T v) { return int(v) + 1; }
      template <typename T> enable_if_t<is_floating_point_v<T>, T> scaled(T v) { return v * T(2); }
      template <typename T> typename enable_if<is_integral_v<T>, T>::type scaled(T v) { return v * 3; }
      template <typename T, enable_if_t<(sizeof(T) > 2), int> = 0> int wide(T) { return 1; }
      template <typename T, enable_if_t<(sizeof(T) <= 2), int> = 0> int wide(T) { return 2; }`,
    body: "y[i] = next(i) + scaled(i) * 10 + int(scaled(1.5f)) * 1000 + wide(i) * 10000 + wide(short(1)) * 100000;",
    y: [213001, 213032, 213063, 213094],
  },
  {
    name: "limits of types",
    before: `template <typename T> T least() { return numeric_limits<T>::lowest(); }
      template <typename T> struct Wide { static constant constexpr int digits = numeric_limits<T>::digits; };`,
    body: `y[i] = (least<int>() == -2147483647 - 1 ? 1 : 0) + (least<float>() == -3.402823466e+38f ? 10 : 0) + (numeric_limits<uchar>::max() == 255 ? 100 : 0)
        + (numeric_limits<float>::max() < numeric_limits<float>::infinity() ? 1000 : 0) + Wide<int>::digits * 10000 + (numeric_limits<long>::max() == 9223372036854775807L ? 1000000 : 0)
        + (numeric_limits<float>::epsilon() == 1.1920928955078125e-7f ? 10000000 : 0) + (numeric_limits<uint>::is_signed ? 0 : i);`,
    y: [11311111, 11311112, 11311113, 11311114],
  },
);

msl.push(
  ...detectionShapes,
  ...referenceShapes,
  ...baseShapes,
  ...lateShapes,
  ...bindingShapes,
  ...deductionShapes,
  ...classShapes,
  ...libraryShapes,
  ...enumerationShapes,
  ...lambdaShapes,
  ...packShapes,
  ...templateParameterShapes,
  ...outsideShapes,
  ...guideShapes,
  ...partShapes,
  ...pointerBaseShapes,
  ...rangeShapes,
  ...namingShapes,
  ...spellingShapes,
  ...listShapes,
  ...bitFieldShapes,
  ...functionShapes,
);

const mslText = ({ before, body, entry }: Shape): string => `#include <metal_stdlib>
using namespace metal;
${before}
${
  entry
    ? ""
    : `kernel void k(device int* x [[buffer(0)]], device int* y [[buffer(1)]], uint t [[thread_position_in_grid]]) { int i = int(t); ${body} }`
}
`;

const hlsl: Shape[] = [
  {
    name: "numbers without a type are ints and floats",
    before:
      "template <typename T> T minus4(T v) { return v - 4; } template <typename T> T halved(T v) { return v / 2; }",
    body: "y[i] = (minus4(3) < 0 ? 1 : 2) * 100 + (int)(halved(3) * 2) * 10 + (int)(halved(3.0) * 2);",
    y: [123, 123, 123, 123],
  },
  {
    name: "deduced from arrays, vectors and inout",
    before: `template <typename T, int N> int count(T v[N]) { return N; } template <typename T, int N> int size(vector<T, N> v) { return N * 10; }
      template <typename T> void seven(inout T v) { v += 7; }`,
    body: "int a[3] = {1, 2, 3}; int n = i; seven(n); y[i] = count(a) + size(float3(1, 2, 3)) + n * 100;",
    y: [733, 833, 933, 1033],
  },
  {
    name: "a function of no template only where it fits better, names before the template",
    before: `int which(float v) { return 1; } template <typename T> int which(T v) { return 2; }
      int late(int v) { return 1; } template <typename T> int ask(T v) { return late(v); } int late(float v) { return 2; }`,
    body: "y[i] = which(i) * 10 + ask(1.0f);",
    y: [21, 21, 21, 21],
  },
  {
    name: "methods, static functions and functors",
    before: `struct Counter { int n; int step; void bump() { n += step; } int peek(int more) { return this.n + more; } static int half_of(int v) { return v / 2; } int twice() { bump(); bump(); return peek(0); } };
      struct Add { int run(int a, int b) { return a + b; } };
      template <typename Op> int apply(Op op, int a) { return op.run(a, 1); }`,
    body: "Counter c; c.n = i; c.step = 3; c.bump(); Add add; y[i] = c.twice() * 100 + c.peek(1) + Counter::half_of(9) * 10000 + apply(add, i) * 100000;",
    // n is i + 3, then i + 9.
    y: [40910 + 100000, 41011 + 200000, 41112 + 300000, 41213 + 400000],
  },
  {
    name: "structs and specialised functions",
    before: `template <typename T, int N = 4> struct Row { T v[N]; }; template <typename T, int N> T last(Row<T, N> r) { return r.v[N - 1]; }
      template <int N> int fact() { return N * fact<N - 1>(); } template <> int fact<0>() { return 1; }`,
    body: "Row<int> r; r.v[3] = i; Row<float, 2> q; q.v[1] = 2.5; y[i] = last<int, 4>(r) * 100 + (int)(last(q) * 2) + fact<4>() * 1000;",
    y: [24005, 24105, 24205, 24305],
  },
];

hlsl.push(
  ...outsideHlsl,
  {
    name: "members of bases that the struct hides, by the base's name",
    before: `struct A { int v; static const int k = 4; int g(int q) { return q + v; } int h(int q) { return 1 + v; } };
      template <typename T> struct H : A { T v; using A::h; int g(int q) { return A::g(q) * 10 + A::v + (int)v + this.A::g(1); } int h(float q) { return 2 + v; } };`,
    body: "H<float> b; b.A::v = i; b.v = 100; y[i] = b.g(1) + b.A::g(2) * 1000 + ((A)b).v + b.A::k * 10000 + b.h(1) * 100000 + (b.h(1.0f) - 100) * 1000000;",
    y: [0, 1, 2, 3].map(
      (i) => 10 + 10 * i + i + 100 + 1 + i + 2000 + 1000 * i + i + 40000 + 100000 + 100000 * i + 2000000,
    ),
  },
  {
    name: "operators, namespaces and enumerations",
    before: `enum Mode { off, on = 5 }; enum class Kind : uint { round = 2, square }; int which(Mode m) { return 1; } int which(int v) { return 2; }
      int of_kind(Kind k) { return k == Kind::square ? 3 : 4; }
      namespace geo { struct Pair { int a, b; Pair operator+(Pair o) { Pair r; r.a = a + o.a; r.b = b + o.b; return r; } bool operator<(Pair o) { return a < o.a; } int operator[](int n) { return n == 0 ? a : b; } };
        int sum(Pair p) { return p[0] + p[1]; } namespace deep { static const int ten = 10; int times(int v) { return v * ten; } } }
      template <typename T> struct Box { T v; template <typename U> U as() { return (U)v; } void set(T n) { v = n; } };
      template <typename Op, typename T> T fold(Op op, T a, T b) { return op(a, b); } struct Max { int operator()(int a, int b) { return a > b ? a : b; } };
      template <int N> struct Sum { int of(int v[N]) { int s = 0; for (int k = 0; k < N; k++) s += v[k]; return s; } };`,
    body: `geo::Pair p; p.a = i; p.b = 2; geo::Pair q = p + p; Box<float> b; b.set(2.75); Max m; int v[3] = {1, i, 3}; Sum<3> s; Mode mode = on;
      y[i] = geo::sum(q) + geo::deep::times(i) * 10 + which(mode) * 1000 + which(i) * 10000 + of_kind(Kind::square) * 100000 + (p < q ? 1000000 : 0) + b.as<int>() * 10000000 + fold(m, i, (int)1) + s.of(v) + (int)mode;`,
    y: [0, 1, 2, 3].map(
      (i) =>
        2 * i + 4 + i * 100 + 1000 + 20000 + 300000 + (i > 0 ? 1000000 : 0) + 20000000 + Math.max(i, 1) + 4 + i + 5,
    ),
  },
  {
    name: "methods of structs in structs and arrays, constants of structs, overloads of methods",
    before: `struct Rng { uint s; uint next() { s = s * 1664525u + 1013904223u; return s; } uint next(uint n) { return next() % n; } };
      struct Two { Rng r[2]; static const int count = 2; int all() { int t = 0; for (int k = 0; k < count; k++) t += (int)(r[k].next() & 3u); return t; } };
      template <typename T> T pick(T a, T b, bool c) { if (c) return a; return b; } struct Acc { int n; Acc plus(int v) { Acc r; r.n = n + v; return r; } };`,
    body: `Two w; w.r[0].s = 1u; w.r[1].s = (uint)i; int a = w.all(); Acc c; c.n = i; y[i] = a + (int)w.r[0].next(10u) * 10 + pick(i, (int)7, i > 1) * 100 + c.plus(3).plus(4).n * 1000;`,
    // Numerical Recipes' generator, by hand: see below.
    y: [0, 1, 2, 3].map((i) => {
      const next = (s: number): number => Number((BigInt(s) * 1664525n + 1013904223n) % 2n ** 32n);
      const first = next(1);
      return (first & 3) + (next(i) & 3) + (next(first) % 10) * 10 + (i > 1 ? i : 7) * 100 + (i + 7) * 1000;
    }),
  },
);

const hlslText = ({ before, body }: Shape): string => `RWStructuredBuffer<int> x : register(u0);
RWStructuredBuffer<int> y : register(u1);
${before}
[numthreads(4, 1, 1)] void k(uint3 t : SV_DispatchThreadID) { int i = int(t.x); ${body} }
`;

const cases = [
  ...msl.map((shape) => ({ shape, from: "msl" as const, text: mslText(shape) })),
  ...hlsl.map((shape) => ({ shape, from: "hlsl" as const, text: hlslText(shape) })),
];

const judged: Judgeable[] = cases.flatMap(({ shape, from, text }) =>
  from === "msl" ? [] : [judgeable(from, `${shape.name} as ${from}`, text)],
);

async function run(text: string, from: TwoWayDialect, entry?: string): Promise<number[]> {
  const [narrow, wide] = await Promise.all([4, 32].map((width) => runAt(width, text, from, entry)));
  expect(wide).toEqual(narrow);
  return narrow!;
}

async function runAt(subgroupSize: number, text: string, from: TwoWayDialect, entry?: string): Promise<number[]> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    subgroupSize,
    from,
    ...(entry ? { entry } : {}),
    workgroups: [1],
    workgroupSize: [4],
    seed: 1,
    args: { x: data.slice(), y: new Int32Array(16) },
  });
  expect(
    [...findings, ...diagnostics.filter((d) => d.severity === "error")].map((d) => d.message),
    text,
  ).toEqual([]);
  return [...(buffers["y"] as Int32Array)].slice(0, 4);
}

describe.each(cases)("$from: $shape.name", ({ shape: { y, name, entry }, from, text }) => {
  test("means what it says", async () => {
    expect(await run(text, from, entry)).toEqual(y);
  });

  test.each(all)("to %s", async (to) => {
    const options = { from, to, workgroupSize: [4, 1, 1] as const, ...(entry ? { entry } : {}) };
    const { code, diagnostics } = await translate(text, options);
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => `${d.code} ${d.message}`)).toEqual([]);
    if (to !== "msl" || from !== "msl") judged.push(judgeable(to, `${name} from ${from} to ${to}`, code!));
    expect(await run(code!, to), code).toEqual(y);
  });
});

/** What MSL adds to C++, as far as these sources use it. Without optimisation, so that nothing but the language speaks. */
const cpp = `#include <limits>
#include <stdio.h>
#include <type_traits>
#include <utility>
#define device
#define thread
#define constant
#define kernel static
#define vec Vec
typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned int uint; typedef unsigned long ulong; typedef _Float16 half;
template <typename T, int N> struct VecData { T c[N]; };
template <typename T> struct VecData<T, 2> { union { T c[2]; struct { T x, y; }; }; };
template <typename T> struct VecData<T, 4> { union { T c[4]; struct { T x, y, z, w; }; }; };
template <typename T, int N> struct Vec : VecData<T, N> {
  Vec() {}
  Vec(T v) { for (int i = 0; i < N; i++) this->c[i] = v; }
  template <typename A, typename... R> Vec(A a, A b, R... r) { T all[] = {T(a), T(b), T(r)...}; for (int i = 0; i < N; i++) this->c[i] = all[i]; }
  T& operator[](int i) { return this->c[i]; }
};
namespace metal { inline int max(int a, int b) { return a < b ? b : a; } }
using namespace std;
typedef Vec<int, 2> int2; typedef Vec<int, 3> int3; typedef Vec<int, 4> int4; typedef Vec<float, 2> float2; typedef Vec<float, 4> float4;
`;

/** A program that prints y of each source, as C++ compilers read it; what `::x` names is in the namespace of the source. */
function program(): string {
  const own = msl.map(({ before, body, entry }, n) =>
    `namespace s${n} {
using metal::max;
${before
  .replaceAll(/template \[\[host_name.*/g, "")
  .replaceAll(/typedef decltype\((whole|steps).*/g, "")
  .replaceAll(/\[\[(buffer\(\d\)|thread_position_in_grid)\]\]/g, "")}
void k(int* x, int* y, uint t) { int i = int(t); ${entry ? kernelCalls[entry]! : body} }
}`.replaceAll(/(?<![\w>:)])::(?!metal\b|std\b)(?=\w)/g, `::s${n}::`),
  );
  const runs = msl.map(
    (_, n) =>
      `{ int x[16], y[16]; for (int k = 0; k < 16; k++) x[k] = 10 + k; for (int i = 0; i < 4; i++) { s${n}::k(x, y, i); printf("%d%s", y[i], i < 3 ? " " : "\\n"); } }`,
  );
  return `${cpp}${own.join("\n")}\nint main() {\n${runs.join("\n")}\n}\n`;
}
const kernelCalls: Readonly<Record<string, string>> = {
  scale_uint_5: "scale<uint, 5>((uint*)x, (uint*)y, i);",
  whole_3: "whole<3, int, 20, load>(x, y, i);",
  steps_3: "steps<run<times<3>>>(x, y, i);",
  twice: "twice(x, y, i);",
  rows_q: "rows<block, 2, unpack>((block*)x, y, i);",
};

toolTest(missingPrograms(["clang-19"]), "clang computes the same of the sources of MSL, read as C++", () => {
  const folder = mkdtempSync(join(tmpdir(), "crosslane-templates-"));
  try {
    const file = join(folder, "all.cpp");
    writeFileSync(file, program());
    const out = join(folder, "all");
    const made = spawnSync("clang-19", ["-x", "c++", "-std=c++17", "-fno-exceptions", "-O0", "-w", file, "-o", out], {
      encoding: "utf8",
    });
    expect(made.stderr).toBe("");
    const lines = spawnSync(out, { encoding: "utf8" }).stdout.trim().split("\n");
    expect(lines).toEqual(msl.map(({ y }) => y.join(" ")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

toolTest(missingForFold(), "DXC computes the same of the sources of HLSL", async () => {
  const cases = hlsl.flatMap(({ before, body }) =>
    [0, 1, 2, 3].map((i) => ({
      declarations: before,
      statements: `int x[4] = {10, 11, 12, 13}; int y[4]; int i = ${i}; ${body}`,
      values: [{ expression: `y[${i}]`, type: "int" as const }],
    })),
  );
  const folded = await foldWithDxc(cases);
  const known = folded.map((f) =>
    f.kind === "refused" ? f.log : f.values.map((v) => (typeof v === "bigint" ? Number(BigInt.asIntN(32, v)) : v))[0],
  );
  expect(known).toEqual(hlsl.flatMap(({ y }) => y));
});

const unfitting = ["pick(i, 7)", "pick(1.5f, 2.0)", "pick(1, 2.5)", "pick(i, 7u)"];
const pick = "template <typename T> T pick(T a, T b) { return a < b ? a : b; }";

test("in HLSL a number without a type is of another type than one with it", async () => {
  for (const e of unfitting) {
    const text = hlslText({ name: "", before: pick, body: `y[i] = (int)${e};`, y: [] });
    const { code, diagnostics } = await translate(text, { from: "hlsl", to: "glsl" });
    expect(code).toBeUndefined();
    expect(diagnostics.find((d) => d.severity === "error")?.code).toBe("XL2005");
  }
});

toolTest(missingForFold(), "DXC takes none of them either", async () => {
  const wrong = wrongInterfaces.map(([declarations, body]) => ({
    declarations,
    statements: `int y[4]; int i = 1; ${body}`,
    values: [{ expression: "y[1]", type: "int" as const }],
  }));
  const cases = unfitting.map((e) => ({
    declarations: pick,
    statements: "int i = 1;",
    values: [{ expression: `(int)${e}`, type: "int" as const }],
  }));
  const all = [...cases, ...wrong];
  expect((await foldWithDxc(all)).map((f) => f.kind)).toEqual(all.map(() => "refused"));
});

test.each(wrongEnumerations)("what an enumeration does not become is refused: %s", async (body) => {
  const text = mslText({ name: "", before: wrongEnumerationsBefore, body, y: [] });
  const { code, diagnostics } = await translate(text, { from: "msl", to: "opencl" });
  expect(code).toBeUndefined();
  expect(diagnostics.find((d) => d.severity === "error")?.code).toMatch(/^XL200[345]/);
});

test.each([
  ["int a[over(3)]; y[i] = a[0];", "signed overflow"],
  ["int a[plain(3)]; y[i] = a[0];", "a function that is not constexpr"],
  ["int a[endless(3)]; y[i] = a[0];", "a loop without an end"],
  ["int a[twice_of(i)]; y[i] = a[0];", "what is known at run time"],
  ["y[i] = number<shift(32)>();", "a shift by all bits"],
  ["y[i] = number<unset(1)>();", "what was never set"],
])("no constant: %s %s", async (body) => {
  const before = `constexpr int over(int v) { return v + 2147483647; } int plain(int v) { return v; } constexpr int endless(int v) { while (v > 0) v++; return v & 3; }
    constexpr int twice_of(int v) { return v * 2; } template <int n> int number() { return n; } constexpr int shift(int n) { return 1 << n; } constexpr int unset(int v) { int r; if (v == 0) r = 2; return r; }`;
  const { code, diagnostics } = await translate(mslText({ name: "", before, body, y: [] }), {
    from: "msl",
    to: "opencl",
  });
  expect(code).toBeUndefined();
  expect(diagnostics.find((d) => d.severity === "error")?.code).toMatch(/^XL200[57]/);
});

test.each([...wrongPacks, ...wrongTemplateParameters])(
  "a pack or an argument of a template that is wrong: %s %s",
  async (before, body, said) => {
    const { code, diagnostics } = await translate(mslText({ name: "", before, body, y: [] }), {
      from: "msl",
      to: "opencl",
    });
    expect(code).toBeUndefined();
    const first = diagnostics.find((d) => d.severity === "error");
    expect(first && `${first.code} ${first.message}`).toMatch(said);
  },
);

test.each([
  ...[...wrongOutside, ...ambiguousLists].map((c) => ["msl" as const, ...c] as const),
  ...wrongInterfaces.map((c) => ["hlsl" as const, ...c] as const),
  ...[...refusedBitFields, ...refusedFunctions, ...refusedOutside, ...refusedReferences, ...refusedSpellings].map(
    (c) => ["msl" as const, ...c] as const,
  ),
])("what %s has no sense for, or not yet: %s %s", async (from, before, body, said) => {
  const text = (from === "msl" ? mslText : hlslText)({ name: "", before, body, y: [] });
  const { code, diagnostics } = await translate(text, { from, to: "opencl" });
  expect(code).toBeUndefined();
  const errors = diagnostics.filter((d) => d.severity === "error").map((d) => `${d.code} ${d.message}`);
  expect(errors).toContainEqual(expect.stringMatching(said));
});

test("what declares a function where a call seems to stand is refused", async () => {
  // clang declares `f` inside of the kernel, and calls nothing.
  const text = `#include <metal_stdlib>
uint f() { return 1; } int g(int n) { return n; } kernel void k(device int* y [[buffer(0)]]) { uint(f()); uint(g(1) + 1); y[0] = 1; }`;
  const { diagnostics } = await translate(text, { from: "msl", to: "glsl", workgroupSize: [4, 1, 1] });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([
    "a declaration of a function or of a variable with its initialiser, with the name in parentheses, is not supported yet",
  ]);
});

test.each(refusedLambdas)("a lambda that is refused by name: %s", async (body, said) => {
  const { code, diagnostics } = await translate(mslText({ name: "", before: beforeRefused, body, y: [] }), {
    from: "msl",
    to: "opencl",
  });
  expect(code).toBeUndefined();
  const first = diagnostics.find((d) => d.severity === "error");
  expect(first && `${first.code} ${first.message}`).toMatch(said);
  expect(first?.location).toBeDefined();
});

toolTest(missingPrograms(["clang-19"]), "clang refuses the same of enumerations and of members behind structs", () => {
  const isRefused = (before: string, body: string): boolean => {
    const input = `${cpp}${before}\nvoid k(int* x, int* y, int i) { ${body} }`;
    const made = spawnSync("clang-19", ["-x", "c++", "-std=c++17", "-fsyntax-only", "-w", "-"], { input });
    return made.status !== 0;
  };
  expect(wrongEnumerations.filter((body) => isRefused(wrongEnumerationsBefore, body))).toEqual(wrongEnumerations);
  const wrong = [...wrongOutside, ...ambiguousLists];
  expect(wrong.filter(([before, body]) => isRefused(before, body))).toEqual(wrong);
});

test("what is wrong in an instance is said, whatever asked for it", async () => {
  const said = async (before: string, body: string): Promise<string[]> => {
    const text = mslText({ name: "", before, body, y: [] });
    const { code, diagnostics } = await translate(text, { from: "msl", to: "opencl" });
    expect(code).toBeUndefined();
    return diagnostics.filter((d) => d.severity === "error").map((d) => `${d.code} ${d.message}`);
  };
  // The body is read while it is found out which function the argument is.
  const apply = "template <int (*f)(int)> int apply(int v) { return f(v); }";
  expect(await said(`template <typename T> T wrong(T v) { return v.x; } ${apply}`, "y[i] = apply<wrong>(i);")).toEqual([
    "XL2012 int has no member 'x'",
  ]);
  const box = "template <typename T> struct Box { T v; Box<T> inner; };";
  expect(await said(box, "Box<int> b; y[i] = 1;")).toEqual([
    "XL2013 'Box<int>' is not complete where it is made of itself",
  ]);
  // What a candidate failed by is said where it is named by itself.
  const none = "template <typename T> struct Sized { int a[sizeof(T) - 4]; };";
  expect(
    await said(
      `${none} template <typename T> int f(T v, thread Sized<T>* s) { return 1; } int f(int v, int w) { return 2; }`,
      "y[i] = f(i, 2); Sized<int> s; y[i] += s.a[0];",
    ),
  ).toEqual(["XL2020 an array cannot have 0 elements"]);
  const doubling = Array.from(
    { length: 40 },
    (_, i) => `template <uint N> uint f${i + 1}(uint a) { return f${i}<2 * N>(a) + f${i}<2 * N + 1>(a); }`,
  );
  expect(
    (await said(`template <uint N> uint f0(uint a) { return a + N; }\n${doubling.join("\n")}`, "y[i] = f40<0>(i);"))[0],
  ).toBe("XL1006 the file makes more than 10000 instances of its templates");
  expect(await said("template <int N> int endless() { return endless<N + 1>(); }", "y[i] = endless<0>();")).toEqual([
    "XL1006 templates and methods are read in one another more than 64 deep",
  ]);
});

for (const dialect of all) {
  judgeTest(judges[dialect], `the ${dialect} compiler accepts the texts`, async () => {
    expect(judged.some((j) => j.dialect === dialect)).toBe(true);
    expect(refusals(await judgeOutputs(judged.filter((j) => j.dialect === dialect)))).toBe("");
  });
}

test("arguments of templates lie in one another as deep as brackets may", async () => {
  const nested = (deep: number, around: (inner: string) => string, inner: string): string =>
    deep === 0 ? inner : around(nested(deep - 1, around, inner));
  const before = `template <typename T> struct W { static constant constexpr int n = T::n + 1; }; struct Z { static constant constexpr int n = 0; };
template <int K> struct N { static constant constexpr int v = K + 1; };`;
  const types = nested(100, (t) => `W<${t}>`, "Z");
  const values = nested(60, (v) => `N<${v}>::v`, "i0");
  const source = mslText({
    name: "",
    before: `constant constexpr int i0 = 3; ${before}`,
    body: `y[i] = ${types}::n + ${values} * 1000;`,
    y: [],
  });
  expect(await run(source, "msl")).toEqual([63100, 63100, 63100, 63100]);
  const unfinished = mslText({ name: "", before, body: `y[i] = ${nested(60, (v) => `N<${v}>::v`, "1 +")};`, y: [] });
  const { diagnostics } = await translate(unfinished, { from: "msl", to: "glsl", workgroupSize: [4] });
  expect(diagnostics[0]?.message).toBe("expected an expression but found '>'");
});

test("the host may know an instance by the name of its template", async () => {
  const source = `#include <metal_stdlib>
using namespace metal;
template <typename T, int N> [[kernel]] void k(device T *o [[buffer(0)]], uint i [[thread_position_in_grid]]) { o[i] = T(N); }
template [[host_name("k")]] [[kernel]] void k<float, 2>(device float *, uint);
template [[host_name("k_int")]] [[kernel]] void k<int, 3>(device int *, uint);
`;
  for (const [entry, value] of [
    ["k", "2.0"],
    ["k_int", "3"],
  ] as const) {
    const { code, diagnostics } = await translate(source, { from: "msl", to: "glsl", entry, workgroupSize: [4] });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(code).toContain(`] = ${value};`);
  }
  const twice = await translate(source.replace("k_int", "k"), {
    from: "msl",
    to: "glsl",
    entry: "k",
    workgroupSize: [4],
  });
  expect(twice.diagnostics.map((d) => d.message)).toContain("'k' is declared twice in this scope");
});

test("a static member's value outside of its struct, whose names meant something else where the struct stands, is refused", async () => {
  const source = (outside: string): string => `#include <metal_stdlib>
using namespace metal;
constant int n = 1;
constant int w = 1;
namespace a {
struct S { static constant int v; static constant int w = 5; };
constant int n = 2;
constant int S::v = ${outside};
}
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) { o[i] = a::S::v; }
`;
  // By C++14 3.4.1 both mean what is declared before the definition, in the struct first: 2 and 5, never 1.
  for (const [outside, taken] of [
    ["n", false],
    ["w", false],
    ["3 + int(uint2(4u, 5u).x)", true],
  ] as const) {
    const { diagnostics } = await translate(source(outside), { from: "msl", to: "glsl", workgroupSize: [4] });
    expect(
      diagnostics.some((d) => d.severity === "error"),
      outside,
    ).toBe(!taken);
  }
});

test("nothing is left of the objects that constants are made by", async () => {
  const source = `struct V { int a; constexpr V(int x) : a(x) {} constexpr V operator+(const V r) const { return V(a + r.a); } };
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) { constexpr V m = V(1) + V(2); o[i] = m.a; }`;
  const { code } = await translate(source, { from: "msl", to: "glsl", workgroupSize: [4, 1, 1] });
  expect(code).toContain("void main() {\n  const V m = V(3);\n  o[gl_GlobalInvocationID.x] = m.a;\n}");
});
