/** HLSL as it is written, and what other languages have no word for: results by hand, through every dialect and its compiler. */
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate } from "../src/index.js";
import { hlslJudge } from "./support/judges/hlsl.js";
import { judgeTest } from "./support/tool-test.js";
import { floats, lanes, main, shapesCompute, type Shape } from "./support/hlsl-shapes.js";

const o = floats(() => -1);
const out = "RWStructuredBuffer<float> o;\n";

const shapes: readonly Shape[] = [
  {
    name: "hidden counters",
    // Whichever lane comes first: what is at the place it takes tells of the place alone.
    text: `struct S { float v; float k; }; ConsumeStructuredBuffer<S> c; AppendStructuredBuffer<S> d; RWStructuredBuffer<uint> n, m;
${out}S next() { return c.Consume(); }
void keep(S s) { d.Append(s); }
${main} {
  uint up = n.IncrementCounter(); n[up] = up * 10; uint down = m.DecrementCounter();
  S s = next(); s.v += 100; keep(s); AllMemoryBarrierWithGroupSync();
  o[uint(s.k)] = s.v + n[uint(s.k)]; m[down] = down;
}`,
    args: {
      c: Float32Array.from(lanes.flatMap((i) => [i + 0.5, i])),
      "c.counter": Uint32Array.of(8),
      d: new Float32Array(16),
      "d.counter": Uint32Array.of(0),
      n: new Uint32Array(8),
      "n.counter": Uint32Array.of(0),
      m: new Uint32Array(8),
      "m.counter": Uint32Array.of(8),
      o,
    },
    o: (i) => i + 0.5 + 100 + 10 * i,
  },
  {
    name: "counted buffers as parameters, members, locals and results, and in arrays",
    text: `struct S { float v; float k; }; ConsumeStructuredBuffer<S> c; AppendStructuredBuffer<S> d[2]; RWStructuredBuffer<uint> n;
struct Q { ConsumeStructuredBuffer<S> from; AppendStructuredBuffer<S> to; float plus; };
${out}S next(ConsumeStructuredBuffer<S> b) { return b.Consume(); }
template <typename T> void keep(AppendStructuredBuffer<T> b, T s) { b.Append(s); }
uint count(RWStructuredBuffer<uint> b) { return b.IncrementCounter(); }
void take(inout AppendStructuredBuffer<S> b) { b = d[1]; }
void both(AppendStructuredBuffer<S> all[2], uint j, S s) { all[j & 1].Append(s); all[0].Append(s); }
float run(Q q) { S s = next(q.from); s.v += q.plus; keep(q.to, s); return s.k; }
${main} {
  RWStructuredBuffer<uint> w = n; uint at = count(w); w[at] = at * 10;
  Q q = { c, d[0], 100 }; take(q.to); uint k = uint(run(q)); S s = { k, i & 1 }; both(d, i, s);
  AllMemoryBarrierWithGroupSync(); o[k] = k + n[k];
}`,
    args: {
      c: Float32Array.from(lanes.flatMap((i) => [i + 0.5, i])),
      "c.counter": Uint32Array.of(8),
      "d[0]": new Float32Array(24),
      "d[0].counter": Uint32Array.of(0),
      "d[1]": new Float32Array(24),
      "d[1].counter": Uint32Array.of(0),
      n: new Uint32Array(8),
      "n.counter": Uint32Array.of(0),
      o,
    },
    o: (i) => 11 * i,
  },
  {
    // DXC takes such texts only where it knows which resource each is: to HLSL, too, accesses are written for each of them.
    name: "resources chosen at run time",
    text: `RWStructuredBuffer<float> a, b; cbuffer C { uint which; }; struct Q { RWStructuredBuffer<float> p; uint n; };
RWStructuredBuffer<float> pick(uint w) { if (w) return b; return a; }
${out}${main} {
  RWStructuredBuffer<float> p = which > 0 ? a : b, q = a; if (i & 1) q = b;
  p[i] += 1; q[i] += 10; pick(i & 2)[i] += 100; Q s = { a, 1000 }; if (i & 4) s.p = b; s.p[i] += s.n;
  RWStructuredBuffer<float> m[2] = { b, a }; o[i] = m[i & 1][i] + 0.5;
}`,
    args: { "C.which": 1, a: new Float32Array(8), b: new Float32Array(8), o },
    o: (i) => {
      const sums = { a: 1, b: 0 };
      sums[i & 1 ? "b" : "a"] += 10;
      sums[i & 2 ? "b" : "a"] += 100;
      sums[i & 4 ? "b" : "a"] += 1000;
      return sums[i & 1 ? "a" : "b"] + 0.5;
    },
  },
  {
    name: "macros behind a struct that has functions alone",
    text: `struct B { static int bits(int x, int n) { return x >> n; } };
#define SHIFT 2
static const uint reach = 1 << SHIFT;
${out}${main} { o[i] = B::bits(i * 4 + 9, SHIFT) + reach; }`,
    args: { o },
    o: (i) => i + 2 + 4,
  },
  {
    name: "counts of unrolling by name, and functions that only older compilers have by themselves",
    text: `static const uint reach = 1 << 2; float noise(float v) { return v * 0.5; } float noise(float2 v, int k) { return v.y * k; }
float errorf(float3 v) { return v.z; }
${out}${main} { float s = 0; [unroll(reach)] for (uint k = 1; k <= reach; k++) s += noise(k) + noise(float2(k, i), 2);
  o[i] = s + errorf(float3(1, 2, 100)); }`,
    args: { o },
    o: (i) => 5 + 8 * i + 100,
  },
  {
    name: "static members that get their values outside of the struct",
    text: `struct W { static const int n; static const int2 two; int v; int get() { return v + n; } };
static const int W::n = 5; static const int2 W::two = int2(3, 4);
${out}${main} { W w; w.v = i; o[i] = w.get() + 10 * W::n + 1000 * W::two.y; }`,
    args: { o },
    o: (i) => i + 5 + 50 + 4000,
  },
  {
    name: "static members by way of what the host sets",
    text: `struct S { float a; static const int n = 5; float c; }; ConstantBuffer<S> b;
${out}${main} { o[i] = b.a * i + b.n + b.c; }`,
    args: { "b.a": 3, "b.c": 100, o },
    o: (i) => 3 * i + 5 + 100,
  },
  {
    name: "methods and operators of constant objects",
    text: `struct C { float re, im; C plus(C c) { C r; r.re = re + c.re; r.im = im + c.im; return r; }
  C operator+(C c) { return plus(c); } float size() { return re * re + im * im; } void turn() { float t = re; re = -im; im = t; } };
StructuredBuffer<C> a; ${out}${main} {
  const C own = a[i]; C turned = own; turned.turn();
  o[i] = (own + a[(i + 1) % 8]).size() + a[i].plus(own).plus(turned).im;
}`,
    args: { a: Float32Array.from(lanes.flatMap((i) => [i, 2 * i + 1])), o },
    // (i, 2i + 1) and its neighbour; twice its second and once its first.
    o: (i) => (i + ((i + 1) % 8)) ** 2 + (2 * i + 1 + 2 * ((i + 1) % 8) + 1) ** 2 + 2 * (2 * i + 1) + i,
  },
  {
    // What DXC folds it to for each i.
    name: "rows found by expressions with effects",
    text: `int next(inout int n) { n++; return n - 1; }
${out}${main} { float2x3 m = float2x3(1, 2, 3, 4, 5, 6); int k = 0; float3 b = m[k++]--; m[next(k)] += float3(k, 10, 20); m[--k & 1].zx = float2(50, 60 + k);
  float2x2 q[2]; q[0] = q[1] = float2x2(1, 2, 3, 4); int at = 0; q[at++][at] = float2(7, at); q[next(at)][1] *= 3; float2 e = ++q[at - 1][at-- & 1];
  float r[16] = { m[0], m[1], b.y, q[0], q[1], at }; o[i] = r[i * 2] + 1000 * r[i * 2 + 1] + k * 0.5; }`,
    args: { o },
    o: (i) => [1000.5, 62002.5, 50015.5, 1002.5, 7002.5, 2000.5, 9003.5, 1012.5][i]!,
  },
  {
    // What DXC folds it to for each i: the old row is read after the value.
    name: "rows that the value assigned to them writes",
    text: `${out}${main} { float2x3 m = float2x3(1, 2, 3, 4, 5, 6); int k = 0; m[k++] += m[0]++; m[1] *= m[1] += k; float3 e = m[0].zxy += m[0].xyz--;
  float2x2 q[2]; q[0] = q[1] = float2x2(1, 2, 3, 4); q[k--][0] += q[1][0] = q[0][1]; q[k][k++] -= ++q[0][0];
  float r[16] = { m[0], m[1], e, q[0], q[1][0].x, q[1][0].y, k }; o[i] = r[i * 2] + 1000 * r[i * 2 + 1]; }`,
    args: { o },
    o: (i) => [11007, 25009, 49036, 7009, 11, 3000, 6004, 1008][i]!,
  },
  {
    // DXC's code, run by way of vkd3d-shader, gave these numbers.
    name: "rows and components of matrices that are stepped",
    text: `${out}${main} { float3x3 m = float3x3(1, 2, 3, 4, 5, 6, 7, 8, 9); ++m[1]; m[i % 3]++; float3 z = m[1]++ + --m[2]; m._m00_m11--; float2 y = ++m._m20_m02;
  float t = 0; for (int k = 0; k < 2; ++m[k++].x) t += m[k].x; int2x2 n = 5; int2 q = n[i & 1]--; o[i] = m[0].x + m[1].y * 10 + m[2].z * 100 + z.x * 1000 + y.y * 0.5 + t * 0.25 + (n[0].y + q.x * 10) * 10000; }`,
    args: { o },
    o: (i) => {
      const m = [1, 2, 3, 5, 6, 7, 7, 8, 9];
      const row = (r: number, by: number): void => [0, 1, 2].forEach((c) => (m[r * 3 + c]! += by));
      row(i % 3, 1);
      const z = m[3]! + m[6]! - 1;
      row(1, 1);
      row(2, -1);
      for (const [at, by] of [
        [0, -1],
        [4, -1],
        [6, 1],
        [2, 1],
      ] as const)
        m[at]! += by;
      const t = m[0]! + m[3]!;
      m[0]!++;
      return m[0]! + m[4]! * 10 + m[8]! * 100 + z * 1000 + m[2]! * 0.5 + t * 0.25 + (i & 1 ? 55 : 54) * 10000;
    },
  },
  {
    name: "a buffer without a type",
    text: `Buffer b; ${out}${main} { o[i] = b[0].y * i + b.Load(1).w; }`,
    args: { b: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), o },
    o: (i) => 2 * i + 8,
  },
  {
    name: "components of numbers",
    text: `${out}${main} { uint3 h = 0x1F.xxx; int2 r = 3.rr; float4 f = float4(1.xx, 0.5.xx); float2 g = 2.f.xx; o[i] = h.y + r.x + f.y + f.w + g.y + 7u.xx.y + i; }`,
    args: { o },
    o: (i) => 31 + 3 + 1 + 0.5 + 2 + 7 + i,
  },
  {
    name: "names of a loop's head behind it",
    hlslVersion: "2018",
    text: `${out}${main} {
  float s = 0;
  for (uint k = 0, j = 5; k < i; ++k) s += j;
  s += 100 * k;
  for (k = 2; k < 4; k++) s += 1000;
  for (int k = 7; k > 0; k -= 2) { for (uint n = 0; n < 3; ++n) s += 0.5; s += n; }
  o[i] = s + k;
}`,
    args: { o },
    // k ends at i; twice 1000; four rounds of 1.5 and 3; k ends at -1.
    o: (i) => 5 * i + 100 * i + 2000 + 4 * 4.5 - 1,
  },
  {
    name: "constants of the file that are computed",
    // In the order of the file, before the kernel: what `n` is later does not matter.
    text: `cbuffer C { float2 size; uint k; }; StructuredBuffer<float> t; ${out}float twice(float x) { return x * 2; }
static const float two = 4; static const float root = sqrt(two) * 0.5; static const float table[2] = { sqrt(two), pow(two, 2) };
static float n = 3; static const float2 texel = 1.0 / size; static const uint all = k * 4; static const float seven = twice(n) + t[0];
float later() { return seven + texel.y; }
${main} { n = 50; o[i] = root + table[i & 1] + texel.x + all + later(); }`,
    args: { "C.size": [2, 4], "C.k": 5, t: Float32Array.of(1, 9), o },
    o: (i) => 1 + (i & 1 ? 16 : 2) + 0.5 + 20 + 7 + 0.25,
  },
  {
    name: "declarations with names in parentheses",
    text: `${out}${main} { int m = i; float s = 0; { uint(m); m = 5; s += m; } { int(q) = 3; s += q * 10; } { int(a[2]); a[0] = 1; s += a[0] * 100; }
  { int(h) = 1, (b) = 2; s += (h + b) * 1000; } o[i] = s + m * 10000; }`,
    args: { o },
    o: (i) => 3135 + i * 10000,
  },
  {
    // DXC is told the name of the entry point, and that is not this one.
    name: "a function that returns something and has the attributes of an entry point",
    text: `${out}[numthreads(16, 1, 1)] bool late(int n) { return n > 2; } ${main} { o[i] = late(i) ? 10 : 20; }`,
    args: { o },
    o: (i) => (i > 2 ? 10 : 20),
  },
  {
    name: "calls whose values are converted and dropped",
    text: `${out}int f(inout int n) { return n++; } ${main} { int n = i; uint(f(n)); float((f(n))); uint(f(n) + 1); o[i] = n; }`,
    args: { o },
    // Folded by DXC.
    o: (i) => i + 3,
  },
  {
    name: "another name of a buffer that an index of several parts chooses",
    text: `RWStructuredBuffer<float> a[3]; ${out}${main} { RWStructuredBuffer<float> q = a[(i * 3 + 1 + i / 2) % 3]; o[i] = q[i]; }`,
    args: { o, "a[0]": floats((i) => i), "a[1]": floats((i) => 100 + i), "a[2]": floats((i) => 200 + i) },
    o: (i) => 100 * ((1 + Math.floor(i / 2)) % 3) + i,
  },
];

shapesCompute(shapes);

// DXC's own validator does not take static variables of methods, whose meaning is that of those of functions.
test.each(["hlsl", "msl", "glsl", "opencl"] as const)(
  "a static variable of a method is one for objects in two kinds of memory, in %s",
  async (to) => {
    const text = `struct A { int v; int f() { static int c = 10; c += v; return c; } }; groupshared A g;
${out}${main} { if (i == 0) g.v = 2; GroupMemoryBarrierWithGroupSync(); A m; m.v = 1;
  int first = m.f(); int second = g.f(); o[i] = first + 100 * second + 10000 * m.f(); }`;
    const { code } = await translate(text, { from: "hlsl", to });
    const launch = { workgroups: [1], ...(to === "msl" ? { workgroupSize: [8] } : {}) };
    const { buffers } = await simulate(code!, { from: to, ...launch, args: { o } });
    expect([...(buffers.o as Float32Array)]).toEqual(lanes.map(() => 11 + 100 * 13 + 10000 * 14));
  },
);

test("namespaces have no other names, as DXC has it", async () => {
  const text = `namespace b { int f() { return 3; } } namespace a = b;\n${out}${main} { o[i] = a::f(); }`;
  const { diagnostics } = await translate(text, { from: "hlsl", to: "glsl" });
  expect(diagnostics.map((d) => `${d.code} ${d.message}`)).toContain("XL2011 hlsl has no other names of namespaces");
});

describe("hidden counters", () => {
  test("append what was consumed, and count", async () => {
    const { text, args } = shapes[0]!;
    const { buffers } = await simulate(text, { from: "hlsl", workgroups: [1], args });
    const pairs = Array.from({ length: 8 }, (_, k) => [...(buffers.d as Float32Array).subarray(2 * k, 2 * k + 2)]);
    expect(pairs.sort((a, b) => a[0]! - b[0]!)).toEqual(lanes.map((i) => [i + 100.5, i]));
    const counts = ["c", "d", "n", "m"].map((name) => (buffers[`${name}.counter`] as Uint32Array)[0]);
    expect(counts).toEqual([0, 8, 8, 0]);
    expect([...(buffers.m as Uint32Array)]).toEqual(lanes);
  });

  test("go with the buffers that are handed over", async () => {
    const { text, args } = shapes[1]!;
    const { buffers } = await simulate(text, { from: "hlsl", workgroups: [1], args });
    const counts = ["c", "d[0]", "d[1]", "n"].map((name) => (buffers[`${name}.counter`] as Uint32Array)[0]);
    expect(counts).toEqual([0, 12, 12, 8]);
    const parts = [0, 1].map((k) => buffers[`d[${k}]`] as Float32Array);
    // Of d[1]: eight that were consumed, with 100 more, and four of odd lanes.
    const more = [...parts[1]!].filter((v) => v >= 100);
    expect(more.sort((a, b) => a - b)).toEqual(lanes.map((i) => i + 100.5));
  });

  test.each([
    ["AppendStructuredBuffer<float> a; float f() { return a[0]; }", "XL2017"],
    ["AppendStructuredBuffer<float> a; float f() { return a.Load(0); }", "XL2012"],
    ["StructuredBuffer<float> a; uint f() { return a.IncrementCounter(); }", "XL2012"],
    ["struct S { float v; void up() { v++; } }; StructuredBuffer<S> a; float f() { a[0].up(); return 1; }", "XL2006"],
    ["AppendStructuredBuffer<float> a; float f() { a.Append(); return 1; }", "XL2005"],
    [
      "AppendStructuredBuffer<float> a; float f() { AppendStructuredBuffer<float> b = a; return b.counter[0]; }",
      "XL2012",
    ],
    ["AppendStructuredBuffer<float> a[2][2]; float f() { a[0][1].Append(1); return 1; }", "XL1900"],
  ])("%s is refused", async (text, code) => {
    const { diagnostics } = await translate(`${text}\n${out}${main} { o[i] = f(); }`, { from: "hlsl", to: "glsl" });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toContain(code);
  });
});

/** A double3 takes a register and a half: it begins one, and what follows may lie in the rest. */
describe("vectors of 64 bits in constant buffers", () => {
  const text = `cbuffer C { float a; double3 b; float c; uint64_t4 d; float e; }; cbuffer D { double3 f : packoffset(c2); double g : packoffset(c3.z); };
RWStructuredBuffer<float> o; ${main} { o[i] = a + (float)b.z + c + (float)d.w + e + (float)f.y + (float)g; }`;

  test("begin a register", async () => {
    const { entries } = await reflect(text, { from: "hlsl" });
    const offset = (path: string): number => entries[0]!.arguments.find((a) => a.path === path)!.slots.hlsl!.offset!;
    expect(["C.a", "C.b", "C.c", "C.d", "C.e", "D.f", "D.g"].map(offset)).toEqual([0, 16, 40, 48, 80, 32, 56]);
  });

  judgeTest(hlslJudge, "as DXC has it", async () => {
    const beyond = "cbuffer C { double3 v : packoffset(c0.z); }; RWStructuredBuffer<float> o;";
    const verdicts = await hlslJudge.accept([
      { name: "wide", text },
      { name: "beyond", text: `${beyond} ${main} { o[i] = (float)v.x; }` },
    ]);
    expect(verdicts.map((v) => v.ok)).toEqual([true, false]);
  });
});

describe("values of what the host sets", () => {
  const text = `float a = 2; cbuffer C { uint4 b : packoffset(c0) = uint4(1, 2, 3, 4); float c : packoffset(c1.a); }; RWStructuredBuffer<float> o;
${main} { o[i] = a + b.y + c; }`;

  test("are ignored, with a warning", async () => {
    const { code, diagnostics } = await translate(text, { from: "hlsl", to: "glsl" });
    expect(diagnostics.map((d) => [d.severity, d.message])).toEqual([
      ["warning", "the host sets 'a': its initialiser is ignored"],
      ["warning", "the host sets 'b': its initialiser is ignored"],
    ]);
    expect(code).toContain("uvec4 b;");
  });

  judgeTest(hlslJudge, "are taken by DXC", async () => {
    const [said] = await hlslJudge.accept([{ name: "values", text }]);
    expect(said!.ok, said!.log).toBe(true);
  });
});

test.each([
  ["struct S { float a; Texture2D t; };", "XL1900"],
  ["struct S { float a; nowhere t; };", "XL2013"],
  ["struct S { float a; int x[; };", "XL1005"],
  ["struct S { float a; float a; };", "XL2002"],
  ["struct S { float a @ 3; };", "XL1001"],
])("what is wrong with %s is said once, and not of what holds the struct", async (struct, code) => {
  const text = `${struct} RWStructuredBuffer<S> b; groupshared S g; cbuffer C { S c; }; S mid(S s) { return s; }
${main} { S s = b[i]; s.a += c.a; b[i] = mid(s); g = s; }`;
  const { diagnostics } = await translate(text, { from: "hlsl", to: "glsl" });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toEqual([code]);
});

test("an object that a method does not write is its value, unless it may change meanwhile", async () => {
  const text = `struct B { float a; float get() { return a; } float twice() { return get() * 2; } void put(float v) { a = v; } float after(); };
static B g; float B::after() { g.a = 5; return a; } ${out}
${main} { B b; b.put(i); o[i] = b.twice() + b.after(); }`;
  const { code } = await translate(text, { from: "hlsl", to: "glsl" });
  expect([...code!.matchAll(/B_(get|twice|after)\((inout )?B self/g)].map((m) => [m[1], m[2] !== undefined])).toEqual([
    ["get", false],
    ["twice", false],
    ["after", true],
  ]);
});
