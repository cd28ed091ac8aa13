/**
 * MSL, which runs nowhere outside Apple's: what these kernels compute is worked out here by plain arithmetic on the host,
 * from the Metal specification. Each is simulated, so are its translations, read back, and drivers run those.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { translate } from "../../src/index.js";
import { deviceTest } from "../device/device-test.js";
import { judgeOutputs, judgeable, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";
import { input, launchOf } from "./launch.mjs";
import { differences } from "./recorded.js";
import type { RecordedKernel } from "./recorded.js";

const u32 = (x: number | bigint): number => Number(BigInt.asUintN(32, BigInt(x)));
const word = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0]!;
const clampTo = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);
const ones = (x: number): number => [...x.toString(2)].filter((d) => d === "1").length;
const middle = (...xs: number[]): number => xs.sort((p, q) => p - q)[1]!;

function bits(i: number): number[] {
  const [a, b] = [input[i]!, input[i ^ 1]!];
  const [s, t] = [a | 0, b | 0];
  const n = b & 31;
  return [
    a >>> i, // i + (32 - i) bits
    (((a >>> 4) & 0xff) << 24) >> 24,
    (a & 0xff0000ff) | ((b & 0xffff) << 8),
    Math.clz32(a),
    a === 0 ? 32 : 31 - Math.clz32(a & -a),
    ones(a),
    parseInt([...a.toString(2).padStart(32, "0")].reverse().join(""), 2),
    n === 0 ? a : (a << n) | (a >>> (32 - n)),
    Math.abs(s - t),
    Math.abs(a - b),
    clampTo(s + t, -(2 ** 31), 2 ** 31 - 1),
    Math.max(a - b, 0),
    Number((BigInt(s) * BigInt(t)) >> 32n),
    Number((BigInt(a) * BigInt(b)) >> 32n),
    Math.floor((a + b) / 2),
    Math.floor((a + b + 1) / 2),
    s < t ? b : a,
    (a << 16) | (a >>> 16),
    clampTo(s, -100, 100),
    Math.max(s, t, 7),
    middle(s, t, 7),
    6,
    i ^ a,
    ((a & 0xffff) << 16) >> 16,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ].map(u32);
}

function arrays(i: number): number[] {
  const a = [i, i + 1, input[i]! & 7] as const;
  const b = a.map((x, j) => (j === i % 3 ? x + i : x));
  return [a[0] + 10 * a[1] + 100 * a[2], 2 * (b[2]! + 10 * b[1]! + 100 * b[0]!), 702, a[2] + 3];
}

function groups(): number[] {
  const dst = Array.from({ length: 64 }, () => 0);
  for (let i = 0; i < 32; i++) {
    const g = i >> 3;
    dst[i] = input[g * 8 + 7 - (i & 7)]! & 0xff;
    if (dst[i]! < 16) dst[32 + g]!++;
  }
  return dst;
}

function floats(i: number): number[] {
  const x = (i - 8) / 2;
  const away = Math.sign(x) * Math.floor(Math.abs(x) + 0.5);
  const even = Math.abs(x % 2) === 0.5 ? x - (x % 2) : Math.abs(x % 2) === 1.5 ? x - (x % 2) + 2 * Math.sign(x) : x;
  // Zeros keep the sign of x.
  const signed = (r: number): number => (r === 0 && x < 0 ? -0 : r);
  return [
    word(signed(even)),
    word(signed(away)),
    word(signed(Math.trunc(x))),
    word(x < 0 && x > -1 ? -1 : Math.floor(x) + Math.ceil(x)),
    word(x - Math.floor(x)),
    word(signed(x % 1.5)),
    word(x < 0 ? -2 : 2),
    word(x * x + 0.25),
    word(clampTo(x, -1, 1)),
    word(clampTo(x, 0, 1)),
    word(clampTo(x, 0, 1)),
    x < 0 ? 1 : 0,
    word(1 + 2 * clampTo(x, 0, 1)),
    word((x < 0 ? 0 : 1) + Math.sign(x)),
    x === -1.5 ? 1 : 0,
    word(Math.abs(x)),
  ];
}

const each = (count: number, f: (i: number) => number[]): number[] =>
  Array.from({ length: count }, (_, i) => f(i)).flat();
const expected: Readonly<Record<string, readonly number[]>> = {
  bits: each(32, bits),
  arrays: each(32, arrays),
  groups: groups(),
  floats: each(16, floats),
};

const kernels = Object.entries(expected).map(([name, values]): RecordedKernel => {
  const text = readFileSync(new URL(`msl/${name}.metal`, import.meta.url), "utf8");
  return { name, from: "msl", text, launch: launchOf(text), expected: Uint32Array.from(values), nan: false };
});
const dialects = ["msl", "glsl", "hlsl", "opencl"] as const;
type Target = (typeof dialects)[number];
const written = (k: RecordedKernel, to: Target): ReturnType<typeof translate> =>
  translate(k.text, { from: "msl", to, workgroupSize: [k.launch.workgroupSize[0], 1, 1] });

describe.each(kernels.map((k) => [k.name, k] as const))("%s computes what the specification says", (_, k) => {
  test("itself", async () => expect(await differences(k, k.text, "msl")).toBe(""));

  test.each(dialects)("in %s, and back", async (to) => {
    const there = await written(k, to);
    expect(there.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(await differences(k, there.code!, to)).toBe("");
    if (to === "msl") return;
    const back = await translate(there.code!, { from: to, to: "msl" });
    expect(back.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(await differences(k, back.code!, "msl")).toBe("");
  });
});

describe("a compiler takes the texts", () => {
  for (const to of dialects) {
    judgeTest(judges[to], `in ${to}`, async () => {
      const texts = await Promise.all(kernels.map(async (k) => judgeable(to, k.name, (await written(k, to)).code!)));
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
  }
});

/** glslang's HLSL has no 16-bit types: docs/devices.md. */
const notOnDevice: Readonly<Record<string, RegExp>> = { "bits hlsl": /function parameter list/ };

for (const to of ["glsl", "hlsl", "opencl"] as const) {
  const device = to === "opencl" ? "opencl" : "vulkan";
  await deviceTest(device, `msl in ${to}, on a driver`, async () => {
    for (const k of kernels)
      expect(`${k.name} ${await differences(k, (await written(k, to)).code!, to, device)}`).toMatch(
        notOnDevice[`${k.name} ${to}`] ?? /^\S+ $/,
      );
  });
}
