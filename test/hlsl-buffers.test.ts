/**
 * HLSL's buffers as values, in arrays and in structs, blocks of values, and memory of the workgroup as an argument: results by
 * hand at several widths, through every dialect and its compiler.
 */
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate, verify } from "../src/index.js";
import { floats, lanes, main, shapesCompute, type Shape } from "./support/hlsl-shapes.js";
import { hlslJudge } from "./support/judges/hlsl.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

/** a[i] = i, c[i] = 10 i. */
const two = "StructuredBuffer<float> a; StructuredBuffer<float> c; RWStructuredBuffer<float> o;\n";
const ac = { a: floats((i) => i), c: floats((i) => 10 * i), o: floats(() => -1) };

const heldBuffers = `struct View { StructuredBuffer<float> b; uint first; }; struct Base { RWStructuredBuffer<float> o; void put(uint i, float v) { this.o[i] = v; } };
struct All : Base { View x; StructuredBuffer<float> two[2]; float k; }; struct More { View x; };
All g : register(u3) : register(t2); More more;
`;

const several = "StructuredBuffer<float> a[3]; StructuredBuffer<float> c; RWStructuredBuffer<float> o;\n";
const [a, c] = [(k: number, i: number) => 100 * k + i, (i: number) => 10000 + i];
const severalBuffers = {
  "a[0]": floats((i) => a(0, i)),
  "a[1]": floats((i) => a(1, i)),
  "a[2]": floats((i) => a(2, i)),
  c: floats(c),
  o: floats(() => -1),
};

const shapes: readonly Shape[] = [
  {
    name: "parameters, locals and results",
    text: `${two}float twice(StructuredBuffer<float> b, uint i) { return b[i] * 2; }
void put(RWStructuredBuffer<float> b, uint i, float v) { b[i] = v; b[i] += 1; }
StructuredBuffer<float> pick() { return c; }
${main} { StructuredBuffer<float> b = a; RWStructuredBuffer<float> w; w = o; put(w, i, twice(b, i) + pick()[7 - i] + twice(c, i)); }`,
    args: ac,
    o: (i) => 2 * i + 10 * (7 - i) + 20 * i + 1,
  },
  {
    // Whose elements are read is in DXC's code: a buffer itself goes by reference, what holds one is copied, the last one last.
    name: "parameters that are written",
    text: `${two}struct P { StructuredBuffer<float> b; float k; };
void swap(inout StructuredBuffer<float> x, inout StructuredBuffer<float> y) { StructuredBuffer<float> t = x; x = y; y = t; }
float both(inout StructuredBuffer<float> x, inout StructuredBuffer<float> y) { x = c; return y[2]; }
float copies(inout P x, inout P y) { x.b = c; x.k = 5; return y.b[3] + y.k; }
float results(inout P p, out float n) { p.b = c; p.k += 1; n = p.b[0]; return p.b[1] + p.k; }
void pick(out StructuredBuffer<float> x, const bool second) { if (second) x = c; else x = a; }
void counts(out float x, inout float y, inout StructuredBuffer<float> b) { x = 5; y += 1; b = a; }
${main} { StructuredBuffer<float> x = a, y = c; swap(x, y); o[i] = x[i] * 100 + y[i];
  StructuredBuffer<float> z = a; o[i] += both(z, z) + z[i];
  P p; p.b = a; p.k = 10; o[i] += copies(p, p) * 1000 + p.b[i] + p.k; float n = 1; n = results(p, n); o[i] += n + p.b[i];
  pick(z, false); o[i] += z[i]; pick(z, true); o[i] += z[i]; float m = 7; counts(m, m, z); o[i] += m + z[i]; }`,
    args: ac,
    o: (i) => 1000 * i + i + (20 + 10 * i) + (3 + 10) * 1000 + i + 10 + (10 + 11) + 10 * i + i + 10 * i + 8 + i,
  },
  {
    name: "elements of arrays of buffers, chosen by an index, as arguments and objects of methods",
    text: `RWStructuredBuffer<float> p[3]; struct S { float a; float2 b; void grow(float k) { a += k; } float sum() { return a + b.y; } };
RWStructuredBuffer<S> q[2]; RWStructuredBuffer<float> o;
void add(inout float x, float k) { x += k; } float twice(inout float x) { float before = x; x *= 2; return before; }
void whole(inout int n) { n *= 3; } void both(out float2 v, float k) { v = float2(k, k + 1); } void turn(inout S s) { S t; t.a = s.b.x; t.b = s.b.yx; s = t; }
${main} { add(p[i % 3][i], p[(i + 1) % 3][i] * 0.5); float r = twice(p[(i + 1) % 3][i]) + q[i & 1][i].sum() * 10;
  for (uint j = 0; j < 2; j++, add(p[2][i], 1)) { q[(i + j) & 1][i].grow(j + 1); whole(p[j][i]); }
  both(q[i & 1][i].b, r); turn(q[(i >> 1) & 1][i]); (add(q[i & 1][i].b.x, 1), r += 0.25);
  if (twice(p[i & 1][i]) > 1000 && twice(p[(i & 1) + 1][i]) > 3) r += 0.5;
  o[i] = r + p[0][i] + p[1][i] * 2 + p[2][i] * 3 + q[0][i].a + q[0][i].b.x * 2 + q[0][i].b.y * 3 + q[1][i].a * 4 + q[1][i].b.x * 5 + q[1][i].b.y * 6; }`,
    args: {
      "p[0]": floats((i) => i),
      "p[1]": floats((i) => 100 * i),
      "p[2]": floats((i) => 50 + i),
      "q[0]": Float32Array.from(lanes.flatMap((i) => [i, 2, 3])),
      "q[1]": Float32Array.from(lanes.flatMap((i) => [2 * i, 4, 5])),
      o: floats(() => -1),
    },
    o: (i) => {
      const x = [i, 100 * i, 50 + i];
      const s = [
        [i, 2, 3],
        [2 * i, 4, 5],
      ];
      x[i % 3]! += x[(i + 1) % 3]! * 0.5;
      let r = x[(i + 1) % 3]! + (s[i & 1]![0]! + s[i & 1]![2]!) * 10;
      x[(i + 1) % 3]! *= 2;
      for (const j of [0, 1]) {
        s[(i + j) & 1]![0]! += j + 1;
        x[j] = Math.trunc(x[j]!) * 3;
        x[2]!++;
      }
      s[i & 1] = [s[i & 1]![0]!, r, r + 1];
      const [, b, c] = s[(i >> 1) & 1]!;
      s[(i >> 1) & 1] = [b!, c!, b!];
      s[i & 1]![1]!++;
      r += 0.25;
      const first = x[i & 1]!;
      x[i & 1]! *= 2;
      if (first > 1000) {
        if (x[(i & 1) + 1]! > 3) r += 0.5;
        x[(i & 1) + 1]! *= 2;
      }
      const all = [...x.map((v, k) => v * (k + 1)), ...s.flat().map((v, k) => v * (k + 1))];
      return all.reduce((sum, v) => Math.fround(sum + Math.fround(v)), r);
    },
  },
  {
    name: "chosen by a constant",
    text: `${two}static const bool second = true;
${main} { StructuredBuffer<float> b = second ? c : a; o[i] = b[i]; }`,
    args: ac,
    o: (i) => 10 * i,
  },
  {
    name: "members of structs, with methods, lists and functions that return them",
    text: `${two}struct View { StructuredBuffer<float> b; uint first; float at(uint i) { return b[first + i]; } };
struct Pair { View x; RWStructuredBuffer<float> y; };
View made(uint n) { View v = { c, n }; return v; }
void run(Pair p, uint i) { p.y[i] = p.x.at(i); }
${main} { Pair p; p.x.b = a; p.x.first = 0; p.y = o; run(p, i); View v = made(i); View u = v; o[i] += u.at(0); }`,
    args: ac,
    o: (i) => 11 * i,
  },
  {
    name: "members of a struct that the host gives",
    text: `${heldBuffers}float at(View v, uint i) { return v.b[v.first + i]; }
${main} { g.o[i] = at(g.x, i) + g.two[1][i] - g.two[0][i] + g.k; View own = g.x; g.o[i] += own.b[own.first] + more.x.b[i]; }`,
    // two[k][i] = 100 k + i.
    args: {
      o: floats(() => -1),
      "g.x.b": Float32Array.from([...lanes, 8]),
      "g.x.first": 1,
      "g.two[0]": floats((i) => i),
      "g.two[1]": floats((i) => 100 + i),
      "g.k": 0.5,
      "more.x.b": floats((i) => 1000 * i),
      "more.x.first": 0,
    },
    o: (i) => i + 1 + 100 + 0.5 + 1 + 1000 * i,
  },
  {
    name: "methods of a struct that the host gives, and of a constant buffer",
    text: `struct View { StructuredBuffer<float> b; uint first; float at(uint i) { return this.b[first + i]; } }; View v;
struct K { float k; float twice() { return 2 * k; } }; ConstantBuffer<K> c; RWStructuredBuffer<float> o;
${main} { o[i] = v.at(i) + v.at(0) * c.twice(); }`,
    args: { "v.b": Float32Array.from([...lanes, 8, 9]), "v.first": 2, "c.k": 50, o: floats(() => -1) },
    o: (i) => i + 2 + 2 * 100,
  },
  {
    name: "arrays, by constant and by computed index, and how long they are",
    text: `StructuredBuffer<float> a[3] : register(t2); RWStructuredBuffer<float> o;
float last(StructuredBuffer<float> b) { uint n, stride; b.GetDimensions(n, stride); return b[n - 1] + stride; }
${main} { StructuredBuffer<float> b = a[1]; StructuredBuffer<float> d = a[i % 3]; o[i] = b[i] + a[NonUniformResourceIndex(i % 3)][0] + d[1] + last(a[2]); }`,
    // a[k][i] = 100 k + i; the last has 4 elements.
    args: {
      "a[0]": floats((i) => i),
      "a[1]": floats((i) => 100 + i),
      "a[2]": Float32Array.from([200, 201, 202, 203]),
      o: floats(() => -1),
    },
    o: (i) => 100 + i + 100 * (i % 3) + (100 * (i % 3) + 1) + 203 + 4,
  },
  {
    name: "arrays of arrays",
    text: `StructuredBuffer<float> a[2][3] : register(t2); RWStructuredBuffer<float> o;
${main} { int k = i & 1; StructuredBuffer<float> b = a[1][0]; o[i] = a[0][2][i] + 10 * a[k][i % 3][0] + 100 * b[0] + 1000 * a[NonUniformResourceIndex(1)][2][1]; }`,
    // a[j][k][i] = 3 j + k + i.
    args: {
      ...Object.fromEntries([0, 1, 2, 3, 4, 5].map((n) => [`a[${Math.floor(n / 3)}][${n % 3}]`, floats((i) => n + i)])),
      o: floats(() => -1),
    },
    o: (i) => 2 + i + 10 * (3 * (i & 1) + (i % 3)) + 100 * 3 + 1000 * 6,
  },
  {
    name: "local arrays as arguments and copies of them",
    text: `${several}float both(StructuredBuffer<float> b[2], uint i) { return b[0][i] + 10 * b[1][i]; }
${main} { StructuredBuffer<float> t[2]; t[0] = a[1]; t[1] = c; o[i] = both(t, i) + t[0][i];
  StructuredBuffer<float> m[2] = t; t[0] = a[2]; o[i] += m[0][i] + t[0][i];
  m = t; t[1] = a[0]; o[i] += m[0][i] * 2 + m[1][i]; }`,
    args: severalBuffers,
    o: (i) => a(1, i) + 10 * c(i) + a(1, i) + (a(1, i) + a(2, i)) + (2 * a(2, i) + c(i)),
  },
  {
    name: "local arrays that a function changes, and hands on",
    text: `${several}float both(StructuredBuffer<float> b[2], uint i) { return b[0][i] + 10 * b[1][i]; }
float moved(StructuredBuffer<float> b[2], uint k, uint i) { b[0] = b[1]; return b[k][i] + both(b, i); }
${main} { StructuredBuffer<float> t[2]; t[0] = a[1]; t[1] = c; o[i] = moved(t, i & 1, i); o[i] += t[0][i]; }`,
    args: severalBuffers,
    o: (i) => c(i) + 11 * c(i) + a(1, i),
  },
  {
    name: "arrays of the file as values, and what functions return of them",
    text: `${several}StructuredBuffer<float> pick(StructuredBuffer<float> b[3], uint k) { return b[k]; }
float all(StructuredBuffer<float> b[], uint i) { return b[0][i] + 2 * b[1][i]; }
${main} { StructuredBuffer<float> f[3] = a; o[i] = f[i % 3][i] + all(f, i); StructuredBuffer<float> e[3] = a; e[0] = c; o[i] += e[0][i] + e[2][i] + pick(a, i % 3)[1]; }`,
    args: severalBuffers,
    o: (i) => a(i % 3, i) + a(0, i) + 2 * a(1, i) + c(i) + a(2, i) + a(i % 3, 1),
  },
  {
    name: "arrays without a length, by number",
    text: `StructuredBuffer<float> a[] : register(t3); RWByteAddressBuffer w[] : register(u4, space1); RWStructuredBuffer<float> o : register(u0);
float sum(StructuredBuffer<float> b[], uint i) { return b[0][i] + 2 * b[2][i]; }
${main} { const uint one = 1; uint n, size; a[1].GetDimensions(n, size); w[one].Store(4 * i, i + 1); o[i] = sum(a, i) + n * 1000 + w[1].Load(4 * i); }`,
    args: {
      "a[0]": floats((i) => i),
      "a[1]": Float32Array.from([1, 2, 3]),
      "a[2]": floats((i) => 10 * i),
      "w[0]": floats(() => 0),
      "w[1]": floats(() => 0),
      o: floats(() => -1),
    },
    o: (i) => i + 20 * i + 3000 + i + 1,
  },
  {
    name: "many buffers, one of which a function is given by a computed index",
    text: `StructuredBuffer<float> a[12]; RWStructuredBuffer<float> o;
float twice(StructuredBuffer<float> b, uint i) { return 2 * b[i]; }
${main} { o[i] = twice(a[i + 3], i) + a[11][0]; }`,
    args: {
      ...Object.fromEntries(Array.from({ length: 12 }, (_, k) => [`a[${k}]`, floats((i) => 100 * k + i)])),
      o: floats(() => -1),
    },
    o: (i) => 2 * (100 * (i + 3) + i) + 1100,
  },
  {
    name: "arrays as parameters: of every array that is given, handed on, and without a length",
    text: `StructuredBuffer<float> a[3] : register(t2); StructuredBuffer<float> c[2]; RWStructuredBuffer<float> o; RWStructuredBuffer<float> w[2];
// The element of one of them.
float at(StructuredBuffer<float> b[3], uint k, uint i) { return b[k][i]; }
float at(StructuredBuffer<float> b[2], uint k, uint i) { return 2 * b[k][i]; }
float all(StructuredBuffer<float> b[3], uint i) { float s = 0; for (uint k = 0; k < 3; k++) s += at(b, k, i); return s; }
float first(StructuredBuffer<float> b[], uint i) { StructuredBuffer<float> one = b[0]; return one[i]; }
void put(RWStructuredBuffer<float> to[2], StructuredBuffer<float> from[2], uint i) { to[1][i] = at(from, i & 1, i); to[0][i] = 0; to[0][i] += first(from, i); }
struct M { uint k; float get(StructuredBuffer<float> b[2], uint i) { return b[k][i]; } };
template <typename T> T both(StructuredBuffer<T> b[2], uint i) { return b[0][i] + b[1][i]; }
${main} { put(w, c, i); M m; m.k = 1; o[i] = at(a, i % 3, i) + all(a, i) + first(a, i) + w[1][i] + w[0][i] + m.get(c, i) + both(c, i); }`,
    // a[k][i] = 100 k + i, c[k][i] = 10000 k + i.
    args: {
      "a[0]": floats((i) => i),
      "a[1]": floats((i) => 100 + i),
      "a[2]": floats((i) => 200 + i),
      "c[0]": floats((i) => i),
      "c[1]": floats((i) => 10000 + i),
      "w[0]": floats(() => -1),
      "w[1]": floats(() => -1),
      o: floats(() => -1),
    },
    o: (i) => 100 * (i % 3) + i + (300 + 3 * i) + i + 2 * (10000 * (i & 1) + i) + i + (10000 + i) + (10000 + 2 * i),
  },
  {
    name: "arrays of arrays as parameters, one of them, and byte addresses",
    text: `StructuredBuffer<float> a[2][3] : register(t2); RWByteAddressBuffer w[2]; RWStructuredBuffer<float> o;
float row(StructuredBuffer<float> b[3], uint k) { return b[k][0]; }
float whole(StructuredBuffer<float> b[2][3], uint j, uint k) { return b[j][k][0] + row(b[0], k); }
uint add(RWByteAddressBuffer b[2], uint k, uint i) { RWByteAddressBuffer q = b[k]; uint before; q.InterlockedAdd(4 * i, 7, before); return before; }
${main} { o[i] = row(a[1], i % 3) + 10 * whole(a, i & 1, 2) + 100 * add(w, 1, i) + 1000 * w[1].Load(4 * i); }`,
    args: {
      ...Object.fromEntries([0, 1, 2, 3, 4, 5].map((n) => [`a[${Math.floor(n / 3)}][${n % 3}]`, floats((i) => n + i)])),
      "w[0]": Uint32Array.from(lanes, () => 0),
      "w[1]": Uint32Array.from(lanes, () => 2),
      o: floats(() => -1),
    },
    o: (i) => 3 + (i % 3) + 10 * (3 * (i & 1) + 2 + 2) + 200 + 9000,
  },
  {
    name: "constant buffers of an array, chosen as a whole",
    text: `struct C { float k; float2 v; }; ConstantBuffer<C> many[3]; RWStructuredBuffer<float> o;
float plain(C b) { return b.k + b.v.y; }
C at(uint n) { return many[n]; }
${main} { C s = many[i % 3]; o[i] = s.k + s.v.y * 10 + 100 * plain(many[(i + 1) % 3]) + 1000 * at(i & 1).k; }`,
    args: {
      ...Object.fromEntries(
        [0, 1, 2].flatMap((n) => [
          [`many[${n}].k`, n + 1],
          [`many[${n}].v`, [0, 4 + n]],
        ]),
      ),
      o: floats(() => -1),
    },
    o: (i) => {
      const [a, b] = [i % 3, (i + 1) % 3];
      return a + 1 + 10 * (4 + a) + 100 * (b + 1 + 4 + b) + 1000 * ((i & 1) + 1);
    },
  },
  {
    name: "constant buffers as locals, parameters and results",
    text: `struct C { float k; float2 v; float w[2]; float twice() { return 2 * k; } }; ConstantBuffer<C> c : register(b1); ConstantBuffer<C> more[2]; RWStructuredBuffer<float> o;
float of(ConstantBuffer<C> b, uint i) { return b.k + b.w[i] + b.twice(); }
ConstantBuffer<C> made() { return more[1]; }
float plain(C b) { return b.v.y; }
${main} { ConstantBuffer<C> d = c; C e = d; ConstantBuffer<C> f = made(); d = more[0]; o[i] = of(c, i & 1) + 10 * of(more[1], 0) + 100 * plain(d) + 1000 * f.k + 10000 * e.w[1]; }`,
    args: {
      ...Object.fromEntries(
        [
          ["c", 1],
          ["more[0]", 2],
          ["more[1]", 3],
        ].flatMap(([name, n]) => [
          [`${name}.k`, n],
          [`${name}.v`, [0, 4 + Number(n)]],
          [`${name}.w`, [5, 6]],
        ]),
      ),
      o: floats(() => -1),
    },
    o: (i) => 1 + 5 + (i & 1) + 2 + 10 * (3 + 5 + 6) + 100 * 6 + 1000 * 3 + 10000 * 6,
  },
  {
    name: "push constants that say where they lie",
    text: `struct P { float a; [[vk::offset(16)]] float b; [[vk::offset(32)]] float2 v; float last; }; [[vk::push_constant]] P p; RWStructuredBuffer<float> o;
${main} { o[i] = p.a + 10 * p.b + 100 * p.v.y + 1000 * p.last + i; }`,
    args: { "p.a": 1, "p.b": 2, "p.v": [0, 3], "p.last": 4, o: floats(() => -1) },
    o: (i) => 4321 + i,
  },
  {
    name: "local arrays",
    text: `${two}${main} { StructuredBuffer<float> b[2]; b[0] = c; b[1] = a; o[i] = b[1][i] + b[0][1]; }`,
    args: ac,
    o: (i) => i + 10,
  },
  {
    name: "byte addresses",
    text: `ByteAddressBuffer r; RWByteAddressBuffer w[2]; RWStructuredBuffer<float> o;
uint get(ByteAddressBuffer b, uint i) { return b.Load(4 * i); }
void add(RWByteAddressBuffer b, uint at, uint v) { b.InterlockedAdd(at, v); }
${main} { add(w[1], 4 * i, get(r, i)); RWByteAddressBuffer q = w[1]; o[i] = q.Load(4 * i) + w[0].Load(0); }`,
    args: {
      r: Uint32Array.from(lanes, (i) => i * i),
      "w[0]": Uint32Array.of(5),
      "w[1]": Uint32Array.from(lanes, (i) => 1000 * i),
      o: floats(() => -1),
    },
    o: (i) => 1000 * i + i * i + 5,
  },
  {
    // As DXC's disassembly has it: six words of two rows, and of three columns.
    name: "matrices at byte addresses, loaded by rows and stored by columns",
    text: `ByteAddressBuffer r; RWByteAddressBuffer w; RWStructuredBuffer<float> o;
${main} { float2x3 m = r.Load<float2x3>(24 * i); o[i] = m[0][1] + 10 * m[1][0]; w.Store<float2x3>(24 * i, m); w.Store(24 * i, asuint(asfloat(w.Load(24 * i + 4)))); o[i] += 100 * asfloat(w.Load(24 * i)); }`,
    args: {
      r: new Uint32Array(Float32Array.from({ length: 48 }, (_, k) => k).buffer),
      w: new Uint32Array(48),
      o: floats(() => -1),
    },
    o: (i) => 6 * i + 1 + 10 * (6 * i + 3) + 100 * (6 * i + 3),
  },
  {
    // As DXC's disassembly has it: 64 bits of a uint64_t, 16 of a uint16_t, a float's own; Store2 converts.
    name: "Store without a type, which keeps what the value is",
    text: `struct A { float p; uint16_t q[2]; bool b; }; enum E { X, Y, Z };
RWByteAddressBuffer w; RWStructuredBuffer<float> o;
${main} { uint at = 64 * i; w.Store(at, (uint64_t)(i + 1) << 33); w.Store(at + 10, (uint16_t)(i + 7)); w.Store(at + 12, 1.5); float f = i; w.Store(at + 16, f);
  A a; a.p = 3; a.q[0] = 4; a.q[1] = 5; a.b = true; w.Store(at + 20, a); int v[2] = {i, 6}; w.Store(at + 32, v); w.Store(at + 40, Z); w.Store(at + 44, i > 1);
  w.Store2(at + 48, float2(i, 2.75)); w.Store(at + 56, 5ll);
  o[i] = w.Load(at) + w.Load(at + 4) + w.Load(at + 8) / 65536.0 * 10 + asfloat(w.Load(at + 12)) * 100 + asfloat(w.Load(at + 16)) * 1000
    + asfloat(w.Load(at + 20)) + w.Load(at + 24) / 65536 + w.Load(at + 28) * 7 + w.Load(at + 32) * 11 + w.Load(at + 36) * 13 + w.Load(at + 40) * 17
    + w.Load(at + 44) * 19 + w.Load(at + 48) * 23 + w.Load(at + 52) * 29 + w.Load(at + 56) * 31 + w.Load(at + 60); }`,
    args: { w: new Uint32Array(16 * 8), o: floats(() => -1) },
    o: (i) =>
      2 * (i + 1) + 10 * (i + 7) + 150 + 1000 * i + 3 + 5 + 7 + 11 * i + 78 + 34 + (i > 1 ? 19 : 0) + 23 * i + 58 + 155,
  },
  {
    name: "typed buffers, templates, other names of a buffer and of its type",
    text: `Buffer<float4> t; StructuredBuffer<float> a; RWStructuredBuffer<float> o;
typedef StructuredBuffer<float> Floats; static Floats also = a;
template <typename B> float first(B b, uint i) { return b[i]; }
float y(Buffer<float4> b, int i) { return b[i].y + b.Load(i).z; }
float kind(StructuredBuffer<float> b) { return 1; } float kind(RWStructuredBuffer<float> b) { return 2; }
${main} { o[i] = 0; o[i] = first(also, i) + first(o, i) + y(t, i) + kind(o) * 10 + kind(a); }`.replace(
      "static Floats also",
      "static StructuredBuffer<float> also",
    ),
    args: {
      t: Float32Array.from({ length: 32 }, (_, k) => (k % 4) * 100 + (k >> 2)),
      a: ac.a,
      o: ac.o,
    },
    o: (i) => i + 0 + (100 + i) + (200 + i) + 21,
  },
  {
    name: "constant buffers as values and in arrays",
    text: `struct C { float4 v; uint n; float w[2]; }; ConstantBuffer<C> one; ConstantBuffer<C> many[2]; RWStructuredBuffer<float> o;
float sum(C c) { return c.v.y + c.n + c.w[1]; }
${main} { C c = one; o[i] = c.v.x + sum(one) + many[1].v.z + many[i & 1].n + sum(many[0]); }`,
    args: {
      "one.v": [1, 2, 3, 4],
      "one.n": 5,
      "one.w": [6, 7],
      "many[0].v": [10, 20, 30, 40],
      "many[0].n": 50,
      "many[0].w": [60, 70],
      "many[1].v": [100, 200, 300, 400],
      "many[1].n": 500,
      "many[1].w": [600, 700],
      o: ac.o,
    },
    o: (i) => 1 + (2 + 5 + 7) + 300 + (i & 1 ? 500 : 50) + (20 + 50 + 70),
  },
  {
    name: "rows and elements of matrices that a function writes, and sizes",
    text: `struct S { float3x3 m; uint k; }; RWStructuredBuffer<S> s; RWStructuredBuffer<float> o;
void turn(inout float3 r) { r = r.zyx + 1; }
row_major float2x2 twice(column_major float2x2 m) { return m * 2; }
void both(inout float2 d, out float3 r) { d *= 10; r = float3(d, 7); }
${main} {
  turn(s[i].m[1]); turn(s[i].m[i % 3]); float3x3 q = s[i].m; float3 r; both(q._m00_m22, r); q[1] = r;
  float2x2 t = twice(float2x2(q[1].xy, q._m00, 1)); o[i] = q._m00 + q._m22 + q._m11 + q._m12 + t._m01 + sizeof(S) * 1000 + sizeof q;
}`,
    // Every matrix begins as zeros: row 1 is turned once or twice, rows 0 and 2 once or not at all.
    args: { s: new Float32Array(80), o: ac.o },
    o: (i) => {
      const [first, last] = [i % 3 === 0 ? 10 : 0, i % 3 === 2 ? 10 : 0];
      return first + last + last + 7 + 2 * last + 40000 + 36;
    },
  },
  {
    name: "texture buffers",
    text: `tbuffer T { float4 a; float b[3]; row_major float2x3 m; }; struct S { float2 v; uint n; }; TextureBuffer<S> t : register(t5);
TextureBuffer<S> many[2]; StructuredBuffer<float> c; RWStructuredBuffer<float> o;
${main} { S s = t; o[i] = a.w + b[i % 3] + m[1][2] + s.v.y + t.n + many[1].v.x + many[i & 1].n + c[i]; }`,
    args: {
      "T.a": [1, 2, 3, 4],
      "T.b": [10, 20, 30],
      // As a launch gives it: by columns.
      "T.m": [0, 0, 0, 0, 0, 500],
      "t.v": [0, 1000],
      "t.n": 2000,
      "many[0].v": [7, 0],
      "many[0].n": 3000,
      "many[1].v": [10000, 0],
      "many[1].n": 4000,
      c: ac.c,
      o: ac.o,
    },
    o: (i) => 4 + 10 * ((i % 3) + 1) + 500 + 1000 + 2000 + 10000 + (i & 1 ? 4000 : 3000) + 10 * i,
  },
  {
    name: "loads with a status",
    text: `ByteAddressBuffer r; Buffer<float4> t; struct S { float a; uint b; }; StructuredBuffer<S> s; RWStructuredBuffer<float> o;
${main} {
  uint st = i; uint v = r.Load(st * 4, st); bool all = CheckAccessFullyMapped(st); uint2 w = r.Load2(0, st); float f = r.Load<float>(8, st);
  uint k; float4 q = t.Load(i, k); S x = s.Load(i, k); o[i] = v + w.y + f + q.y + x.b + (all && CheckAccessFullyMapped(k) ? 0.5 : 0);
}`,
    args: {
      r: Uint32Array.of(1, 2, 0x40400000, 4, 5, 6, 7, 8),
      t: Float32Array.from({ length: 32 }, (_, k) => k),
      s: Uint32Array.from({ length: 16 }, (_, k) => (k % 2 === 0 ? 0 : 100 * k)),
      o: ac.o,
    },
    o: (i) => Math.fround((i === 2 ? 0x40400000 : i + 1) + 2 + 3 + 4 * i + 1 + 100 * (2 * i + 1) + 0.5),
  },
  {
    name: "matrices as elements, which DXC lays by columns whatever they say",
    text: `typedef row_major float3x2 R; StructuredBuffer<row_major float3x2> a; RWStructuredBuffer<R> w; StructuredBuffer<column_major float2x2> c;
RWStructuredBuffer<float> o;
${main} { float3x2 m = a[0]; w[i][1] = float2(m._m10, a[0][2][1]); o[i] = m[1].x + w[i]._m11 * 10 + c[0]._m01 * 100; }`,
    args: {
      a: Float32Array.of(1, 2, 3, 4, 5, 6),
      w: new Float32Array(48),
      c: Float32Array.of(1, 2, 3, 4),
      o: ac.o,
    },
    o: () => 2 + 60 + 300,
  },
  {
    name: "memory of the workgroup as an argument",
    text: `groupshared float g[8]; struct S { int n; float2 v; }; groupshared S s; RWStructuredBuffer<float> o;
void fill(groupshared float x[8], uint i) { x[i] = i * i; }
float turned(groupshared float x[8], uint i) { return x[7 - i]; }
void bump(groupshared S x) { x.n += 3; x.v.y = 4; }
${main} { if (l == 0) { s.n = 1; s.v = 0; bump(s); } fill(g, l); GroupMemoryBarrierWithGroupSync(); o[i] = turned(g, l) + s.n + s.v.y; }`,
    args: { o: ac.o },
    o: (i) => (7 - i) * (7 - i) + 4 + 4,
  },
  {
    // DXC loads behind the barrier from g itself, in every version of the language.
    name: "memory of the workgroup as an argument is the caller's own, and no copy",
    text: `groupshared float g[8]; groupshared uint n; RWStructuredBuffer<float> o;
float look(groupshared float x[8], uint i) { g[i] = 5 + i; GroupMemoryBarrierWithGroupSync(); return x[7 - i]; }
void put(groupshared uint x) { x = 100; }
${main} { g[l] = 1; GroupMemoryBarrierWithGroupSync(); float v = look(g, l); if (l == 0) put(n); GroupMemoryBarrierWithGroupSync(); o[i] = v + n; }`,
    args: { o: ac.o },
    o: (i) => 5 + 7 - i + 100,
  },
  {
    name: "static buffers that functions are given, which others read",
    text: `static RWStructuredBuffer<float> w; static StructuredBuffer<float> b; static StructuredBuffer<float> again; static RWStructuredBuffer<float> never; static RWByteAddressBuffer raw;
${two}RWByteAddressBuffer bytes; float read(uint i) { return b[i] * 100 + again[7 - i]; } void use(bool all) { b = c; if (all) w = o; raw = bytes; }
float twice(StructuredBuffer<float> x, uint i) { return 2 * x[i]; }
${main} { use(true); again = b; w[i] = read(i); w[i] += twice(b, i); raw.Store(4 * i, 5 + i); o[i] += raw.Load(4 * i); }`,
    args: { ...ac, bytes: new Uint32Array(8) },
    o: (i) => 1000 * i + 10 * (7 - i) + 20 * i + 5 + i,
  },
];

shapesCompute(shapes);

// There is no buffer of such a number, however what is chosen is used.
test.each(["StructuredBuffer<float> d = f[n]; o[i] = d[i];", "o[i] = get(f[n], i);", "o[i] = f[n][i];"])(
  "%s is a finding where n is 3 or -1, and nowhere else",
  async (body) => {
    const source = `StructuredBuffer<float> f[3]; RWStructuredBuffer<float> o; cbuffer C { int n; };
float get(StructuredBuffer<float> b, uint k) { return b[k]; }
[numthreads(1, 1, 1)] void k(uint i : SV_DispatchThreadID) { ${body} }`;
    for (const n of [0, 1, 2, 3, -1]) {
      const one = (x: number): Float32Array => new Float32Array([x]);
      const args = { "f[0]": one(5), "f[1]": one(6), "f[2]": one(7), o: one(0), n };
      const { buffers, findings } = await simulate(source, { from: "hlsl", workgroups: [1], args });
      if (n >= 0 && n < 3) expect([findings, [...(buffers.o as Float32Array)]]).toEqual([[], [5 + n]]);
      else expect(findings.map((f) => f.message)).toContain(`block ${String(n)} of an array of 3 blocks`);
    }
  },
);

describe("where values lie in constant buffers, as DXC 1.9 lists and loads them", () => {
  const bools =
    "bool2x2 m; int z; bool2x3 n; int y; row_major bool2x3 r; int x; bool3x2 q[2]; int w; bool1x3 e; int v; bool3x1 f; int u;";
  const holder = `struct E { float3 x; uint y; float2 z; }; struct P { uint g; };
struct I { StructuredBuffer<int> c; uint f; };
struct R : P { float2 a; RWStructuredBuffer<E> b; uint n; I i; ByteAddressBuffer c; float3 k; StructuredBuffer<float4> d[2]; uint l; };
float before; R r; float3 after; RWStructuredBuffer<float> o;`;
  test.each<[string, string, boolean, Record<string, number>]>([
    [
      "matrices of bool that are members take whole registers",
      `cbuffer C { ${bools} };`,
      false,
      { m: 0, z: 32, n: 48, y: 96, r: 112, x: 144, q: 160, w: 220, e: 224, v: 272, f: 288, u: 304 },
    ],
    [
      "so do loose ones",
      bools,
      false,
      { m: 0, z: 32, n: 48, y: 96, r: 112, x: 144, q: 160, w: 220, e: 224, v: 272, f: 288, u: 304 },
    ],
    [
      "with 16-bit types they do not",
      `cbuffer C { ${bools} };`,
      true,
      { m: 0, z: 24, n: 32, y: 72, r: 80, x: 108, q: 112, w: 172, e: 176, v: 212, f: 224, u: 236 },
    ],
    [
      "nor in structs",
      "struct S { int a; bool2x2 m; int z; }; cbuffer C { S s; int w; };",
      false,
      { "s.a": 0, "s.m": 16, "s.z": 40, w: 44 },
    ],
    [
      "what has no packoffset lies behind all that have one",
      "cbuffer C { int u; float3 g : packoffset(c2); int t; int l : packoffset(c5.y); };",
      false,
      { u: 88, g: 32, t: 92, l: 84 },
    ],
    [
      "in its order",
      "cbuffer C { float a : packoffset(c1.z); float3 b; float c : packoffset(c0.y); float2 d; };",
      false,
      { a: 24, b: 32, c: 4, d: 48 },
    ],
  ])("%s", async (_, declared, enable16bitTypes, expected) => {
    const names = Object.keys(expected);
    const text = `${declared} RWStructuredBuffer<float> o; ${main} { o[i] = 1; }`;
    const { entries } = await reflect(text, { from: "hlsl", enable16bitTypes });
    const at = entries[0]!.arguments.flatMap((a) =>
      a.slots.hlsl?.offset === undefined ? [] : [[a.path.replace("C.", ""), a.slots.hlsl.offset] as const],
    );
    expect(Object.fromEntries(at)).toEqual(expected);
    expect(at.map(([path]) => path)).toEqual(names);
  });

  test("beside buffers, which take the room of an element", async () => {
    const body = `o[i] = before + r.g + r.a.x + r.b[1].y + r.n + r.i.c[1] + r.i.f + r.c.Load(4) + r.k.y + r.d[1][0].x + r.l + after.x;`;
    const { entries } = await reflect(`${holder} ${main} { ${body} }`, { from: "hlsl" });
    const at = entries[0]!.arguments.filter((a) => a.kind === "value").map((a) => [a.path, a.slots.hlsl!.offset]);
    const listed = [0, 16, 20, 52, 68, 80, 128, 132].map((offset, k) => [
      ["before", "r.g", "r.a", "r.n", "r.i.f", "r.k", "r.l", "after"][k],
      offset,
    ]);
    expect(at).toEqual(listed);
  });
});

/** As DXC numbers them: a class of registers counts on in the order of the members. */
test("buffers in a struct have registers of their own", async () => {
  const { entries } = await reflect(`${heldBuffers}${main} { g.o[i] = g.x.b[i] + g.two[1][0]; }`, { from: "hlsl" });
  const slots = entries[0]!.arguments
    .filter((a) => a.kind === "buffer" && a.path.startsWith("g"))
    .map((a) => [a.path, a.slots.hlsl!.register, a.slots.hlsl!.slot, a.slots.hlsl!.set]);
  expect(slots).toEqual([
    ["g.o", "u", 3, undefined],
    ["g.x.b", "t", 2, undefined],
    ["g.two[0]", "t", 3, undefined],
    ["g.two[1]", "t", 4, undefined],
  ]);
  // DXC begins a register with the struct, and its buffers take room in it: 'h.k' at 20, 'after' at 24.
  const values = `struct V { StructuredBuffer<float> x; float k; }; float before; V h; float after; ${two}`;
  const beside = await reflect(`${values}${main} { o[i] = before + h.k + h.x[i] + after; }`, { from: "hlsl" });
  const offsets = beside.entries[0]!.arguments.filter((a) => a.kind === "value").map((a) => [
    a.path,
    a.slots.hlsl?.offset,
    a.slots.glsl?.offset,
  ]);
  expect(offsets).toEqual([
    ["before", 0, 0],
    ["h.k", 20, 4],
    ["after", 24, 8],
  ]);
  const twice = `struct A { StructuredBuffer<float> x; }; struct B : A { StructuredBuffer<float> x; }; B g; ${two}`;
  const inherited = await translate(`${twice}${main} { o[i] = g.x[i]; }`, { from: "hlsl", to: "glsl" });
  expect(inherited.diagnostics.map((d) => d.message)).toEqual([
    "'g.x' twice, of the struct and of one that it inherits, is not supported yet",
  ]);
  const several = `struct A { RWStructuredBuffer<float> o; }; A a[2]; ${main} { a[1].o[i] = 0; }`;
  const { diagnostics } = await translate(several, { from: "hlsl", to: "glsl" });
  expect(diagnostics.map((d) => d.message)).toEqual(["an array of structs that hold buffers is not supported yet"]);
  // DXC: "register space cannot be specified on global constants".
  const spaced = heldBuffers.replace("register(t2)", "register(t2, space1)");
  const placed = await translate(`${spaced}${main} { g.o[i] = 0; }`, { from: "hlsl", to: "glsl" });
  expect(placed.diagnostics.map((d) => d.message)).toEqual(["a register of a struct's buffers has no space"]);
});

/** glslang: "binding is too large" from 65535 on, "set is too large" from 63 on. */
const far = `StructuredBuffer<float> a : register(t65535); RWStructuredBuffer<float> o : register(u0, space100); RWStructuredBuffer<float> p : register(u1, space62);
${main} { o[i] = a[i]; p[i] = a[i]; }`;
test("registers that GLSL's compiler does not take are others there, and it is said", async () => {
  const { code, emulations } = await translate(far, { from: "hlsl", to: "glsl" });
  const places = [...code!.matchAll(/set = (\d+), binding = (\d+)/g)].map((m) => [m[1], m[2]]);
  expect(places).toEqual([
    ["0", "0"],
    ["0", "1"],
    ["62", "1"],
  ]);
  expect(emulations.map((e) => [e.op, e.message])).toEqual([
    ["binding-number", "binding 65535 of set 0 of the source is beyond 65534 and set 62 here, and has another number"],
    ["binding-number", "binding 0 of set 100 of the source is beyond 65534 and set 62 here, and has another number"],
  ]);
  expect((await verify(far, { from: "hlsl", to: "glsl" })).result).toBe("equivalent");
  expect((await translate(far, { from: "hlsl", to: "hlsl" })).code).toContain("space100");
});
judgeTest(judges.glsl, "and the text is taken", async () => {
  const { code } = await translate(far, { from: "hlsl", to: "glsl" });
  expect(refusals(await judgeOutputs([judgeable("glsl", "far", code!)]))).toBe("");
});

test("arrays of buffers without a length are refused where how many there are matters", async () => {
  const text = (use: string): string => `StructuredBuffer<float> a[]; RWStructuredBuffer<float> o; ${main} { ${use} }`;
  const said = async (use: string): Promise<readonly (readonly (string | undefined)[])[]> => {
    const { diagnostics } = await translate(text(use), { from: "hlsl", to: "glsl" });
    return diagnostics.filter((d) => d.severity === "error").map((d) => [d.code, d.message, d.help]);
  };
  const byIndex = "an array of buffers without a length, by a computed index, is not supported yet";
  expect(await said("o[i] = a[i][0];")).toEqual([
    ["XL1900", byIndex, "say how many there are, in the text or with --array-length name=n"],
  ]);
  expect((await said("StructuredBuffer<float> l[64] = a; o[i] = l[i][0];")).map((d) => d[1])).toEqual([
    "an array of buffers without a length as a value is not supported yet",
  ]);
  expect((await said("o[i] = a[2048][0];")).map((d) => d[1])).toEqual([
    "index 2048 is outside StructuredBuffer<float>[2048]",
  ]);
});

test("attributes that Vulkan alone reads are left out with a note, and an offset that cannot be is an error", async () => {
  const text = `cbuffer C { [[vk::offset(0)]] float a; [[vk::offset(32)]] float b; }; RWStructuredBuffer<float> o;
struct S { [[vk::offset(4)]] float q; [[vk::location(1)]] float r; }; [[vk::binding(4)]] StructuredBuffer<S> t : register(t5);
${main} { o[i] = a + b + t[i].r; }`;
  const said = ["offset", "offset", "offset", "location", "binding"].map(
    (a) => `attribute 'vk::${a}' is not carried over`,
  );
  const { code, diagnostics } = await translate(text, { from: "hlsl", to: "glsl" });
  expect(code).toBeDefined();
  expect(diagnostics.map((d) => d.message).sort()).toEqual(said.sort());
  const wrong = `struct P { float a; [[vk::offset(2)]] float b; }; [[vk::push_constant]] P p; RWStructuredBuffer<float> o; ${main} { o[i] = p.b; }`;
  expect((await translate(wrong, { from: "hlsl", to: "glsl" })).diagnostics.map((d) => d.message)).toEqual([
    "'b' cannot lie at byte 2: it is a multiple of 4 from 4 on",
  ]);
});

test("a function that takes an array of buffers keeps its comment and, of one array, its name", async () => {
  const text = `StructuredBuffer<float> a[2]; RWStructuredBuffer<float> o;
// The second of two.
float second(StructuredBuffer<float> b[2], uint i) { return b[1][i]; }
${main} { o[i] = second(a, i); }`;
  const { code } = await translate(text, { from: "hlsl", to: "glsl" });
  expect(code).toContain("// The second of two.\nfloat second(uint i) {");
});

// Lanes that choose another buffer would not come to the barrier, or be another's neighbours.
test.each(["GroupMemoryBarrierWithGroupSync();", "x += WaveActiveSum(x);"])(
  "a buffer chosen by an index is not handed to a function in which lanes meet: %s",
  async (meeting) => {
    const text = `RWStructuredBuffer<float> p[2]; void f(inout float x) { ${meeting} } void g(inout float x) { f(x); }\n${main} { g(p[i & 1][i]); }`;
    const { diagnostics } = await translate(text, { from: "hlsl", to: "glsl" });
    const messages = diagnostics.filter((d) => d.severity === "error").map((d) => d.message);
    expect(messages).toEqual(["handing on what is in a block chosen at run time is not supported yet"]);
  },
);

test.each(["static", "groupshared"])("a member of a cbuffer that is %s is refused by that name", async (word) => {
  // DXC takes both, and no host gives what they are.
  const text = `cbuffer C { ${word} float g[4]; float x; }; RWStructuredBuffer<float> o; ${main} { o[i] = g[0] + x; }`;
  const { code, diagnostics } = await translate(text, { from: "hlsl", to: "glsl" });
  expect(code).toBeUndefined();
  expect(diagnostics.map((d) => [d.code, d.message])).toEqual([
    ["XL1900", `'${word}' of a member of a cbuffer is not supported yet`],
  ]);
});

test("a matrix that Load reads, by rows as DXC does it alone, is refused", async () => {
  const text = `StructuredBuffer<float3x2> a; RWStructuredBuffer<float> o; ${main} { o[i] = a.Load(i)._m10; }`;
  const { diagnostics } = await translate(text, { from: "hlsl", to: "glsl" });
  expect(diagnostics.map((d) => d.code)).toEqual(["XL2003"]);
});

test("what a status says where there is none is assumed, but in HLSL", async () => {
  const text = `ByteAddressBuffer r; RWStructuredBuffer<uint> o; ${main} { uint k; o[i] = r.Load(i * 4, k); }`;
  for (const [to, count] of [["msl", 1] as const, ["hlsl", 0] as const]) {
    const { assumptions } = await translate(text, { from: "hlsl", to });
    expect(assumptions.filter((a) => a.op === "mapped-memory")).toHaveLength(count);
  }
});

judgeTest(hlslJudge, "a text that is written anew has texture buffers in registers that nothing else has", async () => {
  const text = `tbuffer T { float4 a; }; struct S { float4 v; }; TextureBuffer<S> t : register(t0); cbuffer C { uint m; };
StructuredBuffer<float> c; RWStructuredBuffer<float> o;
[numthreads(8, 1, 1)] void k(uint i : SV_DispatchThreadID) { o[i] = a.y + m + t.v.x + c[i]; }
[numthreads(8, 1, 1)] void another(uint i : SV_DispatchThreadID) { o[i] = 1; }`;
  const { code } = await translate(text, { from: "hlsl", to: "hlsl", entry: "k" });
  const registers = [...code!.matchAll(/^(tbuffer|cbuffer|StructuredBuffer).* : register\((\w+)\)/gm)];
  expect(registers.map((m) => m.slice(1))).toEqual([
    ["tbuffer", "t2"],
    ["tbuffer", "t0"],
    ["cbuffer", "b0"],
    ["StructuredBuffer", "t1"],
  ]);
  const [said] = await hlslJudge.accept([{ name: "k", text: code! }]);
  expect(said!.ok, said!.log).toBe(true);
});

/** A buffer is copied, handed over, indexed and has methods, and that is all. */
const wrong: readonly (readonly [string, string])[] = [
  ["if (a) o[i] = 1;", "XL2003"],
  ["o[i] = a == c;", "XL2004"],
  ["o[i] = (a + 1)[i];", "XL2004"],
  ["StructuredBuffer<float> b = a; b++;", "XL2004"],
  ["StructuredBuffer<int> b = a;", "XL2003"],
  ["RWStructuredBuffer<float> b = a;", "XL2003"],
  ["StructuredBuffer<float> b = 0;", "XL2003"],
  ["StructuredBuffer<float> b = a; b[i] = 1;", "XL2006"],
  ["int k; o[i] = a.Load(i, k);", "XL2005"],
  ["uint k; o[i] = a.Load(i, k, k);", "XL2005"],
];
const kernelOf = (body: string): string => `${two}${main} { ${body} }`;

test.each(wrong)("%s is refused", async (body, code) => {
  const { diagnostics } = await translate(kernelOf(body), { from: "hlsl", to: "hlsl" });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toContain(code);
});

judgeTest(hlslJudge, "DXC refuses them too", async () => {
  const said = await hlslJudge.accept(wrong.map(([body]) => ({ name: body, text: kernelOf(body) })));
  expect(said.filter(({ ok }) => ok)).toEqual([]);
});

const statics = `static StructuredBuffer<float> b; static RWStructuredBuffer<float> w;\n`;
test.each([
  [
    "if (i > 2) b = a; else b = c; o[i] = b[i];",
    "the static buffer 'b', which is 'a' in one place and 'c' in another, is",
  ],
  ["o[i] = b[i]; w = o;", "the static buffer 'b', to which no buffer is assigned, is"],
  ["set(a); o[i] = b[i];", "assigning what is no buffer of the file to the static buffer 'b' is"],
  ["w = o; o[i] = w.IncrementCounter();", "a counter of the static buffer 'w' is"],
])("%s is refused by name", async (body, said) => {
  const text = `${two}${statics}void set(StructuredBuffer<float> x) { b = x; } ${main} { ${body} }`;
  for (const to of ["hlsl", "glsl"] as const) {
    const { code, diagnostics } = await translate(text, { from: "hlsl", to });
    expect(code).toBeUndefined();
    expect(diagnostics.map((d) => d.message).join("\n")).toContain(said);
  }
});
