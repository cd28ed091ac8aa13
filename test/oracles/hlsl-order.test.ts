/** docs/hlsl-order.md, row by row: what DXC computes, and that crosslane reads the same. */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../../src/index.js";
import type { HlslVersion } from "../../src/dialects/language.js";
import { hlslEntries } from "../../src/judges/hlsl.js";
import { foldKernels, foldWithDxc, missingForFold } from "../support/oracles/dxc-fold.js";
import { toolTest } from "../support/tool-test.js";

/** `t(k)` writes down that it ran; `g` has the digits. */
const declarations = `
struct S { int a; int b; };
struct A { int m[4]; };
static int g;
static S gs;
int t(int k) { g = g * 10 + k; return k; }
int2 t2(int k) { g = g * 10 + k; return int2(k, k); }
float tf(int k) { g = g * 10 + k; return k; }
float2x2 tm(int k) { g = g * 10 + k; return float2x2(k, k, k, k); }
bool tb(int k) { g = g * 10 + k; return true; }
bool tn(int k) { g = g * 10 + k; return false; }
S ts(int k) { g = g * 10 + k; S s; s.a = k; s.b = k; return s; }
int pair(int a, int b) { return a * 10 + b; }
int tri(int a, int b, int c) { return a * 100 + b * 10 + c; }
int sums(S p, S q) { return p.a * 10 + q.a; }
int valueFirst(int k, S p) { return p.a * 10 + k; }
int matrices(float2x2 p, float2x2 q) { return int(p._m00 * 10 + q._m00); }
int io(inout int x, int k) { int r = x * 10 + k; x = 5; return r; }
int inc(inout int x) { x = x + 1; return x; }
void two(out int a, out int b) { a = 1; b = 2; }
void last(inout int a, inout int b) { a = a + 1; b = b + 10; }
void set(out int a, inout S p) { a = 9; p.b = p.a; }
int setg(int k) { g = k; return k; }
int peek(inout int x, int k) { return x * 10 + k; }
struct T { int h; int height() { return h; } int get(int c, int k) { return c * 100 + k * 10 + h; } };
`;
const locals = `g = 0; int i = 1; int j = 0; int a[4] = { 4, 5, 6, 7 }; int2 v = int2(1, 3); S s; s.a = 1; s.b = 2;
int w[3][3] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 }; int2 z[3] = { 0, 1, 2, 3, 4, 5 }; float2x2 m = float2x2(1, 2, 3, 4); float2x2 n[2]; n[0] = m; n[1] = m;
A l[3]; l[0].m = a; l[1].m = a; l[2].m = a; S q[3]; q[0] = ts(1); q[1] = ts(2); q[2] = ts(3); T h; h.h = 2; g = 0;`;

/** What runs, what is looked at, and what DXC says of it. */
const rows: readonly (readonly [string, string, number])[] = [
  ["int x = t(1) - t(2);", "g", 12],
  ["bool x = t(1) < t(2);", "g", 12],
  ["int2 x = t2(1) * t2(2);", "g", 12],
  ["float2x2 x = tm(1) + tm(2);", "g", 12],
  ["j = i++ * 10 + i;", "j", 12],
  ["j = i * 10 + i++;", "j", 11],
  ["j = (i = 5) * 10 + (i = 6);", "j", 56],
  ["g = 1; j = g * 10 + setg(5);", "j", 15],
  ["j = t(1), t(2);", "g", 12],
  ["j = tb(1) ? t(2) : t(3);", "g", 12],
  ["bool x = tn(1) && tb(2);", "g", 1],
  ["int4 x = int4(t(1), t2(2), t(3));", "g", 123],
  ["v = int2(i, i++);", "v.x * 10 + v.y", 11],
  ["float2x2 x = float2x2(tf(1), tf(2), tf(3), tf(4));", "g", 1234],
  ["int x[3] = { i, i++, i };", "x[0] * 100 + x[1] * 10 + x[2]", 112],
  ["S x = { t(1), t(2) };", "g", 12],
  ["int x = t(1), y = t(2);", "g", 12],
  ["j = tri(t(1), t(2), t(3));", "g", 321],
  ["j = pair(pair(t(1), t(2)), pair(t(3), t(4)));", "g", 4321],
  ["j = peek(i, peek(i, 2));", "j", 22],
  ["j = h.get(h.height(), 3);", "j", 232],
  ["j = pair(i++, i++);", "j", 21],
  ["j = pair(i, i++);", "j", 21],
  ["j = matrices(tm(1), tm(2));", "g", 21],
  ["j = sums(ts(1), ts(2));", "g", 12],
  ["j = valueFirst(t(1), ts(2));", "g", 21],
  ["j = max(t(1), t(2));", "g", 21],
  ["j = clamp(t(1), t(2), t(3));", "g", 321],
  ["j = max(i * 10, i++);", "j", 20],
  ["float x = mad(tf(1), tf(2), tf(3));", "g", 321],
  ["float x = lerp(tf(1), tf(2), tf(3));", "g", 321],
  ["float x = dot(float2(tf(1), 0), float2(tf(2), 0));", "g", 21],
  ["float2 x = mul(tm(1), float2(tf(2), 0));", "g", 21],
  ["float2 x = mul(float2(tf(1), 0), tm(2));", "g", 21],
  ["j = select(tb(1), t(2), t(3));", "g", 321],
  ["two(i, i);", "i", 2],
  ["last(i, i);", "i", 11],
  ["last(v.x, v.x);", "v.x", 11],
  ["set(s.a, s);", "s.a * 10 + s.b", 11],
  ["j = pair(inc(i), i);", "j", 21],
  ["j = pair(i, inc(i));", "j", 22],
  ["j = i * 10 + inc(i);", "j", 12],
  ["a[i++] = i;", "a[1] * 10 + a[2]", 16],
  ["a[i] = i++;", "a[1] * 10 + a[2]", 51],
  ["a[t(1)] = t(2);", "g", 21],
  ["v[t(1)] = t(2);", "g", 21],
  ["z[t(1)].yx = t2(2);", "g", 21],
  ["q[t(1)].a = t(2);", "g", 21],
  ["m[t(0)][t(1)] = t(2);", "g", 201],
  ["a[t(1)] += t(2);", "g", 21],
  ["a[i] += i++;", "a[1] * 100 + a[2] * 10 + i", 572],
  ["a[i++] += i;", "a[1] * 10 + a[2]", 66],
  ["i += i++;", "i", 3],
  ["i -= (i = 5);", "i", 0],
  ["i += inc(i);", "i", 4],
  ["v += (v.x++).xx;", "v.x * 10 + v.y", 34],
  ["m -= (m = float2x2(5, 5, 5, 5));", "(int)m._m00", 0],
  ["m += m._m00++;", "(int)(m._m00 * 10 + m._m01)", 33],
  ["a[t(1)] = a[t(2)] = t(3);", "g", 321],
  ["q[t(1)] = ts(2);", "g", 12],
  ["i = 0; q[i++] = q[i];", "q[0].a * 10 + q[1].a", 22],
  ["i = 0; q[i] = q[++i];", "q[0].a * 10 + q[1].a", 22],
  ["n[t(1)] = tm(2);", "g", 12],
  ["w[t(0)][t(1)] = t(2);", "g", 210],
  ["j = w[i][i++];", "j", 7],
  ["j = w[i++][i];", "j", 4],
  ["j = l[t(1)].m[t(2)];", "g", 21],
  ["l[t(1)].m[t(2)] = t(3);", "g", 321],
  ["j = z[t(1)][t(0)];", "g", 10],
  ["z[t(1)][t(0)] = t(2);", "g", 210],
  ["j = m[t(1)][t(0)];", "g", 10],
  ["j = a[i] * 10 + i++;", "j", 51],
  ["++a[i++];", "a[1] * 10 + i", 62],
  ["a[a[0] - 4 + i++] = i * 10;", "a[1] + a[2]", 16],
  ["for (int x = t(1); x < 2; x += t(2)) t(3);", "g", 132],
  ["switch (i++) { case 1: j = i; break; default: j = 9; break; }", "j", 2],
];

/** Before 2021, where all operands of these are evaluated but for what DXC chooses among. */
const eagerRows: typeof rows = [
  ["j = tb(1) ? t(2) : t(3);", "g", 123],
  ["tb(1) ? t(2) : t(3);", "g", 123],
  ["j = i ? i++ : i++;", "j * 10 + i", 13],
  ["j = i++ ? i : i++;", "j * 10 + i", 23],
  ["j = true ? t(1) : t(2);", "g", 1],
  ["const int c = 1; j = c ? t(1) : t(2);", "g", 1],
  ["const int2 c = int2(1, 1); j = c.x ? t(1) : t(2);", "g", 12],
  ["v = true ? t2(1) : t2(2);", "g", 12],
  ["bool x = tn(1) && tb(2);", "g", 12],
  ["bool x = i-- && i;", "x * 10 + i", 0],
  ["bool2 x = bool2(i, i) && bool2(i--, i);", "x.x * 100 + x.y * 10 + i", 100],
  ["v = bool2(i--, i) ? int2(i, i++) : v;", "v.x * 100 + v.y * 10 + i", 31],
  ["if (tb(1) ? tb(2) : tb(3)) j = 5;", "g", 12],
  ["if (!(tb(1) ? tb(2) : tb(3))) j = 5;", "g", 12],
  ["if (tb(1) ? t(2) : t(3)) j = 5;", "g", 123],
  ["if ((tb(1) ? tb(2) : tb(3)) || tb(4)) j = 5;", "g", 1234],
  ["if ((tb(1) ? tb(2) : tb(3)) || false) j = 5;", "g", 12],
  ["if (true && (tb(1) ? tb(2) : tb(3))) j = 5;", "g", 12],
  ["if (false && (tb(1) ? tb(2) : tb(3))) j = 5;", "g", 123],
  ["if ((tb(1) ? tb(2) : tb(3)) == true) j = 5;", "g", 123],
  ["if ((tb(1) ? tn(2) : tb(3)) ? tb(4) : tb(5)) j = 5;", "g", 125],
  ["if (tb(1) ? (tn(2) ? tb(3) : tb(4)) : tb(5)) j = 5;", "g", 124],
  ["while (tn(1) ? tb(2) : tn(3)) j = 5;", "g", 123],
  ["do {} while (tn(1) ? tb(2) : tn(3));", "g", 123],
  ["for (; tn(1) ? tb(2) : tn(3);) j = 5;", "g", 123],
  ["j = (tb(1), true) ? t(2) : t(3);", "g", 123],
  ["static const int c[2] = { 1, 1 }; j = c[0] ? t(1) : t(2);", "g", 12],
  ["const int2 c = int2(1, 1); const int d = c.x; j = d ? t(1) : t(2);", "g", 12],
  ["const float c = 1.5; const bool d = c > 1; j = d ? t(1) : t(2);", "g", 1],
  ["bool x = true || tb(1);", "g", 1],
  ["bool x = (true || tb(1)) && tb(2);", "g", 2],
  ["bool x = tb(1) && (false && tb(2));", "g", 12],
  ["j = (true || tb(1)) ? t(2) : t(3);", "g", 2],
  ["j = (tb(1) || true) ? t(2) : t(3);", "g", 123],
  ["j = ((false && tn(1)) ? tb(2) : true) ? t(3) : t(4);", "g", 3],
  ["if (true || tb(1)) j = 5;", "g", 1],
  ["if (tb(1) && (true || tb(2))) j = 5;", "g", 1],
  ["if ((true || tb(1)) ? tb(2) : tb(3)) j = 5;", "g", 12],
  ["const bool c = true || tb(1); j = c ? t(2) : t(3);", "g", 2],
  ["static bool c = true || tb(1);", "g", 0],
];

const caseText = (statements: string, value: string): string => `RWStructuredBuffer<int> o : register(u0);
${declarations}
[numthreads(1, 1, 1)] void k() {
${locals}
${statements}
o[0] = ${value};
}
`;

async function computed(
  text: string,
  from: TwoWayDialect,
  version: { readonly hlslVersion?: HlslVersion } = {},
): Promise<number | string> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    ...version,
    workgroups: [1],
    workgroupSize: [1],
    subgroupSize: 4,
    seed: 1,
    args: { o: new Int32Array(1) },
  });
  const said = diagnostics.find((d) => d.severity === "error")?.message ?? findings[0]?.message;
  return said ?? (buffers["o"] as Int32Array)[0]!;
}

const versions = [
  ["2021", rows],
  ["2018", eagerRows],
] as const;

describe.each(versions)("order of evaluation in HLSL %s", (hlslVersion, rows) => {
  toolTest(missingForFold(), "is what DXC folds", async () => {
    const folded = await foldWithDxc(
      rows.map(([statements, value]) => ({
        declarations,
        statements: `${locals}\n${statements}`,
        values: [{ expression: value, type: "int" }],
        hlslVersion,
      })),
    );
    const said = folded.map((f) => (f.kind === "folded" ? f.values[0] : f.log));
    expect(rows.map(([statements], i) => `${statements} ${String(said[i])}`)).toEqual(
      rows.map(([statements, , right]) => `${statements} ${String(right)}`),
    );
  });

  test.each(rows)("%s", async (statements, value, right) => {
    expect(await computed(caseText(statements, value), "hlsl", { hlslVersion })).toBe(right);
  });
});

describe("order of evaluation in HLSL", () => {
  test.each(["switch ((int)(true || tb(1))) { case 1: j = 5; }", "const int c[2] = { true || tb(1), 1 };"])(
    "%s is refused before 2021",
    async (statements) => {
      expect(await computed(caseText(statements, "j"), "hlsl", { hlslVersion: "2018" })).toMatch(
        /^effects beside a condition that DXC may or may not know/,
      );
    },
  );

  test.each([
    "j = io(a[i++], i);",
    "j = io(a[i], i++);",
    "j = io(i, i++);",
    "j = valueFirst(t(1), q[i++]);",
    "j = valueFirst(s.a++, s);",
  ])("%s is refused", async (statements) => {
    expect(await computed(caseText(statements, "j"), "hlsl")).toMatch(
      /argument (whose place has side effects|that is copied in or out and changed)/,
    );
  });
});

describe("arguments that change what others read", () => {
  const glsl = `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer B { int o[]; };
struct S { int a; int b; };
int pair(int a, int b) { return a * 10 + b; }
int next(inout int s) { return s++; }
int io(inout int x, int k) { int r = x * 10 + k; x = 5; return r; }
int sum(S p, int k) { return p.a * 10 + k; }
void order(inout int a, inout int b) { a += 1; b += 2; }
void main() {
  int s = 1; int j = 0; int a[4]; a[0] = 0; a[1] = 10; a[2] = 20; a[3] = 30; S p = S(1, 2); int v[2]; v[0] = 1; v[1] = 2;
  STATEMENT
  o[0] = j;
}
`;
  // GLSL 4.60 section 6.1.1 and hand arithmetic: from left to right, a place before the value.
  const cases: readonly (readonly [string, number])[] = [
    ["j = pair(next(s), next(s));", 12],
    ["a[s++] = s + 5; j = a[1] * 100 + a[2];", 720],
    ["j = max(s++ * 10, s);", 10],
    ["j = pair(s, s++) * 10 + s;", 112],
    ["j = io(a[s++], s) + a[1];", 107],
    ["j = sum(p, p.a++);", 11],
    ["a[s] += s++; j = a[1] * 100 + a[2];", 1120],
    ["j = (s++ * 7) / s;", 3],
    ["order(v[0], v[1]); j = v[0] * 10 + v[1];", 24],
  ];
  const others: readonly TwoWayDialect[] = ["hlsl", "msl", "opencl", "glsl"];

  test.each(cases)("%s in every dialect", async (statement, right) => {
    const text = glsl.replace("STATEMENT", statement);
    expect(await computed(text, "glsl")).toBe(right);
    for (const to of others) {
      const { code } = await translate(text, { from: "glsl", to, workgroupSize: [1] });
      expect(await computed(code!, to), code).toBe(right);
      for (const next of others) {
        const again = await translate(code!, { from: to, to: next, workgroupSize: [1] });
        expect(await computed(again.code!, next), again.code).toBe(right);
      }
    }
  });

  toolTest(missingForFold(), "mean the same to DXC", async () => {
    const texts = await Promise.all(
      cases.map(
        async ([statement]) =>
          (await translate(glsl.replace("STATEMENT", statement), { from: "glsl", to: "hlsl" })).code!,
      ),
    );
    const said = await foldKernels(texts.map((text) => ({ text, entry: hlslEntries(text)[0]! })));
    expect(
      said.map((words) => ("refused" in words ? words.refused : (words as ReadonlyMap<number, unknown>).get(0))),
    ).toEqual(cases.map(([, right]) => BigInt(right)));
  });

  test("different places need no temporaries", async () => {
    const { code } = await translate(
      glsl.replace("STATEMENT", "order(v[0], v[1]); order(p.a, p.b); j = pair(s, a[1]);"),
      { from: "glsl", to: "hlsl" },
    );
    expect(code).toContain("order(v[0], v[1]);\n  order(p.a, p.b);\n  j = pair(s, a[1]);");
  });
});
