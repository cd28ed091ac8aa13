/**
 * Exponentials and logarithms of double in GLSL and HLSL, which have none: the written text, run in the simulator, against series
 * in fixed point of 400 binary places; its compiler takes it. OpenCL C 3.0 7.4 grants 3 ulp.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { expOf, fixed, LN2, logOf, ONE, PLACES, productOf, quotientOf } from "../support/exact-reals.js";
import { judgeable, judgeOutputs, judges } from "../support/judges/outputs.js";
import { toolTest } from "../support/tool-test.js";

const names = ["exp", "exp2", "exp10", "log", "log2", "log10"] as const;
type Name = (typeof names)[number];
const LN10 = logOf(10n * ONE);

/** Units in the last place of the exact value that a result lies from it. */
const ulps = (result: number, exact: bigint, exponent: number): number =>
  Number(((fixed(result) - exact) << 20n) >> (PLACES + BigInt(exponent - 52))) / 2 ** 20;
const exponentOf = (x: bigint): number => (x < 0n ? -x : x).toString(2).length - 1 - Number(PLACES);

/** Of results that are normal numbers. */
function error(name: Name, x: number, result: number): number {
  if (name.startsWith("exp")) {
    const base = { exp: ONE, exp2: LN2, exp10: LN10 }[name as "exp"];
    const power = productOf(fixed(x), base);
    const n = Math.round(Number((power << 20n) / LN2) / 2 ** 20);
    const exact = expOf(power - BigInt(n) * LN2);
    const half = Math.trunc(n / 2);
    return ulps(result * 2 ** -half * 2 ** (half - n), exact, exponentOf(exact));
  }
  const n = Math.floor(Math.log2(x));
  const m = x * 2 ** -Math.trunc(n / 2) * 2 ** -(n - Math.trunc(n / 2));
  const natural = logOf(fixed(m)) + BigInt(n) * LN2;
  const exact = name === "log" ? natural : quotientOf(natural, name === "log2" ? LN2 : LN10);
  return exact === 0n ? (result === 0 ? 0 : Infinity) : ulps(result, exact, exponentOf(exact));
}

/** Spread by a multiplicative step, the same in every run. */
const spread = (count: number, low: number, high: number): number[] =>
  Array.from({ length: count }, (_, i) => low + (high - low) * ((i * 0.6180339887498949) % 1));
const tops = { exp: 709.7, exp2: 1023.9, exp10: 308.2 };
const lowest = { exp: -708.3, exp2: -1021.9, exp10: -307.6 };

function operands(name: Name): number[] {
  if (name in tops) {
    const [low, high] = [lowest[name as "exp"], tops[name as "exp"]];
    const tiny = spread(60, -1, 1).map((v, i) => v * 2 ** -i);
    return [...spread(200, low, high), ...spread(200, -1, 1), ...tiny, low, high, 1, -1, 0.5, 22, -22];
  }
  const near = spread(100, -1, 1).flatMap((v, i) => [1 + v * 2 ** -(i % 52), 2 ** -0.5 * (1 + v * 2 ** -(i % 50))]);
  const powers = Array.from({ length: 40 }, (_, i) => (i % 2 ? 2 ** (i - 20) : 10 ** (i - 20)));
  const wide = spread(200, -1074, 1023.9).map((e) => 2 ** e);
  return [...near, ...powers, ...wide, 5e-324, 2 ** -1022, Number.MAX_VALUE, 3, 1e5].map((x) =>
    x >= 2 ** -300 && x <= 2 ** 1023 ? x : Math.max(5e-324, Math.min(x, Number.MAX_VALUE)),
  );
}

const lanes = 32;
const kernel = (name: Name, type = "double"): string =>
  `kernel __attribute__((reqd_work_group_size(${lanes}, 1, 1))) void k(global const ${type} *x, global ${type} *o) {
  uint g = get_global_id(0);
  o[g] = ${name}(x[g]);
}
`;
async function computed(name: Name, to: "glsl" | "hlsl", values: readonly number[]): Promise<Float64Array> {
  const { code, diagnostics } = await translate(kernel(name), { from: "opencl", to });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const count = Math.ceil(values.length / lanes) * lanes;
  const x = new Float64Array(count).fill(1);
  x.set(values);
  const ran = await simulate(code!, {
    from: to,
    workgroups: [count / lanes],
    args: { x, o: new Float64Array(count) },
  });
  expect(ran.findings, code).toEqual([]);
  return new Float64Array((ran.buffers["o"] as Float64Array).buffer.slice(0)).subarray(0, values.length);
}

const inf = Infinity;
/** C99 F.9.3 and 7.5.1 of OpenCL C; beyond the range of a double what is rounded. */
const edges: Readonly<Record<Name, readonly (readonly [number, number])[]>> = {
  exp: [
    [0, 1],
    [-0, 1],
    [inf, inf],
    [-inf, 0],
    [NaN, NaN],
    [710, inf],
    [1e300, inf],
    [-746, 0],
    [-1e300, 0],
    [-745, 5e-324],
  ],
  exp2: [
    [0, 1],
    [inf, inf],
    [-inf, 0],
    [NaN, NaN],
    [1024, inf],
    [-1074, 5e-324],
    [-1076, 0],
    [10, 1024],
    [-1030, 2 ** -1030],
  ],
  exp10: [
    [0, 1],
    [-0, 1],
    [inf, inf],
    [-inf, 0],
    [NaN, NaN],
    [309, inf],
    [-324, 0],
    [1e9, inf],
    [-1e9, 0],
  ],
  log: [
    [1, 0],
    [0, -inf],
    [-0, -inf],
    [inf, inf],
    [-1, NaN],
    [-inf, NaN],
    [NaN, NaN],
  ],
  log2: [
    [1, 0],
    [0, -inf],
    [-0, -inf],
    [inf, inf],
    [-1, NaN],
    [NaN, NaN],
    [8, 3],
    [2 ** -1022, -1022],
    [5e-324, -1074],
  ],
  log10: [
    [1, 0],
    [0, -inf],
    [-0, -inf],
    [inf, inf],
    [-5e-324, NaN],
    [NaN, NaN],
  ],
};

describe.each(["glsl", "hlsl"] as const)("to %s", (to) => {
  test.each(names)("%s is within 2 ulp", async (name) => {
    const values = operands(name);
    const results = await computed(name, to, values);
    const wrong = values.flatMap((x, i) => {
      const e = error(name, x, results[i]!);
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

  toolTest(judges[to].missing(), "they are taken by the compiler, of vectors too", async () => {
    const codes = await Promise.all(
      names.flatMap((name) =>
        ["double", "double4"].map(async (type) => (await translate(kernel(name, type), { from: "opencl", to })).code),
      ),
    );
    const judged = await judgeOutputs(codes.map((c, i) => judgeable(to, `exponential ${i}`, c!)));
    expect(judged.filter((j) => !j.ok)).toEqual([]);
  });
});
