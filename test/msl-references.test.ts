/** Kernels of MSL that take threadgroup memory by reference, as naga writes them: results by hand, through every dialect and its compiler. */
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate, verify, type Target } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const text = `#include <metal_stdlib>
struct Row { uint inner[8]; };
struct Shared { Row row; metal::atomic_uint sum; };
void put(uint i, threadgroup Row& row, device Row const& x) { row.inner[i] = x.inner[i] * 10u; }
kernel void k(uint i [[thread_index_in_threadgroup]], threadgroup Shared& shared_, threadgroup uint& last,
    device Row const& x [[buffer(0)]], device Row& o [[buffer(1)]]) {
  if (i == 0u) { shared_.row = {}; metal::atomic_store_explicit(&shared_.sum, 0u, metal::memory_order_relaxed); }
  metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
  put(i, shared_.row, x);
  metal::atomic_fetch_add_explicit(&shared_.sum, i, metal::memory_order_relaxed);
  if (i == 7u) last = x.inner[i];
  metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
  Row own = shared_.row;
  o.inner[i] = own.inner[7u - i] + 1000u * last + 100000u * metal::atomic_load_explicit(&shared_.sum, metal::memory_order_relaxed);
}
`;
const x = Uint32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
const wanted = [...x].map((_, i) => 10 * (8 - i) + 1000 * 8 + 100000 * 28);
const workgroupSize = [8] as const;
const targets = ["msl", "glsl", "opencl", "hlsl"] as const satisfies readonly Target[];

test("is the first element of memory that the launch sizes", async () => {
  const args = { x, o: new Uint32Array(8), shared_: { byteLength: 36 }, last: { byteLength: 4 } };
  const run = await simulate(text, { from: "msl", workgroups: [1], workgroupSize, args });
  expect(run.diagnostics).toEqual([]);
  expect(run.findings).toEqual([]);
  expect([...(run.buffers.o as Uint32Array)]).toEqual(wanted);
  const { entries } = await reflect(text, { from: "msl" });
  expect(entries[0]!.arguments.filter((a) => a.kind === "workgroup").map((a) => [a.path, a.slots.msl])).toMatchObject([
    ["shared_", { slot: 0 }],
    ["last", { slot: 1 }],
  ]);
});

test.each([...targets, "ts" as const])("computes the same in %s", async (to) => {
  const args = {
    x: { type: "u32", init: { values: [...x] } },
    o: { type: "u32", count: 8, init: { fill: 0 }, output: true, expect: { values: wanted } },
    shared_: { bytes: 36 },
    last: { bytes: 4 },
  };
  const launches = [{ workgroups: [1], workgroupSize: [8], args }];
  const { result, diagnostics } = await verify(text, { from: "msl", to, workgroupSize, launches });
  expect(result, JSON.stringify(diagnostics)).toBe("equivalent");
});

for (const to of targets)
  judgeTest(judges[to], `${to} takes it`, async () => {
    const { code } = await translate(text, { from: "msl", to, workgroupSize });
    expect(refusals(await judgeOutputs([judgeable(to, "references", code!)]))).toBe("");
  });

test("a number of a buffer is none of threadgroup memory", async () => {
  const wrong = text.replace("threadgroup uint& last", "threadgroup uint& last [[buffer(3)]]");
  const { diagnostics } = await translate(wrong, { from: "msl", to: "msl" });
  expect(diagnostics.map((d) => [d.code, d.message])).toEqual([
    [
      "XL2010",
      "[[threadgroup(n)]] goes with threadgroup pointers and references, [[buffer(n)]] with device and constant ones",
    ],
  ]);
});

/** Arguments by value that are looked at as something else, and what of MSL's constant memory pointers to them may lead to besides. */
const views: readonly {
  readonly name: string;
  readonly helpers?: string;
  readonly value: string;
  readonly wanted: readonly number[];
}[] = [
  {
    name: "as words and bytes",
    value:
      "((constant uint *)&t)[i] + ((constant uchar *)&t.q)[i] + ((constant uchar *)&n)[i] + ((constant uint *)t.c)[i & 1]",
    wanted: [0x3f800000 + 9 + 4 + 21, 7 + 10 + 3 + 22, 21 + 11 + 2 + 21, 22 + 12 + 1 + 22],
  },
  {
    name: "in helpers that get references",
    helpers: `static uint at(constant S &t, uint i) { constant uchar *p = (constant uchar *)&t.b; p += 4; return p[4 * i]; }
static uint by(constant uint &n, uint i) { constant uchar *p = (constant uchar *)&n; return p[i]; }`,
    value: "at(t, i & 1) * 100 + by(n, i)",
    wanted: [2104, 2203, 2102, 2201],
  },
  {
    name: "beside buffers",
    helpers: `static uint at(constant S &t, uint i) { constant S *p = &t; return ((constant uint *)p)[2] + p->c[i]; }
static uint by(constant uint &n, uint i) { return ((constant uchar *)&n)[i]; }`,
    value: "at(t, i & 1) * 100 + at(many[i & 1], 0) + by(n, i) + by(many[1].b, 0) * 1000",
    wanted: [4200 + 62 + 4 + 51000, 4300 + 102 + 3 + 51000, 4200 + 62 + 2 + 51000, 4300 + 102 + 1 + 51000],
  },
  {
    name: "by a pointer to it or to a buffer",
    value: "w[1 + (i >> 1)] + p->b + z[4]",
    helpers: "",
    wanted: [7 + 7 + 7, 51 + 51 + 7, 21 + 7 + 7, 51 + 51 + 7],
  },
];
const viewing = (v: (typeof views)[number]): string => `#include <metal_stdlib>
using namespace metal;
struct S { float a; uint b; uint c[2]; uchar q[4]; };
${v.helpers ?? ""}
kernel void k(constant S &t [[buffer(0)]], constant uint &n [[buffer(1)]], constant S *many [[buffer(2)]], device uint *o [[buffer(3)]],
    uint i [[thread_position_in_grid]]) {
  ${v.helpers === "" ? "constant S *p = i & 1 ? &many[1] : &t; constant uint *w = (constant uint *)p; constant uchar *z = (constant uchar *)&t;" : ""}
  o[i] = ${v.value};
}
`;
// t is {1, 7, {21, 22}, {9, 10, 11, 12}}, n 0x01020304; many[0].c and many[1].c are {31, 32} and {51, 52}, as are their b.
const viewArgs = {
  "t.a": 1,
  "t.b": 7,
  "t.c": [21, 22],
  "t.q": [9, 10, 11, 12],
  n: 0x01020304,
  many: Uint32Array.of(0x3f800000, 31, 31, 32, 0, 0x3f800000, 51, 51, 52, 0),
};

describe.each(views)("arguments by value are looked at $name", (v) => {
  const source = viewing(v);
  test("in the simulator and in each translation", async () => {
    for (const subgroupSize of [4, 32]) {
      const args = { ...viewArgs, o: new Uint32Array(4) };
      const run = await simulate(source, { from: "msl", workgroups: [1], workgroupSize: [4], subgroupSize, args });
      expect(run.diagnostics).toEqual([]);
      expect(run.findings).toEqual([]);
      expect([...(run.buffers.o as Uint32Array)]).toEqual(v.wanted);
    }
    for (const to of targets) {
      const { code, diagnostics } = await translate(source, { from: "msl", to, workgroupSize });
      expect(code, JSON.stringify(diagnostics)).toBeDefined();
      const args = {
        "t.a": { type: "f32", value: 1 },
        "t.b": { type: "u32", value: 7 },
        "t.c": { type: "u32", value: [21, 22] },
        "t.q": { type: "u8", value: [9, 10, 11, 12] },
        n: { type: "u32", value: viewArgs.n },
        many: { type: "u32", init: { values: [...viewArgs.many] } },
        o: { type: "u32", count: 4, init: { fill: 0 }, output: true, expect: { values: [...v.wanted] } },
      };
      const launches = [{ workgroups: [1], workgroupSize: [4], args }];
      const { result, diagnostics: found } = await verify(source, { from: "msl", to, workgroupSize: [4], launches });
      expect(result, to + JSON.stringify(found)).toBe("equivalent");
    }
  });
  for (const to of targets)
    judgeTest(judges[to], `${to} takes it`, async () => {
      const { code } = await translate(source, { from: "msl", to, workgroupSize });
      expect(refusals(await judgeOutputs([judgeable(to, "views", code!)]))).toBe("");
    });
});

describe("an argument by value with packed vectors is looked at as numbers", () => {
  const source = `#include <metal_stdlib>
using namespace metal;
struct P { packed_uchar3 c; bool f; };
struct S { uint a; packed_float3 v; ushort b[3]; P p; };
static uint at(constant S &s, uint i) { constant uint *p = (constant uint *)&s; return p[i]; }
kernel void k(constant S &s [[buffer(0)]], device uint *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  constant P *p = &s.p;
  o[i] = at(s, i) + ((constant ushort *)s.b)[i & 1] + ((constant uchar *)p)[i];
}
`;
  // MSL table 2.5: no padding before v, b and p.
  const wanted = [5 + 3 + 21, 0x3f800000 + 0x102 + 22, 0x40000000 + 3 + 23, 0x3f000000 + 0x102 + 1];
  const value = (type: string, v: number | boolean | readonly number[]) => ({ type, value: v });
  const args = {
    "s.a": value("u32", 5),
    "s.v": value("f32", [1, 2, 0.5]),
    "s.b": value("u16", [3, 0x102, 9]),
    "s.p.c": value("u8", [21, 22, 23]),
    "s.p.f": value("bool", true),
    o: { type: "u32", count: 4, init: { fill: 0 }, output: true, expect: { values: wanted } },
  };
  const launches = [{ workgroups: [1], workgroupSize: [4], args }];
  for (const to of targets) {
    test(`in ${to}`, async () => {
      const { result, diagnostics } = await verify(source, { from: "msl", to, workgroupSize: [4], launches });
      expect(result, JSON.stringify(diagnostics)).toBe("equivalent");
    });
    judgeTest(judges[to], `${to}'s compiler takes it`, async () => {
      const { code } = await translate(source, { from: "msl", to, workgroupSize });
      expect(refusals(await judgeOutputs([judgeable(to, "packed views", code!)]))).toBe("");
    });
  }
});

describe("functions for each memory, of which a value is in private memory", () => {
  // Metal 3.1, 4: overloads differ by address space; C++14 8.5.3 (5): what is no place is given one.
  const source = `#include <metal_stdlib>
namespace ops {
  struct exp2 { template <typename T> static T op(device const T& x) { return x; } template <typename T> static T op(threadgroup const T& x) { return x; } template <typename T> static T op(thread const T& x) { return metal::exp2(x); } };
  template <> float exp2::op<float>(device const float& x) { return x + 1.0f; }
  template <> float exp2::op<float>(threadgroup const float& x) { return x + 2.0f; }
  struct max { static float op(float a, float b) { return metal::max(a, b); } };
}
template <int N> struct fixed { static constant constexpr uint v = N; fixed(thread const metal::nullptr_t& none) {} operator uint() const { return v; } };
struct open { uint v; open(thread const uint& n) : v(n) {} operator uint() const { return v; } };
template <int N> struct view { device float* at; metal::conditional_t<N == -1, open, fixed<N>> cols; view(device float* p, metal::conditional_t<N == -1, size_t, metal::nullptr_t> n) : at(p), cols(n) {} device float& operator[](const thread int2& rc) const { return at[rc.x * cols + rc.y]; } };
int kind(device const float& x) { return 1; } int kind(threadgroup const float& x) { return 2; } int kind(thread const float& x) { return 3; }
kernel void k(device float* x [[buffer(0)]], device float* o [[buffer(1)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float t[4]; t[i] = x[i] * 10.0f;
  view<4> a(x, nullptr); view<-1> b(x, 2);
  float own = 3.0f;
  o[i] = float(kind(x[i]) + kind(t[i]) * 10 + kind(own) * 100 + kind(x[i] + 1.0f) * 1000) + ops::exp2::op(x[i]) * 10000.0f + ops::exp2::op(t[i]) * 100000.0f
    + ops::exp2::op(own) * 1000000.0f + ops::max::op(own, x[0]) * 0.5f + a[{0, (int)(i)}] * 0.25f + b[{1, 1}];
}
`;
  // 3 of x[i], t[i], a variable and a sum; x + 1, 10x + 2, 2^3; max(3, 1); x[i]; x[3].
  const wanted = [1, 2, 3, 4].map((v) => 3321 + (v + 1) * 10000 + (10 * v + 2) * 100000 + 8000000 + 1.5 + v * 0.25 + 4);
  const args = {
    x: { type: "f32", init: { values: [1, 2, 3, 4] } },
    o: { type: "f32", count: 4, init: { fill: 0 }, output: true, expect: { values: wanted } },
  };
  const launches = [{ workgroups: [1], workgroupSize: [4], args }];
  for (const to of targets) {
    test(`in ${to}`, async () => {
      const { result, diagnostics } = await verify(source, { from: "msl", to, workgroupSize: [4], launches });
      expect(result, JSON.stringify(diagnostics)).toBe("equivalent");
    });
    // To its own language a text keeps its templates, which the shim is not made for.
    if (to === "msl") continue;
    judgeTest(judges[to], `${to}'s compiler takes it`, async () => {
      const { code } = await translate(source, { from: "msl", to, workgroupSize: [4] });
      expect(refusals(await judgeOutputs([judgeable(to, "memories", code!)]))).toBe("");
    });
  }
});
