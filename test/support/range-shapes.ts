/** Kernels of MSL about ranges, and about members by way of objects and in heads of methods: see test/templates.test.ts. Expected values are those of clang's program. */
import type { Shape } from "./class-shapes.js";

export const rangeShapes: readonly Shape[] = [
  {
    name: "range-based for names the parts of copied elements",
    before: `struct P { int a; int b; };`,
    body: `P p[3] = {{1, 2}, {3, i}, {5, 6}}; int s = 0; for (auto [a, b] : p) s += a * b; y[i] = s;`,
    y: [32, 35, 38, 41],
  },
  {
    name: "range-based for names the parts of elements",
    before: `struct P { int a; int b; };`,
    body: `P p[3] = {{1, 2}, {3, i}, {5, 6}}; int s = 0; for (thread auto& [a, b] : p) { a += 1; s += a * b; } y[i] = s + p[2].a * 100;`,
    y: [640, 644, 648, 652],
  },
  {
    name: "range-based for names the elements of arrays in an array",
    before: ``,
    body: `int p[3][2] = {{1, 2}, {3, i}, {5, 6}}; int s = 0; for (auto [a, b] : p) { a += 100; s += a * b; } y[i] = s + p[0][0];`,
    y: [833, 936, 1039, 1142],
  },
  {
    name: "begin and end that a namespace brings",
    before: `namespace N { struct R { int d[4]; }; thread int* begin(thread R& r) { return r.d; } thread int* end(thread R& r) { return r.d + 4; } }`,
    body: `N::R r{{1, 2, 3, i}}; int s = 0; for (auto q : r) s = s * 10 + q; y[i] = s;`,
    y: [1230, 1231, 1232, 1233],
  },
  {
    name: "a loop by iterators that continues and breaks",
    before: `struct It { int v; int operator*() const { return v; } thread It& operator++() { ++v; return *this; } bool operator!=(thread const It& o) const { return v != o.v; } }; struct R { int n; It begin() const { return It{0}; } It end() const { return It{n}; } };`,
    body: `int s = 0; for (auto q : R{10}) { if (q % 2 == i % 2) continue; if (q > 6) break; s = s * 10 + q; } y[i] = s;`,
    y: [135, 246, 135, 246],
  },
  {
    name: "an end of another type",
    before: `struct End { int n; }; struct It { int v; int operator*() const { return v; } void operator++() { ++v; } bool operator!=(End e) const { return v < e.n; } }; struct R { int n; It begin() const { return It{0}; } End end() const { return End{n}; } };`,
    body: `int s = 0; for (auto q : R{i}) s = s * 10 + q + 1; y[i] = s;`,
    y: [0, 1, 12, 123],
  },
  {
    name: "a range by iterators that is an instance",
    before: `template <typename T> struct Range { T lo, hi; struct It { T v; T operator*() const { return v; } thread It& operator++() { v++; return *this; } bool operator!=(It o) const { return v != o.v; } }; It begin() const { return {lo}; } It end() const { return {hi}; } }; template <typename T> Range<T> range(T a, T b) { return {a, b}; }`,
    body: `int s = 0; for (auto q : range(0, i + 2)) s = s * 10 + q + 1; y[i] = s;`,
    y: [12, 123, 1234, 12345],
  },
  {
    name: "parts of what an iterator gives",
    before: `struct P { int k; int v; }; struct It { int n; P operator*() const { return P{n, n * n}; } thread It& operator++() { n++; return *this; } bool operator!=(It o) const { return n != o.n; } }; struct E { It begin() const { return {0}; } It end() const { return {4}; } };`,
    body: `int s = 0; for (auto [k, v] : E{}) s += k * 100 + v * i; y[i] = s;`,
    y: [600, 614, 628, 642],
  },
  {
    name: "auto&& of what an iterator gives",
    before: `struct It { int v; int operator*() const { return v; } thread It& operator++() { ++v; return *this; } bool operator!=(It o) const { return v != o.v; } }; struct R { It begin() { return {0}; } It end() { return {3}; } };`,
    body: `int s = 0; for (auto&& q : R{}) { q += 1; s = s * 10 + q; } y[i] = s + i;`,
    y: [123, 124, 125, 126],
  },
  {
    name: "an iterator with a pointer",
    before: `struct Strided { device int* p; int step; device int& operator*() const { return *p; } thread Strided& operator++() { p += step; return *this; } bool operator!=(thread const Strided& o) const { return p != o.p; } };
struct Rows { device int* d; int n; int step; Strided begin() const { return {d, step}; } Strided end() const { return {d + n * step, step}; } };`,
    body: `int s = 0; for (auto v : Rows{x + i, 3, 2}) s = s * 7 + v; y[i] = s;`,
    y: [588, 645, 702, 759],
  },
  {
    name: "begin is called before end",
    before: `struct R { int n; int d[4]; thread int* begin() { n++; return d; } thread int* end() { n *= 2; return d + n; } };`,
    body: `R r{0, {1, i, 3, 4}}; int s = 0; for (auto v : r) s = s * 10 + v; y[i] = s + r.n * 1000;`,
    y: [2010, 2011, 2012, 2013],
  },
  {
    name: "begin and end of a namespace beside variables of these names",
    before: `namespace N { struct R { int d[2]; }; thread int* begin(thread R& r) { return r.d; } thread int* end(thread R& r) { return r.d + 2; } }`,
    body: `int begin = 5, end = 7; N::R r{{1, i}}; int s = 0; for (auto v : r) s = s * 10 + v; y[i] = s + begin + end;`,
    y: [22, 23, 24, 25],
  },
  {
    name: "a member that is called begin alone",
    before: `struct R { int d[2]; int begin; }; thread int* begin(thread R& r) { return r.d; } thread int* end(thread R& r) { return r.d + 2; }`,
    body: `R r{{1, i}, 3}; int s = 0; for (auto v : r) s = s * 10 + v; y[i] = s;`,
    y: [10, 11, 12, 13],
  },
  {
    name: "begin and end of what is const",
    before: `struct R { int d[2]; thread int* begin() { d[0] = 50; return d; } thread int* end() { return d + 2; } thread const int* begin() const { return d; } thread const int* end() const { return d + 2; } };`,
    body: `const R r{{1, i}}; R q{{1, i}}; int s = 0; for (auto v : r) s = s * 10 + v; for (auto v : q) s = s * 10 + v; y[i] = s;`,
    y: [1500, 1601, 1702, 1803],
  },
  {
    name: "iterators that constructors copy",
    before: `struct It { int v; int c; It(int a) : v(a), c(0) {} It(thread const It& o) : v(o.v), c(o.c + 1) {} int operator*() const { return v * 10 + c; } thread It& operator++() { ++v; return *this; } bool operator!=(thread const It& o) const { return v != o.v; } }; struct R { It a; It b; thread It& begin() { return a; } thread It& end() { return b; } };`,
    body: `R r{It(0), It(3)}; int s = 0; for (int q : r) s += q; y[i] = s + r.a.v * 1000 + i;`,
    y: [33, 34, 35, 36],
  },
  {
    name: "elements that constructors copy, or that are referred to",
    before: `struct P { int v; int c; P(int a) : v(a), c(0) {} P(thread const P& o) : v(o.v), c(o.c + 1) {} };`,
    body: `P p[2] = {P(1), P(i)}; int s = 0; for (auto q : p) s = s * 100 + q.v * 10 + q.c; for (thread const auto& q : p) s = s * 100 + q.v * 10 + q.c; y[i] = s;`,
    y: [11011000, 11111010, 11211020, 11311030],
  },
  {
    name: "parts of elements that constructors copy",
    before: `struct P { int v; int c; P(int a) : v(a), c(0) {} P(thread const P& o) : v(o.v), c(o.c + 1) {} };`,
    body: `P p[2] = {P(1), P(i)}; int s = 0; for (auto [a, b] : p) s = s * 100 + a * 10 + b; for (thread const auto& [a, b] : p) s = s * 100 + a * 10 + b; y[i] = s;`,
    y: [11011000, 11111010, 11211020, 11311030],
  },
  {
    name: "a statement before a range",
    before: `struct R { int d[2]; thread int* begin() { return d; } thread int* end() { return d + 2; } };`,
    body: `int s = 0; for (R r{{1, i}}; auto v : r) s = s * 10 + v; y[i] = s;`,
    y: [10, 11, 12, 13],
  },
];
