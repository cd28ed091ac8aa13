/** What a translation takes for granted is checked where it can be broken: by a finding of a run, or before one. */
import { describe, expect, test } from "vitest";
import { simulate, translate, verify } from "../../src/index.js";

async function run(body: string, before = ""): Promise<{ findings: string[]; values: number[] }> {
  const code = `${before}\n__kernel void k(__global int *o, int n) { int i = get_global_id(0); int s = 0; ${body} o[i] = s; }`;
  const { buffers, findings, diagnostics } = await simulate(code, {
    from: "opencl",
    workgroups: [1],
    workgroupSize: [8],
    args: { o: new Int32Array(8), n: 6 },
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return { findings: [...new Set(findings.map((f) => f.kind))], values: [...(buffers["o"] as Int32Array)] };
}

describe("size_t in 32 bits", () => {
  // With 64 bits (0 - 20) >> 31 is 0x1ffffffff, and (2^64 - 20) / 3 is 6148914691236517198.
  test.each([
    "s = (int)((get_global_id(0) - 20) >> 31);",
    "s = (int)((get_global_id(0) - 20) / 3);",
    "s = (int)((get_global_id(0) - 20) % 7);",
    "s = get_global_id(0) - 20 > 5;",
    "s = (int)((size_t)(i - 3) / 2);",
    "s = (int)(get_global_id(0) * 0x40000000u * 4u / 2);",
    "s = (int)((get_global_id(0) << i * 9) >> 3);",
    "s = (int)(get_global_id(0) << (i + 30));",
    "size_t q = get_global_id(0); q -= 3; s = (int)(q / 5);",
    "size_t q = i; q--; s = (int)(q / 5);",
    "size_t t[2] = { n, i }; t[1] -= 5; s = (int)(t[1] / 3);",
    "s = (int)(f(i) / 3);",
  ])("a value that leaves them is a finding: %s", async (body) => {
    expect((await run(body, "size_t f(size_t a) { return a - 4; }")).findings).toEqual(["broken-assumption"]);
  });

  test.each([
    ["s = (int)((get_global_id(0) + 20) / 3);", [6, 7, 7, 7, 8, 8, 8, 9]],
    ["s = (int)(get_global_id(0) - 20);", [-20, -19, -18, -17, -16, -15, -14, -13]],
    ["s = (int)((get_global_id(0) & ~(size_t)3) / 2);", [0, 0, 0, 0, 2, 2, 2, 2]],
    ["s = (int)(((get_global_id(0) - 1) & 255) / 2);", [127, 0, 0, 1, 1, 2, 2, 3]],
    ["for (size_t j = n; j-- > 0;) s += (int)j;", [15, 15, 15, 15, 15, 15, 15, 15]],
    ["for (size_t j = n - 1; j < n; --j) s += (int)j;", [15, 15, 15, 15, 15, 15, 15, 15]],
    ["for (size_t j = 0; j < n; j += 2) { s += (int)j; barrier(CLK_LOCAL_MEM_FENCE); }", [6, 6, 6, 6, 6, 6, 6, 6]],
  ])("a value that is congruent or fits is none: %s", async (body, values) => {
    expect(await run(body)).toEqual({ findings: [], values });
  });
});

describe("a grid offset", () => {
  const launch = (gridOffset: number[]) => ({
    gridSize: [8],
    gridOffset,
    workgroupSize: [8],
    args: { o: { type: "i32", count: 16, init: { fill: 0 }, output: true } },
  });
  const ids = "__kernel void k(__global int *o) { o[get_global_id(0)] = get_global_id(0); }";
  const local = "__kernel void k(__global int *o) { o[get_local_id(0)] = get_group_id(0); }";

  test.each(["msl", "glsl", "hlsl"] as const)("that %s has not leaves the answer open", async (to) => {
    const { result, diagnostics } = await verify(ids, { from: "opencl", to, launches: [launch([4])] });
    expect(result).toBe("inconclusive");
    expect(diagnostics.map((d) => `${d.code} ${d.message}`).join()).toMatch(/XL5009 .*no global offset/);
    expect((await verify(ids, { from: "opencl", to, launches: [launch([0])] })).result).toBe("equivalent");
    expect((await verify(local, { from: "opencl", to, launches: [launch([4])] })).result).toBe("equivalent");
  });

  test.each(["opencl", "ts"] as const)("is kept by %s", async (to) => {
    expect((await verify(ids, { from: "opencl", to, launches: [launch([4])] })).result).toBe("equivalent");
  });
});

describe("more workgroups than Direct3D starts", () => {
  const code = (at: string): string =>
    `RWByteAddressBuffer o;\n[numthreads(1, 1, 1)]\nvoid main(uint3 id : SV_DispatchThreadID) { if (id.x % 65536 == 0) o.InterlockedAdd(${at}, 1); }\n`;
  const launches = (count: number) => [
    { workgroups: [count], args: { o: { type: "u32", count: 16, init: { fill: 0 }, output: true } } },
  ];
  const verified = async (at: string, count: number, strict: boolean) => {
    const { result, diagnostics } = await verify(code(at), {
      from: "hlsl",
      to: "glsl",
      strict,
      launches: launches(count),
      subgroupSizes: [4],
    });
    return [result, ...diagnostics.filter((d) => d.severity === "error").map((d) => d.code)];
  };

  // 65536 * 65536 is 0 in the source, and beyond the buffer where elements are numbered.
  test("leave the answer open where addresses rely on it", async () => {
    expect(await verified("id.x * 65536", 65537, false)).toEqual(["inconclusive", "XL6007"]);
    expect(await verified("id.x * 65536", 65537, true)).toEqual(["equivalent"]);
    expect(await verified("id.x * 65536", 65535, false)).toEqual(["equivalent"]);
    expect(await verified("(id.x & 3) * 4", 65537, false)).toEqual(["equivalent"]);
  });
});

describe("operands that HLSL skips since version 2021", () => {
  const code = (e: string): string =>
    `RWStructuredBuffer<int> o;\n[numthreads(8, 1, 1)]\nvoid main(uint3 id : SV_DispatchThreadID) {\n  int i = id.x;\n  int p = i;\n  bool b = ${e};\n  o[i] = b ? p : -p;\n}\n`;
  test.each([
    ["i > 3 && p++ > 4", true],
    ["i > 3 ? (p = 2) > i : true", true],
    ["i > 3 || WaveActiveAnyTrue(i == 1)", true],
    ["p++ > 3 && i > 2", false],
    ["i > 3 && o[i] > 2 && abs(p) > 3", false],
  ])("%s", async (e, assumed) => {
    const { assumptions } = await translate(code(e), { from: "hlsl", to: "glsl" });
    expect(assumptions.map((a) => a.op).filter((op) => op === "lazy-operand")).toEqual(assumed ? ["lazy-operand"] : []);
    const own = await translate(code(e), { from: "hlsl", to: "hlsl" });
    expect(own.assumptions).toEqual([]);
  });
});
