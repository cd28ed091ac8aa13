/**
 * Constructs at the corners of the dialects, in the dialect that has them and in every translation, with values by hand.
 * Each kernel writes words to `o`.
 */
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate, twoWayDialects, type TwoWayDialect } from "../../src/index.js";
import { judgeOutputs, judgeable, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

interface Corner {
  readonly name: string;
  readonly from: TwoWayDialect;
  readonly code: string;
  /** What 8 invocations leave in `o`. */
  readonly words: readonly number[];
  readonly without?: readonly TwoWayDialect[];
}

const hlsl = (body: string, before = ""): string =>
  `RWStructuredBuffer<int> o;\n${before}\n[numthreads(8, 1, 1)]\nvoid main(uint3 id : SV_DispatchThreadID) {\n  int i = id.x;\n  ${body}\n}\n`;
const opencl = (body: string, before = ""): string =>
  `${before}\n__kernel void k(__global int *o) {\n  int i = get_global_id(0);\n  ${body}\n}\n`;
const msl = (body: string, before = ""): string =>
  `#include <metal_stdlib>\nusing namespace metal;\n${before}\nkernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n  ${body}\n}\n`;
const glsl = (body: string, before = ""): string =>
  `#version 450\nlayout(local_size_x = 8) in;\nlayout(std430, binding = 0) buffer B { int o[]; };\n${before}\nvoid main() {\n  int i = int(gl_GlobalInvocationID.x);\n  ${body}\n}\n`;
const each = (f: (i: number) => number): number[] => Array.from({ length: 8 }, (_, i) => f(i) | 0);

const corners: readonly Corner[] = [
  {
    name: "compound assignment to a small element at an index with a helper",
    from: "opencl",
    code: opencl(
      "R r; r.d[0] = 1; r.d[1] = 2; r.d[2] = 3; r.d[(i - 8) % 3 + 2] += 32760; o[i] = r.d[0] + 2 * r.d[1] + 4 * r.d[2];",
      "typedef struct { short d[3]; } R;",
    ),
    // (i - 8) % 3 is -2 -1 0 -2 -1 0 -2 -1; 3 + 32760 is 32763, all within a short.
    words: each((i) => 17 + 32760 * 2 ** (((i - 8) % 3) + 2)),
  },
  {
    name: "compound assignments that wrap, at indices with effects",
    from: "glsl",
    code: glsl(
      "int a[4] = int[4](1, 2, 3, 4); int n = 0; a[n++] += 2147483647; a[n++] *= 2147483647; a[n++]++; o[i] = a[0] ^ a[1] ^ a[2] ^ n;",
    ),
    // 1 + 2147483647 is -2147483648, 2 * 2147483647 is -2.
    words: each(() => -2147483648 ^ -2 ^ 4 ^ 3),
  },
  {
    name: "a target's index comes before what the value changes",
    from: "glsl",
    code: glsl("int a[4] = int[4](10, 20, 30, 40); int k = 0; a[k] = k++ * 2 + a[k]; o[i] = a[0] + 100 * k;"),
    // a[0] = 0 * 2 + a[1].
    words: each(() => 120),
  },
  {
    name: "rows and elements of a matrix that a function returns, which runs once",
    from: "hlsl",
    code: hlsl(
      "int2 v = int2(made(i)[1].xy); float2 w = made(1)._m10_m12; float3 row = made(2)[n++ & 1]; o[i] = n * 1000 + v.x * 100 + v.y * 10 + int(w.x + w.y + row.z);",
      "static int n;\nfloat2x3 made(float x) { n++; return float2x3(x, 1, 2, x, 4, 5); }",
    ),
    // made() ran three times and n++ once after the third; row 1 is x 4 5; 1 + 5; row 1 of made(2): 5.
    words: each((i) => 4000 + i * 100 + 40 + 11),
    without: ["opencl"],
  },
  {
    // As DXC folds it: f() gives n + k, both set by the first call, and g() counts 1 + 2.
    name: "static variables of functions are initialised when met first, with zero where nothing is said",
    from: "hlsl",
    code: hlsl(
      "int a = f(i); int b = f(a); o[i] = a * 10000 + b * 100 + g() + g();",
      "int f(int x) { static int n = x; static const int k = x * 2; n++; return n + k; }\nint g() { static int c[2] = {1, 2}; static int z; z += c[0]++; return z; }",
    ),
    words: each((i) => (3 * i + 1) * 10000 + (3 * i + 2) * 100 + 4),
  },
  {
    name: "matrices of integers",
    from: "hlsl",
    code: hlsl(
      "int2x3 m = int2x3(1, 2, 3, i, 5, -6); int2 v = mul(m, int3(1, 2, 3)); int2x3 n = m + m / 2; o[i] = v.x + v.y * 100 + n[1][2] + (m % 4)._m11;",
    ),
    // Rows 1 2 3 and i 5 -6; -6 + -3; 5 % 4.
    words: each((i) => 14 + (i - 8) * 100 - 9 + 1),
    without: ["msl", "glsl", "opencl"],
  },
  {
    name: "matrices compared element by element",
    from: "hlsl",
    code: hlsl(
      "float2x2 f = float2x2(1, 2, 3, i); float2x2 g = float2x2(1, 2, 3, 4); bool2x2 b = f == g; o[i] = (all(f == g) ? 1 : 2) + (any(f > 5) ? 10 : 0) + (b._m11 ? 100 : 0) + (any(f - g) ? 1000 : 0);",
    ),
    words: each((i) => (i === 4 ? 101 : 1002) + (i > 5 ? 10 : 0)),
    without: ["msl", "glsl", "opencl"],
  },
  {
    name: "votes of matrices compared",
    from: "hlsl",
    code: hlsl(
      "float2x2 f = float2x2(1, 2, 3, i); o[i] = (all(f == next()) ? 1 : 2) + (any(f > 5) ? 10 : 0) + n * 100;",
      "static int n;\nfloat2x2 next() { n++; return float2x2(1, 2, 3, 4); }",
    ),
    words: each((i) => (i === 4 ? 101 : 102) + (i > 5 ? 10 : 0)),
    without: ["opencl"],
  },
  {
    name: "a component of a swizzle in memory, chosen at run time",
    from: "hlsl",
    code: hlsl(
      "s[i] = int4(1, 2, 3, 4); s[i].wzyx[i & 3] += 9; o[i] = s[i].wzy[i % 3] * 100 + s[i].xxy[i & 1];",
      "groupshared int4 s[8];",
    ),
    words: [1301, 1201, 1101, 410, 301, 201, 401, 310],
  },
  {
    name: "a scalar that fills a matrix is computed once",
    from: "hlsl",
    code: hlsl(
      "float2x2 m = next(); float3x3 all = (float3x3)next(); o[i] = n * 100 + int(m._m00 + m._m11 + all[2][1]);",
      "static int n;\nfloat next() { n++; return n; }",
    ),
    words: each(() => 200 + 1 + 1 + 2),
    without: ["opencl"],
  },
  {
    name: "a target's index comes before what a helper changes",
    from: "glsl",
    code: glsl(
      "int a[4] = int[4](10, 20, 30, 40); a[g] = bump() + g; o[i] = a[1] + 10 * g;",
      "int g = 1;\nint bump() { g += 2; return g; }",
    ),
    // a[1] = 3 + 3.
    words: each(() => 36),
  },
  {
    name: "an out argument's index comes before the arguments after it",
    from: "glsl",
    code: glsl(
      "int a[4] = int[4](10, 20, 30, 40); int k = 0; put(a[k], k++); o[i] = a[0] + 7 * k + a[1];",
      "void put(out int x, int v) { x = v; }",
    ),
    words: each(() => 0 + 7 + 20),
  },
  {
    name: "differences and order of pointers",
    from: "opencl",
    code: opencl(
      "__global int *p = o + i; __global int *q = o + (i ^ 1); int v[6]; int *e = v + 6; int *b = v + 2; o[i] = (int)(p - q) * 10 + (int)(e - b) + (p < q);",
    ),
    // The neighbour is one further for even invocations, one back for odd ones.
    words: each((i) => (i % 2 === 0 ? -10 + 4 + 1 : 10 + 4)),
  },
  {
    name: "where an element stands",
    from: "msl",
    code: msl("ptrdiff_t d = &o[i] - o; device int *p = o + 2; o[i] = int(d) + 1 + int(p - &o[i]) * 16;"),
    words: each((i) => i + 1 + (2 - i) * 16),
  },
  {
    name: "arrays sized by specialisation constants",
    from: "glsl",
    code: glsl(
      "int a[N]; for (int j = 0; j < N; j++) a[j] = j * i; s[i * M] = a[N - 1]; barrier(); o[i] = s[(7 - i) * M] + a.length() + s.length();",
      "layout(constant_id = 0) const int N = 4;\nconst int M = N / 2;\nshared int s[gl_WorkGroupSize.x * M];",
    ),
    // The invocation at the other end has 3 * (7 - i); 4 elements, 8 * 2 shared ones.
    words: each((i) => 3 * (7 - i) + 4 + 16),
  },
  {
    name: "arrays in lists of arrays and structs",
    from: "glsl",
    code: glsl(
      "int a[2] = int[2](1, i); int b[2] = int[2](i, 2); int c[2][2] = int[2][2](a, b); W w = W(b, c); o[i] = c[0][1] + 10 * c[1][1] + 100 * w.a[0] + 1000 * w.b[1][0];",
      "struct W { int a[2]; int b[2][2]; };",
    ),
    words: each((i) => i + 20 + 100 * i + 1000 * i),
  },
  {
    name: "numeric escapes of characters",
    from: "opencl",
    code: opencl("o[i] = i - '\\xff' + 256 * '\\x41' + 65536 * '\\101' + '\\0';"),
    words: each((i) => i + 1 + 256 * 65 + 65536 * 65),
  },
  {
    name: "declarations with a constructor's arguments",
    from: "msl",
    code: msl(
      "float2 a(1.0, 2.0); float3 e(a, 3.0); float4 d(e.zx, a); int q(4), r(q); o[i] = int(d.x) + 10 * int(d.y) + 100 * int(d.w) + 1000 * r;",
    ),
    words: each(() => 3 + 10 + 200 + 4000),
  },
  {
    name: "lists of matrix elements written",
    from: "hlsl",
    code: hlsl(
      "float2x2 m = float2x2(1, 2, 3, 4); m._m00_m10 = float2(5, 6); m._12_22 = m._22_12; m._m00_m11 += float2(1, i); o[i] = (int)(m[0][0] + 10 * m[0][1] + 100 * m[1][0] + 1000 * m[1][1]);",
    ),
    words: each((i) => 6 + 40 + 600 + 1000 * (2 + i)),
    without: ["opencl"],
  },
  {
    name: "matrices of one scalar and of larger matrices",
    from: "hlsl",
    code: hlsl(
      "float3x2 n = float3x2(1, 2, 3, 4, 5, 6); float2x2 c = (float2x2)n; float2x2 f = 3; float2x2 g = (float2x2)i; o[i] = (int)(c[0][0] + 10 * c[0][1] + 100 * c[1][1] + 1000 * f[1][0] + 10000 * g[0][1]);",
    ),
    words: each((i) => 1 + 20 + 400 + 3000 + 10000 * i),
    without: ["opencl"],
  },
  {
    name: "types of at least 16 bits",
    from: "hlsl",
    code: hlsl(
      "min16float h = (min16float)i; min16int2 w = min16int2(i, 2); min16uint u = 3; o[i] = (int)(h * h) + 100 * w.x + 1000 * w.y + 10000 * u;",
    ),
    words: each((i) => i * i + 100 * i + 2000 + 30000),
  },
  {
    name: "struct values made anywhere",
    from: "msl",
    code: msl(
      "Foo{}; Foo z = {}; z = Foo { int2(i), 2 }; Foo f[2] = { z, Foo { int2(3), 4 } }; o[i] = use(Foo { int2(5), 6 }) + 100 * f[1].b + 1000 * (i > 3 ? Foo { int2(7), 8 } : z).b + Foo { int2(9), 1 }.a.y;",
      "struct Foo { int2 a; int b; };\nint use(Foo f) { return f.a.x + 10 * f.b; }",
    ),
    words: each((i) => 65 + 400 + (i > 3 ? 8000 : 2000) + 9),
  },
  {
    name: "matrices in local structs",
    from: "msl",
    code: msl(
      "S s; s.m[0] = float2x2(1, 2, 3, 4); s.m[0][1].x = 5; o[i] = int(s.m[0][0].x + 10 * s.m[0][0].y + 100 * s.m[0][1].x + 1000 * s.m[0][1].y);",
      "struct S { float2x2 m[1]; };",
    ),
    words: each(() => 1 + 20 + 500 + 4000),
    without: ["opencl"],
  },
  {
    name: "operands with effects that are skipped",
    from: "glsl",
    code: glsl(
      "int p = i & 3; o[i] = i > 2 && p++ > 2 ? p : p--; o[i] += p * 100; i > 4 && skip(p) ? p++ : p--; o[i] += 1000 * p;",
      "bool skip(inout int v) { v += 5; return v > 8; }",
    ),
    // p and the sum: 0 gives 0, -1; 1 gives 1, 0; 2 gives 2, 1; 3 (p is 4) gives 4; 4 (p is 1) 1, 0; 5 (2) 2, 1; 6 (3) 3, 2; 7 as 3.
    // Then up to 4 one less; 5: 1 + 5 is no more than 8, so 5; 6: 7, so 6; 7: 9, so 10.
    words: [-100 - 2000, 1 - 1000, 102, 404 + 3000, 1 - 1000, 102 + 5000, 203 + 6000, 404 + 10000],
  },
  {
    name: "loops whose conditions have effects that are skipped",
    from: "glsl",
    code: glsl(
      "int p = 0, n = 0; while (n < 4 && p++ < i) n++; for (int j = 0; j < 4 || n++ < 6; j++, i > 3 ? p += 2 : p--) if (j == 1) continue; do { n++; if (n == 8) continue; p++; } while (n < 10 && p++ < 12); o[i] = n + 100 * p;",
    ),
    // After the while n is min(i, 4) and p one more, but 4 from 4 on, where n stops it. The for runs 4 + 6 - n rounds and leaves n at 7.
    // Rounds 10 9 8 7 and 6; p is 1-10, 2-9, 3-8, 4-7, 4+12. The do: n is 8 (no p++), p < 12: n 9, n 10.
    words: each((i) => (i < 4 ? 10 + 100 * (2 * i - 9 + 4) : 8 + 100 * 17)),
  },
  {
    name: "functions that return pointers into what they are given",
    from: "opencl",
    code: opencl(
      "int a[4] = { 1, 2, 3, 4 }; *in(a, i & 3) = 50; int *q = in(a, 1); q[1] += 7; S s[2] = { { 1, { 2, 3 } }, { 4, { 5, 6 } } }; *m(&s[i & 1]) += 100; o[i] = 0; *at(at(o, i), 0) += a[2]; at(o, i)[0] += s[i & 1].v[1] + *row(1) * 1000; __global int *p = pick(o, i); o[i] += (int)(p - o) * 10000;",
      "typedef struct { int a; int v[2]; } S;\n__constant int t[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };\n__constant int *row(int r) { return t + r * 4; }\nint *in(int *a, int i) { return &a[i]; }\nint *m(S *s) { return &s->v[1]; }\n__global int *at(__global int *p, int i) { return p + i; }\n__global int *pick(__global int *p, int i) { if (i > 3) return at(p, i); return p; }",
    ),
    // a[2] is 3, or 50, and 7 more; then 103 or 106, 5 * 1000, and i from 4 on.
    words: each((i) => ((i & 3) === 2 ? 57 : 10) + (i % 2 === 0 ? 103 : 106) + 5000 + (i > 3 ? 10000 * i : 0)),
  },
  {
    name: "functions that return references",
    from: "msl",
    code: msl(
      "threadgroup int t[8]; slot(t, i) = int(i) * 2; threadgroup_barrier(mem_flags::mem_threadgroup); S s; s.a = 1; s.v[0] = 2; s.v[1] = 3; first(s) = 9; nth(s, 1) += i; thread int &r = nth(s, 0); r *= 2; add(at(o, i), 0); at(o, i) = slot(t, 7 - i) * 10000; at(o, i)++; add(at(o, i), s.a + 10 * s.v[0] + 100 * cat(s.v, 1)); o[i] += n;",
      "struct S { int a; int v[2]; };\nthreadgroup int &slot(threadgroup int *t, uint i) { return t[i]; }\nthread int &first(thread S &s) { return s.a; }\nthread int &nth(thread S &s, uint k) { return s.v[k]; }\ndevice int &at(device int *p, uint i) { return p[i]; }\nconst thread int &cat(const thread int *p, int i) { return *(p + i); }\nvoid add(device int &a, int b) { a += b; }\nconstant int n = 5;",
    ),
    // The slot of the other end, 1, 9 + 10 * 4 + 100 * (3 + i), 5.
    words: each((i) => (7 - i) * 20000 + 1 + 49 + 100 * (3 + i) + 5),
  },
  {
    name: "a function with effects that returns a pointer",
    from: "opencl",
    code: opencl(
      "int n = i; o[i] = 0; __global int *p = o + i; *bump(p, &n) += 1; int a[12]; for (int j = 0; j < 12; j++) a[j] = j; n = 0; int s = *step(a, &n) * 100 + *step(a + 1, &n); o[i] += s + n;",
      "__global int *bump(__global int *p, int *n) { *n -= 1; return p + (*n & 0); }\nint *step(int *p, int *n) { *n += 2; return p + *n; }",
    ),
    // bump adds 1 to o[i]. The steps give a[2] and a[5].
    words: each(() => 1 + 205 + 4),
  },
  {
    // DXC: sizeof(1u | h) is 4, sizeof(1 | h) is 2.
    name: "numbers with a suffix have its type",
    from: "hlsl",
    code: hlsl(
      "uint16_t h = uint16_t(i + 65530); uint a = (1u << 16u) | h; uint b = 65536u + h; uint c = (65535 + h) & 65535u; uint d = h * 65536u; o[i] = int(a & 0x10000u) + int(b >> 16) * 2 + int(c & 15) * 8 + int(d >> 30) * 1024;",
    ),
    // h wraps at 65536: 65530 .. 65535, 0, 1. c is one less than h.
    words: each((i) => 65536 + 2 + 8 * ((i + 65529) & 15) + 1024 * (((i + 65530) & 65535) >>> 14)),
  },
  {
    name: "members of structs in structs, by value and by pointer",
    from: "opencl",
    code: opencl(
      "S a = {1, {2, 3}, {{4, 5}}}; S b = a; b.n[0].q = 9; S *p = &b; p->n->r += i; o[i] = a.n[0].q + b.n->q * 10 + p->n[0].r * 100 + p->v.y + f(a) + f(*p);",
      "typedef struct { int q, r; } N;\ntypedef struct { int a; int2 v; N n[1]; } S;\nint f(S s) { s.a += 5; return s.a + s.n[0].r; }",
    ),
    // 4, 9, 5 + i, 3, then 6 + 5 and 6 + 5 + i.
    words: each((i) => 4 + 90 + 100 * (5 + i) + 3 + 11 + 11 + i),
  },
  {
    name: "halves and their numbers",
    from: "msl",
    code: msl(
      "half a = half(int(i)) * 0.1h; half d = half(int(i) + 1) * 3.0h; o[i] = int(d * 683.0h) + int(a * 10.0h + 0.5h);",
    ),
    // Halves from 2048 on are even, from 4096 on multiples of 4, from 8192 on of 8, from 16384 on of 16: ties to even.
    words: each((i) => [2048, 4096, 6148, 8192, 10248, 12296, 14344, 16384][i]! + i),
  },
  {
    name: "upsampled shorts",
    from: "opencl",
    code: opencl("o[i] = (int)upsample((ushort)1, (ushort)i) + (int)upsample((short)-1, (ushort)i);"),
    words: each((i) => 65536 + i + (i - 65536)),
  },
  {
    name: "statements that are skipped operands",
    from: "opencl",
    code: opencl(
      "int a = 1, b = 0; i > 3 ? (void)(a = 7) : (void)(b = 8); int c = i != 2 && add(&a) > 4 && b++ == 0; (void)(i & 1 && a++); o[i] = a + 10 * b + 1000 * c;",
      "int add(int *p) { *p += 3; return *p; }",
    ),
    // Up to 3: a is 1 + 3 = 4, not above 4 (2 skips it), b 8. From 4: a is 10, b counts from 0.
    words: each((i) => (i < 4 ? (i === 2 ? 1 : 4) + 80 : 10 + 10 + 1000) + (i & 1)),
  },
];

const into = (c: Corner, to: TwoWayDialect): ReturnType<typeof translate> =>
  translate(c.code, {
    from: c.from,
    to,
    ...(c.from === "msl" || c.from === "opencl" ? { workgroupSize: [8, 1, 1] } : {}),
  });

async function run(code: string, from: TwoWayDialect): Promise<{ said: string[]; words: number[] }> {
  const { entries } = await reflect(code, { from });
  const [buffer] = entries[0]!.arguments.flatMap((a) => (a.kind === "buffer" ? [a.path] : []));
  const { buffers, findings, diagnostics } = await simulate(code, {
    from,
    workgroups: [1],
    workgroupSize: [8],
    args: { [buffer!]: new Int32Array(8) },
  });
  return {
    said: [...diagnostics, ...findings].map((d) => d.message),
    words: [...(buffers[buffer!] as Int32Array)],
  };
}

describe.each(corners)("$name", (c) => {
  test(`in ${c.from}`, async () => expect(await run(c.code, c.from)).toEqual({ said: [], words: c.words }));
  test.each(twoWayDialects.filter((d) => d !== c.from && !c.without?.includes(d)))("in %s", async (to) => {
    const { code, diagnostics } = await into(c, to);
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(await run(code!, to)).toEqual({ said: [], words: c.words });
  });
});

describe("a compiler takes the texts", () => {
  for (const to of twoWayDialects) {
    judgeTest(judges[to], `in ${to}`, async () => {
      const mine = corners.filter((c) => c.from !== to && !c.without?.includes(to));
      const texts = await Promise.all(mine.map(async (c) => judgeable(to, c.name, (await into(c, to)).code!)));
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
  }
});
