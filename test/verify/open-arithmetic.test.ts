/** Derived launches state no tolerance: what the dialects leave open is no difference, and is said; anything else is one. */
import { expect, test } from "vitest";
import { withinSpread } from "../../src/verify/compare.js";
import { verify } from "../../src/index.js";

const kernel = (body: string): string =>
  `kernel void k(global const float *a, global float *o) { size_t i = get_global_id(0); float x = a[i]; ${body} }`;

test("functions by formula keep the bounds of the source's dialect", async () => {
  for (const call of ["exp10(x)", "cbrt(x) + log1p(fabs(x))", "hypot(x, 2.0f)", "pow(x, 1.5f)"]) {
    const { result, diagnostics } = await verify(kernel(`o[i] = ${call};`), {
      from: "opencl",
      to: "glsl",
      subgroupSizes: [8],
    });
    expect(result, call).toBe("equivalent");
    for (const d of diagnostics) expect(d.code).toBe("XL6017");
  }
});

test("the note names what is open, and how far numbers lie apart", async () => {
  const { diagnostics } = await verify(kernel("o[i] = exp10(x);"), { from: "opencl", to: "hlsl", subgroupSizes: [8] });
  expect(diagnostics.map((d) => d.message)).toEqual([
    expect.stringMatching(/^numbers differ, 'o' by up to [12] ulp, within what the dialects leave open: math\.exp10$/),
  ]);
});

test("a number beyond twice the spread is a difference", () => {
  const bytes = (x: number): Uint8Array => new Uint8Array(Float32Array.of(x).buffer);
  const how = { type: { text: "f32", scalar: "f32", width: 1 }, compare: "ordered" } as const;
  const variants = [bytes(1 + 2 ** -22), bytes(1 - 2 ** -22)];
  expect(withinSpread(bytes(1), bytes(1 + 2 ** -21), variants, how)).toBe(4);
  expect(withinSpread(bytes(1), bytes(1 + 2 ** -20), variants, how)).toBeUndefined();
  expect(withinSpread(bytes(1), bytes(NaN), variants, how)).toBeUndefined();
  expect(withinSpread(bytes(1), bytes(2), [bytes(1)], how)).toBeUndefined();
});
