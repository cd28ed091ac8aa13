import { expect, test } from "vitest";
import { translate } from "../../src/index.js";

test("a variable called rank or extent is compared, and begins no template", async () => {
  const source = `kernel void k(device uint *y [[buffer(0)]], constant uint &n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uint rank = i + 1, extent = 2;
  if (rank < n) y[i] = extent < n ? 1 : 2;
}`;
  const { code, diagnostics } = await translate(source, { from: "msl", to: "glsl", workgroupSize: [64] });
  expect(diagnostics).toEqual([]);
  expect(code).toContain("if (rank < n) y[i] = extent < n ? 1 : 2;");
});
