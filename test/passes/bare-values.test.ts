import { expect, test } from "vitest";
import { translate, verify } from "../../src/index.js";

const source = `kernel void k(device uint *counts [[buffer(0)]], constant uint *limits [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uint v = counts[i];
  counts; // kept
  (&limits[1], v++, &v);

  (void)counts;
  threadgroup uint t[4];
  if (v > 2) t; // alone
  for (counts; i < 1; counts) break;
  counts[i] = v;
  limits; // last
}`;

test.each(["glsl", "hlsl", "opencl"] as const)("addresses as statements are not written, in %s", async (to) => {
  const { code, diagnostics } = await translate(source, { from: "msl", to, workgroupSize: [64] });
  expect(diagnostics).toEqual([]);
  expect(code).not.toMatch(/&(?!&)|^ *counts;|^ *limits;/m);
  for (const comment of ["// kept", "// alone", "// last"]) expect(code!.split(comment)).toHaveLength(2);
  expect(code).toContain("v++;");
  const { result } = await verify(source, { from: "msl", to });
  expect(result).toBe("equivalent");
});
