import { describe, expect, test } from "vitest";
import { checkMsl } from "./support/judges/msl-check.js";
import { mslJudge } from "./support/judges/msl.js";
import type { MslOptions } from "./support/judges/msl.js";
import { judgeTest } from "./support/tool-test.js";

const head = "#include <metal_stdlib>\nusing namespace metal;\n";

/** A kernel with one of everything around `body`. */
function kernel(body: string, before = ""): string {
  return `${head}${before}
struct Params { float scale; uint count; float4 offset; };
kernel void k(device float *out [[buffer(0)]], device const float4 *in [[buffer(1)]], constant Params &params [[buffer(2)]],
              device atomic_uint *counter [[buffer(3)]], device uint *words [[buffer(4)]], threadgroup float *scratch [[threadgroup(0)]],
              uint3 gid [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
  uint i = gid.x; int n = int(lane); half h = half(out[i]); float4 v = in[i]; uint2 u = gid.xy; bool flag = i > 3u; bool4 m = v > 0.0f;
  ${body}
}
`;
}

function signature(parameters: string, body = "out[i] = 0.0f;", before = "", qualifiers = ""): string {
  return `${head}${before}\n${qualifiers} kernel void k(${parameters}) { ${body} }\n`;
}

interface Sample {
  readonly text: string;
  readonly options?: MslOptions;
}

const right: Readonly<Record<string, Sample>> = {
  constructors: {
    text: kernel(`float4 a = float4(v.xy, 1.0f, out[i]); a = float4(1.0f); a = float4(int4(1, 2, 3, 4)); float3 b = float3(v.x, v.yz);
      uint2 c = uint2(i, lane); bool2 d = bool2(true, flag); half4 e = half4(v); float4 f = 1.0f; f = float4(b, 0.0f) * 2.0f;
      vec<float, 2> g = vec<float, 2>(1.0f, 2.0f); float4 z = {1.0f, 2.0f, 3.0f, 4.0f}; a = metal::float4(v.x); int2 w(1); out[i] = float(w.x);`),
  },
  casts: {
    text: kernel(`int4 w = (int4)v; w = static_cast<int4>(v); v = (float4)1.0f; v = (float4)(w) * 2.0f; uint2 t = (uint2)(u.yx); out[i] = (float)n;
      half4 e = (half4)v * 2.0h; v = -(float4)w; bool4 b = (bool4)w; out[i] = static_cast<float>(b.x) + (float)e.x + float(t.x);`),
  },
  swizzles: {
    text: kernel(
      "v.xy = v.zw; v.rgb *= 2.0f; v.w += 1.0f; float3 a = v.bgr; a.z = v[1]; v[2] = 3.0f; out[i] = v.wzyx.x;",
    ),
  },
  // An extension of clang that published shaders of Metal are full of.
  "members named in their order, and without names": {
    text: kernel(
      "struct P { uint a, b; }; P p = {.a = 1u, .b = 2u}; B c = {.f = 1.0f}; out[i] = float(p.a + p.b + c.low);",
      "union B { float f; struct { ushort low, high; }; };",
    ),
  },
  "comparisons and logic": {
    text: kernel(`bool4 a = v < 1.0f; bool4 b = v == v.wzyx; a = a && !b; a = a || b; bool c = all(a) && any(b) || !flag; c = !(c && i <= 3u);
      if (i < params.count && !c && v.x != 0.0f) out[i] = c ? v.x : 0.0f; bool3 d = uint3(1u) >= gid; out[i] = select(0.0f, 1.0f, d.x);
      v = select(v, float4(0.0f), a); a = bool4(flag); a = v.x > 1.0f ? a : b; out[i] = i < 4u ? n > 2 ? 1.0f : 2.0f : 3.0f;`),
  },
  "loops and switch": {
    text: kernel(`for (uint j = 0u; j < 4u; j++) { if (j == 2u) continue; out[j] += 1.0f; }
      int j = 3; while (j-- > 0) { out[j] = 0.0f; } do { j++; } while (j < 3);
      switch (lane) { case 0u: out[i] = 1.0f; break; case 1u: case 2u: out[i] = 2.0f; default: break; }`),
  },
  pointers: {
    text: kernel(
      `float local = 1.0f; bump(local); out[i] = total(in, 3u) + totalOf(scratch, 2u) + at(table, n) + table[n & 3] + PI;
       device float *p = out + i; *p = local; device float &q = out[1]; q += 1.0f; p++; thread float *r = &local; *r = 2.0f;
       device const float4 *s = &in[2]; out[i] = s->x + turn[1].x + spread.w; threadgroup float *t = scratch; t[lane] = 1.0f;
       Pair twice = {1.0f, 2.0f}; out[i] = sum(twice) + sum(pair) + sum(pairs[n]); Params copy = params; copy.offset.xy = float2(copy.scale);`,
      `constant float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};
       constant float grid[2 * 2] = {1.0f, 2.0f, 3.0f, 4.0f};
       constant float PI = 3.14159274f;
       constant uint N = 4u;
       constant float4 corner = float4(1.0f, 2.0f, 3.0f, 4.0f);
       constant float2x2 turn = float2x2(float2(0.0f, 1.0f), float2(-1.0f, 0.0f));
       constant float4 spread = float4(float2(1.0f), 0.0f, 1.0f);
       constant bool use_it [[function_constant(0)]];
       constant uint count = is_function_constant_defined(use_it) ? 3u : N;
       struct Pair { float a; float b; };
       constant Pair pair = {1.0f, 2.0f};
       constant Pair pairs[] = {{1.0f, 2.0f}, {3.0f, 4.0f}};
       float sum(Pair p) { return p.a + p.b; }
       void bump(thread float &x) { x += N > 3u ? corner.x : pair.a; if (use_it) { x = float(count); } }
       float at(constant float *t, int j) { return t[j]; }
       inline float total(device const float4 *p, uint n) { float s = 0.0f; for (uint j = 0u; j < n; ++j) { s += p[j].x; } return s; }
       static float totalOf(threadgroup float *p, uint n) { return p[n]; }
      `,
    ),
  },
  "workgroup memory and barriers": {
    text: kernel(`threadgroup float tile[4][5]; threadgroup atomic_uint bins[16]; threadgroup uint total; tile[lane & 3u][0] = v.x;
      if (lane == 0u) total = 0u; atomic_store_explicit(&bins[0], 0u, memory_order_relaxed);
      threadgroup_barrier(mem_flags::mem_threadgroup); simdgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
      out[i] = tile[0][lane] + float(atomic_fetch_add_explicit(&bins[3], 1u, memory_order_relaxed)) + float(total);`),
  },
  atomics: {
    text: kernel(`uint old = atomic_fetch_add_explicit(counter, 1u, memory_order_relaxed); old = atomic_fetch_max_explicit(&counter[1], old, memory_order_relaxed);
      uint expected = 0u; while (!atomic_compare_exchange_weak_explicit(&counter[2], &expected, old, memory_order_relaxed, memory_order_relaxed)) { }
      atomic_fetch_xor_explicit((device atomic_uint *)&words[i], 1u, memory_order_relaxed);
      device atomic_int *signs = reinterpret_cast<device atomic_int *>(words); atomic_fetch_min_explicit(signs, n, memory_order_relaxed);
      device atomic<float> *sums = (device atomic<float> *)out; atomic_fetch_add_explicit(sums, 1.0f, memory_order_relaxed);
      words[i] = atomic_exchange_explicit(counter, 3u, memory_order_relaxed) + atomic_load_explicit(counter, memory_order_relaxed);`),
  },
  "SIMD-groups": {
    text: kernel(`float s = simd_sum(v.x) + simd_shuffle_down(v.x, ushort(1)) + simd_shuffle_xor(v.x, 2u) + simd_broadcast(v.x, 0); v = simd_max(v);
      uint r = simd_prefix_exclusive_sum(i) + simd_and(i) + simd_broadcast_first(words[i]); bool b = simd_all(i < 3u) || simd_any(flag) || simd_is_first();
      simd_vote::vote_t mask = static_cast<simd_vote::vote_t>(simd_ballot(flag)); uint2 w = as_type<uint2>((ulong)(simd_vote::vote_t)simd_active_threads_mask());
      words[i] = uint(popcount(mask)) + w.x + popcount(w.y) + (b ? r : 0u); out[i] = s + simd_shuffle_and_fill_up(s, 0.0f, 1) + float(simd_shuffle_up(h, 1));
      ushort c = ushort(flag); c = simd_shuffle(c, 3); words[i] = c; out[i] = quad_sum(v.x) + quad_broadcast(v.y, 1); quad_vote q = quad_ballot(flag);
      words[i] = uint(quad_vote::vote_t(q)); out[i] = simd_shuffle_rotate_down(s, 1u);`),
  },
  "math, integers, conversions": {
    text: kernel(`float f = fma(v.x, 2.0f, 1.0f) + pow(2.0f, v.y) + max(v.x, 0.0f) + clamp(v.x, 0.0f, 1.0f) + precise::sqrt(v.x) + fast::sin(v.x) + rsqrt(v.x);
      int e; f += frexp(v.x, e); float c; f += sincos(v.x, c) + modf(v.y, c) + ldexp(v.x, e); v = clamp(v, 0.0f, 1.0f) + max(v, 0.0f) + mix(v, v.yxwz, 0.5f) + smoothstep(0.0f, 1.0f, v);
      f += dot(v, v) + length(v.xyz) + cross(v.xyz, v.yzw).x + normalize(v).x + distance(v, v);
      uint k = rotate(i, 3u) + clz(i) + ctz(i) + popcount(i) + reverse_bits(i) + mulhi(i, 3u) + extract_bits(i, 2u, 3u) + insert_bits(i, 1u, 2u, 3u) + min(i, 3u) + absdiff(n, 3) + abs(i);
      n = abs(n) + max(n - 1, 0) + clamp(n, 0, 3) + mad24(n, 2, 1) + sign(f); k += as_type<uint>(v.x) + as_type<uint>(half2(v.xy)); f = as_type<float>(k) + float(as_type<half2>(k).y);
      half g = h * 2.0h + half(f) + max(h, 0.0h); f = g; k = pack_float_to_unorm4x8(v); v = unpack_snorm4x8_to_float(k); f += float(isnan(f)) + (isinf(v).x ? 1.0f : 0.0f) + INFINITY + M_PI_F;
      int3 t = int3(v.xyz); t = t << 2 | int3(1); t = ~t; t %= 3; uchar4 b = uchar4(u.xyxy); short s = short(n); s = s + 1; out[i] = f + float(b.x) + float(t.y) + float(s) + 1e-3 + 1.5 + .5f + 0x1p-3f;`),
  },
  "packed types and matrices": {
    text: signature(
      "device packed_float3 *p [[buffer(0)]], constant float4x4 &m [[buffer(1)]], device float4 *out [[buffer(2)]], uint i [[thread_position_in_grid]]",
      `float3 a = float3(p[i]); p[i] = packed_float3(a * 2.0f); p[i].x = a.y; out[i] = m * float4(a, 1.0f); out[i] = float4(p[i], 1.0f); float2x2 r = float2x2(1.0f, 2.0f, 3.0f, 4.0f);
       r = transpose(r) * r; float2 c = r[1]; r[0] = c * r; out[i].x = determinant(r) + r[1][0] + m[3].w; float3x3 t = float3x3(a, a, a); out[i].xyz = t * a; r = r * 2.0f + r; float4x4 l = m; out[i] = l[1];`,
    ),
  },
  "macros that OpenCL has, too": {
    text: kernel(
      "#ifdef CL_HALF\n out[i] = cl_half(float(CL_SIZE));\n#endif\n#undef CL_SIZE\n",
      "#define CL_SIZE 3\n#define CL_HALF (1)\n#define cl_half(x) (x / CL_HALF)",
    ),
  },
  "names of other languages": {
    text: kernel(
      "uint local = i; uint global = local + 1u; float generic = 2.0f; uint pipe = global; out[pipe] = generic; uint xl = pipe; words[i] = xl;",
    ),
  },
  "16-bit positions, no slots, limits": {
    text: signature(
      "device float *out, constant uint &n, ushort i [[thread_index_in_threadgroup]], ushort2 g [[threadgroup_position_in_grid]], uint2 c [[threads_per_grid]]",
      "if (i < n) out[i] = float(g.x + c.y);",
      "",
      "[[max_total_threads_per_threadgroup(64)]]",
    ),
  },
  "macros, enums, aliases": {
    text: kernel(
      `Color c = GREEN; out[i] = SQUARE(v.x) + float(c) + float(sizeof(f4)); f4 w = f4(1.0f, v.yzw); Weights t = {1.0f, 2.0f};
       out[i] = t[0] + w.x; if (LESS(i, 3u)) out[i] = HALF_PI; for (auto j = 0u; j < SIZE; ++j) { out[j] = 0.0f; }
       static_assert(SIZE == 4, "the size of the tile");`,
      `#define SIZE 4
#define SQUARE(x) ((x) * (x))
#define LESS(a, b) ((a) < (b))
#define HALF_PI 1.57079637f
#pragma METAL fp contract(off)
enum Color { RED, GREEN = 4 };
using f4 = float4;
typedef float Weights[2];
`,
    ),
  },
  "fences of 3.2": {
    text: kernel("atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);"),
    options: { version: "3.2" },
  },
  "coherent buffers of 3.2": {
    text: kernel("", "kernel void c(coherent(device) device uint *x [[buffer(0)]]) { x[0] = 1u; }"),
    options: { version: "3.2" },
  },
};

/** Every text differs from a right one in the one thing that its name says. */
const wrong: Readonly<Record<string, Sample & { readonly says: RegExp }>> = {
  "jump past an initialiser": {
    text: kernel("switch (i) { case 0u: uint t = 1u; out[i] = float(t); break; default: break; }"),
    says: /cannot jump/,
  },
  "label before a brace": {
    text: kernel("switch (i) { case 0u: out[i] = 1.0f; break; default: }"),
    says: /C\+\+23 extension/,
  },
  "declaration in a condition, of C++17": {
    text: kernel("if (uint t = i; t > 2u) out[i] = 1.0f;"),
    says: /before C\+\+17/,
  },
  "structured binding": {
    text: kernel("struct P { uint a, b; }; P p = {1u, 2u}; auto [a, b] = p; out[i] = float(a + b);"),
    says: /before C\+\+17/,
  },
  "members named out of their order": {
    text: kernel("struct P { uint a, b; }; P p = {.b = 1u, .a = 2u}; out[i] = float(p.a + p.b);"),
    says: /declaration order/,
  },
  "designators and values side by side": {
    text: kernel("struct P { uint a, b; }; P p = {.a = 1u, 2u}; out[i] = float(p.a + p.b);"),
    says: /C99 extension/,
  },
  "no header": {
    text: kernel("out[i] = 0.0f;").replace("#include <metal_stdlib>", ""),
    says: /metal_stdlib> is missing/,
  },
  "unknown header": { text: `#include <math.h>\n${kernel("")}`, says: /no header <math.h>/ },
  "pointer parameter without address space": {
    text: signature("float *out [[buffer(0)]], uint i [[thread_position_in_grid]]"),
    says: /pointer without an address space/,
  },
  "reference without address space": {
    text: kernel("", "void f(float &x) { x = 1.0f; }"),
    says: /reference without an address space/,
  },
  "local pointer without address space": {
    text: kernel("float *p = out;"),
    says: /pointer without an address space/,
  },
  "second declarator without address space": {
    text: kernel("float a = 1.0f, *p = &a;"),
    says: /pointer without an address space/,
  },
  "cast without address space": {
    text: kernel("out[i] = *(float *)words;"),
    says: /pointer without an address space/,
  },
  "kernel pointer to thread memory": {
    text: signature("thread float *out [[buffer(0)]], uint i [[thread_position_in_grid]]"),
    says: /device, constant or threadgroup/,
  },
  "two address spaces": {
    text: kernel("", "void f(device threadgroup float *x) { }"),
    says: /2 address spaces/,
  },
  "device pointer to thread pointer": { text: kernel("thread float *p = out;"), says: /cannot initialize/ },
  "constant pointer to device pointer": {
    text: kernel("device const Params *p = &params;"),
    says: /cannot initialize/,
  },
  "threadgroup argument for device parameter": {
    text: kernel("f(scratch);", "void f(device float *x) { x[0] = 1.0f; }"),
    says: /no matching function|cannot initialize/,
  },
  "cast between address spaces": {
    text: kernel("out[i] = ((device float *)scratch)[0];"),
    says: /address space|cast from/,
  },
  "write to constant": { text: kernel("params.scale = 1.0f;"), says: /const/ },
  "write to const device": { text: kernel("in[i] = v;"), says: /const|not assignable|read-only/ },
  "dropping const": { text: kernel("device float4 *p = in;"), says: /cannot initialize/ },
  "threadgroup variable in a helper": {
    text: kernel("", "void f() { threadgroup float t[4]; t[0] = 1.0f; }"),
    says: /non-kernel function|local address space/,
  },
  "threadgroup variable in a nested block": {
    text: kernel("if (flag) { threadgroup float t[4]; t[0] = 1.0f; }"),
    says: /outermost scope/,
  },
  "threadgroup variable with initialiser": { text: kernel("threadgroup uint t = 0u;"), says: /initializer/ },
  "device variable": { text: kernel("device float t = 1.0f;"), says: /address space/ },
  "global variable": { text: kernel("", "float shared_value;"), says: /not in the constant address space/ },
  "const global": { text: kernel("", "const float PI = 3.0f;"), says: /not in the constant address space/ },
  "threadgroup at program scope": {
    text: kernel("", "threadgroup float tile[16];"),
    says: /not in the constant address space/,
  },
  "constant without value": { text: kernel("", "constant float PI;"), says: /without a value/ },
  "constant of no constant value": {
    text: kernel("", "float f(); constant float x = f();"),
    says: /constant expression/,
  },
  "unknown attribute": {
    text: signature("device float *out [[buffer(0)]], uint i [[thread_position]]"),
    says: /unknown attribute \[\[thread_position\]\]/,
  },
  "attribute of HLSL": {
    text: signature("device float *out [[register(u0)]], uint i [[thread_position_in_grid]]"),
    says: /unknown attribute/,
  },
  "parameter without attribute": {
    text: signature("device float *out [[buffer(0)]], uint i"),
    says: /has no attribute/,
  },
  "value as buffer": {
    text: signature("device float *out [[buffer(0)]], uint i [[buffer(1)]]"),
    says: /no pointer or reference/,
  },
  "position of type int": {
    text: signature("device float *out [[buffer(0)]], int i [[thread_position_in_grid]]"),
    says: /not int/,
  },
  "position of four components": {
    text: signature("device float *out [[buffer(0)]], uint4 i [[thread_position_in_grid]]", ""),
    says: /not uint4/,
  },
  "lane as a vector": {
    text: signature("device float *out [[buffer(0)]], uint2 i [[thread_index_in_simdgroup]]", ""),
    says: /not uint2/,
  },
  "positions of different sizes": {
    text: signature(
      "device float *out [[buffer(0)]], uint i [[thread_position_in_grid]], uint3 g [[threadgroup_position_in_grid]]",
    ),
    says: /one number of components/,
  },
  "slot twice": {
    text: signature(
      "device float *out [[buffer(0)]], device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]",
    ),
    says: /there twice/,
  },
  "slot too high": {
    text: signature("device float *out [[buffer(31)]], uint i [[thread_position_in_grid]]"),
    says: /above 30/,
  },
  "attribute twice": {
    text: signature(
      "device float *out [[buffer(0)]], uint i [[thread_position_in_grid]], uint j [[thread_position_in_grid]]",
    ),
    says: /there twice/,
  },
  "threadgroup slot on device": {
    text: signature("device float *out [[threadgroup(0)]], uint i [[thread_position_in_grid]]"),
    says: /takes \[\[buffer/,
  },
  "threadgroup pointer without slot": {
    text: signature("device float *out [[buffer(0)]], threadgroup float *s, uint i [[thread_position_in_grid]]"),
    says: /needs \[\[threadgroup/,
  },
  "kernel with a result": {
    text: `${head}kernel int k(device int *p [[buffer(0)]]) { return p[0]; }`,
    says: /returns void/,
  },
  "kernel called main": {
    text: `${head}kernel void main(device int *p [[buffer(0)]]) { p[0] = 1; }`,
    says: /called main/,
  },
  "attribute of the kernel unknown": {
    text: signature("device float *out, uint i [[thread_position_in_grid]]", "", "", "[[numthreads(64)]]"),
    says: /no attribute of a kernel/,
  },
  "undeclared name": { text: kernel("out[i] = bogus;"), says: /undeclared identifier/ },
  "function of GLSL": { text: kernel("out[i] = inversesqrt(v.x);"), says: /undeclared identifier/ },
  "function of OpenCL": { text: kernel("out[i] = as_float(i);"), says: /undeclared identifier/ },
  "function of HLSL": { text: kernel("out[i] = lerp(v.x, v.y, 0.5f);"), says: /undeclared identifier/ },
  "work-item function": { text: kernel("out[get_global_id(0)] = 0.0f;"), says: /undeclared identifier/ },
  "CUDA-like barrier": {
    text: kernel("barrier(mem_flags::mem_threadgroup);"),
    says: /undeclared identifier/,
  },
  "barrier without flags": { text: kernel("threadgroup_barrier();"), says: /no matching function/ },
  "barrier with a number": { text: kernel("threadgroup_barrier(2);"), says: /no matching function/ },
  "type of OpenCL": { text: kernel("float8 x;"), says: /undeclared identifier|unknown type/ },
  "type of GLSL": { text: kernel("vec4 x = vec4(1.0f);"), says: /undeclared identifier/ },
  "OpenCL type name": { text: kernel("event_t e;"), says: /undeclared identifier|unknown type/ },
  "OpenCL vector literal": {
    text: kernel("v = (float4)(1.0f, 2.0f, 3.0f, 4.0f);"),
    says: /not \(T\)\(a, b\)/,
  },
  "OpenCL component": { text: kernel("out[i] = v.s0;"), says: /no component s0/ },
  "OpenCL half of a vector": { text: kernel("v.xy = v.hi;"), says: /no component hi/ },
  "mixed swizzle": { text: kernel("v.xy = v.xg;"), says: /illegal vector component|mixed/ },
  "swizzle past the end": { text: kernel("out[i] = u.z;"), says: /out of bounds|exceeds/ },
  "texture swizzle of GLSL": { text: kernel("v.xy = v.st;"), says: /illegal vector component/ },
  "duplicate component written": { text: kernel("v.xx = float2(1.0f);"), says: /duplicate|not assignable/ },
  double: { text: kernel("double d = 1.0;"), says: /no double/ },
  "long long": { text: kernel("long long d = 1;"), says: /no long long/ },
  "literal suffix of GLSL": { text: kernel("out[i] = 1.0lf;"), says: /no Metal literal/ },
  goto: { text: kernel("goto end; end: ;"), says: /no goto/ },
  lambda: { text: kernel("auto f = [=](float x) { return x; };"), says: /no lambda/ },
  "shuffle of bool": { text: kernel("flag = simd_shuffle(flag, 1);"), says: /no matching function/ },
  "shuffle of a bool vector": { text: kernel("m = simd_shuffle(m, 1);"), says: /no matching function/ },
  "shuffle of 64 bits": {
    text: kernel("ulong w = i; w = simd_shuffle(w, 1);"),
    says: /no matching function/,
  },
  "bitwise reduction of float": { text: kernel("out[i] = simd_and(v.x);"), says: /no matching function/ },
  "shuffle without lane": { text: kernel("out[i] = simd_shuffle(v.x);"), says: /no matching function/ },
  "vote as an integer": {
    text: kernel("words[i] = simd_ballot(flag);"),
    says: /assigning|incompatible|no viable/,
  },
  "a reduction before MSL 2.1": {
    text: kernel("out[i] = simd_sum(v.x);"),
    options: { version: "2.0" },
    says: /undeclared identifier/,
  },
  "a quad before MSL 2.1": {
    text: kernel("out[i] = quad_shuffle_xor(v.x, 1);"),
    options: { version: "2.0" },
    says: /undeclared identifier/,
  },
  "a shuffle with fill before MSL 2.4": {
    text: kernel("out[i] = simd_shuffle_and_fill_up(v.x, v.y, 1);"),
    options: { version: "2.3" },
    says: /undeclared identifier/,
  },
  "vote to uint": { text: kernel("ulong w = simd_ballot(flag);"), says: /no viable conversion/ },
  "fill of another type": {
    text: kernel("out[i] = simd_shuffle_and_fill_up(v.x, 0, 1);"),
    says: /no matching function/,
  },
  "atomic on plain memory": {
    text: kernel("atomic_fetch_add_explicit(&words[i], 1u, memory_order_relaxed);"),
    says: /no matching function/,
  },
  "atomic on thread memory": {
    text: kernel("atomic_fetch_add_explicit(&i, 1u, memory_order_relaxed);"),
    says: /no matching function/,
  },
  "atomic with another order": {
    text: kernel("atomic_fetch_add_explicit(counter, 1u, memory_order_acq_rel);"),
    says: /undeclared identifier/,
  },
  "atomic without order": {
    text: kernel("atomic_fetch_add_explicit(counter, 1u);"),
    says: /no matching function/,
  },
  "implicit seq_cst atomic": {
    text: kernel("atomic_fetch_add(counter, 1u);"),
    says: /undeclared identifier/,
  },
  "atomic read as a value": {
    text: kernel("words[i] = counter[0];"),
    says: /assigning|incompatible|no viable/,
  },
  "atomic written as a value": { text: kernel("counter[0] = 1u;"), says: /no viable|incompatible/ },
  "atomic incremented": { text: kernel("counter[0]++;"), says: /cannot increment/ },
  "atomic copied": { text: kernel("atomic_uint c = counter[0]; words[i] = 1u;"), says: /deleted/ },
  "float atomic in threadgroup memory": {
    text: kernel("threadgroup atomic_float t[4]; atomic_fetch_add_explicit(&t[0], 1.0f, memory_order_relaxed);"),
    says: /no matching function/,
  },
  "float atomic maximum": {
    text: kernel("atomic_fetch_max_explicit((device atomic_float *)out, 1.0f, memory_order_relaxed);"),
    says: /no matching function/,
  },
  atomic_long: {
    text: kernel("device atomic_long *p = (device atomic_long *)words;"),
    says: /undeclared identifier|unknown type/,
  },
  "strong compare-exchange": {
    text: kernel(
      "uint e = 0u; atomic_compare_exchange_strong_explicit(counter, &e, 1u, memory_order_relaxed, memory_order_relaxed);",
    ),
    says: /undeclared identifier/,
  },
  "expected value not in thread memory": {
    text: kernel(
      "atomic_compare_exchange_weak_explicit(counter, &words[0], 1u, memory_order_relaxed, memory_order_relaxed);",
    ),
    says: /no matching function/,
  },
  "fence before 3.2": {
    text: kernel("atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);"),
    says: /undeclared identifier/,
  },
  "coherent buffers before 3.2": {
    text: kernel("", "kernel void c(coherent(device) device uint *x [[buffer(0)]]) { x[0] = 1u; }"),
    says: /expected expression/,
  },
  "ambiguous max": { text: kernel("words[i] = max(i, 0);"), says: /ambiguous/ },
  "ambiguous half and float": { text: kernel("h = max(h, 0.0f);"), says: /ambiguous/ },
  "math on an integer": { text: kernel("out[i] = sqrt(n);"), says: /ambiguous/ },
  "comparison as an integer vector": {
    text: kernel("int4 c = v < 1.0f;"),
    says: /cannot initialize|no viable/,
  },
  "select by an integer vector": { text: kernel("v = select(v, v, int4(1));"), says: /no matching function/ },
  "any of an integer vector": { text: kernel("flag = any(u);"), says: /no matching function/ },
  "vector condition of ?:": { text: kernel("v = m ? v : v;"), says: /select\(\) chooses by component/ },
  "vector condition of if": {
    text: kernel("if (m) out[i] = 0.0f;"),
    says: /where arithmetic or pointer type|contextually|invalid/,
  },
  "comparison of different vectors": { text: kernel("m = v < int4(1);"), says: /vectors of different types/ },
  "! of a vector of numbers": { text: kernel("m = !v;"), says: /bool or a bool vector/ },
  "implicit vector conversion": { text: kernel("int4 c = v;"), says: /cannot initialize/ },
  "implicit signedness of vectors": { text: kernel("int2 c = u;"), says: /cannot initialize/ },
  "vectors of different types added": {
    text: kernel("v = v + int4(1);"),
    says: /implicit conversions between vector types/,
  },
  "too few parts": { text: kernel("v = float4(1.0f, 2.0f);"), says: /do not add up/ },
  "too many parts": { text: kernel("v = float4(v.xyz, v.xy);"), says: /do not add up/ },
  "truncating constructor": { text: kernel("float3 a = float3(v);"), says: /another size/ },
  "C cast to a vector of another size": { text: kernel("half4 e = (half4)u;"), says: /another size/ },
  "static_cast to a vector of another size": {
    text: kernel("float3 a = static_cast<float3>(v);"),
    says: /another size/,
  },
  "part of another type": { text: kernel("v = float4(u, v.xy);"), says: /another element type/ },
  "scalar from a vector": { text: kernel("out[i] = v;"), says: /assigning|incompatible/ },
  "bit cast of different sizes": { text: kernel("words[i] = as_type<uint>(v);"), says: /one size/ },
  "bit cast of bool": { text: kernel("uchar c = as_type<uchar>(flag);"), says: /does not take bool/ },
  "reference to a component": {
    text: kernel("f(v.x);", "void f(thread float &x) { x = 1.0f; }"),
    says: /vector element/,
  },
  "address of a component": { text: kernel("thread float *p = &v.x;"), says: /vector element/ },
  "matrix times vector of another size": {
    text: signature(
      "constant float3x3 &m [[buffer(0)]], device float4 *out [[buffer(1)]], uint i [[thread_position_in_grid]]",
      "out[i] = m * out[i];",
    ),
    says: /invalid operands|cannot convert between/,
  },
  "three-way HLSL mul": { text: kernel("v = mul(v, v);"), says: /undeclared identifier/ },
  "kernel called with a struct that does not exist": {
    text: signature("constant Missing &p [[buffer(0)]]", ""),
    says: /unknown type name/,
  },
  "missing return value": { text: kernel("", "float f(float x) { x += 1.0f; }"), says: /non-void function/ },
  "unbalanced braces": { text: kernel("if (flag) {"), says: /not closed|expected/ },
  "stray character": { text: kernel("out[i] = 1.0f @ 2.0f;"), says: /stray character/ },
  "unknown pragma": { text: `#pragma OPENCL FP_CONTRACT OFF\n${kernel("")}`, says: /unknown pragma/ },
  "OpenCL qualifiers": {
    text: kernel("", "void f(__global float *x) { }"),
    says: /reserved|without an address space/,
  },
  printf: { text: kernel("printf(1);"), says: /undeclared identifier/ },
};

describe("metal shim", () => {
  judgeTest(mslJudge, "accepts what is right", async () => {
    const names = Object.keys(right);
    const verdicts = await mslJudge.accept(names.map((name) => ({ name, ...right[name]! })));
    expect(verdicts.flatMap(({ ok, log }, i) => (ok ? [] : [`${names[i]}\n${log}`])).join("\n\n")).toBe("");
  });

  judgeTest(mslJudge, "refuses what is wrong, for that reason", async () => {
    const names = Object.keys(wrong);
    const verdicts = await mslJudge.accept(
      names.map((name) => ({ name, text: wrong[name]!.text, options: wrong[name]!.options })),
    );
    const missed = verdicts.flatMap(({ ok, log }, i) =>
      ok ? [`${names[i]}: accepted`] : wrong[names[i]!]!.says.test(log) ? [] : [`${names[i]}: ${log}`],
    );
    expect(missed.join("\n\n")).toBe("");
  });

  test("the reading pass alone finds missing address spaces, with their place", () => {
    const { problems } = checkMsl(signature("float *out [[buffer(0)]], uint i [[thread_position_in_grid]]"));
    expect(problems).toEqual([
      {
        offset: head.length + "\n kernel void k(float ".length,
        message: "a pointer without an address space",
      },
    ]);
  });

  test("rewriting keeps every line where it was", () => {
    const text = signature(
      "device float *out\n[[buffer\n(0)]],\nuint i [[thread_position_in_grid]]",
      "\nif (i < 3u)\n out[i] = float4(1.0f,\n 2.0f, 3.0f, 4.0f).x;\n",
    );
    const checked = checkMsl(text);
    expect(checked.problems).toEqual([]);
    expect(checked.text.split("\n").length).toBe(text.split("\n").length);
    expect(checked.text.split("\n").findIndex((line) => line.includes("out[i] ="))).toBe(
      text.split("\n").findIndex((line) => line.includes("out[i] =")),
    );
  });
});
