/**
 * Pointers that go from one row of an array of arrays to the next: kernels of OpenCL C and MSL with results worked out by the bytes
 * of memory, where rows lie one after the other, through every dialect and its compiler, at two widths.
 */
import { expect, test } from "vitest";
import { simulate, translate } from "../src/index.js";
import { size, testShapes, type Shape } from "./support/byte-shapes.js";

const put = (y: DataView, i: number, ...values: number[]): void =>
  values.forEach((v, k) => y.setInt32(32 * i + 4 * k, v, true));
const out = "GP(int) q = (GP(int))(y + 32 * i);";
const filled = "int m[3][4]; PP(int) f = &m[0][0]; for (int k = 0; k < 12; k++) f[k] = 10 * k + i;";

const shapes: readonly Shape[] = [
  {
    name: "all of an array by one index",
    body: `${out} ${filled} q[0] = m[0][3]; q[1] = m[1][0]; q[2] = m[2][3];`,
    does: ({ y }, i) => put(y, i, 30 + i, 40 + i, 110 + i),
  },
  {
    // In memory m is 10 k + i at 4 r + c = k.
    name: "from the address of an element at once, by numbers and by what is computed",
    helpers: "int third(PP(int) a) { return a[2]; }",
    body: `${out} int m[3][4]; for (int k = 0; k < 12; k++) (&m[0][0])[k] = 10 * k + i; *(&m[0][2] + 3) += 1000; (&m[2][0])[-3] += n; q[0] = m[1][1] + (&m[1][1])[4]; q[1] = *(&m[2][3] - (i + 1)); q[2] = (&m[i % 3][0])[2] + (&m[1][0])[3];
  q[3] = third(&m[0][0] + 4 * (i % 2) + 1); (&m[0][1])[n] = 7; q[4] = m[1][0]; PP(int) e = &m[0][0] + 12; q[5] = (int)(e - &m[2][1]); q[6] = *(&m[0][0] + (i & 1 ? 5 : 11)) + (&m[0][0])[n * 3 + 1];`,
    does: ({ y }, i) => {
      const m = Array.from({ length: 12 }, (_, k) => 10 * k + i);
      m[5]! += 1000;
      m[5]! += 3;
      put(
        y,
        i,
        m[5]! + m[9]!,
        m[10 - i]!,
        m[4 * (i % 3) + 2]! + m[7]!,
        m[4 * (i % 2) + 3]!,
        7,
        3,
        m[i & 1 ? 5 : 11]! + m[10]!,
      );
    },
  },
  {
    name: "stepped, from the end back, and compared",
    body: `${out} ${filled} int s = 0, t = 0, c = 0;
  for (PP(int) p = m[0], *e = p + 12; p != e; ++p) { s += *p; c++; }
  for (PP(int) p = &m[2][3]; p >= &m[0][0]; p -= 5) t = 3 * t + *p;
  PP(int) r = m[0]; int u = *r++; u += *(r += 6); u -= *--r; q[0] = s; q[1] = t; q[2] = u; q[3] = c; q[4] = (int)(r - m[0]);`,
    does: ({ y }, i) => put(y, i, 660 + 12 * i, 9 * (110 + i) + 3 * (60 + i) + 10 + i, i + 70 - 60, 12, 6),
  },
  {
    name: "from the middle of a row to its neighbours above and below",
    body: `${out} ${filled} PP(int) c = &m[1][(i & 1) + 1]; q[0] = c[4] - c[-4]; q[1] = c[-1]; PP(int) g = &m[i % 3][2]; if (i % 3 == 1) q[2] = g[n] + g[-n];`,
    does: ({ y }, i) => {
      put(y, i, 80, 40 + 10 * (i & 1) + i);
      if (i % 3 === 1) y.setInt32(32 * i + 8, 120 + 2 * i, true);
    },
  },
  {
    name: "three dimensions, and a part of a struct",
    types: "typedef struct { int n; int v[2][2][3]; } cube;",
    body: `${out} cube a; a.n = i; PP(int) p = &a.v[0][0][0]; for (int k = 0; k < 12; k++) p[k] = k * k; q[0] = a.v[1][0][1]; q[1] = a.v[0][1][2] + a.n;
  PP(int) last = &a.v[1][1][2]; int s = 0; while (last != &a.v[0][0][0]) s = 2 * s + *last--; q[2] = s;`,
    does: ({ y }, i) => {
      let s = 0;
      for (let k = 11; k > 0; k--) s = 2 * s + k * k;
      put(y, i, 49, 25 + i, s);
    },
  },
  {
    name: "handed to functions",
    helpers: "int sum(PP(int) a, int from, int to) { int s = 0; for (int k = from; k < to; k++) s += a[k]; return s; }",
    body: `${out} ${filled} q[0] = sum(&m[0][0], n, 12 - n); q[1] = sum(m[1], -n, n + 1); q[2] = sum(m[i % 2], 0, n);`,
    does: ({ y }, i) => put(y, i, 10 * 33 + 6 * i, 10 * 28 + 7 * i, 10 * (3 + 12 * (i % 2)) + 3 * i),
  },
  {
    name: "rows that indices choose",
    body: `${out} ${filled} PP(int) row = m[i % 3]; int s = 0; for (int k = 0; k < 4; k++) s += row[k]; q[0] = s; for (int k = 0; k < n; k++) q[1 + k] = row[k];`,
    does: ({ y }, i) => put(y, i, 10 * (6 + 16 * (i % 3)) + 4 * i, ...[0, 1, 2].map((k) => 10 * (k + 4 * (i % 3)) + i)),
  },
  {
    name: "before a row that an index chooses",
    helpers: "int before(PP(int) a) { return a[-2]; }",
    body: `${out} ${filled} PP(int) row = m[1 + (i & 1)]; q[0] = row[-1]; q[1] = before(m[1 + (i & 1)]); PP(int) r = m[2 - (i & 1)]; r += -3; q[2] = *r;`,
    does: ({ y }, i) => {
      const first = 4 + 4 * (i & 1);
      put(y, i, 10 * (first - 1) + i, 10 * (first - 2) + i, 10 * (8 - 4 * (i & 1) - 3) + i);
    },
  },
  {
    name: "rows of one plane, and of the next",
    types: "typedef int strip[4];",
    helpers: "int of(PP(strip) a, int j, int k) { return a[j][k]; }",
    body: `${out} int m[2][3][4]; PP(int) f = &m[0][0][0]; for (int k = 0; k < 24; k++) f[k] = 10 * k + i; PP(strip) r = m[0]; int s = 0;
  for (int k = 0; k < 6; k++) s = 2 * s + r[k][1]; q[0] = s; r += 4; q[1] = (*r)[n]; q[2] = (int)(r - m[0]); q[3] = of(m[1], -n, i & 3);
  q[4] = of(m[i & 1], 2, 1); PP(int) w = *r; q[5] = w[-6]; q[6] = w[7];`,
    does: ({ y }, i) => {
      let s = 0;
      for (let k = 0; k < 6; k++) s = 2 * s + 10 * (4 * k + 1) + i;
      put(y, i, s, 190 + i, 4, 10 * (i & 3) + i, 10 * (12 * (i & 1) + 9) + i, 100 + i, 230 + i);
    },
  },
  {
    name: "bytes of rows within a struct, by a pointer to void",
    types: "typedef struct { int n; uchar v[2][3]; } bytes;",
    body: `${out} bytes a; a.n = i; for (int k = 0; k < 6; k++) a.v[k / 3][k % 3] = (uchar)(20 * k + i); PP(void) v = (PP(void))a.v; PP(uchar) u = (PP(uchar))v; q[0] = u[0]; q[1] = u[n + 1]; q[2] = a.n;`,
    does: ({ y }, i) => put(y, i, i, 80 + i, i),
  },
  {
    name: "workgroup memory, filled by all",
    types: "typedef int strip[4];",
    tile: "strip",
    body: `${out} LP(int) p = &tile[0][0]; for (int k = i; k < 128; k += 8) p[k] = k * n; BARRIER q[0] = tile[i][3]; q[1] = p[127 - i]; q[2] = ((LP(int))tile)[8 + i];`,
    does: ({ y }, i) => put(y, i, 3 * (4 * i + 3), 3 * (127 - i), 3 * (8 + i)),
  },
  {
    name: "from a member to those beside it",
    types: "typedef struct { int a, b, c; int v[2]; } four;",
    helpers: "int around(PP(int) p) { return p[-1] + 10 * p[1]; }",
    body: `${out} GP(four) g = (GP(four))(y + 32 * i); four s; s.a = i; s.b = 2; s.c = 3; s.v[0] = s.v[1] = 9; GP(int) m = &g->b; m[-1] = n; m[1] = 8; *m = 4;
  PP(int) p = &s.a; q[3] = p[0] + 100 * p[2]; q[4] = around(&s.b);`,
    does: ({ y }, i) => put(y, i, 3, 4, 8, 300 + i, 30 + i),
  },
  {
    name: "vectors that begin in one row and end in the next",
    from: ["opencl"],
    body: `${out} ${filled} int4 a = vload4(0, &m[0][2]), b = vload4(i & 1, m[1]), c = vload4(0, m[0] + n); vstore2(a.xw, 0, &m[1][3]); q[0] = a.z; q[1] = b.w; q[2] = c.y; q[3] = m[2][0];`,
    does: ({ y }, i) => put(y, i, 40 + i, 70 + 40 * (i & 1) + i, 40 + i, 50 + i),
  },
];

testShapes(shapes);

test("a pointer that leaves the whole array has a finding, and one that stays none", async () => {
  const text = (last: number): string =>
    `kernel void k(global int *y) { int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; int *p = &m[0][0]; int s = 0; for (int k = 0; k <= ${last}; k++) s += p[k]; y[0] = s; }`;
  const run = async (last: number) =>
    simulate(text(last), { from: "opencl", workgroups: [1], workgroupSize: [1], args: { y: new Int32Array(size) } });
  const stays = await run(5);
  expect(stays.findings).toEqual([]);
  expect((stays.buffers["y"] as Int32Array)[0]).toBe(21);
  expect((await run(6)).findings.map((f) => f.kind)).toEqual(["out-of-bounds"]);
});

test("rows are counted by a quotient and a remainder, and what stays in its row by its index", async () => {
  const kernel = (body: string): string =>
    `kernel void k(global float *y) { local float t[8][9]; int i = get_local_id(0);\n${body}\n}`;
  const glsl = async (body: string) =>
    (await translate(kernel(body), { from: "opencl", to: "glsl", workgroupSize: [8, 1, 1] })).code;
  expect(await glsl("local float *p = &t[0][0]; for (int k = i; k < 72; k += 8) p[k] = y[k];")).toContain(
    "t[k / 9][k % 9] = y[k];",
  );
  expect(await glsl("local float *p = t[i]; for (int k = 0; k < 9; k++) p[k] = y[k];")).toMatch(
    /t\[\w+\]\[k\] = y\[k\];/,
  );
  expect(await glsl("local float *p = t[0]; for (int k = 0; k < 9; k++) p[k] = y[k];")).toContain("t[0][k] = y[k];");
});
