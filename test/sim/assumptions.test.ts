/** Findings that check what translations take for granted: each dimension, and the edges of integer arithmetic. By hand. */
import { describe, expect, test } from "vitest";
import { simulate, verify } from "../../src/index.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";

const bodies = (from: TwoWayDialect, statement: string): string =>
  ({
    msl: `kernel void k(device int *y [[buffer(0)]], uint i [[thread_position_in_grid]]) { ${statement} }`,
    opencl: `__kernel void k(__global int *y) { uint i = get_global_id(0); ${statement} }`,
    glsl: `#version 450\nlayout(local_size_x = 2) in;\nlayout(binding = 0) buffer B { int y[]; };\nvoid main() { uint i = gl_GlobalInvocationID.x; ${statement} }`,
    hlsl: `RWStructuredBuffer<int> y : register(u0);\n[numthreads(2, 1, 1)]\nvoid main(uint i : SV_DispatchThreadID) { ${statement} }`,
  })[from];

async function run(
  from: TwoWayDialect,
  statement: string,
  ...y: number[]
): Promise<{ y: number[]; found: (string | undefined)[] }> {
  const fixed = from === "glsl" || from === "hlsl" ? {} : { workgroupSize: [2] };
  const { findings, buffers, diagnostics } = await simulate(bodies(from, statement), {
    from,
    workgroups: [1],
    ...fixed,
    args: { y: Int32Array.from(y) },
  });
  expect(diagnostics).toEqual([]);
  return { y: [...(buffers["y"] as Int32Array)], found: findings.map((f) => `${f.kind}: ${f.message}, ${f.count}`) };
}

const dialects = ["msl", "opencl", "glsl", "hlsl"] as const;

describe("bounds of each dimension", () => {
  test.each(dialects)("an index beyond its row, inside the array, in %s", async (from) => {
    const fill = "int m[2][4]; for (int a = 0; a < 2; a++) for (int b = 0; b < 4; b++) m[a][b] = a * 4 + b;";
    expect(await run(from, `${fill} y[i] = m[0][y[i]];`, 3, 4)).toEqual({
      y: [3, 4],
      found: ["out-of-bounds: index 4 of an array of 4 elements, 1"],
    });
    // Beyond the whole array it is found once for the dimension, and once for the memory.
    expect((await run(from, `${fill} y[i] = m[y[i]][3];`, 0, 1)).found).toEqual([]);
  });

  test.each(dialects)("an array inside a struct, in %s", async (from) => {
    const declared = from === "msl" || from === "opencl" || from === "hlsl" ? "struct S { int a[2]; int b; };" : "";
    if (declared === "") return;
    const source = bodies(from, `struct S s; s.a[0] = 1; s.a[1] = 2; s.b = 3; y[i] = s.a[y[i]];`).replace(
      "struct S s;",
      "S s;",
    );
    const text =
      from === "opencl"
        ? `typedef ${declared.replace("struct S {", "struct {").replace("};", "} S;")}\n${source}`
        : `${declared}\n${source}`;
    const { findings } = await simulate(text, {
      from,
      workgroups: [1],
      ...(from === "hlsl" ? {} : { workgroupSize: [2] }),
      args: { y: Int32Array.of(1, 2) },
    });
    expect(findings.map((f) => [f.kind, f.message])).toEqual([["out-of-bounds", "index 2 of an array of 2 elements"]]);
  });

  test.each([
    ["msl", "int4(1, 2, 3, 4)"],
    ["glsl", "ivec4(1, 2, 3, 4)"],
    ["hlsl", "int4(1, 2, 3, 4)"],
  ] as const)("a component of a vector in %s", async (from, four) => {
    const type = from === "glsl" ? "ivec4" : "int4";
    expect(await run(from, `${type} v = ${four}; y[i] = v[y[i]];`, 3, 4)).toMatchObject({
      found: ["out-of-bounds: index 4 of an array of 4 elements, 1"],
    });
  });
});

describe("signed overflow", () => {
  const most = 2147483647;
  test.each([
    ["y[i] + 1", [most, 1], [-2147483648, 2], "the value 2147483648 does not fit into a signed 32-bit integer"],
    ["y[i] - 2", [-most, 1], [most, -1], "the value -2147483649 does not fit into a signed 32-bit integer"],
    ["y[i] * y[i]", [65536, 46340], [0, 2147395600], "the value 4294967296 does not fit into a signed 32-bit integer"],
    ["-y[i]", [-2147483648, 5], [-2147483648, -5], "the value 2147483648 does not fit into a signed 32-bit integer"],
  ] as const)(
    "of %s is found in MSL and OpenCL C, which leave it open, and wraps",
    async (expression, given, wraps, message) => {
      for (const from of ["msl", "opencl"] as const)
        expect(await run(from, `y[i] = ${expression};`, ...given)).toEqual({
          y: [...wraps],
          found: [`integer-overflow: ${message}, 1`],
        });
      for (const from of ["glsl", "hlsl"] as const)
        expect(await run(from, `y[i] = ${expression};`, ...given)).toEqual({ y: [...wraps], found: [] });
    },
  );

  test("in assignments and steps", async () => {
    expect((await run("opencl", "y[i] += 1;", most, 0)).found).toEqual([
      "integer-overflow: the value 2147483648 does not fit into a signed 32-bit integer, 1",
    ]);
    expect((await run("msl", "y[i]++;", most, 0)).found).toEqual([
      "integer-overflow: the value 2147483648 does not fit into a signed 32-bit integer, 1",
    ]);
    expect((await run("opencl", "long x = y[i]; x = (x << 31) * 4; y[i] = (int)x;", most, 0)).found).toEqual([
      "integer-overflow: the value 18446744065119617024 does not fit into a signed 64-bit integer, 1",
    ]);
  });

  test("shifts by the width or more where that is open, and of negative numbers", async () => {
    expect((await run("msl", "y[i] = 1 << y[i];", 31, 32)).found).toEqual([
      "integer-overflow: a signed 32-bit integer is shifted by 32, 1",
    ]);
    expect((await run("glsl", "y[i] = y[i] >> (y[i] + 31);", 0, 1)).found).toEqual([
      "integer-overflow: a signed 32-bit integer is shifted by 32, 1",
    ]);
    expect((await run("msl", "y[i] = y[i] << 1;", -1, 1)).found).toEqual([
      "integer-overflow: -1 shifted left by 1 does not fit into a signed 32-bit integer, 1",
    ]);
    expect((await run("opencl", "y[i] = y[i] << (y[i] + 32);", -1, 0)).found).toEqual([]);
    expect((await run("hlsl", "y[i] = y[i] << (y[i] + 32);", -1, 0)).found).toEqual([]);
  });

  test("shifts of negative numbers to the left are shifts of bits in GLSL, HLSL and OpenCL C, counts apart", async () => {
    for (const from of ["glsl", "hlsl", "opencl"] as const)
      expect(await run(from, "y[i] = (y[i] - 2) << (y[i] & 1);", 1, -1)).toEqual({ y: [-2, -6], found: [] });
    expect(await run("glsl", "y[i] <<= (y[i] & 31) + 1;", -1, 0x40000001)).toMatchObject({
      y: [expect.anything(), 4],
      found: ["integer-overflow: a signed 32-bit integer is shifted by 32, 1"],
    });
  });
});

test("verify says once what of the source ends no comparison", async () => {
  const race =
    "__kernel void k(__global uint *y, __global uint *last) { uint i = get_global_id(0); y[i] = i; last[0] = 7u; }";
  for (const [value, code] of [
    ["7u", "XL5016"],
    ["i", "XL5013"],
  ] as const) {
    const text = race.replace("7u", value);
    const { result, diagnostics } = await verify(text, { from: "opencl", to: "msl", workgroupSize: [64] });
    expect(result).toBe("equivalent");
    const races = diagnostics.filter((d) => d.code === "XL5013" || d.code === "XL5016");
    expect(races.map((d) => [d.code, d.severity])).toEqual([[code, "note"]]);
  }
  const clean = await verify(race.replace("last[0]", "last[i]"), { from: "opencl", to: "msl", workgroupSize: [64] });
  expect(clean).toMatchObject({ result: "equivalent", diagnostics: [] });
  const overflow = await verify("__kernel void k(__global int *y) { uint i = get_global_id(0); y[i] = y[i] * 3; }", {
    from: "opencl",
    to: "glsl",
    launches: [
      {
        workgroups: [1],
        workgroupSize: [2],
        args: { y: { type: "i32", init: { values: [1, 1000000000] }, count: 2, output: true } },
      },
    ],
  });
  expect(overflow.result).toBe("equivalent");
  expect(overflow.diagnostics.map((d) => [d.severity, d.code, d.message])).toEqual([
    ["note", "XL5014", "the source: the value 3000000000 does not fit into a signed 32-bit integer"],
  ]);
});

// C99 6.5.6 (8): pointer and number are added in the width of pointers, and no object is as large; 32 bits fall back into this one.
describe("pointers moved by unsigned numbers of 32 bits", () => {
  const run = async (engine: "ts" | "wasm", body: string, n: number): Promise<readonly (string | undefined)[]> => {
    const { findings, diagnostics } = await simulate(
      `typedef struct { uint a[16]; } S;
void put(global uint *p, uint at) { p[at] = 7u; }
global uint *on(global uint *p, uint by) { return p + by; }
global uint *before(global uint *p, uint by) { return p - by; }
void ahead(global uint *p, int at) { p[at] = 7u; }
uint twice(uint n) { return 2u * n + 1u; }
kernel void k(global uint *o, uint n) { uint a[8]; for (uint j = 0; j < 8u; j++) a[j] = j; uint i = get_global_id(0); ${body} }`,
      { from: "opencl", engine, workgroups: [1], workgroupSize: [1], args: { o: new Uint32Array(64), n } },
    );
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    return findings.map((f) => f.message);
  };
  const most = 0xffffffff;
  test.each([
    ["uint *p = a + 3; p += n; o[i] = p[0];", most],
    ["uint *p = a + 3; p += 0xffffffffu; o[i] = p[0];", 0],
    ["global uint *p = o + n; p = p + 1u; p[i] = 5u;", most],
    ["global uint *p = o + n; p += 1; p[i] = 5u;", most],
    ["global uint *p = o + n; p[i + 1] = 5u;", most],
    ["global uint *p = o + 4294967295u; p = p + 1u; p[i] = 5u;", 0],
    ["(o + 1)[n] = 5u;", most],
    ["(o + n)[1] = 5u;", most],
    ["*(o + n + 1) = 5u;", most],
    ["(&o[n])[n] = 5u;", 2 ** 31],
    ["put(o + n, 1u);", most],
    ["((global uint *)((global S *)o + n))[3] = 5u;", 2 ** 26],
    ["global uint *p = o + 2147483648u + 2147483648u; p[i] = 5u;", 0],
    ["global uint *p = o + 2147483648u; p += 2147483648u; p[i] = 5u;", 0],
    ["global uint *p = o + 2147483648u; p[2147483648u] = 5u;", 0],
    ["int m = 2; global uint *p = o + m; p += n; p[i] = 5u;", most],
    ["global uint *p = o + 5; p -= n; p[i] = 5u;", most - 1],
    ["global uint *p = o + 9u * n; p -= n; p -= n; p[i] = 5u;", 2 ** 31],
    ["global uint *p = o; for (int k = 0; k < 8; k++) p += n; p[i] = 5u;", 2 ** 29],
    ["*on(on(o, n), n) = 5u;", 2 ** 31],
    ["*on(on(o, 2147483648u), 2147483648u) = 5u;", 0],
    ["int m = 3; put(o + m, 1u); put(o + n, 1u);", most],
    ["int m = 3; global uint *p = i == 1u ? o + m : o + n; p[1] = 5u;", most],
    ["global uint *p = o + n; p++; p[i] = 5u;", most],
    ["global uint *p = &o[n]; ++p; *p = 5u;", most],
    ["global uint *p = o; p = o + n; p++; p[i] = 5u;", most],
    ["int m = 1; global uint *p = o + n; p += m; p[i] = 5u;", most],
    ["int m = 1; global uint *p = o + n; p[m] = 5u;", most],
    ["int m = 1; (o + n)[m] = 5u;", most],
    ["int m = 1; *(o + n + m) = 5u;", most],
    ["global uint *p = o + n; global uint *q = p; q++; q[i] = 5u;", most],
    ["uint *p = a + n; p++; o[i] = *p;", most],
    ["global uint *p = o + 5; int m = 11; p += n; p += m; p[i] = 5u;", 2 ** 32 - 16],
    ["global uint *p = o + n; p += n; int m = 2; p += m; p[i] = 5u;", 2 ** 31 - 1],
    ["ahead(o + n, 1);", most],
    ["ahead(o + twice(n), 1);", 2 ** 31 - 1],
    ["global uint *p[2]; p[0] = o; p[1] = o + n; p[i + 1u]++; *p[1] = 5u;", most],
    ["global uint *p = i == 1u ? o + 1u : o + n; p++; p[i] = 5u;", most],
    ["global uint *p = o + n; if (p == 0) o[i] = 5u;", 2 ** 31],
    ["global uint *p = o + 2147483648u; if (p == 0) o[i] = 5u;", 0],
    ["global uint *p = o; for (uint j = 0; j < 2u; j++) { p = o + n; p++; } p[i] = 5u;", most],
  ])("%s with %i is beyond any object", async (body, n) => {
    for (const engine of ["ts", "wasm"] as const) {
      const found = await run(engine, body, n);
      expect(found[0]).toMatch(/^index \d{10,} is beyond any object$|^(read|write) out of bounds of [oa]$/);
      // Where they are small, the same kernel has none.
      if (n !== 0) expect(await run(engine, body, 2)).toEqual([]);
    }
  });
  test.each([
    ["o[n + 1u] = 5u;", most],
    ["o[(n + 1u) * 2u + i] = 5u;", most],
    ["global uint *p = o + 3; p += (int)n; p[i] = 5u;", most],
    ["global uint *p = o + 3; p -= n; p[i] = 5u;", 3],
    ["uint *p = a + n; int back = -(int)n; o[i] = p[back];", 7],
    ["global uint *p = o + i; p += n - 2u; p -= 1u; p[0] = 5u;", 3],
    ["global uint *p = o + (n + 3u); p[i] = 5u;", most],
    ["global uint *p = 0; if (n == 1u) p = o + 1; if (p) p[i] = 5u;", 2],
    ["global uint *p = o + (n - 1u); if (n) p[i] = 5u;", 0],
    ["global uint *p = o + n; p -= 3u; p--; p++; p++; p[i] = 5u;", 2],
    ["global uint *p = o + n; for (int k = 0; k < 3; k++, p -= 4u) p[i] = 5u;", 8],
    ["int m = -3; global uint *p = o + n; p += m; p[i] = 5u;", 3],
    ["int m = 3; put(o + m, 1u); put(o + n, 1u);", 3],
    ["global uint *p = o + n; p++; p += n; p[i] = 5u;", 3],
    ["global uint *p = o + 3; p -= 4u; int m = n; p += m; p[i] = 5u;", 2],
    ["global uint *p = before(o + 1, n); p += 2; p[i] = 5u;", 2],
    ["ahead(o + n, -3);", 3],
    ["global uint *p = o + (n - 1u); if (n) { p++; p[i] = 5u; }", 1],
    ["global uint *p = 0; if (n) p = o + n; if (p) p++; if (p) p[i] = 5u;", 1],
    ["global uint *p = 0; if (n) p = o + n; if (p) p++; if (p) p[i] = 5u;", 0],
    // Before the object in between, however it is led on from there.
    ["*(o + 5 - n - n + 3u) = 5u;", 3],
    ["*(o + n + n + 5l - 6l) = 5u;", 3],
    ["global uint *p = o; p = p - 2l - 3l + n + n + n; p[i] = 5u;", 2],
    ["ulong m = 3; *(o + m - n - n - n + 7ul - n + m) = 5u;", 3],
    ["global uint *p = o - n; p[n + i] = 5u;", 3],
    ["put(o + 1u - n + n, n); put(o - n, n + 1u);", 3],
  ])("%s with %i is in bounds", async (body, n) => {
    for (const engine of ["ts", "wasm"] as const) expect(await run(engine, body, n)).toEqual([]);
  });
});

describe("indices of 64 bits, where elements are counted by 32", () => {
  const texts: Partial<Record<TwoWayDialect, string>> = {
    msl: `kernel void k(device uint *y [[buffer(0)]], constant ulong &n [[buffer(1)]], uint i [[thread_position_in_grid]]) { y[n + i] = 7u; }`,
    opencl: `kernel void k(global uint *y, ulong n) { y[n + get_global_id(0)] = 7u; }`,
  };
  const offsets: Partial<Record<TwoWayDialect, string>> = {
    msl: `kernel void k(device uint *y [[buffer(0)]], constant ulong &n [[buffer(1)]], uint i [[thread_position_in_grid]]) { device uint *p = y + 2; p += n; p[i] = 7u; }`,
    opencl: `kernel void k(global uint *y, ulong n) { global uint *p = y + 2; p += n; p[get_global_id(0)] = 7u; }`,
  };
  const cases = [texts, offsets].flatMap((by) =>
    (["msl", "opencl"] as const).map((from) => [from, by[from]!] as const),
  );
  test.each(cases)("2^40 is beyond any object, in %s: %s", async (from, source) => {
    for (const engine of ["ts", "wasm"] as const) {
      const run = async (n: bigint): Promise<(string | undefined)[]> => {
        const { findings, diagnostics } = await simulate(source, {
          from,
          engine,
          workgroups: [1],
          workgroupSize: [2],
          args: { y: new Uint32Array(8), n },
        });
        expect(diagnostics).toEqual([]);
        return findings.map((f) => `${f.kind}: ${f.message}, ${f.count}`);
      };
      const found = await run(1n << 40n);
      expect(found.length).toBeGreaterThan(0);
      expect(found[0]).toMatch(/^out-of-bounds: index 1099511627776 is beyond any object, [12]$/);
      expect(await run(0n)).toEqual([]);
    }
  });
  // Each index of [1] is beyond 2^32 and falls on the same element of [0] in 32 bits.
  const sums: readonly (readonly [TwoWayDialect, string, string])[] = [
    ["opencl", "product of ids", "o[get_global_id(0) * m] = 7u;"],
    ["opencl", "sum with what was converted", "size_t j = n; o[j + get_global_id(0)] = 7u;"],
    ["opencl", "sum kept in a variable", "size_t j = get_global_id(0); j += n; o[j] = 7u;"],
    ["opencl", "product kept in a struct", "S s; s.at = get_global_id(0) * m; o[s.at] = 7u;"],
    ["opencl", "product kept in an array", "size_t a[2] = {0, get_global_id(0) * m}; o[a[z + 1u]] = 7u;"],
    ["opencl", "result of a function", "o[placed(get_global_id(0), m)] = 7u;"],
    ["opencl", "variable that a function changes", "size_t j = get_global_id(0); grow(&j, m); o[j] = 7u;"],
    ["opencl", "sum of a constant", "const size_t j = 1ul << 40; o[j * (m > 1u) + get_global_id(0)] = 7u;"],
    ["opencl", "constant index", "o[(0x100000000ul + get_local_id(1)) * (m > 1u)] = 7u;"],
    ["opencl", "offset of a pointer", "global uint *p = o + get_global_id(0) * m; *p = 7u;"],
    ["opencl", "offset that counts backwards", "global uint *p = o + 3; p -= get_global_id(0) * m; *p = 7u;"],
    [
      "opencl",
      "loop that steps beyond",
      "size_t j = 0; for (uint t = 0; t < 3u; t++) j += m; o[j + (m >> 31) * 0x80000000u] = 7u;",
    ],
    ["opencl", "shift", "o[get_global_id(0) << (m >> 31) * 31] = 7u;"],
    ["opencl", "mask that keeps the upper half", "o[get_global_id(0) * m & ~(size_t)7] = 7u;"],
    ["msl", "product of a size_t", "size_t j = i; o[j * m] = 7u;"],
    ["msl", "sum with a ulong", "size_t j = n; o[j + i] = 7u;"],
  ];
  const around: Partial<Record<TwoWayDialect, (body: string) => string>> = {
    opencl: (body) => `typedef struct { size_t at; } S;
size_t placed(size_t a, size_t b) { return a * b; }
void grow(size_t *p, uint by) { *p *= by; }
kernel void k(global uint *o, ulong n, uint m, uint z) { ${body} }`,
    msl: (body) =>
      `kernel void k(device uint *o [[buffer(0)]], constant ulong &n [[buffer(1)]], constant uint &m [[buffer(2)]], constant uint &z [[buffer(3)]], uint i [[thread_position_in_grid]]) { ${body} }`,
  };
  test.each(sums)("arithmetic that is done in 32 bits, in %s: %s", async (from, _, body) => {
    for (const engine of ["ts", "wasm"] as const) {
      const run = async (n: bigint, m: number): Promise<(string | undefined)[]> => {
        const { findings, diagnostics } = await simulate(around[from]!(body), {
          from,
          engine,
          workgroups: [1],
          workgroupSize: [3],
          findings: ["out-of-bounds", "broken-assumption"],
          args: { o: new Uint32Array(8), n, m, z: 0 },
        });
        expect(diagnostics).toEqual([]);
        return findings.map((f) => f.message);
      };
      // Of work-item 2, or of all: 2 * 2^31, 3 * 2^31 or 2^40.
      expect((await run(1n << 40n, 2 ** 31)).join("; ")).toMatch(/index \d{10,} is beyond any object/);
      expect(await run(0n, 1)).toEqual([]);
    }
  });
  test.each([
    ["o[(get_global_id(0) * m * 31u) & 7] = 7u;"],
    ["size_t j = get_global_id(0) - 1; o[j + 1] = 7u;"],
    ["int back = -(int)get_global_id(0); o[get_global_id(0) * 2 + back] = 7u;"],
    ["size_t j = get_global_id(0) * m; o[(uint)j & 7] = (uint)(n >> 3);"],
    ["global uint *p = o + 7; p -= get_global_id(0); *p = m;"],
    ["ptrdiff_t d = (ptrdiff_t)get_global_id(0) - 2; (o + 2)[d] = m;"],
    ["size_t j = (size_t)-1; for (uint t = 0; t < 3u; t++) o[++j] = t;"],
    ["for (size_t j = 7; j != (size_t)-1; j -= 1) o[j] = m;"],
  ])("no index is beyond an object in %s", async (body) => {
    for (const engine of ["ts", "wasm"] as const) {
      const { findings, diagnostics } = await simulate(around.opencl!(body), {
        from: "opencl",
        engine,
        workgroups: [1],
        workgroupSize: [3],
        findings: ["out-of-bounds"],
        args: { o: new Uint32Array(8), n: 1n << 40n, m: 2 ** 31, z: 0 },
      });
      expect([...diagnostics, ...findings.map((f) => f.message)]).toEqual([]);
    }
  });
  test("offsets that count backwards are none", async () => {
    const source = "kernel void k(global uint *y, ulong n) { (y + 6)[get_global_id(0) - n] = 7u; }";
    const { buffers, findings } = await simulate(source, {
      from: "opencl",
      workgroups: [1],
      workgroupSize: [2],
      args: { y: new Uint32Array(8), n: 5n },
    });
    expect(findings).toEqual([]);
    expect([...(buffers["y"] as Uint32Array)]).toEqual([0, 7, 7, 0, 0, 0, 0, 0]);
  });
});
