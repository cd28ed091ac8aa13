/** What DXC makes of `pow`: a product or 1 of exponents that it knows, the number of two constants, else logarithms. Its DXIL tells. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { askDxc, missingForDxc } from "../support/judges/dxc.js";
import { toolTest } from "../support/tool-test.js";

/** Statements that set `r` by a negative `x`, with what stands before the kernel. */
const forms: readonly (readonly [statements: string, before?: string])[] = [
  ["r = pow(x, 2);"],
  ["r = pow(x, 2.0f);"],
  ["r = pow(x, 2.0000001);"],
  ["r = pow(x, 1 + 1);"],
  ["r = pow(x, (float)2u);"],
  ["r = pow(x, true ? 2.0f : 3.0f);"],
  ["r = pow(x, P);", "static const float P = 2;"],
  ["r = pow(x, P);", "static const int P = 2;"],
  ["const float p = 2; r = pow(x, p);"],
  ["r = pow(float2(x, a[1]), 2).x;"],
  ["r = pow(float2(x, a[1]), float2(2, 2)).x;"],
  ["r = pow(float2(x, a[1]), float2(3, 2)).x;"],
  ["r = pow(float1(x), 2).x;"],
  ["float2x2 m = { a[1], a[1], a[1], x }; m = pow(m, 2); r = m._22;"],
  ["r = pow((min16float)x, 2);"],
  ["r = pow((int)x, 2);"],
  ["r = powers<2>(x);", "template <int N> float powers(float b) { return pow(b, N); }"],
  ["r = pow(x, 0);"],
  ["r = pow(x, -0.0);"],
  ["r = pow(float2(x, 1), float2(0, 0)).x;"],
  ["r = pow(x, 1);"],
  ["r = pow(x, 3);"],
  ["r = pow(x, 4.0);"],
  ["r = pow(x, -2);"],
  ["r = pow(x, 0.5);"],
  ["r = pow(x, a[1]);"],
  ["r = pow(-3.0f, 3.0f) + x * 0;"],
  ["r = pow(-3, 3);"],
  ["r = pow(-3.0, 2.0) * 2;"],
  ["r = pow(2.0f, 10.0f);"],
  ["r = pow(0.0f, 0.0f);"],
  ["r = pow(P, 3.0f);", "static const float P = -3;"],
  ["const float p = -3; r = pow(p, 3.0f);"],
  ["float p = -3; r = pow(p, 3.0f);"],
  ["r = pow(float2(-3, -2), float2(3, 2)).x;"],
  ["r = pow(float2(-3, -2), float2(3, 2)).y;"],
];
const input = [-3, 7];
const text = ([statements, before = ""]: (typeof forms)[number]): string =>
  `StructuredBuffer<float> a : register(t0); RWStructuredBuffer<float> o : register(u0); ${before}
[numthreads(1, 1, 1)] void main() { float x = a[0], r; ${statements} o[0] = r; }
`;

/** The number that the kernel stores for the input, by its DXIL. */
function stored(dxil: string): number {
  const body = dxil.slice(dxil.indexOf("define void @main"));
  const store = /BufferStore\.f32\(i32 1\d\d, %dx\.types\.Handle %\d+, i32 0, i32 \w+, float ([^,]+),/.exec(body)![1]!;
  if (!store.startsWith("%")) {
    if (!store.startsWith("0x")) return Number(store);
    return new Float64Array(new BigUint64Array([BigInt(store)]).buffer)[0]!;
  }
  const logarithm = /dx\.op\.unary\.f\d\d\(i32 23, (?:float|half) (\S+)\)/.test(body);
  const product = /fmul fast (?:float|half) (%\d+), \1\n/.test(body);
  expect(logarithm, body).not.toBe(product);
  // By logarithms a negative number has none.
  return logarithm ? NaN : input[0]! ** 2;
}

toolTest(missingForDxc(), "powers are read as DXC computes them, and come back the same in HLSL", async () => {
  const folder = await mkdtemp(join(tmpdir(), "powers-"));
  let asked = 0;
  const askAbout = async (texts: readonly string[]): Promise<number[]> => {
    const requests = await Promise.all(
      texts.map(async (source) => {
        const name = String(asked++);
        const path = join(folder, `${name}.hlsl`);
        await writeFile(path, source);
        return { profile: "cs_6_6", entry: "main", path, output: join(folder, `${name}.ll`), args: ["-HV", "2021"] };
      }),
    );
    expect(await askDxc(requests)).toEqual(texts.map(() => "ok"));
    return requests.map(({ output }) => stored(readFileSync(output, "utf8")));
  };
  try {
    const texts = forms.map(text);
    const expected = await askAbout(texts);
    expect(expected[0]).toBe(9);
    expect(expected.filter((n) => Number.isNaN(n)).length).toBeGreaterThan(5);
    const found: unknown[] = [];
    const written: string[] = [];
    for (const source of texts) {
      const o = new Float32Array(1);
      const { buffers, diagnostics } = await simulate(source, {
        from: "hlsl",
        workgroups: [1],
        args: { a: new Float32Array(input), o: o },
      });
      expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      found.push((buffers!.o as Float32Array)[0]);
      written.push((await translate(source, { from: "hlsl", to: "hlsl" })).code!);
    }
    expect(found).toEqual(expected);
    // Functions of ours with branches by their arguments are none that this test reads.
    const plain = expected.flatMap((n, i) => (n === 9 || Number.isNaN(n) ? [i] : []));
    expect(await askAbout(plain.map((i) => written[i]!))).toEqual(plain.map((i) => expected[i]));
  } finally {
    await rm(folder, { recursive: true });
  }
});
