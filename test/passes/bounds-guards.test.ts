/** Accesses that are not shown to be in bounds: listed, or guarded under strict. Texts written by hand. */
import { describe, expect, it, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { twoWayDialects } from "../../src/dialects/ids.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";
import { body, bodyOf, kernel, outcome } from "./text.js";

const strict = { strict: true };

describe("accesses that may be out of bounds", () => {
  it("are one assumption of a kernel, with its first places", async () => {
    const { notes } = await outcome(kernel("x[i] = x[i + 1u]; u[i] = u[i + 1u]; f[i] = 0.0f;", "msl"), "msl", "glsl");
    const bounds = notes.filter((n) => n.op === "bounds");
    expect(bounds.map((n) => [n.kind, n.message, n.spans.length])).toEqual([["assumed", "accesses are in bounds", 3]]);
  });

  it("are none where the text shows it, and none in the source's own dialect", async () => {
    const shown = "int t[16]; for (int k = 0; k < 16; k++) t[k] = k; f[0] = float(t[i & 15u]);";
    expect((await outcome(kernel(shown, "glsl"), "glsl", "msl")).notes.filter((n) => n.op === "bounds")).toEqual([]);
    expect((await outcome(kernel("x[i] = x[i + 1u];", "glsl"), "glsl", "glsl")).notes).toEqual([]);
  });

  it("are none in HLSL's buffers, which define them", async () => {
    expect((await outcome(kernel("u[i] = u[i + 1u];", "msl"), "msl", "hlsl")).notes).toEqual([]);
    expect((await outcome(kernel("u[i] = u[i + 1u];", "msl"), "msl", "hlsl", strict)).text).toContain(
      "u[i.x] = u[i.x + 1u];",
    );
  });
});

describe("under strict", () => {
  it("reads give 0 and writes are left out, by the length GLSL asks for", async () => {
    expect(await body("u[i] = u[i + 1u];", "msl", "glsl", strict)).toEqual([
      "uint i = gl_GlobalInvocationID.x;",
      "if (i < uint(u.length())) u[i] = i + 1u < uint(u.length()) ? u[i + 1u] : 0u;",
    ]);
  });

  it("by a length that is an argument in MSL and OpenCL C", async () => {
    const { text, slots } = await outcome(kernel("u[i] += 2u;", "glsl"), "glsl", "msl", strict);
    expect(text).toContain("constant uint &u_length [[buffer(3)]]");
    expect(bodyOf(text)).toEqual(["if (i < u_length) u[i] += 2u;"]);
    expect(slots.at(-1)).toMatchObject({ path: "u_length", derived: { lengthOf: "u", offset: 0, stride: 4 } });
    expect((await body("u[i] += 2u;", "hlsl", "opencl", strict)).at(-1)).toBe("if (i < u_length) u[i] += 2u;");
  });

  it("negative indices are large", async () => {
    expect((await body("int k = x[0]; f[k] = 1.0f;", "glsl", "msl", strict)).at(-1)).toBe(
      "if (uint(k) < f_length) f[k] = 1.0f;",
    );
    expect((await body("int t[4] = {1, 2, 3, 4}; int at = x[0]; x[0] = t[at];", "opencl", "hlsl", strict)).at(-1)).toBe(
      "x[0] = uint(at) < 4u ? t[at] : 0;",
    );
  });

  it("each dimension is guarded by itself, also a component of a vector", async () => {
    const lines = await body("int t[2][4]; t[1][2] = 1; int k = x[0]; x[0] = t[k & 1][k];", "glsl", "msl", strict);
    expect(lines.at(-1)).toBe("x[0] = uint(k) < 4u ? t[k & 1][k] : 0;");
    expect((await body("vec4 v = vec4(1.0); f[0] = v[i];", "glsl", "hlsl", strict)).at(-1)).toBe(
      "f[0] = i < 4u ? v[i] : 0.0f;",
    );
  });

  it("an index that memory decides is read once", async () => {
    expect(await body("u[u[i]] = 1u;", "glsl", "msl", strict)).toEqual([
      "uint at = i < u_length ? u[i] : 0u;",
      "if (at < u_length) u[at] = 1u;",
    ]);
  });

  it("atomics, and what they give", async () => {
    expect(
      await body("atomicAdd(u[i], 1u); uint old = atomicAdd(u[i], 2u); u[0] = old;", "glsl", "opencl", strict),
    ).toEqual([
      "uint i = get_global_id(0);",
      "if (i < u_length) atomic_add(&u[i], 1u);",
      "uint old = 0u;",
      "if (i < u_length) old = atomic_add(&u[i], 2u);",
      // A buffer has an element.
      "u[0] = old;",
    ]);
  });

  it("values that other lanes take part in are computed by all", async () => {
    const source = kernel("u[i] = subgroupAdd(u[0]);", "glsl").replace(
      "layout(local",
      "#extension GL_KHR_shader_subgroup_arithmetic : require\nlayout(local",
    );
    expect(bodyOf((await outcome(source, "glsl", "msl", strict)).text)).toEqual([
      "uint at = i;",
      "uint value = simd_sum(u[0]);",
      "if (at < u_length) u[at] = value;",
    ]);
  });

  it("what a pointer leads to is an index of its object", async () => {
    const source = kernel("x[0] = first(x + i);", "opencl", "int first(global const int *p) { return *p; }");
    const { text } = await outcome(source, "opencl", "msl", strict);
    expect(text).toContain("return p_offset < x_length ? x[p_offset] : 0;");
  });
});

describe("the length of a runtime-sized array", () => {
  it("is GLSL's own, and an argument elsewhere", async () => {
    const statement = "if (int(i) < u.length()) u[i] = uint(u.length());";
    expect((await body(statement, "glsl", "glsl")).at(-1)).toBe(statement);
    expect((await body(statement, "glsl", "msl")).at(-1)).toBe("if (int(i) < int(u_length)) u[i] = u_length;");
  });
});

/** Texts of MSL and OpenCL C have pointers; what their objects are is asked all the same. */
describe("pointers under strict", () => {
  const from = "opencl";
  /** Of 8 invocations `i`, with x[k] = k + 1 of 20 elements, h[k] = k of 20 halves, and o of 16. */
  const kernel = (
    body: string,
  ): string => `int sum(global const int *p, int n) { int s = 0; for (int j = 0; j < n; j++) s += p[j]; return s; }
int last(const int *p, int n) { p += n; return *p; }
__attribute__((reqd_work_group_size(8, 1, 1)))
kernel void k(global const int *x, global int *o, global half *h) { int i = get_local_id(0); ${body} }`;
  /** The bits of a small number. */
  const half = (k: number): number => {
    const exponent = k > 0 ? Math.floor(Math.log2(k)) : -15;
    return ((exponent + 15) << 10) | (k > 0 ? (k / 2 ** exponent - 1) * 1024 : 0);
  };
  const at = (k: number): number => (k >= 0 && k < 20 ? k + 1 : 0);
  const all = (list: readonly number[]): number => (list.every((k) => at(k) > 0) ? at(list.at(-1)!) : 0);
  const cases: readonly (readonly [string, string, (i: number) => number])[] = [
    [
      "that move",
      "global const int *p = x + 14 + i; int s = *p++; o[i] = s + 100 * p[2];",
      (i) => at(14 + i) + 100 * at(17 + i),
    ],
    [
      "that functions get",
      "int a[4] = {5, 6, 7, 8}; o[i] = sum(x + 16, i) + 1000 * last(a, i - 2);",
      (i) => [0, 1, 2, 3].slice(0, i).reduce((s, j) => s + at(16 + j), 0) + 1000 * ([5, 6, 7, 8][i - 2] ?? 0),
    ],
    [
      "of one of two",
      "local int t[4]; if (i < 4) t[i] = i; barrier(CLK_LOCAL_MEM_FENCE); local int *p = i & 1 ? &t[i] : &t[i - 2]; o[i] = *p;",
      (i) => [0, 1, 2, 3][i & 1 ? i : i - 2] ?? 0,
    ],
    ["vectors from the start", "o[i] = vload4(i, x).w;", (i) => all([4 * i, 4 * i + 3])],
    [
      "vectors from elsewhere",
      "o[i] = vload4(i, x + 3).w + 100 * vload3(0, x + 13 + i).z;",
      (i) => all([3 + 4 * i, 6 + 4 * i]) + 100 * all([13 + i, 15 + i]),
    ],
    [
      "vectors before where they count from",
      "o[i] = vload2(i - 6, x + 9).y;",
      (i) => all([9 + 2 * (i - 6), 10 + 2 * (i - 6)]),
    ],
    [
      "vectors that only 32 bits lead back",
      "uint u = (uint)i * 0x40000000u; o[i] = vload4(u, x + 1 + i).x + 100 * vload2((uint)i - 1u, x + 4 + i).y + 10000 * vload2(2, x + ((uint)i - 4u)).x;",
      // Element 1 + i + 4 * (i * 2^30 mod 2^32); 4 + i + 2 * (2^32 - 1) where i is 0; and i, but 2^32 + i where i - 4 is below 0.
      (i) => (i % 4 === 0 ? at(1 + i) : 0) + (i === 0 ? 0 : 100 * at(3 + 3 * i)) + (i < 4 ? 0 : 10000 * at(i)),
    ],
    [
      "vectors of known places",
      "int a[5] = {1, 2, 3, 4, 5}; o[i] = vload2(1, a + 1).y + 10 * vload2(1, a + 2).y + 100 * vload2(i, a).x;",
      (i) => 5 + 100 * ([1, 3][i] ?? 0),
    ],
    [
      "stores",
      "int a[6] = {0}; vstore3((int3)(7, 8, 9), i, a + 1); vstore2((int2)(i), -1, a + 2); o[i] = a[0] + 10 * a[1] + 100 * a[3];",
      (i) => i + 10 * i + 100 * (i === 0 ? 9 : 0),
    ],
    [
      "halves",
      "o[i] = (int)vload_half(i + 15, h) + 100 * (int)vloada_half3(i, h + 1).z + 10000 * (int)vload_half2(i, h + 6).y;",
      (i) =>
        (i + 15 < 20 ? i + 15 : 0) +
        100 * (1 + 4 * i + 2 < 20 ? 3 + 4 * i : 0) +
        10000 * (2 * i + 7 < 20 ? 2 * i + 7 : 0),
    ],
  ];
  const lengths = [
    ["x_length", 20],
    ["o_length", 16],
    ["h_length", 20],
  ] as const;
  const texts: Judgeable[] = [];
  test.each(cases)("%s", async (name, body, wanted) => {
    for (const to of twoWayDialects) {
      if (to === from) continue;
      const { code, diagnostics } = await translate(kernel(body), { from, to, strict: true });
      expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      texts.push(judgeable(to, name, code!));
      // HLSL's buffers need no guard on a device; a run has findings.
      for (const subgroupSize of to === "hlsl" ? [] : [4, 32]) {
        const { buffers, findings } = await simulate(code!, {
          from: to,
          workgroups: [1],
          workgroupSize: [8],
          subgroupSize,
          args: {
            x: Int32Array.from({ length: 20 }, (_, k) => k + 1),
            o: new Int32Array(16),
            h: Uint16Array.from({ length: 20 }, (_, k) => half(k)),
            ...Object.fromEntries(lengths.filter(([name]) => code!.includes(name!))),
          },
        });
        expect(findings).toEqual([]);
        expect([...(buffers["o"] as Int32Array)].slice(0, 8), code).toEqual(
          Array.from({ length: 8 }, (_, i) => wanted(i)),
        );
      }
    }
  });
  for (const to of ["msl", "glsl", "hlsl"] as const)
    judgeTest(judges[to], `the ${to} compiler takes them`, async () => {
      const own = texts.filter((x) => x.dialect === to);
      expect(own.length).toBe(cases.length);
      expect(refusals(await judgeOutputs(own))).toBe("");
    });

  it("are refused where the array is hidden still", async () => {
    for (const body of [
      "o[i] = ((global const uchar *)x)[i];",
      "int a[4] = {1, 2, 3, 4}; int *p = &a[i]; *p += 1; o[i] = ((short *)a)[i];",
    ]) {
      const { code, diagnostics } = await translate(kernel(body), { from, to: "msl", strict: true });
      expect(code).toBeUndefined();
      expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toContain("XL4009");
    }
  });
});
