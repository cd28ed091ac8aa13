/**
 * GLSL's blocks in every layout, in arrays, workgroup memory that begins as zeros, and functions and words of extensions: results by
 * hand (offsets by GLSL 4.60 7.6.2.2) at several widths, through every dialect and its compiler.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, verify, type Target } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const lanes = [0, 1, 2, 3, 4, 5, 6, 7];
const head = "#version 450\nlayout(local_size_x = 8) in;\n";
const out = "layout(std430, binding = 7) buffer Out { float o[]; };\n";

interface Shape {
  readonly name: string;
  readonly text: string;
  /** It is taken by glslang 16, and not by 12. */
  readonly newer?: true;
  readonly args: Readonly<Record<string, Float32Array | Int32Array | Uint8Array | readonly number[] | number>>;
  /** What is left in each buffer, word by word. */
  readonly after: Readonly<Record<string, readonly number[]>>;
}

/** So many words, counted from 0, with some of them set. */
const words = (count: number, set: Readonly<Record<number, number>> = {}): number[] =>
  Array.from({ length: count }, (_, i) => set[i] ?? i);
/** The float of these bits. */
const floatOf = (bits: number): number => new Float32Array(Uint32Array.of(bits).buffer)[0]!;
const bytesOf = (values: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

const shapes: readonly Shape[] = [
  {
    // D3D11 functional specification 5.3.8: an element of a structured buffer has at most 2048 bytes. w from word 4, z from 1204.
    name: "a block larger than an element of HLSL's structured buffers",
    text: `${head}struct S { vec2 v; };
layout(std140, binding = 0) buffer B { float n; S w[300]; float z[2]; } b;
${out}void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = b.n + b.w[299 - i].v.y + b.z[0];
  if (i == 0u) { b.w[1].v = vec2(1.5, 2.5); b.z[1] = 3.5; }
}
`,
    args: { b: bytesOf(words(1212)), o: bytesOf(words(8)) },
    after: {
      b: words(1212, { 8: 1.5, 9: 2.5, 1208: 3.5 }),
      o: lanes.map((i) => 0 + (4 + 4 * (299 - i) + 1) + 1204),
    },
  },
  {
    // S: a at 0, v at 4 (words), w at 8 and 12, m at 16, 20 and 24, 28 words; B: n, x at 4 and 8, q at 12, t from 20.
    name: "std140: arrays, structs and matrices",
    text: `${head}struct S { float a; vec3 v; float w[2]; mat3 m; };
layout(std140, binding = 0) buffer B { float n; float x[2]; mat2 q; S t[]; } b;
layout(std140, binding = 1) readonly buffer C { float c[]; };
${out}void bump(inout S s) { s.w[1] += 1000.0; s.m[2].z = -1.0; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = b.n + b.x[1] + b.q[1].y + b.t[1].v.z + b.t[1].m[2][1] + c[i] + float(b.t.length()) + float(c.length());
  if (i == 0u) { b.x[0] = 7.5; b.t[0].w = float[2](8.5, 9.5); bump(b.t[1]); b.q[0] = vec2(3.5, 4.5); }
}
`,
    args: { b: bytesOf(words(20 + 56)), c: bytesOf(words(32)), o: bytesOf(words(8)) },
    after: {
      b: words(76, {
        4: 7.5,
        12: 3.5,
        13: 4.5,
        28: 8.5,
        32: 9.5,
        [20 + 28 + 12]: 20 + 28 + 12 + 1000,
        [20 + 28 + 26]: -1,
      }),
      // 0 + word 8 + word 17 + word 48 + 6 + word 48 + 24 + 1, and c[i] is word 4 i.
      o: lanes.map((i) => 0 + 8 + 17 + 54 + 73 + 4 * i + 2 + 8),
    },
  },
  {
    // scalar: v at word 1, S of 3 + 3 + 2 words, the first from word 4; U of x at 0, y at 1.
    name: "scalar: vectors of three components where they come",
    text: `#version 450
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 8) in;
struct S { vec3 a; float b[3]; vec2 c; };
layout(scalar, binding = 0) buffer B { float n; vec3 v; S s[]; } b;
layout(scalar, push_constant) uniform P { float x; vec3 y; } p;
${out}void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = b.n + b.v.z + b.s[1].a.y + b.s[1].b[2] + b.s[1].c.y + p.x + p.y.z;
  if (i == 3u) { b.s[0].a = vec3(1.5, 2.5, 3.5); b.s[0].c.x = 4.5; }
}
`,
    args: { b: bytesOf(words(20)), "p.x": 100, "p.y": [200, 300, 400], o: bytesOf(words(8)) },
    after: {
      b: words(20, { 4: 1.5, 5: 2.5, 6: 3.5, 10: 4.5 }),
      o: lanes.map(() => 0 + 3 + 13 + 17 + 19 + 100 + 400),
    },
  },
  {
    name: "arrays of uniform blocks",
    text: `${head}layout(std140, binding = 0) uniform U { vec4 k; uint n; layout(row_major) mat2x3 m; float f[2]; } u[2];
${out}void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = u[0].k.x + u[i & 1u].k.y + float(u[1].n) + u[1].m[1][2] + u[i & 1u].f[1] + float(u.length());
}
`,
    args: {
      "u[0].k": [1, 2, 3, 4],
      "u[0].n": 5,
      "u[0].m": [1, 2, 3, 4, 5, 6],
      "u[0].f": [7, 8],
      "u[1].k": [10, 20, 30, 40],
      "u[1].n": 50,
      "u[1].m": [10, 20, 30, 40, 50, 60],
      "u[1].f": [70, 80],
      o: bytesOf(words(8)),
    },
    // Components of matrices are given as they are stored, row by row here: m[1][2] is the last.
    after: { o: lanes.map((i) => 1 + (i & 1 ? 20 : 2) + 50 + 60 + (i & 1 ? 80 : 8) + 2) },
  },
  {
    name: "workgroup memory that begins as zeros",
    text: `#version 450
#extension GL_EXT_null_initializer : require
layout(local_size_x = 8) in;
struct S { vec2 a; int b[2]; };
shared float s[20] = {};
shared uint n = {};
shared S t = {};
${out}void main() {
  uint l = gl_LocalInvocationIndex;
  atomicAdd(n, l);
  s[l] += float(l);
  barrier();
  o[gl_GlobalInvocationID.x] = s[7u - l] + s[19] + float(n) + t.a.y + float(t.b[1]);
}
`,
    args: { o: bytesOf(words(8)) },
    after: { o: lanes.map((i) => 7 - i + 28) },
  },
  {
    name: "a block of workgroup memory",
    text: `#version 450
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 8) in;
shared Block { float x[8]; uint n; } blk;
${out}void main() {
  uint l = gl_LocalInvocationIndex;
  blk.x[l] = float(l);
  if (l == 0u) blk.n = 3u;
  barrier();
  o[gl_GlobalInvocationID.x] = blk.x[7u - l] + float(blk.n) + float(blk.x.length());
}
`,
    args: { o: bytesOf(words(8)) },
    after: { o: lanes.map((i) => 7 - i + 3 + 8) },
  },
  {
    name: "a block of workgroup memory without a name for it, of structs, atomics and matrices by rows",
    text: `#version 450
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 8) in;
struct P { vec3 a; uint k[2]; };
shared Tile {
  float sums[8];
  P p;
  layout(row_major) mat2x3 m;
  bool whole;
};
${out}float total(uint from) { float s = 0.0; for (uint i = from; i < 8u; i++) s += sums[i]; return s; }
void bump(inout float x) { x += 1.0; }
void main() {
  uint l = gl_LocalInvocationIndex;
  sums[l] = float(l);
  bump(sums[l]);
  if (l == 0u) { p.k[1] = 0u; m[1] = vec3(1.0, 2.0, 3.0); whole = true; }
  barrier();
  atomicAdd(p.k[1], l);
  barrier();
  o[gl_GlobalInvocationID.x] = total(l) + 100.0 * float(p.k[1]) + m[1].z + (whole ? 0.5 : 0.0);
}
`,
    args: { o: bytesOf(words(8)) },
    // From i + 1 to 8; 28 is 1 to 7.
    after: { o: lanes.map((i) => 36 - (i * (i + 1)) / 2 + 2800 + 3 + 0.5) },
  },
  {
    // a.x: bytes 0 to 64; b.y: 0 to 48, the rows of m at 48, 56 and 64, n at 72; cs at 0 and 32, z at 64, w at 68. Newer lavapipe agrees.
    name: "several blocks of workgroup memory, which are one",
    text: `#version 450
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 8) in;
struct S { float f; vec3 v; };
shared A { float x[16]; } a;
layout(std430, binding = 7) buffer Out { uint o[]; };
void put(uint i) { a.x[i] = float(i); a.x[i + 8u] = 100.0; }
void bump(inout uint k) { k += 1u; }
shared B { uint y[12]; layout(row_major) mat2x3 m; uint n; } b;
shared C { S cs[2]; layout(offset = 64) bool z; bool w; };
shared D { uint unused[2]; } d;
void main() {
  uint i = gl_LocalInvocationIndex;
  put(i);
  barrier();
  o[i] = b.y[i];
  barrier();
  if (i == 0u) {
    z = true; w = false; cs[1].v = vec3(1.0, 2.0, 3.0);
    b.y[3] = 77u; b.y[0] = 0u; bump(b.y[1]); b.m[0].z = 2.5; b.n = 5u;
  }
  barrier();
  atomicAdd(b.y[0], i);
  barrier();
  o[8u + i] = b.y[i];
  o[16u + i] = floatBitsToUint(a.x[8u + i]);
  o[24u + i] = uint(z) + 10u * uint(w) + 100u * b.n + floatBitsToUint(b.m[1].z);
}
`,
    args: { o: bytesOf(words(32)) },
    after: {
      // As floats: what was 28 and 77 as integers, their bits.
      o: [
        ...lanes,
        ...lanes.map((i) => (i === 0 ? floatOf(28) : i === 1 ? floatOf(0x3f800001) : i === 3 ? floatOf(77) : i)),
        ...lanes.map((i) => (i >= 4 && i < 7 ? i - 3 : 100)),
        ...lanes.map(() => floatOf(1 + 500)),
      ],
    },
  },
  {
    // t at 0: f at 0, v at 8, l at 16; ts at 32 and 64, q at 96.
    name: "bools of blocks that are one are words",
    text: `#version 450
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 8) in;
struct T { bool f; bvec2 v; bool l[3]; };
shared A { float x[32]; } a;
${out}shared C { T t; T ts[2]; bvec3 q; };
void main() {
  uint i = gl_LocalInvocationIndex;
  for (uint k = i; k < 32u; k += 8u) a.x[k] = 0.0;
  barrier();
  if (i == 0u) {
    t.f = true; t.v = bvec2(false, true); t.l[2] = true; ts[1].l[1] = true; q = bvec3(true, false, true);
    T u = t; ts[0] = u; ts[0].v.x = true;
  }
  barrier();
  for (uint k = i; k < 32u; k += 8u) o[k] = floatBitsToUint(a.x[k]) == 1u ? 1.0 : a.x[k];
}
`,
    args: { o: bytesOf(words(32)) },
    after: { o: words(32).map((k) => ([0, 3, 6, 8, 10, 11, 14, 21, 24, 26].includes(k) ? 1 : 0)) },
  },
  {
    name: "the least, the middle and the greatest of three",
    text: `#version 450
#extension GL_AMD_shader_trinary_minmax : require
layout(local_size_x = 8) in;
${out}void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = float(i);
  ivec2 v = mid3(ivec2(int(i), 5), ivec2(3, -2), ivec2(5, 9));
  o[i] = min3(x, 4.0, 2.0) + 10.0 * mid3(x, 2.0, 5.0) + 100.0 * max3(x, 3.0, 1.0) + 1000.0 * float(v.x) + 10000.0 * float(v.y) + 0.5 * float(max3(i, 2u, 6u) - min3(i, 4u, 5u));
}
`,
    args: { o: bytesOf(words(8)) },
    after: {
      o: lanes.map(
        (i) =>
          Math.min(i, 2) +
          10 * Math.min(Math.max(i, 2), 5) +
          100 * Math.max(i, 3) +
          1000 * Math.min(Math.max(i, 3), 5) +
          50000 +
          0.5 * (Math.max(i, 6) - Math.min(i, 4)),
      ),
    },
  },
  {
    name: "integer functions of an extension, votes of GLSL 4.60, exponents of 16 bits",
    text: `#version 460
#extension GL_INTEL_shader_integer_functions2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
${out}void main() {
  uint i = gl_GlobalInvocationID.x;
  int n = int(i) - 4;
  i16vec2 e;
  f16vec2 f = frexp(f16vec2(8.0, 3.0), e);
  o[i] = float(absoluteDifference(n, 2)) + 10.0 * float(subtractSaturate(i, 3u)) + 100.0 * float(average(n, 1)) + 1000.0 * float(averageRounded(i, 2u))
    + float(addSaturate(0xfffffff0u, i + 12u) == 0xffffffffu ? 10000 : 0) + 0.5 * float(countLeadingZeros(i) - countTrailingZeros(i | 8u))
    + 0.25 * float(multiply32x16(3, 65535 + n)) + (anyInvocation(true) && allInvocations(true) && allInvocationsEqual(1 > 0) ? 100000.0 : 0.0)
    + 200000.0 * float(e.x + e.y) + float(f.y);
}
`,
    args: { o: bytesOf(words(8)) },
    after: {
      o: lanes.map((i) => {
        const n = i - 4;
        return (
          Math.abs(n - 2) +
          10 * Math.max(i - 3, 0) +
          100 * Math.floor((n + 1) / 2) +
          1000 * Math.ceil((i + 2) / 2) +
          (i >= 3 ? 10000 : 0) +
          0.5 * (Math.clz32(i) - [3, 0, 1, 0, 2, 0, 1, 0][i]!) +
          // The low 16 bits of 65535 + n are those of n - 1, with its sign.
          0.25 * 3 * (n - 1) +
          100000 +
          200000 * (4 + 2) +
          0.75
        );
      }),
    },
  },
  {
    name: "indices that lanes do not share, and attributes of reconvergence",
    text: `#version 450
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_subgroup_uniform_control_flow : require
layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer A { float x[]; } a[3];
${out}void main() [[subgroup_uniform_control_flow]] {
  uint i = gl_GlobalInvocationID.x;
  o[i] = a[nonuniformEXT(i % 3u)].x[i];
}
`,
    args: {
      "a[0]": bytesOf(words(8)),
      "a[1]": bytesOf(words(8).map((x) => x + 100)),
      "a[2]": bytesOf(words(8).map((x) => x + 200)),
      o: bytesOf(words(8)),
    },
    after: { o: lanes.map((i) => i + 100 * (i % 3)) },
  },
  {
    name: "arrays in what a function gives, copied and handed over",
    text: `${head}struct S { float k; float list[4]; };
shared float both[4];
${out}S made(float k) { return S(k, float[4](k, k + 1.0, k + 2.0, k + 3.0)); }
float sum(float list[4]) { return list[0] + list[1] + list[2] + list[3]; }
void main() {
  uint i = gl_LocalInvocationID.x;
  float own[4];
  own = made(float(i)).list;
  if (i == 0u) both = made(20.0).list;
  barrier();
  float more[4] = made(5.0).list;
  o[i] = own[i & 3u] + 100.0 * both[(i + 1u) & 3u] + 10000.0 * (more[2] + made(1.0).list[i & 1u]) + 1000000.0 * sum(made(0.0).list);
}
`,
    args: { o: bytesOf(words(8)) },
    after: { o: lanes.map((i) => i + (i & 3) + 100 * (20 + ((i + 1) & 3)) + 10000 * (7 + 1 + (i & 1)) + 1000000 * 6) },
  },
  {
    // One buffer for each binding. b: 16 words; h: n at 0, s from 1, q[1] at 2 and 3.
    name: "several blocks of one binding",
    text: `${head}layout(std430, binding = 0) buffer B { float f[]; };
layout(std430, binding = 0) buffer B4 { vec4 v[]; };
layout(std430, binding = 1) readonly buffer H { float n; float s[7]; } h;
layout(std430, binding = 1) readonly buffer Q { vec2 q[2]; } g;
${out}void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = v[i & 1u].z + f[i] + h.s[2] + g.q[1].y + float(v.length());
  if (i == 0u) { v[3].y = 9.5; f[8] = 7.5; v[2].zw = vec2(1.5, 2.5); v[3].w += f[8]; }
}
`,
    args: { f: bytesOf(words(16)), h: bytesOf(words(8)), o: bytesOf(words(8)) },
    after: {
      f: words(16, { 8: 7.5, 10: 1.5, 11: 2.5, 13: 9.5, 15: 22.5 }),
      o: lanes.map((i) => (i % 2 === 0 ? 2 : 6) + i + 3 + 3 + 4),
    },
  },
  {
    name: "what shared blocks are like that do not say otherwise",
    text: `#version 450
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 8) in;
layout(std430, row_major) shared;
struct S { float f; vec3 v; };
shared Block { mat2x3 m; S a[3]; };
${out}void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < 3u) a[i].v = vec3(i, i + 1u, i + 2u);
  if (i == 3u) m = mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
  barrier();
  o[i] = a[i % 3u].v.z + m[1][2] * 10.0 + m[0].y * 100.0;
}
`,
    args: { o: bytesOf(words(8)) },
    after: { o: lanes.map((i) => (i % 3) + 2 + 60 + 200) },
  },
  {
    // The member and a member of its struct have one name. a at 0, s at 1, w from 2.
    name: "a block of one struct beside another of its binding",
    text: `${head}struct S { float a; float s; vec2 w[2]; };
layout(std430, binding = 0) buffer B { float f[]; };
layout(std430, binding = 0) buffer T { S s; } t;
layout(std430, binding = 1) readonly buffer U { S s; } u;
${out}void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = t.s.s + t.s.w[1].y * 10.0 + f[7] * 100.0 + u.s.s * 1000.0;
  barrier();
  if (i == 0u) { S c = u.s; c.s = 8.5; t.s = c; t.s.w[0].x = 9.5; }
}
`,
    args: { f: bytesOf(words(8)), s: bytesOf(words(6)), o: bytesOf(words(8)) },
    after: {
      f: words(8, { 1: 8.5, 2: 9.5 }),
      o: lanes.map(() => 1 + 50 + 700 + 1000),
    },
  },
  {
    // Nothing is left of either struct: v[0] at 0, w.x at 0 and w.k at 2.
    name: "a block of structs beside one that holds such a struct",
    text: `${head}struct S { float a; float b; };
layout(std430, binding = 0) buffer V { S v[]; };
layout(std430, binding = 0) buffer W { S x; float k; } w;
${out}void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = v[0].b + w.x.b * 10.0 + w.k * 100.0 + v[1].a * 1000.0;
  if (i == 0u) { w.x.a = 8.5; v[1].b = v[0].a; }
}
`,
    args: { v: bytesOf(words(4)), o: bytesOf(words(8)) },
    after: { v: words(4, { 0: 8.5, 3: 8.5 }), o: lanes.map(() => 1 + 10 + 200 + 2000) },
  },
  {
    name: "a longer block behind one of its binding",
    text: `${head}layout(std430, binding = 0) buffer A { float n; float m[3]; } a;
layout(std430, binding = 0) buffer B { float y[16]; } b;
${out}void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = b.y[i + 8u] + a.m[i % 3u] * 100.0;
  barrier();
  if (i == 0u) { b.y[15] = a.n + 0.5; }
}
`,
    args: { a: bytesOf(words(16)), o: bytesOf(words(8)) },
    after: { a: words(16, { 15: 0.5 }), o: lanes.map((i) => i + 8 + ((i % 3) + 1) * 100) },
  },
  {
    name: "a block without an end behind one of its binding",
    text: `${head}layout(std430, binding = 0) buffer A { vec2 n; float m; } a;
layout(std430, binding = 0) buffer B { float y[]; };
${out}void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = y[i + 4u] + a.m * 100.0 + a.n.y * 1000.0;
}
`,
    args: { a: bytesOf(words(13)), o: bytesOf(words(8)) },
    after: { a: words(13), o: lanes.map((i) => i + 4 + 200 + 1000) },
  },
  {
    // GL_EXT_expect_assume: n is 1 behind the second assumption, and each side of the last two is evaluated.
    name: "what compilers may take for granted",
    newer: true,
    text: `#version 450
#extension GL_EXT_expect_assume : require
layout(local_size_x = 8) in;
${out}uint n = 0u; uint up() { return ++n; } float kind(int x) { return 1.0; } float kind(uint x) { return 2.0; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  assumeEXT(i < 8u); assumeEXT(up() < 100u);
  uvec2 v = expectEXT(uvec2(i, 3), uvec2(1)); bvec2 b = expectEXT(bvec2(i > 2u, true), bvec2(true));
  float r = expectEXT(i > 3u, true) ? 0.5 : 0.0;
  for (int j = 0; expectEXT(j < 2, true); j++) r += 0.25;
  o[i] = r + float(v.x + v.y) * 10.0 + float(b.x) * 100.0 + float(expectEXT(up(), up())) * 1000.0 + float(n) * 10000.0 + kind(expectEXT(3, 4u)) * 100000.0;
}
`,
    args: { o: bytesOf(words(8)) },
    after: { o: lanes.map((i) => (i > 3 ? 1 : 0.5) + (i + 3) * 10 + (i > 2 ? 100 : 0) + 2000 + 30000 + 200000) },
  },
];

const others: readonly Target[] = ["msl", "opencl", "hlsl", "ts"];
const valuesOf = (bytes: unknown): number[] => [...new Float32Array((bytes as Uint8Array).slice().buffer)];

describe.each(shapes)("$name", ({ text, args, after }) => {
  test.each([4, 32])("computes what it says at width %i", async (subgroupSize) => {
    const run = await simulate(text, { from: "glsl", workgroups: [1], subgroupSize, args });
    expect(run.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    for (const [name, values] of Object.entries(after)) expect(valuesOf(run.buffers[name]), name).toEqual(values);
  });

  test.each(others)("computes the same in %s", async (to) => {
    const { result, firstDifference } = await verify(text, { from: "glsl", to, subgroupSizes: [4, 32] });
    expect(result, JSON.stringify(firstDifference)).toMatch(/^equivalent/);
  });
});

for (const to of ["msl", "glsl", "opencl", "hlsl"] as const) {
  judgeTest(judges[to], `${to} takes all of them`, async () => {
    const texts = await Promise.all(
      shapes
        .filter((x) => !x.newer || to !== "glsl")
        .map(async ({ name, text }): Promise<Judgeable> => {
          const made = await translate(text, { from: "glsl", to });
          return judgeable(to, name, made.code!);
        }),
    );
    expect(refusals(await judgeOutputs(texts))).toBe("");
  });
}

test("GLSL that is written anew keeps the layout", async () => {
  const lane = "gl_SubgroupInvocationID";
  for (const { text, args, after } of shapes.slice(0, 2)) {
    const source = text
      .replace("\n", "\n#extension GL_KHR_shader_subgroup_basic : require\n")
      .replace("o[i] = ", `o[i] = 0.0 * float(${lane}) + `);
    const made = await translate(source, { from: "glsl", to: "glsl", emulateSubgroups: 8 });
    expect(made.code).toMatch(/layout\((std140|scalar), set = 0, binding = 0\) buffer B/);
    const run = await simulate(made.code!, { from: "glsl", workgroups: [1], subgroupSize: 1, args });
    for (const [name, values] of Object.entries(after)) expect(valuesOf(run.buffers[name]), name).toEqual(values);
    const judged = await judgeOutputs([judgeable("glsl", "anew", made.code!)]);
    expect(refusals(judged)).toBe("");
  }
});

test.each([
  ["shared A { float x; } a; layout(std140) shared B { float y[2]; } b;", "a.x + b.y[1]", "XL1900"],
  ["shared A { float x; layout(offset = 2) float y; } a;", "a.x", "XL2010"],
  ["shared A { float x; } a; shared B { float y; } b; shared float z;", "a.x + b.y + z", "XL2010"],
  ["shared A { float x; } a; shared float y;", "a.x + y", "XL2010"],
  ["shared A { float x; } a[2];", "a[1].x", "XL1900"],
  ["layout(binding = 3) shared A { float x; } a;", "a.x", "XL2010"],
  ["in A { float x; } a;", "a.x", "XL1900"],
])("%s is refused, once", async (block, value, code) => {
  const text = `#version 450
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 8) in;
${block}\n${out}void main() { o[gl_LocalInvocationIndex] = ${value}; }`;
  const { diagnostics } = await translate(text, { from: "glsl", to: "msl" });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toEqual([code]);
});
