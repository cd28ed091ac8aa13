/**
 * Random kernels said in several dialects: simulators, drivers and translations read back agree on what they compute.
 * RANDOM_RUNS and RANDOM_SEED make a longer or another run.
 */
import { describe, expect, test } from "vitest";
import { runOnDevice, simulate, translate } from "../../src/index.js";
import type { SourceDialect } from "../../src/index.js";
import { deviceTest } from "../device/device-test.js";
import { input } from "../differential/launch.mjs";
import { random } from "../mutants/mutate.js";
import { LANES, WORDS, randomProgram, type ProgramFeatures } from "./programs.js";

const runs = Number(process.env["RANDOM_RUNS"] ?? 2);
const first = Number(process.env["RANDOM_SEED"] ?? 1);
const seeds = Array.from({ length: runs }, (_, i) => first + i);
const all: readonly SourceDialect[] = ["msl", "glsl", "hlsl", "opencl"];
const languages: readonly {
  readonly name: string;
  readonly dialects: readonly SourceDialect[];
  readonly features: ProgramFeatures;
}[] = [
  { name: "what C has", dialects: all, features: { barriers: true, lazyEffects: true, fallThrough: true } },
  { name: "cross-lane ops", dialects: all, features: { barriers: true, waves: true, lazyEffects: true } },
  {
    name: "effects in order",
    dialects: ["glsl", "hlsl"],
    features: { barriers: true, manyEffects: true, globals: true, components: true, inoutComponents: true },
  },
];

const refusedOrder = /argument (?:whose place has side effects|that is copied in or out)/;

const launch = { workgroups: [2], workgroupSize: [LANES] } as const;
const args = (): { src: Uint32Array; dst: Uint32Array } => ({
  src: input.slice(0, 64),
  dst: new Uint32Array(2 * LANES * WORDS),
});

async function simulated(text: string, from: SourceDialect): Promise<Uint32Array> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    ...launch,
    subgroupSize: 8,
    seed: 1,
    args: args(),
  });
  expect(
    [...diagnostics, ...findings].filter((d) => !("severity" in d) || d.severity === "error"),
    text,
  ).toEqual([]);
  return buffers["dst"] as Uint32Array;
}

describe.each(languages)("random programs: $name", ({ dialects, features }) => {
  test.each(seeds)("seed %i", { timeout: 600_000 }, async (seed) => {
    const texts = dialects.map((d) => [d, randomProgram(random(seed), d, features)] as const);
    const first = await simulated(texts[0]![1], texts[0]![0]);
    for (const [from, text] of texts) {
      // Where effects meet HLSL means something else (docs/hlsl-order.md), and some of it is refused; test/fuzz/order.ts asks DXC.
      const ownOrder = from === "hlsl" && (features.manyEffects ?? false);
      if (ownOrder && (await translate(text, { from, to: "ts" })).diagnostics.some((d) => refusedOrder.test(d.message)))
        continue;
      const expected = ownOrder ? await simulated(text, from) : first;
      if (!ownOrder) expect(await simulated(text, from), text).toEqual(expected);
      for (const to of all.filter((d) => d !== from)) {
        const { code, diagnostics } = await translate(text, { from, to, workgroupSize: [LANES, 1, 1] });
        expect(
          diagnostics.filter((d) => d.severity === "error"),
          text,
        ).toEqual([]);
        expect(await simulated(code!, to), `${text}\n${code!}`).toEqual(expected);
      }
    }
  });
});

await deviceTest("vulkan", "computes what the simulator does, in GLSL", async () => {
  // Devices have subgroups of their own widths.
  for (const { features } of languages.filter((l) => !l.features.waves)) {
    for (const seed of seeds) {
      const text = randomProgram(random(seed), "glsl", features);
      const { buffers, diagnostics } = await runOnDevice(text, {
        from: "glsl",
        device: "vulkan",
        here: true,
        ...launch,
        args: args(),
      });
      expect(
        diagnostics.filter((d) => d.severity === "error"),
        text,
      ).toEqual([]);
      expect(buffers["dst"], text).toEqual(await simulated(text, "glsl"));
    }
  }
});
