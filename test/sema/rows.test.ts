/** Where matrices lie in memory: offsets in bytes, as DXC's DXIL reads them (rawBufferLoad) and the packing rules say. */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/index.js";

const words = (n: number): Float32Array => Float32Array.from({ length: n }, (_, i) => 4 * i);

/** What each expression reads from structured buffers of `type` whose words hold their own offsets. */
async function offsets(
  declarations: string,
  type: string,
  bytes: number,
  ...reads: readonly string[]
): Promise<number[]> {
  const source = `${declarations}\nStructuredBuffer<${type}> x;\nRWStructuredBuffer<float> o;\n[numthreads(1, 1, 1)]\nvoid main() {\n${reads.map((r, i) => `  o[${i}] = ${r};`).join("\n")}\n}\n`;
  const { buffers, diagnostics } = await simulate(source, {
    from: "hlsl",
    workgroups: [1],
    args: { x: words(bytes / 4), o: new Float32Array(reads.length) },
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return [...(buffers["o"] as Float32Array)];
}

describe("members of HLSL structs", () => {
  test("by columns, unless they say row_major", async () => {
    const s = "struct S { float2x3 m; row_major float2x3 r; column_major float3x2 c; float t; };";
    expect(
      await offsets(s, "S", 76, "x[0].m[0][1]", "x[0].m._m12", "x[0].r[0][1]", "x[0].r[1].x", "x[0].c[1][0]", "x[0].t"),
    ).toEqual([8, 20, 28, 36, 52, 72]);
  });

  test("arrays, and typedefs that say it", async () => {
    const a = "typedef row_major float2x3 RM;\nstruct A { row_major float2x3 r[2]; RM m; };";
    expect(await offsets(a, "A", 72, "x[0].r[1][0][1]", "x[0].r[1][1][0]", "x[0].m[0][1]")).toEqual([28, 36, 52]);
  });

  test("where a pragma says it, for typedefs and members after it", async () => {
    const before =
      "#pragma pack_matrix(row_major)\nstruct S { float2x3 m; column_major float2x3 c; };\ntypedef column_major float2x3 CM;\ntypedef float2x3 DM;\n#pragma pack_matrix(column_major)\nstruct U { float2x3 m; CM c; DM d; S s; };";
    expect(
      await offsets(
        before,
        "U",
        120,
        "x[0].m[0][1]",
        "x[0].c[0][1]",
        "x[0].d[0][1]",
        "x[0].s.m[0][1]",
        "x[0].s.c[0][1]",
      ),
    ).toEqual([8, 32, 52, 76, 104]);
  });

  test("elements of buffers are stored by columns, whatever the pragma says", async () => {
    expect(await offsets("#pragma pack_matrix(row_major)", "float2x3", 24, "x[0][0][1]", "x[0][1][0]")).toEqual([8, 4]);
  });

  test("whole values", async () => {
    const s =
      "struct S { row_major float2x3 r; float2x3 m; };\nfloat2x3 twice(float2x3 m) { return m * 2; }\nS made(float2x3 m) { S s = {m, m}; s.r = s.r + 1; return s; }";
    expect(
      await offsets(
        s,
        "S",
        48,
        "twice(x[0].r)[0][1]",
        "transpose(x[0].m)[1][0]",
        "made(x[0].r).r[0][1]",
        "made(x[0].r).m[0][2]",
      ),
    ).toEqual([8, 32, 5, 8]);
  });
});
