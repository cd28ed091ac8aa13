/** Kernels of MSL about types that values say, and what returned variables become: see test/templates.test.ts. Expected values are those of clang's program. */
import type { Shape } from "./class-shapes.js";

export const deductionShapes: readonly Shape[] = [
  {
    name: "decltype(auto) of results and variables",
    before: `struct S { int v; thread int& at() { return v; } decltype(auto) same() { return at(); } decltype(auto) val() { return v; } decltype(auto) par() { return (v); } };
      decltype(auto) ref(thread S& s) { return (s.v); } decltype(auto) plain(thread S& s) { return s.v; }
      template <typename F, typename... A> decltype(auto) invoke(thread F& f, A... a) { return f(a...); } struct fn { int z; thread int& operator()(int k) { z += k; return z; } };`,
    body: "S s{i}; s.same() += 5; s.par() += 100; ref(s) += 1000; int q = s.val() + plain(s); fn f{i}; invoke(f, 3)++; decltype(auto) c = invoke(f, 1); c *= 2; decltype(auto) d = s.v; d = 0; decltype(auto) e = (q); e++; y[i] = s.v + q * 10000 + f.z * 10000000;",
    y: [122111105, 142131106, 162151107, 182171108],
  },
  {
    name: "references that are deduced as results, and values in parentheses and braces",
    before:
      "struct S { int v[3]; thread auto& at(int k) { return v[k]; } thread const auto& cat(int k) const { return v[k]; } }; auto third(int x) -> int { return x / 3; } thread auto& pass(thread int& x) { return x; }",
    body: "S s{{i, 2, 3}}; s.at(1) = 9; int z = 1; pass(z) += 4; auto q(s.cat(1)); auto w{z}; y[i] = s.v[1] + s.cat(0) * 10 + third(7) * 100 + z * 1000 + q * 10000 + w * 100000;",
    y: [595209, 595219, 595229, 595239],
  },
  {
    name: "types of parameters that name those before",
    before: `template <typename A> A same(A a, decltype(a) b) { return a + b; } template <typename A, typename B> auto sum(A a, B b) -> decltype(a + b) { return a + b; }
      auto f(int x, decltype(x) z) -> decltype(z + x) { return x * z; }
      template <typename T> int at(device const T* p, decltype(p) q) { return *q - *p; } template <typename... A> auto total(A... a) -> decltype((a + ...)) { return (a + ...); }
      template <typename F, typename... A> auto invoke(F f, A... a) -> decltype(f(a...)) { return f(a...); } struct fn { float operator()(int a, float b) const { return a + b; } }; int sized(int n, thread int (&a)[sizeof(n)]) { return a[0] + int(sizeof(a)); }`,
    body: "int a4[4] = {i, 2, 3, 4}; y[i] = same(i, 2.9f) + f(i, 3) * 10 + int(sum(i, 0.5f) * 2) * 100 + at(x, x + 2) * 100000 + total(1, i, 2) * 1000000 + int(invoke(fn{}, i, 0.5f) * 2) * 10000000 + sized(1, a4);",
    y: [13200118, 34200350, 55200582, 76200814],
  },
  {
    name: "a returned variable in parentheses",
    before:
      "struct S { int v; int n; S(int x) : v(x), n(0) {} S(thread const S& o) : v(o.v), n(o.n + 1) {} }; S f(int x) { S v(x); return (v); } S g(int x) { S v(x); if (x > 1) { v.v++; return v; } return ((v)); }",
    body: "y[i] = f(i).n + g(i).v * 10 + g(i).n * 100;",
    y: [0, 10, 30, 40],
  },
  {
    name: "a returned variable that is converted",
    before: `struct S { int v; int n; S(int x) : v(x), n(0) {} S(thread const S& o) : v(o.v), n(o.n + 1) {} }; struct T { int w; T(S s) : w(s.n * 10 + s.v) {} }; struct U { S s; U(thread const S& o) : s(o) {} };
      struct V { S s; int k; V(thread const S& o) : s(o.v), k(1) {} V(thread S&& o) : s(o.v), k(2) {} }; struct W { int n; W(thread S& o) : n(o.n + 7) {} }; V h(int x) { S v(x); return v; } W w(int x) { S v(x); return v; }
      T f(int x) { S v(x); return v; } U g(int x) { S v(x); return (v); }`,
    body: "y[i] = f(i).w * 100 + g(i).s.n + h(i).k * 10000 + w(i).n * 100000;",
    y: [721001, 721101, 721201, 721301],
  },
];
