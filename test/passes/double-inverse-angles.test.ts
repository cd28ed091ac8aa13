/**
 * asin, acos and atan of double in GLSL and HLSL, which have none: the written text, run in the simulator, against series in fixed
 * point of 400 binary places; its compiler takes it. OpenCL C 3.0 7.4 grants 4, 4 and 5 ulp.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { acosOf, asinOf, atanOf, fixed, PLACES } from "../support/exact-reals.js";
import { judgeable, judgeOutputs, judges } from "../support/judges/outputs.js";
import { toolTest } from "../support/tool-test.js";

const functions = { asin: asinOf, acos: acosOf, atan: atanOf } as const;
const names = ["asin", "acos", "atan"] as const;
type Name = (typeof names)[number];

const exponentOf = (x: bigint): number => (x < 0n ? -x : x).toString(2).length - 1 - Number(PLACES);
const ulps = (result: number, exact: bigint): number =>
  exact === 0n
    ? result
    : Number(((fixed(result) - exact) << 20n) >> (PLACES + BigInt(exponentOf(exact) - 52))) / 2 ** 20;

/** Spread by a multiplicative step, the same in every run. */
const spread = (count: number): number[] =>
  Array.from({ length: count }, (_, i) => 2 * ((i * 0.6180339887498949) % 1) - 1);
const inside = [
  ...spread(150),
  ...spread(60).map((v, i) => v * 2 ** -i),
  ...spread(52).map((v, i) => Math.sign(v) * (1 - Math.abs(v) * 2 ** -i)),
  ...[0.5, -0.5, 0.4999999999999999, 0.51984, -0.51984, 0.975, 1e-20],
];
const operands: Readonly<Record<Name, readonly number[]>> = {
  asin: inside,
  acos: inside,
  atan: [
    ...inside,
    ...spread(150).map((v) => 3 * v),
    ...spread(60).map((v, i) => v * 2 ** i),
    0.4375,
    0.6875,
    1.1875,
    2.4375,
  ],
};

const inf = Infinity;
/** C99 F.9.1. */
const edges: Readonly<Record<Name, readonly (readonly [number, number])[]>> = {
  asin: [
    [0, 0],
    [-0, -0],
    [1, Math.PI / 2],
    [-1, -Math.PI / 2],
    [1.0000000000000002, NaN],
    [-inf, NaN],
    [NaN, NaN],
  ],
  acos: [
    [1, 0],
    [-1, Math.PI],
    [0, Math.PI / 2],
    [1.0000000000000002, NaN],
    [inf, NaN],
    [NaN, NaN],
  ],
  atan: [
    [0, 0],
    [-0, -0],
    [1, Math.PI / 4],
    [inf, Math.PI / 2],
    [-inf, -Math.PI / 2],
    [1e300, Math.PI / 2],
    [NaN, NaN],
  ],
};

const lanes = 32;
const kernel = (name: string, type = "double"): string =>
  `kernel __attribute__((reqd_work_group_size(${lanes}, 1, 1))) void k(global const ${type} *x, global ${type} *o) {
  uint g = get_global_id(0);
  o[g] = ${name}(x[g]);
}
`;
async function computed(name: string, to: "glsl" | "hlsl", values: readonly number[]): Promise<readonly number[]> {
  const { code, diagnostics } = await translate(kernel(name), { from: "opencl", to });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const count = Math.ceil(values.length / lanes) * lanes;
  const x = new Float64Array(count).fill(1);
  x.set(values);
  const ran = await simulate(code!, { from: to, workgroups: [count / lanes], args: { x, o: new Float64Array(count) } });
  expect(ran.findings, code).toEqual([]);
  return [...(ran.buffers["o"] as Float64Array)].slice(0, values.length);
}

describe.each(["glsl", "hlsl"] as const)("to %s", (to) => {
  test.each(names)("%s is within 2 ulp", async (name) => {
    const results = await computed(name, to, operands[name]);
    const wrong = operands[name].flatMap((x, i) => {
      const e = ulps(results[i]!, functions[name](fixed(x)));
      return Math.abs(e) <= 2 ? [] : [`${name}(${x}) is ${results[i]}, ${e} ulp off`];
    });
    expect(wrong).toEqual([]);
  });

  test.each(names)("%s at the edges", async (name) => {
    const results = await computed(
      name,
      to,
      edges[name].map(([x]) => x),
    );
    expect(edges[name].map(([x], i) => [x, results[i]])).toEqual(edges[name].map(([x, y]) => [x, y]));
  });

  test.each(names)("%spi is a quotient by pi", async (name) => {
    const values = operands[name].filter((x) => Math.abs(x) > 1e-10);
    const results = await computed(`${name}pi`, to, values);
    const exact = values.map((x) => Math[name](x) / Math.PI);
    expect(results.filter((r, i) => Math.abs(r - exact[i]!) > 5 * 2 ** -52 * Math.abs(exact[i]!))).toEqual([]);
  });

  toolTest(judges[to].missing(), "they are taken by the compiler, of vectors too", async () => {
    const codes = await Promise.all(
      names.flatMap((name) =>
        ["double", "double3"].map(async (type) => (await translate(kernel(name, type), { from: "opencl", to })).code),
      ),
    );
    const judged = await judgeOutputs(codes.map((c, i) => judgeable(to, `inverse angle ${i}`, c!)));
    expect(judged.filter((j) => !j.ok)).toEqual([]);
  });
});
