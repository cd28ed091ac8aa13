/**
 * `vstore_half` and `vstorea_half` of doubles in all rounding modes (OpenCL C 3.0 6.15.7): rounded once, in every target that has
 * doubles, with and without a type of half precision. The expected halves are found among all that there are.
 */
import { expect, test } from "vitest";
import { simulate, translate, type SourceDialect } from "../../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

type Mode = "" | "_rte" | "_rtz" | "_rtp" | "_rtn";
const modes: readonly Mode[] = ["", "_rte", "_rtz", "_rtp", "_rtn"];

/** Number of a half that is not negative, by IEEE 754 3.4: of 0x7c00 what would come after the greatest. */
const numberOf = (bits: number): number =>
  bits < 0x400 ? bits * 2 ** -24 : (1024 + (bits & 1023)) * 2 ** ((bits >> 10) - 25);

function expected(x: number, mode: Mode): number {
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  if (Number.isNaN(x)) return NaN;
  const a = Math.abs(x);
  if (a === Infinity) return sign | 0x7c00;
  let below = 0;
  for (let step = 0x4000; step >= 1; step >>= 1)
    if (below + step < 0x7c00 && numberOf(below + step) <= a) below += step;
  const [low, high] = [numberOf(below), numberOf(below + 1)];
  if (low === a) return sign | below;
  const outward = mode === "_rtp" ? !sign : mode === "_rtn" && Boolean(sign);
  const nearer = Math.min(a, 2 * high) - low - (high - Math.min(a, 2 * high));
  const up = mode === "" || mode === "_rte" ? nearer > 0 || (nearer === 0 && below % 2 === 1) : outward;
  return sign | (below + (up ? 1 : 0));
}

/** Around halves and the middles between them, closer than floats tell apart; beyond the greatest, below the least. */
const numbers = ((): number[] => {
  const list = [0, Infinity, NaN, 1e300, 65504, 65519.99999999999, 65520, 1e-300, 2 ** -25, 2 ** -24, 5e-324];
  for (let bits = 1; bits < 0x7c00; bits += 997)
    for (const t of [numberOf(bits), (numberOf(bits) + numberOf(bits + 1)) / 2])
      list.push(t, t * (1 + 2 ** -40), t * (1 - 2 ** -40));
  const all = list.flatMap((x) => [x, -x]);
  while (all.length % 48 !== 0) all.push(1 / all.length);
  return all;
})();

const source = (n: number, aligned: boolean, mode: Mode): string => {
  const size = n === 1 ? "" : String(n);
  const value = n === 1 ? "x[i]" : `vload${size}(i, x)`;
  return `__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(__global const double *x, __global half *y) { uint i = get_global_id(0); vstore${aligned ? "a" : ""}_half${size}${mode}(${value}, i, y); }\n`;
};

async function run(text: string, from: SourceDialect, count: number, room: number): Promise<number[]> {
  const args = { x: Float64Array.from(numbers), y: new Uint16Array(room) };
  const { buffers, diagnostics } = await simulate(text, { from, workgroups: [count], workgroupSize: [1], args });
  expect(
    diagnostics.filter((d) => d.severity === "error").map((d) => d.message),
    text,
  ).toEqual([]);
  return [...(buffers["y"] as Uint16Array)].map((h) => ((h & 0x7fff) > 0x7c00 ? NaN : h));
}

const targets = [
  ["opencl", "opencl3.0"],
  ["glsl", "vulkan1.3"],
  ["hlsl", "sm6.6"],
  ["hlsl", "sm6.0"],
] as const;
const texts: Judgeable[] = [];

const cases = modes.flatMap((mode) =>
  [1, 3, 16].flatMap((n) => [false, true].map((aligned) => [n, aligned, mode] as const)),
);
test.each(cases.filter(([n, aligned]) => n > 1 || !aligned))(
  "%i elements, aligned %s, %s",
  async (n, aligned, mode) => {
    const text = source(n, aligned, mode);
    const stride = aligned && n === 3 ? 4 : n;
    const count = numbers.length / n;
    const wanted = new Array<number>(stride * count).fill(0);
    numbers.forEach((x, k) => (wanted[Math.floor(k / n) * stride + (k % n)] = expected(x, mode)));
    expect(await run(text, "opencl", count, wanted.length)).toEqual(wanted);
    for (const [to, profile] of targets) {
      const { code, diagnostics } = await translate(text, { from: "opencl", to, profile });
      expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
      expect(await run(code!, to, count, wanted.length), code).toEqual(wanted);
      texts.push(judgeable(to, `${n} ${aligned} ${mode} for ${profile}`, code!));
    }
  },
);

for (const dialect of ["opencl", "glsl", "hlsl"] as const) {
  judgeTest(judges[dialect], `the ${dialect} compiler takes them all`, async () => {
    expect(refusals(await judgeOutputs(texts.filter((t) => t.dialect === dialect)))).toBe("");
  });
}
