/**
 * Functions a target lacks, by formulas: the written text, run in the simulator (whose functions are correctly rounded),
 * against the host's double functions. The bounds are those of the OpenCL specification, and no looser than what the
 * formulas promise.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import type { TwoWayDialect } from "../../src/index.js";

const turns =
  (g: (x: number) => number) =>
  (x: number): number => {
    const r = x - 2 * Math.round(x / 2);
    return g(r);
  };
const sinpi = turns((r) => (Math.abs(r) > 0.5 ? Math.sin(Math.PI * (Math.sign(r) - r)) : Math.sin(Math.PI * r)));
const cospi = turns((r) => Math.sin(Math.PI * (0.5 - Math.abs(r))));

/** By series and continued fraction; good to some 1e-14. */
const erfc = (x: number): number => {
  if (x < 1.5) return 1 - erf(x);
  let t = x;
  for (let n = 300; n > 0; n--) t = x + n / 2 / t;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * t);
};
const erf = (x: number): number => {
  if (x < 0) return -erf(-x);
  if (x >= 1.5) return 1 - erfc(x);
  let [term, sum] = [x, x];
  for (let n = 3; n < 80; n += 2) sum += term *= (2 * x * x) / n;
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
};

const functions: readonly { name: string; exact: (x: number) => number; ulp: number; range: [number, number] }[] = [
  { name: "cbrt", exact: Math.cbrt, ulp: 1, range: [-1e38, 1e38] },
  { name: "exp10", exact: (x) => 10 ** x, ulp: 2, range: [-37, 38.5] },
  { name: "erf", exact: erf, ulp: 6, range: [-5, 5] },
  { name: "erfc", exact: erfc, ulp: 8, range: [-5, 10] },
  { name: "expm1", exact: Math.expm1, ulp: 2, range: [-20, 88] },
  { name: "log1p", exact: Math.log1p, ulp: 2, range: [-0.999, 1e38] },
  { name: "asinh", exact: Math.asinh, ulp: 4, range: [-1e38, 1e38] },
  { name: "acosh", exact: Math.acosh, ulp: 4, range: [1, 1e38] },
  { name: "atanh", exact: Math.atanh, ulp: 4, range: [-0.9999, 0.9999] },
  { name: "sinpi", exact: sinpi, ulp: 2, range: [-1e5, 1e5] },
  { name: "cospi", exact: cospi, ulp: 2, range: [-1e5, 1e5] },
];

/** Numbers of all magnitudes in the range, and evenly spread ones. */
function inputs([low, high]: readonly [number, number], count: number): Float32Array {
  const data = new Float32Array(count);
  let state = 12345;
  const next = (): number => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0), state / 2 ** 32);
  for (let i = 0; i < count;) {
    const x = i % 2 === 0 ? (next() < 0.5 ? -1 : 1) * 2 ** (next() * 250 - 125) : low + next() * (high - low);
    if (x >= low && x <= high && Math.abs(Math.fround(x)) > 2 ** -126) data[i++] = x;
    else if (i % 2 === 0) data[i++] = low + next() ** 6 * (high - low);
  }
  return data;
}

const bits = new DataView(new ArrayBuffer(8));
const ulpOf = (x: number): number => {
  bits.setFloat32(0, Math.abs(x));
  const b = bits.getUint32(0);
  bits.setUint32(4, Math.max(b & 0x7f800000, 0x00800000));
  return bits.getFloat32(4) * 2 ** -23;
};

const count = 4096;
const targets: readonly (TwoWayDialect & ("glsl" | "hlsl" | "msl"))[] = ["glsl", "hlsl", "msl"];

describe.each(functions)("$name", ({ name, exact, ulp, range }) => {
  test.each(targets)(`is within ${ulp} ulp in %s`, async (to) => {
    const source = `kernel void k(global const float *a, global float *o) { size_t i = get_global_id(0); o[i] = ${name}(a[i]); }`;
    const { code, diagnostics } = await translate(source, { from: "opencl", to, workgroupSize: [64, 1, 1] });
    expect(diagnostics).toEqual([]);
    const a = inputs(range, count);
    const { buffers, findings } = await simulate(code!, {
      from: to,
      workgroups: [count / 64],
      workgroupSize: [64, 1, 1],
      args: { a, o: new Float32Array(count) },
    });
    expect(findings).toEqual([]);
    const o = buffers.o as Float32Array;
    let worst = { off: 0, x: 0, got: 0 };
    a.forEach((x, i) => {
      const want = exact(x);
      const off = Math.abs(o[i]! - want) / ulpOf(want);
      if (!(off <= worst.off)) worst = { off, x, got: o[i]! };
    });
    expect(worst.off, JSON.stringify(worst)).toBeLessThanOrEqual(ulp + 0.5);
  });
});

// C99 F.9.3.10, and GLSL 8.2: log is undefined of what is not positive, also where a vector's choice leaves it out.
test("log1p of vectors takes no logarithm that GLSL leaves open", async () => {
  const source =
    "kernel void k(global const float2 *a, global float2 *o) { size_t i = get_global_id(0); o[i] = log1p(a[i]); }";
  const { code } = await translate(source, { from: "opencl", to: "glsl", workgroupSize: [1, 1, 1] });
  const a = Float32Array.of(-1, -2, -Infinity, NaN, -0, 0.5, Infinity, 2 ** -30);
  const { buffers, findings } = await simulate(code!, {
    from: "glsl",
    workgroups: [4],
    args: { a, o: new Float32Array(8) },
  });
  expect(findings).toEqual([]);
  expect([...(buffers.o as Float32Array)]).toEqual([
    -Infinity,
    NaN,
    NaN,
    NaN,
    -0,
    Math.fround(Math.log1p(0.5)),
    Infinity,
    2 ** -30,
  ]);
});
