/**
 * Matrices where the target has none such: kernels with results worked out here number by number, through every dialect, its
 * compiler and, for OpenCL C and GLSL, a driver. Numbers are small integers and no matrix is symmetric, so that rows taken for
 * columns show. Offsets are those of MSL 3.1 table 2.4 (columns of three have 16 bytes, of half 8) and GLSL 4.60 7.6.2.2.
 */
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate, verify, type SourceDialect } from "../src/index.js";
import { deviceTest } from "./device/device-test.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";
import { runHere } from "./device/run-here.js";

const all: readonly SourceDialect[] = ["msl", "glsl", "opencl", "hlsl"];

interface Case {
  readonly name: string;
  readonly from: SourceDialect;
  /** Writes to the words of `y`; lane i is the only one. */
  readonly source: string;
  /** 32-bit floats by their word, others as their bytes; what is not named is zero. */
  readonly expected: (y: DataView) => void;
  /** Bytes of the buffers, where they are not 256. */
  readonly bytes?: readonly number[];
}

type Columns = readonly (readonly number[])[];
const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
/** Column c, row r is `10 c + r + 1`, and the other `c - 2 r + 3`. */
const counted = (columns: number, rows: number): Columns =>
  range(columns).map((c) => range(rows).map((r) => 10 * c + r + 1));
const slanted = (columns: number, rows: number): Columns =>
  range(columns).map((c) => range(rows).map((r) => c - 2 * r + 3));
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((s, x, i) => s + x * b[i]!, 0);
const row = (m: Columns, r: number): number[] => m.map((column) => column[r]!);
const timesVector = (m: Columns, v: readonly number[]): number[] => m[0]!.map((_, r) => dot(row(m, r), v));
const vectorTimes = (v: readonly number[], m: Columns): number[] => m.map((column) => dot(v, column));
const product = (a: Columns, b: Columns): Columns => b.map((column) => timesVector(a, column));
const transposed = (m: Columns): Columns => m[0]!.map((_, r) => row(m, r));
const each = (a: Columns, f: (x: number, c: number, r: number) => number): Columns =>
  a.map((column, c) => column.map((x, r) => f(x, c, r)));

const put = (y: DataView, values: readonly number[]): void => values.forEach((v, i) => y.setFloat32(4 * i, v, true));
const metal = "#include <metal_stdlib>\nusing namespace metal;\n";
const kernel = (body: string, more = ""): string =>
  `${metal}${more}kernel void k(device float *y [[buffer(0)]], uint i [[thread_position_in_grid]]) { uint n = 0u;\n${body} }`;
const shader = (body: string, more = ""): string =>
  `#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer Y { float y[]; };\n${more}\nvoid main() { uint i = gl_GlobalInvocationID.x; uint n = 0u;\n${body} }`;
/** Columns one after the other, in either language. */
const show = (m: string, columns: number, rows: number): string =>
  `for (uint c = 0u; c < ${String(columns)}u; c++) for (uint r = 0u; r < ${String(rows)}u; r++) y[n++] = float(${m}[c][r]);`;
/** `counted` and `slanted` written out. */
const written = (type: string, m: Columns): string =>
  `${type}(${m
    .flat()
    .map((x) => `${String(x)}.0`)
    .join(", ")})`;
const [a34, b43, a33, b33] = [counted(3, 4), slanted(4, 3), counted(3, 3), slanted(3, 3)];

const cases: readonly Case[] = [
  {
    // Columns (n, 2), (3, 4), (5, 6) are made, and n is 2 then, 3 and 4 behind the calls.
    name: "parts of what is made in place",
    from: "msl",
    source: kernel(
      `int m = 1; y[0] = float3x2(m++, 2, 3, 4, 5, 6)[1][1]; y[1] = made(m)[i][0]; y[2] = float2x2(float2(m, 1), float2(3, 4))[m & 1].y; y[3] = (made(m) * 2.0f)[1][i]; y[4] = m;
       y[5] = S{float2(1, 2), {3, 4}}.b[i + 1]; y[6] = float4(1, 2, 3, 4).zyx[i + 2]; y[7] = one.b[1];`,
      `struct S { float2 a; float b[2]; }; static float2x2 made(thread int &n) { n++; return float2x2(n, 1, 2, 3); }
       constant S one = {float2(1, 2), {3, 4}};`,
    ),
    expected: (y) => put(y, [4, 3, 4, 4, 4, 4, 1, 4]),
  },
  {
    name: "parts of what is made in place",
    from: "glsl",
    source: shader(
      `int m = 1; y[0] = mat2x3(m++, 2, 3, 4, 5, 6)[1].xy.y; y[1] = made(m)[i][0]; y[2] = mat2(vec2(m, 1), vec2(3, 4))[m & 1].y; y[3] = (made(m) * 2.0)[1][i]; y[4] = float(m);
       y[5] = S(vec2(1, 2), float[2](3, 4)).b[i + 1u]; y[6] = vec4(1, 2, 3, 4).zyx[i + 2u]; y[7] = column + part + mat3(mat2(5))[2][2]; float z[len]; z[5] = 3.0; y[8] = z[5] + float[](7.0, 8.0, 9.0)[i + 1u];`,
      `struct S { vec2 a; float b[2]; }; mat2 made(inout int n) { n++; return mat2(n, 1, 2, 3); } const float column = mat3x2(1, 2, 3, 4, 5, 6)[2][0];
       const float part = S(vec2(1, 2), float[2](3, 4)).b[1]; const int len = int[](4, 5, 6)[2];`,
    ),
    expected: (y) => put(y, [5, 3, 4, 4, 4, 4, 1, 5 + 4 + 1, 11]),
  },
  {
    // Rows (1, 2, 3), (4, 5, 6).
    name: "parts of what is made in place",
    from: "hlsl",
    source: `RWStructuredBuffer<float> y; float2x2 made(inout int n) { n++; return float2x2(n, 1, 2, 3); } static const float row = float2x3(1, 2, 3, 4, 5, 6)[1][0];
[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID) { uint i = id.x; int m = 1; y[0] = float2x3(m++, 2, 3, 4, 5, 6)[1].yz.x; y[1] = made(m)[i][1]; y[2] = made(m)._m10; y[3] = made(m)._11_22.x; y[4] = m;
  y[5] = float2x3(1, 2, 3, 4, 5, 6)._m01 + row; y[6] = float4(1, 2, 3, 4).zyx[i + 2]; y[7] = ((float2x2)7)[i][1] + float3x1(1, 2, 3)[i + 1] + float1x3(1, 2, 3)[0].y; }`,
    expected: (y) => put(y, [5, 1, 2, 5, 5, 2 + 4, 1, 7 + 2 + 2]),
  },
  {
    name: "products",
    from: "glsl",
    source: shader(`mat3x4 a = ${written("mat3x4", a34)}; mat4x3 b = ${written("mat4x3", b43)};
      mat4 ab = a * b; ${show("ab", 4, 4)} mat3 ba = b * a; ${show("ba", 3, 3)}
      vec4 v = a * vec3(1.0, -2.0, 3.0); vec3 w = vec4(2.0, 0.0, 1.0, -1.0) * a;
      for (int c = 0; c < 4; c++) y[n++] = v[c]; for (int c = 0; c < 3; c++) y[n++] = w[c];`),
    expected: (y) =>
      put(y, [
        ...product(a34, b43).flat(),
        ...product(b43, a34).flat(),
        ...timesVector(a34, [1, -2, 3]),
        ...vectorTimes([2, 0, 1, -1], a34),
      ]),
  },
  {
    name: "by component, with scalars, in place",
    from: "glsl",
    source: shader(`mat3 a = ${written("mat3", a33)}; const mat3 b = ${written("mat3", b33)};
      mat3 s = a + b; s -= 2.0 * b; s *= 2.0; ${show("s", 3, 3)} mat3 d = -a / 0.5 + 1.0; ${show("d", 3, 3)}
      s = a; s *= b; mat3 before = s++; y[n++] = before[1][2]; ${show("s", 3, 3)} s = matrixCompMult(a, b); ${show("s", 3, 3)}
      vec3 v = vec3(1.0, 2.0, 3.0); v *= a; y[n++] = v.x; y[n++] = v.z; y[n++] = a == b ? 1.0 : 2.0; y[n++] = a != a ? 1.0 : 3.0;`),
    expected: (y) =>
      put(y, [
        ...each(a33, (x, c, r) => 2 * (x - b33[c]![r]!)).flat(),
        ...each(a33, (x) => -2 * x + 1).flat(),
        product(a33, b33)[1]![2]!,
        ...each(product(a33, b33), (x) => x + 1).flat(),
        ...each(a33, (x, c, r) => x * b33[c]![r]!).flat(),
        dot([1, 2, 3], a33[0]!),
        dot([1, 2, 3], a33[2]!),
        2,
        3,
      ]),
  },
  {
    name: "functions of matrices, of all sizes and made of others",
    from: "glsl",
    source: shader(`mat3x4 a = ${written("mat3x4", a34)}; mat4x3 t = transpose(a); ${show("t", 4, 3)}
      mat2x3 o = outerProduct(vec3(1.0, 2.0, 3.0), vec2(5.0, -7.0)); ${show("o", 2, 3)}
      mat2 q = inverse(mat2(2.0, 1.0, 6.0, 4.0)); ${show("q", 2, 2)}
      y[n++] = determinant(mat3(2.0, 0.0, 1.0, 3.0, 1.0, 0.0, 0.0, 5.0, 4.0)); y[n++] = determinant(mat4(t));
      mat2 cut = mat2(a); mat3 grown = mat3(cut); ${show("grown", 3, 3)} mat2 one = mat2(3.0); ${show("one", 2, 2)}`),
    // 2 (4 - 0) - 3 (0 - 5) + 0; of t, whose rest is the identity: rows 1..3 of column c are 10 c' + c + 1.
    expected: (y) =>
      put(y, [
        ...transposed(a34).flat(),
        ...[1, 2, 3].map((x) => 5 * x),
        ...[1, 2, 3].map((x) => -7 * x),
        ...[2, -0.5, -3, 1],
        23,
        0,
        ...[1, 2, 0, 11, 12, 0, 0, 0, 1],
        ...[3, 0, 0, 3],
      ]),
  },
  {
    name: "constants of the file that are computed",
    from: "glsl",
    source: shader(
      `${show("twice[0]", 2, 2)} ${show("turned", 2, 3)} y[n++] = corner; y[n++] = list[1]; vec2 v = t * vec2(1.0); y[n++] = v.x;`,
      `const mat2 t = mat2(1.0, 2.0, 3.0, 4.0); const mat2 twice[2] = mat2[2](t + t, -t);
const mat2x3 turned = mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0) * 2.0; const float corner = twice[1][0][1] * 3.0;
const float list[2] = float[2](1.0, (t * vec2(1.0, 10.0)).y);`,
    ),
    expected: (y) => put(y, [2, 4, 6, 8, 2, 4, 6, 8, 10, 12, -6, 42, 4]),
  },
  {
    name: "elements and columns as places",
    from: "msl",
    source: kernel(
      `float4x3 m = ${written("float4x3", b43)}; m[1].zx = float2(50, 60); m[i + 2][2 - i] *= 3; m[3] += m[0];
      m[n++ + 0].y++; n = 0; thread float4x3 &r = m; r[0] = r[0].zyx; set(r, 2); ${show("m", 4, 3)}
      float3x4 t = transpose(m); y[n++] = t[1].w; y[n++] = (m * float4(1, 0, 0, 1)).y;`,
      "static void set(thread float4x3 &m, int c) { m[c][0] = 77; }\n",
    ),
    expected: (y) => {
      const m = b43.map((column) => [...column]);
      [m[1]![2], m[1]![0]] = [50, 60];
      m[2]![2]! *= 3;
      m[3] = m[3]!.map((x, r) => x + m[0]![r]!);
      m[0]![1]!++;
      m[0] = m[0]!.toReversed();
      m[2]![0] = 77;
      put(y, [...m.flat(), m[3]![1]!, m[0]![1]! + m[3]![1]!]);
    },
  },
  {
    name: "pointers and references to columns",
    from: "msl",
    source: kernel(
      `float4x3 m = ${written("float4x3", b43)}; thread float3 *p = &m[i]; p[1].x = 50; p++; p->z += 7; p += 1;
      thread float3 &r = m[3]; r.y *= 3; swap(&m[0], p); add(m[i + 1], 2); ${show("m", 4, 3)} y[n++] = third(&m[1], i + 2);
      thread half2x2 &h = *&own.h; add(&h[1]); y[n++] = own.h[1].y;`,
      `struct S { float s; half2x2 h; };
      static void swap(thread float3 *a, thread float3 *b) { float3 t = *a; *a = *b; *b = t; }
      static void add(thread float3 &c, float by) { c += by; }
      static void add(thread half2 *c) { c->y += 4; }
      static float third(const thread float3 *c, int k) { return c[k].z; }\n`,
    ).replace("float4x3 m =", "S own; own.h = half2x2(half2(1, 2), half2(3, 4)); float4x3 m ="),
    expected: (y) => {
      const m = b43.map((column) => [...column]);
      m[1]![0] = 50;
      m[1]![2]! += 7;
      m[3]![1]! *= 3;
      [m[0], m[2]] = [m[2]!, m[0]!];
      m[1] = m[1]!.map((c) => c + 2);
      put(y, [...m.flat(), m[3]![2]!, 8]);
    },
  },
  {
    name: "halves, templates and references",
    from: "msl",
    source: kernel(
      `half4x4 h; fill(h, 2); float4x4 f; fill(f, 1); float4x4 sum = float4x4(h) + f; half4x4 back = half4x4(sum * 0.5f);
      ${show("h", 4, 4)} ${show("sum", 4, 4)} half4 v = back * half4(1, 0, 0, 1); for (int c = 0; c < 4; c++) y[n++] = v[c];
      half2x2 p(half2(1, 2), half2(3, 4)); half2x2 q = p * p; ${show("q", 2, 2)}`,
      `template <typename M> void fill(thread M &m, short by) { for (int e = 0; e < 16; e++) m[e / 4][e % 4] = e * by + e / 4; }\n`,
    ),
    expected: (y) => {
      const filled = (by: number): Columns => range(4).map((c) => range(4).map((r) => (4 * c + r) * by + c));
      const sum = each(filled(2), (x, c, r) => x + filled(1)[c]![r]!);
      const p = [
        [1, 2],
        [3, 4],
      ];
      put(y, [...filled(2).flat(), ...sum.flat(), ...timesVector(sum, [0.5, 0, 0, 0.5]), ...product(p, p).flat()]);
    },
  },
  {
    name: "constants of the file, worked out",
    from: "msl",
    source: kernel(
      `${show("t", 2, 2)} ${show("list[i + 1]", 2, 3)}`,
      `constant float2x2 t = float2x2(1, 2, 3, 4); constant float2x3 list[2] = {float2x3(1), float2x3(float3(1, 2, 3), float3(4, 5, 6))};\n`,
    ),
    expected: (y) => put(y, [1, 2, 3, 4, 1, 2, 3, 4, 5, 6]),
  },
  {
    name: "members at their bytes in MSL",
    from: "msl",
    source: `${metal}struct S { float a; float3x3 m; half2x3 h; float b; float2x2 l[2]; };
kernel void k(device S *y [[buffer(0)]]) {
  S s = y[0]; s.a = 1; s.m = ${written("float3x3", a33)}; s.h = half2x3(half3(1, 2, 3), half3(4, 5, 6)); s.b = 9; y[0] = s;
  y[0].m[2].y = 40; y[0].l[1] = float2x2(1, 2, 3, 4) * y[0].b; device float2x2 *p = &y[0].l[0]; p[0][1] = p[1][0];
}`,
    // m at 16 in columns of 16, h at 64 in columns of 8, b at 80, l at 88.
    expected: (y) => {
      y.setFloat32(0, 1, true);
      a33.forEach((column, c) => column.forEach((x, r) => y.setFloat32(16 + 16 * c + 4 * r, x, true)));
      y.setFloat32(16 + 32 + 4, 40, true);
      // 1 to 6 as halves: two bits of exponent and the next ones down.
      [0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600].forEach((bits, e) =>
        y.setUint16(64 + 8 * Math.floor(e / 3) + 2 * (e % 3), bits, true),
      );
      y.setFloat32(80, 9, true);
      [0, 0, 9, 18, 9, 18, 27, 36].forEach((x, e) => y.setFloat32(88 + 4 * e, x, true));
    },
  },
  {
    name: "members at their bytes in std430 and std140, by columns and rows",
    from: "glsl",
    source: `#version 450
layout(local_size_x = 1) in;
struct In { float a; mat2 m; };
layout(std430, binding = 0) buffer Y { float a; mat2 m; layout(row_major) mat2x3 r; mat3 q; In s[2]; } y;
layout(std140, binding = 1) buffer Z { mat3 m; layout(row_major) mat3x2 r; float b; mat4 last[]; } z;
void main() {
  y.a = 1.0; y.m = mat2(1.0, 2.0, 3.0, 4.0); y.r = mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0); y.q = ${written("mat3", a33)};
  y.r[1].y = 50.0; y.s[1].m[1] = y.m * vec2(1.0, 2.0); y.s[1].a = y.r[0][2];
  z.m = transpose(y.q); z.r = transpose(y.r) * 2.0; z.b = z.r[1].x; z.last[1] = mat4(y.m); z.last[1][0][1] = 70.0;
  y.s[0].a = z.r[1][1] + z.b + z.m[0][1]; y.s[0].m = mat2(z.last[1]);
}`,
    // m at 8 in columns of 8; r in three rows of 8 at 24; q at 48; s at 96, 24 bytes each, m at 8 in it.
    expected: (y) => {
      y.setFloat32(0, 1, true);
      [1, 2, 3, 4].forEach((x, e) => y.setFloat32(8 + 4 * e, x, true));
      [1, 4, 2, 50, 3, 6].forEach((x, e) => y.setFloat32(24 + 4 * e, x, true));
      a33.forEach((column, c) => column.forEach((x, r) => y.setFloat32(48 + 16 * c + 4 * r, x, true)));
      // Twice element 1 of column 1 of y.r, twice row 0 of column 1 of the transposed y.r (2), and row 0 of column 1 of q.
      y.setFloat32(96, 100 + 4 + 11, true);
      [1, 70, 3, 4].forEach((x, e) => y.setFloat32(96 + 8 + 4 * e, x, true));
      y.setFloat32(120, 3, true);
      [7, 10].forEach((x, e) => y.setFloat32(120 + 8 + 8 + 4 * e, x, true));
    },
    bytes: [144, 96 + 2 * 64],
  },
  {
    name: "integers and bools of HLSL",
    from: "hlsl",
    source: `RWStructuredBuffer<float> y : register(u0);
static const int2x3 K = {1, 2, 3, 4, 5, 6};
int2x3 twice(int2x3 m) { return m * 2; }
[numthreads(1, 1, 1)] void k(uint i : SV_DispatchThreadID) {
  int2x3 a = K; a[1].y = 50; a._m02 = -7; int3x2 t = transpose(twice(a)); bool2x3 big = a > 3; uint2x2 u = (uint2x2)a; u <<= 2; u %= 7;
  int n = 0; for (int r = 0; r < 2; r++) for (int c = 0; c < 3; c++) { y[n++] = a[r][c]; y[n++] = t[c][r]; y[n++] = big[r][c] ? 1 : 0; }
  for (int q = 0; q < 2; q++) for (int c = 0; c < 2; c++) y[n++] = u[q][c];
  float2x3 f = a; float2 v = mul(f, float3(1, 2, 3)); float3 w = mul(float2(1, 2), f); y[n++] = v.x; y[n++] = v.y; y[n++] = w.z; y[n++] = (~a)[0][1];
}`,
    expected: (y) => {
      const a = [
        [1, 2, -7],
        [4, 50, 6],
      ];
      put(y, [
        ...a.flat().flatMap((x) => [x, 2 * x, x > 3 ? 1 : 0]),
        ...[4, 8, 16, 200].map((x) => x % 7),
        1 + 4 - 21,
        4 + 100 + 18,
        -7 + 12,
        -3,
      ]);
    },
  },
  {
    name: "functions of each component in HLSL",
    from: "hlsl",
    source: `RWStructuredBuffer<float> y : register(u0);
static int calls = 0;
float bump() { calls++; return 3; }
[numthreads(1, 1, 1)] void k(uint i : SV_DispatchThreadID) {
  float2x3 m = {1, 2, 3, 4, 5, -6};
  float2x3 n = max(abs(m), m * 2); uint2x3 u = asuint(m); float2x3 f = asfloat(u + 0x00800000u); int2x3 s = sign(m);
  float2x3 l = clamp(m, 0, n * 0.5); float2x3 q = lerp(m, n, 0.5f); float2x3 t = step(m, bump()); float2x3 d = min(max(min(m * 2, 4), -floor(n)), n + m);
  int k = 0; for (int r = 0; r < 2; r++) for (int c = 0; c < 3; c++) {
    y[k++] = n[r][c]; y[k++] = f[r][c]; y[k++] = s[r][c]; y[k++] = l[r][c]; y[k++] = q[r][c]; y[k++] = t[r][c]; y[k++] = d[r][c];
  }
  y[k] = calls;
}`,
    expected: (y) => {
      const m = [1, 2, 3, 4, 5, -6];
      const rows = m.map((x) => {
        const n = Math.max(Math.abs(x), 2 * x);
        const d = Math.min(Math.max(Math.min(2 * x, 4), -n), n + x);
        return [n, 2 * x, Math.sign(x), Math.min(Math.max(x, 0), n / 2), (x + n) / 2, 3 >= x ? 1 : 0, d];
      });
      put(y, [...rows.flat(), 1]);
    },
  },
  {
    name: "rows of HLSL, stored as it says",
    from: "hlsl",
    source: `struct S { float2x3 m; row_major float2x3 r; };
RWStructuredBuffer<S> y : register(u0);
groupshared float3x2 shared_m[2];
[numthreads(1, 1, 1)] void k(uint i : SV_DispatchThreadID) {
  float2x3 m = {1, 2, 3, 4, 5, 6};
  y[0].m = m; y[0].r = m; shared_m[i + 1] = transpose(m); GroupMemoryBarrierWithGroupSync();
  y[1].m[1] = shared_m[1][0].xyy; y[1].r = m * m; y[1].m._m00_m02 = float2(8, 9); y[1].r[0].yz = mul(shared_m[1], float2(1, 10)).zx;
}`,
    // Structured buffers: m by columns of two, r by rows of three, nothing between.
    expected: (y) => put(y, [1, 4, 2, 5, 3, 6, 1, 2, 3, 4, 5, 6, ...[8, 1, 0, 4, 9, 4], ...[1, 63, 41, 16, 25, 36]]),
    bytes: [96],
  },
];

const sizeOf = (c: Case, buffer = 0): number => c.bytes?.[buffer] ?? 256;
const bytes = (c: Case): Uint8Array => {
  const y = new DataView(new ArrayBuffer(sizeOf(c)));
  c.expected(y);
  return new Uint8Array(y.buffer);
};

/** The buffers, by the names a text has for them. */
async function argumentsOf(c: Case, text: string, from: SourceDialect): Promise<Record<string, Uint8Array>> {
  const { entries } = await reflect(text, { from });
  const buffers = entries[0]!.arguments.filter((a) => a.kind === "buffer");
  return Object.fromEntries(buffers.map((a, i) => [a.path, new Uint8Array(sizeOf(c, i))]));
}

async function run(c: Case, text: string, from: SourceDialect, subgroupSize: number): Promise<Uint8Array> {
  const args = await argumentsOf(c, text, from);
  const common = { from, workgroups: [1], workgroupSize: [1], subgroupSize };
  const done = await simulate(text, { ...common, args });
  expect(done.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(done.findings).toEqual([]);
  return done.buffers[Object.keys(args)[0]!] as Uint8Array;
}

const made = (c: Case, to: SourceDialect): ReturnType<typeof translate> =>
  translate(c.source, { from: c.from, to, workgroupSize: [1, 1, 1] });

describe("matrices", () => {
  for (const c of cases) {
    test(`${c.name} (${c.from})`, async () => {
      const wanted = bytes(c);
      for (const width of [4, 32]) expect(await run(c, c.source, c.from, width), c.source).toEqual(wanted);
      for (const to of all) {
        const { code, diagnostics } = await made(c, to);
        expect(
          diagnostics.filter((d) => d.severity === "error"),
          c.source,
        ).toEqual([]);
        for (const width of [4, 32]) expect(await run(c, code!, to, width), `${c.source}\n${code!}`).toEqual(wanted);
      }
    });
  }

  for (const dialect of all) {
    judgeTest(judges[dialect], `the ${dialect} compiler takes them all`, async () => {
      const texts: Judgeable[] = [];
      for (const c of cases) {
        if (dialect === c.from) texts.push(judgeable(dialect, c.name, c.source));
        else texts.push(judgeable(dialect, `${c.name} to ${dialect}`, (await made(c, dialect)).code!));
      }
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
  }
});

for (const [device, dialect] of [
  ["opencl", "opencl"],
  ["vulkan", "glsl"],
] as const) {
  await deviceTest(device, `matrices in ${dialect}, on a driver`, async () => {
    for (const c of cases) {
      const code = c.from === dialect ? c.source : (await made(c, dialect)).code!;
      if (device === "opencl" && /\bhalf\b|cl_khr_fp16/.test(code)) continue;
      const args = await argumentsOf(c, code, dialect);
      const grid = { workgroups: [1], workgroupSize: [1, 1, 1] as const };
      const done = await runHere(code, { from: dialect, ...grid, args, device });
      expect(done.diagnostics, `${c.name}\n${code}`).toEqual([]);
      expect(done.buffers![Object.keys(args)[0]!], `${c.name}\n${code}`).toEqual(bytes(c));
    }
  });
}

describe("matrices by value", () => {
  const source = `${metal}struct S { float s; float3x3 m[2]; half2x4 h; };
kernel void k(device float *y [[buffer(0)]], constant S &p [[buffer(1)]], constant float2x3 &q [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  float3 v = p.m[i & 1] * float3(1, 2, 3) + q[1] * p.s; y[3 * i] = v.x; y[3 * i + 1] = v.y; y[3 * i + 2] = v.z + float(p.h[1].y); }`;

  test("are one argument each, given by columns", async () => {
    const { entries } = await reflect(source, { from: "msl" });
    const paths = ["y", "p.s", "p.m", "p.h", "q"];
    expect(entries[0]!.arguments.map((a) => a.path)).toEqual(paths);
    const m = [...a33.flat(), ...b33.flat()];
    const args = { y: new Float32Array(6), "p.s": 2, "p.m": m, "p.h": range(8), q: [1, 2, 3, 4, 5, 6] };
    const { buffers } = await simulate(source, { from: "msl", workgroups: [1], workgroupSize: [2], args });
    const shown = (x: Columns): number[] =>
      timesVector(x, [1, 2, 3]).map((v, r) => v + 2 * (4 + r) + (r === 2 ? 5 : 0));
    expect([...(buffers["y"] as Float32Array)]).toEqual([...shown(a33), ...shown(b33)]);
  });

  test.each(["glsl", "hlsl", "opencl"] as const)("and lie where the runner of %s puts them", async (to) => {
    const { result } = await verify(source, { from: "msl", to, workgroupSize: [2, 1, 1] });
    expect(result).toBe("equivalent");
  });
});
