/**
 * Numbers that are added to pointers and taken from them, of all widths: added in the width of pointers (C99 6.5.6), not in theirs. Results by
 * hand, through every dialect and its compiler; PoCL runs the texts in OpenCL C.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type Diagnostic } from "../src/index.js";
import { deviceTest } from "./device/device-test.js";
import { runHere } from "./device/run-here.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

/** What is stored, and its value where x[k] and a[k] are k, m is 300, c 7, u 9 and d 250. */
const sums: readonly (readonly [expression: string, wanted: number])[] = [
  ["*(x - c + m)", 293],
  ["*(x + d + d - m)", 200],
  ["(&x[d])[d]", 500],
  ["*(x + u - c)", 2],
  ["*(x - u + m + c)", 298],
  ["*(a - c + m)", 293],
  ["*(a + d + c)", 257],
  ["*(x + 5 - c - c + 10u)", 1],
  ["*(x + m - m - c + 8)", 1],
  ["back(x + m, m)", 0],
  ["back(x + 320, m) + near(x + 20, c, u)", 20 + (13 + 11 + 22)],
  ["at(x - m, m + 1u)", 1],
  ["at(x - u, u + 5u)", 5],
  ["*(x + (m > 1) - (c < 2)) + (x + 4)[u > 2]", 1 + 5],
];
const statements: readonly (readonly [statement: string, expression: string, wanted: number])[] = [
  ["CX p = x - c;", "p[m]", 293],
  ["CX q = x - m; q += d; q += d;", "*q", 200],
  ["CX r = x + m; r -= m; r -= c; r += u;", "r[i]", 2],
  ["CX v = x; v += m; for (int k = 0; k < 2; k++) { v += (char)(c - 10); v += (short)(u - 19); }", "v[-4]", 270],
  ["CX s = x - 1; float t = 0; for (uint k = 1; k <= 3; k++) t += s[k];", "t", 3],
];
const all = [...sums, ...statements.map(([, e, wanted]) => [e, wanted] as const)];
const wanted = all.map(([, n]) => n);

const body = `uint i = 0; uchar d = 250; float a[600]; for (int k = 0; k < 600; k++) a[k] = (float)k;
  ${statements.map(([s]) => s).join("\n  ")}
  ${all.map(([e], k) => `o[${k}] = ${e};`).join("\n  ")}`;
const helpers = `float back(CX x, uint n) { return *(x - n); }
float near(CX x, uchar c, ushort u) { return x[0 - c] + *(x - u) + *(x - c + u); }
float at(CX x, uint k) { return x[k]; }`;
const sources = {
  opencl: `#define CX global const float *
${helpers}
kernel void k(global const float *x, global float *o, uint m, uchar c, ushort u) {
  ${body}
}
`,
  msl: `#include <metal_stdlib>
using namespace metal;
#define CX device const float *
${helpers}
kernel void k(device const float *x [[buffer(0)]], device float *o [[buffer(1)]], constant uint &m [[buffer(2)]], constant uchar &c [[buffer(3)]],
    constant ushort &u [[buffer(4)]]) {
  ${body}
}
`,
};
const args = (): Record<string, Float32Array | number> => ({
  x: Float32Array.from({ length: 600 }, (_, k) => k),
  o: new Float32Array(all.length),
  m: 300,
  c: 7,
  u: 9,
});
const errors = (list: readonly Diagnostic[]): readonly Diagnostic[] => list.filter((d) => d.severity === "error");
const launch = { workgroups: [1], workgroupSize: [1] } as const;

const texts: Judgeable[] = [];
test.each(["opencl", "msl"] as const)("are added in the width of pointers, from %s", async (from) => {
  const source = sources[from];
  texts.push(judgeable(from, `the source in ${from}`, source));
  for (const engine of ["ts", "wasm"] as const) {
    const run = await simulate(source, { from, engine, ...launch, args: args() });
    expect(errors(run.diagnostics)).toEqual([]);
    expect(run.findings).toEqual([]);
    expect([...(run.buffers["o"] as Float32Array)]).toEqual(wanted);
  }
  for (const to of ["msl", "glsl", "opencl", "hlsl"] as const) {
    const { code, diagnostics } = await translate(source, { from, to, workgroupSize: [1] });
    expect(errors(diagnostics)).toEqual([]);
    texts.push(judgeable(to, `${from} to ${to}`, code!));
    for (const subgroupSize of [4, 32]) {
      const run = await simulate(code!, { from: to, ...launch, subgroupSize, args: args() });
      expect(run.findings, code).toEqual([]);
      expect([...(run.buffers["o"] as Float32Array)], code).toEqual(wanted);
    }
  }
});

await deviceTest("opencl", "PoCL has the same results", async () => {
  const { code } = await translate(sources.msl, { from: "msl", to: "opencl" });
  for (const text of [sources.opencl, code!]) {
    const ran = await runHere(text, { from: "opencl", device: "opencl", ...launch, args: args() });
    expect(errors(ran.diagnostics)).toEqual([]);
    expect([...(ran.buffers["o"] as Float32Array)], text).toEqual(wanted);
  }
});

for (const dialect of ["msl", "glsl", "opencl", "hlsl"] as const)
  judgeTest(judges[dialect], `${dialect}'s compiler takes them`, async () => {
    const mine = texts.filter((t) => t.dialect === dialect);
    expect(mine.length).toBeGreaterThanOrEqual(2);
    expect(refusals(await judgeOutputs(mine))).toBe("");
  });

/** Numbers of `size_t` that are less than 0, which lead back: texts have 32 bits of them, and pointers of 64. x[k] and l[k] are k, m is 1. */
const sizes: readonly (readonly [statements: string, expression: string, wanted: number])[] = [
  ["", "*(p - m) + p[-m] + p[0 - m] + *(p + (0 - m) + 1)", 63 + 63 + 63 + 64],
  ["size_t d = 0 - m;", "p[d] + *(p - d) + q[d]", 63 + 65 + 31],
  ["", "q[back(1)] + before(p, m) + at(q, m - 3)", 31 + 63 + 30],
  ["size two = {m - 2, 3};", "q[two.n] + p[two.n + 1]", 31 + 64],
  ["q += m; q -= 2 * m; q += back(m);", "*q + (q + 5 - l)", 30 + 35],
  ["", "vload4(0 - m, p).y + vload2(m - 2, q).x + vload4(-c, p + 4).w", 61 + 30 + 67],
  ["vstore2((int2)(7, 8), m - 3, w);", "w[-4] + w[-3] + (w[7] >> 16)", 7 + 8],
  [
    "const size_t d = -1; size_t e = (size_t)-1; e -= m;",
    "q[d] + q[e] + p[(size_t)-1] + *(q + ~(size_t)0)",
    31 + 30 + 63 + 31,
  ],
  ["ulong wide = 0 - (ulong)m;", "p[wide] + q[wide - 1]", 63 + 30],
  ["size_t e = m; e--; --e;", "p[e] + *(q + e)", 63 + 31],
  // Differences and the like that become numbers of 64 bits are worked out in 64.
  [
    "long e = -m; global const int *r = p; r += e * 5; ulong u = m - 3; q += u;",
    "*r + *q + (int)((ulong)(m - 2) >> 60)",
    59 + 30 + 15,
  ],
  ["ulong u = (m - 4) * 3;", "(int)(u >> 32) + p[u] + p[(long)(1 - m * 2) * 3]", -1 + 55 + 61],
  ["size_t e = m, f = --e;", "p[f - m] + q[--f] + q[f--]", 63 + 31 + 31],
  ["size_t e = m, f; f = e -= 2;", "p[f] + q[fewer(3)]", 63 + 29],
  ["size_t e = 0; int t = 0; while (e-- + 3 > 0) t += p[e];", "t", 63 + 62 + 61],
  ["", "p[back_by[m]] + q[back_by[2]] + *(p + one_less)", 62 + 34 + 63],
];
const sizesText = `typedef struct { size_t n; int k; } size;
constant size_t back_by[3] = {-1, -2, 2};
constant size_t one_less = -1;
size_t back(size_t n) { return 0 - n; }
size_t fewer(size_t n) { size_t r = 0; for (size_t k = 0; k < n; k++) r--; return r; }
int before(global const int *x, size_t n) { return x[n - 2]; }
int at(local const int *x, size_t n) { return x[n]; }
kernel void k(global const int *x, global int *o, global int *made, int c) {
  local int l[64]; for (int k = 0; k < 64; k++) l[k] = k;
  size_t m = c;
  global const int *p = x + 64; global int *w = made + 16; local int *q;
  ${sizes.map(([s, e], k) => `{ q = l + 32; ${s} o[${k}] = ${e}; }`).join("\n  ")}
}
kernel void other(global int *o) { o[0] = 1; }
`;
/**
 * Pointers that lie before what they began at, bytes of an int buffer and what leads back by a negative number. x[k] is k, a byte of it k / 4 where
 * k is a multiple of 4 and else 0, and m is 1.
 */
const before: readonly (readonly [statements: string, expression: string, wanted: number])[] = [
  ["GI q = p; for (int t = 0; t < 2; t++) q--;", "q[1] + q[2u] + *(q + m)", 0 + 1 + 0],
  ["GI q = p + 3; int n = 0; while ((q -= 3) + 3 > p) n++;", "n", 1],
  ["GI q = p; q -= 8; q += 16; int t = *q; q -= 8; q++; ++q;", "t + *q", 9 + 3],
  ["GI q = p - 8; q += 16;", "*q", 9],
  ["GI q = p - 8; GI r = q; r += 16u;", "*r + q[9]", 9 + 2],
  ["GI q = p; q -= 8; q += m; int t = q[8]; q += 7u;", "t + *q", 2 + 1],
  ["GI q = p; q -= -1; q -= -2; int t = *q; q = q - -1;", "t + *q + *(q - -1)", 4 + 5 + 6],
  ["GI q = p; q += -0xFFFFFFFFu; int t = *q; q += -(m - 2);", "t + *q + q[-0xFFFFFFFFu]", 2 + 3 + 4],
  ["GI q = x + z; q -= (size_t)-1; int t = *q; q -= (char)-2; q -= -1L;", "t + *q", 2 + 5],
  ["int t = 0; GI q = p + 4; while (q-- > p) t += *q;", "t", 4 + 3 + 2 + 1],
  [
    "size_t e = z - 4; GB b = (GB)(x + 32); GB d = b; d += e; d += 3; d -= z; d = d - e;",
    "b[e + 3] + *(b + e - 1) + d[1]",
    32 + 31 + 0,
  ],
  [
    "ulong e = z; e -= 5; GB b = (GB)(x + 32); GB d = b - z; d = &d[e];",
    "b[e] + d[1] + nth(b, e) + ((GB)x)[e + 128]",
    31 + 31 + 31 + 31,
  ],
  [
    "ulong e = z; e -= 5; GB b = (GB)(x + 32);",
    "*((global const short *)(b + e * 4) + e * 2) + *(GI)(b + e * 4)",
    24 + 28,
  ],
  ["GI q = p; q -= 8;", "fwd(q) + fwd(p - 8) + at(p - 8, 9u)", 302 + 302 + 2],
  ["GI q = back(p); q += 9u; GI r = back(p) + 9u;", "*q + *r + back(p)[10u]", 2 + 2 + 3],
  ["GI q = c ? back(p) : p; q += 9u; GI r = on(p, -4); r += 5u;", "*q + *r", 2 + 3],
  ["GI a[2]; a[0] = p - 8; a[1] = p; a[0] += 9u; GI q = a[m - 1]; q += 1u;", "*q + *a[0] + a[0][2u]", 3 + 2 + 4],
  ["H h; h.q = p - 8; h.q += 9u; h.n = 1; H g = h; g.q += 2u;", "*h.q + h.q[1u] + *g.q", 2 + 3 + 4],
  ["GI q = p - 8; GB b = (GB)q; b += 36u; GI r = (GI)b;", "*r + *b", 2 + 2],
  ["GI q = p - 8; GU r = (GU)q; r += 9u; GU s = (GU)(p - 9) + 10u;", "(int)(*r + *s)", 2 + 2],
  ["GI q = p - 9; global const int2 *r = (global const int2 *)q; r += 5u;", "((GI)r)[0] + r->y", 2 + 3],
  ["int j = c - 9; GI q = &p[j]; q += 9u;", "*q + fwd(&p[j])", 2 + 302],
  ["GB b = bytes(p - 8); b += 36u;", "*(GI)b + byte((GB)back(p) + 4, 28u) + *(GI)(bytes(p - 9) + 44u)", 2 + 1 + 3],
];
const beforeText = `#define GI global const int *
#define GB global const char *
#define GU global const uint *
typedef struct { GI q; int n; } H;
int nth(GB b, ulong n) { b += n; b += 4; b += n; return *b; }
int fwd(GI q) { q += 9u; return *q + 100 * q[1]; }
int at(GI q, uint k) { return q[k]; }
int byte(GB b, uint k) { return b[k]; }
GB bytes(GI q) { return (GB)q; }
GI back(GI q) { return q - 8; }
GI on(GI q, int n) { q += n; q -= 1; q += 2u; return q; }
kernel void k(global const int *x, global int *o, global int *made, int c) {
  uint m = c; size_t z = c;
  GI p = x + m;
  ${before.map(([s, e], k) => `{ ${s} o[${k}] = ${e}; }`).join("\n  ")}
}
kernel void other(global int *o) { o[0] = 1; }
`;

describe.each([
  ["numbers of size_t below 0", sizes, sizesText],
  ["pointers before where they began", before, beforeText],
] as const)("%s", (_name, rows, source) => {
  const wanted = rows.map(([, , n]) => n);
  const given = () => ({
    x: Int32Array.from({ length: 128 }, (_, k) => k),
    o: new Int32Array(rows.length),
    made: new Int32Array(32),
    c: 1,
  });
  // One kernel of the file: the text in the same dialect is written, too.
  const written = async (to: Judgeable["dialect"]): Promise<string> => {
    const { code, diagnostics } = await translate(source, { from: "opencl", to, workgroupSize: [1], entry: "k" });
    expect(errors(diagnostics)).toEqual([]);
    return code!;
  };
  test.each(["ts", "wasm"] as const)("the source, by %s", async (engine) => {
    const run = await simulate(source, { from: "opencl", engine, entry: "k", ...launch, args: given() });
    expect(run.findings).toEqual([]);
    expect([...(run.buffers["o"] as Int32Array)]).toEqual(wanted);
  });
  describe.each(["msl", "glsl", "opencl", "hlsl"] as const)("to %s", (to) => {
    test.each([4, 32])("the same at width %i", async (subgroupSize) => {
      const code = await written(to);
      const run = await simulate(code, { from: to, ...launch, subgroupSize, args: given() });
      expect(errors(run.diagnostics)).toEqual([]);
      expect(run.findings, code).toEqual([]);
      expect([...(run.buffers["o"] as Int32Array)], code).toEqual(wanted);
    });
    judgeTest(judges[to], "is taken by the compiler", async () => {
      expect(refusals(await judgeOutputs([judgeable(to, "sizes", await written(to))]))).toBe("");
    });
  });
});
await deviceTest("opencl", "PoCL has the same results of numbers below 0", () => bySource(sizesText, sizes));
await deviceTest("opencl", "PoCL has the same results of pointers before", () => bySource(beforeText, before));
async function bySource(source: string, rows: typeof sizes): Promise<void> {
  const args = {
    x: Int32Array.from({ length: 128 }, (_, k) => k),
    o: new Int32Array(rows.length),
    made: new Int32Array(32),
    c: 1,
  };
  const { code } = await translate(source, { from: "opencl", to: "opencl", entry: "k" });
  for (const [text, entry] of [
    [source, "k"],
    [code!, undefined],
  ] as const) {
    const ran = await runHere(text, { from: "opencl", device: "opencl", entry, ...launch, args });
    expect(errors(ran.diagnostics)).toEqual([]);
    expect([...(ran.buffers["o"] as Int32Array)], text).toEqual(rows.map(([, , n]) => n));
  }
}

test.each(["glsl", "hlsl"] as const)("words of a cast pointer that lies before its object, in %s", async (to) => {
  const source = `kernel void k(global const int *x, global int *o, int c) {
  uint m = c;
  global const int *q = x + m + 2;
  q -= 8;
  global const uint *r = (global const uint *)q;
  r -= m;
  r += 9;
  o[0] = (int)*r + 100 * (int)r[m];
}`;
  const { code, diagnostics } = await translate(source, { from: "opencl", to, workgroupSize: [1] });
  expect(errors(diagnostics)).toEqual([]);
  const x = Int32Array.from({ length: 16 }, (_, k) => k);
  const run = await simulate(code!, { from: to, workgroups: [1], args: { x, o: new Int32Array(1), c: 1 } });
  // q is x - 5, r then x - 6 and x + 3.
  expect(run.findings, code).toEqual([]);
  expect([...(run.buffers["o"] as Int32Array)]).toEqual([3 + 400]);
});

/** Pointers have 64 bits: what is taken from them is not, modulo 2^32, a few elements to the other side. n is 2^32 - 1. */
test.each([
  "q -= 0xFFFFFFFFu; o[0] = *q;",
  "o[0] = *(q - 0xFFFFFFFFu);",
  "q = q - 0xFFFFFFFEu; o[0] = *q;",
  "const uint by = 0xFFFFFFFFu; q -= by; o[0] = *q;",
  "q -= large; o[0] = *q;",
  "q -= (size_t)0xFFFFFFFFu; o[0] = *q;",
  "q -= n; o[0] = *q;",
  "q += n; o[0] = *q;",
  "q += 0xFFFFFFFFu; o[0] = *q;",
  "q -= 0x80000000u; o[0] = *q;",
  "q += 0x80000000u; q += 0x80000000u; o[0] = *q;",
  "q -= 0x100000000ul; o[0] = *q;",
  "global const char *b = (global const char *)q; b -= 0xFFFFFFFCu; o[0] = *(global const int *)b;",
  "uint some = n >> 1; q += some; q += some; q += 4u; o[0] = *q;",
  "o[0] = further(q, n - 1);",
  "q = on(x + n); o[0] = q[2u];",
  "global const int *r = x + n; r += 2; o[0] = *r;",
  "global const int *r = x + n; o[0] = (r + 1)[1];",
  "global const int *r[2] = {q, x}; r[n & 1] += n; r[n & 1] += 2u; o[0] = *r[1];",
  "global const int *r = x + n; o[0] = r > q ? 1 : 2;",
  "global const int *r = x + n; o[0] = q - r;",
  "o[0] = *(global const int *)((global const char *)x + ((ulong)n + 9));",
  "global const char *b = (global const char *)(x + 0x40000000u); o[0] = b[4];",
  "uint k = n >> 2; global const char *b = (global const char *)(x + k + 1); o[0] = b[4];",
])("beyond any object: %s", async (statements) => {
  const source = `constant uint large = 0xFFFFFFFFu;
int further(global const int *q, uint n) { q += n; q += 2u; return *q; }
global const int *on(global const int *q) { return q + 2u; }
kernel void k(global const int *x, global int *o, uint n) { global const int *q = x + 2; ${statements} }`;
  for (const engine of ["ts", "wasm"] as const) {
    const args = { x: new Int32Array(8), o: new Int32Array(1), n: 0xffffffff };
    const { findings } = await simulate(source, { from: "opencl", engine, ...launch, args });
    expect(findings.map((f) => f.kind)).toContain("out-of-bounds");
  }
});

/** A byte of one type is as large as one of another: x[k] is k. */
test("bytes that lie before their object, as bytes of another type", async () => {
  const source = `#define GC global const char *
#define GU global const uchar *
GU as(GC q) { return (GU)q; }
int nth(GU q, uint n) { return q[n]; }
kernel void k(global const char *x, global int *o, uint m) {
  GC p = x + m;
  o[0] = nth((GU)(p - 8), 9u) + 10 * nth(as(p - 8) + 2, 7u) + 100 * as(p - 9)[11u];
}`;
  for (const engine of ["ts", "wasm"] as const) {
    const args = { x: Int8Array.from({ length: 8 }, (_, k) => k), o: new Int32Array(1), m: 1 };
    const run = await simulate(source, { from: "opencl", engine, ...launch, args });
    expect(run.findings).toEqual([]);
    expect([...(run.buffers["o"] as Int32Array)]).toEqual([2 + 20 + 300]);
  }
});
