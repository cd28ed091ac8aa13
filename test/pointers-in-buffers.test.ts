/**
 * Pointers that lie in memory the host fills: buffer references of GLSL, pointers in structs behind kernel arguments of MSL. Each case
 * is a kernel with its results worked out in plain JavaScript; it and its translations are run, and the real compilers take all texts.
 */
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate, verify, type TwoWayDialect } from "../src/index.js";
import { twoWayDialects } from "../src/dialects/ids.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const lanes = 8;
const ramp = (n: number, step: number, start: number): Float32Array =>
  Float32Array.from({ length: n }, (_, i) => start + step * i);

interface Case {
  readonly name: string;
  readonly from: "msl" | "glsl";
  readonly text: string;
  /** By the source's paths. */
  readonly args: Readonly<
    Record<string, Float32Array | Int32Array | Uint32Array | Uint8Array | number | readonly number[]>
  >;
  readonly wanted: Readonly<Record<string, readonly number[]>>;
}

const floatBits = (x: Float32Array): Uint32Array => new Uint32Array(x.buffer);

const msl = (text: string): string => `#include <metal_stdlib>\nusing namespace metal;\n${text}\n`;
const glsl = (text: string): string => `#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
layout(local_size_x = ${lanes}) in;
${text}
`;
const each = (f: (i: number) => number): number[] => Array.from({ length: lanes }, (_, i) => f(i));

/** A struct of 8 bytes of address, n, s: what a launch gives for a buffer of it. */
const withAddress = (n: number, s: number): Uint8Array => {
  const bytes = new Uint8Array(16);
  const data = new DataView(bytes.buffer);
  data.setUint32(8, n, true);
  data.setFloat32(12, s, true);
  return bytes;
};

/** A float and a reference behind it (MSL 2.3: at a multiple of its 8 bytes). */
const listNode = (v: number): Uint8Array => {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setFloat32(0, v, true);
  return bytes;
};

/** Two references around a float. */
const nodeOf = (v: number): Uint8Array => {
  const bytes = new Uint8Array(24);
  new DataView(bytes.buffer).setFloat32(8, v, true);
  return bytes;
};

const cases: readonly Case[] = [
  {
    name: "pointers in an argument by reference, one in a struct in it",
    from: "msl",
    text: msl(`struct Inner { device const float *w; uint n; };
struct Args { device float *x; device const float *y; Inner in; float a; };
float chosen(Inner in, uint i) { return in.w[i % in.n]; }
kernel void k(constant Args &args [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  args.x[i] += args.a * args.y[i] + chosen(args.in, i);
}`),
    args: { "args.x": ramp(lanes, 1, 0), "args.y": ramp(lanes, 2, 1), "in.w": ramp(3, 10, 5), "in.n": 3, "args.a": 4 },
    wanted: { "args.x": each((i) => i + 4 * (1 + 2 * i) + 5 + 10 * (i % 3)) },
  },
  {
    name: "nothing but pointers, copied and handed on by a method",
    from: "msl",
    text: msl(`struct Bufs { device const float *a [[id(0)]]; device float *b [[id(1)]]; float at(uint i) const { return a[i + 1]; } };
kernel void k(constant Bufs &bufs [[buffer(0)]], constant float &s [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  Bufs f = bufs;
  f.b[i] = f.at(i) * s;
  f.b += 1;
  if (i == 0) bufs.b[8] = *(f.a + 3);
}`),
    args: { "bufs.a": ramp(lanes + 1, 3, 2), "bufs.b": ramp(lanes + 1, 0, 0), s: 2 },
    wanted: { "bufs.b": [...each((i) => 2 * (5 + 3 * i)), 11] },
  },
  {
    name: "a pointer to a struct with a pointer, by pointer and by reference to helpers",
    from: "msl",
    text: msl(`struct B { device float *p; uint n; float s; };
struct A { constant B *b; device B *d; uint n; };
float one(constant B *b, uint i) { return b->p[i % b->n] * b->s; }
float two(const device B &b, uint i) { return b.p[i % b.n] * b.s; }
kernel void k(constant A &a [[buffer(3)]], device float *out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  constant B *b = a.b;
  if (i < a.n) out[i] = one(a.b, i) + 100 * two(*a.d, i) + b->p[0] * 10000;
  if (i == 0) { B c = *a.d; c.p[c.n] = a.d->s; }
}`),
    args: {
      "a.b": withAddress(4, 2),
      "a.d": withAddress(3, 3),
      "a.b.p": ramp(4, 1, 1),
      "a.d.p": ramp(4, 1, 5),
      "a.n": lanes,
      out: ramp(lanes, 0, 0),
    },
    wanted: {
      out: each((i) => 2 * (1 + (i % 4)) + 100 * 3 * (5 + (i % 3)) + 10000),
      "a.d.p": [5, 6, 7, 3],
    },
  },
  {
    name: "a buffer of addresses alone, with a counter",
    from: "msl",
    text: msl(`struct Args { device atomic_uint *count; device uint *items; };
kernel void k(device Args &args [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if ((i & 1) == 1) return;
  uint at = atomic_fetch_add_explicit(args.count, 1u, memory_order_relaxed);
  args.items[at] = 7;
}`),
    args: { "args.count": new Uint32Array(1), "args.items": new Uint32Array(5) },
    wanted: { "args.count": [4], "args.items": [7, 7, 7, 7, 0] },
  },
  {
    name: "references in push constants, to a header with another, handed to a function",
    from: "glsl",
    text: glsl(`layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float data[]; };
layout(buffer_reference, std430) buffer Header { Floats src; uint n; float scale; };
layout(push_constant) uniform P { Header h; Floats dst; uint n; } p;
float at(Floats f, uint i) { return f.data[i]; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  restrict Floats d = p.dst;
  if (i < p.h.n + p.n) d.data[i] = p.h.scale * at(p.h.src, i);
}`),
    args: { "p.h": withAddress(5, 3), "p.h.src": ramp(lanes, 1, 1), "p.dst": ramp(lanes, 0, 9), "p.n": 1 },
    wanted: { "p.dst": each((i) => (i < 6 ? 3 * (1 + i) : 9)) },
  },
  {
    name: "structs of references, copied, and blocks that are counted",
    from: "glsl",
    text: glsl(`layout(buffer_reference) buffer Tail;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Pair { vec2 v; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float data[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Ints { int dims[]; };
struct Tensor { Floats data; Ints strides; uint numel; };
layout(buffer_reference, std430) buffer Ctx { Tensor t; Floats m; };
layout(buffer_reference, std430) buffer Tail { uint n; float xs[]; };
layout(push_constant) uniform Push { Ctx ctx; Pair pairs; uint k; Tail f; };
layout(set = 0, binding = 2) buffer Out { float o[]; };
int off(const Tensor t, uint i, uint j) { return int(i) * t.strides.dims[0] + int(j) * t.strides.dims[1]; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  Tensor t = ctx.t;
  if (i >= t.numel) return;
  Pair p = pairs + i;
  p.v += vec2(1, 2);
  Pair q = pairs[i];
  ctx.m.data[i] += t.data.data[off(t, i, 1u)];
  o[i] = q.v.y + ctx.m.data[i] + f.xs[i % f.n] + float(k);
}`),
    args: {
      "Push.ctx": (() => {
        const bytes = new Uint8Array(32);
        new DataView(bytes.buffer).setUint32(16, 6, true);
        return bytes;
      })(),
      "ctx.t.data": ramp(20, 1, 0),
      "ctx.t.strides": Int32Array.of(2, 3),
      "ctx.m": ramp(lanes, 10, 0),
      pairs: ramp(2 * lanes, 1, 0),
      f: new Uint8Array([3, 0, 0, 0, ...new Uint8Array(Float32Array.of(100, 200, 300).buffer)]),
      k: 5,
      o: ramp(lanes, 0, -1),
    },
    wanted: {
      o: each((i) => (i < 6 ? 2 * i + 1 + 2 + 10 * i + 2 * i + 3 + 100 * (1 + (i % 3)) + 5 : -1)),
      pairs: each((i) => i).flatMap((i) => (i < 6 ? [2 * i + 1, 2 * i + 3] : [2 * i, 2 * i + 1])),
    },
  },
  {
    name: "blocks that are declared before, a reference alone in a block, and references made of numbers",
    from: "glsl",
    text: glsl(`#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(buffer_reference) buffer Node;
layout(buffer_reference) buffer Fs;
layout(buffer_reference, std430) buffer Node { Node next; float v; Fs fs; };
layout(buffer_reference, std430) readonly buffer Fs { float xs[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Us { uint u[]; };
layout(set = 0, binding = 3) readonly buffer A { Node head; } a;
layout(set = 0, binding = 4) uniform U { Fs inputs; uvec2 outAddress; uint64_t flags; uint n; };
layout(push_constant) uniform P { uvec2 more; uint k; } push;
void main() {
  uint i = gl_GlobalInvocationID.x;
  Us f = Us(flags);
  if (f.u[i] == 1u) Us(outAddress).u[i] = uint(a.head.next.v + inputs.xs[i]) + n + push.k;
  else if (push.more != uvec2(0)) Us(push.more).u[i] = uint(a.head.v + a.head.next.fs.xs[1]);
}`),
    args: {
      "a.head": nodeOf(40),
      "a.head.next": nodeOf(3),
      "a.head.next.fs": ramp(2, 5, 1),
      "U.inputs": ramp(lanes, 10, 10),
      "outAddress.Us": new Uint32Array(lanes),
      "flags.Us": Uint32Array.from(each((i) => i & 1)),
      n: 100,
      more: [8, 0],
      "more.Us": new Uint32Array(lanes),
      k: 1000,
    },
    wanted: {
      "outAddress.Us": each((i) => (i & 1 ? 3 + 10 + 10 * i + 1100 : 0)),
      "more.Us": each((i) => (i & 1 ? 0 : 46)),
    },
  },
  {
    name: "references made of sums of numbers and bytes",
    from: "glsl",
    text: glsl(`#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
struct S { uint n; uint k; uint m; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer F { float v; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer T { S s; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer V { vec4 v; };
layout(push_constant) uniform P { uint64_t xs; uint64_t ts; V vs; uint n; } p;
void main() {
  uint i = gl_GlobalInvocationID.x;
  const uint64_t at = p.xs + uint64_t(i) * 4ul;
  float sum = F(at).v;
  for (uint j = 0u; j < p.n; j++) sum += F(p.xs + (uint64_t(j) << 3) + 4ul).v;
  uint64_t first = p.ts;
  T t = T(uint64_t(i) * uint64_t(12) + first);
  t.s.k += uint(sum) + t.s.n;
  uint64_t row = 32ul + uint64_t(p.vs);
  V v = V(row + uint64_t(int(i) - 2) * 16ul);
  v.v.y += float(i);
}`),
    args: {
      "xs.F": ramp(lanes, 10, 1),
      "ts.T": Uint32Array.from({ length: 3 * lanes }, (_, i) => i),
      "p.vs": ramp(4 * lanes, 1, 0),
      n: 3,
    },
    wanted: {
      // 11, 31 and 51 are the second, fourth and sixth.
      "ts.T": each((i) => i).flatMap((i) => [3 * i, 3 * i + 1 + (1 + 10 * i) + 93 + 3 * i, 3 * i + 2]),
      "p.vs": each((i) => i).flatMap((i) => [4 * i, 4 * i + 1 + i, 4 * i + 2, 4 * i + 3]),
    },
  },
  {
    name: "references cast to those of other blocks, which may be written or go on to the end of the buffer",
    from: "glsl",
    text: glsl(`#extension GL_EXT_buffer_reference_uvec2 : require
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer RO { float x[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer RW { float x[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer UI { uint u[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Pair { uint a; float b; };
layout(push_constant) uniform P { RO src; RW dst; Pair pairs; uint n; } p;
float at(RO r, uint i) { return r.x[i]; }
void put(RW w, uint i, float x) { w.x[i] = x; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  float first = at(RO(p.dst), i);
  put(RW(p.src), i, at(p.src, i) + first);
  UI bits = UI(RO(p.dst));
  // Signs are turned around where the bit of n says so.
  bits.u[i] ^= ((p.n >> i) & 1u) << 31;
  // From the float of this pair on: that, and the first word of the next pair.
  RW behind = RW(p.pairs + i);
  if (i < 7u) behind.x[1] += uintBitsToFloat(UI(p.pairs + int(i)).u[2]);
}`),
    args: {
      "p.src": ramp(lanes, 1, 1),
      "p.dst": ramp(lanes, 2, 0),
      // A pair is what its two floats are: 10 i and i.
      "p.pairs": Float32Array.from({ length: 2 * lanes }, (_, i) => (i % 2 ? (i - 1) / 2 : 5 * i)),
      n: 0b10100010,
    },
    wanted: {
      "p.src": each((i) => 1 + i + 2 * i),
      "p.dst": each((i) => (i === 1 || i === 5 || i === 7 ? -2 * i : 2 * i)),
      "p.pairs": each((i) => i).flatMap((i) => [10 * i, i < 7 ? i + 10 * (i + 1) : i]),
    },
  },
  {
    name: "a number that is made into references of several types, and sums of numbers of elements",
    from: "glsl",
    text: glsl(`#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer RO { float x[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer UI { uint u[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Pair { float a; uint b; };
layout(push_constant) uniform P { uvec2 at; uint64_t more; } p;
void main() {
  uint i = gl_GlobalInvocationID.x;
  float a = RO(p.at).x[2 * i];
  UI(p.at).u[2 * i + 1] = uint(a) + uint(Pair(p.at)[i].a);
  UI(p.more + 8ul).u[i] += UI(p.more + uint64_t(i & 1u) * 4ul).u[0];
}`),
    args: {
      "at.RO": floatBits(ramp(2 * lanes, 3, 0)),
      "more.UI": Uint32Array.from({ length: lanes + 2 }, (_, i) => 10 + i),
    },
    wanted: {
      "at.RO": [...floatBits(ramp(2 * lanes, 3, 0))].map((x, i) => (i % 2 ? 2 * 3 * (i - 1) : x)),
      "more.UI": [10, 11, ...each((i) => 12 + i + 10 + (i & 1))],
    },
  },
  {
    name: "numbers of addresses that helpers take, loops move and no multiple of a block is added to",
    from: "glsl",
    text: glsl(`#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
struct Vertex { vec3 p; float u; float n[2]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer VertexRef { Vertex v; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer IndexRef { uint i; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Floats { float x[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Uints { uint x; };
layout(push_constant, scalar) uniform P { uint64_t vertices; uint64_t indices; uint64_t outs; uint stride; uint n; } pc;
Vertex fetch(uint64_t base, uint stride, uint i) { return VertexRef(base + uint64_t(i) * uint64_t(stride)).v; }
void put(uint64_t at, uint i, float v) { Floats(at).x[i] = v; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  float s = 0.0;
  uint64_t at = pc.indices + i * 8;
  for (uint k = 0u; k < 2u; ++k, at += 4) {
    Vertex v = fetch(pc.vertices, pc.stride, IndexRef(at).i);
    s += v.p.y + 100.0 * v.n[1];
  }
  put(pc.outs + 4 * (pc.n - 1u - i), 0u, s);
  uint64_t last = pc.outs;
  last += uint64_t(pc.n) * 4ul + uint64_t(i) * 4ul;
  Uints(last).x = floatBitsToUint(Floats(pc.outs + 4 * (pc.n - 1u - i)).x[0]);
}`),
    args: {
      "vertices.VertexRef": floatBits(ramp(60, 1, 0)),
      "indices.IndexRef": Uint32Array.from({ length: 2 * lanes }, (_, i) => (3 * i) % lanes),
      "outs.Floats": floatBits(ramp(2 * lanes, 0, 0)),
      stride: 28,
      n: lanes,
    },
    wanted: {
      "outs.Floats": (() => {
        // Of vertex j of 7 floats that count on: p.y is 7j + 1, n[1] is 7j + 5.
        const one = (k: number): number => 7 * ((3 * k) % lanes) + 1 + 100 * (7 * ((3 * k) % lanes) + 5);
        const sum = (i: number): number => one(2 * i) + one(2 * i + 1);
        const sums = Float32Array.from([...each((r) => sum(lanes - 1 - r)), ...each(sum)]);
        return [...floatBits(sums)];
      })(),
    },
  },
  {
    name: "arrays of references, by a number and by an index that is computed",
    from: "glsl",
    text: glsl(`layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float x[]; };
struct Layer { Floats w[2]; uint n; };
layout(buffer_reference, std430) buffer Model { uint count; Layer layers[2]; Floats more[2][2]; };
layout(push_constant) uniform P { Floats src[3]; Floats dst; Model m; uint n; } p;
layout(set = 0, binding = 1) buffer Q { Floats q[2]; };
float at(Floats f, uint i) { return f.x[i]; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  float s = 0.0;
  for (uint j = 0u; j < p.n; j++) s += p.src[j].x[i];
  Layer l = p.m.layers[1];
  Floats both[2] = q;
  Floats made[2] = Floats[](p.src[0], both[1]);
  p.dst.x[i] = s + 1000.0 * at(p.src[(i + 1u) % 3u], 0u) + 10000.0 * l.w[i & 1u].x[0] +
      100000.0 * (p.m.layers[0].w[i & 1u].x[i] + p.m.more[i & 1u][(i >> 1) & 1u].x[0]) + made[i & 1u].x[0];
  both[i >> 2].x[i] = 1.0;
}`),
    args: {
      "p.src[0]": ramp(lanes, 0, 1),
      "p.src[1]": ramp(lanes, 0, 2),
      "p.src[2]": ramp(lanes, 0, 3),
      "p.dst": ramp(lanes, 0, 0),
      "p.m": new Uint8Array(88),
      "p.m.layers[0].w[0]": ramp(lanes, 0, 5),
      "p.m.layers[0].w[1]": ramp(lanes, 0, 6),
      "p.m.layers[1].w[0]": ramp(1, 0, 7),
      "p.m.layers[1].w[1]": ramp(1, 0, 8),
      "p.m.more[0][0]": ramp(1, 0, 1),
      "p.m.more[0][1]": ramp(1, 0, 2),
      "p.m.more[1][0]": ramp(1, 0, 3),
      "p.m.more[1][1]": ramp(1, 0, 4),
      "q[0]": ramp(lanes, 0, 0),
      "q[1]": ramp(lanes, 0, 0.5),
      n: 3,
    },
    wanted: {
      "p.dst": each(
        (i) =>
          6 +
          1000 * (1 + ((i + 1) % 3)) +
          10000 * (i & 1 ? 8 : 7) +
          100000 * ((i & 1 ? 6 : 5) + [1, 2, 3, 4][2 * (i & 1) + ((i >> 1) & 1)]!) +
          (i & 1 ? 0.5 : 1),
      ),
      "q[0]": each((i) => (i < 4 ? 1 : 0)),
      "q[1]": each((i) => (i < 4 ? 0.5 : 1)),
    },
  },
  {
    name: "arrays of pointers in a struct behind an argument, copied and changed",
    from: "msl",
    text: msl(`struct L { device const float *w; uint n; };
struct A { device float *x[3]; array<device float *, 2> y; L l[2]; uint n; };
float sum(constant A &a, uint i) { float s = 0; for (uint j = 0; j < a.n; j++) s += a.x[j][i]; return s; }
kernel void k(constant A &a [[buffer(0)]], device float *dst [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  A b = a;
  b.x[0] = dst;
  dst[i] = sum(a, i) + 10 * a.y[1][i] + 100 * b.x[i % 3][i] + 1000 * a.l[1].w[0] + 10000 * a.l[0].n;
}`),
    args: {
      "a.x[0]": ramp(lanes, 0, 1),
      "a.x[1]": ramp(lanes, 0, 2),
      "a.x[2]": ramp(lanes, 0, 3),
      "a.y.elements[1]": ramp(lanes, 0, 4),
      "a.l[1].w": ramp(1, 0, 5),
      "a.l[0].n": 6,
      "a.l[1].n": 0,
      "a.n": 3,
      dst: ramp(lanes, 0, 9),
    },
    wanted: { dst: each((i) => 6 + 40 + 100 * [9, 2, 3][i % 3]! + 5000 + 60000) },
  },
  {
    // A launch gives each buffer memory.
    name: "pointers that are compared with null",
    from: "msl",
    text: msl(`struct Args { device float *x; device const float *y; };
float either(device const float *p, uint i, float other) { return p == nullptr ? other : p[i]; }
kernel void k(constant Args &args [[buffer(0)]], device const float *z [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (!args.x) return;
  args.x[i] = args.y ? args.y[i] : 1;
  if (z != nullptr) args.x[i] += either(z, i, 5) + either(args.y, 0, 7);
}`),
    args: { x: ramp(8, 1, 0), y: ramp(8, 1, 10), z: ramp(8, 100, 0) },
    wanted: { x: each((i) => 10 + i + 100 * i + 10) },
  },
  {
    name: "references whose numbers are compared with zero",
    from: "glsl",
    text: glsl(`#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(buffer_reference, std430) buffer F { float x[]; };
layout(push_constant) uniform P { F x; F y; } p;
float either(F f, uint i, float other) { return uvec2(f) == uvec2(0) ? other : f.x[i]; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (uint64_t(p.x) == 0ul) return;
  p.x.x[i] = either(p.y, i, 1.0);
  if (any(notEqual(uvec2(p.y), uvec2(0, 0)))) p.x.x[i] += 100.0;
}`),
    args: { "p.x": ramp(8, 1, 0), "p.y": ramp(8, 1, 10) },
    wanted: { "p.x": each((i) => 110 + i) },
  },
  {
    name: "a list whose nodes point to the next",
    from: "msl",
    text: msl(`struct Node { float v; device Node *next; };
kernel void k(constant Node &n [[buffer(0)]], device float *o [[buffer(1)]], device const Node *all [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  o[i] = n.v + n.next->v * 10.0f + n.next->next->v * 100.0f + all[i & 1].v * 1000.0f;
}`),
    args: {
      "n.v": 1,
      "n.next": listNode(2),
      "n.next.next": listNode(3),
      o: new Float32Array(lanes),
      all: Uint8Array.from([...listNode(4), ...listNode(5)]),
    },
    wanted: { o: each((i) => 321 + (i & 1 ? 5000 : 4000)) },
  },
  {
    // MSL 5.2.1: a reference into constant memory would be a value of the text that is written.
    name: "a pointer to one struct in constant memory, whose pointers and numbers are used",
    from: "msl",
    text: msl(`struct B { device float *p; device const uint *q; uint n; };
struct A { constant B *b; uint m; };
kernel void k(constant A &a [[buffer(0)]], uint i [[thread_position_in_grid]]) { if (i < a.m) a.b->p[i] = float(a.b->q[i % 3] + a.b->n); }`),
    args: {
      "a.b": (() => {
        const bytes = new Uint8Array(24);
        new DataView(bytes.buffer).setUint32(16, 10, true);
        return bytes;
      })(),
      "a.b.p": ramp(lanes, 0, 0),
      "a.b.q": Uint32Array.of(3, 5, 9),
      "a.m": lanes,
    },
    wanted: { "a.b.p": each((i) => 10 + [3, 5, 9][i % 3]!) },
  },
  {
    name: "structs with pointers in an array, by an index",
    from: "msl",
    text: msl(`struct L { device const float *w; uint n; };
struct A { device float *x; L l[2]; uint n; };
struct P { A list[3]; device float *o; };
float get(constant A &a, uint i, uint j) { return a.l[j].w[i] + a.n; }
float at(constant A &a, uint i) { return a.x[i] * a.n; }
float sum(constant A *a, uint i) { float s = 0; for (uint j = 0; j < 3; j++) s += a[j].x[i] * a[j].n; return s; }
kernel void k(constant P &p [[buffer(0)]], constant A *b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  constant A &a = p.list[i % 3];
  A c = p.list[(i + 1) % 3];
  float s = p.list[i % 3].l[i & 1].w[i] + 10 * a.x[i] + 100 * get(a, i, i & 1);
  p.o[i] = s + sum(p.list, i) + b[0].x[i] + b[2].l[i & 1].w[2] + b[2].n + c.l[1].w[i] + at(p.list[i % 3], i);
}`),
    args: {
      ...Object.fromEntries(
        [0, 1, 2].flatMap((j) => [
          [`p.list[${j}].x`, ramp(lanes, 1, 1 + j)],
          [`p.list[${j}].n`, 1 + j],
          ...[0, 1].flatMap((m) => [
            [`p.list[${j}].l[${m}].w`, ramp(lanes, 2, 10 * j + m)],
            [`p.list[${j}].l[${m}].n`, 0],
          ]),
        ]),
      ),
      "p.o": ramp(lanes, 0, 0),
      // 48 bytes each: 8 of x, 16 for each L, n at 40.
      b: (() => {
        const bytes = new Uint8Array(3 * 48);
        new DataView(bytes.buffer).setUint32(2 * 48 + 40, 7, true);
        return bytes;
      })(),
      "b.x": ramp(lanes, 3, 1),
      "b[2].l[0].w": ramp(3, 1, 20),
      "b[2].l[1].w": ramp(3, 1, 30),
    },
    wanted: {
      "p.o": each((i) => {
        const [a, c, m] = [i % 3, (i + 1) % 3, i & 1];
        const [x, w] = [(j: number) => 1 + j + i, (j: number, k: number) => 10 * j + k + 2 * i];
        const sum = x(0) + 2 * x(1) + 3 * x(2);
        const first = w(a, m) + 10 * x(a) + 100 * (w(a, m) + 1 + a);
        return first + sum + (1 + 3 * i) + (m ? 32 : 22) + 7 + w(c, 1) + x(a) * (1 + a);
      }),
    },
  },
  {
    name: "structs with pointers in a buffer, by indices that the text bounds",
    from: "msl",
    text: msl(`struct A { device float *x; uint n; };
kernel void k(constant A *all [[buffer(0)]], device A *more [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uint which = i & 1;
  float s = all[which].x[i] + all[which].n;
  for (uint j = 0; j < 3; ++j) s += 100 * all[j].x[i];
  for (uint j = 0; (uchar)j < 2; ++j) s += all[j].n;
  more[i % 2 + 1].x[i] = s;
  more[i].n += 1;
}`),
    args: {
      all: (() => {
        const bytes = new Uint8Array(48);
        [5, 6, 7].forEach((n, j) => new DataView(bytes.buffer).setUint32(16 * j + 8, n, true));
        return bytes;
      })(),
      "all.x": ramp(lanes, 1, 1),
      "all[1].x": ramp(lanes, 1, 2),
      "all[2].x": ramp(lanes, 1, 3),
      more: new Uint8Array(16 * lanes),
      "more.x": ramp(lanes, 0, 0),
      "more[1].x": ramp(lanes, 0, 0),
      "more[2].x": ramp(lanes, 0, 0),
    },
    wanted: Object.fromEntries(
      [1, 2].map((m) => [
        `more[${m}].x`,
        each((i) => ((i % 2) + 1 === m ? 1 + (i & 1) + i + 5 + (i & 1) + 100 * (6 + 3 * i) + 11 : 0)),
      ]),
    ),
  },
  {
    name: "pointers to structs with pointers that are null, chosen and moved",
    from: "msl",
    text: msl(`struct A { device float *x; uint n; };
struct P { A list[4]; };
float get(constant A *a, uint i) { return a->x[i] + a->n; }
kernel void k(constant P &p [[buffer(0)]], device float *o [[buffer(1)]], constant A &a [[buffer(2)]], constant A &b [[buffer(3)]], device A *d [[buffer(4)]], constant uint &m [[buffer(5)]], uint i [[thread_position_in_grid]]) {
  constant A *q = nullptr;
  if (i > 3) q = &p.list[i & 3];
  else if (i > 1) q = p.list + 1;
  float s = q ? q->x[i] + q->n : 7;
  for (constant A *r = p.list; r < p.list + 4; r++) s += 100 * (r->x[i] + get(r, i));
  constant A *e = i & 1 ? &a : &b;
  s += e->n + e->x[i];
  device A *t = nullptr;
  if (i & 4) t = &d[0]; else if (m != 3) t = d + 1;
  t->x[i] = 5;
  constant A *u = nullptr;
  if (i > 2) u = &a;
  o[i] = s + (!u ? 1 : u->x[0]);
  device const A *unused = nullptr;
}`),
    args: {
      ...Object.fromEntries(
        [0, 1, 2, 3].flatMap((j) => [
          [`p.list[${j}].x`, ramp(lanes, 1, 1 + j)],
          [`p.list[${j}].n`, 1 + j],
        ]),
      ),
      o: ramp(lanes, 0, 0),
      "a.x": ramp(lanes, 1, 20),
      "a.n": 3,
      "b.x": ramp(lanes, 1, 30),
      "b.n": 4,
      d: new Uint8Array(32),
      "d.x": ramp(lanes, 0, 0),
      "d[1].x": ramp(lanes, 0, 0),
      m: 2,
    },
    wanted: {
      o: each((i) => {
        const x = (j: number): number => 1 + j + i;
        const q = i > 3 ? i & 3 : i > 1 ? 1 : undefined;
        const all = [0, 1, 2, 3].reduce((sum, j) => sum + 2 * x(j) + 1 + j, 0);
        const e = i & 1 ? 3 + 20 + i : 4 + 30 + i;
        return (q === undefined ? 7 : x(q) + 1 + q) + 100 * all + e + (i > 2 ? 20 : 1);
      }),
      "d.x": each((i) => (i & 4 ? 5 : 0)),
      "d[1].x": each((i) => (i & 4 ? 0 : 5)),
    },
  },
];

async function translated(c: Case, to: TwoWayDialect): Promise<string> {
  const { code, diagnostics } = await translate(c.text, { from: c.from, to, workgroupSize: [lanes, 1, 1] });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  return code!;
}

/** What a run gives for the buffers that are asked for, in order. */
async function run(
  text: string,
  from: TwoWayDialect,
  args: Case["args"],
  wanted: readonly string[],
): Promise<readonly (readonly number[])[]> {
  const { buffers, diagnostics, findings } = await simulate(text, {
    from,
    workgroups: [1],
    ...(from === "msl" || from === "opencl" ? { workgroupSize: [lanes, 1, 1] } : {}),
    subgroupSize: 4,
    args,
  });
  expect([...diagnostics.filter((d) => d.severity === "error"), ...findings].map((d) => d.message)).toEqual([]);
  return wanted.map((path) => {
    const found = Object.keys(buffers).find((k) => k === path || k.endsWith(`.${path}`))!;
    return [...(buffers[found] as Float32Array)];
  });
}

const typeNames = new Map<unknown, string>([
  [Float32Array, "f32"],
  [Int32Array, "i32"],
  [Uint32Array, "u32"],
  [Uint8Array, "u8"],
]);
/** The case as a launch file, by which `verify` gives a translation the same bytes. */
const launchOf = (c: Case): object => ({
  workgroups: [1],
  ...(c.from === "msl" ? { workgroupSize: [lanes] } : {}),
  subgroupSizes: [4],
  args: Object.fromEntries(
    Object.entries(c.args).map(([key, x]) => [
      key,
      typeof x === "number" || Array.isArray(x)
        ? {
            type: key === "args.a" || key === "s" || key === "n.v" ? "f32" : Array.isArray(x) ? "u32x2" : "u32",
            value: x,
          }
        : {
            type: typeNames.get(x.constructor)!,
            count: x.length,
            init: { values: [...x] },
            output: c.wanted[key] !== undefined,
          },
    ]),
  ),
});

describe.each(cases)("$name", (c) => {
  const outputs = Object.keys(c.wanted);
  test("computes what the source says", async () => {
    expect(await run(c.text, c.from, c.args, outputs)).toEqual(outputs.map((o) => c.wanted[o]));
  });
  test.each([...twoWayDialects, "ts" as const].filter((to) => to !== c.from))("%s does the same", async (to) => {
    const { result, diagnostics } = await verify(c.text, {
      from: c.from,
      to,
      workgroupSize: [lanes, 1, 1],
      launches: [launchOf(c)],
    });
    expect([...diagnostics.map((d) => d.message), result]).toEqual(["equivalent"]);
  });
});

describe("judges", () => {
  for (const dialect of twoWayDialects)
    judgeTest(judges[dialect], `the ${dialect} compiler takes what is written, and the sources`, async () => {
      const texts = await Promise.all(cases.map(async (c) => judgeable(dialect, c.name, await translated(c, dialect))));
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
});

test("the host is told where addresses lie in the source's own text, and which buffers stand for them elsewhere", async () => {
  const slotsOf = async (c: Case, own: "msl" | "glsl", other: "glsl" | "opencl"): Promise<readonly unknown[]> => {
    const { entries } = await reflect(c.text, { from: c.from, workgroupSize: [lanes, 1, 1] });
    return entries[0]!.arguments.map((a) => [a.path, a.slots[own], a.slots[other]]);
  };
  // MSL 2.2.3, 2.3: pointers have 8 bytes; Inner lies behind two of them.
  expect(await slotsOf(cases[0]!, "msl", "opencl")).toEqual([
    ["args.in.n", { kind: "value", slot: 0, offset: 24, size: 4 }, { kind: "value", slot: 0, size: 4 }],
    ["args.a", { kind: "value", slot: 0, offset: 32, size: 4 }, { kind: "value", slot: 0, offset: 4, size: 4 }],
    ["args.x", { kind: "address", slot: 0, offset: 0, size: 8 }, { kind: "buffer", slot: 1 }],
    ["args.y", { kind: "address", slot: 0, offset: 8, size: 8 }, { kind: "buffer", slot: 2 }],
    ["args.in.w", { kind: "address", slot: 0, offset: 16, size: 8 }, { kind: "buffer", slot: 3 }],
  ]);
  const push = { name: "P", size: 8, kind: "address" };
  const arrays = cases.find((c) => c.name.startsWith("arrays of references"))!;
  // glslang's offsets: pointers have 8 bytes, in push constants and in std430 one behind the other.
  const places = (await slotsOf(arrays, "glsl", "opencl")).map((x) => (x as [string, { offset?: number }]).slice(0, 2));
  expect(
    places.map(([path, slot]) => [path, (slot as { offset?: number }).offset]).filter(([, x]) => x !== undefined),
  ).toEqual([
    ["p.src[0]", 0],
    ["p.src[1]", 8],
    ["p.src[2]", 16],
    ["p.dst", 24],
    ["p.m", 32],
    ["p.m.layers[0].w[0]", 8],
    ["p.m.layers[0].w[1]", 16],
    ["p.m.layers[1].w[0]", 32],
    ["p.m.layers[1].w[1]", 40],
    ["p.m.more[0][0]", 56],
    ["p.m.more[0][1]", 64],
    ["p.m.more[1][0]", 72],
    ["p.m.more[1][1]", 80],
    ["p.n", 40],
    ["Q.q[0]", 0],
    ["Q.q[1]", 8],
  ]);
  const buffer = cases.find((c) => c.name.startsWith("structs with pointers in a buffer"))!;
  expect((await slotsOf(buffer, "msl", "opencl")).map((x) => (x as unknown[]).slice(0, 2))).toEqual([
    ["all", { kind: "buffer", slot: 0 }],
    ["all.x", { kind: "address", slot: 0, offset: 0, size: 8 }],
    ["all[1].x", { kind: "address", slot: 0, offset: 16, size: 8 }],
    ["all[2].x", { kind: "address", slot: 0, offset: 32, size: 8 }],
    ["more", { kind: "buffer", slot: 1 }],
    ["more.x", { kind: "address", slot: 1, offset: 0, size: 8 }],
    ["more[1].x", { kind: "address", slot: 1, offset: 16, size: 8 }],
    ["more[2].x", { kind: "address", slot: 1, offset: 32, size: 8 }],
  ]);
  expect(await slotsOf(cases[4]!, "glsl", "opencl")).toEqual([
    ["p.h", { ...push, offset: 0 }, { kind: "buffer", slot: 0 }],
    ["p.h.src", { kind: "address", holder: "p.h", offset: 0, size: 8 }, { kind: "buffer", slot: 1 }],
    ["p.dst", { ...push, offset: 8 }, { kind: "buffer", slot: 2 }],
    ["p.n", { kind: "push-constant", name: "P", offset: 16, size: 4 }, { kind: "value", slot: 3, size: 4 }],
  ]);
});

test("members beside pointers lie where they are aligned to", async () => {
  const text = msl(`struct A { device int *p; int m; alignas(16) int n; };
kernel void k(constant A &a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a.p[i] = a.n + a.m; }`);
  const { entries } = await reflect(text, { from: "msl", workgroupSize: [lanes, 1, 1] });
  const places = entries[0]!.arguments.map((x) => [x.path, (x.slots.msl as { offset?: number }).offset]);
  // C++14 7.6.2: n begins at a multiple of 16.
  expect(new Map(places as [string, number][])).toEqual(
    new Map([
      ["a.p", 0],
      ["a.m", 8],
      ["a.n", 16],
    ]),
  );
});

/** What is not known before the run, or of no buffer: refused where it stands. */
const refused: readonly { readonly from: "msl" | "glsl"; readonly text: string; readonly message: string }[] = [
  {
    from: "msl",
    text: msl(`struct A { device float *x; };
kernel void k(constant A *all [[buffer(0)]], uint i [[thread_position_in_grid]]) { all[i].x[i] = 1; }`),
    message: "a pointer that lies in a buffer where is known at run time only is not supported yet",
  },
  ...[
    // Which struct it lies in is not known; which element of an array it is, is.
    [
      "for (uint j = 0; j < 3; j++) { if (i == 2) j = 7; all[j].x[1][0] = 1; }",
      "a pointer that lies in a buffer where is known at run time only is not supported yet",
    ],
    // What ends it is the byte, whatever is above that: 256, 257 and 258, too.
    [
      "for (uint j = i; (uchar)j < 3; j++) all[j].x[1][0] = 1;",
      "a pointer that lies in a buffer where is known at run time only is not supported yet",
    ],
    ["all[i].x[1][0] = 1;", "a pointer that lies in a buffer where is known at run time only is not supported yet"],
    [
      "all[i & 255].x[1][0] = 1;",
      "a pointer that lies in a buffer where is known at run time only is not supported yet",
    ],
    [
      "constant A *p = i & 1 ? all : nullptr; p += i; p->x[1][0] = 1;",
      "a pointer that lies in a buffer where is known at run time only is not supported yet",
    ],
    [
      "device A *p = i & 1 ? &a : nullptr; p->n = all[1].n; a = *p;",
      "writing a pointer into a buffer is not supported yet",
    ],
    ["a.x[0] = a.x[1];", "writing a pointer into a buffer is not supported yet"],
    ["a.x[i & 1] = a.l[0].w;", "a pointer that lies in a buffer where is known at run time only is not supported yet"],
    ["A b = a; b.x[0][0] = 1; a = b;", "writing a pointer into a buffer is not supported yet"],
  ].map(
    ([body, message]) =>
      ({
        from: "msl",
        text: msl(`struct L { device float *w; };
struct A { device float *x[2]; L l[2]; uint n; };
kernel void k(device A &a [[buffer(0)]], constant A *all [[buffer(1)]], uint i [[thread_position_in_grid]]) { ${body} }`),
        message: message!,
      }) as const,
  ),
  {
    from: "glsl",
    text: glsl(`layout(buffer_reference, std430) buffer F { float x[]; };
layout(set = 0, binding = 0) buffer A { F f[]; } a;
void main() { a.f[0].x[0] = 1.0; }`),
    message: "arrays of pointers without a length in buffers are not supported yet",
  },
  {
    from: "msl",
    text: msl(`struct A { device float *x; device float *y; };
kernel void k(device A &a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a.x = a.y; }`),
    message: "writing a pointer into a buffer is not supported yet",
  },
  {
    from: "msl",
    text: msl(`struct A { device float *x; uint n; };
kernel void k(device A &a [[buffer(0)]], device A &b [[buffer(1)]], uint i [[thread_position_in_grid]]) { a = b; }`),
    message: "writing a pointer into a buffer is not supported yet",
  },
  {
    from: "msl",
    text: msl(`struct A { device float *x; };
kernel void k(constant A &a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a.x[i] = float(ulong(a.x)); }`),
    message: "the number of an address that the host writes is not supported yet",
  },
  {
    from: "msl",
    text: msl(`struct A { device float *x; uint n; };
kernel void k(device A &a [[buffer(0)]], uint i [[thread_position_in_grid]]) { device uint *w = (device uint *)&a; w[i] = 1; a.x[i] = 2; }`),
    message: "memory with pointers that is looked at as another type is not supported yet",
  },
  {
    from: "glsl",
    text: glsl(`#extension GL_EXT_buffer_reference_uvec2 : require
layout(buffer_reference, std430) buffer F { float x[]; };
struct S { uvec2 at; uint n; };
layout(set = 0, binding = 0) buffer A { S s; S t; } a;
void main() { a.s.n = 1u; F(a.s.at).x[0] = 1.0; a.s = a.t; }`),
    message: "an address that the kernel itself may write is not supported yet",
  },
  {
    from: "glsl",
    text: glsl(`#extension GL_EXT_buffer_reference_uvec2 : require
layout(buffer_reference, std430) buffer F { float x[]; };
layout(push_constant) uniform P { F f; } p;
void main() { uvec2 at = uvec2(p.f); p.f.x[0] = float(at.x); }`),
    message: "the number of an address that the host writes is not supported yet",
  },
  {
    from: "glsl",
    text: glsl(`layout(buffer_reference, std430) buffer F { float x[]; };
layout(push_constant) uniform P { F f; } p;
void main() { p.f.x[0] = float(p.f.x.length()); }`),
    message: "an array behind a reference has no length()",
  },
  {
    from: "glsl",
    text: glsl(`layout(buffer_reference) buffer F;
layout(push_constant) uniform P { F f; } p;
layout(buffer_reference, std430) buffer F { float x[]; };
void main() { p.f.x[0] = 1.0; }`),
    message: "a reference in a block of values before what it leads to is defined is not supported yet",
  },
  {
    from: "glsl",
    text: glsl(`layout(buffer_reference, std430) buffer F { float x[]; };
layout(push_constant) uniform P { F f; } p;
void main() { (p.f + 1).x[0] = 1.0; }`),
    message: "block F ends where its buffer ends: it has no neighbour",
  },
  {
    from: "glsl",
    text: glsl(`layout(buffer_reference, std430) buffer F { float x; };
layout(push_constant) uniform P { F f; } p;
void main() { p.f[1].x = 1.0; }`),
    message: "a step of 16 bytes from one F to the next is not supported yet",
  },
  {
    from: "glsl",
    text: glsl(`#extension GL_EXT_buffer_reference_uvec2 : require
layout(buffer_reference, std430) buffer F { float x[]; };
layout(push_constant) uniform P { uvec2 f; } p;
void main() { F(p.f + uvec2(16, 0)).x[0] = 1.0; }`),
    message: "a reference made of such a number is not supported yet",
  },
  ...[
    // Two addresses make none, and what lies in memory of the workgroup may be any number.
    ["float x", "F(p.f + p.f).x = 1.0;", "where nothing says of which pointer the number is the address"],
    ["float x", "kept = p.f; F(kept).x = 1.0;", "where kept keeps the address in memory that other lanes see"],
    ["float x", "F(p.f * 2ul).x = 1.0;", "where nothing says of which pointer the number is the address"],
    [
      "uint n; float x[]",
      "F(p.f + uint64_t(p.n)).n = 1u;",
      "a block that ends in an array beside other members is all of its buffer",
    ],
  ].map(
    ([member, body, why]) =>
      ({
        from: "glsl",
        text: glsl(`#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(buffer_reference, std430) buffer F { ${member}; };
layout(push_constant) uniform P { uint64_t f; uint n; } p;
shared uint64_t kept;
void main() { ${body} }`),
        message: `a cast of uint64_t to F, ${why}, is not supported yet`,
      }) as const,
  ),
  {
    from: "glsl",
    text: glsl(`#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_scalar_block_layout : require
layout(buffer_reference, std430) buffer F { vec3 x; };
layout(buffer_reference, scalar) buffer G { vec3 x; };
layout(push_constant) uniform P { uint64_t f; uint n; } p;
void main() { uint64_t a = p.f; a += uint64_t(p.n); F(a).x = vec3(1.0); G(a).x = vec3(2.0); }`),
    message:
      "a cast of uint64_t to G, which is one to a block F: the two blocks have layouts of their own, is not supported yet",
  },
  {
    from: "glsl",
    text: glsl(`#extension GL_EXT_buffer_reference_uvec2 : require
layout(buffer_reference, std430) buffer F { float x[]; };
layout(buffer_reference, std430) buffer G { uint n; uint x[]; };
layout(push_constant) uniform P { uvec2 f; } p;
void main() { F(p.f).x[0] = 1.0; G(p.f).x[0] = 1u; }`),
    message: "an address that is made into references of two types is not supported yet",
  },
  ...[
    // There is one such block in a buffer, steps are not the same, or what others write is not seen.
    ["std430", "uint n; vec3 y[];"],
    ["scalar", "vec3 y[];"],
    ["std430", "coherent vec3 y[];"],
  ].map(
    ([layout, members]) =>
      ({
        from: "glsl",
        text: glsl(`#extension GL_EXT_scalar_block_layout : require
layout(buffer_reference, std430) buffer F { vec3 x[]; };
layout(buffer_reference, ${layout}) buffer G { ${members} };
layout(push_constant) uniform P { F f; } p;
void main() { G g = G(p.f); g.y[0] = vec3(1.0); }`),
        message: "a cast of F to G is not supported yet",
      }) as const,
  ),
  {
    from: "glsl",
    text: glsl(`layout(buffer_reference, std430) buffer F { float x[]; };
layout(buffer_reference, std430) buffer G { float y[]; };
layout(push_constant) uniform P { F f; } p;
void main() { G g = p.f; g.y[0] = 1.0; }`),
    message: "the initialiser is F and does not convert to G",
  },
];

/** What glslang says of each (GL_EXT_buffer_reference: what is handed over keeps its memory's qualifiers). */
const handed: readonly (readonly [parameter: string, argument: string, lost: string | undefined])[] = [
  ["Leaf l", "leaf", "readonly"],
  ["Leaf l", "all[1]", "readonly"],
  ["Leaf l", "s.l", "readonly"],
  ["Leaf l", "seen", "coherent"],
  ["readonly Leaf l", "leaf", undefined],
  ["readonly Leaf l", "given", undefined],
  ["writeonly Leaf l", "given", undefined],
  ["Leaf l", "given", undefined],
  ["restrict Leaf l", "given", undefined],
];
const handing = (parameter: string, argument: string): string =>
  glsl(`layout(buffer_reference, std430) buffer Leaf { float x[]; };
struct S { Leaf l; };
layout(std430, binding = 1) readonly buffer R { Leaf leaf; S s; Leaf all[2]; };
layout(std430, binding = 2) coherent buffer C { Leaf seen; };
layout(push_constant) uniform P { Leaf given; };
layout(std430, binding = 3) buffer O { float o[]; };
void f(${parameter}) { o[0] = l.x[0]; }
void main() { f(${argument}); }`);

test.each(handed)("to %s is handed %s: %s is lost", async (parameter, argument, lost) => {
  const { diagnostics } = await translate(handing(parameter, argument), { from: "glsl", to: "hlsl" });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual(
    lost ? [`argument 1 ('l') lies in a block that is ${lost}, and the parameter is not`] : [],
  );
});

judgeTest(judges.glsl, "glslang says the same of what is handed over", async () => {
  const texts = handed.map(([p, a]) => judgeable("glsl", `${p} of ${a}`, handing(p, a)));
  const said = await judges.glsl.accept(texts.map(({ name, text }) => ({ name, text })));
  expect(said.map((v) => /drop memory qualifier/.test(v.log))).toEqual(handed.map(([, , lost]) => lost !== undefined));
});

test.each(refused)("refused: $message", async ({ from, text, message }) => {
  const { code, diagnostics } = await translate(text, { from, to: "opencl" });
  expect(code).toBeUndefined();
  expect(diagnostics.map((d) => d.message)).toContain(message);
});

test("to MSL where the file has another kernel, so that its text is written anew", async () => {
  const { text } = cases.find((c) => c.name.startsWith("a pointer to one struct in constant memory"))!;
  const other = "kernel void other(device float *x [[buffer(0)]]) { x[0] = 1; }\n";
  const { result, diagnostics } = await verify(text + other, { from: "msl", to: "msl", entry: "k" });
  expect(result, JSON.stringify(diagnostics)).toBe("equivalent");
});
