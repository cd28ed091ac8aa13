/**
 * Names of Metal's library that kernels use beyond the specification, or without using what they name: results worked out by hand,
 * in the simulator and through every dialect and its compiler.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../src/index.js";
import type { Shape } from "./support/class-shapes.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const four = (of: (i: number) => number): number[] => [0, 1, 2, 3].map(of);
const targets: readonly TwoWayDialect[] = ["glsl", "opencl", "hlsl"];

const shapes: readonly Shape[] = [
  {
    name: "lengths by short constants",
    before:
      "template <short rows, short cols> struct Tile { static constant constexpr short wide = cols + 1; static constant constexpr short size = 64 / (rows * wide) >= 8 ? 8 : 4; int v[size]; int w[wide]; };",
    body: "Tile<2, 3> a; for (int k = 0; k < 8; k++) a.v[k] = k + i; a.w[3] = 5; y[i] = a.v[7] + a.w[3] * 100 + a.size * 1000;",
    // 64 / (2 * 4) is 8.
    y: four((i) => 7 + i + 500 + 8000),
  },
  {
    name: "threadgroup memory of inner blocks, and traits of Apple's headers",
    before:
      "template <typename T> constexpr constant bool is_whole = _disjunction<is_same<T, int>, is_same<T, short>>::value;",
    body: "if (x[0] == 10) { threadgroup int s[4]; s[i] = x[i] + 1; threadgroup_barrier(mem_flags::mem_threadgroup); y[i] = s[3 - i]; } else { threadgroup float s[2]; s[i & 1] = 1.0f; y[i] = int(s[i & 1]); } y[i] += is_whole<short> ? 100 : 0; y[i] += is_whole<float> ? 1000 : 0;",
    y: four((i) => 114 - i),
  },
  {
    name: "constants that pointers move by, and names of types that nothing uses",
    before: `template <int n> using Step = integral_constant<int, n>; template <typename T> struct Tile { typedef simdgroup_matrix<T, 8, 8> mat; typedef vec<T, 1> one; using row = vec<T, 1>; T v; };
      template <typename S> int walked(device const int* p, S by) { p += by; p += by * 2; return p[by] + *(p - S()) * 100; }
      struct Vec2 { float2 v[2]; constexpr thread float2& at(int k) thread { return v[k]; } constexpr const thread float2& at(int k) const thread { return v[k]; } void put(float x) thread { set(at(1), x); } static void set(thread float2& d, float x) { d.x = x; d[1] = x * 2.0f; } };`,
    body: "Tile<bool> tile; tile.v = i > 1; Vec2 w; w.put(float(i)); w.at(1).y += 0.5f; y[i] = walked(x, Step<2>{}) + (tile.v ? 10000 : 0) + int(w.at(1).x + w.at(1).y * 2.0f) * 100000;",
    // p is x + 6: 18 and 14.
    y: four((i) => 18 + 1400 + (i > 1 ? 10000 : 0) + (5 * i + 1) * 100000),
  },
  {
    name: "what the library's own functions call",
    before: `struct Tiny { ushort bits; }; inline float wide(Tiny b) { return as_type<float>(uint(b.bits) << 16); }
      namespace metal { inline float max(Tiny a, Tiny b) { return __metal_fmax(wide(a), wide(b), __METAL_MAYBE_FAST_MATH__); } inline float fma(Tiny a, Tiny b, Tiny c) { return __metal_fma(wide(a), wide(b), wide(c)); }
        namespace fast { inline float exp2(Tiny a) { return __metal_exp2(wide(a), __METAL_FAST_MATH__) + 1.0f; } } namespace precise { inline float floor(Tiny a) { return __metal_floor(wide(a), __METAL_PRECISE_MATH__); } } }
      template <typename T> int counted() { return vec_elements<T>::value; }`,
    // 0x4060 is 3.5, 0x4000 2.
    body: "Tiny a{ushort(0x4060)}, b{ushort(0x4000)}; y[i] = int(max(a, b) * 2.0f) + int(fma(a, b, b)) * 10 + int(fast::exp2(b) + 0.5f) * 1000 + int(precise::floor(a)) * 10000 + counted<float4>() * 100000 + counted<int>() * 1000000 + i;",
    y: four((i) => 7 + 90 + 5000 + 30000 + 400000 + 1000000 + i),
  },
  {
    // The library's type of atomics is another name of this one, and its functions give what they give through pointers.
    name: "atomics and pointers of the library's own",
    before: `void counted(device _atomic<int>* n, int by) { int was = 0; while (!__metal_atomic_compare_exchange_weak_explicit(n, &was, was + by, memory_order_relaxed, memory_order_relaxed)) {} }
      namespace metal { METAL_FUNC bfloat frexp(bfloat a, thread int& e) { return static_cast<bfloat>(__metal_frexp(static_cast<float>(a), &e)); } METAL_FUNC float modf(int a, thread float& w) { return __metal_modf(float(a) * 0.5f, &w); } }`,
    body: "threadgroup metal::_atomic<int> n[4]; atomic_store_explicit(&n[i], i, memory_order_relaxed); counted((device atomic_int*)&x[i], 100); int e; bfloat m = frexp(bfloat(12.0f), e); float w; float r = modf(5, w); y[i] = x[i] + atomic_load_explicit(&n[i], memory_order_relaxed) * 1000 + e * 10000 + int(m * bfloat(4.0f)) * 100000 + int(w) * 1000000 + int(r * 2.0f) * 10000000;",
    // 12 is 0.75 times 2 to the power of 4; 2.5 is 2 and a half.
    y: four((i) => 110 + i + i * 1000 + 40000 + 300000 + 2000000 + 10000000),
  },
  {
    name: "assertions that hold",
    before: "inline int half_of(int v) { assert(v >= 0 && v < 100); return v / 2; }",
    body: "assert(y != nullptr); y[i] = half_of(x[i]);",
    y: [5, 5, 6, 6],
  },
  {
    name: "clang's own forms of C's library",
    before: "",
    body: "float f = float(i) + 0.5f; y[i] = int(__builtin_fmaf(f, 2.0f, 1.0f) + __builtin_floorf(f)) + int(__builtin_bswap32(uint(i)) >> 24) * 100 + __builtin_ffs(i) * 10000 + (__builtin_isnan(f) ? 0 : 100000) + int(__builtin_sqrtf(16.0f)) * 1000000;",
    y: four((i) => 2 * i + 2 + i + i * 100 + [0, 1, 2, 1][i]! * 10000 + 100000 + 4000000),
  },
  {
    name: "arrays of pointers of the library's type, in a struct",
    before: `template <typename T, int N> struct Indices { const array<const device T*, N> buffers; int n; };
      template <typename T, int N> T taken(const thread Indices<T, N>& d, int i) { T s = 0; for (int k = 0; k < N; k++) s = s * 100 + d.buffers[k][i]; return s + d.n; }`,
    body: "const device int* a = x + 1; Indices<int, 2> d{{{a, x + 2}}, 5}; y[i] = taken(d, i);",
    y: four((i) => (11 + i) * 100 + 12 + i + 5),
  },
  {
    // Clang knows no temporaries in an address space, so that the shim would refuse what Metal's compiler takes.
    name: "calls that move pointers, behind temporaries that references stand for",
    before: `struct Loader { const device int* p; int step; Loader(const device int* q, int s) : p(q), step(s) {} void next() { p += step; } int get(int i) const { return p[i]; } };
      template <bool A> struct Align {};
      template <bool A> void go(thread Loader& l, thread const short& n, thread const short& m, thread int& sum, Align<A> a = {}) { (void)a; for (short k = 0; k < n; k++) { sum += l.get(m); l.next(); } }`,
    body: `Loader from(x, 2); int sum = 0; const int leftover = 1; go(from, 3, leftover, sum, Align<true>{});
      if (i > 1) go(from, short(i), leftover, sum, Align<false>{}); y[i] = sum + from.get(0) * 1000;`,
    // x[1] + x[3] + x[5] is 39; 17 and 19 come in for i of 2, 21 for 3.
    y: [39 + 16000, 39 + 16000, 39 + 36 + 20000, 39 + 57 + 22000],
  },
  {
    name: "static constants that are computed, and named again behind their template",
    before: `constexpr int pow2(int n) { int r = 1; for (int k = 0; k < n; k++) r *= 2; return r; }
      template <typename T, int N> struct C { static constexpr constant int A = N * 2; static constexpr constant int B = A + sizeof(T); static constexpr constant int D = pow2(A);
        static constexpr constant float F = 1.0f / N; static constexpr constant T t[2] = {T(1), T(2)}; static constexpr int len() { return D; } T v[B]; };
      template <typename T, int N> constexpr constant T C<T, N>::t[2];`,
    body: "C<float, 2> c; for (int j = 0; j < C<float, 2>::B; j++) c.v[j] = float(j); y[i] = c.D + int(c.F * 10.0f) * 100 + int(C<float, 2>::t[1]) * 1000 + int(c.v[i + 4]) * 10000 + C<short, 1>::len() * 100000;",
    y: four((i) => 16 + 500 + 2000 + (i + 4) * 10000 + 400000),
  },
  {
    name: "string literals as pointers to characters",
    before: "inline int sum(constant char* p) { int s = 0; while (*p) s += *p++; return s; }",
    // a is 97.
    body: `constant char* name = "abc"; y[i] = sum("ab") + name[i & 1] * 1000 + sum(i > 1 ? "c" : "dd") * 100000 + int(sizeof("ab" "c")) * 100000000;`,
    y: four((i) => 97 + 98 + (97 + (i & 1)) * 1000 + (i > 1 ? 99 : 200) * 100000 + 400000000),
  },
  {
    name: "limits of a type of the source's own, and what SIMD-groups exchange",
    before: `template <typename T> struct Indexed { int i; T v; };
      template <typename T> struct _numeric_limits_impl<Indexed<T>> { static constexpr constant int digits = 40 + numeric_limits<T>::digits;
        static constexpr METAL_FUNC Indexed<T> max() { return Indexed<T>{7, numeric_limits<T>::max()}; } };
      template <> struct _numeric_limits_impl<int2> { static constexpr METAL_FUNC int2 lowest() { return int2(-5, -6); } };
      template <typename T> constexpr constant bool is_simd = __is_valid_simdgroup_type<T>::value;
      template <typename T, typename E = void> struct Sum; template <typename T> struct Sum<T, enable_if_t<is_simd<T>>> { static constexpr constant int kind = 1; };
      template <typename T> struct Sum<T, enable_if_t<!is_simd<T>>> { static constexpr constant int kind = 2; };
      template <typename T> T largest() { return numeric_limits<T>::max(); }`,
    // 127 of a char, 7 binary digits; 64 bits, bool, bfloat and structs are not exchanged (Apple's header, as candle's reduce.metal adds to it).
    body: "auto m = largest<Indexed<char>>(); y[i] = m.i + m.v * 10 + metal::numeric_limits<Indexed<char>>::digits * 10000 + numeric_limits<int2>::lowest().y + Sum<ushort>::kind * 1000000 + Sum<long>::kind * 10000000 + Sum<float4>::kind * 100000000 + (Sum<bfloat>::kind + Sum<Indexed<int>>::kind) * 250000000 + i;",
    y: four((i) => 7 + 1270 + 470000 - 6 + 1000000 + 20000000 + 100000000 + 1000000000 + i),
  },
  {
    name: "ids as Apple's headers ask for them",
    before: "inline ushort lane() { return __metal_get_thread_index_in_simdgroup(ushort()); }",
    // The workgroup has four lanes, of subgroups of at least four.
    body: "y[i] = int(lane()) * 10 + (__metal_get_simdgroup_size(ushort()) >= 4 ? 1 : 0) + int(sizeof(__metal_get_simdgroup_size(uint()))) * 100;",
    y: four((i) => 10 * i + 1 + 400),
  },
  {
    name: "clang's own functions of bits, and its advice",
    // 10 to 13 are 1010, 1011, 1100, 1101; the results are int.
    before: "",
    body: "uint v = uint(x[i]); y[i] = __builtin_ctz(v) + __builtin_clz(v) * 10 + __builtin_popcount(v) * 1000 + __builtin_ctzll(1ul << 40) * 10000 + (-1 < __builtin_popcount(v) ? 1000000 : 0); if (__builtin_expect(v > 11u, 1)) y[i] += 2000000;",
    y: four((i) => [1, 0, 2, 0][i]! + 280 + [2, 3, 2, 3][i]! * 1000 + 400000 + 1000000 + (i > 1 ? 2000000 : 0)),
  },
];

const textOf = ({ before, body }: Shape): string => `#include <metal_stdlib>
using namespace metal;
${before}
kernel void k(device int* x [[buffer(0)]], device int* y [[buffer(1)]], uint t [[thread_position_in_grid]]) { int i = int(t); ${body} }
`;

async function run(text: string, from: TwoWayDialect): Promise<number[]> {
  const x = Int32Array.from({ length: 16 }, (_, i) => 10 + i);
  const launch = { workgroups: [1], workgroupSize: [4], seed: 1, args: { x, y: new Int32Array(16) } } as const;
  const { buffers, findings, diagnostics } = await simulate(text, { from, ...launch });
  expect([...findings, ...diagnostics.filter((d) => d.severity === "error")].map((d) => d.message)).toEqual([]);
  return [...(buffers["y"] as Int32Array)].slice(0, 4);
}

const judged: Judgeable[] = [];

describe.each(shapes)("$name", (shape) => {
  test("means what it says", async () => {
    expect(await run(textOf(shape), "msl")).toEqual(shape.y);
  });

  test.each(targets)("to %s", async (to) => {
    const { code, diagnostics } = await translate(textOf(shape), { from: "msl", to, workgroupSize: [4] });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
    judged.push(judgeable(to, `${shape.name} to ${to}`, code!));
    expect(await run(code!, to), code).toEqual(shape.y);
  });
});

for (const dialect of targets) {
  judgeTest(judges[dialect], `the ${dialect} compiler accepts the texts`, async () => {
    const texts = judged.filter((j) => j.dialect === dialect);
    expect(texts.length).toBe(shapes.length);
    expect(refusals(await judgeOutputs(texts))).toBe("");
  });
}

test("an assertion is left out with a warning, and refused where it does something besides", async () => {
  const source = (condition: string): string =>
    `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device int* y, uint i [[thread_position_in_grid]]) {\n  int n = 0;\n  assert(${condition});\n  y[i] = n;\n}\n`;
  const fine = await translate(source("i < 4u"), { from: "msl", to: "opencl" });
  expect(fine.diagnostics.map((d) => [d.severity, d.code, d.location?.line])).toEqual([["warning", "XL2010", 5]]);
  const bad = await translate(source("++n"), { from: "msl", to: "opencl" });
  expect(bad.code).toBeUndefined();
  expect(bad.diagnostics.map((d) => d.code)).toContain("XL1900");
});
