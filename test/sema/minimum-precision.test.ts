import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";

const kernel = (body: string): string =>
  `RWStructuredBuffer<int> o : register(u0);\n[numthreads(1, 1, 1)] void k(uint3 id : SV_DispatchThreadID) {\n  ${body}\n}\n`;

async function run(body: string): Promise<{ value: number; findings: readonly string[] }> {
  const { buffers, findings } = await simulate(kernel(body), {
    from: "hlsl",
    workgroups: [1],
    args: { o: new Int32Array(1) },
  });
  return { value: (buffers["o"] as Int32Array)[0]!, findings: findings.map((f) => f.message) };
}

async function assumed(body: string, strict = false): Promise<readonly string[]> {
  const { code, assumptions, diagnostics } = await translate(kernel(body), { from: "hlsl", to: "glsl", strict });
  if (code === undefined) return diagnostics.map((d) => d.code);
  return assumptions.map((a) => a.op);
}

describe("types of minimum precision", () => {
  test("what 16 bits hold has no finding, and no assumption where the text shows it", async () => {
    expect(await run("min16int x = 150; o[0] = x * 200;")).toEqual({ value: 30000, findings: [] });
    expect(await assumed("min16int x = 7; min16int y = (min16int)(id.x & 15); o[0] = x + (y << 2);")).toEqual([]);
  });

  test.each([
    ["a product", "min16int x = 300; o[0] = x * x;"],
    ["a conversion", "int i = 40000; min16int x = i; o[0] = x;"],
    ["a cast", "int i = 40000; o[0] = (min16int)i;"],
    ["a complement", "min16uint x = 1; o[0] = (int)(~x);"],
    ["an assignment", "min16int x = 300; x *= 300; o[0] = x;"],
    ["an increment", "min16uint x = 65535; x++; o[0] = (int)x;"],
    ["a component", "min16int2 x = min16int2(300, 2); x.x *= x.x; o[0] = x.x;"],
    ["an element", "min16int x[2] = { 300, 1 }; x[1] = x[0] * x[0]; o[0] = x[1];"],
    ["a function", "min16float x = 300.0; o[0] = (int)mad(x, x, x);"],
    ["a float", "min16float x = 300.0; o[0] = (int)(x * x);"],
  ])("%s beyond 16 bits has a finding, is assumed not to be, and refused with strict", async (_, body) => {
    expect((await run(body)).findings[0]).toMatch(/does not fit 16 bits/);
    expect(await assumed(body.replace(/= (300|1|40000|65535);/, "= (int)id.x + $1;"))).toContain("minimum-precision");
    expect(await assumed(body.replace(/= (300|1|40000|65535);/, "= (int)id.x + $1;"), true)).toContain("XL4009");
  });

  test("beside wider operands it is computed in their width, as DXC does", async () => {
    expect(await run("min16int x = 300; o[0] = x * 300u;")).toEqual({ value: 90000, findings: [] });
    expect(await run("min16int x = 300; o[0] = x * (int)300;")).toEqual({ value: 90000, findings: [] });
    expect(await run("min16int x = 300; o[0] = (int)x * 300;")).toEqual({ value: 90000, findings: [] });
  });

  test("shifts take counts modulo 16, as DXC writes into its code", async () => {
    // Folded by DXC: 16, 16384.
    expect(await run("min16int x = 1; int n = 20; o[0] = x << n;")).toEqual({ value: 16, findings: [] });
    expect(await run("min16uint x = 0x8000; o[0] = (int)(x >> 17);")).toEqual({ value: 16384, findings: [] });
  });
});

describe("HLSL written as HLSL", () => {
  // Its own compiler says what the types mean: the text has the source's words.
  const source = `struct P { min16float2 a; min10float b; half h; };
RWStructuredBuffer<min16float> o : register(u0);
StructuredBuffer<min16int> q : register(t0);
groupshared min12int sh[64];
static const min16uint K = 40000;
static min16float acc = 0.5;
min16float f(min16float x, inout min10float y) { y = y * 2.0; return x + y; }
min16int g(min16int x) { return x << 2; }
int g(int x) { return x << 3; }
half hh(half x) { return x * 2; }
enum E { e0, e1 };
[numthreads(64, 1, 1)]
void k(uint3 id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
  P p = (P)0;
  p.a = min16float2(1.0, id.x);
  p.b = (min10float)id.x;
  p.h = (half)id.y;
  min16int x = q[id.x];
  x <<= gi;
  x = x >> (gi & 15);
  min16int y = x + (min16int)id.x * 3;
  sh[gi] = g(y);
  GroupMemoryBarrierWithGroupSync();
  min16float2x2 m = min16float2x2(1, 2, 3, 4);
  min16float2 v = mul(m, p.a);
  min16float z = f(v.x, p.b) + K;
  float w = z;
  acc += w;
  E e = e1;
  vector<min16float, 3> t = float3(1, 2, 3);
  o[id.x] = max(z, acc) + sh[gi] * 2 + hh(p.h) + (e == e1 ? t.x : min16float(1.5)) + saturate(z);
}
`;
  test.each([false, true])("has the types it had (strict: %s)", async (strict) => {
    const { code, assumptions } = await translate(source, { from: "hlsl", to: "hlsl", strict });
    expect(code?.match(/\b(?:min1\w+|half|vector<[^>]*>)/g)).toEqual(source.match(/\b(?:min1\w+|half|vector<[^>]*>)/g));
    expect(assumptions.map((a) => a.op)).not.toContain("minimum-precision");
    if (!strict) expect(code).toBe(source);
  });
});
