/**
 * Bools in buffers: a byte in MSL and OpenCL C (MSL 2.1, 2.2; clang), four bytes in HLSL and GLSL (DXC, glslang). The bytes that
 * every translation reads and leaves are worked out here; its compiler has to take it.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type SourceDialect } from "../src/index.js";
import { languageFacts } from "../src/dialects/languages.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";
import { problemsOf } from "./sema/support.js";

const all: readonly SourceDialect[] = ["msl", "glsl", "opencl", "hlsl"];

interface Kernel {
  readonly name: string;
  readonly from: SourceDialect;
  readonly source: string;
  readonly lanes: number;
  /** Bytes before and after, by the name of the buffer; numbers of values. */
  readonly before: Readonly<Record<string, readonly number[]>>;
  readonly values?: Readonly<Record<string, number>>;
  readonly after: Readonly<Record<string, readonly number[]>>;
  /** Bytes of workgroup memory that the launch sizes. */
  readonly local?: Readonly<Record<string, number>>;
}

/** Little-endian words. */
const words = (...list: number[]): number[] =>
  list.flatMap((w) => [w & 255, (w >> 8) & 255, (w >> 16) & 255, w >>> 24]);

const metal = "#include <metal_stdlib>\nusing namespace metal;\n";
const glsl = (lanes: number): string => `#version 450\nlayout(local_size_x = ${lanes}) in;\n`;

const kernels: readonly Kernel[] = [
  {
    name: "matrices of bools",
    from: "hlsl",
    lanes: 2,
    // By DXC's listing: m 0 (by columns of 3), f 24, r 28 (by rows of 3), q 52, z 84: 88 bytes, of which each bool has four.
    source: `struct S { bool3x2 m; uint f; row_major bool2x3 r; bool2x2 q[2]; int z; };
RWStructuredBuffer<S> b : register(u0);
RWStructuredBuffer<int> o : register(u1);
[numthreads(2, 1, 1)]
void k(uint3 id : SV_DispatchThreadID) {
  uint i = id.x;
  S s = b[i];
  o[i] = (s.m[1][0] ? 1 : 0) + (s.m._m21 ? 10 : 0) + (s.r[1][0] ? 100 : 0) + (s.q[1]._m01 ? 1000 : 0) + s.z * 10000 + (any(s.q[0]) ? 100000 : 0);
  s.r[0][1] = !s.q[1][0][1];
  bool2x2 t = s.q[1];
  t._m10 = true;
  s.q[0] = t;
  b[i] = s;
  b[i].m[2][0] = i == 1;
}`,
    before: {
      //          m: 00 10 20 01 11 21  f  r                 q[0]        q[1]        z
      b: words(...[0, 1, 0, 0, 0, 1], 7, ...[1, 0, 0, 1, 0, 0], ...[0, 0, 0, 0], ...[0, 0, 1, 0], 3).concat(
        words(...[1, 0, 1, 1, 1, 0], 8, ...[0, 1, 1, 0, 1, 1], ...[0, 0, 0, 9], ...[1, 0, 0, 1], 4),
      ),
      o: words(0, 0),
    },
    after: {
      b: words(...[0, 1, 0, 0, 0, 1], 7, ...[1, 0, 0, 1, 0, 0], ...[0, 1, 1, 0], ...[0, 0, 1, 0], 3).concat(
        words(...[1, 0, 1, 1, 1, 0], 8, ...[0, 1, 1, 0, 1, 1], ...[1, 1, 0, 1], ...[1, 0, 0, 1], 4),
      ),
      o: words(1 + 10 + 100 + 1000 + 30000, 40000 + 100000),
    },
  },
  {
    name: "arrays of bools that are copied in and out",
    from: "hlsl",
    lanes: 2,
    source: `struct S { bool a[3]; int n; bool2 v[2]; };
RWStructuredBuffer<S> b : register(u0);
RWStructuredBuffer<int> o : register(u1);
int count(bool a[3]) { return (a[0] ? 1 : 0) + (a[1] ? 2 : 0) + (a[2] ? 4 : 0); }
[numthreads(2, 1, 1)]
void k(uint3 id : SV_DispatchThreadID) {
  uint i = id.x;
  bool l[3] = b[i].a;
  bool2 w[2];
  w = b[i].v;
  o[i] = count(l) + 10 * count(b[1].a) + (w[1].x ? 100 : 0) + (w[0].y ? 1000 : 0);
  DeviceMemoryBarrierWithGroupSync();
  l[i] = !l[i];
  w[0].x = true;
  b[i].a = l;
  b[i].v = w;
}`,
    before: {
      //          a        n  v
      b: words(...[1, 0, 1], 7, ...[0, 1, 1, 0]).concat(words(...[0, 9, 1], 8, ...[0, 0, 0, 1])),
      o: words(0, 0),
    },
    after: {
      b: words(...[0, 0, 1], 7, ...[1, 1, 1, 0]).concat(words(...[0, 0, 1], 8, ...[1, 0, 0, 1])),
      o: words(5 + 60 + 1100, 6 + 60),
    },
  },
  {
    name: "a member that nothing reads",
    from: "opencl",
    lanes: 2,
    // a 0, keys 4, leaf 12, n 16: 20 bytes.
    source: `typedef struct { int a; int keys[2]; bool leaf; int n; } node;
__kernel void k(__global const node *s, __global int *o) { size_t i = get_global_id(0); o[i] = s[o[i]].a * 100 + s[i].keys[1] * 10 + s[i].n; }`,
    before: { s: words(1, 2, 3, 0x55aa01, 4, 5, 6, 7, 0, 8), o: words(1, 0) },
    after: { o: words(534, 178) },
  },
  {
    name: "elements, through helpers and operators",
    from: "msl",
    lanes: 4,
    source: `${metal}static bool both(device const bool *p, uint i) { return p[i] && p[i ^ 1]; }
static void set(device bool &b, bool v) { b = v; }
kernel void k(device const bool *x [[buffer(0)]], device bool *y [[buffer(1)]], constant bool &on [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  y[i] = both(x, i) || !on;
  device bool *p = y + 4;
  p[i] = !x[i];
  y[8 + i] |= x[i];
  y[12 + i] ^= i == 2;
  bool r = y[16 + i] = x[3 - i];
  set(y[20 + i], r != on);
  if (i == 0) y[24] = y[25] = true;
}`,
    // What is neither 0 nor 1 is true.
    before: {
      x: [1, 0, 2, 128],
      y: [9, 9, 9, 9, 9, 9, 9, 9, 0, 1, 0, 0, 1, 0, 1, 4, 9, 9, 9, 9, 9, 9, 9, 9, 0, 0, 7, 0],
    },
    values: { on: 1 },
    after: {
      y: [0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 7, 0],
    },
  },
  {
    name: "members, arrays and vectors in a struct",
    from: "msl",
    lanes: 2,
    // a 0, f 4, v 8 (bool3: four bytes), h 12, n 16: 20 bytes.
    source: `${metal}struct S { uint a; bool f; bool3 v; bool h[3]; int n; };
kernel void k(device S *s [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S t = s[i];
  t.a += t.f ? 1u : 10u;
  t.f = !t.f;
  t.v = t.v || bool3(false, true, false);
  t.h[1] = any(t.v) && t.h[0];
  s[i] = t;
  s[i].v.x = s[i].h[2];
  S c = {1, true, bool3(false), {true, false, true}, int(s[i].f)};
  s[i + 2] = c;
}`,
    before: {
      s: [
        ...[5, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 7, 0, 0, 0],
        ...[6, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 8, 0, 0, 0],
        ...Array<number>(40).fill(0),
      ],
    },
    after: {
      s: [
        ...[6, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 7, 0, 0, 0],
        ...[16, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0],
        ...[1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0],
        ...[1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0],
      ],
    },
  },
  {
    name: "behind a pointer",
    from: "opencl",
    lanes: 4,
    source: `typedef struct { int n; bool f; } S;
__kernel void k(__global const bool *x, __global S *s) {
  int i = get_global_id(0);
  s[i].f = x[i] && !s[i].f;
  s[i].n += x[i];
}`,
    before: {
      x: [0, 1, 1, 255],
      s: [3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0],
    },
    after: { s: [3, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0] },
  },
  {
    name: "words of structured and constant buffers",
    from: "hlsl",
    lanes: 2,
    source: `struct S { bool f; uint n; bool2 v; };
StructuredBuffer<bool> x : register(t0);
RWStructuredBuffer<S> s : register(u0);
cbuffer C : register(b0) { bool on; };
[numthreads(2, 1, 1)]
void k(uint3 id : SV_DispatchThreadID) {
  uint i = id.x;
  S t = s[i];
  t.v.y = x[i];
  t.f = t.v.x && on;
  s[i] = t;
  s[i].n += x[1 - i];
}`,
    before: { x: words(0, 256), s: words(9, 5, 1, 9, 9, 6, 0, 9) },
    values: { on: 1 },
    after: { s: words(1, 6, 1, 0, 0, 6, 0, 1) },
  },
  {
    name: "words of blocks",
    from: "glsl",
    lanes: 2,
    // f 0, v 16 (bvec3), h 28: 48 bytes to the next.
    source: `${glsl(2)}struct S { bool f; bvec3 v; bool h[2]; };
layout(std430, binding = 0) readonly buffer X { bool x[]; };
layout(std430, binding = 1) buffer Y { S s[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  s[i].f = x[i] != s[i].f;
  s[i].v = not(s[i].v);
  s[i].h[i] = any(s[i].v) && x[1 - i];
}`,
    before: {
      x: words(0, 3),
      s: words(...[1, 8, 8, 8, 0, 1, 1, 7, 7, 0, 0, 0], ...[1, 8, 8, 8, 1, 1, 5, 7, 7, 0, 0, 0]),
    },
    after: { s: words(...[1, 8, 8, 8, 1, 0, 0, 1, 7, 0, 0, 0], ...[0, 8, 8, 8, 0, 0, 0, 7, 0, 0, 0, 0]) },
  },
  {
    name: "workgroup memory that is sized at launch, and other such memory in the same functions",
    from: "msl",
    lanes: 4,
    // b 0, v 4 (bool3 is four bytes), n 8, list 12: 16 bytes.
    source: `${metal}struct S { bool b; bool3 v; int n; bool list[2]; };
static bool take(threadgroup const bool *p, int k) { return p[k]; }
static void put(threadgroup bool &r, bool to) { r = to; }
kernel void k(device int *o [[buffer(0)]], threadgroup S *w [[threadgroup(0)]], threadgroup bool *f [[threadgroup(1)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup bool own[4];
  f[i] = i == 2; own[i] = i != 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i == 0) { w[0].b = true; w[0].v = bool3(false, true, true); w[0].n = 5; w[0].list[1] = true; w[0].list[0] = !w[0].b; put(own[3], false); put(f[3], true); }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  S copy = *w;
  int r = take(f, i) + 2 * take(own, (i + 1) & 3) + 4 * int(copy.b && w->v.y) + 8 * copy.list[1] + 16 * w->list[0] + 32 * copy.n;
  o[i] = all(w->v.yz) ? r + 1000 : r;
}`,
    before: { o: words(0, 0, 0, 0) },
    local: { w: 16, f: 4 },
    // f is 0 0 1 1, own 1 0 1 0.
    after: { o: words(1172, 1174, 1173, 1175) },
  },
];

/** Targets that fix such memory have no argument for it. */
const localIn = (k: Kernel, dialect: SourceDialect): object =>
  languageFacts[dialect].statesSizes
    ? {}
    : Object.fromEntries(Object.entries(k.local ?? {}).map(([name, byteLength]) => [name, { byteLength }]));

async function run(k: Kernel, text: string, from: SourceDialect, subgroupSize: number): Promise<unknown> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    workgroups: [1],
    workgroupSize: [k.lanes],
    subgroupSize,
    args: {
      ...Object.fromEntries(Object.entries(k.before).map(([name, bytes]) => [name, Uint8Array.from(bytes)])),
      ...k.values,
      ...localIn(k, from),
    },
  });
  const wrong = [...findings, ...diagnostics.filter((d) => d.severity === "error")].map((d) => d.message);
  expect(wrong, text).toEqual([]);
  return Object.fromEntries(
    Object.keys(k.after).map((name) => {
      const b = buffers[name] as Uint8Array;
      return [name, [...new Uint8Array(b.buffer, b.byteOffset, b.byteLength)]];
    }),
  );
}

describe("bools in buffers", () => {
  const texts: Judgeable[] = [];
  for (const k of kernels) {
    test(`${k.name}, from ${k.from}`, async () => {
      texts.push(judgeable(k.from, `${k.name} in ${k.from}`, `${k.source}\n`));
      for (const width of [4, 32]) expect(await run(k, k.source, k.from, width), k.source).toEqual(k.after);
      for (const to of all) {
        const { code, diagnostics } = await translate(k.source, {
          from: k.from,
          to,
          workgroupSize: [k.lanes, 1, 1],
          ...(k.local ? { local: k.local } : {}),
        });
        expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
        texts.push(judgeable(to, `${k.name}, ${k.from} to ${to}`, code!));
        for (const width of [4, 32]) expect(await run(k, code!, to, width), code!).toEqual(k.after);
      }
    });
  }

  for (const dialect of all) {
    judgeTest(judges[dialect], `the ${dialect} compiler takes them all`, async () => {
      const mine = texts.filter((t) => t.dialect === dialect);
      expect(mine.length).toBeGreaterThan(kernels.length);
      expect(refusals(await judgeOutputs(mine))).toBe("");
    });
  }

  test("what is refused, by name", async () => {
    const msl = (types: string, parameters: string, body: string): Promise<string[]> =>
      problemsOf(
        "msl",
        `${metal}${types}\nkernel void k(${parameters}, uint i [[thread_position_in_grid]]) { ${body} }`,
      );
    const y = "device bool *y [[buffer(0)]]";
    expect(
      await msl(
        "struct S { bool a; };\nstatic void f(thread bool &b) { b = true; }",
        "device S *s [[buffer(0)]]",
        "S t; f(t.a); s[i] = t;",
      ),
    ).toEqual(["XL1900 a bool in a buffer as an argument that is written is not supported yet"]);
    expect(await msl("", y, "int k = 0; y[k++] |= i == 3;")).toEqual([
      "XL1900 such an assignment to a bool in a buffer is not supported yet",
    ]);
    expect(
      await msl(
        "struct S { bool a; };",
        "device S *s [[buffer(0)]]",
        "S t = s[i]; thread bool *p = &t.a; *p = true; s[i] = t;",
      ),
    ).toEqual(["XL1900 a pointer to bools both in buffers and elsewhere is not supported yet"]);
    expect(await problemsOf("hlsl", "RWBuffer<bool> x;\n[numthreads(1, 1, 1)]\nvoid k() { x[0] = true; }")).toEqual([
      "XL1900 RWBuffer of bool is not supported yet",
    ]);
    // clang: "'__private S' cannot be used as the type of a kernel parameter".
    expect(
      await problemsOf(
        "opencl",
        "typedef struct { bool f; } S;\n__kernel void k(__global int *x, S s) { x[0] = s.f; }",
      ),
    ).toEqual(["XL2010 a struct with a bool cannot be a kernel parameter"]);
  });
});
