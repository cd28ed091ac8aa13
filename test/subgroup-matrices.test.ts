/**
 * MSL's matrices that a SIMD-group holds together (3.1 sections 2.4 and 6.7): kernels with results worked out here by plain
 * arithmetic on matrices, in the simulator at several widths, and through every dialect and its compiler. Elements are small integers, so
 * that no order of the sums matters.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type SourceDialect } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const lanes = 128;
const length = 512;
type Matrix = readonly (readonly number[])[];

const eight = [0, 1, 2, 3, 4, 5, 6, 7];
const matrix = (of: (row: number, column: number) => number): Matrix => eight.map((r) => eight.map((c) => of(r, c)));
const product = (a: Matrix, b: Matrix): Matrix =>
  matrix((r, c) => eight.reduce((sum, j) => sum + a[r]![j]! * b[j]![c]!, 0));
const sum = (a: Matrix, b: Matrix): Matrix => matrix((r, c) => a[r]![c]! + b[r]![c]!);
const filled = (x: number): Matrix => matrix(() => x);
const diagonal = (x: number): Matrix => matrix((r, c) => (r === c ? x : 0));

const x = Array.from({ length }, (_, i) => ((i * 7) % 11) - 5);
const h = Array.from({ length }, (_, i) => ((i * 5) % 9) - 4);
/** A small integer as half, by its bits. */
function halfBits(v: number): number {
  const exponent = v === 0 ? 0 : Math.floor(Math.log2(Math.abs(v)));
  const bits = v === 0 ? 0 : ((exponent + 15) << 10) | ((Math.abs(v) * 2 ** (10 - exponent)) & 1023);
  return (v < 0 ? 0x8000 : 0) | bits;
}
/** The matrix in memory from `first` on, `stride` elements a row. */
const at = (memory: readonly number[], first: number, stride = 8): Matrix =>
  matrix((r, c) => memory[first + r * stride + c]!);
const turned = (m: Matrix): Matrix => matrix((r, c) => m[c]![r]!);

interface Shape {
  readonly name: string;
  readonly helpers?: string;
  /** Device memory: floats x and y, halves h; `t` has the first 256 of x in threadgroup memory; n is 24. */
  readonly body: string;
  /** What y holds then: a matrix from a place on, so many elements a row. */
  readonly gives: readonly { readonly first: number; readonly stride?: number; readonly m: Matrix }[];
}

const shapes: readonly Shape[] = [
  {
    name: "a list of one for several, which begin at zero",
    body: `simdgroup_float8x8 m[3] = {simdgroup_float8x8(2.0f)}; for (int k = 0; k < 3; k++) simdgroup_store(m[k], y + 64 * k);`,
    gives: [{ first: 0, m: diagonal(2) }],
  },
  {
    // Their constructor is defaulted, so that an empty list makes them zero (C++14 8.5 (8)).
    name: "zero in structs and classes that an empty list makes, and in what a list leaves out",
    helpers: `template <typename T, size_t N> struct row { thread T &operator[](size_t i) thread { return e[i]; } T e[N]; };
struct pair { simdgroup_float8x8 l; float f; simdgroup_float8x8 r; };
struct deep { int n; pair p; };`,
    body: `row<row<simdgroup_float8x8, 2>, 2> w = {}; deep d = {3, {simdgroup_float8x8(2.0f), 1.0f}}; pair p{};
      simdgroup_load(w[1][0], x);
      simdgroup_store(w[0][1], y); simdgroup_store(w[1][0], y + 64); simdgroup_store(d.p.l, y + 128);
      simdgroup_store(d.p.r, y + 192); simdgroup_store(p.r, y + 256);`,
    gives: [
      { first: 0, m: filled(0) },
      { first: 64, m: at(x, 0) },
      { first: 128, m: diagonal(2) },
      { first: 192, m: filled(0) },
      { first: 256, m: filled(0) },
    ],
  },
  {
    name: "made and stored",
    body: `simdgroup_float8x8 a = make_filled_simdgroup_matrix<float, 8, 8>(3.0f); simdgroup_matrix<float, 8, 8> b(2.5f);
      simdgroup_store(a, y); simdgroup_store(b, y + 64); b = simdgroup_float8x8(x[0]); simdgroup_store(b, y + 128);`,
    gives: [
      { first: 0, m: filled(3) },
      { first: 64, m: diagonal(2.5) },
      { first: 128, m: diagonal(x[0]!) },
    ],
  },
  {
    name: "loaded by rows of any length, from memory of either kind",
    body: `simdgroup_float8x8 a, b, c; simdgroup_load(a, x); simdgroup_load(b, x + 5, n); simdgroup_load(c, t + 3, 16);
      simdgroup_store(a, y, 20); simdgroup_store(b, y + 160); simdgroup_store(c, y + 230, ulong(n) - 12);`,
    gives: [
      { first: 0, stride: 20, m: at(x, 0) },
      { first: 160, m: at(x, 5, 24) },
      { first: 230, stride: 12, m: at(x, 3, 16) },
    ],
  },
  {
    // The origin is a place in memory, (column, row), whether the matrix is transposed or not.
    name: "origins and transposed",
    body: `simdgroup_float8x8 m0, m1, m2, m3; bool turn = n > 20; simdgroup_load(m0, t, 16); simdgroup_load(m1, t, 16, ulong2(0, 0), true);
      simdgroup_load(m2, t, 16, ulong2(3, 2)); simdgroup_load(m3, t, 16, ulong2(3, 2), turn);
      simdgroup_store(m0, y); simdgroup_store(m1, y + 64); simdgroup_store(m2, y + 128, 8, 0, !turn); simdgroup_store(m3, y + 192);
      simdgroup_store(m0, y + 256, 8, 0, true); simdgroup_store(m0, y + 320, 16, ulong2(n - 21, 2), true);`,
    gives: [
      { first: 0, m: at(x, 0, 16) },
      { first: 64, m: turned(at(x, 0, 16)) },
      { first: 128, m: at(x, 35, 16) },
      { first: 192, m: turned(at(x, 35, 16)) },
      { first: 256, m: turned(at(x, 0, 16)) },
      { first: 355, stride: 16, m: turned(at(x, 0, 16)) },
    ],
  },
  {
    // n is 24 and m 280: what is cut to 8 or 16 bits stays cut.
    name: "numbers of a row and origins of narrow types",
    body: `uint m = uint(n) + 256; simdgroup_float8x8 a, b; simdgroup_load(a, x, uchar(m)); simdgroup_load(b, x, short(m + 65536 - 256), ulong2(uchar(m - 21), char(m - 23)));
      simdgroup_store(a, y, (uchar)(m - 8), ulong2(ushort(m + 65536 - 280), 0)); simdgroup_store(b, y + 200);`,
    gives: [
      { first: 0, stride: 16, m: at(x, 0, 24) },
      { first: 200, m: at(x, 3 + 24, 24) },
    ],
  },
  {
    name: "products, with the result among the operands",
    body: `simdgroup_float8x8 a, b, c, d; simdgroup_load(a, x); simdgroup_load(b, x + 64); simdgroup_load(c, x + 128);
      simdgroup_multiply(d, a, b); simdgroup_store(d, y); simdgroup_multiply_accumulate(d, a, b, c); simdgroup_store(d, y + 64);
      simdgroup_multiply_accumulate(c, c, a, c); simdgroup_store(c, y + 128); simdgroup_multiply(a, b, a); simdgroup_store(a, y + 192);`,
    gives: [
      { first: 0, m: product(at(x, 0), at(x, 64)) },
      { first: 64, m: sum(product(at(x, 0), at(x, 64)), at(x, 128)) },
      { first: 128, m: sum(product(at(x, 128), at(x, 0)), at(x, 128)) },
      { first: 192, m: product(at(x, 64), at(x, 0)) },
    ],
  },
  {
    // Of Apple's header: the type is that of the left one.
    name: "products by the operator",
    body: `simdgroup_float8x8 a, b; simdgroup_half8x8 c; simdgroup_load(a, x); simdgroup_load(b, x + 64); simdgroup_load(c, h);
      simdgroup_float8x8 d = a * b; simdgroup_store(d, y); d = simdgroup_float8x8(2.0f) * a * c; simdgroup_store(d, y + 64);
      auto e = c * simdgroup_float8x8(3.0f); simdgroup_multiply(a, e, a * b); simdgroup_store(a, y + 128);`,
    gives: [
      { first: 0, m: product(at(x, 0), at(x, 64)) },
      { first: 64, m: product(product(diagonal(2), at(x, 0)), at(h, 0)) },
      { first: 128, m: product(product(at(h, 0), diagonal(3)), product(at(x, 0), at(x, 64))) },
    ],
  },
  {
    name: "halves and floats",
    body: `simdgroup_half8x8 a, b, d; simdgroup_float8x8 c = make_filled_simdgroup_matrix<float, 8>(1.0f), e; threadgroup_barrier(mem_flags::mem_threadgroup);
      simdgroup_load(a, h); simdgroup_load(b, h + 100, 10); simdgroup_load(e, x, 8, 0, true);
      simdgroup_multiply_accumulate(c, a, b, c); simdgroup_store(c, y);
      simdgroup_multiply_accumulate(d, e, b, a); simdgroup_multiply_accumulate(c, d, simdgroup_half8x8(1.0h), c); simdgroup_store(c, y + 64);`,
    gives: [
      { first: 0, m: sum(product(at(h, 0), at(h, 100, 10)), filled(1)) },
      {
        first: 64,
        m: sum(
          sum(product(turned(at(x, 0)), at(h, 100, 10)), at(h, 0)),
          sum(product(at(h, 0), at(h, 100, 10)), filled(1)),
        ),
      },
    ],
  },
  {
    name: "arrays, functions and templates",
    helpers: `template <typename T> static void add(thread simdgroup_matrix<T, 8, 8> &into, simdgroup_matrix<T, 8, 8> a, const device T *from, int stride) {
  simdgroup_matrix<T, 8, 8> b; simdgroup_load(b, from, stride); simdgroup_multiply_accumulate(into, a, b, into); }
struct tile { simdgroup_float8x8 parts[2]; void store(device float *to) { for (int i = 0; i < 2; i++) simdgroup_store(parts[i], to + 64 * i); } };
static simdgroup_float8x8 twice(simdgroup_float8x8 m) { simdgroup_float8x8 r; simdgroup_multiply(r, m, simdgroup_float8x8(2.0f)); return r; }`,
    body: `simdgroup_float8x8 c[3]; for (short i = 0; i < 3; i++) c[i] = make_filled_simdgroup_matrix<float, 8>(float(i));
      simdgroup_float8x8 a; simdgroup_load(a, x + 200);
      for (int i = 0; i < 3; i++) add(c[i], a, x + 8 * i, n);
      for (int i = 0; i < 3; i++) simdgroup_store(c[i], y + 64 * i);
      tile s; s.parts[0] = twice(c[1]); s.parts[1] = a; s.store(y + 192);`,
    gives: [
      ...[0, 1, 2].map((i) => ({
        first: 64 * i,
        m: sum(product(at(x, 200), at(x, 8 * i, 24)), filled(i)),
      })),
      {
        first: 192,
        m: product(sum(product(at(x, 200), at(x, 8, 24)), filled(1)), diagonal(2)),
      },
      { first: 256, m: at(x, 200) },
    ],
  },
];

const textOf = ({ helpers, body }: Shape): string =>
  `#include <metal_stdlib>
using namespace metal;
${helpers ?? ""}
kernel void k(device const float *x [[buffer(0)]], device const half *h [[buffer(1)]], device float *y [[buffer(2)]],
              constant int &n [[buffer(3)]], uint tid [[thread_index_in_threadgroup]],
              uint group [[simdgroup_index_in_threadgroup]]) {
  threadgroup float t[256];
  for (uint i = tid; i < 256; i += ${String(lanes)}) t[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (group == 0) {
    ${body.replace("threadgroup_barrier(mem_flags::mem_threadgroup);", "")}
  }
}
`;

function expected(shape: Shape): readonly number[] {
  const y = Array.from({ length }, () => 0);
  for (const { first, stride = 8, m } of shape.gives)
    m.forEach((row, r) => row.forEach((v, c) => (y[first + r * stride + c] = v)));
  return y;
}

async function run(text: string, from: SourceDialect, subgroupSize: number): Promise<readonly number[]> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    workgroups: [1],
    workgroupSize: [lanes],
    subgroupSize,
    args: {
      x: Float32Array.from(x),
      h: Uint16Array.from(h, halfBits),
      y: new Float32Array(length),
      [from === "glsl" || from === "hlsl" ? "Params.n" : "n"]: 24,
    },
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(findings).toEqual([]);
  return [...(buffers["y"] as Float32Array)];
}

const targets = ["msl", "glsl", "opencl", "hlsl"] as const;
const texts: Judgeable[] = [];
const elementTexts: Judgeable[] = [];
/** The halves at h, even columns doubled and odd ones three times, and 5. */
const timesPlaces = matrix((r, c) => (c % 2 === 0 ? at(h, 0)[r]![c]! * 2 : at(h, 0)[r]![c]! * 3 + 5));

describe("matrices of SIMD-groups", () => {
  for (const shape of shapes) {
    const source = textOf(shape);
    const wanted = expected(shape);
    test.each([4, 8, 16, 32, 64, 128])(`${shape.name}, at %i lanes`, async (width) => {
      expect(await run(source, "msl", width)).toEqual(wanted);
    });
    for (const to of targets) {
      test(`${shape.name}, to ${to}`, async () => {
        const { code, diagnostics } = await translate(source, { from: "msl", to, workgroupSize: [lanes, 1, 1] });
        expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
        texts.push(judgeable(to, `${shape.name} to ${to}`, code!));
        for (const width of [4, 32, 128]) expect(await run(code!, to, width), code!).toEqual(wanted);
        const options = { from: "msl", to, workgroupSize: [lanes, 1, 1], subgroupSize: 32 } as const;
        const fixed = await translate(source, options);
        texts.push(judgeable(to, `${shape.name} to ${to} at 32`, fixed.code!));
        expect(await run(fixed.code!, to, 32), fixed.code!).toEqual(wanted);
      });
    }
    test(`${shape.name}, to OpenCL C without subgroups`, async () => {
      const options = { from: "msl", to: "opencl", profile: "opencl1.2", workgroupSize: [lanes, 1, 1] } as const;
      const { code, diagnostics } = await translate(source, { ...options, emulateSubgroups: 32 });
      expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      texts.push(judgeable("opencl", `${shape.name} emulated`, code!));
      expect(await run(code!, "opencl", 32), code!).toEqual(wanted);
    });
  }

  for (const dialect of targets) {
    judgeTest(judges[dialect], `the ${dialect} compiler takes them all`, async () => {
      const mine = texts.filter((t) => t.dialect === dialect);
      expect(mine.length).toBeGreaterThanOrEqual(2 * shapes.length);
      expect(refusals(await judgeOutputs(mine))).toBe("");
    });
  }

  /** Rows and columns of what a lane has, as kernels for Apple's GPUs count on it. */
  const places = `const short quad = short(tid % 32) / 4; const short r = (quad & 4) + ((tid % 32) / 2) % 4; const short c = (quad & 2) * 2 + (tid % 2) * 2;`;
  const elementShapes: readonly Shape[] = [
    {
      name: "elements of a lane that are given and taken",
      helpers: `template <typename T> struct Tile { typedef vec<T, 2> part; static void product(thread part& d, thread part& a, thread part& b) {
        simdgroup_matrix<T, 8, 8> D, A, B; reinterpret_cast<thread part&>(A.thread_elements()) = a; reinterpret_cast<thread part&>(B.thread_elements()) = b;
        simdgroup_multiply(D, A, B); d = reinterpret_cast<thread part&>(D.thread_elements()); } };`,
      body: `${places} float2 a = float2(x[r * 8 + c], x[r * 8 + c + 1]), b = float2(x[64 + r * 8 + c], x[64 + r * 8 + c + 1]), d;
        Tile<float>::product(d, a, b); y[r * 8 + c] = d.x; y[r * 8 + c + 1] = d.y;`,
      gives: [{ first: 0, m: product(at(x, 0), at(x, 64)) }],
    },
    {
      name: "elements of a lane by name, number and reference",
      body: `${places} simdgroup_half8x8 m[2]; int k = 1; simdgroup_load(m[0], h); simdgroup_load(m[k], h + 64);
        m[0].thread_elements() *= half2(2.0h, 3.0h); m[k].thread_elements()[1] = m[0].thread_elements().x + 1.0h; m[0].thread_elements().y += 5.0h;
        thread auto& e = m[k].thread_elements(); thread const auto& f = m[0].thread_elements(); k = 0; e.x = f[k] + half(r); const half2 both = e;
        y[r * 8 + c] = float(both.x); y[r * 8 + c + 1] = float(both.y); y[64 + r * 8 + c] = float(f.x); y[64 + r * 8 + c + 1] = float(f.y); simdgroup_multiply(m[0], m[0], m[0]);
        y[128 + r * 8 + c] = float(f.x) - float(f[1]) * 0.0f;`,
      gives: [
        { first: 0, m: matrix((r, c) => 2 * at(h, 0)[r]![c - (c % 2)]! + (c % 2 === 0 ? r : 1)) },
        { first: 64, m: timesPlaces },
        { first: 128, m: matrix((r, c) => (c % 2 === 0 ? product(timesPlaces, timesPlaces)[r]![c]! : 0)) },
      ],
    },
  ];
  for (const shape of elementShapes) {
    const source = textOf(shape);
    test(shape.name, async () => {
      expect(await run(source, "msl", 32)).toEqual(expected(shape));
    });
    test.each(targets)(`${shape.name}, to %s`, async (to) => {
      // With another kernel MSL's text is written anew.
      const options = { from: "msl", to, workgroupSize: [lanes], entry: "k" } as const;
      const { code, diagnostics, assumptions } = await translate(
        `${source}kernel void other(device float *y [[buffer(0)]]) { y[0] = 1.0f; }`,
        options,
      );
      expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      expect(assumptions.some((a) => a.message.includes("that Apple's GPUs give it"))).toBe(to !== "msl");
      expect(code).not.toContain("other");
      elementTexts.push(judgeable(to, `${shape.name} to ${to}`, code!));
      expect(await run(code!, to, 32), code!).toEqual(expected(shape));
    });
  }
  for (const dialect of targets) {
    judgeTest(judges[dialect], `the ${dialect} compiler takes elements of lanes`, async () => {
      const mine = elementTexts.filter((t) => t.dialect === dialect);
      expect(mine.length).toBe(elementShapes.length);
      expect(refusals(await judgeOutputs(mine))).toBe("");
    });
  }

  test("elements of a lane are for subgroups of 32", async () => {
    const source = textOf(elementShapes[0]!);
    const { diagnostics } = await translate(source, {
      from: "msl",
      to: "hlsl",
      workgroupSize: [lanes],
      subgroupSize: 64,
    });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toEqual(["XL3006"]);
  });

  const refusedIn = (body: string, head = ""): string =>
    `#include <metal_stdlib>\nusing namespace metal;\n${head}\nkernel void k(device float *x, device half *h) { simdgroup_float8x8 m; ${body} }`;
  test.each([
    [
      "x[0] = simdgroup_float8x8(1.0f).thread_elements()[0];",
      "thread_elements() of what is no variable is not supported yet",
    ],
    ["x[0] = m.thread_elements(1)[0];", "thread_elements takes no arguments, not 1"],
    ["const simdgroup_float8x8 c(1.0f); c.thread_elements() = float2(0.0f);", "this cannot be written: 'c' is const"],
    ["x[0] = m.thread_elements()[2];", "index 2 is outside float2"],
    ["simdgroup_matrix<float, 8, 4> n;", "a simdgroup_matrix has 8 columns and 8 rows of half, bfloat or float"],
    ["simdgroup_matrix<int, 8, 8> n;", "a simdgroup_matrix has 8 columns and 8 rows of half, bfloat or float"],
    ["threadgroup simdgroup_float8x8 t[2];", "a simdgroup matrix outside of thread memory is not supported yet"],
    ["simdgroup_float8x8 n = {};", "a list for a simdgroup matrix is not supported yet"],
    ["x[0] = m.elements[0];", "struct simdgroup_float8x8 has no member 'elements'"],
    [
      "simdgroup_load(m, h);",
      "simdgroup_load of simdgroup_float8x8 takes a pointer to float in device or threadgroup memory, not device half *",
    ],
    ["device const float *c = x; simdgroup_store(m, c);", "simdgroup_store writes through a pointer to const"],
    ["simdgroup_multiply(m, m);", "simdgroup_multiply takes 3 simdgroup matrices"],
  ])("refused: %s", async (body, message) => {
    const { code, diagnostics } = await translate(refusedIn(body), { from: "msl", to: "opencl" });
    expect(code).toBeUndefined();
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([message]);
  });

  test("a product that not all lanes reach is a finding", async () => {
    const body = "simdgroup_load(m, x); if (i < 20) simdgroup_multiply(m, m, m); simdgroup_store(m, x);";
    const source = refusedIn(body).replace("device half *h", "uint i [[thread_index_in_simdgroup]]");
    const launch = { from: "msl", workgroups: [1], workgroupSize: [32], subgroupSize: 32 } as const;
    const { findings } = await simulate(source, { ...launch, args: { x: new Float32Array(64) } });
    expect(findings.map((f) => f.message).join("\n")).toContain("has to be reached by all invocations of the subgroup");
  });

  test("Metal before 2.3, and bfloat before 3.1, have plain code", async () => {
    const to = (profile: string, kind: string): ReturnType<typeof translate> =>
      translate(
        refusedIn(
          `simdgroup_${kind}8x8 n; simdgroup_load(n, (device ${kind} *)x); simdgroup_store(n, (device ${kind} *)x);`,
        ),
        {
          from: "msl",
          to: "msl",
          profile,
        },
      );
    expect((await to("msl2.2", "float")).code).toContain("elements[");
    expect((await to("msl2.4", "float")).code).not.toContain("elements[");
    expect((await to("msl3.0", "bfloat")).code).toContain("elements[");
    expect((await to("msl3.1", "bfloat")).code).not.toContain("elements[");
  });
});
