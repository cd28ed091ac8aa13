/**
 * Functions of OpenCL C on doubles: what is written for another language its compiler takes; and the
 * powers by integers and roots have the values of exact arithmetic, of the specification at their edges, and of PoCL.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { deviceTest } from "../device/device-test.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";
import { runHere } from "../device/run-here.js";

/** OpenCL C 3.0 tables 6.15.2 to 6.15.5, of those with one to three operands of one type. */
const functions: readonly (readonly [operands: number, names: string])[] = [
  [
    1,
    `acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erf erfc exp exp2 exp10 expm1 fabs floor lgamma
    log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc degrees radians sign`,
  ],
  [2, "atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder max min step"],
  [3, "fma mad clamp mix smoothstep"],
];
const calls = [
  ...functions.flatMap(([n, names]) =>
    names.split(/\s+/).map((name) => `${name}(${["x[i]", "x[i + 1]", "x[i + 2]"].slice(0, n).join(", ")})`),
  ),
  ...["isnan", "isinf", "isfinite", "isnormal", "signbit", "isequal"].map(
    (name) => `${name}(x[i]${name === "isequal" ? ", x[i + 1]" : ""}) ? 1.0 : 0.0`,
  ),
  "pown(x[i], 3)",
  "rootn(x[i], 3)",
  "ldexp(x[i], 3)",
];
const kernel = (body: string): string =>
  `kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(global double *x, global int *n, global double *o) { uint i = get_global_id(0); ${body} }`;

describe.each(["glsl", "hlsl"] as const)("to %s", (to) => {
  judgeTest(judges[to], "every function of doubles is taken by the compiler", async () => {
    const texts: Judgeable[] = [];
    for (const call of calls) {
      const { code, diagnostics } = await translate(kernel(`o[i] = ${call};`), { from: "opencl", to });
      expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
      texts.push(judgeable(to, call, code!));
    }
    expect(refusals(await judgeOutputs(texts))).toBe("");
  });
});

test.each(["powr(x[i], x[i + 1])", "pown(x[i], n[i])", "rootn(x[i], n[i])", "pow(x[i], x[i + 1])"])(
  "%s is refused by name where there are no doubles",
  async (call) => {
    const { diagnostics } = await translate(kernel(`o[i] = ${call};`), { from: "opencl", to: "msl" });
    const errors = diagnostics.filter((d) => d.severity === "error");
    expect(errors.length).toBeGreaterThan(0);
    for (const d of errors) expect(d.message).toMatch(/double/);
  },
);

type Case = readonly [x: number, n: number, want: number];
/** OpenCL C 3.0 section 7.5.1. */
const rootEdges: readonly Case[] = [
  [0, -3, Infinity],
  [-0, -3, -Infinity],
  [-0, -2, Infinity],
  [-0, 2, 0],
  [-0, 3, -0],
  [-8, 2, NaN],
  [8, 0, NaN],
  [NaN, 3, NaN],
  [Infinity, 3, Infinity],
  [-Infinity, 3, -Infinity],
];
const powerEdges: readonly Case[] = [
  [NaN, 0, 1],
  [-0, 0, 1],
  [-0, -3, -Infinity],
  [-0, -2, Infinity],
  [-0, 3, -0],
  [-0, 2, 0],
  [-Infinity, 3, -Infinity],
  [-Infinity, 2, Infinity],
  [-Infinity, -3, -0],
];
const inside: readonly (readonly [number, number])[] = [
  [8, 3],
  [-8, 3],
  [1e300, 3],
  [1.7e308, 5],
  [2.3e-300, 7],
  [-3.1, -5],
  [0.1, -2],
  [1e300, -3],
  [1.0000001, 1000],
  [123456789.25, 1],
  [123456789.25, -1],
  [2, 1023],
  [1.5, -1001],
  [-1.0000000001, 2147483647],
];
const launch = { workgroups: [1], workgroupSize: [64] } as const;

/** A double as a fraction over a power of two. */
function exact(x: number): { readonly whole: bigint; readonly shift: number } {
  let shift = 0;
  for (; !Number.isInteger(x); shift++) x *= 2;
  return { whole: BigInt(x), shift };
}
/** How many units in the last place of `got` the n-th power of it is from x, over n: what the root is off. */
function rootIsOff(got: number, x: number, n: number): number {
  const [g, e] = [exact(Math.abs(got)), exact(Math.abs(x))];
  const m = Math.abs(n);
  // got^m against x, or got^m x against 1.
  const power = g.whole ** BigInt(m);
  const bits = BigInt(g.shift * m);
  const [left, right] =
    n > 0 ? [power << BigInt(e.shift), e.whole << bits] : [power * e.whole, 1n << (bits + BigInt(e.shift))];
  const relative = Number(((left - right) << 80n) / right) / 2 ** 80;
  return Math.abs(relative / m) * 2 ** 53;
}

function padded(cases: readonly (readonly [number, number, number?])[]) {
  const x = new Float64Array(64).fill(1);
  const n = new Int32Array(64).fill(1);
  cases.forEach(([a, b], i) => [(x[i] = a), (n[i] = b)]);
  return { x, n, o: new Float64Array(64) };
}
const same = (got: number, want: number): boolean => Object.is(got, want);

describe("doubles", () => {
  for (const [name, edges] of [
    ["rootn", rootEdges],
    ["pown", powerEdges],
  ] as const) {
    const source = kernel(`o[i] = ${name}(x[i], n[i]);`);
    test(`${name} at its edges`, async () => {
      const { buffers } = await simulate(source, { from: "opencl", ...launch, args: padded(edges) });
      const o = buffers["o"] as Float64Array;
      expect(edges.filter(([, , want], i) => !same(o[i]!, want)).map((c) => c.join(" "))).toEqual([]);
    });
    test(`${name} inside, by exact arithmetic`, async () => {
      const cases =
        name === "rootn" ? inside.filter(([, n]) => Math.abs(n) < 50) : inside.filter(([, n]) => n < 99 && n > -99);
      const kept = cases.filter(([x, n]) => name === "rootn" || (Number.isFinite(x ** n) && Math.abs(x ** n) > 1e-290));
      const { buffers } = await simulate(source, { from: "opencl", ...launch, args: padded(kept) });
      const o = buffers["o"] as Float64Array;
      // OpenCL C 3.0 section 7.4: 16 ulp for both.
      kept.forEach(([x, n], i) => {
        const off = name === "rootn" ? rootIsOff(o[i]!, x, n) : rootIsOff(x, o[i]!, n) * Math.abs(n);
        expect(off, `${name}(${x}, ${n}) is ${o[i]}`).toBeLessThanOrEqual(16);
        expect(Math.sign(o[i]!)).toBe(Math.sign(x) < 0 && n % 2 !== 0 ? -1 : 1);
      });
    });
  }
});

await deviceTest("opencl", "PoCL has the same", async () => {
  for (const [name, cases] of [
    ["rootn", [...rootEdges, ...inside]],
    ["pown", [...powerEdges, ...inside]],
    ["powr", [...inside, [0, 3], [0, -3], [2, -1], [1, 5]]],
  ] as const) {
    const source = kernel(`o[i] = ${name}(x[i], ${name === "powr" ? "(double)n[i]" : "n[i]"});`);
    const args = (): ReturnType<typeof padded> => padded(cases);
    const own = await simulate(source, { from: "opencl", ...launch, args: args() });
    const there = await runHere(source, { from: "opencl", device: "opencl", ...launch, args: args() });
    expect(there.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    const [a, b] = [own.buffers["o"] as Float64Array, there.buffers["o"] as Float64Array];
    const apart = cases.flatMap(([x, n], i) => {
      const near = same(a[i]!, b[i]!) || Math.abs(a[i]! - b[i]!) <= 32 * 2 ** -53 * Math.abs(b[i]!);
      return near ? [] : [`${name}(${x}, ${n}): ${a[i]}, PoCL ${b[i]}`];
    });
    expect(apart).toEqual([]);
  }
});
