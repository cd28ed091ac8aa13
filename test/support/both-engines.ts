/**
 * For `vitest.engines.config.ts`: every run of the simulator is done by both engines, which have to agree to the bit: bytes,
 * findings, steps, coverage. What carried a run out is counted in .cache/engines, a file per process.
 */
import { appendFileSync, mkdirSync } from "node:fs";
import { expect, vi } from "vitest";
import type * as Simulator from "../../src/sim/index.js";
import type { CompiledKernel, RunOptions, RunResult } from "../../src/sim/index.js";

const folder = ".cache/engines";
mkdirSync(folder, { recursive: true });

const told = (r: RunResult) => ({
  findings: r.findings,
  complete: r.stats.complete,
  steps: r.stats.steps,
  covered: r.covered ? [...r.covered] : undefined,
});

function differing(a: RunResult, b: RunResult): string | undefined {
  for (const [path, bytes] of a.buffers) {
    const other = b.buffers.get(path);
    if (other?.length !== bytes.length) return `${path} has another length`;
    for (let i = 0; i < bytes.length; i++)
      if (bytes[i] !== other[i])
        return `byte ${i} of ${path} is ${bytes[i]} by the printed code and ${other[i]} by WebAssembly`;
  }
  return undefined;
}

vi.mock("../../src/sim/index.js", async (original) => {
  const sim = await original<typeof Simulator>();
  const run = (compiled: CompiledKernel, options: RunOptions): RunResult => {
    const reference = sim.run(compiled, { ...options, engine: "ts" });
    const result = sim.run(compiled, { ...options, engine: "wasm" });
    const { engine, vectors, because } = result.stats.engine;
    appendFileSync(
      `${folder}/${process.pid}.txt`,
      `${engine}${vectors ? " vectors" : ""}${because === undefined ? "" : `: ${because}`}\n`,
    );
    expect(differing(reference, result), `engines differ in ${compiled.name}`).toBeUndefined();
    expect(told(result), `engines differ in ${compiled.name}`).toEqual(told(reference));
    return options.engine === "ts" ? reference : result;
  };
  return { ...sim, run };
});
