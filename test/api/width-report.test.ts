/** `check` names the places that are right for one width of subgroups: masks of matching lanes are masks like others. */
import { expect, test } from "vitest";
import { check } from "../../src/index.js";

const kernel = (mask: string): string => `RWStructuredBuffer<uint> o;
[numthreads(64, 1, 1)] void main(uint3 t : SV_DispatchThreadID) {
  uint4 m = ${mask};
  o[t.x] = m.x == 0xffffffffu ? 1u : 0u;
}`;

test.each([
  ["ballots", "WaveActiveBallot(t.x > 3u)"],
  ["matches", "WaveMatch(t.x & 1u)"],
])("%s that are compared with 32 bits", async (_what, mask) => {
  const { widths } = await check(kernel(mask), { from: "hlsl" });
  expect(widths[0]!.assumptions.map((a) => a.width)).toEqual([32]);
});
