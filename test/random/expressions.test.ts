/**
 * Random OpenCL C programs over all scalar kinds and vectors: the simulator, PoCL and each translation, read back, compute
 * the same. RANDOM_RUNS and RANDOM_SEED make a longer or another run.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import type { TwoWayDialect } from "../../src/index.js";
import { deviceTest } from "../device/device-test.js";
import { input } from "../differential/launch.mjs";
import { random } from "../mutants/mutate.js";
import { randomKernel } from "./expressions.js";
import { runHere } from "../device/run-here.js";

const runs = Number(process.env["RANDOM_RUNS"] ?? 8);
const first = Number(process.env["RANDOM_SEED"] ?? 1);
const WORDS = 4;
const seeds = Array.from({ length: runs }, (_, i) => first + i);
const text = (seed: number, name = "k"): string => randomKernel(random(seed), name, WORDS);
const launch = { workgroups: [2], workgroupSize: [4] } as const;
const args = (): { src: Uint32Array; dst: Uint32Array } => ({ src: input.slice(), dst: new Uint32Array(8 * WORDS) });

async function simulated(source: string, from: TwoWayDialect): Promise<Uint32Array> {
  const { buffers, findings, diagnostics } = await simulate(source, { from, ...launch, seed: 1, args: args() });
  expect(
    [...diagnostics, ...findings].filter((d) => !("severity" in d) || d.severity === "error"),
    source,
  ).toEqual([]);
  return buffers["dst"] as Uint32Array;
}

describe("random programs in OpenCL C", () => {
  test.each(["msl", "glsl", "hlsl"] as const)("compute the same in %s", { timeout: 3_600_000 }, async (to) => {
    for (const seed of seeds) {
      const source = text(seed);
      const { code, diagnostics } = await translate(source, { from: "opencl", to, workgroupSize: [4, 1, 1] });
      expect(
        diagnostics.filter((d) => d.severity === "error"),
        source,
      ).toEqual([]);
      expect(await simulated(code!, to), `seed ${String(seed)}\n${source}\n${code!}`).toEqual(
        await simulated(source, "opencl"),
      );
    }
  });
});

await deviceTest("opencl", "compute the same on a driver", async () => {
  // One program for all: a driver takes its time to build any.
  const program = seeds.map((seed) => text(seed, `k${String(seed)}`)).join("\n");
  for (const seed of seeds) {
    const { buffers, diagnostics } = await runHere(program, {
      from: "opencl",
      entry: `k${String(seed)}`,
      device: "opencl",
      ...launch,
      args: args(),
    });
    expect(
      diagnostics.filter((d) => d.severity === "error"),
      program,
    ).toEqual([]);
    expect(buffers["dst"], `seed ${String(seed)}\n${text(seed)}`).toEqual(await simulated(text(seed), "opencl"));
  }
});
