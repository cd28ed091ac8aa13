/** Constants of the source stand by their names where the target's compiler takes them, which the judges say. */
import { describe, expect, it } from "vitest";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { judgeable, judges, judgeOutputs, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";
import { outcome } from "../passes/text.js";

const source = `#include <metal_stdlib>
using namespace metal;
// How many rounds.
#define ROUNDS 16
#define TILE 8
constant uint K = 4;
constant uint MODE_ADD = 0;
enum { FOUR = 4 };
struct S { float a[K]; uint b[TILE * 2 + 1]; };
kernel void k(device uint *u [[buffer(0)]], device int *x [[buffer(1)]], device float *f [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  threadgroup float tile[TILE][K + 1];
  float w[K * 2] = {1, 2, 3, 4, 5, 6, 7, 8};
  float z[FOUR];
  z[i % 4] = 1.0f;
  S s;
  s.a[1] = z[1];
  for (uint j = 0; j < ROUNDS; j++) u[j] = max(u[j], uint(ROUNDS));
  for (int j = 0; j < ROUNDS; j++) x[j] = max(x[j], ROUNDS);
  f[i] = w[i % 8] * ROUNDS;
  tile[i % 8][0] = s.a[1];
  switch (u[i]) {
    case MODE_ADD:
      x[i] = 1;
      break;
  }
  f[i] += tile[0][i % 4];
}
`;
const translated = async (to: TwoWayDialect): Promise<string> => (await outcome(source, "msl", to)).text;

describe("named constants", () => {
  const lengths: Readonly<Record<TwoWayDialect, readonly string[]>> = {
    msl: ["  threadgroup float tile[TILE][K + 1];", "  float z[FOUR];"],
    glsl: ["shared float tile[TILE][K + 1];", "  float z[FOUR];"],
    opencl: ["  __local float tile[TILE][K + 1];", "  float z[FOUR];"],
    hlsl: ["groupshared float tile[TILE][K + 1];", "  float z[FOUR];"],
  };
  for (const to of ["msl", "glsl", "opencl", "hlsl"] as const) {
    it(`are the lengths and labels of ${to}`, async () => {
      const lines = (await translated(to)).split("\n");
      expect(lines).toEqual(
        expect.arrayContaining([
          ...lengths[to],
          "  float a[K];",
          "  uint b[TILE * 2 + 1];",
          "    case MODE_ADD:",
          "// How many rounds.",
          "#define ROUNDS 16",
        ]),
      );
    });
    judgeTest(judges[to], `are taken by the ${to} compiler`, async () => {
      expect(refusals(await judgeOutputs([judgeable(to, to, await translated(to))]))).toBe("");
    });
  }

  it("used at two types are converted where the target does not", async () => {
    expect(await translated("glsl")).toContain("for (uint j = 0u; j < ROUNDS; j++) u[j] = max(u[j], uint(ROUNDS));");
    expect(await translated("glsl")).toContain("for (int j = 0; j < ROUNDS; j++) x[j] = max(x[j], ROUNDS);");
    expect(await translated("opencl")).toContain("u[j] = max(u[j], (uint)ROUNDS);");
  });
});
