/**
 * glslang computes with constants in double and rounds where one is stored. What a kernel computes of float constants is
 * what floats give all the same: random constant expressions, with values worked out here by `Math.fround` after every
 * operation, through GLSL on a driver.
 */
import { expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../../src/index.js";
import { random } from "../mutants/mutate.js";
import { deviceTest } from "./device-test.js";
import { runHere } from "./run-here.js";

interface Constant {
  readonly text: string;
  readonly value: number;
}

const literals = [
  "0.29",
  "100.0",
  "0.1",
  "0.2",
  "0.3",
  "16777217.0",
  "16777216.0",
  "3.0",
  "1e30",
  "1e-30",
  "7.0",
  "0.7",
  "1.1",
  "33554433.0",
  "1e10",
  "0.5",
];
const bits = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0]!;

/** Finite throughout: what lies beyond the range is another question. */
function constant(next: () => number, depth: number): Constant {
  if (depth === 0 || next() < 0.2) {
    const text = literals[Math.floor(next() * literals.length)]!;
    return { text: `${text}f`, value: Math.fround(Number(text)) };
  }
  const [a, b] = [constant(next, depth - 1), constant(next, depth - 1)];
  const operators = [
    ["+", a.value + b.value],
    ["-", a.value - b.value],
    ["*", a.value * b.value],
    ["/", a.value / b.value],
  ] as const;
  const [token, exact] = operators[Math.floor(next() * operators.length)]!;
  const value = Math.fround(exact);
  // Zeros, subnormals and infinities are left to the tests of edges.
  const plain = Number.isFinite(value) && Math.abs(value) > 2 ** -120;
  return plain ? { text: `(${a.text} ${token} ${b.text})`, value } : a;
}

interface Case {
  readonly text: string;
  readonly word: number;
}

function cases(seed: number, count: number): Case[] {
  const next = random(seed);
  return Array.from({ length: count }, (): Case => {
    const [a, b] = [constant(next, 3), constant(next, 2)];
    const kind = next();
    if (kind < 0.5) return { text: `as_uint(${a.text})`, word: bits(a.value) };
    if (kind < 0.75)
      return {
        text: `(${a.text} ${kind < 0.6 ? "<" : "=="} ${b.text})`,
        word: Number(kind < 0.6 ? a.value < b.value : a.value === b.value),
      };
    const whole = Math.trunc(a.value);
    return Math.abs(whole) < 2 ** 31
      ? { text: `(uint)(int)${a.text}`, word: whole >>> 0 }
      : { text: `as_uint(${b.text})`, word: bits(b.value) };
  });
}

const r21: readonly Case[] = [
  { text: "(uint)(0.29f * 100.0f)", word: 29 },
  { text: "16777217.0f == 16777216.0f", word: 1 },
  // 0.1f + 0.2f is 0.3f rounded: 0x3e99999a.
  { text: "0.1f + 0.2f == 0.3f", word: 1 },
  { text: "as_uint(0.1f + 0.2f)", word: 0x3e99999a },
];

const all = [...r21, ...cases(1, 120)];
const kernel = `__kernel void k(__global uint *dst) {
${all.map((c, i) => `  dst[${i}] = ${c.text};`).join("\n")}
}
`;
const launch = { workgroups: [1], workgroupSize: [1] } as const;
const expected = Uint32Array.from(all, (c) => c.word);
const shown = (words: Uint32Array): string[] =>
  all.flatMap((c, i) =>
    words[i] === c.word ? [] : [`${c.text}: ${words[i]!.toString(16)}, not ${c.word.toString(16)}`],
  );

test.each<TwoWayDialect>(["opencl", "msl", "glsl", "hlsl"])(
  "constants of floats are computed as floats in %s",
  async (to) => {
    const { code, diagnostics } = await translate(kernel, { from: "opencl", to, workgroupSize: [1, 1, 1] });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    const { buffers } = await simulate(code!, {
      from: to,
      ...launch,
      subgroupSize: 8,
      args: { dst: new Uint32Array(expected.length) },
    });
    expect(shown(buffers["dst"] as Uint32Array)).toEqual([]);
  },
);

await deviceTest("vulkan", "constants of floats are computed as floats", async () => {
  const { code } = await translate(kernel, { from: "opencl", to: "glsl", workgroupSize: [1, 1, 1] });
  const { buffers, diagnostics } = await runHere(code!, {
    from: "glsl",
    device: "vulkan",
    ...launch,
    args: { dst: new Uint32Array(expected.length) },
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(shown(buffers["dst"] as Uint32Array)).toEqual([]);
});

await deviceTest("opencl", "constants of floats are computed as floats", async () => {
  const { buffers, diagnostics } = await runHere(kernel, {
    from: "opencl",
    device: "opencl",
    ...launch,
    args: { dst: new Uint32Array(expected.length) },
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(shown(buffers["dst"] as Uint32Array)).toEqual([]);
});
