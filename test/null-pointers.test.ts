/**
 * Null pointers, pointers chosen by `?:` and pointers that no variable holds: kernels of C and MSL with results worked out by hand from the source, through
 * every dialect and its compiler.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../src/index.js";
import { deviceTest } from "./device/device-test.js";
import { runHere } from "./device/run-here.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const all: readonly TwoWayDialect[] = ["msl", "glsl", "opencl", "hlsl"];
const data = Int32Array.from({ length: 16 }, (_, i) => 10 + i);

interface Shape {
  readonly name: string;
  /** `GP` is a pointer into device memory; x and y are such pointers, x holding 10, 11, ...; i is 0 to 3. */
  readonly helpers?: string;
  readonly body: string;
  readonly y: readonly number[];
}

const shapes: readonly Shape[] = [
  { name: "chosen of one buffer", body: "GP p = i > 1 ? x + i : x + 8; y[i] = *p;", y: [18, 18, 12, 13] },
  { name: "dereferenced at once", body: "y[i] = *(i == 2 ? &x[5] : x);", y: [10, 10, 15, 10] },
  { name: "chosen and written through", body: "*(i & 1 ? y + i : y + (i + 1) - 1) = i * 3;", y: [0, 3, 6, 9] },
  { name: "past a number, and indexed", body: "y[i] = (x + 6)[i];", y: [16, 17, 18, 19] },
  { name: "past a number, and written through", body: "(y + 4)[i - 4] = 3 + i;", y: [3, 4, 5, 6] },
  { name: "past a number and an index", body: "*(y + 1 + i - 1) = *(x + 2 + i) + *&x[3];", y: [25, 26, 27, 28] },
  {
    name: "an element taken apart again",
    body: "(&y[2])[i - 2] = 5; (&y[1])[i - 1] += i; (&y[0])[i]++; *&y[i] *= 2;",
    y: [12, 14, 16, 18],
  },
  {
    name: "into private memory past a number",
    body: "int a[6]; for (int k = 0; k < 6; k++) a[k] = k * k; (a + 2)[i] += 50; y[i] = (a + 1)[i + 1] + *(a + 2 + i) * 1000;",
    y: [54054, 59059, 66066, 75075],
  },
  {
    name: "chosen of private memory",
    body: "int a[4] = {1, 2, 3, 4}; int *p = i > 1 ? &a[i] : a + 1; *p += 7; y[i] = a[1] * 100 + a[3];",
    y: [904, 904, 204, 211],
  },
  { name: "set later", body: "GP p = 0; if (i > 1) p = x + i; y[i] = p ? *p : -1;", y: [-1, -1, 12, 13] },
  {
    name: "set to null later",
    body: "GP p = x + i; if (i == 3) p = NULL; y[i] = p == NULL ? -5 : p[1];",
    y: [11, 12, 13, -5],
  },
  {
    name: "asked in every way",
    body: "GP p = i & 1 ? x + i : 0; int r = 0; if (p) r += 1; if (!p) r += 2; if (p != 0) r += 4; if (0 == p) r += 8; if (p && *p == 13) r += 16; if (!p || *p == 11) r += 32; y[i] = r;",
    y: [42, 37, 42, 21],
  },
  {
    // Of null and an object C says nothing; a pointer is not before itself.
    name: "asked for its order",
    body: "GP p = x + i; GP q = i > 1 ? p : (GP )0; y[i] = q ? (q > p ? 1 : 2) + (q >= (GP )0 ? 10 : 20) : ((GP )0 < q ? 3 : 4);",
    y: [4, 4, 12, 12],
  },
  {
    name: "chosen beside an unsigned number",
    body: "GP p = NULL; uint u = i; p = u > 1u ? x + u : p; y[i] = (p == x + 3) + 2 * (p != x + 2) + (p ? *p : 50);",
    y: [52, 52, 12, 16],
  },
  {
    name: "led elsewhere once a distance is known",
    body: "GP p = x + i; int n = (int)(p - x); p = y + n; *p = 5 * n + (int)(p - y);",
    y: [0, 6, 12, 18],
  },
  {
    name: "moved before it is set, where no lane comes",
    body: "GP q; GP r; if (i > 9) { r++; q += 2; } int n = 0; for (int k = 0; k < 3; k++) { if (k == 2) q++; if (k == 1) q = i & 1 ? x + i : y + i; n = k; } y[i] = n + (i & 1 ? *q : 9);",
    y: [11, 14, 11, 16],
  },
  {
    name: "used in the text before it is set, in a loop",
    body: "GP q; GP r; int n = 0; for (int k = 0; k < 4; k++) { if (k > 1) { n += *q++; r--; n = n * 3 + *r; } else if (k) { r = q + 2; } else { q = i & 1 ? x : x + 2; } } GP z; if (i > 9) { z += 1; n = *z; } z = q; z -= 1; y[i] = n + *z;",
    y: [211, 177, 211, 177],
  },
  {
    name: "chosen of an element, where there is one, and something else",
    body: "GP rows[3] = {x, y, x + 2}; int h = i - 2; GP p = h >= 0 ? rows[h] : x + 5; GP q = h < 0 ? NULL : rows[h]; y[i] = (p == y ? 50 : *p) + (q ? 100 : 200) + ((h >= 0 ? rows[h] : NULL) == x) * 1000 + (h < 0 ? 0 : (int)((h < 0 ? NULL : rows[h + 1]) - (h == 0 ? y : x)) * 10000);",
    y: [215, 215, 1110, 20150],
  },
  {
    name: "found in a loop",
    body: "GP hit = NULL; for (int k = 0; k < 8; k++) if (!hit && x[k] % 5 == i) hit = x + k; y[i] = hit ? (int)(hit - x) * 100 + *hit : -1;",
    y: [10, 111, 212, 313],
  },
  {
    name: "walked until null",
    body: "GP p = x; int n = 0; while (p) { n += *p; p = n > 30 + 10 * i ? NULL : p + 1; } y[i] = n;",
    y: [33, 46, 60, 75],
  },
  {
    name: "compared with another",
    body: "GP p = i > 1 ? x : NULL; GP q = i & 1 ? x : NULL; y[i] = (p == q) + 2 * (p != q) + 4 * (q == x);",
    y: [1, 6, 2, 5],
  },
  {
    name: "always null",
    body: "GP p = NULL; y[i] = 3; if (p) *p = 9; if (p != NULL && *p == 2) y[i] = 4; y[i] += p ? *p : 1;",
    y: [4, 4, 4, 4],
  },
  {
    name: "given to a helper",
    helpers: "int get(GP p, int other) { return p ? *p : other; }",
    body: "y[i] = get(x + i, 1) + get(NULL, 100) + get(0, 1000) + get(i > 1 ? x : 0, 5);",
    y: [1115, 1116, 1122, 1123],
  },
  {
    name: "written through by a helper",
    helpers: "int both(int v, GP rest) { if (rest) *rest = v % 10; return v / 10; }",
    body: "y[i + 4] = both(57 + i, NULL); y[i] = both(40 + 11 * i, i == 2 ? NULL : y + i + 8);",
    y: [4, 5, 6, 7, 5, 5, 5, 6, 0, 1, 12, 3],
  },
  {
    name: "private and given to a helper",
    helpers: "int sum(LP p, LP q) { int r = 0; if (p != NULL) { r += *p; *p = 50; } if (q) r += *q; return r; }",
    body: "int a[3] = {1, 2, 3}; int b = 7; y[i] = sum(&a[1], NULL) + sum(NULL, &b) * 10 + sum(i > 1 ? a : NULL, &b) * 100 + a[1] + a[0];",
    y: [823, 823, 972, 972],
  },
  {
    name: "set in a helper that got null",
    helpers: "int first(GP p, GP q) { if (!p) p = q; return *p; }",
    body: "y[i] = first(NULL, x + i) + first(x, NULL);",
    y: [20, 21, 22, 23],
  },
  {
    name: "null where another call is atomic",
    helpers: "void bump(AP c, int n) { if (c && n > 0) atomic_inc(c); }",
    body: "bump(NULL, i); bump(y + i, i);",
    y: [2, 4, 5, 6],
  },
  {
    name: "returned by a helper that got null",
    helpers: "GP or_else(GP p, GP q) { if (!p) return q; return p; }",
    body: "y[i] = *or_else(NULL, x + i) + *or_else(x + 2, NULL);",
    y: [22, 23, 24, 25],
  },
  {
    name: "returned by a helper that is called for what it does",
    helpers: "LP bump(LP p, int d) { *p += d; return p; }",
    body: "int v = i; bump(&v, 5); *bump(&v, 10); y[i] = v;",
    y: [15, 16, 17, 18],
  },
  {
    name: "returned",
    helpers: "GP find(GP p, int what) { for (int k = 0; k < 4; k++) if (p[k] == what) return p + k; return NULL; }",
    body: "GP hit = find(x, 9 + i); y[i] = hit ? (int)(hit - x) : -1;",
    y: [-1, 0, 1, 2],
  },
  {
    name: "a single object or null",
    body: "int v = 5 + i; LP p = i > 1 ? &v : NULL; if (p) *p += 10; y[i] = p ? *p : v;",
    y: [5, 6, 17, 18],
  },
  {
    name: "a single object, set later and taken away",
    body: "int v = i; LP p = NULL; int n = 0; if (i != 1) p = &v; if (i == 3) p = 0; while (p) { n += *p + 7; if (n > 20) p = NULL; } y[i] = n;",
    y: [21, 0, 27, 0],
  },
  {
    name: "a single object as an array of one",
    body: "int v = 3; int n = 0; for (LP p = &v; p != &v + 1; p++) n += *p + i; LP e = &v + 1; y[i] = n * 10 + (int)(e - &v);",
    y: [31, 41, 51, 61],
  },
  {
    name: "a single object given to a helper that asks",
    helpers:
      "int take(LP p, int v) { if (p) { *p += v; return *p; } return -v; } LP or_none(LP p, int on) { if (on) return p; return NULL; }",
    body: "int v = 5; int w = take(i & 1 ? &v : NULL, i) * 100 + v; LP q = or_none(&v, i > 1); y[i] = w + (q ? 1000 : 2000) + take(q, 0);",
    y: [2005, 2606, 1005 - 200 + 5, 1808 + 8],
  },
  {
    name: "a member or null",
    body: "struct two { int a; int b; }; struct two t; t.a = i; t.b = 9; LP p = i == 2 ? NULL : &t.b; if (p != NULL) *p -= i; y[i] = t.a * 100 + t.b;",
    y: [9, 108, 209, 306],
  },
  {
    name: "of a helper, after null",
    helpers: "GP find(GP p, int what) { for (int k = 0; k < 4; k++) if (p[k] == what) return p + k; return NULL; }",
    body: "GP hit = NULL; if (i & 1) hit = find(x, 10 + i); GP q = 0; q = find(x + 1, 12); y[i] = (hit ? *hit : -1) + (int)(q - x) * 100;",
    y: [199, 211, 199, 213],
  },
  {
    name: "of a helper, after null, in a loop that looks first",
    helpers: "GP after(GP p, int n) { return p + n; }",
    body: "GP p = NULL; int n = 0; for (int k = 0; k < 3; k++) { if (p) n = n * 100 + *p; p = after(x, k + i); } y[i] = n;",
    y: [1011, 1112, 1213, 1314],
  },
  {
    name: "a range of one of two private arrays",
    body: "int a[4] = {1, 2, 3, 4}; int b[3] = {5, 6, 7}; LP p = i & 1 ? a : b; LP e = p + 3; int n = (int)(e - p); while (p != e) { n = n * 10 + *p; *p++ = i; } y[i] = n + (p == a + 3 ? 10000 : 0) + b[0] + a[0] * 100;",
    y: [3567 + 0 + 100, 3123 + 10000 + 5 + 100, 3567 + 2 + 100, 3123 + 10000 + 5 + 300],
  },
  { name: "of two buffers", body: "GP p = i > 1 ? x : y + 8; y[i] = *p + p[i];", y: [20, 21, 22, 23] },
  {
    name: "written in one of two buffers",
    body: "GP p = i & 1 ? x + 4 : y + 4; p[i] = i * 3; *(i > 1 ? x + 8 + i : y + 8 + i) += 100; y[i] = x[4 + i] * 1000 + x[8 + i];",
    y: [14018, 3019, 16120, 9121, 0, 7, 6, 9, 110, 111],
  },
  {
    name: "in one of two buffers, walked and given to a helper",
    helpers:
      "int sum(GP p, int n) { int r = 0; for (int k = 0; k < n; k++) r += p[k]; return r; } void put(GP p, int v) { *p = v; }",
    body: "GP p = x; if (i > 1) p = y + 8; p++; int n = 0; for (int k = 0; k < 2; k++, p += 1) n += *p; n = n * 100 + sum(p, 2); put(i > 1 ? y + 4 + i : x + 8 + i, n); y[i] = n + (p - 1 ? 0 : 5);",
    y: [2327, 2327, 2327, 2327],
  },
  {
    name: "in one of three private objects, or null",
    body: "int a[3] = {1, 2, 3}; int b[2] = {40, 50}; int v = 600; LP p = NULL; if (i == 1) p = a + 1; if (i == 2) p = &b[1]; if (i == 3) p = &v; if (p) *p += 5; y[i] = (p ? *p : 0) * 10000 + a[1] + b[1] + v;",
    y: [652, 70657, 550657, 6050657],
  },
  {
    name: "in one of two buffers, chosen in a loop's head",
    body: "int n = 0; for (GP p = i & 1 ? x : y + 8, *q = x; q < x + 2; p++, q++) n = n * 100 + *p; y[i] = n;",
    y: [1011, 1011, 1011, 1011],
  },
  {
    name: "returned of one of two buffers",
    helpers: "GP pick(GP p, GP q, int on) { return on ? p : q + 1; }",
    body: "GP p = pick(x, y + 4, i & 1); int n = *p; *pick(y + 8 + i, x + 8 + i, i > 1) = 50 + i; y[i] = n * 100 + *pick(y + 12, x + i, i == 0);",
    y: [714, 1012, 713, 1014, 6, 7, 8, 9, 10, 11, 52, 53],
  },
  {
    name: "returned of one of two private objects",
    helpers: "LP pick(LP p, LP q, int on) { if (on) return p; return q; }",
    body: "int a[3] = {1, 2, 3}; int b = 50; LP p = pick(a + 1, &b, i & 1); *p += 7; y[i] = a[1] * 100 + b;",
    y: [257, 950, 257, 950],
  },
  {
    name: "sought in two buffers, or null",
    helpers:
      "GP seek(GP p, GP q, int what) { for (int k = 0; k < 8; k++) { if (p[k] == what) return p + k; if (q[k] == what) return &q[k]; } return NULL; }",
    body: "int n = 0; for (GP p = seek(x, y + 4, 9 + i); p; p = seek(x, y + 4, *p + 1)) n = n * 3 + *p; y[i] = n;",
    y: [93485, 34436, 12566, 4547],
  },
  {
    name: "a parameter that is set to another",
    helpers:
      "int sum(GP p, GP q, int n) { int r = 0; for (int k = 0; k < n; k++) { r = r * 10 + *p - 10; if (k == 1) p = q; else p++; } return r; }",
    body: "y[i] = sum(x + i, y + 8, 4);",
    y: [101, 1201, 2301, 3401],
  },
  {
    name: "a parameter that is set in a loop's step",
    helpers:
      "int sum(LP p, LP q, int n) { int r = 0; for (int k = 0; k < n; k++, p = k == 2 ? q : p + 1) { r = r * 10 + *p; *p = 9; } return r; }",
    body: "int a[3] = {1, 2, 3}; int b[4] = {5, 6, 7, 8}; int n = sum(a, b, 4); y[i] = n * 10000 + a[0] * 1000 + a[2] * 100 + b[0] * 10 + b[1];",
    y: [12569399, 12569399, 12569399, 12569399],
  },
  {
    name: "compared with one into another buffer",
    body: "GP p = i & 1 ? x : y; GP q = i > 1 ? x : y; y[i] = (p == q) + 2 * (p != q) + 4 * (x == y) + 8 * (x != y) + 16 * (p == x);",
    y: [9, 26, 10, 25],
  },
  {
    name: "compared with one into another buffer, where both may be null",
    body: "GP p = i & 1 ? x + i : NULL; GP q = i & 2 ? y + i : NULL; y[i] = (p == q) + 2 * (q != p);",
    y: [1, 2, 2, 2],
  },
  {
    name: "set by where it points",
    body: "GP p = x; GP q = y + 9; int n = 0; for (int k = 0; k < 4; k++, p = p == x ? q : x) n = n * 100 + *p; y[i] = n;",
    y: [10111011, 10111011, 10111011, 10111011],
  },
  {
    name: "set where it is used",
    body: "GP p = x; GP q = y + 8 + i; int n = *p; *(p = q) = 7 + i; n += *p; while ((p = p + 1) != y + 13 && n < 30) n += 1; y[i] = n;",
    y: [21, 21, 21, 21, 6, 7, 8, 9, 7, 8, 9, 10],
  },
  {
    name: "declared in a loop's head with one that is moved by an unsigned number",
    body: "uint u = i & 1; int n = 0; for (GP p = x, *q = x + u; p != q + 2; p++) n = n * 100 + *p; y[i] = n;",
    y: [1011, 101112, 1011, 101112],
  },
  {
    name: "given to a function and set, in one statement",
    helpers: "void put(GP p, int v) { *p = v; }",
    body: "GP p = i & 1 ? x + i : y + 8 + i; put(p, 5), p = y + 4 + i; put(p, 2); for (int k = 0; k < 2; put(p, k + 20), p = k == 1 ? y + 12 + i : p, k++) y[i] = *p; y[i] += *p;",
    y: [34, 35, 36, 37, 21, 21, 21, 21, 5, 11, 5, 13],
  },
];

function textOf(shape: Shape, from: "msl" | "opencl"): string {
  const space = from === "msl" ? "device" : "__global";
  const typed = (s: string): string => {
    const atomics =
      from === "msl"
        ? s
            .replace("atomic_inc(c)", "atomic_fetch_add_explicit(c, 1, memory_order_relaxed)")
            .replace("y + i, i)", "(device atomic_int *)(y + i), i)")
        : s;
    const t = atomics
      .replaceAll("AP ", from === "msl" ? "device atomic_int *" : "volatile __global int *")
      .replaceAll("GP ", `${space} int *`)
      .replaceAll("LP ", from === "msl" ? "thread int *" : "int *");
    return from === "msl"
      ? t
          .replaceAll("NULL", "nullptr")
          .replace("p != 0", "p != nullptr")
          .replace("0 == p", "nullptr == p")
          .replace(/\bint \*p = i > 1 \? &a/, "thread int *p = i > 1 ? &a")
      : t;
  };
  const helpers = shape.helpers ? `${from === "msl" ? "static " : ""}${typed(shape.helpers)}\n` : "";
  return from === "msl"
    ? `#include <metal_stdlib>\nusing namespace metal;\n${helpers}kernel void k(device int *x [[buffer(0)]], device int *y [[buffer(1)]], uint id [[thread_position_in_grid]]) {\n  int i = int(id);\n  ${typed(shape.body)}\n}\n`
    : `${helpers}__kernel void k(__global int *x, __global int *y) {\n  int i = (int)get_global_id(0);\n  ${typed(shape.body)}\n}\n`;
}

async function run(text: string, from: TwoWayDialect): Promise<number[]> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    workgroups: [1],
    workgroupSize: [4],
    seed: 1,
    args: { x: data.slice(), y: Int32Array.from({ length: 16 }, (_, k) => k + 2) },
  });
  expect(
    [...findings, ...diagnostics.filter((d) => d.severity === "error")].map((d) => d.message),
    text,
  ).toEqual([]);
  return [...(buffers["y"] as Int32Array)];
}

const texts: Judgeable[] = [];
describe("null pointers", () => {
  for (const shape of shapes) {
    for (const from of ["msl", "opencl"] as const) {
      test(`${shape.name}, from ${from}`, async () => {
        const source = textOf(shape, from);
        texts.push(judgeable(from, `${shape.name} in ${from}`, source));
        expect((await run(source, from)).slice(0, shape.y.length), source).toEqual(shape.y);
        for (const to of all) {
          const { code, diagnostics } = await translate(source, { from, to, workgroupSize: [4, 1, 1] });
          expect(
            diagnostics.filter((d) => d.severity === "error"),
            source,
          ).toEqual([]);
          if (to !== from) texts.push(judgeable(to, `${shape.name}, ${from} to ${to}`, code!));
          expect((await run(code!, to)).slice(0, shape.y.length), `${source}\n${code!}`).toEqual(shape.y);
        }
      });
    }
  }

  test("an access through one is a finding", async () => {
    for (const body of [
      "GP p = i > 1 ? x : NULL; y[i] = *p;",
      "GP p = NULL; y[i] = *p;",
      "GP p = NULL; *p = 1;",
      "int a[2] = {1, 2}; int *p = a; if (i) p = 0; y[i] = *p;",
      "int v = 1; int *p = i > 1 ? &v : NULL; y[i] = *p;",
      "int v = 1; int *p = &v; if (i) p++; *p = 4; y[i] = v;",
      "GP p = i > 1 ? x : y; if (i) p = NULL; y[i] = *p;",
    ]) {
      const { findings } = await simulate(textOf({ name: "", body, y: [] }, "opencl"), {
        workgroups: [1],
        workgroupSize: [4],
        seed: 1,
        from: "opencl",
        args: { x: data.slice(), y: new Int32Array(16) },
      });
      expect(findings.map((f) => f.message).join("; "), body).toMatch(/outside|out of bounds|beyond|of an array of/);
    }
  });

  for (const dialect of all) {
    judgeTest(judges[dialect], `the ${dialect} compiler takes them all`, async () => {
      const mine = texts.filter((t) => t.dialect === dialect);
      expect(mine.length).toBeGreaterThan(shapes.length);
      expect(refusals(await judgeOutputs(mine))).toBe("");
    });
  }
});

describe("a pointer into one of several objects is refused", () => {
  const helper = "void f(local int *p, global int *o) { barrier(CLK_LOCAL_MEM_FENCE); *o = *p; }";
  test.each([
    // Each call would be under a condition that lanes differ in.
    [
      "at a barrier",
      `${helper} kernel void k(global int *o) { local int a, b; int i = get_local_id(0); a = 1; b = 2; f(i > 3 ? &a : &b, o + i); }`,
    ],
    [
      "at a barrier, in a variable",
      `${helper} kernel void k(global int *o) { local int a, b; int i = get_local_id(0); a = 1; b = 2; local int *p = &a; if (i > 3) p = &b; f(p, o + i); }`,
    ],
    [
      "in more ways than a text should have",
      `int f(global int *a, global int *b, global int *c, global int *d, global int *e, global int *f, global int *g, global int *h) { return *a + *b + *c + *d + *e + *f + *g + *h; } kernel void k(global int *x, global int *y, int n) { *y = f(${Array.from({ length: 8 }, (_, n) => `n & ${String(1 << n)} ? x : y`).join(", ")}); }`,
    ],
  ])("%s", async (_, source) => {
    const { diagnostics } = await translate(source, { from: "opencl", to: "glsl", workgroupSize: [8, 1, 1] });
    expect(diagnostics.map((d) => d.code)).toContain("XL4005");
  });

  test("not at a barrier, where all lanes agree", async () => {
    const source = `${helper} kernel void k(global int *o, int n) { local int a, b; int i = get_local_id(0); if (i == 0) { a = 1; b = 2; } barrier(CLK_LOCAL_MEM_FENCE); local int *p = &a; if (n > (int)get_group_id(0)) p = &b; f(p, o + 2 * get_global_id(0)); f(n > 3 ? &a : &b, o + 2 * get_global_id(0) + 1); }`;
    const launch = { workgroups: [2], workgroupSize: [4], seed: 1, args: { o: new Int32Array(16), n: 1 } };
    const groups = [...Array<number[]>(4).fill([2, 2]), ...Array<number[]>(4).fill([1, 2])].flat();
    for (const to of all) {
      const { code, diagnostics } = await translate(source, { from: "opencl", to, workgroupSize: [4, 1, 1] });
      expect(diagnostics).toEqual([]);
      const { buffers, findings } = await simulate(code!, { from: to, ...launch });
      expect(findings.map((f) => f.message)).toEqual([]);
      expect([...(buffers["o"] as Int32Array)], code).toEqual(groups);
    }
  });
});

test("what is read and written through null is found as that, by both engines", async () => {
  const text = `kernel void k(global int *x) {
  int i = get_global_id(0);
  global int *p = 0;
  if (i != 3) p = x;
  p[0] = i == 3 ? 1 : p[0];
}`;
  for (const engine of ["ts", "wasm"] as const) {
    const launch = { from: "opencl", workgroups: [1], workgroupSize: [4], engine } as const;
    const { findings } = await simulate(text, {
      ...launch,
      findings: ["out-of-bounds"],
      args: { x: new Int32Array(4) },
    });
    expect(findings.map((f) => `${f.message} ${f.location!.line}`)).toEqual([
      "write out of bounds of x: the pointer may be null 5",
    ]);
  }
});

/** Null as a pointer to a base that lies behind another (C++14 4.10 (3)): a text in C would have the address of a part of nothing. */
const ofBases = `#include <metal_stdlib>
using namespace metal;
struct A { int x; }; struct B { int y; }; struct D : A, B { int z; };
int get(thread B *b) { return b ? b->y : 9; }
int behind(thread D *d) { thread B *b = d; return b == 0 ? 5 : b->y; }
kernel void k(device int *o [[buffer(0)]], constant int &n [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  int i = int(id);
  D d; d.x = 1; d.y = 2; d.z = 3;
  thread D *p = 0; if (i > 1) p = &d;
  thread B *q = p; o[i] = q ? q->y : 9;
  o[i] += get(p) * 10 + behind(p) * 100 + behind(&d) * 1000;
  thread B *v = i == n ? static_cast<thread D *>(0) : &d; o[i] += v ? 10000 : 20000;
}
`;
const wantedOfBases = Int32Array.from({ length: 4 }, (_, i) => {
  const there = i > 1;
  return (there ? 2 : 9) + (there ? 20 : 90) + (there ? 200 : 500) + 2000 + (i === 3 ? 20000 : 10000);
});

test("null that is written 0 is null as a pointer to the second base", async () => {
  const launch = { workgroups: [1], workgroupSize: [4], args: { o: new Int32Array(4), n: 3 } };
  for (const to of all) {
    const { code } = await translate(ofBases, { from: "msl", to, workgroupSize: [4, 1, 1] });
    const { buffers, findings } = await simulate(code!, { from: to, ...launch, args: { o: new Int32Array(4), n: 3 } });
    expect(findings).toEqual([]);
    expect(buffers["o"], code).toEqual(wantedOfBases);
  }
});

await deviceTest("opencl", "PoCL has the same of the text in C", async () => {
  const { code } = await translate(ofBases, { from: "msl", to: "opencl", workgroupSize: [4, 1, 1] });
  const args = { o: new Int32Array(4), n: 3 };
  const ran = await runHere(code!, { from: "opencl", device: "opencl", workgroups: [1], workgroupSize: [4], args });
  expect(ran.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(ran.buffers["o"]).toEqual(wantedOfBases);
});
